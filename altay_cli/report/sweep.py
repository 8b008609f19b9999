"""What games under rules that differ in one value show: a table, JSON, and a curve a measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from altay_cli.report.json import dump
from altay_cli.report.plot import BLUE, margins, picture
from altay_cli.report.simulation import full_title, teller
from altay_cli.report.simulation_json import plain
from altay_cli.report.text import counted, phrase, plural, table, visible, wrapped
from altay_cli.simulation.comparing import Contrast, compare
from altay_cli.simulation.planning import Sweep
from altay_cli.simulation.statistics import Estimate
from altay_cli.simulation.tally import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WHAT = ("length", "ties", "wins", "score", "categories", "numbers")
"""What is shown of all that is counted: how games end, and what is bought, is for `--compare`."""
SWEEP_DIGITS = 6
MOST_CURVES = 24
ACROSS = 3


def measures(runs: Sequence[Run]) -> list[tuple[str, str, Contrast]]:
    """Return what is measured in some run: what it is, its title and values.

    What the first run has comes first.
    """
    rows = [
        (part.what, full_title(part, row), row)
        for part in compare(*(run.tally for run in runs))
        if part.what in WHAT
        for row in part.rows
    ]
    return sorted(rows, key=lambda row: [value is None for value in row[2].values].index(False))


def _spoken(estimate: Estimate | None, *, is_share: bool) -> str:
    if estimate is None or not estimate.n:
        return "-"
    if is_share:
        value, low, high = (100 * x for x in (estimate.value, estimate.low, estimate.high))
        return f"{value:.0f} % ({low:.0f}-{high:.0f})"
    return f"{estimate.value:.1f} ({estimate.low:.1f}-{estimate.high:.1f})"


def sweep_lines(sweep: Sweep, runs: Sequence[Run]) -> Iterator[str]:
    """Yield a table: a measure a row, a value of the rules a column."""
    games = counted("{count} game", "{count} games", runs[0].tally.games)
    tell = teller(runs[0].pack)
    title = visible(tell(runs[0].pack.title))
    yield phrase(
        "{title}: {games} for each value of {path}", title=title, games=games, path=sweep.path
    )
    yield phrase("In brackets: the 95 {percent} confidence interval", percent="%")
    yield ""
    rows = [["", *map(str, sweep.values)]]
    rows += [
        [tell(title), *(_spoken(value, is_share=row.is_share) for value in row.values)]
        for _, title, row in measures(runs)
    ]
    yield from table(rows, range(1, len(rows[0])))


def sweep_json(sweep: Sweep, runs: Sequence[Run]) -> str:
    """Return the same for programs."""
    document = {
        "path": sweep.path,
        "values": list(sweep.values),
        "games": runs[0].tally.games,
        "seed": runs[0].plan.seed,
        "measures": [
            {
                "what": what,
                "id": row.id,
                "title": title,
                "share": row.is_share,
                "values": plain(row.values, SWEEP_DIGITS),
            }
            for what, title, row in measures(runs)
        ],
    }
    return dump(document)


def draw_sweep(sweep: Sweep, runs: Sequence[Run], suffix: str) -> bytes:
    """Return a picture with a curve for each measure, with its intervals; needs matplotlib."""
    shown = measures(runs)[:MOST_CURVES]
    rows = max(-(-len(shown) // ACROSS), 1)

    def fill(figure: Figure) -> None:
        axes = figure.subplots(rows, ACROSS, squeeze=False).flat
        for one, (_, title, row) in zip(axes, shown, strict=False):
            _curve(one, sweep, title, row)
        for one in list(axes)[len(shown) :]:
            one.set_axis_off()
        games = plural(runs[0].tally.games, "game")
        seed = runs[0].plan.seed
        caption = f"{games} for each value, seed {seed}; lines: 95 % confidence intervals"
        figure.suptitle(f"{visible(runs[0].pack.title)}: {sweep.path}\n{caption}", fontsize=11)

    return picture(2.9 * rows + 1.0, suffix, fill)


def _curve(axes: Axes, sweep: Sweep, title: str, row: Contrast) -> None:
    scale = 100 if row.is_share else 1
    known = [(n, value) for n, value in enumerate(row.values) if value is not None and value.n]
    numbers = all(isinstance(value, int) for value in sweep.values)
    places = [sweep.values[n] if numbers else n for n, _ in known]
    values = [value for _, value in known]
    axes.errorbar(
        places,
        [scale * value.value for value in values],
        yerr=margins(values, scale),
        fmt="o-",
        color=BLUE,
        markersize=5,
        capsize=3,
    )
    axes.set_title("\n".join(wrapped(title + (", %" if row.is_share else ""), 36)))
    ticks = list(sweep.values) if numbers else list(range(len(sweep.values)))
    axes.set_xticks(ticks, [str(value) for value in sweep.values])

"""The results of simulated games as a picture: the same bytes for the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from altay_cli.base.text import Text
from altay_cli.report.simulation import full_title
from altay_cli.report.text import plural, visible
from altay_cli.simulation.comparing import Contrast, Contrasts, compare
from altay_cli.simulation.statistics import Estimate
from altay_cli.simulation.tally import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png", ".pdf")
"""The file name extensions of pictures."""

# Colours that people with any colour vision tell apart (Okabe and Ito 2008), and of unlike
# brightness, so that they differ in print as well.
BLUE, ORANGE, GREY, BLACK = "#0072B2", "#E69F00", "#8C8C8C", "#222222"
COLOURS = (BLUE, ORANGE)
MARKERS = ("o", "s")

LABEL = 30
"""The maximum number of characters in a line of a label; longer labels are broken."""

MOST_LINES = 4
MOST_BINS = 30
MOST_ROWS = 30
"""The maximum number of rows of a panel."""

# Names come from strangers: a dollar sign in them begins no formula.
_STYLE = {
    "svg.hashsalt": "altay",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.7,
    "text.parse_math": False,
}
METADATA: dict[str, dict[str, object]] = {
    ".svg": {"Date": None, "Creator": "altay"},
    ".png": {"Software": "altay"},
    ".pdf": {"CreationDate": None, "Creator": "altay", "Producer": "altay"},
}


def draw(runs: Sequence[Run], suffix: str) -> bytes:
    """Return a picture of one run, or of two beside each other with their differences.

    ``suffix`` is one of ``FORMATS``. It needs matplotlib.
    """
    heights = [4.0, 3.8]
    changes = _changes(runs) if len(runs) > 1 else []
    for at in range(0, len(changes), 2):  # two panels stand beside each other
        # The lines of the labels, with a little air between them.
        lines = max(
            ceil(sum(_broken(label).count("\n") + 1.4 for label, _ in panel.rows))
            for panel in changes[at : at + 2]
        )
        heights.append(max(3.6, 0.21 * lines + 1.3))

    def fill(figure: Figure) -> None:
        axes = figure.subplots(len(heights), 2, height_ratios=heights, squeeze=False).flat
        _wins(axes[0], runs)
        _points(axes[1], runs)
        _rounds(axes[2], runs)
        _endings(axes[3], runs)
        for number, panel in enumerate(changes, 4):
            _differences(axes[number], panel)
        if len(changes) % 2:
            axes[-1].set_title("A, and B")
            _nothing(axes[-1], "\n".join(_short(run.label, 60) for run in runs))
        _head(figure, runs)

    return picture(sum(heights) + 1.1, 0.15, suffix, fill)


def picture(height: float, pad: float, suffix: str, fill: Callable[[Figure], None]) -> bytes:
    """Return a picture that ``fill`` draws; its height, and ``pad`` between columns, in inches."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    # As matplotlib draws them, whatever anybody has set, and our style.
    defaults = {key: value for key, value in mpl.rcParamsDefault.items() if key != "backend"}
    settings: Any = defaults | _STYLE
    with mpl.rc_context(settings):
        layout = ConstrainedLayoutEngine(w_pad=pad, h_pad=0.12)
        figure = Figure(figsize=(12, height), layout=layout)
        FigureCanvasAgg(figure)
        fill(figure)
        _settle(figure)
        buffer = BytesIO()
        figure.savefig(buffer, format=suffix[1:], dpi=120, metadata=METADATA[suffix])
    return buffer.getvalue()


def _settle(figure: Figure) -> None:
    """Lay out the panels for good, at round places: the solver's last digits are not the same."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        place = axes.get_position()
        axes.set_position(
            (round(place.x0, 4), round(place.y0, 4), round(place.width, 4), round(place.height, 4))
        )


def _head(figure: Figure, runs: Sequence[Run]) -> None:
    run = runs[0]
    plan, pack = run.plan, run.pack
    variants = ", ".join(name for name, _ in pack.variants)
    parts = [
        plural(run.tally.games, "game") + (" under each of two rules" if len(runs) > 1 else ""),
        plural(plan.players, "player"),
        f"policies: {', '.join(plan.policies)}",
        *([f"variants: {variants}"] if variants else []),
        f"seed {plan.seed}",
    ]
    lines = [visible(pack.title), *wrap(visible("; ".join(parts)), 120)]
    lines.append("Lines around a value: its 95 % confidence interval")
    figure.suptitle("\n".join(lines), fontsize=11)


# ---------------------------------------------------------------- panels


def _wins(axes: Axes, runs: Sequence[Run]) -> None:
    """Draw the share of games won by each group of the first measure, else by seat."""
    groupings = [(*run.tally.groups, run.tally.seats)[0] for run in runs]
    axes.set_title(_short(Text("Games won by {group}", group=groupings[0].title.lower()), 60))
    shares = [{group.name: group.wins for group in grouping.groups} for grouping in groupings]
    _dots(axes, runs, shares)
    axes.set_xlim(left=0)
    even = 100 / runs[0].plan.players
    axes.axvline(even, color=BLACK, linewidth=1, linestyle="--")
    axes.set_xlabel(f"share of games won (%); dashed: all alike, {even:.3g} %")


def _points(axes: Axes, runs: Sequence[Run]) -> None:
    """Draw the mean points by category: of winners and others, or under either rules."""
    tallies = [run.tally for run in runs]
    titles = _union([{c.id: c.title for c in tally.categories} for tally in tallies])
    if len(runs) > 1:
        axes.set_title("Points by category")
        labels = [run.label for run in runs]
        columns = [{c.id: c.all for c in tally.categories} for tally in tallies]
    else:
        axes.set_title("Points by category, of winners and of others")
        labels = ["winners", "others"]
        columns = [
            {c.id: c.winners for c in tallies[0].categories},
            {c.id: c.others for c in tallies[0].categories},
        ]
    height = 0.8 / len(columns)
    for number, (values, label) in enumerate(zip(columns, labels, strict=True)):
        there = [
            (row + (number - (len(columns) - 1) / 2) * height, values[name])
            for row, name in enumerate(titles)
            if name in values and values[name].n
        ]
        axes.barh(
            [y for y, _ in there],
            [value.value for _, value in there],
            height * 0.9,
            color=COLOURS[number],
            label=_short(label, 40),
            xerr=margins([value for _, value in there], 1),
            error_kw={"ecolor": BLACK, "elinewidth": 1.0, "capsize": 2.5},
        )
    _rows(axes, list(titles.values()))
    axes.set_xlabel("mean points of a player")
    axes.axvline(0, color=BLACK, linewidth=0.8)
    if titles:
        _legend(axes)


def _rounds(axes: Axes, runs: Sequence[Run]) -> None:
    """Draw how many rounds games took."""
    axes.set_title("Rounds of a game")
    counts = [dict(run.tally.rounds.counts) for run in runs]
    seen = [rounds for distribution in counts for rounds in distribution]
    axes.set_xlabel("rounds")
    axes.set_ylabel("share of games (%)")
    axes.grid(visible=False, axis="x")
    if not seen:
        _nothing(axes)
        return
    least, most = min(seen), max(seen)
    step = 1 + (most - least) // MOST_BINS
    width = 0.86 / len(runs)
    for number, (run, distribution) in enumerate(zip(runs, counts, strict=True)):
        bins = range(least, most + 1, step)
        shares = [
            100 * sum(distribution.get(at, 0) for at in range(start, start + step)) / run.tally.over
            if run.tally.over
            else 0.0
            for start in bins
        ]
        offset = (number - (len(runs) - 1) / 2) * width
        places = [(start - least) // step + offset for start in bins]
        mean = run.tally.rounds.mean
        label = f"{_short(run.label, 40)}: mean {mean.value:.1f}" if len(runs) > 1 else None
        axes.bar(places, shares, width * 0.95, color=COLOURS[number], label=label)
        if run.tally.over and len(runs) == 1:
            middle = (mean.value - least - (step - 1) / 2) / step
            line = {"color": BLACK, "linewidth": 1.2, "linestyle": "--"}
            axes.axvline(middle, label=f"mean {mean.value:.1f}", **line)  # type: ignore[arg-type]
    names = [f"{b}" if step == 1 else f"{b}–{b + step - 1}" for b in range(least, most + 1, step)]
    every = 1 + (len(names) * max(map(len, names))) // 36
    axes.set_xticks(range(0, len(names), every), names[::every])
    axes.set_ylim(top=axes.get_ylim()[1] * 1.15)
    _legend(axes)


def _endings(axes: Axes, runs: Sequence[Run]) -> None:
    """Draw why games ended, or were given up."""
    axes.set_title("How games end")
    shares = []
    for run in runs:
        ends = {ending.reason: ending.share for ending in run.tally.endings}
        ends |= {
            Text("not over: {reason}", reason=ending.reason): ending.share
            for ending in run.tally.given_up
        }
        shares.append(ends)
    _dots(axes, runs, shares)
    axes.set_xlim(0, 103)
    axes.set_xlabel("share of games (%)")


class _Panel(NamedTuple):
    """Differences that are drawn on one scale, each with its label."""

    title: str
    unit: str
    scale: float
    rows: Sequence[tuple[str, Contrast]]


def _differences(axes: Axes, panel: _Panel) -> None:
    """Draw differences with their intervals, all of which leave out 0."""
    axes.set_title(panel.title)
    axes.axvline(0, color=BLACK, linewidth=1)
    axes.set_xlabel(panel.unit)
    if not panel.rows:
        _nothing(axes, "nothing differs clearly")
        return
    for number, (_, row) in enumerate(panel.rows):
        change = row.difference
        assert change is not None
        _intervals(axes, [change], [number], panel.scale)
    _rows(axes, [label for label, _ in panel.rows])


# ---------------------------------------------------------------- what is compared

_SHARES = ("Shares that differ", "B - A, percentage points", 100.0)
_POINTS = ("Points that differ", "B - A, mean points of a player", 1.0)
_ROUNDS = ("Rounds that differ", "B - A, rounds of a game", 1.0)
_MOVES = ("Moves that differ", "B - A, moves of a game", 1.0)
_COUNTS = ("Counts that differ", "B - A, mean of a player or of a game", 1.0)


def _changes(runs: Sequence[Run]) -> list[_Panel]:
    """Return the differences to be drawn: those that the report marks, each kind for itself."""
    kinds: dict[tuple[str, str, float], list[tuple[str, Contrast]]] = {
        key: [] for key in (_SHARES, _POINTS, _ROUNDS, _MOVES, _COUNTS)
    }
    for part in compare(*(run.tally for run in runs)):
        for row in part.rows:
            if row.clear:
                kinds[_kind(part, row)].append((visible(full_title(part, row)), row))
    panels = [_Panel(*key, rows[:MOST_ROWS]) for key, rows in kinds.items() if rows]
    return panels or [_Panel(*_SHARES, ())]


def _kind(part: Contrasts, row: Contrast) -> tuple[str, str, float]:
    if row.is_share:
        return _SHARES
    if part.what == "length":
        return _MOVES if row.id == "moves" else _ROUNDS
    return _POINTS if part.what in {"score", "categories"} else _COUNTS


# ---------------------------------------------------------------- parts of panels


def _union(mappings: Iterable[Mapping[str, object]]) -> dict[str, Any]:
    """Return all entries of several mappings, each where it comes first."""
    together: dict[str, object] = {}
    for mapping in mappings:
        for key, value in mapping.items():
            together.setdefault(key, value)
    return together


def _dots(axes: Axes, runs: Sequence[Run], columns: Sequence[Mapping[str, Estimate]]) -> None:
    """Draw shares with their intervals, a row each, for each of the runs."""
    names = list(_union(columns))[:MOST_ROWS]
    if not names:
        _nothing(axes)
        return
    for number, shares in enumerate(columns):
        rows = [row for row, name in enumerate(names) if name in shares]
        values = [shares[names[row]] for row in rows]
        places = [row + (number - (len(columns) - 1) / 2) * 0.3 for row in rows]
        _intervals(axes, values, places, 100, number, label=_short(runs[number].label, 40))
    _rows(axes, names)
    if len(runs) > 1:
        _legend(axes)


def _intervals(
    axes: Axes,
    values: Sequence[Estimate],
    rows: Sequence[float],
    scale: float,
    run: int = 0,
    label: str | None = None,
) -> None:
    """Draw values with their intervals, each in its row, in the look of one of the runs."""
    axes.errorbar(
        [scale * value.value for value in values],
        rows,
        xerr=margins(values, scale),
        fmt=MARKERS[run],
        color=COLOURS[run],
        markersize=6,
        capsize=3,
        label=label,
    )


def margins(values: Sequence[Estimate], scale: float) -> list[list[float]]:
    """Return how far intervals reach to the left and to the right of their values."""
    return [
        [max(scale * (value.value - value.low), 0.0) for value in values],
        [max(scale * (value.high - value.value), 0.0) for value in values],
    ]


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    """Label rows from top to bottom."""
    axes.set_yticks(range(len(labels)), [_broken(label) for label in labels])
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)


def _legend(axes: Axes) -> None:
    """Put the legend below the panel, where nothing can lie behind it."""
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False, borderaxespad=0
    )


def _nothing(axes: Axes, text: str = "no game was over") -> None:
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", color=GREY)
    axes.set_yticks([])


def _broken(label: str) -> str:
    """Break a label into lines."""
    lines = wrap(visible(label), LABEL) or [""]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1][: LABEL - 2]} …"]
    return "\n".join(lines)


def _short(text: str, most: int) -> str:
    shown = visible(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"

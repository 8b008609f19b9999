"""Plot the results of simulated games; equal results give equal bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, NamedTuple

from altay_cli.report import limits
from altay_cli.report.simulation import full_title, measures
from altay_cli.report.text import plural, visible, wrapped
from altay_cli.simulation.planning import Sweep
from altay_cli.simulation.tally import Contrast, Contrasts, Estimate, Run, compare, difference

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = (".svg", ".png", ".pdf")

# Distinguishable with any colour vision (Okabe and Ito 2008), and in greyscale.
BLUE, ORANGE, BLACK = "#0072B2", "#E69F00", "#222222"
COLOURS = (BLUE, ORANGE)
MARKERS = ("o", "s")


class _Panel(NamedTuple):
    """Each column has a label. ``even`` is the value if all were equal."""

    title: str
    unit: str
    scale: float
    columns: Sequence[tuple[str, Mapping[str, Estimate]]]
    even: float | None = None

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(row for _, column in self.columns for row in column))[
            : limits.MOST_DRAWN
        ]


def draw(runs: Sequence[Run], suffix: str) -> bytes:
    """Draw one run, or two and their differences; needs matplotlib."""
    panels = [_wins(runs), _points(runs), _endings(runs), *_changes(runs)]
    rows = [*(len(panel.rows) for panel in panels), 0, 0]
    heights = [max(3.8, 0.36 * max(rows[at : at + 2]) + 1.3) for at in range(0, len(panels) + 1, 2)]
    parts = [*(partial(_intervals, panel=panel) for panel in panels), partial(_rounds, runs=runs)]
    return _picture(_head(runs), parts, (2, heights), sum(heights) + 1.2, suffix)


def _picture(
    title: str,
    parts: Sequence[Callable[[Axes], None]],
    grid: tuple[int, Sequence[float]],
    height: float,
    suffix: str,
) -> bytes:
    from altay_cli.report.figure import picture  # matplotlib is slow to import

    return picture(title, parts, grid, height, suffix)


def _head(runs: Sequence[Run]) -> str:
    run, several = runs[0], len(runs) > 1
    plan, pack = run.plan, run.pack
    variants = ", ".join(name for name, _ in pack.variants)
    games = plural(run.tally.games, "game")
    if run.is_recorded:
        counts = (f"{plural(run.tally.games, 'game')} in {_short(run.label, 50)}" for run in runs)
        games = "; ".join(counts)
    elif several:
        games += " under each of two rules"
    parts = [
        games,
        plural(plan.players, "player"),
        f"policies: {', '.join(plan.policies)}" if plan.policies else "",
        f"variants: {variants}" if variants else "",
        "" if run.is_recorded else f"seed {plan.seed}",
    ]
    lines = [visible(pack.title), *wrap(visible("; ".join(filter(None, parts))), 120)]
    if several:
        lines.append(f"A: {_short(run.label, 50)}; B: {_short(runs[-1].label, 50)}")
    lines.append("Lines around a value: its 95 % confidence interval")
    return "\n".join(lines)


def _wins(runs: Sequence[Run]) -> _Panel:
    groupings = [(*run.tally.groups, run.tally.seats)[0] for run in runs]
    columns = [
        (run.label, {group.name: group.wins for group in grouping.groups})
        for run, grouping in zip(runs, groupings, strict=True)
    ]
    even = 1 / runs[0].plan.players
    unit = f"share of games won (%); dashed: all alike, {100 * even:.3g} %"
    return _Panel(f"Games won by {groupings[0].title.lower()}", unit, 100, columns, even)


def _points(runs: Sequence[Run]) -> _Panel:
    title = "Points by category"
    columns = [
        (run.label, {category.title: category.all for category in run.tally.categories})
        for run in runs
    ]
    if len(runs) == 1:
        title, categories = f"{title}, of winners and of others", runs[0].tally.categories
        columns = [
            ("winners", {category.title: category.winners for category in categories}),
            ("others", {category.title: category.others for category in categories}),
        ]
    return _Panel(title, "mean points of a player", 1, columns)


def _endings(runs: Sequence[Run]) -> _Panel:
    columns = [
        (
            run.label,
            {ending.reason: ending.share for ending in run.tally.endings}
            | {f"not over: {ending.reason}": ending.share for ending in run.tally.given_up},
        )
        for run in runs
    ]
    return _Panel("How games end", "share of games (%)", 100, columns)


def _changes(runs: Sequence[Run]) -> list[_Panel]:
    if len(runs) < 2:
        return []
    kinds: dict[tuple[str, str, float], dict[str, Estimate]] = {}
    for part in compare(*(run.tally for run in runs)):
        for row in part.rows:
            if row.clear and row.difference is not None:
                kinds.setdefault(_kind(part, row), {})[full_title(part, row)] = row.difference
    kinds = kinds or {("Nothing differs clearly", "B - A", 1): {}}
    return [_Panel(*kind, [("B - A", rows)]) for kind, rows in sorted(kinds.items())]


def _kind(part: Contrasts, row: Contrast) -> tuple[str, str, float]:
    if row.is_share:
        return "Shares that differ", "B - A, percentage points", 100
    if part.what == "length":
        return f"{row.title} that differ", f"B - A, {row.id} of a game", 1
    if part.what in {"score", "categories"}:
        return "Points that differ", "B - A, mean points of a player", 1
    return "Counts that differ", "B - A, mean of a player or of a game", 1


def _intervals(axes: Axes, panel: _Panel) -> None:
    rows = panel.rows
    axes.set(title=_short(panel.title, 60), xlabel=panel.unit)
    axes.axvline(0, color=BLACK, linewidth=1)
    if panel.even is not None:
        axes.axvline(panel.scale * panel.even, color=BLACK, linewidth=1, linestyle="--")
    for number, (label, column) in enumerate(panel.columns):
        there = {row: column[name] for row, name in enumerate(rows) if name in column}
        shown = {row: value for row, value in there.items() if value.n}
        values = list(shown.values())
        shift = (number - (len(panel.columns) - 1) / 2) * 0.3
        axes.errorbar(
            [panel.scale * value.value for value in values],
            [row + shift for row in shown],
            xerr=margins(values, panel.scale),
            fmt=MARKERS[number],
            color=COLOURS[number],
            markersize=6,
            capsize=3,
            label=_short(label, 40),
        )
    labels = [wrap(visible(row), 40, max_lines=2, placeholder=" …") for row in rows]
    axes.set_yticks(range(len(rows)), list(map("\n".join, labels)))
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    if len(panel.columns) > 1:
        _legend(axes)


def margins(values: Sequence[Estimate], scale: float) -> list[list[float]]:
    """Return the distances from values to the ends of their intervals."""
    return [
        [max(scale * (value.value - value.low), 0.0) for value in values],
        [max(scale * (value.high - value.value), 0.0) for value in values],
    ]


def _rounds(axes: Axes, runs: Sequence[Run]) -> None:
    axes.set(title="Rounds of a game", xlabel="rounds", ylabel="share of games (%)")
    axes.grid(visible=False, axis="x")
    counts = [dict(run.tally.rounds.counts) for run in runs]
    seen = [rounds for distribution in counts for rounds in distribution] or [0]
    step = 1 + (max(seen) - min(seen)) // limits.MOST_DRAWN
    axes.hist(
        [list(distribution) for distribution in counts],
        [start - 0.5 for start in range(min(seen), max(seen) + step + 1, step)],
        weights=[
            [100 * games / run.tally.over for games in distribution.values()]
            for run, distribution in zip(runs, counts, strict=True)
        ],
        color=COLOURS[: len(runs)],
        rwidth=0.86,
    )
    for run, style in zip(runs, ("--", ":"), strict=False):
        mean = run.tally.rounds.mean.value
        label = f"{_short(run.label, 40)}: mean {mean:.1f}"
        axes.axvline(mean, color=BLACK, linewidth=1.4, linestyle=style, label=label)
    axes.locator_params(axis="x", integer=True)
    _legend(axes)


def _legend(axes: Axes) -> None:
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False, borderaxespad=0
    )


ACROSS = 3


def draw_sweep(sweep: Sweep, runs: Sequence[Run], suffix: str) -> bytes:
    """Draw a curve and intervals for the measures that change most clearly; needs matplotlib."""
    shown, left_out = most_changed(runs)
    rows = max(-(-len(shown) // ACROSS), 1)
    parts = [partial(_curve, sweep=sweep, title=title, row=row) for title, row in shown]
    played = f"{plural(runs[0].tally.games, 'game')} for each value, seed {runs[0].plan.seed}"
    lines = [
        f"{visible(runs[0].pack.title)}: {visible(sweep.name)}",
        f"{played}; lines: 95 % confidence intervals",
    ]
    if left_out:
        count = plural(len(shown) + len(left_out), "measure")
        lines.append(f"the {len(shown)} of {count} that change most clearly")
    return _picture("\n".join(lines), parts, (ACROSS, [1] * rows), 2.9 * rows + 1.0, suffix)


def most_changed(runs: Sequence[Run]) -> tuple[list[tuple[str, Contrast]], list[str]]:
    """Return titles and values of the measures to draw, and the titles of the others."""
    all_measures = [(title, row) for _, title, row in measures(runs)]
    ranked = sorted(all_measures, key=lambda measure: _change(measure[1]), reverse=True)
    drawn = ranked[: limits.MOST_CURVES]
    shown = [measure for measure in all_measures if measure in drawn]
    return shown, [title for title, row in all_measures if (title, row) not in drawn]


def _change(row: Contrast) -> float:
    """Return the largest difference of two values, in half widths of its interval."""
    values = sorted((v for v in row.values if v is not None and v.n), key=lambda v: v.value)
    if not values or values[0].value == values[-1].value:
        return 0
    change = difference(values[0], values[-1])
    return change.value / (change.value - change.low) if change.value > change.low else inf


def _curve(axes: Axes, sweep: Sweep, title: str, row: Contrast) -> None:
    scale = 100 if row.is_share else 1
    numbers = all(isinstance(value, int) for value in sweep.values)
    ticks: Sequence[int | str] = sweep.values if numbers else range(len(sweep.values))
    known = {
        tick: value
        for tick, value in zip(ticks, row.values, strict=True)
        if value is not None and value.n
    }
    values = list(known.values())
    axes.errorbar(
        list(known),
        [scale * value.value for value in values],
        yerr=margins(values, scale),
        fmt="o-",
        color=BLUE,
        markersize=5,
        capsize=3,
    )
    axes.set_title("\n".join(wrapped(title + (", %" if row.is_share else ""), 36)))
    axes.set_xticks(list(ticks), [str(value) for value in sweep.values])


def _short(text: str, most: int) -> str:
    return shorten(visible(text), most, placeholder="…")

"""A one-page verdict on a variant, for the table that wants to play by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from altay_cli.base.findings import Finding, errors_of
from altay_cli.lint.tryout import Playtests, TryOut
from altay_cli.report.html import rendered
from altay_cli.report.rulebook import difference_lines
from altay_cli.report.text import counted, language, pad, phrase, translated, width
from altay_cli.simulation.tally import Estimate
from altay_cli.source.inspect import Difference

_ASSETS = Path(__file__).parent / "assets"

_COLUMNS = 40

_Row = tuple[str, Estimate, Estimate]
"""What is drawn beside each other: a label, what there is with the variant, and without it."""


def page(
    form: str,
    title: str,
    differences: Sequence[Difference],
    problems: Sequence[Finding],
    played: TryOut | None,
) -> str:
    """Return the page as ".html", which needs no other file, or as ".txt"."""
    severity, verdict = _verdict(problems, played)
    groups = groupby(differences, key=lambda change: change.group)
    games = played and {
        "summary": _summary(played),
        "plots": [*_plots(played)],
        "sentences": sentences(played),
    }
    return rendered(
        _ASSETS / f"verdict{form}",
        {"width": width, "pad": pad, "interval": _interval},
        language=language(),
        phrase=phrase,
        title=title,
        severity=severity,
        verdict=verdict,
        changes=[(group, [*members]) for group, members in groups],
        lines=[*difference_lines(differences)],
        problems=[(one, _place(one)) for one in problems],
        played=games,
    )


def _interval(estimate: Estimate, most: float) -> str:
    """Return an interval as a line of text."""
    low, value, high = (
        round(_COLUMNS * x / most) for x in (estimate.low, estimate.value, estimate.high)
    )
    marks = {low: "|", high: "|", value: "o"}
    line = (marks.get(n, "-" if low < n < high else " ") for n in range(_COLUMNS + 1))
    return "".join(line)


def sentences(report: TryOut) -> list[str]:
    """Return what games have shown of moves and requirements, a sentence each."""
    return [
        *(translated(text) for text in (*report.lost, *report.gained)),
        *(
            phrase("`{rule}` always held, {times} times asked", rule=rule, times=times)
            for rule, times in report.unbroken
        ),
        *(
            phrase("`{policy}` never made `{move}`", policy=policy, move=move)
            for policy, move in report.unused
        ),
    ]


def _verdict(problems: Sequence[Finding], played: TryOut | None) -> tuple[str, str]:
    """Return the worst severity, if there is any problem, and the verdict in a sentence."""
    errors = len(errors_of(problems))
    if errors:
        kind, sentence = (
            "error",
            phrase(
                "Not playable as it is: {errors}",
                errors=counted("{count} error", "{count} errors", errors),
            ),
        )
    elif problems:
        warnings = counted("{count} warning", "{count} warnings", len(problems))
        kind, sentence = "warning", phrase("Playable, with {warnings}", warnings=warnings)
    else:
        kind, sentence = "", phrase("Playable; nothing speaks against it")
    if played is not None:
        games = counted("{count} game", "{count} games", len(played.after.outcomes))
        sentence = phrase("{told}, after {games}", told=sentence, games=games)
    return kind, phrase("{text}.", text=sentence)


def _place(problem: Finding) -> str:
    shown = problem.rule.startswith("play-")
    how = "found by playing" if shown else "found by reading"
    return phrase(f"{{file}}, line {{line}}; {how}", file=problem.file, line=problem.span.line)


def _summary(report: TryOut) -> str:
    before, after = report.before, report.after
    assert before is not None  # the page is about a variant
    return phrase(
        "{games} of {players} players with it, {before} without it; {over} and {over_before} "
        "came to their end. Bars show what is likely in 19 of 20 cases: above with it, "
        "below without.",
        games=counted("{count} game", "{count} games", len(after.outcomes)),
        players=report.players,
        before=len(before.outcomes),
        over=len(after.over),
        over_before=len(before.over),
    )


def _plots(report: TryOut) -> Iterator[tuple[str, Sequence[_Row], float, str]]:
    """Yield what is drawn: a title, rows, the greatest value, and how values are written."""
    before, after = report.before, report.after
    assert before is not None  # the page is about a variant
    most = max(before.rounds().high, after.rounds().high, 1.0)
    rounds = phrase("rounds"), after.rounds(), before.rounds()
    yield phrase("Length"), [rounds], most, "{:.1f}"
    yield phrase("Victories by seat"), _seats(after, before), 1.0, "{:.0%}"


def _seats(after: Playtests, before: Playtests) -> list[_Row]:
    pairs = zip(after.seats(), before.seats(), strict=False)
    return [
        (phrase("seat {number}", number=number), one, other)
        for number, (one, other) in enumerate(pairs, 1)
    ]

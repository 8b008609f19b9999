"""A one-page verdict on a variant, for the table that wants to play by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.translations import ENGLISH, counted, phrase, translated
from altay_cli.lint.tryout import Playtests, TryOut
from altay_cli.report.differences import difference_lines
from altay_cli.report.html import rendered
from altay_cli.report.text import pad, width
from altay_cli.simulation.statistics import Estimate
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
    language: str = ENGLISH,
) -> str:
    """Return the page in a language: as ".html", which needs no other file, or as ".txt"."""
    severity, verdict = _verdict(problems, played, language)
    groups = groupby(differences, key=lambda found: found.group)
    games = played and {
        "summary": _summary(played, language),
        "plots": [*_plots(played, language)],
        "sentences": sentences(played, language),
    }
    return rendered(
        _ASSETS / f"verdict{form}",
        {"width": width, "pad": pad, "interval": _interval},
        language=language,
        phrase=partial(phrase, language),
        title=title,
        severity=severity,
        verdict=verdict,
        changes=[(group, [*members]) for group, members in groups],
        lines=[*difference_lines(differences, language)],
        problems=[(one, _place(one, language)) for one in problems],
        played=games,
    )


def _interval(found: Estimate, most: float) -> str:
    """Return an interval as a line of text."""
    low, value, high = (round(_COLUMNS * x / most) for x in (found.low, found.value, found.high))
    marks = {low: "|", high: "|", value: "o"}
    line = (marks.get(n, "-" if low < n < high else " ") for n in range(_COLUMNS + 1))
    return "".join(line)


def sentences(report: TryOut, language: str) -> list[str]:
    """Return what games have shown of moves and requirements, a sentence each."""
    return [
        *(translated(language, text) for text in (*report.lost, *report.gained)),
        *(
            phrase(language, "`{rule}` always held, {times} times asked", rule=rule, times=times)
            for rule, times in report.unbroken
        ),
        *(
            phrase(language, "`{policy}` never made `{move}`", policy=policy, move=move)
            for policy, move in report.unused
        ),
    ]


def _verdict(problems: Sequence[Finding], played: TryOut | None, language: str) -> tuple[str, str]:
    """Return the worst severity, if there is any problem, and the verdict in a sentence."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    if errors:
        kind, told = (
            "error",
            phrase(
                language,
                "Not playable as it is: {errors}",
                errors=counted(language, "{count} error", "{count} errors", errors),
            ),
        )
    elif problems:
        warnings = counted(language, "{count} warning", "{count} warnings", len(problems))
        kind, told = "warning", phrase(language, "Playable, with {warnings}", warnings=warnings)
    else:
        kind, told = "", phrase(language, "Playable; nothing speaks against it")
    if played is not None:
        games = counted(language, "{count} game", "{count} games", len(played.after.outcomes))
        told = phrase(language, "{told}, after {games}", told=told, games=games)
    return kind, phrase(language, "{text}.", text=told)


def _place(problem: Finding, language: str) -> str:
    shown = problem.rule.startswith("play-")
    how = "found by playing" if shown else "found by reading"
    return phrase(
        language, f"{{file}}, line {{line}}; {how}", file=problem.file, line=problem.span.line
    )


def _summary(report: TryOut, language: str) -> str:
    before, after = report.before, report.after
    assert before is not None  # the page is about a variant
    return phrase(
        language,
        "{games} of {players} players with it, {before} without it; {over} and {over_before} "
        "came to their end. Bars show what is likely in 19 of 20 cases: above with it, "
        "below without.",
        games=counted(language, "{count} game", "{count} games", len(after.outcomes)),
        players=report.players,
        before=len(before.outcomes),
        over=len(after.over),
        over_before=len(before.over),
    )


def _plots(report: TryOut, language: str) -> Iterator[tuple[str, Sequence[_Row], float, str]]:
    """Yield what is drawn: a title, rows, the greatest value, and how values are written."""
    before, after = report.before, report.after
    assert before is not None  # the page is about a variant
    most = max(before.rounds().high, after.rounds().high, 1.0)
    rounds = phrase(language, "rounds"), after.rounds(), before.rounds()
    yield phrase(language, "Length"), [rounds], most, "{:.1f}"
    yield phrase(language, "Victories by seat"), _seats(after, before, language), 1.0, "{:.0%}"


def _seats(after: Playtests, before: Playtests, language: str) -> list[_Row]:
    pairs = zip(after.seats(), before.seats(), strict=False)
    return [
        (phrase(language, "seat {number}", number=number), one, other)
        for number, (one, other) in enumerate(pairs, 1)
    ]

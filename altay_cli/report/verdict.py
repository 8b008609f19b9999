"""A one-page verdict on a variant, for the table that wants to play by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.translations import ENGLISH, catalogue, counted, word
from altay_cli.lint.tryout import Played, Report
from altay_cli.report.html import rendered
from altay_cli.report.text import pad, width
from altay_cli.simulation.statistics import Estimate
from altay_cli.source.inspect import Difference

_TEMPLATE = Path(__file__).parent / "assets" / "verdict.html"

_COLUMNS = 40

_Row = tuple[str, Estimate, Estimate]
"""What is drawn beside each other: a label, what there is with the variant, and without it."""


def page(
    title: str,
    differences: Sequence[Difference],
    problems: Sequence[Finding],
    played: Report | None,
    language: str = ENGLISH,
) -> str:
    """Return the page as HTML in a language, which needs no other file."""
    severity, verdict = _verdict(problems, played, language)
    groups = groupby(differences, key=lambda found: found.group)
    games = played and {
        "summary": _summary(played, language),
        "plots": [*_plots(played, language)],
        "sentences": sentences(played, language),
    }
    return rendered(
        _TEMPLATE,
        language=language,
        own=catalogue(language),
        title=title,
        severity=severity,
        verdict=verdict,
        changes=[(group, [*members]) for group, members in groups],
        problems=[(one, _place(one, language)) for one in problems],
        played=games,
    )


def plain(
    title: str,
    changes: Iterable[str],
    problems: Sequence[Finding],
    played: Report | None,
    language: str = ENGLISH,
) -> Iterator[str]:
    """Yield the same as lines of text; ``changes`` are the lines of what the variant changes."""
    own = catalogue(language)
    yield from (title, "=" * width(title), "", _verdict(problems, played, language)[1])
    yield from _headed(own.word("page-changes"), list(changes) or [own.word("page-nothing")])
    yield from _headed(own.word("page-sense"), _problem_lines(problems, language))
    if played is not None:
        yield from _headed(own.word("page-played"), _game_lines(played, language))


def _headed(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ("", title, "-" * width(title), *lines)


def _problem_lines(problems: Sequence[Finding], language: str) -> Iterator[str]:
    if not problems:
        yield word(language, "page-no-problem")
    for one in problems:
        yield f"- {one.message}"
        yield f"  {_place(one, language)}"
        yield from (f"  {line}" for line in one.help)


def _game_lines(report: Report, language: str) -> Iterator[str]:
    yield _summary(report, language)
    for title, rows, most, form in _plots(report, language):
        yield from ("", f"{title}:")
        columns = max((width(label) for label, _, _ in rows), default=0)
        for label, after, before in rows:
            for text, found in ((label, after), ("", before)):
                yield f"  {pad(text, columns)}  {_line(found, most)}  {form.format(found.value)}"
    told_of = sentences(report, language)
    if told_of:
        yield from ("", f"{word(language, 'page-moves')}:", *(f"- {one}" for one in told_of))


def _line(found: Estimate, most: float) -> str:
    """Return an interval as a line of text."""
    low, value, high = (round(_COLUMNS * x / most) for x in (found.low, found.value, found.high))
    marks = {low: "|", high: "|", value: "o"}
    line = (marks.get(n, "-" if low < n < high else " ") for n in range(_COLUMNS + 1))
    return "".join(line)


def sentences(report: Report, language: str) -> list[str]:
    """Return what games have shown of moves and requirements, a sentence each."""
    own = catalogue(language)
    return [
        *map(own.told, (*report.lost, *report.gained)),
        *(own.word("always-held", rule=rule, times=times) for rule, times in report.unbroken),
        *(own.word("never-made", policy=policy, move=move) for policy, move in report.unused),
    ]


def _verdict(problems: Sequence[Finding], played: Report | None, language: str) -> tuple[str, str]:
    """Return the worst severity, if there is any problem, and the verdict in a sentence."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    if errors:
        kind, told = (
            "error",
            word(language, "page-unplayable", errors=counted(language, "error", errors)),
        )
    elif problems:
        warnings = counted(language, "warning", len(problems))
        kind, told = "warning", word(language, "page-playable-with", warnings=warnings)
    else:
        kind, told = "", word(language, "page-playable")
    if played is not None:
        games = counted(language, "game", len(played.after.outcomes))
        told = word(language, "page-after", told=told, games=games)
    return kind, word(language, "sentence", text=told)


def _place(problem: Finding, language: str) -> str:
    key = "page-shown" if problem.rule.startswith("play-") else "page-read"
    return word(language, key, file=problem.file, line=problem.span.line)


def _summary(report: Report, language: str) -> str:
    before, after = report.before, report.after
    assert before is not None  # the page is about a variant
    return word(
        language,
        "page-games",
        games=counted(language, "game", len(after.outcomes)),
        players=report.players,
        before=len(before.outcomes),
        over=len(after.over),
        over_before=len(before.over),
    )


def _plots(report: Report, language: str) -> Iterator[tuple[str, Sequence[_Row], float, str]]:
    """Yield what is drawn: a title, rows, the greatest value, and how values are written."""
    before, after = report.before, report.after
    assert before is not None  # the page is about a variant
    most = max(before.rounds().high, after.rounds().high, 1.0)
    rounds = word(language, "page-rounds"), after.rounds(), before.rounds()
    yield word(language, "page-length"), [rounds], most, "{:.1f}"
    yield word(language, "page-seats"), _seats(after, before, language), 1.0, "{:.0%}"


def _seats(after: Played, before: Played, language: str) -> list[_Row]:
    pairs = zip(after.seats(), before.seats(), strict=False)
    return [
        (word(language, "page-seat", number=number), one, other)
        for number, (one, other) in enumerate(pairs, 1)
    ]

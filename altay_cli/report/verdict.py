"""A one-page verdict on a variant, for the table that wants to play by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from altay_cli.findings import Finding, Severity
from altay_cli.pack.inspect import Difference
from altay_cli.report.text import pad, width
from altay_cli.rulecheck.tryout import Played, Report
from altay_cli.simulation.statistics import Estimate
from altay_cli.translations import ENGLISH, Catalogue, catalogue, counted, word

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
       color: #222; background: #fff }
td, th { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top }
del { color: #8a2f2f } ins { color: #1d5c2e; text-decoration: none }
.error { color: #8a2f2f } .warning { color: #7a5200 } small { color: #555 }
"""

_WIDTH = 420
_ROW = 32
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
    own = catalogue(language)
    body = [
        _heading(1, title),
        _paragraph(*_verdict(problems, played, language)),
        _heading(2, own.word("page-changes")),
        *_changes(differences, own),
        _heading(2, own.word("page-sense")),
        *_sense(problems, language),
    ]
    if played is not None:
        body += [_heading(2, own.word("page-played")), *_games(played, language)]
    head = f"<meta charset='utf-8'><title>{escape(title)}</title><style>{_STYLE}</style>"
    start = f"<html lang='{language}'><head>{head}</head><body>"
    return "\n".join(["<!doctype html>", start, *body, "</body></html>", ""])


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


def _heading(level: int, text: str) -> str:
    return f"<h{level}>{escape(text)}</h{level}>"


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


def _paragraph(kind: str, text: str) -> str:
    of = f" class='{kind}'" if kind else ""
    return f"<p{of}>{escape(text)}</p>"


def _place(problem: Finding, language: str) -> str:
    key = "page-shown" if problem.rule.startswith("play-") else "page-read"
    return word(language, key, file=problem.file, line=problem.span.line)


def _changes(differences: Sequence[Difference], own: Catalogue) -> Iterator[str]:
    if not differences:
        yield f"<p>{escape(own.word('page-nothing'))}</p>"
    before, after = (escape(own.word(key)) for key in ("before", "after"))
    for group, members in groupby(differences, key=lambda found: found.group):
        yield _heading(3, group)
        yield f"<table><tr><th></th><th>{before}</th><th>{after}</th></tr>"
        for found in members:
            old = "" if found.old is None else f"<del>{escape(found.old)}</del>"
            new = "" if found.new is None else f"<ins>{escape(found.new)}</ins>"
            yield f"<tr><td>{escape(found.about)}</td><td>{old}</td><td>{new}</td></tr>"
        yield "</table>"


def _sense(problems: Sequence[Finding], language: str) -> Iterator[str]:
    if not problems:
        yield f"<p>{escape(word(language, 'page-no-problem'))}</p>"
        return
    yield "<ul>"
    for one in problems:
        told = "".join(f"<br><small>{escape(line)}</small>" for line in one.help)
        yield (
            f"<li class='{one.severity}'>{escape(one.message)}"
            f"<br><small>{escape(_place(one, language))}</small>{told}</li>"
        )
    yield "</ul>"


def _games(report: Report, language: str) -> Iterator[str]:
    yield _paragraph("", _summary(report, language))
    for title, rows, most, form in _plots(report, language):
        yield _heading(3, title)
        yield _bars(rows, most, form)
    told_of = sentences(report, language)
    if told_of:
        yield _heading(3, word(language, "page-moves"))
        yield f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in told_of)}</ul>"


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


def _bars(rows: Iterable[_Row], most: float, form: str) -> str:
    """Draw two intervals a row."""
    parts = []
    height = 0
    for label, after, before in rows:
        parts.append(f"<text x='0' y='{height + 18}' font-size='13'>{escape(label)}</text>")
        for shift, found, colour in ((7, after, "#1d5c2e"), (20, before, "#777")):
            y = height + shift
            low, value, high = (
                70 + _WIDTH * x / most for x in (found.low, found.value, found.high)
            )
            parts.append(
                f"<line x1='{low:.1f}' x2='{high:.1f}' y1='{y}' y2='{y}' stroke='{colour}' "
                f"stroke-width='3'/><circle cx='{value:.1f}' cy='{y}' r='4' fill='{colour}'/>"
                f"<text x='{_WIDTH + 85}' y='{y + 4}' font-size='11' fill='{colour}'>"
                f"{form.format(found.value)}</text>"
            )
        height += _ROW
    width = _WIDTH + 140
    return f"<svg viewBox='0 0 {width} {height}' width='{width}' role='img'>{''.join(parts)}</svg>"

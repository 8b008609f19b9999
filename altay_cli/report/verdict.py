"""What is to be said of a variant, for the table that wants to play by it: one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from altay_cli.findings import Finding, Severity
from altay_cli.pack.inspect import Difference
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
_ROW = 26


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
        *_verdict(problems, played, language),
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


def _verdict(problems: Sequence[Finding], played: Report | None, language: str) -> Iterator[str]:
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
    of = f" class='{kind}'" if kind else ""
    yield f"<p{of}>{escape(word(language, 'sentence', text=told))}</p>"


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
    for one in map(catalogue(language).finding, problems):
        key = "page-shown" if one.rule.startswith("play-") else "page-read"
        place = word(language, key, file=one.file, line=one.span.line)
        told = "".join(f"<br><small>{escape(line)}</small>" for line in one.help)
        yield (
            f"<li class='{one.severity}'>{escape(one.message)}"
            f"<br><small>{escape(place)}</small>{told}</li>"
        )
    yield "</ul>"


def _games(report: Report, language: str) -> Iterator[str]:
    before, after = report.before, report.after
    told = word(
        language,
        "page-games",
        games=counted(language, "game", len(after.outcomes)),
        players=report.players,
        before=len(before.outcomes),
        over=len(after.over),
        over_before=len(before.over),
    )
    yield f"<p>{escape(told)}</p>"
    most = max(before.rounds().high, after.rounds().high, 1.0)
    yield _heading(3, word(language, "page-length"))
    lengths = ((word(language, "page-rounds"), after.rounds(), before.rounds()),)
    yield _bars(lengths, most, "{:.1f}")
    yield _heading(3, word(language, "page-seats"))
    yield _bars(_seats(after, before, language), 1.0, "{:.0%}")
    told_of = sentences(report, language)
    if told_of:
        yield _heading(3, word(language, "page-moves"))
        yield f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in told_of)}</ul>"


def _seats(after: Played, before: Played, language: str) -> list[tuple[str, Estimate, Estimate]]:
    pairs = zip(after.seats(), before.seats(), strict=False)
    return [
        (word(language, "page-seat", number=number), one, other)
        for number, (one, other) in enumerate(pairs, 1)
    ]


def _bars(rows: Iterable[tuple[str, Estimate, Estimate]], most: float, form: str) -> str:
    """Draw two intervals a row."""
    parts = []
    height = 0
    for label, after, before in rows:
        parts.append(f"<text x='0' y='{height + 17}' font-size='13'>{escape(label)}</text>")
        for shift, found, colour in ((8, after, "#1d5c2e"), (18, before, "#999")):
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

"""What is to be said of a variant, for the table that wants to play by it: one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from altay_cli.findings import Finding, Severity
from altay_cli.pack.inspect import Difference
from altay_cli.report.text import plural
from altay_cli.rulecheck.tryout import Played, Report
from altay_cli.simulation.statistics import Estimate

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
) -> str:
    """Return the page as HTML, which needs no other file."""
    body = [
        _heading(1, title),
        *_verdict(problems, played),
        _heading(2, "What it changes"),
        *_changes(differences),
        _heading(2, "Does it make sense?"),
        *_sense(problems),
    ]
    if played is not None:
        body += [_heading(2, "What playing says"), *_games(played)]
    head = f"<meta charset='utf-8'><title>{escape(title)}</title><style>{_STYLE}</style>"
    return "\n".join(["<!doctype html>", f"<html lang='en'><head>{head}</head><body>", *body,
                      "</body></html>", ""])  # fmt: skip


def _heading(level: int, text: str) -> str:
    return f"<h{level}>{escape(text)}</h{level}>"


def _verdict(problems: Sequence[Finding], played: Report | None) -> Iterator[str]:
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    games = "" if played is None else f", after {plural(len(played.after.outcomes), 'game')}"
    if errors:
        yield f"<p class='error'>Not to be played like this: {plural(errors, 'error')}{games}.</p>"
    elif problems:
        warnings = plural(len(problems), "warning")
        yield f"<p class='warning'>Playable, with {warnings}{games}.</p>"
    else:
        yield f"<p>Playable; nothing speaks against it{games}.</p>"


def _changes(differences: Sequence[Difference]) -> Iterator[str]:
    if not differences:
        yield "<p>Nothing.</p>"
    for group, members in groupby(differences, key=lambda found: found.group):
        yield _heading(3, group)
        yield "<table><tr><th></th><th>before</th><th>after</th></tr>"
        for found in members:
            old = "" if found.old is None else f"<del>{escape(found.old)}</del>"
            new = "" if found.new is None else f"<ins>{escape(found.new)}</ins>"
            yield f"<tr><td>{escape(found.about)}</td><td>{old}</td><td>{new}</td></tr>"
        yield "</table>"


def _sense(problems: Sequence[Finding]) -> Iterator[str]:
    if not problems:
        yield "<p>Nothing was found that does not.</p>"
        return
    yield "<ul>"
    for one in problems:
        place = f"{one.file}, line {one.span.line}"
        told = "".join(f"<br><small>{escape(line)}</small>" for line in one.help)
        means = "by playing" if one.rule.startswith("play-") else "by reading"
        yield (
            f"<li class='{one.severity}'>{escape(one.message)}"
            f"<br><small>{escape(place)}; found {means}</small>{told}</li>"
        )
    yield "</ul>"


def _games(report: Report) -> Iterator[str]:
    before, after = report.before, report.after
    yield (
        f"<p>{plural(len(after.outcomes), 'game')} of {report.players} players with it, "
        f"{len(before.outcomes)} without it; {len(after.over)} and {len(before.over)} came to "
        "their end. Bars show what is likely in 19 of 20 cases: above with it, below without.</p>"
    )
    most = max(before.rounds().high, after.rounds().high, 1.0)
    lengths = (("rounds", after.rounds(), before.rounds()),)
    yield _heading(3, "Length")
    yield _bars(lengths, most, "{:.1f}")
    yield _heading(3, "Victories by seat")
    yield _bars(_seats(after, before), 1.0, "{:.0%}")
    sentences = [*report.lost, *report.gained]
    sentences += [f"`{rule}` always held, {n} times asked" for rule, n in report.unbroken]
    sentences += [f"`{policy}` never made `{move}`" for policy, move in report.unused]
    if sentences:
        yield _heading(3, "Moves and requirements")
        yield f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in sentences)}</ul>"


def _seats(after: Played, before: Played) -> list[tuple[str, Estimate, Estimate]]:
    pairs = zip(after.seats(), before.seats(), strict=False)
    return [(f"seat {number}", one, other) for number, (one, other) in enumerate(pairs, 1)]


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

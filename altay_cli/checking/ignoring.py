"""Notes and warnings that a log suppresses: ``# altay: ignore[rule, ...]``.

Such a comment stands behind a statement, and is about what is found in that statement. An error
cannot be ignored, whatever a comment says of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from altay_cli.base.findings import Finding, Fix, Severity, Span, Text
from altay_cli.notation import Comment, GameRecord

UNNEEDED = "ignore-unneeded"
MAX_RULES = 50
"""The maximum number of rules in one comment."""

_WISH = re.compile(r"altay:\s*ignore\s*\[([^\]]*)\]", re.IGNORECASE)
_ERROR = "an error cannot be ignored; `altay: ignore` is for notes and warnings"


@dataclass(slots=True)
class _Wish:
    """What a comment wants to have suppressed, and of which rules anything was found."""

    comment: Comment
    place: re.Match[str]
    rules: tuple[str, ...]
    met: set[str] = field(default_factory=set)


def suppressed(
    findings: Sequence[Finding], comments: Iterable[Comment], record: GameRecord, *, judged: bool
) -> tuple[list[Finding], int]:
    """Return the findings of a game without those that it suppresses, and how many these are.

    ``comments`` are those of the game. One that is not needed gets a note, if the game was
    ``judged`` to its end.
    """
    # For each line of a statement of several lines the first one.
    first = {
        line: statement.line
        for section in record.sections
        for statement in (section.heading, *section.statements)
        for line in range(statement.line + 1, statement.span().end_line + 1)
    }
    wishes: dict[int, list[_Wish]] = {}
    for comment in comments:
        match = _WISH.search(comment.text)
        if match is not None:
            rules = tuple(part.strip() for part in match[1].split(",") if part.strip())
            line = first.get(comment.line, comment.line)
            wishes.setdefault(line, []).append(_Wish(comment, match, rules[:MAX_RULES]))
    left = []
    count = 0
    for finding in findings:
        line = first.get(finding.span.line, finding.span.line)
        asked = [wish for wish in wishes.get(line, ()) if finding.rule in wish.rules]
        for wish in asked:
            wish.met.add(finding.rule)
        if not asked:
            left.append(finding)
        elif finding.severity is Severity.ERROR:
            left.append(finding._replace(help=(*finding.help, _ERROR)))
        else:
            count += 1
    if judged:
        left += [
            _unneeded(wish, record.lines)
            for several in wishes.values()
            for wish in several
            if not wish.rules or not wish.met.issuperset(wish.rules)
        ]
    return left, count


def _unneeded(wish: _Wish, lines: Sequence[str]) -> Finding:
    """Return the note that a comment suppresses less than it says, with what mends it."""
    comment = wish.comment
    needed = [rule for rule in wish.rules if rule in wish.met]
    unneeded = [f"`{rule[:60]}`" for rule in wish.rules if rule not in wish.met]
    names = ", ".join(unneeded[:5])
    start, end = (comment.column + offset for offset in wish.place.span())
    span = Span(comment.line, start, comment.line, end)
    fix = Fix(span, f"altay: ignore[{', '.join(needed)}]" if needed else "", certain=True)
    if not needed and comment.text[1:].strip() == wish.place[0]:  # nothing else stands in it
        before = lines[comment.line - 1][: comment.column - 1].rstrip()
        fix = fix._replace(span=Span(comment.line, len(before) + 1, comment.line, end))
    message = (
        Text("nothing is left to ignore here: {names}", names=names)
        if names
        else "no rule is named here"
    )
    help_lines = ("it goes after the statement that it is about",) * comment.own_line
    return Finding(UNNEEDED, Severity.NOTE, message, span, {}, help_lines, fixes=(fix,))

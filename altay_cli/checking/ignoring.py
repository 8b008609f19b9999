"""Notes and warnings that a log suppresses: ``# altay: ignore[rule, ...]``.

Such a comment stands behind a statement, and is about what is found in that statement. An error
cannot be ignored, whatever a comment says of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from altay_cli.base.findings import Finding, Fix, Severity
from altay_cli.base.spans import Span
from altay_cli.base.text import Text
from altay_cli.notation import Comment, GameRecord

UNNEEDED = "ignore-unneeded"
MAX_RULES = 50
"""The maximum number of rules in one comment."""

_WISH = re.compile(r"altay:\s*ignore\s*\[([^\]]*)\]", re.IGNORECASE)
_ERROR = "an error cannot be ignored; `altay: ignore` is for notes and warnings"


class Heard(NamedTuple):
    """The remaining findings of a game, and the number of those suppressed."""

    findings: list[Finding]
    ignored: int


@dataclass(slots=True)
class _Wish:
    """What a comment wants to have ignored, and of which rules anything was found."""

    comment: Comment
    place: re.Match[str]
    rules: tuple[str, ...]
    met: set[str] = field(default_factory=set)


def heard(
    findings: Sequence[Finding],
    comments: Iterable[Comment],
    record: GameRecord,
    *,
    judged: bool,
) -> Heard:
    """Return the findings of a game without those that it wants ignored.

    ``comments`` are those of the game. One that is not needed gets a note, if the game was
    ``judged`` to its end.
    """
    first = _first_lines(record)
    wishes: dict[int, list[_Wish]] = {}
    for comment in comments:
        found = _WISH.search(comment.text)
        if found is not None:
            rules = tuple(part.strip() for part in found[1].split(",") if part.strip())
            line = first.get(comment.line, comment.line)
            wishes.setdefault(line, []).append(_Wish(comment, found, rules[:MAX_RULES]))
    left = []
    ignored = 0
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
            ignored += 1
    if judged:
        every = [wish for several in wishes.values() for wish in several]
        left += [note for wish in every for note in _unneeded(wish, record.lines)]
    return Heard(left, ignored)


def _first_lines(record: GameRecord) -> dict[int, int]:
    """Return for each line of a statement of several lines the first one."""
    found = {}
    for section in record.sections:
        for statement in (section.heading, *section.statements):
            more = statement.text.count("\n")
            for line in range(statement.line + 1, statement.line + more + 1):
                found[line] = statement.line
    return found


def _unneeded(wish: _Wish, lines: Sequence[str]) -> Iterator[Finding]:
    comment = wish.comment
    left = [rule for rule in wish.rules if rule in wish.met]
    if len(left) == len(wish.rules) and left:
        return
    over = [rule for rule in wish.rules if rule not in wish.met]
    start = comment.column + wish.place.start()
    end = comment.column + wish.place.end()
    span = Span(comment.line, start, comment.line, end)
    if left:
        fix = Fix(span, f"altay: ignore[{', '.join(left)}]", certain=True)
    elif comment.text[1:].strip() == wish.place[0]:
        before = lines[comment.line - 1][: comment.column - 1].rstrip()
        fix = Fix(Span(comment.line, len(before) + 1, comment.line, end), "", certain=True)
    else:
        fix = Fix(span, "", certain=True)
    names = ", ".join(f"`{rule[:60]}`" for rule in over[:5])
    message = (
        Text("nothing is left to ignore here: {names}", names=names)
        if names
        else "no rule is named here"
    )
    help_lines = ("it goes after the statement that it is about",) * comment.own_line
    yield Finding(UNNEEDED, Severity.NOTE, message, span, {}, help_lines, fixes=(fix,))


__all__ = ["UNNEEDED", "Heard", "heard"]

"""Points in a recorded game: a line, a line and a column, or the heading of a turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile
from math import inf

from altay_cli.base.findings import Finding
from altay_cli.checking.errors import GameError
from altay_cli.checking.fixing import by_line, original_position
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import (
    GameRecord,
    Section,
    SectionKind,
    Statement,
    with_turn_headings,
)


def cut_at(
    record: GameRecord, at: str | None, headings: Collection[str], corrections: Sequence[Finding]
) -> tuple[GameRecord, Statement | None]:
    """Return a game up to a point, and the statement that follows.

    at: without it, the end of the game, before its result.
    headings: the first words of headings of turns.
    corrections: those made in the log; points are places in the log as written.

    Raise GameError if there is no such point.
    """
    sections = [section for section in record.sections if section.kind is not SectionKind.RESULT]
    kept_sections = sections
    if at is not None and at.split()[:1] and at.split()[0].casefold() in {"turn", *headings}:
        kept_sections = _up_to_turn(sections, at)
    elif at is not None:
        kept_sections = _up_to_place(sections, at, record.lines, corrections)
    cut = GameRecord(record.tags, tuple(kept_sections), record.span, record.lines)
    played = [
        statement
        for section in kept_sections
        for statement in (section.heading, *section.statements)
    ]
    every = [
        statement
        for section in record.sections
        for statement in (section.heading, *section.statements)
    ]
    following = every[every.index(played[-1]) + 1 :] if played else []
    return cut, following[0] if following else None


def begun_setup(record: GameRecord, at: str, headings: Collection[str]) -> GameRecord | None:
    """Return the game up to a point in its setup; None if the point is elsewhere."""
    if not record.sections or record.sections[0].kind is not SectionKind.SETUP:
        return None
    first = with_turn_headings(record, headings).sections[0]
    if at.strip() == SectionKind.SETUP:
        return record._replace(sections=(first,))
    line, _, column = at.partition(":")
    place = line.isdecimal() and (int(line[:9]), int(column[:9]) if column.isdecimal() else 1)
    if not place or place < _end_of(first.heading) or place > (len(record.lines), inf):
        return None
    before = tuple(statement for statement in first.statements if _end_of(statement) <= place)
    if len(before) == len(first.statements):
        return None
    return record._replace(sections=(first._replace(statements=before),))


def _end_of(statement: Statement) -> tuple[int, int]:
    span = statement.span()
    return span.end_line, span.end_column


def _up_to_place(
    sections: Sequence[Section], at: str, lines: Sequence[str], corrections: Sequence[Finding]
) -> list[Section]:
    line, _, column = at.partition(":")
    if not line.isdecimal() or (column and not column.isdecimal()):
        raise GameError(
            "`{place}` is not a point of a game: write a line, or `turn` with round and player",
            place=at[:40],
        )
    # Python does not read numbers of any length.
    place = (int(line[:9]), int(column[:9] or 1))
    if place > (len(lines), len(lines[-1]) + 1 if lines else 1):
        template = "the log has {lines} lines only, and no line {line}"
        raise GameError(template, lines=len(lines), line=line[:9])
    edits = by_line(finding.fixes[0] for finding in corrections)

    def is_before(statement: Statement) -> bool:
        span = statement.span()
        return original_position(span.end_line, span.end_column, edits, end=True) <= place

    earlier: list[Section] = []
    for section in takewhile(lambda section: is_before(section.heading), sections):
        before = tuple(filter(is_before, section.statements))
        if section.kind is not SectionKind.TURN and len(before) < len(section.statements):
            break
        earlier.append(section._replace(statements=before))
    if not earlier:
        raise GameError("line {line}: moves begin after the setup of the game", line=line)
    return earlier


def _up_to_turn(sections: Sequence[Section], at: str) -> list[Section]:
    wanted = [item.text.casefold() for item in parse(at).phrase.items]
    for number, section in enumerate(sections):
        if [item.text.casefold() for item in section.heading.items] == wanted:
            return [*sections[:number], section._replace(statements=())]
    raise GameError("the log has no `{place}`", place=at[:60])

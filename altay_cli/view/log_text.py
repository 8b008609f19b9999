"""The text of a recorded game, line by line: what each part of it is, and who knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from altay_cli.notation import Comment, Statement
from altay_cli.view.watching import Veiled, Watched

UNTOLD = "…"
"""Stands for a statement that only another player knows."""


class TextPart(NamedTuple):
    """A part of a statement; ``veil`` is what others read in its place, None if all know it."""

    text: str
    veil: str | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a line.

    ``kind`` is "statement", "comment" or "other" (tags, headings of sections, what is between).
    ``moment`` is the number of the moment that a statement stands for, from 0; None if it has
    none. ``owner`` is the only one who knows the pieces with a veil.
    """

    kind: str
    pieces: tuple[TextPart, ...]
    moment: int | None = None
    owner: str | None = None

    def text(self, viewer: str | None = None) -> str:
        """Return what a player knows of it; None knows all."""
        whole = viewer is None or viewer == self.owner
        return "".join(
            piece.text if whole or piece.veil is None else piece.veil for piece in self.pieces
        )


Row = tuple[int, tuple[Segment, ...]]
"""A line of the log: its number, and its parts in order; together they are the whole line."""


class LogLines:
    """The text of a game, from its first tag to its last statement or comment."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        self.comments: Mapping[int, Comment] = {one.line: one for one in watched.comments}
        self.moments = {
            (m.statement.line, m.statement.column): n for n, m in enumerate(watched.moments)
        }

    def sentence(self, statement: Statement, viewer: str | None = None) -> str:
        """Return a statement on one line, without comments, as a player knows it."""
        whole = " ".join(segment.text(viewer) for _, _, segment in self.parts(statement))
        return " ".join(whole.split())

    def rows(self) -> Iterator[Row]:
        """Yield the lines of the game."""
        record = self.watched.record
        stretches: dict[int, list[tuple[int, int, Segment]]] = {}
        for section in record.sections:
            for statement in (section.heading, *section.statements):
                for line, column, segment in self.parts(statement):
                    stretches.setdefault(line, []).append((line, column, segment))
        last = record.span.end_line
        while last < len(record.lines) and last + 1 in self.comments:
            last += 1
        for line in range(record.span.line, last + 1):
            yield line, tuple(self._row(line, stretches.get(line, ())))

    def _row(self, line: int, parts: Sequence[tuple[int, int, Segment]]) -> Iterator[Segment]:
        """Yield the parts of a line, with what stands between statements."""
        text = self.watched.record.lines[line - 1]
        comment = self.comments.get(line)
        end = len(text) if comment is None else comment.column - 1
        at = 0
        for _, column, segment in parts:
            if column - 1 > at:
                yield Segment("other", (TextPart(text[at : column - 1]),))
            yield segment
            at = column - 1 + len(segment.text())
        if end > at:
            yield Segment("other", (TextPart(text[at:end]),))
        if comment is not None:
            yield Segment("comment", (TextPart(text[end:]),))

    def parts(self, statement: Statement) -> Iterator[tuple[int, int, Segment]]:
        """Yield the lines of a statement, each with its line, column and what stands there."""
        place = (statement.line, statement.column)
        veiled = self.watched.veiled.get(place)
        moment = self.moments.get(place)
        start = 0
        for number, text in enumerate(statement.text.split("\n")):
            line = statement.line + number
            column = statement.column if not number else 1
            comment = self.comments.get(line)
            end = len(text)
            inner = number < statement.text.count("\n")
            if inner and comment is not None:
                end = min(end, comment.column - column)
            shown = text[:end].rstrip()
            pieces = tuple(_pieces(shown, start, veiled, first=not number))
            owner = None if veiled is None else veiled.owner
            yield line, column, Segment("statement", pieces, moment, owner)
            start += len(text) + 1


def _pieces(text: str, start: int, veiled: Veiled | None, *, first: bool) -> Iterator[TextPart]:
    """Split a line of a statement, which begins at offset ``start`` of it, where it is veiled."""
    if veiled is None:
        yield TextPart(text)
        return
    if veiled.parts is None:
        yield TextPart(text, UNTOLD if first else "")
        return
    at = 0
    for part in veiled.parts:
        low, high = max(part.start - start, at), min(part.end - start, len(text))
        if low >= high:
            continue
        if low > at:
            yield TextPart(text[at:low])
        begins = part.start >= start
        hidden = "?" if part.size <= 1 else f"{part.size} ?"
        yield TextPart(text[low:high], hidden if begins else "")
        at = high
    if at < len(text):
        yield TextPart(text[at:])

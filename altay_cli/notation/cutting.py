"""Lines to statements: where each begins and ends, and the comments between.

A statement ends at the end of its line or at ``;``; a line that ends in a comma
goes on in the next one; quotes protect ``;`` and ``#``. Nothing else about
statements is known here, so that a slip in one never affects the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from altay_cli.base.spans import Span
from altay_cli.notation.lexis import BLANKS, BREAK, COMMAS, HEADING_LINE, OPEN, SIGN
from altay_cli.notation.tree import Comment, stretch

MAX_STATEMENT = 10_000
"""The maximum length of a statement in characters, all its lines together."""

MAX_LINE = 5_000_000
"""A longer line counts as one statement that is too long."""


class Piece(NamedTuple):
    """A statement, heading or tag pair before anything is known of it.

    ``text`` is the source without white space around it, and None if it is
    too long. Lines and columns count from 1, ``end_column`` is behind the last
    character. ``unclosed`` is where in the text a quote opens that is not
    closed, or -1. ``semicolon`` says that a ``;`` ended it. ``comments`` are
    those within, of a statement that goes on in further lines.
    """

    text: str | None
    line: int
    column: int
    end_line: int
    end_column: int
    unclosed: int = -1
    semicolon: bool = False
    comments: tuple[Comment, ...] = ()

    @property
    def span(self) -> Span:
        """The place of all of it."""
        return Span(self.line, self.column, self.end_line, self.end_column)

    def place(self, start: int, end: int) -> Span:
        """Return the place of a part of its text."""
        return stretch(self.text or "", self.line, self.column, start, end)


_AT_ONCE = 10_000  # lines


def is_tag(piece: Piece, lines: Sequence[str]) -> bool:
    """Return whether a piece is, or was meant to be, a tag pair."""
    if piece.text is not None:
        return piece.text.startswith(OPEN)
    return lines[piece.line - 1].startswith(OPEN, piece.column - 1)


@dataclass(slots=True)
class _Unfinished:
    """A statement whose last line so far ends in a comma.

    ``comments`` are those that will be within it if it does go on, from
    ``waiting`` on they are behind the last comma.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    comments: list[Comment]
    waiting: int = 0


def cut(lines: Sequence[str], first: int = 1, last: int | None = None) -> Iterator[Piece | Comment]:
    """Yield the pieces and the comments between them, in the order of the file.

    ``lines`` come without their line ends; only those from ``first`` to ``last`` are cut.
    """
    going_on: _Unfinished | None = None
    last = len(lines) if last is None else last
    blocks = (lines[at : min(at + _AT_ONCE, last)] for at in range(first - 1, last, _AT_ONCE))
    for number, line in enumerate(chain.from_iterable(blocks), first):
        stripped = line.strip(BLANKS)
        if not stripped:
            continue
        if going_on is None and len(stripped) <= MAX_STATEMENT:
            # Nearly all lines are one statement.
            if stripped[-1] not in COMMAS and SIGN.search(stripped) is None:
                column = line.index(stripped[0]) + 1
                yield Piece(stripped, number, column, number, column + len(stripped))
                continue
        elif going_on is not None and re.match(HEADING_LINE, stripped):
            yield from _close(lines, going_on)
            going_on = None
        for part in _parts(line, number):
            pieces, going_on = _add_part(lines, number, part, going_on)
            yield from pieces
    if going_on is not None:
        yield from _close(lines, going_on)


def _add_part(
    lines: Sequence[str], number: int, part: _Part | Comment, going_on: _Unfinished | None
) -> tuple[list[Piece | Comment], _Unfinished | None]:
    """Add a part of a line; return what it completes, and the statement that is still open."""
    if isinstance(part, Comment):
        if going_on is None:
            return [part], None
        going_on.comments.append(part)
        return [], going_on
    line = lines[number - 1]
    start, end, ending, unclosed = part
    last = not ending and unclosed < 0 and line[end - 1 : end] in COMMAS
    if going_on is None:
        if start == end:
            return [], None
        if last and line[start] != OPEN:
            return [], _Unfinished(number, start + 1, number, end + 1, [])
        place = (number, start), (number, end)
        return [_piece(lines, *place, unclosed=unclosed, semicolon=ending)], None
    if start == end:
        if ending:
            return [*_close(lines, going_on, semicolon=True)], None
        return [], going_on
    going_on.end_line, going_on.end_column = number, end + 1
    going_on.waiting = len(going_on.comments)
    if last:
        return [], going_on
    first = going_on.line, going_on.column - 1
    comments = tuple(going_on.comments)
    piece = _piece(
        lines, first, (number, end), unclosed=unclosed, semicolon=ending, comments=comments
    )
    return [piece], None


class _Part(NamedTuple):
    """A statement's part of one line, ``line[start:end]``; ``start == end`` if it is blank."""

    start: int
    end: int
    semicolon: bool
    unclosed: int


def _parts(line: str, number: int) -> Iterator[_Part | Comment]:
    """Yield the parts of one line, and the comment at its end."""
    if len(line) > MAX_LINE:
        yield _trimmed(line, 0, len(line))
        return
    start = 0
    blank = True
    for found in BREAK.finditer(line):
        what = found.lastgroup
        if what == "end":
            part = _trimmed(line, start, found.start(), semicolon=True)
            blank = blank and part.start == part.end
            yield part
            start = found.end()
        elif what == "comment":
            part = _trimmed(line, start, found.start())
            blank = blank and part.start == part.end
            yield part
            text = line[found.start() :].rstrip(BLANKS)
            yield Comment(text, number, found.start() + 1, blank)
            return
        elif what == "unclosed":
            yield _trimmed(line, start, len(line), unclosed=found.start())
            return
    yield _trimmed(line, start, len(line))


def _trimmed(
    line: str, start: int, end: int, *, semicolon: bool = False, unclosed: int = -1
) -> _Part:
    """Return a part without the white space around it."""
    part = line[start:end]
    left = len(part) - len(part.lstrip(BLANKS))
    if left == len(part):
        return _Part(start, start, semicolon, unclosed)
    return _Part(start + left, start + len(part.rstrip(BLANKS)), semicolon, unclosed)


def _piece(
    lines: Sequence[str],
    start: tuple[int, int],
    end: tuple[int, int],
    *,
    unclosed: int = -1,
    semicolon: bool = False,
    comments: tuple[Comment, ...] = (),
) -> Piece:
    """Return the piece between two places, each a line from 1 and an offset from 0.

    ``unclosed`` is an offset in the last line.
    """
    (line, offset), (end_line, end_offset) = start, end
    text: str | None = None
    if line == end_line:
        if end_offset - offset <= MAX_STATEMENT:
            text = lines[line - 1][offset:end_offset]
        if unclosed >= 0:
            unclosed -= offset
    else:
        between = lines[line : end_line - 1]
        ahead = len(lines[line - 1]) - offset + 1 + sum(map(len, between)) + len(between)
        if ahead + end_offset <= MAX_STATEMENT:
            first, last = lines[line - 1][offset:], lines[end_line - 1][:end_offset]
            text = "\n".join((first, *between, last))
        if unclosed >= 0:
            unclosed += ahead
    return Piece(text, line, offset + 1, end_line, end_offset + 1, unclosed, semicolon, comments)


def _close(
    lines: Sequence[str], going_on: _Unfinished, *, semicolon: bool = False
) -> Iterator[Piece | Comment]:
    """Yield a statement that ended at its last comma, and the comments after it."""
    start = going_on.line, going_on.column - 1
    end = going_on.end_line, going_on.end_column - 1
    inner = tuple(going_on.comments[: going_on.waiting])
    yield _piece(lines, start, end, semicolon=semicolon, comments=inner)
    yield from going_on.comments[going_on.waiting :]

"""Lines to statements: where each begins and ends, and the comments between.

A statement ends at the end of its line or at ``;``; a line that ends in a comma
goes on in the next one; quotes protect ``;`` and ``#``. Nothing else about
statements is known here, so that a slip in one never affects the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from altay_cli.base.findings import Span
from altay_cli.notation.lexis import BLANKS, BREAK, COMMAS, HEADING_LINE, SIGN
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
        return piece.text.startswith("[")
    return lines[piece.line - 1].startswith("[", piece.column - 1)


@dataclass(slots=True)
class _Begun:
    """A statement of which the end is not known yet: so far it ends in a comma.

    Lines count from 1, offsets in them from 0. ``comments`` are those that will be within it if it
    does go on; the first ``inside`` of them stand before its last comma.
    """

    line: int
    start: int
    end_line: int = 0
    end: int = 0
    comments: list[Comment] = field(default_factory=list)
    inside: int = 0

    def ended(
        self, lines: Sequence[str], *, unclosed: int = -1, semicolon: bool = False
    ) -> Iterator[Piece | Comment]:
        """Yield the statement and the comments after it; ``unclosed`` counts in its last line."""
        # A line can hold very many statements: each is cut out of it by itself.
        above, last = lines[self.line - 1 : self.end_line - 1], lines[self.end_line - 1]
        if above:
            above, last = [above[0][self.start :], *above[1:]], last[: self.end]
        else:
            last = last[self.start : self.end]
        ahead = sum(map(len, above)) + len(above)
        if unclosed >= 0:
            unclosed += ahead if above else -self.start
        yield Piece(
            "\n".join([*above, last]) if ahead + len(last) <= MAX_STATEMENT else None,
            self.line,
            self.start + 1,
            self.end_line,
            self.end + 1,
            unclosed,
            semicolon,
            tuple(self.comments[: self.inside]),
        )
        yield from self.comments[self.inside :]


def cut(lines: Sequence[str], first: int = 1, last: int | None = None) -> Iterator[Piece | Comment]:
    """Yield the pieces and the comments between them, in the order of the file.

    ``lines`` come without their line ends; only those from ``first`` to ``last`` are cut.
    """
    begun: _Begun | None = None
    last = len(lines) if last is None else last
    blocks = (lines[at : min(at + _AT_ONCE, last)] for at in range(first - 1, last, _AT_ONCE))
    for number, line in enumerate(chain.from_iterable(blocks), first):
        stripped = line.strip(BLANKS)
        if not stripped:
            continue
        if begun is None and len(stripped) <= MAX_STATEMENT:
            # Nearly all lines are one statement.
            if stripped[-1] not in COMMAS and SIGN.search(stripped) is None:
                column = line.index(stripped[0]) + 1
                place = number, column, number, column + len(stripped)
                # Made so for every line, as statements are.
                yield tuple.__new__(Piece, (stripped, *place, -1, False, ()))
                continue
        elif begun is not None and re.match(HEADING_LINE, stripped):
            # A comma too many must not swallow the next section.
            yield from begun.ended(lines)
            begun = None
        for part in _parts(line, number):
            if isinstance(part, Comment):
                if begun is None:
                    yield part
                else:
                    begun.comments.append(part)
                continue
            start, end, semicolon, unclosed = part
            if start == end:
                if semicolon and begun is not None:
                    yield from begun.ended(lines, semicolon=True)
                    begun = None
                continue
            goes_on = not semicolon and unclosed < 0 and line[end - 1] in COMMAS
            if begun is None:
                begun = _Begun(number, start)
                goes_on = goes_on and line[start] != "["
            begun.end_line, begun.end, begun.inside = number, end, len(begun.comments)
            if not goes_on:
                yield from begun.ended(lines, unclosed=unclosed, semicolon=semicolon)
                begun = None
    if begun is not None:
        yield from begun.ended(lines)


# A statement's part of one line: start, end, whether a ``;`` ended it, where a quote is
# unclosed.
#
# Start and end are the same if it is blank.
_Part = tuple[int, int, bool, int]


def _parts(line: str, number: int) -> Iterator[_Part | Comment]:
    """Yield the parts of one line, and the comment at its end."""
    start = 0
    for match in BREAK.finditer(line) if len(line) <= MAX_LINE else ():
        what, at = match.lastgroup, match.start()
        if what == "text":
            continue
        if what == "unclosed":
            yield _trimmed(line, start, len(line), unclosed=at)
            return
        yield _trimmed(line, start, at, semicolon=what == "end")
        if what == "comment":
            own_line = not line[:at].strip(BLANKS + ";；")
            yield Comment(line[at:].rstrip(BLANKS), number, at + 1, own_line)
            return
        start = match.end()
    yield _trimmed(line, start, len(line))


def _trimmed(
    line: str, start: int, end: int, *, semicolon: bool = False, unclosed: int = -1
) -> _Part:
    part = line[start:end]
    kept = part.strip(BLANKS)
    first = start + part.index(kept)
    return first, first + len(kept), semicolon, unclosed

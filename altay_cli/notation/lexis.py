"""Decode files, split them into lines and statements, and quote texts.

A test checks that this agrees with ``grammar/agn.lark``.
"""

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, overload

from altay_cli.base.findings import ReadError, Span, Text
from altay_cli.notation import limits

BLANKS = (
    "\t \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028"
    "\u2029\u202f\u205f\u3000\ufeff"
)
"""White space within a line."""

OTHER_QUOTES = "“”„‟＂"
"""Typographic quotes, which are accepted too."""

COMMAS = (",", "，")

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that are allowed nowhere."""

HEADING_LINE = (
    rf"[{BLANKS}]*+(?:\[|(?ai:turn)[{BLANKS}]++[0-9]"
    rf"|(?ai:setup|position|result)[{BLANKS}]*+(?:[\n#;＃；]|\Z))"
)
"""The start of a line that never continues the previous one, even after a comma."""

BREAK = re.compile(
    rf'(?P<text>[{OTHER_QUOTES}](?:\\[^\n]|[^\n"\\{OTHER_QUOTES}])*+["{OTHER_QUOTES}]'
    r'|"(?:\\[^\n]|[^\n"\\])*+")'
    rf'|(?P<unclosed>["{OTHER_QUOTES}])'
    rf"|(?P<end>[;；][{BLANKS};；]*+)"
    r"|(?P<comment>[#＃])"
)
"""A quoted text, or a sign: the end of a statement, a comment, or a quote that stays open."""

SIGN = re.compile(rf'["{OTHER_QUOTES};；#＃]')
"""The first character of a BREAK."""

GAME_TAG = re.compile(r"(?mi)(?:^|\r)[ \t\ufeff]*\[[ \t]*game\b")
"""The start of a line with a `Game` tag; files without one must not be shown."""


def unescape(inner: str) -> str:
    r"""Return the content of a quoted text, with ``\"`` and ``\\`` resolved as in PGN.

    >>> unescape(r'the \"Red\" player')
    'the "Red" player'
    """
    return re.sub(r'\\(["\\])', r"\1", inner) if "\\" in inner else inner


def quote(text: str) -> str:
    r"""Return a text in quotes; see :func:`unescape`.

    >>> quote('the "Red" player')
    '"the \\"Red\\" player"'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def control_character(text: str, rule: str) -> ReadError | None:
    r"""Return an error for the first control character of a text, or None.

    >>> control_character("Ann\x07", "syntax").message
    'a control character, U+0007'
    """
    found = CONTROL.search(text)
    if found is None:
        return None
    return ReadError(
        rule, "a control character, {code}", *found.span(), code=f"U+{ord(found[0]):04X}"
    )


# ---------------------------------------------------------------- bytes to text to lines


_MARK = "\ufeff"

BINARY = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
)
"""The first bytes of packed files."""

MARKED = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
"""The byte order marks of other encodings."""

_OTHER_ENCODING = "this text is in {encoding}: save it as UTF-8"
_SAMPLE = 1_000  # bytes
_UNUSED = re.compile(rb"[\x00-\x08\x0e-\x1f\x81\x8d\x8f\x90\x9d]")  # in Windows-1252


class NotationError(Exception):
    """A file is not text; the message names the line."""


def decode(data: bytes, before: int = 0) -> str:
    r"""Decode a UTF-8 file, without its byte order mark.

    ``before`` is the number of lines before this part of a file. Raise NotationError if it is not
    UTF-8 or contains NUL bytes.

    >>> decode(b"[Game \"altay\"]")
    '[Game "altay"]'
    >>> decode(b"PK\x03\x04")
    Traceback (most recent call last):
    altay_cli.notation.lexis.NotationError: not a text but a zip archive: unpack it first
    """
    for begins, kind in BINARY:
        if data.startswith(begins):
            raise NotationError(Text("not a text but {what}: unpack it first", what=Text(kind)))
    for mark, encoding in MARKED:
        if data.startswith(mark):
            raise NotationError(Text(_OTHER_ENCODING, encoding=encoding))
    zero = data.find(0)
    if zero in {0, 1} and data.count(0, 0, _SAMPLE) * 3 > len(data[:_SAMPLE]):
        raise NotationError(Text(_OTHER_ENCODING, encoding="UTF-16"))
    try:
        text = data.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        if zero < 0 or error.start < zero:
            byte = f"0x{data[error.start]:02X}"
            line = before + _line(data, error.start)
            template = "not a text in UTF-8: byte {byte} in line {line}"
            if zero < 0 and not _UNUSED.search(data):
                template += "; this may be Windows-1252: save it as UTF-8"
            raise NotationError(Text(template, byte=byte, line=line)) from None
    if zero >= 0:
        template = "not a text but binary data: a zero byte in line {line}"
        raise NotationError(Text(template, line=before + _line(data, zero)))
    return text


class Lines(Sequence[str]):
    r"""The lines of a text with LF as line ends, cut out on demand to save memory.

    The ``before`` lines before this part of a file are empty.

    >>> lines = Lines("setup\nturn 1 Ann")
    >>> lines[1], len(lines), lines.size
    ('turn 1 Ann', 2, 15)
    """

    __slots__ = ("_last", "_starts", "_text", "before")

    def __init__(self, text: str, before: int = 0) -> None:
        self._text = text
        self.before = before
        self._starts = array("I" if len(text) < (1 << 32) - 1 else "Q", [0])
        self._starts.extend(map(re.Match.end, re.finditer("\n", text)))
        self._starts.append(len(text) + 1)
        self._last = (-1, "")

    def __len__(self) -> int:
        return self.before + len(self._starts) - 1

    @property
    def size(self) -> int:
        """The number of characters, without line ends."""
        return self._starts[-1] - len(self._starts) + 1

    @property
    def text(self) -> str:
        """The text, without the lines before it."""
        return self._text

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        starts, before = self._starts, self.before
        if isinstance(index, slice):
            first, last, step = index.indices(len(self))
            if first >= last:
                return []
            empty = [""] * (min(before, last) - first)
            first, last = max(first - before, 0), max(last - before, 0)
            lines = self._text[starts[first] : starts[last] - 1].split("\n") if last else []
            return [*empty, *lines][::step]
        number = range(len(self))[index] - before
        if number < 0:
            return ""
        if number != self._last[0]:
            self._last = number, self._text[starts[number] : starts[number + 1] - 1]
        return self._last[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lines) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment] # as of a list


def split_lines(text: str, before: int = 0) -> Lines:
    r"""Split a text at LF, CRLF or CR, without its byte order mark.

    ``before`` is as for ``Lines``.

    >>> list(split_lines("setup\r\nturn 1 Ann"))
    ['setup', 'turn 1 Ann']
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Lines(text.removeprefix(_MARK), before)


def _line(data: bytes, offset: int) -> int:
    before = data[:offset].replace(b"\r\n", b"\n")
    return before.count(b"\n") + before.count(b"\r") + 1


# --------------------------------------------------------------- lines to statements
# A statement ends with its line or at ``;``. A line that ends in a comma continues, and quotes
# protect ``;`` and ``#``. So a mistake never affects the next statement.

_AT_ONCE = 10_000  # lines


class Comment(NamedTuple):
    """A comment from ``#`` on."""

    text: str
    line: int
    column: int
    is_alone: bool

    @property
    def span(self) -> Span:
        """The place where it begins."""
        return Span(self.line, self.column, self.line, self.column)


def span_of_part(text: str, line: int, column: int, start: int, end: int) -> Span:
    r"""Return the span of ``text[start:end]``, for a text that begins at ``line`` and ``column``.

    >>> tuple(span_of_part("give wool,\nmilk", 7, 3, 11, 15))
    (8, 1, 8, 5)
    """
    return Span(*_place(text, line, column, start), *_place(text, line, column, end))


def _place(text: str, line: int, column: int, offset: int) -> tuple[int, int]:
    breaks = text.count("\n", 0, offset)
    if not breaks:
        return line, column + offset
    return line + breaks, offset - text.rfind("\n", 0, offset)


class Piece(NamedTuple):
    """A statement, heading or tag pair before it is parsed.

    text: without surrounding white space; None if it is too long.
    unclosed: the offset of a quote that is not closed, or -1.
    semicolon: whether a ``;`` ended it.
    comments: those inside a statement of several lines.
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
        """The span of the piece."""
        return Span(self.line, self.column, self.end_line, self.end_column)

    def place(self, start: int, end: int) -> Span:
        """Return the span of a part of its text."""
        return span_of_part(self.text or "", self.line, self.column, start, end)


def is_tag(piece: Piece, lines: Sequence[str]) -> bool:
    """Return True for a tag pair, even a malformed one."""
    return lines[piece.line - 1].startswith("[", piece.column - 1)


@dataclass(slots=True, eq=False, repr=False)
class _Begun:
    """A statement that ends in a comma so far, so may continue.

    The first ``inside`` of its ``comments`` precede its last comma; the others are inside only if
    it continues.
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
        # A line can hold very many statements, so slice instead of splitting.
        above, last = lines[self.line - 1 : self.end_line - 1], lines[self.end_line - 1]
        if above:
            above, last = [above[0][self.start :], *above[1:]], last[: self.end]
        else:
            last = last[self.start : self.end]
        ahead = sum(map(len, above)) + len(above)
        if unclosed >= 0:
            unclosed += ahead if above else -self.start
        text = "\n".join([*above, last]) if ahead + len(last) <= limits.MAX_STATEMENT else None
        place = self.line, self.start + 1, self.end_line, self.end + 1
        yield Piece(text, *place, unclosed, semicolon, tuple(self.comments[: self.inside]))
        yield from self.comments[self.inside :]


def cut_statements(
    lines: Sequence[str], first: int = 1, last: int | None = None
) -> Iterator[Piece | Comment]:
    """Yield the pieces and comments of lines ``first`` to ``last``, in order.

    >>> [piece.text for piece in cut_statements(["turn 1 Ann", "pass; pass"])]
    ['turn 1 Ann', 'pass', 'pass']
    """
    begun: _Begun | None = None
    last = len(lines) if last is None else last
    blocks = (lines[at : min(at + _AT_ONCE, last)] for at in range(first - 1, last, _AT_ONCE))
    for number, line in enumerate(chain.from_iterable(blocks), first):
        stripped = line.strip(BLANKS)
        if not stripped:
            continue
        if begun is None and len(stripped) <= limits.MAX_STATEMENT:
            # Fast path: nearly all lines are one statement.
            if stripped[-1] not in COMMAS and SIGN.search(stripped) is None:
                column = line.index(stripped[0]) + 1
                place = number, column, number, column + len(stripped)
                # Faster than the constructor.
                yield Piece(stripped, *place, -1, False, ())
                continue
        elif begun is not None and re.match(HEADING_LINE, stripped):
            # A superfluous comma must not swallow the next section.
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
            content = line[start:end].strip(BLANKS)
            start = line.index(content, start)
            end = start + len(content)
            if not content:
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


def _parts(line: str, number: int) -> Iterator[tuple[int, int, bool, int] | Comment]:
    """Yield the parts of one line, and the comment at its end.

    A part is start, end, whether a ``;`` ended it, and the offset of an unclosed quote or -1.
    """
    start = 0
    for match in BREAK.finditer(line) if len(line) <= limits.MAX_LINE else ():
        what, at = match.lastgroup, match.start()
        if what == "unclosed":
            yield start, len(line), False, at
            return
        if what == "end":
            yield start, at, True, -1
            start = match.end()
        elif what == "comment":
            yield start, at, False, -1
            is_alone = not line[:at].strip(BLANKS + ";；")
            yield Comment(line[at:].rstrip(BLANKS), number, at + 1, is_alone)
            return
    yield start, len(line), False, -1

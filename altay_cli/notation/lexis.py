"""Bytes to text to lines to statements, the characters that cut these into parts, and quoting.

Only this is known of AGN outside of ``grammar/agn.lark``, which says the same of whole files;
a test holds the two together.
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
"""Typographic quotes, which are accepted as well."""

COMMAS = (",", "，")
"""The commas."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""A control character, which is allowed nowhere."""

HEADING_LINE = (
    rf"[{BLANKS}]*+(?:\[|(?ai:turn)[{BLANKS}]++[0-9]"
    rf"|(?ai:setup|position|result)[{BLANKS}]*+(?:[\n#;＃；]|\Z))"
)
"""What a line begins with that a comma behind the line before does not take in. As text: it is
hardly ever asked for."""

BREAK = re.compile(
    rf'(?P<text>[{OTHER_QUOTES}](?:\\[^\n]|[^\n"\\{OTHER_QUOTES}])*+["{OTHER_QUOTES}]'
    r'|"(?:\\[^\n]|[^\n"\\])*+")'
    rf'|(?P<unclosed>["{OTHER_QUOTES}])'
    rf"|(?P<end>[;；][{BLANKS};；]*+)"
    r"|(?P<comment>[#＃])"
)
"""What matters for cutting a line into statements. Behind an unclosed quote nothing does."""

SIGN = re.compile(rf'["{OTHER_QUOTES};；#＃]')
"""The first character of a BREAK."""

GAME_TAG = re.compile(r"(?mi)(?:^|\r)[ \t\ufeff]*\[[ \t]*game\b")
"""The beginning of a line that is, or was meant to be, the tag `Game`. What has none is not a log:
it may be any file, and nothing of it should be shown.
"""


def unescape(inner: str) -> str:
    r"""Return the content of a quoted text: ``\"`` and ``\\`` resolved, as in PGN."""
    return re.sub(r'\\(["\\])', r"\1", inner) if "\\" in inner else inner


def quote(text: str) -> str:
    """Return a text in quotes, as :func:`unescape` reads it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def control_character(text: str, rule: str) -> ReadError | None:
    """Tell the first control character of a text, by a rule; None if it has none."""
    found = CONTROL.search(text)
    if found is None:
        return None
    return ReadError(
        rule, "a control character, {code}", *found.span(), code=f"U+{ord(found[0]):04X}"
    )


# ---------------------------------------------------------------- bytes to text to lines


_MARK = "\ufeff"  # the byte order mark

BINARY = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
)
"""What packed files begin with."""

MARKED = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
"""The byte order marks of other encodings."""

_OTHER_ENCODING = "this text is in {encoding}: save it as UTF-8"
_SAMPLE = 1_000  # bytes in which zeros are counted
_UNUSED = re.compile(rb"[\x00-\x08\x0e-\x1f\x81\x8d\x8f\x90\x9d]")  # in Windows-1252


class NotationError(Exception):
    """A file is not text at all; the message says in which line."""


def decode(data: bytes, before: int = 0) -> str:
    """Return the text of a file in UTF-8, without a byte order mark.

    Of a part of a file, ``before`` is how many lines precede it.

    Raises:
        NotationError: if it is not UTF-8, or holds NUL bytes, as only binary files do.

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
    """The lines of a text, without their ends: the text is kept, and cut where it is asked for.

    So an archive takes four bytes a line beside its text, however little its lines repeat. The line
    asked for last is kept: one of a megabyte holds very many statements, and each asks for it.
    Of a part of a file, ``before`` is how many lines precede it; they are empty here.
    """

    __slots__ = ("_last", "_starts", "_text", "before")

    def __init__(self, text: str, before: int = 0) -> None:
        """Take a text with LF as line ends."""
        self._text = text
        self.before = before
        # Where each line starts, and where one behind the text would.
        self._starts = array("I" if len(text) < (1 << 32) - 1 else "Q", [0])
        self._starts.extend(map(re.Match.end, re.finditer("\n", text)))
        self._starts.append(len(text) + 1)
        self._last = (-1, "")

    def __len__(self) -> int:
        return self.before + len(self._starts) - 1

    @property
    def size(self) -> int:
        """How many characters they have."""
        return self._starts[-1] - len(self._starts) + 1

    @property
    def text(self) -> str:
        """The text, without the lines that precede it."""
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


def split(text: str, before: int = 0) -> Lines:
    """Return the lines of a text, without their ends (LF, CRLF or CR) and a byte order mark.

    Of a part of a file, ``before`` is how many lines precede it.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Lines(text.removeprefix(_MARK), before)


def _line(data: bytes, offset: int) -> int:
    before = data[:offset].replace(b"\r\n", b"\n")
    return before.count(b"\n") + before.count(b"\r") + 1


# ---------------------------------------------------------------- lines to statements
#
# A statement ends at the end of its line or at ``;``; a line that ends in a comma goes on in the
# next one; quotes protect ``;`` and ``#``. Nothing else about statements is known here, so that a
# slip in one never affects the next.

_AT_ONCE = 10_000  # lines


class Comment(NamedTuple):
    """A comment: its text from ``#`` on, and whether it has the line to itself."""

    text: str
    line: int
    column: int
    own_line: bool

    @property
    def span(self) -> Span:
        """The place where it begins."""
        return Span(self.line, self.column, self.line, self.column)


def stretch(text: str, line: int, column: int, start: int, end: int) -> Span:
    """Return where ``text[start:end]`` stands in a file: the text begins at line and column."""
    return Span(*_place(text, line, column, start), *_place(text, line, column, end))


def _place(text: str, line: int, column: int, offset: int) -> tuple[int, int]:
    breaks = text.count("\n", 0, offset)
    if not breaks:
        return line, column + offset
    return line + breaks, offset - text.rfind("\n", 0, offset)


class Piece(NamedTuple):
    """A statement, heading or tag pair before anything is known of it.

    ``text`` is the source without white space around it, None if it is too long. ``unclosed`` is
    where in it a quote opens that is not closed, or -1. ``semicolon`` says that a ``;`` ended it.
    ``comments`` are those within, of a statement that goes on in further lines.
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


def is_tag(piece: Piece, lines: Sequence[str]) -> bool:
    """Return whether a piece is, or was meant to be, a tag pair."""
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
        text = "\n".join([*above, last]) if ahead + len(last) <= limits.MAX_STATEMENT else None
        place = self.line, self.start + 1, self.end_line, self.end + 1
        yield Piece(text, *place, unclosed, semicolon, tuple(self.comments[: self.inside]))
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
        if begun is None and len(stripped) <= limits.MAX_STATEMENT:
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
            kept = line[start:end].strip(BLANKS)
            start = line.index(kept, start)
            end = start + len(kept)
            if not kept:
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

    Of a part: start, end, whether a ``;`` ended it, and where a quote is unclosed, or -1.
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
            own_line = not line[:at].strip(BLANKS + ";；")
            yield Comment(line[at:].rstrip(BLANKS), number, at + 1, own_line)
            return
    yield start, len(line), False, -1

"""Bytes to text to lines, the characters that cut these into parts, and quoting.

Only this is known of AGN outside of ``grammar/agn.lark``, which says the same of whole files;
a test holds the two together.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from typing import overload

from altay_cli.base.findings import Text

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
"""The beginning of a line that is, or was meant to be, the tag `Game`."""


def unescape(inner: str) -> str:
    r"""Return the content of a quoted text: ``\"`` and ``\\`` resolved, as in PGN."""
    return re.sub(r'\\(["\\])', r"\1", inner) if "\\" in inner else inner


def quote(text: str) -> str:
    """Return a text in quotes, as :func:`unescape` reads it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def control_character(character: str) -> str:
    """Return the message for a control character, which is not allowed."""
    return Text("a control character, {code}", code=f"U+{ord(character):04X}")


# ---------------------------------------------------------------- bytes to text to lines


_MARK = "\ufeff"  # the byte order mark


class NotationError(Exception):
    """A file is not text at all; the message says in which line."""


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, without a byte order mark.

    Raises:
        NotationError: if it is not UTF-8, or holds NUL bytes, as only binary files do.

    """
    zero = data.find(0)
    try:
        text = data.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        if zero < 0 or error.start < zero:
            byte, line = f"0x{data[error.start]:02X}", _line(data, error.start)
            template = "not a text in UTF-8: byte {byte} in line {line}"
            raise NotationError(Text(template, byte=byte, line=line)) from None
    if zero >= 0:
        template = "not a text but binary data: a zero byte in line {line}"
        raise NotationError(Text(template, line=_line(data, zero)))
    return text


class Lines(Sequence[str]):
    """The lines of a text, without their ends: the text is kept, and cut where it is asked for.

    So an archive takes four bytes a line beside its text, however little its lines repeat. The line
    asked for last is kept: one of a megabyte holds very many statements, and each asks for it.
    """

    __slots__ = ("_last", "_starts", "_text")

    def __init__(self, text: str) -> None:
        """Take a text with LF as line ends."""
        self._text = text
        # Where each line starts, and where one behind the text would.
        self._starts = array("I" if len(text) < (1 << 32) - 1 else "Q", [0])
        self._starts.extend(map(re.Match.end, re.finditer("\n", text)))
        self._starts.append(len(text) + 1)
        self._last = (-1, "")

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def size(self) -> int:
        """How many characters they have."""
        return self._starts[-1] - len(self)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        starts = self._starts
        if not isinstance(index, slice):
            index = range(len(starts) - 1)[index]
            number, line = self._last
            if number != index:
                line = self._text[starts[index] : starts[index + 1] - 1]
                self._last = index, line
            return line
        first, last, step = index.indices(len(starts) - 1)
        lines = self._text[starts[first] : starts[last] - 1].split("\n")
        return lines[::step] if first < last else []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lines) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment] # as of a list


def split(text: str) -> Lines:
    """Return the lines of a text, without their ends (LF, CRLF or CR) and a byte order mark."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Lines(text.removeprefix(_MARK))


def _line(data: bytes, offset: int) -> int:
    before = data[:offset].replace(b"\r\n", b"\n")
    return before.count(b"\n") + before.count(b"\r") + 1

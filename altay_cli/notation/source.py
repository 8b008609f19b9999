"""Bytes to text to lines."""

from __future__ import annotations

_MARK = "\ufeff"  # the byte order mark
_SPLIT_AT_ONCE = 1 << 20


class NotationError(Exception):
    """A file is not text at all.

    ``line`` counts from 1 and ``offset`` is that of the first wrong byte, from 0.
    """

    def __init__(self, message: str, *, offset: int, line: int) -> None:
        super().__init__(message)
        self.offset = offset
        self.line = line


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
            line = _line(data, error.start)
            message = f"not a text in UTF-8: byte 0x{data[error.start]:02X} in line {line}"
            raise NotationError(message, offset=error.start, line=line) from None
    if zero >= 0:
        line = _line(data, zero)
        message = f"not a text but binary data: a zero byte in line {line}"
        raise NotationError(message, offset=zero, line=line)
    return text


def split(text: str) -> list[str]:
    """Return the lines of a text, without their ends (LF, CRLF or CR) and a byte order mark."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.removeprefix(_MARK)
    # Most lines of an archive were there before: each is kept once.
    known: dict[str, str] = {}
    lines: list[str] = []
    start = 0
    while start >= 0:
        end = text.find("\n", start + _SPLIT_AT_ONCE)
        some = text[start : end if end >= 0 else None].split("\n")
        lines.extend(map(known.setdefault, some, some))
        start = end + 1 if end >= 0 else -1
    return lines


def _line(data: bytes, offset: int) -> int:
    """Return the number of the line that a byte is in."""
    before = data[:offset].replace(b"\r\n", b"\n")
    return before.count(b"\n") + before.count(b"\r") + 1

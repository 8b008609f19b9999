"""Plain text for terminals: lines with parts set apart, aligned by width.

Nothing is escaped here. What stands in a line may come from strangers; ``altay_cli.cli.output``,
which writes it, makes it harmless, one character for each, so that widths stay as computed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

MAX_WIDTH = 110


class Style(NamedTuple):
    """How a part of a line is set apart, on terminals that can."""

    colour: str | None = None
    bold: bool = True


BOLD = Style()


class Line(str):
    """A line of text that knows which of its parts are set apart.

    ``styles`` are the places of these parts, from left to right: start, end, and how. For all
    else it is its text.
    """

    __slots__ = ("styles",)
    styles: tuple[tuple[int, int, Style], ...]

    def __new__(cls, *parts: str | tuple[str, Style]) -> Line:
        """Join parts; those that are set apart come with their style."""
        text = ""
        styles = []
        for part in parts:
            if isinstance(part, str):
                text += part
            else:
                styles.append((len(text), len(text) + len(part[0]), part[1]))
                text += part[0]
        line = super().__new__(cls, text)
        line.styles = tuple(styles)
        return line


def marked(text: str, pattern: re.Pattern[str], style: Callable[[str], Style]) -> Line:
    """Return a line in which all that a pattern finds is set apart, as ``style`` says of it."""
    parts: list[str | tuple[str, Style]] = []
    at = 0
    for found in pattern.finditer(text):
        parts += [text[at : found.start()], (found[0], style(found[0]))]
        at = found.end()
    return Line(*parts, text[at:])


def visible(text: str) -> str:
    """Return text in which each control character and direction mark is replaced by another.

    White space becomes a blank; all else that cannot be printed becomes U+FFFD.
    """
    if text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"


_COMMAND = re.compile(r"\A(\s*):(?=:)|#(?=#\w*\[)")


def inert(text: str) -> str:
    """Return a line that no CI system takes for a command of its own.

    GitHub and its kin obey lines that begin with ``::``; others what stands anywhere between
    ``##vso[`` and ``]``. A backslash in the right place ends that.
    """
    return _COMMAND.sub(_ended, text)


def _ended(found: re.Match[str]) -> str:
    return "#\\" if found[0] == "#" else f"{found[1]}\\:"


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    wide = char.isprintable() and unicodedata.east_asian_width(char) in {"W", "F"}
    return 2 if wide else 1


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Fill text with spaces to so many columns."""
    fill = " " * max(columns - width(text), 0)
    return fill + text if right else text + fill


def table(rows: Sequence[Sequence[str]], numbers: frozenset[int]) -> list[str]:
    """Lay out rows, the first being the heading; columns in ``numbers`` are flush right."""
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(pad(cell, widths[i], right=i in numbers) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]
    return [lines[0], "  ".join("-" * w for w in widths), *lines[1:]]


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Break text into lines of so many columns at blanks; further lines begin with ``indent``.

    A word that is wider than a line is cut.
    """
    lines: list[str] = []
    line = text[: len(text) - len(text.lstrip())]
    for word in _words(text.strip(), max(columns - max(width(indent), width(line)), 1)):
        candidate = f"{line} {word}" if line.strip() else line + word
        if line.strip() and width(candidate) > columns:
            lines.append(line)
            candidate = indent + word
        line = candidate
    return [*lines, line]


def _words(text: str, columns: int) -> list[str]:
    """Return the words of a text, those that are too wide in parts."""
    found = []
    for word in text.split(" "):
        part = ""
        for char in word:
            if width(part + char) > columns:
                found.append(part)
                part = ""
            part += char
        found.append(part)
    return found


def cut(text: str, columns: int) -> str:
    """Return text that takes no more than so many columns, with `…` where it was cut."""
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def excerpt(line: str, start: int, end: int) -> tuple[str, str]:
    """Return a line, and the line below it that marks ``line[start:end]``.

    A long line is cut to what stands around the marked part.
    """
    end = max(end, start + 1)
    first = 0
    if width(line) > MAX_WIDTH:
        first = max(0, min(start - 30, len(line) - MAX_WIDTH))
    shown = line[first : first + MAX_WIDTH]
    before = ("…" if first else "") + shown[: start - first]
    marked = shown[start - first : end - first]
    after = shown[end - first :] + ("…" if first + MAX_WIDTH < len(line) else "")
    mark = " " * width(before) + "^" * max(width(marked), 1)
    return before + marked + after, mark


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"

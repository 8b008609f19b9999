"""Plain text for terminals: safe to print, whatever a log holds, and aligned by width."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

MAX_WIDTH = 110


def safe(text: str) -> str:
    """Return text in which every control character is replaced: logs come from strangers."""
    if text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


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


def excerpt(line: str, start: int, end: int) -> tuple[str, str]:
    """Return a line, and the line below it that marks ``line[start:end]``.

    A long line is cut to what stands around the marked part.
    """
    end = max(end, start + 1)
    first = 0
    if width(line) > MAX_WIDTH:
        first = max(0, min(start - 30, len(line) - MAX_WIDTH))
    shown = line[first : first + MAX_WIDTH]
    before = ("…" if first else "") + safe(shown[: start - first])
    marked = safe(shown[start - first : end - first])
    after = safe(shown[end - first :]) + ("…" if first + MAX_WIDTH < len(line) else "")
    mark = " " * width(before) + "^" * max(width(marked), 1)
    return before + marked + after, mark


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"

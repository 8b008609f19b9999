"""Lay out plain text for people.

Nothing is escaped here: ``altay_cli.cli.output`` replaces unsafe characters one by one, so widths
stay right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain, zip_longest
from typing import NamedTuple

from altay_cli.base import translations
from altay_cli.base.suggest import INVISIBLE
from altay_cli.base.translations import ENGLISH

MAX_WIDTH = 110


_current: list[str] = [ENGLISH]


def language() -> str:
    """Return the language of reports."""
    return _current[-1]


def speak(chosen: str) -> None:
    """Set the language of all reports."""
    _current[-1] = chosen


@contextmanager
def speaking(chosen: str) -> Iterator[None]:
    """Use another language temporarily."""
    _current.append(chosen)
    try:
        yield
    finally:
        _current.pop()


def phrase(english: str, /, **values: object) -> str:
    """Translate a phrase and fill in its fields."""
    return translations.phrase(language(), english, **values)


def counted(singular: str, plural_form: str, count: int) -> str:
    """Return a count with its noun; both forms contain ``{count}``."""
    return translations.counted(language(), singular, plural_form, count)


def listed(parts: Iterable[str]) -> str:
    """Join parts with the separators of the language."""
    return translations.listed(language(), parts)


def translated(text: str) -> str:
    """Translate a text of the program if possible."""
    return translations.translated(language(), text)


_page: list[int] = []


def set_page_width(columns: int | None) -> None:
    """Set the width for layout; None without a terminal."""
    _page[:] = [] if columns is None else [columns]


def page_columns() -> int | None:
    """Return the maximum width of lines; None for no limit."""
    return _page[0] if _page else None


def room_of(most: int) -> int:
    """Return the width of lines, at most ``most``."""
    return min(most, *_page) if _page else most


class Style(NamedTuple):
    """Highlighting, on terminals that support it."""

    colour: str | None = None
    bold: bool = True


BOLD = Style()


class Line(str):
    """A line with styled parts: start, end and style, from left to right."""

    __slots__ = ("styles",)
    styles: tuple[tuple[int, int, Style], ...]

    def __new__(cls, *parts: str | tuple[str, Style]) -> Line:
        """Join parts; highlighted ones come with their style."""
        shown = [(part, None) if isinstance(part, str) else part for part in parts]
        line = super().__new__(cls, "".join(text for text, _ in shown))
        ends = zip(shown, accumulate(len(text) for text, _ in shown), strict=True)
        line.styles = tuple((end - len(text), end, how) for (text, how), end in ends if how)
        return line


def marked(text: str, pattern: re.Pattern[str], style: Callable[[str], Style]) -> Line:
    """Highlight all matches of a pattern."""
    line = Line(text)
    line.styles = tuple((*found.span(), style(found[0])) for found in pattern.finditer(text))
    return line


def visible(text: str) -> str:
    """Replace white space by blanks; control characters and invisible letters by U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_printable, text))


def _printable(char: str) -> str:
    if char.isspace():
        return " "
    return char if char.isprintable() and char not in INVISIBLE else "\N{REPLACEMENT CHARACTER}"


_COMMAND = re.compile(r"\A(\s*):(?=:)|#(?=#\w*\[)")


def inert(text: str) -> str:
    """Return a ``visible`` line that no CI system takes for a command.

    GitHub obeys ``::`` at the start, others ``##vso[...]`` anywhere; a backslash prevents it.
    """
    return _COMMAND.sub(lambda found: "#\\" if found[0] == "#" else f"{found[1]}\\:", visible(text))


def width(text: str) -> int:
    """Return the width in terminal columns."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if char.isprintable() and unicodedata.east_asian_width(char) in {"W", "F"} else 1


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Pad a text with spaces."""
    fill = " " * max(columns - width(text), 0)
    return fill + text if right else text + fill


def table(
    rows: Sequence[Sequence[str]], numbers: Collection[int] = (), most: int | None = None
) -> list[str]:
    """Lay out rows, the first being the heading; columns in ``numbers`` are flush right.

    If the table is wider than the terminal or ``most``, cells are wrapped, or rows become columns
    or blocks.
    """
    columns = page_columns() if most is None else room_of(most)
    turned = list(zip(*rows, strict=True))
    widths = [max(map(width, column)) for column in turned]
    if columns is not None and sum(widths) + 2 * (len(widths) - 1) > columns:
        narrow = _narrowed(rows, widths, columns)
        if narrow is None:
            wide = [max(map(width, row)) for row in rows]
            if numbers and sum(wide) + 2 * (len(wide) - 1) <= columns:
                return table(turned, range(1, len(rows)), columns)
            return _blocks(rows, columns)
        widths = narrow
    first, *others = (list(_lines_of_row(row, widths, numbers)) for row in rows)
    return [*first, "  ".join("-" * w for w in widths), *chain(*others)]


def _lines_of_row(
    row: Sequence[str], widths: Sequence[int], numbers: Collection[int]
) -> Iterator[str]:
    cells = [
        [cell] if width(cell) <= most else wrapped(cell, most)
        for cell, most in zip(row, widths, strict=True)
    ]
    for line in zip_longest(*cells, fillvalue=""):
        padded = (pad(part, widths[i], right=i in numbers) for i, part in enumerate(line))
        yield "  ".join(padded).rstrip()


def _narrowed(
    rows: Sequence[Sequence[str]], widths: Sequence[int], columns: int
) -> list[int] | None:
    """Return None if that is unreadable: numbers must not break, nor words in narrow columns."""
    least = []
    for i, natural in enumerate(widths):
        words = max((width(word) for row in rows for word in row[i].split()), default=0)
        figures = max((width(row[i]) for row in rows[1:] if not row[i][-1:].isalpha()), default=0)
        least.append(min(natural, max(min(words, 12), min(figures, words), 1)))
    left = columns - 2 * (len(widths) - 1)
    if sum(least) > left:
        return None
    narrow = list(widths)
    while sum(narrow) > left:
        widest = max(range(len(narrow)), key=lambda i: narrow[i] - least[i])
        narrow[widest] -= 1
    return narrow


def _blocks(rows: Sequence[Sequence[str]], columns: int) -> list[str]:
    titles = rows[0]
    longest = min(max(map(width, titles[2:]), default=0), columns // 2)
    lines: list[str] = []
    for row in rows[1:]:
        lines += wrapped("  ".join(row[:2]).strip(), columns, "    ")
        for title, cell in zip(titles[2:], row[2:], strict=True):
            if cell:
                lines += wrapped(f"    {pad(title, longest)}  {cell}", columns, " " * (longest + 6))
    return lines


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Wrap text at blanks; further lines begin with ``indent``."""
    lines: list[str] = []
    line = text[: len(text) - len(text.lstrip())]
    for blank, word in _words(text.strip(), max(columns - max(width(indent), width(line)), 1)):
        candidate = f"{line}{blank}{word}" if line.strip() else line + word
        if line.strip() and width(candidate) > columns:
            lines.append(line)
            candidate = indent + word
        line = candidate
    return [*lines, line]


def folded(line: str) -> list[str]:
    """Fold a line at blanks if it is wider than the terminal.

    Further lines are aligned with the text of a line ``  = help: ...``, else indented.
    """
    columns = page_columns()
    if columns is None or width(line) <= columns:
        return [line]
    blank = len(line) - len(line.lstrip(" "))
    indent = " " * min(blank + (2 if line[blank:].startswith("= ") else 4), columns // 2)
    first, *more = wrapped(line, columns, indent)
    if isinstance(line, Line) and line.startswith(first):
        begun, first = line.styles, Line(first)
        first.styles = tuple(style for style in begun if style[1] <= len(first))
    return [first, *more]


_ENDS = frozenset("、。，．）」』】・ー！？")


_NARROW = re.compile(r"[!-~]+\Z")


def _words(text: str, columns: int) -> Iterator[tuple[str, str]]:
    """Split words that are too wide; keep the blank before each.

    No part begins with closing punctuation, or in the middle of a Latin word among other scripts.
    """
    for word in text.split(" "):
        part, blank = "", " "
        for char in word:
            if width(part + char) > columns:
                carried = part[-1:] if char in _ENDS else ""
                if "!" <= char <= "~" and (latin := _NARROW.search(part)):
                    carried = latin[0]
                carried = "" if carried == part else carried
                yield blank, part[: len(part) - len(carried)]
                part, blank = carried, ""
            part += char
        yield blank, part


def cut(text: str, columns: int) -> str:
    """Cut a text to a width, marked by `…` at the end."""
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def excerpt(line: str, start: int, end: int, room: int = MAX_WIDTH) -> tuple[str, str]:
    """Return a line, and the line below it that marks ``line[start:end]``.

    A longer line is cut around the marked part.
    """
    end = max(end, start + 1)
    first, most = 0, len(line)
    if width(line) > room:
        most = room if line.isascii() else room // 2
        first = max(0, min(start - min(30, most // 3), len(line) - most))
    shown = line[first : first + most]
    before = ("…" if first else "") + shown[: start - first]
    marked = shown[start - first : end - first]
    after = shown[end - first :] + ("…" if first + most < len(line) else "")
    return before + marked + after, " " * width(before) + "^" * max(width(marked), 1)


def plural(count: int, noun: str) -> str:
    """Return a count with its English noun."""
    return f"{count:,} {noun if count == 1 else noun + 's'}"

"""Change a text by tokens and lines, so it stays nearly correct.

Random bytes rarely pass the first reader; a log with another card does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

MOST = 8
"""Tokens or lines in one change."""

_NUMBERS = ("0", "1", "2", "3", "5", "15", "16", "999999999", "1000000000", "9223372036854775807")
_OPENS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Mutator:
    """Changes texts of one language.

    token: matches tokens; the text between them stays.
    words, chunks: what to insert: tokens; lines or expressions.
    lines: whether lines matter.
    """

    token: re.Pattern[str]
    words: Sequence[str]
    chunks: Sequence[str]
    lines: bool

    def mutate(self, text: str, random: Random) -> str:
        """Return the text with a few changes."""
        changes = [
            *(self._replace, self._replace, self._insert, self._drop, self._repeat, self._swap),
            *(self._number, self._cut, self._group),
        ]
        if self.lines:
            by_line = [self._drop_lines, self._repeat_lines, self._move_lines, self._join_lines]
            changes += [*by_line, self._insert_line, self._insert_line]
        for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
            change: Callable[[str, Random], str] = random.choice(changes)
            text = change(text, random)
        return text

    def cross(self, one: str, other: str, random: Random) -> str:
        """Join the beginning of one text and the end of another."""
        parts = [self._parts(text) for text in (one, other)]
        first = parts[0][: random.randint(0, len(parts[0]))]
        return "".join(first + parts[1][random.randint(0, len(parts[1])) :])

    def _parts(self, text: str) -> list[str]:
        if self.lines:
            return text.splitlines(keepends=True)
        return [part for part in re.split(f"({self.token.pattern})", text) if part]

    # ------------------------------------------------------------ tokens

    def _spot(self, text: str, random: Random) -> tuple[int, int]:
        found = [match.span() for match in self.token.finditer(text)]
        return random.choice(found) if found else (0, 0)

    def _stretch(self, text: str, random: Random) -> tuple[int, int]:
        found = [match.span() for match in self.token.finditer(text)]
        if not found:
            return 0, 0
        first = random.randrange(len(found))
        last = min(first + random.randint(1, MOST), len(found)) - 1
        return found[first][0], found[last][1]

    def _word(self, random: Random) -> str:
        return random.choice(self.words)

    def _replace(self, text: str, random: Random) -> str:
        start, end = self._spot(text, random)
        return text[:start] + self._word(random) + text[end:]

    def _insert(self, text: str, random: Random) -> str:
        _, end = self._spot(text, random)
        blank = random.choice((" ", ""))
        return text[:end] + blank + self._word(random) + blank + text[end:]

    def _drop(self, text: str, random: Random) -> str:
        start, end = self._stretch(text, random)
        return text[:start] + text[end:]

    def _repeat(self, text: str, random: Random) -> str:
        start, end = self._stretch(text, random)
        times = random.choice((1, 1, 1, 2, 10))
        return text[:end] + (random.choice((" ", "", ", ")) + text[start:end]) * times + text[end:]

    def _swap(self, text: str, random: Random) -> str:
        (a, b), (c, d) = sorted((self._spot(text, random), self._spot(text, random)))
        return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]

    def _number(self, text: str, random: Random) -> str:
        found = [match.span() for match in re.finditer(r"[0-9]+", text)]
        if not found:
            return text
        start, end = random.choice(found)
        near = str(int(text[start:end][:20]) + random.choice((-1, 1)))
        return text[:start] + random.choice((near, near, random.choice(_NUMBERS))) + text[end:]

    def _cut(self, text: str, random: Random) -> str:
        return text[: random.randint(len(text) // 2, len(text))]

    def _group(self, text: str, random: Random) -> str:
        start, end = self._bracketed(text, random)
        chunk = random.choice((random.choice(self.chunks), text[start:end]))
        opening = random.choice("([{")
        before, after = random.choice((("", ""), (opening, _OPENS[opening])))
        return text[:start] + before + chunk + after + text[end:]

    def _bracketed(self, text: str, random: Random) -> tuple[int, int]:
        """Choose the place between two matching brackets, or of a token."""
        opened = [match.start() for match in re.finditer(r"[(\[{]", text)]
        if opened:
            start = random.choice(opened)
            depth = 0
            for place in range(start, len(text)):
                depth += (text[place] in "([{") - (text[place] in ")]}")
                if depth == 0:
                    return start + 1, place
        return self._spot(text, random)

    # ------------------------------------------------------------ lines

    def _block(self, lines: Sequence[str], random: Random) -> tuple[int, int]:
        if not lines:
            return 0, 0
        first = random.randrange(len(lines))
        last = first + 1
        if random.random() < 0.5:
            return first, min(first + random.randint(1, MOST), len(lines))
        while last < len(lines) and _indent(lines[last]) > _indent(lines[first]):
            last += 1
        return first, last

    def _drop_lines(self, text: str, random: Random) -> str:
        lines = text.splitlines(keepends=True)
        first, last = self._block(lines, random)
        return "".join(lines[:first] + lines[last:])

    def _repeat_lines(self, text: str, random: Random) -> str:
        lines = text.splitlines(keepends=True)
        first, last = self._block(lines, random)
        return "".join(lines[:last] + lines[first:last] + lines[last:])

    def _move_lines(self, text: str, random: Random) -> str:
        lines = text.splitlines(keepends=True)
        first, last = self._block(lines, random)
        block, rest = lines[first:last], lines[:first] + lines[last:]
        place = random.randint(0, len(rest))
        return "".join(rest[:place] + block + rest[place:])

    def _insert_line(self, text: str, random: Random) -> str:
        lines = text.splitlines(keepends=True)
        place = random.randint(0, len(lines))
        return "".join([*lines[:place], random.choice(self.chunks) + "\n", *lines[place:]])

    def _join_lines(self, text: str, random: Random) -> str:
        ends = [match.start() for match in re.finditer("\n", text)]
        if not ends:
            return text
        place = random.choice(ends)
        ending = random.choice(("; ", ",\n", ", # c\n", " ", "\r\n", "\r", "  # c\n", " =>\n"))
        return text[:place] + ending + text[place + 1 :]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

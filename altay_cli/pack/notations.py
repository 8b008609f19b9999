"""Other notations that players use, such as the algebraic notation of chess.

The rules list their patterns, and the statements of AGN that each may mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from altay_cli.notation.tree import Phrase
from altay_cli.pack import limits
from altay_cli.pack.terms import Expr, Message

_PART = re.compile(r"\[<(\w+)>\]|<(\w+)>|([^<\[]+)")


class NotationPart(NamedTuple):
    """A part of a pattern: its possible ``texts``, each with its meaning.

    ``name`` is empty for a fixed word.
    """

    name: str
    texts: Mapping[str, str]
    optional: bool = False


class ForeignStatement(NamedTuple):
    """A statement in a notation other than AGN.

    ``means`` gives the statements of AGN; it can use all ``names`` of parts. ``title`` is a
    sentence.
    """

    parts: tuple[NotationPart, ...]
    names: tuple[str, ...]
    means: Expr
    title: str
    help: Message | None

    def read(self, text: str) -> dict[str, str] | None:
        """Return the meaning of each part (of an omitted one, ""), or None without a match."""
        values = dict.fromkeys(self.names, "")
        return values if _fits(self.parts, 0, text, 0, values, set()) else None


def split_parts(pattern: str) -> list[tuple[str, bool, str]]:
    """Return (name, is optional, word) for each part; name or word is "".

    >>> split_parts("<from>-<to>[<into>]")
    [('from', False, ''), ('', False, '-'), ('to', False, ''), ('into', True, '')]
    """
    return [
        (left_out or name, bool(left_out), word)
        for left_out, name, word in (match.groups("") for match in _PART.finditer(pattern))
    ]


def _fits(
    parts: Sequence[NotationPart],
    number: int,
    text: str,
    at: int,
    values: dict[str, str],
    failed: set[tuple[int, int]],
) -> bool:
    """Match parts from index ``number`` with the text from ``at``; store their meanings.

    ``failed`` pairs are not tried again: the work is at most the square of the text length.
    """
    if number == len(parts):
        return at == len(text)
    if (number, at) in failed:
        return False
    name, texts, optional = parts[number]
    for end in range(len(text), at, -1):
        meaning = texts.get(text[at:end])
        if meaning is not None and _fits(parts, number + 1, text, end, values, failed):
            if name:
                values[name] = meaning
            return True
    if optional and _fits(parts, number + 1, text, at, values, failed):
        return True
    failed.add((number, at))
    return False


def recognised(
    notations: Sequence[ForeignStatement], phrase: Phrase
) -> tuple[ForeignStatement, dict[str, str]] | None:
    """Return the first notation that matches, with its parts."""
    if not notations or phrase.outcome is not None:
        return None
    items = phrase.items
    text = "".join([f"({item.text})" if item.kind == "qualifier" else item.text for item in items])
    if len(text) <= limits.MAX_FOREIGN:
        for notation in notations:
            if (values := notation.read(text)) is not None:
                return notation, values
    return None

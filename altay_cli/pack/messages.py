"""Texts with expressions in braces."""

from __future__ import annotations

import re

_TO_CLOSING = re.compile(r"""(?:[^'"}]|'[^']*'|"[^"]*")*+\}""")
"""An expression with the brace behind it; quotes protect braces."""


def split_message(text: str) -> list[tuple[str, int | None]]:
    """Split ``text`` into plain parts and expressions.

    Gives (part, None) for plain text and (expression, offset in ``text``) for what stands in
    braces. Quotes inside an expression protect braces; an open brace without its partner is
    plain text.
    """
    parts: list[tuple[str, int | None]] = []
    plain = 0
    at = 0
    while (start := text.find("{", at)) >= 0:
        end = _closing(text, start + 1)
        if end < 0:
            break
        if start > plain:
            parts.append((text[plain:start], None))
        parts.append((text[start + 1 : end], start + 1))
        plain = at = end + 1
    if plain < len(text):
        parts.append((text[plain:], None))
    return parts


def lone_brace(text: str) -> int | None:
    """Return the offset of a brace without a partner; None if there is none."""
    at = 0
    for part, offset in split_message(text):
        if offset is None:
            found = [place for brace in "{}" if (place := part.find(brace)) >= 0]
            if found:
                return at + min(found)
            at += len(part)
        else:
            at = offset + len(part) + 1
    return None


def _closing(text: str, at: int) -> int:
    found = _TO_CLOSING.match(text, at)
    return -1 if found is None else found.end() - 1

"""Texts with expressions in braces."""

from __future__ import annotations


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
            for place, char in enumerate(part, at):
                if char in "{}":
                    return place
            at += len(part)
        else:
            at = offset + len(part) + 1
    return None


def _closing(text: str, at: int) -> int:
    quote = ""
    for index in range(at, len(text)):
        char = text[index]
        if quote:
            if char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif char == "}":
            return index
    return -1

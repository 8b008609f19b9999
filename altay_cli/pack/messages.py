"""Texts with expressions in braces."""

from __future__ import annotations

import re

_EXPRESSION = re.compile(r"""\{((?:[^'"}]|'[^']*'|"[^"]*")*+)\}""")
"""An expression in its braces; quotes protect braces."""


def split_message(text: str) -> list[tuple[str, int | None]]:
    """Split ``text`` into plain parts and expressions.

    Gives (part, None) for plain text and (expression, offset in ``text``) for what stands in
    braces. Quotes inside an expression protect braces; an open brace without its partner is
    plain text.
    """
    parts: list[tuple[str, int | None]] = []
    plain = 0
    for expression in _EXPRESSION.finditer(text):
        parts.append((text[plain : expression.start()], None))
        parts.append((expression[1], expression.start(1)))
        plain = expression.end()
    parts.append((text[plain:], None))
    return [(part, offset) for part, offset in parts if part or offset is not None]


def lone_brace(text: str) -> int | None:
    """Return the offset of a brace without a partner; None if there is none."""
    brace = re.search("[{}]", _EXPRESSION.sub(lambda expression: " " * len(expression[0]), text))
    return None if brace is None else brace.start()

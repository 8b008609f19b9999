"""How a move is written: ``buy <card> [for <payment>]``, compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from altay_cli.pack.model import Optional, Pattern, PatternPart, SlotRef, Word

_TOKEN = re.compile(r"\s*(?:<(\w+)>|(\[)|(\])|(=>)|([^\s<>\[\]=]+))")


def compile_pattern(text: str) -> Pattern:
    """Compile a pattern.

    Words stand for themselves, ``<name>`` for a slot, ``[...]`` for a part that may be left
    out, ``=> <name>`` (at the end, perhaps in brackets) for what chance brought.

    Raises:
        ValueError: where the text is no pattern; says why.

    """
    stack: list[list[PatternPart]] = [[]]
    outcome: str | None = None
    arrow = False
    at = 0
    text = text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"`{text[at:]}` is no part of a pattern")
        at = found.end()
        slot, opening, closing, arrow_sign, word = found.groups()
        if arrow and not closing and (outcome or not slot):
            raise ValueError("behind `=>` stands one slot")
        if slot and arrow:
            outcome = slot
        elif slot:
            stack[-1].append(SlotRef(slot))
        elif opening:
            stack.append([])
        elif closing:
            if len(stack) == 1:
                raise ValueError("a `]` without `[`")
            inner = stack.pop()
            if inner:
                stack[-1].append(Optional(tuple(inner)))
        elif arrow_sign:
            arrow = True
        else:
            stack[-1].append(Word(word.casefold()))
    if len(stack) > 1:
        raise ValueError("a `[` without `]`")
    if arrow and not outcome:
        raise ValueError("behind `=>` stands one slot")
    if not stack[0] or not isinstance(stack[0][0], Word):
        raise ValueError("a statement begins with a word")
    return Pattern(text, tuple(stack[0]), outcome)


def slots_of(pattern: Pattern) -> Iterator[str]:
    """Yield the names of a pattern's slots."""
    yield from slots_in(pattern.parts)
    if pattern.outcome:
        yield pattern.outcome


def slots_in(parts: tuple[PatternPart, ...]) -> Iterator[str]:
    """Yield the names of the slots in parts of a pattern, those that may be left out as well."""
    for part in parts:
        if isinstance(part, SlotRef):
            yield part.name
        elif isinstance(part, Optional):
            yield from slots_in(part.parts)

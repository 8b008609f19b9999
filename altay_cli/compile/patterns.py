"""How a move is written: ``buy <card> [for <payment>]``, compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from altay_cli.base.text import Text
from altay_cli.notation.parser import parse, tokens_of
from altay_cli.notation.tree import SectionKind
from altay_cli.pack import model as m

_TOKEN = re.compile(r"\s*(?:<(\w+)>|(\[)|(\])|(=>)|([^\s<>\[\]=]+))")


def compile_pattern(text: str) -> m.Pattern:
    """Compile a pattern.

    Words stand for themselves, ``<name>`` for a slot, ``[...]`` for a part that may be left
    out, ``=> <name>`` (at the end, perhaps in brackets) for what chance brought.

    Raises:
        ValueError: if the text is not a pattern; the message says why.

    """
    stack: list[list[m.PatternPart]] = [[]]
    outcome: str | None = None
    arrow = False
    at = 0
    text = text.strip()
    while at < len(text):
        sign = _TOKEN.match(text, at)
        if sign is None:
            raise ValueError(Text("`{text}` is not a part of a pattern", text=text[at:]))
        at = sign.end()
        slot, opening, closing, arrow_sign, word = sign.groups()
        if arrow and not closing and (outcome or not slot):
            raise ValueError("`=>` is followed by one slot")
        if slot and arrow:
            outcome = slot
        elif slot:
            stack[-1].append(m.PatternPart(slot=slot))
        elif opening:
            stack.append([])
        elif closing:
            if len(stack) == 1:
                raise ValueError("a `]` without `[`")
            inner = stack.pop()
            if inner:
                stack[-1].append(m.PatternPart(inner=tuple(inner)))
        elif arrow_sign:
            arrow = True
        else:
            if [token.kind for token in tokens_of(word)] != ["word"]:
                raise ValueError(
                    Text("`{word}` is not a word of a log, so no statement can have it", word=word)
                )
            stack[-1].append(m.PatternPart(word.casefold()))
    if len(stack) > 1:
        raise ValueError("a `[` without `]`")
    if arrow and not outcome:
        raise ValueError("`=>` is followed by one slot")
    if not stack[0] or stack[0][0].inner:
        raise ValueError("a statement begins with a word or a slot, which cannot be left out")
    return m.Pattern(text, _with_stops(stack[0], ()), outcome)


def unreadable(pattern: m.Pattern, slots: Mapping[str, m.Slot], *, heading: bool) -> Iterator[str]:
    """Return why no statement could match a pattern, if so.

    ``slots`` are those of the move; ``heading`` says that it is the heading of a turn.
    """
    names = list(m.slots_of(pattern))
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield Text("`<{name}>` stands there twice, and can have only one value", name=name)
    for name, follower in _side_by_side(pattern.parts, ()):
        if name in slots and slots[name].shape is not m.Shape.INT:
            yield (
                Text(
                    "`<{name}>` and `<{other}>` stand side by side, so nobody can tell "
                    "where one ends; put a word between them (only a number can do without)",
                    name=name,
                    other=follower,
                )
            )
    section = parse(pattern.verb).section if pattern.verb else None
    if heading and not pattern.verb:
        yield "a heading begins with a word"
    elif heading and section is SectionKind.TURN:
        match pattern.parts:
            case (_, m.PatternPart(slot=name), _, *_) if name in slots:
                known = pattern.outcome is None and slots[name].shape is m.Shape.INT
            case _:
                known = False
        if not known:
            yield "the heading of a turn is written `turn <number> <player>`"
    elif heading and section is not None:
        yield Text("`{verb}` is the heading of a section of any game", verb=pattern.verb)
    elif heading and pattern.outcome is not None:
        yield "nothing is drawn in a heading"
    elif section is SectionKind.TURN:
        yield Text("what begins with `{verb}` is always the heading of a turn", verb=pattern.verb)
    elif section is not None and all(part.inner for part in pattern.parts[1:]):
        yield Text("`{verb}` alone is always the heading of a section", verb=pattern.verb)


def _side_by_side(
    parts: Sequence[m.PatternPart], behind: Sequence[m.PatternPart]
) -> Iterator[tuple[str, str]]:
    """Yield pairs of slots that can follow each other without a word between them.

    ``behind`` is what comes after the parts.
    """
    for number, part in enumerate(parts):
        rest = (*parts[number + 1 :], *behind)
        yield from _side_by_side(part.inner, rest)
        if part.slot:
            yield from ((part.slot, other.slot) for other in _beginnings(rest) if other.slot)


def _beginnings(parts: Iterable[m.PatternPart]) -> Iterator[m.PatternPart]:
    """Yield the words and slots that parts of a pattern can begin with."""
    for part in parts:
        if not part.inner:
            yield part
            return
        yield from _beginnings(part.inner)


def _with_stops(
    parts: Sequence[m.PatternPart], behind: Sequence[m.PatternPart]
) -> tuple[m.PatternPart, ...]:
    """Return parts that know where a value in them ends; ``behind`` is what comes after them."""
    complete = []
    for number, part in enumerate(parts):
        rest = (*parts[number + 1 :], *behind)
        stops = frozenset(other.word for other in _beginnings(rest) if other.word)
        # Directly before another slot a slot takes a single number: `turn 3 Ann`.
        follows = parts[number + 1 : number + 2]
        single = any((other.inner or (other,))[0].slot for other in follows)
        inner = _with_stops(part.inner, rest)
        complete.append(part._replace(inner=inner, stops=stops, single=single))
    return tuple(complete)

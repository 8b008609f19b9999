"""Regular expressions as trees: read, compared by the characters they begin with, and printed."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

_LAST = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Signs:
    """One character of a set, which is held as ranges in ascending order."""

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, characters: Iterable[str]) -> Signs:
        """Return the set of these characters."""
        return cls(_merged((ord(one), ord(one)) for one in characters))

    def __or__(self, other: Signs) -> Signs:
        return Signs(_merged((*self.ranges, *other.ranges)))

    def __and__(self, other: Signs) -> Signs:
        return ~(~self | ~other)

    def __invert__(self) -> Signs:
        ends = (-1, *(end for _, end in self.ranges))
        starts = (*(start for start, _ in self.ranges), _LAST + 1)
        gaps = zip(ends, starts, strict=True)
        return Signs(tuple((end + 1, start - 1) for end, start in gaps if end + 1 < start))

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __iter__(self) -> Iterator[str]:
        return (chr(code) for start, end in self.ranges for code in range(start, end + 1))

    @property
    def excludes(self) -> bool:
        """Whether the set names what is not in it."""
        return bool(self.ranges) and self.ranges[-1][1] == _LAST


@dataclass(frozen=True, slots=True)
class Chain:
    """One after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The first that fits."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """As often as it can be; ``most`` is None where nothing limits it."""

    body: Node
    least: int
    most: int | None
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A look ahead: that something follows, or that it does not."""

    body: Node
    wanted: bool


@dataclass(frozen=True, slots=True)
class End:
    """The end of the text."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group with a name."""

    name: str
    body: Node


Node = Signs | Chain | Choice | Repeat | Look | End | Group

NONE = Signs(())


def chain(*parts: Node) -> Node:
    """Return a chain, without chains in it; ``X X*`` becomes ``X+``."""
    flat: list[Node] = []
    for part in parts:
        flat += part.parts if isinstance(part, Chain) else [part]
    joined: list[Node] = []
    for part in flat:
        if joined and part == Repeat(joined[-1], 0, None):
            joined[-1] = Repeat(joined[-1], 1, None)
        else:
            joined.append(part)
    return joined[0] if len(joined) == 1 else Chain(tuple(joined))


def choice(*options: Node) -> Node:
    """Return a choice; single characters become one set."""
    if all(isinstance(option, Signs) for option in options):
        signs = NONE
        for option in options:
            assert isinstance(option, Signs)
            signs |= option
        return signs
    return options[0] if len(options) == 1 else Choice(options)


def repeat(body: Node, least: int, most: int | None) -> Node:
    """Return a repetition; ``(X+)?`` becomes ``X*``."""
    if (least, most) == (0, 1) and isinstance(body, Repeat) and body.least == 1:
        return replace(body, least=0)
    return Repeat(body, least, most)


def parse(pattern: str) -> Node:
    """Read a pattern of :mod:`re`.

    Raises:
        ValueError: where it holds what no terminal needs (such as back references).

    """
    return _converted(importlib.import_module("re._parser").parse(pattern), ignorecase=False)


def _converted(items: Iterable[tuple[Any, Any]], *, ignorecase: bool) -> Node:
    """Return the tree of what Python's own reader of patterns found."""
    return chain(*(_one(str(operation), value, ignorecase) for operation, value in items))


def _one(operation: str, value: Any, ignorecase: bool) -> Node:
    if operation == "LITERAL":
        both = {chr(value).lower(), chr(value).upper()} if ignorecase else chr(value)
        return Signs.of(both)
    if operation == "NOT_LITERAL":
        return ~Signs.of(chr(value))
    if operation == "IN":
        return _set(value)
    if operation == "BRANCH":
        return choice(*(_converted(option, ignorecase=ignorecase) for option in value[1]))
    if operation == "SUBPATTERN" and value[0] is None:
        return _converted(value[3], ignorecase=ignorecase or bool(value[1] & re.IGNORECASE))
    if operation == "MAX_REPEAT":
        least, most, body = value
        unlimited = str(most) == "MAXREPEAT"
        return repeat(_converted(body, ignorecase=ignorecase), least, None if unlimited else most)
    if operation in {"ASSERT", "ASSERT_NOT"} and value[0] == 1:
        return Look(_converted(value[1], ignorecase=ignorecase), operation == "ASSERT")
    if operation == "AT" and str(value) == "AT_END_STRING":
        return End()
    raise ValueError(f"a terminal with {operation} {value}")


def _set(items: Sequence[tuple[Any, Any]]) -> Signs:
    ranges = []
    negated = False
    for operation, value in items:
        if str(operation) == "NEGATE":
            negated = True
        elif str(operation) == "RANGE":
            ranges.append(value)
        elif str(operation) == "LITERAL":
            ranges.append((value, value))
        else:
            raise ValueError(f"a terminal with {operation} in a set")
    signs = Signs(_merged(ranges))
    return ~signs if negated else signs


def _merged(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def all_signs(node: Node) -> Iterator[Signs]:
    """Give every set of characters in a pattern."""
    match node:
        case Signs():
            yield node
        case Chain(parts) | Choice(parts):
            for part in parts:
                yield from all_signs(part)
        case Repeat(body) | Look(body) | Group(_, body):
            yield from all_signs(body)


def changed(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a pattern in which every part is what ``change`` makes of it."""
    match node:
        case Chain(parts):
            node = chain(*(changed(part, change) for part in parts))
        case Choice(options):
            node = choice(*(changed(option, change) for option in options))
        case Repeat(body) | Look(body) | Group(_, body):
            node = replace(node, body=changed(body, change))
    return change(node)


def first(node: Node, follow: Signs = NONE) -> Signs:
    """Return the characters that a match can begin with; ``follow`` may come behind it.

    A look ahead at more than one character is taken for no restriction, so there may be too many.
    """
    match node:
        case Signs():
            return node
        case Chain(parts):
            for part in reversed(parts):
                follow = first(part, follow)
            return follow
        case Choice(options):
            found = NONE
            for option in options:
                found |= first(option, follow)
            return found
        case Repeat(body, least):
            return first(body) if least and not _empty(body) else first(body) | follow
        case Look(Signs() as signs, wanted):
            return follow & (signs if wanted else ~signs)
        case Look():
            return follow
        case Group(_, body):
            return first(body, follow)
    return NONE


def _empty(node: Node) -> bool:
    """Tell whether a match can be empty."""
    match node:
        case Signs():
            return False
        case Chain(parts):
            return all(map(_empty, parts))
        case Choice(options):
            return any(map(_empty, options))
        case Repeat(body, least):
            return not least or _empty(body)
        case Group(_, body):
            return _empty(body)
    return True


def shortest(node: Node) -> str:
    """Return the shortest text that fits, in the characters that come first."""
    match node:
        case Signs():
            return next(iter(node))
        case Chain(parts):
            return "".join(map(shortest, parts))
        case Choice(options):
            return min(map(shortest, options), key=len)
        case Repeat(body, least):
            return shortest(body) * least
        case Group(_, body):
            return shortest(body)
    return ""


def possessive(node: Node) -> Node:
    """Return a pattern that never goes back where going back could not help.

    A repetition need not be taken back if each round of it fits in one way only and none begins
    with what may stand behind it all. So the time taken is in proportion to the text.
    """
    return _settled(node, NONE)[0]


def _settled(node: Node, follow: Signs) -> tuple[Node, bool]:
    """Return a pattern made possessive, and whether it can fit in one way only."""
    match node:
        case Chain(parts):
            sure = True
            done: list[Node] = []
            for part in reversed(parts):
                settled, alone = _settled(part, follow)
                follow = first(part, follow)
                done.insert(0, settled)
                sure = sure and alone
            return Chain(tuple(done)), sure
        case Choice(options):
            each = [_settled(option, follow) for option in options]
            starts = [first(option) for option in options]
            sure = all(alone for _, alone in each) and not any(map(_empty, options))
            for place, start in enumerate(starts):
                sure = sure and not any(start & other for other in starts[:place])
            return Choice(tuple(option for option, _ in each)), sure
        case Repeat(body, least, most):
            start = first(body)
            inner, sure = _settled(body, follow if most == 1 else follow | start)
            sure = sure and not _empty(body)
            sure = sure and not start & follow
            return Repeat(inner, least, most, sure), sure
        case Look(body):
            return replace(node, body=_settled(body, NONE)[0]), True
        case Group(_, body):
            inner, sure = _settled(body, follow)
            return replace(node, body=inner), sure
    return node, True


_COUNTS = {(0, None): "*", (1, None): "+", (0, 1): "?"}
_SPECIAL = frozenset('\\^$.|?*+()[]{}-"')


def printed(node: Node) -> str:
    """Return the pattern as text for :mod:`re`."""
    match node:
        case Signs():
            return _printed_set(node)
        case Chain(parts):
            return "".join(_printed_parts(parts))
        case Choice(options):
            return "|".join(map(printed, options))
        case Repeat(body, least, most, possessive):
            inner = printed(body)
            if not isinstance(body, Signs):
                inner = f"(?:{inner})"
            return inner + _COUNTS[least, most] + "+" * possessive
        case Look(body, wanted):
            return f"(?{'=' if wanted else '!'}{printed(body)})"
        case End():
            return r"\Z"
        case Group(name, body):
            return f"(?P<{name}>{printed(body)})"


def _printed_parts(parts: Iterable[Node]) -> Iterator[str]:
    for is_word, group in groupby(parts, key=lambda part: bool(_letter(part))):
        if is_word:
            yield f"(?ai:{''.join(map(_letter, group))})"
            continue
        for part in group:
            yield f"(?:{printed(part)})" if isinstance(part, Choice) else printed(part)


def _letter(node: Node) -> str:
    """Return the letter that a pattern is in either case, or nothing."""
    signs = "".join(node) if isinstance(node, Signs) and len(node.ranges) == 2 else ""
    return signs[1] if len(signs) == 2 and signs[0].lower() == signs[1] else ""


def _printed_set(signs: Signs) -> str:
    if len(signs.ranges) == 1 and signs.ranges[0][0] == signs.ranges[0][1]:
        return _printed_sign(signs.ranges[0][0])
    ranges = (~signs).ranges if signs.excludes else signs.ranges
    inner = "".join(
        _printed_sign(start)
        if start == end
        else f"{_printed_sign(start)}{'-' if end > start + 1 else ''}{_printed_sign(end)}"
        for start, end in ranges
    )
    return f"[{'^' if signs.excludes else ''}{inner}]"


def _printed_sign(code: int) -> str:
    sign = chr(code)
    if sign in _SPECIAL:
        return "\\" + sign
    if sign.isprintable():
        return sign
    code_point = f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    return {"\n": r"\n", "\t": r"\t"}.get(sign, code_point)

"""The syntax tree of an expression.

``start`` and ``end`` are code point offsets into the source; ``depth`` is the height of the node,
which the parser bounds so that everything after it may recurse.
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple


class Literal(NamedTuple):
    """null, true, false, an integer or a string."""

    start: int
    end: int
    depth: int
    value: bool | int | str | None


class Identifier(NamedTuple):
    """A name; an absolute one (``.name``) is never a variable of a macro."""

    start: int
    end: int
    depth: int
    name: str
    absolute: bool


class Brackets(NamedTuple):
    """An expression in parentheses: ``(a.b).c`` is a field of ``a.b``, never the name ``a.b.c``."""

    start: int
    end: int
    depth: int
    inner: Node


class Select(NamedTuple):
    """``operand.field``; a quoted field (in backticks) is never part of a dotted name."""

    start: int
    end: int
    depth: int
    operand: Node
    field: str
    quoted: bool


class Index(NamedTuple):
    """``operand[key]``."""

    start: int
    end: int
    depth: int
    operand: Node
    key: Node


class Call(NamedTuple):
    """``name(arguments)`` or, with a receiver, ``receiver.name(arguments)``."""

    start: int
    end: int
    depth: int
    receiver: Node | None
    name: str
    name_start: int
    absolute: bool
    arguments: tuple[Node, ...]


class ListLiteral(NamedTuple):
    """``[items]``."""

    start: int
    end: int
    depth: int
    items: tuple[Node, ...]


class MapLiteral(NamedTuple):
    """``{key: value, ...}``."""

    start: int
    end: int
    depth: int
    entries: tuple[tuple[Node, Node], ...]


class Negation(NamedTuple):
    """The operator ``!`` or ``-`` before an operand."""

    start: int
    end: int
    depth: int
    operator: str
    times: int
    operand: Node


class Chain(NamedTuple):
    """Operators of one level, applied from left to right: ``first op operand op operand ...``.

    A chain is flat, so that a sum of a thousand terms is no deeper than one of two.
    """

    start: int
    end: int
    depth: int
    first: Node
    rest: tuple[tuple[str, Node], ...]


class Logic(NamedTuple):
    """Operands joined by ``&&`` or by ``||``; flat, like ``Chain``."""

    start: int
    end: int
    depth: int
    operator: str
    operands: tuple[Node, ...]


class Conditional(NamedTuple):
    """``test ? then : test ? then : ... : otherwise``, with the branches in order."""

    start: int
    end: int
    depth: int
    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node


Node = (
    Literal | Identifier | Brackets | Select | Index | Call | ListLiteral | MapLiteral | Negation
    | Chain | Logic | Conditional
)  # fmt: skip
"""A part of an expression and its place."""


def dotted(node: Node, hidden: Container[str]) -> str | None:
    """Return a chain of plain selections as a dotted name; None if it is something else.

    ``hidden`` are names that variables of macros hide.
    """
    parts: list[str] = []
    while isinstance(node, Select) and not node.quoted:
        parts.append(node.field)
        node = node.operand
    if not isinstance(node, Identifier) or (node.name in hidden and not node.absolute):
        return None
    return ".".join([node.name, *reversed(parts)])

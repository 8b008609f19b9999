"""The syntax tree of an expression.

``start`` and ``end`` are code point offsets into the source; ``depth`` is the height of the node,
which the parser bounds so that everything after it may recurse.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an expression and its place."""

    start: int
    end: int
    depth: int


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """null, true, false, an integer or a string."""

    value: bool | int | str | None


@dataclass(frozen=True, slots=True)
class Identifier(Node):
    """A name; an absolute one (``.name``) is never a variable of a macro."""

    name: str
    absolute: bool


@dataclass(frozen=True, slots=True)
class Group(Node):
    """An expression in parentheses: ``(a.b).c`` is a field of ``a.b``, never the name ``a.b.c``."""

    inner: Node


@dataclass(frozen=True, slots=True)
class Select(Node):
    """``operand.field``; a quoted field (in backticks) is never part of a dotted name."""

    operand: Node
    field: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``operand[index]``."""

    operand: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``name(arguments)`` or, with a receiver, ``receiver.name(arguments)``."""

    receiver: Node | None
    name: str
    name_start: int
    absolute: bool
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ListLiteral(Node):
    """``[items]``."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class MapLiteral(Node):
    """``{key: value, ...}``."""

    entries: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True, slots=True)
class Negation(Node):
    """``count`` times the operator ``!`` or ``-`` before an operand."""

    operator: str
    count: int
    operand: Node


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """Operators of one level, applied from left to right: ``first op operand op operand ...``.

    A chain is flat, so that a sum of a thousand terms is no deeper than one of two.
    """

    first: Node
    rest: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """Operands joined by ``&&`` or by ``||``; flat, like ``Chain``."""

    operator: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """``test ? then : test ? then : ... : otherwise``, with the branches in order."""

    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node

"""The typed tree of an expression that passed: what each part of it means, and its type.

The checker makes it, ``printing`` makes Python of it. Code that needs the meaning of an expression
reads this tree, never the Python printed from it.

Every part has its ``type`` and its ``place``, offsets of its start and end in the source.
What is computed from other parts has ``code``, a template in which ``{0}``, ``{1}``, ... stand for
these, and ``safe``: whether nothing in it can raise what ``&&`` and ``||`` would have to absorb.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple, TypeGuard

from altay_cli.expressions.types import DYN, Type


class Constant(NamedTuple):
    """null, true, false, a number or a text."""

    type: Type
    place: tuple[int, int]
    value: bool | int | str | None


class Reference(NamedTuple):
    """A name of the environment, dots included.

    ``key`` is that under which callers pass its value, if it is only known at the moment; ``code``
    yields the value.
    """

    type: Type
    place: tuple[int, int]
    name: str
    key: str | None
    code: str


class Variable(NamedTuple):
    """A variable of a macro around; ``code`` yields its value."""

    type: Type
    place: tuple[int, int]
    name: str
    code: str


class Member(NamedTuple):
    """A member of a value, or the entry of a map; ``test`` says that `has` asks if it is there."""

    type: Type
    place: tuple[int, int]
    operand: Tree
    field: str
    test: bool
    code: str
    safe: bool


class Choice(NamedTuple):
    """``test ? then : ...``, the branches in order."""

    type: Type
    place: tuple[int, int]
    branches: tuple[tuple[Tree, Tree], ...]
    otherwise: Tree


class Applied(NamedTuple):
    """An operator, or the call of a function or method, whose receiver is its first argument.

    ``function`` is a name or a sign: ``+``, ``<=``, ``in``, ``[]``. Both ``!`` and ``-`` can have
    one argument; ``&&`` and ``||`` have two or more, and no ``code`` of their own. ``own`` says
    that it is a function of the rules.
    """

    type: Type
    place: tuple[int, int]
    function: str
    arguments: tuple[Tree, ...]
    code: str
    safe: bool
    own: bool = False


class Walk(NamedTuple):
    """A macro: ``bodies`` are evaluated for each element of ``over``, named ``variables``.

    ``code`` makes a list of ``over``, paid for with ``{1}``, by the ``weight`` of the bodies.
    ``number`` is that of the first variable in Python.
    """

    type: Type
    place: tuple[int, int]
    macro: str
    variables: tuple[str, ...]
    over: Tree
    bodies: tuple[Tree, ...]
    code: str
    safe: bool
    number: int
    weight: int


class Listed(NamedTuple):
    """A list that is written down."""

    type: Type
    place: tuple[int, int]
    items: tuple[Tree, ...]


class Mapped(NamedTuple):
    """A map that is written down."""

    type: Type
    place: tuple[int, int]
    entries: tuple[tuple[Tree, Tree], ...]

    @property
    def is_plain(self) -> bool:
        """Whether the keys are constants of one type, so that Python can make the map."""
        keys = (key for key, _ in self.entries)
        return self.type.args[0] != DYN and all(isinstance(key, Constant) for key in keys)


class Failure(NamedTuple):
    """What is only found wrong at evaluation, as CEL does without declared types."""

    type: Type
    place: tuple[int | None, int | None]
    code: str
    message: str


Tree = (
    Constant | Reference | Variable | Member | Applied | Choice | Walk | Listed | Mapped | Failure
)


def is_safe(tree: Tree) -> bool:
    """Return whether a value can be computed without raising what would have to be absorbed."""
    match tree:
        case Constant() | Reference() | Variable():
            return True
        case Choice():
            tests = [test for test, _ in tree.branches]
            return all(map(is_certain, tests)) and all(map(is_safe, parts(tree)))
        case Listed():
            return all(map(is_safe, tree.items))
        case Mapped():
            return tree.is_plain and all(map(is_safe, parts(tree)))
        case Failure():
            return False
        case _:
            return tree.safe


def is_certain(tree: Tree) -> bool:
    """Return the same of a condition, which must be tested if it may be no bool."""
    return tree.type != DYN and is_safe(tree)


_CHAINED = frozenset({"+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in"})


def is_chain(tree: Tree) -> TypeGuard[Applied]:
    """Return whether a tree is an operator between two operands."""
    return isinstance(tree, Applied) and tree.function in _CHAINED and len(tree.arguments) == 2


def chain(tree: Applied) -> tuple[Tree, list[Applied]]:
    """Return what a chain of operators begins with, and the operators from left to right.

    There may be thousands, too many to recurse into the first operand.
    """
    operators = [tree]
    first = tree.arguments[0]
    while is_chain(first):
        operators.append(first)
        first = first.arguments[0]
    return first, operators[::-1]


def parts(tree: Tree) -> tuple[Tree, ...]:
    """Return what a tree is directly made of, in order."""
    return tuple(_trees_in(tree[2:]))


def _trees_in(values: Iterable[object]) -> Iterator[Tree]:
    for value in values:
        if isinstance(value, Tree):
            yield value
        elif isinstance(value, tuple):
            yield from _trees_in(value)


def everything(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all that it is made of."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(parts(part)))


# What trees hold besides what they say: their place, and how Python is made of them.
_PRINTED = frozenset({"type", "place", "code", "safe", "number", "weight"})


def meaning(part: object) -> Hashable:
    """Return what a tree says, wherever it stands: the same of two trees that say the same."""
    if isinstance(part, Tree):
        fields = zip(part._fields, part, strict=True)
        inside = (meaning(value) for name, value in fields if name not in _PRINTED)
        return (type(part).__name__, *inside)
    if isinstance(part, tuple):
        return tuple(map(meaning, part))
    return type(part), part

"""The typed tree of a checked expression, from which ``printing`` prints Python.

``place`` is start and end in the source. ``code`` is a template with ``{0}``, ``{1}``, ... for the
operands, ``cell`` that of the index of the cell that has the value, if it is in the state. ``safe``
parts raise nothing that ``&&`` and ``||`` would have to absorb.
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

    ``key`` is the key under which callers pass its value, if any.
    """

    type: Type
    place: tuple[int, int]
    name: str
    key: str | None
    code: str
    cell: str | None = None


class Variable(NamedTuple):
    """A variable of an enclosing macro."""

    type: Type
    place: tuple[int, int]
    name: str
    code: str


class Member(NamedTuple):
    """A member, or the entry of a map; ``test`` is True within `has`."""

    type: Type
    place: tuple[int, int]
    operand: Tree
    field: str
    test: bool
    code: str
    safe: bool
    cell: str | None = None


class Conditional(NamedTuple):
    """``test ? then : ...``."""

    type: Type
    place: tuple[int, int]
    branches: tuple[tuple[Tree, Tree], ...]
    otherwise: Tree


class Applied(NamedTuple):
    """An operator or call; the receiver of a method is the first argument.

    function: a name or a sign: ``+``, ``<=``, ``in``, ``[]``. ``!`` and ``-`` may have one
        argument; ``&&`` and ``||`` have two or more, and no ``code``.
    """

    type: Type
    place: tuple[int, int]
    function: str
    arguments: tuple[Tree, ...]
    code: str
    safe: bool
    from_rules: bool = False
    cell: str | None = None


class Walk(NamedTuple):
    """A macro: ``bodies`` are evaluated for each element of ``over``, named ``variables``.

    In ``code``, ``{0}`` is ``over``, ``{1}`` is ``weight``, the steps to pay per element. Python
    names the variables by numbers from ``number`` on.
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
    """A list literal."""

    type: Type
    place: tuple[int, int]
    items: tuple[Tree, ...]


class Mapped(NamedTuple):
    """A map literal."""

    type: Type
    place: tuple[int, int]
    entries: tuple[tuple[Tree, Tree], ...]

    @property
    def is_plain(self) -> bool:
        """Whether all keys are constants of one type."""
        keys = (key for key, _ in self.entries)
        return self.type.args[0] != DYN and all(isinstance(key, Constant) for key in keys)


class Failure(NamedTuple):
    """A mistake that is only reported at evaluation."""

    type: Type
    place: tuple[int | None, int | None]
    code: str
    message: str


Tree = (
    Constant
    | Reference
    | Variable
    | Member
    | Applied
    | Conditional
    | Walk
    | Listed
    | Mapped
    | Failure
)


def is_safe(tree: Tree) -> bool:
    """Return True if evaluation raises nothing to be absorbed."""
    match tree:
        case Constant() | Reference() | Variable():
            return True
        case Conditional():
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
    """Return True if a tree is safe and surely a bool."""
    return tree.type != DYN and is_safe(tree)


_CHAINED = frozenset({"+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in"})


def is_chain(tree: Tree) -> TypeGuard[Applied]:
    """Return True for an operator with two operands."""
    return isinstance(tree, Applied) and tree.function in _CHAINED and len(tree.arguments) == 2


def chain(tree: Applied) -> tuple[Tree, list[Applied]]:
    """Return the first operand, and the operators from left to right.

    There may be thousands, too many for recursion.
    """
    operators = [tree]
    first = tree.arguments[0]
    while is_chain(first):
        operators.append(first)
        first = first.arguments[0]
    return first, operators[::-1]


def parts(tree: Tree) -> tuple[Tree, ...]:
    """Return the direct parts."""
    return tuple(_trees_in(tree[2:]))


def _trees_in(values: Iterable[object]) -> Iterator[Tree]:
    for value in values:
        if isinstance(value, Tree):
            yield value
        elif isinstance(value, tuple):
            yield from _trees_in(value)


def everything(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all its parts, nested ones included."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(parts(part)))


_PRINTED = frozenset({"type", "place", "code", "cell", "safe", "number", "weight"})


def meaning(part: object) -> Hashable:
    """Return a key that is equal for trees with the same meaning."""
    if isinstance(part, Tree):
        fields = zip(part._fields, part, strict=True)
        inside = (meaning(value) for name, value in fields if name not in _PRINTED)
        return (type(part).__name__, *inside)
    if isinstance(part, tuple):
        return tuple(map(meaning, part))
    return type(part), part

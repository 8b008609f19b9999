"""The typed tree of an expression that passed: what each part of it means, and its type.

The checker notes what it finds out about each node; ``typed`` makes a tree of it. Code that needs
the meaning of an expression reads this tree, never the Python printed from it.

Every part has its ``type`` and its place in the source, ``start`` to ``end``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from altay_cli.expressions import syntax
from altay_cli.expressions.environment import Function
from altay_cli.expressions.types import DYN, Type


class Constant(NamedTuple):
    """null, true, false, a number or a text."""

    type: Type
    start: int
    end: int
    value: bool | int | str | None


class Named(NamedTuple):
    """A name of the environment, dots included.

    ``key`` is that under which callers pass its value, if it is only known at the moment.
    """

    type: Type
    start: int
    end: int
    name: str
    key: str | None


class Variable(NamedTuple):
    """A variable of a macro around."""

    type: Type
    start: int
    end: int
    name: str


class Member(NamedTuple):
    """A member of a value, or the entry of a map; ``test`` says that `has` asks if it is there."""

    type: Type
    start: int
    end: int
    operand: Tree
    field: str
    test: bool


class Item(NamedTuple):
    """An element of a list, an entry of a map, or what is indexed otherwise."""

    type: Type
    start: int
    end: int
    operand: Tree
    key: Tree


class Operation(NamedTuple):
    """An operator: ``!`` and ``neg`` of one operand, all others (``+``, ``<=``, ``in``) of two."""

    type: Type
    start: int
    end: int
    sign: str
    operands: tuple[Tree, ...]


class Joined(NamedTuple):
    """Conditions joined by ``&&`` (``every``) or by ``||``."""

    type: Type
    start: int
    end: int
    every: bool
    operands: tuple[Tree, ...]


class Choice(NamedTuple):
    """``test ? then : ...``, the branches in order."""

    type: Type
    start: int
    end: int
    branches: tuple[tuple[Tree, Tree], ...]
    otherwise: Tree


class Applied(NamedTuple):
    """A call of a function or method, whose receiver is its first argument.

    ``own`` says that it is a function of the rules. Of one that every game has, ``code`` is the
    template by which it is evaluated.
    """

    type: Type
    start: int
    end: int
    function: str
    arguments: tuple[Tree, ...]
    own: bool
    code: str


class Walk(NamedTuple):
    """A macro: ``bodies`` are evaluated for each element of ``over``, named ``variables``."""

    type: Type
    start: int
    end: int
    macro: str
    variables: tuple[str, ...]
    over: Tree
    bodies: tuple[Tree, ...]


class Listed(NamedTuple):
    """A list that is written down."""

    type: Type
    start: int
    end: int
    items: tuple[Tree, ...]


class Mapped(NamedTuple):
    """A map that is written down."""

    type: Type
    start: int
    end: int
    entries: tuple[tuple[Tree, Tree], ...]


Tree = (
    Constant
    | Named
    | Variable
    | Member
    | Item
    | Operation
    | Joined
    | Choice
    | Applied
    | Walk
    | Listed
    | Mapped
)


class Notes:
    """What the checker found out about the nodes of one expression, by their identity.

    ``types`` of all nodes; ``names`` of those that are names of the environment, with their keys;
    ``variables`` those that are variables of macros; ``functions`` the names under which functions
    were found, and what was chosen; ``walks`` the calls that are macros, with their variables.
    """

    __slots__ = ("functions", "names", "types", "variables", "walks")

    def __init__(self) -> None:
        self.types: dict[int, Type] = {}
        self.names: dict[int, tuple[str, str | None]] = {}
        self.variables: set[int] = set()
        self.functions: dict[int, tuple[str, Function]] = {}
        self.walks: dict[int, int] = {}


def typed(node: syntax.Node, notes: Notes) -> Tree:
    """Return the typed tree of an expression of which the checker took notes."""
    return _Builder(notes).build(node)


class _Builder:
    def __init__(self, notes: Notes) -> None:
        self.notes = notes

    def build(self, node: syntax.Node) -> Tree:
        """Return the tree of a node."""
        kind = self.notes.types.get(id(node), DYN)
        start, end = node.start, node.end
        match node:
            case syntax.Group():
                return self.build(node.inner)
            case syntax.Literal():
                return Constant(kind, start, end, node.value)
            case syntax.Identifier():
                if id(node) in self.notes.variables:
                    return Variable(kind, start, end, node.name)
                return self._named(node, node.name)
            case syntax.Select():
                if id(node) in self.notes.names:
                    return self._named(node, "")
                return Member(kind, start, end, self.build(node.operand), node.field, False)
            case syntax.Index():
                return Item(kind, start, end, self.build(node.operand), self.build(node.key))
            case syntax.ListLiteral():
                return Listed(kind, start, end, tuple(map(self.build, node.items)))
            case syntax.MapLiteral():
                entries = tuple((self.build(k), self.build(v)) for k, v in node.entries)
                return Mapped(kind, start, end, entries)
            case syntax.Negation():
                return self._negation(node, kind)
            case syntax.Chain():
                return self._chain(node, kind)
            case syntax.Logic():
                operands = tuple(map(self.build, node.operands))
                return Joined(kind, start, end, node.operator == "&&", operands)
            case syntax.Conditional():
                branches = tuple((self.build(t), self.build(v)) for t, v in node.branches)
                return Choice(kind, start, end, branches, self.build(node.otherwise))
            case syntax.Call():
                return self._call(node, kind)

    def _named(self, node: syntax.Node, name: str) -> Named:
        found, key = self.notes.names.get(id(node), (name, None))
        kind = self.notes.types.get(id(node), DYN)
        return Named(kind, node.start, node.end, found, key)

    def _negation(self, node: syntax.Negation, kind: Type) -> Tree:
        operand = self.build(node.operand)
        if node.times % 2 == 0:
            return operand
        sign = "!" if node.operator == "!" else "neg"
        return Operation(kind, node.start, node.end, sign, (operand,))

    def _chain(self, node: syntax.Chain, kind: Type) -> Tree:
        found = self.build(node.first)
        for sign, operand in node.rest:
            right = self.build(operand)
            # All operators of a level give the same type, that of the whole.
            found = Operation(kind, found.start, right.end, sign, (found, right))
        return found

    def _call(self, node: syntax.Call, kind: Type) -> Tree:
        start, end = node.start, node.end
        variables = self.notes.walks.get(id(node))
        if variables is not None:
            assert node.receiver is not None
            names = tuple(
                part.name
                for part in node.arguments[:variables]
                if isinstance(part, syntax.Identifier)
            )
            bodies = tuple(map(self.build, node.arguments[variables:]))
            return Walk(kind, start, end, node.name, names, self.build(node.receiver), bodies)
        chosen = self.notes.functions.get(id(node))
        if node.receiver is None and node.name == "has" and chosen is None:
            inner: syntax.Node = node.arguments[0]
            while isinstance(inner, syntax.Group):
                inner = inner.inner
            assert isinstance(inner, syntax.Select)
            return Member(kind, start, end, self.build(inner.operand), inner.field, True)
        name, own, code = node.name, False, ""
        if chosen is not None:
            name, own, code = chosen[0], chosen[1].own, chosen[1].code
        # Of a dotted function such as `lists.range`, the receiver is a part of the name.
        receiver = () if node.receiver is None or "." in name else (node.receiver,)
        arguments = tuple(map(self.build, (*receiver, *node.arguments)))
        return Applied(kind, start, end, name, arguments, own, code)


def parts(tree: Tree) -> tuple[Tree, ...]:
    """Return what a tree is directly made of."""
    match tree:
        case Member():
            return (tree.operand,)
        case Item():
            return (tree.operand, tree.key)
        case Operation() | Joined():
            return tree.operands
        case Choice():
            return (*(part for branch in tree.branches for part in branch), tree.otherwise)
        case Applied():
            return tree.arguments
        case Walk():
            return (tree.over, *tree.bodies)
        case Listed():
            return tree.items
        case Mapped():
            return tuple(part for entry in tree.entries for part in entry)
        case _:
            return ()


def everything(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all that it is made of."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(parts(found)))


def same(one: Tree, other: Tree) -> bool:
    """Return whether two trees say the same, wherever they stand."""
    if type(one) is not type(other) or about(one) != about(other):
        return False
    inside, others = parts(one), parts(other)
    return len(inside) == len(others) and all(map(same, inside, others))


def about(tree: Tree) -> tuple[object, ...]:
    """Return what tells a tree apart from others besides its parts."""
    match tree:
        case Member():
            return tree.field, tree.test
        case Operation():
            return (tree.sign,)
        case Joined():
            return (tree.every,)
        case Applied():
            return tree.function, tree.own
        case Walk():
            return tree.macro, tree.variables
        case Constant():
            return type(tree.value), tree.value
        case Named():
            return tree.name, tree.key
        case Variable():
            return (tree.name,)
        case _:
            return ()


__all__ = [
    "Applied",
    "Choice",
    "Constant",
    "Item",
    "Joined",
    "Listed",
    "Mapped",
    "Member",
    "Named",
    "Notes",
    "Operation",
    "Tree",
    "Variable",
    "Walk",
    "about",
    "everything",
    "parts",
    "same",
    "typed",
]

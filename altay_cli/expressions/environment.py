"""Environments: names, members and functions of expressions, and their Python code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.parser import Syntax
from altay_cli.expressions.typed import Failure, Reference, Tree
from altay_cli.expressions.types import BOOL, DYN, NOTHING, Type, Unifier, join

Reads = frozenset[int | str]
"""What code reads of a state: indexes of zones, and words for the rest."""

NOTHING_READ: Reads = frozenset()


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name, or a member of a type, with the Python source of its value.

    code: trusted source, never from a rule file, that needs no brackets. For a member, ``{0}`` is
        the receiver and ``{0:index}`` its number within its kind.
    local: for a value passed at evaluation, its Python variable and the key in the values.
    size: the minimum length of a list.
    level: the number of local names that it hides.
    safe: whether the code of a member never raises; names never do.
    cell: the source of the index of the cell that has the value, if it is in the state.
    """

    type: Type
    code: str
    local: tuple[str, str] | None = None
    size: int = 0
    level: int = 0
    reads: Reads = NOTHING_READ
    safe: bool = True
    cell: str | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """One overload of a function or method; ``{0}``, ``{1}``, ... in ``code`` are the arguments.

    The receiver of a method is ``{0}``. An argument named twice is evaluated twice.

    least: the minimum number of steps of a call.
    reads: callers look this up for functions of the rules.
    safe, cell: as for a symbol.
    """

    parameters: tuple[Type, ...]
    result: Type
    code: str
    method: bool = False
    safe: bool = False
    least: int = 0
    from_rules: bool = False
    reads: Reads = NOTHING_READ
    cell: str | None = None


def overload(
    name: str, gives: Type, code: str, *parameters: Type,
    method: bool = True, safe: bool = True, reads: str = "",
) -> tuple[str, Function]:  # fmt: skip
    """Return an overload of a function, with its name."""
    looks = {reads} if reads else ()
    return name, Function(parameters, gives, code, method, safe, reads=frozenset(looks))


def by_name(rows: Iterable[tuple[str, Function]]) -> dict[str, list[Function]]:
    """Return overloads by name."""
    overloads: dict[str, list[Function]] = {}
    for name, function in rows:
        overloads.setdefault(name, []).append(function)
    return overloads


@dataclass(frozen=True, slots=True)
class Environment:
    """The names that expressions may use, besides CEL's standard library.

    names: may have dotted keys; in ``a.b.c`` the longest prefix that is a name counts.
    members: by type and member.
    functions: "@in", "@index", "@+", "@-", ... overload operators for engine types; "@list"
        converts these to lists, for macros and `in`.
    nullable: the types whose values may be null.
    """

    names: Mapping[str, Symbol] = field(default_factory=dict)
    members: Mapping[tuple[str, str], Symbol] = field(default_factory=dict)
    functions: Mapping[str, Sequence[Function]] = field(default_factory=dict)
    nullable: frozenset[str] = frozenset()

    def child(self, names: Mapping[str, Symbol]) -> Environment:
        """Return an environment with these names added; they hide outer ones.

        >>> env = Environment({}).child({"n": Symbol(DYN, "v_n")})
        >>> sorted(env.names)
        ['n']
        """
        return replace(self, names={**self.names, **names})


# Errors that are reported even where types are only known at evaluation.
_ALWAYS_REFUSED = frozenset({"unsupported", "syntax", "too-deep", "int-range", "regex"})


class Checker:
    """The state of checking one expression, shared by the visitors of its nodes.

    visitors: the check for each rule of the grammar.
    scope: variables of the enclosing macros.
    visited: the number of nodes, for the weight of macro bodies.
    """

    def __init__(self, env: Environment, lenient: bool, visitors: Visitors) -> None:
        self.env = env
        self.lenient = lenient
        self.visitors = visitors
        self.scope: dict[str, tuple[Type, str]] = {}
        self.visited = 0
        self.variables = 0
        self.used: set[str] = set()
        self.calls: set[str] = set()
        self.reads: set[int | str] = set()
        self.locals: dict[str, str] = {}

    def visit(self, node: Syntax) -> Tree:
        """Return the typed tree of a node."""
        self.visited += 1
        try:
            return self.visitors[node.rule](self, node)
        except ExpressionError as error:
            if not self.lenient or error.code in _ALWAYS_REFUSED:
                raise
            return Failure(DYN, (error.start, error.end), error.code, error.message)

    def refuse(self, code: str, message: str, node: Syntax, /, **values: object) -> NoReturn:
        """Raise an error at a node; ``values`` fill its message."""
        raise ExpressionError(code, message, *node.place, **values)

    def accepts(self, wanted: Type, given: Type) -> bool:
        """Return True if a ``given`` value may be used as ``wanted``."""
        return Unifier(self.env.nullable).accept(wanted, given)

    def join(self, left: Type, right: Type) -> Type | None:
        """Return the narrowest type that accepts both, or None."""
        return join(left, right, self.env.nullable)

    def common(self, trees: Iterable[Tree]) -> Type:
        """Return the type that accepts all values, perhaps dyn."""
        kind = NOTHING
        for tree in trees:
            kind = self.join(kind, tree.type) or DYN
        return kind

    def certain(self, wanted: Type, given: Type) -> Type | None:
        """Return the type of a value where ``wanted`` is expected; None if it does not fit.

        If it differs from ``given``, the value must be tested at evaluation.
        """
        types = Unifier(self.env.nullable)
        if not types.accept(wanted, given):
            return None
        return types.resolve(wanted) if types.dynamic else given

    def expect(self, node: Syntax, tree: Tree, wanted: Type) -> Type:
        """Return the type of a value that must be ``wanted``, else raise."""
        kind = self.certain(wanted, tree.type)
        if kind is None:
            template = "{wanted} is needed here, but this is {found}"
            self.refuse("wrong-type", template, node, wanted=wanted, found=tree.type)
        return kind

    def condition(self, node: Syntax) -> Tree:
        """Return the tree of a node that must be a bool."""
        tree = self.visit(node)
        try:
            self.expect(node, tree, BOOL)
        except ExpressionError as error:
            if not self.lenient:
                raise
            return Failure(BOOL, (error.start, error.end), error.code, error.message)
        return tree

    def iteration(self, kind: Type) -> tuple[str, Type] | None:
        """Return the code of an engine value as a list, and its element type."""
        for function in self.env.functions.get("@list", ()):
            types = Unifier(self.env.nullable)
            if types.accept(function.parameters[0], kind):
                return function.code, types.resolve(function.result).args[0]
        return None

    def named(self, name: str, node: Syntax) -> Reference | None:
        """Return the name at a node, or None."""
        known = self.env.names.get(name)
        if known is None:
            return None
        self.used.add(name)
        self.reads |= known.reads
        key = None
        if known.local is not None:
            variable, key = known.local
            self.locals[variable] = key
        return Reference(known.type, node.place, name, key, known.code, known.cell)

    def path(self, node: Syntax) -> str | None:
        """Return a chain of plain selections as a dotted name; None for anything else.

        ``(a.b).c`` is a field of ``a.b``, not a dotted name; so are variables of macros and names
        in backticks.
        """
        fields: list[str] = []
        while node.rule == "select" and node.word.type != "QUOTED":
            fields.append(node.name)
            (node,) = node.parts
        if node.rule != "name" or (node.name in self.scope and not node.is_absolute):
            return None
        return ".".join([node.name, *reversed(fields)])


Visitors = Mapping[str, Callable[[Checker, Syntax], Tree]]
"""The check for each rule of the grammar."""

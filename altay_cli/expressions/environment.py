"""What an expression may mention: names, members, functions, and how they read in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.parser import Syntax
from altay_cli.expressions.typed import Failure, Reference, Tree
from altay_cli.expressions.types import BOOL, DYN, NOTHING, Type, Unifier, join

Reads = frozenset[int | str]
"""What code looks at in a state: the indexes of zones, and words for everything else."""

NOTHING_READ: Reads = frozenset()


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name and the Python source that yields its value, e.g. ``v_card``; or a member of a type.

    The source is trusted: the engine writes it, never a rule file. It binds so tightly that it can
    stand anywhere; so does the code of functions. In that of a member, ``{0}`` stands for the
    receiver, and ``{0:index}`` for its number among the things of its kind, see
    ``printing.Filled``. ``safe`` says that it cannot raise, which a name never does.

    Of a name whose value is only known at the moment, ``local`` is the Python variable that holds
    it, and the key under which callers pass it. ``size`` is how long a list is at least. ``level``
    counts the names of the moment that it hides. ``reads`` is what the source looks at in a state.
    """

    type: Type
    code: str
    local: tuple[str, str] | None = None
    size: int = 0
    level: int = 0
    reads: Reads = NOTHING_READ
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Function:
    """One overload of a function or method; ``{0}``, ``{1}``, ... stand for the arguments.

    The receiver of a method is ``parameters[0]`` and ``{0}``. An argument that the template
    names twice is evaluated twice. ``safe`` says that the code cannot raise. ``least`` is how many
    steps a call takes at least. ``own`` says that the rules themselves define it. ``reads`` is
    what the code looks at in a state, apart from its arguments; of an own function, whoever calls
    it has to look up what that reads.
    """

    parameters: tuple[Type, ...]
    result: Type
    code: str
    method: bool = False
    safe: bool = False
    least: int = 0
    own: bool = False
    reads: Reads = NOTHING_READ


def overload(
    name: str, gives: Type, code: str, *parameters: Type,
    method: bool = True, safe: bool = True, reads: str = "",
) -> tuple[str, Function]:  # fmt: skip
    """Return one overload of a function, with its name."""
    looks = {reads} if reads else ()
    return name, Function(parameters, gives, code, method, safe, reads=frozenset(looks))


def by_name(rows: Iterable[tuple[str, Function]]) -> dict[str, list[Function]]:
    """Return overloads by their names, in their order."""
    overloads: dict[str, list[Function]] = {}
    for name, function in rows:
        overloads.setdefault(name, []).append(function)
    return overloads


@dataclass(frozen=True, slots=True)
class Environment:
    """All that an expression may mention, on top of CEL's standard library.

    ``names`` may have dotted keys: of ``a.b.c`` the longest prefix that is a name counts.
    ``members`` is keyed by type name and member. The keys "@in", "@index", "@+", "@-", ... of
    ``functions`` overload operators for engine types; "@list" makes lists of them, for the macros
    and `in`. Null may stand where a type of ``nullable`` is asked for.
    """

    names: Mapping[str, Symbol] = field(default_factory=dict)
    members: Mapping[tuple[str, str], Symbol] = field(default_factory=dict)
    functions: Mapping[str, Sequence[Function]] = field(default_factory=dict)
    nullable: frozenset[str] = frozenset()

    def child(self, names: Mapping[str, Symbol]) -> Environment:
        """Return an environment that knows these names too; they hide outer ones."""
        return replace(self, names={**self.names, **names})


# What is refused even where types are only known at evaluation.
_ALWAYS_REFUSED = frozenset({"unsupported", "syntax", "too-deep", "int-range", "regex"})


class Checker:
    """The state of checking one expression, which the visitors of its nodes share.

    ``visitors`` say for each rule of the grammar what it means, so that nothing here knows them.
    ``scope`` holds the variables of the macros around, with their types and codes; ``visited``
    counts nodes, for the weight of macro bodies; ``used`` collects names, ``locals`` those of them
    whose values callers pass, ``calls`` the rules' own functions, and ``reads`` what is looked at
    in a state.
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
        """Return what a node means."""
        self.visited += 1
        try:
            return self.visitors[node.rule](self, node)
        except ExpressionError as error:
            if not self.lenient or error.code in _ALWAYS_REFUSED:
                raise
            return Failure(DYN, (error.start, error.end), error.code, error.message)

    def refuse(self, code: str, message: str, node: Syntax, /, **values: object) -> NoReturn:
        """Raise an error at a node; ``values`` stand in its message."""
        raise ExpressionError(code, message, *node.place, **values)

    def accepts(self, wanted: Type, given: Type) -> bool:
        """Whether a value of type ``given`` may stand for ``wanted``."""
        return Unifier(self.env.nullable).accept(wanted, given)

    def join(self, one: Type, other: Type) -> Type | None:
        """Return the type that both fit, or None."""
        return join(one, other, self.env.nullable)

    def common(self, trees: Iterable[Tree]) -> Type:
        """Return the type that all values fit; of mixed ones it is dyn."""
        kind = NOTHING
        for tree in trees:
            kind = self.join(kind, tree.type) or DYN
        return kind

    def certain(self, wanted: Type, given: Type) -> Type | None:
        """Return the type that a value has where one is wanted, or None if it does not fit.

        If that is not the type that was found, the value must be tested at evaluation.
        """
        types = Unifier(self.env.nullable)
        if not types.accept(wanted, given):
            return None
        return types.resolve(wanted) if types.dynamic else given

    def expect(self, node: Syntax, tree: Tree, wanted: Type) -> Type:
        """Return the type of a value that must be of a type, see ``certain``; or refuse it."""
        kind = self.certain(wanted, tree.type)
        if kind is None:
            template = "{wanted} is needed here, but this is {found}"
            self.refuse("wrong-type", template, node, wanted=wanted, found=tree.type)
        return kind

    def condition(self, node: Syntax) -> Tree:
        """Return what a node means that must be a bool."""
        tree = self.visit(node)
        try:
            self.expect(node, tree, BOOL)
        except ExpressionError as error:
            if not self.lenient:
                raise
            return Failure(BOOL, (error.start, error.end), error.code, error.message)
        return tree

    def iteration(self, kind: Type) -> tuple[str, Type] | None:
        """Return the code of an engine value as a list, and the type of its elements; or None."""
        for one in self.env.functions.get("@list", ()):
            types = Unifier(self.env.nullable)
            if types.accept(one.parameters[0], kind):
                return one.code, types.resolve(one.result).args[0]
        return None

    def named(self, name: str, node: Syntax) -> Reference | None:
        """Return the name of the environment that stands at a node, or None."""
        known = self.env.names.get(name)
        if known is None:
            return None
        self.used.add(name)
        self.reads |= known.reads
        key = None
        if known.local is not None:
            variable, key = known.local
            self.locals[variable] = key
        return Reference(known.type, node.place, name, key, known.code)

    def path(self, node: Syntax) -> str | None:
        """Return a chain of plain selections as a dotted name; None if it is something else.

        It does not begin with a variable of a macro. A quoted field (in backticks) is no part of
        such a name; nor is what stands in parentheses: ``(a.b).c`` is a field of ``a.b``.
        """
        fields: list[str] = []
        while node.rule == "select" and node.word.type != "QUOTED":
            fields.append(node.name)
            (node,) = node.parts
        if node.rule != "name" or (node.name in self.scope and not node.is_absolute):
            return None
        return ".".join([node.name, *reversed(fields)])


Visitors = Mapping[str, Callable[[Checker, Syntax], Tree]]
"""What finds out what a node means, by the rules of the grammar."""

"""Checks an expression against an environment: what each part means, and its type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

from altay_cli.base.budget import STEPS
from altay_cli.base.errors import ExpressionError
from altay_cli.base.text import Text
from altay_cli.expressions import calls, operators
from altay_cli.expressions.calls import Meaning
from altay_cli.expressions.cost import least
from altay_cli.expressions.environment import Environment, Reads
from altay_cli.expressions.linker import Compiled, link
from altay_cli.expressions.parser import parse
from altay_cli.expressions.printing import Printer, type_source
from altay_cli.expressions.stdlib import TYPE_NAMES
from altay_cli.expressions.syntax import (
    Call,
    Chain,
    Conditional,
    Group,
    Identifier,
    Index,
    ListLiteral,
    Literal,
    Logic,
    MapLiteral,
    Negation,
    Node,
    Select,
    dotted,
)
from altay_cli.expressions.typed import (
    Choice,
    Constant,
    Failure,
    Item,
    Listed,
    Mapped,
    Member,
    Named,
    Tree,
    Variable,
    is_safe,
)
from altay_cli.expressions.types import (
    BOOL,
    DYN,
    INT,
    NOTHING,
    NULL,
    STRING,
    TYPE,
    Type,
    Unifier,
    join,
    list_of,
    map_of,
)

SURELY_READ = 6
"""The height of a tree whose code Python reads for certain."""

ROOM = 50
"""How many brackets whoever uses the code of an expression may put around it."""

# What is refused even where types are only known at evaluation.
_ALWAYS_REFUSED = frozenset({"unsupported", "syntax", "too-deep", "int-range", "regex"})


class Checked(NamedTuple):
    """An expression that passed: its type, and the source of a Python expression of S and v.

    ``quick`` is like ``code``, and raises where ``&&``, ``||``, ``all`` or ``exists`` may have to
    absorb an error: what it gives is right, and where it raises, ``code`` tells. ``names`` are the
    names of the environment that it mentions, ``calls`` the rules' own functions; ``reads`` is what
    it looks at in a state, apart from what these look at. ``locals`` are the
    Python variables that its code reads, each with the key under which callers pass its value.
    ``tree`` is what it says, with the types of all parts.
    """

    type: Type
    code: str
    quick: str
    source: str
    names: frozenset[str]
    locals: Mapping[str, str]
    calls: frozenset[str]
    reads: Reads
    tree: Tree

    @property
    def zones(self) -> frozenset[int]:
        """The zones among what it looks at itself, by their indexes."""
        return frozenset(one for one in self.reads if isinstance(one, int))


def check(source: str, env: Environment, expect: Type | None = None) -> Checked:
    """Check an expression and write its Python.

    Args:
        source: the expression.
        env: the names, members and functions that it may mention.
        expect: the type that its value must have; any type by default.

    Returns:
        Its type, its Python source, and what it mentions.

    Raises:
        ExpressionError: for the first mistake, with its place in ``source``.

    """
    return _check(source, env, expect, lenient=False)


def check_dynamic(source: str, env: Environment) -> Checked:
    """Check an expression as CEL does without declarations.

    Wrong types and unknown names are not mistakes yet: they raise when they are evaluated, and
    ``&&`` and ``||`` absorb them.

    Raises:
        ExpressionError: for what cannot be read or is unsupported.

    """
    return _check(source, env, None, lenient=True)


def compile_expression(source: str, env: Environment, expect: Type | None = None) -> Compiled:
    """Check one expression and return it as a function ``f(S, v)``.

    Args:
        source: the expression.
        env: the names, members and functions that it may mention.
        expect: the type that its value must have; any type by default.

    Returns:
        A function of a ``Budget`` (or a state) and the values of local names by their keys.

    Raises:
        ExpressionError: as ``check`` does.

    """
    return link({"": check(source, env, expect).code}, env.globals)[""]


def _check(source: str, env: Environment, expect: Type | None, *, lenient: bool) -> Checked:
    checker = Checker(env, lenient)
    node = parse(source)
    printer = Printer()
    try:
        tree = checker.visit(node)
        kind = tree.type if expect is None else checker.expect(node, tree, expect)
        code = quick = printer.value(tree, kind)
        if printer.absorbs and not lenient:
            quick = Printer(quick=True).value(tree, kind)
    except RecursionError:
        # The parser bounds the depth; a caller that is deep in Python's stack may still get here.
        raise _too_deep(node) from None
    _limit_nesting(node, code)
    steps = 0 if lenient else least(tree, env).steps
    if steps > STEPS:
        message = Text(
            "this takes at least {steps} steps; a statement may take {most}",
            steps=f"{steps:,}",
            most=f"{STEPS:,}",
        )
        raise ExpressionError("too-costly", message, node.start, node.end)
    return Checked(
        kind,
        code,
        quick,
        source,
        frozenset(checker.used),
        checker.locals,
        frozenset(checker.calls),
        frozenset(checker.reads),
        tree,
    )


def _limit_nesting(node: Node, text: str) -> None:
    """Refuse an expression whose code is nested too deep for Python, with room for what is around.

    How deep Python can read depends on more than brackets, so it is tried.
    """
    if node.depth <= SURELY_READ:
        return
    try:
        compile("(" * ROOM + text + ")" * ROOM, "<expression>", "eval", dont_inherit=True)
    except (SyntaxError, RecursionError, MemoryError):
        raise _too_deep(node) from None


def _too_deep(node: Node) -> ExpressionError:
    return ExpressionError("too-deep", "the expression is nested too deep", node.start, node.end)


class Checker:
    """The state of checking one expression; the visitors of the modules beside share it.

    ``scope`` holds the variables of the macros around, with their types and codes; ``visited``
    counts nodes, for the weight of macro bodies; ``used`` collects names, ``locals`` those of them
    whose values callers pass, ``calls`` the rules' own functions, and ``reads`` what is looked at
    in a state.
    """

    def __init__(self, env: Environment, lenient: bool) -> None:
        self.env = env
        self.lenient = lenient
        self.scope: dict[str, tuple[Type, str]] = {}
        self.visited = 0
        self.variables = 0
        self.used: set[str] = set()
        self.calls: set[str] = set()
        self.reads: set[int | str] = set()
        self.locals: dict[str, str] = {}

    def visit(self, node: Node) -> Tree:
        """Return what a node means."""
        self.visited += 1
        try:
            return _VISITORS[type(node)](self, node)
        except ExpressionError as error:
            if not self.lenient or error.code in _ALWAYS_REFUSED:
                raise
            return Failure(DYN, error.start, error.end, error.code, error.message)

    def refuse(self, code: str, message: str, node: Node) -> NoReturn:
        """Raise an error at a node."""
        raise ExpressionError(code, message, node.start, node.end)

    def accepts(self, wanted: Type, found: Type) -> bool:
        """Whether a value of type ``found`` may stand for ``wanted``."""
        return Unifier(self.env.nullable).accept(wanted, found)

    def join(self, one: Type, other: Type) -> Type | None:
        """Return the type that both fit, or None."""
        return join(one, other, self.env.nullable)

    def certain(self, wanted: Type, found: Type) -> Type | None:
        """Return the type that a value has where one is wanted, or None if it does not fit.

        If that is not the type that was found, the value must be tested at evaluation.
        """
        types = Unifier(self.env.nullable)
        if not types.accept(wanted, found):
            return None
        return types.resolve(wanted) if types.dynamic else found

    def expect(self, node: Node, tree: Tree, wanted: Type) -> Type:
        """Return the type of a value that must be of a type, see ``certain``; or refuse it."""
        kind = self.certain(wanted, tree.type)
        if kind is None:
            self.refuse(
                "wrong-type",
                Text(
                    "{wanted} is needed here, but this is {found}", wanted=wanted, found=tree.type
                ),
                node,
            )
        return kind

    def condition(self, node: Node) -> Tree:
        """Return what a node means that must be a bool."""
        tree = self.visit(node)
        try:
            self.expect(node, tree, BOOL)
        except ExpressionError as error:
            if not self.lenient:
                raise
            return Failure(BOOL, error.start, error.end, error.code, error.message)
        return tree

    def iteration(self, kind: Type) -> tuple[str, Type] | None:
        """Return the code of an engine value as a list, and the type of its elements; or None."""
        for one in self.env.iterables:
            types = Unifier(self.env.nullable)
            if types.accept(one.of, kind):
                return one.code, types.resolve(one.element)
        return None

    # Leaves

    def literal(self, node: Literal) -> Tree:
        """Take a constant."""
        kinds: dict[type, Type] = {type(None): NULL, bool: BOOL, int: INT, str: STRING}
        return Constant(kinds[type(node.value)], node.start, node.end, node.value)

    def identifier(self, node: Identifier) -> Tree:
        """Find a variable of a macro, a name of the environment, or a type."""
        if not node.absolute and node.name in self.scope:
            kind, code = self.scope[node.name]
            return Variable(kind, node.start, node.end, node.name, code)
        known = self.named(node.name, node)
        if known:
            return known
        if node.name in TYPE_NAMES:
            return Named(TYPE, node.start, node.end, node.name, None, type_source(Type(node.name)))
        inside = sorted(name for name in self.env.names if name.startswith(node.name + "."))
        if inside:
            some = tuple(f"`{name}`" for name in inside[:3])
            self.refuse(
                "unknown-name",
                Text("`{name}` alone has no value; there is {names}", name=node.name, names=some),
                node,
            )
        message = calls.unknown(
            "there is no name `{name}`", node.name, [*self.scope, *self.env.names]
        )
        return self.refuse("unknown-name", message, node)

    def named(self, name: str, node: Node) -> Named | None:
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
        return Named(known.type, node.start, node.end, name, key, known.code)

    # Structure

    def group(self, node: Group) -> Tree:
        """Look into parentheses."""
        return self.visit(node.inner)

    def select(self, node: Select) -> Tree:
        """Find a dotted name if there is one, else a member."""
        path = self.path(node)
        known = self.named(path, node) if path else None
        if known:
            return known
        tree = self.visit(node.operand)
        kind, code, safe = self.member(node, tree)
        return Member(kind, node.start, node.end, tree, node.field, False, code, safe)

    def path(self, node: Node) -> str | None:
        """Return a chain of plain selections from an identifier as a dotted name, else None."""
        return dotted(node, self.scope)

    def member(self, node: Select, tree: Tree) -> Meaning:
        """Find a member of an engine type, or the entry of a map."""
        kind = tree.type
        known = self.env.members.get((kind.name, node.field))
        if known:
            self.reads |= known.reads
            return Meaning(known.type, known.code, known.safe and is_safe(tree))
        if kind.name == "map" and self.accepts(kind.args[0], STRING):
            return Meaning(kind.args[1], "_entry(S, {0}, {1})", safe=False)
        if kind.name == "dyn":
            return Meaning(DYN, "_field(S, {0}, {1})", safe=False)
        members = [name for owner, name in self.env.members if owner == kind.name]
        message = calls.unknown("{type} has no member `{name}`", node.field, members, type=kind)
        return self.refuse("unknown-member", message, node)

    def has(self, node: Call, asked: Select) -> Tree:
        """Find out what ``has`` asks: whether a map has the key, or a member is not null."""
        tree = self.visit(asked.operand)
        kind, known = tree.type, (tree.type.name, asked.field) in self.env.members
        fits = kind.name == "map" and (self.lenient or self.accepts(kind.args[0], STRING))
        if not known and fits:
            code, safe = "_has_key(S, {0}, {1})", is_safe(tree)
        elif not known and kind.name == "dyn":
            code, safe = "_has_field(S, {0}, {1})", False
        else:
            _, code, safe = self.member(asked, tree)
            code = f"({code} is not None)"
        return Member(BOOL, node.start, node.end, tree, asked.field, True, code, safe)

    def index(self, node: Index) -> Tree:
        """Find an element of a list or an entry of a map."""
        container, key = self.visit(node.operand), self.visit(node.key)
        kind, code, safe = self._indexed(node, container, key)
        safe = safe and is_safe(container) and is_safe(key)
        return Item(kind, node.start, node.end, container, key, code, safe)

    def _indexed(self, node: Index, container: Tree, key: Tree) -> Meaning:
        overloaded = calls.operator(self, "@index", [container, key])
        if overloaded:
            return overloaded
        kind = container.type
        if kind.name == "list" and key.type == INT:
            return Meaning(kind.args[0], "_at({0}, {1})", safe=False)
        if kind.name == "map" and self.accepts(kind.args[0], key.type):
            return Meaning(kind.args[1], "_entry(S, {0}, {1})", safe=False)
        if kind.name == "dyn" or (kind.name == "list" and key.type == DYN):
            element = kind.args[0] if kind.args else DYN
            return Meaning(element, "_element(S, {0}, {1})", safe=False)
        wanted = {"list": INT, "map": kind.args[0] if kind.args else DYN}.get(kind.name)
        if wanted is None:
            self.refuse("no-overload", Text("{type} cannot be indexed with [ ]", type=kind), node)
        return self.refuse(
            "wrong-type",
            Text(
                "{type} is indexed by {wanted}, but this is {found}",
                type=kind,
                wanted=wanted,
                found=key.type,
            ),
            node.key,
        )

    def list_literal(self, node: ListLiteral) -> Tree:
        """Make a list; of mixed elements it is a list of dyn."""
        items = tuple(map(self.visit, node.items))
        return Listed(list_of(self.common(items)), node.start, node.end, items)

    def common(self, trees: Iterable[Tree]) -> Type:
        """Return the type that all fit; dyn if need be."""
        kind = NOTHING
        for tree in trees:
            kind = self.join(kind, tree.type) or DYN
        return kind

    def map_literal(self, node: MapLiteral) -> Tree:
        """Make a map."""
        entries = tuple((self.visit(key), self.visit(value)) for key, value in node.entries)
        seen: set[tuple[type, object]] = set()
        for (key, _), (tree, _) in zip(node.entries, entries, strict=True):
            if tree.type.name not in ("int", "bool", "string", "dyn"):
                self.refuse(
                    "map-key",
                    Text("a key must be int, bool or string, but this is {type}", type=tree.type),
                    key,
                )
            if isinstance(tree, Constant):
                mark = (type(tree.value), tree.value)
                if mark in seen:
                    self.refuse("duplicate-key", "this key occurs twice in the map", key)
                seen.add(mark)
        keys, values = (self.common(pair[side] for pair in entries) for side in (0, 1))
        return Mapped(map_of(keys, values), node.start, node.end, entries)

    def conditional(self, node: Conditional) -> Tree:
        """Take ``test ? then : otherwise``: only the branch that is taken can raise."""
        branches = tuple((self.condition(test), self.visit(then)) for test, then in node.branches)
        otherwise = self.visit(node.otherwise)
        values = [*(value for _, value in branches), otherwise]
        kind = self.common(values)
        if kind == DYN and not self.lenient and not any(v.type == DYN for v in values):
            found = " and ".join(dict.fromkeys(str(value.type) for value in values))
            self.refuse(
                "wrong-type", Text("the branches have different types: {types}", types=found), node
            )
        return Choice(kind, node.start, node.end, branches, otherwise)


_VISITORS: dict[type[Node], Callable[[Checker, Any], Tree]] = {
    Literal: Checker.literal,
    Identifier: Checker.identifier,
    Group: Checker.group,
    Select: Checker.select,
    Index: Checker.index,
    ListLiteral: Checker.list_literal,
    MapLiteral: Checker.map_literal,
    Conditional: Checker.conditional,
    Negation: operators.negation,
    Chain: operators.chain,
    Logic: operators.logic,
    Call: calls.call,
}

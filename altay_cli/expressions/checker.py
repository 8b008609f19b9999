"""Checks an expression against an environment and writes the Python source that computes it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn

from altay_cli.expressions import calls, operators
from altay_cli.expressions.budget import STEPS
from altay_cli.expressions.code import Code, constant, type_source
from altay_cli.expressions.cost import least
from altay_cli.expressions.environment import Environment, Reads
from altay_cli.expressions.errors import ExpressionError
from altay_cli.expressions.linker import Compiled, link
from altay_cli.expressions.parser import RESERVED, parse
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
from altay_cli.expressions.typed import Notes, Tree, typed
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
from altay_cli.suggest import suggest

SURELY_READ = 6
"""The height of a tree whose code Python reads for certain."""

ROOM = 50
"""How many brackets whoever uses the code of an expression may put around it."""

# What is refused even where types are only known at evaluation.
_ALWAYS_REFUSED = frozenset({"unsupported", "syntax", "too-deep", "int-range", "regex"})


class Kept(NamedTuple):
    """What is kept of an expression that passed; see ``Checked``. ``tree`` is its tree, pickled."""

    type: Type
    code: str
    quick: str | None
    names: frozenset[str]
    locals: Mapping[str, str]
    calls: frozenset[str]
    reads: Reads
    types: str
    tree: bytes


@dataclass(frozen=True, slots=True)
class Checked:
    """An expression that passed: its type, and the source of a Python expression of S and v.

    ``quick`` is like ``code``, and raises where ``&&``, ``||``, ``all`` or ``exists`` may have to
    absorb an error: what it gives is right, and where it raises, ``code`` tells. ``names`` are the
    names of the environment that it mentions, ``calls`` the rules' own functions; ``reads`` is what
    it looks at in a state, apart from what these look at. ``locals`` are the
    Python variables that its code reads, each with the key under which callers pass its value.
    ``tree`` is what it says, ``types`` what its parts are.
    """

    type: Type
    code: str
    quick: str
    source: str
    names: frozenset[str]
    locals: Mapping[str, str]
    calls: frozenset[str]
    reads: Reads
    said: tuple[Node, Notes] | Kept
    env: Environment

    @property
    def zones(self) -> frozenset[int]:
        """The zones among what it looks at itself, by their indexes."""
        return frozenset(one for one in self.reads if isinstance(one, int))

    @property
    def tree(self) -> Tree:
        """Return the typed tree, which is made when it is asked for."""
        if isinstance(self.said, Kept):
            found: Tree = pickle.loads(self.said.tree)  # noqa: S301 - what ``kept`` made
            return found
        return typed(*self.said)

    @property
    def types(self) -> str:
        """Return the types of all parts, as a text."""
        if isinstance(self.said, Kept):
            return self.said.types
        return " ".join([str(kind) for kind in self.said[1].types.values()])

    def kept(self, types: dict[Type, Type]) -> Kept:
        """Return what can be kept of it; equal types become one, by the table ``types``."""
        if isinstance(self.said, Kept):
            return self.said
        kind = types.setdefault(self.type, self.type)
        quick = None if self.quick == self.code else self.quick
        tree = pickle.dumps(self.tree, pickle.HIGHEST_PROTOCOL)
        return Kept(
            kind,
            self.code,
            quick,
            self.names,
            self.locals,
            self.calls,
            self.reads,
            self.types,
            tree,
        )

    @classmethod
    def again(cls, source: str, env: Environment, kept: Kept) -> Checked:
        """Return the expression of which something was kept, in an environment like that one."""
        quick = kept.code if kept.quick is None else kept.quick
        return cls(
            kept.type, kept.code, quick, source, kept.names, kept.locals, kept.calls, kept.reads,
            kept, env,
        )  # fmt: skip

    def with_name(self, part: Tree, name: str, expect: Type) -> tuple[str, str]:
        """Return the code of a part, and ``quick`` with a name in its place.

        ``expect`` is the type that the expression was checked for.
        """
        checker = Checker(self.env, lenient=False, quick=True)
        checker.named_part = (part.start, part.end, name)
        node = parse(self.source) if isinstance(self.said, Kept) else self.said[0]
        whole = _coded(checker, node, expect)
        return checker.part, whole.text


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
    code = _coded(checker, node, expect)
    quick = code
    if checker.absorbs and not lenient:
        quick = _coded(Checker(env, lenient, quick=True), node, expect)
    _limit_nesting(node, code.text)
    steps = 0 if lenient else least(node, env).steps
    if steps > STEPS:
        message = f"this takes at least {steps:,} steps; a statement may take {STEPS:,}"
        raise ExpressionError("too-costly", message, node.start, node.end)
    notes = checker.notes
    calls = frozenset(name for name, function in notes.functions.values() if function.own)
    return Checked(
        code.type,
        code.text,
        quick.text,
        source,
        frozenset(checker.used),
        checker.locals,
        calls,
        frozenset(checker.reads),
        (node, notes),
        env,
    )


def _coded(checker: Checker, node: Node, expect: Type | None) -> Code:
    try:
        code = checker.visit(node)
    except RecursionError:
        # The parser bounds the depth; a caller that is deep in Python's stack may still get here.
        raise _too_deep(node) from None
    return code if expect is None else checker.expect(node, code, expect)


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

    ``scope`` holds the variables of the macros around, ``loops`` their number; ``visited`` counts
    nodes, for the weight of macro bodies; ``used`` collects names, ``locals`` those of them whose
    values callers pass, ``reads`` what is looked at in a state, and ``notes`` what is found out
    about each node. ``quick`` asks for code that absorbs no errors, ``absorbs`` tells whether some
    of it would have to.
    """

    def __init__(self, env: Environment, lenient: bool, *, quick: bool = False) -> None:
        self.env = env
        self.lenient = lenient
        self.quick = quick
        self.absorbs = False
        self.scope: dict[str, Code] = {}
        self.loops = 0
        self.visited = 0
        self.variables = 0
        self.used: set[str] = set()
        self.reads: set[int | str] = set()
        self.locals: dict[str, str] = {}
        self.notes = Notes()
        self.named_part: tuple[int, int, str] | None = None
        """The place of a call, and the name to print instead; its code becomes ``part``."""
        self.part = ""

    def visit(self, node: Node) -> Code:
        """Return the code of a node."""
        self.visited += 1
        try:
            code = _VISITORS[type(node)](self, node)
            self.notes.types[id(node)] = code.type
            if self.named_part is not None and isinstance(node, Call):
                start, end, name = self.named_part
                if (node.start, node.end) == (start, end):
                    self.part = code.text
                    return replace(code, text=name)
            return code
        except ExpressionError as error:
            if not self.lenient or error.code in _ALWAYS_REFUSED:
                raise
            place = f"{error.start}, {error.end}"
            text = f"_fail({error.code!a}, {error.message!a}, {place})"
            return Code(DYN, text)

    def refuse(self, code: str, message: str, node: Node) -> NoReturn:
        """Raise an error at a node."""
        raise ExpressionError(code, message, node.start, node.end)

    def accepts(self, wanted: Type, found: Type) -> bool:
        """Whether a value of type ``found`` may stand for ``wanted``."""
        return Unifier(self.env.nullable).accept(wanted, found)

    def join(self, one: Type, other: Type) -> Type | None:
        """Return the type that both fit, or None."""
        return join(one, other, self.env.nullable)

    def expect(self, node: Node, code: Code, wanted: Type) -> Code:
        """Return the code of a value that must be of a type; tested at evaluation if need be."""
        unifier = Unifier(self.env.nullable)
        if not unifier.accept(wanted, code.type):
            self.refuse("wrong-type", f"{wanted} is needed here, but this is {code.type}", node)
        if not unifier.dynamic:
            return code
        if wanted == BOOL:
            return Code(BOOL, f"_truth({code.text})")
        wanted = unifier.resolve(wanted)
        return Code(wanted, f"_conform(S, {code.text}, {type_source(wanted)})")

    def condition(self, node: Node) -> Code:
        """Return the code of a node that must be a bool."""
        code = self.visit(node)
        try:
            return self.expect(node, code, BOOL)
        except ExpressionError as error:
            if not self.lenient:
                raise
            return Code(BOOL, f"_fail({error.code!a}, {error.message!a})")

    # Leaves

    def literal(self, node: Literal) -> Code:
        """Write a constant."""
        kinds: dict[type, Type] = {type(None): NULL, bool: BOOL, int: INT, str: STRING}
        return Code(kinds[type(node.value)], constant(node.value), True, literal=True, short=True)

    def identifier(self, node: Identifier) -> Code:
        """Find a variable of a macro, a name of the environment, or a type."""
        if not node.absolute and node.name in self.scope:
            self.notes.variables.add(id(node))
            return self.scope[node.name]
        known = self.named(node.name, node)
        if known:
            return known
        if node.name in TYPE_NAMES:
            return Code(TYPE, f"_T({node.name!r})", safe=True)
        inside = sorted(name for name in self.env.names if name.startswith(node.name + "."))
        if inside:
            some = ", ".join(f"`{name}`" for name in inside[:3])
            self.refuse("unknown-name", f"`{node.name}` alone has no value; there is {some}", node)
        hint = suggestion(node.name, [*self.scope, *self.env.names])
        return self.refuse("unknown-name", f"there is no name `{node.name}`{hint}", node)

    def named(self, name: str, node: Node) -> Code | None:
        """Return the code of a name of the environment, which stands at a node, or None."""
        known = self.env.names.get(name)
        if known is None:
            return None
        self.used.add(name)
        self.reads |= known.reads
        if known.local is not None:
            self.locals[known.local[0]] = known.local[1]
        self.notes.names[id(node)] = (name, known.local[1] if known.local else None)
        return Code(known.type, known.code, safe=True)

    # Structure

    def group(self, node: Group) -> Code:
        """Write what is inside parentheses; its code is already tight."""
        return self.visit(node.inner)

    def select(self, node: Select) -> Code:
        """Find a dotted name if there is one, else a member."""
        path = self.path(node)
        known = self.named(path, node) if path else None
        if known:
            return known
        return self.member(node, self.visit(node.operand))

    def path(self, node: Node) -> str | None:
        """Return a chain of plain selections from an identifier as a dotted name, else None."""
        return dotted(node, self.scope)

    def member(self, node: Select, operand: Code) -> Code:
        """Write a member of an engine type, or the entry of a map."""
        kind = operand.type
        known = self.env.members.get((kind.name, node.field))
        if known:
            self.reads |= known.reads
            text = known.code.format(operand.text)
            return Code(known.type, text, known.safe and operand.safe)
        if kind.name == "map" and self.accepts(kind.args[0], STRING):
            return Code(kind.args[1], f"_entry(S, {operand.text}, {node.field!r})")
        if kind.name == "dyn":
            return Code(DYN, f"_field(S, {operand.text}, {node.field!r})")
        hint = suggestion(
            node.field, [name for owner, name in self.env.members if owner == kind.name]
        )
        return self.refuse("unknown-member", f"{kind} has no member `{node.field}`{hint}", node)

    def has(self, node: Select) -> Code:
        """Write the macro ``has``: whether a map has the key, or a member is not null."""
        operand = self.visit(node.operand)
        kind = operand.type
        if (kind.name, node.field) not in self.env.members:
            key = repr(node.field)
            if kind.name == "map" and (self.lenient or self.accepts(kind.args[0], STRING)):
                return Code(BOOL, f"_has_key(S, {operand.text}, {key})", operand.safe)
            if kind.name == "dyn":
                return Code(BOOL, f"_has_field(S, {operand.text}, {key})")
        found = self.member(node, operand)
        return Code(BOOL, f"({found.text} is not None)", found.safe)

    def index(self, node: Index) -> Code:
        """Write an element of a list or an entry of a map."""
        container, index = self.visit(node.operand), self.visit(node.key)
        overloaded = calls.operator(self, "@index", [container, index])
        if overloaded:
            return overloaded
        kind = container.type
        if kind.name == "list" and index.type == INT:
            return Code(kind.args[0], f"_at({container.text}, {index.text})")
        if kind.name == "map" and self.accepts(kind.args[0], index.type):
            return Code(kind.args[1], f"_entry(S, {container.text}, {index.text})")
        if kind.name == "dyn" or (kind.name == "list" and index.type == DYN):
            element = kind.args[0] if kind.args else DYN
            return Code(element, f"_element(S, {container.text}, {index.text})")
        wanted = {"list": INT, "map": kind.args[0] if kind.args else DYN}.get(kind.name)
        if wanted is None:
            self.refuse("no-overload", f"{kind} cannot be indexed with [ ]", node)
        return self.refuse(
            "wrong-type", f"{kind} is indexed by {wanted}, but this is {index.type}", node.key
        )

    def list_literal(self, node: ListLiteral) -> Code:
        """Write a list; of mixed elements it is a list of dyn."""
        items = [self.visit(item) for item in node.items]
        text = f"[{', '.join(item.text for item in items)}]"
        element = self.common(items)
        return Code(list_of(element), text, all(item.safe for item in items), short=True)

    def common(self, codes: Sequence[Code]) -> Type:
        """Return the type that all fit; dyn if need be."""
        kind = NOTHING
        for code in codes:
            kind = self.join(kind, code.type) or DYN
        return kind

    def map_literal(self, node: MapLiteral) -> Code:
        """Write a map."""
        keys = [self.visit(key) for key, _ in node.entries]
        values = [self.visit(value) for _, value in node.entries]
        for (key, _), code in zip(node.entries, keys, strict=True):
            if code.type.name not in ("int", "bool", "string", "dyn"):
                self.refuse(
                    "map-key", f"a key must be int, bool or string, but this is {code.type}", key
                )
        self._duplicates(node)
        kind = map_of(self.common(keys), self.common(values))
        pairs = list(zip(keys, values, strict=True))
        if all(key.literal for key in keys) and kind.args[0] != DYN:
            text = ", ".join(f"{key.text}: {value.text}" for key, value in pairs)
            return Code(kind, f"{{{text}}}", all(value.safe for value in values))
        text = ", ".join(f"({key.text}, {value.text})" for key, value in pairs)
        return Code(kind, f"_new_map({text})")

    def _duplicates(self, node: MapLiteral) -> None:
        seen: set[tuple[type, object]] = set()
        for key, _ in node.entries:
            if isinstance(key, Literal):
                mark = (type(key.value), key.value)
                if mark in seen:
                    self.refuse("duplicate-key", "this key occurs twice in the map", key)
                seen.add(mark)

    def conditional(self, node: Conditional) -> Code:
        """Write ``test ? then : otherwise``: only the branch that is taken can raise."""
        tests = [self.condition(test) for test, _ in node.branches]
        values = [self.visit(then) for _, then in node.branches]
        values.append(self.visit(node.otherwise))
        kind = self.common(values)
        if kind == DYN and not self.lenient and not any(v.type == DYN for v in values):
            found = " and ".join(dict.fromkeys(str(value.type) for value in values))
            self.refuse("wrong-type", f"the branches have different types: {found}", node)
        text = "".join(
            f"{value.text} if {test.text} else "
            for value, test in zip(values[:-1], tests, strict=True)
        )
        safe = all(code.safe for code in [*tests, *values])
        return Code(kind, f"({text}{values[-1].text})", safe)


def suggestion(name: str, known: Sequence[str]) -> str:
    """Return the end of a message that names what may have been meant."""
    if name in RESERVED:
        return ""
    # In other case, or as a thing of some kind; else what is spelled alike.
    near = [other for other in known if other.casefold() == name.casefold()]
    near += [other for other in known if other.endswith(f".{name.casefold()}")]
    near = near or suggest(name, known)
    return f"; did you mean `{near[0]}`?" if near else ""


_VISITORS: dict[type[Node], Callable[[Checker, Any], Code]] = {
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

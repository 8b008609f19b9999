"""What the parts of checking an expression share: the environment, and what was found so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from altay_cli.base.errors import ExpressionError
from altay_cli.base.text import Text
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.parser import Syntax
from altay_cli.expressions.typed import Failure, Reference, Tree
from altay_cli.expressions.types import BOOL, DYN, Type, Unifier, join

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
            return Failure(DYN, error.start, error.end, error.code, error.message)

    def refuse(self, code: str, message: str, node: Syntax) -> NoReturn:
        """Raise an error at a node."""
        raise ExpressionError(code, message, node.start, node.end)

    def accepts(self, wanted: Type, given: Type) -> bool:
        """Whether a value of type ``given`` may stand for ``wanted``."""
        return Unifier(self.env.nullable).accept(wanted, given)

    def join(self, one: Type, other: Type) -> Type | None:
        """Return the type that both fit, or None."""
        return join(one, other, self.env.nullable)

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
            self.refuse(
                "wrong-type",
                Text(
                    "{wanted} is needed here, but this is {found}", wanted=wanted, found=tree.type
                ),
                node,
            )
        return kind

    def condition(self, node: Syntax) -> Tree:
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
        return Reference(known.type, node.start, node.end, name, key, known.code)

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

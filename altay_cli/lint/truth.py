"""Questions about expressions before anybody plays: whether a condition always or never holds."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from copy import copy

from altay_cli.base.errors import ExpressionError
from altay_cli.compile.analysis import zone_read
from altay_cli.compile.building import Compiled
from altay_cli.compile.vocabulary import OF_STATE, function_keys
from altay_cli.expressions.typed import (
    Applied,
    Constant,
    Junction,
    Member,
    Operation,
    Reference,
    Tree,
    Walk,
    everything,
)
from altay_cli.expressions.types import NULL
from altay_cli.lint.assumptions import (
    MIRRORED,
    NOBODY,
    Facts,
    Scope,
    TooMuchError,
    Values,
    substituted,
)
from altay_cli.lint.interpreter import STEPS, Interpreter
from altay_cli.lint.known import Exactly, Known, Sized, told
from altay_cli.pack.model import Expr

_NOTHING = Constant(NULL, 0, 0, None)


class Truth(Interpreter):
    """Answers questions about the expressions of compiled and linked rules."""

    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled)
        self.steady: dict[str, bool] = {}
        self.switched: dict[str, bool] = {}
        self._reads: dict[str, frozenset[int]] = {}

    def sibling(self) -> Truth:
        """Return another one of the same rules, for which zones may hold something else."""
        found = copy(self)
        found.zones = list(self.zones)
        return found

    # ------------------------------------------------------------ questions

    def of(self, expr: Expr, scope: Scope | None = None, *, switches: bool = False) -> bool | None:
        """Return whether a condition always or never holds; None if that depends on the game.

        A condition that looks at a ruling as well as at the game is a switch of the rules; with
        ``switches`` the rulings are taken as chosen.
        """
        tree = self.tree(expr.key)
        if not switches and self.is_switched(tree) and not self.is_constant(tree):
            return None
        found = self.known(tree, scope)
        return found.value if isinstance(found, Exactly) and isinstance(found.value, bool) else None

    def value(self, expr: Expr, values: Values = NOBODY) -> Known:
        """Return what is known of the value of an expression, for some local values."""
        return self.known(self.tree(expr.key), Scope(values))

    def reads(self, key: str) -> frozenset[int]:
        """Return the zones that an expression reads, itself or in functions that it calls."""
        found = self._reads.get(key)
        if found is None:
            self._reads[key] = frozenset()  # where a function calls itself
            checked = self.compiled.checked[key]
            functions = self.compiled.data.get("functions", {})
            called = [k for name in checked.calls for k in function_keys(name, functions[name])]
            found = self._reads[key] = checked.zones.union(*map(self.reads, called))
        return found

    def facts(self, trees: Iterable[tuple[Tree, bool]], scope: Scope | None = None) -> Facts:
        """Return what holds in a state in which conditions hold, or do not hold."""
        scope = scope or Scope()
        found = Facts(scope.facts)
        self.left = STEPS
        for tree, holds in trees:
            try:
                self._assume(tree, holds, scope.assuming(found))
            except (TooMuchError, RecursionError, ExpressionError):
                continue
        # What was assumed behind a condition may leave nothing of it.
        with suppress(TooMuchError, RecursionError, ExpressionError):
            self._look_again(found, scope)
        return found

    def is_constant(self, tree: Tree) -> bool:
        """Return whether an expression mentions neither the state nor a local value."""
        for part in everything(tree):
            if isinstance(part, Reference) and not self._is_fixed(part):
                return False
            if isinstance(part, Member) and zone_read(part, self.by_name) is not None:
                return False
            if isinstance(part, Applied) and not part.own and part.function in OF_STATE:
                return False
            if isinstance(part, Applied) and part.own and not self._is_steady(part.function):
                return False
        return True

    def _is_fixed(self, name: Reference) -> bool:
        if name.key is not None or name.name in self.by_name or name.name.startswith("options."):
            return False
        return self._constant(name.name) is not None

    def _is_steady(self, function: str) -> bool:
        """Return whether a function of the rules mentions nothing of the state."""
        if function not in self.steady:
            self.steady[function] = False
            lets = self.lets(function)
            keys = [*self.parameters(function), *lets]
            plain = dict.fromkeys(keys, _NOTHING)
            trees = [*lets.values(), self.body(function)]
            self.steady[function] = all(self.is_constant(substituted(t, plain)) for t in trees)
        return self.steady[function]

    def is_switched(self, tree: Tree) -> bool:
        """Return whether an expression, or a function that it calls, looks at a ruling."""
        for part in everything(tree):
            if (
                isinstance(part, Reference)
                and part.key is None
                and part.name.startswith("rulings.")
            ):
                return True
            if isinstance(part, Applied) and part.own and self._switches(part.function):
                return True
        return False

    def _switches(self, function: str) -> bool:
        if function not in self.switched:
            self.switched[function] = False
            trees = [*self.lets(function).values(), self.body(function)]
            self.switched[function] = any(map(self.is_switched, trees))
        return self.switched[function]

    def mentioned(self, expr: Expr) -> frozenset[str]:
        """Return the names that an expression mentions, itself or in functions that it calls."""
        names = set(expr.names)
        calls = set(self.compiled.checked[expr.key].calls)
        seen: set[str] = set()
        while calls:
            function = calls.pop()
            seen.add(function)
            for key in self._keys(function):
                names |= self.compiled.checked[key].names
                calls |= self.compiled.checked[key].calls - seen
        return frozenset(names)

    def reasons(self, expr: Expr, scope: Scope | None = None) -> tuple[str, ...]:
        """Say why a condition always or never holds: which numbers its parts can be."""
        source = expr.source
        found: dict[str, None] = {}
        waiting = [(self.tree(expr.key), scope or Scope())]
        while waiting:
            tree, scope = waiting.pop(0)
            match tree:
                case Operation() if tree.sign in MIRRORED:
                    for side in tree.operands:
                        if isinstance(side, Constant):
                            continue
                        bounds = told(source[side.start : side.end], self.known(side, scope))
                        if bounds is not None:
                            found[bounds] = None
                case Operation() if tree.sign == "!":
                    waiting += [(one, scope) for one in tree.operands]
                case Junction():
                    whole = self.known(tree, scope)
                    parts_ = [one for one in tree.operands if self.known(one, scope) == whole]
                    waiting += [(one, scope) for one in parts_ or tree.operands]
                case Walk() if len(tree.variables) == 1:
                    over = self.known(tree.over, scope)
                    of = over.of if isinstance(over, Sized) else None
                    inner = scope.walking(tree.variables[0], of)
                    waiting += [(one, inner) for one in tree.bodies]
        return tuple(found)[:3]

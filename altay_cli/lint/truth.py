"""Questions about expressions before anybody plays: whether a condition always or never holds."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from copy import copy

from altay_cli.base.errors import ExpressionError
from altay_cli.compile.analysis import with_called
from altay_cli.expressions.typed import Constant, Junction, Operation, Tree, Walk
from altay_cli.lint.assumptions import (
    MIRRORED,
    NOBODY,
    Facts,
    Scope,
    TooMuchError,
    Values,
)
from altay_cli.lint.interpreter import STEPS, Interpreter
from altay_cli.lint.known import Known, Sized, told, truth
from altay_cli.pack.model import Expr


class Truth(Interpreter):
    """Answers questions about the expressions of compiled and linked rules."""

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
        depends = expr.reads or expr.locals
        if depends and not switches and any(n.startswith("rulings.") for n in self.mentioned(expr)):
            return None
        return truth(self.known(self.tree(expr.key), scope))

    def value(self, expr: Expr, values: Values = NOBODY) -> Known:
        """Return what is known of the value of an expression, for some local values."""
        return self.known(self.tree(expr.key), Scope(values))

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

    def mentioned(self, expr: Expr) -> frozenset[str]:
        """Return the names that an expression mentions, itself or in functions that it calls."""
        functions = self.compiled.data.get("functions", {})
        parts = with_called([expr.key], self.compiled.checked, functions)
        return frozenset[str]().union(*(one.names for one in parts))

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

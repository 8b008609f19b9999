"""What is known of a condition without any game: always true, always false, or neither.

The generated code of the expressions is looked at, not their text: there a number, a ruling or a
card is a constant already, and what depends on a game mentions the state ``S`` or a value ``v``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from altay_cli.expressions import EVALUATION_ERRORS, Account, Budget
from altay_cli.expressions.runtime import GLOBALS as RUNTIME
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.model import Expr, Pack

BUDGET = 100_000
"""Steps that one condition may take."""

TRUTH_STEPS = 3_000_000
"""What all conditions of some rules may take together; the others are not known."""

_NONE: Mapping[str, bool | None] = {}
_ORDER: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}


@lru_cache(maxsize=4096)
def parse(code: str) -> ast.expr:
    """Return the syntax tree of generated code."""
    return ast.parse(code, mode="eval").body


def zone_index(node: ast.expr) -> int | None:
    """Return the index of the zone that generated code reads, as in ``S.z[7]``."""
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and ast.unparse(node.value) == "S.z"
        and isinstance(node.slice.value, int)
    ):
        return node.slice.value
    return None


class Truth:
    """Judges the conditions of one pack, which must be linked."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.dead: frozenset[int] = frozenset()
        """Zones, by index, that are taken to be false at all times."""
        self._namespace: dict[str, Any] = {**RUNTIME, **GLOBALS, **pack.constants}
        self._steady: dict[str, bool] = {}
        self._account = Account(TRUTH_STEPS, "what is asked of the rules")

    def of(
        self,
        expr: Expr,
        known: Mapping[str, bool | None] = _NONE,
        *,
        switches: bool = False,
    ) -> bool | None:
        """Return whether a condition always or never holds; None where that depends on the game.

        ``known`` is what is known of local names. A condition that looks at a ruling as well as
        at the game is a switch of the rules; with ``switches`` the rulings are taken as chosen.
        """
        node = parse(self.pack.codes[expr.key])
        try:
            if self.is_constant(node):
                value = expr.fn(Budget(BUDGET, self._account), {})
                return value if isinstance(value, bool) else None
            if not switches and any(name.startswith("rulings.") for name in expr.names):
                return None
            return self._truth(node, known)
        except EVALUATION_ERRORS:
            return None

    def is_constant(self, node: ast.expr) -> bool:
        """Tell whether code mentions neither the state nor a local value."""
        if isinstance(node, ast.Call) and _called(node.func) is not None:
            name = _called(node.func)
            assert name is not None
            return self._is_steady(name) and all(self.is_constant(a) for a in node.args[1:])
        if isinstance(node, ast.Call) and _pays(node):
            return all(self.is_constant(a) for a in node.args[1:])
        if isinstance(node, ast.Name):
            return node.id != "S" and _local(node) is None
        return all(
            self.is_constant(part) if isinstance(part, ast.expr) else self._all_constant(part)
            for part in ast.iter_child_nodes(node)
        )

    def _all_constant(self, node: ast.AST) -> bool:
        return all(
            self.is_constant(part) if isinstance(part, ast.expr) else self._all_constant(part)
            for part in ast.iter_child_nodes(node)
        )

    def _is_steady(self, function: str) -> bool:
        """Tell whether a function of the rules gives the same in all games."""
        found = self._steady.get(function)
        if found is None:
            self._steady[function] = False
            known = self.pack.functions.get(function)
            found = known is not None and all(
                self.is_constant(_without_parameters(code))
                for code in (known.code, *(code for _, code in known.lets))
            )
            self._steady[function] = found
        return found

    # ------------------------------------------------------------ three values

    def _truth(self, node: ast.expr, known: Mapping[str, bool | None]) -> bool | None:
        if isinstance(node, ast.BoolOp):
            parts = [self._truth(part, known) for part in node.values]
            return _joined(parts, conjunction=isinstance(node.op, ast.And))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._truth(node.operand, known)
            return None if inner is None else not inner
        if isinstance(node, ast.IfExp):
            return self._conditional(node, known)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in {"_both", "_either"}:
                bodies = [arg.body for arg in node.args if isinstance(arg, ast.Lambda)]
                parts = [self._truth(body, known) for body in bodies]
                return _joined(parts, conjunction=node.func.id == "_both")
            if node.func.id == "_truth" and len(node.args) == 1:
                return self._truth(node.args[0], known)
        if isinstance(node, ast.Subscript):
            return self._read(node)
        if _local(node) is not None:
            return known.get(_local(node) or "")
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            found = self._compared(node)
            if found is not None:
                return found
        return self._leaf(node)

    def _conditional(self, node: ast.IfExp, known: Mapping[str, bool | None]) -> bool | None:
        test = self._truth(node.test, known)
        if test is not None:
            return self._truth(node.body if test else node.orelse, known)
        then, otherwise = self._truth(node.body, known), self._truth(node.orelse, known)
        return then if then is otherwise else None

    def _read(self, node: ast.Subscript) -> bool | None:
        if zone_index(node) in self.dead:
            return False
        return None

    def _compared(self, node: ast.Compare) -> bool | None:
        """Judge a comparison of a thing with itself, or of a size with a number below nothing."""
        left, right, sign = node.left, node.comparators[0], type(node.ops[0])
        if ast.dump(left) == ast.dump(right):
            if sign in {ast.Eq, ast.LtE, ast.GtE, ast.Is}:
                return True
            if sign in {ast.NotEq, ast.Lt, ast.Gt, ast.IsNot}:
                return False
        if sign not in _ORDER:
            return None
        compare = _ORDER[sign]
        number = self._number(right)
        if _is_size(left) and number is not None:
            # What holds of every size holds of none, of one, and of very many.
            found = {compare(size, number) for size in (0, abs(number), abs(number) + 1, 1 << 62)}
            found |= {compare(size, number) for size in (abs(number) - 1,) if size >= 0}
            return found.pop() if len(found) == 1 else None
        number = self._number(left)
        if _is_size(right) and number is not None:
            found = {compare(number, size) for size in (0, abs(number), abs(number) + 1, 1 << 62)}
            found |= {compare(number, size) for size in (abs(number) - 1,) if size >= 0}
            return found.pop() if len(found) == 1 else None
        return None

    def _number(self, node: ast.expr) -> int | None:
        value = self._value(node)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def _leaf(self, node: ast.expr) -> bool | None:
        value = self._value(node)
        return value if isinstance(value, bool) else None

    def _value(self, node: ast.expr) -> Any:
        """Return what constant code comes to; None where it is not constant."""
        if isinstance(node, ast.Constant):
            return node.value
        if not self.is_constant(node) or any(_called(part) for part in ast.walk(node)):
            return None
        code = compile(ast.Expression(node), "<condition>", "eval", dont_inherit=True)
        # Not the text of a rule: source that the checker wrote, from constants only.
        return eval(code, {**self._namespace, "S": Budget(BUDGET, self._account)})  # noqa: S307


def _pays(node: ast.Call) -> bool:
    """Tell whether a function is called that gets the state as no more than a budget."""
    if not (isinstance(node.func, ast.Name) and node.args and isinstance(node.args[0], ast.Name)):
        return False
    function = RUNTIME.get(node.func.id) or GLOBALS.get(node.func.id)
    code = getattr(function, "__code__", None)
    return code is not None and code.co_varnames[:1] == ("budget",) and node.args[0].id == "S"


def _joined(parts: list[bool | None], *, conjunction: bool) -> bool | None:
    outweighs = not conjunction
    if any(part is outweighs for part in parts):
        return outweighs
    return None if None in parts else conjunction


def _called(node: ast.AST) -> str | None:
    """Return the function of the rules that ``F_name`` means."""
    if isinstance(node, ast.Name) and node.id.startswith("F_"):
        return node.id[2:]
    return None


def _local(node: ast.AST) -> str | None:
    """Return the name of the rules whose value a variable holds, as `card` in ``v_card``."""
    found = re.fullmatch(r"v\d*_(.+)", node.id) if isinstance(node, ast.Name) else None
    return found[1] if found else None


def _without_parameters(code: str) -> ast.expr:
    """Return the code of a function with a constant for every parameter."""

    class Replace(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return node if _local(node) is None else ast.Constant(None)

    found = Replace().visit(ast.parse(code, mode="eval").body)
    assert isinstance(found, ast.expr)
    return found


def _is_size(node: ast.expr) -> bool:
    """Tell whether code counts things, so that it is never below nothing."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    return node.func.id in {"len", "_size", "size_of", "lying"}

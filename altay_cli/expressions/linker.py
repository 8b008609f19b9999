"""From checked expressions to Python functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from itertools import takewhile
from operator import call
from types import FunctionType
from typing import Any

from altay_cli.base.findings import BudgetError
from altay_cli.expressions import limits, runtime
from altay_cli.expressions.runtime import ABSORBED, EXCEPT, PYTHON, TRY
from altay_cli.expressions.types import Type

Compiled = Callable[[object, dict[str, object]], object]

GLOBALS: dict[str, object] = {
    "_T": Type,
    "_PYTHON": PYTHON,
    "_Budget": BudgetError,
    "_ABSORBED": ABSORBED,
    "_call": call,
    "_reduce": reduce,
    "_takewhile": takewhile,
    **{
        f"_{name}": one
        for name, one in vars(runtime).items()
        if isinstance(one, FunctionType) and one.__module__ == runtime.__name__
    },
}
"""The names that generated code knows by itself. Engines' templates use other names."""


def weight(code: str) -> int:
    """Return what it costs to run generated code, by its length.

    Short code costs no more than the call, which whoever makes many of them pays for. What is done
    to larger values is paid for where it is done.
    """
    return len(code) // limits.SIGNS_PER_STEP


def payment(steps: int) -> list[str]:
    """Return the lines of Python that charge so many steps to the budget ``S``."""
    return [f"S.left -= {steps}", "if S.left < 0: S.refill()"] if steps else []


def link(code: str, names: Mapping[str, object]) -> Compiled:
    """Make a function ``f(S, v)`` of the Python of a checked expression (``Checked.code``).

    ``names`` are the objects that the code templates of the environment mention. ``S`` is the
    state, or at least a ``Budget``, and ``v`` holds the values of local names. The function raises
    an ``ExpressionError`` where something has no value.
    """
    body = (*payment(weight(code)), f"return {code}")
    lines = ("def f(S, v):", TRY, *(f"    {line}" for line in body), EXCEPT)
    namespace: dict[str, Any] = {**GLOBALS, **names}
    # Not the text of a rule: source that the checker wrote, with every name and constant its own.
    module = compile("\n".join(lines), "<expressions>", "exec", dont_inherit=True)
    exec(module, namespace)  # noqa: S102
    compiled: Compiled = namespace["f"]
    return compiled

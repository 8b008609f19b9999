"""Link generated code: expressions become Python functions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import reduce
from itertools import takewhile
from types import FunctionType
from typing import Any

from altay_cli.base.findings import BudgetError
from altay_cli.expressions import limits, runtime, walks
from altay_cli.expressions.runtime import ABSORBED, PYTHON
from altay_cli.expressions.types import Type

Compiled = Callable[[object, dict[str, object]], object]

TRY = " try:"
EXCEPT = " except _PYTHON as _error: raise _fault(_error) from _error"
"""The start and end of the body of a generated function.

The code between them, indented by four, raises only ``ExpressionError``, apart from bugs.
"""

GLOBALS: dict[str, object] = {
    "_T": Type,
    "_PYTHON": PYTHON,
    "_Budget": BudgetError,
    "_ABSORBED": ABSORBED,
    "_call": operator.call,
    "_reduce": reduce,
    "_takewhile": takewhile,
    **{
        f"_{name}": function
        for module in (runtime, walks)
        for name, function in vars(module).items()
        if isinstance(function, FunctionType) and function.__module__ == module.__name__
    },
}
"""The predefined names; templates of engines use others."""


def weight(code: str) -> int:
    """Return the cost of running code; the caller pays for the call."""
    return len(code) // limits.SIGNS_PER_STEP


def payment(steps: int) -> list[str]:
    """Return the Python lines that charge so many steps to the budget ``S``.

    >>> payment(3)
    ['S.left -= 3', 'if S.left < 0: S.refill()']
    """
    return [f"S.left -= {steps}", "if S.left < 0: S.refill()"] if steps else []


def link(code: str, names: Mapping[str, object]) -> Compiled:
    """Compile the Python of a checked expression to a function ``f(S, v)``.

    ``names`` are the objects in the code templates, ``S`` is a ``Budget`` such as the state, and
    ``v`` has the values of local names. The function raises ``ExpressionError`` if the expression
    has no value.

    >>> from altay_cli.base.budget import Budget
    >>> link("_add(2, v['n'])", {})(Budget(), {"n": 3})
    5
    """
    body = (*payment(weight(code)), f"return {code}")
    lines = ("def f(S, v):", TRY, *(f"    {line}" for line in body), EXCEPT)
    namespace: dict[str, Any] = {**GLOBALS, **names}
    # By the checker, with generated names; no text from a rule.
    module = compile("\n".join(lines), "<expressions>", "exec", dont_inherit=True)
    exec(module, namespace)  # noqa: S102
    compiled: Compiled = namespace["f"]
    return compiled

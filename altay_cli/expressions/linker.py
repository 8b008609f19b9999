"""From checked expressions to Python functions: one module for many, compiled once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from itertools import takewhile
from types import CodeType
from typing import Any

from altay_cli.base.errors import BudgetError
from altay_cli.expressions import runtime, walks
from altay_cli.expressions.runtime import ABSORBED, EXCEPT, PYTHON, TRY
from altay_cli.expressions.types import Type

Compiled = Callable[[object, dict[str, object]], object]

GLOBALS: dict[str, object] = {
    "_T": Type,
    "_PYTHON": PYTHON,
    "_Budget": BudgetError,
    "_ABSORBED": ABSORBED,
    "_reduce": reduce,
    "_takewhile": takewhile,
    **{f"_{one.__name__}": one for one in (*runtime.OPERATIONS, *walks.OPERATIONS)},
}
"""The names that generated code knows by itself. Engines' templates use other names."""

SIGNS_PER_STEP = 40
"""How many characters of generated code count as one step."""


def module_source(codes: Mapping[str, str]) -> str:
    """Return the source of a module with a function for each expression, in the order given.

    It depends on nothing but ``codes``, so that its code object can be kept on disk.
    """
    return "".join(
        function(f"f_{number}", (*payment(weight(code)), f"return {code}"))
        for number, code in enumerate(codes.values())
    )


def function(name: str, body: Iterable[str]) -> str:
    """Return the source of a function ``name(S, v)`` with the lines of its body."""
    lines = (f"def {name}(S, v):", TRY, *(f"    {line}" for line in body), EXCEPT)
    return "".join(f"{line}\n" for line in lines)


def weight(code: str) -> int:
    """Return what it costs to run generated code, by its length.

    Short code costs no more than the call, which whoever makes many of them pays for. What is done
    to larger values is paid for where it is done.
    """
    return len(code) // SIGNS_PER_STEP


def payment(steps: int) -> list[str]:
    """Return the lines of Python that charge so many steps to the budget ``S``."""
    return [f"S.left -= {steps}", "if S.left < 0: S.refill()"] if steps else []


def compile_module(codes: Mapping[str, str]) -> CodeType:
    """Compile the source of ``module_source``."""
    return compile(module_source(codes), "<expressions>", "exec", dont_inherit=True)


def link(
    codes: Mapping[str, str],
    globals: Mapping[str, object],  # noqa: A002 - the word that Python uses
    module: CodeType | None = None,
) -> dict[str, Compiled]:
    """Make functions of checked expressions.

    Args:
        codes: the Python of each expression (``Checked.code``), by any key.
        globals: the objects that the code templates of the environment mention.
        module: what ``compile_module`` returned for the same codes, to save compiling.

    Returns:
        A function ``f(S, v)`` for each expression, under its key. ``S`` is the state, or at least
        a ``Budget``, and ``v`` holds the values of local names. The functions raise
        an ``ExpressionError`` where something has no value.

    """
    namespace: dict[str, Any] = {**GLOBALS, **globals}
    # Not the text of a rule: source that the checker wrote, with every name and constant its own.
    exec(module or compile_module(codes), namespace)  # noqa: S102
    return {key: namespace[f"f_{number}"] for number, key in enumerate(codes)}

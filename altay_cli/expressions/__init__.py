"""CEL, the Common Expression Language: the part that rule files need, compiled to Python.

``check`` an expression against an ``Environment`` that says which names, members and functions
there are and how they read in Python; ``link`` many checked expressions into functions. Or
``evaluate`` one with plain values. The language is that of google/cel-spec with null, bool, int,
string, list and map; everything else is refused with an ``ExpressionError``.

The parts are imported when they are first asked for: to run expressions that were compiled
before, only ``link`` and what it needs is loaded, and no parser or checker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from altay_cli.expressions.budget import STEPS, Account, Budget
    from altay_cli.expressions.checker import Checked, check, compile_expression
    from altay_cli.expressions.dynamic import evaluate
    from altay_cli.expressions.environment import (
        Environment,
        Function,
        Iterable,
        Member,
        Name,
        Reads,
    )
    from altay_cli.expressions.errors import BudgetError, ExpressionError, UnrecordedError
    from altay_cli.expressions.linker import compile_module, link, module_source
    from altay_cli.expressions.types import (
        BOOL,
        DYN,
        INT,
        NOTHING,
        NULL,
        STRING,
        TYPE,
        Type,
        list_of,
        map_of,
        var,
    )

__all__ = [
    "BOOL",
    "DYN",
    "INT",
    "NOTHING",
    "NULL",
    "STEPS",
    "STRING",
    "TYPE",
    "Account",
    "Budget",
    "BudgetError",
    "Checked",
    "Environment",
    "ExpressionError",
    "Function",
    "Iterable",
    "Member",
    "Name",
    "Reads",
    "Type",
    "UnrecordedError",
    "check",
    "compile_expression",
    "compile_module",
    "evaluate",
    "link",
    "list_of",
    "map_of",
    "module_source",
    "var",
]

_CONTENTS = {
    "budget": ("STEPS", "Account", "Budget"),
    "checker": ("Checked", "check", "compile_expression"),
    "dynamic": ("evaluate",),
    "environment": ("Environment", "Function", "Iterable", "Member", "Name", "Reads"),
    "errors": ("BudgetError", "ExpressionError", "UnrecordedError"),
    "linker": ("compile_module", "link", "module_source"),
    "types": (
        *("BOOL", "DYN", "INT", "NOTHING", "NULL", "STRING", "TYPE"),
        *("Type", "list_of", "map_of", "var"),
    ),
}
"""What is offered, by the module in which it is."""

if not TYPE_CHECKING:  # to mypy the imports above are all there is

    def __getattr__(name: str) -> object:
        from altay_cli.deferred import find

        return find(__name__, _CONTENTS, name)

"""Why an expression of the rules could not be evaluated, in words, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altay_cli.base.findings import ExpressionError, Text
from altay_cli.pack.model import Pack

FILE = "<rules>"
"""What Python calls the file of a module with all functions of a pack."""

MAX_SHOWN = 120
"""The maximum length of an expression in a message, in characters."""


def reason(error: ExpressionError, pack: Pack) -> str:
    """Return what went wrong, in which expression, and in which file and line that stands."""
    words = error.message
    innermost = _expression(error, pack)
    if innermost is None:
        return words
    source, (file, line) = innermost
    text = " ".join(source.split())
    shown = text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
    return Text(
        "{words}, in `{expression}` ({file}, line {line})",
        words=words,
        expression=shown,
        file=file,
        line=line,
    )


def _expression(error: ExpressionError, pack: Pack) -> tuple[str, tuple[str, int]] | None:
    """Return the innermost expression in which an error occurred, and its place."""
    key = None
    # What Python raised tells the line of the function that ends with it.
    for one in (error, error.__cause__):
        trace = None if one is None else one.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILE:
                key = expression_at(trace.tb_frame.f_globals, trace.tb_lineno) or key
            trace = trace.tb_next
    function = next((f for f in pack.functions.values() if f.name == key), None)
    if function is not None:
        return function.source, function.place
    expr = next((expr for expr in pack.exprs if expr.key == key), None)
    return None if expr is None else (expr.source, expr.place)


def expression_at(module: Mapping[str, Any], line: int) -> str | None:
    """Return what a line of a module of ``emit.print_pack`` holds, of which the names are given.

    That is the key of an expression, or the name of a function; None if it holds neither.
    """
    words = module["LINES"].split()
    known = dict(zip(words[::2], words[1::2], strict=True))
    key: str | None = known.get(str(line))
    return key

"""The ids of problems that the sources of the program can give, as they stand in the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import altay_cli

PROGRAM = Path(altay_cli.__file__).parent
MAKERS = {
    "Finding",
    "DataFinding",
    "ReadError",
    "Traced",
    "problem",
    "_problem",
    "_unusable",
    "_add",
    "_constant_condition",
    "_of_value",
    "fault",
}
REFUSERS = {"ExpressionError", "EvaluationError", "refuse", "fail"}
# Stands for a mistake that is described only if it is asked for.
PLACEHOLDERS = {"unreadable"}
# What an expression can only do wrong when it is evaluated, or without declared types.
AT_EVALUATION = {"binding"}


def _calls(folder: str) -> Iterator[tuple[str, ast.Call]]:
    for path in sorted((PROGRAM / folder).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                func = node.func
                name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
                yield name, node


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the constant texts that an argument can be; the fixed beginning of a built one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        first = node.values[0]
        yield f"{first.value}*" if isinstance(first, ast.Constant) else "*"
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _is_id(text: str) -> bool:
    return text.removesuffix("*").replace("-", "").isalpha() and text == text.lower()


def _chosen(folder: str) -> Iterator[str]:
    """Yield the ids of which a local value `rule` is one, or that name what is unknown: `what`."""
    for path in sorted((PROGRAM / folder).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Assign([ast.Name("rule")], ast.JoinedStr() as value):
                    yield from _texts(value)
                case ast.Assign([ast.Name("rule")], value):
                    parts = [part for part in ast.walk(value) if isinstance(part, ast.Constant)]
                    yield from (part.value for part in parts if isinstance(part.value, str))
                case ast.Assign([ast.Tuple([ast.Name("what"), *_])], ast.Tuple([first, *_])):
                    yield from (f"unknown-{text}" for text in _texts(first))


def problem_ids() -> set[str]:
    """Return the ids of problems, with `*` for what is filled in."""
    found: set[str] = set()
    for folder in ("source", "compile", "pack", "lint"):
        found |= {text for text in _chosen(folder) if "-" in text and _is_id(text)}
        for name, call in _calls(folder):
            if name in MAKERS and call.args:
                found |= {text for text in _texts(call.args[0]) if _is_id(text)}
            if name == "unknown" and call.args:
                found |= {f"unknown-{text}" for text in _texts(call.args[0])}
    return found - PLACEHOLDERS


def expression_ids() -> set[str]:
    """Return the ids of what the checker of expressions refuses."""
    found: set[str] = set()
    checking = {"parser", "checker", "calls", "macros", "regex"}
    for module in checking:
        tree = ast.parse((PROGRAM / "expressions" / f"{module}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            func = node.func
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            if name in REFUSERS:
                found |= {f"expression-{text}" for text in _texts(node.args[0]) if _is_id(text)}
    return found - {f"expression-{code}" for code in AT_EVALUATION}

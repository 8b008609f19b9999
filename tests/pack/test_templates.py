"""What the engine writes for names and functions of the rules stands anywhere in an expression."""

from __future__ import annotations

import ast
from pathlib import Path

from altay_cli.compile.building import compile_tree, read_tree
from altay_cli.expressions.calls import DYNAMIC, FUNCTIONS
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.printing import Filled

TIGHT = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)


def templates(env: Environment) -> set[str]:
    """Return the code of all that an environment knows."""
    found = {one.code for one in (*env.names.values(), *env.members.values())}
    return found.union(one.code for overloads in env.functions.values() for one in overloads)


def is_tight(template: str) -> bool:
    """Tell whether code needs no parentheses, whatever stands beside it."""
    code = template.format(*map(Filled, "abcdefghij"))
    return code.startswith(("(", "[", "{")) or isinstance(ast.parse(code, mode="eval").body, TIGHT)


def test_code_of_names_and_functions_needs_no_parentheses() -> None:
    compiled = compile_tree(read_tree(Path("rules/altay"), ()))
    assert compiled is not None
    standard = {one.code for overloads in FUNCTIONS.values() for one in overloads}
    dynamic = {one.code for one in DYNAMIC.values()}
    found = templates(compiled.env) | standard | dynamic
    assert len(found) > 100
    assert [code for code in sorted(found) if not is_tight(code)] == []


def test_what_would_fall_apart_is_seen() -> None:
    assert not is_tight("{0} if {1} else 0")
    assert not is_tight("-{0}")
    assert is_tight("{0}.get({1}, 0)")

"""Expressions as functions, for tests."""

from __future__ import annotations

from altay_cli.expressions.checker import check
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.linker import Compiled, link
from altay_cli.expressions.types import Type


def compile_expression(source: str, env: Environment, expect: Type | None = None) -> Compiled:
    """Return one expression as a function ``f(S, v)``; raises as ``check`` does."""
    return link(check(source, env, expect).code, env.globals)

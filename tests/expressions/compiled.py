"""Expressions as functions, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from altay_cli.expressions.checker import check
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.linking import Compiled, link
from altay_cli.expressions.types import Type


def compile_expression(
    source: str,
    env: Environment,
    expect: Type | None = None,
    names: Mapping[str, object] = MappingProxyType({}),
) -> Compiled:
    """Return one expression as a function ``f(S, v)``; raises as ``check`` does.

    ``names`` are the Python objects that its code mentions.
    """
    return link(check(source, env, expect).code, names)

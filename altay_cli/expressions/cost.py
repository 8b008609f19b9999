"""The minimum cost of an expression, known before it is ever evaluated.

Of lists that are known when rules are loaded - those written down, the things of a kind, ranges of
numbers - it is known how long they are; of all others nothing is assumed. So what is refused here
could never have been evaluated within its budget; what is not refused may still use it up.
"""

from __future__ import annotations

from typing import NamedTuple

from altay_cli.base.budget import STEPS
from altay_cli.base.errors import ExpressionError
from altay_cli.base.text import Text
from altay_cli.expressions import typed as t
from altay_cli.expressions.environment import Environment

_WHOLE = frozenset({"map", "transformList", "exists_one", "existsOne", "filter"})
"""Macros that visit every element, whatever they find."""


class Cost(NamedTuple):
    """The minimum number of steps of a value, and the minimum length of a list."""

    steps: int = 0
    size: int = 0


_NOTHING = Cost()


def limited(tree: t.Tree, env: Environment, start: int = 0, end: int = 0) -> int:
    """Return the minimum number of steps of an expression, which stands from ``start`` to ``end``.

    Raises:
        ExpressionError: if they are more than a statement may take.

    """
    steps = least(tree, env).steps
    if steps > STEPS:
        message = Text(
            "this takes at least {steps} steps; a statement may take {most}",
            steps=f"{steps:,}",
            most=f"{STEPS:,}",
        )
        raise ExpressionError("too-costly", message, start, end)
    return steps


def least(tree: t.Tree, env: Environment) -> Cost:
    """Return the minimum cost of an expression."""
    match tree:
        case t.Constant() | t.Variable():
            return _NOTHING
        case t.Reference():
            known = env.names.get(tree.name) if tree.key is None else None
            return Cost(0, known.size) if known and known.size else _NOTHING
        case t.Listed():
            return Cost(_sum(env, *tree.items), len(tree.items))
        case t.Applied(function="&&" | "||"):
            # Any of the operands may decide alone.
            return Cost(min(least(operand, env).steps for operand in tree.arguments))
        case t.Choice():
            values = [*(value for _, value in tree.branches), tree.otherwise]
            costs = [least(value, env) for value in values]
            steps = least(tree.branches[0][0], env).steps + min(cost.steps for cost in costs)
            return Cost(steps, min(cost.size for cost in costs))
        case t.Applied() if t.is_chain(tree):  # it may be too long to recurse into
            first, operators = t.chain(tree)
            return Cost(_sum(env, first, *(one.arguments[1] for one in operators)))
        case t.Applied():
            return _applied(tree, env)
        case t.Walk():
            return _walk(tree, env)
    return Cost(_sum(env, *t.parts(tree)))


def _sum(env: Environment, *trees: t.Tree) -> int:
    return sum(least(tree, env).steps for tree in trees)


def _applied(tree: t.Applied, env: Environment) -> Cost:
    match tree:
        case t.Applied(function="lists.range", arguments=(t.Constant(value=int() as number),)):
            return Cost(max(number, 0), max(number, 0))
    count = len(tree.arguments)
    costs = [f.least for f in env.functions.get(tree.function, ()) if len(f.parameters) == count]
    return Cost(min(costs, default=0) + _sum(env, *tree.arguments))


def _walk(tree: t.Walk, env: Environment) -> Cost:
    over = least(tree.over, env)
    # Where there is a condition, nothing else may be evaluated.
    body = least(tree.bodies[0], env).steps
    if len(tree.bodies) == 1 and tree.macro in _WHOLE:
        size = 0 if tree.macro == "filter" else over.size
        return Cost(over.steps + over.size * (1 + body), size)
    return Cost(over.steps + over.size + (body if over.size else 0))

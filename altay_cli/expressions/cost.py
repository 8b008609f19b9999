"""The minimum cost of an expression, known before it is ever evaluated.

Of lists that are known when rules are loaded - those written down, the things of a kind, ranges of
numbers - it is known how long they are; of all others nothing is assumed. So what is refused here
could never have been evaluated within its budget; what is not refused may still use it up.
"""

from __future__ import annotations

from dataclasses import dataclass

from altay_cli.expressions.environment import Environment
from altay_cli.expressions.macros import MACROS
from altay_cli.expressions.syntax import (
    Call,
    Chain,
    Conditional,
    Group,
    Identifier,
    Index,
    ListLiteral,
    Literal,
    Logic,
    MapLiteral,
    Negation,
    Node,
    Select,
    dotted,
)

_NUMBERS = "lists.range"
_WHOLE = frozenset({"map", "transformList", "exists_one", "existsOne", "filter"})
"""Macros that visit every element, whatever they find."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The minimum number of steps of a value, and the minimum length of a list."""

    steps: int = 0
    size: int = 0


def least(node: Node, env: Environment, hidden: frozenset[str] = frozenset()) -> Cost:
    """Return the minimum cost of an expression.

    ``hidden`` are the variables of the macros around it, of which nothing is known.
    """
    match node:
        case Group():
            return least(node.inner, env, hidden)
        case Identifier() | Select():
            return _named(node, env, hidden)
        case Index():
            return Cost(_sum(env, hidden, node.operand, node.key))
        case ListLiteral():
            return Cost(_sum(env, hidden, *node.items), len(node.items))
        case MapLiteral():
            return Cost(_sum(env, hidden, *(part for entry in node.entries for part in entry)))
        case Negation():
            return Cost(_sum(env, hidden, node.operand))
        case Chain():
            return Cost(_sum(env, hidden, node.first, *(operand for _, operand in node.rest)))
        case Logic():
            # object of the operands may decide alone.
            return Cost(min(least(operand, env, hidden).steps for operand in node.operands))
        case Conditional():
            first, _ = node.branches[0]
            values = [*(value for _, value in node.branches), node.otherwise]
            costs = [least(value, env, hidden) for value in values]
            steps = least(first, env, hidden).steps + min(cost.steps for cost in costs)
            return Cost(steps, min(cost.size for cost in costs))
        case Call():
            return _call(node, env, hidden)
    return Cost()


def _sum(env: Environment, hidden: frozenset[str], *nodes: Node) -> int:
    return sum(least(node, env, hidden).steps for node in nodes)


def _named(node: Identifier | Select, env: Environment, hidden: frozenset[str]) -> Cost:
    path = dotted(node, hidden)
    known = env.names.get(path) if path else None
    if known is not None:
        return Cost(0, known.size)
    return Cost(least(node.operand, env, hidden).steps) if isinstance(node, Select) else Cost()


def _call(node: Call, env: Environment, hidden: frozenset[str]) -> Cost:
    name = node.name
    parts = node.arguments
    if node.receiver is not None:
        path = dotted(node.receiver, hidden)
        if path is not None and f"{path}.{name}" in env.functions:
            name = f"{path}.{name}"
        elif (name, len(parts)) in MACROS:
            return _macro(node, env, hidden)
        else:
            parts = (node.receiver, *parts)
    if name == _NUMBERS and isinstance(parts[0], Literal) and isinstance(parts[0].value, int):
        number = max(parts[0].value, 0)
        return Cost(number, number)
    found = env.functions.get(name, ())
    own = min(
        (function.least for function in found if len(function.parameters) == len(parts)), default=0
    )
    return Cost(own + _sum(env, hidden, *parts))


def _macro(node: Call, env: Environment, hidden: frozenset[str]) -> Cost:
    assert node.receiver is not None
    variables = MACROS[node.name, len(node.arguments)][0]
    names = [
        argument.name for argument in node.arguments[:variables] if isinstance(argument, Identifier)
    ]
    inner = hidden.union(names)
    over = least(node.receiver, env, hidden)
    bodies = node.arguments[variables:]
    # Where there is a condition, nothing else may be evaluated.
    body = least(bodies[0], env, inner).steps
    if len(bodies) == 1 and node.name in _WHOLE:
        size = 0 if node.name == "filter" else over.size
        return Cost(over.steps + over.size * (1 + body), size)
    return Cost(over.steps + over.size + (body if over.size else 0))

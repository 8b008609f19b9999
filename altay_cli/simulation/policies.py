"""Policies: how a simulated player chooses among legal moves.

What a move is worth stands in the rules pack (``playouts.yaml``); here is only the choosing.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from altay_cli.base.findings import ExpressionError
from altay_cli.match.state import State
from altay_cli.moves.listing import Move
from altay_cli.pack.model import Pack, Policy
from altay_cli.pack.plans import plans_of

RANDOM = "random"
"""The policy that chooses at random."""

GREEDY = "greedy"
"""Every player gets a random policy of the pack."""

BUDGET = 100_000
"""The budget for evaluating the worth of one move, in steps."""


def policy_names(pack: Pack) -> list[str]:
    """Return the names of all policies that can be played."""
    return [RANDOM, GREEDY, *pack.policies]


def deal(pack: Pack, named: Sequence[str], players: int, number: int, random: Random) -> list[str]:
    """Return the policy of each seat in game ``number``.

    Where fewer are named than there are seats, they come again; they move on by a seat from game to
    game, so that none of them always begins.
    """
    styles = list(pack.policies)
    dealt = []
    for seat in range(players):
        name = named[(seat + number) % len(named)]
        dealt.append(random.choice(styles) if name == GREEDY and styles else name)
    return dealt


def choose(state: State, moves: Sequence[Move], policy: Policy | None, random: Random) -> Move:
    """Return one of ``moves``, which is not empty; without a policy, by chance.

    Chance chooses the kind of move first, so that a kind with very many moves does not dominate.
    """
    if policy is None:
        kinds = sorted({move.kind for move in moves})
        kind = random.choice(kinds)
        return random.choice([move for move in moves if move.kind == kind])
    worths = [worth(state, move, policy) for move in moves]
    best = max(worths)
    return random.choice([m for m, one in zip(moves, worths, strict=True) if one == best])


def worth(state: State, move: Move, policy: Policy) -> int:
    """Return what a move is worth; the default if the rules say nothing or fail."""
    worth_of = plans_of(state.pack)[move.id].worths.get(policy.id)
    expr = policy.worth.get(move.id)
    if expr is None:
        return policy.otherwise
    try:
        state.grant(BUDGET)
        # Of a pack whose expressions tools may exchange there is no function.
        value = worth_of(state, move.values) if worth_of else expr.fn(state, move.values)
    except ExpressionError:
        return policy.otherwise
    return value if isinstance(value, int) else policy.otherwise

"""How much a simulated game may take, and what of that its choices cost."""

from __future__ import annotations

import pytest

from altay_cli.simulation.simulated import PlayPlan, playout
from tests.small import Pebbles


@pytest.mark.usefixtures("pebbles")
def test_each_choice_among_two_moves_costs_a_little() -> None:
    """Five turns of three moves, with at most two to choose from: some thirty times 300 steps."""
    outcome = playout(PlayPlan("pebbles", 2, ("random",), seed=1), 1)
    assert outcome.ended
    assert 5 * 3 * 300 < outcome.steps < 40_000


def test_a_worth_that_takes_long_to_tell_is_told(pebbles: Pebbles) -> None:
    """Who wants worthy stones takes a red one, 2 points, while there is one; a grey one is -3.

    The first takes two red ones and a grey one, the other a red one and a grey one.
    """
    worth = "lists.range(40000).max() - 39999 + stone.worth"
    policy = f"policies: {{greedy: {{title: Wants worth, worth: {{take: {worth!r}}}}}}}\n"
    pebbles.write("playouts.yaml", f"opening: [{{title: Seats, move: seat}}]\n{policy}")
    plan = PlayPlan("pebbles", 2, ("greedy",), seed=1)
    games = [playout(plan, number) for number in range(1, 9)]
    assert all({side.total for side in game.sides} == {1, -1} for game in games)


def test_a_game_in_which_everything_takes_long_is_played_to_its_end(pebbles: Pebbles) -> None:
    """It takes 800,000 steps to tell whether a turn may end, when that is listed and when it does.

    There are five turns, and a statement may take a million steps.
    """
    long = f"lists.range(99999){'.map(n, n + round)' * 7}.max() > 0"
    pebbles.change(
        "moves/turns.yaml", "turn.taken.size() > 0,", f'"turn.taken.size() > 0 && {long}",'
    )
    outcome = playout(PlayPlan("pebbles", 2, ("random",), seed=1), 1)
    assert (outcome.ended, outcome.end) == (True, "The heap is empty")
    assert outcome.steps > 10_000_000

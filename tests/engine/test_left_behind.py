"""What is taken back leaves nothing behind, and what is likely is weighed as cards are drawn."""

from __future__ import annotations

import pytest

from altay_cli.checking.opening import open_game
from altay_cli.hidden import limits
from altay_cli.hidden.lots import WIDTH, draw, update
from tests.engine.test_claims import HIDDEN, ROUND, errors
from tests.small import Pebbles, pebbles

__all__ = ["pebbles"]

THINK = """\
  think:
    title: Think for a while
    written: think
    does: [{each: {n: lists.range(50)}, does: [{add: {me.debt: 1}}]}]
"""


def test_a_move_taken_back_does_not_keep_the_end_from_coming(pebbles: Pebbles) -> None:
    """The heap holds one stone. Who takes it ends the game, whatever was tried and taken back."""
    pebbles.change(
        "moves/setup.yaml", "stones.red.bag(3).plus(stones.grey, 2)", "stones.red.bag(1)"
    )
    pebbles.change("moves/turns.yaml", "  end:\n", f"{THINK}  end:\n")
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'
    game = open_game(log)
    game.apply("think")
    game.undo()
    game.apply("take Red")
    assert game.ended


def test_a_hand_is_as_likely_as_there_are_ways_to_draw_it() -> None:
    """Three Hunters and two Warriors lie in a deck, in two heaps; two cards are drawn.

    Of the ten ways three bring two Hunters, one two Warriors, and six one of each.
    """
    hand, deck = 0, WIDTH
    hunters, warriors = (3, 3 << deck, 3), (2 << WIDTH, 2 << deck, 2)
    found = update({(hunters, warriors): 1.0}, lambda world: draw(world, deck, hand, 2))
    assert sorted(found.values()) == pytest.approx([0.1, 0.3, 0.6])


@pytest.mark.parametrize(
    ("claim", "is_wrong"),
    [("4 Hunter, 2 City", True), ("4 Hunter, City", False)],
)
def test_a_claim_that_cannot_be_gone_through(
    claim: str, is_wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With too many possible hands, six cards in a pile of five are wrong; five may be right."""
    monkeypatch.setattr(limits, "MAX_WORLDS", 1)
    found = errors(f"{HIDDEN}{ROUND}  expect discarded {claim}\n")
    assert any("expected 4 Hunter" in message for message in found) is is_wrong

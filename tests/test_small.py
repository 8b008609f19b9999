"""The game of the tests is sound, so that what a test finds is what it has changed."""

from __future__ import annotations

from tests.small import Pebbles


def test_its_rules_are_well_formed(pebbles: Pebbles) -> None:
    assert pebbles.problems() == []


def test_a_log_of_it_is_legal(pebbles: Pebbles) -> None:
    game = pebbles.judge()
    assert game.findings == []
    assert game.standing is not None
    assert [player.total for player in game.standing.players] == [2, 0]


def test_it_is_simulated(pebbles: Pebbles) -> None:
    result = pebbles.simulate()
    assert result.exit_code == 0, result.output
    assert "The heap is empty" in result.output

"""Draws that leave things where they were, and scores in expressions."""

from __future__ import annotations

import pytest

from tests.small import Pebbles

ROLL = """\
  roll:
    title: Roll dice
    written: "roll [=> <rolled>]"
    takes: {rolled: {type: drawn stone}}
    does:
      - draw:
          seen: rolled
          from: heap
          to: me.pouch
          times: 3
          back: true
          rules:
            missing: {rule: roll-missing, else: "what was rolled is not recorded"}
            short: {rule: roll-short, else: "{given} of {due} dice are recorded"}
            extra: {rule: roll-extra, else: "three dice, not {given}"}
            impossible: {rule: roll-impossible, else: "no die shows {drawn_card}"}
"""

LOG = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'


@pytest.fixture
def dice(pebbles: Pebbles) -> Pebbles:
    """Let three dice be rolled, with as many faces as there are stones on the heap."""
    pebbles.change("moves/turns.yaml", "triggers:\n", f"{ROLL}triggers:\n")
    assert pebbles.problems() == []
    return pebbles


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("roll => 3 grey", []),  # the heap has two
        ("roll => red, grey, red", []),
        ("roll => red", ["roll-short 5 1 of 3 dice are recorded"]),
        ("roll => red, ?, red", ["roll-short 5 3 of 3 dice are recorded"]),
        ("roll", ["roll-missing 5 what was rolled is not recorded"]),
        ("roll => 4 red", ["roll-extra 5 three dice, not 4"]),
    ],
)
def test_what_comes_can_come_again(dice: Pebbles, statement: str, found: list[str]) -> None:
    assert dice.findings(f"{LOG}  {statement}\n") == found


def test_dice_are_rolled_by_chance(dice: Pebbles) -> None:
    from altay_cli.playing import open_game

    game = open_game(LOG, seed=3)
    assert "roll" in map(str, game.legal_moves())
    for _ in range(5):
        statement = game.apply("roll")
        assert statement.startswith("roll => ")
    assert dice.findings(game.log()) == []
    heap = game.state.z[0]
    assert heap.size() == 5


def test_scores_stand_in_expressions(pebbles: Pebbles) -> None:
    pebbles.change(
        "game.yaml",
        "status: {ended: over,",
        "status: {ended: \"players.exists(p, score(p) >= 4 && score(p, 'debts') == 0)\",",
    )
    pebbles.change("scoring.yaml", "    title: Debts\n", "    title: Debts\n    counts: false\n")
    log = LOG + "  take red; end\nturn 2 Bob\n  take red; end\nturn 3 Ann\n"
    assert [problem for problem in pebbles.problems() if problem.severity == "error"] == []
    played = pebbles.judge(log).played
    assert played is not None
    assert not played.ended
    played = pebbles.judge(log + "  take red\n").played
    assert played is not None
    assert played.ended


def test_a_score_that_asks_for_itself_is_none(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "points: -me.debt", "points: score(me) + score(me)")
    game = pebbles.judge(LOG + "  take red; end\n")
    assert game.standing is not None
    fault = game.standing.players[0].categories[1].fault
    assert fault is not None
    assert "nested too deep" in fault

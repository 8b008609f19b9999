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
        ("roll => red, ?, red", ["draw-hidden 5 `?` does not say what was drawn"]),
        ("roll", ["roll-missing 5 what was rolled is not recorded"]),
        ("roll => 4 red", ["roll-extra 5 three dice, not 4"]),
    ],
)
def test_what_comes_can_come_again(dice: Pebbles, statement: str, found: list[str]) -> None:
    assert dice.findings(f"{LOG}  {statement}\n") == found


def test_dice_are_rolled_by_chance(dice: Pebbles) -> None:
    from altay_cli.checking.opening import open_game

    game = open_game(LOG, seed=3)
    assert "roll" in map(str, game.legal_moves())
    for _ in range(5):
        statement = game.apply("roll")
        assert statement.startswith("roll => ")
    assert dice.findings(game.log()) == []
    heap = game.state.zones.held(0)
    assert heap.size() == 5


@pytest.fixture
def numbered(dice: Pebbles) -> Pebbles:
    """Let the faces of the dice be numbers."""
    dice.change("names/en.yaml", "{red: Red, grey: Grey}", "{red: '6', grey: '4'}")
    return dice


def test_names_that_are_numbers_stand_side_by_side(numbered: Pebbles) -> None:
    """Double fours were written `4 4`, and double sixes with a four before them `4, 2 6`."""
    from altay_cli.checking.opening import open_game

    game = open_game(LOG, seed=3)
    rolls = {game.apply("roll") for _ in range(20)}
    assert "roll => 6, 6, 4" in rolls
    assert "roll => 4, 4, 4" in rolls
    assert all("," in roll and len(roll) == len("roll => 4, 4, 4") for roll in rolls)
    assert numbered.findings(game.log()) == []


@pytest.mark.parametrize("roll", ["6 6, 4", "3 4", "4, 6, 4"])
def test_counted_numbers_are_read(numbered: Pebbles, roll: str) -> None:
    given = "6 of them" if roll.startswith("6 6") else ""
    findings = numbered.findings(f"{LOG}  roll => {roll}\n")
    assert findings == (["roll-extra 5 three dice, not 7"] if given else [])


def test_a_missing_comma_between_numbers_is_one_error(numbered: Pebbles) -> None:
    """`6 4` are six fours; where they cannot be, they are a six and a four."""
    report = numbered.judge(
        f"{LOG}  roll => 6 4, 4; take 6; end\nturn 2 Bob\n  roll => 4, 4, 6; take 4\n"
    )
    (found,) = report.findings
    assert (found.rule, found.message) == ("roll-extra", "three dice, not 7")
    assert found.help[0] == "did you mean `roll => 6, 4, 4`?"


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


def test_a_score_that_asks_for_itself_is_refused(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "points: -me.debt", "points: score(me) + score(me)")
    assert pebbles.marked() == [("endless", "scoring.yaml", "debts")]

"""How long `rules check` plays, and how far it goes in a turn to find what never ends."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from altay_cli.cli.main import main
from altay_cli.lint import limits
from altay_cli.lint.playtests import Playtests
from altay_cli.lint.tryout import plans, play
from tests.small import Pebbles

TURNS = "moves/turns.yaml"


def played(pebbles: Pebbles, games: int) -> Playtests:
    found = plans(pebbles.folder, [], [])
    assert found is not None
    return play(found[0], games)


def ends(pebbles: Pebbles, games: int) -> list[str]:
    return [outcome.end for outcome in played(pebbles, games).outcomes]


def test_twenty_games_are_played(pebbles: Pebbles) -> None:
    result = pebbles.run("rules", "check", "pebbles", "--play", "3")
    assert "Played: 3 games" in result.output
    result = CliRunner().invoke(main, ["rules", "check", "pebbles"], env={"ALTAY_PLAY": None})
    assert "Played: 20 games" in result.output


def test_a_game_that_takes_too_many_steps_is_the_last_one(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(ends(pebbles, 3)) == 3
    monkeypatch.setattr(limits, "PLAYED_STEPS", 10)
    assert ends(pebbles, 3) == ["the rules take too many steps"]


def test_a_game_whose_rounds_never_pass_is_given_up(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    pebbles.change(TURNS, "- set: {round: number}", "- set: {round: 1}")
    pebbles.change(TURNS, "from: heap, to: me.pouch}", "to: me.pouch}")
    monkeypatch.setattr(limits, "MAX_MOVES", 40)
    assert ends(pebbles, 1) == ["not over after 40 moves"]


def test_a_way_back_may_take_several_moves(pebbles: Pebbles) -> None:
    """Behind a stone one goes round four places, by one of two ways each time."""
    pebbles.change("game.yaml", "zones:\n", "zones:\n  turn.place: {holds: int, lasts: turn}\n")
    moves = "".join(
        f"  {way}{n}:\n"
        f"    title: Go on\n"
        f"    written: {way}{n}\n"
        f"    requires: [{{rule: {way}{n}, that: turn.taken.size() == 1 && turn.place == {n}, else: elsewhere}}]\n"
        f"    does: [{{set: {{turn.place: {(n + 1) % 4}}}}}]\n"
        for way in ("left", "right")
        for n in range(4)
    )
    pebbles.write("moves/places.yaml", f"moves:\n{moves}")
    loops = played(pebbles, 1).loops
    assert {len(loop) for loop in loops} == {4}


def test_what_is_asked_of_rules_has_a_budget(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = (
        "lints:\n"
        "  - rule: long\n"
        "    title: All numbers are numbers\n"
        "    at: scoring\n"
        "    that: lists.range(5000).all(n, n >= 0)\n"
        "    else: some are not\n"
        "    example: none\n"
    )
    pebbles.write("lints.yaml", question)
    assert pebbles.problems() == []
    monkeypatch.setattr(limits, "STARTUP_STEPS", 5_000)
    assert "rule-budget" in {problem.rule for problem in pebbles.problems()}

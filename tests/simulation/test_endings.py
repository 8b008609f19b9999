"""What ended a simulated game: the trigger that settled it, and none that merely fired."""

from __future__ import annotations

import json

from tests.small import Pebbles

BESIDE = """\
triggers:
  half:
    title: The heap is half empty
    when: "round > 0 && heap.size() == 3"
    does: [{add: {"players[0].debt": 1}}]
  empty:
"""
AFTER = """\
  late:
    title: The game was over before
    when: over
    does: [{set: {over: "true"}}]
"""


def endings(pebbles: Pebbles) -> list[tuple[str, int]]:
    result = pebbles.simulate("--format", "json")
    assert result.exit_code == 0, result.output
    (run,) = json.loads(result.output)["runs"]
    return [(ending["reason"], ending["games"]) for ending in run["endings"]]


def test_triggers_that_fire_beside_do_not_end_a_game(pebbles: Pebbles) -> None:
    pebbles.change("moves/turns.yaml", "triggers:\n  empty:\n", BESIDE)
    pebbles.add("moves/turns.yaml", AFTER)
    assert pebbles.problems() == []
    assert endings(pebbles) == [("The heap is empty", 3)]


def test_the_trigger_that_brings_the_last_round_ends_the_game(pebbles: Pebbles) -> None:
    pebbles.change(
        "game.yaml", "  over: {holds: bool}\n", "  over: {holds: bool}\n  last: {holds: bool}\n"
    )
    pebbles.change("game.yaml", "status: {ended: over,", "status: {ended: over, ending: last,")
    pebbles.change(
        "moves/turns.yaml",
        "triggers:\n",
        "triggers:\n  few:\n    title: Few stones are left\n"
        '    when: "round > 0 && heap.size() <= 2 && !last"\n'
        '    does: [{set: {last: "true"}}]\n',
    )
    assert endings(pebbles) == [("Few stones are left", 3)]


def test_a_move_that_ends_the_game_is_no_trigger(pebbles: Pebbles) -> None:
    pebbles.change("moves/turns.yaml", "triggers:\n  empty:\n", BESIDE)
    pebbles.change("moves/turns.yaml", 'heap.size() == 0 && !over"', 'heap.size() == 0 && over"')
    pebbles.change(
        "moves/turns.yaml",
        'does: [{set: {active: "null"}}]',
        'does: [{set: {active: "null"}}, {set: {over: "heap.size() == 0"}}]',
    )
    assert endings(pebbles) == [("the game has ended", 3)]

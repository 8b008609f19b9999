"""How much is tried where legal moves are listed and games are laid out."""

from __future__ import annotations

import pytest

from altay_cli.checking.errors import GameError
from altay_cli.checking.opening import new_game, open_game
from altay_cli.moves import limits
from tests.small import Pebbles

TURN = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n'


@pytest.mark.parametrize(("count", "orders"), [(6, 6 * 5 * 4 * 3 * 2), (7, 1)])
def test_all_orders_of_a_list_are_tried_if_there_are_at_most_a_thousand(
    pebbles: Pebbles, count: int, orders: int
) -> None:
    stones = "abcdefg"[:count]
    pebbles.write("board.yaml", "stone:\n" + "".join(f"  {one}: {{worth: 1}}\n" for one in stones))
    pebbles.change("names/en.yaml", "red: Red, grey: Grey", ", ".join(f"{s}: {s}" for s in stones))
    pebbles.change("moves/setup.yaml", "stones.red.bag(3).plus(stones.grey, 2)", "stones.bag()")
    pebbles.change(
        "moves/turns.yaml",
        "  end:\n",
        "  sort:\n    title: Sort stones\n    written: sort <stones>\n"
        f"    takes: {{stones: {{type: list(stone), from: heap, count: {{least: {count}}}}}}}\n"
        "    does: [{set: {round: round}}]\n  end:\n",
    )
    game = open_game(TURN)
    assert [move.id for move in game.candidates()].count("sort") == orders
    assert game.complete == (orders > 1)


def test_what_no_state_changes_is_not_asked_while_moves_are_listed(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To compare the worth of a stone takes 40,000 steps: it is known of each since the start."""
    pebbles.change(
        "moves/turns.yaml",
        "      - {rule: on-the-heap, at: stone,",
        "      - {rule: fair, that: 'lists.range(40000).max() < stone.worth + 40000', else: no}\n"
        "      - {rule: on-the-heap, at: stone,",
    )
    monkeypatch.setattr(limits, "LISTING_STEPS", 20_000)
    game = open_game(TURN)
    assert [move.statement for move in game.candidates()] == ["take Red"]
    assert game.complete


GRAB = """\
  grab:
    title: Grab a stone
    written: grab [<stone>]
    takes: {stone: {type: stone, OPTIONAL from: "stones.filter(s, s in heap && ASKED)"}}
    requires: [{rule: lying, at: stone, that: "stone in heap && ASKED", else: no}]
    does: [{set: {round: round}}]
  end:
"""


def test_what_holds_of_all_that_a_slot_can_hold_is_not_asked_again(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look at 4,000 numbers for each of two stones takes at least 8,000 steps, twice 16,000."""
    grab = GRAB.replace("OPTIONAL", "").replace("ASKED", "lists.range(4000).max() > heap.size()")
    pebbles.change("moves/turns.yaml", "  end:\n", grab)
    monkeypatch.setattr(limits, "LISTING_STEPS", 15_000)
    game = open_game(TURN)
    listed = [move.statement for move in game.candidates() if move.id == "grab"]
    assert listed == ["grab Red", "grab Grey"]
    assert game.complete


def test_what_holds_of_each_thing_need_not_hold_of_nothing(pebbles: Pebbles) -> None:
    grab = GRAB.replace("OPTIONAL", "optional: true,").replace(" && ASKED", "")
    pebbles.change("moves/turns.yaml", "  end:\n", grab)
    listed = [move.statement for move in open_game(TURN).candidates() if move.id == "grab"]
    assert listed == ["grab Red", "grab Grey"]


def test_what_does_not_lie_somewhere_is_not_taken_to_lie_there(pebbles: Pebbles) -> None:
    """Only stones that are not in the pouch can be grabbed, and only those in it may be."""
    pebbles.add(
        "game.yaml",
        "functions:\n  beyond:\n    takes: {held: bag(stone)}\n    gives: list(stone)\n"
        '    is: "stones.filter(s, !(s in held))"\n',
    )
    grab = GRAB.replace("<stone>", "<some>").replace("at: stone", "at: some")
    grab = grab.replace(
        'stone: {type: stone, OPTIONAL from: "stones.filter(s, s in heap && ASKED)"',
        'some: {type: bag(stone), from: "beyond(me.pouch).filter(s, s.worth < 9)"',
    )
    grab = grab.replace("stone in heap && ASKED", "me.pouch.has(some)")
    pebbles.change("moves/turns.yaml", "  end:\n", grab)
    game = open_game(TURN)
    assert "grab" not in {move.id for move in game.candidates()}


def test_a_game_is_laid_out_in_so_many_steps(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To wait costs 150 steps, and a few more; each of two seats costs twice that."""
    pebbles.change(
        "moves/setup.yaml",
        "prepare:",
        "  wait: {title: Wait, written: wait, does: [{add: {round: 1}}]}\nprepare:",
    )
    playouts = "opening:\n  - {title: Seats, move: seat}\n"
    waiting = "  - {title: Waiting, move: wait, while: round < LAST}\n"
    pebbles.write("playouts.yaml", playouts + waiting.replace("LAST", "60"))
    monkeypatch.setattr(limits, "LISTING_STEPS", 12_000)
    assert new_game("pebbles", ["Ann", "Bob"]).round == 60
    pebbles.write("playouts.yaml", playouts + waiting.replace("LAST", "90"))
    with pytest.raises(GameError, match="Waiting: laying out this game takes too many steps"):
        new_game("pebbles", ["Ann", "Bob"])

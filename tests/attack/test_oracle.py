"""What the listing says of statements, by hand: whether a statement is legal, and why not."""

from __future__ import annotations

from functools import cache

import pytest

from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from attack.counting import deep
from attack.oracle import judge
from tests.engine.table import FIRST_TURN, MIDDLE, SETUP

# Ann has 2 Hunter, 2 Warrior, Village in hand, and Hunter, Shaman, Village, 2 Warrior to draw.
DRAWN = "Hunter, Shaman, Village, 2 Warrior"


@cache
def at(where: str) -> Game:
    """Return a game at a point that the tests speak of."""
    if where == "between":
        return open_game(SETUP)
    if where == "middle":
        return open_game(MIDDLE)
    game = open_game(SETUP + FIRST_TURN)
    if where == "food":
        game.apply("play 2 Hunter")
    if where == "due":
        for line in ("play 2 Hunter", "play Village", "place 2 food on Village"):
            game.apply(line)
    return game


LEGAL = [
    ("between", "turn 1 Ann"),
    ("first", "play Hunter"),
    ("first", "play 2 Hunter"),
    ("first", "Ann: play 2 Hunter"),
    ("first", "play Jäger"),  # a name of another language
    ("first", "play Hunter for food"),
    ("first", "attack W2 from F2 with Warrior"),
    ("first", "attack W2 from F2 with 2 Warrior"),
    ("first", f"end => {DRAWN}"),
    ("first", "end => Warrior, Village, Warrior, Hunter, Shaman"),
    ("food", "buy Farmer"),
    ("food", "buy Farmer for food"),
    ("food", "buy Scholar"),
    ("food", "develop Writing with food => Engineering"),
    ("due", "build F2"),
    ("due", "Ann: build F2"),
    ("middle", "take Merchant"),
]

ILLEGAL = [
    # turns
    ("between", "turn 1 Bob", "no listed move"),
    ("between", "turn 2 Ann", "no listed move"),
    ("between", "play Hunter", "no listed move"),
    ("first", "turn 1 Bob", "no listed move"),
    ("first", "setup", "a heading"),
    # names and syntax
    ("first", "play (", "malformed"),
    ("first", "play Huntr", "Huntr"),
    ("first", "Cleo: play Hunter", "an unknown player"),
    ("first", "juggle Hunter", "juggle"),
    # cards
    ("first", "Bob: play Hunter", "no listed move"),
    ("first", "play 3 Hunter", "no listed move"),
    ("first", "play Shaman", "no listed move"),
    ("first", "play Hunter, Warrior", "no listed move"),
    ("first", "play Hunter for wood", "no listed move"),
    ("first", "buy Farmer", "no listed move"),
    ("food", "buy Farmer for 2 food", "no listed move"),
    ("food", "buy Hunter", "no listed move"),
    ("food", "buy Merchant", "no listed move"),
    # the board: M3 has a marker of value 3, and 1 + 2 does not exceed it; W3 is not adjacent
    ("first", "attack M3 from F2 with 2 Warrior", "no listed move"),
    ("first", "attack W3 from F2 with Warrior", "no listed move"),
    ("first", "attack W2 from F2", "no listed move"),
    ("first", "build F2", "no listed move"),
    ("due", "build H2", "no listed move"),
    ("due", "build nowhere", "no listed move"),
    ("due", f"end => {DRAWN}", "no listed move"),
    ("due", "Bob: build F2", "no listed move"),
    ("due", "build F2, F2", "no listed move"),  # one settlement is due
    # draws: one Shaman is in the deck, and five cards are drawn
    ("first", "end", "not told"),
    ("first", "end => 2 Shaman, Hunter, 2 Warrior", "cannot be drawn"),
    ("first", "end => Farmer, Shaman, Village, 2 Warrior", "cannot be drawn"),
    ("first", "end => Shaman, Village, 2 Warrior", "not told"),
    ("first", f"end => {DRAWN}, Hunter", "more is told than is drawn"),
    ("food", "develop Writing with food", "not told"),
    ("food", "develop Writing with food => Commerce", "cannot be drawn"),
    ("food", "develop Commerce with food", "no listed move"),  # it has level 2
    # abilities
    ("middle", "use Commerce spending food for wood", "no listed move"),
    ("middle", "use Religion moving F2 to H2", "no listed move"),
]


@pytest.mark.parametrize(("where", "text"), LEGAL)
def test_a_legal_statement_is_found_legal(where: str, text: str) -> None:
    game = at(where)
    before = deep(game.state)
    assert judge(game, text).legal, judge(game, text).reason
    assert deep(game.state) == before


@pytest.mark.parametrize(("where", "text", "reason"), ILLEGAL)
def test_an_illegal_statement_is_found_illegal(where: str, text: str, reason: str) -> None:
    game = at(where)
    before = deep(game.state)
    verdict = judge(game, text)
    assert not verdict.legal
    assert reason in verdict.reason
    assert deep(game.state) == before


def test_several_payments_are_told_apart() -> None:
    # A Merchant costs 2 food and one of wood, metal, stone; with a point on it, culture besides.
    position = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: settlements F2
  Bob: settlements F6
  Ann: resources 3 food, wood, metal, culture
turn 3 Ann
"""
    game = open_game(position)
    assert judge(game, "buy Merchant for 2 food, wood, culture").legal
    assert judge(game, "buy Merchant for 2 food, metal, culture").legal
    assert judge(game, "buy Merchant").reason == "several payments are possible"
    assert not judge(game, "buy Merchant for 2 food, wood").legal


def test_cards_of_one_name_are_told_apart() -> None:
    # A Craftsman brings wood or stone; the bare name fits both, and both are in hand.
    position = """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Elvenfolk
  Ann: hand Craftsman(wood), Craftsman(stone), 3 Hunter
  Ann: settlements F2
  Bob: settlements F6
turn 3 Ann
"""
    game = open_game(position)
    assert judge(game, "play Craftsman(wood)").legal
    assert judge(game, "play Craftsman for stone").legal
    assert judge(game, "play Craftsman").reason == "a name may mean several things"


def test_what_is_listed_already_need_not_be_listed_again() -> None:
    game = at("first")
    assert judge(game, "play Hunter", game.candidates()).legal
    assert not judge(game, "play Hunter", []).legal

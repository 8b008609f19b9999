"""A bare title is the copy with the fewest points of those that lie there, whatever lies there.

Where nobody wrote down what lies there, it differs from one course of events to another, and so does
what the title means: what follows decides. Ann's deck is told in each test; a hand is of five cards.
"""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.hidden import limits
from tests.engine.alone import played

OTHERS = "4 Hunter, 2 Warrior, Village, Spellweaver"
"""Eight cards of which there are no copies with points."""


def log(deck: str, *turns: str) -> str:
    """Return a log of Ann's turns with this deck."""
    return played(f"  Ann: deck {deck}\n  marker 1 on H2", *turns)


def wrong(deck: str, *turns: str) -> list[str]:
    """Return the statements of a log that are judged illegal."""
    return wrong_in(log(deck, *turns))


def wrong_in(text: str) -> list[str]:
    """Return the statements of a whole log that are judged illegal."""
    (game,) = check_text(text).games
    errors = [found for found in game.findings if found.severity is Severity.ERROR]
    return [text.splitlines()[found.span.line - 1] for found in errors]


CAVALRY = "2 Cavalry, Cavalry(1), Worker, Merchant(1), 4 Hunter, 2 Warrior"
DRAWN = "end => Cavalry, Cavalry(1), 2 Hunter, Warrior"


def test_a_hand_with_two_copies_holds_both() -> None:
    deck = CAVALRY
    used = "use Mathematics discarding Cavalry; use Engineering trashing Cavalry(1)"
    assert wrong(deck, DRAWN, used) == []
    other = "end => Cavalry(1), Cavalry, 2 Hunter, Warrior"
    assert wrong(deck, other, used) == []
    # The first is the one without points: it is not in the hand any more.
    again = "use Mathematics discarding Cavalry => Hunter; use Engineering trashing Cavalry(0)"
    assert wrong(deck, DRAWN, again) == ["use Engineering trashing Cavalry(0)"]


def test_an_unknown_card_may_be_the_copy_with_fewer_points() -> None:
    """Of the hand Chariot(1), Hunter and one more are known; of Chariot, where the third may be."""
    deck = f"Chariot, Chariot(1), {OTHERS}"
    turn = "use Mathematics discarding Chariot => Hunter; use Engineering trashing Chariot(1)"
    assert wrong(deck, "end => Chariot(1), Hunter, 3 ?", turn) == []
    # If none of the cards is unknown, Chariot is the one that is left.
    assert wrong(deck, "end => Chariot(1), 3 Hunter, Village", turn) == [
        "use Engineering trashing Chariot(1)"
    ]


def test_what_was_named_may_turn_out_to_be_the_other_copy() -> None:
    deck = f"Worker, Worker(1), {OTHERS}"
    assert wrong(deck, "play Worker; use Engineering trashing Worker(1)") == []
    assert wrong(deck, "play Worker; use Engineering trashing Worker") == []
    assert wrong(deck, "play Worker; use Engineering trashing Worker(0)") == [
        "use Engineering trashing Worker(0)"
    ]


def test_two_at_once_and_a_name_beside_another() -> None:
    deck = f"2 Cavalry, Cavalry(1), {OTHERS}"
    attack = "attack H2 from F2 with "
    for names in ("2 Cavalry", "Cavalry, Cavalry(1)", "Cavalry(1), Cavalry", "3 Cavalry"):
        assert wrong(deck, attack + names, "play Hunter") == []
    after = "use Engineering trashing Cavalry(1)"
    assert wrong(deck, f"{attack}2 Cavalry; {after}", "play Hunter") == []
    assert wrong(deck, f"{attack}Cavalry(1), Cavalry; {after}") == [after]
    assert wrong(deck, f"{attack}Cavalry, Cavalry(0); {after}") == []


def test_a_card_drawn_by_a_bare_title_is_the_least_that_was_in_the_deck() -> None:
    deck = f"Cavalry, Cavalry(1), {OTHERS}"
    # In the first hand lies the one or the other: the one drawn then may be either.
    first = "use Mathematics discarding Cavalry => ?; end => Cavalry, 4 ?"
    for copy in ("Cavalry(0)", "Cavalry(1)", "Cavalry"):
        assert wrong(deck, first, f"use Engineering trashing {copy}") == []


def test_where_all_that_is_left_comes_names_are_of_different_cards() -> None:
    """The first hand is discarded; with the second, all that is left of the deck comes."""
    deck = "City, City(1), 3 Hunter, 2 Warrior, Village, Spellweaver, Farmer"
    hand = "end => City, City(0), 3 Hunter"
    assert wrong(deck, hand, "use Mathematics discarding City; play Hunter") == []
    assert wrong(deck, hand, "use Engineering trashing City(2)") == [
        "use Engineering trashing City(2)"
    ]


def test_a_copy_in_the_archive_is_not_the_one_that_was_used() -> None:
    """City(2) is archived, and the City that is discarded is another one, if there is one in hand.

    If there is none in hand, both others lie in the deck, and no Worker can come from there.
    """
    cards = "Cavalry(1), City, City(1), City(2), Hunter, 2 Worker, Worker(1)"
    last = "use Writing archiving Worker"
    turn = f"play Worker; use Mathematics discarding City => Worker; {last}"
    text = log(f"{cards}\n  Ann: archived City(2)", "end => 4 ?, Worker(1)", turn)
    assert wrong_in(text.replace("Engineering", "Engineering, Writing")) == [last]


def test_a_card_that_is_certainly_there_can_certainly_be_used() -> None:
    game = open_game(log(CAVALRY, DRAWN) + "turn 2 Ann\n")
    moves = {move.statement: game.is_certain(move) for move in game.legal_moves()}
    assert moves["use Engineering trashing Cavalry"]
    assert moves["use Engineering trashing Cavalry(1)"]
    assert moves["attack H2 from F2 with Cavalry"]
    # One of the two certainly, but neither.
    game = open_game(log("Cavalry, Cavalry(1), 4 Hunter", "") + "turn 2 Ann\n")
    moves = {move.statement: game.is_certain(move) for move in game.legal_moves()}
    assert moves["use Engineering trashing Cavalry"]
    assert not moves["use Engineering trashing Cavalry(1)"]


def test_moves_out_of_a_hidden_hand_can_be_compared() -> None:
    """What was noted of each statement before was compared as well, and printed for that."""
    game = open_game(log("4 Hunter, 6 Digger", *["play Digger"] * 400) + "turn 401 Ann\n")
    moves = {move.statement: move for move in game.legal_moves()}
    assert game.alike(moves["play Digger"], moves["play Digger for metal"])
    assert not game.alike(moves["play Digger"], moves["play Digger for stone"])


def test_what_takes_too_long_because_it_is_hidden_is_no_fault_of_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "WORLD_STEPS", 2_000_000)
    monkeypatch.setattr(limits, "MANY_WORLDS", 1)
    (game,) = check_text(log(CAVALRY, "play Hunter")).games
    assert game.verdict is Verdict.NOT_JUDGED
    assert [f.rule for f in game.findings if f.severity is Severity.ERROR] == ["undecided"]


CITIES = """\
[Game "altay"]
[Edition "en"]

position
  Ann: faction Smallfolk
  Bob: faction Elvenfolk
  Ann: deck 3 Hunter, 2 City(0), City(1), 2 Town(0), Worker(0), Chariot(1), Cavalry(0), Spellweaver, Warrior
  Ann: settlements 2 F2, W2
  Ann: completed Writing, Mathematics, Engineering, Government
  Bob: deck 2 Hunter, Loremaster, 2 Cavalry(0), Chariot(0)
  Bob: settlements 2 F6, H6, W6
turn 1 Bob
  play Hunter for food
  buy Lumberjack for food
  end => Hunter, 2 Cavalry(0), Lumberjack, Hunter
turn 2 Ann
  use Engineering trashing City(0) => Chariot(1)
  use Writing archiving City(0)
  use Government
  end => Worker(0), Town(0), Spellweaver, Hunter, Warrior, Town(0)
turn 2 Bob
  play 2 Hunter
  buy Farmer for food
  end => Chariot(0), Loremaster, Lumberjack, 2 Cavalry(0)
turn 3 Ann
  play City(0)
  play Town
  use Engineering trashing Spellweaver => Cavalry(0)
  use Government
  end => Chariot(1), Warrior, City(1), Worker(0), Town(0), Cavalry(0)
turn 3 Bob
  end => Farmer, 2 Hunter, Loremaster, Chariot(0)
turn 4 Ann
  use Engineering trashing Chariot(1) => Hunter
  use Mathematics discarding City(1) => Hunter
  use Writing archiving Worker
  use Government
  end => Hunter, Town(0), City(1), Warrior, Hunter, Cavalry(0)
turn 4 Bob
  play 2 Hunter for food
  buy Miner for food
  end => Lumberjack, 2 Cavalry(0), Hunter, Miner
turn 5 Ann
  use Mathematics discarding Town => Hunter
  play Worker
  use Government
  end => Worker(0), 2 Hunter, Warrior, Hunter, Town(0)
"""


def test_what_a_title_means_is_taken_once_from_a_hand_or_the_archive() -> None:
    """The City that is played leaves hand and archive: it had come back into the hand unseen.

    So Ann's draw deck held a card too many, and could not be made anew with the Worker.
    """
    hidden = CITIES
    for drawn, shown in (
        ("Chariot(1)\n", "?\n"),
        ("Town(0), Spellweaver, Hunter, Warrior, Town(0)", "5 ?"),
        ("Chariot(1), Warrior, City(1), Worker(0), Town(0), Cavalry(0)", "?, Warrior, 2 ?, Town(0), ?"),
        ("=> Hunter\n  use Mathematics discarding City(1)", "=> ?\n  use Mathematics discarding City"),
        ("Hunter, Town(0), City(1), Warrior, Hunter, Cavalry(0)", "?, Town(0), 2 ?, Hunter, ?"),
        ("2 Hunter, Warrior, Hunter, Town(0)", "?, Hunter, 3 ?"),
        ("trashing City(0)", "trashing City"), ("archiving City(0)", "archiving City"), ("play City(0)", "play City"),
    ):  # fmt: skip
        assert hidden.count(drawn) == 1
        hidden = hidden.replace(drawn, shown)
    assert wrong_in(CITIES) == []
    assert wrong_in(hidden) == []

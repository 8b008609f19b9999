"""Draws: what can be drawn, the reshuffle in the middle (en 9), cards that nobody wrote down."""

from __future__ import annotations

import pytest

from altay_cli.pack.functions import plus
from tests.engine.table import Table

# Ann's deck holds two cards; a draw of five needs the discard pile after the second.
SHORT = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: deck 3 Hunter, Shaman, 2 Village, 4 Warrior, 2 Scholar
  Ann: hand 2 Scholar, Shaman
  Ann: discarded 4 Warrior, 2 Village, Hunter
  Bob: hand 5 Hunter
  Ann: settlements F2
  Bob: settlements F6
turn 3 Ann
"""


def contents(table: Table, zone: str, who: str = "Ann") -> dict[str, int]:
    bag = table[zone][table.player(who)]
    known = {table.state.words.name(card): count for card, count in bag.items()}
    return known | ({"?": bag.unknown.hidden} if bag.unknown.hidden else {})


def rules(table: Table, line: str) -> list[str]:
    return [finding.rule for finding in table.say(line)]


def test_the_hand_is_discarded_before_the_reshuffle() -> None:
    table = Table(SHORT)
    assert rules(table, "end => 2 Hunter, 2 Scholar, Shaman") == []
    assert contents(table, "hand") == {"Hunter": 2, "Scholar": 2, "Shaman": 1}
    assert contents(table, "discard") == {}
    assert contents(table, "deck") == {"Hunter": 1, "Village": 2, "Warrior": 4}


def test_of_a_card_too_many_that_may_be_one_of_two_only_one_comes() -> None:
    # Five of the seven are drawn, and a Craftsman, of which one for wood and one for stone lie there.
    table = Table(
        """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Elvenfolk
  Ann: deck 4 Hunter, 2 Warrior, Spellweaver, Village, Craftsman(wood), Craftsman(stone)
  Ann: hand Warrior, Spellweaver, Village
  Bob: hand 5 Hunter
  Ann: settlements F2
  Bob: settlements F6
turn 3 Ann
"""
    )
    assert rules(table, "end => 4 Hunter, Warrior, Craftsman") == ["draw-too-many"]
    assert sum(contents(table, "hand").values()) == 6
    assert sum(contents(table, "deck").values()) == 1


def test_the_deck_runs_out_first() -> None:
    # Only the two Hunters can come first: the third lies on the discard pile.
    table = Table(SHORT)
    assert rules(table, "end => Warrior, 2 Hunter, Scholar, Shaman") == ["draw-impossible"]


def test_an_empty_deck_is_not_reshuffled_before_a_card_is_needed() -> None:
    # en 9: reshuffle only when you need to draw.
    table = Table(SHORT)
    assert rules(table, "play Scholar to draw => Hunter") == []
    assert rules(table, "play Scholar to draw => Hunter") == []
    assert contents(table, "deck") == {}
    assert contents(table, "discard") == {"Warrior": 4, "Village": 2, "Hunter": 1, "Scholar": 2}


def test_the_card_that_draws_is_in_the_reshuffle() -> None:
    # Ruling scholar-price: it is discarded for the draw, so before it.
    # Ann's deck is empty; one Scholar is in her hand and the other on the discard pile.
    text = SHORT.replace("hand 2 Scholar, Shaman", "hand Scholar, Shaman, 2 Hunter, Village")
    table = Table(
        text.replace("4 Warrior, 2 Village, Hunter", "4 Warrior, Village, Hunter, Scholar")
    )
    assert contents(table, "deck") == {}
    for _ in range(2):
        assert rules(table, "play Scholar to draw => Scholar") == []
    assert contents(table, "discard") == {"Scholar": 1}
    assert contents(table, "deck") == {"Warrior": 4, "Village": 1, "Hunter": 1}


def test_both_piles_empty_bring_fewer_cards() -> None:
    table = Table(
        SHORT.replace(", 2 Scholar\n", "\n")
        .replace("hand 2 Scholar, Shaman", "hand 3 Hunter, Shaman")
        .replace("discarded 4 Warrior, 2 Village, Hunter", "table Village")
        .replace("deck 3 Hunter, Shaman, 2 Village, 4 Warrior", "deck 3 Hunter, Shaman, Village")
    )
    assert table.findings == []
    assert contents(table, "deck") == {}
    assert rules(table, "end => 3 Hunter, Shaman") == []
    assert contents(table, "hand") == {"Hunter": 3, "Shaman": 1}


@pytest.mark.parametrize(
    ("drawn", "rule"),
    [
        ("", "draw-unrecorded"),
        (" =>", "draw-too-few"),
        (" => 2 Hunter, 2 Scholar", "draw-too-few"),
        (" => 2 Hunter, 2 Scholar, Shaman, Warrior", "draw-too-many"),
        (" => 2 Hunter, 2 Scholar, Chariot", "draw-impossible"),
        (" => 2 Hunter, 2 Scholar, ?", "card-hidden"),
    ],
)
def test_what_is_wrong_with_a_draw(drawn: str, rule: str) -> None:
    table = Table(SHORT)
    table.state.complete = True
    assert rules(table, "end" + drawn) == [rule]


@pytest.mark.parametrize("drawn", ["", " => 5 ?", " => 2 Hunter, 2 Scholar, ?"])
def test_what_is_not_written_down_is_no_mistake(drawn: str) -> None:
    assert rules(Table(SHORT), "end" + drawn) == []


def test_cards_not_written_down_are_hidden_in_the_hand_and_in_the_deck() -> None:
    table = Table(SHORT)
    table.say("end")
    hand, deck = (table[zone][table.player("Ann")] for zone in ("hand", "deck"))
    # The deck held two cards, and they all came; three more came out of the new one.
    assert (hand.size(), hand.unknown.hidden) == (5, 3)
    assert (deck.size(), deck.unknown.hidden) == (12 - 5, 12 - 5)
    assert table["discard"][table.player("Ann")].size() == 0


def test_a_hidden_card_that_is_played_becomes_known() -> None:
    table = Table(SHORT)
    for line in ("end", "turn 3 Bob", "end => Warrior, Warrior, Loremaster, Loremaster, Village"):
        table.say(line)
    before = len(table.findings)
    for line in ("turn 4 Ann", "play 2 Hunter"):
        table.say(line)
    assert len(table.findings) == before
    ann = table.player("Ann")
    assert table["hand"][ann].unknown.hidden == 3
    assert contents(table, "discard") == {"Hunter": 2}
    owned = sum(table[zone][ann].size() for zone in ("hand", "deck", "discard", "table", "archive"))
    assert owned == 12


def sizes(table: Table, name: str) -> dict[str, int]:
    zones = ("hand", "deck", "discard", "table", "archive")
    return {zone: table[zone][table.player(name)].size() for zone in zones}


def test_cards_that_nobody_writes_down_are_counted_all_the_same() -> None:
    # Ann owns twelve cards and Bob ten; every hand is of five, whatever is reshuffled when.
    table = Table(SHORT)
    for number in range(3, 12):
        for name, owned in (("Ann", 12), ("Bob", 10)):
            table.say(f"turn {number} {name}")
            table.say("end")
            found = sizes(table, name)
            assert found["hand"] == 5, (number, name, found)
            assert sum(found.values()) == owned, (number, name, found)
            assert min(found.values()) >= 0


def test_a_hand_written_down_after_hands_that_were_not() -> None:
    table = Table(SHORT)
    for line in ("end", "turn 3 Bob", "end", "turn 4 Ann", "end => 2 Warrior, 2 Village, Hunter"):
        table.say(line)
    assert sizes(table, "Ann") == {"hand": 5, "deck": 2, "discard": 5, "table": 0, "archive": 0}
    assert table["hand"][table.player("Ann")].unknown.hidden == 0


def test_sums_of_hidden_cards_count_copies() -> None:
    # Twelve cards lie in hand and deck; the hand, counted twice, holds five more.
    table = Table(SHORT)
    table.say("end")
    state = table.state
    hand, deck = (table[zone][table.player("Ann")] for zone in ("hand", "deck"))
    assert plus(state, hand, deck).size() == 12
    for some in (plus(state, plus(state, hand, deck), hand),
                 plus(state, hand, plus(state, hand, deck))):  # fmt: skip
        assert some.size() == 5 + 12

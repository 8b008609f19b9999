"""Logs that are hard to judge by eye, each worked out by hand: few cards, reshuffles, either of two.

Firefolk own 3 Hunter, Shaman, 2 Village, 4 Warrior. Of `FEW` one Warrior is archived, and the other
five cards are in the first hand: Colonist, Digger, 2 Hunter, Warrior. Smallfolk have two Craftsmen.
"""

from __future__ import annotations

import pytest

from tests.engine.test_unrecorded import FEW, possible

TRASH, DISCARD = "use Engineering trashing", "use Mathematics discarding"
ONE, TWO = "attack H2 from F2 with Warrior", "attack H2 from F2 with 2 Warrior"
MORE = "attack M3 from F2 with 2 Warrior"
REST = "play Colonist; play Digger for stone"
SHOWN = "end => 3 Hunter, Shaman, Village"


@pytest.mark.parametrize(("legal", "turns"), [
    (True, (f"{TRASH} Warrior; end => 2 Hunter, 3 ?",)),
    (False, (f"{TRASH} Warrior; end => 3 Hunter, 2 ?",)),
    # Nothing is in the deck: what is drawn for the Warrior is the Warrior, if it was not kept.
    (True, (f"{DISCARD} Warrior => ?; end => 5 ?",)),
    (True, (f"{DISCARD} Warrior => Warrior; {TRASH} Warrior",)),
    (True, (f"{DISCARD} Warrior => Warrior; {REST}; {TWO}",)),
    (False, (f"{DISCARD} Warrior => Warrior; {TRASH} Warrior; {TWO}",)),
    # Five come if the archived card was used, and two Warriors can be among them.
    (True, (f"{ONE}; end => 2 Warrior, 3 ?",)),
    (False, ("end => 2 Warrior, 3 ?",)),
    (True, ("end => Warrior, 4 ?",)),
    (True, (f"{ONE}; end => 5 ?", MORE)),
    # Both were used, so all six are drawn from, and nothing is archived.
    (True, (f"{TWO}; end => 5 ?",)),
    (True, (f"{TWO}; end => 5 ?", "use Writing archiving Warrior")),
    (False, (f"{TWO}; end => 4 ?",)),
])  # fmt: skip
def test_six_cards_one_of_which_is_archived(*, legal: bool, turns: tuple[str, ...]) -> None:
    assert possible(*turns, faction="Earthfolk", more=FEW) is legal


@pytest.mark.parametrize(("legal", "turns"), [
    (True, (f"{TRASH} Shaman => ?; {DISCARD} Hunter => ?", TWO)),
    # The second hand holds the other five cards, in any order.
    (True, ("end => 3 Hunter, ?, ?", "play Shaman")),
    (True, (SHOWN, "play 3 Hunter")),
    (False, (SHOWN, ONE)),
    (False, ("play Shaman; end => ?, Shaman, 3 ?",)),
    (True, ("play Shaman", "end => Shaman, 4 ?")),
    (True, ("play Shaman", "end => 4 ?, Shaman")),
    (False, ("end => 5 ?", "end => 5 Warrior")),
    # One of the five has come already: four come, and the fifth is from the new deck.
    (True, (f"{DISCARD} Shaman => ?; end => 4 ?, Shaman",)),
    (False, (f"{DISCARD} Shaman => ?; end => 3 ?, Shaman, ?",)),
])  # fmt: skip
def test_ten_cards_two_hands(*, legal: bool, turns: tuple[str, ...]) -> None:
    assert possible(*turns) is legal


@pytest.mark.parametrize(("legal", "turns"), [
    (True, ("end => Craftsman, Craftsman, 3 ?",)),
    (False, ("end => 3 Craftsman, 2 ?",)),
    (False, ("play Craftsman for wood; end => Craftsman(wood), 4 ?",)),
    (True, ("play Craftsman for wood; end => Craftsman, 4 ?", "play Craftsman for stone")),
    (True, (f"{TRASH} Craftsman", "play Craftsman for wood", "", "play Craftsman for wood")),
])  # fmt: skip
def test_two_cards_of_one_name(*, legal: bool, turns: tuple[str, ...]) -> None:
    assert possible(*turns, faction="Smallfolk") is legal

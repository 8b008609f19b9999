"""Kalah against a few lines of Python, and the rules."""

from __future__ import annotations

from random import Random

import pytest

from tests.classics.counting import begin, told
from tests.logs import begun

PITS = [*(f"a{n}" for n in range(1, 7)), "store a", *(f"b{n}" for n in range(1, 7)), "store b"]


class Kalah:
    """The game on a list of fourteen numbers; houses 0 to 5 and store 6 are the first player's."""

    def __init__(self, seeds: int) -> None:
        self.pits = [*[seeds] * 6, 0, *[seeds] * 6, 0]
        self.player = 0
        self.over = False

    def moves(self) -> list[int]:
        mine = range(7 * self.player, 7 * self.player + 6)
        return [pit for pit in mine if self.pits[pit]]

    def sow(self, pit: int) -> None:
        pits, store = self.pits, 6 + 7 * self.player
        hand, pits[pit] = pits[pit], 0
        while hand:
            pit = (pit + 1) % 14
            if pit != 19 - store:
                pits[pit] += 1
                hand -= 1
        if store - 6 <= pit < store and pits[pit] == 1 and pits[12 - pit]:
            pits[store] += 1 + pits[12 - pit]
            pits[pit] = pits[12 - pit] = 0
        if pit != store:
            self.player = 1 - self.player
        if not any(pits[:6]) or not any(pits[7:13]):
            for first in (0, 7):
                pits[first + 6] += sum(pits[first : first + 6])
                pits[first : first + 6] = [0] * 6
            self.over = True


@pytest.mark.parametrize("seeds", [3, 4, 5, 6])
def test_games_at_random(seeds: int) -> None:
    random = Random(seeds)
    moves = 0
    while moves < 250:
        game = begin("kalah", tags=(("Seeds", str(seeds)),))
        zone = next(zone.index for zone in game.pack.zones if zone.name == "seeds")
        own = Kalah(seeds)
        while not own.over:
            assert not game.ended
            assert game.player == ["Ann", "Bob"][own.player]
            legal = [f"sow {PITS[pit]}" for pit in own.moves()]
            assert [str(move) for move in game.candidates()] == legal
            pit = random.choice(own.moves())
            own.sow(pit)
            game.apply(f"sow {PITS[pit]}")
            found = game.state.zones.held(zone)
            assert [found[pit] for pit in game.pack.entities["pit"]] == own.pits
            moves += 1
        assert game.ended
        first, second = own.pits[6], own.pits[13]
        winners = ("Ann",) if first > second else ("Bob",) if second > first else ()
        assert game.score().winners == winners


SETUP = begun("kalah")


def test_seeds_of_own_houses_are_sown() -> None:
    assert told(SETUP + "  sow b1\n") == ["own-house: b1 is not a house of Ann"]
    assert told(SETUP + "  sow store of a\n") == ["own-house: store of a is not a house of Ann"]
    # The last seed falls into the store, so that Ann goes on.
    assert told(SETUP + "  sow a3\n  Bob: sow b1\n") == ["your-turn: it is Ann's turn, not Bob's"]
    assert told(SETUP + "  sow a3\n  sow a3\n") == ["house-empty: a3 is empty"]


def test_a_turn_of_several_moves_stands_under_one_heading() -> None:
    log = SETUP + "  sow a3\n  sow a1\nturn 1 Bob\n  sow b1\nturn 2 Ann\n"
    assert told(log) == []

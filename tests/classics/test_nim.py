"""Nim against a few lines of Python, and the rules."""

from __future__ import annotations

from random import Random

import pytest

from altay_cli.checking.opening import open_game
from tests.classics.counting import told

SETUP = """\
[Game "nim"]
setup
  seat Ann
  seat Bob
  heap A of 3
  heap B of 1
"""


@pytest.mark.parametrize("last", ["wins", "loses"])
def test_games_at_random(last: str) -> None:
    random = Random(last)
    moves = 0
    while moves < 500:
        sizes = {name: random.randint(1, 9) for name in "ABCDE"[: random.randint(1, 5)]}
        heaps = "".join(f"  heap {name} of {size}\n" for name, size in sizes.items())
        game = open_game(
            f'[Game "nim"]\n[Last "{last}"]\nsetup\n  seat Ann\n  seat Bob\n{heaps}turn 1 Ann\n'
        )
        player, other = "Ann", "Bob"
        while any(sizes.values()):
            assert not game.ended
            assert game.player == player
            legal = {f"take {n} from {name}" for name in sizes for n in range(1, sizes[name] + 1)}
            assert {str(move) for move in game.candidates()} == legal
            name = random.choice([name for name in sizes if sizes[name]])
            taken = random.randint(1, sizes[name])
            game.apply(f"take {taken} from {name}")
            sizes[name] -= taken
            player, other = other, player
            moves += 1
        assert game.ended
        assert game.score().winners == ((other if last == "wins" else player),)


def test_what_is_on_a_heap_can_be_taken() -> None:
    log = SETUP + "turn 1 Ann\n"
    assert told(log + "  take 4 from A\n") == ["not-there: 3 are on heap A, not 4"]
    assert told(log + "  take 2 from B\n") == ["not-there: 1 is on heap B, not 2"]
    assert told(log + "  take 0 from A\n") == ["take-one: a player takes at least one thing"]
    assert told(log + "  take 3 from A\n  take 1 from B\nresult\n  winner Bob\n") == []


def test_heaps_are_laid_out_once() -> None:
    assert told(SETUP + "  heap A of 2\n") == ["heap-twice: heap A already exists, with 3"]
    assert told(SETUP + "  heap C of 0\n") == ["heap-empty: a heap has at least one thing"]
    nothing = SETUP.replace("  heap A of 3\n  heap B of 1\n", "")
    assert told(nothing) == ["no-heaps: there is no heap to take from"]

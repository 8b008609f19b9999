"""Connect four: public numbers, and the rules."""

from __future__ import annotations

import pytest

from tests.classics.counting import begin, perft, told
from tests.logs import begun

SETUP = begun("connectfour")


@pytest.mark.parametrize(
    ("depth", "count"), [(1, 7), (2, 49), (3, 343), (4, 2_401), (5, 16_807), (6, 117_649)]
)
def test_perft(depth: int, count: int) -> None:
    assert perft(begin("connectfour"), depth) == count


@pytest.mark.parametrize(
    "columns",
    ["abababa", "aabbccd", "abbccdcddgd", "gffeededdad"],
    ids=["upright", "flat", "rising", "falling"],
)
def test_four_in_a_row_win(columns: str) -> None:
    log = SETUP + "".join(f"  drop {column}\n" for column in columns)
    assert told(log + "result\n  winner Ann\n") == []
    assert told(log + "  drop a\n") == ["game-over: the game has ended"]


def test_three_in_a_row_do_not() -> None:
    log = SETUP + "".join(f"  drop {column}\n" for column in "aabbc")
    assert [one.split(":")[0] for one in told(log + "result\n  winner Ann\n")] == [
        "game-unfinished",
        "claim-winner",
    ]


def test_a_full_column_takes_no_disc() -> None:
    log = SETUP + "  drop a\n" * 6
    assert told(log) == []
    assert told(log + "  drop a\n") == ["column-full: column a is full"]


def test_a_full_board_is_drawn() -> None:
    # Pairs of columns filled so that no four of a colour come together.
    columns = "ababab" + "bababa" + "cdcdcd" + "dcdcdc" + "efefef" + "fefefe" + "gggggg"
    assert told(SETUP + "".join(f"  drop {c}\n" for c in columns) + "result\n  draw\n") == []

"""Othello: public numbers, and the rules."""

from __future__ import annotations

import pytest

from tests.classics.counting import at_position, begin, perft, told
from tests.logs import begun

SETUP = begun("othello")


@pytest.mark.parametrize(
    ("depth", "count"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1_396), (6, 8_200)]
)
def test_perft(depth: int, count: int) -> None:
    assert perft(begin("othello"), depth) == count


def test_black_begins_with_one_of_four_moves() -> None:
    moves = {str(move) for move in begin("othello").candidates()}
    assert moves == {"play d3", "play c4", "play f5", "play e6"}


def test_a_disc_encloses_others() -> None:
    assert told(SETUP + "  play a1\n") == [
        "encloses: a disc on a1 would enclose no disc of the opponent"
    ]
    assert told(SETUP + "  play d4\n") == ["square-free: a disc is already on d4"]


def test_who_can_play_does_not_pass() -> None:
    assert told(SETUP + "  pass\n") == ["must-play: Ann can play d3, c4, f5, e6"]


def test_who_cannot_play_passes() -> None:
    game = at_position("othello", ["Ann: has a1, a2, b3, c4, d4, e4, d5, e5", "Bob: has b1"], "Bob")
    assert [str(move) for move in game.candidates()] == ["pass"]
    game.apply("pass")
    assert [str(move) for move in game.candidates()] == ["play c1"]
    game.apply("play c1")
    assert game.ended
    assert game.score().winners == ("Ann",)
    assert game.score().of("Ann").total == 10


def test_as_many_discs_each_is_drawn() -> None:
    upper, lower = (
        ", ".join(f"{column}{row}" for column in "abcdefgh" for row in rows)
        for rows in ("1234", "5678")
    )
    position = '[Game "othello"]\nposition\n  seat Ann\n  seat Bob\n'
    position += f"  Ann: has {upper}\n  Bob: has {lower}\n"
    assert told(position + "turn 1 Ann\nresult\n  draw\n") == []
    assert told(position + "turn 1 Ann\nresult\n  winner Ann, Bob\n") == [
        "claim-winner: claimed winner: Ann, Bob; computed: a draw (as many discs each)"
    ]


def test_squares_hold_one_disc() -> None:
    position = '[Game "othello"]\nposition\n  seat Ann\n  seat Bob\n  Ann: has d4\n'
    position += "  Ann: has e4, d5, e5\n  Bob: has d4\n"
    assert told(position) == ["square-free: a disc of Ann is already on d4"]


def test_the_shortest_game() -> None:
    # White has no disc left after nine moves.
    moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
    log = SETUP + "".join(f"  play {square}\n" for square in moves) + "result\n"
    assert told(log + "  winner Ann\n  Ann: score 13\n  Bob: score 0\n") == []

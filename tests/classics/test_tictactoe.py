"""Tic-tac-toe: all 255,168 games, and the rules."""

from __future__ import annotations

from tests.classics.counting import begin, told
from tests.logs import begun

SETUP = begun("tictactoe")


def test_there_are_255168_games_in_5478_positions() -> None:
    game = begin("tictactoe")
    index = {zone.name: zone.index for zone in game.pack.zones}
    squares = game.pack.entities["square"]

    def position() -> tuple[str, ...]:
        marks = game.state.zones.held(index["mark"])
        return tuple(owner.id if (owner := marks[square]) else "" for square in squares)

    seen: dict[tuple[str, ...], int] = {}

    def games() -> int:
        """Return how many games there are from here; each position is looked at once."""
        here = position()
        if here not in seen:
            seen[here] = 1 if game.ended else 0
            for move in [] if game.ended else game.candidates():
                game.apply(move)
                seen[here] += games()
                game.undo()
        return seen[here]

    assert games() == 255_168
    assert len(seen) == 5_478


def test_three_in_a_row_win() -> None:
    log = SETUP + "  mark a1\n  mark b1\n  mark b2\n  mark c1\n  mark c3\nresult\n"
    assert told(log + "  winner Ann\n") == []
    assert told(log + "  winner Bob\n") == [
        "claim-winner: claimed winner: Bob; computed: Ann (three in a row)"
    ]
    assert told(log + "  draw\n") == [
        "claim-winner: claimed: a draw; computed: Ann (three in a row)"
    ]


def test_a_full_board_without_a_row_is_drawn() -> None:
    squares = ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"]
    log = SETUP + "".join(f"  mark {square}\n" for square in squares) + "result\n"
    assert told(log + "  draw\n") == []
    assert told(log + "  winner Ann\n") == [
        "claim-winner: claimed winner: Ann; computed: a draw (a full board)"
    ]


def test_a_game_that_is_not_over_has_no_winner() -> None:
    log = SETUP + "  mark b2\nresult\n  draw\n"
    assert "claim-winner: claimed: a draw; computed: no winner yet" in told(log)


def test_a_square_is_marked_once() -> None:
    assert told(SETUP + "  mark b2\n  mark b2\n") == ["square-free: Ann has already marked b2"]


def test_turns_alternate() -> None:
    assert told(SETUP + "  mark b2\n  Ann: mark a1\n") == ["your-turn: it is Bob's turn, not Ann's"]


def test_each_turn_may_have_its_heading() -> None:
    log = SETUP + "  mark b2\nturn 1 Bob\n  mark a1\nturn 2 Ann\n  mark a2\n"
    assert told(log) == []
    assert told(log + "turn 2 Ann\n") == ["turn-order: it is Bob's turn, not Ann's"]
    assert told(log + "turn 3 Bob\n") == ["round-number: this is round 2, not 3"]
    assert told(log + "turn 2 Bob\nturn 2 Bob\n") == [
        "turn-begun: the turn of Bob has its heading already"
    ]


def test_nothing_is_played_when_the_game_is_over() -> None:
    log = SETUP + "  mark a1\n  mark b1\n  mark b2\n  mark c1\n  mark c3\n  mark a2\n"
    assert told(log) == ["game-over: the game has ended"]


def test_two_play() -> None:
    assert told('[Game "tictactoe"]\nsetup\n  seat Ann\nturn 1 Ann\n') == [
        "too-few-seats: the game needs 2 players; seated: Ann"
    ]
    three = '[Game "tictactoe"]\nsetup\n  seat Ann\n  seat Bob\n  seat Cid\n'
    assert told(three) == ["seat-count: the game is for 2 players, and Cid is one more"]
    twice = '[Game "tictactoe"]\nsetup\n  seat Ann\n  seat Ann\n  seat Bob\n'
    assert told(twice) == ["seat-taken: Ann has a seat already"]

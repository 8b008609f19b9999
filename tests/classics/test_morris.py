"""Nine men's morris against a few lines of Python, and the rules."""

from __future__ import annotations

from random import Random

import pytest

from tests.classics.counting import at_position, begin, told
from tests.logs import begun

LINES = [
    "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
    "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
]  # fmt: skip
MILLS = [line.split() for line in LINES]
POINTS = sorted({point for mill in MILLS for point in mill})
BESIDE = {
    point: {
        other
        for mill in MILLS
        if point in mill
        for other in mill
        if abs(mill.index(point) - mill.index(other)) == 1
    }
    for point in POINTS
}


class Morris:
    """The game on a dictionary from points to the numbers of players."""

    def __init__(self) -> None:
        self.board: dict[str, int] = {}
        self.hand = [9, 9]
        self.player = 0
        self.closed = False

    def men(self, player: int) -> set[str]:
        return {point for point, owner in self.board.items() if owner == player}

    def in_mill(self, point: str) -> bool:
        owner = self.board[point]
        return any(point in mill and set(mill) <= self.men(owner) for mill in MILLS)

    def moves(self) -> set[str]:
        me = self.player
        free = set(POINTS) - set(self.board)
        if self.closed:
            men = self.men(1 - me)
            loose = {point for point in men if not self.in_mill(point)}
            return {f"remove {point}" for point in loose or men}
        if self.hand[me]:
            return {f"place {point}" for point in free}
        flying = len(self.men(me)) <= 3
        return {
            f"move {one} to {other}"
            for one in self.men(me)
            for other in (free if flying else free & BESIDE[one])
        }

    def make(self, move: str) -> None:
        verb, *words = move.split()
        point = words[-1]
        if verb == "remove":
            del self.board[point]
            self.closed = False
        else:
            if verb == "move":
                del self.board[words[0]]
            else:
                self.hand[self.player] -= 1
            self.board[point] = self.player
            self.closed = self.in_mill(point)
        if not self.closed:
            self.player = 1 - self.player

    def winner(self) -> int | None:
        for player in (0, 1):
            if self.hand[player] + len(self.men(player)) < 3:
                return 1 - player
        return None if self.moves() else 1 - self.player


def test_games_at_random() -> None:
    random = Random(7)
    moves = 0
    while moves < 1000:
        game, own = begin("morris"), Morris()
        while own.winner() is None and moves < 1000:
            assert not game.ended
            assert game.player == ["Ann", "Bob"][own.player]
            assert {str(move) for move in game.candidates()} - {"draw"} == own.moves()
            # Mills are closed where that is possible, so that games come to an end.
            legal = sorted(own.moves())
            closing = [move for move in legal if closes(own, move)]
            move = random.choice(closing or legal)
            own.make(move)
            game.apply(move)
            moves += 1
        winner = own.winner()
        if winner is not None:
            assert game.ended
            assert game.score().winners == (["Ann", "Bob"][winner],)


def closes(game: Morris, move: str) -> bool:
    verb, *words = move.split()
    men = game.men(game.player) - set(words[:-1])
    return verb != "remove" and any(
        words[-1] in mill and set(mill) - {words[-1]} <= men for mill in MILLS
    )


SETUP = begun("morris")
MILL = SETUP + "  place a7\n  place a1\n  place d7\n  place d1\n  place g7\n"


def test_a_mill_removes_a_man() -> None:
    assert told(MILL + "  remove a1\n  place a1\n") == []
    assert told(MILL + "  place b6\n") == [
        "remove-first: Ann has closed a mill and must remove a man first"
    ]
    assert told(MILL + "  remove a7\n") == ["opponents-man: Bob has no man on a7"]
    assert told(SETUP + "  place a7\n  remove a7\n") == ["no-mill: Bob has closed no mill"]


def test_men_in_mills_are_spared() -> None:
    log = MILL + "  remove a1\n  place a1\n  place b2\n  place g1\n"  # Bob closes a1, d1, g1
    assert told(log + "  remove d7\n") == ["in-mill: the man on d7 is in a mill; b2 are not"]
    assert told(log + "  remove b2\n") == []


def test_men_are_placed_before_they_move() -> None:
    assert told(SETUP + "  place a7\n  place d7\n  move a7 to a4\n") == [
        "place-first: Ann has 8 men to place first"
    ]
    assert told(SETUP + "  place a7\n  place a7\n") == ["point-free: a man of Ann is on a7"]


POSITION = """\
[Game "morris"]
position
  seat Ann
  seat Bob
  Ann: has a7, d7, g7, a4
  Bob: has a1, d1, g4
turn 1 Ann
"""


def test_men_move_along_lines_and_the_last_three_fly() -> None:
    assert told(POSITION + "  move a4 to b4\n  move a1 to f6\n  place a1\n") == [
        "none-in-hand: all men of Ann are on the board: `move`"
    ]
    assert told(POSITION + "  move a4 to c4\n") == ["not-beside: no line leads from a4 to c4"]
    assert told(POSITION + "  move b4 to c4\n") == ["own-man: Ann has no man on b4"]


def test_who_has_two_men_left_has_lost() -> None:
    log = POSITION + "  move d7 to d6\n  move g4 to f4\n  move d6 to d7\n  remove f4\nresult\n"
    assert told(log + "  winner Ann\n") == []
    assert told(log + "  draw\n") == [
        "claim-winner: claimed: a draw; computed: Ann (too few men left)"
    ]


def test_who_cannot_move_has_lost() -> None:
    men = ["Ann: has a1, g1, a7, g7", "Bob: has d1, a4, g4, d6"]
    game = at_position("morris", men, "Bob")
    game.apply("move d6 to d7")
    assert game.ended
    assert (game.score().winners, game.score().by) == (("Bob",), "no way to move")


@pytest.mark.parametrize("who", ["", "Bob: "])
def test_a_draw_is_agreed(who: str) -> None:
    assert told(f"{SETUP}  place a7\n  place d7\n  {who}draw\nresult\n  draw\n") == []

"""Checkers against a few lines of Python, public numbers, and the rules."""

from __future__ import annotations

from random import Random

import pytest

from altay_cli.checking.playing import Game
from tests.classics.counting import at_position, begin, told
from tests.logs import begun

COLUMNS = "abcdefgh"
Place = tuple[int, int]


def name(place: Place) -> str:
    return f"{COLUMNS[place[0]]}{place[1] + 1}"


class Checkers:
    """The game on a dictionary of pieces; ``up`` tells in which direction a side's men move."""

    def __init__(self) -> None:
        self.pieces: dict[Place, tuple[int, bool]] = {
            (column, row): (0 if row < 3 else 1, False)
            for row in (0, 1, 2, 5, 6, 7)
            for column in range(8)
            if (column + row) % 2 == 0
        }
        self.player = 0
        self.jumper: Place | None = None

    def reach(self, place: Place, distance: int) -> list[Place]:
        side, king = self.pieces[place]
        ups = (1, -1) if king else (1 - 2 * side,)
        places = [
            (place[0] + x * distance, place[1] + up * distance) for up in ups for x in (-1, 1)
        ]
        return [
            (x, y) for x, y in places if 0 <= x < 8 and 0 <= y < 8 and (x, y) not in self.pieces
        ]

    def jumps(self, place: Place) -> list[Place]:
        found = []
        for target in self.reach(place, 2):
            over = ((place[0] + target[0]) // 2, (place[1] + target[1]) // 2)
            if over in self.pieces and self.pieces[over][0] != self.player:
                found.append(target)
        return found

    def moves(self) -> list[tuple[Place, Place]]:
        own = [place for place, (side, _) in self.pieces.items() if side == self.player]
        if self.jumper is not None:
            own = [self.jumper]
        captures = [(place, target) for place in own for target in self.jumps(place)]
        return captures or [(place, target) for place in own for target in self.reach(place, 1)]

    def make(self, place: Place, target: Place) -> None:
        side, king = self.pieces.pop(place)
        crowned = not king and target[1] == (0 if side else 7)
        self.pieces[target] = side, king or crowned
        self.jumper = None
        if abs(target[1] - place[1]) == 2:
            del self.pieces[(place[0] + target[0]) // 2, (place[1] + target[1]) // 2]
            if not crowned and self.jumps(target):
                self.jumper = target
                return
        self.player = 1 - self.player


def turns(game: Game, depth: int) -> int:
    """Count the ways to play ``depth`` turns; all jumps of a capture are one turn."""
    if depth == 0:
        return 1
    player, found = game.player, 0
    for move in game.candidates():
        game.apply(move)
        found += turns(game, depth - (game.player != player))
        game.undo()
    return found


def test_public_numbers() -> None:
    # As A. Bik, E. Trice and others have published them for English draughts.
    counted = [turns(begin("checkers"), depth) for depth in range(1, 6)]
    assert counted == [7, 49, 302, 1469, 7361]


@pytest.mark.parametrize("seed", range(4))
def test_games_at_random(seed: int) -> None:
    random = Random(seed)
    game, own = begin("checkers"), Checkers()
    man, king = (
        next(zone.index for zone in game.pack.zones if zone.name == which)
        for which in ("man", "king")
    )
    squares = game.pack.entities["square"]
    for _ in range(150):
        legal = own.moves()
        if not legal:
            break
        assert not game.ended
        assert game.player == ["Ann", "Bob"][own.player]
        found = {str(move) for move in game.candidates()} - {"draw"}
        assert found == {f"move {name(place)} to {name(target)}" for place, target in legal}
        place, target = random.choice(legal)
        own.make(place, target)
        game.apply(f"move {name(place)} to {name(target)}")
        owners, kings = game.state.zones.held(man), game.state.zones.held(king)
        pieces = {
            squares_place(square.id): (["Ann", "Bob"].index(owners[square].id), bool(kings[square]))
            for square in squares
            if owners[square] is not None
        }
        assert pieces == own.pieces
    if not own.moves():
        assert game.ended
        assert game.score().winners == (["Ann", "Bob"][1 - own.player],)


def squares_place(square: str) -> Place:
    return COLUMNS.index(square[0]), int(square[1]) - 1


SETUP = begun("checkers")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["move d3 to d4"], "own-man: Ann has no piece on d3"),
        (["move c3 to b2"], "square-free: a piece of Ann is on b2"),
        (["move c3 to c4"], "can-go: the piece on c3 cannot go to c4"),
        (["move c3 to e5"], "can-go: the piece on c3 cannot go to e5"),
        (["move b6 to a5"], "own-man: Ann has no piece on b6"),
        (
            ["move c3 to d4", "move f6 to g5", "move d4 to c3"],
            "backwards: the man on d4 moves only",
        ),
        (
            ["move c3 to d4", "move f6 to e5", "move a3 to b4"],
            "capture-due: Ann can capture with the piece on d4, and must",
        ),
        # Squares have numbers as well, and the notation by numbers is read.
        (["move 11 to 15", "move 23 to 19"], ""),
        (["draw", "move c3 to d4"], "game-over: the game has ended"),
    ],
)
def test_moves(moves: list[str], message: str) -> None:
    found = told(SETUP + "".join(f"  {move}\n" for move in moves))
    assert [one.startswith(message) for one in found] == ([True] if message else [])


def test_the_notation_by_numbers_is_read() -> None:
    found = told(SETUP + "  11-15\n")
    assert [one.partition(":")[0] for one in found] == ["badly-written"]


POSITION = ["Ann: men c3, g3", "Bob: men d4, f6, b8", "Bob: kings a1"]


def test_a_piece_goes_on_capturing() -> None:
    game = at_position("checkers", POSITION, "Ann")
    assert [str(move) for move in game.candidates()] == ["move c3 to e5"]
    game.apply("move c3 to e5")
    assert game.player == "Ann"
    assert [str(move) for move in game.candidates()] == ["move e5 to g7"]
    log = '[Game "checkers"]\nposition\n  seat Ann\n  seat Bob\n'
    log += "".join(f"  {line}\n" for line in POSITION) + "turn 1 Ann\n  move c3 to e5\n"
    (found,) = told(log + "  move g3 to h4\n")
    assert found == "go-on: the piece on e5 can capture again and must"
    assert told(log + "  move e5 to g7\nturn 1 Bob\n  expect men b8\n  move a1 to b2\n") == []


def test_a_man_that_becomes_a_king_ends_its_turn() -> None:
    # The new king on b8 could capture c7 and then e5, if it could go on.
    game = at_position("checkers", ["Ann: men d6", "Bob: men c7, e7, a5"], "Ann")
    game.apply("move d6 to b8")
    assert game.player == "Bob"


def test_who_cannot_move_has_lost() -> None:
    game = at_position("checkers", ["Ann: men h4", "Bob: men g5, f6, a7"], "Bob")
    assert not game.ended
    game.apply("move a7 to b6")
    assert game.ended
    assert game.score().winners == ("Bob",)


def test_draws() -> None:
    kings = ["Ann: kings a1", "Bob: kings h8"]
    game = at_position("checkers", kings, "Ann")
    circle = ["move a1 to b2", "move h8 to g7", "move b2 to a1", "move g7 to h8"]
    for move in 2 * circle:
        assert "draw" not in map(str, game.candidates())
        game.apply(move)
    assert "draw" in map(str, game.candidates())
    game.apply("draw")
    score = game.score()
    assert score.winners == ()
    assert str(score.ending) == "threefold repetition"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("Ann: men c4", "dark-square: c4 is a light square; a1 is dark"),
        ("Ann: men c3, c3", "one-piece: a piece of Ann is already on c3"),
        ("Ann: men d8", "uncrowned: the man on d8 has reached the last row and is a king: `kings`"),
        ("Ann: men a1, c1, e1, g1, b2, d2, f2, h2, a3, c3, e3, g3, b4", "too-many-men: Ann has 13"),
    ],
)
def test_positions(statement: str, message: str) -> None:
    log = f'[Game "checkers"]\nposition\n  seat Ann\n  seat Bob\n  {statement}\n  Bob: kings h8\n'
    assert [found[: len(message)] for found in told(log)] == [message]


def test_the_longest_capture_by_a_variant() -> None:
    log = '[Game "checkers"]\n[Variant "longest-capture"]\nposition\n  seat Ann\n  seat Bob\n'
    log += "  Ann: men a3, g3\n  Bob: men b4, f4, f6, b8\nturn 1 Ann\n"
    assert told(log + "  move g3 to e5\n  move e5 to g7\n") == []
    (found,) = told(log + "  move a3 to c5\n")
    assert found == "longest-capture: 2 pieces can be taken, and must be"
    assert told(log.replace('[Variant "longest-capture"]\n', "") + "  move a3 to c5\n") == []

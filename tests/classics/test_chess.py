"""Chess: public numbers, the rules, and random games beside python-chess."""

from __future__ import annotations

from random import Random

import pytest

from attack.perft import KIWIPETE, POSITION_3, POSITION_4
from tests.classics.counting import at_position, begin, perft, told
from tests.logs import begun

SETUP = begun("chess")


@pytest.mark.parametrize(("depth", "count"), [(1, 20), (2, 400), (3, 8_902)])
def test_perft_from_the_start(depth: int, count: int) -> None:
    assert perft(begin("chess"), depth) == count


@pytest.mark.parametrize(
    ("position", "counts"),
    [(KIWIPETE, [48, 2_039]), (POSITION_3, [14, 191, 2_812]), (POSITION_4, [6, 264])],
    ids=["Kiwipete", "position 3", "position 4"],
)
def test_perft_of_positions(position: list[str], counts: list[int]) -> None:
    for depth, count in enumerate(counts, 1):
        assert perft(at_position("chess", position, "Ann"), depth) == count


@pytest.mark.parametrize("seed", [1, 3, 5, 6])
def test_games_at_random_are_those_of_python_chess(seed: int) -> None:
    pytest.importorskip("chess")
    from attack.chess_games import play

    assert play(seed, most=150)[1] == []


def test_only_turns_that_can_be_are_listed() -> None:
    from altay_cli.checking.opening import open_game

    # The rook gives check.
    found = open_game(
        '[Game "chess"]\nposition\n  seat Ann\n  seat Bob\n'
        "  Ann: has king on c5\n  Bob: has king on f1\n  Bob: has rook on b5\n"
    )
    assert [str(move) for move in found.legal_moves()] == ["turn 1 Ann"]


def test_positions_at_random_are_refused_where_python_chess_refuses_them() -> None:
    pytest.importorskip("chess")
    from attack.chess_games import at_random, disputed

    boards = [at_random(Random(seed)) for seed in range(60)]
    assert [told for told in map(disputed, boards) if told] == []
    # Some can be, and some cannot.
    assert 10 < sum(board.is_valid() for board in boards) < 50


# ---------------------------------------------------------------- how games end


def game(moves: str) -> str:
    """Return a log; `e2e4` is a move from e2 to e4."""
    return SETUP + "".join(f"  move {move[:2]} to {move[2:]}\n" for move in moves.split())


def test_mate() -> None:
    log = game("f2f3 e7e5 g2g4 d8h4") + "result\n"
    assert told(log + "  winner Bob\n") == []
    assert told(log + "  draw\n") == ["claim-winner: claimed: a draw; computed: Bob (checkmate)"]
    assert told(game("f2f3 e7e5 g2g4 d8h4 e1f2")) == ["game-over: the game has ended"]


def test_stalemate() -> None:
    # The shortest one known, by Sam Loyd.
    moves = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8"
    log = game(f"{moves} f7g6 c8e6") + "result\n"
    assert told(log + "  draw\n") == []
    assert told(log + "  winner Ann\n") == [
        "claim-winner: claimed winner: Ann; computed: a draw (stalemate)"
    ]


@pytest.mark.parametrize(
    ("pieces", "over"),
    [
        (["Ann: has bishop on c1"], True),
        (["Bob: has knight on c1"], True),
        (["Ann: has bishop on c1, e3", "Bob: has bishop on g1"], True),
        (["Ann: has bishop on c1, d1"], False),
        (["Ann: has knight on c1", "Bob: has knight on g1"], False),
        (["Ann: has pawn on c2"], False),
    ],
)
def test_too_little_left_to_mate(pieces: list[str], *, over: bool) -> None:
    # The queen that is taken at last would be enough.
    position = ["Ann: has king on a1", "Bob: has king on h8", "Bob: has queen on b1", *pieces]
    found = at_position("chess", position, "Ann")
    found.apply("move a1 to b1")
    assert found.ended is over
    if over:
        assert found.score().by == "too few pieces left to mate"
        assert found.score().winners == ()


def test_the_same_position_five_times_is_drawn() -> None:
    around = "g1f3 g8f6 f3g1 f6g8 "
    assert told(game(around * 3) + "result\n  draw\n")[0].startswith("game-unfinished")
    assert told(game(around * 4) + "result\n  draw\n") == []
    assert told(game(around * 4 + "e2e4")) == ["game-over: the game has ended"]


def test_the_right_to_castle_tells_positions_apart() -> None:
    opening = "e2e4 e7e5 "
    around = "e1e2 e8e7 e2e1 e7e8 "
    last = game(opening + around * 4)
    # Four times without the right to castle, and once, at the beginning, with it.
    assert told(last + "  move g1 to f3\n") == []
    assert told(game(opening + around * 4 + "e1e2 e8e7") + "result\n  draw\n") == []


def test_a_draw_is_claimed_or_agreed() -> None:
    from altay_cli.checking.opening import open_game

    around = "g1f3 g8f6 f3g1 f6g8 "
    for log, by in (
        (game(around * 2) + "  draw\n", "threefold repetition"),
        (game(around) + "  draw\n", "agreement"),
    ):
        found = open_game(log)
        assert found.ended
        assert found.score().by == by
        assert found.score().winners == ()
    assert "draw" in map(str, open_game(game(around * 2)).candidates())
    assert "draw" not in map(str, open_game(game(around)).candidates())


# ---------------------------------------------------------------- what is forbidden


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("e7e5", "own-piece: Ann has no piece on e7"),
        ("e3e4", "own-piece: Ann has no piece on e3"),
        ("e2e5", "can-go: the pawn on e2 cannot go to e5"),
        ("a1a3", "can-go: the rook on a1 cannot go to a3"),
        ("e2e4 d7d5 e1e2 d5e4 e2e3 d8d4 e3d4 e4e3 d4d5 c8e6 d5d6", "own-king: "),
        ("e2e4 d7d5 e4d5 d8d5 f2f3 d5e5 a2a3", "own-king: the king of Ann would be attacked"),
        ("e2e4 a7a6 e4e5 d7d5 a2a3 a6a5 e5d6", "en-passant: there is no piece on d6 to capture"),
        ("e1g1", "castling-blocked: f1, g1 are not empty"),
        ("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 g1f3 g8f6 f1e2 f8e7 e1g1", "castling-right: "),
    ],
)
def test_what_is_forbidden(moves: str, message: str) -> None:
    (found,) = told(game(moves))
    assert found.startswith(message)


def test_a_pawn_is_taken_in_passing() -> None:
    assert told(game("e2e4 a7a6 e4e5 d7d5 e5d6 c7d6")) == []


def test_castling() -> None:
    pieces = [
        "Ann: has king on e1",
        "Ann: has rook on h1, a1",
        "Ann: may castle kingside, queenside",
    ]
    rooks = {"f8": "f1 is attacked", "e8": "e1 is attacked", "g8": "the king of Ann would be"}
    for square, why in rooks.items():
        log = "\n".join(
            [
                '[Game "chess"]\nposition\n  seat Ann\n  seat Bob',
                *pieces,
                f"Bob: has king on c7\nBob: has rook on {square}\nturn 1 Ann\n  move e1 to g1\n",
            ]
        )
        (found,) = told(log)
        assert why in found
    found = at_position("chess", [*pieces, "Bob: has king on c7", "Bob: has rook on b8"], "Ann")
    found.apply("move e1 to c1")  # the rook passes an attacked square, the king does not
    moves = set(
        map(str, at_position("chess", [*pieces, "Bob: has king on c7"], "Ann").candidates())
    )
    assert {"move e1 to g1", "move e1 to c1"} <= moves


def test_promotion() -> None:
    position = ["Ann: has king on a1", "Ann: has pawn on e7", "Bob: has king on a8"]
    found = at_position("chess", position, "Ann")
    promoting = {str(move) for move in found.candidates() if " as " in str(move)}
    assert promoting == {
        f"move e7 to e8 as {piece}" for piece in ("queen", "rook", "bishop", "knight")
    }
    log = '[Game "chess"]\nposition\n  seat Ann\n  seat Bob\n  ' + "\n  ".join(position)
    log += "\nturn 1 Ann\n"
    assert told(log + "  move e7 to e8\n") == [
        "promotion-due: a pawn that reaches the last row becomes another piece"
    ]
    assert told(log + "  move e7 to e8 as king\n") == [
        "promotion-piece: a pawn becomes a queen, a rook, a bishop or a knight, not a king"
    ]
    assert told(log + "  move a1 to a2 as queen\n") == [
        "no-promotion: only a pawn that reaches the last row becomes another piece"
    ]
    assert told(log + "  move e7 to e8 as rook\n  move a8 to b8\n") == [
        "own-king: the king of Bob would be attacked"
    ]


def test_a_position_is_held_to_what_can_stand() -> None:
    begin = '[Game "chess"]\nposition\n  seat Ann\n  seat Bob\n  Bob: has king on a8\n'
    assert told(begin) == ["no-king: Ann has no king"]
    king = begin + "  Ann: has king on a1\n"
    assert told(king) == []
    assert told(king + "  Ann: has king on b1\n") == ["one-king: Ann already has a king on a1"]
    assert told(king + "  Ann: has rook on a1\n") == [
        "square-taken: the king of Ann is already on a1"
    ]
    assert told(king + "  Ann: has pawn on c1\n") == [
        "pawn-row: a pawn cannot be on the first or the last row"
    ]
    assert told(king + "  Ann: may castle kingside\n") == [
        "castling-place: Ann cannot castle: the king or the rook is not on its starting square"
    ]
    assert told(king + "  passing e3\n") == ["passing-place: no pawn can just have passed over e3"]

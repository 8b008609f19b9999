"""Compare chess with python-chess: legal moves, repetitions, and how games end.

    python -m attack.chess_games 200

plays so many random games, some from endgames, and prints the differences.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

import chess
import click

from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game

NAMES = ("Bob", "Ann")
"""Black and white."""

PIECES = tuple(chess.PIECE_NAMES[kind] for kind in range(1, 7))


def position(board: chess.Board) -> str:
    """Write a log that begins from a board."""
    lines = [
        f"{NAMES[piece.color]}: has {chess.piece_name(piece.piece_type)} on {chess.square_name(at)}"
        for at, piece in board.piece_map().items()
    ]
    for color in (chess.WHITE, chess.BLACK):
        wings = [
            wing
            for wing, there in (
                ("kingside", board.has_kingside_castling_rights(color)),
                ("queenside", board.has_queenside_castling_rights(color)),
            )
            if there
        ]
        if wings:
            lines.append(f"{NAMES[color]}: may castle {', '.join(wings)}")
    if board.ep_square is not None:
        lines.append(f"passing {chess.square_name(board.ep_square)}")
    text = "\n  ".join(['[Game "chess"]\nposition', "seat Ann", "seat Bob", *lines])
    return f"{text}\nturn 1 {NAMES[board.turn]}\n"


def opened(board: chess.Board) -> Game:
    game = open_game(position(board))
    assert not game.errors, game.findings
    return game


IMPOSSIBLE = (
    chess.STATUS_OPPOSITE_CHECK | chess.STATUS_PAWNS_ON_BACKRANK | chess.STATUS_TOO_MANY_CHECKERS
)
"""Problems with positions of few men that the rules refuse, too."""


def at_random(random: Random, most: int = 6) -> chess.Board:
    """Return a random position of few men, mostly impossible."""
    board = chess.Board.empty()
    kinds = [chess.KING, chess.KING, *random.choices(range(1, 6), k=random.randint(1, most))]
    for number, (kind, at) in enumerate(
        zip(kinds, random.sample(range(64), len(kinds)), strict=True)
    ):
        color = number == 0 if number < 2 else random.random() < 0.5
        board.set_piece_at(at, chess.Piece(kind, color))
    board.turn = random.random() < 0.5
    return board


def disputed(board: chess.Board) -> str | None:
    """Say how the two differ on whether a position is possible."""
    (game,) = check_text(position(board)).games
    refused = {found.rule for found in game.findings}
    if "game-over" in refused:  # too little material, so no turn follows
        return None
    impossible = bool(board.status() & IMPOSSIBLE)
    return f"{board.fen()}: {refused}, {board.status()!r}" if bool(refused) != impossible else None


def statement(move: chess.Move) -> str:
    """Return a move in the notation of a log."""
    text = f"move {chess.square_name(move.from_square)} to {chess.square_name(move.to_square)}"
    return f"{text} as {chess.piece_name(move.promotion)}" if move.promotion else text


def ending(board: chess.Board) -> str | None:
    """Return the automatic end of a game, or None."""
    outcome = board.outcome()
    words = {
        chess.Termination.CHECKMATE: "checkmate",
        chess.Termination.STALEMATE: "stalemate",
        chess.Termination.INSUFFICIENT_MATERIAL: "too few pieces left to mate",
        chess.Termination.FIVEFOLD_REPETITION: "fivefold repetition",
        chess.Termination.SEVENTYFIVE_MOVES: "seventy-five moves",
    }
    return None if outcome is None else words[outcome.termination]


def differences(board: chess.Board, game: Game) -> list[str]:
    """Say how the two differ on a position."""
    found = []
    over = ending(board)
    if game.ended != (over is not None):
        found.append(f"ended: {game.ended}, but {over}")
    elif over is not None:
        standing = game.score()
        outcome = board.outcome()
        winner = None if outcome is None else outcome.winner
        winners = () if winner is None else (NAMES[winner],)
        if (standing.by, standing.winners) != (over, winners):
            found.append(f"{standing.by} {standing.winners}, but {over} {winners}")
    else:
        listed = {str(move) for move in game.candidates()}
        claim = board.is_repetition(3) or board.halfmove_clock >= 100
        if ("draw" in listed) != claim:
            found.append(f"a draw can be claimed: {not claim}, but {claim}")
        listed.discard("draw")
        other = {statement(move) for move in board.legal_moves}
        if listed != other:
            found.append(f"too many: {sorted(listed - other)}, missing: {sorted(other - listed)}")
    return [f"{board.fen()}: {difference}" for difference in found]


def endgame(random: Random) -> chess.Board:
    """Return a position of kings and a few pieces."""
    while True:
        board = at_random(random, 4)
        if board.is_valid() and not board.is_insufficient_material():
            return board


def play(seed: int, most: int = 10_000) -> tuple[str, list[str]]:
    """Play a random game on both; return its end, and the first difference."""
    random = Random(seed)
    board = endgame(random) if seed % 2 else chess.Board()
    game = opened(board)
    for _ in range(most):
        found = differences(board, game)
        if found or game.ended:
            return ending(board) or "", found
        move = random.choice(list(board.legal_moves))
        board.push(move)
        game.apply(statement(move))
    return "not over", []


def main() -> None:
    """Play as many games as asked for."""
    ends: Counter[str] = Counter()
    for seed in range(int(sys.argv[1])):
        end, found = play(seed)
        ends[end] += 1
        for line in found:
            click.echo(f"game {seed}: {line}")
    click.echo(dict(ends))


if __name__ == "__main__":
    main()

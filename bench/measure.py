"""The benchmarks themselves, for pyperf. Started by run.py, in the environment that it makes.

All times are those of pyperf: seconds a loop; of logs seconds a statement, of PGN seconds a ply.
"""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import pyperf

if TYPE_CHECKING:
    import chess

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
ALTAY = str(BIN / "altay")
PGN_GAMES = 40
PGN_SEED = 2026
POSITIONS = 150


def logs() -> list[tuple[str, Path]]:
    """Return the texts of the recorded games, each with its folder; not the simulated ones."""
    paths = sorted((ROOT / "games").glob("*.agn"))
    return [(path.read_text(encoding="utf-8"), path.parent) for path in paths]


def count_statements(texts: list[tuple[str, Path]]) -> int:
    """Return the number of statements; tags, headings and comments are none."""
    from altay_cli.notation import read

    records = [record for text, _ in texts for record in read(text).games]
    return sum(len(section.statements) for record in records for section in record.sections)


def chess_boards() -> Iterator[chess.Board]:
    """Yield games of chess, each as the board at its end.

    The moves are drawn at random from the legal ones, captures three times as often as others.
    """
    import chess

    draw = random.Random(PGN_SEED)  # noqa: S311 - nothing is kept secret here
    for _ in range(PGN_GAMES):
        board = chess.Board()
        length = draw.randint(50, 120)
        while board.ply() < length and not board.is_game_over():
            moves = list(board.legal_moves)
            weights = [3 if board.is_capture(move) else 1 for move in moves]
            board.push(draw.choices(moves, weights)[0])
        yield board


def chess_games() -> tuple[str, int]:
    """Return games of chess as PGN, and the number of their plies."""
    import chess.pgn

    texts, plies = [], 0
    for number, board in enumerate(chess_boards()):
        game = chess.pgn.Game.from_board(board)
        game.headers["Round"] = str(number + 1)
        texts.append(str(game))
        plies += board.ply()
    return "\n\n".join(texts) + "\n", plies


def chess_logs() -> list[tuple[str, Path]]:
    """Return the same games as AGN."""
    import chess

    found = []
    for board in chess_boards():
        lines = ['[Game "chess"]', "setup", "seat Ann", "seat Bob", "turn 1 Ann"]
        for move in board.move_stack:
            squares = chess.square_name(move.from_square), chess.square_name(move.to_square)
            into = f" as {chess.piece_name(move.promotion)}" if move.promotion else ""
            lines.append(f"move {squares[0]} to {squares[1]}{into}")
        found.append(("\n".join([*lines, ""]), ROOT))
    return found


def time_checking(loops: int, texts: list[tuple[str, Path]]) -> float:
    from altay_cli.checking import check_text

    start = perf_counter()
    for _ in range(loops):
        for text, folder in texts:
            check_text(text, folder=folder)
    return perf_counter() - start


def time_chess(loops: int, pgn: str, plies: int) -> float:
    import chess.pgn

    start = perf_counter()
    read = 0
    for _ in range(loops):
        file = io.StringIO(pgn)
        while (game := chess.pgn.read_game(file)) is not None:
            read += game.end().ply()
    seconds = perf_counter() - start
    assert read == loops * plies
    return seconds


def time_listing(loops: int, text: str) -> float:
    """Time the listing of legal moves before POSITIONS statements of a game."""
    from altay_cli.notation import read
    from altay_cli.playing import open_game

    sections = [s for s in read(text).games[0].sections if s.kind == "turn"]
    lines = [one.text for s in sections for one in (s.heading, *s.statements)]
    seconds = 0.0
    for _ in range(loops):
        first = sections[0].heading
        game = open_game(text, f"{first.line}:{first.column}")
        for line in lines[:POSITIONS]:
            start = perf_counter()
            game.candidates()
            seconds += perf_counter() - start
            game.apply(line)
    return seconds


def time_classic_listing(loops: int, pack: str) -> float:
    """Time the listing of legal moves in POSITIONS positions of random games of a classic."""
    from altay_cli.playing import new_game

    draw = random.Random(PGN_SEED)  # noqa: S311 - nothing is kept secret here
    seconds = 0.0
    for _ in range(loops):
        game = None
        for _ in range(POSITIONS):
            if game is None or game.ended:
                game = new_game(pack, ["Ann", "Bob"], seed=PGN_SEED)
                game.apply("turn 1 Ann")
            start = perf_counter()
            moves = game.candidates()
            seconds += perf_counter() - start
            game.apply(draw.choice(moves))
    return seconds


def time_chess_listing(loops: int) -> float:
    """Time the same for chess: POSITIONS positions of a game of random moves."""
    import chess

    draw = random.Random(PGN_SEED)  # noqa: S311 - nothing is kept secret here
    seconds = 0.0
    for _ in range(loops):
        board = chess.Board()
        for _ in range(POSITIONS):
            start = perf_counter()
            moves = list(board.legal_moves)
            seconds += perf_counter() - start
            if not moves:
                board = chess.Board()
                continue
            board.push(draw.choice(moves))
    return seconds


def time_playouts(loops: int) -> float:
    """Time whole simulated games of three players."""
    from altay_cli.simulation.playout import Plan, playout

    start = perf_counter()
    for number in range(loops):
        playout(Plan("altay", 3, ("balanced",), PGN_SEED), number + 1)
    return perf_counter() - start


def time_loading(loops: int, cache: str) -> float:
    """Time the loading of the pack in a process that has its imports behind it."""
    from altay_cli.pack.load import load_pack

    os.environ["ALTAY_CACHE"] = cache
    start = perf_counter()
    for _ in range(loops):
        load_pack("altay")
    return perf_counter() - start


def time_first_run(loops: int, command: list[str], cache: Path) -> float:
    """Time a command that finds its cache empty."""
    seconds = 0.0
    environ = {**os.environ, "ALTAY_CACHE": str(cache)}
    for _ in range(loops):
        shutil.rmtree(cache, ignore_errors=True)
        start = perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, env=environ, check=True)
        seconds += perf_counter() - start
    return seconds


def main() -> None:
    runner = pyperf.Runner()
    game = os.environ["ALTAY_BENCH_GAME"]
    cache = os.environ["ALTAY_CACHE"]
    check = [ALTAY, "check", game]

    runner.bench_command("python -c pass", [sys.executable, "-c", "pass"])
    runner.bench_command("altay --help", [ALTAY, "--help"])
    runner.bench_command("altay check GAME", check)
    runner.bench_command("altay score GAME", [ALTAY, "score", game])
    timed: list[tuple[str, Callable[..., float], tuple[object, ...]]] = [
        ("altay check GAME, first run", time_first_run, (check, Path(f"{cache}-first"))),
        ("pack, compiled anew", time_loading, ("off",)),
        ("pack, from the cache", time_loading, (cache,)),
    ]
    for name, function, arguments in timed:
        runner.bench_time_func(name, function, *arguments)
    texts = logs()
    runner.bench_time_func(
        "statement checked", time_checking, texts, inner_loops=count_statements(texts)
    )
    pgn, plies = chess_games()
    runner.bench_time_func("ply read by python-chess", time_chess, pgn, plies, inner_loops=plies)
    text = Path(game).read_text(encoding="utf-8")
    runner.bench_time_func("legal moves listed", time_listing, text, inner_loops=POSITIONS)
    runner.bench_time_func(
        "legal moves listed by python-chess", time_chess_listing, inner_loops=POSITIONS
    )
    runner.bench_time_func("game simulated", time_playouts)
    runner.bench_time_func("chess: ply checked", time_checking, chess_logs(), inner_loops=plies)
    for pack in ("chess", "othello", "connectfour"):
        runner.bench_time_func(
            f"{pack}: position listed", time_classic_listing, pack, inner_loops=POSITIONS
        )


if __name__ == "__main__":
    main()

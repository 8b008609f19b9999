"""Compare statements and listings with python-chess: python bench/turns.py [GAMES]

Both alternate in one process: when the load changes within seconds, measures a minute apart have no
meaningful ratio.
"""

from __future__ import annotations

import sys
from itertools import islice
from statistics import median
from time import perf_counter

from measure import (
    ROOT,
    chess_boards,
    chess_games,
    count_statements,
    time_chess,
    time_chess_listing,
    time_listing,
)

from altay_cli.checking.check import check_text

LISTINGS = 12


def statements(count: int) -> list[float]:
    """Return the speed relative to chess plies, for each game."""
    pgn, plies = chess_games(chess_boards(6))
    paths = sorted((ROOT / "games" / "simulated").glob("3-players/*.agn"))
    logs = (path.read_text(encoding="utf-8") for path in paths)
    # By the same rules, as in `run.py`.
    plain = (text for text in logs if "[Variant" not in text and "[Edition" not in text)
    texts = list(islice(plain, count + 1))
    # Warm up both.
    check_text(texts.pop(), folder=ROOT)
    time_chess(1, pgn, plies)
    ratios = []
    for text in texts:
        ply = time_chess(1, pgn, plies) / plies
        start = perf_counter()
        check_text(text, folder=ROOT)
        statement = (perf_counter() - start) / count_statements([(text, ROOT)])
        ratios.append(ply / statement)
    return ratios


def listings(count: int) -> list[float]:
    """Return the speed relative to chess."""
    text = (ROOT / "games" / "two-players.agn").read_text(encoding="utf-8")
    time_listing(1, text)
    time_chess_listing(1)
    return [time_chess_listing(4) / 4 / time_listing(1, text) for _ in range(count)]


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    print(f"statement checked, by ply read by python-chess: {median(statements(games)):.3f} x")
    print(f"legal moves listed, by python-chess: {median(listings(LISTINGS)):.3f} x")


if __name__ == "__main__":
    main()

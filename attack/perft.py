"""Count the ways to play so many moves of a game, to compare with public numbers.

    python -m attack.perft connectfour 7     # from the beginning, up to a depth
    python -m attack.perft mine.agn 3        # from the end of a log
    python -m attack.perft                   # all public numbers; exit code 1 if one differs

Prints the positions listed in a second, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import click

from altay_cli.checking.opening import new_game, open_game
from altay_cli.checking.playing import Game

KIWIPETE = [
    "Ann: has king on e1", "Ann: has queen on f3", "Ann: has rook on a1, h1",
    "Ann: has bishop on d2, e2", "Ann: has knight on c3, e5",
    "Ann: has pawn on a2, b2, c2, d5, e4, f2, g2, h2",
    "Bob: has king on e8", "Bob: has queen on e7", "Bob: has rook on a8, h8",
    "Bob: has bishop on a6, g7", "Bob: has knight on b6, f6",
    "Bob: has pawn on a7, b4, c7, d7, e6, f7, g6, h3",
    "Ann: may castle kingside, queenside", "Bob: may castle kingside, queenside",
]  # fmt: skip
POSITION_3 = [
    "Ann: has king on a5", "Ann: has rook on b4", "Ann: has pawn on b5, e2, g2",
    "Bob: has king on h4", "Bob: has rook on h5", "Bob: has pawn on c7, d6, f4",
]  # fmt: skip
POSITION_4 = [
    "Ann: has king on g1", "Ann: has queen on d1", "Ann: has rook on a1, f1",
    "Ann: has bishop on a4, b4", "Ann: has knight on f3, h6",
    "Ann: has pawn on a2, a7, b5, c4, d2, e4, g2, h2",
    "Bob: has king on e8", "Bob: has queen on a3", "Bob: has rook on a8, h8",
    "Bob: has bishop on b6, g6", "Bob: has knight on f6, a5",
    "Bob: has pawn on b7, c7, d7, f7, g7, h7, b2",
    "Bob: may castle kingside, queenside",
]  # fmt: skip

NUMBERS: tuple[tuple[str, str, list[str], list[int]], ...] = (
    ("connect four", "connectfour", [], [7, 49, 343, 2_401, 16_807, 117_649, 823_536]),
    ("othello", "othello", [], [4, 12, 56, 244, 1_396, 8_200]),
    ("chess", "chess", [], [20, 400, 8_902]),
    ("chess, Kiwipete", "chess", KIWIPETE, [48, 2_039]),
    ("chess, position 3", "chess", POSITION_3, [14, 191, 2_812]),
    ("chess, position 4", "chess", POSITION_4, [6, 264]),
)
"""Title, game, position (or the beginning), and the public numbers."""


def perft(game: Game, depth: int) -> int:
    """Count the ways to play ``depth`` moves."""
    if game.ended:
        return 0
    moves = game.candidates()
    if depth == 1:
        return len(moves)
    found = 0
    for move in moves:
        game.apply(move)
        found += perft(game, depth - 1)
        game.undo()
    return found


def begin(pack: str, position: list[str]) -> Game:
    """Begin a game for two, the first player to move."""
    if not position:
        game = new_game(pack, ["Ann", "Bob"], seed=1)
        game.apply("turn 1 Ann")
        return game
    lines = "\n".join(["position", "seat Ann", "seat Bob", *position, "turn 1 Ann"])
    return open_game(f'[Game "{pack}"]\n{lines}\n', seed=1)


def counted(game: Game, depth: int) -> Iterator[int]:
    listed = 1
    for number in range(1, depth + 1):
        start = process_time()
        found = perft(game, number)
        speed = listed / max(process_time() - start, 1e-9)
        click.echo(f"  {number}: {found:,} ({speed:,.0f} positions a second)")
        listed += found  # the positions of the next depth, ended ones excluded
        yield found


@click.command()
@click.argument("game", required=False)
@click.argument("depth", type=click.IntRange(1, 20), required=False, default=3)
def main(game: str | None, depth: int) -> None:
    """Count the ways to play DEPTH moves of GAME, and fewer; without GAME, all public numbers."""
    if game is not None:
        path = Path(game)
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        list(counted(open_game(text, seed=1) if text else begin(game, []), depth))
        return
    wrong = False
    for what, pack, position, numbers in NUMBERS:
        click.echo(what)
        for found, number in zip(
            counted(begin(pack, position), len(numbers)), numbers, strict=True
        ):
            if found != number:
                wrong = True
                click.echo(f"     it is {number:,}")
    raise SystemExit(wrong)


if __name__ == "__main__":
    main()

"""How many ways there are to play so many moves of a game: the numbers that programs compare.

    python -m attack.perft connectfour 7

counts up to a depth from the beginning. Public numbers are 7, 49, 343, 2401, 16807, 117649, 823536
for connect four, 4, 12, 56, 244, 1396, 8200 for othello, and 20, 400, 8902, 197281 for chess.
"""

from __future__ import annotations

from time import perf_counter

import click

from altay_cli.playing import Game, new_game


def perft(game: Game, depth: int) -> int:
    """Return how many ways there are to play so many moves."""
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


@click.command()
@click.argument("pack")
@click.argument("depth", type=click.IntRange(1, 20))
def main(pack: str, depth: int) -> None:
    """Count the ways to play DEPTH moves of the game PACK, and fewer."""
    game = new_game(pack, ["Ann", "Bob"], seed=1)
    game.apply("turn 1 Ann")
    for number in range(1, depth + 1):
        start = perf_counter()
        found = perft(game, number)
        click.echo(f"{number} {found:,} ({perf_counter() - start:.1f} s)")


if __name__ == "__main__":
    main()

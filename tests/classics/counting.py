"""Counting positions: how many ways there are to play so many moves (perft)."""

from __future__ import annotations

from random import Random

from altay_cli.base.findings import Finding
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import new_game, open_game
from altay_cli.checking.playing import Game
from attack.perft import perft


def begin(pack: str, players: int = 2, tags: tuple[tuple[str, str], ...] = ()) -> Game:
    """Begin a game, with the heading of its first turn."""
    game = new_game(pack, ["Ann", "Bob", "Cid", "Dan"][:players], seed=1, tags=tags)
    game.apply("turn 1 Ann")
    return game


def at_position(pack: str, statements: list[str], to_move: str) -> Game:
    """Open a game at a position, with a player to move."""
    lines = "\n".join(f"  {statement}" for statement in statements)
    text = f'[Game "{pack}"]\nposition\n  seat Ann\n  seat Bob\n{lines}\nturn 1 {to_move}\n'
    game = open_game(text, seed=1)
    assert game.errors == 0, game.findings
    return game


def at_random(game: Game, seed: int) -> Game:
    """Play legal moves at random until the game is over."""
    random = Random(seed)
    while not game.ended:
        game.apply(random.choice(game.candidates()))
    return game


def told(log: str) -> list[str]:
    """Return rule and message of all that is found in a log of one game."""
    return [f"{found.rule}: {found.message}" for found in findings(log)]


def findings(log: str) -> list[Finding]:
    """Return all that is found in a log of one game."""
    (game,) = check_text(log).games
    return list(game.findings)


__all__ = ["at_position", "at_random", "begin", "findings", "perft", "told"]

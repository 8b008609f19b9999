"""What can be tapped is what is legal: neither a statement more nor, up to twins, one less."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from altay_cli import Game, check_text, open_game
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import SectionKind, with_turn_headings
from tests.logs import GAMES

LOGS = {
    "four-players.agn": 9,
    "three-players.agn": 9,
    "two-players.agn": 9,
    "trading.agn": 9,
    "classics/chess.agn": 3,
    "classics/gofish.agn": 2,
    "classics/kalah.agn": 1,
    "classics/nim.agn": 1,
    "innovation/players-2-0002.agn": 9,
    "innovation/players-3-0001.agn": 9,
}
"""Each with how many statements lie between two positions."""


def positions(name: str) -> Iterator[Game]:
    """Yield a game before every statement of a log."""
    path = GAMES / name
    (record, *_) = read_log(path.read_text(encoding="utf-8")).games
    begins = next(s for s in record.sections if s.kind is SectionKind.TURN).heading.line
    game = open_game(path.read_text(encoding="utf-8"), str(begins), folder=path.parent)
    sections = with_turn_headings(record, game.pack.headings).sections
    for section in sections:
        for statement in (
            [section.heading, *section.statements] if section.kind is SectionKind.TURN else []
        ):
            yield game
            game.apply(statement.text)


def tapped(game: Game) -> set[str]:
    """Return the statements that taps complete, in the order in which they are written."""
    found: set[str] = set()
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        named = waiting.pop()
        for choice in game.choices(named):
            if choice.next and choice.kind != "draw":
                found |= {choice.statement} - {None}  # type: ignore[arg-type]
                waiting += [(*named, choice.key)] if choice.further else []
    return found


@pytest.mark.parametrize("name", LOGS)
def test_taps_reach_what_is_legal(name: str) -> None:
    reached = twins = 0
    for number, game in enumerate(positions(name)):
        if number % LOGS[name]:
            continue
        statements, moves = tapped(game), game.legal_moves()
        legal = {move.statement: move for move in moves}
        assert statements <= {*legal}
        assert all(map(game.accepts, statements))
        outcomes = cache(lambda text, game=game, legal=legal: game._outcome(legal[text]))
        kept = {outcomes(text) for text in statements}
        assert len(kept) == len(statements)
        for text in {*legal} - statements:
            assert outcomes(text) in kept, text
            twins += 1
        reached += len(statements)
    assert reached
    # Some 13 % of the moves of this game are twins.
    if name == "four-players.agn":
        assert 0.1 < twins / (reached + twins) < 0.16


@pytest.mark.parametrize("line", ["turn 5", "turn 12"])
def test_taps_reach_what_is_legal_with_hidden_hands(line: str) -> None:
    lines = (GAMES / "four-players.agn").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line.partition(" =>")[0] for line in lines)
    begins = next(number for number, written in enumerate(lines, 1) if written.startswith(line))
    game = open_game(text, f"{begins + 2}")
    statements, legal = tapped(game), {move.statement for move in game.legal_moves()}
    assert 5 < len(statements) <= len(legal)
    assert statements <= legal
    assert any(not choice.certain for choice in game.choices())


@pytest.mark.parametrize(
    "pack",
    [
        "altay",
        "backgammon",
        "checkers",
        "chess",
        "connectfour",
        "gofish",
        "goofspiel",
        "hanabi",
        "innovation",
        "kalah",
        "morris",
        "othello",
        "tictactoe",
    ],
)
def test_random_taps_set_up_and_play_legal_games(pack: str) -> None:
    chance, names = Random(pack), ["Ann", "Bob"]
    game = open_game(f'[Game "{pack}"]\nsetup\n', "setup")
    for _ in range(40):
        statement = taps(game, chance, names)
        if statement is None:
            break
        assert game.accepts(statement), statement
        game.apply(statement)
    assert len(game.statements) > 9
    (checked,) = check_text(game.log()).games
    # A setup may be too short, but all that was tapped is legal.
    assert not game.in_setup or pack == "altay"
    assert game.in_setup or checked.verdict.value == "legal"


def taps(game: Game, chance: Random, names: list[str]) -> str | None:
    """Tap at random until a statement is complete, seats first; None if there is nothing to tap."""
    named: list[str] = []
    while True:
        choices = game.choices(named)
        seats = [choice for choice in choices if choice.kind == "name"]
        if seats and names:
            choices = seats
        elif game.in_setup and not (names or named):
            choices = [choice for choice in choices if "seat" not in choice.ids]
        statement = game.chosen(named)
        draws = any(choice.kind == "draw" for choice in choices)
        if not choices or (statement and not draws and chance.random() < 0.5):
            return statement
        choice = chance.choice(choices)
        named.append(choice.key + (names.pop(0) if choice.kind == "name" else ""))

"""What can be tapped is what is legal: neither a statement more nor, up to twins, one less."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from altay_cli import Game, IllegalMove, check_text, open_game
from altay_cli.compile.load import pack_names
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


@pytest.mark.parametrize("draws", ["recorded", "unrecorded"])
@pytest.mark.parametrize("pack", pack_names())
def test_everything_offered_is_accepted(pack: str, draws: str) -> None:
    """From an empty setup on, by random taps."""
    chance, names = Random(pack), ["Ann", "Bob", "Cem", "Dora"][: 4 if pack == "gofish" else 2]
    log = f'[Game "{pack}"]\nsetup\n'
    game = open_game(log, "setup")
    offers = 0
    for number in range(36):
        if number % 3 == 0 and not names:
            for statement in filter(None, {taps(game, chance, []) for _ in range(9)}):
                game.apply(statement)
                game.undo()
                offers += 1
        begins = [choice.statement for choice in game.choices() if "turn" in choice.ids]
        chosen = begins[0] if number > 3 and begins else taps(game, chance, names)
        if chosen is None:
            break
        blank = chosen.partition(" =>")[0] if draws == "unrecorded" else chosen
        game, log = continued(game, log, blank) or continued(game, log, chosen) or (game, log)
    assert offers > 10


def continued(game: Game, log: str, statement: str) -> tuple[Game, str] | None:
    """Return a game with one more statement, drawing nothing that it does not name."""
    longer = f"{log}{statement}\n"
    try:
        game.apply(statement)
        game.undo()
    except IllegalMove:
        return None
    begun = not game.in_setup or (game.accepts(statement) and statement.startswith("turn"))
    opened = open_game(longer, None if begun else "setup")
    return None if opened.errors else (opened, longer)


SIX_HIDDEN_HANDS = """
[Game "gofish"]
setup
  seat A; seat B; seat C; seat D; seat E; seat F
  A: deal ?; B: deal ?; C: deal ?; D: deal ?; E: deal ?; F: deal ?
turn 1 A
  ask B for 9; B: none; fish; ask D for 5; D: none; fish; ask A for Q; A: none; fish
  ask C for 10; C: none; fish; ask C for 9; C: give 9; ask F for 9; F: give 9
  ask C for 9; C: none; fish => 4; refill; ask C for 10; C: none; fish; ask D for A; D: give A
  ask E for A; E: none; fish; ask E for 8; E: none; fish; ask A for Q; A: none; fish => 4
  ask C for 10; C: none; fish; ask F for 4; F: none; fish; ask D for 6; D: none; fish
  ask B for 3; B: none; fish; ask D for 5; D: none; fish; ask D for Q; D: give Q
  ask E for Q; E: give Q; ask B for 4; B: none; fish; ask A for 10; A: none; fish
  ask F for 9; F: none; fish => 3
"""
"""Thousands of worlds are possible at its end."""


def test_choices_with_six_hidden_hands_are_all_found() -> None:
    """What several moves ask of the possible worlds is found once."""
    game = open_game(SIX_HIDDEN_HANDS)
    asked = [choice for choice in game.choices() if choice.next and choice.kind == "thing"]
    assert game.complete
    assert [choice.text for choice in asked] == ["A", "B", "C", "D", "E"]
    for rank in game.choices(asked[:1]):
        assert rank.statement
        game.apply(rank.statement)
        game.undo()


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

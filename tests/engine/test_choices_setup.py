"""A game is set up by taps, in any order, until the heading of a turn begins it."""

from __future__ import annotations

import pytest

from altay_cli import Game, GameError, IllegalMove, check_text, open_game
from altay_cli.moves import limits
from altay_cli.moves.choices import UNNAMED, Choice
from tests.engine.test_choices import offered, tap
from tests.logs import GAMES

EMPTY = '[Game "gofish"]\nsetup\n'


def made(game: Game, choice: Choice) -> str:
    """Make the move that a choice completes."""
    assert choice.statement is not None
    return game.apply(choice.statement)


def seated(*names: str) -> Game:
    """Return a game of go fish with its players, begun by taps."""
    game = open_game(EMPTY, "setup")
    for name in names:
        (seat,) = [choice for choice in game.choices() if choice.kind == "name"]
        assert (seat.key, seat.text, seat.statement, seat.further) == ("name ", "", None, 1)
        assert game.chosen([seat]) is None
        statement = game.chosen([seat.key + name])
        assert statement == f"seat {name}"
        game.apply(statement)
    return game


def test_from_an_empty_setup_to_the_first_turn() -> None:
    game = seated("Ann", "Bob")
    assert game.in_setup
    assert (game.ended, game.round, game.errors) == (False, 0, 0)
    deal = tap(game, "deal", "Ann")
    assert (deal.statement, deal.draws, deal.ids) == ("Ann: deal 7 ?", True, ("deal",))
    cards = ["A", "A", "2", "7", "K", "Q", "3"]
    last = tap(game, "deal", "Ann", *cards)
    assert last.statement == "Ann: deal 2 A, 2, 7, K, Q, 3"
    made(game, last)
    # Nothing more is dealt to Ann; four of each rank less hers can come for Bob.
    deal = tap(game, "deal")
    assert deal.statement == "Bob: deal 7 ?"
    bag = {choice.text: choice.count for choice in game.choices([deal]) if choice.kind == "draw"}
    assert (bag["A"], bag["2"], bag["4"]) == (2, 3, 4)
    made(game, tap(game, "deal", "4", "4", "5", "5", "6", "6", "8"))
    assert game.apply("turn 1 Ann") == "turn 1 Ann"
    assert not game.in_setup
    assert tap(game, "A", "Bob").statement == "ask Bob for A"
    assert [game.verdict.value for game in check_text(game.log()).games] == ["legal"]


def test_everything_is_undone() -> None:
    game = seated("Ann", "Bob")
    before = game.log()
    game.apply("turn 1 Ann")
    game.undo()
    assert (game.in_setup, game.log()) == (True, before)
    game.undo()
    game.undo()
    assert game.log() == '[Game "gofish"]\n\nsetup\n'
    with pytest.raises(IndexError):
        game.undo()


def test_a_new_player_chooses_what_is_left() -> None:
    game = open_game('[Game "altay"]\nsetup\n', "setup")
    (seat,) = [choice for choice in game.choices() if choice.kind == "name"]
    assert (seat.key, seat.text, seat.statement) == ("name ", "", None)
    factions = game.choices([seat.key + "Ann"])
    assert [choice.text for choice in factions] == [
        "Earthfolk",
        "Elvenfolk",
        "Firefolk",
        "Smallfolk",
    ]
    assert made(game, factions[2]) == "seat Ann as Firefolk"
    factions = game.choices([seat.key + "Mary Ann"])
    assert [choice.text for choice in factions] == ["Earthfolk", "Elvenfolk", "Smallfolk"]
    assert factions[0].statement == "seat Mary Ann as Earthfolk"
    assert game.choices([seat.key + "Ann"]) == []


def test_what_the_rules_forbid_is_refused() -> None:
    game = open_game(
        '[Game "altay"]\nsetup\n  seat Ann as Firefolk; seat Bob as Elvenfolk\n', "setup"
    )
    game.apply("marker 1 on W2")
    for statement, rule in (
        ("marker 1 on W2", "marker-twice"),
        ("Ann: settle W2", "settle-order"),
        ("turn 1 Ann", "marker-missing"),
    ):
        with pytest.raises(IllegalMove) as refused:
            game.apply(statement)
        assert refused.value.findings[0].rule == rule
    for statement in ("", "setup", "jump", "turn"):
        assert not game.accepts(statement)
    assert game.statements == ["marker 1 on W2"]
    assert game.apply("Bob: settle F5") == "Bob: settle F5"
    assert "F5" not in offered(game, tap(game, "settle"))


def test_errors_of_the_statements_so_far_are_counted() -> None:
    log = (
        '[Game "altay"]\nsetup\n  seat Ann as Firefolk\n  seat Bob as Firefolk\n  marker 1 on W2\n'
    )
    assert open_game(log, "4").errors == 0
    game = open_game(log, "5")
    assert [finding.rule for finding in game.findings] == ["faction-twice"]
    assert game.errors == 1
    # It hinders no statement that is right, but the game cannot begin.
    assert game.accepts("marker 1 on W3")
    assert not game.accepts("turn 1 Ann")


@pytest.mark.parametrize("at", ["0", "2", "99", "setups", "turn 1 Ann"])
def test_points_outside_of_a_setup(at: str) -> None:
    with pytest.raises(GameError):
        open_game(EMPTY, at)


@pytest.mark.parametrize("log", ['[Game "gofish"]\nposition\n', "", '[Game "none"]\nsetup\n'])
def test_logs_without_a_setup(log: str) -> None:
    with pytest.raises(GameError):
        open_game(log, "setup")


@pytest.mark.parametrize("name", ["four-players", "two-players"])
def test_a_recorded_setup_is_among_the_choices(name: str) -> None:
    text = (GAMES / f"{name}.agn").read_text(encoding="utf-8")
    lines = text.splitlines()
    for verb in ("settle", "secret"):
        number = next(n for n, line in enumerate(lines, 1) if f": {verb}" in line)
        game = open_game(text, str(number))
        assert game.in_setup
        statement = lines[number - 1].partition("#")[0].strip()
        assert statement in {move.statement for move in game.legal_moves()}
        assert game.accepts(statement)
    game = open_game(text, "setup")
    (begins,) = [choice for choice in game.choices() if choice.ids == ("turn",)]
    assert (
        made(game, begins)
        == lines[next(n for n, line in enumerate(lines) if line.startswith("turn"))]
    )


def test_only_so_many_statements_before_later_ones_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seats come before deals: whether one more still agrees with a deal must be tried."""
    game = seated("Ann", "Bob")
    made(game, tap(game, "deal", "Ann", "A", "A", "2", "7", "K", "Q", "3"))
    assert f'seat "{UNNAMED}"' in map(str, game.legal_moves())
    monkeypatch.setattr(limits, "MAX_EARLY", 0)
    game.undo()
    game.apply("Ann: deal 2 A, 2, 7, K, Q, 3")
    assert f'seat "{UNNAMED}"' not in map(str, game.legal_moves())

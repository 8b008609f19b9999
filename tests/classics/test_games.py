"""The recorded games of the classics: each is legal to its end, and its result is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import new_game
from altay_cli.compile.load import pack_names
from altay_cli.lint.examine import Examiner
from tests.languages.warned import without_unused

FOLDER = Path(__file__).parents[2] / "games" / "classics"
GAMES = sorted(path.stem for path in FOLDER.glob("*.agn"))


@pytest.mark.parametrize("name", GAMES)
def test_recorded_games_are_legal(name: str) -> None:
    for game in check_text((FOLDER / f"{name}.agn").read_text(encoding="utf-8")).games:
        assert game.findings == []
        assert game.played is not None
        assert game.played.ended


@pytest.mark.parametrize("name", sorted({name.split("-")[0] for name in GAMES}))
def test_rules_are_sound(name: str) -> None:
    assert name in pack_names()
    assert without_unused(Examiner(data_folder("rules") / name).examine([])) == []


@pytest.mark.parametrize("name", sorted({name.split("-")[0] for name in GAMES}))
def test_games_can_be_begun(name: str) -> None:
    game = new_game(name, ["Ann", "Bob"], seed=1)
    assert [str(move) for move in game.legal_moves()] == ["turn 1 Ann"]

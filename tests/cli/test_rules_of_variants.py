"""Which game a variant belongs to: `extends` says it, whatever else is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.sample import run
from tests.shelf import lay

SIX = """\
variant: six
extends: altay
title: Six cards in hand
version: "1.0"
change:
  - {set: numbers.hand_size.value, to: 6}
"""
TWENTY = """\
variant: twenty
extends: anthill
title: Twenty termites
version: "1.0"
change:
  - {set: numbers.heap.value, to: 20}
"""
LOG = """\
[Game "anthill"]
setup
  seat Ann
turn 1 Ann
  eat 3
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay a game beside the one that ships whose name comes first in the alphabet."""
    rules = lay(tmp_path / "shelf", monkeypatch, anthill={})
    monkeypatch.chdir(tmp_path)
    return rules


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("text", "title"), [(SIX, "Cards drawn for a new hand"), (TWENTY, "Termites in the heap")]
)
def test_a_variant_file_is_checked_against_the_game_that_it_extends(
    text: str, title: str, tmp_path: Path
) -> None:
    (tmp_path / "v.yaml").write_text(text, encoding="utf-8")
    result = run("rules", "check", "v.yaml")
    assert result.exit_code == 0, result.output
    assert title in result.stdout


@pytest.mark.usefixtures("shelf")
def test_a_file_that_extends_files_and_a_shipped_variant(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SIX.replace("extends: altay", "extends: b.yaml"))
    (tmp_path / "b.yaml").write_text(
        SIX.replace("variant: six", "variant: other").replace(
            "extends: altay", "extends: two-copies"
        )
    )
    result = run("rules", "check", "a.yaml")
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("shelf")
def test_what_extends_nothing_is_compared_with_the_game_that_is_spelled_alike(
    tmp_path: Path,
) -> None:
    for said in ("altai", "anthil"):
        (tmp_path / "v.yaml").write_text(SIX.replace("extends: altay", f"extends: {said}"))
        result = run("rules", "check", "v.yaml")
        assert result.exit_code == 1
        meant = {"altai": "altay", "anthil": "anthill"}[said]
        assert f"did you mean `{meant}`?" in result.stdout


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("game", ["altay", "anthill", "six-card-hand", "hill-of-nine"])
def test_a_new_variant_extends_what_it_was_made_for(game: str, tmp_path: Path) -> None:
    assert run("rules", "new", "my-rules", "--game", game).exit_code == 0
    text = (tmp_path / "my-rules.yaml").read_text(encoding="utf-8")
    assert f"extends: {game} " in text
    # It is for others as well: nothing in it depends on where the program lies.
    assert "file:" not in text
    assert str(tmp_path) not in text
    result = run("rules", "check", "my-rules.yaml")
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("shelf")
def test_simulate_plays_the_game_of_the_variant(tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text(SIX, encoding="utf-8")
    (tmp_path / "w.yaml").write_text(TWENTY, encoding="utf-8")
    short = ("--games", "1", "--seed", "5", "--max-rounds", "1", "--processes", "1")
    result = run("simulate", "--variant", "v.yaml", *short)
    assert result.exit_code == 0, result.output
    assert "Rules: altay 1.0 with six 1.0" in result.stdout
    # This game says nothing of how it is laid out; that it is the one is what counts.
    for name in ("w.yaml", "hill-of-nine"):
        result = run("simulate", "--variant", name, *short)
        assert result.exit_code == 2
        assert "the rules of Anthill do not tell how a game is laid out" in result.stderr
    result = run("simulate", "--game", "altay", "--variant", "w.yaml", *short)
    assert "w.yaml: this is a variant of anthill, not of altay" in result.stderr


def test_one_id_in_two_games(shelf: Path, tmp_path: Path) -> None:
    text = TWENTY.replace("variant: twenty", "variant: trading")
    (shelf / "anthill" / "variants" / "trading.yaml").write_text(text, encoding="utf-8")
    assert (
        "a variant of that name of each of altay, anthill"
        in run("rules", "check", "trading").stderr
    )
    # A log says which game is meant, and so does --game.
    log = tmp_path / "log.agn"
    log.write_text(LOG, encoding="utf-8")
    assert run("check", "--under", "trading", log).exit_code == 0
    short = ("--games", "1", "--seed", "5", "--max-rounds", "1", "--processes", "1")
    result = run("simulate", "--game", "altay", "--variant", "trading", *short)
    assert "Rules: altay 1.0 with trading 1.0" in result.stdout

"""Which game a variant belongs to: `extends` says it, whatever else is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.sample import run
from tests.small import LOG, Pebbles

SIX = """\
variant: six
extends: altay
title: Six cards in hand
version: "1.0"
change:
  - {set: numbers.hand_size.value, to: 6}
"""
FIVE_RED = """\
variant: five-red
extends: pebbles
title: Five red stones
version: "1.0"
change:
  - {set: prepare.0.does.0.move.what, to: "stones.red.bag(5)"}
"""


@pytest.fixture
def shelf(pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay another game beside the one that ships; returns the folder with the rules of both."""
    rules = pebbles.folder.parent
    (rules / "altay").symlink_to(Path(__file__).parents[2] / "rules" / "altay")
    pebbles.write("variants/hill-of-reds.yaml", FIVE_RED.replace("five-red", "hill-of-reds"))
    there = rules.parents[2] / "there"
    there.mkdir()
    monkeypatch.chdir(there)
    return rules


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("text", "title"), [(SIX, "Cards drawn for a new hand"), (FIVE_RED, "stones.red.bag(5)")]
)
def test_a_variant_file_is_checked_against_the_game_that_it_extends(text: str, title: str) -> None:
    Path("v.yaml").write_text(text, encoding="utf-8")
    result = run("rules", "check", "v.yaml")
    assert result.exit_code == 0, result.output
    assert title in result.stdout


@pytest.mark.usefixtures("shelf")
def test_a_file_that_extends_files_and_a_shipped_variant() -> None:
    Path("a.yaml").write_text(SIX.replace("extends: altay", "extends: b.yaml"))
    Path("b.yaml").write_text(
        SIX.replace("variant: six", "variant: other").replace(
            "extends: altay", "extends: two-copies"
        )
    )
    result = run("rules", "check", "a.yaml")
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("shelf")
def test_what_extends_nothing_is_compared_with_the_game_that_is_spelled_alike() -> None:
    for said in ("altai", "pebbels"):
        Path("v.yaml").write_text(SIX.replace("extends: altay", f"extends: {said}"))
        result = run("rules", "check", "v.yaml")
        assert result.exit_code == 1
        meant = {"altai": "altay", "pebbels": "pebbles"}[said]
        assert f"did you mean `{meant}`?" in result.stdout


@pytest.mark.parametrize("game", ["altay", "pebbles", "hill-of-reds"])
def test_a_new_variant_extends_what_it_was_made_for(game: str, shelf: Path) -> None:
    assert run("rules", "new", "my-rules", "--game", game).exit_code == 0
    text = Path("my-rules.yaml").read_text(encoding="utf-8")
    assert f"extends: {game} " in text
    # It is for others as well: nothing in it depends on where the program lies.
    assert "file:" not in text
    assert str(shelf.parents[2]) not in text
    result = run("rules", "check", "my-rules.yaml")
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("shelf")
def test_simulate_plays_the_game_of_the_variant() -> None:
    Path("v.yaml").write_text(SIX, encoding="utf-8")
    Path("w.yaml").write_text(FIVE_RED, encoding="utf-8")
    short = ("--games", "1", "--seed", "5", "--max-rounds", "1", "--processes", "1")
    result = run("simulate", "--variant", "v.yaml", *short)
    assert result.exit_code == 0, result.output
    assert "Rules: altay 1.0 with six 1.0" in result.stdout
    for name, ident in (("w.yaml", "five-red"), ("hill-of-reds", "hill-of-reds")):
        result = run("simulate", "--variant", name, *short)
        assert result.exit_code == 0, result.output
        assert f"Rules: pebbles 1.0 with {ident} 1.0" in result.stdout
    result = run("simulate", "--game", "altay", "--variant", "w.yaml", *short)
    assert "w.yaml: this is a variant of pebbles, not of altay" in result.stderr


def test_one_id_in_two_games(shelf: Path) -> None:
    text = FIVE_RED.replace("variant: five-red", "variant: trading")
    (shelf / "pebbles" / "variants" / "trading.yaml").write_text(text, encoding="utf-8")
    assert (
        "altay, pebbles each have a variant of that name" in run("rules", "check", "trading").stderr
    )
    # A log says which game is meant, and so does --game.
    log = Path("log.agn")
    log.write_text(LOG, encoding="utf-8")
    assert run("check", "--under", "trading", log).exit_code == 0
    short = ("--games", "1", "--seed", "5", "--max-rounds", "1", "--processes", "1")
    result = run("simulate", "--game", "altay", "--variant", "trading", *short)
    assert "Rules: altay 1.0 with trading 1.0" in result.stdout

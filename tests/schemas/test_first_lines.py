"""What the program begins names its schema in its first line, and the schema lies there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from altay_cli.base.resources import data_folder
from tests.cli.sample import run


def named(path: Path) -> Path:
    head, _, name = path.read_text("utf-8").splitlines()[0].partition("$schema=")
    assert head == "# yaml-language-server: "
    return path.parent / name


def test_a_variant_that_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("rules", "new", "long-winter", "--game", "tictactoe").exit_code == 0
    schema = named(tmp_path / "long-winter.yaml")
    assert schema == tmp_path / "tictactoe-variant.schema.json"
    assert json.loads(schema.read_text("utf-8"))["title"] == "variants of Tic-tac-toe"
    # One that lies there already is left as it is.
    schema.write_text("{}")
    assert run("rules", "new", "short-winter", "--game", "tictactoe").exit_code == 0
    assert schema.read_text() == "{}"


def test_a_game_that_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("rules", "new-game", "pebble-race").exit_code == 0
    paths = list((tmp_path / "pebble-race").rglob("*.yaml"))
    kinds = {named(path).resolve().name for path in paths}
    assert {"game.schema.json", "moves.schema.json", "scoring.schema.json"} <= kinds
    for path in paths:
        shipped = data_folder("schemas") / named(path).name
        assert named(path).read_bytes() == shipped.read_bytes()
    # What schemas refer to lies beside them.
    assert (tmp_path / "pebble-race/schemas/common.schema.json").is_file()

"""A variant that cannot be used is read once in a run, and what is wrong with it is told once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.checking import tags
from altay_cli.cli.main import main

GAME = """\
[Game "nim"]
[Variant "broken.yaml"]
setup
  seat Ann; seat Bob
  heap A of 3
turn 1 Ann
  take 1 from A

"""
BROKEN = """\
variant: broken
extends: nim
title: Broken
change:
  - {set: moves.take.requires.no-such-rule.else, to: nothing}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tags.forget_rules()
    (tmp_path / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "a.agn").write_text(GAME * 16, encoding="utf-8")
    (tmp_path / "b.agn").write_text(GAME * 4, encoding="utf-8")
    return tmp_path


def test_it_is_told_once_with_the_number_of_games(folder: Path) -> None:
    result = CliRunner().invoke(main, ["check", "a.agn", "b.agn"])
    lines = result.output.splitlines()
    assert sum("broken.yaml:5:" in line for line in lines) == 1
    assert "19 games more cannot be judged for the same reason [rules]" in lines
    assert lines[-1].startswith("20 games in 2 files: all not judged")


def test_programs_are_told_of_every_game(folder: Path) -> None:
    result = CliRunner().invoke(main, ["check", "a.agn", "--format", "json"])
    games = json.loads(result.output)["files"][0]["games"]
    assert [[f["rule"] for f in game["findings"]] for game in games] == [["rules"]] * 16


def test_it_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    load = tags.load_pack

    def counting(name: str, variants: tuple[Path, ...]) -> object:
        read.extend(variants)
        return load(name, variants)

    monkeypatch.setattr(tags, "load_pack", counting)
    CliRunner().invoke(main, ["check", "a.agn"])
    assert [path.name for path in read] == ["broken.yaml"]

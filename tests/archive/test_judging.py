"""Judging many games: what the program fails on is said of that game, and the others go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.archive import judging
from altay_cli.cli.main import main

LOG = """\
[Game "tictactoe"]
setup
  seat Ann
  seat Bob
turn 1 Ann
  mark b2
"""


def test_a_failure_outside_of_the_rules_costs_its_game_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended the run: the JSON stopped in the middle."""
    for name in ("1.agn", "2.agn", "3.agn"):
        (tmp_path / name).write_text(LOG, encoding="utf-8")
    make = judging.check_games

    def fail_on_the_second(text: str, settings: object, path: str, before: int) -> object:
        if path.endswith("2.agn"):
            raise AttributeError("planted")
        return make(text, settings, path, before)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "check_games", fail_on_the_second)
    result = CliRunner().invoke(main, ["check", "--format", "json", str(tmp_path)])
    files = json.loads(result.stdout)["files"]
    assert [game["verdict"] for file in files for game in file["games"]] == [
        "legal",
        "not judged",
        "legal",
    ]
    (found,) = files[1]["games"][0]["findings"]
    assert (found["rule"], result.exit_code) == ("internal-error", 2)
    assert "planted" in found["message"]

"""Rules packs of one's own: `--packs FOLDER` of every command, and `ALTAY_PACKS`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from altay_cli.base.resources import PACKS, pack_folder, pack_folders
from altay_cli.cli.main import COMMANDS, main

BANQUET = Path(__file__).parents[1] / "engine" / "banquet"
LOG = """\
[Game "banquet"]
setup
  seat Ann; seat Bob
turn 1 Ann
  play toast
  serve Fish
  Bob: serve Plum
"""
VARIANT = """\
variant: short
extends: banquet
title: Two cards
change:
  - {set: triggers.three-cards.when, to: "gone.size() == 2 && !over"}
"""


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALTAY_CACHE", "off")
    monkeypatch.delenv(PACKS, raising=False)
    shutil.copytree(BANQUET, tmp_path / "packs" / "banquet")
    (tmp_path / "game.agn").write_text(LOG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "packs"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_log_names_a_pack_that_lies_elsewhere(packs: Path) -> None:
    refused = run("check", "game.agn")
    assert "there is no rules pack `banquet`" in refused.output
    found = run("check", "--packs", "packs", "game.agn")
    assert (found.exit_code, found.output) == (0, "1 game: legal\n")


def test_the_environment_names_folders_too(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PACKS, os.pathsep.join(["nowhere", "packs"]))
    assert run("check", "game.agn").exit_code == 0
    assert pack_folder("banquet") == packs / "banquet"
    assert "altay" in pack_folders()


def test_the_option_may_stand_before_the_command(packs: Path) -> None:
    assert run("--packs", "packs", "check", "game.agn").exit_code == 0
    assert run("--packs", "packs", "rules", "check", "banquet").exit_code == 0


def test_what_an_option_names_is_forgotten_behind_the_command(packs: Path) -> None:
    assert run("check", "--packs", "packs", "game.agn").exit_code == 0
    assert PACKS not in os.environ
    assert run("check", "game.agn").exit_code != 0


def test_every_command_knows_the_option() -> None:
    for name in (*COMMANDS, "rules check", "rules diff", "rules show", "rules list", "rules new"):
        assert "--packs FOLDER" in run(*name.split(), "--help").output, name


def test_commands_without_a_log_find_the_pack(packs: Path) -> None:
    assert "banquet 1.0: Banquet" in run("rules", "list", "--packs", "packs").output
    assert run("rules", "check", "--packs", "packs", "banquet").exit_code == 0
    found = run("simulate", "--packs", "packs", "--game", "banquet", "--players", "2",
                "--games", "2", "--seed", "1", "--policy", "quiet", "--processes", "1")  # fmt: skip
    assert found.exit_code == 0, found.output


def test_variants_lie_beside_the_log_and_in_the_pack(packs: Path) -> None:
    (packs.parent / "short.yaml").write_text(VARIANT, encoding="utf-8")
    log = LOG.replace("setup", '[Variant "short.yaml"]\nsetup', 1)
    (packs.parent / "game.agn").write_text(log, encoding="utf-8")
    assert run("check", "--packs", "packs", "game.agn").exit_code == 0
    assert "no errors" in run("rules", "check", "--packs", "packs", "short.yaml").output
    (packs / "banquet" / "variants").mkdir()
    shutil.move(packs.parent / "short.yaml", packs / "banquet" / "variants" / "short.yaml")
    log = log.replace("short.yaml", "short")
    (packs.parent / "game.agn").write_text(log, encoding="utf-8")
    assert run("check", "--packs", "packs", "game.agn").exit_code == 0


def test_the_first_folder_that_has_a_pack_counts(packs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "banquet"
    shutil.copytree(BANQUET, other)
    game = other / "game.yaml"
    game.write_text(game.read_text(encoding="utf-8").replace("title: Banquet", "title: Feast"), encoding="utf-8")  # fmt: skip
    listed = run("rules", "list", "--packs", "other", "--packs", "packs").output
    assert "Feast" in listed
    assert "Banquet" not in listed


def test_a_folder_that_is_not_there_is_refused(packs: Path) -> None:
    found = run("check", "--packs", "nowhere", "game.agn")
    assert found.exit_code == 2
    assert "'nowhere' does not exist" in found.output

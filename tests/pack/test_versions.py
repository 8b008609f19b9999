"""Logs that pin a version of the rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from altay_cli.base.resources import data_folder
from tests.logs import check_text

LOG = """\
[Game "altay"]
[Rules "{rules}"]

position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: hand 2 Hunter
  Ann: settlements F2
  Bob: settlements F6

turn 3 Ann
  play 2 Hunter
  end => {drawn}
"""

FIVE = "4 Warrior, Village"

OLD = """\
variant: altay-0-9
extends: altay
title: The rules before 1.0
version: "0.9"
change:
  - {set: numbers.hand_size.value, to: 4}
  - {set: version, to: "0.9"}
"""


def rules_of(text: str) -> list[str]:
    return [f"{f.rule} {f.severity}" for game in check_text(text).games for f in game.findings]


def test_the_version_that_is_there_is_no_finding() -> None:
    assert rules_of(LOG.format(rules="altay 1.0", drawn=FIVE)) == []


def test_another_version_is_a_warning() -> None:
    assert rules_of(LOG.format(rules="altay 0.9", drawn=FIVE)) == ["rules-version warning"]


def test_a_variant_that_is_not_played_is_a_warning() -> None:
    text = LOG.format(rules="altay 1.0, trading 1.0", drawn=FIVE)
    assert rules_of(text) == ["rules-version warning"]


def test_a_tag_without_a_version_is_an_error() -> None:
    assert rules_of(LOG.format(rules="the usual ones", drawn=FIVE)) == ["rules-version error"]


@pytest.fixture
def with_old_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay rules beside the program that keep what 0.9 was: hands of four."""
    rules = tmp_path / "rules"
    shutil.copytree(data_folder("rules"), rules)
    versions = rules / "altay" / "versions"
    versions.mkdir()
    (versions / "0.9.yaml").write_text(OLD, encoding="utf-8")
    monkeypatch.setenv("ALTAY_PACKS", str(rules))


@pytest.mark.usefixtures("with_old_rules")
def test_an_old_log_is_checked_by_the_old_rules() -> None:
    assert rules_of(LOG.format(rules="altay 0.9", drawn="4 Warrior")) == []
    assert rules_of(LOG.format(rules="altay 1.0", drawn="4 Warrior")) == ["draw-too-few error"]

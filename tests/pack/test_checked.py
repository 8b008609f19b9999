"""A rule file that has been checked before is not checked again; one that says anything else is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from altay_cli.findings import Finding
from altay_cli.pack import checked, folder
from altay_cli.pack.document import Document
from altay_cli.pack.folder import read_folder
from altay_cli.resources import data_folder

GAME = data_folder("rules") / "altay"
ALL = sum(1 for path in GAME.rglob("*.yaml") if path.parent.name != "variants")


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the rules, and give the program a cache of its own."""
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path / "cache"))
    copy = tmp_path / "altay"
    shutil.copytree(GAME, copy)
    return copy


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List the files that are checked against their schemas."""
    files: list[str] = []
    check = folder.validate

    def validate(document: Document, name: str) -> list[Finding]:
        files.append(document.file)
        return check(document, name)

    monkeypatch.setattr(folder, "validate", validate)
    return files


def change(rules: Path, name: str, old: str, new: str) -> None:
    path = rules / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_only_what_has_changed_is_checked(rules: Path, seen: list[str]) -> None:
    assert read_folder(rules).problems == []
    assert len(seen) == ALL
    del seen[:]
    first = read_folder(rules)
    assert (first.problems, seen) == ([], [])
    change(rules, "scoring.yaml", "title:", "title:  ")
    assert read_folder(rules).problems == []
    assert seen == ["altay/scoring.yaml"]


def test_what_is_wrong_is_told_each_time(rules: Path, seen: list[str]) -> None:
    read_folder(rules)
    change(rules, "scoring.yaml", "title:", "titel:")
    for _ in range(2):
        del seen[:]
        assert {problem.rule for problem in read_folder(rules).problems} >= {"schema-unknown-key"}
        assert seen == ["altay/scoring.yaml"]


def test_the_same_text_is_checked_again_as_another_kind_of_file(
    rules: Path, seen: list[str]
) -> None:
    read_folder(rules)
    shutil.copy(rules / "rulings.yaml", rules / "moves" / "rulings.yaml")
    assert "schema-unknown-key" in {problem.rule for problem in read_folder(rules).problems}


def test_everything_is_checked_under_other_schemas(
    rules: Path, seen: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_folder(rules)
    shutil.copytree(data_folder("schemas"), tmp_path / "schemas")
    change(tmp_path / "schemas", "scoring.schema.json", "How ties", "How all ties")
    monkeypatch.setattr(checked, "data_folder", lambda name: tmp_path / name)
    del seen[:]
    read_folder(rules)
    assert len(seen) == ALL


def test_everything_is_checked_without_a_cache(
    rules: Path, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALTAY_CACHE", "off")
    read_folder(rules)
    read_folder(rules)
    assert len(seen) == 2 * ALL


def test_not_everything_is_remembered(
    rules: Path, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked, "KEPT", 5)
    read_folder(rules)
    del seen[:]
    read_folder(rules)
    assert len(seen) == ALL - 5

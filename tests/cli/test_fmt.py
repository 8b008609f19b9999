"""`altay fmt`: one way to write a log down, and nothing of it lost."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from altay_cli.checking import check_text
from altay_cli.notation import read
from tests.cli.sample import ILLEGAL, LEGAL, OVER, put, run

UNTIDY = """\
\ufeff[Game   "altay"]
# the second Tuesday
[Event "Tuesday; table"]\r
POSITION
Ann  :faction   firefolk;Bob: faction Elvenfolk # both new
      Ann:hand 2   Hunter ,
   # from memory
   Village
  Turn 3 Ann
play 2 HUNTER;; play   Village
   # the end
"""
TIDY = """\
[Game "altay"]
# the second Tuesday
[Event "Tuesday; table"]

position
  Ann: faction firefolk
  Bob: faction Elvenfolk  # both new
  Ann: hand 2 Hunter,
      # from memory
      Village

turn 3 Ann
  play 2 HUNTER
  play Village

# the end
"""
LOGS = {
    "tidy": TIDY,
    "untidy": UNTIDY,
    "legal": LEGAL,
    "illegal": ILLEGAL,
    "several": OVER + UNTIDY + ILLEGAL,
}


def test_an_untidy_log() -> None:
    result = run("fmt", "-", text=UNTIDY)
    assert result.exit_code == 0
    assert result.stdout == TIDY


@pytest.mark.parametrize("name", LOGS)
def test_formatting_twice_changes_nothing_more(name: str) -> None:
    once = run("fmt", "-", text=LOGS[name]).stdout
    assert run("fmt", "-", text=once).stdout == once
    assert run("fmt", "--check", "-", text=once).exit_code == 0


@pytest.mark.parametrize("name", LOGS)
def test_comments_and_findings_stay(name: str) -> None:
    def told(text: str) -> list[list[tuple[str, str, str]]]:
        return [
            [(f.rule, f.severity, f.message) for f in game.findings]
            for game in check_text(text).games
        ]

    before, after = LOGS[name], run("fmt", "-", text=LOGS[name]).stdout
    assert [c.text for c in read(after).comments] == [c.text for c in read(before).comments]
    assert told(after) == told(before)


def test_files_are_replaced(tmp_path: Path) -> None:
    untidy, tidy = put(tmp_path, untidy=UNTIDY, tidy=TIDY)
    untouched = tidy.stat()
    result = run("fmt", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert untidy.read_text(encoding="utf-8") == TIDY
    assert tidy.stat().st_mtime_ns == untouched.st_mtime_ns
    assert tidy.stat().st_ino == untouched.st_ino, "a file that is tidy is left alone"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tidy.agn", "untidy.agn"]


def test_check_writes_nothing(tmp_path: Path) -> None:
    untidy, tidy = put(tmp_path, untidy=UNTIDY, tidy=TIDY)
    before = untidy.read_bytes()
    result = run("fmt", "--check", untidy, tidy)
    assert result.exit_code == 1
    assert result.stdout == f"would change: {untidy}\n"
    assert untidy.read_bytes() == before


def test_a_file_that_cannot_be_written_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    before = untidy.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = run("fmt", untidy)
    assert result.exit_code == 2
    assert "o space left on device" in result.stderr
    assert untidy.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["untidy.agn"], "nothing is left behind"


def test_rights_and_links_stay(tmp_path: Path) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    untidy.chmod(0o640)
    link = tmp_path / "link.agn"
    link.symlink_to(untidy.name)
    assert run("fmt", link).exit_code == 0
    assert link.is_symlink()
    assert untidy.read_text(encoding="utf-8") == TIDY
    assert stat.S_IMODE(untidy.stat().st_mode) == 0o640


def test_unreadable_files_and_tidy_ones(tmp_path: Path) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    binary = tmp_path / "binary.agn"
    binary.write_bytes(b"\xff\x00")
    result = run("fmt", tmp_path)
    assert result.exit_code == 2
    assert "binary.agn: not a text" in result.stderr
    assert untidy.read_text(encoding="utf-8") == TIDY
    assert binary.read_bytes() == b"\xff\x00"

"""What an editor saves while `fmt` or `check --fix` works is not overwritten."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from altay_cli.cli import check, logs
from tests.cli.sample import run

LOG = """\
[Game "tictactoe"]
setup
  seat Ann
  seat Bob
turn 1 Ann
  mark  a1.
"""
SAVED = LOG.replace("a1.", "b2")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.agn"
    path.write_text(LOG, encoding="utf-8")
    return path


def interrupted(function: Callable[..., Any], save: Callable[[], object]) -> Callable[..., Any]:
    """Return a function at the end of which somebody saves the file."""

    def work(*given: Any, **named: Any) -> Any:
        result = function(*given, **named)
        save()
        return result

    return work


@pytest.mark.parametrize(
    ("module", "name", "command"),
    [(logs, "format_file", ("fmt",)), (check, "mended", ("check", "--fix"))],
    ids=["fmt", "check --fix"],
)
def test_what_was_saved_in_between_stays(
    module: Any, name: str, command: tuple[str, ...], log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = interrupted(getattr(module, name), lambda: log.write_text(SAVED, encoding="utf-8"))
    monkeypatch.setattr(module, name, save)
    result = run(*command, log)
    assert result.exit_code == 2
    assert (
        f"altay: {log}: the file has changed in the meantime; it stays as it is\n" in result.stderr
    )
    assert log.read_text(encoding="utf-8") == SAVED
    assert [path.name for path in log.parent.iterdir()] == ["game.agn"]
    # Nothing was saved the next time.
    monkeypatch.undo()
    assert run(*command, log).exit_code in {0, 1}
    assert log.read_text(encoding="utf-8") != SAVED or command == ("check", "--fix")


def test_a_file_that_was_removed_meanwhile_does_not_come_back(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "format_file", interrupted(logs.format_file, log.unlink))
    result = run("fmt", log)
    assert result.exit_code == 2
    assert "the file has changed in the meantime" in result.stderr
    assert not log.exists()


def test_a_file_of_two_names_is_compared_too(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not replaced but overwritten, so that both names stay those of one file."""
    os.link(log, log.with_name("other.agn"))
    save = interrupted(logs.format_file, lambda: log.write_text(SAVED, encoding="utf-8"))
    monkeypatch.setattr(logs, "format_file", save)
    assert run("fmt", log).exit_code == 2
    assert log.with_name("other.agn").read_text(encoding="utf-8") == SAVED


def test_it_is_told_in_the_language_of_the_report(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = interrupted(logs.format_file, lambda: log.write_text(SAVED, encoding="utf-8"))
    monkeypatch.setattr(logs, "format_file", save)
    assert "inzwischen geändert" in run("fmt", "--lang", "de", log).stderr

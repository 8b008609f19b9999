"""Broken logs of every pack, edition and variant: no command fails on them, and the bench notices one that does."""

from __future__ import annotations

from random import Random

import pytest

from altay_cli.compile.load import pack_names
from altay_cli.repair.search import Search
from attack.faults import COMMANDS, FAULTS, broken, failure_of, settings, tried

SAMPLE = 20

LOG = """\
[Game "tictactoe"]
setup
  seat Ann
  seat Bob
turn 1 Ann
  mark a1
turn 1 Bob
  mark a1
turn 2 Ann
  mark a1
"""


def test_no_command_fails_on_a_broken_log() -> None:
    assert [failure for failure in map(tried, range(SAMPLE)) if failure is not None] == []


def test_everything_that_is_shipped_is_among_the_settings() -> None:
    assert {setting.pack for setting in settings()} == set(pack_names())
    tags = {tag for setting in settings() for tag in setting.tags}
    assert {("Edition", "de"), ("Variant", "edition-de"), ("Edition", "first")} <= tags
    assert (("Edition", "de"), ("Variant", "trading")) in {setting.tags for setting in settings()}


def test_every_fault_changes_something() -> None:
    lines = [*LOG.split("\n"), "  end => Hunter, 2 Warrior, Village, 3 Shaman"]
    for name, fault in FAULTS.items():
        if name == "other-language":  # the squares of tic-tac-toe are called the same everywhere
            lines = ['[Game "altay"]', "setup", "  Ann: draw Hunter, Warrior, Village"]
        assert any(fault(lines, Random(seed)) != lines for seed in range(20)), name


def test_the_same_number_gives_the_same_log() -> None:
    assert broken(7) == broken(7)
    assert broken(7) != broken(8)


@pytest.mark.parametrize("command", COMMANDS[:4])
def test_a_command_that_fails_is_found(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert failure_of(LOG, command) is None

    def fail(*_: object) -> None:
        raise IndexError

    monkeypatch.setattr(Search, "recover", fail)
    reason = failure_of(LOG, command)
    assert reason is not None
    assert "test_faults.py" not in reason

"""A mistake of the program is never a verdict on somebody's log, and takes no other game down."""

from __future__ import annotations

import pytest

from altay_cli.archive import judging
from altay_cli.checking import check
from altay_cli.expressions import runtime
from attack.planted import MESSAGE, wrong, wrong_in_commands


def test_a_mistake_of_the_program_is_no_verdict() -> None:
    assert list(wrong(200, seed=7)) == []


def test_a_mistake_that_is_taken_for_one_of_the_rules_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime, "_is_ours", lambda _: False)
    assert any(one.ended == "a verdict" for one in wrong(60, seed=7))


def test_whichever_function_fails_the_other_games_go_on_in_every_command() -> None:
    assert list(wrong_in_commands(200, seed=7)) == []


def test_a_mistake_that_ends_the_run_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AttributeError(MESSAGE)

    monkeypatch.setattr(check, "_failed", fail)
    monkeypatch.setattr(judging, "_not_judged", fail)
    assert any(one.ended == "it ends the run" for one in wrong_in_commands(100, seed=7))

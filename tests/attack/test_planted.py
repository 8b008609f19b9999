"""A mistake of the program is never a verdict on somebody's log."""

from __future__ import annotations

import pytest

from altay_cli.expressions import runtime
from attack.planted import wrong


def test_a_mistake_of_the_program_is_no_verdict() -> None:
    assert list(wrong(200, seed=7)) == []


def test_a_mistake_that_is_taken_for_one_of_the_rules_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime, "_is_ours", lambda _: False)
    assert any(one.ended == "a verdict" for one in wrong(60, seed=7))

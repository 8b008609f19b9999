"""What is supposed of how much lies where, so that a statement is legal: no more than it needs.

`tests/packs/lockers`: two players draw two hammers and two saws each, unseen, and lock one tool away.
A tool that is used then comes from the hand or from the locker.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.checking import GameReport, check_text
from altay_cli.findings import Severity
from altay_cli.rulecheck.examine import examine

PACKS = Path(__file__).parents[1] / "packs"
HEAD = '[Game "lockers"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n'
USED = ("take",) * 4 + ("lock hammer",) * 2 + ("use hammer",) * 2
"""Each player has drawn two tools, and used a hammer: the locked one, or the other one."""


@pytest.fixture(autouse=True)
def packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTAY_PACKS", str(PACKS))


def checked(*moves: str) -> GameReport:
    """Check what Ann and Bob do by turns."""
    (game,) = check_text(HEAD + "".join(f"  {move}\n" for move in (*USED, *moves))).games
    return game


def wrong(*moves: str) -> list[tuple[int, str]]:
    """Return what is wrong behind ``USED``, each with the number of its statement."""
    first = HEAD.count("\n") + len(USED)
    errors = [f for f in checked(*moves).findings if f.severity is Severity.ERROR]
    return [(f.span.line - first, f.rule) for f in errors]


def test_the_pack_is_right() -> None:
    assert examine(PACKS / "lockers", []) == []


def test_a_statement_can_need_two_lockers_to_be_empty() -> None:
    assert wrong("trade") == []
    assert wrong("trade", "lock saw", "lock saw") == []
    assert wrong("trade", "show") == [(2, "show-full")]


def test_what_needs_something_in_a_locker_tells_that_it_is_there() -> None:
    assert wrong("show", "show") == []
    # Ann has used both of her hammers if the locked one is still there: nothing is in hand.
    assert wrong("show", "pass", "lock saw") == [(3, "lock-have")]
    assert wrong("show", "trade") == [(2, "trade-empty")]
    assert wrong("lock saw", "show", "show") == []


def test_what_rules_cannot_be_asked_about_is_undecided() -> None:
    """One locker at least is empty: in three of four ways, which no one zone tells."""
    (found,) = [f for f in checked("tidy", "show").findings if f.severity is Severity.ERROR]
    assert found.rule == "undecided"
    assert found.message == "what follows depends on how much lies where, which nobody recorded"

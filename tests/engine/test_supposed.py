"""What is supposed of how much lies where, so that a statement is legal: no more than it needs.

`tests/packs/lockers`: two players draw two hammers and two saws each, unseen, and lock one tool away.
A tool that is used then comes from the hand or from the locker.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.opening import open_game
from altay_cli.lint.examine import Examiner
from altay_cli.match import limits
from tests.logs import begun

PACKS = Path(__file__).parents[1] / "packs"
HEAD = begun("lockers")
USED = ("take",) * 4 + ("lock hammer",) * 2 + ("use hammer",) * 2
"""Each player has drawn two tools, and used a hammer: the locked one, or the other one."""


@pytest.fixture(autouse=True)
def packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTAY_PACKS", str(PACKS))


def checked(*moves: str, begun: Sequence[str] = USED) -> GameReport:
    """Check what Ann and Bob do by turns."""
    (game,) = check_text(HEAD + "".join(f"  {move}\n" for move in (*begun, *moves))).games
    return game


def wrong(*moves: str, begun: Sequence[str] = USED) -> list[tuple[int, str]]:
    """Return what is wrong behind what is ``begun``, each with the number of its statement."""
    first = HEAD.count("\n") + len(begun)
    errors = [f for f in checked(*moves, begun=begun).findings if f.severity is Severity.ERROR]
    return [(f.span.line - first, f.rule) for f in errors]


def test_the_pack_is_right() -> None:
    assert Examiner(PACKS / "lockers").examine([]) == []


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


def test_what_is_found_out_about_a_locker_is_supposed_no_more() -> None:
    def open_lockers(*moves: str) -> int:
        queries = open_game(
            HEAD + "".join(f"  {m}\n" for m in (*USED, *moves))
        ).state.hidden.queries
        number = len(queries.uncertain_sizes())
        assert queries.any_size_uncertain is (number > 0)
        return number

    assert open_lockers() == 2
    assert open_lockers("show") == 1  # Ann's is full
    assert open_lockers("trade") == 0  # both are empty


def test_what_rules_cannot_be_asked_about_is_undecided() -> None:
    """One locker at least is empty: in three of four ways, which no one zone tells."""
    (found,) = [f for f in checked("tidy", "show").findings if f.severity is Severity.ERROR]
    assert found.rule == "undecided"
    assert (
        found.message
        == "the verdict depends on the number of things in each place, which the log does not record"
    )


def test_where_there_are_too_many_ways_each_locker_is_looked_at_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That Ann's is empty is enough then; of the four ways there are, one is too many."""
    monkeypatch.setattr(limits, "MAX_SUPPOSED", 4)
    assert wrong("tidy") == [(1, "undecided")]
    monkeypatch.setattr(limits, "MAX_SUPPOSED", 3)
    assert wrong("tidy") == []


LOST = (*USED[:6], "lose hammer", "pass")
"""Ann has locked a hammer away, and lost one: that, or the second one, if she had it in hand."""


def test_a_thing_moves_from_either_of_two_bags_in_which_it_lies() -> None:
    assert wrong(begun=LOST) == []
    # The locker is full: so the other hammer was lost, and that is all that was in hand.
    assert wrong("show", "pass", "use hammer", begun=LOST) == []
    assert wrong("show", "pass", "lock saw", begun=LOST) == [(3, "lock-have")]
    assert wrong("show", "pass", "use saw", begun=LOST) == [(3, "use-have")]
    # The locker is empty: so the locked one was lost, and the hand is as it was.
    assert wrong("lock saw", "pass", "use saw", begun=LOST) == []
    assert wrong("lock saw", "pass", "use hammer", begun=LOST) == [(3, "use-have")]
    assert wrong("lock hammer", "pass", "use hammer", begun=LOST) == []
    # There were two hammers.
    twice = (*LOST, "lose hammer", "pass")
    assert wrong(begun=twice) == []
    assert wrong("lose hammer", begun=twice) == [(1, "lose-have")]
    assert wrong("show", begun=twice) == [(1, "show-full")]
    # What lies in neither cannot be lost.
    saws = ("take => saw", "take", "take => saw", "take")
    assert wrong("lose hammer", begun=saws) == [(1, "lose-have")]


def test_a_thing_that_lies_openly_in_one_bag_moves_from_there() -> None:
    known = ("take => saw", "take", "take => hammer", "take", "lock hammer", "pass")
    assert wrong("lose hammer", "pass", "lock saw", begun=known) == []
    assert wrong("lose hammer", "pass", "use hammer", begun=known) == [(3, "use-have")]
    assert wrong("lose saw", "pass", "show", begun=known) == []


UNKNOWN_HANDS = """\
[Game "altay"]
setup
  seat Ann as Firefolk
  seat Bob as Elvenfolk
  seat Cid as Smallfolk
  seat Dan as Earthfolk
  marker 1 on F1, F2, F3, F4, F5, F6, W1, W2, W3, W4, W5, W6
turn 3 Ann
  Dan: meld Mysticism
  place food on Village
  build nowhere
  attack W1 from F1 with Warrior
  place wood on Town
  build W2
  end => 3 Hunter, 2 Warrior
turn 3 Bob
  end
turn 4 Ann
"""


def test_many_wrong_statements_where_two_sizes_are_unknown_are_all_judged() -> None:
    """To suppose each of 49 combinations costs by what is kept of it, not by what is left out."""
    (game,) = check_text(UNKNOWN_HANDS).games
    assert "rule-budget" not in {found.rule for found in game.findings}
    wrong = {f.span.line for f in game.findings if f.severity is Severity.ERROR}
    # Line 9 cannot be read: it may have brought what lines 10, 11 and 13 need.
    assert wrong >= {9, 12, 14, 18}

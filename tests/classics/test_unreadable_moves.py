"""A move that nobody can read stands for some legal move: the turn passes, and it is one error."""

from __future__ import annotations

import pytest

from altay_cli.checking.check import GameReport, Verdict, check_text
from altay_cli.repair import limits
from tests.logs import begun

CHESS = (
    begun("chess")
    + """\
  move e2 to e4
  move e7 to e5
  illegible
  move b8 to c6
  move f1 to b5
  move a7 to a6
  move b5 to c6
  move d7 to c6
  move f3 to e5
"""
)
"""The knight that takes on e5 must have come to f3 by the third move."""

# The later discs can be played if the sixth lay on c6.
OTHELLO = (
    begun("othello")
    + """\
  play f5
  play d6
  play c5
  play f4
  play e3
  illegible
  play d3
  play f6
  play e6
  play d7
  play g4
  play g3
"""
)

MORRIS = (
    begun("morris")
    + """\
  place a1
  place d1
  ???
  place d2
  place a7
"""
)

NOT_CHESS = (
    begun("chess")
    + """\
  move e2 to e4
  it was late by then
  move e2 to e4
  move d1 to d8
  move a1 to a8
  move h1 to h8
  move c1 to c8
"""
)
"""Whatever the second statement was, none of those behind it can be legal."""


def checked(text: str) -> GameReport:
    (game,) = check_text(text).games
    return game


@pytest.mark.parametrize(("log", "line"), [(CHESS, 8), (OTHELLO, 11)])
def test_it_is_the_only_error(log: str, line: int) -> None:
    game = checked(log)
    assert [(one.span.line, one.rule) for one in game.findings] == [(line, "unknown-statement")]
    assert game.verdict is Verdict.ILLEGAL


def test_it_is_no_move_where_the_same_player_goes_on() -> None:
    log = CHESS.replace("  illegible\n", "  what a fine opening\n  move g1 to f3\n")
    assert [one.rule for one in checked(log).findings] == ["unknown-statement"]


def test_of_two_each_is_an_error() -> None:
    log = CHESS.replace("  move a7 to a6\n", "  scrawl\n")
    assert [one.span.line for one in checked(log).findings] == [8, 11]


def test_what_is_wrong_with_each_move_that_it_may_be_is_told() -> None:
    # No bishop goes from f1 to b6, whatever was played before it.
    head, _, _ = CHESS.partition("  move f1 to b5\n")
    log = head + "  move f1 to b6\n  move a7 to a6\n  move h2 to h3\n  move d7 to d6\n"
    assert [one.rule for one in checked(log).findings] == ["unknown-statement", "can-go"]


def test_where_nothing_tells_what_it_was_judging_ends() -> None:
    game = checked(NOT_CHESS)
    (error,) = game.findings
    assert error.rule == "unknown-statement"
    assert error.help[-1] == "because of this, the 5 statements from line 8 on are not judged"
    assert game.verdict is Verdict.NOT_JUDGED


def test_only_so_many_moves_are_tried_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STAND_INS", 1)
    assert len(checked(CHESS).findings) > 1

"""Shorthand that people write is read, and what a slip leaves open is not reported as lacking."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Finding, Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.fixing import applied
from tests.logs import GAMES, JOE_AND_MARY

SETUP = f"{JOE_AND_MARY}\n"


def found(turns: str) -> list[Finding]:
    (game,) = check_text(SETUP + turns).games
    return [one for one in game.findings if one.severity is not Severity.NOTE]


def rules(turns: str) -> list[tuple[int, str]]:
    """Return the line behind the setup and the rule of each finding."""
    return [(one.span.line - SETUP.count("\n"), one.rule) for one in found(turns)]


# ---------------------------------------------------------------- behind what cannot be read


@pytest.mark.parametrize("unread", ["play all Hunters", "play 2 Hunter = 2 food", "gather food"])
def test_behind_a_statement_that_cannot_be_read_nothing_is_unpaid(unread: str) -> None:
    turn = f"turn 1 Joe\n  {unread}\n  buy Farmer\n  end\n"
    assert [line for line, _ in rules(turn)] == [2]
    # So it is where the log has other errors, before or behind it.
    unpaid = "turn 1 Joe\n  buy Miner\n  end\n"
    other = turn.replace("Joe", "Mary") + "turn 2 Joe\n  buy Lumberjack\n  end\n"
    assert rules(unpaid + other)[0] == (2, "cannot-pay")
    assert [line for line, _ in rules(unpaid + other)] == [2, 5, 9]


def test_in_the_turns_of_others_it_is() -> None:
    turns = "turn 1 Joe\n  play all Hunters\n  end\nturn 1 Mary\n  buy Farmer\n  end\n"
    assert rules(turns) == [(2, "unknown-card"), (5, "cannot-pay")]


def test_what_is_illegal_in_any_case_is_reported() -> None:
    turns = "turn 1 Joe\n  play all Hunters\n  buy Farmer\n  buy Farmer\n  end\n"
    assert rules(turns) == [(2, "unknown-card"), (4, "bought-twice")]


# ---------------------------------------------------------------- several statements as one


@pytest.mark.parametrize(
    "written",
    [
        "play Village with 2 food",
        "play Village and put 2 food on it",
        "play Village and place 2 food on it",
        "plays Village and puts 2 food on it.",
        "play Village and put 2 food on Village",
    ],
)
def test_a_card_that_is_played_with_what_lies_on_it(written: str) -> None:
    turn = f"turn 1 Joe\n  play 2 Hunter\n  {written}\n  build F2\n  end\n"
    assert rules(turn) == [(3, "badly-written")]
    mended = applied(turn, {one.fixes[0]._replace(span=one.fixes[0].span._replace(
        line=one.fixes[0].span.line - 13, end_line=one.fixes[0].span.end_line - 13))
        for one in found(turn)})  # fmt: skip
    assert "  play Village; place 2 food on Village\n" in mended


def test_the_food_that_is_missing_is_the_one_error() -> None:
    turn = "turn 1 Joe\n  play Village and put 2 food on it\n  build F2\n  end\n"
    assert rules(turn) == [(2, "badly-written"), (2, "place-have")]


def test_a_card_in_the_place_of_a_player() -> None:
    turn = "turn 1 Joe\n  play 2 Hunter\n  Village: 2 food\n  build F2\n  end\n"
    (error,) = found(turn)
    assert error.message == (
        "`Village` is an action card; only the name of a player can be written before `:`"
    )
    assert error.help == ("at the table: Joe, Mary",)


# ---------------------------------------------------------------- rounds as headings

ROUNDS = """\
Round 1
Joe
  play 2 Hunter
  end
Mary:
  plays 2 Hunters
  end
Round 2
  Joe
  end
"""


def test_names_below_the_headings_of_rounds_are_turns() -> None:
    warning, other = found(ROUNDS)
    assert warning.message == "a turn is headed by its round and player: `turn 1 Joe`"
    assert warning.severity is Severity.WARNING
    assert other.span.line == SETUP.count("\n") + 6
    mended = applied(SETUP + ROUNDS, {warning.fixes[0]})
    turns = [line for line in mended.split("\n") if line.startswith(("turn", "  turn"))]
    assert turns == ["turn 1 Joe", "turn 1 Mary", "  turn 2 Joe"]
    assert mended.count("\n") == (SETUP + ROUNDS).count("\n")
    (game,) = check_text(applied(mended, {other.fixes[0]})).games
    assert [one.rule for one in game.findings] == ["unrecorded"]


def test_a_name_alone_is_no_turn_without_a_round() -> None:
    assert "badly-written" not in {rule for _, rule in rules("turn 1 Joe\n  Mary\n  end\n")}


# ---------------------------------------------------------------- messages


def test_the_turn_that_was_not_ended_is_the_one_that_began_there() -> None:
    first, second = found("turn 1 Joe\nturn 1 Mary\nturn 2 Joe\n  end\n")
    begun = SETUP.count("\n")
    assert [one.related[0].span.line - begun for one in (first, second)] == [1, 2]
    assert second.related[0].message == "the turn of Mary began here"


def test_claims_that_are_not_judged_are_not_said_to_be_held_against_a_state() -> None:
    (game,) = check_text(SETUP + "turn 1 Joe\n  attack\n  end\nresult\n  Joe: score 12\n").games
    assert [one.rule for one in game.findings] == ["unrecorded", "malformed-statement"]


def test_a_number_before_the_name_of_one_thing() -> None:
    (error,) = found("turn 1 Joe\n  play 2 Hunter for 2 food\n  buy Farmer for food\n  end\n")
    assert (error.rule, error.help) == ("one-only", ("leave out the number: `food`",))
    assert error.fixes[0].text == ""


def test_what_was_revealed_may_stand_on_a_line_of_its_own() -> None:
    """A setup is behind it: in the middle of a turn, `reveal` continues the line before."""
    recorded = (GAMES / "tie.agn").read_text(encoding="utf-8")
    right = "develop Masonry with stone => Writing\n"
    text = recorded.replace(right, "develop Masonry with stone\n  reveal Writing\n")
    (game,) = check_text(text, folder=GAMES).games
    (finding,) = (one for one in game.findings if one.severity is not Severity.NOTE)
    assert finding.message == (
        "this belongs to the statement before it: `develop Masonry with stone => Writing`"
    )
    assert applied(text, finding.fixes) == recorded

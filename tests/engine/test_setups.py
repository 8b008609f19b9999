"""One slip in a setup, which shows many turns later, is told once and at its place."""

from __future__ import annotations

import pytest

from tests.engine.slips import errors, errors_of, recorded


@pytest.mark.parametrize(
    ("name", "seat"),
    [
        ("four-players", "  seat Emil as Firefolk\n"),
        ("two-players", "  seat Jonas as Smallfolk\n"),
    ],
)
def test_a_seat_that_was_left_out_is_asked_for(name: str, seat: str) -> None:
    # It gave up to 165 errors: another map, nobody's turns.
    (error,) = errors(name, seat)
    assert error.rule == "unknown-player"
    assert error.help[0].startswith(f"was `{seat.strip()}` left out b")
    (fix,) = error.fixes
    assert fix.text.strip("; ") == seat.strip()


def test_what_was_left_out_is_spelled_as_the_log_is_in_any_language() -> None:
    text = recorded("two-players").replace("  seat Jonas as Smallfolk\n", "")
    (error,) = errors_of(text, language="de")
    assert "`seat Jonas as Smallfolk`" in error.help[0]


def test_seats_the_other_way_round_are_told_at_the_seats() -> None:
    right = "  seat Ruth as Smallfolk\n  seat Simon as Firefolk\n"
    one, other = right.splitlines(keepends=True)
    (error,) = errors("tie", right, other + one)  # 46 errors: each turn is out of order
    assert error.rule == "setup-contradicted"
    assert error.message == "what follows does not go with the order of this line and the one above"
    assert error.help == ("was this meant to come before the line above?",)
    (second,) = error.related
    assert second.message.startswith("Ruth chooses first")


def test_a_name_that_only_the_turns_contradict_is_told_in_the_setup() -> None:
    (error,) = errors("tie", "  Ruth: settle F2\n", "  Ruth: settle F4\n")  # 17 errors
    assert error.rule == "setup-contradicted"
    assert error.message == "`F2` was perhaps meant: what follows does not go with `F4`"
    assert error.fixes[0].text == "F2"
    assert not error.fixes[0].certain
    assert error.related[0].message == "Ruth has no settlement in F2; attacks start from F4"


@pytest.mark.parametrize(
    ("game", "settled"),
    [
        ("tie", "Clara: settle F1"),
        ("two-players", "Jonas: settle F3"),
        ("three-players", "Ida: settle F1"),
    ],
)
def test_what_follows_from_a_name_in_the_setup_that_cannot_be_read_is_not_told(
    game: str, settled: str
) -> None:
    unread = settled[:-2] + "turn"
    (error,) = errors(game, f"  {settled}\n", f"  {unread}\n")  # 5, 7 and 2 errors
    assert error.rule == "unknown-territory"
    assert error.help == (f"was `{settled}` left out before this?",)


def test_with_a_seat_that_cannot_be_read_nobody_is_said_to_play_alone() -> None:
    log = '[Game "altay"]\nsetup\n  seat Ann as Firefolk\n  seat Bob as Xylophone\nturn 1 Ann\n'
    rules = [error.rule for error in errors_of(log)]
    assert rules == ["marker-missing", "settle-missing", "unknown-faction"]


def test_a_comma_is_not_the_name_of_a_thing() -> None:
    (error,) = errors("tie", "  marker 2 food on F4, F5\n", "  marker 2 , on F4, F5\n")
    assert error.rule == "name-missing"


def test_markers_that_were_left_out_are_asked_for() -> None:
    (error,) = errors("tie", "  marker 2 food on F4, F5\n")
    assert error.rule == "marker-missing"
    assert error.help[0] == "was `marker 2 food on F4` left out before line 17?"


def test_a_starting_territory_that_was_left_out_is_asked_for() -> None:
    (error,) = errors("three-players", "  Paul: settle F5\n")  # 17 errors
    assert error.rule == "settle-order"
    assert error.help[0].startswith("was `Paul: settle F5` left out before")


def test_what_was_left_out_of_a_setup_need_not_explain_every_slip() -> None:
    """A Chariot is only played in combat, whatever was settled."""
    log = recorded("three-players").replace("  Paul: settle F5\n", "")
    ahead, turn, rest = log.partition("turn 2 Lena\n")
    first, second = errors_of(f"{ahead}{turn}  play 3 Chariot\n{rest}")
    assert first.help[0].startswith("was `Paul: settle F5` left out before")
    assert (second.rule, second.span.line) == ("no-such-effect", ahead.count("\n") + 2)


def test_a_move_above_the_heading_of_its_turn_is_told_once() -> None:
    right = "turn 1 Marta\n  attack H6 from F6 with Warrior"
    heading, rest = right.split("\n")
    (error,) = errors("two-players", right, f"{rest}\n{heading}")
    assert error.rule == "statement-phase"
    assert error.help[0].startswith("was this meant to come after line")


def test_another_faction_that_was_meant_is_told() -> None:
    (error,) = errors("trading", "seat Nils as Firefolk", "seat Nils as Earthfolk")
    assert error.message == (
        "`Firefolk` was perhaps meant: what follows does not go with `Earthfolk`"
    )


def test_a_fifth_seat_is_never_what_was_left_out() -> None:
    """With it the game could not begin, so that nothing behind it was judged, and nothing wrong."""
    text = """\
[Game "innovation"]
setup
  seat Ann
  seat Bob
  seat Cleo
  seat Dan
  Ann: draw Pottery, Agriculture
  Bob: draw Sailing, Oars
  Cleo: draw City States, Code of Laws
  Dan: draw Domestication, Metalworking
  An: meld Pottery
  Bob: meld Sailing
  Cleo: meld Code of Laws
  Dan: meld Domestication
turn 1 Cleo
  dogma Code of Laws
  tuck City States
  splay purple
turn 1 Dan
  draw => Writing
turn 1 Ann
  draw => Clothing
  draw => Archery
turn 1 Bob
  draw => Tools
  draw => Mysticism
  draw => Mapmaking
  draw => Philosophy
  draw => Calendar
"""
    told = errors_of(text)
    assert "seat-count" not in [error.rule for error in told]
    assert [error.span.line for error in told if error.rule == "unknown-player"] == [11]
    # Bob's third draw in a turn is one too many, and is still judged.
    assert ("actions-left", 27) in [(error.rule, error.span.line) for error in told]

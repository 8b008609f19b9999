"""A name of two different cards, of which either may have been in the hand: what follows decides.

Ann's Smallfolk own one Craftsman for wood and one for stone, 4 Hunter, Spellweaver, Village, 2 Warrior.
"""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.filling import fill_any
from altay_cli.checking.opening import open_game
from tests.engine.alone import played

OPEN = """\
  Ann: secret Academy
  Bob: secret Colossus
  reveal Writing, Masonry, Strategy, Commerce, Religion, Government, Ark, Aqueducts, Highways
"""


def log(*turns: str, hand: str = "") -> str:
    """Return a log of Ann's turns, perhaps with a hand that is known."""
    return played(OPEN + (f"  Ann: hand {hand}" if hand else ""), *turns)


def judged(text: str) -> tuple[GameReport, list[tuple[str, str]]]:
    """Return a game with what is told of single statements, and of which."""
    (game,) = check_text(text).games
    lines = text.splitlines()
    found = [(f.rule, lines[f.span.line - 1]) for f in game.findings if f.rule != "unrecorded"]
    return game, found


def test_a_note_names_the_two_and_reading_goes_on() -> None:
    game, found = judged(log("play Hunter; play Craftsman; buy Farmer for food", "play Hunter"))
    assert game.verdict is Verdict.LEGAL
    assert found == [("either-meant", "play Craftsman")]
    (note,) = [finding for finding in game.findings if finding.rule == "either-meant"]
    assert note.severity is Severity.NOTE
    assert "Craftsman(wood) or Craftsman(stone)" in note.message


@pytest.mark.parametrize("developed", ["Writing with wood", "Masonry with stone"])
def test_what_follows_decides(developed: str) -> None:
    game, _ = judged(log(f"play Craftsman; develop {developed}"))
    assert game.verdict is Verdict.LEGAL


def test_where_neither_fits_it_is_an_error() -> None:
    game, found = judged(log("play Craftsman; buy Farmer for food; play Hunter"))
    assert game.verdict is Verdict.ILLEGAL
    assert found[0] == ("either-meant", "play Craftsman")
    assert found[1] == ("payment-lacking", "buy Farmer for food")


def test_of_two_in_a_hand_each_is_used_once() -> None:
    game, _ = judged(log("play Craftsman; end => Craftsman(wood), 4 ?"))
    assert game.verdict is Verdict.LEGAL
    game, found = judged(log("play Craftsman; play Craftsman; develop Masonry with wood"))
    assert game.verdict is Verdict.ILLEGAL
    assert found[-1] == ("develop-fit", "develop Masonry with wood")


def test_an_error_elsewhere_is_told_as_such() -> None:
    game, found = judged(log("play Craftsman; play Hunter", "use Philosophy", "play Hunter"))
    assert game.verdict is Verdict.ILLEGAL
    assert found[-1] == ("use-completed", "use Philosophy")


def test_where_both_certainly_lie_there_it_is_an_error() -> None:
    game, found = judged(log("play Craftsman", hand="Craftsman(wood), Craftsman(stone), 3 Hunter"))
    assert found == [("ambiguous-name", "play Craftsman")]
    drawn = "play Hunter; end => Craftsman(stone), Craftsman(wood), 3 ?"
    game, found = judged(log(drawn, "play Craftsman"))
    assert found == [("ambiguous-name", "play Craftsman")]
    assert game.verdict is Verdict.ILLEGAL


def test_where_both_lie_in_hand_or_archive_it_is_an_error() -> None:
    """The one that was archived may be either, and the other has come into the hand unseen.

    With four Hunters played and one Craftsman archived, the other five cards of ten come.
    """
    hunters = "; ".join(["play Hunter"] * 4)
    last = "use Engineering trashing Craftsman"
    text = played("  Ann: completed Writing\n", f"{hunters}; use Writing archiving Craftsman", last)
    game, found = judged(text)
    # Nothing depends yet on which is archived; which is trashed has to be said.
    assert found == [("ambiguous-name", last)]
    assert game.verdict is Verdict.ILLEGAL


def test_with_too_many_ways_it_is_left_undecided() -> None:
    game, found = judged(log(*["play Craftsman"] * 60, "develop Writing with metal"))
    assert game.verdict is Verdict.NOT_JUDGED
    assert found == [("undecided", "play Craftsman")]


def test_a_game_is_opened_as_it_fits() -> None:
    text = log("play Craftsman; develop Masonry with stone; end").removesuffix("turn 1 Bob\nend\n")
    assert open_game(text).errors == 0


def test_what_fits_is_filled_in() -> None:
    filled = fill_any(log("play Craftsman; develop Masonry with stone"))
    assert "play Craftsman(stone)" in filled

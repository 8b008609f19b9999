"""What `altay fill` writes for what was not recorded, the first hands of a setup included."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from altay_cli.base.findings import ImpossibleError, Severity, Verdict
from altay_cli.checking.check import FileReport, check_text
from altay_cli.checking.filling import fill, fill_any, legal_part
from attack.masked import GAMES, WAYS, masked, wrongly_filled

SETUP = """\
[Game "altay"]
setup
  seat Lena as Firefolk
  seat Paul as Elvenfolk
  marker 1 on F2, F3, F5, F6, W2, W3, W5, W6, H2, H3
  marker 2 food on H5; marker 2 wood on H6
  marker 3 wood on M3; marker 3 metal on M4, M5
  reveal Writing, Engineering, Mathematics, Leadership, Government, Commerce, Ark, Academy, Colossus
  Paul: settle F5; Lena: settle F2
  Lena: secret Highways; Paul: secret Aqueducts
"""
TURNS = """
turn 1 Lena
  attack W2 from F2 with 2 Warrior
  play 2 Hunter
  buy Miner
  end
turn 1 Paul
  play Hunter
"""


def errors(text: str, *, complete: bool = False) -> list[str]:
    """Return the errors of a log."""
    (game,) = check_text(text, complete=complete).games
    return [found.message for found in game.findings if found.severity is Severity.ERROR]


@pytest.mark.parametrize(
    "hands", ["", "  Lena: draw 5 ?\n  Paul: draw 5 ?\n", "  Paul: draw 5 ?\n"]
)
def test_first_hands_that_nobody_recorded_are_written_into_the_setup(hands: str) -> None:
    """Lena's 3 Hunter, Shaman, 2 Village and 4 Warrior: five of them first, the rest after that.

    She used four of the five. One more was in the first hand, so that one Village and one Warrior
    at least came with the second.
    """
    filled = fill(SETUP + hands + TURNS)
    assert "\n  Lena: draw 2 Warrior, 2 Hunter, ?\n" in filled
    assert "\n  Paul: draw Hunter, 4 ?\n" in filled
    second = filled.partition("end => ")[2].partition("\n")[0]
    assert sorted(second.split(", ")) == ["3 ?", "Village", "Warrior"]
    assert errors(filled) == []
    whole = fill_any(SETUP + hands + TURNS)
    assert "?" not in whole
    assert errors(whole, complete=True) == []


def test_of_hands_of_which_nothing_is_known_no_line_is_written() -> None:
    assert fill(SETUP) == SETUP
    whole = fill_any(SETUP.rstrip("\n"))
    assert whole.count(": draw ") == 2
    assert errors(whole, complete=True) == []


def test_a_line_that_was_written_stays_where_another_game_lacks_the_same() -> None:
    log = SETUP + "  Lena: draw 5 ?\n  Paul: draw 5 ?\n\n" + SETUP
    assert fill(log) == log
    assert fill(log + TURNS).startswith(log)


def test_a_card_that_is_one_of_many_is_written_by_its_name() -> None:
    """A secret wonder is one of a dozen or more."""
    log = """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Elvenfolk
  Ann: secret ?
turn 1 Ann
"""
    whole = fill_any(log)
    assert "?" not in whole
    assert errors(whole) == []


def test_hands_are_written_into_logs_with_any_line_ends() -> None:
    filled = fill((SETUP + TURNS).replace("\n", "\r"))
    assert filled.replace("\r", "\n") == fill(SETUP + TURNS)


def test_what_is_dealt_in_another_game() -> None:
    text = '[Game "innovation"]\nsetup\n  seat Ann\n  seat Bob\n  Ann: meld Oars\n'
    text += "  Bob: meld Archery\nturn 1 Bob\n  meld Pottery\n"
    whole = fill_any(text)
    assert "  Bob: draw Pottery, Archery" in whole or "  Bob: draw Archery, Pottery" in whole
    assert errors(whole, complete=True) == []


@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_passes_and_is_what_came(way: str) -> None:
    """The first two rounds; attack/masked.py does so with whole games."""
    text = (GAMES / "two-players.agn").read_text(encoding="utf-8").partition("turn 3 ")[0]
    assert wrongly_filled(text, masked(text, way, Random(way))) is None


TRASHED = """
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Elvenfolk
  Ann: completed Engineering, Writing
  Ann: deck Cavalry, Cavalry(1), 4 Hunter
  Bob: deck 3 Hunter, Village
  Ann: settlements F1
  Bob: settlements F5
  vp M1, M2, M4
turn 5 Ann
  use Engineering trashing Cavalry
  end
result
  Ann: cards 0
"""
"""The hand holds five of six cards. Only if the copy without a point is the one left in the deck does
the title mean the one with a point: one hand in six."""


@pytest.mark.parametrize("seed", range(6))
def test_a_course_that_few_hands_allow_is_found_where_a_claim_asks_for_it(seed: int) -> None:
    filled = fill_any(TRASHED, seed=seed)
    assert "trashing Cavalry(1)" in filled


def test_what_is_judged_and_cannot_be_followed_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """To follow all that may have happened can take too many steps where judging does not."""

    def check(text: str, *, watch: Any = None, **how: Any) -> FileReport:
        report = check_text(text, watch=watch, **how)
        if watch is not None:
            report.games[0].settled = Verdict.NOT_JUDGED
        return report

    monkeypatch.setattr("altay_cli.checking.filling.check_text", check)
    for filled in (fill, fill_any):
        with pytest.raises(ImpossibleError, match="too many unrecorded moves are possible"):
            filled(SETUP + TURNS)


WRONG = TURNS.replace("  buy Miner\n", "  buy Miner\n  buy Miner\n")


def test_a_game_with_an_error_is_filled_up_to_it() -> None:
    """A second Miner in one turn; what Lena drew before that is written, what follows is not."""
    part = legal_part(SETUP + WRONG)
    filled = part.completed(fill(part.text))
    line = (SETUP + WRONG).split("\n").index("  buy Miner") + 2
    assert part.lines == [line]
    assert "\n  Lena: draw 2 Warrior, 2 Hunter, ?\n" in filled
    assert filled.endswith(WRONG.partition("buy Miner\n")[2])
    assert errors(filled) == errors(SETUP + WRONG)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_each_game_of_a_log_is_filled_up_to_its_own_error(end: str) -> None:
    texts = [SETUP + WRONG, SETUP + TURNS, SETUP.replace("seat Paul", "seet Paul") + TURNS]
    part = legal_part("".join(texts).replace("\n", end))
    filled = part.completed(fill(part.text)).replace(end, "\n")
    assert filled.count("\n  Lena: draw 2 Warrior, 2 Hunter, ?\n") == 2
    assert filled.endswith(texts[2])
    assert len(part.lines) == 2


def test_a_legal_log_is_no_part_of_itself() -> None:
    assert legal_part(SETUP + TURNS) == (SETUP + TURNS, {}, [], [])


def test_a_log_whose_beginning_is_wrong_cannot_be_filled() -> None:
    with pytest.raises(ImpossibleError, match="the log is illegal"):
        legal_part('[Game "altay"]\n[Map "moon"]\n' + SETUP.partition("\n")[2])

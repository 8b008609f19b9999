"""What tags are meant to say is found, and what is near a tag that counts is a warning."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.checking.fixing import applied

POSITION = "position\n  Ann: faction Firefolk\n  Bob: faction Elvenfolk\n"


@pytest.mark.parametrize(
    ("title", "rest"),
    [
        ("Altay: Dawn of Civilization", POSITION),
        ("altay: dawn of  civilization", POSITION),
        ("Nine Men’s Morris", "setup\n  seat Ann\n  seat Bob\nturn 1 Ann\n  place a7\n"),
        ("Tic-Tac-Toe", "setup\n  seat Ann\n  seat Bob\nturn 1 Ann\n  mark b2\n"),
    ],
)
def test_a_game_is_found_by_its_title(title: str, rest: str) -> None:
    (game,) = check_text(f'[Game "{title}"]\n{rest}').games
    assert (game.legal, [one.rule for one in game.findings]) == (True, [])


@pytest.mark.parametrize("written", ["Altay: Dawn", "Dawn of Civilization", "title", ""])
def test_a_part_of_a_title_is_no_game(written: str) -> None:
    (game,) = check_text(f'[Game "{written}"]\n{POSITION}').games
    assert [one.rule for one in game.findings] == ["unknown-pack"]


def test_a_tag_near_one_that_counts_is_a_warning() -> None:
    log = f'[Game "altay"]\n[Varient "trading"]\n{POSITION}'
    (game,) = check_text(log).games
    (warning,) = game.findings
    assert (game.legal, warning.severity) == (True, Severity.WARNING)
    assert warning.help == ("did you mean `Variant`?",)
    assert not warning.fixes[0].certain  # the game would be another one
    assert '[Variant "trading"]\n' in applied(log, warning.fixes)


def test_a_tag_near_one_that_is_only_kept_is_a_note() -> None:
    (game,) = check_text(f'[Game "altay"]\n[Evnt "Tuesday"]\n{POSITION}').games
    assert [one.severity for one in game.findings] == [Severity.NOTE]

"""Names match however they are typed, and one that nobody has is told once."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.findings import Finding, Severity
from altay_cli.checking.check import check_text

SETUP = (Path(__file__).parent / "setup.agn").read_text(encoding="utf-8")


def found(text: str) -> list[Finding]:
    (game,) = check_text(text).games
    return [one for one in game.findings if one.severity is not Severity.NOTE]


@pytest.mark.parametrize(
    ("seated", "typed"),
    [
        ("Zoë", "Zoe"),
        ("Zoe", "Zoë"),
        ("O’Neil", "O'Neil"),
        ('"Oma Élise"', "oma elise"),
        ("Ｊｏｅ", "Joe"),
        ("Joe", "ＪＯＥ"),
    ],
)
def test_players_are_found_by_how_their_names_are_typed(seated: str, typed: str) -> None:
    head, seat, rest = SETUP.partition("  seat Bob as Elvenfolk\n")
    rest = rest.replace("Bob: secret", f"{typed}: secret").replace("turn 1 Bob", f"turn 1 {typed}")
    claims = f"  {typed}: score 2\n"
    log = (head + seat + rest).replace("Bob", seated) + claims
    assert "result" in log and f"turn 1 {typed}" in log
    assert [one.rule for one in found(log)] == ["claim-wrong"]  # the score is another one


def test_players_whose_names_differ_in_accents_only_are_two() -> None:
    log = '[Game "altay"]\nposition\n  Jose: faction Firefolk\n  José: faction Elvenfolk\n'
    assert found(log + "  Jose: hand 3 Hunter\n  José: hand 5 Hunter\n") == []
    assert [one.rule for one in found(log + "  Josè: hand 5 Hunter\n")] == ["unknown-player"]


def test_cards_are_found_by_how_their_names_are_typed() -> None:
    assert SETUP.count("  play Village\n")
    log = SETUP.replace("  buy Farmer\n", "  buy Bäuerin\n").replace("2 Warrior", "2 Krîeger")
    assert log.count("Krîeger") and log.count("Bäuerin")
    assert found(log) == []
    assert found(log.replace("Bäuerin", "bauerin")) == []


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("Farmr", "badly-written"),  # nothing else is near
        ("Formr", "unknown-card"),  # two letters
        ("Town", None),
        ("Twon", "unknown-card"),  # so short a word may be anything
    ],
)
def test_one_letter_wrong_is_a_warning(written: str, rule: str | None) -> None:
    told = found(f'[Game "altay"]\nposition\n  Ann: faction Firefolk\n  Bob: faction Elvenfolk\n'
                 f"  Ann: deck Farmer, Town\n  Ann: hand {written}\n")  # fmt: skip
    assert [one.rule for one in told] == ([rule] if rule else [])
    assert all(one.fixes[0].certain is (rule == "badly-written") for one in told)


def test_of_two_names_of_one_thing_that_of_the_rules_is_meant() -> None:
    """The German name of the Amphitheatre is as near: `Amphitheater`."""
    (told,) = found(SETUP.replace("secret Highways", "secret Amphitheate"))
    assert "`Ann: secret Amphitheatre`" in str(told.message)


@pytest.mark.parametrize(
    "written", ["secret food on H2, H6", "Highways on H2, H6", "wood n H2, H6"]
)
def test_a_marker_without_its_value_is_one_error(written: str) -> None:
    """It is nothing that nobody recorded: that is `marker ?`."""
    line = "  marker 1 on F2, F5, W3, H2, H6\n"
    assert line in SETUP
    log = SETUP.replace(line, f"  marker 1 on F2, F5, W3\n  marker {written}\n")
    (told,) = found(log)
    assert told.rule == "malformed-statement"
    assert [str(one) for one in told.help] == [
        "it is written: marker <value> [<resource>] on <where>",
        "it is written: marker ?",
    ]


def test_an_unknown_faction_lists_those_that_are_left() -> None:
    log = SETUP.replace("seat Bob as Elvenfolk", "seat Bob as Elves\n  seat Cleo as Earthfolk")
    told = next(one for one in found(log) if one.rule == "unknown-faction")
    assert told.help == ("possible here: Elvenfolk, Smallfolk",)
    # Who has a seat is known all the same: nobody is told that there is no Bob.
    assert "unknown-player" not in {one.rule for one in found(log)}

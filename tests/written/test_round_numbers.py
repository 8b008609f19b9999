"""Numbers of rounds that are missing, or count turns, are inferred: one warning, and one fix."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import Verdict, check_text
from altay_cli.checking.fixing import applied
from altay_cli.repair import limits

GAMES = Path(__file__).parents[2] / "games"
HEADING = re.compile(r"^turn \d+ (\w+)", re.MULTILINE)


def games() -> dict[str, str]:
    """Return whole games of two, three and four players."""
    names = ("two-players", "three-players", "four-players")
    return {name: (GAMES / f"{name}.agn").read_text(encoding="utf-8") for name in names}


@pytest.mark.parametrize("name", games())
def test_missing_numbers_are_inferred(name: str) -> None:
    original = games()[name]
    assert_one_warning(
        HEADING.sub(r"turn \1", original), original, "number of the round is missing"
    )


@pytest.mark.parametrize("name", games())
def test_turns_numbered_one_by_one_are_one_warning(name: str) -> None:
    original, number = games()[name], count(1)
    log = HEADING.sub(lambda heading: f"turn {next(number)} {heading[1]}", original)
    assert_one_warning(log, original, "a number counts rounds")


def assert_one_warning(log: str, original: str, told: str) -> None:
    (game,) = check_text(log).games
    (warning,) = game.findings
    assert (warning.rule, warning.severity) == ("badly-written", Severity.WARNING)
    assert told in warning.message
    assert game.verdict is Verdict.LEGAL
    assert applied(log, [warning.fixes[0]]) == original


def test_one_missing_number_among_others() -> None:
    original = games()["three-players"]
    first, second = list(HEADING.finditer(original))[7:9]
    log = original[: second.start()] + f"turn {second[1]}" + original[second.end() :]
    assert_one_warning(log, original, "number of the round is missing")
    assert first[1] != second[1]


def test_one_wrong_number_is_no_other_way_to_count() -> None:
    original = games()["two-players"]
    third = list(HEADING.finditer(original))[2]
    log = original[: third.start()] + f"turn 7 {third[1]}" + original[third.end() :]
    (game,) = check_text(log).games
    assert [one.rule for one in game.findings] == ["round-number"]


def test_the_first_error_behind_such_headings_is_where_it_was() -> None:
    lines = HEADING.sub(r"turn \1", games()["two-players"]).split("\n")
    at = next(n for n, line in enumerate(lines) if line.strip().startswith("end") and n > 60)
    lines.insert(at, "  buy Farmer for wood, wood, wood, wood, wood, wood, wood, wood")
    (game,) = check_text("\n".join(lines)).games
    warning, *errors = game.findings
    assert warning.rule == "badly-written"
    assert [one.span.line for one in errors] == [at + 1]


def test_few_headings_are_no_other_way_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    original, number = games()["two-players"], count(1)
    log = HEADING.sub(lambda heading: f"turn {next(number)} {heading[1]}", original)
    monkeypatch.setattr(limits, "LEAST_TURNS", 1_000)
    (game,) = check_text(log).games
    assert game.verdict is Verdict.ILLEGAL

"""Names of players that nobody can tell apart get a warning, and what is invisible is shown."""

from __future__ import annotations

import pytest

from altay_cli.checking.check import check_text
from altay_cli.report.json import dump
from altay_cli.report.text import visible

POSITION = '[Game "altay"]\nposition\n  "{}": faction Firefolk\n  "{}": faction Elvenfolk\n'

INVISIBLE = "\u3164\uffa0\u2800\ufe0f\U000e0100\u034f\u17b4\u200b"


def warned(one: str, other: str) -> list[tuple[str, int]]:
    (game,) = check_text(POSITION.format(one, other)).games
    return [(f.rule, f.span.line) for f in game.findings if f.rule == "look-alike"]


@pytest.mark.parametrize("char", INVISIBLE)
def test_what_differs_in_nothing_that_can_be_seen(char: str) -> None:
    assert warned("Bob", f"Bo{char}b") == [("look-alike", 4)]


@pytest.mark.parametrize(
    ("one", "other"), [("Bob", "Ｂｏｂ"), ("Zoe1", "Zoe¹"), ("Ann-Li", "Ann‐Li")]
)
def test_forms_of_the_same_letters(one: str, other: str) -> None:
    expected = [] if "‐" in other else [("look-alike", 4)]  # a hyphen of its own
    assert warned(one, other) == expected


@pytest.mark.parametrize(("one", "other"), [("Bob", "Rob"), ("Jose", "José"), ("はな", "ばな")])
def test_names_that_differ(one: str, other: str) -> None:
    assert warned(one, other) == []


@pytest.mark.parametrize("char", INVISIBLE)
def test_what_is_invisible_is_shown(char: str) -> None:
    assert visible(f"Bo{char}b") == "Bo\N{REPLACEMENT CHARACTER}b"
    assert char not in dump(f"Bo{char}b")

"""The games that ship, in German and Japanese: every text and every name is there."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.compile.building import read_tree
from tests.languages.said import VALUES, about_variant, assert_distinct, expressions, texts_of
from tests.languages.warned import warn_untranslated

RULES = data_folder("rules")
GAMES = sorted(
    path.parent.name for path in RULES.glob("*/game.yaml") if path.parent.name != "altay"
)
OTHERS = ("de", "ja")


@cache
def data(game: str, variant: Path | None = None) -> dict[str, Any]:
    found = read_tree(RULES / game, [variant] if variant else [])
    assert not found.problems
    return found.data


def variants(game: str) -> list[Path]:
    return sorted((RULES / game / "variants").glob("*.yaml"))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_text_is_there(game: str, language: str) -> None:
    said = texts_of(data(game)).union(
        *(texts_of(data(game, one)) | about_variant(one) for one in variants(game))
    )
    there = data(game)["texts"][language]
    # What there is of values that are shown as such, the rules of this game may never show.
    warn_untranslated(language, said - set(VALUES) - set(there))
    assert {text for text in there if not expressions(there[text]) <= expressions(text)} == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_what_has_a_name_has_one_in_every_language(game: str, language: str) -> None:
    names = data(game).get("names", {})
    for kind, table in names.get("en", {}).items():
        assert set(table) == set(names[language][kind]), kind


@pytest.mark.parametrize("game", GAMES)
def test_no_name_stands_for_two_things(game: str) -> None:
    assert_distinct(data(game).get("names", {}))


LOG = """\
[Game "chess"]
setup
  seat Ann; seat Bob
turn 1 Ann
  move e2 to e5
"""


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "the pawn on e2 cannot go to e5"),
        ("de", "Bauer auf e2 kann nicht nach e5 ziehen"),
        ("ja", "e2のポーンはe5に動けません"),
    ],
)
def test_a_message_in_each_language(language: str, told: str) -> None:
    (game,) = check_text(LOG, language=language).games
    assert [finding.message for finding in game.findings] == [told]


def test_names_can_be_written_in_any_language() -> None:
    log = LOG.replace(
        "setup\n  seat Ann; seat Bob",
        "position\n  seat Ann; seat Bob\n  Ann: has König on e1\n"
        "  Bob: has キング on e8\n  Ann: has Bauer on b7",
    ).replace("move e2 to e5", "move b7 to b8 as クイーン")
    (game,) = check_text(log).games
    assert game.findings == []

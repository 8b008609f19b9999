"""The schema of variants of a game in one file, which editors use offline."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from altay_cli.base.resources import data_folder
from altay_cli.compile.building import read_tree
from altay_cli.report.json import dump
from altay_cli.source.bundle import bundle
from altay_cli.source.folder import walk
from altay_cli.source.yaml_reader import read_yaml
from tests.rules_check.test_sense import SENSIBLE

RULES = data_folder("rules") / "altay"
BROKEN = Path(__file__).parents[1] / "rules_check" / "broken"


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    return bundle(read_tree(RULES, ()))


def refused(*changes: Any) -> list[str]:
    data = {"variant": "a", "extends": "altay", "title": "A", "change": list(changes)}
    return [error.message for error in Draft202012Validator(schema()).iter_errors(data)]


def test_it_is_a_schema_and_refers_to_nothing_outside() -> None:
    Draft202012Validator.check_schema(schema())
    references = {value for path, value in walk(schema()) if path[-1:] == ("$ref",)}
    assert {reference[:2] for reference in references} == {"#/"}


def is_valid(path: Path) -> bool:
    document, _ = read_yaml(path.read_text(encoding="utf-8"), path.name)
    assert document is not None
    return bool(Draft202012Validator(schema()).is_valid(document.data))


def test_paths_are_completed_by_names() -> None:
    offered = [
        value
        for path, value in walk(schema()["$defs"])
        if path[-1:] == ("const",) or path[-2:-1] == ("enum",)
        if isinstance(value, str) and value.startswith("procedures.close-turn.does")
    ]
    assert "procedures.close-turn.does.draw-cards" in offered
    assert [text for text in offered if re.search(r"\.[0-9]+(\.|$)", text)] == []


# All of them are; the others take seconds each.
@pytest.mark.parametrize("name", ["druid", "peaceful-start", "trading", "six-card-hand"])
def test_what_ships_is_valid(name: str) -> None:
    assert is_valid(RULES / "variants" / f"{name}.yaml")


# What is wrong with them, a schema can tell: keys, types, forms, and paths that lead nowhere.
@pytest.mark.parametrize(
    "name",
    [
        "misspelled-keys",
        "number-as-text",
        "wrong-types",
        "missing-keys",
        "hits-nothing",
    ],
)
def test_broken_files_are_refused(name: str) -> None:
    assert not is_valid(BROKEN / name / "variant.yaml")


def test_sensible_house_rules_are_valid() -> None:
    assert refused(*(change for row in list(SENSIBLE.values())[::4] for change in row)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"set": "numbers.handsize.value", "to": 6},
        {"set": "numbers.hand_size", "to": 6},
        {"set": "numbers.hand_size.value", "to": "six"},
        {"remove": "moves.buyy"},
        {"extend": "moves.buy.requires", "with": [{"rle": "x"}]},
        {"add": "triggers.x", "to": {"title": "x"}},
        {"set": "entities.title.town.prise", "to": 3},
    ],
)
def test_what_a_schema_can_refuse_is_refused(change: dict[str, Any]) -> None:
    assert refused(change) != []


def test_paths_have_titles() -> None:
    titled = {value["const"]: value["title"] for _, value in walk(schema()) if is_titled(value)}
    assert titled["numbers.hand_size"] == "Cards drawn for a new hand"
    assert titled["moves.buy"] == "Acquire a new action card"


def is_titled(value: Any) -> bool:
    return isinstance(value, dict) and "const" in value and isinstance(value.get("title"), str)


@pytest.mark.parametrize(
    "change",
    [
        # By its number, by its label, and with a key that is not there yet.
        {"set": "moves.buy.requires.0.that", "to": "true"},
        {"set": "moves.buy.requires.bought-twice.that", "to": "true"},
        {"set": "moves.buy.requires.0.severity", "to": "warning"},
        {"remove": "moves.buy.requires.0"},
        {"set": "zones.turn.gifts", "to": {"holds": "int"}},
        # A sentence, with dots in it.
        {"set": "texts.de.Nobody won. It is a draw.", "to": "Niemand gewinnt, es steht gleich."},
        # Sections that the game lacks.
        {"add": "outcome", "to": [{"when": "over", "by": "the end"}]},
        {"extend": "ranking", "with": ["score(me)"]},
        {"set": "teams", "to": "me.faction"},
    ],
)
def test_what_a_variant_can_say_is_valid(change: dict[str, Any]) -> None:
    assert refused(change) == []


@pytest.mark.parametrize(
    "change",
    [
        {"set": "moves.buy.requires.0.severity", "to": "loud"},
        {"set": "moves.buy.requires.0.sverity", "to": "warning"},
        {"add": "outcome", "to": [{"wen": "over"}]},
        {"set": "frame", "to": "turns"},
        {"set": "entities.terrain.forest.cost", "to": ["food"]},
    ],
)
def test_what_a_variant_cannot_say_is_refused(change: dict[str, Any]) -> None:
    assert refused(change) != []


def test_what_stands_in_it_often_is_referred_to() -> None:
    # 30,000 paths, written out one by one for each key that could stand there, were 2.7 MB.
    assert len(dump(schema(), indent=None)) < 850_000

"""A move that is like another one: it takes from it what it does not give."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.resources import pack_folder
from altay_cli.compile.building import read_tree
from tests.variants.test_new_sections import TURN, judged, told, variant

HAGGLE = '{like: buy, title: Haggle for a card, written: "haggle <card> [for <payment>]"}'


def test_a_move_like_another_has_its_requirements_and_effects(tmp_path: Path) -> None:
    variant(tmp_path, "altay", f"  - {{add: moves.haggle, to: {HAGGLE}}}")
    log = TURN.replace("buy Farmer", "haggle Farmer\n  haggle Farmer")
    assert told(judged(tmp_path, log)) == [("bought-twice", 12)]


def test_it_can_be_changed_and_the_other_stays_as_it_is(tmp_path: Path) -> None:
    lazy = '{rule: lazy, that: "round > 9", else: "{me} is lazy"}'
    changes = f"""\
  - {{add: moves.haggle, to: {HAGGLE}}}
  - {{extend: moves.haggle.requires, with: [{lazy}], first: true}}
  - {{remove: moves.buy.requires.bought-twice}}"""
    variant(tmp_path, "altay", changes)
    log = TURN.replace("buy Farmer", "haggle Farmer\n  buy Farmer")
    assert told(judged(tmp_path, log)) == [("lazy", 11)]


@pytest.mark.parametrize(
    ("changes", "rule", "message"),
    [
        (f"  - {{add: moves.haggle, to: {HAGGLE}}}".replace("buy", "by"), "unknown-move", "`by`"),
        (f"  - {{set: moves.buy, to: {HAGGLE}}}", "endless", "the move `buy` is like itself"),
        (f"  - {{add: moves.haggle, to: {HAGGLE}}}".replace("buy", "[]"), "schema-type", "text"),
    ],
)
def test_a_move_like_none(changes: str, rule: str, message: str, tmp_path: Path) -> None:
    tree = read_tree(pack_folder("altay"), (variant(tmp_path, "altay", changes),))
    (problem,) = tree.problems
    assert problem.rule == rule
    assert message in problem.message

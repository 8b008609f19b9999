"""The lines that derive a score: what was counted, and what is left out as it counts nothing."""

from __future__ import annotations

import pytest

from altay_cli.scoring.score import Line
from altay_cli.values import Entity
from tests.scoring.positions import STARTING, standing


def lines(position: str, category: str, tags: str = "") -> dict[str, Line]:
    """Return the lines of one of Ann's categories, by what they say."""
    scored = standing(position, tags)
    (found,) = [score for score in scored.of("Ann").categories if score.category.id == category]
    return {scored.words.say(line.what): line for line in found.lines}


def counted_ids(line: Line) -> list[str]:
    """Return the ids of what a line counts."""
    return [thing.id for thing in line.counted if isinstance(thing, Entity)]


def test_cards_without_points_have_no_line() -> None:
    found = lines(f"Ann: deck {STARTING['Firefolk']}, 2 Farmer, Merchant(1)\n", "cards")
    assert {what: line.points for what, line in found.items()} == {"Merchant(1)": 1}


@pytest.mark.parametrize(("tags", "category"), [("", "wonders"), ('[Edition "de"]', "goals")])
def test_the_things_that_a_wonder_counts_are_listed(tags: str, category: str) -> None:
    # The Ark counts territories with exactly one settlement; a technology counts nothing.
    position = "Ann: completed Writing, Commerce, Ark\nAnn: settlements 2 F2, W2, H2\n"
    found = lines(position, category, tags)
    assert counted_ids(found["Ark"]) == ["W2", "H2"]
    if tags:
        assert found["Writing"].counted == found["Commerce"].counted == ()

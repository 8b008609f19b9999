"""The lines that derive a score: what was counted, and what is left out as it counts nothing."""

from __future__ import annotations

import pytest

from altay_cli.scoring.score import ScoreLine
from tests.scoring.positions import STARTING, standing


def lines(position: str, category: str, tags: str = "") -> tuple[ScoreLine, ...]:
    """Return the lines of one of Ann's categories."""
    (found,) = [
        score
        for score in standing(position, tags).of("Ann").categories
        if score.category.id == category
    ]
    return found.lines


def test_cards_without_points_have_no_line() -> None:
    found = lines(f"Ann: deck {STARTING['Firefolk']}, 2 Farmer, Merchant(1)\n", "cards")
    assert [(line.text, line.points) for line in found] == [("Merchant(1)", 1)]


@pytest.mark.parametrize(("tags", "category"), [("", "wonders"), ('[Edition "de"]', "goals")])
def test_the_things_that_a_wonder_counts_are_listed(tags: str, category: str) -> None:
    # The Ark counts territories with exactly one settlement; a technology counts nothing.
    position = "Ann: completed Writing, Commerce, Ark\nAnn: settlements 2 F2, W2, H2\n"
    found = {line.text: line for line in lines(position, category, tags)}
    assert found["Ark"].counted == ("W2", "H2")
    if tags:
        assert found["Writing"].counted == found["Commerce"].counted == ()

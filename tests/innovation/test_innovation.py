"""Innovation: logs of whole tables and of single cards, each with the findings that it announces."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.pack.load import load_pack
from altay_cli.resources import data_folder
from altay_cli.rulecheck.examine import examine
from tests.logs import verify

HERE = Path(__file__).parent
LOGS = sorted(HERE.rglob("*.agn"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: str(path.relative_to(HERE)))
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


def test_the_rules_make_sense() -> None:
    found = examine(data_folder("rules") / "innovation", [])
    assert [p.message for p in found if p.severity == "error"] == []


def test_there_are_all_cards() -> None:
    cards = load_pack("innovation").entities["card"]
    # Fifteen cards of age 1, three of each colour; ten of every other age, two of each.
    counts = {(c.f["age"], c.f["colour"].id): 0 for c in cards}
    for card in cards:
        counts[card.f["age"], card.f["colour"].id] += 1
    assert len(cards) == 105
    assert len(counts) == 50
    assert all(n == (3 if age == 1 else 2) for (age, _), n in counts.items())
    # One place of each card is its hexagon; what is featured is one of the other three.
    for card in cards:
        icons = [icon.id for icon in card.f["icons"]]
        assert icons.count("hexagon") == 1
        assert card.f["featured"].id in icons
        assert card.f["featured"].id != "hexagon"

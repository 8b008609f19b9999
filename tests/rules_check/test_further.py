"""Several mistakes in one file that only games show: each is reported at its own line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from altay_cli.cli.main import main
from attack.house_rules import HouseRule, check

ROUNDS = {
    "add": "categories.rounds",
    "to": {"title": "Rounds", "parts": [{"points": "round", "show": "{round} rounds"}]},
}
# Only thirteen prizes can be won.
PLENTY = {
    "add": "categories.plenty",
    "to": {"title": "Plenty", "parts": [{"points": "me.won.size() > 20 ? 3 : 0", "show": "won"}]},
}
ENOUGH = {
    "extend": "moves.bid.requires",
    "with": [{"rule": "few-won", "that": "me.won.size() <= 30", "else": "{me} has won enough"}],
}
# All players bid for each prize, so all have as much fame. Without the category, bids give fame
# for nothing.
FAME = [
    {"add": "zones.fame", "to": {"per": ["player"], "holds": "int", "title": "fame"}},
    {"extend": "moves.bid.does", "with": [{"add": {"me.fame": 1}}]},
    {
        "add": "categories.fame",
        "to": {"title": "Fame", "parts": [{"points": "me.fame", "show": "fame"}]},
    },
]
LONGER = {"set": "title", "to": "A longer game"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        # Line 5 has the first change.
        ([LONGER, ROUNDS, PLENTY], ["play-same-for-all: 6", "play-worthless: 7"]),
        (FAME, ["play-same-for-all: 7"]),
        ([*FAME, PLENTY], ["play-same-for-all: 7", "play-worthless: 8"]),
        (
            [PLENTY, ENOUGH, ROUNDS],
            ["play-no-effect: 6", "play-same-for-all: 7", "play-worthless: 5"],
        ),
    ],
)
def test_each_cause_is_found_in_one_run(
    changes: list[object], found: list[str], tmp_path: Path
) -> None:
    row = HouseRule("several", "goofspiel", "goofspiel", changes, sensible=False)
    (problems,) = check([row], tmp_path, games=20)
    parts = [problem.replace("several.yaml:", "").split(": ") for problem in problems.playing]
    assert sorted(f"{rule}: {line}" for rule, line, *_ in parts) == found


@pytest.mark.slow
def test_a_variant_that_ships_is_played_too() -> None:
    result = CliRunner().invoke(main, ["rules", "check", "longest-capture", "--play", "2"])
    assert result.exit_code == 0
    assert "It can be played" in result.output

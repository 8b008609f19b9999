"""What is found out about one game is used for others that are alike, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from altay_cli.checking.check import CheckSettings, check_games
from altay_cli.checking.tags import forget_rules
from altay_cli.match.match import Match
from altay_cli.notation.tree import GameRecord

SEATS = """\
[Game "altay"]
setup
  seat Ann as Firefolk
  seat Bob as Elvenfolk
  seat Cid as Earthfolk
  seat Dan as Smallfolk
turn 1 Ann
"""
SLIP = """\
[Game "nim"]
setup
  seat Ann
  seat Bob
  heap A of 3
turn 1 Ann
  tkae 2 from A
turn 1 Bob
  take 1 from A
result
  winner Bob
"""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Load the rules anew, so that nothing was found out before."""
    forget_rules()
    yield
    forget_rules()


@pytest.mark.parametrize("game", [SEATS, SLIP])
def test_a_game_has_the_same_findings_and_the_same_budget_the_second_time(game: str) -> None:
    left: list[tuple[int, int]] = []
    matches: list[Match] = []

    def watch(_record: GameRecord, match: Match) -> None:
        matches.append(match)

    found = []
    for _ in range(3):
        (report,) = check_games(game, CheckSettings(watch=watch)).games
        found.append([finding.to_dict() for finding in report.findings])
        account = matches[-1].state.account
        assert account is not None
        left.append((account.available, account.trial_steps))
    assert len(found[0]) > 0
    assert found[0] == found[1] == found[2]
    assert left[0] == left[1] == left[2]

"""Games that nobody plays, too few or too many: that is told, and nothing that the rules cannot work out."""

from __future__ import annotations

import pytest

from altay_cli.checking.check import check_text
from altay_cli.compile.load import pack_names

FEW = {
    "no-setup": "turn 1 Ann\n",
    "setup": "setup\n",
    "position": "position\nturn 1 Ann\n",
    "stranger": "setup\n  seat Ann\n  Zork: seat Bob\nturn 1 Ann\n",
    "stranger-in-position": "position\n  seat Ann\n  Zork: seat Bob\nturn 1 Ann\n",
    "late": "setup\n  seat Ann\nturn 1 Ann\n  seat Bob\nturn 1 Bob\n",
    "many": "setup\n" + "".join(f"  seat P{n}\n" for n in range(9)) + "turn 1 P1\nturn 1 P8\n",
    "many-in-position": "position\n" + "".join(f"  seat P{n}\n" for n in range(9)) + "turn 1 P8\n",
    "alone": "setup\n  seat Ann\nturn 1 Ann\nresult\n  Ann: score 1\n  winner Ann\n",
}
FAULTS = {"rule-failure", "rule-budget", "score-failure", "rules"}


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("game", pack_names())
def test_rules_do_not_fail_where_players_are_missing(game: str, name: str) -> None:
    (report,) = check_text(f'[Game "{game}"]\n{FEW[name]}').games
    assert not report.legal
    assert not FAULTS & {finding.rule for finding in report.findings}


def test_a_square_passed_over_before_anybody_is_seated() -> None:
    (report,) = check_text('[Game "chess"]\nposition\n  passing e6\n').games
    assert not FAULTS & {finding.rule for finding in report.findings}

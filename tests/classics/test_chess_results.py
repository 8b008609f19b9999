"""Games of chess that end beside the board."""

from __future__ import annotations

import pytest

from altay_cli import open_game
from altay_cli.checking import check_text

OPENING = '[Game "chess"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n  move e2 to e4\n'


def rules(end: str) -> list[str]:
    (game,) = check_text(OPENING + end).games
    return [found.rule for found in game.findings]


@pytest.mark.parametrize(("end", "winner"), [("resign", "Ann"), ("Ann: resign", "Bob")])
def test_who_resigns_loses(end: str, winner: str) -> None:
    loser = "Bob" if winner == "Ann" else "Ann"
    assert rules(f"  {end}\nresult\n  winner {winner}\n") == []
    assert rules(f"  {end}\nresult\n  winner {loser}\n") == ["claim-winner"]


def test_nothing_follows_a_resignation() -> None:
    assert rules("  resign\n  move e7 to e5\n") == ["game-over"]


def test_resigning_is_no_move_on_the_board() -> None:
    assert len(open_game(OPENING).legal_moves()) == 20

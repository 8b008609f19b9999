"""Go fish as one player saw it is judged to its end, and as by a second judge; see attack/seen.py."""

from __future__ import annotations

from random import Random

import pytest

from altay_cli.hidden import limits
from attack.seen import Judge, changed, differs, judged, simulated
from tests.classics.test_gofish import HIDDEN


@pytest.mark.parametrize(
    "players", [5, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3, 4, 6))]
)
def test_games_as_one_player_saw_them_are_judged_to_their_end(players: int) -> None:
    assert [problem for _, problem in judged(players, games=1, seed=1)] == [None]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 5])
def test_changed_games_are_judged_as_by_the_second_judge(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_WORLDS", 1)
    text, random = simulated(players, 1, seed=3), Random(players)
    logs = [changed(text, random) for _ in range(6)]
    assert any(Judge().first_illegal(log) for log in logs)
    assert [differs(log) for log in logs] == [None] * 6


@pytest.mark.parametrize(
    ("moves", "wrong"),
    [
        (["ask Bob for 7", "Bob: give 2 7", "book 7"], None),
        (["ask Bob for 7", "Bob: give 7", "book 7"], 2),
        (["ask Bob for A", "Bob: none", "fish => 3", "ask Ann for 2", "Ann: none", "fish"], None),
        # Bob has said that he has none, and Ann has fished no ace.
        (["ask Bob for A", "Bob: none", "fish => 3", "ask Ann for A"], 3),
        (["ask Bob for 9"], 0),
    ],
)
def test_the_second_judge_judges(moves: list[str], wrong: int | None) -> None:
    log = HIDDEN + "".join(f"  {move}\n" for move in moves)
    line = None if wrong is None else HIDDEN.count("\n") + 1 + wrong
    assert Judge().first_illegal(log) == line

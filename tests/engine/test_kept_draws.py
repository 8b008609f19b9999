"""Draws that nobody recorded are worked out once for all games in which they are the same.

Whether a game is the first of them or not, it gets the same answer, and is charged the same steps.
"""

from __future__ import annotations

import pytest

from altay_cli.base.budget import Account
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from altay_cli.hidden.draws import _finished_draws
from altay_cli.repair.play import play
from tests.effort import at_most
from tests.engine.table import record

TWO = '[Game "altay"]\nsetup\n  seat Ann as Firefolk\n  seat Bob as Elvenfolk\n'
FOUR = TWO + "  seat Cem as Earthfolk\n  seat Dora as Smallfolk\n"
RECORDED = (
    "  reveal Writing, Masonry, Strategy, Commerce, Religion, Government, Ark, Colossus, Academy\n"
)

GAMES = {
    "two seats": TWO,
    "four seats": FOUR + "turn 1 Ann\n",
    "two levels of the display": TWO + "  reveal Writing, Masonry, Strategy, Commerce\n",
    "a copy": TWO + "  reveal 2 Masonry\nturn 1 Ann\n  develop Masonry\n",
    "a secret wonder": TWO + "  Ann: secret Ark\nturn 1 Ann\n  develop Ark\n",
    "the display": TWO + RECORDED,
}


PACK = load_pack("altay")


def judged(text: str) -> tuple[list[tuple[object, ...]], int, int]:
    """Return what is found in a game, and what it leaves of an account."""
    account = Account(20_000_000, "this file")
    options = {option.id: option.default for option in PACK.options.values()}
    found = play(PACK, options, record(text), account=account).findings
    return [(*one,) for one in found], account.left, account.trial_steps


@pytest.mark.parametrize("name", GAMES)
def test_a_game_gets_the_same_answer_for_the_same_steps_whichever_games_come_before(
    name: str,
) -> None:
    kept = PACK.cached(_finished_draws)
    kept.clear()
    alone = judged(GAMES[name])
    assert judged(GAMES[name]) == alone
    kept.clear()
    for other in GAMES.values():
        judged(other)
    assert judged(GAMES[name]) == alone


@pytest.mark.parametrize(("name", "calls"), [("two seats", 450_000), ("four seats", 1_500_000)])
def test_games_of_little_more_than_seats_cost_little_each(name: str, calls: int) -> None:
    check_text(GAMES[name])
    with at_most(calls):
        report = check_text("\n".join([GAMES[name]] * 20))
    assert len(report.games) == 20
    assert len({len(game.findings) for game in report.games}) == 1


@pytest.mark.parametrize(("limit", "most"), [("KEPT_DRAWS", 1), ("KEPT_WORLDS", 0)])
def test_few_draws_are_kept(limit: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = PACK.cached(_finished_draws)
    kept.clear()
    expected = judged(GAMES["two seats"])
    assert len(kept) > 1
    kept.clear()
    monkeypatch.setattr(f"altay_cli.hidden.limits.{limit}", most)
    assert judged(GAMES["two seats"]) == expected
    assert len(kept) == most

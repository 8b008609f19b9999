"""What rules do is paid for in steps, of which a statement may take a million."""

from __future__ import annotations

import pytest

from altay_cli.base.budget import Account, Budget
from altay_cli.base.findings import BudgetError
from altay_cli.checking.opening import open_game
from altay_cli.compile.load import link_pack
from tests.small import LOG, Pebbles, compile_folder

FUNCTIONS = """\
functions:
  one: {title: One, takes: {x: int}, gives: int, is: x}
  three: {title: Three, takes: {x: int}, gives: int, is: one(x) + one(x) + one(x)}
"""
DOES = 'does: [{set: {active: "null"}}]'


@pytest.mark.parametrize(
    ("effect", "few", "many"),
    [
        # Ten steps for each time round, and ten for the effect.
        ("{while: me.debt < $, does: [{add: {me.debt: 1}}]}", 40_000, 60_000),
        # Four steps for a call, of which each number needs four.
        ("{set: {me.debt: 'lists.range($).map(n, three(n)).size()'}}", 50_000, 70_000),
    ],
)
def test_what_a_statement_does_is_paid_for(
    pebbles: Pebbles, effect: str, few: int, many: int
) -> None:
    pebbles.add("game.yaml", FUNCTIONS)
    does = DOES
    for number, told in ((few, []), (many, ["rule-budget"])):
        more = DOES.replace("[", f"[{effect.replace('$', str(number))}, ")
        pebbles.change("moves/turns.yaml", does, more)
        assert [finding.rule for finding in pebbles.judge().findings] == told
        does = more


def test_each_thing_that_is_counted_costs_five_steps(pebbles: Pebbles) -> None:
    pebbles.change("scoring.yaml", "points: -me.debt", "points: 7")
    pack = compile_folder(pebbles.folder)
    link_pack(pack)
    count = pack.scorers[1]
    assert count(Budget(5), {}, None) == 7
    with pytest.raises(BudgetError):
        count(Budget(4), {}, None)


def test_each_value_that_is_tried_costs_five_steps(pebbles: Pebbles) -> None:
    """Beside one for what is asked of it, and one for its place in the list."""
    right = "- {rule: right, that: number == round + 1, else: wrong}\n      - {rule: turn-ended"
    pebbles.change("moves/turns.yaml", "- {rule: turn-ended", right)
    costs, numbers = [], "[round + 1]"
    for more in ("lists.range(1000)", "lists.range(2000)"):
        pebbles.change("moves/turns.yaml", f'from: "{numbers}"', f'from: "{more}"')
        numbers, game = more, open_game(LOG)
        game.state.grant()
        game.state.account = Account(40_000, "this game")
        assert len(game.legal_moves()) == 2
        game.state.grant()
        costs.append(40_000 - game.state.account.left)
    assert costs[1] - costs[0] == 1_000 * (5 + 1 + 1)

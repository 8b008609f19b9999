"""What is known of a condition without any game."""

from __future__ import annotations

from functools import lru_cache

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.compile.building import compile_rules, read_tree
from altay_cli.compile.context import Clause, Context
from altay_cli.compile.load import link_pack
from altay_cli.expressions.types import BOOL
from altay_cli.lint.interpreter import Interpreter
from altay_cli.lint.known import FALSE
from altay_cli.pack.model import Expr

CASES: dict[str, bool | None] = {
    # constants
    "true": True,
    "1 > 2": False,
    "numbers.hand_size == 5": True,
    "rulings.combat_tie == 'defender'": False,
    "terrains.forest == terrains.hill": False,
    "territories.exists(t, t.never)": True,
    "territories.size() > 100": False,
    "icons.any.accepts.all(r, r in resources)": True,
    # what a part decides
    "round > 3 || true": True,
    "round > 3 && 1 > 2": False,
    "!(round > 3 && false)": True,
    "players[0].coins > 3 && false": False,
    "1 < 2 ? false : over": False,
    "over ? false : 1 > 2": False,
    "round == round": True,
    f"{' + '.join(['bank'] * 50)} == {' + '.join(['bank'] * 50)}": True,
    f"{' + '.join(['bank'] * 150)} == {' + '.join(['bank'] * 150)}": None,  # too long
    "round != round": False,
    "reserve.size() >= 0": True,
    "reserve.size() < 0": False,
    "0 <= players.size()": True,
    "reserve.size() == -1": False,
    # what depends on the game
    "round > 3": None,
    "over": None,
    "reserve.size() > 0": None,
    "reserve.size() == 2": None,
    "0 < players.size()": None,
    "options.trading == 'on'": None,
    "options.trading in ['on', 'off']": True,
    "in_play(territories.F1)": None,
    "players.all(p, p.coins > 1)": None,
    # what is said of one member, and of another one that is called the same
    "players.exists(p, p.coins > 3 && p.coins < 2)": False,
    "players.exists(p, p.coins > 3 && players.exists(p, p.coins < 2))": None,
    # one of a few values
    "(over ? 'a' : round > 3 ? 'b' : 'c') == 'd'": False,
    # the same written twice, if it is no longer than what people write
    f"{' + '.join(['round'] * 40)} == {' + '.join(['round'] * 40)}": True,
    f"{' + '.join(['round'] * 140)} == {' + '.join(['round'] * 140)}": None,
    # sums, and conditions of which one holds
    "bank > round + 2 && round > bank - 4": None,
    "(bank > round || bank < round) && round > bank": None,
    # a ruling beside the game is a switch of the rules
    "over || rulings.combat_tie == 'nothing'": None,
    # what cannot be evaluated is not known
    "1 / 0 == 1": None,
    "[1].closure(k, k.map(n, n + 1)).size() > 3": None,
}


@lru_cache(maxsize=1)
def judged() -> tuple[Interpreter, dict[str, Expr]]:
    context = Context(read_tree(data_folder("rules") / "altay", ()))
    pack = compile_rules(context)
    status = Clause(context, "", ("status", "ended"), context.env)
    exprs = {text: status.with_data(text).expr(BOOL) for text in CASES}
    assert context.tree.problems == []
    pack.codes.update((expr.key, context.checked[expr.key].code) for expr in exprs.values())
    link_pack(pack)
    return Interpreter(context), exprs


@pytest.mark.parametrize("text", CASES, ids=lambda text: text[:80])
def test_what_is_known(text: str) -> None:
    truth, exprs = judged()
    assert truth.of(exprs[text]) is CASES[text]


def test_a_zone_that_never_becomes_true_is_false() -> None:
    truth, exprs = judged()
    index = truth.c.zone_named["over"].index
    truth.zones[index] = FALSE
    try:
        assert truth.of(exprs["over"]) is False
    finally:
        truth.zones[index] = None


def test_with_switches_a_ruling_counts() -> None:
    truth, exprs = judged()
    assert truth.of(exprs["over || rulings.combat_tie == 'nothing'"], switches=True) is True

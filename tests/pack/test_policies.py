"""The policies that ship: they know every move, and play as their names say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.checking.opening import new_game
from altay_cli.compile.load import load_pack, variant_names
from altay_cli.pack.model import Pack
from altay_cli.simulation.measuring import Side
from altay_cli.simulation.simulated import Playout, PlayPlan, playout

STYLES = ("balanced", "expand", "fight", "wonders")
VARIANTS = data_folder("rules") / "altay" / "variants"


@cache
def pack_of(variant: str) -> Pack:
    return load_pack("altay", [VARIANTS / f"{variant}.yaml"] if variant else [])


@pytest.mark.parametrize("variant", ["", *variant_names("altay")])
def test_every_policy_knows_what_every_move_of_a_turn_is_worth(variant: str) -> None:
    pack = pack_of(variant)
    assert tuple(pack.policies) == STYLES
    # Who has the turn is no choice, and a fallback is never legal.
    moves = {m.id for m in pack.moves if "turns" in m.phases and not m.heading and not m.fallback}
    for policy in pack.policies.values():
        assert moves - set(policy.worth) == set(), policy.id


@pytest.mark.parametrize(("seed", "players", "variant"), [(1, 2, ""), (2, 3, "trading")])
def test_every_worth_can_be_worked_out(seed: int, players: int, variant: str) -> None:
    """A worth that fails would silently count like any other move."""
    tags = (("Variant", variant),) if variant else ()
    game = new_game("altay", ["Ann", "Bob", "Cleo"][:players], seed=seed, tags=tags)
    random = Random(seed)
    met: Counter[str] = Counter()
    for turn in range(260):
        if game.ended:
            break
        moves = game.candidates()
        worths = []
        for move in moves:
            if move.id == "turn":
                continue
            values = []
            for policy in game.pack.policies.values():
                game.state.grant()
                values.append(policy.worth[move.id].fn(game.state, move.values))
            assert all(type(value) is int and -1000 < value < 1000 for value in values)
            met[move.id] += 1
            worths.append((values[turn % len(values)], move))
        best = max((worth for worth, _ in worths), default=0)
        good = [move for worth, move in worths if worth == best]
        game.apply(random.choice(good or moves))
    assert len(met) >= 12


def sides(outcomes: list[Playout], policy: str) -> list[Side]:
    return [side for outcome in outcomes for side in outcome.sides if side.policy == policy]


@pytest.mark.parametrize("style", STYLES)
def test_a_style_beats_chance_and_comes_to_an_end(style: str) -> None:
    plan = PlayPlan("altay", 2, (style, "random"), seed=11)
    outcomes = [playout(plan, number) for number in range(1, 4)]
    assert all(outcome.ended and outcome.rounds <= 40 for outcome in outcomes)
    assert sum(side.share for side in sides(outcomes, style)) == 3


def test_each_style_does_what_its_name_says() -> None:
    """With wide margins: eight games are few."""
    plan = PlayPlan("altay", 4, STYLES, seed=5)
    outcomes = [playout(plan, number) for number in range(1, 9)]
    assert all(outcome.ended and outcome.rounds <= 40 for outcome in outcomes)
    captured = {s: sum(side.numbers["captured"] for side in sides(outcomes, s)) for s in STYLES}
    placed = {s: sum(map(things("placed"), sides(outcomes, s))) for s in STYLES}
    wonders = {s: sum(map(things("wonders"), sides(outcomes, s))) for s in STYLES}
    assert all(3 * captured["fight"] > 4 * captured[s] for s in STYLES if s != "fight"), captured
    assert all(wonders["wonders"] > wonders[s] for s in STYLES if s != "wonders"), wonders
    assert 4 * placed["expand"] > 5 * placed["wonders"], placed
    assert min(wonders, key=lambda s: wonders[s]) == "expand", wonders


def things(measure: str) -> Callable[[Side], int]:
    return lambda side: sum(side.things[measure].values())


def test_a_game_that_takes_too_many_steps_is_given_up_at_once() -> None:
    plan = PlayPlan("altay", 2, ("greedy",), 1, steps=100_000)
    outcome = playout(plan, 1)
    assert (outcome.ended, outcome.end) == (False, "the rules take too many steps")
    # What is begun is finished, a listing of moves or a move; nothing is tried after that.
    assert outcome.moves > 0 and outcome.steps < 200_000
    # It is scored all the same.
    assert [side.total >= 0 for side in outcome.sides] == [True, True]

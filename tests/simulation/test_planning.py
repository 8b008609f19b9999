"""Plans that cannot be played say why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from altay_cli.base.findings import ImpossibleError
from altay_cli.simulation.planning import check_plan, rules_for
from altay_cli.simulation.simulated import PlayPlan

PLAN = PlayPlan("altay", 3, ("expand", "random"), 1)


def refused(plan: PlayPlan) -> str:
    with pytest.raises(ImpossibleError) as caught:
        check_plan(plan, rules_for(plan))
    return str(caught.value)


def test_a_plan_that_can_be_played() -> None:
    plan = replace(PLAN, tags=(("map", "full"), ("Variant", "trading"), ("Site", 'a "table"')))
    pack = rules_for(plan)
    check_plan(plan, pack)
    assert [name for name, _ in pack.variants] == ["trading"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pack": "altai"}, "there are no rules `altai`; did you mean `altay`?"),
        ({"players": 1}, "1 player: the game is for 2 to 4"),
        ({"players": 5}, "5 players: the game is for 2 to 4"),
        ({"policies": ("wonder",)}, "there is no policy `wonder`; did you mean `wonders`?"),
        (
            {"policies": ("x",)},
            "there is no policy `x`; there is: random, greedy, balanced, expand, fight, wonders",
        ),
        # Nim has a policy of its own that is called `greedy`.
        (
            {"pack": "nim", "players": 2, "policies": ("x",)},
            "there is no policy `x`; there is: random, greedy\n",
        ),
        ({"tags": (("Mop", "full"),)}, "the rules know no tag `Mop`; did you mean `Map`?"),
        (
            {"tags": (("Map", "huge"),)},
            "`huge` is not a value of `Map`; possible: recommended, full",
        ),
        (
            {"tags": (("Variant", "tradin"),)},
            "there is no variant `tradin`; did you mean `trading`?",
        ),
        ({"tags": (("Map", "full"), ("Map", "full"))}, "Map"),
        ({"tags": (("Event", "mine"),)}, "the rules know no tag `Event`"),
    ],
)
def test_what_cannot_be_played(change: dict[str, object], said: str) -> None:
    assert said in refused(replace(PLAN, **change)) + "\n"  # type: ignore[arg-type]


def test_variants_that_exclude_each_other() -> None:
    plan = replace(PLAN, tags=(("Variant", "full-map"), ("Variant", "duel-map")))
    assert "`duel-map` cannot be played together with `full-map`" in refused(plan)


def test_a_variant_file_without_its_folder(tmp_path: Path) -> None:
    plan = replace(PLAN, tags=(("Variant", "own.yaml"),))
    assert "own.yaml" in refused(plan)
    assert "own.yaml" in refused(replace(plan, folder=tmp_path))

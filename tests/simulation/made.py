"""Outcomes made by hand, small enough to count them on paper."""

from __future__ import annotations

from functools import cache

from altay_cli.compile.load import load_pack
from altay_cli.pack.model import Pack
from altay_cli.simulation.measuring import Side
from altay_cli.simulation.simulated import Playout, PlayPlan
from altay_cli.simulation.tally import Run, tally

POINTS = ("technologies", "wonders", "cards", "territories", "captured", "conquest")


def side(
    seat: int,
    faction: str,
    policy: str,
    share: float,
    *points: int,
    bought: dict[str, int] | None = None,
    deck: int = 10,
) -> Side:
    """Make a player with points in the first categories, and none in the others."""
    measures = pack().measures.values()
    numbers = [one.id for one in measures if one.number is not None]
    things = [one.id for one in measures if one.group is None and one.number is None]
    scores = dict.fromkeys(POINTS, 0) | dict(zip(POINTS, points, strict=False))
    return Side(
        seat,
        policy,
        sum(points),
        share,
        scores,
        {"faction": faction},
        dict.fromkeys(numbers, 0) | {"deck": deck},
        {thing: {} for thing in things} | {"bought": bought or {}},
    )


def games() -> list[Playout]:
    """Three games that are over, and two that were given up and must count for nothing."""
    return [
        Playout(
            1, True, "the last round", 3, 30, "total",
            [
                side(1, "Earthfolk", "balanced", 1.0, 3, 2, bought={"Farmer": 2, "Town": 1}, deck=13),
                side(2, "Firefolk", "fight", 0.0, 1, 0, 2, bought={"Farmer": 1}, deck=11),
            ],
        ),
        Playout(
            2, True, "the last round", 5, 50, "shared",
            [
                side(1, "Firefolk", "fight", 0.5, 4, 0),
                side(2, "Earthfolk", "balanced", 0.5, 0, 4, bought={"Town": 1}, deck=11),
            ],
        ),
        Playout(
            3, True, "a rout", 4, 40, "technologies",
            [
                side(1, "Earthfolk", "fight", 0.0, 2, 4),
                side(2, "Firefolk", "balanced", 1.0, 6, 0),
            ],
        ),
        Playout(
            4, False, "not over after 9 rounds", 10, 999, "shared",
            [
                side(1, "Smallfolk", "wonders", 1.0, 99, bought={"City": 50}),
                side(2, "Firefolk", "random", 0.0, 99),
            ],
        ),
        Playout(5, False, "the setup fails: no seat"),
    ]  # fmt: skip


@cache
def pack() -> Pack:
    """Return the rules that have the titles of what is counted."""
    return load_pack("altay")


def run(outcomes: list[Playout] | None = None, label: str = "as they are") -> Run:
    """Make a run of outcomes."""
    plan = PlayPlan("altay", 2, ("greedy", "fight"), 7)
    return Run(label, plan, pack(), tally(pack(), games() if outcomes is None else outcomes))

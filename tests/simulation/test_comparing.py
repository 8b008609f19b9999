"""Two tallies side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from altay_cli.simulation.measuring import Side
from altay_cli.simulation.simulated import Playout
from altay_cli.simulation.tally import Contrast, Contrasts, Estimate, compare, proportion, tally
from tests.simulation.made import games, pack, side

BEFORE = tally(pack(), games())


def part(found: list[Contrasts], what: str, of: str = "") -> dict[str, Contrast]:
    (there,) = [p for p in found if p.what == what and p.of == of]
    return {row.id: row for row in there.rows}


def contrast(before: Estimate | None, after: Estimate | None) -> Contrast:
    return Contrast("x", "X", False, (before, after))


def test_the_same_games_do_not_differ() -> None:
    for found in compare(BEFORE, BEFORE):
        for row in found.rows:
            assert row.difference is not None, (found.what, row.id)
            assert row.difference.value == 0
            assert not row.clear


def test_what_ends_games_only_under_one_of_the_rules() -> None:
    after = [replace(game, end="a new end") if game.number == 3 else game for game in games()]
    rows = part(compare(BEFORE, tally(pack(), after)), "endings")
    assert list(rows) == ["the last round", "a rout", "a new end"]
    assert rows["a rout"].values[1] == proportion(0, 5)
    assert rows["a new end"].values[0] == proportion(0, 5)


def test_groups_that_only_one_of_the_rules_has_cannot_be_compared() -> None:
    def renamed(old: Side) -> Side:
        return replace(old, groups={"faction": old.groups["faction"].replace("Fire", "Frost")})

    after = [replace(game, sides=[renamed(s) for s in game.sides]) for game in games()]
    rows = part(compare(BEFORE, tally(pack(), after)), "wins", "faction")
    assert list(rows) == ["Earthfolk", "Firefolk", "Frostfolk"]
    assert rows["Firefolk"].values[1] is None
    assert rows["Firefolk"].difference is None
    assert not rows["Firefolk"].clear
    assert rows["Earthfolk"].difference is not None


def test_what_was_never_counted_was_counted_no_times() -> None:
    after = [
        Playout(
            n, True, "the last round", 3, 30, "total",
            [side(1, "Earthfolk", "fight", 1.0, 9, bought={"City": 2}), side(2, "Firefolk", "fight", 0.0)],
        )
        for n in (1, 2)
    ]  # fmt: skip
    rows = part(compare(BEFORE, tally(pack(), after)), "things", "bought")
    assert list(rows) == ["", "Farmer", "Town", "City"]
    assert rows["City"].values[0] == Estimate(0.0, 0.0, 0.0, 3)
    assert rows["City"].values[1] == Estimate(2.0, 2.0, 2.0, 2)
    assert rows["Town"].values[1] == Estimate(0.0, 0.0, 0.0, 2)


@pytest.mark.parametrize(
    ("after", "clear"),
    [
        # Before: 10, from 7 to 13. The interval of the difference reaches 5 to either side.
        (Estimate(15.1, 11.1, 19.1, 9), True),
        (Estimate(14.9, 10.9, 18.9, 9), False),
        (Estimate(4.9, 0.9, 8.9, 9), True),
        (Estimate(5.1, 1.1, 9.1, 9), False),
        # Nothing is known about how much games differ.
        (Estimate(15.1, 11.1, 19.1, 1), False),
        (None, False),
    ],
)
def test_a_difference_is_clear_where_its_interval_leaves_out_0(
    after: Estimate | None, clear: bool
) -> None:
    assert contrast(Estimate(10.0, 7.0, 13.0, 9), after).clear is clear


def test_rounding_makes_no_difference() -> None:
    one, other = 0.1 + 0.2, 0.3
    assert one != other
    values = [Estimate(value, value, value, 9) for value in (one, other)]
    assert not contrast(*values).clear

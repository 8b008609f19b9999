"""What happens to a belief is paid for by the worlds that come of it, and has an end.

How a world is told apart is the same whether it is cached or not.
"""

from __future__ import annotations

from functools import partial

import pytest

from altay_cli.checking.opening import open_game
from altay_cli.hidden import limits
from altay_cli.hidden.course import Changed, minimum_drawn
from altay_cli.hidden.lots import (
    WIDTH,
    TooManyWorldsError,
    combine,
    draw,
    mix,
    split_zones,
    update,
    world_of,
)
from tests.small import Pebbles

HAND, DECK = 0, WIDTH
FOUR = sum(2 << (kind * WIDTH) for kind in range(4))
"""Two each of four things."""

SPREAD = {((FOUR, (4 << HAND) + (4 << DECK), 8), (1 << (4 * WIDTH), 1 << DECK, 1)): 1.0}
"""Four of these eight are in the hand, the others in the deck with a fifth thing."""


def test_a_shuffle_is_paid_for_by_the_worlds_that_come_of_it() -> None:
    paid: list[int] = []
    found = update(SPREAD, lambda world: mix(world, DECK), paid.append)
    # As many as there are hands: of each of four things 0 to 2, four in all.
    assert paid == [len(found)] == [19]


def test_a_shuffle_has_so_many_ways_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where what comes of many worlds is the same few."""
    belief = {
        (*world, (1 << (5 * WIDTH), 1 << n * WIDTH, 1)): 0.1 for world in SPREAD for n in (2, 3)
    }
    monkeypatch.setattr(limits, "MAX_WAYS", 37)
    with pytest.raises(TooManyWorldsError):
        update(belief, lambda world: mix(world, DECK))
    monkeypatch.setattr(limits, "MAX_WAYS", 38)
    assert len(update(belief, lambda world: mix(world, DECK))) == 38


def test_a_world_is_told_apart_in_each_of_its_ways() -> None:
    """In 19 ways; so many may be asked for, and no fewer."""
    ((world, _),) = SPREAD.items()
    hands = {hand: share for hand, _, share, _ in split_zones(world, (HAND,), 19)}
    assert len(hands) == 19
    # Both of two kinds: one of the 70 ways to choose four of eight. One of each: 2 * 2 * 2 * 2.
    assert hands[(2 << 0) + (2 << WIDTH)] == pytest.approx(1 / 70)
    assert hands[sum(1 << (kind * WIDTH) for kind in range(4))] == pytest.approx(16 / 70)
    with pytest.raises(TooManyWorldsError):
        list(split_zones(world, (HAND,), 18))


def test_what_two_groups_can_be_in_several_ways_weighs_as_much_as_all_of_them() -> None:
    """Of two pairs of unlike things, one of each pair is in the hand."""
    one, other = 1 << 0, 1 << WIDTH
    hand, deck = 1 << HAND, 1 << DECK
    ways = [world_of([(a, hand, 1), (b, deck, 1)]) for a, b in ((one, other), (other, one))]
    pair = dict.fromkeys(ways, 0.5)
    both = combine(pair, pair)
    # Twice the one, twice the other, or one of each: in half of the ways.
    assert sorted(both.values()) == [0.25, 0.25, 0.5]


def test_what_surely_came_is_not_known_where_it_takes_too_many_worlds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two things of one kind and one of another, two are drawn: one of the first at least."""
    before = {((2 + (1 << WIDTH), 3 << DECK, 3),): 1.0}
    taking = partial(draw, source=DECK, target=HAND, count=2)
    drawn = Changed("group", taking, before, [])
    later = Changed("group", lambda world: [(world, 1.0, ())], update(before, taking), None)
    spare = 2 * WIDTH
    assert minimum_drawn(drawn, [later], kind=0, most=2, spare=spare) == 1
    monkeypatch.setattr(limits, "MAX_WORLDS", 1)
    assert minimum_drawn(drawn, [later], kind=0, most=2, spare=spare) == 0


FISH = """\
  fish:
    title: Fish
    written: fish
    does: [{unknown: {from: heap, to: me.pouch, count: 1}}]
"""


def test_of_what_is_believed_no_more_anything_may_be_claimed(pebbles: Pebbles) -> None:
    """Red and grey stones lie on the heap; one of them was fished, until nothing is sure."""
    pebbles.add("board.yaml", "  blue: {worth: 1}\n")
    pebbles.change("moves/turns.yaml", "  end:\n", FISH + "  end:\n")
    game = open_game('[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  fish\n')
    hidden, stones = game.state.hidden, game.state.pack.entities["stone"]
    (pouch,) = [zone.first for zone in game.state.pack.zones if zone.name == "pouch"]

    def possible() -> list[str]:
        return [stone.id for stone in stones if hidden.queries.may_contain(pouch, stone)]

    assert possible() == ["red", "grey"]
    hidden.draws.drop_belief(pouch, None)
    assert possible() == ["red", "grey", "blue"]

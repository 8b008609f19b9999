"""Batches know of every zone what the worlds know, without a list of them.

The same draws, names and exclusions are made in lists of worlds and in batches; both must allow the
same numbers of each kind in each zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from altay_cli.hidden import lots
from altay_cli.hidden.batches import Batches, InexpressibleError
from altay_cli.hidden.lots import WIDTH, Belief, Lot, update

A, B, C, D = KINDS = tuple(n * WIDTH for n in range(4))
DECK, ANN, BOB, TABLE = ZONES = tuple(n * WIDTH for n in range(1, 5))


def lot(zone: int, **counts: int) -> Lot:
    """Return a lot in one zone: ``a=2`` for two things of kind A, ``b`` for B."""
    things = sum(count << KINDS["abcd".index(kind)] for kind, count in counts.items())
    size = sum(counts.values())
    return things, size << zone, size


def bounds_of(batches: Batches) -> dict[tuple[int, int], tuple[int, int]]:
    return {(zone, kind): batches.bounds([zone], kind) for zone in ZONES for kind in KINDS}


def bounds_in(belief: Belief) -> dict[tuple[int, int], tuple[int, int]]:
    found = {}
    for zone in ZONES:
        contents = [packed for world in belief for packed, *_ in lots.split_zones(world, (zone,))]
        for kind in KINDS:
            counts = [(packed >> kind) & lots.MASK for packed in contents]
            found[zone, kind] = min(counts), max(counts)
    return found


def made(random: Random, batches: Batches, belief: Belief) -> tuple[Batches, Belief, str]:
    """Make a random change of both."""
    zone, other = random.sample(ZONES, 2)
    kind = random.choice(KINDS)
    match random.choice(("draw", "draw", "rule out", "reveal", "reveal", "move all")):
        case "draw":
            count = random.randint(1, 2)
            change = partial(lots.draw, source=zone, target=other, count=count)
            return batches.draw(zone, other, count), update(belief, change), f"draw {zone} {other}"
        case "rule out":
            change = partial(lots.rule_out, zones=[zone], kinds=[kind])
            return batches.rule_out([zone], [kind]), update(belief, change), f"no {kind} in {zone}"
        case "reveal":
            change = partial(lots.reveal, zones=[zone], kinds=[kind], to=None)
            return batches.reveal(zone, kind), update(belief, change), f"{kind} in {zone}"
        case _:
            change = partial(lots.move_all, source=zone, target=other)
            return batches.move_all(zone, other), update(belief, change), f"all {zone} {other}"


def compared(seed: int) -> Iterator[str]:
    """Yield the changes of one course, until batches cannot express one."""
    random = Random(seed)
    world = (lot(DECK, a=2, b=3, c=1, d=2),)
    batches, belief = Batches.of_world(world), {world: 1.0}
    # What was dealt first, so that more than the deck is hidden.
    for zone in (ANN, BOB):
        batches = batches.draw(DECK, zone, 2)
        belief = update(belief, partial(lots.draw, source=DECK, target=zone, count=2))
    for _ in range(12):
        try:
            after, believed, text = made(random, batches, belief)
        except InexpressibleError:
            continue
        yield text
        assert after.is_possible == bool(believed)
        if not believed:
            continue
        batches, belief = after, believed
        assert bounds_of(batches) == bounds_in(belief)
        some_world = next(iter(belief))
        assert [batches.size_in(zone) for zone in ZONES] == [
            lots.size_in(some_world, zone) for zone in ZONES
        ]


@pytest.mark.parametrize("seed", range(150))
def test_batches_allow_what_the_worlds_allow(seed: int) -> None:
    assert list(compared(seed))


def test_a_named_thing_was_one_of_several_batches() -> None:
    """Ann drew two things when she had no A, then one more, and names a B: it may be any of them."""
    batches = Batches.of_world((lot(DECK, a=2, b=2, c=1),)).draw(DECK, ANN, 2)
    batches = batches.rule_out([ANN], [A]).draw(DECK, ANN, 1).reveal(ANN, B)
    assert batches.size_in(ANN) == 2
    assert batches.bounds([ANN], A) == (0, 1)
    # Two of the three things are not A: a B and a C, or two B.
    assert batches.bounds([ANN], B) == (0, 1)
    assert batches.bounds([ANN], C) == (0, 1)
    # If she has an A, it came last, and the B was one of the first two.
    assert batches.reveal(ANN, A).reveal(ANN, C).is_possible
    assert not batches.reveal(ANN, A).reveal(ANN, A).is_possible


def test_a_draw_from_things_of_which_different_things_are_known_has_no_batch() -> None:
    batches = Batches.of_world((lot(DECK, a=2, b=2),)).draw(DECK, ANN, 1).rule_out([ANN], [A])
    batches = batches.draw(DECK, ANN, 1)
    with pytest.raises(InexpressibleError):
        batches.draw(ANN, TABLE, 1)
    assert batches.draw(ANN, TABLE, 2).bounds([TABLE], B) == (1, 2)


def test_things_of_one_zone_join_those_that_are_there() -> None:
    """A deck with two C that were seen in it is a deck: any thing of it can come."""
    batches = Batches.of_world((lot(DECK, a=2, b=2),)).draw(DECK, ANN, 1)
    both = batches.added(Batches.of_world((lot(DECK, c=2),)))
    assert both.draw(DECK, BOB, 2).bounds([BOB], C) == (0, 2)
    assert both.bounds([ANN], C) == (0, 0)
    with pytest.raises(InexpressibleError):
        both.added(Batches.of_world((lot(TABLE, c=1),)))

"""Exact beliefs about hidden things: lots, worlds and their weights.

A *lot* has a known number of things in each zone, every distribution being equally likely: ten
shuffled cards, five of them in a hand. A *world* is a set of lots. A *belief* maps each possible
world to its weight, the share of histories that lead to it.

Numbers are packed, ``WIDTH`` bits a field: ``things`` counts by kind, ``places`` by zone. Kinds and
zones are named by the shift of their field. Two things of kind 0 and one of kind 16, one of the
three in zone 0:

>>> kind_a, kind_b, hand, deck = 0, WIDTH, 0, WIDTH
>>> lot = (2 << kind_a) + (1 << kind_b), (1 << hand) + (2 << deck), 3
>>> fields(lot[0]), fields(lot[1])
(((0, 2), (16, 1)), ((0, 1), (16, 2)))
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import NamedTuple

from altay_cli.hidden import limits

WIDTH = 16
MAX_COUNT = (1 << (WIDTH - 2)) - 1
MASK = (1 << WIDTH) - 1

Lot = tuple[int, int, int]
"""Packed things, packed places, and their number."""

World = tuple[Lot, ...]

Belief = dict[World, float]


class Moved(NamedTuple):
    """A choice: ``numbers`` of each lot moved."""

    source: int
    target: int
    numbers: tuple[int, ...]


class Identified(NamedTuple):
    """A choice: a thing of a lot was identified; ``to`` None opens it."""

    lot: int
    zone: int
    kind: int
    to: int | None


class Split(NamedTuple):
    """A choice: each lot was split in two, or stayed whole (None)."""

    parts: tuple[tuple[Lot, Lot] | None, ...]


class Added(NamedTuple):
    """A choice: a lot of open things became hidden."""

    lot: Lot


class StillHidden(NamedTuple):
    """A choice: all other lots became open."""

    lots: World


Choices = tuple[Moved | Identified | Split | Added | StillHidden, ...]
Step = tuple[World, float, Choices]
"""A following world, its share of the weight, and the choices that lead to it."""

CERTAIN: Belief = {(): 1.0}
"""The belief that nothing is hidden."""


class TooManyWorldsError(Exception):
    """A belief would have too many worlds."""


@lru_cache(maxsize=10_000)
def fields(packed: int) -> tuple[tuple[int, int], ...]:
    """Return the shift and the count of each nonzero field.

    >>> fields(3 + (5 << WIDTH))
    ((0, 3), (16, 5))
    """
    parts = []
    while packed:
        shift = ((packed & -packed).bit_length() - 1) // WIDTH * WIDTH
        count = (packed >> shift) & MASK
        parts.append((shift, count))
        packed ^= count << shift
    return tuple(parts)


def mask_of(shifts: Iterable[int]) -> int:
    """Return a number with all bits of these fields set.

    >>> (3 + (5 << WIDTH)) & mask_of([0])
    3
    """
    return sum({MASK << shift for shift in shifts})


def world_of(lots: Iterable[Lot]) -> World:
    """Return the normal form of some lots: equal for equal knowledge.

    Lots in a single zone are merged; a lot of a single kind is divided by zone:

    >>> world_of([(3, 1 + (2 << WIDTH), 3)]) == ((1, 1, 1), (2, 2 << WIDTH, 2))
    True
    """
    by_zone: dict[int, tuple[int, int]] = {}
    spread: list[Lot] = []
    for things, places, size in lots:
        if not size:
            continue
        zone = ((places & -places).bit_length() - 1) // WIDTH * WIDTH
        kind = ((things & -things).bit_length() - 1) // WIDTH * WIDTH
        if places >> zone == size:
            there, count = by_zone.get(zone, (0, 0))
            by_zone[zone] = (there + things, count + size)
        elif things >> kind == size:
            for zone, part in fields(places):
                there, count = by_zone.get(zone, (0, 0))
                by_zone[zone] = (there + (part << kind), count + part)
        else:
            spread.append((things, places, size))
    spread += [(things, size << zone, size) for zone, (things, size) in by_zone.items()]
    if len(spread) > 1:
        spread.sort()
    return tuple(spread)


def size_in(world: Iterable[Lot], zone: int) -> int:
    """Return the number of things in a zone.

    >>> size_in([(1, 1 << WIDTH, 1), (2, 2 << WIDTH, 2)], WIDTH)
    3
    """
    return sum([(places >> zone) & MASK for _, places, _ in world])


def sizes(world: World) -> int:
    """Return the number of things in each zone, packed.

    >>> fields(sizes(((1, 1, 1), (2, 2 << WIDTH, 2))))
    ((0, 1), (16, 2))
    """
    return sum([places for _, places, _ in world])


# ---------------------------------------------------------------- transitions of one world


def draw(
    world: World,
    source: int,
    target: int,
    count: int,
    excluded: int = 0,
    *,
    allow_empty: bool = False,
) -> Iterator[Step]:
    """Draw ``count`` unidentified things at random from a zone.

    excluded: mask of the kinds that are never drawn; lots that hold any of them give nothing.
    allow_empty: draw nothing from an empty zone; otherwise that is impossible.

    Two of three things, from a lot of one and a lot of two:

    >>> hand, deck = 0, WIDTH
    >>> world = (1, 1 << deck, 1), (2 + (1 << WIDTH), (1 << 2 * WIDTH) + (2 << deck), 3)
    >>> [(round(share, 3), moved.numbers) for _, share, (moved,) in draw(world, deck, hand, 2)]
    [(0.333, (0, 2)), (0.667, (1, 1))]
    """
    parts = [0 if things & excluded else (places >> source) & MASK for things, places, _ in world]
    size = sum(parts)
    if count > size:
        if allow_empty and not size:
            yield world, 1.0, ()
        return
    change = (1 << target) - (1 << source)
    for taken in _shares(parts, count):
        lots = [
            (things, places + number * change, among)
            for (things, places, among), number in zip(world, taken, strict=True)
        ]
        ways = prod(map(comb, parts, taken))
        yield world_of(lots), ways / comb(size, count), (Moved(source, target, taken),)


def draw_while(
    belief: Belief,
    source: int,
    target: int,
    continues: Callable[[World], bool],
    excluded: int = 0,
    *,
    single: bool = False,
    pay: Callable[[int], object] | None = None,
) -> Iterator[Step]:
    """Draw and identify single things while ``continues`` holds and something is left.

    Worlds with more left in ``source`` come first, so equal worlds merge before they branch.

    excluded, pay: as in ``draw`` and ``update``.
    single: follow only the most likely world.

    Draw from two of kind 0 and one of kind 16, until the latter is in the hand:

    >>> hand, deck = 0, WIDTH
    >>> belief = {((2 + (1 << WIDTH), 3 << deck, 3),): 1.0}
    >>> def only_first_kind(world):
    ...     return all(things == size for things, places, size in world if places & MASK)
    >>> found = draw_while(belief, deck, hand, only_first_kind)
    >>> [(size_in(world, hand), round(weight, 3)) for world, weight, _ in found]
    [(1, 0.333), (2, 0.333), (3, 0.333)]
    """
    by_size: dict[int, dict[World, tuple[float, Choices]]] = {}
    for world, weight in belief.items():
        by_size.setdefault(size_in(world, source), {})[world] = (weight, ())
    while by_size:
        left = max(by_size)
        fewer = by_size.setdefault(left - 1, {}) if left else {}
        for world, (weight, before) in by_size.pop(left).items():
            parts = _drawable(world, source, excluded) if left and continues(world) else []
            if not parts:
                yield world, weight, before
                continue
            for number, kind, part, count, total in _single_draws(world, parts, pay):
                becomes = _remove(world, number, source, kind, target)
                share = weight * part * count / total
                known = fewer.get(becomes)
                if known is None:
                    fewer[becomes] = share, (*before, Identified(number, source, kind, target))
                else:  # any history represents its world
                    fewer[becomes] = share + known[0], known[1]
            if len(fewer) > limits.MAX_WORLDS:
                raise TooManyWorldsError
        if not fewer:
            by_size.pop(left - 1, None)
        elif single:
            by_size[left - 1] = dict([max(fewer.items(), key=lambda pair: pair[1][0])])


def _drawable(world: World, source: int, excluded: int) -> list[tuple[int, int, int]]:
    """Return number, size in ``source`` and things of each lot to draw from."""
    return [
        (number, part, things)
        for number, (things, places, _) in enumerate(world)
        if (part := (places >> source) & MASK) and not things & excluded
    ]


def _single_draws(
    world: World,
    parts: Sequence[tuple[int, int, int]],
    pay: Callable[[int], object] | None,
) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield each lot and kind of a single draw, with the factors of its share.

    The share is the product of the first two, divided by the third.
    """
    size = sum([part for _, part, _ in parts])
    for number, part, things in parts:
        total = world[number][2] * size
        kinds = fields(things)
        if pay is not None:
            pay(len(kinds))
        for kind, count in kinds:
            yield number, kind, part, count, total


def _shares(parts: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Return all ways to take ``count`` things out of parts of these sizes.

    >>> _shares([2, 1], 2)
    [(1, 1), (2, 0)]
    """
    shares: list[tuple[tuple[int, ...], int]] = [((), count)]
    rest = sum(parts)
    for part in parts:
        rest -= part
        shares = [
            ((*taken, number), left - number)
            for taken, left in shares
            for number in range(max(left - rest, 0), min(part, left) + 1)
        ]
    return [taken for taken, _ in shares]


def move_all(world: World, source: int, target: int) -> Iterator[Step]:
    """Move everything hidden in a zone to another."""
    return draw(world, source, target, size_in(world, source))


def reveal(
    world: World, zones: Sequence[int], kinds: Iterable[int], to: int | None
) -> Iterator[Step]:
    """Identify a thing of one of ``kinds`` in one of ``zones``, and remove it.

    to: the zone where it stays hidden; None if it becomes open.

    The hand holds one of three things, two of them of kind 0:

    >>> hand, deck = 0, WIDTH
    >>> world = ((2 + (1 << WIDTH), 1 + (2 << deck), 3),)
    >>> [round(share, 3) for _, share, _ in reveal(world, (hand,), (0,), None)]
    [0.667]
    """
    for kind in kinds:
        for number, (things, places, size) in enumerate(world):
            count = (things >> kind) & MASK
            for zone in zones if count else ():
                part = (places >> zone) & MASK
                if part:
                    left = _remove(world, number, zone, kind, to)
                    yield left, part * count / size, (Identified(number, zone, kind, to),)


def reveal_last(
    world: World, zones: Sequence[int], kinds: Sequence[int], to: int | None, *, only: bool = False
) -> Iterator[Step]:
    """Identify and remove the last of ``kinds`` in ``zones``; ``to`` as in ``reveal``.

    only: find the first kind, in worlds without the others there.
    """
    for number, kind in enumerate(kinds[:1] if only else kinds):
        below = kinds[number + 1 :]
        if not any((things >> later) & MASK for things, _, _ in world for later in below):
            yield from reveal(world, zones, (kind,), to)
            continue
        for left, share, divided in rule_out(world, zones, below):
            for becomes, part, named in reveal(left, zones, (kind,), to):
                yield becomes, share * part, (*divided, *named)


@lru_cache(maxsize=10_000)  # repairs revisit the same worlds
def _remove(world: World, number: int, zone: int, kind: int, to: int | None) -> World:
    things, places, size = world[number]
    lots = [*world]
    lots[number] = (things - (1 << kind), places - (1 << zone), size - 1)
    if to is not None:
        lots.append((1 << kind, 1 << to, 1))
    return world_of(lots)


def rule_out(world: World, zones: Iterable[int], kinds: Sequence[int]) -> Iterator[Step]:
    """Rule out that ``zones`` hold any of ``kinds``.

    The hand holds two of three things. Without kind 16 they are of kind 0, which is one of the
    three possible distributions:

    >>> hand, deck = 0, WIDTH
    >>> world = ((2 + (1 << WIDTH), 2 + (1 << deck), 3),)
    >>> [(found, round(share, 3)) for found, share, _ in rule_out(world, (hand,), (WIDTH,))]
    [(((2, 2, 2), (65536, 65536, 1)), 0.333)]
    """
    for left, share, divided in _split_by_kind(world, mask_of(kinds), never=mask_of(zones)):
        yield world_of(left), share, divided


def separate(world: World, kinds: int, zone: int) -> Iterator[Step]:
    """Split lots that reach a zone into the kinds of a mask and others."""
    for left, share, divided in _split_by_kind(world, kinds, within=MASK << zone):
        # Not in normal form: the lots stay separate until the zone is mixed.
        yield tuple(sorted(lot for lot in left if lot[2])), share, divided


def _split_by_kind(world: World, kinds: int, never: int = 0, within: int = 0) -> Iterator[Step]:
    """Split each lot into the kinds of a mask and the others, in every distribution.

    never: mask of zones without these kinds.
    within: mask of further zones; lots that reach none of them stay whole.
    """

    def ways(lot: Lot) -> list[_Way] | None:
        things, places, size = lot
        of_kinds = things & kinds
        count = sum([number for _, number in fields(of_kinds)])
        if not count or not places & (never | within) or (count == size and not never):
            return None
        return [
            ((of_kinds, inside, count), (things - of_kinds, places - inside, size - count), number)
            for inside, number in _choices(places & ~never, count)
        ]

    return _split_lots(world, ways)


def mix(world: World, zone: int) -> Iterator[Step]:
    """Merge all in a zone into one lot, for each possible content."""
    for lots, share, divided in _split_by_zone(world, ~(MASK << zone), limits.MAX_WORLDS):
        yield world_of(lots), share, divided


def split_zones(
    world: World, zones: Iterable[int], limit: int = limits.MAX_WAYS
) -> Iterator[tuple[int, World, float, Choices]]:
    """Yield each possible content of some zones together, packed, with the step to it.

    Raise TooManyWorldsError above ``limit``.

    >>> hand, deck = 0, WIDTH
    >>> world = ((2 + (1 << WIDTH), 2 + (1 << deck), 3),)
    >>> [(fields(content), round(share, 3)) for content, _, share, _ in split_zones(world, (hand,))]
    [(((0, 1), (16, 1)), 0.667), (((0, 2),), 0.333)]
    """
    mask = mask_of(zones)
    for lots, share, divided in _split_by_zone(world, mask, limit):
        inside = sum([things for things, places, _ in lots if places & mask])
        yield inside, world_of(lots), share, divided


def _split_by_zone(world: World, mask: int, limit: int) -> Iterator[Step]:
    def ways(lot: Lot) -> list[_Way] | None:
        things, places, size = lot
        within = places & mask
        part = sum([count for _, count in fields(within)])
        return [
            ((chosen, within, part), (things - chosen, places - within, size - part), number)
            for chosen, number in _choices(things, part, limits.MAX_WORLDS)
        ] if 0 < part < size else None  # fmt: skip

    return _split_lots(world, ways, limit)


# Two parts of a lot, and the ways to divide it so.
_Way = tuple[Lot, Lot, int]


def _split_lots(
    world: World, ways: Callable[[Lot], list[_Way] | None], limit: int | None = None
) -> Iterator[Step]:
    """Combine all ways to split each lot; a lot without ways stays whole.

    The worlds are not in normal form. Raise TooManyWorldsError above ``limit``.
    """
    divisions: list[tuple[World, float, tuple[tuple[Lot, Lot] | None, ...]]] = [((), 1.0, ())]
    for lot in world:
        options = ways(lot)
        if options is None:
            divisions = [((*lots, lot), share, (*parts, None)) for lots, share, parts in divisions]
            continue
        if limit is not None and len(options) * len(divisions) > limit:
            raise TooManyWorldsError
        divisions = [
            ((*lots, first, rest), share * number / comb(lot[2], first[2]), (*parts, (first, rest)))
            for lots, share, parts in divisions
            for first, rest, number in options
        ]
    for lots, share, parts in divisions:
        yield lots, share, (Split(parts),)


def can_give(world: World, zone: int, excluded: int) -> bool:
    """Return True if a zone has something to draw."""
    return any((places >> zone) & MASK and not things & excluded for things, places, _ in world)


def is_spread(world: World, zone: int, least: int = 1) -> bool:
    """Return True if ``least`` lots reach a zone, and one of them other zones too."""
    parts = [(part, size) for _, places, size in world if (part := (places >> zone) & MASK)]
    return len(parts) >= least and any(part < size for part, size in parts)


def _choices(packed: int, count: int, limit: int | None = None) -> list[tuple[int, int]]:
    """Return each packed choice of ``count`` packed things, with its number of ways.

    >>> [(fields(chosen), ways) for chosen, ways in _choices(2 + (1 << WIDTH), 1)]
    [(((16, 1),), 1), (((0, 1),), 2)]
    """
    numbers = fields(packed)
    rest = sum(number for _, number in numbers)
    choices = [(0, 1, count)]
    for shift, number in numbers:
        rest -= number
        choices = [
            (chosen + (more << shift), ways * comb(number, more), left - more)
            for chosen, ways, left in choices
            for more in range(max(left - rest, 0), min(number, left) + 1)
        ]
        if limit is not None and len(choices) > limit:
            raise TooManyWorldsError
    return [(chosen, ways) for chosen, ways, left in choices if not left]


# ---------------------------------------------------------------- beliefs


def combine(first: Belief, second: Belief) -> Belief:
    """Return the joint belief of two independent ones.

    >>> combine({((1, 1, 1),): 1.0}, {((2, 2 << WIDTH, 2),): 0.5})
    {((1, 1, 1), (2, 131072, 2)): 0.5}
    """
    weights: Belief = {}
    for (world, weight), (added, share) in product(first.items(), second.items()):
        both = world_of((*world, *added))
        weights[both] = weights.get(both, 0.0) + weight * share
    return weights


def update(
    belief: Belief,
    transition: Callable[[World], Iterable[Step]],
    pay: Callable[[int], object] | None = None,
) -> Belief:
    """Return the belief after a transition of every world; empty if it is impossible.

    pay: gets the number of worlds after each world.

    Raise TooManyWorldsError if there are too many.

    >>> hand, deck = 0, WIDTH
    >>> belief = {((2 + (1 << WIDTH), 3 << deck, 3),): 1.0}
    >>> belief = update(belief, lambda world: draw(world, deck, hand, 1))
    >>> update(belief, lambda world: reveal(world, (hand,), (WIDTH,), None))
    {((2, 131072, 2),): 0.3333333333333333}
    """
    weights: Belief = {}
    ways = 0
    for world, weight in belief.items():
        before = ways
        for becomes, share, _ in transition(world):
            weights[becomes] = weights.get(becomes, 0.0) + weight * share
            ways += 1
            if len(weights) > limits.MAX_WORLDS or ways > limits.MAX_WAYS:
                raise TooManyWorldsError
        if pay is not None:
            pay(ways - before)
    return weights

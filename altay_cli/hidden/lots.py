"""What can lie where, if nobody saw which thing went where: exact, and nothing is chosen.

A *lot* is some things of which it is known in how many places of which zones they lie, and not
which of them lies in which place: any way to put them there is possible, and all are equally
likely. Ten cards that were shuffled, five of which are in a hand, are one lot. A *world* is some
lots that hold at the same time, and a *belief* all worlds that fit what is known, each with its
weight: the share of the courses of hidden events that lead to it.

Things of a kind are alike, and so are the places of a zone. So a belief forgets nothing that could
matter later, and no course of events that is possible is ever lost.

Lots are packed into numbers: ``things`` holds how many there are of each kind, ``places`` how many
lie in each zone, ``WIDTH`` bits for each. What a kind and a zone is, ``hidden`` knows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import NamedTuple

from altay_cli.hidden import limits

WIDTH = 16
"""How many bits a number has in what is packed."""

MOST = (1 << (WIDTH - 2)) - 1
"""The largest number that is packed."""

MASK = (1 << WIDTH) - 1

Lot = tuple[int, int, int]
"""Things, places, and how many there are."""

World = tuple[Lot, ...]

Belief = dict[World, float]


class Taken(NamedTuple):
    """So many of each lot moved from a zone to another."""

    source: int
    target: int
    numbers: tuple[int, ...]


class Named(NamedTuple):
    """A thing of a lot was found in a zone; it went on as hidden, or was hidden no more."""

    lot: int
    zone: int
    kind: int
    to: int | None


class Divided(NamedTuple):
    """Each lot became two, or stayed one."""

    parts: tuple[tuple[Lot, Lot] | None, ...]


class Added(NamedTuple):
    """A lot of things that lay openly is hidden from now on."""

    lot: Lot


class Kept(NamedTuple):
    """All lots but these were laid open."""

    lots: World


Decided = tuple[Taken | Named | Divided | Added | Kept, ...]
"""What was decided in an event, in order, so that it can be told which thing was which."""

Step = tuple[World, float, Decided]
"""A world that another becomes, the share of the latter that does, and what was decided."""

CERTAIN: Belief = {(): 1.0}
"""Nothing is hidden."""


class TooManyWorldsError(Exception):
    """There are more worlds than are gone through."""


@lru_cache(maxsize=10_000)
def fields(packed: int) -> tuple[tuple[int, int], ...]:
    """Return the shift and the number of each field that is not zero."""
    parts = []
    while packed:
        shift = ((packed & -packed).bit_length() - 1) // WIDTH * WIDTH
        count = (packed >> shift) & MASK
        parts.append((shift, count))
        packed ^= count << shift
    return tuple(parts)


def mask_of(shifts: Iterable[int]) -> int:
    """Return a number of which all bits are set in the fields with these shifts."""
    return sum({MASK << shift for shift in shifts})


def world_of(lots: Iterable[Lot]) -> World:
    """Return lots as a world: the same for the same knowledge.

    What lies in one zone is one lot, and of things that are all alike it is known where they lie.
    """
    whole: dict[int, tuple[int, int]] = {}
    spread: list[Lot] = []
    for things, places, size in lots:
        if not size:
            continue
        zone = ((places & -places).bit_length() - 1) // WIDTH * WIDTH
        kind = ((things & -things).bit_length() - 1) // WIDTH * WIDTH
        if places >> zone == size:
            there, count = whole.get(zone, (0, 0))
            whole[zone] = (there + things, count + size)
        elif things >> kind == size:
            for zone, part in fields(places):
                there, count = whole.get(zone, (0, 0))
                whole[zone] = (there + (part << kind), count + part)
        else:
            spread.append((things, places, size))
    spread += [(things, size << zone, size) for zone, (things, size) in whole.items()]
    if len(spread) > 1:
        spread.sort()
    return tuple(spread)


def size_in(world: Iterable[Lot], zone: int) -> int:
    """Return how many hidden things lie in a zone."""
    return sum([(places >> zone) & MASK for _, places, _ in world])


def sizes(world: World) -> int:
    """Return how many hidden things lie in each zone, packed."""
    return sum([places for _, places, _ in world])


# ---------------------------------------------------------------- what happens


def drawn(
    world: World, source: int, target: int, count: int, barred: int = 0, *, as_far: bool = False
) -> Iterator[Step]:
    """Move so many things, nobody sees which, as if by chance; nothing ``as_far`` as there is none.

    Nothing is drawn of lots that hold what is ``barred``, a mask of the things that cannot come.
    """
    parts = [0 if things & barred else (places >> source) & MASK for things, places, _ in world]
    size = sum(parts)
    if count > size:
        if as_far and not size:
            yield world, 1.0, ()
        return
    change = (1 << target) - (1 << source)
    for taken in _shares(parts, count):
        lots = [
            (things, places + number * change, among)
            for (things, places, among), number in zip(world, taken, strict=True)
        ]
        ways = prod(map(comb, parts, taken))
        yield world_of(lots), ways / comb(size, count), (Taken(source, target, taken),)


def drawn_on(
    belief: Belief,
    source: int,
    target: int,
    going: Callable[[World], bool],
    barred: int = 0,
    *,
    single: bool = False,
    pay: Callable[[int], object] | None = None,
) -> Iterator[Step]:
    """Move one thing after the other, of which it is seen what it is, as long as it is ``going``.

    It is over where nothing is left; ``barred`` is as in ``drawn``. The worlds of a belief are
    gone through together: what many of them become on the way is gone on from once. With
    ``single``, only the likeliest thing comes each time; ``pay`` is as in ``after``.
    """
    piles: dict[int, dict[World, tuple[float, Decided]]] = {}
    for world, weight in belief.items():
        piles.setdefault(size_in(world, source), {})[world] = (weight, ())
    while piles:
        left = max(piles)
        fewer = piles.setdefault(left - 1, {}) if left else {}
        for world, (weight, before) in piles.pop(left).items():
            parts = []
            if left and going(world):
                parts = [
                    (number, part, things)
                    for number, (things, places, _) in enumerate(world)
                    if (part := (places >> source) & MASK) and not things & barred
                ]
            if not parts:
                yield world, weight, before
                continue
            size = sum([part for _, part, _ in parts])
            for number, part, things in parts:
                among = world[number][2]
                kinds = fields(things)
                if pay is not None:
                    pay(len(kinds))
                for kind, count in kinds:
                    becomes = _taken_out(world, number, source, kind, target)
                    share = weight * part * count / (among * size)
                    known = fewer.get(becomes)
                    if known is None:
                        fewer[becomes] = share, (*before, Named(number, source, kind, target))
                    else:  # whichever way it came to be so, one of them is as good
                        fewer[becomes] = share + known[0], known[1]
            if len(fewer) > limits.MAX_WORLDS:
                raise TooManyWorldsError
        if not fewer:
            piles.pop(left - 1, None)
        elif single:
            piles[left - 1] = dict([max(fewer.items(), key=lambda pair: pair[1][0])])


def _shares(parts: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Return all ways to take so many out of some parts."""
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


def poured(world: World, source: int, target: int) -> Iterator[Step]:
    """Move all that is hidden in one zone to another."""
    return drawn(world, source, target, size_in(world, source))


def revealed(
    world: World, zones: Sequence[int], kinds: Iterable[int], to: int | None
) -> Iterator[Step]:
    """Find a thing of one of some kinds in one of some zones, and take it out.

    ``to`` is where it goes on as what it is; None if it is hidden no more.
    """
    for kind in kinds:
        for number, (things, places, size) in enumerate(world):
            count = (things >> kind) & MASK
            for zone in zones if count else ():
                part = (places >> zone) & MASK
                if part:
                    left = _taken_out(world, number, zone, kind, to)
                    yield left, part * count / size, (Named(number, zone, kind, to),)


def least_revealed(
    world: World, zones: Sequence[int], kinds: Sequence[int], to: int | None, *, only: bool = False
) -> Iterator[Step]:
    """Find the last of some kinds that lies in some zones, and take it out.

    ``to`` is as in ``revealed``. With ``only``, it is the first of the kinds, none of the others.
    """
    for number, kind in enumerate(kinds[:1] if only else kinds):
        below = kinds[number + 1 :]
        if not any((things >> one) & MASK for things, _, _ in world for one in below):
            yield from revealed(world, zones, (kind,), to)
            continue
        for left, share, divided in without(world, zones, below):
            for becomes, part, named in revealed(left, zones, (kind,), to):
                yield becomes, share * part, (*divided, *named)


@lru_cache(maxsize=10_000)  # a search for repairs meets the same worlds again and again
def _taken_out(world: World, number: int, zone: int, kind: int, to: int | None) -> World:
    """Return a world without a thing of a lot that lay in a zone, or with it elsewhere."""
    things, places, size = world[number]
    lots = [*world]
    lots[number] = (things - (1 << kind), places - (1 << zone), size - 1)
    if to is not None:
        lots.append((1 << kind, 1 << to, 1))
    return world_of(lots)


def without(world: World, zones: Iterable[int], kinds: Sequence[int]) -> Iterator[Step]:
    """Learn that nothing of some kinds lies in some zones."""
    for left, share, divided in _by_kind(world, mask_of(kinds), never=mask_of(zones)):
        yield world_of(left), share, divided


def sorted_out(world: World, kinds: int, zone: int) -> Iterator[Step]:
    """Tell the things of a mask of kinds, as far as they may lie in a zone, from all others."""
    for left, share, divided in _by_kind(world, kinds, within=MASK << zone):
        # Told apart, they stay two lots even in one zone, until somebody mixes them.
        yield tuple(sorted(lot for lot in left if lot[2])), share, divided


def _by_kind(world: World, kinds: int, never: int = 0, within: int = 0) -> Iterator[Step]:
    """Divide each lot into things of some kinds and others, in all ways to place them.

    All are masks. Those of the kinds lie in none of the zones ``never``; lots that reach neither
    these nor ``within`` stay as they are.
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

    return _divided(world, ways)


def mixed(world: World, zone: int) -> Iterator[Step]:
    """Make one lot of all that lies in a zone, in all ways for what of it may lie elsewhere."""
    for lots, share, divided in _apart(world, ~(MASK << zone), limits.MAX_WORLDS):
        yield world_of(lots), share, divided


def parted(
    world: World, zones: Iterable[int], most: int = limits.MAX_WAYS
) -> Iterator[tuple[int, World, float, Decided]]:
    """Tell apart what lies in some zones together, in all ways in which it may: so many at most.

    Yields what that is, packed, and the step: the world then, the share of the world that becomes
    it, and how the lots were divided.
    """
    mask = mask_of(zones)
    for lots, share, divided in _apart(world, mask, most):
        inside = sum([things for things, places, _ in lots if places & mask])
        yield inside, world_of(lots), share, divided


def _apart(world: World, mask: int, most: int) -> Iterator[Step]:
    """Divide each lot into what lies in the zones of a mask and what does not; see ``_divided``."""

    def ways(lot: Lot) -> list[_Way] | None:
        things, places, size = lot
        within = places & mask
        part = sum([count for _, count in fields(within)])
        return [
            ((chosen, within, part), (things - chosen, places - within, size - part), number)
            for chosen, number in _choices(things, part, limits.MAX_WORLDS)
        ] if 0 < part < size else None  # fmt: skip

    return _divided(world, ways, most)


# The two parts of a lot, and in how many ways it is divided into these.
_Way = tuple[Lot, Lot, int]


def _divided(
    world: World, ways: Callable[[Lot], list[_Way] | None], most: int | None = None
) -> Iterator[Step]:
    """Divide each lot of a world in all its ways, and those of the others; so many at most.

    A lot that is not to be divided stays one. Lots that nothing tells apart, and empty ones, are
    left in what becomes of the world.
    """
    divisions: list[tuple[World, float, tuple[tuple[Lot, Lot] | None, ...]]] = [((), 1.0, ())]
    for lot in world:
        options = ways(lot)
        if options is None:
            divisions = [((*lots, lot), share, (*parts, None)) for lots, share, parts in divisions]
            continue
        if most is not None and len(options) * len(divisions) > most:
            raise TooManyWorldsError
        divisions = [
            ((*lots, one, other), share * number / comb(lot[2], one[2]), (*parts, (one, other)))
            for lots, share, parts in divisions
            for one, other, number in options
        ]
    for lots, share, parts in divisions:
        yield lots, share, (Divided(parts),)


def can_give(world: World, zone: int, barred: int) -> bool:
    """Tell whether something can be drawn from a zone; see ``drawn``."""
    return any((places >> zone) & MASK and not things & barred for things, places, _ in world)


def is_spread(world: World, zone: int, least: int = 1) -> bool:
    """Tell whether so many lots lie in a zone at the least, one of them also elsewhere."""
    parts = [(part, size) for _, places, size in world if (part := (places >> zone) & MASK)]
    return len(parts) >= least and any(part < size for part, size in parts)


def _choices(packed: int, count: int, most: int | None = None) -> list[tuple[int, int]]:
    """Return all ways to choose so many of what is packed, each with the number of ways for it."""
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
        if most is not None and len(choices) > most:
            raise TooManyWorldsError
    return [(chosen, ways) for chosen, ways, left in choices if not left]


# ---------------------------------------------------------------- beliefs


def combined(one: Belief, other: Belief) -> Belief:
    """Return what is believed of two groups together."""
    weights: Belief = {}
    for (first, weight), (second, share) in product(one.items(), other.items()):
        both = world_of((*first, *second))
        weights[both] = weights.get(both, 0.0) + weight * share
    return weights


def after(
    belief: Belief,
    happens: Callable[[World], Iterable[Step]],
    pay: Callable[[int], object] | None = None,
) -> Belief:
    """Return what is believed after something has happened in every world; nothing if it cannot.

    For each world, ``pay`` is called with the number of those that it becomes. Raises
    TooManyWorldsError if there are too many.
    """
    weights: Belief = {}
    ways = 0
    for world, weight in belief.items():
        before = ways
        for becomes, share, _ in happens(world):
            weights[becomes] = weights.get(becomes, 0.0) + weight * share
            ways += 1
            if len(weights) > limits.MAX_WORLDS or ways > limits.MAX_WAYS:
                raise TooManyWorldsError
        if pay is not None:
            pay(ways - before)
    return weights

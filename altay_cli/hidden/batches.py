"""What hidden things can be when their worlds are too many to list.

A *batch* is a number of hidden things that came to a zone together, with the kinds that none of
them is. ``Batches`` says how many things of each kind there are in all, and which batches they
fill. A named thing leaves its zone; where several batches could have held it, it is *taken* from
one of them. One ``Batches`` replaces all worlds that put the same things into different batches:
no world is listed. Something is possible if the kinds can be assigned to the batches accordingly.
There are no weights.

Five things, two of them of kind 0: three in the deck, two in the hand. The hand lacks kind 0:

>>> kind_a, kind_b, hand, deck = 0, WIDTH, 0, WIDTH
>>> lot = (2 << kind_a) + (3 << kind_b), (2 << hand) + (3 << deck), 5
>>> batches = Batches.of_world((lot,))
>>> batches.bounds([deck], kind_a)
(0, 2)
>>> batches.rule_out([hand], [kind_a]).bounds([deck], kind_a)
(2, 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from altay_cli.hidden.lots import WIDTH, World, fields

__all__ = ["WIDTH", "Batch", "Batches", "InexpressibleError"]


class InexpressibleError(Exception):
    """Batches cannot express what happened."""


class Batch(NamedTuple):
    """Hidden things of a zone; bit ``1 << kind`` of ``excluded`` is set if none is of that kind."""

    zone: int
    size: int
    excluded: int


Taken = dict[tuple[int, int], int]
"""The number of named things, by kind and the batches (a bit each) that could have held them."""


class Batches:
    """The kinds that each zone can hold.

    things: the number of things of each kind.
    batches: by number. A batch counts the things taken from it.
    """

    __slots__ = ("_assigned", "batches", "taken", "things")

    def __init__(
        self,
        things: Mapping[int, int],
        batches: Mapping[int, Batch],
        taken: Mapping[tuple[int, int], int],
    ) -> None:
        self.things = dict(things)
        self.batches = dict(batches)
        self.taken = dict(taken)
        self._assigned: _Assignment | None = None

    @classmethod
    def of_world(cls, world: World) -> Batches:
        """Return the batches of a single world.

        Raise InexpressibleError if two of its lots have a kind in common.
        """
        result = cls({}, {}, {})
        for things, places, _ in sorted(world, key=lambda lot: -len(fields(lot[1]))):
            batches = {n: Batch(zone, size, 0) for n, (zone, size) in enumerate(fields(places))}
            result = result.added(cls(dict(fields(things)), batches, {}))
        return result

    @property
    def steps(self) -> int:
        """The size of a question about them."""
        return len(self.things) + len(self.batches) + len(self.taken)

    def size_in(self, zone: int) -> int:
        """Return the number of things in a zone."""
        inside = self._in([zone])
        size = sum([batch.size for batch in self.batches.values() if batch.zone == zone])
        return size - sum([count for (_, among), count in self.taken.items() if among & inside])

    def _in(self, zones: Iterable[int]) -> int:
        return sum([1 << number for number, batch in self.batches.items() if batch.zone in zones])

    # ------------------------------------------------------------ transitions

    def added(self, other: Batches) -> Batches:
        """Return these and other batches, which exchanged nothing so far.

        Raise InexpressibleError if both have things of one kind.
        """
        if not self.things.keys().isdisjoint(other.things):
            raise InexpressibleError
        if len(self.batches) == 1 < len(other.batches):
            return other.added(self)
        things = {**self.things, **other.things}
        first = max(self.batches, default=-1) + 1
        mine, theirs = (sum([1 << kind for kind in some.things]) for some in (self, other))
        batches = {
            number: batch._replace(excluded=batch.excluded | theirs)
            for number, batch in self.batches.items()
        }
        if len(other.batches) == 1:
            (lone,) = other.batches.values()
            for number, batch in self.batches.items():
                if batch.zone == lone.zone:
                    # They are nowhere else, so any batch of their zone may hold them.
                    batches[number] = batch._replace(size=batch.size + lone.size)
                    return Batches(things, batches, self.taken)
        for number, batch in other.batches.items():
            batches[first + number] = batch._replace(excluded=batch.excluded | mine)
        taken = {(kind, among << first): count for (kind, among), count in other.taken.items()}
        return Batches(things, batches, {**self.taken, **taken})

    def draw(self, source: int, target: int, count: int) -> Batches:
        """Draw ``count`` unidentified things at random.

        Raise InexpressibleError if they could come from several batches.
        """
        there = self.size_in(source)
        if count >= there:
            return self.move_all(source, target) if count == there else IMPOSSIBLE
        numbers = [n for n, batch in self.batches.items() if batch.zone == source]
        if len(numbers) > 1:
            raise InexpressibleError
        batches = dict(self.batches)
        batch = batches[numbers[0]]
        batches[numbers[0]] = batch._replace(size=batch.size - count)
        batches[max(batches) + 1] = Batch(target, count, batch.excluded)
        return _normal(self.things, batches, self.taken)

    def move_all(self, source: int, target: int) -> Batches:
        """Move everything in a zone to another."""
        batches = {
            number: batch._replace(zone=target) if batch.zone == source else batch
            for number, batch in self.batches.items()
        }
        return _normal(self.things, batches, self.taken)

    def reveal(self, zone: int, kind: int) -> Batches:
        """Identify a thing in a zone, and remove it."""
        among = self._possible(kind) & self._in([zone])
        if not among:
            return IMPOSSIBLE
        taken = {**self.taken, (kind, among): self.taken.get((kind, among), 0) + 1}
        return _normal(self.things, self.batches, taken)

    def rule_out(self, zones: Iterable[int], kinds: Iterable[int]) -> Batches:
        """Rule out that ``zones`` hold any of ``kinds``."""
        excluded, inside = sum([1 << kind for kind in kinds]), {*zones}
        batches = {
            number: batch._replace(excluded=batch.excluded | excluded)
            if batch.zone in inside
            else batch
            for number, batch in self.batches.items()
        }
        return _normal(self.things, batches, self.taken)

    # ------------------------------------------------------------ questions

    @property
    def is_possible(self) -> bool:
        """Whether the kinds can be assigned to the batches at all."""
        return self._assignment.is_complete

    def bounds(self, zones: Iterable[int], kind: int) -> tuple[int, int]:
        """Return the least and the greatest number of things of a kind in some zones together."""
        return self._assignment.bounds(kind, self._in(zones))

    @property
    def _assignment(self) -> _Assignment:
        if self._assigned is None:
            self._assigned = _Assignment(self._supplies(), self.batches)
        return self._assigned

    def _supplies(self) -> Iterator[tuple[int, int, int]]:
        """Yield kind, possible batches and number of things; first the ones still hidden."""
        hidden = dict(self.things)
        for (kind, _), count in self.taken.items():
            hidden[kind] -= count
        yield from ((kind, self._possible(kind), count) for kind, count in hidden.items())
        yield from ((kind, among, count) for (kind, among), count in self.taken.items())

    def _possible(self, kind: int) -> int:
        if kind not in self.things:
            return 0
        return sum([1 << n for n, batch in self.batches.items() if not batch.excluded >> kind & 1])


IMPOSSIBLE = Batches({0: 1}, {}, {})
"""A thing, and no batch that could hold it."""


def _normal(
    things: Mapping[int, int], batches: Mapping[int, Batch], taken: Mapping[tuple[int, int], int]
) -> Batches:
    """Remove the things that were surely taken, and merge batches with the same knowledge."""
    things, batches = dict(things), dict(batches)
    left: Taken = {}
    changed = True
    while changed:
        changed, left = False, {}
        filled = sum([1 << number for number, batch in batches.items() if batch.size])
        for (kind, before), count in taken.items():
            among = before & filled
            if among & (among - 1):
                left[kind, among] = left.get((kind, among), 0) + count
                continue
            number = among.bit_length() - 1
            batch = batches.get(number)
            if batch is None or batch.size < count or things[kind] < count:
                return IMPOSSIBLE
            batches[number] = batch._replace(size=batch.size - count)
            things[kind] -= count
            changed = True
        taken = left
    named = dict.fromkeys(things, 0)
    for (kind, _), count in taken.items():
        named[kind] += count
    if any(things[kind] < count for kind, count in named.items()):
        return IMPOSSIBLE
    open_kinds = sum([1 << kind for kind, count in things.items() if count > named[kind]])
    merged: dict[tuple[int, int, tuple[tuple[int, int], ...]], int] = {}
    gone = 0
    for number, (zone, size, excluded) in [*batches.items()]:
        if not size:
            del batches[number]
            continue
        alike = (zone, excluded & open_kinds, tuple(key for key in taken if key[1] >> number & 1))
        first = merged.setdefault(alike, number)
        together = size
        if first != number:
            del batches[number]
            gone |= 1 << number
            together += batches[first].size
        batches[first] = Batch(zone, together, alike[1])
    things = {kind: count for kind, count in things.items() if count}
    return Batches(
        things, batches, {(kind, among & ~gone): n for (kind, among), n in taken.items()}
    )


class _Assignment:
    """Things assigned to batches: one of the possible ways, which questions change to another.

    Every batch is full. So a thing moves to another batch if one there makes room for it, and so
    on, until one finds room where the first thing was.
    """

    def __init__(
        self, supplies: Iterable[tuple[int, int, int]], batches: Mapping[int, Batch]
    ) -> None:
        self.kinds: dict[int, int] = {}
        """The supply of the hidden things of each kind."""
        self.possible: list[int] = []
        self.assigned: list[dict[int, int]] = []
        self.holders = dict.fromkeys(batches, 0)
        """By batch: the supplies with things in it, a bit each."""
        room = {number: batch.size for number, batch in batches.items()}
        left: list[tuple[int, int]] = []
        for supply, (kind, among, count) in enumerate(supplies):
            self.kinds.setdefault(kind, supply)
            self.possible.append(among)
            self.assigned.append({})
            rest = count
            for number in _bits(among):
                part = min(rest, room[number])
                if part:
                    self._assign(supply, number, part)
                    room[number] -= part
                    rest -= part
            if rest:
                left.append((supply, rest))
        free = sum([1 << number for number, size in room.items() if size])
        self.is_complete = True
        for supply, count in left:
            for _ in range(count):
                end = self._shift(supply, self.possible[supply], free)
                if end is None:
                    self.is_complete = False
                    return
                room[end] -= 1
                if not room[end]:
                    free &= ~(1 << end)
        self.is_complete = not free

    def bounds(self, kind: int, inside: int) -> tuple[int, int]:
        """Return the least and the greatest number of hidden things of a kind ``inside``."""
        supply = self.kinds.get(kind)
        if supply is None:
            return 0, 0
        least, elsewhere = self._fewest(supply, inside), self._fewest(supply, ~inside)
        return least, sum(self.assigned[supply].values()) - elsewhere

    def _fewest(self, supply: int, inside: int) -> int:
        """Move as many things of a supply as possible out of some batches; return how many stay."""
        mine = self.assigned[supply]
        while there := [number for number in mine if inside >> number & 1]:
            ends = sum([1 << number for number in there])
            end = self._shift(supply, self.possible[supply] & ~inside, ends)
            if end is None:
                break
            self._assign(supply, end, -1)
        return sum([mine[number] for number in there])

    def _shift(self, supply: int, starts: int, ends: int) -> int | None:
        """Put one more thing into one of ``starts``, by moving others.

        Return the one of ``ends`` that holds one more thing then, or None if there is no way.
        """
        before: dict[int, tuple[int, int] | None] = dict.fromkeys(_bits(starts))
        queue = [*before]
        seen, tried = starts, 1 << supply
        for number in queue:
            if ends >> number & 1:
                self._move(supply, number, before)
                return number
            for other in _bits(self.holders[number] & ~tried):
                tried |= 1 << other
                fresh = self.possible[other] & ~seen
                seen |= fresh
                for following in _bits(fresh):
                    before[following] = (other, number)
                    queue.append(following)
        return None

    def _move(self, supply: int, end: int, before: Mapping[int, tuple[int, int] | None]) -> None:
        number = end
        while (step := before[number]) is not None:
            other, came_from = step
            self._assign(other, number, 1)
            self._assign(other, came_from, -1)
            number = came_from
        self._assign(supply, number, 1)

    def _assign(self, supply: int, number: int, count: int) -> None:
        mine = self.assigned[supply]
        mine[number] = mine.get(number, 0) + count
        if mine[number]:
            self.holders[number] |= 1 << supply
        else:
            del mine[number]
            self.holders[number] &= ~(1 << supply)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low

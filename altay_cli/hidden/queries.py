"""Queries of beliefs: how much is hidden, which things these can be, and how likely."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import comb
from typing import NamedTuple

from altay_cli.base.findings import UNKNOWN_CONTENT, UnrecordedError
from altay_cli.base.values import Bag, Entity, Odds, Placeholder, Unknown, partly_known
from altay_cli.hidden import limits, lots
from altay_cli.hidden.beliefs import Beliefs, Filter, Group
from altay_cli.hidden.lots import Belief, Step, TooManyWorldsError


class Depends(Exception):  # noqa: N818 - nothing is wrong
    """A result depends on the hidden contents of some places."""

    def __init__(self, where: Sequence[int]) -> None:
        super().__init__()
        self.where = tuple(where)


class Content(NamedTuple):
    """One possible content of some places, and the belief under it."""

    group: Group
    things: Bag
    belief: Belief
    packed: int


class Known(NamedTuple):
    """What a bag certainly holds, and what it may hold.

    size: None if it is uncertain.
    shares: the probability that the bag holds each possible thing.
    one_of: some of the smallest sets of which the bag certainly holds a thing.
    """

    size: int | None
    certain: Bag
    shares: dict[Entity, float]
    one_of: Sequence[Sequence[Entity]] = ()


class Queries:
    """Read-only queries of beliefs."""

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs = beliefs
        self.table = beliefs.table

    def unrecorded(self, message: str, where: Sequence[int]) -> Exception:
        """Return the exception for a result that depends on hidden contents of ``where``.

        While contents are supposed it is ``Depends``, which rules never absorb.
        """
        splitting = where and self.table.cells[self.beliefs.splitting]
        return Depends(where) if splitting else UnrecordedError(message)

    @property
    def any_size_uncertain(self) -> bool:
        """Whether some place hides an uncertain number."""
        return any(
            group.now.size_uncertain for group in self.beliefs.groups_at(self.beliefs.groups)
        )

    def uncertain_sizes(self) -> list[tuple[int, list[int]]]:
        """Return cell and possible packed sizes of groups of uncertain sizes."""
        groups = [
            group
            for group in self.beliefs.groups_at(self.beliefs.groups)
            if group.now.size_uncertain
        ]
        amounts = [(group.cell, sorted(group.worlds_by_size())) for group in groups]
        return [(cell, sizes) for cell, sizes in amounts if len(sizes) > 1]

    def is_hidden(self, place: int, only: Filter) -> bool:
        """Return True if a place may hide something selected by ``only``."""
        return any(
            self.beliefs.may_hold_any(group, only)
            for group in self.beliefs.groups_of(place)
            if group.now.is_lost or group.max_size(self.beliefs.zone_of(place))
        )

    def max_of_kinds(self, place: int, some: Callable[[Sequence[Entity]], Sequence[Entity]]) -> int:
        """Return how much a place hides at most, in groups with a kind that ``some`` selects."""
        return sum(
            group.max_size(self.beliefs.zone_of(place))
            for group in self.beliefs.groups_of(place)
            if not group.now.is_lost
            and some([self.beliefs.entity_of(kind) for kind in group.now.kinds])
        )

    def has_copies(self, place: int, item: Entity) -> bool:
        """Return True if a group of the place may hold a thing twice."""
        kind = self.beliefs.kind_of(item)
        return any(
            sum([(things >> kind) & lots.MASK for things, _, _ in world]) > 1
            for group in self.beliefs.groups_of(place)
            for world in group.now.belief or ()
        )

    def may_lack(self, bag: Bag, items: Sequence[Entity]) -> bool:
        """Return True if a bag possibly hides none of ``items``."""

        def may_lack(group: Group, transition: partial[Iterator[Step]]) -> bool:
            belief, batches = group.now.belief, group.now.batches
            if belief is not None:
                return any(any(transition(world)) for world in belief)
            return batches is None or batches.rule_out(**transition.keywords).is_possible

        return all(may_lack(*absence) for absence in self.absence_of(bag, items))

    def absence_of(
        self, bag: Bag, items: Sequence[Entity]
    ) -> list[tuple[Group, partial[Iterator[Step]]]]:
        """Return groups that may hold ``items``, and transitions that rule them out."""
        groups, zones = self._groups_and_zones(bag)
        kinds = [self.beliefs.kind_of(item) for item in items]
        transition = partial(lots.rule_out, zones=zones, kinds=kinds)
        concerned = [group for group in groups if not group.now.kinds.isdisjoint(kinds)]
        self.table.budget.charge(5 * sum([len(group.now.belief or ()) for group in concerned]))
        return [(group, transition) for group in concerned]

    def count_bounds(self, bags: Sequence[Bag], named: Sequence[Entity]) -> tuple[int, int]:
        """Return the least and the greatest number of ``named`` in some bags.

        By batches, those of several kinds are the sums of their bounds.
        """
        bags = list({id(bag): bag for bag in bags}.values())
        least = most = sum(bag.get(item, 0) for bag in bags for item in named)
        groups, zones = self._groups_and_zones(*bags)
        if any(group.now.is_lost for group in groups):
            hidden = sum(bag.unknown.hidden for bag in bags if self.beliefs.place_of(bag) is None)
            return least, most + hidden + sum(map(self.beliefs.max_hidden, self._places_of(bags)))
        kinds = [self.beliefs.kind_of(item) for item in named]
        for group in groups:
            belief = group.now.belief
            if group.now.kinds.isdisjoint(kinds):
                continue
            if belief is None:
                for kind in kinds:
                    low, high = group.bounds(zones, kind)
                    least, most = least + low, most + high
                continue
            name = "bounds", *zones, tuple(kinds)
            bounds = self.beliefs.kept(belief, name)
            if bounds is None:
                self.table.budget.charge(limits.LOOK_STEPS * len(belief))
                bounds = _count_bounds(belief, zones, kinds)
                self.beliefs.keep(belief, name, bounds)
            least += bounds[0]
            most += bounds[1]
        return least, most

    def _groups_and_zones(self, *bags: Bag) -> tuple[list[Group], list[int]]:
        places = [place for place in self._places_of(bags) if self.beliefs.max_hidden(place)]
        return self.beliefs.groups_at(places), [self.beliefs.zone_of(place) for place in places]

    def _places_of(self, bags: Iterable[Bag]) -> list[int]:
        places: list[int] = []
        for bag in bags:
            place = self.beliefs.place_of(bag)
            places += [] if place is None else [place]
            if self.beliefs.placeholders:
                places += [item.cell for item in bag if isinstance(item, Placeholder)]
        return places

    def may_contain(self, place: int, item: Entity) -> bool:
        """Return True if a place may hide a thing, or one like it."""
        if self.beliefs.max_hidden(place) <= 0:
            return False
        if isinstance(item, Placeholder):
            return any(
                self._may_match(group, place, item) for group in self.beliefs.groups_of(place)
            )
        kind, zone = self.beliefs.kinds.get(item), self.beliefs.zone_of(place)
        return any(
            group.now.is_lost
            or (kind in group.now.kinds and (group.possible_kinds(zone) >> kind) & lots.MASK)
            for group in self.beliefs.groups_of(place)
        )

    def _may_match(self, group: Group, place: int, item: Placeholder) -> bool:
        kinds = [self.beliefs.kind_of(thing) for thing in item.among]
        zone, where, mask = self.beliefs.zone_of(place), self.beliefs.zone_of(item.cell), lots.MASK
        if group.now.belief is None or group not in self.beliefs.groups_of(item.cell):
            return any(self.may_contain(place, thing) for thing in item.among)
        self.table.budget.charge(limits.LOOK_STEPS * len(group.now.belief))
        return any(
            (places >> where) & mask
            and (inside >> zone) & mask
            and any(
                (things >> kind) & mask and (others >> kind) & mask >= (2 if other == number else 1)
                for kind in kinds
            )
            for world in group.now.belief
            for number, (things, places, _) in enumerate(world)
            for other, (others, inside, _) in enumerate(world)
        )

    def possible_contents(self, place: int) -> Bag:
        """Return what a place may hide, with maximum counts."""
        if self.beliefs.max_hidden(place) <= 0:
            return Bag()
        most: Counter[int] = Counter()
        zone, mask = self.beliefs.zone_of(place), lots.MASK
        for group in self.beliefs.groups_of(place):
            if group.now.belief is None and group.now.batches is not None:
                most |= {kind: group.bounds([zone], kind)[1] for kind in group.now.kinds}
        for world in [
            world for group in self.beliefs.groups_of(place) for world in group.now.belief or ()
        ]:
            there: Counter[int] = Counter()
            for things, places, _ in world:
                part = (places >> zone) & mask
                for kind, count in lots.fields(things) if part else ():
                    there[kind] += min(part, count)
            most |= there
        return Bag({self.beliefs.entity_of(kind): count for kind, count in most.items() if count})

    def possible_identities(self, placeholder: Placeholder) -> Bag:
        """Return what a placeholder may be; empty without a belief."""
        self.table.budget.charge(10)
        return self.possible_contents(placeholder.cell)

    def known(self, bag: Bag) -> Known | None:
        """Return the known contents of a bag with hidden things."""
        groups, zones = self._groups_and_zones(bag)
        beliefs = [group.now.belief or {} for group in groups]
        if not beliefs or not all(beliefs):
            return None
        shares: dict[Entity, float] = {}
        for belief in beliefs:
            total = sum(belief.values())
            for world, weight in belief.items():
                lacks: dict[int, float] = {}
                for things, places, size in world:
                    part = sum([(places >> zone) & lots.MASK for zone in zones])
                    for kind, count in lots.fields(things) if part else ():
                        absent = comb(size - count, part) / comb(size, part)
                        lacks[kind] = lacks.get(kind, 1.0) * absent
                for kind, share in lacks.items():
                    item = self.beliefs.entity_of(kind)
                    shares[item] = shares.get(item, 0.0) + weight / total * (1 - share)
        least = {item: self.count_bounds([bag], (item,))[0] for item in shares}
        there = {item: n for item, n in bag.items() if not isinstance(item, Placeholder)}
        certain = Bag({item: n for item, n in {**there, **least}.items() if n})
        one_of = self._one_of(bag, certain, shares)
        varies = any(
            len({sum([lots.size_in(world, zone) for zone in zones]) for world in belief}) > 1
            for belief in beliefs
        )
        return Known(None if varies else bag.size(), certain, shares, one_of)

    def _one_of(
        self, bag: Bag, certain: Bag, shares: Mapping[Entity, float]
    ) -> list[tuple[Entity, ...]]:
        place = self.beliefs.place_of(bag)
        groups = () if place is None else self.beliefs.groups_of(place)
        left = limits.MAX_WORLDS // max(sum(len(group.now.belief or ()) for group in groups), 1)
        possible = sorted((i for i in shares if i not in certain), key=lambda i: -shares[i])
        for size in range(2, min(limits.LARGEST_SET, len(possible) - 1) + 1):
            sets = []
            for some in combinations(possible, size):
                if sum([shares[item] for item in some]) < 0.999 or left <= 0:
                    continue  # no certain set
                left -= 1
                if self.count_bounds([bag], some)[0]:
                    sets.append(some)
            if sets:
                return sets[: limits.MOST_SETS]
        return []

    def odds(self, place: int) -> Odds:
        """Return the odds, per 1,000, that a random draw from a place is each thing.

        Open and hidden things count alike; each possible thing gets at least 1.
        """
        size = self.beliefs.bag(place).size()
        shares = {item: float(count) for item, count in self.beliefs.bag(place).items()}
        zone, mask = self.beliefs.zone_of(place), lots.MASK
        for belief in [group.now.belief or {} for group in self.beliefs.groups_of(place)]:
            total = sum(belief.values())
            for world, weight in belief.items():
                for things, places, among in world:
                    part = (places >> zone) & mask
                    for kind, count in lots.fields(things) if part else ():
                        item = self.beliefs.entity_of(kind)
                        share = weight / total * part * count / among
                        shares[item] = shares.get(item, 0.0) + share
        return Odds({item: max(round(1000 * n / size), 1) for item, n in shares.items()})

    def identified(self, bag: Bag) -> Bag:
        """Return a bag, or a sum of bags, with its hidden things identified.

        A sum may be certain where its parts are not: a pile, and what was drawn from it. Raise
        UnrecordedError if it is uncertain.
        """
        likes = [item for item in bag if isinstance(item, Placeholder) and item.known]
        unknown = bag.unknown
        rest = unknown.hidden - sum(map(self.beliefs.max_hidden, unknown.places))
        places = [*unknown.places, *(like.cell for like in likes)]
        if not places and rest <= 0:
            return bag
        several = len(set(places)) < len(places)
        identified = partly_known(
            {item: count for item, count in bag.items() if item not in likes},
            Unknown(max(rest, 0), unknown.absent, unknown.unsure),
        )
        for some in [[place] for place in places] if several else [places]:
            together = self.certain_contents(some)
            if together is None or rest > 0:
                raise self.unrecorded(UNKNOWN_CONTENT, some if rest <= 0 else ())
            for item, count in together:
                identified[item] = identified.get(item, 0) + count
        return identified

    def contents(self, where: Sequence[int], most: int = limits.MAX_WAYS) -> list[Content] | None:
        """Return each possible content of some places together, the likeliest first.

        Take the first of their groups that is uncertain. None without one, without a belief, or
        above ``most`` ways.
        """
        for group in self.beliefs.groups_at(where):
            zones = tuple(
                self.beliefs.zone_of(place) for place in where if place in group.now.places
            )
            if group.now.belief is None:
                return None
            if self._certain_in(group, zones) is not None:
                continue
            if len(group.now.belief) > most:
                return None
            beliefs: dict[int, Belief] = {}
            self.table.budget.charge(limits.WORLD_STEPS * len(group.now.belief))
            ways = 0
            try:
                for world, weight in group.now.belief.items():
                    for inside, becomes, share, _ in lots.split_zones(world, zones, most - ways):
                        ways += 1
                        belief = beliefs.setdefault(inside, {})
                        belief[becomes] = belief.get(becomes, 0.0) + weight * share
            except TooManyWorldsError:
                return None
            self.table.budget.charge(limits.WORLD_STEPS * ways)
            contents = [
                Content(group, Bag(self.beliefs.entities_in(packed)), belief, packed)
                for packed, belief in beliefs.items()
            ]
            return sorted(contents, key=lambda content: -sum(content.belief.values()))
        return None

    def certain_contents(self, where: Sequence[int]) -> list[tuple[Entity, int]] | None:
        """Return the hidden things of some places, if certain."""
        things: list[tuple[Entity, int]] = []
        for group in self.beliefs.groups_at(where):
            zones = [self.beliefs.zone_of(place) for place in where if place in group.now.places]
            packed = self._certain_in(group, zones)
            if packed is None:
                return None
            things += self.beliefs.entities_in(packed)
        return things

    def _certain_in(self, group: Group, zones: Sequence[int]) -> int | None:
        if group.now.is_lost:
            return None
        if group.now.belief is None:
            return self._certain_in_batches(group, zones)
        self.table.budget.charge(len(group.now.belief) >> 2)
        result: int | None = None
        for world in group.now.belief:
            found = 0
            for things, places, size in world:
                inside = sum([(places >> zone) & lots.MASK for zone in zones])
                if inside == size:
                    found += things
                elif inside:
                    return None
            if result is not None and found != result:
                return None
            result = found
        return result

    def _certain_in_batches(self, group: Group, zones: Sequence[int]) -> int | None:
        packed = 0
        for kind in group.now.kinds:
            least, most = group.bounds(zones, kind)
            if least < most:
                return None
            packed += least << kind
        return packed

    def possible_last_copies(
        self, group: Group, zones: Sequence[int], copies: Sequence[Sequence[Entity]]
    ) -> list[Entity]:
        """Return the possible last copies in some zones."""
        if group.now.belief is None:
            return [item for some in copies for item in some]
        worlds = group.now.belief
        self.table.budget.charge(limits.LOOK_STEPS * len(worlds))

        def can_be_first(some: Sequence[Entity]) -> bool:
            kinds = [self.beliefs.kind_of(item) for item in some]
            return any(any(lots.reveal_last(w, zones, kinds, None, only=True)) for w in worlds)

        return [item for some in copies for n, item in enumerate(some) if can_be_first(some[n:])]


def _count_bounds(belief: Belief, zones: Sequence[int], kinds: Sequence[int]) -> tuple[int, int]:
    lows, highs = [], []
    of_kinds = lots.mask_of(kinds)
    for world in belief:
        low = high = 0
        for things, places, size in world:
            if not things & of_kinds:
                continue
            count = sum([(things >> kind) & lots.MASK for kind in kinds])
            part = sum([(places >> zone) & lots.MASK for zone in zones])
            low += max(count - (size - part), 0)
            high += min(count, part)
        lows.append(low)
        highs.append(high)
    return min(lows), max(highs)

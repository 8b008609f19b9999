"""What can be asked of what lies hidden: how much, which things, and how likely."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import comb
from typing import NamedTuple

from altay_cli.base.findings import UNKNOWN_CONTENT, Text, UnrecordedError, joined
from altay_cli.base.values import Bag, Entity, Placeholder, Unknown, partly_known
from altay_cli.hidden import limits, lots
from altay_cli.hidden.beliefs import Beliefs, Group, Only
from altay_cli.hidden.lots import Belief, Step, TooManyWorldsError, World


class Depends(Exception):  # noqa: N818 - nothing is wrong
    """Something depends on what lies hidden in some places together."""

    def __init__(self, where: Sequence[int]) -> None:
        super().__init__()
        self.where = tuple(where)


class Content(NamedTuple):
    """What may be hidden in some places together, of one group: the things, and what is so then."""

    group: Group
    things: Bag
    belief: Belief
    packed: int


class Known(NamedTuple):
    """What is known of a bag: what certainly lies in it, and how likely each thing is.

    ``size`` is how many things lie in it, None if that is not known. ``shares`` tells of each thing
    that may lie there in what share of the courses of hidden events it does, of those that fit.
    Of each of ``one_of`` something lies there for certain, though of none of its things that is so:
    some of the smallest such sets.
    """

    size: int | None
    certain: Bag
    shares: dict[Entity, float]
    one_of: Sequence[Sequence[Entity]] = ()


class Queries(Beliefs):
    """Tells what may lie where; nothing changes."""

    def unrecorded(self, message: str, where: Sequence[int]) -> Exception:
        """Return what to raise where something depends on what lies hidden in places together.

        Whoever goes through all that it may be hears where to look, whatever the rules do with
        errors.
        """
        splitting = where and self.table.cells[self._splitting]
        return Depends(where) if splitting else UnrecordedError(message)

    @property
    def varies(self) -> bool:
        """Whether it may not be known how much is hidden where."""
        return any(group.now.varies for group in self.groups_at(self.groups))

    def varying(self) -> list[tuple[int, list[int]]]:
        """Return what it is not known of how much is hidden where, with all that can be together.

        Each is the number of a group, and how much may lie in each of its zones, packed.
        """
        groups = [group for group in self.groups_at(self.groups) if group.now.varies]
        amounts = [(group.cell, sorted(group.sizes())) for group in groups]
        return [(cell, sizes) for cell, sizes in amounts if len(sizes) > 1]

    def is_hidden(self, place: int, only: Only) -> bool:
        """Tell whether something of what ``only`` tells may be hidden in a place."""
        return any(
            self._may_be_about(group, only)
            for group in self.groups_of(place)
            if group.now.belief is None or group.most(self._zone(place))
        )

    def most_of(self, place: int, some: Callable[[Sequence[Entity]], Sequence[Entity]]) -> int:
        """Return how many hidden things of a place can be ``some`` of those that it may hold."""
        return sum(
            group.most(self._zone(place))
            for group in self.groups_of(place)
            if group.now.belief is not None and some([self.thing(kind) for kind in group.now.kinds])
        )

    def has_copies(self, place: int, item: Entity) -> bool:
        """Tell whether something hidden in a place may be there twice, wherever the other is."""
        kind = self._kind(item)
        return any(
            sum([(things >> kind) & lots.MASK for things, _, _ in world]) > 1
            for group in self.groups_of(place)
            for world in group.now.belief or ()
        )

    def may_lack(self, bag: Bag, items: Sequence[Entity]) -> bool:
        """Tell whether it can be that nothing hidden in a bag is one of some things."""
        return all(
            group.now.belief is None or any(any(happens(world)) for world in group.now.belief)
            for group, happens in self._lacking(bag, items)
        )

    def _lacking(
        self, bag: Bag, items: Sequence[Entity]
    ) -> list[tuple[Group, Callable[[World], Iterable[Step]]]]:
        """Return the groups of a bag that may be about some things, and what it is to lack them."""
        groups, zones = self._inside(bag)
        kinds = [self._kind(item) for item in items]
        happens = partial(lots.rule_out, zones=zones, kinds=kinds)
        concerned = [group for group in groups if not group.now.kinds.isdisjoint(kinds)]
        self.table.charge(5 * sum([len(group.now.belief or ()) for group in concerned]))
        return [(group, happens) for group in concerned]

    def between(self, bags: Sequence[Bag], named: Sequence[Entity]) -> tuple[int, int]:
        """Return how many of some things lie in some bags at the least and at the most."""
        bags = list({id(bag): bag for bag in bags}.values())
        least = most = sum(bag.get(item, 0) for bag in bags for item in named)
        groups, zones = self._inside(*bags)
        if any(group.now.belief is None for group in groups):
            # Any hidden thing may be one of them.
            hidden = sum(bag.unknown.hidden for bag in bags if self.place_of(bag) is None)
            return least, most + hidden + sum(map(self.hidden_in, self._places_in(bags)))
        kinds = [self._kind(item) for item in named]
        for group in groups:
            if not group.now.belief or group.now.kinds.isdisjoint(kinds):
                continue
            self.table.charge(limits.LOOK_STEPS * len(group.now.belief))
            lows, highs = [], []
            for world in group.now.belief:
                low = high = 0
                for things, places, size in world:
                    count = sum([(things >> kind) & lots.MASK for kind in kinds])
                    if count:
                        part = sum([(places >> zone) & lots.MASK for zone in zones])
                        low += max(count - (size - part), 0)
                        high += min(count, part)
                lows.append(low)
                highs.append(high)
            least += min(lows)
            most += max(highs)
        return least, most

    def _inside(self, *bags: Bag) -> tuple[list[Group], list[int]]:
        """Return the groups of what is hidden in bags or unseen there, and where that lies."""
        places = [place for place in self._places_in(bags) if self.hidden_in(place)]
        return self.groups_at(places), [self._zone(place) for place in places]

    def _places_in(self, bags: Iterable[Bag]) -> list[int]:
        """Return where bags lie in which something is hidden, and what they hold for a thing."""
        places: list[int] = []
        for bag in bags:
            place = self.place_of(bag)
            places += [] if place is None else [place]
            if self.likenesses:
                places += [item.cell for item in bag if isinstance(item, Placeholder)]
        return places

    def may_be(self, place: int, item: Entity) -> bool:
        """Tell whether a thing may be among the hidden ones of a place, or one like it."""
        if self.hidden_in(place) <= 0:
            return False
        if isinstance(item, Placeholder):
            return any(self._may_match(group, place, item) for group in self.groups_of(place))
        kind, zone = self._shifts.get(item), self._zone(place)
        return any(
            group.now.belief is None
            or (kind in group.now.kinds and (group.possible(zone) >> kind) & lots.MASK)
            for group in self.groups_of(place)
        )

    def _may_match(self, group: Group, place: int, item: Placeholder) -> bool:
        """Tell whether a hidden thing of a place may be of one kind with what a name stands for."""
        kinds = [self._kind(one) for one in item.among]
        zone, where, mask = self._zone(place), self._zone(item.cell), lots.MASK
        if group.now.belief is None or all(one is not group for one in self.groups_of(item.cell)):
            return any(self.may_be(place, one) for one in item.among)
        self.table.charge(limits.LOOK_STEPS * len(group.now.belief))
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

    def may_hold(self, place: int) -> Bag:
        """Return what may be among the hidden things of a place, each as often as it may be."""
        if self.hidden_in(place) <= 0:
            return Bag()
        most: Counter[int] = Counter()
        zone, mask = self._zone(place), lots.MASK
        for world in [world for group in self.groups_of(place) for world in group.now.belief or ()]:
            there: Counter[int] = Counter()
            for things, places, _ in world:
                part = (places >> zone) & mask
                for kind, count in lots.fields(things) if part else ():
                    there[kind] += min(part, count)
            most |= there
        return Bag({self.thing(kind): count for kind, count in most.items()})

    def meanings(self, one: Placeholder) -> Bag:
        """Return what it may be that something stands for; nothing if that is not worked out."""
        self.table.charge(10)
        return self.may_hold(one.cell)

    def known(self, bag: Bag) -> Known | None:
        """Return what is known of a bag in which something is hidden; None if nothing is."""
        groups, zones = self._inside(bag)
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
                        lacking = comb(size - count, part) / comb(size, part)
                        lacks[kind] = lacks.get(kind, 1.0) * lacking
                for kind, share in lacks.items():
                    item = self.thing(kind)
                    shares[item] = shares.get(item, 0.0) + weight / total * (1 - share)
        least = {item: self.between([bag], (item,))[0] for item in shares}
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
        """Return some of the smallest sets of things of which something certainly lies in a bag."""
        place = self.place_of(bag)
        groups = () if place is None else self.groups_of(place)
        left = limits.MAX_WORLDS // max(sum(len(group.now.belief or ()) for group in groups), 1)
        possible = sorted((i for i in shares if i not in certain), key=lambda i: -shares[i])
        for size in range(2, min(limits.LARGEST_SET, len(possible) - 1) + 1):
            sets = []
            for some in combinations(possible, size):
                if sum([shares[item] for item in some]) < 0.999 or left <= 0:
                    continue  # with a share of less in all, there are courses without any
                left -= 1
                if self.between([bag], some)[0]:
                    sets.append(some)
            if sets:
                return sets[: limits.MOST_SETS]
        return []

    def odds(self, place: int) -> Bag:
        """Return what a thing that is taken out of a place by chance may be, in shares of 1,000.

        Open and hidden things are counted alike; what is possible has a share of 1 at least.
        """
        size = self.bag(place).size()
        shares = {item: float(count) for item, count in self.bag(place).items()}
        zone, mask = self._zone(place), lots.MASK
        for belief in [group.now.belief or {} for group in self.groups_of(place)]:
            total = sum(belief.values())
            for world, weight in belief.items():
                for things, places, among in world:
                    part = (places >> zone) & mask
                    for kind, count in lots.fields(things) if part else ():
                        item = self.thing(kind)
                        share = weight / total * part * count / among
                        shares[item] = shares.get(item, 0.0) + share
        return Bag({item: max(round(1000 * n / size), 1) for item, n in shares.items()})

    def identified(self, bag: Bag) -> Bag:
        """Return a bag, or a sum of bags, with all that lies in it laid open.

        What one zone of a sum lacks another may hold: a deck and the cards drawn from it. Raises
        UnrecordedError where it is not known what lies there.
        """
        likes = [one for one in bag if isinstance(one, Placeholder) and one.known]
        unknown = bag.unknown
        rest = unknown.hidden - sum(map(self.hidden_in, unknown.places))
        places = [*unknown.places, *(like.cell for like in likes)]
        if not places and rest <= 0:
            return bag
        several = len(set(places)) < len(places)
        whole = partly_known(
            {item: count for item, count in bag.items() if item not in likes},
            Unknown(max(rest, 0), unknown.absent, unknown.unsure),
        )
        for some in [[place] for place in places] if several else [places]:
            together = self.together(some)
            if together is None or rest > 0:
                raise self.unrecorded(UNKNOWN_CONTENT, some if rest <= 0 else ())
            for item, count in together:
                whole[item] = whole.get(item, 0) + count
        return whole

    def contents(self, where: Sequence[int], most: int = limits.MAX_WAYS) -> list[Content] | None:
        """Return all that may be hidden in some places together, the likeliest first.

        It is of the first group of theirs of which that is not known; None where it is not worked
        out, and where it may in more than ``most`` ways.
        """
        for group in self.groups_at(where):
            zones = tuple(self._zone(place) for place in where if place in group.now.places)
            if group.now.belief is None:
                return None
            if self._within(group, zones) is not None:
                continue
            if len(group.now.belief) > most:
                return None
            beliefs: dict[int, Belief] = {}
            self.table.charge(limits.WORLD_STEPS * len(group.now.belief))
            ways = 0
            try:
                for world, weight in group.now.belief.items():
                    for inside, becomes, share, _ in lots.split_zones(world, zones, most - ways):
                        ways += 1
                        belief = beliefs.setdefault(inside, {})
                        belief[becomes] = belief.get(becomes, 0.0) + weight * share
            except TooManyWorldsError:
                return None
            self.table.charge(limits.WORLD_STEPS * ways)
            contents = [
                Content(group, Bag(self.things(packed)), belief, packed)
                for packed, belief in beliefs.items()
            ]
            return sorted(contents, key=lambda one: -sum(one.belief.values()))
        return None

    def together(self, where: Sequence[int]) -> list[tuple[Entity, int]] | None:
        """Return what is hidden in some places all together; None if that is not known."""
        things: list[tuple[Entity, int]] = []
        for group in self.groups_at(where):
            zones = [self._zone(place) for place in where if place in group.now.places]
            packed = self._within(group, zones)
            if packed is None:
                return None
            things += self.things(packed)
        return things

    def _within(self, group: Group, zones: Sequence[int]) -> int | None:
        """Return what lies in some zones, if it is the same in all worlds."""
        if group.now.belief is None:
            return None
        self.table.charge(len(group.now.belief) >> 2)
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

    def _least(
        self, group: Group, zones: Sequence[int], copies: Sequence[Sequence[Entity]]
    ) -> list[Entity]:
        """Return which of some copies can be the last of them that lies in some zones."""
        if group.now.belief is None:
            return [item for some in copies for item in some]
        worlds = group.now.belief
        self.table.charge(limits.LOOK_STEPS * len(worlds))

        def can_be_first(some: Sequence[Entity]) -> bool:
            kinds = [self._kind(item) for item in some]
            return any(any(lots.reveal_last(w, zones, kinds, None, only=True)) for w in worlds)

        return [item for some in copies for n, item in enumerate(some) if can_be_first(some[n:])]


# ---------------------------------------------------------------- what stands for things


class OneOf(Placeholder):
    """Stands for a thing by a name that several have; it looks like the last of them.

    Unless they are copies of one, a field can be read where it is the same for all.
    """

    __slots__ = ()

    def __init__(self, hidden: Queries, among: Sequence[Entity], cell: int) -> None:
        super().__init__(among, among[-1], cell, hidden.table.reporter.line)
        if self.differs:
            self.f = Fields(self, hidden, {})


class Unseen(Placeholder):
    """Stands for one thing of which nobody knows what it is.

    A field can be read where it is the same for all that the thing may be by what is recorded;
    ``seen`` are those that the back tells. ``hidden`` knows what it may be. It is equal to nothing
    but itself; where it may be what it is compared to, that cannot be told.
    """

    __slots__ = ("hidden",)

    known = False

    def __init__(
        self, hidden: Queries, among: Sequence[Entity], cell: int, seen: Mapping[str, object]
    ) -> None:
        super().__init__(among, among[0], cell, hidden.table.reporter.line)
        self.hidden = hidden
        words = hidden.table.finding_words
        self.id = "?"
        if seen:
            known = [joined([words.word(one), " ", words.text(seen[one])]) for one in seen]
            self.id = joined(["? (", joined(known, ", "), ")"])
        self.f = Fields(self, hidden, seen)
        self.parent = among[0].parent if len({item.parent for item in among}) == 1 else None

    def __eq__(self, other: object) -> bool:
        """Return whether it is a thing; an UnrecordedError tells that it may be, and may not."""
        if self is other or not isinstance(other, Entity):
            return self is other
        mine = self.hidden.meanings(self)
        if isinstance(other, Unseen):
            theirs = self.hidden.meanings(other)
            common = [item for item in mine if item in theirs]
            if mine and not any(self.hidden.has_copies(self.cell, item) for item in common):
                return False
        elif mine and (other not in mine or len(mine) == 1):
            return other in mine
        message = Text(
            "what follows depends on whether {name} is {thing}, which nobody recorded",
            name=self.id,
            thing=other.id,
        )
        raise self.hidden.unrecorded(message, [self.cell])

    __hash__ = Entity.__hash__


class Fields(dict[str, object]):
    """The fields of what may be one of several things, as far as they are known."""

    __slots__ = ("hidden", "of")

    def __init__(self, of: Placeholder, hidden: Queries, seen: Mapping[str, object]) -> None:
        super().__init__(seen)
        self.of = of
        self.hidden = hidden

    def __missing__(self, field: str) -> object:
        things = self.hidden.meanings(self.of)
        possible = [item.f[field] for item in things]
        if possible and all(value == possible[0] for value in possible):
            return possible[0]
        name = self.of.id
        if self.of.known:  # by a name that several things have
            names = map(self.hidden.table.finding_words.name, things)
            name = joined(names, "/")
        message = Text(
            "what follows depends on the {kind} of {name}, which nobody recorded",
            kind=field,
            name=name,
        )
        raise self.hidden.unrecorded(message, [self.of.cell])

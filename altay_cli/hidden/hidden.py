"""What nobody wrote down: which hidden things may lie in which bag of a state.

A bag lists what is known to lie in it; ``unknown`` says how many further things lie there. Bags
between which hidden things have moved form a group, which has one belief (see ``lots``) about all
of them. A state in which everything was written down has no groups and pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from altay_cli.base.errors import BudgetError
from altay_cli.base.text import Text
from altay_cli.base.values import Bag, Entity, Grid, Likeness, Unknown
from altay_cli.compile.model import Shape
from altay_cli.hidden import lots
from altay_cli.hidden.course import Changed, Covered, Event, Joined, Opened, Sink, Trace
from altay_cli.hidden.lots import CERTAIN, MOST, WIDTH, Belief, Step, TooManyWorldsError, World
from altay_cli.hidden.unseen import Fields, Unseen, deal, unrecorded, zones_of

if TYPE_CHECKING:
    from altay_cli.base.budget import Budget
    from altay_cli.match.state import State


class Happened(NamedTuple):
    """Something that explains why a thing cannot be somewhere: in which line, and to which bag.

    Either things were ``named`` out of the bag; or ``drawn`` things were drawn from it, of so many
    ``there``; or it was made anew of so many, and none is drawn.
    """

    line: int
    bag: Bag
    named: tuple[Entity, ...]
    there: int
    drawn: int


Past = tuple[Any, Happened] | tuple[()]
"""What happened, the last one first: what was before it, and itself."""


NOT_REFILLED = (
    "the {pile} has not been refilled yet: of {size} in it at first, {count} have been drawn"
)
NOT_REFILLED_SINCE = (
    "the {pile} has not been refilled since line {line}: of {size} in it then, {count} have been "
    "drawn"
)
NAMED_ONCE = "{name} was named in one line since"
NAMED_OFTEN = "{name} was named in {count} lines since"
"""What is told beside a thing that cannot be where a statement names it."""

Only = Callable[[Entity], bool] | None
"""What tells which things are meant, if not all."""

SIZE_STEPS = 10
"""What it costs to find out how much lies where in a world."""

MOST_COUNTED = 10_000
"""Of so many packed numbers it is remembered what they count."""


class Group:
    """Bags between which hidden things have moved, and what is believed of them.

    A bag can be in several groups, each about things of other ``kinds``: those that draws told
    apart by what can come.

    ``belief`` is None where there are too many worlds: nothing can be told then. ``varies`` says
    that it is not even known how many things are hidden in which bag; ``Unknown.hidden`` is then
    the most that may be.
    """

    __slots__ = ("_possible", "_sizes", "bags", "belief", "hidden", "kinds", "varies")

    def __init__(self, hidden: Hidden, bag: Bag) -> None:
        self.hidden = hidden
        self.bags: tuple[Bag, ...] = (bag,)
        self.belief: Belief | None = CERTAIN
        self.kinds: frozenset[int] = frozenset()
        self.varies = False
        self._sizes: tuple[tuple[Belief | None, dict[int, Belief]], ...] = ()
        self._possible: tuple[Belief | None, dict[int, int]] = (None, {})

    def most(self, zone: int) -> int:
        """Return how many things are hidden in a zone at the most; 0 where nothing is believed."""
        if not self.varies:
            return next((lots.size_in(world, zone) for world in self.belief or ()), 0)
        return max(((sizes >> zone) & lots.MASK for sizes in self.sizes()), default=0)

    def least(self, zone: int) -> int:
        """Return how many things are hidden in a zone at the least."""
        if not self.varies:
            return self.most(zone)
        return min(((sizes >> zone) & lots.MASK for sizes in self.sizes()), default=0)

    def possible(self, zone: int, budget: Budget) -> int:
        """Return what can lie in a zone, packed: of each thing some number above zero."""
        belief, found = self._possible
        if belief is not self.belief:
            belief, found = self._possible = self.belief, {}
        things = found.get(zone)
        if things is None:
            budget.charge(5 + len(belief or ()))
            things = 0
            for world in belief or ():
                for some, places, _ in world:
                    if (places >> zone) & lots.MASK:
                        things |= some
            found[zone] = things
        budget.charge(5)
        return things

    def sizes(self) -> Mapping[int, Belief]:
        """Return all that can be hidden in the zones together: how much in each, packed.

        With each come the worlds in which it is so.
        """
        for belief, found in self._sizes:
            if belief is self.belief:
                return found
        belief, found = self.belief or {}, {}
        self.hidden.state.spend(SIZE_STEPS * len(belief))
        for world, weight in belief.items():
            found.setdefault(lots.sizes(world), {})[world] = weight
        # What is supposed is less than what is gone back to, and asked again.
        others = sorted(self._sizes, key=lambda one: -len(one[0] or ()))
        self._sizes = (self.belief, found), *others[:1]
        return found


class Content(NamedTuple):
    """What may be hidden in some bags together, of one group: the things, and what is so then."""

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


def _amount(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}\u2013{high}"


class Loop(NamedTuple):
    """The condition with which a draw goes on.

    ``zones`` are those that it looks at, and ``counts`` those of which it asks more than which
    things lie there.
    """

    goes_on: Callable[[], bool]
    zones: frozenset[int]
    counts: frozenset[int]


_SPREAD, _ELSEWHERE = -1, -2
"""Things in several zones, and things in a zone that a condition does not look at."""


def index_of(state: State, bag: Bag, zones: Iterable[int]) -> int | None:
    """Return which of some zones a bag belongs to; None if to none of them."""
    for index in zones:
        todo = [state.z[index]]
        while todo:
            one = todo.pop()
            if one is bag:
                return index
            if isinstance(one, Grid):
                todo += one.values()
    return None


class _Going:
    """Tells of each world whether a draw goes on in it.

    The condition is asked once for all worlds that are the same in what it looks at. While it is
    open, the bags of the group may hold what they would in some world. Closed, it remembers.
    """

    def __init__(self, hidden: Hidden, group: Group, loop: Loop) -> None:
        self.hidden = hidden
        self._goes_on: Callable[[], bool] | None = loop.goes_on
        self._told: dict[tuple[int, ...], bool] = {}
        read = [
            (zone, bag, index)
            for bag in group.bags
            if (zone := hidden.numbers.get(bag)) is not None
            and (index := index_of(hidden.state, bag, loop.zones)) is not None
        ]
        self._numbers = {zone: 2 * n for n, (zone, _, _) in enumerate(read)}
        self._counts = [index in loop.counts for *_, index in read for _ in range(2)]
        self._tops = sum(1 << (kind + WIDTH - 1) for kind in group.kinds)
        self._ones = sum((1 << (WIDTH - 1)) - 1 << kind for kind in group.kinds)
        self._places: dict[int, int] = {}
        """Of places that are all in one zone: where in a key it is told what lies there."""
        self._bags = [(bag, dict(bag), bag.unknown, group.most(zone)) for zone, bag, _ in read]
        """What lies in each of them in any world, what is unknown, and how much is the group's."""
        self._steps = 5 + sum(len(bag) >> 2 for bag in group.bags)

    def __call__(self, world: World) -> bool:
        key = self._key(world)
        found = self._told.get(key)
        if found is None:
            if self._goes_on is None:
                return False
            self.hidden.state.charge(self._steps)
            self._open(key)
            sized = self.hidden.state.sized
            found = self._told[key] = self._goes_on()
            self.hidden.state.sized = sized
        return found

    def _key(self, world: World) -> tuple[int, ...]:
        """Return what the condition can see of a world."""
        key = [0] * len(self._counts)
        for things, places, size in world:
            at = self._places.get(places)
            if at is None:
                at = self._place(places, size)
            if at >= 0:
                if self._counts[at]:
                    key[at] += things
                else:
                    key[at] |= (things + self._ones) & self._tops
            elif at == _SPREAD:
                for zone, part in lots.unpacked(places):
                    at = self._numbers.get(zone, _ELSEWHERE)
                    if at >= 0 and self._counts[at]:
                        key[at + 1] += part
        return tuple(key)

    def _place(self, places: int, size: int) -> int:
        """Find out whether places are all in one zone, and which."""
        zone = (places.bit_length() - 1) // WIDTH * WIDTH
        whole = places == size << zone
        at = self._places[places] = self._numbers.get(zone, _ELSEWHERE) if whole else _SPREAD
        return at

    def _open(self, key: Sequence[int]) -> None:
        """Let all lie openly in the bags that the condition can see there."""
        for n, (bag, before, unknown, most) in enumerate(self._bags):
            things, hidden = key[2 * n], key[2 * n + 1]
            bag.clear()
            bag.update(before)
            bag.unknown = unknown._replace(hidden=unknown.hidden - most + hidden)
            # Of what is not counted, one of each is as good as all.
            for item, count in self.hidden.counted(
                things if self._counts[2 * n] else things >> (WIDTH - 1)
            ):
                bag[item] = bag.get(item, 0) + count

    def close(self) -> None:
        """Ask no more: what is asked about may be otherwise from now on."""
        self._goes_on = None
        for bag, before, unknown, _ in self._bags:
            bag.clear()
            bag.update(before)
            bag.unknown = unknown

    def __enter__(self) -> _Going:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


TOO_MUCH = "what is not recorded could be more than {count} things from here on"
"""What is told where that is more than can be gone through."""

UNKNOWN_CONTENT = "what follows depends on what lies where nobody recorded it"

LARGEST_SET = 3
"""The largest set of things of which it is told that one of them certainly lies somewhere."""

MOST_SETS = 2
"""So many of them are told."""

MOST_LOOKED_AT = 20_000
"""In so many worlds sets are looked for, each time it is asked."""

MOST_LIMITED = 2_000
"""In so many ways it is gone through what some bags hold, to limit that to what fits."""

CHANGE_STEPS = 150
WORLD_STEPS = 25
"""What a change costs, however little is believed, and for each world before or after it."""

SUPPOSED_STEPS = 100
"""What it costs to ask a condition where bags hold one of the things that they may hold."""

MANY_WORLDS = 1_000
"""Where the steps run out in changing so many worlds, it is these that took them."""

UNDECIDED = "undecided"
"""The code of the error that says so."""

LEAST_STEPS = 10
"""What it costs to ask of a world which of several copies can be the least in some zones."""

BETWEEN_STEPS = 8
"""What it costs to count some things in a world."""


class Hidden:
    """All that is hidden in one state. Every change is journalled in it."""

    __slots__ = (
        "_counted",
        "_groups",
        "_kinds",
        "_shifts",
        "_varying",
        "likenesses",
        "numbers",
        "past",
        "single",
        "splitting",
        "state",
        "trace",
        "used",
    )

    def __init__(self, state: State) -> None:
        self.state = state
        self._kinds: list[Entity] = []
        self._counted: dict[int, list[tuple[Entity, int]]] = {}
        self._shifts: dict[Entity, int] = {}
        self._groups: dict[Bag, tuple[Group, ...]] = {}
        self._varying: list[Bag] = []
        self.numbers: dict[Bag, int] = {}
        """The numbers of bags in which something has been hidden, as beliefs name them."""
        self.likenesses: dict[int, Likeness] = {}
        """What has stood for one of several things, by the zone in which that one lies."""
        self.past: Past = ()
        """What was named, drawn and shuffled, the last one first."""
        self.trace: Trace | None = None
        """The events of beliefs, the last one first, if they are to be gone through."""
        self.used = False
        """Whether anything has happened to hidden things, beside what rules only take note of."""
        self.splitting = False
        """Whether somebody goes through all that may lie where the rules look."""
        self.single = False
        """Whether one course of what nobody wrote down is followed, the likeliest, and not all."""

    # ------------------------------------------------------------ numbers

    def _zone(self, bag: Bag) -> int:
        return self.numbers.get(bag) or self.numbers.setdefault(bag, self.spare)

    def _kind(self, item: Entity) -> int:
        shift = self._shifts.get(item)
        if shift is None:
            shift = self._shifts[item] = len(self._kinds) * WIDTH
            self._kinds.append(item)
        return shift

    def _things(self, packed: int) -> list[tuple[Entity, int]]:
        return [(self._kinds[shift // WIDTH], count) for shift, count in lots.fields(packed)]

    def counted(self, packed: int) -> list[tuple[Entity, int]]:
        """Return how many there are of each thing in a number."""
        found = self._counted.get(packed)
        if found is None:
            if len(self._counted) >= MOST_COUNTED:
                self._counted.clear()
            found = self._counted[packed] = self._things(packed)
        return found

    @property
    def spare(self) -> int:
        """The number of a zone in which nothing lies."""
        return (1 + len(self.numbers)) * WIDTH

    def thing(self, kind: int) -> Entity:
        """Return the thing of a kind, by its number."""
        return self._kinds[kind // WIDTH]

    # ------------------------------------------------------------ bags

    def _hold(self, bag: Bag, hidden: int, absent: int | None = None) -> None:
        """Let so many things be hidden in a bag, and so many of those that it lists be absent."""
        _, before, unsure, _ = bag.unknown
        zones = (bag,) if hidden else ()
        unknown = Unknown(hidden, before if absent is None else absent, unsure, zones)
        self.state.attribute(bag, "unknown", unknown)
        self.state.hides = True

    # ------------------------------------------------------------ groups

    def groups_of(self, bag: Bag) -> tuple[Group, ...]:
        """Return the groups of a bag; none of one in which nothing has been hidden."""
        return self._groups.get(bag, ())

    def varies_in(self, bag: Bag) -> bool:
        """Return whether it may not be known how much is hidden in a bag."""
        return any(group.varies for group in self.groups_of(bag))

    def least_in(self, bag: Bag) -> int:
        """Return how many things are hidden in a bag at the least."""
        zone = self._zone(bag)
        return sum([group.least(zone) for group in self.groups_of(bag)])

    def _group(self, *bags: Bag, only: Only = None) -> Group:
        """Return the one group of some bags; what was believed of several is believed of it.

        With ``only``, groups stay as they are in which there is nothing of what it tells.
        """
        state = self.state
        found: dict[int, Group] = {}
        for bag in bags:
            for group in self.groups_of(bag):
                if only is None or group.belief is None or self._may_be_about(group, only):
                    found[id(group)] = group
        first, *others = found.values() or (Group(self, bags[0]),)
        if not found:
            state.put(self._groups, bags[0], (*self.groups_of(bags[0]), first))
        for other in others:
            belief = self._combined(first.belief, other.belief)
            self._note(Joined(first, other, first.belief or {}, other.belief or {}))
            state.attribute(first, "belief", belief)
            state.attribute(first, "kinds", first.kinds | other.kinds)
            state.attribute(first, "varies", first.varies or other.varies)
            for bag in other.bags:
                left = tuple(group for group in self.groups_of(bag) if group is not other)
                state.put(self._groups, bag, left)
                self._join(first, bag)
        for bag in bags:
            self._join(first, bag)
        return first

    def _may_be_about(self, group: Group, only: Callable[[Entity], bool]) -> bool:
        """Tell whether a group may be about some of the things that ``only`` tells."""
        return any(only(self.thing(kind)) for kind in group.kinds)

    def _join(self, group: Group, bag: Bag) -> None:
        """Let a group be about a bag as well."""
        if all(one is not group for one in self.groups_of(bag)):
            self.state.put(self._groups, bag, (*self.groups_of(bag), group))
            if all(one is not bag for one in group.bags):
                self.state.attribute(group, "bags", (*group.bags, bag))

    def _combined(self, one: Belief | None, other: Belief | None) -> Belief | None:
        if one is None or other is None:
            return None
        if len(one) * len(other) > lots.MAX_WORLDS:
            self.state.reporter.undecided(lots.MAX_WORLDS)
            return None
        return {
            lots.world_of((*first, *second)): weight * share
            for first, weight in one.items()
            for second, share in other.items()
        }

    def _note(self, event: Event) -> None:
        """Remember an event, if somebody wants to go back through them."""
        if self.trace is not None:
            self.state.attribute(self, "trace", (self.trace, event))

    def _change(
        self,
        group: Group,
        happens: Callable[[World], Iterable[Step]],
        sink: Sink | None = None,
        whole: Callable[[Belief], Iterable[Step]] | None = None,
        among: int | None = None,
    ) -> bool:
        """Let something happen; tell whether it can. Where it cannot, nothing changes.

        ``sink`` is told what was drawn or named, if somebody goes back through the events. Where
        it is less work for all worlds together, ``whole`` does the same to them. ``among`` is how
        many worlds are looked at, if not all.
        """
        belief = group.belief
        if belief is None:
            return True
        self._look_at(len(belief) if among is None else among)
        found: Belief | None
        try:
            found = (
                lots.after_all(belief, whole) if whole else lots.after(belief, happens, self._pay)
            )
        except TooManyWorldsError:
            found = None
            self.state.reporter.undecided(lots.MAX_WORLDS)
            if group.varies:
                self._lose(group, sum(one.unknown.hidden for one in group.bags))
        if found is not None and not found:
            return False
        if self.single and found:
            found = {max(found.items(), key=lambda pair: pair[1])[0]: 1.0}
        if not self.used and not self._is_noted(group):
            self.state.attribute(self, "used", True)
        self._note(Changed(group, happens, belief, sink))
        self.state.attribute(group, "belief", found)
        return True

    def _look_at(self, worlds: int) -> None:
        """Pay for a change of so many worlds.

        Raises:
            BudgetError: if that is too much, which is not the rules' fault but that of the worlds.

        """
        try:
            self.state.charge(CHANGE_STEPS + WORLD_STEPS * worlds)
        except BudgetError as error:
            if worlds < MANY_WORLDS:
                raise
            raise BudgetError(UNDECIDED, Text(TOO_MUCH, count=f"{worlds - 1:,}")) from error

    def _pay(self, worlds: int) -> None:
        """Pay for the worlds that one became; the first is paid for with that."""
        if worlds > 1:
            self.state.spend(WORLD_STEPS * (worlds - 1))

    def _is_noted(self, group: Group) -> bool:
        """Tell whether a group is about what rules take note of, and not only about things."""
        tallies = [zone.index for zone in self.state.pack.zones if zone.tally]
        return any(index_of(self.state, bag, tallies) is not None for bag in group.bags)

    def _count(self, group: Group) -> None:
        """Count what is hidden in the bags of a group of which that was not known."""
        belief = group.belief
        if not group.varies or belief is None:
            return
        self.state.charge(len(belief))
        varies = False
        for bag in group.bags:
            zone = self._zone(bag)
            sizes = {(one >> zone) & lots.MASK for one in group.sizes()}
            varies = varies or len(sizes) > 1
            most = max(sizes) + sum(
                one.most(zone) for one in self.groups_of(bag) if one is not group
            )
            if bag.unknown.hidden != most:
                self._hold(bag, most)
        if not varies:
            self.state.attribute(group, "varies", False)

    def _open(self, group: Group) -> None:
        """Lay open what is known to lie in a bag, if only one world is left."""
        self._count(group)
        if self.likenesses:
            self._tell(group)
        belief = group.belief
        if belief is None or len(belief) != 1:
            return
        ((world, _),) = belief.items()
        known = {self.numbers.get(bag): bag for bag in group.bags}
        rest = []
        for things, places, size in world:
            zone = (places.bit_length() - 1) // WIDTH * WIDTH
            bag = known.get(zone)
            if isinstance(self.likenesses.get(zone), Unseen):
                bag = None  # what stands for it stays until a statement names it
            if bag is None or places >> zone != size or (places & ((1 << zone) - 1)):
                rest.append((things, places, size))
                continue
            self._hold(bag, bag.unknown.hidden - size)
            for item, count in self._things(things):
                if zone in self.likenesses:
                    self._replace(self.likenesses[zone], item)
                else:
                    self.state.add(bag, item, count)
        if len(rest) < len(world):
            self._note(Opened(group, world, tuple(rest)))
            self.state.attribute(group, "belief", {tuple(rest): 1.0})

    def _tell(self, group: Group) -> None:
        """Put things in the places of what has stood for them, where it is known which they are."""
        for bag in group.bags:
            likeness = self.likenesses.get(self.numbers.get(bag, 0))
            if likeness is None or isinstance(likeness, Unseen) or not bag.unknown.hidden:
                continue
            zone = self._zone(bag)
            kinds = list(lots.fields(group.possible(zone, self.state)))
            if group.belief is None or len(kinds) != 1:
                continue
            kind = kinds[0][0]
            self._change(group, partial(lots.revealed, zones=(zone,), kind=kind, to=None))
            self._hold(bag, 0)
            self._replace(likeness, self.thing(kind))

    def _replace(self, likeness: Likeness, item: Entity) -> None:
        """Put a thing in the place of what has stood for it."""
        todo = list(self.state.z)
        self.state.charge(len(todo))
        while todo:
            zone = todo.pop()
            if isinstance(zone, Bag):
                if likeness in zone:
                    self.state.add(zone, likeness, -1)
                    self.state.add(zone, item, 1)
            elif isinstance(zone, Grid):
                self.state.charge(len(zone))
                todo.extend(zone.values())

    # ------------------------------------------------------------ sizes

    @property
    def varies(self) -> bool:
        """Whether it may not be known how much is hidden where."""
        return bool(self._varying)

    def varying(self) -> list[tuple[Group, list[int]]]:
        """Return what it is not known of how much is hidden where, with all that can be together.

        Each is how much lies in each zone, packed.
        """
        groups = {id(group): group for bag in self._varying for group in self.groups_of(bag)}
        found = [(group, sorted(group.sizes())) for group in groups.values() if group.varies]
        return [(group, sizes) for group, sizes in found if len(sizes) > 1]

    def assume(self, group: Group, sizes: Container[int]) -> None:
        """Keep the worlds in which so much of a group is hidden in its zones, packed."""
        kept = {
            world: weight
            for size, worlds in group.sizes().items()
            if size in sizes
            for world, weight in worlds.items()
        }
        self._change(
            group,
            lambda world: ((world, 1.0, None),) if lots.sizes(world) in sizes else (),
            whole=lambda _: ((world, weight, None) for world, weight in kept.items()),
            among=len(kept) // 5,  # they are only kept
        )
        self._open(group)

    # ------------------------------------------------------------ what happens

    def cover(
        self, bag: Bag, only: Only = None, *, apart: bool = False, kept: Bag | None = None
    ) -> None:
        """Take what lies openly in a bag as hidden, to be mixed with what is; or ``only`` some.

        They are told ``apart`` from all else there if they are drawn by themselves. What is
        ``kept`` stays open.
        """
        state = self.state
        group = self._group(bag, only=only if apart else None)
        zone = self._zone(bag)
        packed = size = 0
        kept = kept or Bag()
        covered = [
            (item, n - kept.get(item, 0))
            for item, n in bag.items()
            if (only is None or only(item)) and n > kept.get(item, 0)
        ]
        state.charge(len(bag))
        fits = True
        for item, count in covered:
            state.add(bag, item, -count)
            if isinstance(item, Likeness):
                self._pour(item.holder, bag)
                group = self._group(bag, item.holder)
                continue
            fits = fits and size + count <= MOST
            packed += count << self._kind(item)
            size += count
        if size:
            kinds = {kind for kind, _ in lots.fields(packed)}
            state.attribute(group, "kinds", group.kinds | kinds)
        unknown = bag.unknown
        lacking = min(unknown.absent, size) if only is None else 0
        self._hold(bag, unknown.hidden + size - lacking, unknown.absent - lacking)
        if not fits:
            state.reporter.undecided(MOST)
            state.attribute(group, "belief", None)
        elif size and group.belief is not None:
            lot = (packed, ((size - lacking) << zone) + lacking, size)
            self._note(Covered(group, lot, group.belief))
            belief = {lots.world_of((*w, lot)): n for w, n in group.belief.items()}
            state.attribute(group, "belief", belief)

    def draw(
        self, source: Bag, target: Bag, count: int, only: Only = None, *, as_far: bool = False
    ) -> Sink:
        """Move so many things, nobody wrote down which; ``source`` holds as many.

        With ``as_far``, nothing moves in the worlds in which none is left. Returns what will tell
        which they were, if somebody goes back through the events.
        """
        sink: Sink = []
        group, allowed = self._drawing(source, target, only)
        here, there = self._zone(source), self._zone(target)
        # Of what is left then, the worlds tell.
        sizes = [1] * count if group.varies else [count]
        for size in sizes:
            self._sort(group, here, allowed)
            happens = partial(
                lots.drawn, source=here, target=there, count=size, allowed=allowed, as_far=as_far
            )
            self._change(group, happens, sink)
        self._hold(source, source.unknown.hidden - count)
        self._hold(target, target.unknown.hidden + count)
        self._open(group)
        return sink

    def runs_out(self, bag: Bag, only: Only) -> bool:
        """Keep the worlds in which nothing can be drawn from a bag; tell whether there are any."""
        if any(only is None or only(item) for item in bag):
            return False
        group, allowed = self._drawing(bag, bag, only)
        zone = self._zone(bag)
        if group.belief is None:
            return False
        kept = self._change(
            group,
            lambda world: () if lots.can_give(world, zone, allowed) else ((world, 1.0, None),),
        )
        self._open(group)
        return kept

    def _drawing(self, source: Bag, target: Bag, only: Only) -> tuple[Group, int | None]:
        """Return the group of what can be drawn from a bag, and which things those are, if not all.

        Things that can be drawn are told from others in each world.
        """
        if source:
            self.cover(source, only, apart=True)
        if only is None:
            return self._group(source, target), None
        group = self._group(source, only=only)
        self._join(group, target)
        kinds = [kind for kind in group.kinds if only(self.thing(kind))]
        if len(kinds) == len(group.kinds):
            return group, None
        allowed = sum(lots.MASK << kind for kind in kinds)
        self._sort(group, self._zone(source), allowed)
        return group, allowed

    def _sort(self, group: Group, zone: int, allowed: int | None) -> None:
        """Tell apart in a zone what can be drawn and what cannot, if that is not all."""
        if allowed is None or group.belief is None:
            return
        kinds = [kind for kind in group.kinds if (allowed >> kind) & lots.MASK]
        if any(lots.needs_sorting(world, zone, allowed) for world in group.belief):
            self._change(group, lambda world: lots.sorted_out(world, kinds, zone))

    def deal(
        self, source: Bag, target: Bag, count: int, only: Only, backs: Sequence[str]
    ) -> list[Sink]:
        """Move so many things, nobody wrote down which; each is told by the fields on its back."""
        return deal(self, source, target, count, only, backs)

    def take_in(self, thing: Likeness) -> int:
        """Take note of what stands for a thing; return where that lies."""
        zone = self._zone(thing.holder)
        thing.line = self.state.reporter.line
        self.likenesses[zone] = thing
        return zone

    def kept(self) -> set[int]:
        """Return where beliefs are kept, beside groups: the ids of what changes with them."""
        return {id(self), id(self._groups), *(id(one.holder) for one in self.likenesses.values())}

    def is_hidden(self, bag: Bag, only: Only) -> bool:
        """Tell whether something of what ``only`` tells may be hidden in a bag."""
        return any(
            only is None or group.belief is None or self._may_be_about(group, only)
            for group in self.groups_of(bag)
            if group.belief is None or group.most(self._zone(bag))
        )

    def most_of(self, bag: Bag, some: Callable[[Sequence[Entity]], Sequence[Entity]]) -> int:
        """Return how many hidden things of a bag can be ``some`` of those that it may hold."""
        zone = self._zone(bag)
        return sum(
            group.most(zone)
            for group in self.groups_of(bag)
            if group.belief is not None and some([self.thing(kind) for kind in group.kinds])
        )

    def draw_one(self, source: Bag, target: Bag, only: Only) -> Sink:
        """Draw something in all worlds; nobody wrote down what, or how many more may lie there."""
        sink: Sink = []
        group, allowed = self._drawing(source, target, only)
        here, there = self._zone(source), self._zone(target)
        self._change(group, lambda world: lots.drawn(world, here, there, 1, allowed), sink)
        self._vary(group, source)
        return sink

    def draw_on(
        self,
        source: Bag,
        target: Bag,
        only: Only,
        loop: Loop,
    ) -> tuple[Sink, bool, bool]:
        """Draw as long as a condition holds, in each world; nobody wrote down what came.

        The condition is asked with ``target`` as it is in that world. Returns what will tell what
        came, and whether something came in some world and in every one.
        """
        sink: Sink = []
        group, allowed = self._drawing(source, target, only)
        here, there = self._zone(source), self._zone(target)
        kept: list[World] = []
        with self._draw_going_on(group, target, loop) as going:
            worlds = len(group.belief or ())
            whole = partial(
                lots.drawn_on,
                source=here,
                target=there,
                going=going,
                allowed=allowed,
                single=self.single,
                traced=self.trace is not None,
            )
            every = partial(whole, kept=kept, pay=self._pay)
            self._change(group, lambda world: whole({world: 1.0}), sink, every)
        if worlds and group.belief is None:
            self._lose(group, sum(one.unknown.hidden for one in group.bags))
        self._vary(group, source)
        return sink, len(kept) < worlds, bool(worlds) and not kept

    def keep_going(
        self,
        source: Bag,
        target: Bag,
        only: Only,
        loop: Loop,
        *,
        more: bool,
    ) -> bool:
        """Keep the worlds in which a draw goes on, or is over; tell whether there are any."""
        group, allowed = self._drawing(source, target, only)
        here = self._zone(source)
        with self._draw_going_on(group, target, loop) as going:

            def happens(world: World) -> Iterable[Step]:
                goes = lots.can_give(world, here, allowed) and going(world)
                return ((world, 1.0, None),) if goes == more else ()

            kept = self._change(group, happens)
        self._vary(group, source)
        return kept

    def give_up(self, bag: Bag, only: Only) -> None:
        """Believe whatever a log says of what is hidden in a bag and where that came from."""
        group = self._group(bag, only=only)
        self._lose(group, sum(group.most(self._zone(one)) for one in group.bags))
        self.state.attribute(group, "belief", None)

    def _lose(self, group: Group, most: int) -> None:
        """Let each bag of a group hold so many hidden things, for nothing is known of it."""
        for one in group.bags:
            self._hold(one, max(one.unknown.hidden, most))

    def _vary(self, group: Group, bag: Bag) -> None:
        """Take note that it may not be known how much of a group is hidden in a bag."""
        if group.belief is None:
            return
        self.state.attribute(group, "varies", True)
        if all(one is not bag for one in self._varying):
            self._varying.append(bag)
        self._open(group)

    def _draw_going_on(self, group: Group, target: Bag, loop: Loop) -> _Going:
        """Return what tells of each world whether a draw goes on in it."""
        there = self._zone(target)
        if group.belief is not None and any(lots.is_spread(w, there) for w in group.belief):
            self._change(group, lambda world: lots.mixed(world, there))
        return _Going(self, group, loop)

    def replenish(self, source: Bag, refill: Bag) -> None:
        """Put all of another bag into a pile that is empty, in the worlds in which it is.

        The pile is known to hold at most what is hidden in it.
        """
        if not self.varies_in(source):
            return
        group = self._group(source)
        here = self._zone(source)
        if group.belief is None or all(lots.size_in(world, here) for world in group.belief):
            return
        self.cover(refill)
        group = self._group(source, refill)
        there = self._zone(refill)

        def happens(world: World) -> Iterable[Step]:
            if lots.size_in(world, here):
                return ((world, 1.0, None),)
            return [
                (mixed, share, lots.Both(poured, decided))
                for filled, _, poured in lots.poured(world, there, here)
                for mixed, share, decided in lots.mixed(filled, here)
            ]

        self._change(group, happens)
        self._open(group)

    def pour(self, source: Bag, target: Bag) -> None:
        """Move all that is hidden in a bag to another."""
        self._open(self._pour(source, target))

    def _pour(self, source: Bag, target: Bag) -> Group:
        group = self._group(source, target)
        here, there = self._zone(source), self._zone(target)
        self._change(group, lambda world: lots.poured(world, here, there))
        self._hold(target, target.unknown.hidden + source.unknown.hidden)
        self._hold(source, 0)
        return group

    def shuffle(self, source: Bag, target: Bag) -> None:
        """Move all of a bag into an empty one, open and hidden things mixed."""
        self.cover(source)
        self._pour(source, target)
        group = self._group(source, target)
        zone = self._zone(target)
        if group.belief is not None and any(lots.needs_mixing(w, zone) for w in group.belief):
            self._change(group, lambda world: lots.mixed(world, zone))
        self._open(group)

    def reveal(self, bags: Sequence[Bag], named: Sequence[Entity]) -> Entity | None:
        """Take one of the hidden things out of some bags: the one that a name means there.

        ``named`` are all that it can mean. Of copies of one thing it means the last of them that
        lies there, which differs from world to world. Returns which it is, or what stands for it
        where it may be several; None if it cannot be any of them, and nothing changes then.
        """
        every, state = bags, self.state
        bags = [bag for bag in {id(bag): bag for bag in bags}.values() if bag.unknown.hidden > 0]
        possible = [
            item for item in dict.fromkeys(named) if any(self.may_be(bag, item) for bag in bags)
        ]
        if not possible:
            if every:
                self.forbid((bags or every)[0], named)
            return None
        self.remember(bags[0], named)
        bags = [bag for bag in bags if any(self.may_be(bag, one) for one in possible)]
        group = self._group(*bags, only=possible.__contains__)
        zones = [self._zone(bag) for bag in bags]
        copies = self._copies(possible)
        if copies:
            possible = self._least(group, zones, copies)
        item = possible[0]
        if len(possible) > 1:
            item = Likeness(possible, possible[-1])
            if len({one.parent or one for one in possible}) > 1:
                item.f = Fields(item, self)
        to: int | None = None
        if isinstance(item, Likeness):
            self._join(group, item.holder)
            to = self.take_in(item)
            self._hold(item.holder, 1)
        kinds = [self._kind(one) for one in possible]

        def happens(world: World) -> Iterable[Step]:
            if copies:
                return self._taken_least(world, zones, copies, to)
            return (step for kind in kinds for step in lots.revealed(world, zones, kind, to))

        whole: Callable[[Belief], Iterable[Step]] | None = None
        if len(kinds) == 1 and self.trace is None:
            whole = partial(lots.all_revealed, zones=zones, kind=kinds[0], to=to)
        self._change(group, happens, item.was if isinstance(item, Likeness) else None, whole)
        if len(bags) > 1:
            state.attribute(group, "varies", True)
            if all(bag is not bags[0] for bag in self._varying):
                self._varying.append(bags[0])
        else:
            self._hold(bags[0], bags[0].unknown.hidden - 1)
        # What is known now is laid open with what happens next: until then, what was named
        # is what the statement has named.
        self._count(group)
        return item

    def _copies(self, things: Sequence[Entity]) -> list[list[Entity]]:
        """Return things with copies of one together, if there are any copies; else nothing."""
        found: dict[Entity, list[Entity]] = {}
        for thing in things:
            found.setdefault(thing.parent or thing, []).append(thing)
        return list(found.values()) if len(found) < len(things) else []

    def _taken_least(
        self, world: World, zones: Sequence[int], copies: Sequence[Sequence[Entity]], to: int | None
    ) -> Iterator[Step]:
        """Take out of some zones the last of some copies that lies there, of any of several."""
        for some in copies:
            yield from lots.least_revealed(world, zones, [self._kind(one) for one in some], to)

    def _least(
        self, group: Group, zones: Sequence[int], copies: Sequence[Sequence[Entity]]
    ) -> list[Entity]:
        """Return which of some copies can be the last of them that lies in some zones."""
        if group.belief is None:
            return [item for some in copies for item in some]
        self.state.charge(LEAST_STEPS * len(group.belief))
        found = []
        for some in copies:
            kinds = [self._kind(item) for item in some]
            for number, item in enumerate(some):
                if any(
                    any(lots.least_revealed(world, zones, kinds[number:], None, only=True))
                    for world in group.belief
                ):
                    found.append(item)
        return found

    def name(
        self,
        holders: Sequence[Bag],
        possible: Sequence[Entity],
        like: Likeness | None,
        taken: Callable[[World, Sequence[int], Sequence[int], int | None], Iterable[Step]],
    ) -> None:
        """Let a thing in one of some bags be one of those that it may be, and take it out.

        ``taken`` says how, so that the first bag is the one that is empty then. ``like`` stands
        for what was taken, if that may be several things.
        """
        group = self._group(*holders, only=possible.__contains__)
        to: int | None = None
        if like is not None:
            self._join(group, like.holder)
            to = self.take_in(like)
            self._hold(like.holder, 1)
        zones = [self._zone(bag) for bag in holders]
        kinds = [self._kind(one) for one in possible]
        was = like.was if like is not None else None
        self._change(group, lambda world: taken(world, zones, kinds, to), was)
        self._hold(holders[0], 0)
        self._count(group)

    def either(self, item: Entity | None, ways: Sequence[tuple[Bag, Bag]]) -> None:
        """Move a thing in one of some ways, each from a bag to a bag: the one where it lies.

        Nobody need have written down in which it lies. Nothing changes where it is in none.
        """
        state = self.state
        if item is None:
            return
        ways = list({id(source): (source, target) for source, target in ways}.values())
        ways = [way for way in ways if way[0].get(item, 0) > 0 or self.may_be(way[0], item)]
        if not any(self.may_be(source, item) for source, _ in ways):
            for source, target in ways[:1]:
                state.add(source, item, -1)
                state.add(target, item, 1)
            return
        for source, _ in ways:
            if item in source:
                self.cover(source, lambda one: one is item)
        bags = {id(bag): bag for way in ways for bag in way}
        self.remember(ways[0][0], (item,))
        group = self._group(*bags.values(), only=lambda one: one is item)
        kind = self._kind(item)
        zones = [(self._zone(source), self._zone(target)) for source, target in ways]

        def happens(world: World) -> Iterable[Step]:
            for here, there in zones:
                yield from lots.revealed(world, (here,), kind, there)

        self._change(group, happens)
        self._vary(group, ways[0][0])

    def has_copies(self, bag: Bag, item: Entity) -> bool:
        """Tell whether something hidden in a bag may be there twice, wherever the other one is."""
        kind = self._kind(item)
        return any(
            sum([(things >> kind) & lots.MASK for things, _, _ in world]) > 1
            for group in self.groups_of(bag)
            for world in group.belief or ()
        )

    def may_lack(self, bag: Bag, items: Sequence[Entity]) -> bool:
        """Tell whether it can be that nothing hidden in a bag is one of some things."""
        return all(
            group.belief is None or any(any(happens(world)) for world in group.belief)
            for group, happens in self._lacking(bag, items)
        )

    def lack(self, bag: Bag, items: Sequence[Entity]) -> None:
        """Let nothing hidden in a bag be one of some things, if that can be."""
        for group, happens in self._lacking(bag, items):
            self._change(group, happens)
            self._count(group)

    def _lacking(
        self, bag: Bag, items: Sequence[Entity]
    ) -> list[tuple[Group, Callable[[World], Iterable[Step]]]]:
        """Return the groups of a bag that may be about some things, and what it is to lack them."""
        groups, zones = self._inside(bag)
        kinds = [self._kind(item) for item in items]

        def happens(world: World) -> Iterable[Step]:
            return lots.without(world, zones, kinds)

        found = [group for group in groups if not group.kinds.isdisjoint(kinds)]
        self.state.charge(5 * sum([len(group.belief or ()) for group in found]))
        return [(group, happens) for group in found]

    def doubt(self, unseen: Sequence[Unseen], named: Sequence[Entity]) -> None:
        """Tell that none of some unseen things can be what a statement names, and why."""
        for zone in self.state.pack.zones:
            if zone.shape is Shape.BAG and zone.per == ("player",):
                for bag in self.state.z[zone.index].values():
                    if unseen[0] in bag:
                        self.forbid(bag, named)
                        return

    def forbid(self, bag: Bag, named: Sequence[Entity]) -> None:
        """Tell that nothing hidden in a bag can be what a statement names, and why."""
        state = self.state
        if not named or not state.reporter.asks_why:
            return
        groups = [group for one in zones_of([bag]) for group in self.groups_of(one)]
        if not self.used or any(group.belief is None for group in groups):
            return
        owner, around = self._around(bag, named)
        where = self._where(owner, around, named)
        if not where:
            return
        # A pile that is everybody's is known by what came from it, and not by its being made anew.
        since = self._since(around, named) if owner is not None else ()
        state.reporter.doubt((where, *since))

    def _since(self, around: Sequence[tuple[str, Bag]], named: Sequence[Entity]) -> Iterator[str]:
        """Say of the pile among some bags how much was drawn from it since it was refilled.

        And in how many lines before this one something of some things was named since then.
        """
        state, titles, past = self.state, {bag: title for title, bag in around}, self.past
        pile: Bag | None = None
        lines: set[int] = set()
        drawn = 0
        first: Happened | None = None
        while past:
            past, event = past
            state.charge(1)
            if event.bag not in titles:
                continue
            if event.named:
                lines.update({event.line} if not {*named}.isdisjoint(event.named) else ())
            elif pile is None or pile is event.bag:
                pile, first, drawn = event.bag, event, drawn + event.drawn
                if not event.drawn:
                    break
        if pile is None or first is None:
            return
        words: dict[str, object] = {
            "pile": state.word(titles[pile]), "size": first.there, "count": drawn
        }  # fmt: skip
        if first.drawn:
            yield Text(NOT_REFILLED, **words)
        else:
            yield Text(NOT_REFILLED_SINCE, **words, line=first.line)
        lines.discard(state.reporter.line)
        if lines:
            name = state.name(named[-1].parent or named[-1])
            told = NAMED_ONCE if len(lines) == 1 else NAMED_OFTEN
            yield Text(told, name=name, count=len(lines))

    def _where(
        self, owner: Entity | None, around: Sequence[tuple[str, Bag]], named: Sequence[Entity]
    ) -> str:
        """Say how many of some things there are in some bags, and in which they can be."""
        state = self.state
        parts = []
        for title, one in around:
            amount = _amount(*self.between([one], named))
            if amount != "0":
                parts.append(f"{state.word(title)}: {amount}")
        name = state.name(named[-1].parent or named[-1])
        places = tuple(parts)
        if owner is None:
            return (
                Text("where {name} can be, by what is recorded: {places}", name=name, places=places)
                if parts
                else ""
            )
        if not parts:
            return Text(
                "by what is recorded, {who} has no {name}", who=state.name(owner), name=name
            )
        count = _amount(*self.between([one for _, one in around], named))
        return Text(
            "{who} has {count} {name} in all; by what is recorded: {places}",
            who=state.name(owner),
            count=count,
            name=name,
            places=places,
        )

    def _around(
        self, bag: Bag, named: Sequence[Entity]
    ) -> tuple[Entity | None, list[tuple[str, Bag]]]:
        """Return the player whose bag it is, and all bags of that player, with their titles.

        Of a bag that is nobody's they are those between which things like the named have moved.
        """
        state = self.state
        zones = [zone for zone in state.pack.zones if zone.shape is Shape.BAG and not zone.tally]
        for player in state.players:
            mine = [
                (zone.title, state.z[zone.index][player])
                for zone in zones
                if zone.per == ("player",)
            ]
            if any(one is bag for _, one in mine):
                return player, mine
        groups = [one for one in self.groups_of(bag) if self._may_be_about(one, named.__contains__)]
        among = {id(one) for group in groups for one in group.bags}
        known = [(zone.title, state.z[zone.index]) for zone in zones if not zone.per]
        return None, [(title, one) for title, one in known if id(one) in among]

    def between(self, bags: Sequence[Bag], named: Sequence[Entity]) -> tuple[int, int]:
        """Return how many of some things lie in some bags at the least and at the most."""
        bags = list({id(bag): bag for bag in bags}.values())
        least = most = sum(bag.get(item, 0) for bag in bags for item in named)
        groups, zones = self._inside(*bags)
        if any(group.belief is None for group in groups):
            # Any hidden thing may be one of them.
            return least, most + sum(one.unknown.hidden for one in zones_of(bags))
        kinds = [self._kind(item) for item in named]
        for group in groups:
            if not group.belief or group.kinds.isdisjoint(kinds):
                continue
            self.state.charge(BETWEEN_STEPS * len(group.belief))
            lows, highs = [], []
            for world in group.belief:
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
        found = [one for one in (zones_of(bags) if self.likenesses else bags) if one.unknown.hidden]
        groups = {id(group): group for one in found for group in self.groups_of(one)}
        return list(groups.values()), [self._zone(one) for one in found]

    def remember(
        self, bag: Bag, named: Sequence[Entity] = (), *, there: int = 0, drawn: int = 0
    ) -> None:
        """Remember for whoever explains what cannot be: what happened to a bag in a line."""
        event = Happened(self.state.reporter.line, bag, tuple(named), there, drawn)
        self.state.attribute(self, "past", (self.past, event))

    def may_be(self, bag: Bag, item: Entity) -> bool:
        """Tell whether a thing may be among the hidden ones of a bag, or one like it."""
        if bag.unknown.hidden <= 0:
            return False
        if isinstance(item, Likeness):
            return any(self._may_match(group, bag, item) for group in self.groups_of(bag))
        kind = self._shifts.get(item)
        zone, mask = self._zone(bag), lots.MASK
        for group in self.groups_of(bag):
            if group.belief is None:
                return True
            if kind not in group.kinds:
                continue
            if (group.possible(zone, self.state) >> kind) & mask:
                return True
        return False

    def _may_match(self, group: Group, bag: Bag, item: Likeness) -> bool:
        """Tell whether a hidden thing of a bag may be like what stands for one of several.

        It is that in a world in which the two are of one kind.
        """
        kinds = [self._kind(one) for one in item.among]
        zone, where, mask = self._zone(bag), self._zone(item.holder), lots.MASK
        if group.belief is None or all(one is not group for one in self.groups_of(item.holder)):
            return any(self.may_be(bag, one) for one in item.among)
        self.state.charge(BETWEEN_STEPS * len(group.belief))
        for world in group.belief:
            for number, (things, places, _) in enumerate(world):
                if not (places >> where) & mask:
                    continue
                for other, (others, inside, _) in enumerate(world):
                    least = 2 if other == number else 1
                    if (inside >> zone) & mask and any(
                        (things >> kind) & mask and (others >> kind) & mask >= least
                        for kind in kinds
                    ):
                        return True
        return False

    def narrow(self, item: Likeness, named: Sequence[Entity]) -> bool:
        """Take what stands for one of several things as one of some; tell whether it may be."""
        zone = self._zone(item.holder)
        kinds = [self._kind(one) for one in item.among if one in named]
        group = self._group(item.holder)
        return self._change(
            group,
            lambda world: (
                step for kind in kinds for step in lots.revealed(world, (zone,), kind, zone)
            ),
        )

    def may_hold(self, bag: Bag) -> Bag:
        """Return what may be among the hidden things of a bag, each as often as it may be."""
        found = Bag()
        if bag.unknown.hidden <= 0:
            return found
        zone, mask = self._zone(bag), lots.MASK
        for world in [world for group in self.groups_of(bag) for world in group.belief or ()]:
            there: dict[int, int] = {}
            for things, places, _ in world:
                part = (places >> zone) & mask
                for kind, count in lots.fields(things) if part else ():
                    there[kind] = there.get(kind, 0) + min(part, count)
            for kind, count in there.items():
                item = self.thing(kind)
                found[item] = max(found.get(item, 0), count)
        return found

    def surely(self, bags: Sequence[Bag], item: Entity) -> int:
        """Return how many of a thing lie in some bags in any course of events."""
        return self.between(bags, (item,))[0]

    def known(self, bag: Bag) -> Known | None:
        """Return what is known of a bag in which something is hidden; None if nothing is."""
        groups, zones = self._inside(bag)
        if not groups or any(not group.belief for group in groups):
            return None
        mask = lots.MASK
        shares: dict[Entity, float] = {}
        varies = False
        for group in groups:
            belief = group.belief or {}
            sizes = {sum([lots.size_in(world, zone) for zone in zones]) for world in belief}
            varies = varies or len(sizes) > 1
            total = sum(belief.values())
            for world, weight in belief.items():
                lacks: dict[int, float] = {}
                for things, places, size in world:
                    part = sum([(places >> zone) & mask for zone in zones])
                    for kind, count in lots.fields(things) if part else ():
                        ways = comb(size - count, part) / comb(size, part)
                        lacks[kind] = lacks.get(kind, 1.0) * ways
                for kind, share in lacks.items():
                    item = self.thing(kind)
                    shares[item] = shares.get(item, 0.0) + weight / total * (1 - share)
        certain = Bag({item: n for item, n in bag.items() if not isinstance(item, Likeness)})
        for item in shares:
            count = self.between([bag], (item,))[0]
            if count:
                certain[item] = count
        one_of = self._one_of(bag, certain, shares)
        return Known(None if varies else bag.size(), certain, shares, one_of)

    def _one_of(
        self, bag: Bag, certain: Bag, shares: Mapping[Entity, float]
    ) -> list[tuple[Entity, ...]]:
        """Return some of the smallest sets of things of which something certainly lies in a bag."""
        worlds = sum(len(group.belief or ()) for group in self.groups_of(bag))
        left = MOST_LOOKED_AT // max(worlds, 1)
        possible = sorted((i for i in shares if i not in certain), key=lambda i: -shares[i])
        for size in range(2, min(LARGEST_SET, len(possible) - 1) + 1):
            found = []
            for some in combinations(possible, size):
                if sum([shares[item] for item in some]) < 0.999 or left <= 0:
                    continue  # with a share of less in all, there are courses without any
                left -= 1
                if self.between([bag], some)[0]:
                    found.append(some)
            if found:
                return found[:MOST_SETS]
        return []

    def odds(self, bag: Bag) -> Bag:
        """Return what a thing that is taken out of a bag by chance may be, in shares of 1,000.

        Open and hidden things are counted alike; what is possible has a share of 1 at least.
        """
        size = bag.size()
        shares = {item: float(count) for item, count in bag.items()}
        zone, mask = self._zone(bag), lots.MASK
        for belief in [group.belief or {} for group in self.groups_of(bag)]:
            total = sum(belief.values())
            for world, weight in belief.items():
                for things, places, among in world:
                    part = (places >> zone) & mask
                    for kind, count in lots.fields(things) if part else ():
                        item = self._kinds[kind // WIDTH]
                        share = weight / total * part * count / among
                        shares[item] = shares.get(item, 0.0) + share
        return Bag({item: max(round(1000 * n / size), 1) for item, n in shares.items()})

    def laid_open(self, bag: Bag) -> Bag:
        """Return a bag, or a sum of bags, with all that lies in it laid open.

        What one zone of a sum lacks another may hold: a deck and the cards drawn from it.

        Raises:
            UnrecordedError: if it is not known what lies there.

        """
        likes = [one for one in bag if isinstance(one, Likeness) and one.known]
        unknown = bag.unknown
        rest = unknown.hidden - sum([zone.unknown.hidden for zone in unknown.zones])
        zones = [*unknown.zones, *(like.holder for like in likes)]
        if not zones and rest <= 0:
            return bag
        several = len({id(zone) for zone in zones}) < len(zones)
        found = Bag({item: count for item, count in bag.items() if item not in likes})
        found.unknown = Unknown(max(rest, 0), unknown.absent, unknown.unsure)
        for some in [[zone] for zone in zones] if several else [zones]:
            together = self.together(some)
            if together is None or rest > 0:
                raise unrecorded(self, UNKNOWN_CONTENT, some if rest <= 0 else ())
            for item, count in together.items():
                found[item] = found.get(item, 0) + count
        return found

    def contents(self, bags: Sequence[Bag], most: int = lots.MAX_WAYS) -> list[Content] | None:
        """Return all that may be hidden in some bags together, the likeliest first.

        ``most`` are the ways in which it may. It is of the first group of theirs of which that is
        not known; None where it is not worked out.

        Raises:
            TooManyWorldsError: if it can be too much.

        """
        groups = {id(group): group for bag in bags for group in self.groups_of(bag)}
        for group in groups.values():
            zones = [self._zone(bag) for bag in bags if any(one is bag for one in group.bags)]
            if group.belief is None:
                return None
            if self._within(group, zones) is not None:
                continue
            if len(group.belief) > most:
                raise TooManyWorldsError
            found: dict[int, Belief] = {}
            self.state.charge(WORLD_STEPS * len(group.belief))
            ways = 0
            for world, weight in group.belief.items():
                for inside, becomes, share, _ in lots.parted(world, zones, most):
                    ways += 1
                    if ways > most:
                        raise TooManyWorldsError
                    belief = found.setdefault(inside, {})
                    belief[becomes] = belief.get(becomes, 0.0) + weight * share
            self.state.charge(WORLD_STEPS * ways)
            some = [
                Content(group, Bag(self._things(one)), worlds, one) for one, worlds in found.items()
            ]
            return sorted(some, key=lambda one: -sum(one.belief.values()))
        return None

    def suppose(self, content: Content) -> list[Likeness]:
        """Let bags hold this; return what stood for one of several things and is known by that."""
        group = content.group
        open_before = [
            like
            for like in self.likenesses.values()
            if like.known and group in self.groups_of(like.holder)
            if len(self.may_hold(like.holder)) > 1
        ]
        self.state.attribute(group, "belief", content.belief)
        return [like for like in open_before if len(self.may_hold(like.holder)) == 1]

    def limit(self, bags: Sequence[Bag], fits: Callable[[], bool]) -> bool | None:
        """Let some bags together hold only what fits; return whether anything does.

        ``fits`` is asked once for all that may be hidden in them. None where that is not worked
        out; nothing changes then.
        """
        state = self.state
        if not all(map(self.groups_of, bags)):
            return None
        group = self._group(*bags)
        try:
            contents = self.contents(bags, MOST_LIMITED)
        except TooManyWorldsError:
            contents = None
        if contents is None:
            return None
        found = set()
        for content in contents:
            state.charge(SUPPOSED_STEPS)
            mark = state.mark()
            self.suppose(content)
            if fits():
                found.add(content.packed)
            state.undo(mark)
        zones = [self._zone(bag) for bag in bags]

        def happens(world: World) -> Iterable[Step]:
            return (
                (becomes, share, divided)
                for inside, becomes, share, divided in lots.parted(world, zones)
                if inside in found
            )

        if not found or not self._change(group, happens):
            return False
        self._open(group)
        return True

    def together(self, bags: Sequence[Bag]) -> Bag | None:
        """Return what is hidden in some bags all together; None if that is not known."""
        groups = {id(group): group for bag in bags for group in self.groups_of(bag)}
        found = Bag()
        if any(bag.unknown.hidden and not self.groups_of(bag) for bag in bags):
            return None
        for group in groups.values():
            zones = [self._zone(bag) for bag in bags if any(one is bag for one in group.bags)]
            packed = self._within(group, zones)
            if packed is None:
                return None
            for item, count in self._things(packed):
                found[item] = found.get(item, 0) + count
        return found

    def _within(self, group: Group, zones: Sequence[int]) -> int | None:
        """Return what lies in some zones, if it is the same in all worlds."""
        if group.belief is None:
            return None
        self.state.charge(len(group.belief) >> 2)
        result: int | None = None
        for world in group.belief:
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

"""What is believed of the places of a state in which things lie that nobody wrote down.

A bag lists what is known to lie in it; ``unknown`` says how many further things lie there. Places
between which hidden things have moved form a group, which has one belief (see ``lots``) about all
of them. A state in which everything was written down has no groups and pays nothing.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from altay_cli.base.findings import UNDECIDED, BudgetError, Text
from altay_cli.base.values import Bag, Entity, Placeholder, Sink, Unknown, partly_known
from altay_cli.hidden import limits, lots
from altay_cli.hidden.course import Changed, Event, Joined, opened
from altay_cli.hidden.lots import CERTAIN, WIDTH, Belief, Step, TooManyWorldsError, World
from altay_cli.pack.table import REPORTER, Table


class Happened(NamedTuple):
    """Something that explains why a thing cannot be somewhere: in which line, and to which place.

    Either things were ``named`` out of the bag; or ``drawn`` things were drawn from it, of so many
    ``there``; or it was made anew of so many, and none is drawn.
    """

    line: int
    place: int
    named: tuple[Entity, ...]
    there: int
    drawn: int


Only = Callable[[Entity], bool] | None
"""What tells which things are meant, if not all."""

TOO_MUCH = "what is not recorded could be more than {count} things from here on"
"""What is told where that is more than can be gone through."""


class Believed(NamedTuple):
    """What lies in the cell of a group: its places, and what is believed of them.

    ``belief`` is None where there are too many worlds: nothing can be told then. ``varies`` says
    that it is not even known how many things are hidden in which place; ``Unknown.hidden`` is then
    the most that may be. What has been found out of the belief (see ``Group``) begins anew with
    another one: what is ``possible``, and worlds ``by_size``.
    """

    places: tuple[int, ...]
    possible: dict[int, int]
    by_size: dict[int, Belief]
    belief: Belief | None = CERTAIN
    kinds: frozenset[int] = frozenset()
    varies: bool = False


class Group:
    """Places between which hidden things have moved; ``cell`` holds what is believed of them.

    A place can be in several groups, each about things of other ``kinds``: those that draws told
    apart by what can come.
    """

    __slots__ = ("cell", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.cell = table.new_cell(Believed((), {}, {}))

    @property
    def now(self) -> Believed:
        """What is believed at the moment."""
        return self.table.cells[self.cell]  # type: ignore[no-any-return]

    def change(self, **values: Any) -> None:
        """Let some of what is believed be otherwise."""
        if "belief" in values:
            values |= {"possible": {}, "by_size": {}}
        self.table.put(self.cell, self.now._replace(**values))

    def amounts(self, zone: int) -> list[int]:
        """Return how many things may be hidden in a zone; none where nothing is believed."""
        if not self.now.varies:
            return [lots.size_in(world, zone) for world in islice(self.now.belief or (), 1)]
        return [(sizes >> zone) & lots.MASK for sizes in self.sizes()]

    def most(self, zone: int) -> int:
        """Return how many things are hidden in a zone at the most; 0 where nothing is believed."""
        return max(self.amounts(zone), default=0)

    def possible(self, zone: int) -> int:
        """Return what can lie in a zone, packed: of each thing some number above zero."""
        now = self.now
        if zone not in now.possible:
            self.table.charge(5 + len(now.belief or ()))
            things = 0
            for world in now.belief or ():
                for some, places, _ in world:
                    if (places >> zone) & lots.MASK:
                        things |= some
            now.possible[zone] = things
        self.table.charge(5)
        return now.possible[zone]

    def sizes(self) -> Mapping[int, Belief]:
        """Return all that can be hidden in the zones together, packed, with the worlds of each."""
        now = self.now
        if now.belief and not now.by_size:
            self.table.spend(limits.LOOK_STEPS * len(now.belief))
            for world, weight in now.belief.items():
                now.by_size.setdefault(lots.sizes(world), {})[world] = weight
        return now.by_size


class Beliefs:
    """The groups of one state, and how something happens to what is believed of them."""

    def __init__(
        self, table: Table, tallies: Container[int], replace: Callable[[Placeholder, Entity], None]
    ) -> None:
        self.table = table
        self.tallies = tallies
        """The places in which rules only take note of things that lie elsewhere."""
        self.replace = replace
        """Puts a thing in the place of what has stood for it."""
        self._kinds: list[Entity] = []
        self._shifts: dict[Entity, int] = {}
        self.groups: dict[int, int] = {}
        """By place: the cell that holds its groups; empty where nothing was ever hidden."""
        # By place in which something has been hidden: its number, as beliefs name it.
        self._numbers: dict[int, int] = {}
        self.likenesses: dict[int, Placeholder] = {}
        """What has stood for one of several things, by the number of where that one lies."""
        self._past = table.new_cell(())
        self._used = table.new_cell(False)
        self._trace = table.new_cell(None)
        # The cell that says if somebody goes through all that may lie where the rules look.
        self._splitting = table.new_cell(False)
        self.single = False
        """Whether one course of what nobody wrote down is followed, the likeliest, and not all."""

    @property
    def past(self) -> tuple[Any, Happened] | tuple[()]:
        """What was named, drawn and shuffled: what was before the last one, and the last one."""
        return self.table.cells[self._past]  # type: ignore[no-any-return]

    @property
    def used(self) -> bool:
        """Whether anything has happened to hidden things, beside what rules only take note of."""
        return self.table.cells[self._used]  # type: ignore[no-any-return]

    @property
    def trace(self) -> tuple[Any, Event] | tuple[()] | None:
        """The events of beliefs, in the same form as ``past``; None if they are not kept."""
        return self.table.cells[self._trace]  # type: ignore[no-any-return]

    def keep_trace(self) -> None:
        """Remember the events of beliefs from now on."""
        self.table.cells[self._trace] = ()

    # ------------------------------------------------------------ numbers

    def _zone(self, place: int) -> int:
        """Return the number by which beliefs name a place."""
        return self._numbers.get(place) or self._numbers.setdefault(place, self.spare)

    def _kind(self, item: Entity) -> int:
        shift = self._shifts.get(item)
        if shift is None:
            shift = self._shifts[item] = len(self._kinds) * WIDTH
            self._kinds.append(item)
        return shift

    def things(self, packed: int) -> list[tuple[Entity, int]]:
        """Return how many there are of each thing in a number."""
        return [(self._kinds[shift // WIDTH], count) for shift, count in lots.fields(packed)]

    @property
    def spare(self) -> int:
        """The number of a zone in which nothing lies."""
        return (1 + len(self._numbers)) * WIDTH

    def thing(self, kind: int) -> Entity:
        """Return the thing of a kind, by its number."""
        return self._kinds[kind // WIDTH]

    # ------------------------------------------------------------ bags

    def bag(self, place: int) -> Bag:
        """Return what lies in a place."""
        return self.table.cells[place]  # type: ignore[no-any-return]

    def hidden_in(self, place: int) -> int:
        """Return how many things are hidden in a place, at most."""
        return self.bag(place).unknown.hidden

    def place_of(self, bag: Bag) -> int | None:
        """Return where a bag lies in which something is hidden; None of what was made of bags."""
        places = bag.unknown.places
        return places[0] if len(places) == 1 and self.table.cells[places[0]] is bag else None

    def _hold(self, place: int, hidden: int, lacking: int = 0) -> None:
        bag = self.bag(place)
        _, absent, unsure, _ = bag.unknown
        unknown = Unknown(hidden, absent - lacking, unsure, (place,) if hidden else ())
        self.table.put(place, partly_known(bag, unknown))

    # ------------------------------------------------------------ groups

    def groups_of(self, place: int) -> tuple[Group, ...]:
        """Return the groups of a place; none of one in which nothing has been hidden."""
        cell = self.groups.get(place)
        return () if cell is None else self.table.cells[cell]

    def groups_at(self, places: Iterable[int]) -> list[Group]:
        """Return the groups of some places, each once."""
        return list(dict.fromkeys(group for place in places for group in self.groups_of(place)))

    def _set_groups(self, place: int, groups: tuple[Group, ...]) -> None:
        if place not in self.groups:
            self.groups[place] = self.table.new_cell(())
        self.table.put(self.groups[place], groups)

    def varies_in(self, place: int) -> bool:
        """Return whether it may not be known how much is hidden in a place."""
        return any(group.now.varies for group in self.groups_of(place))

    def least_in(self, place: int) -> int:
        """Return how many things are hidden in a place at the least."""
        zone = self._zone(place)
        return sum([min(group.amounts(zone), default=0) for group in self.groups_of(place)])

    def _group(self, *places: int, only: Only = None) -> Group:
        """Make one group of those of some places that may be about ``only`` such things."""
        groups = [group for group in self.groups_at(places) if self._may_be_about(group, only)]
        first, *others = groups or (Group(self.table),)
        for other in others:
            one, two = first.now.belief, other.now.belief
            self._note(Joined(first, other, one or {}, two or {}))
            if one is not None and two is not None and len(one) * len(two) > limits.MAX_WORLDS:
                self._undecided(limits.MAX_WORLDS)
                two = None
            first.change(
                belief=None if one is None or two is None else lots.combine(one, two),
                kinds=first.now.kinds | other.now.kinds,
                varies=first.now.varies or other.now.varies,
            )
            for place in other.now.places:
                left = tuple(group for group in self.groups_of(place) if group is not other)
                self._set_groups(place, left)
                self._join(first, place)
        for place in places:
            self._join(first, place)
        return first

    def _may_be_about(self, group: Group, only: Only) -> bool:
        return (
            only is None
            or group.now.belief is None
            or any(only(self.thing(kind)) for kind in group.now.kinds)
        )

    def _join(self, group: Group, place: int) -> None:
        groups = self.groups_of(place)
        if group not in groups:
            self._set_groups(place, (*groups, group))
            group.change(places=(*group.now.places, place))

    def _note(self, event: Event) -> None:
        if self.trace is not None:
            self.table.put(self._trace, (self.trace, event))

    # ------------------------------------------------------------ changes

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
        belief = group.now.belief
        if belief is None:
            return True
        worlds = len(belief) if among is None else among
        try:
            self.table.charge(limits.CHANGE_STEPS + limits.WORLD_STEPS * worlds)
        except BudgetError as error:
            if worlds < limits.MANY_WORLDS:
                raise
            # That is not the rules' fault.
            raise BudgetError(UNDECIDED, Text(TOO_MUCH, count=f"{worlds - 1:,}")) from error
        becomes: Belief | None = None
        try:
            becomes = (
                lots.update(belief, happens, self._pay)
                if whole is None
                else lots.update(CERTAIN, lambda _: whole(belief))
            )
        except TooManyWorldsError:
            self._undecided(limits.MAX_WORLDS)
            if group.now.varies:
                self._lose(group)
        if becomes == {}:
            return False
        self._become(group, happens, belief, becomes, sink)
        return True

    def _become(
        self,
        group: Group,
        happens: Callable[[World], Iterable[Step]],
        belief: Belief,
        becomes: Belief | None,
        sink: Sink | None,
    ) -> None:
        """Let a group be believed to be otherwise: what happened in each world makes it so."""
        if self.single and becomes:
            becomes = {max(becomes.items(), key=lambda pair: pair[1])[0]: 1.0}
        if not self.used and not any(place in self.tallies for place in group.now.places):
            self.table.put(self._used, True)
        self._note(Changed(group, happens, belief, sink))
        group.change(belief=becomes)

    def _undecided(self, limit: int) -> None:
        self.table.reporter.undecided(Text(TOO_MUCH, count=limit))

    def _pay(self, worlds: int) -> int:
        """Pay for the worlds that one became, and return how much; the first is paid already."""
        steps = limits.WORLD_STEPS * max(worlds - 1, 0)
        if steps:
            self.table.spend(steps)
        return steps

    def _lose(self, group: Group, most: int | None = None) -> None:
        """Let each place of a group hold so many hidden things, for nothing is known of it."""
        if most is None:
            most = sum(map(self.hidden_in, group.now.places))
        for place in group.now.places:
            self._hold(place, max(self.hidden_in(place), most))

    def _vary(self, group: Group) -> None:
        """Take note that it may not be known how much of a group is hidden where."""
        if group.now.belief is not None:
            group.change(varies=True)
            self._open(group)

    # ------------------------------------------------------------ what is certain

    def _count(self, group: Group) -> None:
        """Count what is hidden in the places of a group of which that was not known."""
        belief = group.now.belief
        if not group.now.varies or belief is None:
            return
        self.table.charge(len(belief))
        varies = False
        for place in group.now.places:
            zone = self._zone(place)
            sizes = {*group.amounts(zone)}
            varies = varies or len(sizes) > 1
            most = max(sizes) + sum(
                one.most(zone) for one in self.groups_of(place) if one is not group
            )
            if self.hidden_in(place) != most:
                self._hold(place, most)
        if not varies:
            group.change(varies=False)

    def _open(self, group: Group) -> None:
        """Lay open what is known to lie in a place, if only one world is left."""
        self._count(group)
        if self.likenesses:
            self._tell(group)
        belief = group.now.belief
        if belief is None or len(belief) != 1:
            return
        (world,) = belief
        known = {self._numbers.get(place): place for place in group.now.places}
        rest = []
        for things, places, size in world:
            zone = (places.bit_length() - 1) // WIDTH * WIDTH
            # What stands for something unseen stays until a statement names it.
            if zone not in known or zone in self.likenesses or places != size << zone:
                rest.append((things, places, size))
                continue
            self._hold(known[zone], self.hidden_in(known[zone]) - size)
            for item, count in self.things(things):
                self.table.add(known[zone], item, count)
        if len(rest) < len(world):
            self._note(opened(group, world, tuple(rest)))
            group.change(belief={tuple(rest): 1.0})

    def _tell(self, group: Group) -> None:
        """Put things in the places of what has stood for them, where it is known which they are."""
        for place in group.now.places:
            zone = self._numbers.get(place, 0)
            likeness = self.likenesses.get(zone)
            if likeness is None or not likeness.known or not self.hidden_in(place):
                continue
            kinds = [kind for kind, _ in lots.fields(group.possible(zone))]
            if len(kinds) == 1:
                self._change(group, partial(lots.reveal, zones=(zone,), kinds=kinds, to=None))
                self._hold(place, 0)
                self.replace(likeness, self.thing(kinds[0]))

    def remember(
        self, place: int, named: Iterable[Entity] = (), *, there: int = 0, drawn: int = 0
    ) -> None:
        """Remember for whoever explains what cannot be: what happened to a place in a line."""
        what = self.table.cells[REPORTER].line, place, tuple(named), there, drawn
        # Made so for every draw, as statements are.
        self.table.put(self._past, (self.table.cells[self._past], tuple.__new__(Happened, what)))

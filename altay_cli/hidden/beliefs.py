"""Beliefs about the hidden things of a state.

Places that exchanged hidden things form a group with one belief (see ``lots``). Completely
recorded games have no groups and no cost.
"""

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from sys import maxsize
from typing import Any, NamedTuple

from altay_cli.base.findings import UNDECIDED, BudgetError, Text
from altay_cli.base.values import Bag, Entity, Placeholder, Sink, Unknown, partly_known
from altay_cli.hidden import limits, lots
from altay_cli.hidden.batches import Batches, InexpressibleError
from altay_cli.hidden.course import Changed, Event, Joined, hiding_event, opening_event
from altay_cli.hidden.lots import CERTAIN, WIDTH, Belief, Lot, Step, TooManyWorldsError, World
from altay_cli.hidden.table import Table


class PastEvent(NamedTuple):
    """An event that may explain why a thing cannot be in a place.

    Things were ``named`` and left it, or ``drawn`` of ``there`` things were drawn, or (if 0) it was
    refilled with ``there`` things.
    """

    line: int
    place: int
    named: tuple[Entity, ...]
    there: int
    drawn: int


Filter = Callable[[Entity], bool] | None
"""Selects things; None for all."""

TOO_MUCH = "the unrecorded things could be more than {count} from here on"


class GroupState(NamedTuple):
    """The state of a group.

    belief: None once there were too many worlds.
    batches: the knowledge without weights; None if lost, or the same as a single world.
    size_uncertain: the number in a place is uncertain; ``Unknown.hidden`` is its maximum.
    possible, by_size, bounds: caches, emptied with each new belief.
    """

    places: tuple[int, ...]
    possible: dict[int, int]
    by_size: dict[int, Belief]
    bounds: dict[tuple[int, ...], tuple[int, int]]
    belief: Belief | None = CERTAIN
    kinds: frozenset[int] = frozenset()
    size_uncertain: bool = False
    batches: Batches | None = None

    @property
    def is_lost(self) -> bool:
        """Whether neither worlds nor batches are known."""
        return self.belief is None and self.batches is None


class Group:
    """Places that exchange hidden things; ``cell`` holds the state.

    A place belongs to several groups if draws separated its ``kinds``.
    """

    __slots__ = ("cell", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.cell = table.journal.new_cell(GroupState((), {}, {}, {}))

    @property
    def now(self) -> GroupState:
        """The current state."""
        return self.table.cells[self.cell]  # type: ignore[no-any-return]

    def set(self, **values: Any) -> None:
        """Replace fields; a new ``belief`` empties the caches."""
        if "belief" in values:
            values = {"possible": {}, "by_size": {}, "bounds": {}, "batches": None, **values}
        self.table.journal.put(self.cell, self.now._replace(**values))

    def possible_sizes(self, zone: int) -> list[int]:
        """Return the possible sizes of a zone."""
        now = self.now
        if now.belief is None and now.batches is not None:
            return [now.batches.size_in(zone)]
        if not self.now.size_uncertain:
            return [lots.size_in(world, zone) for world in islice(self.now.belief or (), 1)]
        return [(sizes >> zone) & lots.MASK for sizes in self.worlds_by_size()]

    def max_size(self, zone: int) -> int:
        """Return the maximum size of a zone."""
        return max(self.possible_sizes(zone), default=0)

    def possible_kinds(self, zone: int) -> int:
        """Return the possible kinds in a zone, as nonzero fields."""
        now = self.now
        if zone not in now.possible and now.belief is None and now.batches is not None:
            now.possible[zone] = sum([self.bounds([zone], kind)[1] << kind for kind in now.kinds])
        elif zone not in now.possible:
            self.table.budget.charge(5 + len(now.belief or ()))
            things = 0
            for world in now.belief or ():
                for some, places, _ in world:
                    if (places >> zone) & lots.MASK:
                        things |= some
            now.possible[zone] = things
        self.table.budget.charge(5)
        return now.possible[zone]

    def bounds(self, zones: Sequence[int], kind: int) -> tuple[int, int]:
        """Return how many of a kind some zones hold at least and at most, by the batches."""
        now = self.now
        assert now.batches is not None
        key = kind, *zones
        if key not in now.bounds:
            self.table.budget.charge(limits.LOOK_STEPS * now.batches.steps)
            now.bounds[key] = now.batches.bounds(zones, kind)
        self.table.budget.charge(5)
        return now.bounds[key]

    def known_batches(self) -> Batches | None:
        """Return the knowledge without weights, or None if batches cannot express it."""
        now = self.now
        if now.batches is None and now.belief is not None and len(now.belief) == 1:
            with suppress(InexpressibleError):
                return Batches.of_world(next(iter(now.belief)))
        return now.batches

    def worlds_by_size(self) -> Mapping[int, Belief]:
        """Return the worlds by packed sizes."""
        now = self.now
        if now.belief and not now.by_size:
            self.table.budget.spend(limits.LOOK_STEPS * len(now.belief))
            for world, weight in now.belief.items():
                now.by_size.setdefault(lots.sizes(world), {})[world] = weight
        return now.by_size


def _joint_batches(first: Group, second: Group) -> Batches | None:
    mine, theirs = first.known_batches(), second.known_batches()
    if mine is None or theirs is None:
        return None
    with suppress(InexpressibleError):
        return mine.added(theirs)
    return None


class Beliefs:
    """The groups of one state."""

    def __init__(
        self, table: Table, tallies: Container[int], replace: Callable[[Placeholder, Entity], None]
    ) -> None:
        self.table = table
        self.tallies = tallies
        """Places that only mark things of other places."""
        self.replace_placeholder = replace
        self._entities: list[Entity] = []
        self.kinds: dict[Entity, int] = {}
        self.groups: dict[int, int] = {}
        """By place: the cell of its groups."""
        self.zones: dict[int, int] = {}
        self.placeholders: dict[int, Placeholder] = {}
        self._history = table.journal.new_cell(())
        self._used = table.journal.new_cell(False)
        self._trace = table.journal.new_cell(None)
        # Set while contents are supposed: see ``Queries.unrecorded``.
        self.splitting = table.journal.new_cell(False)
        self.likeliest_only = False
        self._kept: dict[tuple[int, Hashable], tuple[Belief, Any]] | None = None

    @property
    def history(self) -> tuple[Any, PastEvent] | tuple[()]:
        """The namings, draws and refills, linked: (earlier, last)."""
        return self.table.cells[self._history]  # type: ignore[no-any-return]

    @property
    def used(self) -> bool:
        """Whether hidden things ever changed, apart from ``tallies``."""
        return self.table.cells[self._used]  # type: ignore[no-any-return]

    @property
    def trace(self) -> tuple[Any, Event] | tuple[()] | None:
        """The events of beliefs, linked like ``history``, if recorded."""
        return self.table.cells[self._trace]  # type: ignore[no-any-return]

    def keep_trace(self) -> None:
        """Record the events from now on."""
        self.table.cells[self._trace] = ()

    # ------------------------------------------------------------ numbers

    def zone_of(self, place: int) -> int:
        """Return the zone of a place, perhaps a new one."""
        return self.zones.get(place) or self.zones.setdefault(place, self.unused_zone)

    def kind_of(self, item: Entity) -> int:
        """Return the kind of an entity, perhaps a new one."""
        shift = self.kinds.get(item)
        if shift is None:
            shift = self.kinds[item] = len(self._entities) * WIDTH
            self._entities.append(item)
        return shift

    def entities_in(self, packed: int) -> list[tuple[Entity, int]]:
        """Return the entities of a packed number, with counts."""
        return [(self._entities[shift // WIDTH], count) for shift, count in lots.fields(packed)]

    @property
    def unused_zone(self) -> int:
        """A zone that is not in use."""
        return (1 + len(self.zones)) * WIDTH

    def entity_of(self, kind: int) -> Entity:
        """Return the entity of a kind."""
        return self._entities[kind // WIDTH]

    # ------------------------------------------------------------ bags

    def bag(self, place: int) -> Bag:
        """Return the bag of a place."""
        return self.table.cells[place]  # type: ignore[no-any-return]

    def max_hidden(self, place: int) -> int:
        """Return how much a place hides at most."""
        return self.bag(place).unknown.hidden

    def place_of(self, bag: Bag) -> int | None:
        """Return the place of a bag with hidden things, unless it is computed."""
        places = bag.unknown.places
        return places[0] if len(places) == 1 and self.table.cells[places[0]] is bag else None

    def set_hidden(self, place: int, hidden: int, absent_hidden: int = 0) -> None:
        """Set how much a place hides at most."""
        bag = self.bag(place)
        _, absent, unsure, _ = bag.unknown
        unknown = Unknown(hidden, absent - absent_hidden, unsure, (place,) if hidden else ())
        self.table.journal.put(place, partly_known(bag, unknown))

    # ------------------------------------------------------------ groups

    def groups_of(self, place: int) -> tuple[Group, ...]:
        """Return the groups of a place; none if it never hid anything."""
        cell = self.groups.get(place)
        return () if cell is None else self.table.cells[cell]

    def groups_at(self, places: Iterable[int]) -> list[Group]:
        """Return the distinct groups of some places."""
        return list(dict.fromkeys(group for place in places for group in self.groups_of(place)))

    def _set_groups(self, place: int, groups: tuple[Group, ...]) -> None:
        if place not in self.groups:
            self.groups[place] = self.table.journal.new_cell(())
        self.table.journal.put(self.groups[place], groups)

    def size_is_uncertain(self, place: int) -> bool:
        """Return True if it is uncertain how much a place hides."""
        return any(group.now.size_uncertain for group in self.groups_of(place))

    def min_hidden(self, place: int) -> int:
        """Return how much a place hides at least."""
        zone = self.zone_of(place)
        return sum([min(group.possible_sizes(zone), default=0) for group in self.groups_of(place)])

    def merged_group(self, *places: int, only: Filter = None) -> Group:
        """Merge the groups of places that may hold things selected by ``only``."""
        groups = [group for group in self.groups_at(places) if self.may_hold_any(group, only)]
        first, *others = groups or (Group(self.table),)
        for other in others:
            belief, added = first.now.belief, other.now.belief
            self.trace_event(Joined(first, other, belief or {}, added or {}))
            is_listed = (
                belief is not None
                and added is not None
                and len(belief) * len(added) <= limits.MAX_WORLDS
            )
            batches = _joint_batches(first, other)
            if not is_listed and batches is None and not (first.now.is_lost or other.now.is_lost):
                self.report_too_many(limits.MAX_WORLDS)
            first.set(
                belief=lots.combine(belief or {}, added or {}) if is_listed else None,
                batches=batches,
                kinds=first.now.kinds | other.now.kinds,
                size_uncertain=first.now.size_uncertain or other.now.size_uncertain,
            )
            for place in other.now.places:
                left = tuple(group for group in self.groups_of(place) if group is not other)
                self._set_groups(place, left)
                self.add_place(first, place)
        for place in places:
            self.add_place(first, place)
        return first

    def may_hold_any(self, group: Group, only: Filter) -> bool:
        """Return True if a group may hold things selected by ``only``."""
        return (
            only is None
            or group.now.is_lost
            or any(only(self.entity_of(kind)) for kind in group.now.kinds)
        )

    def add_place(self, group: Group, place: int) -> None:
        """Add a new place to a group."""
        groups = self.groups_of(place)
        if group not in groups:
            self._set_groups(place, (*groups, group))
            group.set(places=(*group.now.places, place))

    def trace_event(self, event: Event) -> None:
        """Record an event, if events are recorded."""
        if self.trace is not None:
            self.table.journal.put(self._trace, (self.trace, event))

    # ------------------------------------------------------------ changes

    @contextmanager
    def keeping_answers(self) -> Iterator[None]:
        """Keep answers about beliefs, because many of the tried moves ask the same."""
        self._kept = {}
        try:
            yield
        finally:
            self._kept = None

    def kept(self, belief: Belief, name: Hashable) -> Any:
        """Return the kept answer about a belief, or None."""
        found = self._kept.get((id(belief), name)) if self._kept else None
        return None if found is None else found[1]

    def keep(self, belief: Belief, name: Hashable, value: object) -> None:
        """Keep an answer, if answers are kept."""
        if self._kept is not None:
            # With the belief, as no other has its id while it lives.
            self._kept[id(belief), name] = belief, value

    def change(
        self,
        group: Group,
        transition: Callable[[World], Iterable[Step]],
        sink: Sink | None = None,
        transition_all: Callable[[Belief], Iterable[Step]] | None = None,
        among: int | None = None,
        name: Hashable = None,
        in_batches: Callable[[Batches], Batches] | None = None,
    ) -> bool:
        """Apply a transition to a belief; return False if it is impossible.

        sink: collects the drawn or named things (see ``course``).
        transition_all: a faster form, for all worlds at once.
        among: the number of worlds to pay for, if not all.
        name: equal for equal transitions of worlds; without it, the change is not kept.
        in_batches: the same transition of batches, if they can express it.
        """
        belief = group.now.belief
        if group.now.is_lost:
            return True
        if belief is None:
            return self._change_batches(group, in_batches)
        kept = None if name is None else self.kept(belief, name)
        if kept is not None:
            self.table.budget.charge(limits.CHANGE_STEPS)
            if kept:
                self.record_change(group, transition, belief, kept, sink, in_batches)
            return bool(kept)
        worlds = len(belief) if among is None else among
        steps = limits.CHANGE_STEPS + limits.WORLD_STEPS * worlds
        is_costly = worlds >= limits.MANY_WORLDS and self._is_costly(steps)
        if is_costly and self._changed_batches(group, in_batches) is not None:
            return self._change_batches(group, in_batches)
        try:
            self.table.budget.charge(steps)
        except BudgetError as error:
            if worlds < limits.MANY_WORLDS:
                raise
            # The rules are not at fault.
            raise BudgetError(UNDECIDED, Text(TOO_MUCH, count=f"{worlds - 1:,}")) from error
        result: Belief | None = None
        try:
            result = (
                lots.update(belief, transition, self.pay_for_worlds)
                if transition_all is None
                else lots.update(CERTAIN, lambda _: transition_all(belief))
            )
        except TooManyWorldsError:
            if not group.now.size_uncertain:
                return self._change_batches(group, in_batches)
            self.report_too_many(limits.MAX_WORLDS)
            self.set_lost_bounds(group)
        if name is not None and result is not None:
            self.keep(belief, name, result)
        if result == {}:
            return False
        self.record_change(group, transition, belief, result, sink, in_batches)
        return True

    def _changed_batches(
        self, group: Group, in_batches: Callable[[Batches], Batches] | None
    ) -> Batches | None:
        before = group.known_batches()
        if before is None or in_batches is None or self.placeholders or group.now.size_uncertain:
            return None
        with suppress(InexpressibleError):
            return in_batches(before)
        return None

    def _is_costly(self, steps: int) -> bool:
        budget = self.table.budget
        of_game = budget.account.available if budget.account is not None else maxsize
        return (
            steps > budget.remaining // limits.STATEMENT_PART or steps > of_game // limits.GAME_PART
        )

    def _change_batches(
        self, group: Group, in_batches: Callable[[Batches], Batches] | None
    ) -> bool:
        """Replace the worlds by batches; return False if the transition is impossible."""
        batches = self._changed_batches(group, in_batches)
        if batches is None:
            self.report_too_many(limits.MAX_WORLDS)
        else:
            self.table.budget.charge(limits.CHANGE_STEPS + limits.LOOK_STEPS * batches.steps)
            if not batches.is_possible:
                return False
        self._mark_used(group)
        group.set(belief=None, batches=batches)
        return True

    def _mark_used(self, group: Group) -> None:
        if not self.used and not any(place in self.tallies for place in group.now.places):
            self.table.journal.put(self._used, True)

    def add_lot(self, group: Group, lot: Lot) -> None:
        """Add things that were open to a group."""
        belief = group.now.belief
        many = belief is None or len(belief) > 1
        batches = group.known_batches() if many else None
        if batches is not None:
            try:
                batches = batches.added(Batches.of_world((lot,)))
            except InexpressibleError:
                batches = None
        if belief is None and batches is None:
            self.report_too_many(limits.MAX_WORLDS)
        if belief is not None:
            self.trace_event(hiding_event(group, lot, belief))
            belief = {lots.world_of((*w, lot)): n for w, n in belief.items()}
        group.set(belief=belief, batches=batches)

    def record_change(
        self,
        group: Group,
        transition: Callable[[World], Iterable[Step]],
        belief: Belief,
        result: Belief | None,
        sink: Sink | None,
        in_batches: Callable[[Batches], Batches] | None = None,
    ) -> None:
        """Record a transition, and set the resulting belief."""
        if self.likeliest_only and result:
            result = {max(result.items(), key=lambda pair: pair[1])[0]: 1.0}
        many = result is not None and len(result) > 1
        batches = self._changed_batches(group, in_batches) if many else None
        self._mark_used(group)
        self.trace_event(Changed(group, transition, belief, sink))
        group.set(belief=result, batches=batches)

    def report_too_many(self, limit: int) -> None:
        """Report that more than ``limit`` worlds are possible."""
        self.table.reporter.undecided(Text(TOO_MUCH, count=limit))

    def pay_for_worlds(self, worlds: int) -> int:
        """Pay for all following worlds but one; return the steps."""
        steps = limits.WORLD_STEPS * max(worlds - 1, 0)
        if steps:
            self.table.budget.spend(steps)
        return steps

    def set_lost_bounds(self, group: Group, most: int | None = None) -> None:
        """Widen the bounds of a group without a belief."""
        if most is None:
            most = sum(map(self.max_hidden, group.now.places))
        for place in group.now.places:
            self.set_hidden(place, max(self.max_hidden(place), most))

    def mark_size_uncertain(self, group: Group) -> None:
        """Mark sizes as uncertain, and update their bounds."""
        if group.now.belief is not None:
            group.set(size_uncertain=True)
            self.open_certain(group)

    # ------------------------------------------------------------ certainty

    def update_sizes(self, group: Group) -> None:
        """Update the bounds of sizes."""
        belief = group.now.belief
        if not group.now.size_uncertain or belief is None:
            return
        self.table.budget.charge(len(belief))
        varies = False
        for place in group.now.places:
            zone = self.zone_of(place)
            sizes = {*group.possible_sizes(zone)}
            varies = varies or len(sizes) > 1
            most = max(sizes) + sum(
                other.max_size(zone) for other in self.groups_of(place) if other is not group
            )
            if self.max_hidden(place) != most:
                self.set_hidden(place, most)
        if not varies:
            group.set(size_uncertain=False)

    def open_certain(self, group: Group) -> None:
        """Open the things whose place is certain, in the only world."""
        self.update_sizes(group)
        if self.placeholders:
            self._replace_identified(group)
        belief = group.now.belief
        if belief is None or len(belief) != 1:
            return
        (world,) = belief
        known = {self.zones.get(place): place for place in group.now.places}
        rest = []
        for things, places, size in world:
            zone = (places.bit_length() - 1) // WIDTH * WIDTH
            # Placeholders stay until a statement names them.
            if zone not in known or zone in self.placeholders or places != size << zone:
                rest.append((things, places, size))
                continue
            self.set_hidden(known[zone], self.max_hidden(known[zone]) - size)
            for item, count in self.entities_in(things):
                self.table.add(known[zone], item, count)
        if len(rest) < len(world):
            self.trace_event(opening_event(group, world, tuple(rest)))
            group.set(belief={tuple(rest): 1.0})

    def _replace_identified(self, group: Group) -> None:
        for place in group.now.places:
            zone = self.zones.get(place, 0)
            placeholder = self.placeholders.get(zone)
            if placeholder is None or not placeholder.known or not self.max_hidden(place):
                continue
            kinds = [kind for kind, _ in lots.fields(group.possible_kinds(zone))]
            if len(kinds) == 1:
                self.change(group, partial(lots.reveal, zones=(zone,), kinds=kinds, to=None))
                self.set_hidden(place, 0)
                self.replace_placeholder(placeholder, self.entity_of(kinds[0]))

    def record_event(
        self, place: int, named: Iterable[Entity] = (), *, there: int = 0, drawn: int = 0
    ) -> None:
        """Record what may explain a later finding."""
        event = PastEvent(self.table.reporter.line, place, tuple(named), there, drawn)
        self.table.journal.put(self._history, (self.table.cells[self._history], event))

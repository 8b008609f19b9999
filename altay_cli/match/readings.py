"""Find the readings of a statement in a state, and whether they are legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, product
from typing import Any, NamedTuple

from altay_cli.base.findings import EvaluationError, ExpressionError, UnrecordedError
from altay_cli.base.suggest import normal
from altay_cli.base.values import (
    NOTHING,
    UNRECORDED,
    Bag,
    Chance,
    Drawn,
    Entity,
    Placeholder,
    WrittenName,
    bag_of,
    copies_together,
    expand,
    unseen_in,
)
from altay_cli.match import limits
from altay_cli.match.decisions import PendingDecision, Values
from altay_cli.match.state import State
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import MoveDef, Requirement, Slot

Notes = list[tuple[WrittenName, Entity]]
"""Names with the copy that each is assumed to mean."""


class Reading(NamedTuple):
    """A candidate with a value for each slot.

    number: the repetition, if the move is repeated for each name in a list.
    may_be_hidden: a name could also mean a hidden thing.
    """

    parsed: Candidate
    values: Values
    notes: Notes
    number: int = 0
    may_be_hidden: bool = False


def rank(parsed: Candidate, *, legal: bool) -> tuple[bool, int, str]:
    """Return a sort key: legal moves first, then patterns with more words."""
    return not legal, -parsed.words, parsed.move.id


class MoveValues(dict[str, object]):
    """The slot and `let` values of a move, the latter evaluated on first use.

    Errors are raised on use, so an earlier requirement can fail first.
    """

    __slots__ = ("_faults", "_lets", "_state")

    def __init__(self, values: Mapping[str, object], move: MoveDef, state: State) -> None:
        super().__init__(values)
        self._state = state
        self._lets = move.lets
        self._faults: dict[str, Exception] = {}
        for name, _ in self._lets:
            self.pop(name, None)  # may be from an earlier evaluation

    def settle(self) -> None:
        """Evaluate the remaining `let` names before the state changes."""
        for name, expr in self._lets:
            if name not in self and name not in self._faults:
                try:
                    self[name] = expr.fn(self._state, self)
                except EvaluationError as error:
                    self._faults[name] = error

    def __missing__(self, name: str) -> object:
        if name in self._faults:
            raise self._faults[name]
        value = self[name] = dict(self._lets)[name].fn(self._state, self)
        return value


class Resolver:
    """Finds the readings of statements in one state."""

    def __init__(self, state: State, binder: Binder, *, leaves_open: bool = False) -> None:
        self.state = state
        self.binder = binder
        self.chance: Chance | None = None
        """Decides unrecorded draws; None if the log must record them."""
        self.leaves_open = leaves_open
        """Leave open from which of two open zones a named thing comes."""
        self.taken: dict[tuple[int, int], list[Entity]] = {}
        """Copies chosen for a name, by place, shared by all readings."""

    @contextmanager
    def chancing(self, chance: Chance | None) -> Iterator[None]:
        """Let `chance` decide unrecorded draws inside the context."""
        before, self.chance = self.chance, chance
        try:
            yield
        finally:
            self.chance = before

    def applying(self, reading: Reading) -> Reading | None:
        """Return the reading with its `let` values; None if `when` fails."""
        state, move, values = self.state, reading.parsed.move, reading.values
        if (
            move.when is not None
            and not move.when.fn(state, values)
            and not (
                state.hidden.beliefs.groups
                and state.can_hold(move.when, lambda: values, known=False)
            )
        ):
            return None
        return reading._replace(values=MoveValues(values, move, state))

    def is_legal(self, reading: Reading) -> bool:
        """Return True if all requirements hold."""
        try:
            return all(
                self.holds(requirement, reading) for requirement in reading.parsed.move.requires
            )
        except ExpressionError:
            return False

    def merged_reading(self, reading: Reading) -> Reading | None:
        """Return a legal reading that leaves ambiguous names open."""
        base = {name: reading.values[name] for name in ("me", "asked")}
        mark = self.state.journal.mark()
        with suppress(UnrecordedError):
            readings = self.readings(reading.parsed, base, reading.number, merges=True)
            for applying in filter(None, map(self.applying, readings)):
                if self.is_possibly_legal(applying, done=True):
                    return applying
        self.state.journal.undo(mark)
        return None

    def is_possibly_legal(self, reading: Reading, *, done: bool = False) -> bool:
        """Return True if the reading is legal for some hidden contents.

        done: so are its effects.

        Raise UnrecordedError if something unrecorded decides.
        """
        asked = reading.values.get("asked")
        try:
            with self.state.journal.supposing():
                self.settle(reading)
                return self.is_legal(reading) and (
                    not done or self.state.leads_to(reading.parsed.move.does, reading.values, None)
                )
        finally:
            reading.values["asked"] = asked

    def is_certain(self, reading: Reading) -> bool:
        """Return True if everything named is there in every world."""
        for slot in reading.parsed.move.slots.values():
            value = reading.values.get(slot.name)
            if slot.reveals and value is not None:
                places = (zone.at.fn(self.state, reading.values) for zone in slot.reveals)
                zones = [self.state.cells[place] for place in places]
                named = self.state.zones.counted([value] if isinstance(value, Entity) else value)
                if any(
                    self.state.hidden.queries.count_bounds(zones, (e,))[0] < n
                    for e, n in named.items()
                ):
                    return False
        return True

    def holds(self, requirement: Requirement, reading: Reading) -> bool:
        """Return True if a requirement holds, before or after the move."""
        state, move, values = self.state, reading.parsed.move, reading.values
        that = requirement.that
        if requirement.afterwards:
            if isinstance(values, MoveValues):
                values.settle()
            return state.leads_to(move.does, values, that)
        holds = bool(that.fn(state, values))
        if not state.hidden.beliefs.groups:
            return holds
        # With other contents, `let` values may differ: evaluate them again.
        return state.can_hold(that, lambda: MoveValues(values, move, state), known=holds)

    def readings(
        self, parsed: Candidate, base: Values, number: int, *, merges: bool = False
    ) -> list[Reading]:
        """Return the readings of a candidate in this state.

        merges: an ambiguous name means any of its things.
        """
        options: list[list[tuple[str, object, Notes]]] = []
        values, may_be_hidden = dict(base), False
        for slot in parsed.move.slots.values():
            if slot.shape == "drawn":
                values[slot.name] = self._drawn(parsed.drawn.get(slot.name, UNRECORDED))
                continue
            written = parsed.slots.get(slot.name)
            if written is None:
                if slot.infer is None:
                    values[slot.name] = slot.empty
                continue
            domain = self.domain(slot, values) if slot.kind else None
            namer = Namer(self, slot, values, domain, merges=merges)
            possible = namer.possible(written, number)
            may_be_hidden = may_be_hidden or namer.may_be_hidden
            if len(possible) == 1:
                values[slot.name] = possible[0][0]
            options.append([(slot.name, value, notes) for value, notes in possible])
        return [
            Reading(
                parsed,
                {**values, **{name: value for name, value, _ in chosen}},
                [note for _, _, notes in chosen for note in notes],
                number,
                may_be_hidden,
            )
            for chosen in islice(product(*options), limits.MAX_READINGS)
        ]

    def only_reading(
        self,
        readings: Sequence[Candidate],
        actor: Entity | None,
        due: PendingDecision | None,
        number: int,
    ) -> Reading | None:
        """Return the only reading of repetition `number`, if there is one.

        All candidates must have equally many repetitions.
        """
        if due is not None and due.who is not actor:
            return None
        base: Values = {"me": actor, "asked": due.values if due else {}}
        decision = due.decision if due else None
        is_open = not (self.chance or self.state.hidden.beliefs.groups or self.leaves_open)
        chosen: Reading | None = None
        for parsed in readings:
            move = parsed.move
            if move.fallback or move.answers != decision:
                continue
            if parsed.repetitions != readings[0].repetitions or (
                actor is None and move.needs_actor and not move.heading
            ):
                return None
            if is_open and parsed.values is not None:
                values: Values | None = {**base, **parsed.values[number]}
            else:
                values = self._only_values(parsed, base, number)
            if values is None:
                return None
            if move.when is None or move.when.fn(self.state, values):
                if chosen is not None:
                    return None
                chosen = Reading(parsed, values, [], number)
        return chosen

    def _only_values(self, parsed: Candidate, base: Values, number: int) -> Values | None:
        if parsed.values is not None:
            values, hidden = {**base, **parsed.values[number]}, self.state.hidden
            for slot in parsed.move.slots.values():
                unseen = hidden.beliefs.placeholders and slot.kind and slot.name in parsed.slots
                reveals = slot.reveals and (hidden.beliefs.groups or self.leaves_open)
                if reveals or (unseen and unseen_in(self.domain(slot, values) or Bag())):
                    break
                if slot.shape == "drawn" and self.chance is not None:
                    values[slot.name] = self._drawn(values[slot.name])
            else:
                return values
        found = self.readings(parsed, base, number)
        return found[0].values if len(found) == 1 and not found[0].notes else None

    def _drawn(self, recorded: Drawn) -> Drawn:
        chance = self.chance
        if chance is None or any(item.entities for item in recorded) or recorded.items == []:
            return recorded
        # Forget an attempt that was rolled back.
        chance.asked = recorded.items
        chance.drawn.clear()
        return chance

    def domain(self, slot: Slot, values: Values) -> Bag | None:
        """Return the domain of a slot."""
        domain = slot.domain
        return None if domain is None else self.state.zones.counted(domain.fn(self.state, values))

    def settle(self, reading: Reading) -> None:
        """Identify hidden cards with the names of the chosen reading."""
        if isinstance(reading.values, MoveValues):
            reading.values.settle()
        for slot in reading.parsed.move.slots.values():
            value = reading.values.get(slot.name)
            if not slot.reveals or not isinstance(value, Bag):
                continue
            for item, count in value.items():
                domain = self.domain(slot, reading.values)
                others = Bag({other: n for other, n in value.items() if other is not item})
                # Its placeholder has already been removed.
                if domain is not None and not isinstance(item, Placeholder):
                    Namer(self, slot, reading.values, domain, others).identify([item], count)


# ---------------------------------------------------------------- names


class Namer:
    """Finds the possible values of the names in one slot.

    A name may mean copies of a card, or different cards with the same title. If several are left in
    the domain of the slot, each makes a reading.

    domain: the things still available.
    used: what earlier names took.
    """

    __slots__ = ("domain", "may_be_hidden", "merges", "resolver", "slot", "state", "used", "values")

    def __init__(
        self,
        resolver: Resolver,
        slot: Slot,
        values: Values,
        domain: Bag | None,
        used: Mapping[Entity, int] = NOTHING,
        *,
        merges: bool = False,
    ) -> None:
        self.resolver = resolver
        self.state = resolver.state
        self.slot = slot
        self.values = values
        self.domain = Bag(domain or ())
        self.used = Bag(used)
        self.merges = merges
        self.may_be_hidden = False

    def possible(self, written: list[WrittenName], number: int) -> list[tuple[Any, Notes]]:
        """Return possible values of the slot, with assumptions."""
        slot, binder = self.slot, self.resolver.binder
        if slot.shape == "new player":
            name = written[0].text
            player = binder.players.get(normal(name))
            if player is None:
                player = Entity("player", name, len(self.state.players))
                binder.add_player(player)
            return [(player, [])]
        if slot.each:
            flat = [item for item in written for _ in range(item.count)]
            written = [flat[number]] if number < len(flat) else flat[-1:]
        if slot.shape == "int":
            return [(written[0].value, [])]
        if not slot.kind:
            return [([item.value for item in written], [])]
        if slot.shape == "entity":
            return self._entity(written[0]) if written[0].entities else [(None, [])]
        if slot.shape == "bag":
            return self._bags(written)
        every = (self._entity(item) for item in written for _ in range(item.count))
        combined = islice(product(*every), limits.MAX_READINGS)
        return [
            ([e for e, _ in some], [n for _, notes in some for n in notes]) for some in combined
        ]

    def _entity(self, name: WrittenName) -> list[tuple[Entity, Notes]]:
        groups, domain, before = self._groups(name), self.domain, dict(self.domain)
        if self.slot.domain is not None and len(groups) == 1:
            self.identify(groups[0], name.count, name)
        result: list[tuple[Entity, Notes]] = []
        for group in groups:
            there = [entity for entity in group if domain.get(entity, 0) > 0] or group
            if isinstance(there[-1], Placeholder):
                self.state.reporter.note_meaning(name.start, name.end, there[-1:])
            notes = [(name, there[-1])] if len(there) > 1 and not self.slot.exact and domain else []
            result.append((there[-1], notes))
        domain.clear()
        domain.update(before)
        return result

    def _groups(self, name: WrittenName) -> list[list[Entity]]:
        slot, domain = self.slot, self.domain
        found = [[*name.entities]] if self.merges else copies_together(name.entities)
        likes = _placeholders(domain) if self.state.hidden.beliefs.placeholders else []
        for group in found:
            # A slot that reveals finds partly matching placeholders later.
            enough = all if slot.reveals else any
            group += [like for like in likes if enough(entity in group for entity in like.among)]
        if slot.domain is None or len(found) == 1:
            return found
        there = [g for g in found if any(domain.get(e, 0) > 0 for e in g)]
        hidden: list[list[Entity]] = []
        if len(there) < len(found) and slot.reveals and self.state.hidden.beliefs.groups:
            zones: list[int] = [zone.at.fn(self.state, self.values) for zone in slot.reveals]
            among, may_be = (
                {e for like in likes for e in like.among},
                self.state.hidden.queries.may_contain,
            )
            for group in found:
                if group not in there and any(
                    e in among or may_be(zone, e) for e in group for zone in zones
                ):
                    hidden.append(group)
                    self.may_be_hidden = True
        return [group for group in found if group in there or group in hidden] or found

    def identify(self, group: list[Entity], count: int, written: WrittenName | None = None) -> None:
        """Identify hidden things as named if the open ones do not suffice.

        Placeholders are narrowed to the meanings of ``written``.
        """
        domain = self.domain
        self._uncover(group, count)
        if (self.slot.reveals and self._search_hidden(group, count, written)) or written is None:
            return
        # Narrow the placeholders that are needed; drop the others.
        for item in [item for item in group if isinstance(item, Placeholder)]:
            others = sum(domain.get(e, 0) for e in group if e is not item)
            matches = all(entity in written.entities for entity in item.among)
            if others >= written.count or not (
                matches or self.state.hidden.condition_on_identity(item, written.entities)
            ):
                group.remove(item)

    def _search_hidden(self, group: list[Entity], count: int, written: WrittenName | None) -> bool:
        self.state.spend(limits.IDENTIFYING_STEPS)
        if not (self.state.hidden.beliefs.groups or self.resolver.leaves_open):
            return False
        domain, used = self.domain, self.used
        places = (zone.at.fn(self.state, self.values) for zone in self.slot.reveals)
        zones: list[int] = list(dict.fromkeys(places))
        several = len(copies_together(group)) > 1
        if written is not None and not several and self._take_lowest(zones, group, written):
            return True
        self._hide_placeholders(zones, group, several=several)
        if not any(used.get(entity, 0) for entity in group):
            for covered in self._hide_doubtful(zones, group, count):
                domain[covered] = domain.get(covered, 0) - 1
        first: Bag = self.state.cells[zones[0]]
        lying = sum(first.get(entity, 0) - used.get(entity, 0) for entity in group)
        there = sum(domain.get(entity, 0) for entity in group)
        for _ in range(count - max(there, lying)):
            if self._reveal(zones, group) is None:
                break
        return False

    def _reveal(self, zones: Sequence[int], group: list[Entity]) -> Entity | None:
        named = [entity for entity in group if not isinstance(entity, Placeholder)] or group
        chosen = self.state.hidden.reveal(zones, named)
        if chosen is not None:
            if chosen not in group:
                group.append(chosen)
            self.state.table.add(zones[0], chosen, 1)
            self.domain[chosen] = self.domain.get(chosen, 0) + 1
        return chosen

    def _hide_placeholders(
        self, zones: Sequence[int], group: list[Entity], *, several: bool
    ) -> None:
        domain, used = self.domain, self.used
        for item in _placeholders(domain):
            known = item in group and not several
            if known or domain[item] <= 0 or used.get(item, 0) or {*group}.isdisjoint(item.among):
                continue
            group[:] = [entity for entity in group if entity is not item]
            for zone in zones:
                domain[item] = domain.get(item, 0) - self.state.cells[zone].get(item, 0)
                if item in self.state.cells[zone]:
                    self.state.hidden.draws.hide(zone, (item,).__contains__)
            if domain.get(item, 0) > 0:
                group.append(item)

    def _take_lowest(self, zones: Sequence[int], group: list[Entity], written: WrittenName) -> bool:
        """Resolve a bare title to its lowest-valued copies, possibly hidden.

        Hide open copies first, as they differ per world. Return False if all copies are known or
        none can be meant.
        """
        hidden, cells, count = self.state.hidden, self.state.cells, written.count
        domain, used = self.domain, self.used
        copies = [entity for entity in group if not isinstance(entity, Placeholder)]
        if len(copies) < 2:
            return False
        key = (self.state.reporter.line, written.start)
        taken = self.resolver.taken.get(key, [])
        if len(taken) == count and all(domain.get(e, 0) >= taken.count(e) for e in taken):
            group[:] = dict.fromkeys(taken)
            return True
        placeholders = [
            item
            for item in _placeholders(domain)
            if not used.get(item, 0)
            and any(item in cells[zone] for zone in zones)
            and any(hidden.queries.may_contain(item.cell, entity) for entity in copies)
        ]
        if self._is_choice_known(zones, copies, placeholders, count):
            return False
        mark, before, names = self.state.journal.mark(), dict(domain), [*group]
        self._hide_unused(zones, [*copies, *placeholders])
        group[:], taken = [*copies], []
        for _ in range(count):
            chosen = self._reveal(zones, group)
            if chosen is None:
                self.state.journal.undo(mark)
                domain.clear()
                domain.update(before)
                group[:] = names
                return False
            taken.append(chosen)
        group[:] = dict.fromkeys(taken)
        for other in [other for other in self.resolver.taken if other[0] != key[0]]:
            del self.resolver.taken[other]
        self.resolver.taken[key] = taken
        return True

    def _is_choice_known(
        self,
        zones: Sequence[int],
        copies: Sequence[Entity],
        placeholders: Sequence[Placeholder],
        count: int,
    ) -> bool:
        """Return True if hidden copies cannot change which of ``copies`` are meant."""
        domain, may_contain = self.domain, self.state.hidden.queries.may_contain
        where = [*zones, *(item.cell for item in placeholders)]
        possible = [
            entity
            for entity in copies
            if domain.get(entity, 0) > 0 or any(may_contain(place, entity) for place in where)
        ]
        if len(possible) < 2 or domain.get(possible[-1], 0) >= count:
            return True
        if any(may_contain(zone, entity) for zone in zones for entity in copies):
            return False
        visible = sum([domain.get(entity, 0) for entity in copies])
        return not placeholders or len(placeholders) + visible == count

    def _hide_unused(self, zones: Sequence[int], entities: Sequence[Entity]) -> None:
        domain, left = self.domain, Bag(self.used)
        for zone in zones:
            kept = Bag()
            for entity in entities:
                visible = self.state.cells[zone].get(entity, 0)
                kept[entity] = min(visible, left.get(entity, 0))
                left[entity] = left.get(entity, 0) - kept[entity]
                domain[entity] = domain.get(entity, 0) - visible + kept[entity]
            self.state.hidden.draws.hide(zone, kept.__contains__, kept=kept)

    def _uncover(self, group: list[Entity], count: int) -> None:
        domain, values = self.domain, self.values
        unseen = unseen_in(domain) if self.state.hidden.beliefs.placeholders else []
        if not unseen:
            return
        there = sum(domain.get(entity, 0) for entity in group)
        for _ in range(count - there):
            named = [e for e in group if not isinstance(e, Placeholder)]
            found, due = self.state.hidden.identify_unseen(unseen, named), self.state.next_decision
            if found is None:
                break
            unknown, item = found
            self.state.hidden.beliefs.replace_placeholder(unknown, item)
            if due and self.state.next_decision and values.get("asked") is due.values:
                values["asked"] = self.state.next_decision.values
            unseen = [other for other in unseen if other is not unknown]
            del domain[unknown]
            domain[item] = domain.get(item, 0) + 1
            if item not in group:
                group.append(item)

    def _hide_doubtful(
        self, zones: Sequence[int], group: Sequence[Entity], count: int
    ) -> list[Entity]:
        hidden, cells = self.state.hidden, self.state.cells
        pairs = [*product(zones, group)]
        lying = sum(cells[zone].get(entity, 0) for zone, entity in pairs)
        may_be = {(zone, e.parent or e) for zone, e in pairs if hidden.queries.may_contain(zone, e)}
        open_ = {(zone, e.parent or e) for zone, e in pairs if cells[zone].get(e, 0) > 0}
        in_two = not may_be and len(open_) > 1 and lying > count
        if len(may_be | open_) < 2 or not (may_be or (self.resolver.leaves_open and in_two)):
            return []
        found: list[Entity] = []
        for zone in zones:
            lies: Bag = cells[zone]
            doubtful = [entity for entity in group if lies.get(entity, 0) > 0]
            found += [entity for entity in doubtful for _ in range(lies[entity])]
            if doubtful:
                hidden.draws.hide(zone, doubtful.__contains__)
        return found

    def _bags(self, written: list[WrittenName]) -> list[tuple[Bag, Notes]]:
        parts: list[list[tuple[Bag, Notes]]] = []
        slot, left, used = self.slot, self.domain, self.used
        self.state.charge(limits.NAME_STEPS * len(written))
        for name in written:
            groups = self._groups(name)
            # An exact name needs no identification.
            if slot.domain is not None and len(groups) == 1 and not slot.exact:
                self.identify(groups[0], name.count, name)
            every = [entity for group in groups for entity in group]
            if (
                len(groups) > 1
                and slot.domain is not None
                and sum(left.get(e, 0) for e in every) == name.count
                and all(any(left.get(e, 0) > 0 for e in group) for group in groups)
            ):
                # The count covers all cards with this title, so the name means each.
                options: list[tuple[Bag, Notes]] = [
                    (Bag({e: left[e] for e in every if left.get(e, 0) > 0}), [])
                ]
            else:
                options = [self._copies(name, group) for group in groups]
                for bag, _ in options:
                    if any(isinstance(item, Placeholder) for item in bag):
                        self.state.reporter.note_meaning(name.start, name.end, expand(bag))
            if len(options) == 1 and slot.domain is not None:
                for entity, count in options[0][0].items():
                    left[entity] = left.get(entity, 0) - count
                    used[entity] = used.get(entity, 0) + count
            parts.append(options)
        # If no copy is left, it does not matter which was taken.
        rest = {entity for entity, count in left.items() if count > 0}
        return [
            (
                bag_of(entity for bag, _ in chosen for entity in expand(bag)),
                [n for _, notes in chosen for n in notes if not rest.isdisjoint(n[0].entities)],
            )
            for chosen in islice(product(*parts), limits.MAX_READINGS)
        ]

    def _copies(self, name: WrittenName, group: list[Entity]) -> tuple[Bag, Notes]:
        plain = next((e for e in reversed(group) if not isinstance(e, Placeholder)), group[-1])
        if self.slot.domain is None or self.slot.exact or name.exact:
            return Bag({plain: name.count}), []
        bag, wanted = Bag(), name.count
        there = {e: max(self.domain.get(e, 0), 0) for e in group}
        for entity in reversed(group):
            count = min(wanted, there[entity])
            if count:
                bag[entity] = count
                wanted -= count
        unsure = sum(1 for n in there.values() if n) > 1 and name.count < sum(there.values())
        notes = [(name, next(iter(bag)))] if unsure else []
        if wanted:
            # A placeholder is a single thing.
            rest = next((e for e in bag if not isinstance(e, Placeholder)), plain)
            bag[rest] = bag.get(rest, 0) + wanted
        return bag, notes


def _placeholders(domain: Bag) -> list[Placeholder]:
    return [item for item in domain if isinstance(item, Placeholder) and item.known]

"""What a statement means in a state: which things its names stand for.

A name may stand for several copies of a card, or for different cards that share it; the zone
that the rules say the value comes from decides, and where it leaves several, each is a reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Any

from altay_cli.base.errors import BudgetError, ExpressionError, UnrecordedError
from altay_cli.base.values import UNRECORDED, Bag, Drawn, Entity, Likeness, bag_of, expand
from altay_cli.compile.model import MoveDef, Requirement, Shape, Slot
from altay_cli.hidden.unseen import Unseen, find, unseen_in
from altay_cli.match.binding import Binder, Parsed, Written
from altay_cli.match.chance import Chance
from altay_cli.match.state import State, Values
from altay_cli.match.supposing import can_hold
from altay_cli.source.spelling import normal

MAX_READINGS = 16

IDENTIFYING_STEPS = 100
"""What it costs to look for a named thing among what is hidden."""

NAME_STEPS = 20
"""The cost of resolving one name of a list."""

Notes = list[tuple[Written, Entity]]
"""Names for which one of several copies was taken, and which."""


class Reading:
    """One way to understand a statement: its values, and what is unsure about them."""

    __slots__ = ("notes", "number", "parsed", "values")

    def __init__(self, parsed: Parsed, values: Values, notes: Notes, number: int = 0) -> None:
        self.parsed = parsed
        self.values = values
        self.notes = notes
        self.number = number


def rank(parsed: Parsed, *, legal: bool) -> tuple[bool, int, str]:
    """Return what several moves that are written alike, and could all be meant, are ordered by.

    What is legal comes first, then what says most in words of its own: never the file in which a
    move stands.
    """
    return not legal, -parsed.words, parsed.move.id


class Named(dict[str, object]):
    """The values of a move: those of its slots, and of its `let` as soon as they are needed.

    One that cannot be evaluated fails where it is needed, so that a requirement before it can say
    why the move is not legal.
    """

    __slots__ = ("_faults", "_lets", "_state")

    def __init__(self, values: Mapping[str, object], move: MoveDef, state: State) -> None:
        super().__init__(values)
        self._state = state
        self._lets = dict(move.lets)
        self._faults: dict[str, Exception] = {}
        for name in self._lets:
            self.pop(name, None)  # what it was for other values

    def settle(self) -> None:
        """Evaluate all names that have not been needed yet, before the state changes."""
        for name in self._lets:
            if name not in self and name not in self._faults:
                try:
                    self[name]
                except BudgetError:
                    raise
                except ExpressionError as error:
                    self._faults[name] = error

    def __missing__(self, name: str) -> object:
        if name in self._faults:
            raise self._faults[name]
        if name not in self._lets:
            raise KeyError(name)
        value = self[name] = self._lets[name].fn(self._state, self)
        return value


class Resolver:
    """Finds the readings of statements in one state."""

    def __init__(self, state: State, binder: Binder) -> None:
        self.state = state
        self.binder = binder
        self.chance: Chance | None = None
        """Decides what is drawn where a statement does not say it; None if a log must."""
        self.merges = False
        """Whether a name of several things means any of them."""
        self.names_hidden = False
        """Whether a name of several things could have meant something hidden."""
        self.leaves_open = False
        """Whether it is left open from which zone something is taken that lies openly in two."""
        self.left_open = False
        """Whether that was left open for anything."""
        self.lies_in_two = False
        """Whether it could have been left open for anything."""
        self._taken: dict[tuple[int, int], list[Entity]] = {}
        """What was taken for a name, by its line and place: all readings of it mean the same."""

    def applies(self, reading: Reading) -> bool:
        """Return whether the move is meant for such values; names its values on the way."""
        move = reading.parsed.move
        if move.when is not None and not (
            move.when.fn(self.state, reading.values)
            or (self.state.hides and can_hold(self.state, move.when, lambda: reading.values))
        ):
            return False
        reading.values = Named(reading.values, move, self.state)
        return True

    def is_legal(self, reading: Reading) -> bool:
        """Return whether everything that the move requires holds."""
        try:
            return all(
                self.holds(requirement, reading) for requirement in reading.parsed.move.requires
            )
        except ExpressionError:
            return False

    def unclear(self, reading: Reading) -> Reading | None:
        """Return a reading in which each name means any of the things of that name, if it is legal.

        Nobody wrote down which of them it was, one of which may be hidden. None as well if what
        the statement does depends on that.
        """
        base = {name: reading.values[name] for name in ("me", "asked")}
        mark = self.state.mark()
        self.merges = True
        try:
            for other in self.readings(reading.parsed, base, reading.number):
                if self.applies(other) and self.can_be(other, done=True):
                    return other
        except UnrecordedError:
            pass
        finally:
            self.merges = False
        self.state.undo(mark)
        return None

    def can_be(self, reading: Reading, *, done: bool = False) -> bool:
        """Return whether it is legal, if hidden cards are what it names.

        With ``done``, what it does is told as well.

        Raises:
            UnrecordedError: if it is not, because that depends on what nobody recorded.

        """
        mark = self.state.mark()
        try:
            self.settle(reading)
            if not self.is_legal(reading):
                return False
            return not done or self.state.leads_to(reading.parsed.move.does, reading.values, None)
        finally:
            self.state.undo(mark)

    def is_certain(self, reading: Reading) -> bool:
        """Return whether all that is named is there wherever the hidden things lie."""
        for slot in reading.parsed.move.slots.values():
            value = reading.values.get(slot.name)
            if slot.reveals and value is not None:
                zones: list[Bag] = [zone.fn(self.state, reading.values) for zone in slot.reveals]
                things = value if isinstance(value, Bag | list) else [value]
                named = things if isinstance(things, Bag) else bag_of(things)
                if any(self.state.hidden.surely(zones, e) < n for e, n in named.items()):
                    return False
        return True

    def holds(self, requirement: Requirement, reading: Reading) -> bool:
        """Return whether what a move requires holds, before the move or behind it."""
        if not requirement.afterwards:
            if requirement.that.fn(self.state, reading.values):
                return True
            if not self.state.hides:
                return False
            # What a name of the move was by what is known may be otherwise as well.
            move = reading.parsed.move
            return can_hold(
                self.state, requirement.that, lambda: Named(reading.values, move, self.state)
            )
        if isinstance(reading.values, Named):
            reading.values.settle()
        does = reading.parsed.move.does
        return self.state.leads_to(does, reading.values, requirement.that)

    def readings(self, parsed: Parsed, base: Values, number: int) -> list[Reading]:
        """Return the values that the written names can have in this state."""
        options: list[list[tuple[str, object, Notes]]] = []
        values = dict(base)
        for slot in parsed.move.slots.values():
            if slot.shape is Shape.DRAWN:
                values[slot.name] = self._drawn(parsed.drawn.get(slot.name, UNRECORDED))
                continue
            written = parsed.slots.get(slot.name)
            if written is None:
                if slot.infer is None:
                    values[slot.name] = slot.empty
                continue
            possible = self._values(slot, written, values, number)
            if len(possible) == 1:
                values[slot.name] = possible[0][0]
            options.append([(slot.name, value, notes) for value, notes in possible])
        result = []
        for combination in product(*options):
            reading = Reading(parsed, dict(values), [], number)
            for name, value, notes in combination:
                reading.values[name] = value
                reading.notes.extend(notes)
            result.append(reading)
            if len(result) >= MAX_READINGS:
                break
        return result

    def values(self, parsed: Parsed, base: Values, number: int) -> Values | None:
        """Return the values of a statement that can only be read in one way, else None.

        ``number`` tells which of the moves is meant that the statement stands for.
        """
        if parsed.values is None:
            return self._only_values(parsed, base, number)
        values = {**base, **parsed.values[number]}
        if self.chance is None and not (self.state.hides or self.leaves_open):
            if not self.lies_in_two:
                for slot in parsed.move.slots.values():
                    if len(slot.reveals) > 1:
                        self._notice(slot, values)
            return values
        for slot in parsed.move.slots.values():
            if self._may_be_unseen(slot, parsed, values):
                return self._only_values(parsed, base, number)
            if slot.reveals and not self._brought(slot, values):
                return None
            if slot.shape is Shape.DRAWN and self.chance is not None:
                values[slot.name] = self._drawn(values[slot.name])
        return values

    def _only_values(self, parsed: Parsed, base: Values, number: int) -> Values | None:
        """Return the values of the only reading of a statement, if there is only one."""
        found = self.readings(parsed, base, number)
        return found[0].values if len(found) == 1 and not found[0].notes else None

    def _may_be_unseen(self, slot: Slot, parsed: Parsed, values: Values) -> bool:
        """Return whether what is named may be something unseen."""
        if not self.state.hidden.likenesses or slot.name not in parsed.slots or not slot.kind:
            return False
        return bool(unseen_in(self.domain(slot, values) or Bag()))

    def _brought(self, slot: Slot, values: Values) -> bool:
        """Let hidden cards be what a slot names, if it lacks them; return whether they can be."""
        zones: list[Bag] = [zone.fn(self.state, values) for zone in slot.reveals]
        named = values.get(slot.name)
        if not named:
            return True
        if isinstance(named, Entity):
            named = Bag({named: 1})
        if not (self.leaves_open or any(zone.unknown.hidden for zone in zones)):
            self._notice(slot, values)
            return True
        domain = self.domain(slot, values)
        if domain is None or not isinstance(named, Bag):
            return False
        if self.state.hidden.likenesses and any(isinstance(item, Likeness) for item in domain):
            return False
        for item, count in named.items():
            there = domain.get(item, 0) - len(self._doubtful(zones, (item,), count))
            for _ in range(count - max(there, zones[0].get(item, 0))):
                if self.state.hidden.reveal(zones, (item,)) is not item:
                    return False
                self.state.add(zones[0], item, 1)
        return True

    def _notice(self, slot: Slot, values: Values) -> None:
        """Take note where something that a slot names lies openly in two zones."""
        zones: list[Bag] = [zone.fn(self.state, values) for zone in slot.reveals]
        named = values.get(slot.name)
        if named and any(zones[1:]):
            for item in (named,) if isinstance(named, Entity) else named:
                lying = {id(zone) for zone in zones if zone.get(item, 0) > 0}
                self.lies_in_two = self.lies_in_two or len(lying) > 1

    def _drawn(self, told: Drawn) -> Drawn:
        """Return what was drawn; where that is not said, or only `?` are, chance may decide."""
        chance = self.chance
        if chance is None or any(item.candidates for item in told) or told.items == []:
            return told
        chance.asked = told.items
        return chance

    def _values(
        self, slot: Slot, written: list[Written], values: Values, number: int
    ) -> list[tuple[Any, Notes]]:
        """Return the possible values of one slot, each with the assumptions it rests on."""
        if slot.shape is Shape.NEW_PLAYER:
            return [(self._new_player(written[0].text), [])]
        if slot.each:
            flat = [one for one in written for _ in range(one.count)]
            written = [flat[number]] if number < len(flat) else flat[-1:]
        if slot.shape is Shape.INT:
            return [(written[0].value, [])]
        if not slot.kind:
            return [([one.value for one in written], [])]
        domain = self.domain(slot, values)
        if slot.shape is Shape.ENTITY:
            one = written[0]
            if not one.entities:
                return [(None, [])]
            return [(entity, notes) for entity, notes in self._entity(slot, one, domain, values)]
        if slot.shape is Shape.LIST:
            return self._lists(slot, written, domain, values)
        return self._bags(slot, written, domain, values)

    def _lists(
        self, slot: Slot, written: list[Written], domain: Bag | None, values: Values
    ) -> list[tuple[list[Entity], Notes]]:
        """Return what names in order can mean."""
        every = (
            self._entity(slot, one, domain, values) for one in written for _ in range(one.count)
        )
        combined = islice(product(*every), MAX_READINGS)
        return [
            ([e for e, _ in some], [n for _, notes in some for n in notes]) for some in combined
        ]

    def _new_player(self, name: str) -> Entity:
        known = self.binder.players.get(normal(name))
        if known is None:
            known = Entity("player", name, len(self.state.players))
            self.binder.add_player(known)
        return known

    def domain(self, slot: Slot, values: Values) -> Bag | None:
        """Return the domain of a slot as a bag; None if it has none."""
        if slot.domain is None:
            return None
        domain = slot.domain.fn(self.state, values)
        if isinstance(domain, Bag):
            return domain
        self.state.charge(len(domain))
        return bag_of(domain)

    def _entity(
        self, slot: Slot, one: Written, domain: Bag | None, values: Values
    ) -> list[tuple[Entity, Notes]]:
        """Return what a single name can mean."""
        groups = self._groups(one, domain, slot, values)
        domain = self._uncover(groups, one.count, domain)
        if not self._identify(slot, groups, one.count, domain, values, Bag(), one):
            self._narrow(one, groups, domain)
        result: list[tuple[Entity, Notes]] = []
        for group in groups:
            there = [e for e in group if domain is not None and domain.get(e, 0) > 0] or group
            chosen = there[-1]
            if isinstance(chosen, Likeness):
                self.state.reporter.meant(one.start, one.end, (chosen,))
            notes = [(one, chosen)] if len(there) > 1 and not slot.exact and domain else []
            result.append((chosen, notes))
        return result

    def _groups(
        self, one: Written, domain: Bag | None, slot: Slot, values: Values
    ) -> list[list[Entity]]:
        """Split what a name may stand for into different things; copies of one stay together.

        Where only some of them are in the zone meant, the others are not.
        """
        groups: dict[Entity, list[Entity]] = {}
        for entity in one.entities:
            groups.setdefault(entity.parent or entity, []).append(entity)
        found = list(groups.values())
        if self.merges:
            found = [[entity for group in found for entity in group]]
        likes = _likes(domain) if self.state.hidden.likenesses and domain is not None else []
        for group in found:
            # Where a name reveals what is hidden, what it may mean besides is looked for there.
            enough = all if slot.reveals else any
            group += [like for like in likes if enough(entity in group for entity in like.among)]
        if domain is None or len(found) == 1:
            return found
        there = [g for g in found if any(domain.get(e, 0) > 0 for e in g)]
        hidden = self._covered(slot, [g for g in found if g not in there], likes, values)
        self.names_hidden = self.names_hidden or bool(hidden)
        return [g for g in found if g in there or g in hidden] or found

    def _covered(
        self, slot: Slot, groups: list[list[Entity]], likes: list[Likeness], values: Values
    ) -> list[list[Entity]]:
        """Return those of different things that may be hidden where a slot takes them from."""
        if not groups or not slot.reveals or not self.state.hides:
            return []
        zones: list[Bag] = [zone.fn(self.state, values) for zone in slot.reveals]
        may_be = self.state.hidden.may_be
        return [
            g
            for g in groups
            if any(may_be(zone, e) for zone in zones for e in g)
            or any(e in like.among for like in likes for e in g)
        ]

    def _identify(
        self,
        slot: Slot,
        groups: list[list[Entity]],
        count: int,
        domain: Bag | None,
        values: Values,
        used: Bag,
        one: Written | None = None,
    ) -> bool:
        """Let hidden cards of the zone be those that are named, where they are not there openly.

        ``used`` are those that earlier names of the statement mean already. Nothing happens where
        they cannot be. Returns whether nothing else can be meant by a name that is ``one``.
        """
        if not slot.reveals or domain is None or len(groups) != 1:
            return False
        self.state.spend(IDENTIFYING_STEPS)
        zones: list[Bag] = [zone.fn(self.state, values) for zone in slot.reveals]
        group = groups[0]
        several = len({entity.parent or entity for entity in group}) > 1
        if one is not None and not several and self._least(zones, group, one, domain, used):
            return True
        self._look_again(zones, group, domain, used, several=several)
        if not any(used.get(entity, 0) for entity in group):
            for covered in self._doubtful(zones, group, count):
                domain[covered] = domain.get(covered, 0) - 1
        lying = sum(zones[0].get(entity, 0) - used.get(entity, 0) for entity in group)
        there = sum(domain.get(entity, 0) for entity in group)
        for _ in range(count - max(there, lying)):
            if self._found(zones, group, domain) is None:
                break
        return False

    def _found(self, zones: Sequence[Bag], group: list[Entity], domain: Bag) -> Entity | None:
        """Let a hidden card be one of a group, if it can be; it lies in the first zone then."""
        named = [entity for entity in group if not isinstance(entity, Likeness)] or group
        chosen = self.state.hidden.reveal(zones, named)
        if chosen is not None:
            if chosen not in group:
                group.append(chosen)
            self.state.add(zones[0], chosen, 1)
            domain[chosen] = domain.get(chosen, 0) + 1
        return chosen

    def _look_again(
        self, zones: Sequence[Bag], group: list[Entity], domain: Bag, used: Bag, *, several: bool
    ) -> None:
        """Look for what stands for one of several things among all that is hidden.

        What it is may be told by a name that means only some of these.
        """
        for item in _likes(domain):
            if (item in group and not several) or domain[item] <= 0 or used.get(item, 0):
                continue
            if not any(entity in item.among for entity in group):
                continue
            group[:] = [entity for entity in group if entity is not item]
            for zone in zones:
                domain[item] = domain.get(item, 0) - zone.get(item, 0)
                if item in zone:
                    self.state.hidden.cover(zone, (item,).__contains__)
            if domain.get(item, 0) > 0:
                group.append(item)

    def _least(
        self, zones: Sequence[Bag], group: list[Entity], one: Written, domain: Bag, used: Bag
    ) -> bool:
        """Take so many of several copies, where what is hidden decides which of them are meant.

        It is the last of those that lie there, and what lies there differs from world to world: so
        what lies openly there is as good as hidden. Returns False, and changes nothing, where all
        of it is known, or nothing there can be meant.
        """
        hidden, count = self.state.hidden, one.count
        copies = [entity for entity in group if not isinstance(entity, Likeness)]
        if len(copies) < 2:
            return False
        key = (self.state.reporter.line, one.start)
        taken = self._taken.get(key, [])
        if len(taken) == count and all(
            domain.get(entity, 0) >= taken.count(entity) for entity in taken
        ):
            group[:] = dict.fromkeys(taken)
            return True
        zones = list({id(zone): zone for zone in zones}.values())
        likes = [
            like
            for like in _likes(domain)
            if domain[like] > 0
            and not used.get(like, 0)
            and any(like in zone for zone in zones)
            and any(hidden.may_be(like.holder, entity) for entity in copies)
        ]
        veiled = [*zones, *(like.holder for like in likes)]
        possible = [
            entity
            for entity in copies
            if domain.get(entity, 0) > 0 or any(hidden.may_be(one, entity) for one in veiled)
        ]
        if len(possible) < 2 or domain.get(possible[-1], 0) >= count:
            return False
        if not any(hidden.may_be(zone, entity) for zone in zones for entity in copies):
            lying = sum([domain.get(entity, 0) for entity in copies])
            if not likes or len(likes) + lying == count:
                return False
        mark, before, names = self.state.mark(), dict(domain), [*group]
        left = Bag(used)
        for zone in zones:
            kept = Bag()
            for entity in [*copies, *likes]:
                kept[entity] = min(zone.get(entity, 0), left.get(entity, 0))
                left[entity] = left.get(entity, 0) - kept[entity]
                domain[entity] = domain.get(entity, 0) - zone.get(entity, 0) + kept[entity]
            hidden.cover(zone, kept.__contains__, kept=kept)
        group[:], taken = [*copies], []
        for _ in range(count):
            chosen = self._found(zones, group, domain)
            if chosen is None:
                self.state.undo(mark)
                domain.clear()
                domain.update(before)
                group[:] = names
                return False
            taken.append(chosen)
        group[:] = dict.fromkeys(taken)
        here = {k: v for k, v in self._taken.items() if k[0] == key[0]}
        self._taken = {**here, key: taken}
        return True

    def _uncover(self, groups: list[list[Entity]], count: int, domain: Bag | None) -> Bag | None:
        """Let unseen things of a domain be those that are named, where they can be.

        Returns the domain as it is then.
        """
        if domain is None or not self.state.hidden.likenesses or len(groups) != 1:
            return domain
        unseen = unseen_in(domain)
        if not unseen:
            return domain
        group = groups[0]
        domain = Bag(domain)
        there = sum(domain.get(entity, 0) for entity in group)
        for _ in range(count - there):
            found = find(
                self.state.hidden, unseen, [e for e in group if not isinstance(e, Likeness)]
            )
            if found is None:
                break
            one, item = found
            unseen = [other for other in unseen if other is not one]
            del domain[one]
            domain[item] = domain.get(item, 0) + 1
            if item not in group:
                group.append(item)
        return domain

    def _narrow(self, one: Written, groups: list[list[Entity]], domain: Bag | None) -> None:
        """Take what stands for one of several things as what the name can mean, if it is needed."""
        if domain is None or len(groups) != 1 or not self.state.hidden.likenesses:
            return
        group = groups[0]
        for item in [item for item in group if isinstance(item, Likeness)]:
            others = sum(domain.get(e, 0) for e in group if e is not item)
            whole = all(entity in one.entities for entity in item.among)
            if others >= one.count or not (whole or self.state.hidden.narrow(item, one.entities)):
                group.remove(item)

    def _doubtful(self, zones: Sequence[Bag], group: Sequence[Entity], count: int) -> list[Entity]:
        """Cover things of which so many are named and that may be taken from either of two zones.

        Which are meant is not known then. Returns those that have been covered.
        """
        hidden = self.state.hidden
        zones = list({id(zone): zone for zone in zones}.values())
        lying = sum(zone.get(entity, 0) for zone in zones for entity in group)
        may_be = {
            (id(zone), entity.parent or entity)
            for zone in zones
            for entity in group
            if hidden.may_be(zone, entity)
        }
        open_ = {
            (id(zone), entity.parent or entity)
            for zone in zones
            for entity in group
            if zone.get(entity, 0) > 0
        }
        in_two = not may_be and len(open_) > 1 and lying > count
        self.lies_in_two = self.lies_in_two or in_two
        if len(may_be | open_) < 2 or not (may_be or (self.leaves_open and in_two)):
            return []
        self.left_open = self.left_open or not may_be
        found: list[Entity] = []
        for zone in zones:
            doubtful = [entity for entity in group if zone.get(entity, 0) > 0]
            found += [entity for entity in doubtful for _ in range(zone[entity])]
            if doubtful:
                hidden.cover(zone, doubtful.__contains__)
        return found

    def identify(
        self,
        slot: Slot,
        item: Entity,
        count: int,
        domain: Bag,
        values: Values,
        used: Bag | None = None,
    ) -> None:
        """Let hidden cards of the slot's zone be ``item``, until ``count`` of it are there.

        ``domain`` is what the slot's value comes from, and is brought up to date; ``used`` are
        other things of that value.
        """
        found = self._uncover([[item]], count, domain)
        if found is not None and found is not domain:
            domain.clear()
            domain.update(found)
        self._identify(slot, [[item]], count, domain, values, used or Bag())

    def settle(self, reading: Reading) -> None:
        """Let hidden cards be what the chosen reading names, where only now one thing is meant.

        All that the move gives names to is what it was before that.
        """
        if isinstance(reading.values, Named):
            reading.values.settle()
        for slot in reading.parsed.move.slots.values():
            value = reading.values.get(slot.name)
            if not slot.reveals or not isinstance(value, Bag):
                continue
            for item, count in value.items():
                domain = self.domain(slot, reading.values)
                if domain is not None:
                    others = Bag({other: n for other, n in value.items() if other is not item})
                    self.identify(slot, item, count, domain, reading.values, others)

    def _bags(
        self, slot: Slot, written: list[Written], domain: Bag | None, values: Values
    ) -> list[tuple[Bag, Notes]]:
        """Return what a counted list of names can mean."""
        parts: list[list[tuple[Bag, Notes]]] = []
        left = Bag(domain) if domain is not None else None
        used = Bag()
        self.state.charge(NAME_STEPS * len(written))
        for one in written:
            groups = self._groups(one, left, slot, values)
            if not slot.exact:  # what it names is what it is, wherever that lies
                left = self._uncover(groups, one.count, left)
                if not self._identify(slot, groups, one.count, left, values, used, one):
                    self._narrow(one, groups, left)
            every = [entity for group in groups for entity in group]
            if (
                len(groups) > 1
                and left is not None
                and sum(left.get(e, 0) for e in every) == one.count
                and all(any(left.get(e, 0) > 0 for e in group) for group in groups)
            ):
                # As many as there are in all: different cards of one name, each of them.
                options: list[tuple[Bag, Notes]] = [
                    (Bag({e: left[e] for e in every if left.get(e, 0) > 0}), [])
                ]
            else:
                options = [self._copies(slot, one, group, left) for group in groups]
                for bag, _ in options:
                    if any(isinstance(item, Likeness) for item in bag):
                        self.state.reporter.meant(one.start, one.end, expand(bag))
            if len(options) == 1 and left is not None:
                for entity, count in options[0][0].items():
                    left[entity] = left.get(entity, 0) - count
                    used[entity] = used.get(entity, 0) + count
            parts.append(options)
        return self._combined(parts)

    @staticmethod
    def _combined(parts: list[list[tuple[Bag, Notes]]]) -> list[tuple[Bag, Notes]]:
        """Return every combination of what the names of a list can mean."""
        result: list[tuple[Bag, Notes]] = []
        for combination in product(*parts):
            bag = Bag()
            notes: Notes = []
            for some, assumed in combination:
                for entity, count in some.items():
                    bag[entity] = bag.get(entity, 0) + count
                notes.extend(assumed)
            result.append((bag, notes))
            if len(result) >= MAX_READINGS:
                break
        return result

    @staticmethod
    def _copies(
        slot: Slot, one: Written, group: list[Entity], domain: Bag | None
    ) -> tuple[Bag, Notes]:
        """Choose copies of one thing: those worth least first, as many as there are."""
        bag = Bag()
        wanted = one.count
        there = {e: max(domain.get(e, 0), 0) for e in group} if domain is not None else {}
        plain = next((e for e in reversed(group) if not isinstance(e, Likeness)), group[-1])
        if domain is None or slot.exact or one.exact:
            bag[plain] = wanted
            return bag, []
        for entity in reversed(group):
            count = min(wanted, there[entity])
            if count:
                bag[entity] = count
                wanted -= count
        unsure = sum(1 for n in there.values() if n) > 1 and one.count < sum(there.values())
        notes = [(one, next(iter(bag)))] if unsure else []
        if wanted:
            # What stands for one of several things is one thing.
            rest = next((e for e in bag if not isinstance(e, Likeness)), plain)
            bag[rest] = bag.get(rest, 0) + wanted
        return bag, notes


def _likes(domain: Bag) -> list[Likeness]:
    """Return what stands in a bag for one of several things that were named."""
    return [item for item in domain if isinstance(item, Likeness) and not isinstance(item, Unseen)]

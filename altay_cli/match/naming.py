"""What a name means in a state: which copy, which of several things, and what of the hidden ones.

A name may stand for several copies of a card, or for different cards that share it; the zone
that the rules say the value comes from decides, and where it leaves several, each is a reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

from altay_cli.base.values import Bag, Entity, Likeness, WrittenName, expand, unseen_in
from altay_cli.match.operations import Values, replace
from altay_cli.match.state import State
from altay_cli.pack.model import Slot

MAX_READINGS = 16

IDENTIFYING_STEPS = 100
"""What it costs to look for a named thing among what is hidden."""

NAME_STEPS = 20
"""The cost of resolving one name of a list."""

Notes = list[tuple[WrittenName, Entity]]
"""Names for which one of several copies was taken, and which."""

Taken = dict[tuple[int, int], list[Entity]]
"""What was taken for a name, by its line and place: all readings of it mean the same."""


class Namer:
    """Finds out what the names of one statement mean.

    ``merges`` says that a name of several things means any of them; ``leaves_open`` that it is left
    open from which zone something is taken that lies openly in two. ``may_be_hidden`` tells
    afterwards whether a name of several things could have meant something hidden.
    """

    __slots__ = ("leaves_open", "may_be_hidden", "merges", "state", "taken")

    def __init__(
        self, state: State, taken: Taken, *, leaves_open: bool = False, merges: bool = False
    ) -> None:
        self.state = state
        self.taken = taken
        self.leaves_open = leaves_open
        self.merges = merges
        self.may_be_hidden = False

    def entity(
        self, slot: Slot, one: WrittenName, domain: Bag | None, values: Values
    ) -> list[tuple[Entity, Notes]]:
        """Return what a single name can mean."""
        groups = self._groups(one, domain, slot, values)
        domain = self.uncover(groups, one.count, domain, values)
        if slot.reveals and domain is not None:
            domain = Bag(domain)
        if not self.identify(slot, groups, one.count, domain, values, Bag(), one):
            self._narrow(one, groups, domain)
        result: list[tuple[Entity, Notes]] = []
        for group in groups:
            there = [e for e in group if domain is not None and domain.get(e, 0) > 0] or group
            if isinstance(there[-1], Likeness):
                self.state.reporter.meant(one.start, one.end, there[-1:])
            notes = [(one, there[-1])] if len(there) > 1 and not slot.exact and domain else []
            result.append((there[-1], notes))
        return result

    def _groups(
        self, one: WrittenName, domain: Bag | None, slot: Slot, values: Values
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
        self.may_be_hidden = self.may_be_hidden or bool(hidden)
        return [g for g in found if g in there or g in hidden] or found

    def _covered(
        self, slot: Slot, groups: list[list[Entity]], likes: list[Likeness], values: Values
    ) -> list[list[Entity]]:
        """Return those of different things that may be hidden where a slot takes them from."""
        if not groups or not slot.reveals or not self.state.hidden.groups:
            return []
        zones: list[int] = [zone.at.fn(self.state, values) for zone in slot.reveals]
        may_be = self.state.hidden.may_be
        return [
            g
            for g in groups
            if any(may_be(zone, e) for zone in zones for e in g)
            or any(e in like.among for like in likes for e in g)
        ]

    def identify(
        self,
        slot: Slot,
        groups: list[list[Entity]],
        count: int,
        domain: Bag | None,
        values: Values,
        used: Bag,
        one: WrittenName | None = None,
    ) -> bool:
        """Let hidden cards of the zone be those that are named, where they are not there openly.

        ``used`` are those that earlier names of the statement mean already. Nothing happens where
        they cannot be. Returns whether nothing else can be meant by a name that is ``one``.
        """
        if not slot.reveals or domain is None or len(groups) != 1:
            return False
        self.state.spend(IDENTIFYING_STEPS)
        if not (self.state.hidden.groups or self.leaves_open):
            return False
        zones: list[int] = [zone.at.fn(self.state, values) for zone in slot.reveals]
        group = groups[0]
        several = len({entity.parent or entity for entity in group}) > 1
        if one is not None and not several and self._least(zones, group, one, domain, used):
            return True
        self._look_again(zones, group, domain, used, several=several)
        if not any(used.get(entity, 0) for entity in group):
            for covered in self.doubtful(zones, group, count):
                domain[covered] = domain.get(covered, 0) - 1
        first: Bag = self.state.cells[zones[0]]
        lying = sum(first.get(entity, 0) - used.get(entity, 0) for entity in group)
        there = sum(domain.get(entity, 0) for entity in group)
        for _ in range(count - max(there, lying)):
            if self._found(zones, group, domain) is None:
                break
        return False

    def _found(self, zones: Sequence[int], group: list[Entity], domain: Bag) -> Entity | None:
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
        self, zones: Sequence[int], group: list[Entity], domain: Bag, used: Bag, *, several: bool
    ) -> None:
        """Look for what stands for one of several things among all that is hidden.

        What it is may be told by a name that means only some of these.
        """
        for item in _likes(domain):
            if (
                (item in group and not several)
                or domain[item] <= 0
                or used.get(item, 0)
                or not any(entity in item.among for entity in group)
            ):
                continue
            group[:] = [entity for entity in group if entity is not item]
            for zone in zones:
                domain[item] = domain.get(item, 0) - self.state.cells[zone].get(item, 0)
                if item in self.state.cells[zone]:
                    self.state.hidden.cover(zone, (item,).__contains__)
            if domain.get(item, 0) > 0:
                group.append(item)

    def _least(
        self, zones: Sequence[int], group: list[Entity], one: WrittenName, domain: Bag, used: Bag
    ) -> bool:
        """Take so many of several copies, where what is hidden decides which of them are meant.

        It is the last of those that lie there, and what lies there differs from world to world: so
        what lies openly there is as good as hidden. Returns False, and changes nothing, where all
        of it is known, or nothing there can be meant.
        """
        hidden, cells, count = self.state.hidden, self.state.cells, one.count
        copies = [entity for entity in group if not isinstance(entity, Likeness)]
        if len(copies) < 2:
            return False
        key = (self.state.reporter.line, one.start)
        taken = self.taken.get(key, [])
        if len(taken) == count and all(
            domain.get(entity, 0) >= taken.count(entity) for entity in taken
        ):
            group[:] = dict.fromkeys(taken)
            return True
        zones = list(dict.fromkeys(zones))
        likes = [
            like
            for like in _likes(domain)
            if domain[like] > 0
            and not used.get(like, 0)
            and any(like in cells[zone] for zone in zones)
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
                lies = cells[zone].get(entity, 0)
                kept[entity] = min(lies, left.get(entity, 0))
                left[entity] = left.get(entity, 0) - kept[entity]
                domain[entity] = domain.get(entity, 0) - lies + kept[entity]
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
        for other in [other for other in self.taken if other[0] != key[0]]:
            del self.taken[other]
        self.taken[key] = taken
        return True

    def uncover(
        self, groups: list[list[Entity]], count: int, domain: Bag | None, values: Values
    ) -> Bag | None:
        """Let unseen things of a domain be those that are named, where they can be.

        Returns the domain as it is then.
        """
        if domain is None or not self.state.hidden.likenesses or len(groups) != 1:
            return domain
        unseen, group = unseen_in(domain), groups[0]
        if not unseen:
            return domain
        domain = Bag(domain)
        there = sum(domain.get(entity, 0) for entity in group)
        for _ in range(count - there):
            named = [e for e in group if not isinstance(e, Likeness)]
            found, due = self.state.hidden.find(unseen, named), self.state.due
            if found is None:
                break
            one, item = found
            replace(self.state, one, item)
            if due and self.state.due and values.get("asked") is due.values:
                values["asked"] = self.state.due.values
            unseen = [other for other in unseen if other is not one]
            del domain[one]
            domain[item] = domain.get(item, 0) + 1
            if item not in group:
                group.append(item)
        return domain

    def _narrow(self, one: WrittenName, groups: list[list[Entity]], domain: Bag | None) -> None:
        """Take what stands for one of several things as what the name can mean, if it is needed."""
        if domain is None or len(groups) != 1 or not self.state.hidden.likenesses:
            return
        group = groups[0]
        for item in [item for item in group if isinstance(item, Likeness)]:
            others = sum(domain.get(e, 0) for e in group if e is not item)
            whole = all(entity in one.entities for entity in item.among)
            if others >= one.count or not (whole or self.state.hidden.narrow(item, one.entities)):
                group.remove(item)

    def doubtful(self, zones: Sequence[int], group: Sequence[Entity], count: int) -> list[Entity]:
        """Cover things of which so many are named and that may be taken from either of two zones.

        Which are meant is not known then. Returns those that have been covered.
        """
        hidden, cells = self.state.hidden, self.state.cells
        zones = list(dict.fromkeys(zones))
        pairs = [*product(zones, group)]
        lying = sum(cells[zone].get(entity, 0) for zone, entity in pairs)
        may_be = {(zone, e.parent or e) for zone, e in pairs if hidden.may_be(zone, e)}
        open_ = {(zone, e.parent or e) for zone, e in pairs if cells[zone].get(e, 0) > 0}
        in_two = not may_be and len(open_) > 1 and lying > count
        if len(may_be | open_) < 2 or not (may_be or (self.leaves_open and in_two)):
            return []
        found: list[Entity] = []
        for zone in zones:
            lies: Bag = cells[zone]
            doubtful = [entity for entity in group if lies.get(entity, 0) > 0]
            found += [entity for entity in doubtful for _ in range(lies[entity])]
            if doubtful:
                hidden.cover(zone, doubtful.__contains__)
        return found

    def bags(
        self, slot: Slot, written: list[WrittenName], domain: Bag | None, values: Values
    ) -> list[tuple[Bag, Notes]]:
        """Return what a counted list of names can mean."""
        parts: list[list[tuple[Bag, Notes]]] = []
        left = Bag(domain) if domain is not None else None
        used = Bag()
        self.state.charge(NAME_STEPS * len(written))
        for one in written:
            groups = self._groups(one, left, slot, values)
            if not slot.exact:  # what it names is what it is, wherever that lies
                left = self.uncover(groups, one.count, left, values)
                if not self.identify(slot, groups, one.count, left, values, used, one):
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
        result: list[tuple[Bag, Notes]] = []
        for combination in islice(product(*parts), MAX_READINGS):
            bag = Bag()
            for entity, count in [pair for some, _ in combination for pair in some.items()]:
                bag[entity] = bag.get(entity, 0) + count
            result.append((bag, [note for _, notes in combination for note in notes]))
        return result

    @staticmethod
    def _copies(
        slot: Slot, one: WrittenName, group: list[Entity], domain: Bag | None
    ) -> tuple[Bag, Notes]:
        """Choose copies of one thing: those worth least first, as many as there are."""
        plain = next((e for e in reversed(group) if not isinstance(e, Likeness)), group[-1])
        if domain is None or slot.exact or one.exact:
            return Bag({plain: one.count}), []
        bag, wanted = Bag(), one.count
        there = {e: max(domain.get(e, 0), 0) for e in group}
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
    return [item for item in domain if isinstance(item, Likeness) and item.known]

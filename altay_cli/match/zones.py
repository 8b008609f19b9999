"""The zones of a game: how effects move, count and hide their contents.

Effects never fail: they do not move absent entities, so judging can continue after an illegal
move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from altay_cli.base.values import ALL_KNOWN, NOTHING, Bag, Entity, bag_of, partly_known
from altay_cli.expressions.runtime import pay_for
from altay_cli.hidden.knowledge import Knowledge
from altay_cli.match import limits
from altay_cli.pack import limits as pack_limits
from altay_cli.pack.layout import PLAYERS, Layout
from altay_cli.pack.model import Pack

_KIND_STEPS = 2 + limits.MOVE_STEPS
"""Steps to move one kind of entity."""


class Zones:
    """The contents of the zones of a state; generated code calls it as ``S.zones``.

    A place is the number of a cell.
    """

    __slots__ = (
        "budget", "cells", "entries", "hidden", "journal", "layout", "options", "pack", "table",
    )  # fmt: skip

    def __init__(
        self,
        pack: Pack,
        layout: Layout,
        options: Mapping[str, str],
        hidden: Knowledge,
    ) -> None:
        self.pack = pack
        self.layout = layout
        self.options = options
        self.hidden = hidden
        self.table = table = hidden.table
        self.budget = table.budget
        self.journal = table.journal
        # Direct access, for speed.
        self.cells, self.entries = table.cells, table.entries

    @property
    def players(self) -> list[Entity]:
        """The seats in order."""
        return self.cells[PLAYERS]  # type: ignore[no-any-return]

    def all_of(self, kind: str) -> Sequence[Entity]:
        """Return all entities of a kind, or the players."""
        return self.players if kind == "player" else self.pack.entities[kind]

    def held(self, zone: int, *keys: Entity) -> Any:
        """Return the contents of a place, or a mapping by the missing keys."""
        per = self.pack.zones[zone].per
        if len(keys) == len(per):
            return self.cells[self.place(zone, *keys)]
        return {key: self.held(zone, *keys, key) for key in self.all_of(per[len(keys)])}

    def place(self, zone: int, *keys: Entity) -> int:
        """Return the place of a zone with keys."""
        definition = self.pack.zones[zone]
        steps = zip(definition.steps, keys, strict=True)
        return definition.first + sum([step * key.index for step, key in steps])

    def places(self, zone: int) -> Iterator[tuple[tuple[Entity, ...], int]]:
        """Yield the keys and the place of each cell of a zone."""
        kinds = map(self.all_of, self.pack.zones[zone].per)
        return ((keys, self.place(zone, *keys)) for keys in product(*kinds))

    # ------------------------------------------------------------ bags and piles

    def counted(self, things: Bag | Sequence[Entity]) -> Bag:
        """Return entities as a bag."""
        if isinstance(things, Bag):
            return things
        self.budget.charge(len(things))
        return bag_of(things)

    def mark_unreliable(self, place: int) -> None:
        """Note that the log contradicted a bag."""
        bag: Bag = self.cells[place]
        self.journal.put(place, partly_known(bag, bag.unknown._replace(unsure=True)))

    def reset(self, *zones: int) -> None:
        """Empty zones."""
        self.budget.charge(2 * len(zones))
        cells = self.cells
        for index in zones:
            rows, empty, bags, initial = self.layout.empty[index]
            may_hide = bags and self.hidden.beliefs.groups
            # Most zones and rows are empty: one comparison skips them.
            if not may_hide and cells[rows.start : rows.stop] == initial:
                continue
            for first in rows:
                row = cells[first : first + len(empty)]
                if may_hide or row != empty:
                    for cell, held in enumerate(row, first):
                        if bags and held.unknown.hidden:
                            self.hidden.draws.move_all(cell, None)
                        if held is not empty[0]:
                            self.journal.put(cell, empty[0])

    def seat(self, player: Entity) -> None:
        """Seat ``player`` last, unless far too many sit there."""
        if len(self.players) < self.pack.most + pack_limits.SPARE_SEATS:
            self.journal.put(PLAYERS, [*self.players, player])

    def move_pile(self, source: int, target: int | None, *, top: bool = False) -> None:
        """Move a pile; on ``top`` of another, it keeps its order."""
        held = self.cells[source]
        self.budget.charge(len(held))
        for item in reversed(held) if top else held:
            self.move_one(source, target, item, top=top)

    def move_each(
        self,
        source: int | None,
        target: int | None,
        what: Mapping[Entity, int] | None,
        factor: int = 1,
        *,
        top: bool = False,
    ) -> None:
        """Move ``what``, ``factor`` times, one kind after the other, from or to a pile."""
        if what is None or factor <= 0 or None in what:
            return
        if source is not None and what is self.cells[source] and what.unknown.hidden:
            self.hidden.draws.move_all(source, target)
            what = self.cells[source]
        self.budget.charge(_KIND_STEPS * len(what))
        for item, count in what.items():
            self.move_one(source, target, item, count * factor, top=top)

    def move_all(self, source: int, target: int | None) -> None:
        """Move the contents of a bag to another."""
        cells = self.cells
        there: Bag = cells[source]
        if there.unknown.hidden:
            self.hidden.draws.move_all(source, target)
            there = cells[source]
        if not there or None in there:
            return
        if source == target:
            self.move_each(source, target, there)
            return
        self.budget.charge(_KIND_STEPS * len(there))
        unknown = there.unknown
        self.entries.append((source, there))
        cells[source] = NOTHING if unknown is ALL_KNOWN else partly_known({}, unknown)
        if target is not None:
            old: Bag = cells[target]
            made = there
            if old or unknown is not old.unknown:
                made = partly_known(old, old.unknown)
                for item, count in there.items():
                    made[item] = made.get(item, 0) + count
            self.entries.append((target, old))
            cells[target] = made

    def move_bag(
        self,
        source: int | None,
        target: int | None,
        what: Mapping[Entity, int] | None,
        factor: int = 1,
    ) -> None:
        """Move ``what``, ``factor`` times, between bags; never more than there is."""
        if what is None or factor <= 0 or None in what:
            return
        cells = self.cells
        if source is not None and what is cells[source]:
            self.move_all(source, target)
            return
        if not what:
            return
        if source == target:
            self.move_each(source, target, what, factor)
            return
        self.budget.charge(_KIND_STEPS * len(what))
        old: Bag = NOTHING if target is None else cells[target]
        made = partly_known(old, old.unknown)
        if source is None:
            for item, count in what.items():
                made[item] = made.get(item, 0) + count * factor
        else:
            there: Bag = cells[source]
            left = partly_known(there, there.unknown)
            for item, count in what.items():
                lying = left.get(item, 0)
                taken = count * factor
                if taken < lying:
                    left[item] = lying - taken
                elif lying:
                    taken = lying
                    del left[item]
                else:
                    continue
                made[item] = made.get(item, 0) + taken
            self.entries.append((source, there))
            cells[source] = left
        if target is not None:
            self.entries.append((target, old))
            cells[target] = made

    def move_entity(
        self, source: int | None, target: int | None, item: Entity | None, count: int = 1
    ) -> None:
        """Move ``count`` copies between bags; never more than there are."""
        if item is None or count <= 0:
            return
        if source == target:
            self.move_each(source, target, {item: count})
            return
        cells = self.cells
        self.budget.charge(_KIND_STEPS)
        if source is not None:
            there: Bag = cells[source]
            left = partly_known(there, there.unknown)
            lying = left.get(item, 0)
            if count < lying:
                left[item] = lying - count
            elif lying:
                count = lying
                del left[item]
            else:
                count = 0
            self.entries.append((source, there))
            cells[source] = left
        if target is not None:
            old: Bag = cells[target]
            made = partly_known(old, old.unknown)
            if count:
                made[item] = made.get(item, 0) + count
            self.entries.append((target, old))
            cells[target] = made

    def move_one(
        self,
        source: int | None,
        target: int | None,
        item: Entity | None,
        count: int = 1,
        *,
        top: bool = False,
    ) -> None:
        """Move ``count`` copies; never more than there are."""
        if item is None:
            return
        self.budget.charge(limits.MOVE_STEPS)
        if source is not None:
            held = self.cells[source]
            if isinstance(held, Bag):
                count = min(count, held.get(item, 0))
                if count > 0:
                    self.table.add(source, item, -count)
            else:
                count = min(count, held.count(item))
                # The journal keeps the old pile, so its length counts too.
                self.budget.charge(len(held) * (3 + (count >> 2)))
                if count > 0:
                    pile = list(held)
                    for _ in range(count):
                        pile.remove(item)
                    self.journal.put(source, tuple(pile))
        if count <= 0 or target is None:
            return
        there = self.cells[target]
        if isinstance(there, Bag):
            self.table.add(target, item, count)
        else:
            pay_for(self.budget, count, len(there))
            self.budget.charge(2 * len(there))
            more = (item,) * count
            self.journal.put(target, more + there if top else there + more)

    def hide(self, source: int, target: int, count: int, backs: tuple[str, ...] = ()) -> None:
        """Move ``count`` unidentified entities; players see their ``backs``."""
        count = min(count, self.cells[source].size())
        if count > 0:
            self.hidden.draws.deal(source, target, None, count, backs)

    def reveal(self, place: int, item: Entity | None, count: int) -> None:
        """Identify hidden entities of a bag as ``item`` until it holds ``count`` of them.

        Stop where none of them can be ``item``.
        """
        if item is None:
            return
        while (bag := self.cells[place]).unknown.hidden > 0 and bag.get(item, 0) < count:
            if self.hidden.reveal((place,), (item,)) is None:
                return
            self.table.add(place, item, 1)

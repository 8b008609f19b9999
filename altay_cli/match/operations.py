"""What printed effects call: how things are moved, counted and hidden.

Effects never fail: what is not there is not moved. Whether a move was legal has been decided
before; an illegal one is carried out as far as it goes, so that reading can go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from altay_cli.base.journal import InCell
from altay_cli.base.values import ALL_KNOWN, NOTHING, Bag, Drawn, Entity, partly_known
from altay_cli.expressions.runtime import pay_for
from altay_cli.hidden.knowledge import Knowledge
from altay_cli.pack.model import Pack
from altay_cli.pack.table import PLAYERS, REST, SPARE_SEATS, Layout, Table

MOVE_STEPS = 10
"""The cost of moving things of one kind from one place to another, in steps."""


class Operations(Table):
    """The cells of a game, and what effects do to them; a place is the number of a cell.

    ``hidden`` knows what may be where nobody wrote it down; ``complete`` says that everything must
    be written down.
    """

    __slots__ = ("complete", "hidden", "layout", "pack")

    complete: bool
    hidden: Knowledge
    layout: Layout
    pack: Pack

    rest = InCell[Drawn](REST)
    """What a statement tells beyond the draw that was made last."""
    players = InCell[list[Entity]](PLAYERS)
    """The seats in order."""

    def all_of(self, kind: str) -> Sequence[Entity]:
        """Return all things of a kind, or the players."""
        return self.players if kind == "player" else self.pack.entities[kind]

    def held(self, zone: int, *keys: Entity) -> Any:
        """Return what lies in a place of a zone, given by its index; by key where one is open."""
        per = self.pack.zones[zone].per
        if len(keys) == len(per):
            return self.cells[self.place(zone, *keys)]
        things = self.all_of(per[len(keys)])
        return {thing: self.held(zone, *keys, thing) for thing in things}

    def place(self, zone: int, *keys: Entity) -> int:
        """Return the number of a place of a zone, given by its index."""
        found = self.pack.zones[zone]
        steps = zip(found.steps, keys, strict=True)
        return found.first + sum([step * key.index for step, key in steps])

    def places(self, zone: int) -> Iterator[tuple[tuple[Entity, ...], int]]:
        """Yield the places of a zone, each with what it belongs to."""
        things = map(self.all_of, self.pack.zones[zone].per)
        return ((keys, self.place(zone, *keys)) for keys in product(*things))

    # ------------------------------------------------------------ bags and piles

    def mistrust(self, place: int) -> None:
        """Take note that the log was wrong about a bag."""
        bag: Bag = self.cells[place]
        self.put(place, partly_known(bag, bag.unknown._replace(unsure=True)))

    def reset(self, *zones: int) -> None:
        """Empty zones, given by their indexes."""
        self.charge(2 * len(zones))
        cells = self.cells
        for index in zones:
            start, end, empty, bags = self.layout.empty[index]
            if cells[start:end] == empty and not (bags and self.hidden.groups):
                continue
            nothing = empty[0]
            for cell in range(start, end):
                if cells[cell] is not nothing:
                    if bags and cells[cell].unknown.hidden:
                        self.hidden.pour(cell, None)
                    self.entries.append((cell, cells[cell]))
                    cells[cell] = nothing

    def seat(self, player: Entity) -> None:
        """Give ``player`` the next seat; a table has no room for many more than the game allows."""
        if len(self.players) < self.pack.most + SPARE_SEATS:
            self.put(PLAYERS, [*self.players, player])

    def move_pile(self, source: int, target: int | None, *, top: bool = False) -> None:
        """Move all of a pile; on ``top`` of another it keeps its order."""
        held = self.cells[source]
        self.charge(len(held))
        for item in reversed(held) if top else held:
            self.move_one(source, target, item, top=top)

    def move_bag(
        self,
        source: int | None,
        target: int | None,
        what: Mapping[Entity, int] | None,
        factor: int = 1,
        *,
        top: bool = False,
    ) -> None:
        """Move what a bag names, ``factor`` times; never more than is there."""
        if what is None or factor <= 0 or None in what:
            return
        cells = self.cells
        there: Any = None if source is None else cells[source]
        if source is not None and there.unknown.hidden and what is there:
            self.hidden.pour(source, target)
            there = cells[source]
            what = cells[source]
        if not what:
            return
        self.left -= (2 + MOVE_STEPS) * len(what)
        if self.left < 0:
            self.refill()
        if type(there) is tuple or (target is not None and type(cells[target]) is tuple):
            for item, count in what.items():
                self.move_one(source, target, item, count * factor, top=top)
            return
        moved = what
        if source is not None:
            unknown = there.unknown
            if what is there:
                left = NOTHING if unknown is ALL_KNOWN else partly_known({}, unknown)
            else:
                left = Bag(there) if unknown is ALL_KNOWN else partly_known(there, unknown)
                moved = {}
                for item, count in what.items():
                    lying = left.get(item, 0)
                    moved[item] = taken = min(count * factor, lying)
                    if lying > taken:
                        left[item] = lying - taken
                    elif lying:
                        del left[item]
            factor = 1
            self.entries.append((source, there))
            cells[source] = left
        if target is not None:
            old: Bag = cells[target]
            made = Bag(old) if old.unknown is ALL_KNOWN else partly_known(old, old.unknown)
            for item, count in moved.items():
                if count:
                    made[item] = made.get(item, 0) + count * factor
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
        """Move one thing, ``count`` times; never more often than it is there."""
        if item is None:
            return
        self.left -= MOVE_STEPS
        if self.left < 0:
            self.refill()
        if source is not None:
            held = self.cells[source]
            if isinstance(held, Bag):
                count = min(count, held.get(item, 0))
                if count > 0:
                    self.add(source, item, -count)
            else:
                count = min(count, held.count(item))
                # What was there before is kept, to be put back: it counts as well.
                self.left -= len(held) * (3 + (count >> 2))
                if self.left < 0:
                    self.refill()
                if count > 0:
                    pile = list(held)
                    for _ in range(count):
                        pile.remove(item)
                    self.put(source, tuple(pile))
        if count <= 0 or target is None:
            return
        there = self.cells[target]
        if isinstance(there, Bag):
            self.add(target, item, count)
        else:
            pay_for(self, count, len(there))
            self.charge(2 * len(there))
            more = (item,) * count
            self.put(target, more + there if top else there + more)

    def hide(self, source: int, target: int, count: int, backs: tuple[str, ...] = ()) -> None:
        """Move ``count`` things that nobody named from ``source`` to ``target``.

        ``backs`` are the fields that are seen of them, if they are to be told one by one.
        """
        count = min(count, self.cells[source].size())
        if count > 0:
            self.hidden.deal(source, target, None, count, backs)

    def reveal(self, place: int, item: Entity | None, count: int) -> None:
        """Let things of a bag that nobody named be ``item``, until there are ``count`` of it.

        Nothing changes where they cannot be.
        """
        if item is None:
            return
        while (bag := self.cells[place]).unknown.hidden > 0 and bag.get(item, 0) < count:
            if self.hidden.reveal((place,), (item,)) is None:
                return
            self.add(place, item, 1)

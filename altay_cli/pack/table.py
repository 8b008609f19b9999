"""The cells of a state: how they are numbered, what lies in them at first, who is told of changes.

Every place has a number, the cell of a state. A zone that has one for each thing of a kind begins
with *nowhere*, the place of no thing; behind it come those of the things, by ``Entity.index``. With
two kinds, that is so in each row, and the first row is nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import prod
from typing import Any

from altay_cli.base.journal import InCell, Journal
from altay_cli.base.values import (
    ALL_KNOWN,
    NOTHING,
    UNRECORDED,
    Bag,
    Entity,
    Sink,
    WrittenName,
    partly_known,
)
from altay_cli.pack import limits
from altay_cli.pack.model import Pack, RuleText, Zone
from altay_cli.pack.words import BilingualWords, Words


class Reporter:
    """The receiver of what effects report: this one ignores it."""

    @property
    def line(self) -> int:
        """The line of the statement that is judged."""
        return 0

    def say(
        self, text: RuleText, values: Mapping[str, Any], item: WrittenName | None = None
    ) -> None:
        """Report that a rule has something to say, at the drawn card ``item`` if one is given."""

    def unsure(self, item: WrittenName, chosen: Entity, others: Sequence[Entity]) -> None:
        """Report that a written name may stand for several things, and which was taken."""

    def unrecorded(self, kind: str, count: int, *, shared: bool = False) -> None:
        """Note that so many things of a kind came, and nobody wrote down which."""

    def cannot_be(self, place: int, named: Sequence[Entity]) -> None:
        """Note that nothing hidden in a place can be what a statement names."""

    def came(
        self,
        written: Sequence[WrittenName] | None,
        what: Sequence[Entity | Sink],
        target: int | None = None,
    ) -> None:
        """Note what came, in order, and of what is written of it; only if all is traced.

        ``target`` is where it came to, if nobody was to write it.
        """

    def meant(self, start: int, end: int, what: Sequence[Entity]) -> None:
        """Note what was taken for the names at ``start`` to ``end``."""

    def undecided(self, message: str) -> None:
        """Report that what is hidden is no longer worked out."""


SILENT = Reporter()
"""A reporter that ignores everything."""


# ---------------------------------------------------------------- cells


(PENDING, OVERDUE, FORCED, ENDED_BY, WATCHED, PLAYERS, POSITION, REPEATS, UNREAD, REST,
 REPORTER) = range(11)  # fmt: skip
"""The cells for how the game stands, and who is told; see ``altay_cli.match.state``."""

START: Sequence[object] = ((), (), (), None, False, [], None, 0, False, UNRECORDED, SILENT)
"""What they hold at first."""


def numbered(
    zones: Iterable[Zone], entities: Mapping[str, Iterable[Entity]], seats: int
) -> tuple[Zone, ...]:
    """Return zones with numbers for their places; ``seats`` is how many players there can be."""
    laid_out: list[Zone] = []
    cell = len(START)
    for zone in zones:
        sizes = [
            2 + max((thing.index for thing in entities.get(kind, ())), default=-1)
            if kind != "player"
            else 2 + seats + limits.SPARE_SEATS
            for kind in zone.per
        ]
        steps = tuple(prod(sizes[number + 1 :]) for number in range(len(sizes)))
        end = cell + prod(sizes)
        laid_out.append(replace(zone, first=cell + sum(steps), steps=steps, cells=(cell, end)))
        cell = end
    return tuple(laid_out)


def _empty(zone: Zone) -> object:
    if zone.shape == "int":  # what can lie there and is nearest to 0
        at_least = max(zone.least or 0, 0)
        return at_least if zone.most is None else min(at_least, zone.most)
    return {"bool": False, "bag": NOTHING, "pile": ()}.get(zone.shape)


class Layout:
    """The cells of a game: what they hold at first, and to which zone each belongs."""

    def __init__(self, pack: Pack) -> None:
        self.first = list(START)
        self.zones = [-1] * len(START)
        """By the number of a cell: the index of the zone that it belongs to; -1 for none."""
        self.empty = []
        """For each zone: its rows, what one holds at first, and whether these are bags."""
        for zone in pack.zones:
            cells, empty = range(*zone.cells), _empty(zone)
            self.first += [empty] * len(cells)
            self.zones += [zone.index] * len(cells)
            row = [empty] * (zone.steps[-2] if len(zone.steps) > 1 else len(cells))
            self.empty.append((cells[:: len(row)], row, zone.shape == "bag"))
        self.position = [
            (*pack.zones[index].cells, pack.zones[index].shape == "bag") for index in pack.repeats
        ]
        """The cells that tell one position from another, and whether they hold bags."""
        spans = [range(*zone.cells) for zone in pack.zones]
        self.triggers = [
            (one, None if one.reads is None else frozenset(chain(*(spans[i] for i in one.reads))))
            for one in pack.triggers
        ]
        """What the rules do by themselves, each with the cells whose change may set it off.

        None of one that other things may set off as well.
        """
        self.tallies = {place for zone in pack.zones if zone.tally for place in range(*zone.cells)}
        """The cells in which rules only take note of things that lie elsewhere."""


class Table(Journal):
    """The cells of a state, what is done to the bags in them, and words for things."""

    __slots__ = ("finding_words", "words")

    words: Words
    finding_words: Words | BilingualWords

    reporter = InCell[Reporter](REPORTER)
    """Who is told what effects find out."""

    def add(self, place: int, item: Entity, delta: int) -> None:
        """Add ``delta`` of ``item`` to a bag, or take as many away; never below zero."""
        bag: Bag = self.cells[place]
        old = bag.get(item, 0)
        new = old + delta
        if new <= 0 and not old:
            return
        self.left -= len(bag) >> 1
        if self.left < 0:
            self.refill()
        made = Bag(bag) if bag.unknown is ALL_KNOWN else partly_known(bag, bag.unknown)
        if new > 0:
            made[item] = new
        else:
            del made[item]
        # As ``put`` does: most changes of a game are made here and in ``move_bag``.
        self.entries.append((place, bag))
        self.cells[place] = made

"""The cells of a state, their initial contents, and the reporter of changes.

The cells of a zone keyed by a kind begin with *nowhere*, the others follow by ``Entity.index``.
With two kinds, so does each row, and the first row is nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import prod
from typing import Any

from altay_cli.base.values import (
    NOTHING,
    UNRECORDED,
    Entity,
    Sink,
    WrittenName,
)
from altay_cli.pack import limits
from altay_cli.pack.model import Pack, RuleText, Zone


class Reporter:
    """Receives reports from effects, and ignores them."""

    @property
    def line(self) -> int:
        """The line of the judged statement."""
        return 0

    def report_text(
        self, text: RuleText, values: Mapping[str, Any], item: WrittenName | None = None
    ) -> None:
        """Report a text, at the drawn card ``item`` if given."""

    def unsure(self, item: WrittenName, chosen: Entity, others: Sequence[Entity]) -> None:
        """Report that a name is ambiguous, and which entity was chosen."""

    def unrecorded(self, kind: str, count: int, *, shared: bool = False) -> None:
        """Note that ``count`` unrecorded entities arrived."""

    def cannot_be(self, place: int, named: Sequence[Entity]) -> None:
        """Note that no hidden entity in a place can be one of ``named``."""

    def came(
        self,
        written: Sequence[WrittenName] | None,
        what: Sequence[Entity | Sink],
        target: int | None = None,
    ) -> None:
        """Note the entities that arrived, in order, and their written names; for traces only.

        ``target`` is their new place, if the log does not write it.
        """

    def note_meaning(self, start: int, end: int, what: Sequence[Entity]) -> None:
        """Note the entities that a name stands for."""

    def undecided(self, message: str) -> None:
        """Report that hidden contents are no longer tracked."""


SILENT = Reporter()


# ---------------------------------------------------------------- cells


(PENDING, OVERDUE, FORCED, ENDED_BY, WATCHED, PLAYERS, POSITION, REPEATS, UNREAD, REST,
 REPORTER) = range(11)  # fmt: skip
"""The cells for the course of the game; see ``altay_cli.match.state``."""

START: Sequence[object] = ((), (), (), None, False, [], None, 0, False, UNRECORDED, SILENT)


def with_cells(
    zones: Iterable[Zone], entities: Mapping[str, Iterable[Entity]], seats: int
) -> tuple[Zone, ...]:
    """Return zones with cells, for at most ``seats`` players."""
    result: list[Zone] = []
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
        result.append(replace(zone, first=cell + sum(steps), steps=steps, cells=(cell, end)))
        cell = end
    return tuple(result)


def _empty(zone: Zone) -> object:
    if zone.shape == "int":  # the possible number nearest to 0
        at_least = max(zone.least or 0, 0)
        return at_least if zone.most is None else min(at_least, zone.most)
    return {"bool": False, "bag": NOTHING, "pile": ()}.get(zone.shape)


class Layout:
    """The cells of a game."""

    def __init__(self, pack: Pack) -> None:
        self.first = list(START)
        self.zones = [-1] * len(START)
        """By cell: the index of its zone, or -1."""
        self.empty = []
        """For each zone: its rows, an empty one, whether of bags, and the initial contents."""
        for zone in pack.zones:
            cells, empty = range(*zone.cells), _empty(zone)
            self.first += [empty] * len(cells)
            self.zones += [zone.index] * len(cells)
            row = [empty] * (zone.steps[-2] if len(zone.steps) > 1 else len(cells))
            rows = cells[:: len(row)]
            self.empty.append((rows, row, zone.shape == "bag", row * len(rows)))
        self.position = [
            (*pack.zones[index].cells, pack.zones[index].shape == "bag") for index in pack.repeats
        ]
        """The cells that distinguish positions, and whether they hold bags."""
        spans = [range(*zone.cells) for zone in pack.zones]
        self.triggers = [
            (
                trigger,
                None
                if trigger.reads is None
                else frozenset(chain(*(spans[i] for i in trigger.reads))),
            )
            for trigger in pack.triggers
        ]
        """The triggers, each with the cells that can set it off; None if more can."""
        reads = [reads for _, reads in self.triggers]
        self.watched = None if None in reads else frozenset(chain(*filter(None, reads)))
        """The cells that can set off any trigger; None if more can."""
        self.tallies = {place for zone in pack.zones if zone.tally for place in range(*zone.cells)}
        """The cells that count entities stored elsewhere."""

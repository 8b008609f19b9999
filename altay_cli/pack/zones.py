"""How the places of zones are numbered, and what lies in them at first.

Every place has a number, the cell of a state. A zone that has one for each thing of a kind begins
with *nowhere*, the place of no thing; behind it come those of the things, by ``Entity.index``. With
two kinds, that is so in each row, and the first row is nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod

from altay_cli.base.values import NOTHING, UNRECORDED, Bag, Entity
from altay_cli.pack.model import Pack, Shape, Zone
from altay_cli.pack.reporter import SILENT

SPARE_SEATS = 4
"""How many surplus players a state accepts, so that a log with a slip can be read."""

(PENDING, OVERDUE, FORCED, ENDED_BY, WATCHED, PLAYERS, POSITION, REPEATS, UNREAD, REST,
 REPORTER) = range(11)  # fmt: skip
"""The cells for how the game stands, and who is told; see ``altay_cli.match.state``."""

START: Sequence[object] = ((), (), (), None, False, [], None, 0, False, UNRECORDED, SILENT)
"""What they hold at first."""

MAX_CELLS = 65_536
"""The most places that a game may have."""


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
            else 2 + seats + SPARE_SEATS
            for kind in zone.per
        ]
        steps = tuple(prod(sizes[number + 1 :]) for number in range(len(sizes)))
        end = cell + prod(sizes)
        laid_out.append(replace(zone, first=cell + sum(steps), steps=steps, cells=(cell, end)))
        cell = end
    return tuple(laid_out)


def first_cells(zones: Iterable[Zone]) -> list[object]:
    """Return what all cells hold at the beginning of a game."""
    cells = list(START)
    for zone in zones:
        cells += [_empty(zone)] * (zone.cells[1] - zone.cells[0])
    return cells


def _empty(zone: Zone) -> object:
    """Return what an empty place of a zone holds."""
    match zone.shape:
        case Shape.BOOL:
            return False
        case Shape.BAG:
            return NOTHING
        case Shape.PILE:
            return ()
        case Shape.INT:
            if zone.most is not None and zone.most < 0:
                return zone.most
            return max(zone.least or 0, 0)
    return None


def _cells_of(pack: Pack, zones: Iterable[int] | None) -> frozenset[int] | None:
    """Return all cells of some zones; None for None."""
    if zones is None:
        return None
    return frozenset(cell for index in zones for cell in range(*pack.zones[index].cells))


class Layout:
    """The cells of a game: what they hold at first, and to which zone each belongs."""

    def __init__(self, pack: Pack) -> None:
        self.first = first_cells(pack.zones)
        self.zones = [-1] * len(self.first)
        """By the number of a cell: the index of the zone that it belongs to; -1 for none."""
        for zone in pack.zones:
            start, end = zone.cells
            self.zones[start:end] = [zone.index] * (end - start)
        self.empty = [
            (*zone.cells, self.first[slice(*zone.cells)], zone.shape is Shape.BAG)
            for zone in pack.zones
        ]
        """For each zone: its cells, what they hold at first, and whether these are bags."""
        self.position = [
            (*pack.zones[index].cells, pack.zones[index].shape is Shape.BAG)
            for index in pack.repeats
        ]
        """The cells that tell one position from another, and whether they hold bags."""
        self.triggers = [(one, _cells_of(pack, one.reads)) for one in pack.triggers]
        """What the rules do by themselves, each with the cells whose change may set it off."""
        self.bags = [place for place, held in enumerate(self.first) if isinstance(held, Bag)]
        self.tallies = {place for zone in pack.zones if zone.tally for place in range(*zone.cells)}
        """The cells in which rules only take note of things that lie elsewhere."""

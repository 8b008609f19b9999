"""A state as it is shown: plain data, with no part of the engine in it.

A thing is named by its kind and its id, `territory F2`; a player is one, too: `player Ann`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from altay_cli.pack.model import Field, Look

Ref = str
"""A thing: its kind and its id."""


class Heap(NamedTuple):
    """Things that lie somewhere: each with how often, and how many that nobody has named.

    ``ordered`` says that their order counts; each entry is then a single thing. ``more`` is how
    many unknown ones there may be besides, None if nobody can tell.
    """

    known: tuple[tuple[Ref, int], ...] = ()
    unknown: int = 0
    ordered: bool = False
    more: int | None = 0

    @property
    def size(self) -> int:
        """How many there are."""
        return sum(count for _, count in self.known) + self.unknown


Value = Heap | int | str | bool


class CellGroup(NamedTuple):
    """Things or a number that belong together; ``of`` is what they belong to."""

    items: Value
    of: Value | None = None
    splay: str | None = None


class Cell(NamedTuple):
    """What a field shows in one place; ``owner`` is the only player who sees what it is."""

    groups: tuple[CellGroup, ...]
    owner: str | None = None


class Address(NamedTuple):
    """Where a cell stands.

    ``part`` is "table", "player" or "map"; ``where`` is the name of the player or the id of the
    map, ``place`` the place on the map, ``field`` the id of the field.
    """

    part: str
    where: str
    place: Ref
    field: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Under what a stage has the field: the same for all players."""
        return self.part, self.where if self.part == "map" else "", self.field


Cells = Mapping[Address, Cell]


@dataclass(frozen=True, slots=True)
class Due:
    """Something that a player has to answer before anything else happens."""

    player: str
    title: str


@dataclass(frozen=True, slots=True)
class Scene:
    """How a game stands.

    A field that is not shown has no cell. ``active`` is whose turn it is, ``due`` what must be
    answered first; the next one comes first.
    """

    cells: Cells
    round: int
    active: str | None
    ended: bool
    due: tuple[Due, ...]


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A place of a map: the thing that it is, where its middle lies, its corners, its ground.

    ``x`` and ``y`` are between 0 and 1, from left to right and from top to bottom; so are the
    ``corners``, which there are for outlines only. ``joined`` are the places that lines lead to.
    """

    ref: Ref
    x: float
    y: float
    corners: tuple[tuple[float, float], ...]
    ground: Ref | None
    joined: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A map as it is drawn: its places, and how wide it is to its height.

    ``unit`` is the width of one step of the coordinates, as a part of the whole width.
    """

    id: str
    title: str
    shape: str
    ratio: float
    unit: float
    places: tuple[MapPlace, ...]


@dataclass(frozen=True, slots=True)
class Thing:
    """What is told about a thing: its name, what it is, how it looks, lines of title and value.

    ``cite`` names the pages.
    """

    name: str
    kind: str
    look: Look
    lines: tuple[tuple[str, Value], ...]
    cite: Mapping[str, int | str]


Things = Mapping[Ref, Thing]


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same while a game is played.

    ``players`` in the order of seats; ``fields`` by part, map and id, in the order in which they
    are shown, with their titles in the language of the game. ``addresses`` are where cells can
    stand, in the order in which changes are told: players first, then maps, then the table.
    """

    title: str
    players: tuple[str, ...]
    boards: tuple[Board, ...]
    fields: Mapping[tuple[str, str, str], Field]
    addresses: tuple[Address, ...]

    def fields_of(self, part: str, board: str = "") -> dict[str, Field]:
        """Return the fields of a part by id; of a map, those of that map."""
        return {key[2]: info for key, info in self.fields.items() if key[:2] == (part, board)}

    def cells(
        self, scene: Scene, part: str, where: str = "", place: Ref = ""
    ) -> Iterator[tuple[str, Field, Cell]]:
        """Yield what is shown of a part, a player or a place of a map: id, field and cell."""
        for ident, info in self.fields_of(part, where if part == "map" else "").items():
            if (cell := scene.cells.get(Address(part, where, place, ident))) is not None:
                yield ident, info, cell


def masked(cell: Cell, viewer: str | None) -> Cell:
    """Return what a player sees of a field; None sees everything."""
    if viewer is None or cell.owner is None or cell.owner == viewer:
        return cell
    sizes = [group.items.size for group in cell.groups if isinstance(group.items, Heap)]
    if len(sizes) < len(cell.groups):
        return Cell((CellGroup("?"),), cell.owner)
    return Cell((CellGroup(Heap((), sum(sizes))),), cell.owner)


def seen(scene: Scene, viewer: str | None) -> Scene:
    """Return what a player sees of a state."""
    return replace(scene, cells={at: masked(cell, viewer) for at, cell in scene.cells.items()})

"""States of a game as plain data, free of the engine.

An entity is named by kind and id: `territory F2`, `player Ann`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from altay_cli.pack.looks import Address as Address  # noqa: PLC0414 - a name of the view
from altay_cli.pack.looks import Field, Look
from altay_cli.pack.looks import Ref as Ref  # noqa: PLC0414 - a name of the view


class Heap(NamedTuple):
    """Contents of a place: entities with counts, and a number of unknown ones.

    ordered: the order matters; each entry is then a single entity.
    more: how many further unknown ones there may be; None if unknown.
    """

    known: tuple[tuple[Ref, int], ...] = ()
    unknown: int = 0
    ordered: bool = False
    more: int | None = 0

    @property
    def size(self) -> int:
        """How many entities there are."""
        return sum(count for _, count in self.known) + self.unknown


Value = Heap | int | str | bool


class CellGroup(NamedTuple):
    """Entities or a number under a common heading, ``of``."""

    items: Value
    of: Value | None = None
    splay: str | None = None


class Cell(NamedTuple):
    """What a field shows in one place; None if all may see it, else only ``seen_by``."""

    groups: tuple[CellGroup, ...]
    seen_by: tuple[str, ...] | None = None


Cells = Mapping[Address, Cell]


class Arrow(NamedTuple):
    """A move between two places of a map, with a label."""

    start: Ref
    end: Ref
    label: str


@dataclass(frozen=True, slots=True)
class Due:
    """A decision that a player must make now."""

    player: str
    title: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the game.

    A field that is not shown has no cell. The first of ``due`` must be answered first.
    """

    cells: Cells
    round: int
    active: str | None
    ended: bool
    due: tuple[Due, ...]


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A place of a map.

    x, y, corners: from 0 to 1, rightwards and downwards; only outlines have corners.
    ground: the entity that colours the place.
    joined: where lines lead to.
    tall: whether it is as high as the board.
    """

    ref: Ref
    x: float
    y: float
    corners: tuple[tuple[float, float], ...]
    ground: Ref | None
    joined: tuple[Ref, ...]
    tall: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A map as it is drawn.

    ratio: width by height.
    unit: the width of one step of the coordinates, as a fraction of the map.
    owner: the id of the field whose ``of`` holds a place, or "".
    scenery: further places, without contents.
    """

    id: str
    title: str
    shape: str
    ratio: float
    unit: float
    places: tuple[MapPlace, ...]
    owner: str = ""
    scenery: tuple[MapPlace, ...] = ()
    style: str = ""
    colours: tuple[str, ...] = ()


class Effect(NamedTuple):
    """An effect printed on a card, in words and to draw."""

    text: str
    icon: str
    uses: Value | None
    gives: Value | None
    amount: int


class Face(NamedTuple):
    """What is printed on a card."""

    cost: Value | None
    corner: Value | None
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Thing:
    """The description of an entity, with lines of title and value.

    face: what is printed on it, if it is drawn as a card.
    badge: the thing at the corner of its token.
    """

    name: str
    kind: str
    look: Look
    lines: tuple[tuple[str, Value], ...]
    cite: Mapping[str, int | str]
    face: Face | None = None
    badge: Ref | None = None


Things = Mapping[Ref, Thing]


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same during a game.

    fields: by part, map and id.
    addresses: of all cells, in the order of changes: players, maps, table.
    icons: SVG paths by name, at most 10 away from the origin.
    """

    title: str
    players: tuple[str, ...]
    boards: tuple[Board, ...]
    fields: Mapping[tuple[str, str, str], Field]
    addresses: tuple[Address, ...]
    icons: Mapping[str, str]

    def fields_of(self, part: str, board: str = "") -> dict[str, Field]:
        """Return the fields of a part by id, perhaps of ``board``."""
        return {key[2]: info for key, info in self.fields.items() if key[:2] == (part, board)}

    def cells(
        self, scene: Scene, part: str, where: str = "", place: Ref = ""
    ) -> Iterator[tuple[str, Field, Cell]]:
        """Yield id, field and cell of a part, a player or a place."""
        for ident, info in self.fields_of(part, where if part == "map" else "").items():
            if (cell := scene.cells.get(Address(part, where, place, ident))) is not None:
                yield ident, info, cell


def knowing(seen: str, owner: str | None, players: Sequence[str]) -> tuple[str, ...] | None:
    """Return the players who know what ``seen`` says; None for all.

    >>> knowing("others", "Ann", ["Ann", "Bob", "Cleo"])
    ('Bob', 'Cleo')
    """
    if seen == "all":
        return None
    if seen == "nobody":
        return ()
    return tuple(player for player in players if (player == owner) == (seen == "owner"))


def masked(cell: Cell, viewer: str | None) -> Cell:
    """Return the cell as ``viewer`` sees it; None sees everything."""
    if viewer is None or cell.seen_by is None or viewer in cell.seen_by:
        return cell
    sizes = [group.items.size for group in cell.groups if isinstance(group.items, Heap)]
    if len(sizes) < len(cell.groups):
        return Cell((CellGroup("?"),), cell.seen_by)
    return Cell((CellGroup(Heap((), sum(sizes))),), cell.seen_by)


def seen(scene: Scene, viewer: str | None) -> Scene:
    """Return the state as ``viewer`` sees it; None sees everything."""
    return replace(scene, cells={at: masked(cell, viewer) for at, cell in scene.cells.items()})

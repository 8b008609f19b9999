"""Grids: kinds whose things are places that know each other by direction.

What they know is worked out when a pack is linked, and is not kept with it: places that all know
each other are a web that is larger than its description by far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from altay_cli.base.budget import Budget
from altay_cli.base.values import Entity

GRID_FIELDS = frozenset(
    {"column", "row", "grid", "rays", "straight", "slanted", "around", "neighbours", "lines"}
)
"""The fields that the places of a grid have without being declared."""

MAX_PLACES = 1_000
"""The maximum number of places of a grid."""

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Up, right, down, left: the way that rows and columns are counted."""

SLANTED = ((1, 1), (1, -1), (-1, -1), (-1, 1))
"""Between these, clockwise as well."""

AROUND = tuple(step for pair in zip(STRAIGHT, SLANTED, strict=True) for step in pair)


def places_of(columns: str, rows: str) -> Iterator[tuple[str, int, int]]:
    """Yield the id of each place of a grid, with its column and row; row by row from the first."""
    low, high = (int(part) for part in rows.split("-"))
    first, last = columns[0], columns[-1]
    for row in range(low, high + 1):
        for column in range(ord(first), ord(last) + 1):
            yield f"{chr(column)}{row}", column - ord(first) + 1, row - low + 1


class Grid:
    """The places of a grid by column and row, each counted from 1."""

    __slots__ = ("_lines", "places")

    def __init__(self, places: Sequence[Entity]) -> None:
        self.places = {(place.f["column"], place.f["row"]): place for place in places}
        self._lines: dict[int, list[list[Entity]]] = {}

    def ray(self, place: Entity, right: int, up: int) -> list[Entity]:
        """Return the places in a direction, the nearest first."""
        ray: list[Entity] = []
        column, row = place.f["column"] + right, place.f["row"] + up
        while (column, row) in self.places and (right or up):  # (0, 0) leads nowhere
            ray.append(self.places[column, row])
            column, row = column + right, row + up
        return ray

    def lines(self, size: int) -> list[list[Entity]]:
        """Return all straight lines of so many places, along rows, columns and diagonals."""
        if size not in self._lines:
            lines: list[list[Entity]] = []
            for place in self.places.values():
                for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = [place, *self.ray(place, right, up)[: max(size - 1, 0)]]
                    if len(line) == size:
                        lines.append(line)
            self._lines[size] = lines
        return self._lines[size]


def lay_grids(
    grids: Mapping[str, tuple[str, str]], entities: Mapping[str, Sequence[Entity]]
) -> None:
    """Tell the places of all grids where they lie, and what lies around them."""
    for kind, (columns, rows) in grids.items():
        places = {place.id: place for place in entities[kind]}
        for ident, column, row in places_of(columns, rows):
            places[ident].f.update(column=column, row=row)
        grid = Grid([places[ident] for ident, _, _ in places_of(columns, rows)])
        for place in grid.places.values():
            around = [grid.ray(place, *direction) for direction in AROUND]
            place.f.update(
                grid=grid,
                rays=around,
                straight=around[::2],
                slanted=around[1::2],
                around=[ray[0] for ray in around if ray],
                neighbours=[ray[0] for ray in around[::2] if ray],
                lines={},
            )


def grid_step(place: Entity, right: int, up: int) -> Entity | None:
    """Return the place so many columns to the right and rows up; None outside of the grid."""
    grid: Grid = place.f["grid"]
    return grid.places.get((place.f["column"] + right, place.f["row"] + up))


def grid_ray(budget: Budget, place: Entity, right: int, up: int) -> list[Entity]:
    """Return the places in a direction, the nearest first."""
    grid: Grid = place.f["grid"]
    ray = grid.ray(place, right, up)
    budget.charge(1 + len(ray))
    return ray


def grid_lines(budget: Budget, place: Entity, size: int) -> list[list[Entity]]:
    """Return the straight lines of so many places that a place belongs to."""
    known: dict[int, list[list[Entity]]] = place.f["lines"]
    if size not in known:
        grid: Grid = place.f["grid"]
        budget.charge(len(grid.places))
        known[size] = [line for line in grid.lines(size) if place in line]
    budget.charge(1 + len(known[size]))
    return known[size]


def lines_among(budget: Budget, places: list[Entity], size: int) -> list[list[Entity]]:
    """Return the straight lines of so many places all of which are among ``places``."""
    if not places:
        return []
    grid: Grid = places[0].f["grid"]
    lines = grid.lines(size)
    budget.charge(1 + len(places) + len(lines))
    if len(places) >= len(grid.places):
        return lines
    among = set(places)
    return [line for line in lines if among.issuperset(line)]


GRID_FUNCTIONS: tuple[Callable[..., object], ...] = (grid_step, grid_ray, grid_lines, lines_among)

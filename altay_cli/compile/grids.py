"""Grids as rules declare them: kinds whose things are places in columns and rows."""

from __future__ import annotations

from collections.abc import Iterator

GRID_FIELDS = frozenset(
    {"column", "row", "grid", "rays", "straight", "slanted", "around", "neighbours", "lines"}
)
"""The fields that the places of a grid have without being declared."""

MAX_PLACES = 1_000
"""The maximum number of places of a grid."""


def places_of(columns: str, rows: str) -> Iterator[tuple[str, int, int]]:
    """Yield the id of each place of a grid, with its column and row; row by row from the first."""
    low, high = (int(part) for part in rows.split("-"))
    first, last = columns[0], columns[-1]
    for row in range(low, high + 1):
        for column in range(ord(first), ord(last) + 1):
            yield f"{chr(column)}{row}", column - ord(first) + 1, row - low + 1

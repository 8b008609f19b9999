"""Lay out boards with squares, points or pits: their colours, the names along their edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, hypot
from typing import NamedTuple

from altay_cli.drawing.textures import shaded
from altay_cli.view.model import Board, Ref

CHECKERED = ("#cfc6b2", "#e9e4d8")
"""Colours of squares for rules that choose none, dark and light."""

PLATES = {"lined": "#2e7d4f", "holes": "#2f6aa8", "points": "#d9b27c", "pits": "#c08a52"}
"""The colours of plates for rules that choose none, by style."""

EDGE = 54.0
"""The width of the edge of a board with the names of its columns and rows."""


class Plate(NamedTuple):
    """The plate under the places of a board.

    colours: of squares, dark and light, or of the plate twice.

    frame: the colour of the edge around it, and of lines.

    columns, rows: names along the edges, with positions; none if places have names of their own.
    """

    style: str
    colours: tuple[str, str]
    frame: str
    columns: Sequence[tuple[str, float]]
    rows: Sequence[tuple[str, float]]


def plate(board: Board, width: float, height: float, names: Mapping[Ref, str]) -> Plate | None:
    """Return the plate of a board, or None if it has no kind of its own."""
    style = board.style or ("checkered" if board.shape == "square" else "")
    if not style:
        return None
    default = CHECKERED if style == "checkered" else (PLATES[style],) * 2
    colours = (board.colours or default) * 2
    columns, rows = ([], []) if style == "pits" else axes(board, width, height, names)
    frame = shaded(colours[0], 0.55)
    return Plate(style, (colours[0], colours[1]), frame, columns, rows)


def axes(
    board: Board, width: float, height: float, names: Mapping[Ref, str]
) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """Return the names of columns and rows with their positions, if they make up all names.

    A place is then named by its column, followed by its row.
    """
    columns: dict[float, list[str]] = {}
    rows: dict[float, list[str]] = {}
    for place in board.places:
        columns.setdefault(place.x, []).append(names[place.ref])
        rows.setdefault(place.y, []).append(names[place.ref][::-1])
    if min(map(len, (*columns.values(), *rows.values())), default=0) < 2:
        return [], []
    across = {x: _shared_start(column) for x, column in columns.items()}
    down = {y: _shared_start(row)[::-1] for y, row in rows.items()}
    if any(names[place.ref] != across[place.x] + down[place.y] for place in board.places):
        return [], []
    return (
        [(name, x * width) for x, name in sorted(across.items())],
        [(name, y * height) for y, name in sorted(down.items())],
    )


def _shared_start(names: Sequence[str]) -> str:
    alike = 0
    for letters in zip(*names, strict=False):
        if len(set(letters)) > 1:
            break
        alike += 1
    return names[0][:alike]


def heap_spots(count: int, radius: float, tall: float = 1.0) -> list[tuple[float, float, float]]:
    """Return positions for pieces beside each other in a pit, and their size.

    tall: the height of the pit by its width.
    """

    def distance(cell: tuple[float, float]) -> float:
        return hypot(cell[0], cell[1] / tall)

    best: tuple[float, list[tuple[float, float]]] = (0.0, [])
    down = ceil(5 * tall)
    for shift in (0.0, 0.5):
        rows = range(-down, down)
        cells = [(column + shift, row + shift) for row in rows for column in range(-5, 5)]
        nearest = sorted(cells, key=distance)[:count]
        far = distance(nearest[-1]) if nearest else 0.0
        # The farthest piece is inside the pit.
        pitch = min(radius * 0.92 / (far + 0.5), radius * 0.55)
        if pitch > best[0]:
            best = pitch, nearest
    pitch, cells = best
    return [(x * pitch, y * pitch, pitch * 0.46) for x, y in cells]

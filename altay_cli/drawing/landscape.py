"""Lay out a map of land: its outlines, and the places for names and pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist
from statistics import median
from typing import NamedTuple

from altay_cli.drawing.borders import land
from altay_cli.drawing.room import Box, Point, middle_for
from altay_cli.drawing.textures import Stroke, texture_of
from altay_cli.view.model import Board, MapPlace, Ref

SEA = "#5b9fb3"
FOAM = "#e9fbff"
COAST = "#2e2a1f"
BORDER = "#3b3223"

_MARGIN = 32.0
"""How much water is shown around the land."""

# Sizes are for places whose nearest neighbours are this far away, else in proportion.
_USUAL_DISTANCE = 105.0

NAME_SIZES = (18.0, 38.0)
"""The size of the names of places, on a large map and on a small one."""

NAME_UP = 15.0
"""How far names are above the middle of a place; larger ones go up by a fifth of their growth."""


class Area(NamedTuple):
    """A place as it is drawn.

    path: its outline as an SVG path, or "".

    texture: the strokes that cover it.

    is_scenery: drawn pale, without name and pieces.
    """

    ref: Ref
    path: str
    colour: str
    texture: Sequence[Stroke]
    is_scenery: bool


class Landscape(NamedTuple):
    """A map of land.

    box: the part of the plane that it takes: left, top, width, height.

    middles: where the name and the pieces of a place stand.

    scale: the size of pieces and names, 1 on a map with places of usual size.
    """

    areas: Sequence[Area]
    borders: str
    coast: str
    box: tuple[float, float, float, float]
    middles: Mapping[Ref, Point]
    scale: float


def landscape(
    board: Board,
    width: float,
    colours: Mapping[Ref, str],
    textures: Mapping[Ref, str],
    names: Mapping[Ref, str],
) -> Landscape:
    """Return the layout of a board whose places have outlines.

    colours, textures: of places, by reference.

    names: the texts written on them.
    """
    height = width / board.ratio
    places = [*board.places, *board.scenery]
    rings = [[(x * width, y * height) for x, y in place.corners] for place in places]
    lines = land(rings)
    scale = min(1.0, _usual_distance(board.places, width, height) / _USUAL_DISTANCE)
    middles: dict[Ref, Point] = {}
    areas: list[Area] = []
    for number, (place, ring) in enumerate(zip(places, rings, strict=True)):
        is_scenery = number >= len(board.places)
        boxes = () if is_scenery else _boxes(names[place.ref], scale)
        middle = (place.x * width, place.y * height)
        if ring:
            middle = middle_for(ring, middle, boxes)
        middles[place.ref] = middle
        taken = _around(boxes, middle)
        texture = texture_of(
            textures.get(place.ref, ""), ring, place.ref, colours[place.ref], taken
        )
        areas.append(Area(place.ref, lines.areas[number], colours[place.ref], texture, is_scenery))
    corners = [corner for ring in rings for corner in ring] or [(0.0, 0.0), (width, height)]
    left, top = (min(corner[axis] for corner in corners) - _MARGIN for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in corners) + _MARGIN for axis in (0, 1))
    box = (left, top, right - left, bottom - top)
    return Landscape(areas, lines.borders, lines.coast, box, middles, scale)


def _usual_distance(places: Sequence[MapPlace], width: float, height: float) -> float:
    points = [(place.x * width, place.y * height) for place in places]
    nearest = [
        min((dist(point, other) for other in points if other != point), default=_USUAL_DISTANCE)
        for point in points
    ]
    return median(nearest) if nearest else _USUAL_DISTANCE


def _boxes(name: str, scale: float) -> tuple[Box, Box]:
    """Return the room for the name and the pieces of a place, on a small map."""
    half = (len(name) * 0.33 * NAME_SIZES[1] + 4) * scale
    name_box = (-half, -50 * scale, half, -10 * scale)
    piece_box = (-46 * scale, -10 * scale, 46 * scale, 42 * scale)
    return name_box, piece_box


def _around(boxes: Sequence[Box], middle: Point) -> Box:
    """Return the box around several boxes."""
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0)
    x, y = middle
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return x + min(lefts), y + min(tops) + 6, x + max(rights), y + max(bottoms)


def land_spots(count: int, *, small: bool, scale: float) -> list[tuple[float, float, float]]:
    """Return positions of pieces around the middle of a place, and their size.

    small: for a small map.
    """
    across, size, pitch = _row(count, small=small)
    rows = max(-(-count // across), 1)
    first = size * 1.4 - (6 if small else 10)
    found = []
    for row in range(rows):
        here = min(across, count - row * across)
        y = first + row * pitch
        found += [
            ((column - (here - 1) / 2) * pitch * scale, y * scale, size * scale)
            for column in range(here)
        ]
    return found


def _row(count: int, *, small: bool) -> tuple[int, float, float]:
    """Return how many pieces stand in a row, their size and their distance."""
    if count <= 1:
        return (1, 19, 44) if small else (1, 14, 30)
    if count == 2:
        return (2, 19.5, 46) if small else (2, 14, 32)
    if count == 3:
        return (3, 14, 31) if small else (3, 12, 27)
    if count == 4:
        return (2, 11, 26) if small else (2, 10, 24)
    if count <= 6:
        return (3, 11, 26) if small else (3, 9, 21)
    return (4, 10, 24) if small else (4, 8, 19)

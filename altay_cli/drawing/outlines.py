"""Compute outlines of places from their positions and neighbours, for authors of rules.

Each way between two neighbours is sampled, and each sample belongs to the nearer end. The Voronoi
cells of the samples of a place, joined, are its land; what is far from all places and ways is
water. Cells of places alone would not do: neighbours that are far apart have no common edge, and
some places that are no neighbours have one. Straits separate the latter.

All lines are bent by one function of the position, so neighbours keep their common edge.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import combinations, pairwise
from math import dist, pi, sin
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

try:
    import shapely
except ImportError:  # an extra
    shapely = None

if TYPE_CHECKING:
    from shapely import Polygon

Point = tuple[float, float]

# Lengths, in units of the median distance of a place from its nearest neighbour.
_REACH = 0.58
"""How far land reaches around a place."""
_NECK = 0.35
"""How far land reaches on both sides of the way to a neighbour."""
_MOUTH = 0.13
"""Half of the width of a strait."""
_BRIDGE = 0.16
"""No strait comes nearer to the way between neighbours."""
_ALONE = 0.24
"""The radius of a place without neighbours."""
_STEP = 0.19
"""The distance of corners on a straight line."""
_SMOOTH = 0.025
"""The greatest distance of an omitted corner from its outline."""

_SAMPLES = 14
"""Into how many parts a way is divided by its samples."""

# Waves that bend the lines: height, and waves per length in both directions.
_WAVES = (
    (0.06, 1.4, 1.0), (0.05, -1.2, 1.3), (0.036, 2.6, 0.6),
    (0.026, 0.5, -2.4), (0.019, 3.6, 3.0), (0.014, -3.2, 3.6),
)  # fmt: skip


def outlines(
    points: Mapping[str, Point], neighbours: Collection[frozenset[str]]
) -> dict[str, list[Point]]:
    """Return the corners of each place; neighbours share an edge, no others do.

    Neighbouring places share the corners of their common edge. A place may lose land at which
    others block the way to it.

    points: the middle of each place, in units that are as long in both directions.

    neighbours: pairs of places.

    Raise ImportError without shapely.
    """
    if shapely is None:
        raise ImportError("shapely is not installed")
    unit = _typical_distance(points, neighbours)
    joined = {place for pair in neighbours for place in pair}
    land = _cells({place: points[place] for place in points if place in joined}, neighbours, unit)
    shapes = _simplified(land, _SMOOTH * unit)
    coast = shapely.union_all([*shapes.values()])
    for place, point in points.items():
        if place not in joined:
            blob = shapely.Point(point).buffer(_ALONE * unit, quad_segs=3)
            shapes[place] = blob.difference(coast.buffer(_MOUTH * unit))
    bend = _bending(unit)
    return {
        place: [bend(point) for point in _corners(shapes[place], _STEP * unit)] for place in points
    }


def _typical_distance(points: Mapping[str, Point], neighbours: Collection[frozenset[str]]) -> float:
    nearest: dict[str, float] = {}
    for pair in neighbours:
        one, other = pair
        length = dist(points[one], points[other])
        for place in pair:
            nearest[place] = min(length, nearest.get(place, length))
    return median(nearest.values()) if nearest else 1.0


def _cells(
    points: Mapping[str, Point], neighbours: Collection[frozenset[str]], unit: float
) -> dict[str, Polygon]:
    """Return the land of each place; neighbours share the corners of their edges."""
    samples, owners = [*points.values()], [*points]
    for one, other in map(sorted, neighbours):
        (x0, y0), (x1, y1) = points[one], points[other]
        for number in range(1, _SAMPLES):
            part = number / _SAMPLES
            if part != 0.5:  # the border is there
                samples.append((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part))
                owners.append(one if part < 0.5 else other)
    ways = {
        pair: shapely.LineString([points[place] for place in sorted(pair)]) for pair in neighbours
    }
    land = _land(points, ways.values(), unit)
    cells = shapely.voronoi_polygons(
        shapely.MultiPoint(samples), extend_to=land.buffer(10 * unit), ordered=True
    )
    owned: dict[str, list[Any]] = {place: [] for place in points}
    for owner, cell in zip(owners, cells.geoms, strict=True):
        owned[owner].append(cell)
    whole = {place: shapely.union_all(cells) for place, cells in owned.items()}
    water = _straits(whole, ways, land, unit)
    kept = land if water.is_empty else land.difference(water)
    # Cut along all lines at once: two sides of a line get the same corners.
    lines = [kept.boundary, *(cell.boundary for cell in whole.values())]
    grid = unit / 1000
    faces = shapely.polygonize([shapely.union_all(lines, grid_size=grid)])
    pieces: dict[str, list[Any]] = {place: [] for place in points}
    for face in faces.geoms:
        inside = face.representative_point()
        if kept.contains(inside):
            owner = min(whole, key=lambda place: whole[place].distance(inside))
            pieces[owner].append(face)
    return {
        place: _around(shapely.union_all(faces), points[place]) for place, faces in pieces.items()
    }


def _land(points: Mapping[str, Point], ways: Iterable[Any], unit: float) -> Any:
    """Return all land: around places and along ways, with a round coast and without cracks."""
    parts = [shapely.Point(point).buffer(_REACH * unit) for point in points.values()]
    parts += [way.buffer(_NECK * unit) for way in ways]
    close, clear = 0.23 * unit, 0.09 * unit
    land = shapely.union_all(parts).buffer(close).buffer(-close).buffer(-clear).buffer(clear)
    lakes = 0.12 * unit * unit
    return shapely.union_all(
        [
            shapely.Polygon(
                part.exterior,
                [hole for hole in part.interiors if shapely.Polygon(hole).area > lakes],
            )
            for part in getattr(land, "geoms", [land])
        ]
    )


def _straits(
    cells: Mapping[str, Any], ways: Mapping[frozenset[str], Any], land: Any, unit: float
) -> Any:
    """Return the water between places that touch and are no neighbours."""
    touching = [
        cells[one].intersection(cells[other]).intersection(land)
        for one, other in combinations(cells, 2)
        if frozenset((one, other)) not in ways and cells[one].intersects(cells[other])
    ]
    water = shapely.union_all([line.buffer(_MOUTH * unit) for line in touching])
    return water.difference(
        shapely.union_all([way.buffer(_BRIDGE * unit) for way in ways.values()])
    )


def _around(shape: Any, point: Point) -> Polygon:
    """Return the part of a shape around a point, without holes."""
    middle = shapely.Point(point)
    part = min(getattr(shape, "geoms", [shape]), key=lambda part: part.distance(middle))
    return shapely.Polygon(part.exterior)


def _simplified(shapes: Mapping[str, Any], tolerance: float) -> dict[str, Any]:
    simple = shapely.coverage_simplify([*shapes.values()], tolerance)
    return dict(zip(shapes, simple, strict=True))


def _corners(shape: Polygon, step: float) -> list[Point]:
    """Return the corners of a shape, with further ones on long lines."""
    found: list[Point] = []
    ring = list(shape.exterior.coords)
    for start, end in pairwise(ring):
        parts = max(1, round(dist(start, end) / step))
        first, last = sorted((start, end))  # the neighbour divides it in the same way
        inner = [
            (
                first[0] + (last[0] - first[0]) * number / parts,
                first[1] + (last[1] - first[1]) * number / parts,
            )
            for number in range(1, parts)
        ]
        found += [start[:2], *(inner if first == start else reversed(inner))]
    return found


def _bending(unit: float) -> Callable[[Point], Point]:
    """Return the function that bends all lines."""
    random = Random(3)  # noqa: S311 - no secret
    phases = [(random.uniform(0, 2 * pi), random.uniform(0, 2 * pi)) for _ in _WAVES]

    def bend(point: Point) -> Point:
        x, y = point[0] / unit, point[1] / unit
        right = down = 0.0
        for (height, across, along), (first, second) in zip(_WAVES, phases, strict=True):
            right += height * sin(across * x + along * y + first)
            down += height * sin(along * x + across * y + second)
        return (x + right) * unit, (y + down) * unit

    return bend


def shared_edges(shapes: Mapping[str, Iterable[tuple[int, int]]]) -> set[frozenset[str]]:
    """Return the pairs of places with an edge in common, by their corners alone."""
    owners: dict[frozenset[tuple[int, int]], set[str]] = {}
    for place, corners in shapes.items():
        ring = [*corners]
        for start, end in zip(ring, [*ring[1:], *ring[:1]], strict=True):
            owners.setdefault(frozenset((start, end)), set()).add(place)
    return {
        frozenset(pair) for places in owners.values() for pair in combinations(sorted(places), 2)
    }

"""Lines of a map of land: which corners two places share, and where the water begins.

Places that are neighbours have the corners of their border in common. A line between two points
where three lines meet is drawn as one curve, the same for both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

Point = tuple[float, float]
Ring = Sequence[Point]


class Land(NamedTuple):
    """The lines of a map as SVG paths.

    areas: the outline of each place, in the order given; closed.

    borders: all lines between two places.

    coast: all lines with a place on one side only.
    """

    areas: list[str]
    borders: str
    coast: str


def land(rings: Sequence[Ring]) -> Land:
    """Return the lines of places with the given corners; a place may have none."""
    sides: dict[frozenset[Point], set[int]] = {}
    ends: dict[Point, set[Point]] = {}
    for number, ring in enumerate(rings):
        for start, end in _edges(ring):
            sides.setdefault(frozenset((start, end)), set()).add(number)
            ends.setdefault(start, set()).add(end)
            ends.setdefault(end, set()).add(start)
    areas: list[str] = []
    drawn: dict[frozenset[Point], None] = {}
    borders: list[str] = []
    coast: list[str] = []
    for ring in rings:
        area: list[str] = []
        for arc in _arcs(ring, sides, ends):
            curve = _curve(arc)
            area.append(curve)
            first = frozenset(arc[:2])
            if first not in drawn:
                drawn.update(dict.fromkeys(map(frozenset, _edges(arc, closed=False))))
                lines = borders if len(sides[first]) > 1 else coast
                lines.append(_start(arc) + curve)
        begin = _start(next(_arcs(ring, sides, ends))) if ring else ""
        areas.append(begin + "".join(area) + "Z" if area else "")
    return Land(areas, "".join(borders), "".join(coast))


def _edges(ring: Ring, *, closed: bool = True) -> Iterator[tuple[Point, Point]]:
    following = [*ring[1:], ring[0]] if closed and ring else ring[1:]
    return ((start, end) for start, end in zip(ring, following, strict=False) if start != end)


def _arcs(
    ring: Ring, sides: dict[frozenset[Point], set[int]], ends: dict[Point, set[Point]]
) -> Iterator[list[Point]]:
    """Yield the parts of an outline between junctions; a closed one ends where it begins."""
    ring = [start for start, _ in _edges(ring)]
    count = len(ring)
    meetings = [
        number
        for number, point in enumerate(ring)
        if len(ends[point]) > 2
        or sides[frozenset((ring[number - 1], point))]
        != sides[frozenset((point, ring[(number + 1) % count]))]
    ]
    if not meetings and ring:
        yield [*ring, ring[0]]
    for number, following in zip(meetings, [*meetings[1:], *meetings[:1]], strict=True):
        last = following if following > number else following + count
        yield [ring[index % count] for index in range(number, last + 1)]


def _closed(arc: Sequence[Point]) -> bool:
    return arc[0] == arc[-1] and len(arc) > 3


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _start(arc: Sequence[Point]) -> str:
    return f"M{_written(_middle(arc[-2], arc[0]) if _closed(arc) else arc[0])}"


def _curve(arc: Sequence[Point]) -> str:
    """Return an SVG curve from end to end, through the middles of the inner sides."""
    if _closed(arc):
        pairs = pairwise(arc)
        return "".join(f"Q{_written(one)} {_written(_middle(one, two))}" for one, two in pairs)
    if len(arc) == 2:
        return f"L{_written(arc[1])}"
    inner = arc[1:-1]
    goals = [*(_middle(one, two) for one, two in pairwise(inner)), arc[-1]]
    return "".join(
        f"Q{_written(one)} {_written(two)}" for one, two in zip(inner, goals, strict=True)
    )


def _written(point: Point) -> str:
    return " ".join(f"{value:.1f}".removesuffix(".0") for value in point)

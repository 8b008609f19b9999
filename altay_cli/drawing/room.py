"""Find room within a place of a map: for its name and pieces, and for its texture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor
from random import Random

Point = tuple[float, float]
Ring = Sequence[Point]
Box = tuple[float, float, float, float]
"""The left, top, right and bottom edge."""

_ROW = 4.0
"""The distance of the lines along which an outline is measured."""


def spans(ring: Ring, y: float) -> list[tuple[float, float]]:
    """Return the parts of a horizontal line that are inside an outline."""
    crossings = sorted(
        x0 + (x1 - x0) * (y - y0) / (y1 - y0)
        for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True)
        if (y0 <= y) != (y1 <= y)
    )
    return list(zip(crossings[::2], crossings[1::2], strict=False))


def middle_for(ring: Ring, wanted: Point, boxes: Sequence[Box]) -> Point:
    """Return the point nearest to ``wanted`` around which all boxes are inside an outline.

    boxes: relative to the point. If they have no room anywhere, they are shrunk.
    """
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    rows = [spans(ring, y) for y in _rows(top, bottom)]
    for part in range(20):
        scale = 0.95**part
        scaled = [tuple(edge * scale for edge in box) for box in boxes]
        found = list(_middles(rows, top, scaled, wanted))
        if found:
            return min(found, key=lambda point: _squared(point, wanted))
    return wanted


def _rows(top: float, bottom: float) -> Iterator[float]:
    for number in range(floor((bottom - top) / _ROW)):
        yield top + (number + 0.5) * _ROW


def _squared(one: Point, other: Point) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _middles(
    rows: Sequence[Sequence[tuple[float, float]]],
    top: float,
    boxes: Sequence[tuple[float, ...]],
    wanted: Point,
) -> Iterator[Point]:
    """Yield for each row the point nearest to ``wanted`` at which the boxes have room."""
    for number in range(len(rows)):
        y = top + (number + 0.5) * _ROW
        free = [(-1e9, 1e9)]
        for left, above, right, below in boxes:
            first = number + floor(above / _ROW)
            last = number + ceil(below / _ROW)
            if first < 0 or last >= len(rows):
                free = []
                break
            for row in rows[first : last + 1]:
                free = [
                    (max(a, c - left), min(b, d - right))
                    for a, b in free
                    for c, d in row
                    if max(a, c - left) <= min(b, d - right)
                ]
        if free:
            x = min((min(max(wanted[0], a), b) for a, b in free), key=lambda x: abs(x - wanted[0]))
            yield x, y


def scattered(ring: Ring, seed: str, step: float, margin: float, taken: Box) -> list[Point]:
    """Return points strewn over an outline, from top to bottom, at least half a step apart.

    margin: the least distance from the outline, sideways and upwards.

    taken: a box without points.
    """
    random = Random(seed)  # noqa: S311 - no secret
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    found: list[Point] = []
    y, odd = top + margin, 0
    while y < bottom - margin:
        shared = [(-1e9, 1e9)]
        for row in (y - margin, y, y + margin):
            shared = [
                (max(a, c + margin), min(b, d - margin))
                for a, b in shared
                for c, d in spans(ring, row)
                if max(a, c + margin) < min(b, d - margin)
            ]
        for start, end in shared:
            x = ceil(start / step) * step + odd * step / 2
            while x < end:
                point = (
                    x + random.uniform(-0.22, 0.22) * step,
                    y + random.uniform(-0.2, 0.2) * step,
                )
                left, above, right, below = taken
                inside = left < point[0] < right and above < point[1] < below
                if not inside and start <= point[0] <= end:
                    found.append(point)
                x += step
        y, odd = y + step * 0.8, 1 - odd
    return sorted(found, key=lambda point: point[1])

"""What covers land: trees, peaks, mounds, furrows, dots, reeds, as paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from altay_cli.drawing.room import Box, Point, Ring, scattered


class Stroke(NamedTuple):
    """A path with its colours; "" for none."""

    path: str
    fill: str
    stroke: str
    width: float


class Texture(NamedTuple):
    """A texture: the distance of its marks, and what draws them all.

    Each mark is a point and a size around 1.
    """

    step: float
    draw: Callable[[Sequence[tuple[Point, float]], str], list[Stroke]]


Marks = Sequence[tuple[Point, float]]


def texture_of(name: str, ring: Ring, seed: str, colour: str, taken: Box) -> list[Stroke]:
    """Return the texture of a place, darker than its colour; nothing for an unknown name.

    taken: a box without marks, for the name and the pieces.
    """
    texture = TEXTURES.get(name)
    if texture is None or not ring:
        return []
    random = Random(seed)  # noqa: S311 - no secret
    points = scattered(ring, seed, texture.step, 9, taken)
    return texture.draw([(point, random.uniform(0.85, 1.15)) for point in points], colour)


def shaded(colour: str, by: float) -> str:
    """Return a colour made darker (``by`` below 1) or lighter (above 1)."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    if by <= 1:
        mixed = [part * by for part in parts]
    else:
        mixed = [part + (255 - part) * (by - 1) for part in parts]
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


def _joined(template: str, marks: Marks, *offsets: tuple[float, float]) -> str:
    """Return a path: the template at each mark, with numbers scaled; it begins at an offset."""
    parts = []
    for (x, y), size in marks:
        for right, down in offsets or ((0.0, 0.0),):
            scaled = " ".join(
                f"{float(word) * size:.1f}".removesuffix(".0") if _is_number(word) else word
                for word in template.split()
            )
            parts.append(f"M{x + right * size:.1f} {y + down * size:.1f}{scaled}")
    return "".join(parts)


def _is_number(word: str) -> bool:
    return word.lstrip("-").replace(".", "", 1).isdigit()


def _trees(marks: Marks, colour: str) -> list[Stroke]:
    return [
        Stroke(_joined("v 3.5", marks), "", "#5a4530", 1.6),
        Stroke(_joined("l 5 9 h -10 z", marks, (0, -9)), shaded(colour, 0.6), "", 0),
    ]


def _peaks(marks: Marks, colour: str) -> list[Stroke]:
    snow = "l 4.2 6 l -3.2 2 l -2 -1.6 l -3.2 -0.4 z"
    return [
        Stroke(_joined("l 11 16 h -22 z", marks, (0, -10)), shaded(colour, 0.77), "", 0),
        Stroke(_joined(snow, marks, (0, -10)), shaded(colour, 1.85), "", 0),
    ]


def _mounds(marks: Marks, colour: str) -> list[Stroke]:
    line = shaded(colour, 0.75)
    return [Stroke(_joined("q 10 -13 20 0", marks, (-10, 4)), shaded(colour, 0.94), line, 1.4)]


def _furrows(marks: Marks, colour: str) -> list[Stroke]:
    wave = _joined("q 4 -3 8 0 t 8 0", marks, (-8, 0), (-8, 4))
    return [Stroke(wave, "", shaded(colour, 0.82), 1.4)]


def _dots(marks: Marks, colour: str) -> list[Stroke]:
    return [Stroke(_joined("h 0.1", marks), "", shaded(colour, 0.8), 3.4)]


def _reeds(marks: Marks, colour: str) -> list[Stroke]:
    blades = _joined("l -4 -8 m 4 8 v -10 m 0 10 l 4 -8", marks, (0, 4))
    return [Stroke(blades, "", shaded(colour, 0.72), 1.4)]


TEXTURES = {
    "trees": Texture(19, _trees),
    "peaks": Texture(31, _peaks),
    "mounds": Texture(31, _mounds),
    "furrows": Texture(29, _furrows),
    "dots": Texture(15, _dots),
    "reeds": Texture(24, _reeds),
}
"""The textures by name, as rules choose them."""

"""Draw maps as SVG pictures, which load no other file; every text is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, dist, pi, sin
from typing import NamedTuple

from altay_cli.pack.model import Field
from altay_cli.report.html import XML, rendered
from altay_cli.report.standing import ValueFormatter
from altay_cli.view.model import Board, Cell, Heap, MapPlace, Ref, Scene, Setting, Things

WIDTH = 1000.0
"""Width of a map, in units of the picture."""

SEATS = ("#c0392b", "#2a6fb0", "#3f8f3f", "#8e44ad", "#c87f1a", "#1f8a8a", "#6b5b4b", "#b03a78")
"""For players without a colour in the rules, by seat."""

PLAIN = "#e9e4d8"
CHECKERED = ("#cfc6b2", "#e9e4d8")
"""For squares without a ground; the lower left one is dark."""

MAX_LABEL = 14


class Marker(NamedTuple):
    """A small token."""

    shape: str
    colour: str
    sign: str
    description: str


@dataclass(frozen=True, slots=True)
class MapLayout:
    """Positions and sizes; places extend beyond the edges by ``reach``."""

    width: float
    height: float
    radius: float
    token: float
    reach: float

    def at(self, place: MapPlace) -> tuple[float, float]:
        """Return the middle of a place."""
        return place.x * self.width, place.y * self.height


def layout(board: Board) -> MapLayout:
    """Return the positions of the parts of a map."""
    height = WIDTH / board.ratio
    if board.shape == "square":
        side = board.unit * WIDTH
        return MapLayout(WIDTH, height, side / 2, side * 0.36, 0)
    points = [(place.x * WIDTH, place.y * height) for place in board.places]
    near = min(
        (dist(point, other) for point, other in combinations(points, 2) if point != other),
        default=WIDTH / 6,
    )
    radius = min(max(near * 0.47, WIDTH / 60), WIDTH / 12)
    reach = 0 if board.shape == "outline" else radius
    return MapLayout(WIDTH, height, radius, radius * 0.42, reach)


def ink_on(colour: str) -> str:
    """Return dark or light, whichever is readable on a colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    # Contrast ratios with black and with white (WCAG 2.2).
    return "#000000" if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else "#ffffff"


def colours(things: Things, players: Sequence[str]) -> dict[Ref, str]:
    """Return the colours of things that have one, and of all players."""
    seats = {f"player {player}": SEATS[seat % len(SEATS)] for seat, player in enumerate(players)}
    ruled = {
        ref: thing.look.colour for ref, thing in things.items() if thing.look.colour is not None
    }
    return seats | ruled


OUTLINES: Mapping[str, Sequence[tuple[float, float]]] = {
    "square": [(-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)],
    "diamond": [(0, -1.12), (1.12, 0), (0, 1.12), (-1.12, 0)],
    "triangle": [(0, -1.15), (1.1, 0.8), (-1.1, 0.8)],
    "hexagon": [(1.05 * cos(k * pi / 3), 1.05 * sin(k * pi / 3)) for k in range(6)],
    "star": [
        (r * sin(k * pi / 5), -r * cos(k * pi / 5)) for k, r in enumerate([1.25, 0.68] * 5)
    ],
    "drop": [
        (0, -1.3), (0.72, -0.25), (0.92, 0.3), (0.62, 0.86),
        (0, 1.05), (-0.62, 0.86), (-0.92, 0.3), (-0.72, -0.25),
    ],
    "shield": [
        (-0.95, -1), (0.95, -1), (0.95, 0.2), (0.55, 0.8), (0, 1.15), (-0.55, 0.8), (-0.95, 0.2),
    ],
    "house": [(0, -1.2), (1.05, -0.35), (1.05, 0.95), (-1.05, 0.95), (-1.05, -0.35)],
    "cross": [
        (-0.4, -1), (0.4, -1), (0.4, -0.4), (1, -0.4), (1, 0.4), (0.4, 0.4),
        (0.4, 1), (-0.4, 1), (-0.4, 0.4), (-1, 0.4), (-1, -0.4), (-0.4, -0.4),
    ],
}  # fmt: skip
"""Corners of each shape of radius 1 around the origin; a circle has none."""

MAX_TOKENS = 12
"""The maximum number of positions of tokens at a place; further tokens share the last."""


def shape_paths() -> dict[str, str]:
    """Return the shapes of tokens as SVG paths of radius 1 around the origin."""
    paths = {"circle": "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1-1 0Z"}
    for shape, corners in OUTLINES.items():
        paths[shape] = "M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in corners) + "Z"
    return paths


class Drawing:
    """Draws a map with the template `map.svg`."""

    def __init__(self, board: Board, stage: Setting, things: Things) -> None:
        self.board = board
        self.stage = stage
        self.things = things
        self.formatter = ValueFormatter(things)
        self.paint = colours(things, stage.players)
        self.layout = layout(board)

    def picture(self, scene: Scene, title: str) -> str:
        """Return the picture with a legend, as a file of its own."""
        margin = self.layout.reach + 16
        top = self.layout.height + margin + 22
        legend = [(top + 44 * n, _key_row(row)) for n, row in enumerate(self._legend())]
        return (
            self._svg(
                margin,
                below=44.0 * len(legend),
                live=False,
                title=title,
                described="; ".join(self._described(scene)),
                tokens=[*self._marks(scene)],
                legend=legend,
            )
            + "\n"
        )

    def live(self) -> str:
        """Return the map without tokens, for pages that address places by name."""
        return self._svg(
            self.layout.reach + 6,
            live=True,
            title=self.board.title,
            layout=json.dumps(self._live_layout(), separators=(",", ":")),
            tokens=(),
            legend=(),
        )

    def _live_layout(self) -> dict[str, object]:
        """Return shapes and positions of tokens, for `board.js`."""
        shape, size = self.board.shape, self.layout
        return {
            "shapes": shape_paths(),
            "places": {
                place.ref: [round(z, 1) for z in size.at(place)] for place in self.board.places
            },
            "spots": [
                [[round(z, 1) for z in spot] for spot in spots(shape, size, count)]
                for count in range(MAX_TOKENS + 1)
            ],
        }

    def _svg(self, margin: float, *, below: float = 0.0, **values: object) -> str:
        size = self.layout
        return rendered(
            "map.svg",
            {**XML, "number": lambda value: f"{value:.1f}".rstrip("0").rstrip(".")},
            box=(-margin, -margin, size.width + 2 * margin, size.height + 2 * margin + below),
            shape=self.board.shape,
            size=size,
            edges=self._edges(),
            places=[*map(self._placed, self.board.places)],
            outlines=OUTLINES,
            ink_on=ink_on,
            **values,
        )

    def _edges(self) -> list[tuple[float, float, float, float]]:
        middles = {place.ref: self.layout.at(place) for place in self.board.places}
        edges: dict[frozenset[Ref], tuple[Ref, Ref]] = {}
        for place in self.board.places:
            for other in filter(middles.__contains__, place.joined):
                edges.setdefault(frozenset((place.ref, other)), (place.ref, other))
        return [(*middles[start], *middles[end]) for start, end in edges.values() if start != end]

    def _placed(self, place: MapPlace) -> dict[str, object]:
        """Return a place for drawing, its name cut to fit."""
        size = self.layout
        colour = self.paint.get(place.ground or place.ref, PLAIN)
        if self.board.shape == "square" and place.ground is None and place.ref not in self.paint:
            x, y = size.at(place)
            colour = CHECKERED[round((x + size.height - y) / (2 * size.radius) - 1) % 2]
        name = _short(self.things[place.ref].name, MAX_LABEL)
        return {"place": place, "colour": colour, "name": name}

    def _marks(self, scene: Scene) -> Iterator[tuple[Marker, float, float, float]]:
        for place in self.board.places:
            tokens = [
                token
                for _, info, cell in self.stage.cells(scene, "map", self.board.id, place.ref)
                for token in self.tokens(cell, info)
            ]
            x, y = self.layout.at(place)
            for token, (dx, dy, size) in zip(
                tokens, spots(self.board.shape, self.layout, len(tokens)), strict=True
            ):
                yield token, x + dx, y + dy, size

    def tokens(self, cell: Cell, info: Field) -> Iterator[Marker]:
        """Yield the tokens of a field at a place: one for each entity or number."""
        for group in cell.groups:
            description = f"{info.title}: {self.formatter.group(group)}"
            of = group.of.known[0][0] if isinstance(group.of, Heap) and group.of.known else None
            group_colour = info.look.colour if of is None else self.paint.get(of)
            items = group.items
            if not isinstance(items, Heap):
                look = info.look if of is None else self.things[of].look
                sign = "" if items is True else str(items)
                if items is not False:
                    yield Marker(look.shape, group_colour or PLAIN, look.sign or sign, description)
                continue
            for ref, count in items.known:
                look = self.things[ref].look
                sign = look.sign or ("" if ref in self.paint else self.things[ref].name[:2])
                many = f"{count}×{sign}" if sign else str(count)
                colour = self.paint.get(ref) or group_colour or info.look.colour
                yield Marker(look.shape, colour or PLAIN, many if count > 1 else sign, description)
            if items.unknown:
                yield Marker("square", PLAIN, f"{items.unknown}?", description)

    def _described(self, scene: Scene) -> Iterator[str]:
        """Yield descriptions of the places, for screen readers."""
        for place in self.board.places:
            parts = [self.things[ref].name for ref in (place.ref, place.ground) if ref is not None]
            cells = self.stage.cells(scene, "map", self.board.id, place.ref)
            texts = ((info.title, self.formatter.cell(cell)) for _, info, cell in cells)
            parts += [f"{title} {text}" for title, text in texts if text]
            if len(parts) > 1:
                yield ", ".join(parts)

    def _legend(self) -> Iterator[Sequence[Marker]]:
        things, paint = self.things, self.paint
        players = [f"player {player}" for player in self.stage.players]
        grounds = dict.fromkeys(place.ground for place in self.board.places if place.ground)
        keys = [Marker(things[ref].look.shape, paint[ref], "", things[ref].name) for ref in players]
        keys += [
            Marker(info.look.shape, info.look.colour, "", info.title)
            for info in self.stage.fields_of("map", self.board.id).values()
            if info.look.colour is not None
        ]
        lands = [Marker("circle", paint.get(ref, PLAIN), "", things[ref].name) for ref in grounds]
        yield from filter(None, (keys, lands))


def _key_row(keys: Iterable[Marker]) -> list[tuple[Marker, float]]:
    row, x = [], 0.0
    for token in keys:
        shown = _short(token.description, 24)
        row.append((token._replace(description=shown), x))
        x += 62 + 11.5 * sum(2 if ord(char) > 0x2E80 else 1 for char in shown)
    return row


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def spots(shape: str, size: MapLayout, count: int) -> list[tuple[float, float, float]]:
    """Return positions for tokens around the middle of a place, and their size.

    On squares a single token is in the middle; elsewhere tokens are in rows below the name.
    """
    if shape == "square":
        if count == 1:
            return [(0.0, size.radius * 0.1, size.radius * 0.66)]
        across = 2 if count <= 4 else 3
        small = size.radius * 1.5 / across / 2.3
        middle = size.radius * 0.1
    else:
        across = count if count <= 3 else (count + 1) // 2
        small = min(size.token, 2.0 * size.radius / max(across, 1) / 2.3)
        middle = size.radius * 0.34
    rows = max(-(-count // max(across, 1)), 1)
    small *= 0.8 if rows > 1 else 1
    step = small * 2.3
    places = []
    for row in range(rows):
        here = min(across, count - row * across)
        y = middle + (row - (rows - 1) / 2) * step
        places += [((column - (here - 1) / 2) * step, y, small) for column in range(here)]
    return places

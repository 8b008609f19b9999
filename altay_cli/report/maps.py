"""Draw maps as SVG pictures, which load no other file; every text is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import cos, dist, pi, sin
from typing import NamedTuple

from altay_cli.drawing.boards import EDGE, Plate, heap_spots, plate
from altay_cli.drawing.landscape import NAME_SIZES, NAME_UP, Landscape, land_spots, landscape
from altay_cli.drawing.textures import shaded
from altay_cli.pack.looks import Field
from altay_cli.report.html import XML, rendered
from altay_cli.report.standing import ValueFormatter
from altay_cli.view.model import Board, Cell, CellGroup, Heap, MapPlace, Ref, Scene, Setting, Things

WIDTH = 1000.0
"""Width of a map, in units of the picture."""

SEATS = ("#c0392b", "#2a6fb0", "#3f8f3f", "#8e44ad", "#c87f1a", "#1f8a8a", "#6b5b4b", "#b03a78")
"""Colours by seat, for players without a colour in the rules."""

PLAIN = "#e9e4d8"
CHECKERED = ("#cfc6b2", "#e9e4d8")
"""Colours of squares without a ground; the lower left one is dark."""

MAX_LABEL = 14


SEAT_MARKS = (
    "M-.3 .95V.15H.3V.95Z",
    "M-.36 .35A.36 .36 0 0 1 .36 .35A.36 .36 0 0 1-.36 .35Z",
    "M0-.15L.5 .35L0 .85L-.5 .35Z",
    "M-.14-.1H.14V.2H.44V.48H.14V.78H-.14V.48H-.44V.2H-.14Z",
    "M0-.15L.5 .7H-.5Z",
    "M-.48 0H-.12V.75H-.48ZM.12 0H.48V.75H.12Z",
    "M-.42-.05H.42V.75H-.42Z",
    "M-.5 .2H.5V.5H-.5Z",
)
"""Shapes on the pieces of players, by seat: a second sign besides their colours."""

SEAT_DASHES = ("", "4 7", "16 10", "14 6 3 6", "2 4", "24 5", "8 8", "20 4 4 4")
"""Dashes of the borders of a player's places, by seat; "" for an unbroken line."""

DETAILS = {"house": "M-1.13-.3L0-1.32L1.13-.3"}
"""Dark lines on shapes of pieces, on a map of land."""


class Marker(NamedTuple):
    """A small token: its shape, colour, label and description.

    icon: a path that replaces the label, around the origin and at most 10 away from it.

    figure: the icon is drawn by itself, in the colour.

    copies: how many of it are drawn; None for a token that is not repeated.

    seat: of the player whose piece it is, if it is one.

    badge: a token at its corner.
    """

    shape: str
    colour: str
    sign: str
    description: str
    icon: str = ""
    figure: bool = False
    copies: int | None = None
    seat: int | None = None
    badge: Marker | None = None


@dataclass(frozen=True, slots=True)
class MapLayout:
    """Positions and sizes; places extend beyond the edges by ``reach``."""

    width: float
    height: float
    radius: float
    token: float
    reach: float
    middles: Mapping[Ref, tuple[float, float]] = field(default_factory=dict)

    def at(self, place: MapPlace) -> tuple[float, float]:
        """Return the middle of a place."""
        return self.middles.get(place.ref) or (place.x * self.width, place.y * self.height)


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


def ink_on(colour: str, *, drawn: bool = False) -> str:
    """Return dark or light, whichever is readable on a colour.

    drawn: for an icon, which is light if the contrast allows it.
    """
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    # Contrast ratios with black and with white (WCAG 2.2): 4.5 for text, 3 for pictures.
    black, white = (light + 0.05) / 0.05, 1.05 / (light + 0.05)
    return "#ffffff" if white >= (3 if drawn else black) else "#000000"


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

MAX_HEAP, MAX_TALL_HEAP = 24, 48
"""The maximum number of pieces that are drawn in a pit, and in a tall one."""

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
        names = {place.ref: things[place.ref].name for place in board.places}
        self.plate: Plate | None = plate(board, WIDTH, self.layout.height, names)
        self.land: Landscape | None = None
        if board.shape == "land":
            self.land = self._landscape()
            self.layout = replace(self.layout, middles=self.land.middles)

    def _landscape(self) -> Landscape:
        things = self.things
        places = [*self.board.places, *self.board.scenery]
        grounds = {place.ref: place.ground or place.ref for place in places}
        return landscape(
            self.board,
            WIDTH,
            {ref: self.paint.get(ground, PLAIN) for ref, ground in grounds.items()},
            {ref: things[ground].look.texture for ref, ground in grounds.items()},
            {ref: _short(things[ref].name, MAX_LABEL) for ref in grounds},
        )

    def picture(self, scene: Scene, title: str) -> str:
        """Return the picture with a legend, as a file of its own."""
        left, top, width, height = self._box(16)
        below = top + height + 22
        legend = [(below + 44 * n, _key_row(row)) for n, row in enumerate(self._legend())]
        described = "; ".join(self._described(scene))
        return (
            self._svg(
                (left, top, width, height + 44.0 * len(legend)),
                live=False,
                title=title,
                described=described,
                tokens=[*self._marks(scene)],
                numbers=[*self._numbers(scene)],
                owners=self._owners(scene),
                legend=legend,
            )
            + "\n"
        )

    def live(self) -> str:
        """Return the map without tokens, for pages that address places by name."""
        return self._svg(
            self._box(6),
            live=True,
            title=self.board.title,
            layout=json.dumps(self._live_layout(), separators=(",", ":")),
            tokens=(),
            numbers=(),
            owners={},
            legend=(),
        )

    def _box(self, margin: float) -> tuple[float, float, float, float]:
        """Return the part of the plane that is shown: left, top, width, height."""
        if self.land is not None:
            return self.land.box
        size, margin = self.layout, self.layout.reach + margin
        if self.plate is not None:
            margin = self.layout.reach * 0.6 + (EDGE if self.plate.columns else EDGE / 3)
            if self.plate.style == "pits":
                margin = self.layout.reach + EDGE
        return -margin, -margin, size.width + 2 * margin, size.height + 2 * margin

    def _live_layout(self) -> dict[str, object]:
        places = [*enumerate(self.board.places)]
        shared: dict[str, object] = {
            "id": self.board.id,
            "shapes": shape_paths(),
            "places": {
                place.ref: [*(round(z, 1) for z in self.layout.at(place)), number]
                for number, place in places
            },
            "spots": self._spots(small=False),
        }
        if self.plate is not None and self.plate.style == "pits":
            tall = [place for place in self.board.places if place.tall]
            stores = {
                "places": [place.ref for place in tall],
                "spots": self._spots(small=False, tall=True),
                "number": self._number_spot(tall=True),
            }
            return shared | {"number": self._number_spot()} | ({"tall": stores} if tall else {})
        if self.land is None:
            return shared
        return shared | {
            "small": self._spots(small=True),
            "scale": self.land.scale,
            "names": NAME_SIZES,
            "nameUp": NAME_UP,
            "details": DETAILS,
            "marks": SEAT_MARKS,
            "dashes": SEAT_DASHES,
        }

    def _spots(self, *, small: bool, tall: bool = False) -> list[list[list[float]]]:
        counts = range(self._most_tokens(tall=tall) + 1)
        found = (self._spots_of(count, small=small, tall=tall) for count in counts)
        return [[[round(z, 1) for z in spot] for spot in spots] for spots in found]

    def _spots_of(
        self, count: int, *, small: bool = False, tall: bool = False
    ) -> list[tuple[float, float, float]]:
        if self.land is not None:
            return land_spots(count, small=small, scale=self.land.scale)
        size = self.layout
        if self.plate is None:
            return spots(self.board.shape, size, count)
        if self.plate.style == "pits":
            return heap_spots(count, size.radius, self._tallness() if tall else 1.0)
        if count == 1 and self.board.shape == "square" and not self.plate.columns:
            return [(0.0, size.radius * 0.3, size.radius * 0.55)]  # below the name
        if count == 1:
            part = {"checkered": 0.9, "lined": 0.8, "holes": 0.78, "points": 0.62}
            return [(0.0, 0.0, size.radius * part[self.plate.style])]
        inside = replace(size, radius=size.radius * 0.9)
        return [(x, y - inside.radius * 0.1, part) for x, y, part in spots("square", inside, count)]

    def _most_tokens(self, *, tall: bool = False) -> int:
        if self.plate is None or self.plate.style != "pits":
            return MAX_TOKENS
        return MAX_TALL_HEAP if tall else MAX_HEAP

    def _tallness(self) -> float:
        return self.layout.height / 2 / self.layout.radius + 1

    def _number_spot(self, *, tall: bool = False) -> list[float]:
        """Return where the number of the pieces in a pit is written, and its size."""
        below = self.layout.radius * (self._tallness() if tall else 1)
        return [0, round(below + 36), 38]

    def _svg(self, box: tuple[float, float, float, float], **values: object) -> str:
        return rendered(
            "land.svg" if self.land else "board.svg" if self.plate else "map.svg",
            {**XML, "number": lambda value: f"{value:.1f}".rstrip("0").rstrip(".")},
            box=box,
            id=self.board.id,
            shape=self.board.shape,
            size=self.layout,
            land=self.land,
            plate=self.plate,
            shaded=shaded,
            edges=self._edges(),
            places=[*map(self._placed, self.board.places)],
            shapes=shape_paths(),
            details=DETAILS if self.land else {},
            marks=SEAT_MARKS if self.land else (),
            dashes=SEAT_DASHES,
            name_size=NAME_SIZES[0],
            name_up=NAME_UP,
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
        size = self.layout
        colour = self.paint.get(place.ground or place.ref, PLAIN)
        if self.plate is not None and place.ground is None and place.ref not in self.paint:
            # The lower left square is dark.
            x, y = size.at(place)
            colour = self.plate.colours[round((x + size.height - y) / (2 * size.radius) - 1) % 2]
        name = _short(self.things[place.ref].name, MAX_LABEL)
        return {"place": place, "colour": colour, "name": name}

    def _marks(self, scene: Scene) -> Iterator[tuple[Marker, float, float, float]]:
        for place in self.board.places:
            tokens = [
                token
                for _, info, cell in self.stage.cells(scene, "map", self.board.id, place.ref)
                for token in self.tokens(cell, info)
            ]
            most = self._most_tokens(tall=place.tall)
            drawn = [one for token in tokens for one in _repeated(token, most)]
            x, y = self.layout.at(place)
            around = self._spots_of(len(drawn), tall=place.tall)
            for token, (dx, dy, size) in zip(drawn, around, strict=True):
                yield token, x + dx, y + dy, size

    def _numbers(self, scene: Scene) -> Iterator[tuple[str, float, float, float]]:
        if self.plate is None or self.plate.style != "pits":
            return
        for place in self.board.places:
            dx, dy, size = self._number_spot(tall=place.tall)
            x, y = self.layout.at(place)
            for _, info, cell in self.stage.cells(scene, "map", self.board.id, place.ref):
                for token in self.tokens(cell, info):
                    if token.copies is not None:
                        yield str(token.copies), x + dx, y + dy, size

    def _owners(self, scene: Scene) -> dict[Ref, tuple[int, str]]:
        owners: dict[Ref, tuple[int, str]] = {}
        for place in self.board.places:
            for ident, _, cell in self.stage.cells(scene, "map", self.board.id, place.ref):
                seat = self.owner(ident, cell)
                if seat is not None:
                    player = self.stage.players[seat]
                    owners[place.ref] = seat, self.paint[f"player {player}"]
        return owners

    def owner(self, ident: str, cell: Cell) -> int | None:
        """Return the seat of the player who holds a place, by the cell of a field there."""
        if ident != self.board.owner:
            return None
        seats = (self._seat(group) for group in cell.groups)
        return next((seat for seat in seats if seat is not None), None)

    def _seat(self, group: CellGroup) -> int | None:
        of = group.of.known[0][0] if isinstance(group.of, Heap) and group.of.known else ""
        kind, _, name = of.partition(" ")
        players = self.stage.players
        return players.index(name) if kind == "player" and name in players else None

    def tokens(self, cell: Cell, info: Field) -> Iterator[Marker]:
        """Return the tokens of a field at a place: one for each thing or number."""
        piece = info.piece
        for group in cell.groups:
            description = f"{info.title}: {self.formatter.group(group)}"
            of = group.of.known[0][0] if isinstance(group.of, Heap) and group.of.known else None
            group_colour = info.look.colour if of is None else self.paint.get(of)
            items, seat = group.items, self._seat(group)
            if not isinstance(items, Heap):
                look = info.look if of is None else self.things[of].look
                repeated = piece.repeat and isinstance(items, int) and not isinstance(items, bool)
                sign = "" if items is True or repeated else str(items)
                shape, colour = piece.shape or look.shape, piece.colour or group_colour
                if items is not False:
                    yield Marker(
                        shape,
                        colour or PLAIN,
                        look.sign or sign,
                        description,
                        copies=int(items) if repeated else None,
                        seat=seat,
                    )
                continue
            for ref, count in items.known:
                look = self.things[ref].look
                sign = look.sign or ("" if ref in self.paint else self.things[ref].name[:2])
                many = f"{count}×{sign}" if sign else str(count)
                colour = piece.colour or self.paint.get(ref) or group_colour or info.look.colour
                yield Marker(
                    piece.shape or look.shape,
                    colour or PLAIN,
                    many if count > 1 else sign,
                    description,
                    icon="" if piece.shape else self.stage.icons.get(look.icon, ""),
                    figure=piece.figure,
                    seat=seat,
                    badge=self._badge(ref),
                )
            if items.unknown:
                yield Marker("square", PLAIN, f"{items.unknown}?", description)

    def _badge(self, ref: Ref) -> Marker | None:
        badge = self.things[ref].badge
        if badge is None:
            return None
        name, look = self.things[badge].name, self.things[badge].look
        icon = self.stage.icons.get(look.icon, "")
        return Marker(look.shape, self.paint.get(badge, PLAIN), look.sign, name, icon)

    def _described(self, scene: Scene) -> Iterator[str]:
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
        keys = [
            Marker(things[ref].look.shape, paint[ref], "", things[ref].name, seat=seat)
            for seat, ref in enumerate(players)
        ]
        keys += [
            Marker(info.look.shape, info.look.colour, "", info.title)
            for info in self.stage.fields_of("map", self.board.id).values()
            if info.look.colour is not None
        ]
        lands = [
            Marker("circle", paint.get(ref, PLAIN), "", things[ref].name)
            for ref in grounds
            if ref not in players
        ]
        yield from filter(None, (keys, lands))


def _key_row(keys: Iterable[Marker]) -> list[tuple[Marker, float]]:
    row, x = [], 0.0
    for token in keys:
        shown = _short(token.description, 24)
        row.append((token._replace(description=shown), x))
        x += 62 + 11.5 * sum(2 if ord(char) > 0x2E80 else 1 for char in shown)
    return row


def _repeated(token: Marker, most: int) -> list[Marker]:
    """Return a token as often as it is drawn; many are one with their number."""
    if token.copies is None:
        return [token]
    if not token.copies:
        return []
    if token.copies > most:
        return [token._replace(sign=str(token.copies))]
    return [token, *[token._replace(description="")] * (token.copies - 1)]


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

"""How a compiled game looks: maps, fields, cards and descriptions of moves."""

# If postponed, Python would compile each annotation at every start.

from collections.abc import Mapping
from typing import NamedTuple

from altay_cli.pack.terms import NOTHING, Cite, Expr, Message


class Look(NamedTuple):
    """The look of an entity; None or "" if it comes from elsewhere, or is not shown.

    ``colour`` is `#rrggbb`, ``shape`` that of the token, ``sign`` the text on it.
    """

    colour: str | None = None
    shape: str = ""
    sign: str = ""
    icon: str = ""
    texture: str = ""


class PieceLook(NamedTuple):
    """How a field is drawn on a map; by default as its things look.

    With ``repeat``, a number is drawn as so many pieces; with ``figure``, the icon of a thing is
    drawn without a token under it.
    """

    colour: str | None = None
    shape: str = ""
    repeat: bool = False
    figure: bool = False


class Field(NamedTuple):
    """A displayed value: ``items`` for each member of ``each``, with the title ``of``.

    ``seen`` says who sees the entities: "all", "owner", "others" or "nobody"; the rest see only
    their number, unless ``until`` holds. ``role`` is "line" for the scoreboard, "cards" for things
    drawn as cards.
    """

    id: str
    title: str
    cite: Cite
    when: Expr | None
    each: tuple[str, Expr] | None
    of: Expr | None
    items: Expr
    splay: Expr | None
    unknown: Expr | None
    seen: str
    until: Expr | None
    in_replay: bool
    look: Look
    role: str = ""
    piece: PieceLook = PieceLook()


class MapFrame(NamedTuple):
    """The coordinates of the edges of a map, and its size."""

    left: int
    right: int
    top: int
    bottom: int
    width: int
    height: int


class Map(NamedTuple):
    """A map: spots, their coordinates, and the contents shown there.

    ``shape`` is "circle", "square", "outline" or "land"; ``scale`` units of ``outline`` make one of
    ``x`` and ``y``. ``scenery`` are places without contents. ``owner`` is the id of the field whose
    ``of`` holds a place, or "". ``style`` is the kind of board, "" for that of its shape, with its
    ``colours``; ``tall`` places are as high as the board.
    """

    id: str
    title: str
    each: tuple[str, Expr]
    x: Expr
    y: Expr
    frame: MapFrame
    shape: str
    outline: Expr | None
    ground: Expr | None
    edges: Expr | None
    shows: tuple[Field, ...]
    scale: int = 1
    scenery: Expr | None = None
    owner: str = ""
    style: str = ""
    colours: tuple[str, ...] = ()
    tall: Expr | None = None


class EffectsShown(NamedTuple):
    """The effects printed on a card: one for each member of ``each``.

    ``amount`` is not shown if 0.
    """

    each: tuple[str, Expr] | None
    text: Expr
    icon: Expr | None
    uses: Expr | None
    gives: Expr | None
    amount: Expr | None


class CardFace(NamedTuple):
    """What is printed on a card."""

    cost: Expr | None
    corner: Expr | None
    effects: EffectsShown | None


class KindLooks(NamedTuple):
    """The look and the details of the entities of a kind.

    ``like`` gives the entity they resemble, ``seats`` are looks by seat. ``cites`` gives pages of
    the rulebook by entity, ``cite`` by default. ``badge`` is shown at the corner of their tokens.
    """

    looks: Mapping[str, Look] = NOTHING
    like: Expr | None = None
    sign: Message | None = None
    details: tuple[tuple[str, Expr], ...] = ()
    cite: Cite = NOTHING
    cites: Mapping[str, Cite] = NOTHING
    seats: tuple[Look, ...] = ()
    face: CardFace | None = None
    badge: Expr | None = None


class MoveArrow(NamedTuple):
    """An arrow on a map, between two places."""

    start: Expr
    end: Expr
    label: Message | None


class MoveText(NamedTuple):
    """The description of a move, and slots that not all know.

    ``seen`` says who knows them, see ``Field``. All do if ``open`` holds after the move, or
    ``until`` after it or a later one.
    """

    text: Message | None
    hides: tuple[str, ...]
    open: Expr | None = None
    arrow: MoveArrow | None = None
    seen: str = "owner"
    until: Expr | None = None


class View(NamedTuple):
    """How a game looks; ``icons`` are SVG paths around the origin."""

    maps: tuple[Map, ...]
    table: tuple[Field, ...]
    player: tuple[Field, ...]
    kinds: Mapping[str, KindLooks]
    moves: Mapping[str, MoveText]
    icons: Mapping[str, str] = NOTHING


Ref = str
"""Kind and id of an entity: `territory F2`, `player Ann`."""


class Address(NamedTuple):
    """Where a cell is shown.

    part: "table", "player" or "map".
    where: the name of the player or the id of the map.
    """

    part: str
    where: str
    place: Ref
    field: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of its field, the same for all players."""
        return self.part, self.where if self.part == "map" else "", self.field

"""What a pack says of how a game looks, compiled: maps, fields, looks, and what is told of moves.

Part of ``altay_cli.pack.model``.
"""

# Annotations are not postponed here: Python would compile each field's as text at every start.

from collections.abc import Mapping
from typing import NamedTuple

from altay_cli.pack.terms import NOTHING, Cite, Expr, Message


class Look(NamedTuple):
    """How a thing looks: a colour (`#rrggbb`), the shape of its token, what stands on it."""

    colour: str | None = None
    shape: str | None = None
    sign: str | None = None


class Field(NamedTuple):
    """Something that is shown: ``items`` for each member of ``each``, with ``of`` before them.

    ``only_owner`` says that others see no more than how many things there are, ``told`` that a
    change of it is told when a game is retold.
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
    only_owner: bool
    told: bool
    look: Look


class MapFrame(NamedTuple):
    """The coordinates of the edges of a map, and how wide and high it is."""

    left: int
    right: int
    top: int
    bottom: int
    width: int
    height: int


class Map(NamedTuple):
    """A map: a place for each of a list, where it lies, and what is shown there.

    ``shape`` is "circle", "square" or "outline".
    """

    id: str
    title: str
    cite: Cite
    each: tuple[str, Expr]
    x: Expr
    y: Expr
    frame: MapFrame
    shape: str
    outline: Expr | None
    ground: Expr | None
    edges: Expr | None
    shows: tuple[Field, ...]


class KindLooks(NamedTuple):
    """How the things of a kind look, and what is told about them; ``like`` gives another thing.

    ``seats`` is how players look, by their seats.
    ``cites`` is where the rulebook tells of single things, by id; ``cite`` of all others.
    """

    looks: Mapping[str, Look] = NOTHING
    like: Expr | None = None
    sign: Message | None = None
    tells: tuple[tuple[str, Expr], ...] = ()
    cite: Cite = NOTHING
    cites: Mapping[str, Cite] = NOTHING
    seats: tuple[Look, ...] = ()


class MoveTelling(NamedTuple):
    """What is told of a move besides what it changes, and the slots that its maker alone knows."""

    tells: Message | None
    hides: tuple[str, ...]


class View(NamedTuple):
    """How a game looks."""

    maps: tuple[Map, ...]
    table: tuple[Field, ...]
    player: tuple[Field, ...]
    kinds: Mapping[str, KindLooks]
    moves: Mapping[str, MoveTelling]

"""What the typed trees of expressions say of a game: which zones they read, and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from altay_cli.compile.model import Zone
from altay_cli.expressions.typed import Item, Member, Named, Tree


class ZoneRead(NamedTuple):
    """A part of an expression that is a zone, or one of its places: ``keys`` say of what."""

    zone: Zone
    keys: tuple[Tree, ...]

    @property
    def whole(self) -> bool:
        """Whether all keys are given, so that it is a value and not a table of values."""
        return len(self.keys) == len(self.zone.per)


def zone_read(tree: Tree, zones: Mapping[str, Zone]) -> ZoneRead | None:
    """Return the zone that an expression is, with its keys; None if it is something else."""
    keys: list[Tree] = []
    while isinstance(tree, Item):
        keys.append(tree.key)
        tree = tree.operand
    zone: Zone | None = None
    if isinstance(tree, Member) and not tree.test:
        zone = zones.get(tree.field)
        if zone is not None and zone.per[:1] != (tree.operand.type.name,):
            zone = None
        keys.append(tree.operand)
    elif isinstance(tree, Named) and tree.key is None:
        zone = zones.get(tree.name)
    if zone is None or len(keys) > len(zone.per):
        return None
    return ZoneRead(zone, tuple(reversed(keys)))

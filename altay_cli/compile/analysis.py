"""What the typed trees of expressions say of a game: which zones they read, and what they count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from altay_cli.compile.context import Context
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions.checker import Checked
from altay_cli.expressions.typed import Applied, Member, Reference, Tree, parts
from altay_cli.pack.model import Zone
from altay_cli.source.document import Entry


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
    while isinstance(tree, Applied) and tree.function == "[]":
        tree, key = tree.arguments
        keys.append(key)
    zone: Zone | None = None
    if isinstance(tree, Member) and not tree.test:
        zone = zones.get(tree.field)
        if zone is not None and zone.per[:1] != (tree.operand.type.name,):
            zone = None
        keys.append(tree.operand)
    elif isinstance(tree, Reference) and tree.key is None:
        zone = zones.get(tree.name)
    if zone is None or len(keys) > len(zone.per):
        return None
    return ZoneRead(zone, tuple(reversed(keys)))


def with_called(
    keys: Iterable[str], checked: Mapping[str, Checked], functions: Entry
) -> Iterator[Checked]:
    """Yield the expressions with some keys, and those of the functions that they call."""
    waiting = [*keys]
    met = {*waiting}
    while waiting:
        one = checked[waiting.pop()]
        yield one
        for name in one.calls:
            inner = {*function_keys(name, functions[name])} & checked.keys() - met
            waiting += inner
            met |= inner


def counted(c: Context, key: str) -> frozenset[int]:
    """Return the zones of which an expression looks at more than which things lie there.

    A condition that asks only for that (`.kinds()`, `in`) comes out the same in many courses of
    events, so that it need not be asked in each.
    """
    zones = c.zone_named
    names = (
        tree.name if isinstance(tree, Reference) else tree.field
        for one in with_called([key], c.checked, c.section("functions"))
        for tree in _looks(one.tree)
    )
    return frozenset(zones[name].index for name in names if name in zones)


def _looks(tree: Tree) -> Iterator[Reference | Member]:
    """Yield the names in a tree that are not only asked for which things lie there."""
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        match one:
            case Applied(function="kinds", arguments=(place,), own=False):
                waiting += _around(place)
            case Applied(function="in", arguments=(thing, place)):
                waiting += [thing, *_around(place)]
            case Reference() | Member():
                yield one
                waiting += parts(one)
            case _:
                waiting += parts(one)


def _around(place: Tree) -> list[Tree]:
    """Return what is looked at to find a zone; what is no plain name of one is looked at itself."""
    match place:
        case Reference():
            return []
        case Member(operand=operand):
            return [operand]
        case Applied(function="[]", arguments=(operand, key)):
            return [*_around(operand), key]
        case _:
            return [place]

"""What the typed trees of expressions say of a game: which zones they read.

What the conditions of a move tell of its slots makes that fewer values have to be tried where legal
moves are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from altay_cli.compile.context import Context
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions import typed as t
from altay_cli.expressions.checker import Checked
from altay_cli.pack import model as m
from altay_cli.source.document import Entry


class ZoneRead(NamedTuple):
    """A part of an expression that is a zone, or one of its places: ``keys`` say of what."""

    zone: m.Zone
    keys: tuple[t.Tree, ...]

    @property
    def whole(self) -> bool:
        """Whether all keys are given, so that it is a value and not a table of values."""
        return len(self.keys) == len(self.zone.per)


def zone_read(tree: t.Tree, zones: Mapping[str, m.Zone]) -> ZoneRead | None:
    """Return the zone that an expression is, with its keys; None if it is something else."""
    keys: list[t.Tree] = []
    while isinstance(tree, t.Applied) and tree.function == "[]":
        tree, key = tree.arguments
        keys.append(key)
    zone: m.Zone | None = None
    if isinstance(tree, t.Member) and not tree.test:
        zone = zones.get(tree.field)
        if zone is not None and zone.per[:1] != (tree.operand.type.name,):
            zone = None
        keys.append(tree.operand)
    elif isinstance(tree, t.Reference) and tree.key is None:
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


# ---------------------------------------------------------------- what conditions tell of slots


def hints(c: Context, moves: Sequence[m.MoveDef]) -> Iterator[tuple[str, m.Hint]]:
    """Yield what conditions tell of the slots of moves that can be listed, with their keys."""
    for move in moves:
        conditions = [
            *(expr for expr in (move.listed, move.when) if expr is not None),
            *(requirement.that for requirement in move.requires if not requirement.afterwards),
        ]
        for expr in () if move.fallback else conditions:
            checked = c.checked[expr.key]
            slots = [move.slots[name] for name in checked.names if name in move.slots]
            if len(slots) == 1 and slots[0].shape is m.Shape.BAG:
                hint = _of_bag(c, checked, slots[0])
                if hint is not None:
                    yield expr.key, hint


def _of_bag(c: Context, checked: Checked, slot: m.Slot) -> m.Hint | None:
    """Return what a condition says, if that is all: ``slot.size() == 2`` and the like."""
    if checked.locals.get(f"v_{slot.name}") != slot.name:  # the name hides another one
        return None
    match checked.tree:
        case t.Applied(
            function="==",
            arguments=(t.Applied(function="size", own=False, arguments=(held,)), other),
        ) if _is_slot(held, slot):
            number = _number(c, other)
            if number is not None:
                return m.Hint(slot.name, number)
    return m.Hint(slot.name) if _asks_first(checked.tree, slot) else None


def _number(c: Context, tree: t.Tree) -> int | None:
    """Return the number that an expression is, in all games of these rules."""
    match tree:
        case t.Constant(value=int() as value):
            return value
        case t.Reference(name=name) if name.startswith("numbers."):
            value = c.data["numbers"][name.removeprefix("numbers.")]["value"]
            return int(value)
        case t.Reference(name=name) if name.startswith("seats."):
            return int(c.data["players"][name.removeprefix("seats.")])
    return None


def _is_slot(tree: t.Tree, slot: m.Slot) -> bool:
    return isinstance(tree, t.Reference) and tree.key == slot.name


def _asks_first(tree: t.Tree, slot: m.Slot) -> bool:
    """Return whether a condition uses only the first thing in a slot."""
    whole = sum(_is_slot(part, slot) for part in t.everything(tree))
    firsts = sum(
        isinstance(part, t.Applied)
        and (part.function, part.own) == ("first", False)
        and _is_slot(part.arguments[0], slot)
        for part in t.everything(tree)
    )
    return whole == firsts > 0

"""Of which bags a condition looks at more than which things lie there.

A condition that asks only for that (`.kinds()`, `in`) comes out the same in many courses of events,
so that it need not be asked in each. It is read off typed trees when a pack is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions.checker import Checked
from altay_cli.expressions.typed import Applied, Item, Member, Named, Operation, Tree, parts
from altay_cli.source.document import Entry


def counted(
    key: str, checked: Mapping[str, Checked], functions: Entry, zones: Mapping[str, int]
) -> frozenset[int]:
    """Return the zones of which an expression counts things, by their names, in functions too."""
    found: set[int] = set()
    keys, waiting = {key}, [key]
    while waiting:
        one = checked[waiting.pop()]
        for tree in _looks(one.tree):
            name = tree.name if isinstance(tree, Named) else tree.field
            if name in zones:
                found.add(zones[name])
        for name in one.calls:
            inner = {*function_keys(name, functions[name])} & checked.keys() - keys
            waiting += inner
            keys |= inner
    return frozenset(found)


def _looks(tree: Tree) -> Iterator[Named | Member]:
    """Yield the names in a tree that are not only asked for which things lie there."""
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        match one:
            case Applied(function="kinds", arguments=(place,), own=False):
                waiting += _around(place)
            case Operation(sign="in", operands=(thing, place)):
                waiting += [thing, *_around(place)]
            case Named() | Member():
                yield one
                waiting += parts(one)
            case _:
                waiting += parts(one)


def _around(place: Tree) -> list[Tree]:
    """Return what is looked at to find a zone; what is no plain name of one is looked at itself."""
    match place:
        case Named():
            return []
        case Member(operand=operand):
            return [operand]
        case Item(operand=operand, key=key):
            return [*_around(operand), key]
        case _:
            return [place]

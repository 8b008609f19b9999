"""What the conditions of a move tell of its slots, so that fewer values have to be tried.

It is read off their typed trees when a pack is compiled, and used where legal moves are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from altay_cli.compile.context import Context
from altay_cli.expressions import typed as t
from altay_cli.expressions.checker import Checked
from altay_cli.pack import model as m


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
            function="==" | ">" as sign,
            arguments=(t.Applied(function="size", own=False, arguments=(held,)), other),
        ) if _is_slot(held, slot):
            number = _number(c, other)
            if sign == "==" and number is not None:
                return m.Hint(slot.name, size=number)
            if sign == ">" and number == 0:
                return m.Hint(slot.name, some=True)
        case t.Applied(function="has", own=False, arguments=(held, wanted)) if slot.domain:
            domain = c.checked[slot.domain.key]
            is_part = _is_slot(wanted, slot) and t.said(held) == t.said(domain.tree)
            if is_part and domain.locals.items() <= checked.locals.items():
                return m.Hint(slot.name, within=True)
    return m.Hint(slot.name, first=True) if _asks_first(checked.tree, slot) else None


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

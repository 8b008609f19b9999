"""What the conditions of a move tell of its slots, so that fewer values have to be tried.

It is read off their typed trees when a pack is compiled, and used where legal moves are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from altay_cli.expressions.checker import Checked
from altay_cli.expressions.printing import Printer
from altay_cli.expressions.typed import (
    Applied,
    Constant,
    Indexed,
    Junction,
    Member,
    Operation,
    Reference,
    Tree,
    everything,
    same,
)
from altay_cli.pack import model as m


class HintCompiler:
    """Finds the hints of one pack; ``numbers`` are the values of names that stand for numbers."""

    def __init__(self, checked: Mapping[str, Checked], numbers: Mapping[str, int]) -> None:
        self._checked = checked
        self._numbers = numbers
        self._variables: dict[str, str] = {}

    def of_move(self, move: m.MoveDef) -> Iterator[tuple[str, m.Hint]]:
        """Yield the hints of the conditions of a move, with the keys of these."""
        conditions = [
            *(expr for expr in (move.listed, move.when) if expr is not None),
            *(requirement.that for requirement in move.requires if not requirement.afterwards),
        ]
        for expr in conditions:
            checked = self._checked[expr.key]
            slots = [move.slots[name] for name in checked.names if name in move.slots]
            if slots:
                hint = self._hint(checked, slots)
                if hint != _NOTHING:
                    yield expr.key, hint

    def _hint(self, checked: Checked, slots: list[m.Slot]) -> m.Hint:
        if len(slots) == 1 and slots[0].shape is m.Shape.BAG and _is_plain(slots[0].name, checked):
            (slot,), tree = slots, checked.tree
            number = self._size(tree, slot)
            if number is not None:
                return m.Hint(slot.name, size=number)
            if self._asks_nonempty(tree, slot):
                return m.Hint(slot.name, some=True)
            if self._is_within(checked, slot):
                return m.Hint(slot.name, within=True)
            if _asks_first(tree, slot):
                return m.Hint(slot.name, first=True)
        return m.Hint(begins=self._begins(checked, slots)) if checked.calls else _NOTHING

    def _size(self, tree: Tree, slot: m.Slot) -> int | None:
        """Return how many things a slot must hold if a condition is ``slot.size() == 2``."""
        match tree:
            case Operation(sign="==", operands=(size, number)) if _is_size(size, slot):
                return self._number(number)
        return None

    def _asks_nonempty(self, tree: Tree, slot: m.Slot) -> bool:
        """Return whether a condition is ``slot.size() > 0``."""
        match tree:
            case Operation(sign=">", operands=(size, number)) if _is_size(size, slot):
                return self._number(number) == 0
        return False

    def _is_within(self, checked: Checked, slot: m.Slot) -> bool:
        """Return whether a condition only says that a slot holds a part of its domain."""
        match checked.tree:
            case Applied(function="has", own=False, arguments=(held, wanted)) if slot.domain:
                domain = self._checked[slot.domain.key]
                return (
                    _is_slot(wanted, slot)
                    and same(held, domain.tree)
                    and domain.locals.items() <= checked.locals.items()
                )
        return False

    def _number(self, tree: Tree) -> int | None:
        match tree:
            case Constant(value=int() as value):
                return value
            case Reference(name=name):
                return self._numbers.get(name)
        return None

    def _begins(self, checked: Checked, slots: list[m.Slot]) -> m.Begins | None:
        """Return the call of a rules' function that a condition evaluates first, if there is one.

        It is only worth knowing if it does not depend on all slots of the condition.
        """
        tree = checked.tree
        call = _first_call(tree)
        if call is None:
            return None
        uses = [one.key for one in call.arguments if isinstance(one, Reference) and one.key]
        if len(uses) < len(call.arguments) or not all(_is_plain(key, checked) for key in uses):
            return None
        if all(slot.name in uses for slot in slots):
            return None
        code = Printer(quick=True).code(call)
        name = self._variables.setdefault(code, f"c_{len(self._variables)}")
        rest = Printer(quick=True, part=call, name=name).value(tree, checked.type)
        return m.Begins(name, code, frozenset(uses), rest)


_NOTHING = m.Hint()


def _is_plain(key: str, checked: Checked) -> bool:
    """Return whether a name hides no other one of the same name."""
    return checked.locals.get(f"v_{key}") == key


def _is_slot(tree: Tree, slot: m.Slot) -> bool:
    return isinstance(tree, Reference) and tree.key == slot.name


def _is_size(tree: Tree, slot: m.Slot) -> bool:
    match tree:
        case Applied(function="size", own=False, arguments=(held,)):
            return _is_slot(held, slot)
    return False


def _asks_first(tree: Tree, slot: m.Slot) -> bool:
    """Return whether a condition uses only the first thing in a slot."""
    whole = sum(_is_slot(part, slot) for part in everything(tree))
    firsts = sum(
        isinstance(part, Applied)
        and (part.function, part.own) == ("first", False)
        and _is_slot(part.arguments[0], slot)
        for part in everything(tree)
    )
    return whole == firsts > 0


def _first_call(tree: Tree) -> Applied | None:
    """Return the call of a rules' function that an expression always evaluates first."""
    while True:
        match tree:
            case Applied(own=True):
                return tree
            case Applied(arguments=(first, *_)) | Operation(operands=(first, *_)):
                tree = first
            case Junction(operands=(first, *_)):
                tree = first
            case Member(operand=first) | Indexed(operand=first):
                tree = first
            case _:
                return None

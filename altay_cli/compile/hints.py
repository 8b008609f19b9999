"""What the conditions of a move tell of its slots, so that fewer values have to be tried.

It is read off their typed trees when a pack is compiled, and used where legal moves are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from altay_cli.expressions import typed as t
from altay_cli.expressions.checker import Checked
from altay_cli.expressions.printing import Printer
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
            hint = self._of_bag(checked, slots[0])
            if hint is not None:
                return hint
        return m.Hint(begins=self._begins(checked, slots)) if checked.calls else _NOTHING

    def _of_bag(self, checked: Checked, slot: m.Slot) -> m.Hint | None:
        """Return what a condition says, if that is all: ``slot.size() == 2`` and the like."""
        match checked.tree:
            case t.Operation(sign="==" | ">" as sign, operands=(size, other)) if _is_size(
                size, slot
            ):
                number = self._number(other)
                if sign == "==" and number is not None:
                    return m.Hint(slot.name, size=number)
                if sign == ">" and number == 0:
                    return m.Hint(slot.name, some=True)
            case t.Applied(function="has", own=False, arguments=(held, wanted)) if slot.domain:
                domain = self._checked[slot.domain.key]
                is_part = _is_slot(wanted, slot) and t.same(held, domain.tree)
                if is_part and domain.locals.items() <= checked.locals.items():
                    return m.Hint(slot.name, within=True)
        return m.Hint(slot.name, first=True) if _asks_first(checked.tree, slot) else None

    def _number(self, tree: t.Tree) -> int | None:
        match tree:
            case t.Constant(value=int() as value):
                return value
            case t.Reference(name=name):
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
        uses = [one.key for one in call.arguments if isinstance(one, t.Reference) and one.key]
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


def _is_slot(tree: t.Tree, slot: m.Slot) -> bool:
    return isinstance(tree, t.Reference) and tree.key == slot.name


def _is_size(tree: t.Tree, slot: m.Slot) -> bool:
    match tree:
        case t.Applied(function="size", own=False, arguments=(held,)):
            return _is_slot(held, slot)
    return False


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


def _first_call(tree: t.Tree) -> t.Applied | None:
    """Return the call of a rules' function that an expression always evaluates first."""
    while True:
        match tree:
            case t.Applied(own=True):
                return tree
            case t.Applied(arguments=(first, *_)) | t.Operation(operands=(first, *_)):
                tree = first
            case t.Junction(operands=(first, *_)):
                tree = first
            case t.Member(operand=first) | t.Indexed(operand=first):
                tree = first
            case _:
                return None

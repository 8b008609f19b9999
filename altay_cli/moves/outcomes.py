"""Compare the states that moves lead to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from altay_cli.base.findings import ExpressionError
from altay_cli.base.values import Bag, Chance, Entity, bag_of, likeliest
from altay_cli.match.decisions import EffectsInterrupted, Values
from altay_cli.match.readings import MoveValues, Namer, Resolver
from altay_cli.match.state import State
from altay_cli.moves.listing import Move
from altay_cli.pack.layout import FORCED, PENDING, REPORTER, REST, SILENT
from altay_cli.pack.model import MoveDef

Outcome = frozenset[tuple[int, Hashable]]
"""The changed cells with their contents; equal for moves that lead to the same state."""


def outcome(state: State, move: Move, resolver: Resolver | None = None) -> Outcome | None:
    """Return the outcome of a legal move, with the likeliest draws; None if its effects fail.

    Triggers are left out: they follow from the rest.

    resolver: identifies hidden things as the move names them, if some are hidden.
    """
    try:
        with _carried_out(state, move, resolver) as (mark, _):
            return changes_since(state, mark, hidden=resolver is not None)
    except ExpressionError:
        return None


def count_draws(state: State, move: Move) -> int:
    """Return how many things a legal move draws; 0 if its effects fail."""
    with suppress(ExpressionError), _carried_out(state, move, None) as (_, chance):
        return len(chance.drawn)
    return 0


@contextmanager
def _carried_out(
    state: State, move: Move, resolver: Resolver | None
) -> Iterator[tuple[int, Chance]]:
    """Carry out the effects of a move for a moment; yield the mark before, and what it draws."""
    definition, values, journal = move.definition, move.values, state.journal
    if isinstance(values, MoveValues):
        values.settle()
    drawn = [slot.name for slot in definition.slots.values() if slot.shape == "drawn"]
    chance = Chance(likeliest, values[drawn[-1]].items if drawn else None)
    values = {**values, **dict.fromkeys(drawn, chance)}
    mark, clean_at = journal.mark(), journal.clean_at
    journal.put(REPORTER, SILENT)
    try:
        if resolver is not None:
            _identify(resolver, definition, values)
        with suppress(EffectsInterrupted):
            due = state.next_decision
            if due is not None and due.decision == definition.answers:
                state.record_answer(values, definition.gives)
            journal.put(FORCED, ())
            definition.does.fn(state, values)
            if state.cells[PENDING]:
                state.resume_effects()
        yield mark, chance
    finally:
        journal.undo(mark)
        journal.clean_at = clean_at  # the cells are as before


def _identify(resolver: Resolver, definition: MoveDef, values: Values) -> None:
    for slot in definition.slots.values():
        value = values.get(slot.name)
        if slot.reveals and value is not None:
            things = (
                value
                if isinstance(value, Bag)
                else bag_of([value] if isinstance(value, Entity) else value)
            )
            namer = Namer(resolver, slot, values, resolver.domain(slot, values))
            for thing, count in things.items():
                namer.identify([thing], count)


def changes_since(state: State, mark: int, *, hidden: bool = False) -> Outcome:
    """Return the cells of the rules changed since ``mark``, with their contents.

    hidden: placeholders are compared by name, as each may be made twice.
    """
    cells, end = state.cells, len(state.layout.first)
    changed = [
        (cell, old, cells[cell])
        for cell, old in state.journal.changes_since(mark).items()
        if cell < end and cell != REPORTER  # beliefs follow from the rest
    ]
    if hidden:
        pairs = [(cell, _by_name(old), _by_name(new)) for cell, old, new in changed]
        return frozenset((cell, new) for cell, old, new in pairs if old != new)
    return frozenset(
        (cell, _frozen(new) if cell > REST else repr(new))
        for cell, old, new in changed
        if old != new
    )


def _frozen(value: Any) -> Hashable:
    return frozenset(value.items()) if isinstance(value, Bag) else value


def _by_name(value: object) -> Hashable:
    if isinstance(value, Bag):
        return frozenset((repr(item), count) for item, count in value.items()), value.unknown[:3]
    return repr(value)

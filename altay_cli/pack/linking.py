"""From the code of a pack to functions: of its expressions, effects, moves, scores and triggers.

Which triggers a move can set off is told by the zones that its effects change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import CodeType

from altay_cli.expressions.linker import GLOBALS as RUNTIME
from altay_cli.pack import model as m
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.grids import lay_grids


def link(pack: m.Pack, code: CodeType) -> dict[str, object]:
    """Give every expression, effect list and move of a pack its function.

    Returns what the functions find by name.
    """
    namespace: dict[str, object] = {**RUNTIME, **GLOBALS, **pack.constants}
    # Not the text of a rule: source that the printer wrote, with every name and constant its own.
    exec(code, namespace)  # noqa: S102
    lay_grids(pack.grids, pack.entities)
    for part in (*pack.exprs, *pack.routines):
        part.fn = namespace[part.key]
    makers = [namespace.get(f"m_{move.number}") for move in pack.moves]
    pack.makers[:] = makers if any(makers) else []
    pack.scorers[:] = [namespace[f"s_{number}"] for number in range(len(pack.categories))]
    of_set = {ids: namespace[f"t_{n}"] for n, ids in enumerate(sets_of_triggers(pack))}
    pack.followers[:] = [of_set.get(_ids(found)) for found in (*pack.looked_at, pack.triggers)]
    return namespace


def looked_at(pack: m.Pack) -> tuple[tuple[m.Trigger, ...], ...]:
    """Return, by the number of a move, the triggers that can become true through it.

    All others need not be checked after it if they were false before.
    """
    return tuple(_set_off(pack, move) for move in pack.moves)


def _set_off(pack: m.Pack, move: m.MoveDef) -> tuple[m.Trigger, ...]:
    # An answer goes on with what waited for it.
    zones = None if move.answers is not None or move.does.waits else _touched(pack, move.does.tree)
    if zones is None:
        return pack.triggers
    return tuple(one for one in pack.triggers if one.reads is None or one.reads & zones)


def _touched(pack: m.Pack, effects: Iterable[m.Effect]) -> set[int] | None:
    """Return the zones that effects can change; None if that is unknown."""
    found: set[int] = set()
    called: set[str] = set()
    waiting = [*m.everything(effects)]
    while waiting:
        effect = waiting.pop()
        match effect:
            case m.RunEffect() | m.SeatEffect() | m.AskEffect():
                return None
            case m.DoEffect(procedure=name) if name not in called:
                called.add(name)
                waiting += m.everything(pack.procedures[name].does)
        found |= changed_by(pack, effect)
    return found


def changed_by(pack: m.Pack, effect: m.Effect) -> set[int]:
    """Return the zones that an effect itself changes."""
    match effect:
        case m.ResetEffect():
            return {zone.index for zone in pack.zones if zone.lifetime == effect.lifetime}
        case m.UnsureEffect():  # what lies there stays
            return set()
    return {place.zone for place in m.places(effect)}


def sets_of_triggers(pack: m.Pack) -> dict[tuple[str, ...], tuple[m.Trigger, ...]]:
    """Return the different sets of triggers that are looked at after moves, by their ids."""
    found = {_ids(triggers): triggers for triggers in (*pack.looked_at, pack.triggers)}
    found.pop((), None)
    return found


def _ids(triggers: Sequence[m.Trigger]) -> tuple[str, ...]:
    return tuple([trigger.id for trigger in triggers])

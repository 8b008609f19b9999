"""Which zones effects can change, and therefore which triggers a move can set off."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from altay_cli.pack import model as m


def looked_at(pack: m.Pack) -> tuple[tuple[m.Trigger, ...], ...]:
    """Return, by the number of a move, the triggers that can become true through it.

    All others need not be checked after it if they were false before.
    """
    return tuple(_of_move(pack, move) for move in pack.moves)


def _of_move(pack: m.Pack, move: m.MoveDef) -> tuple[m.Trigger, ...]:
    # An answer goes on with what waited for it.
    zones = None if move.answers is not None or move.does.waits else _touched(pack, move.does.tree)
    if zones is None:
        return pack.triggers
    return tuple(one for one in pack.triggers if one.reads is None or one.reads & zones)


def _touched(pack: m.Pack, effects: Sequence[m.Effect]) -> set[int] | None:
    """Return the zones that effects can change; None if that is unknown."""
    found: set[int] = set()
    called: set[str] = set()
    waiting = [*effects]
    while waiting:
        effect = waiting.pop()
        match effect:
            case m.RunEffect() | m.SeatEffect() | m.AskEffect():
                return None
            case m.DoEffect(procedure=name) if name not in called:
                called.add(name)
                waiting += pack.procedures[name].does.tree
        found |= changed_by(pack, effect)
        waiting += chain(*m.branches(effect))
    return found


def changed_by(pack: m.Pack, effect: m.Effect) -> set[int]:
    """Return the zones that an effect itself changes."""
    match effect:
        case m.ResetEffect():
            return {zone.index for zone in pack.zones if zone.lifetime == effect.lifetime}
        case m.UnsureEffect():  # what lies there stays
            return set()
    return {place.zone for place in m.places(effect)}

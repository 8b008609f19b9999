"""Which zones effects can change, and therefore which triggers a move can set off."""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.pack import model as m


def looked_at(pack: m.Pack) -> tuple[tuple[m.Trigger, ...], ...]:
    """Return, by the number of a move, the triggers that can become true through it.

    All others need not be checked after it if they were false before.
    """
    return tuple(_of_move(pack, move) for move in pack.moves)


def sets_of_triggers(pack: m.Pack) -> dict[tuple[str, ...], tuple[m.Trigger, ...]]:
    """Return the different sets of triggers that are looked at after moves, by their ids."""
    found = {_ids(triggers): triggers for triggers in (*pack.looked_at, pack.triggers)}
    found.pop((), None)
    return found


def followers(pack: m.Pack, functions: Sequence[object]) -> list[object]:
    """Return, by the number of a move and then for any, one of the functions of these sets."""
    known = dict(zip(sets_of_triggers(pack), functions, strict=True))
    return [known.get(_ids(triggers)) for triggers in (*pack.looked_at, pack.triggers)]


def _ids(triggers: Sequence[m.Trigger]) -> tuple[str, ...]:
    return tuple([trigger.id for trigger in triggers])


def _of_move(pack: m.Pack, move: m.MoveDef) -> tuple[m.Trigger, ...]:
    # An answer goes on with what waited for it.
    zones = None if move.answers is not None or move.does.waits else _touched(pack, move.does.tree)
    if zones is None:
        return pack.triggers
    return tuple(one for one in pack.triggers if one.reads is None or one.reads & zones)


def _touched(
    pack: m.Pack, effects: Sequence[m.Effect], inside: frozenset[str] = frozenset()
) -> frozenset[int] | None:
    """Return the zones that effects can change; None if that is unknown.

    ``inside`` are the procedures that are being looked at.
    """
    found: set[int] = set()
    for effect in effects:
        inner: Sequence[Sequence[m.Effect]] = ()
        match effect:
            case m.RunEffect() | m.SeatEffect() | m.AskEffect():
                return None
            case m.IfEffect():
                inner = (effect.then, effect.otherwise)
            case m.EachEffect() | m.LetEffect() | m.WhileEffect():
                inner = (effect.does,)
            case m.DoEffect():
                if effect.procedure not in inside:
                    within = inside | {effect.procedure}
                    zones = _touched(pack, pack.procedures[effect.procedure].does.tree, within)
                    if zones is None:
                        return None
                    found |= zones
        found |= changed_by(pack, effect)
        for part in inner:
            zones = _touched(pack, part, inside)
            if zones is None:
                return None
            found |= zones
    return frozenset(found)


def changed_by(pack: m.Pack, effect: m.Effect) -> set[int]:
    """Return the zones that an effect itself changes."""
    ends: Sequence[m.Place | None] = ()
    match effect:
        case m.SetEffect():
            ends = (effect.place,)
        case m.MoveEffect() | m.UnknownEffect():
            ends = (effect.source, effect.target)
        case m.DrawEffect():
            ends = (effect.source, effect.refill, effect.target, effect.above, effect.below)
        case m.EitherEffect():
            ends = [bag for way in effect.ways for bag in way]
        case m.RevealEffect() | m.LacksEffect():
            ends = (effect.bag,)
        case m.ResetEffect():
            return {zone.index for zone in pack.zones if zone.lifetime == effect.lifetime}
    return {end.zone for end in ends if end is not None}

"""Moves that take a thing from the first of several zones, in which it lies openly."""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.base.values import Bag, Entity
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.state import State
from altay_cli.match.statements import play
from altay_cli.notation import Statement
from altay_cli.pack.model import Pack, Phase


def _doubles(pack: Pack) -> frozenset[int]:
    """Return the moves that take things from the first of several zones in which they lie."""
    return frozenset(
        move.number
        for move in pack.moves
        if any(len(slot.reveals) > 1 for slot in move.slots.values())
    )


def took_one_of_two(match: Match, before: Snapshot, statement: Statement) -> bool:
    """Tell whether a legal statement, which was played last, took something that lay in two zones.

    ``before`` is the moment before it.
    """
    doubles, state = match.pack.kept(_doubles), match.state
    doubtful: list[tuple[Sequence[int], Entity, int]] = []
    for reading in match.made if doubles else ():
        move = reading.parsed.move
        for slot in move.slots.values() if move.number in doubles else ():
            named = reading.values.get(slot.name) if len(slot.reveals) > 1 else None
            if isinstance(named, Entity):
                named = {named: 1}
            for thing, count in named.items() if isinstance(named, dict) else ():
                zones: list[int] = [zone.at.fn(state, reading.values) for zone in slot.reveals]
                kind = thing.parent or thing
                if any(_lying(state, zone, kind) for zone in zones[1:]):
                    doubtful.append((zones, kind, count))
    if not doubtful or match.watcher is not None:
        return bool(doubtful)
    # Or the move has just laid it there.
    match.restore(before)
    found = False
    for places, kind, count in doubtful:
        lying = [_lying(state, zone, kind) for zone in dict.fromkeys(places)]
        found = found or (sum(map(bool, lying)) > 1 and sum(lying) > count)
    play(match, statement, Phase.TURNS)
    return found


def _lying(state: State, zone: int, kind: Entity) -> int:
    """Count the copies of a thing that lie openly somewhere."""
    lying: Bag = state.cells[zone]
    return sum(count for one, count in lying.items() if (one.parent or one) is kind)

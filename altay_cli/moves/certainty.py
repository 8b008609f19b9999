"""Whether a move is legal for all that may be hidden."""

from __future__ import annotations

from collections import Counter

from altay_cli.base.values import Bag, Entity, bag_of, unseen_in
from altay_cli.match.match import Match
from altay_cli.moves.listing import Move
from altay_cli.notation.parser import parse


def is_certain(match: Match, move: Move) -> bool:
    """Return True if a legal move is legal for all possible hidden contents."""
    state = match.state
    hidden = state.hidden
    for slot in move.definition.slots.values():
        value = move.values.get(slot.name)
        zones: list[Bag] = [state.cells[zone.at.fn(state, move.values)] for zone in slot.reveals]
        if hidden.beliefs.placeholders and slot.domain is not None and slot.kind:
            domain = bag_of(slot.domain.fn(state, move.values))
            zones += [domain] if unseen_in(domain) else []
        # Legality depends on hidden contents only.
        veiled = any(any(zone.unknown) or unseen_in(zone) for zone in zones)
        names = _names(match, move, slot.name) if veiled and value is not None else Counter()
        for name in names:
            count = sum([n for alternative, n in names.items() if name.issuperset(alternative)])
            if hidden.queries.count_bounds(zones, list(name))[0] < count:
                return False
    return True


def _names(match: Match, move: Move, slot: str) -> Counter[frozenset[Entity]]:
    names: Counter[frozenset[Entity]] = Counter()
    for parsed in match.binder.bind(parse(move.statement).phrase, "turns").readings:
        if parsed.move is move.definition:
            for element in parsed.slots.get(slot, ()):
                names[frozenset(element.entities)] += element.count
    return names

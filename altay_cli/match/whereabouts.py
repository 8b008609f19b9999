"""Explain from beliefs why a named thing cannot be in a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from altay_cli.base.findings import (
    Text,
    joined,
)
from altay_cli.base.values import Bag, Entity, Placeholder
from altay_cli.match.state import State


def explain_absence(state: State, place: int, named: Sequence[Entity]) -> tuple[str, ...]:
    """Explain why a place cannot hide any of `named`."""
    hidden, cells = state.hidden, state.cells
    if not hidden.beliefs.used:
        return ()
    known = {
        at: (keys, zone.title)
        for zone in state.pack.zones
        if zone.shape == "bag" and not zone.tally and zone.per in {(), ("player",)}
        for keys, at in state.zones.places(zone.index)
    }
    if place >= len(state.layout.zones):  # a placeholder
        owned = (at for at, (keys, _) in known.items() if keys)
        place = next((at for at in owned if place in _holders(cells[at])), place)
    if place >= len(state.layout.zones) or not named:
        return ()
    groups = [
        group for at in (place, *_holders(cells[place])) for group in hidden.beliefs.groups_of(at)
    ]
    if any(group.now.is_lost for group in groups):
        return ()
    owner, _ = known.get(place, ((), ""))
    around = {at: title for at, (keys, title) in known.items() if keys == owner}
    if not owner:
        # For a shared place, those between which such things have moved.
        among = {
            at
            for group in hidden.beliefs.groups_of(place)
            if any(hidden.beliefs.entity_of(kind) in named for kind in group.now.kinds)
            for at in group.now.places
        }
        around = {at: title for at, title in around.items() if at in among}
    where = _where(state, owner, around, named)
    if not where:
        return ()
    # A shared pile is explained by its draws, not by its refills.
    return (where, *(_since(state, around, named) if owner else ()))


def _holders(bag: Bag) -> list[int]:
    return [item.cell for item in bag if isinstance(item, Placeholder)]


def _where(
    state: State, owner: Sequence[Entity], around: Mapping[int, str], named: Sequence[Entity]
) -> str:
    def amount(*places: int) -> str:
        low, high = state.hidden.queries.count_bounds(
            [state.cells[place] for place in places], named
        )
        return str(low) if low == high else f"{low}\u2013{high}"

    counts = [(title, amount(place)) for place, title in around.items()]
    parts = tuple(
        joined([state.finding_words.word(title), ": ", count])
        for title, count in counts
        if count != "0"
    )
    name = state.finding_words.name(named[-1].parent or named[-1])
    if not owner:
        message = Text(
            "where {name} can be, according to the log: {places}", name=name, places=parts
        )
        return message if parts else ""
    if not parts:
        return Text(
            "according to the log, {who} has no {name}",
            who=state.finding_words.name(owner[0]),
            name=name,
        )
    return Text(
        "{who} has {count} {name} in all; according to the log: {places}",
        who=state.finding_words.name(owner[0]),
        count=amount(*around),
        name=name,
        places=parts,
    )


def _since(state: State, around: Mapping[int, str], named: Sequence[Entity]) -> Iterator[str]:
    past = state.hidden.beliefs.history
    pile: int | None = None
    lines: set[int] = set()
    drawn = size = since = 0
    refilled = False
    while past and not refilled:
        past, event = past
        state.charge(1)
        if event.place not in around:
            continue
        if event.named:
            lines.update({event.line} if not {*named}.isdisjoint(event.named) else ())
        elif pile is None or pile == event.place:
            pile, size, since = event.place, event.there, event.line
            drawn += event.drawn
            refilled = not event.drawn
    if pile is None:
        return
    template = (
        "the {pile} has not been refilled yet: of {size} in it at first, {count} have been drawn"
    )
    if refilled:
        template = (
            "the {pile} has not been refilled since line {line}: of {size} in it then, {count} "
            "have been drawn"
        )
    yield Text(
        template, pile=state.finding_words.word(around[pile]), size=size, count=drawn, line=since
    )
    lines.discard(state.reporter.line)
    if lines:
        name = state.finding_words.name(named[-1].parent or named[-1])
        once, often = (
            "{name} was named in one line since",
            "{name} was named in {count} lines since",
        )
        yield Text(once if len(lines) == 1 else often, name=name, count=len(lines))

"""Why a thing cannot be where a statement names it, by all that is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from altay_cli.base.text import Text
from altay_cli.base.values import Entity, Likeness
from altay_cli.match.state import State
from altay_cli.pack.model import Shape

NOT_REFILLED = (
    "the {pile} has not been refilled yet: of {size} in it at first, {count} have been drawn"
)
NOT_REFILLED_SINCE = (
    "the {pile} has not been refilled since line {line}: of {size} in it then, {count} have been "
    "drawn"
)
NAMED_ONCE = "{name} was named in one line since"
NAMED_OFTEN = "{name} was named in {count} lines since"
"""What is told beside a thing that cannot be where a statement names it."""

Around = Sequence[tuple[str, int]]
"""Places that belong together, each with its title."""


def why_not(state: State, place: int, named: Sequence[Entity]) -> tuple[str, ...]:
    """Tell why nothing hidden in a place can be what a statement names; nothing if that is open."""
    hidden = state.hidden
    found = place if place < len(state.layout.zones) else _standing(state, place)
    if found is None or not named:
        return ()
    bag = state.cells[found]
    holders = [item.holder for item in bag if isinstance(item, Likeness)]
    groups = [group for one in (found, *holders) for group in hidden.groups_of(one)]
    if not hidden.used or any(group.belief is None for group in groups):
        return ()
    owner, around = _around(state, found, named)
    where = _where(state, owner, around, named)
    if not where:
        return ()
    # A pile that is everybody's is known by what came from it, and not by its being made anew.
    return (where, *(_since(state, around, named) if owner is not None else ()))


def _standing(state: State, holder: int) -> int | None:
    """Return the place of a player where something stands for what lies hidden elsewhere."""
    for zone in state.pack.zones:
        if zone.shape is Shape.BAG and zone.per == ("player",):
            for _, place in state.places(zone.index):
                bag = state.cells[place]
                if any(isinstance(item, Likeness) and item.holder == holder for item in bag):
                    return place
    return None


def _around(
    state: State, place: int, named: Sequence[Entity]
) -> tuple[Entity | None, list[tuple[str, int]]]:
    """Return the player whose place it is, and all bags of that player, with their titles.

    Of a place that is nobody's they are those between which things like the named have moved.
    """
    zones = [zone for zone in state.pack.zones if zone.shape is Shape.BAG and not zone.tally]
    for player in state.players:
        mine = [
            (zone.title, state.place(zone.index, player))
            for zone in zones
            if zone.per == ("player",)
        ]
        if any(one == place for _, one in mine):
            return player, mine
    hidden, things = state.hidden, set(named)
    among = {
        one
        for group in hidden.groups_of(place)
        if any(hidden.thing(kind) in things for kind in group.kinds)
        for one in group.places
    }
    shared = [(zone.title, state.place(zone.index)) for zone in zones if not zone.per]
    return None, [(title, one) for title, one in shared if one in among]


def _where(state: State, owner: Entity | None, around: Around, named: Sequence[Entity]) -> str:
    """Say how many of some things there are in some places, and in which they can be."""
    hidden, parts = state.hidden, []
    for title, one in around:
        amount = _amount(*hidden.between([state.cells[one]], named))
        if amount != "0":
            parts.append(f"{state.word(title)}: {amount}")
    name = state.name(named[-1].parent or named[-1])
    places = tuple(parts)
    if owner is None:
        return (
            Text("where {name} can be, by what is recorded: {places}", name=name, places=places)
            if parts
            else ""
        )
    if not parts:
        return Text("by what is recorded, {who} has no {name}", who=state.name(owner), name=name)
    count = _amount(*hidden.between([state.cells[one] for _, one in around], named))
    return Text(
        "{who} has {count} {name} in all; by what is recorded: {places}",
        who=state.name(owner),
        count=count,
        name=name,
        places=places,
    )


def _amount(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}\u2013{high}"


def _since(state: State, around: Around, named: Sequence[Entity]) -> Iterator[str]:
    """Say of the pile among some places how much was drawn from it since it was refilled.

    And in how many lines before this one something of some things was named since then.
    """
    titles = {place: title for title, place in around}
    past = state.hidden.past
    pile: int | None = None
    lines: set[int] = set()
    drawn = size = since = 0
    refilled = False
    while past and not refilled:
        past, event = past
        state.charge(1)
        if event.place not in titles:
            continue
        if event.named:
            lines.update({event.line} if not {*named}.isdisjoint(event.named) else ())
        elif pile is None or pile == event.place:
            pile, size, since = event.place, event.there, event.line
            drawn += event.drawn
            refilled = not event.drawn
    if pile is None:
        return
    words: dict[str, object] = {"pile": state.word(titles[pile]), "size": size, "count": drawn}
    if refilled:
        yield Text(NOT_REFILLED_SINCE, **words, line=since)
    else:
        yield Text(NOT_REFILLED, **words)
    lines.discard(state.reporter.line)
    if lines:
        name = state.name(named[-1].parent or named[-1])
        told = NAMED_ONCE if len(lines) == 1 else NAMED_OFTEN
        yield Text(told, name=name, count=len(lines))

"""Why a thing cannot be where a statement names it, by all that is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from altay_cli.base.findings import Text
from altay_cli.base.values import Bag, Entity, Likeness
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

Around = Mapping[int, str]
"""Places that belong together, each with its title."""


def why_not(state: State, place: int, named: Sequence[Entity]) -> tuple[str, ...]:
    """Tell why nothing hidden in a place can be what a statement names; nothing if that is open."""
    hidden, cells = state.hidden, state.cells
    zones = [zone for zone in state.pack.zones if zone.shape is Shape.BAG and not zone.tally]
    own = {
        state.place(zone.index, player): (player, zone.title)
        for player in state.players
        for zone in zones
        if zone.per == ("player",)
    }
    if place >= len(state.layout.zones):  # where something stands for what lies there
        standing = (one for one in own if place in _holders(cells[one]))
        place = next(standing, place)
    if place >= len(state.layout.zones) or not named:
        return ()
    groups = [group for one in (place, *_holders(cells[place])) for group in hidden.groups_of(one)]
    if not hidden.used or any(group.now.belief is None for group in groups):
        return ()
    owner = own[place][0] if place in own else None
    if owner is not None:
        around = {one: title for one, (player, title) in own.items() if player is owner}
    else:
        # Of a place that is nobody's, those between which things like the named have moved.
        things = set(named)
        among = {
            one
            for group in hidden.groups_of(place)
            if any(hidden.thing(kind) in things for kind in group.now.kinds)
            for one in group.now.places
        }
        shared = {state.place(zone.index): zone.title for zone in zones if not zone.per}
        around = {one: title for one, title in shared.items() if one in among}
    where = _where(state, owner, around, named)
    if not where:
        return ()
    # A pile that is everybody's is known by what came from it, and not by its being made anew.
    return (where, *(_since(state, around, named) if owner is not None else ()))


def _holders(bag: Bag) -> list[int]:
    """Return where it lies hidden what stands in a bag for one of several things is."""
    return [item.holder for item in bag if isinstance(item, Likeness)]


def _where(state: State, owner: Entity | None, around: Around, named: Sequence[Entity]) -> str:
    """Say how many of some things there are in some places, and in which they can be."""

    def amount(*places: int) -> str:
        low, high = state.hidden.between([state.cells[place] for place in places], named)
        return str(low) if low == high else f"{low}\u2013{high}"

    counts = [(title, amount(place)) for place, title in around.items()]
    parts = tuple(f"{state.words.word(title)}: {count}" for title, count in counts if count != "0")
    name = state.words.name(named[-1].parent or named[-1])
    if owner is None:
        told = Text("where {name} can be, by what is recorded: {places}", name=name, places=parts)
        return told if parts else ""
    if not parts:
        return Text(
            "by what is recorded, {who} has no {name}", who=state.words.name(owner), name=name
        )
    return Text(
        "{who} has {count} {name} in all; by what is recorded: {places}",
        who=state.words.name(owner),
        count=amount(*around),
        name=name,
        places=parts,
    )


def _since(state: State, around: Around, named: Sequence[Entity]) -> Iterator[str]:
    """Say of the pile among some places how much was drawn from it since it was refilled.

    And in how many lines before this one something of some things was named since then.
    """
    past = state.hidden.past
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
    words: dict[str, object] = {
        "pile": state.words.word(around[pile]),
        "size": size,
        "count": drawn,
    }
    if refilled:
        yield Text(NOT_REFILLED_SINCE, **words, line=since)
    else:
        yield Text(NOT_REFILLED, **words)
    lines.discard(state.reporter.line)
    if lines:
        name = state.words.name(named[-1].parent or named[-1])
        told = NAMED_ONCE if len(lines) == 1 else NAMED_OFTEN
        yield Text(told, name=name, count=len(lines))

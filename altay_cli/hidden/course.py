"""Sample one hidden history that is consistent with the record.

``follow`` goes back from a world of the final belief to the first event, then replays the events
and identifies each thing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from altay_cli.base.values import Found, Sink
from altay_cli.hidden import lots
from altay_cli.hidden.lots import Belief, Choices, Lot, Step, World

if TYPE_CHECKING:
    from random import Random


class Changed(NamedTuple):
    """A transition of every world of a group."""

    group: Hashable
    transition: Callable[[World], Iterable[Step]]
    before: Belief
    sink: Sink | None


class Joined(NamedTuple):
    """A merge of two groups into the first."""

    first: Hashable
    other: Hashable
    before: Belief
    others: Belief


def hiding_event(group: object, lot: Lot, before: Belief) -> Changed:
    """Return the event that hides the open things of a lot."""
    choices = (lots.Added(lot),)
    return Changed(group, lambda w: ((lots.world_of((*w, lot)), 1.0, choices),), before, None)


def opening_event(group: object, known: World, left: World) -> Changed:
    """Return the event that reveals what a group's only world makes certain."""

    def transition(world: World) -> Iterable[Step]:
        becomes = left if world == known else _without(world, known, left)
        return ((becomes, 1.0, (lots.StillHidden(left),)),)

    return Changed(group, transition, {known: 1.0}, None)


Event = Changed | Joined

_Pairs = list[tuple[Lot, list[Found]]]


def follow(events: Sequence[Event], last: dict[object, Belief], random: Random) -> None:
    """Sample one consistent history, and fill the sinks."""
    now = {group: _choose(list(belief.items()), random) for group, belief in last.items()}
    steps: list[tuple[Event, Choices]] = []
    for event in reversed(events):
        choices: Choices = ()
        match event:
            case Changed(group, transition, before, _):
                ways = [
                    ((world, choice), weight * share)
                    for world, weight in before.items()
                    for becomes, share, choice in transition(world)
                    if becomes == now[group]
                ]
                now[group], choices = _choose(ways, random)
            case Joined(first, other, before, others):
                both = [
                    ((world, added), weight * share)
                    for world, weight in before.items()
                    for added, share in others.items()
                    if lots.world_of((*world, *added)) == now[first]
                ]
                now[first], now[other] = _choose(both, random)
        steps.append((event, choices))
    pairs: dict[object, _Pairs] = {}
    for event, choices in reversed(steps):
        match event:
            case Joined(first, other, _, _):
                pairs[first] = _normalise([*pairs.get(first, []), *pairs.pop(other, [])], random)
            case Changed(group, _, _, sink):
                pairs[group] = _apply_choices(pairs.get(group, []), choices, sink, random)
    for rest in pairs.values():
        for (things, _, _), found in rest:
            _identify(found, things, random)


def minimum_drawn(drawn: Changed, later: Sequence[Event], kind: int, most: int, spare: int) -> int:
    """Return the least number of ``kind`` that a draw brought, in any consistent history.

    most: an upper bound of the answer. With too many histories, the answer is 0.
    """
    least = most
    with suppress(lots.TooManyWorldsError):
        while least and _may_have_drawn(drawn, later, kind, least - 1, spare):
            least -= 1
        return least
    return 0


def draw_in(event: Changed) -> lots.Moved | None:
    """Return a draw of an event, if every world draws."""
    steps = [choices for world in event.before for _, _, choices in event.transition(world)]
    draws = [step[0] for step in steps if len(step) == 1 and isinstance(step[0], lots.Moved)]
    return draws[0] if draws and len(draws) == len(steps) else None


def _may_have_drawn(
    drawn: Changed, later: Sequence[Event], kind: int, most: int, spare: int
) -> bool:
    taken = draw_in(drawn)
    assert taken is not None
    source, target, count = taken.source, taken.target, sum(taken.numbers)
    belief = lots.update(drawn.before, lambda world: lots.draw(world, source, spare, count))
    belief = lots.update(belief, lambda world: lots.separate(world, lots.MASK << kind, spare))
    belief = {
        world: weight
        for world, weight in belief.items()
        if lots.size_in([lot for lot in world if lot[0] >> kind & lots.MASK], spare) <= most
    }
    belief = lots.update(belief, lambda world: lots.move_all(world, spare, target))
    group = drawn.group
    for event in later:
        match event:
            case Changed(changed, transition, before) if changed is group:
                if belief.keys() == before.keys():
                    return True  # the same worlds as without the bound
                belief = lots.update(belief, transition)
            case Joined(first, other, before, others) if group in {first, other}:
                belief = lots.combine(belief, others if group is first else before)
                group = first
        if not belief:
            return False
    return True


def _without(world: World, known: World, left: World) -> World:
    gone: dict[int, int] = {}
    for lot in known:
        if lot not in left:
            zone = lots.fields(lot[1])[0][0]
            gone[zone] = gone.get(zone, 0) + lot[0]
    result = []
    for things, places, size in lots.world_of(world):
        zone, part = lots.fields(places)[0]
        if zone in gone and part == size:
            rest = things - gone[zone]
            number = sum(count for _, count in lots.fields(rest))
            result.append((rest, number << zone, number))
        else:
            result.append((things, places, size))
    return lots.world_of(result)


def _choose(choices: list[tuple[Any, float]], random: Random) -> Any:
    return random.choices([c for c, _ in choices], [max(w, 1e-300) for _, w in choices])[0]


def _apply_choices(pairs: _Pairs, choices: Choices, sink: Sink | None, random: Random) -> _Pairs:
    for choice in choices:
        match choice:
            case lots.Moved():
                result = _move(pairs, choice, sink)
            case lots.Identified():
                result = _identify_one(pairs, choice, sink)
            case lots.Split(parts):
                result = [
                    half
                    for pair, part in zip(pairs, parts, strict=True)
                    for half in ([pair] if part is None else _divide(pair[1], *part))
                ]
            case lots.Added(lot):
                fresh = [Found(zone) for zone, part in lots.fields(lot[1]) for _ in range(part)]
                result = [*pairs, (lot, fresh)]
            case lots.StillHidden():
                result = pairs
        pairs = _normalise(result, random)
        if isinstance(choice, lots.StillHidden):
            pairs = [pair for pair in pairs if pair[0] in choice.lots]
    return pairs


def _move(pairs: _Pairs, moved: lots.Moved, sink: Sink | None) -> _Pairs:
    result: _Pairs = []
    for ((things, places, size), found), number in zip(pairs, moved.numbers, strict=True):
        chosen = [thing for thing in found if thing.zone == moved.source][:number]
        for thing in chosen:
            thing.zone = moved.target
        if sink is not None:
            sink.extend(chosen)
        change = (number << moved.target) - (number << moved.source)
        result.append(((things, places + change, size), found))
    return result


def _identify_one(pairs: _Pairs, identified: lots.Identified, sink: Sink | None) -> _Pairs:
    number, zone, kind, to = identified
    (things, places, size), found = pairs[number]
    thing = next(thing for thing in found if thing.zone == zone)
    thing.kind = kind
    if sink is not None:
        sink.append(thing)
    result = [*pairs]
    rest = [other for other in found if other is not thing]
    result[number] = ((things - (1 << kind), places - (1 << zone), size - 1), rest)
    if to is not None:
        result.append(((1 << kind, 1 << to, 1), [Found(to)]))
    return result


def _divide(found: Sequence[Found], chosen: Lot, rest: Lot) -> _Pairs:
    left = dict(lots.fields(chosen[1]))
    inside: list[Found] = []
    others: list[Found] = []
    for thing in found:
        (inside if left.get(thing.zone, 0) > 0 else others).append(thing)
        left[thing.zone] = left.get(thing.zone, 0) - 1
    return [(chosen, inside), (rest, others)]


def _normalise(pairs: _Pairs, random: Random) -> _Pairs:
    result: _Pairs = []
    for lot, found in pairs:
        things, places, _ = lot
        if len(lots.fields(things)) > 1 and len(lots.fields(places)) > 1:
            result.append((lot, found))
        else:
            _identify(found, things, random)
    for lot in lots.world_of(lot for lot, _ in pairs):
        zones = lots.fields(lot[1])
        if len(zones) == 1:
            result.append((lot, [Found(zones[0][0]) for _ in range(lot[2])]))
    result.sort(key=lambda pair: pair[0])
    return result


def _identify(found: Sequence[Found], things: int, random: Random) -> None:
    kinds = [kind for kind, count in lots.fields(things) for _ in range(count)]
    random.shuffle(kinds)
    for thing, kind in zip(found, kinds, strict=True):
        thing.kind = kind

"""One course of hidden events that fits all that was recorded, found by going back through it.

A state that keeps ``Beliefs.trace`` remembers what happened to its beliefs. From a world that is
left in the end, one goes back: to a world before the last event that can become it, and so on to
the first. Forward again, each hidden thing is followed, until it is known which one it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from altay_cli.base.values import Found, Sink
from altay_cli.hidden import lots
from altay_cli.hidden.lots import Belief, Choices, Lot, Step, World

if TYPE_CHECKING:
    from random import Random


class Changed(NamedTuple):
    """Something happened in every world of a group."""

    group: object
    happens: Callable[[World], Iterable[Step]]
    before: Belief
    sink: Sink | None


class Joined(NamedTuple):
    """Two groups became the first of them."""

    first: object
    other: object
    before: Belief
    others: Belief


def covered(group: object, lot: Lot, before: Belief) -> Changed:
    """Return the event that open things become hidden ones of a group."""
    decided = (lots.Added(lot),)
    return Changed(group, lambda w: ((lots.world_of((*w, lot)), 1.0, decided),), before, None)


def opened(group: object, known: World, left: World) -> Changed:
    """Return the event that what is certain in the only world of a group is laid open."""

    def happens(world: World) -> Iterable[Step]:
        becomes = left if world == known else _without(world, known, left)
        return ((becomes, 1.0, (lots.StillHidden(left),)),)

    return Changed(group, happens, {known: 1.0}, None)


Event = Changed | Joined

# The lots of a world, each with the things in it.
_Pairs = list[tuple[Lot, list[Found]]]


def follow(events: Sequence[Event], last: dict[object, Belief], random: Random) -> None:
    """Decide what everything was, in one course of events that fits; the sinks then tell it."""
    now = {group: _picked(list(belief.items()), random) for group, belief in last.items()}
    steps: list[tuple[Event, Choices]] = []
    for event in reversed(events):
        decided: Choices = ()
        match event:
            case Changed(group, happens, before, _):
                ways = [
                    ((world, decision), weight * share)
                    for world, weight in before.items()
                    for becomes, share, decision in happens(world)
                    if becomes == now[group]
                ]
                now[group], decided = _picked(ways, random)
            case Joined(first, other, before, others):
                both = [
                    ((one, two), weight * share)
                    for one, weight in before.items()
                    for two, share in others.items()
                    if lots.world_of((*one, *two)) == now[first]
                ]
                now[first], now[other] = _picked(both, random)
        steps.append((event, decided))
    pairs: dict[object, _Pairs] = {}
    for event, decided in reversed(steps):
        match event:
            case Joined(first, other, _, _):
                pairs[first] = _settled([*pairs.get(first, []), *pairs.pop(other, [])], random)
            case Changed(group, _, _, sink):
                pairs[group] = _changed(pairs.get(group, []), decided, sink, random)
    for rest in pairs.values():
        for (things, _, _), found in rest:
            _tell(found, things, random)


def least(drawn: Changed, later: Sequence[Event], kind: int, most: int, spare: int) -> int:
    """Return how many things of a kind a draw brought at least, in any course of events.

    ``later`` are the events after it; ``most`` is no less than the answer. ``spare`` is a zone in
    which nothing lies.
    """
    return next((n for n in range(most, 0, -1) if not _can_be(drawn, later, kind, n - 1, spare)), 0)


def draw_in(event: Changed) -> lots.Moved | None:
    """Return how things were drawn in an event, in some world; None if it is not a draw."""
    steps = [decided for world in event.before for _, _, decided in event.happens(world)]
    draws = [step[0] for step in steps if len(step) == 1 and isinstance(step[0], lots.Moved)]
    # Else it was something else, or nothing was drawn in some world.
    return draws[0] if draws and len(draws) == len(steps) else None


def _can_be(drawn: Changed, later: Sequence[Event], kind: int, most: int, spare: int) -> bool:
    """Return whether a draw can have brought no more than so many things of a kind."""
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
            case Changed(changed, happens, before) if changed is group:
                if belief.keys() == before.keys():
                    return True  # all that was possible then still is, and something was
                belief = lots.update(belief, happens)
            case Joined(first, other, before, others) if group in {first, other}:
                belief = lots.combine(belief, others if group is first else before)
                group = first
        if not belief:
            return False
    return True


def _without(world: World, known: World, left: World) -> World:
    """Return a world without what was laid open: what ``left`` lacks of ``known``."""
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


def _picked(choices: list[tuple[Any, float]], random: Random) -> Any:
    return random.choices([c for c, _ in choices], [max(w, 1e-300) for _, w in choices])[0]


def _changed(pairs: _Pairs, decided: Choices, sink: Sink | None, random: Random) -> _Pairs:
    """Let what was decided happen to the things of one world."""
    for decision in decided:
        result: _Pairs = []
        match decision:
            case lots.Moved(source, target, numbers):
                for ((things, places, size), found), number in zip(pairs, numbers, strict=True):
                    moved = [one for one in found if one.zone == source][:number]
                    for one in moved:
                        one.zone = target
                    if sink is not None:
                        sink.extend(moved)
                    change = (number << target) - (number << source)
                    result.append(((things, places + change, size), found))
            case lots.Identified(number, zone, kind, to):
                result = [*pairs]
                (things, places, size), found = pairs[number]
                one = next(one for one in found if one.zone == zone)
                one.kind = kind
                if sink is not None:
                    sink.append(one)
                rest = [other for other in found if other is not one]
                result[number] = ((things - (1 << kind), places - (1 << zone), size - 1), rest)
                if to is not None:
                    result.append(((1 << kind, 1 << to, 1), [Found(to)]))
            case lots.Split(parts):
                for pair, part in zip(pairs, parts, strict=True):
                    result.extend([pair] if part is None else _divided(pair[1], *part))
            case lots.Added(lot):
                fresh = [Found(zone) for zone, part in lots.fields(lot[1]) for _ in range(part)]
                result = [*pairs, (lot, fresh)]
            case lots.StillHidden():
                result = pairs
        pairs = _settled(result, random)
        if isinstance(decision, lots.StillHidden):
            pairs = [pair for pair in pairs if pair[0] in decision.lots]
    return pairs


def _divided(found: Sequence[Found], apart: Lot, rest: Lot) -> _Pairs:
    """Return the things of a lot as those of its two parts."""
    left = dict(lots.fields(apart[1]))
    ones: list[Found] = []
    others: list[Found] = []
    for one in found:
        (ones if left.get(one.zone, 0) > 0 else others).append(one)
        left[one.zone] = left.get(one.zone, 0) - 1
    return [(apart, ones), (rest, others)]


def _settled(pairs: _Pairs, random: Random) -> _Pairs:
    """Return lots as ``lots.world_of`` does; of what is joined it is told what it was."""
    result: _Pairs = []
    for lot, found in pairs:
        things, places, _ = lot
        if len(lots.fields(things)) > 1 and len(lots.fields(places)) > 1:
            result.append((lot, found))
        else:
            _tell(found, things, random)
    for lot in lots.world_of(lot for lot, _ in pairs):
        zones = lots.fields(lot[1])
        if len(zones) == 1:
            result.append((lot, [Found(zones[0][0]) for _ in range(lot[2])]))
    result.sort(key=lambda pair: pair[0])
    return result


def _tell(found: Sequence[Found], things: int, random: Random) -> None:
    """Decide which thing is which: any way is as good."""
    kinds = [kind for kind, count in lots.fields(things) for _ in range(count)]
    random.shuffle(kinds)
    for one, kind in zip(found, kinds, strict=True):
        one.kind = kind

"""Count the entities of a state, and find invalid contents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from altay_cli.base.values import Bag
from altay_cli.match.decisions import PendingDecision, Suspended
from altay_cli.match.state import State


def zone_of(state: State, name: str) -> Any:
    return state.zones.held(next(zone.index for zone in state.pack.zones if zone.name == name))


# ---------------------------------------------------------------- pictures


def deep(state: State) -> dict[str, Any]:
    """Return the contents as immutable values; bags in order.

    Empty places are left out, as reading them creates them.
    """
    picture = {zone.name: _deep(state.zones.held(zone.index)) for zone in state.pack.zones}
    picture["(players)"] = list(state.players)
    picture["(pending)"] = list(map(_waiting, state.pending))
    picture["(overdue)"] = list(map(_waiting, state.overdue))
    picture["(ended by)"] = state.ended_by
    return picture


def _waiting(waits: Suspended) -> tuple[object, ...]:
    values = _deep(waits.values)
    if isinstance(waits, PendingDecision):
        return waits.decision, waits.who, waits.times, values
    return type(waits), getattr(waits, "at", None), values


def _deep(value: Any) -> Any:
    if isinstance(value, Bag):
        inside = [(item.kind, item.id, n) for item, n in value.items()]
        return inside, [mark for mark in value.unknown[:3] if mark] or None
    if isinstance(value, Mapping):
        places = {key: _deep(inner) for key, inner in value.items()}
        return {key: inner for key, inner in places.items() if inner not in _NOTHING}
    return value


_NOTHING: tuple[Any, ...] = (0, False, None, (), {}, ([], None))


# ---------------------------------------------------------------- books


LYING = ("deck", "hand", "discard", "table", "archive", "spent")
"""Zones with cards of a player."""


def books(state: State) -> dict[str, Any]:
    """Count everything that neither appears nor vanishes during a game."""
    z = {zone.name: state.zones.held(zone.index) for zone in state.pack.zones}
    entities = state.pack.entities
    players = state.players
    result: dict[str, Any] = {}
    for resource in entities["resource"]:
        result[f"tokens of {resource.id}"] = (
            z["reserve"].get(resource, 0)
            + sum(z["pool"][p].get(resource, 0) + z["placed"][p].get(resource, 0) for p in players)
            + sum(bag.get(resource, 0) for p in players for bag in z["on"][p].values())
        )
    for card in entities["card"]:
        result[f"copies of {card.id}"] = (
            sum(pile.count(card) for pile in z["market"].values())
            + sum(z[name][p].get(card, 0) for name in LYING for p in players)
            + z["trash"].get(card, 0)
        )
    for card in entities["achievement"]:
        result[f"copies of {card.id}"] = (
            z["stock"].get(card, 0)
            + z["display"].get(card, 0)
            + z["scrapped"].get(card, 0)
            + sum(z["completed"][p].get(card, 0) for p in players)
            + sum(z["developing"][p] is card for p in players)
            + sum(
                z["secret"][p] is card
                and z["developing"][p] is not card
                and card not in z["completed"][p]
                for p in players
            )
        )
    for p in players:
        result[f"settlements of {p.id}"] = (
            sum(z["settlers"][t][p] for t in entities["territory"])
            + sum(z["captured"][other][p] for other in players)
            + z["supply"][p]
            + z["pledged"][p]
            + z["lost"][p]
        )
    for marker in entities["marker"]:
        result[f"markers {marker.id}"] = (
            z["box"].get(marker, 0)
            + sum(z["marker"][t] is marker for t in entities["territory"])
            + sum(z["conquered"][p].get(marker, 0) for p in players)
        )
    result["coins"] = z["bank"] + sum(z["coins"][p] for p in players)
    return result


def unrecorded(state: State) -> list[str]:
    """Return zones with unnamed or missing cards."""
    return [
        f"{name} of {p.id}"
        for name in LYING
        for p in state.players
        for bag in [zone_of(state, name)[p]]
        if bag.unknown.hidden or bag.unknown.absent
    ]


def negative(state: State) -> Iterator[str]:
    for zone in state.pack.zones:
        if zone.name == "shift":  # the difference between written and actual rounds
            continue
        yield from (f"{zone.name}{where}" for where in _negative(state.zones.held(zone.index), ""))


def _negative(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, Bag) and min(value.unknown.hidden, value.unknown.absent) < 0:
        yield where
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _negative(inner, f"{where} {getattr(key, 'id', key)}")
    elif isinstance(value, int) and value < 0:
        yield where


def disorder(state: State, cap: int = 4) -> Iterator[str]:
    """Yield forbidden combinations on the board, and piles higher than ``cap`` (en 11)."""
    settlers, marker = zone_of(state, "settlers"), zone_of(state, "marker")
    for territory in state.pack.entities["territory"]:
        held = {p.id: settlers[territory][p] for p in state.players if settlers[territory][p]}
        if len(held) > 1 or any(n > cap for n in held.values()) or (held and marker[territory]):
            yield f"{territory.id}: settlements {held}, marker {marker[territory]}"

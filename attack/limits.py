"""The limits of every zone of Altay, from its facts instead of its rules.

What belongs where is listed here, with the page of the rulebook; counts and sizes are read from the
rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from altay_cli.base.resources import data_folder
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.building import apply_variants
from altay_cli.match.decisions import PendingDecision
from altay_cli.match.state import State
from altay_cli.source.folder import Tree, read_folder
from attack.counting import disorder, negative

Numbers = Mapping[str, int]
Zones = Mapping[str, Any]

PLEDGED = 1
"""Settlements on a technology in development (en 14)."""

ARCHIVED = 1
"""Cards in the archive (en 8)."""


@lru_cache(maxsize=1)
def _plain() -> Tree:
    return read_folder(data_folder("rules") / "altay")


@lru_cache(maxsize=64)
def numbers(variants: tuple[Path, ...] = ()) -> Numbers:
    tree = apply_variants(_plain(), data_folder("rules") / "altay", variants)
    return {name: entry["value"] for name, entry in tree.data["numbers"].items()}


def zones(state: State) -> Zones:
    return {zone.name: state.zones.held(zone.index) for zone in state.pack.zones}


def breaches(state: State, limits: Numbers) -> Iterator[str]:
    """Yield everything outside its limits."""
    yield from (f"less than nothing: {found}" for found in negative(state))
    yield from disorder(state, limits["territory_cap"])
    z = zones(state)
    for check in CHECKS:
        yield from check(state, z, limits)


def step(before: Zones, after: Zones) -> Iterator[str]:
    """Yield impossible changes by one move; of ``before`` only numbers are used."""
    if after["round"] - before["round"] not in (0, 1):
        yield f"round {after['round']} after round {before['round']}"
    if before["ending"] and not after["ending"]:
        yield "the last round is no longer the last one"
    if before["over"] and not after["over"]:
        yield "the game was over and goes on"


# ---------------------------------------------------------------- the board


def _board(state: State, z: Zones, limits: Numbers) -> Iterator[str]:
    full_map = state.options["map"] == "full" or z["whole_board"]
    for territory in state.pack.entities["territory"]:
        used = sum(z["settlers"][territory][p] for p in state.players)
        out = territory.f["never"] or (not full_map and len(state.players) in territory.f["absent"])
        if out and (used or z["marker"][territory] or z["vp"][territory]):
            yield f"{territory.id} is not in play, and not empty"
        marker, taker = z["marker"][territory], z["taker"][territory]
        mountain = territory.f["terrain"].id == "mountain"
        if marker is not None and mountain != (marker.f["value"] == 3):
            yield f"{territory.id} has a marker of value {marker.f['value']} (en 4)"
        if taker is not None and marker is not None:
            yield f"{territory.id} has a marker, and {taker.id} took it"
        if taker is None and (z["consumed"][territory] or z["taken"][territory] is not None):
            yield f"the marker of {territory.id} was consumed or taken by nobody"
        if z["vp"][territory] and (not mountain or z["vp"][territory] != limits["vp_value"]):
            yield f"{territory.id} has {z['vp'][territory]} victory points (en 4)"
    for p in state.players:
        taken = Counter(
            z["taken"][t]
            for t in state.pack.entities["territory"]
            if z["taker"][t] is p and z["taken"][t] is not None
        )
        for marker, count in taken.items():
            if z["conquered"][p].get(marker, 0) < count:
                yield f"{p.id} took {count} {marker.id} and has fewer"


def _markers(state: State, z: Zones, limits: Numbers) -> Iterator[str]:
    lying = sum(z["vp"][t] > 0 for t in state.pack.entities["territory"])
    if lying != limits["vp_markers"]:
        yield f"{lying} victory point markers on the board (en 4)"


# ---------------------------------------------------------------- cards


def _cards(state: State, z: Zones, limits: Numbers) -> Iterator[str]:
    for p in state.players:
        titles = Counter(card.parent for card, n in z["table"][p].items() for _ in range(n))
        for title, count in titles.items():
            if count > 1:
                yield f"{count} {title.id} of {p.id} on the table (en 9)"
        for title, bag in z["on"][p].items():
            yield from _placed(p, title, bag, bool(titles[title]))
        able = [a for a in z["completed"][p] if a.f["ability"] == "archive"]
        if z["archive"][p].size() > (ARCHIVED if able else 0):
            yield f"{z['archive'][p].size()} cards of {p.id} archived (en 8)"
    for title, count in z["turn.bought"].items():
        if count > limits["copies_per_turn"]:
            yield f"{count} {title.id} bought in one turn (en 11)"
    for title, pile in z["market"].items():
        if any(card.parent is not title for card in pile):
            yield f"another card among the {title.id} of the display"
        points = [card.f["points"] for card in pile]
        if points != sorted(points, reverse=True):
            yield f"the best {title.id} is not on top (en 4)"


def _placed(player: Entity, title: Entity, bag: Bag, there: bool) -> Iterator[str]:
    if not bag:
        return
    if not there:
        yield f"resources of {player.id} on {title.id}, which is not on the table"
    if not fits(bag, title.f["slots"]):
        yield f"{_titles(bag)} of {player.id} does not fit on {title.id} (en 11)"
    collects = any(effect.f["kind"] == "collect" for effect in title.f["effects"])
    if collects and bag.size() >= title.f["slots"].size():
        yield f"{title.id} of {player.id} is complete, and on the table (en 11)"


def fits(bag: Bag, icons: Bag) -> bool:
    """Return True if each resource fits a separate icon."""
    things = [thing for thing, n in bag.items() for _ in range(n)]
    places = [icon for icon, n in icons.items() for _ in range(n)]
    return _fit(things, places)


def _fit(things: Sequence[Entity], places: Sequence[Entity]) -> bool:
    if not things:
        return True
    return any(
        things[0] in place.f["accepts"] and _fit(things[1:], [*places[:i], *places[i + 1 :]])
        for i, place in enumerate(places)
    )


def _titles(bag: Bag) -> str:
    return ", ".join(f"{n} {thing.id}" for thing, n in bag.items())


def _hands(state: State, z: Zones, limits: Numbers) -> Iterator[str]:
    """Each card played draws one at most (en 8, 9, 12)."""
    active, ended = z["active"], z["turn.ended"] and not z["over"]
    for p in state.players:
        extra = sum(a.f["amount"] for a in z["completed"][p] if a.f["ability"] == "extra_card")
        # An archived card that draws, or that is used to defend, is replaced in the hand.
        held = z["hand"][p].size() + z["archive"][p].size()
        if held > limits["hand_size"] + extra + ARCHIVED:
            yield f"{p.id} holds {held} cards"
        if p is active and ended:
            size, due = z["hand"][p].size(), limits["hand_size"] + z["turn.extra"]
            empty = not z["deck"][p].size() and not z["discard"][p].size()
            if size > due or (size < due and not empty):
                yield f"{p.id} has ended the turn with a hand of {size} (en 9)"
            if z["played"][p]:
                yield f"{p.id} has ended the turn, and cards are still noted as played"
            if z["spent"][p].size():
                yield f"{p.id} has ended the turn, and played cards are not discarded (de 9)"


# ---------------------------------------------------------------- achievements


def _achievements(state: State, z: Zones, limits: Numbers) -> Iterator[str]:
    del limits
    for p in state.players:
        completed, goal, placed = z["completed"][p], z["developing"][p], z["placed"][p]
        levels = Counter(a.f["level"] for a in completed)
        if goal is not None:
            levels[goal.f["level"]] += 1
            if not fits(placed, goal.f["slots"]):
                yield f"{_titles(placed)} of {p.id} does not fit on {goal.id} (en 14)"
            if placed.size() >= goal.f["slots"].size():
                yield f"{goal.id} of {p.id} is complete, and in development (en 14)"
        elif placed:
            yield f"{_titles(placed)} of {p.id} lies on no achievement"
        if z["pledged"][p] > (PLEDGED if goal is not None and goal.f["settlement"] else 0):
            yield f"{z['pledged'][p]} settlements of {p.id} on {goal.id if goal else 'nothing'}"
        for found, count in completed.items():
            if count > 1 or found is goal:
                yield f"{p.id} has {found.id} twice (en 14)"
        if not levels[1] >= levels[2] >= levels[3]:
            yield f"{p.id} has more of a higher level: {dict(levels)} (en 14)"
        if z["secret"][p] is not None and z["secret"][p].f["level"] != 3:
            yield f"the secret card of {p.id} is {z['secret'][p].id} (en 5)"
        if z["captured"][p][p]:
            yield f"{p.id} has captured own settlements"
    used = z["turn.activated"]
    if any(n > 1 for n in used.values()):
        yield f"an ability was used twice in a turn: {_titles(used)} (en 8)"
    active = z["active"]
    if active is not None and any(a not in z["completed"][active] for a in used):
        yield f"an ability of nothing completed was used: {_titles(used)} (en 14)"
    if any(n > 1 for n in z["turn.used"].values()):
        yield f"a territory was used twice in a turn: {_titles(z['turn.used'])} (en 8)"


def _display(state: State, z: Zones, limits: Numbers) -> Iterator[str]:
    del state
    width = limits["display_width"]
    for level in (1, 2, 3):
        shown = sum(a.f["level"] == level for a in z["display"])
        left = sum(n for a, n in z["stock"].items() if a.f["level"] == level)
        if shown > width:
            yield f"{shown} different achievements of level {level} on display (en 4)"
        # A new one is revealed only if it makes the display wider; copies may come before it.
        if shown < width and left:
            yield f"{shown} achievements of level {level} on display, {left} in the deck (en 14)"


# ---------------------------------------------------------------- the course of the game


def _turns(state: State, z: Zones, limits: Numbers) -> Iterator[str]:
    del limits
    active = z["active"]
    for p in state.players:
        if z["pool"][p] and (p is not active or z["turn.ended"]):
            yield f"{p.id} has {_titles(z['pool'][p])} outside of the own turn (en 10)"
    if state.options["trading"] != "on" and any(z["coins"][p] for p in state.players):
        yield "coins in a game without trading (en 10)"
    if z["over"] and not z["ending"]:
        yield "the game is over, and nothing has ended it (en 15)"
    for due in (pending for pending in state.pending if isinstance(pending, PendingDecision)):
        if due.decision == "build" and not 0 < due.times <= z["supply"][due.who]:
            yield f"{due.who.id} is to place {due.times} settlements and has {z['supply'][due.who]}"
        if due.decision == "defend" and due.who is active:
            yield f"{due.who.id} is to defend in the own turn (en 12)"
    if state.overdue:
        yield "a decision was passed over"


Check = Callable[[State, Zones, Numbers], Iterator[str]]
CHECKS: tuple[Check, ...] = (_board, _markers, _cards, _hands, _achievements, _display, _turns)

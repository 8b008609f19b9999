"""Find where the view of a game shows the things that a move names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain

from altay_cli.base.findings import ExpressionError
from altay_cli.base.values import Entity, entities_in
from altay_cli.match.state import State
from altay_cli.pack.looks import Address, Field, Ref
from altay_cli.pack.model import Expr, Pack, Slot

_Part = tuple[str, str, Field]
"""Part, id of the map, field."""


def ref_of(thing: Entity) -> Ref:
    """Return the reference of an entity in the view."""
    return f"{thing.kind} {thing.id}"


class Addresses:
    """Where the view shows things in the present state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._fields = state.pack.cached(_Fields)
        self._shown: dict[tuple[Address, int], frozenset[Entity]] = {}
        self._places: dict[str, list[Entity]] | None = None

    def of(self, thing: Entity, slot: Slot, values: Mapping[str, object]) -> tuple[Address, ...]:
        """Return where a thing can be pointed at as the value of a slot.

        A player and a place of a map are shown as such. Other things are shown in the fields that
        read the zones the slot takes them from: those of the player who moves, if any.
        """
        if thing.kind == "player":
            return (Address("player", thing.id, "", ""),)
        if spot := self._spot(thing):
            return (spot,)
        sources = self._revealed(slot, values)
        zones = frozenset(zone for zone, _ in sources) or _zones_of(slot.domain, slot.infer)
        owners = [owner for _, owner in sources if owner is not None]
        found = [*self._showing(thing, zones, owners or self._players_from(values))]
        if not found and sources:  # it may be among the hidden contents
            found = [
                address
                for zone, owner in sources
                for address in self._hiding(zone, [owner] if owner else [])
            ]
        return tuple(dict.fromkeys(found))

    # ------------------------------------------------------------ places of maps

    def _spot(self, thing: Entity) -> Address | None:
        if self._places is None:
            self._places = {
                chart.id: [*entities_in(self._state.value(chart.each[1], {}, ()))]
                for chart in self._state.pack.view.maps
            }
        for chart, places in self._places.items():
            if thing in places:
                return Address("map", chart, ref_of(thing), "")
        return None

    # ------------------------------------------------------------ fields

    def _players_from(self, values: Mapping[str, object]) -> list[Entity]:
        me, players = values.get("me"), self._state.players
        return sorted(players, key=lambda player: player is not me)

    def _revealed(
        self, slot: Slot, values: Mapping[str, object]
    ) -> list[tuple[int, Entity | None]]:
        """Return the zones that a slot can reveal things in, each with its player."""
        state = self._state
        found: list[tuple[int, Entity | None]] = []
        for place in slot.reveals:
            with suppress(ExpressionError):
                cell = place.at.fn(state, values)
                zone = state.pack.zones[state.layout.zones[cell]]
                owners = state.players if zone.per == ("player",) else []
                owner = next((p for p in owners if state.zones.place(zone.index, p) == cell), None)
                found.append((zone.index, owner))
        return found

    def _showing(
        self, thing: Entity, zones: frozenset[int], players: Sequence[Entity]
    ) -> Iterator[Address]:
        """Yield the cells that show a thing; if several players have one, those of the first."""
        fields = self._fields.reading(zones)
        for part, _, field in fields:
            if part == "table":
                address = Address("table", "", "", field.id)
                if thing in self._in_cell(address, field, {}):
                    yield address
        for player in players:
            addresses = [
                address
                for part, _, field in fields
                if part == "player"
                for address in (Address("player", player.id, "", field.id),)
                if thing in self._in_cell(address, field, {"me": player})
            ]
            if addresses:
                yield from addresses
                return

    def _hiding(self, zone: int, players: Sequence[Entity]) -> Iterator[Address]:
        for part, _, field in self._fields.reading(frozenset([zone]))[:1]:
            if part == "table":
                yield Address("table", "", "", field.id)
            else:
                yield from (Address("player", player.id, "", field.id) for player in players)

    def _in_cell(
        self, address: Address, field: Field, values: dict[str, object]
    ) -> frozenset[Entity]:
        key = address, len(values)
        if key not in self._shown:
            self._shown[key] = frozenset(self._entities_in_cell(field, values))
        return self._shown[key]

    def _entities_in_cell(self, field: Field, values: dict[str, object]) -> Iterator[Entity]:
        state = self._state
        if field.when is not None and not state.value(field.when, values, False):
            return
        members: Sequence[dict[str, object]] = [values]
        if field.each is not None:
            name, listed = field.each
            members = [{**values, name: member} for member in state.value(listed, values, ())]
        for member in members:
            for expr in filter(None, (field.items, field.of)):
                yield from entities_in(state.value(expr, member, ()))


class _Fields:
    """The fields of a view, by the zones that they read."""

    def __init__(self, pack: Pack) -> None:
        view = pack.view
        fields: list[_Part] = [
            *(("table", "", field) for field in view.table),
            *(("player", "", field) for field in view.player),
        ]
        self._reads = [
            (field, _zones_of(field[2].items, field[2].of, field[2].each and field[2].each[1]))
            for field in fields
        ]
        self._found: dict[frozenset[int], list[_Part]] = {}

    def reading(self, zones: frozenset[int]) -> list[_Part]:
        """Return the fields that read some zones, the most specific first."""
        if zones not in self._found:
            reading = [(len(reads), part) for part, reads in self._reads if reads & zones]
            self._found[zones] = [part for _, part in sorted(reading, key=lambda pair: pair[0])]
        return self._found[zones]


def _zones_of(*exprs: Expr | None) -> frozenset[int]:
    return frozenset(chain.from_iterable(expr.zones for expr in exprs if expr is not None))

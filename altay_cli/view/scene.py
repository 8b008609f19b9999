"""Turn a state of the engine into a scene, as the `view` of the rules asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from altay_cli.base.budget import Account
from altay_cli.base.findings import BudgetError, EvaluationError, ExpressionError, UnrecordedError
from altay_cli.base.translations import phrase
from altay_cli.base.values import Bag, Entity, Placeholder
from altay_cli.hidden.batches import Batches
from altay_cli.hidden.knowledge import Supposed
from altay_cli.hidden.lots import Belief, TooManyWorldsError
from altay_cli.hidden.queries import Depends
from altay_cli.match.decisions import PendingDecision
from altay_cli.match.state import State, frozen
from altay_cli.pack.looks import (
    CardFace,
    EffectsShown,
    Field,
    KindLooks,
    Look,
    Map,
    MoveArrow,
)
from altay_cli.pack.model import STEADY, Expr, Message
from altay_cli.scoring.score import points
from altay_cli.view import limits, model

UNKNOWN_VALUE = "?"
"""Shown for a value that is unknown or fails."""

# A full cache is emptied.
_MAX_CACHED = 1_000

_Beliefs = list[Belief | Batches | None]


class Viewer:
    """Shows the states of one game.

    ``stage`` is constant, made from the state at construction.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.view = state.pack.view
        self._entities: dict[model.Ref, Entity] = {}
        self._kinds = {kind: n for n, kind in enumerate(["player", *state.pack.entities])}
        self._looks: dict[model.Ref, Look] = {}
        self._places: dict[str, list[Entity]] = {}
        for player in state.players:
            self.ref(player)
        # Beliefs are kept to keep their ids unique.
        self._cached: dict[object, tuple[list[model.Value] | None, _Beliefs]] = {}
        self._account = Account(limits.VIEW_STEPS, "showing this game")
        with state.paid_by(self._account):
            state.grant(limits.VIEW_STEPS)
            boards = tuple(self._board(chart) for chart in self.view.maps)
        sections: list[tuple[str, str, Iterable[Field]]] = [
            ("table", "", self.view.table),
            ("player", "", self.view.player),
            *(("map", chart.id, chart.shows) for chart in self.view.maps),
        ]
        fields = {
            (part, where, field.id): field._replace(title=state.words.word(field.title))
            for part, where, listed in sections
            for field in listed
        }
        addresses = [at for at, _, _ in self._fields()]
        addresses.sort(key=lambda at: ("player", "map", "table").index(at.part))
        players = tuple(player.id for player in state.players)
        self.stage = model.Setting(
            state.pack.title, players, boards, fields, tuple(addresses), self.view.icons
        )

    def scene(self) -> model.Scene:
        """Return the present state."""
        state = self.state
        cells: dict[model.Address, model.Cell] = {}
        with self._paying():
            for at, field, values in self._fields():
                try:
                    cell = self._cell(field, values)
                except ExpressionError:
                    cell = model.Cell((model.CellGroup(UNKNOWN_VALUE),))
                if cell is not None:
                    cells[at] = cell._replace(seen_by=self._seen_by(field, at.where, values))
            active = state.status("active")
            due = tuple(
                model.Due(who.id, state.words.word(state.pack.decisions[pending.decision].title))
                for pending in reversed(state.pending)
                if isinstance(pending, PendingDecision)
                for who in (pending.who, *pending.also)
            )
        return model.Scene(
            cells, state.round, None if active is None else active.id, state.ended, due
        )

    def _seen_by(
        self, field: Field, owner: str, values: dict[str, object]
    ) -> tuple[str, ...] | None:
        if field.seen == "all" or (field.until is not None and self.holds(field.until, values)):
            return None
        return model.knowing(field.seen, owner, self.stage.players)

    def _fields(self) -> Iterator[tuple[model.Address, Field, dict[str, object]]]:
        for chart in self.view.maps:
            for place in self._places[chart.id]:
                for field in chart.shows:
                    address = model.Address("map", chart.id, self.ref(place), field.id)
                    yield address, field, {chart.each[0]: place}
        for field in self.view.table:
            yield model.Address("table", "", "", field.id), field, {}
        for player in self.state.players:
            for field in self.view.player:
                yield model.Address("player", player.id, "", field.id), field, {"me": player}

    def points(self) -> tuple[tuple[int | None, ...], ...]:
        """Return each player's points in each category; see ``scoring.score.points``."""
        with self._paying():
            return points(self.state)

    @contextmanager
    def _paying(self) -> Iterator[None]:
        """Charge a separate account, which leaves verdicts alone."""
        self._account.left += limits.SCENE_STEPS
        with self.state.paid_by(self._account):
            with suppress(BudgetError):  # the fields then show as unknown
                self.state.grant(limits.VIEW_STEPS)
            yield

    def _cell(self, field: Field, values: dict[str, object]) -> model.Cell | None:
        state = self.state
        if field.when is not None and not field.when.fn(state, values):
            return None
        if field.each is None:
            return model.Cell((self._group(field, values),))
        name, members = field.each
        listed = list(members.fn(state, values))[: limits.MAX_SHOWN]
        return model.Cell(tuple(self._group(field, {**values, name: member}) for member in listed))

    def _group(self, field: Field, values: dict[str, object]) -> model.CellGroup:
        state = self.state
        items = self._possible(field.items, values)
        if field.unknown is not None and isinstance(items, model.Heap):
            items = items._replace(unknown=items.unknown + field.unknown.fn(state, values))
        return model.CellGroup(
            items,
            None if field.of is None else self.value(field.of.fn(state, values)),
            None if field.splay is None else str(field.splay.fn(state, values)),
        )

    def ref(self, entity: Entity) -> model.Ref:
        """Return the reference of an entity."""
        ref = f"{entity.kind} {entity.id}"
        self._entities[ref] = entity
        return ref

    def value(self, value: Any) -> model.Value:
        """Return a value as plain data; bags in the order of the rules."""
        if isinstance(value, bool | int | str):
            return value
        if value is None:
            return model.Heap()
        if isinstance(value, Entity):
            return model.Heap(((self.ref(value), 1),)) if value.known else model.Heap((), 1)
        if isinstance(value, Bag):
            known = [(item, count) for item, count in value.items() if item.known]
            unknown = value.size() - sum(count for _, count in known)
            if unknown < 0:  # an unrecorded part of the list has left
                return model.Heap((), max(value.size(), 0))
            known.sort(key=lambda entry: (self._kinds.get(entry[0].kind, 0), entry[0].index))
            return model.Heap(
                tuple((self.ref(item), n) for item, n in known[: limits.MAX_SHOWN]), unknown
            )
        items = list(value)[: limits.MAX_SHOWN]
        if not all(isinstance(item, Entity) for item in items):
            return self.state.words.text(items)
        named = tuple((self.ref(item), 1) for item in items if item.known)
        return model.Heap(named, len(items) - len(named), ordered=True)

    def _board(self, chart: Map) -> model.Board:
        state, frame = self.state, chart.frame
        name, members = chart.each
        listed = _entities(state.value(members, {}, ()))
        scenery = [] if chart.scenery is None else _entities(state.value(chart.scenery, {}, ()))
        self._places[chart.id] = listed
        # The frame runs through the centres of the outermost squares.
        half = 0.5 if chart.shape == "square" else 0.0
        across, down = frame.right - frame.left, frame.bottom - frame.top
        wide, high = abs(across) + 2 * half, abs(down) + 2 * half

        def point(x: float, y: float) -> tuple[float, float]:
            right = (x - frame.left) * (-1 if across < 0 else 1) + half
            below = (y - frame.top) * (-1 if down < 0 else 1) + half
            return right / (wide or 1), below / (high or 1)

        places: list[model.MapPlace] = []
        beside: list[model.MapPlace] = []
        for item in dict.fromkeys([*listed, *scenery]):
            values = {name: item}
            with suppress(ExpressionError):  # skip what the rules cannot compute
                x, y = point(chart.x.fn(state, values), chart.y.fn(state, values))
                flat = list(chart.outline.fn(state, values)) if chart.outline else []
                pairs = zip(flat[::2], flat[1::2], strict=False)
                corners = tuple(point(a / chart.scale, b / chart.scale) for a, b in pairs)
                ground = chart.ground.fn(state, values) if chart.ground else None
                joined = list(chart.edges.fn(state, values)) if chart.edges else []
                ref, below = self.ref(item), None if ground is None else self.ref(ground)
                ends = tuple(self.ref(other) for other in joined if other in listed)
                tall = bool(chart.tall and chart.tall.fn(state, values))
                found = model.MapPlace(ref, x, y, corners, below, ends, tall)
                (places if item in listed else beside).append(found)
        ratio = frame.width / frame.height
        title = state.words.word(chart.title)
        unit = 1 / (wide or 1)
        return model.Board(
            chart.id,
            title,
            chart.shape,
            ratio,
            unit,
            tuple(places),
            chart.owner,
            tuple(beside),
            chart.style,
            chart.colours,
        )

    def things(self) -> dict[model.Ref, model.Thing]:
        """Describe the entities shown so far and those they mention."""
        things: dict[model.Ref, model.Thing] = {}
        with self._paying():
            while len(things) < len(self._entities):
                for ref, entity in list(self._entities.items()):
                    if ref not in things:
                        things[ref] = self._thing(entity)
        return things

    def _look(self, entity: Entity) -> Look:
        ref = self.ref(entity)
        if ref not in self._looks:
            plain = "circle" if entity.kind == "player" else "square"
            self._looks[ref] = Look(None, plain)  # ends a cycle of looks
            kind = self.view.kinds.get(entity.kind, KindLooks())
            looks = kind.looks.get(entity.id, Look())
            if entity.kind == "player" and entity in self.state.players[: len(kind.seats)]:
                looks = kind.seats[self.state.players.index(entity)]
            values = {"it": entity}
            model_entity = self.state.value(kind.like, values, None) if kind.like else None
            like = self._look(model_entity) if isinstance(model_entity, Entity) else None
            sign = looks.sign or (self.state.message_text(kind.sign, values) if kind.sign else "")
            self._looks[ref] = Look(
                looks.colour or (like.colour if like else None),
                looks.shape or (like.shape if like else plain),
                sign[:6],
                looks.icon or (like.icon if like else ""),
                looks.texture or (like.texture if like else ""),
            )
        return self._looks[ref]

    def _thing(self, entity: Entity) -> model.Thing:
        state = self.state
        kind = self.view.kinds.get(entity.kind, KindLooks())
        lines = []
        for title, expr in kind.details:
            with suppress(ExpressionError):  # skip what the rules cannot compute
                value = self.value(expr.fn(state, {"it": entity}))
                # The order of an entity's parts means nothing.
                if isinstance(value, model.Heap):
                    value = value._replace(ordered=False)
                if value is not False and value not in (model.Heap(), ""):
                    lines.append((state.words.word(title), value))
        cite = kind.cites.get(entity.id, kind.cite)
        title = state.words.word(state.pack.kinds.get(entity.kind, ""))
        face = None if kind.face is None else self._face(kind.face, entity)
        name = state.words.name(entity)
        marked = state.value(kind.badge, {"it": entity}, None) if kind.badge else None
        badge = self.ref(marked) if isinstance(marked, Entity) else None
        return model.Thing(name, title, self._look(entity), tuple(lines), cite, face, badge)

    def _face(self, face: CardFace, entity: Entity) -> model.Face:
        values: dict[str, object] = {"it": entity}
        effects = () if face.effects is None else tuple(self._effects(face.effects, values))
        cost, corner = (self._printed(expr, values) for expr in (face.cost, face.corner))
        return model.Face(cost, corner, effects)

    def _effects(self, shown: EffectsShown, values: dict[str, object]) -> Iterator[model.Effect]:
        members: Sequence[dict[str, object]] = [values]
        if shown.each is not None:
            name, listed = shown.each
            found = self.state.value(listed, values, ())
            members = [{**values, name: member} for member in found][: limits.MAX_SHOWN]
        for member in members:
            text, icon, amount = (
                None if expr is None else self.state.value(expr, member, None)
                for expr in (shown.text, shown.icon, shown.amount)
            )
            uses, gives = (self._printed(expr, member) for expr in (shown.uses, shown.gives))
            yield model.Effect(text or "", icon or "", uses, gives, amount or 0)

    def _printed(self, expr: Expr | None, values: dict[str, object]) -> model.Value | None:
        if expr is not None:
            with suppress(ExpressionError):
                value = self.value(expr.fn(self.state, values))
                if value not in (0, model.Heap(), ""):  # 0 is False, too
                    return value
        return None

    def arrow(self, arrow: MoveArrow, values: Mapping[str, object]) -> model.Arrow | None:
        """Return the arrow of a move, if its ends are places."""
        with self._paying():
            start, end = (self._place(expr, values) for expr in (arrow.start, arrow.end))
            if start is None or end is None:
                return None
            label = "" if arrow.label is None else self.state.message_text(arrow.label, values)
            return model.Arrow(start, end, label)

    def _place(self, expr: Expr, values: Mapping[str, object]) -> model.Ref | None:
        place = self.state.value(expr, values, None)
        return self.ref(place) if isinstance(place, Entity) and place.known else None

    def text(self, message: Message, values: Mapping[str, object]) -> str:
        """Return a message with its values; `?` for one that fails."""
        with self._paying():
            return self.state.message_text(message, values)

    def holds(self, expr: Expr, values: Mapping[str, object]) -> bool:
        """Return True if a condition certainly holds; False if it fails."""
        with self._paying(), suppress(EvaluationError):
            return bool(expr.fn(self.state, values)) and not self._beliefs(expr)
        return False

    def _possible(self, expr: Expr, values: dict[str, object]) -> model.Value:
        """Return a value, as certain as hidden contents allow.

        Bags show how many more there may be. A number that may vary is a text.
        """
        listed = self.value(expr.fn(self.state, values))
        beliefs = self._beliefs(expr) if self.state.hidden.beliefs.groups else []
        if not beliefs:
            return listed
        possible = self._cached_values(expr, values, beliefs)
        if possible and all(value == possible[0] for value in possible):
            return possible[0]
        if isinstance(listed, model.Heap):
            return _certain(
                listed, [value for value in possible or () if isinstance(value, model.Heap)]
            )
        numbers = [value for value in possible or () if isinstance(value, int)]
        if not numbers or isinstance(listed, bool):
            return UNKNOWN_VALUE
        low, high = min(numbers), max(numbers)
        return phrase(self.state.language, "{low} to {high}", low=low, high=high)

    def _beliefs(self, expr: Expr) -> _Beliefs:
        places: list[int] = []
        zones = self.state.pack.zones
        for zone in (zones[index] for index in expr.zones if zones[index].shape == "bag"):
            for place in reversed(range(*zone.cells)):
                contents = self.state.cells[place]
                places += [
                    place,
                    *(entity.cell for entity in contents if isinstance(entity, Placeholder)),
                ]
        groups = self.state.hidden.beliefs.groups_at(places)
        return [group.now.belief or group.now.batches for group in groups]

    def _cached_values(
        self, expr: Expr, values: dict[str, object], beliefs: _Beliefs
    ) -> list[model.Value] | None:
        if not expr.reads <= expr.zones | STEADY:
            return self._possible_values(expr, values)
        cells, zones = self.state.cells, self.state.pack.zones
        contents = tuple(
            frozen(cells[cell]) for zone in sorted(expr.zones) for cell in range(*zones[zone].cells)
        )
        key = expr.key, repr(values), contents, tuple(map(id, beliefs))
        if key not in self._cached:
            if len(self._cached) >= _MAX_CACHED:
                self._cached.clear()
            self._cached[key] = self._possible_values(expr, values), beliefs
        return self._cached[key][0]

    def _possible_values(self, expr: Expr, values: dict[str, object]) -> list[model.Value] | None:
        """Return all possible values, or None if there are too many."""
        state = self.state
        shown: list[model.Value] = []

        def compute() -> model.Value:
            with state.exact_evaluation():
                return self.value(expr.fn(state, values))

        def add(value: model.Value | Depends, _: Supposed) -> None:
            if isinstance(value, Depends) or len(shown) >= limits.MAX_POSSIBLE:
                raise TooManyWorldsError
            shown.append(value)

        try:
            state.hidden.suppose(compute, add, limits.MAX_POSSIBLE)
        except (UnrecordedError, TooManyWorldsError):
            return None
        return shown


def _entities(members: Iterable[Any]) -> list[Entity]:
    found = (item for item in members if isinstance(item, Entity))
    return list(dict.fromkeys(found))[: limits.MAX_SHOWN]


def _certain(listed: model.Heap, possible: Sequence[model.Heap]) -> model.Heap:
    """Return what every heap contains, and how many more there may be."""
    if not possible:
        return listed._replace(more=None)
    counts = [dict(heap.known) for heap in possible]
    known = {ref: min(heap.get(ref, 0) for heap in counts) for ref in counts[0]}
    sizes = [heap.size - sum(known.values()) for heap in possible]
    certain = tuple((ref, count) for ref, count in known.items() if count)
    return model.Heap(certain, min(sizes), more=max(sizes) - min(sizes))

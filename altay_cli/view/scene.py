"""From the state of the engine to what is shown of it, as the rules' view tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from altay_cli.base.budget import Account
from altay_cli.base.findings import BudgetError, EvaluationError, ExpressionError, UnrecordedError
from altay_cli.base.translations import phrase
from altay_cli.base.values import Bag, Entity, Placeholder
from altay_cli.hidden.knowledge import Supposed
from altay_cli.hidden.lots import Belief, TooManyWorldsError
from altay_cli.hidden.queries import Depends
from altay_cli.match.operations import Pending
from altay_cli.match.state import State, frozen
from altay_cli.pack.model import STEADY, Expr, Field, KindLooks, Look, Map, Message
from altay_cli.scoring.score import points
from altay_cli.view import limits, model

UNTOLD = "?"
"""What is shown where what is recorded is not enough, and where the rules cannot tell."""

# Where more values are remembered, all are forgotten.
_MAX_KEPT = 1_000


class Viewer:
    """Shows the states of one game.

    ``stage`` is what stays the same; it is that of the state at which the viewer is made.
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
        # All that values can be, by what they read, with what is believed of that.
        self._kept: dict[object, tuple[list[model.Value] | None, list[Belief | None]]] = {}
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
        self.stage = model.Setting(state.pack.title, players, boards, fields, tuple(addresses))

    def scene(self) -> model.Scene:
        """Return how the game stands now."""
        state = self.state
        cells: dict[model.Address, model.Cell] = {}
        with self._paying():
            for at, field, values in self._fields():
                try:
                    cell = self._cell(field, values)
                except ExpressionError:
                    cell = model.Cell((model.CellGroup(UNTOLD),))
                if cell is not None:
                    cells[at] = cell._replace(owner=at.where) if field.only_owner else cell
            active = state.status("active")
            due = tuple(
                model.Due(one.who.id, state.words.word(state.pack.decisions[one.decision].title))
                for one in reversed(state.pending)
                if isinstance(one, Pending)
            )
        return model.Scene(
            cells, state.round, None if active is None else active.id, state.ended, due
        )

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
        """Return the points of each player so far in each category, as ``points`` tells them."""
        with self._paying():
            return points(self.state)

    @contextmanager
    def _paying(self) -> Iterator[None]:
        """Let what is shown be paid from an account of its own, so that it changes no verdict."""
        self._account.left += limits.SCENE_STEPS
        with self.state.paid_by(self._account):
            with suppress(BudgetError):  # then nothing that is shown can be told
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
        """Return how a thing is named."""
        ref = f"{entity.kind} {entity.id}"
        self._entities[ref] = entity
        return ref

    def value(self, value: Any) -> model.Value:
        """Return a value of the rules as plain data; bags in the order of the rules."""
        if isinstance(value, bool | int | str):
            return value
        if value is None:
            return model.Heap()
        if isinstance(value, Entity):
            return model.Heap(((self.ref(value), 1),)) if value.known else model.Heap((), 1)
        if isinstance(value, Bag):
            known = [(item, count) for item, count in value.items() if item.known]
            unknown = value.size() - sum(count for _, count in known)
            if unknown < 0:  # something of what is listed is gone, and nobody said what
                return model.Heap((), max(value.size(), 0))
            known.sort(key=lambda one: (self._kinds.get(one[0].kind, 0), one[0].index))
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
        listed = [item for item in state.value(members, {}, ()) if isinstance(item, Entity)]
        self._places[chart.id] = listed = list(dict.fromkeys(listed))[: limits.MAX_SHOWN]
        # The frame of squares goes through the middles of the outermost ones.
        half = 0.5 if chart.shape == "square" else 0.0
        across, down = frame.right - frame.left, frame.bottom - frame.top
        wide, high = abs(across) + 2 * half, abs(down) + 2 * half

        def point(x: int, y: int) -> tuple[float, float]:
            right = (x - frame.left) * (-1 if across < 0 else 1) + half
            below = (y - frame.top) * (-1 if down < 0 else 1) + half
            return right / (wide or 1), below / (high or 1)

        places = []
        for item in listed:
            values = {name: item}
            with suppress(ExpressionError):  # a place of which the rules cannot tell is left out
                x, y = point(chart.x.fn(state, values), chart.y.fn(state, values))
                flat = list(chart.outline.fn(state, values)) if chart.outline else []
                corners = tuple(point(*pair) for pair in zip(flat[::2], flat[1::2], strict=False))
                ground = chart.ground.fn(state, values) if chart.ground else None
                joined = list(chart.edges.fn(state, values)) if chart.edges else []
                ref, below = self.ref(item), None if ground is None else self.ref(ground)
                ends = tuple(self.ref(other) for other in joined if other in listed)
                places.append(model.MapPlace(ref, x, y, corners, below, ends))
        ratio = frame.width / frame.height
        title = state.words.word(chart.title)
        return model.Board(chart.id, title, chart.shape, ratio, 1 / (wide or 1), tuple(places))

    def things(self) -> dict[model.Ref, model.Thing]:
        """Return what is told about all things shown so far, and about those that it names."""
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
            self._looks[ref] = Look(None, plain)  # where a look leads back to itself
            kind = self.view.kinds.get(entity.kind, KindLooks())
            own = kind.looks.get(entity.id, Look())
            if entity.kind == "player" and entity in self.state.players[: len(kind.seats)]:
                own = kind.seats[self.state.players.index(entity)]
            values = {"it": entity}
            other = self.state.value(kind.like, values, None) if kind.like else None
            like = self._look(other) if isinstance(other, Entity) else None
            sign = own.sign or (self.state.said(kind.sign, values) if kind.sign else "")
            self._looks[ref] = Look(
                own.colour or (like.colour if like else None),
                own.shape or (like.shape if like else plain),
                sign[:6],
            )
        return self._looks[ref]

    def _thing(self, entity: Entity) -> model.Thing:
        state = self.state
        kind = self.view.kinds.get(entity.kind, KindLooks())
        lines = []
        for title, expr in kind.details:
            with suppress(ExpressionError):  # a line of which the rules cannot tell is left out
                value = self.value(expr.fn(state, {"it": entity}))
                # Of what a thing is made of, the order tells nothing.
                if isinstance(value, model.Heap):
                    value = value._replace(ordered=False)
                if value is not False and value not in (model.Heap(), ""):
                    lines.append((state.words.word(title), value))
        cite = kind.cites.get(entity.id, kind.cite)
        title = state.words.word(state.pack.kinds.get(entity.kind, ""))
        return model.Thing(state.words.name(entity), title, self._look(entity), tuple(lines), cite)

    def said(self, message: Message, values: Mapping[str, object]) -> str:
        """Return a message with its expressions evaluated; `?` for one that cannot be."""
        with self._paying():
            return self.state.said(message, values)

    def holds(self, expr: Expr, values: Mapping[str, object]) -> bool:
        """Return whether a condition certainly holds; False if it cannot be evaluated."""
        with self._paying(), suppress(EvaluationError):
            return bool(expr.fn(self.state, values)) and not self._beliefs(expr)
        return False

    def _possible(self, expr: Expr, values: dict[str, object]) -> model.Value:
        """Return a value; of what reads hidden things, what is certain, and how much may be more.

        A number that can be several is a text.
        """
        listed = self.value(expr.fn(self.state, values))
        beliefs = self._beliefs(expr) if self.state.hidden.groups else []
        if not beliefs:
            return listed
        possible = self._remembered(expr, values, beliefs)
        if possible and all(one == possible[0] for one in possible):
            return possible[0]
        if isinstance(listed, model.Heap):
            return _certain(listed, [one for one in possible or () if isinstance(one, model.Heap)])
        numbers = [one for one in possible or () if isinstance(one, int)]
        if not numbers or isinstance(listed, bool):
            return UNTOLD
        low, high = min(numbers), max(numbers)
        return phrase(self.state.language, "{low} to {high}", low=low, high=high)

    def _beliefs(self, expr: Expr) -> list[Belief | None]:
        """Return all that is believed of the bags in the zones that an expression reads."""
        places: list[int] = []
        zones = self.state.pack.zones
        for zone in (zones[index] for index in expr.zones if zones[index].shape == "bag"):
            for place in reversed(range(*zone.cells)):
                lying = self.state.cells[place]
                places += [place, *(one.cell for one in lying if isinstance(one, Placeholder))]
        return [group.now.belief for group in self.state.hidden.groups_at(places)]

    def _remembered(
        self, expr: Expr, values: dict[str, object], beliefs: list[Belief | None]
    ) -> list[model.Value] | None:
        """Return all that a value can be, as long as nothing that it reads has changed."""
        if not expr.reads <= expr.zones | STEADY:
            return self._all(expr, values)
        cells, zones = self.state.cells, self.state.pack.zones
        held = tuple(
            frozen(cells[cell]) for zone in sorted(expr.zones) for cell in range(*zones[zone].cells)
        )
        key = expr.key, repr(values), held, tuple(map(id, beliefs))
        if key not in self._kept:
            if len(self._kept) >= _MAX_KEPT:
                self._kept.clear()
            # With the beliefs, so that nothing else gets their ids.
            self._kept[key] = self._all(expr, values), beliefs
        return self._kept[key][0]

    def _all(self, expr: Expr, values: dict[str, object]) -> list[model.Value] | None:
        """Return all that a value can be by what is recorded; None where that is too much."""
        state = self.state
        shown: list[model.Value] = []

        def ask() -> model.Value:
            with state.exactly():
                return self.value(expr.fn(state, values))

        def tell(value: model.Value | Depends, _: Supposed) -> None:
            if isinstance(value, Depends) or len(shown) >= limits.MAX_POSSIBLE:
                raise TooManyWorldsError
            shown.append(value)

        try:
            state.hidden.suppose(ask, tell, limits.MAX_POSSIBLE)
        except (UnrecordedError, TooManyWorldsError):
            return None
        return shown


def _certain(listed: model.Heap, possible: Sequence[model.Heap]) -> model.Heap:
    """Return the things that lie there in any case, and how many more there may be."""
    if not possible:
        return listed._replace(more=None)
    counts = [dict(one.known) for one in possible]
    known = {ref: min(one.get(ref, 0) for one in counts) for ref in counts[0]}
    sizes = [one.size - sum(known.values()) for one in possible]
    certain = tuple((ref, count) for ref, count in known.items() if count)
    return model.Heap(certain, min(sizes), more=max(sizes) - min(sizes))

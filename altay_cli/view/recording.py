"""Record how the statements of one line are judged: readings, requirements, changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any, NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import BudgetError, EvaluationError, ExpressionError
from altay_cli.base.translations import listed, phrase
from altay_cli.base.values import Bag, Drawn, Entity, bag_of
from altay_cli.match.match import Match, Watcher
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.state import State
from altay_cli.notation.tree import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import Cite, Expr, MoveDef, Requirement
from altay_cli.pack.words import times
from altay_cli.view import limits

Value = tuple[str, str]
"""A name, and its value in words."""


class CheckedRequirement(NamedTuple):
    """A requirement at the moment of a move.

    holds: None if it could not be evaluated.
    """

    rule: str
    text: str
    holds: bool | None
    values: tuple[Value, ...]
    condition: str
    cite: Cite
    ruling: str | None


@dataclass(slots=True)
class Record:
    """How a statement was judged; empty if it was not reached or not read.

    meanings: the values of the parts of the statement.
    changes: each changed zone with its change, both in words.
    """

    moves: list[MoveDef] = field(default_factory=list)
    player: str | None = None
    round: int = 0
    reached: bool = False
    meanings: list[Value] = field(default_factory=list)
    checks: list[CheckedRequirement] = field(default_factory=list)
    changes: list[Value] = field(default_factory=list)


def _new_account() -> Account:
    return Account(limits.VIEW_STEPS, "explaining this line")


class LineRecorder(Watcher):
    """Records the statements of some lines; the last watcher of a game has the final reading."""

    def __init__(self, match: Match, statements: Sequence[Statement]) -> None:
        self.match = match
        self.records = {id(statement): Record() for statement in statements}
        self._account = _new_account()
        self._open: int | None = None
        """The statement whose changes are not recorded yet."""
        self._before: list[Any] = []
        self._seats: list[Entity] = []
        self._size = len(match.state.layout.first)
        self._numbers = {e.source: e for e in match.pack.exprs if e.source.startswith("numbers.")}
        match.watcher = self

    def finish(self) -> None:
        """Record the changes of the last statement."""
        self._close()
        self.match.watcher = None

    # ------------------------------------------------------------ what the match does

    def before(self, statement: Statement) -> None:
        """Begin the record of a statement in a turn."""
        self._close()
        if id(statement) in self.records:
            self._begin(id(statement))

    def on_rewind(self, _statement: Statement) -> None:
        """Keep what is recorded: a statement that is read again is recorded again."""
        self._open = None

    def on_move(self, reading: Reading) -> None:
        """Evaluate the requirements of a move before it is made."""
        record = self._record(again=len(self.match.made) <= 1)
        if record is None:
            return
        move = reading.parsed.move
        actor = self.match.report.context.actor or reading.values.get("me")
        if isinstance(actor, Entity) and not move.heading:
            record.player = actor.id
        record.moves.append(move)
        with self._apart():
            values = self._with_omitted(reading)
            record.meanings += self._meanings(move, values)
            for requirement in move.requires:
                record.checks.append(self._checked(requirement, reading, values))

    def on_claim(self, readings: Sequence[Candidate], actor: Entity | None) -> None:
        """Record what is claimed, and what is found."""
        record = self._record(again=True)
        if record is None:
            return
        words = self.match.state.words
        record.player = None if actor is None else actor.id
        record.moves += [parsed.move for parsed in readings[:1]]
        with self._apart():
            for parsed in readings[:1]:
                written = self.match.resolver.readings(parsed, {"me": actor, "asked": {}}, 0)
                for reading in written[:1]:
                    for pair in parsed.move.holds:
                        found, claimed = (words.text(self._value(e, reading.values)) for e in pair)
                        record.meanings += [
                            (self._phrase("claimed"), claimed),
                            (self._phrase("found"), found),
                        ]

    # ------------------------------------------------------------ records

    def _record(self, *, again: bool) -> Record | None:
        """Return the record of the present statement, a new one if it is read again."""
        statement = id(self.match.report.context.statement)
        if statement not in self.records:
            self._close()
            return None
        if again or statement != self._open:
            if statement != self._open:
                self._close()
            self._begin(statement)
        return self.records[statement]

    def _begin(self, statement: int) -> None:
        self._account = _new_account()
        self.records[statement] = Record(reached=True, round=self.match.state.round)
        self._open = statement
        self._before = self.match.state.cells[: self._size]
        self._seats = list(self.match.state.players)

    def _close(self) -> None:
        statement, self._open = self._open, None
        if statement is not None:
            self.records[statement].changes = list(islice(self._changes(), limits.MAX_SHOWN))

    # ------------------------------------------------------------ values

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """Leave the match alone: its state, its account, and rules that fail."""
        state = self.match.state
        with state.paid_by(self._account), state.supposing(), suppress(ExpressionError):
            state.grant()
            yield

    def _phrase(self, english: str, **values: object) -> str:
        return phrase(self.match.state.language, english, **values)

    def _value(self, expr: Expr, values: Mapping[str, object]) -> object:
        try:
            self.match.state.grant()
            return expr.fn(self.match.state, values)
        except ExpressionError:
            return _UNKNOWN

    def _with_omitted(self, reading: Reading) -> MoveValues:
        """Return the values of a move, with those that the statement leaves out."""
        state, move = self.match.state, reading.parsed.move
        values = MoveValues(reading.values, move, state)
        for slot in move.slots.values():
            if slot.name not in values:
                choices = self._value(slot.infer, values) if slot.infer is not None else None
                found = choices if isinstance(choices, (list, tuple)) else ()
                values[slot.name] = found[0] if found else slot.empty
        return MoveValues(values, move, state)

    def _meanings(self, move: MoveDef, values: MoveValues) -> Iterator[Value]:
        for name in (*move.slots, *(name for name, _ in move.lets)):
            try:
                self.match.state.grant()
                value = values[name]
            except (BudgetError, EvaluationError):
                continue
            if (text := self._text(value)) is not None:
                yield name, text

    def _text(self, value: object) -> str | None:
        if isinstance(value, Drawn):
            entities = [e for item in value.items or () for e in item.entities[:1]]
            return self.match.state.words.text(entities) if entities else None
        is_plain = value is None or isinstance(value, (bool, int, str, Entity, Bag, list, tuple))
        if not is_plain or value in (None, [], ()) or (isinstance(value, Bag) and not value):
            return None
        return self.match.state.words.text(value)

    def _checked(
        self, requirement: Requirement, reading: Reading, values: MoveValues
    ) -> CheckedRequirement:
        state, text = self.match.state, requirement.text
        holds: bool | None = None
        try:
            state.grant()
            again = reading._replace(values=MoveValues(values, reading.parsed.move, state))
            with state.journal.supposing():
                holds = self.match.resolver.holds(requirement, again)
        except (BudgetError, EvaluationError):
            pass
        message = state.message_text(text.message, values)
        if holds is not False:
            # The values of a violation would make no sense where there is none.
            unfilled = "".join(
                part if isinstance(part, str) else f"‹{part.source}›"
                for part in state.words.parts(text.message)
            )
            title = state.words.word(text.title)
            message = title or self._phrase("not so: {message}", message=unfilled)
        shown = dict(self._values(requirement, values))
        cite = text.cite or (reading.parsed.move.cite if text.of_move else {})
        return CheckedRequirement(
            text.rule,
            message,
            holds,
            tuple(shown.items()),
            requirement.that.source,
            cite,
            text.ruling,
        )

    def _values(self, requirement: Requirement, values: MoveValues) -> Iterator[Value]:
        """Yield what a condition and its message read at this moment."""
        state, that = self.match.state, requirement.that
        parts = [
            part
            for part in requirement.text.message.parts
            if isinstance(part, Expr) and part.source != "me"
        ]
        for expr in parts:
            if len(expr.source) <= limits.MAX_SOURCE:
                value = self._value(expr, values)
                if isinstance(value, (bool, int, Entity, Bag, list, tuple)):
                    yield expr.source, state.words.text(value)
        for name in that.locals.values():
            if name in {"me", "asked"} or name not in values:
                continue
            if (text := self._text(values.get(name))) is not None:
                yield name, text
        for zone in sorted(that.zones):
            for keys, cell in self._places(zone, values):
                held = state.cells[cell]
                piled = _as_bag(held)
                yield self._title(zone, keys), state.words.text(held if piled is None else piled)
        for name in sorted(that.names & self._numbers.keys()):
            yield name, state.words.text(self._value(self._numbers[name], values))

    def _places(
        self, zone: int, values: Mapping[str, object]
    ) -> Iterator[tuple[tuple[Entity, ...], int]]:
        """Yield the places of a zone that belong to the things of a move."""
        state = self.match.state
        things: dict[str, list[Entity]] = {}
        for value in values.values():
            for thing in [value] if isinstance(value, Entity) else [*_things(value)]:
                if thing.known and thing not in things.setdefault(thing.kind, []):
                    things[thing.kind].append(thing)
        keyed = [things.get(kind, [])[: limits.MAX_KEYS] for kind in state.pack.zones[zone].per]
        for keys in product(*keyed):
            yield keys, state.zones.place(zone, *keys)

    def _title(self, zone: int, keys: Sequence[Entity]) -> str:
        words, definition = self.match.state.words, self.match.state.pack.zones[zone]
        title = words.word(definition.title)
        names = listed(self.match.state.language, map(words.name, keys))
        return f"{title} ({names})" if names else title

    # ------------------------------------------------------------ changes

    def _changes(self) -> Iterator[Value]:
        state, before = self.match.state, self._before
        if self._seats != state.players:
            seated = [state.words.text(seats) for seats in (self._seats, state.players)]
            yield self._phrase("players"), " → ".join(seated)
        for zone in state.pack.zones:
            if zone.shape == "bool" and zone.title == zone.name:
                continue  # without a title it is bookkeeping
            if before[slice(*zone.cells)] == state.cells[slice(*zone.cells)]:
                continue
            for keys, cell in state.zones.places(zone.index):
                if before[cell] != state.cells[cell]:
                    change = _difference(state, before[cell], state.cells[cell])
                    if change:
                        yield self._title(zone.index, keys), change


_UNKNOWN = "?"
MINUS = "\N{MINUS SIGN}"


def _things(value: object) -> Iterator[Entity]:
    if isinstance(value, (Bag, list, tuple)):
        yield from (item for item in islice(value, limits.MAX_KEYS) if isinstance(item, Entity))


def _difference(state: State, old: object, new: object) -> str:
    """Return a change in words: `+2 Sheep, −Goat`, or `3 → 4`."""
    words = state.words
    before, after = (_as_bag(value) for value in (old, new))
    if before is None or after is None:
        return f"{words.text(old)} → {words.text(new)}"
    named: dict[str, int] = {}
    for item in {**after, **before}:
        change = after.get(item, 0) - before.get(item, 0)
        named[words.name(item)] = named.get(words.name(item), 0) + change
    hidden = after.unknown.hidden - before.unknown.hidden
    signed = [(count, times(abs(count), name)) for name, count in named.items() if count]
    if hidden:
        signed.append((hidden, phrase(state.language, "{count} unknown", count=abs(hidden))))
    return listed(state.language, [f"{'+' if n > 0 else MINUS}{text}" for n, text in signed])


def _as_bag(value: object) -> Bag | None:
    if isinstance(value, (list, tuple)) and all(isinstance(item, Entity) for item in value):
        return bag_of(value)
    return value if isinstance(value, Bag) else None

"""What printed effects call: how things are moved, counted and hidden, and how effects wait.

Effects never fail: what is not there is not moved. Whether a move was legal has been decided
before; an illegal one is carried out as far as it goes, so that reading can go on.

What is left to do when a player is asked lies as frames on the stack of the state, below the
question (``state.pending``): plain values, which the journal takes back and a copy shares. When
the question is answered, they go on from there.
"""

# Annotations are not postponed here: Python would compile each field's as text at every start.

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from altay_cli.base.journal import InCell
from altay_cli.base.values import (
    ALL_KNOWN,
    NOTHING,
    Bag,
    Drawn,
    Entity,
    Placeholder,
    bag_of,
    partly_known,
)
from altay_cli.expressions.runtime import pay_for
from altay_cli.hidden.knowledge import Knowledge
from altay_cli.match import limits
from altay_cli.pack import limits as pack_limits
from altay_cli.pack import model as m
from altay_cli.pack.table import FORCED, PENDING, PLAYERS, REST, Layout, Table

Values = dict[str, Any]
"""The values of local names at some moment."""


class Operations(Table):
    """The cells of a game, and what effects do to them; a place is the number of a cell.

    ``hidden`` knows what may be where nobody wrote it down; ``complete`` says that everything must
    be written down.
    """

    __slots__ = ("complete", "hidden", "layout", "options", "pack")

    complete: bool
    hidden: Knowledge
    layout: Layout
    pack: m.Pack
    options: dict[str, str]

    rest = InCell[Drawn](REST)
    """What a statement tells beyond the draw that was made last."""
    players = InCell[list[Entity]](PLAYERS)
    """The seats in order."""

    def all_of(self, kind: str) -> Sequence[Entity]:
        """Return all things of a kind, or the players."""
        return self.players if kind == "player" else self.pack.entities[kind]

    def held(self, zone: int, *keys: Entity) -> Any:
        """Return what lies in a place of a zone, given by its index; by key where one is open."""
        per = self.pack.zones[zone].per
        if len(keys) == len(per):
            return self.cells[self.place(zone, *keys)]
        return {thing: self.held(zone, *keys, thing) for thing in self.all_of(per[len(keys)])}

    def place(self, zone: int, *keys: Entity) -> int:
        """Return the number of a place of a zone, given by its index."""
        found = self.pack.zones[zone]
        steps = zip(found.steps, keys, strict=True)
        return found.first + sum([step * key.index for step, key in steps])

    def places(self, zone: int) -> Iterator[tuple[tuple[Entity, ...], int]]:
        """Yield the places of a zone, each with what it belongs to."""
        things = map(self.all_of, self.pack.zones[zone].per)
        return ((keys, self.place(zone, *keys)) for keys in product(*things))

    # ------------------------------------------------------------ bags and piles

    def counted(self, things: Bag | Sequence[Entity]) -> Bag:
        """Return things as a bag."""
        if isinstance(things, Bag):
            return things
        self.charge(len(things))
        return bag_of(things)

    def mistrust(self, place: int) -> None:
        """Take note that the log was wrong about a bag."""
        bag: Bag = self.cells[place]
        self.put(place, partly_known(bag, bag.unknown._replace(unsure=True)))

    def reset(self, *zones: int) -> None:
        """Empty zones, given by their indexes."""
        self.charge(2 * len(zones))
        cells = self.cells
        for index in zones:
            rows, empty, bags = self.layout.empty[index]
            for first in rows:
                row = cells[first : first + len(empty)]
                # Most are empty: they are passed over without a step of Python for each place.
                if row != empty or (bags and self.hidden.groups):
                    for cell, held in enumerate(row, first):
                        if bags and held.unknown.hidden:
                            self.hidden.pour(cell, None)
                        if held is not empty[0]:
                            self.put(cell, empty[0])

    def seat(self, player: Entity) -> None:
        """Give ``player`` the next seat; a table has no room for many more than the game allows."""
        if len(self.players) < self.pack.most + pack_limits.SPARE_SEATS:
            self.put(PLAYERS, [*self.players, player])

    def move_pile(self, source: int, target: int | None, *, top: bool = False) -> None:
        """Move all of a pile; on ``top`` of another it keeps its order."""
        held = self.cells[source]
        self.charge(len(held))
        for item in reversed(held) if top else held:
            self.move_one(source, target, item, top=top)

    def move_bag(
        self,
        source: int | None,
        target: int | None,
        what: Mapping[Entity, int] | None,
        factor: int = 1,
        *,
        top: bool = False,
    ) -> None:
        """Move what a bag names, ``factor`` times; never more than is there."""
        if what is None or factor <= 0 or None in what:
            return
        cells, entries = self.cells, self.entries
        there: Any = None if source is None else cells[source]
        if source is not None and what is there and cells[source].unknown.hidden:
            self.hidden.pour(source, target)
            what = there = cells[source]
        if not what:
            return
        self.left -= (2 + limits.MOVE_STEPS) * len(what)
        if self.left < 0:
            self.refill()
        old: Any = NOTHING if target is None else cells[target]
        if type(old) is tuple or type(there) is tuple or source == target:
            for item, count in what.items():
                self.move_one(source, target, item, count * factor, top=top)
            return
        made = Bag(old) if old.unknown is ALL_KNOWN else partly_known(old, old.unknown)
        unknown = ALL_KNOWN if source is None else there.unknown
        if source is None or what is there:
            left = NOTHING if unknown is ALL_KNOWN else partly_known({}, unknown)
            for item, count in what.items():
                made[item] = made.get(item, 0) + (count * factor if source is None else count)
        else:
            left = Bag(there) if unknown is ALL_KNOWN else partly_known(there, unknown)
            for item, count in what.items():
                lying = left.get(item, 0)
                taken = count * factor
                if taken < lying:
                    left[item] = lying - taken
                elif lying:
                    taken = lying
                    del left[item]
                else:
                    continue
                made[item] = made.get(item, 0) + taken
        if source is not None:
            entries.append((source, there))
            cells[source] = left
        if target is not None:
            entries.append((target, old))
            cells[target] = made

    def move_one(
        self,
        source: int | None,
        target: int | None,
        item: Entity | None,
        count: int = 1,
        *,
        top: bool = False,
    ) -> None:
        """Move one thing, ``count`` times; never more often than it is there."""
        if item is None:
            return
        self.left -= limits.MOVE_STEPS
        if self.left < 0:
            self.refill()
        if source is not None:
            held = self.cells[source]
            if isinstance(held, Bag):
                count = min(count, held.get(item, 0))
                if count > 0:
                    self.add(source, item, -count)
            else:
                count = min(count, held.count(item))
                # What was there before is kept, to be put back: it counts as well.
                self.left -= len(held) * (3 + (count >> 2))
                if self.left < 0:
                    self.refill()
                if count > 0:
                    pile = list(held)
                    for _ in range(count):
                        pile.remove(item)
                    self.put(source, tuple(pile))
        if count <= 0 or target is None:
            return
        there = self.cells[target]
        if isinstance(there, Bag):
            self.add(target, item, count)
        else:
            pay_for(self, count, len(there))
            self.charge(2 * len(there))
            more = (item,) * count
            self.put(target, more + there if top else there + more)

    def hide(self, source: int, target: int, count: int, backs: tuple[str, ...] = ()) -> None:
        """Move ``count`` things that nobody named from ``source`` to ``target``.

        ``backs`` are the fields that are seen of them, if they are to be told one by one.
        """
        count = min(count, self.cells[source].size())
        if count > 0:
            self.hidden.deal(source, target, None, count, backs)

    def reveal(self, place: int, item: Entity | None, count: int) -> None:
        """Let things of a bag that nobody named be ``item``, until there are ``count`` of it.

        Nothing changes where they cannot be.
        """
        if item is None:
            return
        while (bag := self.cells[place]).unknown.hidden > 0 and bag.get(item, 0) < count:
            if self.hidden.reveal((place,), (item,)) is None:
                return
            self.add(place, item, 1)


# ---------------------------------------------------------------- effects that wait for answers


class Halted(Exception):  # noqa: N818 - no error
    """An effect has ended all effects under way."""


class Pending(NamedTuple):
    """A decision that is due: who answers it, how often, and what it is about.

    ``answer`` is the name under which what follows finds the answer. A question that only an
    illegal statement put is ``excused``: it need not be answered. If nobody has answered it, it is
    ``past`` during the next turn, and no answer of that player is reported as unasked then.
    """

    decision: str
    who: Entity
    times: int
    values: Values
    answer: str | None = None
    excused: bool = False
    past: bool = False


class Forced(NamedTuple):
    """A decision that nobody was asked for, as only one thing could happen; ``answer`` is that."""

    asked: Pending
    answer: object


class Frame(NamedTuple):
    """Steps that are left to do, from number ``at`` on, with the values of local names."""

    steps: m.Steps
    at: int
    values: Values


Waiting = Pending | Frame


def start(state: Operations, effects: m.Effects, values: Values) -> None:
    """Carry out effects that may wait for answers, up to the first question."""
    todo: list[Frame] = []
    _carry_out(effects, values, state, todo)
    _go_on(state, todo)


def resume(state: Operations) -> None:
    """Carry out the frames that no longer wait for an answer."""
    waiting: tuple[Waiting, ...] = state.cells[PENDING]
    asked = len(waiting)
    while asked and not isinstance(waiting[asked - 1], Pending):
        asked -= 1
    if asked < len(waiting):
        state.charge(2 * len(waiting))  # what there was is kept, to be put back
        state.put(PENDING, waiting[:asked])
        _go_on(state, [one for one in waiting[asked:] if isinstance(one, Frame)])


def answered(state: Operations, values: Values, gives: m.Expr | None) -> None:
    """Take the decision on top as answered once; ``values`` are those of the answering move."""
    state.charge(2 * len(state.cells[PENDING]))
    *rest, pending = state.cells[PENDING]
    assert isinstance(pending, Pending)
    if pending.times > 1:
        rest.append(pending._replace(times=pending.times - 1))
    elif pending.answer is not None and gives is not None and rest:
        frame = rest[-1]
        assert isinstance(frame, Frame)
        rest[-1] = frame._replace(values={**frame.values, pending.answer: gives.fn(state, values)})
    state.put(PENDING, tuple(rest))


def _go_on(state: Operations, todo: list[Frame]) -> None:
    """Carry out frames, the last one first, until a question is put or nothing is left."""
    while todo:
        frame = todo.pop()
        state.charge(limits.MOVE_STEPS + (len(frame.values) >> 1))
        if frame.at < len(frame.steps):
            # One that is done is kept below a question: the answer is put into it.
            todo.append(frame._replace(at=frame.at + 1))
            if _step(state, frame, todo):
                return


def _ask(state: Operations, step: m.AskEffect, values: Values, todo: list[Frame]) -> bool:
    """Put a question on top of what is left to do; return whether anything is asked at all.

    What has only one answer is not asked, and goes on with that.
    """
    times = step.times.fn(state, values) if step.times else 1
    if times <= 0:
        return False
    about = {name: expr.fn(state, values) for name, expr in step.values}
    pending = Pending(step.decision, step.who.fn(state, values), times, about, step.answer)
    if step.forced and step.gives and step.answer and step.forced.fn(state, values):
        answer = step.gives.fn(state, values)
        state.charge(len(state.cells[FORCED]))
        state.put(FORCED, (*state.cells[FORCED], Forced(pending, answer)))
        todo[-1] = todo[-1]._replace(values={**values, step.answer: answer})
        return False
    state.charge(len(todo) + 2 * len(state.cells[PENDING]))
    state.put(PENDING, (*state.cells[PENDING], *todo, pending))
    return True


def _step(state: Operations, frame: Frame, todo: list[Frame]) -> bool:
    """Carry out the next step, or put what it holds on ``todo``; tell whether it is a question."""
    values = frame.values
    match frame.steps[frame.at]:
        case m.AskEffect() as step:
            return _ask(state, step, values, todo)
        case m.Effects() as step:
            step.fn(state, values)
        case m.DoEffect() as step:
            given = {name: expr.fn(state, values) for name, expr in step.arguments}
            _carry_out(state.pack.procedures[step.procedure].does, given, state, todo)
        case m.RunEffect() as step:
            who = {"me": step.who.fn(state, values) if step.who else values.get("me")}
            _carry_out(step.what.fn(state, values), who, state, todo)
        case m.Nested(m.IfEffect() as effect, (then, otherwise)):
            chosen = then if effect.condition.fn(state, values) else otherwise
            todo.append(Frame(chosen, 0, values))
        case m.Nested(m.EachEffect() as effect, (steps,)):
            items = [*effect.items.fn(state, values)]
            state.charge(len(items) * (1 + (len(values) >> 1)))
            todo += [Frame(steps, 0, {**values, effect.name: one}) for one in reversed(items)]
        case m.Nested(m.WhileEffect() as effect, (steps,)):
            if effect.condition.fn(state, values):
                todo[-1] = frame  # the condition is asked again then
                todo.append(Frame(steps, 0, values))
        case m.Nested(m.LetEffect() as effect, (steps,)):
            inner = dict(values)
            for name, expr in effect.values:
                inner[name] = expr.fn(state, inner)
            todo.append(Frame(steps, 0, inner))
    return False


def _carry_out(effects: m.Effects, values: Values, state: Operations, todo: list[Frame]) -> None:
    if effects.steps is None:
        effects.fn(state, values)
    else:
        todo.append(Frame(effects.steps, 0, dict(values)))


def replace(state: Operations, old: Placeholder, new: Entity) -> None:
    """Put a thing in the place of what has stood for it, wherever that lies or waits."""
    for zone in state.pack.zones:
        if zone.kind == old.kind:
            state.charge(zone.cells[1] - zone.cells[0])
            for cell in range(*zone.cells):
                held = state.cells[cell]
                put = replaced(held, old, new)
                if put is not held:
                    state.put(cell, put)
    for cell in (PENDING, FORCED):
        if state.cells[cell]:
            state.put(cell, replaced(state.cells[cell], old, new))


def replaced(value: Any, old: Placeholder, new: Entity) -> Any:
    """Return a value with a thing in the place of what has stood for it."""
    if value is old:
        return new
    if isinstance(value, Bag):
        if old not in value:
            return value
        made = partly_known(value, value.unknown)
        left = made[old] - 1
        if left:
            made[old] = left
        else:
            del made[old]
        made[new] = made.get(new, 0) + 1
        return made
    if isinstance(value, dict):
        return {name: replaced(part, old, new) for name, part in value.items()}
    if isinstance(value, Pending | Frame | Forced):
        return type(value)(*(replaced(part, old, new) for part in value))
    if type(value) is tuple and any(part is not replaced(part, old, new) for part in value):
        return tuple(replaced(part, old, new) for part in value)
    if isinstance(value, list):
        return [replaced(part, old, new) for part in value]
    return value

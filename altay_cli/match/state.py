"""The state of a game: zones, players, decisions that are due, and the journal of changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from typing import Any, Protocol

from altay_cli.base.budget import Account
from altay_cli.base.errors import (
    UNKNOWN_CONTENT,
    BudgetError,
    ExpressionError,
    UnrecordedError,
)
from altay_cli.base.journal import Journal
from altay_cli.base.values import (
    ALL_KNOWN,
    NOTHING,
    UNRECORDED,
    Bag,
    Drawn,
    DrawnItem,
    Entity,
    Sink,
)
from altay_cli.compile.model import (
    DrawEffect,
    Effects,
    Expr,
    Message,
    Pack,
    RuleText,
    Shape,
    Trigger,
)
from altay_cli.compile.zones import (
    ENDED_BY,
    FORCED,
    OVERDUE,
    PENDING,
    PLAYERS,
    POSITION,
    REPEATS,
    SPARE_SEATS,
    WATCHED,
    first_cells,
)
from altay_cli.expressions.runtime import add, pay_for
from altay_cli.hidden.knowledge import Knowledge
from altay_cli.match import waiting
from altay_cli.match.waiting import Forced, Halted, Pending, Waiting
from altay_cli.pack.faults import reason
from altay_cli.pack.functions import known
from altay_cli.pack.words import Wording, words_of

Values = dict[str, Any]
"""The values of local names at some moment."""

Able = Callable[[Entity | None, str | None], bool]
"""Tells whether a player has a legal move in a turn, or one of a certain kind."""

NEVER = -1
"""The mark of no moment."""

MOVE_STEPS = 10
"""The cost of moving things of one kind from one place to another, in steps."""

Bounds = tuple[int | None, int | None]
"""The least and the most that a number can be; None for no such bound."""


def _within(value: int, bounds: Bounds) -> int:
    """Return a number, clamped to bounds."""
    least, most = bounds
    if most is not None and value > most:
        return most
    return least if least is not None and value < least else value


def frozen(value: Any) -> Hashable:
    """Return a hashable value for what a cell holds."""
    if isinstance(value, Bag):
        return frozenset(value.items()), value.unknown.hidden
    return value  # type: ignore[no-any-return]


class Layout:
    """The cells of a game: what they hold at first, and to which zone each belongs."""

    def __init__(self, pack: Pack) -> None:
        self.first = first_cells(pack.zones)
        self.zones = [-1] * len(self.first)
        """By the number of a cell: the index of the zone that it belongs to; -1 for none."""
        for zone in pack.zones:
            start, end = zone.cells
            self.zones[start:end] = [zone.index] * (end - start)
        self.empty = [
            (*zone.cells, self.first[slice(*zone.cells)], zone.shape is Shape.BAG)
            for zone in pack.zones
        ]
        """For each zone: its cells, what they hold at first, and whether these are bags."""
        self.position = [
            (*pack.zones[index].cells, pack.zones[index].shape is Shape.BAG)
            for index in pack.repeats
        ]
        """The cells that tell one position from another, and whether they hold bags."""


class Reporter(Protocol):
    """The receiver of what effects report."""

    def say(self, text: RuleText, values: Mapping[str, Any], item: DrawnItem | None) -> None:
        """Report that a rule has something to say, at the drawn card ``item`` if one is given."""

    def unsure(self, item: DrawnItem, chosen: Entity, others: Sequence[Entity]) -> None:
        """Report that a written name may stand for several things, and which was taken."""

    def unrecorded(self, kind: str, count: int, *, shared: bool = False) -> None:
        """Note that so many things of a kind came, and nobody wrote down which."""

    @property
    def line(self) -> int:
        """The line of the statement that is judged."""

    def cannot_be(self, place: int, named: Sequence[Entity]) -> None:
        """Note that nothing hidden in a place can be what a statement names."""

    def came(
        self,
        written: Sequence[DrawnItem] | None,
        what: Sequence[Entity | Sink],
        target: int | None = None,
    ) -> None:
        """Note what came, in order, and of what is written of it; only if all is traced.

        ``target`` is where it came to, if nobody was to write it.
        """

    def meant(self, start: int, end: int, what: Sequence[Entity]) -> None:
        """Note what was taken for the names at ``start`` to ``end``."""

    def undecided(self, message: str) -> None:
        """Report that what is hidden is no longer worked out."""


class _Silent:
    """Ignores everything."""

    line = 0

    def say(self, *args: object, **named: object) -> None:
        """Say nothing."""

    unsure = unrecorded = cannot_be = came = meant = undecided = say


SILENT = _Silent()
"""A reporter that ignores everything."""


class State(Journal):
    """The state of one game, and the budget of what is evaluated in it.

    ``cells`` hold all of it, in the order of ``altay_cli.compile.zones``: how the game stands, what
    lies in the places of the zones, and behind them what ``hidden`` keeps. ``players`` are the
    seats in order; ``pending`` the decisions that are due, the next one last, each above what waits
    for it; ``overdue`` those that the log passed over, which may still be answered late; ``forced``
    what happened since the last move without a question, as nothing else could; ``ended_by`` the
    trigger that settled that the game ends; ``watched`` whether triggers are looked at after each
    change; ``repeats`` how often the position has been there, as ``remember`` counts. ``words`` say
    things in the language of the report; ``reporter`` is told what effects find out; ``calm`` is
    the mark of the moment since which nothing has changed and at which no trigger held;
    ``complete`` says that everything must be written down; ``hidden`` knows what may be where
    nobody wrote it down, and ``hides`` whether anything was ever so; ``rest`` is what a statement
    tells beyond the draw that was made last. ``able``, which it is handed,
    makes what tells who can move.
    """

    __slots__ = (
        "_able",
        "_carrying",
        "_met",
        "calm",
        "complete",
        "hidden",
        "language",
        "layout",
        "options",
        "pack",
        "reporter",
        "rest",
        "words",
    )

    def __init__(
        self,
        pack: Pack,
        options: Mapping[str, str],
        language: str = "en",
        account: Account | None = None,
        able: Callable[[State], Able] | None = None,
    ) -> None:
        self.layout = pack.kept(Layout)
        super().__init__(self.layout.first, account)
        self.pack = pack
        self.options = dict(options)
        self.reporter: Reporter = SILENT
        tallies = [zone for zone in pack.zones if zone.tally]
        self.hidden = Knowledge(
            self, frozenset(place for zone in tallies for place in range(*zone.cells))
        )
        self.complete = False
        self.rest: Drawn = UNRECORDED
        self.calm = NEVER
        self.language = language
        self.words = words_of(pack, language)
        self._able = None if able is None else able(self)
        self._carrying = False
        self._met: dict[tuple[Hashable, ...], int] = {}
        """The positions that have been met, each with the cell that counts how often."""

    # ------------------------------------------------------------ how the game stands

    @property
    def players(self) -> list[Entity]:
        """The seats in order."""
        return self.cells[PLAYERS]  # type: ignore[no-any-return]

    @property
    def pending(self) -> tuple[Waiting, ...]:
        """The decisions that are due, and what waits for them."""
        return self.cells[PENDING]  # type: ignore[no-any-return]

    @property
    def overdue(self) -> tuple[Waiting, ...]:
        """The decisions that the log passed over."""
        return self.cells[OVERDUE]  # type: ignore[no-any-return]

    @property
    def forced(self) -> tuple[Forced, ...]:
        """What happened since the last move without a question."""
        return self.cells[FORCED]  # type: ignore[no-any-return]

    @property
    def ended_by(self) -> str | None:
        """The trigger that settled that the game ends."""
        return self.cells[ENDED_BY]  # type: ignore[no-any-return]

    @property
    def hides(self) -> bool:
        """Whether anything was ever hidden."""
        return self.hidden.hides

    @property
    def watched(self) -> bool:
        """Whether triggers are looked at after each change."""
        return self.cells[WATCHED]  # type: ignore[no-any-return]

    @property
    def repeats(self) -> int:
        """How often the position has been there."""
        return self.cells[REPEATS]  # type: ignore[no-any-return]

    def held(self, zone: int, *keys: Entity) -> Any:
        """Return what lies in a place of a zone, given by its index; by key where one is open."""
        per = self.pack.zones[zone].per
        if len(keys) == len(per):
            return self.cells[self.place(zone, *keys)]
        kind = per[len(keys)]
        things = self.players if kind == "player" else self.pack.entities[kind]
        return {thing: self.held(zone, *keys, thing) for thing in things}

    def place(self, zone: int, *keys: Entity) -> int:
        """Return the number of a place of a zone, given by its index."""
        found = self.pack.zones[zone]
        steps = zip(found.steps, keys, strict=True)
        return found.first + sum([step * key.index for step, key in steps])

    def places(self, zone: int) -> Iterator[tuple[tuple[Entity, ...], int]]:
        """Yield the places of a zone, each with what it belongs to."""
        things = [
            self.players if kind == "player" else self.pack.entities[kind]
            for kind in self.pack.zones[zone].per
        ]
        return ((keys, self.place(zone, *keys)) for keys in product(*things))

    # ------------------------------------------------------------ changing

    def add(self, place: int, item: Entity, delta: int) -> None:
        """Add ``delta`` of ``item`` to a bag, or take as many away; never below zero."""
        bag: Bag = self.cells[place]
        old = bag.get(item, 0)
        new = old + delta
        if new <= 0 and not old:
            return
        self.left -= len(bag) >> 1
        if self.left < 0:
            self.refill()
        made = bag.like()
        if new > 0:
            made[item] = new
        else:
            del made[item]
        self.put(place, made)

    def mistrust(self, place: int) -> None:
        """Take note that the log was wrong about a bag."""
        made: Bag = self.cells[place].like()
        made.unknown = made.unknown._replace(unsure=True)
        self.put(place, made)

    def reset(self, *zones: int) -> None:
        """Empty zones, given by their indexes."""
        self.charge(2 * len(zones))
        cells = self.cells
        for index in zones:
            start, end, empty, bags = self.layout.empty[index]
            if cells[start:end] == empty and not (bags and self.hides):
                continue
            nothing = empty[0]
            for cell in range(start, end):
                if cells[cell] is not nothing:
                    if bags and cells[cell].unknown.hidden:
                        self.hidden.pour(cell, None)
                    self.put(cell, nothing)

    def seat(self, player: Entity) -> None:
        """Give ``player`` the next seat; a table has no room for many more than the game allows."""
        if len(self.players) < self.pack.most + SPARE_SEATS:
            self.put(PLAYERS, [*self.players, player])

    # ------------------------------------------------------------ effects
    #
    # Generated code calls these. Effects never fail: what is not there is not moved. Whether a
    # move was legal has been decided before; an illegal one is carried out as far as it goes, so
    # that reading can go on.

    def move_all(self, source: int | None, target: int | None, *, top: bool = False) -> None:
        """Move all that is in ``source``; on ``top`` of a pile it keeps its order."""
        if source is None:
            return
        held = self.cells[source]
        if isinstance(held, Bag):
            self.move_bag(source, target, held, top=top)
            return
        self.charge(len(held))
        for item in reversed(held) if top else held:
            self.move_one(source, target, item, top=top)

    def move_bag(
        self,
        source: int | None,
        target: int | None,
        what: Bag | None,
        factor: int = 1,
        *,
        top: bool = False,
    ) -> None:
        """Move what a bag names, ``factor`` times; never more than is there."""
        if what is None or factor <= 0:
            return
        cells = self.cells
        there: object = None if source is None else cells[source]
        if source is not None and what is there and what.unknown.hidden:
            self.hidden.pour(source, target)
            there = cells[source]
            what = cells[source]
        if not what:
            return
        self.left -= (2 + MOVE_STEPS) * len(what)
        if self.left < 0:
            self.refill()
        if type(there) is tuple or (target is not None and type(cells[target]) is tuple):
            for item, count in what.items():
                self.move_one(source, target, item, count * factor, top=top)
            return
        moved: Mapping[Entity, int] = what
        if source is not None:
            moved = self._take_out(source, what, factor)
            factor = 1
        if target is not None:
            made: Bag = cells[target].like()
            for item, count in moved.items():
                if count:
                    made[item] = made.get(item, 0) + count * factor
            self.put(target, made)

    def _take_out(self, source: int, what: Bag, factor: int) -> Mapping[Entity, int]:
        """Take out of a bag what another names, and return how much of it that is."""
        there: Bag = self.cells[source]
        if what is there:
            left = NOTHING
            if what.unknown is not ALL_KNOWN:
                left = Bag()
                left.unknown = what.unknown
            self.put(source, left)
            return what
        left, moved = there.like(), {}
        for item, count in what.items():
            lying = there.get(item, 0)
            moved[item] = taken = min(count * factor, lying)
            if lying > taken:
                left[item] = lying - taken
            elif lying:
                del left[item]
        self.put(source, left)
        return moved

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
        self.left -= MOVE_STEPS
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
                self.charge(len(held) * (3 + (count >> 2)))
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
        if count > 0 and backs:
            self.hidden.deal(source, target, count, None, backs)
        elif count > 0:
            self.hidden.draw(source, target, count)

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

    def raise_by(self, place: int, value: int, bounds: Bounds = (None, None)) -> None:
        """Add to a number, as far as its bounds allow."""
        self.put(place, _within(add(self.cells[place], value), bounds))

    def put_within(self, place: int, value: int, bounds: Bounds) -> None:
        """Set a number to ``value``, clamped to its bounds."""
        self.put(place, _within(value, bounds))

    def ask(self, decision: str, times: int, who: Entity, about: Values) -> None:
        """Put a decision before a player; with ``times`` of 0 nothing is due."""
        if times > 0:
            self.charge(len(self.pending))
            pending = Pending(decision, who, times, about)
            self.put(PENDING, (*self.pending, pending))

    def start(self, effects: Effects, values: Values) -> None:
        """Carry out effects that wait for answers, up to the first question."""
        if effects.steps is None:
            effects.fn(self, values)
        else:
            waiting.start(self, effects.steps, values)

    def halt(self) -> None:
        """Leave out all that waits for answers, and the rest of what is being carried out.

        Raises:
            Halted: always.

        """
        self.put(PENDING, ())
        raise Halted

    def set_off(self, trigger: Trigger) -> None:
        """Carry out a trigger whose condition holds; if it halts, other triggers still follow."""
        with suppress(Halted):
            self._carry_out(trigger)

    def _carry_out(self, trigger: Trigger) -> None:
        before = self.ending
        try:
            trigger.does.fn(self, {})
        finally:
            if self.ending and not before:
                self.put(ENDED_BY, trigger.id)

    def changed(self, *triggers: Trigger) -> None:
        """Look at triggers after a change; not while one of them is carried out."""
        if self.watched and not self._carrying:
            self._carrying = True
            try:
                for trigger in triggers:
                    if trigger.when.fn(self, {}):
                        self._carry_out(trigger)
            finally:
                self._carrying = False

    def draw(self, effect: DrawEffect, values: Mapping[str, object]) -> None:
        """Bring what chance brought, see ``altay_cli.match.drawing``."""
        from altay_cli.match.drawing import draw

        draw(self, effect, values, self.reporter)

    def say(self, text: RuleText, values: Mapping[str, object]) -> None:
        """Report what a rule has to say."""
        self.reporter.say(text, values, None)

    # ------------------------------------------------------------ looking back

    def digest(self) -> int:
        """Return what identifies a position in which nothing is due: the contents of all zones."""
        return hash(tuple(map(frozen, self.cells[REPEATS + 1 : len(self.layout.first)])))

    def remember(self, *, first: bool = False) -> None:
        """Count the present position once more, if it differs from the last.

        With ``first``, only where none has been counted yet.
        """
        last = self.cells[POSITION]
        if not self.pack.repeats or (first and last is not None):
            return
        parts: list[Hashable] = []
        for start, end, bags in self.layout.position:
            held = self.cells[start:end]
            parts += map(frozen, held) if bags else held
        key = tuple(parts)
        self.charge(8 * len(self.pack.repeats))
        if key == last:
            return
        self.put(POSITION, key)
        cell = self._met.get(key)
        if cell is None:
            cell = self._met[key] = self.fresh(0)
        self.put(cell, self.cells[cell] + 1)
        self.put(REPEATS, self.cells[cell])

    # ------------------------------------------------------------ scores

    @contextmanager
    def exactly(self) -> Iterator[None]:
        """Let rules read inside of this what lies hidden as well, where it can be only one.

        What is known to lie in a bag is no more than a bound where more may lie there: to read that
        raises an ``UnrecordedError``.
        """
        before = self.exact, self.sized
        self.exact, self.sized = True, False
        try:
            yield
        finally:
            self.exact, self.sized = before

    def can_hold(self, condition: Expr, values: Callable[[], Values]) -> bool:
        """Return whether a condition holds with some of what may lie hidden where it looks.

        If so, no more is believed to lie there than that. ``values`` makes those that it is asked
        with.

        Raises:
            UnrecordedError: if what may lie there cannot be gone through.

        """

        def ask() -> bool:
            with self.exactly():
                return bool(condition.fn(self, values()))

        def unknown() -> bool:
            raise UnrecordedError(UNKNOWN_CONTENT)

        return self.hidden.can_hold(ask, unknown)

    def laid_open(self, value: object) -> object:
        """Return a value that is compared: a bag with what lies hidden in it."""
        return known(self, value) if isinstance(value, Bag) else value

    def score(self, player: Entity | None, category: str | None = None) -> int:
        """Return the points of a player in all, or in one category.

        Raises:
            LookupError: if there is no such category.
            UnrecordedError: if nobody recorded what they depend on.

        """
        counted = [
            scorer
            for one, scorer in zip(self.pack.categories, self.pack.scorers, strict=True)
            if (one.counts if category is None else one.id == category)
        ]
        if category is not None and not counted:
            raise LookupError(f"there is no score category {category}")
        with self.exactly():
            return sum(scorer(self, {"me": player}, None) for scorer in counted)

    # ------------------------------------------------------------ looking ahead

    def leads_to(self, effects: Effects, values: Values, that: Expr | None) -> bool:
        """Return whether something holds once effects are carried out; they are taken back.

        None holds in any case.
        """
        reporter, self.reporter = self.reporter, SILENT
        try:
            with self.supposing():
                with suppress(Halted):
                    effects.fn(self, values)
                return that is None or bool(that.fn(self, values))
        finally:
            self.reporter = reporter

    def able(self, player: Entity | None, move: str | None = None) -> bool:
        """Return whether a player has a legal move in a turn, or one of a certain kind."""
        if self._able is None:
            message = "whether a player can move is not asked here"
            raise ExpressionError("unable", message)
        return self._able(player, move)

    # ------------------------------------------------------------ undoing

    def forget(self) -> None:
        """Forget how to undo what has been played so far, to save memory."""
        super().forget()
        self.calm = NEVER

    def undo(self, mark: int) -> None:
        """Take back all changes since ``mark``."""
        if mark < self.calm:
            self.calm = NEVER
        super().undo(mark)

    def changes(self, mark: int) -> frozenset[tuple[int, object]]:
        """Return what has changed since ``mark``, for comparing one move to another.

        What is believed of hidden things is left out: it follows from what was done with them. What
        stands for one of several things is as good as another such.
        """
        end = len(self.layout.first)
        return frozenset(
            (cell, _told(self.cells[cell]))
            for cell, old in self.since(mark).items()
            if cell < end and _told(old) != _told(self.cells[cell])
        )

    # ------------------------------------------------------------ the course of the game

    @property
    def due(self) -> Pending | None:
        """The decision that must be answered next."""
        found = self.pending[-1] if self.pending else None
        return found if isinstance(found, Pending) else None

    @property
    def late(self) -> Pending | None:
        """The decision that the log passed over last."""
        found = self.overdue[-1] if self.overdue else None
        return found if isinstance(found, Pending) else None

    def status(self, key: str) -> Any:
        """Return what the pack says of the course of the game: "ended", "round", "active".

        None if it says nothing, or where that cannot be evaluated; see ``status_fault``.
        """
        expr = self.pack.status.get(key)
        if expr is None:
            return None
        try:
            return expr.fn(self, {})
        except ExpressionError:
            return None

    def status_fault(self) -> str | None:
        """Return why some part of the status cannot be evaluated, or None.

        Raises:
            BudgetError: if that takes too much.

        """
        for key, expr in self.pack.status.items():
            try:
                expr.fn(self, {})
            except BudgetError:
                raise
            except ExpressionError as error:
                return f"{key}: {reason(error, self.pack)}"
        return None

    @property
    def ended(self) -> bool:
        """Whether the rules say that the game is over."""
        return self.status("ended") is True or any(
            self._holds_now(ending.when) for ending in self.pack.endings
        )

    def _holds_now(self, condition: Expr) -> bool:
        try:
            return bool(condition.fn(self, {}))
        except ExpressionError:
            return False

    @property
    def ending(self) -> bool:
        """Whether it is settled that the game ends, or has ended."""
        return self.status("ending") is True or self.ended

    @property
    def round(self) -> int:
        """The number of the round; 0 if there are none."""
        found = self.status("round")
        return found if isinstance(found, int) else 0

    # ------------------------------------------------------------ words

    def name(self, item: Entity) -> str:
        """Return the name of a thing, for people."""
        return self.words.name(item)

    def word(self, text: str) -> str:
        """Return a title or text of the rules in the language of the report."""
        return self.words.word(text)

    def text(self, value: object) -> str:
        """Return a value in words: names, counted lists, "nothing"."""
        return self.words.text(value)

    def said(self, message: Message, values: Mapping[str, object]) -> str:
        """Return a message with its expressions evaluated; `?` for those that fail."""
        parts = []
        for part in self.words.parts(message):
            if isinstance(part, str):
                parts.append(part)
                continue
            try:
                parts.append(self.text(part.fn(self, values)))
            except ExpressionError:
                parts.append("?")
        return "".join(parts)

    def wording(self, message: Message, values: Mapping[str, object]) -> Wording:
        """Return a text of the rules with what its expressions are now.

        Raises:
            ExpressionError: if one of them has no value.

        """
        return Wording(
            message,
            tuple(
                part if isinstance(part, str) else part.fn(self, values) for part in message.parts
            ),
            self.words,
        )


def _told(value: object) -> object:
    """Return a value as text, by which it can be compared."""
    if isinstance(value, Bag):
        return frozenset((repr(item), count) for item, count in value.items()), value.unknown[:3]
    return repr(value)

"""The state of a game: zones, players, decisions that are due, and the journal of changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from altay_cli.base.budget import Account, Budget
from altay_cli.base.errors import BudgetError, ExpressionError
from altay_cli.base.values import UNRECORDED, Bag, Drawn, DrawnItem, Entity, Grid, copy_of
from altay_cli.compile.functions import known
from altay_cli.compile.model import (
    DrawEffect,
    Effects,
    Expr,
    Message,
    Pack,
    RuleText,
    Shape,
    Trigger,
    Zone,
)
from altay_cli.expressions.runtime import add, pay_for
from altay_cli.hidden.course import Sink
from altay_cli.hidden.hidden import Group, Hidden
from altay_cli.match import waiting
from altay_cli.match.waiting import Forced, Halted, Pending, Waiting
from altay_cli.pack.faults import reason
from altay_cli.pack.words import Wording, words_of

if TYPE_CHECKING:
    from altay_cli.moves.listing import Lister

Values = dict[str, Any]
"""The values of local names at some moment."""

NEVER = -1
"""The mark of no moment."""

_GONE = object()
_ALL = object()

SPARE_SEATS = 4
"""How many surplus players a state accepts, so that a log with a slip can be read."""

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


def _nothing() -> None:
    """Return None: the value of an empty place for one thing."""


_MAKERS: Mapping[Shape, Callable[[], Any]] = {
    Shape.BOOL: bool, Shape.ENTITY: _nothing, Shape.BAG: Bag, Shape.PILE: tuple,
}  # fmt: skip
"""What makes an empty zone of one place that holds no number, by its shape."""


def _maker(zone: Zone) -> Callable[[], object]:
    """Return what makes an empty zone of one place."""
    if zone.shape is not Shape.INT:
        return _MAKERS[zone.shape]
    first = _within(0, (zone.least, zone.most))
    return (lambda: first) if first else int


def _empty(zone: Zone) -> object:
    """Return the zone with nothing in it, for all places."""
    make = _maker(zone)
    for _ in zone.per[1:]:
        make = partial(Grid, make)
    return Grid(make) if zone.per else make()


def frozen(value: Any) -> Hashable:
    """Return a hashable value for what a zone holds; empty places do not count."""
    if isinstance(value, Grid):
        pairs = value.items()
        if any(isinstance(part, dict) for part in value.values()):
            pairs = {key: frozen(part) for key, part in pairs}.items()
        return frozenset([pair for pair in pairs if pair[1]])
    if isinstance(value, Bag):
        hidden = value.unknown.hidden
        return (frozenset(value.items()), hidden) if value or hidden else None
    if isinstance(value, list):
        return tuple(value)
    return value  # type: ignore[no-any-return]


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

    @property
    def asks_why(self) -> bool:
        """Whether it will be told why something cannot be, and is not known yet."""

    def doubt(self, told: tuple[str, ...]) -> None:
        """Note that what a statement names cannot be where it should, and what is known of it."""

    def came(
        self,
        written: Sequence[DrawnItem] | None,
        what: Sequence[Entity | Sink],
        target: Bag | None = None,
    ) -> None:
        """Note what came, in order, and of what is written of it; only if all is traced.

        ``target`` is where it came to, if nobody was to write it.
        """

    def meant(self, start: int, end: int, what: Sequence[Entity]) -> None:
        """Note what was taken for the names at ``start`` to ``end``."""

    def undecided(self, limit: int) -> None:
        """Report that what is hidden is no longer worked out: it can be too much."""


class _Silent:
    """Ignores everything."""

    line = 0
    asks_why = False

    def say(self, *args: object, **named: object) -> None:
        """Say nothing."""

    unsure = unrecorded = doubt = came = meant = undecided = say


SILENT = _Silent()
"""A reporter that ignores everything."""

End = Bag | tuple[Any, object] | None
"""Where things are moved from or to: a bag, a pile (``container[key]``), or out of the game."""


class State(Budget):
    """The state of one game, and the budget of what is evaluated in it.

    ``z`` holds the zones in the order of the pack; ``players`` the seats in order; ``pending`` the
    decisions that are due, the next one last, each above what waits for it; ``overdue`` those that
    the log passed over, which may still be answered late; ``forced`` what happened since the last
    move without a question, as nothing else could; ``ended_by`` the trigger that settled
    that the game ends; ``watched`` whether triggers are looked at after each change; ``words`` say
    things in the language of the report; ``reporter`` is told what effects find out; ``calm`` is
    the mark of the moment since which nothing has changed and at which no trigger held;
    ``complete`` says that everything must be written down; ``hidden`` knows what may be where
    nobody wrote it down, and ``hides`` whether anything was ever so; ``repeats`` is how often the
    position has been there, as ``remember`` counts; ``rest`` what a statement tells beyond the draw
    that was made last; ``idle`` are listers that can find out who can move. Every change goes
    through ``put`` or ``mark`` and can be undone: ``undo(mark)`` restores the state at
    ``mark = state.mark()`` exactly.
    """

    __slots__ = (
        "_journal",
        "_last",
        "_past",
        "calm",
        "complete",
        "ended_by",
        "forced",
        "hidden",
        "hides",
        "idle",
        "language",
        "options",
        "overdue",
        "pack",
        "pending",
        "players",
        "repeats",
        "reporter",
        "rest",
        "watched",
        "words",
        "z",
    )

    def __init__(
        self,
        pack: Pack,
        options: Mapping[str, str],
        language: str = "en",
        account: Account | None = None,
    ) -> None:
        super().__init__(account=account)
        self.pack = pack
        self.options = dict(options)
        self.z: list[Any] = [_empty(zone) for zone in pack.zones]
        self.players: list[Entity] = []
        self.pending: tuple[Waiting, ...] = ()
        self.overdue: tuple[Waiting, ...] = ()
        self.forced: tuple[Forced, ...] = ()
        self.ended_by: str | None = None
        self.watched = False
        self.reporter: Reporter = SILENT
        self.hidden = Hidden(self)
        self.hides = False
        self.complete = False
        self.rest: Drawn = UNRECORDED
        self._journal: list[tuple[Any, Any, object]] = []
        self.calm = NEVER
        self._past: dict[tuple[Hashable, ...], int] = {}
        self._last: tuple[Hashable, ...] | None = None
        self.repeats = 0
        self.language = language
        self.words = words_of(pack, language)
        self.idle: list[Lister] | None = None

    # ------------------------------------------------------------ changing

    def put(self, container: Any, key: object, value: object) -> None:
        """Set ``container[key]``."""
        if isinstance(container, dict):
            self._journal.append((container, key, dict.get(container, key, _GONE)))
        else:
            self._journal.append((container, key, container[key]))
        container[key] = value

    def add(self, bag: Bag, item: Entity, delta: int) -> None:
        """Add ``delta`` of ``item`` to ``bag``, or take as many away; never below zero."""
        old = bag.get(item, 0)
        new = old + delta
        if new > 0:
            self._journal.append((bag, item, old or _GONE))
            bag[item] = new
        elif old:
            # The order of a bag is part of the state: what is listed first is named first.
            self.left -= 2 * len(bag)
            if self.left < 0:
                self.refill()
            self._journal.append((bag, _ALL, dict.copy(bag)))
            del bag[item]

    def attribute(self, owner: object, name: str, value: object) -> None:
        """Set an attribute of a bag or of the state itself."""
        self._journal.append((_Attribute(owner), name, getattr(owner, name)))
        setattr(owner, name, value)

    def mistrust(self, bag: Bag) -> None:
        """Take note that the log was wrong about a bag."""
        self.attribute(bag, "unknown", bag.unknown._replace(unsure=True))

    def reset(self, *zones: int) -> None:
        """Empty zones, given by their indexes."""
        self.charge(2 * len(zones))
        for index in zones:
            held = self.z[index]
            if held or isinstance(held, Bag):  # all else is what is made for an empty zone
                self.put(self.z, index, _empty(self.pack.zones[index]))

    def seat(self, player: Entity) -> None:
        """Give ``player`` the next seat; a table has no room for many more than the game allows."""
        if len(self.players) >= self.pack.most + SPARE_SEATS:
            return
        self.attribute(self, "players", [*self.players, player])

    # ------------------------------------------------------------ effects
    #
    # Generated code calls these. Effects never fail: what is not there is not moved. Whether a
    # move was legal has been decided before; an illegal one is carried out as far as it goes, so
    # that reading can go on.

    def move_all(self, source: End, target: End, *, top: bool = False) -> None:
        """Move all that is in ``source``; on ``top`` of a pile it keeps its order."""
        if isinstance(source, Bag):
            if source.unknown.hidden:
                self.hidden.pour(source, target if isinstance(target, Bag) else Bag())
            self.move_bag(source, target, source, top=top)
        elif source is not None:
            container, key = source
            self.charge(len(container[key]))
            for item in reversed(container[key]) if top else container[key]:
                self.move_one(source, target, item, top=top)

    def move_bag(
        self, source: End, target: End, what: Bag | None, factor: int = 1, *, top: bool = False
    ) -> None:
        """Move what a bag names, ``factor`` times; never more than is there."""
        if what is None or factor <= 0:
            return
        if what is source and what.unknown.hidden:
            self.hidden.pour(what, target if isinstance(target, Bag) else Bag())
        if not what:
            return
        self.left -= (2 + MOVE_STEPS) * len(what)
        if self.left < 0:
            self.refill()
        if isinstance(source, tuple) or isinstance(target, tuple):
            for item, count in list(what.items()):
                self.move_one(source, target, item, count * factor, top=top)
            return
        journal, moved = self._journal, dict(what)
        if what is source:
            journal.append((source, _ALL, moved))
            source.clear()
            factor = 1
        elif source is not None:
            for item, count in what.items():
                there = source.get(item, 0)
                moved[item] = taken = min(count * factor, there)
                if there > taken:
                    journal.append((source, item, there))
                    source[item] = there - taken
                elif there:
                    self.add(source, item, -there)
            factor = 1
        if target is not None:
            for item, count in moved.items():
                if count:
                    old = target.get(item, 0)
                    journal.append((target, item, old or _GONE))
                    target[item] = old + count * factor

    def move_one(
        self, source: End, target: End, item: Entity | None, count: int = 1, *, top: bool = False
    ) -> None:
        """Move one thing, ``count`` times; never more often than it is there."""
        if item is None:
            return
        self.left -= MOVE_STEPS
        if self.left < 0:
            self.refill()
        if isinstance(source, Bag):
            there = source.get(item, 0)
            count = min(count, there)
            if count > 0:
                self.add(source, item, -count)
        elif source is not None:
            container, key = source
            pile = list(container[key])
            count = min(count, pile.count(item))
            # What was there before is kept, to be put back: it counts as well.
            self.charge(len(pile) * (3 + (count >> 2)))
            for _ in range(count):
                pile.remove(item)
            if count > 0:
                self.put(container, key, tuple(pile))
        if count <= 0 or target is None:
            return
        if isinstance(target, Bag):
            self.add(target, item, count)
        else:
            container, key = target
            pay_for(self, count, len(container[key]))
            self.charge(2 * len(container[key]))
            pile, more = container[key], [item] * count
            self.put(container, key, (*more, *pile) if top else (*pile, *more))

    def hide(self, source: Bag, target: Bag, count: int, backs: tuple[str, ...] = ()) -> None:
        """Move ``count`` things that nobody named from ``source`` to ``target``.

        ``backs`` are the fields that are seen of them, if they are to be told one by one.
        """
        count = min(count, source.size())
        if count > 0 and backs:
            self.hidden.deal(source, target, count, None, backs)
        elif count > 0:
            self.hidden.draw(source, target, count)

    def reveal(self, bag: Bag, item: Entity | None, count: int) -> None:
        """Let things of ``bag`` that nobody named be ``item``, until there are ``count`` of it.

        Nothing changes where they cannot be.
        """
        while item is not None and bag.unknown.hidden > 0 and bag.get(item, 0) < count:
            if self.hidden.reveal((bag,), (item,)) is None:
                return
            self.add(bag, item, 1)

    def raise_by(
        self, container: Any, key: object, value: int, bounds: Bounds = (None, None)
    ) -> None:
        """Add to a number, as far as its bounds allow."""
        self.put(container, key, _within(add(container[key], value), bounds))

    def put_within(self, container: object, key: object, value: int, bounds: Bounds) -> None:
        """Set a number to ``value``, clamped to its bounds."""
        self.put(container, key, _within(value, bounds))

    def ask(self, decision: str, times: int, who: Entity, about: Values) -> None:
        """Put a decision before a player; with ``times`` of 0 nothing is due."""
        if times > 0:
            self.charge(len(self.pending))
            pending = Pending(decision, who, times, about)
            self.attribute(self, "pending", (*self.pending, pending))

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
        self.attribute(self, "pending", ())
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
                self.attribute(self, "ended_by", trigger.id)

    def changed(self, *triggers: Trigger) -> None:
        """Look at triggers after a change; not while one of them is carried out."""
        if self.watched:
            self.watched = False
            try:
                for trigger in triggers:
                    if trigger.when.fn(self, {}):
                        self._carry_out(trigger)
            finally:
                self.watched = True

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
        return hash(tuple(map(frozen, self.z)))

    def remember(self, *, first: bool = False) -> None:
        """Count the present position once more, if it differs from the last.

        With ``first``, only where none has been counted yet.
        """
        if not self.pack.repeats or (first and self._past):
            return
        key = tuple(frozen(self.z[index]) for index in self.pack.repeats)
        self.charge(8 * len(key))
        if key == self._last:
            return
        self.attribute(self, "_last", key)
        times = self._past.get(key, 0) + 1
        self.put(self._past, key, times)
        self.attribute(self, "repeats", times)

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
        mark, reporter = self.mark(), self.reporter
        self.reporter = SILENT
        try:
            with suppress(Halted):
                effects.fn(self, values)
            return that is None or bool(that.fn(self, values))
        finally:
            self.reporter = reporter
            self.undo(mark)

    def able(self, player: Entity | None, move: str | None = None) -> bool:
        """Return whether a player has a legal move in a turn, or one of a certain kind."""
        from altay_cli.moves.listing import able

        return able(self, player, move)

    # ------------------------------------------------------------ undoing

    def forget(self) -> None:
        """Forget how to undo what has been played so far, to save memory."""
        self._journal.clear()
        self.calm = NEVER

    def mark(self) -> int:
        """Return a mark that ``undo`` goes back to."""
        return len(self._journal)

    def undo(self, mark: int) -> None:
        """Take back all changes since ``mark``."""
        self.calm = NEVER
        while len(self._journal) > mark:
            container, key, old = self._journal.pop()
            if isinstance(container, _Attribute):
                setattr(container.owner, key, old)
            elif key is _ALL:
                container.clear()
                container.update(old)
            elif old is _GONE:
                dict.pop(container, key, None)
            else:
                container[key] = old

    def rewind(self, mark: int) -> list[tuple[object, object, object, object]]:
        """Take back all changes since ``mark``; return what ``replay`` makes them again with."""
        found = []
        while len(self._journal) > mark:
            container, key, old = self._journal[-1]
            if isinstance(container, _Attribute):
                new = getattr(container.owner, key)
            elif key is _ALL:
                new = dict.copy(container)
            elif isinstance(container, dict):
                new = dict.get(container, key, _GONE)
            else:
                new = container[key]
            found.append((container, key, old, new))
            self.undo(len(self._journal) - 1)
        return found

    def replay(self, changes: list[tuple[object, object, object, object]]) -> None:
        """Make changes again that were taken back, the last one taken back first."""
        for container, key, old, new in reversed(changes):
            self._journal.append((container, key, new))
            self.undo(len(self._journal) - 1)
            self._journal.append((container, key, old))

    def changes(self, mark: int) -> frozenset[tuple[int, str, str]]:
        """Return what has changed since ``mark``, for comparing one move to another.

        What is believed of hidden things is left out: it follows from what was done with them. What
        stands for one of several things is as good as another such.
        """
        found = set()
        beliefs = self.hidden.kept()
        for container, key, _ in self._journal[mark:]:
            if isinstance(container, _Attribute):
                if not isinstance(container.owner, Group) and id(container.owner) not in beliefs:
                    found.add((id(container.owner), key, repr(getattr(container.owner, key))))
            elif id(container) in beliefs:
                continue
            elif key is _ALL:
                found.add((id(container), "", repr(dict(container))))
            else:
                value = container.get(key) if isinstance(container, dict) else container[key]
                found.add((id(container), repr(key), repr(value)))
        return frozenset(found)

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
        return self.words.text(self._kept(value))

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
                part if isinstance(part, str) else self._kept(part.fn(self, values))
                for part in message.parts
            ),
            self.words,
        )

    def _kept(self, value: object) -> object:
        """Return a copy of a value that later changes of the state do not reach."""
        if isinstance(value, Bag):
            return copy_of(value)
        if isinstance(value, list | tuple):
            self.charge(4 * len(value))
            return tuple(map(self._kept, value))
        return value


class _Attribute:
    """Marks a journal entry that is about an attribute."""

    __slots__ = ("owner",)

    def __init__(self, owner: object) -> None:
        self.owner = owner

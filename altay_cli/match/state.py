"""The state of a game: zones, players, decisions that are due, and the journal of changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from altay_cli.base.budget import CONTENTS, SIZES, Account
from altay_cli.base.findings import (
    UNKNOWN_CONTENT,
    Bilingual,
    EvaluationError,
    ExpressionError,
    Text,
    UnrecordedError,
)
from altay_cli.base.journal import InCell
from altay_cli.base.translations import ENGLISH
from altay_cli.base.values import Bag, Entity, UnrecordedValue
from altay_cli.hidden.knowledge import Knowledge
from altay_cli.match import drawing, operations
from altay_cli.match.operations import Forced, Halted, Operations, Pending, Values, Waiting
from altay_cli.pack.functions import known
from altay_cli.pack.model import Check, Effects, Expr, Message, Pack, Phase, Trigger
from altay_cli.pack.table import (
    ENDED_BY,
    FORCED,
    OVERDUE,
    PENDING,
    POSITION,
    REPEATS,
    REPORTER,
    SILENT,
    UNREAD,
    WATCHED,
    Layout,
)
from altay_cli.pack.words import words_for_findings, words_of

Able = Callable[[Entity | None, str | None], bool]
"""Tells whether a player has a legal move in a turn, or one of a certain kind."""

NEVER = -1
"""The mark of no moment."""


def unable(_: Entity | None, __: str | None = None) -> bool:
    """Tell nothing of who can move, where that is not to be asked."""
    raise EvaluationError("unable", "whether a player can move is not asked here")


def frozen(value: Any) -> Hashable:
    """Return a hashable value for what a cell holds."""
    return (frozenset(value.items()), value.unknown.hidden) if isinstance(value, Bag) else value


class State(Operations):
    """The state of one game, and the budget of what is evaluated in it.

    ``cells`` hold all of it, in the order of ``altay_cli.pack.table``: how the game stands, what
    lies in the places of the zones, and behind them what ``hidden`` keeps. ``words`` say
    things in the language of the report, and ``finding_words`` in English as well; ``calm`` is the
    mark of the last moment at which it was seen that no trigger holds, NEVER if there is none.
    ``able`` tells who can move; it is handed what makes that of a state. ``memo`` is what functions
    of the rules tell while nothing changes: whoever lists moves, or asks what they are worth,
    empties it first.
    """

    __slots__ = ("_met", "able", "calm", "laid_out", "language", "may_end", "memo")

    def __init__(
        self,
        pack: Pack,
        options: Mapping[str, str],
        language: str = "en",
        account: Account | None = None,
        able: Callable[[State], Able] | None = None,
        *,
        complete: bool = False,
    ) -> None:
        self.layout = pack.cached(Layout)
        super().__init__(self.layout.first, account)
        self.pack = pack
        self.options = dict(options)
        self.hidden = Knowledge(self, self.layout.tallies, partial(operations.replace, self))
        self.complete = complete
        self.laid_out: Phase | None = None
        """The section from which the game began, once that has been read."""
        self.may_end = True
        """Whether rules that ask if the game has ended are answered; else it has not."""
        self.calm = NEVER
        self.memo: dict[object, Any] = {}
        self.language = language
        self.words = words_of(pack, language)
        self.finding_words = words_for_findings(pack, language)
        self.able: Able = unable if able is None else able(self)
        # The positions that have been met, each with the cell that counts how often.
        self._met: dict[tuple[Hashable, ...], int] = {}

    pending = InCell[tuple[Waiting, ...]](PENDING)
    """The decisions that are due, the next one last, each above what waits for it."""
    overdue = InCell[tuple[Waiting, ...]](OVERDUE)
    """The decisions that the log passed over, which may still be answered late."""
    forced = InCell[tuple[Forced, ...]](FORCED)
    """What happened since the last move without a question, as nothing else could."""
    ended_by = InCell[str | None](ENDED_BY)
    """The trigger that settled that the game ends."""
    repeats = InCell[int](REPEATS)
    """How often the position has been there, as ``remember`` counts."""
    unread = InCell[bool](UNREAD)
    """Whether the last statement could not be read."""

    # ------------------------------------------------------------ effects

    def ask(self, decision: str, times: int, who: Entity, about: Values) -> None:
        """Put a decision before a player; with ``times`` of 0 nothing is due."""
        if times > 0:
            before = self.cells[PENDING]
            self.charge(len(before))
            self.put(PENDING, (*before, Pending(decision, who, times, about)))

    draw = drawing.draw
    start = operations.start

    def halt(self) -> None:
        """Leave out all that waits for answers, and the rest of what is being carried out.

        Raises Halted.
        """
        self.put(PENDING, ())
        raise Halted

    def set_off(self, trigger: Trigger) -> None:
        """Carry out a trigger whose condition holds.

        Raises Halted if it ends what is under way.
        """
        before = self.ending
        try:
            trigger.does.fn(self, {})
        finally:
            if self.ending and not before:
                self.put(ENDED_BY, trigger.id)

    def changed(self, *triggers: Trigger) -> None:
        """Look at triggers after a change; not while one of them is carried out."""
        if self.cells[WATCHED]:
            self.put(WATCHED, False)
            try:
                for trigger in triggers:
                    if trigger.when.fn(self, {}):
                        self.set_off(trigger)
            finally:
                self.put(WATCHED, True)

    # ------------------------------------------------------------ looking back

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
            cell = self._met[key] = self.new_cell(0)
        self.put(cell, self.cells[cell] + 1)
        self.put(REPEATS, self.cells[cell])

    # ------------------------------------------------------------ scores

    @contextmanager
    def exactly(self, what: int = SIZES) -> Iterator[None]:
        """Let rules read inside of this what lies hidden as well, where it can be only one.

        What is known to lie in a bag is no more than a bound where more may lie there: to read that
        raises an ``UnrecordedError``. Of CONTENTS alone, how much lies there is read as it is.
        """
        before = self.exact, self.size_was_read
        self.exact, self.size_was_read = what, False
        try:
            yield
        finally:
            self.exact, self.size_was_read = before

    def can_hold(self, condition: Expr, values: Callable[[], Values], *, known: bool) -> bool:
        """Return whether a condition holds with some of what may lie hidden where it looks.

        ``known`` says whether it holds by what is known. If it does not, nothing is believed to lie
        there from then on with which it does not hold. ``values`` makes what it is asked with.
        Raises UnrecordedError if what may lie there cannot be gone through.
        """

        def ask(what: int = SIZES) -> bool:
            with self.exactly(what):
                return bool(condition.fn(self, values()))

        def unknown() -> bool:
            raise UnrecordedError(UNKNOWN_CONTENT)

        if known:
            return not self.hidden.never_holds(partial(ask, CONTENTS))
        return self.hidden.can_hold(ask, unknown)

    def identified(self, value: object) -> object:
        """Return a value that is compared: a bag with what lies hidden in it."""
        return known(self, value) if self.exact and isinstance(value, Bag) else value

    def score(self, player: Entity | None, category: str | None = None) -> int:
        """Return the points of a player in all, or in one category.

        Raises LookupError if there is no such category; UnrecordedError if nobody recorded what
        they depend on.
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
        mark = self.mark()
        self.put(REPORTER, SILENT)
        try:
            try:  # noqa: SIM105 - asked of every move that is listed: `suppress` is three calls
                effects.fn(self, values)
            except Halted:
                pass
            return that is None or bool(that.fn(self, values))
        finally:
            self.undo(mark)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Take back at the end whatever is changed inside of this, of which nobody is told."""
        with self.supposing():
            self.put(REPORTER, SILENT)
            yield

    @contextmanager
    def unclear(self) -> Iterator[str]:
        """Let nobody read inside of this what nobody told: to do so raises an ``UnrecordedError``.

        Yields what is said of what depends on it; nothing if all is told.
        """
        untold = [] if self.complete else [*self.pack.unrecorded_when.items()]
        zones = [self.pack.zones[zone] for zone, when in untold if when.fn(self, {})]
        titles = tuple(self.finding_words.word(zone.title) for zone in zones)
        message = Text("not judged, as nobody told of this: {zones}", zones=titles)
        with self.supposing():
            for zone in zones:
                for cell in range(*zone.cells):
                    self.put(cell, UnrecordedValue(message))
            yield message if zones else ""

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

    # ------------------------------------------------------------ the course of the game

    @property
    def due(self) -> Pending | None:
        """The decision that must be answered next."""
        pending = self.cells[PENDING]
        found = pending[-1] if pending else None
        return found if isinstance(found, Pending) else None

    @property
    def late(self) -> Pending | None:
        """The decision that the log passed over last in this turn."""
        found = self.overdue[-1] if self.overdue else None
        return found if isinstance(found, Pending) and not found.past else None

    def value(self, expr: Expr, values: Mapping[str, object], otherwise: object) -> Any:
        """Return the value of an expression, or something else where it has none."""
        try:
            return expr.fn(self, values)
        except ExpressionError:
            return otherwise

    def status(self, key: str) -> Any:
        """Return what the pack says of the course of the game: "ended", "round", "active".

        None if it says nothing, or where that cannot be evaluated.
        """
        return self.pack.standing[key](self)

    @property
    def ended(self) -> bool:
        """Whether the rules say that the game is over."""
        return bool(self.pack.standing["ended"](self))

    @property
    def ending(self) -> bool:
        """Whether it is settled that the game ends, or has ended."""
        return self.status("ending") is True or self.ended

    @property
    def round(self) -> int:
        """The number of the round; 0 if there are none."""
        found = self.status("round")
        return found if isinstance(found, int) else 0

    # ------------------------------------------------------------ checks

    def breaches(self, check: Check) -> Iterator[Values]:
        """Yield the values of names with which a check does not hold."""
        values: list[Values] = [{}]
        if check.each is not None:
            name, items = check.each
            values = [{name: item} for item in items.fn(self, {})]
        return (inner for inner in values if not check.that.fn(self, inner))

    def breaches_of_beginning(self) -> Iterator[tuple[Check, Values]]:
        """Yield the checks that the first turn does not fulfil, seen from the position."""
        for check in self.pack.checks:
            if check.begun and self.laid_out in check.after:
                for values in self.breaches(check):
                    yield check, values

    # ------------------------------------------------------------ words

    def finding_text(self, message: Message, values: Mapping[str, object]) -> str:
        """Return what ``said`` does for a finding: in English, with what the reader sees of it.

        Only the English text is paid for, so that a budget ends at the same statement whatever the
        language of the report is.
        """
        if self.language == ENGLISH:
            return self.said(message, values)
        words, memo = self.words, self.memo
        self.words = words_of(self.pack, ENGLISH)
        try:
            english = self.said(message, values)
            self.words, self.memo = words, {}
            with self.paid_by(None):
                self.grant()
                return Bilingual(english, self.said(message, values))
        finally:
            self.words, self.memo = words, memo

    def said(self, message: Message, values: Mapping[str, object]) -> str:
        """Return a message with its expressions evaluated; `?` for those that fail."""
        return "".join(
            part if isinstance(part, str) else self.words.text(self.value(part, values, "?"))
            for part in self.words.parts(message)
        )

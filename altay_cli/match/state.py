"""The state of a game."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from altay_cli.base.budget import CONTENTS, SIZES, Account, Budget
from altay_cli.base.compiled import mypyc_attr
from altay_cli.base.findings import (
    UNKNOWN_CONTENT,
    Bilingual,
    EvaluationError,
    ExpressionError,
    Text,
    UnrecordedError,
)
from altay_cli.base.journal import Journal
from altay_cli.base.translations import ENGLISH
from altay_cli.base.values import Bag, Drawn, Entity, UnrecordedValue
from altay_cli.hidden.knowledge import Knowledge
from altay_cli.match import decisions, drawing
from altay_cli.match.decisions import (
    EffectsInterrupted,
    ForcedAnswer,
    PendingDecision,
    Suspended,
    Values,
)
from altay_cli.match.zones import Zones
from altay_cli.pack.functions import known
from altay_cli.pack.layout import (
    ENDED_BY,
    FORCED,
    OVERDUE,
    PENDING,
    PLAYERS,
    POSITION,
    REPEATS,
    REPORTER,
    REST,
    SILENT,
    UNREAD,
    WATCHED,
    Layout,
    Reporter,
)
from altay_cli.pack.model import Check, DrawEffect, Effects, Expr, Message, Pack, Phase, Trigger
from altay_cli.pack.words import words_for_findings, words_of


@mypyc_attr(allow_interpreted_subclasses=True)
class Able:
    """What players can do in a state; this one cannot list moves, so each question fails.

    left_open: the goal of a comparison that had too much to try.
    """

    left_open: int | None = None

    def __call__(self, _actor: Entity | None, _move: str | None = None) -> bool:
        """Return whether a player has a legal move, perhaps of a given kind."""
        raise EvaluationError("unable", "whether a player can move is not asked here")

    def most(self, _actor: Entity, _goal: int) -> int:
        """Return the best that a player can reach with the moves of a goal."""
        raise EvaluationError("unable", "whether a player can move is not asked here")

    def reaches(self, _actor: Entity, _goal: int, _best: int) -> bool:
        """Return False if a player certainly cannot reach the best, right after a move."""
        raise EvaluationError("unable", "whether a player can move is not asked here")

    def best_statements(self, _actor: Entity, _goal: int, _language: str) -> list[str]:
        """Return the first moves that can lead to the best."""
        return []


def frozen(value: Any) -> Hashable:
    """Return a hashable copy of a value."""
    return (frozenset(value.items()), value.unknown.hidden) if isinstance(value, Bag) else value


class State(Budget):
    """The state of one game.

    Generated code takes it as ``S``, subtracts steps from ``S.left``, and changes ``S.cells`` and
    ``S.entries``, the lists of the journal, directly. `pack.layout` defines the cells; those of
    ``hidden`` follow.

    words: in the language of the report; ``finding_words`` also in English.
    memo: caches functions of the rules; cleared before moves are listed.
    """

    __slots__ = (
        "_met", "able", "cells", "complete", "entries", "evaluates_end", "finding_words",
        "finished_setup", "hidden", "journal", "language", "layout", "memo", "options", "pack",
        "table", "words", "zones",
    )  # fmt: skip

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
        super().__init__(account=account)
        self.pack = pack
        self.options = dict(options)
        self.complete = complete
        self.language = language
        self.words = words_of(pack, language)
        self.finding_words = words_for_findings(pack, language)
        self.layout = pack.cached(Layout)
        self.journal = Journal(self.layout.first)
        self.cells, self.entries = self.journal.cells, self.journal.entries
        self.hidden = Knowledge(
            pack,
            self,
            self.journal,
            self.finding_words,
            partial(decisions.replace_placeholder, self, self.journal, pack),
        )
        self.table = self.hidden.table
        self.zones = Zones(pack, self.layout, self.options, self.hidden)
        self.finished_setup: Phase | None = None
        """The phase that set up the game; None before that."""
        self.evaluates_end = True
        """False while the rules must assume that the game goes on."""
        self.memo: dict[object, Any] = {}
        self.able: Able = Able() if able is None else able(self)
        # By position: the cell that counts its occurrences.
        self._met: dict[tuple[Hashable, ...], int] = {}

    # ------------------------------------------------------------ cells

    @property
    def pending(self) -> tuple[Suspended, ...]:
        """The pending decisions, the next one last, each above the effects that wait for it."""
        return self.cells[PENDING]  # type: ignore[no-any-return]

    @property
    def overdue(self) -> tuple[Suspended, ...]:
        """Decisions that the log skipped, which may still be answered."""
        return self.cells[OVERDUE]  # type: ignore[no-any-return]

    @property
    def forced(self) -> tuple[ForcedAnswer, ...]:
        """The only possible answers since the last move."""
        return self.cells[FORCED]  # type: ignore[no-any-return]

    @property
    def players(self) -> list[Entity]:
        """The seats in order."""
        return self.cells[PLAYERS]  # type: ignore[no-any-return]

    @property
    def ended_by(self) -> str | None:
        """The trigger that ended the game."""
        return self.cells[ENDED_BY]  # type: ignore[no-any-return]

    @property
    def repeats(self) -> int:
        """How often the position has occurred; see ``remember``."""
        return self.cells[REPEATS]  # type: ignore[no-any-return]

    @property
    def unread(self) -> bool:
        """Whether the last statement could not be read."""
        return self.cells[UNREAD]  # type: ignore[no-any-return]

    @property
    def rest(self) -> Drawn:
        """The names that the last draw left over."""
        return self.cells[REST]  # type: ignore[no-any-return]

    @property
    def reporter(self) -> Reporter:
        """Receives reports from effects."""
        return self.cells[REPORTER]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ effects

    def ask(self, decision: str, times: int, who: Entity | list[Entity], about: Values) -> None:
        """Ask a player, or each of several, for a decision, ``times`` times; 0 asks no one."""
        pending = decisions.decision_of(decision, who, times, about)
        if pending is not None:
            before = self.cells[PENDING]
            self.charge(len(before) + len(pending.also))
            self.journal.put(PENDING, (*before, pending))

    def let_answer_next(self, player: Entity | None) -> PendingDecision | None:
        """Return the next decision; of several players who must answer, ``player`` is the next."""
        due = self.next_decision
        if due is not None and player in due.also:
            assert player is not None
            due = due.asked_first(player)
            self.charge(len(self.cells[PENDING]) + len(due.also))
            self.journal.put(PENDING, (*self.cells[PENDING][:-1], due))
        return due

    def draw(self, effect: DrawEffect, values: Mapping[str, object]) -> None:
        """Apply a draw effect with the recorded names."""
        drawing.draw(self.zones, effect, values, complete=self.complete)

    def start(self, effects: Effects, values: Values) -> None:
        """Apply effects up to the first question."""
        decisions.start(self.zones, effects, values)

    def resume_effects(self) -> None:
        """Continue the effects that no longer wait for an answer."""
        decisions.resume_effects(self.zones)

    def record_answer(self, values: Values, gives: Expr | None) -> None:
        """Record one answer to the last decision."""
        decisions.record_answer(self.zones, values, gives)

    def halt(self) -> None:
        """Drop pending decisions and effects; raise EffectsInterrupted."""
        self.journal.put(PENDING, ())
        raise EffectsInterrupted

    def set_off(self, trigger: Trigger) -> None:
        """Apply the effects of a trigger; record whether it ends the game.

        Raise EffectsInterrupted if they end the move in progress.
        """
        before = self.ending
        try:
            trigger.does.fn(self, {})
        finally:
            if self.ending and not before:
                self.journal.put(ENDED_BY, trigger.id)

    def changed(self, *triggers: Trigger) -> None:
        """Apply triggers whose condition holds, unless one is being applied."""
        if self.cells[WATCHED]:
            self.journal.put(WATCHED, False)
            try:
                for trigger in triggers:
                    if trigger.when.fn(self, {}):
                        self.set_off(trigger)
            finally:
                self.journal.put(WATCHED, True)

    # ------------------------------------------------------------ looking back

    def remember(self, *, first: bool = False) -> None:
        """Count the present position if it differs from the last one counted.

        first: only if none has been counted.
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
        self.journal.put(POSITION, key)
        cell = self._met.get(key)
        if cell is None:
            cell = self._met[key] = self.journal.new_cell(0)
        self.journal.put(cell, self.cells[cell] + 1)
        self.journal.put(REPEATS, self.cells[cell])

    # ------------------------------------------------------------ scores

    @contextmanager
    def exact_evaluation(self, what: int = SIZES) -> Iterator[None]:
        """Raise UnrecordedError for bags with unknown contents read inside the context.

        With CONTENTS, their size can still be read.
        """
        before = self.exact, self.size_was_read
        self.exact, self.size_was_read = what, False
        try:
            yield
        finally:
            self.exact, self.size_was_read = before

    def can_hold(self, condition: Expr, values: Callable[[], Values], *, known: bool) -> bool:
        """Return whether a condition holds for some hidden contents; condition beliefs on it.

        known: whether it holds for the known contents; then the beliefs stay.

        Raise UnrecordedError if there are too many possible contents.
        """

        def ask(what: int = SIZES) -> bool:
            with self.exact_evaluation(what):
                return bool(condition.fn(self, values()))

        def unknown() -> bool:
            raise UnrecordedError(UNKNOWN_CONTENT)

        if known:
            return not self.hidden.never_holds(partial(ask, CONTENTS))
        return self.hidden.condition_on(ask, unknown)

    def identified(self, value: object) -> object:
        """Return a bag with its hidden contents."""
        return known(self, value) if self.exact and isinstance(value, Bag) else value

    def score(self, player: Entity | None, category: str | None = None) -> int:
        """Return the points of a player, in total or in one category.

        Raise LookupError for an unknown category, UnrecordedError if the log lacks something.
        """
        counted = [
            scorer
            for one, scorer in zip(self.pack.categories, self.pack.scorers, strict=True)
            if (one.counts if category is None else one.id == category)
        ]
        if category is not None and not counted:
            raise LookupError(f"there is no score category {category}")
        with self.exact_evaluation():
            return sum(scorer(self, {"me": player}, None) for scorer in counted)

    # ------------------------------------------------------------ looking ahead

    def leads_to(self, effects: Effects, values: Values, that: Expr | None) -> bool:
        """Return whether ``that`` (if given) holds after effects, which are undone."""
        mark = self.journal.mark()
        self.journal.put(REPORTER, SILENT)
        try:
            try:  # noqa: SIM105 - asked of every move that is listed: `suppress` is three calls
                effects.fn(self, values)
            except EffectsInterrupted:
                pass
            return that is None or bool(that.fn(self, values))
        finally:
            self.journal.undo(mark)

    @contextmanager
    def supposing(self) -> Iterator[None]:
        """Undo all changes on exit; report nothing inside."""
        with self.journal.supposing():
            self.journal.put(REPORTER, SILENT)
            yield

    @contextmanager
    def unclear(self) -> Iterator[str]:
        """Raise UnrecordedError when an unrecorded zone is read; yield its message."""
        conditions = [] if self.complete else [*self.pack.unrecorded_when.items()]
        zones = [self.pack.zones[zone] for zone, when in conditions if when.fn(self, {})]
        titles = tuple(self.finding_words.word(zone.title) for zone in zones)
        message = Text("not judged, because the log does not record this: {zones}", zones=titles)
        with self.journal.supposing():
            for zone in zones:
                for cell in range(*zone.cells):
                    self.journal.put(cell, UnrecordedValue(message))
            yield message if zones else ""

    # ------------------------------------------------------------ the course of the game

    @property
    def next_decision(self) -> PendingDecision | None:
        """The decision to answer next."""
        pending = self.cells[PENDING]
        found = pending[-1] if pending else None
        return found if isinstance(found, PendingDecision) else None

    @property
    def last_skipped(self) -> PendingDecision | None:
        """The decision last skipped in this turn."""
        found = self.overdue[-1] if self.overdue else None
        return found if isinstance(found, PendingDecision) and not found.past else None

    def value(self, expr: Expr, values: Mapping[str, object], otherwise: object) -> Any:
        """Return the value of an expression, or ``otherwise`` if it fails."""
        try:
            return expr.fn(self, values)
        except ExpressionError:
            return otherwise

    def status(self, key: str) -> Any:
        """Return a status such as "round" or "active", if it is defined."""
        return self.pack.standing[key](self)

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return bool(self.pack.standing["ended"](self))

    @property
    def ending(self) -> bool:
        """Whether the game has ended, or certainly will."""
        return self.status("ending") is True or self.ended

    @property
    def round(self) -> int:
        """The number of the round; 0 if there are none."""
        found = self.status("round")
        return found if isinstance(found, int) else 0

    # ------------------------------------------------------------ checks

    def failing_values(self, check: Check) -> Iterator[Values]:
        """Yield the values for which a check fails."""
        values: list[Values] = [{}]
        if check.each is not None:
            name, items = check.each
            values = [{name: item} for item in items.fn(self, {})]
        for inner in values:
            if not check.that.fn(self, inner):
                yield inner

    def failing_first_turn_checks(self) -> Iterator[tuple[Check, Values]]:
        """Yield the failing checks of the first turn, with the values."""
        for check in self.pack.checks:
            if check.begun and self.finished_setup in check.after:
                for values in self.failing_values(check):
                    yield check, values

    # ------------------------------------------------------------ words

    def finding_text(
        self, message: Message, values: Mapping[str, object], about: list[object] | None = None
    ) -> str:
        """Return a message in English, with its text in the language of the report.

        Only the English text is charged, so budgets are the same in all languages. The values in it
        are added to `about`.
        """
        if self.language == ENGLISH:
            return self.message_text(message, values, about)
        words, memo = self.words, self.memo
        self.words = words_of(self.pack, ENGLISH)
        try:
            english = self.message_text(message, values, about)
            self.words, self.memo = words, {}
            with self.paid_by(None):
                self.grant()
                return Bilingual(english, self.message_text(message, values))
        finally:
            self.words, self.memo = words, memo

    def message_text(
        self, message: Message, values: Mapping[str, object], about: list[object] | None = None
    ) -> str:
        """Return a message with its values, added to `about`; `?` for one that fails."""
        texts: list[str] = []
        for part in self.words.parts(message):
            if isinstance(part, str):
                texts.append(part)
                continue
            value = self.value(part, values, "?")
            texts.append(self.words.text(value))
            if about is not None:
                about.append(value)
        return "".join(texts)

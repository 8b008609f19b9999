"""A game in progress: its state, findings, snapshots and triggers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from altay_cli.base.compiled import mypyc_attr
from altay_cli.base.findings import (
    UNDECIDED,
    BudgetError,
    ExpressionError,
    Severity,
    Text,
    UnrecordedError,
)
from altay_cli.base.journal import NEVER
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity
from altay_cli.match import limits
from altay_cli.match.decisions import EffectsInterrupted
from altay_cli.match.readings import Reading, Resolver
from altay_cli.match.reporting import FindingContext, Mark, Report, Stop
from altay_cli.match.state import Able, State
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import Candidate, bad_player_name, player_name, written_in
from altay_cli.pack.layout import OVERDUE, PENDING, PLAYERS, UNREAD
from altay_cli.pack.model import MoveDef, Pack, Phase
from altay_cli.pack.words import reason

PHASES: dict[SectionKind, Phase] = {
    SectionKind.SETUP: "setup",
    SectionKind.POSITION: "position",
    SectionKind.TURN: "turns",
    SectionKind.RESULT: "result",
}


class Snapshot(NamedTuple):
    """A saved state of a match, for `Match.restore`."""

    state: int
    report: Mark
    context: FindingContext
    seats: int
    made: tuple[Reading, ...]


_CELL = itemgetter(0)
"""The cell of a change."""

NameChoices = Mapping[int, int]
"""By `id(statement)`: the index of the chosen meaning of a name."""

FIRST_CHOICES: NameChoices = MappingProxyType({})


class AmbiguousName(NamedTuple):
    """A statement with several meanings, one of which is assumed, with a note.

    name: False if the statement omits an optional decision instead.
    """

    statement: Statement
    ways: int
    name: bool = True


@mypyc_attr(allow_interpreted_subclasses=True)
class Watcher:
    """Observer of a match, except of speculation."""

    def before(self, statement: Statement) -> None:
        """Observe the next heading or statement of a turn."""

    def on_move(self, reading: Reading) -> None:
        """Observe that a move will be applied; then `Match.made` holds it."""

    def on_claim(self, readings: Sequence[Candidate], actor: Entity | None) -> None:
        """Observe that a claim will be compared with the state."""

    def on_rewind(self, statement: Statement) -> None:
        """Observe that reading restarts before a statement or the setup."""


class Match:
    """A game in progress: its state, findings and players.

    able: creates the function that decides whether a player can move.
    name_choices: the meanings of ambiguous names; None to choose none.
    answers_before: by `id(statement)`, the answers omitted before a statement that could be one
    itself.
    """

    def __init__(
        self,
        pack: Pack,
        options: Mapping[str, str],
        able: Callable[[State], Able],
        language: str = "en",
        name_choices: NameChoices | None = FIRST_CHOICES,
        answers_before: Mapping[int, int] = FIRST_CHOICES,
        *,
        complete: bool = False,
        leaves_open: bool = False,
        log: GameRecord | None = None,
    ) -> None:
        self.pack = pack
        self.able = able
        self.state = State(pack, options, language, able=able, complete=complete)
        self.made: list[Reading] = []
        self.report = Report(self.state, self.made)
        self.binder = Binder(pack)
        self.resolver = Resolver(self.state, self.binder, leaves_open=leaves_open)
        self.watcher: Watcher | None = None
        self.name_choices = name_choices
        self.open: list[AmbiguousName] = []
        self.answers_before = answers_before
        self.doubtful: list[Statement] = []
        """Statements read as an answer or a restated outcome, perhaps wrongly."""
        self.log = log
        self.lacks_players = False
        """Whether too few players are reported."""
        self.course: list[tuple[int, Statement]] = []
        """The statements so far, each with the mark of the state before it."""

    @cached_property
    def writing(self) -> str:
        """The language of suggestions: that of the log."""
        language = self.state.language
        return language if self.log is None else written_in(self.pack, self.log, language)

    def restarted(
        self, name_choices: NameChoices | None, answers_before: Mapping[int, int] = FIRST_CHOICES
    ) -> Match:
        """Return a new match with the same options."""
        return Match(
            self.pack,
            self.state.options,
            self.able,
            self.state.language,
            name_choices,
            answers_before,
            complete=self.state.complete,
            leaves_open=self.resolver.leaves_open,
            log=self.log,
        )

    # ------------------------------------------------------------ snapshots

    def snapshot(self) -> Snapshot:
        """Return a snapshot of this match."""
        report, seats = self.report, len(self.binder.players)
        mark = self.state.journal.mark()
        return Snapshot(mark, report.mark, report.context, seats, tuple(self.made))

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot with its findings."""
        self.report.undo(snapshot.report)
        self.rewind(snapshot)

    def rewind(self, snapshot: Snapshot) -> None:
        """Restore a snapshot, but keep later findings."""
        self.state.journal.undo(snapshot.state)
        self.report.context = snapshot.context
        self.binder.keep_players(snapshot.seats)
        self.made[:] = snapshot.made

    @contextmanager
    def speculating(
        self, *, explained: bool = False, ignore_unreadable: bool = False
    ) -> Iterator[None]:
        """Restore the match on exit; the watcher sees nothing of it.

        For the options see `Report.suppressed`.
        """
        before, watcher, self.watcher = self.snapshot(), self.watcher, None
        try:
            with self.report.suppressed(explained=explained, ignore_unreadable=ignore_unreadable):
                yield
        finally:
            self.watcher = watcher
            self.rewind(before)

    # ------------------------------------------------------------ players

    def player(self, name: str) -> Entity:
        """Return a player by name, perhaps a new one."""
        player = self.binder.players.get(normal(name))
        if player is None:
            player = Entity("player", name, len(self.state.players))
            self.binder.add_player(player)
        return player

    def introduce(self, statement: Statement) -> Entity | None:
        """Return the player that a statement begins with, perhaps a new one."""
        written = statement.actor
        player = self.binder.players.get(normal(player_name(written)))
        if player is None:
            error = bad_player_name(written)
            if error is not None:
                self.report.unreadable(error)
                return None
            player = self.player(player_name(written))
            self.state.zones.seat(player)
        return player

    def single_values(self, parsed: Candidate) -> dict[str, Entity | None]:
        """Return the things in single-valued slots; None for an unreadable name."""
        values: dict[str, Entity | None] = {}
        for name, slot in parsed.move.slots.items():
            written = parsed.slots.get(name)
            if slot.shape == "new player":
                values[name] = self.player(written[0].text) if written else None
            elif slot.shape == "entity":
                values[name] = next(iter(written[0].entities), None) if written else None
        return values

    # ------------------------------------------------------------ unreadable statements

    def may_be_fulfilled(self, rule: str) -> bool:
        """Return True if an unreadable statement of this turn may fulfil a rule."""
        statement = self.report.context.statement
        if rule not in self.pack.after_unread or statement is None or self.log is None:
            return False
        turns = (section for section in self.log.sections if section.heading.line <= statement.line)
        section = max(turns, key=lambda section: section.heading.line, default=None)
        if section is None or section.kind is not SectionKind.TURN:
            return False
        begun, position = section.heading.position, statement.position
        return any(begun <= malformed.position < position for malformed in self.log.unread) or any(
            not self.binder.bind(earlier.phrase, "turns").readings
            for earlier in section.statements
            if earlier.position < position
        )

    # ------------------------------------------------------------ rules

    def guarded(
        self, place: Statement, action: Callable[[], object], *, already_reported: bool = False
    ) -> None:
        """Run `action`; report a failure of the rules, unless explained."""
        self.report.context = self.report.context._replace(statement=place)
        mark, errors = self.state.journal.mark(), self.report.errors
        try:
            self.state.grant(fixed=limits.READING_STEPS)
            action()
        except ExpressionError as error:
            self.break_off(error, place, mark, errors, already_reported=already_reported)

    def break_off(
        self,
        error: ExpressionError,
        place: Statement,
        mark: int,
        errors: int,
        *,
        already_reported: bool,
    ) -> None:
        """Undo to `mark`, when there were `errors`; report a failure of the rules unless explained.

        Raise Stop if nothing after this statement can be judged.
        """
        self.state.journal.undo(mark)
        if isinstance(error, UnrecordedError):
            # No error, but the effects of the statement are unknown.
            if self.report.errors == errors:
                self.report.add("undecided", Severity.ERROR, error.message)
            raise Stop(whole_game=True) from error
        endless = isinstance(error, BudgetError)
        if endless and error.code == UNDECIDED:
            self.report.add("undecided", Severity.ERROR, error.message)
        elif endless or not (already_reported or self.lacks_players or self.report.errors > errors):
            message = Text(
                "the rules cannot be applied here: {reason}", reason=reason(error, self.pack)
            )
            rule = "rule-budget" if endless else "rule-failure"
            self.report.add(rule, Severity.ERROR, message, place.span())
        if endless:
            # The next statement would fail in the same way.
            raise Stop(whole_game=True) from error

    def forget_pending(self) -> None:
        """Drop pending decisions: the unreadable statement may answer them."""
        self.state.journal.put(UNREAD, True)
        if self.state.pending:
            self.state.journal.put(OVERDUE, self.state.pending)
            self.state.journal.put(PENDING, ())

    def run_triggers(self, move: MoveDef) -> None:
        """Apply the triggers whose condition holds.

        A trigger is skipped if its cells are unchanged since no trigger held, unless players or
        hidden things have changed.
        """
        state = self.state
        over = self.pack.status.get("turn_over")
        if over is not None and not move.heading and over.fn(state, {}):
            for stage in self.pack.complete:
                if "turns" in stage.phases:
                    with suppress(EffectsInterrupted):
                        stage.does.fn(state, {})
        clean, changed = True, None
        if state.journal.clean_at != NEVER:
            cells = set(map(_CELL, state.entries[state.journal.clean_at :]))
            hidden = state.hidden.beliefs.groups and max(cells, default=0) >= len(
                state.layout.zones
            )
            if not (hidden or PLAYERS in cells):
                changed = cells
        watched = state.layout.watched
        idle = changed is not None and watched is not None and changed.isdisjoint(watched)
        for trigger, reads in () if idle else state.layout.triggers:
            may_hold = changed is None or reads is None or not changed.isdisjoint(reads)
            if may_hold and trigger.when.fn(state, {}):
                clean, changed = False, None
                with suppress(EffectsInterrupted):  # other triggers still follow
                    state.set_off(trigger)
        if self.pack.repeats:
            state.remember(first=move.heading)
        state.journal.clean_at = state.journal.mark() if clean else NEVER

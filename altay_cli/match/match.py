"""A game under way: how far it has come, how to go back in it, and how it goes on by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from altay_cli.base.findings import (
    UNDECIDED,
    BudgetError,
    ExpressionError,
    Severity,
    Text,
    UnrecordedError,
)
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity
from altay_cli.match import limits
from altay_cli.match.operations import Halted
from altay_cli.match.readings import Reading, Resolver
from altay_cli.match.reporting import FindingContext, Mark, Report, Stop
from altay_cli.match.state import NEVER, Able, State
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import Candidate, bad_player_name, player_name, written_in
from altay_cli.pack.model import MoveDef, Pack, Phase
from altay_cli.pack.table import OVERDUE, PENDING, PLAYERS, UNREAD
from altay_cli.pack.words import reason

PHASES: dict[SectionKind, Phase] = {
    SectionKind.SETUP: "setup",
    SectionKind.POSITION: "position",
    SectionKind.TURN: "turns",
    SectionKind.RESULT: "result",
}
"""What the statements of sections are."""


class Snapshot(NamedTuple):
    """A moment of a match, which ``restore`` goes back to."""

    state: int
    report: Mark
    here: FindingContext
    seats: int
    made: tuple[Reading, ...]


NameChoices = Mapping[int, int]
"""By the identity of a statement, which of the things that a name in it can mean it meant."""

FIRST_CHOICES: NameChoices = MappingProxyType({})
"""Each name means the first of what it can mean."""


class AmbiguousName(NamedTuple):
    """A statement that can mean so many different things.

    Two things can share a name and lie in a hand that is not recorded. Where what a statement does
    depends on which of them was meant, one is taken, and a note says so. Or the statement leaves
    out a decision of which the rules say that nobody need write it down: it has no ``name``.
    """

    statement: Statement
    ways: int
    name: bool = True


class Watcher:
    """Observer of a match; not notified of speculative play. Does nothing."""

    def before(self, statement: Statement) -> None:
        """Take note that a heading or statement of the turns comes next, and all before is done."""

    def on_move(self, reading: Reading) -> None:
        """Take note that a move is about to be carried out; ``made`` says if it was in the end."""

    def on_rewind(self, statement: Statement) -> None:
        """Take note that reading goes on from before a statement, or the setup, once more."""


class Match:
    """A game under way.

    ``state`` is what lies where and what waits for an answer, and the budget; ``report`` holds the
    findings so far; ``binder`` knows the players and ``resolver`` what names can mean. ``options``
    are the values of all options of the pack, ``language`` that of findings; ``able`` makes
    what tells of a state who can move. All of it can be taken back together, by ``snapshot`` and
    ``restore``.
    """

    def __init__(
        self,
        pack: Pack,
        options: Mapping[str, str],
        able: Callable[[State], Able],
        language: str = "en",
        meant: NameChoices | None = FIRST_CHOICES,
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
        """The moves that the last statement was taken for."""
        self.report = Report(self.state, self.made)
        self.binder = Binder(pack)
        self.resolver = Resolver(self.state, self.binder, leaves_open=leaves_open)
        self.watcher: Watcher | None = None
        self.meant = meant
        """What names mean that can mean different things; None if that is not to be chosen."""
        self.open: list[AmbiguousName] = []
        """The statements with such names, or that leave out a decision."""
        self.answers_before = answers_before
        """Before which statements how many answers were left out that these could be as well."""
        self.doubtful: list[Statement] = []
        """Statements that were taken for an answer or for what had happened, and may be neither."""
        self.log = log
        """The log that is read, if it is one."""
        self.lacks_players = False
        """Whether all seats have been read and are too few, which is told."""
        self.course: list[tuple[int, Statement]] = []
        """The statements so far, each with the mark of the state before it."""

    @cached_property
    def writing(self) -> str:
        """The language in which statements are suggested: that of the names in the log."""
        language = self.state.language
        return language if self.log is None else written_in(self.pack, self.log, language)

    def restarted(
        self, meant: NameChoices | None, answers_before: Mapping[int, int] = FIRST_CHOICES
    ) -> Match:
        """Return a match under the same rules and options in which nothing has been played."""
        return Match(
            self.pack,
            self.state.options,
            self.able,
            self.state.language,
            meant,
            answers_before,
            complete=self.state.complete,
            leaves_open=self.resolver.leaves_open,
            log=self.log,
        )

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Suspend the watcher inside the context."""
        watcher, self.watcher = self.watcher, None
        try:
            yield
        finally:
            self.watcher = watcher

    # ------------------------------------------------------------ going back

    def snapshot(self) -> Snapshot:
        """Return the moment, to be restored while this match goes on from it."""
        report, seats = self.report, len(self.binder.players)
        now = self.state.mark(), report.mark, report.here, seats, tuple(self.made)
        return tuple.__new__(Snapshot, now)

    def restore(self, snapshot: Snapshot, *, keep_findings: bool = False) -> None:
        """Restore a snapshot; with `keep_findings`, keep later findings."""
        self.state.undo(snapshot.state)
        if not keep_findings:
            self.report.undo(snapshot.report)
        self.report.set_context(snapshot.here)
        self.binder.keep_players(snapshot.seats)
        self.made[:] = snapshot.made

    # ------------------------------------------------------------ who plays

    def player(self, name: str) -> Entity:
        """Return the player of a name, who is known from now on."""
        player = self.binder.players.get(normal(name))
        if player is None:
            player = Entity("player", name, len(self.state.players))
            self.binder.add_player(player)
        return player

    def introduce(self, statement: Statement) -> Entity | None:
        """Return the player that a statement begins with, seated now if that is the first time."""
        written = statement.actor
        player = self.binder.players.get(normal(player_name(written)))
        if player is None:
            error = bad_player_name(written)
            if error is not None:
                self.report.unreadable(error)
                return None
            player = self.player(player_name(written))
            self.state.seat(player)
        return player

    def single_values(self, parsed: Candidate) -> dict[str, Entity | None]:
        """Return the things in the slots for one thing; None for a name that cannot be read."""
        values: dict[str, Entity | None] = {}
        for name, slot in parsed.move.slots.items():
            written = parsed.slots.get(name)
            if slot.shape == "new player":
                values[name] = self.player(written[0].text) if written else None
            elif slot.shape == "entity":
                values[name] = next(iter(written[0].entities), None) if written else None
        return values

    # ------------------------------------------------------------ what cannot be read

    def may_be_fulfilled(self, rule: str) -> bool:
        """Return whether a statement of the turn that cannot be read may fulfil a requirement."""
        statement = self.report.here.statement
        if rule not in self.pack.after_unread or statement is None or self.log is None:
            return False
        turns = (one for one in self.log.sections if one.heading.line <= statement.line)
        section = max(turns, key=lambda one: one.heading.line, default=None)
        if section is None or section.kind is not SectionKind.TURN:
            return False
        begun, here = section.heading.line, (statement.line, statement.column)
        return any(begun <= line < statement.line for line in self.log.unread) or any(
            not self.binder.bind(one.phrase, "turns").readings
            for one in section.statements
            if (one.line, one.column) < here
        )

    # ------------------------------------------------------------ going on

    def guarded(
        self, place: Statement, action: Callable[[], object], *, already_reported: bool = False
    ) -> None:
        """Carry out what the rules say; report if they cannot be applied.

        That is not said where a breach tells why, or ``already_reported`` says that a slip does.
        """
        self.report.set_context(self.report.here._replace(statement=place))
        mark, errors = self.state.mark(), self.report.errors
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
        """Go back to ``mark``, as the rules cannot be applied; report it unless it is told why.

        ``errors`` is how many had been told then. Raises Stop where nothing that follows can be
        judged.
        """
        self.state.undo(mark)
        if isinstance(error, UnrecordedError):
            # Nothing is wrong, and what follows from the statement cannot be told.
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
            # The next statement would take as long, and find out no more.
            raise Stop(whole_game=True) from error

    def forget_pending(self) -> None:
        """Drop pending decisions: the unreadable statement may answer them."""
        self.state.put(UNREAD, True)
        if self.state.pending:
            self.state.put(OVERDUE, self.state.pending)
            self.state.put(PENDING, ())

    def run_triggers(self, move: MoveDef) -> None:
        """Carry out what follows by itself from a move after which no answer is due.

        Of the triggers, those are looked at that read a cell which has changed since none held; all
        of them if it is not known when that was, or if who plays or what is hidden has changed.
        """
        state = self.state
        over = self.pack.status.get("turn_over")
        if over is not None and not move.heading and over.fn(state, {}):
            for stage in self.pack.complete:
                if "turns" in stage.phases:
                    with suppress(Halted):
                        stage.does.fn(state, {})
        calm, changed = True, None
        if state.calm != NEVER:
            cells = set(map(itemgetter(0), state.entries[state.calm :]))
            hidden = state.hidden.groups and max(cells, default=0) >= len(state.layout.zones)
            if not (hidden or PLAYERS in cells):
                changed = cells
        for trigger, reads in state.layout.triggers:
            may_hold = changed is None or reads is None or not changed.isdisjoint(reads)
            if may_hold and trigger.when.fn(state, {}):
                calm, changed = False, None
                with suppress(Halted):  # other triggers still follow
                    state.set_off(trigger)
        if self.pack.repeats:
            state.remember(first=move.heading)
        state.calm = state.mark() if calm else NEVER

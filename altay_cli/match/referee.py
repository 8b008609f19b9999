"""Judge a recorded game, recover from errors, and report findings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial

from altay_cli.base.budget import Account, steps_for
from altay_cli.base.compiled import mypyc_attr
from altay_cli.base.findings import (
    Finding,
    Severity,
    Text,
    short_repr,
)
from altay_cli.match import limits
from altay_cli.match.answers import supply_all_answers
from altay_cli.match.game_notes import report_gaps, report_look_alikes, report_status_failure
from altay_cli.match.match import PHASES, Match
from altay_cli.match.reporting import Gap, Stop, StopReason
from altay_cli.match.sections import HEADING, Checkpoint, Course, Point, Repairing
from altay_cli.match.setup import Setup, report_nobody_seated
from altay_cli.match.state import State
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.candidates import on_pad
from altay_cli.pack.notations import recognised


@dataclass(slots=True, eq=False, repr=False)
class Played:
    """The result of a game: its last state and its findings.

    abandoned: judging stopped at the maximum number of findings.
    moves: how many, in turns.
    judged: False if a part could not be judged.
    """

    state: State
    findings: list[Finding]
    abandoned: bool
    moves: int
    judged: bool = True
    gaps: Sequence[Gap] = ()

    def __repr__(self) -> str:
        return short_repr(self, moves=self.moves, findings=len(self.findings), judged=self.judged)

    @property
    def ended(self) -> bool:
        """Whether the game has ended by the rules."""
        return self.state.ended


class Rewind(Exception):  # noqa: N818 - not an error
    """Raised to continue reading from an earlier checkpoint."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint


@mypyc_attr(allow_interpreted_subclasses=True)
class Referee(Course):
    """Judges one recorded game and reports its errors.

    account: the budget of the file; ``granted`` is the share of this game.
    until: later statements only help to recover from errors.
    """

    def __init__(
        self,
        match: Match,
        record: GameRecord,
        account: Account | None = None,
        repairing: Callable[[Referee], Repairing] = Repairing,
        until: Statement | None = None,
    ) -> None:
        super().__init__(match, record.sections, {}, set(), until=until)
        self.pack = match.pack
        self.state = match.state
        self.record = match.log = record
        recorded = record.tag("Recorded")
        if recorded is not None and recorded.value.strip().casefold() == "complete":
            match.state.complete = True
        self.granted = int(limits.GAME_SHARE * steps_for(record.length))
        match.state.account = Account(self.granted, "this game", within=account)
        self.start: Checkpoint | None = None
        if self.setup_number is not None:
            place = Point(self.setup_number, HEADING)
            heading = self.sections[self.setup_number].heading
            self.start = Checkpoint(place, heading, 0, 0, match.snapshot())
        self._account = account
        # Sections that were not judged completely.
        self._unjudged: list[int] = []
        # Whether a seat is unreadable, which is reported.
        self._unseated = False
        self._begin_repairing = partial(repairing, self)

    # ------------------------------------------------------------ the game

    def run(self) -> Played:
        """Judge all sections."""
        record, report = self.record, self.report
        place: Point | None = Point(0, HEADING)
        left: int | None = None
        while place is not None:
            try:
                left, place = self._read_from(place), None
            except Rewind as rewind:
                place = self._go_back(rewind.checkpoint)
        if all(section.kind is SectionKind.RESULT for section in record.sections):
            if not on_pad(record):
                message = "the game has no setup and no turns"
                report.add("no-moves", Severity.ERROR, message, record.span)
        elif not self.state.players and not self._unseated:
            found_before = len(report.findings)
            if all(found.rule != "no-players" for found in report.findings):
                report_nobody_seated(self.match)
            if left is not None:
                self._leave_out(left, [], Stop(whole_game=True), found_before)
        report_look_alikes(self.match, record)
        # The game may have used up its share: charge the file.
        self.state.account = self._account
        report_status_failure(self.match, record)
        report_gaps(report, record)
        of_repairs = () if self._repairing is None else self._repairing.findings
        repaired = {(found.rule, found.span, found.message): found for found in of_repairs}
        others = (
            found
            for found in report.findings
            if (found.rule, found.span, found.message) not in repaired
        )
        report.findings[:] = [*others, *repaired.values()]
        return Played(
            self.state,
            report.findings,
            report.is_full,
            len(self.moves),
            not self._unjudged,
            tuple(report.noted(Gap)),
        )

    def _read_from(self, place: Point) -> int | None:
        for number in range(place.section, len(self.sections)):
            section = self.sections[number]
            phase = PHASES[section.kind]
            found_before = len(self.report.findings)
            setup: Setup | None = None
            try:
                if phase == "result":
                    if self.state.pending and not self.state.complete:
                        with suppress(Stop):
                            self.match.guarded(
                                section.heading, partial(supply_all_answers, self.match)
                            )
                elif phase == "turns":
                    if not self.state.players:
                        return number
                    self.turn(number, place.number if number == place.section else HEADING)
                elif number == self.setup_number:
                    setup = self.setup(number)
                    self._lay_out(setup)
                else:
                    # A second setup, which the notation has reported.
                    self._unjudged.append(number)
            except Stop as stop:
                if setup is not None:
                    rest = [other for other in section.statements if id(other) not in setup.begun]
                    self._leave_out(number + 1, rest, stop, found_before, *setup.unseated[:1])
                elif stop.why is not StopReason.ASKED:
                    done = self.checkpoints[-1].place.number + (
                        stop.why is not StopReason.ILLEGIBLE
                    )
                    self._leave_out(
                        number + 1, [*section.statements[max(done, 0) :]], stop, found_before
                    )
                if stop.whole_game:
                    break
        return None

    def _lay_out(self, setup: Setup) -> None:
        stop: Stop | None = None
        try:
            setup.read()
        except Stop as stopped:
            stop = stopped
        self._unseated = bool(setup.unseated)
        # With a player too many, no other setup helps.
        if self.report.errors and (stop is None or stop.why is not StopReason.FORBIDDEN):
            self.repairing.recover_setup(setup.unseated)
        if stop is not None:
            raise stop
        self.stray_turn(setup)

    def _go_back(self, checkpoint: Checkpoint) -> Point:
        del self.checkpoints[checkpoint.number :]
        self.match.restore(checkpoint.snapshot)
        del self.moves[checkpoint.moves :]
        section = checkpoint.place.section
        self._unjudged[:] = [number for number in self._unjudged if number < section]
        if checkpoint is self.start:
            self.report.missing_setup.clear()
        if self.match.watcher is not None:
            self.match.watcher.on_rewind(checkpoint.statement)
        return checkpoint.place

    def _leave_out(
        self,
        first: int,
        rest: list[Statement],
        stop: Stop,
        found_before: int,
        cause: Finding | None = None,
    ) -> None:
        """Report the statements that are not judged.

        first: the first section to leave out if the whole game stops.
        found_before: a finding after so many is the cause.
        """
        if stop.why is StopReason.ASKED:
            return
        for section in self.sections[first:] if stop.whole_game else ():
            if section.kind is not SectionKind.RESULT:
                rest += [section.heading, *section.statements]
        if rest:
            if stop.why is not StopReason.FORBIDDEN:
                self._unjudged.append(first - 1)
            unclear = stop.why in {StopReason.ILLEGIBLE, StopReason.OPEN}
            self.report.left_out(rest, 0 if unclear else found_before, cause)
        if stop.why not in {StopReason.ILLEGIBLE, StopReason.OPEN}:
            return
        report, binder = self.report, self.match.binder
        headings = {id(section.heading) for section in self.sections}
        report.begin(None)
        for statement in (other for other in rest if id(other) not in headings):
            with report.at(statement, None):
                for error in binder.bind(statement.phrase, "turns").errors:
                    report.unreadable(error)
                if statement.actor and binder.player(statement.actor) is None:
                    report.unknown_player(statement)

    # ------------------------------------------------------------ statements of turns

    @cached_property
    def _unread(self) -> list[int]:
        found = [
            statement.line
            for section in self.sections
            if section.kind is SectionKind.TURN
            for statement in section.statements
            if not self.match.binder.bind(statement.phrase, "turns").readings
            and not recognised(self.pack.notations, statement.phrase)
        ]
        return sorted([*found, *(statement.line for statement in self.record.unread)])

    def slipped(self, slip: Checkpoint) -> None:
        """Recover from a statement with errors.

        After many unreadable statements, report instead that it is not judged; raise Stop.
        """
        report, unread = self.report, self._unread
        if len(unread) <= limits.MOST_UNREAD:
            super().slipped(slip)
            return
        first = slip.snapshot.report.findings
        findings = report.findings[first:]
        wrong = [
            found
            for found in findings
            if found.severity is Severity.ERROR and found.span not in report.misread
        ]
        ahead = bisect_left(unread, slip.statement.line)
        if not (wrong and ahead):
            return
        report.findings[first:] = [found for found in findings if found.span in report.misread]
        message = Text(
            "{count} statements of this game cannot be read, {ahead} of them before this one: "
            "without them, it is not judged whether it is right",
            count=f"{len(unread):,}",
            ahead=f"{ahead:,}",
        )
        why = Text("by what can be read: {message}", message=wrong[0].message)
        with report.at(slip.statement, report.context.actor):
            about = wrong[0].about
            report.add("not-judged", Severity.ERROR, message, help_lines=(why,), about=about)
        raise Stop(whole_game=True, why=StopReason.ILLEGIBLE)

"""The referee: reads a recorded game section by section and reports what the rules forbid."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from altay_cli.base.budget import Account, steps_for
from altay_cli.base.findings import BudgetError, ExpressionError, Finding, Severity, Text
from altay_cli.base.suggest import look
from altay_cli.base.values import Entity
from altay_cli.match import limits
from altay_cli.match.course import HEADING, Checkpoint, Course, Point, Repairing, Setup
from altay_cli.match.match import PHASES, Match
from altay_cli.match.reporting import Gap, Report, Stop, Why
from altay_cli.match.state import State
from altay_cli.match.statements import give_all
from altay_cli.notation import GameRecord, SectionKind, Statement
from altay_cli.pack.candidates import on_pad
from altay_cli.pack.model import Phase
from altay_cli.pack.words import reason


@dataclass(slots=True)
class Played:
    """A game as far as the log tells it: the last state and what was found on the way.

    ``moves`` counts the statements of turns; ``abandoned`` says that there were so many findings
    that the rest was not judged. ``judged`` is false if something else could not be judged.
    """

    state: State
    findings: list[Finding]
    abandoned: bool
    moves: int
    judged: bool = True
    gaps: Sequence[Gap] = ()
    """What came and was not written down."""

    @property
    def ended(self) -> bool:
        """Whether the rules say that the game is over."""
        return self.state.ended


class Back(Exception):  # noqa: N818 - no error: reading goes on from there
    """Reading is to go on from an earlier moment."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint


class Referee(Course):
    """Reads one recorded game in a match, and tells what is wrong with it.

    ``account`` is what the game may take of the budget of its file, ``granted`` what it is given of
    it. ``repairing`` makes what finds out how to go on best after a slip. The game is read up to a
    heading or statement ``until`` of a turn: what stands behind it helps to recover from slips
    before it. ``start`` is the moment before the setup.
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
            match.state.complete = True  # everything must be written down
        self.granted = int(limits.GAME_SHARE * steps_for(record.length))
        match.state.account = Account(self.granted, "this game", within=account)
        self.start: Checkpoint | None = None
        if self.setup_number is not None:
            place = Point(self.setup_number, HEADING)
            heading = self.sections[self.setup_number].heading
            self.start = Checkpoint(place, heading, 0, 0, match.snapshot())
        self._account = account
        # The sections of which something was not judged.
        self._unjudged: list[int] = []
        # Whether seats cannot be read, which is told.
        self._unseated = False
        self.repairing = repairing(self)

    # ------------------------------------------------------------ a whole game

    def run(self) -> Played:
        """Play all sections of the game."""
        record, report = self.record, self.report
        place: Point | None = Point(0, HEADING)
        left: int | None = None
        while place is not None:
            try:
                left, place = self._read_from(place), None
            except Back as back:
                place = self._go_back(back.checkpoint)
        if all(section.kind is SectionKind.RESULT for section in record.sections):
            if not on_pad(record):
                message = "the game has no setup and no turns"
                report.add("no-moves", Severity.ERROR, message, record.span)
        elif not self.state.players and not self._unseated:
            message = "nobody has a seat: a game begins with `setup` or `position`"
            told = len(report.findings)
            report.add("no-players", Severity.ERROR, message, record.span)
            if left is not None:
                self._leave_out(left, [], Stop(whole_game=True), told)
        tell_look_alikes(self.match, record)
        # What is evaluated after the game has been read has a time limit of its own.
        self.state.account = self._account
        tell_fault(self.match, record)
        tell_gaps(report, record)
        report.findings.extend(self.repairing.told)
        return Played(
            self.state,
            report.findings,
            report.is_full,
            len(self.moves),
            not self._unjudged,
            tuple(report.noted(Gap)),
        )

    def _read_from(self, place: Point) -> int | None:
        """Read all sections from a place on; return the first that nobody is there to play."""
        for number in range(place.section, len(self.sections)):
            section = self.sections[number]
            phase = PHASES[section.kind]
            told = len(self.report.findings)
            setup: Setup | None = None
            try:
                if phase is Phase.RESULT:
                    if self.state.pending and not self.state.complete:  # answers not written down
                        with suppress(Stop):
                            self.match.guarded(section.heading, give_all, self.match)
                elif phase is Phase.TURNS:
                    if not self.state.players:
                        return number
                    self.turn(number, place.number if number == place.section else HEADING)
                elif number == self.setup_number:
                    setup = self.setup(number)
                    self._lay_out(setup)
                else:
                    # The notation reports a second one; what it says is not carried out.
                    self._unjudged.append(number)
            except Stop as stop:
                if setup is not None:
                    rest = [one for one in section.statements if id(one) not in setup.begun]
                    self._leave_out(number + 1, rest, stop, told, *setup.unseated[:1])
                elif stop.why is not Why.ASKED:
                    done = self.checkpoints[-1].place.number + (stop.why is not Why.ILLEGIBLE)
                    self._leave_out(number + 1, [*section.statements[max(done, 0) :]], stop, told)
                if stop.whole_game:
                    break
        return None

    def _lay_out(self, setup: Setup) -> None:
        """Read the section that lays out the game; if it has errors, find out what was meant."""
        stop: Stop | None = None
        try:
            setup.read()
        except Stop as stopped:
            stop = stopped
        self._unseated = bool(setup.unseated)
        if self.report.errors:
            self.repairing.laid_out(setup.unseated)
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
            self.report.lacking.clear()
        if self.match.watcher is not None:
            self.match.watcher.back(checkpoint.statement)
        return checkpoint.place

    def _leave_out(
        self,
        behind: int,
        rest: list[Statement],
        stop: Stop,
        told: int,
        cause: Finding | None = None,
    ) -> None:
        """Tell what is not judged: the rest of a section, or of the game, with what is behind.

        What was found since the section began, from number ``told`` on, holds the cause.
        """
        if stop.why is Why.ASKED:
            return
        for section in self.sections[behind:] if stop.whole_game else ():
            if section.kind is not SectionKind.RESULT:
                rest += [section.heading, *section.statements]
        if rest:
            if stop.why is not Why.FORBIDDEN:
                self._unjudged.append(behind - 1)
            self.report.left_out(rest, told, cause)
        if stop.why is not Why.ILLEGIBLE:
            return
        report, binder = self.report, self.match.binder
        headings = {id(section.heading) for section in self.sections}
        report.begin(None)
        for statement in (one for one in rest if id(one) not in headings):
            with report.at(statement, None):
                for error in binder.bind(statement.phrase, Phase.TURNS).errors:
                    report.unreadable(error)
                if statement.actor and binder.player(statement.actor) is None:
                    report.unknown_player(statement)

    # ------------------------------------------------------------ statements of turns

    @cached_property
    def _unread(self) -> list[int]:
        """The lines of all statements of the turns that nobody can read."""
        found = [
            statement.line
            for section in self.sections
            if section.kind is SectionKind.TURN
            for statement in section.statements
            if not self.match.binder.bind(statement.phrase, Phase.TURNS).readings
        ]
        return sorted([*found, *self.record.unread])

    def slipped(self, slip: Checkpoint) -> None:
        """Find the best way to go on after a statement with errors.

        Behind many that cannot be read, it is not told what is wrong: it may be right with them.
        Raises Stop if it is so.
        """
        report, unread = self.report, self._unread
        if len(unread) <= limits.MOST_UNREAD:
            super().slipped(slip)
            return
        first = slip.snapshot.report.findings
        told = report.findings[first:]
        wrong = [
            found
            for found in told
            if found.severity is Severity.ERROR and found.span not in report.misread
        ]
        ahead = bisect_left(unread, slip.statement.line)
        if not (wrong and ahead):
            return
        report.findings[first:] = [found for found in told if found.span in report.misread]
        told_of_all = Text(
            "{count} statements of this game cannot be read, {ahead} of them before this one: "
            "without them, it is not judged whether it is right",
            count=f"{len(unread):,}",
            ahead=f"{ahead:,}",
        )
        why = Text("by what can be read: {message}", message=wrong[0].message)
        with report.at(slip.statement, report.here.actor):
            report.add("not-judged", Severity.ERROR, told_of_all, help_lines=(why,))
        raise Stop(whole_game=True, why=Why.ILLEGIBLE)


# ---------------------------------------------------------------- what is told of a game as a whole


def tell_look_alikes(match: Match, record: GameRecord) -> None:
    """Warn of a player whose name looks like that of another one, where it first stands."""
    match.report.begin(None)
    seen: dict[str, Entity] = {}
    for player in match.state.players:
        other = seen.setdefault(look(player.id), player)
        if other is player:
            continue
        first = next(
            (
                statement.span(item.start, item.end)
                for section in record.sections
                for statement in (section.heading, *section.statements)
                for item in (*statement.actor, *statement.items)
                if item.text == player.id
            ),
            record.span,
        )
        message = Text(
            "the names `{first}` and `{second}` look alike", first=other.id, second=player.id
        )
        help_lines = ("write one of them so that everybody can tell them apart",)
        match.report.add("look-alike", Severity.WARNING, message, first, help_lines=help_lines)


def tell_fault(match: Match, record: GameRecord) -> None:
    """Report if the rules cannot tell how the game stands."""
    report, rule, key = match.report, "rule-failure", ""
    try:
        match.state.grant()
        for key in match.pack.status:
            match.pack.status[key].fn(match.state, {})
    except ExpressionError as error:
        fault = f"{key}: {reason(error, match.pack)}"
        if isinstance(error, BudgetError):
            rule, fault = "rule-budget", reason(error, match.pack)
        if all(found.rule != "rule-budget" for found in report.findings):
            message = Text("the rules cannot tell how the game stands: {reason}", reason=fault)
            report.add(rule, Severity.ERROR, message, record.span)


def tell_gaps(report: Report, record: GameRecord) -> None:
    """Report in one note what was not recorded."""
    gaps = report.noted(Gap)
    if not gaps:
        return
    # Nobody draws what comes to a display.
    players = len({gap.player for gap in gaps}) if all(gap.player for gap in gaps) else 0
    if players > 1:
        message = Text(
            "{count} draws of {players} players are not recorded",
            count=f"{len(gaps):,}",
            players=players,
        )
    elif players:
        message = Text.plural(
            len(gaps),
            "1 draw of 1 player is not recorded",
            "{count} draws of {players} player are not recorded",
            players=players,
        )
    else:
        message = Text.plural(len(gaps), "1 draw is not recorded", "{count} draws are not recorded")
    told = (
        "the game is judged by what they may have been; "
        "`--strict` demands that they be written down"
    )
    report.begin(None)
    report.add("unrecorded", Severity.NOTE, message, record.span, help_lines=(told,))

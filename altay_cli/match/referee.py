"""The referee: reads a recorded game section by section and reports what the rules forbid.

A setup or position is laid out in the order of the rules, whatever the order of the log. What
reads a game, and what reads ahead in it, read the sections of a log in one way: as a ``Course``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from altay_cli.base.budget import Account, steps_for
from altay_cli.base.findings import (
    BudgetError,
    ExpressionError,
    Finding,
    Severity,
    Text,
    short_repr,
)
from altay_cli.base.suggest import look
from altay_cli.base.values import Entity
from altay_cli.match import limits
from altay_cli.match.match import PHASES, Match, Snapshot
from altay_cli.match.operations import Values
from altay_cli.match.readings import MoveValues
from altay_cli.match.reporting import Gap, Report, Stop, Why
from altay_cli.match.state import State
from altay_cli.match.statements import assume_turn, carry_out, give_all, play
from altay_cli.notation.tree import GameRecord, Section, SectionKind, Statement
from altay_cli.pack.candidates import Candidate, on_pad
from altay_cli.pack.model import Check, Effects, Phase
from altay_cli.pack.notations import recognised
from altay_cli.pack.table import UNREAD
from altay_cli.pack.words import not_for, reason

HEADING = -1
"""The number of a heading among the statements of its section."""


class Point(NamedTuple):
    """Where a statement stands: the numbers of its section, and of it there."""

    section: int
    number: int


class Checkpoint(NamedTuple):
    """The moment before a heading or statement of the turns, or before the setup.

    ``number`` counts the headings and statements of turns before it, ``moves`` the moves.
    """

    place: Point
    statement: Statement
    number: int
    moves: int
    snapshot: Snapshot

    @property
    def behind(self) -> Point:
        """Where reading goes on behind it."""
        return Point(self.place.section, self.place.number + 1)

    @property
    def phase(self) -> Phase:
        """What a heading or statement of the turns is."""
        return "heading" if self.place.number == HEADING else "turns"


class Repairing:
    """Finds out how to go on after the slips of one game; this one goes on as the rules say."""

    def __init__(self, course: Course) -> None:
        del course

    @property
    def told(self) -> Sequence[Finding]:
        """What is told of what was meant, apart from what was found at slips."""
        return ()

    def laid_out(self, unseated: Sequence[Finding]) -> None:
        """Take note that the setup has been read, in which something is wrong.

        ``unseated`` is what is told of seats that cannot be read, because of which the turns are
        not judged. Raises Back where it was found out what was meant.
        """

    def recover(self, slip: Checkpoint) -> None:
        """Go on after a slip: a statement that was carried out, and of which errors are told.

        Raises Back to go on from an earlier moment; Stop to go on no further.
        """

    def begins_turn(self, statement: Statement, own: Point, behind: Point) -> bool:
        """Return whether a statement between two turns is a turn of its own, by what follows."""
        del statement, own, behind
        return False


Play = Callable[[Statement, Phase], bool]
"""Judges a statement and carries it out."""


class Setup:
    """The section that lays out a game, with what of it has been read.

    ``play`` reads a statement. ``unseated`` is what is told of seats that cannot be read: without
    them, whose turn it is would be guessed, and what must hold with so many players.
    """

    def __init__(
        self, match: Match, section: Section, statements: Sequence[Statement], play: Play
    ) -> None:
        self.match = match
        self.section = section
        self.phase = phase = PHASES[section.kind]
        self.play = play
        of_turn = (n for n, o in enumerate(statements) if match.binder.is_of_turn(o.phrase, phase))
        first = next(of_turn, len(statements))
        if not any(match.binder.closes(one.phrase) for one in statements[first:]):
            first = len(statements)
        self.statements, self.turn = statements[:first], statements[first:]
        """What is laid out, and a whole turn behind it whose heading is missing."""
        self.unseated: list[Finding] = []
        self.begun: set[int] = set()
        """What of the section has been read, by identity."""
        match.state.laid_out = self.phase
        self._incomplete: list[tuple[Finding, Candidate]] = []
        """Seats taken with one unknown name, each with its finding."""

    def read(self) -> None:
        """Lay out the game, and check what must hold when that is done.

        Raises Stop where nothing that follows can be judged.
        """
        self.lay_out()
        match, phase, heading = self.match, self.phase, self.section.heading
        with match.report.at(heading, None):
            if len(match.state.players) < match.pack.least:
                self._report_lack_of_players()
            for check in () if self.unseated else match.pack.checks:
                if phase in check.after and not check.begun:
                    match.guarded(heading, partial(self._check, check))
            for stage in match.pack.complete:
                if phase in stage.phases:
                    match.guarded(heading, partial(stage.does.fn, match.state, {}))

    def lay_out(self) -> None:
        """Carry out the statements, and between them what the rules have done."""
        match, phase = self.match, self.phase
        match.report.begin(phase)
        statements = [(match.binder.order(one.phrase, phase), one) for one in self.statements]
        stages = [stage for stage in match.pack.prepare if phase in stage.phases]
        orders = {number for number, _ in statements} | {stage.order for stage in stages}
        seats = (number for number, one in statements if match.binder.seats(one.phrase, phase))
        last_seat = max(seats, default=None)
        match.lacks_players = False
        for order in sorted(orders):
            for statement in (one for number, one in statements if number == order):
                self.begun.add(id(statement))
                self.play(statement, phase)
                if match.state.unread:
                    self._leave_open(statement)
            if last_seat is None or order == last_seat:
                # Rules that fail from here on do so because a player is missing, which is told.
                match.lacks_players = len(match.state.players) < match.pack.least
            for stage in stages:
                if stage.order == order:
                    match.guarded(self.section.heading, partial(stage.does.fn, match.state, {}))
        for finding, parsed in self._incomplete:
            self._list_possible(finding, parsed)

    def _leave_open(self, statement: Statement) -> None:
        """Apply the `unread` effects of a statement that cannot be read."""
        match, phase = self.match, self.phase
        slips, seats = match.report.findings[-1:], len(match.state.players)
        takes_seat = match.binder.seats(statement.phrase, phase)
        parsed = match.binder.bind(statement.phrase, phase).partial
        if takes_seat and parsed is not None and len(parsed.errors) == len(slips):
            self._incomplete += [(slips[0], parsed)]
        unread, actor = match.binder.unread(statement.phrase, phase), match.report.here.actor
        if unread is not None:
            if actor is None and unread.move.introduces:
                actor = match.introduce(statement)
            if actor is not None or not statement.actor:
                values: Values = {"me": actor, **match.single_values(unread)}
                match.guarded(statement, partial(self._unheard, unread.move.unread, values))
        if takes_seat and len(match.state.players) == seats:
            self.unseated.extend(slips)

    def _list_possible(self, finding: Finding, parsed: Candidate) -> None:
        """List in the finding of an unknown name the possible names, if they are few."""
        match, findings = self.match, self.match.report.findings
        unread = [name for name in parsed.places if name not in parsed.slots]
        number = next((n for n, one in enumerate(findings) if one is finding), None)
        if len(unread) != 1 or number is None or finding.help:
            return
        (name,), before = unread, match.snapshot()
        names: list[str] = []
        with suppress(ExpressionError):
            values: Values = {"me": None, "asked": {}, **match.single_values(parsed)}
            domain = match.resolver.domain(parsed.move.slots[name], values)
            for thing in domain if domain and len(domain) <= limits.FEW_NAMES else ():
                tried = MoveValues({**values, name: thing}, parsed.move, match.state)
                asked = [one for one in parsed.move.requires if one.at == name]
                if all(one.that.fn(match.state, tried) for one in asked):
                    names.append(match.state.words.name(thing))
        match.restore(before)
        if names:
            possible = Text("possible here: {names}", names=tuple(names))
            findings[number] = finding._replace(help=(possible,))

    def _report_lack_of_players(self) -> None:
        """Report that the game needs more players; the rest of it is not judged.

        Where a seat cannot be read, that tells it. Raises Stop.
        """
        match, heading = self.match, self.section.heading
        count = len(match.state.players)
        if not (count or self.unseated):
            report_nobody_seated(match)
        elif not self.unseated:
            for check in match.pack.checks:
                if self.phase in check.after and check.otherwise == "over" and not check.begun:
                    match.guarded(heading, partial(self._check, check))
            match.report.add("too-few-seats", Severity.ERROR, not_for(count, match.pack))
        raise Stop(whole_game=True)

    def _unheard(self, effects: Effects, values: Values) -> None:
        with self.match.report.unheard():
            effects.fn(self.match.state, values)

    def _check(self, check: Check) -> None:
        for values in self.match.state.breaches(check):
            self._failed(check, values)

    def _failed(self, check: Check, values: Values) -> None:
        """Tell that a check does not hold: one of each player is told at a statement of theirs."""
        report, statements = self.match.report, self.section.statements
        players = (v for v in values.values() if isinstance(v, Entity) and v.kind == "player")
        about = next(players, None)
        kind = [one for one in statements if one.items and one.items[0].text.casefold() == check.at]
        own = [one for one in kind if about is None or self.match.binder.player(one.actor) is about]
        place = own[-1] if own else self.section.heading
        with report.at(place, about):
            report.report_text(check.text, values)
            if check.text.unrecorded and check.at:
                begins = f"{about.id}: {check.at}" if about is not None else check.at
                last = statements[-1] if statements else place
                report.lacking.append((last, begins, check.that.zones))
            self._unheard(check.does, values)
        if check.otherwise == "over":
            raise Stop(whole_game=True)


def report_nobody_seated(match: Match) -> None:
    """Report that nobody has a seat, at the beginning of the game."""
    message = "nobody has a seat: a game begins with `setup` or `position`"
    span = None if match.log is None else match.log.span
    match.report.add("no-players", Severity.ERROR, message, span)


class Course:
    """Reads the sections of a log in a match.

    ``instead`` says, by identity, what is read in the place of a statement, and ``assumed`` which
    of that is not in the log: nothing is told of it. ``setup_number`` is that of the section which
    lays out the game. ``moves`` are the statements of turns that have been read, ``checkpoints``
    the moments before them and their headings. ``repairing`` goes on after slips. What stands from
    a heading or statement ``until`` of a turn on is not read.
    """

    def __init__(
        self,
        match: Match,
        sections: Sequence[Section],
        instead: dict[int, Sequence[Statement]],
        assumed: set[int],
        until: Statement | None = None,
    ) -> None:
        self.match = match
        self.report = match.report
        self.sections = sections
        self.instead = instead
        self.assumed = assumed
        setups = {SectionKind.SETUP, SectionKind.POSITION}
        self.setup_number = next((n for n, one in enumerate(sections) if one.kind in setups), None)
        self.moves: list[Statement] = []
        self.checkpoints: list[Checkpoint] = []
        self.play: Play = partial(play, match)
        self._until = until
        self.repairing = Repairing(self)

    # ------------------------------------------------------------ what is done at each statement

    def assume(self, statement: Statement, phase: Phase) -> None:
        """Carry out a statement that is not in the log."""
        carry_out(self.match, statement, phase)

    def slipped(self, slip: Checkpoint) -> None:
        """Go on after a statement with errors."""
        self.repairing.recover(slip)

    # ------------------------------------------------------------ sections

    def setup(self, number: int) -> Setup:
        """Return the setup that a section tells, to be read."""
        section = self.sections[number]
        read = [o for one in section.statements for o in self.instead.get(id(one), (one,))]
        return Setup(self.match, section, read, self.play)

    def stray_turn(self, setup: Setup) -> None:
        """Read the first turn, if it stands without a heading behind the setup, which is told.

        Raises Stop where no turn can begin.
        """
        match, report = self.match, self.report
        if setup.unseated:
            raise Stop(whole_game=True)
        if not setup.turn:
            return
        first = setup.turn[0]
        with report.at(first, report.here.actor):
            for error in match.binder.bind(first.phrase, setup.phase).errors:
                report.unreadable(error)
        report.begin("turns")
        match.guarded(first, partial(assume_turn, match))
        for statement in setup.turn:
            setup.begun.add(id(statement))
            if match.watcher is not None:
                match.watcher.before(statement)
            self.play(statement, "turns")
            self.moves.append(statement)

    def turn(self, which: int, first: int = HEADING) -> None:
        """Read one of the turns, from its heading or statement number ``first`` on.

        Raises Stop if the rest of the turn or game is not to be read.
        """
        report, match, section = self.report, self.match, self.sections[which]
        cells = match.state.cells
        report.begin("turns")
        for number in range(first, len(section.statements)):
            heads = number == HEADING
            statement = section.heading if heads else section.statements[number]
            if statement is self._until:
                raise Stop(whole_game=True, why=Why.ASKED)
            # Made so for every statement, as ``Here``.
            place = tuple.__new__(Point, (which, number))
            now = place, statement, len(self.checkpoints), len(self.moves), match.snapshot()
            checkpoint = tuple.__new__(Checkpoint, now)
            self.checkpoints.append(checkpoint)
            if match.watcher is not None:
                match.watcher.before(statement)
            phase: Phase = "heading" if heads else "turns"
            instead = self.instead.get(id(statement), (statement,))
            for one in instead:
                if self.assumed and id(one) in self.assumed:
                    # What was left out before a heading belongs to the turn before it.
                    self.assume(one, phase if one is instead[-1] else "turns")
                    continue
                errors = report.errors
                try:
                    if not self.play(one, phase):
                        continue
                    # What cannot be read counts for nothing while ways to go on are compared.
                    if report.errors > errors or cells[UNREAD]:
                        self.slipped(checkpoint)
                except Stop as stop:
                    # Where a whole turn follows without its heading, that is the slip.
                    if stop.whole_game or heads or not self._lacks_heading(checkpoint):
                        raise
                    match.guarded(one, partial(assume_turn, match))
                    self.play(one, phase)
                if not heads:
                    self.moves.append(one)

    def _lacks_heading(self, checkpoint: Checkpoint) -> bool:
        """Return whether a statement that may not stand where it does begins a turn of its own."""
        binder, (section, number) = self.match.binder, checkpoint.place
        one, *later = self.sections[section].statements[number:]
        if any(binder.closes(other.phrase) for other in later):  # mostly an early one
            return True
        # Either a turn that is nothing but its end, or an end too many: what follows tells.
        own, behind = checkpoint.behind, Point(section + 1, HEADING)
        return binder.closes(one.phrase) and self.repairing.begins_turn(one, own, behind)


# ---------------------------------------------------------------- a whole game


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

    def __repr__(self) -> str:
        return short_repr(self, moves=self.moves, findings=len(self.findings), judged=self.judged)

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
            told = len(report.findings)
            if all(found.rule != "no-players" for found in report.findings):
                report_nobody_seated(self.match)
            if left is not None:
                self._leave_out(left, [], Stop(whole_game=True), told)
        tell_look_alikes(self.match, record)
        # What is evaluated after the game has been read has a time limit of its own.
        self.state.account = self._account
        tell_fault(self.match, record)
        tell_gaps(report, record)
        meant = {(one.rule, one.span, one.message): one for one in self.repairing.told}
        others = (one for one in report.findings if (one.rule, one.span, one.message) not in meant)
        report.findings[:] = [*others, *meant.values()]
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
                if phase == "result":
                    if self.state.pending and not self.state.complete:  # answers not written down
                        with suppress(Stop):
                            self.match.guarded(section.heading, partial(give_all, self.match))
                elif phase == "turns":
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
        # With a player too many the game is another one: no other setup is looked for.
        if self.report.errors and (stop is None or stop.why is not Why.FORBIDDEN):
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
            unclear = stop.why in {Why.ILLEGIBLE, Why.OPEN}
            self.report.left_out(rest, 0 if unclear else told, cause)
        if stop.why not in {Why.ILLEGIBLE, Why.OPEN}:
            return
        report, binder = self.report, self.match.binder
        headings = {id(section.heading) for section in self.sections}
        report.begin(None)
        for statement in (one for one in rest if id(one) not in headings):
            with report.at(statement, None):
                for error in binder.bind(statement.phrase, "turns").errors:
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
            if not self.match.binder.bind(statement.phrase, "turns").readings
            and not recognised(self.pack.notations, statement.phrase)
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

"""The course of a game: the statements of a log, one after the other, and what is read for each.

A setup or position is laid out in the order of the rules, whatever the order of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from altay_cli.base.findings import Finding
from altay_cli.base.values import Entity
from altay_cli.match.match import PHASES, Match, Snapshot
from altay_cli.match.operations import Values
from altay_cli.match.reporting import Stop, Why
from altay_cli.match.statements import assume_turn, carry_out, play
from altay_cli.notation import Section, SectionKind, Statement
from altay_cli.pack.model import Check, Effects, Phase

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
        return Phase.HEADING if self.place.number == HEADING else Phase.TURNS


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
    them, whose turn it is would be guessed.
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

    def read(self) -> None:
        """Lay out the game, and check what must hold when that is done.

        Raises Stop where nothing that follows can be judged.
        """
        self.lay_out()
        match, phase, heading = self.match, self.phase, self.section.heading
        with match.report.at(heading, None):
            for check in match.pack.checks:
                if phase in check.after:
                    match.guarded(heading, self._check, check)
            # Where nobody has a seat, which is told, nothing is dealt or laid out for anybody.
            for stage in match.pack.complete if match.state.players else ():
                if phase in stage.phases:
                    match.guarded(heading, stage.does.fn, match.state, {})

    def lay_out(self) -> None:
        """Carry out the statements, and between them what the rules have done."""
        match, phase = self.match, self.phase
        match.report.begin(phase)
        statements = [(match.binder.order(one.phrase, phase), one) for one in self.statements]
        stages = [stage for stage in match.pack.prepare if phase in stage.phases]
        orders = {number for number, _ in statements} | {stage.order for stage in stages}
        for order in sorted(orders):
            for statement in (one for number, one in statements if number == order):
                self.begun.add(id(statement))
                self.play(statement, phase)
                if match.state.unread:
                    if match.binder.seats(statement.phrase, phase):
                        self.unseated.extend(match.report.findings[-1:])
                    # What the rules say is open then.
                    effects = match.binder.unread(statement.phrase, phase)
                    actor = match.report.here.actor
                    if effects is not None and (actor is not None or not statement.actor):
                        match.guarded(statement, self._unheard, effects, {"me": actor})
            for stage in stages:
                if stage.order == order:
                    match.guarded(self.section.heading, stage.does.fn, match.state, {})

    def _unheard(self, effects: Effects, values: Values) -> None:
        with self.match.report.unheard():
            effects.fn(self.match.state, values)

    def _check(self, check: Check) -> None:
        state = self.match.state
        values: list[Values] = [{}]
        if check.each is not None:
            name, items = check.each
            values = [{name: item} for item in items.fn(state, {})]
        for inner in values:
            if not check.that.fn(state, inner):
                self._failed(check, inner)

    def _failed(self, check: Check, values: Values) -> None:
        """Tell that a check does not hold: one of each player is told at a statement of theirs."""
        report, statements = self.match.report, self.section.statements
        players = (v for v in values.values() if isinstance(v, Entity) and v.kind == "player")
        about = next(players, None)
        kind = [one for one in statements if one.items and one.items[0].text.casefold() == check.at]
        own = [one for one in kind if about is None or self.match.binder.player(one.actor) is about]
        place = own[-1] if own else self.section.heading
        with report.at(place, about):
            report.say(check.text, values)
            if check.text.unrecorded and check.at:
                begins = f"{about.id}: {check.at}" if about is not None else check.at
                last = statements[-1] if statements else place
                report.lacking.append((last, begins, check.that.zones))
            self._unheard(check.does, values)
        if check.otherwise == "over":
            raise Stop(whole_game=True)


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
        report.begin(Phase.TURNS)
        match.guarded(first, assume_turn, match)
        for statement in setup.turn:
            setup.begun.add(id(statement))
            if match.watcher is not None:
                match.watcher.before(statement)
            self.play(statement, Phase.TURNS)
            self.moves.append(statement)

    def turn(self, which: int, first: int = HEADING) -> None:
        """Read one of the turns, from its heading or statement number ``first`` on.

        Raises Stop if the rest of the turn or game is not to be read.
        """
        report, match, section = self.report, self.match, self.sections[which]
        report.begin(Phase.TURNS)
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
            phase = Phase.HEADING if heads else Phase.TURNS
            instead = (
                self.instead.get(id(statement), (statement,)) if self.instead else (statement,)
            )
            for one in instead:
                if self.assumed and id(one) in self.assumed:
                    # What was left out before a heading belongs to the turn before it.
                    self.assume(one, phase if one is instead[-1] else Phase.TURNS)
                    continue
                errors = report.errors
                try:
                    if not self.play(one, phase):
                        continue
                    if report.errors > errors:
                        self.slipped(checkpoint)
                except Stop as stop:
                    # Where a whole turn follows without its heading, that is the slip.
                    if stop.whole_game or heads or not self._lacks_heading(checkpoint):
                        raise
                    match.guarded(one, assume_turn, match)
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

"""Read the sections of a log, for judging and for looking ahead alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from altay_cli.base.findings import (
    Finding,
)
from altay_cli.match.headings import assume_turn
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.reporting import Stop, StopReason
from altay_cli.match.setup import Play, Setup
from altay_cli.match.statements import carry_out, play
from altay_cli.notation.tree import Section, SectionKind, Statement
from altay_cli.pack.model import Phase
from altay_cli.pack.table import UNREAD

HEADING = -1
"""The number of a heading among the statements of its section."""


class Point(NamedTuple):
    """The position of a statement: its section, and its number there."""

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
        """The position after this statement."""
        return Point(self.place.section, self.place.number + 1)

    @property
    def phase(self) -> Phase:
        """The phase of this statement: heading or turns."""
        return "heading" if self.place.number == HEADING else "turns"


class Repairing:
    """Base class of error recovery; this one follows the rules as they are."""

    def __init__(self, course: Course) -> None:
        del course

    @property
    def told(self) -> Sequence[Finding]:
        """What is told of what was meant, apart from what was found at slips."""
        return ()

    def laid_out(self, unseated: Sequence[Finding]) -> None:
        """Take note that the setup has been read, in which something is wrong.

        ``unseated`` is what is told of seats that cannot be read, because of which the turns are
        not judged. Raises Rewind where it was found out what was meant.
        """

    def recover(self, slip: Checkpoint) -> None:
        """Go on after a slip: a statement that was carried out, and of which errors are told.

        Raises Rewind to go on from an earlier moment; Stop to go on no further.
        """

    def begins_turn(self, statement: Statement, own: Point, behind: Point) -> bool:
        """Return True if what follows suggests a missing turn heading."""
        del statement, own, behind
        return False


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
        """Return the unread setup in a section."""
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
        """Read a turn from statement number `first` on.

        Raises Stop if the rest of the turn or game is not to be read.
        """
        report, match, section = self.report, self.match, self.sections[which]
        cells = match.state.cells
        report.begin("turns")
        for number in range(first, len(section.statements)):
            heads = number == HEADING
            statement = section.heading if heads else section.statements[number]
            if statement is self._until:
                raise Stop(whole_game=True, why=StopReason.ASKED)
            # Made so for every statement, as ``FindingContext``.
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
        """Return True if a misplaced statement begins a turn without a heading."""
        binder, (section, number) = self.match.binder, checkpoint.place
        one, *later = self.sections[section].statements[number:]
        if any(binder.closes(other.phrase) for other in later):  # mostly an early one
            return True
        # Either a turn that is nothing but its end, or an end too many: what follows tells.
        own, behind = checkpoint.behind, Point(section + 1, HEADING)
        return binder.closes(one.phrase) and self.repairing.begins_turn(one, own, behind)

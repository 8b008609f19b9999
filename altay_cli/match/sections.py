"""Read the sections of a log, to judge them or to look ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from altay_cli.base.compiled import mypyc_attr
from altay_cli.base.findings import (
    Finding,
)
from altay_cli.match.headings import assume_turn
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.reporting import Stop, StopReason
from altay_cli.match.setup import Play, Setup
from altay_cli.match.statements import carry_out, play
from altay_cli.notation.tree import Section, SectionKind, Statement
from altay_cli.pack.layout import UNREAD
from altay_cli.pack.model import Phase

HEADING = -1
"""The number of a heading in its section."""


class Point(NamedTuple):
    """The position of a statement in its section."""

    section: int
    number: int


class Checkpoint(NamedTuple):
    """The snapshot before a heading or statement in turns, or before the setup.

    number, moves: how many checkpoints and moves precede it.
    """

    place: Point
    statement: Statement
    number: int
    moves: int
    snapshot: Snapshot

    @property
    def next_point(self) -> Point:
        """The position after this statement."""
        return Point(self.place.section, self.place.number + 1)

    @property
    def phase(self) -> Phase:
        """The phase of this statement: heading or turns."""
        return "heading" if self.place.number == HEADING else "turns"


@mypyc_attr(allow_interpreted_subclasses=True)
class Repairing:
    """Error recovery; this base class does nothing."""

    def __init__(self, course: Course) -> None:
        del course

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings about repairs."""
        return ()

    def recover_setup(self, unseated: Sequence[Finding]) -> None:
        """Look for a repair of a setup with errors; raise Rewind with one."""

    def recover(self, slip: Checkpoint) -> None:
        """Look for a repair after a statement with errors.

        Raise Rewind to continue from an earlier checkpoint, Stop to end the game.
        """

    def begins_turn(self, statement: Statement, after: Point, next_turn: Point) -> bool:
        """Return True if what follows suggests that a statement begins a turn.

        after: where reading goes on if it does.
        next_turn: the next heading, where it goes on otherwise.
        """
        del statement, after, next_turn
        return False


@mypyc_attr(allow_interpreted_subclasses=True)
class Course:
    """Reads the sections of a log in a match.

    replacements: by `id(statement)`, the statements that replace it.
    assumed: the ids of replacements whose findings are discarded.
    """

    def __init__(
        self,
        match: Match,
        sections: Sequence[Section],
        replacements: dict[int, Sequence[Statement]],
        assumed: set[int],
        until: Statement | None = None,
    ) -> None:
        self.match = match
        self.report = match.report
        self.sections = sections
        self.replacements = replacements
        self.assumed = assumed
        setups = {SectionKind.SETUP, SectionKind.POSITION}
        self.setup_number = next(
            (n for n, section in enumerate(sections) if section.kind in setups), None
        )
        self.moves: list[Statement] = []
        self.checkpoints: list[Checkpoint] = []
        self.play: Play = partial(play, match)
        self._until = until
        self._begin_repairing: Callable[[], Repairing] = partial(Repairing, self)
        self._repairing: Repairing | None = None

    @property
    def repairing(self) -> Repairing:
        """Error recovery, which begins when it is first needed."""
        if self._repairing is None:
            self._repairing = self._begin_repairing()
        return self._repairing

    # ------------------------------------------------------------ single statements

    def assume(self, statement: Statement, phase: Phase) -> None:
        """Apply a statement that is not in the log."""
        carry_out(self.match, statement, phase)

    def slipped(self, slip: Checkpoint) -> None:
        """Recover from a statement with errors."""
        self.repairing.recover(slip)

    # ------------------------------------------------------------ sections

    def setup(self, number: int) -> Setup:
        """Return the unread setup in a section."""
        section = self.sections[number]
        read = [
            other
            for statement in section.statements
            for other in self.replacements.get(id(statement), (statement,))
        ]
        return Setup(self.match, section, read, self.play)

    def stray_turn(self, setup: Setup) -> None:
        """Read and report a first turn without a heading in the setup section.

        Raise Stop if no turn can begin.
        """
        match, report = self.match, self.report
        if setup.unseated:
            raise Stop(whole_game=True)
        if not setup.turn:
            return
        first = setup.turn[0]
        with report.at(first, report.context.actor):
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

        Raise Stop to skip the rest of the turn or game.
        """
        match, section = self.match, self.sections[which]
        self.report.begin("turns")
        for number in range(first, len(section.statements)):
            is_heading = number == HEADING
            statement = section.heading if is_heading else section.statements[number]
            if statement is self._until:
                raise Stop(whole_game=True, why=StopReason.ASKED)
            checkpoint = Checkpoint(
                Point(which, number),
                statement,
                len(self.checkpoints),
                len(self.moves),
                match.snapshot(),
            )
            self.checkpoints.append(checkpoint)
            if match.watcher is not None:
                match.watcher.before(statement)
            phase: Phase = "heading" if is_heading else "turns"
            replacements = self.replacements.get(id(statement), (statement,))
            for replacement in replacements:
                if self.assumed and id(replacement) in self.assumed:
                    # A statement inserted before a heading belongs to the turn before it.
                    self.assume(replacement, phase if replacement is replacements[-1] else "turns")
                elif self._play_at(checkpoint, replacement, phase) and not is_heading:
                    self.moves.append(replacement)

    def _play_at(self, checkpoint: Checkpoint, statement: Statement, phase: Phase) -> bool:
        report, errors = self.report, self.report.errors
        try:
            if not self.play(statement, phase):
                return False
            # While alternatives are compared, unreadable text is no error.
            if report.errors > errors or self.match.state.cells[UNREAD]:
                self.slipped(checkpoint)
        except Stop as stop:
            # The statement may begin a turn whose heading is missing.
            if stop.whole_game or phase == "heading" or not self._lacks_heading(checkpoint):
                raise
            self.match.guarded(statement, partial(assume_turn, self.match))
            self.play(statement, phase)
        return True

    def _lacks_heading(self, checkpoint: Checkpoint) -> bool:
        binder, (section, number) = self.match.binder, checkpoint.place
        first, *later = self.sections[section].statements[number:]
        if any(binder.closes(other.phrase) for other in later):
            return True
        # A turn without moves or a superfluous end: the next statements decide.
        after, next_turn = checkpoint.next_point, Point(section + 1, HEADING)
        return binder.closes(first.phrase) and self.repairing.begins_turn(first, after, next_turn)

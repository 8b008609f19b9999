"""The course of a game: the statements of a log, one after the other, and what is read for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from altay_cli.match.match import PHASES, Match, Snapshot
from altay_cli.match.reporting import Stop, Why
from altay_cli.match.setup import Setup
from altay_cli.match.statements import assume_turn, begin, carry_out, play
from altay_cli.notation import Section, SectionKind, Statement
from altay_cli.pack.model import Phase

HEADING = -1
"""The number of a heading among the statements of its section."""

LAYING = frozenset({SectionKind.SETUP, SectionKind.POSITION})
"""The sections that lay out a game."""


class Point(NamedTuple):
    """Where a statement stands: the numbers of its section, and of it there."""

    section: int
    number: int


class Checkpoint(NamedTuple):
    """The moment before a heading or statement of the turns, or before the setup.

    ``number`` counts the headings and statements of turns before it, ``moves`` the moves.
    """

    section: int
    at: int
    statement: Statement
    number: int
    moves: int
    snapshot: Snapshot

    @property
    def place(self) -> Point:
        """Where the heading or statement stands: the numbers of its section, and of it there."""
        return Point(self.section, self.at)


class Slip(NamedTuple):
    """A statement of the turns in which something is wrong.

    It has been carried out as the rules say, and what is wrong has been told.
    """

    checkpoint: Checkpoint
    phase: Phase

    @property
    def statement(self) -> Statement:
        """What is wrong."""
        return self.checkpoint.statement

    @property
    def behind(self) -> Point:
        """Where reading goes on."""
        place = self.checkpoint.place
        return place._replace(number=place.number + 1)


class Course:
    """Reads the sections of a log in a match.

    ``instead`` says, by identity, what is read in the place of a statement, and ``assumed`` which
    of that is not in the log: nothing is told of it. ``laying`` is the number of the section that
    lays out the game. ``moves`` are the statements of turns that have been read.
    """

    def __init__(
        self,
        match: Match,
        sections: Sequence[Section],
        instead: dict[int, Sequence[Statement]],
        assumed: set[int],
    ) -> None:
        self.match = match
        self.report = match.report
        self.sections = sections
        self.instead = instead
        self.assumed = assumed
        self.laying = next((n for n, one in enumerate(sections) if one.kind in LAYING), None)
        self.moves: list[Statement] = []

    # ------------------------------------------------------------ what is done at each statement

    def comes(self, section: int, at: int, statement: Statement) -> Checkpoint:
        """Return the moment before a heading or statement of the turns."""
        return Checkpoint(section, at, statement, 0, len(self.moves), self.match.snapshot())

    def play(self, statement: Statement, phase: Phase) -> bool:
        """Judge a statement, and carry it out; return whether it is a move."""
        if phase is Phase.HEADING:
            begin(self.match, statement)
            return True
        return play(self.match, statement, phase)

    def assume(self, statement: Statement, phase: Phase) -> None:
        """Carry out a statement that is not in the log."""
        carry_out(self.match, statement, phase)

    def slipped(self, slip: Slip) -> None:
        """Go on after a statement with errors."""

    def went_well(self, checkpoint: Checkpoint, statement: Statement) -> None:
        """Take note of a statement without errors."""

    def begins_turn(self, place: Point) -> bool:
        """Return whether a statement that could only end a turn is a turn of its own."""
        del place
        return False

    # ------------------------------------------------------------ sections

    def meant(self, statement: Statement) -> Sequence[Statement]:
        """Return what is read in the place of a statement."""
        return self.instead.get(id(statement), (statement,))

    def setup(self, number: int) -> Setup:
        """Return the setup that a section tells, to be read."""
        section = self.sections[number]
        read = [one for statement in section.statements for one in self.meant(statement)]
        return Setup(self.match, section, read, self.play)

    def stray_turn(self, setup: Setup) -> None:
        """Read the first turn, if it stands without a heading behind the setup."""
        for statement in setup.stray_turn():
            self.play(statement, Phase.TURNS)
            self.moves.append(statement)

    def turn(self, which: int, first: int = HEADING) -> None:
        """Read one of the turns, from statement number ``first`` on."""
        self.report.begin(Phase.TURNS)
        section = self.sections[which]
        if first == HEADING:
            self._read(which, HEADING, section.heading, Phase.HEADING)
        for number in range(max(first, 0), len(section.statements)):
            self._read(which, number, section.statements[number], Phase.TURNS)

    def _read(self, section: int, at: int, statement: Statement, phase: Phase) -> None:
        """Read a heading or statement of the turns."""
        report = self.report
        checkpoint = self.comes(section, at, statement)
        for one in self.meant(statement) if self.instead else (statement,):
            if self.assumed and id(one) in self.assumed:
                self.assume(one, phase)
                continue
            errors = report.errors
            try:
                if not self.play(one, phase):
                    continue
                if report.errors > errors:
                    self.slipped(Slip(checkpoint, phase))
                else:
                    self.went_well(checkpoint, one)
            except Stop as stop:
                # Where a whole turn follows without its heading, that is the slip.
                heads = phase is Phase.HEADING
                if stop.whole_game or heads or not self._lacks_heading(checkpoint.place):
                    raise
                self.match.guarded(one, assume_turn, self.match)
                self.play(one, phase)
            if phase is Phase.TURNS:
                self.moves.append(one)

    def _lacks_heading(self, place: Point) -> bool:
        """Return whether a statement that may not stand where it does begins a turn of its own."""
        binder, statements = self.match.binder, self.sections[place.section].statements
        one, *rest = statements[place.number :]
        if any(binder.closes(other.phrase) for other in rest):  # mostly an early one
            return True
        # Either a turn that is nothing but its end, or an end too many: what follows tells.
        return binder.closes(one.phrase) and self.begins_turn(place)


class Guide(Protocol):
    """Looks for the best way to go on after a slip."""

    @property
    def is_over(self) -> bool:
        """Whether no more may be tried."""

    def repeat(self, slip: Slip) -> bool:
        """Go on after a slip in a way that was found before, if one was."""


class Ahead(Course):
    """Reads ahead from some place of a log, for somebody who looks for the best way to go on.

    That is so many ``statements`` at most, up to so many ``errors``. With ``judges`` it counts if
    what is not in the log is not legal. Whoever reads ahead takes it back.
    """

    def __init__(
        self,
        course: Course,
        guide: Guide,
        instead: dict[int, Sequence[Statement]],
        assumed: set[int],
        statements: int,
        errors: int,
        *,
        judges: bool,
    ) -> None:
        super().__init__(course.match, course.sections, instead, assumed)
        self.guide = guide
        self.errors = errors
        self.judges = judges
        self._left = iter(range(statements))

    def read_on(self, place: Point) -> None:
        """Read what follows from a place on, up to the result."""
        for number in range(place.section, len(self.sections)):
            phase = PHASES[self.sections[number].kind]
            if phase is Phase.RESULT:
                return
            try:
                if phase is Phase.TURNS:
                    self.turn(number, place.number if number == place.section else HEADING)
                elif number == self.laying:
                    setup = self.setup(number)
                    setup.read()
                    self.stray_turn(setup)
            except Stop as stop:
                if stop.whole_game:
                    return

    def play(self, statement: Statement, phase: Phase) -> bool:
        """Judge a statement, and carry it out, unless enough has been read."""
        is_last = next(self._left, None) is None
        if is_last or self.report.errors >= self.errors or self.guide.is_over:
            raise Stop(whole_game=True, why=Why.ASKED)
        return super().play(statement, phase)

    def assume(self, statement: Statement, phase: Phase) -> None:
        """Carry out a statement that is not in the log."""
        if self.judges:
            self.play(statement, phase)
        else:
            super().assume(statement, phase)

    def slipped(self, slip: Slip) -> None:
        """Go on after a slip as it was found out before."""
        self.guide.repeat(slip)

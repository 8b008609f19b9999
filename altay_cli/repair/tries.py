"""What is tried after slips: reading ahead from a moment, paid from one budget, in steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from altay_cli.base.findings import Finding, errors_of
from altay_cli.match.course import HEADING, Checkpoint, Course, Point
from altay_cli.match.match import PHASES, Snapshot
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop, Telling, Why
from altay_cli.notation import Statement
from altay_cli.pack.model import Phase
from altay_cli.repair.candidates import Edit

FREE_STEPS = 1_500_000
GAME_TIMES = 5
"""What may be tried in a game: so many steps, and more for each step of reading it once."""

MOST_STEPS = 10_000_000
"""However long it is, no more than this: a log of several hours takes a third of it."""

SHARE = 4
LEAST_SHARE = 24
"""One kind of search after one slip may take one part in so many of what is left, and always one in
so many of all."""

NEAR = 60
"""So many statements behind a slip tell which way to go on is good."""


FAR_ENOUGH = 10
"""Where so many statements can be read without an error, what follows may be another slip."""


class Outcome(NamedTuple):
    """What came of reading on: the errors, and whether hidden things had to be supposed.

    ``clean`` counts the headings and statements of turns that were read before the first error, or
    in all. ``whole`` is false if the budget did not last.
    """

    errors: Sequence[Finding]
    clean: int
    used: bool
    whole: bool


class Tries:
    """Reads ahead in one game, with edits and without, as long as the budget for that lasts.

    ``repeat`` goes on after a slip in a way that was found before, and says whether one was.
    """

    def __init__(self, referee: Referee, repeat: Callable[[Checkpoint], bool]) -> None:
        self.referee = referee
        self.match = referee.match
        self.report = referee.report
        self.repeat = repeat
        self._all: int | None = None
        self._left = self._kept = 0
        self._since: int | None = None
        self.failed: dict[object, Outcome] = {}
        """What comes of edits that leave errors, by what is read with them and instead of what."""

    @property
    def is_over(self) -> bool:
        """Whether no more may be tried now."""
        return self._all is not None and self._left - self._spent() <= self._kept

    def _spent(self) -> int:
        """Return what has been spent since it is looked for how to go on."""
        account = self.match.state.account
        return 0 if account is None or self._since is None else self._since - account.left

    @contextmanager
    def at_slip(self) -> Iterator[None]:
        """Try things inside of this after another slip, and pay for what was tried."""
        account = self.match.state.account
        assert account is not None
        if self._all is None:
            self._all = self._left = max(min(self._granted(), account.to_try), 0)
        self._since = account.left
        self.share()
        try:
            yield
        finally:
            spent = self._spent()
            account.tried(spent)
            self._left, self._since = self._left - spent, None

    def _granted(self) -> int:
        """Return how much may be tried in the game, by what reading it took so far."""
        referee, account = self.referee, self.match.state.account
        assert account is not None
        every = sum(len(one.statements) + 1 for one in referee.sections)
        setup = referee.start
        laid = len(referee.sections[setup.place.section].statements) + 1 if setup else 0
        done = max(laid + len(referee.checkpoints), 1)
        whole = (referee.granted - account.left) * every // done
        return min(FREE_STEPS + GAME_TIMES * whole, MOST_STEPS)

    def share(self, share: int = SHARE) -> None:
        """Begin another kind of search."""
        left = self._left - self._spent()
        self._kept = max(left - max(left // share, (self._all or 0) // LEAST_SHARE), 0)

    def read(
        self,
        snapshot: Snapshot,
        place: Point,
        length: int,
        limit: int,
        edit: Edit | None = None,
        *,
        told: bool = False,
        explained: bool = False,
    ) -> Outcome:
        """Read so many statements from a moment on, up to so many errors, and go back to it.

        With ``told`` what was told since that moment stays. What errors say is ``explained`` only
        if that is asked for: it takes long.
        """
        match, report, referee = self.match, self.report, self.referee
        match.restore(snapshot, told=told)
        mark, instead, assumed = report.mark, referee.instead, referee.assumed
        if edit is not None:
            instead = instead | {id(statement): way for statement, way in edit.instead}
            assumed = assumed | {id(one) for one in edit.assumed}
        ahead = _Ahead(self, instead, assumed, length, mark.errors + limit, judges=not told)
        gaps = bool(report.gaps)
        telling = Telling.COMPARING
        if explained:
            telling = Telling.ALL
        elif edit is not None and edit.at is referee.start:
            # What cannot be read in the turns is wrong whatever else was meant.
            telling = Telling.COUNTING
        with report.only(telling), match.unwatched():
            ahead.read_on(place)
        new = report.findings[mark.findings :]
        whole = not self.is_over and not any(one.rule in _CUT for one in new)
        errors = errors_of(new)
        used = match.state.hidden.used and not gaps
        report.undo(mark)
        match.restore(snapshot, told=True)
        return Outcome(errors, max(ahead.clean - 1, 0), used, whole)

    def with_edit(self, edit: Edit, end: int, limit: int) -> Outcome:
        """Read with an edit from its moment on, up to statement ``end`` of the turns.

        What left an error before, up to an earlier end, is not read again.
        """
        texts = tuple((id(one), *(other.text for other in way)) for one, way in edit.instead)
        key = edit.at.number, edit.at.place, texts
        failed = self.failed.get(key) if limit == 1 else None
        if failed is not None:
            return failed
        length = end - edit.at.number + len(edit.assumed)
        outcome = self.read(edit.at.snapshot, edit.at.place, length, limit, edit)
        if limit == 1 and outcome.whole and outcome.errors:
            self.failed[key] = outcome
        return outcome


class _Ahead(Course):
    """Reads ahead from some place of a log, to find out how to go on best after a slip.

    That is so many ``statements`` at most, up to so many ``errors``. With ``judges`` it counts if
    what is not in the log is not legal. Whoever reads ahead takes it back.
    """

    def __init__(
        self,
        tries: Tries,
        instead: dict[int, Sequence[Statement]],
        assumed: set[int],
        statements: int,
        errors: int,
        *,
        judges: bool,
    ) -> None:
        super().__init__(tries.match, tries.referee.sections, instead, assumed)
        self.tries = tries
        self.errors = errors
        self.judges = judges
        self.clean = 0
        self._before = self.report.errors
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

    def comes(self, section: int, at: int, statement: Statement) -> Checkpoint:
        """Count what was read before without an error."""
        self.clean += self.report.errors == self._before
        return super().comes(section, at, statement)

    def play(self, statement: Statement, phase: Phase) -> bool:
        """Judge a statement, and carry it out, unless enough has been read."""
        is_last = next(self._left, None) is None
        if is_last or self.report.errors >= self.errors or self.tries.is_over:
            raise Stop(whole_game=True, why=Why.ASKED)
        return super().play(statement, phase)

    def assume(self, statement: Statement, phase: Phase) -> None:
        """Carry out a statement that is not in the log."""
        if self.judges:
            self.play(statement, phase)
        else:
            super().assume(statement, phase)

    def slipped(self, slip: Checkpoint) -> None:
        """Go on after a slip as it was found out before."""
        self.tries.repeat(slip)


_CUT = frozenset({"rule-budget", "rule-failure"})
"""The rules of what is told where reading ended because the budget was used up."""

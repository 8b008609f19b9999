"""What is tried after slips: reading ahead from a moment, paid from one budget, in steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding, errors_of
from altay_cli.match.match import PHASES
from altay_cli.match.referee import HEADING, Checkpoint, Course, Point, Referee
from altay_cli.match.reporting import Gap, Stop, Telling, Why
from altay_cli.notation.tree import Statement
from altay_cli.pack.model import Pack, Phase
from altay_cli.repair import limits
from altay_cli.repair.candidates import Edit


class Outcome(NamedTuple):
    """What came of reading on: the errors, and whether hidden things had to be supposed.

    ``clean`` counts the headings and statements of turns that were read before the first error, or
    in all. ``whole`` is false if the budget did not last. ``judged`` is false if the rest cannot be
    judged, as the game cannot begin or it depends on hidden things: it has no errors then.
    """

    errors: Sequence[Finding]
    clean: int
    used: bool
    whole: bool
    judged: bool


class Tries:
    """Reads ahead in one game, with edits and without, as long as the budget for that lasts.

    ``repeat`` goes on after a slip in a way that was found before, and says whether one was.
    ``ask`` is called before anything is tried.
    """

    def __init__(
        self, referee: Referee, repeat: Callable[[Checkpoint], bool], ask: Callable[[], None]
    ) -> None:
        self.referee = referee
        self.match = referee.match
        self.report = referee.report
        self.repeat = repeat
        self.ask = ask
        # What is left for the game when all that may be tried has been, and all of this kind.
        self._end = self._least = 0

    @property
    def is_over(self) -> bool:
        """Whether no more may be tried now."""
        return self._account.left <= self._least

    @property
    def _account(self) -> Account:
        """What the game may take."""
        account = self.match.state.account
        assert account is not None
        return account

    @property
    def left(self) -> tuple[int, int]:
        """How much may be tried now, and how much the game may take."""
        account = self._account
        return account.left - self._least, account.available

    def settled(self) -> int:
        """Return what the game may still take, all that was spent taken off."""
        self.match.state.settle()
        return self._account.left

    def spend(self, steps: int) -> None:
        """Charge so many steps, for what was found out before."""
        self._account.spend(steps)

    @contextmanager
    def at_slip(self) -> Iterator[None]:
        """Try things inside of this after another slip, and pay for what was tried."""
        self.ask()
        account = self._account
        before, (granted, to_try) = account.left, self._granted
        tried = to_try - account.trial_steps
        self._end = before - (granted - tried)
        self.share()
        try:
            yield
        finally:
            account.charge_trial(before - account.left)

    @cached_property
    def _granted(self) -> tuple[int, int]:
        """How much may be tried in the game, by what reading it took up to the first slip.

        With it comes how much might be tried in the whole file then.
        """
        referee, account = self.referee, self._account
        every = sum(len(one.statements) + 1 for one in referee.sections)
        setup = referee.start
        laid = len(referee.sections[setup.place.section].statements) + 1 if setup else 0
        whole = (referee.granted - account.left) * every // max(laid + len(referee.checkpoints), 1)
        granted = min(limits.FREE_STEPS + limits.GAME_TIMES * whole, limits.MOST_STEPS)
        return max(min(granted, account.trial_steps), 0), account.trial_steps

    def share(self, share: int = limits.SHARE) -> None:
        """Begin another kind of search."""
        left = self._account.left - self._end
        self._least = self._end + left - left // share

    @contextmanager
    def rewinding(self) -> Iterator[None]:
        """Look at what was before inside of this, and be where one was at the end."""
        match = self.match
        now, players, course = match.snapshot(), [*match.binder.players.values()], [*match.course]
        with self.report.aside(), match.state.rewinding():
            yield
        match.course[:] = course
        if len(match.binder.players) < len(players):
            match.binder.keep_players(0)
            for player in players:
                match.binder.add_player(player)
        match.restore(now, told=True)

    def read(
        self,
        place: Point,
        limit: int = limits.NEAR,
        length: int = limits.NEAR,
        edit: Edit | None = None,
        *,
        told: bool = False,
        explained: bool = False,
    ) -> Outcome:
        """Read so many statements from a place on, up to so many errors, and go back.

        That is from this moment on, or with an edit, which may take one more, from its own; with
        ``told`` what was told since then stays. What errors say is ``explained`` only if that is
        asked for: it takes long.
        """
        match, report, referee = self.match, self.report, self.referee
        snapshot = match.snapshot() if edit is None else edit.at.snapshot
        match.restore(snapshot, told=told)
        mark, instead, assumed = report.mark, referee.instead, referee.assumed
        if edit is not None:
            instead = instead | {id(statement): way for statement, way in edit.instead}
            assumed = assumed | {id(one) for one in edit.assumed}
            length += 1
        ahead = _Ahead(self, instead, assumed, length, mark.errors + limit, judges=not told)
        gaps = bool(report.noted(Gap))
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
        clean = sum(one.snapshot.report.errors == mark.errors for one in ahead.checkpoints)
        return Outcome(errors, max(clean - 1, 0), used, whole, ahead.judged)

    def with_edit(self, edit: Edit, end: int, limit: int) -> Outcome:
        """Read with an edit from its moment on, up to statement ``end`` of the turns."""
        return self.read(edit.at.place, limit, end - edit.at.number + len(edit.assumed) - 1, edit)


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
        # Whether what was read is judged to its end.
        self.judged = True
        self._left = iter(range(statements))
        self._judge, self.play = self.play, self._play_on

    def read_on(self, place: Point) -> None:
        """Read what follows from a place on, up to the result."""
        for number in range(place.section, len(self.sections)):
            phase = PHASES[self.sections[number].kind]
            if phase == "result":
                return
            try:
                if phase == "turns":
                    self.turn(number, place.number if number == place.section else HEADING)
                elif number == self.setup_number:
                    setup = self.setup(number)
                    setup.read()
                    self.stray_turn(setup)
            except Stop as stop:
                if stop.whole_game:
                    self.judged = stop.why is Why.ASKED or (
                        phase == "turns" and stop.why is Why.FORBIDDEN
                    )
                    return

    def _play_on(self, statement: Statement, phase: Phase) -> bool:
        """Judge a statement, and carry it out, unless enough has been read."""
        is_last = next(self._left, None) is None
        if is_last or self.report.errors >= self.errors or self.tries.is_over:
            raise Stop(whole_game=True, why=Why.ASKED)
        return self._judge(statement, phase)

    def assume(self, statement: Statement, phase: Phase) -> None:
        """Carry out a statement that is not in the log."""
        if self.judges:
            self.play(statement, phase)
        else:
            super().assume(statement, phase)

    def slipped(self, slip: Checkpoint) -> None:
        """Go on after a slip as it was found out before.

        Where turns end by themselves, what follows an unreadable statement says nothing before it
        is known which move that stands for.
        """
        if not self.tries.repeat(slip) and ends_turns(self.match.pack) and self.match.state.unread:
            raise Stop(whole_game=True, why=Why.ASKED)


def ends_turns(pack: Pack) -> bool:
    """Return whether turns end by themselves, most of them with a single move."""
    return "turn_over" in pack.status


# The rules of what is told where reading ended because the budget was used up.
_CUT = frozenset({"rule-budget", "rule-failure"})

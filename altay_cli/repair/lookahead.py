"""Judge a game ahead of a checkpoint, with and without an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding, errors_of
from altay_cli.match.match import PHASES
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Gap, Stop, StopReason
from altay_cli.match.sections import HEADING, Checkpoint, Course, Point
from altay_cli.notation.tree import Statement
from altay_cli.pack.model import Pack, Phase
from altay_cli.repair import limits
from altay_cli.repair.edits import Edit


class Outcome(NamedTuple):
    """The result of judging ahead.

    clean_statements: of turns, headings included, before the first error.
    complete: the budget did not run out.
    judged: False, without errors, if the game cannot begin, or depends on hidden things.
    """

    errors: Sequence[Finding]
    clean_statements: int
    supposed_hidden: bool
    complete: bool
    judged: bool


class Lookahead:
    """Judges a game ahead as long as the budget lasts.

    repeat_answer: continue after a slip as before; return False if it is new.
    before_search: may raise to restart the game instead.
    """

    def __init__(
        self,
        referee: Referee,
        repeat_answer: Callable[[Checkpoint], bool],
        before_search: Callable[[], None],
    ) -> None:
        self.referee = referee
        self.match = referee.match
        self.report = referee.report
        self.repeat_answer = repeat_answer
        self.before_search = before_search
        # Steps to leave in the account, for all searches and for this one.
        self._floor = self._search_floor = 0

    @property
    def exhausted(self) -> bool:
        """Whether the search has used its share."""
        return self._account.left <= self._search_floor

    @property
    def _account(self) -> Account:
        account = self.match.state.account
        assert account is not None
        return account

    @property
    def remaining(self) -> tuple[int, int]:
        """The steps left for the present search, and for the game."""
        account = self._account
        return account.left - self._search_floor, account.available

    def settled(self) -> int:
        """Return the steps left, with nothing pending."""
        self.match.state.settle()
        return self._account.left

    def spend(self, steps: int) -> None:
        """Charge the steps of a search whose answer is cached."""
        self._account.spend(steps)

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Charge the steps inside as those of trials."""
        self.before_search()
        account = self._account
        before, (granted, trial_steps) = account.left, self._granted
        used = trial_steps - account.trial_steps
        self._floor = before - (granted - used)
        self.begin_search()
        try:
            yield
        finally:
            account.charge_trial(before - account.left)

    @cached_property
    def _granted(self) -> tuple[int, int]:
        """Return the steps for trials of the game, and those left in its file."""
        referee, account = self.referee, self._account
        statements = sum(len(section.statements) + 1 for section in referee.sections)
        start = referee.start
        in_setup = len(referee.sections[start.place.section].statements) + 1 if start else 0
        judged = max(in_setup + len(referee.checkpoints), 1)
        for_all = (referee.granted - account.left) * statements // judged
        granted = min(limits.FREE_STEPS + limits.GAME_TIMES * for_all, limits.MOST_STEPS)
        return max(min(granted, account.trial_steps), 0), account.trial_steps

    def begin_search(self, share: int = limits.SHARE) -> None:
        """Begin a search that may use one in ``share`` of the steps left."""
        left = self._account.left - self._floor
        self._search_floor = self._floor + left - left // share

    @contextmanager
    def rewinding(self) -> Iterator[None]:
        """Allow earlier checkpoints inside; restore the present one on exit."""
        match = self.match
        now, players, course = match.snapshot(), [*match.binder.players.values()], [*match.course]
        with self.report.suppressed(explained=True), match.state.journal.rewinding():
            yield
        match.course[:] = course
        if len(match.binder.players) < len(players):
            match.binder.keep_players(0)
            for player in players:
                match.binder.add_player(player)
        match.rewind(now)

    def judge_ahead(
        self,
        place: Point,
        limit: int = limits.NEAR,
        length: int = limits.NEAR,
        edit: Edit | None = None,
        *,
        keep_findings: bool = False,
        explained: bool = False,
    ) -> Outcome:
        """Judge ahead from a place, then restore the match.

        limit, length: stop after so many errors or statements.
        edit: begin at its checkpoint; without one, at the present state.
        keep_findings: those since that checkpoint.
        explained: explain the errors completely, which is slow.
        """
        match, report, referee = self.match, self.report, self.referee
        snapshot = match.snapshot() if edit is None else edit.checkpoint.snapshot
        if keep_findings:
            match.rewind(snapshot)
        else:
            match.restore(snapshot)
        mark, replacements, assumed = report.mark, referee.replacements, referee.assumed
        if edit is not None:
            replacements = replacements | {
                id(statement): new for statement, new in edit.replacements
            }
            assumed = assumed | {id(statement) for statement in edit.assumed}
            length += 1
        ahead = _Ahead(
            self, replacements, assumed, length, mark.errors + limit, judges_edits=not keep_findings
        )
        gaps = bool(report.noted(Gap))
        # Another setup changes what can be read in the turns.
        of_setup = edit is not None and edit.checkpoint is referee.start
        with match.speculating(explained=explained, ignore_unreadable=not (explained or of_setup)):
            ahead.judge_sections(place)
            new = report.findings[mark.findings :]
            supposed_hidden = match.state.hidden.beliefs.used and not gaps
        complete = not self.exhausted and not any(found.rule in _BUDGET_RULES for found in new)
        errors = errors_of(new)
        clean = sum(
            checkpoint.snapshot.report.errors == mark.errors for checkpoint in ahead.checkpoints
        )
        return Outcome(errors, max(clean - 1, 0), supposed_hidden, complete, ahead.judged)

    def judge_with_edit(self, edit: Edit, end: int, limit: int) -> Outcome:
        """Judge ahead with an edit, up to statement number ``end``."""
        return self.judge_ahead(
            edit.checkpoint.place, limit, end - edit.checkpoint.number + len(edit.assumed) - 1, edit
        )


class _Ahead(Course):
    def __init__(
        self,
        lookahead: Lookahead,
        replacements: dict[int, Sequence[Statement]],
        assumed: set[int],
        statements: int,
        errors: int,
        *,
        judges_edits: bool,
    ) -> None:
        super().__init__(lookahead.match, lookahead.referee.sections, replacements, assumed)
        self.lookahead = lookahead
        self.errors = errors
        self.judges_edits = judges_edits
        self.judged = True
        self._left = iter(range(statements))
        self._judge, self.play = self.play, self._play_within_limits

    def judge_sections(self, place: Point) -> None:
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
                    self.judged = stop.why is StopReason.ASKED or (
                        phase == "turns" and stop.why is StopReason.FORBIDDEN
                    )
                    return

    def _play_within_limits(self, statement: Statement, phase: Phase) -> bool:
        is_last = next(self._left, None) is None
        if is_last or self.report.errors >= self.errors or self.lookahead.exhausted:
            raise Stop(whole_game=True, why=StopReason.ASKED)
        return self._judge(statement, phase)

    def assume(self, statement: Statement, phase: Phase) -> None:
        if self.judges_edits:
            self.play(statement, phase)
        else:
            super().assume(statement, phase)

    def slipped(self, slip: Checkpoint) -> None:
        """Continue after a slip as before.

        Where turns end automatically, the rest depends on an unreadable statement: stop there.
        """
        if (
            not self.lookahead.repeat_answer(slip)
            and ends_turns(self.match.pack)
            and self.match.state.unread
        ):
            raise Stop(whole_game=True, why=StopReason.ASKED)


def ends_turns(pack: Pack) -> bool:
    """Return True if most turns end after one move."""
    return "turn_over" in pack.status


_BUDGET_RULES = frozenset({"rule-budget", "rule-failure"})
"""Findings that say that the budget ran out."""

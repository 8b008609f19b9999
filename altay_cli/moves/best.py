"""Find the best that a player can reach with the moves that are possible.

A requirement with `best` compares a number after a move with the highest that any moves lead to.
The moves of a turn follow each other, so the search tries all sequences of them, with the rules
that judge them, and undoes each. A position that several sequences lead to is searched once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from sys import maxsize
from typing import NamedTuple

from altay_cli.base.budget import CONTENTS
from altay_cli.base.findings import BudgetError, EvaluationError, UnrecordedError
from altay_cli.base.values import Entity
from altay_cli.match.decisions import EffectsInterrupted, PendingDecision, Values
from altay_cli.match.readings import MoveValues
from altay_cli.match.state import State, frozen
from altay_cli.moves import limits
from altay_cli.moves.listing import Lister, lister_in
from altay_cli.pack.layout import FORCED, PENDING, START
from altay_cli.pack.model import Goal, MoveDef

_CUT_SHORT = -1
"""The depth of a search that stopped at a limit."""

_LOWEST = -maxsize

_Key = tuple[object, ...]


class Reachable(int):
    """The highest number found; a lower bound without ``exact``."""

    exact = True

    @classmethod
    def at_least(cls, number: int) -> Reachable:
        """Return a lower bound."""
        found = cls(number)
        found.exact = False
        return found


class _Found(NamedTuple):
    """The best after a position, and the least depth of a position in progress that it depends on.

    A sequence that returns to such a position is not followed, so the number is certain only if it
    depends on none before the position itself.
    """

    number: int
    depends_on: int = maxsize


class BestMoves:
    """Searches what a player can reach in the states of one game."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._lister: Lister | None = None
        self._searching = False
        # The position of the last question, whose turn it was, the remaining steps, the answers.
        self._root: object = None
        self._active: object = None
        self._left = 0
        self._found: dict[_Key, int] = {}
        self._in_progress: dict[_Key, int] = {}
        self._highest = 0

    def most(self, actor: Entity, number: int) -> int:
        """Return the best that a player can reach from here, for the goal of this number.

        While moves are tried for a goal, no goal counts.
        """
        if self._searching:
            return 0
        root = self._position()
        if root is None or root != self._root:
            self._root, self._left = root, limits.SEARCH_STEPS
            self._active = self._state.status("active")
            self._found.clear()
        return self._reach(actor, number, settled=True)

    def reaches(self, actor: Entity, number: int, best: int) -> tuple[bool, bool]:
        """Return whether a player can reach the best right after a move, and if that is certain.

        An uncertain best counts as reached.
        """
        if self._searching:
            return True, True
        if self._position() is None:
            self._found.clear()
        found = self._reach(actor, number, settled=False)
        if found >= best:
            return True, getattr(best, "exact", True)
        return not found.exact, found.exact

    def statements(self, actor: Entity, number: int, language: str) -> list[str]:
        """Return the first statements that can lead to the best, in the order of the rules."""
        state, goal = self._state, self._state.pack.goals[number]
        best, statements = self.most(actor, number), list[str]()
        with self._apart(), suppress(EvaluationError, BudgetError):
            lister = lister_in(state, language)
            active = state.status("active")
            for plan, values, there in lister.candidates_among(goal.moves, *self._asked(actor)):
                with state.journal.supposing(), suppress(EvaluationError):
                    self._apply(plan.move, values)
                    if self._search(goal, number, actor, 1, settled=False).number < best:
                        continue
                values.settle()
                move = lister.written(plan, values, there, active)
                if move is not None:
                    statements.append(move.statement)
        return statements

    # ------------------------------------------------------------ positions

    def _reach(self, actor: Entity, number: int, *, settled: bool) -> Reachable:
        position = self._position()
        key = (number, actor, settled, position)
        if position is not None and key in self._found:
            found = self._found[key]
            return found if isinstance(found, Reachable) else Reachable(found)
        goal = self._state.pack.goals[number]
        with self._apart():
            self._highest = int(goal.best.fn(self._state, {"me": actor}))
            try:
                number_found, depends_on = self._search(goal, number, actor, 0, settled=settled)
                reach = Reachable(number_found)
                reach.exact = depends_on > _CUT_SHORT
            except (BudgetError, UnrecordedError):
                reach = Reachable.at_least(self._highest)
        self._found[key] = reach
        return reach

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """Undo and report nothing inside; charge the game for a part of the steps."""
        state = self._state
        journal, before = state.journal, (state.memo, state.exact, state.journal.clean_at)
        self._searching = True
        self._in_progress.clear()
        used, state.memo = 0, {}
        try:
            with state.paid_by(None), state.supposing():
                state.grant(self._left)
                try:
                    yield
                finally:
                    used = self._left - max(state.remaining, 0)
        finally:
            self._searching = False
            state.memo, state.exact, journal.clean_at = before
            self._left -= used
            state.spend(used // limits.SEARCH_SHARE)

    def _position(self) -> Hashable:
        """Return what distinguishes this position; None if it hides something."""
        state = self._state
        if state.hidden.beliefs.groups or state.hidden.beliefs.placeholders:
            return None
        pending = state.cells[PENDING]
        zones = state.cells[len(START) : len(state.layout.first)]
        return (*map(frozen, zones), repr(pending) if pending else "")

    def _search(
        self, goal: Goal, number: int, actor: Entity, depth: int, *, settled: bool
    ) -> _Found:
        """Return the best from a position on, or right after a move if it is not ``settled``."""
        state = self._state
        state.charge(len(state.layout.first))
        state.exact = CONTENTS if state.hidden.beliefs.groups else 0
        best = int(goal.best.fn(state, {"me": actor}))
        self._highest = max(self._highest, best)
        position = self._position()
        key = (number, actor, settled, position)
        if position is not None:
            if key in self._found:
                found = self._found[key]
                return _Found(found, maxsize if getattr(found, "exact", True) else _CUT_SHORT)
            if key in self._in_progress:
                return _Found(best, self._in_progress[key])
        if not (settled or self._goes_on(actor)):
            return _Found(best)
        candidates = self._candidates(goal, *self._asked(actor))
        if candidates and depth == limits.MAX_LINE:
            return _Found(best, _CUT_SHORT)
        self._in_progress[key] = depth
        try:
            after = [
                self._after(goal, number, actor, depth + 1, *candidate) for candidate in candidates
            ]
        finally:
            del self._in_progress[key]
        best = max([best, *(found.number for found in after)])
        depends_on = min((found.depends_on for found in after), default=maxsize)
        if depends_on < depth:
            return _Found(best, depends_on)
        self._found[key] = best
        return _Found(best)

    def _after(
        self, goal: Goal, number: int, actor: Entity, depth: int, move: MoveDef, values: MoveValues
    ) -> _Found:
        """Return the best after a move. One whose effects fail leads nowhere."""
        with self._state.journal.supposing():
            try:
                self._apply(move, values)
            except UnrecordedError:
                return _Found(_LOWEST, _CUT_SHORT)
            except EvaluationError:
                return _Found(_LOWEST)
            try:
                return self._search(goal, number, actor, depth, settled=False)
            except EvaluationError:
                return _Found(_LOWEST, _CUT_SHORT)

    def _goes_on(self, actor: Entity) -> bool:
        """Apply what follows a move; return whether the player's turn goes on."""
        state = self._state
        if state.next_decision is None:
            over = state.pack.status.get("turn_over")
            if over is not None and over.fn(state, {}):
                return False
            for trigger in state.pack.triggers:
                if trigger.when.fn(state, {}):
                    with suppress(EffectsInterrupted):
                        state.set_off(trigger)
        due = state.next_decision
        return state.status("active") is self._active and (due is None or due.who is actor)

    # ------------------------------------------------------------ moves

    def _asked(self, actor: Entity) -> tuple[PendingDecision | None, Values]:
        due = self._state.next_decision
        mine = due if due is not None and due.who is actor else None
        return mine, {"me": actor, "asked": mine.values if mine else {}}

    def _candidates(
        self, goal: Goal, due: PendingDecision | None, base: Values
    ) -> list[tuple[MoveDef, MoveValues]]:
        if self._lister is None:
            self._lister = lister_in(self._state)
        found = self._lister.candidates_among(goal.moves, due, base)
        return [(plan.move, values) for plan, values, _ in found]

    def _apply(self, move: MoveDef, values: MoveValues) -> None:
        """Apply the effects up to the first question to a player."""
        state = self._state
        state.exact = 0
        values.settle()
        with suppress(EffectsInterrupted):
            due = state.next_decision
            if due is not None and due.decision == move.answers:
                state.record_answer(values, move.gives)
            state.journal.put(FORCED, ())
            move.does.fn(state, values)
            if state.cells[PENDING]:
                state.resume_effects()

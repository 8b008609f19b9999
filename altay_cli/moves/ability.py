"""The abilities of players in a state: whether they can move, and the best they can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altay_cli.base.findings import BudgetError
from altay_cli.base.values import Entity
from altay_cli.match.state import Able, State
from altay_cli.moves import limits

if TYPE_CHECKING:
    from altay_cli.moves.best import BestMoves
    from altay_cli.moves.listing import Lister


class Ability(Able):
    """Answers which players can move in a state, and what they can reach.

    A lister at work cannot be asked again; a nested question takes another one.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        # None for each not yet made.
        self._idle: list[Lister | None] = [None] * limits.MAX_ASKED
        self._best: BestMoves | None = None

    def __call__(self, actor: Entity | None, move: str | None = None) -> bool:
        """Return True if a player has a legal move in a turn.

        The game counts as not ended. Raise BudgetError if the answer depends on itself.
        """
        self._state.charge(limits.ABLE_STEPS)
        if not self._idle:
            message = "whether a move can be made depends on whether it can be made"
            raise BudgetError(message=message)
        lister = self._idle.pop()
        if lister is None:
            from altay_cli.moves.listing import lister_in  # most games do not ask

            lister = lister_in(self._state)
        # An end by the same move must not hide that a mated player cannot move.
        evaluates_end, self._state.evaluates_end = self._state.evaluates_end, False
        try:
            return lister.can_move(actor, move)
        finally:
            self._state.evaluates_end = evaluates_end
            self._state.memo.clear()  # the next question may concern another player
            self._idle.append(lister)

    def most(self, actor: Entity, goal: int) -> int:
        """Return the best that a player can reach with the moves of a goal."""
        if self._best is None:
            from altay_cli.moves.best import BestMoves  # few games have goals

            self._best = BestMoves(self._state)
        return self._best.most(actor, goal)

    def reaches(self, actor: Entity, goal: int, best: int) -> bool:
        """Return False if a player certainly cannot reach the best, right after a move."""
        assert self._best is not None  # which found the best
        holds, is_certain = self._best.reaches(actor, goal, best)
        if not is_certain:
            self.left_open = goal
        return holds

    def best_statements(self, actor: Entity, goal: int, language: str) -> list[str]:
        """Return the first moves that can lead to the best."""
        return [] if self._best is None else self._best.statements(actor, goal, language)

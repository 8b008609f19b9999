"""Answers that nobody wrote down, of decisions that say so: a draw that an effect asks for.

Nothing is chosen in such an answer: it is that of a move which takes no more than what came, and
what came is not recorded. Before a statement that is none, it is taken as given. A statement that
may as well be something else (a draw as an action) is taken for the answer, unless whoever reads
the game says that answers were left out before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from altay_cli.base.values import UNRECORDED, Entity
from altay_cli.compile.model import MoveDef, Shape, Word
from altay_cli.match.binding import Candidate
from altay_cli.match.forced import says_what_happened
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.waiting import Halted, answered, resume
from altay_cli.notation import Statement

if TYPE_CHECKING:
    from altay_cli.match.match import Match


class Unwritten:
    """Returns answers that nobody wrote down, in one match.

    ``before`` says before which statements how many answers were left out although these could be
    the answers; ``doubtful`` lists statements that were taken for an answer, and may be none. One
    of these may also say what happened before (``match.forced``).
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.before: dict[int, int] = {}
        self.doubtful: list[Statement] = []
        self._moves = {
            move.answers: move
            for move in match.pack.moves
            if move.answers is not None
            and match.pack.decisions[move.answers].due.unrecorded
            and all(slot.shape is Shape.DRAWN for slot in move.slots.values())
        }

    def give(
        self, statement: Statement | None, readings: Sequence[Candidate], actor: Entity | None
    ) -> bool:
        """Give the answers that are due, up to the one that a statement gives; without one, all.

        Returns whether the statement says no more than what has happened then without a question.
        """
        number = self.before.get(id(statement), 0)
        while (move := self._answer_to_due()) is not None:
            pending = self.match.state.due
            assert pending is not None
            if statement is not None and number <= 0:
                named = statement.actor and actor is not pending.who
                if not named and any(parsed.move.answers == move.answers for parsed in readings):
                    if any(parsed.move.answers is None for parsed in readings) or (
                        not statement.actor and actor is not pending.who
                    ):
                        self.doubtful.append(statement)
                    return False
            number -= 1
            self._give(move)
            if statement is None or not self.match.state.forced:
                continue
            if says_what_happened(self.match, statement, readings, actor):
                return True
        return False

    def _answer_to_due(self) -> MoveDef | None:
        """Return the move that answers what is due, if it need not be written down."""
        pending = self.match.state.due
        return None if pending is None else self._moves.get(pending.decision)

    def _give(self, move: MoveDef) -> None:
        match, state = self.match, self.match.state
        pending = state.due
        assert pending is not None
        values = {"me": pending.who, "asked": pending.values}
        values |= dict.fromkeys(move.slots, UNRECORDED)
        reading = Reading(Candidate(move), MoveValues(values, move, state), [])
        acting, match.report.actor = match.report.actor, pending.who
        words = [part.text for part in move.patterns[0].parts if isinstance(part, Word)]
        match.report.implied = f"{pending.who.id}: {' '.join(words)} =>"
        try:
            answered(state, reading.values, move.gives)
            with suppress(Halted):
                move.does.fn(state, reading.values)
                resume(state)
            if not state.pending:
                match.go_on(move)
        finally:
            match.report.actor = acting
            match.report.implied = ""

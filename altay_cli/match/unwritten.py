"""Answers that nobody wrote down, of decisions that say so: a draw that an effect asks for.

Nothing is chosen in such an answer: it is that of a move which takes no more than what came, and
what came is not recorded. Before a statement that is none, it is taken as given. A statement that
may as well be something else (a draw as an action) is taken for the answer first; where that leads
to an error, it is tried whether an answer was left out before it (``repair.rereading``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from altay_cli.base.values import UNRECORDED, Entity
from altay_cli.match.candidates import Candidate
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues
from altay_cli.match.waiting import Halted, Pending, answered, resume
from altay_cli.notation import Statement
from altay_cli.pack.model import MoveDef, Pack, Shape, Word


def _answers(pack: Pack) -> Mapping[str, MoveDef]:
    """Return the moves that answer decisions whose answers need not be written down."""
    return {
        move.answers: move
        for move in pack.moves
        if move.answers is not None
        and pack.decisions[move.answers].due.unrecorded
        and all(slot.shape is Shape.DRAWN for slot in move.slots.values())
    }


def give_answer(
    match: Match,
    statement: Statement,
    readings: Sequence[Candidate],
    actor: Entity | None,
    given: int,
) -> bool:
    """Give the answer that is due before a statement, if it was not written down.

    ``given`` is how many have been given before it. Returns False where no such answer is due, or
    the statement gives it.
    """
    pending = match.state.due
    move = match.pack.kept(_answers).get(pending.decision) if pending is not None else None
    if move is None or pending is None:
        return False
    if given >= match.answers_before.get(id(statement), 0):
        named = statement.actor and actor is not pending.who
        if not named and any(parsed.move.answers == move.answers for parsed in readings):
            other = not statement.actor and actor is not pending.who
            if other or any(parsed.move.answers is None for parsed in readings):
                match.doubtful.append(statement)
            return False
    _give(match, pending, move)
    return True


def give_all(match: Match) -> None:
    """Give all answers that are due and need not be written down."""
    moves = match.pack.kept(_answers)
    while (pending := match.state.due) is not None and pending.decision in moves:
        _give(match, pending, moves[pending.decision])


def _give(match: Match, pending: Pending, move: MoveDef) -> None:
    state, report = match.state, match.report
    given = {"me": pending.who, "asked": pending.values, **dict.fromkeys(move.slots, UNRECORDED)}
    values = MoveValues(given, move, state)
    words = [part.text for part in move.patterns[0].parts if isinstance(part, Word)]
    implied = f"{pending.who.id}: {' '.join(words)} =>"
    with report.at(report.statement, pending.who, implied):
        answered(state, values, move.gives)
        with suppress(Halted):
            move.does.fn(state, values)
            resume(state)
        if not state.pending:
            match.go_on(move)

"""Answers that need not be written down, and those that are although nobody was asked.

A draw that an effect asks for may say that its answer need not be written: nothing is chosen in it,
it is that of a move which takes no more than what came, and what came is not recorded. Before a
statement that is none, it is taken as given. A statement that may as well be something else (a draw
as an action) is taken for the answer first; where that leads to an error, it is tried whether an
answer was left out before it (``repair.play``).

``State.forced`` holds what happened since the last move without a question, as only one thing could
happen. A statement that says just that changes nothing. It is read so where it is nothing else that
is legal: no action, no answer to what is due; and where it is both, if the log is legal only so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from altay_cli.base.findings import BudgetError, ExpressionError
from altay_cli.base.values import UNRECORDED, Entity, bag_of
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues
from altay_cli.match.waiting import Forced, Halted, Pending, Values, answered, resume
from altay_cli.notation import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import MoveDef, Pack, Shape
from altay_cli.pack.table import FORCED


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
    words = [part.word for part in move.patterns[0].parts if part.word]
    implied = f"{pending.who.id}: {' '.join(words)} =>"
    with report.at(report.here.statement, pending.who, implied):
        answered(state, values, move.gives)
        with suppress(Halted):
            move.does.fn(state, values)
            resume(state)
        if not state.pending:
            match.go_on(move)


# ---------------------------------------------------------------- what happened without a question


def says_what_happened(
    match: Match,
    statement: Statement,
    readings: Sequence[Candidate],
    actor: Entity | None,
    is_legal: Callable[[Match, Statement, Sequence[Candidate], Entity | None], bool],
) -> bool:
    """Tell whether a statement says no more than what happened; it is done with then.

    ``is_legal`` tells of a statement whether it is a legal answer to what is due, or an action.
    """
    if not any(_may_mean(forced, readings, actor, statement) for forced in match.state.forced):
        return False
    preferred = match.answers_before.get(id(statement), 0) > 0
    if not preferred and is_legal(match, statement, readings, actor):
        before = match.snapshot()
        if _happened(match, statement, readings, actor):
            match.restore(before)
            match.doubtful.append(statement)
        return False
    return _happened(match, statement, readings, actor)


def _happened(
    match: Match, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
) -> bool:
    """Tell whether a statement says what happened; it has been told then."""
    for number, forced in enumerate(match.state.forced):
        if _may_mean(forced, readings, actor, statement) and _means(match, number, readings):
            # What happened before it is not told any more.
            match.state.put(FORCED, match.state.forced[number + 1 :])
            match.report.acts(forced.asked.who)
            return True
    return False


def _means(match: Match, number: int, readings: Sequence[Candidate]) -> bool:
    state, resolver, asked = match.state, match.resolver, match.state.forced[number].asked
    base: Values = {"me": asked.who, "asked": asked.values}
    for parsed in readings:
        gives = parsed.move.gives
        if parsed.move.answers != asked.decision or gives is None:
            continue
        before = match.snapshot()
        try:
            for reading in map(resolver.applying, resolver.readings(parsed, base, 0)):
                # What a name means may only have been found out by reading it.
                if (
                    reading is not None
                    and resolver.is_legal(reading)
                    and _same(gives.fn(state, reading.values), state.forced[number].answer)
                ):
                    return True
        except BudgetError:
            raise
        except ExpressionError:
            pass
        match.restore(before)
    return False


def told_otherwise(
    match: Match, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
) -> bool:
    """Report a statement that answers what nobody was asked, and says something else."""
    due = match.state.due
    answers = {parsed.move.answers for parsed in readings}
    if None in answers or (due is not None and due.decision in answers):
        return False
    for forced in match.state.forced:
        text = match.pack.decisions[forced.asked.decision].forced
        if text is not None and _may_mean(forced, readings, actor, statement):
            who = forced.asked.who
            values = {"who": who, "asked": forced.asked.values, "answer": forced.answer}
            match.report.acts(who)
            match.report.say(text, values, None)
            return True
    return False


def _may_mean(
    forced: Forced, readings: Sequence[Candidate], actor: Entity | None, statement: Statement
) -> bool:
    """Tell whether a statement answers a decision, and names nobody else."""
    return any(parsed.move.answers == forced.asked.decision for parsed in readings) and (
        not statement.actor or actor is forced.asked.who
    )


def _same(one: object, other: object) -> bool:
    """Tell whether two answers are the same; the order of things cannot matter."""
    if isinstance(one, list) and isinstance(other, list):
        return bag_of(one) == bag_of(other)
    return one is other or one == other

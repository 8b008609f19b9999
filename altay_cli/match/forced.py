"""Answers that are written down although nobody was asked, as only one thing could happen.

``State.forced`` holds what happened so since the last move. A statement that says just that changes
nothing. It is read so where it is nothing else that is legal: no action, no answer to what is due;
and where it is both, if the log is legal only so (see ``match.unwritten``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from altay_cli.base.errors import BudgetError, ExpressionError
from altay_cli.base.values import Entity, bag_of
from altay_cli.match.candidates import Candidate
from altay_cli.match.match import Match
from altay_cli.match.waiting import Forced
from altay_cli.notation import Statement
from altay_cli.pack.zones import FORCED


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
    for number in range(len(match.state.forced)):
        forced = match.state.forced[number]
        if _may_mean(forced, readings, actor, statement) and _means(match, number, readings):
            # What happened before it is not told any more.
            match.state.put(FORCED, match.state.forced[number + 1 :])
            match.report.acts(forced.asked.who)
            return True
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


def _means(match: Match, number: int, readings: Sequence[Candidate]) -> bool:
    """Tell whether one of the readings gives what happened."""
    for parsed in readings:
        forced = match.state.forced[number]
        if parsed.move.answers != forced.asked.decision or parsed.move.gives is None:
            continue
        before = match.snapshot()
        try:
            if _gives(match, number, parsed):
                return True
        except BudgetError:
            raise
        except ExpressionError:
            pass
        match.restore(before)
    return False


def _gives(match: Match, number: int, parsed: Candidate) -> bool:
    gives, resolver = parsed.move.gives, match.resolver
    asked = match.state.forced[number].asked
    base: dict[str, object] = {"me": asked.who, "asked": asked.values}
    for reading in resolver.readings(parsed, base, 0):
        if gives is None or not (resolver.applies(reading) and resolver.is_legal(reading)):
            continue
        # What a name means may only have been found out by reading it.
        if _same(gives.fn(match.state, reading.values), match.state.forced[number].answer):
            return True
    return False


def _same(one: object, other: object) -> bool:
    """Tell whether two answers are the same; the order of things cannot matter."""
    if isinstance(one, list) and isinstance(other, list):
        return bag_of(one) == bag_of(other)
    return one is other or one == other

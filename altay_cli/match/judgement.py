"""Judge and apply one statement of a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from altay_cli.base.findings import (
    BudgetError,
    EvaluationError,
)
from altay_cli.base.values import Entity
from altay_cli.match import limits
from altay_cli.match.judging import Judge, attempt, may_answer
from altay_cli.match.match import Match
from altay_cli.match.reporting import Stop
from altay_cli.match.supposing import count_combinations, judge_supposing
from altay_cli.notation.tree import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.layout import OVERDUE, PENDING
from altay_cli.pack.model import LEGAL


class BoundStatement(NamedTuple):
    """A statement, its candidates, and the player who acts."""

    statement: Statement
    readings: Sequence[Candidate]
    actor: Entity | None


def would_be_legal(match: Match, bound: BoundStatement) -> bool:
    """Return True if a statement is legal in this state; nothing changes."""
    errors = match.report.errors
    with match.speculating(), match.resolver.chancing(None), suppress(Stop):
        judge_statement(match, bound)
        return match.report.errors == errors
    return False


def judge_statement(
    match: Match,
    bound: BoundStatement,
    *,
    faulty: bool = False,
    mended: bool = False,
    find_omitted: Callable[[Match, BoundStatement], BoundStatement | None] | None = None,
) -> None:
    """Judge a statement and apply it, supposing hidden counts where needed.

    find_omitted: applies omitted moves; returns the statement to judge after them, or None.
    """
    statement, readings, actor = bound
    if not readings:
        match.forget_pending()
        return
    hidden = match.state.hidden

    def judge(*, at_once: bool = False) -> None:
        if at_once and _try_fast_path(match, bound):
            return
        # Prefer the answer to a decision that is pending, or overdue from the named player.
        answers, late = {parsed.move.answers for parsed in readings}, match.state.last_skipped
        due = match.state.next_decision or (
            late if statement.actor and late and late.who is actor else None
        )
        decision = due.decision if due is not None and due.decision in answers else None
        if decision not in answers:
            # None of these decisions is pending: report any one, deterministically.
            decision = min(map(str, answers))
        candidates = [parsed for parsed in readings if parsed.move.answers == decision]
        Judge(match, statement, candidates, mended=mended).judge(actor, faulty=faulty)

    before = (
        match.snapshot() if hidden.beliefs.groups and hidden.queries.any_size_uncertain else None
    )
    match.state.size_was_read = False
    made = not faulty and _try_fast_path(match, bound)
    if find_omitted is not None and not (made or faulty):
        omitted = find_omitted(match, bound)
        if omitted is not None:
            judge_statement(match, omitted, mended=mended)
            return
    varying = (
        hidden.queries.uncertain_sizes()
        if before and (match.state.size_was_read or not made)
        else ()
    )
    # A legal statement may be illegal for some of the few sizes that it read.
    if before and varying and (not made or count_combinations(varying) <= limits.FEW_COMBINATIONS):
        match.restore(before)
        # Ask for the varying groups again, as the statement may have made others.
        again = partial(judge, at_once=not faulty)
        made = judge_supposing(match, again, hidden.queries.uncertain_sizes(), before)
    if not made:
        match.guarded(statement, judge, already_reported=faulty)


def _try_fast_path(match: Match, bound: BoundStatement) -> bool:
    """Apply the statement if it has one reading and is legal; else roll back."""
    state, report, (statement, readings, actor) = match.state, match.report, bound
    named = bool(statement.phrase.actor)
    if (named and actor is None) or state.cells[OVERDUE] or not match.pack.makers:
        return False
    times = readings[0].repetitions
    mark, reported, context, made = (
        state.journal.mark(),
        report.mark,
        report.context,
        len(match.made),
    )
    try:
        for number in range(times):
            pending = state.next_decision if state.cells[PENDING] else None
            who = actor
            if pending is not None and may_answer(match, pending, actor, named=named):
                who = pending.who
            reading = match.resolver.only_reading(readings, who, pending, number)
            if reading is None:
                break
            if number and reading.parsed.move.answers != match.made[-1].parsed.move.answers:
                break
            if who is not actor:
                report.set_actor(who)
            match.made.append(reading)
            if match.watcher is not None:
                match.watcher.on_move(reading)
            if attempt(match, reading, pending) != LEGAL:
                break
        else:
            return True
    except BudgetError:
        report.undo(reported)
        del match.made[made:]
        raise
    except EvaluationError:
        pass
    state.journal.undo(mark)
    report.undo(reported)
    report.context = context
    del match.made[made:]
    state.grant()
    return False

"""Recognise statements that repeat what the rules have already done."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from altay_cli.base.findings import (
    EvaluationError,
)
from altay_cli.base.values import bag_of
from altay_cli.match.attempts import may_answer
from altay_cli.match.decisions import Values
from altay_cli.match.judging import BoundStatement, would_be_legal
from altay_cli.match.match import Match
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.layout import FORCED


def restates_forced_outcome(match: Match, bound: BoundStatement) -> bool:
    """Return True if a statement repeats a forced outcome."""
    state, (statement, readings, actor) = match.state, bound
    answers = {parsed.move.answers for parsed in readings}
    numbers = [
        number
        for number, (asked, _) in enumerate(state.forced)
        if asked.decision in answers
        and may_answer(match, asked, actor, named=bool(statement.actor))
    ]
    preferred = match.answers_before.get(id(statement), 0) > 0
    doubtful = numbers and not preferred and would_be_legal(match, bound)
    before = match.snapshot()
    for number in numbers:
        if _matches_outcome(match, number, readings):
            break
    else:
        return False
    if doubtful:
        match.restore(before)
        match.doubtful.append(statement)
        return False
    match.report.set_actor(state.forced[number].asked.who)
    state.journal.put(FORCED, state.forced[number + 1 :])
    return True


def _matches_outcome(match: Match, number: int, readings: Sequence[Candidate]) -> bool:
    state, resolver, asked = match.state, match.resolver, match.state.forced[number].asked
    base: Values = {"me": asked.who, "asked": asked.values}
    for parsed in readings:
        gives = parsed.move.gives
        if parsed.move.answers != asked.decision or gives is None:
            continue
        before = match.snapshot()
        with suppress(EvaluationError):
            for reading in map(resolver.applying, resolver.readings(parsed, base, 0)):
                # The named thing may now be identified: look the answer up again.
                if reading is None or not resolver.is_legal(reading):
                    continue
                given, answer = gives.fn(state, reading.values), state.forced[number].answer
                if isinstance(given, list) and isinstance(answer, list):
                    given, answer = bag_of(given), bag_of(answer)  # order cannot matter
                if given is answer or given == answer:
                    return True
        match.restore(before)
    return False

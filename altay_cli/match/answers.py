"""Supply answers to decisions that need not be recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from altay_cli.base.findings import (
    EvaluationError,
    UnrecordedError,
)
from altay_cli.base.values import UNRECORDED, Drawn, Entity, WrittenName
from altay_cli.match import limits
from altay_cli.match.decisions import EffectsInterrupted, PendingDecision
from altay_cli.match.forced import restates_forced_outcome
from altay_cli.match.judging import BoundStatement, would_be_legal
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues
from altay_cli.pack.layout import FORCED
from altay_cli.pack.model import MoveDef, Pack


def _optional_answers(pack: Pack) -> Mapping[str, MoveDef]:
    return {
        move.answers: move
        for move in pack.moves
        if move.answers is not None
        and pack.decisions[move.answers].overdue.unrecorded
        and all(slot.shape == "drawn" for slot in move.slots.values())
    }


def supply_answers_before(match: Match, bound: BoundStatement) -> bool:
    """Supply the unrecorded answers that are due before a statement.

    Return False if it only restates an outcome. An answer that decides how the game goes on is
    supplied only if the statement can be legal after it.
    """
    given, cells = 0, match.state.cells
    while True:
        before = match.snapshot()
        try:
            if not _supply_answer(match, bound, given):
                return True
        except UnrecordedError:
            match.restore(before)
            if may_follow(match, partial(_is_legal_or_restated, match, bound), limits.MAX_ANSWERS):
                _supply_answer(match, bound, given)
            return True
        given += 1
        if cells[FORCED] and restates_forced_outcome(match, bound):
            return False


def _is_legal_or_restated(match: Match, bound: BoundStatement) -> bool:
    if match.state.cells[FORCED]:
        doubtful = len(match.doubtful)
        with match.speculating():
            is_restated = restates_forced_outcome(match, bound)
        del match.doubtful[doubtful:]
        if is_restated:
            return True
    return would_be_legal(match, bound)


def may_follow(match: Match, fits: Callable[[], bool], tries: int) -> bool:
    """Return True if `fits` can hold now or after unrecorded answers.

    Also if these are unknown, or more than `tries`.
    """
    state = match.state
    if fits():
        return True
    pending = state.next_decision
    move = (
        match.pack.cached(_optional_answers).get(pending.decision) if pending is not None else None
    )
    if pending is None or move is None:
        return False
    possible = _possible_draws(match, pending, move)
    if not possible or len(possible) > tries:
        return True
    for thing in possible:
        errors = match.report.errors
        drawn = Drawn([WrittenName(1, (thing,), True, thing.id, 0, 0)])
        try:
            with match.speculating():
                state.grant()
                _apply_answer(match, pending, move, drawn)
                is_legal = match.report.errors == errors
                if is_legal and may_follow(match, fits, tries // len(possible)):
                    return True
        except EvaluationError:
            return True
    return False


def _possible_draws(match: Match, pending: PendingDecision, move: MoveDef) -> Sequence[Entity]:
    state, cells = match.state, len(match.state.cells)
    with match.speculating():
        with suppress(EffectsInterrupted, EvaluationError):
            values = _answer_values(match, pending, move, UNRECORDED)
            state.record_answer(values, move.gives)
            move.does.fn(state, values)
        unseen = [item for item in state.hidden.beliefs.placeholders.values() if item.cell >= cells]
        return [
            thing
            for item in unseen[:1]
            for thing in state.hidden.queries.possible_contents(item.cell)
        ]


def _supply_answer(match: Match, bound: BoundStatement, given: int) -> bool:
    pending, (statement, readings, actor) = match.state.next_decision, bound
    move = (
        match.pack.cached(_optional_answers).get(pending.decision) if pending is not None else None
    )
    if move is None or pending is None:
        return False
    if given >= match.answers_before.get(id(statement), 0):
        # The player's name may be missing: the reading with fewer errors is kept later.
        named = statement.actor and actor is not pending.who
        if not named and any(parsed.move.answers == move.answers for parsed in readings):
            if actor is not pending.who or any(parsed.move.answers is None for parsed in readings):
                match.doubtful.append(statement)
            return False
    _apply_answer(match, pending, move)
    return True


def supply_all_answers(match: Match) -> None:
    """Supply all pending answers that are optional."""
    moves = match.pack.cached(_optional_answers)
    while (pending := match.state.next_decision) is not None and pending.decision in moves:
        _apply_answer(match, pending, moves[pending.decision])


def _answer_values(
    match: Match, pending: PendingDecision, move: MoveDef, drawn: Drawn
) -> MoveValues:
    given = {"me": pending.who, "asked": pending.values, **dict.fromkeys(move.slots, drawn)}
    return MoveValues(given, move, match.state)


def _apply_answer(
    match: Match, pending: PendingDecision, move: MoveDef, drawn: Drawn = UNRECORDED
) -> None:
    state, report = match.state, match.report
    values = _answer_values(match, pending, move, drawn)
    words = [part.word for part in move.patterns[0].parts if part.word]
    implied = f"{pending.who.id}: {' '.join(words)} =>"
    with report.at(report.context.statement, pending.who, implied):
        state.record_answer(values, move.gives)
        with suppress(EffectsInterrupted):
            move.does.fn(state, values)
            state.resume_effects()
        if not state.pending:
            match.run_triggers(move)

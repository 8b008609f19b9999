"""Classify and carry out the statements of a log."""

from __future__ import annotations

from altay_cli.base.findings import (
    ExpressionError,
)
from altay_cli.base.values import Entity
from altay_cli.match import limits
from altay_cli.match.answers import supply_answers_before
from altay_cli.match.claims import judge_claim
from altay_cli.match.forced import restates_forced_outcome
from altay_cli.match.foreign import bind_foreign_notation
from altay_cli.match.headings import check_first_turn, complete_heading
from altay_cli.match.judging import BoundStatement, judge_statement
from altay_cli.match.match import Match
from altay_cli.match.omitted import supply_omitted_moves
from altay_cli.match.reporting import FindingContext, Stop, StopReason
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import Statement
from altay_cli.pack.binding import Binding
from altay_cli.pack.layout import FORCED, PENDING, UNREAD, WATCHED
from altay_cli.pack.model import Phase


def play(match: Match, statement: Statement, phase: Phase) -> bool:
    """Judge and apply a statement or heading; return True if it is a move.

    Claims and restated outcomes are not moves. Raise Stop to skip the rest of the section or game.
    """
    state, report, cells = match.state, match.report, match.state.cells
    if len(report.findings) >= limits.MAX_FINDINGS:
        raise Stop(whole_game=True, why=StopReason.ASKED)
    heading = phase == "heading"
    begins = heading and not cells[WATCHED]
    if begins:
        state.journal.put(WATCHED, True)
    mark, unread = _begin_statement(match, statement)
    binding = match.binder.bind(statement.phrase, phase)
    errors, faulty, is_move = report.errors, bool(binding.errors), not binding.claims
    try:
        state.grant(fixed=limits.READING_STEPS)
        # A statement without a name belongs to the active player.
        named = statement.phrase.actor
        active = match.pack.standing["active"]
        actor: Entity | None = match.binder.player(named) if named else active(state)
        context = report.context
        report.context = FindingContext(context.phase, statement, actor, context.implied)
        if binding.errors:
            binding = _report_unreadable(match, statement, binding, phase)
            faulty = bool(binding.errors)
        bound = BoundStatement(statement, binding.readings, actor)
        if cells[FORCED] and not faulty and restates_forced_outcome(match, bound):
            is_move = False
        elif binding.claims and binding.readings and not faulty:
            judge_claim(match, bound)
        elif is_move and cells[PENDING] and not state.complete:
            is_move = supply_answers_before(match, bound)
            actor = actor if named else active(state)
            report.set_actor(actor)
            bound = bound._replace(actor=actor)
        if is_move:
            judge_statement(
                match,
                bound,
                faulty=faulty,
                mended=unread and heading,
                find_omitted=supply_omitted_moves,
            )
    except ExpressionError as fault:
        match.break_off(fault, statement, mark, errors, already_reported=False)
    if heading:
        _finish_heading(match, statement, is_sound=begins and report.errors == errors)
    return is_move or heading


def _begin_statement(match: Match, statement: Statement) -> tuple[int, bool]:
    state, course = match.state, match.course
    match.made.clear()
    mark = state.journal.mark()
    while course and course[-1][0] >= mark:
        course.pop()
    course.append((mark, statement))
    # An unreadable statement may have fulfilled a requirement.
    unread: bool = state.cells[UNREAD]
    if unread:
        state.journal.put(UNREAD, False)
    return mark, unread


def _finish_heading(match: Match, heading: Statement, *, is_sound: bool) -> None:
    if is_sound:
        check_first_turn(match, heading)
    complete_heading(match, heading)


def _report_unreadable(
    match: Match, statement: Statement, binding: Binding, phase: Phase
) -> Binding:
    if phase == "turns" and not binding.readings:
        binding = bind_foreign_notation(match, statement) or binding
    actor = match.report.unknown_actor(statement) if binding.errors else None
    if actor is not None and not binding.readings:
        match.report.unreadable(actor)
        return binding
    # The reader has already reported a heading that breaks the grammar.
    already_reported = phase == "heading" and not parse(statement.text).sound
    for error in binding.errors:
        if not already_reported or error.rule.startswith("unknown"):
            match.report.unreadable(error)
    return binding


def carry_out(match: Match, statement: Statement, phase: Phase) -> None:
    """Judge and apply a statement; discard its findings."""
    with match.report.suppressed():
        play(match, statement, phase)

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
from altay_cli.match.judgement import BoundStatement, judge_statement
from altay_cli.match.match import Match
from altay_cli.match.omitted import supply_omitted_moves
from altay_cli.match.reporting import FindingContext, Stop, StopReason
from altay_cli.notation.tree import Statement
from altay_cli.pack.binding import Binding
from altay_cli.pack.model import Phase
from altay_cli.pack.table import FORCED, PENDING, UNREAD, WATCHED


def play(match: Match, statement: Statement, phase: Phase) -> bool:
    """Judge a statement or heading and carry it out; return whether it is a move.

    What only says how things stand, or what has happened already, is none. A heading that cannot be
    read begins the turn of the player who is next. Raises Stop where the rest of the section or
    game cannot be judged, or need not be.
    """
    state, report, cells = match.state, match.report, match.state.cells
    if len(report.findings) >= limits.MAX_FINDINGS:
        raise Stop(whole_game=True, why=StopReason.ASKED)
    heading = phase == "heading"
    begins = heading and not cells[WATCHED]
    if begins:
        state.put(WATCHED, True)
    match.made.clear()
    mark, course = state.mark(), match.course
    while course and course[-1][0] >= mark:
        course.pop()
    course.append((mark, statement))
    # What a statement that could not be read may have mended is not a breach of the next turn.
    unread = cells[UNREAD]
    if unread:
        state.put(UNREAD, False)
    binding = match.binder.bind(statement.phrase, phase)
    errors, faulty, is_move = report.errors, bool(binding.errors), not binding.claims
    try:
        state.grant(fixed=limits.READING_STEPS)
        # Who acts is the one named, else the one whose turn it is.
        named = statement.phrase.actor
        active = match.pack.standing["active"]
        actor: Entity | None = match.binder.player(named) if named else active(state)
        here = report.here
        # Made and set for every statement: this takes a fifth of the time that calls would take.
        report.here = tuple.__new__(FindingContext, (here.phase, statement, actor, here.implied))
        if binding.errors:
            binding = _report_unreadable(match, statement, binding, phase)
            faulty = bool(binding.errors)
        said = tuple.__new__(
            BoundStatement, (statement, binding.readings, actor)
        )  # as ``FindingContext``
        if cells[FORCED] and not faulty and restates_forced_outcome(match, said):
            is_move = False
        elif binding.claims and binding.readings and not faulty:
            judge_claim(match, said)
        elif is_move and cells[PENDING] and not state.complete:
            is_move = supply_answers_before(match, said)
            actor = actor if named else active(state)
            report.set_actor(actor)
            said = said._replace(actor=actor)
        if is_move:
            judge_statement(
                match,
                said,
                faulty=faulty,
                mended=unread and heading,
                find_omitted=supply_omitted_moves,
            )
    except ExpressionError as fault:
        match.break_off(fault, statement, mark, errors, already_reported=False)
    if heading:
        if begins and report.errors == errors:
            check_first_turn(match, statement)
        complete_heading(match, statement)
    return is_move or heading


def _report_unreadable(
    match: Match, statement: Statement, binding: Binding, phase: Phase
) -> Binding:
    """Report why a statement cannot be read, and return its binding, or that of what it means."""
    if phase == "turns" and not binding.readings:
        binding = bind_foreign_notation(match, statement) or binding
    actor = match.report.unknown_actor(statement) if binding.errors else None
    if actor is not None and not binding.readings:
        match.report.unreadable(actor)
        return binding
    for error in binding.errors:
        if phase != "heading" or error.rule.startswith("unknown"):
            match.report.unreadable(error)
    return binding


def carry_out(match: Match, statement: Statement, phase: Phase) -> None:
    """Judge a statement and carry it out without a word."""
    with match.report.discard_findings():
        play(match, statement, phase)

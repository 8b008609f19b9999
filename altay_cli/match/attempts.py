"""Attempt moves: check requirements, apply effects, report violations."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from altay_cli.base.budget import CONTENTS
from altay_cli.base.findings import EvaluationError, Severity, Text, UnrecordedError
from altay_cli.base.values import Entity, subjects_of
from altay_cli.match.breaches import report_breach, report_undecidable
from altay_cli.match.decisions import EffectsInterrupted, PendingDecision
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.reporting import Stop, StopReason
from altay_cli.pack.layout import FORCED, PENDING
from altay_cli.pack.model import LEGAL, MoveDef


def attempt(
    match: Match,
    reading: Reading,
    pending: PendingDecision | None,
    first: int = 0,
    *,
    already_reported: bool = False,
) -> int:
    """Apply a move if its requirements hold; return LEGAL or the failed requirement.

    already_reported: what cannot be evaluated counts as fulfilled.

    Return 0 if the faster generated function of the move cannot decide. A rejected move may have
    changed the state. Raise ExpressionError if the rules fail.
    """
    state, report, move, values = match.state, match.report, reading.parsed.move, reading.values
    if not first:
        _begin(match, reading, pending)
    if move.looks_back:
        state.able.left_open = None
    try:
        made: int
        if isinstance(values, MoveValues):
            made = _first_breach(match, reading, first, already_reported=already_reported)
            if made == LEGAL:
                move.does.fn(state, values)
        else:
            state.exact = CONTENTS if state.hidden.beliefs.groups else 0
            try:
                made = match.pack.makers[move.number](state, values)
            finally:
                state.exact = 0
        if made != LEGAL:
            return made
        if state.cells[PENDING]:
            state.resume_effects()
    except EffectsInterrupted:
        # The effects ended early: later requirements are unchecked.
        if move.looks_back and not isinstance(values, MoveValues):
            return 0
    if move.looks_back and state.able.left_open is not None:
        _report_open(match, move, state.able.left_open)
    if not state.cells[PENDING] and report.context.phase == "turns":
        match.run_triggers(move)
    return LEGAL


def _report_open(match: Match, move: MoveDef, goal: int) -> None:
    text = next(requirement.text for requirement in move.requires if requirement.goal == goal)
    rule = match.state.finding_words.word(text.title) or text.rule
    template = "not judged, because too many moves are possible here: {rule}"
    cite = text.cite or (move.cite if text.of_move else {})
    match.report.add("too-many-moves", Severity.WARNING, Text(template, rule=rule), cite=cite)


def _begin(match: Match, reading: Reading, pending: PendingDecision | None) -> None:
    state, move = match.state, reading.parsed.move
    if pending is not None and pending.decision == move.answers:
        state.record_answer(reading.values, move.gives)
    if state.cells[FORCED]:
        state.journal.put(FORCED, ())
    if move.actor is not None:
        match.report.set_actor(reading.values[move.actor])


def may_answer(match: Match, asked: PendingDecision, actor: Entity | None, *, named: bool) -> bool:
    """Return True if a statement of `actor` can answer a decision.

    Without an actor, it may answer for the player asked, unless the current player must decide.
    """
    if actor is asked.who:
        return True
    return not named and (actor is None or not match.pack.decisions[asked.decision].named)


def _first_breach(match: Match, reading: Reading, first: int, *, already_reported: bool) -> int:
    requires = reading.parsed.move.requires
    for number in range(first, len(requires)):
        try:
            if not match.resolver.holds(requires[number], reading):
                return number
        except EvaluationError:
            if not already_reported:
                raise
    return LEGAL


def apply_with_findings(
    match: Match,
    reading: Reading,
    pending: PendingDecision | None,
    *,
    already_reported: bool,
    mended: bool = False,
) -> int:
    """Apply a move even if it is illegal, and report the first violation.

    already_reported: an error explains this statement.
    mended: an unreadable statement may have fulfilled a requirement.

    Return the number of failed requirements. Raise Stop if nothing after it can be judged.
    """
    state, report, first, breaches, is_wrong = match.state, match.report, 0, 0, already_reported
    while True:
        before = match.snapshot()
        try:
            number = attempt(match, reading, pending, first, already_reported=already_reported)
        except UnrecordedError:
            match.rewind(before)
            if not first:
                _begin(match, reading, pending)
            broken = None if already_reported else _certain_breach(match, reading, first)
            if broken is None:
                raise
            number = broken
        if number == LEGAL:
            if is_wrong:
                _excuse_question(match, reading)
            return breaches
        requirement = reading.parsed.move.requires[number]
        text = requirement.text
        if text.unrecorded and not state.complete:
            if not already_reported:
                about: list[object] = []
                message = state.finding_text(text.message, reading.values, about)
                report.add(
                    "undecided",
                    Severity.ERROR,
                    message,
                    cite=text.cite,
                    ruling=text.ruling,
                    about=subjects_of(about),
                )
            raise Stop(whole_game=True)
        mending = requirement.before is not None and mended
        # In a setup, the missing piece may be in a later line.
        in_turns = report.context.phase == "turns"
        excused = mending or (not already_reported and match.may_be_fulfilled(text.rule))
        if not (
            already_reported
            or excused
            or (in_turns and report_undecidable(match, requirement, reading))
        ):
            report_breach(match, requirement, reading)
            is_wrong = is_wrong or text.severity is Severity.ERROR
        if requirement.before:
            with report.suppressed():
                requirement.before.fn(state, reading.values)
        if requirement.otherwise in {"stop", "over"}:
            raise Stop(whole_game=requirement.otherwise == "over", why=StopReason.FORBIDDEN)
        breaches += 1
        if requirement.otherwise == "skip":
            break
        first, already_reported = number + 1, already_reported or not mending
    return breaches


def _excuse_question(match: Match, reading: Reading) -> None:
    state, due = match.state, match.state.next_decision
    if due is not None and reading.parsed.move.answers is None:
        state.journal.put(PENDING, (*state.pending[:-1], due._replace(excused=True)))


def _certain_breach(match: Match, reading: Reading, first: int) -> int | None:
    state, move = match.state, reading.parsed.move
    for number, requirement in enumerate(move.requires[first:], first):
        try:
            if not match.resolver.holds(requirement, reading):
                return number
        except UnrecordedError:
            if requirement.afterwards:
                continue
            with suppress(EvaluationError), state.journal.supposing():
                values = partial(MoveValues, reading.values, move, state)
                if not state.can_hold(requirement.that, values, known=False):
                    return number
        except EvaluationError:
            continue
    return None

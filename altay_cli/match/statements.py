"""What becomes of a statement of a log: what it means, and whether it is legal.

It goes this way: the binder finds the moves that are written like it; what happened without a
question, and answers that nobody need write down, come before it; what it says of the state is a
claim and no move. If it can only mean one move, that is attempted at once. Anything else is looked
into by a ``Judge``, with what may lie hidden supposed where that matters.
"""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.base.findings import BudgetError, ExpressionError
from altay_cli.base.values import Entity
from altay_cli.match.answers import give_answer, says_what_happened
from altay_cli.match.attempt import attempt
from altay_cli.match.expecting import judge_claim
from altay_cli.match.judging import Judge, make
from altay_cli.match.match import READING_STEPS, Match
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.reporting import MAX_FINDINGS, Here, Stop, Why
from altay_cli.match.sizes import judge_supposing, read_sizes
from altay_cli.match.waiting import Values
from altay_cli.notation import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import Phase, Shape
from altay_cli.pack.table import FORCED, OVERDUE, PENDING, UNREAD, WATCHED


def assume_turn(match: Match, heading: Statement | None = None) -> None:
    """Begin the turn that comes next, where its heading is missing or cannot be read.

    Raises:
        Stop: where no turn can begin.

    """
    items = heading.items[1:] if heading is not None else ()
    named = match.binder.player([item for item in items if not item.value])
    player = named or match.state.status("next")
    move = next((move for move in match.pack.moves if move.heading), None)
    if move is None or (player is None and move.actor is not None):
        raise Stop(whole_game=False)
    values: Values = {"me": player, "asked": {}}
    for slot in move.slots.values():
        values[slot.name] = match.state.round if slot.shape is Shape.INT else player
    match.read(unread=False)
    reading = Reading(Candidate(move), MoveValues(values, move, match.state), [])
    with match.report.unheard():
        match.resolver.settle(reading)
        make(match, reading, told=True)


def play(match: Match, statement: Statement, phase: Phase) -> bool:
    """Judge a statement or heading and carry it out; return whether it is a move.

    What only says how things stand, or what has happened already, is none. A heading that cannot be
    read begins the turn of the player who is next.

    Raises:
        Stop: where the rest of the section or game cannot be judged, or need not be.

    """
    state, report, cells = match.state, match.report, match.state.cells
    if len(report.findings) >= MAX_FINDINGS:
        raise Stop(whole_game=True, why=Why.ASKED)
    heading = phase is Phase.HEADING
    if heading and not cells[WATCHED]:
        state.put(WATCHED, True)
    match.made.clear()
    mark, course = state.mark(), match.course
    while course and course[-1][0] >= mark:
        course.pop()
    course.append((mark, statement))
    # What a statement that could not be read may have mended is not a breach of the next turn.
    unread = cells[UNREAD]
    if unread:
        match.read(unread=False)
    binding = match.binder.bind(statement.phrase, phase)
    errors, faulty, is_move = report.errors, bool(binding.errors), not binding.claims
    said = match, statement, binding.readings
    try:
        state.grant(fixed=READING_STEPS)
        # Who acts is the one named, else the one whose turn it is.
        named = statement.phrase.actor
        active = match.pack.standing["active"]
        actor: Entity | None = match.binder.player(named) if named else active(state)
        here = report.here
        # Made and set for every statement: this takes a fifth of the time that calls would take.
        report.here = tuple.__new__(Here, (here.phase, statement, actor, here.implied))
        for error in binding.errors:
            if not heading or error.rule.startswith("unknown"):
                report.unreadable(error)
        if cells[FORCED] and not faulty and says_what_happened(*said, actor, would_be_legal):
            is_move = False
        elif binding.claims and binding.readings and not faulty:
            judge_claim(*said, actor)
        elif is_move and cells[PENDING] and not state.complete:
            given = 0
            while is_move and give_answer(*said, actor, given):
                given += 1
                is_move = not (cells[FORCED] and says_what_happened(*said, actor, would_be_legal))
            actor = actor if named else active(state)
            report.acts(actor)
        if is_move:
            _judge(*said, actor, faulty=faulty, mended=unread and heading)
    except ExpressionError as fault:
        match.break_off(fault, statement, mark, errors, told=False)
    if heading:
        _begin_turn(match, statement)
    return is_move or heading


def _begin_turn(match: Match, heading: Statement) -> None:
    """Do what follows from a heading; one that cannot be read is that of the player who is next."""
    state = match.state
    if state.cells[OVERDUE]:
        state.put(OVERDUE, ())
    if state.cells[UNREAD]:
        match.guarded(heading, assume_turn, match, heading)


def carry_out(match: Match, statement: Statement, phase: Phase) -> None:
    """Judge a statement and carry it out without a word."""
    with match.report.unheard():
        play(match, statement, phase)


def would_be_legal(
    match: Match, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
) -> bool:
    """Tell whether what a statement says would be legal; nothing changes."""
    before = match.snapshot()
    try:
        with match.unwatched(), match.resolver.chancing(None):
            _judge(match, statement, readings, actor)
        return match.report.errors == before.report.errors
    except Stop:
        return False
    finally:
        match.restore(before)


def _judge(
    match: Match,
    statement: Statement,
    readings: Sequence[Candidate],
    actor: Entity | None,
    *,
    faulty: bool = False,
    mended: bool = False,
) -> None:
    """Judge a statement and carry it out, under suppositions about what is hidden if needed."""
    if not readings:
        match.lose()
        return
    hidden, watched = match.state.hidden, match.watcher is not None

    def judge() -> None:
        meant = _fitting(match, statement, readings, actor)
        Judge(match, statement, meant, mended=mended).judge(actor, faulty=faulty)

    def judge_at_once() -> None:
        if faulty or not _made(match, statement, readings, actor):
            judge()

    before = match.snapshot() if hidden.groups and hidden.varies else None
    match.state.sized = False
    # A watcher is told of each move before it is made, which takes it step by step.
    made = not faulty and not watched and _made(match, statement, readings, actor)
    if before is not None and (read_sizes(match) if made else hidden.varying()):
        match.restore(before)
        # Groups are those of before: the statement may have made others.
        varying = hidden.varying()
        made = judge_supposing(match, judge_at_once, varying, before) and not watched
    if not made:
        match.guarded(statement, judge, told=faulty)


def _fitting(
    match: Match, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
) -> Sequence[Candidate]:
    """Return the readings that can be meant now, where a word is an action and an answer.

    It is an answer where that decision is due, or was passed over by the one who is named.
    """
    answers = readings[0].move.answers
    for parsed in readings:
        if parsed.move.answers != answers:
            break
    else:
        return readings
    late = match.state.late
    due = match.state.due or (late if statement.actor and late and late.who is actor else None)
    for decision in (due.decision if due is not None else None, None):
        found = [parsed for parsed in readings if parsed.move.answers == decision]
        if found:
            return found
    # Answers to several decisions, of which none is due: it is the same which is told of.
    first = min(str(parsed.move.answers) for parsed in readings)
    return [parsed for parsed in readings if parsed.move.answers == first]


def _made(
    match: Match, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
) -> bool:
    """Make the moves that a statement can only mean, if all are legal; else change nothing."""
    state, report = match.state, match.report
    named = bool(statement.phrase.actor)
    if (named and actor is None) or state.cells[OVERDUE] or not match.pack.makers:
        return False
    times = readings[0].repetitions
    mark, told, here, made = state.mark(), report.mark, report.here, len(match.made)
    try:
        for number in range(times):
            pending = state.due if state.cells[PENDING] else None
            who = actor if pending is None or named else pending.who
            reading = match.resolver.plain(readings, who, pending, number, times)
            if reading is None or (number and reading.answers != match.made[-1].answers):
                break
            if who is not actor:
                report.acts(who)
            match.made.append(reading)
            if attempt(match, reading, pending) is not None:
                break
        else:
            return True
    except BudgetError:
        report.undo(told)
        del match.made[made:]
        raise
    except ExpressionError:
        pass
    state.undo(mark)
    report.undo(told)
    report.stand(here)
    del match.made[made:]
    state.grant()
    return False

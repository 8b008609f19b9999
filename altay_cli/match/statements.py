"""What becomes of a statement of a log: what it means, and whether it is legal.

It goes this way: the binder finds the moves that are written like it; what happened without a
question, and answers that nobody need write down, come before it; what it says of the state is a
claim and no move. If it can only mean one move, that is attempted at once. Anything else is looked
into by a ``Judge``, with what may lie hidden supposed where that matters.

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

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product
from math import prod
from typing import Any, NamedTuple

from altay_cli.base.findings import (
    BudgetError,
    EvaluationError,
    ExpressionError,
    Fix,
    ReadError,
    Severity,
    Text,
    UnrecordedError,
    either,
    joined_by_semicolon,
)
from altay_cli.base.values import UNRECORDED, Bag, Drawn, Entity, Placeholder, WrittenName, bag_of
from altay_cli.match import limits
from altay_cli.match.judging import Judge, attempt, make, may_answer
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.operations import Halted, Pending, Values, answered, resume
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.reporting import Here, Stop, Telling, Why
from altay_cli.match.state import State
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import Statement
from altay_cli.pack.binding import Binding
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import LEGAL, Expr, MoveDef, Pack, Phase
from altay_cli.pack.notations import recognised
from altay_cli.pack.table import FORCED, OVERDUE, PENDING, UNREAD, WATCHED


class Said(NamedTuple):
    """A statement, the moves that are written like it, and who acts in it."""

    statement: Statement
    readings: Sequence[Candidate]
    actor: Entity | None


def assume_turn(match: Match, heading: Statement | None = None) -> None:
    """Begin the turn that comes next, where its heading is missing or cannot be read.

    Raises Stop where no turn can begin.
    """
    items = heading.items[1:] if heading is not None else ()
    named = match.binder.player([item for item in items if not item.value])
    player = named or match.state.status("next")
    move = next((move for move in match.pack.moves if move.heading), None)
    if move is None or (player is None and move.actor is not None):
        raise Stop(whole_game=False)
    values: Values = {"me": player, "asked": {}}
    for slot in move.slots.values():
        values[slot.name] = match.state.round if slot.shape == "int" else player
    match.state.put(UNREAD, False)
    reading = Reading(Candidate(move), MoveValues(values, move, match.state), [])
    with match.report.unheard():
        match.resolver.settle(reading)
        make(match, reading, None, told=True)


def play(match: Match, statement: Statement, phase: Phase) -> bool:
    """Judge a statement or heading and carry it out; return whether it is a move.

    What only says how things stand, or what has happened already, is none. A heading that cannot be
    read begins the turn of the player who is next. Raises Stop where the rest of the section or
    game cannot be judged, or need not be.
    """
    state, report, cells = match.state, match.report, match.state.cells
    if len(report.findings) >= limits.MAX_FINDINGS:
        raise Stop(whole_game=True, why=Why.ASKED)
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
        report.here = tuple.__new__(Here, (here.phase, statement, actor, here.implied))
        if binding.errors:
            binding = _report_unreadable(match, statement, binding, phase)
            faulty = bool(binding.errors)
        said = tuple.__new__(Said, (statement, binding.readings, actor))  # as ``Here``
        if cells[FORCED] and not faulty and _says_what_happened(match, said):
            is_move = False
        elif binding.claims and binding.readings and not faulty:
            judge_claim(match, said)
        elif is_move and cells[PENDING] and not state.complete:
            is_move = _give_answers_before(match, said)
            actor = actor if named else active(state)
            report.acts(actor)
            said = said._replace(actor=actor)
        if is_move:
            _judge(match, said, faulty=faulty, mended=unread and heading)
    except ExpressionError as fault:
        match.break_off(fault, statement, mark, errors, told=False)
    if heading:
        if begins and report.errors == errors:
            _check_beginning(match, statement)
        _complete_heading(match, statement)
    return is_move or heading


def _report_unreadable(
    match: Match, statement: Statement, binding: Binding, phase: Phase
) -> Binding:
    """Report why a statement cannot be read, and return its binding, or that of what it means."""
    if phase == "turns" and not binding.readings:
        binding = _in_foreign_notation(match, statement) or binding
    actor = match.report.unknown_actor(statement) if binding.errors else None
    if actor is not None and not binding.readings:
        match.report.unreadable(actor)
        return binding
    for error in binding.errors:
        if phase != "heading" or error.rule.startswith("unknown"):
            match.report.unreadable(error)
    return binding


def _in_foreign_notation(match: Match, statement: Statement) -> Binding | None:
    """Return the binding of a statement in another notation, and report what it means.

    None if it is in none. Of several statements that it may mean, the legal one is taken; if there
    is not just one, the help of its error says so.
    """
    found = recognised(match.pack.notations, statement.phrase)
    if found is None:
        return None
    actor = match.report.here.actor
    state, report, (notation, values) = match.state, match.report, found
    first, last = statement.items[0].start, statement.items[-1].end
    bindings: dict[str, Binding] = {}
    with suppress(EvaluationError):
        for text in notation.means.fn(state, values):
            parsed = parse(text)
            # Findings about a part of it mark the whole statement in the log.
            items = tuple(item._replace(start=first, end=last) for item in parsed.phrase.items)
            phrase = parsed.phrase._replace(actor=statement.actor, items=items)
            binding = match.binder.bind(phrase, "turns", guessing=False)
            if parsed.sound and binding.readings:
                bindings[text] = binding
    if len(bindings) > 1:
        with report.only(Telling.COUNTING):
            legal = [
                text
                for text, binding in bindings.items()
                if would_be_legal(match, Said(statement, binding.readings, actor))
            ]
        bindings = {text: bindings[text] for text in legal}
    title = state.words.word(notation.title)
    if len(bindings) != 1:
        help_line = Text("{title}, and no legal move", title=title)
        if bindings:
            help_line = Text(
                "this may be {names}; say which", names=either([f"`{text}`" for text in bindings])
            )
        error = match.binder.bind(statement.phrase, "turns").errors[0]
        return Binding((), (ReadError(error.rule, error.message, first, last, (help_line,)),))
    ((text, binding),) = bindings.items()
    is_first = not any(one.rule == "badly-written" and one.help for one in report.findings)
    report.add(
        "badly-written",
        Severity.WARNING,
        Text("{why}: `{text}`", why=title, text=text),
        help_lines=(state.said(notation.help, {}),) if notation.help and is_first else (),
        fixes=(Fix(statement.span(first, last), text, certain=not report.errors),),
    )
    return binding


def _check_beginning(match: Match, heading: Statement) -> None:
    """Report what of the position does not go with the turn that has begun."""

    def check() -> None:
        for one, values in match.state.breaches_of_beginning():
            match.report.report_text(one.text, values)

    # A game without such checks is charged no steps for them.
    if any(one.begun for one in match.pack.checks):
        match.guarded(heading, check)


def _complete_heading(match: Match, heading: Statement) -> None:
    """Begin the turn of the next player where a heading cannot be read; forget late answers.

    Questions that need no answer are kept for one more turn.
    """
    state = match.state
    if state.cells[OVERDUE]:
        excused = (one for one in state.overdue if isinstance(one, Pending) and one.excused)
        state.put(OVERDUE, tuple(one._replace(past=True) for one in excused if not one.past))
    if state.cells[UNREAD]:
        match.guarded(heading, partial(assume_turn, match, heading))


def carry_out(match: Match, statement: Statement, phase: Phase) -> None:
    """Judge a statement and carry it out without a word."""
    with match.report.unheard():
        play(match, statement, phase)


def would_be_legal(match: Match, said: Said) -> bool:
    """Tell whether what a statement says would be legal; nothing changes."""
    before = match.snapshot()
    try:
        with match.unwatched(), match.resolver.chancing(None):
            _judge(match, said, as_written=True)
        return match.report.errors == before.report.errors
    except Stop:
        return False
    finally:
        match.restore(before)


def _judge(
    match: Match,
    said: Said,
    *,
    faulty: bool = False,
    mended: bool = False,
    as_written: bool = False,
) -> None:
    """Judge a statement and carry it out, under suppositions about what is hidden if needed.

    A forced move that was left out before it is carried out first, unless it is taken
    ``as_written``.
    """
    statement, readings, actor = said
    if not readings:
        match.lose()
        return
    hidden = match.state.hidden

    def judge(*, at_once: bool = False) -> None:
        if at_once and _made(match, said):
            return
        # A word that is an action and an answer is an answer where that decision is due, or was
        # passed over by the one who is named.
        answers, late = {parsed.move.answers for parsed in readings}, match.state.late
        due = match.state.due or (late if statement.actor and late and late.who is actor else None)
        decision = due.decision if due is not None and due.decision in answers else None
        if decision not in answers:
            # Answers to several decisions, of which none is due: it is the same which is told of.
            decision = min(map(str, answers))
        meant = [parsed for parsed in readings if parsed.move.answers == decision]
        Judge(match, statement, meant, mended=mended).judge(actor, faulty=faulty)

    before = match.snapshot() if hidden.groups and hidden.varies else None
    match.state.size_was_read = False
    made = not faulty and _made(match, said)
    if not (made or faulty or as_written) and match.pack.cached(_implied_moves):
        behind = _behind_implied_moves(match, said)
        if behind is not None:
            _judge(match, behind, mended=mended, as_written=True)
            return
    varying = hidden.varying() if before and (match.state.size_was_read or not made) else ()
    # What was legal may be illegal with some of the few sizes that it read.
    if before and varying and (not made or _combinations(varying) <= limits.FEW_COMBINATIONS):
        match.restore(before)
        # Groups are those of before: the statement may have made others.
        again = partial(judge, at_once=not faulty)
        made = judge_supposing(match, again, hidden.varying(), before)
    if not made:
        match.guarded(statement, judge, told=faulty)


def _made(match: Match, said: Said) -> bool:
    """Make the moves that a statement can only mean, if all are legal; else change nothing."""
    state, report, (statement, readings, actor) = match.state, match.report, said
    named = bool(statement.phrase.actor)
    if (named and actor is None) or state.cells[OVERDUE] or not match.pack.makers:
        return False
    times = readings[0].repetitions
    mark, told, here, made = state.mark(), report.mark, report.here, len(match.made)
    try:
        for number in range(times):
            pending = state.due if state.cells[PENDING] else None
            who = actor
            if pending is not None and may_answer(match, pending, actor, named=named):
                who = pending.who
            reading = match.resolver.plain(readings, who, pending, number)
            if reading is None:
                break
            if number and reading.parsed.move.answers != match.made[-1].parsed.move.answers:
                break
            if who is not actor:
                report.acts(who)
            match.made.append(reading)
            if match.watcher is not None:
                match.watcher.making(reading)
            if attempt(match, reading, pending) != LEGAL:
                break
        else:
            return True
    except BudgetError:
        report.undo(told)
        del match.made[made:]
        raise
    except EvaluationError:
        pass
    state.undo(mark)
    report.undo(told)
    report.stand(here)
    del match.made[made:]
    state.grant()
    return False


# ---------------------------------------------------------------- answers that are not written down


def _answers(pack: Pack) -> Mapping[str, MoveDef]:
    """Return the moves that answer decisions whose answers need not be written down."""
    return {
        move.answers: move
        for move in pack.moves
        if move.answers is not None
        and pack.decisions[move.answers].overdue.unrecorded
        and all(slot.shape == "drawn" for slot in move.slots.values())
    }


def _give_answers_before(match: Match, said: Said) -> bool:
    """Give the unrecorded answers that are due before a statement.

    Return False if the statement says no more than what happened then: it is no move. An answer on
    whose content the rest depends is given only if the statement may be legal behind it; otherwise
    the statement is judged as if the answer were due.
    """
    given, cells = 0, match.state.cells
    while True:
        before = match.snapshot()
        try:
            if not _give_answer(match, said, given):
                return True
        except UnrecordedError:
            match.restore(before)
            if _may_follow(match, partial(_fits, match, said), limits.MAX_ANSWERS):
                _give_answer(match, said, given)  # this raises the same error once more
            return True
        given += 1
        if cells[FORCED] and _says_what_happened(match, said):
            return False


def _fits(match: Match, said: Said) -> bool:
    """Return whether a statement is legal now, or says what has happened; nothing changes."""
    if match.state.cells[FORCED]:
        before, doubtful = match.snapshot(), len(match.doubtful)
        happened = _says_what_happened(match, said)
        del match.doubtful[doubtful:]
        match.restore(before)
        if happened:
            return True
    return would_be_legal(match, said)


def _may_follow(match: Match, fits: Callable[[], bool], tries: int) -> bool:
    """Return whether something fits now, or after unrecorded answers.

    Each thing that such an answer may have brought is tried, ``tries`` of them at most; with more,
    or where it is not worked out what may have come, something may fit.
    """
    state = match.state
    if fits():
        return True
    pending = state.due
    move = match.pack.cached(_answers).get(pending.decision) if pending is not None else None
    if pending is None or move is None:
        return False
    possible = _may_bring(match, pending, move)
    if not possible or len(possible) > tries:
        return True
    for thing in possible:
        before, errors = match.snapshot(), match.report.errors
        try:
            state.grant()
            drawn = Drawn([WrittenName(1, (thing,), True, thing.id, 0, 0)])
            with match.report.only(Telling.COUNTING), match.unwatched():
                _give(match, pending, move, drawn)
            if match.report.errors == errors and _may_follow(match, fits, tries // len(possible)):
                return True
        except EvaluationError:
            return True
        finally:
            match.restore(before)
    return False


def _may_bring(match: Match, pending: Pending, move: MoveDef) -> Sequence[Entity]:
    """Return the things that an answer may bring; nothing if that is not worked out."""
    state, before = match.state, match.snapshot()
    cells = len(state.cells)
    try:
        with match.report.only(Telling.COUNTING), suppress(Halted, EvaluationError):
            values = _answer_values(match, pending, move, UNRECORDED)
            answered(state, values, move.gives)
            move.does.fn(state, values)
        unseen = [one for one in state.hidden.likenesses.values() if one.cell >= cells]
        return [thing for one in unseen[:1] for thing in state.hidden.may_hold(one.cell)]
    finally:
        match.restore(before)


def _give_answer(match: Match, said: Said, given: int) -> bool:
    """Give the answer that is due before a statement, if it was not written down.

    ``given`` is how many have been given before it. Returns False where no such answer is due, or
    the statement gives it.
    """
    pending, (statement, readings, actor) = match.state.due, said
    move = match.pack.cached(_answers).get(pending.decision) if pending is not None else None
    if move is None or pending is None:
        return False
    if given >= match.answers_before.get(id(statement), 0):
        # One without a name may have lost that of the player who answers: which of the two readings
        # has fewer errors is found out afterwards.
        named = statement.actor and actor is not pending.who
        if not named and any(parsed.move.answers == move.answers for parsed in readings):
            if actor is not pending.who or any(one.move.answers is None for one in readings):
                match.doubtful.append(statement)
            return False
    _give(match, pending, move)
    return True


def give_all(match: Match) -> None:
    """Give all answers that are due and need not be written down."""
    moves = match.pack.cached(_answers)
    while (pending := match.state.due) is not None and pending.decision in moves:
        _give(match, pending, moves[pending.decision])


def _answer_values(match: Match, pending: Pending, move: MoveDef, drawn: Drawn) -> MoveValues:
    given = {"me": pending.who, "asked": pending.values, **dict.fromkeys(move.slots, drawn)}
    return MoveValues(given, move, match.state)


def _give(match: Match, pending: Pending, move: MoveDef, drawn: Drawn = UNRECORDED) -> None:
    state, report = match.state, match.report
    values = _answer_values(match, pending, move, drawn)
    words = [part.word for part in move.patterns[0].parts if part.word]
    implied = f"{pending.who.id}: {' '.join(words)} =>"
    with report.at(report.here.statement, pending.who, implied):
        answered(state, values, move.gives)
        with suppress(Halted):
            move.does.fn(state, values)
            resume(state)
        if not state.pending:
            match.go_on(move)


# ---------------------------------------------------------------- forced moves that are left out


def _implied_moves(pack: Pack) -> Sequence[MoveDef]:
    """Return the moves that a log may leave out where they are the only legal ones."""
    return [move for move in pack.moves if move.implied and not move.slots]


def _behind_implied_moves(match: Match, said: Said) -> Said | None:
    """Carry out the forced moves that were left out before a statement, with a note of each.

    That is done only where the statement is legal behind them and not without them. Return the
    statement with the player who acts then, or None if nothing was left out.
    """
    state, report, (statement, _, actor) = match.state, match.report, said
    if state.complete or state.cells[PENDING] or report.here.phase != "turns":
        return None
    before, players = match.snapshot(), []
    if would_be_legal(match, said):
        return None
    for _ in state.players:
        player: Entity | None = state.status("active")
        move = _make_implied_move(match, player)
        if move is None or player is None:
            break
        players.append((player, move))
        now = said._replace(actor=actor if statement.actor else state.status("active"))
        report.acts(now.actor)
        if would_be_legal(match, now):
            for who, inserted in players:
                _report_implied_move(match, said, who, inserted)
            return now
    match.restore(before)
    return None


def _make_implied_move(match: Match, player: Entity | None) -> MoveDef | None:
    """Carry out the implied move of a player who has no other; None if there is none."""
    state, mark = match.state, match.state.mark()
    for move in match.pack.cached(_implied_moves):
        values = MoveValues({"me": player, "asked": {}}, move, state)
        reading = Reading(Candidate(move), values, [])
        others = (one.id for one in match.pack.moves if one is not move and not one.heading)
        with match.report.unheard(), suppress(EvaluationError):
            if attempt(match, reading, None) == LEGAL:
                state.undo(mark)
                if not any(state.able(player, other) for other in others):
                    attempt(match, reading, None)
                    return move
        state.undo(mark)
    return None


def _report_implied_move(match: Match, said: Said, player: Entity, move: MoveDef) -> None:
    """Note a forced move that was left out before a statement."""
    text = " ".join(part.word for part in move.patterns[0].parts if part.word)
    message = Text(
        "`{statement}` is taken to stand before this: {player} has no other legal move",
        statement=text,
        player=player.id,
    )
    place = said.statement.span(0, 0)
    fixes = (Fix(place, f"{text}; ", certain=True),)
    # Nothing can be put before a heading in its line.
    heading = said.readings[0].move.heading
    match.report.add(
        "move-implied", Severity.NOTE, message, distinct=True, fixes=() if heading else fixes
    )


# ---------------------------------------------------------------- what happened without a question


def _says_what_happened(match: Match, said: Said) -> bool:
    """Tell whether a statement says no more than what happened; it is done with then."""
    state, (statement, readings, actor) = match.state, said
    answers = {parsed.move.answers for parsed in readings}
    told = [
        number
        for number, (asked, _) in enumerate(state.forced)
        if asked.decision in answers
        and may_answer(match, asked, actor, named=bool(statement.actor))
    ]
    preferred = match.answers_before.get(id(statement), 0) > 0
    doubtful = told and not preferred and would_be_legal(match, said)
    before = match.snapshot()
    number = next((number for number in told if _means(match, number, readings)), None)
    if number is None:
        return False
    if doubtful:
        match.restore(before)
        match.doubtful.append(statement)
        return False
    match.report.acts(state.forced[number].asked.who)
    # What happened before it is not told any more.
    state.put(FORCED, state.forced[number + 1 :])
    return True


def _means(match: Match, number: int, readings: Sequence[Candidate]) -> bool:
    state, resolver, asked = match.state, match.resolver, match.state.forced[number].asked
    base: Values = {"me": asked.who, "asked": asked.values}
    for parsed in readings:
        gives = parsed.move.gives
        if parsed.move.answers != asked.decision or gives is None:
            continue
        before = match.snapshot()
        with suppress(EvaluationError):
            for reading in map(resolver.applying, resolver.readings(parsed, base, 0)):
                # What a name means may only have been found out by reading it.
                if reading is None or not resolver.is_legal(reading):
                    continue
                given, answer = gives.fn(state, reading.values), state.forced[number].answer
                if isinstance(given, list) and isinstance(answer, list):
                    given, answer = bag_of(given), bag_of(answer)  # their order cannot matter
                if given is answer or given == answer:
                    return True
        match.restore(before)
    return False


# ---------------------------------------------------------------- what a log says of the state


def judge_claim(match: Match, said: Said) -> None:
    """Report a claim that does not hold; one that does tells what was not recorded."""
    statement, readings, actor = said
    if statement.actor and actor is None:
        match.report.unknown_player(statement)
        return
    if actor is None and all(parsed.move.needs_actor for parsed in readings):
        match.report.actor_missing(statement, "this does not say whom the claim is about")
        return
    wrong = _broken(match, readings, actor)
    if wrong is None:
        return
    if match.state.due and not match.state.complete:
        # It may be said behind answers that nobody wrote down.
        before = match.snapshot()
        try:
            give_all(match)
            if _broken(match, readings, actor) is None:
                return
        except UnrecordedError:
            match.restore(before)
            holds = partial(_holds, match, readings, actor)
            if _may_follow(match, holds, limits.MAX_ANSWERS):
                give_all(match)  # this raises the same error once more
        match.restore(before)
    state, move, values = match.state, wrong.parsed.move, wrong.values
    if move.otherwise is not None:
        message = state.finding_text(move.otherwise, values)
    else:
        pairs = [[one.fn(state, values) for one in pair] for pair in move.holds]
        told = [
            Text(
                "{title}: expected {claimed}, found {found}",
                title=state.finding_words.word(move.title),
                claimed=state.finding_words.text(claimed) or state.finding_words.word("nothing"),
                found=state.finding_words.text(found) or state.finding_words.word("nothing"),
            )
            for found, claimed in pairs
            if not _same(found, claimed)
        ]
        message = joined_by_semicolon(told)
    try:
        with state.unclear():
            for pair in move.holds:
                _same(*(one.fn(state, values) for one in pair))
    except UnrecordedError as error:
        match.report.untold(error.message, message)
    else:
        match.report.add("expect-wrong", Severity.ERROR, message)


def _broken(match: Match, readings: Sequence[Candidate], actor: Entity | None) -> Reading | None:
    """Return a claim that does not hold; what one that does tells is known from then on."""
    state, wrong, mark = match.state, None, match.state.mark()
    for parsed in readings:
        move = parsed.move
        for written in match.resolver.readings(parsed, {"me": actor, "asked": {}}, 0):
            reading = match.resolver.applying(written) or written
            if all(_can_be(state, pair, reading.values) for pair in move.holds):
                move.does.fn(state, reading.values)
                return None
            wrong = wrong or reading
        state.undo(mark)
    return wrong


def _holds(match: Match, readings: Sequence[Candidate], actor: Entity | None) -> bool:
    """Return whether a claim holds now; nothing changes."""
    with match.state.supposing():
        return _broken(match, readings, actor) is None


def _can_be(state: State, pair: tuple[Expr, Expr], values: Values) -> bool:
    """Return whether something can be what is claimed of it; it is believed from then on."""

    def ask() -> bool:
        try:
            with state.exactly():
                return _same(*(state.identified(one.fn(state, values)) for one in pair))
        except UnrecordedError:
            return unknown()

    def unknown() -> bool:
        """Return whether nothing speaks against a claim of what cannot be gone through."""
        there, claimed = (one.fn(state, values) for one in pair)
        if not isinstance(there, Bag) or not isinstance(claimed, Bag):
            return True
        return claimed.size() <= there.size() and all(
            claimed.get(item, 0) >= n
            for item, n in there.items()
            if not isinstance(item, Placeholder)
        )

    return state.hidden.can_hold(ask, unknown)


def _same(there: Any, claimed: Any) -> bool:
    """Return whether a value is what is claimed of it; what is hidden is not."""
    if isinstance(there, Bag) or isinstance(claimed, Bag):
        found, said = (v if isinstance(v, Bag) else bag_of(v) for v in (there, claimed))
        return not found.unknown.hidden and dict(found) == dict(said)
    if isinstance(there, tuple | list) and isinstance(claimed, tuple | list):
        return list(there) == list(claimed)
    return type(there) is type(claimed) and bool(there == claimed)


# ---------------------------------------------------------------- how much lies where, unrecorded

Varying = Sequence[tuple[int, Sequence[int]]]
"""The groups of places, by number, of which it is not known how much lies where, and what may."""


def _combinations(varying: Varying) -> int:
    return prod(len(sizes) for _, sizes in varying)


def judge_supposing(
    match: Match, judge: Callable[[], None], varying: Varying, before: Snapshot
) -> bool:
    """Judge a statement with some of what can be hidden in zones; return whether it is legal so.

    What nobody recorded is supposed no further than that: with some of it gone, what the log says
    later could not be any more. Raises UnrecordedError if nothing can be supposed with which it is
    legal in any case.
    """
    state, report = match.state, match.report
    statement = report.here.statement
    assert statement is not None

    def fits(supposed: Iterable[tuple[int, Container[int]]]) -> bool:
        match.restore(before)
        for group, sizes in supposed:
            state.hidden.assume(group, sizes)
        supposing = match.snapshot()
        with report.only(Telling.COUNTING):
            match.guarded(statement, judge)
        if report.errors > supposing.report.errors:
            match.restore(before)
            return False
        return True

    state.size_was_read = False
    legal = fits(())
    if legal and not (state.size_was_read and _combinations(varying) <= limits.FEW_COMBINATIONS):
        return True
    if not legal and not state.size_was_read:
        return False  # no size was asked for, and with less of what can be nothing more is legal
    groups = [group for group, _ in varying]
    every = [tuple(zip(groups, some, strict=True)) for some in islice(
        product(*(sizes for _, sizes in varying)), limits.MAX_SUPPOSED + 1)]  # fmt: skip
    if len(every) > limits.MAX_SUPPOSED:
        every = [((group, one),) for group, sizes in varying for one in sizes]
    some = [one for one in every if fits((group, {size}) for group, size in one)]
    if len(some) in {0, len(every)}:
        return fits(()) if legal or some else False
    kept: dict[int, set[int]] = {}
    for one in some:
        for group, size in one:
            kept.setdefault(group, set()).add(size)
    if len(every[0]) < len(groups):
        kept = dict([next(iter(kept.items()))])
    elif prod(map(len, kept.values())) > len(some):
        kept = {}
    if kept and fits(kept.items()):
        return True
    # The rules cannot be asked about all of it at once.
    raise UnrecordedError("what follows depends on how much lies where, which nobody recorded")

"""Attempt moves, and judge rejected statements requirement by requirement."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

from altay_cli.base.budget import CONTENTS
from altay_cli.base.findings import (
    EvaluationError,
    Severity,
    Text,
    UnrecordedError,
    either,
)
from altay_cli.base.values import Bag, Entity, expand, subjects_of
from altay_cli.match import limits
from altay_cli.match.breaches import report_breach, report_undecidable
from altay_cli.match.decisions import EffectsInterrupted, PendingDecision, Values
from altay_cli.match.match import AmbiguousName, Match
from altay_cli.match.readings import MoveValues, Reading, rank
from altay_cli.match.reporting import Stop, StopReason
from altay_cli.notation.tree import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.layout import FORCED, OVERDUE, PENDING
from altay_cli.pack.model import LEGAL
from altay_cli.source import limits as source_limits


def attempt(
    match: Match,
    reading: Reading,
    pending: PendingDecision | None,
    first: int = 0,
    *,
    already_reported: bool = False,
) -> int:
    """Apply a move if its requirements hold; return LEGAL or the failed requirement.

    first: the number of the first requirement to check.
    already_reported: a requirement that cannot be evaluated counts as fulfilled.

    A reading with plain values is judged by the faster generated function of the move; return 0 if
    that cannot decide. A rejected move may have changed the state. Raise ExpressionError if the
    rules cannot be applied.
    """
    state, report, move, values = match.state, match.report, reading.parsed.move, reading.values
    if not first:
        _begin(match, reading, pending)
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
        # The effects ended early, so later requirements have not been checked.
        if move.looks_back and not isinstance(values, MoveValues):
            return 0
    if not state.cells[PENDING] and report.context.phase == "turns":
        match.run_triggers(move)
    return LEGAL


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

    An unnamed statement may answer for the player asked, unless the decision assigns it to the
    current player.
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

    already_reported: an error explains this statement, so no other is added.
    mended: an unreadable statement may have fulfilled a requirement with `before` effects.

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
    """Make the decision that an illegal move asked optional."""
    state, due = match.state, match.state.next_decision
    if due is not None and reading.parsed.move.answers is None:
        state.journal.put(PENDING, (*state.pending[:-1], due._replace(excused=True)))


def _certain_breach(match: Match, reading: Reading, first: int) -> int | None:
    """Return the first requirement that fails for all hidden contents, or None."""
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


class Judge:
    """Judges one statement that has several candidates.

    All candidates answer the same decision, or none.

    mended: the statement before it may be unreadable.
    """

    def __init__(
        self, match: Match, statement: Statement, readings: Sequence[Candidate], *, mended: bool
    ) -> None:
        self.match = match
        self.statement = statement
        self.candidates = readings
        self.move = readings[0].move
        self.mended = mended
        self.state = match.state
        self.report = match.report
        self.resolver = match.resolver

    def judge(self, actor: Entity | None, *, faulty: bool) -> None:
        """Choose a reading, report its violations, and apply it.

        faulty: an error in the statement is already reported, so its consequences are not.
        """
        match, state, candidates = self.match, self.state, self.candidates
        named = bool(self.statement.actor)
        if named and any(parsed.move.introduces for parsed in candidates):
            actor = match.introduce(self.statement)
        elif named and actor is None:
            self.report.unknown_player(self.statement)
        if named and actor is None:
            match.forget_pending()
            return
        if state.forced and not faulty and self._contradicts_forced_answer(actor):
            return
        due = state.next_decision
        pending = self._find_decision(actor)
        if pending is None and due is not None and not due.excused:
            # The ignored decision is reported; further errors may follow from it.
            faulty = True
        if self.move.answers is not None:
            if pending is None:
                if not self._can_apply_unasked(actor, already_reported=faulty):
                    return
                faulty = True
            elif pending.who is not actor:
                if not may_answer(match, pending, actor, named=named):
                    values = {"who": pending.who, "actor": actor, "asked": pending.values}
                    helps = () if named else (self._with_name(pending.who),)
                    self.report.report_text(
                        match.pack.decisions[pending.decision].wrong, values, help_lines=helps
                    )
                    faulty = True
                actor = pending.who
        if actor is None and all(p.move.needs_actor and not p.move.heading for p in candidates):
            self.report.actor_missing(self.statement, "this does not say who acts")
            return
        self.report.set_actor(actor)
        self._apply_moves(actor, pending, already_reported=faulty)

    def _apply_moves(
        self, actor: Entity | None, pending: PendingDecision | None, *, already_reported: bool
    ) -> None:
        number, breaches, times = 0, 0, min(parsed.repetitions for parsed in self.candidates)
        while number < times:
            if number and self.move.answers is not None:
                pending = self.state.next_decision
                if pending is None or pending.decision != self.move.answers:
                    self._can_apply_unasked(actor, already_reported=already_reported)
                    return
            self.state.spend(limits.JUDGING_STEPS)
            chosen = self._choose_reading(actor, pending, number)
            number += 1
            if chosen is None:
                continue
            self.resolver.settle(chosen)
            self.match.made.append(chosen)
            if self.match.watcher is not None:
                self.match.watcher.on_move(chosen)
            errors, context = self.report.errors, self.report.context
            breaches += apply_with_findings(
                self.match, chosen, pending, already_reported=already_reported, mended=self.mended
            )
            # After an error, assumed copies need no note.
            if self.report.errors == errors:
                with self.report.at(context.statement, context.actor):
                    for written, entity in chosen.notes:
                        self.report.assumed(written.start, written.end, entity)
            if breaches > limits.MAX_BREACHES:
                return
            times = chosen.parsed.repetitions

    # ------------------------------------------------------------ the actor and the decision

    def _with_name(self, player: Entity) -> Text:
        return Text(
            "a statement without a name is that of the player whose turn it is; an answer of "
            "{player} is written `{statement}`",
            player=player.id,
            statement=f"{player.id}: {self.statement.text}",
        )

    def _find_decision(self, actor: Entity | None) -> PendingDecision | None:
        """Return the decision that the statement answers; report an ignored one.

        A late answer to an overdue decision is no further violation.
        """
        state, pending, answers = self.state, self.state.next_decision, self.move.answers
        if pending is not None:
            if pending.decision == answers:
                return pending
            if not pending.excused:
                values = {"who": pending.who, "actor": actor, "asked": pending.values}
                self.report.report_text(self.match.pack.decisions[pending.decision].overdue, values)
            state.journal.put(OVERDUE, state.pending)
            state.journal.put(PENDING, ())
        late = state.last_skipped
        if late is None or late.decision != answers:
            return None
        state.journal.put(PENDING, state.overdue)
        state.journal.put(OVERDUE, ())
        return late

    def _contradicts_forced_answer(self, actor: Entity | None) -> bool:
        due, answers = self.state.next_decision, self.move.answers
        if answers is None or (due is not None and due.decision == answers):
            return False
        text = self.match.pack.decisions[answers].forced
        for asked, answer in self.state.forced:
            mine = may_answer(self.match, asked, actor, named=bool(self.statement.actor))
            if text is not None and mine and asked.decision == answers:
                values = {"who": asked.who, "asked": asked.values, "answer": answer}
                self.report.set_actor(asked.who)
                self.report.report_text(text, values)
                return True
        return False

    def _can_apply_unasked(self, actor: Entity | None, *, already_reported: bool) -> bool:
        """Report an unasked answer; return True if it can be applied."""
        move = self.move
        assert move.answers is not None
        unread = move.unasked is not None and self.match.may_be_fulfilled(move.unasked.rule)
        # This may answer a decision that an illegal statement asked in an earlier turn.
        excused = any(
            isinstance(pending, PendingDecision) and pending.past and pending.who is actor
            for pending in self.state.overdue
        )
        if move.unasked is not None and not (already_reported or unread or excused):
            self.report.report_text(move.unasked, {"me": actor})
        return actor is not None and not self.match.pack.decisions[move.answers].values

    # ------------------------------------------------------------ the reading

    def _choose_reading(
        self, actor: Entity | None, pending: PendingDecision | None, number: int
    ) -> Reading | None:
        """Return the intended reading; a fallback move comes last."""
        base: Values = {"me": actor, "asked": pending.values if pending else {}}
        resolver, is_possibly_legal = self.resolver, self.resolver.is_possibly_legal
        for fallback in (False, True):
            of_each = [
                list(filter(None, map(resolver.applying, resolver.readings(parsed, base, number))))
                for parsed in self.candidates
                if parsed.move.fallback is fallback
            ]
            found = [some for some in of_each if some]
            if len(found) > 1:
                for reading in chain(*found):
                    self._infer_omitted(reading, quiet=True)
                found.sort(
                    key=lambda some: rank(some[0].parsed, legal=any(map(is_possibly_legal, some)))
                )
            if found:
                return self._choose_among(found[0])
        message = "no move written like this is possible here"
        self.report.add("no-such-move", Severity.ERROR, message, self.statement.span())
        return None

    def _choose_among(self, found: list[Reading]) -> Reading:
        for reading in found:
            self._infer_omitted(reading, quiet=len(found) > 1)
        if len(found) == 1:
            return found[0]
        legal = [reading for reading in found if self.resolver.is_possibly_legal(reading)]
        certain = len(legal) > 1 and all(map(self.resolver.is_certain, legal))
        if len(legal) != 1 and not certain and any(reading.may_be_hidden for reading in found):
            unclear = self.resolver.merged_reading(found[0])
            if unclear is not None:
                self._infer_omitted(unclear, quiet=True)
                return unclear
            return self._assume_reading(legal) if legal else found[0]
        if len(legal) > 1:
            slot, place, names = self._difference(legal)
            about = subjects_of(*(reading.values.get(slot) for reading in legal))
            self.report.ambiguous(place, names, about)
        return (legal or found)[0]

    def _assume_reading(self, legal: list[Reading]) -> Reading:
        slot, place, names = self._difference(legal)
        if self.match.meant is None:
            template = (
                "the verdict depends on whether this is {names}, which the log does not record"
            )
            raise UnrecordedError(Text(template, names=either(names)))
        self.match.open.append(AmbiguousName(self.statement, len(legal)))
        chosen = legal[self.match.meant.get(id(self.statement), 0) % len(legal)]
        about = subjects_of(*(reading.values.get(slot) for reading in legal))
        self.report.ambiguous(place, names, about, fits=True)
        value = chosen.values.get(slot)
        if place is not None and isinstance(value, Bag):
            self.report.note_meaning(*place, expand(value))
        return chosen

    def _difference(self, readings: list[Reading]) -> tuple[str, tuple[int, int] | None, list[str]]:
        """Return the first slot that differs, its columns, and its names."""
        text = self.state.finding_words.text
        for slot in readings[0].parsed.slots:
            names = list(dict.fromkeys(text(reading.values.get(slot)) for reading in readings))
            if len(names) > 1:
                return slot, readings[0].parsed.places.get(slot), names
        return "", None, []

    def _infer_omitted(self, reading: Reading, *, quiet: bool) -> None:
        for slot in reading.parsed.move.slots.values():
            if slot.infer is None or slot.name in reading.parsed.slots:
                continue
            choices, chosen = slot.infer.fn(self.state, reading.values), 0
            if len(choices) > 1 and slot.unclear is None:
                chosen = self._assumed_choice(len(choices))
            elif len(choices) > 1 and slot.unclear is not None and not quiet:
                values = {**reading.values, "choices": choices[: source_limits.MAX_NAMES]}
                self.report.report_text(slot.unclear, values)
            reading.values[slot.name] = choices[chosen] if choices else slot.empty

    def _assumed_choice(self, ways: int) -> int:
        match, statement = self.match, self.statement
        if all(name.statement is not statement for name in match.open):
            match.open.append(AmbiguousName(statement, ways, name=False))
        return (match.meant or {}).get(id(statement), 0) % ways

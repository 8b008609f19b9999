"""Judge and apply one statement of a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import NamedTuple

from altay_cli.base.findings import (
    BudgetError,
    EvaluationError,
    Severity,
    Text,
    UnrecordedError,
    either,
)
from altay_cli.base.values import Bag, Entity, expand, subjects_of
from altay_cli.match import limits
from altay_cli.match.attempts import apply_with_findings, attempt, may_answer
from altay_cli.match.decisions import PendingDecision, Values
from altay_cli.match.match import AmbiguousName, Match
from altay_cli.match.readings import Reading, rank
from altay_cli.match.reporting import Stop
from altay_cli.match.supposing import count_combinations, judge_supposing
from altay_cli.notation.tree import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.layout import OVERDUE, PENDING
from altay_cli.pack.model import LEGAL
from altay_cli.source import limits as source_limits


class BoundStatement(NamedTuple):
    """A statement, its candidates, and the player who acts."""

    statement: Statement
    readings: Sequence[Candidate]
    actor: Entity | None


def would_be_legal(match: Match, bound: BoundStatement) -> bool:
    """Return True if a statement is legal in this state."""
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

    find_omitted: applies omitted moves; returns the statement to judge after them.
    """
    statement, readings, actor = bound
    if not readings:
        match.forget_pending()
        return
    hidden = match.state.hidden

    before = (
        match.snapshot() if hidden.beliefs.groups and hidden.queries.any_size_uncertain else None
    )
    match.state.size_was_read = False
    made = not faulty and _try_fast_path(match, bound)
    if made and before is None:
        return

    def judge(*, at_once: bool = False) -> None:
        if at_once and _try_fast_path(match, bound):
            return
        # Prefer a pending decision, or a late one of the named player.
        answers, late = {parsed.move.answers for parsed in readings}, match.state.last_skipped
        due = match.state.next_decision or (
            late if statement.actor and late and late.who is actor else None
        )
        decision = due.decision if due is not None and due.decision in answers else None
        if decision not in answers:
            # None of these decisions is pending: report any, deterministically.
            decision = min(map(str, answers))
        candidates = [parsed for parsed in readings if parsed.move.answers == decision]
        Judge(match, statement, candidates, mended=mended).judge(actor, faulty=faulty)

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
    # A legal statement may be illegal for some of the sizes that it read.
    if before and varying and (not made or count_combinations(varying) <= limits.FEW_COMBINATIONS):
        match.restore(before)
        # The statement may have made other groups.
        again = partial(judge, at_once=not faulty)
        made = judge_supposing(match, again, hidden.queries.uncertain_sizes(), before)
    if not made:
        match.guarded(statement, judge, already_reported=faulty)


def _try_fast_path(match: Match, bound: BoundStatement) -> bool:
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
            pending = state.let_answer_next(actor) if state.cells[PENDING] else None
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


class Judge:
    """Judges a statement with several candidates for the same decision, or none."""

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

        faulty: an error is already reported, so its consequences are not.
        """
        match, state, candidates = self.match, self.state, self.candidates
        named = bool(self.statement.actor)
        if named:
            actor = self._named_actor(actor)
            if actor is None:
                match.forget_pending()
                return
        if state.forced and not faulty and self._contradicts_forced_answer(actor):
            return
        due = state.let_answer_next(actor)
        pending = self._find_decision(actor)
        if pending is None and due is not None and not due.excused:
            # The ignored decision is reported; errors may follow from it.
            faulty = True
        if pending is not None and pending.who is not actor:
            if not may_answer(match, pending, actor, named=named):
                self._report_wrong_player(pending, actor)
                faulty = True
            actor = pending.who
        elif pending is None and self.move.answers is not None:
            if not self._can_apply_unasked(actor, already_reported=faulty):
                return
            faulty = True
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

    def _named_actor(self, actor: Entity | None) -> Entity | None:
        if any(parsed.move.introduces for parsed in self.candidates):
            return self.match.introduce(self.statement)
        if actor is None:
            self.report.unknown_player(self.statement)
        return actor

    def _report_wrong_player(self, pending: PendingDecision, actor: Entity | None) -> None:
        player = pending.who
        with_name = Text(
            "a statement without a name is that of the player whose turn it is; an answer of "
            "{player} is written `{statement}`",
            player=player.id,
            statement=f"{player.id}: {self.statement.text}",
        )
        self.report.report_text(
            self.match.pack.decisions[pending.decision].wrong,
            {"who": player, "actor": actor, "asked": pending.values},
            help_lines=() if self.statement.actor else (with_name,),
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
        move = self.move
        assert move.answers is not None
        unread = move.unasked is not None and self.match.may_be_fulfilled(move.unasked.rule)
        # An illegal statement may have asked this in an earlier turn.
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
        if self.match.name_choices is None:
            template = (
                "the verdict depends on whether this is {names}, which the log does not record"
            )
            raise UnrecordedError(Text(template, names=either(names)))
        self.match.open.append(AmbiguousName(self.statement, len(legal)))
        chosen = legal[self.match.name_choices.get(id(self.statement), 0) % len(legal)]
        about = subjects_of(*(reading.values.get(slot) for reading in legal))
        self.report.ambiguous(place, names, about, fits=True)
        value = chosen.values.get(slot)
        if place is not None and isinstance(value, Bag):
            self.report.note_meaning(*place, expand(value))
        return chosen

    def _difference(self, readings: list[Reading]) -> tuple[str, tuple[int, int] | None, list[str]]:
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
        return (match.name_choices or {}).get(id(statement), 0) % ways

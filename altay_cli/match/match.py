"""A game under way, and the statements played in it: what each means, and whether it is legal.

A statement goes this way: the binder finds the moves that are written like it; what happened
without a question, and answers that nobody need write down, come before it; what it says of the
state is a claim and no move. If it can only mean one move, that is attempted at once. Anything else
is looked into by a ``Judge``, with what may lie hidden supposed where that matters.
"""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.base.errors import BudgetError, ExpressionError
from altay_cli.base.values import Entity
from altay_cli.compile.model import Phase, Shape
from altay_cli.compile.zones import FORCED, OVERDUE, PENDING, WATCHED
from altay_cli.match.attempt import Made, attempt
from altay_cli.match.base import MatchBase, Meant, Snapshot, Watcher
from altay_cli.match.binding import Binding
from altay_cli.match.candidates import Candidate
from altay_cli.match.expecting import Claims
from altay_cli.match.forced import says_what_happened
from altay_cli.match.judging import Judge
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.reporting import MAX_FINDINGS, Stop, Telling, Why
from altay_cli.match.sizes import judge_supposing, read_sizes
from altay_cli.match.unwritten import give_all, give_answer
from altay_cli.match.waiting import Pending, Values
from altay_cli.notation import SectionKind, Statement

PHASES = {
    SectionKind.SETUP: Phase.SETUP,
    SectionKind.POSITION: Phase.POSITION,
    SectionKind.TURN: Phase.TURNS,
    SectionKind.RESULT: Phase.RESULT,
}
"""What the statements of sections are."""


class Match(MatchBase):
    """One game under way, in which statements are played."""

    def again(self, meant: Meant | None) -> Match:
        """Return a match under the same rules and options in which nothing has been played."""
        match = Match(self.pack, self.state.options, self.able, self.state.language, meant)
        match.state.complete = self.state.complete
        match.resolver.leaves_open = self.resolver.leaves_open
        return match

    # ------------------------------------------------------------ turns

    def begin(self, heading: Statement) -> None:
        """Begin a turn; one whose heading cannot be read is that of the player who is next."""
        state = self.state
        if not state.watched:
            state.put(WATCHED, True)
        self.play(heading, Phase.HEADING)
        if state.overdue:
            state.put(OVERDUE, ())
        if self.unread:
            self.guarded(heading, self.assume_turn, heading)

    def assume_turn(self, heading: Statement | None = None) -> None:
        """Begin the turn that comes next, where its heading is missing or cannot be read.

        Raises:
            Stop: where no turn can begin.

        """
        items = heading.items[1:] if heading is not None else ()
        named = self.binder.player([item for item in items if not item.value])
        player = named or self.state.status("next")
        move = next((move for move in self.pack.moves if move.heading), None)
        if move is None or (player is None and move.actor is not None):
            raise Stop(whole_game=False)
        values: Values = {"me": player, "asked": {}}
        for slot in move.slots.values():
            values[slot.name] = self.state.round if slot.shape is Shape.INT else player
        self.read(unread=False)
        reading = Reading(Candidate(move), MoveValues(values, move, self.state), [])
        with self.report.only(Telling.NOTHING):
            self.resolver.settle(reading)
            Judge(self, faulty=True).make(reading)

    # ------------------------------------------------------------ one statement

    def play(self, statement: Statement, phase: Phase) -> bool:
        """Judge a statement and carry it out; return whether it is a move.

        What only says how things stand, or what has happened already, is none.

        Raises:
            Stop: where the rest of the section or game cannot be judged, or need not be.

        """
        if len(self.report.findings) >= MAX_FINDINGS:
            raise Stop(whole_game=True, why=Why.ASKED)
        self.made.clear()
        mark, course = self.state.mark(), self.course
        while course and course[-1][0] >= mark:
            course.pop()
        course.append((mark, statement))
        # What a statement that could not be read may have mended is not a breach of the next turn.
        unread = self.unread
        if unread:
            self.read(unread=False)
        binding = self.binder.bind(statement.phrase, phase)
        mended = unread and phase is Phase.HEADING
        happened = self.guarded(statement, self._play, statement, binding, phase, mended)
        return not (binding.claims or happened)

    def carry_out(self, statement: Statement, phase: Phase) -> None:
        """Judge a statement and carry it out without a word."""
        told = self.report.mark()
        try:
            with self.report.only(Telling.NOTHING):
                self.play(statement, phase)
        finally:
            self.report.undo(told)

    def _play(self, statement: Statement, binding: Binding, phase: Phase, mended: bool) -> bool:
        """Judge a statement; return whether it says no more than what has happened."""
        actor = self.who(statement)
        self.report.actor = actor
        for error in binding.errors:
            if phase is not Phase.HEADING or error.rule.startswith("unknown"):
                self.report.unreadable(error)
        faulty, cells = bool(binding.errors), self.state.cells
        if cells[FORCED] and not faulty and self._happened(statement, binding.readings, actor):
            return True
        if binding.claims:
            if binding.readings and not faulty:
                self._claim(statement, binding.readings, actor)
        elif cells[PENDING] and not self.state.complete:
            given = 0
            while give_answer(self, statement, binding.readings, actor, given):
                given += 1
                if self.state.forced and self._happened(statement, binding.readings, actor):
                    return True
            actor = self.who(statement)
            self.report.acts(actor)
            self._judge(statement, binding.readings, actor, faulty=faulty, mended=mended)
        else:
            self._judge(statement, binding.readings, actor, faulty=faulty, mended=mended)
        return False

    def _happened(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> bool:
        """Tell whether a statement says what happened without a question, and nothing else."""
        return says_what_happened(self, statement, readings, actor, self.would_be_legal)

    def would_be_legal(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> bool:
        """Tell whether what a statement says would be legal; nothing changes."""
        before, wrong = self.snapshot(), self.report.wrong
        try:
            with self.unwatched(), self.resolver.chancing(None):
                self._judge(statement, readings, actor)
            return self.report.wrong == wrong
        except Stop:
            return False
        finally:
            self.restore(before)

    def _claim(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> None:
        """Hold what a log says of the state against it; where that was hidden, it is known now."""
        if statement.actor and actor is None:
            self.report.unknown_player(statement)
            return
        claims, before = Claims(self.state, self.report, self.resolver), self.snapshot()
        claims.judge(statement, readings, actor)
        if self.report.errors > before.report.errors and self.state.due and not self.state.complete:
            # It may be said behind answers that nobody wrote down.
            self.restore(before)
            give_all(self)
            claims.judge(statement, readings, actor)
            if self.report.errors > before.report.errors:
                self.restore(before)
                claims.judge(statement, readings, actor)

    # ------------------------------------------------------------ whether it is legal

    def _judge(
        self,
        statement: Statement,
        readings: Sequence[Candidate],
        actor: Entity | None,
        *,
        faulty: bool = False,
        mended: bool = False,
    ) -> None:
        """Judge a statement and carry it out, under suppositions about what is hidden if needed."""
        if not readings:
            self.lose()
            return
        if len(readings) > 1:
            readings = self._fitting(statement, readings, actor)
        hidden, watched = self.state.hidden, self.watcher is not None

        def judge() -> None:
            Judge(self, faulty=faulty, mended=mended).judge(statement, readings, actor)

        def judge_at_once() -> None:
            if faulty or not self._made(statement, readings, actor):
                judge()

        before = self.snapshot() if hidden.varies else None
        self.state.sized = False
        # A watcher is told of each move before it is made, which takes it step by step.
        made = not faulty and not watched and self._made(statement, readings, actor)
        if before is not None and (read_sizes(self) if made else hidden.varying()):
            self.restore(before)
            # Groups are those of before: the statement may have made others.
            varying = hidden.varying()
            made = judge_supposing(self, judge_at_once, varying, before) and not watched
        if not made:
            self.guarded(statement, judge, told=faulty)

    def _fitting(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> Sequence[Candidate]:
        """Return the readings that can be meant now, where a word is an action and an answer.

        It is an answer where that decision is due, or was passed over by the one who is named.
        """
        if len({parsed.move.answers for parsed in readings}) == 1:
            return readings
        late = self.state.late
        due = self.state.due or (late if statement.actor and late and late.who is actor else None)
        for decision in (due.decision if due is not None else None, None):
            found = [parsed for parsed in readings if parsed.move.answers == decision]
            if found:
                return found
        # Answers to several decisions, of which none is due: it is the same which is told of.
        first = min(str(parsed.move.answers) for parsed in readings)
        return [parsed for parsed in readings if parsed.move.answers == first]

    def _made(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> bool:
        """Make the moves that a statement can only mean, if all are legal; else change nothing."""
        state, report = self.state, self.report
        named = bool(statement.phrase.actor)
        if (named and actor is None) or state.cells[OVERDUE] or not self.pack.makers:
            return False
        times = readings[0].repetitions
        mark, told, acting, made = state.mark(), report.mark(), report.actor, len(self.made)
        try:
            for number in range(times):
                pending = state.due if state.cells[PENDING] else None
                who = actor if pending is None or named else pending.who
                reading = self._plain(readings, who, pending, number, times)
                if reading is None:
                    break
                if who is not actor:
                    report.acts(who)
                if not isinstance(attempt(self, reading, pending), Made):
                    break
                self.made.append(reading)
            else:
                return True
        except BudgetError:
            report.undo(told)
            raise
        except ExpressionError:
            pass
        state.undo(mark)
        report.undo(told)
        report.acts(acting)
        del self.made[made:]
        state.grant()
        return False

    def _plain(
        self,
        readings: Sequence[Candidate],
        actor: Entity | None,
        pending: Pending | None,
        number: int,
        times: int,
    ) -> Reading | None:
        """Return the only move that number ``number`` of a statement can mean, if that is plain.

        All its readings must stand for so many ``times`` moves.
        """
        if pending is not None and pending.who is not actor:
            return None
        base: Values = {"me": actor, "asked": pending.values if pending else {}}
        decision = pending.decision if pending else None
        chosen: Reading | None = None
        for parsed in readings:
            move = parsed.move
            if parsed.repetitions != times:
                return None
            if move.fallback:
                continue
            if move.answers != decision or (
                actor is None and move.needs_actor and not move.heading
            ):
                return None
            values = self.resolver.values(parsed, base, number)
            if values is None:
                return None
            if move.when is None or move.when.fn(self.state, values):
                if chosen is not None:
                    return None
                chosen = Reading(parsed, values, [], number)
        return chosen


__all__ = ["PHASES", "Match", "Snapshot", "Watcher"]

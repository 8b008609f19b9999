"""A game under way: its state, findings and players, and the statements played in it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVarTuple

from altay_cli.base.errors import BudgetError, ExpressionError, UnrecordedError
from altay_cli.base.findings import Severity
from altay_cli.base.text import Text
from altay_cli.base.values import Entity
from altay_cli.compile.model import LEGAL, UNCLEAR, MoveDef, Pack, Phase, Shape
from altay_cli.hidden.hidden import UNDECIDED
from altay_cli.match.binding import Binder, Binding, Candidate
from altay_cli.match.choices import Meant, Open
from altay_cli.match.forced import says_what_happened
from altay_cli.match.readings import MoveValues, Reading, Resolver
from altay_cli.match.reporting import Mark, Report, Stop, Why
from altay_cli.match.state import NEVER, State, Values
from altay_cli.match.unwritten import Unwritten
from altay_cli.match.waiting import Halted, Pending, answered, resume
from altay_cli.notation import GameRecord, SectionKind, Statement
from altay_cli.pack.faults import reason
from altay_cli.pack.mentions import written_in

if TYPE_CHECKING:
    from altay_cli.hidden.hidden import Group

_Given = TypeVarTuple("_Given")

MAX_SUPPOSED = 64
"""The maximum number of combinations of unknown sizes; beyond it each group is tried alone."""

FEW = 4
"""The maximum number of combinations tried for a statement that is legal with the largest sizes.

Beyond it, a statement that depends on a size does not rule out the sizes with which it is illegal.
"""

READING_STEPS = 300
"""The fixed cost of reading a statement, in steps."""


PHASES = {
    SectionKind.SETUP: Phase.SETUP,
    SectionKind.POSITION: Phase.POSITION,
    SectionKind.TURN: Phase.TURNS,
    SectionKind.RESULT: Phase.RESULT,
}
"""What the statements of sections are."""


class Snapshot(NamedTuple):
    """A moment of a match, which ``Match.restore`` goes back to."""

    state: int
    report: Mark
    statement: Statement | None
    actor: Entity | None
    seats: int
    unread: bool
    made: tuple[Reading, ...]


class Trial(Protocol):
    """While it is tried how to go on: how far to read ahead."""

    def is_over(self, errors: int) -> bool:
        """Tell before a statement, with so many errors so far, whether it need not be read."""


class UpTo:
    """A trial that reads a game up to its first error, or until there are so many."""

    def __init__(self, errors: int = 1) -> None:
        self.errors = errors

    def is_over(self, errors: int) -> bool:
        """Tell before a statement, with so many errors so far, whether it need not be read."""
        return errors >= self.errors


class Watcher(Protocol):
    """Is told how a game goes on; what is only tried out is not told."""

    def before(self, statement: Statement) -> None:
        """Take note that a heading or statement of the turns comes next, and all before is done."""

    def making(self, reading: Reading) -> None:
        """Take note that a move is about to be carried out.

        After a slip that may be told several times for one statement; ``Match.made`` then says
        what the statement was taken for in the end.
        """


class Match:
    """One game under way.

    ``state`` is what lies where and what waits for an answer, and the budget; ``report`` holds the
    findings so far; ``binder`` knows the players and ``resolver`` what names can mean. ``options``
    are the values of all options of the pack, ``language`` that of findings. All of it can be taken
    back together, by ``snapshot`` and ``restore``.
    """

    def __init__(self, pack: Pack, options: Mapping[str, str], language: str = "en") -> None:
        self.pack = pack
        self.state = State(pack, options, language)
        self.report = Report(self.state)
        self.binder = Binder(pack)
        self.resolver = Resolver(self.state, self.binder)
        self.unwritten = Unwritten(self)
        """Answers that nobody wrote down."""
        self.made: list[Reading] = []
        """The moves that the last statement was taken for."""
        self.unread = False
        """Whether the last statement could not be read."""
        self.claimed = False
        """Whether the last statement only said what the state is."""
        self.trial: Trial | None = None
        """While it is tried how to go on after a slip: how far."""
        self.watcher: Watcher | None = None
        self.meant: Meant | None = {}
        """What names mean that can mean different things; None if that is not to be chosen."""
        self.open: list[Open] = []
        """The statements with such names."""
        self.log: GameRecord | None = None
        """The log that is read, if it is one."""
        self.course: list[tuple[int, Statement]] = []
        """The statements so far, each with the mark of the state before it."""

    @cached_property
    def writing(self) -> str:
        """The language in which statements are suggested: that of the names in the log."""
        language = self.state.language
        return language if self.log is None else written_in(self.pack, self.log, language)

    def again(self) -> Match:
        """Return a match under the same rules and options in which nothing has been played."""
        match = Match(self.pack, self.state.options, self.state.language)
        match.state.complete = self.state.complete
        match.resolver.leaves_open = self.resolver.leaves_open
        match.meant = self.meant
        return match

    # ------------------------------------------------------------ going back

    def snapshot(self) -> Snapshot:
        """Return the moment, to be restored while this match goes on from it."""
        report = self.report
        seats = len(self.binder.players)
        said = report.mark(), report.statement, report.actor
        return Snapshot(self.state.mark(), *said, seats, self.unread, tuple(self.made))

    def restore(self, snapshot: Snapshot, *, told: bool = False) -> None:
        """Go back to a moment; with ``told`` what was found since then stays told."""
        self.state.undo(snapshot.state)
        report = self.report
        if not told:
            report.undo(snapshot.report)
        report.statement, report.actor = snapshot.statement, snapshot.actor
        self.binder.keep_players(snapshot.seats)
        self.unread = snapshot.unread
        self.made = list(snapshot.made)

    # ------------------------------------------------------------ turns

    def begin(self, heading: Statement) -> None:
        """Begin a turn; one whose heading cannot be read is that of the player who is next."""
        state = self.state
        if not state.watched:
            state.attribute(state, "watched", True)
        self.play(heading, Phase.HEADING)
        if state.overdue:
            state.attribute(state, "overdue", ())
        if self.unread:
            self.guarded(heading, self.assume_turn, heading)

    def assume_turn(self, heading: Statement | None = None) -> None:
        """Begin the turn that comes next, where its heading is missing or cannot be read.

        Raises:
            Stop: where no turn can begin.

        """
        from altay_cli.match.judging import Judge

        items = heading.items[1:] if heading is not None else ()
        named = self.binder.player([item for item in items if not item.value])
        player = named or self.state.status("next")
        move = next((move for move in self.pack.moves if move.heading), None)
        if move is None or (player is None and move.actor is not None):
            raise Stop(whole_game=False)
        values: Values = {"me": player, "asked": {}}
        for slot in move.slots.values():
            values[slot.name] = self.state.round if slot.shape is Shape.INT else player
        self.unread = False
        reading = Reading(Candidate(move), MoveValues(values, move, self.state), [])
        muted, self.report.muted = self.report.muted, True
        try:
            self.resolver.settle(reading)
            if Judge(self, faulty=True).requires(reading):
                with suppress(Halted):
                    move.does.fn(self.state, reading.values)
        finally:
            self.report.muted = muted

    # ------------------------------------------------------------ one statement

    def play(self, statement: Statement, phase: Phase) -> None:
        """Judge a statement and carry it out.

        Raises:
        Stop: where the rest of the section or game cannot be judged, or need not be.

        """
        report = self.report
        if report.is_full or (
            self.trial is not None and not report.muted and self.trial.is_over(report.errors)
        ):
            raise Stop(whole_game=True, why=Why.ASKED)
        self.made = []
        self.claimed = False
        # What a statement that could not be read may have mended is not a breach of the next turn.
        mended = self.unread and phase is Phase.HEADING
        self.unread = False
        mark, course = self.state.mark(), self.course
        while course and course[-1][0] >= mark:
            course.pop()
        course.append((mark, statement))
        self.guarded(statement, self._play, statement, phase, mended)

    def carry_out(self, statement: Statement, phase: Phase) -> None:
        """Judge a statement and carry it out without a word."""
        report = self.report
        told = report.mark()
        report.muted = True
        try:
            self.play(statement, phase)
        finally:
            report.muted = False
            report.undo(told)  # a rule that fails is told in spite of it

    def guarded(
        self,
        place: Statement,
        action: Callable[[*_Given], object],
        *given: *_Given,
        told: bool = False,
    ) -> None:
        """Carry out what the rules say; report if they cannot be applied.

        That is not said where a breach tells why, or ``told`` says that a slip does.
        """
        self.report.statement = place
        mark, errors = self.state.mark(), self.report.errors
        try:
            self.state.grant()
            self.state.charge(READING_STEPS)
            action(*given)
        except ExpressionError as error:
            self.state.undo(mark)
            self.report.muted = False
            if isinstance(error, UnrecordedError):
                # Nothing is wrong, and what follows from the statement cannot be told.
                if self.report.errors == errors:
                    self.report.hangs(error.message)
                raise Stop(whole_game=True) from error
            endless = isinstance(error, BudgetError)
            if isinstance(error, BudgetError) and error.code == UNDECIDED:
                self.report.hangs(error.message)
            elif endless or not (told or self.report.errors > errors):
                message = Text(
                    "the rules cannot be applied here: {reason}", reason=reason(error, self.pack)
                )
                rule = "rule-budget" if endless else "rule-failure"
                self.report.add(rule, Severity.ERROR, message, place.span())
            if endless:
                # The next statement would take as long, and find out no more.
                raise Stop(whole_game=True) from error

    def lose(self) -> None:
        """Forget what was due: a statement that could not be read may have been the answer."""
        self.unread = True
        if self.state.pending:
            self.state.attribute(self.state, "overdue", self.state.pending)
            self.state.attribute(self.state, "pending", ())

    def go_on(self, move: MoveDef, *, calm: bool = False) -> None:
        """Carry out what follows by itself from a move after which no answer is due.

        ``calm`` says that no trigger held before it: only those that it can set off are looked at.
        """
        state = self.state
        over = self.pack.status.get("turn_over")
        if over is not None and not move.heading and over.fn(state, {}):
            calm = False
            for stage in self.pack.complete:
                if Phase.TURNS in stage.phases:
                    with suppress(Halted):
                        stage.does.fn(state, {})
        follow = self.pack.followers[move.number if calm else -1]
        calm = follow is None or follow(state)
        state.remember(first=move.heading)
        state.calm = state.mark() if calm else NEVER

    # ------------------------------------------------------------ the way of nearly all statements

    def _play(self, statement: Statement, phase: Phase, mended: bool) -> None:
        binding = self.binder.bind(statement.phrase, phase)
        actor = self._who(statement)
        self.report.actor = actor
        for error in binding.errors:
            if phase is not Phase.HEADING or error.rule.startswith("unknown"):
                self.report.unreadable(error)
        self.claimed = binding.claims
        if self._happened(statement, binding, actor):
            self.claimed = True
            return
        if self.state.pending and not self.claimed:
            actor = self._who(statement)
            self.report.actor = actor
        if self.claimed:
            if binding.readings and not binding.errors:
                self._claim(statement, binding.readings, actor)
            return
        if not binding.readings:
            self.lose()
            return
        readings = self._fitting(statement, binding.readings, actor)
        # A watcher is told of each move before it is made, which takes it step by step.
        watched = self.watcher is not None and self.trial is None
        faulty = bool(binding.errors)
        before, self.state.sized = self.snapshot() if self.state.hidden.varies else None, False
        if faulty or watched or not self._made(statement, readings, actor):
            self._judge(statement, readings, actor, faulty=faulty, mended=mended)
        elif before is not None and self.state.sized:
            varying = self.state.hidden.varying()
            if varying and prod(len(sizes) for _, sizes in varying) <= FEW:
                self.restore(before)
                self._judge(statement, readings, actor, faulty=faulty, mended=mended)

    def _happened(self, statement: Statement, binding: Binding, actor: Entity | None) -> bool:
        """Tell whether a statement says what happened without a question, and nothing else.

        Answers that nobody need write down are given before.
        """
        state, readings = self.state, () if binding.errors else binding.readings
        if state.forced and says_what_happened(self, statement, readings, actor):
            return True
        if not state.pending or state.complete or self.claimed:
            return False
        return self.unwritten.give(statement, binding.readings, actor)

    def would_be_legal(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> bool:
        """Carry out what a statement says if that is legal; it may have been carried out if not.

        Raises:
            Stop: where the rest of the section or game cannot be judged.

        """
        errors = self.report.errors
        readings = self._fitting(statement, readings, actor)
        if not self._made(statement, readings, actor):
            self._judge(statement, readings, actor, faulty=False, mended=False)
        return self.report.errors == errors

    def _judge(
        self,
        statement: Statement,
        readings: Sequence[Candidate],
        actor: Entity | None,
        *,
        faulty: bool,
        mended: bool,
    ) -> None:
        """Judge a statement condition by condition, under suppositions about what is hidden."""
        from altay_cli.match.judging import Judge

        def judge() -> None:
            Judge(self, faulty=faulty, mended=mended).judge(statement, readings, actor)

        watched = self.watcher is not None and self.trial is None
        varying = self.state.hidden.varying()
        make = (lambda: False) if faulty else partial(self._made, statement, readings, actor)
        if varying and self._fitted(make, judge, varying) and not watched:
            return
        self.guarded(statement, judge, told=faulty)

    def _fitted(
        self,
        make: Callable[[], bool],
        judge: Callable[[], None],
        varying: Sequence[tuple[Group, Sequence[int]]],
    ) -> bool:
        """Make a move if it is legal with some of what can be hidden in the zones of some groups.

        What nobody recorded is supposed no further than that: with some of it gone, what the log
        says later could not be any more. With a watcher, who is told of the move before it is made,
        it is only supposed.

        Raises:
            UnrecordedError: if nothing can be supposed with which it is legal in any case.

        """
        state, report, before = self.state, self.report, self.snapshot()
        statement = report.statement

        def fits(supposed: Iterable[tuple[Group, Container[int]]]) -> bool:
            self.restore(before)
            for group, sizes in supposed:
                state.hidden.assume(group, sizes)
            supposing = self.snapshot()
            watcher, self.watcher = self.watcher, None
            before_that, report.supposing = report.supposing, True
            try:
                made = make()
                # One that is muted counts no errors.
                if not made and not report.muted and statement is not None:
                    self.guarded(statement, judge)
                    made = report.errors == before.report.errors
            finally:
                self.watcher, report.supposing = watcher, before_that
            if not made:
                self.restore(before)
            elif watcher is not None:
                self.restore(supposing)
            return made

        state.sized = False
        legal = fits(())
        if legal and not (state.sized and prod(len(sizes) for _, sizes in varying) <= FEW):
            return True
        groups = [group for group, _ in varying]
        every = [tuple(zip(groups, some, strict=True)) for some in islice(
            product(*(sizes for _, sizes in varying)), MAX_SUPPOSED + 1)]  # fmt: skip
        if len(every) > MAX_SUPPOSED:
            every = [((group, one),) for group, sizes in varying for one in sizes]
        some = [one for one in every if fits((group, {size}) for group, size in one)]
        if len(some) in {0, len(every)}:
            return fits(()) if legal or some else False
        kept: dict[Group, set[int]] = {}
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

    def _who(self, statement: Statement) -> Entity | None:
        """Return who acts: the one named, else the one whose turn it is."""
        if not statement.actor:
            active: Entity | None = self.state.status("active")
            return active
        return self.binder.player(statement.actor)

    def _claim(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> None:
        """Hold what a log says of the state against it; where that was hidden, it is known now."""
        if statement.actor and actor is None:
            self.report.unknown_player(statement)
            return
        from altay_cli.match.expecting import Claims

        claims, before = Claims(self.state, self.report, self.resolver), self.snapshot()
        claims.judge(statement, readings, actor)
        if self.report.errors > before.report.errors and self.state.due and not self.state.complete:
            # It may be said behind answers that nobody wrote down.
            self.restore(before)
            self.unwritten.give(None, (), None)
            claims.judge(statement, readings, actor)
            if self.report.errors > before.report.errors:
                self.restore(before)
                claims.judge(statement, readings, actor)

    def _fitting(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> Sequence[Candidate]:
        """Return the readings that can be meant now, where a word is an action and an answer.

        It is an answer where that decision is due, or was passed over by the one who is named.
        """
        if len(readings) == 1 or len({parsed.move.answers for parsed in readings}) == 1:
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
        """Make the legal moves that a statement can only mean; else change nothing.

        What this leaves, a ``Judge`` explains.
        """
        state, report = self.state, self.report
        named = bool(statement.phrase.actor)
        if (named and actor is None) or state.overdue or not self.pack.makers:
            return False
        times = readings[0].repetitions
        if len(readings) > 1 and any(parsed.repetitions != times for parsed in readings):
            return False
        mark, told, acting, made = state.mark(), report.mark(), report.actor, len(self.made)
        try:
            for number in range(times):
                if not self._make(readings, actor, number, named=named):
                    break
            else:
                return True
        except BudgetError:
            report.undo(told)
            raise
        except ExpressionError:
            pass
        state.undo(mark)
        report.undo(told)
        report.actor = acting
        del self.made[made:]
        state.grant()
        return False

    def _make(
        self, readings: Sequence[Candidate], actor: Entity | None, number: int, *, named: bool
    ) -> bool:
        """Make one of the moves that a statement stands for if it is plain and legal.

        ``named`` says that the statement names who acts. If it returns False, or raises what the
        evaluation of expressions does, things may have changed.
        """
        state, report, pack = self.state, self.report, self.pack
        mark, pending = state.mark(), state.due
        if pending is not None and pending.who is not actor and not named:
            actor = pending.who
        chosen = self._meant(readings, actor, pending, number)
        if chosen is None:
            return False
        move, values = chosen.parsed.move, chosen.values
        if pending is not None:
            answered(state, values, move.gives)
        report.actor = values[move.actor] if move.actor is not None else actor
        report.move = move
        if state.forced:
            state.attribute(state, "forced", ())
        try:
            made = pack.makers[move.number](state, values)
            if made == LEGAL and state.pending:
                resume(state)
        except Halted:
            # What ends in the middle has not been held to what comes behind it.
            made = UNCLEAR if move.looks_back else LEGAL
        if made != LEGAL:
            return False
        if not state.pending and report.phase is Phase.TURNS:
            self.go_on(move, calm=mark == state.calm)
        self.made.append(chosen)
        return True

    def _meant(
        self,
        readings: Sequence[Candidate],
        actor: Entity | None,
        pending: Pending | None,
        number: int,
    ) -> Reading | None:
        """Return the only move that number ``number`` of a statement can mean, if that is plain."""
        base: Values = {"me": actor, "asked": pending.values if pending else {}}
        decision = pending.decision if pending else None
        if pending is not None and pending.who is not actor:
            return None
        chosen: Reading | None = None
        for parsed in readings:
            move = parsed.move
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
                chosen = Reading(parsed, values, [])
        return chosen

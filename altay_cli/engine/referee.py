"""The referee: reads a recorded game move by move and reports what the rules forbid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from altay_cli.engine.binding import MAX_CHOICES, Binder, Parsed, bad_player_name, player_name
from altay_cli.engine.claims import Claims
from altay_cli.engine.readings import Named, Reading, Resolver, rank
from altay_cli.engine.reporting import Gap, Report, Stop, Why, explained, misplaced
from altay_cli.engine.state import NEVER, State, Values
from altay_cli.engine.waiting import Halted, Pending, answered, resume
from altay_cli.expressions import EVALUATION_ERRORS, Account, BudgetError
from altay_cli.findings import Finding, Related, Severity
from altay_cli.notation import GameRecord, Section, SectionKind, Statement
from altay_cli.pack.faults import reason
from altay_cli.pack.model import LEGAL, UNCLEAR, Check, MoveDef, Pack, Requirement, Trigger
from altay_cli.records import Record
from altay_cli.values import Bag, Entity

if TYPE_CHECKING:
    from altay_cli.engine.hidden import Group
    from altay_cli.engine.recovery import Recovery

GAME_STEPS = 6_000_000
STATEMENT_STEPS = 20_000
"""What a game may take, all in all: so much, and more for each statement.

A statement of rules that make sense takes some hundreds of steps. Most of this is for finding out
how to go on after slips, which leaves two thirds of it to the game itself.
"""

READING_STEPS = 300
"""What it costs to read a statement, whatever the rules do with it."""

MAX_BREACHES = 20
"""After so many breaches in one list, the rest of the list is left out."""

EXPLAINING_STEPS = 2_000_000
EXPLAINING_STATEMENT_STEPS = 80_000
EXPLAINING_SECONDS = 1.0
EXPLAINING_STATEMENT_SECONDS = 0.02
"""What finding out may take, but no more than two thirds of what is left for the file."""

LEAST_ERRORS = 2
"""With so many errors it is looked whether a statement was left out."""

MAX_SINCE = 300
"""How many statements are gone back over to find the one since which something does not hold."""

PATIENCE = 100
"""After so many findings of a game, what would have been legal is no longer looked for."""

COMPLETE = "complete"
"""The value of the tag `Recorded` that demands that everything is written down."""

_PHASES = {
    SectionKind.SETUP: "setup",
    SectionKind.POSITION: "position",
    SectionKind.TURN: "turns",
}


class Played(Record, frozen=False):
    """A game as far as the log tells it: the last state and what was found on the way.

    ``moves`` counts the statements of turns; ``abandoned`` says that there were so many findings
    that the rest was not judged. ``judged`` is false where something else could not be judged.
    """

    state: State
    findings: list[Finding]
    abandoned: bool
    moves: int
    judged: bool = True
    gaps: Sequence[Gap] = ()
    """What came and was not written down."""

    @property
    def ended(self) -> bool:
        """Whether the rules say that the game is over."""
        return self.state.ended

    @property
    def rounds(self) -> int:
        """The number of the last round."""
        return self.state.round


class Watcher(Protocol):
    """Is told how a game goes on; what is only tried out is not told."""

    def before(self, statement: Statement) -> None:
        """Take note that a heading or statement of the turns comes next, and all before is done."""

    def making(self, reading: Reading) -> None:
        """Take note that a move is about to be carried out.

        After a slip that may be told several times for one statement; ``Referee.made`` then says
        what the statement was taken for in the end.
        """


def play(
    pack: Pack,
    options: Mapping[str, str],
    record: GameRecord,
    language: str = "en",
    watch: Callable[[GameRecord, Referee], None] | None = None,
    account: Account | None = None,
    *,
    complete: bool = False,
) -> Played:
    """Play a recorded game through and report every move that the rules forbid.

    ``options`` are the values of all options of the pack. ``watch`` is given the record and the
    referee before the game begins. ``account`` is what the game may take of the budget of its
    file. ``complete`` says that everything must be written down. Raises nothing, whatever the log
    is.
    """
    referee = Referee(pack, options, language, account)
    referee.state.complete = complete
    if watch is not None:
        watch(record, referee)
    played = referee.run(record)
    if watch is None:
        played = _explained(referee, played, record, account)
        _tell_conflicts(referee, played, record, account)
        played.state.forget()
    return played


def _tell_conflicts(
    referee: Referee, played: Played, record: GameRecord, account: Account | None
) -> None:
    """Add to findings that contradict other lines of the log which these are."""
    doubts = referee.report.doubts
    if not doubts:
        return
    from altay_cli.engine.conflict import MAX_EXPLAINED, Conflict

    steps = EXPLAINING_STEPS + EXPLAINING_STATEMENT_STEPS * record.size
    if account is not None:
        steps = min(steps, account.left // 2)
    own = Account(steps, "this game", within=account)
    conflict = Conflict(referee.pack, referee.state.options, record, own)
    left = MAX_EXPLAINED
    for number, finding in enumerate(played.findings):
        doubt = doubts.get(finding.span.line)
        if doubt is None or finding.severity is not Severity.ERROR or not left:
            continue
        left -= 1
        told = conflict.help_lines(finding, doubt)
        played.findings[number] = finding._replace(help=(*finding.help, *told))


def _explained(
    referee: Referee, played: Played, record: GameRecord, account: Account | None
) -> Played:
    """Return a game as it was played, or where one slip of another kind explains it, with that.

    That is a statement that was left out, or two that were exchanged.
    """
    errors = _errors(played)
    if len(errors) < LEAST_ERRORS or played.abandoned or not played.judged:
        return played
    from altay_cli.engine.omission import drawn_names, exchanged, left_out

    steps = EXPLAINING_STEPS + EXPLAINING_STATEMENT_STEPS * record.size
    if account is not None:
        steps = min(steps, account.left * 2 // 3)
    seconds = EXPLAINING_SECONDS + EXPLAINING_STATEMENT_SECONDS * record.size
    own = Account(steps, "this game", seconds=seconds, within=account)
    pack, options = referee.pack, referee.state.options
    best, least = played, 2 * (len(errors) - 1)

    def tried(told: Finding, other: GameRecord, assumed: Statement | None = None) -> list[Finding]:
        """Play the game otherwise, and take that if fewer errors are left; return them.

        Of those with as few, one that tells what came with the statement ``assumed`` is better.
        """
        nonlocal best, least
        again = Referee(pack, options, referee.state.language, own)
        again.state.complete = referee.state.complete
        again.assumed = assumed
        better = again.run(other)
        left = _errors(better)
        cost = 2 * len(left) + (again.state.hidden.used and not referee.report.gaps)
        # What was not read to its end, because that took too much, explains nothing.
        cut = any(found.rule in {"rule-budget", "rule-failure"} for found in left)
        if cost < least and better.judged and not cut:
            better.findings.append(told)
            better.moves -= assumed is not None
            better.state.account = account
            best, least = better, cost
        return left

    for other, behind in exchanged(record, errors):
        tried(misplaced(errors[0], behind), other)
        if not least:
            return best
    for others in (False, True):
        search = Account(own.left // 3, "this game", within=own)
        omitted = left_out(pack, options, record, errors, search, others=others)
        for omission in omitted:
            told = explained(errors[0], omission.before, omission.statement.text)
            left = tried(told, omission.restored(record), omission.statement)
            for possible in omission.drawing(drawn_names(pack, omission.statement, left)):
                if not least:
                    return best
                told = explained(errors[0], possible.before, possible.statement.text)
                tried(told, possible.restored(record), possible.statement)
        if best is not played:
            break
    return best


def _errors(played: Played) -> list[Finding]:
    """Return the errors of a game in the order of the log."""
    found = [found for found in played.findings if found.severity is Severity.ERROR]
    return sorted(found, key=lambda one: one.span)


class Referee:
    """Plays one game on ``state``; ``report`` holds the findings so far."""

    def __init__(
        self,
        pack: Pack,
        options: Mapping[str, str],
        language: str = "en",
        account: Account | None = None,
    ) -> None:
        self.pack = pack
        self.state = State(pack, options, language)
        self._account = account
        self.report = Report(self.state)
        self.binder = Binder(pack)
        self.resolver = Resolver(self.state, self.binder)
        self.moves = 0
        self.made: list[Reading] = []
        """The moves that the last statement was taken for."""
        self.unread = False
        """Whether the last statement could not be read."""
        self.trying: int | None = None
        """While it is tried how to go on after a slip: with so many errors that has failed."""
        self.recovers = True
        """Whether it is found out how to go on best after a slip."""
        self.watcher: Watcher | None = None
        self.assumed: Statement | None = None
        """A statement that the log does not have: nothing is told of it."""
        self._until: Statement | None = None
        self._recovery: Recovery | None = None
        self._claimed = False
        """Whether the last statement only said what the state is."""
        self._mended = False
        self._faulty = False
        self._course: list[tuple[int, Statement]] = []
        self._breaches = 0
        self._judged = True
        self._begun: set[int] = set()
        self._unseated: Finding | None = None

    # ------------------------------------------------------------ a whole game

    def run(self, record: GameRecord, until: Statement | None = None) -> Played:
        """Play all sections of a game, up to the heading or statement ``until`` of a turn.

        What stands behind that is not played, and helps to recover from slips before it.
        """
        self._until = until
        recorded = record.tag("Recorded")
        if recorded is not None and recorded.value.strip().casefold() == COMPLETE:
            self.state.complete = True
        steps = GAME_STEPS + STATEMENT_STEPS * record.size
        self.state.account = Account(steps, "this game", within=self._account)
        opened = False
        laid_out = False
        left: int | None = None
        for number, section in enumerate(record.sections):
            phase = _PHASES.get(section.kind)
            if phase is None:
                continue
            opened = True
            if phase != "turns":
                # The notation reports a second setup or position; what it says is not carried out.
                if laid_out:
                    self._judged = False
                    continue
                laid_out = True
            if phase == "turns" and not self.state.players:
                left = number
                break
            told = len(self.report.findings)
            try:
                self._begun.clear()
                if phase == "turns":
                    self._turn(record.sections, number)
                else:
                    self._lay_out(section, phase)
            except Stop as stop:
                rest = [s for s in section.statements if id(s) not in self._begun]
                self._leave_out(rest, record.sections[number + 1 :], stop, told)
                if stop.whole_game:
                    break
        if not opened:
            self.report.add(
                "no-moves", Severity.ERROR, "the game has no setup and no turns", record.span
            )
        elif not self.state.players:
            message = "nobody has a seat: a game begins with `setup` or `position`"
            told = len(self.report.findings)
            self.report.add("no-players", Severity.ERROR, message, record.span)
            if left is not None:
                self._leave_out([], record.sections[left:], Stop(whole_game=True), told)
        # What is asked when the game has been read may take its time, whatever reading it took.
        self.state.account = self._account
        with suppress(BudgetError):
            self.state.grant()
        fault = self.state.status_fault()
        if fault is not None:
            message = f"the rules cannot tell how the game stands: {fault}"
            self.report.add("rule-failure", Severity.ERROR, message, record.span)
        self._tell_gaps(record)
        return Played(
            self.state,
            self.report.findings,
            self.report.is_full,
            self.moves,
            self._judged,
            tuple(self.report.gaps),
        )

    def _tell_gaps(self, record: GameRecord) -> None:
        """Say in one note what was not written down."""
        gaps = self.report.gaps
        if not gaps:
            return
        players = len({gap.player for gap in gaps if gap.player is not None})
        draws = f"{len(gaps):,} {'draw' if len(gaps) == 1 else 'draws'}"
        whose = f" of {players} {'player' if players == 1 else 'players'}" if players else ""
        message = f"{draws}{whose} {'is' if len(gaps) == 1 else 'are'} not recorded"
        told = "what they can have been is judged; `--strict` demands that they are written down"
        self.report.phase, self.report.actor = "", None
        self.report.add("unrecorded", Severity.NOTE, message, record.span, help_lines=(told,))

    def _leave_out(
        self, rest: list[Statement], behind: Sequence[Section], stop: Stop, told: int
    ) -> None:
        """Tell what is not judged: the rest of a section, or of the game, with what is behind.

        What was found since the section began, from number ``told`` on, holds the cause.
        """
        if stop.why is Why.ASKED:
            return
        for section in behind if stop.whole_game else ():
            if section.kind in _PHASES:
                rest += [section.heading, *section.statements]
        if rest:
            self._judged = self._judged and stop.why is Why.FORBIDDEN
            self.report.left_out(rest, told, self._unseated)

    def _lay_out(self, section: Section, phase: str) -> None:
        """Carry out the statements of a setup or position in the order of the rules."""
        self.report.phase = phase
        ordered: dict[int, list[Statement]] = {}
        statements, turn = self._split(section.statements, phase)
        for statement in statements:
            order = self.binder.order(statement.phrase, phase)
            ordered.setdefault(order, []).append(statement)
        stages = [stage for stage in self.pack.prepare if phase in stage.phases]
        for order in sorted({*ordered, *(stage.order for stage in stages)}):
            for statement in ordered.get(order, ()):
                self.unread = False
                self._begun.add(id(statement))
                self.play(statement, phase)
                if self.unread:
                    self._open(statement, phase)
            for stage in stages:
                if stage.order == order:
                    self._guarded(section.heading, lambda does=stage.does: does.fn(self.state, {}))
        self._close(section, phase)
        if self._unseated is not None:
            # Whose turn it is would be guessed from here on.
            raise Stop(whole_game=True)
        if turn:
            self._stray_turn(turn, phase)

    def _split(
        self, statements: Sequence[Statement], phase: str
    ) -> tuple[Sequence[Statement], Sequence[Statement]]:
        """Split off a whole turn whose heading is missing behind a setup or position."""
        for number, statement in enumerate(statements):
            if self.binder.is_of_turn(statement.phrase, phase):
                if self._closes(statements[number:]):
                    return statements[:number], statements[number:]
                break
        return statements, ()

    def _stray_turn(self, statements: Sequence[Statement], phase: str) -> None:
        """Read statements behind a setup as the first turn; that its heading is missing is told."""
        self.report.statement = statements[0]
        for error in self.binder.bind(statements[0].phrase, phase).errors:
            self.report.unreadable(error)
        self.report.phase = "turns"
        self._guarded(statements[0], lambda: self._assume_turn(None))
        for statement in statements:
            self._begun.add(id(statement))
            if self.watcher is not None:
                self.watcher.before(statement)
            self.play(statement, "turns")
            self.moves += 1

    def _open(self, statement: Statement, phase: str) -> None:
        """Carry out what the rules say is open after a statement that could not be read."""
        if self._unseated is None and self.binder.seats(statement.phrase, phase):
            self._unseated = self.report.findings[-1] if self.report.findings else None
        effects = self.binder.unread(statement.phrase, phase)
        actor = self.report.actor
        if effects is not None and (actor is not None or not statement.actor):
            self.report.muted = True
            self._guarded(statement, lambda: effects.fn(self.state, {"me": actor}))
            self.report.muted = False

    def _close(self, section: Section, phase: str) -> None:
        """Check what must hold when a section is complete."""
        self.report.actor = None
        for check in self.pack.checks:
            if phase in check.after:
                self._guarded(section.heading, lambda check=check: self._check(check, section))
        for stage in self.pack.complete:
            if phase in stage.phases:
                self._guarded(section.heading, lambda does=stage.does: does.fn(self.state, {}))

    def _check(self, check: Check, section: Section) -> None:
        state = self.state
        values: list[Values] = [{}]
        if check.each is not None:
            name, items = check.each
            values = [{name: item} for item in items.fn(state, {})]
        for inner in values:
            if not check.that.fn(state, inner):
                self._place(check, section, inner)
                self.report.say(check.text, inner, None)
                self.report.muted = True
                check.does.fn(self.state, inner)
                self.report.muted = False
                if check.otherwise == "over":
                    raise Stop(whole_game=True)

    def _place(self, check: Check, section: Section, values: Values) -> None:
        """Set where a finding of a check stands: at the last statement of the kind that it names.

        A check of each player stands at a statement of the player that it is about.
        """
        about = [v for v in values.values() if isinstance(v, Entity) and v.kind == "player"]
        self.report.actor = about[0] if about else None
        self.report.statement = section.heading
        for statement in section.statements:
            if statement.items and statement.items[0].text.casefold() == check.at:
                who = self.binder.player(statement.actor) if statement.actor else None
                if not about or who is about[0]:
                    self.report.statement = statement

    def _guarded(self, place: Statement, action: Any, *, told: bool = False) -> None:
        """Carry out what the rules say; where they cannot be applied, say so.

        That is not said where a breach tells why, or ``told`` says that a slip does.
        """
        self.report.statement = place
        mark, errors = self.state.mark(), self.report.errors
        try:
            self.state.grant()
            self.state.charge(READING_STEPS)
            action()
        except EVALUATION_ERRORS as error:
            self.state.undo(mark)
            self.report.muted = False
            endless = isinstance(error, BudgetError)
            if endless or not (told or self.report.errors > errors):
                message = f"the rules cannot be applied here: {reason(error, self.pack)}"
                rule = "rule-budget" if endless else "rule-failure"
                self.report.add(rule, Severity.ERROR, message, place.span())
            if endless:
                # The next statement would take as long, and find out no more.
                raise Stop(whole_game=True) from error

    def _turn(self, sections: Sequence[Section], which: int) -> None:
        """Read one of the sections of a game; those behind it help to recover from slips."""
        self.report.phase = "turns"
        heading = sections[which].heading
        self._stop_at(heading)
        before = self.unread
        self.unread = False
        mark, errors = self.state.mark(), self.report.errors
        self.begin(heading, unread=before)
        if self.report.errors > errors:
            self._recover(heading, "heading", mark, partial(self._ahead, sections, which, 0))
        self._statements(sections, which, 0)

    def _statements(self, sections: Sequence[Section], which: int, first: int) -> None:
        """Read the statements of a section from number ``first`` on."""
        statements = sections[which].statements
        for number in range(first, len(statements)):
            statement = statements[number]
            self._stop_at(statement)
            ahead = partial(self._ahead, sections, which, number + 1)
            self.unread = False
            mark, errors = self.state.mark(), self.report.errors
            try:
                if statement is self.assumed:
                    self._assume(statement)
                    continue
                self.play(statement, "turns")
                if self._claimed:
                    continue
                if self.report.errors > errors:
                    self._recover(statement, "turns", mark, ahead)
            except Stop as stop:
                # Where a whole turn follows without its heading, that is the slip.
                if stop.whole_game or not self._lacks_heading(sections, which, number):
                    raise
                self._guarded(statement, lambda: self._assume_turn(None))
                self.play(statement, "turns")
            self.moves += 1

    def _assume(self, statement: Statement) -> None:
        """Carry out a statement without a word."""
        told = self.report.mark()
        self.report.muted = True
        self.play(statement, "turns")
        self.report.muted = False
        self.report.undo(told)

    def _stop_at(self, statement: Statement) -> None:
        """Leave out the rest of the game where that has been asked for."""
        if self.trying is not None:
            return
        if statement is self._until:
            raise Stop(whole_game=True, why=Why.ASKED)
        self._begun.add(id(statement))
        if self.watcher is not None:
            self.watcher.before(statement)

    def _lacks_heading(self, sections: Sequence[Section], which: int, number: int) -> bool:
        """Tell whether a statement that may not stand where it does begins a turn of its own."""
        statements = sections[which].statements
        if self._closes(statements[number + 1 :]):
            return True
        if self.trying is not None or not self._closes(statements[number : number + 1]):
            return False
        # Either a turn that is nothing but its end, or an end too many: what follows tells.
        return self._recovering().begins_turn(
            statements[number],
            partial(self._ahead, sections, which, number + 1),
            partial(self._ahead, sections, which + 1, 0, headed=True),
        )

    def _recovering(self) -> Recovery:
        """Return what finds out how to go on; made when it is needed for the first time."""
        if self._recovery is None:
            from altay_cli.engine.recovery import Recovery

            self._recovery = Recovery(self)
        return self._recovery

    def _recover(
        self, statement: Statement, phase: str, mark: int, ahead: Callable[[], None]
    ) -> None:
        """Find out how to go on best after a statement with errors."""
        if self.trying is None and self.recovers and not self._recovering().is_over:
            moves = self.moves
            self._recovering().recover(statement, phase, mark, ahead)
            self.moves = moves

    def _ahead(
        self, sections: Sequence[Section], which: int, first: int, *, headed: bool = False
    ) -> None:
        """Read what follows in a section, and the sections behind it.

        ``headed`` says that the section is read with its heading.
        """
        for number in range(which, len(sections)):
            if sections[number].kind is not SectionKind.TURN:
                return
            try:
                if number > which or headed:
                    self._turn(sections, number)
                else:
                    self._statements(sections, number, first)
            except Stop as stop:
                if stop.whole_game:
                    return

    def assume_turn(self) -> None:
        """Begin the turn that comes next, where its heading is missing."""
        self._assume_turn(None)

    def begin(self, heading: Statement, *, unread: bool = False) -> None:
        """Begin a turn; one whose heading cannot be read is that of the player who is next."""
        state = self.state
        if not state.watched:
            state.attribute(state, "watched", True)
        self.play(heading, "heading", unread=unread)
        if state.overdue:
            state.attribute(state, "overdue", ())
        if self.unread:
            self._guarded(heading, lambda: self._assume_turn(heading))
        self.unread = False

    def _closes(self, statements: Sequence[Statement]) -> bool:
        """Tell whether a turn is ended by one of the statements."""
        return any(self.binder.closes(statement.phrase) for statement in statements)

    def _assume_turn(self, heading: Statement | None) -> None:
        """Begin the turn that comes next, where its heading is missing or cannot be read."""
        items = heading.items[1:] if heading is not None else ()
        named = self.binder.player([item for item in items if not item.value])
        player = named or self.state.status("next")
        move = next((move for move in self.pack.moves if move.heading), None)
        if move is None or (player is None and move.actor is not None):
            raise Stop(whole_game=False)
        values: Values = {"me": player, "asked": {}}
        for slot in move.slots.values():
            values[slot.name] = self.state.round if slot.shape == "int" else player
        self.unread = False
        reading = Reading(Parsed(move), Named(values, move, self.state), [])
        self.report.muted = True
        try:
            self.resolver.settle(reading)
            if self._require(reading):
                with suppress(Halted):
                    move.does.fn(self.state, reading.values)
        finally:
            self.report.muted = False

    # ------------------------------------------------------------ one statement

    def play(self, statement: Statement, phase: str, *, unread: bool = False) -> None:
        """Judge a statement and carry it out.

        ``unread`` says that the statement before could not be read, so that what it may have
        mended is no breach.
        """
        if self.report.is_full or self._given_up():
            raise Stop(whole_game=True, why=Why.ASKED)
        self.made = []
        self._claimed = False
        self._faulty = False
        self._breaches = 0
        self._mended = unread
        self._begins(statement)
        self._guarded(statement, lambda: self._play(statement, phase))

    def _begins(self, statement: Statement) -> None:
        """Take note of where the state was before a statement, and forget what was taken back."""
        mark, course = self.state.mark(), self._course
        while course and course[-1][0] >= mark:
            course.pop()
        course.append((mark, statement))

    def _play(self, statement: Statement, phase: str) -> None:
        binding = self.binder.bind(statement.phrase, phase)
        actor = self._who(statement)
        self.report.actor = actor
        for error in binding.errors:
            if phase != "heading" or error.rule.startswith("unknown"):
                self.report.unreadable(error)
            self._faulty = True
        self._claimed = self.binder.is_claim(statement.phrase)
        if self._claimed:
            if binding.readings and not binding.errors:
                self._claim(statement, binding.readings, actor)
            return
        if not binding.readings:
            self._lost()
            return
        readings = self._fitting(statement, binding.readings, actor)
        state = self.state
        # A watcher is told of each move before it is made, which takes it step by step.
        watched = self.watcher is not None and self.trying is None
        if not (binding.errors or watched) and self._made(statement, readings, actor):
            return
        sizes = state.hidden.sizes()
        for so in (None, *sizes) if sizes else ():
            if self._made_so(statement, readings, actor, so):
                if not watched:
                    return
                if so is not None:
                    state.hidden.assume(*so)
                break
        self._guarded(statement, lambda: self._judge(statement, readings, actor), told=self._faulty)

    def _claim(
        self, statement: Statement, readings: Sequence[Parsed], actor: Entity | None
    ) -> None:
        """Hold what a log says of the state against it; where that was hidden, it is known now."""
        if statement.actor and actor is None:
            self._unknown_player(statement)
            return
        claims = Claims(self.state, self.report, self.resolver)
        claims.judge(statement, readings, actor)

    def _fitting(
        self, statement: Statement, readings: Sequence[Parsed], actor: Entity | None
    ) -> Sequence[Parsed]:
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

    def _made(self, statement: Statement, readings: Sequence[Parsed], actor: Entity | None) -> bool:
        """Make the move of a statement that means one legal move; else change nothing.

        This is the way of nearly all statements. What it leaves, ``_judge`` explains.
        """
        state, report = self.state, self.report
        acting = report.actor
        pending = state.due
        if pending is not None and pending.who is not actor and not statement.actor:
            actor = pending.who
        if (statement.actor and actor is None) or state.overdue or not self.pack.makers:
            return False
        mark, told = state.mark(), report.mark()
        try:
            chosen = self._meant(readings, actor, pending)
            if chosen is not None:
                move, values = chosen.parsed.move, chosen.values
                if pending is not None:
                    answered(state, values, move.gives)
                report.actor = values[move.actor] if move.actor is not None else actor
                try:
                    made = self.pack.makers[move.number](state, values)
                    if made == LEGAL and state.pending:
                        resume(state)
                except Halted:
                    # What ends in the middle has not been held to what comes behind it.
                    made = UNCLEAR if move.looks_back else LEGAL
                if made == LEGAL:
                    if not state.pending and report.phase == "turns":
                        calm = mark == state.calm and bool(self.pack.looked_at)
                        self._go_on(move, self.pack.looked_at[move.number] if calm else None)
                    self.made.append(chosen)
                    return True
        except BudgetError:
            report.undo(told)
            raise
        except EVALUATION_ERRORS:
            pass
        state.undo(mark)
        report.undo(told)
        report.actor = acting
        state.grant()
        return False

    def _made_so(
        self,
        statement: Statement,
        readings: Sequence[Parsed],
        actor: Entity | None,
        so: tuple[Group, Bag, int] | None,
    ) -> bool:
        """Make a move if it is legal where a zone holds so and so much of what nobody recorded.

        With a watcher, who is told of it before, it is only told whether that is so.
        """
        state, report, watcher = self.state, self.report, self.watcher
        mark, told, kept = state.mark(), report.mark(), len(self.made)
        faulty, breaches, acting = self._faulty, self._breaches, report.actor
        if so is not None:
            state.hidden.assume(*so)
        self.watcher = None
        made = so is not None and self._made(statement, readings, actor)
        if not made and not report.muted:  # which counts no errors
            self._guarded(statement, lambda: self._judge(statement, readings, actor))
            made = report.errors == told.errors
        self.watcher = watcher
        if not made or watcher is not None:
            state.undo(mark)
            report.undo(told)
            del self.made[kept:]
            self._faulty, self._breaches, report.actor = faulty, breaches, acting
        return made

    def _meant(
        self, readings: Sequence[Parsed], actor: Entity | None, pending: Pending | None
    ) -> Reading | None:
        """Return the only move that a statement can mean, if that is plain."""
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
            values = self.resolver.values(parsed, base)
            if values is None:
                return None
            if move.when is None or move.when.fn(self.state, values):
                if chosen is not None:
                    return None
                chosen = Reading(parsed, values, [])
        return chosen

    def _given_up(self) -> bool:
        """Tell whether reading ahead has come to its end."""
        recovery = self._recovery
        if self.trying is None or recovery is None or self.report.muted:
            return False
        recovery.left -= 1
        return recovery.left < 0 or self.report.errors >= self.trying or recovery.is_over

    def _lost(self) -> None:
        """Forget what was due: the statement that could not be read may have been the answer."""
        self.unread = True
        if self.state.pending:
            self.state.attribute(self.state, "overdue", self.state.pending)
            self.state.attribute(self.state, "pending", ())

    def _who(self, statement: Statement) -> Entity | None:
        """Return who acts: the one named, else the one whose turn it is."""
        if not statement.actor:
            active: Entity | None = self.state.status("active")
            return active
        return self.binder.player(statement.actor)

    def _judge(
        self, statement: Statement, readings: Sequence[Parsed], actor: Entity | None
    ) -> None:
        self.state.calm = NEVER
        if any(parsed.move.introduces for parsed in readings) and statement.actor:
            actor = self._introduce(statement)
            if actor is None:
                self._lost()
                return
        elif statement.actor and actor is None:
            self._unknown_player(statement)
            self._lost()
            return
        pending = self._due(statement, readings, actor) or self._late(readings)
        move = readings[0].move
        if move.answers is not None:
            if pending is None and not self._unasked(move, actor):
                return
            if pending is not None and pending.who is not actor:
                if statement.actor:
                    self.report.say(
                        self.pack.decisions[pending.decision].wrong,
                        {"who": pending.who, "actor": actor, "asked": pending.values},
                        None,
                    )
                    self._faulty = True
                actor = pending.who
        if actor is None and all(p.move.needs_actor and not p.move.heading for p in readings):
            help_lines = (f"begin with the player's name: `Ann: {statement.text[:40]}`",)
            self.report.add(
                "actor-missing", Severity.ERROR, "it is not said who does this",
                statement.span(), help_lines=help_lines,
            )  # fmt: skip
            return
        self.report.actor = actor
        number, times = 0, min(parsed.repetitions for parsed in readings)
        while number < times:
            if number and move.answers is not None:
                pending = self.state.due
                if pending is None or pending.decision != move.answers:
                    self._unasked(move, actor)
                    return
            chosen = self._one(statement, readings, actor, pending, number)
            if self._breaches > MAX_BREACHES:
                return
            times = chosen.parsed.repetitions if chosen is not None else times
            number += 1

    def _unasked(self, move: MoveDef, actor: Entity | None) -> bool:
        """Report an answer that nobody asked for; tell whether what it does is clear."""
        assert move.answers is not None
        if move.unasked is not None and not self._faulty:
            self.report.say(move.unasked, {"me": actor}, None)
        if actor is None or self.pack.decisions[move.answers].values:
            return False
        # The log goes on from it.
        self._faulty = True
        return True

    def _introduce(self, statement: Statement) -> Entity | None:
        """Return the player that a statement names, seated now if that is the first time."""
        player = self.binder.player(statement.actor)
        if player is None:
            error = bad_player_name(statement.actor)
            if error is not None:
                self.report.unreadable(error)
                return None
            player = Entity("player", player_name(statement.actor), len(self.state.players))
            self.state.seat(player)
            self.binder.add_player(player)
        return player

    def _unknown_player(self, statement: Statement) -> None:
        name = player_name(statement.actor)[:40]
        known = ", ".join(player.id for player in self.state.players)
        span = statement.span(statement.actor[0].start, statement.actor[-1].end)
        help_lines = (f"at the table: {known}",) if known else ()
        self.report.add(
            "unknown-player", Severity.ERROR, f"there is no player `{name}`", span,
            help_lines=help_lines,
        )  # fmt: skip

    def _due(
        self, statement: Statement, readings: Sequence[Parsed], actor: Entity | None
    ) -> Pending | None:
        """Return the decision that this statement answers; report one that it ignores."""
        del statement
        pending = self.state.due
        if pending is None:
            return None
        if any(parsed.move.answers == pending.decision for parsed in readings):
            return pending
        values = {"who": pending.who, "actor": actor, "asked": pending.values}
        self.report.say(self.pack.decisions[pending.decision].due, values, None)
        self.state.attribute(self.state, "overdue", self.state.pending)
        self.state.attribute(self.state, "pending", ())
        return None

    def _late(self, readings: Sequence[Parsed]) -> Pending | None:
        """Return a decision that was passed over and that this statement answers late.

        It is reported already, so that its answer is no further mistake.
        """
        late = self.state.late
        if late is None or all(p.move.answers != late.decision for p in readings):
            return None
        self.state.attribute(self.state, "pending", self.state.overdue)
        self.state.attribute(self.state, "overdue", ())
        return late

    def _one(
        self,
        statement: Statement,
        readings: Sequence[Parsed],
        actor: Entity | None,
        pending: Pending | None,
        number: int,
    ) -> Reading | None:
        """Judge one move and carry it out; return it, if there is one."""
        base: Values = {"me": actor, "asked": pending.values if pending else {}}
        chosen = self._choose(statement, readings, base, number)
        if chosen is None:
            return None
        self.resolver.settle(chosen)
        move, values = chosen.parsed.move, chosen.values
        if pending is not None and move.answers == pending.decision:
            answered(self.state, values, move.gives)
        for written, entity in chosen.notes:
            self.report.assumed(written.start, written.end, entity)
        if move.actor is not None:
            actor = values[move.actor]
            self.report.actor = actor
        self.made.append(chosen)
        if self.watcher is not None and self.trying is None:
            self.watcher.making(chosen)
        if self._require(chosen):
            with suppress(Halted):
                move.does.fn(self.state, values)
                resume(self.state)
            if not self.state.pending and self.report.phase == "turns":
                self._go_on(move)
        return chosen

    def _go_on(self, move: MoveDef, triggers: Sequence[Trigger] | None = None) -> None:
        """Carry out what follows by itself from a move that leaves nothing open.

        ``triggers`` are those that can come to hold through it; None for all.
        """
        state = self.state
        over = self.pack.status.get("turn_over")
        if over is not None and not move.heading and over.fn(state, {}):
            triggers = None
            for stage in self.pack.complete:
                if "turn" in stage.phases:
                    with suppress(Halted):
                        stage.does.fn(state, {})
        calm = True
        for trigger in self.pack.triggers if triggers is None else triggers:
            try:
                if state.look(trigger):
                    calm = False
            except Halted:
                calm = False
        state.remember(first=move.heading)
        state.calm = state.mark() if calm else NEVER

    # ------------------------------------------------------------ which reading is meant

    def _choose(
        self, statement: Statement, readings: Sequence[Parsed], base: Values, number: int
    ) -> Reading | None:
        """Return the reading that is meant; a fallback where no move applies."""
        for fallback in (False, True):
            found = [
                applying
                for parsed in readings
                if parsed.move.fallback is fallback
                and (applying := self._applying(parsed, base, number))
            ]
            if len(found) > 1:
                found.sort(key=lambda some: rank(some[0].parsed, legal=self._legal(some)))
            if found:
                return self._pick(found[0])
        message = "no move that is written like this fits here"
        self.report.add("no-such-move", Severity.ERROR, message, statement.span())
        return None

    def _applying(self, parsed: Parsed, base: Values, number: int) -> list[Reading]:
        readings = self.resolver.readings(parsed, base, number)
        return [reading for reading in readings if self.resolver.applies(reading)]

    def _legal(self, readings: Sequence[Reading]) -> bool:
        """Tell whether one of several readings is legal."""
        for reading in readings:
            self._infer(reading, quiet=True)
        return any(map(self.resolver.is_legal, readings))

    def _pick(self, found: list[Reading]) -> Reading:
        if len(found) == 1:
            self._infer(found[0])
            return found[0]
        for reading in found:
            self._infer(reading, quiet=True)
        legal = [reading for reading in found if self.resolver.is_legal(reading)]
        if len(legal) > 1:
            slot, names = self._differing(legal)
            start, end = legal[0].parsed.places.get(slot, (None, None))
            self.report.ambiguous(start, end, names)
        return (legal or found)[0]

    def _differing(self, readings: list[Reading]) -> tuple[str, list[str]]:
        """Return the slot in which readings differ, and what it may be."""
        for slot in readings[0].parsed.slots:
            values = [reading.values.get(slot) for reading in readings]
            names = list(dict.fromkeys(self.state.text(value) for value in values))
            if len(names) > 1:
                return slot, names
        return "", []

    def _infer(self, reading: Reading, *, quiet: bool = False) -> None:
        """Find the values that were left out because only one is possible."""
        for slot in reading.parsed.move.slots.values():
            if slot.infer is None or slot.name in reading.parsed.slots:
                continue
            choices = slot.infer.fn(self.state, reading.values)
            if len(choices) > 1 and slot.unclear is not None and not quiet:
                self.report.say(
                    slot.unclear, {**reading.values, "choices": choices[:MAX_CHOICES]}, None
                )
            reading.values[slot.name] = choices[0] if choices else slot.empty

    # ------------------------------------------------------------ requirements

    def _require(self, reading: Reading) -> bool:
        """Check what the move requires; report the first breach; tell whether to carry it out."""
        carry_out = True
        reported = self._faulty
        for requirement in reading.parsed.move.requires:
            try:
                if self.resolver.holds(requirement, reading):
                    continue
            except EVALUATION_ERRORS as error:
                if isinstance(error, BudgetError) or not reported:
                    raise
                continue  # what has been told is why
            if requirement.text.unrecorded and not self.state.complete:
                if not reported:
                    self.report.open(requirement.text, reading.values)
                raise Stop(whole_game=True)
            self._breaches += 1
            if not reported and not (requirement.before and self._mended):
                self._breach(requirement, reading)
                reported = True
            if requirement.before:
                muted, self.report.muted = self.report.muted, True
                requirement.before.fn(self.state, reading.values)
                self.report.muted = muted
            if requirement.otherwise in {"stop", "over"}:
                raise Stop(whole_game=requirement.otherwise == "over", why=Why.FORBIDDEN)
            if requirement.otherwise == "skip":
                carry_out = False
                break
        return carry_out

    def _breach(self, requirement: Requirement, reading: Reading) -> None:
        place = reading.parsed.places.get(requirement.at) if requirement.at else None
        statement = self.report.statement
        assert statement is not None
        if place is not None and requirement.at is not None:
            place = self._narrow(requirement.at, reading, place)
        text = requirement.text
        help_lines = self.report.help(text, reading.values)
        if requirement.at is not None:
            legal = self._alternatives(requirement.at, reading)
            if legal:
                help_lines.append(f"possible here: {', '.join(legal)}")
        self.report.add(
            text.rule,
            text.severity,
            self.report.render(text.message, reading.values),
            statement.span(*place) if place else statement.span(),
            text.cite,
            tuple(help_lines),
            related=self._since(requirement, reading),
        )

    def _since(self, requirement: Requirement, reading: Reading) -> tuple[Related, ...]:
        """Return the statement since which a requirement does not hold, if it is to be told of.

        The state is taken back statement by statement until it holds, and all is made again.
        """
        told = requirement.text.since
        if told is None or self.trying is not None or len(self.report.findings) > PATIENCE:
            return ()
        state, found = self.state, None
        text = self.report.render(told, reading.values)
        now, taken = state.mark(), []
        for mark, statement in islice(reversed(self._course), MAX_SINCE):
            if mark >= now:
                continue
            taken.append(state.rewind(mark))
            # What the names of the move were in this state; those of now are still needed.
            values = Named(reading.values, reading.parsed.move, state)
            try:
                holds = self.resolver.holds(requirement, Reading(reading.parsed, values, []))
            except EVALUATION_ERRORS:
                break
            if holds:
                found = statement
                break
        for changes in reversed(taken):
            state.replay(changes)
        return () if found is None else (Related(found.span(), text),)

    @staticmethod
    def _narrow(at: str, reading: Reading, place: tuple[int, int]) -> tuple[int, int]:
        """Return the place of the one name that is meant in a list of several moves."""
        if not reading.parsed.move.slots[at].each:
            return place
        flat = [one for one in reading.parsed.slots.get(at, []) for _ in range(one.count)]
        if reading.number >= len(flat):
            return place
        return flat[reading.number].start, flat[reading.number].end

    def _alternatives(self, at: str, reading: Reading) -> list[str]:
        """List the values of a slot with which the move would have been legal."""
        slot = reading.parsed.move.slots[at]
        if slot.domain is None or slot.shape != "entity" or len(self.report.findings) > PATIENCE:
            return []
        found: list[str] = []
        domain = self.resolver.domain(slot, reading.values) or Bag()
        for candidate in domain:
            trial = Reading(reading.parsed, {**reading.values, at: candidate}, [])
            try:
                if self.resolver.applies(trial) and self.resolver.is_legal(trial):
                    found.append(self.state.name(candidate))
            except EVALUATION_ERRORS:
                continue
            if len(found) > MAX_CHOICES:
                return [*found[:MAX_CHOICES], "…"]
        return found


__all__ = ["Played", "Referee", "Stop", "play"]

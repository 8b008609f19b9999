"""The referee: reads a recorded game section by section and reports what the rules forbid."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from altay_cli.base.budget import Account
from altay_cli.base.errors import BudgetError
from altay_cli.base.findings import Finding, Severity
from altay_cli.base.looks import look
from altay_cli.base.text import Text
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.model import Check, Effects, Phase
from altay_cli.match.match import PHASES, Match, Snapshot
from altay_cli.match.reporting import Gap, Mark, Stop, Telling, Why
from altay_cli.match.state import State
from altay_cli.match.unwritten import give_all
from altay_cli.match.waiting import Values
from altay_cli.notation import GameRecord, Section, SectionKind, Statement
from altay_cli.pack.faults import reason

FEWEST_STEPS = 10_000_000
RATES = ((5_000, 200), (16_000, 3_700), (100_000, 350))
ARCHIVE_STEPS = 1_000
"""What a file may take: so much, and more for each character.

Up to so many characters the rates are for each of them; what is longer holds many games, and each
of them is to be judged. A statement of rules that make sense takes some hundreds of steps; games
with much to do on each turn take up to 600 a character. Most of this is for finding out how to go
on after slips, and what explains them. Nobody waits long for a short log; in one that is longer
than a game of several hours not all slips are made anew.
"""

GAME_SHARE = 0.9
"""What one game may take of that."""

MOST_UNREAD = 50
"""Where more statements of a game cannot be read, what is found wrong behind one says nothing."""

LAYING = frozenset({SectionKind.SETUP, SectionKind.POSITION})
"""The sections that lay out a game."""

COMPLETE = "complete"
"""The value of the tag `Recorded` that demands that everything is written down."""


@dataclass(slots=True)
class Played:
    """A game as far as the log tells it: the last state and what was found on the way.

    ``moves`` counts the statements of turns; ``abandoned`` says that there were so many findings
    that the rest was not judged. ``judged`` is false if something else could not be judged.
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


def steps_for(length: int) -> int:
    """Return how many steps a file, or a part of one, with so many characters may take."""
    steps, before = FEWEST_STEPS, 0
    for end, rate in RATES:
        steps += rate * max(min(length, end) - before, 0)
        before = end
    return steps + ARCHIVE_STEPS * max(length - before, 0)


HEADING = -1
"""The number of a heading among the statements of its section."""


class Point(NamedTuple):
    """Where a statement stands: the numbers of its section, and of it there."""

    section: int
    number: int


class Checkpoint(NamedTuple):
    """The moment before a heading or statement of the turns, or before the setup.

    ``number`` counts the headings and statements of turns before it, ``moves`` the moves.
    """

    place: Point
    statement: Statement
    number: int
    moves: int
    judged: bool
    snapshot: Snapshot


class Slip(NamedTuple):
    """A statement of the turns in which something is wrong.

    It has been carried out as the rules say, and what is wrong has been told.
    """

    checkpoint: Checkpoint
    phase: Phase

    @property
    def statement(self) -> Statement:
        """What is wrong."""
        return self.checkpoint.statement

    @property
    def behind(self) -> Point:
        """Where reading goes on."""
        place = self.checkpoint.place
        return place._replace(number=place.number + 1)


class Back(Exception):  # noqa: N818 - no error: reading goes on from there
    """Reading is to go on from an earlier moment."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__()
        self.checkpoint = checkpoint


class Repairing(Protocol):
    """Finds out how to go on best after the slips of one game."""

    def laid_out(self) -> None:
        """Take note that the setup is complete, in which something is wrong.

        Raises:
            Back: where it was found out what was meant.

        """

    def recover(self, slip: Slip) -> None:
        """Go on after a slip; while something is tried, in a way that is known.

        Raises:
            Back: to go on from an earlier moment.

        """

    def begins_turn(self, statement: Statement, own: Point, behind: Point) -> bool:
        """Return whether a statement between two turns is a turn of its own, by what follows."""


class Referee:
    """Reads the sections of one recorded game in a match.

    ``account`` is what the game may take of the budget of its file. ``repairing`` finds out how to
    go on best after a slip; without it, that is what the rules say.

    ``instead`` says, by identity, what is read in the place of a statement, and ``assumed`` which
    of that is not in the log: nothing is told of it. ``checkpoints`` are the moments of the turns.
    """

    def __init__(
        self,
        match: Match,
        account: Account | None = None,
        repairing: Callable[[Referee], Repairing] | None = None,
    ) -> None:
        self.match = match
        self.pack = match.pack
        self.state = match.state
        self.report = match.report
        self.binder = match.binder
        self.moves = 0
        self.sections: Sequence[Section] = ()
        self.instead: dict[int, Sequence[Statement]] = {}
        self.assumed: set[int] = set()
        self.judges_assumed = False
        """Whether it counts if what is not in the log is not legal, while that is tried."""
        self.checkpoints: list[Checkpoint] = []
        self.start: Checkpoint | None = None
        """The moment before the setup."""
        self.two: Checkpoint | None = None
        """The moment before a name first meant what lies openly in two zones."""
        self.granted = 0
        """What the game may take."""
        self._repairing = repairing
        self._account = account
        self._until: Statement | None = None
        self._judged = True
        self._begun: set[int] = set()
        self.unseated: Finding | None = None

    # ------------------------------------------------------------ a whole game

    def run(self, record: GameRecord, until: Statement | None = None) -> Played:
        """Play all sections of a game, up to the heading or statement ``until`` of a turn.

        What stands behind that is not played, and helps to recover from slips before it.
        """
        self._until = until
        self.sections, self.match.log = record.sections, record
        recorded = record.tag("Recorded")
        if recorded is not None and recorded.value.strip().casefold() == COMPLETE:
            self.state.complete = True
        steps = int(GAME_SHARE * steps_for(record.length))
        self.granted = steps
        self.state.account = Account(steps, "this game", within=self._account)
        place: Point | None = Point(0, HEADING)
        left: int | None = None
        while place is not None:
            try:
                left, place = self._read_from(place), None
            except Back as back:
                place = self._go_back(back.checkpoint)
        opened = any(section.kind is not SectionKind.RESULT for section in record.sections)
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
        self._tell_look_alikes(record)
        self._tell_fault(record)
        self._tell_gaps(record)
        return Played(
            self.state,
            self.report.findings,
            self.report.is_full,
            self.moves,
            self._judged,
            tuple(self.report.gaps),
        )

    def _read_from(self, place: Point) -> int | None:
        """Read all sections from a place on; return the first that nobody is there to play.

        Raises:
            Back: to go on from an earlier moment.

        """
        laying = self._laying
        for number in range(place.section, len(self.sections)):
            section = self.sections[number]
            phase = PHASES[section.kind]
            if phase is Phase.RESULT:
                self._answer_the_rest(section)
                continue
            # The notation reports a second setup or position; what it says is not carried out.
            if phase is not Phase.TURNS and number != laying:
                self._judged = False
                continue
            if phase is Phase.TURNS and not self.state.players:
                return number
            first = place.number if number == place.section else HEADING
            told = len(self.report.findings)
            try:
                self._begun = {id(statement) for statement in section.statements[: max(first, 0)]}
                if phase is Phase.TURNS:
                    self._turn(number, first)
                else:
                    self._lay_out(section, phase)
            except Stop as stop:
                if phase is not Phase.TURNS:
                    self._repair_setup()
                rest = [s for s in section.statements if id(s) not in self._begun]
                self._leave_out(rest, self.sections[number + 1 :], stop, told)
                if self.report.illegible:
                    self._read(rest)
                if stop.whole_game:
                    break
        return None

    def _go_back(self, checkpoint: Checkpoint) -> Point:
        """Go back to a moment, and return where to read on."""
        del self.checkpoints[checkpoint.number :]
        self.match.restore(checkpoint.snapshot)
        self.moves, self._judged = checkpoint.moves, checkpoint.judged
        if checkpoint is self.start:
            self.unseated = None
            self.report.lacking.clear()
        return checkpoint.place

    def read_on(self, place: Point) -> None:
        """Read what follows from a place on, up to the result, while something is tried."""
        for number in range(place.section, len(self.sections)):
            section = self.sections[number]
            phase = PHASES[section.kind]
            if phase is Phase.RESULT:
                return
            try:
                if phase is Phase.TURNS:
                    self._turn(number, place.number if number == place.section else HEADING)
                elif number == self._laying:
                    self._lay_out(section, phase)
            except Stop as stop:
                if stop.whole_game:
                    return

    @cached_property
    def _laying(self) -> int | None:
        """The number of the section that lays out the game."""
        return next((n for n, one in enumerate(self.sections) if one.kind in LAYING), None)

    def _tell_look_alikes(self, record: GameRecord) -> None:
        """Warn of a player whose name looks like that of another one, where it first stands."""
        seen: dict[str, Entity] = {}
        for player in self.state.players:
            other = seen.setdefault(look(player.id), player)
            if other is player:
                continue
            first = next(
                (
                    statement.span(item.start, item.end)
                    for section in record.sections
                    for statement in (section.heading, *section.statements)
                    for item in (*statement.actor, *statement.items)
                    if item.text == player.id
                ),
                record.span,
            )
            message = Text(
                "the names `{first}` and `{second}` look alike", first=other.id, second=player.id
            )
            help_lines = ("write one of them so that everybody can tell them apart",)
            self.report.add("look-alike", Severity.WARNING, message, first, help_lines=help_lines)

    def _answer_the_rest(self, result: Section) -> None:
        """Give the answers that are due at the end, where nobody need write them down."""
        if self.state.pending and not self.state.complete:
            with suppress(Stop):
                self.match.guarded(result.heading, give_all, self.match)

    def _tell_fault(self, record: GameRecord) -> None:
        """Report if the rules cannot tell how the game stands."""
        # What is evaluated after the game has been read has a time limit of its own.
        self.state.account = self._account
        rule = "rule-failure"
        try:
            self.state.grant()
            fault = self.state.status_fault()
        except BudgetError as error:
            rule, fault = "rule-budget", reason(error, self.pack)
        told = any(found.rule == "rule-budget" for found in self.report.findings)
        if fault is not None and not told:
            message = Text("the rules cannot tell how the game stands: {reason}", reason=fault)
            self.report.add(rule, Severity.ERROR, message, record.span)

    def _tell_gaps(self, record: GameRecord) -> None:
        """Report in one note what was not recorded."""
        gaps = self.report.gaps
        if not gaps:
            return
        # Nobody draws what comes to a display.
        players = len({gap.player for gap in gaps}) if all(gap.player for gap in gaps) else 0
        if players > 1:
            message = Text(
                "{count} draws of {players} players are not recorded",
                count=f"{len(gaps):,}",
                players=players,
            )
        elif players:
            message = Text.plural(
                len(gaps),
                "1 draw of 1 player is not recorded",
                "{count} draws of {players} player are not recorded",
                players=players,
            )
        else:
            message = Text.plural(
                len(gaps), "1 draw is not recorded", "{count} draws are not recorded"
            )
        told = (
            "the game is judged by what they may have been; "
            "`--strict` demands that they be written down"
        )
        self.report.phase, self.report.actor = None, None
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
            if section.kind is not SectionKind.RESULT:
                rest += [section.heading, *section.statements]
        if rest:
            self._judged = self._judged and stop.why is Why.FORBIDDEN
            self.report.left_out(rest, told, self.unseated)

    def _read(self, rest: Sequence[Statement]) -> None:
        """Tell what cannot be read of statements that are not judged."""
        report = self.report
        report.phase = report.actor = None
        headings = {id(section.heading) for section in self.sections}
        for statement in rest:
            if id(statement) not in headings:
                report.statement = statement
                for error in self.binder.bind(statement.phrase, Phase.TURNS).errors:
                    report.unreadable(error)
                if statement.actor and self.binder.player(statement.actor) is None:
                    report.unknown_player(statement)

    @cached_property
    def _unread(self) -> list[int]:
        """The lines of all statements of the turns that nobody can read."""
        found = [
            statement.line
            for section in self.sections
            if section.kind is SectionKind.TURN
            for statement in section.statements
            if not self.binder.bind(statement.phrase, Phase.TURNS).readings
        ]
        return sorted([*found, *(self.match.log.unread if self.match.log is not None else ())])

    def _stop_if_illegible(self, statement: Statement, before: Mark) -> None:
        """Judge no further where a statement is wrong behind many that cannot be read.

        It is not told then what is wrong: it may be right with them.

        Raises:
            Stop: if it is so.

        """
        report, unread = self.report, self._unread
        told = report.findings[before.findings :]
        wrong = [
            found
            for found in told
            if found.severity is Severity.ERROR and found.span not in report.misread
        ]
        ahead = bisect_left(unread, statement.line)
        if not (wrong and ahead):
            return
        report.findings[before.findings :] = [f for f in told if f.span in report.misread]
        report.illegible = True
        report.statement = statement
        report.not_judged(len(unread), ahead, wrong[0].message)
        self._begun.discard(id(statement))
        raise Stop(whole_game=True)

    def _lay_out(self, section: Section, phase: Phase) -> None:
        """Carry out the statements of a setup or position in the order of the rules."""
        if self.match.trial is None:
            place = Point(self._laying or 0, HEADING)
            self.start = Checkpoint(
                place, section.heading, 0, 0, self._judged, self.match.snapshot()
            )
        self.report.phase = phase
        ordered: dict[int, list[Statement]] = {}
        read = [one for statement in section.statements for one in self._meant(statement)]
        statements, turn = self._split(read, phase)
        for statement in statements:
            order = self.binder.order(statement.phrase, phase)
            ordered.setdefault(order, []).append(statement)
        stages = [stage for stage in self.pack.prepare if phase in stage.phases]
        for order in sorted({*ordered, *(stage.order for stage in stages)}):
            for statement in ordered.get(order, ()):
                self._begun.add(id(statement))
                self.match.play(statement, phase)
                if self.match.unread:
                    self._open_up(statement, phase)
            for stage in stages:
                if stage.order == order:
                    self.match.guarded(section.heading, stage.does.fn, self.state, {})
        self._close(section, phase)
        self._repair_setup()
        if self.unseated is not None:
            # Whose turn it is would be guessed from here on.
            raise Stop(whole_game=True)
        if turn:
            self._stray_turn(turn, phase)

    def _split(
        self, statements: Sequence[Statement], phase: Phase
    ) -> tuple[Sequence[Statement], Sequence[Statement]]:
        """Split off a whole turn whose heading is missing behind a setup or position."""
        for number, statement in enumerate(statements):
            if self.binder.is_of_turn(statement.phrase, phase):
                if self._closes(statements[number:]):
                    return statements[:number], statements[number:]
                break
        return statements, ()

    def _stray_turn(self, statements: Sequence[Statement], phase: Phase) -> None:
        """Read statements behind a setup as the first turn; that its heading is missing is told."""
        self.report.statement = statements[0]
        for error in self.binder.bind(statements[0].phrase, phase).errors:
            self.report.unreadable(error)
        self.report.phase = Phase.TURNS
        self.match.guarded(statements[0], self.match.assume_turn)
        for statement in statements:
            self._begun.add(id(statement))
            if self.match.watcher is not None:
                self.match.watcher.before(statement)
            self.match.play(statement, Phase.TURNS)
            self.moves += 1

    def _open_up(self, statement: Statement, phase: Phase) -> None:
        """Carry out what the rules say is open after a statement that could not be read."""
        if self.unseated is None and self.binder.seats(statement.phrase, phase):
            self.unseated = self.report.findings[-1] if self.report.findings else None
        effects = self.binder.unread(statement.phrase, phase)
        actor = self.report.actor
        if effects is not None and (actor is not None or not statement.actor):
            self.match.guarded(statement, self._unheard, effects, {"me": actor})

    def _unheard(self, effects: Effects, values: Values) -> None:
        """Carry out effects, and tell nothing of what they find."""
        with self.report.only(Telling.NOTHING):
            effects.fn(self.state, values)

    def _close(self, section: Section, phase: Phase) -> None:
        """Check what must hold when a section is complete."""
        self.report.actor = self.report.move = None
        for check in self.pack.checks:
            if phase in check.after:
                self.match.guarded(section.heading, self._check, check, section)
        # Where nobody has a seat, which is told, nothing is dealt or laid out for anybody.
        for stage in self.pack.complete if self.state.players else ():
            if phase in stage.phases:
                self.match.guarded(section.heading, stage.does.fn, self.state, {})

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
                if check.text.unrecorded and check.at:
                    actor = self.report.actor
                    begins = f"{actor.id}: {check.at}" if actor is not None else check.at
                    last = section.statements[-1] if section.statements else section.heading
                    zones = frozenset(one for one in check.that.reads if isinstance(one, int))
                    self.report.lacking.append((last, begins, zones))
                self._unheard(check.does, inner)
                if check.otherwise == "over":
                    raise Stop(whole_game=True)

    def _place(self, check: Check, section: Section, values: Values) -> None:
        """Set the place of a finding of a check: the last statement of the kind that it names.

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

    def _repair_setup(self) -> None:
        """Find out what was meant by a setup with errors."""
        if self.report.errors and self.match.trial is None and self.repairing is not None:
            self.repairing.laid_out()

    def _turn(self, which: int, first: int = HEADING) -> None:
        """Read one of the sections of a game, from statement number ``first`` on."""
        self.report.phase = Phase.TURNS
        section = self.sections[which]
        if first == HEADING:
            self._statement(Point(which, HEADING), section.heading, Phase.HEADING)
        for number in range(max(first, 0), len(section.statements)):
            self._statement(Point(which, number), section.statements[number], Phase.TURNS)

    def _statement(self, place: Point, statement: Statement, phase: Phase) -> None:
        """Read a heading or statement of the turns."""
        match = self.match
        checkpoint = self._stop_at(place, statement)
        for one in self._meant(statement):
            if id(one) in self.assumed:
                (match.play if self.judges_assumed else match.carry_out)(one, phase)
                continue
            errors = self.report.errors
            try:
                (match.play(one, phase) if phase is Phase.TURNS else match.begin(one))
                if match.claimed and phase is Phase.TURNS:
                    continue
                if self.report.errors > errors:
                    self._recover(Slip(checkpoint, phase))
                elif (
                    self.two is None
                    and match.trial is None
                    and id(statement) not in self.instead
                    and self._doubles & {reading.parsed.move.number for reading in match.made}
                    and self._took_one_of_two(checkpoint.snapshot, one)
                ):
                    self.two = checkpoint
            except Stop as stop:
                # Where a whole turn follows without its heading, that is the slip.
                if stop.whole_game or phase is Phase.HEADING or not self._lacks_heading(place):
                    raise
                self.match.guarded(one, self.match.assume_turn)
                match.play(one, Phase.TURNS)
            self.moves += phase is Phase.TURNS

    def _took_one_of_two(self, before: Snapshot, statement: Statement) -> bool:
        """Tell whether a legal statement took something that lay in two zones."""
        match = self.match
        doubtful: list[tuple[Sequence[int], Entity, int]] = []
        for reading in match.made:
            for slot in reading.parsed.move.slots.values():
                named = reading.values.get(slot.name) if len(slot.reveals) > 1 else None
                if isinstance(named, Entity):
                    named = {named: 1}
                for thing, count in named.items() if isinstance(named, dict) else ():
                    zones: list[int] = [
                        zone.at.fn(self.state, reading.values) for zone in slot.reveals
                    ]
                    kind = thing.parent or thing
                    if any(self._lying(zone, kind) for zone in zones[1:]):
                        doubtful.append((zones, kind, count))
        if not doubtful or match.watcher is not None:
            return bool(doubtful)
        # Or the move has just laid it there.
        match.restore(before)
        found = False
        for places, kind, count in doubtful:
            lying = [self._lying(zone, kind) for zone in dict.fromkeys(places)]
            found = found or (sum(map(bool, lying)) > 1 and sum(lying) > count)
        match.play(statement, Phase.TURNS)
        return found

    def _lying(self, zone: int, kind: Entity) -> int:
        """Count the copies of a thing that lie openly somewhere."""
        lying: Bag = self.state.cells[zone]
        return sum(count for one, count in lying.items() if (one.parent or one) is kind)

    @cached_property
    def _doubles(self) -> frozenset[int]:
        """The moves that take things from the first of several zones in which they lie."""
        return frozenset(
            move.number
            for move in self.pack.moves
            if any(len(slot.reveals) > 1 for slot in move.slots.values())
        )

    def _meant(self, statement: Statement) -> Sequence[Statement]:
        """Return what is read in the place of a statement."""
        return self.instead.get(id(statement), (statement,)) if self.instead else (statement,)

    def _stop_at(self, place: Point, statement: Statement) -> Checkpoint:
        """Return the moment before a statement; leave out the rest if that was asked for."""
        number = len(self.checkpoints)
        checkpoint = Checkpoint(
            place, statement, number, self.moves, self._judged, self.match.snapshot()
        )
        if self.match.trial is None:
            if statement is self._until:
                raise Stop(whole_game=True, why=Why.ASKED)
            self.checkpoints.append(checkpoint)
            self._begun.add(id(statement))
            if self.match.watcher is not None:
                self.match.watcher.before(statement)
        return checkpoint

    def _lacks_heading(self, place: Point) -> bool:
        """Return whether a statement that may not stand where it does begins a turn of its own."""
        statements, number = self.sections[place.section].statements, place.number
        if self._closes(statements[number + 1 :]):
            return True
        if self.match.trial is not None or not self._closes(statements[number : number + 1]):
            return False
        if self.repairing is None:
            return False
        # Either a turn that is nothing but its end, or an end too many: what follows tells.
        own, behind = Point(place.section, number + 1), Point(place.section + 1, HEADING)
        return self.repairing.begins_turn(statements[number], own, behind)

    @cached_property
    def repairing(self) -> Repairing | None:
        """What finds out how to go on best in this game, if anything does."""
        return None if self._repairing is None else self._repairing(self)

    def _recover(self, slip: Slip) -> None:
        """Find the best way to go on after a statement with errors."""
        if self.repairing is None:
            return
        if self.match.trial is None and len(self._unread) > MOST_UNREAD:
            self._stop_if_illegible(slip.statement, slip.checkpoint.snapshot.report)
        else:
            self.repairing.recover(slip)

    def _closes(self, statements: Sequence[Statement]) -> bool:
        """Return whether a turn is ended by one of the statements."""
        return any(self.binder.closes(statement.phrase) for statement in statements)

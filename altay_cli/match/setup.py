"""Set up a game from its setup or position, in the order of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from altay_cli.base.findings import (
    ExpressionError,
    Finding,
    Severity,
    Text,
)
from altay_cli.base.values import Entity, subjects_of
from altay_cli.match import limits
from altay_cli.match.decisions import Values
from altay_cli.match.match import PHASES, Match
from altay_cli.match.readings import MoveValues
from altay_cli.match.reporting import MissingStatement, Stop
from altay_cli.notation.tree import Section, Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import Check, Effects, Phase
from altay_cli.pack.words import not_for

Play = Callable[[Statement, Phase], bool]
"""Judges and applies a statement; returns True if it is a move."""


class Setup:
    """The section that sets up a game.

    With ``unseated`` findings about unreadable seats, neither turns nor checks are judged.
    """

    def __init__(
        self, match: Match, section: Section, statements: Sequence[Statement], play: Play
    ) -> None:
        self.match = match
        self.section = section
        self.phase = phase = PHASES[section.kind]
        self.play = play
        of_turn = (
            n
            for n, statement in enumerate(statements)
            if match.binder.is_of_turn(statement.phrase, phase)
        )
        first = next(of_turn, len(statements))
        if not any(match.binder.closes(statement.phrase) for statement in statements[first:]):
            first = len(statements)
        self.statements, self.turn = statements[:first], statements[first:]
        """The setup, and a turn after it without a heading."""
        self.unseated: list[Finding] = []
        self.begun: set[int] = set()
        match.state.finished_setup = self.phase
        self._incomplete: list[tuple[Finding, Candidate]] = []
        """Seats with one unknown name."""

    def read(self) -> None:
        """Set up the game; raise Stop if the turns cannot be judged."""
        self.lay_out()
        match, phase, heading = self.match, self.phase, self.section.heading
        with match.report.at(heading, None):
            if len(match.state.players) < match.pack.least:
                self._report_lack_of_players()
            for check in () if self.unseated else match.pack.checks:
                if phase in check.after and not check.begun:
                    match.guarded(heading, partial(self._check, check))
            for stage in match.pack.complete:
                if phase in stage.phases:
                    match.guarded(heading, partial(stage.does.fn, match.state, {}))

    def lay_out(self) -> None:
        """Apply the statements and stages, in the order of the rules."""
        for _ in self.steps():
            pass

    def steps(self, further: Iterable[int] = ()) -> Iterator[int]:
        """Apply the statements and stages; yield each order between its statements and stages.

        further: orders to yield that have neither.
        """
        match, phase = self.match, self.phase
        match.report.begin(phase)
        statements = [
            (match.binder.order(statement.phrase, phase), statement)
            for statement in self.statements
        ]
        stages = [stage for stage in match.pack.prepare if phase in stage.phases]
        orders = {*further, *(number for number, _ in statements)}
        orders |= {stage.order for stage in stages}
        seats = (
            number
            for number, statement in statements
            if match.binder.seats(statement.phrase, phase)
        )
        last_seat = max(seats, default=None)
        match.lacks_players = False
        for order in sorted(orders):
            for statement in (other for number, other in statements if number == order):
                self.begun.add(id(statement))
                self.play(statement, phase)
                if match.state.unread:
                    self._leave_open(statement)
            if last_seat is None or order == last_seat:
                # Later failures of the rules are due to a missing player.
                match.lacks_players = len(match.state.players) < match.pack.least
            yield order
            for stage in stages:
                if stage.order == order:
                    match.guarded(self.section.heading, partial(stage.does.fn, match.state, {}))
        for finding, parsed in self._incomplete:
            self._list_possible(finding, parsed)

    def _leave_open(self, statement: Statement) -> None:
        match, phase = self.match, self.phase
        slips, seats = match.report.findings[-1:], len(match.state.players)
        takes_seat = match.binder.seats(statement.phrase, phase)
        parsed = match.binder.bind(statement.phrase, phase).partial
        if takes_seat and parsed is not None and len(parsed.errors) == len(slips):
            self._incomplete += [(slips[0], parsed)]
        unread, actor = match.binder.unread(statement.phrase, phase), match.report.context.actor
        if unread is not None:
            if actor is None and unread.move.introduces:
                actor = match.introduce(statement)
            if actor is not None or not statement.actor:
                values: Values = {"me": actor, **match.single_values(unread)}
                match.guarded(statement, partial(self._apply_silently, unread.move.unread, values))
        if takes_seat and len(match.state.players) == seats:
            self.unseated.extend(slips)

    def _list_possible(self, finding: Finding, parsed: Candidate) -> None:
        match, findings = self.match, self.match.report.findings
        unread = [name for name in parsed.places if name not in parsed.slots]
        number = next((n for n, other in enumerate(findings) if other is finding), None)
        if len(unread) != 1 or number is None or finding.help:
            return
        (name,) = unread
        possible: list[Entity] = []
        with match.speculating(), suppress(ExpressionError):
            values: Values = {"me": None, "asked": {}, **match.single_values(parsed)}
            domain = match.resolver.domain(parsed.move.slots[name], values)
            for thing in domain if domain and len(domain) <= limits.FEW_NAMES else ():
                tried = MoveValues({**values, name: thing}, parsed.move, match.state)
                requirements = [item for item in parsed.move.requires if item.at == name]
                if all(item.that.fn(match.state, tried) for item in requirements):
                    possible.append(thing)
        if possible:
            names = tuple(map(match.state.words.name, possible))
            findings[number] = finding._replace(
                help=(Text("possible here: {names}", names=names),),
                about=(*finding.about, *subjects_of(possible)),
            )

    def _report_lack_of_players(self) -> None:
        match, heading = self.match, self.section.heading
        count = len(match.state.players)
        if not (count or self.unseated):
            report_nobody_seated(match)
        elif not self.unseated:
            for check in match.pack.checks:
                if self.phase in check.after and check.otherwise == "over" and not check.begun:
                    match.guarded(heading, partial(self._check, check))
            match.report.add("too-few-seats", Severity.ERROR, not_for(count, match.pack))
        raise Stop(whole_game=True)

    def _apply_silently(self, effects: Effects, values: Values) -> None:
        with self.match.report.suppressed():
            effects.fn(self.match.state, values)

    def _check(self, check: Check) -> None:
        for values in self.match.state.failing_values(check):
            self._failed(check, values)

    def _failed(self, check: Check, values: Values) -> None:
        report, statements = self.match.report, self.section.statements
        players = (v for v in values.values() if isinstance(v, Entity) and v.kind == "player")
        about = next(players, None)
        kind = [
            item for item in statements if item.items and item.items[0].text.casefold() == check.at
        ]
        matching = [
            item for item in kind if about is None or self.match.binder.player(item.actor) is about
        ]
        place = matching[-1] if matching else self.section.heading
        with report.at(place, about):
            report.report_text(check.text, values)
            if check.text.unrecorded and check.at:
                begins = f"{about.id}: {check.at}" if about is not None else check.at
                last = statements[-1] if statements else place
                report.missing_setup.append(MissingStatement(last, begins, check.that.zones))
            self._apply_silently(check.does, values)
        if check.otherwise == "over":
            raise Stop(whole_game=True)


def report_nobody_seated(match: Match) -> None:
    """Report that the game has no players."""
    message = "no players are seated: a game begins with `setup` or `position`"
    span = None if match.log is None else match.log.span
    match.report.add("no-players", Severity.ERROR, message, span)

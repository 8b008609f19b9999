"""Laying out a game: the statements of a setup or position, in the order of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from altay_cli.base.findings import Finding
from altay_cli.base.values import Entity
from altay_cli.match.match import PHASES, Match
from altay_cli.match.reporting import Stop
from altay_cli.match.statements import assume_turn
from altay_cli.match.waiting import Values
from altay_cli.notation import Section, Statement
from altay_cli.pack.model import Check, Effects, Phase

Play = Callable[[Statement, Phase], bool]
"""Judges a statement and carries it out."""


class Setup:
    """The section that lays out a game, with what of it has been read.

    ``play`` reads a statement. ``unseated`` is what is told of seats that cannot be read: without
    them, whose turn it is would be guessed.
    """

    def __init__(
        self, match: Match, section: Section, statements: Sequence[Statement], play: Play
    ) -> None:
        self.match = match
        self.section = section
        self.phase = PHASES[section.kind]
        self.play = play
        self.statements, self.turn = self._split(statements)
        self.unseated: list[Finding] = []
        self._begun: set[int] = set()

    @property
    def rest(self) -> list[Statement]:
        """What of the section has not been read."""
        return [one for one in self.section.statements if id(one) not in self._begun]

    def _split(
        self, statements: Sequence[Statement]
    ) -> tuple[Sequence[Statement], Sequence[Statement]]:
        """Split off a whole turn whose heading is missing behind a setup or position."""
        binder = self.match.binder
        for number, statement in enumerate(statements):
            if binder.is_of_turn(statement.phrase, self.phase):
                if any(binder.closes(one.phrase) for one in statements[number:]):
                    return statements[:number], statements[number:]
                break
        return statements, ()

    def read(self) -> None:
        """Lay out the game, and check what must hold when that is done.

        Raises:
            Stop: where nothing that follows can be judged.

        """
        self.lay_out()
        with self.match.report.at(self.section.heading, None):
            self._close()

    def lay_out(self) -> None:
        """Carry out the statements, and between them what the rules have done."""
        match, phase = self.match, self.phase
        match.report.begin(phase)
        ordered: dict[int, list[Statement]] = {}
        for statement in self.statements:
            order = match.binder.order(statement.phrase, phase)
            ordered.setdefault(order, []).append(statement)
        stages = [stage for stage in match.pack.prepare if phase in stage.phases]
        for order in sorted({*ordered, *(stage.order for stage in stages)}):
            for statement in ordered.get(order, ()):
                self._begun.add(id(statement))
                self.play(statement, phase)
                if match.state.unread:
                    self._open_up(statement)
            for stage in stages:
                if stage.order == order:
                    match.guarded(self.section.heading, stage.does.fn, match.state, {})

    def _open_up(self, statement: Statement) -> None:
        """Carry out what the rules say is open after a statement that could not be read."""
        match, report = self.match, self.match.report
        if match.binder.seats(statement.phrase, self.phase):
            self.unseated.extend(report.findings[-1:])
        effects, actor = match.binder.unread(statement.phrase, self.phase), report.here.actor
        if effects is not None and (actor is not None or not statement.actor):
            match.guarded(statement, self._unheard, effects, {"me": actor})

    def _unheard(self, effects: Effects, values: Values) -> None:
        """Carry out effects, and tell nothing of what they find."""
        with self.match.report.unheard():
            effects.fn(self.match.state, values)

    # ------------------------------------------------------------ when it is complete

    def _close(self) -> None:
        """Check what must hold when the section is complete, and do what follows."""
        match, phase, heading = self.match, self.phase, self.section.heading
        for check in match.pack.checks:
            if phase in check.after:
                match.guarded(heading, self._check, check)
        # Where nobody has a seat, which is told, nothing is dealt or laid out for anybody.
        for stage in match.pack.complete if match.state.players else ():
            if phase in stage.phases:
                match.guarded(heading, stage.does.fn, match.state, {})

    def _check(self, check: Check) -> None:
        state = self.match.state
        values: list[Values] = [{}]
        if check.each is not None:
            name, items = check.each
            values = [{name: item} for item in items.fn(state, {})]
        for inner in values:
            if not check.that.fn(state, inner):
                self._failed(check, inner)

    def _failed(self, check: Check, values: Values) -> None:
        """Tell that a check does not hold: one of each player is told at a statement of theirs."""
        report = self.match.report
        players = (v for v in values.values() if isinstance(v, Entity) and v.kind == "player")
        about = next(players, None)
        with report.at(self._place(check, about), about):
            report.say(check.text, values, None)
            if check.text.unrecorded and check.at:
                begins = f"{about.id}: {check.at}" if about is not None else check.at
                last = self.section.statements[-1:] or [self.section.heading]
                zones = frozenset(one for one in check.that.reads if isinstance(one, int))
                report.lacking.append((last[0], begins, zones))
            self._unheard(check.does, values)
        if check.otherwise == "over":
            raise Stop(whole_game=True)

    def _place(self, check: Check, about: Entity | None) -> Statement:
        """Return the last statement of the kind that a check names."""
        found = self.section.heading
        for statement in self.section.statements:
            if statement.items and statement.items[0].text.casefold() == check.at:
                who = self.match.binder.player(statement.actor) if statement.actor else None
                if about is None or who is about:
                    found = statement
        return found

    # ------------------------------------------------------------ a turn behind it

    def stray_turn(self) -> Iterator[Statement]:
        """Yield the statements of a turn without a heading, which is told and begun before.

        Raises:
            Stop: where no turn can begin.

        """
        match, report = self.match, self.match.report
        if self.unseated:
            raise Stop(whole_game=True)
        if not self.turn:
            return
        first = self.turn[0]
        with report.at(first, report.here.actor):
            for error in match.binder.bind(first.phrase, self.phase).errors:
                report.unreadable(error)
        report.begin(Phase.TURNS)
        match.guarded(first, assume_turn, match)
        for statement in self.turn:
            self._begun.add(id(statement))
            if match.watcher is not None:
                match.watcher.before(statement)
            yield statement

"""How reading goes on after a slip: as the log was probably meant, by what follows.

What the rules say of a breach - carry the move out anyway, or leave it out - is right for most
slips and cannot be for all. Where further errors follow, edits of the log are tried: at the place
of the slip, before it, in the setup. Each is read from the moment of its place to some statements
behind the slip, and that with the fewest errors is taken. An edit at the place of the slip changes
nothing of what was told of it; one elsewhere is told instead.

All that is tried in a game is paid from one budget, in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import NamedTuple

from altay_cli.base.findings import ExpressionError, Finding, errors_of
from altay_cli.base.values import Bag, Entity
from altay_cli.match.course import HEADING, Checkpoint, Point, Repairing
from altay_cli.match.referee import Back, Referee
from altay_cli.match.reporting import Stop
from altay_cli.match.statements import assume_turn, carry_out
from altay_cli.notation import SectionKind, Statement
from altay_cli.pack.model import Phase
from altay_cli.repair.candidates import (
    Edit,
    in_place,
    meant_instead,
    mentioned,
    plainly_meant,
    said_alike,
    stands_in,
)
from altay_cli.repair.causes import Causes, Repair, explicable
from altay_cli.repair.limits import COMPARED, FAR_ENOUGH, FEW_EDITS, LEAST_ERRORS, NEAR
from altay_cli.repair.tries import Outcome, Tries


class _Slip(NamedTuple):
    """A slip, and how reading goes on after it, as soon as that is ``settled``.

    That is with an ``edit`` at its place, or else as the rules say. ``unread`` says that the
    statement cannot be read.
    """

    moment: Checkpoint
    unread: bool
    edit: Edit | None = None
    settled: bool = False


class _Best(NamedTuple):
    """The best edit at the place of a slip, if one is better than none, and what comes of it.

    ``tried`` are the edits that leave errors.
    """

    edit: Edit | None
    outcome: Outcome
    tried: Sequence[tuple[Edit, Outcome]] = ()


class Search(Repairing):
    """Finds out how to go on best after the slips of one game.

    ``ask`` is called where it has an error, and raises something if it is to be read otherwise.
    """

    def __init__(self, referee: Referee, ask: Callable[[], None]) -> None:
        self.referee = referee
        self.match = referee.match
        self.report = referee.report
        self.tries = Tries(referee, self.repeat, ask)
        self.causes = Causes(referee, self.tries)
        self.repairs: list[Repair] = []
        # The slips, one after the other, by the identity of the statement.
        self._slips: dict[int, _Slip] = {}

    @property
    def told(self) -> list[Finding]:
        """What is told of edits."""
        return [repair.told for repair in self.repairs]

    def begins_turn(self, statement: Statement, own: Point, behind: Point) -> bool:
        """Return whether a statement between two turns is a turn of its own, by what follows."""
        match = self.match
        with self.tries.at_slip():
            before = match.snapshot()
            without = with_it = len(self.tries.read(before, behind, NEAR, NEAR).errors)
            # Where no further turn can begin, as behind the end, or too much was asked.
            with suppress(Stop, ExpressionError):
                assume_turn(match)
                carry_out(match, statement, Phase.TURNS)
                with_it = len(self.tries.read(match.snapshot(), own, NEAR, NEAR).errors)
            match.restore(before, told=True)
        return with_it < without

    # ------------------------------------------------------------ a slip in the turns

    def recover(self, slip: Checkpoint) -> None:
        """Go on after a slip.

        Raises:
            Back: to go on from an earlier moment.

        """
        if not self.repeat(slip):
            with self.tries.at_slip():
                self._find(slip)

    def repeat(self, slip: Checkpoint) -> bool:
        """Go on after a slip in a way that was found before, if one was."""
        known = self._slips.get(id(slip.statement))
        if known is None or not known.settled:
            return False
        self._go_on(slip, known.edit, unread=known.unread)
        return True

    def _find(self, slip: Checkpoint) -> None:
        """Find out how to go on after a slip, and do so."""
        if self.tries.is_over:
            return
        if not self._slips:
            self._take_elsewhere(slip)
        key, unread, stood = id(slip.statement), self.match.state.unread, self.report.here
        self._slips[key] = _Slip(slip, unread)
        here = self._at_slip(slip, unread=unread)
        self.report.stand(stood)
        edit = here.edit
        for look in self._looks(slip, here.outcome):
            self.tries.share(2)
            self._go_on(slip, None, unread=unread)
            with self.tries.coming_back():
                moment = look()
            if moment is not None:
                raise Back(moment)
        self.tries.share()
        if here.outcome.errors:
            edit = self._of_tried(slip, here)
            self.report.stand(stood)
        self._slips[key] = self._slips[key]._replace(edit=edit, settled=True)
        self._go_on(slip, edit, unread=unread)

    def _at_slip(self, slip: Checkpoint, *, unread: bool) -> _Best:
        """Find the best of a few likely ways to go on from a slip: one with no errors behind it."""
        match, before = self.match, slip.snapshot
        best = self.tries.read(match.snapshot(), slip.behind, NEAR, NEAR, told=True)
        meant = None
        match.restore(before, told=True)
        if unread and slip.phase is not Phase.HEADING:
            meant = said_alike(match, slip)
        elif not unread:
            meant = plainly_meant(match, slip)
        if meant is not None:
            outcome = self._with_edit(slip, meant, len(best.errors) + 1)
            if outcome.whole and (not unread or len(outcome.errors) <= len(best.errors)):
                return _Best(meant, outcome)
        ahead = mentioned(self.referee, best.errors)
        edits = in_place(match, slip, ahead, unread=unread)
        tried: list[tuple[Edit, Outcome]] = []
        for edit in islice(edits, FEW_EDITS) if best.errors else ():
            if self.tries.is_over:
                break
            outcome = self._with_edit(slip, edit, 1)
            if not outcome.errors and (outcome.whole or outcome.clean > FAR_ENOUGH):
                return _Best(edit, outcome)
            tried.append((edit, outcome))
        return _Best(None, best, tried)

    def _of_tried(self, slip: Checkpoint, here: _Best) -> Edit | None:
        """Return the best of the edits at the place of a slip that all leave errors."""
        best, least = here.edit, len(here.outcome.errors)
        tried = sorted(here.tried, key=lambda one: -one[1].clean)
        for edit, _ in tried[:COMPARED]:
            outcome = self._with_edit(slip, edit, least)
            if outcome.whole and len(outcome.errors) < least:
                best, least = edit, len(outcome.errors)
        return best

    def _with_edit(self, slip: Checkpoint, edit: Edit, limit: int) -> Outcome:
        """Read from a slip on with an edit at its place."""
        return self.tries.read(slip.snapshot, slip.place, NEAR + 1, limit, edit, told=True)

    def _go_on(self, slip: Checkpoint, edit: Edit | None, *, unread: bool) -> None:
        """Carry out what was found for a slip, without a word, and tell what was meant."""
        match, report = self.match, self.report
        actor = report.here.actor
        match.restore(slip.snapshot, told=True)
        match.made.clear()
        statements = (slip.statement,) if edit is None else edit.instead[0][1]
        with suppress(Stop):
            for one in statements:
                carry_out(match, one, slip.phase)
        report.stand(report.here._replace(statement=slip.statement, actor=actor))
        if edit is None or not edit.statement:
            match.read(unread=unread)
        else:
            meant_instead(report, slip.statement, edit.statement)

    # ------------------------------------------------------------ before the slip

    def _take_elsewhere(self, slip: Checkpoint) -> None:
        """Leave open from where things are taken that lie openly in two zones, if that is better.

        A name such as that of a card in hand, of which there is another one laid aside, is taken
        for what lies in the first of them otherwise.

        Raises:
            Back: to go on from where something of which another one was laid aside is named first.

        """
        resolver = self.match.resolver
        start = None if resolver.leaves_open else self._took_one_of_two(slip)
        if start is None:
            return
        with self.tries.coming_back():
            resolver.leaves_open = True
            length = slip.number - start.number + 1
            outcome = self.tries.read(start.snapshot, start.place, length, 1)
            resolver.leaves_open = outcome.whole and not outcome.errors
        if resolver.leaves_open:
            raise Back(start)

    def _took_one_of_two(self, slip: Checkpoint) -> Checkpoint | None:
        """Return the first statement up to a slip that names what it may take from two zones.

        That is a thing such as has lain openly in the second of them before.
        """
        state, zone_of = self.match.state, self.match.state.layout.zones
        slots = (slot for move in self.match.pack.moves for slot in move.slots.values())
        zones = {place.zone for slot in slots for place in slot.reveals[1:]}
        aside: dict[Entity, int] = {}  # with the mark of the change by which it came there first
        later: dict[int, Bag] = {}
        for mark in reversed(range(len(state.entries) if zones else 0)):
            cell, held = state.entries[mark]
            if cell < len(zone_of) and zone_of[cell] in zones:
                things = later.get(cell, state.cells[cell])
                aside.update((thing.parent or thing, mark) for thing in things)
                later[cell] = held
        for one in self.referee.checkpoints[: slip.number + 1] if aside else ():
            for reading in self.match.binder.bind(one.statement.phrase, one.phase).readings:
                for name, written in reading.slots.items():
                    if len(reading.move.slots[name].reveals) < 2:
                        continue
                    named = {thing.parent or thing for item in written for thing in item.entities}
                    if any(aside[thing] < one.snapshot.state for thing in named & aside.keys()):
                        return one
        return None

    def _looks(
        self, slip: Checkpoint, outcome: Outcome
    ) -> Iterator[Callable[[], Checkpoint | None]]:
        """Yield what finds out whether an error comes from what is before it.

        Each returns a moment to go on from, if it found something.
        """
        slips = [*self._skipped(), *(one.moment for one in self._slips.values())]
        if len(slips) > 1 and len(slips).bit_count() == 1:
            yield partial(self._explained, slips[0], slip, outcome)
        if outcome.errors and (len(slips) == 1 or len(slips).bit_count() > 1):
            yield partial(self._explained, slip, slip, outcome)

    def _skipped(self) -> Iterator[Checkpoint]:
        """Yield the first statement of the turns with an error, if reading went on behind its turn.

        What follows from it is no slip, and may be explained by it.
        """
        errors = errors_of(self.report.findings)
        first = next((one for one in errors if one.round is not None), None)
        slips = self._slips.values()
        for checkpoint in self.referee.checkpoints[: min(one.moment.number for one in slips)]:
            if first is not None and stands_in(first, checkpoint.statement):
                yield checkpoint

    def _explained(
        self, anchor: Checkpoint, slip: Checkpoint, outcome: Outcome
    ) -> Checkpoint | None:
        """Take one edit before a slip that explains it and errors behind it; return its moment."""
        first = anchor.snapshot.report.findings
        later = explicable(self.match, self.report.findings[first:])
        earlier = explicable(self.match, self.report.findings[:first])
        errors = [*later, *outcome.errors]
        in_setup = bool(earlier) and earlier[0].round is None
        if not later or len(errors) + len(earlier) < LEAST_ERRORS:
            return None
        best = None
        if not in_setup:
            best = self.causes.in_turns(anchor, slip, errors, earlier)
        if best is None and self.referee.start is not None:
            self.tries.share()
            best = self.causes.in_setup([*earlier, *errors], slip.number)
        if best is None:
            return None
        self._take(best)
        return best.edit.at

    def _take(self, repair: Repair) -> None:
        """Take an edit elsewhere, which is to be read from a moment before it on."""
        self._forget(repair.edit.at.number)
        referee = self.referee
        referee.instead.update({id(statement): way for statement, way in repair.edit.instead})
        referee.assumed.update(map(id, repair.edit.assumed))
        self.repairs.append(repair)

    def _forget(self, number: int) -> None:
        """Forget what was found out of slips from a statement of the turns on."""
        self.tries.failed.clear()
        for key, slip in [*self._slips.items()]:
            if slip.moment.number >= number:
                del self._slips[key]
        for repair in [one for one in self.repairs if one.edit.at.number >= number]:
            self.repairs.remove(repair)
            for statement, _ in repair.edit.instead:
                self.referee.instead.pop(id(statement), None)

    # ------------------------------------------------------------ the setup

    def laid_out(self, unseated: Sequence[Finding]) -> None:
        """Look whether another setup was meant, if the one that was laid out has errors.

        ``unseated`` is what is told of seats because of which the turns are not judged.

        Raises:
            Back: to go on with it.

        """
        with self.tries.at_slip():
            start, sections = self.referee.start, self.referee.sections
            if start is None or self.tries.is_over:
                return
            relaid = any(repair.edit.at is start for repair in self.repairs)
            if relaid or all(section.kind is not SectionKind.TURN for section in sections):
                return
            errors = explicable(self.match, self.report.findings)
            if not unseated:
                behind = Point(start.place.section + 1, HEADING)
                ahead = self.tries.read(self.match.snapshot(), behind, NEAR, NEAR, told=True)
                errors += ahead.errors if errors else ()
            if len(errors) < LEAST_ERRORS:
                return
            with self.tries.coming_back():
                best = self.causes.in_setup(errors, 0)
            if best is not None:
                self._take(best)
                raise Back(start)

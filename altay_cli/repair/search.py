"""How reading goes on after a slip: as the log was probably meant, by what follows.

What the rules say of a breach - carry the move out anyway, or leave it out - is right for most
slips and cannot be for all. Where further errors follow, edits of the log are tried: at the place
of the slip, before it, in the setup. Each is read from the moment of its place to some statements
behind the slip, and that with the fewest errors is taken. An edit at the place of the slip changes
nothing of what was told of it; one elsewhere is told instead.

All that is tried in a game is paid from one budget, in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import NamedTuple

from altay_cli.base.errors import ExpressionError
from altay_cli.base.findings import Finding, Severity
from altay_cli.base.spans import Span
from altay_cli.match.course import HEADING, Ahead, Checkpoint, Point, Slip
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.referee import Back, Referee
from altay_cli.match.reporting import Stop, Telling
from altay_cli.match.statements import assume_turn, carry_out
from altay_cli.notation import SectionKind, Statement
from altay_cli.pack.model import Phase
from altay_cli.repair.candidates import (
    NAMING,
    Change,
    Edit,
    drawing,
    elsewhere,
    in_place,
    plainly_meant,
    said_alike,
    suspects,
)
from altay_cli.repair.doubles import took_one_of_two
from altay_cli.repair.laying import OfSetup

FREE_STEPS = 1_000_000
GAME_TIMES = 5
"""What may be tried in a game: so many steps, and more for each step of reading it once."""

MOST_STEPS = 10_000_000
"""However long it is, no more than this: a log of several hours takes a third of it."""

SHARE = 4
LEAST_SHARE = 24
"""One kind of search after one slip may take one part in so many of what is left, and always one in
so many of all."""

NEAR = 60
"""So many statements behind a slip tell which way to go on is good."""

FAR = 600
"""Within so many statements, another error may come from how reading went on after a slip."""

REOPENED = 4
"""How many other ways are tried then."""

MAX_LIKE = 80
"""How many edits are tried at the place of a slip."""

FEW = 12
"""How many of them before it is looked further back."""

COMPARED = 10
"""How many of them are compared if each leaves errors."""

LEFT = 4
"""If the first error is in the setup, another setup may leave one in so many of the errors."""

ALL = 8
"""Another edit may leave one in so many."""


LEAST_ERRORS = 2
"""So many errors may have one cause elsewhere."""

MAX_RELAID = 12
"""How many other setups are tried with which the turns begin as they should."""


class Way(NamedTuple):
    """How reading goes on after a slip: with an edit at its place, or else as the rules say."""

    edit: Edit | None
    unread: bool


class Outcome(NamedTuple):
    """What came of reading on: the errors, and whether hidden things had to be supposed.

    ``whole`` is false if the budget did not last.
    """

    errors: Sequence[Finding]
    used: bool
    whole: bool


class Repair(NamedTuple):
    """An edit elsewhere than at the slip, with what is told of it and the errors that it leaves."""

    edit: Edit
    told: Finding
    left: int
    used: bool

    @property
    def cost(self) -> tuple[int, int]:
        """What is better is less."""
        return 2 * self.left + self.used, self.edit.kind.value


class _Open(NamedTuple):
    """A slip behind which nothing was wrong at first, with the ways that were not tried."""

    slip: Slip
    ways: Iterator[Edit]


class _Looked(NamedTuple):
    """What is known of a slip: the best way of a few, and where it has not been looked yet."""

    way: Way
    outcome: Outcome
    left: Iterator[Callable[[], Checkpoint | None]]


Ask = Callable[[], None]
"""Is called at the first error of a game; raises something if the game is to be read otherwise."""


class Search:
    """Finds out how to go on best after the slips of one game.

    ``told`` is what is told of edits, apart from what was found at slips. ``goes_back`` says
    whether reading may go on from an earlier moment.
    """

    def __init__(self, referee: Referee, ask: Ask | None = None, *, goes_back: bool = True) -> None:
        self.referee = referee
        self.match = referee.match
        self.report = referee.report
        self.goes_back = goes_back
        self.repairs: list[Repair] = []
        self._ask = ask
        self._asked = False
        self._left: int | None = None
        self._since: int | None = None
        self._kept = self._all = 0
        self._ways: dict[int, Way] = {}
        self._slips: list[Slip] = []
        self._misread: set[int] = set()
        """The identities of the statements that cannot be read."""
        self._looked: dict[int, _Looked] = {}
        self._open: _Open | None = None
        self._relaid = 0
        self._took = False
        self._two: Checkpoint | None = None
        """The moment before a name first meant what lies openly in two zones."""

    @property
    def told(self) -> list[Finding]:
        """What is told of edits."""
        return [repair.told for repair in self.repairs]

    # ------------------------------------------------------------ the budget

    @property
    def is_over(self) -> bool:
        """Whether no more may be tried now."""
        return self._left is not None and self._left - self._spent() <= self._kept

    def _spent(self) -> int:
        """Return what has been spent since it is looked for how to go on."""
        account = self.match.state.account
        return 0 if account is None or self._since is None else self._since - account.left

    def ask_otherwise(self) -> None:
        """Ask at the first error whether the game is to be read otherwise."""
        if not self._asked and self._ask is not None:
            self._asked = True
            self._ask()

    def _begin(self) -> None:
        """Take note of the first error, and of another slip."""
        self.ask_otherwise()
        account = self.match.state.account
        assert account is not None
        if self._left is None:
            every = sum(len(one.statements) + 1 for one in self.referee.sections)
            setup = self.referee.start
            laid = len(self.referee.sections[setup.place.section].statements) + 1 if setup else 0
            done = max(laid + len(self.referee.checkpoints), 1)
            whole = (self.referee.granted - account.left) * every // done
            most = min(FREE_STEPS + GAME_TIMES * whole, MOST_STEPS)
            self._all = max(min(most, account.to_try), 0)
            self._left = self._all
        self._since = account.left
        self._share()

    def _share(self, share: int = SHARE) -> None:
        """Begin another kind of search."""
        left = (self._left or 0) - self._spent()
        self._kept = max(left - max(left // share, self._all // LEAST_SHARE), 0)

    def _end(self) -> None:
        """Pay for what was tried."""
        account, spent = self.match.state.account, self._spent()
        assert account is not None
        account.tried(spent)
        self._left, self._since = (self._left or 0) - spent, None

    # ------------------------------------------------------------ reading on

    def _read(
        self,
        snapshot: Snapshot,
        place: Point,
        length: int,
        limit: int,
        edit: Edit | None = None,
        *,
        told: bool = False,
        explained: bool = False,
    ) -> Outcome:
        """Read so many statements from a moment on, up to so many errors, and go back to it.

        With ``told`` what was told since that moment stays. What errors say is ``explained`` only
        if that is asked for: it takes long.
        """
        match, report, referee = self.match, self.report, self.referee
        match.restore(snapshot, told=told)
        mark, instead, assumed = report.mark(), referee.instead, referee.assumed
        if edit is not None:
            instead = instead | {id(statement): way for statement, way in edit.instead}
            assumed = assumed | {id(one) for one in edit.assumed}
        ahead = Ahead(referee, self, instead, assumed, length, mark.errors + limit, judges=not told)
        gaps = bool(report.gaps)
        telling = Telling.COMPARING
        if explained:
            telling = Telling.ALL
        elif edit is not None and edit.at is referee.start:
            # What cannot be read in the turns is wrong whatever else was meant.
            telling = Telling.COUNTING
        with report.only(telling), match.unwatched():
            ahead.read_on(place)
        new = report.findings[mark.findings :]
        whole = not self.is_over and not any(one.rule in _CUT for one in new)
        errors = [one for one in new if one.severity is Severity.ERROR]
        used = match.state.hidden.used and not gaps
        report.undo(mark)
        match.restore(snapshot, told=True)
        return Outcome(errors, used, whole)

    def begins_turn(self, statement: Statement, own: Point, behind: Point) -> bool:
        """Return whether a statement between two turns is a turn of its own, by what follows."""
        self._begin()
        match, before = self.match, self.match.snapshot()
        without = with_it = len(self._read(before, behind, NEAR, NEAR).errors)
        # Where no further turn can begin, as behind the end of the game, or too much was asked.
        with suppress(Stop, ExpressionError):
            assume_turn(match)
            carry_out(match, statement, Phase.TURNS)
            with_it = len(self._read(match.snapshot(), own, NEAR, NEAR).errors)
        match.restore(before, told=True)
        self._end()
        return with_it < without

    def _take_elsewhere(self, slip: Slip) -> None:
        """Leave open from where things are taken that lie openly in two zones, if that is better.

        A name such as that of a card in hand, of which there is another one laid aside, is taken
        for what lies in the first of them.

        Raises:
            Back: to go on from where that is first so.

        """
        start, resolver = self._two, self.match.resolver
        if start is None or resolver.leaves_open or self._took:
            return
        self._took = True
        length = slip.checkpoint.number - start.number + 1
        if start.place.number == HEADING and not start.number:
            length += len(self.referee.sections[start.place.section].statements)
        resolver.leaves_open = True
        outcome = self._read(start.snapshot, start.place, length, 1)
        resolver.leaves_open = outcome.whole and not outcome.errors
        if resolver.leaves_open:
            self._forget(start.number)
        raise Back(start)

    # ------------------------------------------------------------ a slip in the turns

    def went_well(self, checkpoint: Checkpoint, statement: Statement) -> None:
        """Take note of the first statement that takes what lies openly in two zones."""
        if (
            self._two is None
            and id(checkpoint.statement) not in self.referee.instead
            and took_one_of_two(self.match, checkpoint.snapshot, statement)
        ):
            self._two = checkpoint

    def recover(self, slip: Slip) -> None:
        """Go on after a slip.

        Raises:
            Back: to go on from an earlier moment.

        """
        if self.repeat(slip):
            return
        self._begin()
        try:
            self._find(slip)
        finally:
            self._end()

    def repeat(self, slip: Slip) -> bool:
        """Go on after a slip in a way that was found before, if one was."""
        known = self._ways.get(id(slip.statement))
        if known is not None:
            self._go_on(slip, known)
        return known is not None

    def _find(self, slip: Slip) -> None:
        """Find out how to go on after a slip, and do so.

        Looking further back leaves the place of the slip: it is come to again for each such look.
        """
        key = id(slip.statement)
        if self.is_over:
            return
        if self.goes_back and not self._slips:
            self._take_elsewhere(slip)
        looked = self._looked.get(key)
        if looked is None:
            self._slips.append(slip)
            found = self.report.findings[slip.checkpoint.snapshot.report.findings :]
            if any(is_misread(self.match, one) for one in found):
                self._misread.add(key)
            way, outcome, others = self._at_slip(slip, few=self.goes_back)
            if not self.goes_back:
                self._ways[key] = way
                self._go_on(slip, way)
                return
            looked = self._looked[key] = _Looked(way, outcome, self._looks(slip, outcome, others))
        for look in looked.left:
            self._share(2)
            self._go_on(slip, Way(None, self.match.unread))
            start = look()
            if start is not None:
                raise Back(start)
        way = looked.way
        if looked.outcome.errors:
            self._share()
            way, _, _ = self._at_slip(slip, few=False)
        self._ways[key] = way
        self._go_on(slip, way)

    def _at_slip(self, slip: Slip, *, few: bool) -> tuple[Way, Outcome, Iterator[Edit]]:
        """Find the best way to go on from a slip; return what comes of it, and the other ways.

        With ``few`` only the likeliest are tried, and only those behind which nothing is wrong.
        """
        match, before = self.match, slip.checkpoint.snapshot
        actor = self.report.actor
        unread = match.unread
        best = self._read(match.snapshot(), slip.behind, NEAR, NEAR, told=True)
        way = Way(None, unread)
        meant = None
        match.restore(before, told=True)
        if unread and slip.phase is not Phase.HEADING:
            meant = said_alike(match, slip)
        elif not unread:
            meant = plainly_meant(match, slip)
        if meant is not None:
            outcome = self._read(
                before, slip.checkpoint.place, NEAR + 1, len(best.errors) + 1, meant, told=True
            )
            if outcome.whole and (not unread or len(outcome.errors) <= len(best.errors)):
                self.report.actor = actor
                return Way(meant, unread), outcome, iter(())
        ways, tried = in_place(match, slip, unread=unread, inserts=not self.goes_back), []
        for edit in islice(ways, FEW if few else MAX_LIKE) if best.errors else ():
            if self.is_over:
                break
            tried.append(edit)
            outcome = self._read(before, slip.checkpoint.place, NEAR + 1, 1, edit, told=True)
            if outcome.whole and not outcome.errors:
                way, best, tried = Way(edit, unread), outcome, []
                break
        compared = [one for one in tried if one.kind is not Change.INSERT]
        for edit in () if few else compared[:COMPARED]:
            least = len(best.errors)
            outcome = self._read(before, slip.checkpoint.place, NEAR + 1, least, edit, told=True)
            if outcome.whole and len(outcome.errors) < least:
                way, best = Way(edit, unread), outcome
        self.report.actor = actor
        return way, best, ways

    def _go_on(self, slip: Slip, way: Way) -> None:
        """Carry out what was found for a slip, without a word, and tell what was meant."""
        match, report = self.match, self.report
        actor = report.actor
        match.restore(slip.checkpoint.snapshot, told=True)
        match.made.clear()
        statements = (slip.statement,) if way.edit is None else way.edit.instead[0][1]
        with suppress(Stop):
            for one in statements:
                carry_out(match, one, slip.phase)
        report.statement, report.actor = slip.statement, actor
        if way.edit is None or not way.edit.statement:
            match.read(unread=way.unread)
        elif way.edit.kind is Change.INSERT:
            report.left_out_before(slip.statement, way.edit.statement)
        else:
            report.meant_instead(slip.statement, way.edit.statement)

    # ------------------------------------------------------------ before the slip

    def _looks(
        self, slip: Slip, outcome: Outcome, others: Iterator[Edit]
    ) -> Iterator[Callable[[], Checkpoint | None]]:
        """Yield what finds out whether an error comes from what is before it.

        Each returns a moment to go on from, unless nothing has been gone back to.
        """
        earlier, self._open = self._open, None
        if not outcome.errors:
            self._open = _Open(slip, others)
        number, slips = slip.checkpoint.number, [*self._slips]
        misread = id(slip.statement) in self._misread  # whatever was before it
        near = earlier is not None and number <= earlier.slip.checkpoint.number + FAR
        if earlier is not None and near and not misread:
            yield partial(self._reopened, earlier, slip, outcome)
        if len(slips) > 1 and len(slips).bit_count() == 1:
            yield partial(self._explained, slips[0], slip, outcome)
        if outcome.errors and (len(slips) == 1 or len(slips).bit_count() > 1):
            yield partial(self._explained, slip, slip, outcome)

    def _now(self, slip: Slip) -> Slip:
        """Return a slip with the moment before it, which may have been come to otherwise since."""
        checkpoint = slip.checkpoint
        for now in self.referee.checkpoints[checkpoint.number : checkpoint.number + 1]:
            if now.place == checkpoint.place:
                checkpoint = now
        return slip._replace(checkpoint=checkpoint)

    def _reopened(self, earlier: _Open, slip: Slip, outcome: Outcome) -> Checkpoint:
        """Go back to an earlier slip, and on in another way if with that this one is none."""
        checkpoint, key = self._now(earlier.slip).checkpoint, id(earlier.slip.statement)
        length = slip.checkpoint.number - checkpoint.number + NEAR + 1
        best, least = None, 1 + len(outcome.errors)
        for edit in islice(earlier.ways, REOPENED):
            if self.is_over or not least:
                break
            tried = self._read(checkpoint.snapshot, checkpoint.place, length, least, edit)
            if tried.whole and len(tried.errors) < least:
                best, least = edit, len(tried.errors)
        if best is not None:
            # It may have been gone back before the slip since, and no way was settled on again.
            way = self._ways.get(key, self._looked[key].way)
            self._ways[key] = way._replace(edit=best)
            self._forget(checkpoint.number + 1)
            self._open = earlier
        return checkpoint

    def _explained(self, anchor: Slip, slip: Slip, outcome: Outcome) -> Checkpoint | None:
        """Look for one edit before a slip that explains it and errors behind it.

        Returns a moment to go on from, unless nothing has been gone back to.

        """
        anchor, slip = self._now(anchor), self._now(slip)
        first = anchor.checkpoint.snapshot.report.findings
        told = self._errors(self.report.findings[first:])
        earlier = self._errors(self.report.findings[:first])
        errors = [*told, *outcome.errors]
        in_setup = bool(earlier) and earlier[0].round is None
        if not told or len(errors) + len(earlier) < LEAST_ERRORS or not self._errors(told[:1]):
            return None
        start, best = anchor.checkpoint, None
        if not in_setup:
            start, best = self._in_turns(anchor, slip, errors, earlier)
        if best is None and self.referee.start is not None:
            start = self.referee.start
            self._share()
            best = self._in_setup([*earlier, *errors], slip.checkpoint.number)
        if best is not None:
            self._take(best)
        # Where this has gone back to, reading goes on: with the edit, if there is one.
        return start

    def _in_turns(
        self, anchor: Slip, slip: Slip, errors: Sequence[Finding], earlier: Sequence[Finding]
    ) -> tuple[Checkpoint, Repair | None]:
        """Return the best edit in the turns, and the moment to which has been gone back."""
        known = {one.span for one in earlier}
        best: Repair | None = None
        end = slip.checkpoint.number + NEAR
        most, start = (len(errors) - 2) // ALL, anchor.checkpoint
        if anchor.statement is slip.statement:  # why these are errors tells where they come from
            ahead = self._read(
                self.match.snapshot(), slip.behind, NEAR, NAMING, told=True, explained=True
            )
            errors = [*errors[:1], *ahead.errors, *errors[1 + len(ahead.errors) :]]
        suspected = suspects(self.referee, anchor, errors)
        useless: set[object] = set()
        for checkpoint, edits in elsewhere(self.referee, anchor, suspected):
            if self.is_over or (best is not None and self._is_enough(best, anchor, checkpoint)):
                break
            start = checkpoint
            self.match.restore(checkpoint.snapshot)
            for edit in edits():
                start = min(start, edit.at, key=lambda one: one.number)
                if edit.alike is not None and edit.alike in useless:
                    continue
                for repair in self._tried(edit, errors[0], known, end, most, useless):
                    if best is None or repair.cost < best.cost:
                        best, most = repair, repair.left
                if self.is_over or (
                    best is not None and not best.cost[0] and edit.kind is best.edit.kind
                ):
                    break
        return start, best

    def _is_enough(self, best: Repair, anchor: Slip, checkpoint: Checkpoint) -> bool:
        """Tell whether nothing before a moment can be better than what was found."""
        near = checkpoint.number < anchor.checkpoint.number - 1
        return near and not best.cost[0] and best.edit.kind.value <= Change.INSERT.value

    def _tried(
        self,
        edit: Edit,
        error: Finding,
        known: set[Span],
        end: int,
        most: int,
        useless: set[object],
    ) -> Iterator[Repair]:
        """Yield an edit if it leaves few enough errors, and with what may have been drawn by it."""
        if edit.kind is Change.RENAME:
            most = min(most, 0)
        if edit.kind is Change.SWAP and any(id(one) in self._misread for one, _ in edit.instead):
            return  # what cannot be read is no better anywhere else
        outcome = self._far(edit, end, most + 1 + len(known))
        errors = [one for one in outcome.errors if one.span not in known]
        if errors and (errors[0].rule, errors[0].span) == (error.rule, error.span):
            useless.add(edit.alike)
        if not outcome.whole or len(errors) > most or edit.told is None:
            return
        # Nothing may be wrong that was right before the slip, nor what is moved.
        if any(one.span < error.span for one in errors) or _is_wrong(edit.moved, errors):
            return
        yield Repair(edit, edit.told(error), len(errors), outcome.used)
        if outcome.used and edit.kind in {Change.INSERT, Change.INSERT_FOR_OTHERS} and edit.assumed:
            for other in drawing(self.match, edit, errors):
                if self.is_over or other.told is None:
                    return
                further = self._far(other, end, most + 1 + len(known))
                left = [one for one in further.errors if one.span not in known]
                if further.whole and len(left) <= most:
                    yield Repair(other, other.told(error), len(left), further.used)
                    if not left and not further.used:
                        return

    def _far(self, edit: Edit, end: int, limit: int) -> Outcome:
        length = end - edit.at.number + len(edit.assumed)
        return self._read(edit.at.snapshot, edit.at.place, length, limit, edit)

    def _take(self, repair: Repair) -> None:
        """Take an edit elsewhere, which is to be read from a moment before it on."""
        self._forget(repair.edit.at.number)
        referee = self.referee
        referee.instead.update({id(statement): way for statement, way in repair.edit.instead})
        referee.assumed.update(map(id, repair.edit.assumed))
        self.repairs.append(repair)

    def _forget(self, number: int) -> None:
        """Forget what was found out of slips from a statement of the turns on."""
        gone = [one for one in self._slips if one.checkpoint.number >= number]
        for slip in gone:
            self._ways.pop(id(slip.statement), None)
            self._looked.pop(id(slip.statement), None)
        self._slips = [one for one in self._slips if one.checkpoint.number < number]
        if self._open is not None and self._open.slip.checkpoint.number >= number:
            self._open = None
        for repair in [one for one in self.repairs if one.edit.at.number >= number]:
            self.repairs.remove(repair)
            for statement, _ in repair.edit.instead:
                self.referee.instead.pop(id(statement), None)

    def _errors(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the errors that what was meant can explain: not what cannot be read."""
        return [
            one
            for one in findings
            if one.severity is Severity.ERROR and not is_misread(self.match, one)
        ]

    # ------------------------------------------------------------ the setup

    def laid_out(self, unseated: Finding | None) -> None:
        """Look whether another setup was meant, if the one that was laid out has errors.

        ``unseated`` is what is told of a seat because of which the turns are not judged.

        Raises:
            Back: to go on with it.

        """
        self._begin()
        try:
            self._lay_otherwise(judged=unseated is None)
        finally:
            self._end()

    def _lay_otherwise(self, *, judged: bool) -> None:
        start = self.referee.start
        if self._relaid or not self.goes_back or start is None or self.is_over:
            return
        behind = Point(start.place.section + 1, -1)
        if not any(one.kind is SectionKind.TURN for one in self.referee.sections):
            return
        self._relaid += 1
        errors = self._errors(self.report.findings)
        if judged:
            ahead = self._read(self.match.snapshot(), behind, NEAR, NEAR, told=True)
            errors += ahead.errors if errors else ()
        if len(errors) < LEAST_ERRORS:
            return
        best = self._in_setup(errors, 0)
        if best is not None:
            self._take(best)
        raise Back(start)

    def _in_setup(self, errors: Sequence[Finding], number: int) -> Repair | None:
        """Return the best edit of the setup, by the turns up to behind a statement."""
        start = self.referee.start
        assert start is not None
        statements = self.referee.sections[start.place.section].statements
        if not statements:
            return None
        # Of errors in turns it must explain all: another setup makes some of many go away.
        most = len(errors) // LEFT if errors[0].round is None else 0
        best: Repair | None = None
        self.match.restore(start.snapshot)
        tried = 0
        for edit in OfSetup(self.referee, errors).edits():
            if self.is_over or most < 0 or tried >= MAX_RELAID:
                break
            if any(id(statement) in self.referee.instead for statement, _ in edit.instead):
                continue
            outcome = self._far(edit, number + NEAR + len(statements) + 1, most + 1)
            tried += all(one.round is not None for one in outcome.errors)
            if outcome.whole and len(outcome.errors) <= most and edit.told is not None:
                left = len(outcome.errors)
                best, most = Repair(edit, edit.told(errors[0]), left, outcome.used), left - 1
        return best


_CUT = frozenset({"rule-budget", "rule-failure"})
"""The rules of what is told where reading ended because the budget was used up."""


def _is_wrong(statements: Sequence[Statement], errors: Sequence[Finding]) -> bool:
    spans = [statement.span() for statement in statements]
    return any(span[:2] <= one.span[:2] <= span[2:] for span in spans for one in errors)


def is_misread(match: Match, found: Finding) -> bool:
    """Tell whether an error is that a statement of a turn cannot be read, whoever plays."""
    if found.round is None or found.rule == "unknown-player":
        return False
    return found.span in match.report.misread

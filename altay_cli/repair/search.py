"""How reading goes on after a slip: as the log was probably meant, by what follows.

What the rules say of a breach - carry the move out anyway, or leave it out - is right for most
slips and cannot be for all. Where further errors follow, edits of the log are tried: at the place
of the slip, before it, in the setup. Each is read from the moment of its place to some statements
behind the slip, and that with the fewest errors is taken. An edit at the place of the slip changes
nothing of what was told of it; one elsewhere is told instead.

All that is tried in a game is paid from one budget, in steps.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple, NoReturn

from altay_cli.base.findings import ExpressionError, Finding, Span, errors_of
from altay_cli.base.values import Bag, Entity
from altay_cli.match.match import Match
from altay_cli.match.referee import HEADING, Back, Checkpoint, Point, Referee, Repairing
from altay_cli.match.reporting import Stop, Why
from altay_cli.match.statements import assume_turn, carry_out
from altay_cli.notation.tree import SectionKind, Statement
from altay_cli.pack.model import Pack
from altay_cli.pack.table import UNREAD
from altay_cli.repair import limits
from altay_cli.repair.candidates import (
    closest_legal_statement,
    concerned_entities,
    edits_at_slip,
    edits_by_checkpoint,
    insertions_with_outcome,
    legal_replacements,
    missing_comma,
    stateless_edits,
)
from altay_cli.repair.edits import INSERTIONS, Edit, EditKind
from altay_cli.repair.setups import OfSetup
from altay_cli.repair.tries import Outcome, Tries, ends_turns
from altay_cli.repair.wording import (
    drops_unknown_name,
    finding_for_edit,
    is_within,
    suggest_at_error,
)


class _Slip(NamedTuple):
    """A slip, and how reading goes on after it: with an ``edit`` at its place, or as the rules say.

    ``unread`` says that the statement cannot be read. If its edit is only one of the moves that it
    may stand for, it is ``open`` which.
    """

    moment: Checkpoint
    unread: bool
    edit: Edit | None = None
    open: bool = False


class _Repair(NamedTuple):
    """An edit elsewhere than at the slip, and how many of the errors it leaves.

    ``ahead`` counts the statements that can be read behind the errors that it explains, up to the
    first that it leaves; ``used`` says whether hidden things had to be supposed.
    """

    edit: Edit
    left: int
    used: bool
    ahead: int = 0

    @property
    def cost(self) -> tuple[int, int, bool, int]:
        """What is better is less."""
        return self.left, -self.ahead if self.left else 0, self.used, self.edit.kind.value

    @property
    def leaves_nothing(self) -> bool:
        """Whether nothing is wrong with it, and nothing has to be supposed."""
        return not self.left and not self.used

    @property
    def is_likeliest(self) -> bool:
        """Whether nothing earlier can be better."""
        return self.leaves_nothing and self.edit.kind.value <= EditKind.INSERT.value


class Search(Repairing):
    """Finds out how to go on best after the slips of one game.

    ``ask`` is called where it has an error, and raises something if it is to be read otherwise.
    """

    def __init__(self, referee: Referee, ask: Callable[[], None]) -> None:
        self.referee = referee
        self.match = referee.match
        self.report = referee.report
        self.tries = Tries(referee, self.repeat, ask)
        # The edits elsewhere than at slips that were taken.
        self._taken: list[Edit] = []
        # The slips for which that was found out, in their order, by the identity of the statement.
        self._slips: dict[int, _Slip] = {}

    @property
    def told(self) -> list[Finding]:
        """What is told of edits."""
        return [
            finding_for_edit(edit, of_setup=edit.at is self.referee.start) for edit in self._taken
        ]

    def begins_turn(self, statement: Statement, own: Point, behind: Point) -> bool:
        """Return whether a statement between two turns is a turn of its own, by what follows."""
        match = self.match
        with self.tries.at_slip():
            before = match.snapshot()
            without = with_it = len(self.tries.read(behind).errors)
            # Where no further turn can begin, as behind the end, or too much was asked.
            with suppress(Stop, ExpressionError):
                assume_turn(match)
                carry_out(match, statement, "turns")
                with_it = len(self.tries.read(own).errors)
            match.restore(before, told=True)
        return with_it < without

    # ------------------------------------------------------------ a slip in the turns

    def recover(self, slip: Checkpoint) -> None:
        """Go on after a slip, or from an earlier moment: then Back is raised."""
        if not self.repeat(slip):
            with self.tries.at_slip():
                self._find(slip)

    def repeat(self, slip: Checkpoint) -> bool:
        """Go on after a slip in a way that was found before, if one was."""
        known = self._slips.get(id(slip.statement))
        if known is not None:
            self._go_on(known._replace(moment=slip))
        return known is not None

    def _find(self, slip: Checkpoint) -> None:
        """Find out how to go on after a slip, and do so."""
        if self.tries.exhausted:
            return
        if not self._slips:
            self._take_elsewhere(slip)
        known, stood = _Slip(slip, self.match.state.unread), self.report.here
        if ends_turns(self.match.pack):
            self._reopen(slip)
            if known.unread and slip.phase != "heading":
                self._stand_in(slip)
                return
        edit, outcome, tried = self._at_slip(slip, unread=known.unread)
        self.report.stand(stood)
        if (anchor := self._anchor(slip, outcome)) is not None:
            self.tries.share(2)
            self._go_on(known)
            with self.tries.rewinding():
                earlier = self._explaining(anchor, slip, outcome)
            if earlier is not None:
                self._take(earlier)
        self.tries.share()
        least = len(outcome.errors)
        is_judged = outcome.judged
        if least:  # which of the edits that leave errors is best: of those that go well longest
            for one, _ in sorted(tried, key=lambda one: -one[1].clean_statements)[
                : limits.COMPARED
            ]:
                outcome = self._with_edit(slip, one, least)
                comparable = outcome.complete and (outcome.judged or not is_judged)
                if comparable and len(outcome.errors) < least:
                    edit, least = one, len(outcome.errors)
            self.report.stand(stood)
        self._slips[id(slip.statement)] = known = known._replace(edit=edit)
        self._go_on(known)

    def _at_slip(
        self, slip: Checkpoint, *, unread: bool
    ) -> tuple[Edit | None, Outcome, Sequence[tuple[Edit, Outcome]]]:
        """Find the best of a few likely edits at the place of a slip: one with no errors behind it.

        With it comes what comes of it; if there is none, the edits that leave errors as well.
        """
        match = self.match
        best = self.tries.read(slip.behind)
        match.restore(slip.snapshot, told=True)
        meant = closest_legal_statement(match, slip) if unread else missing_comma(match, slip)
        if meant is not None:
            outcome = self._with_edit(slip, meant, len(best.errors) + 1)
            if outcome.complete and (not unread or len(outcome.errors) <= len(best.errors)):
                return meant, outcome, ()
        edits = edits_at_slip(match, slip, concerned_entities(self.referee, best.errors))
        tried: list[tuple[Edit, Outcome]] = []
        most = limits.STAND_INS if ends_turns(match.pack) else limits.FEW_EDITS
        for edit in islice(edits, most) if best.errors else ():
            if self.tries.exhausted:
                break
            outcome = self._with_edit(slip, edit, 1)
            is_read = outcome.complete and (outcome.judged or not best.judged)
            if not outcome.errors and (is_read or outcome.clean_statements > limits.FAR_ENOUGH):
                return edit, outcome, ()
            tried.append((edit, outcome))
        return None, best, tried

    # ------------------------------------------------------------ unreadable moves

    def _stand_in(self, slip: Checkpoint) -> None:
        """Go on with a move that an unreadable statement may stand for, where turns end by it.

        Raises Stop if what follows goes with none of them.
        """
        stood = self.report.here
        edit, _ = self._best_stand_in(slip)
        self.report.stand(stood)
        known = _Slip(slip, unread=True, edit=edit, open=True)
        if edit is None:
            self._go_on(known)
            raise Stop(whole_game=True, why=Why.OPEN)
        self._slips[id(slip.statement)] = known
        self._go_on(known)

    def _best_stand_in(
        self, slip: Checkpoint, length: int = limits.NEAR
    ) -> tuple[Edit | None, bool]:
        """Return the move that goes longest with what follows an unreadable statement.

        There is none if that is not long. With it comes whether all that are legal were tried, each
        with so many statements.
        """
        match = self.match
        self.tries.share(1)
        nothing = Edit(EditKind.DELETE, slip, ((slip.statement, ()),))
        skipped = self._with_edit(slip, nothing, 1, length)
        meant = closest_legal_statement(match, slip)
        edits = [*([meant] if meant is not None else ())]
        edits += legal_replacements(match, slip, concerned_entities(self.referee, skipped.errors))
        tried: list[tuple[Edit, Outcome]] = []
        for edit in edits[: limits.STAND_INS]:
            outcome = self._with_edit(slip, edit, 1, length)
            if not outcome.complete:
                break
            tried.append((edit, outcome))
            if not outcome.errors:
                return edit, True
        every = len(tried) == len(edits)
        # It may be no move at all, or another slip may follow.
        tried.append((nothing, skipped))
        tried.sort(key=lambda one: (bool(one[1].errors), -one[1].clean_statements))
        edit, outcome = tried[0]
        if not outcome.errors or outcome.clean_statements > limits.FAR_ENOUGH:
            return edit, every
        for edit, _ in tried[: limits.COMPARED]:
            outcome = self._with_edit(slip, edit, 2, length)
            if outcome.complete and len(outcome.errors) < 2:
                return edit, every
        return None, every

    def _reopen(self, slip: Checkpoint) -> None:
        """Look whether the last unreadable statement stands for a move with which a slip is none.

        Then Back is raised. Raises Stop if it is not known of all moves that they do not help: too
        little could be tried, or what several statements stand for is open.
        """
        last = max(self._slips.values(), key=lambda one: one.moment.number, default=None)
        if last is None or not last.open:
            return
        length = slip.number - last.moment.number + limits.FAR_ENOUGH
        with self.tries.rewinding():
            edit, every = self._best_stand_in(last.moment, max(length, limits.NEAR))
        if edit is not None and last.edit is not None and edit.instead != last.edit.instead:
            self._slips[id(last.moment.statement)] = last._replace(edit=edit)
            raise Back(last.moment)
        if not every or sum(one.open for one in self._slips.values()) > 1:
            self.match.restore(slip.snapshot)
            raise Stop(whole_game=True, why=Why.ILLEGIBLE)

    def _with_edit(
        self, slip: Checkpoint, edit: Edit, limit: int, length: int = limits.NEAR
    ) -> Outcome:
        """Read from a slip on with an edit at its place."""
        return self.tries.read(slip.place, limit, length, edit, keep_findings=True)

    def _go_on(self, known: _Slip) -> None:
        """Carry out what was found for a slip, without a word, and tell what was meant."""
        match, report, (slip, unread, edit, _) = self.match, self.report, known
        actor = report.here.actor
        match.restore(slip.snapshot, told=True)
        match.made.clear()
        with suppress(Stop):
            for one in (slip.statement,) if edit is None else edit.instead[0][1]:
                carry_out(match, one, slip.phase)
        report.stand(report.here._replace(statement=slip.statement, actor=actor))
        if edit is None or not edit.text:
            match.state.put(UNREAD, unread)
        else:
            suggest_at_error(report, slip.statement, edit.text)

    # ------------------------------------------------------------ before the slip

    def _take_elsewhere(self, slip: Checkpoint) -> None:
        """Leave open from where things are taken that lie openly in two zones, if that is better.

        A name such as that of a card in hand, of which there is another one laid aside, is taken
        for what lies in the first of them otherwise. Raises Back, to go on from where something of
        which another one was laid aside is named first.
        """
        resolver = self.match.resolver
        start = None if resolver.leaves_open else self._took_one_of_two(slip)
        if start is None:
            return
        with self.tries.rewinding():
            resolver.leaves_open = True
            self.match.restore(start.snapshot)
            length = slip.number - start.number + 1
            outcome = self.tries.read(start.place, 1, length)
            resolver.leaves_open = outcome.complete and not outcome.errors
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

    def _anchor(self, slip: Checkpoint, outcome: Outcome) -> Checkpoint | None:
        """Return the statement before which to look for what explains errors, if any is looked for.

        That is the first slip each time when they have doubled, and the last one otherwise. A
        statement of the turns with an error behind which the rest of its turn was not read counts
        as one: what follows from it is no slip, and may be explained by it.
        """
        slips = [*(one.moment for one in self._slips.values()), slip]
        errors = errors_of(self.report.findings)
        if (first := next((one for one in errors if one.round is not None), None)) is not None:
            before = self.referee.checkpoints[: min(one.number for one in slips)]
            slips[:0] = [one for one in before if is_within(first, one.statement)]
        if len(slips) > 1 and len(slips).bit_count() == 1:
            return slips[0]
        return slip if outcome.errors else None

    def _explaining(self, anchor: Checkpoint, slip: Checkpoint, outcome: Outcome) -> Edit | None:
        """Return one edit before a slip that explains it and errors behind it, if there is one."""
        first = anchor.snapshot.report.findings
        later = explicable(self.match, self.report.findings[first:])
        earlier = explicable(self.match, self.report.findings[:first])
        errors = [*later, *outcome.errors]
        if not later or len(errors) + len(earlier) < limits.LEAST_ERRORS:
            return None
        edit = None
        if not earlier or earlier[0].round is not None:
            edit = self._in_turns(anchor, slip, errors, {one.span for one in earlier})
        if edit is None:
            self.tries.share()
            edit = self._in_setup([*earlier, *errors], slip.number)
        return edit

    def _in_turns(
        self, anchor: Checkpoint, slip: Checkpoint, errors: Sequence[Finding], known: set[Span]
    ) -> Edit | None:
        """Return the best edit in the turns, whatever it does of errors ``known`` before."""
        if anchor.statement is slip.statement:  # why these are errors tells where they come from
            ahead = self.tries.read(slip.behind, limits.NAMING, explained=True)
            errors = [*errors[:1], *ahead.errors, *errors[1 + len(ahead.errors) :]]
        until = (slip.number + limits.NEAR, slip.number + self._count(slip, errors[:2][-1]))
        useless: set[object] = set()
        best: _Repair | None = None

        def take_best(edits: Iterable[Edit]) -> None:
            nonlocal best
            for edit in edits:
                if edit.group is not None and edit.group in useless:
                    continue
                for repair in self._tried(edit, errors[0], known, until, useless):
                    if best is None or repair.cost < best.cost:
                        best = repair
                if self.tries.exhausted or (
                    best is not None and best.leaves_nothing and edit.kind is best.edit.kind
                ):
                    break

        with self.tries.rewinding():
            take_best(stateless_edits(self.referee, anchor, errors))
        for checkpoint, edits in edits_by_checkpoint(self.referee, anchor, errors):
            earlier = checkpoint.number < anchor.number - 1
            if self.tries.exhausted or (earlier and best is not None and best.is_likeliest):
                break
            self.match.restore(checkpoint.snapshot)
            take_best(edits)
        return best.edit._replace(error=errors[0]) if best is not None else None

    def _count(self, slip: Checkpoint, error: Finding) -> int:
        """Count the headings and statements from a slip up to one at which an error stands."""
        which, first = slip.place
        section, *behind = self.referee.sections[which:]
        rest = [section.heading, *section.statements][first + 1 :]
        rest += [one for other in behind for one in (other.heading, *other.statements)]
        return next((n for n, one in enumerate(rest) if one.span()[2:] >= error.span[:2]), 0)

    def _tried(
        self,
        edit: Edit,
        error: Finding,
        known: set[Span],
        until: tuple[int, int],
        useless: set[object],
    ) -> Iterator[_Repair]:
        """Yield an edit if it explains the first errors, and with what may have been drawn by it.

        It is read ``until`` the first of two statements of the turns; up to the second of them, it
        has to explain all.
        """
        end, behind = until
        outcome = self.tries.with_edit(edit, end, 1 + len(known))
        errors = [one for one in outcome.errors if one.span not in known]
        if errors and (errors[0].rule, errors[0].span) == (error.rule, error.span):
            useless.add(edit.group)
        ahead = edit.at.number + outcome.clean_statements - behind
        if ahead <= limits.FAR_ENOUGH and (errors or not outcome.complete):
            return
        # Nothing may be wrong that was right before the slip, nor what is moved.
        moved = edit.instead if edit.kind is EditKind.SWAP else ()
        if any(
            one.span < error.span or any(is_within(one, statement) for statement, _ in moved)
            for one in errors
        ):
            return
        yield _Repair(edit, len(errors), outcome.supposed_hidden, ahead)
        inserted = edit.kind in INSERTIONS
        for other in (
            insertions_with_outcome(self.match, edit, errors)
            if inserted and outcome.supposed_hidden
            else ()
        ):
            if self.tries.exhausted:
                return
            further = self.tries.with_edit(other, end, 1 + len(known))
            if further.complete and all(one.span in known for one in further.errors):
                yield _Repair(other, 0, further.supposed_hidden)
                if not further.supposed_hidden:
                    return

    def _take(self, edit: Edit) -> NoReturn:
        """Take an edit elsewhere: raise Back, to go on from its moment."""
        number, referee = edit.at.number, self.referee
        for key in [key for key, one in self._slips.items() if one.moment.number >= number]:
            del self._slips[key]
        for other in [one for one in self._taken if one.at.number >= number]:
            self._taken.remove(other)
            for statement, _ in other.instead:
                referee.instead.pop(id(statement), None)
        referee.instead.update({id(statement): way for statement, way in edit.instead})
        referee.assumed.update(map(id, edit.assumed))
        self._taken.append(edit)
        raise Back(edit.at)

    # ------------------------------------------------------------ the setup

    def laid_out(self, unseated: Sequence[Finding]) -> None:
        """Look whether another setup was meant, if the one that was laid out has errors.

        ``unseated`` is what is told of seats because of which the turns are not judged. Raises
        Back, to go on with it.
        """
        with self.tries.at_slip():
            start, sections = self.referee.start, self.referee.sections
            if start is None or self.tries.exhausted:
                return
            relaid = any(edit.at is start for edit in self._taken)
            if relaid or all(section.kind is not SectionKind.TURN for section in sections):
                return
            errors = explicable(self.match, self.report.findings)
            # Many games of an archive may lack the same.
            kept = self.match.pack.cached(_sound_setups)
            key = self._all_that_counts(errors)
            before = self.tries.settled()
            if (spent := kept.get(key)) is not None:
                self.tries.spend(spent)
                return
            if errors and not unseated:
                errors += self.tries.read(Point(start.place.section + 1, HEADING)).errors
            if len(errors) < limits.LEAST_ERRORS:
                return
            with self.tries.rewinding():
                edit = self._in_setup(errors, 0)
            if edit is not None:
                self._take(edit)
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[key] = before - self.tries.settled()

    def _all_that_counts(self, errors: Sequence[Finding]) -> Hashable:
        """Return all that a search for another setup depends on, with what may be spent on it."""
        state, sections = self.match.state, self.referee.sections
        texts = tuple(
            (one.kind, one.heading.text, *(each.text for each in one.statements))
            for one in sections
        )
        told = tuple((error.rule, error.message) for error in errors)
        options = tuple(sorted(state.options.items()))
        return texts, told, options, state.complete, self.tries.remaining

    def _in_setup(self, errors: Sequence[Finding], number: int) -> Edit | None:
        """Return the best edit of the setup, by the turns up to behind a statement."""
        start = self.referee.start
        statements = self.referee.sections[start.place.section].statements if start else ()
        if start is None or not statements:
            return None
        # Of errors in turns it must explain all: another setup makes some of many go away.
        most = len(errors) // limits.LEFT if errors[0].round is None else 0
        best: Edit | None = None
        unread = [error for error in errors if error.span in self.report.misread]
        # That a name is unknown, no other setup explains.
        unknown = [one for one in unread if _is_unknown_name(one)]
        first = next((one for one in errors if one not in unknown), None)
        if first is None:
            return None
        for edit in OfSetup(self.referee, errors).edits():
            if self.tries.exhausted or most < 0:
                break
            if any(id(statement) in self.referee.instead for statement, _ in edit.instead):
                continue
            where = edit.where
            if edit.kind in {EditKind.RENAME, EditKind.DELETE} and where is not None:
                part = edit.part or (0, len(where.text))
                text = edit.text if edit.kind is EditKind.RENAME else ""
                if drops_unknown_name(unknown, where, part, text):
                    continue
            # That a statement cannot be read is told whatever was meant by it.
            length = number + limits.NEAR + len(statements) + 1
            own = sum(is_within(error, where) for error in unread if where)
            outcome = self.tries.with_edit(edit, length, most + own + 1)
            left = len(outcome.errors) - own
            if outcome.complete and outcome.judged and left <= most:
                best, most = edit._replace(error=edit.error or first), left - 1
        return best


_MOST_KEPT = 10_000
"""The maximum number of setups that are kept for a pack."""


def _sound_setups(_pack: Pack) -> dict[Hashable, int]:
    """Return how many steps it took to find out that no other setup was meant, by its game.

    What was found is the same for a game whatever was read before it, and so is what it costs.
    """
    return {}


def _is_unknown_name(finding: Finding) -> bool:
    """Return whether a finding says that the name of a thing is unknown."""
    other = {"unknown-player", "unknown-statement"}
    return finding.rule.startswith("unknown-") and finding.rule not in other


def explicable(match: Match, findings: Iterable[Finding]) -> list[Finding]:
    """Return the errors that what was meant can explain.

    That is not that a statement of a turn cannot be read, whoever plays.
    """
    return [
        error
        for error in errors_of(findings)
        if error.round is None
        or error.rule == "unknown-player"
        or error.span not in match.report.misread
    ]

"""Search for the repair after a slip: the edit of the log that explains most later errors.

Without one, judging continues as the rules say. If errors follow, edits are tried: at the slip,
before it, in the setup. Each is judged up to some statements after the slip. One at the slip keeps
its finding; one elsewhere replaces it.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple, NoReturn

from altay_cli.base.findings import UNDECIDED, ExpressionError, Finding, Span, errors_of
from altay_cli.base.values import Bag, Entity
from altay_cli.match.headings import assume_turn
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee, Rewind
from altay_cli.match.reporting import Stop, StopReason
from altay_cli.match.sections import HEADING, Checkpoint, Point, Repairing
from altay_cli.match.statements import carry_out
from altay_cli.notation.tree import Section, SectionKind, Statement
from altay_cli.pack.layout import UNREAD
from altay_cli.pack.model import Pack
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
from altay_cli.repair.lookahead import Lookahead, Outcome, ends_turns
from altay_cli.repair.setups import SetupEdits
from altay_cli.repair.wording import (
    drops_unknown_name,
    finding_for_edit,
    is_within,
    suggest_at_error,
)


class _Slip(NamedTuple):
    """A slip, and the edit of its statement that judging continues with.

    ambiguous: an unreadable statement may be several moves; the edit is one of them.
    """

    checkpoint: Checkpoint
    unread: bool
    edit: Edit | None = None
    ambiguous: bool = False


class _Repair(NamedTuple):
    """An edit before the slip, and how many errors it leaves.

    clean_ahead: clean statements after the errors that it explains.
    """

    edit: Edit
    left: int
    supposed_hidden: bool
    clean_ahead: int = 0

    @property
    def cost(self) -> tuple[int, int, bool, int]:
        """The sort key: less is better."""
        return (
            self.left,
            -self.clean_ahead if self.left else 0,
            self.supposed_hidden,
            self.edit.kind.value,
        )

    @property
    def leaves_nothing(self) -> bool:
        return not self.left and not self.supposed_hidden

    @property
    def is_likeliest(self) -> bool:
        return self.leaves_nothing and self.edit.kind.value <= EditKind.INSERT.value


class Search(Repairing):
    """Finds the best way to continue after the slips of one game.

    before_search: may raise to restart the game in another reading.
    """

    def __init__(self, referee: Referee, before_search: Callable[[], None]) -> None:
        self.referee = referee
        self.match = referee.match
        self.report = referee.report
        self.lookahead = Lookahead(referee, self.repeat_answer, before_search)
        # The edits before slips.
        self._applied: list[Edit] = []
        # The slips with an answer, by `id(statement)`.
        self._slips: dict[int, _Slip] = {}

    @property
    def findings(self) -> list[Finding]:
        """The findings of the edits that were applied."""
        start = self.referee.start
        return [finding_for_edit(edit, of_setup=edit.checkpoint is start) for edit in self._applied]

    def begins_turn(self, statement: Statement, after: Point, next_turn: Point) -> bool:
        """Return True if the next statements suggest a missing heading."""
        match = self.match
        with self.lookahead.searching():
            without = with_it = len(self.lookahead.judge_ahead(next_turn).errors)
            # The game may have ended, or the budget ran out.
            with match.speculating(), suppress(Stop, ExpressionError):
                assume_turn(match)
                carry_out(match, statement, "turns")
                with_it = len(self.lookahead.judge_ahead(after).errors)
        return with_it < without

    # ------------------------------------------------------------ a slip in the turns

    def recover(self, slip: Checkpoint) -> None:
        """Continue after a slip; raise Rewind to do so from an earlier checkpoint.

        Raise Stop after an unexplained slip in a game that is partly undecided, as the following
        statements might be called illegal because of it.
        """
        errors = errors_of(self.report.findings)
        here = errors_of(self.report.findings[slip.snapshot.report.findings :])
        if here and all(finding.rule == UNDECIDED for finding in here):
            return  # an undecided statement may be right
        if not self.repeat_answer(slip):
            with self.lookahead.searching():
                self._repair_slip(slip)
        known = self._slips.get(id(slip.statement))
        is_explained = known is not None and known.edit is not None
        if not is_explained and any(finding.rule == UNDECIDED for finding in errors):
            raise Stop(whole_game=True)

    def repeat_answer(self, slip: Checkpoint) -> bool:
        """Continue after a slip as before; return False if it is new."""
        known = self._slips.get(id(slip.statement))
        if known is not None:
            self._continue(known._replace(checkpoint=slip))
        return known is not None

    def _repair_slip(self, slip: Checkpoint) -> None:
        if self.lookahead.exhausted:
            return
        if not self._slips:
            self._leave_source_open(slip)
        known, context = _Slip(slip, self.match.state.unread), self.report.context
        if ends_turns(self.match.pack):
            self._reconsider(slip)
            if known.unread and slip.phase != "heading":
                self._replace_unreadable(slip)
                return
        edit, outcome, tried = self._find_edit_at_slip(slip, unread=known.unread)
        self.report.context = context
        if (anchor := self._anchor(slip, outcome)) is not None:
            self.lookahead.begin_search(2)
            self._continue(known)
            with self.lookahead.rewinding():
                earlier = self._find_explanation(anchor, slip, outcome)
            if earlier is not None:
                self._apply_elsewhere(earlier)
        self.lookahead.begin_search()
        fewest = len(outcome.errors)
        is_judged = outcome.judged
        if fewest:  # compare those that leave errors, the longest clean first
            for candidate, _ in sorted(tried, key=lambda trial: -trial[1].clean_statements)[
                : limits.COMPARED
            ]:
                outcome = self._with_edit(slip, candidate, fewest)
                comparable = outcome.complete and (outcome.judged or not is_judged)
                if comparable and len(outcome.errors) < fewest:
                    edit, fewest = candidate, len(outcome.errors)
            self.report.context = context
        self._slips[id(slip.statement)] = known = known._replace(edit=edit)
        self._continue(known)

    def _find_edit_at_slip(
        self, slip: Checkpoint, *, unread: bool
    ) -> tuple[Edit | None, Outcome, Sequence[tuple[Edit, Outcome]]]:
        """Return the edit that leaves no error, its outcome, and those that leave some.

        Without such an edit, the outcome is that of the rules.
        """
        match = self.match
        best = self.lookahead.judge_ahead(slip.next_point)
        match.rewind(slip.snapshot)
        closest = closest_legal_statement(match, slip) if unread else missing_comma(match, slip)
        if closest is not None:
            outcome = self._with_edit(slip, closest, len(best.errors) + 1)
            if outcome.complete and (not unread or len(outcome.errors) <= len(best.errors)):
                return closest, outcome, ()
        edits = edits_at_slip(match, slip, concerned_entities(self.referee, best.errors))
        tried: list[tuple[Edit, Outcome]] = []
        most = limits.STAND_INS if ends_turns(match.pack) else limits.FEW_EDITS
        for edit in islice(edits, most) if best.errors else ():
            if self.lookahead.exhausted:
                break
            outcome = self._with_edit(slip, edit, 1)
            is_read = outcome.complete and (outcome.judged or not best.judged)
            if not outcome.errors and (is_read or outcome.clean_statements > limits.FAR_ENOUGH):
                return edit, outcome, ()
            tried.append((edit, outcome))
        return None, best, tried

    # ------------------------------------------------------------ unreadable moves

    def _replace_unreadable(self, slip: Checkpoint) -> None:
        context = self.report.context
        edit, _ = self._find_replacement(slip)
        self.report.context = context
        known = _Slip(slip, unread=True, edit=edit, ambiguous=True)
        if edit is None:
            self._continue(known)
            raise Stop(whole_game=True, why=StopReason.OPEN)
        self._slips[id(slip.statement)] = known
        self._continue(known)

    def _find_replacement(
        self, slip: Checkpoint, length: int = limits.NEAR
    ) -> tuple[Edit | None, bool]:
        """Return the move after which most statements are clean, unless those are few.

        Also return whether all legal moves were tried.
        """
        match = self.match
        self.lookahead.begin_search(1)
        nothing = Edit(EditKind.DELETE, slip, ((slip.statement, ()),))
        skipped = self._with_edit(slip, nothing, 1, length)
        closest = closest_legal_statement(match, slip)
        edits = [*([closest] if closest is not None else ())]
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
        # It may be no move, or another slip may follow.
        tried.append((nothing, skipped))
        tried.sort(key=lambda trial: (bool(trial[1].errors), -trial[1].clean_statements))
        edit, outcome = tried[0]
        if not outcome.errors or outcome.clean_statements > limits.FAR_ENOUGH:
            return edit, every
        for edit, _ in tried[: limits.COMPARED]:
            outcome = self._with_edit(slip, edit, 2, length)
            if outcome.complete and len(outcome.errors) < 2:
                return edit, every
        return None, every

    def _reconsider(self, slip: Checkpoint) -> None:
        """Raise Rewind if another move in place of the last unreadable statement explains a slip.

        Raise Stop if it may, but not all moves could be tried, or several statements are unclear.
        """
        last = max(self._slips.values(), key=lambda found: found.checkpoint.number, default=None)
        if last is None or not last.ambiguous:
            return
        length = slip.number - last.checkpoint.number + limits.FAR_ENOUGH
        with self.lookahead.rewinding():
            edit, every = self._find_replacement(last.checkpoint, max(length, limits.NEAR))
        if (
            edit is not None
            and last.edit is not None
            and edit.replacements != last.edit.replacements
        ):
            self._slips[id(last.checkpoint.statement)] = last._replace(edit=edit)
            raise Rewind(last.checkpoint)
        if not every or sum(found.ambiguous for found in self._slips.values()) > 1:
            self.match.restore(slip.snapshot)
            raise Stop(whole_game=True, why=StopReason.ILLEGIBLE)

    def _with_edit(
        self, slip: Checkpoint, edit: Edit, limit: int, length: int = limits.NEAR
    ) -> Outcome:
        return self.lookahead.judge_ahead(slip.place, limit, length, edit, keep_findings=True)

    def _continue(self, known: _Slip) -> None:
        match, report, (slip, unread, edit, _) = self.match, self.report, known
        actor = report.context.actor
        match.rewind(slip.snapshot)
        match.made.clear()
        with suppress(Stop):
            for statement in (slip.statement,) if edit is None else edit.replacements[0][1]:
                carry_out(match, statement, slip.phase)
        report.context = report.context._replace(statement=slip.statement, actor=actor)
        if edit is None or not edit.text:
            match.state.journal.put(UNREAD, unread)
        else:
            suggest_at_error(report, slip.statement, edit.text)

    # ------------------------------------------------------------ before the slip

    def _leave_source_open(self, slip: Checkpoint) -> None:
        """Raise Rewind if leaving the source of a thing open is better."""
        resolver = self.match.resolver
        if resolver.leaves_open:
            return
        before = self.referee.checkpoints[: slip.number + 1]
        if (start := _first_with_two_sources(self.match, before)) is None:
            return
        with self.lookahead.rewinding():
            resolver.leaves_open = True
            self.match.restore(start.snapshot)
            length = slip.number - start.number + 1
            outcome = self.lookahead.judge_ahead(start.place, 1, length)
            resolver.leaves_open = outcome.complete and not outcome.errors
        if resolver.leaves_open:
            raise Rewind(start)

    def _anchor(self, slip: Checkpoint, outcome: Outcome) -> Checkpoint | None:
        """Return the checkpoint up to which to search for an explanation, if at all.

        It is the first slip whenever their number has doubled, else the last. An error counts as a
        slip if the rest of its turn was skipped.
        """
        slips = [*(found.checkpoint for found in self._slips.values()), slip]
        errors = errors_of(self.report.findings)
        if (
            first := next((error for error in errors if error.round is not None), None)
        ) is not None:
            before = self.referee.checkpoints[: min(known.number for known in slips)]
            slips[:0] = [point for point in before if is_within(first, point.statement)]
        if len(slips) > 1 and len(slips).bit_count() == 1:
            return slips[0]
        return slip if outcome.errors else None

    def _find_explanation(
        self, anchor: Checkpoint, slip: Checkpoint, outcome: Outcome
    ) -> Edit | None:
        first = anchor.snapshot.report.findings
        later = self.report.explainable(self.report.findings[first:])
        earlier = self.report.explainable(self.report.findings[:first])
        errors = [*later, *outcome.errors]
        if not later or len(errors) + len(earlier) < limits.LEAST_ERRORS:
            return None
        edit = None
        if not earlier or earlier[0].round is not None:
            edit = self._find_edit_in_turns(anchor, slip, errors, {error.span for error in earlier})
        if edit is None:
            self.lookahead.begin_search()
            edit = self._find_edit_in_setup([*earlier, *errors], slip.number)
        return edit

    def _find_edit_in_turns(
        self, anchor: Checkpoint, slip: Checkpoint, errors: Sequence[Finding], known: set[Span]
    ) -> Edit | None:
        if anchor.statement is slip.statement:  # complete errors name more entities
            ahead = self.lookahead.judge_ahead(slip.next_point, limits.NAMING, explained=True)
            errors = [*errors[:1], *ahead.errors, *errors[1 + len(ahead.errors) :]]
        distance = _distance(self.referee.sections, slip, errors[:2][-1])
        until = (slip.number + limits.NEAR, slip.number + distance)
        useless: set[object] = set()
        best: _Repair | None = None

        def take_best(edits: Iterable[Edit]) -> None:
            nonlocal best
            for edit in edits:
                if edit.group is not None and edit.group in useless:
                    continue
                for repair in self._try_edit(edit, errors[0], known, until, useless):
                    if best is None or repair.cost < best.cost:
                        best = repair
                if self.lookahead.exhausted or (
                    best is not None and best.leaves_nothing and edit.kind is best.edit.kind
                ):
                    break

        with self.lookahead.rewinding():
            take_best(stateless_edits(self.referee, anchor, errors))
        for checkpoint, edits in edits_by_checkpoint(self.referee, anchor, errors):
            earlier = checkpoint.number < anchor.number - 1
            if self.lookahead.exhausted or (earlier and best is not None and best.is_likeliest):
                break
            self.match.restore(checkpoint.snapshot)
            take_best(edits)
        return best.edit._replace(error=errors[0]) if best is not None else None

    def _try_edit(
        self,
        edit: Edit,
        error: Finding,
        known: set[Span],
        until: tuple[int, int],
        useless: set[object],
    ) -> Iterator[_Repair]:
        """Yield an edit if it explains the first errors, and its variants with an outcome.

        until: the last statement to judge, and the one up to which no error may remain.
        """
        end, explained_to = until
        outcome = self.lookahead.judge_with_edit(edit, end, 1 + len(known))
        errors = [left for left in outcome.errors if left.span not in known]
        if errors and (errors[0].rule, errors[0].span) == (error.rule, error.span):
            useless.add(edit.group)
        ahead = edit.checkpoint.number + outcome.clean_statements - explained_to
        if ahead <= limits.FAR_ENOUGH and (errors or not outcome.complete):
            return
        if _adds_errors(edit, errors, error):
            return
        yield _Repair(edit, len(errors), outcome.supposed_hidden, ahead)
        inserted = edit.kind in INSERTIONS
        for other in (
            insertions_with_outcome(self.match, edit, errors)
            if inserted and outcome.supposed_hidden
            else ()
        ):
            if self.lookahead.exhausted:
                return
            further = self.lookahead.judge_with_edit(other, end, 1 + len(known))
            if further.complete and all(left.span in known for left in further.errors):
                yield _Repair(other, 0, further.supposed_hidden)
                if not further.supposed_hidden:
                    return

    def _apply_elsewhere(self, edit: Edit) -> NoReturn:
        number, referee = edit.checkpoint.number, self.referee
        for key in [key for key, found in self._slips.items() if found.checkpoint.number >= number]:
            del self._slips[key]
        for other in [later for later in self._applied if later.checkpoint.number >= number]:
            self._applied.remove(other)
            for statement, _ in other.replacements:
                referee.replacements.pop(id(statement), None)
        referee.replacements.update({id(statement): new for statement, new in edit.replacements})
        referee.assumed.update(map(id, edit.assumed))
        self._applied.append(edit)
        raise Rewind(edit.checkpoint)

    # ------------------------------------------------------------ the setup

    def recover_setup(self, unseated: Sequence[Finding]) -> None:
        """Raise Rewind if another setup avoids errors, such as the ``unseated`` ones."""
        with self.lookahead.searching():
            start, sections = self.referee.start, self.referee.sections
            if start is None or self.lookahead.exhausted:
                return
            relaid = any(edit.checkpoint is start for edit in self._applied)
            if relaid or all(section.kind is not SectionKind.TURN for section in sections):
                return
            errors = self.report.explainable(self.report.findings)
            # Games of an archive may share a mistake.
            cached = self.match.pack.cached(_sound_setups)
            key = _cache_key(self.match, sections, errors, self.lookahead.remaining)
            before = self.lookahead.settled()
            if (spent := cached.get(key)) is not None:
                self.lookahead.spend(spent)
                return
            if errors and not unseated:
                errors += self.lookahead.judge_ahead(Point(start.place.section + 1, HEADING)).errors
            if len(errors) < limits.LEAST_ERRORS:
                return
            with self.lookahead.rewinding():
                edit = self._find_edit_in_setup(errors, 0)
            if edit is not None:
                self._apply_elsewhere(edit)
            _keep(cached, key, before - self.lookahead.settled())

    def _find_edit_in_setup(self, errors: Sequence[Finding], number: int) -> Edit | None:
        start = self.referee.start
        statements = self.referee.sections[start.place.section].statements if start else ()
        if start is None or not statements:
            return None
        # It must explain all errors in turns: any other setup explains some.
        most = len(errors) // limits.LEFT if errors[0].round is None else 0
        best: Edit | None = None
        unread = [error for error in errors if error.span in self.report.misread]
        # Another setup explains no unknown name.
        unknown = [error for error in unread if _is_unknown_name(error)]
        first = next((error for error in errors if error not in unknown), None)
        if first is None:
            return None
        for edit in SetupEdits(self.referee, errors).edits():
            if self.lookahead.exhausted or most < 0:
                break
            if any(
                id(statement) in self.referee.replacements for statement, _ in edit.replacements
            ):
                continue
            if _drops_unknown_name(edit, unknown):
                continue
            where = edit.where
            # Errors of an unreadable statement stay.
            length = number + limits.NEAR + len(statements) + 1
            at_edit = sum(is_within(error, where) for error in unread if where)
            outcome = self.lookahead.judge_with_edit(edit, length, most + at_edit + 1)
            left = len(outcome.errors) - at_edit
            if outcome.complete and outcome.judged and left <= most:
                best, most = edit._replace(error=edit.error or first), left - 1
        return best


def _first_with_two_sources(match: Match, checkpoints: Iterable[Checkpoint]) -> Checkpoint | None:
    """Return the first checkpoint whose statement may take a thing from two zones.

    It must have been visible in the second zone before.
    """
    state, zone_of = match.state, match.state.layout.zones
    slots = (slot for move in match.pack.moves for slot in move.slots.values())
    zones = {place.zone for slot in slots for place in slot.reveals[1:]}
    first_moves: dict[Entity, int] = {}  # by thing: the mark of its first move there
    later: dict[int, Bag] = {}
    for mark in reversed(range(len(state.entries) if zones else 0)):
        cell, held = state.entries[mark]
        if cell < len(zone_of) and zone_of[cell] in zones:
            things = later.get(cell, state.cells[cell])
            first_moves.update((thing.parent or thing, mark) for thing in things)
            later[cell] = held
    for checkpoint in checkpoints if first_moves else ():
        for reading in match.binder.bind(checkpoint.statement.phrase, checkpoint.phase).readings:
            for name, written in reading.slots.items():
                if len(reading.move.slots[name].reveals) < 2:
                    continue
                named = {thing.parent or thing for item in written for thing in item.entities}
                if any(
                    first_moves[thing] < checkpoint.snapshot.state
                    for thing in named & first_moves.keys()
                ):
                    return checkpoint
    return None


def _distance(sections: Sequence[Section], slip: Checkpoint, error: Finding) -> int:
    """Return how many statements after a slip an error is."""
    which, first = slip.place
    section, *later = sections[which:]
    rest = [section.heading, *section.statements][first + 1 :]
    for other in later:
        rest += [other.heading, *other.statements]
    return next(
        (n for n, statement in enumerate(rest) if statement.span()[2:] >= error.span[:2]), 0
    )


_MAX_CACHED = 10_000


def _sound_setups(_pack: Pack) -> dict[Hashable, int]:
    return {}


def _adds_errors(edit: Edit, errors: Sequence[Finding], first: Finding) -> bool:
    """Return True if an error is before the first one, or at statements that were exchanged."""
    exchanged = edit.replacements if edit.kind is EditKind.SWAP else ()
    return any(
        error.span < first.span or any(is_within(error, statement) for statement, _ in exchanged)
        for error in errors
    )


def _drops_unknown_name(edit: Edit, unknown: Sequence[Finding]) -> bool:
    where = edit.where
    if where is None or edit.kind not in {EditKind.RENAME, EditKind.DELETE}:
        return False
    part = edit.part or (0, len(where.text))
    text = edit.text if edit.kind is EditKind.RENAME else ""
    return drops_unknown_name(unknown, where, part, text)


def _keep(cached: dict[Hashable, int], key: Hashable, spent: int) -> None:
    if len(cached) >= _MAX_CACHED:
        cached.clear()
    cached[key] = spent


def _cache_key(
    match: Match, sections: Sequence[Section], errors: Sequence[Finding], steps: object
) -> Hashable:
    state = match.state
    texts = tuple(
        (section.kind, section.heading.text, *(line.text for line in section.statements))
        for section in sections
    )
    reported = tuple((error.rule, error.about) for error in errors)
    options = tuple(sorted(state.options.items()))
    return texts, reported, options, state.complete, steps


def _is_unknown_name(finding: Finding) -> bool:
    other = {"unknown-player", "unknown-statement"}
    return finding.rule.startswith("unknown-") and finding.rule not in other

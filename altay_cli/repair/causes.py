"""What may explain errors before they show: one edit earlier in the turns, or in the setup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from altay_cli.base.findings import Finding, Span, errors_of
from altay_cli.match.course import Checkpoint
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.repair.candidates import Edit, EditKind, drawing, elsewhere, near, stands_in
from altay_cli.repair.limits import FAR_ENOUGH, FEW_NEAR, LEFT, NAMING, NEAR
from altay_cli.repair.setups import OfSetup
from altay_cli.repair.tries import Tries


class Repair(NamedTuple):
    """An edit elsewhere than at the slip, with what is told of it and the errors that it leaves.

    ``ahead`` counts the statements that can be read behind the errors that it explains, up to the
    first that it leaves; ``used`` says whether hidden things had to be supposed.
    """

    edit: Edit
    told: Finding
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


class Causes:
    """Looks for one edit before a slip that explains it and the errors behind it."""

    def __init__(self, referee: Referee, tries: Tries) -> None:
        self.referee = referee
        self.match = referee.match
        self.tries = tries

    def in_turns(
        self,
        anchor: Checkpoint,
        slip: Checkpoint,
        errors: Sequence[Finding],
        earlier: Sequence[Finding],
    ) -> Repair | None:
        """Return the best edit in the turns."""
        known = {one.span for one in earlier}
        end = slip.number + NEAR
        if anchor.statement is slip.statement:  # why these are errors tells where they come from
            ahead = self.tries.read(
                self.match.snapshot(), slip.behind, NEAR, NAMING, told=True, explained=True
            )
            errors = [*errors[:1], *ahead.errors, *errors[1 + len(ahead.errors) :]]
        behind = slip.number + self._until(slip, errors[min(1, len(errors) - 1)])
        useless: set[object] = set()
        best: Repair | None = None

        def take_best(edits: Iterable[Edit]) -> None:
            nonlocal best
            for edit in edits:
                if edit.alike is not None and edit.alike in useless:
                    continue
                for repair in self._tried(edit, errors[0], known, end, behind, useless):
                    if best is None or repair.cost < best.cost:
                        best = repair
                if self.tries.is_over or (
                    best is not None and best.leaves_nothing and edit.kind is best.edit.kind
                ):
                    break

        with self.tries.coming_back():
            take_best(islice(near(self.referee, anchor, errors), FEW_NEAR))
        for checkpoint, edits in elsewhere(self.referee, anchor, errors):
            if self.tries.is_over or (best is not None and _is_enough(best, anchor, checkpoint)):
                break
            self.match.restore(checkpoint.snapshot)
            take_best(edits)
        return best

    def _until(self, slip: Checkpoint, error: Finding) -> int:
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
        end: int,
        behind: int,
        useless: set[object],
    ) -> Iterator[Repair]:
        """Yield an edit if it explains the first errors, and with what may have been drawn by it.

        So many statements ``behind`` it end with the second of them.
        """
        outcome = self.tries.with_edit(edit, end, 1 + len(known))
        errors = [one for one in outcome.errors if one.span not in known]
        if errors and (errors[0].rule, errors[0].span) == (error.rule, error.span):
            useless.add(edit.alike)
        ahead = edit.at.number + outcome.clean - behind
        if edit.told is None or not (ahead > FAR_ENOUGH or (outcome.whole and not errors)):
            return
        # Nothing may be wrong that was right before the slip, nor what is moved.
        if any(
            one.span < error.span or any(stands_in(one, moved) for moved in edit.moved)
            for one in errors
        ):
            return
        yield Repair(edit, edit.told(error), len(errors), outcome.used, ahead)
        inserted = edit.kind in {EditKind.INSERT, EditKind.INSERT_FOR_OTHERS}
        for other in drawing(self.match, edit, errors) if inserted and outcome.used else ():
            if self.tries.is_over or other.told is None:
                return
            further = self.tries.with_edit(other, end, 1 + len(known))
            if further.whole and all(one.span in known for one in further.errors):
                yield Repair(other, other.told(error), 0, further.used)
                if not further.used:
                    return

    def in_setup(self, errors: Sequence[Finding], number: int) -> Repair | None:
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
        for edit in OfSetup(self.referee, errors).edits():
            if self.tries.is_over or most < 0:
                break
            if any(id(statement) in self.referee.instead for statement, _ in edit.instead):
                continue
            outcome = self.tries.with_edit(edit, number + NEAR + len(statements) + 1, most + 1)
            if outcome.whole and len(outcome.errors) <= most and edit.told is not None:
                left = len(outcome.errors)
                best, most = Repair(edit, edit.told(errors[0]), left, outcome.used), left - 1
        return best


def _is_enough(best: Repair, anchor: Checkpoint, checkpoint: Checkpoint) -> bool:
    """Tell whether nothing before a moment can be better than what was found."""
    near = checkpoint.number < anchor.number - 1
    return near and best.leaves_nothing and best.edit.kind.value <= EditKind.INSERT.value


def explicable(match: Match, findings: Iterable[Finding]) -> list[Finding]:
    """Return the errors that what was meant can explain: not what cannot be read."""
    return [error for error in errors_of(findings) if not is_misread(match, error)]


def is_misread(match: Match, error: Finding) -> bool:
    """Tell whether an error is that a statement of a turn cannot be read, whoever plays."""
    if error.round is None or error.rule == "unknown-player":
        return False
    return error.span in match.report.misread

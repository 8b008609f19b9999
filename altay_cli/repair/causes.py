"""What may explain errors before they show: one edit earlier in the turns, or in the setup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.spans import Span
from altay_cli.match.course import Checkpoint
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.notation import Statement
from altay_cli.repair.candidates import NAMING, Edit, EditKind, drawing, elsewhere, suspects
from altay_cli.repair.laying import OfSetup
from altay_cli.repair.tries import NEAR, Tries

LEFT = 4
"""If the first error is in the setup, another setup may leave one in so many of the errors."""

ALL = 8
"""Another edit may leave one in so many."""

MAX_RELAID = 12
"""How many other setups are tried with which the turns begin as they should."""


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


class Causes:
    """Looks for one edit before a slip that explains it and the errors behind it."""

    def __init__(self, referee: Referee, tries: Tries) -> None:
        self.referee = referee
        self.match = referee.match
        self.tries = tries
        self.misread: set[int] = set()
        """The identities of the statements that cannot be read."""

    def note(self, slip: Checkpoint) -> None:
        """Take note of a slip: whether it is that it cannot be read."""
        told = self.match.report.findings[slip.snapshot.report.findings :]
        if any(is_misread(self.match, one) for one in told):
            self.misread.add(id(slip.statement))

    def in_turns(
        self,
        anchor: Checkpoint,
        slip: Checkpoint,
        errors: Sequence[Finding],
        earlier: Sequence[Finding],
    ) -> Repair | None:
        """Return the best edit in the turns."""
        known = {one.span for one in earlier}
        best: Repair | None = None
        end = slip.number + NEAR
        most = (len(errors) - 2) // ALL
        if anchor.statement is slip.statement:  # why these are errors tells where they come from
            ahead = self.tries.read(
                self.match.snapshot(), slip.behind, NEAR, NAMING, told=True, explained=True
            )
            errors = [*errors[:1], *ahead.errors, *errors[1 + len(ahead.errors) :]]
        suspected = suspects(self.referee, anchor, errors)
        useless: set[object] = set()
        for checkpoint, edits in elsewhere(self.referee, anchor, suspected):
            if self.tries.is_over or (best is not None and _is_enough(best, anchor, checkpoint)):
                break
            self.match.restore(checkpoint.snapshot)
            for edit in edits():
                if edit.alike is not None and edit.alike in useless:
                    continue
                for repair in self._tried(edit, errors[0], known, end, most, useless):
                    if best is None or repair.cost < best.cost:
                        best, most = repair, repair.left
                if self.tries.is_over or (
                    best is not None and not best.cost[0] and edit.kind is best.edit.kind
                ):
                    break
        return best

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
        if edit.kind is EditKind.RENAME:
            most = min(most, 0)
        if edit.kind is EditKind.SWAP and any(id(one) in self.misread for one, _ in edit.instead):
            return  # what cannot be read is no better anywhere else
        outcome = self.tries.with_edit(edit, end, most + 1 + len(known))
        errors = [one for one in outcome.errors if one.span not in known]
        if errors and (errors[0].rule, errors[0].span) == (error.rule, error.span):
            useless.add(edit.alike)
        if not outcome.whole or len(errors) > most or edit.told is None:
            return
        # Nothing may be wrong that was right before the slip, nor what is moved.
        if any(one.span < error.span for one in errors) or _is_wrong(edit.moved, errors):
            return
        yield Repair(edit, edit.told(error), len(errors), outcome.used)
        if (
            outcome.used
            and edit.kind in {EditKind.INSERT, EditKind.INSERT_FOR_OTHERS}
            and edit.assumed
        ):
            for other in drawing(self.match, edit, errors):
                if self.tries.is_over or other.told is None:
                    return
                further = self.tries.with_edit(other, end, most + 1 + len(known))
                left = [one for one in further.errors if one.span not in known]
                if further.whole and len(left) <= most:
                    yield Repair(other, other.told(error), len(left), further.used)
                    if not left and not further.used:
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
        tried = 0
        for edit in OfSetup(self.referee, errors).edits():
            if self.tries.is_over or most < 0 or tried >= MAX_RELAID:
                break
            if any(id(statement) in self.referee.instead for statement, _ in edit.instead):
                continue
            outcome = self.tries.with_edit(edit, number + NEAR + len(statements) + 1, most + 1)
            tried += all(one.round is not None for one in outcome.errors)
            if outcome.whole and len(outcome.errors) <= most and edit.told is not None:
                left = len(outcome.errors)
                best, most = Repair(edit, edit.told(errors[0]), left, outcome.used), left - 1
        return best


def _is_enough(best: Repair, anchor: Checkpoint, checkpoint: Checkpoint) -> bool:
    """Tell whether nothing before a moment can be better than what was found."""
    near = checkpoint.number < anchor.number - 1
    return near and not best.cost[0] and best.edit.kind.value <= EditKind.INSERT.value


def _is_wrong(statements: Sequence[Statement], errors: Sequence[Finding]) -> bool:
    spans = [statement.span() for statement in statements]
    return any(span[:2] <= one.span[:2] <= span[2:] for span in spans for one in errors)


def errors_of(match: Match, findings: Iterable[Finding]) -> list[Finding]:
    """Return the errors that what was meant can explain: not what cannot be read."""
    return [
        one for one in findings if one.severity is Severity.ERROR and not is_misread(match, one)
    ]


def is_misread(match: Match, found: Finding) -> bool:
    """Tell whether an error is that a statement of a turn cannot be read, whoever plays."""
    if found.round is None or found.rule == "unknown-player":
        return False
    return found.span in match.report.misread

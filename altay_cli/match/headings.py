"""Begin turns, also without a readable heading."""

from __future__ import annotations

from functools import partial
from itertools import islice

from altay_cli.match.attempts import apply_with_findings
from altay_cli.match.decisions import PendingDecision, Values
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.reporting import Stop
from altay_cli.notation.tree import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.layout import OVERDUE, UNREAD
from altay_cli.pack.model import Slot


def assume_turn(match: Match, heading: Statement | None = None) -> None:
    """Begin the next turn without its heading; raise Stop if none can begin."""
    items = heading.items[1:] if heading is not None else ()
    named = match.binder.player([item for item in items if not item.value])
    player = named or match.state.status("next")
    move = next((move for move in match.pack.moves if move.heading), None)
    if move is None or (player is None and move.actor is not None):
        raise Stop(whole_game=False)
    values: Values = {"me": player, "asked": {}}
    for slot in move.slots.values():
        values[slot.name] = _number(match, slot, values) if slot.shape == "int" else player
    match.state.journal.put(UNREAD, False)
    reading = Reading(Candidate(move), MoveValues(values, move, match.state), [])
    with match.report.suppressed():
        match.resolver.settle(reading)
        apply_with_findings(match, reading, None, already_reported=True)


def _number(match: Match, slot: Slot, values: Values) -> int:
    """Return the only number that a heading can have, by default the number of the round."""
    domain = slot.domain
    numbers = [] if domain is None else [*islice(domain.fn(match.state, values), 2)]
    return numbers[0] if len(numbers) == 1 else match.state.round


def check_first_turn(match: Match, heading: Statement) -> None:
    """Report checks of the first turn that fail."""

    def check() -> None:
        for failed, values in match.state.failing_first_turn_checks():
            match.report.report_text(failed.text, values)

    # `guarded` charges steps even without checks.
    if any(item.begun for item in match.pack.checks):
        match.guarded(heading, check)


def complete_heading(match: Match, heading: Statement) -> None:
    """Begin the turn after an unreadable heading; drop overdue decisions.

    Optional decisions stay for one more turn.
    """
    state = match.state
    if state.cells[OVERDUE]:
        excused = (
            pending
            for pending in state.overdue
            if isinstance(pending, PendingDecision) and pending.excused
        )
        state.journal.put(
            OVERDUE, tuple(pending._replace(past=True) for pending in excused if not pending.past)
        )
    if state.cells[UNREAD]:
        match.guarded(heading, partial(assume_turn, match, heading))

"""One move, attempted: made if it is legal, or rejected by the first requirement that fails."""

from __future__ import annotations

from typing import NamedTuple

from altay_cli.base.budget import CONTENTS
from altay_cli.base.findings import BudgetError, ExpressionError
from altay_cli.match.match import Match
from altay_cli.match.readings import MoveValues, Reading
from altay_cli.match.waiting import Halted, Pending, answered, resume
from altay_cli.pack.model import LEGAL, Phase, Requirement
from altay_cli.pack.table import FORCED, PENDING


class Rejected(NamedTuple):
    """The move is not legal: the requirement with this number does not hold.

    None if that is not plain: the names of the reading have to be looked into first.
    """

    number: int
    requirement: Requirement | None
    reading: Reading


def attempt(
    match: Match,
    reading: Reading,
    pending: Pending | None = None,
    first: int = 0,
    *,
    told: bool = False,
) -> Rejected | None:
    """Make a move if it is legal from its requirement number ``first`` on; else tell why not.

    ``pending`` is the decision that it may answer. Where it has been ``told`` what is wrong, what
    cannot be evaluated is wrong for that reason. A move of which nothing is to be found out but its
    values is judged by the function that was printed for it, any other one step by step. What is
    rejected may have changed things: whoever does not go on from there goes back.

    Raises:
        ExpressionError: if the rules cannot be applied, or what they ask for was not recorded.

    """
    state, report, move, values = match.state, match.report, reading.parsed.move, reading.values
    if not first:
        if pending is not None and pending.decision == move.answers:
            answered(state, values, move.gives)
        if state.cells[FORCED]:
            state.put(FORCED, ())
        if move.actor is not None:
            report.acts(values[move.actor])
    try:
        if isinstance(values, MoveValues):
            number = _first_breach(match, reading, first, told=told)
            if number is not None:
                return Rejected(number, move.requires[number], reading)
            move.does.fn(state, values)
        else:
            state.exact = CONTENTS if state.hidden.groups else 0
            try:
                made = match.pack.makers[move.number](state, values)
            finally:
                state.exact = 0
            if made != LEGAL:
                return Rejected(made, None, reading)
        if state.cells[PENDING]:
            resume(state)
    except Halted:
        # What ends in the middle has not been held to what comes behind it.
        if move.looks_back and not isinstance(values, MoveValues):
            return Rejected(0, None, reading)
    if not state.cells[PENDING] and report.here.phase is Phase.TURNS:
        match.go_on(move)
    return None


def _first_breach(match: Match, reading: Reading, first: int, *, told: bool) -> int | None:
    """Return the number of the first requirement that does not hold, from ``first`` on."""
    requires = reading.parsed.move.requires
    for number in range(first, len(requires)):
        try:
            if not match.resolver.holds(requires[number], reading):
                return number
        except ExpressionError as error:
            if isinstance(error, BudgetError) or not told:
                raise
    return None

"""What a log says of the state at some point, held against it.

A claim is not a move. Where what it is about is hidden, it holds if it can be so, and is known from
then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altay_cli.base.findings import Severity, Text, UnrecordedError, in_turn
from altay_cli.base.values import Bag, Entity, Likeness, bag_of
from altay_cli.match.answers import give_all
from altay_cli.match.match import Match
from altay_cli.match.readings import Reading
from altay_cli.match.state import State
from altay_cli.match.waiting import Values
from altay_cli.notation import Statement
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import Expr


def judge_claim(
    match: Match, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
) -> None:
    """Report a claim that does not hold; one that does tells what was not recorded."""
    if statement.actor and actor is None:
        match.report.unknown_player(statement)
        return
    if actor is None and all(parsed.move.needs_actor for parsed in readings):
        match.report.actor_missing(statement, "this does not say whom the claim is about")
        return
    wrong = _broken(match, readings, actor)
    if wrong is not None and match.state.due and not match.state.complete:
        # It may be said behind answers that nobody wrote down.
        before = match.snapshot()
        give_all(match)
        if _broken(match, readings, actor) is None:
            return
        match.restore(before)
    if wrong is not None:
        _report_wrong(match, wrong)


def _broken(match: Match, readings: Sequence[Candidate], actor: Entity | None) -> Reading | None:
    """Return a claim that does not hold; what one that does tells is known from then on."""
    state, wrong, mark = match.state, None, match.state.mark()
    for parsed in readings:
        move = parsed.move
        for written in match.resolver.readings(parsed, {"me": actor, "asked": {}}, 0):
            reading = match.resolver.applying(written) or written
            if all(_can_be(state, pair, reading.values) for pair in move.holds):
                move.does.fn(state, reading.values)
                return None
            wrong = wrong or reading
        state.undo(mark)
    return wrong


def _can_be(state: State, pair: tuple[Expr, Expr], values: Values) -> bool:
    """Return whether something can be what is claimed of it; it is believed from then on."""

    def ask() -> bool:
        try:
            with state.exactly():
                return _same(*(state.laid_open(one.fn(state, values)) for one in pair))
        except UnrecordedError:
            return unknown()

    def unknown() -> bool:
        return _may_be(*(one.fn(state, values) for one in pair))

    return state.hidden.can_hold(ask, unknown)


def _report_wrong(match: Match, reading: Reading) -> None:
    """Report a claim: as the rules say, or with both values of each pair that differs."""
    state, move, values = match.state, reading.parsed.move, reading.values
    if move.otherwise is not None:
        message = state.said(move.otherwise, values)
    else:
        told: list[str] = []
        for there, claimed in move.holds:
            found, said = there.fn(state, values), claimed.fn(state, values)
            if not _same(found, said):
                told.append(
                    Text(
                        "{title}: expected {claimed}, found {found}",
                        title=state.words.word(move.title),
                        claimed=state.words.text(said) or state.words.word("nothing"),
                        found=state.words.text(found) or state.words.word("nothing"),
                    )
                )
        message = in_turn(told)
    try:
        with state.unclear():
            for pair in move.holds:
                _same(*(one.fn(state, values) for one in pair))
    except UnrecordedError as error:
        match.report.untold(error.message, message)
        return
    match.report.add("expect-wrong", Severity.ERROR, message)


def _may_be(there: object, claimed: object) -> bool:
    """Return whether nothing speaks against a claim of what cannot be gone through."""
    if not isinstance(there, Bag) or not isinstance(claimed, Bag):
        return True
    certain = {item: count for item, count in there.items() if not isinstance(item, Likeness)}
    return claimed.size() <= there.size() and all(
        claimed.get(i, 0) >= n for i, n in certain.items()
    )


def _same(there: Any, claimed: Any) -> bool:
    """Return whether a value is what is claimed of it; what is hidden is not."""
    if isinstance(there, Bag) or isinstance(claimed, Bag):
        found, said = (v if isinstance(v, Bag) else bag_of(v) for v in (there, claimed))
        return not found.unknown.hidden and dict(found) == dict(said)
    if isinstance(there, tuple | list) and isinstance(claimed, tuple | list):
        return list(there) == list(claimed)
    return type(there) is type(claimed) and bool(there == claimed)

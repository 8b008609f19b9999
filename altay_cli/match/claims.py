"""Compare claims with the state: `expect pen 2 Sheep`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from altay_cli.base.findings import (
    Severity,
    Text,
    UnrecordedError,
    joined_by_semicolon,
)
from altay_cli.base.values import Bag, Entity, Placeholder, bag_of, subjects_of
from altay_cli.match import limits
from altay_cli.match.answers import may_follow, supply_all_answers
from altay_cli.match.decisions import Values
from altay_cli.match.judging import BoundStatement
from altay_cli.match.match import Match
from altay_cli.match.readings import Reading
from altay_cli.match.state import State
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import Expr


def judge_claim(match: Match, bound: BoundStatement) -> None:
    """Report a false claim; condition the beliefs on a true one."""
    statement, readings, actor = bound
    if statement.actor and actor is None:
        match.report.unknown_player(statement)
        return
    if actor is None and all(parsed.move.needs_actor for parsed in readings):
        match.report.actor_missing(statement, "this does not say whom the claim is about")
        return
    if match.watcher is not None:
        match.watcher.on_claim(readings, actor)
    wrong = _find_broken_claim(match, readings, actor)
    if wrong is not None and not _holds_after_answers(match, readings, actor):
        _report_wrong_claim(match, wrong)


def _holds_after_answers(match: Match, readings: Sequence[Candidate], actor: Entity | None) -> bool:
    """Supply unrecorded answers if a claim holds after them.

    Raise UnrecordedError if unknown answers decide.
    """
    if not match.state.next_decision or match.state.complete:
        return False
    before = match.snapshot()
    try:
        supply_all_answers(match)
        if _find_broken_claim(match, readings, actor) is None:
            return True
    except UnrecordedError:
        match.restore(before)
        holds = partial(_holds, match, readings, actor)
        if may_follow(match, holds, limits.MAX_ANSWERS):
            supply_all_answers(match)
    match.restore(before)
    return False


def _report_wrong_claim(match: Match, wrong: Reading) -> None:
    state, move, values = match.state, wrong.parsed.move, wrong.values
    about: list[object] = []
    if move.otherwise is not None:
        message = state.finding_text(move.otherwise, values, about)
    else:
        pairs = [[side.fn(state, values) for side in pair] for pair in move.holds]
        about += pairs
        differences = [
            Text(
                "{title}: expected {claimed}, found {found}",
                title=state.finding_words.word(move.title),
                claimed=state.finding_words.text(claimed) or state.finding_words.word("nothing"),
                found=state.finding_words.text(found) or state.finding_words.word("nothing"),
            )
            for found, claimed in pairs
            if not _same(found, claimed)
        ]
        message = joined_by_semicolon(differences)
    try:
        with state.unclear():
            for pair in move.holds:
                _same(*(side.fn(state, values) for side in pair))
    except UnrecordedError as error:
        match.report.report_undecided(error.message, message)
    else:
        match.report.add("expect-wrong", Severity.ERROR, message, about=subjects_of(about))


def _find_broken_claim(
    match: Match, readings: Sequence[Candidate], actor: Entity | None
) -> Reading | None:
    """Return a false claim; condition the beliefs on a true one."""
    state, wrong, mark = match.state, None, match.state.journal.mark()
    for parsed in readings:
        move = parsed.move
        for written in match.resolver.readings(parsed, {"me": actor, "asked": {}}, 0):
            reading = match.resolver.applying(written) or written
            if all(_can_be(state, pair, reading.values) for pair in move.holds):
                move.does.fn(state, reading.values)
                return None
            wrong = wrong or reading
        state.journal.undo(mark)
    return wrong


def _holds(match: Match, readings: Sequence[Candidate], actor: Entity | None) -> bool:
    with match.state.journal.supposing():
        return _find_broken_claim(match, readings, actor) is None


def _can_be(state: State, pair: tuple[Expr, Expr], values: Values) -> bool:
    def ask() -> bool:
        try:
            with state.exact_evaluation():
                return _same(*(state.identified(side.fn(state, values)) for side in pair))
        except UnrecordedError:
            return unknown()

    def unknown() -> bool:
        there, claimed = (side.fn(state, values) for side in pair)
        if not isinstance(there, Bag) or not isinstance(claimed, Bag):
            return True
        return claimed.size() <= there.size() and all(
            claimed.get(item, 0) >= n
            for item, n in there.items()
            if not isinstance(item, Placeholder)
        )

    return state.hidden.condition_on(ask, unknown)


def _same(there: Any, claimed: Any) -> bool:
    if isinstance(there, Bag) or isinstance(claimed, Bag):
        found, expected = (v if isinstance(v, Bag) else bag_of(v) for v in (there, claimed))
        return not found.unknown.hidden and dict(found) == dict(expected)
    if isinstance(there, tuple | list) and isinstance(claimed, tuple | list):
        return list(there) == list(claimed)
    return type(there) is type(claimed) and bool(there == claimed)

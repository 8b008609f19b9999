"""What a log says of the state at some point, held against it.

A claim is not a move. Where what it is about is hidden, it holds if it can be so, and is known from
then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altay_cli.base.errors import UnrecordedError
from altay_cli.base.findings import Severity
from altay_cli.base.text import Text, in_turn
from altay_cli.base.values import Bag, Entity, Likeness, bag_of
from altay_cli.match.candidates import Candidate
from altay_cli.match.readings import Reading, Resolver
from altay_cli.match.reporting import Report
from altay_cli.match.state import State
from altay_cli.match.waiting import Values
from altay_cli.notation import Statement
from altay_cli.pack.model import Expr


class Claims:
    """Judges claims in one state."""

    def __init__(self, state: State, report: Report, resolver: Resolver) -> None:
        self.state = state
        self.report = report
        self.resolver = resolver

    def judge(
        self, statement: Statement, readings: Sequence[Candidate], actor: Entity | None
    ) -> None:
        """Report a claim that does not hold; one that does tells what was not recorded."""
        if actor is None and all(parsed.move.needs_actor for parsed in readings):
            self.report.actor_missing(statement, "this does not say whom the claim is about")
            return
        mark = self.state.mark()
        wrong: Reading | None = None
        for parsed in readings:
            for reading in self.resolver.readings(parsed, {"me": actor, "asked": {}}, 0):
                self.resolver.applies(reading)
                if self._holds(reading):
                    parsed.move.does.fn(self.state, reading.values)
                    return
                wrong = wrong or reading
            self.state.undo(mark)
        if wrong is not None:
            self._report_wrong(statement, wrong)

    def _holds(self, reading: Reading) -> bool:
        return all(self._can_be(pair, reading.values) for pair in reading.parsed.move.holds)

    def _can_be(self, pair: tuple[Expr, Expr], values: Values) -> bool:
        """Return whether something can be what is claimed of it; it is believed from then on."""
        state = self.state

        def ask() -> bool:
            try:
                with state.exactly():
                    return _same(*(state.laid_open(one.fn(state, values)) for one in pair))
            except UnrecordedError:
                return unknown()

        def unknown() -> bool:
            return _may_be(*(one.fn(state, values) for one in pair))

        return state.hidden.can_hold(ask, unknown)

    def _report_wrong(self, statement: Statement, reading: Reading) -> None:
        move, values = reading.parsed.move, reading.values
        if move.otherwise is not None:
            message = self.state.said(move.otherwise, values)
        else:
            message = in_turn(self._differences(reading))
        self.report.add("expect-wrong", Severity.ERROR, message, statement.span())

    def _differences(self, reading: Reading) -> list[str]:
        """Tell both values of each pair that differs."""
        state = self.state
        told: list[str] = []
        title = state.word(reading.parsed.move.title)
        for there, claimed in reading.parsed.move.holds:
            found, said = there.fn(state, reading.values), claimed.fn(state, reading.values)
            if not _same(found, said):
                told.append(
                    Text(
                        "{title}: expected {claimed}, found {found}",
                        title=title,
                        claimed=_text(state, said),
                        found=_text(state, found),
                    )
                )
        return told


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


def _text(state: State, value: object) -> str:
    shown = state.text(value)
    return shown or state.word("nothing")

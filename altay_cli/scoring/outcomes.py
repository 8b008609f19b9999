"""The possible scores of a log that leaves open something they depend on.

The rules declare what that can be (``assumptions``): for each of some things a list of what it may
have been. Every combination is carried out on the state, scored, and taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altay_cli.engine.state import SILENT, State
from altay_cli.expressions import EVALUATION_ERRORS, Account
from altay_cli.pack.faults import reason
from altay_cli.pack.model import Assumption
from altay_cli.pack.words import Wording
from altay_cli.records import Record
from altay_cli.scoring.score import Standing, score

MAX_OUTCOMES = 150
"""The maximum number of combinations tried."""

OUTCOME_STEPS = 6_000_000
"""The budget for trying all of them, scores included, in steps."""

MAX_OPEN = 30
"""The maximum number of things assumed together."""


class Outcome(Record):
    """The scores under ``assumptions``, one for each thing that is open."""

    assumptions: tuple[Wording, ...]
    standing: Standing

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is assumed, in words."""
        return tuple(map(str, self.assumptions))


class Outcomes(Record):
    """All possible scores: one outcome or more, the one with the fewest assumptions first.

    ``complete`` is false if there are more than are tried; ``fault`` says why the rules cannot
    tell what is open.
    """

    all: tuple[Outcome, ...]
    complete: bool = True
    fault: str | None = None

    @property
    def first(self) -> Standing:
        """The scores with the least assumed."""
        return self.all[0].standing

    @property
    def open(self) -> bool:
        """Whether the scores depend on what is not recorded."""
        return len(self.all) > 1 or not self.complete

    @property
    def winners(self) -> tuple[str, ...]:
        """Who wins whatever is assumed; nobody if that is open."""
        return tuple(
            name
            for name in self.first.winners
            if all(name in outcome.standing.winners for outcome in self.all)
        )


def outcomes(state: State) -> Outcomes:
    """Score a state for all that its log leaves open; the state is the same afterwards."""
    mark, reporter = state.mark(), state.reporter
    state.reporter = SILENT
    state.hidden.seeing = True
    search = _Search(state)
    try:
        account = Account(OUTCOME_STEPS, "scoring this game", within=state.account)
        with state.apart(account):
            search.explore(0, (), (), 0)
    except EVALUATION_ERRORS as error:
        state.undo(mark)
        return Outcomes((Outcome((), score(state)),), fault=reason(error, state.pack))
    finally:
        state.undo(mark)
        state.reporter = reporter
        state.hidden.seeing = False
    found = search.found
    points = [_points(outcome.standing) for outcome in found]
    if search.complete and all(other == points[0] for other in points):
        found = [Outcome((), found[0].standing)]
    return Outcomes(tuple(found), search.complete)


def _points(standing: Standing) -> object:
    return [[category.points for category in player.categories] for player in standing.players]


class _Search:
    """Goes through all combinations of assumptions, one after the other."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.found: list[Outcome] = []
        self.complete = True

    def explore(
        self, number: int, left: Sequence[object], assumed: tuple[Wording, ...], depth: int
    ) -> None:
        """Find all outcomes; ``left`` is what the assumption before ``number`` still leaves open.

        ``depth`` counts what has been assumed.
        """
        state = self.state
        declared = state.pack.assumptions
        while not left and number < len(declared):
            left = self._list(declared[number].each[1], {})[: MAX_OPEN + 1]
            number += 1
        if left and depth < MAX_OPEN:
            self._assume(declared[number - 1], number, left, assumed, depth)
            return
        self.complete = self.complete and not left
        self.found.append(Outcome(assumed, score(state)))

    def _assume(
        self,
        assumption: Assumption,
        number: int,
        left: Sequence[object],
        assumed: tuple[Wording, ...],
        depth: int,
    ) -> None:
        """Assume in turn all that the first of ``left`` may be."""
        state = self.state
        values = {assumption.each[0]: left[0]}
        choices = self._list(assumption.one_of[1], values)
        if not choices:
            self.explore(number, left[1:], assumed, depth + 1)
        for choice in choices:
            if len(self.found) >= MAX_OUTCOMES:
                self.complete = False
                return
            mark = state.mark()
            inner = {**values, assumption.one_of[0]: choice}
            # Where only one thing is possible, nothing is assumed.
            told = (state.wording(assumption.show, inner),) if len(choices) > 1 else ()
            state.grant()
            assumption.does.fn(state, inner)
            self.explore(number, left[1:], (*assumed, *told), depth + 1)
            state.undo(mark)

    def _list(self, items: Any, values: Mapping[str, object]) -> list[object]:
        self.state.grant()
        return list(items.fn(self.state, dict(values)))

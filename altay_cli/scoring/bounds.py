"""Find the points that each category can give, as the rules declare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import ExpressionError
from altay_cli.base.values import Entity
from altay_cli.match.state import State
from altay_cli.pack.model import NOTHING, Category, Cite, Expr, PossiblePoints
from altay_cli.scoring import limits


class Bounds(NamedTuple):
    """The points of a category: from ``least`` to ``most``, or one of ``values``.

    together: the most of all players. None means no limit.
    """

    least: int | None
    most: int | None
    values: tuple[int, ...] = ()
    together: int | None = None
    because: str = ""
    cite: Cite = NOTHING
    ruling: str | None = None

    def allow(self, points: int) -> bool:
        """Return True if a player can have so many points."""
        if self.values:
            return points in self.values
        return (self.least is None or points >= self.least) and (
            self.most is None or points <= self.most
        )


UNBOUNDED = Bounds(None, None)


def bounds_for(state: State, names: Sequence[str]) -> dict[str, Bounds]:
    """Return the bounds by category, with players of these names.

    state: unplayed; only its rules, options and language matter. A category without bounds has
    UNBOUNDED, like one whose bounds cannot be computed.
    """
    fresh = seated(state, names)
    with fresh.paid_by(Account(limits.SCORE_STEPS, "scoring this game", within=state.account)):
        return {category.id: _bounds(fresh, category) for category in state.pack.categories}


def seated(state: State, names: Sequence[str]) -> State:
    """Return a new state of the same game that holds only the players."""
    fresh = State(state.pack, state.options, state.language)
    for number, name in enumerate(names):
        fresh.zones.seat(Entity("player", name, number))
    return fresh


def _bounds(state: State, category: Category) -> Bounds:
    if category.possible is None:
        return UNBOUNDED
    try:
        return evaluated(state, category.possible)
    except ExpressionError:  # `rules check` reports it
        return UNBOUNDED


def evaluated(state: State, possible: PossiblePoints) -> Bounds:
    """Return bounds in a state with players; raise ExpressionError if they cannot be computed."""

    def number(expr: Expr | None) -> int | None:
        return None if expr is None else int(expr.fn(state, {}))

    state.grant()
    values: tuple[int, ...] = ()
    if possible.values is not None:
        values = tuple(sorted(possible.values.fn(state, {})))
    least = 0 if possible.least is None else number(possible.least)
    return Bounds(
        min(values) if values else least,
        max(values) if values else number(possible.most),
        values,
        number(possible.together),
        state.finding_text(possible.because, {}),
        possible.cite,
        possible.ruling,
    )

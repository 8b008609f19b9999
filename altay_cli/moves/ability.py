"""Whether a player can move at all, which rules may ask: a state is handed who answers that."""

from __future__ import annotations

from altay_cli.base.findings import BudgetError
from altay_cli.base.values import Entity
from altay_cli.match.readings import Resolver
from altay_cli.match.state import State
from altay_cli.moves.listing import Lister
from altay_cli.moves.wording import speller
from altay_cli.pack.binding import Binder

ABLE_STEPS = 50
"""The fixed cost of asking who can move, in steps."""

MAX_ASKED = 3
"""The maximum depth to which who can move may depend on who can move."""


class Ability:
    """Tells of the players of one state who can move.

    A lister that is at work knows things about the player whom it was asked about: where that
    depends on whether somebody can move, another one finds out.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._idle: list[Lister | None] = [None] * MAX_ASKED
        """Those that are not at work; None for each that has not been made."""

    def __call__(self, actor: Entity | None, move: str | None) -> bool:
        """Tell whether a player has a legal move in a turn, or one of a certain kind.

        Raises:
            BudgetError: where that depends on itself.

        """
        self._state.charge(ABLE_STEPS)
        if not self._idle:
            message = "whether a move can be made depends on whether it can be made"
            raise BudgetError(message=message)
        lister = self._idle.pop() or self._lister()
        try:
            return lister.able(actor, move)
        finally:
            self._idle.append(lister)

    def _lister(self) -> Lister:
        state, binder = self._state, Binder(self._state.pack)
        return Lister(state, binder, Resolver(state, binder), speller(state.pack))

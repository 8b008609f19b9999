"""Whether a condition can hold, where it reads what nobody recorded."""

from __future__ import annotations

from collections.abc import Callable

from altay_cli.base.errors import UnrecordedError
from altay_cli.compile.model import Expr
from altay_cli.hidden.queries import UNKNOWN_CONTENT
from altay_cli.hidden.unseen import Undetermined
from altay_cli.match.state import State, Values


def can_hold(state: State, condition: Expr, values: Callable[[], Values]) -> bool:
    """Return whether a condition holds with some of what may lie hidden where it looks.

    If so, no more is believed to lie there than that. ``values`` makes those that it is asked with.

    Raises:
        UnrecordedError: if what may lie there cannot be gone through.

    """
    hidden = state.hidden
    before, hidden.splitting = hidden.splitting, True
    try:
        with state.exactly():
            return bool(condition.fn(state, values()))
    except Undetermined as error:
        where = error.where
    finally:
        hidden.splitting = before
    holds = hidden.limit(where, lambda: can_hold(state, condition, values))
    if holds is None:
        raise UnrecordedError(UNKNOWN_CONTENT)
    return holds

"""What a value that is shown can be, where it reads what lies hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from altay_cli.base.findings import UnrecordedError
from altay_cli.base.translations import phrase
from altay_cli.base.values import Likeness
from altay_cli.hidden.knowledge import Depends, Supposed
from altay_cli.hidden.lots import Belief, TooManyWorldsError
from altay_cli.match.state import State, frozen
from altay_cli.pack.model import STEADY, Expr, Shape
from altay_cli.view.model import Heap, Value

MAX_POSSIBLE = 150
"""What may lie hidden is gone through in no more ways than these for one value."""

MAX_KEPT = 1_000
"""So many values are remembered."""

UNTOLD = "?"
"""What is shown where that is not enough, and where the rules cannot tell."""


class Possible:
    """Tells what the values of expressions can be in a state, and remembers it.

    ``show`` makes plain data of a value of the rules.
    """

    def __init__(self, state: State, show: Callable[[object], Value]) -> None:
        self.state = state
        self.show = show
        self._kept: dict[object, tuple[list[Value] | None, list[Belief | None]]] = {}

    def value(self, expr: Expr, values: dict[str, object]) -> Value:
        """Return a value; of what reads hidden things, what is certain, and how much may be more.

        A number that can be several is a text.
        """
        listed = self.show(expr.fn(self.state, values))
        beliefs = self._beliefs(expr) if self.state.hidden.groups else []
        if not beliefs:
            return listed
        possible = self._remembered(expr, values, beliefs)
        if isinstance(listed, Heap):
            return _certain(listed, [one for one in possible or () if isinstance(one, Heap)])
        if possible and all(one == possible[0] for one in possible):
            return possible[0]
        numbers = [one for one in possible or () if isinstance(one, int)]
        if not numbers or isinstance(listed, bool):
            return UNTOLD
        least, most = min(numbers), max(numbers)
        return phrase(self.state.language, "{low} to {high}", low=least, high=most)

    def _beliefs(self, expr: Expr) -> list[Belief | None]:
        """Return all that is believed of the bags in the zones that an expression reads."""
        places: list[int] = []
        for zone in expr.zones:
            if self.state.pack.zones[zone].shape is not Shape.BAG:
                continue
            for place in reversed(range(*self.state.pack.zones[zone].cells)):
                lying = self.state.cells[place]
                places.append(place)
                places += [item.holder for item in lying if isinstance(item, Likeness)]
        return [group.now.belief for group in self.state.hidden.groups_at(places)]

    def _remembered(
        self, expr: Expr, values: dict[str, object], beliefs: list[Belief | None]
    ) -> list[Value] | None:
        """Return all that a value can be, as long as nothing that it reads has changed."""
        if not expr.reads <= expr.zones | STEADY:
            return self._all(expr, values)
        cells, zones = self.state.cells, self.state.pack.zones
        held = tuple(
            frozen(cells[cell]) for zone in sorted(expr.zones) for cell in range(*zones[zone].cells)
        )
        key = expr.key, repr(values), held, tuple(map(id, beliefs))
        if key not in self._kept:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            # With the beliefs, so that nothing else gets their ids.
            self._kept[key] = self._all(expr, values), beliefs
        return self._kept[key][0]

    def _all(self, expr: Expr, values: dict[str, object]) -> list[Value] | None:
        """Return all that a value can be by what is recorded; None where that is too much."""
        state = self.state
        shown: list[Value] = []

        def ask() -> Value:
            with state.exactly():
                return self.show(expr.fn(state, values))

        def tell(value: Value | Depends, _: Supposed) -> None:
            if isinstance(value, Depends) or len(shown) >= MAX_POSSIBLE:
                raise TooManyWorldsError
            shown.append(value)

        try:
            state.hidden.suppose(ask, tell, MAX_POSSIBLE)
        except (UnrecordedError, TooManyWorldsError):
            return None
        return shown


def _certain(listed: Heap, possible: Sequence[Heap]) -> Heap:
    """Return the things that lie there in any case, and how many more there may be."""
    if not possible:
        return listed._replace(more=None)
    if all(one == possible[0] for one in possible):
        return possible[0]
    counts = [dict(one.known) for one in possible]
    known = {ref: min(one.get(ref, 0) for one in counts) for ref in counts[0]}
    sizes = [one.size - sum(known.values()) for one in possible]
    certain = tuple((ref, count) for ref, count in known.items() if count)
    return Heap(certain, min(sizes), more=max(sizes) - min(sizes))

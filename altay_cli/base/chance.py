"""Chance: draws from a hidden deck when no log records them."""

from __future__ import annotations

from collections.abc import Callable

from altay_cli.base.values import Bag, Drawn, DrawnItem, Entity

Pick = Callable[[Bag], Entity]
"""Chooses one thing of a bag that holds something."""


class Chance(Drawn):
    """Takes the place of what a log would say was drawn, and decides each draw as it happens.

    ``pick`` chooses one of the things that can come. ``drawn`` lists what came, each with the
    bag that it came out of at that moment, so that a log of it can be written. ``asked`` are the
    `?` that the statement writes, where it says how many come; None if it does not.
    """

    __slots__ = ("asked", "drawn", "pick")

    def __init__(
        self,
        pick: Pick,
        asked: list[DrawnItem] | None = None,
        drawn: list[tuple[Entity, Bag]] | None = None,
    ) -> None:
        super().__init__(None)
        self.pick = pick
        self.drawn = [] if drawn is None else drawn
        self.asked = asked

    def given(self) -> bool:
        """Return whether the statement says how many are drawn."""
        return self.asked is not None or super().given()

    def size(self) -> int:
        """Return how many things the statement asks for; where it does not say, how many came."""
        return len(self.drawn if self.asked is None else self.asked)

    def part(self, first: int, end: int | None = None) -> Drawn:
        """Return what decides a part of what is asked for; ``drawn`` stays one list."""
        return self if self.asked is None else Chance(self.pick, self.asked[first:end], self.drawn)

    def next(self, eligible: Bag) -> DrawnItem:
        """Draw one of ``eligible``, which lists something."""
        chosen = self.pick(eligible)
        self.drawn.append((chosen, Bag(eligible)))
        return DrawnItem((chosen,), True, chosen.id, 0, 0)


def likeliest(bag: Bag) -> Entity:
    """Pick the most frequent thing in the bag, the first of several; deterministic."""
    return max(bag, key=lambda item: bag[item])

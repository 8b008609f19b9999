"""Chance: what a hidden deck brings where no log tells it."""

from __future__ import annotations

from collections.abc import Callable

from altay_cli.values import Bag, Drawn, DrawnItem, Entity

Pick = Callable[[Bag], Entity]
"""Chooses one thing of a bag that holds something."""


class Chance(Drawn):
    """Stands where a log would tell what was drawn, and decides it when something is drawn.

    ``pick`` chooses one of the things that can come. ``drawn`` lists what came, each with the
    bag that it came out of at that moment, so that a log of it can be written.
    """

    __slots__ = ("drawn", "pick")

    def __init__(self, pick: Pick) -> None:
        super().__init__(None)
        self.pick = pick
        self.drawn: list[tuple[Entity, Bag]] = []

    def next(self, eligible: Bag) -> DrawnItem:
        """Draw one of ``eligible``, which lists something."""
        chosen = self.pick(eligible)
        self.drawn.append((chosen, Bag(eligible)))
        return DrawnItem((chosen,), True, chosen.id, 0, 0)


def likeliest(bag: Bag) -> Entity:
    """Pick what the bag holds most of, the first of several: the same for the same bag."""
    return max(bag, key=lambda item: bag[item])

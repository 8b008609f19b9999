"""The cells of a state with what lies in them: bags of things, and words for these."""

from __future__ import annotations

from altay_cli.base.journal import InCell, Journal
from altay_cli.base.values import ALL_KNOWN, Bag, Entity, partly_known
from altay_cli.pack.reporter import Reporter
from altay_cli.pack.words import Words
from altay_cli.pack.zones import REPORTER


class Table(Journal):
    """The cells of a state, what is done to the bags in them, and words for things."""

    __slots__ = ("words",)

    words: Words

    reporter = InCell[Reporter](REPORTER)
    """Who is told what effects find out."""

    def add(self, place: int, item: Entity, delta: int) -> None:
        """Add ``delta`` of ``item`` to a bag, or take as many away; never below zero."""
        bag: Bag = self.cells[place]
        old = bag.get(item, 0)
        new = old + delta
        if new <= 0 and not old:
            return
        self.left -= len(bag) >> 1
        if self.left < 0:
            self.refill()
        made = Bag(bag) if bag.unknown is ALL_KNOWN else partly_known(bag, bag.unknown)
        if new > 0:
            made[item] = new
        else:
            del made[item]
        # As ``put`` does: most changes of a game are made here and in ``move_bag``.
        self.entries.append((place, bag))
        self.cells[place] = made

    def name(self, item: Entity) -> str:
        """Return the name of a thing, for people."""
        return self.words.name(item)

    def word(self, text: str) -> str:
        """Return a title or text of the rules in the language of the report."""
        return self.words.word(text)

    def text(self, value: object) -> str:
        """Return a value in words: names, counted lists, "nothing"."""
        return self.words.text(value)

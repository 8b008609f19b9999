"""The cells of a running game."""

from __future__ import annotations

from altay_cli.base.budget import Budget
from altay_cli.base.journal import Journal
from altay_cli.base.values import ALL_KNOWN, Bag, Entity, partly_known
from altay_cli.pack.layout import REPORTER, Reporter
from altay_cli.pack.words import BilingualWords, Words


class Table:
    """The cells of a game, the journal of their changes, and the budget that pays.

    ``finding_words`` name entities in findings.
    """

    __slots__ = ("budget", "cells", "entries", "finding_words", "journal")

    def __init__(
        self, budget: Budget, journal: Journal, finding_words: Words | BilingualWords
    ) -> None:
        self.budget = budget
        self.journal = journal
        # Direct access, for speed.
        self.cells, self.entries = journal.cells, journal.entries
        self.finding_words = finding_words

    @property
    def reporter(self) -> Reporter:
        """The receiver of reports from effects."""
        return self.cells[REPORTER]  # type: ignore[no-any-return]

    def add(self, place: int, item: Entity, delta: int) -> None:
        """Add ``delta`` of ``item`` to a bag; never below zero."""
        bag: Bag = self.cells[place]
        old = bag.get(item, 0)
        new = old + delta
        if new <= 0 and not old:
            return
        self.budget.charge(len(bag) >> 1)
        changed = Bag(bag) if bag.unknown is ALL_KNOWN else partly_known(bag, bag.unknown)
        if new > 0:
            changed[item] = new
        else:
            del changed[item]
        self.entries.append((place, bag))
        self.cells[place] = changed

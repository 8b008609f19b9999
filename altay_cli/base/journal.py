"""Cells that hold the state of a game, and a journal of their changes.

A value in a cell is never modified, only replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

Change = tuple[int, Any]
"""A cell and the value it held."""

NEVER = -1
"""A mark before all others."""


class Journal:
    """Cells whose changes ``undo(mark)`` takes back, to ``mark = journal.mark()``.

    >>> journal = Journal(["Ann", 3])
    >>> mark = journal.mark()
    >>> journal.put(1, 5)
    >>> journal.cells
    ['Ann', 5]
    >>> journal.undo(mark)
    >>> journal.cells
    ['Ann', 3]
    """

    __slots__ = ("cells", "clean_at", "entries")

    def __init__(self, cells: Iterable[Any]) -> None:
        self.cells: list[Any] = list(cells)
        self.entries: list[Change] = []
        """Changed cells with old values; generated code changes both lists."""
        self.clean_at = NEVER
        """When the owner last checked all cells; NEVER after an ``undo`` beyond it."""

    def mark(self) -> int:
        """Return the current mark."""
        return len(self.entries)

    def new_cell(self, value: object) -> int:
        """Return a new cell that holds ``value``; ``undo`` does not remove it.

        >>> journal = Journal([7])
        >>> cell = journal.new_cell("hand")
        >>> cell, journal.cells
        (1, [7, 'hand'])
        """
        self.cells.append(value)
        return len(self.cells) - 1

    def put(self, cell: int, value: object) -> None:
        """Replace the value of a cell."""
        self.entries.append((cell, self.cells[cell]))
        self.cells[cell] = value

    def undo(self, mark: int) -> None:
        """Undo all changes since ``mark``."""
        if mark < self.clean_at:
            self.clean_at = NEVER
        entries, cells = self.entries, self.cells
        while len(entries) > mark:
            cell, old = entries.pop()
            cells[cell] = old

    @contextmanager
    def supposing(self) -> Iterator[None]:
        """Undo the changes made inside the block.

        >>> journal = Journal([0])
        >>> with journal.supposing():
        ...     journal.put(0, 1)
        ...     print(journal.cells)
        [1]
        >>> journal.cells
        [0]
        """
        mark = self.mark()
        try:
            yield
        finally:
            self.undo(mark)

    @contextmanager
    def rewinding(self) -> Iterator[None]:
        """Allow ``undo`` beyond the start of the block; restore the current state at its end.

        >>> journal = Journal([0])
        >>> journal.put(0, 1)
        >>> with journal.rewinding():
        ...     journal.undo(0)
        ...     print(journal.cells)
        [0]
        >>> journal.cells
        [1]
        """
        cells, entries = self.cells.copy(), self.entries.copy()
        try:
            yield
        finally:
            self.cells[: len(cells)] = cells
            self.entries[:] = entries

    def changes_since(self, mark: int) -> dict[int, object]:
        """Return the cells changed since ``mark``, with their values then.

        >>> journal = Journal([0, 0])
        >>> mark = journal.mark()
        >>> journal.put(1, 8)
        >>> journal.put(1, 9)
        >>> journal.changes_since(mark)
        {1: 0}
        """
        return dict(reversed(self.entries[mark:]))  # the first entry of a cell wins

    def forget(self) -> None:
        """Make all changes permanent, to save memory."""
        self.entries.clear()
        self.clean_at = NEVER

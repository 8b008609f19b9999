"""The cells of a state, and the journal by which each change of them is undone.

A cell is a number. Nobody changes a value once it lies in a cell: who wants another puts another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from altay_cli.base.budget import Account, Budget

Change = tuple[int, Any]
"""A cell, and a value of it."""

_Held = TypeVar("_Held")


class Journal(Budget):
    """Cells, and how to take back what was put into them.

    ``undo(mark)`` restores exactly what all cells held at ``mark = journal.mark()``.
    """

    __slots__ = ("cells", "entries", "mark")

    def __init__(self, cells: Iterable[Any], account: Account | None = None) -> None:
        super().__init__(account=account)
        self.cells: list[Any] = list(cells)
        self.entries: list[Change] = []
        """The changed cells, with what they held; printed effects note it here as well."""
        self.mark = self.entries.__len__
        """Returns a mark that ``undo`` goes back to; asked several times for each statement."""

    def fresh(self, value: object) -> int:
        """Return a cell that nobody uses, and which holds this; it is never taken back."""
        self.cells.append(value)
        return len(self.cells) - 1

    def put(self, cell: int, value: object) -> None:
        """Let a cell hold another value."""
        self.entries.append((cell, self.cells[cell]))
        self.cells[cell] = value

    def undo(self, mark: int) -> None:
        """Take back all changes since ``mark``."""
        entries, cells = self.entries, self.cells
        while len(entries) > mark:
            cell, old = entries.pop()
            cells[cell] = old

    @contextmanager
    def supposing(self) -> Iterator[None]:
        """Take back at the end whatever is changed inside of this."""
        mark = self.mark()
        try:
            yield
        finally:
            self.undo(mark)

    @contextmanager
    def coming_back(self) -> Iterator[None]:
        """Take back at will inside of this what was changed before; it is made again at the end."""
        cells, entries = self.cells.copy(), self.entries.copy()
        try:
            yield
        finally:
            self.cells[: len(cells)] = cells
            self.entries[:] = entries

    def since(self, mark: int) -> dict[int, object]:
        """Return the cells into which something was put since ``mark``, with what they held."""
        return dict(reversed(self.entries[mark:]))  # of several entries the first one counts

    def forget(self) -> None:
        """Forget how to undo what has been done so far, to save memory."""
        self.entries.clear()


class InCell(Generic[_Held]):
    """A name for a cell of every state, by its number: what it holds is read under that name."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __get__(self, state: Journal, kind: type[Journal]) -> _Held:
        held: _Held = state.cells[self.number]
        return held

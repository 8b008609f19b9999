"""Work, and what does it: local processes or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from altay_cli.archive import limits

if TYPE_CHECKING:  # slow to import
    from concurrent.futures import Executor

Item = TypeVar("Item")
Result = TypeVar("Result")


class Work(NamedTuple, Generic[Item, Result]):
    """How to process items.

    call: returns the results of several items, in order; pickled by name.
    cost: the estimated seconds for an item.
    failed: the result of an item that killed its process.
    least: number of items from which starting processes saves time.
    variants: the variant files that an item may read, as a folder and a name in it.
    """

    call: Callable[[Sequence[Item]], list[Result]]
    cost: Callable[[Item], float]
    failed: Callable[[Item], Result]
    least: int = limits.MIN_SHARED
    variants: Callable[[Item], Iterable[tuple[Path, str]]] = lambda _: ()


class Workers(Protocol):
    """Where work is done."""

    @property
    def count(self) -> int:
        """Count the batches that run at the same time."""

    batch: float
    """Estimated seconds of work in a batch."""
    starts_slowly: bool
    """A few items finish sooner without workers."""

    def losses(self) -> tuple[type[BaseException], ...]:
        """Return the errors of a future whose worker died."""

    def start(self, work: Work[Any, Any]) -> Executor:
        """Start an executor."""

    def stop(self, executor: Executor, *, now: bool) -> None:
        """Stop an executor; ``now`` kills running work."""

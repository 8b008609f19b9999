"""Share work among processes or machines, keeping the order of results.

Work is a function of one item that returns plain data, so results depend on no machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from altay_cli.archive.work import Item, Result, Work, Workers

if TYPE_CHECKING:  # slow to import
    from concurrent.futures import Executor

    from altay_cli.archive.sharing import Pool

LOCAL_BATCH = 0.1
"""Seconds of work sent to a process at a time."""


class LocalWorkers:
    """Processes of this machine.

    With ``count`` 1, this process does the work. ``method`` is ``fork`` or ``spawn``; by default
    ``fork`` if that is safe: with a single thread, and not on macOS.
    """

    batch = LOCAL_BATCH
    starts_slowly = True

    def __init__(self, count: int, method: str | None = None) -> None:
        self.count = count
        self._method = method
        self._pool: Pool | None = None

    def losses(self) -> tuple[type[BaseException], ...]:
        """Return the errors of a future whose process ended."""
        return () if self._pool is None else self._pool.losses

    def start(self, _work: Work[Any, Any]) -> Executor:
        """Start a pool; forked processes share the rules loaded here."""
        from altay_cli.archive.sharing import Pool  # slow to import

        self._pool = Pool()
        return self._pool.start(self.count, self._method)

    def stop(self, executor: Executor, *, now: bool) -> None:
        """Stop a pool; ``now`` kills its processes."""
        if self._pool is not None:
            self._pool.stop(executor, now=now)


def cores() -> int:
    """Return how many processes this machine can run at the same time."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    return len(usable) or os.cpu_count() or 1


def results_in_order(
    work: Work[Item, Result], items: Iterable[Item], workers: Workers
) -> Generator[Result, None, None]:
    """Yield the result of each item, in the order of the items.

    This process works on the first batch, so results come at once and forked processes share what
    it loads. With fewer than ``work.least`` items it does all, unless workers are already running.

    When a worker dies, the batches in flight are tried item by item; an item that kills its process
    again gets ``work.failed``. All workers end if the caller stops early.
    """
    items = iter(items)
    count, spent = 0, 0.0
    least = work.least if workers.starts_slowly else 1
    for item in items if workers.starts_slowly else ():
        yield from work.call([item])
        count, spent = count + 1, spent + work.cost(item)
        if workers.count > 1 and spent >= workers.batch:
            break
    head = list(islice(items, max(least - count, 1)))
    if not head or len(head) + count < least:
        for item in head:
            yield from work.call([item])
        return
    batches = _batches(chain(head, items), work.cost, workers.batch)
    from altay_cli.archive.sharing import Sharing  # slow to import

    sharing = Sharing(work, workers)
    finished = False
    try:
        yield from sharing.results(batches)
        finished = True
    finally:
        sharing.stop(now=not finished)


def _batches(
    items: Iterable[Item], cost: Callable[[Item], float], most: float
) -> Iterator[list[Item]]:
    batch: list[Item] = []
    spent = 0.0
    for item in items:
        batch.append(item)
        spent += cost(item)
        if spent >= most:
            yield batch
            batch, spent = [], 0.0
    if batch:
        yield batch

"""Share work among processes or machines, keeping the order of results.

Only the executor (``concurrent.futures``) differs: local processes, or a Dask scheduler. Work is a
function of one item that returns plain data, so results do not depend on where it runs.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from altay_cli.archive import limits

if TYPE_CHECKING:  # slow to import
    from concurrent.futures import Executor, Future
    from multiprocessing.process import BaseProcess

Item = TypeVar("Item")
Result = TypeVar("Result")

LOCAL_BATCH = 0.1
"""Estimated seconds of work sent to a process at a time."""

BATCHES_AHEAD = 3
"""Batches sent ahead for each worker."""


@dataclass(frozen=True)
class Work(Generic[Item, Result]):
    """How to process items.

    call: returns the result of each of several items, in order; pickled by name.
    cost: the estimated seconds for an item; decides the size of batches.
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
        """The number of batches that run at the same time."""

    batch: float
    """Estimated seconds of work in a batch."""
    starts_slowly: bool
    """True if a few items finish sooner without workers."""

    def losses(self) -> tuple[type[BaseException], ...]:
        """Return the errors of a future whose worker died."""

    def start(self, work: Work[Any, Any]) -> Executor:
        """Start an executor."""

    def stop(self, executor: Executor, *, now: bool) -> None:
        """Stop an executor; ``now`` kills running work."""


class LocalWorkers:
    """Processes of this machine.

    count: number of processes; 1 means that this process does the work.
    method: ``fork`` or ``spawn``; by default ``fork`` if that is safe, which needs a single thread
    and a system other than macOS.
    """

    batch = LOCAL_BATCH
    starts_slowly = True

    def __init__(self, count: int, method: str | None = None) -> None:
        self.count = count
        self._method = method
        self._others: set[BaseProcess] = set()

    def losses(self) -> tuple[type[BaseException], ...]:
        """Return the errors of a future whose process ended."""
        from concurrent.futures import BrokenExecutor

        return (BrokenExecutor,)

    def start(self, _work: Work[Any, Any]) -> Executor:
        """Start a pool; forked processes share the rules loaded here."""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        self._others = {*multiprocessing.active_children()}
        can_fork = hasattr(os, "fork") and sys.platform != "darwin"
        safe = can_fork and threading.active_count() == 1
        method = self._method or ("fork" if safe else "spawn")
        if method == "fork":
            # Frozen objects are not written to, so their memory pages stay shared.
            gc.collect()
            gc.freeze()
        return ProcessPoolExecutor(
            self.count, multiprocessing.get_context(method), initializer=_begin
        )

    def stop(self, executor: Executor, *, now: bool) -> None:
        """Stop a pool; ``now`` kills its processes."""
        import multiprocessing

        if now:
            for process in {*multiprocessing.active_children()} - self._others:
                process.kill()
        executor.shutdown(wait=True, cancel_futures=True)


def cores() -> int:
    """Return the number of processes that this machine can run at the same time."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    return len(usable) or os.cpu_count() or 1


def results_in_order(
    work: Work[Item, Result], items: Iterable[Item], workers: Workers
) -> Generator[Result, None, None]:
    """Yield the result of each item, in the order of the items.

    This process works on the first batch, item by item, so results come at once and forked
    processes share what it loads. With fewer than ``work.least`` items it does all the work.
    Workers that are already running get all items.

    A worker that dies costs its item only: the batches in flight are then tried item by item, and
    an item that kills its process again gets ``work.failed``. All workers end at once if the caller
    stops early.
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
    sharing = _Sharing(work, workers)
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


class _Sharing(Generic[Item, Result]):
    """Batches in progress; ``pending`` are those without results."""

    def __init__(self, work: Work[Item, Result], workers: Workers) -> None:
        self.work = work
        self.workers = workers
        self.executor = workers.start(work)
        self.losses = workers.losses()
        self.pending: deque[tuple[list[Item], Future[list[Result]]]] = deque()

    def results(self, batches: Iterator[list[Item]]) -> Iterator[Result]:
        """Yield results in order, sending enough batches ahead to keep all workers busy."""
        while True:
            ahead = BATCHES_AHEAD * self.workers.count
            for batch in islice(batches, max(ahead - len(self.pending), 0)):
                self._send(batch)
            if not self.pending:
                return
            batch, future = self.pending.popleft()
            try:
                found = future.result()
            except self.losses:
                yield from self._try_each(batch)
                self._send_lost_again()
            else:
                yield from found

    def _send(self, batch: list[Item]) -> None:
        from concurrent.futures import BrokenExecutor, Future

        try:
            future = self.executor.submit(self.work.call, batch)
        except BrokenExecutor as error:  # a worker died after the last result
            future = Future()
            future.set_exception(error)
        self.pending.append((batch, future))

    def _try_each(self, batch: list[Item]) -> Iterator[Result]:
        """Yield the results of items, one of which killed a worker.

        Wait for all other work first, so the next death has one cause.
        """
        for _, future in self.pending:
            with suppress(Exception):
                future.result()
        for item in batch:
            self._restart_if_broken()
            try:
                found = self.executor.submit(self.work.call, [item]).result()
            except self.losses:
                found = [self.work.failed(item)]
            yield from found
        self._restart_if_broken()

    def _restart_if_broken(self) -> None:
        from concurrent.futures import BrokenExecutor

        try:
            self.executor.submit(_answer).result()
        except BrokenExecutor:
            self.workers.stop(self.executor, now=True)
            self.executor = self.workers.start(self.work)

    def _send_lost_again(self) -> None:
        from concurrent.futures import BrokenExecutor

        for number, (batch, future) in enumerate(self.pending):
            if future.done() and isinstance(future.exception(), BrokenExecutor):
                again = self.executor.submit(self.work.call, batch)
                self.pending[number] = (batch, again)

    def stop(self, *, now: bool) -> None:
        for _, future in self.pending:
            future.cancel()
        self.workers.stop(self.executor, now=now)


def _answer() -> None:
    """Return at once, if the worker is alive."""


def _begin() -> None:
    """Set up a worker process; its parent handles interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has died; otherwise it would wait forever.

    A killed parent sends no message, but the pipe that only it holds open is closed.
    """
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)

"""Share work among processes; slow to import, so only runs with enough work do."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Generic

from altay_cli.archive.work import Item, Result, Work, Workers

BATCHES_AHEAD = 3
"""Batches sent ahead to each worker."""


class Sharing(Generic[Item, Result]):
    """Batches in progress; ``pending`` are those without results."""

    def __init__(self, work: Work[Item, Result], workers: Workers) -> None:
        self.work = work
        self.workers = workers
        self.executor = workers.start(work)
        self.losses = workers.losses()
        self.pending: deque[tuple[list[Item], Future[list[Result]]]] = deque()

    def results(self, batches: Iterator[list[Item]]) -> Iterator[Result]:
        """Yield results in order, keeping all workers busy."""
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
        try:
            future = self.executor.submit(self.work.call, batch)
        except BrokenExecutor as error:  # a worker died after the last result
            future = Future()
            future.set_exception(error)
        self.pending.append((batch, future))

    def _try_each(self, batch: list[Item]) -> Iterator[Result]:
        """Run items one by one after all other work, to find the one that kills workers."""
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
        try:
            self.executor.submit(_answer).result()
        except BrokenExecutor:
            self.workers.stop(self.executor, now=True)
            self.executor = self.workers.start(self.work)

    def _send_lost_again(self) -> None:
        for number, (batch, future) in enumerate(self.pending):
            if future.done() and isinstance(future.exception(), BrokenExecutor):
                again = self.executor.submit(self.work.call, batch)
                self.pending[number] = (batch, again)

    def stop(self, *, now: bool) -> None:
        """End the workers; ``now`` stops running work."""
        for _, future in self.pending:
            future.cancel()
        self.workers.stop(self.executor, now=now)


def _answer() -> None:
    """Do nothing: a worker that runs this is alive."""


class Pool:
    """A pool of local processes."""

    losses = (BrokenExecutor,)
    """Errors of a future whose process ended."""

    def __init__(self) -> None:
        self._others: set[BaseProcess] = set()

    def start(self, count: int, method: str | None) -> Executor:
        """Start as ``workers.LocalWorkers`` says."""
        self._others = {*multiprocessing.active_children()}
        can_fork = hasattr(os, "fork") and sys.platform != "darwin"
        safe = can_fork and threading.active_count() == 1
        method = method or ("fork" if safe else "spawn")
        if method == "fork":
            # Frozen objects are not written to, so their memory pages stay shared.
            gc.collect()
            gc.freeze()
        return ProcessPoolExecutor(count, multiprocessing.get_context(method), initializer=_begin)

    def stop(self, executor: Executor, *, now: bool) -> None:
        """Stop the processes; ``now`` kills them."""
        if now:
            for process in {*multiprocessing.active_children()} - self._others:
                process.kill()
        executor.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has died.

    The pipe that only the parent holds open is then closed.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)

"""Many simulated games, on several processes; the result is the same on any number of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread

from altay_cli.simulation.simulated import Playout, PlayPlan, playout

CHUNK = 4
"""The number of games handed to a process at a time."""


def cores() -> int:
    """Return how many processes can run in parallel on this machine."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    return len(usable) or os.cpu_count() or 1


def playouts(plan: PlayPlan, numbers: Sequence[int], processes: int) -> Iterator[Playout]:
    """Play games of a plan and yield their outcomes in the order of ``numbers``.

    With one process they are played in this one. Where the caller stops early, by an interrupt too,
    the games that processes have got are played to their end, and the others not begun. Where this
    process is killed, those that it has started end at once. Raises BrokenProcessPool where one of
    the processes is ended from outside.
    """
    if processes <= 1 or len(numbers) <= 1:
        yield from map(partial(playout, plan), numbers)
        return
    with ProcessPoolExecutor(min(processes, len(numbers)), initializer=_begin) as pool:
        try:
            yield from pool.map(partial(playout, plan), numbers, chunksize=CHUNK)
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Set up a worker process, which leaves interrupts to its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has died; otherwise it would wait forever.

    A process that is killed tells nobody. But a pipe that only it holds open comes to its end.
    """
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)

"""Many simulated games, on several processes; the result is the same on any number of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from altay_cli.simulation.playout import Outcome, Plan, playout

CHUNK = 4
"""How many games a process takes at a time."""


def cores() -> int:
    """Return how many processes can run at the same time on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def playouts(plan: Plan, games: int, processes: int) -> Iterator[Outcome]:
    """Play games 1 to ``games`` of a plan and yield their outcomes in order.

    With one process they are played in this one.

    Raises:
        BrokenProcessPool: where one of the processes is ended from outside.

    """
    numbers = range(1, games + 1)
    if processes <= 1 or games <= 1:
        yield from map(partial(playout, plan), numbers)
        return
    with ProcessPoolExecutor(min(processes, games), initializer=_end_quietly) as pool:
        yield from pool.map(partial(playout, plan), numbers, chunksize=CHUNK)


def _end_quietly() -> None:
    """Let an interrupt end this process without a word: the one that started it tells of it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

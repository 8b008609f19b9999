"""How much is done, counted in calls: that is the same however busy the machine is.

Calls of functions in Python and in C are counted. What does very much without calling anything, or
without an end, is stopped by a limit of CPU time: at least twenty times what it should take, so that
nothing but a fault of the program gets there.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from cProfile import Profile
from types import FrameType

import pytest

FUSE = 100
"""Seconds of the processor."""


@contextmanager
def ends(seconds: int = FUSE) -> Iterator[None]:
    """Fail where what happens inside takes for ever."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        pytest.fail(f"this takes more than {seconds} seconds of the processor")

    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Fail where what happens inside makes more calls than so many, or takes for ever."""
    profile = Profile()
    with ends(), profile:
        yield
    made = sum(entry.callcount for entry in profile.getstats())
    assert made <= calls, f"{made:,} calls"

"""Control over Python's garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

OBJECTS = 200_000
"""So many new objects are made before the garbage collector looks at them."""


@contextmanager
def collected_later() -> Iterator[None]:
    """Postpone garbage collection until the block is left.

    A game makes many small objects that stay to its end. Going through them again and again for
    cycles takes a third of the time of judging it, and finds next to nothing. Several threads may
    be inside; where the caller has switched the collector off, it stays off.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@cache
def grow_old() -> None:
    """Move all objects to the oldest generation, which the collector rarely visits.

    For use after making many long-lived objects, such as the compiled rules of a process. What is
    made after the first call grows old as Python has it.
    """
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()

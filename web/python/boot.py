"""Start the program from archives, in WebAssembly.

`fetched(name)` of the host returns a file of the build: unpacked, as bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from archive import Archive

TOP = Path("/altay")

_archives: list[Archive] = []


def start(core: bytes, fetched: Callable[[str], bytes | None]) -> None:
    """Make the program importable, and import what a check needs."""
    archive = Archive(TOP, fetched)
    archive.add(core)
    sys.meta_path.insert(0, archive)
    sys.path.insert(0, str(TOP))
    _archives[:] = [archive]

    from altay_cli.base.cache import provide

    provide(lambda name: fetched(name.replace(" ", "-")))
    import bridge

    bridge.prepare()


def resume(seed: bytes) -> None:
    """Go on from a snapshot: restore the files, and what must differ between two starts."""
    import random

    for archive in _archives:
        archive.unpack()
    random.seed(seed)


def answer(call: str) -> str:
    """Return the JSON document that answers a call."""
    import bridge

    return bridge.answer(call)

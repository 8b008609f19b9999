"""Waiting for logs to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

from altay_cli.cli.files import Logs

PAUSE = 0.3
"""The interval between two looks at the files, in seconds."""

_Seen = dict[str, tuple[int, int]]


def rounds(
    paths: tuple[str, ...], pause: Callable[[], None] = lambda: sleep(PAUSE)
) -> Iterator[None]:
    """Yield once at the beginning, and again whenever logs or rule files beside them change."""
    seen = None
    while True:
        now = _look(paths)
        if now != seen:
            seen = now
            yield
        else:
            pause()


def _look(paths: tuple[str, ...]) -> _Seen:
    """Return each file's modification time and size."""
    found: _Seen = {}
    names = list(Logs(paths).names())
    folders = {Path(name).parent for name in names}
    beside = [str(path) for folder in folders for path in folder.glob("*.y*ml")]
    for name in (*names, *beside):
        try:
            stat = Path(name).stat()
        except OSError:
            continue
        found[name] = (stat.st_mtime_ns, stat.st_size)
    return found

"""Which files a log or a variant may name: those in its folder or below, and no hidden ones.

Logs come from strangers. What they name must not make the program read, and perhaps show, a file
that happens to lie where the log was saved.
"""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path


class Access(Enum):
    """Where a file is that was named."""

    THERE = "there"
    MISSING = "missing"
    OUTSIDE = "outside"
    HIDDEN = "hidden"


def named_file(name: str, folder: Path, root: Path) -> tuple[Path, Access]:
    """Return the file that is named by its path from ``folder``, and whether it may be read.

    It may if it lies in ``root`` or below, links followed, and neither it nor a folder on the way
    is hidden. The file is that of the path as it was named: ``folder / name``.
    """
    path = folder / name
    if "\0" in name:
        return path, Access.MISSING
    try:
        root, real = Path(os.path.realpath(root)), Path(os.path.realpath(path))
        if not real.is_relative_to(root):
            return path, Access.OUTSIDE
        if _is_hidden(Path(name)) or _is_hidden(real.relative_to(root)):
            return path, Access.HIDDEN
        return path, Access.THERE if real.is_file() else Access.MISSING
    except OSError:
        return path, Access.MISSING


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") and part != ".." for part in path.parts)

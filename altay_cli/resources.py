"""Where the data that comes with the program lies: rules, schemas, grammars."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FRAMES = "frames"
"""The folder among the rules with what several games share."""

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """Return the folder ``name`` ("rules", "schemas" or "grammar").

    In a wheel the folders travel inside the package; in a checkout they stand
    beside it.
    """
    return _found(_PACKAGE, name)


@lru_cache(maxsize=16)
def _found(package: Path, name: str) -> Path:
    packed = package / "data" / name
    return packed if packed.is_dir() else package.parent / name

"""Where the data that comes with the program lies: rules, schemas, grammars."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """Return the folder ``name`` ("rules", "schemas" or "grammar").

    In a wheel the folders travel inside the package; in a checkout they stand
    beside it.
    """
    packed = _PACKAGE / "data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name

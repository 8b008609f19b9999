"""Where data lies: what ships with the program, and the user's own packs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

FRAMES = "frames"
"""The folder among the rules with what several games share."""

PACKS = "ALTAY_PACKS"
"""The environment variable that lists folders with packs, like `PATH` for programs."""

# Folders with another name in a checkout.
_IN_CHECKOUT = {"examples": "tests/rules"}

_PACKAGE = Path(__file__).resolve().parents[1]


def data_folder(name: str) -> Path:
    """Return the folder ``name`` ("rules", "schemas", "grammar" or "examples").

    In a wheel the folders travel inside the package; in a checkout they stand beside it.
    """
    return _found(_PACKAGE, name)


@lru_cache(maxsize=16)
def _found(package: Path, name: str) -> Path:
    packed = package / "data" / name
    return packed if packed.is_dir() else package.parent / _IN_CHECKOUT.get(name, name)


def pack_folders() -> dict[str, Path]:
    """Return the folders of all packs, by id.

    Those in the folders of ``ALTAY_PACKS`` go before those that ship, in its order: of two with one
    id the first is meant. A missing folder holds none.
    """
    shipped = _shipped(data_folder("rules"))
    listed = os.environ.get(PACKS)
    if not listed:
        return shipped.copy()
    folders = [Path(folder).absolute() for folder in listed.split(os.pathsep) if folder]
    own = [path for folder in folders for path in _games(folder)]
    return {path.name: path for path in reversed((*own, *reversed(shipped.values())))}


def pack_folder(name: str) -> Path:
    """Return the folder of a pack; where there is none, the one in which it would ship."""
    return pack_folders().get(name) or data_folder("rules") / name


def search_packs(*folders: Path) -> None:
    """Search these folders for packs first, in child processes as well."""
    paths = [*map(str, map(Path.absolute, folders)), os.environ.get(PACKS, "")]
    os.environ[PACKS] = os.pathsep.join(filter(None, paths))


@contextmanager
def packs_kept() -> Iterator[None]:
    """Search at the end the folders that were searched for packs before."""
    before = os.environ.get(PACKS)
    try:
        yield
    finally:
        os.environ.pop(PACKS, None)
        if before is not None:
            os.environ[PACKS] = before


@contextmanager
def packs_beside(folder: Path) -> Iterator[None]:
    """Have the packs in the place of this folder found as well, if it is not."""
    folder = folder.resolve()
    with packs_kept():
        if pack_folder(folder.name).resolve() != folder:
            search_packs(folder.parent)
        yield


def _games(place: Path) -> tuple[Path, ...]:
    """Return the folders in a folder that hold the rules of a game."""
    return tuple(sorted(path.parent for path in place.glob("*/game.yaml")))


@lru_cache(maxsize=64)
def _shipped(place: Path) -> dict[str, Path]:
    """Return the folders of the packs that come with the program, by id.

    They are looked up once, because every game of a log asks for them.
    """
    return {path.name: path for path in reversed(_games(place))}

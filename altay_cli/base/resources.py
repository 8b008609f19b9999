"""Locate the files that ship with the program, and the user's packs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

FRAMES = "frames"
"""Rules that several games share."""

PACKS = "ALTAY_PACKS"
"""The variable that lists folders of packs, like `PATH`."""

# Folders with another name in a checkout.
_IN_CHECKOUT = {"examples": "tests/rules"}

_PACKAGE = Path(__file__).resolve().parents[1]


def data_folder(name: str) -> Path:
    """Return the folder of "rules", "schemas", "grammar", "languages" or "examples".

    It is inside the package in a wheel, beside it in a checkout.
    """
    return _found(_PACKAGE, name)


@lru_cache(maxsize=16)
def _found(package: Path, name: str) -> Path:
    packed = package / "data" / name
    return packed if packed.is_dir() else package.parent / _IN_CHECKOUT.get(name, name)


def pack_folders() -> dict[str, Path]:
    """Return the folders of all packs, by id.

    ``ALTAY_PACKS`` wins over packs that ship, earlier folders win over later ones.
    """
    shipped = _shipped(data_folder("rules"))
    listed = os.environ.get(PACKS)
    if not listed:
        return shipped.copy()
    folders = [Path(folder).absolute() for folder in listed.split(os.pathsep) if folder]
    listed_packs = [path for folder in folders for path in _games(folder)]
    return {path.name: path for path in reversed((*listed_packs, *reversed(shipped.values())))}


def pack_folder(name: str) -> Path:
    """Return the folder of a pack, or where it would ship."""
    return pack_folders().get(name) or data_folder("rules") / name


def search_packs(*folders: Path) -> None:
    """Search these folders for packs first, also in child processes."""
    paths = [*map(str, map(Path.absolute, folders)), os.environ.get(PACKS, "")]
    os.environ[PACKS] = os.pathsep.join(filter(None, paths))


@contextmanager
def restore_pack_search() -> Iterator[None]:
    """Restore the search path for packs at the end."""
    before = os.environ.get(PACKS)
    try:
        yield
    finally:
        os.environ.pop(PACKS, None)
        if before is not None:
            os.environ[PACKS] = before


@contextmanager
def packs_beside(folder: Path) -> Iterator[None]:
    """Search the parent of ``folder`` for packs inside."""
    folder = folder.resolve()
    with restore_pack_search():
        if pack_folder(folder.name).resolve() != folder:
            search_packs(folder.parent)
        yield


def _games(place: Path) -> tuple[Path, ...]:
    return tuple(sorted(path.parent for path in place.glob("*/game.yaml")))


@lru_cache(maxsize=64)
def _shipped(place: Path) -> dict[str, Path]:
    return {path.name: path for path in reversed(_games(place))}

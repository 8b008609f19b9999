"""Compiled packs kept on disk, so that a start does not read and check all rules again.

The cache is a convenience: where it cannot be read or written, the pack is compiled anew.
Its files lie in the user's own cache folder (or where ALTAY_CACHE says; ``off`` turns it
off) and are read only if nobody else can write there.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from altay_cli import __version__
from altay_cli.pack.model import Pack
from altay_cli.resources import data_folder

KEPT = 40
"""How many compiled packs are kept."""


def cache_folder() -> Path | None:
    """Return the folder of the cache, made if needed; None where there is none to be had."""
    named = os.environ.get("ALTAY_CACHE")
    if named == "off":
        return None
    if named:
        folder = Path(named)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "altay" / "cache"
    else:
        try:
            folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "altay"
        except RuntimeError:
            return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_ours(folder) else None
    except OSError:
        return None


def _is_ours(path: Path) -> bool:
    """Tell whether nobody but the user can have written there: what is read may be code."""
    if sys.platform == "win32":
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def cache_key(folder: Path, variants: Sequence[Path]) -> str:
    """Return a key that changes whenever the rules, the schemas or the program do."""
    digest = hashlib.sha256(f"{__version__} {sys.version} {folder}".encode())
    program = Path(__file__).resolve().parents[1]
    files = [
        *sorted(folder.rglob("*.yaml")),
        *sorted(data_folder("schemas").glob("*.json")),
        *sorted(data_folder("grammar").glob("cel.lark")),
        *sorted((program / "pack").glob("*.py")),
        *sorted((program / "expressions").glob("*.py")),
        program / "values.py",
        *variants,
    ]
    for path in files:
        try:
            status = path.stat()
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
        except OSError:
            digest.update(f"{path}\0missing\0".encode())
    return digest.hexdigest()


def read_cache(key: str) -> tuple[Pack, CodeType] | None:
    """Return a kept pack, not yet linked, and the code of its expressions."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / f"{key}.pack"
    try:
        if not _is_ours(path):
            return None
        os.utime(path)  # what is used is kept
        pack, code = pickle.loads(path.read_bytes())  # noqa: S301 - ours alone, as just checked
        module = marshal.loads(code)  # noqa: S302
        return (pack, module) if isinstance(pack, Pack) and isinstance(module, CodeType) else None
    except Exception:
        return None


def write_cache(key: str, pack: Pack, code: CodeType) -> None:
    """Keep a compiled pack; silently not, where that is impossible."""
    import tempfile

    folder = cache_folder()
    if folder is None:
        return
    with contextlib.suppress(OSError, RecursionError, pickle.PickleError):
        data: Any = pickle.dumps((pack, marshal.dumps(code)), pickle.HIGHEST_PROTOCOL)
        handle, name = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(folder / f"{key}.pack")
        except OSError:
            Path(name).unlink(missing_ok=True)
        kept = sorted(folder.glob("*.pack"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in kept[KEPT:]:
            path.unlink(missing_ok=True)

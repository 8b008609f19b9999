"""Reading the logs that a command names: files, folders, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from altay_cli.notation import NotationError, decode

MAX_BYTES = 100_000_000
"""The largest log that is read."""


@dataclass(slots=True)
class Loaded:
    """What a command was given: texts by the name to report, and what could not be read."""

    texts: list[tuple[str, Path | None, str]] = field(default_factory=list)
    """The name to report, the folder of the file (None for standard input), the text."""
    unreadable: list[tuple[str, str]] = field(default_factory=list)


def load(paths: Iterable[str]) -> Loaded:
    """Read all files; of folders, every ``.agn`` file in them and below."""
    loaded = Loaded()
    for path in paths:
        if path == "-":
            _take(loaded, "-", None, _read_input)
            continue
        for file in _logs(path, loaded):
            _take(loaded, str(file), file.parent, partial(_read_file, file))
    return loaded


def _logs(path: str, loaded: Loaded) -> Iterator[Path]:
    given = Path(path)
    if not path:
        # An empty name is a slip of a script; as a path it would mean the whole folder.
        loaded.unreadable.append((path, "an empty name is no file"))
        return
    try:
        if not given.is_dir():
            yield given
            return
        found = sorted(
            Path(folder) / name
            for folder, _, names in os.walk(given)
            for name in names
            if name.endswith(".agn") and (Path(folder) / name).is_file()
        )
    except (OSError, ValueError) as error:
        loaded.unreadable.append((path, _reason(error)))
        return
    if not found:
        loaded.unreadable.append((path, "the folder holds no .agn files"))
    yield from found


def _take(loaded: Loaded, name: str, folder: Path | None, read: Callable[[], bytes]) -> None:
    try:
        data = read()
        if len(data) > MAX_BYTES:
            loaded.unreadable.append((name, f"larger than {MAX_BYTES:,} bytes"))
            return
        loaded.texts.append((name, folder, decode(data)))
    except NotationError as error:
        loaded.unreadable.append((name, str(error)))
    except (OSError, ValueError) as error:
        loaded.unreadable.append((name, _reason(error)))


def _read_input() -> bytes:
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "it cannot be read"

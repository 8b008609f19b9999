"""Compute keys of judged games from text, rules, program and settings."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from altay_cli.archive.sources import SourceGame
from altay_cli.base.files import MAX_RULES, Access, named_file, read_regular
from altay_cli.base.resources import FRAMES, data_folder, pack_folders
from altay_cli.base.version import __version__
from altay_cli.report.tables import VERSION
from altay_cli.source.variants import Chains

SIZE = 16

_TAG = re.compile(r"[\[［]\s*(game|variant)\b([^\]］\n]*)", re.IGNORECASE)
_QUOTES = " \t\"'“”„«»‘’‚"
_RULES = {".yaml", ".yml", ".json", ".lark"}

_Named = tuple[tuple[str, str], ...]


class Keys:
    """Games with equal keys have equal rows.

    ``settings`` are what findings depend on, such as the language. Rules are read once: later
    changes are not noticed.
    """

    def __init__(self, settings: str) -> None:
        self._about = f"{__version__}\n{VERSION}\n{settings}".encode()
        self._rules: Callable[[_Named, Path | None], bytes] = lru_cache(maxsize=256)(
            self._rules_digest
        )
        self._of_folder: Callable[[Path], bytes] = lru_cache(maxsize=256)(_folder_digest)

    def of(self, game: SourceGame) -> str:
        """Return the key of a game."""
        named: _Named = tuple((match[1].casefold(), match[2]) for match in _TAG.finditer(game.text))
        suffix = os.path.splitext(game.path)[1]  # noqa: PTH122 - an address is no path
        has_files = any(name == "variant" for name, _ in named)
        return _digest(
            self._about,
            self._rules(named, game.folder if has_files else None),
            f"{game.before} {suffix} {game.folder is None}".encode("utf-8", "surrogateescape"),
            game.text.encode("utf-8", "surrogatepass"),
        ).hex()

    def _rules_digest(self, named: _Named, folder: Path | None) -> bytes:
        """Cover all packs for a game named by its title, which may be any."""
        folders = pack_folders()
        values = [(name, rest.strip(_QUOTES)) for name, rest in named]
        games = [folders.get(value) for name, value in values if name == "game"]
        used = [game for game in games if game is not None]
        if not used or len(used) < len(games):
            used = [*folders.values()]
        return _digest(
            repr(sorted(folders)).encode("utf-8", "surrogateescape"),
            *(self._of_folder(place) for place in (*used, data_folder("rules") / FRAMES)),
            *(
                _variant_digest(value, folder, place)
                for name, value in values
                if name == "variant" and value.endswith((".yaml", ".yml"))
                for place in used
            ),
        )


def _digest(*parts: bytes) -> bytes:
    # Each part is hashed to a fixed length: a mere join could be equal for different parts.
    return blake2b(b"".join(blake2b(part).digest() for part in parts), digest_size=SIZE).digest()


def _folder_digest(folder: Path) -> bytes:
    paths = sorted(folder.rglob("*")) if folder.is_dir() else ()
    return _files_digest((path for path in paths if path.suffix in _RULES), folder)


def _variant_digest(name: str, folder: Path | None, game: Path) -> bytes:
    if folder is None:
        return b"no folder"
    path, place = named_file(name, folder, folder)
    if place is not Access.THERE:
        return str(place.value).encode()
    chains = Chains(game, [])
    chains.read([path.resolve()])
    return _files_digest(chains.files, folder)


def _files_digest(paths: Iterable[Path], folder: Path) -> bytes:
    parts: list[bytes] = []
    for path in paths:
        parts.append(os.path.relpath(path, folder).encode("utf-8", "surrogateescape"))
        try:
            parts.append(read_regular(path, MAX_RULES))
        except OSError:
            parts.append(b"?")
    return _digest(*parts)

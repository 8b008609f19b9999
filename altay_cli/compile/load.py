"""Load a pack by its name in a log, with variants."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from altay_cli.base.cache import fingerprint, load, provided, store
from altay_cli.base.findings import START, Finding, PackError, Severity, Text
from altay_cli.base.garbage import age_objects
from altay_cli.base.resources import FRAMES, data_folder, pack_folder, pack_folders
from altay_cli.base.version import __version__
from altay_cli.compile.shelf import PackEntry, pack_entry, repacked, restored
from altay_cli.expressions.linking import GLOBALS as RUNTIME
from altay_cli.pack.functions import GLOBALS, link_grids
from altay_cli.pack.model import STATUS, Pack
from altay_cli.pack.words import FILE

if TYPE_CHECKING:
    from altay_cli.pack.plans import Listing

_RULES = (".yaml", ".json", ".lark")


def pack_names() -> list[str]:
    """Return the names of all packs."""
    return sorted(pack_folders())


def default_pack() -> str | None:
    """Return the only pack with `default: true`, or None."""
    from altay_cli.source.folder import read_text

    defaults: list[str] = []
    for name, folder in pack_folders().items():
        path = folder / "game.yaml"
        source = read_text(path, str(path), "game", [], folder)
        match source and source.data:
            case {"default": True}:
                defaults.append(name)
    return defaults[0] if len(defaults) == 1 else None


def variant_names(pack: str) -> list[str]:
    """Return the ids of the variants of a pack."""
    return [path.stem for path in sorted((pack_folder(pack) / "variants").glob("*.yaml"))]


def load_pack(name: str, variants: Sequence[Path] = ()) -> Pack:
    """Load the pack ``name``, cached on disk, with variants applied in order.

    Raise a PackError with all problems of the files.
    """
    if name not in pack_names():
        template = "there is no rules pack `{name}`; there is {names}"
        message = Text(template, name=name, names=tuple(pack_names()))
        raise PackError([Finding("unknown-pack", Severity.ERROR, message, START, file=name)])
    if not variants and (entry := provided(f"pack {name}")) is not None:
        return unpacked(entry)
    folder = pack_folder(name)
    key = pack_key(folder, variants)
    data = load(key)
    if data is not None:
        # Safe to unpickle: the cache returns only data that it stored itself.
        files, extended, kept = pickle.loads(data)  # noqa: S301
        if contents(files) == extended:
            return _linked(kept)
    # A cached pack needs no YAML, schemas or grammar.
    from altay_cli.compile.building import compile_read
    from altay_cli.compile.trees import changed_rules, keep_tree

    game_key = pack_key(folder, (), "tree")
    tree, game = changed_rules(name, folder, variants, game_key)
    extended = contents(tree.files)
    pack = compile_read(tree)
    pack.listing.append(partial(print_and_keep, key))
    functions = link_pack(pack)
    if key == pack_key(folder, variants):  # the rules did not change meanwhile
        keep(key, partial(pack_entry, pack, functions), tree.files, extended)
        if game is not None:
            keep_tree(game_key, game)
    age_objects()
    return pack


def keep(key: str, storing: Callable[[], PackEntry], files: Sequence[str], extended: str) -> None:
    """Put a pack into the cache.

    ``files`` are those of its variants and of the packs these extend, ``extended`` their contents:
    known only after reading, so not part of the key.
    """
    with suppress(RecursionError, pickle.PickleError):
        store(key, pickle.dumps((files, extended, storing()), pickle.HIGHEST_PROTOCOL))


def print_and_keep(key: str, pack: Pack) -> Listing:
    """Return how moves are listed, and keep it with the pack under ``key``.

    It is printed when moves are first listed, as legal games can be judged without.
    """
    from altay_cli.compile.plans import print_listing

    listing = print_listing(pack)
    pack.listing[:] = [listing]
    data = load(key)
    if data is not None:
        files, extended, entry = pickle.loads(data)  # noqa: S301 - as above
        storing = partial(repacked, pack, entry.code, entry.functions)
        keep(key, storing, files, extended)
    return listing


def packed(pack: Pack) -> bytes:
    """Return a compiled pack as an entry that a host may provide."""
    return pickle.dumps(pack_entry(pack, link_pack(pack)), pickle.HIGHEST_PROTOCOL)


def unpacked(entry: bytes) -> Pack:
    """Return the pack of an entry that the host provides."""
    return _linked(pickle.loads(entry))  # noqa: S301 - made by the host


def _linked(entry: PackEntry) -> Pack:
    pack, functions = restored(entry, {**RUNTIME, **GLOBALS})
    _fill_in(pack, functions)
    return pack


def pack_key(folder: Path, variants: Sequence[Path], *about: str) -> str:
    """Return the cache key: a digest of program, rules, schemas and grammar."""
    frames = data_folder("rules") / FRAMES
    folders = (folder, frames, data_folder("schemas"), data_folder("grammar"))
    rules = [path for place in folders if place.is_dir() for path, _ in _files(str(place), _RULES)]
    return fingerprint(rules, *_PROGRAM, str(folder), contents(variants), *about)


def contents(variants: Sequence[str | Path]) -> str:
    """Return a digest of variant files, links followed."""
    return fingerprint(variants, *map(os.path.realpath, variants))


def _files(folder: str, endings: tuple[str, ...]) -> list[tuple[str, tuple[int, int]]]:
    files: list[tuple[str, tuple[int, int]]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink() and entry.is_dir():
                # Links are not followed, as they may form cycles.
                files.append((f"{entry.path} -> {Path(entry.path).readlink()}", (0, 0)))
            elif entry.name.endswith(endings):
                status = entry.stat()
                files.append((entry.path, (status.st_size, status.st_mtime_ns)))
            elif entry.is_dir():
                files += _files(entry.path, endings)
    files.sort()
    return files


_MODULES = [f"{path} {time}" for path, time in _files(str(Path(__file__).parents[1]), (".py",))]
_PROGRAM = (__version__, sys.version, str(sys.flags.optimize), *_MODULES)
"""The size and time of the program's files, as Python uses."""


def compile_pack(pack: Pack) -> CodeType:
    """Compile all functions of a pack."""
    from altay_cli.compile.emit import print_pack

    return compile(print_pack(pack), FILE, "exec", dont_inherit=True)


def link_pack(pack: Pack, code: CodeType | None = None) -> dict[str, Any]:
    """Set all functions of a pack; return their globals."""
    code = code or compile_pack(pack)
    namespace: dict[str, Any] = {**RUNTIME, **GLOBALS, **pack.constants}
    # No text of a rule: the printer wrote the code and chose every name and constant.
    exec(code, namespace)  # noqa: S102
    for part in (*pack.exprs, *pack.routines):
        part.fn = namespace[part.key]
    if not pack.listing:
        from altay_cli.compile.plans import print_listing

        pack.listing.append(print_listing(pack))
    _fill_in(pack, namespace)
    return namespace


def _fill_in(pack: Pack, namespace: dict[str, Any]) -> None:
    """Put the functions that are called by numbers and by names into a pack."""
    link_grids(pack.grids, pack.entities)
    pack.makers[:] = [namespace.get(f"m_{move.number}") for move in pack.moves]
    pack.standing.update({key: namespace[f"g_{key}"] for key in STATUS})
    pack.scorers[:] = [namespace[f"s_{number}"] for number in range(len(pack.categories))]

"""Loading a pack: by the name in a log's tag, with the variants that the log names."""

from __future__ import annotations

import marshal
import os
import pickle
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType

from altay_cli import __version__
from altay_cli.base.cache import fingerprint, load, store
from altay_cli.base.findings import START, Finding, PackError, Severity, Text
from altay_cli.base.garbage import age_objects
from altay_cli.base.resources import FRAMES, data_folder, pack_folder, pack_folders
from altay_cli.expressions.runtime import GLOBALS as RUNTIME
from altay_cli.pack.functions import GLOBALS, link_grids
from altay_cli.pack.model import STATUS, Pack
from altay_cli.pack.words import FILE

_RULES = (".yaml", ".json", ".lark")
"""The extensions of the files that packs are made from."""


def pack_names() -> list[str]:
    """Return the names of all packs that are there."""
    return sorted(pack_folders())


def default_pack() -> str | None:
    """Return the pack that is meant where none is named: whose game says `default: true`.

    None unless there is exactly one.
    """
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
    """Return the ids of the variants that come with a pack."""
    return [path.stem for path in sorted((pack_folder(pack) / "variants").glob("*.yaml"))]


def load_pack(name: str, variants: Sequence[Path] = ()) -> Pack:
    """Load the pack ``name`` with variant files laid over it, in order.

    A compiled pack is kept on disk, see ``altay_cli.base.cache``. A PackError holds every problem
    of the files.
    """
    if name not in pack_names():
        template = "there is no rules pack `{name}`; there is {names}"
        message = Text(template, name=name, names=tuple(pack_names()))
        raise PackError([Finding("unknown-pack", Severity.ERROR, message, START, file=name)])
    folder = pack_folder(name)
    key = pack_key(folder, variants)
    data = load(key)
    if data is not None:
        # What the cache gives back is what was stored, see there.
        kept: Pack
        files, extended, code, kept = pickle.loads(data)  # noqa: S301
        if contents(files) == extended:
            link_pack(kept, marshal.loads(code))  # noqa: S302
            return kept
    # Imported late: a pack that comes from the cache needs no YAML, no schemas, no grammar.
    from altay_cli.compile.building import compile_read, read_tree

    tree = read_tree(folder, variants)
    extended = contents(tree.files)
    pack = compile_read(tree)
    code = compile_pack(pack)
    link_pack(pack, code)
    if key == pack_key(folder, variants):  # nobody has changed the rules in the meantime
        keep(key, pack, code, tree.files, extended)
    age_objects()
    return pack


def keep(key: str, pack: Pack, code: CodeType, files: Sequence[str], extended: str) -> None:
    """Put a pack and its code into the cache.

    ``files`` are those of its variants and of what these extend, ``extended`` what they held when
    they were read: which they are is known only then, so that the key cannot tell it.
    """
    with suppress(RecursionError, pickle.PickleError):
        entry = (files, extended, marshal.dumps(code), pack)
        store(key, pickle.dumps(entry, pickle.HIGHEST_PROTOCOL))


def pack_key(folder: Path, variants: Sequence[Path]) -> str:
    """Return what a pack is kept under: it tells everything apart that packs are made from.

    That is the program, and what the rules, schemas and grammar say. What the variants extend is
    not known before they have been read: that is kept with the pack.
    """
    frames = data_folder("rules") / FRAMES
    folders = (folder, frames, data_folder("schemas"), data_folder("grammar"))
    rules = [path for place in folders if place.is_dir() for path, _ in _files(str(place), _RULES)]
    return fingerprint(rules, *_PROGRAM, str(folder), contents(variants))


def contents(variants: Sequence[str | Path]) -> str:
    """Return what identifies the contents of variant files, links followed."""
    return fingerprint(variants, *map(os.path.realpath, variants))


def _files(folder: str, endings: tuple[str, ...]) -> list[tuple[str, tuple[int, int]]]:
    """Return the files below a folder with these extensions, with sizes and times."""
    files: list[tuple[str, tuple[int, int]]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink() and entry.is_dir():
                # Not followed: it may lead in circles. What is read through it lies in the folder.
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
"""What identifies the program, by size and time of its files, which Python goes by, too.

Told at once: they may be replaced while it runs, and what it makes is not for the new one.
"""


def compile_pack(pack: Pack) -> CodeType:
    """Compile all functions of a pack; nothing but their source goes into the code."""
    from altay_cli.compile.emit import print_pack

    return compile(print_pack(pack), FILE, "exec", dont_inherit=True)


def link_pack(pack: Pack, code: CodeType | None = None) -> dict[str, object]:
    """Give every expression, effect list, move and score of a pack its function.

    ``code`` is what ``compile_pack`` gave for the pack. Returns what the functions find by name.
    """
    code = code or compile_pack(pack)
    namespace: dict[str, object] = {**RUNTIME, **GLOBALS, **pack.constants}
    # Not the text of a rule: source that the printer wrote, with every name and constant its own.
    exec(code, namespace)  # noqa: S102
    link_grids(pack.grids, pack.entities)
    for part in (*pack.exprs, *pack.routines):
        part.fn = namespace[part.key]
    pack.makers[:] = [namespace.get(f"m_{move.number}") for move in pack.moves]
    pack.standing.update({key: namespace[f"g_{key}"] for key in STATUS})
    pack.scorers[:] = [namespace[f"s_{number}"] for number in range(len(pack.categories))]
    if not pack.listing:
        from altay_cli.compile.plans import print_listing

        pack.listing.append(print_listing(pack))
    return namespace

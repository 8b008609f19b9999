"""Loading a pack: by the name in a log's tag, with the variants that the log names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from altay_cli.expressions import compile_module, link
from altay_cli.pack.cache import cache_key, read_cache, write_cache
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.model import Pack
from altay_cli.pack.problems import PackError, Problem
from altay_cli.resources import data_folder
from altay_cli.spans import START


def pack_names() -> list[str]:
    """Return the names of the shipped packs."""
    return sorted(path.parent.name for path in data_folder("rules").glob("*/game.yaml"))


def variant_names(pack: str) -> list[str]:
    """Return the ids of the variants that come with a pack."""
    folder = data_folder("rules") / pack / "variants"
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_pack(name: str, variants: Sequence[Path] = ()) -> Pack:
    """Load the shipped pack ``name`` with variant files laid over it, in order.

    A compiled pack is kept on disk, see ``altay_cli.pack.cache``.

    Raises:
        PackError: with every problem of the files.

    """
    if name not in pack_names():
        message = f"there is no rules pack `{name}`; there is {', '.join(pack_names())}"
        raise PackError([Problem("unknown-pack", message, name, START)])
    folder = data_folder("rules") / name
    key = cache_key(folder, variants)
    kept = read_cache(key)
    if kept is not None:
        try:
            link_pack(*kept)
        except Exception:  # noqa: S110 - whatever is wrong with a kept pack, it is made anew
            pass
        else:
            return kept[0]
    pack = compile_folder(folder, variants)
    code = compile_module(pack.codes)
    write_cache(key, pack, code)
    link_pack(pack, code)
    return pack


def compile_folder(folder: Path, variants: Sequence[Path] = ()) -> Pack:
    """Compile a rules folder with variant files laid over it; the pack is not linked yet.

    Raises:
        PackError: with every problem of the files.

    """
    # Imported late: a pack that comes from the cache needs no YAML, no schemas, no grammar.
    from altay_cli.pack.building import build

    return build(folder, variants)


def link_pack(pack: Pack, code: CodeType) -> None:
    """Give every expression of the pack its function."""
    functions: dict[str, Any] = {}
    namespace: dict[str, object] = {**GLOBALS, **pack.constants, "F": functions}
    linked = link(pack.codes, namespace, code)
    for key, function in linked.items():
        if key.startswith("fn "):
            functions[key[3:]] = function
    for expr in pack.exprs:
        expr.fn = linked[expr.key]

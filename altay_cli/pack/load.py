"""Loading a pack: by the name in a log's tag, with the variants that the log names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from altay_cli.expressions import compile_module, link
from altay_cli.pack.compiler import Compiler
from altay_cli.pack.environment import GLOBALS
from altay_cli.pack.folder import read_folder, read_source
from altay_cli.pack.model import Pack
from altay_cli.pack.problems import PackError, Problem
from altay_cli.pack.schema import SchemaStore
from altay_cli.pack.variants import apply_variant
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

    Raises:
        PackError: with every problem of the files.

    """
    if name not in pack_names():
        message = f"there is no rules pack `{name}`; there is {', '.join(pack_names())}"
        raise PackError([Problem("unknown-pack", message, name, START)])
    return compile_folder(data_folder("rules") / name, variants)


def compile_folder(folder: Path, variants: Sequence[Path] = ()) -> Pack:
    """Compile a rules folder with variant files laid over it.

    Raises:
        PackError: with every problem of the files.

    """
    tree = read_folder(folder)
    store = SchemaStore(data_folder("schemas"))
    for path in variants:
        source = read_source(path, path.name, "variant", store, tree.problems)
        if source is not None and not tree.problems:
            apply_variant(tree, source)
    if tree.problems:
        raise PackError(tree.problems)
    compiler = Compiler(tree)
    pack = compiler.compile(tuple(path.stem for path in variants))
    if tree.problems:
        raise PackError(tree.problems)
    link_pack(pack)
    return pack


def link_pack(pack: Pack) -> None:
    """Give every expression of the pack its function."""
    functions: dict[str, Any] = {}
    namespace: dict[str, object] = {**GLOBALS, **pack.constants, "F": functions}
    linked = link(pack.codes, namespace, compile_module(pack.codes))
    for key, function in linked.items():
        if key.startswith("fn "):
            functions[key[3:]] = function
    for expr in pack.exprs:
        expr.fn = linked[expr.key]

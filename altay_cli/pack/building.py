"""From the files of a rules folder to a compiled pack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from altay_cli.pack.compiler import Compiler
from altay_cli.pack.folder import read_folder, read_source
from altay_cli.pack.model import Pack
from altay_cli.pack.problems import PackError
from altay_cli.pack.schema import SchemaStore
from altay_cli.pack.variants import apply_variant
from altay_cli.resources import data_folder


def build(folder: Path, variants: Sequence[Path]) -> Pack:
    """Read, check and compile a rules folder with variant files laid over it, in order.

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
    return pack

"""The rules of a game as read, which its variants take over from the cache."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from altay_cli.base.cache import load, provided, store
from altay_cli.compile.building import apply_variants
from altay_cli.expressions.parser import parsed
from altay_cli.source.folder import Tree, read_folder


def changed_rules(
    name: str, folder: Path, variants: Sequence[Path], key: str
) -> tuple[Tree, Tree | None]:
    """Return the rules of a game with variants applied; also those to keep under ``key``, if any.

    Those of the game alone are kept when its first variant is compiled.
    """
    known = _known_tree(name, key)
    game = read_folder(folder) if known is None else known
    return apply_variants(game, folder, variants), game if variants and known is None else None


def keep_tree(key: str, tree: Tree) -> None:
    """Put the rules of a game into the cache, with all expressions parsed so far."""
    with suppress(RecursionError, pickle.PickleError):
        store(key, pickle.dumps((tree, parsed.copy()), pickle.HIGHEST_PROTOCOL))


def packed_tree(tree: Tree) -> bytes:
    """Return the rules of a folder as an entry that a host may provide, to apply variants to."""
    return zlib.compress(pickle.dumps(tree, pickle.HIGHEST_PROTOCOL), 9)


def _known_tree(name: str, key: str) -> Tree | None:
    tree: Tree
    entry = provided(f"tree {name}")
    if entry is not None:
        tree = pickle.loads(zlib.decompress(entry))  # noqa: S301 - made by the host
        return tree
    entry = load(key)
    if entry is None:
        return None
    tree, expressions = pickle.loads(entry)  # noqa: S301 - the cache holds only its own data
    parsed.update(expressions)
    return tree

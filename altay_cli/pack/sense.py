"""Whether rules make sense in play: what a schema and types cannot see."""

from __future__ import annotations

from altay_cli.pack.folder import Tree
from altay_cli.pack.model import Pack


def make_sense(tree: Tree, pack: Pack) -> None:
    """Note in ``tree`` what is well formed in ``pack`` and makes no sense."""
    del tree, pack

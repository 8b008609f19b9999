"""All that is wrong with rules, in one run: form, references, types, and sense."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from altay_cli.pack.building import compile_tree, read_tree
from altay_cli.pack.load import link_pack
from altay_cli.pack.problems import Problem


def examine(folder: Path, variants: Sequence[Path]) -> list[Problem]:
    """Check a rules folder with variants laid over it; give every problem, in order.

    Sense is only asked where form, references and types are right.
    """
    tree = read_tree(folder, variants)
    pack = None
    if not tree.problems:
        pack = compile_tree(tree, variants)
    if not tree.problems and pack is not None:
        from altay_cli.expressions import compile_module
        from altay_cli.pack.sense import make_sense

        link_pack(pack, compile_module(pack.codes))
        make_sense(tree, pack)
    own = {path.name for path in variants}
    # What stands in the file that was asked about comes first.
    return sorted(set(tree.problems), key=lambda p: (p.file not in own, p.file, p.span))

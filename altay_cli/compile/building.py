"""From the files of a rules folder to a compiled pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.findings import Finding, PackError, Severity
from altay_cli.base.spans import START
from altay_cli.compile.compiler import Compiler
from altay_cli.compile.model import Pack
from altay_cli.compile.slips import astray, entries
from altay_cli.expressions.checker import Checked
from altay_cli.expressions.environment import Environment
from altay_cli.source.document import Entry
from altay_cli.source.folder import Tree, read_folder
from altay_cli.source.variants import Chains, Left, Patcher, revalidate


def read_tree(folder: Path, variants: Sequence[Path]) -> Tree:
    """Read a rules folder and lay variants over it; problems are noted in the tree."""
    return lay_over(read_folder(folder), folder, variants)


def lay_over(base: Tree, folder: Path, variants: Sequence[Path], left: Left = frozenset()) -> Tree:
    """Return the tree of a rules folder with variants laid over a copy of it.

    The changes in ``left`` are left out.
    """
    if not variants or base.problems:
        return base
    tree = base.copy()
    patcher = Patcher(tree)
    chains = Chains(folder, tree.problems, left)
    chain = chains.read(variants)
    tree.files = list(map(str, chains.files))
    if tree.problems:
        tree.well_formed = False
        return tree
    slips = set(entries(tree.data))
    for variant in chain:
        patcher.apply(variant)
        tree.variants.append((variant.id, variant.source.data.get("version", "")))
    revalidate(tree, base, variants[-1].name)
    if tree.well_formed:
        # What a variant takes away cannot be broken any more.
        for slip in [slip for slip in astray(tree.data) if slip.path in slips]:
            tree.remove(slip.path)
    return tree


class Compiled(NamedTuple):
    """A pack and what was found out about its expressions when it was compiled.

    ``checked`` is by their keys, and of the functions of the rules by `fn` and the name; ``env`` is
    what every expression can mention, and ``data`` what was compiled.
    """

    pack: Pack
    checked: Mapping[str, Checked]
    env: Environment
    data: Entry


def compile_tree(tree: Tree, variants: Sequence[Path]) -> Pack | None:
    """Compile a tree; None if that is impossible. Problems are noted in the tree."""
    compiled = compile_whole(tree, variants)
    return None if compiled is None else compiled.pack


def compile_whole(tree: Tree, variants: Sequence[Path]) -> Compiled | None:
    """Compile a tree as ``compile_tree`` does, and return what was found out about expressions."""
    try:
        compiler = Compiler(tree)
        return Compiled(compiler.compile(), compiler.checked, compiler.env, tree.data)
    except RecursionError:
        message = "the rules are nested too deep; it cannot be said where"
        file = variants[-1].name if variants else tree.where(("game",))[0]
        unusable = Finding("rules-unusable", Severity.ERROR, message, START, file=file)
        tree.problems.append(unusable)
        return None


def compile_read(tree: Tree, variants: Sequence[Path]) -> Pack:
    """Compile what ``read_tree`` has read.

    Raises:
        PackError: with every problem of the files.

    """
    pack = None if tree.problems else compile_tree(tree, variants)
    if pack is None or tree.problems:
        raise PackError(tree.problems)
    return pack

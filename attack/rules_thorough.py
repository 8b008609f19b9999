"""Run the whole test suite on changed rules: `python -m attack.rules_thorough CHANGE`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from altay_cli.compile import building
from altay_cli.source.folder import Tree
from altay_cli.source.variants import Left
from attack.rules_mutants import Mutant, mutants


def install(mutant: Mutant) -> None:
    """Apply the change to all rules read from now on."""
    apply_variants = building.apply_variants

    def changed(
        base: Tree, folder: Path, variants: Sequence[Path], left: Left = frozenset()
    ) -> Tree:
        applied = apply_variants(base, folder, variants, left)
        if applied.well_formed and not applied.problems and mutant.concerns(tuple(variants)):
            mutant.edit(applied)
        return applied

    building.apply_variants = changed
    os.environ["ALTAY_CACHE"] = "off"


def main(ident: str) -> int:
    """Run the tests on a change; return the exit code of pytest."""
    install(next(mutant for mutant in mutants() if mutant.ident == ident))
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "--ignore=tests/attack"]
    return int(pytest.main(["--no-header", *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

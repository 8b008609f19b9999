"""The Python that is printed from a pack."""

from __future__ import annotations

import symtable
from collections.abc import Iterator

import pytest

from altay_cli.base.resources import pack_folder
from altay_cli.compile.emit import print_effects, print_pack
from altay_cli.expressions.linker import GLOBALS as RUNTIME
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.load import compile_folder, load_pack


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for inner in table.get_children():
        yield inner
        yield from tables(inner)


@pytest.mark.parametrize("game", ["altay", "innovation"])
def test_no_variable_hides_what_expressions_find_by_name(game: str) -> None:
    pack = compile_folder(pack_folder(game))
    for source in (print_pack(pack), print_effects(pack)):
        known = {*RUNTIME, *GLOBALS, *pack.constants}
        whole = symtable.symtable(source, "<rules>", "exec")
        found = {
            symbol.get_name()
            for table in tables(whole)
            for symbol in table.get_symbols()
            if symbol.is_local()
        }
        assert len(found) > 20
        assert found & known == set()


def test_each_category_has_a_function_of_its_points() -> None:
    pack = load_pack("altay")
    assert len(pack.scorers) == len(pack.categories) > 0

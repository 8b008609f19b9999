"""The Python that is printed from a pack."""

from __future__ import annotations

import builtins
import marshal
import symtable
from collections.abc import Iterator
from dis import get_instructions
from types import CodeType, FunctionType

import pytest

from altay_cli.base.resources import pack_folder
from altay_cli.compile.emit import print_pack
from altay_cli.compile.load import compile_pack, link_pack, load_pack, pack_names
from altay_cli.expressions.linking import GLOBALS as RUNTIME
from altay_cli.expressions.runtime import LANGUAGE
from altay_cli.pack.functions import GLOBALS
from tests.small import compile_folder


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for inner in table.get_children():
        yield inner
        yield from tables(inner)


@pytest.mark.parametrize("game", ["altay", "innovation"])
def test_no_variable_hides_what_expressions_find_by_name(game: str) -> None:
    pack = compile_folder(pack_folder(game))
    source = print_pack(pack)
    known = {*RUNTIME, *GLOBALS, *pack.constants}
    found = {
        symbol.get_name()
        for table in tables(symtable.symtable(source, "<rules>", "exec"))
        for symbol in table.get_symbols()
        if symbol.is_local()
    }
    assert len(found) > 20
    assert found & known == set()


def globals_of(code: CodeType) -> Iterator[str]:
    """Yield the global names that the functions of a module read."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from (i.argval for i in get_instructions(constant) if i.opname == "LOAD_GLOBAL")
            yield from globals_of(constant)


@pytest.mark.parametrize("game", pack_names())
def test_what_printed_code_calls_is_there(game: str) -> None:
    pack = compile_folder(pack_folder(game))
    code = compile_pack(pack)
    link_pack(pack, code)
    (listing,) = pack.listing
    lister = marshal.loads(listing.code)  # noqa: S302 - made just now
    known = {*RUNTIME, *GLOBALS, *pack.constants, *vars(builtins), *code.co_names}
    assert {*globals_of(code)} <= known
    assert {*globals_of(lister)} <= known | {*listing.constants} | {*lister.co_names}


def test_each_category_has_a_function_of_its_points() -> None:
    pack = load_pack("altay")
    assert len(pack.scorers) == len(pack.categories) > 0


def test_a_function_of_the_language_may_be_given_what_does_not_fit() -> None:
    """What it raises then is told of the rules, and is no mistake of the program."""
    functions = [one for one in {**RUNTIME, **GLOBALS}.values() if isinstance(one, FunctionType)]
    assert len(functions) > 50
    strange = {one.__module__ for one in functions if not LANGUAGE.fullmatch(one.__module__)}
    assert strange == set()

"""Mutations of the program change one place each, and runs of tests notice them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from attack.mutations import ROOMS, Mutation, changed, modules, mutations

SOURCE = b"""
def largest(numbers, limit):
    best = 0
    for number in numbers:
        if number > best and not limit:
            best = number
    numbers.clear()
    return best
"""


def test_each_mutation_changes_one_line() -> None:
    before = ast.unparse(ast.parse(SOURCE)).split("\n")
    pairs = set()
    for number in range(4):
        after = ast.unparse(changed(SOURCE, number)).split("\n")
        (pair,) = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
        pairs.add((pair[0].strip(), pair[1].strip()))
    assert pairs == {
        ("if number > best and (not limit):", "if number > best or not limit:"),
        ("if number > best and (not limit):", "if number >= best and (not limit):"),
        ("numbers.clear()", "pass"),
        ("return best", "return None"),
    }
    with pytest.raises(IndexError):
        changed(SOURCE, 4)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_mutations_and_tests(room: str) -> None:
    assert sum(len(mutations(module)) for module in modules(room)) > 100
    assert all(Path(path).is_dir() for path in ROOMS[room])


@pytest.mark.slow
def test_a_mutation_is_noticed_by_tests_that_cover_it(tmp_path: Path) -> None:
    cells = Mutation("altay_cli.base.journal", 2, 0, "")
    assert cells.is_noticed(["tests/engine/test_left_behind.py"], str(tmp_path))


@pytest.mark.slow
def test_a_mutation_is_not_noticed_by_other_tests(tmp_path: Path) -> None:
    table = Mutation("altay_cli.report.tables", 0, 0, "")
    assert not table.is_noticed(["tests/notation/test_agn_grammar.py"], str(tmp_path))

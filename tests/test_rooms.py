"""The rooms of the program: each imports only those before it, see docs/architecture.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import altay_cli

SOURCE = Path(altay_cli.__file__).parent

ROOMS = (
    "notation", "expressions", "pack", "engine", "scoring", "view", "simulation", "rulecheck",
    "report", "replay", "cli",
)  # fmt: skip
"""In the order of the way down; a room knows nothing of those behind it."""

BETWEEN = {"tags": "pack", "checking": "scoring", "playing": "scoring", "filling": "scoring"}
"""Modules without a room, with the last room that they may know."""

SHARED = ("findings", "values", "spans", "records", "suggest", "looks", "translations", "catalogue",
          "resources", "atomic", "cache", "regular", "digests", "garbage")  # fmt: skip
"""What all rooms share, and no part of which knows a room."""


def imported(source: str) -> Iterator[str]:
    """Yield the parts of the program that a module imports; what only types need is left out."""
    tree = ast.parse(source)
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in typing:
            program, _, rest = node.module.partition(".")
            if program == "altay_cli" and rest:
                yield rest.split(".")[0]


def known(part: str) -> dict[str, str]:
    """Return what the modules of a room, or a module without one, import: by part, who does."""
    files = [SOURCE / f"{part}.py"] if part not in ROOMS else sorted((SOURCE / part).glob("*.py"))
    return {
        other: path.name
        for path in files
        for other in imported(path.read_text(encoding="utf-8"))
        if other != part
    }


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_those_before_it(room: str) -> None:
    behind = ROOMS[ROOMS.index(room) + 1 :]
    assert {part: by for part, by in known(room).items() if part in behind} == {}


@pytest.mark.parametrize(("module", "last"), BETWEEN.items())
def test_a_module_without_a_room_knows_only_those_down_to_one(module: str, last: str) -> None:
    behind = ROOMS[ROOMS.index(last) + 1 :]
    assert {part: by for part, by in known(module).items() if part in behind} == {}


@pytest.mark.parametrize("module", SHARED)
def test_what_all_rooms_share_knows_no_room(module: str) -> None:
    assert {part for part in known(module) if part in ROOMS or part in BETWEEN} == set()


def test_the_page_on_the_house_names_every_room() -> None:
    page = (SOURCE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders == set(ROOMS)
    assert [room for room in ROOMS if f"| `{room}/` |" not in page] == []
    modules = {path.stem for path in SOURCE.glob("*.py")} - {"__init__", "__main__"}
    unnamed = {"digests", "garbage"}  # details of starting
    assert [name for name in sorted(modules - unnamed) if f"`{name}.py`" not in page] == []

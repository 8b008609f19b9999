"""The rooms of the program: each imports only those before it, see docs/architecture.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import altay_cli

SOURCE = Path(altay_cli.__file__).parent

ROOMS = (
    "base", "notation", "converters", "expressions", "source", "pack", "compile", "hidden", "match", "moves",
    "repair", "scoring", "checking", "view", "simulation", "lint", "drawing", "report", "archive", "replay", "cli",
)  # fmt: skip
"""In the order of the way down; a room knows nothing of those behind it."""

LEFT: set[str] = set()
"""Modules that still import a room behind theirs; the list only gets shorter."""


def imported(source: str) -> Iterator[str]:
    """Yield the rooms that a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            program, _, rest = node.module.partition(".")
            if program == "altay_cli" and rest:
                yield rest.split(".")[0]
            elif program == "altay_cli":
                yield from (alias.name for alias in node.names if alias.name in ROOMS)


def _reaches_down(path: Path) -> bool:
    behind = ROOMS[ROOMS.index(path.parent.name) + 1 :]
    return bool({*imported(path.read_text(encoding="utf-8"))} & {*behind})


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_those_before_it(room: str) -> None:
    found = {f"{room}.{path.stem}" for path in (SOURCE / room).glob("*.py") if _reaches_down(path)}
    assert found == {name for name in LEFT if name.startswith(f"{room}.")}


def test_the_page_on_the_house_names_every_room() -> None:
    page = (SOURCE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders == {*ROOMS}
    assert [room for room in ROOMS if f"| `{room}/` |" not in page] == []
    assert {path.stem for path in SOURCE.glob("*.py")} == {"__init__", "__main__"}

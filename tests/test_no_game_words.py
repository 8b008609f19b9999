"""The program knows no game: no word of a rules pack stands in its source.

Taken are the names of all cards, places, factions, resources and score categories, as ids and in
English. Looked at are identifiers, split into their words, and strings; comments and docstrings
may speak of a game to explain themselves.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import altay_cli
from altay_cli.compile.load import load_pack, pack_names
from altay_cli.converters import table

SOURCE = Path(altay_cli.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

# Kinds whose things are a game's own. Effects are numbered, and have no names.
KINDS = (
    "resource",
    "terrain",
    "territory",
    "faction",
    "title",
    "achievement",
    "icon",
    "piece",
    "wing",
)

# A converter translates the notation of one game, and so knows that game: its module may use the
# words of this game, and of no other. The table of converters names the module; nothing imports it.
CONVERTERS = {one.module: one.game for one in table.CONVERTERS}

# Plain English that a program cannot do without, and what it stands for in the source.
PLAIN = {
    "any": "Python's any() and typing.Any",
    "one": "a single thing",
    "cards": "a folder of every pack: games are played with cards, and some score them",
    "writing": "the module that writes logs down",
    "factory": "field(default_factory=...) of dataclasses",
    "hexagon": "a shape that views can draw",
    "worker": "a process that a Dask scheduler hands work to, as its library calls it",
    "captured": "what the slots of a pattern have captured of a statement",
}


def phrase(text: str) -> str:
    """Return the words of a text or identifier in lower case, with single spaces around each.

    `HandSize`, `hand_size` and `hand size` are the same.
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    found = re.findall(r"[^\W_]+", parted)
    return f" {' '.join(found)} ".casefold()


def forbidden(packs: Iterable[str]) -> set[str]:
    """Return all names of packs: in small letters, with single spaces."""
    names: set[str] = set()
    for name in packs:
        pack = load_pack(name)
        for kind in KINDS:
            for entity in pack.entities.get(kind, ()):
                names.add(entity.id)
                shown = pack.shown["en"].get(f"{kind} {entity.id}", entity.id)
                names.update((shown, shown.partition("(")[0]))
        names.update(category.id for category in pack.categories)
        names.update(category.title for category in pack.categories)
    return {phrase(name).strip() for name in names} - set(PLAIN)


def spoken(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of every identifier and string that is no docstring."""
    docstrings = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            docstrings |= {
                id(item.value)
                for item in body
                if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
            }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings:
            yield line, node.value
        for field in ("id", "attr", "name", "arg", "asname", "module"):
            text = getattr(node, field, None)
            if isinstance(text, str):
                yield line, text


def found_in(source: str, names: set[str]) -> list[str]:
    """List the names that stand in a source, with their lines."""
    found = []
    for line, text in spoken(ast.parse(source)):
        there = phrase(text)
        found += [
            f"line {line}: `{name}` in {text[:60]!r}" for name in names if f" {name} " in there
        ]
    return sorted(set(found))


NAMES = forbidden(pack_names())


def module_of(path: Path) -> str:
    """Return the name of the module in a file."""
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)


def test_the_names_are_those_of_the_game() -> None:
    assert {"hunter", "great wall", "firefolk", "wood", "f2", "farmland", "technologies"} <= NAMES
    assert len(NAMES) > 80


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_word_of_a_game_stands_in_the_program(path: Path) -> None:
    others = [name for name in pack_names() if name != CONVERTERS.get(module_of(path))]
    names = forbidden(others) if len(others) < len(pack_names()) else NAMES
    assert found_in(path.read_text(encoding="utf-8"), names) == []


def test_a_converter_is_imported_by_nobody_and_needs_its_exception() -> None:
    assert {"pawn", "knight"} <= NAMES
    for module in CONVERTERS:
        text = (SOURCE.parent / Path(*module.split("."))).with_suffix(".py").read_text("utf-8")
        assert found_in(text, NAMES)
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {one.module for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
        assert named.isdisjoint(CONVERTERS), path


def test_nothing_is_allowed_without_need() -> None:
    found = " ".join(
        line for path in FILES for line in found_in(path.read_text(encoding="utf-8"), set(PLAIN))
    )
    used = {word for word in PLAIN if f"`{word}`" in found}
    assert used == set(PLAIN)


def test_names_of_files_are_looked_at() -> None:
    for path in FILES:
        assert phrase(path.stem).strip() not in NAMES, path


@pytest.mark.parametrize(
    "source",
    [
        "hunter = 1",
        "def buy_hunter(): pass",
        "class HunterCard: pass",
        "x.wood",
        "f(food=2)",
        "from game.hunter import x",
        "x = 'a Great  Wall'",
        "x = f'{x} of hunter'",
        "x = {'city': 1}",
        "lambda shaman: 0",
        "TERRITORIES = 1",
    ],
)
def test_such_words_are_found(source: str) -> None:
    assert found_in(source, NAMES)


@pytest.mark.parametrize(
    "source",
    [
        "'''The hunter.'''\nx = 1",
        "def f():\n    '''Such as a hunter.'''",
        "# hunter\nx = 1",
        "hunters = 1",
    ],
)
def test_comments_docstrings_and_other_words_are_let_pass(source: str) -> None:
    assert found_in(source, NAMES) == []

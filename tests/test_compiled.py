"""What the compiled build needs of the modules that it translates (hatch_build.py)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_DECORATED = 10


def compiled_modules() -> list[str]:
    """Return MODULES of the build, which imports what only a build has."""
    tree = ast.parse(Path(ROOT, "hatch_build.py").read_bytes())
    (value,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MODULES"
    )
    return [f"altay_cli/{name}.py" for name in ast.literal_eval(value)]


def classes(path: Path) -> Iterator[ast.ClassDef]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ClassDef):
            yield node


def can_be_extended(node: ast.ClassDef) -> bool:
    told = "mypyc_attr(allow_interpreted_subclasses=True)"
    return told in map(ast.unparse, node.decorator_list)


@pytest.fixture(scope="module")
def compiled() -> dict[str, ast.ClassDef]:
    return {node.name: node for name in compiled_modules() for node in classes(ROOT / name)}


def test_each_module_is_named_once() -> None:
    names = compiled_modules()
    assert names == sorted(set(names))
    assert all(Path(ROOT, name).is_file() for name in names)


def test_classes_that_other_modules_extend_say_so(compiled: dict[str, ast.ClassDef]) -> None:
    """An instance of another subclass could not be made."""
    extended = set()
    for folder in ("altay_cli", "tests"):
        for path in Path(ROOT, folder).rglob("*.py"):
            if path.relative_to(ROOT).as_posix() not in compiled_modules():
                extended |= {ast.unparse(base) for node in classes(path) for base in node.bases}
    wanted = extended & compiled.keys()
    assert {name for name in wanted if not can_be_extended(compiled[name])} == set()


def test_few_classes_say_what_only_the_compiler_needs(compiled: dict[str, ast.ClassDef]) -> None:
    decorated = [name for name, node in compiled.items() if "mypyc" in ast.unparse(node)]
    assert 0 < len(decorated) < MOST_DECORATED


def test_no_limit_is_fixed_when_it_is_compiled() -> None:
    """The compiler would write the value of a `Final` into the code of other modules."""
    limits = [*Path(ROOT, "altay_cli").rglob("limits.py")]
    assert len(limits) > 5
    assert [path for path in limits if "Final" in path.read_text(encoding="utf-8")] == []

"""A built page, if there is one here, was made of the rules as they are."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "web" / "python"))

from build import digest, without_lines  # noqa: E402

MANIFEST = ROOT / "web" / "dist" / "python" / "manifest.json"


def test_the_digest_of_rules_changes_with_names_and_contents(tmp_path: Path) -> None:
    found = set()
    for name, text in (("a.yaml", "x"), ("a.yaml", "y"), ("b.yaml", "y"), ("b.yaml", "y\n")):
        folder = tmp_path / str(len(found))
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        found.add(digest(folder))
    assert len(found) == 4


def test_code_without_lines_does_the_same_and_its_traceback_names_functions() -> None:
    source = "def outer(value):\n    def inner():\n        return 1 / value\n    return inner()\n"
    found: dict[str, object] = {}
    code = compile(source, "sample.py", "exec")
    exec(without_lines(code), found)  # noqa: S102
    outer = found["outer"]
    assert callable(outer)
    assert outer(4) == 0.25
    with pytest.raises(ZeroDivisionError) as raised:
        outer(0)
    frames = traceback.extract_tb(raised.value.__traceback__)[-2:]
    assert [(frame.name, frame.lineno) for frame in frames] == [("outer", None), ("inner", None)]


def test_compiled_rules_are_those_of_the_rule_files() -> None:
    if not MANIFEST.is_file():
        pytest.skip("no page is built here; `.ci/run` builds one and compares it")
    rules = {path.parent.name: digest(path.parent) for path in (ROOT / "rules").glob("*/game.yaml")}
    assert json.loads(MANIFEST.read_text("utf-8"))["rules"] == rules

"""A built page, if there is one here, was made of the rules as they are."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "web" / "python"))

from build import digest  # noqa: E402

MANIFEST = ROOT / "web" / "dist" / "python" / "manifest.json"


def test_the_digest_of_rules_changes_with_names_and_contents(tmp_path: Path) -> None:
    found = set()
    for name, text in (("a.yaml", "x"), ("a.yaml", "y"), ("b.yaml", "y"), ("b.yaml", "y\n")):
        folder = tmp_path / str(len(found))
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        found.add(digest(folder))
    assert len(found) == 4


def test_compiled_rules_are_those_of_the_rule_files() -> None:
    if not MANIFEST.is_file():
        pytest.skip("no page is built here; `.ci/run` builds one and compares it")
    rules = {path.parent.name: digest(path.parent) for path in (ROOT / "rules").glob("*/game.yaml")}
    assert json.loads(MANIFEST.read_text("utf-8"))["rules"] == rules

"""Stand-ins for compiled modules do what those do, as far as the page needs them."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import rpds

ROOT = Path(__file__).parents[2]
STANDINS = ROOT / "web" / "python" / "standins"


def _standin() -> ModuleType:
    spec = importlib.util.spec_from_file_location("standin", STANDINS / "rpds" / "__init__.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BOTH = pytest.mark.parametrize("of", [rpds, _standin()], ids=["rpds", "stand-in"])


@BOTH
def test_a_map_is_never_changed(of: Any) -> None:
    empty, one = of.HashTrieMap(), of.HashTrieMap({"a": 1})
    two = one.insert("b", 2)
    assert (len(empty), dict(one), dict(two)) == (0, {"a": 1}, {"a": 1, "b": 2})
    assert dict(two.remove("a")) == {"b": 2}
    assert dict(one.update({"c": 3})) == {"a": 1, "c": 3}
    assert dict(of.HashTrieMap([("k", "v")])) == {"k": "v"}
    assert (two.get("z"), two.get("z", 5), two["b"], "a" in two) == (None, 5, 2, True)
    assert of.HashTrieMap.convert(one) is one
    assert dict(of.HashTrieMap.convert({"x": 1})) == {"x": 1}
    assert one == of.HashTrieMap({"a": 1}) and hash(one) == hash(of.HashTrieMap({"a": 1}))
    assert dict(two.discard("z")) == dict(two)
    assert sorted(two.values()) == [1, 2] and sorted(two.items()) == [("a", 1), ("b", 2)]
    with pytest.raises(KeyError):
        one.remove("z")
    with pytest.raises(KeyError):
        one["z"]


@BOTH
def test_a_set_is_never_changed(of: Any) -> None:
    one = of.HashTrieSet(["a"])
    two = one.insert("b")
    assert (set(one), set(two), len(two), "b" in two) == ({"a"}, {"a", "b"}, 2, True)
    assert set(two.remove("a")) == {"b"}
    assert set(two.discard("z")) == {"a", "b"}
    assert set(one.update(["c"])) == {"a", "c"}
    assert one == of.HashTrieSet(["a"]) and hash(one) == hash(of.HashTrieSet(["a"]))
    with pytest.raises(KeyError):
        one.remove("z")


@BOTH
def test_a_list_is_never_changed(of: Any) -> None:
    items = of.List([1, 2])
    assert [*items.push_front(0)] == [0, 1, 2]
    assert ([*items], items.first, [*items.rest], len(items), 2 in items) == (
        [1, 2],
        1,
        [2],
        2,
        True,
    )
    assert [*items.drop_first()] == [2]
    assert [*reversed(items)] == [2, 1]
    assert items == of.List([1, 2]) and hash(items) == hash(of.List([1, 2]))
    assert not [*of.List()] and [*of.List(1, 2)] == [1, 2]
    with pytest.raises(IndexError):
        _ = of.List().first


def test_rule_files_are_checked_as_with_the_compiled_module(tmp_path: Path) -> None:
    """The schemas are validated through the stand-in, in a process of its own."""
    bad = tmp_path / "bad.yaml"
    bad.write_text("variant: bad\nextends: nim\ntitle: 3\nchange: [{fly: 1}]\n", encoding="utf-8")
    command = [sys.executable, "-m", "altay_cli", "rules", "check", "bad.yaml", "--format", "json"]
    found = []
    for path in ([str(ROOT)], [str(STANDINS), str(ROOT)]):
        ran = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False,
            env={"PYTHONPATH": ":".join(path), "HOME": str(Path.home()), "ALTAY_CACHE": "off"},
        )  # fmt: skip
        found.append(json.loads(ran.stdout))
    assert found[0] == found[1]
    assert found[0]["files"][0]["problems"]

"""Any changes at all: the rules load, and then all games are checked, or there are problems."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.compile.building import apply_variants, compile_tree
from altay_cli.compile.load import link_pack
from altay_cli.lint.examine import Examiner
from altay_cli.source.folder import walk
from tests.logs import WHOLE_GAMES

RULES = data_folder("rules") / "altay"
PATH = re.compile(r"[A-Za-z][\w-]*(\.[A-Za-z0-9][\w-]*)*", re.ASCII)


@lru_cache(maxsize=1)
def examiner() -> Examiner:
    return Examiner(RULES)


@lru_cache(maxsize=1)
def parts() -> dict[str, Any]:
    """Return every part of the rules that a change can name, by its path."""
    found = {".".join(map(str, path)): value for path, value in walk(examiner().base.data)}
    return {path: value for path, value in found.items() if PATH.fullmatch(path)}


@lru_cache(maxsize=1)
def paths() -> tuple[tuple[str, ...], ...]:
    """Return the paths by section, so that long sections are not drawn all the time."""
    sections: dict[str, list[str]] = {}
    for path in parts():
        sections.setdefault(path.split(".", maxsplit=1)[0], []).append(path)
    return tuple(tuple(found) for found in sections.values())


SCALARS = st.sampled_from(
    [0, 1, -1, 7, 100, 10**9, True, False, None, "", "x", "true", "false", "null", "me", "players",
     "round", "over", "[]", "1 / 0 == 1", "players[7].coins > 0", "me.hand.size() > 0",
     "territories.all(t, t.adjacent.all(n, n in territories))", "{round", "bag(card)"]
)  # fmt: skip


def path() -> st.SearchStrategy[str]:
    return st.sampled_from(paths()).flatmap(st.sampled_from)


def values() -> st.SearchStrategy[Any]:
    of_the_rules = path().map(lambda found: parts()[found])
    small = st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("x"), inner),
        max_leaves=3,
    )
    return SCALARS | of_the_rules | small


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    word = draw(st.sampled_from(["set", "set", "remove", "extend", "add", *["like"] * 6]))
    where = draw(path())
    if word == "like":
        # A value of the same form: from a part beside it, or a number or text of its type.
        return {"set": where, "to": draw(alike(where))}
    if word == "remove":
        return {"remove": where}
    if word == "extend":
        return {"extend": where, "with": draw(st.lists(values(), min_size=1, max_size=2))}
    if word == "add":
        return {"add": f"{where}.extra", "to": draw(values())}
    return {"set": where, "to": draw(values())}


def alike(where: str) -> st.SearchStrategy[Any]:
    value = parts()[where]
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int):
        return st.sampled_from([0, 1, 2, 5, 30, -3, 10**6])
    beside = [
        other
        for path, other in parts().items()
        if path.rpartition(".")[2] == where.rpartition(".")[2] and type(other) is type(value)
    ]
    return st.sampled_from(beside)


def write(folder: Path, wanted: list[dict[str, Any]]) -> Path:
    path = folder / "any.yaml"
    data = {"variant": "any", "extends": "altay", "title": "Any", "change": wanted}
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.lists(changes(), min_size=1, max_size=3))
def test_any_changes_are_refused_or_played(tmp_path: Path, wanted: list[dict[str, Any]]) -> None:
    path = write(tmp_path, wanted)
    tree = apply_variants(examiner().base, RULES, [path])
    compiled = None if tree.problems else compile_tree(tree)
    if compiled is None or tree.problems:
        assert tree.problems
        event("refused")
        return
    event("played")
    examiner().examine([path])
    link_pack(compiled.pack)
    with patch("altay_cli.checking.tags.loaded", lambda *_: compiled.pack):
        for game in WHOLE_GAMES:
            check_text(game.read_text(encoding="utf-8"), game.name)

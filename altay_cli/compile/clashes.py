"""Names that two parts of the rules claim in expressions, so that one would hide the other."""

from __future__ import annotations

from typing import Any

from altay_cli.base.text import Text
from altay_cli.compile.grids import GRID_FIELDS
from altay_cli.expressions.parser import RESERVED
from altay_cli.expressions.types import BUILTIN
from altay_cli.source.document import DataPath
from altay_cli.source.folder import Tree

_WORDS = ("players", "numbers", "options", "rulings", "seats", "me", "asked")
"""Names that have a meaning in the expressions of every game."""

_TYPES = BUILTIN | {"player", "bag", "pile", "drawn", "var"}


def check_names(tree: Tree) -> None:
    """Report names in expressions that mean two things."""
    kinds: dict[str, Any] = tree.data.get("kinds", {})
    zones: dict[str, Any] = tree.data.get("zones", {})
    known = dict.fromkeys(_WORDS, "a word of all games")
    for kind, entry in kinds.items():
        if kind in _TYPES:
            message = Text("`{name}` is a type of its own in all games", name=kind)
            tree.problem("defined-twice", message, ("kinds", kind), key=True)
        plural = entry.get("plural", f"{kind}s")
        what: str = Text("the plural of the kind `{kind}`", kind=kind)
        _claim(tree, known, plural, what, ("kinds", kind, "plural"))
    for zone in zones:
        _claim(tree, known, zone, Text("the zone `{zone}`", zone=zone), ("zones", zone), key=True)
    for kind, entry in kinds.items():
        members: dict[str, str] = {"id": "the id of every thing"}
        if "grid" in entry:
            members |= dict.fromkeys(GRID_FIELDS, "what every place of a grid knows")
        for field in entry.get("fields", {}):
            what = Text("a field of the kind `{kind}`", kind=kind)
            _claim(tree, members, field, what, ("kinds", kind, "fields", field), key=True)
        if "parent" in entry:
            what = "what such things are made from"
            _claim(tree, members, entry["parent"], what, ("kinds", kind, "parent"))
        for zone, data in zones.items():
            if data.get("per", [None])[0] == kind:
                what = Text("the zone `{zone}` of each {kind}", zone=zone, kind=kind)
                _claim(tree, members, zone, what, ("zones", zone), key=True)


def _claim(
    tree: Tree, known: dict[str, str], name: str, what: str, path: DataPath, *, key: bool = False
) -> None:
    if name in RESERVED:
        message = Text(
            "`{name}` is {what}, and a word that expressions keep for themselves",
            name=name,
            what=what,
        )
        tree.problem("defined-twice", message, path, key=key)
    if name in known:
        message = Text(
            "`{name}` is {what}, and {other} as well: expressions could mean either",
            name=name,
            what=what,
            other=known[name],
        )
        tree.problem("defined-twice", message, path, key=key)
    known.setdefault(name, what)

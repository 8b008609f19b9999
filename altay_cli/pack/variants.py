"""Variants: files that change the rules by path."""

from __future__ import annotations

import difflib
from typing import Any

from altay_cli.pack.folder import SCHEMAS, Path_, Tree
from altay_cli.pack.schema import SchemaStore, validate
from altay_cli.pack.source import Source
from altay_cli.spans import START, Span


def apply_variant(tree: Tree, source: Source) -> None:
    """Carry out the changes that a variant file lists; what hits nothing is a problem."""
    data = source.data
    assert isinstance(data, dict)
    changes = data.get("change", [])
    assert isinstance(changes, list)
    for number, change in enumerate(changes):
        assert isinstance(change, dict)
        where: Path_ = ("change", number)
        word = next(key for key in ("set", "add", "remove", "extend") if key in change)
        text = change[word]
        assert isinstance(text, str)
        # Problems are reported at the path that the change names.
        tree.origin["change",] = (source, ("change",))
        _Change(tree, source, change, where, word).apply(text)
        del tree.origin["change",]


class _View:
    """A part of a tree laid out like the rule file that it came from, for its schema."""

    def __init__(
        self, tree: Tree, source: Source, data: dict[str, Any], prefix: Path_ = ()
    ) -> None:
        self.tree = tree
        self.file = source.file
        self.data = data
        self.prefix = prefix

    def locate(self, path: Path_, mark: str) -> tuple[str, Span]:
        """Return where a part stands: in the variant or in a file of the game."""
        found = self.tree.place(self.prefix + path)
        return found[0].locate(found[1], mark) if found else (self.file, START)


_MOVES = (
    "moves", "rules", "procedures", "functions", "decisions", "triggers",
    "prepare", "checks", "complete",
)  # fmt: skip
_GAME = ("game", "title", "version", "players", "options", "numbers", "kinds", "zones", "status")


def revalidate(tree: Tree, source: Source, store: SchemaStore) -> None:
    """Check changed rules against the schemas again: a change can put anything anywhere."""
    data = tree.data

    def part(keys: tuple[str, ...]) -> dict[str, Any]:
        return {key: data[key] for key in keys if key in data}

    moves = part(_MOVES)
    if isinstance(moves.get("moves"), dict):
        moves["moves"] = {
            ident: {k: v for k, v in move.items() if k != "_defaults"}
            if isinstance(move, dict)
            else move
            for ident, move in moves["moves"].items()
        }
    views = [
        ("game", _View(tree, source, part(_GAME))),
        ("moves", _View(tree, source, moves)),
        ("scoring", _View(tree, source, part(("categories",)))),
        ("entities", _View(tree, source, data.get("entities", {}), ("entities",))),
    ]
    if "rulings" in data:
        views.append(("rulings", _View(tree, source, part(("rulings",)))))
    for schema, view in views:
        tree.problems.extend(validate(view, f"{SCHEMAS}{schema}.schema.json", store))


class _Change:
    def __init__(
        self, tree: Tree, source: Source, change: dict[str, Any], where: Path_, word: str
    ) -> None:
        self.tree = tree
        self.source = source
        self.change = change
        self.where = where
        self.word = word

    def apply(self, text: str) -> None:
        """Find the place that ``text`` names and change it."""
        keys = text.removeprefix("scoring.").split(".")
        there: Any = self.tree.data
        path: Path_ = ()
        for depth, key in enumerate(keys[:-1]):
            found = self._step(there, key)
            if found is None:
                self._nothing(there, keys[: depth + 1])
                return
            there, step = found
            path = (*path, step)
        self._change(there, path, keys)

    @staticmethod
    def _step(there: Any, key: str) -> tuple[Any, str | int] | None:
        if isinstance(there, dict) and key in there and key != "_defaults":
            return there[key], key
        if isinstance(there, list) and key.isdigit() and int(key) < len(there):
            return there[int(key)], int(key)
        return None

    def _nothing(self, there: Any, keys: list[str]) -> None:
        known = list(there) if isinstance(there, dict) else []
        near = difflib.get_close_matches(keys[-1], [str(k) for k in known], 1)
        self.tree.problem(
            "patch-hits-nothing",
            f"there is no `{'.'.join(keys)}` in the rules",
            (*self.where, self.word),
            *([f"did you mean `{near[0]}`?"] if near else []),
        )

    def _change(self, there: Any, path: Path_, keys: list[str]) -> None:
        key = keys[-1]
        found = self._step(there, key)
        if self.word == "add" and found is not None:
            message = f"`{'.'.join(keys)}` is there already; `set` replaces it"
            self.tree.problem("patch-exists", message, (*self.where, self.word))
            return
        if self.word in {"remove", "extend"} and found is None:
            self._nothing(there, keys)
            return
        match self.word:
            case "remove":
                del there[key if isinstance(there, dict) else int(key)]
            case "extend":
                self._extend(found[0] if found else None, keys)
            case _:
                self._set(there, key, (*path, found[1] if found else key))

    def _extend(self, target: Any, keys: list[str]) -> None:
        if isinstance(target, list):
            target.extend(self.change["with"])
            return
        message = f"`{'.'.join(keys)}` is no list"
        self.tree.problem("patch-no-list", message, (*self.where, self.word))

    def _set(self, there: Any, key: str, path: Path_) -> None:
        value = self.change["to"]
        if isinstance(there, list) and path[-1] != key:
            there[int(key)] = value
        elif not isinstance(there, dict):
            self._nothing(there, key.split("."))
            return
        elif self.change.get("first"):
            rest = {k: v for k, v in there.items() if k != key}
            there.clear()
            there.update({key: value, **rest})
        else:
            there[key] = value
        self.tree.origin[path] = (self.source, (*self.where, "to"))

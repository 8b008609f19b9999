"""Variants: files that change the rules by path."""

from __future__ import annotations

import difflib
from typing import Any

from altay_cli.pack.folder import Path_, Tree
from altay_cli.pack.source import Source


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
        tree.origin["change"] = (source, ("change",))
        _Change(tree, source, change, where, word).apply(text)
        del tree.origin["change"]


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
        if isinstance(there, dict) and key in there:
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
        if isinstance(there, list):
            there[int(key)] = value
        elif self.change.get("first"):
            rest = {k: v for k, v in there.items() if k != key}
            there.clear()
            there.update({key: value, **rest})
        else:
            there[key] = value
        self.tree.origin[path] = (self.source, (*self.where, "to"))

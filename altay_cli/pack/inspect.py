"""Looking at merged rules: any part with where it comes from, and what differs between two."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from altay_cli.pack.document import DataPath
from altay_cli.pack.folder import Tree, item_name, labelled, step, steps, walk
from altay_cli.pack.naming import is_ours

_HIDDEN = "_"
_PLAIN = re.compile(r"[^\W\d][\w .()=<>/+'-]*")
_ORDERED: DataPath = ("categories",)
"""The section in which the order of entries matters: that of categories breaks ties."""

MAX_VALUE = 100
"""How long a value is shown in a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: its group, what it is about, and the old and new value.

    ``old`` or ``new`` is None where the thing is there in one of the two only; ``where`` says
    where the new value stands. ``before`` and ``after`` are the whole values at the ``path``.
    """

    group: str
    about: str
    old: str | None
    new: str | None
    where: str
    path: str
    before: Any
    after: Any


class UnknownPartError(LookupError):
    """A path that names no part of the rules; ``near`` lists what was perhaps meant."""

    def __init__(self, part: str, near: list[str]) -> None:
        super().__init__(part)
        self.part = part
        self.near = near


def find(tree: Tree, text: str) -> tuple[DataPath, Any]:
    """Return the path and the data of the part of the rules that a dotted path names.

    Raises:
        UnknownPartError: where there is none.

    """
    segments = text.split(".")
    there: Any = tree.data
    path: DataPath = ()
    while segments:
        found = step(there, segments)
        inner = labelled(there, segments[0]) if found is None else None
        if inner is not None:
            for part in inner[:-1]:
                there, path = there[part], (*path, part)
            found = int(inner[-1]), 1
        if found is None:
            near = difflib.get_close_matches(segments[0], steps(there), 3) or steps(there)[:20]
            raise UnknownPartError(segments[0], near)
        key, used = found
        there, path, segments = there[key], (*path, key), segments[used:]
    return path, there


def origin(tree: Tree, path: DataPath) -> str:
    """Return where a part stands: "altay/game.yaml:33"; of a name, whether it is ours."""
    if tree.placed(path) is tree.root:
        return "?"
    file, span = tree.locate(path, "head")
    ours = ", a name of ours" if is_ours(tree, path) else ""
    return f"{file}:{span.line}{ours}"


def show(tree: Tree, path: DataPath, data: Any) -> Iterator[tuple[str, str]]:
    """Yield a part of the rules as lines of YAML, each with where it comes from."""
    yield from _lines(tree, path, data, 0)


def _lines(tree: Tree, path: DataPath, data: Any, depth: int) -> Iterator[tuple[str, str]]:
    indent = "  " * depth
    if isinstance(data, dict) and data:
        for key, value in data.items():
            if str(key).startswith(_HIDDEN):
                continue
            there = (*path, key)
            if _is_flat(value):
                yield f"{indent}{key}: {_flat(value)}", origin(tree, there)
            else:
                yield f"{indent}{key}:", origin(tree, there)
                yield from _lines(tree, there, value, depth + 1)
    elif isinstance(data, list) and data and not _is_flat(data):
        for number, value in enumerate(data):
            there = (*path, number)
            if _is_flat(value):
                yield f"{indent}- {_flat(value)}", origin(tree, there)
            else:
                yield f"{indent}-", origin(tree, there)
                yield from _lines(tree, there, value, depth + 1)
    else:
        yield f"{indent}{_flat(data)}", origin(tree, path)


def _is_flat(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_scalar(v) for v in value.values()) and len(_flat(value)) <= MAX_VALUE
    if isinstance(value, list):
        return all(_is_scalar(v) for v in value) and len(_flat(value)) <= MAX_VALUE
    return True


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _flat(value: Any) -> str:
    """Return a value on one line, as YAML would have it."""
    if isinstance(value, dict):
        inner = (f"{k}: {_flat(v)}" for k, v in value.items() if not str(k).startswith(_HIDDEN))
        return f"{{{', '.join(inner)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_flat(v) for v in value)}]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


# ---------------------------------------------------------------- differences


def differences(old: Tree, new: Tree) -> list[Difference]:
    """List what differs between two merged rules, grouped as the rules say, in their order."""
    groups: dict[str, list[str]] = new.data.get("groups") or old.data.get("groups") or {}
    found = []
    for path, before, after in _compare((), _plain(old.data), _plain(new.data)):
        if path[0] == "groups":
            continue
        where = _origin_of(new if after is not None else old, path)
        found.append(
            Difference(
                _group(path, groups),
                _about(path, new if after is not None else old),
                None if before is None else _shortened(before),
                None if after is None else _shortened(after),
                where,
                ".".join(map(str, path)),
                before,
                after,
            )
        )
    order = [*groups, "Other"]
    found.sort(key=lambda difference: order.index(difference.group))
    return found


def _origin_of(tree: Tree, path: DataPath) -> str:
    """Return where a part stands whose requirements are named by their rules."""
    there: Any = tree.data
    real: DataPath = ()
    for key in path:
        found = step(there, [str(key)])
        if found is None:
            break
        there, real = there[found[0]], (*real, found[0])
    whole = origin(tree, real)
    file = whole.partition(":")[0]
    # Of a list that was extended, what was put in tells where the difference comes from.
    inner = [origin(tree, inside) for inside, _ in walk(there, real)]
    others = [place for place in inner if place.partition(":")[0] not in {file, "?"}]
    return others[-1] if others else whole


def _plain(data: Any) -> Any:
    """Return data in which requirements are found by the rule that they are."""
    if isinstance(data, dict):
        return {k: _plain(v) for k, v in data.items() if not str(k).startswith(_HIDDEN)}
    if isinstance(data, list):
        keys = [item_name(item) for item in data]
        if data and all(keys) and len(set(keys)) == len(keys):
            return {str(key): _plain(item) for key, item in zip(keys, data, strict=True)}
        return [_plain(item) for item in data]
    return data


def _compare(path: DataPath, old: Any, new: Any) -> Iterator[tuple[DataPath, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        both = [key for key in old if key in new]
        if path == _ORDERED and both != [key for key in new if key in old]:
            yield path, list(old), list(new)
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in old:
                yield (*path, key), None, new[key]
            elif key not in new:
                yield (*path, key), old[key], None
            else:
                yield from _compare((*path, key), old[key], new[key])
    elif old != new:
        yield path, old, new


def _group(path: DataPath, groups: dict[str, list[str]]) -> str:
    best, length = "Other", -1
    text = ".".join(str(key) for key in path)
    for group, prefixes in groups.items():
        for prefix in prefixes:
            if (text == prefix or text.startswith(prefix + ".")) and len(prefix) > length:
                best, length = group, len(prefix)
    return best


def _about(path: DataPath, tree: Tree) -> str:
    """Return what a path is about, in the words of the titles on the way."""
    words: list[str] = []
    there: Any = tree.data
    for depth, key in enumerate(path):
        found = step(there, [str(key)])
        there = there[found[0]] if found else None
        title = there.get("title") if isinstance(there, dict) else None
        if isinstance(title, str) and title:
            words.append(title)
        elif depth:
            words.append(str(key).replace("_", " "))
        if isinstance(there, str | int | type(None)):
            break
    if path == _ORDERED:
        return "order of the categories"
    return ", ".join(words) or ".".join(str(key) for key in path)


def _shortened(value: Any) -> str:
    """Return a value in brief; of an entry that has a title or a message, that."""
    if isinstance(value, dict):
        for key in ("else", "is", "value", "title"):
            if isinstance(value.get(key), str | int):
                return str(value[key])
    text = _flat(value)
    return text if len(text) <= MAX_VALUE else text[: MAX_VALUE - 1] + "…"

"""Inspecting merged rules: where each part comes from, and what differs between two trees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from altay_cli.base.suggest import suggest
from altay_cli.base.translations import ENGLISH, listed, phrase, template
from altay_cli.source import limits
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree, follow, item_names, steps, walk

_HIDDEN = "_"
ALL = "all"
"""In `ours`: all names of a kind, which none of the sources has."""

_PLAIN = re.compile(r"[^\W\d][\w .()=<>/+'-]*")
# The group for everything that belongs to no other group.
_OTHER = ""
# The section in which the order of entries matters: that of categories breaks ties.
_ORDERED: DataPath = ("categories",)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: its group, what it is about, and the old and new value.

    ``old`` or ``new`` is None if the thing is there in one of the two only; ``where`` says
    where the new value stands. ``before`` and ``after`` are the whole values at the ``path``.
    """

    group: str
    about: str
    old: str | None
    new: str | None
    where: str
    path: str
    before: object
    after: object


class UnknownPartError(LookupError):
    """A path that names no part of the rules; ``near`` lists what was perhaps meant."""

    def __init__(self, part: str, near: list[str]) -> None:
        super().__init__(part)
        self.part = part
        self.near = near


def find(tree: Tree, text: str) -> tuple[DataPath, object]:
    """Return path and data of the part that a dotted path names; raises UnknownPartError."""
    path, there, left = follow(tree.data, text.removeprefix("scoring.").split("."))
    if left:
        raise UnknownPartError(left[0], suggest(left[0], steps(there), most=3) or steps(there)[:20])
    return path, there


def origin(tree: Tree, path: DataPath, language: str = ENGLISH) -> str:
    """Return where a part stands ("altay/game.yaml:33"), or that the program defines it."""
    if tree.placed(path) is tree.root:
        return "?"
    file, span = tree.locate(path, "head")
    place = f"{file}:{span.line}"
    if path[0] == "names" and len(path) > 3:
        _, ours, left = follow(tree.data, ["ours", *map(str, path[1:3])])
        if not left and (ours == ALL or (isinstance(ours, list) and path[3] in ours)):
            return phrase(language, "{place}, a name of ours", place=place)
    return place


def show(
    tree: Tree, path: DataPath, data: object, base: Tree | None = None, language: str = ENGLISH
) -> Iterator[tuple[str, str]]:
    """Yield a part of the rules as lines of YAML, each with where it comes from.

    With ``base``, the rules without variants, also what stood there before.
    """
    changed = () if base is None else _compare((), _by_rule(base.data), _by_rule(tree.data))
    before: dict[DataPath, str] = {}
    for named, old, _ in changed:
        real, _, left = follow(tree.data, list(map(str, named)))
        if not left:
            template = "new" if old is None else "was: {old}"
            before[real] = phrase(language, template, old=_on_one_line(old))
    for text, there in _lines(path, data, 0):
        where = origin(tree, there, language)
        yield text, f"{where}; {before[there]}" if there in before else where


def _lines(path: DataPath, data: object, depth: int) -> Iterator[tuple[str, DataPath]]:
    indent = "  " * depth
    parts: list[tuple[str | int, str, object]] = []
    if isinstance(data, dict):
        parts = [(k, f"{k}:", v) for k, v in data.items() if not str(k).startswith(_HIDDEN)]
    elif isinstance(data, list) and not _fits_on_one_line(data):
        parts = [(number, "-", item) for number, item in enumerate(data)]
    for key, sign, value in parts:
        there = (*path, key)
        if _fits_on_one_line(value):
            yield f"{indent}{sign} {_on_one_line(value)}", there
        else:
            yield f"{indent}{sign}", there
            yield from _lines(there, value, depth + 1)
    if not parts:
        yield f"{indent}{_on_one_line(data)}", path


def _fits_on_one_line(value: object) -> bool:
    inner = [*value.values()] if isinstance(value, dict) else value
    return not isinstance(inner, list) or (
        not _is_list_of_parts(inner) and len(_on_one_line(value)) <= limits.MAX_VALUE
    )


def _on_one_line(value: object) -> str:
    if isinstance(value, dict):
        inner = (
            f"{k}: {_on_one_line(v)}" for k, v in value.items() if not str(k).startswith(_HIDDEN)
        )
        return f"{{{', '.join(inner)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_on_one_line(v) for v in value)}]"
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


# ---------------------------------------------------------------- differences


# What keys of rules are called; nothing where the title of what they stand in says it all.
_KEYS = {
    "default": "", "requires": "demands", "else": "message", "help": "help", "title": "title",
    "is": "what it is", "values": "possible values", "that": "what must hold", "value": "",
    "most": "most", "least": "least", "takes": "takes", "does": "does", "when": "when",
    "cite": "page", "de": "German", "en": "English", "ja": "Japanese", "since": "second place",
    "severity": "severity", "written": "how it is written", "let": "names", "reason": "reason",
}  # fmt: skip


class _Words:
    """What rules say of themselves in a language: their texts, names of things, our own words."""

    def __init__(self, tree: Tree, language: str) -> None:
        self.data = tree.data
        self.language = language
        self._texts: dict[str, str] = tree.data.get("texts", {}).get(language, {})
        self._names: dict[str, dict[str, Entry]] = tree.data.get("names", {})

    def text(self, english: str) -> str:
        return self._texts.get(english, english)

    def key(self, path: DataPath, key: object) -> list[str]:
        """Return what a key on a path is called; nothing where the titles before it say it all."""
        name = str(key)
        kind = self.data.get("kinds", {}).get(name, {}) if path[0] == "names" else {}
        title = kind.get("title") or self.data.get("rules", {}).get(name, {}).get("title")
        if isinstance(title, str) and title:
            return [self.text(title)]
        called = _KEYS.get(name)
        if called is None:
            return [name.replace("_", " ")]
        return [template(self.language, called, "key")] if called else []

    def names(self, kind: str) -> dict[str, str]:
        tables = [self._names.get(one, {}).get(kind, {}) for one in (ENGLISH, self.language)]
        return {ident: _first(entry) for table in tables for ident, entry in table.items()}


def words_in(data: Entry, language: str) -> dict[str, str]:
    """Return words of merged rules in a language by the English ones: names, and plain texts."""
    texts: dict[str, str] = data.get("texts", {}).get(language, {})
    names: dict[str, dict[str, Entry]] = data.get("names", {})
    return texts | {
        _first(entry): _first(names[language][kind][ident])
        for kind, table in names.get(ENGLISH, {}).items()
        for ident, entry in table.items()
        if ident in names.get(language, {}).get(kind, {})
    }


def _first(entry: str | list[str]) -> str:
    return entry[0] if isinstance(entry, list) else str(entry)


def differences(old: Tree, new: Tree, language: str = ENGLISH) -> list[Difference]:
    """List what differs between two merged rules, grouped as the rules say, in their order."""
    groups: dict[str, list[str]] = new.data.get("groups") or old.data.get("groups") or {}
    ones, others = _Words(old, language), _Words(new, language)
    titles = {group: others.text(group) for group in groups} | {_OTHER: phrase(language, "Other")}
    changed = [
        (_group(path, groups), path, before, after)
        for path, before, after in (
            *_compare((), _by_rule(old.data), _by_rule(new.data)),
            *_moved((), old.data, new.data, language),
        )
        if path[0] != "groups"
    ]
    return [
        Difference(
            titles[group],
            _about(path, others if after is not None else ones),
            None if before is None else _spoken(path, before, ones),
            None if after is None else _spoken(path, after, others),
            _origin_of(new if after is not None else old, path, language),
            ".".join(map(str, path)),
            before,
            after,
        )
        for group, path, before, after in sorted(changed, key=lambda one: [*titles].index(one[0]))
    ]


def _origin_of(tree: Tree, path: DataPath, language: str) -> str:
    """Return where a part stands whose requirements are named by their rules."""
    real, there, _ = follow(tree.data, list(map(str, path)))
    whole = origin(tree, real, language)
    file = whole.partition(":")[0]
    # Of a list that was extended, what was put in tells where the difference comes from.
    inner = [origin(tree, inside, language) for inside, _ in walk(there, real)]
    others = [place for place in inner if place.partition(":")[0] not in {file, "?"}]
    return others[-1] if others else whole


def _by_rule(data: object) -> object:
    """Return data in which requirements are found by the rule that they are."""
    if isinstance(data, dict):
        return {k: _by_rule(v) for k, v in data.items() if not str(k).startswith(_HIDDEN)}
    if isinstance(data, list):
        # By number, one that is put in front would make all behind it differ.
        names, parts = _names_of(data), [*map(_by_rule, data)]
        return dict(zip(names, parts, strict=True)) if names else parts
    return data


def _compare(path: DataPath, old: Any, new: Any) -> Iterator[tuple[DataPath, object, object]]:
    if isinstance(old, dict) and isinstance(new, dict):
        both = [key for key in old if key in new]
        if path == _ORDERED and both != [key for key in new if key in old]:
            yield path, list(old), list(new)
        for key in {**old, **new}:
            yield from _compare((*path, key), old.get(key), new.get(key))
    elif _is_list_of_parts(old) and _is_list_of_parts(new):
        ones, others = ([json.dumps(item) for item in items] for items in (old, new))
        matcher = SequenceMatcher(None, ones, others, autojunk=False)
        for what, first, last, start, end in matcher.get_opcodes():
            pairs = zip_longest(old[first:last], new[start:end]) if what != "equal" else ()
            for number, (one, other) in enumerate(pairs):
                at = start if number < end - start else first
                yield from _compare((*path, at + number), one, other)
    elif old != new:
        yield path, old, new


def _is_list_of_parts(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


def _moved(
    path: DataPath, old: object, new: object, language: str
) -> Iterator[tuple[DataPath, object, object]]:
    """Yield the entries that moved, each with the entry that it used to follow."""
    if path == _ORDERED or len(path) > 3:  # that order is told as a whole
        return
    ones, others = _names_of(old), _names_of(new)
    before, after = [n for n in ones if n in set(others)], [n for n in others if n in set(ones)]
    if before != after:
        same = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
        # Of the others, as few as possible have moved.
        kept = {before[n] for block in same for n in range(block.a, block.a + block.size)}
        for name in after:
            if name not in kept:
                yield (*path, name), _behind(before, name, language), _behind(after, name, language)
    if isinstance(old, dict) and isinstance(new, dict):
        for name in after:
            yield from _moved((*path, name), old[name], new[name], language)


def _names_of(part: object) -> list[str]:
    """Return the keys of a mapping, or the names of all items of a list; none if some have none."""
    if isinstance(part, dict):
        return [str(key) for key in part if not str(key).startswith(_HIDDEN)]
    names = item_names(part) if isinstance(part, list) else []
    return [name for name in names if name is not None and None not in names]


def _behind(names: list[str], name: str, language: str) -> str:
    at = names.index(name)
    return phrase(language, "behind {name}" if at else "first", name=names[at - 1])


def _spoken(path: DataPath, value: object, words: _Words) -> str:
    """Return a value in brief; things by their names, an entry by its title or message."""
    if path[0] == "entities" and len(path) == 4:
        declared = words.data.get("kinds", {}).get(path[1], {}).get("fields", {}).get(path[3], "")
        names = words.names(re.sub(r"^\w+\((\w+)\)$|^(\w+)\??$", r"\1\2", str(declared)))
        if isinstance(value, str) and value in names:
            return names[value]
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value) and names:
            return listed(words.language, (names.get(str(v), str(v)) for v in value))
    if isinstance(value, dict):
        for key in ("else", "is", "value", "title"):
            if isinstance(value.get(key), str | int):
                return words.text(str(value[key]))
    text = _on_one_line(words.text(value) if isinstance(value, str) else value)
    return text if len(text) <= limits.MAX_VALUE else text[: limits.MAX_VALUE - 1] + "…"


def _group(path: DataPath, groups: dict[str, list[str]]) -> str:
    text = ".".join(map(str, path))
    fitting = [
        (len(prefix), group)
        for group, prefixes in groups.items()
        for prefix in prefixes
        if f"{text}.".startswith(f"{prefix}.")
    ]
    return max(fitting, key=lambda fit: fit[0], default=(0, _OTHER))[1]


def _about(path: DataPath, words: _Words) -> str:
    """Return what a path is about, in the words of the titles on the way."""
    if path == _ORDERED:
        return phrase(words.language, "order of the categories")
    parts: list[str] = []
    for depth, key in enumerate(path):
        _, there, left = follow(words.data, list(map(str, path[: depth + 1])))
        title = there.get("title") if isinstance(there, dict) and not left else None
        is_thing = depth == 2 and path[0] == "entities"
        name = words.names(str(path[1])).get(str(key)) if is_thing else None
        if name:
            kind = words.text(words.data.get("kinds", {}).get(path[1], {}).get("title", path[1]))
            parts[:] = [phrase(words.language, "{name} ({kind})", name=name, kind=kind)]
        elif isinstance(title, str) and title:
            parts.append(words.text(title))
        elif depth:
            parts += words.key(path, key)
        if left or isinstance(there, str | int | type(None)):
            break
    return listed(words.language, parts) or ".".join(str(key) for key in path)

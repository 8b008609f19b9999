"""Inspect merged rules: origins of parts, and differences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from altay_cli.base.suggest import suggest
from altay_cli.base.translations import ENGLISH, listed, phrase, template
from altay_cli.source import limits
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree, follow, item_name, item_names, part_names, steps, walk

_HIDDEN = "_"
ALL = "all"
"""In `ours`: all names of a kind, if no source names any."""

_PLAIN = re.compile(r"[^\W\d][\w .()=<>/+'-]*")
_OTHER = ""
# The order of categories breaks ties.
_ORDERED: DataPath = ("categories",)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference; ``old`` and ``new`` are values in words, None for a missing part.

    ``where`` is the origin of the new value.
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
    """A path names no part of the rules; ``near`` lists similar paths."""

    def __init__(self, part: str, near: list[str]) -> None:
        super().__init__(part)
        self.part = part
        self.near = near


def find(tree: Tree, text: str) -> tuple[DataPath, object]:
    """Return path and data at a dotted path; raise UnknownPartError."""
    path, there, left = follow(tree.data, text.removeprefix("scoring.").split("."))
    if left:
        raise UnknownPartError(left[0], suggest(left[0], steps(there), most=3) or steps(there)[:20])
    return path, there


def title_at(tree: Tree, text: str, language: str = ENGLISH) -> str:
    """Return what people call the part at a dotted path; "" if it is not there."""
    with suppress(UnknownPartError):
        return _about(find(tree, text)[0], _Words(tree, language))
    return ""


def origin(tree: Tree, path: DataPath, language: str = ENGLISH) -> str:
    """Return the origin of a part ("altay/game.yaml:33"), or that the program defines it."""
    if tree.placed(path) is tree.root:
        return "?"
    file, span = tree.locate(path, "head")
    place = f"{file}:{span.line}"
    if path[0] == "names" and len(path) > 3:
        _, ours, left = follow(tree.data, ["ours", *map(str, path[1:3])])
        if not left and (ours == ALL or (isinstance(ours, list) and path[3] in ours)):
            return phrase(language, "{place}; our name, not the rulebook's", place=place)
    return place


def show(
    tree: Tree, path: DataPath, data: object, base: Tree | None = None, language: str = ENGLISH
) -> Iterator[tuple[str, str]]:
    """Yield a part of the rules as lines of YAML, each with its origin.

    With ``base``, the rules without variants, the comments include replaced values.
    """
    changed = () if base is None else _compare((), _by_rule(base.data), _by_rule(tree.data))
    before: dict[DataPath, str] = {}
    for named, old, _ in changed:
        real, _, left = follow(tree.data, list(map(str, named)))
        if not left:
            template = "new" if old is None else "was: {old}"
            before[real] = phrase(language, template, old=_inline(old))
    names: dict[DataPath, str] = {}
    for outer, part in walk(data, path):
        if isinstance(part, list) and outer and outer not in names:
            for inner, name in part_names(part):
                item = follow(part, list(map(str, inner)))[1]
                if name != item_name(item):  # a label or a rule is shown anyway
                    names.setdefault((*outer, *inner), name)
    for text, there in _lines(path, data, 0):
        where = origin(tree, there, language)
        if there in names:
            where = f"{where}; {names[there]}"
        yield text, f"{where}; {before[there]}" if there in before else where


def _lines(path: DataPath, data: object, depth: int) -> Iterator[tuple[str, DataPath]]:
    indent = "  " * depth
    parts: list[tuple[str | int, str, object]] = []
    if isinstance(data, dict):
        parts = [(k, f"{k}:", v) for k, v in data.items() if not str(k).startswith(_HIDDEN)]
    elif isinstance(data, list) and not _is_short(data):
        parts = [(number, "-", item) for number, item in enumerate(data)]
    for key, sign, value in parts:
        there = (*path, key)
        if _is_short(value):
            yield f"{indent}{sign} {_inline(value)}", there
        else:
            yield f"{indent}{sign}", there
            yield from _lines(there, value, depth + 1)
    if not parts:
        yield f"{indent}{_inline(data)}", path


def _is_short(value: object) -> bool:
    inner = [*value.values()] if isinstance(value, dict) else value
    return not isinstance(inner, list) or (
        not _is_list_of_parts(inner) and len(_inline(value)) <= limits.MAX_VALUE
    )


def _inline(value: object) -> str:
    if isinstance(value, dict):
        inner = (f"{k}: {_inline(v)}" for k, v in value.items() if not str(k).startswith(_HIDDEN))
        return f"{{{', '.join(inner)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_inline(v) for v in value)}]"
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


# --------------------------------------------------------------- differences


# Empty if the title of the enclosing part suffices.
_KEYS = {
    "default": "", "requires": "demands", "else": "message", "help": "help", "title": "title",
    "is": "what it is", "values": "possible values", "that": "what must hold", "value": "",
    "most": "most", "least": "least", "takes": "takes", "does": "does", "when": "when",
    "cite": "page", "de": "German", "en": "English", "ja": "Japanese", "since": "second place",
    "severity": "severity", "written": "how it is written", "let": "names", "reason": "reason",
}  # fmt: skip


class _Words:
    def __init__(self, tree: Tree, language: str) -> None:
        self.data = tree.data
        self.language = language
        self._texts: dict[str, str] = tree.data.get("texts", {}).get(language, {})
        self._names: dict[str, dict[str, Entry]] = tree.data.get("names", {})

    def text(self, english: str) -> str:
        return self._texts.get(english, english)

    def key(self, path: DataPath, key: object) -> list[str]:
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
        tables = [self._names.get(code, {}).get(kind, {}) for code in (ENGLISH, self.language)]
        return {ident: _first(entry) for table in tables for ident, entry in table.items()}


def words_in(data: Entry, language: str) -> dict[str, str]:
    """Return names and plain texts in a language, by English ones."""
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
    """Return the differences between merged rules, by groups."""
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
            None if before is None else _in_brief(path, before, ones),
            None if after is None else _in_brief(path, after, others),
            _origin_of(new if after is not None else old, path, language),
            _dotted(path, others if after is not None else ones),
            before,
            after,
        )
        for group, path, before, after in sorted(
            changed, key=lambda change: [*titles].index(change[0])
        )
    ]


def _origin_of(tree: Tree, path: DataPath, language: str) -> str:
    real, there, _ = follow(tree.data, list(map(str, path)))
    source = origin(tree, real, language)
    if not isinstance(there, list):
        return source
    file = source.partition(":")[0]
    # The part inserted into a list counts.
    inner = [origin(tree, inside, language) for inside, _ in walk(there, real)]
    others = [place for place in inner if place.partition(":")[0] not in {file, "?"}]
    return others[-1] if others else source


def _by_rule(data: object) -> object:
    if isinstance(data, dict):
        return {k: _by_rule(v) for k, v in data.items() if not str(k).startswith(_HIDDEN)}
    if isinstance(data, list):
        # By number, an insertion at the front would change all that follow.
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
            for number, (item, new_item) in enumerate(pairs):
                at = start if number < end - start else first
                yield from _compare((*path, at + number), item, new_item)
    elif old != new:
        yield path, old, new


def _is_list_of_parts(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


def _moved(
    path: DataPath, old: object, new: object, language: str
) -> Iterator[tuple[DataPath, object, object]]:
    if path == _ORDERED or len(path) > 3:  # that order is one value
        return
    ones, others = _names_of(old), _names_of(new)
    before, after = [n for n in ones if n in set(others)], [n for n in others if n in set(ones)]
    if before != after:
        same = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
        # Assume that as few as possible of the others have moved.
        unmoved = {before[n] for block in same for n in range(block.a, block.a + block.size)}
        for name in after:
            if name not in unmoved:
                yield (
                    (*path, name),
                    _position_of(before, name, language),
                    _position_of(after, name, language),
                )
    if isinstance(old, dict) and isinstance(new, dict):
        for name in after:
            yield from _moved((*path, name), old[name], new[name], language)


def _names_of(part: object) -> list[str]:
    if isinstance(part, dict):
        return [str(key) for key in part if not str(key).startswith(_HIDDEN)]
    names = item_names(part) if isinstance(part, list) else []
    return [name for name in names if name is not None and None not in names]


def _position_of(names: list[str], name: str, language: str) -> str:
    at = names.index(name)
    return phrase(language, "after {name}" if at else "first", name=names[at - 1])


def _in_brief(path: DataPath, value: object, words: _Words) -> str:
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
    text = _inline(words.text(value) if isinstance(value, str) else value)
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


def _item_name(path: DataPath, key: object, words: _Words) -> str:
    """Return what paths of variants call an item of a list; "" if it has no name."""
    _, there, left = follow(words.data, list(map(str, path)))
    if left or not isinstance(there, list) or not isinstance(key, int):
        return ""
    return dict(part_names(there)).get((key,), "")


def _dotted(path: DataPath, words: _Words) -> str:
    """Return a path as variants write it: with names of parts of lists instead of numbers."""
    there: Any = words.data
    real, _, left = follow(there, list(map(str, path)))
    segments: list[str] = []
    while real:
        names = dict(part_names(there)) if isinstance(there, list) else {}
        steps = max((p for p in names if p == real[: len(p)]), key=len, default=real[:1])
        segments.append(names.get(steps, str(real[0])))
        for step in steps:
            there = there[step]
        real = real[len(steps) :]
    return ".".join([*segments, *left])


def _about(path: DataPath, words: _Words) -> str:
    if path == _ORDERED:
        return phrase(words.language, "order of the categories")
    parts: list[str] = []
    is_titled = len(path) > 2
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
            item = _item_name(path[:depth], key, words)
            parts += [item] if item else words.key(path, key)
        is_titled = is_titled or bool(name or title)
        if left or isinstance(there, str | int | type(None)):
            break
    if not is_titled:
        # As `players, least`: without its section, a bare key says too little.
        parts[:0] = words.key(path, path[0])
    return listed(words.language, parts) or ".".join(str(key) for key in path)

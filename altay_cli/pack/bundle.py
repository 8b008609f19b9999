"""One JSON Schema of variants of a game, with nothing outside of it: for editors, offline.

It knows the paths of the game, and of what form the value at each path is.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from altay_cli.pack.document import DataPath
from altay_cli.pack.folder import Tree, item_name
from altay_cli.resources import data_folder

_APPLIED = ("allOf", "anyOf", "oneOf")
_NAME = r"[A-Za-z0-9_-]+"
_MOST_REFERENCES = 20


def bundle(tree: Tree) -> dict[str, object]:
    """Return the schema of variants of the rules in ``tree``."""
    return _Bundle(tree).schema()


class _Bundle:
    def __init__(self, tree: Tree) -> None:
        self.data = tree.data
        self.schemas = {
            path.name.split(".")[0]: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(data_folder("schemas").glob("*.json"))
        }
        self.root = self.schemas.pop("variant")
        definitions = {name: self._local(schema, name) for name, schema in self.schemas.items()}
        own = self.root.get("$defs", {})
        self.whole: dict[str, Any] = self._local({**self.root, "$defs": {}}, "")
        self.whole["$defs"] = {
            **{name: self._local(schema, "") for name, schema in own.items()},
            **definitions,
        }
        self.known: dict[tuple[str, ...], list[str]] = {}
        """By the places in the schema: the paths that are there."""
        self.new: dict[tuple[str, ...], list[str]] = {}
        """By the places in the schema: patterns of the paths that can be made."""
        self.titles: dict[str, str] = {}

    def _local(self, schema: Any, name: str) -> Any:
        """Return a schema whose references stay within the bundle."""
        if isinstance(schema, list):
            return [self._local(item, name) for item in schema]
        if not isinstance(schema, dict):
            return schema
        found = {}
        for key, value in schema.items():
            if key == "$id" or (key == "$schema" and name):
                continue
            if key == "$ref" and isinstance(value, str):
                file, _, rest = value.partition("#")
                other = file.split(".")[0] or name
                found[key] = f"#/$defs/{other}{rest}" if other else f"#{rest}"
            else:
                found[key] = self._local(value, name)
        return found

    # ------------------------------------------------------------ places in the schema

    def _schema_at(self, pointer: str) -> object:
        there: Any = self.whole
        for part in pointer.removeprefix("#").split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            there = there[int(key)] if isinstance(there, list) else there[key]
        return there

    def _resolved(self, pointer: str) -> Iterator[str]:
        """Yield the places that together say what is allowed at one, references followed."""
        waiting = [pointer]
        seen: set[str] = set()
        while waiting:
            found = waiting.pop(0)
            if found in seen or len(seen) > _MOST_REFERENCES:
                continue
            seen.add(found)
            yield found
            schema = self._schema_at(found)
            if not isinstance(schema, dict):
                continue
            if "$ref" in schema:
                waiting.append(schema["$ref"])
            for word in _APPLIED:
                waiting += [f"{found}/{word}/{n}" for n in range(len(schema.get(word, [])))]
            waiting += [f"{found}/{word}" for word in ("then", "else") if word in schema]

    def _below(self, pointers: tuple[str, ...], key: str | int) -> tuple[str, ...]:
        """Return the places in the schema of what stands under a key."""
        found: dict[str, None] = {}
        for pointer in pointers:
            for place in self._resolved(pointer):
                schema = self._schema_at(place)
                if not isinstance(schema, dict):
                    continue
                if isinstance(key, int):
                    if isinstance(schema.get("items"), dict):
                        found[f"{place}/items"] = None
                elif isinstance(schema.get("properties", {}).get(key), dict):
                    found[f"{place}/properties/{key.replace('~', '~0').replace('/', '~1')}"] = None
                elif isinstance(schema.get("additionalProperties"), dict):
                    found[f"{place}/additionalProperties"] = None
        return tuple(found)

    def _missing(self, pointers: tuple[str, ...], there: Mapping[str, object]) -> list[str]:
        keys = {
            key
            for pointer in pointers
            for place in self._resolved(pointer)
            if isinstance(schema := self._schema_at(place), dict)
            for key, value in schema.get("properties", {}).items()
            if value is not False and key not in there
        }
        return sorted(keys)

    def _is_open(self, pointers: tuple[str, ...]) -> bool:
        return any(
            isinstance(schema := self._schema_at(place), dict)
            and isinstance(schema.get("additionalProperties"), dict)
            for pointer in pointers
            for place in self._resolved(pointer)
        )

    # ------------------------------------------------------------ paths

    def _walk(
        self, there: object, path: DataPath, names: tuple[str, ...], at: tuple[str, ...]
    ) -> None:
        """Note every path at and below a part of the rules; ``names`` are how it can be written."""
        if path:
            self.known.setdefault(at, []).extend(names)
            title = there.get("title") if isinstance(there, dict) else None
            if isinstance(title, str):
                self.titles.update(dict.fromkeys(names, title))
        if isinstance(there, dict):
            for key, value in there.items():
                if not str(key).startswith("_"):
                    inner = tuple(f"{name}.{key}" for name in names) if path else (str(key),)
                    if not path and key in self.schemas["scoring"]["properties"]:
                        inner = (*inner, f"scoring.{key}")
                    self._walk(value, (*path, key), inner, self._below(at, str(key)))
            if path:
                self._note_new_entries(there, path, names, at)
        elif isinstance(there, list):
            for number, item in enumerate(there):
                label = item_name(item)
                keys = [str(number)] if label is None else [label, str(number)]
                inner = tuple(f"{name}.{key}" for name in names for key in keys)
                self._walk(item, (*path, number), inner, self._below(at, number))
            for label in _labels(there):
                self.known.setdefault((), []).extend(f"{name}.{label}" for name in names)

    def _note_new_entries(
        self,
        there: Mapping[str, object],
        path: DataPath,
        names: tuple[str, ...],
        at: tuple[str, ...],
    ) -> None:
        """Note which entries a variant can make in a mapping."""
        for key in self._missing(at, there):
            self.known.setdefault(self._below(at, key), []).extend(f"{n}.{key}" for n in names)
        if not self._is_open(at):
            return
        inner = self._below(at, "\0")
        if path[0] == "entities" and len(path) == 3:
            fields = self.data.get("kinds", {}).get(path[1], {}).get("fields", {})
            missing = [field for field in fields if field not in there]
            self.known.setdefault(inner, []).extend(f"{n}.{f}" for n in names for f in missing)
            return
        name = r"[A-Za-z0-9_.-]+" if path == ("zones",) else _NAME
        for one in names:
            self.new.setdefault(inner, []).append(f"^{_literal_pattern(one)}\\.{name}$")

    # ------------------------------------------------------------ the schema

    def schema(self) -> dict[str, object]:
        """Return the bundle."""
        self._walk(self.data, (), (), ("#/$defs/rules",))
        whole = copy.deepcopy(self.whole)
        title = self.data.get("title", "")
        whole["title"] = f"variants of {title}"
        item = whole["properties"]["change"]["items"]
        groups: list[str] = []
        typed: list[dict[str, object]] = []
        for at in dict.fromkeys([*self.known, *self.new]):
            name = f"paths {len(groups) + 1}"
            whole["$defs"][name] = self._paths(at)
            groups.append(f"#/$defs/{name.replace(' ', '%20')}")
            typed += self._typed(at, groups[-1])
        whole["$defs"]["path"] = {
            "description": f"A path in the rules of {title}; `altay rules show` prints them.",
            "anyOf": [{"$ref": group} for group in groups],
        }
        item["allOf"] = [*item.get("allOf", []), *typed]
        # What is there already can be taken out or moved, and only that.
        there = {"anyOf": [{"$ref": f"{group}/anyOf/0"} for group in groups]}
        whole["$defs"]["path there"] = there
        for word in ("remove", "move"):
            item["properties"][word]["$ref"] = "#/$defs/path%20there"
        return whole

    def _paths(self, at: tuple[str, ...]) -> dict[str, object]:
        """Return the paths of which the values are of the form that a place in the schema has."""
        paths = dict.fromkeys(self.known.get(at, []))
        plain = [path for path in paths if path not in self.titles]
        found: list[dict[str, object]] = [
            {"const": path, "title": self.titles[path]} for path in paths if path in self.titles
        ]
        found += [{"enum": plain}] if plain else []
        new = [{"pattern": pattern} for pattern in self.new.get(at, [])]
        return {"anyOf": [{"anyOf": found} if found else False, *new]}

    @staticmethod
    def _typed(at: tuple[str, ...], paths: str) -> Iterator[dict[str, object]]:
        """Yield the types of the values at some paths."""
        forms = [{"$ref": pointer} for pointer in at]
        for word, key in (("set", "to"), ("add", "to"), ("extend", "with")) if forms else ():
            yield {
                "if": {"required": [word], "properties": {word: {"$ref": paths}}},
                "then": {"properties": {key: forms[0] if len(forms) == 1 else {"anyOf": forms}}},
            }


def _labels(effects: list[object]) -> Iterator[str]:
    """Yield the labels of effects that stand inside of others."""
    for effect in effects:
        if isinstance(effect, dict):
            for key in ("then", "else", "does"):
                inner = effect.get(key)
                if isinstance(inner, list):
                    yield from (e["label"] for e in inner if isinstance(e, dict) and "label" in e)
                    yield from _labels(inner)


def _literal_pattern(text: str) -> str:
    """Return a pattern for a literal text that every regex dialect understands."""
    return re.sub(r"[.^$*+?()\[\]{}|\\/]", r"\\\g<0>", text)

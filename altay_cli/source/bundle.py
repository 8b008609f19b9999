"""Build a self-contained JSON Schema for variants, for editors without network access."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from altay_cli.base.resources import data_folder
from altay_cli.source.folder import Tree, part_names
from altay_cli.source.variants import FRAME

_RULES = "#/$defs/rules"
_NAME = r"[A-Za-z0-9_-]+"
# Any key that no schema names.
_ANY = "\0"
# New steps in the path of a new entry.
_DEEPEST = 4

_Path = tuple[str, ...]


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
        root = self.schemas.pop("variant")
        self.bundled: dict[str, Any] = self._local({**root, "$defs": {}}, "")
        self.bundled["$defs"] = {
            **{name: self._local(schema, "") for name, schema in root.get("$defs", {}).items()},
            **{name: self._local(schema, name) for name, schema in self.schemas.items()},
        }
        # By place in the schema: the existing paths.
        self.known: dict[str, list[str]] = {}
        # By place in the schema: an enclosing place, and patterns of the steps from there.
        self.new: dict[str, dict[tuple[str, _Path], None]] = {}
        # By enclosing place and number of steps: the paths of existing parts.
        self.around: dict[tuple[str, int], dict[_Path, None]] = {}
        self.titles: dict[str, str] = {}

    def _local(self, schema: Any, name: str) -> Any:
        if isinstance(schema, list):
            return [self._local(item, name) for item in schema]
        if not isinstance(schema, dict):
            return schema
        local = {
            key: self._local(value, name)
            for key, value in schema.items()
            if key != "$id" and not (key == "$schema" and name)
        }
        if "$ref" in local:
            file, _, rest = local["$ref"].partition("#")
            other = file.split(".")[0] or name
            local["$ref"] = f"#/$defs/{other}{rest}" if other else f"#{rest}"
        return local

    # ----------------------------------------------------------- places in the schema

    def _schema_at(self, pointer: str) -> Any:
        there: Any = self.bundled
        for part in pointer.removeprefix("#").split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            there = there[int(key)] if isinstance(there, list) else there[key]
        return there

    def _resolved(self, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
        # Other keywords such as `anyOf` only combine keys that these schemas define.
        waiting = [at] if at else []
        for place in waiting:
            schema = self._schema_at(place)
            yield place, schema
            waiting += [schema["$ref"]] if "$ref" in schema else []
            waiting += [f"{place}/{word}" for word in ("then", "else") if word in schema]

    def _below(self, at: str, key: str | int) -> str:
        for place, schema in self._resolved(at):
            if isinstance(key, int):
                if isinstance(schema.get("items"), dict):
                    return self._target(f"{place}/items")
            elif isinstance(schema.get("properties", {}).get(key), dict):
                step = key.replace("~", "~0").replace("/", "~1")
                return self._target(f"{place}/properties/{step}")
            elif isinstance(schema.get("additionalProperties"), dict):
                return self._target(f"{place}/additionalProperties")
        return ""

    def _target(self, place: str) -> str:
        schema = self._schema_at(place)
        refers = schema.keys() - {"description"} == {"$ref"}
        return self._target(schema["$ref"]) if refers else place

    def _walk(self, there: object, path: _Path, names: Sequence[str], at: str) -> None:
        """Collect the paths from a part of the rules on.

        Items of lists have the names that paths of variants use; only patterns allow their numbers.
        """
        if path:
            self.known.setdefault(at, []).extend(names)
            title = there.get("title") if isinstance(there, dict) else None
            if isinstance(title, str):
                self.titles.update(dict.fromkeys(names, title))
        if path[:1] == ("texts",) and len(path) == 2:  # by sentences, never completed
            self._note(self._below(at, _ANY), path, at, ".+")
        elif isinstance(there, dict):
            for key in map(str, there):
                if key.startswith("_"):
                    continue
                inner = tuple(f"{name}.{key}" for name in names) if path else (key,)
                step, below = _literal(key), self._below(at, key)
                if not path and key in self.schemas["scoring"]["properties"]:
                    inner, step = (key, f"scoring.{key}"), rf"(?:scoring\.)?{step}"
                if any("|" in part for part in path):
                    self._note(below, path, at, step)
                self._walk(there[key], (*path, step), inner, below)
            self._note_new_entries(there, path, at)
        elif isinstance(there, list):
            called = dict(part_names(there))
            for number, item in enumerate(there):
                label = called.pop((number,), None)
                inner = () if label is None else tuple(f"{name}.{label}" for name in names)
                step = str(number) if label is None else f"(?:{_literal(label)}|{number})"
                below = self._below(at, number)
                self._note(below, path, at, "[0-9]+")
                self._walk(item, (*path, step), inner, below)
            for label in called.values():
                self.known.setdefault("", []).extend(f"{name}.{label}" for name in names)

    def _note_new_entries(self, there: Mapping[str, object], path: _Path, at: str) -> None:
        missing = {
            key
            for _, schema in self._resolved(at)
            for key, value in schema.get("properties", {}).items()
            if value is not False and key not in there and (path or key != FRAME)
        }
        waiting: list[tuple[_Path, str]] = [
            ((key,), self._below(at, key)) for key in sorted(missing)
        ]
        if inner := self._below(at, _ANY):
            if path[0] == "entities" and len(path) == 3:
                if fields := self.data.get("kinds", {}).get(path[1], {}).get("fields", {}):
                    self._note(inner, path, f"{at} {path[1]}", f"(?:{'|'.join(fields)})")
            else:
                self._note(inner, path, at, r"[A-Za-z0-9_.-]+" if path == ("zones",) else _NAME)
        for steps, place in waiting:
            self._note(place, path, at, *steps)
            if (further := self._below(place, _ANY)) and len(steps) < _DEEPEST:
                waiting.append(((*steps, _NAME), further))

    def _note(self, inner: str, path: _Path, around: str, *steps: str) -> None:
        """Record that ``inner`` is the schema of ``path``; patterns lead to it from ``around``."""
        if path == ("zones",) or path[:1] == ("texts",):  # names that contain dots
            path, around, steps = (), "", (*path, *steps)
        if path:
            self.around.setdefault((around, len(steps)), {})[path] = None
        self.new.setdefault(inner, {})[around, steps] = None

    def schema(self) -> dict[str, object]:
        self._walk(self.data, (), (), _RULES)
        bundled, title = self.bundled, self.data.get("title", "")
        bundled["title"] = f"variants of {title}"
        item = bundled["properties"]["change"]["items"]
        for number, ((_, steps), paths) in enumerate(self.around.items(), 1):
            pattern = "^" + _alternatives(paths) + r"\.[^.]+" * steps + "$"
            bundled["$defs"][f"in-{number}"] = {"type": "string", "pattern": pattern}
        groups: list[str] = []
        typed: list[dict[str, object]] = []
        for at in dict.fromkeys([*self.known, *self.new]):
            name = f"paths-{len(groups) + 1}"
            bundled["$defs"][name] = self._paths(at)
            groups.append(group := f"#/$defs/{name}")
            for words, key in ((("set", "add"), "to"), (("extend",), "with")) if at else ():
                changed = {
                    "properties": {word: {"$ref": group} for word in words},
                    "anyOf": [{"required": [word]} for word in words],
                }
                typed.append({"if": changed, "then": {"properties": {key: {"$ref": at}}}})
        bundled["$defs"]["path"] = {
            "description": f"A path in the rules of {title}; `altay rules show` prints them.",
            "anyOf": [{"$ref": group} for group in groups],
        }
        bundled["$defs"]["typed"] = {"type": "object", "allOf": typed}
        item["allOf"] = [*item.get("allOf", []), {"$ref": "#/$defs/typed"}]
        there = [
            *({"$ref": f"{group}/anyOf/0"} for group in groups),
            {"pattern": r"\.[0-9]+(?:\.|$)"},
        ]
        bundled["$defs"]["path there"] = {"type": "string", "anyOf": there}
        for word in ("remove", "move"):
            item["properties"][word]["$ref"] = "#/$defs/path%20there"
        return bundled

    def _paths(self, at: str) -> dict[str, object]:
        paths = dict.fromkeys(self.known.get(at, []))
        plain = [path for path in paths if path not in self.titles]
        forms: list[dict[str, object]] = [
            {"const": path, "title": self.titles[path]} for path in paths if path in self.titles
        ]
        forms += [{"enum": plain}] if plain else []
        every: list[object] = [{"anyOf": forms} if forms else False]
        for around, steps in self.new.get(at, ()):
            step, place = r"\.".join(steps), (around, len(steps))
            if place in self.around:
                begun = {"$ref": f"#/$defs/in-{list(self.around).index(place) + 1}"}
                every.append({"allOf": [begun, {"pattern": rf"\.{step}$"}]})
            else:
                every.append({"pattern": f"^{step}$"})
        return {"type": "string", "anyOf": every}


def _alternatives(paths: Iterable[_Path]) -> str:
    below: dict[str, list[_Path]] = {}
    for path in paths:
        below.setdefault(path[0], []).append(path[1:])
    choices = []
    for step, rests in below.items():
        longer = [rest for rest in rests if rest]
        rest = rf"\.{_alternatives(longer)}" if longer else ""
        choices.append(step + (f"(?:{rest})?" if rest and len(longer) < len(rests) else rest))
    return choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"


def _literal(text: str) -> str:
    return re.sub(r"[.^$*+?()\[\]{}|\\/]", r"\\\g<0>", text)

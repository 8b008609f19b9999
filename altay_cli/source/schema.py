"""Checking the data of a rule file against its JSON Schema (2020-12).

jsonschema checks, with its own keywords; ``schema_words`` tells what it found. Three things bound
the work on hostile files: references are resolved once, when the schemas are read, and the schemas
have no branches that share a recursive part, so that time goes with the size of the data;
``uniqueItems`` compares by hash, where jsonschema's own compares every item with every other; and
errors are told one by one, at most 1000, as the message of each holds a copy of the data.

jsonschema takes some 40 ms to import, and longer than that to go through large rules. So ``fits``
looks first whether all is right, and jsonschema is asked where that does not say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.resources import data_folder
from altay_cli.base.text import Text
from altay_cli.source.document import MAX_PROBLEMS, DataFinding, Document

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

MAX_ERRORS = 1000
"""The maximum number of errors of one file that are examined."""

_OF_ENTRIES = {
    "title", "description", "type", "minProperties", "properties", "propertyNames",
    "additionalProperties",
}  # fmt: skip
"""Keywords of a mapping that ask nothing of several entries, but that there is one."""


class Schemas:
    """The schemas of a folder, by file name without ``.schema.json``."""

    def __init__(self, folder: Path) -> None:
        self._schemas = {
            path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(folder.glob("*.schema.json"))
        }
        self._validators: dict[str, Validator] = {}
        for name, schema in self._schemas.items():
            self._resolve(name, schema)

    def fits(self, name: str, data: object, right: Iterable[str] = ()) -> bool:
        """Return whether a kind of file is right for certain; raises KeyError if it has no schema.

        What stands under the keys ``right`` is known to be.
        """
        schema = self._schemas[name]
        known = {**schema.get("properties", {}), **dict.fromkeys(right, True)}
        return _fits({**schema, "properties": known}, data)

    def validator(self, name: str) -> Validator:
        """Return the validator of a kind of file; raises KeyError if it has no schema."""
        if name not in self._validators:
            self._validators[name] = _validator_class()(self._schemas[name])
        return self._validators[name]

    def entries_apart(self, name: str, part: str) -> bool:
        """Return whether the entries of a part of a file can be checked independently."""
        schema = self._schemas[name]["properties"].get(part, {})
        return bool(schema.get("type") == "object" and schema.keys() <= _OF_ENTRIES)

    def part(self, name: str, path: Iterable[str | int]) -> Mapping[str, Any]:
        """Return the schema of what stands at a path in a file; an empty one if it is not known."""
        there: Mapping[str, Any] = self._schemas[name]
        for key in path:
            entry = (
                there.get("items")
                if isinstance(key, int)
                else there.get("properties", {}).get(key, there.get("additionalProperties"))
            )
            there = entry if isinstance(entry, dict) else {}
        return there

    def errors(self, name: str, part: str, data: object) -> Iterator[DataFinding]:
        """Yield what is wrong with data that must be as ``$defs`` of a schema has a part."""
        from altay_cli.source.schema_words import findings

        validator = _validator_class()(self._schemas[name]["$defs"][part])
        errors = islice(validator.iter_errors(data), MAX_ERRORS)
        return iter(_without_echoes(list(chain.from_iterable(map(findings, errors)))))

    def _resolve(self, name: str, whole: object) -> None:
        """Replace each ``$ref`` by its target; keywords beside it take precedence.

        Raises KeyError where it leads to nowhere.
        """
        waiting = [whole]
        while waiting:
            part = waiting.pop()
            if isinstance(part, list):
                waiting.extend(part)
            elif isinstance(part, dict):
                waiting.extend(part.values())  # those of its target are done where that stands
                where = name
                while isinstance(ref := part.pop("$ref", None), str):
                    file, _, inner = ref.partition("#/")
                    where = file.removesuffix(".schema.json") or where
                    target = self._schemas[where]
                    for step in inner.split("/") if inner else ():
                        target = target[step]
                    for key, value in target.items():
                        if key == "$ref" or key[0] != "$":  # that is of the whole file
                            part.setdefault(key, value)


@lru_cache(maxsize=1)
def shipped_schemas() -> Schemas:
    """Return the schemas that come with the program."""
    return Schemas(data_folder("schemas"))


@lru_cache(maxsize=1)
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def unique(
        _: Validator, wanted: bool, instance: object, __: object
    ) -> Iterator[ValidationError]:
        if wanted and isinstance(instance, list):
            first: dict[Hashable, int] = {}
            for at, item in enumerate(instance):
                earlier = first.setdefault(_frozen(item), at)
                if earlier != at:
                    yield ValidationError(str(earlier), path=[at])

    return extend(Draft202012Validator, {"uniqueItems": unique})  # type: ignore[no-untyped-call]


# ---------------------------------------------------------------- what is right


def _fits(schema: Any, value: object) -> bool:
    """Return whether a value is certainly valid under a schema with resolved references."""
    if isinstance(schema, bool):
        return schema
    for word, wanted in schema.items():
        test = _TESTS.get(word)
        if test is None:
            return False
        if not test(value, wanted, schema):
            return False
    return True


def _same(one: object, other: object) -> bool:
    return _frozen(one) == _frozen(other)


def _has_type(value: object, wanted: object, _: object) -> bool:
    kinds = wanted if isinstance(wanted, list) else [wanted]
    return any(kind in _TYPES and _TYPES[kind](value) for kind in kinds)


def _properties(value: object, wanted: Any, _: object) -> bool:
    if not isinstance(value, dict):
        return True
    return all(_fits(wanted[key], part) for key, part in value.items() if key in wanted)


def _additional(value: object, wanted: object, schema: Mapping[str, Any]) -> bool:
    if not isinstance(value, dict):
        return True
    known = schema.get("properties", {})
    return all(_fits(wanted, part) for key, part in value.items() if key not in known)


def _chosen(value: object, wanted: object, schema: Mapping[str, object]) -> bool:
    branch = "then" if _fits(wanted, value) else "else"
    # Whether a condition does not hold must be certain as well.
    if branch == "else" and not _is_plain(wanted):
        return False
    return _fits(schema.get(branch, True), value)


def _is_plain(schema: object, depth: int = 3) -> bool:
    """Return whether a small schema has no word that is not known here, so that `no` is certain."""
    if not isinstance(schema, dict) or not depth:
        return isinstance(schema, bool)
    inner = [*schema.get("properties", {}).values()]
    inner += [schema[word] for word in ("items", "propertyNames") if word in schema]
    words = schema.keys() - {"properties", "items", "propertyNames"}
    return words <= _PLAIN_WORDS and all(_is_plain(part, depth - 1) for part in inner)


def _is_in_enum(value: object, wanted: Any, _: object) -> bool:
    return all(map(_is_plain, wanted)) and sum(_fits(one, value) for one in wanted) == 1


def _needed(value: object, wanted: Any, _: object) -> bool:
    if not isinstance(value, dict):
        return True
    return all(set(keys) <= value.keys() for key, keys in wanted.items() if key in value)


def _needed_forms(value: object, wanted: Any, _: object) -> bool:
    if not isinstance(value, dict):
        return True
    return all(_fits(schema, value) for key, schema in wanted.items() if key in value)


def _are_unique(value: object, wanted: Any, _: object) -> bool:
    if not wanted or not isinstance(value, list):
        return True
    return len(set(map(_frozen, value))) == len(value)


_TYPES: dict[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
}

_Test = Callable[[object, Any, Mapping[str, object]], bool]


def _about(kind: type | tuple[type, ...], test: Callable[[Any, Any], bool]) -> _Test:
    """Return a test that asks something of one kind of values only."""
    return lambda value, wanted, _: not isinstance(value, kind) or test(value, wanted)


def _always(*_: object) -> bool:
    return True


_PLAIN_WORDS = frozenset({
    "title", "description", "type", "required", "enum", "const", "pattern", "minProperties",
    "maxProperties", "minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum",
})  # fmt: skip
"""Words that hold no other schemas."""

_TESTS: dict[str, _Test] = {
    **dict.fromkeys(("title", "description", "$schema", "$defs"), _always),
    **dict.fromkeys(("then", "else"), _always),  # see `if`
    "type": _has_type,
    "properties": _properties,
    "additionalProperties": _additional,
    "if": _chosen,
    "dependentRequired": _needed,
    "dependentSchemas": _needed_forms,
    "uniqueItems": _are_unique,
    "propertyNames": _about(dict, lambda value, wanted: all(_fits(wanted, k) for k in value)),
    "required": _about(dict, lambda value, wanted: set(wanted) <= value.keys()),
    "minProperties": _about(dict, lambda value, wanted: len(value) >= wanted),
    "maxProperties": _about(dict, lambda value, wanted: len(value) <= wanted),
    "items": _about(list, lambda value, wanted: all(_fits(wanted, one) for one in value)),
    "minItems": _about(list, lambda value, wanted: len(value) >= wanted),
    "maxItems": _about(list, lambda value, wanted: len(value) <= wanted),
    "minLength": _about(str, lambda value, wanted: len(value) >= wanted),
    "maxLength": _about(str, lambda value, wanted: len(value) <= wanted),
    "pattern": _about(str, lambda value, wanted: re.search(wanted, value) is not None),
    "minimum": _about(int, lambda value, wanted: type(value) is bool or value >= wanted),
    "maximum": _about(int, lambda value, wanted: type(value) is bool or value <= wanted),
    "enum": lambda value, wanted, _: any(_same(value, one) for one in wanted),
    "const": lambda value, wanted, _: _same(value, wanted),
    "anyOf": lambda value, wanted, _: any(_fits(one, value) for one in wanted),
    "oneOf": _is_in_enum,
    "allOf": lambda value, wanted, _: all(_fits(one, value) for one in wanted),
}
"""What the words of schemas ask. Where one is not here, jsonschema is asked."""


def _frozen(value: object) -> Hashable:
    """Return a hashable copy of JSON data, in which true and 1 differ."""
    if isinstance(value, dict):
        return frozenset((key, _frozen(part)) for key, part in value.items())
    if isinstance(value, list):
        return tuple(_frozen(part) for part in value)
    return (type(value), value)


def validate(
    document: Document, name: str, schemas: Schemas | None = None, right: Iterable[str] = ()
) -> list[Finding]:
    """Check a file, or whole rules, against the schema ``name``; give every problem, in order.

    What stands under the keys ``right`` is known to be right.
    At most 200 are told one by one, then one that says how many more there are.
    """
    schemas = schemas or shipped_schemas()
    if schemas.fits(name, document.data, right):
        return []
    from altay_cli.source.schema_words import findings

    errors = schemas.validator(name).iter_errors(document.data)
    told = list(islice(chain.from_iterable(map(findings, errors)), MAX_ERRORS))
    placed = (one.placed(document) for one in _without_echoes(told))
    problems = sorted(placed, key=lambda problem: problem.span)
    if len(problems) <= MAX_PROBLEMS:
        return problems
    rest = len(problems) - MAX_PROBLEMS
    message = Text(
        "there is 1 more problem in this file",
        "there are {count} more problems in this file",
        rest,
        count=f"at least {rest}" if len(told) == MAX_ERRORS else rest,
    )
    last = problems[MAX_PROBLEMS].span
    more = Finding("too-many-problems", Severity.ERROR, message, last, file=document.file)
    return [*problems[:MAX_PROBLEMS], more]


def _without_echoes(findings: list[DataFinding]) -> list[DataFinding]:
    """Drop findings that only repeat another one.

    A value of a wrong type is of course not one of the allowed values either; if ``titel`` was
    meant to be ``title``, ``title`` is not missing; whether one of several keys is missing shows
    when unknown ones are mended; and of a wrong key, what its neighbours say comes last and counts.
    """
    wrong_type = {told.path for told in findings if told.rule == "schema-type"}
    unknown = [told for told in findings if told.rule == "schema-unknown-key"]
    holders = {told.path[:-1] for told in unknown}
    meant = {(told.path[:-1], key) for told in unknown for key in told.keys}
    kept: dict[object, DataFinding] = {}
    for told in findings:
        if told.rule != "schema-type" and told.mark != "key" and told.path in wrong_type:
            continue
        if len(told.keys) > 1 and told.path in holders:
            continue
        if any((told.path, key) in meant for key in told.keys):
            continue
        kept[(told.path, "key") if told.mark == "key" else told] = told
    return list(kept.values())

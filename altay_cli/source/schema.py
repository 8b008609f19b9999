"""Checking the data of a rule file against its JSON Schema (2020-12).

jsonschema checks, with its own keywords; ``schema_words`` tells what it found. Three things bound
the work on hostile files: references are resolved once, when the schemas are read, and the schemas
have no branches that share a recursive part, so that time goes with the size of the data;
``uniqueItems`` compares by hash, where jsonschema's own compares every item with every other; and
errors are told one by one, at most 1000, as the message of each holds a copy of the data.

jsonschema takes some 40 ms to import: only who reads rules that are not kept in the cache needs it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.resources import data_folder
from altay_cli.base.text import Text
from altay_cli.source.document import MAX_PROBLEMS, DataFinding, Document
from altay_cli.source.schema_words import findings

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
        for name, schema in self._schemas.items():
            self._resolve(name, schema)

    def validator(self, name: str, right: Iterable[str] = ()) -> Validator:
        """Return the validator of a kind of file; raises KeyError if it has no schema.

        What stands under the keys ``right`` is known to be right.
        """
        schema = self._schemas[name]
        known = {**schema.get("properties", {}), **dict.fromkeys(right, True)}
        validator: Validator = _validator_class()({**schema, "properties": known})
        return validator

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
    errors = schemas.validator(name, right).iter_errors(document.data)
    faults = list(islice(chain.from_iterable(map(findings, errors)), MAX_ERRORS))
    placed = (one.placed(document) for one in _without_echoes(faults))
    problems = sorted(placed, key=lambda problem: problem.span)
    if len(problems) <= MAX_PROBLEMS:
        return problems
    rest = len(problems) - MAX_PROBLEMS
    message = Text(
        "there is 1 more problem in this file",
        "there are {count} more problems in this file",
        rest,
        count=f"at least {rest}" if len(faults) == MAX_ERRORS else rest,
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
    wrong_type = {finding.path for finding in findings if finding.rule == "schema-type"}
    unknown = [finding for finding in findings if finding.rule == "schema-unknown-key"]
    holders = {finding.path[:-1] for finding in unknown}
    meant = {(finding.path[:-1], key) for finding in unknown for key in finding.keys}
    kept: dict[object, DataFinding] = {}
    for finding in findings:
        if finding.rule != "schema-type" and finding.mark != "key" and finding.path in wrong_type:
            continue
        if len(finding.keys) > 1 and finding.path in holders:
            continue
        if any((finding.path, key) in meant for key in finding.keys):
            continue
        kept[(finding.path, "key") if finding.mark == "key" else finding] = finding
    return list(kept.values())

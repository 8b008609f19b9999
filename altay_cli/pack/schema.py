"""Checking the data of a rule file against its JSON Schema (2020-12).

Every error is reported, at its place in the YAML, in words for people. The
schemas of a folder may refer to each other by their ``$id``; nothing is ever
fetched. jsonschema is imported when a file is checked, not before: it takes
some 100 ms, and a program with a compiled pack need not check any file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from altay_cli.pack.problems import MAX_PROBLEMS, Problem

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from referencing import Registry

    from altay_cli.pack.schema_words import Remark
    from altay_cli.spans import Span

_NO_SCHEMAS = frozenset({"const", "enum", "default", "examples"})
"""Keywords of which the values are data, not schemas."""


class Located(Protocol):
    """Data that knows where its parts stand: a ``Source``, or several laid together."""

    @property
    def file(self) -> str:
        """The name to report for what has no other place."""

    @property
    def data(self) -> Any:
        """The data."""

    def locate(self, path: tuple[str | int, ...], mark: str) -> tuple[str, Span]:
        """Return file and place of a value ("value"), its key ("key"), or its head ("head")."""


class SchemaStore:
    """The schemas of a folder, by ``$id`` or by file name.

    Raises ValueError if a file is no JSON object with an ``$id``, or if two
    have the same. References are followed when they are needed; ``faults``
    looks at all of them.
    """

    def __init__(self, folder: Path) -> None:
        self.schemas: dict[str, dict[str, Any]] = {}
        self._ids: dict[str, str] = {}
        self._validators: dict[str, Validator] = {}
        for path in sorted(folder.glob("*.json")):
            schema = json.loads(path.read_text(encoding="utf-8"))
            name = schema.get("$id") if isinstance(schema, dict) else None
            if not isinstance(name, str):
                raise ValueError(f"{path}: a schema must be an object with an $id")
            if name in self.schemas:
                raise ValueError(f"{path}: another schema has the $id {name}")
            self.schemas[name] = schema
            self._ids[name] = self._ids[path.name] = name

    def validator(self, name: str) -> Validator:
        """Return the validator of the schema with this ``$id`` or file name.

        Raises LookupError if there is none.
        """
        found = self._ids.get(name)
        if found is None:
            known = ", ".join(sorted(self.schemas)) or "none"
            raise LookupError(f"there is no schema {name}; there are: {known}")
        if found not in self._validators:
            self._validators[found] = self._class(self.schemas[found], registry=self._registry)
        return self._validators[found]

    def faults(self) -> list[str]:
        """Return what is wrong with the schemas themselves, a line each."""
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match

        told = []
        meta = Draft202012Validator(Draft202012Validator.META_SCHEMA)
        for name, schema in self.schemas.items():
            error = best_match(meta.iter_errors(schema))
            if error is not None:
                told.append(f"{name}: {error.json_path}: {error.message}")
            if any("$id" in part for part in _parts(schema) if part is not schema):
                told.append(f"{name}: an $id within a schema is not understood")
        return told + [f"{base}: $ref to nowhere: {ref}" for base, ref in self._resolved[1]]

    @cached_property
    def _registry(self) -> Registry[Any]:
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

        # A registry without a way to retrieve: what is not in it does not exist.
        resources = [
            (name, DRAFT202012.create_resource(schema)) for name, schema in self.schemas.items()
        ]
        return Registry().with_resources(resources).crawl()

    @cached_property
    def _resolved(self) -> tuple[dict[int, Any], list[tuple[str, str]]]:
        """What each ``$ref`` means, by the id() of its schema; and the broken ones."""
        from referencing.exceptions import Unresolvable

        targets: dict[int, Any] = {}
        broken: list[tuple[str, str]] = []
        for base, whole in self.schemas.items():
            resolver = self._registry.resolver(base)
            for schema in _parts(whole):
                ref = schema.get("$ref")
                if isinstance(ref, str):
                    try:
                        targets[id(schema)] = resolver.lookup(ref)
                    except Unresolvable:
                        broken.append((base, ref))
        return targets, broken

    @cached_property
    def _class(self) -> Any:
        from jsonschema import Draft202012Validator
        from jsonschema.validators import extend

        from altay_cli.pack.schema_keywords import Keywords

        table = Keywords(self._resolved[0]).table()
        return extend(Draft202012Validator, table)  # type: ignore[no-untyped-call]


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a schema that may be a schema."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += [value for key, value in part.items() if key not in _NO_SCHEMAS]
        elif isinstance(part, list):
            waiting += part


def validate(source: Located, schema_id: str, schemas: SchemaStore) -> list[Problem]:
    """Check the data of a file against a schema; give every problem, in order.

    At most 200 are told one by one, then one that says how many more there
    are. Raises LookupError if there is no such schema.
    """
    from altay_cli.pack.schema_keywords import MAX_ERRORS, memo
    from altay_cli.pack.schema_words import remark

    validator = schemas.validator(schema_id)
    token = memo.set({})
    try:
        errors = list(islice(validator.iter_errors(source.data), MAX_ERRORS))
    finally:
        memo.reset(token)
    remarks = _without_echoes(remark(error) for error in errors)
    problems = sorted(
        (
            Problem(told.rule, told.message, *source.locate(told.path, told.mark), told.help)
            for told in remarks
        ),
        key=lambda told: told.span,
    )
    if len(problems) <= MAX_PROBLEMS:
        return problems
    last = problems[MAX_PROBLEMS].span
    least = "at least " if len(errors) >= MAX_ERRORS else ""
    message = f"there are {least}{len(problems) - MAX_PROBLEMS} more problems in this file"
    return [
        *problems[:MAX_PROBLEMS],
        Problem("too-many-problems", message, source.file, last),
    ]


def _without_echoes(remarks: Iterator[Remark]) -> list[Remark]:
    """Leave out what only repeats another remark.

    A value of a wrong type is of course not one of the allowed values either;
    and if ``titel`` was meant to be ``title``, ``title`` is not missing.
    """
    every = list(dict.fromkeys(remarks))
    wrong_type = {told.path for told in every if told.rule == "schema-type"}
    meant = {
        (told.path[:-1], told.topic)
        for told in every
        if told.rule == "schema-unknown-key" and told.topic
    }
    troubled = {told.path[:n] for told in every if not told.weak for n in range(len(told.path) + 1)}

    def is_echo(told: Remark) -> bool:
        if told.rule == "schema-missing-key":
            return (told.path, told.topic) in meant
        if told.weak:
            return told.path[:-1] in troubled
        return told.rule != "schema-type" and told.mark == "value" and told.path in wrong_type

    return [told for told in every if not is_echo(told)]

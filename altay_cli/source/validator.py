"""The validator of JSON Schema for rule files; importing jsonschema takes 40 ms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend


def _further_keys(
    validator: Any, wanted: object, instance: object, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        keys = [key for key in instance if key not in schema.get("properties", {})]
        if keys and wanted is False:
            yield ValidationError("unknown keys")
        for key in keys if isinstance(wanted, dict) else ():
            yield from validator.descend(instance[key], wanted, path=key)


def _unique_items(
    _: Validator, wanted: bool, instance: object, __: object
) -> Iterator[ValidationError]:
    if wanted and isinstance(instance, list):
        first: dict[str, int] = {}
        for at, item in enumerate(instance):
            # As JSON, where true and 1 differ, unlike in Python.
            earlier = first.setdefault(json.dumps(item, sort_keys=True), at)
            if earlier != at:
                yield ValidationError(str(earlier), path=[at])


RuleFileValidator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"additionalProperties": _further_keys, "uniqueItems": _unique_items},
)
"""Draft 2020-12; reports unknown keys of a mapping once, and repeated items quickly."""

"""JSON Schema's keywords, where jsonschema's own would tell or take too much.

jsonschema does the validating; the functions here replace some of its keywords
(its documented way to extend it), for three reasons:

- An error for people needs the key, the item or the branch that is meant, as
  data. Here the error's path leads to it, and its message holds a bare name
  where the keyword needs one.
- ``oneOf`` and ``anyOf`` choose the branch that the author meant and report
  that branch's errors. The choice looks at keys and fixed values first, so that
  branches which cannot be meant are never entered.
- Work is bounded for hostile data: no error holds a copy of what it is about,
  and what a ``$ref`` says of a value is found out once, so that two branches
  with a recursive part in common do not take time exponential in the depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

if TYPE_CHECKING:
    from referencing._core import Resolved

Schema = Mapping[str, Any] | bool
Errors = Iterator[ValidationError]
Keyword = Callable[[Any, Any, Any, Any], Errors]

NEEDED = "needed"
"""The message of an error of which the value lists the keys that each branch needs."""

BY_KEY = "by-key"
"""The message of an error of which ``path`` leads to a key, not to a value."""

MAX_ERRORS = 1000
"""How many errors of one value are looked at."""

_Memo = dict[tuple[int, int], list[ValidationError]]
memo: ContextVar[_Memo | None] = ContextVar("memo", default=None)
"""What each ``$ref`` said of each value (by identity), for one validation."""


def freeze(value: Any) -> Hashable:
    """Return a hashable twin of JSON data; true is not 1, but 1.0 is."""
    if isinstance(value, dict):
        return ("mapping", frozenset((key, freeze(part)) for key, part in value.items()))
    if isinstance(value, list):
        return ("list", tuple(freeze(part) for part in value))
    return ("truth", value) if isinstance(value, bool) else value


def descend(validator: Any, value: Any, schema: Schema, step: str | int | None = None) -> Errors:
    """Check a part of the data (at ``step``) against a part of the schema.

    Does what the validator's own ``descend`` does, but makes no new validator
    for each part, which would take most of the time; and keeps the step if the
    schema is false, which jsonschema (4.26) forgets.
    """
    if schema is True:
        return
    if isinstance(schema, bool):
        path = () if step is None else (step,)
        yield ValidationError("", "", path, validator_value=None, instance=value, schema=schema)
        return
    for keyword, wanted in schema.items():
        function = validator.VALIDATORS.get(keyword)
        for error in (function and function(validator, wanted, value, schema)) or ():
            error._set(validator=keyword, validator_value=wanted, instance=value, schema=schema)
            if step is not None:
                error.path.appendleft(step)
            yield error


# --- Shapes: what a schema says at first sight -------------------------------


@dataclass(slots=True)
class Shape:
    """What a schema asks of a value, as far as keys and fixed values tell.

    None stands for "anything". A value that misses the shape is wrong for the
    schema; one that fits it may still be wrong.
    """

    types: frozenset[str] | None = None
    values: list[Any] | None = None
    required: dict[str, None] = field(default_factory=dict)  # a set with an order
    named: dict[str, None] = field(default_factory=dict)
    allowed: set[str] | None = None
    fixed: dict[str, list[Any]] = field(default_factory=dict)

    def narrow(self, other: Shape) -> None:
        """Add what ``other`` asks."""
        if other.types is not None:
            self.types = other.types if self.types is None else self.types & other.types
        if other.allowed is not None:
            self.allowed = other.allowed if self.allowed is None else self.allowed & other.allowed
        if other.values is not None:
            self.values = other.values
        self.required |= other.required
        self.named |= other.named
        self.fixed.update(other.fixed)


class Keywords:
    """The replaced keywords, for schemas whose ``$ref``s have been resolved.

    ``targets`` gives, for the ``id()`` of each schema with a ``$ref``, what it
    refers to; the schemas must live as long as this object.
    """

    def __init__(self, targets: Mapping[int, Resolved[Schema]]) -> None:
        self._targets = targets
        self._validators: dict[int, Any] = {}
        self._shapes: dict[int, Shape] = {}

    def table(self) -> dict[str, Keyword]:
        """Return the functions by keyword, for ``jsonschema.validators.extend``."""
        return {
            "$ref": self._ref,
            "oneOf": self._one_of,
            "anyOf": self._any_of,
            "type": _type,
            "enum": _enum,
            "const": _const,
            "required": _required,
            "dependentRequired": _dependent_required,
            "properties": _properties,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional_properties,
            "propertyNames": _property_names,
            "unevaluatedProperties": _unevaluated_properties,
            "items": _items,
            "uniqueItems": _unique_items,
        }

    def _ref(self, validator: Any, ref: str, instance: Any, schema: Any) -> Errors:
        target = self._targets.get(id(schema))
        if target is None:  # leads to nowhere: let jsonschema say so
            yield from validator._validate_reference(ref=ref, instance=instance)
            return
        known = memo.get()
        key = (id(target.contents), id(instance))
        found = known.get(key) if known is not None else None
        if found is None:
            there = self._validator_at(validator, id(schema), target)
            found = list(islice(descend(there, instance, target.contents), MAX_ERRORS))
            if known is not None:
                known[key] = found
        # The way up adds to each error's path, so that each way needs its own.
        for error in found:
            yield ValidationError.create_from(error)

    def _validator_at(self, validator: Any, place: int, target: Resolved[Schema]) -> Any:
        """Return the validator for what a ``$ref`` leads to, maybe in another file."""
        found = self._validators.get(place)
        if found is None:
            found = validator.evolve(schema=target.contents, _resolver=target.resolver)
            self._validators[place] = found
        return found

    # --- oneOf and anyOf ---

    def _one_of(self, validator: Any, branches: list[Schema], instance: Any, _: Any) -> Errors:
        yield from self._branches(validator, branches, instance, once=True)

    def _any_of(self, validator: Any, branches: list[Schema], instance: Any, _: Any) -> Errors:
        yield from self._branches(validator, branches, instance, once=False)

    def _branches(
        self, validator: Any, branches: list[Schema], instance: Any, once: bool
    ) -> Errors:
        shapes = [self._shape(branch) for branch in branches]
        pairs = zip(branches, shapes, strict=True)
        fitting = 0
        told: list[list[ValidationError]] = []
        for branch in [branch for branch, shape in pairs if _fits(shape, instance)]:
            errors = list(islice(descend(validator, instance, branch), MAX_ERRORS))
            if errors:
                told.append(errors)
                continue
            fitting += 1
            if not once:
                return
        if fitting > 1:
            yield ValidationError("")
        elif told and not fitting:
            yield from min(told, key=_distance)
        elif not fitting:
            yield from self._nearest(validator, branches, shapes, instance)

    def _nearest(
        self, validator: Any, branches: list[Schema], shapes: list[Shape], instance: Any
    ) -> Errors:
        """Tell what is wrong with a value that misses the shape of every branch."""
        near = [
            (branch, shape)
            for branch, shape in zip(branches, shapes, strict=True)
            if _has_type(shape, instance)
        ]
        if not near:
            kinds = sorted({kind for shape in shapes for kind in shape.types or ()})
            yield from descend(validator, instance, {"type": kinds})
        elif not isinstance(instance, dict):
            values = [value for _, shape in near for value in shape.values or ()]
            if values:
                yield from descend(validator, instance, {"enum": values})
            else:
                yield from descend(validator, instance, near[0][0])
        else:
            yield from _nearest_mapping(validator, near, instance)

    # --- shapes ---

    def _shape(self, schema: Schema) -> Shape:
        found = self._shapes.get(id(schema))
        if found is None:
            found = self._shapes[id(schema)] = Shape()  # ends a circle of $refs
            if isinstance(schema, Mapping):
                self._shapes[id(schema)] = found = self._make_shape(schema)
        return found

    def _make_shape(self, schema: Mapping[str, Any]) -> Shape:
        kinds = schema.get("type")
        named = schema.get("properties", {})
        shape = Shape(
            frozenset([kinds] if isinstance(kinds, str) else kinds) if kinds else None,
            _plain_values(schema),
            dict.fromkeys(schema.get("required", ())),
            dict.fromkeys(named),
        )
        if schema.get("additionalProperties") is False and "patternProperties" not in schema:
            shape.allowed = set(named)
        for name, part in named.items():
            values = self._values(part)
            if values is not None:
                shape.fixed[name] = values
        target = self._targets.get(id(schema))
        if target is not None:
            shape.narrow(self._shape(target.contents))
        for part in schema.get("allOf", ()):
            shape.narrow(self._shape(part))
        return shape

    def _values(self, schema: Schema) -> list[Any] | None:
        for _ in range(20):  # a $ref to a $ref to ...; a circle ends too
            if not isinstance(schema, Mapping):
                return None
            values = _plain_values(schema)
            target = self._targets.get(id(schema))
            if values is not None or target is None:
                return values
            schema = target.contents
        return None


def _plain_values(schema: Mapping[str, Any]) -> list[Any] | None:
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    simple = values is not None and all(
        value is None or isinstance(value, str | int) for value in values
    )
    return list(values) if simple and values is not None else None


def _has_type(shape: Shape, instance: Any) -> bool:
    return shape.types is None or any(_is_type(instance, kind) for kind in shape.types)


def _is_type(instance: Any, kind: str) -> bool:
    """Tell whether a value is of a type of JSON Schema; there are no floats."""
    if isinstance(instance, bool):
        return kind == "boolean"
    if isinstance(instance, int):
        return kind in {"integer", "number"}
    return isinstance(instance, _PYTHON_TYPES.get(kind, ()))


_PYTHON_TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "null": type(None),
}


def _fits(shape: Shape, instance: Any) -> bool:
    if not _has_type(shape, instance):
        return False
    if shape.values is not None and not _among(instance, shape.values):
        return False
    if not isinstance(instance, dict):
        return True
    return (
        all(key in instance for key in shape.required)
        and (shape.allowed is None or all(key in shape.allowed for key in instance))
        and all(
            _among(instance[key], values) for key, values in shape.fixed.items() if key in instance
        )
    )


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(type(value) is type(other) and value == other for other in values)


def _distance(errors: list[ValidationError]) -> tuple[int, int]:
    """Say how far a branch is from a value: errors at its top weigh most."""
    return sum(not error.path for error in errors), len(errors)


def _nearest_mapping(
    validator: Any, near: list[tuple[Schema, Shape]], instance: dict[str, Any]
) -> Errors:
    shapes = [shape for _, shape in near]
    tags = [key for key in shapes[0].fixed if all(key in shape.fixed for shape in shapes)]
    for tag in tags:
        if tag not in instance and all(tag in shape.required for shape in shapes):
            yield from descend(validator, instance, {"required": [tag]})
            return
        values = [value for shape in shapes for value in shape.fixed[tag]]
        if tag in instance and not _among(instance[tag], values):
            yield from descend(validator, instance[tag], {"enum": values}, tag)
            return
    meant = [pair for pair in near if pair[1].required.keys() & instance.keys()]
    if meant or not all(shape.required for shape in shapes):
        best = max(meant or near, key=lambda pair: _likeness(pair[1], instance))
        yield from descend(validator, instance, best[0])
        return
    named = {key: True for shape in shapes for key in shape.named}
    closed = all(shape.allowed is not None for shape in shapes)
    if closed and any(key not in named for key in instance):
        known = {"properties": named, "additionalProperties": False}
        yield from descend(validator, instance, known)
        return
    needed = list(dict.fromkeys(" and ".join(shape.required) for shape in shapes))
    yield ValidationError(NEEDED, validator_value=needed)


def _likeness(shape: Shape, instance: dict[str, Any]) -> tuple[int, int, int]:
    right = sum(
        1 if _among(instance[key], values) else -1
        for key, values in shape.fixed.items()
        if key in instance
    )
    present = sum(key in instance for key in shape.required)
    strange = sum(key not in shape.named for key in instance)
    return right, present - len(shape.required.keys() - instance.keys()), -strange


# --- Single keywords -----------------------------------------------------------


def _type(_validator: Any, kinds: Any, instance: Any, _: Any) -> Errors:
    if not any(_is_type(instance, kind) for kind in _listed(kinds)):
        yield ValidationError("")


def _listed(kinds: str | list[str]) -> list[str]:
    return [kinds] if isinstance(kinds, str) else kinds


def _enum(_validator: Any, values: list[Any], instance: Any, _: Any) -> Errors:
    frozen = freeze(instance)
    if not any(freeze(value) == frozen for value in values):
        yield ValidationError("")


def _const(_validator: Any, value: Any, instance: Any, _: Any) -> Errors:
    if freeze(value) != freeze(instance):
        yield ValidationError("")


def _required(_validator: Any, keys: list[str], instance: Any, _: Any) -> Errors:
    if isinstance(instance, dict):
        for key in keys:
            if key not in instance:
                yield ValidationError(key)


def _dependent_required(
    _validator: Any, needs: dict[str, list[str]], instance: Any, _: Any
) -> Errors:
    if isinstance(instance, dict):
        for key, others in needs.items():
            for need in others if key in instance else ():
                if need not in instance:
                    yield ValidationError(need, path=[key])


def _properties(validator: Any, parts: dict[str, Schema], instance: Any, _: Any) -> Errors:
    if isinstance(instance, dict):
        for key, part in parts.items():
            if key in instance:
                yield from descend(validator, instance[key], part, key)


def _pattern_properties(validator: Any, parts: dict[str, Schema], instance: Any, _: Any) -> Errors:
    if isinstance(instance, dict):
        for pattern, part in parts.items():
            for key, value in instance.items():
                if re.search(pattern, key):
                    yield from descend(validator, value, part, key)


def _additional_properties(validator: Any, rest: Schema, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, dict):
        return
    named = schema.get("properties", {})
    patterns = [re.compile(pattern) for pattern in schema.get("patternProperties", ())]
    for key, value in instance.items():
        if key in named or any(pattern.search(key) for pattern in patterns):
            continue
        if rest is False:
            yield ValidationError("", path=[key])
        else:
            yield from descend(validator, value, rest, key)


def _property_names(validator: Any, form: Schema, instance: Any, _: Any) -> Errors:
    if isinstance(instance, dict):
        for key in instance:
            for error in descend(validator, key, form, key):
                error.message = BY_KEY
                yield error


def _unevaluated_properties(validator: Any, rest: Schema, instance: Any, schema: Any) -> Errors:
    # jsonschema says which keys in its message only, each as Python writes it.
    for error in _UNEVALUATED(validator, rest, instance, schema) or ():
        for key in [key for key in instance if repr(key) in error.message]:
            yield ValidationError("", path=[key])


_UNEVALUATED: Keyword = Draft202012Validator.VALIDATORS["unevaluatedProperties"]


def _items(validator: Any, form: Schema, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, list):
        return
    first = len(schema.get("prefixItems", ()))
    if form is False and len(instance) > first:
        yield ValidationError("")
    elif form is not False:
        for at in range(first, len(instance)):
            yield from descend(validator, instance[at], form, at)


def _unique_items(_validator: Any, wanted: bool, instance: Any, _: Any) -> Errors:
    if not wanted or not isinstance(instance, list):
        return
    first: dict[Hashable, int] = {}
    for at, item in enumerate(instance):
        earlier = first.setdefault(freeze(item), at)
        if earlier != at:
            yield ValidationError(str(earlier), path=[at])

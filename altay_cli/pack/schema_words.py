"""Explains errors of jsonschema to people who do not know JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from altay_cli.pack.document import DataFinding, DataPath
from altay_cli.suggest import suggest

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_KINDS = {
    "object": "a mapping ('key: value' lines)",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
_SHOWN = 12
"""The maximum number of allowed names in a message."""


def findings(error: ValidationError) -> Iterator[DataFinding]:
    """Return the findings for an error of jsonschema, which can be about several keys."""
    path = tuple(error.path)
    keyword = str(error.validator)
    wanted: Any = error.validator_value
    value: Any = error.instance
    schema: Any = error.schema
    if list(error.schema_path)[-2:-1] == ["propertyNames"]:
        yield _bad_key((*path, value), keyword, wanted, schema)
    elif keyword == "type":
        yield _type(path, wanted, value)
    elif keyword in {"enum", "const"}:
        yield _enum(path, wanted if keyword == "enum" else [wanted], value)
    elif keyword == "additionalProperties":
        named = schema.get("properties", {})
        yield from (_unknown_key((*path, key), named, value) for key in value if key not in named)
    elif keyword == "required":
        yield from _missing(path, wanted, value, schema)
    elif keyword == "dependentRequired":
        for key, needed in wanted.items():
            if key in value:
                yield from (_dependent((*path, key), one) for one in needed if one not in value)
    elif keyword in {"anyOf", "oneOf"} and isinstance(value, dict):
        yield _choice(path, [part["required"] for part in wanted], value)
    elif keyword == "pattern":
        form = _hint(schema) or f"its pattern is {wanted}"
        message = f"{_quoted(str(value))} does not have the right form: {form}"
        yield DataFinding("schema-pattern", message, path, mark="value")
    elif keyword in _BOUNDS:
        message = f"the number must be {_BOUNDS[keyword]} {wanted}; found {value}"
        yield DataFinding("schema-range", message, path, mark="value")
    elif keyword in _SIZES:
        yield _size(path, keyword, wanted, value, schema)
    elif keyword == "uniqueItems":
        message = (
            f"item {int(path[-1]) + 1} of the list is the same as item {int(error.message) + 1}"
        )
        yield DataFinding("schema-duplicate", message, path, mark="value")
    else:
        message = _hint(schema) or f"{found(value)} does not fit here ({keyword})"
        yield DataFinding("schema", message, path, mark="head")


def found(value: Any) -> str:
    """Describe a value in a few words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {_quoted(value)}"
    if isinstance(value, list):
        return f"a list of {_count(len(value), 'item')}" if value else "an empty list"
    if isinstance(value, dict):
        return f"a mapping with {_joined(value)}" if value else "an empty mapping"
    return f"the number {value}"


# --- Single keywords -----------------------------------------------------------


def _type(path: DataPath, wanted: str | list[str], value: object) -> DataFinding:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    message = f"expected {_either(_KINDS.get(kind, kind) for kind in kinds)}, found {found(value)}"
    helps: tuple[str, ...] = ()
    if "string" in kinds and isinstance(value, int):
        helps = (f'put it in quotes if it is meant as text: "{str(value).lower()}"',)
    return DataFinding("schema-type", message, path, helps, mark="value")


def _enum(path: DataPath, values: list[object], value: object) -> DataFinding:
    names = list(dict.fromkeys(_shown_value(one) for one in values))
    wanted = f"one of {_listing(names)}" if len(names) > 1 else names[0] if names else "nothing"
    near = _nearest(value, [one for one in values if isinstance(one, str)])
    helps = (f"did you mean {_quoted(near)}?",) if near else ()
    message = f"expected {wanted}; found {found(value)}"
    return DataFinding("schema-enum", message, path, helps, mark="value")


def _unknown_key(path: DataPath, named: Iterable[str], holder: Iterable[str]) -> DataFinding:
    key, named = str(path[-1]), list(named)
    near = _nearest(key, [name for name in named if name not in holder])
    if near is not None:
        helps = (f"did you mean {_quoted(near)}?",)
    elif named:
        helps = (f"allowed here: {_listing(named)}",)
    else:
        helps = ("no keys are allowed here",)
    message = f"unknown key {_quoted(key)}"
    meant = (near,) if near is not None else ()
    return DataFinding("schema-unknown-key", message, path, helps, mark="key", keys=meant)


def _bad_key(path: DataPath, keyword: str, wanted: Any, schema: object) -> DataFinding:
    if keyword in {"enum", "const"}:
        return _unknown_key(path, wanted if keyword == "enum" else [wanted], ())
    form = _hint(schema) or f"it does not fit {keyword} {wanted}"
    message = f"the key {_quoted(str(path[-1]))} does not have the right form: {form}"
    return DataFinding("schema-pattern", message, path, mark="key")


def _missing(path: DataPath, keys: list[str], value: Any, schema: Any) -> Iterator[DataFinding]:
    named = schema.get("properties", {})
    if schema.get("additionalProperties") is False and value and not value.keys() & named:
        return  # something else was meant to stand here; each of its keys is told as unknown
    for key in keys:
        if key not in value:
            told = named.get(key, {}).get("description")
            helps = (f"{key}: {told.rstrip('.')}",) if told else ()
            message = f"the key {_quoted(key)} is missing"
            yield DataFinding("schema-missing-key", message, path, helps, mark="head", keys=(key,))


def _dependent(path: DataPath, key: str) -> DataFinding:
    message = f"{_quoted(str(path[-1]))} needs the key {_quoted(key)} beside it"
    return DataFinding("schema-missing-key", message, path, mark="key", keys=(key,))


def _choice(path: DataPath, branches: list[list[str]], value: dict[str, object]) -> DataFinding:
    keys = tuple(dict.fromkeys(key for keys in branches for key in keys))
    given = [key for key in keys if key in value]
    if any(all(key in value for key in keys) for keys in branches):
        message = f"only one of these keys can be given: {_listing(given)}"
        return DataFinding("schema", message, path, mark="head")
    needed = dict.fromkeys(" and ".join(keys) for keys in branches)
    message = f"one of these is needed: {_listing(needed)}"
    return DataFinding("schema-missing-key", message, path, mark="head", keys=keys)


_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
}
_SIZES = {
    "Items": ("item", "the list"),
    "Length": ("character", "the text"),
    "Properties": ("key", "the mapping"),
}
_SIZES = {end + word: told for end in ("min", "max") for word, told in _SIZES.items()}


def _size(path: DataPath, keyword: str, limit: int, value: Any, schema: Any) -> DataFinding:
    word, thing = _SIZES[keyword]
    if keyword == "maxProperties" and "title" in schema:
        return DataFinding("schema", schema["title"], path, mark="head")
    if keyword.startswith("min") and limit == 1:
        message = f"{thing} must not be empty"
    else:
        bound = "at least" if keyword.startswith("min") else "at most"
        message = f"expected {bound} {_count(limit, word)}, found {len(value)}"
    return DataFinding("schema-size", message, path, mark="value")


# --- Words -----------------------------------------------------------------------


def _hint(schema: object) -> str | None:
    """Return the hint that a schema has for people."""
    if not isinstance(schema, dict):
        return None
    told = schema.get("title") or schema.get("description")
    return str(told).rstrip(".") if told else None


def _nearest(word: object, names: list[str]) -> str | None:
    if not isinstance(word, str):
        return None
    folded = {name.lower(): name for name in names}
    close = suggest(word.lower(), folded)
    return folded[close[0]] if close else None


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"


def _shown_value(value: object) -> str:
    if value is None or isinstance(value, bool):
        return found(value)
    return str(value) if isinstance(value, str | int) else found(value)


def _listing(names: Iterable[str]) -> str:
    every = list(names)
    rest = len(every) - _SHOWN
    return ", ".join(every[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _joined(keys: Iterable[str]) -> str:
    every = list(keys)
    shown = ", ".join(_quoted(key) for key in every[:3]) + (", ..." if len(every) > 3 else "")
    return f"the key{'s' if len(every) > 1 else ''} {shown}"


def _either(words: Iterable[str]) -> str:
    every = list(words)
    return every[0] if len(every) == 1 else ", ".join(every[:-1]) + " or " + every[-1]


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"

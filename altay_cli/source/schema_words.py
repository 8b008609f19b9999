"""Explains errors of jsonschema to people who do not know JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text, any_of, in_a_row
from altay_cli.source.document import DataFinding, DataPath

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
        form = _hint(schema) or Text("its pattern is {pattern}", pattern=wanted)
        message: str = Text(
            "'{text}' does not have the right form: {form}", text=_short(str(value)), form=form
        )
        yield DataFinding("schema-pattern", message, path, mark="value")
    elif keyword in _BOUNDS:
        message = Text(_BOUNDS[keyword], limit=wanted, value=value)
        yield DataFinding("schema-range", message, path, mark="value")
    elif keyword[3:] in _SIZES:
        yield _size(path, keyword, wanted, value, schema)
    elif keyword == "uniqueItems":
        message = Text(
            "item {number} of the list is the same as item {other}",
            number=int(path[-1]) + 1,
            other=int(error.message) + 1,
        )
        yield DataFinding("schema-duplicate", message, path, mark="value")
    else:
        message = _hint(schema) or Text(
            "{value} does not fit here ({keyword})", value=found(value), keyword=keyword
        )
        yield DataFinding("schema", message, path, mark="head")


def found(value: Any) -> str:
    """Describe a value in a few words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return Text("the text '{text}'", text=_short(value))
    if isinstance(value, list):
        if not value:
            return "an empty list"
        return Text.plural(len(value), "a list of 1 item", "a list of {count} items")
    if isinstance(value, dict):
        if not value:
            return "an empty mapping"
        keys = in_a_row([f"'{_short(key)}'" for key in value], 3)
        if len(value) == 1:
            return Text("a mapping with the key {key}", key=keys[0])
        return Text("a mapping with the keys {keys}", keys=keys)
    return Text("the number {value}", value=value)


# --- Single keywords -----------------------------------------------------------


def _type(path: DataPath, wanted: str | list[str], value: object) -> DataFinding:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    message = Text(
        "expected {wanted}, found {found}",
        wanted=any_of([_KINDS.get(kind, kind) for kind in kinds]),
        found=found(value),
    )
    helps: tuple[str, ...] = ()
    if "string" in kinds and isinstance(value, int):
        text = f'"{str(value).lower()}"'
        helps = (Text("put it in quotes if it is meant as text: {text}", text=text),)
    return DataFinding("schema-type", message, path, helps, mark="value")


def _enum(path: DataPath, values: list[object], value: object) -> DataFinding:
    names = list(dict.fromkeys(_shown_value(one) for one in values))
    wanted = (
        Text("one of {names}", names=_listing(names))
        if len(names) > 1
        else names[0]
        if names
        else "nothing"
    )
    near = _nearest(value, [one for one in values if isinstance(one, str)])
    helps = (Text("did you mean '{name}'?", name=_short(near)),) if near else ()
    message = Text("expected {wanted}; found {found}", wanted=wanted, found=found(value))
    return DataFinding("schema-enum", message, path, helps, mark="value")


def _unknown_key(path: DataPath, named: Iterable[str], holder: Iterable[str]) -> DataFinding:
    key, named = str(path[-1]), list(named)
    near = _nearest(key, [name for name in named if name not in holder])
    helps: tuple[str, ...]
    if near is not None:
        helps = (Text("did you mean '{name}'?", name=_short(near)),)
    elif named:
        helps = (Text("allowed here: {names}", names=_listing(named)),)
    else:
        helps = ("no keys are allowed here",)
    message = Text("unknown key '{key}'", key=_short(key))
    meant = (near,) if near is not None else ()
    return DataFinding("schema-unknown-key", message, path, helps, mark="key", keys=meant)


def _bad_key(path: DataPath, keyword: str, wanted: Any, schema: object) -> DataFinding:
    if keyword in {"enum", "const"}:
        return _unknown_key(path, wanted if keyword == "enum" else [wanted], ())
    form = _hint(schema) or f"it does not fit {keyword} {wanted}"
    key = _short(str(path[-1]))
    message = Text("the key '{key}' does not have the right form: {form}", key=key, form=form)
    return DataFinding("schema-pattern", message, path, mark="key")


def _missing(path: DataPath, keys: list[str], value: Any, schema: Any) -> Iterator[DataFinding]:
    named = schema.get("properties", {})
    if schema.get("additionalProperties") is False and value and not value.keys() & named:
        return  # something else was meant to stand here; each of its keys is told as unknown
    for key in keys:
        if key not in value:
            description = named.get(key, {}).get("description")
            helps = (f"{key}: {description.rstrip('.')}",) if description else ()
            message = Text("the key '{key}' is missing", key=_short(key))
            yield DataFinding("schema-missing-key", message, path, helps, mark="head", keys=(key,))


def _dependent(path: DataPath, key: str) -> DataFinding:
    message = Text(
        "'{key}' needs the key '{other}' beside it", key=_short(str(path[-1])), other=_short(key)
    )
    return DataFinding("schema-missing-key", message, path, mark="key", keys=(key,))


def _choice(path: DataPath, branches: list[list[str]], value: dict[str, object]) -> DataFinding:
    keys = tuple(dict.fromkeys(key for keys in branches for key in keys))
    given = [key for key in keys if key in value]
    if any(all(key in value for key in keys) for keys in branches):
        message = Text("only one of these keys can be given: {keys}", keys=_listing(given))
        return DataFinding("schema", message, path, mark="head")
    needed = dict.fromkeys(" and ".join(keys) for keys in branches)
    message = Text("one of these is needed: {keys}", keys=_listing(needed))
    return DataFinding("schema-missing-key", message, path, mark="head", keys=keys)


_BOUNDS = {
    "minimum": "the number must be at least {limit}; found {value}",
    "maximum": "the number must be at most {limit}; found {value}",
    "exclusiveMinimum": "the number must be more than {limit}; found {value}",
    "exclusiveMaximum": "the number must be less than {limit}; found {value}",
    "multipleOf": "the number must be a multiple of {limit}; found {value}",
}
_SIZES = {
    "Items": ("1 item", "{count} items", "the list must not be empty"),
    "Length": ("1 character", "{count} characters", "the text must not be empty"),
    "Properties": ("1 key", "{count} keys", "the mapping must not be empty"),
}


def _size(path: DataPath, keyword: str, limit: int, value: Any, schema: Any) -> DataFinding:
    one, many, empty = _SIZES[keyword[3:]]
    if keyword == "maxProperties" and "title" in schema:
        return DataFinding("schema", schema["title"], path, mark="head")
    if keyword.startswith("min") and limit == 1:
        message = empty
    else:
        message = Text(
            "expected at least {size}, found {count}"
            if keyword.startswith("min")
            else "expected at most {size}, found {count}",
            size=Text.plural(limit, one, many),
            count=len(value),
        )
    return DataFinding("schema-size", message, path, mark="value")


# --- Words -----------------------------------------------------------------------


def _hint(schema: object) -> str | None:
    """Return the hint that a schema has for people."""
    if not isinstance(schema, dict):
        return None
    hint = schema.get("title") or schema.get("description")
    return str(hint).rstrip(".") if hint else None


def _nearest(word: object, names: list[str]) -> str | None:
    if not isinstance(word, str):
        return None
    folded = {name.lower(): name for name in names}
    close = suggest(word.lower(), folded)
    return folded[close[0]] if close else None


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:37]}..."


def _shown_value(value: object) -> str:
    if value is None or isinstance(value, bool):
        return found(value)
    return str(value) if isinstance(value, str | int) else found(value)


def _listing(names: Iterable[str]) -> tuple[str, ...] | Text:
    every = tuple(names)
    rest = len(every) - _SHOWN
    if rest <= 0:
        return every
    return Text("{names} and {count} more", names=every[:_SHOWN], count=rest)

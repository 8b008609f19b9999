"""Check the data of a rule file against its JSON Schema (2020-12), with readable errors.

To bound the work on hostile files, no branches of a schema share a recursive part, ``uniqueItems``
compares by hash, and at most 1000 errors are examined.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altay_cli.base.findings import Finding, Text, any_of, with_ellipsis
from altay_cli.base.resources import data_folder
from altay_cli.base.suggest import suggest
from altay_cli.source import limits
from altay_cli.source.document import DataFinding, DataPath, Document, fault, first_of

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


def read_schemas(folder: Path) -> dict[str, Any]:
    """Read the schemas of a folder, by file name without ``.schema.json``.

    Each ``$ref`` is replaced by its target; keywords beside it take precedence. Raise KeyError for
    an unknown target.
    """
    schemas = {
        path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.schema.json"))
    }
    waiting: list[tuple[str, object]] = list(schemas.items())
    while waiting:
        name, part = waiting.pop()
        if isinstance(part, list):
            waiting += [(name, item) for item in part]
        elif isinstance(part, dict):
            # References within the target are resolved there.
            waiting += [(name, value) for value in part.values()]
            while isinstance(ref := part.pop("$ref", None), str):
                file, _, inner = ref.partition("#/")
                name = file.removesuffix(".schema.json") or name
                target = schemas[name]
                for step in inner.split("/") if inner else ():
                    target = target[step]
                for key, value in target.items():
                    if key == "$ref" or key[0] != "$":  # other keys with ``$`` concern the file
                        part.setdefault(key, value)
    return schemas


@lru_cache(maxsize=1)
def shipped_schemas() -> dict[str, Any]:
    """Return the schemas that ship with the program."""
    return read_schemas(data_folder("schemas"))


def schema_at(path: DataPath) -> Mapping[str, Any]:
    """Return the schema for a path, perhaps empty."""
    there: Mapping[str, Any] = shipped_schemas()["rules"]
    for key in path:
        named = there.get("properties", {}).get(key, there.get("additionalProperties"))
        entry = there.get("items") if isinstance(key, int) else named
        there = entry if isinstance(entry, dict) else {}
    return there


def errors(data: object, schema: Mapping[str, Any]) -> list[DataFinding]:
    """Return the errors of data by a schema, up to a limit."""
    from altay_cli.source.validator import RuleFileValidator  # slow to import

    every = RuleFileValidator(schema).iter_errors(data)
    return list(islice(chain.from_iterable(map(_findings, every)), limits.MAX_ERRORS))


def validate(
    document: Document,
    name: str,
    schemas: Mapping[str, Any] | None = None,
    right: Iterable[str] = (),
) -> list[Finding]:
    """Return all problems of a file, or of merged rules, by the schema ``name``, in order.

    The keys ``right`` are known to be correct. At most 200 problems are reported.
    """
    schema = (schemas or shipped_schemas())[name]
    known = {**schema.get("properties", {}), **dict.fromkeys(right, True)}
    faults = errors(document.data, {**schema, "properties": known})
    placed = (fault.placed(document) for fault in without_echoes(faults))
    problems = sorted(placed, key=lambda problem: problem.span)
    rest = len(problems) - limits.MAX_PROBLEMS
    message = Text(
        "there is 1 more problem in this file",
        "there are {count} more problems in this file",
        rest,
        count=f"at least {rest}" if len(faults) == limits.MAX_ERRORS else rest,
    )
    return first_of(problems, message)


def without_echoes(findings: list[DataFinding]) -> list[DataFinding]:
    """Drop findings that only repeat another.

    A value of a wrong type is also not an allowed one. If ``titel`` should be ``title``, then
    ``title`` is not missing.
    """
    wrong_type = {finding.path for finding in findings if finding.rule == "schema-type"}
    unknown = [finding for finding in findings if finding.rule == "schema-unknown-key"]
    holders = {finding.path[:-1] for finding in unknown}
    intended = {(finding.path[:-1], key) for finding in unknown for key in finding.keys}
    distinct: dict[object, DataFinding] = {}
    for finding in findings:
        of_key = finding.mark == "key"
        is_echo = (
            (finding.rule != "schema-type" and not of_key and finding.path in wrong_type)
            or (len(finding.keys) > 1 and finding.path in holders)
            or any((finding.path, key) in intended for key in finding.keys)
        )
        if not is_echo:
            distinct[(finding.path, "key") if of_key else finding] = finding
    return list(distinct.values())


# --------------------------------------------------------------- explanations of errors


_KINDS = {
    "object": "a mapping ('key: value' lines)",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def _findings(error: ValidationError) -> Iterator[DataFinding]:
    path = tuple(error.path)
    keyword = str(error.validator)
    wanted: Any = error.validator_value
    value: Any = error.instance
    schema: Any = error.schema
    if keyword == "const":
        keyword, wanted = "enum", [wanted]
    if list(error.schema_path)[-2:-1] == ["propertyNames"]:
        yield _bad_key((*path, value), keyword, wanted, schema)
    elif keyword == "type":
        yield _type(path, wanted, value)
    elif keyword == "enum":
        yield _enum(path, wanted, value)
    elif keyword == "additionalProperties":
        named = schema.get("properties", {})
        yield from (_unknown_key((*path, key), named, value) for key in value if key not in named)
    elif keyword == "required":
        yield from _missing(path, wanted, value, schema)
    elif keyword == "dependentRequired":
        for key, needed in wanted.items():
            template, at = "'{key}' needs the key '{other}' beside it", (*path, key)
            for other in [name for name in needed if key in value and name not in value]:
                needs = Text(template, key=_short(key), other=_short(other))
                yield fault("schema-missing-key", needs, at, mark="key", keys=(other,))
    elif keyword in {"anyOf", "oneOf"} and isinstance(value, dict):
        yield _choice(path, [part["required"] for part in wanted], value)
    elif keyword == "pattern":
        form = _hint(schema) or Text("its pattern is {pattern}", pattern=wanted)
        template = "'{text}' does not have the right form: {form}"
        yield _of_value("schema-pattern", template, path, text=_short(str(value)), form=form)
    elif keyword in _BOUNDS:
        yield _of_value("schema-range", _BOUNDS[keyword], path, limit=wanted, value=value)
    elif keyword[3:] in _SIZES:
        yield _size(path, keyword, wanted, value, schema)
    elif keyword == "uniqueItems":
        template = "item {number} of the list is the same as item {other}"
        number, other = int(path[-1]) + 1, int(error.message) + 1
        yield _of_value("schema-duplicate", template, path, number=number, other=other)
    else:
        message = _hint(schema) or Text(
            "{value} does not fit here ({keyword})", value=_in_words(value), keyword=keyword
        )
        yield fault("schema", message, path, mark="head")


_of_value = partial(fault, mark="value")


def _in_words(value: Any) -> str:
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
        keys = with_ellipsis([f"'{_short(key)}'" for key in value], 3)
        if len(value) == 1:
            return Text("a mapping with the key {key}", key=keys[0])
        return Text("a mapping with the keys {keys}", keys=keys)
    return Text("the number {value}", value=value)


# --- Single keywords -----------------------------------------------------------


def _type(path: DataPath, wanted: str | list[str], value: object) -> DataFinding:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    helps: list[str] = []
    if "string" in kinds and isinstance(value, int):
        text = f'"{str(value).lower()}"'
        helps.append(Text("put it in quotes if it is meant as text: {text}", text=text))
    template, found = "expected {wanted}, found {found}", _in_words(value)
    names = any_of([_KINDS.get(kind, kind) for kind in kinds])
    return _of_value("schema-type", template, path, *helps, wanted=names, found=found)


def _enum(path: DataPath, values: list[object], value: object) -> DataFinding:
    names = dict.fromkeys(str(v) if type(v) in {str, int} else _in_words(v) for v in values)
    wanted = Text("one of {names}", names=_listing(names)) if len(names) > 1 else next(iter(names))
    near = _nearest(value, [word for word in values if isinstance(word, str)])
    template = "expected {wanted}; found {found}"
    helps, found = _did_you_mean(near), _in_words(value)
    return _of_value("schema-enum", template, path, *helps, wanted=wanted, found=found)


def _unknown_key(path: DataPath, named: Iterable[str], holder: Iterable[str]) -> DataFinding:
    key, named = str(path[-1]), list(named)
    near = _nearest(key, [name for name in named if name not in holder])
    helps: tuple[str, ...] = _did_you_mean(near)
    if not near:
        allowed = Text("allowed here: {names}", names=_listing(named))
        helps = (allowed if named else "no keys are allowed here",)
    message = Text("unknown key '{key}'", key=_short(key))
    return fault("schema-unknown-key", message, path, *helps, mark="key", keys=tuple(near))


def _bad_key(path: DataPath, keyword: str, wanted: Any, schema: object) -> DataFinding:
    if keyword == "enum":
        return _unknown_key(path, wanted, ())
    form = _hint(schema) or f"it does not fit {keyword} {wanted}"
    template = "the key '{key}' does not have the right form: {form}"
    return fault("schema-pattern", template, path, mark="key", key=_short(str(path[-1])), form=form)


def _missing(path: DataPath, keys: list[str], value: Any, schema: Any) -> Iterator[DataFinding]:
    named = schema.get("properties", {})
    if schema.get("additionalProperties") is False and value and not value.keys() & named:
        return  # another kind of value was intended
    for key in (key for key in keys if key not in value):
        description = named.get(key, {}).get("description")
        helps = (f"{key}: {description.rstrip('.')}",) if description else ()
        message = Text("the key '{key}' is missing", key=_short(key))
        yield fault("schema-missing-key", message, path, *helps, mark="head", keys=(key,))


def _choice(path: DataPath, branches: list[list[str]], value: dict[str, object]) -> DataFinding:
    keys = tuple(dict.fromkeys(key for keys in branches for key in keys))
    given = [key for key in keys if key in value]
    if any(all(key in value for key in keys) for keys in branches):
        message = Text("only one of these keys can be given: {keys}", keys=_listing(given))
        return fault("schema", message, path, mark="head")
    needed = dict.fromkeys(" and ".join(keys) for keys in branches)
    message = Text("one of these is needed: {keys}", keys=_listing(needed))
    return fault("schema-missing-key", message, path, mark="head", keys=keys)


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
    singular, many, empty = _SIZES[keyword[3:]]
    if keyword == "maxProperties" and "title" in schema:
        return fault("schema", schema["title"], path, mark="head")
    if keyword.startswith("min") and limit == 1:
        return _of_value("schema-size", empty, path)
    template = "expected at most {size}, found {count}"
    if keyword.startswith("min"):
        template = "expected at least {size}, found {count}"
    size = Text.plural(limit, singular, many)
    return _of_value("schema-size", template, path, size=size, count=len(value))


def _hint(schema: object) -> str | None:
    if not isinstance(schema, dict):
        return None
    hint = schema.get("title") or schema.get("description")
    return str(hint).rstrip(".") if hint else None


def _nearest(word: object, names: list[str]) -> list[str]:
    folded = {name.lower(): name for name in names}
    return [folded[name] for name in suggest(word.lower(), folded)] if isinstance(word, str) else []


def _did_you_mean(near: list[str]) -> tuple[str, ...]:
    return tuple(Text("did you mean '{name}'?", name=_short(name)) for name in near)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:37]}..."


def _listing(names: Iterable[str]) -> tuple[str, ...] | Text:
    every = tuple(names)
    rest = len(every) - limits.MAX_NAMES
    more = Text("{names} and {count} more", names=every[: limits.MAX_NAMES], count=rest)
    return more if rest > 0 else every

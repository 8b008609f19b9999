"""What jsonschema found, in words for someone who does not know JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

from altay_cli.pack.schema_keywords import BY_KEY, NEEDED

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Path = tuple[str | int, ...]

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
"""How many allowed names a message lists."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that is wrong with a value, not yet at a place of a file.

    ``path`` leads to the value; ``mark`` says what of it to mark: the value,
    its key, or its head (its key, else its first line). ``topic`` is the key
    that is missing, or that an unknown key was probably meant to be. A weak
    remark may be the mere consequence of any other in the same mapping.
    """

    rule: str
    message: str
    path: Path
    mark: Literal["value", "key", "head"] = "value"
    help: tuple[str, ...] = ()
    topic: str | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class _Fault:
    """What jsonschema says of one error: which keyword, what it wants, of what.

    ``word`` is what ``schema_keywords`` puts into the message: a key, a number.
    """

    keyword: str
    wanted: Any
    value: Any
    schema: Any
    word: str
    path: Path


def remark(error: ValidationError) -> Remark:
    """Tell an error that jsonschema found, with the keywords of ``schema_keywords``."""
    fault = _Fault(
        error.validator if isinstance(error.validator, str) else "",  # "": the schema "false"
        error.validator_value,
        error.instance,
        error.schema,
        error.message,
        tuple(error.path),
    )
    if fault.word == BY_KEY:
        return _bad_key(fault)
    if not fault.keyword:
        return _forbidden(fault)
    teller = _TELLERS.get(fault.keyword)
    if teller is not None:
        return teller(fault)
    message = _hint(fault.schema) or f"{found(fault.value)} does not fit here ({fault.keyword})"
    return Remark("schema", message, fault.path, "head")


def found(value: Any) -> str:
    """Say what a value is, in a few words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {_quoted(value)}"
    if isinstance(value, list):
        return f"a list of {_count(len(value), 'item')}" if value else "an empty list"
    if isinstance(value, dict):
        return f"a mapping with {_names(value)}" if value else "an empty mapping"
    return f"the number {value}"


# --- Single keywords -----------------------------------------------------------


def _type(fault: _Fault) -> Remark:
    kinds = fault.wanted
    kinds = [kinds] if isinstance(kinds, str) else kinds
    wanted = _either(_KINDS.get(kind, kind) for kind in kinds)
    message = f"expected {wanted}, found {found(fault.value)}"
    helps: tuple[str, ...] = ()
    if "string" in kinds and isinstance(fault.value, int):
        text = str(fault.value).lower()
        helps = (f'put it in quotes if it is meant as text: "{text}"',)
    return Remark("schema-type", message, fault.path, help=helps)


def _enum(fault: _Fault) -> Remark:
    values = fault.wanted if fault.keyword == "enum" else [fault.wanted]
    names = list(dict.fromkeys(_plain(value) for value in values))
    wanted = f"one of {_listing(names)}" if len(names) > 1 else names[0] if names else "nothing"
    message = f"expected {wanted}; found {found(fault.value)}"
    near = _near(fault.value, [value for value in values if isinstance(value, str)])
    helps = (f"did you mean {_quoted(near)}?",) if near else ()
    return Remark("schema-enum", message, fault.path, help=helps)


def _unknown_key(fault: _Fault) -> Remark:
    schema = fault.schema if isinstance(fault.schema, dict) else {}
    named = list(schema.get("properties", ()))
    holder = fault.value if isinstance(fault.value, dict) else {}
    named += [f"keys of the form {form}" for form in schema.get("patternProperties", ())]
    return _stray(fault.path, named, holder)


def _unevaluated(fault: _Fault) -> Remark:
    named = list(fault.schema.get("properties", ())) if isinstance(fault.schema, dict) else []
    told = _stray(fault.path, named, fault.value)
    # Other keys may be allowed by a part of the schema that is not at hand.
    return replace(told, help=told.help if told.topic else (), weak=True)


def _stray(path: Path, named: list[str], holder: Iterable[str]) -> Remark:
    key = str(path[-1]) if path else ""
    near = _near(key, [name for name in named if name not in holder])
    if near is not None:
        helps = (f"did you mean {_quoted(near)}?",)
    elif named:
        helps = (f"allowed here: {_listing(named)}",)
    else:
        helps = ("no keys are allowed here",)
    return Remark("schema-unknown-key", f"unknown key {_quoted(key)}", path, "key", helps, near)


def _forbidden(fault: _Fault) -> Remark:
    if fault.path and isinstance(fault.path[-1], str):
        message = f"the key {_quoted(fault.path[-1])} is not allowed here"
        return Remark("schema-unknown-key", message, fault.path, "key")
    return Remark("schema", "nothing is allowed here", fault.path, "head")


def _missing(fault: _Fault) -> Remark:
    key = fault.word
    schema = fault.schema if isinstance(fault.schema, dict) else {}
    told = _hint(schema.get("properties", {}).get(key))
    helps = (f"{key}: {told}",) if told else ()
    return Remark(
        "schema-missing-key", f"the key {_quoted(key)} is missing", fault.path, "head", helps, key
    )


def _dependent(fault: _Fault) -> Remark:
    message = f"{_quoted(str(fault.path[-1]))} needs the key {_quoted(fault.word)} beside it"
    return Remark("schema-missing-key", message, fault.path, "key", (), fault.word)


def _bad_key(fault: _Fault) -> Remark:
    key = str(fault.path[-1]) if fault.path else ""
    if fault.keyword in {"enum", "const"}:
        one = fault.keyword == "const"
        names = [fault.wanted] if one else list(fault.wanted)
        return _stray(fault.path, [name for name in names if isinstance(name, str)], ())
    if fault.keyword == "pattern":
        form = _hint(fault.schema) or f"its pattern is {fault.wanted}"
        message = f"the key {_quoted(key)} does not have the right form: {form}"
        return Remark("schema-pattern", message, fault.path, "key")
    message = _hint(fault.schema) or f"the key {_quoted(key)} is not allowed here"
    return Remark("schema-unknown-key", message, fault.path, "key")


def _pattern(fault: _Fault) -> Remark:
    form = _hint(fault.schema) or f"its pattern is {fault.wanted}"
    message = f"{_quoted(str(fault.value))} does not have the right form: {form}"
    return Remark("schema-pattern", message, fault.path)


_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
}


def _range(fault: _Fault) -> Remark:
    bound = _BOUNDS[fault.keyword]
    message = f"the number must be {bound} {fault.wanted}; found {fault.value}"
    return Remark("schema-range", message, fault.path)


def _size(fault: _Fault) -> Remark:
    keyword, limit, value = fault.keyword, fault.wanted, fault.value
    word = {"Items": "item", "Length": "character", "Properties": "key"}[keyword[3:]]
    if keyword.startswith("min") and limit == 1:
        thing = {"item": "the list", "character": "the text", "key": "the mapping"}[word]
        return Remark("schema-size", f"{thing} must not be empty", fault.path)
    bound = "at least" if keyword.startswith("min") else "at most"
    message = f"expected {bound} {_count(limit, word)}, found {len(value)}"
    return Remark("schema-size", message, fault.path)


def _items(fault: _Fault) -> Remark:
    limit = len(fault.schema.get("prefixItems", ()))
    message = f"expected at most {_count(limit, 'item')}, found {len(fault.value)}"
    return Remark("schema-size", message, fault.path)


def _contains(fault: _Fault) -> Remark:
    told = _hint(fault.schema.get("contains")) if isinstance(fault.schema, dict) else None
    item = f"'{told}'" if told else "of a certain kind"
    limit = fault.wanted
    wanted = {
        "minContains": f"at least {limit} items",
        "maxContains": f"at most {limit} items",
    }.get(fault.keyword, "an item")
    return Remark("schema", f"the list must hold {wanted} {item}", fault.path, "head")


def _duplicate(fault: _Fault) -> Remark:
    first = int(fault.word) + 1
    message = f"item {int(fault.path[-1]) + 1} of the list is the same as item {first}"
    return Remark("schema-duplicate", message, fault.path)


def _forms(fault: _Fault) -> Remark:
    if fault.word == NEEDED:
        names = fault.wanted
        if len(names) == 1:
            message = f"the key {_quoted(names[0])} is missing"
        else:
            message = f"one of these is needed: {_listing(names)}"
        return Remark("schema-missing-key", message, fault.path, "head")
    branches = fault.wanted if isinstance(fault.value, dict) else []
    keys = [key for part in branches if isinstance(part, dict) for key in part.get("required", ())]
    both = [key for key in dict.fromkeys(keys) if key in fault.value]
    if len(both) > 1:
        message = f"only one of these keys can be given: {_listing(both)}"
    else:
        message = f"{found(fault.value)} fits more than one of the forms allowed here"
    return Remark("schema", message, fault.path, "head")


def _not(fault: _Fault) -> Remark:
    message = _hint(fault.wanted) or _hint(fault.schema)
    return Remark(
        "schema", message or f"{found(fault.value)} is not allowed here", fault.path, "head"
    )


_TELLERS: dict[str, Callable[[_Fault], Remark]] = {
    "type": _type,
    "enum": _enum,
    "const": _enum,
    "additionalProperties": _unknown_key,
    "unevaluatedProperties": _unevaluated,
    "required": _missing,
    "dependentRequired": _dependent,
    "pattern": _pattern,
    **dict.fromkeys(_BOUNDS, _range),
    **dict.fromkeys(
        ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"),
        _size,
    ),
    "items": _items,
    **dict.fromkeys(("contains", "minContains", "maxContains"), _contains),
    "uniqueItems": _duplicate,
    "oneOf": _forms,
    "anyOf": _forms,
    "not": _not,
}


# --- Words -----------------------------------------------------------------------


def _hint(schema: Any) -> str | None:
    """Return what a schema says of itself to people."""
    if not isinstance(schema, dict):
        return None
    told = schema.get("x-hint") or schema.get("description")
    return str(told).rstrip(".") if told else None


def _near(word: Any, names: list[str]) -> str | None:
    # difflib takes time with the square of the length.
    if not isinstance(word, str) or len(word) > 100:
        return None
    folded = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), folded, 1)
    return folded[close[0]] if close else None


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"


def _plain(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return found(value)
    return str(value) if isinstance(value, str | int) else found(value)


def _listing(names: Iterable[str]) -> str:
    every = list(names)
    rest = len(every) - _SHOWN
    return ", ".join(every[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _names(keys: Iterable[str]) -> str:
    every = list(keys)
    shown = ", ".join(_quoted(key) for key in every[:3]) + (", ..." if len(every) > 3 else "")
    return f"the key{'s' if len(every) > 1 else ''} {shown}"


def _either(words: Iterable[str]) -> str:
    every = list(words)
    return every[0] if len(every) == 1 else ", ".join(every[:-1]) + " or " + every[-1]


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"

"""Pieces of generated Python."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from altay_cli.expressions.types import Type

_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NAME = re.compile(r"\w+")
_PART = re.compile(r"\.[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Code:
    """Python source of one value.

    ``text`` binds so tightly that it can stand anywhere in an expression. ``safe`` says that it
    raises nothing that && and || would have to absorb. ``literal`` marks a constant. ``short``
    says that the value, a text or list, is no longer than its expression.
    """

    type: Type
    text: str
    safe: bool = False
    literal: bool = False
    short: bool = False


def constant(value: bool | int | str | None) -> str:
    """Return the source of a constant; always ASCII."""
    text = ascii(value)
    return f"({text})" if text.startswith("-") else text


def type_source(kind: Type) -> str:
    """Return the source that makes a type."""
    if not kind.args:
        return f"_T({kind.name!r})"
    return f"_T({kind.name!r}, ({''.join(type_source(arg) + ', ' for arg in kind.args)}))"


@lru_cache(maxsize=4096)
def _is_atom(text: str) -> bool:
    """Tell whether source is a name, constant or bracket, followed by calls, indexes and parts."""
    plain = _STRING.sub("_", text)
    beginning = _NAME.match(plain)
    at = beginning.end() if beginning is not None else 0
    if beginning is None and plain[:1] not in "([{":
        return False
    while at < len(plain):
        if plain[at] in "([{":
            depth = 0
            while at < len(plain):
                depth += (plain[at] in "([{") - (plain[at] in ")]}")
                at += 1
                if depth == 0:
                    break
            continue
        part = _PART.match(plain, at)
        if part is None:
            return False
        at = part.end()
    return bool(plain)


@lru_cache(maxsize=4096)
def _makes_atom(template: str) -> bool:
    return _is_atom(template.format(*["a"] * 10))


def tight(text: str) -> str:
    """Return the engine's source of a value, in parentheses if it needs them."""
    return text if _is_atom(text) else f"({text})"


def fill(template: str, *arguments: str) -> str:
    """Fill a template of the engine, in parentheses where it needs them."""
    text = template.format(*arguments)
    return text if _makes_atom(template) else f"({text})"


def nesting(text: str) -> int:
    """Return the nesting depth of the brackets in generated source."""
    depth = deepest = 0
    for sign in re.findall(r"[(\[{]|[)\]}]", _STRING.sub("", text)):
        depth += 1 if sign in "([{" else -1
        deepest = max(deepest, depth)
    return deepest

"""Pieces of generated Python."""

from __future__ import annotations

from dataclasses import dataclass

from altay_cli.expressions.types import Type


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
    return f"({text})" if isinstance(value, int) and value < 0 else text


def type_source(kind: Type) -> str:
    """Return the source that makes a type."""
    if not kind.args:
        return f"_T({kind.name!r})"
    return f"_T({kind.name!r}, ({''.join(type_source(arg) + ', ' for arg in kind.args)}))"

"""What the program says: English sentences that know what went into them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self, TypeGuard


class Text(str):
    """An English text with what stands in its places: a message, or a part of one.

    It is the English sentence; other languages make theirs of ``template`` and ``values`` (see
    :mod:`altay_cli.base.translations`). Values are texts themselves where they are the program's
    words, tuples where several stand in a row, and else as they are shown.

    >>> Text("there is no {kind} `{name}`", kind="card", name="Huntr")
    'there is no card `Huntr`'
    """

    __slots__ = ("many", "number", "template", "values")

    template: str
    many: str
    """The template for another number than one; empty where the text is of no number."""
    number: int
    values: dict[str, str | tuple[str, ...]]

    def __new__(cls, template: str, many: str = "", number: int = 1, /, **values: Any) -> Self:
        """Put the values in the places of the template, which stand in braces."""
        shown: dict[str, str] = {}
        for name, value in values.items():
            if type(value) is tuple:
                kept = values[name] = tuple(map(str, value))
                shown[name] = ", ".join(kept)
            else:
                shown[name] = values[name] = str(value)
        used = many if many and number != 1 else template
        self = str.__new__(cls, used.format_map(shown))
        self.template, self.many, self.number = template, many, number
        self.values = values
        return self

    @classmethod
    def plural(cls, count: int, one: str, many: str, **values: object) -> Self:
        """Return the text for a count, which is the value ``count`` of both templates."""
        return cls(one, many, count, count=f"{count:,}", **values)

    def __str__(self) -> str:
        """Return it unchanged: what is made a string, as messages of exceptions are, stays data."""
        return self

    def __getnewargs_ex__(
        self,
    ) -> tuple[tuple[str, str, int], dict[str, str | tuple[str, ...]]]:
        return (self.template, self.many, self.number), self.values


def either(parts: Iterable[object]) -> str:
    """Return "a or b or c"; an empty text if there is nothing."""
    first, *others = map(str, parts)
    return Text("{first} or {last}", first=first, last=either(others)) if others else first


def any_of(parts: Sequence[str]) -> str:
    """Return "a, b or c" of at least one part."""
    *first, last = parts
    return Text("{first} or {last}", first=tuple(first), last=last) if first else last


def in_a_row(parts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the first ``most`` parts, and "..." for others."""
    return (*parts[:most], "...") if len(parts) > most else tuple(parts)


def in_turn(parts: Iterable[str]) -> str:
    """Return "a; b; c"; an empty text if there is nothing."""
    shown = ""
    for part in reversed([*parts]):
        shown = Text("{first}; {rest}", first=part, rest=shown) if shown else part
    return shown


def there_is_no(kind: str, name: str) -> Text:
    """Say that nothing of a kind has a name: of the kinds of parts of rules, or of a game."""
    if kind in _PARTS:
        return Text(f"there is no {kind} `{{name}}`", name=name)
    return Text("there is no {kind} `{name}`", kind=kind, name=name)


_PARTS = frozenset({
    "decision", "field", "frame", "kind", "language", "move", "player", "procedure", "rule",
    "ruling", "slot", "type", "value", "zone",
})  # fmt: skip
"""What other languages say in words of their own."""


def made_of(text: str, *templates: str) -> TypeGuard[Text]:
    """Return whether a text is made of one of some templates."""
    return isinstance(text, Text) and text.template in templates


def as_data(text: object) -> object:
    """Return a text as what JSON can hold; :func:`from_data` makes it again."""
    if isinstance(text, Text):
        templates = [text.template, text.many, text.number]
        return {"templates": templates, "values": as_data(text.values)}
    if isinstance(text, dict):
        return {name: as_data(value) for name, value in text.items()}
    return list(map(as_data, text)) if isinstance(text, tuple) else text


def from_data(data: Any) -> Any:
    """Return the text, or the value in one, that :func:`as_data` gave."""
    if isinstance(data, dict):
        return Text(*data["templates"], **{k: from_data(v) for k, v in data["values"].items()})
    return tuple(map(from_data, data)) if isinstance(data, list) else data

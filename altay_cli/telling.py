"""Texts of the program's own, which know how they came about, so that they can be told otherwise.

A text is made in English, of a template and values. A report that is in another language looks the
template up in the catalogue of that language.
"""

from __future__ import annotations


class Told(str):
    """A text that knows its template and the values in it."""

    __slots__ = ("template", "values")
    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> Told:
        """Make the English text."""
        text = super().__new__(cls, template.format(**values))
        text.template = template
        text.values = values
        return text

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Be kept as plain text."""
        return str, (str(self),)


__all__ = ["Told"]

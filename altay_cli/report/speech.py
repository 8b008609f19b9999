"""The words of reports, in the language of who reads them.

A command speaks one language; like the width of the terminal (``lay_out_for``), it is set once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from altay_cli.base import translations
from altay_cli.base.translations import ENGLISH

_spoken: list[str] = [ENGLISH]


def language() -> str:
    """Return the language of reports."""
    return _spoken[-1]


def speak(chosen: str) -> None:
    """Set the language of all reports from now on."""
    _spoken[-1] = chosen


@contextmanager
def speaking(chosen: str) -> Iterator[None]:
    """Speak another language for a while: what programs read is English."""
    _spoken.append(chosen)
    try:
        yield
    finally:
        _spoken.pop()


def phrase(english: str, /, **values: object) -> str:
    """Return one of the phrases of reports, with what goes in its places."""
    return translations.phrase(language(), english, **values)


def counted(one: str, many: str, count: int) -> str:
    """Return a count with its noun, singular or plural: both with a place ``{count}``."""
    return translations.counted(language(), one, many, count)


def listed(parts: Iterable[str]) -> str:
    """Return parts in a row, as the language separates them."""
    return translations.listed(language(), parts)


def translated(text: str) -> str:
    """Return a text of the program, or unchanged if it has no translation."""
    return translations.translated(language(), text)

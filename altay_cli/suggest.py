"""Suggestions for names that do not exist."""

from __future__ import annotations

from collections.abc import Iterable

MAX_NAME = 60
"""The number of characters of a name that are compared: time grows with its square."""


def suggest(name: str, known: Iterable[str], *, most: int = 1, likeness: float = 0.6) -> list[str]:
    """Return the known names that are spelled most like ``name``, ``most`` of them; often none.

    Those that differ in case and white space only come first. ``likeness`` is from 0 to 1.
    """
    # Imported only when a name is wrong, to keep startup fast.
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    folded = _folded(name[:MAX_NAME])
    alike = [other for other in names if _folded(other) == folded]
    return (alike or get_close_matches(name[:MAX_NAME], names, most, likeness))[:most]


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())

"""How written names are compared."""

from __future__ import annotations

from collections.abc import Iterable


def normal(text: str) -> str:
    """Return a name as it is compared: without regard to case and white space."""
    return " ".join(text.casefold().split())


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return the known name that was perhaps meant, in a list: one that differs in case first."""
    from difflib import get_close_matches

    names = list(known)
    alike = [other for other in names if normal(other) == normal(name)]
    return alike[:1] or get_close_matches(name, names, 1)

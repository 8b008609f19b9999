"""How written names are compared."""

from __future__ import annotations


def normal(text: str) -> str:
    """Return a name as it is compared: without regard to case and white space."""
    return " ".join(text.casefold().split())

"""The words of score sheets and findings, by language: ``languages/*.json``.

What the rules say, and the names of things, come from the pack; these are the program's own.
"""

from __future__ import annotations

from altay_cli.telling import ENGLISH, catalogue


def word(language: str, key: str, **values: object) -> str:
    """Return one of the program's phrases in a language, English where it is not known."""
    found = catalogue(language).words.get(key) or catalogue(ENGLISH).words[key]
    return found.format(**values)


def counted(language: str, key: str, count: int) -> str:
    """Return a count with its noun: the phrase for one where there is one, else that for many."""
    return word(language, f"{key}-one" if count == 1 else f"{key}-many", count=f"{count:,}")

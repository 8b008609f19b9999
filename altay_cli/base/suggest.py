"""Compare names: which look alike, and which one a misspelled name may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar
from unicodedata import category, normalize

from altay_cli.base import on_demand

_Value = TypeVar("_Value")

MAX_NAME = 60
"""Characters compared; the time grows with its square."""

MAX_SLIPS = 3
INVISIBLE = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Invisible, but printable for Python: `Default_Ignorable` in Unicode, and the empty Braille
pattern.
"""


def look(name: str) -> str:
    r"""Return a form that is equal for names that look alike.

    Invisible characters, letter forms, case and white space make no difference.

    >>> look("An\u200bn") == look("ann")
    True
    """
    seen = (
        char for char in normalize("NFKC", name) if char not in INVISIBLE and category(char) != "Cf"
    )
    return " ".join("".join(seen).casefold().split())


def normal(name: str) -> str:
    """Return a name without regard to case and white space.

    >>> normal("  Ann  LEE ")
    'ann lee'
    """
    return " ".join(name.casefold().split())


_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u2032\u00b4`", "'"))
_ACCENTS = re.compile("[\u0300-\u036f]")


def typed(name: str) -> str:
    r"""Return a name as any keyboard types it: without accents, width and curly apostrophes.

    >>> typed("Zo\u00eb O\u2019Neil")
    "zoe o'neil"
    """
    plain = normalize("NFKC", _ACCENTS.sub("", normalize("NFD", name.translate(_APOSTROPHES))))
    return normal(plain)


def find_name(name: str, known: Mapping[str, _Value]) -> _Value | None:
    r"""Return the value of an equal name, else of the only one typed alike.

    The keys of ``known`` are as returned by ``normal``.

    >>> find_name("Zoe", {"zo\u00eb": 1, "ann": 2})
    1
    """
    found = known.get(normal(name))
    if found is not None:
        return found
    wanted = typed(name)
    matches = [value for other, value in known.items() if typed(other) == wanted]
    return matches[0] if len(matches) == 1 else None


def suggest(name: str, known: Iterable[str], *, most: int = 1, likeness: float = 0.6) -> list[str]:
    """Return at most ``most`` known names that are spelled like ``name``; often none.

    Names that differ only in case and white space come first. ``likeness`` is from 0 to 1. More
    than one mistake in three letters is too many.

    >>> suggest("Shep", ["Goat", "Sheep"])
    ['Sheep']
    """
    names = list(dict.fromkeys(known))
    short = name[:MAX_NAME]
    folded = normal(short)
    same = [other for other in names if normal(other) == folded]
    if same:
        return same[:most]
    near = on_demand.difflib.get_close_matches(short, names, most, likeness)
    return [other for other in near if _is_slip(folded, normal(other[:MAX_NAME]))]


def _is_slip(name: str, other: str) -> bool:
    if min(len(name), len(other)) >= 4 and (other.startswith(name) or name.startswith(other)):
        return True
    return slips(name, other) <= min(max(len(name), len(other)) // 3, MAX_SLIPS)


def slips(name: str, other: str) -> int:
    """Return how many letters are wrong, missing, superfluous or swapped with the next.

    >>> slips("sheep", "shepe"), slips("sheep", "shpes")
    (1, 2)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for number, letter in enumerate(name):
        earlier, before, row = before, row, [number + 1]
        for place, wanted in enumerate(other):
            least = min(before[place] + (letter != wanted), before[place + 1] + 1, row[place] + 1)
            swapped = number and place and letter == other[place - 1] and name[number - 1] == wanted
            row.append(min(least, earlier[place - 1] + 1) if swapped else least)
    return row[-1]

"""How names are compared: which look alike, and what may have been meant by one nobody has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar
from unicodedata import category, normalize

_Value = TypeVar("_Value")

MAX_NAME = 60
"""The number of characters of a name that are compared: time grows with its square."""

MAX_SLIPS = 3
"""The number of slips in a name that may still be a typing mistake."""


INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Characters that Python takes for printable, and of which nothing is seen (`Default_Ignorable` in
Unicode, and the empty pattern of Braille)."""


def look(name: str) -> str:
    """Return what two names share that look alike: nothing invisible, and one form of each letter.

    Names that differ only in case or white space look alike as well.
    """
    seen = (char for char in INVISIBLE.sub("", normalize("NFKC", name)) if category(char) != "Cf")
    return " ".join("".join(seen).casefold().split())


def normal(name: str) -> str:
    """Return a name as it is compared: without regard to case and white space."""
    return " ".join(name.casefold().split())


_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u2032\u00b4`", "'"))
_ACCENTS = re.compile("[\u0300-\u036f]")


def typed(name: str) -> str:
    """Return a name as any keyboard types it: without accents, width and slanted apostrophes.

    >>> typed("Zo\u00eb O\u2019Neil")
    "zoe o'neil"
    """
    plain = normalize("NFKC", _ACCENTS.sub("", normalize("NFD", name.translate(_APOSTROPHES))))
    return normal(plain)


def find_name(name: str, known: Mapping[str, _Value]) -> _Value | None:
    """Return the value of a name: of the same name, else of the only one that is typed like it.

    ``known`` has names as ``normal`` gives them.
    """
    found = known.get(normal(name))
    if found is not None:
        return found
    wanted = typed(name)
    alike = [value for other, value in known.items() if typed(other) == wanted]
    return alike[0] if len(alike) == 1 else None


def suggest(name: str, known: Iterable[str], *, most: int = 1, likeness: float = 0.6) -> list[str]:
    """Return the known names that are spelled most like ``name``, ``most`` of them; often none.

    Those that differ in case and white space only come first. ``likeness`` is from 0 to 1. What is
    more than a slip in every three letters away is another word, however many letters it shares.
    """
    # Imported only when a name is wrong, to keep startup fast.
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    short = name[:MAX_NAME]
    folded = normal(short)
    alike = [other for other in names if normal(other) == folded]
    if alike:
        return alike[:most]
    near = get_close_matches(short, names, most, likeness)
    return [other for other in near if _is_slip(folded, normal(other[:MAX_NAME]))]


def _is_slip(name: str, other: str) -> bool:
    """Return whether one name can be the other, mistyped or with words left out."""
    if min(len(name), len(other)) >= 4 and (other.startswith(name) or name.startswith(other)):
        return True
    return slips(name, other) <= min(max(len(name), len(other)) // 3, MAX_SLIPS)


def slips(name: str, other: str) -> int:
    """Return how many letters are wrong, missing, too many or swapped with the next one."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for number, letter in enumerate(name):
        earlier, before, row = before, row, [number + 1]
        for place, wanted in enumerate(other):
            least = min(before[place] + (letter != wanted), before[place + 1] + 1, row[place] + 1)
            swapped = number and place and letter == other[place - 1] and name[number - 1] == wanted
            row.append(min(least, earlier[place - 1] + 1) if swapped else least)
    return row[-1]

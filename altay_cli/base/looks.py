"""What a text looks like: characters that nobody sees, and names that look alike."""

from __future__ import annotations

import re
from unicodedata import category, normalize

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

"""Texts in quotes, and what else is said of the tokens of AGN (:mod:`altay_cli.notation.agn`)."""

from __future__ import annotations

import re

from altay_cli.notation.agn import QUOTES

PLAIN_QUOTE = '"'
"""The quote of canonical text."""

OTHER_QUOTES = QUOTES.replace(PLAIN_QUOTE, "")
"""The quotes that are as good."""

GAME_TAG = re.compile(r"(?mi)(?:^|\r)[ \t\ufeff]*\[[ \t]*game\b")
"""The beginning of a line that is, or was meant as, the tag `Game`."""


def unescape(inner: str) -> str:
    r"""Return what a quoted text says: ``\"`` and ``\\`` resolved, as in PGN."""
    return re.sub(r'\\(["\\])', r"\1", inner) if "\\" in inner else inner


def quote(text: str) -> str:
    """Return a text in quotes, as :func:`unescape` reads it."""
    escaped = text.replace("\\", "\\\\").replace(PLAIN_QUOTE, "\\" + PLAIN_QUOTE)
    return f"{PLAIN_QUOTE}{escaped}{PLAIN_QUOTE}"


def control_character(character: str) -> str:
    """Say that a control character must not be there."""
    return f"a control character, U+{ord(character):04X}"

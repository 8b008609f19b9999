"""Quoting, and other helpers for the tokens of AGN (:mod:`altay_cli.notation.agn`)."""

from __future__ import annotations

import re

from altay_cli.notation.agn import QUOTES

PLAIN_QUOTE = '"'
"""The quote of canonical text."""

OTHER_QUOTES = QUOTES.replace(PLAIN_QUOTE, "")
"""Typographic quotes, which are accepted as well."""

GAME_TAG = re.compile(r"(?mi)(?:^|\r)[ \t\ufeff]*\[[ \t]*game\b")
"""The beginning of a line that is, or was meant to be, the tag `Game`."""


def unescape(inner: str) -> str:
    r"""Return the content of a quoted text: ``\"`` and ``\\`` resolved, as in PGN."""
    return re.sub(r'\\(["\\])', r"\1", inner) if "\\" in inner else inner


def quote(text: str) -> str:
    """Return a text in quotes, as :func:`unescape` reads it."""
    escaped = text.replace("\\", "\\\\").replace(PLAIN_QUOTE, "\\" + PLAIN_QUOTE)
    return f"{PLAIN_QUOTE}{escaped}{PLAIN_QUOTE}"


def control_character(character: str) -> str:
    """Return the message for a control character, which is not allowed."""
    return f"a control character, U+{ord(character):04X}"

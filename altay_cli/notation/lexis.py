"""The characters that cut a text into lines and parts, and quoting.

Only this is known of AGN outside of ``grammar/agn.lark``, which says the same of whole files;
a test holds the two together.
"""

from __future__ import annotations

import re

from altay_cli.base.text import Text

BLANKS = (
    "\t \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028"
    "\u2029\u202f\u205f\u3000\ufeff"
)
"""White space within a line."""

# As canonical text has them.
OPEN = "["
CLOSE = "]"
COMMA = ","
COLON = ":"
ARROW = "=>"
PLAIN_QUOTE = '"'

OTHER_QUOTES = "“”„‟＂"
"""Typographic quotes, which are accepted as well."""

COMMAS = (",", "，")
"""The commas."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""A control character, which is allowed nowhere."""

HEADING_LINE = (
    rf"[{BLANKS}]*+(?:\[|(?ai:turn)[{BLANKS}]++[0-9]"
    rf"|(?ai:setup|position|result)[{BLANKS}]*+(?:[\n#;＃；]|\Z))"
)
"""What a line begins with that a comma behind the line before does not take in. As text: it is
hardly ever asked for."""

BREAK = re.compile(
    rf'(?P<text>[{OTHER_QUOTES}](?:\\[^\n]|[^\n"\\{OTHER_QUOTES}])*+["{OTHER_QUOTES}]'
    r'|"(?:\\[^\n]|[^\n"\\])*+")'
    rf'|(?P<unclosed>["{OTHER_QUOTES}])'
    rf"|(?P<end>[;；][{BLANKS};；]*+)"
    r"|(?P<comment>[#＃])"
)
"""What matters for cutting a line into statements. Behind an unclosed quote nothing does."""

SIGN = re.compile(rf'["{OTHER_QUOTES};；#＃]')
"""The first character of a BREAK."""

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
    return Text("a control character, {code}", code=f"U+{ord(character):04X}")

"""The characters and tokens of AGN.

``grammar/agn.lark`` defines them. The same stands here for the reader, which
goes over well-formed text without Lark; the tests hold the two together.
"""

from __future__ import annotations

import re

BLANKS = " \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
BLANKS += "\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space within a line; a stray byte order mark is as good as none."""

# A full-width colon, semicolon, comma or number sign is as good as the plain
# one: that is what a Japanese or Chinese keyboard gives. So are the quotes that
# phones and word processors make of plain ones; a text in plain quotes may hold them.
CURLY = "“”„‟＂"
_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_BLANK = f"[{BLANKS}]"
_WORD = rf'[^{BLANKS}\n{_CONTROLS},，;；:：#＃"{CURLY}()\[\]?=]'
_INNER = rf'\n{_CONTROLS};；:：#＃"{CURLY}()\[\]='
_QUALIFIER = rf"\({_BLANK}*+[^{BLANKS}{_INNER}][^{_INNER}]*+\)"
_ESCAPED = rf"\\[^\n{_CONTROLS}]"
_PLAIN = rf'"(?:[^"\\\n{_CONTROLS}]|{_ESCAPED})*+"'
_TEXT = rf'(?:{_PLAIN}|[{CURLY}](?:[^{CURLY}"\\\n{_CONTROLS}]|{_ESCAPED})*+[{CURLY}"])'

CONTROL = re.compile(f"[{_CONTROLS}]")
"""A control character other than a tab or a line end."""

TOKEN = re.compile(
    rf"""(?P<number>-?[0-9]++(?!{_WORD}))
    |(?P<word>{_WORD}++)
    |(?P<comma>[,，](?:{_BLANK}*+(?:[#＃][^\n]*+)?\n)*+)
    |(?P<text>{_TEXT})
    |(?P<qualifier>{_QUALIFIER})
    |(?P<hidden>\?)
    |(?P<arrow>=>)
    |(?P<colon>[:：])
    |(?P<stray>[^{BLANKS}])
    """,
    re.VERBOSE,
)
"""A token of a statement; ``lastgroup`` is its kind, "stray" for what is none."""

TAG = re.compile(
    rf"\[{_BLANK}*+(?P<name>{_WORD}++){_BLANK}*+(?P<value>{_TEXT}){_BLANK}*+\]",
)
"""A whole tag pair."""

GAME_TAG = re.compile(r"(?mi)(?:^|\r)[ \t\ufeff]*\[[ \t]*game\b")
"""The beginning of a line that is, or was meant as, the tag `Game`."""

BREAK = re.compile(
    rf"""(?P<text>"(?:[^"\\]++|\\.?)*+(?P<closed>")?
        |[{CURLY}](?:[^{CURLY}"\\]++|\\.?)*+(?P<curly>[{CURLY}"])?)
    |(?P<end>[;；][;；{BLANKS}]*+)
    |(?P<comment>[#＃])
    """,
    re.VERBOSE | re.DOTALL,
)
"""What matters for cutting a line into statements."""

SIGN = re.compile(f'["{CURLY}#＃;；]')
"""The first character of a BREAK."""

COMMENT_SIGNS = ("#", "＃")
COMMAS = (",", "，")

HEADING_LINE = re.compile(
    rf"""\[
    |(?ai:turn){_BLANK}++[0-9]
    |(?ai:setup|position|result){_BLANK}*+(?:[;；\#＃]|\Z)
    """,
    re.VERBOSE,
)
"""The beginning of a line that a trailing comma does not take in.

Such a comma is a slip, and the tag or heading behind it must not drown in the
statement.
"""


def unescape(inner: str) -> str:
    r"""Return what a quoted text says: ``\"`` and ``\\`` resolved, as in PGN."""
    return re.sub(r'\\(["\\])', r"\1", inner) if "\\" in inner else inner


def quote(text: str) -> str:
    """Return a text in quotes, as :func:`unescape` reads it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def control_character(character: str) -> str:
    """Say that a control character must not be there."""
    return f"a control character, U+{ord(character):04X}"

"""The values of integer and string literals."""

from __future__ import annotations

import re
from typing import NoReturn

from altay_cli.base.errors import ExpressionError
from altay_cli.base.text import Text
from altay_cli.expressions.types import INT_MAX

_ESCAPE = re.compile(
    r"\\(?:([\\?\"'`abfnrtv])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})"
    r"|([0-3][0-7]{2})|([\s\S]))"
)
_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}


def int_magnitude(text: str) -> int:
    """Return the value of an integer literal, cut off just above what a literal may be.

    The cut keeps a literal of ten thousand digits from costing anything (and Python from
    refusing it).
    """
    too_big = INT_MAX + 2
    if text.startswith("0x"):
        digits = text[2:].lstrip("0")
        return too_big if len(digits) > 16 else min(int(digits or "0", 16), too_big)
    digits = text.lstrip("0")
    return too_big if len(digits) > 19 else min(int(digits or "0"), too_big)


def string_value(text: str, start: int) -> str:
    """Return the value of a string literal, written as ``text`` at the offset ``start``.

    Raises:
        ExpressionError: for an escape that CEL does not have or that is not a code point.

    """
    raw = text[0] in "rR"
    body_start = 1 if raw else 0
    quotes = 3 if text[body_start : body_start + 3] in ('"""', "'''") else 1
    body_start += quotes
    body = text[body_start : len(text) - quotes]
    if "\r" in body:
        at = start + body_start + body.index("\r")
        raise ExpressionError(
            "unsupported",
            "a bare carriage return in a string: CEL implementations disagree whether it stays;"
            " write \\r or \\n",
            at,
            at + 1,
        )
    if raw or "\\" not in body:
        return body
    offset = start + body_start
    return _ESCAPE.sub(lambda escape: _unescape(escape, offset), body)


def _unescape(escape: re.Match[str], offset: int) -> str:
    simple, byte, short, long, octal, _other = escape.groups()
    if simple:
        return _SIMPLE.get(simple, simple)
    if octal:
        return chr(int(octal, 8))
    digits = byte or short or long
    if not digits:
        _bad_escape(escape, offset, "write \\\\ for a backslash, or begin the string with r")
    point = int(digits, 16)
    if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        _bad_escape(escape, offset, "that is not a Unicode character")
    return chr(point)


def _bad_escape(escape: re.Match[str], offset: int, why: str) -> NoReturn:
    raise ExpressionError(
        "syntax",
        Text("the string has the unknown escape {text}: {reason}", text=escape[0], reason=why),
        offset + escape.start(),
        offset + escape.end(),
    )

"""Explains what is wrong with a text that does not fit the grammar."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import suppress

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from altay_cli.base.findings import ReadError
from altay_cli.base.text import Text, any_of
from altay_cli.notation.lexis import CONTROL, control_character
from altay_cli.notation.parser import parser

_SHOWN = 30  # characters of the text that a message quotes

_END = "the end of the statement"
# In the order in which a message names them.
_WORDS = {
    "WORD": "a name",
    "TEXT": "a quoted text",
    "NUMBER": "a number",
    "HIDDEN": "`?`",
    "COMMA": "`,`",
    "QUALIFIER": "brackets",
    "COLON": "`:`",
    "ARROW": "`=>`",
    "_OPEN": "`[`",
    "_CLOSE": "`]`",
    "SECTION": "`setup`, `position`, `result`",
    "TURN": "`turn`",
    "$END": _END,
}
_TAG = Text("a tag pair has a line to itself: `{tag}`", tag='[Name "value"]')
_HELP = {
    "=": "`=>` goes before what chance decided",
    "(": Text(
        "brackets follow a name, are closed on the same line and are not empty: `{name}`",
        name="name(2)",
    ),
    ")": Text("brackets follow a name: `{name}`", name="name(2)"),
    "[": _TAG,
    "]": _TAG,
}


def diagnose(text: str, start: str) -> ReadError | None:
    """Return what is wrong with a text that should be a ``start``; None if nothing is."""
    try:
        parser().parse(text, start=start)
    except UnexpectedInput as error:
        place, length = len(text), 0
        if isinstance(error, UnexpectedCharacters):
            place, length = error.pos_in_stream or 0, 1
        elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
            place = error.token.start_pos or 0
            length = 1 if error.token.type == "COMMA" else len(error.token)
        return _error(text, start, place, length)
    return None


def _expected(text: str, start: str, place: int) -> Set[str]:
    """Return the terminals that could stand where a text does not fit.

    The error itself names those that may follow on what the parser had already
    reduced the text to, when it met the token there: some are missing.
    """
    ahead = parser().parse_interactive(text, start=start)
    with suppress(UnexpectedInput):
        tokens: Iterator[Token] = ahead.lexer_thread.lex(ahead.parser_state)  # type: ignore[no-untyped-call]
        for token in tokens:
            if (token.start_pos or 0) >= place:
                break
            ahead.feed_token(token)
    accepted: Set[str] = ahead.accepts()  # type: ignore[no-untyped-call]
    return accepted


def malformed(text: str, start: str) -> ReadError:
    """Report that a text is not a ``start``, without explaining why."""
    rule, name = ("bad-tag", "tag pair") if start == "tag" else ("syntax", start)
    return ReadError(rule, f"malformed {name}", 0, len(text))


def _error(text: str, start: str, place: int, length: int) -> ReadError:
    """Say what is wrong at ``place``; of what is wrong at its end, ``length`` is 0."""
    rule = malformed(text, start).rule
    control = CONTROL.search(text)
    if control is not None:
        return ReadError(rule, control_character(control[0]), *control.span())
    wrong = text[place : place + length]
    if len(wrong) > _SHOWN:
        wrong = wrong[:_SHOWN] + "…"
    shown = f"`{wrong}`" if wrong else _END
    message = Text(
        "expected {expected}, not {found}",
        expected=_listed(_expected(text, start, place)),
        found=shown,
    )
    advice = _HELP.get(wrong[:1])
    return ReadError(rule, message, place, place + length, (advice,) if advice else ())


def _listed(expected: Set[str]) -> str:
    """Return "a name, a number or `,`" for the names of terminals."""
    names = {"$END" if name == "_END" else name for name in expected}
    if {"WORD", "TEXT"} <= names:
        names -= {"TEXT"}
    words = [word for name, word in _WORDS.items() if name in names]
    return any_of(words or ["something else"])

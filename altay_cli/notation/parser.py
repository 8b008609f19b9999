"""The text of one statement to its phrase, at speed.

What is well-formed never meets Lark: loading it and building its tables takes
longer than checking a whole game. What is not well-formed is left to
:mod:`altay_cli.notation.grammar`, which can say why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from altay_cli.notation.agn import COMMA, HEADING, LETTERS, NAMES, SECTION, STATEMENT, TOKEN, TURN
from altay_cli.notation.lexis import unescape
from altay_cli.notation.tree import Item, Kind, Phrase, SectionKind
from altay_cli.records import maker

MAX_DIGITS = 9
"""The maximum number of digits, so that every number fits into 32 bits."""

_MEMO_TEXT = 120  # a longer statement hardly ever comes again
_MEMO_SIZE = 4096

_KINDS = {kind.value: kind for kind in Kind}
_NUMBER = LETTERS["number"]
_TURN = LETTERS["turn"]

_item = maker(Item)
_NOTHING = Phrase((), (), None)


class Parsed(NamedTuple):
    """The result of parsing a statement's text.

    ``section`` is the kind of section that it is the heading of, or None.
    ``sound`` says that nothing is wrong. Where something is, ``phrase`` is
    empty, except that of a heading it holds the items up to there; and
    ``too_large`` holds the places of numbers with too many digits.
    """

    section: SectionKind | None
    phrase: Phrase
    sound: bool
    too_large: tuple[tuple[int, int], ...] = ()


def parse(text: str) -> Parsed:
    """Parse the text of a statement or heading, without white space around it."""
    return _remembered(text) if len(text) <= _MEMO_TEXT else _parse(text)


def _parse(text: str) -> Parsed:
    tokens = list(TOKEN.finditer(text))
    shape = "".join([LETTERS[token.lastgroup or "stray"] for token in tokens])
    if not tokens:
        return Parsed(None, _NOTHING, sound=False)
    if TURN.fullmatch(tokens[0][0]):
        return _turn(tokens, _TURN + shape[1:])
    found = STATEMENT.fullmatch(shape)
    if found is None:
        return Parsed(None, _NOTHING, sound=False)
    too_large = _too_large(tokens, shape)
    if too_large:
        return Parsed(None, _NOTHING, sound=False, too_large=too_large)
    actor = _items(tokens[: found.end("actor")]) if found["actor"] else ()
    items = _items(tokens[found.start("items") : found.end("items")])
    outcome = None
    if found["outcome"] is not None:
        outcome = _items(tokens[found.start("outcome") : found.end("outcome")])
    alone = len(shape) == 1 and SECTION.fullmatch(text)
    section = SectionKind(text.lower()) if alone else None
    return Parsed(section, Phrase(actor, items, outcome), sound=True)


_remembered = lru_cache(maxsize=_MEMO_SIZE)(_parse)


def _turn(tokens: Sequence[re.Match[str]], shape: str) -> Parsed:
    """Return the heading of a turn, with the items up to where it is malformed."""
    if HEADING.fullmatch(shape) is None:
        so_far = NAMES.match(shape, len(_TURN))
        tokens = tokens[: so_far.end() if so_far else len(_TURN)]
        tokens = [token for token in tokens if not _is_too_large(token)]
        return Parsed(SectionKind.TURN, Phrase((), _items(tokens), None), sound=False)
    too_large = _too_large(tokens, shape)
    tokens = [token for token in tokens if not _is_too_large(token)]
    phrase = Phrase((), _items(tokens), None)
    return Parsed(SectionKind.TURN, phrase, not too_large, too_large)


def _is_too_large(token: re.Match[str]) -> bool:
    return token.lastgroup == "number" and len(token[0].removeprefix("-")) > MAX_DIGITS


def _too_large(tokens: Sequence[re.Match[str]], shape: str) -> tuple[tuple[int, int], ...]:
    """Return the places of numbers that are too large."""
    if _NUMBER not in shape:
        return ()
    return tuple(token.span() for token in tokens if _is_too_large(token))


def _items(tokens: Sequence[re.Match[str]]) -> tuple[Item, ...]:
    """Return the items that tokens stand for."""
    items = []
    for token in tokens:
        name = token.lastgroup or ""
        start, end = token.span()
        text = token[0]
        value = 0
        if name == "word":
            pass
        elif name == "number":
            value = int(text)
        elif name == "comma":
            # At the end of its line it has taken the line's end in.
            text, end = COMMA, start + 1
        elif name == "text":
            text = unescape(text[1:-1])
        elif name == "qualifier":
            text = " ".join(text[1:-1].split())
        items.append(_item((_KINDS[name], text, value, start, end)))
    return tuple(items)

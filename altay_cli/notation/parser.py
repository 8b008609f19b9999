"""The text of one statement, heading or tag pair to its parts: Lark's LALR parser.

What a line may say stands in ``grammar/agn.lark`` and nowhere else. The parser's tables are kept
in the cache, and so are the phrases of texts in memory: most lines of an archive come again.
"""

import re
from collections.abc import Set
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple, cast
from unicodedata import normalize

import lark
from lark import Lark, UnexpectedToken

from altay_cli.base.cache import read_grammar
from altay_cli.base.findings import ReadError, Text, any_of
from altay_cli.notation import limits
from altay_cli.notation.lexis import BLANKS, OTHER_QUOTES, control_character, unescape
from altay_cli.notation.tree import Item, Kind, Phrase, SectionKind

GRAMMAR = "agn.lark"

KEPT_TEXT = 120
"""Of texts with so many characters the phrases are kept; a longer one hardly ever comes again."""

_NOTHING = Phrase((), (), None)

_HEADINGS = {"SECTION", "TURN"}
_ALSO_WORDS = {*_HEADINGS, "NUMBER"}
"""Terminals of what is a word where they cannot stand."""

_KINDS: dict[str, Kind] = {
    "WORD": "word", "SECTION": "word", "TURN": "word", "NUMBER": "number", "TEXT": "text",
    "HIDDEN": "hidden", "COMMA": "comma", "QUALIFIER": "qualifier",
}  # fmt: skip
_TERMINALS = {
    name: lark.Token(name, "")
    for name in (*_KINDS, "ARROW", "COLON", "_OPEN", "_CLOSE", "COMMENT", "stray", "$END")
}


class Parsed(NamedTuple):
    """The result of parsing a statement's text.

    ``section`` is the kind of section that it is the heading of, or None. ``sound`` says that
    nothing is wrong. Where something is, ``phrase`` is empty, or of a heading holds the items up to
    there; and ``too_large`` are the places of numbers with too many digits.
    """

    section: SectionKind | None
    phrase: Phrase
    sound: bool
    too_large: tuple[tuple[int, int], ...] = ()


class Token(NamedTuple):
    """A token in the text of a statement, ``text[start:end]``.

    ``kind`` is that of an item, "arrow" or "colon", or "stray" for a character that begins none.
    """

    kind: str
    text: str
    start: int
    end: int


class Pair(NamedTuple):
    """The parts of a tag pair; the value stands in its quotes at ``text[start:end]``."""

    name: str
    value: str
    start: int
    end: int


@cache
def parser() -> Lark:
    """Return the parser for ``grammar/agn.lark``.

    Its start rules are "line" for a statement or heading, and "statement", "heading" and "tag" for
    one of them.
    """
    return read_grammar(GRAMMAR, start=["line", "statement", "heading", "tag"])


def parse(text: str) -> Parsed:
    """Parse the text of a statement or heading, without white space around it."""
    return kept_phrase(text) if len(text) <= KEPT_TEXT else _parse(text)


@lru_cache(maxsize=256)
def parse_tag(text: str) -> Pair | None:
    """Parse the text of a tag pair; None if it is malformed."""
    matches, _, fits = _match(text, "tag")
    if not fits:
        return None
    _, name, value, _ = matches
    return Pair(name[0], unescape(value[0][1:-1]), value.start(), value.end())


@lru_cache(maxsize=256)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens in the text of a statement, whether or not it is well-formed."""
    kinds = {**_KINDS, "ARROW": "arrow", "COLON": "colon"}
    return tuple([
        Token(kinds.get(match.lastgroup or "", "stray"), match[0].rstrip(), *match.span())
        for match in _token().finditer(text)
    ])  # fmt: skip


@cache
def _token() -> re.Pattern[str]:
    """Return a pattern for the tokens of a text; ``lastgroup`` is the terminal, or "stray"."""
    # Of two that fit, Lark takes the one of higher priority; a pattern takes the first.
    terminals = sorted(parser().terminals, key=lambda one: -one.priority)
    known = [(one.name, one.pattern.to_regexp()) for one in terminals if one.name in _TERMINALS]
    groups = [f"(?P<{name}>{pattern})" for name, pattern in (*known, ("stray", f"[^{BLANKS}]"))]
    return re.compile("|".join(groups))


def _match(text: str, start: str) -> tuple[list[re.Match[str]], tuple[str, ...], bool]:
    """Return the tokens of a text, the terminals of as many as fit, and whether that is all."""
    matches = [match for match in _token().finditer(text) if match.lastgroup != "COMMENT"]
    fit = _kept_fit if len(text) <= KEPT_TEXT else _fit
    return matches, *fit(tuple([match.lastgroup or "" for match in matches]), start)


def _fit(names: tuple[str, ...], start: str) -> tuple[tuple[str, ...], bool]:
    """Feed Lark's parser with terminals; return as many as fit, and whether that is all.

    This is kept because nine of ten texts that are new consist of the same terminals as another.
    """
    state = parser().parse_interactive(start=start).parser_state
    state.parse_conf.callbacks = {}  # what makes a tree: none is needed
    fed: list[str] = []
    try:
        for name in names:
            fits = name not in _ALSO_WORDS or name in state.parse_conf.states[state.position]
            terminal = name if fits else "WORD"
            state.feed_token(_TERMINALS[terminal])
            fed.append(terminal)
        state.feed_token(_TERMINALS["$END"], is_end=True)
    except UnexpectedToken:
        return tuple(fed), False
    return tuple(fed), True


_kept_fit = lru_cache(maxsize=1024)(_fit)


def _parse(text: str) -> Parsed:
    matches, terminals, fits = _match(text, "line")
    if not fits:
        return _malformed(text)
    actor: tuple[Item, ...] = ()
    before_arrow: tuple[Item, ...] | None = None
    items: list[Item] = []
    too_large = []
    for name, match in zip(terminals, matches, strict=True):
        start, end = match.span()
        if name == "COLON":
            actor = tuple(items)
            items = []
        elif name == "ARROW":
            before_arrow = tuple(items)
            items = []
        elif name == "NUMBER" and _is_too_large(match[0]):
            too_large.append((start, end))
        else:
            items.append(_item(_KINDS[name], match[0], start, end))
    section = None
    if terminals[0] in _HEADINGS:
        section = SectionKind(items[0].text.lower())
    elif too_large:
        return Parsed(None, _NOTHING, sound=False, too_large=tuple(too_large))
    parts = (tuple(items), None) if before_arrow is None else (before_arrow, tuple(items))
    return Parsed(section, Phrase(actor, *parts), not too_large, tuple(too_large))


kept_phrase = lru_cache(maxsize=4096)(_parse)


def _malformed(text: str) -> Parsed:
    """Return what can be said of a malformed text: the items of a turn's heading up to there."""
    tokens = tokens_of(text)
    if not tokens or tokens[0].text.lower() != SectionKind.TURN:
        return Parsed(None, _NOTHING, sound=False)
    names = takewhile(lambda token: token.kind in {"word", "text", "number"}, tokens)
    items = tuple(
        _item(cast("Kind", kind), name, start, end)
        for kind, name, start, end in names
        if kind != "number" or not _is_too_large(name)
    )
    return Parsed(SectionKind.TURN, Phrase((), items, None), sound=False)


def _is_too_large(number: str) -> bool:
    return len(number.removeprefix("-")) > limits.MAX_DIGITS


def _item(kind: Kind, text: str, start: int, end: int) -> Item:
    value = 0
    if not text.isascii():
        # An accented letter is the same, written as one sign or as a letter and an accent.
        text = normalize("NFC", text)
    if kind == "number":
        value = int(text)
    elif kind == "comma":
        # At the end of its line it has taken the line's end in.
        text, end = ",", start + 1
    elif kind == "text":
        text = unescape(text[1:-1])
    elif kind == "qualifier":
        text = " ".join(text[1:-1].split())
    return tuple.__new__(Item, (kind, text, value, start, end))  # half the time of ``Item(…)``


def parse_unclosed(text: str) -> Parsed:
    """Parse the text of a statement or heading with a quote that is not closed: it ends with it."""
    parsed = parse(_close_quote(text))
    actor, items, outcome = parsed.phrase
    clipped = Phrase(actor, _clipped(items, len(text)), outcome and _clipped(outcome, len(text)))
    return parsed._replace(phrase=clipped)


def parse_unclosed_tag(text: str) -> Pair | None:
    """Parse the text of a tag pair with a quote that is not closed, as ``parse_tag`` does."""
    # A bracket at the end was meant to close the tag pair.
    return parse_tag(_close_quote(text.rstrip("]" + BLANKS + OTHER_QUOTES)) + "]")


def _close_quote(text: str) -> str:
    backslashes = len(text) - len(text.rstrip("\\"))
    return text + ('\\"' if backslashes % 2 else '"')


def _clipped(items: tuple[Item, ...], end: int) -> tuple[Item, ...]:
    return tuple(item._replace(end=min(item.end, end)) for item in items)


# ---------------------------------------------------------------- what does not fit the grammar


_SHOWN = 30  # characters of the text that a message quotes

_END = "the end of the statement"
# In the order in which a message names them.
_WORDS = {
    "WORD": "a name", "TEXT": "a quoted text", "NUMBER": "a number", "HIDDEN": "`?`",
    "COMMA": "`,`", "QUALIFIER": "brackets", "COLON": "`:`", "ARROW": "`=>`", "_OPEN": "`[`",
    "_CLOSE": "`]`", "SECTION": "`setup`, `position`, `result`", "TURN": "`turn`", "$END": _END,
}  # fmt: skip
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
    matches, fitting, fits = _match(text, start)
    if fits:
        return None
    place, length = len(text), 0  # at its end
    if len(fitting) < len(matches):
        match = matches[len(fitting)]
        place, length = match.start(), 1 if match.lastgroup == "COMMA" else len(match[0])
    rule = malformed(text, start).rule
    control = control_character(text, rule)
    if control is not None:
        return control
    wrong = text[place : place + length]
    wrong = wrong if len(wrong) <= _SHOWN else wrong[:_SHOWN] + "…"
    names = {"$END" if name == "_END" else name for name in _expected(fitting, start)}
    if "WORD" in names:
        names.discard("TEXT")
    words = [word for name, word in _WORDS.items() if name in names]
    expected, found = any_of(words or ["something else"]), f"`{wrong}`" if wrong else _END
    message = Text("expected {expected}, not {found}", expected=expected, found=found)
    advice = _HELP.get(wrong[:1])
    return ReadError(rule, message, place, place + length, (advice,) if advice else ())


def _expected(fitting: tuple[str, ...], start: str) -> Set[str]:
    """Return the terminals that could stand behind some."""
    # Not of the parser that met an error: it had reduced what it had, which some do not fit behind.
    state = parser().parse_interactive(start=start)
    for name in fitting:
        state.feed_token(_TERMINALS[name])
    accepted: Set[str] = state.accepts()  # type: ignore[no-untyped-call]
    return accepted


def malformed(text: str, start: str) -> ReadError:
    """Report that a text is not a ``start``, without explaining why."""
    rule, name = ("bad-tag", "tag pair") if start == "tag" else ("syntax", start)
    return ReadError(rule, f"malformed {name}", 0, len(text))

"""The text of one statement, heading or tag pair to its parts: Lark's LALR parser.

What a line may say stands in ``grammar/agn.lark`` and nowhere else. The parser's tables are kept
in the cache, and so are the phrases of texts in memory: most lines of an archive come again.
"""

import re
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, cast
from unicodedata import normalize

import lark
from lark import Lark, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from altay_cli.base.cache import read_grammar
from altay_cli.base.findings import ReadError, Text, any_of
from altay_cli.notation import limits
from altay_cli.notation.lexis import BLANKS, OTHER_QUOTES, control_character, unescape
from altay_cli.notation.tree import Item, Kind, Phrase, SectionKind

if TYPE_CHECKING:
    from lark.lexer import BasicLexer

GRAMMAR = "agn.lark"

KEPT_TEXT = 120
"""Of texts with so many characters the phrases are kept; a longer one hardly ever comes again."""

_KINDS = {kind.name: kind for kind in Kind} | {"SECTION": Kind.WORD, "TURN": Kind.WORD}
_NOTHING = Phrase((), (), None)


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
    made = read_grammar(GRAMMAR, start=["line", "statement", "heading", "tag"])
    lexers: dict[int, BasicLexer] = made.parser.lexer.lexers
    # Let all states inside of a statement share the lexer of the one that takes most: each compiles
    # a regular expression when it is first used, which takes longer than to parse a game. What a
    # state does not take is refused by the parser, with the same error.
    inside = [
        state
        for state, lexer in lexers.items()
        if (names := {one.name for one in lexer.terminals}) >= {"NUMBER"} and "TURN" not in names
    ]
    widest = max((lexers[state] for state in inside), key=lambda lexer: len(lexer.terminals))
    lexers.update(dict.fromkeys(inside, widest))
    return made


def parse(text: str) -> Parsed:
    """Parse the text of a statement or heading, without white space around it."""
    return kept_phrase(text) if len(text) <= KEPT_TEXT else _parse(text)


@lru_cache(maxsize=256)
def parse_tag(text: str) -> Pair | None:
    """Parse the text of a tag pair; None if it is malformed."""
    try:
        tree = parser().parse(text, start="tag")
    except UnexpectedInput:
        return None
    name, value = cast("Sequence[lark.Token]", tree.children)
    return Pair(str(name), unescape(value[1:-1]), value.start_pos or 0, value.end_pos or 0)


@lru_cache(maxsize=256)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens in the text of a statement, whether or not it is well-formed."""
    return tuple([
        Token(match.lastgroup or "", match[0].rstrip(), match.start(), match.end())
        for match in _token().finditer(text)
    ])  # fmt: skip


@cache
def _token() -> re.Pattern[str]:
    """Return a pattern for the tokens of a statement; ``lastgroup`` is the kind."""
    of_statements = {*(kind.name for kind in Kind), "ARROW", "COLON"}
    terminals = [one for one in parser().terminals if one.name in of_statements]
    # Of two that fit, Lark takes the one of higher priority; a pattern takes the first.
    terminals.sort(key=lambda one: -one.priority)
    groups = [f"(?P<{one.name.lower()}>{one.pattern.to_regexp()})" for one in terminals]
    return re.compile("|".join([*groups, f"(?P<stray>[^{BLANKS}])"]))


def _parse(text: str) -> Parsed:
    try:
        tree = parser().parse(text, start="line")
    except UnexpectedInput:
        return _malformed(text)
    actor: tuple[Item, ...] = ()
    before_arrow: tuple[Item, ...] | None = None
    items: list[Item] = []
    too_large = []
    for token in cast("Sequence[lark.Token]", tree.children):
        kind = _KINDS.get(token.type)
        start, end = token.start_pos or 0, token.end_pos or 0
        if kind is Kind.WORD:  # as ``_item``, which takes longer
            items.append(tuple.__new__(Item, (kind, normalize("NFC", token.value), 0, start, end)))
        elif kind is None:
            if token.type == "COLON":
                actor = tuple(items)
            else:
                before_arrow = tuple(items)
            items = []
        elif kind is Kind.NUMBER and _is_too_large(token):
            too_large.append((start, end))
        else:
            items.append(_item(kind, str(token), start, end))
    section = None
    if tree.data == "heading":
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
        _item(Kind(kind), name, start, end)
        for kind, name, start, end in names
        if kind != "number" or not _is_too_large(name)
    )
    return Parsed(SectionKind.TURN, Phrase((), items, None), sound=False)


def _is_too_large(number: str) -> bool:
    return len(number.removeprefix("-")) > limits.MAX_DIGITS


def _item(kind: Kind, text: str, start: int, end: int) -> Item:
    # An accented letter is the same, written as one sign or as a letter and an accent.
    text, value = normalize("NFC", text), 0
    if kind is Kind.NUMBER:
        value = int(text)
    elif kind is Kind.COMMA:
        # At the end of its line it has taken the line's end in.
        text, end = ",", start + 1
    elif kind is Kind.TEXT:
        text = unescape(text[1:-1])
    elif kind is Kind.QUALIFIER:
        text = " ".join(text[1:-1].split())
    return Item(kind, text, value, start, end)


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
    place, length = len(text), 0  # at its end
    try:
        parser().parse(text, start=start)
    except UnexpectedInput as error:
        if isinstance(error, UnexpectedCharacters):
            place, length = error.pos_in_stream or 0, 1
        elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
            place = error.token.start_pos or 0
            length = 1 if error.token.type == "COMMA" else len(error.token)
    else:
        return None
    rule = malformed(text, start).rule
    control = control_character(text, rule)
    if control is not None:
        return control
    wrong = text[place : place + length]
    wrong = wrong if len(wrong) <= _SHOWN else wrong[:_SHOWN] + "…"
    names = {"$END" if name == "_END" else name for name in _expected(text, start, place)}
    if "WORD" in names:
        names.discard("TEXT")
    words = [word for name, word in _WORDS.items() if name in names]
    expected, found = any_of(words or ["something else"]), f"`{wrong}`" if wrong else _END
    message = Text("expected {expected}, not {found}", expected=expected, found=found)
    advice = _HELP.get(wrong[:1])
    return ReadError(rule, message, place, place + length, (advice,) if advice else ())


def _expected(text: str, start: str, place: int) -> Set[str]:
    """Return the terminals that could stand where a text does not fit."""
    # The error names those that may follow on what the text had been reduced to: some are missing.
    ahead = parser().parse_interactive(text, start=start)
    with suppress(UnexpectedInput):
        tokens: Iterator[lark.Token] = ahead.lexer_thread.lex(ahead.parser_state)  # type: ignore[no-untyped-call]
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

"""Parse one statement, heading or tag pair, by ``grammar/agn.lark``.

The parse table is cached on disk, parsed texts in memory: most lines of an archive recur.
"""

import pickle
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple, cast
from unicodedata import normalize

from altay_cli.base import parse_table
from altay_cli.base.cache import fingerprint, load, provided, store
from altay_cli.base.findings import ReadError, Text, any_of
from altay_cli.base.parse_table import END, ParseTable
from altay_cli.base.resources import data_folder
from altay_cli.base.version import __version__
from altay_cli.notation import limits
from altay_cli.notation.lexis import BLANKS, OTHER_QUOTES, control_character, unescape
from altay_cli.notation.tree import Item, Kind, Phrase, SectionKind

GRAMMAR = "agn.lark"
STARTS = ["line", "statement", "heading", "tag"]

MAX_CACHED_LENGTH = 120
"""Longer texts rarely recur."""

_HEADINGS = {"SECTION", "TURN"}
_ALSO_WORDS = {*_HEADINGS, "NUMBER"}
"""Terminals that are words where the grammar does not allow them."""

_KINDS: dict[str, Kind] = {
    "WORD": "word", "SECTION": "word", "TURN": "word", "NUMBER": "number", "TEXT": "text",
    "HIDDEN": "hidden", "COMMA": "comma", "QUALIFIER": "qualifier",
}  # fmt: skip
_TOKENS = {*_KINDS, "ARROW", "COLON", "_OPEN", "_CLOSE", "COMMENT"}
"""Terminals that the pattern of tokens knows; blanks are left out."""


class Parsed(NamedTuple):
    """The result of parsing the text of a statement.

    section: the kind of section whose heading it is.
    phrase: if malformed, empty, or the items of a heading up to the mistake.
    sound: whether the text is well-formed.
    too_large: the offsets of numbers with too many digits.
    """

    section: SectionKind | None
    phrase: Phrase
    sound: bool
    too_large: tuple[tuple[int, int], ...] = ()


class Token(NamedTuple):
    """A token in the text of a statement, ``text[start:end]``.

    ``kind`` is that of an item, "arrow", "colon", or "stray" for any other character.
    """

    kind: str
    text: str
    start: int
    end: int


class Pair(NamedTuple):
    """The parts of a tag pair; its value in quotes is ``text[start:end]``."""

    name: str
    value: str
    start: int
    end: int


@cache
def table() -> ParseTable:
    """Return the parse table; a "line" is a statement or heading."""
    files = (data_folder("grammar") / GRAMMAR, parse_table.__file__)
    key = fingerprint(files, "table", __version__)
    entry = provided(f"table {GRAMMAR}") or load(key)
    if entry is not None:
        cached: ParseTable = pickle.loads(entry)  # noqa: S301 - the host's, or sealed
        return cached
    from altay_cli.base.grammar import read_grammar  # Lark is slow to import

    made = parse_table.table_of(read_grammar(GRAMMAR, start=STARTS))
    store(key, packed_table(made))
    return made


def packed_table(parsing: ParseTable) -> bytes:
    """Return the parse table as an entry that a host may provide."""
    return pickle.dumps(parsing, pickle.HIGHEST_PROTOCOL)


def parse(text: str) -> Parsed:
    """Parse a statement or heading, without white space around it.

    >>> parsed = parse("Ann: buy Sheep => wool")
    >>> parsed.sound, parsed.section
    (True, None)
    >>> [item.text for item in parsed.phrase.items]
    ['buy', 'Sheep']
    >>> parse("turn 3 Ann").section
    <SectionKind.TURN: 'turn'>
    >>> parse("buy =>=>").sound
    False
    """
    return cached_parse(text) if len(text) <= MAX_CACHED_LENGTH else _parse(text)


@lru_cache(maxsize=256)
def parse_tag(text: str) -> Pair | None:
    """Parse a tag pair, or return None if it is malformed.

    >>> parse_tag('[Game "altay"]')
    Pair(name='Game', value='altay', start=6, end=13)
    """
    matches, _, fits = _match(text, "tag")
    if not fits:
        return None
    _, name, value, _ = matches
    return Pair(name[0], unescape(value[0][1:-1]), value.start(), value.end())


@lru_cache(maxsize=256)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a statement, well-formed or not.

    >>> [token.kind for token in tokens_of("take 3 sheep => ?")]
    ['word', 'number', 'word', 'arrow', 'hidden']
    """
    kinds = {**_KINDS, "ARROW": "arrow", "COLON": "colon"}
    return tuple([
        Token(kinds.get(match.lastgroup or "", "stray"), match[0].rstrip(), *match.span())
        for match in _token().finditer(text)
    ])  # fmt: skip


def terminals_of(text: str, start: str = "line") -> Iterator[tuple[str, int, int]]:
    """Yield name and place of each terminal of the grammar in a statement, comments included.

    >>> list(terminals_of("take 3"))
    [('WORD', 0, 4), ('NUMBER', 5, 6)]
    """
    _, fitting, _ = _match(text, start)
    names = iter(fitting)
    for match in _token().finditer(text):
        name = match.lastgroup or ""
        yield name if name == "COMMENT" else next(names, name), *match.span()


@cache
def _token() -> re.Pattern[str]:
    known = [(name, pattern) for name, pattern in table().terminals if name in _TOKENS]
    groups = [f"(?P<{name}>{pattern})" for name, pattern in (*known, ("stray", f"[^{BLANKS}]"))]
    return re.compile("|".join(groups))


def _match(text: str, start: str) -> tuple[list[re.Match[str]], tuple[str, ...], bool]:
    matches = [match for match in _token().finditer(text) if match.lastgroup != "COMMENT"]
    fit = _cached_fit if len(text) <= MAX_CACHED_LENGTH else _fit
    return matches, *fit(tuple([match.lastgroup or "" for match in matches]), start)


def _fit(names: tuple[str, ...], start: str) -> tuple[tuple[str, ...], bool]:
    """Return the terminals that fit, and whether all do.

    Cached, because nine of ten new texts have known terminals.
    """
    parsing = table()
    states = [parsing.starts[start]]
    fed: list[str] = []
    for name in names:
        fits = name not in _ALSO_WORDS or name in parsing.steps[states[-1]]
        terminal = name if fits else "WORD"
        if not parsing.advance(states, terminal):
            return tuple(fed), False
        fed.append(terminal)
    return tuple(fed), parsing.advance(states, END)


_cached_fit = lru_cache(maxsize=1024)(_fit)


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
    parts = (tuple(items), None) if before_arrow is None else (before_arrow, tuple(items))
    return Parsed(section, Phrase(actor, *parts), not too_large, tuple(too_large))


cached_parse = lru_cache(maxsize=4096)(_parse)


def _malformed(text: str) -> Parsed:
    """Keep the items up to the mistake."""
    tokens = tokens_of(text)
    names = takewhile(lambda token: token.kind in {"word", "text", "number"}, tokens)
    items = tuple(
        _item(cast("Kind", kind), name, start, end)
        for kind, name, start, end in names
        if kind != "number" or not _is_too_large(name)
    )
    first = items[0] if items else None
    is_turn = first is not None and first.kind == "word" and first.text.lower() == SectionKind.TURN
    return Parsed(SectionKind.TURN if is_turn else None, Phrase((), items, None), sound=False)


def _is_too_large(number: str) -> bool:
    return len(number.removeprefix("-")) > limits.MAX_DIGITS


def _item(kind: Kind, text: str, start: int, end: int) -> Item:
    value = 0
    if not text.isascii():
        # An accented letter may be one character or two.
        text = normalize("NFC", text)
    if kind == "number":
        value = int(text)
    elif kind == "comma":
        # A comma at the end of a line includes the line end.
        text, end = ",", start + 1
    elif kind == "text":
        text = unescape(text[1:-1])
    elif kind == "qualifier":
        text = " ".join(text[1:-1].split())
    return Item(kind, text, value, start, end)


def parse_unclosed(text: str) -> Parsed:
    """Parse a statement or heading as if its last quote were closed.

    >>> parse_unclosed('discard "Royal Guard').phrase.items[1].text
    'Royal Guard'
    """
    parsed = parse(_close_quote(text))
    actor, items, outcome = parsed.phrase
    clipped = Phrase(actor, _clipped(items, len(text)), outcome and _clipped(outcome, len(text)))
    return parsed._replace(phrase=clipped)


def parse_unclosed_tag(text: str) -> Pair | None:
    """Parse a tag pair as if its quote were closed.

    >>> parse_unclosed_tag('[Game "altay]').value
    'altay'
    """
    return parse_tag(_close_quote(text.rstrip("]" + BLANKS + OTHER_QUOTES)) + "]")


def _close_quote(text: str) -> str:
    backslashes = len(text) - len(text.rstrip("\\"))
    return text + ('\\"' if backslashes % 2 else '"')


def _clipped(items: tuple[Item, ...], end: int) -> tuple[Item, ...]:
    return tuple(item._replace(end=min(item.end, end)) for item in items)


# ---------------------------------------------------------------- diagnosis of malformed texts


_SHOWN = 30  # characters quoted in a message

_LAST = "the end of the statement"
_WORDS = {
    "WORD": "a name", "TEXT": "a quoted text", "NUMBER": "a number", "HIDDEN": "`?`",
    "COMMA": "`,`", "QUALIFIER": "brackets", "COLON": "`:`", "ARROW": "`=>`", "_OPEN": "`[`",
    "_CLOSE": "`]`", "SECTION": "`setup`, `position`, `result`", "TURN": "`turn`", END: _LAST,
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
    """Return the syntax error of a text that should be a ``start``, or None.

    >>> diagnose("take => 3 => 4", "statement").message
    'expected a name, a number, `?`, `,` or the end of the statement, not `=>`'
    """
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
    names = _expected(fitting, start)
    if "WORD" in names:
        names.discard("TEXT")
    words = [word for name, word in _WORDS.items() if name in names]
    expected, found = any_of(words or ["something else"]), f"`{wrong}`" if wrong else _LAST
    message = Text("expected {expected}, not {found}", expected=expected, found=found)
    advice = _HELP.get(wrong[:1])
    return ReadError(rule, message, place, place + length, (advice,) if advice else ())


def _expected(fitting: tuple[str, ...], start: str) -> set[str]:
    parsing = table()
    states = [parsing.starts[start]]
    for name in fitting:
        parsing.advance(states, name)
    terminals = filter(str.isupper, parsing.steps[states[-1]])
    return {name for name in terminals if parsing.advance(states.copy(), name)}


def malformed(text: str, start: str) -> ReadError:
    """Return the error that a text is not a ``start``, undiagnosed.

    >>> malformed("[Game]", "tag").rule
    'bad-tag'
    """
    rule, name = ("bad-tag", "tag pair") if start == "tag" else ("syntax", start)
    return ReadError(rule, f"malformed {name}", 0, len(text))

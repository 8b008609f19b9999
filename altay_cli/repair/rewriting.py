"""The steps in which a statement that cannot be read is changed to what was meant.

Each gives the texts that a text may stand for, with what is then told. Whether one of them can be
read is for ``mending`` to find out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol
from unicodedata import normalize

from altay_cli.base.suggest import normal, suggest
from altay_cli.base.text import Text
from altay_cli.base.values import Entity
from altay_cli.match.patterns import other_forms
from altay_cli.moves.wording import fill, words_of
from altay_cli.notation.parser import Token, parse, tokens_of
from altay_cli.pack.model import Pack, Phase

LIKENESS = 0.6
"""The similarity a word must have to a known one to be taken for it."""


class Rewritten(NamedTuple):
    """A changed text: why it is so written, and whether nothing else can have been meant."""

    text: str
    why: str
    certain: bool = True


class Written(Protocol):
    """What a step knows of the game in which a statement is written."""

    @property
    def pack(self) -> Pack:
        """The rules."""

    @property
    def phase(self) -> Phase | None:
        """Where the statement stands; None outside of sections."""

    @property
    def players(self) -> Mapping[str, Entity]:
        """Who plays."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of the game."""


Step = Callable[[Written, str], Iterator[Rewritten]]


# ---------------------------------------------------------------- the words of a game


class Vocabulary(NamedTuple):
    """The words that statements of a game are made of.

    ``verbs`` are the first words of statements by their section, ``keywords`` all words of
    patterns, ``names`` all names; ``longest`` is of how many words a name or variant can be.
    """

    verbs: Mapping[Phase | None, frozenset[str]]
    keywords: frozenset[str]
    names: frozenset[str]
    longest: int


def vocabulary(pack: Pack) -> Vocabulary:
    """Return the words of a game, collected once."""
    return pack.kept(_vocabulary)


def _vocabulary(pack: Pack) -> Vocabulary:
    verbs: dict[Phase, set[str]] = {Phase.RESULT: {"winner", "loser", "draw"}}
    keywords: set[str] = set()
    for move in (*pack.moves, *pack.claims):
        for pattern in move.patterns:
            for phase in () if move.heading or not pattern.verb else move.phases:
                verbs.setdefault(phase, set()).add(pattern.verb)
            keywords.update(words_of(pattern.parts))
    names = frozenset(name for table in pack.names.values() for name in table if "(" not in name)
    longest = max((len(name.split()) for name in (*names, *pack.words)), default=1)
    return Vocabulary(
        {phase: frozenset(words) for phase, words in verbs.items()},
        frozenset(keywords),
        names,
        longest,
    )


# ---------------------------------------------------------------- steps

_DRAWN = "`=>` goes before what was drawn or revealed"
_COMMA = "commas separate the things of a list"
_COUNT = "a count is a number before the name"

MAX_GAPS = 12
"""In a statement of more words, none is looked for that is missing."""

MAX_NAME_WORDS = 4
"""Of how many words the name of a player is, where no colon tells."""

_SEPARATORS = frozenset({"-", "–", "—", ".", ">", "->"})
_ARROW = re.compile(r"\s*(?:[-–—=]+\s*>+|>+\s*=?|[→⇒⟶➔»]|=+|(?<=\s)[-–—]+(?=\s))\s*")
_COMMAS = re.compile(r"\s*(?:[、/]|,\s*,)[\s,]*")
_BRACKETS = re.compile(r"\s*[\[\](){}（）「」]+\s*")
_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")')
_ATTACHED = re.compile(r'("(?:[^"\\]|\\.)*"|(?<=\w)[(（][^()（）]*[)）])')
"""What is quoted, or stands in brackets close behind a word: it belongs to the name there."""
_MARK = re.compile(r"(?<=\S)[(（]\s*[0-9]+\s*[)）]")
_COUNTED = re.compile(r"[(（]\s*[x×*]?\s*[0-9]+\s*[x×*]?\s*[)）]")
_TIMES = re.compile(r"(?<![\w])([0-9]+)\s*[x×*](?=\s)\s*")
_BEHIND = re.compile(r"\s+[x×*]\s*([0-9]+)(?!\w)")
_OFTEN = re.compile(r"\s+(?:[x×*]\s*([2-9])|([2-9])\s*[x×*])(?=\s|\Z)")
_STOP = re.compile(r"\s*[.!。:：;,]+\Z")


def _outside(text: str, pattern: re.Pattern[str], put: str, kept: re.Pattern[str] = _QUOTED) -> str:
    """Replace a pattern outside of quotes, or of what else is ``kept``."""
    return "".join(
        part if number % 2 else pattern.sub(put, part)
        for number, part in enumerate(kept.split(text))
    )


def _signs(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put the signs of the notation in the place of others that look like them."""
    del reading
    plain = normalize("NFKC", text)
    if plain != text:
        yield Rewritten(plain, "full-width signs are written in half width")
    arrows = _outside(text, _ARROW, " => ").strip()
    if arrows != text:
        yield Rewritten(arrows, _DRAWN)
    bare = _outside(text, _BRACKETS, " ").strip()
    if bare != text and not _MARK.search(text):
        yield Rewritten(bare, "brackets do not belong here", certain=not _COUNTED.search(text))
    kept = _outside(text, _BRACKETS, " ", _ATTACHED).strip()
    if kept not in {text, bare}:
        yield Rewritten(kept, "brackets do not belong here")
    commas = _outside(text, _COMMAS, ", ")
    if commas != text:
        yield Rewritten(commas, _COMMA)
    stop = _STOP.sub("", text)
    if stop != text and stop:
        yield Rewritten(stop, "a statement ends without punctuation")
    counts = _outside(text, _TIMES, r"\1 ")
    if counts != text:
        yield Rewritten(counts, _COUNT)
    behind = _outside(text, _BEHIND, r" \1")
    if behind != text:
        yield Rewritten(behind, _COUNT)


def _name_length(tokens: Sequence[Token], at: int, known: frozenset[str], longest: int) -> int:
    """Return how many tokens from ``at`` on are a known name; 0 if none is."""
    for size in range(min(longest, len(tokens) - at), 0, -1):
        part = tokens[at : at + size]
        if all(token.kind in {"word", "number"} for token in part) and (
            part[0].kind == "word" and normal(_text(part)) in known
        ):
            return size
    return 0


def _colon(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put a colon behind the name of a player, or take a wrong one away."""
    tokens = tokens_of(text)
    players = frozenset(reading.players)
    colons = [number for number, token in enumerate(tokens) if token.kind == "colon"]
    longest = max((len(name.split()) for name in players), default=0)
    size = _name_length(tokens, 0, players, longest)
    missing = "a colon follows the name of who acts"
    superfluous = "a colon only follows the name of who acts"
    if not size:
        # Who takes a seat is not known before.
        verbs = reading.vocabulary.verbs.get(reading.phase, frozenset())
        for at in range(1, min(len(tokens), MAX_NAME_WORDS + 1)):
            if tokens[at].kind == "word" and normal(tokens[at].text) in verbs and not colons:
                yield Rewritten(
                    f"{text[: tokens[at - 1].end]}: {text[tokens[at].start :]}", missing
                )
                break
    elif size < len(tokens):
        following = tokens[size]
        rest = size
        if following.kind in {"comma", "colon"} or following.text in _SEPARATORS:
            rest += 1
        further = [number for number in colons if number > rest]
        if rest < len(tokens) and (following.kind != "colon" or further):
            body = text[tokens[rest].start :]
            for colon in reversed(further):
                place = tokens[colon].start - tokens[rest].start
                body = body[:place].rstrip() + " " + body[place + 1 :].lstrip()
            why = superfluous if following.kind == "colon" else missing
            yield Rewritten(f"{text[: tokens[size - 1].end]}: {body}", why)
    if len(colons) == 1 and colons[0] and colons[0] != size:
        sign = tokens[colons[0]]
        before, behind = text[: sign.start].rstrip(), text[sign.end :].lstrip()
        if behind and tokens[colons[0] - 1].kind != "number":
            yield Rewritten(f"{before} {behind}", superfluous)


def _variants(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put words of statements in the place of what people write."""
    tokens = tokens_of(text)
    words = reading.pack.words
    places: list[tuple[int, int, tuple[str, ...]]] = []
    at = 0
    while at < len(tokens):
        size = 0
        for many in range(min(reading.vocabulary.longest, len(tokens) - at), 0, -1):
            part = tokens[at : at + many]
            if all(token.kind in {"word", "number", "hidden"} for token in part) and (
                normal(_text(part)) in words
            ):
                size = many
                places.append((part[0].start, part[-1].end, words[normal(_text(part))]))
                break
        at += size or 1
    if len(places) > 1:
        changed = text
        for start, end, meant in reversed(places):
            changed = _replaced(changed, start, end, meant[0])
        yield Rewritten(changed.strip(), _replacement_note(places[0][2][0]))
    for start, end, meant in places:
        for word in meant:
            yield Rewritten(_replaced(text, start, end, word).strip(), _replacement_note(word))


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _replacement_note(word: str) -> str:
    """Say what stands in the place of a word that people write."""
    if not word:
        return "some words are not needed"
    if word.isdecimal():
        return _COUNT
    return {"=>": _DRAWN, ",": _COMMA}.get(word, Text("`{word}` is the word for this", word=word))


def _replaced(text: str, start: int, end: int, word: str) -> str:
    """Put a word in the place of another; a comma stands close to what is before it."""
    before, behind = text[:start], text[end:]
    if not word:
        return before.rstrip() + " " + behind.lstrip() if before.strip() else behind.lstrip()
    if word == ",":
        return before.rstrip().rstrip(",") + ", " + behind.lstrip()
    if word == "=>":
        return before.rstrip().rstrip(",") + " => " + behind.lstrip(" \t:")
    return before + word + behind


def _forms(reading: Written, text: str) -> Iterator[Rewritten]:
    """Write a statement as it should be, where the rules list how it is written as well."""
    parsed = parse(text)
    if not parsed.sound or parsed.section is not None:
        return
    phrase = parsed.phrase
    for form in other_forms(reading.pack):
        if reading.phase not in form.move.phases:
            continue
        if phrase.outcome is not None and form.pattern.outcome is None:
            continue
        captured = form.capture(phrase.items)
        if captured is None:
            continue
        written = {name: text[items[0].start : items[-1].end] for name, items in captured.items()}
        for right in form.move.patterns:
            body = fill(right.parts, written)
            if body is None or (phrase.outcome is not None and right.outcome is None):
                continue
            head = text[: phrase.items[0].start]
            tail = text[phrase.items[-1].end :] if phrase.outcome is not None else ""
            shown = Text("this is written `{pattern}`", pattern=right.source)
            yield Rewritten(f"{head}{body}{tail}", shown)
            break


def _order(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put counts before the names that they count: `Name 2`."""
    tokens = tokens_of(text)
    moved = text
    for at in range(len(tokens) - 1, 0, -1):
        token = tokens[at]
        if token.kind != "number":
            continue
        behind = tokens[at + 1] if at + 1 < len(tokens) else None
        if (
            behind is not None
            and behind.kind == "word"
            and (normal(behind.text) not in reading.vocabulary.keywords)
        ):
            continue
        for first in range(max(at - reading.vocabulary.longest, 0), at):
            name = tokens[first:at]
            if all(t.kind == "word" for t in name) and (
                normal(_text(name)) in reading.vocabulary.names
                and (first == 0 or tokens[first - 1].kind != "number")
            ):
                start, end = name[0].start, name[-1].end
                moved = f"{moved[:start]}{token.text} {moved[start:end]}{moved[token.end :]}"
                break
    if moved != text:
        yield Rewritten(moved, _COUNT)


def _commas(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put commas between names that stand side by side."""
    tokens = tokens_of(text)
    gaps: list[int] = []
    at, before = 0, -1
    vocabulary = reading.vocabulary
    while at < len(tokens):
        start = at
        if tokens[at].kind == "number" and at + 1 < len(tokens):
            at += 1
        size = _name_length(tokens, at, vocabulary.names, vocabulary.longest)
        hidden = at < len(tokens) and tokens[at].kind == "hidden"
        if not size and not hidden:
            at, before = start + 1, -1
            continue
        at += size or 1
        while at < len(tokens) and tokens[at].kind == "qualifier":
            at += 1
        if before >= 0:
            gaps.append(before)
        before = tokens[at - 1].end
    if gaps:
        changed = text
        for gap in reversed(gaps):
            changed = changed[:gap] + "," + changed[gap:]
        yield Rewritten(changed, _COMMA)


def _statements(reading: Written, text: str) -> Iterator[Rewritten]:
    """Make several statements of one, where a list names what is done one at a time."""
    tokens = tokens_of(text)
    # What stands behind a comma like the end of a turn is rather what was drawn.
    closing = {pattern.verb for m in reading.pack.moves if m.closes for pattern in m.patterns}
    verbs = reading.vocabulary.verbs.get(reading.phase, frozenset()) - closing
    commas = []
    for number, token in enumerate(tokens):
        if token.kind == "arrow":
            break
        if token.kind == "comma" and 0 < number < len(tokens) - 1:
            commas.append(number)
    if not commas:
        return
    own = [number for number in commas if normal(tokens[number + 1].text) in verbs]
    head = _actor(tokens, text)
    if own:
        changed = text
        for number in reversed(own):
            token = tokens[number]
            changed = f"{changed[: token.start]}; {head}{changed[token.end :].lstrip(' ')}"
        yield Rewritten(changed, "a semicolon separates statements")
    first = commas[0]
    begin = 0
    for number in range(first):
        if normal(tokens[number].text) in reading.vocabulary.keywords:
            begin = number + 1
    if 0 < begin < first:
        prefix = text[: tokens[begin].start]
        changed = text
        for number in reversed(commas):
            token = tokens[number]
            changed = f"{changed[: token.start]}; {prefix}{changed[token.end :].lstrip(' ')}"
        yield Rewritten(changed, "each of these is a statement of its own")


def _times(reading: Written, text: str) -> Iterator[Rewritten]:
    """Make several statements of one that says how often it is made: `buy Farmer x2`."""
    found = _OFTEN.search(text)
    if found is None or "=>" in text:
        return
    once = text[: found.start()] + text[found.end() :]
    tokens = tokens_of(once)
    begins = _begins(tokens)
    verbs = reading.vocabulary.verbs.get(reading.phase, frozenset())
    if begins < len(tokens) and normal(tokens[begins].text) in verbs:
        several = "; ".join([once] * int(found[1] or found[2]))
        yield Rewritten(several, "each of these is a statement of its own")


def _begins(tokens: Sequence[Token]) -> int:
    """Return the number of the token with which a statement begins, behind who acts."""
    return next((n + 1 for n, token in enumerate(tokens) if token.kind == "colon"), 0)


def _actor(tokens: Sequence[Token], text: str) -> str:
    """Return the beginning of a statement that names who acts."""
    for token in tokens:
        if token.kind == "colon":
            return text[: token.end] + " "
    return ""


def _missing(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put in a word of a statement that is missing between two others, or in place of a comma."""
    tokens = tokens_of(text)
    begins = _begins(tokens)
    if len(tokens) > MAX_GAPS or begins >= len(tokens):
        return
    verb = normal(tokens[begins].text)
    strange = [n for n, token in enumerate(tokens) if token.text in _SEPARATORS]
    words = {
        word
        for move in reading.pack.moves
        if reading.phase in move.phases
        for pattern in move.patterns
        if pattern.verb == verb
        for word in words_of(pattern.parts)
    }
    present = {normal(token.text) for token in tokens}
    for word in sorted(words - present):
        for number in range(begins + 2, len(tokens)):
            before, token = tokens[number - 1], tokens[number]
            if token.kind == "comma" or before.kind == "arrow" or strange not in ([], [number - 1]):
                continue
            instead = strange or before.kind == "comma"
            head = text[: before.start] if instead else text[: before.end]
            changed = f"{head.rstrip()} {word} {text[token.start :]}"
            yield Rewritten(changed, Text("`{word}` is missing", word=word))


def _who(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put who acts first, where it is told elsewhere."""
    bare = re.sub(r"(?i)(?<=\w)['’]s\b", "", text)
    tokens = tokens_of(bare)
    players = frozenset(reading.players)
    longest = max((len(name.split()) for name in players), default=0)
    for at in range(len(tokens)):
        size = _name_length(tokens, at, players, longest)
        if not size or (not at and bare == text):
            continue
        name = bare[tokens[at].start : tokens[at + size - 1].end]
        head, tail = bare[: tokens[at].start].strip(" :"), bare[tokens[at + size - 1].end :]
        yield Rewritten(f"{name}: {head} {tail.strip(' :')}".strip(), "who acts comes first")


def _arrowless(reading: Written, text: str) -> Iterator[Rewritten]:
    """Take away a `=>` before what a statement names by itself."""
    head, arrow, tail = text.partition("=>")
    words = {normal(token.text) for token in tokens_of(tail)}
    if reading.phase is Phase.TURNS:
        return
    if arrow and head.strip() and words.isdisjoint(reading.vocabulary.keywords):
        yield Rewritten(f"{head.strip()} {tail.strip()}", "`=>` is not needed here")


def _drawn(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put `=>` before what was drawn, where it is missing."""
    del reading
    tokens = tokens_of(text)
    if any(token.kind == "arrow" for token in tokens):
        return
    why = _DRAWN
    for number in range(1, len(tokens)):
        before, token = tokens[number - 1], tokens[number]
        if token.kind == "colon":
            if number + 1 < len(tokens):
                yield Rewritten(
                    f"{text[: token.start].rstrip()} => {text[token.end :].lstrip()}", why
                )
        elif before.kind == "comma":
            yield Rewritten(f"{text[: before.start].rstrip()} => {text[token.start :]}", why)
        elif before.kind != "colon":
            yield Rewritten(f"{text[: before.end]} => {text[token.start :]}", why)


def _closing(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put the word that ends a turn before what was drawn, where there is none."""
    if text.startswith("=>"):
        for move in reading.pack.moves:
            verb = move.patterns[0].verb
            if move.closes and reading.phase in move.phases:
                yield Rewritten(
                    f"{verb} {text}", Text("`{word}` is missing", word=verb), certain=False
                )


def _nearest(reading: Written, text: str) -> Iterator[Rewritten]:
    """Put the nearest word of statements in the place of one that nothing else knows."""
    vocabulary = reading.vocabulary
    tokens = tokens_of(text)
    begins = _begins(tokens)
    for number, token in enumerate(tokens):
        word = normal(token.text)
        if token.kind != "word" or word in vocabulary.keywords or word in vocabulary.names:
            continue
        known = vocabulary.keywords
        if number == begins:
            known = vocabulary.verbs.get(reading.phase, frozenset())
        for near in _most_similar(word[:40], known):
            changed = text[: token.start] + near + text[token.end :]
            yield Rewritten(changed, Text("`{word}` was perhaps meant", word=near), certain=False)


@lru_cache(maxsize=1024)
def _most_similar(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """Return the most similar words; cached, as every changed text of a statement asks for them."""
    return tuple(suggest(word, sorted(known), most=3, likeness=LIKENESS))


STEPS: tuple[Step, ...] = (
    _signs, _colon, _variants, _forms, _order, _commas, _statements, _drawn,
)  # fmt: skip
"""The steps that are sure."""

FURTHER: tuple[Step, ...] = (*STEPS, _times, _missing, _who, _arrowless)
"""Those that help where these do not."""

GUESSES: tuple[Step, ...] = (*FURTHER, _nearest, _closing)
"""With those that guess."""

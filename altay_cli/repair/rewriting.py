"""The kinds of change that may make an unreadable statement readable.

They do not know the state of the game, so no correction depends on legality.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from unicodedata import normalize

from altay_cli.base.findings import Text
from altay_cli.base.suggest import normal, slips, suggest
from altay_cli.base.translations import ENGLISH
from altay_cli.moves.wording import fill, pattern_words
from altay_cli.notation.parser import parse, tokens_of
from altay_cli.notation.tree import Item
from altay_cli.pack.candidates import capture
from altay_cli.pack.model import Pack, Pattern
from altay_cli.repair import limits
from altay_cli.repair.headings import (
    correct_heading,
    rewrite_claim,
    rewrite_turn_heading,
    shorten_section_heading,
)
from altay_cli.repair.surroundings import (
    POSSESSIVE,
    Rewritten,
    Surroundings,
    Way,
    edited,
    first_after_actor,
    joined,
    longest_known,
)

# ---------------------------------------------------------------- signs

_DRAWN = "`=>` goes before the things that were drawn or revealed"
_COMMA = "commas separate the things of a list"
_COUNT = "a count is a number before the name"
_EACH = "each of these is a statement of its own"

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_SEPARATORS = frozenset({"-", "–", "—", ".", ">", "->"})
_BRACKET = r"\s*[\[\](){}（）「」]+\s*"
_BRACKETS = re.compile(f"(?P<kept>{_QUOTED})|{_BRACKET}")
# Brackets directly after a word may belong to a name.
_INNER = re.compile(rf"(?P<kept>{_QUOTED}|(?<=\w)[(（][^()（）]*[)）])|{_BRACKET}")
_MARK = re.compile(r"(?<=\S)[(（]\s*[0-9]+\s*[)）]")
_COUNTED = re.compile(r"[(（]\s*[x×*]?\s*[0-9]+\s*[x×*]?\s*[)）]")
_OFTEN = re.compile(r"\s+(?:[x×*]\s*([2-9])|([2-9])\s*[x×*])(?=\s|\Z)")

# Signs outside of quotes.
_SIGNS = [
    (re.compile(f"(?P<kept>{_QUOTED})|{sign}"), put, why)
    for sign, put, why in (
        (r"\s*(?:[-–—=]+\s*>+|>+\s*=?|[→⇒⟶➔»]|=+|(?<=\s)[-–—]+(?=\s))\s*", " => ", _DRAWN),
        (r"\s*(?:[、/]|,\s*,)[\s,]*", ", ", _COMMA),
        (r"\s*[.!。:：;,]+\Z", "", "a statement ends without punctuation"),
        (r"(?<![\w])([0-9]+)\s*[x×*](?=\s)\s*", r"{} ", _COUNT),
        (r"(?<!\w)([0-9]+)(?:\*|[x×](?=\w))?(?=[^\W\d_])", r"{} ", _COUNT),
        (r"(?:\s+[x×*]\s*|(?<=[\w)])[x×*])([0-9]+)(?!\w)", r" {}", _COUNT),
    )
]


# Control characters such as a form feed.
_SPACING = r"[\x0b\x0c\x1c-\x1f\x85]"
_OUTER = re.compile(rf"\A(?:{_SPACING}\s*)+|(?:\s*{_SPACING})+\Z")


def _remove_control_characters(_place: Surroundings, text: str) -> Iterator[Rewritten]:
    if found := _OUTER.search(text):
        code = f"U+{ord(found[0].strip(' ')[0]):04X}"
        why = Text("the control character {code} does not belong here", code=code)
        yield Rewritten(_OUTER.sub("", text), why)


def _replace_signs(_place: Surroundings, text: str) -> Iterator[Rewritten]:
    yield Rewritten(normalize("NFKC", text), "full-width signs are written in half width")
    for sign, put, why in _SIGNS:

        def written(sign: re.Match[str], put: str = put) -> str:
            return sign["kept"] or put.replace("{}", sign[sign.lastindex or 0])

        yield Rewritten(sign.sub(written, text).strip(), why)


def _remove_brackets(_place: Surroundings, text: str) -> Iterator[Rewritten]:
    """Remove brackets, unless they distinguish things of the same name."""
    why = "brackets do not belong here"
    bare, kept = (
        brackets.sub(lambda found: found["kept"] or " ", text).strip()
        for brackets in (_BRACKETS, _INNER)
    )
    if not _MARK.search(text):
        yield Rewritten(bare, why, certain=not _COUNTED.search(text))
    if kept != bare:
        yield Rewritten(kept, why)


# ---------------------------------------------------------------- actors


def _correct_colon(place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    colons = [number for number, token in enumerate(tokens) if token.kind == "colon"]
    size = place.player_at(tokens, 0)
    missing = "a colon follows the name of who acts"
    if not size and not colons:
        # A player who takes a seat is not known before.
        for before, token in pairwise(tokens):
            if token.kind == "word" and normal(token.text) in place.verbs:
                yield Rewritten(f"{text[: before.end]}: {text[token.start :]}", missing)
                break
    elif 0 < size < len(tokens) and size not in colons:
        rest = size + (tokens[size].kind == "comma" or tokens[size].text in _SEPARATORS)
        if rest < len(tokens):
            yield Rewritten(
                f"{text[: tokens[size - 1].end]}: {text[tokens[rest].start :]}", missing
            )
    for number in colons:
        head, tail = text[: tokens[number].start].rstrip(), text[tokens[number].end :].lstrip()
        if number not in {0, size} and tail and tokens[number - 1].kind != "number":
            yield Rewritten(f"{head} {tail}", "a colon only follows the name of who acts")


def _move_actor_first(place: Surroundings, text: str) -> Iterator[Rewritten]:
    bare = POSSESSIVE.sub("", text)
    tokens = tokens_of(bare)
    for at in range(len(tokens)):
        size = place.player_at(tokens, at)
        if not size or (not at and bare == text):
            continue
        start, end = tokens[at].start, tokens[at + size - 1].end
        head, tail = bare[:start].strip(" :"), bare[end:].strip(" :")
        yield Rewritten(f"{bare[start:end]}: {head} {tail}".strip(), "who acts comes first")


# ---------------------------------------------------------------- words


def _replace_common_words(place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    variants: list[tuple[int, int, Sequence[str]]] = []
    at = 0
    while at < len(tokens):
        part = tokens[at : at + place.vocabulary.longest]
        size = longest_known(part, {"word", "number", "hidden"}, place.pack.words)
        if size:
            meanings = place.meanings(joined(part[:size]))
            variants.append((part[0].start, part[size - 1].end, meanings))
        at += size or 1
    if len(variants) > 1:
        changed = text
        for start, end, meanings in reversed(variants):
            changed = _replaced(changed, start, end, meanings[0])
        yield Rewritten(changed.strip(), _replacement_note(variants[0][2][0]))
    for start, end, meanings in variants:
        for word in meanings:
            yield Rewritten(_replaced(text, start, end, word).strip(), _replacement_note(word))


def _replacement_note(word: str) -> str:
    if word.isdecimal():
        return _COUNT
    known = {"": "some words are not needed", "=>": _DRAWN, ",": _COMMA}
    return known.get(word) or Text("`{word}` is the word for this", word=word)


def _replaced(text: str, start: int, end: int, word: str) -> str:
    before, behind = text[:start], text[end:]
    if not word:
        return f"{before.rstrip()} {behind.lstrip()}"
    if word == ",":
        return before.rstrip().rstrip(",") + ", " + behind.lstrip()
    if word == "=>":
        return before.rstrip().rstrip(",") + " => " + behind.lstrip(" \t:")
    return before + word + behind


def _rewrite_alternative_form(place: Surroundings, text: str) -> Iterator[Rewritten]:
    parsed = parse(text)
    if not parsed.sound or parsed.section is not None:
        return
    items, draws = parsed.phrase.items, parsed.phrase.outcome is not None
    for move in place.pack.moves:
        for pattern in move.also if place.phase in move.phases and not move.heading else ():
            written = _captured_texts(pattern, items, text)
            if written is None or (draws and pattern.outcome is None):
                continue
            for right in move.patterns:
                body = fill(right.parts, written)
                if body is not None and not (draws and right.outcome is None):
                    tail = text[items[-1].end :] if draws else ""
                    shown = Text("this is written `{pattern}`", pattern=right.source)
                    yield Rewritten(f"{text[: items[0].start]}{body}{tail}", shown)
                    break


def _captured_texts(pattern: Pattern, items: Sequence[Item], text: str) -> dict[str, str] | None:
    captured = capture(pattern, items)
    if captured is None:
        return None
    return {name: text[part[0].start : part[-1].end] for name, part in captured.items()}


def _divide_shorthand(place: Surroundings, text: str) -> Iterator[Rewritten]:
    parsed = parse(text)
    if not parsed.sound or parsed.section is not None or parsed.phrase.outcome is not None:
        return
    for pattern, statements in place.pack.several:
        written = _captured_texts(pattern, parsed.phrase.items, text)
        if written is None:
            continue
        begun = text[: parsed.phrase.items[0].start]
        bodies = [fill(statement.parts, written) for statement in statements]
        yield Rewritten("; ".join(f"{begun}{body}" for body in bodies), _EACH)


def _insert_missing_word(place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    begins = first_after_actor(tokens)
    if len(tokens) > limits.MAX_GAPS or begins >= len(tokens):
        return
    strange = [n for n, token in enumerate(tokens) if token.text in _SEPARATORS]
    words = {
        word
        for move in place.pack.moves
        if place.phase in move.phases
        for pattern in move.patterns
        if pattern.verb == normal(tokens[begins].text)
        for word in pattern_words(pattern.parts)
    }
    for word in sorted(words - {normal(token.text) for token in tokens}):
        why = Text("`{word}` is missing", word=word)
        for number in range(begins + 2, len(tokens)):
            before, token = tokens[number - 1], tokens[number]
            if token.kind == "comma" or before.kind == "arrow" or strange not in ([], [number - 1]):
                continue
            instead = strange or before.kind == "comma"
            head = text[: before.start if instead else before.end].rstrip()
            yield Rewritten(f"{head} {word} {text[token.start :]}", why)


def _replace_unknown_word(place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    begins = first_after_actor(tokens)
    keywords, names = place.vocabulary.keywords, place.vocabulary.names
    for number, token in enumerate(tokens):
        word = normal(token.text)
        if token.kind == "word" and word not in keywords and word not in names:
            for near in _most_similar(word[:40], place.verbs if number == begins else keywords):
                why = Text("`{word}` was perhaps meant", word=near)
                yield Rewritten(text[: token.start] + near + text[token.end :], why, certain=False)


def _correct_name(place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    edits: list[tuple[int, int, str]] = []
    for at in range(first_after_actor(tokens) + 1, len(tokens)):
        for part in (tokens[at : at + 1], tokens[at : at + 2]):
            written = normal(joined(part))
            known = {normal(token.text) for token in part}
            if (
                any(token.kind != "word" for token in part)
                or len(written) < limits.LEAST_SPELLED
                or re.search(r"[^\w\s'’-]|\d", written)  # a count, perhaps, or a sign
                or written in place.pack.words
                or not place.vocabulary.names.isdisjoint(known)
                or not place.vocabulary.keywords.isdisjoint(known)
                or place.player_at(tokens, at)
            ):
                continue
            name = place.pack.cached(_near_names)(written)
            if name is not None:
                edits.append((part[0].start, part[-1].end, name))
                break
    # Each alone first: a player's name may be similar to a card's.
    for some in ([[edit] for edit in edits] + [edits]) if edits else ():
        why = Text("this means `{name}`", name=some[0][2])
        yield Rewritten(edited(text, some), why)


def _near_names(pack: Pack) -> Callable[[str], str | None]:
    find = partial(_only_near, _meanings(pack), _shown_names(pack))
    return lru_cache(maxsize=1024)(find)


def _only_near(
    meanings: Mapping[str, object], shown: Mapping[str, str], written: str
) -> str | None:
    """Return the name that differs by one letter, unless other things are similar."""
    letters, near, things = set(written), [], set()
    for name, meaning in meanings.items():
        if abs(len(name) - len(written)) > limits.NEAR_SLIPS or len(letters ^ {*name}) > 4:
            continue
        count = slips(written, name)
        if count <= limits.NEAR_SLIPS:
            things.add(meaning)
            if count == 1 and len(name) >= limits.LEAST_SPELLED:
                near.append(name)
    if not near or len(things) > 1:
        return None
    best = near[0] if len(near) == 1 else next((name for name in shown if name in near), near[0])
    return shown.get(best, best)


def _meanings(pack: Pack) -> Mapping[str, object]:
    return {
        name: things[0].parent or things[0] if len({t.parent or t for t in things}) == 1 else things
        for table in pack.names.values()
        for name, things in table.items()
        if "(" not in name
    }


def _shown_names(pack: Pack) -> Mapping[str, str]:
    names: dict[str, str] = {}
    for _, texts in sorted(pack.shown.items(), key=lambda entry: entry[0] != ENGLISH):
        for text in texts.values():
            name = text.partition("(")[0]
            names.setdefault(normal(name), name)
    return names


@lru_cache(maxsize=1024)
def _most_similar(word: str, known: frozenset[str]) -> tuple[str, ...]:
    near = suggest(word, sorted(known), most=3)
    return tuple(
        other for other in near if slips(word, other) <= limits.WORD_SLIPS or word in other
    )


def _insert_first_word(place: Surroundings, text: str) -> Iterator[Rewritten]:
    if place.phase not in {"setup", "position"} or len(text) > limits.LONG:
        return
    actor, colon, rest = text.partition(":")
    begun = normal(text.partition(" ")[0])  # no name follows it
    for verb in sorted(place.verbs - {begun}):
        why = Text("`{word}` is missing", word=verb)
        yield Rewritten(f"{verb} {text.replace(':', ' ')}", why, certain=False)
        if colon:
            yield Rewritten(f"{actor}: {verb} {rest.strip()}", why, certain=False)


# ---------------------------------------------------------------- lists


def _move_counts_first(place: Surroundings, text: str) -> Iterator[Rewritten]:
    """Write `Name 2` as `2 Name`."""
    tokens = tokens_of(text)
    names, keywords = place.vocabulary.names, place.vocabulary.keywords
    edits: list[tuple[int, int, str]] = []
    for at, token in enumerate(tokens):
        if token.kind != "number" or not at:
            continue
        behind = tokens[at + 1 : at + 2]
        if behind and behind[0].kind == "word" and normal(behind[0].text) not in keywords:
            continue
        for first in range(max(at - place.vocabulary.longest - 1, 0), at):
            name = tokens[first:at]
            words = name[:-1] if name[-1].kind == "qualifier" else name
            if (
                all(token.kind == "word" for token in words)
                and normal(joined(words)) in names
                and (first == 0 or tokens[first - 1].kind != "number")
            ):
                start = name[0].start
                edits.append((start, token.end, f"{token.text} {text[start : name[-1].end]}"))
                break
    yield Rewritten(edited(text, edits), _COUNT)


def _insert_commas(place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    gaps: list[tuple[int, int, str]] = []
    at, before = 0, -1
    while at < len(tokens):
        counted = tokens[at].kind == "number" and at + 1 < len(tokens)
        first = at + counted
        size = place.name_length_at(tokens, first) or (tokens[first].kind == "hidden")
        if not size:
            at, before = at + 1, -1
            continue
        at = first + size
        while at < len(tokens) and tokens[at].kind == "qualifier":
            at += 1
        if before >= 0:
            gaps.append((before, before, ","))
        before = tokens[at - 1].end
    yield Rewritten(edited(text, gaps), _COMMA)


def _divide_list(place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    # After a comma, a word that ends a turn is rather an outcome.
    closing = {
        pattern.verb for move in place.pack.moves if move.closes for pattern in move.patterns
    }
    arrow = next((n for n, token in enumerate(tokens) if token.kind == "arrow"), len(tokens))
    inner = range(1, min(arrow, len(tokens) - 1))
    commas = [number for number in inner if tokens[number].kind == "comma"]
    if not commas:
        return

    def apart(commas: Sequence[int], head: str) -> str:
        gaps = [(tokens[at].start, tokens[at + 1].start, f"; {head}") for at in commas]
        return edited(text, gaps)

    begins = first_after_actor(tokens)
    head = text[: tokens[begins - 1].end] + " " if begins else ""
    before_verbs = [at for at in commas if normal(tokens[at + 1].text) in place.verbs - closing]
    yield Rewritten(apart(before_verbs, head), "a semicolon separates statements")
    keywords = place.vocabulary.keywords
    words = [n for n in range(commas[0]) if normal(tokens[n].text) in keywords]
    if words and words[-1] + 1 < commas[0]:
        prefix = text[: tokens[words[-1] + 1].start]
        yield Rewritten(apart(commas, prefix), _EACH)


def _repeat_statement(place: Surroundings, text: str) -> Iterator[Rewritten]:
    often = _OFTEN.search(text)
    if often is None or "=>" in text or "," in text:
        return
    once = text[: often.start()] + text[often.end() :]
    begins = tokens_of(once)[first_after_actor(tokens_of(once)) :]
    if begins and normal(begins[0].text) in place.verbs:
        several = "; ".join([once] * int(often[1] or often[2]))
        yield Rewritten(several, _EACH)


# ---------------------------------------------------------------- outcomes


def _remove_needless_arrow(place: Surroundings, text: str) -> Iterator[Rewritten]:
    head, arrow, tail = text.partition("=>")
    named = {normal(token.text) for token in tokens_of(tail)}.isdisjoint(place.vocabulary.keywords)
    if arrow and head.strip() and named and place.phase != "turns":
        yield Rewritten(f"{head.strip()} {tail.strip()}", "`=>` is not needed here")


def _remove_final_arrow(_place: Surroundings, text: str) -> Iterator[Rewritten]:
    head, arrow, tail = text.partition("=>")
    if arrow and head.strip() and not tail.strip():
        yield Rewritten(head.strip(), "`=>` is not needed here")


def _insert_arrow(_place: Surroundings, text: str) -> Iterator[Rewritten]:
    tokens = tokens_of(text)
    if any(token.kind == "arrow" for token in tokens):
        return
    for before, token in pairwise(tokens):
        head, tail = text[: before.end], text[token.start :]
        if token.kind == "colon":
            head, tail = text[: token.start].rstrip(), text[token.end :].lstrip()
        elif before.kind == "comma":
            head = text[: before.start].rstrip()
        if before.kind != "colon" and tail:
            yield Rewritten(f"{head} => {tail}", _DRAWN)


def _insert_closing_word(place: Surroundings, text: str) -> Iterator[Rewritten]:
    for move in place.pack.moves if text.startswith("=>") else ():
        verb = move.patterns[0].verb
        if move.closes and place.phase in move.phases:
            yield Rewritten(f"{verb} {text}", Text("`{word}` is missing", word=verb), certain=False)


# ---------------------------------------------------------------- the table

HEADINGS: Sequence[Way] = (
    _remove_control_characters,
    shorten_section_heading,
    rewrite_turn_heading,
    correct_heading,
)

SURE: Sequence[Way] = (
    _remove_control_characters,
    _replace_signs,
    _remove_brackets,
    _correct_colon,
    _replace_common_words,
    _rewrite_alternative_form,
    _divide_shorthand,
    _move_counts_first,
    _insert_commas,
    _divide_list,
    _insert_arrow,
    _remove_final_arrow,
    _correct_name,
)

FURTHER: Sequence[Way] = (
    *SURE,
    _repeat_statement,
    _insert_missing_word,
    _move_actor_first,
    _remove_needless_arrow,
)

GUESSES: Sequence[Way] = (*FURTHER, _replace_unknown_word, _insert_closing_word)

BEGINNINGS: Sequence[Way] = (_insert_first_word,)

CLAIMS: Sequence[Way] = (rewrite_claim,)

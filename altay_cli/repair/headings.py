"""The kinds of change that make headings and claims of a result readable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from unicodedata import normalize

from altay_cli.base.suggest import normal, slips
from altay_cli.base.translations import languages, template
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import SectionKind
from altay_cli.pack.model import Pack
from altay_cli.repair.surroundings import POSSESSIVE, Rewritten, Surroundings

_NOT_IN_HEADINGS = re.compile(r"[^\w\s\[\](){}:.,;。：#/|\-–—=*~]")
_SCORED = frozenset({"score", "total", ""})
_WON = frozenset({"winner", ",", ""})


def categories(pack: Pack) -> Mapping[str, str]:
    """Return the scoring categories by name."""
    totals = [template(code, "Total") for code in languages()]
    names = dict.fromkeys(map(normal, ("score", "total", *totals)), "score")
    for category in pack.categories:
        title = category.title
        titles = [texts[title] for texts in pack.texts.values() if title in texts]
        names |= dict.fromkeys(map(normal, (category.id, title, *titles)), category.id)
    return names


def shorten_section_heading(place: Surroundings, text: str) -> Iterator[Rewritten]:
    """Write the heading of a section as its word alone."""
    words = re.sub(r"[\[\](){}:.,。：\-–—=*~_]+", " ", text).split()
    for canonical in (words, [(*place.meanings(word), word)[0] for word in words]):
        if parse(" ".join(canonical)).section not in {None, SectionKind.TURN}:
            yield Rewritten(" ".join(canonical), "the heading of a section is one word alone")


def rewrite_turn_heading(place: Surroundings, text: str) -> Iterator[Rewritten]:
    """Write the heading of a turn from its number, its player and common words."""
    bare = POSSESSIVE.sub(" ", normalize("NFKC", text))
    players, rest = place.named(bare)

    def number(word: re.Match[str]) -> str:
        return next(filter(str.isdecimal, place.meanings(word[0])), word[0])

    rest = re.sub(r"\w+", number, rest)
    numbers = re.findall(r"[0-9]+", rest)
    words = re.findall(r"[^\W\d_]+", rest)
    if len(numbers) != 1 or _NOT_IN_HEADINGS.search(rest):
        return
    for move in place.pack.moves:
        verb = move.patterns[0].verb if move.heading else ""
        is_verb = all(not place.senses(word).isdisjoint({verb, ""}) for word in words)
        if verb and is_verb and len(players) == (move.actor is not None):
            canonical = " ".join([verb, str(int(numbers[0][:9])), *players])
            yield Rewritten(canonical, "this is how the heading of a turn is written")


def round_of(place: Surroundings, text: str) -> int | None:
    """Return the number in a heading of a round without a player."""
    players, rest = place.named(normalize("NFKC", text))
    words = re.findall(r"[^\W\d_]+", rest)
    numbers = re.findall(r"[0-9]+", rest)
    if players or len(numbers) != 1 or not words or re.search(r"[^\w\s.:#\-–—=*]", rest):
        return None
    verbs = {move.patterns[0].verb for move in place.pack.moves if move.heading and move.actor}
    if all(verbs & place.senses(word) for word in words):
        return int(numbers[0][:9])
    return None


def turn_of(place: Surroundings, text: str, number: int) -> str | None:
    """Return the heading of a turn for a player's name."""
    players, rest = place.named(normalize("NFKC", text))
    move = next((move for move in place.pack.moves if move.heading and move.actor), None)
    if move is None or len(players) != 1 or re.sub(r"[\s.:\-–—=*]", "", rest):
        return None
    return f"{move.patterns[0].verb} {number} {players[0]}"


def unnumbered_turn(place: Surroundings, text: str) -> tuple[str, str] | None:
    """Return the word and the player of a heading without a number."""
    bare = POSSESSIVE.sub(" ", normalize("NFKC", text))
    players, rest = place.named(bare)
    words = re.findall(r"[^\W_]+", rest)
    if len(players) != 1 or not words or _NOT_IN_HEADINGS.search(rest):
        return None
    for move in place.pack.moves:
        verb = move.patterns[0].verb if move.heading and move.actor else ""
        if verb and all(verb in place.senses(word) for word in words):
            return verb, players[0]
    return None


def correct_heading(place: Surroundings, text: str) -> Iterator[Rewritten]:
    """Correct one letter of the first word."""
    first = re.split(r"\W", text, maxsplit=1)[0]
    for word in sorted({*SectionKind, *place.pack.headings}):
        if slips(first.casefold(), word) == 1:
            corrected = word + text[len(first) :]
            yield Rewritten(corrected, "the heading may be misspelled", certain=False)


def rewrite_claim(place: Surroundings, text: str) -> Iterator[Rewritten]:
    """Write a score or the winners as a claim."""
    plain = normalize("NFKC", text).replace("\N{MINUS SIGN}", "-")
    if place.phase != "result" or re.search(r"\w-[0-9]", plain):
        return  # a hyphen may be a sign
    players, rest = place.named(plain)
    words = re.findall(r"(?:(?<![^\s:=(])-)?(?:[0-9]+|\w+)", rest)
    numbers = [word for word in words if word.removeprefix("-").isdecimal()]
    others = [word for word in words if word not in numbers]
    meanings = [place.senses(word) for word in others]
    category = categories(place.pack).get(normal(" ".join(others)))
    if not any(map(_SCORED.isdisjoint, meanings)):
        category = "score"
    if len(players) == len(numbers) == 1 and category is not None:
        claim = f"{players[0]}: {category} {numbers[0]}"
    elif players and not numbers and any("winner" in words for words in meanings):
        claim = f"winner {', '.join(dict.fromkeys(players))}"
        if any(map(_WON.isdisjoint, meanings)) or (":" in text and "," in claim):
            return
    else:
        return
    yield Rewritten(claim, "this is how a result is claimed")

"""The surroundings of a statement to correct: the words of its game, its phase and players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from altay_cli.base.suggest import find_name, normal, typed
from altay_cli.base.values import Entity
from altay_cli.moves.wording import pattern_words, speller
from altay_cli.notation.parser import Token, tokens_of
from altay_cli.pack.binding import Binder
from altay_cli.pack.model import Pack, Phase


class Rewritten(NamedTuple):
    """A changed text.

    why: the message for the correction.
    certain: no other correction is plausible.
    readable: False if it has unknown names.
    """

    text: str
    why: str
    certain: bool = True
    readable: bool = True


class Vocabulary(NamedTuple):
    """The words in statements of a game."""

    verbs: Mapping[Phase | None, frozenset[str]]
    keywords: frozenset[str]
    names: frozenset[str]
    longest: int


def _vocabulary(pack: Pack) -> Vocabulary:
    verbs: dict[Phase | None, set[str]] = {"result": {"winner", "loser", "draw"}}
    keywords: set[str] = set()
    for move in (*pack.moves, *pack.claims):
        for pattern in move.patterns:
            for phase in () if move.heading or not pattern.verb else move.phases:
                verbs.setdefault(phase, set()).add(pattern.verb)
            keywords.update(pattern_words(pattern.parts))
    names = frozenset(name for table in pack.names.values() for name in table if "(" not in name)
    longest = max((len(name.split()) for name in (*names, *pack.words)), default=1)
    of_sections = {phase: frozenset(words) for phase, words in verbs.items()}
    return Vocabulary(of_sections, frozenset(keywords), names, longest)


class Surroundings(NamedTuple):
    """The context of a statement: its phase and the players so far.

    before: the phase of the section before, until this one has a statement.
    """

    binder: Binder
    phase: Phase | None = None
    before: Phase | None = None

    @property
    def pack(self) -> Pack:
        """The rules."""
        return self.binder.pack

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of the game, cached."""
        return self.pack.cached(_vocabulary)

    @property
    def verbs(self) -> frozenset[str]:
        """The first words of statements in this phase."""
        return self.vocabulary.verbs.get(self.phase, frozenset())

    @property
    def players(self) -> Mapping[str, Entity]:
        """The players so far, by name."""
        return self.binder.players

    def meanings(self, word: str) -> Sequence[str]:
        """Return the words of statements that a word may stand for."""
        return self.pack.words.get(normal(word), ())

    def senses(self, word: str) -> set[str]:
        """Return a word, and those that it may stand for."""
        return {normal(word), *self.meanings(word)}

    def player_at(self, tokens: Sequence[Token], at: int) -> int:
        """Return how many tokens from ``at`` on name a player."""
        most = max((len(name.split()) for name in self.players), default=0)
        for size in range(min(most, len(tokens) - at), 0, -1):
            part = tokens[at : at + size]
            words = all(token.kind in {"word", "number"} for token in part)
            if words and find_name(joined(part), self.players) is not None:
                return size if part[0].kind == "word" else 0
        return 0

    def name_length_at(self, tokens: Sequence[Token], at: int) -> int:
        """Return how many tokens from ``at`` on are the longest known name."""
        part = tokens[at : at + self.vocabulary.longest]
        if not part or part[0].kind != "word":
            return 0
        return longest_known(part, {"word", "number"}, self.vocabulary.names)

    def names_in(self, text: str) -> Counter[str]:
        """Count the names in a text, the longest at each place."""
        tokens, found, at = tokens_of(text), Counter[str](), 0
        while at < len(tokens):
            size = self.name_length_at(tokens, at)
            name = normal(joined(tokens[at : at + size]))
            if size and name not in self.pack.words:
                found[name] += 1
            at += size or 1
        return found

    def named(self, text: str) -> tuple[list[str], str]:
        """Return the players that a text names, and its rest."""
        ways = {typed(name): player for name, player in self.players.items()}
        longest = sorted((ways | dict(self.players)).items(), key=lambda entry: -len(entry[0]))
        spaced = [r"\s+".join(map(re.escape, name.split())) for name, _ in longest]
        if not spaced:
            return [], text
        spelled = [speller(self.pack).player(player.id) for _, player in longest]
        player_names = re.compile(rf"(?i)(?<!\w)(?:({')|('.join(spaced)}))(?!\w)")
        players = [spelled[(found.lastindex or 1) - 1] for found in player_names.finditer(text)]
        return players, player_names.sub(" ", text)


Way = Callable[[Surroundings, str], Iterator[Rewritten]]


# ---------------------------------------------------------------- tokens and edits

POSSESSIVE = re.compile(r"(?i)(?<=\w)['’]s\b")


def longest_known(tokens: Sequence[Token], kinds: set[str], known: Container[str]) -> int:
    """Return how many tokens, from the first on, are together in ``known``."""
    for size in range(len(tokens), 0, -1):
        part = tokens[:size]
        if all(token.kind in kinds for token in part) and normal(joined(part)) in known:
            return size
    return 0


def joined(tokens: Sequence[Token]) -> str:
    """Return the text of tokens."""
    return " ".join(token.text for token in tokens)


def edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Replace parts of a text, each given by start, end and its replacement, in order."""
    for start, end, put in reversed(edits):
        text = text[:start] + put + text[end:]
    return text


def first_after_actor(tokens: Sequence[Token]) -> int:
    """Return the number of the first token after the name of who acts."""
    return next((n + 1 for n, token in enumerate(tokens) if token.kind == "colon"), 0)

"""Write moves as statements: unambiguous names, quoted where necessary."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby

from altay_cli.base.suggest import normal
from altay_cli.base.values import Bag, Entity
from altay_cli.notation.lexis import quote
from altay_cli.notation.parser import tokens_of
from altay_cli.pack.model import MoveDef, Pack, PatternPart, slots_in, slots_of
from altay_cli.pack.words import times

Written = Mapping[str, str]
"""Empty slots are absent."""


class Speller:
    """Writes the names of a pack as AGN, in one language."""

    def __init__(self, pack: Pack, language: str = "en") -> None:
        self._names = pack.names
        self._shown = {**pack.shown.get("en", {}), **pack.shown.get(language, {})}
        self._words = frozenset(
            word
            for move in (*pack.moves, *pack.claims)
            for p in move.patterns
            for word in pattern_words(p.parts)
        )
        self._spelled: dict[Entity, tuple[str, str, tuple[Entity, ...]]] = {}

    def name(self, thing: Entity, visible: Bag | Collection[Entity] | None = None) -> str:
        """Return a name of ``thing`` that is unique in ``visible``."""
        if thing.kind == "player":
            return self.player(thing.id)
        plain, exact, entities = self._names_of(thing)
        if visible is None or len(entities) == 1:
            return exact
        return (
            plain if all(entity is thing or entity not in visible for entity in entities) else exact
        )

    def exact(self, thing: Entity) -> str:
        """Return a name that only ``thing`` has, if there is one."""
        return self._names_of(thing)[1]

    def player(self, name: str) -> str:
        """Return a player's name, quoted where necessary."""
        return name if self._is_plain(name) else quote(name)

    def drawn(self, drawn: Iterable[tuple[Entity, Bag]]) -> str:
        """Return a counted list of drawn entities, each with its bag."""
        return counted([self.name(thing, visible) for thing, visible in drawn])

    def statement(self, move: MoveDef, written: Written) -> str | None:
        """Return the statement with exactly these slots, if a pattern has them."""
        patterns = (
            pattern for pattern in move.patterns if set(slots_of(pattern)).issuperset(written)
        )
        texts = (fill(pattern.parts, written) for pattern in patterns)
        return next((text for text in texts if text is not None), None)

    # ------------------------------------------------------------ names

    def _names_of(self, thing: Entity) -> tuple[str, str, tuple[Entity, ...]]:
        """Return the usual name, a unique name, and the entities with the usual name.

        A mark in brackets tells copies apart.
        """
        known = self._spelled.get(thing)
        if known is None:
            shown = self._shown.get(f"{thing.kind} {thing.id}", thing.id)
            names, base, plain = self._names.get(thing.kind, {}), normal(shown), self._quoted(shown)
            entities = names.get(base, (thing,))
            marks = [
                name[len(base) :]
                for name, means in (names.items() if len(entities) != 1 else ())
                if means == (thing,) and name.startswith(f"{base}(")
            ]
            known = self._spelled[thing] = plain, plain + (marks or [""])[0], entities
        return known

    def _quoted(self, shown: str) -> str:
        base, bracket, marks = shown.partition("(")
        # A number can be a name: `ask Bob for 7`.
        if self._is_plain(base.rstrip()) or (shown.isascii() and shown.isdigit()):
            return shown
        return quote(base.rstrip()) + bracket + marks

    def _is_plain(self, name: str) -> bool:
        tokens = tokens_of(name)
        return (
            bool(tokens)
            and all(token.kind in {"word", "number"} for token in tokens)
            and tokens[0].kind == "word"
            and " ".join(token.text for token in tokens) == name
            and not any(token.text.casefold() in self._words for token in tokens)
        )


def speller(pack: Pack, language: str = "en") -> Speller:
    """Return the cached speller of a pack."""
    return pack.cached(Speller, language)


def counted(names: Iterable[str]) -> str:
    """Return a list in AGN, with repetitions counted."""
    runs = [(name, len(list(same))) for name, same in groupby(names)]
    return ", ".join(times(count, name) for name, count in runs)


# ---------------------------------------------------------------- patterns


def pattern_words(parts: Iterable[PatternPart]) -> Iterable[str]:
    """Yield the words of a pattern, which unquoted names must not contain."""
    for part in parts:
        if part.word:
            yield part.word
        yield from pattern_words(part.inner)


def fill(parts: Iterable[PatternPart], written: Written) -> str | None:
    """Return the filled pattern, unless a required slot is empty."""
    texts: list[str] = []
    for part in parts:
        if part.word:
            texts.append(part.word)
        elif part.slot:
            if part.slot not in written:
                return None
            texts.append(written[part.slot])
        elif any(name in written for name in slots_in(part.inner)):
            inner = fill(part.inner, written)
            if inner is None:
                return None
            texts.append(inner)
    return " ".join(texts)

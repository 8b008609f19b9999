"""From moves to statements: names that mean exactly one thing, quoted where they must be."""

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
"""What is to be written in each slot of a pattern; slots that stay empty are not in it."""


class Speller:
    """Writes the names of one pack in one language, as AGN."""

    def __init__(self, pack: Pack, language: str = "en") -> None:
        self._names = pack.names
        self._shown = {**pack.shown.get("en", {}), **pack.shown.get(language, {})}
        self._words = frozenset(
            word
            for move in (*pack.moves, *pack.claims)
            for p in move.patterns
            for word in words_of(p.parts)
        )
        self._spelled: dict[Entity, tuple[str, str, tuple[Entity, ...]]] = {}

    def name(self, thing: Entity, there: Bag | Collection[Entity] | None = None) -> str:
        """Return a name that means ``thing``, and nothing else of what is ``there``."""
        if thing.kind == "player":
            return self.player(thing.id)
        plain, exact, meant = self._names_of(thing)
        if there is None or len(meant) == 1:
            return exact
        return plain if all(one is thing or one not in there for one in meant) else exact

    def exact(self, thing: Entity) -> str:
        """Return a name that means ``thing`` alone, if it has one."""
        return self._names_of(thing)[1]

    def player(self, name: str) -> str:
        """Return the name of a player, in quotes where it would be read as something else."""
        return name if self._is_plain(name) else quote(name)

    def drawn(self, drawn: Iterable[tuple[Entity, Bag]]) -> str:
        """Return what was drawn, in order and counted, each with the bag that it was drawn from."""
        return counted([self.name(thing, there) for thing, there in drawn])

    def statement(self, move: MoveDef, written: Written) -> str | None:
        """Return the statement with these slots filled; None if no pattern takes just them."""
        patterns = (one for one in move.patterns if set(slots_of(one)).issuperset(written))
        texts = (fill(pattern.parts, written) for pattern in patterns)
        return next((text for text in texts if text is not None), None)

    # ------------------------------------------------------------ names

    def _names_of(self, thing: Entity) -> tuple[str, str, tuple[Entity, ...]]:
        """Return the usual name of a thing, the one that means it alone, and what the first means.

        The mark behind the usual name tells one copy from others.
        """
        known = self._spelled.get(thing)
        if known is None:
            shown = self._shown.get(f"{thing.kind} {thing.id}", thing.id)
            names, base, plain = self._names.get(thing.kind, {}), normal(shown), self._quoted(shown)
            meant = names.get(base, (thing,))
            marks = [
                name[len(base) :]
                for name, means in (names.items() if len(meant) != 1 else ())
                if means == (thing,) and name.startswith(f"{base}(")
            ]
            known = self._spelled[thing] = plain, plain + (marks or [""])[0], meant
        return known

    def _quoted(self, shown: str) -> str:
        """Put the words of a name in quotes where they would be read as something else."""
        base, bracket, marks = shown.partition("(")
        # A number alone is a name where things are named: `ask Bob for 7`.
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
    """Return the speller of a pack in a language, made once."""
    return pack.cached(Speller, language)


def counted(names: Iterable[str]) -> str:
    """Return names as a list of AGN; what stands several times in a row is counted."""
    runs = [(name, len(list(same))) for name, same in groupby(names)]
    return ", ".join(times(count, name) for name, count in runs)


# ---------------------------------------------------------------- patterns


def words_of(parts: Iterable[PatternPart]) -> Iterable[str]:
    """Yield the words of a pattern that a name must not be taken for."""
    for part in parts:
        if part.word:
            yield part.word
        yield from words_of(part.inner)


def fill(parts: Iterable[PatternPart], written: Written) -> str | None:
    """Return the parts with their slots filled; None if one that is needed stays empty."""
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

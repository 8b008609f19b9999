"""How statements are written: patterns matched with items, lists split, names of players read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from altay_cli.base.findings import ReadError
from altay_cli.base.text import Text
from altay_cli.notation import Item, Kind
from altay_cli.pack.model import MoveDef, Optional, Pack, Pattern, PatternPart, SlotRef, Word

MAX_NAME = 60
"""How long a player's name can be, in characters."""


class PatternStep(NamedTuple):
    """A part of a pattern as statements are matched with it; one of the first three is there.

    ``word`` is a word of the pattern, ``slot`` a place for a value, ``inner`` a part that may be
    left out. A value reaches to the first of the words in ``stops``, or is a ``single`` number.
    """

    word: str
    slot: str
    inner: tuple[PatternStep, ...]
    stops: frozenset[str]
    single: bool


def steps_of(parts: Sequence[PatternPart], outer: frozenset[str]) -> tuple[PatternStep, ...]:
    """Return the steps of a pattern; ``outer`` are the words that may come behind it."""
    steps = []
    for number, part in enumerate(parts):
        rest = parts[number + 1 :]
        stops = _stops(rest, outer)
        match part:
            case Word(text):
                steps.append(PatternStep(text, "", (), stops, False))
            case Optional(inner):
                steps.append(PatternStep("", "", steps_of(inner, stops), stops, False))
            case SlotRef(name):
                follows = rest[0] if rest else None
                if isinstance(follows, Optional):
                    follows = follows.parts[0]
                # Directly before another slot a slot takes a single number: `turn 3 Ann`.
                steps.append(PatternStep("", name, (), stops, isinstance(follows, SlotRef)))
    return tuple(steps)


def words_of(items: Sequence[Item]) -> list[str]:
    """Return the items in lower case, "" for what is not a word."""
    return [item.text.casefold() if item.kind is Kind.WORD else "" for item in items]


def slots_in(
    steps: tuple[PatternStep, ...], items: Sequence[Item], words: Sequence[str]
) -> dict[str, tuple[Item, ...]] | None:
    """Return what stands in each slot, or None if the statement is not so written.

    ``words`` are those of the items, see ``words_of``. A slot reaches to the first word
    that the pattern goes on with, so one pass is enough.
    """
    captured: dict[str, tuple[Item, ...]] = {}
    end = _match_steps(steps, items, words, 0, captured)
    return captured if end == len(items) else None


def capture(pattern: Pattern, items: Sequence[Item]) -> dict[str, tuple[Item, ...]] | None:
    """Return what stands in each slot of a pattern, or None if a statement is not so written."""
    return slots_in(steps_of(pattern.parts, frozenset()), items, words_of(items))


class OtherForm(NamedTuple):
    """A way to write a move that is not its own, but is meant as that."""

    move: MoveDef
    pattern: Pattern
    steps: tuple[PatternStep, ...]

    def capture(self, items: Sequence[Item]) -> dict[str, tuple[Item, ...]] | None:
        """Return what stands in each slot, or None if a statement is not so written."""
        return slots_in(self.steps, items, words_of(items))


def other_forms(pack: Pack) -> Sequence[OtherForm]:
    """Return the other ways to write the moves of a game, collected once."""
    return pack.kept(_other_forms)


def _other_forms(pack: Pack) -> Sequence[OtherForm]:
    return [
        OtherForm(move, pattern, steps_of(pattern.parts, frozenset()))
        for move in pack.moves
        for pattern in (() if move.heading else move.also)
    ]


def _match_steps(
    steps: tuple[PatternStep, ...],
    items: Sequence[Item],
    words: Sequence[str],
    at: int,
    captured: dict[str, tuple[Item, ...]],
) -> int:
    """Match steps from the item ``at`` on; returns where they end, or -1."""
    size = len(items)
    for word, slot, inner, stops, single in steps:
        if word:
            if at >= size or words[at] != word:
                return -1
            at += 1
        elif slot:
            end = at
            if single:
                if at < size and items[at].kind is Kind.NUMBER:
                    end += 1
            else:
                while end < size and words[end] not in stops:
                    end += 1
            if end == at:
                return -1
            captured[slot] = tuple(items[at:end])
            at = end
        elif at < size and (
            words[at] == inner[0].word if inner[0].word else words[at] not in stops
        ):
            at = _match_steps(inner, items, words, at, captured)
            if at < 0:
                return -1
    return at


def _stops(parts: Sequence[PatternPart], outer: frozenset[str]) -> frozenset[str]:
    """Return the words that may come next."""
    stops: set[str] = set()
    for part in parts:
        if isinstance(part, Word):
            return frozenset(stops | {part.text})
        if isinstance(part, Optional):
            first = part.parts[0]
            if isinstance(first, Word):
                stops.add(first.text)
            else:
                stops |= _stops(part.parts, frozenset())
        else:
            return frozenset(stops)
    return frozenset(stops | outer)


# ---------------------------------------------------------------- lists and players


def elements(items: Sequence[Item]) -> Sequence[Sequence[Item]]:
    """Split items at the commas."""
    if len(items) == 1 and items[0].kind is not Kind.COMMA:
        return (items,)
    if Kind.COMMA not in [item.kind for item in items]:
        return [list(items)]
    elements: list[list[Item]] = [[]]
    for item in items:
        if item.kind is Kind.COMMA:
            elements.append([])
        else:
            elements[-1].append(item)
    return elements


def player_name(items: Sequence[Item]) -> str:
    """Return the name of a player as written."""
    return " ".join(item.text for item in items if item.kind is not Kind.COMMA)


def bad_player_name(items: Sequence[Item]) -> ReadError | None:
    """Say why the items cannot be the name of a player; None if they can."""
    place = (items[0].start, items[-1].end)
    name = player_name(items)
    if any(item.kind in {Kind.COMMA, Kind.HIDDEN, Kind.QUALIFIER} for item in items):
        return ReadError("player-name", "a player's name is words, or a text in quotes", *place)
    if not name.strip():
        return ReadError("player-name", "a player's name is missing between the quotes", *place)
    if len(name) > MAX_NAME:
        message = Text(
            "a player's name has at most {most} characters, not {count}",
            most=MAX_NAME,
            count=f"{len(name):,}",
        )
        return ReadError("player-name", message, *place)
    return None

"""What a statement can mean by how it is written: a candidate for each move, with what fills it.

Patterns are matched with items, lists split, names of players read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from altay_cli.base.findings import ReadError, Text
from altay_cli.base.suggest import normal
from altay_cli.base.values import UNRECORDED, Bag, Drawn, Entity
from altay_cli.notation import GameRecord, Item, Kind, SectionKind
from altay_cli.pack.model import MoveDef, Pattern, PatternPart, Shape

MAX_NAME = 60
"""How long a player's name can be, in characters."""


def words_of(items: Sequence[Item]) -> list[str]:
    """Return the items in lower case, "" for what is not a word."""
    return [item.text.casefold() if item.kind is Kind.WORD else "" for item in items]


def slots_in(
    parts: tuple[PatternPart, ...], items: Sequence[Item], words: Sequence[str]
) -> dict[str, tuple[Item, ...]] | None:
    """Return what stands in each slot, or None if the statement is not so written.

    ``words`` are those of the items, see ``words_of``. A slot reaches to the first word
    that the pattern goes on with, so one pass is enough.
    """
    captured: dict[str, tuple[Item, ...]] = {}
    end = _match(parts, items, words, 0, captured)
    return captured if end == len(items) else None


def capture(pattern: Pattern, items: Sequence[Item]) -> dict[str, tuple[Item, ...]] | None:
    """Return what stands in each slot of a pattern, or None if a statement is not so written."""
    return slots_in(pattern.parts, items, words_of(items))


def _match(
    parts: tuple[PatternPart, ...],
    items: Sequence[Item],
    words: Sequence[str],
    at: int,
    captured: dict[str, tuple[Item, ...]],
) -> int:
    """Match parts from the item ``at`` on; returns where they end, or -1."""
    size = len(items)
    for word, slot, inner, stops, single in parts:
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
            at = _match(inner, items, words, at, captured)
            if at < 0:
                return -1
    return at


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
    return " ".join([item.text for item in items if item.kind is not Kind.COMMA])


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


def on_pad(record: GameRecord) -> Sequence[str]:
    """Return the players whom a result that stands alone names, a score pad; none of other logs.

    They are those of whom it tells points; where it tells none, those who have won or lost.
    """
    if any(section.kind is not SectionKind.RESULT for section in record.sections):
        return ()
    told = [one for section in record.sections for one in section.statements]
    named: list[Sequence[Item]] = [one.actor for one in told if one.actor] or [
        element
        for one in told
        if one.items and one.items[0].text.casefold() in {"winner", "loser"}
        for element in elements(one.items[1:])
    ]
    names: dict[str, str] = {}
    for items in named:
        if items and bad_player_name(items) is None:
            names.setdefault(normal(player_name(items)), player_name(items))
    return tuple(names.values())


# ---------------------------------------------------------------- candidates

MAX_CHOICES = 12
"""How many possibilities a message lists."""


class Mistakes(Enum):
    """What becomes of the mistakes of a reading."""

    DROPPED = "nobody is told of them, as the reading is dropped"
    TOLD = "it is told what is wrong"
    GUESSED = "it is told as well what may have been meant"


MISTAKE = ReadError("unreadable", "a name is unknown")
"""Stands for a mistake of a reading that is dropped."""

Values = dict[str, object]
"""The values of local names at some moment."""


@dataclass(eq=False, slots=True)
class WrittenName:
    """A name as written: how many, what it may stand for, and where it is in the statement.

    ``entities`` is empty for `?`. ``value`` is what is written where a number is asked for.
    """

    count: int
    entities: tuple[Entity, ...]
    exact: bool
    text: str
    start: int
    end: int
    value: int = 0


class Candidate:
    """A statement read as one move: what is written in each slot, and its places.

    ``errors`` are names that could not be read; what has no other meaning fills no slot. ``words``
    counts the words of the statement that are the pattern's own.
    """

    def __init__(self, move: MoveDef, words: int = 0) -> None:
        self.move = move
        self.words = words
        self.slots: dict[str, list[WrittenName]] = {}
        self.drawn: dict[str, Drawn] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self.errors: list[ReadError] = []

    @property
    def usable(self) -> bool:
        """Whether each slot is filled for which something is written."""
        return all(name in self.slots or name in self.drawn for name in self.places)

    @cached_property
    def repetitions(self) -> int:
        """How many moves the statement stands for: `build F2, F3` are two."""
        each = [written for name, written in self.slots.items() if self.move.slots[name].each]
        return sum([one.count for one in each[0]]) if each else 1

    @cached_property
    def values(self) -> tuple[Values, ...] | None:
        """The values of all slots, for each of these moves; they are never changed.

        None where a name is unknown, or may mean something else in another state.
        """
        return None if self.errors else _values_of(self)


def _values_of(parsed: Candidate) -> tuple[Values, ...] | None:
    values: Values = {}
    each: tuple[str, list[Entity]] | None = None
    for name, slot in parsed.move.slots.items():
        written = parsed.slots.get(name)
        if slot.shape is Shape.DRAWN:
            values[name] = parsed.drawn.get(name, UNRECORDED)
        elif written is None:
            if slot.infer is None:
                values[name] = slot.empty
        elif slot.shape is Shape.NEW_PLAYER or (
            slot.each and parsed.repetitions != 1 and slot.shape is not Shape.ENTITY
        ):
            return None
        elif slot.shape is Shape.INT:
            values[name] = written[0].value
        elif not slot.kind:
            values[name] = [one.value for one in written]
        elif [one for one in written if len(one.entities) != 1]:
            return None
        elif slot.shape is Shape.BAG:
            bag = values[name] = Bag()
            for one in written:
                entity = one.entities[0]
                bag[entity] = bag.get(entity, 0) + one.count
        elif slot.shape is Shape.LIST:
            values[name] = [one.entities[0] for one in written for _ in range(one.count)]
        elif len(written) == 1 and written[0].count == 1:
            values[name] = written[0].entities[0]
        elif slot.each:
            each = name, [one.entities[0] for one in written for _ in range(one.count)]
        else:
            return None
    if each is None:
        return (values,)
    return tuple({**values, each[0]: thing} for thing in each[1])

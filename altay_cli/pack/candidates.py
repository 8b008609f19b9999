"""What a statement can mean by how it is written: a candidate for each move, with what fills it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from altay_cli.base.findings import ReadError
from altay_cli.base.values import UNRECORDED, Bag, Drawn, Entity
from altay_cli.pack.model import MoveDef, Shape

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

"""The values of rule expressions: entities, bags and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat, starmap
from typing import Any, NamedTuple

from altay_cli.base.findings import Subject, UnrecordedError


class UnrecordedValue:
    """A value that the log does not record; any use raises UnrecordedError.

    >>> UnrecordedValue("the hand of Ann is not recorded") + 1
    Traceback (most recent call last):
    altay_cli.base.findings.UnrecordedError: the hand of Ann is not recorded
    """

    __hash__ = object.__hash__

    def __init__(self, message: str) -> None:
        self.message = message

    def _fail(self, *_: object) -> Any:
        raise UnrecordedError(self.message)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __index__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __neg__ = _fail


class Entity:
    """A named thing of a kind: a card, a territory, a resource, a player.

    Equal only if identical. ``f`` holds the fields of the kind; ``parent`` is what it is a copy of,
    such as the title of a card.

    >>> Entity("card", "sheep")
    <card sheep>
    """

    __slots__ = ("f", "id", "index", "kind", "parent")

    known = True
    """False for a placeholder of an unknown entity."""

    def __init__(self, kind: str, ident: str, index: int = 0) -> None:
        self.kind = kind
        self.id = ident
        self.index = index
        self.f: dict[str, Any] = {}
        self.parent: Entity | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id}>"


class Found:
    """An entity that was drawn or named, and its ``kind`` once known.

    Both are numbers of ``hidden.beliefs``.
    """

    __slots__ = ("kind", "zone")

    def __init__(self, zone: int) -> None:
        self.zone = zone
        self.kind: int | None = None


Sink = list[Found]
"""Collects the things drawn, or those that a name means."""


class Placeholder(Entity):
    """An entity that is not yet identified: one of several (``among``).

    shown: the one whose fields it has.
    cell: where it is hidden.
    line: where it was named or drawn.
    identity: known once later events show it (see ``hidden.course``).
    equals: compares an unseen one with another entity; a named one (``known``) equals only itself.
    """

    __slots__ = ("among", "cell", "equals", "identity", "known", "line")

    def __init__(
        self,
        among: Sequence[Entity],
        shown: Entity,
        cell: int,
        line: int,
        equals: Callable[[Placeholder, Entity], bool] | None = None,
    ) -> None:
        super().__init__(shown.kind, shown.id, shown.index)
        self.f, self.parent = shown.f, shown.parent
        self.among = tuple(among)
        self.cell = cell
        self.identity: Sink = []
        self.line = line
        self.equals = equals
        self.known = equals is None

    def __eq__(self, other: object) -> bool:
        if self is other or self.equals is None or not isinstance(other, Entity):
            return self is other
        return self.equals(self, other)

    __hash__ = Entity.__hash__

    @property
    def differs(self) -> bool:
        """Whether it may be different entities, not only copies."""
        return len({entity.parent or entity for entity in self.among}) > 1


class Unknown(NamedTuple):
    """The unknown part of a bag.

    hidden: how many of its entities are unidentified.
    places: the cells where these are; set by sums only, as other results may hold just some.
    absent: how many listed entities are not there, after a mistake in the log.
    unsure: the log was wrong about this bag, so later claims are accepted.
    """

    hidden: int = 0
    absent: int = 0
    unsure: bool = False
    places: tuple[int, ...] = ()


ALL_KNOWN = Unknown()


class Bag(dict[Entity, int]):
    """How many there are of each entity, never zero; not modified once it is in a cell.

    Sums, differences and multiples include unknown entities in their sizes; ``in``, ``has`` and
    ``overlap`` consider only those listed.
    """

    # On the class, as few bags differ.
    unknown: Unknown = ALL_KNOWN

    __hash__ = object.__hash__  # type: ignore[assignment]

    def size(self) -> int:
        """Return how many entities are in the bag, known or not.

        >>> partly_known({Entity("card", "sheep"): 2}, Unknown(hidden=3)).size()
        5
        """
        return sum(self.values()) + self.unknown.hidden - self.unknown.absent


class Odds(Bag):
    """How likely each entity is, per 1,000."""


def partly_known(items: Mapping[Entity, int], unknown: Unknown) -> Bag:
    """Return a bag of known items with an unknown part.

    >>> partly_known({}, Unknown(hidden=3)).unknown.hidden
    3
    """
    bag = Bag(items)
    bag.unknown = unknown
    return bag


NOTHING = Bag()


def unseen_in(bag: Bag) -> list[Placeholder]:
    """Return the placeholders of unseen entities, such as face-down cards."""
    return [item for item in bag if isinstance(item, Placeholder) and not item.known]


def bag_of(items: Iterable[Entity]) -> Bag:
    """Return the bag that counts ``items``.

    >>> sheep = Entity("card", "sheep")
    >>> bag_of([sheep, sheep])
    {<card sheep>: 2}
    """
    bag = Bag()
    for item in items:
        bag[item] = bag.get(item, 0) + 1
    return bag


def entities_in(value: object) -> Iterator[Entity]:
    """Yield the entities in a value, each followed by what it is a copy of.

    >>> list(entities_in([2, Entity("card", "sheep"), "text"]))
    [<card sheep>]
    """
    if isinstance(value, Entity):
        yield value
        if value.parent is not None:
            yield value.parent
    elif isinstance(value, Mapping | list | tuple):
        for item in value:
            yield from entities_in(item)


def subjects_of(*values: object) -> tuple[Subject, ...]:
    """Return the known entities in some values, each once, for ``Finding.about``.

    >>> sheep = Entity("card", "sheep")
    >>> subjects_of(bag_of([sheep, sheep]), 3)
    (Subject(kind='card', id='sheep'),)
    """
    known = (Subject(item.kind, item.id) for item in entities_in(values) if item.known)
    return tuple(dict.fromkeys(known))


def copies_together(things: Iterable[Entity]) -> list[list[Entity]]:
    """Group entities by what they are copies of.

    >>> title = Entity("title", "sheep")
    >>> first, second, other = Entity("card", "s1"), Entity("card", "s2"), Entity("card", "goat")
    >>> first.parent = second.parent = title
    >>> copies_together([first, other, second])
    [[<card s1>, <card s2>], [<card goat>]]
    """
    groups: dict[Entity, list[Entity]] = {}
    for thing in things:
        groups.setdefault(thing.parent or thing, []).append(thing)
    return list(groups.values())


def expand(bag: Bag) -> list[Entity]:
    """Return each entity in ``bag`` as often as it is there.

    >>> expand(Bag({Entity("card", "sheep"): 2}))
    [<card sheep>, <card sheep>]
    """
    return list(chain.from_iterable(starmap(repeat, bag.items())))


def plus_item(bag: Bag, item: Entity) -> Bag:
    """Return a copy of ``bag`` with one more of ``item``.

    >>> sheep = Entity("card", "sheep")
    >>> plus_item(NOTHING, sheep)
    {<card sheep>: 1}
    """
    result = Bag(bag)
    result[item] = result.get(item, 0) + 1
    return result


@dataclass(eq=False, slots=True)
class WrittenName:
    """A name as written in a log.

    ``entities`` are those possible, none for `?`. ``value`` is the number where the name is one.
    """

    count: int
    entities: tuple[Entity, ...]
    exact: bool
    text: str
    start: int
    end: int
    value: int = 0


class Drawn:
    """The result of a draw according to the log; ``items`` is None if it is not recorded.

    >>> sheep = Entity("card", "sheep")
    >>> drawn = Drawn([WrittenName(1, (sheep,), True, "Sheep", 0, 5)])
    >>> drawn.size(), drawn.first(), drawn.count(sheep)
    (1, <card sheep>, 1)
    >>> UNRECORDED.given()
    False
    """

    __slots__ = ("items",)

    def __init__(self, items: list[WrittenName] | None) -> None:
        self.items = items

    def __iter__(self) -> Iterator[WrittenName]:
        return iter(self.items or [])

    def given(self) -> bool:
        """Return True if the log records the draw, even of nothing."""
        return self.items is not None

    def by_chance(self) -> bool:
        """Return True if the program draws, as in a simulation."""
        return False

    def size(self) -> int:
        """Return how many entities the log records, named or not."""
        return len(self.items or ())

    def first(self) -> Entity | None:
        """Return the first entity; None if it is not named."""
        named = self.items[0].entities if self.items else ()
        return named[-1] if named else None

    def count(self, thing: Entity) -> int:
        """Return how often an entity is named unambiguously."""
        return sum(item.entities == (thing,) for item in self.items or ())

    def part(self, first: int, end: int | None = None) -> Drawn:
        """Return the draws from index ``first`` up to ``end``.

        >>> unnamed(5).part(1, 3).size()
        2
        """
        return self if self.items is None else Drawn(self.items[first:end])


UNRECORDED = Drawn(None)


def unnamed(count: int) -> Drawn:
    """Return a draw of ``count`` unnamed entities, or ``UNRECORDED`` for none.

    >>> unnamed(2).size(), unnamed(0) is UNRECORDED
    (2, True)
    """
    return Drawn([WrittenName(1, (), False, "?", 0, 0)] * count) if count > 0 else UNRECORDED


# ---------------------------------------------------------------- chance

Pick = Callable[[Bag], Entity]


class Chance(Drawn):
    """A draw decided by the program, not recorded in a log.

    drawn: the entities drawn, each with the bag that it came from, to write a log.
    asked: the `?` in the statement if it says how many are drawn.
    """

    __slots__ = ("asked", "drawn", "pick")

    def __init__(
        self,
        pick: Pick,
        asked: list[WrittenName] | None = None,
        drawn: list[tuple[Entity, Bag]] | None = None,
    ) -> None:
        super().__init__(None)
        self.pick = pick
        self.drawn = [] if drawn is None else drawn
        self.asked = asked

    def given(self) -> bool:
        """Return True if the statement says how many are drawn."""
        return self.asked is not None or super().given()

    def by_chance(self) -> bool:
        """Return True."""
        return True

    def size(self) -> int:
        """Return how many entities are asked for, or else were drawn."""
        return len(self.drawn if self.asked is None else self.asked)

    def part(self, first: int, end: int | None = None) -> Drawn:
        """Return a part of the request; ``drawn`` is shared."""
        return self if self.asked is None else Chance(self.pick, self.asked[first:end], self.drawn)

    def next(self, eligible: Bag) -> WrittenName:
        """Draw one of ``eligible``, which must not be empty."""
        chosen = self.pick(eligible)
        self.drawn.append((chosen, Bag(eligible)))
        return WrittenName(1, (chosen,), True, chosen.id, 0, 0)


def likeliest(bag: Bag) -> Entity:
    """Return the most frequent entity in the bag, the first of several.

    >>> sheep, goat = Entity("card", "sheep"), Entity("card", "goat")
    >>> likeliest(Bag({sheep: 1, goat: 2}))
    <card goat>
    """
    return max(bag, key=lambda item: bag[item])

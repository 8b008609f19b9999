"""The values that rules speak of: entities, bags of them, and what is drawn.

What rules can do with them stands in ``pack.functions``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat, starmap
from typing import Any, NamedTuple

from altay_cli.base.findings import UnrecordedError


class Untold:
    """What lies where nobody wrote it down: whatever is done with it raises an UnrecordedError."""

    __hash__ = object.__hash__

    def __init__(self, message: str) -> None:
        self.message = message

    def _fail(self, *_: object) -> Any:
        raise UnrecordedError(self.message)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __index__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __neg__ = _fail


class Entity:
    """A thing that rules can name: a card, a place, a resource, a player.

    Two entities are the same only if they are the same object. ``f`` holds the
    fields that the pack declares for the kind, every one present. ``parent`` is the
    thing of which this one is a copy: of a card with two points, the card of that title.
    """

    __slots__ = ("f", "id", "index", "kind", "parent")

    known = True
    """Whether it has been named; false for a placeholder of an unknown thing."""

    def __init__(self, kind: str, ident: str, index: int = 0) -> None:
        self.kind = kind
        self.id = ident
        self.index = index
        self.f: dict[str, Any] = {}
        self.parent: Entity | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id}>"


class Found:
    """Something that came, or was named: ``kind`` is what it was, as soon as that is known.

    ``kind`` and ``zone`` are numbers of beliefs, see ``hidden.beliefs``.
    """

    __slots__ = ("kind", "zone")

    def __init__(self, zone: int) -> None:
        self.zone = zone
        self.kind: int | None = None


Sink = list[Found]
"""Where it is noted what a draw brought, or which of several things a name meant."""


class Likeness(Entity):
    """What stands for one of several things: a name was written that may mean any of them.

    It looks like one of them. ``holder`` is the place where that one lies hidden; ``was`` tells
    which it was, if somebody goes back through the events (see ``hidden.course``); ``line`` is
    where it was named.
    """

    __slots__ = ("among", "holder", "line", "was")

    def __init__(self, among: Sequence[Entity], shown: Entity, holder: int, line: int) -> None:
        super().__init__(shown.kind, shown.id, shown.index)
        self.f, self.parent = shown.f, shown.parent
        self.among = tuple(among)
        self.holder = holder
        self.was: Sink = []
        self.line = line

    @property
    def differs(self) -> bool:
        """Whether it may be different things, and not only copies of one."""
        return len({one.parent or one for one in self.among}) > 1


class Unknown(NamedTuple):
    """What is not known of a bag; ``pack.functions`` make that of sums and the like of it.

    ``hidden`` counts the things in it of which nobody wrote down what they are. They lie in
    ``places``, cells of a state; the bag in a cell names that. Only sums keep these, because what
    is made in any other way holds some of the hidden things, or as many as there once were.
    After a slip, ``absent`` counts entries that are listed but not really there, without saying
    which, and ``unsure`` says that the log was wrong, so that what else it says of the bag is
    given the benefit of the doubt.
    """

    hidden: int = 0
    absent: int = 0
    unsure: bool = False
    places: tuple[int, ...] = ()


ALL_KNOWN = Unknown()
"""Nothing is hidden, absent or unsure."""


class Bag(dict[Entity, int]):
    """How many there are of each entity, none of them zero; nobody changes one that lies in a cell.

    Sums, differences and multiples (``pack.functions``) have the size that the sizes of their
    operands give, ``unknown`` things included; what asks for certain things (``in``, ``has``,
    ``overlap``) means those that are listed.
    """

    # Of the class, so that making a bag is no more than making a dictionary: few bags differ.
    unknown: Unknown = ALL_KNOWN

    __hash__ = object.__hash__  # type: ignore[assignment]

    def size(self) -> int:
        """Return how many things are in the bag, known or not."""
        return sum(self.values()) + self.unknown.hidden - self.unknown.absent


def partly_known(items: Mapping[Entity, int], unknown: Unknown) -> Bag:
    """Return a bag with these things in it, of which not all is known."""
    bag = Bag(items)
    bag.unknown = unknown
    return bag


NOTHING = Bag()
"""The bag of nothing, for all cells that hold none."""


def unseen_in(bag: Bag) -> list[Likeness]:
    """Return what stands in a bag for things of which only the back is seen."""
    return [item for item in bag if isinstance(item, Likeness) and not item.known]


def bag_of(items: Iterable[Entity]) -> Bag:
    """Count ``items``."""
    bag = Bag()
    for item in items:
        bag[item] = bag.get(item, 0) + 1
    return bag


def copies_together(things: Iterable[Entity]) -> list[list[Entity]]:
    """Group things: copies of one thing together, different things apart."""
    groups: dict[Entity, list[Entity]] = {}
    for thing in things:
        groups.setdefault(thing.parent or thing, []).append(thing)
    return list(groups.values())


def expand(bag: Bag) -> list[Entity]:
    """List the things in ``bag``, each as often as it is there."""
    return list(chain.from_iterable(starmap(repeat, bag.items())))


def plus_one(bag: Bag, item: Entity) -> Bag:
    """Return ``bag`` with one more of ``item``."""
    result = Bag(bag)
    result[item] = result.get(item, 0) + 1
    return result


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


class Drawn:
    """What the log says that chance brought; ``items`` is None if it says nothing."""

    __slots__ = ("items",)

    def __init__(self, items: list[WrittenName] | None) -> None:
        self.items = items

    def __iter__(self) -> Iterator[WrittenName]:
        return iter(self.items or [])

    def given(self) -> bool:
        """Return whether the log says anything, be it that nothing came."""
        return self.items is not None

    def by_chance(self) -> bool:
        """Return whether the program draws, as in a simulated game, and no log tells what came."""
        return False

    def size(self) -> int:
        """Return how many things the log says that chance brought, known or not."""
        return len(self.items or ())

    def first(self) -> Entity | None:
        """Return the first thing that came; None if it is not named."""
        named = self.items[0].entities if self.items else ()
        return named[-1] if named else None

    def count(self, thing: Entity) -> int:
        """Return how many of a thing it names; a name of several things names none."""
        return sum(item.entities == (thing,) for item in self.items or ())

    def part(self, first: int, end: int | None = None) -> Drawn:
        """Return the draw from the ``first`` thing on, up to the one before ``end``."""
        return self if self.items is None else Drawn(self.items[first:end])


UNRECORDED = Drawn(None)


def unnamed(count: int) -> Drawn:
    """Return a draw of so many things, written as `?`; of none, one that nobody wrote."""
    return Drawn([WrittenName(1, (), False, "?", 0, 0)] * count) if count > 0 else UNRECORDED


# ---------------------------------------------------------------- chance

Pick = Callable[[Bag], Entity]
"""Chooses one thing of a bag that holds something."""


class Chance(Drawn):
    """Takes the place of what a log would say was drawn, and decides each draw as it happens.

    ``pick`` chooses one of the things that can come. ``drawn`` lists what came, each with the
    bag that it came out of at that moment, so that a log of it can be written. ``asked`` are the
    `?` that the statement writes, where it says how many come; None if it does not.
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
        """Return whether the statement says how many are drawn."""
        return self.asked is not None or super().given()

    def by_chance(self) -> bool:
        """Return True: the program draws."""
        return True

    def size(self) -> int:
        """Return how many things the statement asks for; where it does not say, how many came."""
        return len(self.drawn if self.asked is None else self.asked)

    def part(self, first: int, end: int | None = None) -> Drawn:
        """Return what decides a part of what is asked for; ``drawn`` stays one list."""
        return self if self.asked is None else Chance(self.pick, self.asked[first:end], self.drawn)

    def next(self, eligible: Bag) -> WrittenName:
        """Draw one of ``eligible``, which lists something."""
        chosen = self.pick(eligible)
        self.drawn.append((chosen, Bag(eligible)))
        return WrittenName(1, (chosen,), True, chosen.id, 0, 0)


def likeliest(bag: Bag) -> Entity:
    """Pick the most frequent thing in the bag, the first of several; deterministic."""
    return max(bag, key=lambda item: bag[item])

"""The values that rules speak of: entities, bags of them, and payments with wild icons.

These live below both the pack (whose generated code calls the functions here) and
the engine (which moves the values about), and know nothing of any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from altay_cli.expressions import charge

MAX_PAYMENTS = 1_000
"""How many ways to pay are listed at the most; a guard against absurd costs."""

MAX_REPEAT = 10_000
"""How long a list of one repeated thing can get."""


class Entity:
    """A thing that rules can name: a card, a place, a resource, a player.

    Two entities are the same only if they are the same object. ``f`` holds the
    fields that the pack declares for the kind, every one present. ``parent`` is the
    thing of which this one is a copy: of a card with two points, the card of that title.
    """

    __slots__ = ("f", "id", "index", "kind", "parent")

    def __init__(self, kind: str, ident: str, index: int = 0) -> None:
        self.kind = kind
        self.id = ident
        self.index = index
        self.f: dict[str, Any] = {}
        self.parent: Entity | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id}>"


class Bag(dict[Entity, int]):
    """How many there are of each entity; entries of zero are left out.

    ``hidden`` counts things in the bag whose identity is not known. ``absent``
    counts entries that are listed but not really there, without saying which:
    a deck from which cards were drawn that nobody wrote down. ``origin`` is where hidden things
    came from. ``unsure`` says that the log was wrong about the bag, so that what else it says of
    it is given the benefit of the doubt.
    """

    __slots__ = ("absent", "hidden", "origin", "unsure")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.hidden = 0
        self.absent = 0
        self.origin: Bag | None = None
        self.unsure = False

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def size(self) -> int:
        """Return how many things are in the bag, known or not."""
        return sum(self.values()) + self.hidden - self.absent


def bag_of(items: Iterable[Entity]) -> Bag:
    """Count ``items``."""
    bag = Bag()
    for item in items:
        bag[item] = bag.get(item, 0) + 1
    return bag


def expand(bag: Bag) -> list[Entity]:
    """List the things in ``bag``, each as often as it is there."""
    charge(sum(bag.values()))
    return [item for item, count in bag.items() for _ in range(count)]


def first(bag: Bag) -> Entity:
    """Return the first thing in a bag.

    Raises:
        LookupError: where it is empty.

    """
    for item in bag:
        return item
    raise LookupError("there is nothing in it")


def plus(bag: Bag, other: Bag) -> Bag:
    """Return the sum of two bags."""
    result = Bag(bag)
    for item, count in other.items():
        result[item] = result.get(item, 0) + count
    result.hidden = bag.hidden + other.hidden
    result.absent = bag.absent + other.absent
    return result


def plus_some(bag: Bag, item: Entity, count: int) -> Bag:
    """Return ``bag`` with ``count`` more of ``item``."""
    result = Bag(bag)
    if count > 0:
        result[item] = result.get(item, 0) + count
    return result


def minus(bag: Bag, other: Bag) -> Bag:
    """Return what is left of ``bag`` without ``other``; never less than nothing."""
    return Bag({item: n - other.get(item, 0) for item, n in bag.items() if n > other.get(item, 0)})


def overlap(bag: Bag, other: Bag) -> Bag:
    """Return what is in both bags."""
    return Bag({item: min(n, other[item]) for item, n in bag.items() if item in other})


def times(bag: Bag, factor: int) -> Bag:
    """Return ``bag`` taken ``factor`` times."""
    return Bag({item: n * factor for item, n in bag.items()}) if factor > 0 else Bag()


def some(item: Entity, count: int) -> Bag:
    """Return a bag of ``count`` times ``item``."""
    return Bag({item: count}) if count > 0 else Bag()


def repeat(item: Entity, count: int) -> list[Entity]:
    """Return a list of ``count`` times ``item``, at the most MAX_REPEAT times."""
    return [item] * min(count, MAX_REPEAT)


def has(bag: Bag, other: Bag) -> bool:
    """Tell whether all of ``other`` is in ``bag``."""
    return all(bag.get(item, 0) >= n for item, n in other.items())


def _match(tokens: list[Entity], icons: list[Entity]) -> list[int] | None:
    """Give each token an icon of its own that accepts it.

    Returns the index of the token on each icon (-1 for none), or None where
    some token finds no icon. Augmenting paths: the lists are a handful long.
    """
    on = [-1] * len(icons)

    def seat(token: int, seen: set[int]) -> bool:
        for i, icon in enumerate(icons):
            if i not in seen and tokens[token] in icon.f["accepts"]:
                seen.add(i)
                if on[i] < 0 or seat(on[i], seen):
                    on[i] = token
                    return True
        return False

    if len(tokens) > len(icons):
        return None
    charge(len(tokens) * len(icons))
    for token in range(len(tokens)):
        if not seat(token, set()):
            return None
    return on


def fits(tokens: Bag, icons: Bag) -> bool:
    """Tell whether every token finds an icon of its own that accepts it."""
    return _match(expand(tokens), expand(icons)) is not None


def fills(tokens: Bag, icons: Bag) -> bool:
    """Tell whether the tokens fit and leave no icon empty."""
    return tokens.size() == icons.size() and fits(tokens, icons)


def missing(icons: Bag, tokens: Bag) -> Bag:
    """Return what is still needed to fill ``icons``; a wild icon asks for its first choice."""
    slots = expand(icons)
    on = _match(expand(tokens), slots) or [-1] * len(slots)
    return bag_of(slot.f["accepts"][0] for slot, token in zip(slots, on, strict=True) if token < 0)


def payments(pool: Bag, icons: Bag) -> list[Bag]:
    """List the different ways to pay ``icons`` exactly out of ``pool``.

    At most MAX_PAYMENTS are listed.
    """
    slots = sorted(expand(icons), key=lambda icon: len(icon.f["accepts"]))
    found: dict[frozenset[tuple[Entity, int]], Bag] = {}
    states: dict[frozenset[tuple[Entity, int]], Bag] = {frozenset(): Bag()}
    for slot in slots:
        charge(len(states))
        found = {}
        for paid in states.values():
            for resource in slot.f["accepts"]:
                if pool.get(resource, 0) > paid.get(resource, 0):
                    more = plus_some(paid, resource, 1)
                    found.setdefault(frozenset(more.items()), more)
            if len(found) > MAX_PAYMENTS:
                break
        states = found
    return list(states.values())


def flatten(lists: Iterable[Iterable[Any]]) -> list[Any]:
    """Join lists into one."""
    return [item for inner in lists for item in inner]


def longest(lists: Iterable[list[Any]]) -> list[Any]:
    """Return the longest list, the first of several; an empty one where there is none."""
    return max(lists, key=len, default=[])


def after(items: list[Any], item: Any) -> Any:
    """Return what follows ``item`` in ``items``, the first behind the last."""
    return items[(items.index(item) + 1) % len(items)]


class Grid(dict[Any, Any]):
    """A zone with one value for each entity; values are made when first asked for."""

    __slots__ = ("_make",)

    def __init__(self, make: Any) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self._make()
        return value


class DrawnItem:
    """A card that the log says was drawn: what its name may stand for, and where it stands."""

    __slots__ = ("candidates", "end", "exact", "start", "text")

    def __init__(
        self, candidates: tuple[Entity, ...], exact: bool, text: str, start: int, end: int
    ) -> None:
        self.candidates = candidates
        self.exact = exact
        self.text = text
        self.start = start
        self.end = end


class Drawn:
    """What the log says that chance brought; ``items`` is None where it says nothing."""

    __slots__ = ("items",)

    def __init__(self, items: list[DrawnItem] | None) -> None:
        self.items = items

    def __iter__(self) -> Iterator[DrawnItem]:
        return iter(self.items or [])

    def given(self) -> bool:
        """Tell whether the log says anything, be it that nothing came."""
        return self.items is not None

    def size(self) -> int:
        """Return how many things the log says that chance brought, known or not."""
        return len(self.items or ())

    def part(self, first: int, end: int | None = None) -> Drawn:
        """Return the draw from the ``first`` thing on, up to the one before ``end``."""
        return self if self.items is None else Drawn(self.items[first:end])


UNRECORDED = Drawn(None)


def unnamed(count: int) -> Drawn:
    """Return a draw of so many things, written as `?`; of none, one that nobody wrote."""
    return Drawn([DrawnItem((), False, "?", 0, 0)] * count) if count > 0 else UNRECORDED

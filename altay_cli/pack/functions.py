"""The functions for bags, piles, lists, grids and texts that generated code calls.

Each charges by the size of its input and output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import FunctionType
from typing import Any, NoReturn

from altay_cli.base.budget import MAX_SIZE, SIZES, Budget
from altay_cli.base.findings import BudgetError, EvaluationError
from altay_cli.base.values import (
    ALL_KNOWN,
    UNRECORDED,
    Bag,
    Drawn,
    Entity,
    bag_of,
    expand,
    plus_item,
)
from altay_cli.expressions.types import INT_MAX, INT_MIN
from altay_cli.pack import limits


def _too_many(count: int) -> BudgetError:
    return BudgetError(
        message=f"{count:,} of one thing; {limits.MAX_COUNT:,} is the most there can be"
    )


def _pay_for_list(budget: Budget, size: int, read: int = 0, shift: int = 0) -> None:
    """Charge for a list of ``size`` items, for which ``read`` items are read.

    ``shift`` halves the cost of copied items that many times.
    """
    if size > MAX_SIZE:
        template = "a list of {size}; {most} is the most that is allowed"
        raise BudgetError(message=template, size=f"{size:,}", most=f"{MAX_SIZE:,}")
    budget.charge((size >> shift) + read)


# ---------------------------------------------------------------- bags


def size_of(budget: Budget, bag: Bag) -> int:
    """Return the number of entities."""
    budget.charge(len(bag) >> 3)
    if bag.unknown is ALL_KNOWN:
        return sum(bag.values())
    if bag.unknown.hidden and not budget.size_was_read and _size_is_uncertain(budget, bag):
        if budget.exact == SIZES:
            bag = known(budget, bag)
        budget.size_was_read = True
    return bag.size()


def _size_is_uncertain(state: Any, bag: Bag) -> bool:
    place = state.hidden.beliefs.place_of(bag)
    return (
        place is None
        or not state.hidden.beliefs.groups_of(place)
        or state.hidden.beliefs.size_is_uncertain(place)
    )


def known(state: Any, bag: Bag) -> Bag:
    """Return a bag; raise UnrecordedError if its contents must be known and are not."""
    if not (bag.unknown.hidden or state.hidden.beliefs.placeholders):
        return bag
    opened: Bag = state.hidden.queries.identified(bag)
    return opened


def kinds(budget: Budget, bag: Bag) -> list[Entity]:
    """List the different entities."""
    if budget.exact:
        bag = known(budget, bag)
    budget.charge(1 + (len(bag) >> 2))
    return list(bag)


def things(budget: Budget, bag: Bag) -> list[Entity]:
    """List the entities, each by its count."""
    if budget.exact:
        bag = known(budget, bag)
    size = sum(bag.values())
    _pay_for_list(budget, size, 1)
    return list(bag) if size == len(bag) else expand(bag)


def first(budget: Budget, bag: Bag) -> Entity:
    """Return the first entity; raise EvaluationError if there is none."""
    if budget.exact:
        bag = known(budget, bag)
    for item in bag:
        return item
    raise EvaluationError("evaluation", "nothing is there to be taken")


def plus(budget: Budget, bag: Bag, other: Bag) -> Bag:
    """Return the sum of two bags."""
    budget.charge(1 + len(bag) + len(other))
    are_known = bag.unknown is ALL_KNOWN and other.unknown is ALL_KNOWN
    if are_known and not other:
        return bag
    result = Bag(bag)
    for item, count in other.items():
        both = count + result.get(item, 0)
        if both > limits.MAX_COUNT:
            raise _too_many(both)
        result[item] = both
    if not are_known:
        result.unknown = bag.unknown._replace(
            hidden=bag.unknown.hidden + other.unknown.hidden,
            absent=bag.unknown.absent + other.unknown.absent,
            unsure=bag.unknown.unsure or other.unknown.unsure,
            places=(*bag.unknown.places, *other.unknown.places),
        )
    return result


def minus(budget: Budget, bag: Bag, other: Bag) -> Bag:
    """Return ``bag`` minus ``other``, no count below zero."""
    if budget.exact:
        bag, other = known(budget, bag), known(budget, other)
    budget.charge(1 + len(bag))
    if not other and bag.unknown is ALL_KNOWN:
        return bag
    result = Bag()
    for item, count in bag.items():
        left = count - other.get(item, 0)
        if left > 0:
            result[item] = left
    if bag.unknown is not ALL_KNOWN:
        result.unknown = bag.unknown._replace(
            hidden=max(bag.unknown.hidden - other.unknown.hidden, 0),
            absent=min(bag.unknown.absent, sum(result.values())),
            places=(),
        )
    return result


def overlap(budget: Budget, bag: Bag, other: Bag) -> Bag:
    """Return the entities known to be in both bags."""
    if budget.exact:
        bag, other = known(budget, bag), known(budget, other)
    budget.charge(1 + 3 * len(bag))
    result = Bag()  # runs every turn: in Python 3.11, a comprehension costs a call
    for item, count in bag.items():
        if item in other:
            result[item] = min(count, other[item])
    return result


def times(budget: Budget, bag: Bag, factor: int) -> Bag:
    """Multiply every count by ``factor``."""
    if budget.exact:
        bag = known(budget, bag)
    budget.charge(1 + 2 * len(bag))
    if factor <= 0:
        return Bag()
    most = max([*bag.values(), bag.unknown.hidden], default=0) * factor
    if most > limits.MAX_COUNT:
        raise _too_many(most)
    result = Bag({item: count * factor for item, count in bag.items()})
    if bag.unknown is not ALL_KNOWN:
        result.unknown = bag.unknown._replace(
            hidden=bag.unknown.hidden * factor, absent=bag.unknown.absent * factor, places=()
        )
    return result


def some(budget: Budget, item: Entity, count: int) -> Bag:
    """Return a bag with ``count`` of ``item``."""
    budget.charge(2)
    if count > limits.MAX_COUNT:
        raise _too_many(count)
    return Bag({item: count}) if count > 0 else Bag()


def has(budget: Budget, bag: Bag, other: Bag) -> bool:
    """Return True if a bag surely contains all of another."""
    budget.charge(1 + (len(other) >> 1))
    for item, count in other.items():
        if bag.get(item, 0) < count:
            break
    else:
        return True
    if not budget.exact:
        return False
    other = known(budget, other)
    if any(_amounts(budget, bag, item)[1] < count for item, count in other.items()):
        return False
    return all(amount(budget, bag, item) >= count for item, count in other.items())


def amount(budget: Budget, bag: Bag, item: Entity) -> int:
    """Return the known count of ``item``."""
    if budget.exact:
        if bag.unknown.hidden and not bag.unknown.absent:
            least, most = _amounts(budget, bag, item)
            if least == most:
                return least
        bag = known(budget, bag)
    return bag.get(item, 0)


def is_known_in(budget: Budget, item: Entity, bag: Bag) -> bool:
    """Return True if ``item`` is surely in the bag."""
    return item in bag or (budget.exact > 0 and amount(budget, bag, item) > 0)


def may_hold(state: Any, bag: Bag, item: Entity) -> bool:
    """Return True if ``item`` is or may be in the bag."""
    state.charge(5)
    if bag.get(item, 0) > 0:
        return True
    place = state.hidden.beliefs.place_of(bag)
    return place is not None and bool(state.hidden.queries.may_contain(place, item))


def is_in(state: Any, item: Entity, bag: Bag) -> bool:
    """Return True if ``count_of`` is not zero."""
    if state.exact:
        bag = known(state, bag)
    return item in bag or (
        bool(state.hidden.beliefs.placeholders) and count_of(state, bag, item) > 0
    )


def count_of(state: Any, bag: Bag, item: Entity) -> int:
    """Return the count of ``item``, hidden contents included.

    Raise UnrecordedError if the count depends on hidden contents.
    """
    if state.exact:
        bag = known(state, bag)
    count = bag.get(item, 0)
    if state.hidden.beliefs.placeholders and item is not None:
        state.charge(len(bag))
        count += sum(
            [1 for other in bag if not other.known and other is not item and other == item]
        )
    return count


def may_lack(state: Any, bag: Bag, items: list[Entity]) -> bool:
    """Return True if the bag may contain none of ``items``."""
    state.charge(5 + len(items))
    if any(bag.get(item, 0) > 0 for item in items):
        return False
    return not _is_believed(state, bag) or bool(state.hidden.queries.may_lack(bag, items))


def least_and_most(budget: Budget, bag: Bag, item: Entity) -> tuple[int, int]:
    """Return the minimum and maximum count of ``item``."""
    budget.charge(5 + len(bag))
    return _amounts(budget, bag, item)


def _amounts(state: Any, bag: Bag, item: Entity) -> tuple[int, int]:
    if _is_believed(state, bag):
        least, most = state.hidden.queries.count_bounds([bag], (item,))
        return least, most
    known = bag.get(item, 0)
    return known, known + bag.unknown.hidden


def _is_believed(state: Any, bag: Bag) -> bool:
    if not all(item.known for item in bag):
        return True
    place = state.hidden.beliefs.place_of(bag)
    return place is not None and bool(state.hidden.beliefs.groups_of(place))


def counted(budget: Budget, items: list[Entity]) -> Bag:
    """Return a list as a bag."""
    budget.charge(1 + len(items))
    return bag_of(items)


# ---------------------------------------------------------------- items on places that accept them


def _match(
    budget: Budget, items: Bag, places: Bag, field: str
) -> list[tuple[Entity, Entity | None]] | None:
    """Return the slots, each with an item that its ``field`` lists, or None.

    Augmenting paths suffice, as the lists are short.
    """
    if budget.exact:
        items, places = known(budget, items), known(budget, places)
    if sum(items.values()) > sum(places.values()):
        return None
    slots: list[Entity] = []
    accepted: list[list[Entity]] = []
    cost = 1
    for place, count in places.items():
        accepts = place.f[field]
        cost += count * (1 + (len(accepts) >> 2))
        budget.charge(count)
        slots += [place] * count
        accepted += [accepts] * count
    on: list[Entity | None] = [None] * len(slots)
    for item, count in items.items():
        for _ in range(count):
            budget.charge(cost)
            for there, accepts in enumerate(accepted):
                if on[there] is not item and item in accepts:
                    break
            else:
                return None
            if on[there] is None:
                on[there] = item
            elif not _make_room(budget, cost, accepted, on, item, set()):
                return None
    return list(zip(slots, on, strict=True))


def _make_room(
    budget: Budget, cost: int, accepted: list[list[Entity]], on: list[Entity | None],
    item: Entity, seen: set[int],
) -> bool:  # fmt: skip
    """Return True if ``item`` fits on a slot not yet ``seen``, moving others if needed."""
    budget.charge(cost)
    for place, accepts in enumerate(accepted):
        if place not in seen and item in accepts:
            seen.add(place)
            # A copy of the item there would need another slot itself.
            other = on[place]
            if other is item:
                continue
            if other is None or _make_room(budget, cost, accepted, on, other, seen):
                on[place] = item
                return True
    return False


def fits(budget: Budget, items: Bag, places: Bag, field: str) -> bool:
    """Return True if every item finds a slot."""
    return _match(budget, items, places, field) is not None


def fills(budget: Budget, items: Bag, places: Bag, field: str) -> bool:
    """Return True if the items fit and fill all places."""
    same = size_of(budget, items) == size_of(budget, places)
    return same and _match(budget, items, places, field) is not None


def missing(budget: Budget, places: Bag, items: Bag, field: str) -> Bag:
    """Return what ``places`` need: the first accepted entity of each."""
    matched = _match(budget, items, places, field)
    if matched is None:
        matched = [(slot, None) for slot in things(budget, places)]
    return bag_of(slot.f[field][0] for slot, item in matched if item is None)


def payments(budget: Budget, pool: Bag, places: Bag, field: str) -> list[Bag]:
    """List ways to pay ``places`` exactly out of ``pool``, at most MAX_PAYMENTS."""
    sure = Bag()
    choices: list[list[Entity]] = []
    if budget.exact:
        pool, places = known(budget, pool), known(budget, places)
    size = sum(places.values())
    _pay_for_list(budget, size, 4 + len(places))
    if size > sum(pool.values()):
        return []
    for place, count in places.items():
        accepted = place.f[field]
        if len(accepted) == 1:
            sure[accepted[0]] = sure.get(accepted[0], 0) + count
        else:
            choices += [accepted] * count
    for item, count in sure.items():
        if pool.get(item, 0) < count:
            return []
    ways = [sure]
    # Fewest choices first, so dead ends are found early.
    for accepted in sorted(choices, key=len):
        longer: dict[frozenset[tuple[Entity, int]], Bag] = {}
        for paid in ways:
            budget.charge(len(accepted) * (9 + 2 * len(paid)))
            for item in accepted:
                if pool.get(item, 0) > paid.get(item, 0):
                    more = plus_item(paid, item)
                    longer.setdefault(frozenset(more.items()), more)
            if len(longer) > limits.MAX_PAYMENTS:
                break
        ways = list(longer.values())
    return ways


# ---------------------------------------------------------------- piles and lists


def count_in_pile(budget: Budget, pile: tuple[Entity, ...], item: Entity) -> int:
    """Return the count of ``item``."""
    budget.charge(1 + (len(pile) >> 2))
    return pile.count(item)


def is_in_pile(budget: Budget, item: Entity, pile: tuple[Entity, ...]) -> bool:
    """Return True if ``item`` is in the pile."""
    budget.charge(1 + (len(pile) >> 2))
    return item in pile


def repeat(budget: Budget, item: Entity, count: int) -> list[Entity]:
    """Return ``count`` times ``item``."""
    _pay_for_list(budget, max(count, 0), 2, 3)
    return [item] * count


def total(budget: Budget, numbers: list[int]) -> int:
    """Return the sum."""
    budget.charge(1 + (len(numbers) >> 2))
    result = sum(numbers)
    if not INT_MIN <= result <= INT_MAX:
        raise BudgetError("overflow", "the sum does not fit into 64 bits")
    return result


def least(budget: Budget, numbers: list[int]) -> int:
    """Return the smallest number of a non-empty list."""
    budget.charge(1 + (len(numbers) >> 2))
    return min(numbers)


def greatest(budget: Budget, numbers: list[int]) -> int:
    """Return the greatest number of a non-empty list."""
    budget.charge(1 + (len(numbers) >> 2))
    return max(numbers)


def flatten(budget: Budget, lists: list[list[object]]) -> list[object]:
    """Join lists into one."""
    budget.charge(1 + len(lists))
    _pay_for_list(budget, sum(map(len, lists)), shift=2)
    return list(chain.from_iterable(lists))


def longest(budget: Budget, lists: list[list[object]]) -> list[object]:
    """Return the first of the longest lists, by default []."""
    budget.charge(1 + len(lists))
    return max(lists, key=len, default=[])


def take(budget: Budget, items: list[object], count: int) -> list[object]:
    """Return the first ``count`` items."""
    count = min(max(count, 0), len(items))
    budget.charge(3 + (count >> 3))
    return items[:count]


def skip(budget: Budget, items: list[object], count: int) -> list[object]:
    """Return all but the first ``count`` items."""
    count = max(count, 0)
    budget.charge(3 + (max(len(items) - count, 0) >> 3))
    return items[count:]


def after(budget: Budget, items: list[object], item: object) -> object:
    """Return the item after ``item``; the first follows the last."""
    budget.charge(1 + (len(items) >> 1))
    return items[(items.index(item) + 1) % len(items)]


def numbers_below(budget: Budget, size: int) -> list[int]:
    """Return 0, 1, ..., ``size`` - 1."""
    _pay_for_list(budget, max(size, 0))
    return list(range(size))


def drawn_count(budget: Budget, drawn: Drawn, item: Entity) -> int:
    """Return how often ``item`` was drawn."""
    budget.charge(1 + drawn.size())
    return drawn.count(item)


def drawn_part(budget: Budget, drawn: Drawn, first: int, end: int | None = None) -> Drawn:
    """Return the draw ``[first:end]``."""
    part = drawn.part(first, end)
    budget.charge(3 + (part.size() >> 2))
    return part


# ---------------------------------------------------------------- grids
# Stored links would be large, so squares are linked when a pack is loaded.

GRID_FIELDS = frozenset(
    {"column", "row", "grid", "rays", "straight", "slanted", "around", "neighbours", "lines"}
)
"""The undeclared fields of every square."""

AROUND = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Columns and rows to the neighbours, clockwise from up."""


def places_of(columns: str, rows: str) -> Iterator[tuple[str, int, int]]:
    """Yield id, column and row of each square, by rows."""
    low, high = (int(part) for part in rows.split("-"))
    first, last = columns[0], columns[-1]
    for row in range(low, high + 1):
        for column in range(ord(first), ord(last) + 1):
            yield f"{chr(column)}{row}", column - ord(first) + 1, row - low + 1


class Grid:
    """The squares by column and row, counted from 1."""

    __slots__ = ("_lines", "places")

    def __init__(self, places: Mapping[tuple[int, int], Entity]) -> None:
        self.places = places
        self._lines: dict[int, list[list[Entity]]] = {}

    def ray(self, place: Entity, right: int, up: int) -> list[Entity]:
        """Return the squares in a direction, nearest first."""
        ray: list[Entity] = []
        column, row = place.f["column"] + right, place.f["row"] + up
        while (column, row) in self.places and (right or up):  # (0, 0) is no direction
            ray.append(self.places[column, row])
            column, row = column + right, row + up
        return ray

    def lines(self, budget: Budget, size: int) -> list[list[Entity]]:
        """Return all rows, columns and diagonals of ``size`` squares."""
        if not 1 <= size <= len(self.places):
            return []
        if size not in self._lines:
            budget.charge(len(self.places) * (8 + (size >> 2)))
            lines = (
                [place, *ray[: size - 1]]
                for place in self.places.values()
                for ray in map(place.f["rays"].__getitem__, (2, 0, 1, 3))  # rightwards first
            )
            self._lines[size] = [line for line in lines if len(line) == size]
        return self._lines[size]


def link_grids(
    grids: Mapping[str, tuple[str, str]], entities: Mapping[str, Sequence[Entity]]
) -> None:
    """Set position, rays and neighbours of all squares."""
    for kind, (columns, rows) in grids.items():
        named = {place.id: place for place in entities[kind]}
        grid = Grid({(column, row): named[i] for i, column, row in places_of(columns, rows)})
        for (column, row), place in grid.places.items():
            place.f.update(column=column, row=row)
            around = [grid.ray(place, *direction) for direction in AROUND]
            place.f.update(
                grid=grid,
                rays=around,
                straight=around[::2],
                slanted=around[1::2],
                around=[ray[0] for ray in around if ray],
                neighbours=[ray[0] for ray in around[::2] if ray],
                lines={},
            )


def grid_step(place: Entity, right: int, up: int) -> Entity | None:
    """Return the square at an offset, or None."""
    grid: Grid = place.f["grid"]
    return grid.places.get((place.f["column"] + right, place.f["row"] + up))


def grid_ray(budget: Budget, place: Entity, right: int, up: int) -> list[Entity]:
    """Return the squares in a direction, nearest first."""
    grid: Grid = place.f["grid"]
    ray = grid.ray(place, right, up)
    budget.charge(1 + len(ray))
    return ray


def grid_lines(budget: Budget, place: Entity, size: int) -> list[list[Entity]]:
    """Return the straight lines of ``size`` squares through a square."""
    known: dict[int, list[list[Entity]]] = place.f["lines"]
    if size not in known:
        grid: Grid = place.f["grid"]
        lines = grid.lines(budget, size)
        if not lines:
            budget.charge(3)
            return []
        budget.charge(sum(map(len, lines)) >> 2)
        known[size] = [line for line in lines if place in line]
    budget.charge(3 + len(known[size]))
    return known[size]


def lines_among(budget: Budget, places: list[Entity], size: int) -> list[list[Entity]]:
    """Return the straight lines of ``size`` squares among ``places``."""
    if not places:
        return []
    grid: Grid = places[0].f["grid"]
    budget.charge(1)
    lines = grid.lines(budget, size)
    if len(places) >= len(grid.places):
        return lines
    budget.charge(len(places) + len(lines))
    among = set(places)
    return [line for line in lines if among.issuperset(line)]


# ---------------------------------------------------------------- texts


def text(state: Any, value: object) -> str:
    """Return a value as messages show it."""
    shown: str = state.words.text(value)
    state.charge(2 + (len(shown) >> 2))
    return shown


def words(state: Any, phrase: str) -> str:
    """Return a text of the rules in the reader's language."""
    state.charge(1)
    return str(state.words.word(phrase))


def _index(thing: Entity | None) -> int:
    return -1 if thing is None else thing.index


def _key_index(thing: Entity | None, source: str) -> int:
    return _no_key(source) if thing is None else thing.index


def _no_key(source: str) -> NoReturn:
    raise EvaluationError(
        "evaluation", "`{key}` is null, so nothing can be put into its place", key=source
    )


GLOBALS: Mapping[str, object] = {
    **{
        name: function
        for name, function in list(globals().items())
        if isinstance(function, FunctionType) and function.__module__ == __name__ and name[0] != "_"
    },
    "UNRECORDED": UNRECORDED,
    "_Bag": Bag,
    "_index": _index,
    "_key_index": _key_index,
    "_no_key": _no_key,
}

"""What the slots of a move can hold in a state: what lies there, and what may be hidden there.

The loops that are printed for each move (``compile.plans``) call this while they go through it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, permutations, takewhile
from math import factorial
from typing import Any, NamedTuple

from altay_cli.base.findings import EvaluationError, ExpressionError
from altay_cli.base.values import Bag, Entity, bag_of, expand, plus_one, unnamed, unseen_in
from altay_cli.match.operations import Values
from altay_cli.match.readings import MoveValues, Namer, Resolver
from altay_cli.moves.limits import MAX_ORDERS, MOST_ORDERED
from altay_cli.pack.limits import CANDIDATE_STEPS, MAX_NAMED
from altay_cli.pack.model import MoveDef, Shape, Slot
from altay_cli.pack.plans import Asked


class Given(NamedTuple):
    """What is in some slots of a move for certain.

    ``naming`` is a slot that has to name what is likely, among what is hidden.
    """

    values: Values
    naming: str | None = None


class SlotValues:
    """What slots can hold in one state; of what may be hidden, what is ``likely`` comes first."""

    def __init__(self, resolver: Resolver, max_bags: int, likely: Container[Entity]) -> None:
        self.state = resolver.state
        self.resolver = resolver
        self.reached: set[str] = set()
        """The limits that were reached, so that not all has been tried."""
        self.max_bags = max_bags
        self._taken: dict[tuple[frozenset[tuple[Entity, int]], int, int], list[Bag]] = {}
        # What has been found out for one player in this state, by the text of the expression.
        self._facts: dict[str, bool] = {}
        self.likely = likely
        self.tries: list[Given] = []
        """What is given, where candidates are tried one by one: as it is, or may be hidden."""
        # What slots take their values from, with what hidden things are supposed to be.
        self._seen: dict[str, Bag] = {}
        self.lists: dict[int, object] = {}
        """What several moves take their values from, for the player whose moves are listed."""

    def _forget(self) -> None:
        self._facts.clear()
        self.lists.clear()

    def leads_to(self, move: MoveDef, values: Values, asked: Asked) -> bool:
        """Tell whether something holds behind a move."""
        named = MoveValues(values, move, self.state)
        named.settle()
        assert asked.does is not None
        return self.state.leads_to(asked.does, named, asked.expr)

    def candidates(
        self,
        slot: Slot,
        found: Bag | Sequence[Any],
        values: Values,
        filled: Values,
        size: int | None = None,
    ) -> Iterable[Any]:
        """Return what a slot can hold: what is given, or as well what hidden things may be.

        ``found`` is what it comes from, nothing where that cannot be told; ``values`` are there
        before any slot, ``filled`` are those of slots before this one and what depends on them.
        With ``size``, only those of so many things.
        """
        if self.tries:
            if slot.name in self.tries[-1].values:
                return (self.tries[-1].values[slot.name],)
            if slot.infer is None and slot.shape not in (Shape.INT, Shape.DRAWN):
                inner, hidden = {**values, **filled}, self.state.hidden
                there = self.state.counted(found)
                places: list[int] = [zone.at.fn(self.state, inner) for zone in slot.reveals]
                zones = [place for place in places if hidden.hidden_in(place) > 0]
                if zones or (hidden.likenesses and unseen_in(there)):
                    return self._unseen(slot, there, zones, inner, values, size)
        return self._out_of(slot, found, {**values, **filled}, size)

    def holds(self, asked: Sequence[Asked], values: Values) -> bool:
        """Evaluate what can be evaluated now; tell whether all conditions hold."""
        state = self.state
        try:
            for one in asked:
                expr = one.expr
                if one.name is not None:
                    values.pop(one.name, None)
                    with suppress(ExpressionError):  # it fails where it is needed
                        values[one.name] = expr.fn(state, values)
                elif not (
                    expr.fn(state, values)
                    if one.does is None
                    else state.leads_to(one.does, values, expr)
                ):
                    return False
        except EvaluationError:
            return False
        return True

    def _unseen(
        self,
        slot: Slot,
        domain: Bag,
        zones: Sequence[int],
        values: Values,
        base: Values,
        size: int | None,
    ) -> Iterator[Any]:
        """Yield what a slot can hold where some is hidden: as long as it is looked at, it is that.

        What was asked may change with it among the values in ``base``.
        """
        state, asked = self.state, values.get("asked")
        room = sum(map(state.hidden.hidden_in, zones)) + len(unseen_in(domain))
        candidates = self._out_of(slot, self._possible(slot, domain, zones), values, size)
        if self.likely:
            candidates = sorted(candidates, key=self._is_unlikely)
            if self.tries and slot.name == self.tries[-1].naming:
                candidates = takewhile(lambda one: not self._is_unlikely(one), candidates)
        for candidate in candidates:
            things = candidate if isinstance(candidate, list) else [candidate]
            named = candidate if isinstance(candidate, Bag) else bag_of(things)
            if sum(max(n - domain.get(thing, 0), 0) for thing, n in named.items()) > room:
                continue
            state.charge(CANDIDATE_STEPS + len(domain))
            mark = state.mark()
            try:
                seen = Bag(domain)
                for thing, count in named.items():
                    Namer(self.resolver).identify(slot, [[thing]], count, seen, values, Bag())
                base["asked"] = values.get("asked")
                self._forget()
                self._seen[slot.name] = Bag({e: n for e, n in seen.items() if n > 0})
                yield candidate
            finally:
                state.undo(mark)
                values["asked"] = base["asked"] = asked
                self._seen.pop(slot.name, None)
                self._forget()

    def _is_unlikely(self, candidate: Entity | Bag | Sequence[Entity] | None) -> bool:
        things = (candidate,) if candidate is None or isinstance(candidate, Entity) else candidate
        return not any(thing in self.likely for thing in things)

    def _out_of(
        self, slot: Slot, found: Bag | Sequence[Any], values: Values, size: int | None
    ) -> Iterable[Any]:
        if slot.infer is not None:
            return () if found == () else found or [Bag()]
        if slot.shape is Shape.DRAWN:
            return [unnamed(count) for count in dict.fromkeys(found) if count <= MAX_NAMED]
        if slot.shape in (Shape.BAG, Shape.LIST):
            return self._several(slot, found, values, size)
        nothing = slot.shape is not Shape.INT and (slot.optional or slot.hidden)
        return [*dict.fromkeys(found), None] if nothing else list(dict.fromkeys(found))

    def _possible(self, slot: Slot, domain: Bag, zones: Sequence[int]) -> Bag:
        """Return the domain with what hidden things of its zones may turn out to be."""
        unseen = unseen_in(domain)
        possible = Bag({item: count for item, count in domain.items() if item.known})
        for zone in (*zones, *(thing.holder for thing in unseen)):
            held = self.state.hidden.may_hold(zone)
            for thing in self.state.pack.entities[slot.kind]:
                if thing in held:
                    possible[thing] = possible.get(thing, 0) + held[thing]
        return possible

    def _several(
        self, slot: Slot, domain: Bag | Sequence[Entity], values: Values, size: int | None
    ) -> Iterable[object]:
        """Return the bags or lists that a slot can hold, out of what there is."""
        things = self.state.counted(domain)
        most = things.size() if size is None else min(size, things.size())
        try:
            least = slot.least.fn(self.state, values) if slot.least else 1
            if slot.most:
                most = min(slot.most.fn(self.state, values), most)
            rows = None if slot.orders is None else slot.orders.fn(self.state, values)
        except EvaluationError:
            return ()
        if rows is not None:
            # Where not all orders are listed, it is another one than that in which they are given.
            bags = [bag_of(row[::-1]) for row in rows if row and size in (None, len(row))]
        else:
            bags = self._taken_of(things, max(least, size or 1), most)
        if not size and (slot.optional or least <= 0):
            bags = [Bag(), *bags]
        return bags if slot.shape is Shape.BAG else self._ordered(bags)

    def _ordered(self, bags: Sequence[Bag]) -> Iterator[list[Entity]]:
        """Yield the orders of things; if there are too many, each set in one order only."""
        orders = sum(factorial(min(bag.size(), MOST_ORDERED)) for bag in bags if bag)
        for bag in bags:
            if orders > MAX_ORDERS:
                self.reached.add("max_orders")
                yield expand(bag)
            else:
                self.state.charge(bag.size())
                yield from map(list, dict.fromkeys(permutations(expand(bag))))

    def _taken_of(self, things: Bag, least: int, most: int) -> list[Bag]:
        """Return what can be taken out of a bag, the least first: so many things, never none."""
        key = (frozenset(things.items()), least, most)
        bags = self._taken.get(key)
        if bags is None:
            # Each with the place of its last thing, so that none is made twice.
            row, order, bags = [(Bag(), 0)], list(things), []
            # How many things the ones from a place on still give.
            rest = list(accumulate(reversed(things.values()), initial=0))[::-1]
            complete = True
            for size in range(1, most + 1):
                self.state.charge(2 * len(row) * len(order))
                row = [
                    (plus_one(bag, thing), place)
                    for bag, last in row
                    for place, thing in enumerate(order[last:], last)
                    if bag.get(thing, 0) < things[thing]
                    and size + rest[place] - bag.get(thing, 0) > least
                ]
                room = self.max_bags - len(bags)
                if len(row) > room:
                    complete = False
                    self.reached.add("max_bags")
                if not complete:
                    # Each of those that are too small makes one that is not, if not many more.
                    row = row[: room if size >= least else max(room // least, 1)]
                if size >= least:
                    bags.extend(bag for bag, _ in row)
                    if not row or not complete:
                        break
            self._taken[key] = bags
        return bags

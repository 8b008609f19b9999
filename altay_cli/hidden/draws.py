"""Hide, draw, move and shuffle hidden things."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from altay_cli.base.values import (
    NOTHING,
    Bag,
    Placeholder,
    Sink,
    partly_known,
)
from altay_cli.hidden import limits, lots
from altay_cli.hidden.batches import Batches
from altay_cli.hidden.beliefs import Beliefs, Filter, Group, GroupState
from altay_cli.hidden.lots import MAX_COUNT, Belief, Step, World
from altay_cli.hidden.placeholders import unseen_placeholder
from altay_cli.hidden.queries import Queries
from altay_cli.pack.model import Pack


class FinishedDraw(NamedTuple):
    """The cached result of a conditional draw.

    continues: the answers of the condition.
    drawn: for each world with something left, whether something was drawn.
    caches: those of each belief that the condition reads.
    charged, spent: the steps that the statement and the account alone paid.
    """

    continues: dict[tuple[int, ...], bool]
    drawn: Sequence[bool]
    belief: Belief
    caches: Sequence[tuple[dict[int, int], dict[int, Belief]]]
    charged: int
    spent: int


class Loop(Protocol):
    """The condition of a repeated draw."""

    def continues(self) -> bool:
        """Return True if the condition holds."""

    def reads_place(self, place: int, /) -> bool:
        """Return True if the condition reads a place."""

    def inputs(self) -> tuple[Hashable, Sequence[int]] | None:
        """Return all values that it reads, and its places with hidden things.

        None if they cannot be listed.
        """


def _finished_draws(_pack: Pack) -> dict[Hashable, FinishedDraw]:
    return {}


class _ContinuePredicate:
    """Decides, per world, whether a draw continues.

    Worlds that agree in all that the condition reads share one evaluation.
    """

    def __init__(self, beliefs: Beliefs, group: Group, loop: Loop) -> None:
        self._beliefs = beliefs
        self._condition, reads_place = loop.continues, loop.reads_place
        self.answers: dict[tuple[int, ...], bool] = {}
        read = [
            (number, place)
            for place in group.now.places
            if (number := beliefs.zones.get(place)) is not None and reads_place(place)
        ]
        self._zones = {number: 2 * n for n, (number, _) in enumerate(read)}
        # For each place: its bag, and how much of the group it holds at most.
        self._bags = [(place, beliefs.bag(place), group.max_size(number)) for number, place in read]
        self._steps = 5 + sum(len(beliefs.bag(place)) >> 2 for place in group.now.places)

    def __call__(self, world: World) -> bool:
        key = self._key(world)
        continues = self.answers.get(key)
        if continues is None:
            table = self._beliefs.table
            table.budget.charge(self._steps)
            sized = table.budget.size_was_read
            with table.journal.supposing():
                for n, (place, before, most) in enumerate(self._bags):
                    hidden = before.unknown.hidden - most + key[2 * n + 1]
                    bag = partly_known(before, before.unknown._replace(hidden=hidden))
                    for item, count in self._beliefs.entities_in(key[2 * n]):
                        bag[item] = bag.get(item, 0) + count
                    table.journal.put(place, bag)
                continues = self.answers[key] = self._condition()
            table.budget.size_was_read = sized
        return continues

    def cached(self, world: World) -> bool:
        """Return the cached answer, although the state may have changed."""
        return self.answers.get(self._key(world), False)

    def _key(self, world: World) -> tuple[int, ...]:
        key = [0, 0] * len(self._bags)
        for things, places, size in world:
            for zone, part in lots.fields(places):
                at = self._zones.get(zone)  # not read
                if at is not None and part < size:
                    key[at + 1] += part
                elif at is not None:
                    key[at] += things
        return tuple(key)


class Draws:
    """Unobserved moves of hidden things."""

    def __init__(self, beliefs: Beliefs, queries: Queries, pack: Pack) -> None:
        self.beliefs = beliefs
        self.queries = queries
        self.table = beliefs.table
        # For all games of the pack, by what a draw depends on.
        self._finished = pack.cached(_finished_draws)

    def hide(
        self, place: int, only: Filter = None, *, separately: bool = False, kept: Bag = NOTHING
    ) -> None:
        """Hide the open things of a place, or those selected by ``only``.

        separately: in a group of their own.
        """
        table = self.table
        group = self.beliefs.merged_group(place, only=only if separately else None)
        zone = self.beliefs.zone_of(place)
        packed = size = 0
        bag = self.beliefs.bag(place)
        counts = [
            (item, n - kept.get(item, 0))
            for item, n in bag.items()
            if (only is None or only(item)) and n > kept.get(item, 0)
        ]
        table.budget.charge(len(bag))
        for item, count in counts:
            table.add(place, item, -count)
            if isinstance(item, Placeholder):
                group = self._move_all(item.cell, place)
                continue
            packed += count << self.beliefs.kind_of(item)
            size += count
        if size:
            group.set(kinds=group.now.kinds | {kind for kind, _ in lots.fields(packed)})
        unknown = self.beliefs.bag(place).unknown
        absent_hidden = min(unknown.absent, size) if only is None else 0
        self.beliefs.set_hidden(place, unknown.hidden + size - absent_hidden, absent_hidden)
        if size > MAX_COUNT:
            self.beliefs.report_too_many(MAX_COUNT)
            group.set(belief=None)
        elif size and not group.now.is_lost:
            lot = (packed, ((size - absent_hidden) << zone) + absent_hidden, size)
            self.beliefs.add_lot(group, lot)

    def _prepare_draw(self, source: int, target: int, only: Filter) -> tuple[Group, int, int]:
        if self.beliefs.bag(source):
            self.hide(source, only, separately=True)
        here = self.beliefs.zone_of(source)
        if only is None:
            return self.beliefs.merged_group(source, target), here, 0
        group = self.beliefs.merged_group(source, only=only)
        self.beliefs.add_place(group, target)
        excluded = ~lots.mask_of(
            kind for kind in group.now.kinds if only(self.beliefs.entity_of(kind))
        )
        self._separate_excluded(group, here, excluded)
        return group, here, excluded

    def _separate_excluded(self, group: Group, zone: int, excluded: int) -> None:
        if excluded and any(
            (places >> zone) & lots.MASK and things & excluded and things & ~excluded
            for world in group.now.belief or ()
            for things, places, _ in world
        ):
            self.beliefs.change(
                group, lambda world: lots.separate(world, ~excluded, zone), in_batches=lambda b: b
            )

    def _draw(
        self, source: int, target: int, only: Filter, count: int, *, allow_empty: bool = False
    ) -> Sink:
        sink: Sink = []
        group, here, excluded = self._prepare_draw(source, target, only)
        there = self.beliefs.zone_of(target)
        draw = partial(
            lots.draw, source=here, target=there, excluded=excluded, allow_empty=allow_empty
        )
        # The rest differs by world: draw one at a time.
        for size in [1] * count if group.now.size_uncertain else [count]:
            self._separate_excluded(group, here, excluded)
            in_batches = (
                None if excluded else partial(Batches.draw, source=here, target=there, count=size)
            )
            self.beliefs.change(group, partial(draw, count=size), sink, in_batches=in_batches)
        self.beliefs.set_hidden(source, self.beliefs.max_hidden(source) - count)
        self.beliefs.set_hidden(target, self.beliefs.max_hidden(target) + count)
        self.beliefs.open_certain(group)
        return sink

    def deal(
        self,
        source: int,
        target: int,
        only: Filter,
        count: int,
        backs: Sequence[str],
        *,
        allow_empty: bool = False,
    ) -> list[Sink]:
        """Move ``count`` unidentified things; ``source`` holds at least that many.

        backs: the fields that the backs show.
        allow_empty: move nothing in worlds where ``source`` is empty.

        Return the sinks that will identify the things: one for each, or one for all without
        ``backs``.
        """
        if not backs:
            return [self._draw(source, target, only, count, allow_empty=allow_empty)]
        table, sinks = self.table, []
        if self.beliefs.bag(source):
            self.hide(source, only, separately=only is not None)
        for _ in range(count):
            possible = [
                item
                for item in self.queries.possible_contents(source)
                if only is None or only(item)
            ]
            if not possible:  # the belief is lost
                sinks.append(self._draw(source, target, only, 1))
                continue
            fields = possible[0].f
            seen = {
                field: fields[field]
                for field in backs
                if all(item.f[field] is fields[field] for item in possible)
            }
            thing = unseen_placeholder(
                self.queries, possible, table.journal.new_cell(NOTHING), seen
            )
            self.beliefs.placeholders[self.beliefs.zone_of(thing.cell)] = thing
            sinks.append(self._draw(source, thing.cell, only, 1))
            table.add(target, thing, 1)
        return sinks

    def condition_on_empty(self, place: int, only: Filter) -> bool:
        """Condition on nothing being left; return False if impossible."""
        if any(only is None or only(item) for item in self.beliefs.bag(place)):
            return False
        group, here, excluded = self._prepare_draw(place, place, only)
        if group.now.belief is None:
            return False
        is_possible = self._keep(group, lambda world: not lots.can_give(world, here, excluded))
        self.beliefs.open_certain(group)
        return is_possible

    def draw_while(
        self, source: int, target: int, only: Filter, loop: Loop
    ) -> tuple[Sink, bool, bool]:
        """Draw in each world while the condition of ``loop`` holds there.

        Return the sink for the things, whether any world drew some, and whether every world did.
        """
        sink: Sink = []
        group, here, excluded = self._prepare_draw(source, target, only)
        there = self.beliefs.zone_of(target)
        continues = self._continue_predicate(group, target, loop)
        table, worlds, spent = self.table, group.now.belief or {}, 0
        was_lost = group.now.is_lost
        transition_all = partial(
            lots.draw_while,
            source=here,
            target=there,
            excluded=excluded,
            single=self.beliefs.likeliest_only,
        )

        def transition(world: World) -> Iterable[Step]:
            return transition_all({world: 1.0}, continues=continues.cached)

        def pay(number: int) -> None:
            nonlocal spent
            spent += self.beliefs.pay_for_worlds(number)

        key, beliefs = self._cache_key(group, loop, (here, there, excluded))
        table.budget.settle()
        known, before = self._finished.get(key), table.budget.remaining
        if known is not None and known.charged <= before:
            continues.answers, drawn = known.continues, known.drawn
            table.budget.charge(known.charged)
            table.budget.spend(known.spent)
            for believed, (possible, by_size) in zip(beliefs, known.caches, strict=True):
                believed.possible.update(possible)
                believed.by_size.update(by_size)
            self.beliefs.record_change(group, transition, worlds, known.belief, sink)
        else:
            drawn = [continues(world) for world in worlds if lots.can_give(world, here, excluded)]
            self.beliefs.change(
                group, transition, sink, partial(transition_all, continues=continues, pay=pay)
            )
            after, charged = group.now.belief, before - table.budget.remaining
            if key is not None and after is not None and len(after) <= limits.KEPT_WORLDS:
                caches = [({**believed.possible}, {**believed.by_size}) for believed in beliefs]
                finished = FinishedDraw(continues.answers, drawn, after, caches, charged, spent)
                self._finished[key] = finished
                if len(self._finished) > limits.KEPT_DRAWS:
                    self._finished.pop(next(iter(self._finished)), None)
        table.budget.settle()
        if group.now.belief is None and not was_lost:
            self.beliefs.set_lost_bounds(group)
        self.beliefs.mark_size_uncertain(group)
        return sink, any(drawn), bool(worlds) and len(drawn) == len(worlds) and all(drawn)

    def _cache_key(
        self, group: Group, loop: Loop, draw: tuple[int, int, int]
    ) -> tuple[Hashable, Sequence[GroupState]]:
        condition = loop.inputs()
        if condition is None:
            return None, ()
        read, places = condition
        beliefs = [member.now for member in dict.fromkeys((group, *self.beliefs.groups_at(places)))]
        believed: list[Hashable] = []
        worlds = 0
        for state in beliefs:
            worlds += limits.KEPT_WORLDS + 1 if state.belief is None else len(state.belief)
            if state.belief is None or worlds > limits.KEPT_WORLDS:
                return None, ()
            numbers = tuple([(place, self.beliefs.zones.get(place)) for place in state.places])
            caches = tuple(state.possible), bool(state.by_size)
            shares = tuple(state.belief.items())
            believed.append((numbers, caches, shares, state.kinds, state.size_uncertain))
        ways = self.beliefs.likeliest_only, self.table.budget.exact
        return (read, draw, tuple(self.beliefs._entities), tuple(believed), ways), beliefs

    def condition_on_loop(
        self, source: int, target: int, only: Filter, loop: Loop, *, more: bool
    ) -> bool:
        """Condition on a draw continuing (``more``) or not; return False if impossible."""
        group, here, excluded = self._prepare_draw(source, target, only)
        continues = self._continue_predicate(group, target, loop)
        for world in group.now.belief or ():
            if lots.can_give(world, here, excluded):
                continues(world)
        is_possible = self._keep(
            group,
            lambda world: (
                (lots.can_give(world, here, excluded) and continues.cached(world)) == more
            ),
        )
        self.beliefs.mark_size_uncertain(group)
        return is_possible

    def _keep(self, group: Group, fits: Callable[[World], bool]) -> bool:
        return self.beliefs.change(group, lambda world: ((world, 1.0, ()),) if fits(world) else ())

    def _continue_predicate(self, group: Group, target: int, loop: Loop) -> _ContinuePredicate:
        there = self.beliefs.zone_of(target)
        if any(lots.is_spread(world, there) for world in group.now.belief or ()):
            self.beliefs.change(group, lambda world: lots.mix(world, there), in_batches=lambda b: b)
        return _ContinuePredicate(self.beliefs, group, loop)

    def drop_belief(self, place: int, only: Filter) -> None:
        """Drop the belief about a place: accept any later claim."""
        group = self.beliefs.merged_group(place, only=only)
        self.beliefs.set_lost_bounds(
            group, sum(group.max_size(self.beliefs.zone_of(member)) for member in group.now.places)
        )
        group.set(belief=None)

    def refill(self, source: int, refill: int) -> None:
        """Refill a pile in each world where it is empty."""
        if not self.beliefs.size_is_uncertain(source):
            return
        group = self.beliefs.merged_group(source)
        here = self.beliefs.zone_of(source)
        if group.now.belief is None or all(lots.size_in(world, here) for world in group.now.belief):
            return
        self.hide(refill)
        group = self.beliefs.merged_group(source, refill)
        there = self.beliefs.zone_of(refill)

        def transition(world: World) -> Iterable[Step]:
            if lots.size_in(world, here):
                return ((world, 1.0, ()),)
            return [
                (mixed, share, (*poured, *decided))
                for filled, _, poured in lots.move_all(world, there, here)
                for mixed, share, decided in lots.mix(filled, here)
            ]

        self.beliefs.change(group, transition)
        self.beliefs.open_certain(group)

    def move_all(self, source: int, target: int | None) -> None:
        """Move everything hidden to another place, or out of the game."""
        if target is None or not isinstance(self.table.cells[target], Bag):
            target = self.table.journal.new_cell(NOTHING)
        self.beliefs.open_certain(self._move_all(source, target))

    def _move_all(self, source: int, target: int) -> Group:
        group = self.beliefs.merged_group(source, target)
        here, there = self.beliefs.zone_of(source), self.beliefs.zone_of(target)
        self.beliefs.change(
            group,
            lambda world: lots.move_all(world, here, there),
            in_batches=lambda batches: batches.move_all(here, there),
        )
        self.beliefs.set_hidden(
            target, self.beliefs.max_hidden(target) + self.beliefs.max_hidden(source)
        )
        self.beliefs.set_hidden(source, 0)
        return group

    def shuffle(self, source: int, target: int) -> None:
        """Shuffle everything, open or hidden, into an empty place."""
        self.hide(source)
        group = self._move_all(source, target)
        zone = self.beliefs.zone_of(target)
        if any(lots.is_spread(world, zone, least=2) for world in group.now.belief or ()):
            self.beliefs.change(group, lambda world: lots.mix(world, zone), in_batches=lambda b: b)
        self.beliefs.open_certain(group)

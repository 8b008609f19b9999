"""Knowledge of the hidden things of one state, as ``match`` uses it."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from altay_cli.base.values import (
    NOTHING,
    Bag,
    Entity,
    Placeholder,
    Sink,
    copies_together,
    partly_known,
)
from altay_cli.hidden import limits, lots
from altay_cli.hidden.beliefs import Believed, Group, Only
from altay_cli.hidden.course import covered
from altay_cli.hidden.lots import MAX_COUNT, Belief, Step, World
from altay_cli.hidden.placeholders import OneOf, Unseen
from altay_cli.hidden.queries import Content, Depends, Queries

_T = TypeVar("_T")


class FinishedDraw(NamedTuple):
    """The cached result of a conditional draw, and its price in steps.

    continues: the answers of the condition.
    drawn: for each world with something to draw, whether something was drawn.
    belief: the belief afterwards.
    found_out: the caches of each belief that the condition reads.
    charged: the steps charged to the statement.
    spent: the further steps of the account alone.
    """

    continues: dict[tuple[int, ...], bool]
    drawn: Sequence[bool]
    belief: Belief
    found_out: Sequence[tuple[dict[int, int], dict[int, Belief]]]
    charged: int
    spent: int


class Loop(NamedTuple):
    """The condition of a repeated draw.

    looks_at: returns whether the condition reads a place.
    depends_on: returns everything that it reads, and which of those places hold hidden things;
    None if that cannot be listed.
    finished: the results by what they depend on, for all games of a pack.
    """

    goes_on: Callable[[], bool]
    looks_at: Callable[[int], bool]
    depends_on: Callable[[], tuple[Hashable, Sequence[int]] | None]
    finished: dict[Hashable, FinishedDraw]


class _ContinuePredicate:
    """Decides, per world, whether a draw continues (memoised).

    Worlds that agree in what the condition reads share one evaluation, in which their things are
    open.
    """

    def __init__(self, draws: Draws, group: Group, loop: Loop) -> None:
        self._draws = draws
        self._goes_on, looks_at = loop.goes_on, loop.looks_at
        self.answers: dict[tuple[int, ...], bool] = {}
        read = [
            (number, place)
            for place in group.now.places
            if (number := draws._numbers.get(place)) is not None and looks_at(place)
        ]
        self._numbers = {number: 2 * n for n, (number, _) in enumerate(read)}
        # For each place: its bag, and the maximum number of the group's things in it.
        self._bags = [(place, draws.bag(place), group.most(number)) for number, place in read]
        self._steps = 5 + sum(len(draws.bag(place)) >> 2 for place in group.now.places)

    def __call__(self, world: World) -> bool:
        key = self._key(world)
        continues = self.answers.get(key)
        if continues is None:
            table = self._draws.table
            table.budget.charge(self._steps)
            sized = table.budget.size_was_read
            with table.journal.supposing():
                for n, (place, before, most) in enumerate(self._bags):
                    hidden = before.unknown.hidden - most + key[2 * n + 1]
                    bag = partly_known(before, before.unknown._replace(hidden=hidden))
                    for item, count in self._draws.things(key[2 * n]):
                        bag[item] = bag.get(item, 0) + count
                    table.journal.put(place, bag)
                continues = self.answers[key] = self._goes_on()
            table.budget.size_was_read = sized
        return continues

    def cached(self, world: World) -> bool:
        """Return the cached answer; the state may have changed since."""
        return self.answers.get(self._key(world), False)

    def _key(self, world: World) -> tuple[int, ...]:
        """Return the part of a world that the condition reads."""
        key = [0, 0] * len(self._bags)
        for things, places, size in world:
            for zone, part in lots.fields(places):
                at = self._numbers.get(zone)  # None where the condition does not look
                if at is not None and part < size:
                    key[at + 1] += part
                elif at is not None:
                    key[at] += things
        return tuple(key)


class Draws(Queries):
    """Unobserved moves of things: covering, drawing, pouring and shuffling."""

    def cover(
        self, place: int, only: Only = None, *, apart: bool = False, kept: Bag = NOTHING
    ) -> None:
        """Hide the open things of a place, or those that satisfy ``only``.

        apart: keep them in a group of their own, as they are drawn separately.
        kept: things that stay open.
        """
        table = self.table
        group = self._group(place, only=only if apart else None)
        zone = self._zone(place)
        packed = size = 0
        bag = self.bag(place)
        counts = [
            (item, n - kept.get(item, 0))
            for item, n in bag.items()
            if (only is None or only(item)) and n > kept.get(item, 0)
        ]
        table.budget.charge(len(bag))
        for item, count in counts:
            table.add(place, item, -count)
            if isinstance(item, Placeholder):
                group = self._pour(item.cell, place)
                continue
            packed += count << self._kind(item)
            size += count
        if size:
            group.change(kinds=group.now.kinds | {kind for kind, _ in lots.fields(packed)})
        unknown = self.bag(place).unknown
        absent_hidden = min(unknown.absent, size) if only is None else 0
        self._hold(place, unknown.hidden + size - absent_hidden, absent_hidden)
        if size > MAX_COUNT:
            self._undecided(MAX_COUNT)
            group.change(belief=None)
        elif size and group.now.belief is not None:
            lot = (packed, ((size - absent_hidden) << zone) + absent_hidden, size)
            self._note(covered(group, lot, group.now.belief))
            group.change(belief={lots.world_of((*w, lot)): n for w, n in group.now.belief.items()})

    def _drawing(self, source: int, target: int, only: Only) -> tuple[Group, int, int]:
        """Return the group to draw from, the zone of ``source``, and the mask of excluded kinds."""
        if self.bag(source):
            self.cover(source, only, apart=True)
        here = self._zone(source)
        if only is None:
            return self._group(source, target), here, 0
        group = self._group(source, only=only)
        self._join(group, target)
        barred = ~lots.mask_of(kind for kind in group.now.kinds if only(self.thing(kind)))
        self._sort(group, here, barred)
        return group, here, barred

    def _sort(self, group: Group, zone: int, barred: int) -> None:
        """Separate the excluded kinds in a zone from the others, if there are any."""
        if barred and any(
            (places >> zone) & lots.MASK and things & barred and things & ~barred
            for world in group.now.belief or ()
            for things, places, _ in world
        ):
            self._change(group, lambda world: lots.separate(world, ~barred, zone))

    def _draw(
        self, source: int, target: int, only: Only, count: int, *, as_far: bool = False
    ) -> Sink:
        sink: Sink = []
        group, here, barred = self._drawing(source, target, only)
        draw = partial(
            lots.draw, source=here, target=self._zone(target), excluded=barred, allow_empty=as_far
        )
        # The remaining contents differ per world, so draw one at a time.
        for size in [1] * count if group.now.varies else [count]:
            self._sort(group, here, barred)
            self._change(group, partial(draw, count=size), sink)
        self._hold(source, self.hidden_in(source) - count)
        self._hold(target, self.hidden_in(target) + count)
        self._open(group)
        return sink

    def deal(
        self,
        source: int,
        target: int,
        only: Only,
        count: int,
        backs: Sequence[str],
        *,
        as_far: bool = False,
    ) -> list[Sink]:
        """Move ``count`` unidentified things; ``source`` holds at least that many.

        backs: the fields that are visible on the backs.
        as_far: move nothing in worlds where ``source`` is empty.

        Return the sinks that will identify the things (see ``course``): one for all, or one for
        each thing where backs are visible.
        """
        if not backs:
            return [self._draw(source, target, only, count, as_far=as_far)]
        table, sinks = self.table, []
        if self.bag(source):
            self.cover(source, only, apart=only is not None)
        for _ in range(count):
            possible = [item for item in self.may_hold(source) if only is None or only(item)]
            if not possible:  # the belief is lost
                sinks.append(self._draw(source, target, only, 1))
                continue
            fields = possible[0].f
            seen = {
                field: fields[field]
                for field in backs
                if all(item.f[field] is fields[field] for item in possible)
            }
            thing = Unseen(self, possible, table.journal.new_cell(NOTHING), seen)
            self.likenesses[self._zone(thing.cell)] = thing
            sinks.append(self._draw(source, thing.cell, only, 1))
            table.add(target, thing, 1)
        return sinks

    def runs_out(self, place: int, only: Only) -> bool:
        """Condition on nothing being left to draw; return False if that is impossible."""
        if any(only is None or only(item) for item in self.bag(place)):
            return False
        group, here, barred = self._drawing(place, place, only)
        if group.now.belief is None:
            return False
        is_possible = self._keep(group, lambda world: not lots.can_give(world, here, barred))
        self._open(group)
        return is_possible

    def draw_on(self, source: int, target: int, only: Only, loop: Loop) -> tuple[Sink, bool, bool]:
        """Draw unrecorded things in each world while the condition of ``loop`` holds there.

        Return the sink that will identify them, and whether something was drawn in some world and
        in every world.
        """
        sink: Sink = []
        group, here, barred = self._drawing(source, target, only)
        there = self._zone(target)
        continues = self._continue_predicate(group, target, loop)
        table, worlds, spent = self.table, group.now.belief or {}, 0
        transition_all = partial(
            lots.draw_while, source=here, target=there, excluded=barred, single=self.single
        )

        def transition(world: World) -> Iterable[Step]:
            return transition_all({world: 1.0}, continues=continues.cached)

        def pay(number: int) -> None:
            nonlocal spent
            spent += self._pay(number)

        key, beliefs = self._draw_key(group, loop, (here, there, barred))
        table.budget.settle()
        known, before = loop.finished.get(key), table.budget.remaining
        if known is not None and known.charged <= before:
            continues.answers, drawn = known.continues, known.drawn
            table.budget.charge(known.charged)
            table.budget.spend(known.spent)
            for believed, (possible, by_size) in zip(beliefs, known.found_out, strict=True):
                believed.possible.update(possible)
                believed.by_size.update(by_size)
            self._become(group, transition, worlds, known.belief, sink)
        else:
            drawn = [continues(world) for world in worlds if lots.can_give(world, here, barred)]
            self._change(
                group, transition, sink, partial(transition_all, continues=continues, pay=pay)
            )
            after, charged = group.now.belief, before - table.budget.remaining
            if key is not None and after is not None and len(after) <= limits.KEPT_WORLDS:
                found_out = [({**believed.possible}, {**believed.by_size}) for believed in beliefs]
                finished = FinishedDraw(continues.answers, drawn, after, found_out, charged, spent)
                loop.finished[key] = finished
                if len(loop.finished) > limits.KEPT_DRAWS:
                    loop.finished.pop(next(iter(loop.finished)), None)
        table.budget.settle()
        if worlds and group.now.belief is None:
            self._lose(group)
        self._vary(group)
        return sink, any(drawn), bool(worlds) and len(drawn) == len(worlds) and all(drawn)

    def _draw_key(
        self, group: Group, loop: Loop, draw: tuple[int, int, int]
    ) -> tuple[Hashable, Sequence[Believed]]:
        """Return the cache key of a draw (None: not cacheable) and the beliefs that it reads."""
        condition = loop.depends_on()
        if condition is None:
            return None, ()
        read, places = condition
        beliefs = [member.now for member in dict.fromkeys((group, *self.groups_at(places)))]
        believed: list[Hashable] = []
        worlds = 0
        for inside, possible, by_size, belief, kinds, varies in beliefs:
            worlds += limits.KEPT_WORLDS + 1 if belief is None else len(belief)
            if belief is None or worlds > limits.KEPT_WORLDS:
                return None, ()
            numbers = tuple([(place, self._numbers.get(place)) for place in inside])
            found_out = tuple(possible), bool(by_size)
            believed.append((numbers, found_out, tuple(belief.items()), kinds, varies))
        ways = self.single, self.table.budget.exact
        return (read, draw, tuple(self._kinds), tuple(believed), ways), beliefs

    def keep_going(self, source: int, target: int, only: Only, loop: Loop, *, more: bool) -> bool:
        """Condition on a draw continuing (``more``) or being over; return False if impossible."""
        group, here, barred = self._drawing(source, target, only)
        continues = self._continue_predicate(group, target, loop)
        for world in group.now.belief or ():
            if lots.can_give(world, here, barred):
                continues(world)
        is_possible = self._keep(
            group,
            lambda world: (lots.can_give(world, here, barred) and continues.cached(world)) == more,
        )
        self._vary(group)
        return is_possible

    def _keep(self, group: Group, fits: Callable[[World], bool]) -> bool:
        return self._change(group, lambda world: ((world, 1.0, ()),) if fits(world) else ())

    def _continue_predicate(self, group: Group, target: int, loop: Loop) -> _ContinuePredicate:
        """Return the predicate that decides, per world, whether a draw continues."""
        there = self._zone(target)
        if any(lots.is_spread(world, there) for world in group.now.belief or ()):
            self._change(group, lambda world: lots.mix(world, there))
        return _ContinuePredicate(self, group, loop)

    def give_up(self, place: int, only: Only) -> None:
        """Drop the belief about a place: accept any later claim."""
        group = self._group(place, only=only)
        self._lose(group, sum(group.most(self._zone(member)) for member in group.now.places))
        group.change(belief=None)

    def replenish(self, source: int, refill: int) -> None:
        """Refill a pile from another place in each world where it is empty."""
        if not self.varies_in(source):
            return
        group = self._group(source)
        here = self._zone(source)
        if group.now.belief is None or all(lots.size_in(world, here) for world in group.now.belief):
            return
        self.cover(refill)
        group = self._group(source, refill)
        there = self._zone(refill)

        def transition(world: World) -> Iterable[Step]:
            if lots.size_in(world, here):
                return ((world, 1.0, ()),)
            return [
                (mixed, share, (*poured, *decided))
                for filled, _, poured in lots.move_all(world, there, here)
                for mixed, share, decided in lots.mix(filled, here)
            ]

        self._change(group, transition)
        self._open(group)

    def pour(self, source: int, target: int | None) -> None:
        """Move everything hidden in a place to another, or out of the game."""
        if target is None or not isinstance(self.table.cells[target], Bag):
            target = self.table.journal.new_cell(NOTHING)
        self._open(self._pour(source, target))

    def _pour(self, source: int, target: int) -> Group:
        group = self._group(source, target)
        here, there = self._zone(source), self._zone(target)
        self._change(group, lambda world: lots.move_all(world, here, there))
        self._hold(target, self.hidden_in(target) + self.hidden_in(source))
        self._hold(source, 0)
        return group

    def shuffle(self, source: int, target: int) -> None:
        """Shuffle everything in a place, open or hidden, into an empty one."""
        self.cover(source)
        group = self._pour(source, target)
        zone = self._zone(target)
        if any(lots.is_spread(world, zone, least=2) for world in group.now.belief or ()):
            self._change(group, lambda world: lots.mix(world, zone))
        self._open(group)


class Supposing(NamedTuple):
    """A supposed content of some places, out of all that are possible.

    means: the placeholders that the content identifies.
    """

    where: tuple[int, ...]
    content: Content
    contents: Sequence[Content]
    means: Mapping[Placeholder, Entity]


Supposed = tuple[Supposing, ...]
"""Successive suppositions."""


class Knowledge(Draws):
    """Everything known about the hidden things of one state."""

    # ------------------------------------------------------------ what is named

    def reveal(self, places: Sequence[int], named: Sequence[Entity]) -> Entity | None:
        """Remove a named thing from the hidden ones of some places, and condition on that.

        named: all things of that name. Of copies it is the last one there, which differs
        from world to world.

        Return the thing, or a placeholder if it may be several; None, without a change, if it
        cannot be any of them.
        """
        places, possible = self._possible(places, named)
        if not possible:
            return None
        self.remember(places[0], named)
        group = self._group(*places, only=possible.__contains__)
        zones = [self._zone(place) for place in places]
        copies = copies_together(possible)
        if len(copies) < len(possible):
            possible = self._least(group, zones, copies)
        item, to, sink = self._identify(group, possible)
        kinds = [[self._kind(copy) for copy in copies_of] for copies_of in copies]

        def transition(world: World) -> Iterable[Step]:
            # Of copies it is the last one there.
            return (s for copies_of in kinds for s in lots.reveal_last(world, zones, copies_of, to))

        self._change(group, transition, sink)
        if len(places) > 1:
            group.change(varies=True)
        else:
            self._hold(places[0], self.hidden_in(places[0]) - 1)
        # Certain things are opened with the next event, as the statement names only some.
        self._count(group)
        return item

    def _possible(
        self, places: Sequence[int], named: Sequence[Entity]
    ) -> tuple[list[int], list[Entity]]:
        """Return the possible places and things of a name; report a name without any."""
        where = [
            place for place in dict.fromkeys(places) if any(self.may_be(place, i) for i in named)
        ]
        if places and not where:
            place = next((place for place in places if self.hidden_in(place) > 0), places[0])
            self.table.reporter.cannot_be(place, named)
        return where, [
            i for i in dict.fromkeys(named) if any(self.may_be(place, i) for place in where)
        ]

    def _identify(
        self, group: Group, possible: Sequence[Entity]
    ) -> tuple[Entity, int | None, Sink | None]:
        """Return the thing or a placeholder, with the zone and the sink of the latter."""
        if len(possible) == 1:
            return possible[0], None, None
        placeholder = OneOf(self, possible, self.table.journal.new_cell(NOTHING))
        self.likenesses[self._zone(placeholder.cell)] = placeholder
        self._join(group, placeholder.cell)
        self._hold(placeholder.cell, 1)
        return placeholder, self._zone(placeholder.cell), placeholder.identity

    def find(
        self, among: Sequence[Placeholder], named: Sequence[Entity]
    ) -> tuple[Placeholder, Entity] | None:
        """Identify one of some unseen things by its name.

        Return the placeholder and the thing to replace it by; None, without a change, if none of
        them can be that.
        """
        likes = {placeholder.cell: placeholder for placeholder in among}
        places, possible = self._possible([*likes], named)
        if not possible:
            return None
        group = self._group(*places, only=possible.__contains__)
        item, to, sink = self._identify(group, possible)
        zones = [self._zone(place) for place in places]
        kinds = [self._kind(thing) for thing in possible]

        def transition(world: World) -> Iterable[Step]:
            # The zones are interchangeable: empty the first into the zone of the found thing.
            for kind in kinds:
                for zone in zones:
                    for left, share, decided in lots.reveal(world, (zone,), (kind,), to):
                        if zone == zones[0]:
                            yield left, share, decided
                            continue
                        for moved, _, poured in lots.move_all(left, zones[0], zone):
                            yield moved, share, (*decided, *poured)

        self._change(group, transition, sink)
        self._hold(places[0], 0)
        self._count(group)
        return likes[places[0]], item

    def narrow(self, item: Placeholder, named: Sequence[Entity]) -> bool:
        """Condition on a placeholder being thing of ``named``; return False if impossible."""
        zone = self._zone(item.cell)
        kinds = [self._kind(thing) for thing in item.among if thing in named]
        group = self._group(item.cell)
        return self._change(group, lambda world: lots.reveal(world, (zone,), kinds, zone))

    def either(self, item: Entity | None, ways: Sequence[tuple[int, int]]) -> None:
        """Move a thing by the pair of ``ways`` (source, target) whose source holds it.

        The source may be unrecorded. Nothing changes in worlds where no source holds it.
        """
        if item is None:
            return
        targets = {
            source: target
            for source, target in ways
            if self.bag(source).get(item, 0) > 0 or self.may_be(source, item)
        }
        ways = [*targets.items()]
        if not any(self.may_be(source, item) for source in targets):
            for source, target in ways[:1]:
                self.table.add(source, item, -1)
                self.table.add(target, item, 1)
            return
        for source in targets:
            if item in self.bag(source):
                self.cover(source, lambda other: other is item)
        self.remember(ways[0][0], (item,))
        group = self._group(*(place for way in ways for place in way), only=lambda e: e is item)
        kind = self._kind(item)
        zones = [(self._zone(source), self._zone(target)) for source, target in ways]

        def transition(world: World) -> Iterable[Step]:
            for here, there in zones:
                yield from lots.reveal(world, (here,), (kind,), there)

        self._change(group, transition)
        self._vary(group)

    def perhaps(self, source: int, target: int) -> None:
        """Leave it open whether everything in ``source`` moved to ``target``."""
        if not self.bag(source).size():
            return
        self.cover(source)
        group = self._group(source, target)
        here, there = self._zone(source), self._zone(target)

        def transition(world: World) -> Iterable[Step]:
            yield world, 1.0, ()
            if lots.size_in(world, here):
                yield from lots.move_all(world, here, there)

        self._change(group, transition)
        self._vary(group)

    def lack(self, place: int, items: Sequence[Entity]) -> None:
        """Condition on none of ``items`` being hidden in a place, if that is possible."""
        for group, transition in self._absence_of(self.bag(place), items):
            self._change(group, transition)
            self._count(group)

    # ------------------------------------------------------------ what is supposed

    def can_hold(self, ask: Callable[[], bool], unknown: Callable[[], bool]) -> bool:
        """Return True if ``ask`` holds for some hidden contents, and condition on those.

        unknown: the answer for contents under which ``ask`` is still uncertain.
        """
        answer = self._depends(ask)
        if not isinstance(answer, Depends):
            return answer
        group, fitting = self._group(*answer.where), set[int | None]()

        def note(fits: bool | Depends, supposed: Supposed) -> None:
            if unknown() if isinstance(fits, Depends) else fits:
                fitting.add(supposed[0].content.packed if supposed else None)

        self.suppose(ask, note, limits.MOST_LIMITED)
        if None in fitting:  # nothing was supposed
            return True
        zones = tuple(map(self._zone, answer.where))

        def transition(world: World) -> Iterable[Step]:
            return (
                (becomes, share, divided)
                for inside, becomes, share, divided in lots.split_zones(world, zones)
                if inside in fitting
            )

        if not fitting or not self._change(group, transition):
            return False
        self._open(group)
        return True

    def never_holds(self, ask: Callable[[], bool], most: int = limits.MOST_ASKED) -> bool:
        """Return True if ``ask`` is false for every hidden content.

        With more than ``most`` contents to try, the answer is False.
        """
        answer = self._depends(ask)
        if not isinstance(answer, Depends):
            return not answer
        contents = self.contents(answer.where, most) or ()
        for content in contents:
            with self.table.journal.supposing():
                self._hold_all(content)
                if not self.never_holds(ask, most // len(contents)):
                    return False
        return bool(contents)

    def suppose(
        self,
        ask: Callable[[], _T],
        report: Callable[[_T | Depends, Supposed], None],
        most: int = limits.MAX_WAYS,
        supposed: Supposed = (),
    ) -> None:
        """Evaluate ``ask`` for each hidden content it depends on; pass the answers to ``report``.

        ``report`` also gets the suppositions, in force during the call. With more than ``most``
        contents, its answer is the ``Depends`` exception.
        """
        answer = self._depends(ask)
        contents = self.contents(answer.where, most) if isinstance(answer, Depends) else None
        if not isinstance(answer, Depends) or not contents:
            report(answer, supposed)
            return
        for content in contents:
            with self.table.journal.supposing():
                supposing = Supposing(answer.where, content, contents, self._hold_all(content))
                self.suppose(ask, report, most, (*supposed, supposing))

    def _hold_all(self, content: Content) -> dict[Placeholder, Entity]:
        """Apply a content; return the placeholders that it identifies."""
        self.table.budget.charge(limits.CHANGE_STEPS)
        group = content.group
        open_before = [
            placeholder
            for placeholder in self.likenesses.values()
            if placeholder.known and group in self.groups_of(placeholder.cell)
            if len(self.may_hold(placeholder.cell)) > 1
        ]
        group.change(belief=content.belief)
        possible = {
            placeholder: list(self.may_hold(placeholder.cell)) for placeholder in open_before
        }
        return {
            placeholder: things[0] for placeholder, things in possible.items() if len(things) == 1
        }

    def _depends(self, ask: Callable[[], _T]) -> _T | Depends:
        """Return the answer, or the exception that says which hidden contents it depends on."""
        with self.table.journal.supposing():
            self.table.journal.put(self._splitting, True)
            try:
                return ask()
            except Depends as depends:
                return depends.with_traceback(None)

    def assume(self, number: int, sizes: Container[int]) -> None:
        """Condition on the packed sizes of a group being among ``sizes``."""
        group = next(
            candidate for candidate in self.groups_at(self.groups) if candidate.cell == number
        )
        remaining = {
            world: weight
            for size, worlds in group.sizes().items()
            if size in sizes
            for world, weight in worlds.items()
        }
        self._change(
            group,
            lambda world: ((world, 1.0, ()),) if lots.sizes(world) in sizes else (),
            transition_all=lambda _: ((world, weight, ()) for world, weight in remaining.items()),
            among=len(remaining) // 5,  # filtering is cheap
        )
        self._open(group)

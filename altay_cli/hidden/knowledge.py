"""What is known of hidden things, and what becomes known: the one class for whoever plays."""

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
from altay_cli.hidden.queries import Content, Depends, OneOf, Queries, Unseen

_T = TypeVar("_T")


class FinishedDraw(NamedTuple):
    """The result of a draw that went on by a condition, and its price.

    ``going`` holds the answers of the condition, ``drawn`` whether something came in each world
    that could give something, and ``belief`` the worlds afterwards. ``found_out`` holds
    what each belief that it reads caches. The question was charged ``charged`` steps, and the
    account alone ``spent`` more.
    """

    going: dict[tuple[int, ...], bool]
    drawn: Sequence[bool]
    belief: Belief
    found_out: Sequence[tuple[dict[int, int], dict[int, Belief]]]
    charged: int
    spent: int


class Loop(NamedTuple):
    """The condition of a draw that is repeated while it holds.

    ``looks_at`` returns whether it reads a place. ``depends_on`` returns all that it reads, and the
    places among that in which something is hidden; None if that cannot be listed. ``finished``
    keeps results by that, for all games of a pack.
    """

    goes_on: Callable[[], bool]
    looks_at: Callable[[int], bool]
    depends_on: Callable[[], tuple[Hashable, Sequence[int]] | None]
    finished: dict[Hashable, FinishedDraw]


class _Going:
    """Tells of each world whether a draw goes on in it.

    The condition is asked once for all worlds that are the same in what it looks at, with the
    places of the group holding what they would in such a world.
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
        # What lies in each of them in any world, and how much is the group's.
        self._bags = [(place, draws.bag(place), group.most(number)) for number, place in read]
        self._steps = 5 + sum(len(draws.bag(place)) >> 2 for place in group.now.places)

    def __call__(self, world: World) -> bool:
        key = self._key(world)
        going = self.answers.get(key)
        if going is None:
            table = self._draws.table
            table.charge(self._steps)
            sized = table.size_was_read
            with table.supposing():
                # Let all lie openly in the places that the condition can see there.
                for n, (place, before, most) in enumerate(self._bags):
                    hidden = before.unknown.hidden - most + key[2 * n + 1]
                    bag = partly_known(before, before.unknown._replace(hidden=hidden))
                    for item, count in self._draws.things(key[2 * n]):
                        bag[item] = bag.get(item, 0) + count
                    table.put(place, bag)
                going = self.answers[key] = self._goes_on()
            table.size_was_read = sized
        return going

    def told(self, world: World) -> bool:
        """Tell what was asked before: what is asked about may be otherwise from then on."""
        return self.answers.get(self._key(world), False)

    def _key(self, world: World) -> tuple[int, ...]:
        """Return what the condition can see of a world."""
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
    """Lets hidden things move: some are covered, drawn, poured and mixed, nobody sees which."""

    def cover(
        self, place: int, only: Only = None, *, apart: bool = False, kept: Bag = NOTHING
    ) -> None:
        """Take what lies openly in a place as hidden, to be mixed with what is; or ``only`` some.

        They are told ``apart`` from all else there if they are drawn by themselves. What is
        ``kept`` stays open.
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
        table.charge(len(bag))
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
        lacking = min(unknown.absent, size) if only is None else 0
        self._hold(place, unknown.hidden + size - lacking, lacking)
        if size > MAX_COUNT:
            self._undecided(MAX_COUNT)
            group.change(belief=None)
        elif size and group.now.belief is not None:
            lot = (packed, ((size - lacking) << zone) + lacking, size)
            self._note(covered(group, lot, group.now.belief))
            group.change(belief={lots.world_of((*w, lot)): n for w, n in group.now.belief.items()})

    def _drawing(self, source: int, target: int, only: Only) -> tuple[Group, int, int]:
        """Return the group of what can be drawn from a place, its number, and what is barred."""
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
        """Tell apart in a zone what can be drawn and what is barred, if anything is."""
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
        # Of what is left then, the worlds tell.
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
        """Move so many things, nobody wrote down which; ``source`` holds as many.

        ``backs`` are the fields that their backs tell, if these are seen. With ``as_far``, nothing
        moves in the worlds in which none is left. Returns what will tell which they were, if
        somebody goes back through the events: all together, or where backs are seen each by itself.
        """
        if not backs:
            return [self._draw(source, target, only, count, as_far=as_far)]
        table, sinks = self.table, []
        if self.bag(source):
            self.cover(source, only, apart=only is not None)
        for _ in range(count):
            possible = [item for item in self.may_hold(source) if only is None or only(item)]
            if not possible:  # it is not worked out any more what can come
                sinks.append(self._draw(source, target, only, 1))
                continue
            alike = possible[0].f
            seen = {
                field: alike[field]
                for field in backs
                if all(item.f[field] is alike[field] for item in possible)
            }
            thing = Unseen(self, possible, table.new_cell(NOTHING), seen)
            self.likenesses[self._zone(thing.cell)] = thing
            sinks.append(self._draw(source, thing.cell, only, 1))
            table.add(target, thing, 1)
        return sinks

    def runs_out(self, place: int, only: Only) -> bool:
        """Keep the worlds in which nothing can be drawn from a place; tell whether any is left."""
        if any(only is None or only(item) for item in self.bag(place)):
            return False
        group, here, barred = self._drawing(place, place, only)
        if group.now.belief is None:
            return False
        kept = self._keep(group, lambda world: not lots.can_give(world, here, barred))
        self._open(group)
        return kept

    def draw_on(self, source: int, target: int, only: Only, loop: Loop) -> tuple[Sink, bool, bool]:
        """Draw as long as a condition holds, in each world; nobody wrote down what came.

        The condition is asked with ``target`` as it is in that world. Returns what will tell what
        came, and whether something came in some world and in every one.
        """
        sink: Sink = []
        group, here, barred = self._drawing(source, target, only)
        there = self._zone(target)
        going = self._draw_going_on(group, target, loop)
        table, worlds, spent = self.table, group.now.belief or {}, 0
        whole = partial(
            lots.draw_while, source=here, target=there, excluded=barred, single=self.single
        )

        def happens(world: World) -> Iterable[Step]:
            return whole({world: 1.0}, continues=going.told)

        def pay(number: int) -> None:
            nonlocal spent
            spent += self._pay(number)

        key, beliefs = self._draw_key(group, loop, (here, there, barred))
        table.settle()
        known, before = loop.finished.get(key), table.remaining
        if known is not None and known.charged <= before:
            going.answers, drawn = known.going, known.drawn
            table.charge(known.charged)
            table.spend(known.spent)
            for one, (possible, by_size) in zip(beliefs, known.found_out, strict=True):
                one.possible.update(possible)
                one.by_size.update(by_size)
            self._become(group, happens, worlds, known.belief, sink)
        else:
            drawn = [going(world) for world in worlds if lots.can_give(world, here, barred)]
            self._change(group, happens, sink, partial(whole, continues=going, pay=pay))
            after, charged = group.now.belief, before - table.remaining
            if key is not None and after is not None and len(after) <= limits.KEPT_WORLDS:
                found_out = [({**one.possible}, {**one.by_size}) for one in beliefs]
                finished = FinishedDraw(going.answers, drawn, after, found_out, charged, spent)
                loop.finished[key] = finished
                if len(loop.finished) > limits.KEPT_DRAWS:
                    loop.finished.pop(next(iter(loop.finished)), None)
        table.settle()
        if worlds and group.now.belief is None:
            self._lose(group)
        self._vary(group)
        return sink, any(drawn), bool(worlds) and len(drawn) == len(worlds) and all(drawn)

    def _draw_key(
        self, group: Group, loop: Loop, draw: tuple[int, int, int]
    ) -> tuple[Hashable, Sequence[Believed]]:
        """Return all that the result and the price of a draw depend on, and the beliefs it reads.

        The key is None if the result cannot be kept.
        """
        condition = loop.depends_on()
        if condition is None:
            return None, ()
        read, places = condition
        beliefs = [one.now for one in dict.fromkeys((group, *self.groups_at(places)))]
        believed: list[Hashable] = []
        worlds = 0
        for inside, possible, by_size, belief, kinds, varies in beliefs:
            worlds += limits.KEPT_WORLDS + 1 if belief is None else len(belief)
            if belief is None or worlds > limits.KEPT_WORLDS:
                return None, ()
            numbers = tuple([(place, self._numbers.get(place)) for place in inside])
            found_out = tuple(possible), bool(by_size)
            believed.append((numbers, found_out, tuple(belief.items()), kinds, varies))
        ways = self.single, self.table.exact
        return (read, draw, tuple(self._kinds), tuple(believed), ways), beliefs

    def keep_going(self, source: int, target: int, only: Only, loop: Loop, *, more: bool) -> bool:
        """Keep the worlds in which a draw goes on, or is over; tell whether there are any."""
        group, here, barred = self._drawing(source, target, only)
        going = self._draw_going_on(group, target, loop)
        for world in group.now.belief or ():
            if lots.can_give(world, here, barred):
                going(world)
        kept = self._keep(
            group, lambda world: (lots.can_give(world, here, barred) and going.told(world)) == more
        )
        self._vary(group)
        return kept

    def _keep(self, group: Group, fits: Callable[[World], bool]) -> bool:
        return self._change(group, lambda world: ((world, 1.0, ()),) if fits(world) else ())

    def _draw_going_on(self, group: Group, target: int, loop: Loop) -> _Going:
        """Return what tells of each world whether a draw goes on in it."""
        there = self._zone(target)
        if any(lots.is_spread(world, there) for world in group.now.belief or ()):
            self._change(group, lambda world: lots.mix(world, there))
        return _Going(self, group, loop)

    def give_up(self, place: int, only: Only) -> None:
        """Believe whatever a log says of what is hidden in a place and where that came from."""
        group = self._group(place, only=only)
        self._lose(group, sum(group.most(self._zone(one)) for one in group.now.places))
        group.change(belief=None)

    def replenish(self, source: int, refill: int) -> None:
        """Put all of another place into a pile that is empty, in the worlds in which it is.

        The pile is known to hold at most what is hidden in it.
        """
        if not self.varies_in(source):
            return
        group = self._group(source)
        here = self._zone(source)
        if group.now.belief is None or all(lots.size_in(world, here) for world in group.now.belief):
            return
        self.cover(refill)
        group = self._group(source, refill)
        there = self._zone(refill)

        def happens(world: World) -> Iterable[Step]:
            if lots.size_in(world, here):
                return ((world, 1.0, ()),)
            return [
                (mixed, share, (*poured, *decided))
                for filled, _, poured in lots.move_all(world, there, here)
                for mixed, share, decided in lots.mix(filled, here)
            ]

        self._change(group, happens)
        self._open(group)

    def pour(self, source: int, target: int | None) -> None:
        """Move all that is hidden in a place to another, or out of the game."""
        if target is None or not isinstance(self.table.cells[target], Bag):
            target = self.table.new_cell(NOTHING)
        self._open(self._pour(source, target))

    def _pour(self, source: int, target: int) -> Group:
        group = self._group(source, target)
        here, there = self._zone(source), self._zone(target)
        self._change(group, lambda world: lots.move_all(world, here, there))
        self._hold(target, self.hidden_in(target) + self.hidden_in(source))
        self._hold(source, 0)
        return group

    def shuffle(self, source: int, target: int) -> None:
        """Move all of a place into an empty one, open and hidden things mixed."""
        self.cover(source)
        group = self._pour(source, target)
        zone = self._zone(target)
        if any(lots.is_spread(world, zone, least=2) for world in group.now.belief or ()):
            self._change(group, lambda world: lots.mix(world, zone))
        self._open(group)


class Supposing(NamedTuple):
    """Some places hold this, of all that they may hold together.

    ``means`` tells of what stood for one of several things which it is, if it is known by that.
    """

    where: tuple[int, ...]
    content: Content
    contents: Sequence[Content]
    means: Mapping[Placeholder, Entity]


Supposed = tuple[Supposing, ...]
"""What is supposed, one after the other."""


class Knowledge(Draws):
    """All that is known of what lies hidden in one state."""

    # ------------------------------------------------------------ what is named

    def reveal(self, places: Sequence[int], named: Sequence[Entity]) -> Entity | None:
        """Take one of the hidden things out of some places: the one that a name means there.

        ``named`` are all that it can mean. Of copies of one thing it means the last of them that
        lies there, which differs from world to world. Returns which it is, or what stands for it
        where it may be several; None if it cannot be any of them, and nothing changes then.
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
        item, to, sink = self._meant(group, possible)
        kinds = [[self._kind(one) for one in some] for some in copies]

        def happens(world: World) -> Iterable[Step]:
            # Of copies it is the last of those that lie there.
            return (s for alike in kinds for s in lots.reveal_last(world, zones, alike, to))

        self._change(group, happens, sink)
        if len(places) > 1:
            group.change(varies=True)
        else:
            self._hold(places[0], self.hidden_in(places[0]) - 1)
        # What is known now is laid open with what happens next: until then, what was named
        # is what the statement has named.
        self._count(group)
        return item

    def _possible(
        self, places: Sequence[int], named: Sequence[Entity]
    ) -> tuple[list[int], list[Entity]]:
        """Return where something may lie that a name can mean, and what; tell why it is nothing."""
        where = [one for one in dict.fromkeys(places) if any(self.may_be(one, i) for i in named)]
        if places and not where:
            place = next((one for one in places if self.hidden_in(one) > 0), places[0])
            self.table.reporter.cannot_be(place, named)
        return where, [i for i in dict.fromkeys(named) if any(self.may_be(one, i) for one in where)]

    def _meant(
        self, group: Group, possible: Sequence[Entity]
    ) -> tuple[Entity, int | None, Sink | None]:
        """Return what a name means or what stands for it, with its place and what will tell it."""
        if len(possible) == 1:
            return possible[0], None, None
        like = OneOf(self, possible, self.table.new_cell(NOTHING))
        self.likenesses[self._zone(like.cell)] = like
        self._join(group, like.cell)
        self._hold(like.cell, 1)
        return like, self._zone(like.cell), like.identity

    def find(
        self, among: Sequence[Placeholder], named: Sequence[Entity]
    ) -> tuple[Placeholder, Entity] | None:
        """Let one of some unseen things be one of those that a name may mean.

        Returns what stood for it and what it is, which is to come in its place; None if it cannot
        be, and nothing changes then.
        """
        likes = {one.cell: one for one in among}
        places, possible = self._possible([*likes], named)
        if not possible:
            return None
        group = self._group(*places, only=possible.__contains__)
        item, to, sink = self._meant(group, possible)
        zones = [self._zone(place) for place in places]
        kinds = [self._kind(one) for one in possible]

        def happens(world: World) -> Iterable[Step]:
            # All zones stay as full as they are but for the first: what lay there comes to where
            # the thing was found. Which of the zones is which tells nobody anything.
            for kind in kinds:
                for zone in zones:
                    for left, share, decided in lots.reveal(world, (zone,), (kind,), to):
                        if zone == zones[0]:
                            yield left, share, decided
                            continue
                        for moved, _, poured in lots.move_all(left, zones[0], zone):
                            yield moved, share, (*decided, *poured)

        self._change(group, happens, sink)
        self._hold(places[0], 0)
        self._count(group)
        return likes[places[0]], item

    def narrow(self, item: Placeholder, named: Sequence[Entity]) -> bool:
        """Take what stands for one of several things as one of some; tell whether it may be."""
        zone = self._zone(item.cell)
        kinds = [self._kind(one) for one in item.among if one in named]
        group = self._group(item.cell)
        return self._change(group, lambda world: lots.reveal(world, (zone,), kinds, zone))

    def either(self, item: Entity | None, ways: Sequence[tuple[int, int]]) -> None:
        """Move a thing in one of some ways, each from a place to a place: the one where it lies.

        Nobody need have written down in which it lies. Nothing changes where it is in none.
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
                self.cover(source, lambda one: one is item)
        self.remember(ways[0][0], (item,))
        group = self._group(*(place for way in ways for place in way), only=lambda e: e is item)
        kind = self._kind(item)
        zones = [(self._zone(source), self._zone(target)) for source, target in ways]

        def happens(world: World) -> Iterable[Step]:
            for here, there in zones:
                yield from lots.reveal(world, (here,), (kind,), there)

        self._change(group, happens)
        self._vary(group)

    def perhaps(self, source: int, target: int) -> None:
        """Let all of a place have moved to another, or nothing: both stay possible.

        Where nothing lies there in a world, nothing changes in it.
        """
        if not self.bag(source).size():
            return
        self.cover(source)
        group = self._group(source, target)
        here, there = self._zone(source), self._zone(target)

        def happens(world: World) -> Iterable[Step]:
            yield world, 1.0, ()
            if lots.size_in(world, here):
                yield from lots.move_all(world, here, there)

        self._change(group, happens)
        self._vary(group)

    def lack(self, place: int, items: Sequence[Entity]) -> None:
        """Let nothing hidden in a place be one of some things, if that can be."""
        for group, happens in self._lacking(self.bag(place), items):
            self._change(group, happens)
            self._count(group)

    # ------------------------------------------------------------ what is supposed

    def can_hold(self, ask: Callable[[], bool], unknown: Callable[[], bool]) -> bool:
        """Return whether something holds with some of what may lie hidden where that looks.

        If so, no more is believed to lie there than that. ``unknown`` tells where what may lie
        there cannot be gone through.
        """
        answer = self._depends(ask)
        if not isinstance(answer, Depends):
            return answer
        group, fitting = self._group(*answer.where), set[int | None]()

        def tell(fits: bool | Depends, supposed: Supposed) -> None:
            if unknown() if isinstance(fits, Depends) else fits:
                fitting.add(supposed[0].content.packed if supposed else None)

        self.suppose(ask, tell, limits.MOST_LIMITED)
        if None in fitting:  # nothing was supposed
            return True
        zones = tuple(map(self._zone, answer.where))

        def happens(world: World) -> Iterable[Step]:
            return (
                (becomes, share, divided)
                for inside, becomes, share, divided in lots.split_zones(world, zones)
                if inside in fitting
            )

        if not fitting or not self._change(group, happens):
            return False
        self._open(group)
        return True

    def never_holds(self, ask: Callable[[], bool], most: int = limits.MOST_ASKED) -> bool:
        """Return whether something holds with nothing of what may lie hidden where that looks.

        What cannot be gone through in ``most`` ways may hold.
        """
        answer = self._depends(ask)
        if not isinstance(answer, Depends):
            return not answer
        contents = self.contents(answer.where, most) or ()
        for content in contents:
            with self.table.supposing():
                self._hold_all(content)
                if not self.never_holds(ask, most // len(contents)):
                    return False
        return bool(contents)

    def suppose(
        self,
        ask: Callable[[], _T],
        tell: Callable[[_T | Depends, Supposed], None],
        most: int = limits.MAX_WAYS,
        supposed: Supposed = (),
    ) -> None:
        """Ask something for all that may lie hidden where it looks, and tell each answer.

        With each comes what was supposed, which it is as long as that is told. Where it cannot be
        gone through, in more than so many ways, that is told instead.
        """
        answer = self._depends(ask)
        contents = self.contents(answer.where, most) if isinstance(answer, Depends) else None
        if not isinstance(answer, Depends) or not contents:
            tell(answer, supposed)
            return
        for content in contents:
            with self.table.supposing():
                one = Supposing(answer.where, content, contents, self._hold_all(content))
                self.suppose(ask, tell, most, (*supposed, one))

    def _hold_all(self, content: Content) -> dict[Placeholder, Entity]:
        """Let places hold this; return what stood for one of several and is known by that."""
        self.table.charge(limits.CHANGE_STEPS)
        group = content.group
        open_before = [
            like
            for like in self.likenesses.values()
            if like.known and group in self.groups_of(like.cell)
            if len(self.may_hold(like.cell)) > 1
        ]
        group.change(belief=content.belief)
        possible = {like: list(self.may_hold(like.cell)) for like in open_before}
        return {like: things[0] for like, things in possible.items() if len(things) == 1}

    def _depends(self, ask: Callable[[], _T]) -> _T | Depends:
        """Return what is asked, or in which places it depends on what lies hidden there."""
        with self.table.supposing():
            self.table.put(self._splitting, True)
            try:
                return ask()
            except Depends as depends:
                return depends.with_traceback(None)

    def assume(self, number: int, sizes: Container[int]) -> None:
        """Keep the worlds in which so much of a group is hidden in its zones, packed."""
        group = next(one for one in self.groups_at(self.groups) if one.cell == number)
        kept = {
            world: weight
            for size, worlds in group.sizes().items()
            if size in sizes
            for world, weight in worlds.items()
        }
        self._change(
            group,
            lambda world: ((world, 1.0, ()),) if lots.sizes(world) in sizes else (),
            whole=lambda _: ((world, weight, ()) for world, weight in kept.items()),
            among=len(kept) // 5,  # they are only kept
        )
        self._open(group)

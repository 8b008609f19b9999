"""What is known of hidden things, and what becomes known: the one class for whoever plays."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from altay_cli.base.values import NOTHING, Entity, Likeness, Sink, copies_together
from altay_cli.hidden import lots
from altay_cli.hidden.beliefs import Group
from altay_cli.hidden.draws import Draws
from altay_cli.hidden.limits import MAX_WAYS, MOST_ASKED, MOST_LIMITED, SUPPOSED_STEPS
from altay_cli.hidden.lots import Step, World
from altay_cli.hidden.queries import Content, Depends, OneOf

_T = TypeVar("_T")


class Supposing(NamedTuple):
    """Some places hold this, of all that they may hold together.

    ``means`` tells of what stood for one of several things which it is, if it is known by that.
    """

    where: tuple[int, ...]
    content: Content
    contents: Sequence[Content]
    means: Mapping[Likeness, Entity]


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
            return (s for alike in kinds for s in lots.least_revealed(world, zones, alike, to))

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
        """Return in which places something may lie hidden that a name can mean, and what.

        Where that is nothing, it is told why.
        """
        where = [one for one in dict.fromkeys(places) if any(self.may_be(one, i) for i in named)]
        if places and not where:
            place = next((one for one in places if self.hidden_in(one) > 0), places[0])
            self.table.reporter.cannot_be(place, named)
        return where, [i for i in dict.fromkeys(named) if any(self.may_be(one, i) for one in where)]

    def _meant(
        self, group: Group, possible: Sequence[Entity]
    ) -> tuple[Entity, int | None, Sink | None]:
        """Return what a name means, or what stands for it where it may be one of several.

        With that come the number of the place where that one lies from now on, and what will tell
        which it was.
        """
        if len(possible) == 1:
            return possible[0], None, None
        like = OneOf(self, possible, self.table.fresh(NOTHING))
        self.likenesses[self._zone(like.holder)] = like
        self._join(group, like.holder)
        self._hold(like.holder, 1)
        return like, self._zone(like.holder), like.was

    def find(
        self, among: Sequence[Likeness], named: Sequence[Entity]
    ) -> tuple[Likeness, Entity] | None:
        """Let one of some unseen things be one of those that a name may mean.

        Returns what stood for it and what it is, which is to come in its place; None if it cannot
        be, and nothing changes then.
        """
        likes = {one.holder: one for one in among}
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
                    for left, share, decided in lots.revealed(world, (zone,), (kind,), to):
                        if zone == zones[0]:
                            yield left, share, decided
                            continue
                        for moved, _, poured in lots.poured(left, zones[0], zone):
                            yield moved, share, lots.Both(decided, poured)

        self._change(group, happens, sink)
        self._hold(places[0], 0)
        self._count(group)
        return likes[places[0]], item

    def narrow(self, item: Likeness, named: Sequence[Entity]) -> bool:
        """Take what stands for one of several things as one of some; tell whether it may be."""
        zone = self._zone(item.holder)
        kinds = [self._kind(one) for one in item.among if one in named]
        group = self._group(item.holder)
        return self._change(group, lambda world: lots.revealed(world, (zone,), kinds, zone))

    def either(self, item: Entity | None, ways: Sequence[tuple[int, int]]) -> None:
        """Move a thing in one of some ways, each from a place to a place: the one where it lies.

        Nobody need have written down in which it lies. Nothing changes where it is in none.
        """
        if item is None:
            return
        ways = list({source: (source, target) for source, target in ways}.values())
        ways = [
            way for way in ways if self.bag(way[0]).get(item, 0) > 0 or self.may_be(way[0], item)
        ]
        if not any(self.may_be(source, item) for source, _ in ways):
            for source, target in ways[:1]:
                self.table.add(source, item, -1)
                self.table.add(target, item, 1)
            return
        for source, _ in ways:
            if item in self.bag(source):
                self.cover(source, lambda one: one is item)
        self.remember(ways[0][0], (item,))
        places = dict.fromkeys(place for way in ways for place in way)
        group = self._group(*places, only=lambda one: one is item)
        kind = self._kind(item)
        zones = [(self._zone(source), self._zone(target)) for source, target in ways]

        def happens(world: World) -> Iterable[Step]:
            for here, there in zones:
                yield from lots.revealed(world, (here,), (kind,), there)

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
        where, fitting = answer.where, set()
        if not all(map(self.groups_of, where)):
            return unknown()
        group = self._group(*where)
        contents = self.contents(where, MOST_LIMITED)
        if contents is None:
            return unknown()

        def tell(fits: bool | Depends, supposed: Supposed) -> None:
            if unknown() if isinstance(fits, Depends) else fits:
                fitting.add(supposed[0].content.packed)

        self._suppose_each(where, contents, ask, tell, MOST_LIMITED)
        zones = tuple(map(self._zone, where))

        def happens(world: World) -> Iterable[Step]:
            return (
                (becomes, share, divided)
                for inside, becomes, share, divided in lots.parted(world, zones)
                if inside in fitting
            )

        if not fitting or not self._change(group, happens):
            return False
        self._open(group)
        return True

    def never_holds(self, ask: Callable[[], bool], most: int = MOST_ASKED) -> bool:
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
        most: int = MAX_WAYS,
        supposed: Supposed = (),
    ) -> None:
        """Ask something for all that may lie hidden where it looks, and tell each answer.

        With each comes what was supposed, which it is as long as that is told. Where it cannot be
        gone through, in more than so many ways, that is told instead.
        """
        answer = self._depends(ask)
        contents = self.contents(answer.where, most) if isinstance(answer, Depends) else None
        if isinstance(answer, Depends) and contents:
            self._suppose_each(answer.where, contents, ask, tell, most, supposed)
        else:
            tell(answer, supposed)

    def _suppose_each(
        self,
        where: tuple[int, ...],
        contents: Sequence[Content],
        ask: Callable[[], _T],
        tell: Callable[[_T | Depends, Supposed], None],
        most: int,
        supposed: Supposed = (),
    ) -> None:
        for content in contents:
            with self.table.supposing():
                one = Supposing(where, content, contents, self._hold_all(content))
                self.suppose(ask, tell, most, (*supposed, one))

    def _hold_all(self, content: Content) -> dict[Likeness, Entity]:
        """Let places hold this; return what stood for one of several and is known by that."""
        self.table.charge(SUPPOSED_STEPS)
        group = content.group
        open_before = [
            like
            for like in self.likenesses.values()
            if like.known and group in self.groups_of(like.holder)
            if len(self.may_hold(like.holder)) > 1
        ]
        group.change(belief=content.belief)
        possible = {like: list(self.may_hold(like.holder)) for like in open_before}
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
            lambda world: ((world, 1.0, None),) if lots.sizes(world) in sizes else (),
            whole=lambda _: ((world, weight, None) for world, weight in kept.items()),
            among=len(kept) // 5,  # they are only kept
        )
        self._open(group)

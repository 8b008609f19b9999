"""Knowledge of the hidden things of one state."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from altay_cli.base.budget import Budget
from altay_cli.base.journal import Journal
from altay_cli.base.values import NOTHING, Entity, Placeholder, Sink, copies_together
from altay_cli.hidden import limits, lots
from altay_cli.hidden.batches import Batches
from altay_cli.hidden.beliefs import Beliefs, Group
from altay_cli.hidden.draws import Draws
from altay_cli.hidden.lots import Step, World
from altay_cli.hidden.placeholders import named_placeholder
from altay_cli.hidden.queries import Content, Depends, Queries
from altay_cli.hidden.table import Table
from altay_cli.pack.layout import Layout
from altay_cli.pack.model import Pack
from altay_cli.pack.words import BilingualWords, Words

_T = TypeVar("_T")


class Supposing(NamedTuple):
    """A supposed content of some places.

    means: the placeholders that it identifies.
    """

    where: tuple[int, ...]
    content: Content
    contents: Sequence[Content]
    means: Mapping[Placeholder, Entity]


Supposed = tuple[Supposing, ...]


class Knowledge:
    """What is known about hidden things."""

    def __init__(
        self,
        pack: Pack,
        budget: Budget,
        journal: Journal,
        finding_words: Words | BilingualWords,
        replace: Callable[[Placeholder, Entity], None],
    ) -> None:
        self.table = Table(budget, journal, finding_words)
        self.beliefs = Beliefs(self.table, pack.cached(Layout).tallies, replace)
        self.queries = Queries(self.beliefs)
        self.draws = Draws(self.beliefs, self.queries, pack)

    # ------------------------------------------------------------ what is named

    def reveal(self, places: Sequence[int], named: Sequence[Entity]) -> Entity | None:
        """Identify a named thing in some places, and remove it from the hidden ones.

        named: all things of that name. Of copies, each world takes the last that it holds.

        Return the thing, a placeholder if it may be several, or None if it is impossible.
        """
        places, possible = self._possible(places, named)
        if not possible:
            return None
        self.beliefs.record_event(places[0], named)
        group = self.beliefs.merged_group(*places, only=possible.__contains__)
        zones = [self.beliefs.zone_of(place) for place in places]
        copies = copies_together(possible)
        if len(copies) < len(possible):
            possible = self.queries.possible_last_copies(group, zones, copies)
        item, to, sink = self._identify(group, possible)
        kinds = [[self.beliefs.kind_of(copy) for copy in copies_of] for copies_of in copies]

        def transition(world: World) -> Iterable[Step]:
            for copies_of in kinds:
                yield from lots.reveal_last(world, zones, copies_of, to)

        name = "reveal", *zones, *map(tuple, kinds), to
        in_batches = None
        if len(zones) == 1 and [*map(len, kinds)] == [1]:
            in_batches = partial(Batches.reveal, zone=zones[0], kind=kinds[0][0])
        self.beliefs.change(group, transition, sink, name=name, in_batches=in_batches)
        if len(places) > 1:
            group.set(size_uncertain=True)
        else:
            self.beliefs.set_hidden(places[0], self.beliefs.max_hidden(places[0]) - 1)
        # Things open with the next event: the statement names only some.
        self.beliefs.update_sizes(group)
        return item

    def _possible(
        self, places: Sequence[int], named: Sequence[Entity]
    ) -> tuple[list[int], list[Entity]]:
        where = [
            place
            for place in dict.fromkeys(places)
            if any(self.queries.may_contain(place, i) for i in named)
        ]
        if places and not where:
            place = next(
                (place for place in places if self.beliefs.max_hidden(place) > 0), places[0]
            )
            self.table.reporter.cannot_be(place, named)
        return where, [
            i
            for i in dict.fromkeys(named)
            if any(self.queries.may_contain(place, i) for place in where)
        ]

    def _identify(
        self, group: Group, possible: Sequence[Entity]
    ) -> tuple[Entity, int | None, Sink | None]:
        if len(possible) == 1:
            return possible[0], None, None
        placeholder = named_placeholder(
            self.queries, possible, self.table.journal.new_cell(NOTHING)
        )
        self.beliefs.placeholders[self.beliefs.zone_of(placeholder.cell)] = placeholder
        self.beliefs.add_place(group, placeholder.cell)
        self.beliefs.set_hidden(placeholder.cell, 1)
        return placeholder, self.beliefs.zone_of(placeholder.cell), placeholder.identity

    def identify_unseen(
        self, among: Sequence[Placeholder], named: Sequence[Entity]
    ) -> tuple[Placeholder, Entity] | None:
        """Identify one of some unseen things; return its placeholder and what replaces it."""
        likes = {placeholder.cell: placeholder for placeholder in among}
        places, possible = self._possible([*likes], named)
        if not possible:
            return None
        group = self.beliefs.merged_group(*places, only=possible.__contains__)
        item, to, sink = self._identify(group, possible)
        zones = [self.beliefs.zone_of(place) for place in places]
        kinds = [self.beliefs.kind_of(thing) for thing in possible]

        def transition(world: World) -> Iterable[Step]:
            # The zones are interchangeable: move the first into the emptied one.
            for kind in kinds:
                for zone in zones:
                    for left, share, decided in lots.reveal(world, (zone,), (kind,), to):
                        if zone == zones[0]:
                            yield left, share, decided
                            continue
                        for moved, _, poured in lots.move_all(left, zones[0], zone):
                            yield moved, share, (*decided, *poured)

        self.beliefs.change(group, transition, sink)
        self.beliefs.set_hidden(places[0], 0)
        self.beliefs.update_sizes(group)
        return likes[places[0]], item

    def condition_on_identity(self, item: Placeholder, named: Sequence[Entity]) -> bool:
        """Condition on ``item`` being one of ``named``; return False if impossible."""
        zone = self.beliefs.zone_of(item.cell)
        kinds = [self.beliefs.kind_of(thing) for thing in item.among if thing in named]
        group = self.beliefs.merged_group(item.cell)
        return self.beliefs.change(group, lambda world: lots.reveal(world, (zone,), kinds, zone))

    def move_from_either(self, item: Entity | None, ways: Sequence[tuple[int, int]]) -> None:
        """Move a thing by the pair of ``ways`` (source, target) whose source holds it.

        Nothing moves in worlds where none does.
        """
        if item is None:
            return
        targets = {
            source: target
            for source, target in ways
            if self.beliefs.bag(source).get(item, 0) > 0 or self.queries.may_contain(source, item)
        }
        ways = [*targets.items()]
        if not any(self.queries.may_contain(source, item) for source in targets):
            for source, target in ways[:1]:
                self.table.add(source, item, -1)
                self.table.add(target, item, 1)
            return
        for source in targets:
            if item in self.beliefs.bag(source):
                self.draws.hide(source, lambda other: other is item)
        self.beliefs.record_event(ways[0][0], (item,))
        group = self.beliefs.merged_group(
            *(place for way in ways for place in way), only=lambda e: e is item
        )
        kind = self.beliefs.kind_of(item)
        zones = [
            (self.beliefs.zone_of(source), self.beliefs.zone_of(target)) for source, target in ways
        ]

        def transition(world: World) -> Iterable[Step]:
            for here, there in zones:
                yield from lots.reveal(world, (here,), (kind,), there)

        self.beliefs.change(group, transition)
        self.beliefs.mark_size_uncertain(group)

    def move_all_perhaps(self, source: int, target: int) -> None:
        """Leave it open whether everything in ``source`` moved to ``target``."""
        if not self.beliefs.bag(source).size():
            return
        self.draws.hide(source)
        group = self.beliefs.merged_group(source, target)
        here, there = self.beliefs.zone_of(source), self.beliefs.zone_of(target)

        def transition(world: World) -> Iterable[Step]:
            yield world, 1.0, ()
            if lots.size_in(world, here):
                yield from lots.move_all(world, here, there)

        self.beliefs.change(group, transition)
        self.beliefs.mark_size_uncertain(group)

    def condition_on_absence(self, place: int, items: Sequence[Entity]) -> None:
        """Condition on a place hiding none of ``items``, if possible."""
        for group, transition in self.queries.absence_of(self.beliefs.bag(place), items):
            name = "absence", *map(tuple, transition.keywords.values())
            in_batches = partial(Batches.rule_out, **transition.keywords)
            self.beliefs.change(group, transition, name=name, in_batches=in_batches)
            self.beliefs.update_sizes(group)

    # ------------------------------------------------------------ what is supposed

    def condition_on(self, ask: Callable[[], bool], unknown: Callable[[], bool]) -> bool:
        """Return True if ``ask`` holds for some hidden contents, and condition on those.

        unknown: the answer for contents under which ``ask`` is still uncertain.
        """
        answer = self._evaluate(ask)
        if not isinstance(answer, Depends):
            return answer
        group, fitting = self.beliefs.merged_group(*answer.where), set[int | None]()

        def note(fits: bool | Depends, supposed: Supposed) -> None:
            if unknown() if isinstance(fits, Depends) else fits:
                fitting.add(supposed[0].content.packed if supposed else None)

        self.suppose(ask, note, limits.MOST_LIMITED)
        if None in fitting:
            return True
        zones = tuple(map(self.beliefs.zone_of, answer.where))

        def transition(world: World) -> Iterable[Step]:
            for inside, becomes, share, divided in lots.split_zones(world, zones):
                if inside in fitting:
                    yield becomes, share, divided

        if not fitting or not self.beliefs.change(group, transition):
            return False
        self.beliefs.open_certain(group)
        return True

    def never_holds(self, ask: Callable[[], bool], most: int | None = None) -> bool:
        """Return True if ``ask`` is false for each of at most ``most`` contents."""
        most = limits.MOST_ASKED if most is None else most
        answer = self._evaluate(ask)
        if not isinstance(answer, Depends):
            return not answer
        contents = self.queries.contents(answer.where, most) or ()
        for content in contents:
            with self.table.journal.supposing():
                self._apply(content)
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
        """Evaluate ``ask`` for each hidden content it depends on, and pass on the answers.

        ``report`` gets each answer while its suppositions hold; above ``most`` contents, it gets
        ``Depends`` instead.
        """
        answer = self._evaluate(ask)
        contents = (
            self.queries.contents(answer.where, most) if isinstance(answer, Depends) else None
        )
        if not isinstance(answer, Depends) or not contents:
            report(answer, supposed)
            return
        for content in contents:
            with self.table.journal.supposing():
                supposing = Supposing(answer.where, content, contents, self._apply(content))
                self.suppose(ask, report, most, (*supposed, supposing))

    def _apply(self, content: Content) -> dict[Placeholder, Entity]:
        self.table.budget.charge(limits.CHANGE_STEPS)
        group = content.group
        open_before = [
            placeholder
            for placeholder in self.beliefs.placeholders.values()
            if placeholder.known and group in self.beliefs.groups_of(placeholder.cell)
            if len(self.queries.possible_contents(placeholder.cell)) > 1
        ]
        group.set(belief=content.belief)
        possible = {
            placeholder: list(self.queries.possible_contents(placeholder.cell))
            for placeholder in open_before
        }
        return {
            placeholder: things[0] for placeholder, things in possible.items() if len(things) == 1
        }

    def _evaluate(self, ask: Callable[[], _T]) -> _T | Depends:
        with self.table.journal.supposing():
            self.table.journal.put(self.beliefs.splitting, True)
            try:
                return ask()
            except Depends as depends:
                return depends.with_traceback(None)

    def condition_on_sizes(self, number: int, sizes: Container[int]) -> None:
        """Condition on the packed sizes of a group being in ``sizes``."""
        group = next(
            candidate
            for candidate in self.beliefs.groups_at(self.beliefs.groups)
            if candidate.cell == number
        )
        remaining = {
            world: weight
            for size, worlds in group.worlds_by_size().items()
            if size in sizes
            for world, weight in worlds.items()
        }
        self.beliefs.change(
            group,
            lambda world: ((world, 1.0, ()),) if lots.sizes(world) in sizes else (),
            transition_all=lambda _: ((world, weight, ()) for world, weight in remaining.items()),
            among=len(remaining) // 5,  # filtering is cheap
        )
        self.beliefs.open_certain(group)

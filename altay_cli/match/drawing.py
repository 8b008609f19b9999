"""Apply draws, the only place where chance enters the zones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import NamedTuple

from altay_cli.base.values import (
    ALL_KNOWN,
    UNRECORDED,
    Bag,
    Chance,
    Drawn,
    Entity,
    Odds,
    Placeholder,
    Sink,
    Unknown,
    UnrecordedValue,
    WrittenName,
    partly_known,
)
from altay_cli.match import limits
from altay_cli.match.zones import Zones
from altay_cli.pack.layout import PLAYERS, REST
from altay_cli.pack.model import STEADY, DrawEffect, Expr


def draw(zones: Zones, effect: DrawEffect, values: Mapping[str, object], *, complete: bool) -> None:
    """Draw with the names that the log records.

    A card that cannot have been drawn is moved anyway; an unnamed card becomes hidden.
    """
    if _draw_openly(zones, effect, values):
        return
    drawing = _Draw(zones, effect, dict(values), complete=complete)
    drawing.run()
    if effect.rest:
        # After an error in this draw, the rest is unrecorded.
        known = len(drawing.hows) - drawing.hows.count(How.KNOWN)
        zones.journal.put(REST, UNRECORDED if drawing.cases else drawing.seen.part(known))


def _draw_openly(zones: Zones, effect: DrawEffect, values: Mapping[str, object]) -> bool:
    hidden, times, loop, only = zones.hidden, effect.times, effect.loop, effect.only
    if (
        (times is None) is (loop is None) or (only and times) or effect.above
        or effect.below or effect.back or effect.rest or hidden.beliefs.groups
    ):  # fmt: skip
        return False
    seen: Drawn = effect.seen.fn(zones.budget, values)
    place: int = effect.source.at.fn(zones.budget, values)
    items, cells = seen.items, zones.cells
    if not items or isinstance(seen, Chance) or cells[place].unknown != ALL_KNOWN:
        return False
    if times and times.fn(zones.budget, values) != len(items):
        return False
    zones.budget.charge(len(items) * limits.MOVE_STEPS)
    mark, target = zones.journal.mark(), effect.target.at.fn(zones.budget, values)
    # The size of the pile after its last refill, and the number drawn before.
    there, before = sum(cells[place].values()), 0
    taken: dict[Entity, int] = {}
    for number, item in enumerate(items):
        if times and effect.refill and number - before == there:
            refill: int = effect.refill.at.fn(zones.budget, values)
            if cells[refill].unknown == ALL_KNOWN:
                zones.move_bag(place, target, taken)
                taken = {}
                hidden.beliefs.record_event(place, there=there, drawn=there)
                zones.move_all(refill, place)
                there, before = sum(cells[place].values()), number
                hidden.beliefs.record_event(place, there=there)
        thing = item.entities[0] if len(item.entities) == 1 else None
        if (
            thing is None
            or taken.get(thing, 0) >= cells[place].get(thing, 0)
            or (loop and not loop.fn(zones.budget, values))
            or (only and not only.fn(zones.budget, {**values, "it": thing}))
        ):
            break
        taken[thing] = taken.get(thing, 0) + 1
        if loop or only:  # these may read the things drawn so far
            zones.move_bag(place, target, taken)
            taken = {}
    else:
        zones.move_bag(place, target, taken)
        if not (loop and loop.fn(zones.budget, values)):
            hidden.beliefs.record_event(place, there=there, drawn=len(items) - before)
            return True
    zones.journal.undo(mark)
    return False


class _Loop(NamedTuple):
    continues: Callable[[], bool]
    reads_place: Callable[[int], bool]
    inputs: Callable[[], tuple[Hashable, Sequence[int]] | None]


def _unlisted() -> None:
    """Return None: what the condition reads is unknown, so nothing is cached."""


class How(Enum):
    """How a drawn thing was identified."""

    NAMED = "its name is written"
    KNOWN = "it was known to be next, and is not written"
    BLANK = "it is written as `?`"
    MISSING = "it is not written, and should be"


class _Draw:
    def __init__(
        self, zones: Zones, effect: DrawEffect, values: dict[str, object], *, complete: bool
    ) -> None:
        self.zones = zones
        self.effect = effect
        self.values = values
        self.place: int = effect.source.at.fn(zones.budget, values)
        self.refill: int | None = (
            effect.refill.at.fn(zones.budget, values) if effect.refill else None
        )
        self.only: Callable[[Entity], bool] | None = None
        if effect.only is not None:
            test = effect.only.fn
            self.only = lambda item: bool(test(zones.budget, {**values, "it": item}))
        self.target: int = effect.target.at.fn(zones.budget, values)
        self.times: int | None = effect.times.fn(zones.budget, values) if effect.times else None
        self.seen: Drawn = effect.seen.fn(zones.budget, values)
        self.items = list(self.seen)
        self.chance = self.seen if isinstance(self.seen, Chance) else None
        # The written `?` that chance replaces; they limit the number drawn.
        self.asked = self.chance.asked if self.chance is not None else None
        self.draws = self.place, self.target, self.only
        self.known = effect.above is not None or effect.below is not None
        self.reports_unnamed = complete or effect.needed or effect.back
        self.hows: list[How] = []
        # In order; a sink may represent several unidentified things.
        self.came: list[Entity | Sink] = []
        # The errors so far: keys of `effect.rules`.
        self.cases: list[str] = []
        # Reported last: surplus names may explain them.
        self.impossible: list[tuple[WrittenName, Mapping[str, object]]] = []
        # The size of the pile at the start and after each refill, with the number drawn before.
        self.rounds: list[tuple[int, int]] = [(self._pile.size(), 0)]

    def run(self) -> None:
        try:
            self._draw()
        finally:
            self._report_impossible()

    def _draw(self) -> None:
        if self._is_open():
            self._draw_while()
            return
        missing = 0
        while self._continues():
            self.zones.budget.charge(limits.MOVE_STEPS)
            if self._next_known():
                continue
            if not self._available():
                break
            if (
                self.times is not None
                and self.seen.given()
                and self.chance is None
                and len(self.hows) == len(self.items)
                and self.zones.hidden.beliefs.size_is_uncertain(self.place)
                and self.zones.hidden.draws.condition_on_empty(self.place, self.only)
            ):
                break  # the pile may have held no more than the log names
            self._put_in_order()
            if not self._next():
                missing = How.BLANK not in self.hows
                break
        self._remember()
        missing += self.hows.count(How.MISSING)
        self._report(missing)
        if missing and self.times is None and not (self.effect.back or self.known):
            # The missing things were drawn all the same.
            self.zones.hidden.draws.draw_while(*self.draws, self._loop())

    def _remember(self) -> None:
        there, before = self.rounds[-1]
        if len(self.hows) > before:
            self.zones.hidden.beliefs.record_event(
                self.place, there=there, drawn=len(self.hows) - before
            )

    # ------------------------------------------------------------ the pile

    @property
    def _pile(self) -> Bag:
        return self.zones.cells[self.place]  # type: ignore[no-any-return]

    def _can_come(self, things: Sequence[Entity]) -> list[Entity]:
        return [item for item in things if self.only is None or self.only(item)]

    def _eligible(self) -> Bag:
        pile = self._pile
        if self.only is None:
            self.zones.budget.charge(len(pile) >> 3)
            return pile
        self.zones.budget.charge(len(pile))
        found = {item: count for item, count in pile.items() if self.only(item)}
        hidden, absent, *_ = pile.unknown
        hidden = hidden and self.zones.hidden.queries.max_of_kinds(self.place, self._can_come)
        return partly_known(found, Unknown(hidden, min(absent, max(sum(found.values()) - 1, 0))))

    def _lack(self, absent: int) -> None:
        unknown = self._pile.unknown
        if absent != unknown.absent:
            self.zones.journal.put(
                self.place, partly_known(self._pile, unknown._replace(absent=absent))
            )

    def _available(self) -> bool:
        place, refill, hidden = self.place, self.refill, self.zones.hidden
        if self._eligible().size() > 0:
            if refill is not None and self._pile.unknown.hidden:
                hidden.draws.refill(place, refill)
            return True
        if refill is None or self.zones.cells[refill].size() <= 0:
            return False
        self._lack(0)  # the absent cards have reached the discard pile
        if self.zones.cells[refill].unknown.hidden:
            hidden.draws.shuffle(refill, place)
        else:
            self.zones.move_all(refill, place)
        self._remember()
        there = self._pile.size()
        self.rounds.append((there, len(self.hows)))
        hidden.beliefs.record_event(place, there=there)
        return there > 0

    # ------------------------------------------------------------ the next thing

    def _next(self) -> bool:
        item = self.items[len(self.hows)] if len(self.hows) < len(self.items) else None
        if item is not None and item.entities:
            self._take(item)
        elif item is None and self.chance is not None and (
            self.asked is None or len(self.hows) - self.hows.count(How.KNOWN) < len(self.asked)
        ):  # fmt: skip
            odds: Bag
            if self._pile.unknown.hidden:
                odds = self.zones.hidden.queries.odds(self.place)
                odds = Odds({item: odds[item] for item in self._can_come(list(odds))})
            else:
                odds = self._eligible()
            self._take(self.chance.next(odds))
        elif self.effect.back and self.chance is None:
            # It goes back to the pile, so it cannot be identified later.
            if item is not None and not self.cases:
                self._report_case("hidden", item)
            self.hows.append(How.MISSING)
            return True
        else:
            return self._unnamed(item)
        self.hows.append(How.NAMED)
        return True

    def _put_in_order(self) -> None:
        """Move names to the front if the rest of the pile is drawn.

        An ambiguous name cannot mean what another one has taken.
        """
        if len(self.hows) >= len(self.items) or len(self.items[len(self.hows)].entities) < 2:
            return
        hidden = self.zones.hidden
        end = len(self.hows) + self._eligible().size()
        if hidden.beliefs.size_is_uncertain(self.place):
            # A refill may come before things that the pile holds in some worlds only.
            end -= self._pile.unknown.hidden - hidden.beliefs.min_hidden(self.place)
        if self.times is not None and end <= len(self.items):
            rest = self.items[len(self.hows) : end]
            self.items[len(self.hows) : end] = sorted(
                rest, key=lambda item: len(item.entities) != 1
            )

    def _is_open(self) -> bool:
        effect, hidden = self.effect, self.zones.hidden
        if effect.loop is None or effect.back or self.chance is not None or self.known:
            return False
        if any(hidden.queries.is_hidden(place, self.only) for place in (self.place, self.target)):
            return True
        unnamed = any(not item.entities for item in self.items) or not self.seen.given()
        return unnamed and not self.reports_unnamed and self._continues() and self._available()

    def _draw_while(self) -> None:
        hidden, loop, draws = self.zones.hidden, self._loop(), self.draws
        if not self.seen.given():
            came, some, every = hidden.draws.draw_while(*draws, loop)
            self.came.append(came)
            self._report(int(every), some=some, open_end=True)
            return
        for item in self.items:
            if not hidden.draws.condition_on_loop(*draws, loop, more=True):
                break
            if item.entities:
                self._take(item)
            else:
                if self.reports_unnamed:
                    self._report_case("hidden", item)
                self.came.extend(hidden.draws.deal(*draws, 1, ()))
            self.hows.append(How.NAMED if item.entities else How.BLANK)
        complete = hidden.draws.condition_on_loop(*draws, loop, more=False)
        missing = not complete and len(self.hows) == len(self.items)
        self._report(int(missing), open_end=True)
        if self.cases and (len(self.hows) < len(self.items) or missing):
            # Report an error once: accept any later claim about this pile.
            hidden.draws.drop_belief(self.place, self.only)

    def _loop(self) -> _Loop:
        loop, zone_of = self.effect.loop, self.zones.layout.zones
        if (
            loop is None
            or loop.reads - loop.zones - STEADY
            or any(isinstance(self.values.get(name), Bag) for name in loop.locals.values())
        ):
            return _Loop(self._continues, range(len(zone_of)).__contains__, _unlisted)
        zones = loop.zones
        return _Loop(
            self._continues,
            lambda place: place < len(zone_of) and zone_of[place] in zones,
            _unlisted if "text" in loop.reads else partial(self._depends_on, loop),
        )

    def _depends_on(self, loop: Expr) -> tuple[Hashable, Sequence[int]] | None:
        """Return a cache key of what the condition reads, and the hidden cells among it."""
        zones, held, hiding = self.zones, list[Hashable](), list[int]()
        values = tuple([self.values.get(name) for name in sorted(loop.locals.values())])
        if any(isinstance(value, (list, Placeholder)) for value in values):
            return None
        for zone in sorted(loop.zones):
            first, end = zones.pack.zones[zone].cells
            for cell, value in enumerate(zones.cells[first:end], first):
                things = value if isinstance(value, (Bag, tuple)) else (value,)
                if any(isinstance(thing, (Placeholder, UnrecordedValue)) for thing in things):
                    return None
                if not isinstance(value, Bag):
                    held.append(value)
                    continue
                held.append((tuple(value.items()), value.unknown))
                if value.unknown.hidden:
                    hiding.append(cell)
        unfinished = self.times is None or len(self.hows) < self.times
        players = tuple(zones.cells[PLAYERS]) if "players" in loop.reads else ()
        options = tuple(zones.options.items())
        return (loop.key, values, unfinished, tuple(held), players, options), hiding

    def _continues(self) -> bool:
        loop = self.effect.loop
        return (self.times is None or len(self.hows) < self.times) and (
            loop is None or bool(loop.fn(self.zones.budget, self.values))
        )

    def _next_known(self) -> bool:
        """Return True if the next thing is known; a log may omit its name, but not replace it."""
        effect = self.effect
        if not self.known:
            return False
        ends = (effect.above, None if self._eligible().size() > 0 else effect.below)
        for end in ends:
            if end is not None:
                place: int = end.at.fn(self.zones.budget, self.values)
                if self.zones.cells[place]:
                    break
        else:
            return False
        thing: Entity = self.zones.cells[place][0]
        item = self.items[len(self.hows)] if len(self.hows) < len(self.items) else None
        written = item is not None and thing in item.entities
        names_all = self.times is not None and len(self.items) >= self.times
        how = How.NAMED
        if item is not None and names_all and item.entities and not written:
            self._cannot_come(item, item.entities[-1], Bag({thing: 1}))
        elif not written and not (item is not None and names_all):
            how = How.KNOWN
            if self.chance is None and len(self.hows) <= len(self.items):
                self.items.insert(len(self.hows), WrittenName(1, (thing,), True, thing.id, 0, 0))
        self.zones.move_one(place, self.target, thing)
        self.came.append(thing)
        self.hows.append(how)
        return True

    def _unnamed(self, item: WrittenName | None) -> bool:
        if self.reports_unnamed and item is not None:
            self._report_case("hidden", item)
        if self.times is None:
            # Trust the written `?`: the number depends on unknown things.
            if item is not None:
                self.hows.append(How.BLANK)
            return item is not None
        most = min(self.times - len(self.hows), self._eligible().size())
        varies = self.zones.hidden.beliefs.size_is_uncertain(self.place)
        count = 1
        if item is None and not varies:  # else worlds differ: draw one at a time
            count = most
        elif not varies and not self.reports_unnamed:
            rest = self.items[len(self.hows) + 1 : len(self.hows) + most]
            count += next((n for n, other in enumerate(rest) if other.entities), len(rest))
        backs, allow_empty = self.effect.backs, varies and item is None
        self.came.extend(
            self.zones.hidden.draws.deal(*self.draws, count, backs, allow_empty=allow_empty)
        )
        self.hows.extend([How.MISSING if item is None else How.BLANK] * count)
        return True

    # ------------------------------------------------------------ named things

    def _take(self, item: WrittenName) -> None:
        hidden = self.zones.hidden
        covered = hidden.queries.is_hidden(self.place, self.only) or (
            hidden.beliefs.placeholders
            and any(isinstance(thing, Placeholder) for thing in self._pile)
        )
        if covered and self._take_hidden(item):
            return
        there = self._eligible()
        found = [entity for entity in item.entities if there.get(entity, 0) > 0]
        unknown = self._pile.unknown
        if not found and unknown.unsure and self.refill is not None:
            # After an earlier error, it may have been shuffled in.
            for entity in item.entities:
                if self.zones.cells[self.refill].get(entity, 0) > 0:
                    self.zones.move_one(self.refill, self.target, entity)
                    return
        if not found:
            chosen = item.entities[-1]
            if not unknown.hidden:
                self.zones.mark_unreliable(self.place)
            self.zones.table.reporter.cannot_be(self.place, item.entities)
            self._cannot_come(item, chosen, there)
            if there.unknown.hidden:
                # The name is wrong, so the thing is unidentified.
                self.came.extend(hidden.draws.deal(*self.draws, 1, self.effect.backs))
                return
            self._lack(unknown.absent + 1)
            self.zones.table.add(self.target, chosen, 1)
            return
        chosen = found[-1]
        if len(found) > 1 and not self._brings_every_copy(item, there):
            several = len({entity.parent or entity for entity in found}) > 1
            if several and not self.reports_unnamed and self._take_hidden(item):
                return
            self.zones.table.reporter.unsure(item, chosen, found)
        self._bring(chosen)
        self.came.append(chosen)

    def _bring(self, chosen: Entity) -> None:
        if not self.effect.back:
            self.zones.table.add(self.place, chosen, -1)
        self.zones.table.add(self.target, chosen, 1)

    def _brings_every_copy(self, item: WrittenName, there: Bag) -> bool:
        self.zones.budget.charge(len(self.items) >> 2)
        rest = [other for other in self.items[len(self.hows) :] if other.entities == item.entities]
        copies = sum(there.get(entity, 0) for entity in item.entities)
        return len(rest) >= copies or len(self.items) - len(self.hows) >= there.size()

    def _take_hidden(self, item: WrittenName) -> bool:
        hidden = self.zones.hidden
        if self._pile:
            hidden.draws.hide(self.place, self.only, separately=self.only is not None)
        chosen = hidden.reveal((self.place,), self._can_come(item.entities))
        if chosen is not None:
            self.zones.table.add(self.target, chosen, 1)
            self.came.append(chosen)
            if isinstance(chosen, Placeholder) and chosen.differs:
                self._report_gap(1)
        return chosen is not None

    # ------------------------------------------------------------ findings

    def _report(self, missing: int, *, some: bool = False, open_end: bool = False) -> None:
        """Report surplus, missing and hidden names.

        some: in some history, unnamed things were drawn.
        open_end: something unrecorded decides the number drawn.
        """
        items, drawn = self.items or self.asked or [], len(self.hows)
        unnamed, known = self.hows.count(How.BLANK), self.hows.count(How.KNOWN)
        words = {"due": drawn - known, "given": len(items) - known, "missing": missing}
        is_due = "missing" in self.effect.rules
        if unnamed or missing or some:
            self.zones.table.reporter.came(
                self.seen.items, self.came, None if is_due else self.target
            )
        if unnamed and not self.reports_unnamed:
            self._report_gap(unnamed)
        surplus = [] if self.effect.rest else items[drawn:]
        if surplus:
            believed = self._pile.unknown.unsure and self.times != drawn
            if not believed:
                # One error: the impossible names are the surplus ones.
                explained = len({name.start for name, _ in self.impossible}) <= len(surplus)
                wrong = [name for name, _ in self.impossible if explained]
                self.impossible = [] if explained else self.impossible
                marked = (wrong or surplus)[0]
                guess = next(reversed(marked.entities), None)
                left = self._eligible()
                self._report_case("extra", marked, **words, drawn_card=guess, left=left)
            for item in surplus if believed or not open_end else ():
                there = [entity for entity in item.entities if self._pile.get(entity, 0) > 0]
                for chosen in (there or item.entities)[-1:]:
                    self._bring(chosen)
        elif missing and not self.cases and len(items) <= drawn:
            if self.seen.given() or self.reports_unnamed:
                self._report_case("short" if self.seen.given() else "missing", None, **words)
            elif is_due:
                self._report_gap(missing)

    def _report_gap(self, count: int) -> None:
        to = self.zones.pack.zones[self.effect.target.zone]
        shared = to.lifetime == "game" and "player" not in to.per
        self.zones.table.reporter.unrecorded(self.effect.kind, count, shared=shared)

    def _cannot_come(self, item: WrittenName, thing: Entity, left: Bag) -> None:
        self.cases.append("impossible")
        self.impossible.append((item, {"drawn_card": thing, "left": left}))

    def _report_impossible(self) -> None:
        while self.impossible:
            item, words = self.impossible.pop(0)
            self._report_case("impossible", item, **words)

    def _report_case(self, case: str, item: WrittenName | None, **words: object) -> None:
        self.cases.append(case)
        text = self.effect.rules.get(case)
        if text is not None:
            self.zones.table.reporter.report_text(text, {**self.values, **words}, item)

"""Draws: the one place where chance, as the log tells it, enters the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from altay_cli.base.values import (
    ALL_KNOWN,
    NOTHING,
    UNRECORDED,
    Bag,
    Drawn,
    DrawnItem,
    Entity,
    Likeness,
    Sink,
    Unknown,
)
from altay_cli.compile.model import STEADY, DrawEffect
from altay_cli.match.chance import Chance
from altay_cli.match.operations import Operations
from altay_cli.match.reporter import Reporter

MAX_DRAWS = 10_000

DRAW_STEPS = 10
"""The cost of drawing one card, in steps."""


def draw(
    state: Operations, effect: DrawEffect, values: Mapping[str, object], reporter: Reporter
) -> None:
    """Draw as the effect says and the log records.

    A card that cannot have been drawn is taken anyway; the pile then lists a card
    that is not there. One that was not written down is hidden from then on.
    """
    if _draw_openly(state, effect, values):
        return
    one = _Draw(state, effect, dict(values), reporter)
    one.run()
    if effect.rest:
        # Where this one went wrong, nobody knows what the rest is.
        state.rest = UNRECORDED if one.faulty else one.seen.part(one.drawn - one.known)


def _draw_openly(state: Operations, effect: DrawEffect, values: Mapping[str, object]) -> bool:
    """Draw what the log names if that is as many as are due and all of it lies openly there.

    A pile that runs out is made anew. Nearly all draws of a complete log are such. Returns False,
    and changes nothing, for any other.
    """
    hidden = state.hidden
    if (
        effect.times is None or effect.loop or effect.only or effect.above or effect.below
        or effect.back or effect.rest or state.hides
    ):  # fmt: skip
        return False
    seen: Drawn = effect.seen.fn(state, values)
    place: int = effect.source.at.fn(state, values)
    source: Bag = state.cells[place]
    items = seen.items
    if not items or isinstance(seen, Chance) or source.unknown != ALL_KNOWN:
        return False
    state.charge(len(items) * DRAW_STEPS)
    there = sum(source.values())
    drawn, later = Bag(), Bag()
    for number, item in enumerate(items):
        if len(item.candidates) != 1:
            return False
        thing = item.candidates[0]
        bag = drawn if number < there else later
        bag[thing] = bag.get(thing, 0) + 1
    if effect.times.fn(state, values) != len(items) or not _holds(source, drawn):
        return False
    refill: int | None = effect.refill.at.fn(state, values) if later and effect.refill else None
    more: Bag = NOTHING if refill is None else state.cells[refill]
    if more.unknown != ALL_KNOWN or not _holds(more, later):
        return False
    target = effect.target.at.fn(state, values)
    state.move_bag(place, target, drawn)
    hidden.remember(place, there=there, drawn=min(there, len(items)))
    if later:
        state.move_bag(refill, place, more)
        made = sum(state.cells[place].values())
        hidden.remember(place, there=made)
        state.move_bag(place, target, later)
        hidden.remember(place, there=made, drawn=len(items) - there)
    return True


def _holds(bag: Bag, things: Bag) -> bool:
    return all(bag.get(thing, 0) >= count for thing, count in things.items())


class _Draw:
    def __init__(
        self, state: Operations, effect: DrawEffect, values: dict[str, object], reporter: Reporter
    ) -> None:
        self.state = state
        self.effect = effect
        self.values = values
        self.reporter = reporter
        self.seen: Drawn = effect.seen.fn(state, values)
        self.source: int = effect.source.at.fn(state, values)
        self.target: int = effect.target.at.fn(state, values)
        self.refill: int | None = effect.refill.at.fn(state, values) if effect.refill else None
        self.times: int | None = effect.times.fn(state, values) if effect.times else None
        self.items = list(self.seen)
        self.chance = self.seen if isinstance(self.seen, Chance) else None
        # The `?` of a statement for which chance decides: no more of them come than are written.
        self.asked = self.chance.asked if self.chance is not None else None
        self.drawn = 0
        self.there = self.remembered = 0
        self.known = 0
        """The number of cards drawn that were known to be next and are not written."""
        self.missing = 0
        self.unnamed = 0
        self.told = state.complete or effect.needed or effect.back
        """Whether what is not written down is told."""
        self.came: list[Entity | Sink] = []
        """What came, in order."""
        self.some = False
        """Whether something that nobody wrote down came in some course of events."""
        self.faulty = False
        self.open = False
        """Whether how many come depends on what nobody wrote down."""

    @property
    def pile(self) -> Bag:
        """What it is drawn from."""
        return self.state.cells[self.source]  # type: ignore[no-any-return]

    def run(self) -> None:
        self.there = self.pile.size()
        self.open = self._is_open()
        if self.open:
            self._draw_while()
            return
        while self.drawn < MAX_DRAWS and self._continues():
            self.state.charge(DRAW_STEPS)
            if self._next_known():
                continue
            if not self._available() or self._is_all():
                break
            self._put_in_order()
            written = self.drawn < len(self.items) and bool(self.items[self.drawn].candidates)
            if self.effect.back and not written and self.chance is None:
                # What stays where it is cannot be determined later.
                self.missing += 1
                self.drawn += 1
                continue
            if self.drawn < len(self.items):
                item = self.items[self.drawn]
                if item.candidates:
                    self._take(item)
                elif not self._unnamed(item):
                    break
            elif self.chance is not None and (
                self.asked is None or self.drawn - self.known < len(self.asked)
            ):
                self._take(self.chance.next(self._odds()))
            elif not self._unnamed(None):
                break
            self.drawn += 1
        self._remember()
        self._report()
        known = self.effect.above is not None or self.effect.below is not None
        if self.missing and self.times is None and not (self.effect.back or known):
            # It was drawn anyway, and nobody knows what it was.
            self.state.hidden.draw_on(self.source, self.target, self._drawable(), self._loop())

    def _put_in_order(self) -> None:
        """Put names that can mean one thing only before others, where all that is left comes.

        A name that may mean several means none of those that have come by names of their own.
        """
        if self.drawn >= len(self.items) or len(self.items[self.drawn].candidates) < 2:
            return
        end = self.drawn + self._eligible().size()
        if self.state.hidden.varies_in(self.source):
            # What lies there in some worlds only comes behind what may have been put back first.
            end -= self.pile.unknown.hidden - self.state.hidden.least_in(self.source)
        if self.times is not None and end <= len(self.items):
            rest = self.items[self.drawn : end]
            self.items[self.drawn : end] = sorted(rest, key=lambda item: len(item.candidates) != 1)

    def _remember(self) -> None:
        """Remember how many were drawn since that was done last."""
        drawn = self.drawn - self.remembered
        if drawn:
            self.state.hidden.remember(self.source, there=self.there, drawn=drawn)
        self.remembered = self.drawn

    def _is_open(self) -> bool:
        """Return whether the number drawn depends on something unrecorded."""
        effect = self.effect
        if effect.loop is None or effect.back or self.chance is not None:
            return False
        if effect.above is not None or effect.below is not None:
            return False  # what is known to lie there comes first
        only, hidden = self._drawable(), self.state.hidden
        if hidden.is_hidden(self.source, only) or hidden.is_hidden(self.target, only):
            return True
        unnamed = any(not item.candidates for item in self.items) or not self.seen.given()
        return unnamed and not self.told and self._continues() and self._available()

    def _draw_while(self) -> None:
        """Draw as long as it goes on, in each course of events."""
        hidden, only = self.state.hidden, self._drawable()
        source, target = self.source, self.target
        if not self.seen.given():
            came, some, every = hidden.draw_on(source, target, only, self._loop())
            self.came.append(came)
            self.missing = every
            self.some = some
            self._report()
            self.missing = 0
            return
        for item in self.items:
            if not hidden.keep_going(source, target, only, self._loop(), more=True):
                break
            if item.candidates:
                self._take(item)
            else:
                if self.told:
                    self._say("hidden", item)
                self.came.append(hidden.draw_one(source, target, only))
                self.unnamed += 1
            self.drawn += 1
        whole = hidden.keep_going(source, target, only, self._loop(), more=False)
        self.missing = not whole and self.drawn == len(self.items)
        self._report()
        if self.faulty and (self.drawn < len(self.items) or self.missing):
            # A slip is reported once: what else the log says of these piles is believed.
            hidden.give_up(source, only)

    def _loop(self) -> tuple[Callable[[], bool], Callable[[int], bool], Callable[[int], bool]]:
        """Return the condition to go on drawing, and the zones it looks at."""
        loop, zone_of = self.effect.loop, self.state.layout.zones
        if (
            loop is None
            or loop.reads - loop.zones - STEADY
            or any(isinstance(self.values.get(name), Bag) for name in loop.locals.values())
        ):
            every = range(len(zone_of)).__contains__
            return self._continues, every, every
        zones, counts = loop.zones, self.effect.counts
        return (
            self._continues,
            lambda place: place < len(zone_of) and zone_of[place] in zones,
            lambda place: zone_of[place] in counts,
        )

    def _next_known(self) -> bool:
        """Take the next thing where it is known which it is; return whether it is.

        A log need not write it. Where it does, or where it writes all that come, it is this one.
        """
        effect = self.effect
        if effect.above is None and effect.below is None:
            return False
        ends = (effect.above, None if self._eligible().size() > 0 else effect.below)
        for end in filter(None, ends):
            place = end.at.fn(self.state, self.values)
            pile: Sequence[Entity] = self.state.cells[place]
            if not pile:
                continue
            thing = pile[0]
            item = self.items[self.drawn] if self.drawn < len(self.items) else None
            written = item is not None and thing in item.candidates
            whole = self.times is not None and len(self.items) >= self.times
            if item is not None and whole and item.candidates and not written:
                self._say("impossible", item, drawn_card=item.candidates[-1], left=Bag({thing: 1}))
            elif not written and not (item is not None and whole):
                self.known += 1
                if self.chance is None and self.drawn <= len(self.items):
                    self.items.insert(self.drawn, DrawnItem((thing,), True, thing.id, 0, 0))
            self.state.move_one(place, self.target, thing)
            self.came.append(thing)
            self.drawn += 1
            return True
        return False

    def _is_all(self) -> bool:
        """Tell whether the log names all that came, because in some course nothing more lay there.

        If so, only such courses of events are considered from here on.
        """
        named = self.drawn == len(self.items) and self.seen.given() and self.chance is None
        if not named or self.times is None or not self.state.hidden.varies_in(self.source):
            return False
        return self.state.hidden.runs_out(self.source, self._drawable())

    def _unnamed(self, item: DrawnItem | None) -> bool:
        """Draw something of which nobody wrote down what it is; return whether to go on.

        As many as follow each other are drawn at once.
        """
        written = item is not None
        if self.told and item is not None:
            self._say("hidden", item)
        if self.times is None:
            # How many come depends on what they are: what else is written is taken as it is.
            self.unnamed += written
            self.missing += not written and not self.unnamed
            return written
        most = min(self.times - self.drawn, self._eligible().size())
        count = 1
        if not written:
            count = most
        elif not self.told:
            rest = self.items[self.drawn + 1 : self.drawn + most]
            count += next((n for n, one in enumerate(rest) if one.candidates), len(rest))
        varies = self.state.hidden.varies_in(self.source)
        if varies:
            count = 1  # of what is left then, the worlds tell
        if written:
            self.unnamed += count
        else:
            self.missing += count
        self._hide(count, as_far=varies and not written)
        self.drawn += count - 1
        return True

    def _hide(self, count: int, *, as_far: bool = False) -> None:
        """Draw ``count`` unknown things; with ``as_far``, no more than are left."""
        hidden, only = self.state.hidden, self._drawable()
        if self.effect.backs:
            self.came += hidden.deal(self.source, self.target, count, only, self.effect.backs)
        else:
            self.came.append(hidden.draw(self.source, self.target, count, only, as_far=as_far))

    def _report(self) -> None:
        items, drawn = self.items or self.asked or [], self.drawn
        counts = {"due": drawn - self.known, "given": len(items) - self.known}
        words = {**counts, "missing": self.missing}
        told = "missing" in self.effect.rules  # else nobody was to write it down
        if self.state.hidden.trace is not None and (self.unnamed or self.missing or self.some):
            self.reporter.came(self.seen.items, self.came, None if told else self.target)
        if self.unnamed and not self.told:
            self._tell_gap(self.unnamed)
        if self.faulty and len(items) <= drawn:
            return
        if len(items) > drawn and self.effect.rest:
            return
        if len(items) > drawn and self.pile.unknown.unsure and self.times != drawn:
            self._take_surplus(items[drawn:])
        elif len(items) > drawn:
            self._say("extra", items[drawn], **words, drawn_card=self._guess(items[drawn]))
            if not self.open:
                self._take_surplus(items[drawn:])
        elif self.missing and not self.seen.given():
            if self.told:
                self._say("missing", None, **words)
            elif told:
                self._tell_gap(self.missing)
        elif self.missing:
            self._say("short", None, **words)

    def _tell_gap(self, count: int) -> None:
        """Tell that so many things came and were not recorded; and if they came to nobody."""
        to = self.state.pack.zones[self.effect.target.zone]
        shared = to.lifetime == "game" and "player" not in to.per
        self.reporter.unrecorded(self.effect.kind, count, shared=shared)

    def _take_surplus(self, items: list[DrawnItem]) -> None:
        """Draw the surplus as well: the log goes on with it."""
        for item in items:
            there = [entity for entity in item.candidates if self.pile.get(entity, 0) > 0]
            chosen = there[-1] if there else self._guess(item)
            if chosen is not None:
                if not self.effect.back:
                    self.state.add(self.source, chosen, -1)
                self.state.add(self.target, chosen, 1)

    def _continues(self) -> bool:
        if self.times is not None and self.drawn >= self.times:
            return False
        loop = self.effect.loop
        return loop is None or bool(loop.fn(self.state, self.values))

    def _eligible(self) -> Bag:
        """Return what can be drawn now."""
        only, pile = self.effect.only, self.pile
        if only is None:
            self.state.charge(len(pile) >> 3)
            return pile
        self.state.charge(len(pile))
        inner = dict(self.values)
        found = Bag()
        for item, count in pile.items():
            inner["it"] = item
            if only.fn(self.state, inner):
                found[item] = count
        hidden, absent, *_ = pile.unknown
        if hidden or absent:
            hidden = hidden and self.state.hidden.most_of(self.source, self._can_come)
            found.unknown = Unknown(hidden, min(absent, max(found.size() - 1, 0)))
        return found

    def _odds(self) -> Bag:
        """Return what can be drawn now, even if it is not known what lies there."""
        if not self.pile.unknown.hidden:
            return self._eligible()
        found = self.state.hidden.odds(self.source)
        return Bag({item: found[item] for item in self._can_come(list(found))})

    def _available(self) -> bool:
        """Return whether a card can be drawn; an empty pile is made anew if it can be."""
        if self._eligible().size() > 0:
            if self.refill is not None and self.pile.unknown.hidden:
                self.state.hidden.replenish(self.source, self.refill)
            return True
        if self.refill is None:
            return False
        more: Bag = self.state.cells[self.refill]
        if more.size() <= 0:
            return False
        # What the pile still lists after a slip has turned up on the discard pile.
        self._lack(0)
        if more.unknown.hidden:
            self.state.hidden.shuffle(self.refill, self.source)
        else:
            self.state.move_bag(self.refill, self.source, more)
        self._remember()
        self.there = self.pile.size()
        self.state.hidden.remember(self.source, there=self.there)
        return self.there > 0

    def _lack(self, absent: int) -> None:
        """Let so many of the cards that the pile lists not be there."""
        if absent != self.pile.unknown.absent:
            made = self.pile.like()
            made.unknown = made.unknown._replace(absent=absent)
            self.state.put(self.source, made)

    def _take(self, item: DrawnItem) -> None:
        covered = self.state.hidden.is_hidden(self.source, self._drawable()) or (
            self.state.hidden.likenesses and any(isinstance(thing, Likeness) for thing in self.pile)
        )
        if covered and self._take_hidden(item):
            return
        there = self._eligible()
        found = [entity for entity in item.candidates if there.get(entity, 0) > 0]
        if not found and self.pile.unknown.unsure and self._from_refill(item):
            return
        if not found:
            chosen = item.candidates[-1]
            if not self.pile.unknown.hidden:
                self.state.mistrust(self.source)
            self.state.reporter.cannot_be(self.source, item.candidates)
            self._say("impossible", item, drawn_card=chosen, left=there)
            if self.pile.unknown.hidden:
                # What it was is not known then.
                self._hide(1)
                return
            self._lack(self.pile.unknown.absent + 1)
            self.state.add(self.target, chosen, 1)
            return
        chosen = found[-1]
        if len(found) > 1 and not self._brings_every_copy(item, there):
            several = len({entity.parent or entity for entity in found}) > 1
            if several and not self.told and self._take_hidden(item):
                return
            self.reporter.unsure(item, chosen, found)
        if not self.effect.back:
            self.state.add(self.source, chosen, -1)
        self.state.add(self.target, chosen, 1)
        self.came.append(chosen)

    def _from_refill(self, item: DrawnItem) -> bool:
        """Take a card out of the pile that refills: after a slip it may have been shuffled in."""
        for entity in item.candidates:
            if self.refill is not None and self.state.cells[self.refill].get(entity, 0) > 0:
                self.state.add(self.refill, entity, -1)
                self.state.add(self.target, entity, 1)
                return True
        return False

    def _brings_every_copy(self, item: DrawnItem, there: Bag) -> bool:
        """Return whether this draw brings every copy that the name may mean, in any order."""
        self.state.charge(len(self.items) >> 2)
        rest = [other for other in self.items[self.drawn :] if other.candidates == item.candidates]
        copies = sum(there.get(entity, 0) for entity in item.candidates)
        return len(rest) >= copies or len(self.items) - self.drawn >= there.size()

    def _take_hidden(self, item: DrawnItem) -> bool:
        """Take a named thing out of a pile of which it is not known what lies in it."""
        hidden = self.state.hidden
        if self.pile:
            hidden.cover(self.source, self._drawable(), apart=self.effect.only is not None)
        chosen = hidden.reveal((self.source,), self._can_come(item.candidates))
        if chosen is not None:
            self.state.add(self.target, chosen, 1)
            self.came.append(chosen)
            if isinstance(chosen, Likeness) and chosen.differs:
                self._tell_gap(1)
        return chosen is not None

    def _drawable(self) -> Callable[[Entity], bool] | None:
        """Return the test for things that can be drawn; None if all can."""
        only = self.effect.only
        if only is None:
            return None
        expr = only
        return lambda item: bool(expr.fn(self.state, {**self.values, "it": item}))

    def _can_come(self, things: Sequence[Entity]) -> list[Entity]:
        only = self._drawable()
        return [item for item in things if only is None or only(item)]

    def _guess(self, item: DrawnItem) -> Entity | None:
        return item.candidates[-1] if item.candidates else None

    def _say(self, case: str, item: DrawnItem | None, **words: object) -> None:
        self.faulty = True
        text = self.effect.rules.get(case)
        if text is not None:
            self.reporter.say(text, {**self.values, **words}, item)

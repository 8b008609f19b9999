"""Draws: the one place where chance, as the log tells it, enters the state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from functools import partial

from altay_cli.base.values import (
    ALL_KNOWN,
    UNRECORDED,
    Bag,
    Chance,
    Drawn,
    Entity,
    Placeholder,
    Sink,
    Unknown,
    UnrecordedValue,
    WrittenName,
    partly_known,
)
from altay_cli.hidden.knowledge import FinishedDraw, Loop
from altay_cli.match import limits
from altay_cli.match.operations import Operations
from altay_cli.pack.model import STEADY, DrawEffect, Expr, Pack
from altay_cli.pack.table import PLAYERS, REST


def draw(state: Operations, effect: DrawEffect, values: Mapping[str, object]) -> None:
    """Draw as the effect says and the log records.

    A card that cannot have been drawn is taken anyway; the pile then lists a card
    that is not there. One that was not written down is hidden from then on.
    """
    if _draw_openly(state, effect, values):
        return
    one = _Draw(state, effect, dict(values))
    one.run()
    if effect.rest:
        # Where this one went wrong, nobody knows what the rest is.
        known = len(one.hows) - one.hows.count(How.KNOWN)
        state.put(REST, UNRECORDED if one.said else one.seen.part(known))


def _draw_openly(state: Operations, effect: DrawEffect, values: Mapping[str, object]) -> bool:
    """Draw what the log names if that is just what is due and all of it lies openly there.

    A pile that runs out is made anew. Nearly all draws of a complete log are such. Returns False,
    and changes nothing, for any other.
    """
    hidden, times, loop, only = state.hidden, effect.times, effect.loop, effect.only
    if (
        (times is None) is (loop is None) or (only and times) or effect.above
        or effect.below or effect.back or effect.rest or hidden.groups
    ):  # fmt: skip
        return False
    seen: Drawn = effect.seen.fn(state, values)
    place: int = effect.source.at.fn(state, values)
    items, cells = seen.items, state.cells
    if not items or isinstance(seen, Chance) or cells[place].unknown != ALL_KNOWN:
        return False
    if times and times.fn(state, values) != len(items):
        return False
    state.left -= len(items) * limits.MOVE_STEPS
    if state.left < 0:
        state.refill()
    mark, target = state.mark(), effect.target.at.fn(state, values)
    # How much lay in the pile when it was made, and how many had come before that.
    there, before = sum(cells[place].values()), 0
    taken: dict[Entity, int] = {}
    for number, item in enumerate(items):
        if times and effect.refill and number - before == there:
            refill: int = effect.refill.at.fn(state, values)
            if cells[refill].unknown == ALL_KNOWN:
                state.move_bag(place, target, taken)
                taken = {}
                hidden.remember(place, there=there, drawn=there)
                state.move_bag(refill, place, cells[refill])
                there, before = sum(cells[place].values()), number
                hidden.remember(place, there=there)
        thing = item.entities[0] if len(item.entities) == 1 else None
        if (
            thing is None
            or taken.get(thing, 0) >= cells[place].get(thing, 0)
            or (loop and not loop.fn(state, values))
            or (only and not only.fn(state, {**values, "it": thing}))
        ):
            break
        taken[thing] = taken.get(thing, 0) + 1
        if loop or only:  # they look at what has come
            state.move_bag(place, target, taken)
            taken = {}
    else:
        state.move_bag(place, target, taken)
        if not (loop and loop.fn(state, values)):
            hidden.remember(place, there=there, drawn=len(items) - before)
            return True
    state.undo(mark)
    return False


def _finished_draws(_pack: Pack) -> dict[Hashable, FinishedDraw]:
    """Return where finished draws are kept for a pack."""
    return {}


def _unlisted() -> None:
    """Say that it cannot be listed what a condition reads."""


class How(Enum):
    """How it came to be known what a thing that was drawn is, or why it is not known."""

    NAMED = "its name is written"
    KNOWN = "it was known to be next, and is not written"
    BLANK = "it is written as `?`"
    MISSING = "it is not written, and should be"


class _Draw:
    """One draw: what the log says of it, and what has come so far."""

    def __init__(self, state: Operations, effect: DrawEffect, values: dict[str, object]) -> None:
        self.state = state
        self.effect = effect
        self.values = values
        self.place: int = effect.source.at.fn(state, values)
        self.refill: int | None = effect.refill.at.fn(state, values) if effect.refill else None
        # The test for things that can be drawn; None if all can.
        self.only: Callable[[Entity], bool] | None = None
        if effect.only is not None:
            test = effect.only.fn
            self.only = lambda item: bool(test(state, {**values, "it": item}))
        self.target: int = effect.target.at.fn(state, values)
        self.times: int | None = effect.times.fn(state, values) if effect.times else None
        self.seen: Drawn = effect.seen.fn(state, values)
        self.items = list(self.seen)
        self.chance = self.seen if isinstance(self.seen, Chance) else None
        # The `?` of a statement for which chance decides: no more of them come than are written.
        self.asked = self.chance.asked if self.chance is not None else None
        # From where to where what is drawn, and which things.
        self.draws = self.place, self.target, self.only
        # Whether it may be known what is next.
        self.known = effect.above is not None or effect.below is not None
        # Whether what is not written down is told.
        self.told = state.complete or effect.needed or effect.back
        # How each thing came, in order.
        self.hows: list[How] = []
        # What came, in order; several of which it is not known what they are may be one.
        self.came: list[Entity | Sink] = []
        # What was found wrong.
        self.said: list[str] = []
        # Names of what cannot have come, with what is said of each unless there are too many names.
        self.impossible: list[tuple[WrittenName, Mapping[str, object]]] = []
        # How much lay in the pile at first, and whenever it was made anew; how many had come.
        self.rounds: list[tuple[int, int]] = [(self._pile.size(), 0)]

    def run(self) -> None:
        """Draw all that comes, and report what is wrong with what is written of it."""
        try:
            self._draw()
        finally:
            self._say_impossible()

    def _draw(self) -> None:
        if self._is_open():
            self._draw_while()
            return
        missing = 0
        while self._continues():
            self.state.charge(limits.MOVE_STEPS)
            if self._next_known():
                continue
            if not self._available():
                break
            if (
                self.times is not None
                and self.seen.given()
                and self.chance is None
                and len(self.hows) == len(self.items)
                and self.state.hidden.varies_in(self.place)
                and self.state.hidden.runs_out(self.place, self.only)
            ):
                break  # the log names all that came, as in some course nothing more lay there
            self._put_in_order()
            if not self._next():
                missing = How.BLANK not in self.hows
                break
        self._remember()
        missing += self.hows.count(How.MISSING)
        self._report(missing)
        if missing and self.times is None and not (self.effect.back or self.known):
            # It was drawn anyway, and nobody knows what it was.
            self.state.hidden.draw_on(*self.draws, self._loop())

    def _remember(self) -> None:
        there, before = self.rounds[-1]
        if len(self.hows) > before:
            self.state.hidden.remember(self.place, there=there, drawn=len(self.hows) - before)

    # ------------------------------------------------------------ what it is drawn from

    @property
    def _pile(self) -> Bag:
        return self.state.cells[self.place]  # type: ignore[no-any-return]

    def _can_come(self, things: Sequence[Entity]) -> list[Entity]:
        return [item for item in things if self.only is None or self.only(item)]

    def _eligible(self) -> Bag:
        """Return what lies in the pile and can be drawn."""
        pile = self._pile
        if self.only is None:
            self.state.charge(len(pile) >> 3)
            return pile
        self.state.charge(len(pile))
        found = {item: count for item, count in pile.items() if self.only(item)}
        hidden, absent, *_ = pile.unknown
        hidden = hidden and self.state.hidden.most_of(self.place, self._can_come)
        return partly_known(found, Unknown(hidden, min(absent, max(sum(found.values()) - 1, 0))))

    def _lack(self, absent: int) -> None:
        """Let so many of the cards that the pile lists not be there."""
        unknown = self._pile.unknown
        if absent != unknown.absent:
            self.state.put(self.place, partly_known(self._pile, unknown._replace(absent=absent)))

    def _available(self) -> bool:
        """Return whether a card can be drawn; an empty pile is made anew if it can be."""
        place, refill, hidden = self.place, self.refill, self.state.hidden
        if self._eligible().size() > 0:
            if refill is not None and self._pile.unknown.hidden:
                hidden.replenish(place, refill)
            return True
        if refill is None or self.state.cells[refill].size() <= 0:
            return False
        self._lack(0)  # what it still lists after a slip has turned up on the discard pile
        if self.state.cells[refill].unknown.hidden:
            hidden.shuffle(refill, place)
        else:
            self.state.move_bag(refill, place, self.state.cells[refill])
        self._remember()
        there = self._pile.size()
        self.rounds.append((there, len(self.hows)))
        hidden.remember(place, there=there)
        return there > 0

    # ------------------------------------------------------------ what comes

    def _next(self) -> bool:
        """Draw what is next; return False where that ends what is to come, unwritten."""
        item = self.items[len(self.hows)] if len(self.hows) < len(self.items) else None
        if item is not None and item.entities:
            self._take(item)
        elif item is None and self.chance is not None and (
            self.asked is None or len(self.hows) - self.hows.count(How.KNOWN) < len(self.asked)
        ):  # fmt: skip
            if self._pile.unknown.hidden:  # it is not known what lies there
                odds = self.state.hidden.odds(self.place)
                odds = Bag({item: odds[item] for item in self._can_come(list(odds))})
            else:
                odds = self._eligible()
            self._take(self.chance.next(odds))
        elif self.effect.back and self.chance is None:
            # What stays where it is cannot be determined later.
            self.hows.append(How.MISSING)
            return True
        else:
            return self._unnamed(item)
        self.hows.append(How.NAMED)
        return True

    def _put_in_order(self) -> None:
        """Put names that can mean one thing only before others, where all that is left comes.

        A name that may mean several means none of those that have come by names of their own.
        """
        if len(self.hows) >= len(self.items) or len(self.items[len(self.hows)].entities) < 2:
            return
        hidden = self.state.hidden
        end = len(self.hows) + self._eligible().size()
        if hidden.varies_in(self.place):
            # What lies there in some worlds only comes behind what may have been put back first.
            end -= self._pile.unknown.hidden - hidden.least_in(self.place)
        if self.times is not None and end <= len(self.items):
            rest = self.items[len(self.hows) : end]
            self.items[len(self.hows) : end] = sorted(rest, key=lambda one: len(one.entities) != 1)

    def _is_open(self) -> bool:
        """Return whether the number drawn depends on something unrecorded."""
        effect, hidden = self.effect, self.state.hidden
        # What is known to lie above or below comes first.
        if effect.loop is None or effect.back or self.chance is not None or self.known:
            return False
        if any(hidden.is_hidden(place, self.only) for place in (self.place, self.target)):
            return True
        unnamed = any(not item.entities for item in self.items) or not self.seen.given()
        return unnamed and not self.told and self._continues() and self._available()

    def _draw_while(self) -> None:
        hidden, loop, draws = self.state.hidden, self._loop(), self.draws
        if not self.seen.given():
            came, some, every = hidden.draw_on(*draws, loop)
            self.came.append(came)
            self._report(int(every), some=some, open_end=True)
            return
        for item in self.items:
            if not hidden.keep_going(*draws, loop, more=True):
                break
            if item.entities:
                self._take(item)
            else:
                if self.told:
                    self._say("hidden", item)
                self.came.extend(hidden.deal(*draws, 1, ()))
            self.hows.append(How.NAMED if item.entities else How.BLANK)
        whole = hidden.keep_going(*draws, loop, more=False)
        missing = not whole and len(self.hows) == len(self.items)
        self._report(int(missing), open_end=True)
        if self.said and (len(self.hows) < len(self.items) or missing):
            # A slip is reported once: what else the log says of these piles is believed.
            hidden.give_up(self.place, self.only)

    def _loop(self) -> Loop:
        """Return the condition of this draw."""
        loop, zone_of = self.effect.loop, self.state.layout.zones
        finished = self.state.pack.cached(_finished_draws)
        if (
            loop is None
            or loop.reads - loop.zones - STEADY
            or any(isinstance(self.values.get(name), Bag) for name in loop.locals.values())
        ):
            return Loop(self._continues, range(len(zone_of)).__contains__, _unlisted, finished)
        zones = loop.zones
        return Loop(
            self._continues,
            lambda place: place < len(zone_of) and zone_of[place] in zones,
            _unlisted if "text" in loop.reads else partial(self._depends_on, loop),
            finished,
        )

    def _depends_on(self, loop: Expr) -> tuple[Hashable, Sequence[int]] | None:
        """Return all that a condition reads, and the places of it that hide something.

        None if it reads a placeholder of something hidden.
        """
        state, held, hiding = self.state, list[Hashable](), list[int]()
        values = tuple([self.values.get(name) for name in sorted(loop.locals.values())])
        if any(isinstance(value, (list, Placeholder)) for value in values):
            return None
        for zone in sorted(loop.zones):
            first, end = state.pack.zones[zone].cells
            for cell, value in enumerate(state.cells[first:end], first):
                things = value if isinstance(value, (Bag, tuple)) else (value,)
                if any(isinstance(thing, (Placeholder, UnrecordedValue)) for thing in things):
                    return None
                if not isinstance(value, Bag):
                    held.append(value)
                    continue
                held.append((tuple(value.items()), value.unknown))
                if value.unknown.hidden:
                    hiding.append(cell)
        due = self.times is None or len(self.hows) < self.times
        players = tuple(state.cells[PLAYERS]) if "players" in loop.reads else ()
        options = tuple(state.options.items())
        return (loop.key, values, due, tuple(held), players, options), hiding

    def _continues(self) -> bool:
        loop = self.effect.loop
        return (self.times is None or len(self.hows) < self.times) and (
            loop is None or bool(loop.fn(self.state, self.values))
        )

    def _next_known(self) -> bool:
        """Take the next thing where it is known which it is; return whether it is.

        A log need not write it. Where it does, or where it writes all that come, it is this one.
        """
        effect = self.effect
        if not self.known:
            return False
        ends = (effect.above, None if self._eligible().size() > 0 else effect.below)
        places = (end.at.fn(self.state, self.values) for end in ends if end is not None)
        place = next((place for place in places if self.state.cells[place]), None)
        if place is None:
            return False
        thing: Entity = self.state.cells[place][0]
        item = self.items[len(self.hows)] if len(self.hows) < len(self.items) else None
        written = item is not None and thing in item.entities
        whole = self.times is not None and len(self.items) >= self.times
        how = How.NAMED
        if item is not None and whole and item.entities and not written:
            self._cannot_come(item, item.entities[-1], Bag({thing: 1}))
        elif not written and not (item is not None and whole):
            how = How.KNOWN
            if self.chance is None and len(self.hows) <= len(self.items):
                self.items.insert(len(self.hows), WrittenName(1, (thing,), True, thing.id, 0, 0))
        self.state.move_one(place, self.target, thing)
        self.came.append(thing)
        self.hows.append(how)
        return True

    def _unnamed(self, item: WrittenName | None) -> bool:
        """Draw things that follow each other, none of them named; return whether to go on."""
        if self.told and item is not None:
            self._say("hidden", item)
        if self.times is None:
            # How many come depends on what they are: what else is written is taken as it is.
            if item is not None:
                self.hows.append(How.BLANK)
            return item is not None
        most = min(self.times - len(self.hows), self._eligible().size())
        varies = self.state.hidden.varies_in(self.place)
        count = 1
        if item is None and not varies:  # else the worlds tell of what is left then
            count = most
        elif not varies and not self.told:
            rest = self.items[len(self.hows) + 1 : len(self.hows) + most]
            count += next((n for n, one in enumerate(rest) if one.entities), len(rest))
        backs, as_far = self.effect.backs, varies and item is None
        self.came.extend(self.state.hidden.deal(*self.draws, count, backs, as_far=as_far))
        self.hows.extend([How.MISSING if item is None else How.BLANK] * count)
        return True

    # ------------------------------------------------------------ what is named

    def _take(self, item: WrittenName) -> None:
        hidden = self.state.hidden
        covered = hidden.is_hidden(self.place, self.only) or (
            hidden.likenesses and any(isinstance(thing, Placeholder) for thing in self._pile)
        )
        if covered and self._take_hidden(item):
            return
        there = self._eligible()
        found = [entity for entity in item.entities if there.get(entity, 0) > 0]
        unknown = self._pile.unknown
        if not found and unknown.unsure and self.refill is not None:
            # After a slip it may have been shuffled in.
            for entity in item.entities:
                if self.state.cells[self.refill].get(entity, 0) > 0:
                    self.state.move_one(self.refill, self.target, entity)
                    return
        if not found:
            chosen = item.entities[-1]
            if not unknown.hidden:
                self.state.mistrust(self.place)
            self.state.reporter.cannot_be(self.place, item.entities)
            self._cannot_come(item, chosen, there)
            if there.unknown.hidden:
                # What it was is not known then.
                self.came.extend(hidden.deal(*self.draws, 1, self.effect.backs))
                return
            self._lack(unknown.absent + 1)
            self.state.add(self.target, chosen, 1)
            return
        chosen = found[-1]
        if len(found) > 1 and not self._brings_every_copy(item, there):
            several = len({entity.parent or entity for entity in found}) > 1
            if several and not self.told and self._take_hidden(item):
                return
            self.state.reporter.unsure(item, chosen, found)
        self._bring(chosen)
        self.came.append(chosen)

    def _bring(self, chosen: Entity) -> None:
        if not self.effect.back:
            self.state.add(self.place, chosen, -1)
        self.state.add(self.target, chosen, 1)

    def _brings_every_copy(self, item: WrittenName, there: Bag) -> bool:
        """Return whether this draw brings every copy that the name may mean, in any order."""
        self.state.charge(len(self.items) >> 2)
        rest = [other for other in self.items[len(self.hows) :] if other.entities == item.entities]
        copies = sum(there.get(entity, 0) for entity in item.entities)
        return len(rest) >= copies or len(self.items) - len(self.hows) >= there.size()

    def _take_hidden(self, item: WrittenName) -> bool:
        hidden = self.state.hidden
        if self._pile:
            hidden.cover(self.place, self.only, apart=self.only is not None)
        chosen = hidden.reveal((self.place,), self._can_come(item.entities))
        if chosen is not None:
            self.state.add(self.target, chosen, 1)
            self.came.append(chosen)
            if isinstance(chosen, Placeholder) and chosen.differs:
                self._tell_gap(1)
        return chosen is not None

    # ------------------------------------------------------------ what is told

    def _report(self, missing: int, *, some: bool = False, open_end: bool = False) -> None:
        """Tell what is wrong with what is written, where so much is missing.

        With ``some``, something that nobody wrote down came in some course of events; with
        ``open_end``, how many come depends on what nobody wrote down.
        """
        items, drawn = self.items or self.asked or [], len(self.hows)
        unnamed, known = self.hows.count(How.BLANK), self.hows.count(How.KNOWN)
        words = {"due": drawn - known, "given": len(items) - known, "missing": missing}
        told = "missing" in self.effect.rules  # else nobody was to write it down
        if unnamed or missing or some:
            self.state.reporter.came(self.seen.items, self.came, None if told else self.target)
        if unnamed and not self.told:
            self._tell_gap(unnamed)
        surplus = [] if self.effect.rest else items[drawn:]
        if surplus:
            believed = self._pile.unknown.unsure and self.times != drawn
            if not believed:
                # Where a name that cannot be right is among too many, it is the one slip.
                explained = len({one.start for one, _ in self.impossible}) <= len(surplus)
                wrong = [one for one, _ in self.impossible if explained]
                self.impossible = [] if explained else self.impossible
                marked = (wrong or surplus)[0]
                guess = next(reversed(marked.entities), None)
                self._say("extra", marked, **words, drawn_card=guess)
            for item in surplus if believed or not open_end else ():  # the log goes on with it
                there = [entity for entity in item.entities if self._pile.get(entity, 0) > 0]
                for chosen in (there or item.entities)[-1:]:
                    self._bring(chosen)
        elif missing and not self.said and len(items) <= drawn:
            if self.seen.given() or self.told:
                self._say("short" if self.seen.given() else "missing", None, **words)
            elif told:
                self._tell_gap(missing)

    def _tell_gap(self, count: int) -> None:
        to = self.state.pack.zones[self.effect.target.zone]
        shared = to.lifetime == "game" and "player" not in to.per
        self.state.reporter.unrecorded(self.effect.kind, count, shared=shared)

    def _cannot_come(self, item: WrittenName, thing: Entity, left: Bag) -> None:
        self.said.append("impossible")
        self.impossible.append((item, {"drawn_card": thing, "left": left}))

    def _say_impossible(self) -> None:
        while self.impossible:
            item, words = self.impossible.pop(0)
            self._say("impossible", item, **words)

    def _say(self, case: str, item: WrittenName | None, **words: object) -> None:
        self.said.append(case)
        text = self.effect.rules.get(case)
        if text is not None:
            self.state.reporter.report_text(text, {**self.values, **words}, item)

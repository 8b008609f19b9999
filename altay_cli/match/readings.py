"""What a statement means in a state: its readings, and whether one of them is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, product
from typing import Any, NamedTuple

from altay_cli.base.findings import BudgetError, ExpressionError, UnrecordedError
from altay_cli.base.suggest import normal
from altay_cli.base.values import (
    UNRECORDED,
    Bag,
    Chance,
    Drawn,
    Entity,
    WrittenName,
    bag_of,
    unseen_in,
)
from altay_cli.match.naming import MAX_READINGS, Namer, Notes, Taken
from altay_cli.match.operations import Pending, Values
from altay_cli.match.state import State
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import MoveDef, Requirement, Shape, Slot


class Reading(NamedTuple):
    """One way to understand a statement: its values, and what is unsure about them.

    ``may_be_hidden`` says that one of its names could have meant something hidden as well.
    """

    parsed: Candidate
    values: Values
    notes: Notes
    number: int = 0
    may_be_hidden: bool = False

    @property
    def answers(self) -> str | None:
        """The decision that its move answers, if any."""
        return self.parsed.move.answers


def rank(parsed: Candidate, *, legal: bool) -> tuple[bool, int, str]:
    """Return what several moves that are written alike, and could all be meant, are ordered by.

    What is legal comes first, then what says most in words of its own: never the file in which a
    move stands.
    """
    return not legal, -parsed.words, parsed.move.id


class MoveValues(dict[str, object]):
    """The values of a move: those of its slots, and of its `let` as soon as they are needed.

    One that cannot be evaluated fails where it is needed, so that a requirement before it can say
    why the move is not legal.
    """

    __slots__ = ("_faults", "_lets", "_state")

    def __init__(self, values: Mapping[str, object], move: MoveDef, state: State) -> None:
        super().__init__(values)
        self._state = state
        self._lets = move.lets
        self._faults: dict[str, Exception] = {}
        for name, _ in self._lets:
            self.pop(name, None)  # what it was for other values

    def settle(self) -> None:
        """Evaluate all names that have not been needed yet, before the state changes."""
        for name, expr in self._lets:
            if name not in self and name not in self._faults:
                try:
                    self[name] = expr.fn(self._state, self)
                except BudgetError:
                    raise
                except ExpressionError as error:
                    self._faults[name] = error

    def __missing__(self, name: str) -> object:
        if name in self._faults:
            raise self._faults[name]
        value = self[name] = dict(self._lets)[name].fn(self._state, self)
        return value


class Resolver:
    """Finds the readings of statements in one state."""

    def __init__(self, state: State, binder: Binder) -> None:
        self.state = state
        self.binder = binder
        self.chance: Chance | None = None
        """Decides what is drawn where a statement does not say it; None if a log must."""
        self.leaves_open = False
        """Whether it is left open from which zone something is taken that lies openly in two."""
        self._taken: Taken = {}

    @contextmanager
    def chancing(self, chance: Chance | None) -> Iterator[None]:
        """Let chance decide inside what is drawn, or nobody."""
        before, self.chance = self.chance, chance
        try:
            yield
        finally:
            self.chance = before

    def applying(self, reading: Reading) -> Reading | None:
        """Return the reading with what the move names; None if it is not meant for such values."""
        move = reading.parsed.move
        if move.when is not None and not (
            move.when.fn(self.state, reading.values)
            or (
                self.state.hidden.groups
                and self.state.can_hold(move.when, lambda: reading.values, known=False)
            )
        ):
            return None
        return reading._replace(values=MoveValues(reading.values, move, self.state))

    def is_legal(self, reading: Reading) -> bool:
        """Return whether everything that the move requires holds."""
        try:
            return all(
                self.holds(requirement, reading) for requirement in reading.parsed.move.requires
            )
        except ExpressionError:
            return False

    def unclear(self, reading: Reading) -> Reading | None:
        """Return a reading in which each name means any of the things of that name, if it is legal.

        Nobody wrote down which of them it was, one of which may be hidden. None as well if what
        the statement does depends on that.
        """
        base = {name: reading.values[name] for name in ("me", "asked")}
        mark = self.state.mark()
        with suppress(UnrecordedError):
            for other in self.readings(reading.parsed, base, reading.number, merges=True):
                applying = self.applying(other)
                if applying is not None and self.can_be(applying, done=True):
                    return applying
        self.state.undo(mark)
        return None

    def can_be(self, reading: Reading, *, done: bool = False) -> bool:
        """Return whether it is legal, if hidden cards are what it names.

        With ``done``, what it does is told as well.

        Raises:
            UnrecordedError: if it is not, because that depends on what nobody recorded.

        """
        asked = reading.values.get("asked")
        try:
            with self.state.supposing():
                self.settle(reading)
                if not self.is_legal(reading):
                    return False
                does = reading.parsed.move.does
                return not done or self.state.leads_to(does, reading.values, None)
        finally:
            reading.values["asked"] = asked

    def is_certain(self, reading: Reading) -> bool:
        """Return whether all that is named is there wherever the hidden things lie."""
        for slot in reading.parsed.move.slots.values():
            value = reading.values.get(slot.name)
            if slot.reveals and value is not None:
                places = [zone.at.fn(self.state, reading.values) for zone in slot.reveals]
                zones = [self.state.cells[place] for place in places]
                things = value if isinstance(value, Bag | list) else [value]
                named = things if isinstance(things, Bag) else bag_of(things)
                if any(self.state.hidden.between(zones, (e,))[0] < n for e, n in named.items()):
                    return False
        return True

    def holds(self, requirement: Requirement, reading: Reading) -> bool:
        """Return whether what a move requires holds, before the move or behind it."""
        if not requirement.afterwards:
            holds = bool(requirement.that.fn(self.state, reading.values))
            if not self.state.hidden.groups:
                return holds
            # What a name of the move was by what is known may be otherwise as well.
            move = reading.parsed.move
            return self.state.can_hold(
                requirement.that, lambda: MoveValues(reading.values, move, self.state), known=holds
            )
        if isinstance(reading.values, MoveValues):
            reading.values.settle()
        does = reading.parsed.move.does
        return self.state.leads_to(does, reading.values, requirement.that)

    def readings(
        self, parsed: Candidate, base: Values, number: int, *, merges: bool = False
    ) -> list[Reading]:
        """Return the values that the written names can have in this state.

        ``merges`` says that a name of several things means any of them.
        """
        namer = Namer(self.state, self._taken, leaves_open=self.leaves_open, merges=merges)
        options: list[list[tuple[str, object, Notes]]] = []
        values = dict(base)
        for slot in parsed.move.slots.values():
            if slot.shape is Shape.DRAWN:
                values[slot.name] = self._drawn(parsed.drawn.get(slot.name, UNRECORDED))
                continue
            written = parsed.slots.get(slot.name)
            if written is None:
                if slot.infer is None:
                    values[slot.name] = slot.empty
                continue
            possible = self._values(slot, written, values, number, namer)
            if len(possible) == 1:
                values[slot.name] = possible[0][0]
            options.append([(slot.name, value, notes) for value, notes in possible])
        return [
            Reading(
                parsed,
                {**values, **{name: value for name, value, _ in chosen}},
                [note for _, _, notes in chosen for note in notes],
                number,
                namer.may_be_hidden,
            )
            for chosen in islice(product(*options), MAX_READINGS)
        ]

    def plain(
        self,
        readings: Sequence[Candidate],
        actor: Entity | None,
        pending: Pending | None,
        number: int,
        times: int,
    ) -> Reading | None:
        """Return the only move that number ``number`` of a statement can mean, if that is plain.

        All its readings must stand for so many ``times`` moves.
        """
        if pending is not None and pending.who is not actor:
            return None
        base: Values = {"me": actor, "asked": pending.values if pending else {}}
        decision = pending.decision if pending else None
        is_open = self.chance is None and not (self.state.hidden.groups or self.leaves_open)
        chosen: Reading | None = None
        for parsed in readings:
            move = parsed.move
            if move.fallback or move.answers != decision:
                continue
            if parsed.repetitions != times or (
                actor is None and move.needs_actor and not move.heading
            ):
                return None
            if is_open and parsed.values is not None:
                values: Values | None = {**base, **parsed.values[number]}
            else:
                values = self._only_values(parsed, base, number)
            if values is None:
                return None
            if move.when is None or move.when.fn(self.state, values):
                if chosen is not None:
                    return None
                chosen = tuple.__new__(Reading, (parsed, values, [], number, False))  # as ``Here``
        return chosen

    def _only_values(self, parsed: Candidate, base: Values, number: int) -> Values | None:
        """Return the values of the only reading of a statement, None if there are several.

        Chance may have a say in them, and what is hidden.
        """
        if parsed.values is not None:
            values, likenesses = {**base, **parsed.values[number]}, self.state.hidden.likenesses
            for slot in parsed.move.slots.values():
                unseen = likenesses and slot.kind and slot.name in parsed.slots
                if slot.reveals or (unseen and unseen_in(self.domain(slot, values) or Bag())):
                    break
                if slot.shape is Shape.DRAWN and self.chance is not None:
                    values[slot.name] = self._drawn(values[slot.name])
            else:
                return values
        found = self.readings(parsed, base, number)
        return found[0].values if len(found) == 1 and not found[0].notes else None

    def _drawn(self, told: Drawn) -> Drawn:
        """Return what was drawn; where that is not said, or only `?` are, chance may decide."""
        chance = self.chance
        if chance is None or any(item.entities for item in told) or told.items == []:
            return told
        # What came in a try that was taken back is forgotten.
        chance.asked = told.items
        chance.drawn.clear()
        return chance

    def _values(
        self, slot: Slot, written: list[WrittenName], values: Values, number: int, namer: Namer
    ) -> list[tuple[Any, Notes]]:
        """Return the possible values of one slot, each with the assumptions it rests on."""
        if slot.shape is Shape.NEW_PLAYER:
            name = written[0].text
            player = self.binder.players.get(normal(name))
            if player is None:
                player = Entity("player", name, len(self.state.players))
                self.binder.add_player(player)
            return [(player, [])]
        if slot.each:
            flat = [one for one in written for _ in range(one.count)]
            written = [flat[number]] if number < len(flat) else flat[-1:]
        if slot.shape is Shape.INT:
            return [(written[0].value, [])]
        if not slot.kind:
            return [([one.value for one in written], [])]
        domain = self.domain(slot, values)
        if slot.shape is Shape.ENTITY:
            one = written[0]
            return namer.entity(slot, one, domain, values) if one.entities else [(None, [])]
        if slot.shape is Shape.BAG:
            return namer.bags(slot, written, domain, values)
        every = (namer.entity(slot, o, domain, values) for o in written for _ in range(o.count))
        combined = islice(product(*every), MAX_READINGS)
        return [
            ([e for e, _ in some], [n for _, notes in some for n in notes]) for some in combined
        ]

    def domain(self, slot: Slot, values: Values) -> Bag | None:
        """Return the domain of a slot as a bag; None if it has none."""
        if slot.domain is None:
            return None
        domain = slot.domain.fn(self.state, values)
        if isinstance(domain, Bag):
            return domain
        self.state.charge(len(domain))
        return bag_of(domain)

    def identify(
        self,
        slot: Slot,
        item: Entity,
        count: int,
        domain: Bag,
        values: Values,
        used: Bag | None = None,
    ) -> None:
        """Let hidden cards of the slot's zone be ``item``, until ``count`` of it are there.

        ``domain`` is what the slot's value comes from, and is brought up to date; ``used`` are
        other things of that value.
        """
        namer = Namer(self.state, self._taken, leaves_open=self.leaves_open)
        found = namer.uncover([[item]], count, domain, values)
        if found is not None and found is not domain:
            domain.clear()
            domain.update(found)
        namer.identify(slot, [[item]], count, domain, values, used or Bag())

    def settle(self, reading: Reading) -> None:
        """Let hidden cards be what the chosen reading names, where only now one thing is meant.

        All that the move gives names to is what it was before that.
        """
        if isinstance(reading.values, MoveValues):
            reading.values.settle()
        for slot in reading.parsed.move.slots.values():
            value = reading.values.get(slot.name)
            if not slot.reveals or not isinstance(value, Bag):
                continue
            for item, count in value.items():
                domain = self.domain(slot, reading.values)
                if domain is not None:
                    domain = Bag(domain)
                    others = Bag({other: n for other, n in value.items() if other is not item})
                    self.identify(slot, item, count, domain, reading.values, others)

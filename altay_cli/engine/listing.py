"""The legal moves of a state, found by the same definitions that judge a recorded one.

A move is built slot by slot. What a slot can hold is its domain in the rules, and each condition
is asked as soon as all that it mentions is known, so that hopeless branches end early. What can
be written in several ways - another order, another name, a payment left out - is listed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, permutations
from math import factorial
from typing import Any
from weakref import WeakKeyDictionary

from altay_cli.engine.binding import MAX_COUNT, Binder, Parsed
from altay_cli.engine.readings import Resolver, rank
from altay_cli.engine.spelling import Speller, counted, speller
from altay_cli.engine.state import State, Values
from altay_cli.expressions import EVALUATION_ERRORS, BudgetError
from altay_cli.notation.phrases import parse
from altay_cli.pack.model import Effects, Expr, MoveDef, Pack, Slot
from altay_cli.values import UNRECORDED, Bag, Drawn, Entity, bag_of, expand, plus_some, unnamed

LISTING_STEPS = 5_000_000
"""What one listing may take, unless a lister is told otherwise."""

CANDIDATE_STEPS = 5
"""What it costs to try one value for a slot."""

MOVE_STEPS = 150
"""What it costs to write a move down, and as much again for each of its slots."""

MAX_BAGS = 10_000
"""How many sets of things are tried for one slot, unless a lister is told otherwise."""

MAX_ORDERS = 1_000
"""How many lists are tried for one slot in every order, unless a lister is told otherwise."""

MAX_DIGITS = 12
"""So many things have more orders than anybody lists."""

Key = tuple[str, Entity | None, tuple[tuple[str, object], ...]]


@dataclass(frozen=True, eq=False)
class Move:
    """A legal move.

    ``definition`` is the rule by which it is made, ``actor`` who makes it (None where nobody in
    particular does). ``values`` are what is in its slots, with the names that the rule adds.
    ``written`` is what stands in its slots in AGN, and ``statement`` all of it, without what chance
    brings, or with as many `?` as a player chooses to draw; it names the actor only where that is
    not the player whose turn it is.
    """

    definition: MoveDef
    actor: Entity | None
    values: Values
    written: Mapping[str, str]
    statement: str

    @property
    def id(self) -> str:
        """The id of the move in the rules."""
        return self.definition.id

    @property
    def kind(self) -> str:
        """The word that the statement begins with, behind the actor's name."""
        return self.definition.patterns[0].verb

    @cached_property
    def key(self) -> Key:
        """What the move is, however it is written: moves with the same key are the same."""
        return key_of(self.definition, self.actor, self.values)

    def __str__(self) -> str:
        return self.statement


def key_of(move: MoveDef, actor: Entity | None, values: Mapping[str, Any]) -> Key:
    """Return what is the same for all ways to write a move."""
    slots = tuple(
        (name, _plain(values.get(name)))
        for name, slot in move.slots.items()
        if slot.shape != "drawn" or slot.domain is not None
    )
    return move.id, actor, slots


def _plain(value: Any) -> object:
    """Return what tells two values of a slot apart; of a draw, how many things come."""
    if isinstance(value, Bag):
        return frozenset(value.items())
    if isinstance(value, list):
        return tuple(value)
    return value.size() if isinstance(value, Drawn) else value


# ---------------------------------------------------------------- plans


@dataclass(frozen=True, slots=True)
class _Asked:
    """Something to evaluate once enough slots are filled: a value to name, or a condition.

    ``common`` says that it mentions no slot and no such value: its answer serves several moves.
    """

    name: str | None
    expr: Expr
    common: bool
    does: Effects | None = None
    """What is carried out first, and taken back, where it must hold behind the move."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """How the candidates of one move are built: its slots, and what is asked after each.

    ``asked[n]`` is asked when ``n`` slots are filled. ``common`` are the slots whose domain
    mentions no other, so that it serves several moves. ``drawn`` are the slots for what is drawn;
    where a player chooses how many, it is among ``slots`` as well. ``gate`` are the conditions
    that mention nothing of the move itself: most moves of a moment do not get beyond them.
    """

    move: MoveDef
    slots: tuple[Slot, ...]
    gate: tuple[Expr, ...]
    asked: tuple[tuple[_Asked, ...], ...]
    common: frozenset[str]
    drawn: Values


def _plan(move: MoveDef) -> _Plan:
    # What may be left out is worked out from all the rest, so it comes last.
    slots = sorted(
        (s for s in move.slots.values() if s.shape != "drawn" or s.domain is not None),
        key=lambda slot: (slot.shape == "drawn", slot.infer is not None),
    )
    known = {slot.name: number for number, slot in enumerate(slots, 1)}
    asked: list[list[_Asked]] = [[] for _ in range(len(slots) + 1)]

    def ask(name: str | None, expr: Expr) -> None:
        stage = max((known.get(other, 0) for other in expr.names), default=0)
        asked[stage].append(
            _Asked(name, expr, name is None and known.keys().isdisjoint(expr.names))
        )
        if name is not None:
            known[name] = stage

    if move.listed is not None:
        ask(None, move.listed)
    if move.when is not None:
        ask(None, move.when)
    for name, expr in move.lets:
        ask(name, expr)
    for requirement in move.requires:
        if not requirement.afterwards:
            ask(None, requirement.that)
    asked[-1].extend(
        _Asked(None, requirement.that, False, move.does)
        for requirement in move.requires
        if requirement.afterwards
    )
    common = frozenset(
        slot.name
        for slot in slots
        if slot.domain is not None and known.keys().isdisjoint(slot.domain.names)
    )
    drawn = {name: UNRECORDED for name, slot in move.slots.items() if slot.shape == "drawn"}
    gate = tuple(one.expr for one in asked[0] if one.common)
    asked[0] = [one for one in asked[0] if not one.common]
    return _Plan(move, tuple(slots), gate, tuple(map(tuple, asked)), common, drawn)


_PLANS: WeakKeyDictionary[Pack, dict[str, _Plan]] = WeakKeyDictionary()


def _plans(pack: Pack) -> dict[str, _Plan]:
    """Return the plans of all moves that can be listed, made once for a pack."""
    found = _PLANS.get(pack)
    if found is None:
        # A fallback stands for what is not legal.
        found = {move.id: _plan(move) for move in pack.moves if not move.fallback}
        _PLANS[pack] = found
    return found


# ---------------------------------------------------------------- candidates


class Lister:
    """Lists legal moves in the states of one game.

    ``phase`` is that of the statements, as the rules have it. ``complete`` tells after a listing
    whether all candidates have been tried: no more than ``max_bags`` sets of things for a slot,
    of lists no more than ``max_orders``, and no more than ``max_steps`` allow.
    """

    def __init__(self, state: State, binder: Binder, resolver: Resolver, speller: Speller) -> None:
        self.state = state
        self.binder = binder
        self.resolver = resolver
        self.complete = True
        self.phase = "turns"
        self.max_bags = MAX_BAGS
        self.max_steps = LISTING_STEPS
        self._speller = speller
        self._plans = _plans(state.pack)
        self.max_orders = MAX_ORDERS
        self._taken: dict[tuple[frozenset[tuple[Entity, int]], int, int], list[Bag]] = {}
        # What has been found out for one player in this state, by the text of the expression.
        self._facts: dict[str, bool] = {}
        self._domains: dict[str, Bag] = {}

    def moves(self) -> list[Move]:
        """Return the legal moves, in the order of the rules."""
        self.complete = True
        self._taken.clear()
        state = self.state
        active: Entity | None = state.status("active")
        pending = state.due
        late = state.late if pending is None else None
        makers: dict[Entity | None, list[tuple[_Plan, Values]]] = {}
        for plan in self._plans.values():
            move = plan.move
            due = pending or (late if late and move.answers == late.decision else None)
            if self.phase not in move.phases or move.answers != (due and due.decision):
                continue
            who: Sequence[Entity | None] = state.players
            if due is not None:
                who = [due.who]
            elif move.heading or not move.needs_actor:
                who = [active]
            for actor in who:
                base = {"me": actor, "asked": due.values if due else {}}
                makers.setdefault(actor, []).append((plan, base))
        found: dict[str, list[Move]] = {}
        try:
            state.grant(self.max_steps)
            for plans in makers.values():
                self._forget()
                for plan, base in plans:
                    if self._passes(plan, base):
                        moves = found.setdefault(plan.move.id, [])
                        self._of(plan, base, active, {}, moves)
        except BudgetError:
            self.complete = False
        # In the order of the rules, whoever makes them.
        ordered = [move for ident in self._plans for move in found.get(ident, ())]
        return list({move.key: move for move in ordered}.values())

    def of(self, move: MoveDef, base: Values, active: Entity | None, given: Values) -> list[Move]:
        """Return the legal moves of one kind; the slots in ``given`` hold what it says.

        Raises:
            BudgetError: where there are too many to try them all.

        """
        self.state.grant(self.max_steps)
        self._forget()
        self._taken.clear()
        plan = self._plans.get(move.id)
        found: list[Move] = []
        if plan is not None and self._passes(plan, base):
            self._of(plan, base, active, given, found)
        return found

    def able(self, actor: Entity | None, move: str | None) -> bool:
        """Tell whether a player has a legal move in a turn, or one of a certain kind.

        What it takes is taken from the budget of the moment.
        """
        self._forget()
        self._taken.clear()
        base: Values = {"me": actor, "asked": {}}
        return any(
            self._passes(plan, base) and self._can_fill(plan, 0, {**base, **plan.drawn})
            for plan in self._plans.values()
            if "turns" in plan.move.phases and not plan.move.heading and plan.move.answers is None
            if move is None or plan.move.id == move
        )

    def _can_fill(self, plan: _Plan, number: int, values: Values) -> bool:
        """Tell whether the slots from ``number`` on can be filled so that all conditions hold."""
        if not self._holds(plan.asked[number], values):
            return False
        if number == len(plan.slots):
            return True
        slot = plan.slots[number]
        cost = CANDIDATE_STEPS + len(plan.asked[number + 1])
        for candidate in self._candidates(slot, self._domain(plan, slot, values), values):
            values[slot.name] = candidate
            self.state.charge(cost)
            if self._can_fill(plan, number + 1, values):
                return True
        return False

    def _forget(self) -> None:
        self._facts.clear()
        self._domains.clear()

    def _passes(self, plan: _Plan, base: Values) -> bool:
        """Tell whether the conditions hold that mention nothing of the move itself."""
        facts = self._facts
        for expr in plan.gate:
            holds = facts.get(expr.source)
            if holds is None:
                try:
                    holds = bool(expr.fn(self.state, base))
                except BudgetError:
                    raise
                except EVALUATION_ERRORS:
                    holds = False
                facts[expr.source] = holds
            if not holds:
                return False
        return True

    def _of(
        self, plan: _Plan, base: Values, active: Entity | None, given: Values, found: list[Move]
    ) -> None:
        """Add the legal moves of one kind to ``found``."""
        values = {**base, **plan.drawn}
        if self._holds(plan.asked[0], values):
            self._fill(plan, 0, values, {}, active, given, found)

    def _holds(self, asked: Sequence[_Asked], values: Values) -> bool:
        """Evaluate what can be evaluated now; tell whether all conditions hold."""
        state = self.state
        try:
            for one in asked:
                expr = one.expr
                if one.name is not None:
                    values.pop(one.name, None)
                    with suppress(*EVALUATION_ERRORS):  # it fails where it is needed
                        values[one.name] = expr.fn(state, values)
                elif one.does is not None:
                    if not state.leads_to(one.does, values, expr):
                        return False
                elif not expr.fn(state, values):
                    return False
        except BudgetError:
            raise
        except EVALUATION_ERRORS:
            return False
        return True

    def _fill(
        self,
        plan: _Plan,
        number: int,
        values: Values,
        there: dict[str, Bag | None],
        active: Entity | None,
        given: Values,
        found: list[Move],
    ) -> None:
        """Fill the slots from ``number`` on; ``there`` is what each comes from.

        Both are filled in place: what belongs to a later slot is set anew before it is read.
        """
        if number == len(plan.slots):
            move = self._written(plan, dict(values), there, active)
            if move is not None:
                found.append(move)
            return
        slot = plan.slots[number]
        number += 1
        asked = plan.asked[number]
        there[slot.name] = domain = self._domain(plan, slot, values)
        zones = self._hidden(slot, values)
        if slot.name in given:
            candidates: Iterable[Any] = [given[slot.name]]
        elif zones:
            self._unseen(plan, number, values, there, active, given, zones, found)
            return
        else:
            candidates = self._candidates(slot, domain, values)
        name, state, cost = slot.name, self.state, CANDIDATE_STEPS + len(asked)
        for candidate in candidates:
            values[name] = candidate
            state.charge(cost)
            if self._holds(asked, values):
                self._fill(plan, number, values, there, active, given, found)

    def _unseen(
        self,
        plan: _Plan,
        number: int,
        values: Values,
        there: dict[str, Bag | None],
        active: Entity | None,
        given: Values,
        zones: Sequence[Bag],
        found: list[Move],
    ) -> None:
        """Fill a slot with things of a zone of which some are hidden: they may be what is named."""
        slot = plan.slots[number - 1]
        domain = there[slot.name] or Bag()
        room = sum(zone.hidden for zone in zones)
        for candidate in self._candidates(slot, self._possible(slot, domain, zones), values):
            named = candidate if isinstance(candidate, Bag) else bag_of([candidate])
            if sum(max(n - domain.get(thing, 0), 0) for thing, n in named.items()) > room:
                continue
            values[slot.name] = candidate
            self.state.charge(CANDIDATE_STEPS + len(domain))
            mark = self.state.mark()
            try:
                seen = Bag(domain)
                for thing, count in named.items():
                    self.resolver.identify(slot, thing, count, seen, values)
                self._forget()
                if self._holds(plan.asked[number], values):
                    there[slot.name] = seen
                    self._fill(plan, number, values, there, active, given, found)
            finally:
                self.state.undo(mark)
                self._forget()

    def _domain(self, plan: _Plan, slot: Slot, values: Values) -> Bag | None:
        """Return what the slot's value comes from, as a bag; None where that is not said."""
        expr = slot.domain
        if expr is None or slot.shape in {"int", "drawn"} or slot.infer is not None:
            return None
        known = self._domains.get(expr.source) if slot.name in plan.common else None
        if known is None:
            try:
                known = self.resolver.domain(slot, values) or Bag()
            except BudgetError:
                raise
            except EVALUATION_ERRORS:
                known = Bag()
            if slot.name in plan.common:
                self._domains[expr.source] = known
        return known

    def _candidates(self, slot: Slot, domain: Bag | None, values: Values) -> Iterable[Any]:
        """Return all that a slot can hold."""
        try:
            if slot.infer is not None:
                return slot.infer.fn(self.state, values) or [Bag()]
            if slot.shape == "int":
                return dict.fromkeys(slot.domain.fn(self.state, values) if slot.domain else ())
            if slot.shape == "drawn" and slot.domain is not None:
                counts = dict.fromkeys(slot.domain.fn(self.state, values))
                return [unnamed(count) for count in counts if count <= MAX_COUNT]
        except BudgetError:
            raise
        except EVALUATION_ERRORS:
            return ()
        if domain is None:
            players = slot.kind == "player"
            domain = bag_of(self.state.players if players else self.state.pack.entities[slot.kind])
        if slot.shape in {"bag", "list"}:
            return self._several(slot, domain, values)
        nothing = slot.optional or slot.hidden
        return [*domain, None] if nothing else list(domain)

    def _possible(self, slot: Slot, domain: Bag, zones: Sequence[Bag]) -> Bag:
        """Return the domain with what hidden things of its zones may turn out to be."""
        found = Bag(domain)
        for zone in zones:
            held = self.state.hidden.may_hold(zone)
            for thing in self.state.pack.entities[slot.kind]:
                if thing in held:
                    found[thing] = found.get(thing, 0) + held[thing]
        return found

    def _hidden(self, slot: Slot, values: Values) -> list[Bag]:
        """Return the zones in which hidden things can turn out to be what a slot names."""
        zones: list[Bag] = [zone.fn(self.state, values) for zone in slot.reveals]
        return [zone for zone in zones if zone.hidden > 0]

    def _several(self, slot: Slot, domain: Bag, values: Values) -> Iterable[Any]:
        """Return the bags or lists that a slot can hold, out of what there is."""
        size = domain.size()
        try:
            least = slot.least.fn(self.state, values) if slot.least else 1
            most = min(slot.most.fn(self.state, values), size) if slot.most else size
        except BudgetError:
            raise
        except EVALUATION_ERRORS:
            return ()
        bags = self._out_of(domain, max(least, 1), most)
        nothing = slot.optional or least <= 0
        if slot.shape == "bag":
            return [Bag(), *bags] if nothing else bags
        return self._ordered(bags, nothing=nothing)

    def _ordered(self, bags: Sequence[Bag], *, nothing: bool) -> Iterator[list[Entity]]:
        """Yield the orders of things; where there are too many, each set in one order only."""
        if nothing:
            yield []
        orders = sum(factorial(min(bag.size(), MAX_DIGITS)) for bag in bags)
        for bag in bags:
            if orders > self.max_orders:
                self.complete = False
                yield expand(bag)
            else:
                self.state.charge(bag.size())
                yield from map(list, dict.fromkeys(permutations(expand(bag))))

    def _out_of(self, things: Bag, least: int, most: int) -> list[Bag]:
        """Return what can be taken out of a bag, the least first: so many things, never none."""
        key = (frozenset(things.items()), least, most)
        found = self._taken.get(key)
        if found is None:
            # Each with the place of its last thing, so that none is made twice.
            row = [(Bag(), 0)]
            order = list(things)
            found = []
            # How many things the ones from a place on still give.
            rest = list(accumulate(reversed(list(things.values())), initial=0))[::-1]
            complete = True
            for size in range(1, most + 1):
                self.state.charge(2 * len(row) * len(order))
                row = [
                    (plus_some(bag, thing, 1), place)
                    for bag, last in row
                    for place, thing in enumerate(order[last:], last)
                    if bag.get(thing, 0) < things[thing]
                    and size + rest[place] - bag.get(thing, 0) > least
                ]
                if len(found) + len(row) > self.max_bags:
                    row = row[: self.max_bags - len(found)]
                    complete = False
                if size >= least:
                    found.extend(bag for bag, _ in row)
                    if not row or not complete:
                        break
            self.complete = self.complete and complete
            self._taken[key] = found
        return found

    # ------------------------------------------------------------ statements

    def _written(
        self, plan: _Plan, values: Values, there: Mapping[str, Bag | None], active: Entity | None
    ) -> Move | None:
        """Write a move down; None where the statement would be taken for another move."""
        self.state.charge(MOVE_STEPS * (1 + len(plan.slots)))
        move = plan.move
        spell = self._speller
        written: dict[str, str] = {}
        for slot in plan.slots:
            value = values[slot.name]
            known = None if slot.exact else there.get(slot.name)
            if isinstance(value, Drawn):
                continue
            if isinstance(value, Bag):
                if value:
                    written[slot.name] = spell.bag(value, known)
            elif isinstance(value, list):
                if value:
                    written[slot.name] = (
                        counted([spell.name(one, known) for one in value])
                        if slot.kind
                        else ", ".join(map(str, value))
                    )
            elif isinstance(value, Entity):
                written[slot.name] = spell.name(value, known)
            elif value is not None:
                written[slot.name] = str(value)
            elif slot.hidden and not slot.optional:
                written[slot.name] = "?"
        for slot in move.slots.values():
            if slot.shape == "drawn" and all(p.outcome != slot.name for p in move.patterns):
                written[slot.name] = "?"
        text = spell.statement(move, written)
        if text is None or self._is_other(text, move, values):
            return None
        for slot in plan.slots:
            value = values[slot.name]
            if isinstance(value, Drawn) and value.size() and self._chosen(slot, values):
                text += f" => {counted(['?'] * value.size())}"
        actor: Entity | None = values["me"]
        if move.needs_actor and not move.heading and actor is not active and actor is not None:
            text = f"{spell.player(actor.id)}: {text}"
        return Move(move, actor if move.needs_actor else None, values, written, text)

    def _chosen(self, slot: Slot, values: Values) -> bool:
        """Tell whether a player chooses how many things are drawn."""
        return slot.domain is not None and len(set(slot.domain.fn(self.state, values))) > 1

    def _is_other(self, text: str, move: MoveDef, values: Values) -> bool:
        """Tell whether a legal statement is taken for another move that is written alike."""
        binding = self.binder.bind(parse(text).phrase, "heading" if move.heading else self.phase)
        base = {"me": values["me"], "asked": values["asked"]}
        own = min((rank(p, legal=True) for p in binding.readings if p.move is move), default=None)
        return own is None or any(
            rank(parsed, legal=True) < own and self._is_legal(parsed, base)
            for parsed in binding.readings
            if parsed.move.answers == move.answers and not parsed.move.fallback
        )

    def _is_legal(self, parsed: Parsed, base: Values) -> bool:
        resolver = self.resolver
        try:
            readings = filter(resolver.applies, resolver.readings(parsed, base, 0))
            return any(map(resolver.is_legal, readings))
        except BudgetError:
            raise
        except EVALUATION_ERRORS:
            return True


_ABLE: WeakKeyDictionary[State, list[Lister]] = WeakKeyDictionary()
"""What finds out who can move; more than one where that is asked while it is found out."""

ABLE_STEPS = 50
"""What it costs to ask, whatever has to be looked at."""

MAX_ASKED = 3
"""How deep who can move may depend on who can move."""


def able(state: State, actor: Entity | None, move: str | None) -> bool:
    """Tell whether a player has a legal move in a turn, or one of a certain kind.

    Raises:
        BudgetError: where that depends on itself.

    """
    state.charge(ABLE_STEPS)
    idle = _ABLE.get(state)
    if idle is None:
        idle = _ABLE[state] = [_watcher(state) for _ in range(MAX_ASKED)]
    if not idle:
        raise BudgetError(message="whether a move can be made depends on whether it can be made")
    # One that is at work knows things about the player whom it was asked about.
    lister = idle.pop()
    try:
        return lister.able(actor, move)
    finally:
        idle.append(lister)


def _watcher(state: State) -> Lister:
    binder = Binder(state.pack)
    return Lister(state, binder, Resolver(state, binder), speller(state.pack))

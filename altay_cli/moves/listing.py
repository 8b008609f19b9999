"""List the legal moves of a state by the definitions that judge recorded ones.

A move is built slot by slot. Each condition is checked as soon as its names have values, which
prunes the search.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import accumulate, permutations, takewhile
from math import factorial
from typing import Any

from altay_cli.base.compiled import mypyc_attr
from altay_cli.base.findings import BudgetError, EvaluationError, ExpressionError, short_repr
from altay_cli.base.values import Bag, Drawn, Entity, bag_of, expand, plus_item, unnamed, unseen_in
from altay_cli.match.decisions import PendingDecision, Values
from altay_cli.match.readings import MoveValues, Namer, Resolver, rank
from altay_cli.match.state import State
from altay_cli.moves import limits
from altay_cli.moves.wording import Speller, counted, speller
from altay_cli.notation.parser import parse
from altay_cli.pack import limits as pack_limits
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.layout import WATCHED
from altay_cli.pack.model import Expr, MoveDef, Phase, Slot
from altay_cli.pack.plans import Early, Plan, Question, linked_plans
from altay_cli.pack.words import times

Key = tuple[str, Entity | None, tuple[tuple[str, object], ...]]


@dataclass(eq=False, slots=True)
class Move:
    """A legal move.

    actor: the player, or None if the move belongs to no one.
    values: the slots and what the rule derives from them, evaluated on first use, in the state of
    the listing.
    written: the text of each slot in AGN.
    statement: the text in AGN, without random outcomes but with a `?` for each drawn entity if the
    player chooses their number. It names the actor only out of turn.
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
        """The first word of the statement after the actor; without one, the id."""
        return self.definition.patterns[0].verb or self.id

    @property
    def key(self) -> Key:
        """A value that is equal for equal moves, however written."""
        slots = tuple(
            (name, _plain(self.values.get(name)))
            for name, slot in self.definition.slots.items()
            if slot.shape != "drawn" or slot.domain is not None
        )
        return self.id, self.actor, slots

    def __str__(self) -> str:
        return self.statement

    def __repr__(self) -> str:
        return short_repr(self, statement=self.statement, id=self.id)


def listed_slot(move: MoveDef) -> str | None:
    """Return the slot for a list, each item of it a move."""
    return next((slot.name for slot in move.slots.values() if slot.each), None)


def joined(moves: Sequence[Move], spell: Speller) -> str:
    """Return moves that differ in one list as a statement."""
    first = moves[0]
    listed = listed_slot(first.definition)
    written = {
        slot: counted([move.written[slot] for move in moves]) if slot == listed else text
        for slot, text in first.written.items()
    }
    who = f"{spell.player(first.actor.id)}: " if first.actor is not None else ""
    return f"{who}{spell.statement(first.definition, written)}"


def _plain(value: object) -> object:
    if isinstance(value, Bag):
        return frozenset(value.items())
    if isinstance(value, list):
        return tuple(value)
    return value.size() if isinstance(value, Drawn) else value


# ---------------------------------------------------------------- what slots can hold

_ANYTHING = Entity("", "")
"""Counted where only the size of a bag is read."""

# Code printed by ``compile.plans`` calls these methods.


@mypyc_attr(allow_interpreted_subclasses=True)
class SlotValues:
    """Values that slots can take, hidden entities in ``likely`` first."""

    def __init__(self, resolver: Resolver, max_bags: int, likely: Container[Entity]) -> None:
        self.state = resolver.state
        self.resolver = resolver
        self.limits_reached: set[str] = set()
        self.max_bags = max_bags
        self._subset_cache: dict[tuple[frozenset[tuple[Entity, int]], int, int], list[Bag]] = {}
        self.likely = likely
        self.tries = False
        """Candidates are tried one by one: some are ``given``, or may be hidden."""
        self.given: Mapping[str, object] = {}
        # The slot that must name a likely hidden entity.
        self._naming_slot: str | None = None
        # With hidden entities as supposed.
        self._known_domains: dict[str, Bag] = {}
        self._early: Mapping[str, Early] = {}

    def holds_after(self, move: MoveDef, values: Values, asked: Question) -> bool:
        """Return True if the condition holds afterwards."""
        named = MoveValues(values, move, self.state)
        named.settle()
        assert asked.does is not None
        return self.state.leads_to(asked.does, named, asked.expr)

    def candidates(
        self,
        slot: Slot,
        found: Bag | Sequence[Any],
        values: Values,
        filled: Values,
        size: int | None,
    ) -> Iterable[Any]:
        """Return candidates for a slot: those given, or those that hidden entities may be.

        found: the domain, empty if it is unknown.
        values: those before any slot; ``filled``: earlier slots and what depends on them.
        """
        if slot.name in self.given:
            return (self.given[slot.name],)
        if slot.infer is None and slot.shape not in ("int", "drawn"):
            inner, hidden = {**values, **filled}, self.state.hidden
            there = self.state.zones.counted(found)
            places: list[int] = [zone.at.fn(self.state, inner) for zone in slot.reveals]
            zones = [place for place in places if hidden.beliefs.max_hidden(place) > 0]
            if zones or (hidden.beliefs.placeholders and unseen_in(there)):
                return self._hidden_candidates(slot, there, zones, inner, values, size)
        return self.slot_values(slot, found, {**values, **filled}, size)

    def holds(self, asked: Sequence[Question], values: Values) -> bool:
        """Evaluate what has values by now; return False if it fails."""
        state = self.state
        try:
            for check in asked:
                expr = check.expr
                if check.name is not None:
                    values.pop(check.name, None)
                    with suppress(ExpressionError):  # raised again where the value is needed
                        values[check.name] = expr.fn(state, values)
                elif not (
                    expr.fn(state, values)
                    if check.does is None
                    else state.leads_to(check.does, values, expr)
                ):
                    return False
        except EvaluationError:
            return False
        return True

    def _hidden_candidates(
        self,
        slot: Slot,
        domain: Bag,
        zones: Sequence[int],
        values: Values,
        base: Values,
        size: int | None,
    ) -> Iterator[Any]:
        """Yield values with hidden entities; the state supposes each while it is used.

        The ``asked`` values in ``base`` change along.
        """
        state, asked, early = self.state, values.get("asked"), self._early.get(slot.name, Early())
        room = sum(map(state.hidden.beliefs.max_hidden, zones)) + len(unseen_in(domain))
        possible = self._possible(slot, domain, zones)
        if early.each:
            possible = Bag(
                {
                    thing: count
                    for thing, count in possible.items()
                    if self._may_hold(early.each, {**values, slot.name: Bag({thing: 1})})
                }
            )
        most = room + sum(count for thing, count in domain.items() if thing.known)

        def fits(count: int) -> bool:
            held = Bag({_ANYTHING: count} if count else {})
            return count <= most and self._may_hold(early.sizes, {**values, slot.name: held})

        candidates = self.slot_values(slot, possible, values, size, fits)
        if self.likely:
            candidates = sorted(candidates, key=self._is_unlikely)
            if slot.name == self._naming_slot:
                candidates = takewhile(
                    lambda candidate: not self._is_unlikely(candidate), candidates
                )
        for candidate in candidates:
            things = candidate if isinstance(candidate, list) else [candidate]
            named = candidate if isinstance(candidate, Bag) else bag_of(things)
            if sum(max(n - domain.get(thing, 0), 0) for thing, n in named.items()) > room:
                continue
            if not self._may_hold(early.rest, {**values, slot.name: candidate}):
                continue
            state.charge(pack_limits.CANDIDATE_STEPS + len(domain))
            mark = state.journal.mark()
            try:
                namer = Namer(self.resolver, slot, values, domain)
                for thing, count in named.items():
                    namer.identify([thing], count)
                base["asked"] = values.get("asked")
                state.memo.clear()
                self._known_domains[slot.name] = Bag(
                    {e: n for e, n in namer.domain.items() if n > 0}
                )
                yield candidate
            finally:
                state.journal.undo(mark)
                values["asked"] = base["asked"] = asked
                self._known_domains.pop(slot.name, None)
                state.memo.clear()

    def _may_hold(self, conditions: Sequence[Expr], values: Values) -> bool:
        """Return False if a condition certainly fails."""
        try:
            return all(expr.fn(self.state, values) for expr in conditions)
        except EvaluationError:
            return True

    def _is_unlikely(self, candidate: Entity | Bag | Sequence[Entity] | None) -> bool:
        things = (candidate,) if candidate is None or isinstance(candidate, Entity) else candidate
        return not any(thing in self.likely for thing in things)

    def slot_values(
        self,
        slot: Slot,
        found: Bag | Sequence[Any],
        values: Values,
        size: int | None,
        fits: Callable[[int], bool] | None = None,
    ) -> Iterable[Any]:
        """Return what the slot can take from its recorded domain; ``fits`` limits the sizes."""
        if slot.infer is not None:
            return () if found == () else found or [Bag()]
        if slot.shape == "drawn":
            return [
                unnamed(count) for count in dict.fromkeys(found) if count <= pack_limits.MAX_NAMED
            ]
        if slot.shape in ("bag", "list"):
            return self._collections(slot, found, values, size, fits)
        nothing = slot.shape != "int" and (slot.optional or slot.hidden)
        return [*dict.fromkeys(found), None] if nothing else list(dict.fromkeys(found))

    def _possible(self, slot: Slot, domain: Bag, zones: Sequence[int]) -> Bag:
        unseen = unseen_in(domain)
        possible = Bag({item: count for item, count in domain.items() if item.known})
        for zone in (*zones, *(thing.cell for thing in unseen)):
            contents = self.state.hidden.queries.possible_contents(zone)
            for thing in self.state.pack.entities[slot.kind]:
                if thing in contents:
                    possible[thing] = possible.get(thing, 0) + contents[thing]
        return possible

    def _collections(
        self,
        slot: Slot,
        domain: Bag | Sequence[Entity],
        values: Values,
        size: int | None,
        fits: Callable[[int], bool] | None,
    ) -> Iterable[object]:
        things = self.state.zones.counted(domain)
        most = things.size() if size is None else min(size, things.size())
        try:
            least = slot.least.fn(self.state, values) if slot.least else 1
            if slot.most:
                most = min(slot.most.fn(self.state, values), most)
            rows = None if slot.orders is None else slot.orders.fn(self.state, values)
        except EvaluationError:
            return ()
        if rows is not None:
            # One order is listed, which differs from the given one.
            bags = [bag_of(row[::-1]) for row in rows if row and size in (None, len(row))]
        elif fits is None:
            bags = self._subsets(things, max(least, size or 1), most)
        else:
            bags = self._subsets_that_fit(things, max(least, size or 1), most, fits)
        if not size and (slot.optional or least <= 0):
            bags = [Bag(), *bags]
        if slot.shape == "bag":
            return bags
        return self._ordered(bags) if slot.ordered else map(expand, bags)

    def _ordered(self, bags: Sequence[Bag]) -> Iterator[list[Entity]]:
        # Keep the factorial small.
        orders = sum(factorial(min(bag.size(), limits.MAX_ORDERS)) for bag in bags if bag)
        for bag in bags:
            if orders > limits.MAX_ORDERS:
                self.limits_reached.add("max_orders")
                yield expand(bag)
            else:
                self.state.charge(bag.size())
                yield from map(list, dict.fromkeys(permutations(expand(bag))))

    def _subsets_that_fit(
        self, things: Bag, least: int, most: int, fits: Callable[[int], bool]
    ) -> list[Bag]:
        bags: list[Bag] = []
        for size in filter(fits, range(least, most + 1)):
            bags += self._subsets(things, size, size)
            if len(bags) > self.max_bags:
                self.limits_reached.add("max_bags")
                return bags[: self.max_bags]
        return bags

    def _subsets(self, things: Bag, least: int, most: int) -> list[Bag]:
        key = (frozenset(things.items()), least, most)
        bags = self._subset_cache.get(key)
        if bags is None:
            # With the index of the last entity, so none is made twice.
            row, order, bags = [(Bag(), 0)], list(things), []
            # How many entities follow each index.
            rest = list(accumulate(reversed(things.values()), initial=0))[::-1]
            complete = True
            for size in range(1, most + 1):
                self.state.charge(2 * len(row) * len(order))
                row = [
                    (plus_item(bag, thing), place)
                    for bag, last in row
                    for place, thing in enumerate(order[last:], last)
                    if bag.get(thing, 0) < things[thing]
                    and size + rest[place] - bag.get(thing, 0) > least
                ]
                room = self.max_bags - len(bags)
                if len(row) > room:
                    complete = False
                    self.limits_reached.add("max_bags")
                if not complete:
                    # Each bag below the minimum grows into at least one within it.
                    row = row[: room if size >= least else max(room // least, 1)]
                if size >= least:
                    bags.extend(bag for bag, _ in row)
                    if not row or not complete:
                        break
            self._subset_cache[key] = bags
        return bags


# ---------------------------------------------------------------- listing

_Gated = dict[tuple[Expr, ...], list[Plan]]
"""By conditions common to all their moves."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Lister(SlotValues):
    """Lists legal moves in the states of one game.

    max_each: steps for each kind of move, if limited.
    kinds: a move must name an entity of these kinds.

    After a listing, ``limits_reached`` names the limits that cut it short.
    """

    def __init__(
        self,
        resolver: Resolver,
        speller: Speller,
        *,
        phase: Phase = "turns",
        max_bags: int = limits.MAX_BAGS,
        max_each: int | None = None,
        likely: Container[Entity] = (),
        kinds: frozenset[str] | None = None,
    ) -> None:
        super().__init__(resolver, max_bags, likely)
        self.phase = phase
        self.max_each = max_each
        self.kinds = kinds
        self._speller = speller
        self._plans = self.state.pack.cached(linked_plans)
        self._answers: dict[tuple[str | None, bool | None], _Gated] = {}
        # The text of a move and its other candidates.
        self._statements: dict[tuple[object, ...], tuple[str, tuple[Candidate, ...]] | None] = {}

    def moves(self) -> list[Move]:
        """Return the legal moves, in the order of the rules."""
        self.limits_reached.clear()
        self._subset_cache.clear()
        state = self.state
        active: Entity | None = state.status("active")
        askers: list[tuple[PendingDecision | None, Entity | None, _Gated]] = []
        pending = state.next_decision
        if pending is None:
            of_any = self._answering_plans(None, of_any=True)
            askers += [(None, player, of_any) for player in state.players]
            askers.append((None, active, self._answering_plans(None, of_any=False)))
            pending = state.last_skipped
        if pending is not None:
            answering = self._answering_plans(pending.decision)
            askers += [(pending, who, answering) for who in (pending.who, *pending.also)]
        by_kind: dict[int, list[Move]] = {}
        try:
            state.grant(limits.LISTING_STEPS)
            hidden = state.hidden.beliefs.groups or state.hidden.beliefs.placeholders
            unlimited = self.max_each is None and self.kinds is None
            add = self._add_known if unlimited and not (hidden or self.tries) else self._add_within
            for due, actor, gated in askers:
                state.memo.clear()
                base = {"me": actor, "asked": due.values if due else {}}
                for gate, plans in gated.items():
                    for plan in plans if self._conditions_hold(gate, base) else ():
                        add(plan, base, active, by_kind.setdefault(plan.move.number, []))
        except BudgetError:
            self.limits_reached.add("max_steps")
        # In the order of the rules, for any actor.
        moves = [move for number in sorted(by_kind) for move in by_kind[number]]
        if not state.cells[WATCHED] and any(check.begun for check in state.pack.checks):
            moves = [move for move in moves if not move.definition.heading or self._can_begin(move)]
        if not state.hidden.beliefs.placeholders:
            return moves
        # Placeholders with the same text are one move.
        return list({move.statement: move for move in reversed(moves)}.values())[::-1]

    def _can_begin(self, heading: Move) -> bool:
        with self.state.journal.supposing(), suppress(EvaluationError):
            heading.definition.does.fn(self.state, heading.values)
            return not any(self.state.failing_first_turn_checks())
        return True

    def _answering_plans(self, decision: str | None, *, of_any: bool | None = None) -> _Gated:
        """Return the plans that answer a decision.

        of_any: only moves of any player (True) or of the active one (False).
        """
        key = decision, of_any
        if key not in self._answers:
            gated: _Gated = {}
            for plan in self._plans.values():
                move = plan.move
                fits = move.answers == decision and self.phase in move.phases
                if fits and of_any in (None, move.needs_actor and not move.heading):
                    gated.setdefault(plan.gate, []).append(plan)
            self._answers[key] = gated
        return self._answers[key]

    def moves_of(self, move: MoveDef, base: Values, given: Values) -> list[Move]:
        """Return the legal moves of one kind with the ``given`` slots.

        Raise BudgetError if there are too many candidates.
        """
        self.state.grant(limits.LISTING_STEPS)
        self.state.memo.clear()
        self._subset_cache.clear()
        plan = self._plans.get(move.id)
        moves: list[Move] = []
        if plan is not None and self._conditions_hold(plan.gate, base):
            self._add_moves(plan, base, None, moves, given)
        return moves

    def candidates_among(
        self, moves: Sequence[str], due: PendingDecision | None, base: Values
    ) -> Iterator[tuple[Plan, MoveValues, Mapping[str, Any]]]:
        """Yield the legal moves of some kinds, with the sources of their slots.

        due: the decision that they answer. Charge the current budget.
        """
        self.state.memo.clear()
        self._subset_cache.clear()
        decision = None if due is None else due.decision
        for ident in moves:
            plan = self._plans.get(ident)
            if plan is None or plan.lister is None or plan.move.answers != decision:
                continue
            if self._conditions_hold(plan.gate, base):
                for filled, there in plan.lister(self.state, {**base, **plan.drawn}, self):
                    yield plan, MoveValues(filled, plan.move, self.state), there

    def can_move(self, actor: Entity | None, move: str | None) -> bool:
        """Return True if a player can move; charge the current budget."""
        self.state.memo.clear()
        self._subset_cache.clear()
        base: Values = {"me": actor, "asked": {}}
        return any(
            plan.lister is not None
            and any(True for _ in plan.lister(self.state, {**base, **plan.drawn}, self))
            for gate, plans in self._answering_plans(None).items()
            for plan in plans
            if not plan.move.heading
            and move in (None, plan.move.id)
            and self._conditions_hold(gate, base)
        )

    def _knows_all(self, plan: Plan, values: Values) -> bool:
        hidden = self.state.hidden
        if hidden.beliefs.placeholders or not hidden.beliefs.groups:
            return not hidden.beliefs.placeholders
        try:
            places = [zone.at.fn(self.state, values) for zone in plan.reveals]
        except EvaluationError:  # the place depends on other slots
            return False
        return not any(hidden.beliefs.max_hidden(place) > 0 for place in places)

    def _conditions_hold(self, gate: Sequence[Expr], base: Values) -> bool:
        memo = self.state.memo
        for expr in gate:
            holds = memo.get(expr.key)
            if holds is None:
                try:
                    holds = bool(expr.fn(self.state, base))
                except EvaluationError:
                    holds = False
                memo[expr.key] = holds
            if not holds:
                return False
        return True

    def _add_within(
        self, plan: Plan, base: Values, active: Entity | None, moves: list[Move]
    ) -> None:
        if self.max_each is not None:
            self.state.grant(self.max_each)
        try:
            self._add_moves(plan, base, active, moves, {})
        except BudgetError:
            if self.max_each is None:
                raise
            self.limits_reached.add("max_steps")
            self.state.grant(self.max_each)  # for the first checks of the next kind

    def _add_moves(
        self, plan: Plan, base: Values, active: Entity | None, moves: list[Move], given: Values
    ) -> None:
        naming = [slot.name for slot in plan.slots if self.kinds and slot.kind in self.kinds]
        if self.kinds is not None and not naming:
            return
        self.given, self._naming_slot = given, naming[0] if len(naming) == 1 else None
        self.tries = bool(given) or not self._knows_all(plan, {**base, **plan.drawn})
        self._known_domains.clear()
        self._early = plan.early
        with self.state.supposing() if self.tries else nullcontext():
            self._add_known(plan, base, active, moves)

    def _add_known(
        self, plan: Plan, base: Values, active: Entity | None, moves: list[Move]
    ) -> None:
        assert plan.lister is not None
        values = {**base, **plan.drawn} if plan.drawn else base
        for filled, there in plan.lister(self.state, values, self):
            named, seen = MoveValues(filled, plan.move, self.state), there
            if self.tries:
                named.settle()  # while the supposition holds
                seen = {**there, **self._known_domains}
            move = self.written(plan, named, seen, active)
            if move is not None:
                moves.append(move)
        if plan.infers and len(moves) > 1:
            moves[:] = {move.key: move for move in moves}.values()

    # ------------------------------------------------------------ statements

    def written(
        self,
        plan: Plan,
        values: Values,
        there: Mapping[str, Bag | Sequence[Entity] | None],
        active: Entity | None,
    ) -> Move | None:
        """Return a move with its statement; None if that would be read otherwise."""
        self.state.charge(limits.MOVE_STEPS * (1 + len(plan.slots)))
        move = plan.move
        written = self._slot_texts(plan, values, there)
        key = (move.number, *written.items())
        if key not in self._statements:
            self._statements[key] = self._statement(move, written)
        statement = self._statements[key]
        if statement is None:
            return None
        text, others = statement
        if others and any(self._is_legal(parsed, values) for parsed in others):
            return None
        for slot in plan.chosen:
            value = values[slot.name]
            counts = set(slot.domain.fn(self.state, values)) if slot.domain and value.size() else ()
            if len(counts) > 1:  # the player chooses how many to draw
                text += f" => {counted(['?'] * value.size())}"
        actor: Entity | None = values["me"]
        if move.needs_actor and not move.heading and actor is not active and actor is not None:
            text = f"{self._speller.player(actor.id)}: {text}"
        return Move(move, actor if move.needs_actor else None, values, written, text)

    def _slot_texts(
        self, plan: Plan, values: Values, there: Mapping[str, Bag | Sequence[Entity] | None]
    ) -> dict[str, str]:
        written: dict[str, str] = {}
        for slot in plan.slots:
            name, value = slot.name, values[slot.name]
            known = None if slot.exact else there.get(name)
            if isinstance(value, Entity):
                written[name] = self._speller.name(value, known)
            elif text := _slot_text(slot, value, self._speller, known):
                written[name] = text
        if plan.blanks:
            written |= dict.fromkeys(plan.blanks, "?")
        return written

    def _statement(
        self, move: MoveDef, written: Mapping[str, str]
    ) -> tuple[str, tuple[Candidate, ...]] | None:
        """Return a move as a statement, if it can be read so, and its other candidates."""
        text = self._speller.statement(move, written)
        if text is None:
            return None
        binding = self.resolver.binder.bind(
            parse(text).phrase, "heading" if move.heading else self.phase
        )
        rank_of_move = min(
            (rank(p, legal=True) for p in binding.readings if p.move is move), default=None
        )
        if rank_of_move is None:
            return None
        return text, tuple(
            parsed
            for parsed in binding.readings
            if parsed.move.answers == move.answers
            and not parsed.move.fallback
            and rank(parsed, legal=True) < rank_of_move
        )

    def _is_legal(self, parsed: Candidate, values: Values) -> bool:
        resolver, when = self.resolver, parsed.move.when
        base = {"me": values["me"], "asked": values["asked"]}
        try:
            if when is not None and parsed.values is not None:
                known = {**base, **parsed.values[0]}
                if known.keys() >= {*when.locals.values()} and not when.fn(self.state, known):
                    return False
            readings = map(resolver.applying, resolver.readings(parsed, base, 0))
            return any(map(resolver.is_legal, filter(None, readings)))
        except EvaluationError:
            return True


def lister_in(state: State, language: str = "en") -> Lister:
    """Return a lister with readings of its own, which may try moves at any time."""
    pack = state.pack
    return Lister(Resolver(state, Binder(pack)), speller(pack, language))


def _slot_text(
    slot: Slot, value: object, spell: Speller, known: Bag | Sequence[Entity] | None
) -> str:
    if isinstance(value, Bag):
        return ", ".join([times(count, spell.name(item, known)) for item, count in value.items()])
    if isinstance(value, list):
        names = [spell.name(item, known) if slot.kind else str(item) for item in value]
        return counted(names) if slot.kind else ", ".join(names)
    if value is None:
        return "?" if slot.hidden and not slot.optional else ""
    return "" if isinstance(value, Drawn) else str(value)

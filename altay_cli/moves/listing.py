"""The legal moves of a state, found by the same definitions that judge a recorded one.

A move is built slot by slot. What a slot can hold is its domain in the rules, and each condition
is asked as soon as all that it mentions is known, so that hopeless branches end early. What can
be written in several ways - another order, another name, a payment left out - is listed once.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from altay_cli.base.findings import BudgetError, EvaluationError
from altay_cli.base.values import Bag, Drawn, Entity
from altay_cli.match.operations import Pending, Values
from altay_cli.match.readings import MoveValues, Resolver, rank
from altay_cli.match.state import State
from altay_cli.moves.limits import ABLE_STEPS, LISTING_STEPS, MAX_ASKED, MAX_BAGS, MOVE_STEPS
from altay_cli.moves.slots import Given, SlotValues
from altay_cli.moves.wording import Speller, counted, speller
from altay_cli.notation.parser import parse
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import Candidate
from altay_cli.pack.model import Expr, MoveDef, Phase, Shape, Slot
from altay_cli.pack.plans import Plan, plans_of

Key = tuple[str, Entity | None, tuple[tuple[str, object], ...]]


@dataclass(eq=False, slots=True)
class Move:
    """A legal move.

    ``definition`` is the rule by which it is made, ``actor`` who makes it (None where nobody in
    particular does). ``values`` are what is in its slots, with the names that the rule adds, which
    are worked out when they are asked for: in the state that the move was listed in. ``written`` is
    what stands in its slots in AGN, and ``statement`` all of it, without what chance brings, or
    with as many `?` as a player chooses to draw; it names the actor only where that is not the
    player whose turn it is.
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
        """The word that the statement begins with, behind the actor's name.

        Of one that begins with something else, the id of the move.
        """
        return self.definition.patterns[0].verb or self.id

    @property
    def key(self) -> Key:
        """What the move is, however it is written: moves with the same key are the same."""
        slots = tuple(
            (name, _plain(self.values.get(name)))
            for name, slot in self.definition.slots.items()
            if slot.shape is not Shape.DRAWN or slot.domain is not None
        )
        return self.id, self.actor, slots

    def __str__(self) -> str:
        return self.statement


def listed_slot(move: MoveDef) -> str | None:
    """Return the slot that takes a list of things, each of them a move."""
    return next((slot.name for slot in move.slots.values() if slot.each), None)


def joined(moves: Sequence[Move], spell: Speller) -> str:
    """Return moves that differ in one list only as one statement, with who makes them."""
    first = moves[0]
    listed = listed_slot(first.definition)
    written = {
        slot: counted([move.written[slot] for move in moves]) if slot == listed else text
        for slot, text in first.written.items()
    }
    who = f"{spell.player(first.actor.id)}: " if first.actor is not None else ""
    return f"{who}{spell.statement(first.definition, written)}"


def _plain(value: object) -> object:
    """Return what tells two values of a slot apart; of a draw, how many things come."""
    if isinstance(value, Bag):
        return frozenset(value.items())
    if isinstance(value, list):
        return tuple(value)
    return value.size() if isinstance(value, Drawn) else value


# ---------------------------------------------------------------- candidates


class Lister(SlotValues):
    """Lists legal moves in the states of one game.

    ``phase`` is that of the statements, as the rules have it. ``reached`` are after a listing the
    limits because of which not all candidates were tried: no more than ``max_bags`` sets of things
    for a slot, of lists no more than MAX_ORDERS, and no more than LISTING_STEPS allow, or for each
    kind of move ``max_each``. Of ``kinds``, if given, are things that a move has to name.
    """

    def __init__(
        self,
        resolver: Resolver,
        speller: Speller,
        *,
        phase: Phase = Phase.TURNS,
        max_bags: int = MAX_BAGS,
        max_each: int | None = None,
        likely: Container[Entity] = (),
        kinds: frozenset[str] | None = None,
    ) -> None:
        super().__init__(resolver, max_bags, likely)
        self.phase = phase
        self.max_each = max_each
        self.kinds = kinds
        self._speller = speller
        self._plans = plans_of(self.state.pack)
        self._answers: dict[str | None, tuple[list[Plan], list[Plan]]] = {}
        # What else each statement may be taken for, by the place of the move and what is written.
        self._alike: dict[tuple[object, ...], tuple[str, tuple[Candidate, ...]] | None] = {}

    def moves(self) -> list[Move]:
        """Return the legal moves, in the order of the rules."""
        self.reached.clear()
        self._taken.clear()
        state = self.state
        active: Entity | None = state.status("active")
        makers: list[tuple[Pending | None, Entity | None, list[Plan]]] = []
        pending = state.due
        if pending is None:
            of_any, of_active = self._answering(None)
            makers += [(None, player, of_any) for player in state.players]
            makers.append((None, active, of_active))
            pending = state.late
        if pending is not None:
            of_any, of_active = self._answering(pending.decision)
            makers.append((pending, pending.who, [*of_any, *of_active]))
        by_kind: dict[str, list[Move]] = {}
        try:
            state.grant(LISTING_STEPS)
            for due, actor, plans in makers:
                self._forget()
                base = {"me": actor, "asked": due.values if due else {}}
                for plan in plans:
                    if self._passes(plan.gate, base):
                        self._add_within(plan, base, active, by_kind.setdefault(plan.move.id, []))
        except BudgetError:
            self.reached.add("max_steps")
        # In the order of the rules, whoever makes them.
        moves = [move for ident in self._plans if ident in by_kind for move in by_kind[ident]]
        if not state.hidden.likenesses:
            return moves
        # What stands for one of several things is written like that one.
        return list({move.statement: move for move in reversed(moves)}.values())[::-1]

    def _answering(self, decision: str | None) -> tuple[list[Plan], list[Plan]]:
        """Return the plans of moves that answer a decision, or of those that are not answers.

        First those that any player may make, then those of whoever is active.
        """
        if decision not in self._answers:
            of_any, of_active = self._answers[decision] = [], []
            for plan in self._plans.values():
                move = plan.move
                if self.phase in move.phases and move.answers == decision:
                    (of_active if move.heading or not move.needs_actor else of_any).append(plan)
        return self._answers[decision]

    def of(self, move: MoveDef, base: Values, given: Values) -> list[Move]:
        """Return the legal moves of one kind; the slots in ``given`` hold what it says.

        Raises:
            BudgetError: where there are too many to try them all.

        """
        self.state.grant(LISTING_STEPS)
        self._forget()
        self._taken.clear()
        plan = self._plans.get(move.id)
        moves: list[Move] = []
        if plan is not None and self._passes(plan.gate, base):
            self._add_moves(plan, base, None, Given(given), moves)
        return moves

    def able(self, actor: Entity | None, move: str | None) -> bool:
        """Tell whether a player has a legal move in a turn, or one of a certain kind.

        What it takes is taken from the budget of the moment.
        """
        self._forget()
        self._taken.clear()
        base: Values = {"me": actor, "asked": {}}
        return any(
            self._passes(plan.gate, base)
            and plan.lister is not None
            and any(True for _ in plan.lister(self.state, {**base, **plan.drawn}, self))
            for plan in self._plans.values()
            if Phase.TURNS in plan.move.phases
            and not plan.move.heading
            and plan.move.answers is None
            if move is None or plan.move.id == move
        )

    def _knows_all(self, plan: Plan, values: Values) -> bool:
        """Tell whether nothing is hidden of what the slots of a move can hold."""
        hidden = self.state.hidden
        if hidden.likenesses or not hidden.groups:
            return not hidden.likenesses
        try:
            places = [zone.at.fn(self.state, values) for zone in plan.reveals]
        except EvaluationError:  # it depends on what is in other slots
            return False
        return not any(hidden.hidden_in(place) > 0 for place in places)

    def _passes(self, gate: Sequence[Expr], base: Values) -> bool:
        """Tell whether the conditions hold that mention nothing of the move itself."""
        facts = self._facts
        for expr in gate:
            if expr.key not in facts:
                try:
                    facts[expr.key] = bool(expr.fn(self.state, base))
                except EvaluationError:
                    facts[expr.key] = False
            if not facts[expr.key]:
                return False
        return True

    def _add_within(
        self, plan: Plan, base: Values, active: Entity | None, moves: list[Move]
    ) -> None:
        """Add the legal moves of one kind, or those that ``max_each`` steps are enough for."""
        given = Given({})
        if self.kinds is not None:
            naming = [slot.name for slot in plan.slots if slot.kind in self.kinds]
            if not naming:
                return
            given = Given({}, naming[0] if len(naming) == 1 else None)
        if self.max_each is None:
            self._add_moves(plan, base, active, given, moves)
            return
        self.state.grant(self.max_each)
        try:
            self._add_moves(plan, base, active, given, moves)
        except BudgetError:
            self.reached.add("max_steps")
            self.state.grant(self.max_each)  # for what is asked first of the next kind

    def _add_moves(
        self, plan: Plan, base: Values, active: Entity | None, given: Given, moves: list[Move]
    ) -> None:
        assert plan.lister is not None
        values = {**base, **plan.drawn}
        known = not given.values and self._knows_all(plan, values)
        # What may be hidden is tried candidate by candidate, and taken back.
        self.tries[:] = [] if known else [given]
        self._seen.clear()
        with nullcontext() if known else self.state.trying():
            for filled, there in plan.lister(self.state, values, self):
                named = MoveValues(filled, plan.move, self.state)
                if not known:
                    named.settle()  # what it names is so only as long as things are supposed
                move = self._written(plan, named, {**there, **self._seen}, active)
                if move is not None:
                    moves.append(move)
        if plan.infers and len(moves) > 1:
            moves[:] = {move.key: move for move in moves}.values()

    # ------------------------------------------------------------ statements

    def _written(
        self,
        plan: Plan,
        values: Values,
        there: Mapping[str, Bag | Sequence[Entity] | None],
        active: Entity | None,
    ) -> Move | None:
        """Write a move down; None where the statement would be taken for another move."""
        self.state.charge(MOVE_STEPS * (1 + len(plan.slots)))
        move = plan.move
        spell = self._speller
        written: dict[str, str] = {}
        for slot in plan.slots:
            known = None if slot.exact else there.get(slot.name)
            text = _in_slot(slot, values[slot.name], spell, known)
            if text:
                written[slot.name] = text
        written |= dict.fromkeys(plan.blanks, "?")
        key = (move.number, *written.items())
        if key not in self._alike:
            self._alike[key] = self._statement(move, written)
        alike = self._alike[key]
        if alike is None:
            return None
        text, others = alike
        if others and any(self._is_legal(parsed, values) for parsed in others):
            return None
        for slot in plan.chosen:
            value = values[slot.name]
            counts = set(slot.domain.fn(self.state, values)) if slot.domain and value.size() else ()
            if len(counts) > 1:  # a player chooses how many things are drawn
                text += f" => {counted(['?'] * value.size())}"
        actor: Entity | None = values["me"]
        if move.needs_actor and not move.heading and actor is not active and actor is not None:
            text = f"{spell.player(actor.id)}: {text}"
        return Move(move, actor if move.needs_actor else None, values, written, text)

    def _statement(
        self, move: MoveDef, written: Mapping[str, str]
    ) -> tuple[str, tuple[Candidate, ...]] | None:
        """Return a statement, and how it is understood first if that is legal.

        None where it cannot be understood as the move.
        """
        text = self._speller.statement(move, written)
        if text is None:
            return None
        binding = self.resolver.binder.bind(
            parse(text).phrase, Phase.HEADING if move.heading else self.phase
        )
        own = min((rank(p, legal=True) for p in binding.readings if p.move is move), default=None)
        if own is None:
            return None
        return text, tuple(
            parsed
            for parsed in binding.readings
            if parsed.move.answers == move.answers
            and not parsed.move.fallback
            and rank(parsed, legal=True) < own
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


def _in_slot(
    slot: Slot, value: object, spell: Speller, known: Bag | Sequence[Entity] | None
) -> str:
    """Return what stands in a slot, in AGN; "" for nothing."""
    if isinstance(value, Entity):
        return spell.name(value, known)
    if isinstance(value, Bag):
        return spell.bag(value, known)
    if isinstance(value, list):
        if slot.kind:
            return counted([spell.name(one, known) for one in value])
        return ", ".join(map(str, value))
    if value is None:
        return "?" if slot.hidden and not slot.optional else ""
    return "" if isinstance(value, Drawn) else str(value)


# ---------------------------------------------------------------- whether anything is legal


class Ability:
    """Tells of the players of one state who can move.

    A lister that is at work knows things about the player whom it was asked about: where that
    depends on whether somebody can move, another one finds out.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        # Those that are not at work; None for each that has not been made.
        self._idle: list[Lister | None] = [None] * MAX_ASKED

    def __call__(self, actor: Entity | None, move: str | None) -> bool:
        """Tell whether a player has a legal move in a turn, or one of a certain kind.

        Raises:
            BudgetError: where that depends on itself.

        """
        self._state.charge(ABLE_STEPS)
        if not self._idle:
            message = "whether a move can be made depends on whether it can be made"
            raise BudgetError(message=message)
        lister = self._idle.pop()
        if lister is None:
            pack = self._state.pack
            lister = Lister(Resolver(self._state, Binder(pack)), speller(pack))
        try:
            return lister.able(actor, move)
        finally:
            self._idle.append(lister)

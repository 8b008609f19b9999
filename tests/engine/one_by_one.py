"""Legal moves found value by value, as slowly as the rules read: what printed loops are held to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from altay_cli.base.findings import BudgetError, EvaluationError, ExpressionError
from altay_cli.base.values import Bag, Entity, bag_of, unseen_in
from altay_cli.checking.playing import Game
from altay_cli.match.decisions import Values
from altay_cli.match.readings import Namer
from altay_cli.moves.listing import Lister, Move
from altay_cli.pack.limits import CANDIDATE_STEPS
from altay_cli.pack.model import Slot
from altay_cli.pack.plans import Plan


def listed(game: Game) -> list[Move]:
    """List the moves of a state one by one."""
    printed = game._lister
    game._lister = OneByOne(printed.resolver, game.speller)
    try:
        return game.candidates()
    finally:
        game._lister = printed


class OneByOne(Lister):
    """Fills the slots of a move in turn, and asks each condition once it can be asked."""

    def _add_moves(
        self, plan: Plan, base: Values, active: Entity | None, found: list[Move], given: Values
    ) -> None:
        values = {**base, **plan.drawn}
        if self.holds(plan.asked[0], values):
            self._fill(plan, 0, values, {}, active, given, found)
        if plan.infers and len(found) > 1:
            found[:] = {move.key: move for move in found}.values()

    def _add_known(
        self, plan: Plan, base: Values, active: Entity | None, moves: list[Move]
    ) -> None:
        self._add_moves(plan, base, active, moves, {})

    def _fill(
        self,
        plan: Plan,
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
            move = self.written(plan, dict(values), there, active)
            if move is not None:
                found.append(move)
            return
        slot = plan.slots[number]
        number += 1
        asked = plan.asked[number]
        there[slot.name] = domain = self._domain(plan, slot, values)
        places = (zone.at.fn(self.state, values) for zone in slot.reveals)
        zones = [place for place in places if self.state.hidden.beliefs.max_hidden(place) > 0]
        if slot.name in given:
            candidates: Iterable[object] = [given[slot.name]]
        elif zones or (self.state.hidden.beliefs.placeholders and unseen_in(domain or Bag())):
            self._suppose(plan, number, values, there, active, given, zones, found)
            return
        else:
            candidates = self.slot_values(slot, self._source(slot, domain, values), values, None)
        name, state, cost = slot.name, self.state, CANDIDATE_STEPS + len(asked)
        for candidate in candidates:
            values[name] = candidate
            state.charge(cost)
            if self.holds(asked, values):
                self._fill(plan, number, values, there, active, given, found)

    def _suppose(
        self,
        plan: Plan,
        number: int,
        values: Values,
        there: dict[str, Bag | None],
        active: Entity | None,
        given: Values,
        zones: Sequence[int],
        found: list[Move],
    ) -> None:
        """Fill a slot with things of a zone of which some are hidden: they may be what is named."""
        slot = plan.slots[number - 1]
        domain = there[slot.name] or Bag()
        room = sum(map(self.state.hidden.beliefs.max_hidden, zones)) + len(unseen_in(domain))
        before = values.get("asked")
        for candidate in self.slot_values(slot, self._possible(slot, domain, zones), values, None):
            things = candidate if isinstance(candidate, list) else [candidate]
            named = candidate if isinstance(candidate, Bag) else bag_of(things)
            if sum(max(n - domain.get(thing, 0), 0) for thing, n in named.items()) > room:
                continue
            values[slot.name] = candidate
            self.state.charge(CANDIDATE_STEPS + len(domain))
            with self.state.supposing():
                namer = Namer(self.resolver, slot, values, domain)
                for thing, count in named.items():
                    namer.identify([thing], count)
                self.state.memo.clear()
                if self.holds(plan.asked[number], values):
                    there[slot.name] = Bag({e: n for e, n in namer.domain.items() if n > 0})
                    self._fill(plan, number, values, there, active, given, found)
            values["asked"] = before
            self.state.memo.clear()

    def _source(self, slot: Slot, domain: Bag | None, values: Values) -> Bag | Sequence[object]:
        """Return what the value of a slot comes from; nothing where that cannot be told."""
        if domain is not None:
            return domain
        expr = slot.infer or slot.domain
        if expr is None:
            return () if slot.shape == "int" else self.state.zones.all_of(slot.kind)
        try:
            found: Sequence[object] = expr.fn(self.state, values)
        except EvaluationError:
            found = ()
        return found

    def _domain(self, plan: Plan, slot: Slot, values: Values) -> Bag | None:
        """Return the domain of a slot as a bag; None if it has none."""
        expr = slot.domain
        if expr is None or slot.shape in ("int", "drawn") or slot.infer is not None:
            return None
        known = self.state.memo.get(expr.source) if slot.name in plan.common else None
        if known is None:
            try:
                known = self.resolver.domain(slot, values) or Bag()
            except BudgetError:
                raise
            except ExpressionError:
                known = Bag()
            if slot.name in plan.common:
                self.state.memo[expr.source] = known
        return known

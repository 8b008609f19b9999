"""What there can be at most, by how much of it a new game has.

What is only ever moved from one zone to another never becomes more: the tokens of a box, or the
pieces that a player begins with. Effects are looked through for whatever could bring more of
something; where there is no such effect, what the tables hold at which the rules were tried bounds
every zone. Only what is legal counts: a slip may bring whatever a log says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from altay_cli.engine.state import State
from altay_cli.expressions.typed import Tree, Walk, everything
from altay_cli.pack import model as m
from altay_cli.pack.trees import zone_read
from altay_cli.rulecheck.known import COUNT, Known, Range, Sized, number
from altay_cli.rulecheck.reach import flat
from altay_cli.rulecheck.truth import Scope, Truth, meet
from altay_cli.values import Bag, Entity

Stock = Mapping[str, Mapping[Entity, int]]
"""By kind: how many of each thing there are; only of kinds that never become more."""


class _Guard(NamedTuple):
    """A condition that holds where an effect is carried out."""

    expr: m.Expr
    tree: Tree


class _Around(NamedTuple):
    """What is known where effects are carried out: conditions that hold, and local values."""

    guards: tuple[_Guard, ...] = ()
    values: Mapping[str, Known] = {}


class _Gain(NamedTuple):
    """An effect that raises a number, beside others of the same list."""

    effect: m.SetEffect
    beside: Sequence[m.Effect]
    around: _Around


def bounded(truth: Truth, states: Sequence[State]) -> Truth:
    """Return the same with what zones hold at most; ``states`` are the tables of new games."""
    found = truth.sibling()
    if states:
        stock = _Stock(truth, states)
        found.stock = stock.things()
        found.zones = [
            _met(known, stock.most(zone, found.stock))
            for zone, known in zip(truth.pack.zones, truth.zones, strict=True)
        ]
    return found


def _met(known: Known, bound: Known) -> Known:
    if isinstance(known, Sized) and isinstance(bound, Range):
        mosts = [most for most in (known.most, bound.most) if most is not None]
        return Sized(known.least, min(mosts, default=None), known.of)
    met = meet(known, bound) if isinstance(bound, Range) else known
    return known if isinstance(met, bool) else met


class _Stock:
    def __init__(self, truth: Truth, states: Sequence[State]) -> None:
        self.truth = truth
        self.pack = truth.pack
        self.states = states
        self.gains: dict[int, list[_Gain] | None] = {}
        """By zone, what raises a number; None where that is not known."""
        self.open: set[str] = set()
        """The kinds of which effects bring more."""
        pack = self.pack
        begun = _seating(pack)
        lists: list[Iterable[m.Effect]] = [
            *(p.does for ident, p in pack.procedures.items() if ident not in begun),
            *(trigger.does for trigger in (*pack.triggers, *pack.watches)),
            # A stage of the setup has been tried, and comes once.
            *(
                stage.does
                for stage in (*pack.prepare, *pack.complete)
                if "setup" not in stage.phases or "turns" in stage.phases
            ),
            *(
                value
                for things in pack.entities.values()
                for thing in things
                for value in thing.f.values()
                if isinstance(value, m.Effects)
            ),
        ]
        for effects in lists:
            self._look(tuple(effects), _Around())
        for move in pack.moves:
            if move.id not in begun:
                # Nobody can write a number below nothing.
                numbers = {s.name: COUNT for s in move.slots.values() if s.shape == "int"}
                self._look(tuple(move.does), _Around((), numbers))

    # ------------------------------------------------------------ what effects bring

    def _look(self, effects: Sequence[m.Effect], around: _Around) -> None:
        guards, values = around
        for effect in effects:
            match effect:
                case m.IfEffect(condition, then, otherwise):
                    guard = _Guard(condition, self.truth.tree(condition.key))
                    self._look(then, _Around((*guards, guard), values))
                    self._look(otherwise, around)
                case m.EachEffect():
                    tree = self.truth.tree(effect.items.key)
                    more: tuple[_Guard, ...] = ()
                    if isinstance(tree, Walk) and tree.macro == "filter":
                        named = tree.variables == (effect.name,)
                        more = (_Guard(effect.items, tree.bodies[0]),) if named else ()
                    self._look(effect.does, _Around((*guards, *more), values))
                case m.LetEffect():
                    inner = dict(values)
                    for name, expr in effect.values:
                        inner[name] = self._value(expr, inner)
                    self._look(effect.does, _Around(guards, inner))
                case m.WhileEffect():
                    self._look(effect.does, around)
                case m.SetEffect():
                    self._gain(_Gain(effect, effects, around))
                case m.MoveEffect() if effect.source is None:
                    self._opened(effect.target)
                case m.DrawEffect() if effect.back:
                    self._opened(effect.target)

    def _value(self, expr: m.Expr, values: Mapping[str, Known]) -> Known:
        return self.truth.known(self.truth.tree(expr.key), Scope(values))

    def _opened(self, end: m.Expr | m.Place | None) -> None:
        if isinstance(end, m.Place):
            self.open.add(self.pack.zones[end.zone].kind)
        elif end is not None:
            tree = self.truth.tree(end.key)
            read = zone_read(tree, self.truth.by_name)
            if read is not None:
                self.open.add(read.zone.kind)
            else:  # whichever bag of its kind it is
                self.open.update(str(part) for part in tree.type.args)

    def _gain(self, gain: _Gain) -> None:
        effect = gain.effect
        zone = self.pack.zones[effect.place.zone]
        if zone.shape in {"bag", "pile"}:
            self.open.add(zone.kind)
            return
        value = number(self._value(effect.value, gain.around.values))
        # What sets a number to nothing, or takes from it, brings no more of it.
        if value is None or value.most is None or value.most > 0:
            self.gains.setdefault(zone.index, [])
            found = self.gains[zone.index]
            if found is not None and effect.add:
                found.append(gain)
            else:
                self.gains[zone.index] = None

    # ------------------------------------------------------------ things

    def things(self) -> Stock:
        """Return how many things there are of all kinds that never become more."""
        most: dict[str, Counter[Entity]] = {}
        for state in self.states:
            found: dict[str, Counter[Entity]] = {}
            hidden: set[str] = set()
            for zone in self.pack.zones:
                if zone.shape not in {"bag", "pile"}:
                    continue
                counted = found.setdefault(zone.kind, Counter())
                for cell in _cells(state.z[zone.index], len(zone.per)):
                    if isinstance(cell, Bag):
                        counted.update(dict(cell))
                        hidden.update({zone.kind} if cell.hidden else ())
                    else:
                        counted.update(cell)
            for kind, counted in found.items():
                most[kind] = most.get(kind, Counter()) | counted
            self.open |= hidden
        return {
            kind: counted
            for kind, counted in most.items()
            if kind not in self.open and counted.total() > 0
        }

    def most(self, zone: m.Zone, stock: Stock) -> Known:
        """Return what a zone holds at most in one place, if that is known."""
        if zone.shape in {"bag", "pile"}:
            return Range(0, sum(stock[zone.kind].values())) if zone.kind in stock else None
        if zone.shape != "int" or zone.least is None or zone.least < 0:
            return None
        group = self._group(zone)
        if group is None:
            return None
        totals: list[int] = []
        for state in self.states:
            sums: Counter[Any] = Counter()
            for other in group:
                held = state.z[other.index]
                for key, value in held.items() if other.per else (("", held),):
                    sums[key] += value
            totals += sums.values()
        most = max(totals, default=0)
        return Range(zone.least, most) if most > 0 else None

    def _group(self, zone: m.Zone) -> list[m.Zone] | None:
        """Return the numbers out of which a number is paid, it among them; None if it is not."""
        group = [zone]
        for one in group:
            gains = self.gains.get(one.index, [])
            if gains is None or len(one.per) > 1:
                return None
            for gain in gains:
                payer = self._payer(gain)
                if payer is None or payer.per != zone.per:
                    return None
                if payer not in group:
                    group.append(payer)
        return group

    def _payer(self, gain: _Gain) -> m.Zone | None:
        """Return the number of the same holder that certainly falls by what another gains."""
        effect = gain.effect
        values = gain.around.values
        amount = number(self._value(effect.value, values))
        holder = self._holder(effect)
        for other in gain.beside:
            if not isinstance(other, m.SetEffect) or other is effect:
                continue
            zone = self.pack.zones[other.place.zone]
            if zone.shape != "int" or zone.least is None or zone.least < 0:
                continue
            if self._holder(other) != holder:
                continue
            change = number(self._value(other.value, values))
            if change is None:
                continue
            # All of it goes over: `add: {a: b}` and `set: {b: 0}`.
            place = other.place.container.source
            if not other.add and change == Range(0, 0) and effect.value.source == place:
                return zone
            if not other.add or amount is None or amount.most is None or change.most is None:
                continue
            if -change.most >= amount.most and self._has(gain, other, amount.most):
                return zone
        return None

    def _holder(self, effect: m.SetEffect) -> str:
        name = self.pack.zones[effect.place.zone].name
        return effect.place.container.source.removesuffix(name).rstrip(".")

    def _has(self, gain: _Gain, payer: m.SetEffect, amount: int) -> bool:
        """Tell whether a number is certainly so large where an effect takes from it."""
        place = payer.place.container.source
        for guard in gain.around.guards:
            facts = self.truth.facts([(guard.tree, True)])
            for part in everything(guard.tree):
                if guard.expr.source[part.start : part.end] == place:
                    known = number(self.truth.known(part, Scope(facts=facts)))
                    if known is not None and known.least is not None and known.least >= amount:
                        return True
        return False


def _seating(pack: m.Pack) -> set[str]:
    """Return what seats players where a new game is tried: a move, and its own procedures."""
    seats = next(
        (
            move
            for move in pack.moves
            if "setup" in move.phases
            and any(slot.shape == "new player" for slot in move.slots.values())
        ),
        None,
    )
    if seats is None:
        return set()
    begins = {seats.id} | {move.id for move in pack.moves if move.introduces}
    calls = {e.procedure for e in seats.does if isinstance(e, m.DoEffect)}
    others: list[Iterable[m.Effect]] = [one.does for one in pack.moves if one.id not in begins]
    others += [procedure.does for procedure in pack.procedures.values()]
    for effects in others:
        calls -= {e.procedure for e in flat(effects) if isinstance(e, m.DoEffect)}
    return {seats.id} | calls


def _cells(value: Any, depth: int) -> Iterator[Any]:
    """Yield what a zone holds, place by place."""
    if depth == 0:
        yield value
        return
    for inner in value.values():
        yield from _cells(inner, depth - 1)

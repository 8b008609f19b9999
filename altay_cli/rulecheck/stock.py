"""What there can be at most, by how much of it a new game has.

What is only ever moved from one zone to another never becomes more: the tokens of a box, the coins
of a bank, or the pieces that a player begins with. Effects are looked through for whatever could
bring more of something, procedures with the values of each call; where there is no such effect,
what the tables hold at which the rules were tried bounds every zone. Only what is legal counts: a
slip may bring whatever a log says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from altay_cli.engine.state import State
from altay_cli.expressions.typed import (
    Applied,
    Choice,
    Item,
    Joined,
    Member,
    Named,
    Operation,
    Tree,
    Variable,
    Walk,
    everything,
)
from altay_cli.pack import model as m
from altay_cli.pack.trees import zone_read
from altay_cli.rulecheck.known import COUNT, FALSE, Exactly, Known, Range, Sized, number
from altay_cli.rulecheck.reach import flat
from altay_cli.rulecheck.truth import Facts, Scope, Truth, meet
from altay_cli.values import Bag, Entity

MOST_LOOKED = 20_000
"""How many effects are looked at, with those of procedures at each call."""
MOST_CALLS = 20
"""How many procedures may be under way at once."""

Stock = Mapping[str, Mapping[Entity, int]]
"""By kind: how many of each thing there are; only of kinds that never become more."""


class _Fixed:
    """A local value, which stays the same once it is worked out: what it is of, if that is known.

    The same value under another name, as where it is handed to a procedure, is the same one.
    """

    __slots__ = ("around", "tree")

    def __init__(self, tree: Tree | None = None, around: _Around | None = None) -> None:
        self.tree = tree
        self.around = around


class _Guard(NamedTuple):
    """A condition that holds where an effect is carried out, and what was known around it."""

    tree: Tree
    around: _Around
    expr: m.Expr | None = None


class _Around(NamedTuple):
    """What is known where effects are carried out: conditions that hold, and local values."""

    guards: tuple[_Guard, ...] = ()
    values: Mapping[str, Known] = {}
    fixed: Mapping[str, _Fixed] = {}


class _Root:
    """What is carried out in one go: a move, a trigger, a stage of the setup.

    ``lowered`` counts the effects that may take from a zone, by its index; those in loops twice.
    """

    __slots__ = ("lowered", "waits")

    def __init__(self) -> None:
        self.lowered: Counter[int] = Counter()
        self.waits = False
        """Whether something else may happen in its middle."""


class _Gain(NamedTuple):
    """An effect that raises a number, beside others of the same list, carried out once."""

    effect: m.SetEffect
    beside: Sequence[m.Effect]
    around: _Around
    root: _Root


class _Payer(NamedTuple):
    """The number that falls by what another gains, and whether it is of the same holder."""

    zone: m.Zone
    same: bool


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
        """By zone, what raises a number; None if that is not known."""
        self.open: set[str] = set()
        """The kinds of which effects bring more."""
        self.left = MOST_LOOKED
        self.calls: list[str] = []
        """The procedures that are being looked at."""
        self.root = _Root()
        self.loops = 0
        pack = self.pack
        begun = self.begun = _seating(pack)
        """The moves that seat players, which have been tried."""
        self.watched = _Root()
        lists: list[Iterable[m.Effect]] = [
            *(trigger.does for trigger in pack.triggers),
            # A stage of the setup has been tried, and comes once.
            *(
                stage.does
                for stage in (*pack.prepare, *pack.complete)
                if m.Phase.SETUP not in stage.phases or m.Phase.TURNS in stage.phases
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
            self.root = _Root()
            self._look(tuple(effects), _Around())
        self.root = self.watched
        for trigger in pack.watches:
            self._look(tuple(trigger.does), _Around())
        for move in pack.moves:
            if move.id not in begun and not move.fallback:
                self.root = _Root()
                self._look(tuple(move.does), self._before(move))
        if self.left < 0:  # too much to look at each call
            for ident, procedure in pack.procedures.items():
                if ident not in begun:
                    self.left = MOST_LOOKED
                    self._look(tuple(procedure.does), _Around())

    def _before(self, move: m.MoveDef) -> _Around:
        """Return what is known where the effects of a move begin."""
        # Nobody can write a number below nothing.
        values = {s.name: COUNT for s in move.slots.values() if s.shape is m.Shape.INT}
        fixed = {name: _Fixed() for name in ("me", *move.slots)}
        around = _Around((), values, fixed)
        for name, expr in move.lets:
            around = self._named(around, name, expr)
        asked = [one.that for one in move.requires if not one.afterwards]
        asked += [move.when] if move.when is not None else []
        guards = tuple(_Guard(self.truth.tree(that.key), around, that) for that in asked)
        return around._replace(guards=guards)

    def _named(self, around: _Around, name: str, expr: m.Expr) -> _Around:
        """Return the same with one more local value."""
        tree = self.truth.tree(expr.key)
        same = around.fixed.get(tree.key) if isinstance(tree, Named) and tree.key else None
        values = {**around.values, name: self._value(expr, around)}
        return around._replace(
            values=values, fixed={**around.fixed, name: same or _Fixed(tree, around)}
        )

    # ------------------------------------------------------------ what effects bring

    def _look(self, effects: Sequence[m.Effect], around: _Around) -> None:
        self.left -= len(effects)
        if self.left < 0:
            return
        for effect in effects:
            match effect:
                case m.IfEffect(condition, then, otherwise):
                    guard = _Guard(self.truth.tree(condition.key), around, condition)
                    self._look(then, around._replace(guards=(*around.guards, guard)))
                    self._look(otherwise, around)
                case m.EachEffect():
                    self._each(effect, around)
                case m.LetEffect():
                    inner = around
                    for name, expr in effect.values:
                        inner = self._named(inner, name, expr)
                    self._look(effect.does, inner)
                case m.WhileEffect():
                    self.loops += 1
                    self._look(effect.does, around)
                    self.loops -= 1
                case m.DoEffect():
                    self._do(effect, around)
                case m.AskEffect() | m.RunEffect():
                    self.root.waits = True
                case m.ResetEffect():
                    self._lowered(
                        *(z.index for z in self.pack.zones if z.lifetime == effect.lifetime)
                    )
                case m.SetEffect():
                    self._gain(_Gain(effect, effects, around, self.root))
                case m.MoveEffect() if effect.source is None:
                    self._opened(effect.target)
                case m.DrawEffect() if effect.back:
                    self._opened(effect.target)

    def _each(self, effect: m.EachEffect, around: _Around) -> None:
        tree = self.truth.tree(effect.items.key)
        values = {key: known for key, known in around.values.items() if key != effect.name}
        inner = around._replace(values=values, fixed={**around.fixed, effect.name: _Fixed()})
        if isinstance(tree, Walk) and tree.macro == "filter" and tree.variables == (effect.name,):
            guard = _Guard(_as_local(tree.bodies[0], effect.name), inner)
            inner = inner._replace(guards=(*around.guards, guard))
        self.loops += 1
        self._look(effect.does, inner)
        self.loops -= 1

    def _do(self, effect: m.DoEffect, around: _Around) -> None:
        """Look at a procedure with the values that it is given."""
        if effect.procedure in self.begun:
            return
        if effect.procedure in self.calls or len(self.calls) == MOST_CALLS:
            self.left = -1
            return
        inner = _Around(around.guards)
        for name, expr in effect.arguments:
            given = self._named(around, name, expr)
            inner = inner._replace(
                values={**inner.values, name: given.values[name]},
                fixed={**inner.fixed, name: given.fixed[name]},
            )
        self.calls.append(effect.procedure)
        self._look(tuple(self.pack.procedures[effect.procedure].does), inner)
        self.calls.pop()

    def _value(self, expr: m.Expr, around: _Around) -> Known:
        return self.truth.value(expr, {key: around.values.get(key) for key in expr.locals.values()})

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

    def _lowered(self, *zones: int) -> None:
        for zone in zones:
            self.root.lowered[zone] += 1 + bool(self.loops)

    def _gain(self, gain: _Gain) -> None:
        effect = gain.effect
        zone = self.pack.zones[effect.place.zone]
        if zone.shape in (m.Shape.BAG, m.Shape.PILE):
            self.open.add(zone.kind)
            return
        value = number(self._value(effect.value, gain.around))
        if not effect.add or value is None or value.least is None or value.least < 0:
            self._lowered(zone.index)
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
                if zone.shape not in (m.Shape.BAG, m.Shape.PILE):
                    continue
                counted = found.setdefault(zone.kind, Counter())
                for cell in _cells(state.z[zone.index], len(zone.per)):
                    if isinstance(cell, Bag):
                        counted.update(dict(cell))
                        hidden.update({zone.kind} if cell.unknown.hidden else ())
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
        if zone.shape in (m.Shape.BAG, m.Shape.PILE):
            return Range(0, sum(stock[zone.kind].values())) if zone.kind in stock else None
        if zone.shape is not m.Shape.INT or zone.least is None or zone.least < 0:
            return None
        most = 0
        known: dict[tuple[tuple[str, str], ...], tuple[list[m.Zone], bool] | None] = {}
        for state in self.states:
            options = tuple(sorted(state.options.items()))
            if options not in known:
                known[options] = self._group(zone, self._with_options(options))
            group = known[options]
            if group is None:
                return None
            sums: Counter[object] = Counter()
            for other in group[0]:
                held = state.z[other.index]
                for key, value in held.items() if other.per else (("", held),):
                    sums[key if group[1] else ""] += value
            most = max([most, *sums.values()])
        return Range(zone.least, most) if most > 0 else None

    def _with_options(self, options: Iterable[tuple[str, str]]) -> Facts:
        """Return what is known in games with these options."""
        facts = Facts()
        for name, value in options:
            facts.add(("Named", (f"options.{name}", None), ()), Exactly(value))
        return facts

    def _group(self, zone: m.Zone, facts: Facts) -> tuple[list[m.Zone], bool] | None:
        """Return the numbers out of which a number is paid, it among them; None if it is not.

        Also whether each holder pays for itself.
        """
        group, apart = [zone], True
        for one in group:
            gains = self.gains.get(one.index, [])
            if gains is None or len(one.per) > 1:
                return None
            paid: set[tuple[int, int]] = set()
            for gain in gains:
                if any(self._is_false(guard, facts) for guard in gain.around.guards):
                    continue
                payer = self._payer(gain, facts, paid)
                if payer is None:
                    return None
                apart = apart and payer.same and payer.zone.per == zone.per
                if payer.zone not in group:
                    group.append(payer.zone)
        return group, apart

    def _is_false(self, guard: _Guard, facts: Facts) -> bool:
        return self.truth.known(guard.tree, Scope(guard.around.values, facts)) == FALSE

    def _payer(self, gain: _Gain, facts: Facts, paid: set[tuple[int, int]]) -> _Payer | None:
        """Return the number that certainly falls by what another gains.

        ``paid`` are the effects that have paid for something already.
        """
        effect = gain.effect
        amount = number(self._value(effect.value, gain.around))
        at = next(n for n, other in enumerate(gain.beside) if other is effect)
        for place, other in enumerate(gain.beside):
            if not isinstance(other, m.SetEffect) or other is effect:
                continue
            zone = self.pack.zones[other.place.zone]
            if zone.shape is not m.Shape.INT or zone.least is None or zone.least < 0:
                continue
            between = gain.beside[min(at, place) : max(at, place) + 1]
            if not all(isinstance(one, m.SetEffect | m.MoveEffect) for one in between):
                continue
            key = id(gain.around), id(other)
            if key not in paid and self._pays(gain, other, amount, facts):
                paid.add(key)
                mine, theirs = self._holder(effect, gain.around), self._holder(other, gain.around)
                return _Payer(zone, mine is not None and mine is theirs)
        return None

    def _pays(self, gain: _Gain, other: m.SetEffect, amount: Range | None, facts: Facts) -> bool:
        """Return whether an effect certainly takes from a number what another one gains."""
        effect, around = gain.effect, gain.around
        change = number(self._value(other.value, around))
        holder = self._holder(other, around)
        if change is None or holder is None:
            return False
        # All of it goes over: `add: {a: b}` and `set: {b: 0}`.
        if not other.add:
            value = self.truth.tree(effect.value.key)
            return change == Range(0, 0) and self._is_place(value, other, holder, around)
        if amount is None or change.most is None:
            return False
        most = amount.most
        if most is not None and -change.most >= most and self._has(gain, other, holder, most):
            return True
        # A value that is fixed, of which it is known that there is so much.
        value, taken = (self.truth.tree(e.value.key) for e in (effect, other))
        if not isinstance(taken, Operation) or taken.sign != "neg":
            return False
        one, same = self._local(value, around), self._local(taken.operands[0], around)
        sure = one is not None and one is same and (amount.least or 0) >= 0
        zone = other.place.zone
        if not sure or amount.least is None or gain.root.waits:
            return False
        if gain.root.lowered[zone] > 1 or self.watched.lowered[zone]:
            return False  # it may be less by then
        place = _Spot(other, holder, around)
        return self._at_most(value, around, place, facts) or any(
            self._bounds(guard.tree, guard.around, one, place, facts) for guard in around.guards
        )

    def _local(self, tree: Tree, around: _Around) -> _Fixed | None:
        """Return the local value that an expression is, if it is one."""
        if isinstance(tree, Named) and tree.key is not None:
            return around.fixed.get(tree.key)
        return None

    def _holder(self, effect: m.SetEffect, around: _Around) -> _Fixed | None:
        """Return whose number an effect changes; None if that is not known."""
        if not self.pack.zones[effect.place.zone].per:
            return _EVERYBODY
        return self._local(self.truth.tree(effect.place.key.key), around)

    def _is_place(self, tree: Tree, effect: m.SetEffect, holder: _Fixed, around: _Around) -> bool:
        """Return whether an expression is the number that an effect changes."""
        read = zone_read(tree, self.truth.by_name)
        if read is None or read.zone.index != effect.place.zone or not read.whole:
            return False
        if not read.keys:
            return True
        return len(read.keys) == 1 and self._local(read.keys[0], around) is holder

    def _has(self, gain: _Gain, payer: m.SetEffect, holder: _Fixed, amount: int) -> bool:
        """Return whether a number is certainly so large where an effect takes from it."""
        for tree, around, _ in gain.around.guards:
            facts = self.truth.facts([(tree, True)], Scope(around.values))
            for part in everything(tree):
                if self._is_place(part, payer, holder, around):
                    known = number(self.truth.known(part, Scope(around.values, facts)))
                    if known is not None and known.least is not None and known.least >= amount:
                        return True
        return False

    def _at_most(self, tree: Tree, around: _Around, place: _Spot, facts: Facts) -> bool:
        """Return whether a value is no more than a number was when it was worked out."""
        if self._is_place(tree, place.effect, place.holder, around):
            return True
        match tree:
            case Named() if tree.key is not None:
                fixed = around.fixed.get(tree.key)
                if fixed is not None and fixed.tree is not None and fixed.around is not None:
                    return self._at_most(fixed.tree, fixed.around, place, facts)
            case Applied() if tree.own and not self.truth.lets(tree.function):
                inner = _Around()
                for name, value in zip(
                    self.truth.parameters(tree.function), tree.arguments, strict=True
                ):
                    same = self._local(value, around)
                    fixed_ = {**inner.fixed, name: same or _Fixed(value, around)}
                    inner = inner._replace(fixed=fixed_)
                return self._at_most(self.truth.body(tree.function), inner, place, facts)
            case Applied() if tree.function == "min" and len(tree.arguments) == 2:
                return any(self._at_most(one, around, place, facts) for one in tree.arguments)
            case Choice():
                values = (*(value for _, value in tree.branches), tree.otherwise)
                return all(self._at_most(one, around, place, facts) for one in values)
        known = number(self.truth.known(tree, Scope(around.values, facts)))
        return known is not None and known.most is not None and known.most <= 0

    def _bounds(
        self, tree: Tree, around: _Around, value: _Fixed | None, place: _Spot, facts: Facts
    ) -> bool:
        """Return whether a condition says that a value is no more than a number."""
        match tree:
            case Joined(every=True):
                return any(self._bounds(o, around, value, place, facts) for o in tree.operands)
            case Joined():
                scope = Scope(around.values, facts)
                left = [o for o in tree.operands if self.truth.known(o, scope) != FALSE]
                return all(self._bounds(o, around, value, place, facts) for o in left)
            case Operation() if tree.sign in {"<", "<=", "==", ">", ">="}:
                less, more = tree.operands if tree.sign[0] != ">" else tree.operands[::-1]
                if self._local(less, around) is value:
                    return self._at_most(more, around, place, facts)
        return False


class _Spot(NamedTuple):
    """The number that an effect changes."""

    effect: m.SetEffect
    holder: _Fixed
    around: _Around


_EVERYBODY = _Fixed()
"""The holder of numbers that belong to no player."""


def _as_local(tree: Tree, name: str) -> Tree:
    """Return what is said of each thing of a list as said of the one that a local name means."""
    match tree:
        case Variable() if tree.name == name:
            return Named(tree.type, tree.start, tree.end, name, name, tree.code)
        case Member():
            return tree._replace(operand=_as_local(tree.operand, name))
        case Item():
            return tree._replace(
                operand=_as_local(tree.operand, name), key=_as_local(tree.key, name)
            )
        case Operation() | Joined():
            return tree._replace(operands=tuple(_as_local(one, name) for one in tree.operands))
        case _:
            return tree


def _seating(pack: m.Pack) -> set[str]:
    """Return what seats players where a new game is tried: a move, and its own procedures."""
    seats = m.seating(pack)
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

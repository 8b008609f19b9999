"""What zones can ever hold, by all effects that can be carried out.

Every zone begins with nothing: 0, false, empty. Effects are followed, again and again, until they
bring nothing new; numbers that keep growing have no bound but a declared one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf

from altay_cli.lint import known as k
from altay_cli.lint.interpreter import Interpreter
from altay_cli.pack import model as m

ROUNDS = 3
"""After this many rounds, numbers that still grow are assumed to grow forever."""
MOST_ROUNDS = 60

_ANY_SIZE = k.Sized(0, inf)


class Reach:
    """Follows the effects of a pack, and tells ``truth`` what zones can hold.

    Without ``legal``, everything counts that a log can set in motion, slips too. With it, only what
    the rules allow counts, beginning with a setup.
    """

    def __init__(self, truth: Interpreter, *, legal: bool) -> None:
        self.truth = truth
        self.pack = truth.pack
        self.legal = legal
        self.asked: set[str] = set()
        self.procedures: set[tuple[str, str]] = set()
        self.runs = False
        self.round = 0
        self.changed = False

    def follow(self, until: Callable[[], bool] = lambda: False) -> None:
        """Find out what the zones can hold, at least ``until`` something is known of that."""
        self.truth.zones = [self.empty(zone) for zone in self.pack.zones]
        for self.round in range(MOST_ROUNDS):
            self.changed = False
            self.procedures = set()
            for effects in self._carried_out():
                self._run(effects, {})
            if not self.changed or until():
                return
        self.truth.zones = [None] * len(self.pack.zones)

    @staticmethod
    def empty(zone: m.Zone) -> k.Known:
        """Return what a zone holds at the beginning."""
        match zone.shape:
            case m.Shape.INT:
                value = max(0, zone.least) if zone.least is not None else 0
                return k.exactly(value if zone.most is None else min(value, zone.most))
            case m.Shape.BOOL:
                return k.FALSE
            case m.Shape.ENTITY:
                return k.exactly(None)
            case _:
                return k.Sized(0, 0)

    def _carried_out(self) -> Iterator[m.Effects]:
        """Yield the lists of effects that can be carried out, by what is known when each comes."""
        pack = self.pack
        if not self.legal:
            yield from pack.routines
            return
        yield from (move.does for move in pack.moves if self._is_possible(move))
        triggers = (*pack.triggers, *pack.watches)
        yield from (one.does for one in triggers if self._judge(one.when, {}) is not False)
        yield from (stage.does for stage in (*pack.prepare, *pack.complete))
        if self.runs:  # some thing's own effects, whichever thing it is
            of_moves = {id(move.does) for move in pack.moves}
            yield from (effects for effects in pack.routines if id(effects) not in of_moves)

    def _is_possible(self, move: m.MoveDef) -> bool:
        """Return whether a move can ever be legal, as far as that is known."""
        if move.fallback or not {m.Phase.SETUP, m.Phase.TURNS} & set(move.phases):
            return False
        if move.answers is not None and move.answers not in self.asked:
            return False
        conditions = filter(None, [move.when, *(requirement.that for requirement in move.requires)])
        return all(self._judge(condition, {}) is not False for condition in conditions)

    def _judge(self, expr: m.Expr, values: k.Values) -> bool | None:
        return k.truth(self._value(expr, values))

    def _value(self, expr: m.Expr, values: k.Values) -> k.Known:
        return self.truth.value(expr, {key: values.get(key) for key in expr.locals.values()})

    def _run(self, effects: Iterable[m.Effect], values: k.Values) -> None:
        for effect in effects:
            match effect:
                case m.IfEffect(condition, then, otherwise):
                    holds = self._judge(condition, values)
                    if holds is not False:
                        self._run(then, values)
                    if holds is not True:
                        self._run(otherwise, values)
                case m.EachEffect():
                    # Of the one that comes nothing is known, whatever had its name before.
                    self._run(effect.does, {k: v for k, v in values.items() if k != effect.name})
                case m.WhileEffect():
                    if self._judge(effect.condition, values) is not False:
                        self._run(effect.does, values)
                case m.LetEffect():
                    inner = dict(values)
                    for name, expr in effect.values:
                        inner[name] = self._value(expr, inner)
                    self._run(effect.does, inner)
                case m.DoEffect():
                    self._do(effect, values)
                case m.AskEffect():
                    self.changed |= effect.decision not in self.asked
                    self.asked.add(effect.decision)
                case m.RunEffect():
                    self.changed |= not self.runs
                    self.runs = True
                case m.SetEffect():
                    self._set(effect, values)
                case _:
                    for index in targets(effect):
                        self._widen(index, _ANY_SIZE)

    def _do(self, effect: m.DoEffect, values: k.Values) -> None:
        arguments = {name: self._value(expr, values) for name, expr in effect.arguments}
        key = (effect.procedure, repr(sorted(arguments.items())))
        if key not in self.procedures:
            self.procedures.add(key)
            self._run(self.pack.procedures[effect.procedure].does, arguments)

    def _set(self, effect: m.SetEffect, values: k.Values) -> None:
        index = effect.place.zone
        zone = self.pack.zones[index]
        value = self._value(effect.value, values)
        before = self.truth.zones[index]
        if effect.add:
            step, now = k.number(value) or k.ANY, k.number(before) or k.ANY
            least = now.least if step.least >= 0 else -inf
            value = k.ranged(least, now.most if step.most <= 0 else inf)
        if zone.shape is m.Shape.INT:
            value = _within(value, zone)
        self._widen(index, value)

    def _widen(self, index: int, value: k.Known) -> None:
        """Note that a zone can hold something besides what it can hold already."""
        zone = self.pack.zones[index]
        before = self.truth.zones[index]
        after = k.either([before, value])
        if after == before:
            return
        # A number that a move raises by one would take a round for each: it is given up early.
        if self.round >= ROUNDS and value != _ANY_SIZE:
            after = _within(None, zone) if zone.shape is m.Shape.INT else None
        if after != before:
            self.truth.zones[index] = after
            self.changed = True


def _within(value: k.Known, zone: m.Zone) -> k.Known:
    """Return a number as a zone can hold it."""
    least, most = k.number(value) or k.ANY
    low = -inf if zone.least is None else zone.least
    high = inf if zone.most is None else zone.most
    return k.ranged(min(max(least, low), high), max(min(most, high), low))


def targets(effect: m.Effect) -> Iterable[int]:
    """Return the zones, by index, that an effect itself can set or fill."""
    match effect:
        case m.CallEffect():
            return effect.fills
        case m.DrawEffect():
            return effect.source.zone, effect.target.zone
        case _:
            return m.changes(effect)

"""Carrying out effects.

Effects never fail: what is not there is not moved. Whether a move was legal has been
decided before; an illegal one is carried out as far as it goes, so that reading can go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from altay_cli.engine.drawing import draw
from altay_cli.engine.state import Pending, State
from altay_cli.expressions import charge
from altay_cli.pack import model as m
from altay_cli.values import Bag, DrawnItem, Entity

Values = dict[str, Any]

EFFECT_STEPS = 10
"""What an effect costs of the budget of its statement."""


class Reporter(Protocol):
    """Who is told what effects find out."""

    def say(self, text: m.RuleText, values: Mapping[str, Any], item: DrawnItem | None) -> None:
        """Report that a rule has something to say, at the drawn card ``item`` if one is given."""

    def unsure(self, item: DrawnItem, chosen: Entity, others: Sequence[Entity]) -> None:
        """Report that a written name may stand for several things, and which was taken."""


class Effects:
    """Carries out the effects of one pack on one state."""

    def __init__(self, state: State, reporter: Reporter) -> None:
        self.state = state
        self.reporter = reporter
        self._run: dict[type, Callable[[Any, Values], None]] = {
            m.MoveEffect: self._move,
            m.SetEffect: self._set,
            m.IfEffect: self._if,
            m.EachEffect: self._each,
            m.LetEffect: self._let,
            m.DoEffect: self._do,
            m.AskEffect: self._ask,
            m.DrawEffect: self._draw,
            m.SayEffect: self._say,
            m.ResetEffect: self._reset,
            m.SeatEffect: self._seat,
            m.UnknownEffect: self._unknown,
            m.UnsureEffect: self._unsure,
        }

    def run(self, effects: tuple[m.Effect, ...], values: Values) -> None:
        """Carry out effects in order; ``values`` are the local names."""
        charge(EFFECT_STEPS * len(effects))
        for effect in effects:
            self._run[type(effect)](effect, values)

    def _move(self, effect: m.MoveEffect, values: Values) -> None:
        state = self.state
        source = self._end(effect.source, values)
        target = self._end(effect.target, values)
        if effect.what is None:
            things = list(_contents(source))
            if isinstance(source, Bag) and source.hidden:
                # Things that nobody named; the bag they came from still lists them.
                if isinstance(target, Bag):
                    state.attribute(target, "hidden", target.hidden + source.hidden)
                    state.attribute(target, "origin", source.origin)
                state.attribute(source, "hidden", 0)
        else:
            what = effect.what.fn(state, values)
            if what is None:
                return
            factor = effect.number.fn(state, values) if effect.number else 1
            things = (
                [(what, factor)]
                if isinstance(what, Entity)
                else [(item, n * factor) for item, n in what.items()]
            )
        for item, wanted in things:
            count = wanted if source is None else min(wanted, _count(source, item))
            if count > 0:
                self._take(source, effect.source, values, item, count)
                self._give(target, effect.target, values, item, count)

    def _end(self, end: m.Expr | m.Place | None, values: Values) -> Any:
        if end is None:
            return None
        if isinstance(end, m.Expr):
            return end.fn(self.state, values)
        return end.container.fn(self.state, values)[end.key.fn(self.state, values)]

    def _take(self, source: Any, end: Any, values: Values, item: Entity, count: int) -> None:
        if isinstance(source, Bag):
            self.state.count(source, item, -count)
        elif source is not None:
            pile = list(self._end(end, values))
            for _ in range(count):
                pile.remove(item)
            self._put_pile(end, values, pile)

    def _give(self, target: Any, end: Any, values: Values, item: Entity, count: int) -> None:
        if isinstance(target, Bag):
            self.state.count(target, item, count)
        elif target is not None:
            charge(count)
            self._put_pile(end, values, [*self._end(end, values), *[item] * count])

    def _put_pile(self, end: m.Place, values: Values, pile: list[Entity]) -> None:
        state = self.state
        state.put(end.container.fn(state, values), end.key.fn(state, values), tuple(pile))

    def _set(self, effect: m.SetEffect, values: Values) -> None:
        state = self.state
        container = effect.place.container.fn(state, values)
        key = effect.place.key.fn(state, values)
        value = effect.value.fn(state, values)
        if effect.add:
            # Nothing can be fewer than none; a move that takes too much has been reported.
            value = max(container[key] + value, min(container[key], 0))
        state.put(container, key, value)

    def _if(self, effect: m.IfEffect, values: Values) -> None:
        holds = effect.condition.fn(self.state, values)
        self.run(effect.then if holds else effect.otherwise, values)

    def _each(self, effect: m.EachEffect, values: Values) -> None:
        for item in list(effect.items.fn(self.state, values)):
            self.run(effect.does, {**values, effect.name: item})

    def _let(self, effect: m.LetEffect, values: Values) -> None:
        inner = dict(values)
        for name, expr in effect.values:
            inner[name] = _kept(expr.fn(self.state, inner))
        self.run(effect.does, inner)

    def _do(self, effect: m.DoEffect, values: Values) -> None:
        arguments = {name: _kept(e.fn(self.state, values)) for name, e in effect.arguments}
        self.run(self.state.pack.procedures[effect.procedure].does, arguments)

    def _ask(self, effect: m.AskEffect, values: Values) -> None:
        state = self.state
        times = effect.times.fn(state, values) if effect.times else 1
        if times > 0:
            about = {name: _kept(expr.fn(state, values)) for name, expr in effect.values}
            pending = Pending(effect.decision, effect.who.fn(state, values), times, about)
            state.attribute(state, "pending", (*state.pending, pending))

    def _draw(self, effect: m.DrawEffect, values: Values) -> None:
        draw(self.state, effect, values, self.reporter)

    def _say(self, effect: m.SayEffect, values: Values) -> None:
        self.reporter.say(effect.text, values, None)

    def _reset(self, effect: m.ResetEffect, values: Values) -> None:
        del values
        self.state.reset(effect.lifetime)

    def _seat(self, effect: m.SeatEffect, values: Values) -> None:
        self.state.seat(effect.player.fn(self.state, values))

    def _unsure(self, effect: m.UnsureEffect, values: Values) -> None:
        self.state.attribute(effect.bag.fn(self.state, values), "unsure", True)

    def _unknown(self, effect: m.UnknownEffect, values: Values) -> None:
        count = effect.number.fn(self.state, values)
        if count > 0:
            hide(
                self.state,
                effect.source.fn(self.state, values),
                effect.target.fn(self.state, values),
                count,
            )


def hide(state: State, source: Bag, target: Bag, count: int) -> None:
    """Move ``count`` things that nobody named from ``source`` to ``target``."""
    state.attribute(source, "absent", source.absent + count)
    state.attribute(target, "hidden", target.hidden + count)
    state.attribute(target, "origin", source)


def _kept(value: Any) -> Any:
    """Return a value that later changes of the state do not reach."""
    return Bag(value) if isinstance(value, Bag) else value


def _contents(source: Any) -> Iterable[tuple[Entity, int]]:
    if isinstance(source, Bag):
        return source.items()
    return [(item, 1) for item in source or ()]


def _count(source: Any, item: Entity) -> int:
    return source.get(item, 0) if isinstance(source, Bag) else source.count(item)


__all__ = ["Effects", "Reporter", "hide"]

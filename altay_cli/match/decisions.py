"""Decisions that players must take, and effects that wait for the answers.

The effects after a question become frames below it in ``State.pending``, which the journal can
undo.
"""

# Annotations are not postponed, as Python would compile each at every start.

from typing import Any, NamedTuple

from altay_cli.base.budget import Budget
from altay_cli.base.journal import Journal
from altay_cli.base.values import Bag, Entity, Placeholder, partly_known
from altay_cli.match import limits
from altay_cli.match.zones import Zones
from altay_cli.pack import model as m
from altay_cli.pack.layout import FORCED, PENDING

Values = dict[str, Any]


class EffectsInterrupted(Exception):  # noqa: N818 - no error
    """An effect ended all effects in progress."""


class PendingDecision(NamedTuple):
    """A decision that ``who`` must take ``times`` times.

    values: describe the question.
    answer: the name under which the following effects find the answer.
    excused: an illegal statement caused it, so it need not be taken.
    past: overdue since the last turn; a late answer is not reported as unasked.
    also: other players who must take it as well, before or after ``who``.
    """

    decision: str
    who: Entity
    times: int
    values: Values
    answer: str | None = None
    excused: bool = False
    past: bool = False
    also: tuple[Entity, ...] = ()

    def asked_first(self, player: Entity) -> "PendingDecision":
        """Return the decision with ``player``, one of those who must take it, as the next."""
        others = (other for other in (self.who, *self.also) if other is not player)
        return self._replace(who=player, also=tuple(others))


def decision_of(
    decision: str, who: Entity | list[Entity], times: int, about: Values, answer: str | None = None
) -> PendingDecision | None:
    """Return the decision of one or several players; None if no player must answer."""
    players = who if isinstance(who, list) else [who]
    if times <= 0 or not players:
        return None
    return PendingDecision(decision, players[0], times, about, answer, also=tuple(players[1:]))


class ForcedAnswer(NamedTuple):
    """A decision with one possible ``answer``."""

    asked: PendingDecision
    answer: Any


class Frame(NamedTuple):
    """Effects still to apply, from index ``at`` on."""

    steps: m.Steps
    at: int
    values: Values


Suspended = PendingDecision | Frame


def start(zones: Zones, effects: m.Effects, values: Values) -> None:
    """Apply effects up to the first question."""
    todo: list[Frame] = []
    _begin(effects, values, zones, todo)
    _continue(zones, todo)


def resume_effects(zones: Zones) -> None:
    """Apply the frames that no longer wait for an answer."""
    waiting: tuple[Suspended, ...] = zones.cells[PENDING]
    asked = len(waiting)
    while asked and not isinstance(waiting[asked - 1], PendingDecision):
        asked -= 1
    if asked < len(waiting):
        zones.budget.charge(2 * len(waiting))  # the journal keeps the old stack
        zones.journal.put(PENDING, waiting[:asked])
        _continue(zones, [one for one in waiting[asked:] if isinstance(one, Frame)])


def record_answer(zones: Zones, values: Values, gives: m.Expr | None) -> None:
    """Record one answer to the topmost decision."""
    zones.budget.charge(2 * len(zones.cells[PENDING]))
    *rest, pending = zones.cells[PENDING]
    assert isinstance(pending, PendingDecision)
    if pending.times > 1:
        rest.append(pending._replace(times=pending.times - 1))
    elif pending.also:
        rest.append(pending._replace(who=pending.also[0], also=pending.also[1:]))
    elif pending.answer is not None and gives is not None and rest:
        frame = rest[-1]
        assert isinstance(frame, Frame)
        rest[-1] = frame._replace(
            values={**frame.values, pending.answer: gives.fn(zones.budget, values)}
        )
    zones.journal.put(PENDING, tuple(rest))


def _continue(zones: Zones, todo: list[Frame]) -> None:
    while todo:
        frame = todo.pop()
        zones.budget.charge(limits.MOVE_STEPS + (len(frame.values) >> 1))
        if frame.at < len(frame.steps):
            # A finished frame stays below a question, to receive the answer.
            todo.append(frame._replace(at=frame.at + 1))
            if _step(zones, frame, todo):
                return


def _ask(zones: Zones, step: m.AskEffect, values: Values, todo: list[Frame]) -> bool:
    """Return True if the player must answer; a single possible answer is given instead."""
    times = step.times.fn(zones.budget, values) if step.times else 1
    if times <= 0:
        return False
    about = {name: expr.fn(zones.budget, values) for name, expr in step.values}
    who = step.who.fn(zones.budget, values)
    pending = decision_of(step.decision, who, times, about, step.answer)
    if pending is None:
        return False
    if step.forced and step.gives and step.answer and step.forced.fn(zones.budget, values):
        answer = step.gives.fn(zones.budget, values)
        zones.budget.charge(len(zones.cells[FORCED]))
        zones.journal.put(FORCED, (*zones.cells[FORCED], ForcedAnswer(pending, answer)))
        todo[-1] = todo[-1]._replace(values={**values, step.answer: answer})
        return False
    zones.budget.charge(len(todo) + 2 * len(zones.cells[PENDING]))
    zones.journal.put(PENDING, (*zones.cells[PENDING], *todo, pending))
    return True


def _step(zones: Zones, frame: Frame, todo: list[Frame]) -> bool:
    values = frame.values
    match frame.steps[frame.at]:
        case m.AskEffect() as step:
            return _ask(zones, step, values, todo)
        case m.Effects() as step:
            step.fn(zones.budget, values)
        case m.DoEffect() as step:
            given = {name: expr.fn(zones.budget, values) for name, expr in step.arguments}
            _begin(zones.pack.procedures[step.procedure].does, given, zones, todo)
        case m.RunEffect() as step:
            who = {"me": step.who.fn(zones.budget, values) if step.who else values.get("me")}
            _begin(step.what.fn(zones.budget, values), who, zones, todo)
        case m.Nested(m.IfEffect() as effect, (then, otherwise)):
            chosen = then if effect.condition.fn(zones.budget, values) else otherwise
            todo.append(Frame(chosen, 0, values))
        case m.Nested(m.EachEffect() as effect, (steps,)):
            items = [*effect.items.fn(zones.budget, values)]
            zones.budget.charge(len(items) * (1 + (len(values) >> 1)))
            todo += [Frame(steps, 0, {**values, effect.name: one}) for one in items[::-1]]
        case m.Nested(m.WhileEffect() as effect, (steps,)):
            if effect.condition.fn(zones.budget, values):
                todo[-1] = frame  # evaluates the condition again
                todo.append(Frame(steps, 0, values))
        case m.Nested(m.LetEffect() as effect, (steps,)):
            inner = dict(values)
            for name, expr in effect.values:
                inner[name] = expr.fn(zones.budget, inner)
            todo.append(Frame(steps, 0, inner))
    return False


def _begin(effects: m.Effects, values: Values, zones: Zones, todo: list[Frame]) -> None:
    if effects.steps is None:
        effects.fn(zones.budget, values)
    else:
        todo.append(Frame(effects.steps, 0, dict(values)))


def replace_placeholder(
    budget: Budget, journal: Journal, pack: m.Pack, old: Placeholder, new: Entity
) -> None:
    """Replace a placeholder everywhere."""
    for zone in pack.zones:
        if zone.kind == old.kind:
            budget.charge(zone.cells[1] - zone.cells[0])
            for cell in range(*zone.cells):
                held = journal.cells[cell]
                put = with_replacement(held, old, new)
                if put is not held:
                    journal.put(cell, put)
    for cell in (PENDING, FORCED):
        if journal.cells[cell]:
            journal.put(cell, with_replacement(journal.cells[cell], old, new))


def with_replacement(value: Any, old: Placeholder, new: Entity) -> Any:
    """Return ``value`` with a placeholder replaced."""
    if value is old:
        return new
    if isinstance(value, Bag):
        if old not in value:
            return value
        made = partly_known(value, value.unknown)
        left = made[old] - 1
        if left:
            made[old] = left
        else:
            del made[old]
        made[new] = made.get(new, 0) + 1
        return made
    if isinstance(value, dict):
        return {name: with_replacement(part, old, new) for name, part in value.items()}
    if isinstance(value, PendingDecision | Frame | ForcedAnswer):
        return type(value)(*(with_replacement(part, old, new) for part in value))
    if type(value) is tuple and any(part is not with_replacement(part, old, new) for part in value):
        return tuple(with_replacement(part, old, new) for part in value)
    if isinstance(value, list):
        return [with_replacement(part, old, new) for part in value]
    return value

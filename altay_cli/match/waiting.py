"""Effects that wait for answers.

What is left to do when a player is asked lies as frames on the stack of the state, below the
question (``state.pending``): plain values, which the journal takes back and a copy shares. When
the question is answered, they go on from there.
"""

# Annotations are not postponed here: Python would compile each field's as text at every start.

from typing import Any, NamedTuple

from altay_cli.base.values import Bag, Entity, Likeness, partly_known
from altay_cli.match.operations import Operations
from altay_cli.pack import model as m
from altay_cli.pack.table import FORCED, PENDING

COST = 10
"""The cost of a step, in steps of its statement's budget."""

Values = dict[str, Any]
"""The values of local names at some moment."""


class Halted(Exception):  # noqa: N818 - no error
    """An effect has ended all effects under way."""


class Pending(NamedTuple):
    """A decision that is due: who answers it, how often, and what it is about.

    ``answer`` is the name under which what follows finds the answer.
    """

    decision: str
    who: Entity
    times: int
    values: Values
    answer: str | None = None


class Forced(NamedTuple):
    """A decision that nobody was asked for, as only one thing could happen; ``answer`` is that."""

    asked: Pending
    answer: object


class Frame(NamedTuple):
    """Steps that are left to do, from number ``at`` on, with the values of local names."""

    steps: m.Steps
    at: int
    values: Values


class Loop(NamedTuple):
    """What is left of a loop over ``items``, from number ``at`` on."""

    name: str
    items: tuple[object, ...]
    at: int
    steps: m.Steps
    values: Values


class Again(NamedTuple):
    """A loop that goes on as long as its condition holds."""

    condition: m.Expr
    steps: m.Steps
    values: Values


Waiting = Pending | Frame | Loop | Again


def start(state: Operations, effects: m.Effects, values: Values) -> None:
    """Carry out effects that may wait for answers, up to the first question."""
    todo: list[Waiting] = []
    _carry_out(effects, values, state, todo)
    _go_on(state, todo)


def resume(state: Operations) -> None:
    """Carry out the frames that no longer wait for an answer."""
    if not state.cells[PENDING] or isinstance(state.cells[PENDING][-1], Pending):
        return
    state.charge(2 * len(state.cells[PENDING]))  # what there was is kept, to be put back
    stack = list(state.cells[PENDING])
    todo: list[Waiting] = []
    while stack and not isinstance(stack[-1], Pending):
        todo.append(stack.pop())
    state.put(PENDING, tuple(stack))
    _go_on(state, todo[::-1])


def answered(state: Operations, values: Values, gives: m.Expr | None) -> None:
    """Take the decision on top as answered once; ``values`` are those of the answering move."""
    state.charge(2 * len(state.cells[PENDING]))
    *rest, pending = state.cells[PENDING]
    assert isinstance(pending, Pending)
    if pending.times > 1:
        rest.append(pending._replace(times=pending.times - 1))
    elif pending.answer is not None and gives is not None and rest:
        frame = rest[-1]
        assert isinstance(frame, Frame)
        value = gives.fn(state, values)
        rest[-1] = frame._replace(values={**frame.values, pending.answer: value})
    state.put(PENDING, tuple(rest))


def _go_on(state: Operations, todo: list[Waiting]) -> None:
    """Carry out frames, the last one first, until a question is put or nothing is left."""
    while todo:
        frame = todo.pop()
        values = 0 if isinstance(frame, Pending) else len(frame.values)
        state.charge(COST + (values >> 1))
        match frame:
            case Loop():
                if frame.at < len(frame.items):
                    todo.append(frame._replace(at=frame.at + 1))
                    inner = {**frame.values, frame.name: frame.items[frame.at]}
                    todo.append(Frame(frame.steps, 0, inner))
            case Again():
                if frame.condition.fn(state, frame.values):
                    todo.append(frame)
                    todo.append(Frame(frame.steps, 0, frame.values))
            case Frame() if frame.at < len(frame.steps):
                # One that is done is kept below a question: the answer is put into it.
                todo.append(frame._replace(at=frame.at + 1))
                step = frame.steps[frame.at]
                if isinstance(step, m.AskEffect):
                    if _ask(state, step, frame.values, todo):
                        return
                else:
                    _step(state, step, frame.values, todo)


def _ask(state: Operations, step: m.AskEffect, values: Values, todo: list[Waiting]) -> bool:
    """Put a question on top of what is left to do; return whether anything is asked at all.

    What has only one answer is not asked, and goes on with that.
    """
    times = step.times.fn(state, values) if step.times else 1
    if times <= 0:
        return False
    about = {name: expr.fn(state, values) for name, expr in step.values}
    pending = Pending(step.decision, step.who.fn(state, values), times, about, step.answer)
    if step.forced and step.gives and step.answer and step.forced.fn(state, values):
        answer = step.gives.fn(state, values)
        state.charge(len(state.cells[FORCED]))
        state.put(FORCED, (*state.cells[FORCED], Forced(pending, answer)))
        frame = todo[-1]
        assert isinstance(frame, Frame)
        todo[-1] = frame._replace(values={**frame.values, step.answer: answer})
        return False
    state.charge(len(todo) + 2 * len(state.cells[PENDING]))
    state.put(PENDING, (*state.cells[PENDING], *todo, pending))
    return True


def _step(
    state: Operations,
    step: m.Effects | m.DoEffect | m.RunEffect | m.Nested,
    values: Values,
    todo: list[Waiting],
) -> None:
    """Carry out a step that is not a question, or put what it holds on top of ``todo``."""
    match step:
        case m.Effects():
            step.fn(state, values)
        case m.DoEffect():
            given = {name: expr.fn(state, values) for name, expr in step.arguments}
            _carry_out(state.pack.procedures[step.procedure].does, given, state, todo)
        case m.RunEffect():
            who = {"me": step.who.fn(state, values) if step.who else values.get("me")}
            _carry_out(step.what.fn(state, values), who, state, todo)
        case m.Nested(m.IfEffect() as effect, (then, otherwise)):
            chosen = then if effect.condition.fn(state, values) else otherwise
            todo.append(Frame(chosen, 0, values))
        case m.Nested(m.EachEffect() as effect, (steps,)):
            items = tuple(effect.items.fn(state, values))
            state.charge(len(items))
            todo.append(Loop(effect.name, items, 0, steps, values))
        case m.Nested(m.WhileEffect() as effect, (steps,)):
            todo.append(Again(effect.condition, steps, values))
        case m.Nested(m.LetEffect() as effect, (steps,)):
            inner = dict(values)
            for name, expr in effect.values:
                inner[name] = expr.fn(state, inner)
            todo.append(Frame(steps, 0, inner))


def _carry_out(effects: m.Effects, values: Values, state: Operations, todo: list[Waiting]) -> None:
    if effects.steps is None:
        effects.fn(state, values)
    else:
        todo.append(Frame(effects.steps, 0, dict(values)))


def replace(state: Operations, old: Likeness, new: Entity) -> None:
    """Put a thing in the place of what has stood for it, wherever that lies or waits."""
    for zone in state.pack.zones:
        if zone.kind == old.kind:
            state.charge(zone.cells[1] - zone.cells[0])
            for cell in range(*zone.cells):
                held = state.cells[cell]
                put = replaced(held, old, new)
                if put is not held:
                    state.put(cell, put)
    for cell in (PENDING, FORCED):
        if state.cells[cell]:
            state.put(cell, replaced(state.cells[cell], old, new))


def replaced(value: Any, old: Likeness, new: Entity) -> Any:
    """Return a value with a thing in the place of what has stood for it."""
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
        return {name: replaced(part, old, new) for name, part in value.items()}
    if isinstance(value, Pending | Frame | Loop | Again | Forced):
        return type(value)(*(replaced(part, old, new) for part in value))
    if type(value) is tuple and any(part is not replaced(part, old, new) for part in value):
        return tuple(replaced(part, old, new) for part in value)
    if isinstance(value, list):
        return [replaced(part, old, new) for part in value]
    return value

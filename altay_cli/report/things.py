"""What there is in a game, told by what its rules say of things of each kind."""

from __future__ import annotations

from collections.abc import Iterator

from altay_cli.base.errors import ExpressionError
from altay_cli.base.suggest import normal
from altay_cli.base.values import Bag, Entity
from altay_cli.match.state import State
from altay_cli.pack.model import Pack
from altay_cli.report.text import BOLD, Line, table


def named_things(pack: Pack, name: str) -> list[Entity]:
    """Return the things that are called by a name in any language, or have it as their id."""
    found = [
        thing
        for kind, told in pack.tells.items()
        if told
        for thing in pack.names.get(kind, {}).get(normal(name), ())
    ]
    return list(dict.fromkeys(found))


def thing_lines(pack: Pack, thing: Entity, language: str) -> Iterator[str]:
    """Yield what is told of one thing."""
    state = _state(pack, language)
    kind = state.word(pack.kinds[thing.kind])
    yield Line((state.name(thing), BOLD), f": {kind}")
    for title, text in _facts(state, thing):
        if text:
            yield f"  {state.word(title)}: {text}"


def all_tables(pack: Pack, language: str) -> Iterator[str]:
    """Yield a table for each kind of things that have something to tell."""
    state = _state(pack, language)
    for kind, told in pack.tells.items():
        if not told:
            continue
        titles = [state.word(pack.kinds[kind]), *(state.word(title) for title, _ in told)]
        rows = [
            [state.name(thing), *(text for _, text in _facts(state, thing))]
            for thing in pack.entities[kind]
        ]
        yield from table([titles, *rows], frozenset())
        yield ""


def _facts(state: State, thing: Entity) -> Iterator[tuple[str, str]]:
    """Yield each title with what is told under it; with nothing if there is nothing."""
    for title, expr in state.pack.tells[thing.kind]:
        try:
            value = expr.fn(state, {thing.kind: thing})
        except ExpressionError:
            value = "?"
        empty = isinstance(value, (Bag, list, tuple)) and not value
        yield title, "" if empty or value in ("0", "") else state.text(value)


def _state(pack: Pack, language: str) -> State:
    return State(pack, {option.id: option.default for option in pack.options.values()}, language)

"""Evaluate the measures of the rules in one game, simulated or recorded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from altay_cli.base.findings import ExpressionError, UnrecordedError
from altay_cli.base.values import Entity
from altay_cli.match.state import State
from altay_cli.pack.model import Expr, Measure, Pack
from altay_cli.pack.words import reason
from altay_cli.scoring.score import Standing


@dataclass(slots=True)
class Side:
    """The result of one player.

    share: of the victory, from 0 to 1.
    scores: by category.
    groups, numbers, things: measured values, by measure.
    made: the number of moves of each kind.

    In a recorded game, unrecorded values are None or missing, and ``policy`` is empty.
    """

    seat: int | None
    policy: str
    total: int | None
    share: float | None
    scores: dict[str, int]
    groups: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    things: dict[str, dict[str, int]] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)


class Measures:
    """Evaluates the measures of a pack.

    counted: by player and measure of moves, the count of each thing.
    fault: why a measure cannot be computed.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.counted: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        self.fault: str | None = None
        self.unrecorded: set[str] = set()

    def counts(
        self, state: State, move: str, values: Mapping[str, object]
    ) -> list[tuple[str, str]]:
        """Return what measures count of a move, before it."""
        return [
            (measure.id, _shown(state, value))
            for measure in self.pack.measures.values()
            if move in measure.moves
            for value in [self._value(measure, measure.moves[move], state, values)]
            if value is not None
        ]

    def measure(self, state: State, me: Entity, side: Side) -> None:
        """Set the measured values of a player."""
        for measure in self.pack.measures.values():
            if measure.id in self.unrecorded:
                continue
            if measure.group is not None:
                group = self._value(measure, measure.group, state, {"me": me})
                side.groups[measure.id] = _shown(state, group)
            elif measure.number is not None:
                number = self._value(measure, measure.number, state, {"me": me})
                side.numbers[measure.id] = number if isinstance(number, int) else 0
            elif measure.each is not None:
                listed = self._value(measure, measure.each, state, {"me": me}) or []
                side.things[measure.id] = dict(Counter(_shown(state, item) for item in listed))
            else:
                counted = self.counted[me.id].items()
                side.things[measure.id] = {
                    thing: count for (ident, thing), count in counted if ident == measure.id
                }

    def _value(
        self, measure: Measure, expr: Expr, state: State, values: Mapping[str, object]
    ) -> Any:
        try:
            state.grant()
            return expr.fn(state, values)
        except UnrecordedError:
            self.unrecorded.add(measure.id)
        except ExpressionError as error:
            self.fault = f"{measure.title} cannot be computed: {reason(error, state.pack)}"
        return None


def ending_of(state: State, standing: Standing) -> str:
    """Return why a game has ended."""
    pack = state.pack
    triggers = {trigger.id: trigger.title for trigger in (*pack.triggers, *pack.watches)}
    return standing.by or triggers.get(state.ended_by or "") or "the game has ended"


def _shown(state: State, value: object) -> str:
    return state.words.name(value) if isinstance(value, Entity) else str(value)

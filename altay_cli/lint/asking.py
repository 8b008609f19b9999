"""Asking the requirements that variants bring, and what forbids what was legal before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from altay_cli.base.errors import ExpressionError
from altay_cli.base.values import Entity, likeliest
from altay_cli.checking.playing import Game, IllegalMove
from altay_cli.lint.onlooker import Key, shown
from altay_cli.moves.listing import Move
from altay_cli.pack.model import MoveDef, Pack, Phase, Requirement, Slot
from altay_cli.simulation.simulated import Watch

MOST_OFFERED = 12
OFFERED = 10
"""A thing that was on offer this often and could never be taken is reported."""

Rule = tuple[str, str]
"""A requirement: the move that it is one of, and the rule that it is."""


class Asking(Watch):
    """Asks the requirements that variants bring, and what forbids what was legal before."""

    def __init__(self, base: Pack, lost: Mapping[Key, str]) -> None:
        self.known = {
            (move.id, requirement.text.rule, requirement.that.source)
            for move in base.moves
            for requirement in move.requires
        }
        self.moves = {move.id for move in base.moves}
        self.added: list[str] = []
        self.lost = lost
        self.offered: Counter[Key] = Counter()
        self.failed: Counter[tuple[Key, str]] = Counter()
        """How often a requirement of the variants does not hold where something is on offer."""
        self.blame: dict[Key, Counter[str]] = {}
        self.logs: dict[Key, str] = {}
        self.held: Counter[Rule] = Counter()
        self.broken: Counter[Rule] = Counter()
        self.shown: dict[Rule, str] = {}
        """A game in which a requirement does not hold."""

    def listed(self, game: Game, moves: Sequence[Move]) -> None:
        """Ask what variants bring; try what was legal before."""
        pack = game.pack
        self.added = [m.id for m in pack.moves if m.id not in self.moves and not m.fallback]
        if game.state.due is not None or any(move.definition.heading for move in moves):
            return
        actor = game.state.status("active")
        by_id = {move.id: move for move in pack.moves}
        for move in pack.moves:
            for requirement in move.requires if Phase.TURNS in move.phases else ():
                rule = move.id, requirement.text.rule
                if (*rule, requirement.that.source) in self.known or requirement.afterwards:
                    continue
                self._ask(game, actor, move, requirement)
        for key, statement in self.lost.items():
            definition = by_id.get(key[0])
            if definition is None or definition.answers is not None:
                continue
            # That nobody could take a thing which is not on offer says nothing of the rules.
            if key[1] and not self._is_offered(game, actor, definition, key):
                continue
            try:
                game.apply(statement, pick=likeliest)
                game.undo()
            except IllegalMove as error:
                counted = self.blame.setdefault(key, Counter())
                counted.update(finding.rule for finding in error.findings[:1])
                if key not in self.logs:
                    self.logs[key] = game.log()

    def _ask(self, game: Game, actor: Entity | None, move: MoveDef, asked: Requirement) -> None:
        """Ask a requirement with the things on offer that it is about, if it is about any."""
        rule = move.id, asked.text.rule
        names = set(asked.that.names)
        for name, expr in reversed(move.lets):
            names |= expr.names if name in names else set()
        slots = [slot for slot in move.slots.values() if slot.name in names]
        values: dict[str, object] = {"me": actor, "asked": {}}
        things: Sequence[object] = [None]
        if slots:
            things = _domain(game, slots[0], values)
        for thing in things:
            given = {**values, **({slots[0].name: thing} if slots else {})}
            holds = _holds(game, move, asked, given)
            if holds is True:
                self.held[rule] += 1
            elif holds is False:
                self.broken[rule] += 1
                if rule not in self.shown:
                    self.shown[rule] = game.log()

    def _is_offered(self, game: Game, actor: Entity | None, move: MoveDef, key: Key) -> bool:
        """Return whether a thing is among those that its slot is about; ask what forbids it."""
        values: dict[str, object] = {"me": actor, "asked": {}}
        slot = move.slots.get(key[1])
        domain = [] if slot is None else _domain(game, slot, values)
        things = [t for t in domain if isinstance(t, Entity) and shown(game.pack, t) == key[2]]
        if not things:
            return False
        self.offered[key] += 1
        for requirement in move.requires:
            if not requirement.afterwards:
                given = {**values, key[1]: things[0]}
                if _holds(game, move, requirement, given) is False:
                    self.failed[key, requirement.text.rule] += 1
        return True

    def blamed(self, key: Key) -> str:
        """Return the rule that forbids what was legal before, if one is found."""
        always = self._always(key)
        counted = self.blame.get(key, Counter()).most_common(1)
        return always[-1] if always else counted[0][0] if counted else ""

    def _always(self, key: Key) -> list[str]:
        return [
            rule
            for (other, rule), times in self.failed.items()
            if other == key and times == self.offered[key]
        ]

    def is_sure(self, key: Key) -> bool:
        """Return whether a thing was on offer again and again, and one rule always forbade it."""
        return self.offered[key] >= OFFERED and bool(self._always(key))

    def unbroken(self) -> Iterator[tuple[str, int]]:
        """Yield the requirements that always held, with how often they were asked."""
        for rule, times in self.held.items():
            if not self.broken[rule] and times >= OFFERED:
                yield rule[1], times

    def never(self) -> Iterator[tuple[Rule, int]]:
        """Yield the requirements that never held, with how often they were asked."""
        for rule, times in self.broken.items():
            if not self.held[rule]:
                yield rule, times


def _domain(game: Game, slot: Slot, values: Mapping[str, object]) -> list[object]:
    """Return the things that a slot is about in a state, a few of them."""
    if slot.domain is None:
        return []
    try:
        game.state.grant()
        return list(dict.fromkeys(slot.domain.fn(game.state, dict(values))))[:MOST_OFFERED]
    except ExpressionError:
        return []


def _holds(
    game: Game, move: MoveDef, requirement: Requirement, values: Mapping[str, object]
) -> bool | None:
    """Return whether a requirement holds for some values; None if that cannot be told."""
    given = dict(values)
    try:
        game.state.grant()
        for name, expr in move.lets:
            with suppress(ExpressionError):
                given[name] = expr.fn(game.state, given)
        return requirement.that.fn(game.state, given) is True
    except ExpressionError:
        return None

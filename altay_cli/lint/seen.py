"""Judge conditions by what zones were seen to hold in games: some are out of reach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, product

from altay_cli.base.findings import ExpressionError, Text
from altay_cli.base.resources import pack_folder
from altay_cli.base.values import NOTHING, Bag, Entity
from altay_cli.checking.playing import Game
from altay_cli.compile.building import apply_variants, compile_tree
from altay_cli.compile.load import link_pack
from altay_cli.lint import known as k
from altay_cli.lint import limits
from altay_cli.lint.interpreter import Interpreter
from altay_cli.match.state import State
from altay_cli.moves.listing import Move
from altay_cli.pack.model import Expr, IfEffect, Pack, Zone, everything
from altay_cli.scoring.score import Standing
from altay_cli.simulation.simulated import PlayPlan, Watch
from altay_cli.source.folder import read_folder

MARGIN = 3
"""Numbers can be so many times as great as any that was seen."""


COUNTED_LISTING = 25
"""In one of so many listings, a player is given all that there is."""


class SeenZones(Watch):
    """What the zones of some conditions held at any time in games, and which conditions held."""

    def __init__(self, pack: Pack, conditions: Iterable[Expr]) -> None:
        self.pending = {condition.source: condition for condition in conditions}
        """The conditions that have not held, by source."""
        read = frozenset(chain(*(condition.zones for condition in self.pending.values())))
        self.zones = [pack.zones[index] for index in read if pack.zones[index].lifetime != "turn"]
        self.values: dict[int, set[object]] = {zone.index: set() for zone in self.zones}
        """By zone: the numbers or things in its cells, or the sizes of bags."""
        self.sums: dict[int, set[int]] = {zone.index: set() for zone in self.zones}
        """By zone of numbers: their sums, of which two suffice."""
        self.games_with: Counter[tuple[int, object]] = Counter()
        """By zone and value: how many games had it."""
        self.games = 0
        self.counting = {
            source: zones
            for source, condition in self.pending.items()
            if not condition.locals and (zones := _counted(pack, condition))
        }
        """By source: the zones of a condition that only counts things of one kind.

        It held for nobody who would have had all of them."""
        self.repeated: set[int] = set()
        """Zones of these that held a thing more than once."""
        self._of_game: set[tuple[int, object]] = set()
        self._listings = 0

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:  # noqa: ARG002 - fixed
        """Note what the zones hold."""
        self._note(game.state)

    def on_score(self, game: Game, standing: Standing) -> None:  # noqa: ARG002 - fixed
        """Note what the zones hold at the end of a game."""
        self._note(game.state)
        self.games += 1
        self.games_with.update(self._of_game)
        for index, value in self._of_game:
            self.values[index].add(value)
        self._of_game.clear()

    def _note(self, state: State) -> None:
        for source, condition in [*self.pending.items()]:
            if condition.locals:
                continue
            with suppress(ExpressionError):
                state.grant()
                if condition.fn(state, {}) is True:
                    del self.pending[source]
        self._listings += 1
        if not self._listings % COUNTED_LISTING:
            self._count_all(state)
        for zone in self.zones if self.pending else ():
            held = [_plain(state.cells[cell]) for cell in _cells(state, zone)]
            self._of_game.update((zone.index, value) for value in held)
            sums = self.sums[zone.index]
            if zone.shape == "int" and len(sums) < 2:
                sums.add(sum(value for value in held if isinstance(value, int)))

    def _count_all(self, state: State) -> None:
        for source, zones in [*self.counting.items()]:
            for zone in zones:
                if any(_most_alike(state.cells[cell]) > 1 for cell in _cells(state, zone)):
                    self.repeated.add(zone.index)
            asked = self.pending.get(source)
            if asked is None or _holds_with_all(state, asked, zones, self.repeated):
                del self.counting[source]

    def known(self, zone: Zone) -> k.Known:
        """Return what a cell of a zone may hold, if games show it."""
        values = self.values.get(zone.index, set())
        if len(values) < 2:
            return None
        numbers = [value for value in values if type(value) is int]
        if zone.shape not in {"int", "bag", "pile"}:
            return k.Few(tuple(values)) if len(values) < limits.MOST_AMONG**2 else None
        least, most = min(numbers, default=0), max(numbers, default=0)
        is_usual = 2 * self.games_with[zone.index, most] > self.games >= limits.ENOUGH_GAMES
        sums = self.sums[zone.index]
        if zone.shape == "int" and len(sums) == 1 and least >= 0:
            most = min(*sums, MARGIN * most)
        elif zone.shape != "int" or not is_usual:
            most *= MARGIN
        if zone.shape != "int":
            return k.Sized(0, most)
        return k.Range(min(MARGIN * least, 0), most)


def _counted(pack: Pack, condition: Expr) -> list[Zone]:
    """Return the zones of a condition that asks only for more things of one kind than a player has.

    Zones of the course of the game, such as its last round, do not count.
    """
    course = {expr.source for expr in pack.status.values()}
    zones = [pack.zones[i] for i in condition.zones if pack.zones[i].name not in course]
    kinds = {zone.kind for zone in zones if zone.shape in {"bag", "entity"}}
    are_things = all(zone.shape in {"bag", "entity"} for zone in zones) and len(kinds) == 1
    asks_more = ">" in condition.source and not re.search(r"<|==|\|\||\?", condition.source)
    return zones if are_things and asks_more else []


def _most_alike(value: object) -> int:
    return max(value.values(), default=0) if isinstance(value, Bag) else 0


def _holds_with_all(
    state: State, condition: Expr, zones: Sequence[Zone], repeated: Collection[int]
) -> bool:
    """Return True if a condition holds for a player who has all things that there are.

    Those that are in the zone only once have been so in all games, unless it is ``repeated``.
    """
    kind = zones[0].kind
    there = [zone for zone in state.pack.zones if zone.kind == kind and not zone.tally]
    held = [state.cells[cell] for zone in there for cell in _cells(state, zone)]
    everything = Counter(state.pack.entities.get(kind, ()))
    total: Counter[Entity] = Counter()
    for value in held:
        total.update(value if isinstance(value, Bag) else [value] * isinstance(value, Entity))
    for filled in (zone for zone in zones if zone.shape == "bag"):
        mark = state.journal.mark()
        for zone in there:
            for cell in _cells(state, zone) if zone.shape in {"bag", "entity"} else ():
                state.journal.put(cell, NOTHING if zone.shape == "bag" else None)
        full = everything | total if filled.index in repeated else everything
        for cell in _cells(state, filled):
            state.journal.put(cell, Bag(full))
        try:
            state.grant()
            if condition.fn(state, {}) is not False:
                return True
        except ExpressionError:
            return True
        finally:
            state.journal.undo(mark)
    return False


def _cells(state: State, zone: Zone) -> Iterator[int]:
    """Yield the cells of a zone that belong to players and things of the game."""
    kinds = (
        state.players if kind == "player" else state.pack.entities.get(kind, ())
        for kind in zone.per
    )
    for key in product(*kinds):
        yield zone.first + sum(
            step * thing.index for step, thing in zip(zone.steps, key, strict=True)
        )


def _plain(value: object) -> object:
    """Return a value, or the size of a collection."""
    if isinstance(value, Bag):
        return value.size()
    return len(value) if isinstance(value, tuple | list) else value


def out_of_reach(
    condition: Expr, seen: SeenZones, pack: Pack, plan: PlayPlan
) -> Sequence[str] | None:
    """Return why a condition of rules is out of reach of all that games show; None if it is not."""
    if condition.source in seen.counting:
        return [Text("it would not even hold for a player who had all that there is")]
    truth = _interpreter(plan)
    conditions = [of.when for of in (*truth.pack.triggers, *truth.pack.watches)]
    conditions += [ending.when for ending in truth.pack.endings]
    effects = (effect for effects in truth.pack.routines for effect in everything(effects))
    conditions += [effect.condition for effect in effects if isinstance(effect, IfEffect)]
    same = next((when for when in conditions if when.source == condition.source), None)
    if same is None:
        return None
    names = {zone.name: zone for zone in pack.zones}
    things = {(t.kind, t.id): t for ts in truth.pack.entities.values() for t in ts}
    for zone in truth.pack.zones:
        known = seen.known(names[zone.name])
        if isinstance(known, k.Few):
            own = (
                things.get((value.kind, value.id), value) if isinstance(value, Entity) else value
                for value in known.values
            )
            known = k.Few(tuple(own))
        truth.zones[zone.index] = known
    return truth.reasons(same) if truth.of(same, switches=True) is False else None


def _interpreter(plan: PlayPlan) -> Interpreter:
    folder, beside = pack_folder(plan.pack), plan.folder
    names = [name for tag, name in plan.tags if tag == "Variant"]
    paths = [
        beside / name
        if beside is not None and (beside / name).is_file()
        else folder / "variants" / f"{name}.yaml"
        for name in names
    ]
    compiled = compile_tree(apply_variants(read_folder(folder), folder, paths))
    assert compiled is not None  # games were played by these rules
    link_pack(compiled.pack)
    return Interpreter(compiled)

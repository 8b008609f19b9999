"""Find moves that gain something for nothing in one turn, or change nothing in all turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from altay_cli.base.values import Bag, likeliest
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.playing import Game
from altay_cli.lint import limits
from altay_cli.match.state import State
from altay_cli.moves.listing import Move
from altay_cli.pack.model import Zone

GAINS = 3
"""A move and its way back gain something for nothing if they do so this often in a row."""

IDLE_TURNS = 8
"""A move changes nothing, without end, if each player makes it in so many turns."""

MOST_AFTER = 40
"""Moves that are tried as a way back."""

Held = dict[tuple[int, int], object]
"""By index of a zone and cell: what it holds."""


class Gains:
    """Tries new moves, alone and followed by another move, where they are legal."""

    def __init__(self, new: Collection[str]) -> None:
        self.new = frozenset(new)
        self.found: dict[tuple[str, ...], str] = {}
        """Moves that gain something, with a game that shows it."""
        self.idle: dict[str, str] = {}
        """Moves that all players can make, turn by turn, without a change."""
        self._probed: Counter[str] = Counter()

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Try the new moves among legal ones."""
        for move in moves:
            if move.id in self.new and self._probed[move.id] < limits.ENOUGH and not self.found:
                self._probed[move.id] += 1
                self._try(game, move)
                if move.id not in self.idle and (log := _idle_game(game, move)):
                    self.idle[move.id] = log

    def _try(self, game: Game, move: Move) -> None:
        before = _held(game.state)
        with suppress(IllegalMove):
            game.apply(move.statement, pick=likeliest)
            way: list[Move] | None = None
            if game.state.next_decision is None:
                way = [move] if _is_gain(game.state, before) else _way_back(game, move, before)
            game.undo()
            if way:
                self._repeat(game, way)

    def _repeat(self, game: Game, way: Sequence[Move]) -> None:
        made = 0
        with suppress(IllegalMove):
            for _ in range(GAINS):
                for move in way:
                    game.apply(move.statement, pick=likeliest)
                    made += 1
        if made == GAINS * len(way):
            self.found.setdefault(tuple(dict.fromkeys(move.id for move in way)), game.log())
        for _ in range(made):
            game.undo()


def _idle_game(game: Game, move: Move) -> str:
    """Return a game whose players only make this move and leave all as it is, if there is one."""
    before = _lasting(game.state)
    turns, made, left = 0, 0, IDLE_TURNS * len(game.state.players)
    with suppress(IllegalMove):
        while turns < left and not game.ended:
            listed = game.candidates()
            next_move = next((m for m in listed if m.definition.heading or m.id == move.id), None)
            if next_move is None:
                break
            game.apply(next_move, pick=likeliest)
            made += 1
            turns += next_move.id == move.id
    is_idle = turns == left and not game.ended and _lasting(game.state) == before
    log = game.log() if is_idle else ""
    for _ in range(made):
        game.undo()
    return log


def _lasting(state: State) -> list[object]:
    """Return what zones hold, but those of turns and of the course of the game."""
    course = {expr.source for expr in state.pack.status.values()}
    zones = (z for z in state.pack.zones if z.lifetime != "turn" and z.name not in course)
    return [_copy(state.cells[cell]) for zone in zones for cell in range(*zone.cells)]


def _way_back(game: Game, first: Move, before: Held) -> list[Move] | None:
    listed = (m for m in game.candidates() if not (m.definition.closes or m.definition.heading))
    for move in islice(listed, MOST_AFTER):
        with suppress(IllegalMove):
            game.apply(move.statement, pick=likeliest)
            is_gain = game.state.next_decision is None and _is_gain(game.state, before)
            game.undo()
            if is_gain:
                return [first, move]
    return None


def _held(state: State) -> Held:
    cells = ((zone, cell) for zone in state.pack.zones for cell in range(*zone.cells))
    return {(zone.index, cell): _copy(state.cells[cell]) for zone, cell in cells}


def _copy(value: object) -> object:
    if isinstance(value, Bag):
        return Counter(dict(value.items()))
    return list(value) if isinstance(value, list) else value


def _is_gain(state: State, before: Held) -> bool:
    """Return True if players only gained, exactly what the table lost."""
    gained: Counter[object] = Counter()
    for zone, number, change in _changes(state, before):
        is_own = zone.per[:1] == ("player",)
        if change is None or zone.lifetime == "turn" or (number > 0) is not is_own:
            return False
        gained[change] += number
    return bool(gained) and not any(gained.values())


def _changes(state: State, before: Held) -> Iterator[tuple[Zone, int, object]]:
    """Yield the zones that changed, by how much, and what; None for no number of things."""
    for (index, cell), old in before.items():
        new, zone = _copy(state.cells[cell]), state.pack.zones[index]
        if new == old:
            continue
        if isinstance(new, Counter) and isinstance(old, Counter):
            for thing in {*new, *old}:
                if new[thing] != old[thing]:
                    yield zone, new[thing] - old[thing], thing
        elif isinstance(new, int) and isinstance(old, int) and not isinstance(new, bool):
            yield zone, new - old, ""
        else:
            yield zone, 0, None

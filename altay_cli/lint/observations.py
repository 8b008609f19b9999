"""Observe the course of games: what scores and formulas are worth, and whether an end is undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from altay_cli.base.findings import ExpressionError
from altay_cli.base.values import Bag, Entity
from altay_cli.checking.playing import Game
from altay_cli.match.state import State, frozen
from altay_cli.pack.model import Category, Expr, Pack
from altay_cli.scoring.score import CategoryScore, Standing

SCORED_LISTING = 10
"""Scores are looked at in one of so many listings within a round."""

Worth = tuple[str, str]
"""A category with "", or with "each" for the entities that it names; or an entity and its field."""

AT_END, BETWEEN, WITHIN = "at the end", "between rounds", "within a round"
ALL, SOME, APART = "all", "some", "apart"

TO_ACTIVE, TO_OTHERS, LOST = "to the player whose turn it was", "to others", "lost by that player"


class Count(NamedTuple):
    """How often a worth was looked at: when, and all, those not 0, or those that differ."""

    worth: Worth
    when: str
    which: str


@dataclass(slots=True)
class Observations:
    """The scores, formulas and ends that games have had.

    changing: zones that were not always the same when they were looked at; those of turns are not.
    games: how many games were begun, those that are given up included.
    places: by thing and zone, the number of games that had it there.
    keyed: by category that names things, their kind.
    gains: by category and whom, how often a turn brought points, or lost some.
    seated: by category, the points of the seats at the end of games; two different ones suffice.
    undone: a game where the last round is announced, and then is not the last.
    """

    counts: Counter[Count] = field(default_factory=Counter)
    changing: set[int] = field(default_factory=set)
    games: int = 0
    places: Counter[tuple[str, int]] = field(default_factory=Counter)
    keyed: dict[str, str] = field(default_factory=dict)
    gains: Counter[tuple[str, str]] = field(default_factory=Counter)
    seated: dict[str, set[tuple[int, ...]]] = field(default_factory=dict)
    undone: str = ""
    _first: dict[int, object] = field(default_factory=dict, compare=False)
    _places: set[tuple[str, int]] = field(default_factory=set, compare=False)
    _round: int = field(default=0, compare=False)
    _listings: int = field(default=0, compare=False)
    _is_ending: bool = field(default=False, compare=False)
    _active: object = field(default=None, compare=False)
    _points: dict[tuple[str, str], int] = field(default_factory=dict, compare=False)

    def absorb(self, other: Observations) -> None:
        """Add what another game shows."""
        self.counts.update(other.counts)
        self.changing |= other.changing
        self.games += other.games
        self.places.update(other.places)
        self.keyed |= other.keyed
        self.gains.update(other.gains)
        for ident, points in other.seated.items():
            self._note_seats(ident, points)
        self.undone = self.undone or other.undone

    def begin(self) -> None:
        """Begin a game."""
        self.games += 1
        self._first.clear()
        self._places.clear()
        self._round, self._listings, self._is_ending = 0, 0, False
        self._active = None
        self._points.clear()

    def on_listing(self, game: Game) -> None:
        """Look at the end, and now and then at scores."""
        ending = "ending" in game.pack.standing and game.state.status("ending") is True
        if self._is_ending and not ending and not self.undone:
            self.undone = game.log()
        self._is_ending = ending
        self._listings += 1
        is_between = game.round != self._round
        is_looked_at = is_between or not self._listings % SCORED_LISTING
        active = game.state.status("active")
        if not is_looked_at and active is self._active:
            return
        account = game.state.account
        left = account.left if account else 0  # observing costs the game no steps
        standing = game.score() if game.pack.categories else None
        if standing is not None and active is not self._active:
            self._note_gains(standing)
        self._active = active
        if is_looked_at:
            self._round = game.round
            if standing is not None:
                self._count_scores(standing, BETWEEN if is_between else WITHIN)
            self._count_formulas(game.state, BETWEEN if is_between else WITHIN)
            self._note_zones(game.state)
            self._note_places(game.state)
        if account:
            account.left = left

    def on_score(self, state: State, standing: Standing, ended: bool) -> None:
        """Note the scores of a game that has ended."""
        if ended:
            self._note_gains(standing)
            self._count_scores(standing, AT_END)
            self._count_formulas(state, AT_END)
            self._note_zones(state)
            self._note_places(state)

    def of(self, worth: Worth, when: str, which: str = ALL) -> int:
        """Return how often something was seen."""
        return self.counts[Count(worth, when, which)]

    def _note_gains(self, standing: Standing) -> None:
        """Note which players have other points than when the last turn ended."""
        active = getattr(self._active, "id", None)
        for player in standing.players:
            for score in player.categories:
                ident, place = score.category.id, (score.category.id, player.player)
                if score.fault is not None:
                    continue
                more = score.points - self._points.get(place, score.points)
                self._points[place] = score.points
                if more > 0 and active is not None:
                    self.gains[ident, TO_ACTIVE if player.player == active else TO_OTHERS] += 1
                elif more < 0 and player.player == active:
                    self.gains[ident, LOST] += 1

    def _count_scores(self, standing: Standing, when: str) -> None:
        by_category: dict[str, list[CategoryScore]] = {}
        for player in standing.players:
            known = {score.category.id: score for score in (*player.categories, *player.ties)}
            for ident, score in known.items():
                if score.fault is None:
                    by_category.setdefault(ident, []).append(score)
        for ident, scores in by_category.items():
            for key in (line.key for score in scores for line in score.lines):
                if isinstance(key, Entity):
                    self.keyed[ident] = key.kind
            points = [score.points for score in scores]
            self._count((ident, ""), when, points)
            if when == AT_END:
                self._note_seats(ident, [tuple(points)])
            keyed = [sum(line.points for line in s.lines if line.key is not None) for s in scores]
            if any(line.key is not None for score in scores for line in score.lines):
                self._count((ident, "each"), when, keyed)

    def _note_seats(self, category: str, points: Iterable[tuple[int, ...]]) -> None:
        known = self.seated.setdefault(category, set())
        if len(known) < 2:
            known.update(points)

    def _count_formulas(self, state: State, when: str) -> None:
        for thing, name, formula in formulas(state.pack):
            sizes = []
            for player in state.players:
                with suppress(ExpressionError):
                    state.grant()
                    sizes.append(len(formula.fn(state, {"me": player})))
            self._count((thing.id, name), when, sizes)

    def _count(self, worth: Worth, when: str, numbers: list[int]) -> None:
        self.counts[Count(worth, when, ALL)] += 1
        self.counts[Count(worth, when, SOME)] += any(numbers)
        self.counts[Count(worth, when, APART)] += len(set(numbers)) > 1

    def _note_zones(self, state: State) -> None:
        for zone in state.pack.zones:
            if zone.index not in self.changing and zone.lifetime != "turn":
                held = tuple(map(frozen, state.cells[slice(*zone.cells)]))
                if self._first.setdefault(zone.index, held) != held:
                    self.changing.add(zone.index)

    def _note_places(self, state: State) -> None:
        """Note what players have: the things in their zones, but not of the turn."""
        for zone in state.pack.zones:
            if zone.per[:1] != ("player",) or zone.lifetime == "turn":
                continue
            for value in state.cells[slice(*zone.cells)]:
                held = value if isinstance(value, Bag) else [value]
                for thing in held:
                    place = (thing.id, zone.index) if isinstance(thing, Entity) else None
                    if place is not None and place not in self._places:
                        self._places.add(place)
                        self.places[place] += 1


def expressions_of(category: Category) -> Iterator[Expr]:
    """Yield the expressions that make the points of a category."""
    for part in category.parts:
        yield part.points
        if part.each is not None:
            yield part.each[1]
        if part.cap is not None:
            yield part.cap


def zones_of(category: Category) -> frozenset[int]:
    """Return the zones that the points of a category read."""
    return frozenset().union(*(expr.zones for expr in expressions_of(category)))


def formulas(pack: Pack) -> Iterator[tuple[Entity, str, Expr]]:
    """Yield the formulas in fields of entities, each with its entity and field."""
    for things in pack.entities.values():
        for thing in things:
            for name, value in thing.f.items():
                if isinstance(value, Expr) and value.source != "[]":
                    yield thing, name, value

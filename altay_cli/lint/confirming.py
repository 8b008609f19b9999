"""Confirm that something never happens: play more games, in which players seek it.

What 20 games do not show may be rare. Players who make new moves and use new things whenever they
can show it soon, or hardly ever.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from altay_cli.base.findings import Text
from altay_cli.base.values import Entity
from altay_cli.checking.playing import Game, IllegalMove
from altay_cli.lint import limits
from altay_cli.lint.comparing import PairedPlay, is_gone
from altay_cli.lint.observations import AT_END, BETWEEN, SOME, WITHIN
from altay_cli.lint.playtests import Playtests, RequirementTests, Traced
from altay_cli.moves.listing import Move
from altay_cli.pack.model import Zone
from altay_cli.scoring.score import Standing
from altay_cli.simulation.simulated import GREEDY, RANDOM, PlayPlan, Watch, playout
from altay_cli.source.folder import Change, walk

FIRST_NUMBER = 1001
"""The number of the first further game: a game depends on its number."""

SEEKING = 2
"""One in so many further games is played without seeking anything."""


class Suspicion(ABC):
    """What seems never to happen, and how to see in further games whether it does."""

    @abstractmethod
    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it has happened."""

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if all games together show enough."""
        return more.number >= limits.ENOUGH_GAMES

    @abstractmethod
    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""


class MoreGames(Watch):
    """Observes further games: all that earlier ones showed counts as well."""

    def __init__(self, pair: PairedPlay, asked: RequirementTests) -> None:
        self.pair = pair
        self.played = Playtests.after(pair.after.quotas())
        self.asked = asked
        self.number = len(pair.after.outcomes)

    @property
    def both(self) -> tuple[Playtests, Playtests]:
        """The earlier games and the further ones."""
        return self.pair.after, self.played

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Observe the legal moves."""
        self.played.on_listing(game, moves)
        self.asked.on_listing(game, moves)

    def on_move(self, game: Game, move: Move) -> None:
        """Observe a move that was made."""
        self.played.on_move(game, move)

    def on_stuck(self, game: Game, failed: Sequence[tuple[Move, IllegalMove]]) -> None:
        """Observe that no move is possible."""
        self.played.on_stuck(game, failed)

    def on_score(self, game: Game, standing: Standing) -> None:
        """Observe a score."""
        self.played.on_score(game, standing)


def confirmed(
    pair: PairedPlay, plan: PlayPlan, asked: RequirementTests, changes: Sequence[Change]
) -> Iterator[Traced]:
    """Yield what still never happens after further games; they stop when nothing is left."""
    suspicions = [*_suspicions(pair, asked)]
    more = MoreGames(pair, asked)
    left = limits.CONFIRMING_STEPS
    sought = frozenset(_sought(pair, changes))
    for number in range(FIRST_NUMBER, FIRST_NUMBER + limits.CONFIRMING_GAMES):
        suspicions = [one for one in suspicions if not one.is_refuted(more)]
        if not suspicions or left < 0:
            break
        style = RANDOM if number % 4 == 0 else GREEDY
        seeks = sought if number % SEEKING else frozenset()
        rounds = plan.max_rounds if style == GREEDY else plan.max_rounds // 4
        more.played.number, more.played.style = number, style
        more.played.course.begin()
        further = replace(plan, policies=(style,), sought=seeks, max_rounds=rounds)
        left -= playout(further, number, more).steps
        more.number += 1
    yield from (one.finding(more) for one in suspicions if one.is_certain(more))


def _sought(pair: PairedPlay, changes: Sequence[Change]) -> Iterator[str]:
    """Yield the ids of moves and things that are new, or that a change names."""
    yield from {move.id for move in pair.pack.moves} - {move.id for move in pair.base.moves}
    yield from (thing.id for thing in pair.new_things())
    known = {move.id for move in pair.pack.moves}
    known |= {thing.id for things in pair.pack.entities.values() for thing in things}
    for change in changes:
        yield from known.intersection(change.path.split("."))
        texts = (value for _, value in walk(change.data) if isinstance(value, str))
        yield from (name for text in texts for name in known.intersection(text.split(".")))


# ---------------------------------------------------------------- suspicions


def _suspicions(pair: PairedPlay, asked: RequirementTests) -> Iterator[Suspicion]:
    known = {category.id for category in pair.base.categories}
    yield from (Worthless(c.id) for c in pair.pack.categories if c.id not in known and c.parts)
    yield from _new_restrictions(pair, asked)
    yield from _new_goals(pair)


@dataclass(frozen=True, slots=True)
class Worthless(Suspicion):
    """A new category that was never worth anything."""

    category: str

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it was worth something for a player at any time."""
        times = AT_END, BETWEEN, WITHIN
        courses = [tests.course for tests in more.both]
        return any(c.of((self.category, ""), when, SOME) for c in courses for when in times)

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        template = "`{category}` was worth 0 for every player at any time, in {games} games"
        message = Text(template, category=self.category, games=more.number)
        return Traced("play-worthless", message, about=self.category)


@dataclass(frozen=True, slots=True)
class ForbidsNothing(Suspicion):
    """A new requirement of moves of the game that always held."""

    rule: str
    moves: tuple[str, ...]

    def _times(self, more: MoreGames, held: bool | None) -> int:
        return sum(more.asked.answers[(move, self.rule), held] for move in self.moves)

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it did not hold once, or could not be tested."""
        return bool(self._times(more, False) or self._times(more, None))

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if it was tested often."""
        return self._times(more, True) >= limits.ENOUGH_TESTS

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        message = Text(
            "`{rule}` forbade nothing in {games} games", rule=self.rule, games=more.number
        )
        held = Text(
            "it held each of the {count} times that it was tested", count=self._times(more, True)
        )
        rules = (self.rule,)
        return Traced("play-no-effect", message, (held,), about=self.rule, forbidden_by=rules)


def _new_restrictions(pair: PairedPlay, asked: RequirementTests) -> Iterator[Suspicion]:
    moves = {move.id for move in pair.base.moves}
    known = {requirement.that.source for move in pair.base.moves for requirement in move.requires}
    rules: dict[str, list[str]] = {}
    for move, requirement in asked.new:
        if move.id in moves and requirement.that.source not in known:
            rules.setdefault(requirement.text.rule, []).append(move.id)
    yield from (ForbidsNothing(rule, tuple(of)) for rule, of in rules.items())


@dataclass(frozen=True, slots=True)
class NeverCompleted(Suspicion):
    """A new thing that players begin and never complete, unlike others of its kind.

    first, last: the zones where a player has it before and after.
    begun, done: how many times others were in the one, and in the other as well.
    """

    thing: Entity
    first: Zone
    last: Zone
    begun: int
    done: int

    def _games(self, more: MoreGames, zone: Zone) -> int:
        return sum(tests.course.places[self.thing.id, zone.index] for tests in more.both)

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it was completed."""
        return self._games(more, self.last) > 0

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if that cannot be chance."""
        return is_gone(self.done, self.begun, self._games(more, self.first))

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        template = "{name} came to `{first}` in {count} of {games} games, and never to `{last}`"
        message = Text(
            template,
            name=more.pair.name(self.thing),
            first=self.first.name,
            count=self._games(more, self.first),
            games=more.number,
            last=self.last.name,
        )
        share = f"{self.done / self.begun:.0%}"
        usual = Text("of the times that others of its kind came there, {share} did", share=share)
        return Traced("play-never", message, (usual,), about=self.thing.id)


def _new_goals(pair: PairedPlay) -> Iterator[Suspicion]:
    known = {zone.name: zone.index for zone in pair.base.zones}
    own = [zone for zone in pair.pack.zones if zone.per[:1] == ("player",) and zone.name in known]
    places = pair.before.course.places
    for thing in pair.new_things():
        others = [other.id for other in pair.base.entities.get(thing.kind, ())]
        for first, last in permutations(own, 2):
            begun = [places[other, known[first.name]] for other in others]
            done = [min(n, places[o, known[last.name]]) for o, n in zip(others, begun, strict=True)]
            if sum(done) >= limits.ENOUGH and is_gone(sum(done), sum(begun), limits.ENOUGH):
                yield NeverCompleted(thing, first, last, sum(begun), sum(done))

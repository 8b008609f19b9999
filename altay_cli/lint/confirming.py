"""Confirm that something never happens: play more games, in which players seek it.

What 20 games do not show may be rare. Players who make new moves and use new things whenever they
can show it soon, or hardly ever.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any

from altay_cli.base.findings import ExpressionError, Text
from altay_cli.base.values import Entity
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.playing import Game
from altay_cli.lint import limits
from altay_cli.lint.comparing import PairedPlay, is_gone, offers
from altay_cli.lint.observations import AT_END, BETWEEN, SOME, WITHIN, formulas
from altay_cli.lint.playtests import Playtests, RequirementTests, Traced
from altay_cli.lint.reduced import (
    GamesOfPlan,
    bounds_in,
    edited,
    game_plan,
    lower,
    lower_by_one,
    same_games,
)
from altay_cli.lint.seen import SeenZones, out_of_reach
from altay_cli.match.state import State
from altay_cli.moves.listing import Move
from altay_cli.pack.model import Expr, Pack, Zone
from altay_cli.pack.words import words_of
from altay_cli.scoring.score import Standing
from altay_cli.simulation.planning import rules_for
from altay_cli.simulation.simulated import GREEDY, RANDOM, Playout, PlayPlan, Watch, playout
from altay_cli.simulation.tally import Estimate, difference, proportion
from altay_cli.source.folder import Change, Variant, walk

FIRST_NUMBER = 1001
"""The number of the first further game: a game depends on its number."""

ENOUGH_OTHERS = 3
"""So many other things show, at least, how often a move can name one of their kind."""

SEEKING = 2
"""One in so many further games is played without seeking anything."""


MOSTLY = 0.9
"""A seat with this share of victories may surely win more than its share after more games."""

LARGER = 4
"""One in so many further games is played by as many players as can play."""

NEARLY_ALL = 0.95
"""A seat with this share of victories, and surely a smaller one before, decides the game."""


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
        self.seen = SeenZones(pair.pack, (when for _, when in new_conditions(pair)))
        self.number = len(pair.after.outcomes)
        self.worths: dict[str, set[int]] = defaultdict(set)
        """By thing with a formula: what it would have been worth for a player."""

    @property
    def both(self) -> tuple[Playtests, Playtests]:
        """The earlier games and the further ones."""
        return self.pair.after, self.played

    def on_listing(self, game: Game, moves: Sequence[Move]) -> None:
        """Observe the legal moves."""
        self.played.on_listing(game, moves)
        self.asked.on_listing(game, moves)
        self.seen.on_listing(game, moves)

    def on_move(self, game: Game, move: Move) -> None:
        """Observe a move that was made."""
        self.played.on_move(game, move)

    def on_stuck(self, game: Game, failed: Sequence[tuple[Move, IllegalMove]]) -> None:
        """Observe that no move is possible."""
        self.played.on_stuck(game, failed)

    def on_score(self, game: Game, standing: Standing) -> None:
        """Observe a score."""
        self.played.on_score(game, standing)
        self.seen.on_score(game, standing)
        for thing, points in _worths(game.state, self.pair.before.course.keyed):
            self.worths[thing].add(points)


def confirmed(
    pair: PairedPlay,
    plan: PlayPlan,
    asked: RequirementTests,
    changes: Sequence[Change],
    variants: Sequence[Variant] = (),
) -> Iterator[Traced]:
    """Yield what still never happens after further games; they stop when nothing is left."""
    suspicions = [*_suspicions(pair, asked, changes)]
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
        players = pair.pack.most if number % LARGER == 1 else plan.players
        further = replace(plan, policies=(style,), sought=seeks, max_rounds=rounds, players=players)
        outcome = playout(further, number, more)
        more.played.outcomes.append(outcome)
        left -= outcome.steps
        more.number += 1
    for one in suspicions:
        if not one.is_certain(more):
            continue
        match one:
            case NeverOffered() if _is_offered_for_half(one.thing, plan, changes, variants):
                continue
            case ForbidsNothing() if _is_rare(one.rule, more, plan, changes, variants):
                yield one.finding(more)._replace(is_note=True)
                continue
            case OutOfReach() if not one.is_proven(more, plan, changes, variants):
                continue
        yield one.finding(more)


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


def _worths(state: State, kinds: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the things with formulas, each with what it would score for a player who had it.

    kinds: by category that names things, their kind.
    """
    things = {thing.id: thing for thing, _, _ in formulas(state.pack)}.values()
    parts = [(kinds.get(c.id), part) for c in state.pack.categories for part in c.parts if part.key]
    for kind, part in parts:
        name = part.each[0] if part.each else ""
        for thing, player in product(things, state.players):
            if thing.kind == kind:
                with suppress(ExpressionError):
                    state.grant()
                    values = {"me": player, name: thing}
                    points = part.points.fn(state, values)
                    capped = points if part.cap is None else min(points, part.cap.fn(state, values))
                    yield thing.id, capped


# ---------------------------------------------------------------- suspicions


def _suspicions(
    pair: PairedPlay, asked: RequirementTests, changes: Sequence[Change]
) -> Iterator[Suspicion]:
    known = {category.id for category in pair.base.categories}
    yield from (
        Worthless(c.id, c.title) for c in pair.pack.categories if c.id not in known and c.parts
    )
    yield from (NeverLegal(move) for move in asked.added)
    yield from _new_restrictions(pair, asked)
    yield from _new_goals(pair)
    yield from _new_offers(pair)
    yield from _frozen(pair)
    yield from _unreached(pair)
    yield from _decided_by_seat(pair)
    yield from _formulas(pair, changes)


@dataclass(frozen=True, slots=True)
class Worthless(Suspicion):
    """A new category that was never worth anything."""

    category: str
    title: str

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it was worth something for a player at any time."""
        times = AT_END, BETWEEN, WITHIN
        courses = [tests.course for tests in more.both]
        return any(c.of((self.category, ""), when, SOME) for c in courses for when in times)

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        template = "`{category}` was worth 0 for every player at any time, in {games} games"
        message = Text(template, category=self.title, games=more.number)
        return Traced("play-worthless", message, about=self.category)


@dataclass(frozen=True, slots=True)
class NeverLegal(Suspicion):
    """A new move that was never legal, as one of its requirements never held."""

    move: str

    def _never(self, more: MoreGames) -> list[str]:
        return [rule for (move, rule), _ in more.asked.always(False) if move == self.move]

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it was legal."""
        return any((self.move, "", "") in tests.legal for tests in more.both)

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if a requirement never held."""
        return bool(self._never(more)) and not more.pair.after.halts

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        rule = self._never(more)[0]
        template = "`{move}` was never legal in {games} games: `{rule}` never held"
        message = Text(template, move=self.move, games=more.number, rule=rule)
        log = more.asked.shown[self.move, rule]
        return Traced("play-never", message, log=log, about=self.move, forbidden_by=(rule,))


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


def _is_rare(
    rule: str,
    more: MoreGames,
    plan: PlayPlan,
    changes: Sequence[Change],
    variants: Sequence[Variant],
) -> bool:
    """Return True if games only come near the upper bound of a requirement.

    They do not if all are the same with a third of it, or if they often come up to it.
    """
    named = (c for c in changes if rule in (value for _, value in walk(c.data)))
    change = next(named, None)
    bounds = [] if change is None else bounds_in(change.data)
    if change is None or not bounds or any(bound.startswith(">") for bound in bounds):
        return False
    games = GamesOfPlan(plan, more.pair.after.outcomes).first(limits.ENOUGH_GAMES)
    if same_games(plan, variants, change, [lower], games):
        return False
    with edited(plan, variants, change, lower_by_one) as other:
        if other is None:
            return False
        asked = RequirementTests(more.pair.base, rules_for(other), {})
        for number in range(1, limits.ENOUGH + 1):
            playout(game_plan(other, number), number, asked)
        return not any(of[1] == rule and held is False for of, held in asked.answers)


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
            first=self.first.title or self.first.name,
            count=self._games(more, self.first),
            games=more.number,
            last=self.last.title or self.last.name,
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


@dataclass(frozen=True, slots=True)
class NeverOffered(Suspicion):
    """A new thing that no move can name, although players seek it.

    usual: how often moves can name another thing of its kind, as a share of the games.
    """

    thing: Entity
    usual: float

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if a move named it."""
        name = more.pair.name(self.thing)
        return any(name == thing for tests in more.both for _, _, thing in tests.legal)

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if that cannot be chance."""
        return (1 - self.usual) ** more.number < limits.ACCIDENT

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        name = more.pair.name(self.thing)
        template = "no move was ever legal with {name} in {games} games, although players sought it"
        message = Text(template, name=name, games=more.number)
        usual = Text(
            "another thing of its kind was, in {share} of games", share=f"{self.usual:.0%}"
        )
        return Traced("play-never", message, (usual,), about=self.thing.id, things=(name,))


def _new_offers(pair: PairedPlay) -> Iterator[Suspicion]:
    words, games = words_of(pair.base, "en"), pair.before.course.games
    for thing in pair.new_things():
        others = {words.name(other) for other in pair.base.entities.get(thing.kind, ())}
        slots = [sorted(shares) for _, _, shares in offers(pair.before, others)]
        # In a quarter of the cases another thing is named less often.
        low = max(
            (shares[len(shares) // 4] for shares in slots if shares[ENOUGH_OTHERS:]), default=0
        )
        if low:
            yield NeverOffered(thing, low / games)


def _is_offered_for_half(
    thing: Entity, plan: PlayPlan, changes: Sequence[Change], variants: Sequence[Variant]
) -> bool:
    """Return True if moves could name a thing that asked for half of what it does."""
    change = next((c for c in changes if c.path.endswith(f".{thing.kind}.{thing.id}")), None)
    if change is None or not _halve(deepcopy(change.data)):
        return False
    with edited(plan, variants, change, _halve) as cheaper:
        if cheaper is None:
            return False
        name = words_of(rules_for(cheaper), "en").name(thing)
        played = Playtests()
        for number in range(FIRST_NUMBER, FIRST_NUMBER + limits.ENOUGH_GAMES):
            played.number = number
            playout(replace(cheaper, sought=frozenset({thing.id})), number, played)
            if any(name == other for _, _, other in played.legal):
                return True
    return False


def _halve(data: Any) -> bool:
    """Halve the lists of names in the data of a change; return True if there are any."""
    lists = [
        value
        for _, value in walk(data)
        if isinstance(value, list) and value[1:] and all(isinstance(name, str) for name in value)
    ]
    for names in lists:
        del names[len(names) // 2 :]
    return bool(lists)


@dataclass(frozen=True, slots=True)
class Frozen(Suspicion):
    """A new trigger or end whose condition reads only zones that never change.

    Zones of the course of the game, such as its last round, are left out.
    """

    about: str
    zones: frozenset[int]

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if some zone has changed."""
        return not all(self.zones.isdisjoint(tests.course.changing) for tests in more.both)

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        named = tuple(f"`{more.pair.pack.zones[index].name}`" for index in sorted(self.zones))
        template = "`{name}` makes no difference: {zones} never changed in {games} games"
        message = Text(template, name=self.about, zones=named, games=more.number)
        return Traced("play-no-effect", message, about=self.about)


def new_conditions(pair: PairedPlay) -> Iterator[tuple[str, Expr]]:
    """Yield the conditions of new triggers and ends, each with what to report it about."""
    base, pack = pair.base, pair.pack
    known = {trigger.when.source for trigger in (*base.triggers, *base.watches)}
    known |= {ending.when.source for ending in base.endings}
    new = [(trigger.id, trigger.when) for trigger in (*pack.triggers, *pack.watches)]
    new += [("outcome", ending.when) for ending in pack.endings]
    yield from ((about, when) for about, when in new if when.source not in known)


def _frozen(pair: PairedPlay) -> Iterator[Suspicion]:
    pack = pair.pack
    course = {zone.index for zone in pack.zones if zone.name in _status(pack)}
    for about, when in new_conditions(pair):
        zones = when.zones - course
        lasting = all(pack.zones[index].lifetime != "turn" for index in zones)
        if zones and lasting and "||" not in when.source:
            yield Frozen(about, zones)


def _status(pack: Pack) -> Set[str]:
    return {expr.source for expr in pack.status.values()}


@dataclass(slots=True)
class OutOfReach(Suspicion):
    """A new trigger or end whose condition never held, nor could with what zones were seen to hold.

    why: the numbers that show it, when it is proven.
    """

    about: str
    when: Expr
    name: str
    why: Sequence[str] = ()

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if the condition held."""
        return self.when.source not in more.seen.pending

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if enough further games were played."""
        return more.seen.games >= limits.ENOUGH_GAMES

    def is_proven(
        self,
        more: MoreGames,
        plan: PlayPlan,
        changes: Sequence[Change],
        variants: Sequence[Variant],
    ) -> bool:
        """Return True if the condition is out of reach, and games are the same without it."""
        change = next(
            (c for c in changes if self.when.source in (value for _, value in walk(c.data))), None
        )
        why = out_of_reach(self.when, more.seen, more.pair.pack, plan)
        if change is None or why is None:
            return False
        self.why = why
        games = GamesOfPlan(plan, more.pair.after.outcomes).first(limits.ENOUGH_GAMES)
        return same_games(plan, variants, change, [None], games)

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        template = "`{name}` never happened in {games} games, and is out of reach"
        message = Text(template, name=self.name, games=more.number)
        return Traced("play-never", message, (*self.why,), about=self.about)


def _unreached(pair: PairedPlay) -> Iterator[Suspicion]:
    ends = {ending.when.source: ending.by.source for ending in pair.pack.endings}
    for about, when in new_conditions(pair):
        yield OutOfReach(about, when, ends.get(when.source, about))


@dataclass(frozen=True, slots=True)
class SameWorth(Suspicion):
    """A thing with a formula that would always have scored the same, or nothing, for anybody."""

    thing: Entity

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it would have scored different points."""
        return len(more.worths[self.thing.id]) > 1

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if enough games were scored."""
        return more.number >= len(more.pair.after.outcomes) + limits.ENOUGH

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        games = more.number - len(more.pair.after.outcomes)
        values = {"name": more.pair.name(self.thing), "games": games}
        points = max(more.worths[self.thing.id], default=0)
        if points:
            template = "{name} would have been worth {points} to all players in all {games} games"
            message = Text(template, points=points, **values)
            advice = Text("what it counts makes no difference; it depends on `me`")
            return Traced("play-same-for-all", message, (advice,), about=self.thing.id)
        template = "{name} would have been worth nothing to any player in {games} games"
        return Traced("play-worthless", Text(template, **values), about=self.thing.id)


@dataclass(frozen=True, slots=True)
class MostlyWins(Suspicion):
    """A seat that wins nearly all games, although it does not without the variant."""

    seat: int

    def _share(self, more: MoreGames) -> Estimate:
        games = [game for tests in more.both for game in tests.ended_games]
        seats = len(more.pair.after.seats())
        return _share_of(self.seat, [game for game in games if len(game.sides) == seats])

    def is_refuted(self, more: MoreGames) -> bool:
        """Return True if it lost several games."""
        return self._share(more).value < MOSTLY

    def is_certain(self, more: MoreGames) -> bool:
        """Return True if it has won enough of as many games as can be played here."""
        usual, share = more.pair.before.seats()[self.seat], self._share(more)
        enough = share.n >= len(more.pair.after.ended_games) + limits.CONFIRMING_GAMES // 2
        return enough and share.value >= NEARLY_ALL and difference(usual, share).low > 0

    def finding(self, more: MoreGames) -> Traced:
        """Return what to report."""
        share = self._share(more)
        template = "the player of seat {seat} won {won} of {games} games"
        if share.value == 1:
            template = "the player of seat {seat} won all of {games} games"
        won = f"{share.value * share.n:.0f}"
        message = Text(template, seat=self.seat + 1, won=won, games=share.n)
        usual = more.pair.before.seats()[self.seat]
        without = Text("without the variant it won {share}", share=f"{usual.value:.0%}")
        return Traced("play-seat", message, (without,))


def _decided_by_seat(pair: PairedPlay) -> Iterator[Suspicion]:
    before, after = pair.before.seats(), pair.after.seats()
    for seat, (usual, now) in enumerate(zip(before, after, strict=False)):
        if usual.value < MOSTLY <= now.value:
            yield MostlyWins(seat)


def _share_of(seat: int, games: Sequence[Playout]) -> Estimate:
    shares = [game.sides[seat].share or 0 for game in games if seat < len(game.sides)]
    return proportion(sum(shares), len(shares))


def _formulas(pair: PairedPlay, changes: Sequence[Change]) -> Iterator[Suspicion]:
    named = {name for change in changes for name in change.path.split(".")}
    kinds = pair.before.course.keyed.values()
    things = {thing.id: thing for thing, _, _ in formulas(pair.pack)}
    yield from (SameWorth(t) for t in things.values() if t.id in named and t.kind in kinds)

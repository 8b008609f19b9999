"""The results of many simulated games, every number with its uncertainty, and how they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import NamedTuple, TypeVar

from altay_cli.compile.load import load_pack
from altay_cli.pack.model import NOTHING, Pack
from altay_cli.simulation.simulated import Playout, PlayPlan, Side, policy_names

# ---------------------------------------------------------------- estimates

Z = 1.959964
"""How many standard errors make 95 percent of a normal distribution, to both sides."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 percent confidence interval, out of ``n`` observations."""

    value: float
    low: float
    high: float
    n: int


def mean(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values, with the interval of the normal approximation.

    With fewer than two values the spread is unknown: the interval is the value itself.
    """
    return mean_of_groups([(value, 1) for value in values])


def mean_of_groups(groups: Sequence[tuple[float, int]]) -> Estimate:
    """Return the mean of values that come in groups, each given by the sum and number of its own.

    Values of one group, such as the players of a game, depend on each other, groups do not. The
    interval is that of a ratio estimator (linearised, over the groups); with groups of one it is
    that of ``mean``. ``n`` is the number of groups that have values.
    """
    filled = [(total, size) for total, size in groups if size]
    n, sizes = len(filled), sum(size for _, size in filled)
    if not n:
        return Estimate(0.0, 0.0, 0.0, 0)
    average = sum(total for total, _ in filled) / sizes
    if n < 2:
        return Estimate(average, average, average, n)
    squares = sum((total - average * size) ** 2 for total, size in filled)
    error = sqrt(squares * n / (n - 1)) / sizes
    return Estimate(average, average - Z * error, average + Z * error, n)


def proportion(successes: float, n: int) -> Estimate:
    """Return a proportion with its Wilson score interval, valid for few trials, and for shares."""
    if not n:
        return Estimate(0.0, 0.0, 1.0, 0)
    p = successes / n
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return Estimate(p, max(centre - half, 0.0), min(centre + half, 1.0), n)


def difference(before: Estimate, after: Estimate) -> Estimate:
    """Return ``after - before`` of two independent estimates.

    The interval is put together of the two intervals (Newcombe 1998, method 10; for means it is
    that of Welch in the normal approximation).
    """
    value = after.value - before.value
    low = value - sqrt((after.value - after.low) ** 2 + (before.high - before.value) ** 2)
    high = value + sqrt((after.high - after.value) ** 2 + (before.value - before.low) ** 2)
    return Estimate(value, low, high, min(before.n, after.n))


# ---------------------------------------------------------------- what is counted


@dataclass(frozen=True, slots=True)
class EndReason:
    """A reason why games ended or were given up: how many, their share of all, and which."""

    reason: str
    games: int
    share: Estimate
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """A number per game; ``counts`` is its distribution: values and numbers of games, ascending."""

    mean: Estimate
    median: float
    least: int
    most: int
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Ties:
    """What decided: the share of games with a tie for the most points, and the games by decision.

    ``categories`` counts the games by the categories that break ties, ``total`` those without a
    tie, ``shared`` those in which nothing breaks it. ``outcome`` counts those without a tie that
    no points decide.
    """

    share: Estimate
    total: int
    outcome: int
    categories: Mapping[str, int]
    shared: int


@dataclass(frozen=True, slots=True)
class Cohort:
    """Players who have something in common: their number, mean score and wins.

    A shared victory counts in part in ``won``; ``wins`` is its share of ``players``.
    """

    name: str
    title: str
    players: int
    score: Estimate
    won: float
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Grouping:
    """A division of all players into groups."""

    id: str
    title: str
    groups: tuple[Cohort, ...]


@dataclass(frozen=True, slots=True)
class Average:
    """A number per player: for all, for winners (shared victories included), for the others."""

    id: str
    title: str
    all: Estimate
    winners: Estimate
    others: Estimate

    @property
    def by_players(self) -> tuple[tuple[str, Estimate], ...]:
        """The three numbers with their names."""
        return ("all", self.all), ("winners", self.winners), ("others", self.others)


@dataclass(frozen=True, slots=True)
class ThingCount:
    """How often something was counted: in all games, and per game on average."""

    name: str
    count: int
    per_game: Estimate


@dataclass(frozen=True, slots=True)
class Counted:
    """What a measure counted, most frequent first; ``per_game`` is all of it together."""

    id: str
    title: str
    per_game: Estimate
    things: tuple[ThingCount, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """All that was counted over the games of one plan.

    ``over`` is the number of games that came to their end. Of the others only ``given_up`` tells:
    everything below it is about games that are over.
    """

    games: int
    over: int
    endings: tuple[EndReason, ...]
    given_up: tuple[EndReason, ...]
    rounds: Spread
    moves: Spread
    ties: Ties
    seats: Grouping
    groups: tuple[Grouping, ...]
    policies: Grouping
    total: Average
    categories: tuple[Average, ...]
    numbers: tuple[Average, ...]
    things: tuple[Counted, ...]
    made: Mapping[str, Mapping[str, int]]
    """By policy, how often its players made each kind of move, in all games."""


@dataclass(frozen=True, slots=True)
class Run:
    """Games that were played: a short name for the rules, the plan, the rules, what was counted."""

    label: str
    plan: PlayPlan
    pack: Pack
    tally: Tally


def tally(pack: Pack, outcomes: Iterable[Playout]) -> Tally:
    """Count the outcomes of games; ``pack`` has the titles of what is counted."""
    played = list(outcomes)
    over = [outcome for outcome in played if outcome.ended]
    sides = [outcome.sides for outcome in over]
    measures = pack.measures.values()
    policies = {policy.id: policy.title for policy in pack.policies.values()}
    made: dict[str, Counter[str]] = {}
    for side in (side for outcome in played for side in outcome.sides):
        made.setdefault(side.policy, Counter()).update(side.made)
    return Tally(
        games=len(played),
        over=len(over),
        endings=_endings(over, len(played)),
        given_up=_endings([o for o in played if not o.ended], len(played)),
        rounds=_spread([outcome.rounds for outcome in over]),
        moves=_spread([outcome.moves for outcome in over]),
        ties=_ties(pack, over),
        seats=_grouping("seat", "Seat", sides, lambda side: str(side.seat), int),
        groups=tuple(
            _grouping(m.id, m.title, sides, _entry(lambda side: side.groups, m.id, ""), str)
            for m in measures
            if m.group is not None
        ),
        policies=_grouping(
            "policy", "Policy", sides, lambda side: side.policy, policy_names(pack).index, policies
        ),
        total=_average("total", "Total", sides, lambda side: side.total),
        categories=tuple(
            _average(c.id, c.title, sides, _entry(lambda side: side.scores, c.id, 0))
            for c in pack.categories
        ),
        numbers=tuple(
            _average(m.id, m.title, sides, _entry(lambda side: side.numbers, m.id, 0))
            for m in measures
            if m.number is not None
        ),
        things=tuple(
            _things(m.id, m.title, sides) for m in measures if m.group is None and m.number is None
        ),
        made=made,
    )


def never_made(run: Run) -> list[tuple[str, str]]:
    """Return policies with moves that they never made, of those that only variants have."""
    if not run.pack.variants:
        return []
    known = {move.id for move in load_pack(run.plan.pack).moves}
    turns = (move for move in run.pack.moves if "turns" in move.phases)
    added = [m.id for m in turns if m.id not in known and not (m.fallback or m.heading)]
    policies = sorted(run.tally.made.items())
    return [(policy, move) for policy, made in policies for move in added if not made.get(move)]


def _endings(outcomes: Sequence[Playout], games: int) -> tuple[EndReason, ...]:
    numbers: dict[str, list[int]] = {}
    for outcome in outcomes:
        numbers.setdefault(outcome.end, []).append(outcome.number)
    return tuple(
        EndReason(reason, len(ended), proportion(len(ended), games), tuple(ended))
        for reason, ended in sorted(numbers.items(), key=lambda item: (-len(item[1]), item[0]))
    )


def _spread(values: Sequence[int]) -> Spread:
    middle = float(median(values)) if values else 0.0
    counts = tuple(sorted(Counter(values).items()))
    return Spread(mean(values), middle, min(values, default=0), max(values, default=0), counts)


def _ties(pack: Pack, over: Sequence[Playout]) -> Ties:
    decided = Counter(outcome.decided_by for outcome in over)
    clear = decided["total"] + decided["outcome"]
    share = proportion(len(over) - clear, len(over))
    categories = {ident: decided[ident] for ident in pack.ties}
    return Ties(share, clear, decided["outcome"], categories, decided["shared"])


# ---------------------------------------------------------------- players

T = TypeVar("T")
_Games = Sequence[Sequence[Side]]


def _entry(of: Callable[[Side], Mapping[str, T]], key: str, missing: T) -> Callable[[Side], T]:
    """Return what looks up a key in something that each player has."""
    return lambda side: of(side).get(key, missing)


def _grouping(
    ident: str,
    title: str,
    sides: _Games,
    of: Callable[[Side], str],
    order: Callable[[str], int | str],
    titles: Mapping[str, str] = NOTHING,
) -> Grouping:
    groups = []
    for name in sorted({of(side) for game in sides for side in game}, key=order):
        members = [[side for side in game if of(side) == name] for game in sides]
        number = sum(map(len, members))
        won = sum(side.share for game in members for side in game)
        score, wins = _mean(members, lambda side: side.total), proportion(won, number)
        groups.append(Cohort(name, titles.get(name, name), number, score, won, wins))
    return Grouping(ident, title, tuple(groups))


def _average(ident: str, title: str, sides: _Games, of: Callable[[Side], int]) -> Average:
    winners = [[side for side in game if side.share > 0] for game in sides]
    others = [[side for side in game if side.share == 0] for game in sides]
    return Average(ident, title, _mean(sides, of), _mean(winners, of), _mean(others, of))


def _mean(sides: _Games, of: Callable[[Side], int]) -> Estimate:
    return mean_of_groups([(sum(map(of, game)), len(game)) for game in sides])


def _things(ident: str, title: str, sides: _Games) -> Counted:
    none = Counter[str]()
    games = [sum((Counter(side.things.get(ident)) for side in game), none) for game in sides]
    per_game = _times([counted.total() for counted in games])
    most_first = sorted(sum(games, none).items(), key=lambda item: (-item[1], item[0]))
    things = [ThingCount(name, n, _times([one[name] for one in games])) for name, n in most_first]
    return Counted(ident, title, per_game, tuple(things))


def _times(counts: Sequence[int]) -> Estimate:
    """Return the mean of counts; its interval does not go below 0."""
    average = mean(counts)
    return Estimate(average.value, max(average.low, 0.0), average.high, average.n)


# ---------------------------------------------------------------- under several rules

SMALLEST = 1e-9
"""Differences below this count as 0: accumulated rounding errors stay smaller."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A value under each of the rules, or None; ``is_share`` if values are shares, from 0 to 1."""

    id: str
    title: str
    is_share: bool
    values: tuple[Estimate | None, ...]

    @property
    def difference(self) -> Estimate | None:
        """By how much the last value is larger than the first; None if either rests on nothing."""
        before, after = self.values[0], self.values[-1]
        if before is None or after is None or not (before.n and after.n):
            return None
        return difference(before, after)

    @property
    def clear(self) -> bool:
        """Whether the interval of the difference leaves out 0; of one game, nothing is clear."""
        change = self.difference
        return bool(change and change.n > 1 and (change.low > SMALLEST or change.high < -SMALLEST))


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Values that belong together: those of one table.

    ``what`` says what is compared: "endings", "given_up", "length", "ties", "score", "wins",
    "categories", "numbers" or "things"; ``of`` is the id of the grouping or measure, else empty.
    """

    what: str
    of: str
    title: str
    rows: tuple[Contrast, ...]


class _Counts(NamedTuple):
    """What is counted of one tally by id, with titles; ``absent`` is what only others have."""

    what: str
    of: str
    title: str
    is_share: bool
    rows: Mapping[str, tuple[str, Estimate]]
    absent: Estimate | None = None


# In which order they stand.
_SECTIONS = {
    "endings": 0, "given_up": 1, "length": 2, "ties": 3, "wins": 4, "score": 4, "categories": 5,
    "numbers": 6, "things": 7,
}  # fmt: skip


def compare(*tallies: Tally) -> list[Contrasts]:
    """Return everything that is counted in any of several tallies, side by side."""
    tables = [{(one.what, one.of): one for one in _counted(tally)} for tally in tallies]
    keys = dict.fromkeys(key for several in tables for key in several)
    parts = []
    for key in sorted(keys, key=lambda key: _SECTIONS[key[0]]):
        columns = [several.get(key) for several in tables]
        there = [column for column in columns if column is not None]
        rows: dict[str, Contrast] = {}
        for column in there:
            for ident, (title, _) in column.rows.items():
                found = [one and one.rows.get(ident, ("", one.absent))[1] for one in columns]
                rows.setdefault(ident, Contrast(ident, title, column.is_share, (*found,)))
        # Of a measure that never counted anything there is only its sum.
        if len(rows) > (key[0] == "things"):
            parts.append(Contrasts(*key, there[0].title, (*rows.values(),)))
    return parts


def _counted(tally: Tally) -> Iterator[_Counts]:
    for what, title, ends in (
        ("endings", "How games end", tally.endings),
        ("given_up", "Not over", tally.given_up),
    ):
        shares = {end.reason: (end.reason, end.share) for end in ends}
        yield _Counts(what, "", title, True, shares, proportion(0, tally.games))
    length = {"rounds": ("Rounds", tally.rounds.mean), "moves": ("Moves", tally.moves.mean)}
    yield _Counts("length", "", "Length of a game", False, length)
    ties = {
        "tied": ("Tie for the most points", tally.ties.share),
        "shared": ("Shared victory", proportion(tally.ties.shared, tally.over)),
    }
    yield _Counts("ties", "", "Ties", True, ties)
    policies = [tally.policies] if len(tally.policies.groups) > 1 else []
    for division in (tally.seats, *tally.groups, *policies):
        about, groups = (division.id, division.title), division.groups
        yield _Counts("wins", *about, True, {g.name: (g.title, g.wins) for g in groups})
        yield _Counts("score", *about, False, {g.name: (g.title, g.score) for g in groups})
    for what, title, averages in (
        ("categories", "Points by category", (*tally.categories, tally.total)),
        ("numbers", "Of a player", tally.numbers),
    ):
        yield _Counts(what, "", title, False, {one.id: (one.title, one.all) for one in averages})
    for counted in tally.things:
        things = {"": ("all together", counted.per_game)}
        things |= {thing.name: (thing.name, thing.per_game) for thing in counted.things}
        never = Estimate(0.0, 0.0, 0.0, tally.over)
        yield _Counts("things", counted.id, counted.title, False, things, never)

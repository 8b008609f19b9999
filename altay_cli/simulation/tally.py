"""Count the results of many games, with confidence intervals, and compare them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import median
from typing import NamedTuple, Protocol, TypeVar

from altay_cli.compile.load import load_pack
from altay_cli.pack.model import NOTHING, Pack
from altay_cli.simulation.measuring import Side
from altay_cli.simulation.simulated import Playout, PlayPlan, policy_names

# ---------------------------------------------------------------- estimates

Z = 1.959964
"""Standard errors in a two-sided 95 percent interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 percent confidence interval, of ``n`` observations."""

    value: float
    low: float
    high: float
    n: int


def mean(values: Iterable[float]) -> Estimate:
    """Return the mean of independent values, with its normal interval."""
    return mean_of_groups((value, 1) for value in values)


def mean_of_groups(groups: Iterable[tuple[float, int]]) -> Estimate:
    """Return the mean of values in independent groups, given by sum and size.

    Values in a group, such as the players of a game, depend on each other: the interval is that of
    a ratio estimator (linearised). ``n`` counts groups.
    """
    return _mean_of(Counter(groups))


_Groups = Counter[tuple[float, int]]
"""By sum and size; few pairs occur."""


def _mean_of(groups: _Groups) -> Estimate:
    filled = [(total, size, count) for (total, size), count in groups.items() if size]
    n = sum(count for _, _, count in filled)
    sizes = sum(size * count for _, size, count in filled)
    if not n:
        return Estimate(0.0, 0.0, 0.0, 0)
    average = fsum(total * count for total, _, count in filled) / sizes
    if n < 2:
        return Estimate(average, average, average, n)
    squares = fsum(count * (total - average * size) ** 2 for total, size, count in filled)
    error = sqrt(squares * n / (n - 1)) / sizes
    return Estimate(average, average - Z * error, average + Z * error, n)


def proportion(successes: float, n: int) -> Estimate:
    """Return a proportion with its Wilson interval, valid for few trials."""
    if not n:
        return Estimate(0.0, 0.0, 1.0, 0)
    p = successes / n
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return Estimate(p, max(centre - half, 0.0), min(centre + half, 1.0), n)


def difference(before: Estimate, after: Estimate) -> Estimate:
    """Return ``after - before`` of two independent estimates.

    The interval combines theirs (Newcombe 1998, method 10).
    """
    value = after.value - before.value
    low = value - sqrt((after.value - after.low) ** 2 + (before.high - before.value) ** 2)
    high = value + sqrt((after.high - after.value) ** 2 + (before.value - before.low) ** 2)
    return Estimate(value, low, high, min(before.n, after.n))


# ---------------------------------------------------------------- results


@dataclass(frozen=True, slots=True)
class EndReason:
    """Why games ended or were given up."""

    reason: str
    games: int
    share: Estimate
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """A number per game; ``counts`` is its distribution, ascending."""

    mean: Estimate
    median: float
    least: int
    most: int
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Ties:
    """The share of games with a tie for the most points, and how games were decided.

    games: those whose decision is recorded.
    total: without a tie.
    outcome: not by points.
    categories: by a tie-breaking category.
    shared: with several winners.
    """

    games: int
    share: Estimate
    total: int
    outcome: int
    categories: Mapping[str, int]
    shared: int


@dataclass(frozen=True, slots=True)
class Cohort:
    """Players with something in common.

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
    """A number per player: for all, for winners (even shared), for others."""

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
    """The count of a thing, and its mean per game."""

    name: str
    count: int
    per_game: Estimate


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of a measure; ``per_game`` is their sum."""

    id: str
    title: str
    per_game: Estimate
    things: tuple[ThingCount, ...]


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """A measure that ``games`` finished games do not record."""

    title: str
    games: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of the games of one plan.

    ``over`` counts finished games; apart from ``given_up``, all later fields are about them.
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
    """By policy and kind of move."""
    unrecorded: tuple[Unrecorded, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """The games of one plan, its rules, and the results.

    Recorded games have no policies.
    """

    label: str
    plan: PlayPlan
    pack: Pack
    tally: Tally

    @property
    def is_recorded(self) -> bool:
        """Whether the games are recorded ones."""
        return not self.plan.policies


def tally(pack: Pack, outcomes: Iterable[Playout]) -> Tally:
    """Count the outcomes of games; ``pack`` has the titles."""
    counting = Counting(pack)
    for outcome in outcomes:
        counting.add(outcome)
    return counting.tally()


_GAME = "game"


class Counting:
    """Counts games in constant memory."""

    def __init__(self, pack: Pack) -> None:
        policies = {policy.id: policy.title for policy in pack.policies.values()}
        measures = pack.measures.values()
        self.pack = pack
        self.games = self.over = 0
        self.ends: dict[bool, dict[str, list[int]]] = {True: {}, False: {}}
        self.rounds = Counter[int]()
        self.moves = Counter[int]()
        self.decided = Counter[str]()
        self.made: dict[str, Counter[str]] = {}
        self.unrecorded: dict[tuple[str, str], Unrecorded] = {}
        self.seats = _Grouping("seat", "Seat", _seat, int)
        self.groups = [
            _Grouping(m.id, m.title, _entry(lambda side: side.groups, m.id), str)
            for m in measures
            if m.group is not None
        ]
        self.policies = _Grouping(
            "policy",
            "Policy",
            lambda side: side.policy or None,
            policy_names(pack).index,
            policies,
        )
        self.total = _Average("total", "Total", lambda side: side.total)
        self.categories = [
            _Average(c.id, c.title, _entry(lambda side: side.scores, c.id)) for c in pack.categories
        ]
        self.numbers = [
            _Average(m.id, m.title, _entry(lambda side: side.numbers, m.id))
            for m in measures
            if m.number is not None
        ]
        self.things = [
            _Things(m.id, m.title) for m in measures if m.group is None and m.number is None
        ]

    def add(self, game: Playout) -> None:
        """Count a game."""
        self.games += 1
        self.ends[game.ended].setdefault(game.end, []).append(game.number)
        for side in game.sides:
            if side.policy:
                self.made.setdefault(side.policy, Counter()).update(side.made)
        if not game.ended:
            return
        self.over += 1
        for title, value, counter in (
            ("Rounds", game.rounds, self.rounds),
            ("Moves", game.moves, self.moves),
        ):
            if value is None:
                self._note_unrecorded(_GAME, title)
            else:
                counter[value] += 1
        if any(side.share is None for side in game.sides):
            self._note_unrecorded(_GAME, "Who won")
        elif game.decided_by is None:
            self._note_unrecorded(_GAME, "What decided")
        else:
            self.decided[game.decided_by] += 1
        for part in self._parts():
            if not part.add(game.sides):
                self._note_unrecorded(part.id, part.title)
        self.policies.add(game.sides)

    def _parts(self) -> Iterator[_Part]:
        yield self.seats
        yield from self.groups
        yield self.total
        yield from self.categories
        yield from self.numbers
        yield from self.things

    def _note_unrecorded(self, ident: str, title: str) -> None:
        before = self.unrecorded.get((ident, title), Unrecorded(title, 0))
        self.unrecorded[ident, title] = Unrecorded(title, before.games + 1)

    def tally(self) -> Tally:
        """Return the results."""
        order = [*((_GAME, title) for title in ("Rounds", "Moves", "Who won", "What decided"))]
        order += [(part.id, part.title) for part in self._parts()]
        return Tally(
            games=self.games,
            over=self.over,
            endings=_endings(self.ends[True], self.games),
            given_up=_endings(self.ends[False], self.games),
            rounds=_spread(self.rounds),
            moves=_spread(self.moves),
            ties=_ties(self.pack, self.decided),
            seats=self.seats.grouping(),
            groups=tuple(group.grouping() for group in self.groups),
            policies=self.policies.grouping(),
            total=self.total.average(),
            categories=tuple(average.average() for average in self.categories),
            numbers=tuple(average.average() for average in self.numbers),
            things=tuple(measure.counted() for measure in self.things),
            made=self.made,
            unrecorded=tuple(self.unrecorded[key] for key in order if key in self.unrecorded),
        )


def never_made(run: Run) -> list[tuple[str, str]]:
    """Return the moves from variants that policies never made."""
    if not run.pack.variants or run.is_recorded:
        return []
    known = {move.id for move in load_pack(run.plan.pack).moves}
    turns = (move for move in run.pack.moves if "turns" in move.phases)
    added = [m.id for m in turns if m.id not in known and not (m.fallback or m.heading)]
    policies = sorted(run.tally.made.items())
    return [(policy, move) for policy, made in policies for move in added if not made.get(move)]


def _endings(numbers: Mapping[str, Sequence[int]], games: int) -> tuple[EndReason, ...]:
    return tuple(
        EndReason(reason, len(ended), proportion(len(ended), games), tuple(ended))
        for reason, ended in sorted(numbers.items(), key=lambda item: (-len(item[1]), item[0]))
    )


def _spread(values: Counter[int]) -> Spread:
    middle = float(median(values.elements())) if values else 0.0
    least, most = min(values, default=0), max(values, default=0)
    return Spread(_mean(values), middle, least, most, tuple(sorted(values.items())))


def _mean(values: Counter[int]) -> Estimate:
    return _mean_of(Counter({(value, 1): count for value, count in values.items()}))


def _ties(pack: Pack, decided: Counter[str]) -> Ties:
    games, clear = decided.total(), decided["total"] + decided["outcome"]
    share = proportion(games - clear, games)
    categories = {ident: decided[ident] for ident in pack.ties}
    return Ties(games, share, clear, decided["outcome"], categories, decided["shared"])


# ---------------------------------------------------------------- players

T = TypeVar("T")
ValueOf = Callable[[Side], T | None]
"""Returns a value of a player; None if unrecorded."""


def _entry(of: Callable[[Side], Mapping[str, T]], key: str) -> ValueOf[T]:
    return lambda side: of(side).get(key)


def _seat(side: Side) -> str | None:
    return None if side.seat is None else str(side.seat)


class _Part(Protocol):
    id: str
    title: str

    def add(self, sides: Sequence[Side], /) -> bool:
        """Count a game; return True if everything was recorded."""


class _Average:
    def __init__(self, ident: str, title: str, of: ValueOf[int]) -> None:
        self.id, self.title, self.of = ident, title, of
        self.all, self.winners, self.others = _Groups(), _Groups(), _Groups()

    def add(self, sides: Sequence[Side]) -> bool:
        values = [(side.share, value) for side in sides if (value := self.of(side)) is not None]
        self.all.update([_summed(value for _, value in values)])
        self.winners.update([_summed(value for share, value in values if share)])
        self.others.update([_summed(value for share, value in values if share == 0)])
        return len(values) == len(sides)

    def average(self) -> Average:
        estimates = map(_mean_of, (self.all, self.winners, self.others))
        return Average(self.id, self.title, *estimates)


def _summed(values: Iterable[int]) -> tuple[float, int]:
    listed = list(values)
    return sum(listed), len(listed)


class _Cohort:
    def __init__(self) -> None:
        self.players = self.known = 0
        self.won = 0.0
        self.scores = _Groups()

    def add(self, members: Sequence[Side]) -> None:
        self.players += len(members)
        for side in members:
            if side.share is not None:
                self.known += 1
                self.won += side.share
        self.scores[_summed(side.total for side in members if side.total is not None)] += 1


class _Grouping:
    def __init__(
        self,
        ident: str,
        title: str,
        of: ValueOf[str],
        order: Callable[[str], int | str],
        titles: Mapping[str, str] = NOTHING,
    ) -> None:
        self.id, self.title, self.of, self.order, self.titles = ident, title, of, order, titles
        self.cohorts: defaultdict[str, _Cohort] = defaultdict(_Cohort)

    def add(self, sides: Sequence[Side]) -> bool:
        groups = [self.of(side) for side in sides]
        for name in {*groups} - {None}:
            members = [side for side, group in zip(sides, groups, strict=True) if group == name]
            self.cohorts[name or ""].add(members)
        return None not in groups

    def grouping(self) -> Grouping:
        return Grouping(
            self.id,
            self.title,
            tuple(
                Cohort(
                    name,
                    self.titles.get(name, name),
                    cohort.players,
                    _mean_of(cohort.scores),
                    cohort.won,
                    proportion(cohort.won, cohort.known),
                )
                for name in sorted(self.cohorts, key=self.order)
                for cohort in [self.cohorts[name]]
            ),
        )


class _Things:
    def __init__(self, ident: str, title: str) -> None:
        self.id, self.title = ident, title
        self.games = 0
        self.sums = Counter[int]()
        self.times: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def add(self, sides: Sequence[Side]) -> bool:
        if any(self.id not in side.things for side in sides):
            return False
        counts = sum((Counter(side.things[self.id]) for side in sides), Counter[str]())
        self.games += 1
        self.sums[counts.total()] += 1
        for thing, count in counts.items():
            self.times[thing][count] += 1
        return True

    def counted(self) -> Counted:
        totals = {
            thing: sum(count * games for count, games in times.items())
            for thing, times in self.times.items()
        }
        most_first = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
        things = []
        for thing, total in most_first:
            times = self.times[thing]
            every = times + Counter({0: self.games - times.total()})
            things.append(ThingCount(thing, total, _mean_count(every)))
        return Counted(self.id, self.title, _mean_count(self.sums), tuple(things))


def _mean_count(counts: Counter[int]) -> Estimate:
    average = _mean(counts)
    return Estimate(average.value, max(average.low, 0.0), average.high, average.n)


# ---------------------------------------------------------------- comparison of rules

ROUNDING_ERROR = 1e-9
"""Smaller differences count as 0."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A value under each of the rules; ``is_share`` if from 0 to 1."""

    id: str
    title: str
    is_share: bool
    values: tuple[Estimate | None, ...]

    @property
    def difference(self) -> Estimate | None:
        """The last value minus the first, if both have observations."""
        before, after = self.values[0], self.values[-1]
        if before is None or after is None or not (before.n and after.n):
            return None
        return difference(before, after)

    @property
    def clear(self) -> bool:
        """Whether the interval of the difference excludes 0; needs several games."""
        change = self.difference
        return bool(
            change
            and change.n > 1
            and (change.low > ROUNDING_ERROR or change.high < -ROUNDING_ERROR)
        )


@dataclass(frozen=True, slots=True)
class Contrasts:
    """The values of one table.

    ``what`` is "endings", "given_up", "length", "ties", "score", "wins", "categories", "numbers" or
    "things"; ``of`` is the id of the grouping or measure, if any.
    """

    what: str
    of: str
    title: str
    rows: tuple[Contrast, ...]


class _Counts(NamedTuple):
    what: str
    of: str
    title: str
    is_share: bool
    rows: Mapping[str, tuple[str, Estimate]]
    absent: Estimate | None = None


_SECTIONS = {
    "endings": 0, "given_up": 1, "length": 2, "ties": 3, "wins": 4, "score": 4, "categories": 5,
    "numbers": 6, "things": 7,
}  # fmt: skip


def compare(*tallies: Tally) -> list[Contrasts]:
    """Return values of several tallies side by side."""
    tables = [{(table.what, table.of): table for table in _counted(tally)} for tally in tallies]
    keys = dict.fromkeys(key for several in tables for key in several)
    parts = []
    for key in sorted(keys, key=lambda key: _SECTIONS[key[0]]):
        columns = [several.get(key) for several in tables]
        there = [column for column in columns if column is not None]
        rows: dict[str, Contrast] = {}
        for column in there:
            for ident, (title, _) in column.rows.items():
                found = [
                    column and column.rows.get(ident, ("", column.absent))[1] for column in columns
                ]
                rows.setdefault(ident, Contrast(ident, title, column.is_share, (*found,)))
        # A measure that counted nothing has a sum only.
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
        "shared": ("Shared victory", proportion(tally.ties.shared, tally.ties.games)),
    }
    yield _Counts("ties", "", "Ties", True, ties)
    policies = [tally.policies] if len(tally.policies.groups) > 1 else []
    for division in (tally.seats, *tally.groups, *policies):
        about, groups = (division.id, division.title), division.groups
        yield _Counts("wins", *about, True, {g.name: (g.title, g.wins) for g in groups})
        yield _Counts("score", *about, False, {g.name: (g.title, g.score) for g in groups})
    for what, title, averages in (
        ("categories", "Points by category", (*tally.categories, tally.total)),
        ("numbers", "ValueOf a player", tally.numbers),
    ):
        yield _Counts(
            what,
            "",
            title,
            False,
            {average.id: (average.title, average.all) for average in averages},
        )
    for counted in tally.things:
        things = {"": ("in total", counted.per_game)}
        things |= {thing.name: (thing.name, thing.per_game) for thing in counted.things}
        never = Estimate(0.0, 0.0, 0.0, tally.over)
        yield _Counts("things", counted.id, counted.title, False, things, never)

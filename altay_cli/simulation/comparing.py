"""Comparing games under two sets of rules: what differs, and how certain that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from altay_cli.simulation.statistics import Estimate, difference, proportion
from altay_cli.simulation.tally import Average, Counted, Grouping, Tally

SMALLEST = 1e-9
"""Differences below this count as 0: accumulated rounding errors stay smaller."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Contrast:
    """A value before and after; None if there is no such value.

    ``is_share`` tells whether the values are shares, from 0 to 1.
    """

    id: str
    title: str
    is_share: bool
    before: Estimate | None
    after: Estimate | None

    @property
    def difference(self) -> Estimate | None:
        """``after - before``; None if one of the two is missing, or rests on nothing."""
        if self.before is None or self.after is None or not (self.before.n and self.after.n):
            return None
        return difference(self.before, self.after)

    @property
    def clear(self) -> bool:
        """Whether the interval of the difference leaves out 0.

        One game says nothing about how much games differ, so that nothing is clear then.
        """
        found = self.difference
        return (
            found is not None and found.n > 1 and (found.low > SMALLEST or found.high < -SMALLEST)
        )


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


def compare(before: Tally, after: Tally) -> tuple[Contrasts, ...]:
    """Return everything that is counted in either of two tallies, side by side."""
    found = [
        Contrasts("endings", "", "How games end", tuple(_endings(before, after, over=True))),
        Contrasts("given_up", "", "Not over", tuple(_endings(before, after, over=False))),
        Contrasts("length", "", "Length of a game", tuple(_length(before, after))),
        Contrasts("ties", "", "Ties", tuple(_ties(before, after))),
    ]
    for one, other in _pairs(_groupings(before), _groupings(after), lambda g: g.id):
        found.extend(_grouping(one, other))
    categories = [(*tally.categories, tally.total) for tally in (before, after)]
    found += [
        Contrasts("categories", "", "Points by category", tuple(_averages(*categories))),
        Contrasts("numbers", "", "Of a player", tuple(_averages(before.numbers, after.numbers))),
    ]
    for counted, recounted in _pairs(before.things, after.things, lambda t: t.id):
        if any(things is not None and things.things for things in (counted, recounted)):
            found.append(_things(counted, recounted, before, after))
    return tuple(part for part in found if part.rows)


def _pairs(
    one: Iterable[T], other: Iterable[T], key: Callable[[T], str]
) -> list[tuple[T | None, T | None]]:
    """Pair what has the same key, in the order of ``one``; what only ``other`` has comes last."""
    found = {key(item): item for item in one}
    others = {key(item): item for item in other}
    return [(found.get(name), others.get(name)) for name in {**found, **others}]


def _either(one: T | None, other: T | None) -> T:
    """Return one of a pair, the first if it is there."""
    there = other if one is None else one
    assert there is not None
    return there


def _endings(before: Tally, after: Tally, *, over: bool) -> Iterator[Contrast]:
    ends, others = (t.endings if over else t.given_up for t in (before, after))
    for one, other in _pairs(ends, others, lambda ending: ending.reason):
        reason = _either(one, other).reason
        yield Contrast(
            reason,
            reason,
            True,
            one.share if one else proportion(0, before.games),
            other.share if other else proportion(0, after.games),
        )


def _length(before: Tally, after: Tally) -> Iterator[Contrast]:
    yield Contrast("rounds", "Rounds", False, before.rounds.mean, after.rounds.mean)
    yield Contrast("moves", "Moves", False, before.moves.mean, after.moves.mean)


def _ties(before: Tally, after: Tally) -> Iterator[Contrast]:
    yield Contrast("tied", "Tie for the most points", True, before.ties.share, after.ties.share)
    shared = [proportion(tally.ties.shared, tally.over) for tally in (before, after)]
    yield Contrast("shared", "Shared victory", True, *shared)


def _groupings(tally: Tally) -> list[Grouping]:
    policies = [tally.policies] if len(tally.policies.groups) > 1 else []
    return [tally.seats, *tally.groups, *policies]


def _grouping(one: Grouping | None, other: Grouping | None) -> Iterator[Contrasts]:
    there = _either(one, other)
    pairs = _pairs(one.groups if one else (), other.groups if other else (), lambda g: g.id)
    wins, scores = [], []
    for group, again in pairs:
        known = _either(group, again)
        values = (group.wins if group else None, again.wins if again else None)
        wins.append(Contrast(known.id, known.title, True, *values))
        values = (group.score if group else None, again.score if again else None)
        scores.append(Contrast(known.id, known.title, False, *values))
    yield Contrasts("wins", there.id, there.title, tuple(wins))
    yield Contrasts("score", there.id, there.title, tuple(scores))


def _averages(one: Iterable[Average], other: Iterable[Average]) -> Iterator[Contrast]:
    for before, after in _pairs(one, other, lambda average: average.id):
        known = _either(before, after)
        yield Contrast(
            known.id,
            known.title,
            False,
            before.all if before else None,
            after.all if after else None,
        )


def _things(one: Counted | None, other: Counted | None, before: Tally, after: Tally) -> Contrasts:
    """Compare counts; what was never counted under one set of rules counts 0 there."""
    known = _either(one, other)
    rows = [
        Contrast(
            "",
            "all together",
            False,
            one.per_game if one else None,
            other.per_game if other else None,
        )
    ]
    pairs = _pairs(one.things if one else (), other.things if other else (), lambda t: t.title)
    for thing, again in pairs:
        title = _either(thing, again).title
        never = [Estimate(0.0, 0.0, 0.0, tally.over) for tally in (before, after)]
        rows.append(
            Contrast(
                title,
                title,
                False,
                thing.per_game if thing else never[0] if one else None,
                again.per_game if again else never[1] if other else None,
            )
        )
    return Contrasts("things", known.id, known.title, tuple(rows))

"""Comparing games under two sets of rules: what differs, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from altay_cli.simulation.statistics import Estimate, difference, proportion
from altay_cli.simulation.tally import Tally

SMALLEST = 1e-9
"""Differences below this count as 0: accumulated rounding errors stay smaller."""


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


class _Counts(NamedTuple):
    """What is counted of one tally and stands together: by id, each with its title.

    ``absent`` is the value of what another tally has beside it.
    """

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
"""In which order they stand."""


def compare(before: Tally, after: Tally) -> tuple[Contrasts, ...]:
    """Return everything that is counted in either of two tallies, side by side."""
    one, other = ({(t.what, t.of): t for t in _tables(tally)} for tally in (before, after))
    keys = sorted({**one, **other}, key=lambda key: _SECTIONS[key[0]])
    found = [_side_by_side(one.get(key), other.get(key)) for key in keys]
    # Of a measure that never counted anything there is only its sum.
    return tuple(part for part in found if len(part.rows) > (part.what == "things"))


def _side_by_side(one: _Counts | None, other: _Counts | None) -> Contrasts:
    there = one or other
    assert there is not None
    tables = [table for table in (one, other) if table is not None]
    titles = {key: title for table in tables[::-1] for key, (title, _) in table.rows.items()}
    order = dict.fromkeys(key for table in tables for key in table.rows)
    rows = (
        Contrast(key, titles[key], there.is_share, _value(one, key), _value(other, key))
        for key in order
    )
    return Contrasts(there.what, there.of, there.title, tuple(rows))


def _value(table: _Counts | None, key: str) -> Estimate | None:
    if table is None:
        return None
    return table.rows[key][1] if key in table.rows else table.absent


def _tables(tally: Tally) -> Iterator[_Counts]:
    """Yield what is counted of one tally."""
    for what, title, ends in (
        ("endings", "How games end", tally.endings),
        ("given_up", "Not over", tally.given_up),
    ):
        shares = {end.reason: (end.reason, end.share) for end in ends}
        yield _Counts(what, "", title, True, shares, proportion(0, tally.games))
    length = {"rounds": ("Rounds", tally.rounds.mean), "moves": ("Moves", tally.moves.mean)}
    yield _Counts("length", "", "Length of a game", False, length)
    shared = proportion(tally.ties.shared, tally.over)
    ties = {
        "tied": ("Tie for the most points", tally.ties.share),
        "shared": ("Shared victory", shared),
    }
    yield _Counts("ties", "", "Ties", True, ties)
    policies = [tally.policies] if len(tally.policies.groups) > 1 else []
    for division in (tally.seats, *tally.groups, *policies):
        about, groups = (division.id, division.title), division.groups
        yield _Counts("wins", *about, True, {g.id: (g.title, g.wins) for g in groups})
        yield _Counts("score", *about, False, {g.id: (g.title, g.score) for g in groups})
    for what, title, averages in (
        ("categories", "Points by category", (*tally.categories, tally.total)),
        ("numbers", "Of a player", tally.numbers),
    ):
        yield _Counts(what, "", title, False, {one.id: (one.title, one.all) for one in averages})
    for counted in tally.things:
        things = {"": ("all together", counted.per_game)}
        things |= {thing.title: (thing.title, thing.per_game) for thing in counted.things}
        never = Estimate(0.0, 0.0, 0.0, tally.over)
        yield _Counts("things", counted.id, counted.title, False, things, never)

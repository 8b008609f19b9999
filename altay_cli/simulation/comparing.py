"""Comparing games under several sets of rules: what differs, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from altay_cli.simulation.tally import Estimate, Tally, difference, proportion

SMALLEST = 1e-9
"""Differences below this count as 0: accumulated rounding errors stay smaller."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A value under each of the rules; None where there is no such value.

    ``is_share`` tells whether the values are shares, from 0 to 1.
    """

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
        """Whether the interval of the difference leaves out 0.

        One game says nothing about how much games differ, so that nothing is clear then.
        """
        change = self.difference
        return (
            change is not None
            and change.n > 1
            and (change.low > SMALLEST or change.high < -SMALLEST)
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


def compare(*tallies: Tally) -> list[Contrasts]:
    """Return everything that is counted in any of several tallies, side by side."""
    tables = [{(one.what, one.of): one for one in _counted(tally)} for tally in tallies]
    keys = dict.fromkeys(key for several in tables for key in several)
    parts = []
    for key in sorted(keys, key=lambda key: _SECTIONS[key[0]]):
        columns = [several.get(key) for several in tables]
        there = [column for column in columns if column is not None]
        titles: dict[str, str] = {}
        for column in there:
            for ident, (title, _) in column.rows.items():
                titles.setdefault(ident, title)
        rows = tuple(
            Contrast(ident, title, there[0].is_share, tuple(_value(one, ident) for one in columns))
            for ident, title in titles.items()
        )
        # Of a measure that never counted anything there is only its sum.
        if len(rows) > (key[0] == "things"):
            parts.append(Contrasts(*key, there[0].title, rows))
    return parts


def _value(column: _Counts | None, ident: str) -> Estimate | None:
    if column is None:
        return None
    return column.rows[ident][1] if ident in column.rows else column.absent


def _counted(tally: Tally) -> Iterator[_Counts]:
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

"""The same games under two rules: what differs, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from altay_cli.simulation.statistics import Estimate, difference, proportion
from altay_cli.simulation.tally import Average, Grouping, Tally

SMALLEST = 1e-9
"""What is nearer to 0 than this is 0; more than what rounding adds up to."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A value before and after, and ``after - before``; None where there is no such value.

    ``share`` tells whether the values are shares, from 0 to 1.
    """

    id: str
    title: str
    share: bool
    before: Estimate | None
    after: Estimate | None

    @property
    def difference(self) -> Estimate | None:
        """What was added; None where one of the two is missing, or rests on no game."""
        if self.before is None or self.after is None or not (self.before.n and self.after.n):
            return None
        return difference(self.before, self.after)

    @property
    def clear(self) -> bool:
        """Whether the interval of the difference leaves out 0.

        Of one game nothing is known about the spread, so that nothing is clear.
        """
        found = self.difference
        return found is not None and found.n > 1 and (found.low > SMALLEST or found.high < -SMALLEST)


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Values that belong together: ``of`` says of what (``wins``, ``score``), ``title`` by what."""

    id: str
    of: str
    title: str
    rows: tuple[Contrast, ...]


def compare(before: Tally, after: Tally) -> tuple[Contrasts, ...]:
    """Return everything that is counted in either of two tallies, one beside the other."""
    found = [
        Contrasts("endings", "share", "How games end", tuple(_endings(before, after, over=True))),
        Contrasts("given_up", "share", "Not over", tuple(_endings(before, after, over=False))),
        Contrasts("length", "mean", "Length", tuple(_length(before, after))),
        Contrasts("ties", "share", "Ties", tuple(_ties(before, after))),
    ]
    for one, other in _pairs(
        [before.seats, *before.groups, before.policies],
        [after.seats, *after.groups, after.policies],
        lambda grouping: grouping.id,
    ):
        found.extend(_grouping(one, other))
    found.append(
        Contrasts(
            "categories",
            "score",
            "Category",
            tuple(
                _averages([*before.categories, before.total], [*after.categories, after.total])
            ),
        )
    )
    found.append(
        Contrasts("numbers", "mean", "Player", tuple(_averages(before.numbers, after.numbers)))
    )
    found.extend(_things(before, after))
    return tuple(part for part in found if part.rows)


def _pairs[T](one: Iterable[T], other: Iterable[T], key: Callable[[T], str]) -> None: ...

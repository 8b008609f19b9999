"""The few statistics that a report of many games needs, each with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

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
    """Return a proportion with its Wilson score interval, which is valid for few trials too.

    A shared success can count in part.
    """
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

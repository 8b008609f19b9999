"""Intervals against published values and sums done by hand."""

from __future__ import annotations

import pytest

from altay_cli.simulation.tally import (
    Estimate,
    difference,
    mean,
    mean_of_groups,
    proportion,
)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I,
    # method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_intervals_as_published(successes: int, n: int, low: float, high: float) -> None:
    found = proportion(successes, n)
    assert found.value == successes / n
    assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)


def test_a_proportion_of_nothing_can_be_anything() -> None:
    assert proportion(0, 0) == Estimate(0.0, 0.0, 1.0, 0)


def test_shared_successes_count_in_part() -> None:
    assert proportion(2.5, 5).value == 0.5
    assert proportion(2, 5).low < proportion(2.5, 5).low < proportion(3, 5).low


@pytest.mark.parametrize(
    ("one", "other", "value", "low", "high"),
    # R. G. Newcombe, Interval estimation for the difference between independent proportions (1998),
    # table II, method 10.
    [
        ((56, 70), (48, 80), 0.2, 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.6, 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.5714, 0.0582, 0.8062),
        ((5, 56), (0, 29), 0.0893, -0.0381, 0.1926),
        ((10, 10), (0, 20), 1.0, 0.6791, 1.0),
    ],
)
def test_differences_of_proportions_as_published(
    one: tuple[int, int], other: tuple[int, int], value: float, low: float, high: float
) -> None:
    found = difference(proportion(*other), proportion(*one))
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=6e-5)


def test_a_mean_with_its_interval() -> None:
    # Mean 5; squares of what differs 9+1+1+1+0+0+4+16 = 32; 32/7/8 = 4/7, its root 0.755929;
    # times 1.959964 that is 1.481594.
    found = mean([2, 4, 4, 4, 5, 5, 7, 9])
    assert (found.value, found.low, found.high) == pytest.approx((5, 3.518406, 6.481594), abs=1e-6)
    assert found.n == 8


def test_the_mean_of_one_value_or_of_none() -> None:
    assert mean([3]) == Estimate(3.0, 3.0, 3.0, 1)
    assert mean([]) == Estimate(0.0, 0.0, 0.0, 0)


def test_the_difference_of_means() -> None:
    # Errors 3 and 4 to either side make 5.
    found = difference(Estimate(10.0, 7.0, 13.0, 9), Estimate(12.0, 8.0, 16.0, 8))
    assert found == Estimate(2.0, -3.0, 7.0, 8)


def test_a_mean_of_groups() -> None:
    # 6 out of 4 values make 1.5. Off that, the groups are 3 - 1.5 and 3 - 4.5; squared 2.25 each;
    # 4.5 * 2/1 = 9, the root 3, over 4 values 0.75; times 1.959964 that is 1.469973.
    found = mean_of_groups([(3, 1), (3, 3)])
    assert (found.value, found.low, found.high) == pytest.approx((1.5, 0.030027, 2.969973))
    assert found.n == 2


def test_groups_of_one_make_a_plain_mean() -> None:
    values = [2, 4, 4, 4, 5, 5, 7, 9]
    assert mean_of_groups([(value, 1) for value in values]) == mean(values)


def test_values_of_a_group_that_depend_on_each_other_tell_less() -> None:
    # Twenty values in ten groups of two equal ones are no more than ten values.
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    doubled = mean_of_groups([(2 * value, 2) for value in values])
    assert (doubled.low, doubled.high) == pytest.approx((mean(values).low, mean(values).high))


def test_empty_groups_say_nothing() -> None:
    assert mean_of_groups([(3, 1), (0, 0), (3, 3)]) == mean_of_groups([(3, 1), (3, 3)])
    assert mean_of_groups([(0, 0)]) == Estimate(0.0, 0.0, 0.0, 0)
    assert mean_of_groups([(6, 2)]) == Estimate(3.0, 3.0, 3.0, 1)

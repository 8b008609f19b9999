"""Whether linear conditions over several whole numbers can hold at once.

Numbers are taken out of the conditions one after the other (Fourier-Motzkin elimination). What is
called impossible is so; some systems that have no solution in whole numbers are not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import NamedTuple

MOST_CONDITIONS = 80
"""With more conditions than that, nothing is found out."""
MOST_NUMBERS = 12


class AtMost(NamedTuple):
    """The sum of numbers, each so many times, is at most ``most``; a number goes by any key."""

    factors: tuple[tuple[object, int], ...]
    most: int


def at_most(factors: Mapping[object, int], most: int) -> AtMost:
    """Return the condition that a sum is at most so much, in its lowest terms."""
    kept = {key: factor for key, factor in factors.items() if factor}
    divisor = gcd(*kept.values()) if kept else 1
    pairs = sorted(((key, f // divisor) for key, f in kept.items()), key=lambda pair: hash(pair[0]))
    return AtMost(tuple(pairs), most // divisor)


def is_impossible(conditions: Iterable[AtMost]) -> bool:
    """Return whether no whole numbers fulfil all conditions, as far as that is found out."""
    left = set(conditions)
    while True:
        if any(not one.factors and one.most < 0 for one in left):
            return True
        left = {one for one in left if one.factors}
        keys = {key for one in left for key, _ in one.factors}
        if not keys or len(keys) > MOST_NUMBERS or len(left) > MOST_CONDITIONS:
            return False
        left = _without(min(keys, key=lambda key: _pairs(left, key)), left)


def _pairs(conditions: set[AtMost], key: object) -> int:
    signs = [factor > 0 for one in conditions for k, factor in one.factors if k == key]
    return signs.count(True) * signs.count(False)


def _without(key: object, conditions: set[AtMost]) -> set[AtMost]:
    """Return what follows from conditions about all numbers but one."""
    above: list[tuple[int, AtMost]] = []
    below: list[tuple[int, AtMost]] = []
    rest: set[AtMost] = set()
    for one in conditions:
        factor = dict(one.factors).get(key, 0)
        if factor == 0:
            rest.add(one)
        else:
            (above if factor > 0 else below).append((factor, one))
    for up, high in above:
        for down, low in below:
            factors: dict[object, int] = {}
            for scale, one in ((-down, high), (up, low)):
                for other, factor in one.factors:
                    factors[other] = factors.get(other, 0) + scale * factor
            rest.add(at_most(factors, -down * high.most + up * low.most))
    return rest

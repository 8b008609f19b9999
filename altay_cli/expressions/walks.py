"""What generated code calls to walk over lists: sorting, choosing, graphs.

Whatever may take long for few items gets the budget first, and pays from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from altay_cli.base.budget import Budget
from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.runtime import as_map, new_map, no_overload, pay_for

MAX_PATH = 1_000
"""The maximum length of a path in `longestPath`."""


def closure(
    budget: Budget, items: list[object], follow: Callable[[list[object]], Any]
) -> list[Any]:
    """Return the list with what follows from it, and from that, until nothing new comes.

    ``follow`` is given all that is known so far. Every item occurs once in the result.
    """
    known = list(_different(items))
    while True:
        budget.charge(1 + 2 * len(known))
        following = follow(known)
        budget.charge(2 * len(following))
        there = set(known)
        fresh = [item for item in _different(following) if item not in there]
        if not fresh:
            return known
        pay_for(budget, len(fresh), len(known))
        known = [*known, *fresh]


def _different(items: list[object]) -> dict[object, None]:
    try:
        return dict.fromkeys(items)
    except TypeError:
        culprit = next(item for item in items if type(item) in (list, dict))
        return no_overload("a walk from one to the next", culprit)


def least_by(items: list[object], key: Callable[[object], Any], pick: Any = min) -> object:
    """Return the first item with the smallest key; there has to be one."""
    if not items:
        raise ExpressionError("evaluation", "nothing is there to be taken")
    chosen: object = pick(items, key=key)
    return chosen


def most_by(items: list[object], key: Callable[[object], Any]) -> object:
    """Return the first item with the greatest key; there has to be one."""
    return least_by(items, key, max)


def reachable(
    budget: Budget, items: list[object], follow: Callable[[object], Any], weight: int
) -> list[object]:
    """Return the items and everything reachable from them, nearest first."""
    known = _different(items)
    queue = list(known)
    for item in queue:
        neighbours = follow(item)
        budget.charge(weight + 2 * len(neighbours))
        for other in _different(neighbours):
            if other not in known:
                known[other] = None
                queue.append(other)
                pay_for(budget, 1, len(queue))
    return queue


def components(
    budget: Budget, items: list[object], follow: Callable[[object], Any], weight: int
) -> list[list[object]]:
    """Return the connected components of the items."""
    left = _different(items)
    links: dict[object, list[object]] = {item: [] for item in left}
    for item in left:
        neighbours = follow(item)
        budget.charge(weight + 2 * len(neighbours))
        for other in _different(neighbours):
            if other in links:  # a link goes both ways, whoever names it
                links[item].append(other)
                links[other].append(item)
    groups = []
    while left:
        group = reachable(budget, [next(iter(left))], links.__getitem__, 1)
        for item in group:
            del left[item]
        groups.append(group)
    return groups


def longest_path(
    budget: Budget, items: list[object], follow: Callable[[object], Any], weight: int, bound: int
) -> list[object]:
    """Return the longest way from one of the items that meets nothing twice.

    It has at most ``bound`` members; of several, the first that is found. Every way is tried, so
    that the budget ends what takes too long.
    """
    best: list[object] = []
    path: dict[object, Iterator[object]] = {}
    bound = min(bound, MAX_PATH)

    def enter(item: object) -> None:
        neighbours = follow(item) if len(path) + 1 < bound else []
        budget.charge(weight + 2 * len(neighbours))
        path[item] = iter(_different(neighbours))

    for item in _different(items):
        if bound > 0:
            enter(item)
        while path:
            if len(path) > len(best):
                best = list(path)
                if len(best) >= bound:
                    return best
            last = next(reversed(path))
            following = next((other for other in path[last] if other not in path), None)
            if following is None:
                del path[last]
            else:
                enter(following)
    return best


def merged(budget: Budget, maps: Iterator[dict[object, object]]) -> dict[object, object]:
    """Return one map of all entries; a key may occur once."""
    entries: list[tuple[object, object]] = []
    for part in maps:
        pay_for(budget, len(as_map(part)), len(entries))
        entries.extend(part.items())
    return new_map(*entries)

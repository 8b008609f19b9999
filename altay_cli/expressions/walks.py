"""Functions that walk from item to item; each step is charged, as few items may take long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from altay_cli.base.budget import Budget
from altay_cli.expressions import limits
from altay_cli.expressions.runtime import joined_texts, no_overload, pay_for


def closure(
    budget: Budget, items: list[object], follow: Callable[[list[object]], Any]
) -> list[Any]:
    """Return the items with all that follows from them, each once.

    ``follow`` gets the items so far.

    >>> closure(Budget(), [1], lambda known: [n + 1 for n in known if n < 3])
    [1, 2, 3]
    """
    known = _different(budget, items)
    while True:
        budget.charge(1 + 2 * len(known))
        following = follow(list(known))
        budget.charge(2 * len(following))
        fresh = [item for item in _different(budget, following) if item not in known]
        if not fresh:
            return list(known)
        pay_for(budget, len(fresh), len(known))
        known.update(dict.fromkeys(fresh))


def _different(budget: Budget, items: list[object]) -> dict[object, None]:
    if str in map(type, items):
        budget.charge(joined_texts(items))
    try:
        return dict.fromkeys(items)
    except TypeError:
        culprit = next(item for item in items if type(item) in (list, dict))
        return no_overload("a walk from one to the next", culprit)


def reachable(
    budget: Budget, items: list[object], follow: Callable[[object], Any], weight: int
) -> list[object]:
    """Return the items and everything reachable from them, nearest first.

    >>> reachable(Budget(), [1], {1: [2, 3], 2: [4], 3: [], 4: []}.__getitem__, 1)
    [1, 2, 3, 4]
    """
    known = _different(budget, items)
    queue = list(known)
    for item in queue:
        neighbours = follow(item)
        budget.charge(weight + 3 + 2 * len(neighbours))
        for other in _different(budget, neighbours):
            if other not in known:
                known[other] = None
                queue.append(other)
                pay_for(budget, 1, len(queue))
    return queue


def components(
    budget: Budget, items: list[object], follow: Callable[[object], Any], weight: int
) -> list[list[object]]:
    """Return the connected components of the items.

    >>> components(Budget(), [1, 2, 3], {1: [3], 2: [], 3: []}.__getitem__, 1)
    [[1, 3], [2]]
    """
    left = _different(budget, items)
    links: dict[object, list[object]] = {item: [] for item in left}
    for item in left:
        neighbours = follow(item)
        budget.charge(weight + 15 + 4 * len(neighbours))
        for other in _different(budget, neighbours):
            if other in links:  # a link counts in both directions
                links[item].append(other)
                links[other].append(item)
    groups = []
    for item in links:
        if item in left:
            group = reachable(budget, [item], links.__getitem__, 1)
            for other in group:
                del left[other]
            groups.append(group)
    return groups


def longest_path(
    budget: Budget, items: list[object], follow: Callable[[object], Any], weight: int, bound: int
) -> list[object]:
    """Return the longest path from one of the items that repeats none.

    It has at most ``bound`` members; of several, the first counts.

    >>> longest_path(Budget(), [1], {1: [2, 3], 2: [], 3: [4], 4: []}.__getitem__, 1, 10)
    [1, 3, 4]
    """
    best: list[object] = []
    path: dict[object, Iterator[object]] = {}
    bound = min(bound, limits.MAX_PATH)

    def enter(item: object) -> None:
        neighbours = follow(item) if len(path) + 1 < bound else []
        budget.charge(weight + 9 + 2 * len(neighbours))
        path[item] = iter(_different(budget, neighbours))

    for item in _different(budget, items):
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

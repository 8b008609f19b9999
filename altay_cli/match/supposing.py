"""Judge a statement under each possible number of hidden things."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import islice, product
from math import prod

from altay_cli.base.findings import (
    UnrecordedError,
)
from altay_cli.match import limits
from altay_cli.match.match import Match, Snapshot

Varying = Sequence[tuple[int, Sequence[int]]]
"""By group of places: its number, and its possible sizes."""


def count_combinations(varying: Varying) -> int:
    """Return the number of combinations of sizes."""
    return prod(len(sizes) for _, sizes in varying)


def judge_supposing(
    match: Match, judge: Callable[[], None], varying: Varying, before: Snapshot
) -> bool:
    """Judge a statement under each possible number of hidden things.

    Run `judge` from `before`, once as it is and once per combination of sizes. Keep the legal
    sizes; return False without any. Raise UnrecordedError if they depend on each other.
    """
    state, report = match.state, match.report
    statement = report.context.statement
    assert statement is not None

    def fits(supposed: Iterable[tuple[int, Container[int]]]) -> bool:
        match.restore(before)
        for group, sizes in supposed:
            state.hidden.condition_on_sizes(group, sizes)
        supposing = match.snapshot()
        with report.unexplained():
            match.guarded(statement, judge)
        if report.errors > supposing.report.errors:
            match.restore(before)
            return False
        return True

    state.size_was_read = False
    legal = fits(())
    if legal and not (
        state.size_was_read and count_combinations(varying) <= limits.FEW_COMBINATIONS
    ):
        return True
    if not legal and not state.size_was_read:
        return False  # fewer worlds make nothing more legal
    groups = [group for group, _ in varying]
    every = [tuple(zip(groups, some, strict=True)) for some in islice(
        product(*(sizes for _, sizes in varying)), limits.MAX_SUPPOSED + 1)]  # fmt: skip
    if len(every) > limits.MAX_SUPPOSED:
        every = [((group, size),) for group, sizes in varying for size in sizes]
    fitting = [
        combination for combination in every if fits((group, {size}) for group, size in combination)
    ]
    if len(fitting) in {0, len(every)}:
        return fits(()) if legal or fitting else False
    possible: dict[int, set[int]] = {}
    for combination in fitting:
        for group, size in combination:
            possible.setdefault(group, set()).add(size)
    if len(every[0]) < len(groups):
        possible = dict([next(iter(possible.items()))])
    elif prod(map(len, possible.values())) > len(fitting):
        possible = {}
    if possible and fits(possible.items()):
        return True
    # The legal sizes depend on each other, so no condition expresses them.
    raise UnrecordedError(
        "the verdict depends on the number of things in each place, which the log does not record"
    )

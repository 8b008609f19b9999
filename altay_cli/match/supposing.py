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
from altay_cli.match.reporting import Verbosity

Varying = Sequence[tuple[int, Sequence[int]]]
"""The groups of places, by number, of which it is not known how much lies where, and what may."""


def count_combinations(varying: Varying) -> int:
    """Return the number of combinations of sizes."""
    return prod(len(sizes) for _, sizes in varying)


def judge_supposing(
    match: Match, judge: Callable[[], None], varying: Varying, before: Snapshot
) -> bool:
    """Judge a statement under each possible number of hidden things.

    `judge` is run once without a supposition, then once per combination of the sizes in `varying`,
    always from the snapshot `before`. Keep the sizes for which the statement is legal; return False
    if there are none. Raises UnrecordedError if the sizes depend on each other.
    """
    state, report = match.state, match.report
    statement = report.here.statement
    assert statement is not None

    def fits(supposed: Iterable[tuple[int, Container[int]]]) -> bool:
        match.restore(before)
        for group, sizes in supposed:
            state.hidden.assume(group, sizes)
        supposing = match.snapshot()
        with report.only(Verbosity.COUNTING):
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
        return False  # no size was asked for, and with less of what can be nothing more is legal
    groups = [group for group, _ in varying]
    every = [tuple(zip(groups, some, strict=True)) for some in islice(
        product(*(sizes for _, sizes in varying)), limits.MAX_SUPPOSED + 1)]  # fmt: skip
    if len(every) > limits.MAX_SUPPOSED:
        every = [((group, one),) for group, sizes in varying for one in sizes]
    some = [one for one in every if fits((group, {size}) for group, size in one)]
    if len(some) in {0, len(every)}:
        return fits(()) if legal or some else False
    kept: dict[int, set[int]] = {}
    for one in some:
        for group, size in one:
            kept.setdefault(group, set()).add(size)
    if len(every[0]) < len(groups):
        kept = dict([next(iter(kept.items()))])
    elif prod(map(len, kept.values())) > len(some):
        kept = {}
    if kept and fits(kept.items()):
        return True
    # The rules cannot be asked about all of it at once.
    raise UnrecordedError("what follows depends on how much lies where, which nobody recorded")

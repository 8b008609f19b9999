"""Budgets of steps, for one question, and for all of a game or file.

A step is a few operations on small values, some tenths of a microsecond. The size of operands and
results counts, which bounds time and memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from sys import maxsize
from typing import Any

from altay_cli.base.compiled import mypyc_attr
from altay_cli.base.findings import BudgetError, Text

STEPS = 1_000_000
"""The steps for one question: all that one statement causes."""

SLICE = 50_000
"""The account is checked after so many steps."""

UNSETTLED = 2_000
"""Steps that may accumulate before a well-filled account is charged."""

CONTENTS, SIZES = 1, 2
"""Values of ``Budget.exact``: contents of places, or also the number of things there."""

MAX_SIZE = 100_000
"""The longest list, and the longest text of an expression."""

FEWEST_STEPS = 10_000_000
RATES = ((0, 5_000, 200), (5_000, 16_000, 3_700), (16_000, 100_000, 350), (100_000, maxsize, 1_000))
"""Budget of a file: a minimum, plus steps per character for each stretch of the file.

Sensible rules take up to 600 steps per character; the rest pays for recovery from mistakes.
"""


class Account:
    """The steps shared by all questions of a game or file.

    Half as many again, ``trial_steps``, pay for trying repairs, so failed ones never prevent
    judging.

    what: its name in the error.
    within: the account that pays as well.
    """

    __slots__ = ("_around", "_trial_steps", "left", "what")

    def __init__(self, steps: int, what: str, *, within: Account | None = None) -> None:
        self.left, self._trial_steps = steps, steps // 2
        self.what = what
        # The outermost last.
        self._around: tuple[Account, ...] = () if within is None else (within, *within._around)

    @property
    def available(self) -> int:
        """The steps left here and in every enclosing account."""
        return min(account.left for account in (self, *self._around))

    @property
    def trial_steps(self) -> int:
        """The steps left for trials in the outermost account."""
        return (self, *self._around)[-1]._trial_steps

    def charge_trial(self, steps: int) -> None:
        """Charge steps already spent as those of trials instead."""
        for account in (self, *self._around):
            account.left += steps
        account._trial_steps -= steps

    def spend(self, steps: int) -> None:
        """Subtract steps, here and in the enclosing accounts; raise BudgetError below zero."""
        for account in (self, *self._around):
            account.left -= steps
        exceeded = [account.what for account in (self, *self._around) if account.left < 0]
        if exceeded:
            message = Text("{file} takes too many steps to judge", file=exceeded[0])
            raise BudgetError(message=message)


@mypyc_attr(allow_interpreted_subclasses=True)
class Budget:
    """The steps left for the current question; the first argument of compiled expressions.

    Generated code subtracts from ``left`` and calls ``refill`` below zero.
    """

    __slots__ = ("_given", "_reserve", "_used", "account", "exact", "left", "size_was_read")

    def __init__(self, steps: int = STEPS, account: Account | None = None) -> None:
        self.account = account
        self.size_was_read = False
        """Whether the question read the size of a partly hidden bag."""
        self.exact = 0
        """What must be known exactly: CONTENTS, SIZES, or 0 for nothing."""
        self.left = self._given = self._reserve = self._used = 0
        self.grant(steps)

    def grant(self, steps: int = STEPS, fixed: int = 0) -> None:
        """Begin a question of at most ``steps``; charge ``fixed`` at once."""
        # Questions are many, so accounts are charged in batches.
        used, account = self._used + self._given - self.left, self.account
        if used > UNSETTLED or (account is not None and account.left < SLICE):
            self._settle()
            used = 0
        self._used = used
        self._given = given = min(steps, SLICE)
        self._reserve = steps - given
        self.left = given - fixed

    @contextmanager
    def paid_by(self, account: Account | None) -> Iterator[None]:
        """Charge ``account`` inside; restore the current question after."""
        before = self.account, self.left, self._given, self._reserve, self._used, self.size_was_read
        self.account, self.left, self._given, self._reserve, self._used = account, 0, 0, 0, 0
        try:
            yield
        finally:
            self.account, self.left, self._given, self._reserve, self._used, self.size_was_read = (
                before
            )

    def uncharged(self, question: Callable[[Any], Any]) -> Any:
        """Answer a small question without charging any account."""
        before = self.account, self.left, self._given, self._reserve, self._used, self.size_was_read
        self.account, self.left = None, SLICE
        try:
            return question(self)
        finally:
            self.account, self.left, self._given, self._reserve, self._used, self.size_was_read = (
                before
            )

    def identified(self, value: object) -> object:
        """Return a value with its hidden contents, where they are known."""
        return value

    def charge(self, steps: int) -> None:
        """Subtract steps from the current question."""
        self.left -= steps
        if self.left < 0:
            self.refill()

    @property
    def remaining(self) -> int:
        """The steps left for the current question."""
        return self.left + self._reserve

    def settle(self) -> None:
        """Charge the account for the steps used so far.

        Called around cached work, so the account does not depend on the cache.
        """
        self._settle()

    def spend(self, steps: int) -> None:
        """Charge the account alone, for work with its own limit."""
        self._reserve += steps
        self.charge(steps)

    def refill(self) -> None:
        """Start the next slice; raise BudgetError if none is left."""
        self._settle()
        # ``_settle`` has already subtracted any overdraft from the reserve.
        self._given = self.left = min(SLICE, self._reserve)
        self._reserve -= self._given
        if self.left < 0:
            raise BudgetError

    def _settle(self) -> None:
        used = self._used + self._given - self.left
        self._reserve += self.left
        self._given = self.left = self._used = 0
        if self.account is not None:
            self.account.spend(used)


def steps_for(length: int) -> int:
    """Return the steps granted to a text of ``length`` characters.

    >>> steps_for(0), steps_for(1_000)
    (10000000, 10200000)
    """
    return FEWEST_STEPS + sum(rate * max(min(length, end) - start, 0) for start, end, rate in RATES)

"""Budgets of evaluation: steps for one question, and for all questions of a game or file.

A step is a handful of operations on small values, some tenths of a microsecond: to look at one
element of a list, or to put it into another. Whatever a rule does is charged by the size of what
it reads and makes, so that what is granted bounds time and memory alike. Where more is taken than
is left, a BudgetError is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from sys import maxsize
from typing import Any

from altay_cli.base.findings import BudgetError, Text

STEPS = 1_000_000
"""The default budget of one question: everything that a statement sets in motion."""

SLICE = 50_000
"""After so many steps, the account of the game or file is checked."""

UNSETTLED = 2_000
"""How many steps may accumulate before they are taken from a well-filled account."""

CONTENTS, SIZES = 1, 2
"""What is read exactly where it is only partly known: what lies there, or how much as well."""

MAX_SIZE = 100_000
"""The maximum length of a list, and of a text that is made."""

FEWEST_STEPS = 10_000_000
RATES = ((0, 5_000, 200), (5_000, 16_000, 3_700), (16_000, 100_000, 350), (100_000, maxsize, 1_000))
"""What a file may take: so much, and more for each character, by how many stand before it.

The longest files hold many games, and each of them is to be judged. A statement of rules that make
sense takes some hundreds of steps; games with much to do on each turn take up to 600 a character.
Most of this is for finding out how to go on after slips, and what explains them. Nobody waits long
for a short log; in one that is longer than a game of several hours not all slips are made anew.
"""


class Account:
    """What many questions may take together: those about a game, or all games of a file.

    ``what`` is named where it is used up. What is spent here is also spent from ``within``.
    ``to_try`` is what may be spent beside it, half as much, on trying how to go on after mistakes:
    however much is tried, what there is to judge is judged.
    """

    __slots__ = ("_around", "_to_try", "left", "what")

    def __init__(self, steps: int, what: str, *, within: Account | None = None) -> None:
        self.left, self._to_try = steps, steps // 2
        self.what = what
        # The accounts within which it lies, the outermost last.
        self._around: tuple[Account, ...] = () if within is None else (within, *within._around)

    @property
    def available(self) -> int:
        """How many steps are left in this account and in those within which it lies."""
        return min(account.left for account in (self, *self._around))

    @property
    def to_try(self) -> int:
        """How many steps are left to be tried: those of the account within which all others lie."""
        return (self, *self._around)[-1]._to_try

    def tried(self, steps: int) -> None:
        """Take note that so many of the steps that were spent were spent on trying."""
        for account in (self, *self._around):
            account.left += steps
        account._to_try -= steps

    def spend(self, steps: int) -> None:
        """Subtract steps, here and in the accounts within which this one lies."""
        for account in (self, *self._around):
            account.left -= steps
        exceeded = [account.what for account in (self, *self._around) if account.left < 0]
        if exceeded:
            message = Text("{file} takes too many steps to judge", file=exceeded[0])
            raise BudgetError(message=message)


class Budget:
    """The steps that are left for the question under way: what every expression gets first.

    Generated code and its helpers subtract from ``left`` and call ``refill`` where that is below
    zero. A state of a game is a budget, so that two games never share one.
    """

    __slots__ = ("_given", "_reserve", "_used", "account", "exact", "left", "sized")

    def __init__(self, steps: int = STEPS, account: Account | None = None) -> None:
        self.account = account
        self.sized = False
        """Whether it was asked how much there is where something is hidden."""
        self.exact = 0
        """CONTENTS or SIZES, if what is known to lie somewhere is not taken for all; else 0."""
        self.left = self._given = self._reserve = self._used = 0
        self.grant(steps)

    def grant(self, steps: int = STEPS, fixed: int = 0) -> None:
        """Begin a new question, which may take so many steps; ``fixed`` ones are taken at once."""
        # Questions are short and many: what they used is taken from the accounts now and then.
        used, account = self._used + self._given - self.left, self.account
        if used > UNSETTLED or (account is not None and account.left < SLICE):
            self._settle()
            used = 0
        self._used = used
        self._given = given = min(steps, SLICE)
        self._reserve = steps - given
        self.left = given - fixed

    @contextmanager
    def apart(self, account: Account | None) -> Iterator[None]:
        """Let questions inside be paid from another account; then go on as if there were none."""
        before = self.account, self.left, self._given, self._reserve, self._used, self.sized
        self.account, self.left, self._given, self._reserve, self._used = account, 0, 0, 0, 0
        try:
            yield
        finally:
            self.account, self.left, self._given, self._reserve, self._used, self.sized = before

    def uncharged(self, question: Callable[[Any], Any]) -> Any:
        """Return the answer to a small question, which nobody pays for."""
        before = self.account, self.left, self._given, self._reserve, self._used, self.sized
        self.account, self.left = None, SLICE
        try:
            return question(self)
        finally:
            self.account, self.left, self._given, self._reserve, self._used, self.sized = before

    def laid_open(self, value: object) -> object:
        """Return a value that is compared, as it is known."""
        return value

    def charge(self, steps: int) -> None:
        """Subtract steps from what the question may take."""
        self.left -= steps
        if self.left < 0:
            self.refill()

    @property
    def remaining(self) -> int:
        """How many steps the question may still take."""
        return self.left + self._reserve

    def settle(self) -> None:
        """Charge the account for the steps used so far; the question keeps the rest.

        Before and after work whose result may be kept, this makes the account the same whether the
        work is done or its steps are charged at once.
        """
        self._settle()

    def spend(self, steps: int) -> None:
        """Subtract steps from the account alone: what has a limit of its own fits any question."""
        self._reserve += steps
        self.charge(steps)

    def refill(self) -> None:
        """Go on with what the question may still take; called where ``left`` is below zero."""
        self._settle()
        # What was taken beyond the last slice has been taken off the reserve.
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
    """Return how many steps a file, or a part of one, with so many characters may take."""
    return FEWEST_STEPS + sum(rate * max(min(length, end) - start, 0) for start, end, rate in RATES)

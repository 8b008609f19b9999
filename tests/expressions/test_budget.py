"""What evaluation may take: steps for a question, for a game, for a file."""

from __future__ import annotations

import threading

import pytest

from altay_cli.base.budget import SLICE, STEPS, Account, Budget
from altay_cli.base.findings import BudgetError, ExpressionError
from altay_cli.expressions.checker import check
from altay_cli.expressions.environment import Environment, Function, Symbol
from altay_cli.expressions.types import BOOL, INT, list_of


def taken(budget: Budget, steps: int) -> int:
    """Take one step after the other, and tell how many there were."""
    for number in range(steps + 1):
        try:
            budget.charge(1)
        except BudgetError:
            return number
    return steps


@pytest.mark.parametrize("steps", [1, 7, SLICE - 1, SLICE, SLICE + 1, 3 * SLICE + 5])
def test_as_many_steps_as_were_granted(steps: int) -> None:
    budget = Budget(steps)
    assert taken(budget, steps + 10) == steps
    budget.grant(5)
    assert taken(budget, 100) == 5


def test_one_step_may_be_larger_than_a_slice() -> None:
    budget = Budget(10 * SLICE)
    budget.charge(7 * SLICE)
    budget.charge(3 * SLICE)
    with pytest.raises(BudgetError):
        budget.charge(1)


def test_what_is_used_up_stays_so_until_more_is_granted() -> None:
    budget = Budget(3)
    for _ in range(3):
        with pytest.raises(BudgetError):
            budget.charge(4)
    budget.grant(4)
    budget.charge(4)


def test_questions_are_paid_from_an_account() -> None:
    game = Account(1_000, "this game")
    budget = Budget(account=game)
    for _ in range(10):
        budget.grant(200)
        budget.charge(90)
    with pytest.raises(BudgetError, match="this game takes too many steps"):
        for _ in range(10):
            budget.grant(200)
            budget.charge(90)
    # From then on nothing is granted, whoever asks.
    for _ in range(3):
        with pytest.raises(BudgetError):
            budget.grant(1)
    with pytest.raises(BudgetError):
        Budget(1, game)


def test_what_has_a_limit_of_its_own_is_paid_by_the_account_alone() -> None:
    game = Account(10 * SLICE, "this game")
    budget = Budget(5, game)
    budget.spend(3 * SLICE)
    budget.charge(5)
    with pytest.raises(BudgetError):
        budget.charge(1)
    assert game.left <= 7 * SLICE
    budget = Budget(5, Account(SLICE, "this game"))
    with pytest.raises(BudgetError, match="this game"):
        budget.spend(2 * SLICE)


def test_a_long_question_is_stopped_by_its_account() -> None:
    budget = Budget(10**12, Account(5 * SLICE, "this game"))
    assert taken(budget, 10 * SLICE) <= 6 * SLICE


def test_games_are_paid_from_the_account_of_their_file() -> None:
    file = Account(1_000, "this file")
    games = 0
    with pytest.raises(BudgetError, match="this file takes too many steps"):
        while True:
            budget = Budget(10_000, Account(10_000, "this game", within=file))
            budget.charge(300)
            budget.grant()
            games += 1
    assert games == 3


def test_budgets_in_two_threads_know_nothing_of_each_other() -> None:
    found: dict[int, int] = {}

    def use(number: int) -> None:
        found[number] = taken(Budget(20_000 + number), 100_000)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: 20_000 + number for number in range(4)}


# ---------------------------------------------------------------- told beforehand

ENV = Environment(
    {
        "hundred": Symbol(list_of(INT), "S.hundred", size=100),
        "some": Symbol(list_of(INT), "S.some"),
        "flag": Symbol(BOOL, "S.flag"),
        "me.all": Symbol(list_of(INT), "S.all", size=100),
    },
    functions={
        "heavy": [Function((INT,), INT, "heavy(S, {0})", least=600_000)],
        "lists.range": [Function((INT,), list_of(INT), "below(S, {0})")],
    },
)
LOOPS = "hundred.map(a, hundred.map(b, hundred.map(c, {})))"


@pytest.mark.parametrize(
    "source",
    [
        LOOPS.format("a"),
        "heavy(1) + heavy(2)",
        "hundred.map(a, heavy(a))",
        "lists.range(2000000)",
        "lists.range(2000).exists_one(x, lists.range(1000).map(y, y) == [])",
        "heavy(1) > 0 ? heavy(2) : heavy(3)",
        "[heavy(1), heavy(2)].size() > 0",
        "[1].all(x, heavy(x) + heavy(x) > 0)",
        "me.all.map(a, me.all.map(b, me.all.map(c, c)))",
    ],
)
def test_what_takes_too_much_at_the_least_is_refused(source: str) -> None:
    with pytest.raises(ExpressionError, match=r"this takes at least [0-9,]+ steps") as caught:
        check(source, ENV)
    assert caught.value.code == "too-costly"


@pytest.mark.parametrize(
    "source",
    [
        "heavy(1)",
        "flag ? heavy(1) : heavy(2)",
        "flag || heavy(1) + heavy(2) > 0",
        "flag && heavy(1) > heavy(2)",
        "some.map(a, heavy(a))",
        "hundred.all(a, heavy(a) > 0)",
        "hundred.filter(a, a > 0).map(a, heavy(a))",
        "hundred.map(hundred, hundred + 1)",
        "some.map(hundred, [hundred].map(x, [x]))",
        LOOPS.replace("hundred.map(c", "some.map(c").format("c"),
    ],
)
def test_what_may_take_less_is_not(source: str) -> None:
    check(source, ENV)


def test_the_limit_is_that_of_a_statement() -> None:
    assert STEPS == 1_000_000

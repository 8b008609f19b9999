"""The macro `closure`: what follows from a list, however many steps away."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.checker import evaluate


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("[1].closure(known, known.map(n, n * 2).filter(n, n < 20))", [1, 2, 4, 8, 16]),
        ("[3, 1, 3].closure(known, known)", [3, 1]),
        ("[1].closure(known, [])", [1]),
        ("[1, 2].closure(known, known.size() < 4 ? [known.size() + 10] : [])", [1, 2, 12, 13]),
        ("['a'].closure(k, k.filter(x, x == 'b'))", ["a"]),
    ],
)
def test_closure(source: str, value: list[object]) -> None:
    assert evaluate(source) == value


def test_what_is_too_long_is_told_with_all_that_was_there() -> None:
    # 60,000 numbers, and 60,000 others that follow from them: 100,000 are the most.
    with pytest.raises(ExpressionError) as caught:
        evaluate(
            "a.map(n, n).closure(known, b.map(n, n))",
            {"a": [*range(60_000)], "b": [*range(-60_000, 0)]},
        )
    assert str(caught.value) == (
        "the result would have a size of 120,000; 100,000 is the most that is allowed"
    )


def test_the_budget_ends_what_grows_for_ever() -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate("[1].closure(known, known.map(n, n + 1))")
    assert caught.value.code == "budget"

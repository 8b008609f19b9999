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


def test_the_budget_ends_what_grows_for_ever() -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate("[1].closure(known, known.map(n, n + 1))")
    assert caught.value.code == "budget"

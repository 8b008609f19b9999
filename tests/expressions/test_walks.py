"""Macros over lists that CEL does not have: in order, one by one, and from one to the next."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.checker import evaluate

# 1 - 2 - 3 - 4 in a ring, and 8 - 9 apart
LINKS = "x == 9 ? [8] : x == 8 ? [9] : x > 4 ? [] : [x % 4 + 1, (x + 2) % 4 + 1]"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("[3, 1, 4, 1].takeWhile(x, x != 4)", [3, 1]),
        ("[3, 1].takeWhile(x, true)", [3, 1]),
        ("[3, 1, 2].sortBy(x, x)", [1, 2, 3]),
        ("[3, 1, 2].sortBy(x, -x)", [3, 2, 1]),
        ("['bb', 'a', 'cc'].sortBy(x, x.size())", ["a", "bb", "cc"]),
        ("['bb', 'a', 'cc'].maxBy(x, x.size())", "bb"),
        ("['bb', 'a', 'cc'].minBy(x, x.size())", "a"),
        ("[3, 4].reduce(n, x, 0, 10 * n + x)", 34),
        ("[1, 2].reduce(all, x, [], [x] + all)", [2, 1]),
        ("[[1], [2, 3]].reduce(n, l, 0, n + l.size())", 3),
        (f"[1].reachable(x, {LINKS})", [1, 2, 4, 3]),
        (f"[9, 1].reachable(x, {LINKS})", [9, 1, 8, 2, 4, 3]),
        (f"[1, 8, 3, 2, 9, 7].components(x, {LINKS})", [[1, 2, 3], [8, 9], [7]]),
        # 1 and 3 are not beside each other.
        (f"[1, 3].components(x, {LINKS})", [[1], [3]]),
        (f"[1].longestPath(x, {LINKS}, 100)", [1, 2, 3, 4]),
        (f"[1].longestPath(x, {LINKS}, 3)", [1, 2, 3]),
        (f"[7, 9].longestPath(x, {LINKS}, 100)", [9, 8]),
        (f"[7].longestPath(x, {LINKS}, 0)", []),
    ],
)
def test_walks(source: str, value: object) -> None:
    assert evaluate(source) == value


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("[1].reduce(n, x, 0, 'a')", "wrong-type"),
        ("[1].reduce(n, n, 0, 1)", "syntax"),
        ("[1].sortBy(x, [x])", "wrong-type"),
        ("[1].takeWhile(x, x)", "wrong-type"),
        ("[1].reachable(x, ['a'])", "wrong-type"),
        ("[[1]].components(x, [x])", "wrong-type"),
        ("[1].longestPath(x, [x], 'a')", "wrong-type"),
        ("[1].shuffle()", "unknown-function"),
        ("[1].filter(x, x > 1).minBy(x, 1) == 1", "evaluation"),
        (f"[0].longestPath(x, {list(range(40))}, 40).size() == 40", ""),
        (f"[0].longestPath(x, {list(range(30))}.filter(y, (x + y) % 3 > 0), 31)", "budget"),
        ("[0].reachable(x, [x + 1])", "budget"),
        # Each of 10,000 looks at 300 neighbours, which costs twice as much; none of them is among these.
        (f"a.components(x, {list(range(-300, 0))}).size() == 10000", "budget"),
    ],
)
def test_what_is_refused(source: str, code: str) -> None:
    try:
        assert evaluate(source, {"a": [*range(10_000)]}) is (code == "")
    except ExpressionError as error:
        assert error.code == code
    except LookupError:
        assert code == "evaluation"


def test_an_unknown_method_tells_which_there_are() -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate("[1].shuffle()")
    assert "of list(int) there is: " in caught.value.message
    assert "sortBy" in caught.value.message
    with pytest.raises(ExpressionError) as caught:
        evaluate("[1].sortby(x, x)")
    assert "did you mean `sortBy`?" in caught.value.message

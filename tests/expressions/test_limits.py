"""Hostile expressions: bounded size, depth, steps and memory, and never another exception."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from altay_cli.base.findings import BudgetError, ExpressionError
from altay_cli.expressions import limits
from altay_cli.expressions.checker import evaluate
from altay_cli.expressions.regex import is_available
from tests.effort import at_most

needs_re2 = pytest.mark.skipif(not is_available(), reason="google-re2 is not installed")
CALLS = 6_000_000
REPEATS = ["+", "-", "*", "/", "%", "==", "<"]


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with at_most(CALLS):
        yield


def outcome(source: str, bindings: dict[str, object] | None = None) -> str:
    try:
        evaluate(source, bindings)
    except ExpressionError as error:
        return error.code
    return "value"


NESTS = {
    "parentheses": ("(", "1", ")"),
    "lists": ("[", "1", "]"),
    "maps": ("{1: ", "1", "}"),
    "minus": ("-(", "1", ")"),
    "not": ("!(", "true", ")"),
    "sums": ("(1 + ", "1", ")"),
    "calls": ("size([", "1", "])"),
    "conditions": ("(true ? ", "1", " : 1)"),
    "map": ("[1].map(x, ", "1", ")"),
    "all": ("[1].all(x, ", "true", ")"),
    "absorbing": ("[1].exists(x, 1 / 0 == 1 || ", "true", ")"),
    "indices": ("a[", "0", "]"),
}


@pytest.mark.parametrize("kind", NESTS)
def test_nesting(kind: str) -> None:
    before, inner, after = NESTS[kind]
    bindings: dict[str, object] = {"a": [0, 0]}

    def nested(levels: int) -> str:
        return outcome(before * levels + inner + after * levels, bindings)

    # The language definition asks for 32 levels.
    assert nested(32) == "value"
    assert nested(101) == "too-deep"
    for levels in range(33, 100, 7):
        assert nested(levels) in ("value", "too-deep")
    assert nested(100_000) == "too-long"


@pytest.mark.parametrize("kind", ["map", "all", "absorbing", "transformMap", "mixed"])
def test_nested_loops_do_not_crash_the_compiler(kind: str) -> None:
    # Python 3.12 and 3.13 crash where some twenty comprehensions are nested.
    wholes = {
        **NESTS,
        "transformMap": ("{'k': 1}.transformMap(k, x, ", "1", ")"),
        "mixed": ("[1].map(x, {'k': 1}.transformMap(k, y, ", "1", "))"),
    }
    before, inner, after = wholes[kind]
    for levels in range(8, 100):
        assert outcome(before * levels + inner + after * levels) in ("value", "too-deep")
    assert outcome(before * 16 + inner + after * 16) == "value"


@pytest.mark.parametrize("sign", "([{")
def test_only_opening_brackets(sign: str) -> None:
    assert outcome(sign * 100_000) == "too-long"
    assert outcome(sign * 9_999) == "syntax"


@pytest.mark.parametrize("sign", REPEATS)
def test_long_chains(sign: str) -> None:
    term = "true" if sign in ("==", "<") else "1"
    for length in (2, 32, 250, 1_400):
        assert outcome(sign.join([term] * length)) == "value"
    assert evaluate(" + ".join(["1"] * 1_000)) == 1_000
    assert evaluate(" - ".join(["1"] * 1_000)) == -998
    assert evaluate("s" + " + s" * 99, {"s": "ab"}) == "ab" * 100


def test_a_long_chain_meets_its_error() -> None:
    assert outcome("9223372036854775807 + " + " + ".join(["1"] * 100)) == "overflow"
    assert outcome(" + ".join(["1"] * 100) + " + 'a'") == "no-overload"
    assert outcome(" + ".join(["x"] * 100) + " + y", {"x": 1, "y": "a"}) == "no-overload"


@pytest.mark.parametrize(("sign", "neutral"), [("&&", "true"), ("||", "false")])
def test_long_logic(sign: str, neutral: str) -> None:
    plain = f" {sign} ".join([neutral] * 900)
    assert evaluate(plain) is (neutral == "true")
    failing = f" {sign} ".join(["x"] * 400 + ["1 / 0 == 1"] * 200)
    assert outcome(failing, {"x": neutral == "true"}) == "division"
    assert outcome(failing, {"x": neutral == "false"}) == "value"


def test_long_conditionals() -> None:
    assert evaluate("false ? 1 : " * 250 + "2") == 2
    assert outcome("false ? 1 : " * 251 + "2") == "too-deep"
    assert outcome("false ? 1 : " * 800 + "2") == "too-deep"


def test_many_signs() -> None:
    assert evaluate("-" * 9_000 + "1") == 1
    assert evaluate("!" * 9_001 + "true") is False
    assert evaluate("[1]" + "[0]" * 1) == 1
    assert evaluate("x" + "[0]" * 40, {"x": _nested_list(40)}) == 7
    assert outcome("x" + "[0]" * 3_000, {"x": [1]}) == "too-deep"
    assert outcome("x" + ".x" * 4_000, {"x": {}}) == "too-deep"


def _nested_list(levels: int) -> object:
    value: object = 7
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "source",
    [
        "\0",
        "1\0",
        "\ud800",
        "'\udfff'",
        '"' * 9_999,
        "'" * 10_000,
        '"""' * 3_333,
        "r'" * 4_000,
        "`" * 9_000,
        "//" * 4_000,
        "/*" * 4_000,
        "\\" * 5_000,
        ". " * 5_000,
        "?:" * 5_000,
        "1 " * 5_000,
        "a" * 10_001,
        "\u202e",
        "ａ",
        "１",
        "a\u00a0",
        "__import__('os')",
        "x.__class__",
        "v",
        "S",
        "_add(1, 1)",
        "f'{x}'",
        "x if y else z",
        "lambda: 1",
    ],
)
def test_rubbish(source: str) -> None:
    assert outcome(source, {"x": 1}) != "value"


def test_a_binding_may_have_any_name() -> None:
    assert evaluate("v + S", {"v": 1, "S": 2, "'\"\\\n": 3, "\ud800": 4}) == 3


LIST = f"[{', '.join(['0'] * 500)}]"


@pytest.mark.parametrize(
    "source",
    [
        f"{LIST}.map(a, {LIST}.map(b, {LIST}.map(c, 1)))",
        f"{LIST}.all(a, {LIST}.all(b, {LIST}.all(c, a == b)))",
        f"{LIST}.all(a, {LIST}.exists(b, {LIST}.exists(c, 1 / c == 1)))",
        "[x].map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a)",
        "[[x]].map(a, a + a).map(a, a + a)" + ".map(a, a + a)" * 15,
        "x" + " + x" * 100,
        "l.map(a, x + x)",
        "l.map(a, l + l)",
        "l.all(a, l.all(b, l == m))",
        "l.all(a, l.all(b, !(b - 20000 in l)))",
        "l.all(a, l.all(b, !x.contains('ab')))",
        "l.all(a, l.all(b, x == y))",
        pytest.param("l.all(a, !x.matches('(a{30}){30}b'))", marks=needs_re2),
        "l.all(a, l.all(b, x + 'c' != y))",
        "l.all(a, l.all(b, !(x in t)))",
        "true || " + f"{LIST}.map(a, {LIST}.map(b, {LIST}.map(c, 1))) == []",
    ],
)
def test_work_is_bounded(source: str) -> None:
    numbers = list(range(10_000))
    bindings: dict[str, object] = {
        "x": "a" * 30_000,
        "y": "a" * 30_000,
        "l": numbers,
        "m": numbers.copy(),
        "t": ["b" * 30_000] * 1_000,
    }
    assert outcome(source, bindings) in ("budget", "value")
    if not source.startswith("true ||"):
        assert outcome(source, bindings) == "budget"


def test_the_budget_is_never_absorbed() -> None:
    endless = f"{LIST}.all(a, {LIST}.all(b, {LIST}.all(c, true)))"
    assert outcome(f"{endless} || true") == "budget"
    assert outcome(f"1 / 0 == 1 && {endless} && 2 / 0 == 1") == "budget"


def test_a_budget_can_be_set() -> None:
    assert evaluate("[1, 2, 3].map(x, x)", budget=4) == [1, 2, 3]
    with pytest.raises(BudgetError):
        evaluate("[1, 2, 3].map(x, x)", budget=2)


def test_code_is_paid_for_by_its_length() -> None:
    # A list of 400 numbers is 1,200 characters of Python, which are 30 steps.
    numbers = f"[{', '.join(['1'] * 400)}]"
    assert evaluate(numbers, budget=30) == [1] * 400
    with pytest.raises(BudgetError):
        evaluate(numbers, budget=29)


def test_a_path_has_a_greatest_length() -> None:
    assert evaluate("[0].longestPath(x, [x + 1], 900).size()") == 900
    assert evaluate("[0].longestPath(x, [x + 1], 5000).size()") == 1_000


def test_what_comes_from_outside_has_a_greatest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BINDING_VALUES", 10)
    assert evaluate("x.size()", {"x": [1] * 9}) == 9
    with pytest.raises(ExpressionError, match="the value of `x` is too large or too deep"):
        evaluate("x.size()", {"x": [1] * 10})


@needs_re2
def test_a_pattern_has_a_greatest_length() -> None:
    assert evaluate("'a'.matches(p)", {"p": "a" * 1_000}) is False
    assert outcome("'a'.matches(p)", {"p": "a" * 1_001}) == "regex"


@needs_re2
def test_repeats_of_a_pattern_are_paid_for_up_to_a_thousand() -> None:
    # Each of the 14 characters counts as a thousand; the text costs little.
    source = "'a'.matches('a{1000}b{1000}')"
    assert evaluate(source, budget=15_000) is False
    with pytest.raises(BudgetError):
        evaluate(source, budget=14_000)


@needs_re2
@pytest.mark.parametrize(
    "pattern", ["(a*)*b", "(a|a)*b", "(a+)+b", "(a?){99}a{99}b", "(.*)(.*)(.*)b"]
)
def test_patterns_take_linear_time(pattern: str) -> None:
    assert evaluate("x.matches(p)", {"x": "a" * 2_000, "p": pattern}, budget=10**9) is False


def test_what_is_joined_has_a_greatest_size() -> None:
    half = {"x": "a" * 50_000, "l": [0] * 50_000}
    assert evaluate("(x + x).size()", half) == 100_000
    assert evaluate("(l + l).size()", half) == 100_000
    for source in ("x + x + 'a'", "l + l + [0]"):
        with pytest.raises(BudgetError, match="100,000 is the most"):
            evaluate(source, half)


def test_two_lists_that_share_their_parts_are_not_compared_for_ever() -> None:
    # Each holds 2**60 numbers, in 60 lists of two.
    bindings: dict[str, object] = {"x": [0]}
    doubled = "[x]" + ".map(a, [a, a])" * 60
    assert outcome(f"{doubled} == {doubled}", bindings) == "budget"
    assert outcome(f"{doubled} in [{doubled}]", bindings) == "budget"


def test_patterns_are_refused_without_google_re2(monkeypatch: pytest.MonkeyPatch) -> None:
    from altay_cli.expressions import regex
    from altay_cli.expressions.checker import check
    from altay_cli.expressions.environment import Environment

    monkeypatch.setattr(regex, "find_spec", lambda _: None)
    regex.compile_pattern.cache_clear()
    for source in ("'a'.matches('a')", "matches('a', 'a' + 'b')"):
        with pytest.raises(ExpressionError, match="needs google-re2") as caught:
            check(source, Environment())
        assert (caught.value.code, caught.value.start) == ("unsupported", 0)
        assert outcome(source) == "unsupported"
    regex.compile_pattern.cache_clear()

"""What must hold for every expression."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altay_cli.base.budget import Budget
from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.checker import evaluate
from altay_cli.expressions.environment import Environment, Symbol
from altay_cli.expressions.regex import is_available
from altay_cli.expressions.runtime import matches
from altay_cli.expressions.types import BOOL, INT
from tests.expressions.compiled import compile_expression

INT_MAX = 2**63 - 1
INT_MIN = -(2**63)
ERROR = "error"

WORDS = [
    "a", "b.c", "x", "1", "0", "-", "'s'", "true", "null", "in", "(", ")", "[", "]", "{", "}", ",",
    ":", "?", "!", "&&", "||", "==", "<", "+", "*", "/", "%", ".", "size", ".map(x,", ".all(x,",
    "has(", "`q`", "r'", '"""', "\\", "//", "\n", "9223372036854775807", "1.5", "2u", "for",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=30).map("".join)))
def test_nothing_but_expression_errors(source: str) -> None:
    try:
        evaluate(source, {"a": [1, "x", None], "b.c": {"c": True}, "x": 1})
    except ExpressionError as error:
        assert error.start is None or 0 <= error.start <= (error.end or 0) <= len(source)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(INT_MIN, INT_MAX) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(VALUES, VALUES)
def test_equality_knows_types(a: object, b: object) -> None:
    same = evaluate("a == b", {"a": a, "b": b})
    assert same is (_exact(a) == _exact(b))
    assert evaluate("a != b", {"a": a, "b": b}) is not same
    assert evaluate("a in [b]", {"a": a, "b": b}) is same
    assert evaluate("a == a && a in [b, a]", {"a": a, "b": b}) is True


def _exact(value: object) -> object:
    if isinstance(value, list):
        return ["list", *map(_exact, value)]
    if isinstance(value, dict):
        return ["map", sorted((key, repr(_exact(item))) for key, item in value.items())]
    return [type(value).__name__, value]


INTEGERS = st.one_of(
    st.integers(-10, 10),
    st.integers(INT_MIN, INT_MAX),
    st.sampled_from([INT_MIN, INT_MIN + 1, INT_MAX, INT_MAX - 1, 2**32, -(2**31)]),
)
# A tree is a number, a negation or (sign, left, right); a sign or None stands first.
TREES = st.recursive(
    INTEGERS,
    lambda inner: (
        st.tuples(st.sampled_from("+-*/%"), inner, inner) | st.tuples(st.just("neg"), inner)
    ),
    max_leaves=8,
)


def _written(tree: object) -> str:
    if isinstance(tree, tuple):
        if len(tree) == 2:
            return f"-({_written(tree[1])})"
        return f"({_written(tree[1])} {tree[0]} {_written(tree[2])})"
    return str(tree)


def _reference(tree: object) -> int:
    if isinstance(tree, int):
        return tree
    assert isinstance(tree, tuple)
    parts = [_reference(part) for part in tree[1:]]
    if tree[0] == "neg":
        value = -parts[0]
    elif tree[0] in "/%":
        quotient = abs(parts[0]) // abs(parts[1])
        quotient = quotient if (parts[0] < 0) == (parts[1] < 0) else -quotient
        value = quotient if tree[0] == "/" else parts[0] - quotient * parts[1]
    else:
        a, b = parts
        value = {"+": a + b, "-": a - b, "*": a * b}[str(tree[0])]
    if not INT_MIN <= value <= INT_MAX:
        raise OverflowError
    return value


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_arithmetic_is_that_of_64_bits(tree: object) -> None:
    try:
        wanted: object = _reference(tree)
    except (OverflowError, ZeroDivisionError):
        wanted = ERROR
    assert _outcome(_written(tree)) == wanted
    # The same with values whose type only evaluation knows.
    assert _outcome(re.sub(r"-?\d+", lambda n: f"dyn({n[0]})", _written(tree))) == wanted


def _outcome(source: str) -> object:
    try:
        return evaluate(source)
    except ExpressionError:
        return ERROR


LOGIC = st.recursive(
    st.sampled_from(["true", "false", "1 / 0 == 0", "x", "1"]),
    lambda inner: st.tuples(st.sampled_from(["&&", "||"]), st.lists(inner, min_size=2, max_size=4)),
    max_leaves=10,
)


def _logic(tree: object, turned: bool) -> str:
    if isinstance(tree, str):
        return tree
    assert isinstance(tree, tuple)
    parts = [f"({_logic(part, turned)})" for part in tree[1]]
    return f" {tree[0]} ".join(reversed(parts) if turned else parts)


def _truth(tree: object) -> object:
    if isinstance(tree, str):
        return {"true": True, "false": False}.get(tree, ERROR)
    assert isinstance(tree, tuple)
    values = [_truth(part) for part in tree[1]]
    decisive = tree[0] == "||"
    if decisive in values:
        return decisive
    return ERROR if ERROR in values else not decisive


@settings(max_examples=300, deadline=None)
@given(LOGIC.filter(lambda tree: not isinstance(tree, str)))
def test_logic_absorbs_errors_in_any_order(tree: object) -> None:
    assert _outcome(_logic(tree, False)) == _truth(tree)
    assert _outcome(_logic(tree, True)) == _truth(tree)


class Values(Budget):
    """A state with two numbers and a truth."""

    def __init__(self, i: int, j: int, p: bool) -> None:
        super().__init__()
        self.i, self.j, self.p = i, j, p


TYPED = Environment({"i": Symbol(INT, "S.i"), "j": Symbol(INT, "S.j"), "p": Symbol(BOOL, "S.p")})
NUMBERS = st.recursive(
    st.sampled_from(["i", "j", "0", "1", "-2", "9223372036854775807"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/%"), inner).map(lambda t: f"({' '.join(t)})"),
        st.tuples(inner, inner).map(lambda t: f"(p ? {t[0]} : {t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"[{t[0]}, {t[1]}].map(k, k + i)[j]"),
    ),
    max_leaves=6,
)
TRUTHS = st.recursive(
    st.tuples(NUMBERS, st.sampled_from(["<", "<=", "==", "!="]), NUMBERS).map(" ".join),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(
            lambda t: f"({t[0]}) {t[1]} ({t[2]})"
        ),
        inner.map(lambda t: f"!({t})"),
        inner.map(lambda t: f"[i, j].all(i, {t})"),
        inner.map(lambda t: f"[j, i].exists(j, {t})"),
        inner.map(lambda t: f"[i, j].exists_one(i, {t})"),
    ),
    max_leaves=4,
)


@settings(max_examples=200, deadline=None)
@given(TRUTHS, st.integers(-2, 2), st.integers(-2, 2), st.booleans())
def test_types_change_speed_and_nothing_else(source: str, i: int, j: int, p: bool) -> None:
    try:
        typed: object = compile_expression(source, TYPED, BOOL)(Values(i, j, p), {})
    except ExpressionError:
        typed = ERROR
    try:
        untyped = evaluate(source, {"i": i, "j": j, "p": p})
    except ExpressionError:
        untyped = ERROR
    assert typed == untyped
    assert type(typed) is type(untyped)


needs_re2 = pytest.mark.skipif(not is_available(), reason="google-re2 is not installed")


@needs_re2
@settings(max_examples=200, deadline=None)
@given(st.text(r"ab()[]{}*+?|^$.\-1,", max_size=15), st.text("ab1", max_size=5))
def test_any_pattern_is_a_pattern_or_refused(pattern: str, text: str) -> None:
    try:
        matches(Budget(), text, pattern)
    except ExpressionError as error:
        assert error.code == "regex"


@needs_re2
@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("^a{3}$", "aaa", True),
        ("^(a{2}){1,2}$", "aaa", False),
        ("[]a]+", "]", True),
        ("x*", "", True),
        (r"\.\*", ".*", True),
        ("(?i)a", "A", True),
        ("[[:alpha:]]", "a", True),
        (r"^\8$", "", None),
        ("a**", "a", None),
        ("[b-a]", "a", None),
        ("*", "a", None),
        ("(", "a", None),
        (")", "a", None),
        ("[", "a", None),
        ("(" * 600 + ")" * 400, "a", None),
        ("((a{100}){100}){100}", "a", None),
        ("a{1001}", "a", None),
        ("a" * 1_001, "a", None),
        ("\ud800", "a", None),
        ("a", "\ud800", None),
    ],
)
def test_patterns(pattern: str, text: str, fits: bool | None) -> None:
    if fits is None:
        with pytest.raises(ExpressionError) as caught:
            matches(Budget(), text, pattern)
        assert caught.value.code == "regex"
    else:
        assert matches(Budget(), text, pattern) is fits

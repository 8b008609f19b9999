"""CEL with plain values: corners that the public cases leave open."""

from __future__ import annotations

from typing import Any

import pytest

from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.checker import evaluate
from altay_cli.expressions.types import BOOL, INT, Type

INT_MAX = 2**63 - 1
INT_MIN = -(2**63)


def code_of(source: str, bindings: dict[str, object] | None = None, **options: int) -> str:
    with pytest.raises(ExpressionError) as caught:
        evaluate(source, bindings, **options)
    return caught.value.code


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{1: 2}[3]", "the map has no key 3"),
        ("{true: 2}[false]", "the map has no key false"),
        ("{false: 2}[true]", "the map has no key true"),
        ("{'a': 2}['b']", "the map has no key 'b'"),
        ("n && true", "true or false is needed here, not 7"),
        ("[7, null].all(x, x == 7 || x)", "true or false is needed here, not null"),
    ],
)
def test_messages_name_values_as_they_are_written(source: str, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(source, {"n": 7})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("9223372036854775807", INT_MAX),
        ("-9223372036854775808", INT_MIN),
        ("- 9223372036854775808", INT_MIN),
        ("-0x8000000000000000", INT_MIN),
        ("0x7fffffffffffffff", INT_MAX),
        ("007", 7),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("7 / -2", -3),
        ("7 % -2", 1),
        ("-9223372036854775808 % -1", 0),
        ("---1", -1),
        ("2 - 3 - 4", -5),
        ("2 + 3 * 4", 14),
        ("100 / 10 / 5", 2),
        ('int("-9223372036854775808")', INT_MIN),
        ('int("+5")', 5),
    ],
)
def test_integers(source: str, value: int) -> None:
    assert evaluate(source) == value
    assert type(evaluate(source)) is int


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("9223372036854775808", "int-range"),
        ("-9223372036854775809", "int-range"),
        ("-(9223372036854775808)", "int-range"),
        ("1 + 9223372036854775808", "int-range"),
        ("0x8000000000000000", "int-range"),
        ("9" * 9000, "int-range"),
        ("9223372036854775807 + 1", "overflow"),
        ("-9223372036854775808 - 1", "overflow"),
        ("9223372036854775807 * 2", "overflow"),
        ("-9223372036854775808 / -1", "overflow"),
        ("-9223372036854775808 * -1", "overflow"),
        ("--9223372036854775808", "overflow"),
        ("1 / 0", "division"),
        ("1 % 0", "division"),
        ('int("9223372036854775808")', "overflow"),
        ('int("99999999999999999999999")', "conversion"),
        ('int(" 1")', "conversion"),
        ('int("٣")', "conversion"),
        ('int("1_0")', "conversion"),
    ],
)
def test_integers_that_do_not_fit(source: str, code: str) -> None:
    assert code_of(source) == code


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("1 == true", False),
        ("0 == false", False),
        ("[1] == [true]", False),
        ("{1: 1} == {1: true}", False),
        ("1 in [true]", False),
        ("true in [1, true]", True),
        ("1 in {true: 2}", False),
        ("true in {true: 2}", True),
        ("'1' == 1", False),
        ("null == false", False),
        ("x == y", False),
        ("[x] == [y]", False),
        ("x in [y]", False),
        ("{x: 1} == {y: 1}", False),
        ("type(x) == int && type(y) == bool", True),
    ],
)
def test_true_is_not_one(source: str, value: bool) -> None:
    assert evaluate(source, {"x": 1, "y": True}) is value


def test_a_key_is_found_by_its_own_type_only() -> None:
    assert code_of("{true: 1}[x]", {"x": 1}) == "key"
    assert code_of("{1: 1}[x]", {"x": True}) == "key"
    assert evaluate("{1: 'a', 2: 'b'}[x]", {"x": 1}) == "a"
    assert code_of("{x: 1, y: 2}", {"x": 1, "y": True}) == "unsupported"
    assert code_of("{x: 1, y: 2}", {"x": 1, "y": 1}) == "duplicate-key"
    assert code_of("{null: 1}") == "map-key"
    assert code_of("{x: 1}", {"x": [1]}) == "map-key"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (r"'\101\x41\X41\u0041\U00000041'", "AAAAA"),
        (r"'\a\b\f\n\r\t\v\\\?\"\'\`'", "\a\b\f\n\r\t\v\\?\"'`"),
        (r"r'\n'", r"\n"),
        (r'R"\"', "\\"),
        ("'''a\nb'''", "a\nb"),
        ("'''a'b''c'''", "a'b''c"),
        ('""""a"""', '"a'),
        ("'\\''", "'"),
        ("'\x00'", "\x00"),
        (r"'\377'", "ÿ"),
        ("'日本' + '語'", "日本語"),
        ("size('é😀')", 2),
    ],
)
def test_string_literals(source: str, value: object) -> None:
    assert evaluate(source) == value


@pytest.mark.parametrize(
    "source",
    [
        r"'\q'",
        r"'\1'",
        r"'\400'",
        r"'\u12'",
        r"'\ud800'",
        r"'\U00110000'",
        "'a\nb'",
        "'a",
        "'''a''",
    ],
)
def test_broken_string_literals(source: str) -> None:
    assert code_of(source) == "syntax"


@pytest.mark.parametrize(
    "source",
    [
        "1.0",
        ".5",
        "1e3",
        "5u",
        "0x5U",
        "b'a'",
        "rb'a'",
        "double(1)",
        "uint(1)",
        "bytes('')",
        "timestamp('x')",
        "duration('1s')",
        "a.b.C{d: 1}",
        "C{}",
        "a.?b",
        "a[?0]",
        "[?a]",
        "'''\r'''",
    ],
)
def test_what_is_left_out_is_refused_even_where_an_error_would_be_absorbed(source: str) -> None:
    assert code_of(source) == "unsupported"
    assert code_of(f"true || {source}") == "unsupported"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("false && 1 / 0 == 1", False),
        ("1 / 0 == 1 && false", False),
        ("true || f(x)", True),
        ("f(x) || true", True),
        ("1 / 0 == 1 || nothing.at.all || true", True),
        ("1 / 0 == 1 && 'a' && false", False),
        ("!1 || true", True),
        ("[1, 0].all(x, 1 / x == 2)", False),
        ("[0, 1].all(x, 1 / x == 2)", False),
        ("[0, 1].exists(x, 1 / x == 1)", True),
        ("[].all(x, x)", True),
        ("[1, 0].exists(i, v, v / i == 0)", True),
        ("false ? 1 / 0 : 2", 2),
        ("true ? 2 : 1 / 0", 2),
    ],
)
def test_errors_that_do_not_matter(source: str, value: object) -> None:
    assert evaluate(source) == value


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("true && 1 / 0 == 1", "division"),
        ("1 / 0 == 1 || false", "division"),
        ("[1, 0].all(x, 1 / x == 1)", "division"),
        ("[1, 0].exists_one(x, 1 / x == 1)", "division"),
        ("[1, 0].filter(x, 1 / x == 1)", "division"),
        ("1 / 0 == 1 ? 1 : 1", "division"),
        ("[1][1]", "index"),
        ("[1][-1]", "index"),
        ("{'a': 1}.b", "key"),
        ("{'a': 1, 'a': 2}", "duplicate-key"),
        ("true && 1", "wrong-type"),
        ("nothing", "unknown-name"),
    ],
)
def test_errors_that_do(source: str, code: str) -> None:
    assert code_of(source) == code


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("a.b.c", 1),
        ("(a.b).c", 2),
        (".a.b.c", 1),
        ("[{'b': {'c': 3}}].map(a, a.b.c)", [3]),
        ("[{'b': {'c': 3}}].map(a, .a.b.c)", [1]),
        ("[0].map(a, [a + 1].map(a, a + 1))", [[2]]),
        ("has(a.x)", False),
        ("has(a.b)", True),
        ("{'b': 4}.`b`", 4),
        ("{'a b/c.d-e': 4}.`a b/c.d-e`", 4),
        ("{'for': 4}.for", 4),
        ("int", INT),
        ("type(true)", BOOL),
        ("type([])", Type("list")),
        ("type(type(1)) == type", True),
    ],
)
def test_names(source: str, value: object) -> None:
    assert evaluate(source, {"a.b.c": 1, "a": {"b": {"c": 2}}}) == value


def test_the_longest_dotted_name_counts() -> None:
    assert evaluate("a.b.c", {"a.b": {"c": 1}, "a": {"b": {"c": 2}}}) == 1


@pytest.mark.parametrize("word", ["for", "let", "as", "package", "true", "in"])
def test_reserved_words_are_no_names(word: str) -> None:
    assert code_of(f"{word} + 1", {word: 1}) in ("syntax", "no-overload")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("[1, 2, 3].map(x, x > 1, x * 2)", [4, 6]),
        ("{'a': 1}.map(k, k)", ["a"]),
        ("{'a': 1}.exists(k, v, k == 'a' && v == 1)", True),
        ("['a', 'b'].transformList(i, v, i > 0, v)", ["b"]),
        ("['a', 'b'].transformMap(i, v, v + v)", {0: "aa", 1: "bb"}),
        ("{'a': 1}.transformMapEntry(k, v, {v: k})", {1: "a"}),
        ("[1, 2, 1].exists_one(x, x == 2)", True),
        ("[1, 2, 1].existsOne(x, x == 1)", False),
        ("[1, 2,]", [1, 2]),
        ("{1: 2,}", {1: 2}),
    ],
)
def test_macros(source: str, value: object) -> None:
    assert evaluate(source) == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("some.map(x, x)", ["a", "b"]),
        ("some.all(x, x < 'b')", False),
        ("some.exists(x, x == 'b')", True),
        ("some.exists_one(x, x == 'b')", True),
        ("some.filter(x, x != 'a')", ["b"]),
    ],
)
def test_macros_of_one_variable_walk_over_elements_or_keys(source: str, value: object) -> None:
    for some in ("['a', 'b']", "{'a': 1, 'b': 2}"):
        # What `dyn` returns is known only when it is walked over.
        for there in (some, f"dyn({some})"):
            assert evaluate(source.replace("some", there)) == value, there
    assert code_of(source.replace("some", "dyn('ab')")) == "no-overload"


@pytest.mark.parametrize(
    "value", [1.5, INT_MAX + 1, object(), b"x", {None: 1}, {1.5: 1}, {"a": [{1, 2}]}]
)
def test_bindings_of_other_kinds_are_refused(value: object) -> None:
    assert code_of("true", {"x": value}) == "binding"


def test_bindings_without_end_are_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    assert code_of("x", {"x": circle}) == "binding"
    doubled: list[Any] = [1]
    for _ in range(60):
        doubled = [doubled, doubled]
    assert code_of("x", {"x": doubled}) == "binding"


@pytest.mark.parametrize("source", ["!x", "!!x", "!!!x", "-x", "--x", "---x"])
def test_signs_in_a_row_take_what_one_takes(source: str) -> None:
    right, wrong, other = (True, 1, False) if "!" in source else (1, True, -1)
    assert evaluate(source, {"x": right}) == (right if len(source) == 3 else other)
    assert code_of(source, {"x": wrong}) == "no-overload"


def test_a_binding_is_copied() -> None:
    inner = [1]
    found = evaluate("x", {"x": {"a": inner}})
    assert found == {"a": [1]}
    inner.append(2)
    assert found == {"a": [1]}


@pytest.mark.parametrize(
    ("source", "start", "end"),
    [
        ("1 + (2 * nam)", 9, 12),
        ("'日本' + nam", 7, 10),
        ("[1, 2, 1.5]", 7, 10),
        ("a && 'x\\q'", 7, 9),
        ("1 +", 2, 3),
        ("x = 1", 2, 3),
        ("x and y", 2, 5),
        ("'abc'.fold()", 6, 10),
        ("a && 1", 5, 6),
    ],
)
def test_errors_say_where(source: str, start: int, end: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(source, {"x": 1, "y": 1, "a": True})
    assert (caught.value.start, caught.value.end) == (start, end)


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("x = 1", "`==`"),
        ("x and y", "`&&`"),
        ("x or y", "`||`"),
        ("x & y", "`&&`"),
        ("not x", "`!`"),
        ("(x", "`)`"),
        ("[1, 2", "`]` is missing"),
        ("'x", "not closed"),
        ("", "empty"),
        ("for", "reserved"),
        ("reserv", "did you mean `reserve`?"),
        ("has(x)", "has(a.b)"),
        ("x.size(1)", "0 arguments, not 1"),
        ("matches('a')", "2 arguments, not 1"),
        ("startsWith('a', 'b')", "x.startsWith(...)"),
    ],
)
def test_messages_teach(source: str, hint: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(source, {"x": "", "y": True, "reserve": 1})
    assert hint in caught.value.message

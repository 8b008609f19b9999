"""Expressions of a rule file: known types, an engine's own types, generated functions."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pytest

from altay_cli.base.budget import Budget
from altay_cli.base.findings import BudgetError, ExpressionError
from altay_cli.expressions.checker import check
from altay_cli.expressions.environment import Environment, Function, Symbol
from altay_cli.expressions.linking import link
from altay_cli.expressions.regex import is_available
from altay_cli.expressions.types import BOOL, DYN, INT, STRING, Type, list_of, map_of, var
from tests.expressions.compiled import compile_expression

PLAYER, CARD, GOOD, PLACE = Type("player"), Type("card"), Type("good"), Type("place")


def bag(of: Type) -> Type:
    return Type("bag", (of,))


T = var("T")
ENV = Environment(
    names={
        "me": Symbol(PLAYER, "v['me']"),
        "offer": Symbol(CARD, "v['offer']"),
        "payment": Symbol(bag(GOOD), "v['payment']"),
        "wares": Symbol(bag(CARD), "v['payment']"),
        "turn.bought": Symbol(list_of(CARD), "S.bought"),
        "terrains.wood": Symbol(GOOD, "'wood'"),
        "n": Symbol(INT, "S.n"),
        "flag": Symbol(BOOL, "(S.n > 0)"),
        "words": Symbol(list_of(STRING), "S.words"),
        "counts": Symbol(map_of(STRING, INT), "S.counts"),
        "braces": Symbol(map_of(STRING, INT), "{'a': 1}"),
        "some": Symbol(DYN, "S.some"),
    },
    members={
        ("player", "pool"): Symbol(bag(GOOD), "S.pool[{0}]"),
        ("player", "camp"): Symbol(PLACE, "S.camp.get({0})"),
        ("card", "cost"): Symbol(INT, "S.cost[{0}]", safe=False),
    },
    functions={
        "size": [Function((bag(T),), INT, "sum({0}.values())", method=True, safe=True)],
        "has": [
            Function(
                (bag(T), bag(T)),
                BOOL,
                "all({0}.get(k, 0) >= n for k, n in {1}.items())",
                method=True,
                safe=True,
            )
        ],
        "held": [Function((PLAYER, INT), INT, "F['held'](S, {0}) + {1}")],
        "goods.all": [Function((), list_of(GOOD), "['wood', 'gold']", safe=True)],
        "first": [Function((list_of(T),), T, "{0}[0]", method=True)],
        "@in": [Function((T, bag(T)), BOOL, "({0} in {1})", safe=True)],
        "@index": [Function((bag(T), T), INT, "{0}.get({1}, 0)", safe=True)],
        "@+": [Function((bag(T), bag(T)), bag(T), "{{**{0}, **{1}}}", safe=True)],
        "@list": [Function((bag(T),), list_of(T), "list({0})", safe=True)],
    },
    nullable=frozenset({"card", "place"}),
)


HELD = {"F": {"held": lambda _state, player: len(player)}}

needs_re2 = pytest.mark.skipif(not is_available(), reason="google-re2 is not installed")


class State(Budget):
    """A state with what expressions mention."""

    def __init__(self, **values: object) -> None:
        super().__init__()
        self.__dict__.update(values)


STATE = State(
    bought=["scout"],
    n=3,
    words=["ab", "cd"],
    counts={"a": 1},
    pool={"ann": {"wood": 2}},
    camp={"bob": "p1"},
    cost={"scout": 2},
    some=5,
)
VALUES = {"me": "ann", "offer": "scout", "payment": {"wood": 1, "gold": 1}}


def run(source: str, env: Environment = ENV, **values: object) -> Any:
    STATE.grant()
    return compile_expression(source, env, names=HELD)(STATE, {**VALUES, **values})


def refusal(source: str, expect: Type | None = None) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        check(source, ENV, expect)
    return caught.value


@pytest.mark.parametrize(
    ("source", "kind", "value"),
    [
        ("me.pool.size() > 0 && offer in turn.bought", BOOL, True),
        ("me.pool.has(payment)", BOOL, False),
        ("me.pool.has(me.pool)", BOOL, True),
        ("payment[terrains.wood]", INT, 1),
        ("terrains.wood in payment", BOOL, True),
        ("(payment + me.pool)[terrains.wood]", INT, 2),
        ("payment.map(g, me.pool[g])", list_of(INT), [2, 0]),
        ("payment.all(g, g in me.pool)", BOOL, False),
        ("payment.filter(g, g in me.pool)", list_of(GOOD), ["wood"]),
        ("payment.exists(i, g, i == 1)", BOOL, True),
        ("me.camp == null", BOOL, True),
        ("null != me.camp", BOOL, False),
        ("has(me.camp)", BOOL, False),
        ("flag ? offer : null", CARD, "scout"),
        ("turn.bought == []", BOOL, False),
        ("turn.bought + [offer]", list_of(CARD), ["scout", "scout"]),
        ("turn.bought.first()", CARD, "scout"),
        ("[[1]].first().first()", INT, 1),
        ("held(me, 2) * 2", INT, 10),
        ("goods.all().size()", INT, 2),
        ("[1, 'a'].size()", INT, 2),
        ("[]", list_of(Type("nothing")), []),
        ("[[], [1]]", list_of(list_of(INT)), [[], [1]]),
        ("counts.a + counts['a']", INT, 2),
        ("'a' in counts", BOOL, True),
        ("has(counts.b)", BOOL, False),
        ("braces.a", INT, 1),
        ("!flag", BOOL, False),
        ("flag && !flag", BOOL, False),
        ("some + 1", INT, 6),
        ("some > 1 ? 'a' : 'b'", STRING, "a"),
        ("string(n) + string(flag)", STRING, "3true"),
        ("words.exists(w, w.startsWith('c'))", BOOL, True),
        ("type(me) == type(me)", BOOL, True),
    ],
)
def test_typed(source: str, kind: Type, value: object) -> None:
    assert check(source, ENV).type == kind
    assert run(source) == value


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (
            "me.pool.size() > 0 && offer in turn.bought",
            "((sum(S.pool[v['me']].values()) > 0) and (v['offer'] in _spread(S, S.bought)))",
        ),
        ("me.camp == null", "(S.camp.get(v['me']) is None)"),
        ("payment.all(g, g in me.pool)", None),
        ("offer.cost > 1 && n < 2", "((S.n < 2) and (S.cost[v['offer']] > 1))"),
        ("flag ? n : 0", "(S.n if (S.n > 0) else 0)"),
    ],
)
def test_generated_code_is_plain_python(source: str, code: str | None) -> None:
    found = check(source, ENV).code
    assert "lambda" not in found
    if code:
        assert found == code


@pytest.mark.parametrize(
    ("source", "code", "place", "hint"),
    [
        ("offr", "unknown-name", (0, 4), "did you mean `offer`?"),
        ("terrains", "unknown-name", (0, 8), "`terrains.wood`"),
        ("n + me.pol", "unknown-member", (4, 10), "did you mean `pool`?"),
        ("me == offer", "wrong-type", (0, 11), "player and card"),
        ("payment == wares", "wrong-type", (0, 16), "bag(good) and bag(card)"),
        ("me == null", "wrong-type", (0, 10), "player and null"),
        ("n == 'a'", "wrong-type", (0, 8), "int and string"),
        ("1 == true", "wrong-type", (0, 9), "int and bool"),
        ("n && flag", "wrong-type", (0, 1), "bool is needed here, but this is int"),
        ("flag && n", "wrong-type", (8, 9), "bool is needed"),
        ("n ? 1 : 2", "wrong-type", (0, 1), "bool is needed"),
        ("flag ? n : 'a'", "wrong-type", (0, 14), "int and string"),
        ("-flag", "wrong-type", (1, 5), "int is needed"),
        ("words[flag]", "wrong-type", (6, 10), "indexed by int"),
        ("counts[1]", "wrong-type", (7, 8), "indexed by string"),
        ("n[0]", "no-overload", (0, 4), "cannot be indexed"),
        ("n + 'a'", "no-overload", (0, 7), "int and string"),
        ("me < me", "no-overload", (0, 7), "player"),
        ("me in turn.bought", "wrong-type", (0, 17), "never in list(card)"),
        ("1 in n", "no-overload", (0, 6), "not into int"),
        ("offer in payment", "no-overload", None, ""),
        ("held(offer, 1)", "no-overload", (0, 14), "`held` takes (player, int), not (card, int)"),
        ("held(me)", "arity", (0, 8), "2 arguments, not 1"),
        ("me.held(1)", "unknown-function", (3, 7), "held(...)"),
        ("sise(words)", "unknown-function", (0, 4), "did you mean `size`?"),
        ("words.len()", "unknown-function", (6, 9), "did you mean `size`?"),
        ("size(payment)", "no-overload", (0, 13), "bag(good)"),
        ("held(some, 1)", "no-overload", (0, 13), "dyn"),
        ("payment.has(wares)", "no-overload", (0, 18), "bag"),
        ("words.startsWith('a')", "no-overload", (0, 21), "of list(string) there is: all, "),
        ("words.map(w, w + 1)", "no-overload", (13, 18), "string and int"),
        ("words.all(w, w)", "wrong-type", (13, 14), "bool is needed"),
        ("counts.transformMapEntry(k, v, v)", "wrong-type", (31, 32), "needs a map"),
        ("flag ? offr : n ? 1 : 2", "unknown-name", (7, 11), "did you mean `offer`?"),
        ("n.all(x, true)", "no-overload", (0, 1), "lists and maps"),
        ("words.all(n.x, true)", "syntax", (10, 13), "plain name"),
        ("[1] + ['a']", "no-overload", (0, 11), "list(int) and list(string)"),
        ("99999999999999999999", "int-range", (0, 20), "64 bits"),
        ("{'a': 1, 'a': 2}", "duplicate-key", (9, 12), "twice"),
        ("{me: 1}", "map-key", (1, 3), "player"),
        pytest.param("'a'.matches('(')", "regex", (12, 15), "missing )", marks=needs_re2),
        ("1.5", "unsupported", (0, 3), "double"),
    ],
)
def test_refused(source: str, code: str, place: tuple[int, int] | None, hint: str) -> None:
    if source == "offer in payment":
        # A type variable may stand for a wider type only if there is one.
        code, place = "wrong-type", (0, 16)
    error = refusal(source)
    assert (error.code, hint in error.message) == (code, True), error.message
    assert (error.start, error.end) == place


def test_expected_type() -> None:
    assert check("n > 0", ENV, BOOL).type == BOOL
    assert check("null", ENV, CARD).code == "None"
    assert check("[]", ENV, list_of(CARD)).code == "[]"
    error = refusal("n + 1", BOOL)
    assert (error.code, error.start, error.end) == ("wrong-type", 0, 5)
    assert refusal("null", PLAYER).code == "wrong-type"


def test_what_is_dynamic_is_tested_at_evaluation() -> None:
    function = compile_expression("some", ENV, INT)
    assert function(State(some=1), {}) == 1
    for wrong in (True, "a", None, [1]):
        with pytest.raises(ExpressionError):
            function(State(some=wrong), {})
    numbers = compile_expression("some", ENV, list_of(INT))
    assert numbers(State(some=[1]), {}) == [1]
    with pytest.raises(ExpressionError):
        numbers(State(some=[1, True]), {})
    assert refusal("some", CARD).code == "wrong-type"


def test_names_that_are_used() -> None:
    assert check("me.pool.size() > n || words.exists(n, n == '')", ENV).names == {
        "me",
        "n",
        "words",
    }
    assert check("turn.bought.size()", ENV).names == {"turn.bought"}


def test_child_environment() -> None:
    child = ENV.child({"place": Symbol(PLACE, "v['place']"), "n": Symbol(STRING, "'n'")})
    assert run("place == me.camp && n == 'n'", child, place="p1") is False
    assert refusal("place").code == "unknown-name"
    assert check("n", ENV).type == INT


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("F(1) == 1 || flag", True),
        ("missing.cost > 1 && n > 5", False),
        ("missing.cost > 1 && held(me, 1) < 0", False),
        ("held(me, 1) > 0 || missing.cost > 1", True),
        ("[missing, offer].exists(c, c.cost == 2)", True),
        ("[missing, offer].all(c, c.cost == 3)", False),
    ],
)
def test_python_errors_of_templates_are_absorbed(source: str, value: bool) -> None:
    env = ENV.child({"missing": Symbol(CARD, "'nobody'")})
    if source.startswith("F("):
        with pytest.raises(ExpressionError):
            check(source, env)
        return
    assert run(source, env) is value


def test_an_error_of_python_is_one_of_evaluation() -> None:
    env = ENV.child({"missing": Symbol(CARD, "'nobody'")})
    for source in (
        "missing.cost",
        "missing.cost > 1 && n > 0",
        "missing.cost > 1 && missing.cost > 2",
    ):
        with pytest.raises(ExpressionError, match="nothing is there to be taken") as found:
            run(source, env)
        assert found.value.code == "evaluation"


def test_walks_are_charged() -> None:
    function = compile_expression("words.all(a, words.all(b, b == 'x'))", ENV)
    state = State(words=["x"] * 1_000)
    state.grant(1_010_000)
    assert function(state, {}) is True
    with pytest.raises(BudgetError):
        function(state, {})


def test_a_heavy_body_weighs_more() -> None:
    body = " + ".join(["n"] * 80)
    function = compile_expression(f"words.map(w, {body})", ENV)
    state = State(words=["x"] * 500, n=0)
    state.grant(1_000)
    with pytest.raises(BudgetError):
        function(state, {})


def test_text_of_a_rule_never_becomes_code() -> None:
    hostile = "'\\'); __import__(\\'os\\'); (\\'' + \"\\\"\\n{0}\""
    checked = check(hostile, ENV)
    assert run(hostile) == "'); __import__('os'); ('" + '"\n{0}'
    assert checked.code.isascii()
    assert "\n" not in checked.code
    assert run("['{0}', '{', '}}'].map(x, x)") == ["{0}", "{", "}}"]
    assert run("held(me, size('{1}'))") == 6


def test_errors_travel_between_processes() -> None:
    for error in (ExpressionError("a", "b", 1, 2), BudgetError()):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
        assert type(again) is type(error)
        assert (again.code, again.message) == (error.code, error.message)
        assert (again.start, again.end) == (error.start, error.end)


def test_running_needs_no_parser_and_no_checker() -> None:
    script = (
        "import sys; from altay_cli.expressions.linking import link\n"
        "assert link('_add(S, v)', {})(1, 2) == 3\n"
        "heavy = {'lark', 'altay_cli.expressions.checker', 'altay_cli.expressions.parser'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_the_quick_code_stops_at_an_error_that_the_exact_code_absorbs() -> None:
    # Nothing by 0 has a value; for 1 the condition is false, so not all hold whatever 0 comes to.
    checked = check("[0, 1].all(x, 4 / x == 1)", ENV)
    assert link(checked.code, {})(Budget(), {}) is False
    with pytest.raises(ExpressionError):
        link(checked.quick, {})(Budget(), {})

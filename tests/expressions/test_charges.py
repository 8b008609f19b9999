"""Whatever an expression calls is charged in proportion to what it walks, copies and compares.

Nothing is timed: steps that are charged are held against the entries and letters that are there to
be worked on. `python -m attack charges` measures how long a step takes.
"""

from __future__ import annotations

import pytest

from altay_cli.base.budget import Budget
from altay_cli.base.findings import BudgetError
from altay_cli.base.values import Drawn
from altay_cli.expressions.calls import FUNCTIONS
from altay_cli.expressions.macros import MACROS
from altay_cli.expressions.types import INT, STRING, list_of
from attack.charges import OF_THE_GAME, SIZES, Case, Table, cases, compiled, steps_of

ENTRIES = 32
"""How many entries of a list may be worked on for a step."""

LETTERS = 4_096
"""How many letters of a text may be compared for a step."""

AT_ONCE = {
    "size": "how large something is, is known",
    "first": "the first is at hand", "last": "the last is at hand", "top": "the first is at hand",
    "list[]": "an entry by its number", "dyn[]": "an entry by its number",
    "map.": "an entry by its key", "dyn.": "an entry by its key", "has()": "an entry by its key",
    "map[]": "", "in map": "an entry by its key, of which the hash is known",
    "in dyn(map": "an entry by its key, of which the hash is known",
    "stone in bag": "an entry by its key", "@in(stone, bag": "an entry by its key",
    "count(bag": "an entry by its key", "may_hold": "an entry by its key",
    "?:": "the value itself", "[]": "three values", "dyn size": "how large something is, is known",
    "string(": "the text itself", "words(": "the hash of a text is known", "given": "a mark", "by_chance": "a mark",
    "with a constant": "no more than the constant is compared", "dyn(": "the value itself",
    "type(": "of what type something is, is known", "lines(list(place)": "all lines are known",
}  # fmt: skip
"""What takes no longer for more, by the beginnings or parts of its names, and why."""


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


HANDED_ON = {name for name, _ in MACROS} - {
    "closure", "sortBy", "minBy", "maxBy", "reachable", "components", "longestPath",
}  # fmt: skip
"""The macros that do not look into the texts of a list by themselves."""


def amount(value: object, *, letters: bool = True) -> float:
    """Count what there is to work on, in steps; with the ``letters`` of the texts in a list."""
    if isinstance(value, str):
        return len(value) / LETTERS
    if isinstance(value, list | tuple):
        inside = (one for one in value if letters or not isinstance(one, str))
        return len(value) / ENTRIES + sum(map(amount, inside))
    if isinstance(value, dict):
        return len(value) / ENTRIES
    return value.size() / ENTRIES if isinstance(value, Drawn) else 0


def hands_on(case: Case) -> bool:
    return case.name.partition("/")[0] in HANDED_ON


def is_at_once(case: Case) -> bool:
    return any(part in case.name for part in AT_ONCE)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_steps_grow_with_what_there_is_to_do(case: Case, table: Table) -> None:
    function = compiled(case, loop=False)
    for size in (SIZES[0], min(SIZES[1], case.most), case.most):
        values = table.values(case, size)
        there = sum(amount(value, letters=not hands_on(case)) for value in values.values())
        assert is_at_once(case) or steps_of(table.state, function, values) >= there - 1


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_loop_ends(case: Case, table: Table) -> None:
    """Each time counts, however little there is to do."""
    function = compiled(case, loop=True)
    values = table.values(case, SIZES[0]) | {"times_": [1] * 10_000}
    table.state.grant(9_000)
    with pytest.raises(BudgetError):
        function(table.state, values)


def test_everything_that_can_be_called_is_there() -> None:
    """A function is among the cases as soon as it exists; so are macros, and signs of operators."""
    named = " ".join(case.source for case in cases())
    for name in {*FUNCTIONS, *(name for name, _ in MACROS)} - OF_THE_GAME:
        assert f"{name}(" in named
    for sign in (
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "in",
        "+",
        "-",
        "*",
        "/",
        "%",
        "&&",
        "||",
        "!",
        "?",
    ):
        assert f" {sign} " in f" {named} " or f"{sign}(" in named


def test_a_rule_that_walks_a_list_again_and_again_ends(table: Table) -> None:
    """What `min` walks is paid for each time: 2,000 times 90,000 numbers are too many."""
    case = Case("", "lists.range(n).all(i, l.min() == 0)", (("n", INT), ("l", list_of(INT))))
    values = {"n": 2_000, "l": list(range(90_000))}
    table.state.grant()
    with pytest.raises(BudgetError):
        compiled(case, loop=False)(table.state, values)


@pytest.mark.parametrize("walk", ["t.sortBy(k, k)", "t.minBy(k, k)", "t.reachable(k, [k])"])
def test_texts_that_are_compared_are_paid_by_their_length(walk: str) -> None:
    """Two equal texts of 100,000 letters, in turns: each comparison looks at all of them."""
    long, same = "x" * 100_000, "".join(["x"] * 100_000)
    budget, values = Budget(10**12), {"t": [long, same] * 1_000}
    function = compiled(Case("", walk, (("t", list_of(STRING)),)), loop=False)
    assert steps_of(budget, function, values) > 2_000 * 100_000 / LETTERS


def test_errors_that_are_absorbed_are_paid_for() -> None:
    """Of 1,000 numbers only the last is no division by zero; each error costs 40 steps."""
    case = Case("", "l.exists(i, 1 / (i / 999) == 1)", (("l", list_of(INT)),))
    budget, function = Budget(10**9), compiled(case, loop=False)
    assert steps_of(budget, function, {"l": list(range(1_000))}) > 30 * 999

"""Measure the time of a charged step, for all that an expression can call.

    python -m attack charges

Every function, operator and macro is called in a loop, on inputs of 10, 1,000 and 100,000. If a
step takes far longer than others, a log can run for ever; if far less, evaluation stops too early.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from time import process_time
from typing import Any, NamedTuple

import click

from altay_cli.base.budget import Budget
from altay_cli.base.findings import ExpressionError
from altay_cli.base.values import Bag, Drawn, Entity, WrittenName
from altay_cli.checking.opening import open_game
from altay_cli.compile.vocabulary import base_environment
from altay_cli.expressions.calls import FUNCTIONS
from altay_cli.expressions.checker import check
from altay_cli.expressions.environment import Environment, Symbol
from altay_cli.expressions.linking import Compiled, link
from altay_cli.expressions.macros import MACROS
from altay_cli.expressions.types import DYN, INT, STRING, Type, list_of, map_of
from altay_cli.pack.functions import GLOBALS, link_grids, places_of

SIZES = (10, 1_000, 100_000)
MOST_TIMES = 20
"""The largest allowed ratio between the times of two charged steps."""

OF_THE_GAME = frozenset({"score", "able", "ended", "answer_due"})
"""Functions that evaluate other rules, which are charged separately."""

STONE, PLACE = Type("stone"), Type("place")
GRID = ("a-y", "1-40")
DECLARED = {
    "stone": {"filled_by": "accepts", "fields": {"accepts": "list(stone)"}},
    "place": {"grid": {"columns": GRID[0], "rows": GRID[1]}},
}
_BAG, _PILE, _DRAWN = (Type(name, (STONE,)) for name in ("bag", "pile", "drawn"))

GAME = '[Game "nim"]\nsetup\n  seat Ann; seat Bob\n  heap A of 3; heap B of 4\nturn 1 Ann\n'


class Case(NamedTuple):
    """An expression to evaluate; ``most`` is the largest allowed input.

    ``names`` are its variables with their types.
    """

    name: str
    source: str
    names: tuple[tuple[str, Type], ...]
    most: int = SIZES[-1]


def _plain(kind: Type) -> Type:
    """Replace type variables by stones."""
    if kind.name == "var":
        return STONE
    return Type(kind.name, tuple(map(_plain, kind.args)))


def _calls() -> Iterator[Case]:
    for functions in (FUNCTIONS, base_environment(_KINDS, DECLARED, (), {}).functions):
        for name, overloads in functions.items():
            for overload in overloads:
                names = tuple((f"a{i}", _plain(kind)) for i, kind in enumerate(overload.parameters))
                given = [place for place, _ in names]
                if name in OF_THE_GAME or name == "@index":
                    continue
                source = f"{name}({', '.join(given)})"
                if name == "@in":
                    source = "a0 in a1"
                elif name == "@list":
                    source = "a0.map(k, true)"
                elif overload.method:
                    source = f"{given[0]}.{name}({', '.join(given[1:])})"
                shown = f"{name}({', '.join(str(kind) for _, kind in names)})"
                most = 1_000 if PLACE in dict(names).values() or name in _STEEP else SIZES[-1]
                if name == "matches":
                    source = source.replace("a1", "'(x*x*)y'")
                elif name == "skip":
                    source = source.replace("a1", "1")
                elif name in _WRITTEN and names[0][1] == STRING:
                    names = (("digits" if name == "int" else "truth", STRING),)
                    source = f"{name}({names[0][0]})"
                elif name == "may_lack":
                    source = source.replace("a1", "others")
                    names = (names[0], ("others", names[1][1]))
                yield Case(shown, source, names, most)


_WRITTEN = frozenset({"int", "bool"})
"""They read a text of a required form."""

_STEEP = frozenset({"fits", "fills", "pays", "payments", "missing", "lines"})
"""They take more than in proportion to their input, and are charged for it."""

_TEXT, _OTHER = ("a", STRING), ("b", STRING)
_LIST, _SAME = ("l", list_of(INT)), ("m", list_of(INT))
_TEXTS, _NESTED = ("t", list_of(STRING)), ("n", list_of(list_of(INT)))
_MAP, _ANY, _MORE = ("d", map_of(STRING, INT)), ("y", DYN), ("z", DYN)

_BODIES = {
    "all": "k == k", "exists": "k != k", "exists_one": "k == k", "existsOne": "k == k",
    "closure": "[k[0]]", "takeWhile": "k == k", "sortBy": "k", "minBy": "k", "maxBy": "k",
    "reachable": "[k]", "components": "[k]", "map": "k", "filter": "k == k",
}  # fmt: skip


def _macros() -> Iterator[Case]:
    for name, count in MACROS:
        pairs = len(MACROS[name, count].variables) == 2 and name != "reduce"
        for label, (over, kind) in (("list", _LIST), ("texts", _TEXTS)):
            body = _BODIES.get(name, "k")
            if name == "longestPath":
                arguments = "k, [k], 10"
            elif name == "reduce":
                arguments = "s, k, 0, s + 1"
            elif name == "transformMapEntry":
                arguments = "i, k, {i: k}" if count == 3 else "i, k, i >= 0, {i: k}"
            elif pairs:
                test = "k == k"
                bodies = {3: "k" if name.startswith("transform") else test, 4: f"{test}, k"}
                arguments = f"i, k, {bodies[count]}"
            else:
                arguments = f"k, {'k == k, ' * (count - 2)}{body}"
            most = SIZES[-1]
            yield Case(
                f"{name}/{count} {label}", f"{over}.{name}({arguments})", ((over, kind),), most
            )
    yield Case("map over a map", "d.map(k, k)", (_MAP,))
    yield Case(
        "transformMap with texts as keys",
        "t.transformMapEntry(i, k, {k + string(i): i})",
        (_TEXTS,),
        1_000,
    )
    yield Case("reachable by texts", "t.reachable(k, [k.size() < 50 ? k + 'x' : k])", (_TEXTS,), 10)


_ERRORS = "(l + [1000000]).exists(k, 1 / (k < 1000000 ? 0 : 1) == 1)"


def _operators() -> Iterator[Case]:
    for sign in ("==", "!="):
        for left, right in (
            (_TEXT, _OTHER), (_LIST, _SAME), (_TEXTS, ("u", list_of(STRING))),
            (_NESTED, ("o", list_of(list_of(INT)))), (_MAP, ("e", map_of(STRING, INT))),
            (("g", _BAG), ("h", _BAG)), (("p", _PILE), ("q", _PILE)), (_ANY, _MORE),
            (("v", STONE), ("w", STONE)), (("i", INT), ("j", INT)),
        ):  # fmt: skip
            yield Case(
                f"{left[1]} {sign} {right[1]}", f"{left[0]} {sign} {right[0]}", (left, right)
            )
        yield Case(f"{sign} with a constant", f"a {sign} 'xxxxxxxxxx'", (_TEXT,))
    for sign in ("<", "<=", ">", ">="):
        yield Case(f"string {sign} string", f"a {sign} b", (_TEXT, _OTHER))
        yield Case(f"int {sign} int", f"i {sign} j", (("i", INT), ("j", INT)))
        yield Case(f"dyn {sign} dyn", f"dyn(a) {sign} dyn(b)", (_TEXT, _OTHER))
    for sign in "+-*/%":
        yield Case(f"int {sign} int", f"i {sign} 3", (("i", INT),))
        yield Case(f"dyn {sign} int", f"dyn(i) {sign} 3", (("i", INT),))
    for first, second in ((_TEXT, _OTHER), (_LIST, _SAME)):
        # Half of each: the sum is no larger than what is allowed.
        yield Case(
            f"{first[1]} + {second[1]}", f"{first[0]} + {second[0]}", (first, second), 50_000
        )
        yield Case(f"dyn + {second[1]}", f"dyn({first[0]}) + {second[0]}", (first, second), 50_000)
    for item, over in (
        (("i", INT), _LIST), (_TEXT, _TEXTS), (_TEXT, _MAP), (("v", STONE), ("g", _BAG)),
        (("v", STONE), ("p", _PILE)), (_LIST, _NESTED), (_ANY, ("x", list_of(DYN))),
    ):  # fmt: skip
        yield Case(f"{item[1]} in {over[1]}", f"{item[0]} in {over[0]}", (item, over))
        if over[1].name in ("list", "map"):
            yield Case(f"{item[1]} in dyn({over[1]})", f"{item[0]} in dyn({over[0]})", (item, over))
    yield Case("list[]", "l[i - 1]", (_LIST, ("i", INT)))
    yield Case("map[]", "{a: 1}[b] + {b: 1}[a]", (_TEXT, _OTHER))
    yield Case("dyn[]", "dyn(l)[i - 1]", (_LIST, ("i", INT)))
    yield Case("map.", "{'k': l}.k", (_LIST,))
    yield Case("has()", "has(d.k)", (_MAP,))
    yield Case("dyn.", "dyn({'k': l}).k", (_LIST,))
    yield Case("{}", "{a + 'y': 1}", (_TEXT,), 50_000)
    yield Case("[]", "[l, l, l]", (_LIST,))
    yield Case("?:", "i > 3 ? l : m", (_LIST, _SAME, ("i", INT)))
    yield Case("&& || !", "i > 3 && !(i < 2) || i == 7", (("i", INT),))
    yield Case("errors of exists", _ERRORS, (_LIST,), 50_000)
    yield Case("errors of ||", "l.all(k, 1 / (k - k) == 1 || 1 / (k - k) == 2 || k == k)", (_LIST,))
    yield Case("-", "-i", (("i", INT),))
    yield Case("dyn() as list", "l.filter(k, dyn(l).size() > 0).size()", (_LIST,), 1_000)
    yield Case("dyn size", "dyn(l).size()", (_LIST,))
    yield Case("string(dyn)", "string(dyn(a))", (_TEXT,))
    yield Case("bool(dyn)", "bool(dyn('true'))", ())
    yield Case("int(dyn)", "int(dyn('12'))", ())
    yield Case("long chain", " + ".join(["i"] * 20), (("i", INT),))
    yield Case("sorted texts", "t.sortBy(k, k + 'x')", (_TEXTS,), 1_000)
    yield Case("least text", "t.minBy(k, k)", (_TEXTS,))


def cases() -> list[Case]:
    """Return a case for everything that an expression can call."""
    return [*_calls(), *_operators(), *_macros()]


class Table:
    """Inputs of any size, with a state."""

    def __init__(self) -> None:
        self.state = open_game(GAME).state
        self.state.account = None
        self.stones = [Entity("stone", f"s{number}", number) for number in range(2 * SIZES[-1])]
        for stone in self.stones:
            stone.f["accepts"] = self.stones[:3]
        self.places = [Entity("place", ident) for ident, _, _ in places_of(*GRID)]
        link_grids({"place": GRID}, {"place": self.places})

    def values(self, case: Case, size: int) -> dict[str, Any]:
        values = {name: self.value(kind, size) for name, kind in case.names}
        written = {
            "digits": "0" * (size - 1) + "7",
            "truth": "true",
            "others": self.stones[::-1][:size],
        }
        if {"a", "t"} <= values.keys():  # the last of them is meant, and none shorter
            written["a"] = values["t"][-1][:-1] + values["t"][-1][-1]
        return {name: written.get(name, value) for name, value in values.items()}

    def value(self, kind: Type, size: int) -> Any:
        """Return a new value of about that size."""
        match kind.name:
            case "int":
                return size
            case "bool":
                return True
            case "string":
                return "x" * (size - 1) + "y"
            case "stone":
                return self.stones[size - 1]
            case "place":
                return self.places[0]
            case "player":
                return self.state.players[0]
            case "bag":
                return Bag(dict.fromkeys(self.stones[:size], 1))
            case "pile" | "effects":
                return tuple(self.stones[:size])
            case "drawn":
                return Drawn(
                    [WrittenName(1, (stone,), True, "", 0, 0) for stone in self.stones[:size]]
                )
            case "map":
                return {f"{number:x}": number for number in range(size)}
            case "dyn":
                return list(range(size))
        return self._list(kind.args[0], size)

    def _list(self, inner: Type, size: int) -> list[Any]:
        if inner == INT:
            numbers = list(range(size))
            Random(0).shuffle(numbers)
            return numbers
        if inner in (STONE, PLACE):
            return (self.stones if inner == STONE else self.places)[:size]
        if inner == STRING:  # they differ at the end, and together they are so long
            many = min(size, 100)
            return ["x" * max(size // many - 2, 0) + f"{number:02}" for number in range(many)]
        part = list_of(STONE if STONE in inner.args else INT)
        return [self.value(part, 10) for _ in range(max(size // 10, 1))]


_KINDS = frozenset({"stone", "place", "player"})


def environment(case: Case) -> Environment:
    names = {name: Symbol(kind, f"v[{name!r}]") for name, kind in case.names}
    names["times_"] = Symbol(list_of(INT), "v['times_']")
    return base_environment(_KINDS, DECLARED, (), names)


def compiled(case: Case, *, loop: bool) -> Compiled:
    """Compile an expression, or a loop of it."""
    source = f"times_.map(o_, {case.source}).size()" if loop else case.source
    return link(check(source, environment(case)).code, GLOBALS)


def steps_of(budget: Budget, function: Compiled, values: dict[str, object]) -> int:
    """Count the charged steps, even if a call fails."""
    budget.grant(10**15)
    # A slice at a time is left: what was taken before is counted, too.
    budget.left = budget._given = 10**14
    with suppress(ExpressionError):
        function(budget, values)
    return 10**14 - budget.left


class Measured(NamedTuple):
    """``nanoseconds`` are per charged step."""

    nanoseconds: float
    case: Case
    size: int
    steps: float


def measure(table: Table, case: Case, size: int) -> Measured:
    function = compiled(case, loop=True)
    values = table.values(case, size)
    often = 3
    while True:
        values["times_"] = list(range(often))
        best = float("inf")
        for _ in range(2):
            begin = process_time()
            steps = steps_of(table.state, function, values)
            best = min(best, process_time() - begin)
        if best > 0.002 or often > 20_000:
            break
        often *= 4
    return Measured(best / steps * 1e9, case, size, steps / often)


@click.command("charges")
@click.option("--only", default="", help="Cases whose names hold this text.")
def main(only: str) -> None:
    """Print the functions with the shortest and the longest charged step."""
    table, found = Table(), []
    for case in cases():
        if only not in case.name:
            continue
        for size in SIZES:
            if size <= case.most or size // case.most < SIZES[1] // SIZES[0]:
                found.append(measure(table, case, min(size, case.most)))
    found.sort()
    for measured in found:
        click.echo(
            f"{measured.nanoseconds:9.2f} ns  {measured.size:7,}  "
            f"{measured.steps:12,.1f} steps  {measured.case.name}"
        )
    click.echo(f"{found[-1].nanoseconds / found[0].nanoseconds:,.1f} x, {len(found)} measures")

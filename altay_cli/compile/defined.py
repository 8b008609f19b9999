"""The functions that rules define: what they give, what they look at, what a call of them costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from altay_cli.base.errors import ExpressionError
from altay_cli.base.text import Text
from altay_cli.compile.clause import Clause, clauses
from altay_cli.compile.context import Context
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions.cost import limited
from altay_cli.expressions.environment import NOTHING_READ, Environment, Function
from altay_cli.expressions.types import DYN, Type
from altay_cli.pack import model as m

_Uses = Mapping[str, set[str]]
"""By function: those that it calls."""


def with_functions(c: Context, env: Environment) -> Environment:
    """Return an environment with the functions of the rules, and compile these."""
    functions = {name: list(overloads) for name, overloads in env.functions.items()}
    declared: dict[str, tuple[dict[str, Type], Type]] = {}
    for name, entry in clauses(c, "functions"):
        takes, gives = entry.types("takes"), entry["gives"].as_type()
        if gives is None:
            continue
        declared[name] = (takes, gives)
        code = f"F_{name}(S{''.join(f', {{{i}}}' for i in range(len(takes)))})"
        own = Function(tuple(takes.values()), gives, code, own=True)
        functions.setdefault(name, []).append(own)
    env = replace(env, functions=functions)
    # They may call each other, so that all of them are declared before the first is compiled.
    bodies = {name: entry for name, entry in clauses(c, "functions", env) if name in declared}
    uses = {name: _compile(entry, *declared[name]) for name, entry in bodies.items()}
    for name in endless(uses):
        message = Text("the function `{name}` uses itself", name=name)
        c.problem("endless", message, ("functions", name), key=True)
    _weigh(c, functions, env, uses)
    return env


def _compile(clause: Clause, takes: dict[str, Type], gives: Type) -> set[str]:
    """Compile a function; return those that it calls."""
    c, name = clause.c, str(clause.path[-1])
    inner = clause.knowing(takes)
    uses: set[str] = set()
    lets: list[tuple[str, str]] = []
    own, *keys = function_keys(name, clause.data)
    for key, let in zip(keys, clause.get("let", ()), strict=True):
        value = inner["let"][let].check()
        inner = inner.knowing({let: value.type if value else DYN})
        if value is not None:
            c.checked[key] = value
            uses |= value.calls
            lets.append((inner.env.names[let].code, value.code))
    checked = inner["is"].check(gives)
    if checked is not None:
        c.checked[own] = checked
        uses |= checked.calls
        c.functions[name] = m.RuleFunction(
            f"F_{name}",
            tuple(f"v_{parameter}" for parameter in takes),
            checked.code,
            checked.quick,
            checked.source,
            c.place(inner["is"].path),
            tuple(lets),
        )
    return uses


def _weigh(c: Context, functions: dict[str, list[Function]], env: Environment, uses: _Uses) -> None:
    """Note what each function looks at, in those that it calls too, and what a call costs at least.

    Those that cost too much are refused.
    """
    too_costly = False
    for name in _in_order(uses):
        own, *lets = function_keys(name, c.data["functions"][name])
        parts = [c.checked[key] for key in (own, *lets) if key in c.checked]
        called = (c.function_reads.get(other, ()) for other in uses[name])
        c.function_reads[name] = NOTHING_READ.union(*(part.reads for part in parts), *called)
        if too_costly or name not in c.functions:  # what is wrong with it is told
            continue
        try:
            steps = limited(c.checked[own].tree, env)
        except ExpressionError as error:
            c.problem(f"expression-{error.code}", error.message, ("functions", name, "is"))
            too_costly = True
        else:
            functions[name][-1] = replace(functions[name][-1], least=1 + steps)


# ---------------------------------------------------------------- what uses itself


def _in_order(uses: Mapping[str, Collection[str]]) -> list[str]:
    """Return names, each behind all that it uses; not those that use themselves."""
    sorter = TopologicalSorter(uses)
    with suppress(CycleError):
        sorter.prepare()
    ordered: list[str] = []
    while ready := sorter.get_ready():
        ordered += sorted(ready)
        sorter.done(*ready)
    return [name for name in ordered if name in uses]


def endless(uses: Mapping[str, Collection[str]]) -> list[str]:
    """Return the names that use themselves: directly, or as the first circle that is found."""
    around = {name for name in uses if name in uses[name]}
    try:
        TopologicalSorter({name: {*uses[name]} - {name} for name in uses}).prepare()
    except CycleError as error:
        around.update(error.args[1])
    return [name for name in uses if name in around]

"""The functions that rules define: what they give, what they look at, what a call of them costs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from altay_cli.base.budget import STEPS
from altay_cli.base.text import Text
from altay_cli.compile.context import Context, bind
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions.cost import least
from altay_cli.expressions.environment import Environment, Function
from altay_cli.expressions.types import DYN, Type
from altay_cli.pack import model as m

_Uses = Mapping[str, set[str]]
"""By function: those that it calls."""


def with_functions(c: Context, env: Environment) -> Environment:
    """Return an environment with the functions of the rules, and compile these."""
    functions = {name: list(overloads) for name, overloads in env.functions.items()}
    declared: dict[str, tuple[dict[str, Type], Type]] = {}
    for name, path, entry in c.entries("functions"):
        takes = {
            parameter: found
            for parameter, text in entry.get("takes", {}).items()
            if (found := c.type_of(text, (*path, "takes", parameter))) is not None
        }
        gives = c.type_of(entry["gives"], (*path, "gives"))
        if gives is None:
            continue
        declared[name] = (takes, gives)
        code = f"F_{name}(S{''.join(f', {{{i}}}' for i in range(len(takes)))})"
        own = Function(tuple(takes.values()), gives, code, own=True)
        functions.setdefault(name, []).append(own)
    env = replace(env, functions=functions)
    uses = {name: _compile(c, env, name, *types) for name, types in declared.items()}
    _look_up(c, uses)
    for name in endless(uses):
        message = Text("the function `{name}` uses itself", name=name)
        c.problem("endless", message, ("functions", name), key=True)
    _weigh(c, functions, env, uses)
    return env


def _compile(
    c: Context, env: Environment, name: str, takes: dict[str, Type], gives: Type
) -> set[str]:
    """Compile a function; return those that it calls."""
    path = ("functions", name)
    entry = c.data["functions"][name]
    inner = bind(env, takes)
    uses: set[str] = set()
    lets: list[tuple[str, str]] = []
    own, *keys = function_keys(name, entry)
    for key, (let, text) in zip(keys, entry.get("let", {}).items(), strict=True):
        found = c.check(text, (*path, "let", let), inner)
        inner = bind(inner, {let: found.type if found else DYN})
        if found is not None:
            c.checked[key] = found
            uses |= found.calls
            lets.append((inner.names[let].code, found.code))
    checked = c.check(entry["is"], (*path, "is"), inner, gives)
    if checked is not None:
        c.checked[own] = checked
        uses |= checked.calls
        c.functions[name] = m.RuleFunction(
            f"F_{name}",
            tuple(f"v_{parameter}" for parameter in takes),
            checked.code,
            checked.quick,
            checked.source,
            c.tree.line(c.at),
            tuple(lets),
        )
    return uses


def _look_up(c: Context, uses: _Uses) -> None:
    """Note what each function looks at, also in those that it calls."""
    own: dict[str, set[int | str]] = {}
    for name in uses:
        keys = function_keys(name, c.data["functions"][name])
        own[name] = {what for key in keys if key in c.checked for what in c.checked[key].reads}
    for group in components(uses):
        # Those that call each other look at the same.
        called = {*group, *(other for name in group for other in uses[name])}
        found = frozenset[int | str]().union(
            *(own.get(name, ()) for name in group),
            *(c.function_reads.get(name, ()) for name in called),
        )
        c.function_reads.update(dict.fromkeys(group, found))


def _weigh(c: Context, functions: dict[str, list[Function]], env: Environment, uses: _Uses) -> None:
    """Note the minimum cost of a call of each function; refuse those that cost too much."""
    for name in chain.from_iterable(components(uses)):
        if name not in c.functions:  # what is wrong with it is told
            continue
        own, *_ = function_keys(name, c.data["functions"][name])
        steps = least(c.checked[own].tree, env).steps
        if steps > STEPS:
            message = Text(
                "this takes at least {steps} steps; a statement may take {most}",
                steps=f"{steps:,}",
                most=f"{STEPS:,}",
            )
            c.problem("expression-too-costly", message, ("functions", name, "is"))
            return
        functions[name][-1] = replace(functions[name][-1], least=1 + steps)


# ---------------------------------------------------------------- what uses itself


def components(uses: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Return the strongly connected components of the names.

    A group comes after all groups that it uses. Tarjan's algorithm, in linear time.
    """
    numbers: dict[str, int] = {}
    lows: dict[str, int] = {}
    open_: dict[str, None] = {}
    found: list[list[str]] = []
    for root in uses:
        path: list[tuple[str, Iterator[str]]] = []
        entering: str | None = root if root not in numbers else None
        while path or entering is not None:
            if entering is not None:
                numbers[entering] = lows[entering] = len(numbers)
                open_[entering] = None
                path.append((entering, iter(sorted(uses[entering]))))
                entering = None
            name, rest = path[-1]
            for other in rest:
                if other in open_:
                    lows[name] = min(lows[name], numbers[other])
                elif other in uses and other not in numbers:
                    entering = other
                    break
            if entering is not None:
                continue
            path.pop()
            if path:
                lows[path[-1][0]] = min(lows[path[-1][0]], lows[name])
            if lows[name] == numbers[name]:
                group: list[str] = []
                while not group or group[-1] != name:
                    group.append(open_.popitem()[0])
                found.append(group)
    return found


def endless(uses: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield the names that use themselves, directly or indirectly."""
    groups = components(uses)
    around = {name for group in groups if len(group) > 1 for name in group}
    yield from (name for name in uses if name in around or name in uses[name])

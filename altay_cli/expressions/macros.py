"""The macros that iterate over a list or a map: all, exists, map, filter, ...

Their cost is the number of elements times the size of the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from altay_cli.expressions import limits
from altay_cli.expressions.environment import Checker
from altay_cli.expressions.parser import Syntax
from altay_cli.expressions.typed import Tree, Walk, is_certain, is_safe
from altay_cli.expressions.types import BOOL, DYN, INT, Type, Unifier, list_of, map_of, var


class Macro(NamedTuple):
    """The definition of a macro.

    variables, gives: the types of its variables and its value; E is the element type, K the key
        type, B the type of the last body.
    conditions: how many bodies, from the first on, must be bools.
    nested: replaces ``code`` inside many loops.
    absorbing: replaces it if the first body may raise.
    safe: whether it raises only if a body does.
    cost: the steps per element, besides those of the bodies.
    """

    variables: tuple[Type, ...]
    conditions: int
    gives: Type
    code: str
    nested: str = ""
    absorbing: str = ""
    safe: bool = False
    cost: int = 1


def macro(checker: Checker, node: Syntax) -> Walk:
    """Check a macro call."""
    receiver, *arguments = node.parts
    definition = MACROS[node.name, len(arguments)]
    count = len(definition.variables)
    for argument in arguments[:count]:
        if argument.rule != "name" or argument.is_absolute:
            checker.refuse("syntax", "the macro needs a plain name for its variable here", argument)
    names = [argument.name for argument in arguments[:count]]
    if len(set(names)) < count:
        template = "the two variables of `{name}` are the same"
        checker.refuse("syntax", template, node, name=node.name)
    over = checker.visit(receiver)
    reduces = node.name == "reduce"
    pairs = count == 2 and not reduces
    code, element, key = _range(checker, over, receiver, pairs=pairs)
    types = Unifier(checker.env.nullable)
    types.bound = {"E": element, "K": key}
    outer: list[Tree] = []
    if reduces:  # the start value sees no variables
        outer = [checker.visit(arguments[count])]
        types.bound["B"] = outer[0].type
    number = checker.variables + 1
    checker.variables += 1 + reduces
    codes = [f"_x{number}[{i}]" if pairs else f"_x{number + i}" for i in range(count)]
    before, outside = checker.visited, checker.scope
    # The body of `reduce` is checked twice if it determines the element type of `[]`.
    for _ in range(1 + reduces):
        kinds = map(types.resolve, definition.variables)
        checker.scope = outside | dict(zip(names, zip(kinds, codes, strict=True), strict=True))
        try:
            bodies = [
                checker.condition(body) if place < definition.conditions else checker.visit(body)
                for place, body in enumerate(arguments[count + reduces :])
            ]
        finally:
            checker.scope = outside
        body_type = bodies[-1].type
        held = types.bound.get("B", body_type)
        joined = checker.join(held, body_type)
        if joined is None:
            template, begin = (
                "`reduce` begins with {type}, and continues with {other}",
                outer[0].type,
            )
            checker.refuse("wrong-type", template, arguments[-1], type=begin, other=body_type)
        types.bound["B"] = joined
        if joined == held:  # the types of its variables were final
            break
    _look_at(checker, node, element, bodies)
    bodies = [*outer, *bodies]
    conditions, rest = bodies[: definition.conditions], bodies[definition.conditions :]
    safe = definition.safe and over.type != DYN and all(map(is_safe, (over, *rest)))
    return Walk(
        types.resolve(definition.gives),
        node.place,
        node.name,
        tuple(names),
        over,
        tuple(bodies),
        code,
        safe and all(map(is_certain, conditions)),
        number,
        definition.cost + (checker.visited - before) // limits.NODES_PER_STEP,
    )


# Macros whose body lists the neighbours of an item.
_GRAPHS = {
    "closure": "`{name}` collects things, numbers and texts, no {type}",
    **dict.fromkeys(
        ("reachable", "components", "longestPath"),
        "`{name}` walks from things, numbers and texts, no {type}",
    ),
}

_NEEDED = "`{name}` needs a {wanted} here, but this is {found}"

# Macros whose body gives the key to compare by.
_KEYED = frozenset({"sortBy", "minBy", "maxBy"})


def _look_at(checker: Checker, node: Syntax, element: Type, bodies: Sequence[Tree]) -> None:
    name, first, last = node.name, bodies[0].type, bodies[-1].type

    def refuse(template: str, kind: Type, place: Syntax, wanted: object = "") -> None:
        values = {"name": name, "wanted": wanted, "found": kind, "type": kind}
        checker.refuse("wrong-type", template, place, **values)

    if name in _GRAPHS and element.name in ("list", "map"):
        refuse(_GRAPHS[name], element, node.parts[0])
    if name in _GRAPHS and checker.join(list_of(element), first) != list_of(element):
        refuse(_NEEDED, first, node.parts[2], list_of(element))
    if name == "longestPath" and last != INT:
        refuse("`{name}` needs a number here, but this is {found}", last, node.parts[3])
    if name in _KEYED and first.name not in ("int", "string", "bool"):
        template = "`{name}` compares numbers, texts or truth values, not {type}"
        refuse(template, first, node.parts[2])
    if name == "transformMapEntry" and last.name not in ("map", "dyn", "nothing"):
        refuse(_NEEDED, last, node.parts[-1], "map")


def _range(checker: Checker, over: Tree, node: Syntax, *, pairs: bool) -> tuple[str, Type, Type]:
    kind, text, helper = over.type, "{0}", "_pairs_of" if pairs else "_run"
    element, key = DYN, DYN
    if kind.name == "map":
        key, element = kind.args
        if not pairs:
            element, text = key, "list({0})"
    elif kind.name == "list":
        element, key = kind.args[0], INT
    elif kind == DYN:
        helper = "_pairs_of" if pairs else "_items_of"
    else:
        text, element = checker.iteration(kind) or checker.refuse(
            "no-overload", "a macro walks over lists and maps, not {type}", node, type=kind
        )
        key = INT
    return f"{helper}(S, {text}{{1}})", element, key


_E, _K, _B = var("E"), var("K"), var("B")
# Faster than ``any``, which switches to the generator and back.
_ALL = (
    "next((False for {x} in {over} if not {last}), True)",
    "",
    "(not _any_is(S, False, {over}, lambda {x}: {last}))",
    True,
)
_EXISTS = (
    "next((True for {x} in {over} if {last}), False)",
    "",
    "_any_is(S, True, {over}, lambda {x}: {last})",
    True,
)
_EXACTLY_ONCE = ("(sum(1 for {x} in {over} if {last}) == 1)", "", "", True)
_LIST = "{last} for {x} in {over}{where}"
_MAP = (f"[{_LIST}]", f"list({_LIST})", "", True)
_FILTER = "{x} for {x} in {over} if {last}"
_ENTRIES = (
    "{{{x}[0]: {last} for {x} in {over}{where}}}",
    "dict(({x}[0], {last}) for {x} in {over}{where})",
    "",
    True,
)
_MERGED = "_merged(S, ({last} for {x} in {over}{where}))"
_BEST = "_pick_by(S, {}, {{over}}, lambda {{x}}: {{last}})"
_GRAPH = "(S, {over}, lambda {x}: {first}, {weight}"

MACROS: dict[tuple[str, int], Macro] = {
    ("all", 2): Macro((_E,), 1, BOOL, *_ALL),
    ("exists", 2): Macro((_E,), 1, BOOL, *_EXISTS),
    ("exists_one", 2): Macro((_E,), 1, BOOL, *_EXACTLY_ONCE),
    ("existsOne", 2): Macro((_E,), 1, BOOL, *_EXACTLY_ONCE),
    # Not in CEL's standard library.
    ("closure", 2): Macro(
        (list_of(_E),), 0, list_of(_E), "_closure(S, {over}, lambda {x}: {last})"
    ),
    ("takeWhile", 2): Macro((_E,), 1, list_of(_E), "list(_takewhile(lambda {x}: {last}, {over}))"),
    ("sortBy", 2): Macro((_E,), 0, list_of(_E), "_sorted_by(S, {over}, lambda {x}: {last})"),
    ("minBy", 2): Macro((_E,), 0, _E, _BEST.format("min")),
    ("maxBy", 2): Macro((_E,), 0, _E, _BEST.format("max")),
    ("reachable", 2): Macro((_E,), 0, list_of(_E), f"_reachable{_GRAPH})"),
    ("components", 2): Macro((_E,), 0, list_of(list_of(_E)), f"_components{_GRAPH})"),
    ("longestPath", 3): Macro((_E,), 0, list_of(_E), f"_longest_path{_GRAPH}, {{last}})"),
    # ``items.reduce(sum, item, 0, sum + item)`` folds a list into one value.
    ("reduce", 4): Macro((_B, _E), 0, _B, "_reduce(lambda {x}, {y}: {last}, {over}, {first})"),
    ("map", 2): Macro((_E,), 0, list_of(_B), *_MAP),
    ("map", 3): Macro((_E,), 1, list_of(_B), *_MAP),
    ("filter", 2): Macro((_E,), 1, list_of(_E), f"[{_FILTER}]", f"list({_FILTER})", "", True),
    ("all", 3): Macro((_K, _E), 1, BOOL, *_ALL),
    ("exists", 3): Macro((_K, _E), 1, BOOL, *_EXISTS),
    ("exists_one", 3): Macro((_K, _E), 1, BOOL, *_EXACTLY_ONCE),
    ("existsOne", 3): Macro((_K, _E), 1, BOOL, *_EXACTLY_ONCE),
    ("transformList", 3): Macro((_K, _E), 0, list_of(_B), *_MAP),
    ("transformList", 4): Macro((_K, _E), 1, list_of(_B), *_MAP),
    ("transformMap", 3): Macro((_K, _E), 0, map_of(_K, _B), *_ENTRIES, cost=3),
    ("transformMap", 4): Macro((_K, _E), 1, map_of(_K, _B), *_ENTRIES, cost=3),
    ("transformMapEntry", 3): Macro((_K, _E), 0, _B, _MERGED, cost=4),
    ("transformMapEntry", 4): Macro((_K, _E), 1, _B, _MERGED, cost=4),
}
"""The macros by name and number of arguments."""

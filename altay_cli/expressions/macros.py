"""The macros that walk over a list or a map: all, exists, map, filter, ...

The body sees each element under a name of its choice; in the generated code that is a Python
variable of our own making. Every walk is charged to the budget, by the length of what is walked
over times the size of the body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from altay_cli.expressions.code import Code
from altay_cli.expressions.syntax import Call, Identifier, Node
from altay_cli.expressions.types import BOOL, DYN, INT, Type, list_of, map_of

if TYPE_CHECKING:
    from altay_cli.expressions.checker import Checker

# Nodes of a body that count as one step.
NODES_PER_STEP = 4

# Python 3.12 and 3.13 compile comprehensions into the function around them, and crash where some
# twenty are nested. Inside of so many loops, generators take their place.
MAX_COMPREHENSIONS = 8


@dataclass(frozen=True, slots=True)
class _Walk:
    """A macro under way: the Python variable, the list it runs over, and the codes of its body."""

    variable: str
    over: str
    safe: bool
    bodies: Sequence[Code]
    element: Type
    key: Type
    deep: bool
    quick: bool
    weight: int = 1

    @property
    def all_safe(self) -> bool:
        return self.safe and all(body.safe for body in self.bodies)


def macro(checker: Checker, node: Call) -> Code:
    """Return the code of a macro call."""
    if node.name == "reduce":
        return _reduce(checker, node)
    variables, predicates, build = MACROS[node.name, len(node.arguments)]
    names = [_variable(checker, argument) for argument in node.arguments[:variables]]
    if len(set(names)) < len(names):
        checker.refuse("syntax", f"the two variables of `{node.name}` are the same", node)
    assert node.receiver is not None
    checker.notes.walks[id(node)] = variables
    container = checker.visit(node.receiver)
    text, element, key, safe = _range(checker, container, node.receiver, pairs=variables == 2)
    whole = node.name == "closure"
    checker.variables += 1
    variable = f"_x{checker.variables}"
    if variables == 2:
        values = [Code(key, f"{variable}[0]", True), Code(element, f"{variable}[1]", True)]
    else:
        values = [Code(list_of(element) if whole else element, variable, True)]
    before = checker.visited
    outside = checker.scope
    checker.scope = {**outside, **dict(zip(names, values, strict=True))}
    checker.loops += 1
    try:
        bodies = [
            checker.condition(body) if number < predicates else checker.visit(body)
            for number, body in enumerate(node.arguments[variables:])
        ]
    finally:
        checker.scope = outside
        checker.loops -= 1
    if whole and element.name in ("list", "map"):
        message = f"`closure` collects things, numbers and texts, no {element}"
        checker.refuse("wrong-type", message, node.receiver)
    if whole and checker.join(list_of(element), bodies[0].type) != list_of(element):
        message = f"`closure` needs a {list_of(element)} here, but this is {bodies[0].type}"
        checker.refuse("wrong-type", message, node.arguments[1])
    if node.name in _GRAPHS:
        _check_graph(checker, node, element, bodies)
    if node.name in _KEYED and bodies[0].type.name not in ("int", "string", "bool"):
        message = f"`{node.name}` compares numbers, texts or truth values, not {bodies[0].type}"
        checker.refuse("wrong-type", message, node.arguments[1])
    weight = 1 + (checker.visited - before) // NODES_PER_STEP
    over = text.replace("WEIGHT", str(weight)) if weight > 1 else text.replace(", WEIGHT", "")
    deep = checker.loops >= MAX_COMPREHENSIONS
    if build in (_for_all, _exists) and not bodies[0].safe and not checker.quick:
        checker.absorbs = True
    return build(_Walk(variable, over, safe, bodies, element, key, deep, checker.quick, weight))


_GRAPHS = frozenset({"reachable", "components", "longestPath"})
"""Macros whose body lists what can be reached from a thing in one step."""

_KEYED = frozenset({"sortBy", "minBy", "maxBy"})
"""Macros whose body gives what things are compared by."""


def _check_graph(checker: Checker, node: Call, element: Type, bodies: Sequence[Code]) -> None:
    assert node.receiver is not None
    if element.name in ("list", "map"):
        message = f"`{node.name}` walks from things, numbers and texts, no {element}"
        checker.refuse("wrong-type", message, node.receiver)
    if checker.join(list_of(element), bodies[0].type) != list_of(element):
        message = f"`{node.name}` needs a {list_of(element)} here, but this is {bodies[0].type}"
        checker.refuse("wrong-type", message, node.arguments[1])
    if len(bodies) > 1 and bodies[1].type != INT:
        message = f"`{node.name}` needs a number here, but this is {bodies[1].type}"
        checker.refuse("wrong-type", message, node.arguments[2])


def _reduce(checker: Checker, node: Call) -> Code:
    """Write ``items.reduce(sum, item, 0, sum + item)``: one value of a list, step by step.

    Not of CEL's standard library. The names of the value so far and of the member come first.
    """
    total, member = (_variable(checker, argument) for argument in node.arguments[:2])
    if total == member:
        checker.refuse("syntax", "the two variables of `reduce` are the same", node)
    assert node.receiver is not None
    container = checker.visit(node.receiver)
    text, element, _, _ = _range(checker, container, node.receiver, pairs=False)
    first = checker.visit(node.arguments[2])
    checker.variables += 2
    names = [f"_x{checker.variables - 1}", f"_x{checker.variables}"]
    before, outside, held = checker.visited, checker.scope, first.type
    checker.loops += 1
    try:
        # Of `[]` the body tells what it is a list of, so it may be looked at twice.
        for _ in range(2):
            values = (Code(held, names[0], True), Code(element, names[1], True))
            checker.scope = {**outside, **dict(zip((total, member), values, strict=True))}
            body = checker.visit(node.arguments[3])
            joined = checker.join(held, body.type)
            if joined is None:
                message = f"`reduce` begins with {first.type}, and goes on with {body.type}"
                checker.refuse("wrong-type", message, node.arguments[3])
            if joined == held:
                break
            held = joined
    finally:
        checker.scope = outside
        checker.loops -= 1
    weight = 1 + (checker.visited - before) // NODES_PER_STEP
    over = text.replace("WEIGHT", str(weight))
    step = f"lambda {names[0]}, {names[1]}: {body.text}"
    return Code(held, f"_reduce({over}, {first.text}, {step})")


def _take_while(walk: _Walk) -> Code:
    """Write ``items.takeWhile(x, condition)``: the first of a list, as long as it holds."""
    text = f"_take_while({walk.over}, lambda {walk.variable}: {walk.bodies[0].text})"
    return Code(list_of(walk.element), text)


def _by_key(helper: str, *, one: bool) -> Callable[[_Walk], Code]:
    """Write ``items.sortBy(x, key)``, ``minBy`` or ``maxBy``."""

    def build(walk: _Walk) -> Code:
        text = f"{helper}({walk.over}, lambda {walk.variable}: {walk.bodies[0].text})"
        return Code(walk.element if one else list_of(walk.element), text)

    return build


def _graph(helper: str, *, nested: bool = False) -> Callable[[_Walk], Code]:
    """Write ``items.reachable(x, next)`` and its like."""

    def build(walk: _Walk) -> Code:
        follow = f"lambda {walk.variable}: {walk.bodies[0].text}"
        rest = "".join(f", {body.text}" for body in walk.bodies[1:])
        text = f"{helper}(S, {walk.over}, {follow}, {walk.weight}{rest})"
        found = list_of(walk.element)
        return Code(list_of(found) if nested else found, text)

    return build


def _variable(checker: Checker, node: Node) -> str:
    if not isinstance(node, Identifier) or node.absolute:
        checker.refuse("syntax", "the macro needs a plain name for its variable here", node)
    return node.name


def _range(
    checker: Checker, container: Code, node: Node, *, pairs: bool
) -> tuple[str, Type, Type, bool]:
    """Return the list to walk over, the types of values and keys, and whether it is safe."""
    from altay_cli.expressions.calls import iteration

    kind, text = container.type, container.text
    if kind == DYN:
        helper = "_pairs" if pairs else "_items"
        return f"{helper}(S, {text}, WEIGHT)", DYN, DYN, False
    if kind.name == "map":
        key, value = kind.args
        if pairs:
            return f"_pairs(S, {text}, WEIGHT)", value, key, container.safe
        return f"_run(S, list({text}), WEIGHT)", key, key, container.safe
    if kind.name == "list":
        element = kind.args[0]
    else:
        walked = iteration(checker, container)
        if walked is None:
            checker.refuse("no-overload", f"a macro walks over lists and maps, not {kind}", node)
        text, element = walked
    helper = "_pairs" if pairs else "_run"
    return f"{helper}(S, {text}, WEIGHT)", element, INT, container.safe


def _for_all(walk: _Walk) -> Code:
    return _quantifier(walk, "all", "_all")


def _exists(walk: _Walk) -> Code:
    return _quantifier(walk, "any", "_any")


def _quantifier(walk: _Walk, plain: str, absorbing: str) -> Code:
    body = walk.bodies[0]
    if body.safe or walk.quick:
        text = f"{plain}({body.text} for {walk.variable} in {walk.over})"
    else:
        text = f"{absorbing}({walk.over}, lambda {walk.variable}: {body.text})"
    return Code(BOOL, text, walk.all_safe)


def _closure(walk: _Walk) -> Code:
    """Write ``items.closure(known, more)``: what follows from a list, however many steps away.

    Not of CEL's standard library. ``known`` stands for the whole list so far.
    """
    text = f"_closure(S, {walk.over}, lambda {walk.variable}: {walk.bodies[0].text})"
    return Code(list_of(walk.element), text)


def _exists_one(walk: _Walk) -> Code:
    text = f"(sum(1 for {walk.variable} in {walk.over} if {walk.bodies[0].text}) == 1)"
    return Code(BOOL, text, walk.all_safe)


def _filter(walk: _Walk) -> Code:
    return _listed(walk, Code(walk.element, walk.variable, True))


def _map(walk: _Walk) -> Code:
    return _listed(walk, walk.bodies[-1])


def _listed(walk: _Walk, result: Code) -> Code:
    text = f"{result.text} for {walk.variable} in {walk.over}{_where(walk, result)}"
    text = f"list({text})" if walk.deep else f"[{text}]"
    return Code(list_of(result.type), text, walk.all_safe)


def _where(walk: _Walk, result: Code) -> str:
    tests = [body.text for body in walk.bodies if body is not result]
    return f" if {tests[0]}" if tests else ""


def _transform_map(walk: _Walk) -> Code:
    result = walk.bodies[-1]
    rest = f" for {walk.variable} in {walk.over}{_where(walk, result)}"
    if walk.deep:
        text = f"dict(({walk.variable}[0], {result.text}){rest})"
    else:
        text = f"{{{walk.variable}[0]: {result.text}{rest}}}"
    return Code(map_of(walk.key, result.type), text, walk.all_safe)


def _transform_entry(walk: _Walk) -> Code:
    result = walk.bodies[-1]
    kind = result.type if result.type.name == "map" else DYN
    text = f"_merged(S, ({result.text} for {walk.variable} in {walk.over}{_where(walk, result)}))"
    return Code(kind, text)


# Name and number of arguments: how many variables, how many of the bodies are conditions, and how
# the code is built.
MACROS: dict[tuple[str, int], tuple[int, int, Callable[[_Walk], Code]]] = {
    ("all", 2): (1, 1, _for_all),
    ("exists", 2): (1, 1, _exists),
    ("exists_one", 2): (1, 1, _exists_one),
    ("existsOne", 2): (1, 1, _exists_one),
    ("closure", 2): (1, 0, _closure),
    ("takeWhile", 2): (1, 1, _take_while),
    ("sortBy", 2): (1, 0, _by_key("_sorted_by", one=False)),
    ("minBy", 2): (1, 0, _by_key("_least_by", one=True)),
    ("maxBy", 2): (1, 0, _by_key("_most_by", one=True)),
    ("reachable", 2): (1, 0, _graph("_reachable")),
    ("components", 2): (1, 0, _graph("_components", nested=True)),
    ("longestPath", 3): (1, 0, _graph("_longest_path")),
    ("reduce", 4): (2, 0, _map),  # written by ``_reduce``
    ("map", 2): (1, 0, _map),
    ("map", 3): (1, 1, _map),
    ("filter", 2): (1, 1, _filter),
    ("all", 3): (2, 1, _for_all),
    ("exists", 3): (2, 1, _exists),
    ("exists_one", 3): (2, 1, _exists_one),
    ("existsOne", 3): (2, 1, _exists_one),
    ("transformList", 3): (2, 0, _map),
    ("transformList", 4): (2, 1, _map),
    ("transformMap", 3): (2, 0, _transform_map),
    ("transformMap", 4): (2, 1, _transform_map),
    ("transformMapEntry", 3): (2, 0, _transform_entry),
    ("transformMapEntry", 4): (2, 1, _transform_entry),
}

"""Check an expression against an environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from altay_cli.base.budget import STEPS, Budget
from altay_cli.base.findings import ExpressionError, Text
from altay_cli.expressions import calls, limits
from altay_cli.expressions import typed as t
from altay_cli.expressions.calls import TYPE_NAMES, Meaning
from altay_cli.expressions.environment import Checker, Environment, Reads, Symbol, Visitors
from altay_cli.expressions.linking import Compiled, link
from altay_cli.expressions.parser import Syntax, parse
from altay_cli.expressions.printing import Printer, type_source
from altay_cli.expressions.runtime import kind_of
from altay_cli.expressions.types import DYN, INT, INT_MAX, INT_MIN, TYPE, Type, list_of, map_of

# The height of a tree that Python surely parses, and brackets that may come around it.
_SURELY_READ = 6
_ROOM = 50


class Checked(NamedTuple):
    """A checked expression, and its Python source in terms of S (state) and v (values).

    quick: like ``code``, but raises where ``&&``, ``||``, ``all`` or ``exists`` may have to absorb
        an error; then evaluate ``code``.
    locals: its Python variables, each with the key under which callers pass the value.
    calls: functions of the rules that it calls.
    reads: the parts of a state that it reads, apart from those read by ``calls``.
    """

    type: Type
    code: str
    quick: str
    source: str
    names: frozenset[str]
    locals: Mapping[str, str]
    calls: frozenset[str]
    reads: Reads
    tree: t.Tree


def check(
    source: str, env: Environment, expect: Type | None = None, *, lenient: bool = False
) -> Checked:
    """Check an expression and compile it to Python source.

    expect: the type of the value.
    lenient: check like CEL without declarations: wrong types and unknown names raise at evaluation
        only, where ``&&`` and ``||`` may absorb the error.

    Raise ExpressionError for the first mistake, with its place in ``source``.

    >>> checked = check("1 + size([2, 3])", Environment({}))
    >>> str(checked.type), checked.code
    ('int', '_add(1, len([2, 3]))')
    >>> check("1 + true", Environment({}))
    Traceback (most recent call last):
    altay_cli.base.findings.ExpressionError: `+` cannot join int and bool
    """
    checker = Checker(env, lenient, _VISITORS)
    node = parse(source)
    printer = Printer()
    try:
        tree = checker.visit(node)
        kind = tree.type if expect is None else checker.expect(node, tree, expect)
        code = quick = printer.value(tree, kind)
        if printer.absorbs and not lenient:
            quick = Printer(quick=True).value(tree, kind)
        # Python's maximum depth depends on more than brackets, so deep code is compiled as a test.
        if node.depth > _SURELY_READ:
            compile(f"{'(' * _ROOM}{code}{')' * _ROOM}", "<expression>", "eval", dont_inherit=True)
    except (SyntaxError, RecursionError, MemoryError):
        # The parser bounds the depth, but the caller may be deep in Python's stack.
        message = "the expression is nested too deep"
        raise ExpressionError("too-deep", message, *node.place) from None
    if not lenient:
        limited(tree, env, node.place)
    names, called = frozenset(checker.used), frozenset(checker.calls)
    reads = frozenset(checker.reads)
    return Checked(kind, code, quick, source, names, checker.locals, called, reads, tree)


def literal(_: Checker, node: Syntax) -> t.Tree:
    """Check a constant."""
    return t.Constant(kind_of(node.value), node.place, node.value)


def identifier(checker: Checker, node: Syntax) -> t.Tree:
    """Resolve a variable, a name, or a type."""
    name = node.name
    if not node.is_absolute and name in checker.scope:
        kind, code = checker.scope[name]
        return t.Variable(kind, node.place, name, code)
    if known := checker.named(name, node):
        return known
    if name in TYPE_NAMES:
        return t.Reference(TYPE, node.place, name, None, type_source(Type(name)))
    inside = sorted(f"`{other}`" for other in checker.env.names if other.startswith(name + "."))
    if inside:
        template = "`{name}` alone has no value; there is {names}"
        checker.refuse("unknown-name", template, node, name=name, names=tuple(inside[:3]))
    message = calls.unknown("there is no name `{name}`", name, [*checker.scope, *checker.env.names])
    return checker.refuse("unknown-name", message, node)


def select(checker: Checker, node: Syntax) -> t.Tree:
    """Resolve a dotted name if there is one, else a member."""
    path = checker.path(node)
    known = checker.named(path, node) if path else None
    if known:
        return known
    tree = checker.visit(node.parts[0])
    kind, code, safe, _, cell = calls.member(checker, node, tree)
    return t.Member(kind, node.place, tree, node.name, False, code, safe, cell)


def index(checker: Checker, node: Syntax) -> t.Tree:
    """Check an element of a list or an entry of a map."""
    container, key = map(checker.visit, node.parts)
    overloaded = calls.operator(checker, "@index", [container, key])
    kind, code, safe, _, cell = overloaded or _indexed(checker, node, container, key)
    safe = safe and t.is_safe(container) and t.is_safe(key)
    return t.Applied(kind, node.place, "[]", (container, key), code, safe, cell=cell)


def _indexed(checker: Checker, node: Syntax, container: t.Tree, key: t.Tree) -> Meaning:
    kind = container.type
    if kind.name == "list" and key.type == INT:
        return Meaning(kind.args[0], "_at({0}, {1})", safe=False)
    if kind.name == "map" and checker.accepts(kind.args[0], key.type):
        return Meaning(kind.args[1], "_entry(S, {0}, {1})", safe=False)
    if kind.name == "dyn" or (kind.name == "list" and key.type == DYN):
        return Meaning(kind.args[0] if kind.args else DYN, "_element(S, {0}, {1})", safe=False)
    wanted = {"list": INT, "map": kind.args[0] if kind.args else DYN}.get(kind.name)
    if wanted is None:
        checker.refuse("no-overload", "{type} cannot be indexed with [ ]", node, type=kind)
    template, place = "{type} is indexed by {wanted}, but this is {found}", node.parts[1]
    return checker.refuse("wrong-type", template, place, type=kind, wanted=wanted, found=key.type)


def list_literal(checker: Checker, node: Syntax) -> t.Tree:
    """Check a list; mixed elements give a list of dyn."""
    items = tuple(map(checker.visit, node.parts))
    return t.Listed(list_of(checker.common(items)), node.place, items)


def map_literal(checker: Checker, node: Syntax) -> t.Tree:
    """Check a map."""
    trees = list(map(checker.visit, node.parts))
    seen: set[tuple[type, object]] = set()
    for key, tree in zip(node.parts[::2], trees[::2], strict=True):
        if tree.type.name not in ("int", "bool", "string", "dyn"):
            template = "a key must be int, bool or string, but this is {type}"
            checker.refuse("map-key", template, key, type=tree.type)
        if isinstance(tree, t.Constant):
            mark = (type(tree.value), tree.value)
            if mark in seen:
                checker.refuse("duplicate-key", "this key occurs twice in the map", key)
            seen.add(mark)
    keys, values = trees[::2], trees[1::2]
    kind = map_of(checker.common(keys), checker.common(values))
    return t.Mapped(kind, node.place, tuple(zip(keys, values, strict=True)))


def conditional(checker: Checker, node: Syntax) -> t.Tree:
    """Check ``test ? then : otherwise``; only the branch taken can raise."""
    pairs = zip(node.parts[:-1:2], node.parts[1::2], strict=True)
    branches = tuple((checker.condition(test), checker.visit(then)) for test, then in pairs)
    otherwise = checker.visit(node.parts[-1])
    values = [*(value for _, value in branches), otherwise]
    kind = checker.common(values)
    if kind == DYN and not checker.lenient and not any(v.type == DYN for v in values):
        types = " and ".join(dict.fromkeys(str(value.type) for value in values))
        template = "the branches have different types: {types}"
        checker.refuse("wrong-type", template, node, types=types)
    return t.Conditional(kind, node.place, branches, otherwise)


_VISITORS: Visitors = {
    "literal": literal,
    "name": identifier,
    "brackets": lambda checker, node: checker.visit(node.parts[0]),
    "select": select,
    "index": index,
    "list": list_literal,
    "map": map_literal,
    "conditional": conditional,
    "negation": calls.negation,
    "chain": calls.chain,
    "logic": calls.logic,
    "call": calls.call,
    "method": calls.method,
}

# ---------------------------------------------------------------- without declared types


def evaluate(
    source: str, bindings: Mapping[str, object] | None = None, *, budget: int = STEPS
) -> object:
    """Return the value of a CEL expression.

    source: the expression.
    bindings: values of names, dotted ones included: null, bools, ints, strings, lists and dicts.
    budget: the maximum number of steps.

    Return a value of the same kinds, or a ``Type`` for an expression like ``type(1)``. Raise
    ExpressionError, and nothing else, if the expression is refused or fails.

    >>> evaluate("1 + 2")
    3
    >>> evaluate("hand.filter(card, card.cost > n)", {"hand": [{"cost": 1}, {"cost": 3}], "n": 2})
    [{'cost': 3}]
    >>> evaluate("cost < 3")
    Traceback (most recent call last):
    altay_cli.base.findings.EvaluationError: there is no name `cost`
    """
    values = {name: _imported(name, value) for name, value in (bindings or {}).items()}
    return _compiled(source, tuple(sorted(values)))(Budget(budget), values)


@lru_cache(maxsize=256)
def _compiled(source: str, names: tuple[str, ...]) -> Compiled:
    env = Environment({name: Symbol(DYN, f"v[{name!a}]") for name in names})
    return link(check(source, env, lenient=True).code, {})


def _imported(name: str, value: object) -> object:
    left = limits.MAX_BINDING_VALUES

    def copied(part: object, depth: int) -> object:
        nonlocal left
        left -= 1
        if depth > limits.MAX_DEPTH or left < 0:
            raise _refused("the value of `{name}` is too large or too deep", name)
        if part is None or isinstance(part, bool):
            return part
        if isinstance(part, int):
            if INT_MIN <= part <= INT_MAX:
                return int(part)
            raise _refused("an integer in `{name}` does not fit into 64 bits", name)
        if isinstance(part, str):
            return str(part)
        if isinstance(part, list | tuple):
            return [copied(item, depth + 1) for item in part]
        if isinstance(part, Mapping):
            return {_key(name, key): copied(item, depth + 1) for key, item in part.items()}
        unknown = f"`{name}` holds a {type(part).__name__}, which CEL here does not know"
        raise ExpressionError("binding", unknown)

    return copied(value, 0)


def _key(name: str, key: object) -> bool | int | str:
    if isinstance(key, bool) or (isinstance(key, int) and INT_MIN <= key <= INT_MAX):
        return key
    if isinstance(key, str):
        return str(key)
    raise _refused("a key in `{name}` is not an int, bool or string", name)


def _refused(template: str, name: str) -> ExpressionError:
    return ExpressionError("binding", Text(template, name=name))


# --------------------------------------------------------------- minimum cost
# Some lengths are known when rules are loaded: of literals, kinds, ranges. Other lists count as
# empty, so an expression refused here could never fit its budget.


_VISIT_ALL = frozenset({"map", "transformList", "exists_one", "existsOne", "filter"})


class Cost(NamedTuple):
    """Minimums: the steps of a value, and the length of a list."""

    steps: int = 0
    size: int = 0


def limited(tree: t.Tree, env: Environment, place: tuple[int, int] = (0, 0)) -> int:
    """Return the minimum steps; raise ExpressionError if too many."""
    steps = least(tree, env).steps
    if steps > STEPS:
        template = "this takes at least {steps} steps; a statement may take {most}"
        raise ExpressionError("too-costly", template, *place, steps=f"{steps:,}", most=f"{STEPS:,}")
    return steps


def least(tree: t.Tree, env: Environment) -> Cost:
    """Return the minimum cost of an expression."""
    match tree:
        case t.Reference():
            known = env.names.get(tree.name) if tree.key is None else None
            return Cost(0, known.size if known else 0)
        case t.Listed():
            return Cost(_sum(env, *tree.items), len(tree.items))
        case t.Applied(function="&&" | "||"):
            # Any operand may decide alone.
            return Cost(min(least(operand, env).steps for operand in tree.arguments))
        case t.Conditional():
            values = [*(value for _, value in tree.branches), tree.otherwise]
            costs = [least(value, env) for value in values]
            steps = least(tree.branches[0][0], env).steps + min(cost.steps for cost in costs)
            return Cost(steps, min(cost.size for cost in costs))
        case t.Applied() if t.is_chain(tree):  # it may be too long to recurse into
            first, operators = t.chain(tree)
            return Cost(_sum(env, first, *(each.arguments[1] for each in operators)))
        case t.Applied(function="lists.range", arguments=(t.Constant(value=int() as number),)):
            return Cost(max(number, 0), max(number, 0))
        case t.Applied(function=name, arguments=given):
            called = [f for f in env.functions.get(name, ()) if len(f.parameters) == len(given)]
            return Cost(min((f.least for f in called), default=0) + _sum(env, *given))
        case t.Walk():
            over = least(tree.over, env)
            # After a condition, the other bodies may never be evaluated.
            body = least(tree.bodies[0], env).steps
            if len(tree.bodies) == 1 and tree.macro in _VISIT_ALL:
                size = 0 if tree.macro == "filter" else over.size
                return Cost(over.steps + over.size * (1 + body), size)
            return Cost(over.steps + over.size + (body if over.size else 0))
    return Cost(_sum(env, *t.parts(tree)))


def _sum(env: Environment, *trees: t.Tree) -> int:
    return sum(least(tree, env).steps for tree in trees)

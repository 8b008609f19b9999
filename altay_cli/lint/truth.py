"""What is known of an expression before anybody plays: its value, its bounds, or nothing.

The typed trees of expressions are looked at: numbers, rulings and things are constants, zones hold
what their declarations and all effects allow, and functions of the rules are looked into. What is
assumed of a state, such as that the requirements before have held, narrows it further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from typing import Any, NamedTuple

from altay_cli.base.budget import Budget
from altay_cli.base.errors import ExpressionError
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.analysis import zone_read
from altay_cli.compile.building import Compiled
from altay_cli.compile.functions import GLOBALS
from altay_cli.compile.model import Expr
from altay_cli.compile.vocabulary import OF_STATE, function_keys
from altay_cli.expressions.runtime import GLOBALS as RUNTIME
from altay_cli.expressions.typed import (
    Applied,
    Choice,
    Constant,
    Item,
    Joined,
    Listed,
    Member,
    Named,
    Operation,
    Tree,
    Variable,
    Walk,
    about,
    everything,
    parts,
    same,
)
from altay_cli.expressions.types import NULL
from altay_cli.lint.known import (
    COUNT,
    FALSE,
    TRUE,
    Among,
    Exactly,
    Known,
    Range,
    Sized,
    among,
    either,
    equal,
    number,
    ranged,
    size,
    told,
)

BUDGET = 100_000
STEPS = 20_000
"""The maximum number of parts of an expression that are examined, called functions included."""
MOST_PARTS = 200
"""Larger trees are not substituted for parameters."""
MOST_SAYINGS = 50_000
MOST_OPEN = 4
"""So many conditions are taken apart of which only one need hold."""
MOST_COMPARED = 1_000
"""How many elements of a list are looked at to find out what they have in common."""
MOST_WALKED = 200
"""In longer lists, elements are not told apart."""

Values = Mapping[str, Known]
"""What is known of local values, by the keys under which they are passed."""
NOBODY: Values = {}

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class TooMuchError(Exception):
    """An expression is too large to be examined."""


class _Open(NamedTuple):
    """A condition of which one part holds, or does not; ``looked`` is how much was known then."""

    tree: Joined
    holds: bool
    looked: int


class Facts:
    """What is assumed of a state: of parts of expressions, by what they say.

    ``impossible`` tells that no state fits.
    """

    def __init__(self, before: Facts | None = None) -> None:
        self.known: dict[object, Known] = dict(before.known) if before else {}
        self.others: dict[object, tuple[object, ...]] = dict(before.others) if before else {}
        self.impossible: bool = before.impossible if before else False
        self.open: list[_Open] = list(before.open) if before else []
        """Conditions of which one holds, or does not: `a || b`, `!(a && b)`."""

    def add(self, key: object, known: Known) -> None:
        """Note what is known of an expression."""
        met = meet(self.known.get(key), known)
        if met is False:
            self.impossible = True
        else:
            self.known[key] = met  # type: ignore[assignment]

    def size(self) -> int:
        """Return how much is known, to return whether more has become known."""
        return len(self.known) + len(self.others)

    def exclude(self, key: object, value: object) -> None:
        """Note that an expression has not a certain value."""
        self.others[key] = (*self.others.get(key, ()), value)
        known = self.known.get(key)
        if isinstance(known, Exactly) and equal(known.value, value):
            self.impossible = True


def meet(one: Known, other: Known) -> Known | bool:
    """Return what is known of a value of which both are; False if there is no such value."""
    if one is None or other is None:
        return other if one is None else one
    ones, others = among(one), among(other)
    if ones and others:
        both = tuple(a for a in ones if any(equal(a, b) for b in others))
        return False if not both else Exactly(both[0]) if len(both) == 1 else Among(both)
    left, right = number(one), number(other)
    if left is not None and right is not None:
        leasts = [x for x in (left.least, right.least) if x is not None]
        mosts = [x for x in (left.most, right.most) if x is not None]
        least, most = max(leasts, default=None), min(mosts, default=None)
        if least is not None and most is not None and least > most:
            return False
        return ranged(least, most)
    return one


class Scope:
    """Where an expression stands: local values, variables of macros, and what is assumed."""

    __slots__ = ("definitions", "facts", "values", "variables")

    def __init__(
        self,
        values: Values = NOBODY,
        facts: Facts | None = None,
        definitions: Mapping[str, Tree] | None = None,
        variables: Mapping[str, Known] | None = None,
    ) -> None:
        self.values = values
        self.facts = facts
        self.definitions = definitions or {}
        self.variables = variables or {}

    def walking(self, name: str, known: Known) -> Scope:
        """Return the same with a variable of a macro.

        What is assumed of an outer variable of the same name is forgotten.
        """
        facts = None if name in self.variables else self.facts
        return Scope(self.values, facts, self.definitions, {**self.variables, name: known})

    def assuming(self, facts: Facts) -> Scope:
        """Return the same with other facts."""
        return Scope(self.values, facts, self.definitions, self.variables)


class Truth:
    """Evaluates what is known of the expressions of compiled and linked rules."""

    def __init__(self, compiled: Compiled) -> None:
        self.pack = compiled.pack
        self.compiled = compiled
        self.zones: list[Known] = [None] * len(self.pack.zones)
        """What each zone can hold in one place, by index."""
        self.by_name = {zone.name: zone for zone in self.pack.zones}
        self.values: dict[str, Known] = {}
        self.steady: dict[str, bool] = {}
        self.switched: dict[str, bool] = {}
        self.trees: dict[str, Tree] = {}
        self.codes: dict[str, Any] = {}
        self._reads: dict[str, frozenset[int]] = {}
        self.left = STEPS
        self.sayings = _Sayings()
        self._namespace: dict[str, object] = {**RUNTIME, **GLOBALS, **self.pack.constants}

    def sibling(self) -> Truth:
        """Return another one of the same rules, for which zones may hold something else."""
        found = copy(self)
        found.zones = list(self.zones)
        return found

    # ------------------------------------------------------------ questions

    def tree(self, key: str) -> Tree:
        """Return the typed tree of an expression, by its key."""
        found = self.trees.get(key)
        if found is None:
            found = self.trees[key] = self.compiled.checked[key].tree
        return found

    def of(self, expr: Expr, scope: Scope | None = None, *, switches: bool = False) -> bool | None:
        """Return whether a condition always or never holds; None if that depends on the game.

        A condition that looks at a ruling as well as at the game is a switch of the rules; with
        ``switches`` the rulings are taken as chosen.
        """
        tree = self.tree(expr.key)
        if not switches and self.is_switched(tree) and not self.is_constant(tree):
            return None
        found = self.known(tree, scope)
        return found.value if isinstance(found, Exactly) and isinstance(found.value, bool) else None

    def value(self, expr: Expr, values: Values = NOBODY) -> Known:
        """Return what is known of the value of an expression, for some local values."""
        return self.known(self.tree(expr.key), Scope(values))

    def reads(self, key: str) -> frozenset[int]:
        """Return the zones that an expression reads, itself or in functions that it calls."""
        found = self._reads.get(key)
        if found is None:
            self._reads[key] = frozenset()  # where a function calls itself
            checked = self.compiled.checked[key]
            functions = self.compiled.data.get("functions", {})
            called = [k for name in checked.calls for k in function_keys(name, functions[name])]
            found = self._reads[key] = checked.zones.union(*map(self.reads, called))
        return found

    def known(self, tree: Tree, scope: Scope | None = None) -> Known:
        """Return what is known of the value of an expression."""
        self.left = STEPS
        try:
            return self._known(tree, scope or Scope())
        except (TooMuchError, RecursionError, ExpressionError):
            return None

    def facts(self, trees: Iterable[tuple[Tree, bool]], scope: Scope | None = None) -> Facts:
        """Return what holds in a state in which conditions hold, or do not hold."""
        scope = scope or Scope()
        found = Facts(scope.facts)
        self.left = STEPS
        for tree, holds in trees:
            try:
                self._assume(tree, holds, scope.assuming(found))
            except (TooMuchError, RecursionError, ExpressionError):
                continue
        # What was assumed behind a condition may leave nothing of it.
        with suppress(TooMuchError, RecursionError, ExpressionError):
            self._look_again(found, scope)
        return found

    def _look_again(self, facts: Facts, scope: Scope) -> None:
        """Look at conditions again of which one part holds, if more is known since."""
        for place, one in enumerate(facts.open):
            if one.looked < facts.size():
                self._split(one.tree, one.holds, scope.assuming(facts))
                facts.open[place] = one._replace(looked=facts.size())

    def is_constant(self, tree: Tree) -> bool:
        """Return whether an expression mentions neither the state nor a local value."""
        for part in everything(tree):
            if isinstance(part, Named) and not self._is_fixed(part):
                return False
            if isinstance(part, Member) and zone_read(part, self.by_name) is not None:
                return False
            if isinstance(part, Applied) and not part.own and part.function in OF_STATE:
                return False
            if isinstance(part, Applied) and part.own and not self._is_steady(part.function):
                return False
        return True

    def _is_fixed(self, name: Named) -> bool:
        if name.key is not None or name.name in self.by_name or name.name.startswith("options."):
            return False
        return self._constant(name.name) is not None

    def _is_steady(self, function: str) -> bool:
        """Return whether a function of the rules mentions nothing of the state."""
        if function not in self.steady:
            self.steady[function] = False
            lets = self.lets(function)
            keys = [*self.parameters(function), *lets]
            plain = dict.fromkeys(keys, _NULL)
            trees = [*lets.values(), self.body(function)]
            self.steady[function] = all(self.is_constant(substituted(t, plain)) for t in trees)
        return self.steady[function]

    def is_switched(self, tree: Tree) -> bool:
        """Return whether an expression, or a function that it calls, looks at a ruling."""
        for part in everything(tree):
            if isinstance(part, Named) and part.key is None and part.name.startswith("rulings."):
                return True
            if isinstance(part, Applied) and part.own and self._switches(part.function):
                return True
        return False

    def _switches(self, function: str) -> bool:
        if function not in self.switched:
            self.switched[function] = False
            trees = [*self.lets(function).values(), self.body(function)]
            self.switched[function] = any(map(self.is_switched, trees))
        return self.switched[function]

    def mentioned(self, expr: Expr) -> frozenset[str]:
        """Return the names that an expression mentions, itself or in functions that it calls."""
        names = set(expr.names)
        calls = set(self.compiled.checked[expr.key].calls)
        seen: set[str] = set()
        while calls:
            function = calls.pop()
            seen.add(function)
            for key in self._keys(function):
                names |= self.compiled.checked[key].names
                calls |= self.compiled.checked[key].calls - seen
        return frozenset(names)

    def reasons(self, expr: Expr, scope: Scope | None = None) -> tuple[str, ...]:
        """Say why a condition always or never holds: which numbers its parts can be."""
        source = expr.source
        found: dict[str, None] = {}
        waiting = [(self.tree(expr.key), scope or Scope())]
        while waiting:
            tree, scope = waiting.pop(0)
            match tree:
                case Operation() if tree.sign in _MIRRORED:
                    for side in tree.operands:
                        if isinstance(side, Constant):
                            continue
                        bounds = told(source[side.start : side.end], self.known(side, scope))
                        if bounds is not None:
                            found[bounds] = None
                case Operation() if tree.sign == "!":
                    waiting += [(one, scope) for one in tree.operands]
                case Joined():
                    whole = self.known(tree, scope)
                    parts_ = [one for one in tree.operands if self.known(one, scope) == whole]
                    waiting += [(one, scope) for one in parts_ or tree.operands]
                case Walk() if len(tree.variables) == 1:
                    over = self.known(tree.over, scope)
                    of = over.of if isinstance(over, Sized) else None
                    inner = scope.walking(tree.variables[0], of)
                    waiting += [(one, inner) for one in tree.bodies]
        return tuple(found)[:3]

    def body(self, function: str) -> Tree:
        """Return what a function of the rules is."""
        return self.tree(self._keys(function)[0])

    def lets(self, function: str) -> dict[str, Tree]:
        """Return the values that a function of the rules names first."""
        names = self.compiled.data["functions"][function].get("let", {})
        return dict(zip(names, map(self.tree, self._keys(function)[1:]), strict=True))

    def _keys(self, function: str) -> tuple[str, ...]:
        return function_keys(function, self.compiled.data["functions"][function])

    def parameters(self, function: str) -> list[str]:
        """Return the names of what a function of the rules takes."""
        return list(self.compiled.data["functions"][function].get("takes", {}))

    # ------------------------------------------------------------ values

    def _known(self, tree: Tree, scope: Scope) -> Known:
        self.left -= 1
        if self.left < 0:
            raise TooMuchError
        found = self._visit(tree, scope)
        if scope.facts is not None and isinstance(found, Exactly) is False:
            found = self._narrowed(tree, found, scope.facts)
        return found

    def _narrowed(self, tree: Tree, found: Known, facts: Facts) -> Known:
        """Return what is known of a value under what is assumed."""
        if isinstance(tree, Constant | Variable | Listed) or not (facts.known or facts.others):
            return found
        key = self.sayings.of(tree)
        if key is None:
            return found
        met = meet(found, facts.known.get(key))
        if met is False or met is True:
            return found
        values = among(met)
        if values and key in facts.others:
            left = tuple(v for v in values if not any(equal(v, o) for o in facts.others[key]))
            if len(left) == 1:
                return Exactly(left[0])
        return met

    def _visit(self, tree: Tree, scope: Scope) -> Known:
        match tree:
            case Constant():
                return Exactly(tree.value)
            case Named():
                return self._named(tree, scope)
            case Variable():
                return scope.variables.get(tree.name)
            case Member():
                return self._member(tree, scope)
            case Item():
                return self._item(tree, scope)
            case Operation():
                return self._operation(tree, scope)
            case Joined():
                return self._joined(tree, scope)
            case Choice():
                return self._choice(tree, scope)
            case Listed():
                return self._listed(tree, scope)
            case Applied():
                return self._applied(tree, scope)
            case Walk():
                return self._walk(tree, scope)
        return None

    def _named(self, tree: Named, scope: Scope) -> Known:
        if tree.key is not None:
            if "." in tree.name:  # a value of what was asked
                return None
            found = scope.values.get(tree.key)
            if found is None and tree.key in scope.definitions:
                return self._known(scope.definitions[tree.key], scope)
            return found
        zone = zone_read(tree, self.by_name)
        if zone is not None:
            return self.zones[zone.zone.index] if zone.whole else None
        if tree.name == "players":
            return Sized(0, None)  # how many there can be is for a rule to say
        if tree.name.startswith("options."):
            if tree.name not in self.values:
                option = self.pack.options.get(tree.name.removeprefix("options."))
                values = () if option is None else option.values
                self.values[tree.name] = either(map(Exactly, values))
            return self.values[tree.name]
        return self._constant(tree.name)

    def _constant(self, name: str) -> Known:
        """Return the value of a name that is the same in all games; None of any other."""
        if name not in self.values:
            found = self.compiled.env.names.get(name)
            self.values[name] = None
            if found is not None:
                # Source of our own, which says how the value is called in Python; there is no
                # state here to ask.
                with suppress(NameError):
                    self.values[name] = Exactly(eval(found.code, self._namespace))  # noqa: S307
        return self.values[name]

    def _member(self, tree: Member, scope: Scope) -> Known:
        zone = zone_read(tree, self.by_name)
        if zone is not None:
            return self.zones[zone.zone.index] if zone.whole else None
        operand = self._known(tree.operand, scope)
        few = among(operand)
        if few and all(isinstance(value, Entity) for value in few):
            found = either(
                Exactly(value.id) if tree.field == "id" else _field(value, tree.field)
                for value in few
                if isinstance(value, Entity)
            )
        elif few:
            return None
        else:
            found = self._field(tree.operand.type.name, tree.field)
        if tree.test:
            values = among(found)
            return TRUE if values and all(value is not None for value in values) else None
        return found

    def _field(self, kind: str, field: str) -> Known:
        """Return what is known of a field of things of a kind, whichever of them it is.

        That is what is declared: which things there are is a choice of the rules, as rulings are.
        """
        declared = self.compiled.data["kinds"].get(kind, {}).get("enums", {}).get(field)
        return None if declared is None else either(map(Exactly, ("", *declared)))

    def _item(self, tree: Item, scope: Scope) -> Known:
        zone = zone_read(tree, self.by_name)
        if zone is not None:
            return self.zones[zone.zone.index] if zone.whole else None
        operand, key = self._known(tree.operand, scope), self._known(tree.key, scope)
        if isinstance(operand, Sized):
            return operand.of
        if isinstance(operand, Exactly) and isinstance(key, Exactly):
            value, at = operand.value, key.value
            if isinstance(value, list) and type(at) is int and 0 <= at < len(value):
                return Exactly(value[at])
        return None

    # ------------------------------------------------------------ operators

    def _operation(self, tree: Operation, scope: Scope) -> Known:
        found = [self._known(operand, scope) for operand in tree.operands]
        if tree.sign == "!":
            few = among(found[0])
            return Exactly(not few[0]) if len(few) == 1 else None
        if tree.sign == "neg":
            only = number(found[0])
            return None if only is None else ranged(_minus(only.most), _minus(only.least))
        left, right = found
        if tree.sign == "in":
            return _contained(left, right)
        if tree.sign in _MIRRORED:
            if same(*tree.operands):
                return Exactly(tree.sign in {"==", "<=", ">="})
            return compared(tree.sign, left, right)
        return _calculated(tree.sign, left, right)

    def _joined(self, tree: Joined, scope: Scope) -> Known:
        """Judge conditions that are joined; each may assume that those before did not decide."""
        decides = not tree.every
        known = True
        facts = Facts(scope.facts)
        for operand in tree.operands:
            found = self._known(operand, scope.assuming(facts))
            few = among(found)
            if len(few) == 1 and few[0] is decides:
                return Exactly(decides)
            known = known and len(few) == 1
            self._assume(operand, tree.every, scope.assuming(facts))
            if facts.impossible:
                return Exactly(decides)
        self._look_again(facts, scope)
        if facts.impossible:
            return Exactly(decides)
        return Exactly(tree.every) if known else None

    def _choice(self, tree: Choice, scope: Scope) -> Known:
        possible: list[Known] = []
        for test, value in tree.branches:
            found = self._known(test, scope)
            few = among(found)
            if few == (False,):
                continue
            possible.append(self._known(value, scope))
            if few == (True,):
                return either(possible)
        return either([*possible, self._known(tree.otherwise, scope)])

    def _listed(self, tree: Listed, scope: Scope) -> Known:
        found = [self._known(item, scope) for item in tree.items]
        if all(isinstance(one, Exactly) for one in found):
            return Exactly([one.value for one in found if isinstance(one, Exactly)])
        return Sized(len(found), len(found), either(found))

    # ------------------------------------------------------------ calls

    def _applied(self, tree: Applied, scope: Scope) -> Known:
        if tree.own:
            return self._called(tree, scope)
        found = [self._known(argument, scope) for argument in tree.arguments]
        first = found[0] if found else None
        match tree.function:
            case "size" if not isinstance(first, Exactly):
                return ranged(*size(first))
            case "min" | "max":
                ranges = [number(one) for one in found]
                sure = [one for one in ranges if one is not None]
                if len(sure) == len(ranges) == 2:
                    return _extreme(tree.function == "min", *sure)
            case "count":
                if size(first).most == 0:
                    return Exactly(0)
                if not all(isinstance(one, Exactly) for one in found):
                    return COUNT
            case "list" | "kinds" if isinstance(first, Sized):
                least = first.least if tree.function == "list" else min(first.least, 1)
                return Sized(least, first.most, first.of)
            case "sum" if isinstance(first, Sized):
                return _summed(first)
            case "lists.range" if not isinstance(first, Exactly):
                bounds = number(first)
                if bounds is not None:
                    most = None if bounds.most is None else max(bounds.most, 0)
                    last = None if most is None else max(most - 1, 0)
                    return Sized(max(bounds.least or 0, 0), most, Range(0, last))
        if tree.function not in OF_STATE and all(isinstance(one, Exactly) for one in found):
            return self._evaluated(tree, [o.value for o in found if isinstance(o, Exactly)])
        return None

    def _evaluated(self, tree: Applied, values: Sequence[object]) -> Known:
        """Return what a function that every game has gives for values."""
        names = [f"a{number}" for number in range(len(values))]
        key = f"{tree.code} {len(values)}"
        if key not in self.codes:
            source = tree.code.format(*names)
            self.codes[key] = compile(source, "<function>", "eval", dont_inherit=True)
        budget = Budget(BUDGET)
        # Source of our own, with names of our own for the values.
        given = {**self._namespace, "S": budget, **dict(zip(names, values, strict=True))}
        try:
            return Exactly(eval(self.codes[key], given))  # noqa: S307
        except AttributeError:  # it asks the state
            return None

    def _called(self, tree: Applied, scope: Scope) -> Known:
        keys = self.parameters(tree.function)
        body, lets = self.body(tree.function), self.lets(tree.function)
        if scope.facts is not None and not scope.variables and not lets and _is_small(tree):
            plain = substituted(body, dict(zip(keys, tree.arguments, strict=True)))
            return self._known(plain, scope)
        found = [self._known(argument, scope) for argument in tree.arguments]
        values = dict(zip(keys, found, strict=True))
        for name, value in lets.items():
            values[name] = self._known(value, Scope(values))
        return self._known(body, Scope(values))

    def _walk(self, tree: Walk, scope: Scope) -> Known:
        over = self._known(tree.over, scope)
        if tree.macro == "closure":
            return self._closure(tree, over, scope)
        if len(tree.variables) != 1:
            return None
        name = tree.variables[0]
        items = _items(over)
        if items is None or len(items) > MOST_WALKED:
            few = items if items is not None and len(items) <= MOST_COMPARED else ()
            of = over.of if isinstance(over, Sized) else either(map(Exactly, few))
            each = [scope.walking(name, of)]
            bounds = size(over)
        else:
            each = [scope.walking(name, Exactly(item)) for item in items]
            bounds = Range(len(items), len(items))
            of = None
        tests = [self._known(tree.bodies[0], inner) for inner in each]
        return self._walked(tree, tests, each, bounds, items, of)

    def _walked(
        self,
        tree: Walk,
        tests: list[Known],
        each: list[Scope],
        bounds: Range,
        items: list[object] | None,
        of: Known,
    ) -> Known:
        """Return what a macro gives; ``tests`` is its first body for each element, or for any."""
        whole = items is not None and len(items) == len(each)
        sure = [few[0] if len(few := among(test)) == 1 else None for test in tests]
        is_map = tree.macro in {"map", "transformList"}
        if is_map and len(tree.bodies) == 1:
            if whole and all(isinstance(test, Exactly) for test in tests):
                return Exactly([test.value for test in tests if isinstance(test, Exactly)])
            return Sized(bounds.least or 0, bounds.most, either(tests) if tests else None)
        always = all(one is True for one in sure)
        never = all(one is False for one in sure)
        match tree.macro:
            case "exists" | "exists_one" | "existsOne" if never or bounds.most == 0:
                return FALSE
            case "exists" if (whole and True in sure) or (always and (bounds.least or 0) > 0):
                return TRUE
            case "all" if always or bounds.most == 0:
                return TRUE
            case "all" if (whole and False in sure) or (never and (bounds.least or 0) > 0):
                return FALSE
            case "exists_one" | "existsOne" if whole and None not in sure:
                return Exactly(sure.count(True) == 1)
            case "filter":
                if whole and None not in sure:
                    assert items is not None
                    return Exactly([i for i, one in zip(items, sure, strict=True) if one])
                if whole:
                    return Sized(sure.count(True), len(sure) - sure.count(False))
                least = (bounds.least or 0) if always else 0
                return Sized(least, 0 if never else bounds.most, of)
            case "map" | "transformList":
                least = (bounds.least or 0) if always and not whole else sure.count(True)
                most = len(sure) - sure.count(False) if whole else 0 if never else bounds.most
                return Sized(least if whole or always else 0, most)
        return None

    def _closure(self, tree: Walk, over: Known, scope: Scope) -> Known:
        items = _items(over)
        if items is None:
            return None
        known = list(dict.fromkeys(items))
        while True:
            found = self._known(tree.bodies[0], scope.walking(tree.variables[0], Exactly(known)))
            more = _items(found)
            if more is None:
                return None
            new = [item for item in dict.fromkeys(more) if item not in known]
            if not new:
                return Exactly(known)
            known = [*known, *new]
            if len(known) > MOST_WALKED:
                return None

    # ------------------------------------------------------------ assumptions

    def _assume(self, tree: Tree, holds: bool, scope: Scope) -> None:
        """Note in the facts of a scope what follows if a condition holds, or does not."""
        facts = scope.facts
        assert facts is not None
        self.left -= 1
        if self.left < 0:
            raise TooMuchError
        match tree:
            case Operation() if tree.sign == "!":
                self._assume(tree.operands[0], not holds, scope)
                return
            case Joined() if tree.every is holds:
                for operand in tree.operands:
                    self._assume(operand, holds, scope)
                return
            case Operation() if tree.sign in _MIRRORED:
                sign = tree.sign if holds else _OPPOSITE[tree.sign]
                left, right = tree.operands
                self._compare(sign, left, right, scope)
                self._compare(_MIRRORED[sign], right, left, scope)
            case Joined() if len(facts.open) < MOST_OPEN:
                self._split(tree, holds, scope)
                facts.open.append(_Open(tree, holds, facts.size()))
            case Operation() if tree.sign == "in" and holds:
                items = _items(self._known(tree.operands[1], scope))
                key = self.sayings.of(tree.operands[0])
                if items and key is not None:
                    facts.add(key, either(map(Exactly, items)))
            case Named() if tree.key is not None and tree.key in scope.definitions:
                self._assume(scope.definitions[tree.key], holds, scope)
            case Applied() if (
                tree.own
                and not scope.variables  # which a body could take for its own
                and not self.lets(tree.function)
                and _is_small(tree)
            ):
                keys = self.parameters(tree.function)
                arguments = dict(zip(keys, tree.arguments, strict=True))
                self._assume(substituted(self.body(tree.function), arguments), holds, scope)
        key = self.sayings.of(tree)
        if key is not None:
            facts.add(key, Exactly(holds))

    def _split(self, tree: Joined, holds: bool, scope: Scope) -> None:
        """Note if none of several conditions can hold, of which one does (or does not)."""
        facts = scope.facts
        assert facts is not None
        for operand in tree.operands:
            case = Facts(facts)
            case.open = [_Open(tree, holds, 0)] * MOST_OPEN  # not again within itself
            self._assume(operand, holds, scope.assuming(case))
            if not case.impossible:
                return
        facts.impossible = True

    def _compare(self, sign: str, left: Tree, right: Tree, scope: Scope) -> None:
        """Note what a comparison that holds says of its left side."""
        facts = scope.facts
        assert facts is not None
        key = None if isinstance(left, Constant) else self.sayings.of(left)
        if key is None:
            return
        value = self._known(right, scope)
        if value is None:
            return
        if sign == "==":
            facts.add(key, value)
            excluded = facts.others.get(key, ())
            if isinstance(value, Exactly) and any(equal(value.value, o) for o in excluded):
                facts.impossible = True
        if sign == "!=" and isinstance(value, Exactly):
            facts.exclude(key, value.value)
        bounds = number(value)
        if bounds is None:
            return
        if sign in {"<", "<="} and bounds.most is not None:
            facts.add(key, Range(None, bounds.most - (sign == "<")))
        if sign in {">", ">="} and bounds.least is not None:
            facts.add(key, Range(bounds.least + (sign == ">"), None))


_NULL = Constant(NULL, 0, 0, None)


# ---------------------------------------------------------------- trees


def said(tree: Tree) -> object:
    """Return what a tree says, wherever it stands, as something that can be told apart by hash."""
    return (type(tree).__name__, about(tree), tuple(map(said, parts(tree))))


def _is_small(tree: Tree) -> bool:
    """Return whether a tree has so few parts that it may be put into others, or told apart."""
    return all(number < MOST_PARTS for number, _ in enumerate(everything(tree)))


class _Sayings:
    """What trees say, worked out once for each; None of what is too large to be told apart."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Tree, object]] = {}
        """By identity, with the tree, so that no other one has it."""

    def of(self, tree: Tree) -> object:
        """Return what a tree says, or None."""
        found = self.known.get(id(tree))
        if found is None:
            found = tree, said(tree) if _is_small(tree) else None
            if len(self.known) < MOST_SAYINGS:
                self.known[id(tree)] = found
        return found[1]


def substituted(tree: Tree, arguments: Mapping[str, Tree]) -> Tree:
    """Return the body of a function with its arguments in the place of its parameters."""

    def walk(part: Tree) -> Tree:
        match part:
            case Named() if part.key is not None and part.key in arguments:
                return arguments[part.key]
            case Member():
                return part._replace(operand=walk(part.operand))
            case Item():
                return part._replace(operand=walk(part.operand), key=walk(part.key))
            case Operation() | Joined():
                return part._replace(operands=tuple(map(walk, part.operands)))
            case Choice():
                branches = tuple((walk(test), walk(value)) for test, value in part.branches)
                return part._replace(branches=branches, otherwise=walk(part.otherwise))
            case Applied():
                return part._replace(arguments=tuple(map(walk, part.arguments)))
            case Walk():
                return part._replace(over=walk(part.over), bodies=tuple(map(walk, part.bodies)))
            case Listed():
                return part._replace(items=tuple(map(walk, part.items)))
            case _:
                return part

    return walk(tree)


# ---------------------------------------------------------------- values


def _field(thing: Entity, field: str) -> Known:
    value = thing.f.get(field)
    if isinstance(value, bool | int | str | Entity | list | tuple | Bag):
        return Exactly(value)
    return Exactly(None) if value is None and field in thing.f else None


def _items(known: Known) -> list[object] | None:
    """Return the elements of a list or bag that is known; of a bag, each different one once."""
    if isinstance(known, Exactly) and isinstance(known.value, list | tuple | Bag):
        return list(known.value)
    return None


def _minus(value: int | None) -> int | None:
    return None if value is None else -value


def _contained(value: Known, container: Known) -> Known:
    if size(container).most == 0:
        return FALSE
    items = _items(container)
    if items is None:
        return None
    few = among(value)
    if few:
        found = {any(equal(one, item) for item in items) for one in few}
        return Exactly(found.pop()) if len(found) == 1 else None
    bounds = number(value)
    numbers = [item for item in items if type(item) is int]
    if bounds is not None and not any(compared("==", bounds, Exactly(n)) is None for n in numbers):
        return FALSE
    return None


def compared(sign: str, left: Known, right: Known) -> Known:
    """Return whether a comparison holds, if that is known."""
    ones, others = among(left), among(right)
    if ones and others and sign in {"==", "!="}:
        found = {equal(one, other) for one in ones for other in others}
        return Exactly(found.pop() is (sign == "==")) if len(found) == 1 else None
    one, other = number(left), number(right)
    if one is None or other is None:
        return None
    below = _surely(one.most, other.least, strict=True)
    above = _surely(other.most, one.least, strict=True)
    most = _surely(one.most, other.least, strict=False)
    least = _surely(other.most, one.least, strict=False)
    decided: dict[str, tuple[bool, bool]] = {
        "<": (below, least),
        "<=": (most, above),
        ">": (above, most),
        ">=": (least, below),
        "==": (one == other and one.least is not None and one.least == one.most, below or above),
    }
    decided["!="] = decided["=="][::-1]
    yes, no = decided[sign]
    return TRUE if yes else FALSE if no else None


def _surely(most: int | None, least: int | None, *, strict: bool) -> bool:
    """Return whether a number of at most ``most`` lies below one of at least ``least``."""
    if most is None or least is None:
        return False
    return most < least if strict else most <= least


def _calculated(sign: str, left: Known, right: Known) -> Known:
    if sign == "+" and isinstance(left, Exactly) and isinstance(right, Exactly):
        one, other = left.value, right.value
        if isinstance(one, str) and isinstance(other, str) and len(one) + len(other) < BUDGET:
            return Exactly(one + other)
        if isinstance(one, list) and isinstance(other, list) and len(one) + len(other) < BUDGET:
            return Exactly(one + other)
    lists = [known for known in (left, right) if _items(known) is not None]
    if sign == "+" and (isinstance(left, Sized) or isinstance(right, Sized) or lists):
        if not all(isinstance(k, Sized) or _items(k) is not None for k in (left, right)):
            return None
        one_, other_ = size(left), size(right)
        most = None if one_.most is None or other_.most is None else one_.most + other_.most
        return Sized((one_.least or 0) + (other_.least or 0), most)
    a, b = number(left), number(right)
    if a is None or b is None:
        return None
    if sign == "+":
        return ranged(_add(a.least, b.least), _add(a.most, b.most))
    if sign == "-":
        return ranged(_add(a.least, _minus(b.most)), _add(a.most, _minus(b.least)))
    if sign == "*":
        return _product(a, b)
    if b.least is None or b.least != b.most or b.least == 0:
        return None
    return _divided(a, b.least) if sign == "/" else _remainder(a, b.least)


def _add(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _product(a: Range, b: Range) -> Known:
    if None not in (*a, *b):
        found = [x * y for x in a for y in b if x is not None and y is not None]
        return ranged(min(found), max(found))
    if a.least is not None and b.least is not None and a.least >= 0 and b.least >= 0:
        return Range(a.least * b.least, None)
    return None


def _divided(a: Range, by: int) -> Known:
    def quotient(value: int | None) -> int | None:
        if value is None:
            return None
        found = abs(value) // abs(by)
        return found if (value < 0) == (by < 0) else -found

    least, most = quotient(a.least), quotient(a.most)
    return ranged(least, most) if by > 0 else ranged(most, least)


def _remainder(a: Range, by: int) -> Known:
    if a.least is not None and a.least == a.most:
        found = abs(a.least) % abs(by)
        return Exactly(found if a.least >= 0 else -found)
    least = 0 if a.least is not None and a.least >= 0 else 1 - abs(by)
    most = 0 if a.most is not None and a.most <= 0 else abs(by) - 1
    return Range(least, most)


def _extreme(smaller: bool, one: Range, other: Range) -> Known:
    pick: Callable[..., int] = min if smaller else max

    def bound(a: int | None, b: int | None, *, open_wins: bool) -> int | None:
        if a is None or b is None:
            return None if open_wins else (b if a is None else a)
        return pick(a, b)

    least = bound(one.least, other.least, open_wins=smaller)
    most = bound(one.most, other.most, open_wins=not smaller)
    return ranged(least, most)


def _summed(known: Sized) -> Known:
    of = number(known.of)
    if known.most == 0:
        return Exactly(0)
    if of is None:
        return None
    if of.least is not None and of.least >= 0:
        most = None if of.most is None or known.most is None else of.most * known.most
        return ranged(of.least * known.least, most)
    return None

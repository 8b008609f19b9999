"""The interpreter of expressions on what is known: of a value, its bounds, or nothing.

The typed trees of expressions are looked at: numbers, rulings and things are constants, zones hold
what their declarations and all effects allow, and functions of the rules are looked into. What is
assumed of a state narrows it further.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import copy
from itertools import product
from math import inf, prod
from typing import NoReturn

from altay_cli.base.budget import Budget
from altay_cli.base.errors import ExpressionError
from altay_cli.compile.analysis import with_called, zone_read
from altay_cli.compile.building import Compiled
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions.linker import Compiled as Function
from altay_cli.expressions.linker import link
from altay_cli.expressions.printing import Filled
from altay_cli.expressions.typed import (
    Applied,
    Choice,
    Constant,
    Listed,
    Member,
    Reference,
    Tree,
    Variable,
    Walk,
    parts,
    said,
)
from altay_cli.lint.assumptions import (
    NOBODY,
    Facts,
    Scope,
    TooMuchError,
    Values,
    is_small,
    substituted,
)
from altay_cli.lint.known import (
    COUNT,
    FALSE,
    TRUE,
    Few,
    Known,
    Range,
    Sized,
    calculated,
    compared,
    contained,
    either,
    equal,
    exactly,
    few,
    items_of,
    meet,
    number,
    ranged,
    size,
    summed,
    told,
    truth,
)
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.model import Expr

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

BUDGET = 100_000
STEPS = 20_000
"""The maximum number of parts of an expression that are examined, called functions included."""
MOST_COMBINED = 150
"""So many combinations of values are worked out one by one."""
MOST_COMPARED = 1_000
"""How many elements of a list are looked at to find out what they have in common."""
MOST_SAYINGS = 50_000
"""Of so many trees it is kept what they say."""
MOST_WALKED = 200
"""In longer lists, elements are not told apart."""


class _NoState(Budget):
    """Stands for the state of a game where there is none: what asks it has no value."""

    def __getattr__(self, name: str) -> NoReturn:
        raise ExpressionError("evaluation", "this depends on the state of a game")


def _numbered(values: Iterable[object]) -> dict[str, object]:
    return {str(number): value for number, value in enumerate(values)}


class Interpreter:
    """Works out what is known of the values of expressions of compiled and linked rules.

    Above all whether a condition always or never holds.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.pack = compiled.pack
        self.zones: list[Known] = [None] * len(self.pack.zones)
        """What each zone can hold in one place, by index."""
        self.by_name = {zone.name: zone for zone in self.pack.zones}
        self.values: dict[str, Known] = {}
        self.codes: dict[tuple[str, int], Function] = {}
        self._names: dict[str, object] = {**GLOBALS, **self.pack.constants}
        self.left = 0
        """How many parts of an expression may still be examined."""
        self._said: dict[int, tuple[Tree, object]] = {}
        """What trees say, by their identity; with the tree, so that no other one has it."""

    def known(self, tree: Tree, scope: Scope | None = None) -> Known:
        """Return what is known of the value of an expression."""
        self.left = STEPS
        try:
            return self._known(tree, scope or Scope())
        except (TooMuchError, RecursionError, ExpressionError):
            return None

    def sibling(self) -> Interpreter:
        """Return another one of the same rules, for which zones may hold something else."""
        # What trees say and what code they have is the same for both, and kept once.
        other = copy(self)
        other.zones = list(self.zones)
        return other

    # ------------------------------------------------------------ questions

    def of(self, expr: Expr, scope: Scope | None = None, *, switches: bool = False) -> bool | None:
        """Return whether a condition always or never holds; None if that depends on the game.

        A condition that looks at a ruling as well as at the game is a switch of the rules; with
        ``switches`` the rulings are taken as chosen.
        """
        depends = expr.reads or expr.locals
        if depends and not switches and any(n.startswith("rulings.") for n in self.mentioned(expr)):
            return None
        return truth(self.known(self.tree(expr.key), scope))

    def value(self, expr: Expr, values: Values = NOBODY) -> Known:
        """Return what is known of the value of an expression, for some local values."""
        return self.known(self.tree(expr.key), Scope(values))

    def facts(self, expr: Expr, scope: Scope) -> Facts:
        """Return what holds in a state in which a condition holds."""
        facts = Facts(scope.facts)
        self.left = STEPS
        with suppress(TooMuchError, RecursionError, ExpressionError):
            self._assume(self.tree(expr.key), True, scope.assuming(facts))
        return facts

    def mentioned(self, expr: Expr) -> frozenset[str]:
        """Return the names that an expression mentions, itself or in functions that it calls."""
        functions = self.compiled.data.get("functions", {})
        parts = with_called([expr.key], self.compiled.checked, functions)
        return frozenset[str]().union(*(one.names for one in parts))

    def reasons(self, expr: Expr, scope: Scope | None = None) -> tuple[str, ...]:
        """Say why a condition always or never holds: which numbers its parts can be."""
        source = expr.source
        sentences: dict[str, None] = {}
        waiting = [(self.tree(expr.key), scope or Scope())]
        while waiting:
            tree, scope = waiting.pop(0)
            match tree:
                case Applied() if tree.function in MIRRORED:
                    for side in tree.arguments:
                        if isinstance(side, Constant):
                            continue
                        bounds = told(source[side.start : side.end], self.known(side, scope))
                        if bounds is not None:
                            sentences[bounds] = None
                case Applied(function="!"):
                    waiting += [(one, scope) for one in tree.arguments]
                case Applied(function="&&" | "||"):
                    whole = self.known(tree, scope)
                    deciding = [one for one in tree.arguments if self.known(one, scope) == whole]
                    waiting += [(one, scope) for one in deciding or tree.arguments]
                case Walk() if len(tree.variables) == 1:
                    over = self.known(tree.over, scope)
                    of = over.of if isinstance(over, Sized) else None
                    inner = scope.walking(tree.variables[0], of)
                    waiting += [(one, inner) for one in tree.bodies]
        return tuple(sentences)[:3]

    def said(self, tree: Tree) -> object:
        """Return what a tree says, worked out once; None if it is too large to be told apart."""
        kept = self._said.get(id(tree))
        if kept is None:
            kept = tree, said(tree) if is_small(tree) else None
            if len(self._said) < MOST_SAYINGS:
                self._said[id(tree)] = kept
        return kept[1]

    def tree(self, key: str) -> Tree:
        """Return the typed tree of an expression, by its key."""
        return self.compiled.checked[key].tree

    def called(self, call: Applied) -> tuple[Tree, dict[str, Tree], dict[str, Tree]]:
        """Return what a function of the rules is, its arguments, and what it names first."""
        function = self.compiled.data["functions"][call.function]
        body, *lets = map(self.tree, function_keys(call.function, function))
        arguments = dict(zip(function.get("takes", {}), call.arguments, strict=True))
        return body, arguments, dict(zip(function.get("let", {}), lets, strict=True))

    def inlined(self, call: Applied, scope: Scope) -> Tree | None:
        """Return a call as what it stands for, where that is small and its names are its own."""
        if scope.variables or not is_small(call):  # a body could take a variable for its own
            return None
        body, arguments, lets = self.called(call)
        return None if lets else substituted(body, arguments)

    # ------------------------------------------------------------ values

    def _known(self, tree: Tree, scope: Scope) -> Known:
        self.left -= 1
        if self.left < 0:
            raise TooMuchError
        known = self._visit(tree, scope)
        if scope.facts is not None and len(few(known)) != 1:
            known = self._narrowed(tree, known, scope.facts)
        return known

    def _narrowed(self, tree: Tree, known: Known, facts: Facts) -> Known:
        """Return what is known of a value under what is assumed."""
        if isinstance(tree, Constant | Variable | Listed) or not (facts.known or facts.others):
            return known
        key = self.said(tree)
        if key is None:
            return known
        met = meet(known, facts.known.get(key))
        if met is False or met is True:
            return known
        left = tuple(v for v in few(met) if not any(equal(v, o) for o in facts.others.get(key, ())))
        return Few(left) if left else met

    def _visit(self, tree: Tree, scope: Scope) -> Known:
        zone = zone_read(tree, self.by_name)
        if zone is not None:
            return self.zones[zone.zone.index] if zone.whole else None
        match tree:
            case Constant():
                return exactly(tree.value)
            case Reference():
                return self._named(tree, scope)
            case Variable():
                return scope.variables.get(tree.name)
            case Applied(function="&&" | "||"):
                return self._joined(tree, scope)
            case Choice():
                return self._choice(tree, scope)
            case Walk():
                return self._walk(tree, scope)
            case Applied(own=True):
                return self._called(tree, scope)
            case Listed():
                return self._listed(tree, scope)
            case Member() | Applied():
                operands = [self._known(part, scope) for part in parts(tree)]
                exact = self._evaluated(tree.code, operands)
                return self._bounded(tree, operands) if exact is None else exact
        return None

    def _evaluated(self, code: str, operands: Sequence[Known]) -> Known:
        """Return what code gives for values of which there are few; None if it needs a state."""
        if prod(len(few(one)) for one in operands) not in range(1, MOST_COMBINED + 1):
            return None
        key = code, len(operands)
        if key not in self.codes:
            # The code that games run: what is said of constants is what they get.
            names = [Filled(f"v['{number}']") for number in range(len(operands))]
            self.codes[key] = link(code.format(*names), self._names)
        try:
            return either(
                [
                    exactly(self.codes[key](_NoState(BUDGET), _numbered(values)))
                    for values in product(*map(few, operands))
                ]
            )
        except ExpressionError:  # it has no value, or asks the state
            return None

    def _named(self, tree: Reference, scope: Scope) -> Known:
        if tree.key is not None:
            if "." in tree.name:  # a value of what was asked, which the player has chosen
                return None
            given = scope.values.get(tree.key)
            if given is None and tree.key in scope.definitions:
                return self._known(scope.definitions[tree.key], scope)
            return given
        if tree.name == "players":
            return Sized(0, inf)  # how many there can be is for a rule to say
        if tree.name not in self.values:
            known = self.compiled.env.names.get(tree.name)
            option = self.pack.options.get(tree.name.removeprefix("options."))
            if tree.name.startswith("options.") and option is not None:
                self.values[tree.name] = either(map(exactly, option.values))
            else:
                self.values[tree.name] = None if known is None else self._evaluated(known.code, ())
        return self.values[tree.name]

    # ------------------------------------------------------------ operators

    def _bounded(self, tree: Member | Applied, operands: list[Known]) -> Known:
        """Return what is known of a value whose operands are not all known exactly."""
        first = operands[0] if operands else None
        match tree:
            case Member() if isinstance(first, Few):
                return None
            case Member():
                # What is declared, whichever thing it is: which there are is a choice of the rules.
                kind = self.compiled.data["kinds"].get(tree.operand.type.name, {})
                declared = kind.get("enums", {}).get(tree.field)
                if declared is None:
                    return None
                return TRUE if tree.test else either(map(exactly, ("", *declared)))
            case Applied(function=sign) if sign in MIRRORED:
                one, other = map(self.said, tree.arguments)
                if one is not None and one == other:
                    return exactly(sign in {"==", "<=", ">="})
                return compared(sign, *operands)
            case Applied():
                return _applied(tree.function, operands)

    def _joined(self, tree: Applied, scope: Scope) -> Known:
        """Judge conditions that are joined; each may assume that those before did not decide."""
        every, known = tree.function == "&&", True
        facts = Facts(scope.facts)
        for operand in tree.arguments:
            holds = truth(self._known(operand, scope.assuming(facts)))
            if holds is not every and holds is not None:
                return exactly(holds)
            known = known and holds is not None
            self._assume(operand, every, scope.assuming(facts))
            if facts.impossible:
                return exactly(not every)
        return exactly(every) if known else None

    def _choice(self, tree: Choice, scope: Scope) -> Known:
        possible: list[Known] = []
        for test, value in tree.branches:
            holds = truth(self._known(test, scope))
            if holds is False:
                continue
            possible.append(self._known(value, scope))
            if holds:
                return either(possible)
        return either([*possible, self._known(tree.otherwise, scope)])

    def _listed(self, tree: Listed, scope: Scope) -> Known:
        items = [self._known(item, scope) for item in tree.items]
        if all(len(few(one)) == 1 for one in items):
            return exactly([value for one in items for value in few(one)])
        return Sized(len(items), len(items), either(items))

    # ------------------------------------------------------------ calls

    def _called(self, tree: Applied, scope: Scope) -> Known:
        # A body knows its arguments only. Where something is assumed of the state, it is looked at
        # as if it stood here, so that facts about its parts count.
        plain = self.inlined(tree, scope) if scope.facts is not None else None
        if plain is not None:
            return self._known(plain, scope)
        body, arguments, lets = self.called(tree)
        values = {name: self._known(argument, scope) for name, argument in arguments.items()}
        for name, value in lets.items():
            values[name] = self._known(value, Scope(values))
        return self._known(body, Scope(values))

    def _walk(self, tree: Walk, scope: Scope) -> Known:
        over = self._known(tree.over, scope)
        if tree.macro == "closure" or len(tree.variables) != 1:
            return None
        name, items, bounds = tree.variables[0], items_of(over), size(over)
        of = over.of if isinstance(over, Sized) else None
        if items is not None and len(items) > MOST_WALKED:
            # They are taken for as many of which the same is known.
            of = either(map(exactly, items)) if len(items) <= MOST_COMPARED else None
            items = None
        elif items is not None:
            bounds = Range(len(items), len(items))  # of a bag, each different one is asked once
        each = [of] if items is None else map(exactly, items)
        tests = [self._known(tree.bodies[0], scope.walking(name, one)) for one in each]
        if tree.macro in {"map", "transformList"} and len(tree.bodies) == 1:
            if items is not None and all(len(few(test)) == 1 for test in tests):
                return exactly([value for test in tests for value in few(test)])
            return Sized(bounds.least, bounds.most, either(tests) if tests else None)
        return _tested(tree.macro, [truth(test) for test in tests], items, bounds, of)

    # ------------------------------------------------------------ what follows

    def _assume(self, tree: Tree, holds: bool, scope: Scope) -> None:
        """Note in the facts of a scope what follows if a condition holds, or does not."""
        facts = scope.facts
        assert facts is not None
        self.left -= 1
        if self.left < 0:
            raise TooMuchError
        match tree:
            case Applied(function="!"):
                self._assume(tree.arguments[0], not holds, scope)
                return
            case Applied(function="&&" | "||" as sign) if (sign == "&&") is holds:
                for operand in tree.arguments:  # the contrary says nothing of each
                    self._assume(operand, holds, scope)
                return
            case Applied(function=sign) if sign in MIRRORED:
                sign = sign if holds else _OPPOSITE[sign]
                left, right = tree.arguments
                self._compare(sign, left, right, scope)
                self._compare(MIRRORED[sign], right, left, scope)
            case Applied(function="in", arguments=(value, container)) if holds:
                items = items_of(self._known(container, scope))
                key = self.said(value)
                if items and key is not None:
                    facts.add(key, either(map(exactly, items)))
            case Reference() if tree.key is not None and tree.key in scope.definitions:
                self._assume(scope.definitions[tree.key], holds, scope)
            case Applied(own=True):
                plain = self.inlined(tree, scope)
                if plain is not None:
                    self._assume(plain, holds, scope)
        key = self.said(tree)
        if key is not None:
            facts.add(key, exactly(holds))

    def _compare(self, sign: str, left: Tree, right: Tree, scope: Scope) -> None:
        """Note what a comparison that holds says of its left side."""
        facts = scope.facts
        assert facts is not None
        key = None if isinstance(left, Constant) else self.said(left)
        if key is None:
            return
        value = self._known(right, scope)
        if value is None:
            return
        if sign == "==":
            facts.add(key, value)
        if sign == "!=" and len(few(value)) == 1:
            facts.exclude(key, *few(value))
        bounds = number(value)
        if bounds is None:
            return
        # Of whole numbers, less than three is at most two.
        if sign in {"<", "<="} and bounds.most < inf:
            facts.add(key, Range(-inf, bounds.most - (sign == "<")))
        if sign in {">", ">="} and bounds.least > -inf:
            facts.add(key, Range(bounds.least + (sign == ">"), inf))


def _applied(function: str, arguments: list[Known]) -> Known:
    """Return what is known of what a sign or a function gives that every game has."""
    first = arguments[0] if arguments else None
    match function:
        case "[]":
            return first.of if isinstance(first, Sized) else None
        case "!" | "-" if len(arguments) == 1:
            only = number(first)
            return None if only is None else ranged(-only.most, -only.least)
        case "in":
            return contained(*arguments)
        case "size":
            return ranged(*size(first))
        case "+" | "-" | "*" | "/" | "%" | "min" | "max" if len(arguments) == 2:
            return calculated(function, *arguments)
        case "count":
            return exactly(0) if size(first).most == 0 else COUNT
        case "list" | "kinds" if isinstance(first, Sized):
            least = first.least if function == "list" else min(first.least, 1)
            return Sized(least, first.most, first.of)
        case "sum" if isinstance(first, Sized):
            return summed(first)
        case "lists.range":
            bounds = number(first)
            if bounds is not None:
                most = max(bounds.most, 0)
                return Sized(max(bounds.least, 0), most, Range(0, max(most - 1, 0)))
    return None


def _tested(
    macro: str, sure: list[bool | None], items: list[object] | None, bounds: Range, of: Known
) -> Known:
    """Return what a macro gives; ``sure`` tells for which items, or for any, its test holds."""
    always = all(one is True for one in sure)
    never = all(one is False for one in sure)
    if items is not None:
        held = Range(sure.count(True), len(sure) - sure.count(False))
    else:
        held = Range(bounds.least if always else 0, 0 if never else bounds.most)
    match macro:
        case "exists" if held.most == 0:
            return FALSE
        case "exists" if held.least > 0:
            return TRUE
        case "all" if always or bounds.most == 0:
            return TRUE
        case "all" if held.most < bounds.least:
            return FALSE
        case "exists_one" | "existsOne" if held.least == held.most:
            return exactly(held.least == 1)
        case "filter" if items is not None and None not in sure:
            return exactly([item for item, holds in zip(items, sure, strict=True) if holds])
        case "filter":
            return Sized(*held, of)
        case "map" | "transformList":
            return Sized(*held)
    return None

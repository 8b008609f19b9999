"""The interpreter of expressions on what is known: of a value, its bounds, or nothing.

The typed trees of expressions are looked at: numbers, rulings and things are constants, zones hold
what their declarations and all effects allow, and functions of the rules are looked into. What is
assumed of a state narrows it further.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import Any

from altay_cli.base.budget import Budget
from altay_cli.base.errors import ExpressionError
from altay_cli.base.values import Entity
from altay_cli.compile.analysis import zone_read
from altay_cli.compile.building import Compiled
from altay_cli.compile.vocabulary import OF_STATE
from altay_cli.expressions.linker import GLOBALS as RUNTIME
from altay_cli.expressions.typed import (
    Applied,
    Choice,
    Constant,
    Indexed,
    Junction,
    Listed,
    Member,
    Operation,
    Reference,
    Tree,
    Variable,
    Walk,
    same,
)
from altay_cli.lint.assumptions import (
    MIRRORED,
    Assuming,
    Facts,
    Scope,
    TooMuchError,
)
from altay_cli.lint.known import (
    COUNT,
    FALSE,
    TRUE,
    Exactly,
    Known,
    Range,
    Sized,
    among,
    calculated,
    compared,
    contained,
    either,
    equal,
    extreme,
    field_of,
    items_of,
    meet,
    number,
    ranged,
    size,
    summed,
)
from altay_cli.pack.functions import GLOBALS

BUDGET = 100_000
STEPS = 20_000
"""The maximum number of parts of an expression that are examined, called functions included."""
MOST_COMPARED = 1_000
"""How many elements of a list are looked at to find out what they have in common."""
MOST_WALKED = 200
"""In longer lists, elements are not told apart."""


class Interpreter(Assuming):
    """Works out what is known of the values of expressions of compiled and linked rules."""

    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled)
        self.pack = compiled.pack
        self.zones: list[Known] = [None] * len(self.pack.zones)
        """What each zone can hold in one place, by index."""
        self.by_name = {zone.name: zone for zone in self.pack.zones}
        self.values: dict[str, Known] = {}
        self.codes: dict[str, Any] = {}
        self._namespace: dict[str, object] = {**RUNTIME, **GLOBALS, **self.pack.constants}

    def known(self, tree: Tree, scope: Scope | None = None) -> Known:
        """Return what is known of the value of an expression."""
        self.left = STEPS
        try:
            return self._known(tree, scope or Scope())
        except (TooMuchError, RecursionError, ExpressionError):
            return None

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
        zone = zone_read(tree, self.by_name)
        if zone is not None:
            return self.zones[zone.zone.index] if zone.whole else None
        match tree:
            case Constant():
                return Exactly(tree.value)
            case Reference():
                return self._named(tree, scope)
            case Variable():
                return scope.variables.get(tree.name)
            case Member():
                return self._member(tree, scope)
            case Indexed():
                return self._item(tree, scope)
            case Operation():
                return self._operation(tree, scope)
            case Junction():
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

    def _named(self, tree: Reference, scope: Scope) -> Known:
        if tree.key is not None:
            if "." in tree.name:  # a value of what was asked
                return None
            found = scope.values.get(tree.key)
            if found is None and tree.key in scope.definitions:
                return self._known(scope.definitions[tree.key], scope)
            return found
        if tree.name == "players":
            return Sized(0, inf)  # how many there can be is for a rule to say
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
        operand = self._known(tree.operand, scope)
        few = among(operand)
        if few and all(isinstance(value, Entity) for value in few):
            found = either(
                Exactly(value.id) if tree.field == "id" else field_of(value, tree.field)
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

    def _item(self, tree: Indexed, scope: Scope) -> Known:
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
            return None if only is None else ranged(-only.most, -only.least)
        left, right = found
        if tree.sign == "in":
            return contained(left, right)
        if tree.sign in MIRRORED:
            if same(*tree.operands):
                return Exactly(tree.sign in {"==", "<=", ">="})
            return compared(tree.sign, left, right)
        return calculated(tree.sign, left, right)

    def _joined(self, tree: Junction, scope: Scope) -> Known:
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
                    return extreme(tree.function == "min", *sure)
            case "count":
                if size(first).most == 0:
                    return Exactly(0)
                if not all(isinstance(one, Exactly) for one in found):
                    return COUNT
            case "list" | "kinds" if isinstance(first, Sized):
                least = first.least if tree.function == "list" else min(first.least, 1)
                return Sized(least, first.most, first.of)
            case "sum" if isinstance(first, Sized):
                return summed(first)
            case "lists.range" if not isinstance(first, Exactly):
                bounds = number(first)
                if bounds is not None:
                    most = max(bounds.most, 0)
                    return Sized(max(bounds.least, 0), most, Range(0, max(most - 1, 0)))
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
        if tree.macro == "closure":
            return self._closure(tree, over, scope)
        if len(tree.variables) != 1:
            return None
        name = tree.variables[0]
        items = items_of(over)
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
            return Sized(bounds.least, bounds.most, either(tests) if tests else None)
        always = all(one is True for one in sure)
        never = all(one is False for one in sure)
        match tree.macro:
            case "exists" | "exists_one" | "existsOne" if never or bounds.most == 0:
                return FALSE
            case "exists" if (whole and True in sure) or (always and bounds.least > 0):
                return TRUE
            case "all" if always or bounds.most == 0:
                return TRUE
            case "all" if (whole and False in sure) or (never and bounds.least > 0):
                return FALSE
            case "exists_one" | "existsOne" if whole and None not in sure:
                return Exactly(sure.count(True) == 1)
            case "filter":
                if whole and None not in sure:
                    assert items is not None
                    return Exactly([i for i, one in zip(items, sure, strict=True) if one])
                if whole:
                    return Sized(sure.count(True), len(sure) - sure.count(False))
                least = bounds.least if always else 0
                return Sized(least, 0 if never else bounds.most, of)
            case "map" | "transformList":
                least = bounds.least if always and not whole else sure.count(True)
                most = len(sure) - sure.count(False) if whole else 0 if never else bounds.most
                return Sized(least if whole or always else 0, most)
        return None

    def _closure(self, tree: Walk, over: Known, scope: Scope) -> Known:
        items = items_of(over)
        if items is None:
            return None
        known = list(dict.fromkeys(items))
        while True:
            found = self._known(tree.bodies[0], scope.walking(tree.variables[0], Exactly(known)))
            more = items_of(found)
            if more is None:
                return None
            new = [item for item in dict.fromkeys(more) if item not in known]
            if not new:
                return Exactly(known)
            known = [*known, *new]
            if len(known) > MOST_WALKED:
                return None

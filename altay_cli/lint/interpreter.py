"""Abstract interpretation of expressions: exact values, bounds, or nothing known.

Numbers, rulings and entities are constants. Zones begin empty (0, false); all effects that can run
are followed until they add nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import inf, prod
from typing import NoReturn

from altay_cli.base.budget import Budget
from altay_cli.base.findings import EvaluationError, ExpressionError
from altay_cli.compile.context import Context
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions import typed as t
from altay_cli.expressions.linking import Compiled, link
from altay_cli.expressions.printing import Filled
from altay_cli.lint import known as k
from altay_cli.lint import limits
from altay_cli.pack import model as m
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.layout import Layout
from altay_cli.source.document import DataPath
from altay_cli.source.folder import Tree

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

_ANY_SIZE = k.Sized(0, inf)

_MOST_MEANINGS = 50_000


def is_brought(tree: Tree, path: DataPath) -> bool:
    """Return True if a variant brings a part; without variants, if it exists."""
    layers = {layer.root.text for layer in tree.layers}
    return not layers or tree.placed(path).text in layers


class _NoState(Budget):
    def __getattr__(self, name: str) -> NoReturn:
        raise EvaluationError("evaluation", f"no state has {name}")


class Interpreter:
    """Evaluates expressions of linked rules abstractly."""

    def __init__(self, c: Context) -> None:
        self.c = c
        self.pack = c.pack
        self.zones: list[k.Known] = [None] * len(self.pack.zones)
        """By zone index: possible contents of one place."""
        self.codes: dict[str, Compiled] = {}
        self._names: dict[str, object] = {**GLOBALS, **self.pack.constants}
        self.budget = Budget()
        """One part of an expression is a step."""
        # The tree is kept so its id stays unique.
        self._meanings: dict[int, tuple[t.Tree, object]] = {}

    def known(self, tree: t.Tree, scope: k.Scope | None = None) -> k.Known:
        """Return the abstract value of an expression."""
        self.budget.grant(limits.QUESTION_STEPS)
        try:
            return self._known(tree, scope or k.Scope())
        except (RecursionError, ExpressionError):
            return None

    # ------------------------------------------------------------ questions

    def of(
        self, expr: m.Expr, scope: k.Scope | None = None, *, switches: bool = False
    ) -> bool | None:
        """Return True or False if a condition always or never holds; None if it depends.

        Conditions on rulings depend, as a variant can change these, unless ``switches``.
        """
        if (expr.reads or expr.locals) and not switches and self.mentions(expr, "rulings."):
            return None
        return k.truth(self.known(self.tree(expr.key), scope))

    def value(self, expr: m.Expr, values: k.Values = m.NOTHING) -> k.Known:
        """Return the abstract value of an expression with local values."""
        return self.known(self.tree(expr.key), k.Scope(values))

    def facts(self, expr: m.Expr, scope: k.Scope) -> k.Facts:
        """Return what follows from a condition."""
        facts = k.Facts(scope.facts)
        self.budget.grant(limits.QUESTION_STEPS)
        with suppress(RecursionError, ExpressionError):
            self._assume(self.tree(expr.key), True, scope._replace(facts=facts))
        facts.impossible |= self.of(expr, scope) is False
        return facts

    def empty(self, zone: m.Zone) -> k.Known:
        """Return a zone's initial contents."""
        return k.exactly(self.pack.cached(Layout).first[zone.first])

    def mentions(self, expr: m.Expr, *beginnings: str) -> bool:
        """Return True if an expression uses names that begin so."""
        parts = self.c.with_called([expr.key])
        return any(name.startswith(beginnings) for part in parts for name in part.names)

    def reasons(self, expr: m.Expr, scope: k.Scope | None = None) -> tuple[str, ...]:
        """Return the possible numbers that make a condition constant."""
        sentences: dict[str, None] = {}
        waiting = [(self.tree(expr.key), scope or k.Scope())]
        while waiting:
            tree, scope = waiting.pop(0)
            match tree:
                case t.Applied() if tree.function in MIRRORED:
                    reasons = (
                        k.in_words(expr.source[slice(*side.place)], self.known(side, scope))
                        for side in tree.arguments
                        if not isinstance(side, t.Constant)
                    )
                    sentences |= dict.fromkeys(filter(None, reasons))
                case t.Applied(function="!"):
                    waiting += [(argument, scope) for argument in tree.arguments]
                case t.Applied(function="&&" | "||"):
                    result = self.known(tree, scope)
                    deciding = [
                        argument
                        for argument in tree.arguments
                        if self.known(argument, scope) == result
                    ]
                    waiting += [(argument, scope) for argument in deciding or tree.arguments]
                case t.Walk() if len(tree.variables) == 1:
                    over = self.known(tree.over, scope)
                    of = over.of if isinstance(over, k.Sized) else None
                    waiting += [
                        (body, scope.walking(tree.variables[0], of)) for body in tree.bodies
                    ]
        return tuple(sentences)[:3]

    def meaning(self, tree: t.Tree) -> object:
        """Return the meaning of a tree; None if it is too large."""
        if id(tree) not in self._meanings:
            if len(self._meanings) >= _MOST_MEANINGS:
                self._meanings.clear()
            self._meanings[id(tree)] = tree, t.meaning(tree) if k.is_small(tree) else None
        return self._meanings[id(tree)][1]

    def path(self, expr: m.Expr) -> DataPath:
        """Return the path of an expression in the rules."""
        return self.c.paths[expr.key]

    def brought_path(self, expr: m.Expr) -> DataPath:
        """Return the path of what a variant brings: a number in an expression, or all; else ()."""
        numbers = (name.split(".") for name in sorted(expr.names) if name.startswith("numbers."))
        places: list[DataPath] = [("numbers", name[1], "value") for name in numbers]
        paths = (*places, self.path(expr))
        return next((path for path in paths if is_brought(self.c.tree, path)), ())

    def tree(self, key: str) -> t.Tree:
        """Return an expression's typed tree."""
        return self.c.checked[key].tree

    def called(self, call: t.Applied) -> tuple[t.Tree, dict[str, t.Tree], dict[str, t.Tree]]:
        """Return the function of a call, its arguments, and its `let` values."""
        function = self.c.data["functions"][call.function]
        body, *lets = map(self.tree, function_keys(call.function, function))
        arguments = dict(zip(function.get("takes", {}), call.arguments, strict=True))
        return body, arguments, dict(zip(function.get("let", {}), lets, strict=True))

    def inlined(self, call: t.Applied, scope: k.Scope) -> t.Tree | None:
        """Return a call replaced by its body, if small."""
        if scope.variables or not k.is_small(call):  # a body could capture a variable
            return None
        body, arguments, lets = self.called(call)
        return None if lets else k.substituted(body, arguments)

    def _known(self, tree: t.Tree, scope: k.Scope) -> k.Known:
        self.budget.charge(1)
        known, facts = self._visit(tree, scope), scope.facts
        if facts is None or not (facts.known or facts.others) or len(k.few(known)) == 1:
            return known
        if isinstance(tree, t.Constant | t.Variable | t.Listed):
            return known
        met = facts.narrowed(self.meaning(tree), known)
        return known if isinstance(met, bool) else met

    def _visit(self, tree: t.Tree, scope: k.Scope) -> k.Known:
        if (read := self.c.zone_read(tree)) is not None:
            return self.zones[read.zone.index]
        match tree:
            case t.Constant():
                return k.exactly(tree.value)
            case t.Reference():
                return self._named(tree, scope)
            case t.Variable():
                return scope.variables.get(tree.name)
            case t.Applied(function="&&" | "||"):
                return self._joined_condition(tree, scope)
            case t.Conditional():
                return self._choice(tree, scope)
            case t.Walk():
                return self._walk(tree, scope)
            case t.Applied(from_rules=True):
                return self._called(tree, scope)
            case t.Listed():
                items = [self._known(item, scope) for item in tree.items]
                if all(len(k.few(item)) == 1 for item in items):
                    return k.exactly([value for item in items for value in k.few(item)])
                return k.Sized(len(items), len(items), k.either(items))
            case t.Member() | t.Applied():
                operands = [self._known(part, scope) for part in t.parts(tree)]
                exact = self._computed_values(tree.code, operands)
                return self._bounded_value(tree, operands) if exact is None else exact
        return None

    def _computed_values(self, code: str, operands: Sequence[k.Known]) -> k.Known:
        if prod(len(k.few(operand)) for operand in operands) not in range(
            1, limits.MOST_AMONG**2 + 1
        ):
            return None
        places = [f"o{number}" for number in range(len(operands))]
        if code not in self.codes:
            # Run the code of real games, so constants have the same values.
            named = code.format(*(Filled(f"v['{place}']") for place in places))
            self.codes[code] = link(named, self._names)
        function = self.codes[code]
        courses = (
            dict(zip(places, values, strict=True)) for values in product(*map(k.few, operands))
        )
        try:
            steps = limits.QUESTION_STEPS
            return k.either([k.exactly(function(_NoState(steps), v)) for v in courses])
        except ExpressionError:  # no value, or it reads the state
            return None

    def _named(self, tree: t.Reference, scope: k.Scope) -> k.Known:
        if tree.key is not None:
            if "." in tree.name:  # a value of a decision, chosen by the player
                return None
            given = scope.values.get(tree.key)
            if given is None and tree.key in scope.definitions:
                return self._known(scope.definitions[tree.key], scope)
            return given
        if tree.name == "players":
            return _ANY_SIZE  # the maximum is up to a rule
        option = self.pack.options.get(tree.name.removeprefix("options."))
        if tree.name.startswith("options.") and option is not None:
            return k.either(map(k.exactly, option.values))
        known = self.c.env.names.get(tree.name)
        return None if known is None else self._computed_values(known.code, ())

    # ------------------------------------------------------------ operators

    def _bounded_value(self, tree: t.Member | t.Applied, operands: list[k.Known]) -> k.Known:
        match tree:
            case t.Member() if not isinstance(operands[0], k.Few):
                # The rules choose the entities, so use the declared type for any.
                kind = self.c.data["kinds"].get(tree.operand.type.name, {})
                if (declared := kind.get("enums", {}).get(tree.field)) is not None:
                    return k.TRUE if tree.test else k.either(map(k.exactly, ("", *declared)))
            case t.Applied(function=sign) if sign in MIRRORED:
                left, right = map(self.meaning, tree.arguments)
                if left is not None and left == right:
                    return k.exactly(sign in {"==", "<=", ">="})
                return k.compared(sign, *operands)
            case t.Applied():
                return _builtin_value(tree.function, operands)
        return None

    def _joined_condition(self, tree: t.Applied, scope: k.Scope) -> k.Known:
        every, known = tree.function == "&&", True
        facts = k.Facts(scope.facts)
        scope = scope._replace(facts=facts)
        for operand in tree.arguments:
            holds = k.truth(self._known(operand, scope))
            if holds is not every and holds is not None:
                return k.exactly(holds)
            known = known and holds is not None
            self._assume(operand, every, scope)
            if facts.impossible:
                return k.exactly(not every)
        return k.exactly(every) if known else None

    def _choice(self, tree: t.Conditional, scope: k.Scope) -> k.Known:
        possible: list[k.Known] = []
        for test, value in (*tree.branches, (None, tree.otherwise)):
            holds = True if test is None else k.truth(self._known(test, scope))
            if holds is not False:
                possible.append(self._known(value, scope))
            if holds:
                break
        return k.either(possible)

    def _called(self, tree: t.Applied, scope: k.Scope) -> k.Known:
        # An inlined body lets facts about its parts count.
        plain = self.inlined(tree, scope) if scope.facts is not None else None
        if plain is not None:
            return self._known(plain, scope)
        body, arguments, lets = self.called(tree)
        values = {name: self._known(argument, scope) for name, argument in arguments.items()}
        for name, value in lets.items():
            values[name] = self._known(value, k.Scope(values))
        return self._known(body, k.Scope(values))

    def _walk(self, tree: t.Walk, scope: k.Scope) -> k.Known:
        over = self._known(tree.over, scope)
        if tree.macro == "closure" or len(tree.variables) != 1:
            return None
        name, items, bounds = tree.variables[0], k.items_of(over), k.size(over)
        of = over.of if isinstance(over, k.Sized) else None
        if items is not None and len(items) > limits.MOST_APART:
            # Treat them as that many items with the same abstract value.
            self.budget.charge(len(items))
            of, items = k.either(map(k.exactly, items)), None
        elif items is not None:
            bounds = k.Range(len(items), len(items))  # a bag is tested once per different item
        each = [of] if items is None else map(k.exactly, items)
        tests = [self._known(tree.bodies[0], scope.walking(name, item)) for item in each]
        if tree.macro in {"map", "transformList"} and len(tree.bodies) == 1:
            if items is not None and all(len(k.few(test)) == 1 for test in tests):
                return k.exactly([value for test in tests for value in k.few(test)])
            return k.Sized(*bounds, k.either(tests))
        return _macro_value(tree.macro, [k.truth(test) for test in tests], items, bounds, of)

    # ------------------------------------------------------------ what follows

    def _assume(self, tree: t.Tree, holds: bool, scope: k.Scope) -> None:
        facts = scope.facts
        assert facts is not None
        self.budget.charge(1)
        match tree:
            case t.Applied(function="!"):
                self._assume(tree.arguments[0], not holds, scope)
                return
            case t.Applied(function="&&" | "||" as sign) if (sign == "&&") is holds:
                for operand in tree.arguments:  # the negation gives nothing for single operands
                    self._assume(operand, holds, scope)
                return
            case t.Applied(function=sign) if sign in MIRRORED:
                sign = sign if holds else _OPPOSITE[sign]
                left, right = tree.arguments
                self._compare(sign, left, right, scope)
                self._compare(MIRRORED[sign], right, left, scope)
            case t.Applied(function="in", arguments=(value, container)) if holds:
                items = k.items_of(self._known(container, scope))
                key = self.meaning(value)
                if items and key is not None:
                    facts.add(key, k.either(map(k.exactly, items)))
            case t.Reference() if tree.key is not None and tree.key in scope.definitions:
                self._assume(scope.definitions[tree.key], holds, scope)
            case t.Applied(from_rules=True):
                if (plain := self.inlined(tree, scope)) is not None:
                    self._assume(plain, holds, scope)
        key = self.meaning(tree)
        if key is not None:
            facts.add(key, k.exactly(holds))

    def _compare(self, sign: str, left: t.Tree, right: t.Tree, scope: k.Scope) -> None:
        facts = scope.facts
        assert facts is not None
        key = None if isinstance(left, t.Constant) else self.meaning(left)
        if key is None:
            return
        value = self._known(right, scope)
        match sign, k.number(value):
            case "==", _:
                facts.add(key, value)
            case "!=", _ if len(k.few(value)) == 1:
                facts.exclude(key, *k.few(value))
            case "<" | "<=", k.Range(_, most) if most < inf:
                facts.add(key, k.Range(-inf, most - (sign == "<")))
            case ">" | ">=", k.Range(least, _) if least > -inf:
                facts.add(key, k.Range(least + (sign == ">"), inf))


def _builtin_value(function: str, arguments: list[k.Known]) -> k.Known:
    first = arguments[0] if arguments else None
    match function:
        case "[]":
            return first.of if isinstance(first, k.Sized) else None
        case "!" | "-" if len(arguments) == 1:
            only = k.number(first)
            return None if only is None else k.ranged(-only.most, -only.least)
        case "in":
            return k.contained(*arguments)
        case "size":
            return k.ranged(*k.size(first))
        case "+" | "-" | "*" | "/" | "%" | "min" | "max" if len(arguments) == 2:
            return k.calculated(function, *arguments)
        case "count":
            return k.exactly(0) if k.size(first).most == 0 else k.COUNT
        case "list" | "kinds" if isinstance(first, k.Sized):
            least = first.least if function == "list" else min(first.least, 1)
            return k.Sized(least, first.most, first.of)
        case "sum" if isinstance(first, k.Sized):
            of = k.number(first.of)
            if first.most == 0:
                return k.exactly(0)
            if of is not None and of.least >= 0:
                return k.ranged(of.least * first.least, of.most * first.most if of.most else 0)
        case "lists.range":
            if (bounds := k.number(first)) is not None:
                most = max(bounds.most, 0)
                return k.Sized(max(bounds.least, 0), most, k.Range(0, max(most - 1, 0)))
    return None


def _macro_value(
    macro: str, sure: list[bool | None], items: list[object] | None, bounds: k.Range, of: k.Known
) -> k.Known:
    """Return the value of a macro; ``sure`` gives its test per item, or for any."""
    always = all(certainty is True for certainty in sure)
    if items is not None:
        held = k.Range(sure.count(True), len(sure) - sure.count(False))
    else:
        held = k.Range(bounds.least if always else 0, 0 if sure == [False] else bounds.most)
    match macro:
        case "exists" if held.most == 0:
            return k.FALSE
        case "exists" if held.least > 0:
            return k.TRUE
        case "all" if always or bounds.most == 0:
            return k.TRUE
        case "all" if held.most < bounds.least:
            return k.FALSE
        case "exists_one" | "existsOne" if held.least == held.most:
            return k.exactly(held.least == 1)
        case "filter" if items is not None and None not in sure:
            return k.exactly([item for item, holds in zip(items, sure, strict=True) if holds])
        case "filter":
            return k.Sized(*held, of)
        case "map" | "transformList":
            return k.Sized(*held)
    return None


# ---------------------------------------------------------------- what zones can hold


class Reach:
    """Follows the effects of a pack and notes in ``truth`` what zones can hold.

    With ``legal``, only what the rules allow counts, beginning with a setup.
    """

    def __init__(self, truth: Interpreter, *, legal: bool) -> None:
        self.truth = truth
        self.pack = truth.pack
        self.legal = legal
        self.asked: set[str] = set()
        self.procedures: set[tuple[str, str]] = set()
        self.runs = False
        self.round = 0

    def follow(self, until: Callable[[], bool] = lambda: False) -> None:
        """Compute what the zones can hold."""
        self.truth.zones = [*map(self.truth.empty, self.pack.zones)]
        for self.round in range(limits.MOST_ROUNDS):
            before = [*self.truth.zones], {*self.asked}, self.runs
            self.procedures = set()
            for effects in self._possible_effects():
                self._run(effects, {})
            if before == (self.truth.zones, self.asked, self.runs) or until():
                return
        self.truth.zones = [None] * len(self.pack.zones)

    def _possible_effects(self) -> Iterator[m.Effects]:
        pack = self.pack
        if not self.legal:
            yield from pack.routines
            return
        yield from (move.does for move in pack.moves if self._is_possible(move))
        triggers = (*pack.triggers, *pack.watches)
        yield from (
            trigger.does for trigger in triggers if self._judge(trigger.when, {}) is not False
        )
        yield from (stage.does for stage in (*pack.prepare, *pack.complete))
        if self.runs:  # effects in fields of any entity
            of_moves = {id(move.does) for move in pack.moves}
            yield from (effects for effects in pack.routines if id(effects) not in of_moves)

    def _is_possible(self, move: m.MoveDef) -> bool:
        if move.fallback or not {"setup", "turns"} & set(move.phases):
            return False
        if move.answers is not None and move.answers not in self.asked:
            return False
        conditions = filter(None, [move.when, *(requirement.that for requirement in move.requires)])
        return all(self._judge(condition, {}) is not False for condition in conditions)

    def _judge(self, expr: m.Expr, values: k.Values) -> bool | None:
        return k.truth(self.truth.value(expr, values))

    def _run(self, effects: Iterable[m.Effect], values: k.Values) -> None:
        for effect in effects:
            match effect:
                case m.IfEffect(condition, then, otherwise):
                    holds = self._judge(condition, values)
                    if holds is not False:
                        self._run(then, values)
                    if holds is not True:
                        self._run(otherwise, values)
                case m.EachEffect():
                    # The new value is unknown: facts on its name no longer apply.
                    self._run(effect.does, {k: v for k, v in values.items() if k != effect.name})
                case m.WhileEffect():
                    if self._judge(effect.condition, values) is not False:
                        self._run(effect.does, values)
                case m.LetEffect():
                    inner = dict(values)
                    for name, expr in effect.values:
                        inner[name] = self.truth.value(expr, inner)
                    self._run(effect.does, inner)
                case m.DoEffect():
                    self._do(effect, values)
                case m.AskEffect():
                    self.asked.add(effect.decision)
                case m.RunEffect():
                    self.runs = True
                case m.SetEffect():
                    self._set(effect, values)
                case _:
                    for index in targets(effect):
                        self._widen_zone(index, _ANY_SIZE)

    def _do(self, effect: m.DoEffect, values: k.Values) -> None:
        arguments = {name: self.truth.value(expr, values) for name, expr in effect.arguments}
        key = (effect.procedure, repr(sorted(arguments.items())))
        if key not in self.procedures:
            self.procedures.add(key)
            self._run(self.pack.procedures[effect.procedure].does, arguments)

    def _set(self, effect: m.SetEffect, values: k.Values) -> None:
        index = effect.place.zone
        zone = self.pack.zones[index]
        value = self.truth.value(effect.value, values)
        if effect.add:
            step, now = (k.number(bound) or k.ANY for bound in (value, self.truth.zones[index]))
            least = now.least if step.least >= 0 else -inf
            value = k.ranged(least, now.most if step.most <= 0 else inf)
        if zone.shape == "int":
            value = _within_bounds(value, zone)
        self._widen_zone(index, value)

    def _widen_zone(self, index: int, value: k.Known) -> None:
        zone = self.pack.zones[index]
        before = self.truth.zones[index]
        after = k.either([before, value])
        if after == before:
            return
        # A number that grows by one would take a round per step: give up early.
        if self.round >= limits.ROUNDS and value != _ANY_SIZE:
            after = _within_bounds(None, zone) if zone.shape == "int" else None
        self.truth.zones[index] = after


def _within_bounds(value: k.Known, zone: m.Zone) -> k.Known:
    least, most = k.number(value) or k.ANY
    low = -inf if zone.least is None else zone.least
    high = inf if zone.most is None else zone.most
    return k.ranged(min(max(least, low), high), max(min(most, high), low))


def targets(effect: m.Effect) -> Iterable[int]:
    """Return zones that an effect itself can set or fill."""
    match effect:
        case m.CallEffect():
            return effect.fills
        case m.DrawEffect():
            return effect.source.zone, effect.target.zone
        case _:
            return m.changes(effect)

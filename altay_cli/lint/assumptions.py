"""What is assumed of a state, as conditions that hold or do not, and what follows of values.

What is assumed is kept by what parts of expressions say, wherever they stand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import inf
from types import MappingProxyType
from typing import Any, NamedTuple

from altay_cli.compile.building import Compiled
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions.typed import (
    Applied,
    Constant,
    Junction,
    Operation,
    Reference,
    Tree,
    everything,
    said,
)
from altay_cli.expressions.types import Type
from altay_cli.lint.known import Known, Range, either, equal, exactly, few, items_of, meet, number

MOST_PARTS = 200
"""Larger trees are not substituted for parameters."""
MOST_SAYINGS = 50_000
Values = Mapping[str, Known]
"""What is known of local values, by the keys under which they are passed."""
NOBODY: Values = {}

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class TooMuchError(Exception):
    """An expression is too large to be examined."""


class Facts:
    """What is assumed of a state: of parts of expressions, by what they say.

    ``impossible`` tells that no state fits.
    """

    def __init__(self, before: Facts | None = None) -> None:
        self.known: dict[object, Known] = dict(before.known) if before else {}
        self.others: dict[object, tuple[object, ...]] = dict(before.others) if before else {}
        self.impossible: bool = before.impossible if before else False

    def add(self, key: object, known: Known) -> None:
        """Note what is known of an expression."""
        met = meet(self.known.get(key), known)
        if met is False:
            self.impossible = True
        else:
            self.known[key] = met  # type: ignore[assignment]

    def exclude(self, key: object, value: object) -> None:
        """Note that an expression has not a certain value."""
        self.others[key] = (*self.others.get(key, ()), value)
        known = few(self.known.get(key))
        self.impossible |= len(known) == 1 and equal(known[0], value)


class Scope(NamedTuple):
    """Where an expression stands: local values, variables of macros, and what is assumed."""

    values: Values = NOBODY
    facts: Facts | None = None
    definitions: Mapping[str, Tree] = MappingProxyType({})
    variables: Mapping[str, Known] = NOBODY

    def walking(self, name: str, known: Known) -> Scope:
        """Return the same with a variable of a macro.

        What is assumed of an outer variable of the same name is forgotten.
        """
        facts = None if name in self.variables else self.facts
        return self._replace(facts=facts, variables={**self.variables, name: known})

    def assuming(self, facts: Facts) -> Scope:
        """Return the same with other facts."""
        return self._replace(facts=facts)


class Assuming(ABC):
    """Finds out what follows if conditions hold; what their parts can be is for others to say."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.left = 0
        """How many parts of an expression may still be examined."""
        self._said: dict[int, tuple[Tree, object]] = {}
        """What trees say, by their identity; with the tree, so that no other one has it."""

    @abstractmethod
    def _known(self, tree: Tree, scope: Scope) -> Known:
        """Return what is known of the value of an expression."""

    def said(self, tree: Tree) -> object:
        """Return what a tree says, worked out once; None if it is too large to be told apart."""
        found = self._said.get(id(tree))
        if found is None:
            found = tree, said(tree) if is_small(tree) else None
            if len(self._said) < MOST_SAYINGS:
                self._said[id(tree)] = found
        return found[1]

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
            case Junction() if tree.every is holds:
                for operand in tree.operands:
                    self._assume(operand, holds, scope)
                return
            case Operation() if tree.sign in MIRRORED:
                sign = tree.sign if holds else _OPPOSITE[tree.sign]
                left, right = tree.operands
                self._compare(sign, left, right, scope)
                self._compare(MIRRORED[sign], right, left, scope)
            case Operation() if tree.sign == "in" and holds:
                items = items_of(self._known(tree.operands[1], scope))
                key = self.said(tree.operands[0])
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
            excluded = facts.others.get(key, ())
            facts.impossible |= len(few(value)) == 1 and any(
                equal(few(value)[0], one) for one in excluded
            )
        if sign == "!=" and len(few(value)) == 1:
            facts.exclude(key, *few(value))
        bounds = number(value)
        if bounds is None:
            return
        if sign in {"<", "<="} and bounds.most < inf:
            facts.add(key, Range(-inf, bounds.most - (sign == "<")))
        if sign in {">", ">="} and bounds.least > -inf:
            facts.add(key, Range(bounds.least + (sign == ">"), inf))


def is_small(tree: Tree) -> bool:
    """Return whether a tree has so few parts that it may be put into others, or told apart."""
    return all(number < MOST_PARTS for number, _ in enumerate(everything(tree)))


def substituted(tree: Tree, arguments: Mapping[str, Tree]) -> Tree:
    """Return the body of a function with its arguments in the place of its parameters."""

    def walk(part: Any) -> Any:
        if isinstance(part, Reference) and part.key is not None and part.key in arguments:
            return arguments[part.key]
        if isinstance(part, Type | Constant) or not isinstance(part, tuple):
            return part
        inside = map(walk, part)
        return type(part)(*inside) if hasattr(part, "_fields") else tuple(inside)

    found: Tree = walk(tree)
    return found

"""What is assumed of a state, and of values: the facts under which an expression is looked at.

What is assumed is kept by what parts of expressions say, wherever they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from altay_cli.expressions.typed import Constant, Reference, Tree, everything
from altay_cli.expressions.types import Type
from altay_cli.lint.known import Known, equal, few, meet

MOST_PARTS = 200
"""Larger trees are not substituted for parameters."""
Values = Mapping[str, Known]
"""What is known of local values, by the keys under which they are passed."""
NOBODY: Values = {}


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
        if isinstance(met, bool):
            self.impossible = True
        else:
            self.known[key] = met
            self._exclude(key)

    def exclude(self, key: object, value: object) -> None:
        """Note that an expression has not a certain value."""
        self.others[key] = (*self.others.get(key, ()), value)
        self._exclude(key)

    def _exclude(self, key: object) -> None:
        values = few(self.known.get(key))
        left = [v for v in values if not any(equal(v, o) for o in self.others.get(key, ()))]
        self.impossible |= bool(values) and not left


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

    body: Tree = walk(tree)
    return body

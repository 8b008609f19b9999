"""What is known of a value before anybody plays: exactly which, within bounds, or nothing.

It may be known under facts that are assumed of a state. They are kept by what parts of expressions
say, wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf, isinf, isnan
from operator import add, sub
from typing import Any, NamedTuple

from altay_cli.base.findings import Text
from altay_cli.base.values import Bag
from altay_cli.expressions.typed import Constant, Reference, Tree, everything
from altay_cli.expressions.types import INT_MAX, Type
from altay_cli.lint import limits
from altay_cli.pack.terms import NOTHING


class Few(NamedTuple):
    """It is one of these values: of a single one, it is known exactly."""

    values: tuple[object, ...]


class Range(NamedTuple):
    """It is a whole number within bounds, which are infinite where there is no such bound."""

    least: float
    most: float


class Sized(NamedTuple):
    """It is a list, a bag or a pile of so many things; ``of`` is what is known of each."""

    least: float
    most: float
    of: Known = None


Known = Few | Range | Sized | None

TRUE = Few((True,))
FALSE = Few((False,))
ANY = Range(-inf, inf)
COUNT = Range(0, inf)


def exactly(value: object) -> Few:
    """Return what is known of a value that is known."""
    return Few((value,))


def few(known: Known) -> tuple[object, ...]:
    """Return the few values that it can be; none if they are not known."""
    return known.values if isinstance(known, Few) else ()


def truth(known: Known) -> bool | None:
    """Return whether it is true or false, if that is certain."""
    match known:
        case Few((bool() as value,)):
            return value
    return None


def number(known: Known) -> Range | None:
    """Return the bounds of what may be a number; None if it may be something else."""
    if isinstance(known, Few):
        numbers = [value for value in known.values if type(value) is int]
        return Range(min(numbers), max(numbers)) if len(numbers) == len(known.values) else None
    return known if isinstance(known, Range) else None


def size(known: Known) -> Range:
    """Return how many things a list, bag or pile may hold."""
    if isinstance(known, Sized):
        return Range(known.least, known.most)
    sizes = [
        one.size() if isinstance(one, Bag) else len(one)
        for one in few(known)
        if isinstance(one, list | tuple | str | dict | Bag)
    ]
    return Range(min(sizes), max(sizes)) if 0 < len(sizes) == len(few(known)) else COUNT


def ranged(least: float, most: float) -> Known:
    """Return a number within bounds; what is beyond 64 bits fails and is not a bound."""
    if least == most:
        return None if abs(least) > INT_MAX else exactly(least)
    return Range(-inf if abs(least) > INT_MAX else least, inf if abs(most) > INT_MAX else most)


def either(values: Iterable[Known]) -> Known:
    """Return what is known of a value that is one of several."""
    known = list(values)
    if not known or any(one is None for one in known):
        return None
    if known.count(known[0]) == len(known):
        return known[0]
    numbers = [bounds for one in known if (bounds := number(one)) is not None]
    if len(numbers) == len(known):
        return ranged(min(one.least for one in numbers), max(one.most for one in numbers))
    if all(isinstance(one, Sized) or items_of(one) is not None for one in known):
        sizes = [size(one) for one in known]
        return Sized(min(one.least for one in sizes), max(one.most for one in sizes))
    distinct = {
        (type(value), value if isinstance(value, bool | int | str) else id(value)): value
        for one in known
        for value in few(one)
    }
    if all(isinstance(one, Few) for one in known) and len(distinct) <= limits.MOST_AMONG:
        return Few(tuple(distinct.values()))
    return None


def equal(one: object, other: object) -> bool:
    """Return whether two values are the same, as expressions compare them."""
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def in_words(expression: str, known: Known) -> Text | None:
    """Say in words which numbers an expression can be; None if nothing is known."""
    least, most = number(known) or ANY
    template = "`{expression}` is {least} to {most}"
    if least == most:
        template = "`{expression}` is always {value}"
    elif most == inf:
        template = "`{expression}` is never less than {least}"
    elif least == -inf:
        template = "`{expression}` is never more than {most}"
    said = Text(template, expression=expression, value=least, least=least, most=most)
    return None if (least, most) == ANY else said


# ---------------------------------------------------------------- of two values


def meet(one: Known, other: Known) -> Known | bool:
    """Return what is known of a value of which both are; False if there is no such value."""
    if one is None or other is None:
        return other if one is None else one
    ones, others = few(one), few(other)
    if ones and others:
        both = tuple(a for a in ones if any(equal(a, b) for b in others))
        return Few(both) if both else False
    left, right = number(one), number(other)
    if left is not None and right is not None:
        least, most = max(left.least, right.least), min(left.most, right.most)
        return False if least > most else ranged(least, most)
    return one


def items_of(known: Known) -> list[object] | None:
    """Return the elements of a list or bag that is known; of a bag, each different one once."""
    match known:
        case Few((list() | tuple() | Bag() as items,)):
            return list(items)
    return None


def contained(value: Known, container: Known) -> Known:
    """Return whether a value is in a list or bag."""
    if size(container).most == 0:
        return FALSE
    items, bounds = items_of(container), number(value)
    if items is None or bounds is None:
        return None
    numbers = [item for item in items if type(item) is int]
    return None if any(bounds.least <= one <= bounds.most for one in numbers) else FALSE


def compared(sign: str, left: Known, right: Known) -> Known:
    """Return whether a comparison holds, if that is known."""
    one, other = number(left), number(right)
    if one is None or other is None:
        return None
    below, above = one.most < other.least, other.most < one.least
    most, least = one.most <= other.least, other.most <= one.least
    decided: dict[str, tuple[bool, bool]] = {
        "<": (below, least),
        "<=": (most, above),
        ">": (above, most),
        ">=": (least, below),
        "==": (one == other and one.least == one.most, below or above),
    }
    decided["!="] = decided["=="][::-1]
    yes, no = decided[sign]
    return TRUE if yes else FALSE if no else None


def _quotient(value: float, by: float) -> float:
    whole = inf if isinf(value) else abs(value) // abs(by)
    return whole if (value < 0) == (by < 0) else -whole


# What is least and greatest where its operands are.
_BY_BOUNDS: dict[str, Callable[[float, float], float]] = {
    "+": add, "-": sub, "*": lambda x, y: x * y if x and y else 0, "/": _quotient,
    "min": min, "max": max,
}  # fmt: skip


def calculated(sign: str, left: Known, right: Known) -> Known:
    """Return what is known of what a sign, `min` or `max` makes of two values."""
    if sign == "+" and all(isinstance(k, Sized) or items_of(k) is not None for k in (left, right)):
        one, other = size(left), size(right)
        return Sized(one.least + other.least, one.most + other.most)
    a, b = number(left), number(right)
    if a is None or b is None or (sign in {"/", "%"} and (b.least != b.most or b.least == 0)):
        return None
    if sign == "%":
        most = abs(b.least) - 1  # a remainder has the sign of what is divided
        return Range(0 if a.least >= 0 else -most, 0 if a.most <= 0 else most)
    # No number comes of infinity less infinity; the bounds are then those of other pairs.
    ends = [end for x in a for y in b if not isnan(end := _BY_BOUNDS[sign](x, y))]
    return ranged(min(ends), max(ends))


# ---------------------------------------------------------------- what is assumed


Values = Mapping[str, Known]
"""What is known of local values, by the keys under which they are passed."""


class Facts:
    """What is assumed of a state, by what parts of expressions say; ``impossible`` if none fits."""

    def __init__(self, before: Facts | None = None) -> None:
        self.known: dict[object, Known] = dict(before.known) if before else {}
        self.others: dict[object, tuple[object, ...]] = dict(before.others) if before else {}
        self.impossible: bool = before.impossible if before else False

    def narrowed(self, key: object, known: Known) -> Known | bool:
        """Return what is known of an expression besides; False if it can have no value."""
        met = meet(known, self.known.get(key))
        others = self.others.get(key)
        if others is None or not isinstance(met, Few):
            return met
        left = tuple(v for v in met.values if not any(equal(v, other) for other in others))
        return bool(left) and Few(left)

    def add(self, key: object, known: Known) -> None:
        """Note what is known of an expression."""
        met = self.narrowed(key, known)
        if isinstance(met, bool):
            self.impossible = True
        else:
            self.known[key] = met

    def exclude(self, key: object, value: object) -> None:
        """Note that an expression has not a certain value."""
        self.others[key] = (*self.others.get(key, ()), value)
        self.add(key, None)


class Scope(NamedTuple):
    """Where an expression stands: local values, variables of macros, and what is assumed."""

    values: Values = NOTHING
    facts: Facts | None = None
    definitions: Mapping[str, Tree] = NOTHING
    variables: Mapping[str, Known] = NOTHING

    def walking(self, name: str, known: Known) -> Scope:
        """Return the same with a variable of a macro; of an outer one of its name nothing holds."""
        facts = None if name in self.variables else self.facts
        return self._replace(facts=facts, variables={**self.variables, name: known})


def is_small(tree: Tree) -> bool:
    """Return whether a tree has so few parts that it may be put into others, or told apart."""
    return all(number < limits.MOST_APART for number, _ in enumerate(everything(tree)))


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

"""Abstract values, known before any game: exact, within bounds, or unknown."""

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
    """One of a few values."""

    values: tuple[object, ...]


class Range(NamedTuple):
    """A whole number within bounds, perhaps infinite."""

    least: float
    most: float


class Sized(NamedTuple):
    """A collection with a bounded size; ``of`` is the value of its items."""

    least: float
    most: float
    of: Known = None


Known = Few | Range | Sized | None

TRUE = Few((True,))
FALSE = Few((False,))
ANY = Range(-inf, inf)
COUNT = Range(0, inf)


def exactly(value: object) -> Few:
    """Return the abstract value of an exact value."""
    return Few((value,))


def few(known: Known) -> tuple[object, ...]:
    """Return the values if they are few."""
    return known.values if isinstance(known, Few) else ()


def truth(known: Known) -> bool | None:
    """Return the truth value; None if uncertain."""
    match known:
        case Few((bool() as value,)):
            return value
    return None


def number(known: Known) -> Range | None:
    """Return the bounds of a number, or None."""
    if isinstance(known, Few):
        numbers = [value for value in known.values if type(value) is int]
        return Range(min(numbers), max(numbers)) if len(numbers) == len(known.values) else None
    return known if isinstance(known, Range) else None


def size(known: Known) -> Range:
    """Return the bounds of a size."""
    if isinstance(known, Sized):
        return Range(known.least, known.most)
    sizes = [
        value.size() if isinstance(value, Bag) else len(value)
        for value in few(known)
        if isinstance(value, list | tuple | str | dict | Bag)
    ]
    return Range(min(sizes), max(sizes)) if 0 < len(sizes) == len(few(known)) else COUNT


def ranged(least: float, most: float) -> Known:
    """Return a number within bounds; beyond 64 bits it overflows, which is no bound."""
    if least == most:
        return None if abs(least) > INT_MAX else exactly(least)
    return Range(-inf if abs(least) > INT_MAX else least, inf if abs(most) > INT_MAX else most)


def either(values: Iterable[Known]) -> Known:
    """Return the abstract value of one of several."""
    known = list(values)
    if not known or any(value is None for value in known):
        return None
    if known.count(known[0]) == len(known):
        return known[0]
    numbers = [bounds for value in known if (bounds := number(value)) is not None]
    if len(numbers) == len(known):
        return ranged(
            min(bounds.least for bounds in numbers), max(bounds.most for bounds in numbers)
        )
    if all(isinstance(value, Sized) or items_of(value) is not None for value in known):
        sizes = [size(value) for value in known]
        return Sized(min(bounds.least for bounds in sizes), max(bounds.most for bounds in sizes))
    distinct = {
        (type(value), value if isinstance(value, bool | int | str) else id(value)): value
        for option in known
        for value in few(option)
    }
    if all(isinstance(value, Few) for value in known) and len(distinct) <= limits.MOST_AMONG:
        return Few(tuple(distinct.values()))
    return None


def equal(left: object, right: object) -> bool:
    """Return True if values are equal in expressions."""
    return isinstance(left, bool) is isinstance(right, bool) and left == right


def in_words(expression: str, known: Known) -> Text | None:
    """Return the possible numbers in words, if known."""
    least, most = number(known) or ANY
    template = "`{expression}` is {least} to {most}"
    if least == most:
        template = "`{expression}` is always {value}"
    elif most == inf:
        template = "`{expression}` is never less than {least}"
    elif least == -inf:
        template = "`{expression}` is never more than {most}"
    words = Text(template, expression=expression, value=least, least=least, most=most)
    return None if (least, most) == ANY else words


# ---------------------------------------------------------------- of two values


def meet(first: Known, second: Known) -> Known | bool:
    """Return the intersection; False if empty."""
    if first is None or second is None:
        return second if first is None else first
    ones, others = few(first), few(second)
    if ones and others:
        both = tuple(a for a in ones if any(equal(a, b) for b in others))
        return Few(both) if both else False
    left, right = number(first), number(second)
    if left is not None and right is not None:
        least, most = max(left.least, right.least), min(left.most, right.most)
        return False if least > most else ranged(least, most)
    return first


def items_of(known: Known) -> list[object] | None:
    """Return the known items of a list, or different ones of a bag."""
    match known:
        case Few((list() | tuple() | Bag() as items,)):
            return list(items)
    return None


def contained(value: Known, container: Known) -> Known:
    """Return whether a value is contained; None if uncertain."""
    if size(container).most == 0:
        return FALSE
    items, bounds = items_of(container), number(value)
    if items is None or bounds is None:
        return None
    numbers = [item for item in items if type(item) is int]
    return None if any(bounds.least <= candidate <= bounds.most for candidate in numbers) else FALSE


def compared(sign: str, left: Known, right: Known) -> Known:
    """Return the result of a comparison, if certain."""
    first, second = number(left), number(right)
    if first is None or second is None:
        return None
    below, above = first.most < second.least, second.most < first.least
    most, least = first.most <= second.least, second.most <= first.least
    decided: dict[str, tuple[bool, bool]] = {
        "<": (below, least),
        "<=": (most, above),
        ">": (above, most),
        ">=": (least, below),
        "==": (first == second and first.least == first.most, below or above),
    }
    decided["!="] = decided["=="][::-1]
    yes, no = decided[sign]
    return TRUE if yes else FALSE if no else None


def _quotient(value: float, by: float) -> float:
    quotient = inf if isinf(value) else abs(value) // abs(by)
    return quotient if (value < 0) == (by < 0) else -quotient


_BY_BOUNDS: dict[str, Callable[[float, float], float]] = {
    "+": add, "-": sub, "*": lambda x, y: x * y if x and y else 0, "/": _quotient,
    "min": min, "max": max,
}  # fmt: skip


def calculated(sign: str, left: Known, right: Known) -> Known:
    """Return the result of an operator, `min` or `max`."""
    if sign == "+" and all(isinstance(k, Sized) or items_of(k) is not None for k in (left, right)):
        first, second = size(left), size(right)
        return Sized(first.least + second.least, first.most + second.most)
    a, b = number(left), number(right)
    if a is None or b is None or (sign in {"/", "%"} and (b.least != b.most or b.least == 0)):
        return None
    if sign == "%":
        most = abs(b.least) - 1  # a remainder has the sign of the dividend
        return Range(0 if a.least >= 0 else -most, 0 if a.most <= 0 else most)
    # Infinity less infinity is no number.
    ends = [end for x in a for y in b if not isnan(end := _BY_BOUNDS[sign](x, y))]
    return ranged(min(ends), max(ends))


# ---------------------------------------------------------------- what is assumed


Values = Mapping[str, Known]


class Facts:
    """Facts about a state, by the meaning of expressions."""

    def __init__(self, before: Facts | None = None) -> None:
        self.known: dict[object, Known] = dict(before.known) if before else {}
        self.others: dict[object, tuple[object, ...]] = dict(before.others) if before else {}
        self.impossible: bool = before.impossible if before else False

    def narrowed(self, key: object, known: Known) -> Known | bool:
        """Return a value narrowed by the facts; False if none is possible."""
        met = meet(known, self.known.get(key))
        others = self.others.get(key)
        if others is None or not isinstance(met, Few):
            return met
        left = tuple(v for v in met.values if not any(equal(v, other) for other in others))
        return bool(left) and Few(left)

    def add(self, key: object, known: Known) -> None:
        """Add a fact on an expression."""
        met = self.narrowed(key, known)
        if isinstance(met, bool):
            self.impossible = True
        else:
            self.known[key] = met

    def exclude(self, key: object, value: object) -> None:
        """Add the fact that an expression does not have a value."""
        self.others[key] = (*self.others.get(key, ()), value)
        self.add(key, None)


class Scope(NamedTuple):
    """The context of an expression."""

    values: Values = NOTHING
    facts: Facts | None = None
    definitions: Mapping[str, Tree] = NOTHING
    variables: Mapping[str, Known] = NOTHING

    def walking(self, name: str, known: Known) -> Scope:
        """Return a scope with a macro variable."""
        facts = None if name in self.variables else self.facts
        return self._replace(facts=facts, variables={**self.variables, name: known})


def is_small(tree: Tree) -> bool:
    """Return True if a tree may be inlined or compared."""
    return all(number < limits.MOST_APART for number, _ in enumerate(everything(tree)))


def substituted(tree: Tree, arguments: Mapping[str, Tree]) -> Tree:
    """Return a tree with arguments for parameters."""

    def walk(part: Any) -> Any:
        if isinstance(part, Reference) and part.key is not None and part.key in arguments:
            return arguments[part.key]
        if isinstance(part, Type | Constant) or not isinstance(part, tuple):
            return part
        inside = map(walk, part)
        return type(part)(*inside) if hasattr(part, "_fields") else tuple(inside)

    body: Tree = walk(tree)
    return body

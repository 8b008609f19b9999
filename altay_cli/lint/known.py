"""What is known of a value before anybody plays: exactly which, within bounds, or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isinf
from typing import NamedTuple

from altay_cli.base.text import Text
from altay_cli.base.values import Bag, Entity
from altay_cli.expressions.types import INT_MAX

MOST_JOINED = 100_000
"""Longer texts and lists are not joined."""

MOST_AMONG = 12
"""How many values are kept apart; of more, nothing is known."""


class Exactly(NamedTuple):
    """It is this value."""

    value: object


class Among(NamedTuple):
    """It is one of these values."""

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


Known = Exactly | Among | Range | Sized | None

TRUE = Exactly(True)
FALSE = Exactly(False)
ANY = Range(-inf, inf)
COUNT = Range(0, inf)


def number(known: Known) -> Range | None:
    """Return the bounds of what may be a number; None if it may be something else."""
    match known:
        case Range():
            return known
        case Exactly(int() as value) if not isinstance(value, bool):
            return Range(value, value)
        case Among(values) if all(type(value) is int for value in values):
            found = [value for value in values if isinstance(value, int)]
            return Range(min(found), max(found))
        case _:
            return None


def size(known: Known) -> Range:
    """Return how many things a list, bag or pile may hold."""
    match known:
        case Exactly(Bag() as bag):
            return Range(bag.size(), bag.size())
        case Exactly(list() | tuple() | str() | dict() as value):
            return Range(len(value), len(value))
        case Sized(least, most, _):
            return Range(least, most)
        case _:
            return COUNT


def ranged(least: float, most: float) -> Known:
    """Return a number within bounds; what is beyond 64 bits fails and is not a bound."""
    if least == most:
        return None if abs(least) > INT_MAX else Exactly(least)
    return Range(
        -inf if abs(least) > INT_MAX else least,
        inf if abs(most) > INT_MAX else most,
    )


def either(values: Iterable[Known]) -> Known:
    """Return what is known of a value that is one of several."""
    values = list(values)
    if len(values) == 1:
        return values[0]
    found = list(dict.fromkeys(map(_hashable, values)))
    known = [one for one in found if one is not _NOTHING]
    if not known or len(known) < len(found):
        return None
    if len(known) == 1:
        return known[0]
    numbers = [number(one) for one in known]
    sure = [one for one in numbers if one is not None]
    if len(sure) == len(numbers):
        return ranged(min(one.least for one in sure), max(one.most for one in sure))
    if all(isinstance(one, Sized) or _is_list(one) for one in known):
        sizes = [size(one) for one in known]
        return Sized(min(one.least for one in sizes), max(one.most for one in sizes))
    values_ = [one for each in known for one in among(each)]
    if values_ and all(isinstance(one, Exactly | Among) for one in known):
        distinct = {_identity(value): value for value in values_}
        if len(distinct) <= MOST_AMONG:
            return Among(tuple(distinct.values()))
    return None


def among(known: Known) -> tuple[object, ...]:
    """Return the few values that it can be; none if they are not known."""
    match known:
        case Exactly(value):
            return (value,)
        case Among(values):
            return values
        case _:
            return ()


_NOTHING = Exactly(object())


def _hashable(known: Known) -> Known:
    """Return what can be told apart by hash; of what is unknown, a mark."""
    if known is None:
        return _NOTHING
    try:
        hash(known)
    except TypeError:
        found = size(known)
        return Sized(found.least, found.most)
    # 1 and true are the same to Python.
    if isinstance(known, Exactly) and isinstance(known.value, bool):
        return TRUE if known.value else FALSE
    return known


def _is_list(known: Known) -> bool:
    return isinstance(known, Exactly) and isinstance(known.value, list | tuple | Bag)


def _identity(value: object) -> object:
    return type(value), value if isinstance(value, bool | int | str) else id(value)


def equal(one: object, other: object) -> bool:
    """Return whether two values are the same, as expressions compare them."""
    if isinstance(one, bool) is not isinstance(other, bool):
        return False
    return one == other


def told(expression: str, known: Known) -> Text | None:
    """Say in words which numbers an expression can be; None if nothing is known."""
    bounds = number(known) or ANY
    if bounds == ANY:
        return None
    least, most = bounds
    if least == most:
        return Text("`{expression}` is always {value}", expression=expression, value=least)
    if most == inf:
        template = "`{expression}` is never less than {least}"
    elif least == -inf:
        template = "`{expression}` is never more than {most}"
    else:
        template = "`{expression}` is {least} to {most}"
    return Text(template, expression=expression, least=least, most=most)


# ---------------------------------------------------------------- of two values


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
        least, most = max(left.least, right.least), min(left.most, right.most)
        return False if least > most else ranged(least, most)
    return one


def field_of(thing: Entity, field: str) -> Known:
    """Return the value of a field of a thing, where it is one that expressions have."""
    value = thing.f.get(field)
    if isinstance(value, bool | int | str | Entity | list | tuple | Bag):
        return Exactly(value)
    return Exactly(None) if value is None and field in thing.f else None


def items_of(known: Known) -> list[object] | None:
    """Return the elements of a list or bag that is known; of a bag, each different one once."""
    if isinstance(known, Exactly) and isinstance(known.value, list | tuple | Bag):
        return list(known.value)
    return None


def contained(value: Known, container: Known) -> Known:
    """Return whether a value is in a list or bag."""
    if size(container).most == 0:
        return FALSE
    items = items_of(container)
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


def calculated(sign: str, left: Known, right: Known) -> Known:
    """Return what is known of a sum, a difference, a product, a quotient or a remainder."""
    if sign == "+" and isinstance(left, Exactly) and isinstance(right, Exactly):
        one, other = left.value, right.value
        if isinstance(one, str) and isinstance(other, str) and len(one) + len(other) < MOST_JOINED:
            return Exactly(one + other)
        if (
            isinstance(one, list)
            and isinstance(other, list)
            and len(one) + len(other) < MOST_JOINED
        ):
            return Exactly(one + other)
    lists = [known for known in (left, right) if items_of(known) is not None]
    if sign == "+" and (isinstance(left, Sized) or isinstance(right, Sized) or lists):
        if not all(isinstance(k, Sized) or items_of(k) is not None for k in (left, right)):
            return None
        one_, other_ = size(left), size(right)
        return Sized(one_.least + other_.least, one_.most + other_.most)
    a, b = number(left), number(right)
    if a is None or b is None:
        return None
    if sign == "+":
        return ranged(a.least + b.least, a.most + b.most)
    if sign == "-":
        return ranged(a.least - b.most, a.most - b.least)
    if sign == "*":
        return _product(a, b)
    if b.least != b.most or b.least == 0:
        return None
    return _divided(a, int(b.least)) if sign == "/" else _remainder(a, int(b.least))


def _product(a: Range, b: Range) -> Known:
    if not any(map(isinf, (*a, *b))):
        found = [x * y for x in a for y in b]
        return ranged(min(found), max(found))
    return Range(a.least * b.least, inf) if a.least >= 0 and b.least >= 0 else None


def _divided(a: Range, by: int) -> Known:
    def quotient(value: float) -> float:
        found = inf if isinf(value) else abs(value) // abs(by)
        return found if (value < 0) == (by < 0) else -found

    least, most = quotient(a.least), quotient(a.most)
    return ranged(least, most) if by > 0 else ranged(most, least)


def _remainder(a: Range, by: int) -> Known:
    if a.least == a.most:
        found = abs(a.least) % abs(by)
        return Exactly(found if a.least >= 0 else -found)
    return Range(0 if a.least >= 0 else 1 - abs(by), 0 if a.most <= 0 else abs(by) - 1)


def extreme(smaller: bool, one: Range, other: Range) -> Known:
    """Return the smaller of two numbers, or the larger."""
    pick = min if smaller else max
    return ranged(pick(one.least, other.least), pick(one.most, other.most))


def summed(known: Sized) -> Known:
    """Return the sum of a list."""
    of = number(known.of)
    if known.most == 0:
        return Exactly(0)
    if of is None or of.least < 0:
        return None
    return ranged(of.least * known.least, of.most * known.most if of.most else 0)

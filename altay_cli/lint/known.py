"""What is known of a value before anybody plays: exactly which, within bounds, or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from altay_cli.base.text import Text
from altay_cli.base.values import Bag
from altay_cli.expressions.types import INT_MAX

MOST_AMONG = 12
"""How many values are kept apart; of more, nothing is known."""


class Exactly(NamedTuple):
    """It is this value."""

    value: object


class Among(NamedTuple):
    """It is one of these values."""

    values: tuple[object, ...]


class Range(NamedTuple):
    """It is a number within bounds; None for no such bound."""

    least: int | None
    most: int | None


class Sized(NamedTuple):
    """It is a list, a bag or a pile of so many things; ``of`` is what is known of each."""

    least: int
    most: int | None
    of: Known = None


Known = Exactly | Among | Range | Sized | None

TRUE = Exactly(True)
FALSE = Exactly(False)
COUNT = Range(0, None)


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


def ranged(least: int | None, most: int | None) -> Known:
    """Return a number within bounds; what is beyond 64 bits fails and is not a bound."""
    if least is not None and least == most:
        return Exactly(least) if abs(least) <= INT_MAX else None
    least = None if least is None or abs(least) > INT_MAX else least
    most = None if most is None or abs(most) > INT_MAX else most
    return Range(least, most)


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
        leasts, mosts = [one.least for one in sure], [one.most for one in sure]
        least = None if None in leasts else min(x for x in leasts if x is not None)
        most = None if None in mosts else max(x for x in mosts if x is not None)
        return ranged(least, most)
    if all(isinstance(one, Sized) or _is_list(one) for one in known):
        sizes = [size(one) for one in known]
        most = None if any(s.most is None for s in sizes) else max(s.most or 0 for s in sizes)
        return Sized(min(s.least or 0 for s in sizes), most)
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
        return Sized(found.least or 0, found.most)
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
    least, most = number(known) or (None, None)
    if least is not None and most is not None:
        if least == most:
            return Text("`{expression}` is always {value}", expression=expression, value=least)
        return Text(
            "`{expression}` is {least} to {most}", expression=expression, least=least, most=most
        )
    if least is not None:
        return Text("`{expression}` is never less than {least}", expression=expression, least=least)
    if most is not None:
        return Text("`{expression}` is never more than {most}", expression=expression, most=most)
    return None

"""What generated code calls: arithmetic, equality and error absorption of CEL.

Functions whose cost grows with their operands charge the budget. Unlike in CEL, true equals 1 in
Python, so exact types are tested first.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sized
from types import TracebackType
from typing import Any, NoReturn

from altay_cli.base.budget import MAX_SIZE, Budget
from altay_cli.base.findings import BudgetError, EvaluationError, ExpressionError
from altay_cli.expressions import limits, regex
from altay_cli.expressions.types import BOOL, INT, INT_MAX, INT_MIN, NULL, STRING, TYPE, Type

ABSORBED = (EvaluationError, LookupError, AttributeError, TypeError, ValueError, ArithmeticError)
"""Errors that && and || may absorb; an exhausted budget is none."""

PYTHON = (*ABSORBED[1:], RecursionError, MemoryError)
"""Exceptions that generated code may raise."""


LANGUAGE = re.compile(r"altay_cli\.(expressions\..*|base\.(values|budget)|pack\.functions)")
"""The modules whose functions generated code calls."""


def fault(error: Exception) -> ExpressionError:
    """Return the rule writers' error for an exception in generated code.

    Re-raise one that another part of the program raised: it is a bug.
    """
    message = "a value is missing, or of a kind that is not possible there"
    match error:
        case ExpressionError():
            return error
        case RecursionError():
            message = "this is nested too deep"
        case MemoryError():
            message = "this needs too much memory"
        case _ if _is_ours(error):
            raise error
        case AttributeError() if error.obj is None:
            message = "the value before it has no parts"
        case LookupError():
            message = "nothing is there to be taken"
        case ValueError():
            message = "it is not among those that are there"
    return EvaluationError("evaluation", message)


def _is_ours(error: Exception) -> bool:
    trace, before = error.__traceback__, None
    while trace is not None and trace.tb_next is not None:
        trace, before = trace.tb_next, trace
    if trace is None or _is_generated(trace):
        return False
    if isinstance(error, AttributeError):
        # Null in place of a value is an error of the rules, a missing attribute a bug.
        asked_of_nothing = error.name is not None and error.obj is None
        return not (asked_of_nothing and before is not None and _is_generated(before))
    return not LANGUAGE.fullmatch(trace.tb_frame.f_globals["__name__"])


def _is_generated(trace: TracebackType) -> bool:
    return trace.tb_frame.f_code.co_filename.startswith("<")


def fail(code: str, message: str, start: int | None, end: int | None) -> NoReturn:
    """Raise an EvaluationError."""
    raise EvaluationError(code, message, start, end)


# Comprehensions


def run(budget: Budget, items: list[object], weight: int = 1) -> list[Any]:
    """Return the list, charged for a body of this weight.

    >>> run(Budget(), [1, 2])
    [1, 2]
    """
    budget.charge(len(items) * weight)
    return items


def items_of(budget: Budget, value: object, weight: int = 1) -> list[object]:
    """Return the items of a value."""
    if type(value) is dict:
        return run(budget, list(value), weight)
    if type(value) is not list:
        no_overload("a macro", value)
    return run(budget, value, weight)


def pairs_of(budget: Budget, value: object, weight: int = 1) -> list[tuple[object, object]]:
    """Return index or key, and value."""
    if type(value) is dict:
        return run(budget, list(value.items()), weight + 1)
    return list(enumerate(items_of(budget, value, weight + 1)))


def any_is(
    budget: Budget, wanted: bool, items: Iterable[object], holds: Callable[[Any], Any]
) -> bool:
    """Return True if the predicate is ``wanted`` for an item, even if others raise errors."""
    error: Exception | None = None
    for item in items:
        try:
            if truth(holds(item)) is wanted:
                return True
        except ABSORBED as caught:
            budget.charge(limits.ERROR_STEPS)
            error = error or fault(caught)
    if error:
        raise error
    return False


def truth(value: object) -> bool:
    """Return a value that must be a bool."""
    if value is True or value is False:
        return bool(value)
    raise EvaluationError(
        "no-overload", "true or false is needed here, not {value}", value=describe(value)
    )


# Numbers


def add(a: int, b: int) -> int:
    """Return the sum of two integers.

    >>> add(2, 3)
    5
    >>> add(2**63 - 1, 1)
    Traceback (most recent call last):
    altay_cli.base.findings.EvaluationError: 9223372036854775807 + 1 does not fit into 64 bits
    """
    value = a + b
    if INT_MIN <= value <= INT_MAX:
        return value
    raise EvaluationError("overflow", "{one} + {other} does not fit into 64 bits", one=a, other=b)


def subtract(a: int, b: int) -> int:
    """Return the difference of two integers."""
    value = a - b
    if INT_MIN <= value <= INT_MAX:
        return value
    raise EvaluationError("overflow", "{one} - {other} does not fit into 64 bits", one=a, other=b)


def multiply(a: int, b: int) -> int:
    """Return the product of two integers."""
    value = a * b
    if INT_MIN <= value <= INT_MAX:
        return value
    raise EvaluationError("overflow", "{one} * {other} does not fit into 64 bits", one=a, other=b)


def divide(a: int, b: int) -> int:
    """Return the quotient of two integers, truncated toward zero.

    >>> divide(-7, 2)
    -3
    """
    if b == 0:
        raise EvaluationError("division", "{value} is divided by zero", value=a)
    value = a // b if (a < 0) == (b < 0) else -(-a // b)
    if value <= INT_MAX:
        return value
    raise EvaluationError("overflow", "{one} / {other} does not fit into 64 bits", one=a, other=b)


def remainder(a: int, b: int) -> int:
    """Return the remainder of truncating division; its sign is that of the dividend.

    >>> remainder(-7, 2)
    -1
    """
    if b == 0:
        raise EvaluationError("division", "the remainder of {value} divided by zero", value=a)
    value = abs(a) % abs(b)
    return -value if a < 0 else value


def negate(value: int) -> int:
    """Return the negative of an integer; the least integer has none."""
    if value == INT_MIN:
        raise EvaluationError("overflow", f"-({value}) does not fit into 64 bits")
    return -value


# Strings and lists


def pay_for(budget: Budget, more: int, there: int = 0, shift: int = 0) -> None:
    """Charge for extending a list or text of length ``there`` by ``more``.

    ``shift`` halves the price that many times. Raise BudgetError if the result is too long.
    """
    if there + more > MAX_SIZE:
        template = "the result would have a size of {size}; {most} is the most that is allowed"
        raise BudgetError(message=template, size=f"{there + more:,}", most=f"{MAX_SIZE:,}")
    budget.charge(1 + (more >> shift))


def concatenated(budget: Budget, left: Any, right: Any) -> Any:
    """Concatenate strings or lists."""
    shift = limits.MADE_SIGNS if type(left) is str else limits.MADE_ITEMS
    pay_for(budget, len(left) + len(right), shift=shift)
    return left + right


def joined_texts(texts: Iterable[object]) -> int:
    """Return the steps to compare texts once."""
    return sum([len(text) for text in texts if type(text) is str]) >> limits.COMPARED_SIGNS


def measured(budget: Budget, text: str) -> str:
    """Charge for comparing a text; return it."""
    budget.charge(1 + (len(text) >> limits.COMPARED_SIGNS))
    return text


def starts_with(budget: Budget, text: str, part: str) -> bool:
    """Return True if a text begins with ``part``."""
    return text.startswith(measured(budget, part))


def ends_with(budget: Budget, text: str, part: str) -> bool:
    """Return True if a text ends with ``part``."""
    return text.endswith(measured(budget, part))


def spread(budget: Budget, value: Any) -> Any:
    """Charge for searching a list or map; return it."""
    budget.charge(1 + (len(value) >> 2))
    return value


def among(budget: Budget, value: str, items: list[str]) -> bool:
    """Return True if a list contains the value."""
    budget.charge(1 + (len(items) * (4 + (len(value) >> 8)) >> 4))
    return value in items


def contains(budget: Budget, text: str, part: str) -> bool:
    """Return True if a text contains ``part``."""
    budget.charge(1 + (len(text) + len(part) >> 5))
    return part in text


def at(items: list[object], index: int) -> object:
    """Return an element by its index from 0.

    >>> at(["a", "b"], 1)
    'b'
    """
    if 0 <= index < len(items):
        return items[index]
    template = "the index {index} is outside a list of {count}"
    raise EvaluationError("index", template, index=index, count=len(items))


# Maps


def has_key(budget: Budget, entries: Mapping[object, object], key: Any) -> bool:
    """Return True if the map has the key; 1 and true differ."""
    kind = type(key)
    if kind not in (str, int, bool) or key not in entries:
        return False
    if kind is str:
        if len(key) >> limits.COMPARED_SIGNS:
            measured(budget, key)
        return True
    if key not in (0, 1):
        return True
    budget.charge(len(entries) >> 2)
    return any(known == key and type(known) is kind for known in entries)


def entry(budget: Budget, entries: Mapping[object, object], key: object) -> object:
    """Return the value of a key."""
    if has_key(budget, entries, key):
        return entries[key]
    raise EvaluationError("key", "the map has no key {key}", key=describe(key))


def new_map(budget: Budget, *entries: tuple[Any, object]) -> dict[object, object]:
    """Return a map of these entries."""
    budget.charge(1 + 6 * len(entries) + joined_texts([key for key, _ in entries]))
    made: dict[object, object] = {}
    kinds: dict[object, type] = {}
    for key, value in entries:
        kind = type(key)
        if kind not in (str, int, bool):
            template = "a key must be an int, bool or string, not {value}"
            raise EvaluationError("map-key", template, value=describe(key))
        if kinds.setdefault(key, kind) is not kind:
            both = f"a map with both {int(key)} and {describe(bool(key))} as keys"
            raise EvaluationError("unsupported", both)
        if key in made:
            raise EvaluationError("duplicate-key", "the key {key} occurs twice", key=describe(key))
        made[key] = value
    return made


# Values of unknown type


def kind_of(value: object) -> Type:
    """Return the type of a value.

    >>> str(kind_of([1])), str(kind_of(True))
    ('list', 'bool')
    """
    return _KINDS.get(type(value)) or Type(type(value).__name__)


_KINDS: dict[type, Type] = {
    type(None): NULL,
    bool: BOOL,
    int: INT,
    str: STRING,
    list: Type("list"),
    dict: Type("map"),
    Type: TYPE,
}


def type_of(budget: Budget, value: object, known: Type | None = None) -> Type:
    """Return CEL's type(), given the checker's."""
    budget.charge(2)
    return known or kind_of(value)


def describe(value: object) -> str:
    """Return a value's type or text for messages."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return ascii(value if len(value) <= 40 else value[:37] + "...")
    return f"a {kind_of(value)}"


def no_overload(what: str, *values: object) -> NoReturn:
    """Raise the error that these types are not supported."""
    types = " and ".join(str(kind_of(value)) for value in values)
    raise EvaluationError(
        "no-overload", "{what} is not defined for {types}", what=what, types=types
    )


def conform(budget: Budget, value: object, kind: Type) -> object:
    """Return a value after testing its type."""
    if _conforms(budget, value, kind):
        return value
    template = "{wanted} is needed here, not {value}"
    raise EvaluationError("no-overload", template, wanted=kind, value=describe(value))


def _conforms(budget: Budget, value: Any, kind: Type) -> bool:
    if kind.name in ("dyn", "var"):
        return True
    same = kind_of(value).name == kind.name
    if not (same and kind.args):
        return same
    budget.charge(1 + 2 * len(value))
    parts = (value,) if kind.name == "list" else (value, value.values())
    pairs = zip(parts, kind.args, strict=True)
    return all(_conforms(budget, item, wanted) for items, wanted in pairs for item in items)


def equal(budget: Budget, a: Any, b: Any) -> bool:
    """Return CEL's ==: values of different types differ; lists and maps compare by content.

    >>> equal(Budget(), [1, {"a": True}], [1, {"a": True}]), equal(Budget(), 1, True)
    (True, False)
    """
    kind = type(a)
    if kind is not type(b):
        return False
    if kind is list or kind is dict:
        if len(a) != len(b):
            return False
        budget.charge(1 + (3 if kind is list else 6) * len(a))
        if kind is list:
            return all(equal(budget, x, y) for x, y in zip(a, b, strict=True))
        return all(
            has_key(budget, b, key) and equal(budget, value, b[key]) for key, value in a.items()
        )
    if kind not in _SCALARS and isinstance(a, Sized):
        budget.charge(3 + (len(a) >> _COMPARED.get(type(a), 1)))
        a, b = budget.identified(a), budget.identified(b)
    return bool(a == b)


_SCALARS = frozenset({type(None), bool, int, Type})
_COMPARED: Mapping[type, int] = {str: limits.COMPARED_SIGNS, tuple: 4}
"""Divisors of the price of comparing, as powers of two."""


def member(budget: Budget, value: object, container: object) -> bool:
    """Return the result of `in` for a container of unknown type."""
    if type(container) is dict:
        return has_key(budget, container, value)
    if type(container) is not list:
        no_overload("`in`", value, container)
    budget.charge(2 + 3 * len(container))
    return any(equal(budget, value, item) for item in container)


_ARITHMETIC = {"+": add, "-": subtract, "*": multiply, "/": divide, "%": remainder}


def arithmetic(budget: Budget, sign: str, a: Any, b: Any) -> object:
    """Apply an operator to values of unknown type."""
    kind = type(a)
    if kind is type(b):
        if kind is int:
            return _ARITHMETIC[sign](a, b)
        if sign == "+" and (kind is str or kind is list):
            return concatenated(budget, a, b)
    return no_overload(f"`{sign}`", a, b)


def order(budget: Budget, sign: str, a: Any, b: Any) -> bool:
    """Compare values of unknown type with <, <=, > or >=.

    >>> order(Budget(), "<", 2, 3)
    True
    """
    if type(a) is not type(b) or type(a) not in (int, str, bool):
        no_overload(f"`{sign}`", a, b)
    if type(a) is str:
        measured(budget, a)
    return bool(_ORDER[sign](a, b))


_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def fold(
    budget: Budget, value: object, *steps: tuple[Callable[[object, object], object], object]
) -> object:
    """Apply functions from left to right."""
    budget.charge(len(steps))
    for apply, operand in steps:
        value = apply(value, operand)
    return value


def with_field(value: object, name: str) -> dict[object, object]:
    """Return a map; else raise that there is no such member."""
    if type(value) is dict:
        return value
    template = "{type} has no member `{name}`"
    raise EvaluationError("unknown-member", template, type=describe(value), name=name)


def element(budget: Budget, container: object, index: object) -> object:
    """Return ``container[index]``."""
    if type(container) is dict:
        return entry(budget, container, index)
    if type(container) is list and type(index) is int:
        return at(container, index)
    return no_overload("`[]`", container, index)


# Functions


def size(value: Any) -> int:
    """Return the size of a value."""
    return len(value) if type(value) in (str, list, dict) else no_overload("`size`", value)


_NUMBER = re.compile(r"[+-]?0*([0-9]{1,19})")


def int_of(budget: Budget, value: object) -> int:
    """Return CEL's int() of a string or an int.

    >>> int_of(Budget(), "42")
    42
    """
    if type(value) is int:
        return value
    if type(value) is not str:
        no_overload("`int`", value)
    budget.charge(3 + (len(value) >> 5))
    digits = _NUMBER.fullmatch(value)
    if not digits:
        raise EvaluationError(
            "conversion", "{value} is not an integer of 64 bits", value=describe(value)
        )
    number = -int(digits[1]) if value[0] == "-" else int(digits[1])
    if INT_MIN <= number <= INT_MAX:
        return number
    raise EvaluationError("overflow", "the result does not fit into 64 bits")


def string_of(value: object) -> str:
    """Return CEL's string() of a string, an int or a bool.

    >>> string_of(True)
    'true'
    """
    if type(value) is str:
        return value
    if type(value) is int or type(value) is bool:
        return describe(value)
    return no_overload("`string`", value)


_TRUTHS = {
    **dict.fromkeys(("1", "t", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "false", "FALSE", "False"), False),
}


_LONGEST_TRUTH = max(map(len, _TRUTHS))


def bool_of(value: object) -> bool:
    """Return CEL's bool() of a string or a bool."""
    if type(value) is bool:
        return value
    if type(value) is not str:
        no_overload("`bool`", value)
    if len(value) > _LONGEST_TRUTH or value not in _TRUTHS:
        raise EvaluationError(
            "conversion", "{value} is neither true nor false", value=describe(value)
        )
    return _TRUTHS[value]


def matches(budget: Budget, text: str, pattern: str) -> bool:
    """Return True if the pattern occurs in the text."""
    size = regex.weight(pattern)
    budget.charge(60 + size + (len(text) * (1 + (size >> 4)) >> 3))
    try:
        return regex.compile_pattern(pattern).search(text) is not None
    except UnicodeEncodeError:
        raise EvaluationError("regex", "half of a surrogate pair is not a character") from None


def pick_by(budget: Budget, pick: Any, items: list[object], key: Callable[[object], Any]) -> object:
    """Return the first item with the smallest or greatest key."""
    if not items:
        raise EvaluationError("evaluation", "nothing is there to be taken")
    keys = [key(item) for item in items]
    budget.charge(3 + (2 * joined_texts(keys) if type(keys[0]) is str else 0))
    return items[keys.index(pick(keys))]


def sorted_by(budget: Budget, items: list[object], key: Callable[[object], Any]) -> list[object]:
    """Return the items sorted by their keys.

    >>> sorted_by(Budget(), ["ccc", "a", "bb"], len)
    ['a', 'bb', 'ccc']
    """
    keys, size = [key(item) for item in items], len(items)
    costs = 1 + (size >> 2)
    if size and type(keys[0]) is str:
        costs += joined_texts(keys)
    budget.charge(costs * size.bit_length())
    return [items[place] for place in sorted(range(size), key=keys.__getitem__)]


def merged(budget: Budget, maps: Iterable[object]) -> dict[object, object]:
    """Merge maps; raise if a key occurs twice."""
    entries: list[tuple[object, object]] = []
    for part in maps:
        if type(part) is not dict:
            no_overload("a map macro", part)
        pay_for(budget, len(part), len(entries))
        entries.extend(part.items())
    return new_map(budget, *entries)

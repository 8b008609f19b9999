"""CEL's standard functions, as far as they apply to the types that are here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from altay_cli.expressions.environment import Function
from altay_cli.expressions.types import BOOL, DYN, INT, STRING, TYPE, Type, list_of, map_of, var


def _pure(parameters: Sequence[Type], result: Type, code: str) -> Function:
    return Function(tuple(parameters), result, code, safe=True)


def _text_method(code: str) -> Function:
    return Function((STRING, STRING), BOOL, code, method=True, safe=True)


_SIZED = (STRING, list_of(var("A")), map_of(var("A"), var("B")))

FUNCTIONS: Mapping[str, Sequence[Function]] = {
    "size": [
        Function((kind,), INT, "len({0})", method=method, safe=True)
        for kind in _SIZED
        for method in (False, True)
    ],
    "contains": [_text_method("_contains(S, {0}, {1})")],
    "startsWith": [_text_method("{0}.startswith({1})")],
    "endsWith": [_text_method("{0}.endswith({1})")],
    "matches": [
        Function((STRING, STRING), BOOL, "_matches(S, {0}, {1})", method=method)
        for method in (False, True)
    ],
    "int": [_pure([INT], INT, "{0}"), Function((STRING,), INT, "_int_of(S, {0})")],
    "string": [
        _pure([STRING], STRING, "{0}"),
        _pure([INT], STRING, "str({0})"),
        _pure([BOOL], STRING, "('true' if {0} else 'false')"),
    ],
    "bool": [_pure([BOOL], BOOL, "{0}"), Function((STRING,), BOOL, "_bool_of({0})")],
    "type": [_pure([var("A")], TYPE, "_kind_of({0})")],
    "dyn": [_pure([var("A")], DYN, "{0}")],
}

# For arguments of unknown type: the overload is chosen when the expression is evaluated.
DYNAMIC: Mapping[str, Function] = {
    "size": Function((DYN,), INT, "_size({0})"),
    "int": Function((DYN,), INT, "_int_of(S, {0})"),
    "string": Function((DYN,), STRING, "_string_of({0})"),
    "bool": Function((DYN,), BOOL, "_bool_of({0})"),
}

# Types that can be named, to compare with type(x).
TYPE_NAMES = frozenset(
    {"bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"}
)

LEFT_OUT: Mapping[str, str] = {
    "double": "there are only whole numbers here",
    "uint": "there are only signed integers here",
    "bytes": "there are only strings here",
    "timestamp": "there is no time here",
    "duration": "there is no time here",
}

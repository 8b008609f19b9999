"""CEL's standard functions, as far as they apply to the types that are here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from altay_cli.expressions.environment import Function, by_name, overload
from altay_cli.expressions.types import BOOL, DYN, INT, STRING, TYPE, list_of, map_of, var

_SIZED = (STRING, list_of(var("A")), map_of(var("A"), var("B")))

FUNCTIONS: Mapping[str, Sequence[Function]] = by_name(
    (
        *(overload("size", INT, "len({0})", kind, method=False) for kind in _SIZED),
        *(overload("size", INT, "len({0})", kind) for kind in _SIZED),
        overload(
            "matches", BOOL, "_matches(S, {0}, {1})", STRING, STRING, method=False, safe=False
        ),
        overload("matches", BOOL, "_matches(S, {0}, {1})", STRING, STRING, safe=False),
        overload("contains", BOOL, "_contains(S, {0}, {1})", STRING, STRING),
        overload("startsWith", BOOL, "{0}.startswith({1})", STRING, STRING),
        overload("endsWith", BOOL, "{0}.endswith({1})", STRING, STRING),
        overload("int", INT, "{0}", INT, method=False),
        overload("int", INT, "_int_of(S, {0})", STRING, method=False, safe=False),
        overload("string", STRING, "{0}", STRING, method=False),
        overload("string", STRING, "str({0})", INT, method=False),
        overload("string", STRING, "('true' if {0} else 'false')", BOOL, method=False),
        overload("bool", BOOL, "{0}", BOOL, method=False),
        overload("bool", BOOL, "_bool_of({0})", STRING, method=False, safe=False),
        overload("type", TYPE, "_kind_of({0})", var("A"), method=False),
        overload("dyn", DYN, "{0}", var("A"), method=False),
    ),
)

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

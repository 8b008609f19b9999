"""Members and calls: macros, functions and methods, and the choice among overloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from altay_cli.base.errors import ExpressionError
from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text, either
from altay_cli.expressions.context import Checker
from altay_cli.expressions.environment import Function
from altay_cli.expressions.macros import MACROS, macro
from altay_cli.expressions.parser import RESERVED, Syntax
from altay_cli.expressions.printing import tested, type_source
from altay_cli.expressions.regex import compile_pattern, is_available
from altay_cli.expressions.stdlib import DYNAMIC, FUNCTIONS, LEFT_OUT
from altay_cli.expressions.typed import Applied, Member, Tree, is_safe
from altay_cli.expressions.types import BOOL, BUILTIN, DYN, STRING, TYPE, Type, Unifier


class Meaning(NamedTuple):
    """What an operator or function means for the types of its operands.

    The type of the value, the template by which it is computed, and whether that does not raise.
    """

    type: Type
    code: str
    safe: bool


def call(checker: Checker, node: Syntax) -> Tree:
    """Find out what the call of a function is."""
    if node.name == "has" and len(node.parts) == 1:
        return has(checker, node)
    return _apply(checker, node, node.name, node.parts, method=False)


def method(checker: Checker, node: Syntax) -> Tree:
    """Find out what the call of a method is: a macro, a function with a dotted name, a method."""
    receiver, *arguments = node.parts
    path = checker.path(receiver)
    if path and f"{path}.{node.name}" in checker.env.functions:
        return _apply(checker, node, f"{path}.{node.name}", arguments, method=False)
    if (node.name, len(arguments)) in MACROS:
        return macro(checker, node)
    return _apply(checker, node, node.name, node.parts, method=True)


def member(checker: Checker, node: Syntax, tree: Tree) -> Meaning:
    """Find a member of an engine type, or the entry of a map."""
    kind = tree.type
    known = checker.env.members.get((kind.name, node.name))
    if known:
        checker.reads |= known.reads
        return Meaning(known.type, known.code, known.safe and is_safe(tree))
    if kind.name == "map" and checker.accepts(kind.args[0], STRING):
        return Meaning(kind.args[1], f"_entry(S, {{0}}, {node.name!r})", safe=False)
    if kind.name == "dyn":
        return Meaning(DYN, f"_field(S, {{0}}, {node.name!r})", safe=False)
    members = [name for owner, name in checker.env.members if owner == kind.name]
    message = unknown("{type} has no member `{name}`", node.name, members, type=kind)
    return checker.refuse("unknown-member", message, node)


def has(checker: Checker, node: Syntax) -> Tree:
    """Find out what ``has`` asks: whether a map has the key, or a member is not null."""
    (asked,) = node.parts
    while asked.rule == "brackets":
        (asked,) = asked.parts
    if asked.rule != "select":
        checker.refuse("syntax", "has() asks for a field, as in has(a.b)", node)
    tree = checker.visit(asked.parts[0])
    kind, known = tree.type, (tree.type.name, asked.name) in checker.env.members
    fits = kind.name == "map" and (checker.lenient or checker.accepts(kind.args[0], STRING))
    if not known and fits:
        code, safe = f"_has_key(S, {{0}}, {asked.name!r})", is_safe(tree)
    elif not known and kind.name == "dyn":
        code, safe = f"_has_field(S, {{0}}, {asked.name!r})", False
    else:
        _, code, safe = member(checker, asked, tree)
        code = f"({code} is not None)"
    return Member(BOOL, node.start, node.end, tree, asked.name, True, code, safe)


def _apply(
    checker: Checker, node: Syntax, name: str, parts: Sequence[Syntax], *, method: bool
) -> Tree:
    overloads = [*checker.env.functions.get(name, ()), *FUNCTIONS.get(name, ())]
    fitting = [one for one in overloads if one.method is method]
    if not fitting:
        _unknown(checker, node, name, overloads)
    arguments = [checker.visit(part) for part in parts]
    of_arity = [one for one in fitting if len(one.parameters) == len(arguments)]
    if not of_arity:
        _wrong_arity(node, name, fitting, len(arguments), method=method)
    if name == "matches" and fitting[0] in FUNCTIONS[name]:
        _look_at_pattern(node, parts[-1])
    own = False
    if name == "type" and arguments[0].type.name not in BUILTIN:
        kind = type_source(Type(arguments[0].type.name))
        meaning = Meaning(TYPE, f"({{0}}, {kind})[1]", safe=True)
    else:
        chosen = choose(checker, of_arity, arguments, DYNAMIC.get(name))
        if chosen is None:
            wanted = " or ".join(dict.fromkeys(map(_signature, of_arity)))
            given = ", ".join(str(argument.type) for argument in arguments)
            template = "`{name}` takes {wanted}, not ({found})"
            message = Text(template, name=name, wanted=wanted, found=given)
            checker.refuse("no-overload", message, node)
        function, meaning = chosen
        own = function.own
        if own:
            checker.calls.add(name)
    safe = meaning.safe and all(map(is_safe, arguments))
    place = node.start, node.end
    return Applied(meaning.type, *place, name, tuple(arguments), meaning.code, safe, own)


def _signature(function: Function) -> str:
    return f"({', '.join(map(str, function.parameters))})"


def _look_at_pattern(node: Syntax, pattern: Syntax) -> None:
    """Refuse an invalid pattern, or any pattern if RE2 is not installed."""
    place = pattern if pattern.rule == "literal" and is_available() else node
    try:
        compile_pattern(pattern.value if isinstance(pattern.value, str) else "")
    except ExpressionError as error:
        raise ExpressionError(error.code, error.message, place.start, place.end) from None


def _unknown(checker: Checker, node: Syntax, name: str, overloads: Sequence[Function]) -> NoReturn:
    start = node.word.start_pos or 0
    place = (start, start + len(node.name))
    if name in LEFT_OUT:
        raise ExpressionError(
            "unsupported",
            Text("`{name}` is not supported: {reason}", name=name, reason=LEFT_OUT[name]),
            *place,
        )
    if overloads:
        way = f"x.{name}(...)" if overloads[0].method else f"{name}(...)"
        raise ExpressionError(
            "unknown-function", Text("`{name}` is called as {way}", name=name, way=way), *place
        )
    known = [*checker.env.functions, *FUNCTIONS, *(m for m, _ in MACROS)]
    if node.rule == "call":
        message = unknown("there is no function `{name}`", name, known)
    else:
        message = unknown("there is no method `{name}`", name, known)
        if "other" not in message.values:
            receiver = checker.visit(node.parts[0])
            methods = _methods(checker, receiver)
            if methods:
                message = Text(
                    "there is no method `{name}`; of {type} there is: {names}",
                    name=name,
                    type=receiver.type,
                    names=methods,
                )
    raise ExpressionError("unknown-function", message, *place)


def _methods(checker: Checker, receiver: Tree) -> tuple[str, ...]:
    """Return the methods of a value."""
    known = {
        name
        for table in (checker.env.functions, FUNCTIONS)
        for name, overloads in table.items()
        for one in overloads
        if one.method and Unifier(checker.env.nullable).accept(one.parameters[0], receiver.type)
    }
    if receiver.type.name in ("list", "map") or checker.iteration(receiver.type):
        known |= {name for name, _ in MACROS}
    return tuple(sorted(known))


def _wrong_arity(
    node: Syntax, name: str, overloads: Sequence[Function], given: int, *, method: bool
) -> NoReturn:
    own = int(method)
    counts = sorted({len(one.parameters) - own for one in overloads})
    message = Text(
        "`{name}` takes {wanted} argument, not {found}; its types are {types}"
        if counts == [1]
        else "`{name}` takes {wanted} arguments, not {found}; its types are {types}",
        name=name,
        wanted=either(counts),
        found=given - own,
        types=either(dict.fromkeys(_signature(one) for one in overloads)),
    )
    raise ExpressionError("arity", message, node.start, node.end)


def choose(
    checker: Checker,
    overloads: Sequence[Function],
    arguments: Sequence[Tree],
    dynamic: Function | None = None,
) -> tuple[Function, Meaning] | None:
    """Return the overload that fits the arguments, and what it means for them, or None.

    Where the type of an argument is not known, the only overload that could fit is taken and the
    argument tested at evaluation; if several could, ``dynamic`` chooses at evaluation.
    """
    possible: list[tuple[Function, Unifier]] = []
    for one in overloads:
        types = Unifier(checker.env.nullable)
        pairs = zip(one.parameters, arguments, strict=True)
        if all(types.accept(wanted, given.type) for wanted, given in pairs):
            if not types.dynamic:
                return one, _meaning(checker, one, types)
            possible.append((one, types))
    if possible and dynamic:
        return dynamic, _meaning(checker, dynamic, possible[0][1])
    if len(possible) != 1:
        return None
    one, types = possible[0]
    meaning = _meaning(checker, one, types)
    code = meaning.code
    for place, (wanted, given) in enumerate(zip(one.parameters, arguments, strict=True)):
        kind = checker.certain(types.resolve(wanted), given.type)
        if kind is not None and kind != given.type:
            part = f"{{{place}}}"
            code = code.replace(part, tested(part, given.type, kind))
    return one, Meaning(meaning.type, code, safe=False)


def _meaning(checker: Checker, function: Function, types: Unifier) -> Meaning:
    checker.reads |= function.reads
    return Meaning(types.resolve(function.result), function.code, function.safe)


def operator(checker: Checker, name: str, arguments: Sequence[Tree]) -> Meaning | None:
    """Return what an operator means that the engine overloads for these types, or None."""
    overloads = [
        one for one in checker.env.functions.get(name, ()) if len(one.parameters) == len(arguments)
    ]
    chosen = choose(checker, overloads, arguments) if overloads else None
    return None if chosen is None else chosen[1]


_ELSEWHERE = {
    "len": "size", "length": "size", "any": "exists", "some": "exists", "every": "all",
    "find": "filter", "where": "filter", "select": "map", "includes": "contains",
    "unique": "distinct", "reversed": "reverse", "sorted": "sort",
}  # fmt: skip
"""What functions are called in other languages."""


def unknown(template: str, name: str, known: Sequence[str], **values: object) -> Text:
    """Say that there is no such ``name``, and what may have been meant."""
    near = _nearest(name, known)
    if near is None:
        return Text(template, name=name, **values)
    return Text(template + "; did you mean `{other}`?", name=name, other=near, **values)


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the name that may have been meant."""
    if name in RESERVED:
        return None
    # In other case, or as a thing of some kind; else what is spelled alike.
    near = [other for other in known if other.casefold() == name.casefold()]
    near += [other for other in known if other.endswith(f".{name.casefold()}")]
    near += [other for other in known if other == _ELSEWHERE.get(name)]
    near = near or suggest(name, known)
    return near[0] if near else None

"""Calls: macros, functions and methods, and the choice among overloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from altay_cli.expressions.code import Code, type_source
from altay_cli.expressions.environment import Function
from altay_cli.expressions.errors import ExpressionError
from altay_cli.expressions.macros import MACROS, macro
from altay_cli.expressions.regex import compile_pattern, is_available
from altay_cli.expressions.stdlib import DYNAMIC, FUNCTIONS, LEFT_OUT
from altay_cli.expressions.syntax import Call, Group, Literal, Node, Select
from altay_cli.expressions.types import BUILTIN, TYPE, Type, Unifier

if TYPE_CHECKING:
    from altay_cli.expressions.checker import Checker


def call(checker: Checker, node: Call) -> Code:
    """Write a call: a macro, a function or a method."""
    if node.receiver is None:
        if node.name == "has" and len(node.arguments) == 1:
            return _has(checker, node)
        return _apply(checker, node, node.name, list(node.arguments), method=False)
    path = checker.path(node.receiver)
    if path and f"{path}.{node.name}" in checker.env.functions:
        name = f"{path}.{node.name}"
        return _apply(checker, node, name, list(node.arguments), method=False)
    if (node.name, len(node.arguments)) in MACROS:
        return macro(checker, node)
    return _apply(checker, node, node.name, [node.receiver, *node.arguments], method=True)


def _has(checker: Checker, node: Call) -> Code:
    inner = node.arguments[0]
    while isinstance(inner, Group):
        inner = inner.inner
    if not isinstance(inner, Select):
        checker.refuse("syntax", "has() asks for a field, as in has(a.b)", node)
    return checker.has(inner)


def _apply(checker: Checker, node: Call, name: str, parts: list[Node], *, method: bool) -> Code:
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
    if name == "type" and arguments[0].type.name not in BUILTIN:
        kind = type_source(Type(arguments[0].type.name))
        return Code(TYPE, f"({arguments[0].text}, {kind})[1]", arguments[0].safe)
    chosen = choose(checker, of_arity, arguments, DYNAMIC.get(name))
    if chosen:
        function, code = chosen
        checker.notes.functions[id(node)] = (name, function)
        return code
    wanted = " or ".join(dict.fromkeys(_signature(one) for one in of_arity))
    found = ", ".join(str(argument.type) for argument in arguments)
    return checker.refuse("no-overload", f"`{name}` takes {wanted}, not ({found})", node)


def _signature(function: Function) -> str:
    return f"({', '.join(map(str, function.parameters))})"


def _look_at_pattern(node: Call, pattern: Node) -> None:
    """Refuse an invalid pattern, or any pattern if RE2 is not installed."""
    written = pattern.value if isinstance(pattern, Literal) else ""
    place = pattern if isinstance(pattern, Literal) and is_available() else node
    try:
        compile_pattern(written if isinstance(written, str) else "")
    except ExpressionError as error:
        raise ExpressionError(error.code, error.message, place.start, place.end) from None


def _unknown(checker: Checker, node: Call, name: str, overloads: Sequence[Function]) -> NoReturn:
    from altay_cli.expressions.checker import suggestion

    place = (node.name_start, node.name_start + len(node.name))
    if name in LEFT_OUT:
        raise ExpressionError("unsupported", f"`{name}` is not supported: {LEFT_OUT[name]}", *place)
    if overloads:
        way = f"x.{name}(...)" if overloads[0].method else f"{name}(...)"
        raise ExpressionError("unknown-function", f"`{name}` is called as {way}", *place)
    hint = suggestion(name, [*checker.env.functions, *FUNCTIONS, *(m for m, _ in MACROS)])
    if not hint and node.receiver is not None:
        hint = _methods(checker, checker.visit(node.receiver))
    word = "method" if node.receiver else "function"
    raise ExpressionError("unknown-function", f"there is no {word} `{name}`{hint}", *place)


def _methods(checker: Checker, receiver: Code) -> str:
    """Return the end of a message that lists the methods of a value."""
    known = {
        name
        for table in (checker.env.functions, FUNCTIONS)
        for name, overloads in table.items()
        for one in overloads
        if one.method and Unifier(checker.env.nullable).accept(one.parameters[0], receiver.type)
    }
    if receiver.type.name in ("list", "map") or iteration(checker, receiver):
        known |= {name for name, _ in MACROS}
    return f"; of {receiver.type} there is: {', '.join(sorted(known))}" if known else ""


def _wrong_arity(
    node: Call, name: str, overloads: Sequence[Function], found: int, *, method: bool
) -> NoReturn:
    own = int(method)
    counts = sorted({len(one.parameters) - own for one in overloads})
    wanted = " or ".join(map(str, counts))
    word = "argument" if counts == [1] else "arguments"
    shown = " or ".join(dict.fromkeys(_signature(one) for one in overloads))
    raise ExpressionError(
        "arity",
        f"`{name}` takes {wanted} {word}, not {found - own}; its types are {shown}",
        node.start,
        node.end,
    )


def choose(
    checker: Checker,
    overloads: Sequence[Function],
    arguments: Sequence[Code],
    dynamic: Function | None = None,
) -> tuple[Function, Code] | None:
    """Return the overload that fits the arguments, with its code, or None.

    Where the type of an argument is not known, the only overload that could fit is taken and the
    argument tested at evaluation; if several could, ``dynamic`` chooses at evaluation.
    """
    possible: list[tuple[Function, Unifier]] = []
    for one in overloads:
        unifier = Unifier(checker.env.nullable)
        pairs = zip(one.parameters, arguments, strict=True)
        if all(unifier.accept(wanted, found.type) for wanted, found in pairs):
            if not unifier.dynamic:
                return one, _filled(checker, one, arguments, unifier.resolve(one.result))
            possible.append((one, unifier))
    if possible and dynamic:
        return dynamic, _filled(checker, dynamic, arguments, dynamic.result)
    if len(possible) != 1:
        return None
    one, unifier = possible[0]
    tested = [
        _tested(checker, unifier.resolve(wanted), argument)
        for wanted, argument in zip(one.parameters, arguments, strict=True)
    ]
    return one, _filled(checker, one, tested, unifier.resolve(one.result))


def _tested(checker: Checker, wanted: Type, argument: Code) -> Code:
    unifier = Unifier(checker.env.nullable)
    unifier.accept(wanted, argument.type)
    if not unifier.dynamic:
        return argument
    return Code(wanted, f"_conform(S, {argument.text}, {type_source(wanted)})")


def _filled(checker: Checker, function: Function, arguments: Sequence[Code], result: Type) -> Code:
    checker.reads |= function.reads
    text = function.code.format(*(argument.text for argument in arguments))
    return Code(result, text, function.safe and all(argument.safe for argument in arguments))


def operator(checker: Checker, name: str, arguments: Sequence[Code]) -> Code | None:
    """Return the code of an operator that the engine overloads for these types, or None."""
    overloads = [
        one for one in checker.env.functions.get(name, ()) if len(one.parameters) == len(arguments)
    ]
    chosen = choose(checker, overloads, arguments) if overloads else None
    return None if chosen is None else chosen[1]


def iteration(checker: Checker, container: Code) -> tuple[str, Type] | None:
    """Return the code of an engine value as a list, and the type of its elements; or None."""
    for one in checker.env.iterables:
        unifier = Unifier(checker.env.nullable)
        if unifier.accept(one.of, container.type):
            return one.code.format(container.text), unifier.resolve(one.element)
    return None

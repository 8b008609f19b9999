"""Operators: how they are checked, and how they are written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from altay_cli.expressions import calls
from altay_cli.expressions.code import Code
from altay_cli.expressions.syntax import Chain, Literal
from altay_cli.expressions.types import (
    BOOL,
    DYN,
    INT,
    NULL,
    SCALARS,
    STRING,
    Type,
    list_of,
)

if TYPE_CHECKING:
    from altay_cli.expressions.checker import Checker
    from altay_cli.expressions.syntax import Logic, Negation, Node

# A chain longer than this becomes a loop: nested calls would reach Python's limits.
LONG_CHAIN = 12

_ON_INTS = {"+": "_add", "-": "_subtract", "*": "_multiply", "/": "_divide", "%": "_remainder"}
_SIMPLE = SCALARS | {"null_type", "type", "nothing"}
_ON_ANY = {"+": "_plus", "-": "_minus", "*": "_times", "/": "_over", "%": "_modulo"}


def negation(checker: Checker, node: Negation) -> Code:
    """``!`` of a bool, ``-`` of an int; any number of them."""
    if node.operator == "!":
        operand = checker.condition(node.operand)
        if node.times % 2:
            return Code(BOOL, f"(not {operand.text})", operand.safe)
        return operand
    operand = checker.visit(node.operand)
    if node.times == 1:
        overloaded = calls.operator(checker, "@-", [operand])
        if overloaded:
            return overloaded
    operand = checker.expect(node.operand, operand, INT)
    return Code(INT, f"_negate({operand.text}, {node.times})")


def logic(checker: Checker, node: Logic) -> Code:
    """``&&`` and ``||``.

    Their operands commute, errors and all. So those that cannot raise go first, as plain Python:
    if they decide, the errors of the others would not have counted, and one other operand that
    raises is then just its error. Only two or more that may raise need a helper.
    """
    operands = [checker.condition(operand) for operand in node.operands]
    word, helper = ("and", "_both") if node.operator == "&&" else ("or", "_either")
    safe = [operand.text for operand in operands if operand.safe]
    unsafe = [operand.text for operand in operands if not operand.safe]
    if len(unsafe) > 1 and not checker.quick:
        checker.absorbs = True
        unsafe = [f"{helper}({', '.join(f'lambda: {text}' for text in unsafe)})"]
    text = f" {word} ".join(safe + unsafe)
    return Code(BOOL, f"({text})" if len(safe + unsafe) > 1 else text, not unsafe)


def chain(checker: Checker, node: Chain) -> Code:
    """Operators applied from left to right."""
    value = checker.visit(node.first)
    if len(node.rest) <= LONG_CHAIN:
        for sign, operand in node.rest:
            value = _binary(checker, sign, value, checker.visit(operand), node)
        return value
    steps = []
    start = value.text
    for sign, operand in node.rest:
        right = checker.visit(operand)
        left = Code(value.type, "_l", safe=True)
        value = _binary(checker, sign, left, Code(right.type, "_r", safe=True), node)
        steps.append(f"((lambda _l, _r: {value.text}), {right.text})")
    return Code(value.type, f"_fold({start}, {', '.join(steps)})")


def _binary(checker: Checker, sign: str, left: Code, right: Code, node: Node) -> Code:
    overloaded = calls.operator(checker, "@" + sign, [left, right])
    if overloaded:
        return overloaded
    if sign in ("==", "!="):
        return _equality(checker, sign, left, right, node)
    if sign == "in":
        return _membership(checker, left, right, node)
    if sign in _ON_INTS:
        return _arithmetic(checker, sign, left, right, node)
    return _ordering(checker, sign, left, right, node)


def _equality(checker: Checker, sign: str, left: Code, right: Code, node: Node) -> Code:
    """Plain Python where the types are known and agree.

    For the engine's types == is the engine's; null is None.
    """
    safe = left.safe and right.safe
    for one, other in ((left, right), (right, left)):
        if one.type == NULL and (other.type == NULL or other.type.name in checker.env.nullable):
            word = "is" if sign == "==" else "is not"
            return Code(BOOL, f"({other.text} {word} {one.text})", safe)
    agree = checker.join(left.type, right.type) is not None
    if not agree and not checker.lenient:
        checker.refuse(
            "wrong-type",
            f"{left.type} and {right.type} are never equal; `{sign}` compares values of one type"
            f"{_thing_hint(checker, left, right, node)}",
            node,
        )
    if agree and _is_flat(checker, left.type) and _is_flat(checker, right.type):
        return Code(BOOL, f"({_walked(left, right)} {sign} {right.text})", safe)
    helper = "_equal" if sign == "==" else "_unequal"
    return Code(BOOL, f"{helper}(S, {left.text}, {right.text})", safe)


def _thing_hint(checker: Checker, left: Code, right: Code, node: Node) -> str:
    """Return the end of a message that names the thing whose id is written as a text."""
    kinds = {left.type, right.type} - {STRING}
    if STRING not in (left.type, right.type) or not isinstance(node, Chain):
        return ""
    for part in (node.first, *(operand for _, operand in node.rest)):
        if isinstance(part, Literal) and isinstance(part.value, str):
            for name, known in checker.env.names.items():
                if known.type in kinds and name.endswith(f".{part.value}"):
                    return f"; did you mean `{name}`?"
    return ""


def _is_flat(checker: Checker, kind: Type) -> bool:
    """Whether Python compares values of the type as CEL does, and soon.

    Of lists only those of numbers and things: lists of lists may share their parts, so that
    comparing them takes far longer than making them did.
    """
    if kind.name == "list":
        (element,) = kind.args
        return element.name not in ("list", "string") and _is_flat(checker, element)
    return kind.name in _SIMPLE or kind.name in checker.env.nullable


def _walked(left: Code, right: Code) -> str:
    """Return the code of ``left``, paid for if the comparison may be long."""
    long = left.type.name in ("list", "string") and not (left.short or right.short)
    return f"_spread(S, {left.text})" if long else left.text


def _membership(checker: Checker, value: Code, container: Code, node: Node) -> Code:
    kind = container.type
    safe = value.safe and container.safe
    if kind == DYN:
        return Code(BOOL, f"_member(S, {value.text}, {container.text})")
    if kind.name in ("list", "map"):
        items, element = container.text, kind.args[0]
        helper = (
            f"_member(S, {value.text}, {items})"
            if kind.name == "list"
            else f"_has_key(S, {items}, {value.text})"
        )
    else:
        walked = calls.iteration(checker, container)
        if walked is None:
            checker.refuse("no-overload", f"`in` looks into lists and maps, not into {kind}", node)
        items, element = walked
        helper = f"_member(S, {value.text}, {items})"
    if checker.join(value.type, element) is None:
        if not checker.lenient:
            checker.refuse("wrong-type", f"{value.type} is never in {kind}", node)
        return Code(BOOL, helper, safe)
    if element.name == "list" or not (_is_flat(checker, element) and _is_flat(checker, value.type)):
        return Code(BOOL, helper, safe)
    if kind.name == "list" and not container.short:
        if element == STRING:
            return Code(BOOL, f"_among(S, {value.text}, {items})", safe)
        items = f"_spread(S, {items})"
    return Code(BOOL, f"({value.text} in {items})", safe)


def _arithmetic(checker: Checker, sign: str, left: Code, right: Code, node: Node) -> Code:
    kinds = {left.type.name, right.type.name}
    arguments = f"({left.text}, {right.text})"
    charged = f"(S, {left.text}, {right.text})"
    if kinds == {"int"}:
        return Code(INT, _ON_INTS[sign] + arguments)
    if sign == "+" and kinds == {"string"}:
        return Code(STRING, "_join_strings" + charged)
    if sign == "+" and kinds == {"list"}:
        element = checker.join(left.type.args[0], right.type.args[0])
        if element or checker.lenient:
            return Code(list_of(element or DYN), "_join_lists" + charged)
    if "dyn" in kinds:
        known: Type = right.type if left.type == DYN else left.type
        if known in (DYN, INT) or (sign == "+" and known.name in ("string", "list")):
            return Code(DYN if known.name == "list" else known, _ON_ANY[sign] + charged)
    return _no_overload(checker, sign, left, right, node)


def _ordering(checker: Checker, sign: str, left: Code, right: Code, node: Node) -> Code:
    if left.type == right.type and left.type.name in SCALARS:
        text = f"({_walked(left, right)} {sign} {right.text})"
        return Code(BOOL, text, left.safe and right.safe)
    if DYN in (left.type, right.type) and {left.type.name, right.type.name} <= SCALARS | {"dyn"}:
        return Code(BOOL, f"_order(S, {sign!r}, {left.text}, {right.text})")
    return _no_overload(checker, sign, left, right, node)


def _no_overload(checker: Checker, sign: str, left: Code, right: Code, node: Node) -> NoReturn:
    checker.refuse("no-overload", f"`{sign}` cannot join {left.type} and {right.type}", node)

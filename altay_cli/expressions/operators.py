"""What operators mean, by the types of their operands."""

from __future__ import annotations

from typing import NoReturn

from altay_cli.base.text import Text
from altay_cli.expressions import calls
from altay_cli.expressions import typed as t
from altay_cli.expressions.calls import Meaning
from altay_cli.expressions.context import Checker
from altay_cli.expressions.parser import Syntax
from altay_cli.expressions.printing import tested
from altay_cli.expressions.types import BOOL, DYN, INT, NULL, SCALARS, STRING, Type, list_of

_ON_INTS = {"+": "_add", "-": "_subtract", "*": "_multiply", "/": "_divide", "%": "_remainder"}
_SIMPLE = SCALARS | {"null_type", "type", "nothing"}


def negation(checker: Checker, node: Syntax) -> t.Tree:
    """``!`` of a bool, ``-`` of an int; of any number of them, at most two count."""
    (operand,), times = node.parts, len(node.signs)
    if node.signs[0] == "!":
        tree = checker.condition(operand)
        if times % 2 == 0 and tree.type != DYN:
            return tree
    else:
        tree = checker.visit(operand)
    for _ in range(2 - times % 2):
        tree = _negated(checker, node, tree)
    return tree


def _negated(checker: Checker, node: Syntax, tree: t.Tree) -> t.Applied:
    place = node.start, node.end
    if node.signs[0] == "!":
        code = "(not _truth({0}))" if tree.type == DYN else "(not {0})"
        return t.Applied(BOOL, *place, "!", (tree,), code, t.is_certain(tree))
    meaning = calls.operator(checker, "@-", [tree])
    if meaning is None:
        kind = checker.expect(node.parts[0], tree, INT)
        meaning = Meaning(INT, f"_negate({tested('{0}', tree.type, kind)})", safe=False)
    safe = meaning.safe and t.is_safe(tree)
    return t.Applied(meaning.type, *place, "-", (tree,), meaning.code, safe)


def logic(checker: Checker, node: Syntax) -> t.Tree:
    """``&&`` and ``||``."""
    operands = tuple(map(checker.condition, node.parts))
    safe = all(map(t.is_certain, operands))
    return t.Applied(BOOL, node.start, node.end, node.signs[0].value, operands, "", safe)


def chain(checker: Checker, node: Syntax) -> t.Tree:
    """Operators applied from left to right."""
    tree = checker.visit(node.parts[0])
    for token, operand in zip(node.signs, node.parts[1:], strict=True):
        right, sign = checker.visit(operand), token.value
        kind, code, safe = _binary(checker, sign, tree, right, node)
        safe = safe and t.is_safe(tree) and t.is_safe(right)
        tree = t.Applied(kind, node.start, operand.end, sign, (tree, right), code, safe)
    return tree


def _binary(checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
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


def _equality(checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
    """Plain Python where the types are known and agree.

    For the engine's types == is the engine's; null is None.
    """
    word = "is" if sign == "==" else "is not"
    for one, other, code in (
        (left, right, f"({{1}} {word} {{0}})"),
        (right, left, f"({{0}} {word} {{1}})"),
    ):
        if one.type == NULL and (other.type == NULL or other.type.name in checker.env.nullable):
            return Meaning(BOOL, code, safe=True)
    agree = checker.join(left.type, right.type) is not None
    if not agree and not checker.lenient:
        template = "{left} and {right} are never equal; `{sign}` compares values of one type"
        thing = _thing_meant(checker, left, right, node)
        if thing is not None:
            template += "; did you mean `{name}`?"
        message = Text(template, left=left.type, right=right.type, sign=sign, name=thing)
        checker.refuse("wrong-type", message, node)
    if agree and _is_flat(checker, left.type) and _is_flat(checker, right.type):
        return Meaning(BOOL, f"({_walked(left, right)} {sign} {{1}})", safe=True)
    helper = "_equal" if sign == "==" else "_unequal"
    return Meaning(BOOL, f"{helper}(S, {{0}}, {{1}})", safe=True)


def _thing_meant(checker: Checker, left: t.Tree, right: t.Tree, node: Syntax) -> str | None:
    """Return the name of the thing that may be meant where one is compared to a text."""
    kinds = {left.type, right.type} - {STRING}
    if STRING not in (left.type, right.type):
        return None
    for part in node.parts:
        if isinstance(part.value, str):
            for name, known in checker.env.names.items():
                if known.type in kinds and name.endswith(f".{part.value}"):
                    return name
    return None


def _is_flat(checker: Checker, kind: Type) -> bool:
    """Whether Python compares values of the type as CEL does, and soon.

    Of lists only those of numbers and things: lists of lists may share their parts, so that
    comparing them takes far longer than making them did.
    """
    if kind.name == "list":
        (element,) = kind.args
        return element.name not in ("list", "string") and _is_flat(checker, element)
    return kind.name in _SIMPLE or kind.name in checker.env.nullable


def _walked(left: t.Tree, right: t.Tree) -> str:
    """Return the code of ``left``, paid for if the comparison may be long."""
    long = left.type.name in ("list", "string") and not (_is_short(left) or _is_short(right))
    return "_spread(S, {0})" if long else "{0}"


def _is_short(tree: t.Tree) -> bool:
    """Whether a text or list is no longer than its expression."""
    return isinstance(tree, t.Constant | t.Listed)


def _membership(checker: Checker, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
    kind = right.type
    items = "{1}"
    if kind == DYN:
        return Meaning(BOOL, "_member(S, {0}, {1})", safe=False)
    if kind.name in ("list", "map"):
        element = kind.args[0]
    else:
        walked = checker.iteration(kind)
        if walked is None:
            checker.refuse(
                "no-overload",
                Text("`in` looks into lists and maps, not into {type}", type=kind),
                node,
            )
        items, element = walked[0].replace("{0}", "{1}"), walked[1]
    if checker.join(left.type, element) is None:
        if not checker.lenient:
            checker.refuse(
                "wrong-type", Text("{value} is never in {type}", value=left.type, type=kind), node
            )
        is_plain = False
    else:
        is_plain = (
            element.name != "list" and _is_flat(checker, element) and _is_flat(checker, left.type)
        )
    if not is_plain:
        code = "_has_key(S, {1}, {0})" if kind.name == "map" else f"_member(S, {{0}}, {items})"
    elif kind.name != "list" or _is_short(right):
        code = f"({{0}} in {items})"
    elif element == STRING:
        code = "_among(S, {0}, {1})"
    else:
        code = "({0} in _spread(S, {1}))"
    return Meaning(BOOL, code, safe=True)


def _arithmetic(checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
    kinds = {left.type.name, right.type.name}
    if kinds == {"int"}:
        return Meaning(INT, _ON_INTS[sign] + "({0}, {1})", safe=False)
    charged = "(S, {0}, {1})"
    if sign == "+" and kinds == {"string"}:
        return Meaning(STRING, "_join_strings" + charged, safe=False)
    if sign == "+" and kinds == {"list"}:
        element = checker.join(left.type.args[0], right.type.args[0])
        if element or checker.lenient:
            return Meaning(list_of(element or DYN), "_join_lists" + charged, safe=False)
    if "dyn" in kinds:
        known: Type = right.type if left.type == DYN else left.type
        if known in (DYN, INT) or (sign == "+" and known.name in ("string", "list")):
            kind = DYN if known.name == "list" else known
            return Meaning(kind, f"_arithmetic(S, {sign!r}, {{0}}, {{1}})", safe=False)
    return _no_overload(checker, sign, left, right, node)


def _ordering(checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
    if left.type == right.type and left.type.name in SCALARS:
        return Meaning(BOOL, f"({_walked(left, right)} {sign} {{1}})", safe=True)
    if DYN in (left.type, right.type) and {left.type.name, right.type.name} <= SCALARS | {"dyn"}:
        return Meaning(BOOL, f"_order(S, {sign!r}, {{0}}, {{1}})", safe=False)
    return _no_overload(checker, sign, left, right, node)


def _no_overload(
    checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax
) -> NoReturn:
    checker.refuse(
        "no-overload",
        Text(
            "`{sign}` cannot join {left} and {right}", sign=sign, left=left.type, right=right.type
        ),
        node,
    )

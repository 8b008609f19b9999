"""Check members, operators and calls; choose among overloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from altay_cli.base.findings import ExpressionError, Text, either
from altay_cli.base.suggest import suggest
from altay_cli.expressions import typed as t
from altay_cli.expressions.environment import Checker, Function, by_name, overload
from altay_cli.expressions.macros import MACROS, macro
from altay_cli.expressions.parser import RESERVED, Syntax
from altay_cli.expressions.printing import tested, type_source
from altay_cli.expressions.regex import compile_pattern, is_available
from altay_cli.expressions.types import (
    BOOL,
    BUILTIN,
    DYN,
    INT,
    NULL,
    SCALARS,
    STRING,
    TYPE,
    Type,
    Unifier,
    list_of,
    map_of,
    var,
)

_SIZED = (STRING, list_of(var("A")), map_of(var("A"), var("B")))

FUNCTIONS: Mapping[str, Sequence[Function]] = by_name(
    (
        *(overload("size", INT, "len({0})", kind, method=False) for kind in _SIZED),
        *(overload("size", INT, "len({0})", kind) for kind in _SIZED),
        *(
            overload("matches", BOOL, "_matches(S, {0}, {1})", STRING, STRING, method=m, safe=False)
            for m in (False, True)
        ),
        overload("contains", BOOL, "_contains(S, {0}, {1})", STRING, STRING),
        overload("startsWith", BOOL, "_starts_with(S, {0}, {1})", STRING, STRING),
        overload("endsWith", BOOL, "_ends_with(S, {0}, {1})", STRING, STRING),
        overload("int", INT, "{0}", INT, method=False),
        overload("int", INT, "_int_of(S, {0})", STRING, method=False, safe=False),
        overload("string", STRING, "{0}", STRING, method=False),
        overload("string", STRING, "str({0})", INT, method=False),
        overload("string", STRING, "('true' if {0} else 'false')", BOOL, method=False),
        overload("bool", BOOL, "{0}", BOOL, method=False),
        overload("bool", BOOL, "_bool_of({0})", STRING, method=False, safe=False),
        overload("type", TYPE, "_type_of(S, {0})", var("A"), method=False),
        overload("dyn", DYN, "{0}", var("A"), method=False),
    )
)

# Overloads for arguments of unknown type.
DYNAMIC: Mapping[str, Function] = {
    "size": Function((DYN,), INT, "_size({0})"),
    "int": Function((DYN,), INT, "_int_of(S, {0})"),
    "string": Function((DYN,), STRING, "_string_of({0})"),
    "bool": Function((DYN,), BOOL, "_bool_of({0})"),
}

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


class Meaning(NamedTuple):
    """What an operator or function means for the types of its operands.

    ``code`` and ``cell`` are templates, as in ``environment.Symbol``.

    safe: whether it never raises.
    """

    type: Type
    code: str
    safe: bool
    from_rules: bool = False
    cell: str | None = None


def call(checker: Checker, node: Syntax) -> t.Tree:
    """Check the call of a function."""
    if node.name == "has" and len(node.parts) == 1:
        return has(checker, node)
    return _apply(checker, node, node.name, node.parts, method=False)


def method(checker: Checker, node: Syntax) -> t.Tree:
    """Check a method call: a macro, a dotted function, or a method."""
    receiver, *arguments = node.parts
    if (path := checker.path(receiver)) and f"{path}.{node.name}" in checker.env.functions:
        return _apply(checker, node, f"{path}.{node.name}", arguments, method=False)
    if (node.name, len(arguments)) in MACROS:
        return macro(checker, node)
    return _apply(checker, node, node.name, node.parts, method=True)


def member(checker: Checker, node: Syntax, tree: t.Tree) -> Meaning:
    """Look up a member, or the entry of a map."""
    kind = tree.type
    if known := checker.env.members.get((kind.name, node.name)):
        checker.reads |= known.reads
        return Meaning(known.type, known.code, known.safe and t.is_safe(tree), cell=known.cell)
    if kind.name == "map" and checker.accepts(kind.args[0], STRING):
        return Meaning(kind.args[1], f"_entry(S, {{0}}, {node.name!r})", safe=False)
    if kind.name == "dyn":
        code = f"_entry(S, _with_field({{0}}, {node.name!r}), {node.name!r})"
        return Meaning(DYN, code, safe=False)
    members = [name for owner, name in checker.env.members if owner == kind.name]
    message = unknown("{type} has no member `{name}`", node.name, members, type=kind)
    return checker.refuse("unknown-member", message, node)


def has(checker: Checker, node: Syntax) -> t.Tree:
    """Check whether a map has the key, or a member is not null."""
    (asked,) = node.parts
    while asked.rule == "brackets":
        (asked,) = asked.parts
    if asked.rule != "select":
        checker.refuse("syntax", "has() asks for a field, as in has(a.b)", node)
    tree = checker.visit(asked.parts[0])
    kind, known = tree.type, (tree.type.name, asked.name) in checker.env.members
    fits = kind.name == "map" and (checker.lenient or checker.accepts(kind.args[0], STRING))
    if not known and fits:
        code, safe = f"_has_key(S, {{0}}, {asked.name!r})", t.is_safe(tree)
    elif not known and kind.name == "dyn":
        code, safe = f"_has_key(S, _with_field({{0}}, {asked.name!r}), {asked.name!r})", False
    else:
        meaning = member(checker, asked, tree)
        code, safe = f"({meaning.code} is not None)", meaning.safe
    return t.Member(BOOL, node.place, tree, asked.name, True, code, safe)


def _apply(
    checker: Checker, node: Syntax, name: str, parts: Sequence[Syntax], *, method: bool
) -> t.Tree:
    overloads = [*checker.env.functions.get(name, ()), *FUNCTIONS.get(name, ())]
    fitting = [option for option in overloads if option.method is method]
    if not fitting:
        _unknown(checker, node, name, overloads)
    arguments = [checker.visit(part) for part in parts]
    of_arity = [option for option in fitting if len(option.parameters) == len(arguments)]
    if not of_arity:
        counts = sorted({len(option.parameters) - method for option in fitting})
        template = "`{name}` takes {wanted} arguments, not {found}; its types are {types}"
        if counts == [1]:
            template = "`{name}` takes {wanted} argument, not {found}; its types are {types}"
        wanted, types = either(counts), either(dict.fromkeys(map(_signature, fitting)))
        values = {"name": name, "wanted": wanted, "found": len(arguments) - method, "types": types}
        checker.refuse("arity", template, node, **values)
    if name == "matches" and fitting[0] in FUNCTIONS[name]:
        _look_at_pattern(node, parts[-1])
    meaning = choose(checker, of_arity, arguments, DYNAMIC.get(name))
    if meaning is None:
        message = _no_method(checker, name, arguments[0]) if method else None
        if message is not None:
            checker.refuse("no-overload", message, node)
        wanted = " or ".join(dict.fromkeys(map(_signature, of_arity)))
        given = ", ".join(str(argument.type) for argument in arguments)
        template = "`{name}` takes {wanted}, not ({found})"
        checker.refuse("no-overload", template, node, name=name, wanted=wanted, found=given)
    kind, code, safe, from_rules, _ = meaning
    if name == "type" and arguments[0].type.name not in BUILTIN:
        code = f"_type_of(S, {{0}}, {type_source(Type(arguments[0].type.name))})"
    if from_rules:
        checker.calls.add(name)
    safe = safe and all(map(t.is_safe, arguments))
    return t.Applied(kind, node.place, name, tuple(arguments), code, safe, from_rules)


def _signature(function: Function) -> str:
    return f"({', '.join(map(str, function.parameters))})"


def _look_at_pattern(node: Syntax, pattern: Syntax) -> None:
    place = (pattern if pattern.rule == "literal" and is_available() else node).place
    try:
        compile_pattern(pattern.value if isinstance(pattern.value, str) else "")
    except ExpressionError as error:
        raise ExpressionError(error.code, error.message, *place) from None


def _unknown(checker: Checker, node: Syntax, name: str, overloads: Sequence[Function]) -> NoReturn:
    start = node.word.start_pos or 0
    place = (start, start + len(node.name))
    if name in LEFT_OUT:
        template = "`{name}` is not supported: {reason}"
        raise ExpressionError("unsupported", template, *place, name=name, reason=LEFT_OUT[name])
    if overloads:
        way = f"x.{name}(...)" if overloads[0].method else f"{name}(...)"
        template = "`{name}` is called as {way}"
        raise ExpressionError("unknown-function", template, *place, name=name, way=way)
    known = [*checker.env.functions, *FUNCTIONS, *(m for m, _ in MACROS)]
    if node.rule == "call":
        message = unknown("there is no function `{name}`", name, known)
    else:
        message = unknown("there is no method `{name}`", name, known)
        if "other" not in message.values:
            message = _no_method(checker, name, checker.visit(node.parts[0])) or message
    raise ExpressionError("unknown-function", message, *place)


def _no_method(checker: Checker, name: str, receiver: t.Tree) -> Text | None:
    known = {
        name
        for table in (checker.env.functions, FUNCTIONS)
        for name, overloads in table.items()
        for option in overloads
        if option.method
        and Unifier(checker.env.nullable).accept(option.parameters[0], receiver.type)
    }
    if receiver.type.name in ("list", "map") or checker.iteration(receiver.type):
        known |= {name for name, _ in MACROS}
    if not known or name in known:
        return None
    template = "there is no method `{name}`; of {type} there is: {names}"
    return Text(template, name=name, type=receiver.type, names=tuple(sorted(known)))


def choose(
    checker: Checker,
    overloads: Sequence[Function],
    arguments: Sequence[t.Tree],
    dynamic: Function | None = None,
) -> Meaning | None:
    """Return the overload that fits the arguments, or None.

    For arguments of unknown type, a single possible overload is tested at evaluation; of several,
    ``dynamic`` chooses then.
    """
    possible: list[tuple[Function, Unifier]] = []
    for option in overloads:
        types = Unifier(checker.env.nullable)
        pairs = zip(option.parameters, arguments, strict=True)
        if all(types.accept(wanted, given.type) for wanted, given in pairs):
            if not types.dynamic:
                return _meaning(checker, option, types)
            possible.append((option, types))
    if possible and dynamic:
        return _meaning(checker, dynamic, possible[0][1])
    if len(possible) != 1:
        return None
    option, types = possible[0]
    meaning = _meaning(checker, option, types)
    code, cell = meaning.code, meaning.cell
    for place, (wanted, given) in enumerate(zip(option.parameters, arguments, strict=True)):
        kind = checker.certain(types.resolve(wanted), given.type)
        if kind is not None and kind != given.type:
            part = f"{{{place}}}"
            argument = tested(part, given.type, kind)
            code = code.replace(part, argument)
            cell = cell and cell.replace(part, argument)
    return meaning._replace(code=code, safe=False, cell=cell)


def _meaning(checker: Checker, function: Function, types: Unifier) -> Meaning:
    checker.reads |= function.reads
    result = types.resolve(function.result)
    return Meaning(result, function.code, function.safe, function.from_rules, function.cell)


def operator(checker: Checker, name: str, arguments: Sequence[t.Tree]) -> Meaning | None:
    """Return the meaning of an operator for these types, or None."""
    overloads = [
        option
        for option in checker.env.functions.get(name, ())
        if len(option.parameters) == len(arguments)
    ]
    return choose(checker, overloads, arguments)


_ELSEWHERE = {
    "len": "size", "length": "size", "any": "exists", "some": "exists", "every": "all",
    "find": "filter", "where": "filter", "select": "map", "includes": "contains",
    "unique": "distinct", "reversed": "reverse", "sorted": "sort",
}  # fmt: skip


def unknown(template: str, name: str, known: Sequence[str], **values: object) -> Text:
    """Return the message that there is no ``name``."""
    near = [other for other in known if other.casefold() == name.casefold()]
    near += [other for other in known if other.endswith(f".{name.casefold()}")]
    near += [other for other in known if other == _ELSEWHERE.get(name)]
    near = near or suggest(name, known)
    if not near or name in RESERVED:
        return Text(template, name=name, **values)
    return Text(template + "; did you mean `{other}`?", name=name, other=near[0], **values)


# ---------------------------------------------------------------- operators


_ON_INTS = {"+": "_add", "-": "_subtract", "*": "_multiply", "/": "_divide", "%": "_remainder"}
_SIMPLE = SCALARS | {"null_type", "type", "nothing"}


def negation(checker: Checker, node: Syntax) -> t.Tree:
    """Check a chain of ``!`` or ``-``: one if odd, two if even."""
    (operand,), times, sign = node.parts, len(node.signs), node.signs[0].value
    tree = checker.condition(operand) if sign == "!" else checker.visit(operand)
    if sign == "!" and times % 2 == 0 and tree.type != DYN:
        return tree
    for _ in range(2 - times % 2):
        meaning = operator(checker, f"@{sign}", [tree])
        if meaning is None and sign == "!":
            code = "(not _truth({0}))" if tree.type == DYN else "(not {0})"
            meaning = Meaning(BOOL, code, safe=tree.type != DYN)
        elif meaning is None:
            kind = checker.expect(operand, tree, INT)
            meaning = Meaning(INT, f"_negate({tested('{0}', tree.type, kind)})", safe=False)
        safe = meaning.safe and t.is_safe(tree)
        tree = t.Applied(meaning.type, node.place, sign, (tree,), meaning.code, safe)
    return tree


def logic(checker: Checker, node: Syntax) -> t.Tree:
    """Check ``&&`` or ``||``."""
    operands = tuple(map(checker.condition, node.parts))
    safe = all(map(t.is_certain, operands))
    return t.Applied(BOOL, node.place, node.signs[0].value, operands, "", safe)


def chain(checker: Checker, node: Syntax) -> t.Tree:
    """Check operators from left to right."""
    tree = checker.visit(node.parts[0])
    for token, operand in zip(node.signs, node.parts[1:], strict=True):
        right, sign = checker.visit(operand), token.value
        check = _OPERATORS.get(sign, _ordering)
        overloaded = operator(checker, "@" + sign, [tree, right])
        meaning = overloaded or check(checker, sign, tree, right, node)
        safe = meaning.safe and t.is_safe(tree) and t.is_safe(right)
        place = node.place[0], operand.place[1]
        tree = t.Applied(meaning.type, place, sign, (tree, right), meaning.code, safe)
    return tree


def _equality(checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
    """Compare with plain Python if the types are known and agree; null is None."""
    word = "is" if sign == "==" else "is not"
    kinds = {left.type.name, right.type.name} - {NULL.name}
    if NULL in (left.type, right.type) and kinds <= checker.env.nullable:
        code = f"({{1}} {word} {{0}})" if left.type == NULL else f"({{0}} {word} {{1}})"
        return Meaning(BOOL, code, safe=True)
    agree = checker.join(left.type, right.type) is not None
    if not agree and not checker.lenient:
        template = "{left} and {right} are never equal; `{sign}` compares values of one type"
        thing = _intended_entity(checker, left, right, node)
        if thing is not None:
            template += "; did you mean `{name}`?"
        values = {"left": left.type, "right": right.type, "sign": sign, "name": thing}
        checker.refuse("wrong-type", template, node, **values)
    if agree and _is_flat(checker, left.type) and _is_flat(checker, right.type):
        return Meaning(BOOL, f"({_walked(left, right)} {sign} {{1}})", safe=True)
    code = "_equal(S, {0}, {1})" if sign == "==" else "(not _equal(S, {0}, {1}))"
    return Meaning(BOOL, code, safe=True)


def _intended_entity(checker: Checker, left: t.Tree, right: t.Tree, node: Syntax) -> str | None:
    kinds = {left.type, right.type}
    texts = [f".{part.value}" for part in node.parts if isinstance(part.value, str)]
    things = [n for n, known in checker.env.names.items() if known.type in kinds - {STRING}]
    near = (name for text in texts for name in things if name.endswith(text))
    return next(near, None) if STRING in kinds else None


def _is_flat(checker: Checker, kind: Type) -> bool:
    # Lists may share parts: comparing takes far longer than creating.
    if kind.name == "list":
        (element,) = kind.args
        return element.name not in ("list", "string") and _is_flat(checker, element)
    return kind.name in _SIMPLE or kind.name in checker.env.nullable


def _walked(left: t.Tree, right: t.Tree) -> str:
    if left.type.name not in _WALKS or _is_short(left) or _is_short(right):
        return "{0}"
    return _WALKS[left.type.name]


_WALKS = {"list": "_spread(S, {0})", "string": "_measured(S, {0})"}


def _is_short(tree: t.Tree) -> bool:
    return isinstance(tree, t.Constant | t.Listed)


def _membership(checker: Checker, _sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
    kind = right.type
    items = "{1}"
    if kind == DYN:
        return Meaning(BOOL, "_member(S, {0}, {1})", safe=False)
    if kind.name in ("list", "map"):
        element = kind.args[0]
    else:
        items, element = checker.iteration(kind) or checker.refuse(
            "no-overload", "`in` looks into lists and maps, not into {type}", node, type=kind
        )
        items = items.replace("{0}", "{1}")
    agree = checker.join(left.type, element) is not None
    if not agree and not checker.lenient:
        checker.refuse("wrong-type", "{value} is never in {type}", node, value=left.type, type=kind)
    is_flat = _is_flat(checker, element) and _is_flat(checker, left.type)
    if not (agree and is_flat and element.name != "list"):
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
    joined = "_concatenated(S, {0}, {1})"
    if sign == "+" and kinds == {"string"}:
        return Meaning(STRING, joined, safe=False)
    if sign == "+" and kinds == {"list"}:
        element = checker.join(left.type.args[0], right.type.args[0])
        if element or checker.lenient:
            return Meaning(list_of(element or DYN), joined, safe=False)
    if "dyn" in kinds:
        known: Type = right.type if left.type == DYN else left.type
        if known in (DYN, INT) or (sign == "+" and known.name in ("string", "list")):
            kind = DYN if known.name == "list" else known
            return Meaning(kind, f"_arithmetic(S, {sign!r}, {{0}}, {{1}})", safe=False)
    return _mismatch(checker, sign, left, right, node)


def _ordering(checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> Meaning:
    if left.type == right.type and left.type.name in SCALARS:
        return Meaning(BOOL, f"({_walked(left, right)} {sign} {{1}})", safe=True)
    if DYN in (left.type, right.type) and {left.type.name, right.type.name} <= SCALARS | {"dyn"}:
        return Meaning(BOOL, f"_order(S, {sign!r}, {{0}}, {{1}})", safe=False)
    return _mismatch(checker, sign, left, right, node)


def _mismatch(checker: Checker, sign: str, left: t.Tree, right: t.Tree, node: Syntax) -> NoReturn:
    template = "`{sign}` cannot join {left} and {right}"
    checker.refuse("no-overload", template, node, sign=sign, left=left.type, right=right.type)


_OPERATORS = {
    "==": _equality,
    "!=": _equality,
    "in": _membership,
    **dict.fromkeys(_ON_INTS, _arithmetic),
}
"""The checks of operators; all others compare the order."""

"""How expressions are read: what binds how tightly, and what is wrong where."""

from __future__ import annotations

import pytest

from altay_cli.base.errors import ExpressionError
from altay_cli.expressions.parser import parse
from altay_cli.expressions.syntax import (
    Brackets,
    Call,
    Chain,
    Conditional,
    Identifier,
    Index,
    ListLiteral,
    Literal,
    Logic,
    MapLiteral,
    Negation,
    Node,
    Select,
)
from tests.effort import at_most

CALLS = 2_000_000


def shown(node: Node) -> str:
    """Write a tree with every bracket that is implied."""
    match node:
        case Literal():
            return repr(node.value)
        case Identifier():
            return ("." if node.absolute else "") + node.name
        case Brackets():
            return f"({shown(node.inner)})"
        case Select():
            return f"<{shown(node.operand)}.{node.field}>"
        case Index():
            return f"<{shown(node.operand)}[{shown(node.key)}]>"
        case Call():
            inner = ", ".join(map(shown, node.arguments))
            receiver = f"{shown(node.receiver)}." if node.receiver else ""
            return f"<{receiver}{'.' if node.absolute else ''}{node.name}({inner})>"
        case ListLiteral():
            return f"[{', '.join(map(shown, node.items))}]"
        case MapLiteral():
            entries = (f"{shown(key)}: {shown(value)}" for key, value in node.entries)
            return f"{{{', '.join(entries)}}}"
        case Negation():
            return f"<{node.operator * node.times}{shown(node.operand)}>"
        case Chain():
            rest = "".join(f" {sign} {shown(operand)}" for sign, operand in node.rest)
            return f"<{shown(node.first)}{rest}>"
        case Logic():
            return f"<{f' {node.operator} '.join(map(shown, node.operands))}>"
        case Conditional():
            tests = "".join(f"{shown(test)} ? {shown(then)} : " for test, then in node.branches)
            return f"<{tests}{shown(node.otherwise)}>"
    raise TypeError(node)


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("a + b * c - d", "<a + <b * c> - d>"),
        ("a * b + c % d", "<<a * b> + <c % d>>"),
        ("a || b && c || d", "<a || <b && c> || d>"),
        ("a == b && c in d", "<<a == b> && <c in d>>"),
        ("a < b + 1 == true", "<a < <b + 1> == True>"),
        ("-a.b(c)[d]", "<-<<a.b(c)>[d]>>"),
        ("!!a && --b == -1", "<<!!a> && <<--b> == -1>>"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("a - -1", "<a - -1>"),
        ("-(1)", "<-(1)>"),
        ("a ? b : c ? d : e", "<a ? b : c ? d : e>"),
        ("(a ? b : c) ? d : e", "<(<a ? b : c>) ? d : e>"),
        ("a || b ? c && d : e + f", "<<a || b> ? <c && d> : <e + f>>"),
        ("{a ? b : c : d, 'e': f ? g : h,}", "{<a ? b : c>: d, 'e': <f ? g : h>}"),
        ("[a, [b], [], {}, ]", "[a, [b], [], {}]"),
        (".a + .b(c) + d.`e-f`.in", None),
        (".a + .b(c) + d.`e-f`.as", "<.a + <.b(c)> + <<d.e-f>.as>>"),
        ("f().g(a, b).h[i]", "<<<<f()>.g(a, b)>.h>[i]>"),
        ("f // a comment\n (a)", "<f(a)>"),
        ("inner in in_", "<inner in in_>"),
        ("r'\\d' + \"\\u00e9\"", "<'\\\\d' + 'é'>"),
    ],
)
def test_what_binds_how_tightly(source: str, tree: str | None) -> None:
    if tree is None:
        with pytest.raises(ExpressionError):
            parse(source)
    else:
        assert shown(parse(source)) == tree


@pytest.mark.parametrize(
    ("source", "start", "end", "words"),
    [
        ("", 0, 0, "the expression is empty"),
        ("(a", 1, 2, "`)` is missing"),
        ("f(a, b", 5, 6, "`)` is missing"),
        ("f(a,", 3, 4, "a value is missing"),
        ("[a", 1, 2, "`]` is missing"),
        ("[a,", 2, 3, "`]` is missing"),
        ("{a: b", 4, 5, "`}` is missing"),
        ("{a", 1, 2, "a value is missing"),
        ("(a ? b", 5, 6, "a value is missing"),
        ("a ? b : ", 7, 8, "a value is missing"),
        ("a.", 1, 2, "a value is missing"),
        ("a b", 2, 3, "an operator is missing"),
        ("a ? b ? c : d : e", 6, 7, "an operator is missing"),
        ("a : b", 2, 3, "an operator is missing"),
        ("{a ? b}", 6, 7, "an operator is missing"),
        ("{a}", 2, 3, "an operator is missing"),
        ("{a, b: c}", 2, 3, "an operator is missing"),
        ("(a]", 2, 3, "an operator is missing"),
        ("(a, b)", 2, 3, "an operator is missing"),
        ("a[b, c]", 3, 4, "an operator is missing"),
        ("(f)(a)", 3, 4, "an operator is missing"),
        ("a)", 1, 2, "an operator is missing"),
        ("()", 1, 2, "a value is missing"),
        ("a[]", 2, 3, "a value is missing"),
        ("[,]", 1, 2, "a value is missing"),
        ("f(a,)", 4, 5, "a value is missing"),
        ("(a + )", 5, 6, "a value is missing"),
        ("!-a", 1, 2, "a value is missing"),
        ("a.1", 1, 3, "an operator is missing"),
        ("a.'b'", 2, 5, "a value is missing"),
        ("for", 0, 3, "reserved word"),
        ("a?.b", 3, 4, "a value is missing"),
        ("a.?b", 2, 3, "optional values"),
        ("[?a]", 1, 2, "optional values"),
        ("a and b", 2, 5, "CEL writes and as `&&`"),
        ("not a", 4, 5, "CEL writes not as `!`"),
        ("T{a: 1}", 0, 2, "message literals"),
        ("1.5", 0, 3, "double"),
        ("a + 'b", 4, 5, "the string is not closed"),
        ("9223372036854775808", 0, 19, "64 bits"),
        ("a = b", 2, 3, "`==`"),
    ],
)
def test_what_is_wrong_where(source: str, start: int, end: int, words: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(source)
    assert words in caught.value.message
    assert (caught.value.start, caught.value.end) == (start, end)


@pytest.mark.parametrize("piece", ["(", "[", "{a:", "f(", "!", "-", "a?b:", "a.", "a[", "a+(", "'"])
def test_long_texts_are_read_quickly_and_without_recursion(piece: str) -> None:
    source = piece * (9_999 // len(piece))
    with at_most(CALLS), pytest.raises(ExpressionError):
        parse(source)

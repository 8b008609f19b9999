"""How expressions are read: what binds how tightly, and what is wrong where."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import ExpressionError
from altay_cli.expressions.parser import Syntax, parse
from tests.effort import at_most

CALLS = 2_000_000


def shown(node: Syntax) -> str:
    """Write a tree with every bracket that is implied."""
    inner = [shown(part) for part in node.parts]
    pairs = list(zip(inner[::2], inner[1::2], strict=False))
    match node.rule:
        case "literal":
            return repr(node.value)
        case "name":
            return ("." if node.is_absolute else "") + node.name
        case "brackets":
            return f"({inner[0]})"
        case "select":
            return f"<{inner[0]}.{node.name}>"
        case "index":
            return f"<{inner[0]}[{inner[1]}]>"
        case "call":
            return f"<{'.' if node.is_absolute else ''}{node.name}({', '.join(inner)})>"
        case "method":
            return f"<{inner[0]}.{node.name}({', '.join(inner[1:])})>"
        case "list":
            return f"[{', '.join(inner)}]"
        case "map":
            return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"
        case "negation":
            return f"<{''.join(node.signs)}{inner[0]}>"
        case "chain" | "logic":
            rest = "".join(
                f" {sign} {operand}" for sign, operand in zip(node.signs, inner[1:], strict=True)
            )
            return f"<{inner[0]}{rest}>"
        case "conditional":
            return f"<{''.join(f'{test} ? {then} : ' for test, then in pairs)}{inner[-1]}>"
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

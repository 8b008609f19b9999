"""Parse expressions, by ``grammar/cel.lark``.

Unsupported parts of CEL (google/cel-spec, doc/langdef.md) are parsed too, so errors can name them.
Nothing recurses, so no text can exhaust Python's stack.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer, Tree, UnexpectedCharacters, UnexpectedToken

from altay_cli.base.findings import ExpressionError, Text
from altay_cli.base.grammar import read_grammar
from altay_cli.expressions import limits
from altay_cli.expressions.types import INT_MAX

RESERVED = frozenset({
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
})  # fmt: skip

_LEFT_OUT = {
    "DOUBLE": "`{text}` is a double; there are only whole numbers here",
    "UINT": "`{text}` is an unsigned integer; leave out the `u`",
    "BYTES": "`{text}` is a bytes literal; there are only strings here",
}
_WORDS = {"true": True, "false": False, "null": None}
_CLOSED_BY = {"(": ("RPAR", ")"), "[": ("RSQB", "]"), "{": ("RBRACE", "}")}

_HINTS = {
    "=": "CEL compares with `==`",
    "&": "CEL writes and as `&&`",
    "|": "CEL writes or as `||`",
    "^": "CEL has no power operator",
    "~": "CEL writes not as `!`",
    ";": "an expression is one value, with no `;`",
    '"': "the string is not closed",
    "'": "the string is not closed",
    "`": "a quoted field holds letters, digits and _ . - / between two backticks",
}
_ESCAPE = re.compile(
    r"\\(?:([\\?\"'`abfnrtv])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})"
    r"|([0-3][0-7]{2})|([\s\S]))"
)
_SIMPLE_ESCAPES = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))

_OTHERS = {"and": "&&", "or": "||", "not": "!"}


class Syntax(NamedTuple):
    """A node of the syntax tree, with its operands, signs and value.

    place: start and end in the source, in code points.
    depth: the height of the node, bounded so later stages may recurse. Operators of one level share
        a node; so do successive conditionals: test, value, test, value, ..., otherwise.
    """

    rule: str
    place: tuple[int, int]
    depth: int
    parts: tuple[Syntax, ...] = ()
    signs: tuple[Token, ...] = ()
    value: bool | int | str | None = None

    @property
    def word(self) -> Token:
        """Its name, in backticks if quoted."""
        return next(sign for sign in self.signs if sign.type in ("NAME", "QUOTED"))

    @property
    def name(self) -> str:
        """The name of a value, function or field."""
        return self.word.strip("`")

    @property
    def is_absolute(self) -> bool:
        """Whether it is ``.name``, no variable of a macro."""
        return self.signs[0].type == "DOT"


_Parts = list[Any]


MAX_PARSED = 4096

parsed: dict[str, Syntax] = {}
"""Parsed expressions, at most ``MAX_PARSED``; the variants of a game share nearly all."""


def parse(source: str) -> Syntax:
    """Parse an expression; raise ExpressionError if it is malformed.

    The code is "too-long" or "too-deep" beyond the limits, "unsupported" for other parts of CEL,
    "int-range", or "syntax".

    >>> node = parse("cost + 2 * n")
    >>> node.rule, [sign.value for sign in node.signs], [part.rule for part in node.parts]
    ('chain', ['+'], ['name', 'chain'])
    """
    node = parsed.get(source)
    if node is None:
        node = _parse(source)
        if len(parsed) >= MAX_PARSED:
            parsed.clear()
        parsed[source] = node
    return node


def _parse(source: str) -> Syntax:
    size = len(source)
    if size > limits.MAX_LENGTH:
        template = "the expression has {count} characters; at most {most} are read"
        raise ExpressionError(
            "too-long", template, limits.MAX_LENGTH, size, count=size, most=limits.MAX_LENGTH
        )
    if surrogate := re.search("[\ud800-\udfff]", source):
        message = "half of a surrogate pair is not a character"
        raise ExpressionError("syntax", message, *surrogate.span())
    try:
        return cast("Syntax", parser().parse(source))
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        character = source[at]
        hint = _HINTS.get(character, "it has no meaning in an expression")
        shown = character if character.isprintable() else f"U+{ord(character):04X}"
        template = "cannot read `{text}`: {reason}"
        raise ExpressionError("syntax", template, at, at + 1, text=shown, reason=hint) from None
    except UnexpectedToken as error:
        raise _unexpected(source, error) from None


@cache
def parser() -> Lark:
    """Return the parser of expressions."""
    return read_grammar(
        "cel.lark", start="expression", lexer="basic", keep_all_tokens=True, transformer=_Nodes()
    )


class _Nodes(Transformer[Token, Syntax]):
    def __default__(self, rule: str, parts: _Parts, _: object) -> Any:
        if rule.startswith("_"):  # the parts become those of the enclosing rule
            return Tree(rule, parts)
        operands = tuple([part for part in parts if not isinstance(part, Token)])
        signs = tuple([part for part in parts if isinstance(part, Token)])
        node = Syntax(rule, _span(parts), _depth_over(*operands), operands, signs)
        if rule in ("name", "call") and node.name in RESERVED:
            template = "`{text}` is a reserved word of CEL"
            raise ExpressionError("syntax", template, *_span([node.word]), text=node.name)
        for operand in operands:
            _check_range(operand)
        return node

    def integer(self, parts: _Parts) -> Syntax:
        text: str = parts[0].value
        base = 16 if text.startswith("0x") else 10
        digits = text.removeprefix("0x").lstrip("0") or "0"
        # Python refuses very long numbers. One above the maximum is kept for the sign.
        return Syntax("literal", _span(parts), 1, value=min(int(digits[:20], base), INT_MAX + 2))

    def string(self, parts: _Parts) -> Syntax:
        place = _span(parts)
        return Syntax("literal", place, 1, value=_string_value(parts[0].value, place[0]))

    def word(self, parts: _Parts) -> Syntax:
        return Syntax("literal", _span(parts), 1, value=_WORDS[parts[0]])

    def left_out(self, parts: _Parts) -> Syntax:
        raise ExpressionError("unsupported", _LEFT_OUT[parts[0].type], *_span(parts), text=parts[0])

    def signed(self, parts: _Parts) -> Syntax:
        signs: list[Token] = parts[:-1]
        operand: Syntax = parts[-1]
        if signs and signs[0] == "-" and type(operand.value) is int:
            # The least integer has no positive counterpart, so the minus belongs to the literal.
            _check_range(operand, INT_MAX + 1)
            place = _span([signs.pop(), operand])
            operand = operand._replace(place=place, value=-operand.value)
        _check_range(operand)
        if not signs:
            return operand
        place, depth = _span([*signs, operand]), _depth_over(operand)
        return Syntax("negation", place, depth, (operand,), tuple(signs))

    def conditional(self, parts: _Parts) -> Syntax:
        test, _, then, _, otherwise = parts
        operands, depth = (test, then, otherwise), _depth_over(test, then, otherwise)
        if otherwise.rule == "conditional":
            operands = (test, then, *otherwise.parts)
            depth = max(_depth_over(test, then), otherwise.depth)
        if len(operands) // 2 > limits.MAX_BRANCHES:
            template = "more than {count} conditions in a row"
            raise ExpressionError("too-deep", template, *_span(parts), count=limits.MAX_BRANCHES)
        return Syntax("conditional", _span(parts), depth, operands)


def _span(parts: Sequence[Any]) -> tuple[int, int]:
    first, last = parts[0], parts[-1]
    start = first.start_pos or 0 if isinstance(first, Token) else first.place[0]
    return start, last.end_pos or 0 if isinstance(last, Token) else last.place[1]


def _check_range(node: Syntax, most: int = INT_MAX) -> None:
    """Refuse a number above ``most``; one more is allowed after a minus."""
    if type(node.value) is int and node.value > most:
        message = "this integer does not fit into 64 bits: it must be from -2^63 to 2^63-1"
        raise ExpressionError("int-range", message, *node.place)


def _depth_over(*nodes: Syntax) -> int:
    depth = 1 + max((node.depth for node in nodes), default=0)
    if depth > limits.MAX_DEPTH:
        template = "the expression is nested more than {count} levels deep"
        raise ExpressionError("too-deep", template, *_span(nodes), count=limits.MAX_DEPTH)
    return depth


# ---------------------------------------------------------------- literals


def _string_value(text: str, start: int) -> str:
    raw = text[0] in "rR"
    quoted = text[raw:]
    quotes = 3 if quoted.startswith(('"""', "'''")) else 1
    body, offset = quoted[quotes:-quotes], start + raw + quotes
    if "\r" in body:
        message = (
            "a bare carriage return in a string: CEL implementations disagree whether it stays;"
            " write \\r or \\n"
        )
        at = offset + body.index("\r")
        raise ExpressionError("unsupported", message, at, at + 1)
    return body if raw else _ESCAPE.sub(lambda escape: _unescape(escape, offset), body)


def _unescape(escape: re.Match[str], offset: int) -> str:
    simple, byte, short, long, octal, _other = escape.groups()
    if simple:
        return _SIMPLE_ESCAPES.get(simple, simple)
    if octal:
        return chr(int(octal, 8))
    digits = byte or short or long
    why = "write \\\\ for a backslash, or begin the string with r"
    if digits:
        point = int(digits, 16)
        if point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF:
            return chr(point)
        why = "that is not a Unicode character"
    message = Text("the string has the unknown escape {text}: {reason}", text=escape[0], reason=why)
    raise ExpressionError("syntax", message, offset + escape.start(), offset + escape.end())


# ---------------------------------------------------------------- syntax errors


def _unexpected(source: str, error: UnexpectedToken) -> ExpressionError:
    parser: Any = error.interactive_parser
    open_parts, accepted = parser.parser_state.value_stack, parser.accepts()
    if error.token.type == "$END":
        return _too_short(source, open_parts, accepted)
    start, end = _span([error.token])
    sign = source[start:end]
    before = source[:start]
    if "NAME" not in accepted and "DOT" in accepted:
        # This token reduces the parts before it, whose errors come first.
        parser.feed_token(Token("DOT", "."))
    word = re.search(r"\b(not)\s+$", before) or re.match(r"(and|or)$", sign)
    if word:
        hint = f"CEL writes {word[1]} as `{_OTHERS[word[1]]}`"
    elif sign == "?" and before.rstrip()[-1:] in {"", ".", "[", "{", ","}:
        message = "optional values (`?`) are not supported"
        return ExpressionError("unsupported", message, start, end)
    elif "NAME" in accepted:
        hint = "a value is missing before it"
    elif sign == "{":
        message = "message literals `Type{...}` are not supported"
        return ExpressionError("unsupported", message, open_parts[-2].place[0], end)
    else:
        hint = "an operator is missing before it, or the expression should end"
    message = Text("did not expect `{text}` here: {reason}", text=sign, reason=hint)
    return ExpressionError("syntax", message, start, end)


def _too_short(source: str, open_parts: _Parts, accepted: set[str]) -> ExpressionError:
    end = len(source)
    if not source.strip():
        return ExpressionError("syntax", "the expression is empty", 0, end)
    message = "the expression ends where a value is missing"
    opened = [part for part in open_parts if isinstance(part, Token) and part in _CLOSED_BY]
    name, closing = _CLOSED_BY[opened[-1]] if opened else ("", "")
    if name in accepted:
        message = Text("the expression ends where `{text}` is missing", text=closing)
    return ExpressionError("syntax", message, end - 1, end)

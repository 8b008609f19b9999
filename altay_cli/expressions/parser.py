"""Expression text to syntax tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from altay_cli.expressions.errors import ExpressionError
from altay_cli.expressions.literals import INT_MAX, int_magnitude, string_value
from altay_cli.expressions.syntax import (
    Call,
    Chain,
    Conditional,
    Group,
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
from altay_cli.resources import data_folder

if TYPE_CHECKING:
    from lark import Token

MAX_LENGTH = 10_000
MAX_DEPTH = 100
# Python's own parser reads a chain of conditionals recursively.
MAX_BRANCHES = 250

RESERVED = frozenset(
    (
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "package",
        "namespace",
        "return",
        "var",
        "void",
        "while",
    )
)

_LEFT_OUT = {
    "FLOAT": "`{}` is a double; there are only whole numbers here",
    "UINT": "`{}` is an unsigned integer; leave out the `u`",
    "BYTES": "`{}` is a bytes literal; there are only strings here",
}

Parts = list[Any]


def parse(source: str) -> Node:
    """Parse one expression.

    Raises:
        ExpressionError: "too-long" or "too-deep" beyond the limits of this module, "unsupported"
            for what CEL has and we do not, "int-range", and "syntax" for all else.

    """
    if len(source) > MAX_LENGTH:
        raise ExpressionError(
            "too-long",
            f"the expression has {len(source)} characters; at most {MAX_LENGTH} are read",
            MAX_LENGTH,
            len(source),
        )
    surrogate = re.search("[\ud800-\udfff]", source)
    if surrogate:
        raise ExpressionError(
            "syntax", "half of a surrogate pair is not a character", *surrogate.span()
        )
    return _read(source)


@lru_cache(maxsize=4096)
def _read(source: str) -> Node:
    """Read an expression; the same ones come again, with every variant of a game."""
    return _parser()(source)


@lru_cache(maxsize=1)
def _parser() -> Callable[[str], Node]:
    """Build the parser, at the first expression of the process: Lark takes time to load."""
    from lark import Lark, Transformer
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    transformer: Any = type("Tree", (_Builder, Transformer), {})()
    grammar = (data_folder("grammar") / "cel.lark").read_text(encoding="utf-8")
    lark = Lark(grammar, parser="lalr", lexer="basic", transformer=transformer)

    def read(source: str) -> Node:
        try:
            tree: Any = lark.parse(source)
        except UnexpectedCharacters as error:
            raise _strange_character(source, error.pos_in_stream or 0) from None
        except UnexpectedToken as error:
            raise _strange_token(source, error.token, error.expected) from None
        return _checked(tree)

    return read


_HINTS = {
    "=": "CEL compares with `==`",
    "&": "CEL writes and as `&&`",
    "|": "CEL writes or as `||`",
    "^": "CEL has no powers",
    "~": "CEL writes not as `!`",
    ";": "an expression is one value, with no `;`",
    '"': "the string is not closed",
    "'": "the string is not closed",
    "`": "a quoted field holds letters, digits and _ . - / between two backticks",
}
_WORDS = {"and": "&&", "or": "||", "not": "!"}


def _strange_character(source: str, at: int) -> ExpressionError:
    found = source[at]
    hint = _HINTS.get(found, "it has no meaning in an expression")
    shown = found if found.isprintable() else f"U+{ord(found):04X}"
    return ExpressionError("syntax", f"cannot read `{shown}`: {hint}", at, at + 1)


def _strange_token(source: str, token: Token, expected: set[str]) -> ExpressionError:
    if token.type == "$END":
        end = len(source)
        if not source.strip():
            return ExpressionError("syntax", "the expression is empty", 0, end)
        missing = [sign for name, sign in _CLOSING.items() if name in expected]
        what = f"`{missing[0]}`" if len(missing) == 1 else "a value"
        return ExpressionError(
            "syntax", f"the expression ends where {what} is missing", max(end - 1, 0), end
        )
    start, end = _span(token)
    text = str(token)
    word = re.search(r"\b(not)\s+$", source[:start]) or re.match(r"(and|or)$", text)
    if word:
        hint = f"CEL writes {word[1]} as `{_WORDS[word[1]]}`"
    elif token.type == "QUESTION" and source[:start].rstrip()[-1:] in ("", ".", "[", "{", ","):
        return ExpressionError("unsupported", "optional values (`?`) are left out", start, end)
    elif "IDENT" in expected or "INT" in expected:
        hint = "a value is missing before it"
    else:
        hint = "an operator is missing before it, or the expression should end"
    return ExpressionError("syntax", f"did not expect `{text}` here: {hint}", start, end)


_CLOSING = {"RPAR": ")", "RSQB": "]", "RBRACE": "}"}


def _span(token: Token) -> tuple[int, int]:
    start = token.start_pos or 0
    return start, start + len(token)


class _Builder:
    """Builds the nodes, from the leaves up, while Lark reads: nothing recurses."""

    def start(self, parts: Parts) -> Node:
        node: Node = parts[0]
        return node

    def literal(self, parts: Parts) -> Node:
        token = parts[0]
        start, end = _span(token)
        if token.type in _LEFT_OUT:
            raise ExpressionError("unsupported", _LEFT_OUT[token.type].format(token), start, end)
        value: bool | int | str | None
        if token.type == "INT":
            value = int_magnitude(token)
            # One more than the greatest is left for `negation` to judge.
            return Literal(start, end, 1, value)
        if token.type == "STRING":
            value = string_value(str(token), start)
        else:
            value = {"TRUE": True, "FALSE": False, "NULL": None}[token.type]
        return Literal(start, end, 1, value)

    def identifier(self, parts: Parts) -> Node:
        token = parts[-1]
        if token in RESERVED:
            raise ExpressionError("syntax", f"`{token}` is a reserved word of CEL", *_span(token))
        return Identifier(_span(parts[0])[0], _span(token)[1], 1, str(token), len(parts) > 1)

    def select(self, parts: Parts) -> Node:
        operand, _dot, token = parts
        quoted = token.type == "QUOTED"
        field = str(token)[1:-1] if quoted else str(token)
        end = _span(token)[1]
        operand = _checked(operand)
        return Select(operand.start, end, _over(operand), operand, field, quoted)

    def index(self, parts: Parts) -> Node:
        operand, _, index, closing = parts
        operand, index = _checked(operand), _checked(index)
        return Index(operand.start, _span(closing)[1], _over(operand, index), operand, index)

    def call(self, parts: Parts) -> Node:
        *names, _, arguments, closing = parts
        token = names[-1]
        if token in RESERVED:
            raise ExpressionError("syntax", f"`{token}` is a reserved word of CEL", *_span(token))
        start, end = _span(names[0])[0], _span(closing)[1]
        return Call(
            start,
            end,
            _over(*arguments),
            None,
            str(token),
            _span(token)[0],
            len(names) > 1,
            arguments,
        )

    def method(self, parts: Parts) -> Node:
        receiver, _, token, _, arguments, closing = parts
        receiver = _checked(receiver)
        return Call(
            receiver.start,
            _span(closing)[1],
            _over(receiver, *arguments),
            receiver,
            str(token),
            _span(token)[0],
            False,
            arguments,
        )

    def message(self, parts: Parts) -> NoReturn:
        raise ExpressionError(
            "unsupported",
            "message literals `Type{...}` are left out",
            parts[0].start,
            _span(parts[-1])[1],
        )

    def group(self, parts: Parts) -> Node:
        opening, inner, closing = parts
        inner = _checked(inner)
        return Group(_span(opening)[0], _span(closing)[1], _over(inner), inner)

    def list_literal(self, parts: Parts) -> Node:
        opening, items, closing = parts
        return ListLiteral(_span(opening)[0], _span(closing)[1], _over(*items), items)

    def map_literal(self, parts: Parts) -> Node:
        opening, entries, closing = parts
        depth = _over(*(node for entry in entries for node in entry))
        return MapLiteral(_span(opening)[0], _span(closing)[1], depth, entries)

    def arguments(self, parts: Parts) -> tuple[Node, ...]:
        return tuple(_checked(part) for part in parts if part is not None)

    elements = arguments

    def entries(self, parts: Parts) -> tuple[tuple[Node, Node], ...]:
        return tuple(part for part in parts if part is not None)

    fields = entries

    def entry(self, parts: Parts) -> tuple[Node, Node]:
        key, _, value = parts
        return _checked(key), _checked(value)

    def field(self, _parts: Parts) -> None:
        return None

    def negation(self, parts: Parts) -> Node:
        *signs, operand = parts
        start, count, operator = _span(signs[0])[0], len(signs), str(signs[0])
        if operator == "-" and isinstance(operand, Literal) and type(operand.value) is int:
            # A minus right before a number belongs to the literal: the least integer has no
            # positive counterpart.
            if operand.value > INT_MAX + 1:
                _out_of_range(operand)
            literal_start = _span(signs[-1])[0]
            operand = Literal(literal_start, operand.end, 1, -operand.value)
            count -= 1
            if not count:
                return operand
        operand = _checked(operand)
        return Negation(start, operand.end, _over(operand), operator, count, operand)

    def _chain(self, parts: Parts) -> Node:
        nodes = [_checked(part) for part in parts[::2]]
        rest = tuple(zip(map(str, parts[1::2]), nodes[1:], strict=True))
        return Chain(nodes[0].start, nodes[-1].end, _over(*nodes), nodes[0], rest)

    relation = addition = multiplication = _chain

    def _logic(self, parts: Parts) -> Node:
        nodes = tuple(_checked(part) for part in parts[::2])
        return Logic(nodes[0].start, nodes[-1].end, _over(*nodes), str(parts[1]), nodes)

    disjunction = conjunction = _logic

    def conditional(self, parts: Parts) -> Node:
        test, _, then, _, otherwise = parts
        test, then, otherwise = _checked(test), _checked(then), _checked(otherwise)
        branches: tuple[tuple[Node, Node], ...] = ((test, then),)
        depth = _over(test, then, otherwise)
        end = otherwise.end
        if isinstance(otherwise, Conditional):
            branches += otherwise.branches
            depth = max(_over(test, then), otherwise.depth)
            otherwise = otherwise.otherwise
        if len(branches) > MAX_BRANCHES:
            raise ExpressionError(
                "too-deep", f"more than {MAX_BRANCHES} conditions in a row", test.start, end
            )
        return Conditional(test.start, end, depth, branches, otherwise)


def _checked(node: Node) -> Node:
    """Return an operand, after a look at what only its surroundings could have allowed."""
    if isinstance(node, Literal) and type(node.value) is int and node.value > INT_MAX:
        _out_of_range(node)
    return node


def _out_of_range(node: Node) -> NoReturn:
    raise ExpressionError(
        "int-range",
        "this integer does not fit into 64 bits: it must be from -2^63 to 2^63-1",
        node.start,
        node.end,
    )


def _over(*nodes: Node) -> int:
    depth = 1 + max((node.depth for node in nodes), default=0)
    if depth > MAX_DEPTH:
        raise ExpressionError(
            "too-deep",
            f"the expression is nested more than {MAX_DEPTH} levels deep",
            min(node.start for node in nodes),
            max(node.end for node in nodes),
        )
    return depth

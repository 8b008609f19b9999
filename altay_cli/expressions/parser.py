"""Expression text to syntax tree.

The syntax is that of CEL (google/cel-spec, doc/langdef.md), as far as rule files use it. What the
language has and we do not (double, uint, bytes, messages) is still read here, so that the refusal
can name it and its place.

Nothing recurses: brackets and operators that wait for their right side are kept on stacks, so that
no text can exhaust Python's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from altay_cli.base.errors import ExpressionError
from altay_cli.base.text import Text
from altay_cli.expressions import syntax as s
from altay_cli.expressions.literals import int_magnitude, string_value
from altay_cli.expressions.types import INT_MAX

MAX_LENGTH = 10_000
MAX_DEPTH = 100
# Python's own parser reads a chain of conditionals recursively.
MAX_BRANCHES = 250

RESERVED = frozenset({
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
})  # fmt: skip

_LEFT_OUT = {
    "FLOAT": "`{text}` is a double; there are only whole numbers here",
    "UINT": "`{text}` is an unsigned integer; leave out the `u`",
    "BYTES": "`{text}` is a bytes literal; there are only strings here",
}
_WORDS = {"true": True, "false": False, "null": None}

# The first that matches counts. Triple quotes come first; raw strings end at the first closing
# quotes. The words of the syntax are not identifiers anywhere.
_TOKENS = {
    "BYTES": r"(?:[bB][rR]?|[rR][bB])(?:"
    r"\"\"\"(?:[^\\]|\\[\s\S])*?\"\"\"|'''(?:[^\\]|\\[\s\S])*?'''"
    r"|\"(?:[^\"\\\r\n]|\\[^\r\n])*\"|'(?:[^'\\\r\n]|\\[^\r\n])*')",
    "STRING": r"[rR](?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"[^\"\r\n]*\"|'[^'\r\n]*')"
    r"|\"\"\"(?:[^\\]|\\[\s\S])*?\"\"\"|'''(?:[^\\]|\\[\s\S])*?'''"
    r"|\"(?:[^\"\\\r\n]|\\[^\r\n])*\"|'(?:[^'\\\r\n]|\\[^\r\n])*'",
    "FLOAT": r"[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+"
    r"|\.[0-9]+(?:[eE][+-]?[0-9]+)?",
    "UINT": r"(?:0x[0-9a-fA-F]+|[0-9]+)[uU]",
    "INT": r"0x[0-9a-fA-F]+|[0-9]+",
    "WORD": r"(?:true|false|null)(?![_a-zA-Z0-9])",
    "SIGN": r"in(?![_a-zA-Z0-9])|\|\||&&|[<>=!]=|[-+*/%<>!?:.,()\[\]{}]",
    "IDENT": r"[_a-zA-Z][_a-zA-Z0-9]*",
    "QUOTED": r"`[a-zA-Z0-9_.\-/ ]+`",
    "END": r"\Z",
    "STRANGE": r"[\s\S]",
}
_TOKEN = re.compile(
    r"(?:[\t\n\f\r ]++|//[^\r\n]*+)*+(?:"
    + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _TOKENS.items())
    + ")"
)
_LEVELS = {
    "?": 0, "||": 1, "&&": 2, "<": 3, "<=": 3, ">": 3, ">=": 3, "==": 3, "!=": 3, "in": 3,
    "+": 4, "-": 4, "*": 5, "/": 5, "%": 5,
}  # fmt: skip
"""The precedence of operators."""
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def parse(source: str) -> s.Node:
    """Parse one expression.

    Raises:
        ExpressionError: "too-long" or "too-deep" beyond the limits of this module, "unsupported"
            for what CEL has and we do not, "int-range", and "syntax" for all else.

    """
    if len(source) > MAX_LENGTH:
        raise ExpressionError(
            "too-long",
            Text(
                "the expression has {count} characters; at most {most} are read",
                count=len(source),
                most=MAX_LENGTH,
            ),
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
def _read(source: str) -> s.Node:
    """Read an expression; cached, as every variant of a game repeats the same ones."""
    return _Parser(source).read()


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
_OTHERS = {"and": "&&", "or": "||", "not": "!"}


def _strange_character(source: str, at: int) -> ExpressionError:
    found = source[at]
    hint = _HINTS.get(found, "it has no meaning in an expression")
    shown = found if found.isprintable() else f"U+{ord(found):04X}"
    return ExpressionError(
        "syntax", Text("cannot read `{text}`: {reason}", text=shown, reason=hint), at, at + 1
    )


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Pending:
    """Operators of one level, with what stands before each; of `?`, test and value."""

    level: int
    operands: list[s.Node]
    operators: list[str]


class _Frame:
    """What is being read between brackets, or from the beginning.

    ``caller`` is what the bracket calls or indexes, ``called`` the name that it calls. ``operand``
    is the value read last, with what belongs to it; None if a value must come next. ``name`` is
    its last token if a bracket behind it calls that; ``signs`` stand before it, ``pending`` what
    operators before it wait to be joined with it.
    """

    __slots__ = (
        "called", "caller", "closing", "items", "keys", "name", "opening", "operand", "pending",
        "signs",
    )  # fmt: skip

    def __init__(
        self,
        opening: _Token | None = None,
        caller: s.Node | None = None,
        called: _Token | None = None,
    ) -> None:
        self.opening = opening
        self.closing = _CLOSED_BY[opening.text] if opening is not None else ""
        self.caller = caller
        self.called = called
        self.items: list[s.Node] = []
        self.keys: list[s.Node] = []
        self.pending: list[_Pending] = []
        self.signs: list[_Token] = []
        self.operand: s.Node | None = None
        self.name: _Token | None = None

    @property
    def may_hold_several(self) -> bool:
        """Whether it may contain commas: not if it groups or indexes."""
        if self.closing == ")":
            return self.called is not None
        return self.closing != "" and self.caller is None

    @property
    def may_be_empty(self) -> bool:
        """Whether the bracket can close where a value could come: `f()`, `[]`, `[1, ]`."""
        if self.pending or self.signs or len(self.keys) > len(self.items):
            return False
        return self.may_hold_several and not (self.closing == ")" and self.items)

    @property
    def may_close(self) -> bool:
        """Whether the bracket can close behind a value."""
        if any(waits.level == 0 and len(waits.operands) == 1 for waits in self.pending):
            return False
        return self.closing != "}" or len(self.keys) > len(self.items)


class _Parser:
    """Reads one expression."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.token = _Token("", "", 0, 0)
        self.frames = [_Frame()]

    def read(self) -> s.Node:
        """Return the tree of the whole text."""
        while self._next().kind != "END":
            if self.frames[-1].operand is None:
                self._value(self.frames[-1])
            else:
                self._after_operand(self.frames[-1])
        frame = self.frames[-1]
        if frame.operand is None or frame.opening is not None:
            self._unexpected()
        return self._finished(frame)

    def _next(self) -> _Token:
        found = _TOKEN.match(self.source, self.token.end)
        assert found is not None and found.lastgroup is not None
        start, end = found.span(found.lastgroup)
        if found.lastgroup == "STRANGE":
            raise _strange_character(self.source, start)
        self.token = _Token(found.lastgroup, self.source[start:end], start, end)
        return self.token

    # --- where a value must come

    def _value(self, frame: _Frame) -> None:
        token = self.token
        kind, text, start, end = token.kind, token.text, token.start, token.end
        if kind == "IDENT":
            self._name(frame, start)
        elif kind == "INT":
            # One more than the greatest is left for the sign before it to judge.
            frame.operand = s.Literal(start, end, 1, int_magnitude(text))
        elif kind == "STRING":
            frame.operand = s.Literal(start, end, 1, string_value(text, start))
        elif kind == "WORD":
            frame.operand = s.Literal(start, end, 1, _WORDS[text])
        elif kind in _LEFT_OUT:
            raise ExpressionError("unsupported", Text(_LEFT_OUT[kind], text=text), start, end)
        elif text in _CLOSED_BY:
            self.frames.append(_Frame(token))
        elif text in {"!", "-"} and (not frame.signs or frame.signs[0].text == text):
            frame.signs.append(token)
        elif text == "." and self._next().kind == "IDENT":
            self._name(frame, start)
        elif text == frame.closing and frame.may_be_empty:
            self._close(frame)
        else:
            self._unexpected()

    def _name(self, frame: _Frame, start: int) -> None:
        token = self.token
        if token.text in RESERVED:
            message = Text("`{text}` is a reserved word of CEL", text=token.text)
            raise ExpressionError("syntax", message, token.start, token.end)
        frame.name = token
        frame.operand = s.Identifier(start, token.end, 1, token.text, start < token.start)

    # --- behind a value

    def _after_operand(self, frame: _Frame) -> None:
        token, text = self.token, self.token.text
        operand, name, frame.name = frame.operand, frame.name, None
        assert operand is not None
        if token.kind != "SIGN":
            self._unexpected()
        elif text in _LEVELS:
            self._operator(frame, _LEVELS[text], text)
        elif text == ".":
            self._select(frame, _checked(operand))
        elif text == "[":
            self.frames.append(_Frame(token, _checked(operand)))
        elif text == "(" and name is not None:
            caller = operand.operand if isinstance(operand, s.Select) else operand
            self.frames.append(_Frame(token, caller, name))
        elif text == "{":
            message = "message literals `Type{...}` are not supported"
            raise ExpressionError("unsupported", message, operand.start, token.end)
        elif text == ":":
            self._colon(frame)
        elif text == frame.closing or (text == "," and frame.may_hold_several):
            if frame.closing == "}" and len(frame.keys) == len(frame.items):
                self._unexpected()
            frame.items.append(self._finished(frame))
            if text != ",":
                self._close(frame)
        else:
            self._unexpected()

    def _select(self, frame: _Frame, operand: s.Node) -> None:
        token = self._next()
        if token.kind not in {"IDENT", "QUOTED"}:
            frame.operand = None
            self._unexpected()
        quoted = token.kind == "QUOTED"
        field = token.text.strip("`")
        frame.name = None if quoted else token
        frame.operand = s.Select(
            operand.start, token.end, _depth_over(operand), operand, field, quoted
        )

    def _operator(self, frame: _Frame, level: int, sign: str) -> None:
        operand = self._folded(frame, level)
        if not frame.pending or frame.pending[-1].level < level:
            frame.pending.append(_Pending(level, [], []))
        elif level == 0:
            if len(frame.pending[-1].operands) == 1:
                frame.operand = operand
                self._unexpected()  # a second `?` before the `:` of the first
            frame.pending.append(_Pending(level, [], []))
        frame.pending[-1].operands.append(operand)
        frame.pending[-1].operators.append(sign)

    def _colon(self, frame: _Frame) -> None:
        frame.operand = self._folded(frame, 0)
        if frame.pending and len(frame.pending[-1].operands) == 1:
            frame.pending[-1].operands.append(frame.operand)
            frame.operand = None
        elif frame.closing == "}" and len(frame.keys) == len(frame.items):
            frame.keys.append(self._finished(frame))
        else:
            self._unexpected()

    # --- putting together

    def _folded(self, frame: _Frame, level: int) -> s.Node:
        """Return the operand, joined with what stands before it and binds tighter than ``level``.

        After it, a value must come.
        """
        operand = frame.operand
        assert operand is not None
        operand = _signed(frame.signs, operand) if frame.signs else _checked(operand)
        while frame.pending and frame.pending[-1].level > level:
            operand = _joined(frame.pending.pop(), operand)
        frame.operand, frame.signs = None, []
        return operand

    def _finished(self, frame: _Frame) -> s.Node:
        operand = self._folded(frame, 0)
        if frame.pending and len(frame.pending[-1].operands) == 1:
            frame.operand = operand
            self._unexpected()  # a `?` without its `:`
        while frame.pending:
            test, then = frame.pending.pop().operands
            operand = _conditional(test, then, operand)
        return operand

    def _close(self, frame: _Frame) -> None:
        """Turn a complete frame into one value of the frame around it."""
        self.frames.pop()
        assert frame.opening is not None
        start, end, items = frame.opening.start, self.token.end, tuple(frame.items)
        caller, called = frame.caller, frame.called
        node: s.Node
        if caller is not None and called is not None:
            receiver = caller if caller.end < called.start else None
            depth = _depth_over(*items) if receiver is None else _depth_over(receiver, *items)
            absolute = receiver is None and caller.start < called.start
            node = s.Call(
                caller.start, end, depth, receiver, called.text, called.start, absolute, items
            )
        elif caller is not None:
            node = s.Index(caller.start, end, _depth_over(caller, *items), caller, items[0])
        elif frame.closing == ")":
            node = s.Brackets(start, end, _depth_over(*items), items[0])
        elif frame.closing == "]":
            node = s.ListLiteral(start, end, _depth_over(*items), items)
        else:
            entries = tuple(zip(frame.keys, items, strict=True))
            node = s.MapLiteral(start, end, _depth_over(*frame.keys, *items), entries)
        self.frames[-1].operand = node

    def _unexpected(self) -> NoReturn:
        """Report the current token as an error."""
        token, frame = self.token, self.frames[-1]
        start, end = token.start, token.end
        before = self.source[:start]
        if token.kind == "END":
            if not before.strip():
                raise ExpressionError("syntax", "the expression is empty", 0, end)
            closes = frame.may_be_empty if frame.operand is None else frame.may_close
            message = "the expression ends where a value is missing"
            if closes and frame.closing:
                message = Text("the expression ends where `{text}` is missing", text=frame.closing)
            raise ExpressionError("syntax", message, max(end - 1, 0), end)
        word = re.search(r"\b(not)\s+$", before) or re.match(r"(and|or)$", token.text)
        if word:
            hint = f"CEL writes {word[1]} as `{_OTHERS[word[1]]}`"
        elif token.text == "?" and before.rstrip()[-1:] in {"", ".", "[", "{", ","}:
            message = "optional values (`?`) are not supported"
            raise ExpressionError("unsupported", message, start, end)
        elif frame.operand is None:
            hint = "a value is missing before it"
        else:
            hint = "an operator is missing before it, or the expression should end"
        message = Text("did not expect `{text}` here: {reason}", text=token.text, reason=hint)
        raise ExpressionError("syntax", message, start, end)


def _joined(chain: _Pending, last: s.Node) -> s.Node:
    """Join the operands of one level."""
    operands = (*chain.operands, last)
    first, depth = operands[0], _depth_over(*operands)
    if chain.level < 3:
        return s.Logic(first.start, last.end, depth, chain.operators[0], operands)
    rest = tuple(zip(chain.operators, operands[1:], strict=True))
    return s.Chain(first.start, last.end, depth, first, rest)


def _conditional(test: s.Node, then: s.Node, otherwise: s.Node) -> s.Node:
    branches: tuple[tuple[s.Node, s.Node], ...] = ((test, then),)
    depth, end = _depth_over(test, then, otherwise), otherwise.end
    if isinstance(otherwise, s.Conditional):
        branches += otherwise.branches
        depth = max(_depth_over(test, then), otherwise.depth)
        otherwise = otherwise.otherwise
    if len(branches) > MAX_BRANCHES:
        raise ExpressionError(
            "too-deep",
            Text("more than {count} conditions in a row", count=MAX_BRANCHES),
            test.start,
            end,
        )
    return s.Conditional(test.start, end, depth, branches, otherwise)


def _signed(signs: list[_Token], operand: s.Node) -> s.Node:
    start, count, operator = signs[0].start, len(signs), signs[0].text
    if operator == "-" and isinstance(operand, s.Literal) and type(operand.value) is int:
        # A minus right before a number belongs to the literal: the least integer has no
        # positive counterpart.
        if operand.value > INT_MAX + 1:
            _out_of_range(operand)
        operand = s.Literal(signs[-1].start, operand.end, 1, -operand.value)
        count -= 1
        if not count:
            return operand
    operand = _checked(operand)
    return s.Negation(start, operand.end, _depth_over(operand), operator, count, operand)


def _checked(node: s.Node) -> s.Node:
    """Return an operand, checked for forms that only its context could allow."""
    if isinstance(node, s.Literal) and type(node.value) is int and node.value > INT_MAX:
        _out_of_range(node)
    return node


def _out_of_range(node: s.Node) -> NoReturn:
    raise ExpressionError(
        "int-range",
        "this integer does not fit into 64 bits: it must be from -2^63 to 2^63-1",
        node.start,
        node.end,
    )


def _depth_over(*nodes: s.Node) -> int:
    depth = 1 + max((node.depth for node in nodes), default=0)
    if depth > MAX_DEPTH:
        raise ExpressionError(
            "too-deep",
            Text("the expression is nested more than {count} levels deep", count=MAX_DEPTH),
            min(node.start for node in nodes),
            max(node.end for node in nodes),
        )
    return depth

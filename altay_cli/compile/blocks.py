"""Lines of Python, in blocks that lie in each other: what all printing of a pack is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from altay_cli.expressions.runtime import EXCEPT, TRY


class Held(NamedTuple):
    """A line that holds an expression, or a function of the rules: ``code``, and its ``key``."""

    code: str
    key: str

    def __str__(self) -> str:
        return f"{self.code}  # {self.key}"


Statement = tuple[str | Held, ...]
"""A statement of several lines, of which only the first is indented."""

Block = list["str | Held | Statement | Block"]
"""Lines and statements; a block among them is indented."""


def statement(*source: str | Held) -> Statement:
    """Return a statement of some parts; each expression among them gets a line of its own."""
    lines: list[str | Held] = []
    text = ""
    for part in source:
        if isinstance(part, str):
            text += part
        else:
            lines += [f"{text}(", part]
            text = ")"
    return (*lines, text)


def function(name: str, parameters: Iterable[str], body: Block) -> Block:
    """Return a function that raises nothing but our own errors."""
    return [f"def {name}({', '.join(parameters)}):", TRY, body, EXCEPT]


def written(block: Block, indent: str = "") -> list[str | Held]:
    """Return the lines of a block, indented."""
    lines: list[str | Held] = []
    for part in block:
        if isinstance(part, list):
            lines += written(part, f"{indent}    ")
        elif isinstance(part, tuple) and not isinstance(part, Held):
            first, *rest = part
            lines += [_indented(first, indent), *rest]
        else:
            lines.append(_indented(part, indent))
    return lines


def _indented(line: str | Held, indent: str) -> str | Held:
    return indent + line if isinstance(line, str) else line._replace(code=indent + line.code)


def text(block: Block) -> str:
    """Return the source of a block."""
    return "".join([f"{line}\n" for line in written(block)])

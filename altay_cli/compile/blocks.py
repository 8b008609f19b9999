"""Lines of Python, in blocks that lie in each other: what all printing of a pack is made of."""

from __future__ import annotations

from collections.abc import Iterable

from altay_cli.expressions.runtime import EXCEPT, TRY

Block = list["str | Block"]
"""Lines; a block among them is indented. Of a line that goes on, only the first is indented."""


def marked(code: str, key: str) -> str:
    """Return code that has a line of its own, up to its end: faults on it are those of ``key``."""
    return f"{code}  # {key}"


def function(name: str, parameters: Iterable[str], body: Block) -> Block:
    """Return a function that raises nothing but our own errors."""
    return [f"def {name}({', '.join(parameters)}):", TRY, body, EXCEPT]


def text(block: Block, indent: str = "") -> str:
    """Return the source of a block."""
    return "".join(
        [
            text(part, f"{indent}    ") if isinstance(part, list) else f"{indent}{part}\n"
            for part in block
        ]
    )

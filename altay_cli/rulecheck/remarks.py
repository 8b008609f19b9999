"""What is found in rules, not yet at a place of a file."""

from __future__ import annotations

from dataclasses import dataclass

from altay_cli.pack.folder import Path_, Tree
from altay_cli.pack.inspect import UnknownPartError, find


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing about the merged rules that makes no sense; ``path`` leads to it.

    ``key`` says that it is about the key there, not about the value.
    """

    rule: str
    message: str
    path: Path_
    help: tuple[str, ...] = ()
    severity: str = "error"
    key: bool = False


def nearest(tree: Tree, text: str) -> Path_:
    """Return the path of the part that a dotted path names, or of what it would stand in."""
    segments = text.split(".")
    while segments:
        try:
            return find(tree, ".".join(segments))[0]
        except UnknownPartError:
            segments.pop()
    return ()

"""What printed expressions look at in a state; some give the same in every one."""

from __future__ import annotations

import re

from altay_cli.pack.model import Expr, Pack

_READS = re.compile(r"\bS\.|\.fn\(S|\b(?:text|words)\(S")
"""Code that looks at a state; all other code only pays from it as a budget."""

ZONE = re.compile(r"\bS\.z\[(\d+)\]")
"""The code of a zone, by its index."""

_BEYOND = re.compile(r"\bS\.(?!z\[|players\b|options\b)|\.fn\(S")
"""Code that looks at more than zones, seats and options."""

_CALLS = re.compile(r"\bF_\w+")


def looks_beyond(code: str) -> bool:
    """Tell whether an expression looks at more of a state than zones, seats and options."""
    return _BEYOND.search(code) is not None


class Fixed:
    """Tells of the expressions and functions of one pack whether they give the same in any state.

    They may still depend on the values that they are given.
    """

    def __init__(self, pack: Pack) -> None:
        self._codes = pack.codes
        texts = {
            one.name: " ".join((one.code, *(code for _, code in one.lets)))
            for one in pack.functions.values()
        }
        self._reading = {name for name, text in texts.items() if _READS.search(text)}
        while more := {
            name
            for name, text in texts.items()
            if name not in self._reading and not self._reading.isdisjoint(_CALLS.findall(text))
        }:
            self._reading |= more

    def expression(self, expr: Expr) -> bool:
        """Tell whether an expression looks at no state."""
        code = self._codes[expr.key]
        return not _READS.search(code) and self._reading.isdisjoint(_CALLS.findall(code))

    def function(self, name: str) -> bool:
        """Tell whether a function, by its name in Python, looks at no state."""
        return name not in self._reading

"""Names that can mean different things, where nobody wrote down which of them was there.

Two things can share a name and lie in a hand that is not recorded. Where what a statement does
depends on which of them was meant, one is taken, and a note says so. Whoever reads a game may have
them mean others; where every way leads to an error, it is one.
"""

from __future__ import annotations

from typing import NamedTuple

from altay_cli.notation import Statement

Meant = dict[int, int]
"""By the identity of a statement, which of the things that a name in it can mean it meant."""


class Open(NamedTuple):
    """A statement with a name that can mean so many different things."""

    statement: Statement
    ways: int

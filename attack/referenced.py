"""Rules whose expressions are looked up on every call: tools exchange ``expr.fn``."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from altay_cli.compile.load import link_pack
from altay_cli.pack.model import Expr, Pack


def code_of(expr: Expr, name: str, values: str = "") -> str:
    """Return code that calls the current function of the expression ``name``."""
    pairs = ", ".join(f"{key!r}: {ident}" for ident, key in expr.locals.items())
    return f"{name}.fn(S, {values or f'{{{pairs}}}'})"


def link_by_reference(pack: Pack) -> None:
    """Let effects and scores of a linked pack call the current ``expr.fn``.

    Moves are then judged condition by condition.
    """
    names = {expr.key: f"X_{number}" for number, expr in enumerate(pack.exprs)}
    constants = {names[expr.key]: expr for expr in pack.exprs}
    codes = {expr.key: code_of(expr, names[expr.key]) for expr in pack.exprs}
    pack.listing.clear()
    referenced = replace(
        pack, exprs=[*map(copy, pack.exprs)], codes=codes, quick={},
        constants=pack.constants | constants,
    )  # fmt: skip
    reads = [expr.reads for expr in pack.exprs]
    # Nothing that may be exchanged is cached.
    for expr in pack.exprs:
        expr.reads |= {"exchanged"}
    link_pack(referenced)
    for expr, known in zip(pack.exprs, reads, strict=True):
        expr.reads = known
    pack.makers.clear()

"""From the code of a pack to functions: of its expressions, effects, moves and scores."""

from __future__ import annotations

from types import CodeType

from altay_cli.expressions.linker import GLOBALS as RUNTIME
from altay_cli.pack import model as m
from altay_cli.pack.functions import GLOBALS
from altay_cli.pack.grids import lay_grids


def link(pack: m.Pack, code: CodeType) -> dict[str, object]:
    """Give every expression, effect list and move of a pack its function.

    Returns what the functions find by name.
    """
    namespace: dict[str, object] = {**RUNTIME, **GLOBALS, **pack.constants}
    # Not the text of a rule: source that the printer wrote, with every name and constant its own.
    exec(code, namespace)  # noqa: S102
    lay_grids(pack.grids, pack.entities)
    for part in (*pack.exprs, *pack.routines):
        part.fn = namespace[part.key]
    makers = [namespace.get(f"m_{move.number}") for move in pack.moves]
    pack.makers[:] = makers if any(makers) else []
    pack.standing.update({key: namespace[f"g_{key}"] for key in m.STATUS})
    pack.scorers[:] = [namespace[f"s_{number}"] for number in range(len(pack.categories))]
    return namespace

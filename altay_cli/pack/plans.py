"""How the legal moves of a kind are found: in which order its slots are filled and what is asked.

``compile.plans`` prints plans as Python generators of nested loops; here they are made and linked.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from altay_cli.base.values import UNRECORDED
from altay_cli.pack.model import Effects, Expr, MoveDef, Pack, Place, Slot

Values = dict[str, Any]
Filled = tuple[Values, Mapping[str, Any]]
"""The values of a move, and what those of its slots come from, where somebody asks for that."""


class Asked(NamedTuple):
    """Something to evaluate once enough slots are filled: a value to name, or a condition.

    ``does`` is carried out first, and taken back, where it must hold behind the move.
    """

    name: str | None
    expr: Expr
    does: Effects | None = None


@dataclass(slots=True)
class Plan:
    """How the candidates of one move are built: its slots, and what is asked after each.

    ``asked[n]`` is asked when ``n`` slots are filled. ``common`` are the slots whose domain
    mentions no other, so that it serves several moves. ``drawn`` are the slots for what is drawn;
    where a player chooses how many, it is among ``slots`` as well. ``gate`` are the conditions
    that mention nothing of the move itself: most moves of a moment do not get beyond them.
    ``reveals`` are the zones in which hidden things can turn out to be what its slots name.
    ``infers`` says that a value may be left out that others tell: one move may be found several
    times. ``blanks`` are the slots for what is drawn that stand in the statement and not behind it,
    ``chosen`` those of which a player may choose how much is drawn.
    ``lister`` yields what can be in the slots, if all that they come from is known; ``worths``
    tell what a move is worth, by the ids of the policies that have an opinion of it.
    """

    move: MoveDef
    slots: tuple[Slot, ...]
    gate: tuple[Expr, ...]
    asked: tuple[tuple[Asked, ...], ...]
    common: frozenset[str]
    drawn: Values
    reveals: tuple[Place, ...]
    infers: bool
    blanks: tuple[str, ...]
    chosen: tuple[Slot, ...]
    lister: Callable[[Any, Values, object], Iterator[Filled]] | None = None
    worths: Mapping[str, Callable[[Any, Values], object]] = field(default_factory=dict)


def plan_of(move: MoveDef) -> Plan:
    """Return how the legal moves of one kind are found."""
    # What may be left out is worked out from all the rest, so it comes last.
    slots = sorted(
        (s for s in move.slots.values() if s.shape != "drawn" or s.domain is not None),
        key=lambda slot: (slot.shape == "drawn", slot.infer is not None),
    )
    known = {slot.name: number for number, slot in enumerate(slots, 1)}
    gate: list[Expr] = []
    asked: list[list[Asked]] = [[] for _ in range(len(slots) + 1)]
    questions: list[tuple[str | None, Expr]] = [
        (None, one) for one in (move.listed, move.when) if one is not None
    ]
    questions += move.lets
    questions += [(None, one.that) for one in move.requires if not one.afterwards]
    for name, expr in questions:
        if name is None and known.keys().isdisjoint(expr.names):
            gate.append(expr)
            continue
        stage = max((known.get(other, 0) for other in expr.names), default=0)
        asked[stage].append(Asked(name, expr))
        if name is not None:
            known[name] = stage
    asked[-1] += [Asked(None, one.that, move.does) for one in move.requires if one.afterwards]
    common = frozenset(
        slot.name
        for slot in slots
        if slot.domain is not None and known.keys().isdisjoint(slot.domain.names)
    )
    drawn = {name: UNRECORDED for name, slot in move.slots.items() if slot.shape == "drawn"}
    return Plan(
        move,
        tuple(slots),
        tuple(gate),
        tuple(map(tuple, asked)),
        common,
        drawn,
        tuple({zone.at.key: zone for slot in slots for zone in slot.reveals}.values()),
        any(slot.infer is not None for slot in slots),
        tuple(name for name in drawn if all(p.outcome != name for p in move.patterns)),
        tuple(slot for slot in slots if slot.shape == "drawn"),
    )


class Listing(NamedTuple):
    """The plans of a pack as they are printed: what is kept with it on disk.

    ``constants`` and ``code`` make the functions.
    """

    plans: Mapping[str, Plan]
    constants: Mapping[str, object]
    code: bytes


def linked_plans(pack: Pack) -> Mapping[str, Plan]:
    """Link the plans of all moves that can be listed, by their ids; see ``Pack.kept``."""
    (listing,) = pack.listing
    linked = next(fn for fn in (*pack.makers, *pack.scorers) if fn is not None).__globals__
    namespace: dict[str, Any] = {**linked, **listing.constants}
    # Not the text of a rule: source that the printer wrote, with every name and constant its own.
    exec(marshal.loads(listing.code), namespace)  # noqa: S102, S302
    return {
        ident: replace(
            plan,
            lister=namespace[f"l_{plan.move.number}"],
            worths={
                policy.id: namespace[f"w_{number}_{plan.move.number}"]
                for number, policy in enumerate(pack.policies.values())
                if ident in policy.worth
            },
        )
        for ident, plan in listing.plans.items()
    }

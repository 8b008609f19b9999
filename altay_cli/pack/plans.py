"""Plans to list legal moves: slots in order, and conditions between."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from altay_cli.base.values import UNRECORDED
from altay_cli.pack.model import Effects, Expr, MoveDef, Pack, Place, Slot

Values = dict[str, Any]
Filled = tuple[Values, Mapping[str, Any]]
"""The values of a move, and the sources of its slot values if requested."""


class Question(NamedTuple):
    """A value to compute, or a condition to test, once enough slots are filled.

    ``does`` is applied first and undone after, for conditions on the state after the move.
    """

    name: str | None
    expr: Expr
    does: Effects | None = None


class Early(NamedTuple):
    """Conditions on one slot that nothing hidden can change.

    ``sizes`` read only how many things it holds, ``each`` must hold for every thing in it alone,
    ``rest`` are all others.
    """

    sizes: tuple[Expr, ...] = ()
    each: tuple[Expr, ...] = ()
    rest: tuple[Expr, ...] = ()


@dataclass(slots=True)
class Plan:
    """How to enumerate the candidates of a move.

    ``gate`` is evaluated first, ``asked[n]`` when ``n`` slots are filled. The domain of ``common``
    slots depends on no other slot, so moves can share it. ``drawn`` slots are also in ``slots`` if
    a player chooses how many. In the zones ``reveals``, a slot may identify hidden entities. With
    ``infers``, a move may be listed several times. ``blanks`` are slots for drawn entities outside
    the outcome, ``chosen`` those with a chosen number. ``early`` has conditions by slot.
    """

    move: MoveDef
    slots: tuple[Slot, ...]
    gate: tuple[Expr, ...]
    asked: tuple[tuple[Question, ...], ...]
    common: frozenset[str]
    drawn: Values
    reveals: tuple[Place, ...]
    infers: bool
    blanks: tuple[str, ...]
    chosen: tuple[Slot, ...]
    lister: Callable[[Any, Values, object], Iterator[Filled]] | None = None
    worths: Mapping[str, Callable[[Any, Values], object]] = field(default_factory=dict)
    early: Mapping[str, Early] = field(default_factory=dict)


def plan_of(move: MoveDef) -> Plan:
    """Return the plan for one kind of move."""
    # Slots that can be omitted are inferred from the others, so they come last.
    slots = sorted(
        (s for s in move.slots.values() if s.shape != "drawn" or s.domain is not None),
        key=lambda slot: (slot.shape == "drawn", slot.infer is not None),
    )
    known = {slot.name: number for number, slot in enumerate(slots, 1)}
    gate: list[Expr] = []
    asked: list[list[Question]] = [[] for _ in range(len(slots) + 1)]
    questions: list[tuple[str | None, Expr]] = [
        (None, condition) for condition in (move.listed, move.when) if condition is not None
    ]
    questions += move.lets
    questions += [
        (None, requirement.that) for requirement in move.requires if not requirement.afterwards
    ]
    for name, expr in questions:
        if name is None and known.keys().isdisjoint(expr.names):
            gate.append(expr)
            continue
        stage = max((known.get(other, 0) for other in expr.names), default=0)
        asked[stage].append(Question(name, expr))
        if name is not None:
            known[name] = stage
    asked[-1] += [
        Question(None, requirement.that, move.does)
        for requirement in move.requires
        if requirement.afterwards
    ]
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
    """The printed plans of a pack."""

    plans: Mapping[str, Plan]
    constants: Mapping[str, object]
    code: bytes


def linked_plans(pack: Pack) -> Mapping[str, Plan]:
    """Link the plans of moves that can be listed."""
    (listing,) = pack.listing
    if not isinstance(listing, Listing):
        listing = listing(pack)  # printed now, as this is the first list
    linked = next(fn for fn in (*pack.makers, *pack.scorers) if fn is not None).__globals__
    namespace: dict[str, Any] = {**linked, **listing.constants}
    # No text of a rule: the printer wrote the code and chose every name and constant.
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

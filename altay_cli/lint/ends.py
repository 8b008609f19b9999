"""Find effects of a variant that forget the announced end of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import TypeGuard

from altay_cli.base.findings import Severity, Text
from altay_cli.lint.interpreter import Interpreter, is_brought
from altay_cli.lint.known import few
from altay_cli.pack import model as m
from altay_cli.source.document import DataFinding, fault


def forgotten_ends(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield effects of a variant that forget an end that other effects have announced.

    Their value does not read whether it is announced, and no condition around them does.
    """
    pack, tree = truth.pack, truth.c.tree
    ending = pack.status.get("ending")
    zones = [zone for zone in pack.zones if ending is not None and zone.name == ending.source]
    bodies = [move.does for move in pack.moves] + [p.does for p in pack.procedures.values()]
    for zone in zones if tree.variants else ():
        setters = [
            effect
            for effects in pack.routines
            for effect in m.everything(effects)
            if _sets(effect, zone)
        ]
        if len(setters) == 1:
            continue
        for effect, read in (found for does in bodies for found in _with_conditions(does)):
            if not _sets(effect, zone):
                continue
            value, path = effect.value, truth.path(effect.value)
            is_constant = len(few(truth.value(value))) == 1
            if is_brought(tree, path) and not is_constant and zone.index not in value.zones | read:
                template = (
                    "this forgets an announced end: `{zone}` becomes false again where it does "
                    "not hold"
                )
                way = Text("write `{zone} || ...`: an end that is announced stays", zone=zone.name)
                severity = Severity.WARNING
                yield fault("end-undone", template, path, way, severity=severity, zone=zone.name)


def _sets(effect: m.Effect, zone: m.Zone) -> TypeGuard[m.SetEffect]:
    return isinstance(effect, m.SetEffect) and effect.place.zone == zone.index


def _with_conditions(
    effects: Iterable[m.Effect], read: Set[int] = frozenset()
) -> Iterator[tuple[m.Effect, Set[int]]]:
    """Yield effects and nested ones, with the zones that the conditions around them read."""
    for effect in effects:
        yield effect, read
        inside = read | effect.condition.zones if isinstance(effect, m.IfEffect) else read
        for inner in m.branches(effect):
            yield from _with_conditions(inner, inside)

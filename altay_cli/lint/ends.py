"""Find ends of a game that a variant brings too late, takes back or forgets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeGuard

from altay_cli.base.findings import Severity, Text
from altay_cli.expressions import typed as t
from altay_cli.lint.interpreter import Interpreter, is_brought
from altay_cli.lint.known import Facts, Scope, exactly, few
from altay_cli.pack import model as m
from altay_cli.source.document import DataFinding, fault


def late_ends(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield ends of a variant that come too late: an end of the game before them always holds.

    Options have their defaults.
    """
    ends = truth.pack.endings if truth.c.tree.variants else ()
    usual = _usual_options(truth, [end.when for end in ends])
    for number, end in enumerate(ends):
        brought = truth.brought_path(end.when)
        if not brought or truth.of(end.when) is False:
            continue
        scope = Scope(facts=truth.facts(end.when, Scope(facts=usual)))
        own = (earlier for earlier in ends[:number] if not truth.brought_path(earlier.when))
        first = next((earlier for earlier in own if truth.of(earlier.when, scope)), None)
        if first is not None:
            template = "`{by}` never ends the game: an earlier end, `{first}`, always does"
            yield fault(
                "never-happens",
                template,
                brought,
                severity=Severity.WARNING,
                by=end.by.source,
                first=first.by.source,
            )


def hidden_ends(truth: Interpreter, base: Mapping[str, object]) -> Iterator[DataFinding]:
    """Yield ends of the ``base`` that a variant moves before narrower ones, which then never come.

    A new end may well be meant to replace others.
    """
    ends = truth.pack.endings if truth.c.tree.variants else ()
    outcome = base.get("outcome", ())
    usual = [str(end["when"]) for end in outcome] if isinstance(outcome, list) else []
    for number, end in enumerate(ends):
        brought, source = truth.brought_path(end.when), end.when.source
        if not brought or source not in usual:
            continue
        later = (
            other
            for other in ends[number + 1 :]
            if other.when.source in usual[: usual.index(source)]
            and _implies(truth, truth.tree(other.when.key), truth.tree(end.when.key))
        )
        for hidden in later:
            template = (
                "`{by}` never ends the game: `{first}` is looked for before it, and always holds"
            )
            yield fault(
                "never-happens",
                template,
                brought,
                Text("place it behind `{by}`", by=hidden.by.source),
                severity=Severity.WARNING,
                by=hidden.by.source,
                first=end.by.source,
            )
            break


def _implies(truth: Interpreter, strong: t.Tree, weak: t.Tree) -> bool:
    """Return True if a condition holds wherever another does."""
    match strong, weak:
        case t.Walk(macro="exists"), t.Walk(macro="exists") if (
            truth.meaning(strong.over) == truth.meaning(weak.over)
            and strong.variables == weak.variables
        ):
            return _implies(truth, strong.bodies[0], weak.bodies[0])
    parts = {truth.meaning(part) for part in _conjuncts(strong)}
    return all(truth.meaning(part) in parts for part in _conjuncts(weak))


def _conjuncts(tree: t.Tree) -> Iterator[t.Tree]:
    if isinstance(tree, t.Applied) and tree.function == "&&":
        for part in tree.arguments:
            yield from _conjuncts(part)
    else:
        yield tree


def _usual_options(truth: Interpreter, conditions: Sequence[m.Expr]) -> Facts:
    facts = Facts()
    for part in (part for expr in conditions for part in t.everything(truth.tree(expr.key))):
        if isinstance(part, t.Reference) and part.name.startswith("options."):
            option = truth.pack.options[part.name.removeprefix("options.")]
            facts.add(truth.meaning(part), exactly(option.default))
    return facts


def undone_ends(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield effects of a variant that take back the end, or the announced end, of a game."""
    pack, tree = truth.pack, truth.c.tree
    named = {expr.source: key for key, expr in pack.status.items() if key in {"ended", "ending"}}
    ends = {zone.index: named[zone.name] for zone in pack.zones if zone.name in named}
    for effects in pack.routines if tree.variants and ends else ():
        for effect in m.everything(effects):
            if not isinstance(effect, m.SetEffect) or effect.place.zone not in ends or effect.add:
                continue
            path = truth.path(effect.value)
            if few(truth.value(effect.value)) == (False,) and is_brought(tree, path):
                template = "this takes the end of the game back: `{zone}` becomes false again"
                way = "an end that is announced or reached stays"
                zone = pack.zones[effect.place.zone].name
                yield fault("end-undone", template, path, way, severity=Severity.WARNING, zone=zone)


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

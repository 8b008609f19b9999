"""What makes no sense in rules of any game: constant conditions, dead ends, things unused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from altay_cli.expressions.typed import everything
from altay_cli.pack import model as m
from altay_cli.pack.building import Compiled
from altay_cli.pack.folder import Path_, Tree, walk
from altay_cli.pack.trees import zone_read
from altay_cli.rulecheck.reach import Reach
from altay_cli.rulecheck.remarks import Remark
from altay_cli.rulecheck.truth import Truth

_NUMBER = re.compile(r"\bnumbers\.(\w+)")
_LITERAL = {False, "false"}


def logic(tree: Tree, compiled: Compiled) -> Iterator[Remark]:
    """Yield what makes no sense in the rules, whatever game they are of."""
    pack = compiled.pack
    truth = Truth(compiled)
    Reach(truth, legal=False).follow()
    yield from _requirements(tree, pack, truth)
    yield from _conditions(pack, truth)
    yield from _branches(pack, truth)
    yield from _open_numbers(pack)
    yield from _decisions(pack)
    yield from _end(compiled)
    yield from _unused(tree, compiled)


# ---------------------------------------------------------------- constant conditions


def _requirements(tree: Tree, pack: m.Pack, truth: Truth) -> Iterator[Remark]:
    shared: dict[Path_, bool] = {}
    for move in pack.moves:
        data = tree.data["moves"][move.id]
        listed = [("_defaults", n, e) for n, e in enumerate(data.get("_defaults", []))]
        listed += [("requires", n, e) for n, e in enumerate(data.get("requires", []))]
        for (section, number, entry), requirement in zip(listed, move.requires, strict=True):
            path: Path_ = ("moves", move.id, section, number)
            if "use" in entry:
                path = ("rules", entry["use"])
            holds = truth.of(requirement.that)
            if holds is None or (holds is False and move.fallback):
                continue
            if path not in shared:
                shared[path] = holds
                yield _constant(requirement.text.rule, holds, (*path, "that"))
    for number, check in enumerate(pack.checks):
        holds = truth.of(check.that)
        literal = tree.data["checks"][number]["that"] in _LITERAL
        if holds is not None and not (holds is False and literal):
            yield _constant(check.text.rule, holds, ("checks", number, "that"))


def _constant(rule: str, holds: bool, path: Path_) -> Remark:
    if holds:
        message = f"`{rule}` always holds, so that nothing can ever break it"
        return Remark("rule-never-fails", message, path, severity="warning")
    message = f"`{rule}` never holds, so that nothing can ever be legal here"
    told = "to take a move out of the game, remove it; `fallback: true` marks one to be refused"
    return Remark("rule-never-met", message, path, (told,))


def _conditions(pack: m.Pack, truth: Truth) -> Iterator[Remark]:
    for move in pack.moves:
        if move.when is not None and truth.of(move.when) is False:
            message = f"the move `{move.id}` is never meant: its condition never holds"
            yield Remark("never-happens", message, ("moves", move.id, "when"))
    for trigger in (*pack.triggers, *pack.watches):
        holds = truth.of(trigger.when)
        path: Path_ = ("triggers", trigger.id, "when")
        if holds is False:
            message = f"`{trigger.id}` never happens: its condition never holds"
            yield Remark("never-happens", message, path)
        elif holds is True:
            message = f"`{trigger.id}` happens after every move: its condition always holds"
            yield Remark("always-happens", message, path, severity="warning")


def _branches(pack: m.Pack, truth: Truth) -> Iterator[Remark]:
    """Yield the conditions of effects that are no switch of the rules and never change."""
    for path, effects in _effect_lists(pack):
        for where, effect in _located(path, effects):
            if not isinstance(effect, m.IfEffect):
                continue
            names = effect.condition.names
            if any(name.startswith(("rulings.", "numbers.", "options.")) for name in names):
                continue
            holds = truth.of(effect.condition)
            if holds is not None:
                word = "always" if holds else "never"
                message = f"this condition {word} holds"
                yield Remark("constant-condition", message, (*where, "if"), severity="warning")


def _effect_lists(pack: m.Pack) -> Iterator[tuple[Path_, Iterable[m.Effect]]]:
    """Yield every list of effects of a pack with its path."""
    for move in pack.moves:
        yield ("moves", move.id, "does"), move.does
        yield ("moves", move.id, "unread"), move.unread
    for ident, procedure in pack.procedures.items():
        yield ("procedures", ident, "does"), procedure.does
    for trigger in (*pack.triggers, *pack.watches):
        yield ("triggers", trigger.id, "does"), trigger.does
    for section, stages in (("prepare", pack.prepare), ("complete", pack.complete)):
        for number, stage in enumerate(stages):
            yield (section, number, "does"), stage.does
    for number, check in enumerate(pack.checks):
        yield ("checks", number, "does"), check.does
    for assumption in pack.assumptions:
        yield ("assumptions", assumption.id, "does"), assumption.does
    for thing, field, held in _held(pack):
        yield ("entities", *thing, field), held


def _held(pack: m.Pack) -> Iterator[tuple[tuple[str, str], str, m.Effects]]:
    """Yield the effects that things hold, each with its thing and field."""
    for kind, entities in pack.entities.items():
        for entity in entities:
            for field, value in entity.f.items():
                if isinstance(value, m.Effects):
                    yield (kind, entity.id), field, value


def _located(path: Path_, effects: Iterable[m.Effect]) -> Iterator[tuple[Path_, m.Effect]]:
    """Yield effects, and those inside them, with their paths."""
    for number, effect in enumerate(effects):
        where: Path_ = (*path, number)
        yield where, effect
        match effect:
            case m.IfEffect(_, then, otherwise):
                yield from _located((*where, "then"), then)
                yield from _located((*where, "else"), otherwise)
            case m.EachEffect() | m.LetEffect() | m.WhileEffect():
                yield from _located((*where, "does"), effect.does)


# ---------------------------------------------------------------- numbers to choose


def _open_numbers(pack: m.Pack) -> Iterator[Remark]:
    """Yield the numbers of moves of which nobody can tell what they can be."""
    given = {(step.move, name) for step in pack.opening for name in step.values}
    opened = {step.move for step in pack.opening}
    for move in pack.moves:
        if move.fallback or not ("turns" in move.phases or move.id in opened):
            continue
        for slot in move.slots.values():
            is_open = slot.shape == "int" and slot.domain is None and slot.infer is None
            if is_open and ("turns" in move.phases or (move.id, slot.name) not in given):
                message = f"it is not said which numbers `{slot.name}` can be"
                told = "without `from`, such as lists.range(10), no such move is ever listed"
                yield Remark(
                    "missing-from", message, ("moves", move.id, "takes", slot.name), (told,)
                )


# ---------------------------------------------------------------- decisions


def _everywhere(pack: m.Pack) -> Iterator[m.Effect]:
    """Yield every effect of a pack, also those that mend what a breach has left."""
    befores = [((), requirement.before) for move in pack.moves for requirement in move.requires]
    for _, effects in [*_effect_lists(pack), *befores]:
        yield from _flat(effects)


def _flat(effects: Iterable[m.Effect]) -> Iterator[m.Effect]:
    for effect in effects:
        yield effect
        match effect:
            case m.IfEffect(_, then, otherwise):
                yield from _flat(then)
                yield from _flat(otherwise)
            case m.EachEffect() | m.LetEffect() | m.WhileEffect():
                yield from _flat(effect.does)


def _decisions(pack: m.Pack) -> Iterator[Remark]:
    answered = {move.answers for move in pack.moves}
    asked = {effect.decision for effect in _everywhere(pack) if isinstance(effect, m.AskEffect)}
    for ident in pack.decisions:
        path: Path_ = ("decisions", ident)
        if ident not in answered:
            message = f"no move answers `{ident}`: where it is asked, the game cannot go on"
            yield Remark("choice-empty", message, path)
        if ident not in asked:
            message = f"the decision `{ident}` is never asked"
            yield Remark("unused-decision", message, path, severity="warning")


# ---------------------------------------------------------------- the end of the game


def _end(compiled: Compiled) -> Iterator[Remark]:
    """Yield a remark if the end cannot come, by what can ever become true in a legal game."""
    pack = compiled.pack
    ended = pack.status.get("ended")
    if ended is None and not pack.endings:
        message = "nothing says when the game has ended"
        yield Remark("end-unreachable", message, ("status",), ("status needs `ended`",))
        return
    truth = Truth(compiled)
    Reach(truth, legal=True).follow()
    if any(truth.of(ending.when, switches=True) is not False for ending in pack.endings):
        return
    if ended is None:
        message = "the game can never end: no `outcome` ever holds"
        yield Remark("end-unreachable", message, ("outcome",))
    elif truth.of(ended, switches=True) is False:
        message = f"the game can never end: `{ended.source}` never becomes true"
        yield Remark("end-unreachable", message, ("status", "ended"))


# ---------------------------------------------------------------- things unused


def _unused(tree: Tree, compiled: Compiled) -> Iterator[Remark]:
    data = tree.data
    pack = compiled.pack
    used: dict[str, set[str]] = {
        "functions": {name for found in compiled.checked.values() for name in found.calls},
        "procedures": {e.procedure for e in _everywhere(pack) if isinstance(e, m.DoEffect)},
        "rules": set(_shared_rules(data)),
        "numbers": set(_mentioned_numbers(data)),
        "zones": set(_mentioned_zones(compiled)),
    }
    for section, names in used.items():
        for ident in data.get(section, {}):
            if ident not in names:
                message = f"the {section[:-1]} `{ident}` is used nowhere"
                rule = f"unused-{section[:-1]}"
                yield Remark(rule, message, (section, ident), severity="warning")


def _mentioned_numbers(data: Mapping[str, Any]) -> Iterator[str]:
    for section, part in data.items():
        if section not in {"groups", "names", "texts"}:
            for _, value in walk(part):
                if isinstance(value, str):
                    yield from _NUMBER.findall(value)


def _shared_rules(data: Mapping[str, Any]) -> Iterator[str]:
    for move in data.get("moves", {}).values():
        entries: Iterable[dict[str, Any]] = [*move.get("_defaults", []), *move.get("requires", [])]
        yield from (entry["use"] for entry in entries if "use" in entry)


def _mentioned_zones(compiled: Compiled) -> Iterator[str]:
    zones = {zone.name: zone for zone in compiled.pack.zones}
    for checked in compiled.checked.values():
        for part in everything(checked.tree):
            found = zone_read(part, zones)
            if found is not None:
                yield found.zone.name

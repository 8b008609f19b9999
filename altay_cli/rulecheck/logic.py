"""What makes no sense in rules of any game: constant conditions, dead ends, things unused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from altay_cli.pack import model as m
from altay_cli.pack.folder import Path_, Tree, walk
from altay_cli.rulecheck.remarks import Remark
from altay_cli.rulecheck.truth import Truth, parse, zone_index

Known = Mapping[str, bool | None]
_NUMBER = re.compile(r"\bnumbers\.(\w+)")
_ZONE = re.compile(r"\bS\.z\[(\d+)\]")
_FUNCTION = re.compile(r"\bF_(\w+)\(")
_LITERAL = {False, "false"}


def logic(tree: Tree, pack: m.Pack) -> Iterator[Remark]:
    """Yield what makes no sense in the rules, whatever game they are of."""
    truth = Truth(pack)
    yield from _requirements(tree, pack, truth)
    yield from _conditions(pack, truth)
    yield from _branches(pack, truth)
    yield from _open_numbers(pack)
    yield from _decisions(pack)
    yield from End(pack).remarks()
    yield from _unused(tree, pack)


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
    for trigger in pack.triggers:
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
    for trigger in pack.triggers:
        yield ("triggers", trigger.id, "does"), trigger.does
    for section, stages in (("prepare", pack.prepare), ("complete", pack.complete)):
        for number, stage in enumerate(stages):
            yield (section, number, "does"), stage.does
    for number, check in enumerate(pack.checks):
        yield ("checks", number, "does"), check.does
    for assumption in pack.assumptions:
        yield ("assumptions", assumption.id, "does"), assumption.does


def _located(path: Path_, effects: Iterable[m.Effect]) -> Iterator[tuple[Path_, m.Effect]]:
    """Yield effects, and those inside them, with their paths."""
    for number, effect in enumerate(effects):
        where: Path_ = (*path, number)
        yield where, effect
        match effect:
            case m.IfEffect(_, then, otherwise):
                yield from _located((*where, "then"), then)
                yield from _located((*where, "else"), otherwise)
            case m.EachEffect() | m.LetEffect():
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
            case m.EachEffect() | m.LetEffect():
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


class End:
    """Whether the end of the game can come, by what can ever become true at all.

    All yes-or-no zones of the table are false at the beginning. One can become true only if
    some effect sets it that can be reached: by a legal move, a trigger, or behind a section, under
    conditions that do not need a zone which can never become true.
    """

    def __init__(self, pack: m.Pack) -> None:
        self.pack = pack
        self.truth = Truth(pack)
        self.open = {zone.index for zone in pack.zones if zone.shape == "bool" and not zone.per}
        self.truth.dead = frozenset(self.open)
        self.asked: set[str] = set()

    def remarks(self) -> Iterator[Remark]:
        """Yield a remark if the end cannot come."""
        ended = self.pack.status.get("ended")
        if ended is None and not self.pack.endings:
            message = "nothing says when the game has ended"
            yield Remark("end-unreachable", message, ("status",), ("status needs `ended`",))
            return
        before: tuple[int, int] | None = None
        while before != (len(self.open), len(self.asked)):
            before = (len(self.open), len(self.asked))
            self.truth.dead = frozenset(self.open)
            self._spread()
        self.truth.dead = frozenset(self.open)
        if any(self._judge(ending.when, {}) is not False for ending in self.pack.endings):
            return
        if ended is None:
            message = "the game can never end: no `outcome` ever holds"
            yield Remark("end-unreachable", message, ("outcome",))
        elif self.truth.of(ended, switches=True) is False:
            message = f"the game can never end: `{ended.source}` never becomes true"
            yield Remark("end-unreachable", message, ("status", "ended"))

    def _spread(self) -> None:
        for move in self.pack.moves:
            if self._is_possible(move):
                self._run(move.does, {})
        for trigger in self.pack.triggers:
            if self._judge(trigger.when, {}) is not False:
                self._run(trigger.does, {})
        for stage in (*self.pack.prepare, *self.pack.complete):
            self._run(stage.does, {})

    def _is_possible(self, move: m.MoveDef) -> bool:
        if move.fallback or not {"setup", "turns"} & set(move.phases):
            return False
        if move.answers is not None and move.answers not in self.asked:
            return False
        conditions = [requirement.that for requirement in move.requires]
        conditions += [move.when] if move.when is not None else []
        return all(self._judge(condition, {}) is not False for condition in conditions)

    def _judge(self, expr: m.Expr, known: Known) -> bool | None:
        return self.truth.of(expr, known, switches=True)

    def _run(self, effects: Iterable[m.Effect], known: Known) -> None:
        for effect in effects:
            match effect:
                case m.IfEffect(condition, then, otherwise):
                    holds = self._judge(condition, known)
                    if holds is not False:
                        self._run(then, known)
                    if holds is not True:
                        self._run(otherwise, known)
                case m.EachEffect():
                    self._run(effect.does, {k: v for k, v in known.items() if k != effect.name})
                case m.LetEffect():
                    inner = dict(known)
                    for name, expr in effect.values:
                        inner[name] = self._judge(expr, inner)
                    self._run(effect.does, inner)
                case m.DoEffect():
                    arguments = {n: self._judge(e, known) for n, e in effect.arguments}
                    self._run(self.pack.procedures[effect.procedure].does, arguments)
                case m.AskEffect():
                    self.asked.add(effect.decision)
                case m.SetEffect():
                    if self._judge(effect.value, known) is not False:
                        index = self._zone(effect.place)
                        if index is not None:
                            self.open.discard(index)
                case _:
                    pass

    def _zone(self, place: m.Place) -> int | None:
        """Return the zone of the table that a place is."""
        codes = self.pack.codes
        if codes[place.container.key] != "S.z":
            return None
        key = parse(codes[place.key.key])
        found = key.value if isinstance(key, ast.Constant) else None
        return found if isinstance(found, int) else None


# ---------------------------------------------------------------- things unused


def _unused(tree: Tree, pack: m.Pack) -> Iterator[Remark]:
    data = tree.data
    code = [*pack.codes.values(), *_function_codes(pack)]
    used: dict[str, set[str]] = {
        "functions": {name for text in code for name in _FUNCTION.findall(text)},
        "procedures": {e.procedure for e in _everywhere(pack) if isinstance(e, m.DoEffect)},
        "rules": set(_shared_rules(data)),
        "numbers": set(_mentioned_numbers(data)),
        "zones": set(_mentioned_zones(pack)),
    }
    for section, names in used.items():
        for ident in data.get(section, {}):
            if ident not in names:
                message = f"the {section[:-1]} `{ident}` is used nowhere"
                rule = f"unused-{section[:-1]}"
                yield Remark(rule, message, (section, ident), severity="warning")


def _function_codes(pack: m.Pack) -> Iterator[str]:
    for function in pack.functions.values():
        yield function.code
        yield from (code for _, code in function.lets)


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


def _mentioned_zones(pack: m.Pack) -> Iterator[str]:
    codes = [*pack.codes.values(), *_function_codes(pack)]
    indexes = {int(found) for text in codes for found in _ZONE.findall(text)}
    # A place that is set is kept in two parts: `S.z` and the index.
    for effect in _everywhere(pack):
        for place in _places(effect):
            if pack.codes[place.container.key] == "S.z":
                found = zone_index(parse(f"S.z[{pack.codes[place.key.key]}]"))
                indexes |= set() if found is None else {found}
    yield from (zone.name for zone in pack.zones if zone.index in indexes)


def _places(effect: m.Effect) -> Iterator[m.Place]:
    match effect:
        case m.SetEffect():
            yield effect.place
        case m.MoveEffect():
            yield from (end for end in (effect.source, effect.target) if isinstance(end, m.Place))

"""Find illogical rules: constant conditions, dead ends, unused parts, faulty translations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from altay_cli.base.findings import Severity, Text, with_ellipsis
from altay_cli.base.resources import FRAMES
from altay_cli.base.suggest import suggest
from altay_cli.base.values import Entity
from altay_cli.compile.context import Context
from altay_cli.compile.vocabulary import function_keys
from altay_cli.expressions.typed import Constant, Reference, everything
from altay_cli.lint.ends import forgotten_ends, hidden_ends, late_ends, undone_ends
from altay_cli.lint.interpreter import Interpreter, Reach, is_brought, targets
from altay_cli.lint.known import Facts, Few, Scope, exactly, few, items_of, size
from altay_cli.lint.null_keys import null_keys
from altay_cli.lint.out_of_reach import numbers_out_of_reach
from altay_cli.lint.suspects import (
    capped_at_nothing,
    names_of_nothing,
    points_exchanged,
    points_of_others,
    worse_things,
)
from altay_cli.pack import model as m
from altay_cli.pack.words import words_of
from altay_cli.source.document import DataFinding, DataPath, Entry, fault
from altay_cli.source.folder import Tree, read_source, walk

# These make a game unplayable; other problems may be intended.
_ERRORS = {
    "choice-empty", "end-unreachable", "missing-from", "never-happens", "rule-never-met",
    "rules-contradict",
}  # fmt: skip

# A condition on these may be constant, as a game or its players choose them.
_SWITCHES = ("rulings.", "numbers.", "options.")


def _problem(
    rule: str, message: str, path: DataPath, /, *help_lines: str, **values: Any
) -> DataFinding:
    severity = Severity.ERROR if rule in _ERRORS else Severity.WARNING
    return fault(rule, message, path, *help_lines, severity=severity, **values)


def logic(c: Context, base: Mapping[str, object] = m.NOTHING) -> Iterator[DataFinding]:
    """Yield illogical parts of rules; ``base`` is the game without variants."""
    truth = Interpreter(c)
    # These problems exist even in logs with slips.
    Reach(truth, legal=False).follow()
    for lint in (
        _requirements, _contradictions, _forbidden, _constant_conditions, _unbounded_numbers,
        _empty_choices, _decisions, _unused_parts, _unfilled, _constant_categories,
        _scores_of_unrecorded, null_keys, points_of_others, capped_at_nothing, undone_ends,
        late_ends, forgotten_ends,
    ):  # fmt: skip
        yield from lint(truth)
    yield from _unread_fields(c, base)
    yield from hidden_ends(truth, base)
    yield from numbers_out_of_reach(truth, base)
    yield from points_exchanged(c, base)
    yield from names_of_nothing(c)
    yield from worse_things(c)
    # Last, as it needs the contents of zones in legal games.
    yield from _endless_game(truth)


# ---------------------------------------------------------------- constant conditions


def _requirements(truth: Interpreter) -> Iterator[DataFinding]:
    asked: dict[DataPath, tuple[m.Requirement | m.Check, list[str]]] = {}
    for move in truth.pack.moves:
        for requirement in move.requires:
            holds, place = truth.of(requirement.that), truth.path(requirement.that)
            if holds is True or (holds is False and not move.fallback):
                asked.setdefault(place, (requirement, []))[1].append(f"`{move.id}`")
    for check in truth.pack.checks:
        holds, place = truth.of(check.that), truth.path(check.that)
        # A variant may make a note of the game impossible.
        idle = check.text.severity is not Severity.ERROR and not is_brought(truth.c.tree, place[:2])
        intended = idle if holds else check.that.source in {"False", "false"}
        if holds is not None and not intended:
            asked[place] = check, []
    for condition, moves in asked.values():
        values = {"rule": condition.text.rule, "moves": with_ellipsis(moves, 3)}
        always = "`{rule}` always holds, so nothing can ever break it"
        yield from _constant_condition(
            "rule-never-fails", always, truth, condition.that, True, **values
        )
        never = "`{rule}` never holds, so nothing can ever be legal here"
        if moves:
            never = "`{rule}` never holds, so {moves} can never be made"
        way = "to take a move out of the game, remove it; `fallback: true` marks one to be refused"
        yield from _constant_condition(
            "rule-never-met", never, truth, condition.that, False, way, **values
        )


def _constant_conditions(truth: Interpreter) -> Iterator[DataFinding]:
    pack = truth.pack
    for move in pack.moves:
        template = "the move `{move}` is never chosen: its condition never holds"
        yield from _constant_condition(
            "never-happens", template, truth, move.when, False, move=move.id
        )
    for trigger in (*pack.triggers, *pack.watches):
        template = "`{trigger}` never happens: its condition never holds"
        yield from _constant_condition(
            "never-happens", template, truth, trigger.when, False, trigger=trigger.id
        )
        template = "`{trigger}` happens after every move: its condition always holds"
        yield from _constant_condition(
            "always-happens", template, truth, trigger.when, True, trigger=trigger.id
        )
    for end in pack.endings:
        template = "the game never ends by `{by}`: the condition never holds"
        yield from _constant_condition(
            "never-happens", template, truth, end.when, False, by=end.by.source
        )
    for effect in _all_effects(pack):
        if isinstance(effect, m.IfEffect) and not truth.mentions(effect.condition, *_SWITCHES):
            for always, message in (
                (True, "this condition always holds"),
                (False, "this condition never holds"),
            ):
                yield from _constant_condition(
                    "constant-condition", message, truth, effect.condition, always
                )


def _constant_condition(
    rule: str,
    message: str,
    truth: Interpreter,
    that: m.Expr | None,
    always: bool,
    /,
    *advice: str,
    **values: object,
) -> Iterator[DataFinding]:
    if that is not None and truth.of(that) is always:
        yield _problem(rule, message, truth.path(that), *truth.reasons(that), *advice, **values)


def _contradictions(truth: Interpreter) -> Iterator[DataFinding]:
    reported: set[DataPath] = set()
    for move in truth.pack.moves:
        conditions = [(f"`{r.text.rule}`", r.that) for r in move.requires if not r.afterwards]
        if move.when is not None:
            conditions.insert(0, (Text("the condition of `{move}`", move=move.id), move.when))
        scope = Scope(definitions={name: truth.tree(expr.key) for name, expr in move.lets})
        facts = Facts()
        for number, (name, that) in enumerate(() if move.fallback else conditions):
            path, narrowed = truth.path(that), scope._replace(facts=facts)
            facts = truth.facts(that, narrowed)
            if not facts.impossible:
                continue
            if path not in reported and not truth.facts(that, scope).impossible:
                reported.add(path)
                partners = (
                    earlier
                    for earlier, expr in conditions[:number]
                    if truth.facts(that, scope._replace(facts=truth.facts(expr, scope))).impossible
                )
                template = "{name} and {partner} exclude each other: `{move}` can never be made"
                why, rest = truth.reasons(that, narrowed), "the decision that is asked before"
                values = {"name": name, "partner": next(partners, rest), "move": move.id}
                yield _problem("rules-contradict", template, path, *why, **values)
            break  # a contradiction implies everything


def _forbidden(truth: Interpreter) -> Iterator[DataFinding]:
    pack, tree = truth.pack, truth.c.tree
    usual = [move for move in pack.moves if "turns" in move.phases and not move.fallback]
    for move in usual if tree.layers else ():
        definitions = {name: truth.tree(expr.key) for name, expr in move.lets}
        for requirement in move.requires:
            that, path = requirement.that, truth.path(requirement.that)
            if not is_brought(tree, path) or truth.of(that) is not None:
                continue
            named = {*_named_things(truth, that)}
            for slot in move.slots.values():
                if slot.shape != "entity" or slot.kind == "player":
                    continue
                things = [
                    thing
                    for thing in pack.entities[slot.kind]
                    if named & {thing, thing.parent}
                    and truth.of(that, Scope({slot.name: exactly(thing)}, None, definitions))
                    is False
                ]
                if 0 < 2 * len(things) <= len(pack.entities[slot.kind]):
                    template = "`{move}` is never legal with {names}: `{rule}` forbids it"
                    names = tuple(dict.fromkeys(map(words_of(pack, "en").name, things)))
                    values = {"move": move.id, "names": names, "rule": requirement.text.rule}
                    way = "to take something out of the game, remove it"
                    yield _problem("thing-never-usable", template, path, way, **values)


def _named_things(truth: Interpreter, expr: m.Expr) -> Iterator[Entity]:
    for part in everything(truth.tree(expr.key)):
        if isinstance(part, Reference) and part.key is None and "." in part.name:
            match truth.known(part):
                case Few((Entity() as thing,)):
                    yield thing


def _all_effects(pack: m.Pack, but: Set[DataPath] = frozenset()) -> Iterator[m.Effect]:
    left_out = [
        pack.procedures[str(ident)].does for section, ident in but if section == "procedures"
    ]
    silent = {id(effect) for effects in left_out for effect in m.everything(effects)}
    for effects in pack.routines:
        yield from (effect for effect in m.everything(effects) if id(effect) not in silent)


def _unbounded_numbers(truth: Interpreter) -> Iterator[DataFinding]:
    given = {(step.move, name) for step in truth.pack.opening for name in step.values}
    opened = {step.move for step in truth.pack.opening}
    for move in truth.pack.moves:
        in_turns = "turns" in move.phases
        for slot in move.slots.values() if in_turns or move.id in opened else ():
            is_open = slot.shape == "int" and slot.domain is None and slot.infer is None
            if is_open and not move.fallback and (in_turns or (move.id, slot.name) not in given):
                message = Text("nothing says which numbers `{slot}` can be", slot=slot.name)
                advice = "add `from`, such as lists.range(10); without it the move is never listed"
                path = ("moves", move.id, "takes", slot.name)
                yield _problem("missing-from", message, path, advice)


def _empty_choices(truth: Interpreter) -> Iterator[DataFinding]:
    for move in truth.pack.moves:
        for slot in move.slots.values() if "turns" in move.phases and not move.fallback else ():
            if slot.domain is None or slot.optional:
                continue
            path, domain = truth.path(slot.domain), truth.value(slot.domain)
            values = {"slot": slot.name, "move": move.id}
            if size(domain).most == 0:
                template = "there is nothing to choose `{slot}` from: `{move}` can never be made"
                yield _problem("choice-empty", template, path, **values)
            elif rule := _forbids_all(truth, move, slot, items_of(domain) or []):
                template = "`{rule}` forbids every `{slot}` to choose: `{move}` can never be made"
                yield _problem("choice-empty", template, path, rule=rule, **values)


def _forbids_all(truth: Interpreter, move: m.MoveDef, slot: m.Slot, items: Sequence[object]) -> str:
    """Return a requirement that holds for none of the things to choose; "" if there is none."""
    definitions = {name: truth.tree(expr.key) for name, expr in move.lets}
    scopes = [Scope({slot.name: exactly(item)}, None, definitions) for item in items]
    for requirement in move.requires if scopes else ():
        that = requirement.that
        if requirement.afterwards or slot.name not in that.names or truth.of(that) is not None:
            continue
        if all(truth.of(that, scope) is False for scope in scopes):
            return requirement.text.rule
    return ""


def _decisions(truth: Interpreter) -> Iterator[DataFinding]:
    answered = {move.answers for move in truth.pack.moves}
    asked = {e.decision for e in _all_effects(truth.pack) if isinstance(e, m.AskEffect)}
    for ident in truth.pack.decisions:
        path: DataPath = ("decisions", ident)
        if ident not in answered:
            template = "no move answers `{decision}`: the game cannot continue once it is asked"
            yield _problem("choice-empty", template, path, decision=ident)
        if ident not in asked:
            template = "the decision `{decision}` is never asked"
            yield _problem("unused-decision", template, path, decision=ident)


def _endless_game(truth: Interpreter) -> Iterator[DataFinding]:
    ended = truth.pack.status.get("ended")
    conditions = [ending.when for ending in truth.pack.endings] + ([ended] if ended else [])

    def ends() -> bool:
        return any(truth.of(when, switches=True) is not False for when in conditions)

    Reach(truth, legal=True).follow(until=ends)
    if not conditions:
        message = "nothing says when the game has ended"
        yield _problem("end-unreachable", message, ("status",), "add `ended` to `status`")
    elif ends():
        return
    elif ended is None:
        message = "the game can never end: no `outcome` ever holds"
        yield _problem("end-unreachable", message, ("outcome",))
    else:
        template = "the game can never end: `{expression}` never becomes true"
        yield _problem("end-unreachable", template, ("status", "ended"), expression=ended.source)


# ---------------------------------------------------------------- things unused


_UNUSED = {
    "functions": ("unused-function", "the function `{name}` is used nowhere"),
    "procedures": ("unused-procedure", "the procedure `{name}` is used nowhere"),
    "rules": ("unused-rule", "the rule `{name}` is used nowhere"),
    "numbers": ("unused-number", "the number `{name}` is used nowhere"),
    "zones": ("unused-zone", "the zone `{name}` is used nowhere"),
}


def _unused_parts(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield unused parts; of the game itself, also parts used only by those."""
    tree, data = truth.c.tree, truth.c.data
    dead: set[DataPath] = set()
    # Parts with unused users are unused, in the game itself only because of a variant.
    while True:
        used = _used_names(truth.c, dead)
        parts = {(s, ident) for s in used for ident in data.get(s, {}) if ident not in used[s]}
        new = {part for part in parts if not dead or not is_brought(tree, part)} - dead
        if not new:
            break
        dead |= new
    for section, (rule, template) in _UNUSED.items():
        for ident in data.get(section, {}):
            if (section, ident) in dead:
                yield _problem(rule, template, (section, ident), name=ident)


def _used_names(c: Context, dead: Set[DataPath]) -> Mapping[str, Set[str]]:
    pack, data = c.pack, c.data
    functions = data.get("functions", {})
    silent = {
        key for part, ident in dead if part == "functions"
        for key in function_keys(str(ident), functions[ident])
    }  # fmt: skip
    checked = [item for key, item in c.checked.items() if key not in silent]
    asked = {part for expr in checked for part in expr.reads if isinstance(part, int)}
    return {
        "functions": {name for expr in checked for name in expr.calls},
        "procedures": {e.procedure for e in _all_effects(pack, dead) if isinstance(e, m.DoEffect)},
        "rules": {
            entry["use"]
            for move in data.get("moves", {}).values()
            for entry in (*move.get("_defaults", ()), *move.get("requires", ()))
            if "use" in entry
        },
        "numbers": {name.removeprefix("numbers.") for expr in checked for name in expr.names},
        "zones": {pack.zones[index].name for index in asked | _zones_named(pack, dead)},
    }


def _zones_named(pack: m.Pack, but: Set[DataPath] = frozenset()) -> Set[int]:
    reveals = (s.reveals for move in pack.moves for s in move.slots.values())
    return m.zones_in((*reveals, *map(tuple, _all_effects(pack, but))))


def _unfilled(truth: Interpreter) -> Iterator[DataFinding]:
    pack = truth.pack
    asked = {part for checked in truth.c.checked.values() for part in checked.reads}
    used = asked | _zones_named(pack)
    written = {index for effect in _all_effects(pack) for index in targets(effect)}
    for zone in pack.zones:
        where: DataPath = ("zones", zone.name)
        is_single = zone.shape not in ("bag", "pile")
        if zone.index in used - written:
            template = "nothing ever comes into `{zone}`: it is always empty"
            if is_single:
                template = "nothing ever sets `{zone}`: it is always {value}"
            begins = {"entity": "nothing", "bool": "false"}
            value = begins.get(zone.shape, few(truth.empty(zone))[:1])
            yield _problem("zone-never-filled", template, where, zone=zone.name, value=value)
        # A zone that entities move to may be out of the game; a number exists to be read.
        is_only_set = is_single and zone.index in written - {*asked, *pack.repeats}
        if is_only_set and is_brought(truth.c.tree, where):
            template = "nothing reads `{zone}`: it is only set"
            yield _problem("zone-never-read", template, where, zone=zone.name)


def _constant_categories(truth: Interpreter) -> Iterator[DataFinding]:
    tree = truth.c.tree
    for category in truth.pack.categories if tree.variants else ():
        path = ("categories", category.id)
        worth = [(part, few(truth.value(part.points))) for part in category.parts]
        fixed = [n[0] for part, n in worth if len(n) == 1 and (part.each is None or n == (0,))]
        paths = [path, *(truth.path(part.points) for part in category.parts)]
        brought = any(is_brought(tree, path) for path in paths)
        if category.counts and len(fixed) == len(category.parts) and brought:
            template = "`{category}` is always worth {points} for every player: it decides nothing"
            points = " + ".join(map(str, fixed))
            yield _problem(
                "category-constant", template, path, category=category.title, points=points
            )


def _scores_of_unrecorded(truth: Interpreter) -> Iterator[DataFinding]:
    """Yield the scores that read an unrecorded value without an assumption.

    Only zones with a single value need one: the contents of bags are inferred.
    """
    pack = truth.pack
    assumed = (
        effect for assumption in pack.assumptions for effect in m.everything(assumption.does)
    )
    covered = {index for effect in assumed for index in targets(effect)}
    single = {
        i: slot for move in pack.moves for i, slot in _single_slots(pack, move) if i not in covered
    }
    parts = [part for category in pack.categories for part in category.parts]
    scores = [
        *(expr for p in parts for expr in (p.each and p.each[1], p.points, p.cap)),
        *pack.ranking,
        *(expr for end in pack.endings for expr in (end.when, end.winners, end.losers)),
    ]
    for expr in filter(None, scores):
        for index, slot in single.items():
            if index in expr.reads:
                template = (
                    "`{zone}` is null where a log writes `?` for `{slot}`, and is scored as null"
                )
                way = "add `assumptions` to compute the scores for each possible value"
                zone, path = pack.zones[index].name, truth.path(expr)
                yield _problem("assumption-missing", template, path, way, zone=zone, slot=slot)


def _single_slots(pack: m.Pack, move: m.MoveDef) -> Iterator[tuple[int, str]]:
    unclear = {s.name for s in move.slots.values() if s.hidden or s.shape == "drawn"}
    for effect in m.everything(move.does) if unclear else ():
        if isinstance(effect, m.SetEffect) and not effect.add:
            zone = pack.zones[effect.place.zone]
            if zone.shape == "entity":
                yield from ((zone.index, slot) for slot in unclear & effect.value.names)


def _unread_fields(c: Context, base: Entry) -> Iterator[DataFinding]:
    data = c.data
    constants: set[object] = set()
    for kind, entry in data["kinds"].items():
        for field, words in entry.get("enums", {}).items():
            known = base.get("kinds", {}).get(kind, {}).get("enums", {}).get(field, words)
            new = {word for word in words if word not in known}
            if new and not constants:
                parts = (
                    part for checked in c.checked.values() for part in everything(checked.tree)
                )
                constants.update(part.value for part in parts if isinstance(part, Constant))
            new -= constants
            for path, value in walk(data.get("entities", {})) if new else ():
                if path[-1:] == (field,) and value in new and _kind_at(data, path[:-1]) == kind:
                    template = "nothing reads {field} `{value}`: it has no effect"
                    there = ("entities", *path)
                    yield _problem("unread-value", template, there, field=field, value=value)


def _kind_at(data: Entry, path: DataPath) -> str | None:
    kind = str(path[0]) if len(path) > 1 else None
    for key in path[2:]:
        if isinstance(key, str):
            declared = data["kinds"].get(kind, {}).get("fields", {}).get(key, "")
            match = re.fullmatch(r"(?:list|bag)\((\w+)\)|(\w+)\??", declared)
            kind = (match[1] or match[2]) if match else None
    return kind


# ---------------------------------------------------------------- translations


_WORDS = re.compile(r"""\bwords\(\s*(?P<quote>['"])(.*?)(?P=quote)""")

# The program's own texts.
_OF_THE_PROGRAM = frozenset({"nothing", "yes", "no"})


def texts(tree: Tree, folder: Path) -> Iterator[DataFinding]:
    """Yield problems of texts in ``folder``, or only of variants, if any."""
    if tree.variants and not any("texts" in layer.data for layer in tree.layers):
        return
    layers = {layer.root.text: layer for layer in tree.layers}
    origin = {
        (language, english): layers.get(tree.placed(("texts", language, english)).text)
        for language, table in tree.data.get("texts", {}).items()
        for english in table
    }
    translated = {language for (language, _), variant in origin.items() if not variant}
    languages = {*tree.data.get("names", {}), *translated}
    rules = {key: value for key, value in tree.data.items() if key != "texts"}
    known = {*_all_texts(rules), *rules.get("groups", ()), *_OF_THE_PROGRAM}
    asked = {key: variant for key, variant in origin.items() if variant or not tree.variants}
    # A game also translates the variants in its folder.
    is_complete = tree.variants or known.issuperset(english for _, english in asked)
    others = frozenset() if is_complete else _texts_of_variants(folder)
    for (language, english), variant in asked.items():
        path: DataPath = ("texts", language, english)
        if language not in languages:
            languages.add(language)
            template = "no other part of the rules is in a language `{language}`"
            yield fault("unknown-language", template, path[:2], mark="key", language=language)
        if english in known or tree.where(path)[0].startswith(f"{FRAMES}/"):
            continue  # a frame also translates parts that a game omits
        # Includes parts that a later variant removes.
        if english not in (_all_texts(variant.data) if variant else others):
            help_lines = [Text("did you mean: {text}", text=t) for t in suggest(english, known)]
            message = "no rule says this in English, so the translation is never used"
            yield fault("unknown-text", message, path, *help_lines, mark="key")


def _all_texts(data: object) -> frozenset[str]:
    strings = [value for _, value in walk(data) if isinstance(value, str)]
    return frozenset([*strings, *(word for text in strings for _, word in _WORDS.findall(text))])


def _texts_of_variants(folder: Path) -> frozenset[str]:
    paths = [*folder.glob("variants/*.yaml"), *folder.glob("versions/*.yaml")]
    read = [read_source(path, path.name, "variant", [], folder) for path in paths]
    return frozenset().union(*(_all_texts(source.data) for source in read if source is not None))

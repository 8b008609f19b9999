"""Read the declarations of rules: names, zones, options, rulings, functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from altay_cli.base.findings import ExpressionError, Text
from altay_cli.base.suggest import normal
from altay_cli.compile.context import Clause, Context
from altay_cli.compile.entities import Formula, build_entities
from altay_cli.compile.vocabulary import STANDING, base_environment, function_keys, reads, shape_of
from altay_cli.expressions.checker import limited
from altay_cli.expressions.environment import Environment, Function, Symbol, by_name
from altay_cli.expressions.parser import RESERVED
from altay_cli.expressions.types import BUILTIN, INT, STRING, Type, list_of
from altay_cli.pack import limits
from altay_cli.pack import model as m
from altay_cli.pack.functions import GRID_FIELDS
from altay_cli.pack.layout import with_cells
from altay_cli.pack.notations import ForeignStatement, NotationPart, split_parts

_WORDS = ("players", "numbers", "options", "rulings", "seats", "me", "asked")
"""Names with a meaning in every game."""

_TYPES = BUILTIN | {"player", "bag", "pile", "drawn", "var"}


def declare(c: Context) -> list[Formula]:
    """Read all declarations; return the formulas left to compile."""
    _check_names(c)
    zones = tuple(_zones(c))
    known = [zone.name for zone in zones]
    for _, named in c.parts("repeats"):
        if named.data not in known:
            named.unknown("zone", known)
    c.entities, formulas = build_entities(c)
    c.zones = with_cells(zones, c.entities, c.data["players"]["most"])
    c.zone_named = {zone.name: zone for zone in c.zones}
    for zone in [zone for zone in c.zones if zone.cells[1] > limits.MAX_CELLS][:1]:
        template = "{count} places are too many: a game has {most} at most"
        count, most, path = f"{zone.cells[1]:,}", f"{limits.MAX_CELLS:,}", ("zones", zone.name)
        c.problem("zone-size", template, path, key=True, count=count, most=most)
    c.procedure_types = {name: entry.types("takes") for name, entry in c.parts("procedures")}
    c.decision_types = {name: entry.types("with") for name, entry in c.parts("decisions")}
    c.base = with_functions(
        c, base_environment(c.kinds, c.section("kinds"), c.zones, _constant_names(c))
    )
    c.env = replace(c.base, functions={**by_name(STANDING), **c.base.functions})
    c.answer_types = {
        ident: kind
        for ident, entry in c.parts("decisions")
        if "gives" in entry and (kind := entry["gives"].as_type()) is not None
    }
    return formulas


def _constant_names(c: Context) -> dict[str, Symbol]:
    names: dict[str, Symbol] = {}
    for kind, entities in c.entities.items():
        plural = c.data["kinds"][kind]["plural"]
        names[plural] = Symbol(list_of(Type(kind)), f"L_{kind}", size=len(entities))
        c.constants[f"L_{kind}"] = list(entities)
        for entity in entities:
            if entity.id.isidentifier():
                # Kinds and ids can contain `_`, so it cannot separate them.
                code = f"c{len(kind)}_{kind}_{entity.id}"
                names[f"{plural}.{entity.id}"] = Symbol(Type(kind), code)
                c.constants[code] = entity
    for name, number in c.section("numbers").items():
        names[f"numbers.{name}"] = Symbol(INT, f"({number['value']!r})")
    for name in c.section("options"):
        names[f"options.{name}"] = Symbol(STRING, f"S.options[{name!r}]", reads=reads("options"))
    for name, ruling in c.section("rulings").items():
        if "choices" in ruling:
            names[f"rulings.{name}"] = Symbol(STRING, repr(ruling["default"]))
    for key in ("least", "most"):
        names[f"seats.{key}"] = Symbol(INT, f"({c.data['players'][key]!r})")
    if any(name in c.zone_named for name in c.section("repeats")):
        names["repeats"] = Symbol(INT, "S.repeats", reads=reads("repeats"))
    return names


def _zones(c: Context) -> Iterator[m.Zone]:
    for number, (name, zone) in enumerate(c.parts("zones")):
        for _, part in zone.parts("per"):
            if part.data not in c.kinds:
                part.unknown("kind", ())
        holds = zone["holds"]
        shape, kind = shape_of(holds.data)
        if shape not in ("int", "bool") and kind not in c.kinds:
            holds.problem("unknown-type", "no zone can hold `{holds}`", holds=holds.data)
        _check_zone(zone, shape, kind)
        yield m.Zone(
            name,
            number,
            tuple(zone.get("per", ())),
            shape,
            kind,
            zone.get("lasts", "game"),
            zone.get("title", name),
            zone.get("least"),
            zone.get("most"),
            tuple(zone.get("backs", ())),
            zone.get("tally", False),
        )


def _check_zone(zone: Clause, shape: m.Shape, kind: str) -> None:
    name, holds = zone.path[-1], zone.data["holds"]
    least, most = zone.get("least"), zone.get("most")
    for key in ("least", "most") if shape != "int" else ():
        if key in zone:
            template = "only a number has bounds: `{name}` holds `{holds}`"
            zone[key].problem("zone-bounds", template, key=True, name=name, holds=holds)
    if least is not None and most is not None and least > most:
        template = "no number is at least {least} and at most {most}"
        zone["most"].problem("zone-bounds", template, least=least, most=most)
    if "backs" in zone and shape != "bag":
        template = "only things in a bag have a back: `{zone}` holds `{holds}`"
        zone["backs"].problem("zone-backs", template, key=True, zone=name, holds=holds)
        return
    fields = tuple(zone.c.section("kinds", kind, "fields"))
    for _, part in zone.parts("backs"):
        if part.data not in fields:
            template = "a {kind} has no field `{field}`, but {fields}"
            there = fields or "none"
            part.problem("zone-backs", template, kind=kind, field=part.data, fields=there)


def _check_names(c: Context) -> None:
    known = dict.fromkeys(_WORDS, "a word of all games")
    for kind, entry in c.parts("kinds"):
        if kind in _TYPES:
            template = "`{name}` is a type of its own in all games"
            entry.problem("defined-twice", template, key=True, name=kind)
        _define_name(known, entry["plural"], Text("the plural of the kind `{kind}`", kind=kind))
    for zone, entry in c.parts("zones"):
        _define_name(known, entry, Text("the zone `{zone}`", zone=zone), key=True)
    for kind, entry in c.parts("kinds"):
        members: dict[str, str] = {"id": "the id of every thing"}
        if "grid" in entry:
            members |= dict.fromkeys(GRID_FIELDS, "what every place of a grid knows")
        for _, field in entry.parts("fields"):
            _define_name(members, field, Text("a field of the kind `{kind}`", kind=kind), key=True)
        if "parent" in entry:
            _define_name(members, entry["parent"], "what such things are made from")
        for zone, owned in c.parts("zones"):
            if owned.get("per", [None])[0] == kind:
                what = Text("the zone `{zone}` of each {kind}", zone=zone, kind=kind)
                _define_name(members, owned, what, key=True)


def _define_name(known: dict[str, str], part: Clause, what: str, *, key: bool = False) -> None:
    name = str(part.path[-1] if key else part.data)
    if name in RESERVED:
        template = "`{name}` is {what}, and a word that expressions keep for themselves"
        part.problem("defined-twice", template, key=key, name=name, what=what)
    other = known.setdefault(name, what)
    if other is not what:
        template = "`{name}` is {what}, and {other} as well: expressions could mean either"
        part.problem("defined-twice", template, key=key, name=name, what=what, other=other)


def _check_default(entry: Clause, values: str) -> None:
    if values in entry and entry.data["default"] not in entry.data[values]:
        entry["default"].unknown("value", entry.data[values])


def rulings(c: Context) -> Iterator[m.Ruling]:
    """Read the rulings; check the choices."""
    for ident, entry in c.parts("rulings"):
        _check_default(entry, "choices")
        title, default, reason = (entry.data[key] for key in ("title", "default", "reason"))
        sources, choices = tuple(entry.get("source", ())), tuple(entry.get("choices", ()))
        yield m.Ruling(ident, title, default, reason, sources, choices)


def options(c: Context) -> Iterator[m.Option]:
    """Read the options of players."""
    for ident, entry in c.parts("options"):
        _check_default(entry, "values")
        values, default = tuple(entry.data["values"]), entry.data["default"]
        yield m.Option(ident, entry.get("tag"), values, default, entry.get("variants", {}))


def words(c: Context) -> dict[str, tuple[str, ...]]:
    """Return the alternative words of statements."""
    meanings: dict[str, tuple[str, ...]] = {}
    for word, others in c.section("slips", "words").items():
        for other in others:
            meanings[normal(other)] = (*meanings.get(normal(other), ()), word)
    return meanings


def notations(c: Context) -> Iterator[ForeignStatement]:
    """Compile the statements of other notations."""
    for _, entry in c.part("slips", "notations").each_part():
        known = {name: _meanings_by_text(part) for name, part in entry.parts("parts")}
        inner = entry.with_names(dict.fromkeys(known, STRING))
        help_line = entry.optional_message("help")
        for _, statement in inner.parts("statements"):
            parts = []
            for name, optional, word in split_parts(statement.data["written"]):
                if name and name not in known:
                    wrong = "`<{name}>` is not among the parts of the notation"
                    statement["written"].problem("unknown-slot", wrong, name=name)
                parts.append(NotationPart(name, known.get(name, {word: word}), optional))
            means = statement["means"].expr(list_of(STRING))
            names = tuple(known)
            yield ForeignStatement(tuple(parts), names, means, entry.data["title"], help_line)


def _meanings_by_text(part: Clause) -> dict[str, str]:
    if isinstance(part.data, str):
        if part.data not in part.c.entities:
            part.unknown("kind", part.c.entities)
        return {thing.id: thing.id for thing in part.c.entities.get(part.data, ())}
    if isinstance(part.data, Mapping):
        return {str(text): str(meaning) for text, meaning in part.data.items()}
    return {str(text): str(text) for text in part.data}


def with_functions(c: Context, env: Environment) -> Environment:
    """Return an environment with the functions of the rules."""
    functions = {name: list(overloads) for name, overloads in env.functions.items()}
    declared: dict[str, tuple[dict[str, Type], Type]] = {}
    for name, entry in c.parts("functions"):
        takes, gives = entry.types("takes"), entry["gives"].as_type()
        if gives is None:
            continue
        declared[name] = (takes, gives)
        code = f"F_{name}(S{''.join(f', {{{i}}}' for i in range(len(takes)))})"
        function = Function(tuple(takes.values()), gives, code, from_rules=True)
        functions.setdefault(name, []).append(function)
    env = replace(env, functions=functions)
    # Functions may call each other.
    uses = {
        name: _compile_function(entry, *declared[name])
        for name, entry in c.parts("functions", env)
        if name in declared
    }
    for name in endless(uses):
        message = "the function `{name}` uses itself"
        c.problem("endless", message, ("functions", name), key=True, name=name)
    # The cost of a call includes that of the callee.
    for name in _callees_first(uses):
        try:
            steps = limited(c.checked[function_keys(name, {})[0]].tree, env)
        except ExpressionError as error:
            c.problem(f"expression-{error.code}", error.message, ("functions", name, "is"))
            break
        functions[name][-1] = replace(functions[name][-1], least=1 + steps)
    return env


def _compile_function(clause: Clause, takes: dict[str, Type], gives: Type) -> set[str]:
    c, name = clause.c, str(clause.path[-1])
    inner = clause.with_names(takes)
    uses: set[str] = set()
    lets: list[tuple[str, str]] = []
    main_key, *keys = function_keys(name, clause.data)
    for key, let in zip(keys, clause.get("let", ()), strict=True):
        value = c.checked[key] = inner["let"][let].check()
        inner = inner.with_names({let: value.type})
        uses |= value.calls
        lets.append((inner.env.names[let].code, value.code))
    checked = c.checked[main_key] = inner["is"].check(gives)
    parameters, place = tuple(f"v_{parameter}" for parameter in takes), inner["is"].place
    printed = checked.code, checked.quick, checked.source
    keeps = not {type_.name for type_ in takes.values()} & {"list", "map", "dyn"}
    c.functions[name] = m.RuleFunction(f"F_{name}", parameters, *printed, place, tuple(lets), keeps)
    return uses | checked.calls


def _callees_first(uses: Mapping[str, Collection[str]]) -> list[str]:
    ordered: list[str] = []
    left = {*uses}
    while ready := sorted(name for name in left if left.isdisjoint(uses[name])):
        ordered += ready
        left.difference_update(ready)
    return ordered


def endless(uses: Mapping[str, Collection[str]]) -> list[str]:
    """Return names that use themselves, or the first cycle."""
    around = {name for name in uses if name in uses[name]}
    try:
        TopologicalSorter({name: {*uses[name]} - {name} for name in uses}).prepare()
    except CycleError as error:
        around.update(error.args[1])
    return [name for name in uses if name in around]

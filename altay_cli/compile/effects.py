"""Compile the effects of moves and triggers into trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from altay_cli.base.findings import Text
from altay_cli.base.values import Entity
from altay_cli.compile import limits
from altay_cli.compile.context import A_LIST, WRONG, Clause, Context, Named, ZoneRead, is_list
from altay_cli.compile.entities import Formula
from altay_cli.compile.vocabulary import EFFECTS, PLAYER, cell_index
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import NOTHING_READ, Symbol
from altay_cli.expressions.printing import Printer
from altay_cli.expressions.typed import Conditional, Tree
from altay_cli.expressions.types import BOOL, DYN, INT, Type, list_of
from altay_cli.pack import model as m
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import DRAWS
from altay_cli.source.schema import errors, shipped_schemas, without_echoes

_NO_ZONE = -1
"""For a faulty expression, which is reported."""


def effects(clause: Clause) -> m.Effects:
    """Compile a list of effects into a function."""
    routines = clause.c.routines
    compiled = m.Effects(f"d_{len(routines)}", _several(clause))
    routines.append(compiled)
    return compiled


def recovery(clause: Clause, rule: str, move: str = "") -> tuple[str, m.Effects]:
    """Compile how judging continues after a violation, and what repairs the state before.

    The entry for the move overrides the general one.
    """
    c = clause.c
    of_move = rule in c.section("slips", "moves", move)
    path = ("slips", "moves", move, rule) if of_move else ("slips", "rules", rule)
    slip = c.part(*path, env=clause.env)
    return slip.get("then", "play"), effects(slip.under("mend"))


def _several(clause: Clause) -> tuple[m.Effect, ...]:
    result = []
    for number in range(len(clause.data)):
        entry = clause[number]
        effect = next(compiled(entry) for word, compiled in _EFFECTS.items() if word in entry)
        if isinstance(effect, m.AskEffect) and effect.answer is not None:
            clause = clause.with_names({effect.answer: clause.c.answer_types[effect.decision]})
            effect = effect._replace(local=clause.env.names[effect.answer].code)
        if effect is not None:
            result.append(effect)
    return tuple(result)


# ---------------------------------------------------------------- places


def _place_read(
    clause: Clause,
    checked: Checked,
    zones: Sequence[ZoneRead],
    tests: Sequence[Tree] = (),
    *,
    filled: bool = False,
) -> m.Place:
    """Return the place that an expression reads: one of several, chosen by ``tests``.

    If ``filled``, a null key raises: entities put there would be lost.
    """
    source = checked.source if filled else None
    parts = [
        check(checked.source[slice(*part.place)], clause.env)
        for part in (*tests, *(key for zone in zones for key in zone.keys))
    ]
    at = checked._replace(
        code=cell_index(checked.tree, Printer(), source),
        quick=cell_index(checked.tree, Printer(quick=True), source),
        calls=frozenset[str]().union(*(part.calls for part in parts)),
        reads=NOTHING_READ.union(*(part.reads for part in parts)),
    )
    zone = zones[0].zone
    return m.Place(clause.with_data(checked.source).register(at), zone.index, zone.shape, filled)


def _report_no_place(clause: Clause, checked: Checked) -> m.Place:
    if checked is not WRONG:
        clause.problem("not-a-zone", "`{text}` is not a zone that holds things", text=clause.data)
    return m.Place(clause.register(WRONG), _NO_ZONE, "bag")


def revealed(clause: Clause, checked: Checked) -> m.Place:
    """Compile a bag, or a choice, where hidden entities can be named."""
    tests: list[Tree] = []
    ends = [checked.tree]
    if isinstance(checked.tree, Conditional):
        tests = [test for test, _ in checked.tree.branches]
        ends = [*(value for _, value in checked.tree.branches), checked.tree.otherwise]
    zones = [zone for end in ends if (zone := clause.c.zone_read(end)) is not None]
    if len(zones) < len(ends):
        return _report_no_place(clause, checked)
    return _place_read(clause, checked, zones, tests)


def _kind(c: Context, place: m.Place | None) -> Type:
    return DYN if place is None or place.zone == _NO_ZONE else Type(c.zones[place.zone].kind)


def _source_or_target(
    clause: Clause, kind: Type = DYN, shape: m.Shape | None = None, *, filled: bool = False
) -> m.Place:
    checked = clause.check()
    read = clause.c.zone_read(checked.tree)
    if checked.type.name not in {"bag", "pile"} or read is None:
        return _report_no_place(clause, checked)
    if kind not in (DYN, Type(read.zone.kind)):
        template = (
            "`{text}` holds things of the kind {held}; the moved things are of the kind {kind}"
        )
        clause.problem("type", template, text=clause.data, held=read.zone.kind, kind=kind.name)
    if shape not in (None, read.zone.shape):
        template = "`{text}` is not a bag" if shape == "bag" else "`{text}` is not a pile"
        needed = Text(
            "the zone needs `holds: {shape}({kind})` here", shape=shape, kind=read.zone.kind
        )
        clause.problem("not-a-zone", template, needed, text=clause.data)
    return _place_read(clause, checked, [read], filled=filled)


def _bag(clause: Clause, kind: Type = DYN, *, filled: bool = False) -> m.Place:
    return _source_or_target(clause, kind, "bag", filled=filled)


def _pile(clause: Clause, key: str, kind: Type) -> m.Place | None:
    if key not in clause:
        return None
    place = _source_or_target(clause[key], kind, "pile")
    if "only" in clause:
        message = "`only` has no effect where the next thing is known: leave it out"
        clause[key].problem("not-a-zone", message, key=True)
    return place


def _visible_fields(c: Context, place: m.Place) -> tuple[str, ...]:
    return () if place.zone == _NO_ZONE else c.zones[place.zone].backs


def _call(
    operation: str,
    *arguments: m.Piece | tuple[m.Piece, ...],
    fills: Iterable[m.Place | None] | None = None,
) -> m.CallEffect:
    changes = m.zones_in(arguments)
    filled = changes if fills is None else frozenset(end.zone for end in fills if end is not None)
    return m.CallEffect(operation, arguments, changes, filled)


# ---------------------------------------------------------------- moving and setting


def _move(entry: Clause) -> m.Effect:
    clause, c = entry["move"], entry.c
    what, kind = None, DYN
    if "what" in clause:
        checked = clause["what"].fitting(
            lambda given: given.name == "bag" or given.name in c.kinds,
            "things of type {type} cannot be moved",
        )
        what = clause["what"].register(checked)
        kind = checked.type.args[0] if checked.type.name == "bag" else checked.type
    count = clause.optional("count", INT)
    source = _source_or_target(clause["from"], kind) if "from" in clause else None
    kind = _kind(c, source) if kind == DYN else kind
    target = _source_or_target(clause["to"], kind, filled=True) if "to" in clause else None
    if "place" in clause and target is not None and target.shape != "pile":
        template = "`{text}` is not a pile: nothing has a place in it"
        clause["place"].problem("not-a-zone", template, text=clause.data["to"])
    top = ("top=True",) if clause.get("place") == "top" else ()
    fills = [target]
    piles = any(end is not None and end.shape == "pile" for end in (source, target))
    if what is not None:
        operation = _MOVES[what.type == "bag", piles]
        given = () if count is None else (count,)
        return _call(f"S.zones.{operation}", source, target, what, *given, *top, fills=fills)
    if source is None or source.shape == "pile":
        return _call("S.zones.move_pile", source, target, *top, fills=fills)
    if piles:
        contents = ("(_cell := ", source, ")"), target, "S.cells[_cell]"
        return _call("S.zones.move_each", *contents, *top, fills=fills)
    return _call("S.zones.move_all", source, target, fills=fills)


_MOVES = {
    (False, False): "move_entity",
    (False, True): "move_one",
    (True, False): "move_bag",
    (True, True): "move_each",
}
"""By whether a bag is moved, and whether from or to a pile."""


def _set(entry: Clause) -> m.Effect | None:
    adds = "add" in entry
    ((target, value),) = entry.parts("add" if adds else "set")
    checked = value.check(key=True)
    read = value.c.zone_read(checked.tree)
    if read is None:
        if checked is not WRONG:
            template = "`{text}` is not a zone of the state"
            value.problem("not-a-zone", template, key=True, text=target)
        return None
    place = _place_read(value, checked, [read], filled=True)
    value_expr = value.expr(INT if adds else checked.type)
    return m.SetEffect(place, value_expr, adds, (read.zone.least, read.zone.most))


def _reset(entry: Clause) -> m.Effect | None:
    lifetime = entry.data["reset"]
    zones = [zone.index for zone in entry.c.zones if zone.lifetime == lifetime]
    if not zones:
        template = "no zone lasts for a `{lifetime}`"
        entry["reset"].problem("unknown-lifetime", template, lifetime=lifetime)
        return None
    return m.CallEffect("S.zones.reset", tuple(map(str, zones)), frozenset(zones), frozenset())


# ---------------------------------------------------------------- the course of effects


def _each(entry: Clause) -> m.Effect:
    ((name, items),), inner = entry.lists("each")
    return m.EachEffect(name, items, _repeated(inner), inner.env.names[name].code)


def _repeated(entry: Clause) -> tuple[m.Effect, ...]:
    c = entry.c
    if c.loops == limits.MAX_LOOPS:
        template = "more than {count} loops inside of each other"
        entry["does"].problem("effects-too-deep", template, count=limits.MAX_LOOPS)
        return ()
    c.loops += 1
    does = _several(entry["does"])
    c.loops -= 1
    return does


def _let(entry: Clause) -> m.Effect:
    values, inner = entry.lets()
    local = tuple(inner.env.names[name].code for name, _ in values)
    return m.LetEffect(values, _several(inner["does"]), local)


def _arguments(clause: Clause, wanted: Mapping[str, Type], what: Text) -> tuple[Named, ...]:
    result = []
    for name, part in clause.each_part():
        if name in wanted:
            result.append((name, part.expr(wanted[name])))
            continue
        template = "{what} takes no `{name}`, but {names}"
        if not wanted:
            template = "{what} takes no `{name}`, but nothing"
        names = tuple(wanted)
        part.problem("unknown-parameter", template, key=True, what=what, name=name, names=names)
    for name in wanted:
        if name not in clause:
            needs = "{what} needs `{name}`"
            clause.problem("missing-parameter", needs, key=True, what=what, name=name)
    return tuple(result)


def _do(entry: Clause) -> m.Effect | None:
    ((name, clause),) = entry.parts("do")
    c = clause.c
    wanted = c.procedure_types.get(name)
    if wanted is None:
        clause.unknown("procedure", c.procedure_types, key=True)
        return None
    given = dict(clause.data or {})
    if "me" in wanted and "me" in clause.env.names:
        given.setdefault("me", "me")
    usual: dict[str, m.Expr] = {}
    for key, part in c.part("procedures", name).parts("defaults"):
        if key not in wanted:
            part.unknown("parameter", wanted, key=True)
        elif key not in given:
            usual[key] = part.expr(wanted[key])
    rest = {key: kind for key, kind in wanted.items() if key not in usual}
    what = Text("the procedure `{name}`", name=name)
    return m.DoEffect(name, (*_arguments(clause.with_data(given), rest, what), *usual.items()))


def _ask(entry: Clause) -> m.Effect | None:
    ((name, clause),) = entry.parts("ask")
    c = clause.c
    if name not in c.decision_types:
        clause.unknown("decision", c.decision_types, key=True)
        return None
    who = clause["all"].expr(list_of(PLAYER)) if "all" in clause else clause["who"].expr(PLAYER)
    for key in ("as", "forced", "times") if "all" in clause else ():
        if key in clause:
            wrong = "`{name}` has no meaning if several players answer"
            clause[key].problem("no-answer", wrong, key=True, name=key)
    times = clause.optional("times", INT)
    what = Text("the decision `{name}`", name=name)
    values = _arguments(clause.under("with"), c.decision_types[name], what)
    answer = clause.get("as")
    if answer is not None and name not in c.answer_types:
        silent = "the decision `{name}` does not say what its answer `gives`"
        clause["as"].problem("no-answer", silent, name=name)
        answer = None
    if answer is not None and times is not None:
        clause["as"].problem("no-answer", "only a single answer has a value; leave `times` out")
    forced = gives = None
    if "forced" in clause and (answer is None or "forced" not in c.data["decisions"][name]):
        message = "what only has one answer needs a name for it, `as`, and the decision `forced`"
        clause["forced"].problem("no-answer", message, key=True)
    elif "forced" in clause:
        forced = clause["forced"]["when"].expr(BOOL)
        gives = clause["forced"]["gives"].expr(c.answer_types[name])
    return m.AskEffect(name, who, times, values, answer, forced=forced, gives=gives)


# ---------------------------------------------------------------- chance, and what is hidden


def _draw(entry: Clause) -> m.Effect:
    clause, c = entry["draw"], entry.c
    source = _bag(clause["from"])
    held = _kind(c, source)
    target = _bag(clause["to"], held, filled=True)
    refill = _bag(clause["refill"], held) if "refill" in clause else None
    seen_type = Type("drawn", (held,))
    seen = clause["seen"].expr(seen_type)
    times = clause.optional("times", INT)
    loop = clause.optional("while", BOOL)
    only = clause.with_names({"it": held}).optional("only", BOOL)
    if ("rest" in clause) is not ("does" in entry):
        wrong = "`rest` names the things left for the effects under `does`; both are needed"
        clause.problem("schema-missing-key", wrong, key=True)
    words = {"given": INT, "due": INT, "missing": INT, "drawn_card": held}
    with_names = clause.with_names({**words, "left": Type("bag", (held,))})
    rules = dict(with_names.parts("rules"))
    if clause.data["seen"].strip() != "unrecorded()":
        rules = dict(c.parts(DRAWS, with_names.env)) | rules
    effect = m.DrawEffect(
        seen,
        source,
        refill,
        target,
        times,
        loop,
        only,
        {case: rule.rule_text() for case, rule in rules.items()},
        held.name,
        clause.get("needed", False),
        clause.get("back", False),
        "rest" in clause,
        above=_pile(clause, "above", held),
        below=_pile(clause, "below", held),
        backs=_visible_fields(c, target),
    )
    if effect.backs and loop is not None:
        template = "`{zone}` records backs, and with `while` the number of things is unknown"
        clause["to"].problem("zone-backs", template, zone=clause.data["to"])
    if "rest" not in clause:
        return effect
    name = clause.data["rest"]
    inner = entry.with_names({name: seen_type})
    left = check("unrecorded()", clause.env)
    left = left._replace(code="S.rest", quick="S.rest", type=seen_type)
    named, local = (name, clause["rest"].register(left)), inner.env.names[name].code
    return m.LetEffect(
        (), (effect, m.LetEffect((named,), _several(inner.under("does")), (local,))), ()
    )


def _reveal(entry: Clause) -> m.Effect:
    clause = entry["reveal"]
    bag = _bag(clause["in"])
    what = clause["what"].expr(_kind(entry.c, bag))
    return _call("S.zones.reveal", bag, what, clause["count"].expr(INT))


def _either(entry: Clause) -> m.Effect:
    clause = entry["either"]
    kind = DYN
    ways: list[tuple[m.Place, m.Place]] = []
    for _, way in clause.parts("moves"):
        source = _bag(way["from"], kind)
        kind = _kind(entry.c, source) if kind == DYN else kind
        ways.append((source, _bag(way["to"], kind, filled=True)))
    pieces = [piece for way in ways for piece in ("(", way[0], ", ", way[1], "), ")]
    return _call("S.hidden.move_from_either", clause["what"].expr(kind), ("[", *pieces, "]"))


def _perhaps(entry: Clause) -> m.Effect:
    clause = entry["perhaps"]
    source = _bag(clause["from"])
    target = _bag(clause["to"], _kind(entry.c, source), filled=True)
    return _call("S.hidden.move_all_perhaps", source, target)


def _lacks(entry: Clause) -> m.Effect:
    clause = entry["lacks"]
    bag = _bag(clause["in"])
    return _call(
        "S.hidden.condition_on_absence",
        bag,
        clause["what"].expr(list_of(_kind(entry.c, bag))),
        fills=(),
    )


def _unknown(entry: Clause) -> m.Effect:
    clause = entry["unknown"]
    source = _bag(clause["from"])
    target = _bag(clause["to"], _kind(entry.c, source), filled=True)
    count = clause["count"].expr(INT)
    backs = _visible_fields(entry.c, target)
    return _call("S.zones.hide", source, target, count, *([repr(backs)] if backs else []))


_EFFECTS: dict[str, Callable[[Clause], m.Effect | None]] = {
    "move": _move,
    "add": _set,
    "set": _set,
    "if": lambda entry: m.IfEffect(
        entry["if"].expr(BOOL), _several(entry["then"]), _several(entry.under("else"))
    ),
    "each": _each,
    "let": _let,
    "do": _do,
    "ask": _ask,
    "draw": _draw,
    "say": lambda entry: m.ReportEffect(entry["say"].rule_text(key="message")),
    "while": lambda entry: m.WhileEffect(entry["while"].expr(BOOL), _repeated(entry)),
    "run": lambda entry: m.RunEffect(
        entry["run"]["what"].expr(EFFECTS), entry["run"].optional("by", PLAYER)
    ),
    "reset": _reset,
    "seat": lambda entry: _call("S.zones.seat", entry["seat"].expr(PLAYER)),
    "stop": lambda _: m.StopEffect(),
    "unknown": _unknown,
    "reveal": _reveal,
    "either": _either,
    "perhaps": _perhaps,
    "lacks": _lacks,
    # The contents stay there.
    "unsure": lambda entry: m.CallEffect(
        "S.zones.mark_unreliable", (_bag(entry["unsure"]),), frozenset(), frozenset()
    ),
}
"""By the first word of an effect."""


def formulas(c: Context, fields: list[Formula]) -> list[m.Effects]:
    """Compile the formulas in fields of entities, for the entity `it` and the actor `me`."""
    nothing = check("[]", c.env)._replace(type=list_of(DYN))
    empty = c.part("kinds").with_data("[]").register(nothing)
    compiled: dict[DataPath, m.Expr] = {}
    routines: list[m.Effects] = []
    things: dict[Entity, str] = {}
    for thing, field, path in fields:
        clause = Clause(c, thing.f[field], path or (), c.env).with_names({"me": PLAYER})
        if c.data["kinds"][thing.kind]["fields"][field] == "effects":
            c.about = thing.id
            name = things.setdefault(thing, f"T_{len(things)}")
            clause = replace(clause, env=clause.env.child({"it": Symbol(Type(thing.kind), name)}))
            form = shipped_schemas()["common"]["$defs"]["effects"]
            wrong = [] if path is None else without_echoes(errors(clause.data, form))
            c.tree.problems += [
                problem._replace(path=(*clause.path, *problem.path)).placed(c.tree)
                for problem in wrong
            ]
            thing.f[field] = effects(clause.with_data([]) if path is None or wrong else clause)
            routines.append(thing.f[field])
        elif path is None:
            thing.f[field] = empty
        else:
            if path not in compiled:
                compiled[path] = clause.fitted(is_list, A_LIST)
            thing.f[field] = compiled[path]
    c.constants.update((name, thing) for thing, name in things.items())
    return routines


def unknown_slips(data: Entry) -> Iterator[tuple[DataPath, str, tuple[str, ...]]]:
    """Yield slips about unknown moves or rules, with known names."""
    asked = {
        ident: {
            required.get("use", required.get("rule", ""))
            for required in (*move.get("_defaults", ()), *move.get("requires", ()))
        }
        for ident, move in data.get("moves", m.NOTHING).items()
    }
    rules = {rule for of_move in asked.values() for rule in of_move}
    rules |= {check["rule"] for check in data.get("checks", ())}
    unasked = {
        rule for move in data.get("moves", m.NOTHING).values() for rule in _unasked_rules(move)
    }
    for path in entries(data):
        what, known = "move", tuple(asked)
        match path:
            case (_, "rules", _):
                what, known = "rule", tuple(sorted(rules))
            case (_, "after_unread", _):
                what, known = "rule", tuple(sorted(rules | unasked))
            case (_, "moves", move, _):
                if move not in asked:
                    continue
                what, known = "rule", tuple(sorted(asked[str(move)]))
        if path[-1] not in known:
            yield path, what, known


def _unasked_rules(move: Entry) -> Iterator[str]:
    entry = move.get("unasked", m.NOTHING)
    yield from {*map(entry.get, ("rule", "use"))} - {None}


def entries(data: Entry) -> Iterator[DataPath]:
    """Yield the path of each entry of ``slips``."""
    for part in ("rules", "moves", "unread", "after_unread", "written"):
        for name, entry in data.get("slips", m.NOTHING).get(part, m.NOTHING).items():
            yield "slips", part, name
            if part == "moves":
                yield from (("slips", part, name, rule) for rule in entry)

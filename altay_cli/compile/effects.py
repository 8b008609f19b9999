"""Compiles effects: what moves and triggers do, as trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from altay_cli.base.text import Text
from altay_cli.base.values import Entity
from altay_cli.compile import model as m
from altay_cli.compile.analysis import ZoneRead, counted, zone_read
from altay_cli.compile.clause import Clause
from altay_cli.compile.context import EMPTY, PLAYER, Context, bind, is_list
from altay_cli.compile.entities import Formula
from altay_cli.compile.slips import slip_of
from altay_cli.compile.texts import rule_text
from altay_cli.compile.vocabulary import EFFECTS, drawn_type, numbers
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import NOTHING_READ, Environment, Symbol
from altay_cli.expressions.printing import Printer
from altay_cli.expressions.typed import Choice, Tree
from altay_cli.expressions.types import BOOL, INT, Type, list_of
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.schema import shipped_schemas

MAX_LOOPS = 15
"""How deep loops can be nested: Python allows no more than twenty."""


def effects(clause: Clause, key: str = "does") -> m.Effects:
    """Compile the effects under a key, if there are any; they have a function of their own."""
    return whole(clause.c, clause.get(key, []), (*clause.path, key), clause.env)


def mend(clause: Clause, rule: str, move: str | None = None) -> tuple[str, m.Effects]:
    """Compile how reading goes on after a breach of a rule, and what mends the state first."""
    slip, path = slip_of(clause.c.data, rule, move)
    does = whole(clause.c, slip.get("mend", []), (*path, "mend"), clause.env)
    return slip.get("then", "play"), does


def whole(c: Context, data: list[Any], path: DataPath, env: Environment) -> m.Effects:
    """Compile a list of effects that has a function of its own."""
    effects = m.Effects(f"d_{len(c.routines)}", _several(c, data, path, env))
    c.routines.append(effects)
    return effects


def _several(c: Context, data: list[Any], path: DataPath, env: Environment) -> tuple[m.Effect, ...]:
    """Compile the list of effects at ``path``; what is wrong is left out."""
    result = []
    for number, entry in enumerate(data):
        word = next((word for word in _EFFECTS if word in entry), None)
        effect = None if word is None else _EFFECTS[word](c, entry, (*path, number), env)
        if isinstance(effect, m.AskEffect) and effect.answer is not None:
            env = bind(env, {effect.answer: c.answer_types[effect.decision]})
            effect = effect._replace(local=env.names[effect.answer].code)
        if effect is not None:
            result.append(effect)
    return tuple(result)


# ---------------------------------------------------------------- places


def _zone(c: Context, tree: Tree) -> ZoneRead | None:
    """Return the zone of which a tree gives a value."""
    found = zone_read(tree, c.zone_named)
    return found if found is not None and found.whole else None


def _place(c: Context, text: str, path: DataPath, env: Environment) -> tuple[m.Place, Type] | None:
    """Compile the name of a value that can be set."""
    checked = c.check(text, path, env, key=True)
    if checked is None:
        return None
    found = _zone(c, checked.tree)
    if found is None:
        message = Text("`{text}` is not a zone of the state", text=text)
        c.problem("not-a-zone", message, path, key=True)
        return None
    return _numbered(c, checked, [found], text, env), checked.type


def _numbered(
    c: Context,
    checked: Checked,
    found: Sequence[ZoneRead],
    text: str,
    env: Environment,
    tests: Sequence[Tree] = (),
) -> m.Place:
    """Return the place of which an expression gives the value, one of some by ``tests``."""
    read = [*tests, *(key for one in found for key in one.keys)]
    parts = [check(checked.source[part.start : part.end], env) for part in read]
    at = checked._replace(
        code=numbers(checked.tree, Printer()),
        quick=numbers(checked.tree, Printer(quick=True)),
        calls=frozenset[str]().union(*(part.calls for part in parts)),
        reads=NOTHING_READ.union(*(part.reads for part in parts)),
    )
    return m.Place(c.register(at, text), found[0].zone.index, found[0].zone.shape)


def revealed(c: Context, text: str, path: DataPath, env: Environment) -> m.Place | None:
    """Compile a bag in which something hidden may be named; a test may tell which it is."""
    checked = c.check(text, path, env)
    if checked is None:
        return None
    tree = checked.tree
    branches = tree.branches if isinstance(tree, Choice) else ()
    ends = (*(value for _, value in branches), tree.otherwise if isinstance(tree, Choice) else tree)
    found = [zone for end in ends if (zone := _zone(c, end)) is not None]
    if len(found) < len(ends):
        message = Text("`{text}` is not a zone that holds things", text=text)
        c.problem("not-a-zone", message, path)
        return None
    return _numbered(c, checked, found, text, env, [test for test, _ in branches])


def _end(
    c: Context, text: Any, path: DataPath, env: Environment, kind: str | None
) -> tuple[m.Place | None, str | None]:
    """Compile where things come from or go to; gives the kind of what is moved as well.

    ``kind`` is what is known of that already.
    """
    checked = c.check(text, path, env)
    if checked is None:
        return None, kind
    zone = _zone(c, checked.tree)
    if checked.type.name not in {"bag", "pile"} or zone is None:
        message = Text("`{text}` is not a zone that holds things", text=text)
        c.problem("not-a-zone", message, path)
        return None, kind
    found = _numbered(c, checked, [zone], text, env)
    held = checked.type.args[0].name
    if kind not in {None, held}:
        message = Text(
            "`{text}` holds things of the kind {held}; what is moved is of the kind {kind}",
            text=text,
            held=held,
            kind=kind,
        )
        c.problem("type", message, path)
    return found, kind or held


def _bag(
    c: Context,
    data: Entry,
    key: str,
    path: DataPath,
    env: Environment,
    kind: str | None = None,
) -> tuple[m.Place | None, str | None]:
    """Compile the bag zone ``data[key]``; gives the kind that it holds, ``kind`` if it is wrong."""
    compiled, held = _end(c, data[key], (*path, key), env, kind)
    if compiled is not None and compiled.shape is not m.Shape.BAG:
        message = Text("`{text}` is not a bag", text=data[key])
        c.problem("not-a-zone", message, (*path, key))
        return None, kind
    return compiled, held


def _pile(
    c: Context, data: Entry, key: str, path: DataPath, env: Environment, kind: str
) -> m.Place | None:
    """Compile a pile of which a draw takes what is known."""
    if key not in data:
        return None
    path = (*path, key)
    found, _ = _end(c, data[key], path, env, kind)
    if found is not None and found.shape is not m.Shape.PILE:
        c.problem("not-a-zone", Text("`{text}` is not a pile", text=data[key]), path)
        return None
    if found is not None and "only" in data:
        message = "what is known to come next comes, whatever can be drawn: leave `only` out"
        c.problem("not-a-zone", message, path, key=True)
    return found


def _backs(c: Context, text: str, path: DataPath, env: Environment) -> tuple[str, ...]:
    """Return what is seen of things that come to a zone although nobody knows what they are."""
    checked = c.check(text, path, env)
    found = None if checked is None else _zone(c, checked.tree)
    return () if found is None else found.zone.backs


# ---------------------------------------------------------------- moving and setting


def _move(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    data = entry["move"]
    path = (*path, "move")
    what = kind = None
    if "what" in data:
        checked = c.fitting(
            data["what"],
            (*path, "what"),
            env,
            lambda found: found.name == "bag" or found.name in c.kinds,
            "things of type {type} cannot be moved",
        )
        if checked is None:
            return None
        what = c.register(checked, data["what"])
        kind = (checked.type.args[0] if checked.type.name == "bag" else checked.type).name
    count = c.optional(data, "count", path, env, INT)
    ends: dict[str, m.Place | None] = {}
    for end in ("from", "to"):
        ends[end] = None
        if end in data:
            ends[end], kind = _end(c, data[end], (*path, end), env, kind)
    if "place" in data and ends["to"] is not None and ends["to"].shape is not m.Shape.PILE:
        message = Text("`{text}` is not a pile: nothing has a place in it", text=data["to"])
        c.problem("not-a-zone", message, (*path, "place"))
    return m.MoveEffect(what, count, ends["from"], ends["to"], data.get("place") == "top")


def _set(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    word = "add" if "add" in entry else "set"
    ((target, value),) = entry[word].items()
    where = (*path, word, target)
    found = _place(c, target, where, env)
    if found is None:
        return None
    place, held = found
    zone = c.zones[place.zone]
    amount = c.expr(value, where, env, INT if word == "add" else held)
    return m.SetEffect(place, amount, word == "add", (zone.least, zone.most))


def _reset(c: Context, entry: Entry, path: DataPath, _: Environment) -> m.Effect | None:
    lifetime = entry["reset"]
    if lifetime not in {zone.lifetime for zone in c.zones}:
        message = Text("no zone lasts for a `{lifetime}`", lifetime=lifetime)
        c.problem("unknown-lifetime", message, (*path, "reset"))
        return None
    return m.ResetEffect(lifetime)


# ---------------------------------------------------------------- the course of effects


def _if(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect:
    condition = c.expr(entry["if"], (*path, "if"), env, BOOL)
    then = _several(c, entry.get("then", []), (*path, "then"), env)
    return m.IfEffect(condition, then, _several(c, entry.get("else", []), (*path, "else"), env))


def _each(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    each, inner = c.each(entry, path, env)
    if each is None:
        return None
    name, items = each
    return m.EachEffect(name, items, _repeated(c, entry, path, inner), inner.names[name].code)


def _while(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect:
    condition = c.expr(entry["while"], (*path, "while"), env, BOOL)
    return m.WhileEffect(condition, _repeated(c, entry, path, env))


def _repeated(c: Context, entry: Entry, path: DataPath, env: Environment) -> tuple[m.Effect, ...]:
    """Compile what a loop does."""
    path = (*path, "does")
    if c.loops == MAX_LOOPS:
        message = Text("more than {count} loops inside of each other", count=MAX_LOOPS)
        c.problem("effects-too-deep", message, path)
        return ()
    c.loops += 1
    does = _several(c, entry.get("does", []), path, env)
    c.loops -= 1
    return does


def _let(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect:
    values, inner = c.lets(entry, path, env)
    does = _several(c, entry.get("does", []), (*path, "does"), inner)
    return m.LetEffect(values, does, tuple(inner.names[name].code for name, _ in values))


def _run(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect:
    data = entry["run"]
    what = c.expr(data["what"], (*path, "run", "what"), env, EFFECTS)
    return m.RunEffect(what, c.optional(data, "by", (*path, "run"), env, PLAYER))


def _arguments(
    c: Context,
    data: Entry,
    wanted: Mapping[str, Type],
    path: DataPath,
    env: Environment,
    what: Text,
) -> tuple[tuple[str, m.Expr], ...]:
    """Compile the values that ``what`` is given, each of which it wants."""
    result = []
    for name, text in data.items():
        if name in wanted:
            result.append((name, c.expr(text, (*path, name), env, wanted[name])))
            continue
        template = "{what} takes no `{name}`, but {names}"
        if not wanted:
            template = "{what} takes no `{name}`, but nothing"
        message = Text(template, what=what, name=name, names=tuple(wanted))
        c.problem("unknown-parameter", message, (*path, name), key=True)
    for name in wanted:
        if name not in data:
            message = Text("{what} needs `{name}`", what=what, name=name)
            c.problem("missing-parameter", message, path, key=True)
    return tuple(result)


def _do(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    ((name, given),) = entry["do"].items()
    path = (*path, "do", name)
    wanted = c.procedure_types.get(name)
    if wanted is None:
        c.unknown("procedure", name, c.procedure_types, path)
        return None
    given = dict(given or {})
    if "me" in wanted and "me" in env.names:
        given.setdefault("me", "me")
    usual = _usual(c, name, given)
    rest = {key: kind for key, kind in wanted.items() if key not in dict(usual)}
    what = Text("the procedure `{name}`", name=name)
    return m.DoEffect(name, (*_arguments(c, given, rest, path, env, what), *usual))


def _usual(c: Context, name: str, given: Entry) -> tuple[tuple[str, m.Expr], ...]:
    """Compile the default values of a procedure's parameters."""
    wanted = c.procedure_types[name]
    result = []
    for key, text in c.section("procedures", name, "defaults").items():
        path = ("procedures", name, "defaults", key)
        if key not in wanted:
            c.unknown("parameter", key, wanted, path, key=True)
        elif key not in given:
            result.append((key, c.expr(text, path, c.env, wanted[key])))
    return tuple(result)


def _ask(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    ((name, data),) = entry["ask"].items()
    path = (*path, "ask", name)
    if name not in c.decision_types:
        c.unknown("decision", name, c.decision_types, path)
        return None
    who = c.expr(data["who"], (*path, "who"), env, PLAYER)
    times = c.optional(data, "times", path, env, INT)
    what = Text("the decision `{name}`", name=name)
    about = data.get("with", {})
    values = _arguments(c, about, c.decision_types[name], (*path, "with"), env, what)
    answer = data.get("as")
    if answer is not None and name not in c.answer_types:
        silent = Text("the decision `{name}` does not say what its answer `gives`", name=name)
        c.problem("no-answer", silent, (*path, "as"))
        answer = None
    if answer is not None and times is not None:
        message = "only a single answer has a value; leave `times` out"
        c.problem("no-answer", message, (*path, "as"))
    forced = gives = None
    if "forced" in data:
        path = (*path, "forced")
        if answer is None or "forced" not in c.data["decisions"][name]:
            message = (
                "what only has one answer needs a name for it, `as`, and the decision `forced`"
            )
            c.problem("no-answer", message, path, key=True)
        else:
            forced = c.expr(data["forced"]["when"], (*path, "when"), env, BOOL)
            gives = c.expr(data["forced"]["gives"], (*path, "gives"), env, c.answer_types[name])
    return m.AskEffect(name, who, times, values, answer, forced=forced, gives=gives)


def _say(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect:
    return m.SayEffect(rule_text(Clause(c, entry["say"], (*path, "say"), env), key="message"))


def _seat(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect:
    return m.SeatEffect(c.expr(entry["seat"], (*path, "seat"), env, PLAYER))


# ---------------------------------------------------------------- chance, and what is hidden


def _draw(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    data = entry["draw"]
    within, path = path, (*path, "draw")
    source, held = _bag(c, data, "from", path, env)
    target, _ = _bag(c, data, "to", path, env, held)
    refill = None
    if "refill" in data:
        refill, _ = _bag(c, data, "refill", path, env, held)
    if source is None or target is None or held is None:
        return None
    kind, seen_type = Type(held), drawn_type(held)
    seen = c.expr(data["seen"], (*path, "seen"), env, seen_type)
    times = c.optional(data, "times", path, env, INT)
    loop = c.optional(data, "while", path, env, BOOL)
    only = c.optional(data, "only", path, bind(env, {"it": kind}), BOOL)
    _check_draw(c, data, path, rest="does" in entry)
    words = bind(
        env,
        {
            "given": INT,
            "due": INT,
            "missing": INT,
            "left": Type("bag", (kind,)),
            "drawn_card": kind,
        },
    )
    effect = m.DrawEffect(
        seen,
        source,
        refill,
        target,
        times,
        loop,
        only,
        {
            case: rule_text(Clause(c, rule, (*path, "rules", case), words))
            for case, rule in data.get("rules", {}).items()
        },
        held,
        data.get("needed", False),
        data.get("back", False),
        "rest" in data,
        above=_pile(c, data, "above", path, env, held),
        below=_pile(c, data, "below", path, env, held),
        backs=_backs(c, data["to"], (*path, "to"), env),
        counts=frozenset() if loop is None else _counts(c, loop),
    )
    if effect.backs and loop is not None:
        message = Text(
            "`{zone}` tells backs, and how many come is not known with `while`", zone=data["to"]
        )
        c.problem("zone-backs", message, (*path, "to"))
    if "rest" not in data:
        return effect
    # What is left is named for the effects that stand inside.
    name = data["rest"]
    inner = bind(env, {name: seen_type})
    left = check("unrecorded()", env)._replace(code="S.rest", quick="S.rest", type=seen_type)
    named = m.LetEffect(
        ((name, c.register(left, name)),),
        _several(c, entry.get("does", []), (*within, "does"), inner),
        (inner.names[name].code,),
    )
    return m.LetEffect((), (effect, named), ())


def _check_draw(c: Context, data: Entry, path: DataPath, *, rest: bool) -> None:
    """Check that the keys of a draw go together; ``rest`` says that effects stand inside."""
    missing = partial(c.problem, "schema-missing-key", key=True)
    if "rules" not in data and data["seen"].strip() != "unrecorded()":
        missing("the key 'rules' is missing: what is said of a record that cannot be right", path)
    elif "rest" not in data and "extra" not in data.get("rules", {"extra": None}):
        message = "the key 'extra' is missing: nothing else takes what is recorded beyond"
        missing(message, (*path, "rules"))
    if ("rest" in data) is not rest:
        missing("`rest` names what is left for the effects under `does`; both are needed", path)


def _counts(c: Context, loop: m.Expr) -> frozenset[int]:
    """Return the zones of which a condition counts things."""
    return counted(loop.key, c.checked, c.section("functions"), c.zone_named)


def _unsure(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    bag, _ = _bag(c, entry, "unsure", path, env)
    return None if bag is None else m.UnsureEffect(bag)


def _reveal(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    data = entry["reveal"]
    path = (*path, "reveal")
    bag, held = _bag(c, data, "in", path, env)
    if bag is None or held is None:
        return None
    what = c.expr(data["what"], (*path, "what"), env, Type(held))
    return m.RevealEffect(what, bag, c.expr(data["count"], (*path, "count"), env, INT))


def _either(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    data = entry["either"]
    path = (*path, "either")
    kind: str | None = None
    ways: list[tuple[m.Place, m.Place]] = []
    for number, way in enumerate(data["moves"]):
        where = (*path, "moves", number)
        source, kind = _bag(c, way, "from", where, env, kind)
        if source is None:
            return None
        target, kind = _bag(c, way, "to", where, env, kind)
        if target is None:
            return None
        ways.append((source, target))
    assert kind is not None
    return m.EitherEffect(c.expr(data["what"], (*path, "what"), env, Type(kind)), tuple(ways))


def _lacks(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    data = entry["lacks"]
    path = (*path, "lacks")
    bag, held = _bag(c, data, "in", path, env)
    if bag is None or held is None:
        return None
    return m.LacksEffect(c.expr(data["what"], (*path, "what"), env, list_of(Type(held))), bag)


def _unknown(c: Context, entry: Entry, path: DataPath, env: Environment) -> m.Effect | None:
    data = entry["unknown"]
    path = (*path, "unknown")
    source, held = _bag(c, data, "from", path, env)
    target, _ = _bag(c, data, "to", path, env, held)
    count = c.expr(data["count"], (*path, "count"), env, INT)
    if source is None or target is None:
        return None
    return m.UnknownEffect(source, target, count, _backs(c, data["to"], (*path, "to"), env))


_EFFECTS: dict[str, Callable[[Context, Entry, DataPath, Environment], m.Effect | None]] = {
    "move": _move,
    "add": _set,
    "set": _set,
    "if": _if,
    "each": _each,
    "let": _let,
    "do": _do,
    "ask": _ask,
    "draw": _draw,
    "say": _say,
    "while": _while,
    "run": _run,
    "reset": _reset,
    "seat": _seat,
    "stop": lambda *_: m.StopEffect(),
    "unknown": _unknown,
    "reveal": _reveal,
    "either": _either,
    "lacks": _lacks,
    "unsure": _unsure,
}
"""What compiles each kind of effect, by the word that it begins with."""


# ---------------------------------------------------------------- what fields of things hold


def formulas(c: Context, fields: list[Formula]) -> list[m.Effects]:
    """Compile the expressions and effects in fields of things; return the effects."""
    env = bind(c.env, {"me": PLAYER})
    empty = c.register(EMPTY, "[]")
    compiled: dict[DataPath, m.Expr] = {}
    effects: list[m.Effects] = []
    for thing, field, path in fields:
        if c.data["kinds"][thing.kind]["fields"][field] == "effects":
            thing.f[field] = _field_effects(c, thing, field, path, env)
            effects.append(thing.f[field])
            continue
        if path is not None and path not in compiled:
            checked = c.fitting(thing.f[field], path, env, is_list)
            compiled[path] = c.register(checked or EMPTY, thing.f[field])
        # What a kind has for all that say nothing themselves is compiled once.
        thing.f[field] = empty if path is None else compiled[path]
    return effects


def _field_effects(
    c: Context, thing: Entity, field: str, path: DataPath | None, env: Environment
) -> m.Effects:
    """Compile the effects that a thing holds; `it` is the thing, `me` who carries them out."""
    raw = thing.f[field] if path is not None else []
    constant = c.things.setdefault(thing, f"T_{len(c.things)}")
    c.about = thing.id
    wrong = [] if path is None else list(shipped_schemas().errors("common", "effects", raw))
    for one in wrong:
        found = one._replace(path=(*(path or ()), *one.path))
        c.tree.problems.append(found.placed(c.tree))
    inner = env.child({"it": Symbol(Type(thing.kind), constant)})
    return whole(c, [] if wrong else raw, path or (), inner)

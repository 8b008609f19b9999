"""Compiles moves, claims and decisions: how they are written, what must hold, what they do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from altay_cli.base.text import Text, either
from altay_cli.compile import model as m
from altay_cli.compile.context import PLAYER, Context, bind
from altay_cli.compile.effects import whole
from altay_cli.compile.patterns import compile_pattern, slots_of, unreadable
from altay_cli.compile.slips import slip_of
from altay_cli.compile.texts import optional_message, rule_text
from altay_cli.compile.vocabulary import drawn_type
from altay_cli.expressions.environment import Environment, Name
from altay_cli.expressions.types import BOOL, DYN, INT, Type, Unifier, list_of
from altay_cli.source.document import DataPath, Entry

Slots = dict[str, m.Slot]


def moves(c: Context) -> tuple[m.MoveDef, ...]:
    """Compile all moves; at least one has to be the heading of a turn."""
    found = tuple(
        _move(c, number, ident, path, data)
        for number, (ident, path, data) in enumerate(c.entries("moves"))
    )
    if not any(move.heading for move in found):
        wrong = "no move is the heading of a turn (`heading: true`): no turn could be judged"
        c.problem("no-heading", wrong, ("game",))
    return found


def _move(c: Context, number: int, ident: str, path: DataPath, data: Entry) -> m.MoveDef:
    first = len(c.exprs)
    c.about = data.get("title", ident)
    cite = data.get("cite", {})
    heading = data.get("heading", False)
    env = bind(c.env, {"me": PLAYER})
    decision = data.get("answers")
    if decision is not None and decision not in c.decision_types:
        c.unknown("decision", decision, c.decision_types, (*path, "answers"))
        decision = None
    if decision is not None:
        env = env.child(_asked(c, decision))
    unread = c.section("slips", "unread").get(ident, [])
    mended = whole(c, unread, ("slips", "unread", ident), env)
    slots: Slots = {}
    late: list[str] = []
    for name, entry in data.get("takes", {}).items():
        slots[name] = _slot(c, name, entry, (*path, "takes", name), env)
        if "infer" in entry:
            late.append(name)
        else:
            env = bind(env, {name: slot_type(slots[name])})
    when = c.optional(data, "when", path, env, BOOL)
    lets, env = c.lets(data, path, env)
    for name in late:
        where = (*path, "takes", name)
        slots[name] = _inferred(c, slots[name], data["takes"][name], where, env, cite)
        env = bind(env, {name: slot_type(slots[name])})
    c.move_envs[ident] = env
    patterns = _patterns(c, data, path, slots)
    others = enumerate(c.section("slips", "written").get(ident, ()))
    also = [
        _pattern(c, text, ("slips", "written", ident, place), slots, heading=heading)
        for place, text in others
    ]
    requires = [
        requirement
        for section in ("_defaults", "requires")
        for place, entry in enumerate(data.get(section, ()))
        if (requirement := _requirement(c, ident, entry, (*path, section, place), env, slots, cite))
    ]
    does = whole(c, data.get("does", []), (*path, "does"), env)
    unasked = None
    if "unasked" in data:
        unasked = rule_text(c, data["unasked"], (*path, "unasked"), env, cite=cite)
    gives = _gives(c, data, decision, path, env)
    listed = c.optional(data, "listed", path, c.env, BOOL)
    return m.MoveDef(
        id=ident,
        title=c.about,
        cite=cite,
        phases=tuple(map(m.Phase, data.get("phases", ["turns"]))),
        order=data.get("order", 0),
        heading=heading,
        closes=data.get("closes", False),
        fallback=data.get("fallback", False),
        introduces=data.get("introduces", False),
        actor=data.get("actor"),
        answers=decision,
        gives=gives,
        unasked=unasked,
        patterns=patterns,
        slots=slots,
        when=when,
        lets=lets,
        requires=tuple(requires),
        does=does,
        unread=mended,
        listed=listed,
        also=tuple(pattern for pattern in also if pattern is not None),
        needs_actor=_needs_actor(c, first),
        number=number,
        looks_back=any(one.afterwards for one in requires),
    )


def _needs_actor(c: Context, first: int) -> bool:
    """Return whether one of the expressions from the ``first`` on asks who acts."""
    return any("me" in expr.names for expr in c.exprs[first:])


def _asked(c: Context, decision: str) -> dict[str, Name]:
    """Return the names of what a decision is about."""
    return {
        f"asked.{name}": Name(kind, f"v_asked[{name!r}]", ("v_asked", "asked"))
        for name, kind in c.decision_types[decision].items()
    }


def _gives(
    c: Context, data: Entry, decision: str | None, path: DataPath, env: Environment
) -> m.Expr | None:
    """Compile the value of an answer."""
    wanted = c.answer_types.get(decision or "")
    if "gives" in data and wanted is None:
        wrong = "only the answer to a decision that `gives` something has a value"
        c.problem("no-answer", wrong, (*path, "gives"), key=True)
        return None
    if wanted is not None and "gives" not in data:
        silent = Text(
            "this answers `{decision}`, so it says what it `gives`: a {type}",
            decision=decision,
            type=wanted,
        )
        c.problem("no-answer", silent, (*path, "answers"), key=True)
    return c.optional(data, "gives", path, env, wanted)


def _requirement(
    c: Context,
    move: str,
    entry: Entry,
    path: DataPath,
    env: Environment,
    slots: Mapping[str, m.Slot],
    cite: m.Cite,
) -> m.Requirement | None:
    rule = entry.get("rule", "")
    if "use" in entry:
        rule = entry["use"]
        shared = c.section("rules")
        if rule not in shared:
            c.unknown("rule", rule, shared, (*path, "use"))
            return None
        entry, path = shared[rule], ("rules", rule)
    at = entry.get("at")
    if at is not None and at not in slots:
        c.unknown("slot", at, slots, (*path, "at"))
    slip, place = slip_of(c.data, rule, move)
    return m.Requirement(
        rule_text(c, entry, path, env, rule, cite),
        c.expr(entry["that"], (*path, "that"), env, BOOL),
        at,
        slip.get("then", "play"),
        whole(c, slip.get("mend", []), (*place, "mend"), env),
        entry.get("afterwards", False),
    )


# ---------------------------------------------------------------- slots


def slot_type(slot: m.Slot) -> Type:
    """Return the type of a value of the slot."""
    match slot.shape:
        case m.Shape.INT:
            return INT
        case m.Shape.DRAWN:
            return drawn_type(slot.kind)
        case m.Shape.BAG | m.Shape.LIST:
            return Type(slot.shape, (Type(slot.kind or "int"),))
        case _:
            return Type(slot.kind)


def _slot(c: Context, name: str, data: Entry, path: DataPath, env: Environment) -> m.Slot:
    text = data["type"]
    shape, kind = m.Shape.ENTITY, text
    if text == "int":
        shape, kind = m.Shape.INT, ""
    elif text == "new player":
        shape, kind = m.Shape.NEW_PLAYER, "player"
    elif text.startswith("drawn "):
        shape, kind = m.Shape.DRAWN, text.removeprefix("drawn ")
    elif text.startswith(("bag(", "list(")):
        name_of, _, kind = text[:-1].partition("(")
        shape = m.Shape(name_of)
        kind = "" if text == "list(int)" else kind
    if kind and kind not in c.kinds:
        c.unknown("type", text, c.kinds, (*path, "type"))
    # Numbers have no bags; of what is drawn, `from` tells how many can come.
    numbers = not kind or shape is m.Shape.DRAWN
    held, shapes = ("int", ("list",)) if numbers else (kind, ("list", "bag", "pile"))
    domain = None
    if "from" in data:
        domain = _several(c, data["from"], (*path, "from"), env, held, shapes)
    reveals = _reveals(c, data, path, env, kind)
    least, most = _amounts(c, data, path, env, shape)
    return m.Slot(
        name,
        shape,
        kind,
        data.get("each", False),
        data.get("optional", False),
        data.get("hidden", False),
        data.get("exact", False),
        domain,
        infer=None,
        unclear=None,
        reveals=reveals,
        least=least,
        most=most,
        orders=_orders(c, data, path, env, shape, kind),
    )


def _several(
    c: Context, text: object, path: DataPath, env: Environment, kind: str, shapes: Sequence[str]
) -> m.Expr | None:
    """Compile an expression that gives several things of a kind, in one of the shapes."""
    wanted = [Type(shape, (Type(kind),)) for shape in shapes]

    def fits(found: Type) -> bool:
        if found.name in shapes and found.args[0] == DYN:
            return True  # what a formula gives is known only in play
        held = Unifier(frozenset())
        return any(held.accept(one, found) for one in wanted)

    return c.fitted(
        text,
        path,
        env,
        fits,
        "{wanted} is needed, not {type}",
        "expression-wrong-type",
        wanted=either(f"a {one}" for one in wanted),
    )


def _reveals(
    c: Context, data: Entry, path: DataPath, env: Environment, kind: str
) -> tuple[m.Expr, ...]:
    """Compile the zones in which something hidden may be what is named."""
    given = data.get("reveals", [])
    path = (*path, "reveals")
    places = [((*path, number), text) for number, text in enumerate(given)]
    if not isinstance(given, list):
        places = [(path, given)]
    found = [_several(c, text, where, env, kind, ("bag",)) for where, text in places]
    return tuple(one for one in found if one is not None)


def _amounts(
    c: Context, data: Entry, path: DataPath, env: Environment, shape: m.Shape
) -> tuple[m.Expr | None, m.Expr | None]:
    """Compile how many things a bag or list can hold."""
    count = data.get("count", {})
    path = (*path, "count")
    if count and shape not in (m.Shape.BAG, m.Shape.LIST):
        wrong = "only of a bag or a list can be said how many things it holds"
        c.problem("type", wrong, path, key=True)
    least = c.optional(count, "least", path, env, INT)
    return least, c.optional(count, "most", path, env, INT)


def _orders(
    c: Context, data: Entry, path: DataPath, env: Environment, shape: m.Shape, kind: str
) -> m.Expr | None:
    """Compile the lists of which a list can be any one, in any order."""
    if "orders" in data and shape is not m.Shape.LIST:
        c.problem("type", "only a list has an order", (*path, "orders"), key=True)
        return None
    return c.optional(data, "orders", path, env, list_of(list_of(Type(kind or "int"))))


def _inferred(
    c: Context, slot: m.Slot, data: Entry, path: DataPath, env: Environment, cite: m.Cite
) -> m.Slot:
    """Compile a slot whose value may be left out where only one is possible."""
    choices = list_of(slot_type(slot))
    infer = c.expr(data["infer"], (*path, "infer"), env, choices)
    inner = bind(env, {"choices": choices})
    unclear = rule_text(c, data["unclear"], (*path, "unclear"), inner, cite=cite)
    return slot._replace(optional=True, infer=infer, unclear=unclear)


# ---------------------------------------------------------------- how moves are written


def _patterns(c: Context, data: Entry, path: DataPath, slots: Slots) -> tuple[m.Pattern, ...]:
    where: DataPath = (*path, "written")
    written = data["written"]
    places = [(where, written)]
    if isinstance(written, list):
        places = [((*where, number), text) for number, text in enumerate(written)]
    heading = data.get("heading", False)
    patterns = [_pattern(c, text, place, slots, heading=heading) for place, text in places]
    found = tuple(pattern for pattern in patterns if pattern is not None)
    used = {name for pattern in found for name in slots_of(pattern)}
    for name in slots:
        if name not in used and found:
            unused = Text("`{name}` does not occur in how the move is written", name=name)
            c.problem("unknown-slot", unused, (*path, "takes", name), key=True)
    _check_actor(c, data, path, slots, found)
    return found


def _pattern(
    c: Context, text: str, where: DataPath, slots: Slots, *, heading: bool
) -> m.Pattern | None:
    """Compile one way to write a move; None, and a problem, if it is not a pattern."""
    try:
        pattern = compile_pattern(text)
    except ValueError as error:
        c.problem("pattern", str(error), where)
        return None
    for name in slots_of(pattern):
        if name not in slots:
            wrong = Text("`<{name}>` is not among what the move takes", name=name)
            c.problem("unknown-slot", wrong, where)
    for why in unreadable(pattern, slots, heading=heading):
        c.problem("pattern", why, where)
    return pattern


def _check_actor(
    c: Context, data: Entry, path: DataPath, slots: Slots, patterns: Iterable[m.Pattern]
) -> None:
    """Check that `actor` names a player, and that every heading has one."""
    actor = data.get("actor")
    where = (*path, "actor")
    if actor is None:
        if any(pattern.verb == "turn" for pattern in patterns if data.get("heading", False)):
            missing = "the heading of a turn needs `actor`: the part that names whose turn it is"
            c.problem("heading-player", missing, path, key=True)
    elif actor not in slots:
        c.unknown("slot", actor, slots, where)
    elif (
        slots[actor].kind != "player"
        or slots[actor].shape in (m.Shape.BAG, m.Shape.LIST)
        or slots[actor].optional
    ):
        wrong = Text(
            "`{name}` says who acts: its type is `player`, and it cannot be left out", name=actor
        )
        c.problem("heading-player", wrong, where)
    elif any(m.SlotRef(actor) not in pattern.parts for pattern in patterns):
        wrong = Text(
            "`<{name}>` says who acts, so it is part of every way to write the move", name=actor
        )
        c.problem("heading-player", wrong, where)


def headings(c: Context, moves: Sequence[m.MoveDef]) -> frozenset[str]:
    """Return the words that headings of the game's own begin with."""
    found = frozenset(p.verb for move in moves if move.heading for p in move.patterns)
    words = found - {"turn"}
    if c.section("claims") and "expect" in words:
        wrong = "what begins with `expect` says what the state is"
        c.problem("pattern", wrong, ("claims",), key=True)
    for move in moves:
        verbs = [p.verb for p in move.patterns if p.verb in words and not move.heading]
        if verbs:
            always = Text("what begins with `{verb}` is always a heading", verb=verbs[0])
            c.problem("pattern", always, ("moves", move.id, "written"))
    return words


# ---------------------------------------------------------------- claims and decisions


def claims(c: Context) -> Iterator[m.MoveDef]:
    """Compile what a log can say of the state."""
    for ident, path, data in c.entries("claims"):
        first = len(c.exprs)
        c.about = data["title"]
        env = bind(c.env, {"me": PLAYER})
        slots: Slots = {}
        for name, entry in data.get("takes", {}).items():
            slots[name] = _slot(c, name, entry, (*path, "takes", name), env)
            env = bind(env, {name: slot_type(slots[name])})
        lets, env = c.lets(data, path, env)
        holds = []
        for state, claimed in data["holds"].items():
            where = (*path, "holds", state)
            checked = c.check(state, where, env, key=True)
            there = None if checked is None else c.register(checked, state)
            if there is not None:
                holds.append((there, c.expr(claimed, where, env)))
        told = optional_message(c, data, "else", path, env)
        written = {**data, "written": f"expect {data['written']}"}
        yield m.MoveDef(
            id=ident,
            title=c.about,
            phases=(m.Phase.TURNS,),
            patterns=_patterns(c, written, path, slots),
            slots=slots,
            lets=lets,
            does=whole(c, data.get("does", []), (*path, "does"), env),
            unread=whole(c, [], (), env),
            needs_actor=_needs_actor(c, first),
            holds=tuple(holds),
            otherwise=told,
        )


def decisions(c: Context) -> Iterator[m.Decision]:
    """Compile what a player must answer before anything else happens."""
    for ident, path, data in c.entries("decisions"):
        c.about = data.get("title", ident)
        env = bind(c.env, {"who": PLAYER, "actor": PLAYER}).child(_asked(c, ident))
        cite = data.get("cite", {})
        due = rule_text(c, data, path, env, cite=cite)
        wrong = rule_text(c, data["wrong"], (*path, "wrong"), env, cite=cite)
        forced = None
        if "forced" in data:
            gives = c.answer_types.get(ident)
            answered = env if gives is None else bind(env, {"answer": gives})
            forced = rule_text(c, data["forced"], (*path, "forced"), answered, cite=cite)
        values = tuple(c.decision_types[ident])
        yield m.Decision(ident, c.about, due, wrong, values, data.get("gives"), forced)

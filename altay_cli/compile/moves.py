"""Compile moves, claims and decisions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from altay_cli.base.findings import Text, either
from altay_cli.compile.context import WRONG, Clause, Context
from altay_cli.compile.effects import effects, recovery, revealed
from altay_cli.compile.vocabulary import PLAYER, REACHING, shape_of, type_in
from altay_cli.expressions.checker import Checked, check
from altay_cli.expressions.environment import Symbol, by_name
from altay_cli.expressions.types import BOOL, DYN, INT, Type, Unifier, list_of
from altay_cli.notation.parser import parse, tokens_of
from altay_cli.notation.tree import SectionKind
from altay_cli.pack import model as m

Slots = dict[str, m.Slot]

_AS_WRITTEN = ("order", "heading", "closes", "fallback", "implied", "introduces", "actor")
"""The fields of a move that are copied from its entry."""

_SINGLE = frozenset({"entity", "new player"})


def moves(c: Context) -> tuple[m.MoveDef, ...]:
    """Compile all moves; one must be a turn heading."""
    compiled = tuple(
        _move(number, ident, clause) for number, (ident, clause) in enumerate(c.parts("moves"))
    )
    if not any(move.heading for move in compiled):
        wrong = "no move is the heading of a turn (`heading: true`): no turn could be judged"
        c.problem("no-heading", wrong, ("game",))
    return compiled


def _move(number: int, ident: str, entry: Clause) -> m.MoveDef:
    c = entry.c
    first = len(c.exprs)
    c.about = entry.data["title"]
    cite = c.citation(entry.get("cite", {}))
    clause = entry.with_names({"me": PLAYER})
    decision = entry.named("answers", "decision", c.decision_types)
    if decision is not None:
        clause = _with_decision_values(clause, decision)
    acting = clause
    slots, clause = _slots(clause)
    if slots and "implied" in entry:
        entry["implied"].problem("type", "a move that is implied takes nothing", key=True)
    single = {n: type_in(slot) for n, slot in slots.items() if slot.shape in _SINGLE}
    mended = effects(c.part("slips", "unread", ident, env=acting.with_names(single).env))
    when = clause.optional("when", BOOL)
    lets, clause = clause.lets()
    # Slots that can be omitted are inferred from the others, so they come last.
    for name, taken in entry.parts("takes"):
        if "infer" in taken:
            part = clause["takes"][name]
            choices = list_of(type_in(slots[name]))
            infer = part["infer"].expr(choices)
            unclear = None
            if "unclear" in part:
                unclear = part.with_names({"choices": choices})["unclear"].rule_text(cite=cite)
            slots[name] = slots[name]._replace(optional=True, infer=infer, unclear=unclear)
            clause = clause.with_names({name: type_in(slots[name])})
    c.move_envs[ident] = clause.env
    patterns = _patterns(clause, slots)
    also = _compile_patterns(c.part("slips", "written", ident), slots, entry)
    bests: list[tuple[str, m.Expr]] = []
    requires = [
        requirement
        for section in ("_defaults", "requires")
        for _, part in clause.parts(section)
        if (requirement := _requirement(part, ident, slots, cite, bests)) is not None
    ]
    return m.MoveDef(
        # Expressions are numbered in this order.
        does=effects(clause.under("does")),
        unasked=clause["unasked"].rule_text(cite=cite) if "unasked" in clause else None,
        gives=_gives(clause, decision),
        listed=entry.optional("listed", BOOL),
        needs_actor=_needs_actor(c, first) or _answers_for_current_player(c, decision),
        id=ident,
        title=c.about,
        cite=cite,
        phases=tuple(entry.get("phases", ["turns"])),
        **{key: entry.data[key] for key in _AS_WRITTEN if key in entry},
        answers=decision,
        patterns=patterns,
        slots=slots,
        when=when,
        lets=(*lets, *bests),
        requires=tuple(requires),
        unread=mended,
        also=also,
        number=number,
        looks_back=any(requirement.afterwards for requirement in requires),
    )


def _needs_actor(c: Context, first: int) -> bool:
    # All expressions of a move have consecutive numbers.
    return any("me" in expr.names for expr in c.exprs[first:])


def _answers_for_current_player(c: Context, decision: str | None) -> bool:
    return decision is not None and bool(dict(c.parts("decisions"))[decision].get("named", False))


def _with_decision_values(clause: Clause, decision: str) -> Clause:
    names = {
        f"asked.{name}": Symbol(kind, f"v_asked[{name!r}]", ("v_asked", "asked"))
        for name, kind in clause.c.decision_types[decision].items()
    }
    return replace(clause, env=clause.env.child(names))


def _gives(clause: Clause, decision: str | None) -> m.Expr | None:
    wanted = clause.c.answer_types.get(decision or "")
    if "gives" in clause and wanted is None:
        wrong = "only the answer to a decision that `gives` something has a value"
        clause["gives"].problem("no-answer", wrong, key=True)
        return None
    if wanted is not None and "gives" not in clause:
        wrong = "this answers `{decision}`, so it says what it `gives`: a {type}"
        clause["answers"].problem("no-answer", wrong, key=True, decision=decision, type=wanted)
    return clause.optional("gives", wanted)


def _requirement(
    clause: Clause, move: str, slots: Slots, cite: m.Cite, bests: list[tuple[str, m.Expr]]
) -> m.Requirement | None:
    """Compile a requirement; add to ``bests`` what it compares, which is computed first."""
    rule = clause.get("rule")
    if "use" in clause:
        rule = clause.named("use", "rule", clause.c.section("rules"))
        if rule is None:
            return None
        clause = clause.c.part("rules", rule, env=clause.env)
    at = clause.named("at", "slot", slots)
    if "best" in clause:
        goal = _goal(clause)
        best = f"_best{len(bests) + 1}"
        symbol = Symbol(INT, f"v_{best}", (f"v_{best}", best))
        clause = replace(clause, env=clause.env.child({"best": symbol, best: symbol}))
        text = clause.rule_text(rule, cite)
        bests.append((best, _reaching(clause, f"_most(me, {goal})", INT)))
        that = _reaching(clause, f"_reaches(me, {goal}, {best})", BOOL)
        then, before = recovery(clause, rule, move)
        return m.Requirement(text, that, at, then, before, afterwards=True, goal=goal)
    text = clause.rule_text(rule, cite)
    that = clause["that"].expr(BOOL)
    then, before = recovery(clause, rule, move)
    return m.Requirement(text, that, at, then, before, clause.get("afterwards", False))


def _goal(clause: Clause) -> int:
    """Return the index of the goal, the same for all moves that use a shared rule."""
    c, path = clause.c, clause.path
    for key in ("that", "afterwards"):
        if key in clause:
            wrong = "`best` stands in place of `that`, and compares the states after the moves"
            clause[key].problem("best-unusable", wrong, key=True)
    if path not in c.goals:
        known = c.section("moves")
        moves = {name for _, part in clause.parts("among") if (name := _tried(part, known))}
        best = replace(clause["best"], env=c.env).with_names({"me": PLAYER}).expr(INT)
        c.goals[path] = m.Goal(best, tuple(name for name in known if name in moves))
    return list(c.goals).index(path)


def _tried(clause: Clause, known: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the move named here, unless it is unknown or its outcome is chance."""
    name: str = clause.data
    if name not in known:
        clause.unknown("move", known)
        return None
    for slot, taken in known[name].get("takes", {}).items():
        if taken["type"].startswith("drawn "):
            wrong = "`{move}` cannot be tried: `<{slot}>` is drawn"
            clause.problem("best-unusable", wrong, move=name, slot=slot)
            return None
    return name


def _reaching(clause: Clause, source: str, kind: Type) -> m.Expr:
    """Compile the program's question for a requirement; it is shown as the compared number."""
    functions = {**clause.env.functions, **by_name(REACHING)}
    checked = check(source, replace(clause.env, functions=functions), kind)
    return clause["best"].register(checked)


def _slots(clause: Clause) -> tuple[Slots, Clause]:
    """Compile slots: each can use those before it that cannot be omitted."""
    slots: Slots = {}
    for name in clause.get("takes", ()):
        part = clause["takes"][name]
        slots[name] = _slot(name, part)
        if "infer" not in part:
            clause = clause.with_names({name: type_in(slots[name])})
    return slots, clause


def _slot(name: str, clause: Clause) -> m.Slot:
    shape, kind = shape_of(clause.data["type"])
    if shape == "list" and kind == "int":
        kind = ""
    if (kind or shape == "bool") and kind not in clause.c.kinds:
        clause["type"].unknown("type", clause.c.kinds)
    # For drawn entities, `from` gives the maximum number.
    numbers = not kind or shape == "drawn"
    held, shapes = ("int", ["list"]) if numbers else (kind, ["list", "bag", "pile"])
    given = clause.under("from")
    domain = given.register(_fits_several(given, held, shapes)) if "from" in clause else None
    reveals = clause.under("reveals").as_list()
    places = tuple(revealed(place, _fits_several(place, kind, ["bag"])) for place in reveals)
    count = clause.under("count")
    if count.data and shape not in ("bag", "list"):
        wrong = "only the size of a bag or a list can be asked"
        count.problem("type", wrong, key=True)
    if "orders" in clause and shape != "list":
        clause["orders"].problem("type", "only a list has an order", key=True)
    if "ordered" in clause and shape != "list":
        clause["ordered"].problem("type", "only a list has an order", key=True)
    return m.Slot(
        name,
        shape,
        kind,
        clause.get("each", False),
        clause.get("optional", False),
        clause.get("hidden", False),
        clause.get("exact", False),
        domain,
        infer=None,
        unclear=None,
        reveals=places,
        least=count.optional("least", INT),
        most=count.optional("most", INT),
        orders=clause.optional("orders", list_of(list_of(Type(kind or "int")))),
        ordered=clause.get("ordered", True),
    )


def _fits_several(clause: Clause, kind: str, shapes: Sequence[str]) -> Checked:
    wanted = [Type(shape, (Type(kind),)) for shape in shapes]

    def fits(given: Type) -> bool:
        if given.name in shapes and given.args[0] == DYN:
            return True  # the type of a formula is known only in play
        return any(Unifier(frozenset()).accept(allowed, given) for allowed in wanted)

    wrong, listed = "{wanted} is needed, not {type}", either(f"a {allowed}" for allowed in wanted)
    return clause.fitting(fits, wrong, "expression-wrong-type", wanted=listed)


# ---------------------------------------------------------------- how moves are written


def _patterns(clause: Clause, slots: Slots) -> tuple[m.Pattern, ...]:
    patterns = _compile_patterns(clause["written"], slots, clause)
    used = {name for pattern in patterns for name in m.slots_of(pattern)}
    for name, taken in clause.parts("takes"):
        if name not in used and patterns:
            unused = "`{name}` does not occur in how the move is written"
            taken.problem("unknown-slot", unused, key=True, name=name)
    _check_actor(clause, slots, patterns)
    return patterns


def _compile_patterns(written: Clause, slots: Slots, move: Clause) -> tuple[m.Pattern, ...]:
    patterns = []
    for part in written.as_list():
        try:
            pattern = compile_pattern(part.data)
        except ValueError as error:
            part.problem("pattern", str(error))
            continue
        for name in m.slots_of(pattern):
            if name not in slots:
                wrong = "`<{name}>` is not among what the move takes"
                part.problem("unknown-slot", wrong, name=name)
        for why in unreadable(pattern, slots, heading=move.get("heading", False)):
            part.problem("pattern", why)
        patterns.append(pattern)
    return tuple(patterns)


def several(c: Context) -> Iterator[tuple[m.Pattern, tuple[m.Pattern, ...]]]:
    """Compile the patterns of lines that stand for several statements."""
    for _, entry in c.part("slips", "several").each_part():
        try:
            written = compile_pattern(entry.data["written"])
            means = tuple(map(compile_pattern, entry.data["means"].split(";")))
        except ValueError as error:
            entry.problem("pattern", str(error))
            continue
        known = set(m.slots_of(written))
        for name in {name for pattern in means for name in m.slots_of(pattern)} - known:
            wrong = "`<{name}>` is not in `written`"
            entry["means"].problem("unknown-slot", wrong, name=name)
        yield written, means


def _check_actor(clause: Clause, slots: Slots, patterns: Sequence[m.Pattern]) -> None:
    actor = clause.get("actor")
    slot = slots.get(actor)
    if actor is None:
        if any(pattern.verb == "turn" for pattern in patterns if clause.get("heading", False)):
            missing = "the heading of a turn needs `actor`: the part that names whose turn it is"
            clause.problem("heading-player", missing, key=True)
    elif slot is None:
        clause["actor"].unknown("slot", slots)
    elif slot.kind != "player" or slot.shape in ("bag", "list") or slot.optional:
        wrong = "`{name}` says who acts: its type is `player`, and it cannot be left out"
        clause["actor"].problem("heading-player", wrong, name=actor)
    elif any(actor not in [part.slot for part in pattern.parts] for pattern in patterns):
        wrong = "`<{name}>` says who acts, so it is part of every way to write the move"
        clause["actor"].problem("heading-player", wrong, name=actor)


def headings(c: Context, moves: Collection[m.MoveDef]) -> frozenset[str]:
    """Return the first words of the game's headings."""
    words = frozenset(p.verb for move in moves if move.heading for p in move.patterns) - {"turn"}
    if c.section("claims") and "expect" in words:
        wrong = "what begins with `expect` says what the state is"
        c.problem("pattern", wrong, ("claims",), key=True)
    for move in moves:
        verbs = [p.verb for p in move.patterns if p.verb in words and not move.heading]
        if verbs:
            always = "what begins with `{verb}` is always a heading"
            c.problem("pattern", always, ("moves", move.id, "written"), verb=verbs[0])
    return words


def claims(c: Context) -> Iterator[m.MoveDef]:
    """Compile the claims of a log."""
    for ident, entry in c.parts("claims"):
        first = len(c.exprs)
        c.about = entry.data["title"]
        slots, clause = _slots(entry.with_names({"me": PLAYER}))
        lets, clause = clause.lets()
        holds = []
        for state, claimed in clause.parts("holds"):
            checked = claimed.check(key=True)
            several = checked is WRONG or checked.type.name in {"bag", "list", "pile"}
            expect = None if several else checked.type
            holds.append((claimed.with_data(state).register(checked), claimed.expr(expect)))
        written = {**entry.data, "written": f"expect {entry.data['written']}"}
        yield m.MoveDef(
            id=ident,
            title=c.about,
            otherwise=clause.optional_message("else"),
            phases=("turns",),
            patterns=_patterns(clause.with_data(written), slots),
            slots=slots,
            lets=lets,
            does=effects(clause.under("does")),
            unread=effects(clause.with_data([])),
            needs_actor=_needs_actor(c, first),
            holds=tuple(holds),
        )


def decisions(c: Context) -> Iterator[m.Decision]:
    """Compile the decisions."""
    for ident, entry in c.parts("decisions"):
        c.about = entry.data["title"]
        clause = _with_decision_values(entry.with_names({"who": PLAYER, "actor": PLAYER}), ident)
        cite = c.citation(entry.get("cite", {}))
        overdue = clause.rule_text(cite=cite)
        wrong = clause["wrong"].rule_text(cite=cite)
        if ident in c.answer_types:
            clause = clause.with_names({"answer": c.answer_types[ident]})
        forced = clause["forced"].rule_text(cite=cite) if "forced" in clause else None
        named = bool(entry.get("named", False))
        asks = tuple(c.decision_types[ident])
        yield m.Decision(ident, c.about, overdue, wrong, asks, forced, named)


# ---------------------------------------------------------------- patterns of statements


_TOKEN = re.compile(r"\s*(?:<(\w+)>|(\[)|(\])|(=>)|([^\s<>\[\]=]+))")


def compile_pattern(text: str) -> m.Pattern:
    """Compile a pattern; raise a ValueError with the reason for a faulty one.

    Words and `?` match themselves, ``<name>`` is a slot, ``[...]`` an optional part, and ``=>
    <name>`` (at the end, perhaps in brackets) the outcome of chance.
    """
    stack: list[list[m.PatternPart]] = [[]]
    outcome: str | None = None
    arrow = False
    at, text = 0, text.strip()
    while at < len(text):
        sign = _TOKEN.match(text, at)
        if sign is None:
            raise ValueError(Text("`{text}` is not a part of a pattern", text=text[at:]))
        at = sign.end()
        slot, opening, closing, arrow_sign, word = sign.groups()
        if arrow and not closing and (outcome or not slot):
            raise ValueError("`=>` is followed by one slot")
        if slot and arrow:
            outcome = slot
        elif slot:
            stack[-1].append(m.PatternPart(slot=slot))
        elif opening:
            stack.append([])
        elif closing:
            if len(stack) == 1:
                raise ValueError("a `]` without `[`")
            inner = stack.pop()
            if inner:
                stack[-1].append(m.PatternPart(inner=tuple(inner)))
        elif arrow_sign:
            arrow = True
        elif [token.kind for token in tokens_of(word)] not in (["word"], ["hidden"]):
            template = "`{word}` is not a word of a log, so no statement can have it"
            raise ValueError(Text(template, word=word))
        else:
            stack[-1].append(m.PatternPart(word.casefold()))
    if len(stack) > 1:
        raise ValueError("a `[` without `]`")
    if arrow and not outcome:
        raise ValueError("`=>` is followed by one slot")
    if not stack[0] or stack[0][0].inner:
        raise ValueError("a statement begins with a word or a slot, which cannot be left out")
    return m.Pattern(text, _with_stops(stack[0], ()), outcome)


def unreadable(pattern: m.Pattern, slots: Mapping[str, m.Slot], *, heading: bool) -> Iterator[str]:
    """Yield the reasons why no statement can match."""
    names = list(m.slots_of(pattern))
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield Text("`<{name}>` is written twice, and can have only one value", name=name)
    for name, follower in _adjacent_slots(pattern.parts, ()):
        if name in slots and slots[name].shape != "int":
            template = (
                "`<{name}>` and `<{other}>` are next to each other, and cannot be separated; "
                "put a word between them (only a number needs none)"
            )
            yield Text(template, name=name, other=follower)
    section = parse(pattern.verb).section if pattern.verb else None
    if heading and not pattern.verb:
        yield "a heading begins with a word"
    elif heading and section is SectionKind.TURN:
        match pattern.parts:
            case (_, m.PatternPart(slot=name), _, *_) if (
                pattern.outcome is None and name in slots and slots[name].shape == "int"
            ):
                pass
            case _:
                yield "the heading of a turn is written `turn <number> <player>`"
    elif heading and section is not None:
        yield Text("`{verb}` is the heading of a section of any game", verb=pattern.verb)
    elif heading and pattern.outcome is not None:
        yield "nothing is drawn in a heading"
    elif section is SectionKind.TURN:
        yield Text("what begins with `{verb}` is always the heading of a turn", verb=pattern.verb)
    elif section is not None and all(part.inner for part in pattern.parts[1:]):
        yield Text("`{verb}` alone is always the heading of a section", verb=pattern.verb)


def _adjacent_slots(
    parts: Sequence[m.PatternPart], following: Sequence[m.PatternPart]
) -> Iterator[tuple[str, str]]:
    for number, part in enumerate(parts):
        rest = (*parts[number + 1 :], *following)
        yield from _adjacent_slots(part.inner, rest)
        if part.slot:
            yield from (
                (part.slot, other.slot) for other in _first_words_and_slots(rest) if other.slot
            )


def _first_words_and_slots(parts: Iterable[m.PatternPart]) -> Iterator[m.PatternPart]:
    for part in parts:
        if not part.inner:
            yield part
            return
        yield from _first_words_and_slots(part.inner)


def _with_stops(
    parts: Sequence[m.PatternPart], following: Sequence[m.PatternPart]
) -> tuple[m.PatternPart, ...]:
    complete = []
    for number, part in enumerate(parts):
        rest = (*parts[number + 1 :], *following)
        stops = frozenset(other.word for other in _first_words_and_slots(rest) if other.word)
        # A slot directly before another one takes a single number: `turn 3 Ann`.
        single = any((other.inner or (other,))[0].slot for other in parts[number + 1 : number + 2])
        inner = _with_stops(part.inner, rest)
        complete.append(part._replace(inner=inner, stops=stops, single=single))
    return tuple(complete)

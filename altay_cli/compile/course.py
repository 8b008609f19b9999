"""Compile all but moves: procedures, triggers, checks, sections, scores, playouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import groupby
from typing import Literal

from altay_cli.base.findings import Severity, Text, did_you_mean
from altay_cli.compile.context import A_THING, Clause, Context, is_list
from altay_cli.compile.declarations import endless
from altay_cli.compile.effects import effects, recovery
from altay_cli.compile.vocabulary import PLAYER, type_in
from altay_cli.expressions.typed import Applied, Constant, everything
from altay_cli.expressions.types import BOOL, DYN, INT, STRING, Type, list_of
from altay_cli.pack import model as m
from altay_cli.source.folder import walk

Moves = Mapping[str, m.MoveDef]


def procedures(c: Context) -> dict[str, m.Procedure]:
    """Compile procedures; report endless recursion."""
    compiled = {}
    for ident, clause in c.parts("procedures"):
        c.about = clause.get("title", ident)
        takes = c.procedure_types[ident]
        compiled[ident] = m.Procedure(tuple(takes), effects(clause.with_names(takes)["does"]))
    # Procedures may end or wait early through those they call.
    halting: set[str] = set()
    while (
        more := {
            i for i, procedure in compiled.items() if not _sure_calls(procedure.does, halting)[1]
        }
        - halting
    ):
        halting |= more
    for name in endless(
        {ident: _sure_calls(procedure.does, halting)[0] for ident, procedure in compiled.items()}
    ):
        wrong = "the procedure `{name}` always calls itself"
        c.problem("endless", wrong, ("procedures", name), key=True, name=name)
    return compiled


def _sure_calls(effects: Iterable[m.Effect], halting: set[str]) -> tuple[set[str], bool]:
    """Return what effects surely call, and whether they surely finish.

    Procedures in ``halting`` may not finish.
    """
    carried_out: set[str] = set()
    for effect in effects:
        through = True
        match effect:
            case m.AskEffect() | m.RunEffect() | m.StopEffect():
                through = False
            case m.DoEffect():
                carried_out.add(effect.procedure)
                through = effect.procedure not in halting
            case m.IfEffect():
                then, yes = _sure_calls(effect.then, halting)
                otherwise, no = _sure_calls(effect.otherwise, halting)
                carried_out |= then & otherwise
                through = yes and no
            case m.LetEffect():
                inner, through = _sure_calls(effect.does, halting)
                carried_out |= inner
            case m.EachEffect() | m.WhileEffect():
                # The body of a loop may never run.
                through = _sure_calls(effect.does, halting)[1]
        if not through:
            return carried_out, False
    return carried_out, True


def triggers(c: Context) -> Iterator[m.Trigger]:
    """Compile the triggers."""
    for ident, clause in c.parts("triggers"):
        when = clause["when"].expr(BOOL)
        yield m.Trigger(
            ident,
            clause.data["title"],
            when,
            effects(clause["does"]),
            when.zones if clause.get("on") == "change" else None,
            when.zones if when.reads <= when.zones | m.STEADY else None,
        )


def _phases(names: Iterable[m.Phase | Literal["turn"]]) -> tuple[m.Phase, ...]:
    return tuple("turns" if name == "turn" else name for name in names)


def checks(c: Context) -> Iterator[m.Check]:
    """Compile the checks of complete sections."""
    for _, clause in c.parts("checks"):
        c.about = f"when the {' or the '.join(clause.data['after'])} is complete"
        each, inner = clause.each()
        text = inner.rule_text()
        that = inner["that"].expr(BOOL)
        then, does = recovery(inner, text.rule)
        after, begun = _phases(clause.data["after"]), clause.get("begun", False)
        yield m.Check(text, after, clause.get("at"), each, that, does, then, begun)


def stages(c: Context, section: str, key: str) -> Iterator[m.SectionEffects]:
    """Compile the effects around sections of a log."""
    for _, clause in c.parts(section):
        phases = _phases(clause.data[key])
        yield m.SectionEffects(phases, clause.get("order", 0), effects(clause["does"]))


def assumptions(c: Context) -> Iterator[m.Assumption]:
    """Compile what a log may leave open."""
    for _, clause in c.parts("assumptions"):
        c.about = clause.data["title"]
        (each,), inner = clause.lists("each")
        (choices,), inner = inner.lists("one_of")
        yield m.Assumption(each, choices, inner["show"].message(), effects(inner["does"]))


def lints(c: Context) -> Iterator[m.Lint]:
    """Compile conditions on the rules themselves."""
    for _, clause in c.parts("lints"):
        lets, inner = clause.lets()
        each, inner = inner.lists("each")
        yield m.Lint(
            clause.data["rule"],
            clause.data["title"],
            lets,
            each,
            inner["at"].message(),
            inner["that"].expr(BOOL),
            inner["else"].message(),
            inner.optional_message("help"),
            Severity(clause.get("severity", Severity.ERROR)),
            clause.data["example"],
        )


# ---------------------------------------------------------------- how a game is scored, and ends


def categories(c: Context) -> Iterator[m.Category]:
    """Compile the score categories."""
    for ident, clause in c.parts("categories"):
        parts = []
        for _, part in clause.with_names({"me": PLAYER}).parts("parts"):
            each, inner = part.each()
            points, cap = inner["points"].expr(INT), inner.optional("cap", INT)
            show, counted = inner["show"].message(), inner.optional("counted")
            how = inner["how"].message() if "how" in inner else None
            parts.append(
                m.CategoryPart(each, points, cap, show, counted, inner.optional("key"), how)
            )
        cite, counts = c.citation(clause.get("cite", {})), clause.get("counts", True)
        is_known = "possible" in clause and not _has_other_points(c, ident)
        possible = _possible_points(clause["possible"], cite) if is_known else None
        yield m.Category(
            ident, clause.data["title"], cite, clause.get("ruling"), tuple(parts), counts, possible
        )


def _has_other_points(c: Context, category: str) -> bool:
    """Return True if a variant changes the points of a category, but not what is possible."""
    layers = {layer.root.text for layer in c.tree.layers}

    def is_changed(key: str) -> bool:
        inner = (path for path, _ in walk(c.data["categories"][category][key]))
        return any(c.tree.placed(("categories", category, key, *p)).text in layers for p in inner)

    return bool(layers) and is_changed("parts") and not is_changed("possible")


def _possible_points(clause: Clause, cite: m.Cite) -> m.PossiblePoints:
    c = clause.c
    return m.PossiblePoints(
        clause.optional("least", INT),
        clause.optional("most", INT),
        clause.optional("values", list_of(INT)),
        clause.optional("together", INT),
        clause["because"].message(),
        c.citation(clause.get("cite", {} if "source" in clause else cite)),
        clause.named("ruling", "ruling", c.section("rulings")),
    )


def ties(c: Context) -> tuple[str, ...]:
    """Return the categories that break ties, by default all."""
    known = c.section("categories")
    listed = c.section("ties").get("by", "categories")
    if listed == "categories":
        return tuple(known)
    for _, part in c.part("ties").parts("by"):
        if part.data not in known:
            near = did_you_mean(part.data, known, "there is: {names}")
            wrong = "there is no score category `{name}` to break ties"
            part.problem("tie-unknown-category", wrong, *near, name=part.data)
    return tuple(listed)


def endings(c: Context) -> Iterator[m.Ending]:
    """Compile the endings without points."""
    for _, clause in c.parts("outcome", c.base):
        c.about = clause.data["by"]
        yield m.Ending(
            clause["when"].expr(BOOL),
            clause.optional("winners", list_of(PLAYER)),
            clause.optional("losers", list_of(PLAYER)),
            clause["by"].message(),
            c.citation(clause.get("cite", {})),
            clause.get("ruling"),
        )


def _points_using(category: m.Category, what: str) -> list[m.Expr]:
    return [
        expr
        for part in category.parts
        for expr in (part.each and part.each[1], part.points, part.cap)
        if expr is not None and what in expr.reads
    ]


def check_points(c: Context, pack: m.Pack) -> None:
    """Check that neither points nor the end depend on themselves."""
    counted = [expr for category in pack.categories for expr in _points_using(category, "ended")]
    ends = [*pack.status.values(), *(ending.when for ending in pack.endings)]
    for expr in ends if counted else ():
        if "score" in expr.reads:
            wrong = "this asks for points, and points ask whether the game has ended"
            hint = Text("`{expression}` is evaluated for them", expression=counted[0].source)
            c.problem("endless", wrong, c.paths[expr.key], hint)
    asked: dict[str, set[str]] = {category.id: set() for category in pack.categories}
    in_all = [category.id for category in pack.categories if category.counts]
    for category in pack.categories:
        keys = [expr.key for expr in _points_using(category, "score")]
        for part in (part for checked in c.with_called(keys) for part in everything(checked.tree)):
            match part:
                case Applied(function="score", from_rules=False, arguments=(_,)):
                    asked[category.id].update(in_all)
                case Applied(
                    function="score", from_rules=False, arguments=(_, Constant(value=name))
                ):
                    asked[category.id].add(str(name))
                case Applied(function="score", from_rules=False):
                    asked[category.id].update(asked)
    for ident in endless({ident: asked[ident] & asked.keys() for ident in asked}):
        wrong = "the category `{name}` asks for points that it is part of"
        advice = "`score(me, 'other')` asks for those of one other category"
        c.problem("endless", wrong, ("categories", ident), advice, key=True, name=ident)


# ---------------------------------------------------------------- what plays by itself


def opening(c: Context, moves: Moves) -> Iterator[m.Step]:
    """Compile the default setup."""
    for _, clause in c.parts("opening"):
        makes = clause["move"]
        move = moves.get(makes.data)
        if move is None:
            makes.unknown("move", [move.id for move in moves.values() if "setup" in move.phases])
        elif "setup" not in move.phases:
            template, phases = "`{move}` is not a move of the setup but of {phases}", move.phases
            makes.problem("opening-step", template, move=move.id, phases=" and ".join(phases))
            move = None
        each, inner = clause.each()
        loop = inner.optional("while", BOOL)
        wrong = "a list or bag to pick from is needed, not {type}"
        picks, inner = inner.lists("pick", ("list", "bag"), wrong)
        actor = inner.optional("by", PLAYER)
        if move is None:
            continue
        if move.needs_actor and actor is None:
            template = "nothing says who makes the move `{move}`"
            makes.problem("opening-step", template, "`by` names the player", move=move.id)
        for key in ("each", "while") if move.seat else ():
            if key in clause:
                template = "`{move}` seats a player: it is done once for every player anyway"
                clause[key].problem("opening-step", template, key=True, move=move.id)
        # Errors from a wrong name are reported once it is corrected.
        names = [*clause.get("each", ()), *clause.get("pick", ())]
        sound = all(inner.env.names[name].type != DYN for name in names)
        values = {
            name: part.expr(kind if sound else None)
            for name, part in inner.parts("with")
            if (kind := _value_type(part, move.slots, name)) is not None
        }
        yield m.Step(clause.data["title"], move.id, each, loop, actor, picks, values)


def _value_type(clause: Clause, slots: Mapping[str, m.Slot], name: str) -> Type | None:
    if name not in slots:
        clause.unknown("slot", slots, key=True)
        return None
    wrong = {
        "drawn": "`{name}` is what the move draws: chance gives it",
        "new player": "`{name}` is who takes the seat: the players are those of the game",
    }.get(slots[name].shape)
    if wrong is None:
        return type_in(slots[name])
    clause.problem("opening-step", wrong, key=True, name=name)
    return None


def _exprs_by_move(
    clause: Clause, key: str, moves: Moves, compile_expr: Callable[[Clause], m.Expr]
) -> dict[str, m.Expr]:
    result = {}
    for ident, part in clause.parts(key):
        move = moves.get(ident)
        if move is None:
            part.unknown("move", moves, key=True)
        elif "setup" not in move.phases and "turns" not in move.phases:
            template = "`{move}` is a move of a position: players never make it during a game"
            part.problem("never-made", template, key=True, move=ident)
        else:
            result[ident] = compile_expr(replace(part, env=clause.c.move_envs[ident]))
    return result


def policies(c: Context, moves: Moves) -> Iterator[m.Policy]:
    """Compile the policies, with the worths of those they extend."""
    section = c.section("policies")
    worths = {
        ident: _exprs_by_move(clause, "worth", moves, lambda part: part.expr(INT))
        for ident, clause in c.parts("policies")
    }
    for ident, data in section.items():
        chain = _policy_chain(c, ident)
        worth = {move: expr for other in reversed(chain) for move, expr in worths[other].items()}
        given = [section[other]["otherwise"] for other in chain if "otherwise" in section[other]]
        yield m.Policy(ident, data["title"], worth, given[0] if given else 0)


def _policy_chain(c: Context, ident: str) -> list[str]:
    known = c.section("policies")
    chain = [ident]
    while "like" in known[chain[-1]]:
        like = c.part("policies", chain[-1], "like")
        if like.data not in known and chain == [ident]:
            like.unknown("policy", known)
        elif like.data == ident:
            like.problem("endless", "the policy `{name}` is like itself", name=ident)
        if like.data not in known or like.data in chain:
            break
        chain.append(like.data)
    return chain


def measures(c: Context, moves: Moves) -> Iterator[m.Measure]:
    """Compile the measures."""

    def is_thing(kind: Type) -> bool:
        return kind.name in c.kinds

    for ident, entry in c.parts("measures"):
        clause = entry.with_names({"me": PLAYER})
        group = each = None
        if "group" in clause:
            wrong = "a thing or a text is needed, not {type}"
            group = clause["group"].fitted(lambda type_: is_thing(type_) or type_ == STRING, wrong)
        if "each" in clause:
            wrong = "a list of things is needed, not {type}"
            each = clause["each"].fitted(
                lambda type_: is_list(type_) and is_thing(type_.args[0]), wrong
            )
        number = clause.optional("number", INT)
        counts = _exprs_by_move(clause, "moves", moves, lambda part: part.fitted(is_thing, A_THING))
        yield m.Measure(ident, clause.data["title"], group, number, each, counts)


# ---------------------------------------------------------------- which effects wait for answers
# If nothing follows a question, the effects are one function that ends with it; else they are split
# into steps, between which a game can pause.


class Asks(IntEnum):
    """How effects ask: never, as their last action, or before others."""

    NEVER = 0
    LAST = 1
    BEFORE = 2


def plan(pack: m.Pack, fields: Sequence[m.Effects]) -> list[m.Trigger]:
    """Split effects that wait for answers into steps.

    Return the triggers that ask: they must not, as they run amid effects.
    """
    planner = _Planner(pack)
    # Procedures may be recursive.
    before = None
    while before != (before := (dict(planner.procedures), planner.run)):
        for ident, procedure in pack.procedures.items():
            planner.procedures[ident] = planner.asks(procedure.does)
        planner.run = max(map(planner.asks, fields), default=Asks.NEVER)
    called = [*fields, *(procedure.does for procedure in pack.procedures.values())]
    for routine in list(pack.routines):
        asks = planner.asks(routine)
        routine.waits = asks is Asks.BEFORE
        if routine.waits or (asks is Asks.LAST and routine in called):
            routine.steps = planner.steps(routine.tree)
    return [trigger for trigger in pack.watches if planner.asks(trigger.does)]


class _Planner:
    def __init__(self, pack: m.Pack) -> None:
        self.routines = pack.routines
        self.procedures = dict.fromkeys(pack.procedures, Asks.NEVER)
        self.run = Asks.NEVER
        """How effects in fields of entities ask: any may be run."""

    def asks(self, effects: Iterable[m.Effect]) -> Asks:
        asks = [self._asks(effect) for effect in effects]
        return Asks.BEFORE if any(asks[:-1]) else max(asks, default=Asks.NEVER)

    def _asks(self, effect: m.Effect) -> Asks:
        match effect:
            case m.AskEffect():
                return Asks.LAST if effect.answer is None else Asks.BEFORE
            case m.IfEffect() | m.LetEffect():
                return max(map(self.asks, m.branches(effect)))
            case m.EachEffect() | m.WhileEffect():
                return Asks.BEFORE if self.asks(effect.does) else Asks.NEVER
            case m.DoEffect():
                return self.procedures[effect.procedure]
            case m.RunEffect():
                return self.run
            case _:
                return Asks.NEVER

    def steps(self, effects: Iterable[m.Effect]) -> m.Steps:
        steps: list[m.Effects | m.AskEffect | m.DoEffect | m.RunEffect | m.Nested] = []
        for asks, group in groupby(effects, lambda effect: bool(self._asks(effect))):
            if not asks:
                self.routines.append(m.Effects(f"d_{len(self.routines)}", tuple(group)))
                steps.append(self.routines[-1])
                continue
            for effect in group:
                match effect:
                    case m.AskEffect() | m.DoEffect() | m.RunEffect():
                        steps.append(effect)
                    case m.IfEffect() | m.EachEffect() | m.LetEffect() | m.WhileEffect():
                        steps.append(m.Nested(effect, tuple(map(self.steps, m.branches(effect)))))
        return tuple(steps)

"""Compiles what happens besides moves: procedures, triggers, checks, what is around sections.

And how the game ends and is scored, and which effects wait for answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import groupby

from altay_cli.base.findings import Severity, Text, did_you_mean
from altay_cli.compile.analysis import with_called
from altay_cli.compile.context import (
    Clause,
    Context,
    clauses,
    message,
    optional_message,
    rule_text,
)
from altay_cli.compile.declarations import endless
from altay_cli.compile.effects import effects, mend
from altay_cli.compile.vocabulary import PLAYER
from altay_cli.expressions.typed import Applied, Constant, everything
from altay_cli.expressions.types import BOOL, INT, list_of
from altay_cli.pack import model as m
from altay_cli.source.document import DataPath


def procedures(c: Context) -> dict[str, m.Procedure]:
    """Compile the steps that several moves share; none may carry itself out without end."""
    compiled = {}
    for ident, clause in clauses(c, "procedures"):
        c.about = clause.get("title", ident)
        takes = c.procedure_types[ident]
        compiled[ident] = m.Procedure(tuple(takes), effects(clause.knowing(takes)))
    for name in endless(sure_calls(compiled)):
        wrong = Text("the procedure `{name}` carries itself out, whatever holds", name=name)
        c.problem("endless", wrong, ("procedures", name), key=True)
    return compiled


def triggers(c: Context) -> Iterator[m.Trigger]:
    """Compile what happens as soon as something holds."""
    for ident, clause in clauses(c, "triggers"):
        when = clause["when"].expr(BOOL)
        yield m.Trigger(
            ident,
            clause.get("title", ident),
            when,
            effects(clause),
            when.zones if clause.get("on") == "change" else None,
            when.zones if when.reads <= when.zones | m.STEADY else None,
        )


def _phases(names: Iterable[str]) -> tuple[m.Phase, ...]:
    """Return phases by the names of parts that are complete: a turn is one of the turns."""
    return tuple(m.Phase.TURNS if name == "turn" else m.Phase(name) for name in names)


def checks(c: Context) -> Iterator[m.Check]:
    """Compile what must hold when a section is complete."""
    for _, clause in clauses(c, "checks"):
        c.about = f"when the {' or the '.join(clause.data['after'])} is complete"
        each, inner = clause.each()
        text = rule_text(inner)
        that = inner["that"].expr(BOOL)
        then, does = mend(inner, text.rule)
        after = _phases(clause.data["after"])
        yield m.Check(text, after, clause.get("at"), each, that, does, then)


def stages(c: Context, section: str, key: str) -> Iterator[m.SectionEffects]:
    """Compile the effects of a section that prepares or completes parts of a log."""
    for _, clause in clauses(c, section):
        phases = _phases(clause.data[key])
        yield m.SectionEffects(phases, clause.get("order", 0), effects(clause))


def assumptions(c: Context) -> Iterator[m.Assumption]:
    """Compile what a log may leave open."""
    for _, clause in clauses(c, "assumptions"):
        c.about = clause.data["title"]
        each, inner = clause.listed("each")
        one_of, inner = inner.listed("one_of")
        show = message(inner["show"])
        yield m.Assumption(each, one_of, show, effects(inner))


def lints(c: Context) -> Iterator[m.Lint]:
    """Compile what must hold of the rules themselves."""
    for _, clause in clauses(c, "lints"):
        lets, inner = clause.lets()
        each = []
        for name in clause.get("each", ()):
            named, inner = inner.listed("each", name)
            each.append(named)
        yield m.Lint(
            clause.data["rule"],
            clause.data["title"],
            lets,
            tuple(each),
            message(inner["at"]),
            inner["that"].expr(BOOL),
            message(inner["else"]),
            optional_message(inner, "help"),
            Severity(clause.get("severity", Severity.ERROR)),
            clause.data["example"],
        )


# ---------------------------------------------------------------- how a game is scored, and ends


def categories(c: Context) -> Iterator[m.Category]:
    """Compile the score categories."""
    for ident, clause in clauses(c, "categories"):
        title, ruling = clause.data["title"], clause.get("ruling")
        parts = tuple(_part(part) for _, part in clause.knowing({"me": PLAYER}).parts("parts"))
        cite, counts = clause.get("cite", {}), clause.get("counts", True)
        yield m.Category(ident, title, cite, ruling, parts, counts)


def _part(clause: Clause) -> m.Part:
    each, inner = clause.each()
    return m.Part(
        each,
        inner["points"].expr(INT),
        inner.optional("cap", INT),
        message(inner["show"]),
        inner.optional("counted"),
        inner.optional("key"),
    )


def ties(c: Context) -> tuple[str, ...]:
    """Return the categories that break ties: those listed, or all in their order."""
    known = c.section("categories")
    listed = c.section("ties").get("by", "categories")
    if listed == "categories":
        return tuple(known)
    for number, ident in enumerate(listed):
        if ident not in known:
            near = did_you_mean(ident, known, "there is: {names}")
            wrong = Text("there is no score category `{name}` to break ties", name=ident)
            c.problem("tie-unknown-category", wrong, ("ties", "by", number), *near)
    return tuple(listed)


def endings(c: Context) -> Iterator[m.Ending]:
    """Compile the endings of a game that are not decided by points."""
    for _, clause in clauses(c, "outcome", c.base):
        c.about = clause.data["by"]
        yield m.Ending(
            clause["when"].expr(BOOL),
            clause.optional("winners", list_of(PLAYER)),
            clause.optional("losers", list_of(PLAYER)),
            message(clause["by"]),
        )


# ---------------------------------------------------------------- points that depend on themselves


def _counted(category: m.Category, what: str) -> list[m.Expr]:
    """Return the expressions of a category's points that ask for ``what``."""
    return [
        expr
        for part in category.parts
        for expr in (part.each and part.each[1], part.points, part.cap)
        if expr is not None and what in expr.reads
    ]


def check_scores(c: Context, categories: Sequence[m.Category]) -> None:
    """Check that no category asks for points that it is part of."""
    everywhere = [category.id for category in categories]
    in_all = [category.id for category in categories if category.counts]
    asked: dict[str, set[str]] = {}
    for category in categories:
        asked[category.id] = set()
        keys = [expr.key for expr in _counted(category, "score")]
        for checked in with_called(keys, c.checked, c.section("functions")):
            for part in everything(checked.tree):
                match part:
                    case Applied(function="score", own=False, arguments=(_,)):
                        asked[category.id].update(in_all)
                    case Applied(function="score", own=False, arguments=(_, Constant(value=name))):
                        asked[category.id].add(str(name))
                    case Applied(function="score", own=False):
                        asked[category.id].update(everywhere)
    for ident in endless({ident: asked[ident] & asked.keys() for ident in asked}):
        wrong = Text("the category `{name}` asks for points that it is part of", name=ident)
        hint = "`score(me, 'other')` asks for those of one other category"
        c.problem("endless", wrong, ("categories", ident), hint, key=True)


def check_ends(c: Context, pack: m.Pack) -> None:
    """Check that the end of the game does not depend on points that depend on the end."""
    # Points may ask whether the game has ended, and the end may depend on points, but not both:
    # each would wait for the other.
    counted = [expr for category in pack.categories for expr in _counted(category, "ended")]
    ends: dict[DataPath, m.Expr] = {("status", key): expr for key, expr in pack.status.items()}
    for number, ending in enumerate(pack.endings):
        ends["outcome", number, "when"] = ending.when
    for path, expr in ends.items() if counted else ():
        if "score" in expr.reads:
            wrong = "this asks for points, and points ask whether the game has ended"
            hint = Text("`{expression}` is evaluated for them", expression=counted[0].source)
            c.problem("endless", wrong, path, hint)


# ---------------------------------------------------------------- which effects wait for answers
#
# A question may stand anywhere. Where nothing comes behind it, effects are one Python function that
# ends with the question; else they are made into steps, between which a game can stop.


class Asks(IntEnum):
    """How a list of effects asks: never, as the last thing it does, or before something else."""

    NEVER = 0
    LAST = 1
    BEFORE = 2


def plan(pack: m.Pack, fields: Sequence[m.Effects]) -> list[m.Trigger]:
    """Give steps to all effects of a pack that need them; ``fields`` are those of things.

    Returns the triggers that ask something and must not, as they happen in the middle of effects.
    """
    planner = _Planner(pack)
    # Procedures carry out each other, and themselves: how they ask is found by going through
    # all of them until nothing changes.
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
        """How the effects ask that things hold: any of them may be run."""

    def asks(self, effects: Iterable[m.Effect]) -> Asks:
        """Return how a list of effects asks."""
        asks = [self._asks(effect) for effect in effects]
        if any(asks[:-1]):
            return Asks.BEFORE
        return asks[-1] if asks else Asks.NEVER

    def _asks(self, effect: m.Effect) -> Asks:
        match effect:
            case m.AskEffect():
                return Asks.LAST if effect.answer is None else Asks.BEFORE
            case m.IfEffect():
                return max(self.asks(effect.then), self.asks(effect.otherwise))
            case m.LetEffect():
                return self.asks(effect.does)
            case m.EachEffect() | m.WhileEffect():
                # Behind the last question of a round comes the next round.
                return Asks.BEFORE if self.asks(effect.does) else Asks.NEVER
            case m.DoEffect():
                return self.procedures[effect.procedure]
            case m.RunEffect():
                return self.run
            case _:
                return Asks.NEVER

    def steps(self, effects: Iterable[m.Effect]) -> m.Steps:
        """Return effects as steps: those in a row that ask nothing are one of them."""
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


# ---------------------------------------------------------------- what is carried out in any case


def sure_calls(procedures: Mapping[str, m.Procedure]) -> dict[str, set[str]]:
    """Return by procedure which ones it carries out whatever holds, before it asks anything."""
    halting: set[str] = set()
    before = None
    while before != (before := len(halting)):
        halting |= {ident for ident, one in procedures.items() if not _sure(one.does, halting)[1]}
    return {ident: _sure(one.does, halting)[0] for ident, one in procedures.items()}


def _sure(effects: Iterable[m.Effect], halting: set[str]) -> tuple[set[str], bool]:
    """Return what effects carry out in any case, and whether they are sure to come to their end.

    What is ``halting`` may end, or wait for an answer, before it comes to its end.
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
                (then, yes), (otherwise, no) = (
                    _sure(part, halting) for part in (effect.then, effect.otherwise)
                )
                carried_out |= then & otherwise
                through = yes and no
            case m.LetEffect():
                inner, through = _sure(effect.does, halting)
                carried_out |= inner
            case m.EachEffect() | m.WhileEffect():
                # What is in a loop may never be carried out, so nothing of it is sure.
                through = _sure(effect.does, halting)[1]
        if not through:
            return carried_out, False
    return carried_out, True

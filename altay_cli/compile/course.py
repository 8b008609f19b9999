"""Compiles what happens besides moves: procedures, triggers, checks, what is around sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from altay_cli.base.findings import Severity
from altay_cli.base.text import Text
from altay_cli.compile.clause import clauses
from altay_cli.compile.context import Context
from altay_cli.compile.defined import endless
from altay_cli.compile.effects import effects, mend
from altay_cli.compile.steps import sure_calls
from altay_cli.compile.texts import message, optional_message, rule_text
from altay_cli.expressions.types import BOOL, Type
from altay_cli.pack import model as m


def procedures(c: Context) -> dict[str, m.Procedure]:
    """Compile the steps that several moves share; none may carry itself out without end."""
    compiled = {}
    for ident, clause in clauses(c, "procedures"):
        c.about = clause.get("title", ident)
        takes = c.procedure_types[ident]
        compiled[ident] = m.Procedure(ident, tuple(takes), effects(clause.knowing(takes)))
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
            clause.get("cite", {}),
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
        does = effects(clause)
        yield m.SectionEffects(_phases(clause.data[key]), clause.get("order", 0), does)


def assumptions(c: Context) -> Iterator[m.Assumption]:
    """Compile what a log may leave open."""
    for ident, clause in clauses(c, "assumptions"):
        c.about = clause.data["title"]
        each, inner = clause.each()
        one_of, inner = inner.each("one_of")
        show, does = message(inner["show"]), effects(inner)
        if each is not None and one_of is not None:
            yield m.Assumption(ident, c.about, each, one_of, show, does)


def lints(c: Context) -> Iterator[m.Lint]:
    """Compile what must hold of the rules themselves."""
    for _, clause in clauses(c, "lints"):
        lets, inner = clause.lets()
        each = []
        for name in clause.get("each", ()):
            named, inner = inner.listed("each", name)
            if named is not None:
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


def told_of_things(c: Context) -> dict[str, tuple[tuple[str, m.Expr], ...]]:
    """Compile the facts that are shown about things, by their kinds."""
    return {
        kind: tuple(
            (one.data["title"], one["is"].expr())
            for _, one in clause.knowing({kind: Type(kind)}).parts("tells")
        )
        for kind, clause in clauses(c, "kinds")
    }

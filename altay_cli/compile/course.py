"""Compiles what happens besides moves: procedures, triggers, checks, what is around sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from altay_cli.base.findings import Severity
from altay_cli.base.text import Text
from altay_cli.compile import model as m
from altay_cli.compile.context import Context, bind
from altay_cli.compile.defined import endless
from altay_cli.compile.effects import whole
from altay_cli.compile.slips import slip_of
from altay_cli.compile.steps import sure_calls
from altay_cli.compile.texts import message, optional_message, rule_text
from altay_cli.expressions.types import BOOL, Type


def procedures(c: Context) -> dict[str, m.Procedure]:
    """Compile the steps that several moves share; none may carry itself out without end."""
    found = {}
    for ident, path, data in c.entries("procedures"):
        c.about = data.get("title", ident)
        takes = c.procedure_types[ident]
        does = whole(c, data.get("does", []), (*path, "does"), bind(c.env, takes))
        found[ident] = m.Procedure(ident, tuple(takes), does)
    for name in endless(sure_calls(found)):
        wrong = Text("the procedure `{name}` carries itself out, whatever holds", name=name)
        c.problem("endless", wrong, ("procedures", name), key=True)
    return found


def triggers(c: Context) -> Iterator[m.Trigger]:
    """Compile what happens as soon as something holds."""
    for ident, path, data in c.entries("triggers"):
        when = c.expr(data["when"], (*path, "when"), c.env, BOOL)
        yield m.Trigger(
            ident,
            data.get("title", ident),
            data.get("cite", {}),
            when,
            whole(c, data["does"], (*path, "does"), c.env),
            when.zones if data.get("on") == "change" else None,
            when.zones if when.reads <= when.zones | m.STEADY else None,
        )


def _phases(names: Iterable[str]) -> tuple[m.Phase, ...]:
    """Return phases by the names of parts that are complete: a turn is one of the turns."""
    return tuple(m.Phase.TURNS if name == "turn" else m.Phase(name) for name in names)


def checks(c: Context) -> Iterator[m.Check]:
    """Compile what must hold when a section is complete."""
    for _, path, data in c.entries("checks"):
        c.about = f"when the {' or the '.join(data['after'])} is complete"
        each, env = c.each(data, path, c.env)
        slip, place = slip_of(c.data, data["rule"])
        yield m.Check(
            rule_text(c, data, path, env),
            _phases(data["after"]),
            data.get("at"),
            each,
            c.expr(data["that"], (*path, "that"), env, BOOL),
            whole(c, slip.get("mend", []), (*place, "mend"), env),
            slip.get("then", "play"),
        )


def stages(c: Context, section: str, key: str) -> Iterator[m.SectionEffects]:
    """Compile the effects of a section that prepares or completes parts of a log."""
    for _, path, data in c.entries(section):
        does = whole(c, data["does"], (*path, "does"), c.env)
        yield m.SectionEffects(_phases(data[key]), data.get("order", 0), does)


def assumptions(c: Context) -> Iterator[m.Assumption]:
    """Compile what a log may leave open."""
    for ident, path, data in c.entries("assumptions"):
        c.about = data["title"]
        each, env = c.each(data, path, c.env)
        one_of, env = c.each(data, path, env, "one_of")
        show = message(c, data["show"], (*path, "show"), env)
        does = whole(c, data["does"], (*path, "does"), env)
        if each is not None and one_of is not None:
            yield m.Assumption(ident, c.about, each, one_of, show, does)


def lints(c: Context) -> Iterator[m.Lint]:
    """Compile what must hold of the rules themselves."""
    for _, path, data in c.entries("lints"):
        lets, env = c.lets(data, path, c.env)
        each = []
        for name, text in data.get("each", {}).items():
            found, env = c.each({"each": {name: text}}, path, env)
            if found is not None:
                each.append(found)
        yield m.Lint(
            data["rule"],
            data["title"],
            lets,
            tuple(each),
            message(c, data["at"], (*path, "at"), env),
            c.expr(data["that"], (*path, "that"), env, BOOL),
            message(c, data["else"], (*path, "else"), env),
            optional_message(c, data, "help", path, env),
            Severity(data.get("severity", Severity.ERROR)),
            data["example"],
        )


def told_of_things(c: Context) -> Mapping[str, tuple[tuple[str, m.Expr], ...]]:
    """Compile the facts that are shown about things, by their kinds."""
    told = {}
    for kind, path, entry in c.entries("kinds"):
        env = bind(c.env, {kind: Type(kind)})
        told[kind] = tuple(
            (one["title"], c.expr(one["is"], (*path, "tells", name, "is"), env))
            for name, one in entry.get("tells", {}).items()
        )
    return told

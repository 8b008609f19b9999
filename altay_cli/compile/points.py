"""Compiles how a game is scored, and checks that no points depend on themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from altay_cli.base.findings import Text, did_you_mean
from altay_cli.compile.analysis import with_called
from altay_cli.compile.context import Clause, Context, clauses, message
from altay_cli.compile.declarations import endless
from altay_cli.compile.vocabulary import PLAYER
from altay_cli.expressions.typed import Applied, Constant, everything
from altay_cli.expressions.types import BOOL, INT, list_of
from altay_cli.pack import model as m
from altay_cli.source.document import DataPath


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
            clause.get("cite", {}),
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

"""Compiles how a game is scored, and checks that no points depend on themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from altay_cli.base.text import Text
from altay_cli.compile import model as m
from altay_cli.compile.analysis import with_called
from altay_cli.compile.context import PLAYER, Context, bind, did_you_mean
from altay_cli.compile.defined import endless
from altay_cli.compile.texts import message
from altay_cli.expressions.typed import Applied, Constant, Tree, everything
from altay_cli.expressions.types import BOOL, INT, list_of
from altay_cli.source.document import DataPath


def categories(c: Context) -> Iterator[m.Category]:
    """Compile the score categories."""
    base = bind(c.env, {"me": PLAYER})
    for ident, path, data in c.entries("categories"):
        parts = []
        for number, part in enumerate(data["parts"]):
            where = (*path, "parts", number)
            each, env = c.each(part, where, base)
            parts.append(
                m.Part(
                    each,
                    c.expr(part["points"], (*where, "points"), env, INT),
                    c.optional(part, "cap", where, env, INT),
                    message(c, part["show"], (*where, "show"), env),
                    c.optional(part, "counted", where, env),
                    c.optional(part, "key", where, env),
                )
            )
        cite, counts = data.get("cite", {}), data.get("counts", True)
        yield m.Category(ident, data["title"], cite, data.get("ruling"), tuple(parts), counts)


def ties(c: Context) -> tuple[str, ...]:
    """Return the categories that break ties: those listed, or all in their order."""
    known = c.section("categories")
    listed = c.section("ties").get("by", "categories")
    if listed == "categories":
        return tuple(known)
    for number, ident in enumerate(listed):
        if ident not in known:
            told = did_you_mean(ident, known, "there is: {names}")
            wrong = Text("there is no score category `{name}` to break ties", name=ident)
            c.problem("tie-unknown-category", wrong, ("ties", "by", number), *told)
    return tuple(listed)


def endings(c: Context) -> Iterator[m.Ending]:
    """Compile the endings of a game that are not decided by points."""
    for _, path, data in c.entries("outcome"):
        c.about = data["by"]
        yield m.Ending(
            c.expr(data["when"], (*path, "when"), c.base, BOOL),
            c.optional(data, "winners", path, c.base, list_of(PLAYER)),
            c.optional(data, "losers", path, c.base, list_of(PLAYER)),
            message(c, data["by"], (*path, "by"), c.base),
            data.get("cite", {}),
        )


def teams(c: Context) -> m.Expr | None:
    """Compile what the players of a team have in common."""
    return c.optional(c.data, "teams", (), bind(c.base, {"me": PLAYER}))


def ranking(c: Context) -> tuple[m.Expr, ...]:
    """Compile what players are ranked by."""
    env = bind(c.base, {"me": PLAYER})
    return tuple(c.expr(text, path, env, INT) for _, path, text in c.entries("ranking"))


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
        for _, *named in _scores_in(c, [expr.key for expr in _counted(category, "score")]):
            ids = [one.value if isinstance(one, Constant) else None for one in named]
            asked[category.id].update(
                in_all if not ids else everywhere if None in ids else map(str, ids)
            )
    for ident in endless({ident: asked[ident] & asked.keys() for ident in asked}):
        wrong = Text("the category `{name}` asks for points that it is part of", name=ident)
        told = "`score(me, 'other')` asks for those of one other category"
        c.problem("endless", wrong, ("categories", ident), told, key=True)


def _scores_in(c: Context, keys: Iterable[str]) -> Iterator[tuple[Tree, ...]]:
    """Yield the arguments of each call of `score` in expressions, in functions too."""
    for checked in with_called(keys, c.checked, c.section("functions")):
        for part in everything(checked.tree):
            if isinstance(part, Applied) and part.function == "score" and not part.own:
                yield part.arguments


def check_ends(c: Context, pack: m.Pack) -> None:
    """Check that the end of the game does not depend on points that depend on the end."""
    counted = [expr for category in pack.categories for expr in _counted(category, "ended")]
    ends: dict[DataPath, m.Expr] = {("status", key): expr for key, expr in pack.status.items()}
    for number, ending in enumerate(pack.endings):
        ends["outcome", number, "when"] = ending.when
    for path, expr in ends.items() if counted else ():
        if "score" in expr.reads:
            wrong = "this asks for points, and points ask whether the game has ended"
            told = Text("`{expression}` is evaluated for them", expression=counted[0].source)
            c.problem("endless", wrong, path, told)

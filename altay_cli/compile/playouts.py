"""Compiles what the program needs to play games by itself: the opening, policies, measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from altay_cli.base.text import Text
from altay_cli.compile import model as m
from altay_cli.compile.context import A_THING, PLAYER, Context, bind, is_list
from altay_cli.compile.moves import slot_type
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.types import BOOL, DYN, INT, STRING, Type
from altay_cli.source.document import DataPath, Entry

Moves = Mapping[str, m.MoveDef]

_PLAYED = frozenset({m.Phase.SETUP, m.Phase.TURNS})
"""The phases that can be played; a position is only ever written down."""


def opening(c: Context, moves: Moves) -> Iterator[m.Step]:
    """Compile the steps of the opening."""
    for _, path, data in c.entries("opening"):
        move = _setup_move(c, moves, data["move"], (*path, "move"))
        each, env = c.each(data, path, c.env)
        loop = c.optional(data, "while", path, env, BOOL)
        picks = []
        for name, text in data.get("pick", {}).items():
            expr, env = _pick(c, name, text, (*path, "pick", name), env)
            if expr is not None:
                picks.append((name, expr))
        sound = len(picks) == len(data.get("pick", {})) and (each is None) == ("each" not in data)
        actor = c.optional(data, "by", path, env, PLAYER)
        if move is None:
            continue
        if actor is None and move.needs_actor:
            message = Text("nothing says who makes the move `{move}`", move=move.id)
            c.problem("opening-step", message, (*path, "move"), "`by` names the player")
        if any(slot.shape is m.Shape.NEW_PLAYER for slot in move.slots.values()):
            for key in [key for key in ("each", "while") if key in data]:
                message = Text(
                    "`{move}` seats a player: it is done once for every player anyway",
                    move=move.id,
                )
                c.problem("opening-step", message, (*path, key), key=True)
        values = {}
        for name, text in data.get("with", {}).items():
            where = (*path, "with", name)
            kind = _value_type(c, move, name, where)
            if kind is not None:
                # What rests on a name that is wrong itself is told when that is mended.
                values[name] = c.expr(text, where, env, kind if sound else None)
        cite = data.get("cite", {})
        yield m.Step(data["title"], cite, move.id, each, loop, actor, tuple(picks), values)


def _setup_move(c: Context, moves: Moves, ident: str, path: DataPath) -> m.MoveDef | None:
    """Return the move that a step makes; None, and a problem, if the setup has no such move."""
    move = moves.get(ident)
    if move is None:
        known = [move.id for move in moves.values() if m.Phase.SETUP in move.phases]
        c.unknown("move", ident, known, path)
    elif m.Phase.SETUP not in move.phases:
        message = Text(
            "`{move}` is not a move of the setup but of {phases}",
            move=ident,
            phases=" and ".join(move.phases),
        )
        c.problem("opening-step", message, path)
        return None
    return move


def _pick(
    c: Context, name: str, text: object, path: DataPath, env: Environment
) -> tuple[m.Expr | None, Environment]:
    """Compile a list or bag from which one thing is taken."""
    wrong = "a list or bag to pick from is needed, not {type}"
    checked = c.fitting(text, path, env, lambda found: found.name in {"list", "bag"}, wrong)
    if checked is None:
        return None, bind(env, {name: DYN})
    return c.register(checked, text), bind(env, {name: checked.type.args[0]})


def _value_type(c: Context, move: m.MoveDef, name: str, path: DataPath) -> Type | None:
    """Return the type of values for a slot; None, and a problem, if none can be given."""
    slot = move.slots.get(name)
    if slot is None:
        c.unknown("slot", name, move.slots, path, key=True)
        return None
    template = {
        m.Shape.DRAWN: "`{name}` is what the move draws: chance gives it",
        m.Shape.NEW_PLAYER: ("`{name}` is who takes the seat: the players are those of the game"),
    }.get(slot.shape)
    if template is None:
        return slot_type(slot)
    c.problem("opening-step", Text(template, name=name), path, key=True)
    return None


# ---------------------------------------------------------------- policies and measures


def _by_move(
    c: Context,
    data: Mapping[str, str],
    path: DataPath,
    moves: Moves,
    compile_one: Callable[[str, DataPath, Environment], m.Expr | None],
) -> dict[str, m.Expr]:
    """Compile expressions about moves, each by the id of its move, which must be one of a game."""
    result = {}
    for ident, text in data.items():
        where = (*path, ident)
        move = moves.get(ident)
        if move is None:
            c.unknown("move", ident, moves, where, key=True)
        elif not _PLAYED.intersection(move.phases):
            message = Text(
                "`{move}` is a move of a position: in a game that is played nobody makes it",
                move=ident,
            )
            c.problem("never-made", message, where, key=True)
        elif (expr := compile_one(text, where, c.move_envs[ident])) is not None:
            result[ident] = expr
    return result


def policies(c: Context, moves: Moves) -> dict[str, m.Policy]:
    """Compile the policies, each with the worths of the policy that it is like."""
    section = c.section("policies")
    own = {}
    for ident, path, data in c.entries("policies"):
        own[ident] = _by_move(
            c,
            data.get("worth", {}),
            (*path, "worth"),
            moves,
            lambda text, where, env: c.expr(text, where, env, INT),
        )
    result = {}
    for ident, data in section.items():
        chain = _chain(c, ident, section)
        worth: dict[str, m.Expr] = {}
        for other in reversed(chain):
            worth |= own[other]
        told = (section[other]["otherwise"] for other in chain if "otherwise" in section[other])
        result[ident] = m.Policy(ident, data["title"], worth, next(told, 0))
    return result


def _chain(c: Context, ident: str, section: Entry) -> list[str]:
    """Return a policy, the policy that it is based on, and so on."""
    chain = [ident]
    while "like" in section[chain[-1]]:
        path = ("policies", chain[-1], "like")
        other = section[chain[-1]]["like"]
        if other not in section:
            if len(chain) == 1:
                c.unknown("policy", other, section, path)
            break
        if other in chain:
            if other == ident:
                c.problem("endless", Text("the policy `{name}` is like itself", name=ident), path)
            break
        chain.append(other)
    return chain


def measures(c: Context, moves: Moves) -> Iterator[m.Measure]:
    """Compile the measures."""
    env = bind(c.env, {"me": PLAYER})

    def is_thing(kind: Type) -> bool:
        return kind.name in c.kinds

    def thing(text: str, where: DataPath, inner: Environment) -> m.Expr | None:
        return c.fitted(text, where, inner, is_thing, A_THING)

    for ident, path, data in c.entries("measures"):
        group = each = None
        if "group" in data:
            wrong = "a thing or a text is needed, not {type}"
            where = (*path, "group")
            group = c.fitted(
                data["group"], where, env, lambda kind: is_thing(kind) or kind == STRING, wrong
            )
        if "each" in data:
            wrong = "a list of things is needed, not {type}"
            where = (*path, "each")
            each = c.fitted(
                data["each"],
                where,
                env,
                lambda kind: is_list(kind) and is_thing(kind.args[0]),
                wrong,
            )
        number = c.optional(data, "number", path, env, INT)
        counts = _by_move(c, data.get("moves", {}), (*path, "moves"), moves, thing)
        yield m.Measure(ident, data["title"], group, number, each, counts)

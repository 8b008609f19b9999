"""Compiles what the program needs to play games by itself: the opening, policies, measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from altay_cli.base.findings import Text
from altay_cli.compile.context import A_THING, Clause, Context, clauses, is_list
from altay_cli.compile.vocabulary import PLAYER, type_in
from altay_cli.expressions.types import BOOL, DYN, INT, STRING, Type
from altay_cli.pack import model as m
from altay_cli.source.document import Entry

Moves = Mapping[str, m.MoveDef]

_PLAYED = frozenset({m.Phase.SETUP, m.Phase.TURNS})
"""The phases that can be played; a position is only ever written down."""


def opening(c: Context, moves: Moves) -> Iterator[m.Step]:
    """Compile the steps of the opening."""
    for _, clause in clauses(c, "opening"):
        move = _setup_move(clause["move"], moves)
        each, inner = clause.each()
        loop = inner.optional("while", BOOL)
        picks = []
        for name in clause.get("pick", ()):
            wrong = "a list or bag to pick from is needed, not {type}"
            picked, inner = inner.listed("pick", name, ("list", "bag"), wrong)
            picks.append(picked)
        # What rests on a name that is wrong itself is told when that is mended.
        names = [*clause.get("each", ()), *clause.get("pick", ())]
        sound = all(inner.env.names[name].type != DYN for name in names)
        actor = inner.optional("by", PLAYER)
        if move is None:
            continue
        _check_step(clause, move, acts=actor is not None)
        values = {}
        for name, part in inner.parts("with"):
            kind = _value_type(part, move, name)
            if kind is not None:
                values[name] = part.expr(kind if sound else None)
        title = clause.data["title"]
        yield m.Step(title, move.id, each, loop, actor, tuple(picks), values)


def _setup_move(clause: Clause, moves: Moves) -> m.MoveDef | None:
    """Return the move that a step makes; None, and a problem, if the setup has no such move."""
    move = moves.get(clause.data)
    if move is None:
        clause.unknown("move", [one.id for one in moves.values() if m.Phase.SETUP in one.phases])
    elif m.Phase.SETUP not in move.phases:
        template, phases = "`{move}` is not a move of the setup but of {phases}", move.phases
        clause.problem("opening-step", template, move=move.id, phases=" and ".join(phases))
        return None
    return move


def _check_step(clause: Clause, move: m.MoveDef, *, acts: bool) -> None:
    """Check that a step says who makes its move, and how often only where that is open."""
    if move.needs_actor and not acts:
        template = "nothing says who makes the move `{move}`"
        clause["move"].problem("opening-step", template, "`by` names the player", move=move.id)
    for key in ("each", "while") if move.seat else ():
        if key in clause:
            template = "`{move}` seats a player: it is done once for every player anyway"
            clause[key].problem("opening-step", template, key=True, move=move.id)


def _value_type(clause: Clause, move: m.MoveDef, name: str) -> Type | None:
    """Return the type of values for a slot; None, and a problem, if none can be given."""
    slot = move.slots.get(name)
    if slot is None:
        clause.unknown("slot", move.slots, key=True)
        return None
    wrong = {
        m.Shape.DRAWN: "`{name}` is what the move draws: chance gives it",
        m.Shape.NEW_PLAYER: "`{name}` is who takes the seat: the players are those of the game",
    }.get(slot.shape)
    if wrong is None:
        return type_in(slot)
    clause.problem("opening-step", wrong, key=True, name=name)
    return None


# ---------------------------------------------------------------- policies and measures


def _by_move(
    clause: Clause, key: str, moves: Moves, compile_one: Callable[[Clause], m.Expr]
) -> dict[str, m.Expr]:
    """Compile expressions about moves, each by the id of its move, which must be one of a game."""
    result = {}
    for ident, part in clause.parts(key):
        move = moves.get(ident)
        if move is None:
            part.unknown("move", moves, key=True)
        elif not _PLAYED.intersection(move.phases):
            template = "`{move}` is a move of a position: in a game that is played nobody makes it"
            part.problem("never-made", template, key=True, move=ident)
        else:
            result[ident] = compile_one(replace(part, env=clause.c.move_envs[ident]))
    return result


def policies(c: Context, moves: Moves) -> dict[str, m.Policy]:
    """Compile the policies, each with the worths of the policy that it is like."""
    section = c.section("policies")
    own = {
        ident: _by_move(clause, "worth", moves, lambda part: part.expr(INT))
        for ident, clause in clauses(c, "policies")
    }
    result = {}
    for ident, data in section.items():
        chain = _chain(c, ident, section)
        worth = {move: expr for other in reversed(chain) for move, expr in own[other].items()}
        given = [section[other]["otherwise"] for other in chain if "otherwise" in section[other]]
        result[ident] = m.Policy(ident, data["title"], worth, given[0] if given else 0)
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

    def is_thing(kind: Type) -> bool:
        return kind.name in c.kinds

    for ident, entry in clauses(c, "measures"):
        clause = entry.knowing({"me": PLAYER})
        group = each = None
        if "group" in clause:
            wrong = "a thing or a text is needed, not {type}"
            group = clause["group"].fitted(lambda one: is_thing(one) or one == STRING, wrong)
        if "each" in clause:
            wrong = "a list of things is needed, not {type}"
            each = clause["each"].fitted(lambda one: is_list(one) and is_thing(one.args[0]), wrong)
        number = clause.optional("number", INT)
        counts = _by_move(clause, "moves", moves, lambda part: part.fitted(is_thing, A_THING))
        yield m.Measure(ident, clause.data["title"], group, number, each, counts)

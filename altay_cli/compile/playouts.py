"""Compiling what the program needs to play games by itself: the opening, policies, measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from altay_cli.base.text import Text
from altay_cli.compile import model as m
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.types import BOOL, INT, STRING, Type
from altay_cli.source.document import DataPath, Entry

if TYPE_CHECKING:
    from altay_cli.compile.compiler import Compiler

_PLAYED = frozenset({m.Phase.SETUP, m.Phase.TURNS})
"""The phases that can be played; a position is only ever written down."""


class PlayoutCompiler:
    """Compiles the sections of a ``playouts.yaml``; the moves must be compiled already."""

    def __init__(self, compiler: Compiler, moves: Iterable[m.MoveDef]) -> None:
        self.compiler = compiler
        self.tree = compiler.tree
        self.moves = {move.id: move for move in moves}

    # ------------------------------------------------------------ helpers

    def _move(self, ident: str, path: DataPath) -> m.MoveDef | None:
        """Return the move that a key names; None, and a problem, if it cannot be played."""
        move = self.moves.get(ident)
        if move is None:
            self.compiler.unknown("move", ident, self.moves, path, key=True)
        elif not _PLAYED.intersection(move.phases):
            message = Text(
                "`{move}` is a move of a position: in a game that is played nobody makes it",
                move=ident,
            )
            self.tree.problem("never-made", message, path, key=True)
            return None
        return move

    def _thing(
        self,
        text: object,
        path: DataPath,
        env: Environment,
        *,
        texts: bool = False,
        many: bool = False,
    ) -> m.Expr | None:
        """Compile an expression that gives a thing, or a list of things, or perhaps a text."""
        checked = self.compiler.check(text, path, env)
        if checked is None:
            return None
        kind = checked.type
        if many:
            kind = kind.args[0] if kind.name == "list" else Type("")
        if kind.name in self.compiler.kinds or (texts and kind == STRING):
            return self.compiler.register(checked, text)
        wanted = "a list of things" if many else "a thing or a text" if texts else "a thing"
        self.tree.problem(
            "type", Text(f"{wanted} is needed, not {{type}}", type=checked.type), path
        )
        return None

    # ------------------------------------------------------------ the opening

    def opening(self) -> tuple[m.Step, ...]:
        """Compile the steps of the opening."""
        found = (
            self._step(entry, ("opening", number))
            for number, entry in enumerate(self.compiler.data.get("opening", []))
        )
        return tuple(step for step in found if step is not None)

    def _step(self, data: Entry, path: DataPath) -> m.Step | None:
        compiler = self.compiler
        move = self._setup_move(data["move"], (*path, "move"))
        each, env = compiler.each(data, path, compiler.env)
        loop = compiler.optional(data, "while", path, env, BOOL)
        picks = []
        for name, text in data.get("pick", {}).items():
            expr, env = self._pick(name, text, (*path, "pick", name), env)
            if expr is not None:
                picks.append((name, expr))
        sound = len(picks) == len(data.get("pick", {})) and (each is None) == ("each" not in data)
        actor = compiler.optional(data, "by", path, env, Type("player"))
        if move is None:
            return None
        if actor is None and move.needs_actor:
            message = Text("nothing says who makes the move `{move}`", move=move.id)
            self.tree.problem("opening-step", message, (*path, "move"), "`by` names the player")
        if any(slot.shape is m.Shape.NEW_PLAYER for slot in move.slots.values()):
            for key in ("each", "while"):
                if key in data:
                    message = Text(
                        "`{move}` seats a player: it is done once for every player anyway",
                        move=move.id,
                    )
                    self.tree.problem("opening-step", message, (*path, key), key=True)
        values = {}
        for name, text in data.get("with", {}).items():
            kind = self._slot_type(move, name, (*path, "with", name))
            if kind is not None:
                # What rests on a name that is wrong itself is told when that is mended.
                expect = kind if sound else None
                values[name] = compiler.expr(text, (*path, "with", name), env, expect)
        return m.Step(
            data["title"],
            data.get("cite", {}),
            move.id,
            each,
            loop,
            actor,
            tuple(picks),
            values,
        )

    def _setup_move(self, ident: str, path: DataPath) -> m.MoveDef | None:
        move = self.moves.get(ident)
        if move is None:
            known = [move.id for move in self.moves.values() if m.Phase.SETUP in move.phases]
            self.compiler.unknown("move", ident, known, path)
        elif m.Phase.SETUP not in move.phases:
            message = Text(
                "`{move}` is not a move of the setup but of {phases}",
                move=ident,
                phases=" and ".join(move.phases),
            )
            self.tree.problem("opening-step", message, path)
            return None
        return move

    def _pick(
        self, name: str, text: object, path: DataPath, env: Environment
    ) -> tuple[m.Expr | None, Environment]:
        """Compile a list or bag from which one thing is taken."""
        compiler = self.compiler
        checked = compiler.check(text, path, env)
        if checked is not None and checked.type.name in {"list", "bag"}:
            kind = checked.type.args[0]
            expr = compiler.register(checked, text)
            return expr, compiler.bind(env, {name: kind})
        if checked is not None:
            message = Text("a list or bag to pick from is needed, not {type}", type=checked.type)
            self.tree.problem("type", message, path)
        return None, compiler.bind(env, {name: Type("dyn")})

    def _slot_type(self, move: m.MoveDef, name: str, path: DataPath) -> Type | None:
        """Return the type of values for a slot; None, and a problem, if none can be given."""
        slot = move.slots.get(name)
        if slot is None:
            self.compiler.unknown("slot", name, move.slots, path, key=True)
        elif slot.shape is m.Shape.DRAWN:
            message = Text("`{name}` is what the move draws: chance gives it", name=name)
            self.tree.problem("opening-step", message, path, key=True)
        elif slot.shape is m.Shape.NEW_PLAYER:
            message = Text(
                "`{name}` is who takes the seat: the players are those of the game", name=name
            )
            self.tree.problem("opening-step", message, path, key=True)
        else:
            return self.compiler.slot_type(slot)
        return None

    # ------------------------------------------------------------ policies

    def policies(self) -> dict[str, m.Policy]:
        """Compile the policies, each with the worths of the policy that it is like."""
        section = self.compiler.data.get("policies", {})
        own = {
            ident: self._worths(data.get("worth", {}), ("policies", ident, "worth"))
            for ident, data in section.items()
        }
        result = {}
        for ident, data in section.items():
            chain = self._chain(ident, section)
            worth: dict[str, m.Expr] = {}
            for other in reversed(chain):
                worth.update(own[other])
            told = (section[other]["otherwise"] for other in chain if "otherwise" in section[other])
            result[ident] = m.Policy(ident, data["title"], worth, next(told, 0))
        return result

    def _worths(self, data: Mapping[str, str], path: DataPath) -> dict[str, m.Expr]:
        return self._by_move(data, path, partial(self.compiler.expr, expect=INT))

    def _by_move(
        self,
        data: Mapping[str, str],
        path: DataPath,
        compile_one: Callable[[str, DataPath, Environment], m.Expr | None],
    ) -> dict[str, m.Expr]:
        """Compile expressions about moves, each by the id of its move."""
        result = {}
        for ident, text in data.items():
            if self._move(ident, (*path, ident)) is not None:
                expr = compile_one(text, (*path, ident), self.compiler.move_envs[ident])
                if expr is not None:
                    result[ident] = expr
        return result

    def _chain(self, ident: str, section: Entry) -> list[str]:
        """Return a policy, the policy that it is based on, and so on."""
        chain = [ident]
        while "like" in section[chain[-1]]:
            path: DataPath = ("policies", chain[-1], "like")
            other = section[chain[-1]]["like"]
            if other not in section:
                if len(chain) == 1:
                    self.compiler.unknown("policy", other, section, path)
                break
            if other in chain:
                if other == ident:
                    message = Text("the policy `{name}` is like itself", name=ident)
                    self.tree.problem("endless", message, path)
                break
            chain.append(other)
        return chain

    # ------------------------------------------------------------ measures

    def measures(self) -> dict[str, m.Measure]:
        """Compile the measures."""
        compiler = self.compiler
        env = compiler.bind(compiler.env, {"me": Type("player")})
        result = {}
        for ident, data in compiler.data.get("measures", {}).items():
            path: DataPath = ("measures", ident)
            group = each = None
            if "group" in data:
                group = self._thing(data["group"], (*path, "group"), env, texts=True)
            if "each" in data:
                each = self._thing(data["each"], (*path, "each"), env, many=True)
            number = compiler.optional(data, "number", path, env, INT)
            moves = self._by_move(data.get("moves", {}), (*path, "moves"), self._thing)
            result[ident] = m.Measure(ident, data["title"], group, number, each, moves)
        return result

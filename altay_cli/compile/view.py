"""Compiles how a game looks: the sections of a ``view.yaml``.

Without maps, table and players in it, the zones are shown as they are declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from altay_cli.base.text import Text
from altay_cli.compile import model as m
from altay_cli.compile import view_model as v
from altay_cli.compile.grids import places_of
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.types import BOOL, INT, STRING, Type, list_of
from altay_cli.source.document import DataPath, Entry

if TYPE_CHECKING:
    from altay_cli.compile.compiler import Compiler

_PLAYER = Type("player")
_DYN = Type("dyn")


class ViewCompiler:
    """Compiles the section ``view`` of a tree; the moves must be compiled already."""

    def __init__(self, compiler: Compiler, moves: Iterable[m.MoveDef]) -> None:
        self.compiler = compiler
        self.tree = compiler.tree
        self.moves = {move.id: move for move in moves}

    def view(self) -> v.View:
        """Compile the whole of it."""
        data = self.tree.data.get("view", {})
        if data.keys().isdisjoint({"maps", "table", "player"}):
            data = {**data, **default_view(self.compiler.data, self.compiler.zones)}
        env = self.compiler.env
        mine = self.compiler.bind(env, {"me": _PLAYER})
        return v.View(
            tuple(
                self._map(ident, entry, ("view", "maps", ident))
                for ident, entry in data.get("maps", {}).items()
            ),
            self._fields(data.get("table", {}), ("view", "table"), env, owned=False),
            self._fields(data.get("player", {}), ("view", "player"), mine, owned=True),
            self._kinds(data.get("things", {})),
            dict(self._tellings(data.get("moves", {}))),
        )

    # ------------------------------------------------------------ what is shown

    def _fields(
        self, data: Entry, path: DataPath, env: Environment, *, owned: bool
    ) -> tuple[v.Field, ...]:
        return tuple(
            self._field(ident, entry, (*path, ident), env, owned=owned)
            for ident, entry in data.items()
        )

    def _field(
        self, ident: str, data: Entry, path: DataPath, env: Environment, *, owned: bool
    ) -> v.Field:
        compiler = self.compiler
        only_owner = data.get("seen") == "owner"
        if only_owner and not owned:
            message = "only what a player has is seen by its owner"
            self.tree.problem("view-owner", message, (*path, "seen"))
        when = compiler.optional(data, "when", path, env, BOOL)
        each, inner = compiler.each(data, path, env)
        return v.Field(
            ident,
            data["title"],
            data.get("cite", m.NOTHING),
            when,
            each,
            self._shown(data, "of", path, inner) if "of" in data else None,
            self._shown(data, "items", path, inner, several=True),
            compiler.optional(data, "splay", path, inner, STRING),
            compiler.optional(data, "unknown", path, inner, INT),
            only_owner,
            data.get("told", True),
            _look(data.get("look", m.NOTHING)),
        )

    def _shown(
        self,
        data: Entry,
        key: str,
        path: DataPath,
        env: Environment,
        *,
        several: bool = False,
    ) -> m.Expr:
        """Compile an expression whose value can be shown."""
        compiler = self.compiler
        checked = compiler.check(data[key], (*path, key), env)
        if checked is None:
            return compiler.expr("null", (*path, key), env)
        if not self._can_be_shown(checked.type, several=several):
            message = Text(
                "things, a number or a text can be shown, not {type}"
                if several
                else "a thing, a number or a text can be shown, not {type}",
                type=checked.type,
            )
            self.tree.problem("type", message, (*path, key))
        return compiler.register(checked, data[key])

    def _can_be_shown(self, kind: Type, *, several: bool) -> bool:
        if kind.name in {"bag", "pile", "list"}:
            inner = kind.args[0].name
            plain = inner in {"int", "string", "dyn", "nothing"}
            return several and (inner in self.compiler.kinds or plain)
        return kind.name in {*self.compiler.kinds, "int", "bool", "string", "dyn"}

    def _map(self, ident: str, data: Entry, path: DataPath) -> v.Map:
        compiler = self.compiler
        each, env = compiler.each(data, path, compiler.env)
        place = env.names[next(iter(data["each"]))].type
        if place.name not in {*compiler.kinds, "dyn"}:
            message: str = Text("the places of a map are things, not {type}", type=place)
            self.tree.problem("type", message, (*path, "each"))
        if each is None:
            each = (next(iter(data["each"])), compiler.expr("[]", (*path, "each"), env))
        frame, shape = data["frame"], data.get("shape", "circle")
        across, down = abs(frame["right"] - frame["left"]), abs(frame["bottom"] - frame["top"])
        if shape != "square" and not (across and down):
            message = "opposite edges of the map have one coordinate: it has no width or no height"
            self.tree.problem("view-frame", message, (*path, "frame"))
        if ("outline" in data) != (shape == "outline"):
            message = "`shape: outline` and `outline` go together"
            self.tree.problem(
                "view-frame", message, (*path, "outline" if "outline" in data else "shape")
            )
        square = shape == "square"
        return v.Map(
            ident,
            data["title"],
            data.get("cite", m.NOTHING),
            each,
            compiler.expr(data["x"], (*path, "x"), env, INT),
            compiler.expr(data["y"], (*path, "y"), env, INT),
            v.Frame(
                frame["left"],
                frame["right"],
                frame["top"],
                frame["bottom"],
                frame.get("width", across + square),
                frame.get("height", down + square),
            ),
            shape,
            compiler.optional(data, "outline", path, env, list_of(INT)),
            self._thing(data, "ground", path, env),
            compiler.optional(data, "edges", path, env, list_of(place)),
            self._fields(data["shows"], (*path, "shows"), env, owned=False),
        )

    def _thing(self, data: Entry, key: str, path: DataPath, env: Environment) -> m.Expr | None:
        """Compile an expression that gives a thing or nothing, if it is there."""
        if key not in data:
            return None
        compiler = self.compiler
        checked = compiler.check(data[key], (*path, key), env)
        if checked is None:
            return None
        if checked.type.name not in {*compiler.kinds, "dyn", "null_type"}:
            self.tree.problem(
                "type", Text("a thing is needed, not {type}", type=checked.type), (*path, key)
            )
            return None
        return compiler.register(checked, data[key])

    # ------------------------------------------------------------ things

    def _kinds(self, data: Entry) -> dict[str, v.Kind]:
        found = {
            kind: self._kind(kind, entry, ("view", "things", kind))
            for kind, entry in data.items()
            if self._is_kind(kind)
        }
        for kind in self.compiler.entities:
            cites = dict(self._cites(kind))
            if cites:
                found[kind] = found.get(kind, v.Kind())._replace(cites=cites)
        return found

    def _is_kind(self, kind: str) -> bool:
        if kind in self.compiler.kinds:
            return True
        self.compiler.unknown("kind", kind, self.compiler.kinds, ("view", "things", kind), key=True)
        return False

    def _cites(self, kind: str) -> Iterator[tuple[str, m.Cite]]:
        """Yield the things that have their own citation, copies included."""
        entries = self.tree.data.get("entities", {})
        for entity in self.compiler.entities[kind]:
            owner = entity if entity.parent is None else entity.parent
            entry = entries.get(owner.kind, {}).get(owner.id)
            if isinstance(entry, dict) and "cite" in entry:
                yield entity.id, entry["cite"]

    def _kind(self, kind: str, data: Entry, path: DataPath) -> v.Kind:
        compiler = self.compiler
        env = compiler.bind(compiler.env, {"it": Type(kind)})
        known = {entity.id for entity in compiler.entities.get(kind, ())}
        for ident in data.get("looks", {}):
            if ident not in known:
                compiler.unknown(kind, ident, known, (*path, "looks", ident), key=True)
        return v.Kind(
            {ident: _look(look) for ident, look in data.get("looks", {}).items()},
            self._thing(data, "as", path, env),
            compiler.message(data["sign"], (*path, "sign"), env) if "sign" in data else None,
            tuple(
                (
                    line["title"],
                    self._shown(line, "value", (*path, "tells", number), env, several=True),
                )
                for number, line in enumerate(data.get("tells", []))
            ),
            data.get("cite", m.NOTHING),
            seats=self._seats(kind, data, path),
        )

    def _seats(self, kind: str, data: Entry, path: DataPath) -> tuple[v.Look, ...]:
        if "seats" in data and kind != _PLAYER.name:
            message = "only players have seats"
            self.tree.problem("view-owner", message, (*path, "seats"))
        return tuple(map(_look, data.get("seats", ())))

    # ------------------------------------------------------------ moves

    def _tellings(self, data: Entry) -> Iterator[tuple[str, v.Telling]]:
        """Yield what there is to tell or to hide of each move."""
        for ident in data:
            if ident not in self.moves:
                path = ("view", "moves", ident)
                self.compiler.unknown("move", ident, self.moves, path, key=True)
        for ident, move in self.moves.items():
            telling = self._telling(move, data.get(ident, {}), ("view", "moves", ident))
            if telling.tells is not None or telling.hides:
                yield ident, telling

    def _telling(self, move: m.MoveDef, data: Entry, path: DataPath) -> v.Telling:
        ident = move.id
        # What chance brought, and what may be kept back, is hidden unless the view says otherwise.
        hides = data.get("hides")
        if hides is None:
            slots = move.slots.values()
            hides = [slot.name for slot in slots if slot.shape == "drawn" or slot.hidden]
        for number, name in enumerate(hides):
            if name not in move.slots:
                self.compiler.unknown("slot", name, move.slots, (*path, "hides", number))
        tells = None
        if "tells" in data:
            env = self.compiler.move_envs[ident]
            tells = self.compiler.message(data["tells"], (*path, "tells"), env)
        return v.Telling(tells, tuple(hides))


def _look(data: Entry) -> v.Look:
    return v.Look(data.get("colour"), data.get("shape"), data.get("sign"))


# ---------------------------------------------------------------- without a view.yaml


MAX_ROW = 12
"""How many places are drawn in a row, where rules say nothing of how they lie."""


def default_view(rules: Entry, zones: Iterable[m.Zone]) -> dict[str, Any]:
    """Return the view of rules that define none: the zones, with their titles.

    A kind whose things are the places of a grid is a map, with the zones that its places have.
    Zones of a player stand with the players, all others on the table; what is hidden is shown as a
    number, and a mark while it is set. Zones of a single turn, those per several kinds and those
    that tell how far the game is (`status`) are left out.
    """
    table: dict[str, object] = {}
    player: dict[str, object] = {}
    kinds_of = rules.get("kinds", {})
    grids = {kind: _grid(rules, kind) for kind, entry in kinds_of.items() if "grid" in entry}
    if not grids:  # a few places without a grid lie in a row
        things = rules.get("entities", {})
        few = {kind: len(things.get(kind, ())) for kind in kinds_of}
        grids = {kind: _row(rules, kind, few[kind]) for kind in few if 0 < few[kind] <= MAX_ROW}
    told = set(rules.get("status", {}).values())
    for zone in zones:
        if zone.name in told:
            continue
        kinds = [kind for kind in zone.per if kind != "player"]
        owned = len(kinds) < len(zone.per)
        if zone.lifetime != "game" or "." in zone.name:
            continue
        if len(kinds) > 1 or len(zone.per) - len(kinds) > 1:
            continue
        place = "".join(f"[{'me' if kind == 'player' else 'x'}]" for kind in zone.per)
        hidden = rules["zones"][zone.name].get("hidden") is not None
        field: dict[str, Any] = {"title": zone.title, "items": f"{zone.name}{place}"}
        if zone.shape == "bool":
            field.update(when=field["items"], look={"sign": zone.title[:1].upper()})
        if hidden and not owned:
            field["items"] += ".size()"
        elif hidden:
            field["seen"] = "owner"
        if kinds and kinds[0] in grids and not owned:
            if zone.shape == "int":
                field["when"] = f"{field['items']} != 0"
            grids[kinds[0]]["shows"][zone.name] = field
            continue
        if kinds:
            of_all = rules["kinds"][kinds[0]]["plural"]
            marked = field.pop("when", None)
            field["each"] = {"x": f"{of_all}.filter(x, {marked})" if marked else of_all}
            field["of"] = "x"
        (player if owned else table)[zone.name] = field
    maps = {kind: grid for kind, grid in grids.items() if grid["shows"]}
    return {"maps": maps, "table": table, "player": player}


def _row(rules: Entry, kind: str, count: int) -> dict[str, Any]:
    """Return the map of places that lie beside each other; what they show is missing."""
    plural = rules["kinds"][kind]["plural"]
    return {
        "title": rules["title"],
        "each": {"x": plural},
        "x": f"{plural}.takeWhile(y, y != x).size() + 1",
        "y": "1",
        "frame": {"left": 1, "right": count, "top": 1, "bottom": 1},
        "shape": "square",
        "shows": {},
    }


def _grid(rules: Entry, kind: str) -> dict[str, Any]:
    """Return the map of a grid, its first row at the bottom; what its places show is missing."""
    entry = rules["kinds"][kind]
    *_, (_, columns, rows) = [
        ("", 1, 1),  # of a grid without places something else is told
        *places_of(entry["grid"]["columns"], entry["grid"]["rows"]),
    ]
    return {
        "title": rules["title"],
        "each": {"x": entry["plural"]},
        "x": "x.column",
        "y": "x.row",
        "frame": {"left": 1, "right": columns, "top": rows, "bottom": 1},
        "shape": "square",
        "shows": {},
    }

"""Compiles how a game looks: the sections of a ``view.yaml``.

Without maps, table and players in it, the zones are shown as they are declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from altay_cli.base.text import Text
from altay_cli.compile import model as m
from altay_cli.compile import view_model as v
from altay_cli.compile.context import A_THING, PLAYER, Context, bind
from altay_cli.compile.grids import places_of
from altay_cli.compile.texts import optional_message
from altay_cli.expressions.environment import Environment
from altay_cli.expressions.types import BOOL, INT, STRING, Type, list_of
from altay_cli.source.document import DataPath, Entry


def view(c: Context, moves: Mapping[str, m.MoveDef]) -> v.View:
    """Compile the section ``view``."""
    data = c.section("view")
    if data.keys().isdisjoint({"maps", "table", "player"}):
        data = {**data, **default_view(c.data, c.zones)}
    mine = bind(c.env, {"me": PLAYER})
    return v.View(
        tuple(
            _map(c, ident, entry, ("view", "maps", ident))
            for ident, entry in data.get("maps", {}).items()
        ),
        _fields(c, data.get("table", {}), ("view", "table"), c.env),
        _fields(c, data.get("player", {}), ("view", "player"), mine, owned=True),
        _kinds(c, data.get("things", {})),
        dict(_tellings(c, moves, data.get("moves", {}))),
    )


# ---------------------------------------------------------------- what is shown


def _fields(
    c: Context, data: Entry, path: DataPath, env: Environment, *, owned: bool = False
) -> tuple[v.Field, ...]:
    return tuple(
        _field(c, ident, entry, (*path, ident), env, owned=owned) for ident, entry in data.items()
    )


def _field(
    c: Context, ident: str, data: Entry, path: DataPath, env: Environment, *, owned: bool
) -> v.Field:
    only_owner = data.get("seen") == "owner"
    if only_owner and not owned:
        message = "only what a player has is seen by its owner"
        c.problem("view-owner", message, (*path, "seen"))
    when = c.optional(data, "when", path, env, BOOL)
    each, inner = c.each(data, path, env)
    return v.Field(
        ident,
        data["title"],
        data.get("cite", m.NOTHING),
        when,
        each,
        _shown(c, data["of"], (*path, "of"), inner) if "of" in data else None,
        _shown(c, data["items"], (*path, "items"), inner, several=True),
        c.optional(data, "splay", path, inner, STRING),
        c.optional(data, "unknown", path, inner, INT),
        only_owner,
        data.get("told", True),
        _look(data.get("look", m.NOTHING)),
    )


def _shown(
    c: Context, text: object, path: DataPath, env: Environment, *, several: bool = False
) -> m.Expr:
    """Compile an expression whose value can be shown."""

    def fits(kind: Type) -> bool:
        if kind.name in {"bag", "pile", "list"}:
            inner = kind.args[0].name
            return several and inner in {*c.kinds, "int", "string", "dyn", "nothing"}
        return kind.name in {*c.kinds, "int", "bool", "string", "dyn"}

    wrong = "a thing, a number or a text can be shown, not {type}"
    if several:
        wrong = "things, a number or a text can be shown, not {type}"
    return c.register(c.fitting(text, path, env, fits, wrong), text)


def _thing(c: Context, data: Entry, key: str, path: DataPath, env: Environment) -> m.Expr | None:
    """Compile an expression that gives a thing or nothing, if it is there."""
    if key not in data:
        return None
    kinds = {*c.kinds, "dyn", "null_type"}
    return c.fitted(data[key], (*path, key), env, lambda kind: kind.name in kinds, A_THING)


def _map(c: Context, ident: str, data: Entry, path: DataPath) -> v.Map:
    each, env = c.each(data, path, c.env)
    name = next(iter(data["each"]))
    place = env.names[name].type
    if place.name not in {*c.kinds, "dyn"}:
        not_things = Text("the places of a map are things, not {type}", type=place)
        c.problem("type", not_things, (*path, "each"))
    frame, shape = data["frame"], data.get("shape", "circle")
    across, down = abs(frame["right"] - frame["left"]), abs(frame["bottom"] - frame["top"])
    square = shape == "square"
    if not square and not (across and down):
        message = "opposite edges of the map have one coordinate: it has no width or no height"
        c.problem("view-frame", message, (*path, "frame"))
    if ("outline" in data) != (shape == "outline"):
        message = "`shape: outline` and `outline` go together"
        c.problem("view-frame", message, (*path, "outline" if "outline" in data else "shape"))
    return v.Map(
        ident,
        data["title"],
        data.get("cite", m.NOTHING),
        each or (name, c.expr("[]", (*path, "each"), env)),
        c.expr(data["x"], (*path, "x"), env, INT),
        c.expr(data["y"], (*path, "y"), env, INT),
        v.MapFrame(
            frame["left"],
            frame["right"],
            frame["top"],
            frame["bottom"],
            frame.get("width", across + square),
            frame.get("height", down + square),
        ),
        shape,
        c.optional(data, "outline", path, env, list_of(INT)),
        _thing(c, data, "ground", path, env),
        c.optional(data, "edges", path, env, list_of(place)),
        _fields(c, data["shows"], (*path, "shows"), env),
    )


# ---------------------------------------------------------------- things


def _kinds(c: Context, data: Entry) -> dict[str, v.KindLooks]:
    found = {}
    for kind, entry in data.items():
        path = ("view", "things", kind)
        if kind in c.kinds:
            found[kind] = _kind(c, kind, entry, path)
        else:
            c.unknown("kind", kind, c.kinds, path, key=True)
    for kind in c.entities:
        cites = dict(_cites(c, kind))
        if cites:
            found[kind] = found.get(kind, v.KindLooks())._replace(cites=cites)
    return found


def _cites(c: Context, kind: str) -> Iterator[tuple[str, m.Cite]]:
    """Yield the things that have their own citation, copies included."""
    entries = c.section("entities")
    for entity in c.entities[kind]:
        owner = entity if entity.parent is None else entity.parent
        entry = entries.get(owner.kind, {}).get(owner.id)
        if isinstance(entry, dict) and "cite" in entry:
            yield entity.id, entry["cite"]


def _kind(c: Context, kind: str, data: Entry, path: DataPath) -> v.KindLooks:
    env = bind(c.env, {"it": Type(kind)})
    known = {entity.id for entity in c.entities.get(kind, ())}
    for ident in data.get("looks", {}):
        if ident not in known:
            c.unknown(kind, ident, known, (*path, "looks", ident), key=True)
    if "seats" in data and kind != PLAYER.name:
        c.problem("view-owner", "only players have seats", (*path, "seats"))
    return v.KindLooks(
        {ident: _look(look) for ident, look in data.get("looks", {}).items()},
        _thing(c, data, "as", path, env),
        optional_message(c, data, "sign", path, env),
        tuple(
            (
                line["title"],
                _shown(c, line["value"], (*path, "tells", n, "value"), env, several=True),
            )
            for n, line in enumerate(data.get("tells", []))
        ),
        data.get("cite", m.NOTHING),
        seats=tuple(map(_look, data.get("seats", ()))),
    )


def _look(data: Entry) -> v.Look:
    return v.Look(data.get("colour"), data.get("shape"), data.get("sign"))


# ---------------------------------------------------------------- moves


def _tellings(
    c: Context, moves: Mapping[str, m.MoveDef], data: Entry
) -> Iterator[tuple[str, v.Telling]]:
    """Yield what there is to tell or to hide of each move."""
    for ident in data:
        if ident not in moves:
            c.unknown("move", ident, moves, ("view", "moves", ident), key=True)
    for ident, move in moves.items():
        path = ("view", "moves", ident)
        entry = data.get(ident, {})
        # What chance brought, and what may be kept back, is hidden unless the view says otherwise.
        hides = entry.get("hides")
        if hides is None:
            slots = move.slots.values()
            hides = [slot.name for slot in slots if slot.shape == "drawn" or slot.hidden]
        for number, name in enumerate(hides):
            if name not in move.slots:
                c.unknown("slot", name, move.slots, (*path, "hides", number))
        tells = optional_message(c, entry, "tells", path, c.move_envs[ident])
        if tells is not None or hides:
            yield ident, v.Telling(tells, tuple(hides))


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

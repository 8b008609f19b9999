"""Compile the sections of a ``view.yaml``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from altay_cli.compile import limits
from altay_cli.compile.context import A_THING, Clause, Context
from altay_cli.compile.vocabulary import PLAYER
from altay_cli.expressions.types import BOOL, INT, STRING, Type, list_of
from altay_cli.pack import model as m
from altay_cli.pack.functions import places_of
from altay_cli.pack.looks import (
    CardFace,
    EffectsShown,
    Field,
    KindLooks,
    Look,
    Map,
    MapFrame,
    MoveArrow,
    MoveText,
    PieceLook,
    View,
)
from altay_cli.source.document import Entry

STYLES = {"square": ("checkered", "lined", "holes"), "circle": ("points", "pits")}
"""The styles of boards by the shape of their places."""


def view(c: Context, moves: Mapping[str, m.MoveDef]) -> View:
    """Compile the section ``view``."""
    clause = c.part("view")
    if clause.data.keys().isdisjoint({"maps", "table", "player"}):
        default = default_view(c.data, c.zones)
        for chart in default["maps"].values():
            _style_grid(chart, **clause.get("grid", m.NOTHING))
        clause = clause.with_data({**clause.data, **default})
    return View(
        tuple(_map(ident, part) for ident, part in clause.parts("maps")),
        tuple(_fields(clause, "table")),
        tuple(_fields(clause.with_names({"me": PLAYER}), "player")),
        _kinds(clause),
        dict(_move_texts(clause, moves)),
        clause.get("icons", m.NOTHING),
    )


def _fields(fields: Clause, key: str) -> Iterator[Field]:
    for ident, clause in fields.parts(key):
        when = clause.optional("when", BOOL)
        each, inner = clause.each()
        items = _shown(inner["items"], several=True)
        seen, until = _seen(clause, items, key)
        yield Field(
            ident,
            clause.data["title"],
            clause.c.citation(clause.get("cite", m.NOTHING)),
            when,
            each,
            _shown(inner["of"]) if "of" in clause else None,
            items,
            inner.optional("splay", STRING),
            inner.optional("unknown", INT),
            seen,
            until,
            clause.get("told", True),
            _look(clause.under("look"), "square"),
            clause.get("role", ""),
            PieceLook(**clause.get("piece", m.NOTHING)),
        )


def _seen(clause: Clause, items: m.Expr, key: str) -> tuple[str, m.Expr | None]:
    """Return who sees a field, and until when; by default, as its zone says."""
    c = clause.c
    place = clause
    if "seen" not in clause:
        read = c.zone_read(c.checked[items.key].tree)
        if read is None:
            return "all", None
        place = replace(c.part("zones", read.zone.name), env=clause.env)
    seen: str = place.get("seen", "all")
    if seen in ("owner", "others") and key != "player":
        place["seen"].problem("view-owner", "only what a player has is seen by its owner")
    return seen, place.optional("until", BOOL)


def _shown(clause: Clause, *, several: bool = False) -> m.Expr:
    single = {*clause.c.kinds, "int", "string", "dyn"}

    def fits(kind: Type) -> bool:
        if kind.name in {"bag", "pile", "list"}:
            return several and kind.args[0].name in {*single, "nothing"}
        return kind.name in {*single, "bool"}

    wrong = "a thing, a number or a text can be shown, not {type}"
    if several:
        wrong = "things, a number or a text can be shown, not {type}"
    return clause.fitted(fits, wrong)


def _entity_expr(clause: Clause, key: str) -> m.Expr | None:
    return _entity(clause[key]) if key in clause else None


def _entity(clause: Clause) -> m.Expr:
    kinds = {*clause.c.kinds, "dyn", "null_type"}
    return clause.fitted(lambda kind: kind.name in kinds, A_THING)


def _map(ident: str, clause: Clause) -> Map:
    (each,), inner = clause.lists("each")
    place = inner.env.names[each[0]].type
    if place.name not in {*clause.c.kinds, "dyn"}:
        clause["each"].problem("type", "the places of a map are things, not {type}", type=place)
    frame, shape = clause.data["frame"], clause.get("shape", "circle")
    across, down = abs(frame["right"] - frame["left"]), abs(frame["bottom"] - frame["top"])
    square = shape == "square"
    if not square and not (across and down):
        flat = "opposite edges of the map have one coordinate: it has no width or no height"
        clause["frame"].problem("view-frame", flat)
    if ("outline" in clause) != (shape in {"outline", "land"}):
        wrong = "`shape: outline` or `shape: land` and `outline` go together"
        clause["outline" if "outline" in clause else "shape"].problem("view-frame", wrong)
    style = clause.get("style", "")
    if style and style not in STYLES.get(shape, ()):
        wrong = "places of `shape: {shape}` are not drawn as `style: {style}`"
        clause["style"].problem("view-frame", wrong, shape=shape, style=style)
    if "tall" in clause and style != "pits":
        clause["tall"].problem("view-frame", "only places of `style: pits` are drawn tall")
    shows, owner = tuple(_fields(inner, "shows")), clause.get("owner", "")
    if owner:
        of = {field.id: field.of for field in shows}
        if owner not in of:
            clause["owner"].unknown("field", of)
        elif of[owner] is None:
            clause["owner"].problem("view-owner", "the field of an owner has a player in `of`")
    return Map(
        ident,
        clause.data["title"],
        each,
        inner["x"].expr(INT),
        inner["y"].expr(INT),
        MapFrame(**{"width": across + square, "height": down + square, **frame}),
        shape,
        inner.optional("outline", list_of(INT)),
        _entity_expr(inner, "ground"),
        inner.optional("edges", list_of(place)),
        shows,
        clause.get("scale", 1),
        clause.optional("scenery", list_of(place)),
        owner,
        style,
        tuple(clause.get("colours", ())),
        inner.optional("tall", BOOL),
    )


def _kinds(clause: Clause) -> dict[str, KindLooks]:
    c = clause.c
    looks = {}
    for kind, part in clause.parts("things"):
        if kind in c.kinds:
            looks[kind] = _kind(kind, part)
        else:
            part.unknown("kind", c.kinds, key=True)
    for kind, entities in c.entities.items():
        cites = {}
        for entity in entities:
            # A copy has the position of its original.
            owner = entity.parent or entity
            entry = c.section("entities", owner.kind, owner.id)
            if isinstance(entry, dict) and "cite" in entry:
                cites[entity.id] = c.citation(entry["cite"])
        if cites:
            looks[kind] = looks.get(kind, KindLooks())._replace(cites=cites)
    return looks


def _kind(kind: str, clause: Clause) -> KindLooks:
    inner = clause.with_names({"it": Type(kind)})
    known = {entity.id for entity in clause.c.entities.get(kind, ())}
    looks = {}
    for ident, part in clause.parts("looks"):
        looks[ident] = _look(part)
        if ident not in known:
            part.unknown(kind, known, key=True)
    if "seats" in clause and kind != PLAYER.name:
        clause["seats"].problem("view-owner", "only players have seats")
    return KindLooks(
        looks,
        _entity_expr(inner, "as"),
        inner.optional_message("sign"),
        tuple(
            (line.data["title"], _shown(line["value"], several=True))
            for _, line in inner.parts("tells")
        ),
        clause.c.citation(clause.get("cite", m.NOTHING)),
        seats=tuple(_look(part) for _, part in clause.parts("seats")),
        face=_face(inner["face"]) if "face" in inner else None,
        badge=_entity_expr(inner, "badge"),
    )


def _face(clause: Clause) -> CardFace:
    return CardFace(
        _optional_shown(clause, "cost"),
        _optional_shown(clause, "corner"),
        _effects_shown(clause["effects"]) if "effects" in clause else None,
    )


def _effects_shown(clause: Clause) -> EffectsShown:
    each, inner = clause.each()
    return EffectsShown(
        each,
        inner["text"].expr(STRING),
        inner.optional("icon", STRING),
        _optional_shown(inner, "uses"),
        _optional_shown(inner, "gives"),
        inner.optional("amount", INT),
    )


def _optional_shown(clause: Clause, key: str) -> m.Expr | None:
    return _shown(clause[key], several=True) if key in clause else None


def _look(clause: Clause, shape: str = "") -> Look:
    look = clause.data or m.NOTHING
    icon = look.get("icon", "")
    known = clause.c.part("view").get("icons", m.NOTHING)
    if icon and icon not in known:
        clause["icon"].unknown("icon", known)
    return Look(
        look.get("colour"),
        look.get("shape", shape),
        look.get("sign", ""),
        icon,
        look.get("texture", ""),
    )


def _move_texts(clause: Clause, moves: Mapping[str, m.MoveDef]) -> Iterator[tuple[str, MoveText]]:
    for ident, part in clause.parts("moves"):
        if ident not in moves:
            part.unknown("move", moves, key=True)
    for ident, move in moves.items():
        part = clause.under("moves").under(ident)
        hidden = [s.name for s in move.slots.values() if s.shape == "drawn" or s.hidden]
        hides = part.get("hides", hidden)
        for _, name in part.parts("hides"):
            if name.data not in move.slots:
                name.unknown("slot", move.slots)
        part = replace(part, env=clause.c.move_envs[ident])
        text, is_open = part.optional_message("tells"), part.optional("open", BOOL)
        arrow = _arrow(part["arrow"]) if "arrow" in part else None
        seen, until = part.get("seen", "owner"), part.optional("until", BOOL)
        if text is not None or hides or arrow is not None:
            yield ident, MoveText(text, tuple(hides), is_open, arrow, seen, until)


def _arrow(clause: Clause) -> MoveArrow:
    start, end = _entity(clause["from"]), _entity(clause["to"])
    return MoveArrow(start, end, clause.optional_message("label"))


def default_view(rules: Entry, zones: Iterable[m.Zone]) -> dict[str, Any]:
    """Return the view of rules without one: the zones, with their titles.

    A grid becomes a map, hidden contents a number. Zones of a single turn, of several kinds, and
    for the progress of the game (`status`) are omitted.
    """
    table: dict[str, object] = {}
    player: dict[str, object] = {}
    maps = _grid_maps(rules)
    known = {*rules["kinds"], "player", ""}
    of_status = set(rules.get("status", {}).values())
    for zone in zones:
        kinds = [kind for kind in zone.per if kind != "player"]
        owned = len(kinds) < len(zone.per)
        if (
            zone.name in of_status
            or zone.lifetime != "game"
            or "." in zone.name
            or len(kinds) > 1
            or len(zone.per) - len(kinds) > 1
            or not {*kinds, zone.kind} <= known  # reported for the zone
        ):
            continue
        place = "".join(f"[{'me' if kind == 'player' else 'x'}]" for kind in zone.per)
        declared = rules["zones"][zone.name]
        hidden = declared.get("hidden") is not None
        field: dict[str, Any] = {"title": zone.title, "items": f"{zone.name}{place}"}
        if zone.shape == "bool":
            field.update(when=field["items"], look={"sign": zone.title[:1].upper()})
        if hidden and not owned:
            field["items"] += ".size()"
        elif hidden and "seen" not in declared:
            field["seen"] = "owner"
        if kinds and kinds[0] in maps and not owned:
            if zone.shape == "int":
                field["when"] = f"{field['items']} != 0"
            maps[kinds[0]]["shows"][zone.name] = field
            continue
        if kinds:
            of_all = rules["kinds"][kinds[0]]["plural"]
            marked = field.pop("when", None)
            field["each"] = {"x": f"{of_all}.filter(x, {marked})" if marked else of_all}
            field["of"] = "x"
        (player if owned else table)[zone.name] = field
    showing = {kind: squares for kind, squares in maps.items() if squares["shows"]}
    return {"maps": showing, "table": table, "player": player}


def _style_grid(
    chart: dict[str, Any], *, rows: str = "up", piece: Entry = m.NOTHING, **style: object
) -> None:
    frame = chart["frame"]
    if rows == "down":
        frame["top"], frame["bottom"] = frame["bottom"], frame["top"]
    for field in chart["shows"].values():
        field["piece"] = piece
    chart.update(style)


def _grid_maps(rules: Entry) -> dict[str, dict[str, Any]]:
    """Return maps of the grids, or of short kinds in a row.

    The first row is at the bottom.
    """
    layouts: dict[str, tuple[str, str, int, int]] = {}
    for kind, entry in rules["kinds"].items():
        if "grid" in entry:
            places = [("", 1, 1), *places_of(entry["grid"]["columns"], entry["grid"]["rows"])]
            layouts[kind] = "x.column", "x.row", *places[-1][1:]
    things = rules.get("entities", {})
    for kind, entry in () if layouts else rules["kinds"].items():
        count, plural = len(things.get(kind, ())), entry["plural"]
        if 0 < count <= limits.MAX_ROW:
            layouts[kind] = f"{plural}.takeWhile(y, y != x).size() + 1", "1", count, 1
    return {
        kind: {
            "title": rules["title"],
            "each": {"x": rules["kinds"][kind]["plural"]},
            "x": x,
            "y": y,
            "frame": {"left": 1, "right": columns, "top": rows, "bottom": 1},
            "shape": "square",
            "shows": {},
        }
        for kind, (x, y, columns, rows) in layouts.items()
    }

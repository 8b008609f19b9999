"""Build the entities of a game, and check them against their kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altay_cli.base.findings import Text, did_you_mean, there_is_no
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.context import Clause, Context
from altay_cli.pack import limits as pack_limits
from altay_cli.pack.functions import places_of
from altay_cli.source.document import DataPath, Entry

_NOTES = frozenset({"cite", "source", "ruling", "title"})

_PLAIN: dict[str, tuple[type, str, int | str]] = {
    "int": (int, "a whole number", 0),
    "bool": (bool, "true or false", False),
    "string": (str, "a text", ""),
}
"""By type: its Python class, name in messages, and default."""


Formula = tuple[Entity, str, DataPath | None]
"""A field with an expression or effects; no path if empty."""


def build_entities(c: Context) -> tuple[dict[str, tuple[Entity, ...]], list[Formula]]:
    """Build all entities by kind; return them and their formulas."""
    for _, kind in c.parts("kinds"):
        _check_kind(kind)
    builder = _EntityBuilder(c)
    builder.build()
    return {kind: tuple(table.values()) for kind, table in builder.things.items()}, builder.formulas


def _check_kind(kind: Clause) -> None:
    name = str(kind.path[-1])
    fields: dict[str, str] = kind.get("fields", {})

    def is_field(part: Clause, *, key: bool = False) -> bool:
        field = str(part.path[-1] if key else part.data)
        if field not in fields:
            near = did_you_mean(field, fields, "fields: {names}")
            part.problem("unknown-field", "there is no field `{name}`", *near, key=key, name=field)
        return field in fields

    for _, part in kind.parts("fields"):
        if not part.data.startswith("formula("):
            part.as_type()
    for section in ("defaults", "enums", "children"):
        for _, part in kind.parts(section):
            is_field(part, key=True)
    for _, part in kind.parts("symmetric"):
        if is_field(part) and fields[part.data] not in _symmetric_types(name):
            first, second, third = _symmetric_types(name)
            template = "what holds both ways is a `{kind}`, a `{kind2}` or a `{kind3}`"
            part.problem("type", template, kind=first, kind2=second, kind3=third)
    lists = {f"list({other})" for other in kind.c.kinds}
    filled = kind.under("filled_by")
    if filled.data and is_field(filled) and fields[filled.data] not in lists:
        filled.problem("type", "what a thing can be filled with is a list of things of one kind")
    if "qualifier" in kind:
        is_field(kind["qualifier"])
    declared = kind.c.section("kinds")
    for _, child in kind.parts("children"):
        if child.data not in declared:
            child.unknown("kind", ())
        elif declared[child.data].get("parent") != name:
            template = "the kind `{child}` does not say `{parent}`"
            child.problem("type", template, child=child.data, parent=f"parent: {name}")


def _symmetric_types(kind: str) -> tuple[str, str, str]:
    return kind, f"{kind}?", f"list({kind})"


class _EntityBuilder:
    def __init__(self, c: Context) -> None:
        self.c = c
        self.declared = c.section("kinds")
        self.things: dict[str, dict[str, Entity]] = {kind: {} for kind in self.declared}
        self.records = 0
        self.formulas: list[Formula] = []
        self._values: dict[DataPath, Any] = {}

    def build(self) -> None:
        # Entities refer to each other.
        for kind, table in self.c.parts("entities"):
            if kind not in self.declared:
                first = table.under(next(iter(table.data), ""))
                near = did_you_mean(kind, self.declared)
                first.problem("unknown-kind", there_is_no("kind", kind), *near, key=True)
                continue
            self.things[kind] = {
                ident: Entity(kind, ident, n) for n, ident in enumerate(table.data)
            }
        grids = {kind: entry["grid"] for kind, entry in self.c.parts("kinds") if "grid" in entry}
        for kind, grid in grids.items():
            self._grid_squares(kind, grid)
        for kind in self.declared:
            self._nested_entities(kind)
        for kind, things in self.things.items():
            entries = dict(self.c.part("entities", kind).each_part())
            for ident, entry in entries.items():
                if ident in things:
                    self._fill_fields(things[ident], entry)
            for ident, place in things.items() if kind in grids else ():
                if ident not in entries:
                    self._fill_fields(place, grids[kind].with_data(None))
        self._check_symmetry()

    def _grid_squares(self, kind: str, grid: Clause) -> None:
        columns, rows = grid.data["columns"], grid.data["rows"]
        places = list(places_of(columns, rows))
        if not 0 < len(places) <= pack_limits.MAX_PLACES:
            template, count = "a grid has 1 to {most} places, not {count}", f"{len(places):,}"
            grid.problem("grid-size", template, most=f"{pack_limits.MAX_PLACES:,}", count=count)
            return
        declared = self.things[kind]
        self.things[kind] = {name: Entity(kind, name, n) for n, (name, _, _) in enumerate(places)}
        for ident in [name for name in declared if name not in self.things[kind]]:
            wrong, at = "`{name}` is not a place of the grid {grid}", ("entities", kind, ident)
            self.c.problem("grid-place", wrong, at, key=True, name=ident, grid=f"{columns}, {rows}")

    def _nested_entities(self, kind: str) -> None:
        for field, child in self.declared[kind].get("children", {}).items():
            parents = self.c.part("entities", kind) if child in self.declared else None
            for ident, entry in parents.each_part() if parents else ():
                inside = entry.under(field)
                for data in inside.data if isinstance(inside.data, list) else []:
                    name = self._child_id(ident, child, data if isinstance(data, dict) else {})
                    if name in self.things[child]:
                        inside.problem("defined-twice", "two kinds of copy `{name}`", name=name)
                    self.things[child][name] = Entity(child, name, len(self.things[child]))

    def _child_id(self, parent: str, child: str, entry: Entry) -> str:
        mark = entry.get(self.declared[child].get("qualifier"), 0)
        return f"{parent}_{mark}" if mark else parent

    def _fill_fields(self, thing: Entity, entry: Clause) -> None:
        kind = self.declared[thing.kind]
        fields: dict[str, str] = kind.get("fields", {})
        children, enums = kind.get("children", {}), kind.get("enums", {})
        entry = entry.with_data(entry.data or {})
        for key, part in entry.each_part():
            if key not in fields and key not in _NOTES:
                near = did_you_mean(key, [*fields, *_NOTES])
                near = near or (Text("fields: {names}", names=tuple(fields)),)
                wrong, title = "a {kind} has no `{field}`", kind["title"]
                part.problem("unknown-field", wrong, *near, key=True, kind=title, field=key)
        ruling = entry.get("ruling")
        if ruling is not None and ruling not in self.c.section("rulings"):
            entry["ruling"].unknown("ruling", ())
        defaults = self.c.part("kinds", thing.kind, "defaults")
        for field, text in fields.items():
            if field in children:
                thing.f[field] = self._fill_children(thing, children[field], entry.under(field))
                continue
            part = entry[field] if field in entry else defaults.under(field)
            if field in entry or field in defaults:
                if part.path not in self._values:
                    self._values[part.path] = self._read_value(part, text, enums.get(field))
                value = self._values[part.path]
            else:
                value = _default_value(text)
            thing.f[field] = value
            if text == "effects" or text.startswith("formula("):
                self.formulas.append((thing, field, None if value is None else part.path))

    def _fill_children(self, parent: Entity, child: str, part: Clause) -> list[Entity]:
        if child not in self.declared:
            return []
        part = part.with_data(part.data or [])
        are_fields = isinstance(part.data, list) and all(
            isinstance(item, dict) for item in part.data
        )
        if not are_fields:
            return list(
                _report_wrong_type(
                    part, Text("a list with the fields of each {kind}", kind=child), ()
                )
            )
        children = []
        for _, entry in part.each_part():
            thing = self.things[child][self._child_id(parent.id, child, entry.data)]
            self._fill_fields(thing, entry)
            thing.f[self.declared[child].get("parent", parent.kind)] = parent
            thing.parent = parent
            children.append(thing)
        if not children:
            wrong, (*above, field) = "at least one of the `{field}` is needed", part.path
            self.c.problem("missing-field", wrong, tuple(above), key=True, field=field)
        return children

    def _read_value(self, part: Clause, text: str, allowed: Sequence[str] | None) -> Any:
        if text in _PLAIN:
            plain, wanted, empty = _PLAIN[text]
            if not isinstance(part.data, plain) or (text == "int" and isinstance(part.data, bool)):
                return _report_wrong_type(part, wanted, empty)
            if isinstance(part.data, str) and allowed is not None and part.data not in allowed:
                near = did_you_mean(part.data, allowed, "one of {names}")
                wrong = "`{value}` is not possible here"
                part.problem("field-value", wrong, *near, value=part.data)
            return part.data
        outer, _, inner = text.removesuffix(")").partition("(")
        match outer:
            case "effects":
                return part.data
            case "formula":
                return (
                    part.data
                    if isinstance(part.data, str)
                    else _report_wrong_type(part, "an expression")
                )
            case "bag":
                return self._bag(part, inner)
            case "list" if not isinstance(part.data, list):
                return _report_wrong_type(part, "a list", [])
            case "list":
                items = [self._read_value(item, inner, allowed) for _, item in part.each_part()]
                return [item for item in items if item is not None]
        return self._reference(part, text.removesuffix("?"))

    def _bag(self, part: Clause, kind: str) -> Bag:
        bag = Bag()
        if isinstance(part.data, list):
            for _, item in part.each_part():
                thing = self._reference(item, kind)
                if thing is not None:
                    bag[thing] = bag.get(thing, 0) + 1
        elif isinstance(part.data, dict):
            for ident, count in part.each_part():
                thing = self._reference(count.with_data(ident), kind)
                if not isinstance(count.data, int) or not 0 < count.data <= pack_limits.MAX_COUNT:
                    _report_wrong_type(count, "a number of things from 1")
                elif thing is not None:
                    bag[thing] = count.data
        else:
            _report_wrong_type(part, "a list, or a number for each")
        return bag

    def _reference(self, part: Clause, kind: str) -> Entity | None:
        declared = self.declared.get(kind)
        if declared is None:
            return None
        title = declared["title"]
        if declared.get("record"):
            if not isinstance(part.data, dict):
                _report_wrong_type(part, Text("the fields of a {kind}", kind=title))
                return None
            self.records += 1
            record = Entity(kind, f"{kind}_{self.records}", self.records)
            self._fill_fields(record, part)
            return record
        thing = self.things[kind].get(part.data) if isinstance(part.data, str) else None
        if thing is None:
            wrong = "there is no {kind} `{name}`"
            near = did_you_mean(str(part.data), self.things[kind])
            part.problem(f"unknown-{kind}", wrong, *near, kind=title, name=part.data)
        return thing

    def _check_symmetry(self) -> None:
        symmetric = [
            (field, thing)
            for kind, entry in self.declared.items()
            for field in entry.get("symmetric", [])
            if entry.get("fields", {}).get(field) in _symmetric_types(kind)
            for thing in self.things[kind].values()
        ]
        for field, thing in symmetric:
            path: DataPath = ("entities", thing.kind, thing.id, field)
            is_list = isinstance(thing.f[field], list)
            for number, other in enumerate(_entities_in(thing.f[field])):
                if thing not in _entities_in(other.f[field]):
                    wrong = "{one} names {other} as {field}, but {other2} does not name {one2}"
                    at = (*path, number) if is_list else path
                    names: dict[str, Any] = {"one": thing.id, "other": other.id}
                    names |= {"one2": thing.id, "other2": other.id, "field": field}
                    self.c.problem("one-sided", wrong, at, **names)


def _default_value(text: str) -> object:
    if text in _PLAIN:
        return _PLAIN[text][2]
    return Bag() if text.startswith("bag(") else [] if text.startswith("list(") else None


def _report_wrong_type(part: Clause, wanted: str, instead: Any = None) -> Any:
    wrong = "{wanted} is needed, not {type}"
    part.problem("field-type", wrong, wanted=wanted, type=f"`{part.data}`")
    return instead


def _entities_in(value: Any) -> list[Entity]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]

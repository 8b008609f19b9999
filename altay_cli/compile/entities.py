"""The things of a game, built from the entries of its files and checked against their kinds."""

from __future__ import annotations

from typing import Any, NamedTuple

from altay_cli.base.suggest import did_you_mean
from altay_cli.base.text import Text
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.clause import Clause, clauses
from altay_cli.compile.context import Context
from altay_cli.pack.grids import MAX_PLACES, places_of
from altay_cli.source.document import DataPath, Entry

_NOTES = frozenset({"cite", "source", "ruling", "title"})
_MAX_COUNT = 10_000

_PLAIN: dict[str, tuple[type, str, int | str]] = {
    "int": (int, "a whole number", 0),
    "bool": (bool, "true or false", False),
    "string": (str, "a text", ""),
}
"""Plain types: what Python calls them, how they are said, and what a field holds at first."""


class Formula(NamedTuple):
    """A field of an entity that holds an expression, or effects, which are not compiled yet.

    ``path`` is None if none are there.
    """

    entity: Entity
    field: str
    path: DataPath | None


def build_entities(c: Context) -> tuple[dict[str, tuple[Entity, ...]], list[Formula]]:
    """Build all entities by kind, in the order of the files; mistakes become problems.

    Returns the formulas in their fields as well, those of records within them included.
    """
    for _, kind in clauses(c, "kinds"):
        _check_kind(kind)
    builder = _EntityBuilder(c)
    return builder.build(), builder.formulas


# ---------------------------------------------------------------- kinds


def _check_kind(kind: Clause) -> None:
    """Check that the declarations of a kind refer to fields and kinds that exist."""
    name = str(kind.path[-1])
    fields: dict[str, str] = kind.get("fields", {})

    def is_field(part: Clause, *, key: bool = False) -> bool:
        """Return whether there is the field that is named here, or by the ``key``; or report it."""
        field = str(part.path[-1] if key else part.data)
        if field not in fields:
            told = did_you_mean(field, fields, "fields: {names}")
            message = Text("there is no field `{name}`", name=field)
            part.problem("unknown-field", message, *told, key=key)
        return field in fields

    for _, part in kind.parts("fields"):
        if not part.data.startswith("formula("):
            kind.c.type_of(part.data, part.path)
    for section in ("defaults", "enums", "children"):
        for _, part in kind.parts(section):
            is_field(part, key=True)
    for _, part in kind.parts("symmetric"):
        if is_field(part) and fields[part.data] not in _both_ways(name):
            one, two, three = _both_ways(name)
            template = "what holds both ways is a `{kind}`, a `{kind2}` or a `{kind3}`"
            part.problem("type", Text(template, kind=one, kind2=two, kind3=three))
    lists = {f"list({other})" for other in kind.c.kinds}
    for filled in [kind["filled_by"]] if "filled_by" in kind else []:
        if is_field(filled) and fields[filled.data] not in lists:
            wrong = "what a thing can be filled with is a list of things of one kind"
            filled.problem("type", wrong)
    if "qualifier" in kind:
        is_field(kind["qualifier"])
    declared = kind.c.section("kinds")
    for _, child in kind.parts("children"):
        if child.data not in declared:
            child.unknown("kind", ())
        elif declared[child.data].get("parent") != name:
            parent = f"parent: {name}"
            template = "the kind `{child}` does not say `{parent}`"
            child.problem("type", Text(template, child=child.data, parent=parent))


def _both_ways(kind: str) -> tuple[str, str, str]:
    """Return the types of fields that can hold both ways: neighbours name each other."""
    return kind, f"{kind}?", f"list({kind})"


# ---------------------------------------------------------------- things


class _EntityBuilder:
    def __init__(self, c: Context) -> None:
        self.c = c
        self.declared = c.section("kinds")
        self.found: dict[str, dict[str, Entity]] = {kind: {} for kind in self.declared}
        self.records = 0
        self.formulas: list[Formula] = []
        self._defaults: dict[tuple[str, str], Any] = {}

    def build(self) -> dict[str, tuple[Entity, ...]]:
        entries = self.c.section("entities")
        for kind, table in entries.items():
            if kind not in self.declared:
                path = ("entities", kind, next(iter(table), ""))
                self.c.unknown("kind", kind, self.declared, path, key=True)
                continue
            for ident in table:
                self.found[kind][ident] = Entity(kind, ident, len(self.found[kind]))
        for kind, entry in self.declared.items():
            if "grid" in entry:
                self._places(kind, entry["grid"])
        for kind in self.declared:
            self._children(kind, entries.get(kind, {}))
        for kind, entry in self.declared.items():
            table = entries.get(kind, {})
            for ident, data in table.items():
                if ident in self.found[kind]:
                    self._fill(self.found[kind][ident], data, ("entities", kind, ident))
            if "grid" in entry:
                for ident, place in self.found[kind].items():
                    if ident not in table:
                        self._fill(place, None, ("kinds", kind, "grid"))
        self._check_symmetry()
        return {kind: tuple(table.values()) for kind, table in self.found.items()}

    def _places(self, kind: str, grid: dict[str, str]) -> None:
        """Make the places of a grid, and keep the fields that the rules add to some of them."""
        places = list(places_of(grid["columns"], grid["rows"]))
        if not 0 < len(places) <= MAX_PLACES:
            message = Text(
                "a grid has 1 to {most} places, not {count}",
                most=f"{MAX_PLACES:,}",
                count=f"{len(places):,}",
            )
            self.c.problem("grid-size", message, ("kinds", kind, "grid"))
            return
        told = self.found[kind]
        self.found[kind] = {}
        for number, (ident, _, _) in enumerate(places):
            self.found[kind][ident] = told.pop(ident) if ident in told else Entity(kind, ident)
            self.found[kind][ident].index = number
        for ident in told:
            message = Text(
                "`{name}` is not a place of the grid {grid}",
                name=ident,
                grid=f"{grid['columns']}, {grid['rows']}",
            )
            self.c.problem("grid-place", message, ("entities", kind, ident), key=True)

    # ------------------------------------------------------------ entities within entities

    def _children(self, kind: str, table: Entry) -> None:
        """Make the entities that stand inside others, such as the copies of a card."""
        for field, child in self.declared[kind].get("children", {}).items():
            if child not in self.declared:
                continue
            for ident, data in table.items():
                inner = data.get(field) or []
                for entry in inner if isinstance(inner, list) else []:
                    name = self._child_id(ident, child, entry if isinstance(entry, dict) else {})
                    if name in self.found[child]:
                        message = Text("two kinds of copy `{name}`", name=name)
                        self.c.problem("defined-twice", message, ("entities", kind, ident, field))
                    self.found[child][name] = Entity(child, name, len(self.found[child]))

    def _child_id(self, parent: str, child: str, entry: Entry) -> str:
        """Return the id of a thing made from another one: that of its parent, and its mark."""
        mark = entry.get(self.declared[child].get("qualifier"), 0)
        return f"{parent}_{mark}" if mark else parent

    def _fill(self, entity: Entity, data: Any, path: DataPath) -> None:
        kind = self.declared[entity.kind]
        fields: dict[str, str] = kind.get("fields", {})
        children = kind.get("children", {})
        data = data or {}
        for key in data:
            if key not in fields and key not in _NOTES:
                told = did_you_mean(key, [*fields, *_NOTES])
                message = Text(
                    "a {kind} has no `{field}`", kind=kind.get("title", entity.kind), field=key
                )
                told = told or (Text("fields: {names}", names=tuple(fields)),)
                self.c.problem("unknown-field", message, (*path, key), *told, key=True)
        ruling = data.get("ruling")
        if ruling is not None and ruling not in self.c.section("rulings"):
            self.c.unknown("ruling", ruling, (), (*path, "ruling"))
        for field, text in fields.items():
            where = (*path, field)
            if field in children:
                entity.f[field] = self._fill_children(entity, field, children[field], data, where)
                continue
            if field in data:
                entity.f[field] = self._value(data[field], text, where, kind, field)
            else:
                entity.f[field] = self._default_of(entity.kind, field, text)
                where = ("kinds", entity.kind, "defaults", field)
            if text == "effects" or text.startswith("formula("):
                there = entity.f[field] is not None
                self.formulas.append(Formula(entity, field, where if there else None))

    def _fill_children(
        self, parent: Entity, field: str, child: str, data: Any, path: DataPath
    ) -> list[Entity]:
        if child not in self.declared:
            return []
        entries = data.get(field) or []
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            wanted = Text("a list with the fields of each {kind}", kind=child)
            self._report_type(wanted, entries, path)
            return []
        result = []
        for number, entry in enumerate(entries):
            entity = self.found[child][self._child_id(parent.id, child, entry)]
            self._fill(entity, entry, (*path, number))
            entity.f[self.declared[child].get("parent", parent.kind)] = parent
            entity.parent = parent
            result.append(entity)
        if not result:
            message = Text("at least one of the `{field}` is needed", field=field)
            self.c.problem("missing-field", message, path[:-1], key=True)
        return result

    # ------------------------------------------------------------ values of fields

    def _default_of(self, kind: str, field: str, text: str) -> object:
        """Return the value of a field that an entry leaves out."""
        entry = self.declared[kind]
        if field not in entry.get("defaults", {}):
            if text.startswith("bag("):
                return Bag()
            return [] if text.startswith("list(") else _PLAIN[text][2] if text in _PLAIN else None
        if (kind, field) not in self._defaults:
            path: DataPath = ("kinds", kind, "defaults", field)
            value = self._value(entry["defaults"][field], text, path, entry, field)
            self._defaults[kind, field] = value
        return self._defaults[kind, field]

    def _report_type(self, wanted: str, value: object, path: DataPath) -> None:
        message = Text("{wanted} is needed, not {type}", wanted=wanted, type=f"`{value}`")
        self.c.problem("field-type", message, path)

    def _value(self, value: object, text: str, path: DataPath, kind: Entry, field: str) -> object:
        if text in _PLAIN:
            plain, wanted, empty = _PLAIN[text]
            if not isinstance(value, plain) or (text == "int" and isinstance(value, bool)):
                self._report_type(wanted, value, path)
                return empty
            self._check_enum(value, path, kind.get("enums", {}).get(field))
            return value
        if text == "effects":
            return value
        if text.startswith("formula("):
            if not isinstance(value, str):
                self._report_type("an expression", value, path)
                return None
            return value
        if text.startswith("bag("):
            return self._bag(value, text[4:-1], path)
        if text.startswith("list("):
            if not isinstance(value, list):
                self._report_type("a list", value, path)
                return []
            inner = text[5:-1]
            items = [
                self._value(item, inner, (*path, number), kind, field)
                for number, item in enumerate(value)
            ]
            return [item for item in items if item is not None]
        return self._reference(value, text.removesuffix("?"), path)

    def _check_enum(self, value: object, path: DataPath, allowed: list[str] | None) -> None:
        if isinstance(value, str) and allowed is not None and value not in allowed:
            told = did_you_mean(value, allowed, "one of {names}")
            message = Text("`{value}` is not possible here", value=value)
            self.c.problem("field-value", message, path, *told)

    def _bag(self, value: object, kind: str, path: DataPath) -> Bag:
        bag = Bag()
        if isinstance(value, list):
            for number, item in enumerate(value):
                entity = self._reference(item, kind, (*path, number))
                if entity is not None:
                    bag[entity] = bag.get(entity, 0) + 1
        elif isinstance(value, dict):
            for ident, count in value.items():
                entity = self._reference(ident, kind, (*path, ident))
                if not isinstance(count, int) or not 0 < count <= _MAX_COUNT:
                    self._report_type("a number of things from 1", count, (*path, ident))
                elif entity is not None:
                    bag[entity] = count
        else:
            self._report_type("a list, or a number for each", value, path)
        return bag

    def _reference(self, value: object, kind: str, path: DataPath) -> Entity | None:
        declared = self.declared.get(kind)
        if declared is None:
            self.c.unknown("type", kind, (), path)
            return None
        title = declared.get("title", kind)
        if declared.get("record"):
            if not isinstance(value, dict):
                self._report_type(Text("the fields of a {kind}", kind=title), value, path)
                return None
            self.records += 1
            entity = Entity(kind, f"{kind}_{self.records}", self.records)
            self._fill(entity, value, path)
            return entity
        found = self.found[kind].get(value) if isinstance(value, str) else None
        if found is None:
            message = Text("there is no {kind} `{name}`", kind=title, name=value)
            told = did_you_mean(str(value), self.found[kind])
            self.c.problem(f"unknown-{kind}", message, path, *told)
        return found

    # ------------------------------------------------------------ sense

    def _check_symmetry(self) -> None:
        """Check that fields declared symmetric are: neighbours list each other."""
        for kind, entry in self.declared.items():
            for field in entry.get("symmetric", []):
                if entry.get("fields", {}).get(field) in _both_ways(kind):
                    for entity in self.found[kind].values():
                        self._check_both_ways(entity, field)

    def _check_both_ways(self, entity: Entity, field: str) -> None:
        """Check that every thing that an entity names in a field names it, too."""
        path: DataPath = ("entities", entity.kind, entity.id, field)
        is_list = isinstance(entity.f[field], list)
        for number, other in enumerate(_things_named(entity.f[field])):
            if entity not in _things_named(other.f[field]):
                message = Text(
                    "{one} names {other} as {field}, but {other2} does not name {one2}",
                    one=entity.id,
                    other=other.id,
                    field=field,
                    other2=other.id,
                    one2=entity.id,
                )
                self.c.problem("one-sided", message, (*path, number) if is_list else path)


def _things_named(value: Any) -> list[Entity]:
    """Return the things that a field names: several, one or none."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]

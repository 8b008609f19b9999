"""The things of a game, built from the entries of its files and checked against their kinds."""

from __future__ import annotations

from typing import Any, NamedTuple

from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text
from altay_cli.base.values import Bag, Entity
from altay_cli.compile.context import Context
from altay_cli.compile.grids import MAX_PLACES, places_of
from altay_cli.compile.vocabulary import parse_type
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree

_NOTES = frozenset({"cite", "source", "ruling", "title"})
_MAX_COUNT = 10_000


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
    builder = _EntityBuilder(c.tree, c.kinds)
    return builder.build(), builder.formulas


class _EntityBuilder:
    def __init__(self, tree: Tree, kinds: frozenset[str]) -> None:
        self.tree = tree
        self.kinds = kinds
        self.declared: dict[str, Entry] = tree.data.get("kinds", {})
        self.found: dict[str, dict[str, Entity]] = {kind: {} for kind in self.declared}
        self.records = 0
        self.formulas: list[Formula] = []
        self._defaults: dict[tuple[str, str], Any] = {}

    def build(self) -> dict[str, tuple[Entity, ...]]:
        entries: dict[str, Any] = self.tree.data.get("entities", {})
        for kind in self.declared:
            self._check_kind(kind)
        for kind, table in entries.items():
            if kind not in self.declared:
                near = suggest(kind, self.declared)
                self.tree.problem(
                    "unknown-kind",
                    Text("there is no kind `{name}`", name=kind),
                    ("entities", kind, next(iter(table), "")),
                    *([Text("did you mean `{name}`?", name=near[0])] if near else []),
                    key=True,
                )
                continue
            for ident in table:
                self.found[kind][ident] = Entity(kind, ident, len(self.found[kind]))
        for kind, entry in self.declared.items():
            self._places(kind, entry.get("grid"))
        for kind in list(self.declared):
            self._children(kind, entries.get(kind, {}))
        for kind in self.declared:
            told = entries.get(kind, {})
            for ident, data in told.items():
                if ident in self.found[kind]:
                    self._fill(self.found[kind][ident], data, ("entities", kind, ident))
            if "grid" in self.declared[kind]:
                for ident, place in self.found[kind].items():
                    if ident not in told:
                        self._fill(place, None, ("kinds", kind, "grid"))
        self._check_symmetry()
        return {kind: tuple(table.values()) for kind, table in self.found.items()}

    def _places(self, kind: str, grid: dict[str, str] | None) -> None:
        """Make the places of a grid, and keep the fields that the rules add to some of them."""
        if grid is None:
            return
        places = list(places_of(grid["columns"], grid["rows"]))
        if not 0 < len(places) <= MAX_PLACES:
            message = Text(
                "a grid has 1 to {most} places, not {count}",
                most=f"{MAX_PLACES:,}",
                count=f"{len(places):,}",
            )
            self.tree.problem("grid-size", message, ("kinds", kind, "grid"))
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
            self.tree.problem("grid-place", message, ("entities", kind, ident), key=True)

    def _check_filled(self, field: str, fields: dict[str, str], path: DataPath) -> None:
        if field not in fields:
            self._no_field(field, fields, path)
        elif fields[field] not in {f"list({kind})" for kind in self.kinds}:
            message = "what a thing can be filled with is a list of things of one kind"
            self.tree.problem("type", message, path)

    def _check_kind(self, kind: str) -> None:
        """Check that the declarations of a kind refer to fields and kinds that exist."""
        entry = self.declared[kind]
        fields: dict[str, str] = entry.get("fields", {})
        for field, text in fields.items():
            if not text.startswith("formula(") and parse_type(text, self.kinds) is None:
                message = Text("there is no type `{name}`", name=text)
                self.tree.problem("unknown-type", message, ("kinds", kind, "fields", field))
        for section in ("defaults", "enums", "children"):
            for field in entry.get(section, {}):
                if field not in fields:
                    self._no_field(field, fields, ("kinds", kind, section, field), key=True)
        for number, field in enumerate(entry.get("symmetric", [])):
            if field not in fields:
                self._no_field(field, fields, ("kinds", kind, "symmetric", number))
            elif fields[field] not in {kind, f"{kind}?", f"list({kind})"}:
                message = Text(
                    "what holds both ways is a `{kind}`, a `{kind2}` or a `{kind3}`",
                    kind=kind,
                    kind2=f"{kind}?",
                    kind3=f"list({kind})",
                )
                self.tree.problem("type", message, ("kinds", kind, "symmetric", number))
        if "filled_by" in entry:
            self._check_filled(entry["filled_by"], fields, ("kinds", kind, "filled_by"))
        if "qualifier" in entry and entry["qualifier"] not in fields:
            self._no_field(entry["qualifier"], fields, ("kinds", kind, "qualifier"))
        for field, child in entry.get("children", {}).items():
            path: DataPath = ("kinds", kind, "children", field)
            if child not in self.declared:
                self.tree.problem(
                    "unknown-kind", Text("there is no kind `{name}`", name=child), path
                )
            elif self.declared[child].get("parent") != kind:
                message = Text(
                    "the kind `{child}` does not say `{parent}`",
                    child=child,
                    parent=f"parent: {kind}",
                )
                self.tree.problem("type", message, path)

    def _no_field(
        self, field: str, fields: dict[str, str], path: DataPath, *, key: bool = False
    ) -> None:
        near = suggest(field, fields)
        told = (
            Text("did you mean `{name}`?", name=near[0])
            if near
            else Text("fields: {names}", names=tuple(fields))
        )
        self.tree.problem(
            "unknown-field", Text("there is no field `{name}`", name=field), path, told, key=key
        )

    # ------------------------------------------------------------ entities within entities

    def _children(self, kind: str, table: Entry) -> None:
        """Make the entities that stand inside others, such as the copies of a card."""
        for field, child in self.declared[kind].get("children", {}).items():
            if child not in self.declared:
                continue
            qualifier = self.declared[child].get("qualifier")
            for ident, data in table.items():
                inner = data.get(field) or []
                if not isinstance(inner, list):
                    continue
                for entry in inner:
                    mark = entry.get(qualifier, 0) if isinstance(entry, dict) else 0
                    name = f"{ident}_{mark}" if mark else ident
                    if name in self.found[child]:
                        path = ("entities", kind, ident, field)
                        self.tree.problem(
                            "defined-twice", Text("two kinds of copy `{name}`", name=name), path
                        )
                    entity = Entity(child, name, len(self.found[child]))
                    self.found[child][name] = entity

    def _fill(self, entity: Entity, data: Any, path: DataPath) -> None:
        kind = self.declared[entity.kind]
        fields: dict[str, str] = kind.get("fields", {})
        data = data or {}
        for key in data:
            if key not in fields and key not in _NOTES:
                near = suggest(key, [*fields, *_NOTES])
                help_line = (
                    Text("did you mean `{name}`?", name=near[0])
                    if near
                    else Text("fields: {names}", names=tuple(fields))
                )
                message = Text(
                    "a {kind} has no `{field}`", kind=kind.get("title", entity.kind), field=key
                )
                self.tree.problem("unknown-field", message, (*path, key), help_line, key=True)
        ruling = data.get("ruling")
        if ruling is not None and ruling not in self.tree.data.get("rulings", {}):
            message = Text("there is no ruling `{name}`", name=ruling)
            self.tree.problem("unknown-ruling", message, (*path, "ruling"))
        children = kind.get("children", {})
        for field, text in fields.items():
            where = (*path, field)
            if field in children:
                entity.f[field] = self._fill_children(entity, field, children, data, where)
            elif field in data:
                entity.f[field] = self._value(data[field], text, where, kind, field)
            else:
                entity.f[field] = self._default_of(entity.kind, field, text)
                where = ("kinds", entity.kind, "defaults", field)
            if (text == "effects" or text.startswith("formula(")) and field not in children:
                there = entity.f[field] is not None
                self.formulas.append(Formula(entity, field, where if there else None))

    def _fill_children(
        self, parent: Entity, field: str, children: dict[str, str], data: Any, path: DataPath
    ) -> list[Entity]:
        child = children[field]
        if child not in self.declared:
            return []
        qualifier = self.declared[child].get("qualifier")
        entries = data.get(field) or []
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self._report_type(
                Text("a list with the fields of each {kind}", kind=child), entries, path
            )
            return []
        result = []
        for number, entry in enumerate(entries):
            mark = entry.get(qualifier, 0)
            entity = self.found[child][f"{parent.id}_{mark}" if mark else parent.id]
            self._fill(entity, entry, (*path, number))
            entity.f[self.declared[child].get("parent", parent.kind)] = parent
            entity.parent = parent
            result.append(entity)
        if not result:
            message = Text("at least one of the `{field}` is needed", field=field)
            self.tree.problem("missing-field", message, path[:-1], key=True)
        return result

    # ------------------------------------------------------------ values of fields

    def _default_of(self, kind: str, field: str, text: str) -> object:
        """Return the value of a field that an entry leaves out."""
        entry = self.declared[kind]
        if field not in entry.get("defaults", {}):
            return self._empty(text)
        if (kind, field) not in self._defaults:
            path: DataPath = ("kinds", kind, "defaults", field)
            value = self._value(entry["defaults"][field], text, path, entry, field)
            self._defaults[kind, field] = value
        return self._defaults[kind, field]

    @staticmethod
    def _empty(text: str) -> object:
        match text:
            case "int":
                return 0
            case "bool":
                return False
            case "string":
                return ""
        if text.startswith("list("):
            return []
        return Bag() if text.startswith("bag(") else None

    def _report_type(self, wanted: str, value: object, path: DataPath) -> None:
        self.tree.problem(
            "field-type",
            Text("{wanted} is needed, not {type}", wanted=wanted, type=f"`{value}`"),
            path,
        )

    def _value(self, value: object, text: str, path: DataPath, kind: Entry, field: str) -> object:
        match text:
            case "int":
                if not isinstance(value, int) or isinstance(value, bool):
                    self._report_type("a whole number", value, path)
                    return 0
                return value
            case "bool":
                if not isinstance(value, bool):
                    self._report_type("true or false", value, path)
                return value is True
            case "string":
                return self._string(value, path, kind.get("enums", {}).get(field))
            case "effects":
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

    def _string(self, value: object, path: DataPath, allowed: list[str] | None) -> str:
        if not isinstance(value, str):
            self._report_type("a text", value, path)
            return ""
        if allowed is not None and value not in allowed:
            near = suggest(value, allowed)
            help_line = (
                Text("did you mean `{name}`?", name=near[0])
                if near
                else Text("one of {names}", names=tuple(allowed))
            )
            self.tree.problem(
                "field-value", Text("`{value}` is not possible here", value=value), path, help_line
            )
        return value

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
            self.tree.problem("unknown-type", Text("there is no type `{name}`", name=kind), path)
            return None
        if declared.get("record"):
            if not isinstance(value, dict):
                self._report_type(
                    Text("the fields of a {kind}", kind=declared.get("title", kind)), value, path
                )
                return None
            self.records += 1
            entity = Entity(kind, f"{kind}_{self.records}", self.records)
            self._fill(entity, value, path)
            return entity
        entity_found = self.found[kind].get(value) if isinstance(value, str) else None
        if entity_found is None:
            near = suggest(str(value), self.found[kind])
            self.tree.problem(
                f"unknown-{kind}",
                Text("there is no {kind} `{name}`", kind=declared.get("title", kind), name=value),
                path,
                *([Text("did you mean `{name}`?", name=near[0])] if near else []),
            )
        return entity_found

    # ------------------------------------------------------------ sense

    def _check_symmetry(self) -> None:
        """Check that fields declared symmetric are: neighbours list each other."""
        for kind, entry in self.declared.items():
            for field in entry.get("symmetric", []):
                if entry.get("fields", {}).get(field) in {kind, f"{kind}?", f"list({kind})"}:
                    for entity in self.found[kind].values():
                        self._check_both_ways(entity, field)

    def _check_both_ways(self, entity: Entity, field: str) -> None:
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
                self.tree.problem("one-sided", message, (*path, number) if is_list else path)


def _things_named(value: Any) -> list[Entity]:
    """Return the things that a field names: several, one or none."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]

"""The zones that a pack declares."""

from __future__ import annotations

from altay_cli.base.text import Text
from altay_cli.compile.model import Shape, Zone
from altay_cli.source.document import DataPath, Entry
from altay_cli.source.folder import Tree


def build_zones(tree: Tree, kinds: frozenset[str]) -> tuple[Zone, ...]:
    """Read the zones; those of unknown kinds become problems."""
    zones: list[Zone] = []
    for name, data in tree.data.get("zones", {}).items():
        path: DataPath = ("zones", name)
        for number, kind in enumerate(data.get("per", [])):
            if kind not in kinds:
                message = Text("there is no kind `{name}`", name=kind)
                tree.problem("unknown-kind", message, (*path, "per", number))
        shape, kind = _shape(data["holds"])
        if shape not in (Shape.INT, Shape.BOOL) and kind not in kinds:
            tree.problem(
                "unknown-type",
                Text("no zone can hold `{holds}`", holds=data["holds"]),
                (*path, "holds"),
            )
        least, most = _bounds(tree, name, data, shape)
        _check_backs(tree, path, data, shape, kind)
        zones.append(
            Zone(
                name,
                len(zones),
                tuple(data.get("per", [])),
                shape,
                kind,
                data.get("lasts", "game"),
                data.get("title", name),
                least,
                most,
                tuple(data.get("backs", ())),
                data.get("tally", False),
            )
        )
    return tuple(zones)


def _check_backs(tree: Tree, path: DataPath, data: Entry, shape: Shape, kind: str) -> None:
    """Check that a back tells fields that things of the kind have, and that things lie there."""
    backs = data.get("backs", [])
    if backs and shape is not Shape.BAG:
        message = Text(
            "only what lies in a bag has a back: `{zone}` holds `{holds}`",
            zone=path[-1],
            holds=data["holds"],
        )
        tree.problem("zone-backs", message, (*path, "backs"), key=True)
        return
    fields = tree.data.get("kinds", {}).get(kind, {}).get("fields", {})
    for number, field in enumerate(backs):
        if field not in fields:
            message = Text(
                "a {kind} has no field `{field}`, but {fields}",
                kind=kind,
                field=field,
                fields=tuple(fields) or "none",
            )
            tree.problem("zone-backs", message, (*path, "backs", number))


def _bounds(tree: Tree, name: str, data: Entry, shape: Shape) -> tuple[int | None, int | None]:
    """Return the bounds of a zone, None if it has none."""
    found = {key: data.get(key) for key in ("least", "most")}
    least, most = found.values()
    for key, bound in found.items():
        if bound is not None and shape is not Shape.INT:
            message = Text(
                "only a number has bounds: `{name}` holds `{holds}`", name=name, holds=data["holds"]
            )
            tree.problem("zone-bounds", message, ("zones", name, key), key=True)
    if least is not None and most is not None and least > most:
        message = Text("no number is at least {least} and at most {most}", least=least, most=most)
        tree.problem("zone-bounds", message, ("zones", name, "most"))
    return least, most


def _shape(text: str) -> tuple[Shape, str]:
    if text in {"int", "bool"}:
        return Shape(text), ""
    for shape in (Shape.BAG, Shape.PILE):
        if text.startswith(f"{shape}(") and text.endswith(")"):
            return shape, text[len(shape) + 1 : -1]
    return Shape.ENTITY, text.removesuffix("?")

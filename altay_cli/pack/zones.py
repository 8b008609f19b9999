"""The zones that a pack declares."""

from __future__ import annotations

from altay_cli.pack.folder import Path_, Tree
from altay_cli.pack.model import Zone


def build_zones(tree: Tree, kinds: frozenset[str]) -> tuple[Zone, ...]:
    """Read the zones; those of unknown kinds become problems."""
    zones: list[Zone] = []
    for name, data in tree.data.get("zones", {}).items():
        path: Path_ = ("zones", name)
        for number, kind in enumerate(data.get("per", [])):
            if kind not in kinds:
                message = f"there is no kind `{kind}`"
                tree.problem("unknown-kind", message, (*path, "per", number))
        shape, kind = _shape(data["holds"])
        if shape not in {"int", "bool"} and kind not in kinds:
            tree.problem("unknown-type", f"no zone can hold `{data['holds']}`", (*path, "holds"))
        zones.append(
            Zone(
                name,
                len(zones),
                tuple(data.get("per", [])),
                shape,
                kind,
                data.get("lasts", "game"),
                data.get("title", name),
            )
        )
    return tuple(zones)


def _shape(text: str) -> tuple[str, str]:
    if text in {"int", "bool"}:
        return text, ""
    for shape in ("bag", "pile"):
        if text.startswith(f"{shape}(") and text.endswith(")"):
            return shape, text[len(shape) + 1 : -1]
    return "entity", text.removesuffix("?")

"""`altay rules outline`: compute outlines of the places of a map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from ruamel.yaml import YAML

from altay_cli.base.findings import ExpressionError, PackError
from altay_cli.cli import output
from altay_cli.cli.rulesets import rules_named
from altay_cli.compile.building import compile_read, read_tree
from altay_cli.compile.load import link_pack
from altay_cli.drawing.outlines import Point, outlines
from altay_cli.match.state import State
from altay_cli.pack.looks import Map
from altay_cli.pack.model import Pack
from altay_cli.report.text import language
from altay_cli.source.folder import LAYOUT, Tree

_WIDTH = 1000.0


@click.command("outline")
@click.argument("name", metavar="PACK")
@click.option("--map", "chart", metavar="ID", help="Which map, where the game has several.")
@click.option("--write", is_flag=True, help="Write the outlines into the files of the rules.")
def rules_outline(name: str, chart: str | None, write: bool) -> None:
    """Compute outlines of places from their positions and neighbours, for `shape: land`.

    PACK is a game or a rules folder. Exactly neighbours share an edge. The map in view.yaml says
    where places are (`x`, `y`, `frame`), their neighbours (`edges`), and which field has the
    outline (`outline: t.outline`); entities of a kind with that field get one.
    """
    ruleset = rules_named(name)
    tree = read_tree(ruleset.folder, ())
    try:
        pack = compile_read(tree)
    except PackError as error:
        raise output.Refused(str(error.problems[0])) from error
    link_pack(pack)
    maps = {each.id: each for each in pack.view.maps if each.outline is not None}
    if not maps:
        raise output.Refused("{game} has no map with outlines", game=pack.title)
    chosen = maps.get(chart or next(iter(maps)))
    if chosen is None:
        raise output.Refused(
            "there is no map `{name}`; there is {names}", name=chart, names=tuple(maps)
        )
    kind, field = _outlined_field(pack, tree, chosen)
    try:
        corners = _corners(pack, chosen, kind)
    except ImportError as error:
        command = "pip install 'altay[outline]'"
        raise output.Refused("outlines need an extra: {command}", command=command) from error
    if not write:
        output.print_lines(f"{place}: {_flow(flat)}" for place, flat in corners.items())
        return
    for path in _entity_files(ruleset.folder):
        text = path.read_text(encoding="utf-8")
        changed = with_lists(text, kind, field, corners)
        if changed != text:
            output.save(path, changed.encode("utf-8"))
            output.print_line(f"{path.as_posix()}")


def _outlined_field(pack: Pack, tree: Tree, chart: Map) -> tuple[str, str]:
    """Return the kind of the places and the field that has their outlines."""
    entry = tree.data["view"]["maps"][chart.id]
    found = re.fullmatch(r"\s*(\w+)\s*\.\s*(\w+)\s*", str(entry["outline"]))
    members = State(pack, _options(pack), language()).value(chart.each[1], {}, ())
    kinds = {place.kind for place in members}
    if found is None or found[1] != chart.each[0] or len(kinds) != 1:
        wrong = "`outline` of the map `{name}` must be a field of its places, such as `{field}`"
        raise output.Refused(wrong, name=chart.id, field=f"{chart.each[0]}.outline")
    return kinds.pop(), found[2]


def _options(pack: Pack) -> dict[str, str]:
    return {option.id: option.default for option in pack.options.values()}


def _corners(pack: Pack, chart: Map, kind: str) -> dict[str, list[int]]:
    """Return the outlines: x and y alternating, in the scale of the map."""
    state, frame = State(pack, _options(pack), language()), chart.frame
    across, down = frame.right - frame.left, frame.bottom - frame.top
    height = _WIDTH * frame.height / frame.width
    points: dict[str, Point] = {}
    neighbours: set[frozenset[str]] = set()
    for place in pack.entities[kind]:
        values = {chart.each[0]: place}
        try:
            x, y = chart.x.fn(state, values), chart.y.fn(state, values)
            joined = list(chart.edges.fn(state, values)) if chart.edges else []
        except ExpressionError:
            continue
        points[place.id] = (x - frame.left) / across * _WIDTH, (y - frame.top) / down * height
        neighbours |= {frozenset((place.id, other.id)) for other in joined if other != place}
    neighbours = {pair for pair in neighbours if pair <= points.keys()}
    return {
        place: [*_flat(ring, chart, across / _WIDTH, down / height)]
        for place, ring in outlines(points, neighbours).items()
    }


def _flat(ring: Sequence[Point], chart: Map, across: float, down: float) -> Iterator[int]:
    """Leave out corners that fall together."""
    before: tuple[int, int] | None = None
    for x, y in ring:
        corner = (
            round((chart.frame.left + x * across) * chart.scale),
            round((chart.frame.top + y * down) * chart.scale),
        )
        if corner != before:
            yield from corner
        before = corner


def _flow(flat: Sequence[int]) -> str:
    return f"[{', '.join(map(str, flat))}]"


def _entity_files(folder: Path) -> Iterator[Path]:
    for pattern, schema in LAYOUT:
        if schema == "entities":
            yield from sorted(folder.glob(pattern))


def with_lists(text: str, kind: str, field: str, lists: Mapping[str, Sequence[int]]) -> str:
    """Return a YAML file of entities with a field of some set; all else stays as it is.

    >>> with_lists("town: {A: {outline: []}}  # north", "town", "outline", {"A": [1, 2]})
    'town: {A: {outline: [1, 2]}}  # north'
    """
    root = YAML().compose(text)
    edits: list[tuple[int, int, str]] = []
    for key, entities in getattr(root, "value", ()):
        if key.value != kind:
            continue
        for name, entity in entities.value:
            if name.value in lists:
                edits.append(_edit(entity, field, _flow(lists[name.value])))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _edit(entity: Any, field: str, new: str) -> tuple[int, int, str]:
    """Return start, end and the new text."""
    for key, value in entity.value:
        if key.value == field:
            return value.start_mark.index, value.end_mark.index, new
    if entity.flow_style:
        indent, end = entity.start_mark.column + 1, entity.end_mark.index - 1
        comma = ",\n" + " " * indent if entity.value else ""
        return end, end, f"{comma}{field}: {new}"
    indent = entity.value[0][0].start_mark.column
    start = entity.value[0][0].start_mark.index
    return start, start, f"{field}: {new}\n{' ' * indent}"

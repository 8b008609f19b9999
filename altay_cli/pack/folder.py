"""A rules folder as one tree of data, in which every part knows the file it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from altay_cli.pack.problems import Problem
from altay_cli.pack.schema import validate
from altay_cli.pack.source import Source, read_yaml
from altay_cli.spans import START, Span

MAX_BYTES = 2_000_000
"""The largest rule file that is read."""

Path_ = tuple[str | int, ...]

_VARIANT = re.compile(
    r"\ufeff?(?:[ \t]*(?:#.*)?\n|%.*\n|---[ \t]*(?:#.*)?\n)*+(?:\{\s*)?"
    r"(?P<quote>[\"']?)(?:variant|extends)(?P=quote)[ \t]*:"
)
"""The beginning of a variant file: comments and the like, then its first key."""

# Which schema describes which file of a rules folder.
_LAYOUT = (
    ("game.yaml", "game"),
    ("board.yaml", "entities"),
    ("cards/*.yaml", "entities"),
    ("moves/*.yaml", "moves"),
    ("scoring.yaml", "scoring"),
    ("rulings.yaml", "rulings"),
    ("sense.yaml", "sense"),
    ("playouts.yaml", "playouts"),
    ("names/*.yaml", "names"),
    ("messages/*.yaml", "messages"),
)
_BY_ID = ("moves", "rules", "procedures", "functions", "decisions", "triggers")
_LISTS = ("prepare", "complete", "checks")


@dataclass(slots=True)
class Tree:
    """The merged data of a rules folder.

    ``data`` maps a section (kinds, zones, entities, moves, ...) to its entries; ``origin``
    tells of a path in it where it stands: the source and the path there.
    """

    data: dict[str, Any] = field(default_factory=dict)
    origin: dict[Path_, tuple[Source, Path_]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    variants: list[tuple[str, str]] = field(default_factory=list)
    """Id and version of the variants laid over it, in order."""
    files: list[str] = field(default_factory=list)
    """The files of these variants and of those that they extend, as they are named."""
    well_formed: bool = True
    """Whether the schemas find nothing wrong, so that it can be compiled."""

    def place(self, path: Path_) -> tuple[Source, Path_] | None:
        """Return the source and the path in it of what stands at ``path``."""
        for cut in range(len(path), 0, -1):
            found = self.origin.get(path[:cut])
            if found is not None:
                source, inner = found
                return source, inner + path[cut:]
        return None

    def problem(
        self,
        rule: str,
        message: str,
        path: Path_,
        *help_lines: str,
        key: bool = False,
        within: tuple[int, int] | None = None,
    ) -> None:
        """Note that something is wrong at ``path``, or at its key, or at a part of its text."""
        found = self.place(path)
        if found is None:
            self.problems.append(Problem(rule, message, "?", START, help_lines))
            return
        source, inner = found
        if within is not None:
            span = source.span_within(inner, *within)
        else:
            span = source.key_span(inner) if key else source.span(inner)
        self.problems.append(Problem(rule, message, source.file, span, help_lines))

    def where(self, path: Path_) -> tuple[str, Span]:
        """Return file and span of what stands at ``path``."""
        found = self.place(path)
        return (found[0].file, found[0].span(found[1])) if found else ("?", START)


def begins_as_variant(text: str) -> bool:
    """Tell whether a text begins as a variant file does.

    Of any other file nothing is told but that: a log of a stranger can name files that are none
    of its business, and messages quote what they are about.
    """
    return _VARIANT.match(text) is not None


def read_source(path: Path, shown: str, schema: str, problems: list[Problem]) -> Source | None:
    """Read one rule file and check it against its schema; None where it cannot be used."""
    try:
        if path.stat().st_size > MAX_BYTES:
            problems.append(
                Problem("yaml-too-large", f"larger than {MAX_BYTES:,} bytes", shown, START)
            )
            return None
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        problems.append(Problem("yaml-not-text", "this is no UTF-8 text", shown, START))
        return None
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        problems.append(Problem("file-unreadable", reason, shown, START))
        return None
    if schema == "variant" and not begins_as_variant(text):
        message = "this is no variant: a variant file begins with `variant:` and its id"
        problems.append(Problem("schema-type", message, shown, START))
        return None
    source, found = read_yaml(text, shown)
    problems.extend(found)
    if source is None:
        return None
    found = validate(source, schema)
    problems.extend(found)
    return None if found else source


def read_folder(folder: Path) -> Tree:
    """Read all files of a rules folder into one tree; problems are noted in it."""
    tree = Tree()
    for pattern, schema in _LAYOUT:
        paths = sorted(folder.glob(pattern))
        if not paths and schema in {"game", "scoring"}:
            shown = f"{folder.name}/{pattern}"
            tree.problems.append(Problem("file-missing", "this file is missing", shown, START))
        for path in paths:
            shown = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            source = read_source(path, shown, schema, tree.problems)
            if source is not None:
                _merge(tree, schema, source)
    tree.well_formed = not tree.problems
    return tree


def _merge(tree: Tree, schema: str, source: Source) -> None:
    data = source.data
    assert isinstance(data, dict)
    match schema:
        case "game":
            for key, value in data.items():
                if isinstance(value, dict):
                    _add_all(tree, (key,), value, source, (key,))
                else:
                    _add(tree, (key,), value, source, (key,))
        case "entities":
            for kind, entities in data.items():
                if kind != "source":
                    _add_all(tree, ("entities", kind), entities, source, (kind,))
        case "moves":
            _merge_moves(tree, data, source)
        case "scoring":
            _add_all(tree, ("categories",), data["categories"], source, ("categories",))
            _add_all(tree, ("ties",), data.get("ties", {}), source, ("ties",))
        case "sense":
            _add_all(tree, ("functions",), data.get("functions", {}), source, ("functions",))
            _add_items(tree, "sense", data["sense"], source)
        case "playouts":
            _add_items(tree, "opening", data.get("opening", []), source)
            for part in ("functions", "policies", "measures"):
                _add_all(tree, (part,), data.get(part, {}), source, (part,))
        case "rulings":
            _add_all(tree, ("rulings",), data["rulings"], source, ("rulings",))
        case "messages":
            section = ("texts", data["language"])
            _add_all(tree, section, data["texts"], source, ("texts",))
        case "names":
            language = data["language"]
            for kind, names in data["names"].items():
                _add_all(tree, ("names", language, kind), names, source, ("names", kind))
            _add_all(tree, ("ours", language), data.get("ours", {}), source, ("ours",))


def _merge_moves(tree: Tree, data: dict[str, Any], source: Source) -> None:
    phases = data.get("phases", ["turns"])
    defaults = data.get("defaults", {}).get("requires", [])
    for move in data.get("moves", {}).values():
        move.setdefault("phases", phases)
    for section in _BY_ID:
        _add_all(tree, (section,), data.get(section) or {}, source, (section,))
    for ident, move in data.get("moves", {}).items():
        if move.get("defaults", True):
            move["_defaults"] = defaults
            tree.origin["moves", ident, "_defaults"] = (source, ("defaults", "requires"))
    for section in _LISTS:
        _add_items(tree, section, data.get(section, []), source)


def _add_items(tree: Tree, section: str, items: list[Any], source: Source) -> None:
    for number, entry in enumerate(items):
        there = tree.data.setdefault(section, [])
        tree.origin[section, len(there)] = (source, (section, number))
        there.append(entry)


def _add_all(
    tree: Tree, section: Path_, entries: dict[str, Any], source: Source, inner: Path_
) -> None:
    for key, value in entries.items():
        _add(tree, (*section, key), value, source, (*inner, key))


def _add(tree: Tree, path: Path_, value: Any, source: Source, inner: Path_) -> None:
    there = tree.data
    for key in path[:-1]:
        there = there.setdefault(str(key), {})
    if path[-1] in there:
        file, span = tree.where(path)
        message = f"`{path[-1]}` is defined twice; the first is in {file}, line {span.line}"
        tree.origin[path] = (source, inner)
        tree.problem("defined-twice", message, path, key=True)
        return
    there[str(path[-1])] = value
    tree.origin[path] = (source, inner)


def item_name(item: Any) -> str | None:
    """Return what names an item of a list: the rule that it is, or the move of a step."""
    if isinstance(item, dict):
        name = item.get("rule", item.get("use", item.get("move")))
        return name if isinstance(name, str) else None
    return None


def walk(data: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Yield every part of ``data`` with its path, outer ones first."""
    yield path, data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from walk(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from walk(value, (*path, number))

"""Variants: files that change the rules by path, alone or several together."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altay_cli.pack.beside import Place, beside
from altay_cli.pack.folder import MAX_BYTES, Path_, Tree, item_name, read_source
from altay_cli.pack.problems import Problem
from altay_cli.pack.schema import validate
from altay_cli.pack.source import Source, read_yaml
from altay_cli.spans import START, Span

WORDS = ("set", "add", "remove", "extend", "move")
"""What a change can do."""

MAX_CHAIN = 10
"""How long a chain of variants that extend each other can be."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant file that has been read: its id, its file, and the ids that it builds on."""

    id: str
    path: Path
    source: Source
    ancestors: frozenset[str]


# ---------------------------------------------------------------- reading


class Chains:
    """Reads variant files and those that they extend; mistakes become problems."""

    def __init__(self, folder: Path, problems: list[Problem]) -> None:
        self.folder = folder
        self.problems = problems
        self.files: list[Path] = []
        """The files that were asked for, as they are named."""

    def read(self, paths: Sequence[Path]) -> list[Variant]:
        """Return all variants to lay over the game, in order; what one extends comes first."""
        found: dict[Path, Variant] = {}
        for path in paths:
            self.files.append(path)
            self._chain(path.resolve(), path.resolve().parent, found, ())
        variants = list(found.values())
        self._check_partners(variants)
        return variants

    def _chain(
        self, path: Path, root: Path, found: dict[Path, Variant], below: tuple[Path, ...]
    ) -> Variant | None:
        """Read a variant and, before it, what it extends; files stay in ``root``."""
        if path in found:
            return found[path]
        source = read_source(path, path.name, "variant", self.problems)
        if source is None:
            return None
        data = source.data
        ancestors: frozenset[str] = frozenset()
        if data["extends"] != self.folder.name:
            parent = self._parent(source, data["extends"], root, (*below, path), found)
            if parent is None:
                return None
            ancestors = parent.ancestors | {parent.id}
        variant = Variant(data["variant"], path, source, ancestors)
        found[path] = variant
        return variant

    def _parent(
        self,
        source: Source,
        name: str,
        root: Path,
        below: tuple[Path, ...],
        found: dict[Path, Variant],
    ) -> Variant | None:
        shipped = self.folder / "variants"
        path, place = beside(f"{name}.yaml", shipped, shipped)
        if place is Place.THERE:
            root = shipped.resolve()
        elif name.endswith((".yaml", ".yml")):
            path, place = beside(name, below[-1].parent, root)
        else:
            known = [self.folder.name, *sorted(p.stem for p in shipped.glob("*.yaml"))]
            near = difflib.get_close_matches(name, known, 1)
            help_line = f"did you mean `{near[0]}`?" if near else f"there is: {', '.join(known)}"
            message = f"there is neither a game nor a variant `{name}`"
            self._problem("extends-unknown", message, source, help_line)
            return None
        if place is Place.OUTSIDE:
            message = f"`{name}` lies outside of the variant's own folder"
            self._problem("extends-outside", message, source)
            return None
        if place is Place.HIDDEN:
            message = f"`{name}` is hidden, and hidden files are not read"
            self._problem("extends-outside", message, source)
            return None
        if place is Place.MISSING:
            self._problem("extends-unknown", f"there is no file `{name}` beside this one", source)
            return None
        self.files.append(path)
        path = path.resolve()
        if path in below:
            self._problem("extends-itself", f"`{name}` extends this variant in turn", source)
        elif len(below) >= MAX_CHAIN:
            message = f"more than {MAX_CHAIN} variants extend each other"
            self._problem("extends-too-long", message, source)
        else:
            return self._chain(path, root, found, below)
        return None

    def _problem(self, rule: str, message: str, source: Source, *help_lines: str) -> None:
        span = source.span(("extends",))
        self.problems.append(Problem(rule, message, source.file, span, help_lines))

    def _check_partners(self, variants: list[Variant]) -> None:
        """Check which variants exclude or need each other."""
        ids = {variant.id for variant in variants}
        for variant in variants:
            data = variant.source.data
            for number, other in enumerate(data.get("excludes", [])):
                if other in ids:
                    message = f"`{variant.id}` cannot be played together with `{other}`"
                    span = variant.source.span(("excludes", number))
                    self.problems.append(
                        Problem("variant-excluded", message, variant.source.file, span)
                    )
            for number, other in enumerate(data.get("needs", [])):
                if other not in ids:
                    message = f"`{variant.id}` needs `{other}`, which is not played"
                    span = variant.source.span(("needs", number))
                    self.problems.append(
                        Problem("variant-needed", message, variant.source.file, span)
                    )


def extended(path: Path) -> str:
    """Return what a variant file extends in the end: the id of a game or of a shipped variant.

    Files that extend each other are followed as ``Chains`` does, which also tells what is wrong
    with them; "" where one cannot be read.
    """
    root = path.resolve().parent
    name = ""
    for _ in range(MAX_CHAIN):
        source = _readable(path)
        data = source.data if source is not None else None
        name = str(data.get("extends", "")) if isinstance(data, dict) else ""
        if not name.endswith((".yaml", ".yml")):
            return name
        path, place = beside(name, path.parent, root)
        if place is not Place.THERE:
            return ""
    return ""


def _readable(path: Path) -> Source | None:
    """Return a file as YAML, whatever its form."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return read_yaml(text, path.name)[0]


# ---------------------------------------------------------------- changing


@dataclass(frozen=True, slots=True)
class _Touch:
    """A part of the rules that a variant has changed."""

    variant: Variant
    path: Path_
    word: str
    value: Any
    where: Path_


class Patcher:
    """Lays variants over a tree, one after the other."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.touched: list[_Touch] = []
        self.variant: Variant | None = None
        self.where: Path_ = ()
        self.word = ""
        self.change: dict[str, Any] = {}

    def apply(self, variant: Variant, most: int | None = None) -> None:
        """Carry out the changes of a variant; what hits nothing or conflicts is a problem.

        With ``most``, only so many of the changes are carried out, the first ones.
        """
        self.variant = variant
        for language, texts in variant.source.data.get("texts", {}).items():
            self.tree.origin.setdefault(("texts", language), (variant.source, ("texts", language)))
            for english, text in texts.items():
                self.tree.data.setdefault("texts", {}).setdefault(language, {})[english] = text
                path = ("texts", language, english)
                self.tree.origin[path] = (variant.source, path)
        for number, change in enumerate(variant.source.data["change"][:most]):
            self.where = ("change", number)
            self.word = next(key for key in WORDS if key in change)
            self.change = change
            self._apply(change)

    def _problem(self, rule: str, message: str, *help_lines: str) -> None:
        assert self.variant is not None
        source = self.variant.source
        span = source.span((*self.where, self.word))
        self.tree.problems.append(Problem(rule, message, source.file, span, help_lines))

    # ------------------------------------------------------------ finding the place

    def _apply(self, change: dict[str, Any]) -> None:
        text: str = change[self.word].removeprefix("scoring.")
        segments = text.split(".")
        there: Any = self.tree.data
        path: Path_ = ()
        while True:
            step = _step(there, segments)
            if step is None:
                break
            key, used = step
            segments = segments[used:]
            if not segments:
                self._change(change, there, key, path, exists=True)
                return
            there, path = there[key], (*path, key)
        known = _keys(there)
        if isinstance(there, dict) and self._is_new(path, segments):
            self._change(change, there, ".".join(segments), path, exists=False)
            return
        if self._was_removed(text):
            return
        near = difflib.get_close_matches(segments[0], known, 1)
        place = ".".join(str(key) for key in path) or "the rules"
        message = f"there is no `{segments[0]}` in {place}"
        if near:
            self._problem("patch-hits-nothing", message, f"did you mean `{near[0]}`?")
        elif known and len(known) <= 40:
            self._problem("patch-hits-nothing", message, f"there is: {', '.join(known)}")
        else:
            self._problem("patch-hits-nothing", message)

    def _is_new(self, path: Path_, segments: list[str]) -> bool:
        """Tell whether a new entry can stand at this place."""
        if self.word not in {"set", "add"} or not path:
            return False
        # Zones have dots in their names; everything else is one segment.
        return len(segments) == 1 or path == ("zones",)

    # ------------------------------------------------------------ changing it

    def _change(
        self, change: dict[str, Any], there: Any, key: str | int, path: Path_, *, exists: bool
    ) -> None:
        target = (*path, key)
        if self.word == "add" and exists:
            message = f"`{change['add']}` is there already; `set` replaces it"
            self._problem("patch-exists", message)
            return
        if self.word == "extend" and not isinstance(there[key], list):
            self._problem("patch-no-list", f"`{change['extend']}` is no list")
            return
        if self.word == "move" and not isinstance(there, dict):
            self._problem("patch-no-list", f"`{change['move']}` is no entry of a section")
            return
        value = change.get("to", change.get("with"))
        if self.word == "move":
            value = [change.get(key) for key in ("first", "before", "after")]
        if self._conflicts(target, value):
            return
        assert self.variant is not None
        self.touched.append(_Touch(self.variant, target, self.word, value, self.where))
        if self.word == "move":
            self._put(change, there, str(key), there[key])
        elif self.word == "extend":
            self._extend(there[key], target, change["with"])
        elif isinstance(there, list):
            self._change_item(there, int(key), path, value)
        elif self.word == "remove":
            del there[key]
            self._forget(target)
            self._forget_names(target)
            self._forget_move(target)
        else:
            if path == ("moves",) and exists:
                value = _in_its_phases(value, there[key])
            self._put(change, there, str(key), value)
            self._forget(target)
            self.tree.origin[target] = (self.variant.source, (*self.where, "to"))

    def _conflicts(self, path: Path_, value: Any) -> bool:
        """Report a change of what an unrelated variant has changed otherwise."""
        assert self.variant is not None
        for touch in self.touched:
            other = touch.variant
            related = other is self.variant or other.id in self.variant.ancestors
            short = min(len(path), len(touch.path))
            if related or path[:short] != touch.path[:short]:
                continue
            same = touch.path == path and touch.word == self.word
            if same and (touch.value == value or self.word == "extend"):
                continue
            place = other.source.span((*touch.where, touch.word))
            self._problem(
                "variant-conflict",
                f"`{other.id}` changes {'.'.join(map(str, touch.path))} in another way",
                f"the other change stands in {other.source.file}, line {place.line}",
            )
            return True
        return False

    def _was_removed(self, text: str) -> bool:
        """Report a change of what an unrelated variant has removed."""
        assert self.variant is not None
        for touch in self.touched:
            other = touch.variant
            if touch.word != "remove" or other is self.variant:
                continue
            number = touch.where[-1]
            path = other.source.data["change"][number]["remove"].removeprefix("scoring.")
            if other.id in self.variant.ancestors or not f"{text}.".startswith(f"{path}."):
                continue
            place = other.source.span((*touch.where, touch.word))
            self._problem(
                "variant-conflict",
                f"`{other.id}` removes {path}",
                f"the other change stands in {other.source.file}, line {place.line}",
            )
            return True
        return False

    def _forget_names(self, target: Path_) -> None:
        """Take away the names of a thing that was removed, in every language."""
        if len(target) == 3 and target[0] == "entities":
            for language, tables in self.tree.data.get("names", {}).items():
                if isinstance(tables, dict) and isinstance(tables.get(target[1]), dict):
                    tables[target[1]].pop(target[2], None)
                    self._forget(("names", language, *target[1:]))

    def _forget_move(self, target: Path_) -> None:
        """Take away what policies, measures and the opening say of a move that was removed."""
        if len(target) != 2 or target[0] != "moves":
            return
        ident = target[1]
        data = self.tree.data
        for section, key in (("policies", "worth"), ("measures", "moves")):
            for name, entry in list(data.get(section, {}).items()):
                if isinstance(entry, dict) and ident in (entry.get(key) or {}):
                    del entry[key][ident]
                    self._forget((section, name, key, ident))
                    if section == "measures" and not entry[key]:  # it counted nothing else
                        del data[section][name]
                        self._forget((section, name))
        steps = data.get("opening", [])
        for number in reversed(range(len(steps))):
            if isinstance(steps[number], dict) and steps[number].get("move") == ident:
                places = self._pin(steps, ("opening",))
                del steps[number]
                del places[number]
                self._place_items(("opening",), places)

    def _forget(self, target: Path_) -> None:
        """Forget where parts of a replaced value came from."""
        for path in [p for p in self.tree.origin if p[: len(target)] == target]:
            del self.tree.origin[path]

    def _pin(self, there: list[Any], path: Path_) -> list[tuple[Source, Path_] | None]:
        """Return where each item of a list comes from, and forget it."""
        places = [self.tree.place((*path, number)) for number in range(len(there))]
        for number in range(len(there)):
            self._forget((*path, number))
        return places

    def _place_items(self, path: Path_, places: list[tuple[Source, Path_] | None]) -> None:
        for number, place in enumerate(places):
            if place is not None:
                self.tree.origin[*path, number] = place

    def _extend(self, items: list[Any], path: Path_, value: list[Any]) -> None:
        assert self.variant is not None
        at = self._position(items)
        if at is None:
            return
        places = self._pin(items, path)
        items[at:at] = value
        places[at:at] = [
            (self.variant.source, (*self.where, "with", number)) for number in range(len(value))
        ]
        self._place_items(path, places)

    def _position(self, items: list[Any]) -> int | None:
        """Return where in a list the change puts new items: at its end, if it does not say."""
        if self.change.get("first"):
            return 0
        beside = self.change.get("before", self.change.get("after"))
        if beside is None:
            return len(items)
        found = _step(items, [str(beside)])
        if found is None:
            self._problem("patch-hits-nothing", f"there is no `{beside}` in that list")
            return None
        return int(found[0]) + ("after" in self.change)

    def _change_item(self, items: list[Any], number: int, path: Path_, value: Any) -> None:
        assert self.variant is not None
        places = self._pin(items, path)
        if self.word == "remove":
            del items[number]
            del places[number]
        else:
            items[number] = value
            places[number] = (self.variant.source, (*self.where, "to"))
        self._place_items(path, places)

    def _put(self, change: dict[str, Any], there: dict[str, Any], key: str, value: Any) -> None:
        """Put an entry into a section, where the change says: first, before or after another."""
        beside = change.get("before", change.get("after"))
        if not change.get("first") and beside is None:
            there[key] = value
            return
        rest = {k: v for k, v in there.items() if k != key}
        if beside is not None and beside not in rest:
            near = difflib.get_close_matches(str(beside), list(rest), 1)
            help_lines = (f"did you mean `{near[0]}`?",) if near else ()
            self._problem("patch-hits-nothing", f"there is no `{beside}` beside it", *help_lines)
            return
        there.clear()
        if change.get("first"):
            there[key] = value
        for other, entry in rest.items():
            if other == change.get("before"):
                there[key] = value
            there[other] = entry
            if other == change.get("after"):
                there[key] = value


def _in_its_phases(move: Any, replaced: Any) -> Any:
    """Return a move with the phases of the one that it replaces, unless it names its own.

    Those may be the phases of the whole file, which a variant does not see.
    """
    if isinstance(move, dict) and isinstance(replaced, dict) and "phases" in replaced:
        return {"phases": replaced["phases"], **move}
    return move


def _step(there: Any, segments: list[str]) -> tuple[str | int, int] | None:
    """Return the key that a path goes on with, and how many segments name it."""
    if isinstance(there, dict):
        for used in range(len(segments), 0, -1):
            key = ".".join(segments[:used])
            if key in there and not key.startswith("_"):
                return key, used
    elif isinstance(there, list):
        name = segments[0]
        if name.isascii() and name.isdigit() and len(name) < 6 and int(name) < len(there):
            return int(name), 1
        for number, item in enumerate(there):
            if item_name(item) == name:
                return number, 1
    return None


def _keys(there: Any) -> list[str]:
    """Return what a path can go on with."""
    if isinstance(there, dict):
        return [str(key) for key in there if not str(key).startswith("_")]
    if isinstance(there, list):
        names = [item_name(item) for item in there]
        return [name for name in names if name is not None] or [str(n) for n in range(len(there))]
    return []


# ---------------------------------------------------------------- checking again


class _View:
    """A part of a tree laid out like the rule file that it came from, for its schema."""

    def __init__(self, tree: Tree, file: str, data: Any, prefix: Path_ = ()) -> None:
        self.tree = tree
        self.file = file
        self.data = data
        self.prefix = prefix

    def locate(self, path: Path_, mark: str) -> tuple[str, Span]:
        """Return where a part stands: in a variant or in a file of the game."""
        found = self.tree.place(self.prefix + path)
        return found[0].locate(found[1], mark) if found else (self.file, START)


_MOVES = (
    "moves", "rules", "procedures", "functions", "decisions", "triggers",
    "prepare", "checks", "complete",
)  # fmt: skip
_PLAYOUTS = ("opening", "policies", "measures")
_BY_LANGUAGE = {"names": ("names", "ours"), "messages": ("texts",)}
_GAME = ("game", "title", "version", "players", "options", "numbers", "kinds", "zones", "status")


def revalidate(tree: Tree, file: str) -> None:
    """Check changed rules against the schemas again: a change can put anything anywhere.

    ``file`` is the one to name for what has no place of its own.
    """
    data = tree.data

    def part(keys: tuple[str, ...]) -> dict[str, Any]:
        return {key: data[key] for key in keys if key in data}

    moves = part(_MOVES)
    if isinstance(moves.get("moves"), dict):
        moves["moves"] = {
            ident: {k: v for k, v in move.items() if k != "_defaults"}
            if isinstance(move, dict)
            else move
            for ident, move in moves["moves"].items()
        }
    views = [
        ("game", _View(tree, file, part(_GAME))),
        ("moves", _View(tree, file, moves)),
        ("scoring", _View(tree, file, part(("categories", "ties")))),
    ]
    if "entities" in data:
        views.append(("entities", _View(tree, file, data["entities"], ("entities",))))
    for section in ("rulings", "sense"):
        if section in data:
            views.append((section, _View(tree, file, part((section,)))))
    playouts = part(_PLAYOUTS)
    if playouts:
        views.append(("playouts", _View(tree, file, playouts)))
    for schema, sections in _BY_LANGUAGE.items():
        languages: dict[str, None] = {}
        for section in sections:
            if isinstance(data.get(section), dict):
                languages.update(dict.fromkeys(data[section]))
        views.extend((schema, _Words(tree, file, name, sections)) for name in languages)
    before = len(tree.problems)
    for schema, view in views:
        tree.problems.extend(validate(view, schema))
    tree.well_formed = len(tree.problems) == before


class _Words(_View):
    """The names or the messages of one language, laid out like their file."""

    def __init__(self, tree: Tree, file: str, language: str, sections: tuple[str, ...]) -> None:
        data = {"language": language}
        for section in sections:
            if isinstance(tree.data.get(section), dict) and language in tree.data[section]:
                data[section] = tree.data[section][language]
        super().__init__(tree, file, data)
        self.language = language

    def locate(self, path: Path_, mark: str) -> tuple[str, Span]:
        """Return where a name or a message stands."""
        found = self.tree.place((*path[:1], self.language, *path[1:]))
        return found[0].locate(found[1], mark) if found else (self.file, START)

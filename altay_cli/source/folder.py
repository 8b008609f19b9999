"""Read a rules folder as one document."""

from __future__ import annotations

import errno
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from altay_cli.base.files import MAX_RULES, read_regular_text
from altay_cli.base.findings import (
    START,
    Finding,
    Severity,
    Span,
    Text,
    did_you_mean,
    with_values,
)
from altay_cli.base.resources import FRAMES, data_folder
from altay_cli.source.document import DataPath, Document, Entry, Node, SourceText, fault
from altay_cli.source.schema import validate
from altay_cli.source.yaml_reader import read_yaml

_VARIANT = re.compile(
    r"\ufeff?(?:[ \t]*(?:#.*)?\n|%.*\n|---[ \t]*(?:#.*)?\n)*+(?:\{\s*)?"
    r"(?P<quote>[\"']?)(?:variant|extends)(?P=quote)[ \t]*:"
)

LAYOUT = (
    ("game.yaml", "game"),
    ("board.yaml", "entities"),
    ("cards/*.yaml", "entities"),
    ("moves/*.yaml", "moves"),
    ("scoring.yaml", "scoring"),
    ("rulings.yaml", "rulings"),
    ("slips.yaml", "slips"),
    ("lints.yaml", "lints"),
    ("playouts.yaml", "playouts"),
    ("view.yaml", "view"),
    ("names/*.yaml", "names"),
    ("messages/*.yaml", "messages"),
)
"""The files of a rules folder, and their schemas."""

# Keys that become sections of the rules; for the game itself, all do.
_SECTIONS = {
    "moves": (
        "moves", "rules", "procedures", "functions", "decisions", "triggers", "draws",
        "prepare", "complete", "checks", "claims",
    ),
    "scoring": ("categories", "outcome", "ranking", "teams", "ties", "assumptions"),
    "rulings": ("rulings",),
    "slips": ("slips",),
    "lints": ("functions", "lints"),
    "playouts": ("opening", "functions", "policies", "measures"),
}  # fmt: skip

DRAWS = "draws"
"""The frame of all games, and its section: the rules of draws that have none of their own."""

WORDS = ("set", "add", "remove", "extend", "move")
"""The operations of a change."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant file that was read.

    ``ancestors`` are the ids that it extends, ``numbers`` the indexes of its usable changes in
    `change`.
    """

    id: str
    path: Path
    source: Document
    ancestors: frozenset[str]
    numbers: tuple[int, ...]

    @property
    def changes(self) -> list[Change]:
        """The usable changes of this file."""
        return [Change(self, number, self.source.data["change"][number]) for number in self.numbers]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a variant file; ``number`` counts from 0."""

    variant: Variant
    number: int
    data: Entry

    @property
    def word(self) -> str:
        """The operation: one of ``WORDS``."""
        return next(key for key in WORDS if key in self.data)

    @property
    def path(self) -> str:
        """The dotted path of the part to change."""
        return str(self.data[self.word]).removeprefix("scoring.")

    @property
    def section(self) -> str:
        """The section of the rules to change."""
        return self.path.partition(".")[0]

    @property
    def at(self) -> DataPath:
        """Where the variant file gives ``path``, as keys."""
        return "change", self.number, self.word

    def place(self) -> tuple[str, Span]:
        """Return the place where the variant file gives ``path``."""
        return self.variant.source.where(self.at)

    def holds(self, file: str, span: Span) -> bool:
        """Return True if a place is within it."""
        return change_at(self.variant.source, file, span) == self.number


def change_at(source: Document, file: str, span: Span) -> int | None:
    """Return the number of the change that contains a place."""
    changes = source.data.get("change") if isinstance(source.data, dict) else None
    if file != source.file or not isinstance(changes, list):
        return None
    places = ((number, source.where(("change", number))[1]) for number in range(len(changes)))
    return next((n for n, outer in places if outer[:2] <= span[:2] <= outer[2:]), None)


@dataclass(slots=True)
class Tree(Document):
    """The merged rules of a folder: sections (kinds, zones, moves, ...) by name."""

    problems: list[Finding] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)
    """The applied variants; none if one has errors."""
    layers: list[Document] = field(default_factory=list)
    """The files of all variants, even of those with errors."""
    same: list[Change] = field(default_factory=list)
    """The changes that set a part to the value that it has."""
    files: list[str] = field(default_factory=list)
    """The paths of the variants as given, and of files that they extend."""
    well_formed: bool = True
    """Whether no schema found an error, so the rules can be compiled."""

    def copy(self) -> Tree:
        """Return a copy that may be modified."""
        data, root = self.copied(())
        return replace(self, data=data, root=root, problems=[*self.problems], same=[*self.same])

    def problem(
        self,
        rule: str,
        message: str,
        path: DataPath,
        *help_lines: str,
        key: bool = False,
        within: tuple[int, int] | None = None,
        **values: object,
    ) -> None:
        """Report a problem at ``path``, at its key, or at a part of its text.

        ``values`` fill the message.
        """
        finding = fault(
            rule, with_values(message, values), path, *help_lines, mark="key" if key else "value"
        ).placed(self)
        if within is not None:
            file, span = self.within(path, *within)
            finding = finding._replace(file=file, span=span)
        self.problems.append(finding)


def begins_as_variant(text: str) -> bool:
    """Return True if a text begins like a variant file.

    Others must not be quoted: an untrusted log can name any file.

    >>> begins_as_variant("variant: duel"), begins_as_variant("password: x")
    (True, False)
    """
    return _VARIANT.match(text) is not None


def root_of(folder: Path) -> Path | None:
    """Return the folder that must contain the files of a rules folder, or None.

    Rules from strangers must not show files elsewhere; shipped ones may be links.
    """
    return None if folder.is_relative_to(data_folder("rules")) else folder


def read_text(
    path: Path, shown: str, schema: str, problems: list[Finding], folder: Path
) -> Document | None:
    """Read a rule file, unchecked; None if it is unreadable.

    A variant keeps its wrong numbers as text.
    """
    try:
        text = read_regular_text(path, MAX_RULES, within=root_of(folder))
    except OSError as error:
        rules = {errno.EFBIG: "yaml-too-large", errno.EILSEQ: "yaml-not-text"}
        rule = rules.get(error.errno or 0, "file-unreadable")
        problems.append(_unusable(rule, error.strerror or "it cannot be read", shown))
        return None
    if schema == "variant" and not begins_as_variant(text):
        message = "this is not a variant: a variant file begins with `variant:` and its id"
        problems.append(_unusable("schema-type", message, shown))
        return None
    source, faults = read_yaml(text, shown)
    problems += faults
    return None if faults and schema != "variant" else source


def _unusable(rule: str, message: str, file: str) -> Finding:
    return Finding(rule, Severity.ERROR, message, START, file=file)


def read_source(
    path: Path, shown: str, schema: str, problems: list[Finding], folder: Path
) -> Document | None:
    """Read a rule file by its schema; None if it is unusable."""
    source = read_text(path, shown, schema, problems, folder)
    faults = [] if source is None else validate(source, schema)
    problems.extend(faults)
    return None if faults else source


def read_folder(folder: Path) -> Tree:
    """Read a rules folder into one tree, with its problems."""
    tree = Tree({}, Node(SourceText(f"{folder.name}/game.yaml")))
    for pattern, schema in LAYOUT:
        paths = sorted(folder.glob(pattern))
        if not paths and schema in {"game", "scoring"}:
            shown = f"{folder.name}/{pattern}"
            tree.problems.append(_unusable("file-missing", "this file is missing", shown))
        for path in paths:
            shown = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            if (source := read_source(path, shown, schema, tree.problems, folder)) is not None:
                if schema == "moves":
                    _expand(source)
                for section, inner in _sections(schema, source.data):
                    _merge(tree, section, *source.at(inner))
    frames = tree.data.get("frame", [])
    several = isinstance(frames, list)
    for number, name in enumerate(frames if several else [frames]):
        _merge_frame(tree, name, ("frame", number) if several else ("frame",))
    _merge_frame(tree, DRAWS, ())
    for ident in tree.data.get("moves", {}):
        fill_in_like(tree, ident)
    tree.well_formed = not tree.problems
    return tree


def _merge_frame(tree: Tree, name: object, at: DataPath) -> None:
    folder = data_folder("rules") / FRAMES
    path = folder / f"{name}.yaml"
    if not path.is_file():
        known = Text(
            "there is: {names}", names=tuple(sorted(p.stem for p in folder.glob("*.yaml")))
        )
        tree.problem("unknown-frame", "there is no frame `{name}`", at, known, name=name)
        return
    source = read_source(path, f"{FRAMES}/{path.name}", "frame", tree.problems, folder)
    if source is None:
        return
    _expand(source)
    for section, value in source.data.items():
        # A game replaces single texts and slips.
        nested = section in {"texts", "slips"}
        paths = [(section, key) for key in value] if nested else [(section,)]
        for part in paths if section not in {"title", "source"} else ():
            _merge(tree, part, *source.at(part), under=True)


def _sections(schema: str, data: Entry) -> Iterator[tuple[DataPath, DataPath]]:
    match schema:
        case "entities":
            yield from ((("entities", kind), (kind,)) for kind in data if kind != "source")
        case "view":
            parts = (part for part in data if part != "source")
            yield from (((p,) if p == "functions" else ("view", p), (p,)) for p in parts)
        case "messages":
            yield ("texts", data["language"]), ("texts",)
        case "names":
            for kind in data["names"]:
                yield ("names", data["language"], kind), ("names", kind)
            for part in ("ours", "plurals"):
                if part in data:
                    yield (part, data["language"]), (part,)
        case _:
            yield from (((key,), (key,)) for key in _SECTIONS.get(schema, data) if key in data)


def fill_in_like(tree: Tree, ident: str, earlier: Sequence[str] = ()) -> None:
    """Give a move what it leaves out, from the move that it is ``like``, and drop `like`.

    Report an unknown move, or one that is like itself. ``earlier`` are the moves that are like it.
    """
    moves, path = tree.data["moves"], ("moves", ident)
    like = moves[ident].get("like") if isinstance(moves[ident], dict) else None
    if not isinstance(like, str):
        return
    at = (*path, "like")
    if like == ident or like in earlier:
        tree.problem("endless", "the move `{name}` is like itself", at, name=like)
    elif like not in moves:
        near = did_you_mean(like, moves)
        tree.problem("unknown-move", "there is no move `{name}`", at, *near, name=like)
    else:
        fill_in_like(tree, like, (*earlier, ident))
        other, node = tree.copied(("moves", like))
        own = {*moves[ident], "_defaults"} if "defaults" in moves[ident] else {*moves[ident]}
        for key in other.keys() - own:
            tree.put((*path, key), other[key], node.parts[key])
    tree.remove(at)


def _expand(source: Document) -> None:
    default = ["turns"], Node(None, parts={0: Node(None)})
    phases = source.at(("phases",)) if "phases" in source.data else default
    defaults = source.data.get("defaults", {}).get("requires", [])
    for ident, move in source.data.get("moves", {}).items():
        if "like" in move:
            continue
        if "phases" not in move:
            source.put(("moves", ident, "phases"), *phases)
        if defaults and move.get("defaults", True):
            source.put(("moves", ident, "_defaults"), *source.at(("defaults", "requires")))


def _merge(tree: Tree, section: DataPath, value: Any, node: Node, *, under: bool = False) -> None:
    """Merge a part into its section, ``under`` existing parts for a frame."""
    around = tree.section(section[:-1])
    if isinstance(value, list) and section[-1] in around:
        # A game defines its own opening.
        if not (under and section[-1] == "opening"):
            tree.insert(section, len(around[section[-1]]), value, node)
    elif not isinstance(value, dict) and section[-1] not in around:
        tree.put(section, value, node)
    else:
        there = tree.section(section)
        for key, part in node.parts.items():
            if key not in there:
                tree.put((*section, key), value[key], part)
            elif not under:
                file, span = tree.where((*section, key))
                template = "`{key}` is defined twice; the first is in {file}, line {line}"
                message = Text(template, key=key, file=file, line=span.line)
                twice = fault("defined-twice", message, (key,), mark="key")
                tree.problems.append(twice.placed(Document(value, node)))


def item_name(item: object) -> str | None:
    """Return the name of an item of a list: its label, its rule, or the move of a step.

    >>> item_name({"label": "pay", "give": "wool"})
    'pay'
    """
    if not isinstance(item, dict):
        return None
    name = item.get("label", item.get("rule", item.get("use", item.get("move"))))
    return name if isinstance(name, str) else None


def item_names(items: Sequence[object]) -> list[str | None]:
    """Return names of items; repeated ones are numbered from the second on."""
    names: list[str | None] = []
    counts: Counter[str | None] = Counter()
    for name in map(item_name, items):
        counts[name] += 1
        names.append(f"{name} {counts[name]}" if name is not None and counts[name] > 1 else name)
    return names


_PLACE = re.compile(r"(?:\w+\.)*(\w+)(?:\[.*\])?")
"""A place in an expression, such as `who.hand` or `market[card.title]`, and its last name."""

_NAMED_ALONE = frozenset(
    {
        "draw", "either", "lacks", "perhaps", "points", "reveal", "run", "seat", "stop", "unknown",
        "unsure",
    }
)  # fmt: skip
"""Effects, and parts of a score, that are called by what they are."""

_INNER = ("then", "else", "does")
"""The keys for effects inside an effect."""


def effect_name(item: object) -> str | None:
    """Return what a part of a list is called without a label: by what it does, and to what.

    >>> effect_name({"do": {"draw-cards": {"who": "me"}}})
    'draw-cards'
    >>> effect_name({"move": {"from": "who.hand", "to": "who.discard"}})
    'move-hand-to-discard'
    >>> effect_name({"if": "coins > 0", "then": [{"add": {"who.coins": "-1"}}]})
    'if-add-coins'
    """
    if not isinstance(item, dict):
        return None
    for word, about in item.items():
        first = next(iter(about), None) if isinstance(about, dict) else None
        match word:
            case "do" | "ask":
                return first
            case "say":
                return item_name(about)
            case "kind":
                return about if isinstance(about, str) else None
            case "reset" | "order":
                return _joined(word, str(about))
            case "after" if isinstance(about, list):
                return _joined(word, *map(str, about))
            case "set" | "add":
                return _joined(word, _last_name(first))
            case "move" if isinstance(about, dict):
                source, target = _last_name(about.get("from")), _last_name(about.get("to"))
                return _joined(word, source, target and "to", target)
            case "if" | "each" | "let" | "while":
                inner = (part for key in _INNER for part in item.get(key) or ())
                return _joined(word, effect_name(next(inner, None)))
    return next((str(word) for word in item if word in _NAMED_ALONE), None)


def _last_name(expression: object) -> str:
    """Return the last name of a place; "" if an expression is something else."""
    found = _PLACE.fullmatch(expression) if isinstance(expression, str) else None
    return found[1] if found else ""


def _joined(*words: str | None) -> str:
    return "-".join(filter(None, words))


def part_names(there: Sequence[object]) -> Iterator[tuple[DataPath, str]]:
    """Yield paths and names of the parts of a list, and of the effects inside them.

    Labels and ids of rules come first; repeated names are numbered from the second on.
    """
    used: Counter[str] = Counter()
    named: set[DataPath] = set()
    direct = [((number,), name) for number, name in enumerate(item_names(there)) if name]
    for path, name in (*direct, *labels(there)):
        used[name] += 1
        named.add(path)
        yield path, name
    for path, item in (*(((n,), item) for n, item in enumerate(there)), *_nested(there)):
        called = effect_name(item) if path not in named else None
        if called is not None:
            used[called] += 1
            yield path, called if used[called] == 1 else f"{called} {used[called]}"


def _nested(there: object) -> Iterator[tuple[DataPath, object]]:
    """Yield the effects inside of the effects of a list, outer ones first."""
    for number, item in enumerate(there if isinstance(there, list) else ()):
        for key in _INNER:
            inner = item.get(key) if isinstance(item, dict) else None
            for at, other in enumerate(inner if isinstance(inner, list) else ()):
                yield (number, key, at), other
            yield from (((number, key, *path), other) for path, other in _nested(inner))


def follow(data: object, segments: Sequence[str]) -> tuple[DataPath, Any, Sequence[str]]:
    """Return how far a dotted path leads: the path, the data there, the other segments.

    >>> follow({"moves": {"buy": {}}}, ["moves", "sell"])
    (('moves',), {'buy': {}}, ['sell'])
    """
    there: Any = data
    path: DataPath = ()
    while segments and (step := _step(there, segments)):
        keys, used = step
        for key in keys:
            there = there[key]
        path, segments = (*path, *keys), segments[used:]
    return path, there, segments


def _step(there: object, segments: Sequence[str]) -> tuple[DataPath, int] | None:
    """Return the next keys of a dotted path, and how many segments they use.

    There are several keys if a label names a nested effect.
    """
    if isinstance(there, dict):
        # Keys may contain dots: use the longest.
        for used in range(len(segments), 0, -1):
            key = ".".join(segments[:used])
            if key in there and not key.startswith("_"):
                return (key,), used
    elif isinstance(there, list):
        name = segments[0]
        if name.isascii() and name.isdigit() and len(name) < 6 and int(name) < len(there):
            return (int(name),), 1
        return next(((path, 1) for path, label in part_names(there) if label == name), None)
    return None


def labels(there: object) -> Iterator[tuple[DataPath, str]]:
    """Yield paths and labels of nested effects."""
    for number, item in enumerate(there if isinstance(there, list) else ()):
        for key in ("then", "else", "does"):
            inner = item.get(key) if isinstance(item, dict) else None
            for at, other in enumerate(inner if isinstance(inner, list) else ()):
                if isinstance(other, dict) and isinstance(other.get("label"), str):
                    yield (number, key, at), other["label"]
            yield from (((number, key, *path), label) for path, label in labels(inner))


def steps(there: object) -> list[str]:
    """Return the possible next steps of a dotted path."""
    if isinstance(there, dict):
        return [str(key) for key in there if not str(key).startswith("_")]
    if isinstance(there, list):
        names = dict(part_names(there))
        direct = [names.pop((number,), str(number)) for number in range(len(there))]
        return [*direct, *names.values()]
    return []


def walk(data: object, path: DataPath = ()) -> Iterator[tuple[DataPath, object]]:
    """Yield every part of ``data`` with its path, outer ones first.

    >>> list(walk({"a": [1]}))
    [((), {'a': [1]}), (('a',), [1]), (('a', 0), 1)]
    """
    yield path, data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from walk(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from walk(value, (*path, number))

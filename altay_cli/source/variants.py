"""Variants: files that change the rules by path, alone or combined."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from marshal import dumps
from pathlib import Path
from typing import Any

from altay_cli.base.files import Access, named_file
from altay_cli.base.findings import Finding, Span, Text, did_you_mean
from altay_cli.source import limits
from altay_cli.source.document import DataFinding, DataPath, Document, Node, SourceText, fault
from altay_cli.source.folder import (
    Change,
    Tree,
    Variant,
    change_at,
    fill_in_like,
    follow,
    read_text,
    steps,
)
from altay_cli.source.schema import schema_at, validate

FRAME = "frame"
"""Variants cannot change this section, as it is merged before."""

Left = frozenset[tuple[str, int]]
"""Changes to leave out: file name, and number from 0, or HEAD for faulty keys beside them."""

HEAD = -1
_NEEDED = {"variant": str, "extends": str, "change": list}
"""Without these keys, nothing of a variant can be applied."""


# Why an extended file is not read.
_NOT_READ = {
    Access.OUTSIDE: "`{name}` is outside the folder of the variant",
    Access.HIDDEN: "`{name}` is hidden, and hidden files are not read",
    Access.MISSING: "there is no file `{name}` beside this one",
}

# Messages if what is declared about other variants does not hold.
_PARTNERS = {
    "excludes": "`{variant}` cannot be played together with `{other}`",
    "needs": "`{variant}` needs `{other}`, which is not played",
}


class Chains:
    """Reads variant files and those that they extend."""

    def __init__(self, folder: Path, problems: list[Finding], left: Left = frozenset()) -> None:
        self.folder = folder
        self.problems = problems
        self.left = left
        self.sources: list[Document] = []
        """All files that could be read."""
        self.files: list[Path] = []
        """The requested files, with paths as given."""
        self._read: dict[Path, Variant] = {}

    def read(self, paths: Sequence[Path]) -> list[Variant]:
        """Return the variants to apply; extended ones come first."""
        for path in paths:
            self.files.append(path)
            root = self.folder if path.is_relative_to(self.folder) else path.resolve().parent
            self._chain(path.resolve(), root.resolve(), ())
        variants = list(self._read.values())
        ids = {variant.id for variant in variants}
        for variant in variants:
            for key, template in _PARTNERS.items():
                rule = "variant-excluded" if key == "excludes" else "variant-needed"
                for number, other in enumerate(variant.source.data.get(key, [])):
                    if (other in ids) is (key == "excludes"):
                        at = (key, number)
                        wrong = fault(rule, template, at, variant=variant.id, other=other)
                        self.problems.append(wrong.placed(variant.source))
        return variants

    def _chain(self, path: Path, root: Path, below: tuple[Path, ...]) -> Variant | None:
        if path in self._read:
            return self._read[path]
        read: list[Finding] = []
        source = read_text(path, path.name, "variant", read, root)
        if source is None:
            self.problems += read
            return None
        self.sources.append(source)
        faults, accepted = self._faults(source, read)
        self.problems.extend(faults)
        if faults:
            return None
        data = source.data
        ancestors: frozenset[str] = frozenset()
        if data["extends"] != self.folder.name:
            parent = self._parent(source, root, (*below, path))
            if isinstance(parent, DataFinding):
                problem = parent.placed(source)
                if problem.span not in accepted:  # else its form is wrong already
                    self.problems.append(problem)
            if not isinstance(parent, Variant):
                return None
            ancestors = parent.ancestors | {parent.id}
        numbers = [n for n in range(len(data["change"])) if (source.file, n) not in self.left]
        self._read[path] = Variant(data["variant"], path, source, ancestors, tuple(numbers))
        return self._read[path]

    def _faults(self, source: Document, read: Sequence[Finding]) -> tuple[list[Finding], set[Span]]:
        """Return problems of form, and the places of those in what is left out.

        Faulty keys of the head are dropped.
        """
        known = {problem.span for problem in read}
        found = (*read, *(p for p in validate(source, "variant") if p.span not in known))
        numbered = [(change_number(source, problem), problem) for problem in found]
        # The note that there are more problems may be due to other changes.
        faults = [
            problem
            for number, problem in numbered
            if problem.rule == "too-many-problems" or (source.file, number) not in self.left
        ]
        data = source.data if isinstance(source.data, dict) else {}
        if not all(isinstance(data.get(key), form) for key, form in _NEEDED.items()):
            return faults or [*found], set()
        wrong = {p.span for number, p in numbered if number == HEAD and p not in faults}
        for key in [key for key in data if key not in _NEEDED]:
            outer = source.where((key,))[1]
            if any(outer[:2] <= span[:2] <= outer[2:] for span in wrong):
                del data[key]
        return faults, wrong

    def _parent(
        self, source: Document, root: Path, below: tuple[Path, ...]
    ) -> Variant | DataFinding | None:
        name, shipped, at = source.data["extends"], self.folder / "variants", ("extends",)
        path, place = named_file(f"{name}.yaml", shipped, shipped)
        if place is Access.THERE:
            root = shipped.resolve()
        elif name.endswith((".yaml", ".yml")):
            path, place = named_file(name, below[-1].parent, root)
        else:
            known = [self.folder.name, *sorted(p.stem for p in shipped.glob("*.yaml"))]
            near = did_you_mean(name, known, "there is: {names}")
            template = "there is neither a game nor a variant `{name}`"
            return fault("extends-unknown", template, at, *near, name=name)
        if place is not Access.THERE:
            rule = "extends-unknown" if place is Access.MISSING else "extends-outside"
            return fault(rule, _NOT_READ[place], at, name=name)
        self.files.append(path)
        path = path.resolve()
        if path in below:
            return fault("extends-itself", "`{name}` extends this variant in turn", at, name=name)
        if len(below) >= limits.MAX_CHAIN:
            template = "more than {count} variants extend each other"
            return fault("extends-too-long", template, at, count=limits.MAX_CHAIN)
        return self._chain(path, root, below)


def change_number(source: Document, problem: Finding) -> int:
    """Return the number of the change with a problem of a file, or HEAD."""
    number = change_at(source, problem.file, problem.span)
    return HEAD if number is None else number


def extended(path: Path) -> str:
    """Return the id of the game or shipped variant that a variant ultimately extends.

    "" if a file cannot be read; ``Chains`` reports that.
    """
    root = path.resolve().parent
    for _ in range(limits.MAX_CHAIN):
        name = extension(path)
        if not name.endswith((".yaml", ".yml")):
            return name
        path, place = named_file(name, path.parent, root)
        if place is not Access.THERE:
            break
    return ""


def extension(path: Path) -> str:
    """Return what a variant file extends, as written, or ""."""
    source = read_text(path, path.name, "variant", [], path.parent)
    data = source.data if source is not None else None
    return str(data.get("extends", "")) if isinstance(data, dict) else ""


_NAMES = ("names", "plurals", "ours")

# By section and depth of a part: the paths of dependent parts. Numbers stand for steps of its path.
_HANGING: dict[tuple[str | int, int], list[tuple[str | int, ...]]] = {
    ("entities", 3): [
        ("view", "things", 1, "looks", 2), *((section, "*", 1, 2) for section in _NAMES),
    ],
    ("entities", 2): [("view", "things", 1, "looks"), *((section, "*", 1) for section in _NAMES)],
    ("kinds", 2): [
        ("view", "things", 1), ("entities", 1), *((section, "*", 1) for section in _NAMES),
    ],
    ("moves", 2): [
        ("view", "moves", 1), ("policies", "*", "worth", 1), ("measures", "*", "moves", 1),
        ("opening", 1),
    ],
}  # fmt: skip


class Patcher:
    """Applies variants to a tree, one by one."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        # The changes so far, with the changed part and its new value.
        self.touched: list[tuple[Change, DataPath, object]] = []

    def apply(self, variant: Variant) -> None:
        """Apply a variant; note missing targets and conflicts."""
        for language, texts in variant.source.data.get("texts", {}).items():
            if language not in self.tree.section(("texts",)):
                path: DataPath = ("texts", language)
                self.tree.put(path, *variant.source.copied(path))
            for english in texts:
                path = ("texts", language, english)
                self.tree.put(path, *variant.source.at(path))
        for change in variant.changes:
            self._apply(change)

    def _problem(self, rule: str, change: Change, message: str, *help_lines: str) -> None:
        finding = fault(rule, message, change.at, *help_lines, mark="value")
        self.tree.problems.append(finding.placed(change.variant.source))

    def _apply(self, change: Change) -> None:
        path, there, segments = follow(self.tree.data, change.path.split("."))
        if not segments:
            self._change(change, path, exists=True)
            return
        new = self._new(change, path, segments) if isinstance(there, dict) else None
        if new is not None:
            for cut in range(len(path) + 1, len(new)):
                self.tree.put(new[:cut], {}, Node(None))
            if change.word == "extend":  # a missing list counts as empty
                self.tree.put(new, [], Node(None))
            self._change(change, new, exists=change.word == "extend")
        elif not self._conflicts(change, None, None):
            known = steps(there) if path else sorted(schema_at(())["properties"].keys() - {FRAME})
            template = (
                "there is no `{name}` in {place}" if path else "there is no `{name}` in the rules"
            )
            message = Text(template, name=segments[0], place=".".join(map(str, path)))
            near = did_you_mean(segments[0], known, "there is: {names}" if len(known) <= 40 else "")
            if isinstance(there, list) and change.word == "add" and len(segments) == 1:
                extend = f"{{extend: {'.'.join(map(str, path))}, with: [...]}}"
                near = (*near, Text("a list gets something new by `{extend}`", extend=extend))
            self._problem("patch-hits-nothing", change, message, *near)

    def _new(self, change: Change, path: DataPath, segments: Sequence[str]) -> DataPath | None:
        """Return the path of the entry that a change creates, if the schemas allow it.

        One new name may be any, as the merged rules are checked afterwards.
        """
        if change.word in {"remove", "move"}:
            return None
        if path == ("zones",):  # their names contain dots
            segments = [".".join(segments)]
        new = (*path, *segments)
        around = [schema_at(new[:depth]) for depth in range(len(path) + 1, len(new))]
        # New enclosing parts must not require other keys.
        fits = all(schema.get("type") == "object" and "required" not in schema for schema in around)
        if change.word == "extend":
            fits = fits and schema_at(new).get("type") == "array"
        elif path and len(segments) == 1:
            return new
        name, declared = segments[0], schema_at(path).get("properties", {})
        return new if fits and name in declared and (path or name != FRAME) else None

    def _change(self, change: Change, target: DataPath, *, exists: bool) -> None:
        there, key = self.tree.at(target[:-1])[0], target[-1]
        data, word = change.data, change.word
        template = ""
        if word == "add" and exists:
            template = "`{path}` already exists; `set` replaces it"
            if isinstance(there[key], list):
                template = "`{path}` already exists; `extend` adds to it"
        elif word == "extend" and not isinstance(there[key], list):
            template = "`{path}` is not a list"
        elif word == "move" and not isinstance(there, dict):
            template = "`{path}` is not an entry of a section"
        if template:
            message = Text(template, path=data[word])
            self._problem("patch-exists" if word == "add" else "patch-no-list", change, message)
            return
        value = data.get("to", data.get("with"))
        if word == "move":
            value = [data.get(key) for key in ("first", "before", "after")]
        if self._conflicts(change, target, value):
            return
        self.touched.append((change, target, value))
        if word == "extend":
            self._extend(change, target, there[key])
        elif word == "remove":
            self._remove(target)
            # Dependent parts are removed too.
            for pattern in _HANGING.get((target[0], len(target)), ()):
                way = [target[step] if isinstance(step, int) else step for step in pattern]
                for path in [*self._matching(way)][::-1]:  # later items of lists first
                    self._remove(path, hanging=True)
        else:
            is_placed = {"first", "before", "after"} & data.keys()
            if (
                word == "set"
                and exists
                and not is_placed
                and self._is_same(change, target, there[key])
            ):
                self.tree.same.append(change)
            if word != "move":
                self._set(change, target, there[key] if exists else None)
            if isinstance(there, dict):
                self._order(change, there, key)

    def _is_same(self, change: Change, target: DataPath, there: object) -> bool:
        """Return True if a part has its new value already, and not by an unrelated variant."""
        known = {change.variant.id, *change.variant.ancestors}
        value = change.data["to"]
        # The order of a section can matter, and `1` is not `true`.
        return (value == there and json.dumps(value) == json.dumps(there)) and all(
            other.variant.id in known for other, path, _ in self.touched if path == target
        )

    def _set(self, change: Change, target: DataPath, replaced: Any) -> None:
        """Replace a part; a move keeps its phases, unless it has new ones.

        They may come from defaults of its file, which a variant does not see.
        """
        old_phases = None
        if target[:-1] == ("moves",) and isinstance(replaced, dict) and "phases" in replaced:
            old_phases = self.tree.at((*target, "phases"))
        value, node = change.variant.source.copied(("change", change.number, "to"))
        self.tree.put(target, value, node)
        if target[:-1] == ("moves",):
            fill_in_like(self.tree, str(target[-1]))
        if old_phases and isinstance(value, dict) and "phases" not in value:
            self.tree.put((*target, "phases"), *old_phases)

    def _conflicts(self, change: Change, path: DataPath | None, value: object) -> bool:
        """Report a conflict with an unrelated variant that changed a part differently.

        Without ``path``, that variant removed the part.
        """
        variant = change.variant
        for other, touched, put in self.touched:
            if other.variant is variant or other.variant.id in variant.ancestors:
                continue
            if path is None:
                template, shown = "`{variant}` removes {path}", other.path
                clashes = other.word == "remove" and f"{change.path}.".startswith(f"{shown}.")
            else:
                # A change affects all parts inside and around it.
                short = min(len(path), len(touched))
                same_change = touched == path and other.word == change.word
                is_same = same_change and (put == value or change.word == "extend")
                template = "`{variant}` changes {path} in another way"
                shown = ".".join(map(str, touched))
                clashes = path[:short] == touched[:short] and not is_same
            if clashes:
                file, span = other.place()
                place = Text(
                    "the other change is in {file}, line {line}", file=file, line=span.line
                )
                message = Text(template, variant=other.variant.id, path=shown)
                self._problem("variant-conflict", change, message, place)
                return True
        return False

    def _remove(self, target: DataPath, *, hanging: bool = False) -> None:
        """Remove a part, and enclosing parts that must not be empty.

        A mistake if the schema requires one, unless it was ``hanging`` on a removed part.
        """
        self.tree.remove(target)
        around = target[:-1]
        filled = not schema_at(around).keys().isdisjoint(("minItems", "minProperties"))
        if not around or not filled or self.tree.at(around)[0]:
            return
        outer, holder = schema_at(around[:-1]), self.tree.at(around[:-1])[0]
        # An item of a list stays, to keep the numbers of the others.
        if not isinstance(holder, dict):
            return
        left = holder.keys() - {around[-1]}
        ways = [*outer.get("oneOf", ()), *outer.get("anyOf", ())] or [outer]
        if left.issuperset(outer.get("required", ())) and any(
            left.issuperset(way.get("required", ())) for way in ways
        ):
            self._remove(around, hanging=hanging)
        elif hanging:
            self._remove(around[:-1], hanging=True)

    def _matching(self, way: Sequence[str | int], path: DataPath = ()) -> Iterator[DataPath]:
        """Yield the existing paths; a step is a key, `*` for any key, or the name of an item."""
        if not way:
            yield path
            return
        step, *further = way
        there = self.tree.at(path)[0]
        keys: list[str | int] = []
        if isinstance(there, dict):
            keys = list(there) if step == "*" else [step] if step in there else []
        elif isinstance(there, list):
            named = [item.get("move") if isinstance(item, dict) else item for item in there]
            keys = [number for number, name in enumerate(named) if name == step]
        for key in keys:
            yield from self._matching(further, (*path, key))

    def _extend(self, change: Change, target: DataPath, items: Any) -> None:
        neighbour = change.data.get("before", change.data.get("after"))
        at = 0 if change.data.get("first") else len(items)
        if neighbour is not None:
            where, _, left = follow(items, [str(neighbour)])
            if left:
                near = did_you_mean(str(neighbour), steps(items))
                message = Text("there is no `{name}` in that list", name=neighbour)
                self._problem("patch-hits-nothing", change, message, *near)
                return
            target = (*target, *where[:-1])  # it may be inside an effect
            at = int(where[-1]) + ("after" in change.data)
        self.tree.insert(
            target, at, *change.variant.source.copied(("change", change.number, "with"))
        )

    def _order(self, change: Change, there: dict[str | int, object], key: str | int) -> None:
        neighbour = change.data.get("before", change.data.get("after"))
        names = [other for other in there if other != key]
        if neighbour in names:
            names.insert(names.index(neighbour) + ("after" in change.data), key)
        elif neighbour is not None:
            near = did_you_mean(str(neighbour), map(str, names))
            message = Text("there is no `{name}` beside it", name=neighbour)
            self._problem("patch-hits-nothing", change, message, *near)
            return
        elif change.data.get("first"):
            names.insert(0, key)
        else:
            return
        for name in names:
            there[name] = there.pop(name)


def revalidate(tree: Tree, base: Tree, file: str) -> None:
    """Check changed rules against the schemas again, as a change can put anything anywhere.

    ``base`` are the valid rules before; ``file`` is named for parts without a place.
    """
    # Checking a large game takes a third of a second, so skip unchanged sections.
    tree.root.text = SourceText(file)
    # Form 2 of marshal is the last that writes equal data alike; it tells true from 1.
    old, new = ({key: dumps(part, 2) for key, part in rules.data.items()} for rules in (base, tree))
    right = {name for name in new if new[name] == old.get(name)}
    moves = tree.data.get("moves")
    changed = dict(tree.data)
    if isinstance(moves, dict) and "moves" not in right:
        changed["moves"] = {
            ident: {key: move[key] for key in move if key != "_defaults"}
            if isinstance(move, dict)
            else move
            for ident, move in moves.items()
        }
    faults = validate(Document(changed, tree.root), "rules", right=right)
    tree.problems.extend(faults)
    tree.well_formed = not faults

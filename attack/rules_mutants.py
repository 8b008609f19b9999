"""Yield every change of one thing in the rules that some test should notice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from altay_cli.base.values import Bag, Entity
from altay_cli.pack.model import Expr, Pack
from altay_cli.source.document import DataPath
from altay_cli.source.folder import Tree, walk
from attack.rules_packs import Built, Undo, Variants, plain, shipped

EXCEPTIONS = Path(__file__).parent / "rules_exceptions.yaml"

NUMBER = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[A-Za-z_]\w*|(\d+)")
"""An integer in an expression; texts and names are skipped."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. ``ident`` is stable while the rules have the changed part.

    path, value: the change in the tree of the rules; ``only``: its variant.
    """

    ident: str
    operator: str
    file: str
    line: int
    was: str
    became: str
    path: DataPath
    value: Any
    only: Path | None = None
    requirement: tuple[str, str, int] | None = None
    """The move, the rule, and which of several requirements of that rule."""
    condition: str = ""
    """The change of the condition: "always", "never" or "negate"."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return a word in tests that may notice it."""
        if self.requirement is not None:
            return (self.requirement[1],)
        parts = [part for part in self.path if isinstance(part, str)]
        return tuple(part.replace("_", " ") for part in parts[1:3])

    def concerns(self, variants: Variants) -> bool:
        """Return True if the rules have the changed part."""
        return self.only is None or self.only in variants

    def edit(self, tree: Tree) -> None:
        """Change the tree, unless a variant has another value."""
        if self.requirement is not None:
            self._edit_requirement(tree)
            return
        holder: Any = tree.data
        for step in self.path[:-1]:
            holder = holder[step]
        if str(holder[self.path[-1]]) == self.was or not isinstance(self.value, str | int):
            holder[self.path[-1]] = deepcopy(self.value)

    def _edit_requirement(self, tree: Tree) -> None:
        assert self.requirement is not None
        ident, rule, which = self.requirement
        move = tree.data["moves"][ident]
        for section in ("_defaults", "requires"):
            entries = list(move.get(section, []))
            for number, entry in enumerate(entries):
                definition = tree.data["rules"][entry["use"]] if "use" in entry else entry
                if entry.get("use", entry.get("rule")) != rule:
                    continue
                if which == 0:
                    that = conditional(self.condition, str(definition["that"]))
                    entries[number] = {**definition, "rule": rule, "that": that}
                    move[section] = entries
                    return
                which -= 1

    def apply(self, built: Built) -> list[Undo] | None:
        """Change a compiled pack in place; None if it must be recompiled.

        Raise Refused if the changed text is not an expression.
        """
        if self.requirement is not None:
            found = find_requirement(built.pack, self.requirement)
            return [_conditionally(built, self.condition, found)] if found is not None else []
        if self.condition:
            return [
                _conditionally(built, self.condition, built.by_key[site.key])
                for site in built.sites.get(self.path, ())
            ]
        if self.operator == "literal":
            if not built.sites.get(self.path):
                return None
            return built.rewrite(self.path, self.value) if self._same(built.tree) else []
        if self.path[0] == "entities":
            return self._field(built)
        return None

    def keys(self, built: Built) -> set[str] | None:
        """Return the keys of changed expressions; None if other parts change, too."""
        if self.requirement is not None:
            found = find_requirement(built.pack, self.requirement)
            return {found.key} if found is not None else set()
        if self.condition or (self.operator == "literal" and built.sites.get(self.path)):
            return {site.key for site in built.sites.get(self.path, ())}
        return None

    def _same(self, tree: Tree) -> bool:
        holder: Any = tree.data
        try:
            for step in self.path:
                holder = holder[step]
        except LookupError:
            return False
        return str(holder) == self.was

    def _field(self, built: Built) -> list[Undo] | None:
        """Return None if other parts were derived from the number."""
        _, kind, ident, *rest = self.path
        found = built.pack.entities.get(str(kind), ())
        entity = next((thing for thing in found if thing.id == ident), None)
        if entity is None:
            return []
        while len(rest) > 2 and isinstance(rest[1], int):
            # An entity in another: an effect of a card, a copy of it.
            entity = entity.f[str(rest[0])][rest[1]]
            rest = rest[2:]
        declared = built.tree.data["kinds"][entity.kind]
        field, *rest = rest
        if field == declared.get("qualifier"):
            return None  # its name contains the number
        text = str(declared["fields"].get(field))
        if text == "int":
            return [_put(entity, str(field), self.value)]
        if text == "list(int)" and rest:
            return [_put(entity, str(field), self._changed(entity.f[str(field)], rest[0]))]
        if text.startswith("bag(") and isinstance(self.value, dict | list):
            things = {thing.id: thing for thing in built.pack.entities[text[4:-1]]}
            return [_put(entity, str(field), self._bag(things))]
        return None

    def _changed(self, values: list[int], number: Any) -> list[int]:
        return [self.value if n == number else old for n, old in enumerate(values)]

    def _bag(self, things: dict[str, Entity]) -> Bag:
        items = self.value.items() if isinstance(self.value, dict) else ((v, 1) for v in self.value)
        bag = Bag()
        for ident, count in items:
            bag[things[ident]] = bag.get(things[ident], 0) + count
        return bag


def _put(entity: Entity, field: str, value: Any) -> Undo:
    was = entity.f[field]
    entity.f[field] = value
    return lambda: entity.f.__setitem__(field, was)


def find_requirement(pack: Pack, wanted: tuple[str, str, int]) -> Expr | None:
    ident, rule, which = wanted
    for move in pack.moves:
        if move.id == ident:
            same_rule = [r.that for r in move.requires if r.text.rule == rule]
            return same_rule[which] if which < len(same_rule) else None
    return None


def conditional(condition: str, text: str) -> str:
    return {"always": "true", "never": "false"}.get(condition, f"!({text})")


def _conditionally(built: Built, condition: str, expr: Expr) -> Undo:
    fn = expr.fn
    changed = {
        "always": lambda _s, _v: True,
        "never": lambda _s, _v: False,
        "negate": lambda s, v: not fn(s, v),
    }
    return built.replace(expr.key, changed[condition])


# ---------------------------------------------------------------- what there is to change


@cache
def exceptions() -> dict[str, dict[str, str]]:
    """Return the excluded parts, by section and pattern, with the reason."""
    data: dict[str, dict[str, str]] = YAML(typ="safe").load(EXCEPTIONS.read_text(encoding="utf-8"))
    return data


def is_rule(tree: Tree, path: DataPath) -> bool:
    """Return True for a part of the rules of the game."""
    shown, (file, _) = dotted(path), tree.where(path)
    return file not in exceptions()["no rule files"] and not any(
        fnmatchcase(shown, pattern) for pattern in exceptions()["no rules"]
    )


def _place(tree: Tree, path: DataPath) -> tuple[str, int]:
    file, span = tree.where(path)
    return file, span.line


def requirements(built: Built) -> Iterator[Mutant]:
    """Yield each requirement, dropped and negated."""
    data = built.tree.data
    for ident, move in data["moves"].items():
        seen: dict[str, int] = {}
        entries = [("_defaults", n, e) for n, e in enumerate(move.get("_defaults", []))]
        entries += [("requires", n, e) for n, e in enumerate(move.get("requires", []))]
        for section, number, entry in entries:
            rule = entry.get("use", entry.get("rule"))
            which = seen[rule] = seen.get(rule, -1) + 1
            definition = data["rules"][rule] if "use" in entry else entry
            path: DataPath = ("moves", ident, section, number)
            file, line = _place(built.tree, path)
            name = f"{ident}/{rule}" + (f"#{which + 1}" if which else "")
            that = str(definition["that"])
            for operator, condition in (("drop", "always"), ("negate", "negate")):
                yield Mutant(
                    f"{operator} {name}", operator, file, line, that,
                    conditional(condition, that), path, None, None,
                    (ident, rule, which), condition,
                )  # fmt: skip


# The section, its pattern, and the changes of its condition.
_CONDITIONS = {
    "that": (("drop", "always"), ("negate", "negate")),
    "when": (("when", "always"), ("when", "never")),
    "if": (("if", "always"), ("if", "never")),
    "while": (("while", "never"),),
}


def conditions(built: Built, only: Path | None = None) -> Iterator[Mutant]:
    """Yield the other conditions, changed both ways."""
    for path in built.sites:
        if path[-1] not in _CONDITIONS or path[0] == "rules" or not is_rule(built.tree, path):
            continue
        if path[-1] == "that" and path[0] == "moves":
            continue  # a requirement
        if only is not None and not _in(built.tree, path, only):
            continue
        was = str(_at(built.tree, path))
        file, line = _place(built.tree, path)
        for operator, condition in _CONDITIONS[str(path[-1])]:
            became = conditional(condition, was)
            if built.tree.data["moves"].get(path[1], {}).get("fallback") and became == was:
                continue
            yield Mutant(
                _named(f"{condition} {dotted(path)}", only), operator, file, line, was, became,
                path, became, only, None, condition,
            )  # fmt: skip


def numbers(built: Built, only: Path | None = None) -> Iterator[Mutant]:
    """Yield each number in the data and in expressions, plus and minus one."""
    tree = built.tree
    for path, value in walk(tree.data):
        if not path or path[0] == "texts" or "_defaults" in path:
            continue
        if not isinstance(value, str | int | list | dict) or isinstance(value, bool):
            continue
        if only is not None and not _in(tree, path, only):
            continue
        if built.sites.get(path) and isinstance(value, str | int):
            if is_rule(tree, path):
                yield from _literals(tree, path, value, only)
        elif isinstance(value, int):
            if not is_rule(tree, path):
                continue
            if path[0] == "entities" and len(path) > 4 and _is_bag(tree, path[:-1]):
                continue  # a count in a bag, see below
            yield from _number(tree, path, value, only)
        elif path[0] == "entities" and len(path) >= 4 and _is_bag(tree, path):
            yield from _counts(tree, path, value, only)


def _named(name: str, only: Path | None) -> str:
    return name if only is None else f"{name} in {only.stem}"


def _literals(tree: Tree, path: DataPath, value: str | int, only: Path | None) -> Iterator[Mutant]:
    text = str(value)
    file, line = _place(tree, path)
    found = [match for match in NUMBER.finditer(text) if match[1] is not None]
    for number, match in enumerate(found):
        for step in (1, -1):
            changed = int(match[1]) + step
            written = str(changed) if changed >= 0 else f"({changed})"
            became = text[: match.start()] + written + text[match.end() :]
            name = dotted(path) + (f"#{number + 1}" if len(found) > 1 else "")
            yield Mutant(
                _named(f"{step:+} {name}", only),
                "literal",
                file,
                line,
                text,
                became,
                path,
                became,
                only,
            )


def _number(tree: Tree, path: DataPath, value: int, only: Path | None) -> Iterator[Mutant]:
    file, line = _place(tree, path)
    operator = "field" if path[0] == "entities" else "number"
    for step in (1, -1):
        new = value + step
        name = _named(f"{step:+} {dotted(path)}", only)
        yield Mutant(name, operator, file, line, str(value), str(new), path, new, only)


def _is_bag(tree: Tree, path: DataPath) -> bool:
    kinds = tree.data["kinds"]
    declared: Any = kinds.get(path[1], {})
    text = ""
    for step in path[3:]:
        if isinstance(step, int):
            continue
        text = declared.get("fields", {}).get(step, "")
        declared = kinds.get(text.removeprefix("list(").rstrip(")"), {})
    return text.startswith("bag(") and not isinstance(path[-1], int)


def _counts(tree: Tree, path: DataPath, value: Any, only: Path | None) -> Iterator[Mutant]:
    file, line = _place(tree, path)
    counts: dict[str, int] = {}
    for item, count in value.items() if isinstance(value, dict) else ((v, 1) for v in value):
        counts[item] = counts.get(item, 0) + count
    for item, count in counts.items():
        for step in (1, -1):
            new = {name: n for name, n in {**counts, item: count + step}.items() if n}
            became = [name for name, n in new.items() for _ in range(n)]
            yield Mutant(
                _named(f"{step:+} {dotted(path)}.{item}", only), "count", file, line, str(value),
                str(became), path, new if isinstance(value, dict) else became, only,
            )  # fmt: skip


def dotted(path: DataPath) -> str:
    """Return a path in the form of `altay rules show`."""
    return ".".join(map(str, path))


def _at(tree: Tree, path: DataPath) -> Any:
    found: Any = tree.data
    for step in path:
        found = found[step]
    return found


def _in(tree: Tree, path: DataPath, only: Path) -> bool:
    return Path(tree.where(path)[0]).name == only.name


def mutants() -> list[Mutant]:
    base = plain()
    found = [*requirements(base), *conditions(base), *numbers(base)]
    for path in shipped():
        built = plain((path,))
        found += [*conditions(built, path), *numbers(built, path)]
        # Requirements that variants add to moves.
        known = {mutant.ident for mutant in found}
        for mutant in requirements(built):
            if mutant.ident not in known:
                found.append(_of_variant(mutant, path))
    return found


def _of_variant(mutant: Mutant, path: Path) -> Mutant:
    return Mutant(
        f"{mutant.ident} in {path.stem}", mutant.operator, mutant.file, mutant.line, mutant.was,
        mutant.became, mutant.path, mutant.value, path, mutant.requirement, mutant.condition,
    )  # fmt: skip

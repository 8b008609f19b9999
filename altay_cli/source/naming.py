"""The names of entities in logs and reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from altay_cli.base.findings import there_is_no
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity
from altay_cli.notation.lexis import quote
from altay_cli.notation.parser import parse, tokens_of
from altay_cli.source.document import DataPath
from altay_cli.source.folder import Tree

_QUALIFIED = re.compile(r"(.*?)\s*\(([^()]*)\)")

_NO_NAME = "the {kind} `{name}` has no name here"

_Table = dict[str, tuple[Entity, ...]]
Names = dict[str, _Table]
_Shown = dict[str, dict[str, str]]
_Marked = dict[Entity, list[tuple[str, str]]]
"""The names with a mark in brackets, and the marks."""


def build_names(tree: Tree, entities: _Table) -> tuple[Names, _Shown, dict[str, str]]:
    """Collect the names of all languages.

    Return by kind the entities of each written name, ids included; by language the name to print
    for "kind id"; and the singular of each plural.
    """
    names: Names = {kind: {} for kind in entities}
    shown: _Shown = {}
    kinds: dict[str, Any] = tree.data.get("kinds", {})
    known = {kind: {e.id: e for e in table} for kind, table in entities.items()}
    marked: _Marked = {}
    numbered = {
        kind: any("qualifier" in kinds.get(c, {}) for c in entry.get("children", {}).values())
        for kind, entry in kinds.items()
    }
    for language, kind, path, every in _written(tree, "names"):
        entity = known.get(kind, {}).get(str(path[-1]))
        if entity is None:
            tree.problem(f"unknown-{kind}", there_is_no(kind, str(path[-1])), path, key=True)
            continue
        shown.setdefault(language, {})[f"{kind} {entity.id}"] = every[0]
        listed = isinstance(tree.at(path)[0], list)
        for number, name in enumerate(every):
            _check_brackets(tree, name, (*path, number) if listed else path, copies=numbered[kind])
            _add_name(names[kind], name, entity, marked)
    plurals: dict[str, str] = {}
    for language, kind, path, every in _written(tree, "plurals"):
        ident = str(path[-1])
        singular = shown.get(language, {}).get(f"{kind} {ident}")
        if singular is None:
            tree.problem(f"unknown-{kind}", _NO_NAME, path, key=True, kind=kind, name=ident)
            continue
        for name in every:
            _add_name(names[kind], name, known[kind][ident], marked)
            plurals[normal(name.partition("(")[0])] = singular.partition("(")[0].rstrip()
    # Name and mark may be in different languages.
    for entity, written in marked.items():
        for base, mark in product(*zip(*written, strict=True)):
            _add(names[entity.kind], f"{base}({mark})", entity)
    _check_ours_have_names(tree)
    for kind, table in known.items():
        for entity in table.values():
            names[kind].setdefault(normal(entity.id), (entity,))
    for kind, entry in kinds.items():
        for child in entry.get("children", {}).values():
            if child in entities:
                _name_children(kind, child, kinds[child].get("qualifier"), entities, names, shown)
    return names, shown, plurals


def _written(tree: Tree, section: str) -> Iterator[tuple[str, str, DataPath, list[str]]]:
    for language, tables in tree.data.get(section, {}).items():
        for kind, table in tables.items():
            for ident, written in table.items():
                every = written if isinstance(written, list) else [written]
                yield language, kind, (section, language, kind, ident), every


def _check_brackets(tree: Tree, name: str, path: DataPath, *, copies: bool) -> None:
    """Check that the mark in brackets after a name can be written in a log.

    ``copies``: copies of the entity have a mark there.
    """
    match = _QUALIFIED.fullmatch(name)
    if match is None and not copies:
        return
    base, mark = (match[1], f"({match[2]})") if match else (name, "(1)")
    tokens = tokens_of(base)
    if not tokens or tokens[-1].kind == "number":
        template = "a log cannot contain the name `{name}`: brackets follow a word, not a number"
        tree.problem("name-unwritable", template, path, name=base + mark)
    elif not parse(f"{quote(base)}{mark}").sound:
        tree.problem(
            "name-unwritable", "a log cannot contain `{mark}` after a name", path, mark=mark
        )


def _check_ours_have_names(tree: Tree) -> None:
    for language, kinds in tree.data.get("ours", {}).items():
        named = tree.data.get("names", {}).get(language, {})
        for kind, idents in kinds.items():
            path: DataPath = ("ours", language, kind)
            if kind not in named:
                tree.problem("unknown-kind", "no {kind} has a name here", path, key=True, kind=kind)
            for number, ident in enumerate(idents if isinstance(idents, list) else []):
                if kind in named and ident not in named[kind]:
                    tree.problem(
                        f"unknown-{kind}", _NO_NAME, (*path, number), kind=kind, name=ident
                    )


def _add(table: _Table, name: str, entity: Entity) -> None:
    if entity not in table.get(name, ()):
        table[name] = (*table.get(name, ()), entity)


def _add_name(table: _Table, name: str, entity: Entity, marked: _Marked) -> None:
    """Of ``Name(mark)``, add the word alone, and both parts to ``marked``."""
    match = _QUALIFIED.fullmatch(name)
    _add(table, normal(match[1] if match else name), entity)
    if match:
        marked.setdefault(entity, []).append((normal(match[1]), normal(match[2])))


def _name_children(
    kind: str, child: str, qualifier: str | None, entities: _Table, names: Names, shown: _Shown
) -> None:
    names[child] = {}
    for name, parents in names[kind].items():
        for parent in parents:
            for entity in (e for e in entities[child] if e.f.get(kind) is parent):
                mark = entity.f.get(qualifier) if qualifier else None
                _add(names[child], name, entity)
                if "(" not in name:
                    _add(names[child], f"{name}({mark})", entity)
                key = f"{kind} {parent.id}"
                for printed in shown.values():
                    base = printed.get(key) or shown.get("en", {}).get(key, parent.id)
                    printed[f"{child} {entity.id}"] = f"{base}({mark})" if mark else base

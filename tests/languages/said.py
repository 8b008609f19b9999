"""What the rules of a game say: all texts that are translated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from altay_cli.base.suggest import normal
from altay_cli.pack.words import split_message
from altay_cli.source.yaml_reader import read_yaml

WORDS = re.compile(r"\bwords\('([^']*)'\)")
TITLED = (
    "moves", "rules", "decisions", "triggers", "claims", "categories", "kinds", "policies",
    "measures", "numbers", "options", "zones", "rulings", "assumptions",
    "procedures",
)  # fmt: skip
SAYING = (
    "moves", "rules", "decisions", "triggers", "categories", "assumptions", "checks", "procedures",
    "claims",
)  # fmt: skip
MESSAGES = ("else", "message", "help", "since", "show")
VALUES = ("nothing", "yes", "no")


def strings(data: Any, keys: tuple[str, ...] | None = None) -> Iterator[str]:
    """Yield all texts in ``data``, or those that stand under one of ``keys``."""
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, str):
                if keys is None or key in keys:
                    yield value
            else:
                yield from strings(value, keys)
    elif isinstance(data, list):
        for value in data:
            if isinstance(value, str):
                if keys is None:
                    yield value
            else:
                yield from strings(value, keys)


def has_words(text: str) -> bool:
    return any(part.strip() for part, offset in split_message(text) if offset is None)


def texts_of(data: dict[str, Any]) -> set[str]:
    """Return what rules say: titles, messages, and texts that expressions join."""
    view = data.get("view", {})
    titled = [entry for section in TITLED for entry in data.get(section, {}).values()]
    found = {data["title"], *data.get("groups", ()), *data.get("rulebooks", {}).values()}
    found |= {entry["title"] for entry in (*titled, *data["opening"]) if "title" in entry}
    required = [one for move in data["moves"].values() for one in move.get("requires", ())]
    found |= {one["title"] for one in required if "title" in one}
    found |= set(strings(view, ("title",)))
    found |= set(strings([kind.get("tells", {}) for kind in data["kinds"].values()], ("title",)))
    found |= {text for text in strings(view, ("tells",)) if has_words(text)}
    for ruling in data.get("rulings", {}).values():
        found.add(ruling["reason"])
        if ruling["default"] not in ruling.get("choices", ()):
            found.add(ruling["default"])
    for entry in data.get("lints", ()):
        found |= {entry[key] for key in ("title", "else", "help") if key in entry}
    for section in SAYING:
        found |= {text for text in strings(data.get(section, {}), MESSAGES) if has_words(text)}
    found |= {text for text in strings(data.get("outcome", []), ("by",)) if has_words(text)}
    found |= set(strings(data.get("categories", {}), ("because",)))
    for section, entries in data.items():
        if section != "texts":
            for text in strings(entries):
                found |= set(WORDS.findall(text))
    return found | set(VALUES)


def about_variant(path: Path) -> set[str]:
    """Return what a variant file says of itself."""
    source, _ = read_yaml(path.read_text(encoding="utf-8"), path.name)
    assert source is not None
    return {source.data[key] for key in ("title", "description") if key in source.data}


def expressions(text: str) -> set[str]:
    """Return what stands in the braces of a text."""
    return {part for part, offset in split_message(text) if offset is not None}


def written(entry: str | list[str]) -> list[str]:
    return entry if isinstance(entry, list) else [entry]


def assert_distinct(names: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Check that no name stands for two things, in any language."""
    whole: dict[tuple[str, str], set[str]] = {}
    bare: dict[tuple[str, str], dict[str, set[str]]] = {}
    for language, kinds in names.items():
        for kind, table in kinds.items():
            for ident, entry in table.items():
                whole.setdefault((kind, normal(ident)), set()).add(ident)
                for name in written(entry):
                    whole.setdefault((kind, normal(name)), set()).add(ident)
                    if "(" in name:
                        base = kind, normal(name.partition("(")[0])
                        bare.setdefault(base, {}).setdefault(language, set()).add(ident)
    assert {name: found for name, found in whole.items() if len(found) > 1} == {}
    for name, by_language in bare.items():
        assert name not in whole, f"{name} is the name of one thing and of several"
        assert len({frozenset(idents) for idents in by_language.values()}) == 1

"""Slips: how reading goes on after a breach, and whether what is said of it is about anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from altay_cli.source.document import DataPath, Entry

_NONE: Mapping[str, object] = {}


def slip_of(data: Entry, rule: str, move: str | None = None) -> tuple[Any, DataPath]:
    """Return how reading goes on after a breach of ``rule``, and the path of that in ``data``.

    What is said of the rule in this move comes before what is said of it everywhere.
    """
    slips = data.get("slips", _NONE)
    if move is not None and rule in slips.get("moves", _NONE).get(move, _NONE):
        return slips["moves"][move][rule], ("slips", "moves", move, rule)
    return slips.get("rules", _NONE).get(rule, _NONE), ("slips", "rules", rule)


def astray(data: Entry) -> Iterator[tuple[DataPath, str, tuple[str, ...]]]:
    """Yield the paths of slips about nothing: of what, a move or a rule, and which there are."""
    asked = {ident: _required_rules(move) for ident, move in data.get("moves", _NONE).items()}
    rules = {rule for of_move in asked.values() for rule in of_move}
    rules |= {check["rule"] for check in data.get("checks", ())}
    for path in entries(data):
        what, known = "move", tuple(asked)
        match path:
            case (_, "rules", _):
                what, known = "rule", tuple(sorted(rules))
            case (_, "moves", move, _):
                if move not in asked:  # that is told of the move
                    continue
                what, known = "rule", tuple(sorted(asked[str(move)]))
        if path[-1] not in known:
            yield path, what, known


def entries(data: Entry) -> Iterator[DataPath]:
    """Yield the path of each entry of ``slips``."""
    slips = data.get("slips", _NONE)
    for part in ("rules", "moves", "unread", "written"):
        for name, entry in slips.get(part, _NONE).items():
            yield "slips", part, name
            if part == "moves":
                yield from (("slips", part, name, rule) for rule in entry)


def _required_rules(move: Entry) -> set[str]:
    """Return the rules that a move requires."""
    entries = [*move.get("_defaults", ()), *move.get("requires", ())]
    return {entry.get("use", entry.get("rule", "")) for entry in entries}

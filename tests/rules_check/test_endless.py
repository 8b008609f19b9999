"""A procedure that carries itself out whatever holds never ends: rules that have one are refused."""

from __future__ import annotations

import pytest

from tests.small import Pebbles

ENDLESS = {
    "twice": "[{do: {again: {}}}, {do: {again: {}}}]",
    "behind something else": "[{set: {over: 'true'}}, {do: {again: {}}}]",
    "on both ways": "[{if: over, then: [{do: {again: {}}}], else: [{do: {again: {}}}]}]",
}
ENDING = {
    "on one way": "[{if: heap.size() > 3, then: [{do: {again: {}}}, {do: {again: {}}}]}]",
    "behind what ends it": "[{if: over, then: [stop]}, {do: {again: {}}}]",
    "for each of a list": "[{each: {s: heap.list()}, does: [{do: {again: {}}}]}]",
    "while something holds": "[{while: heap.size() > 3, does: [{do: {again: {}}}]}]",
}


def problems(pebbles: Pebbles, does: str) -> list[tuple[str, str, str]]:
    pebbles.write("moves/again.yaml", f"procedures:\n  again: {{does: {does}}}\n")
    pebbles.change("moves/turns.yaml", "- reset: turn", "- reset: turn\n      - do: {again: {}}")
    return pebbles.marked()


@pytest.mark.parametrize("does", ENDLESS.values(), ids=ENDLESS.keys())
def test_what_never_ends_is_found(pebbles: Pebbles, does: str) -> None:
    """It was well formed and usable, and each of its games failed."""
    assert problems(pebbles, does) == [("endless", "moves/again.yaml", "again")]


@pytest.mark.parametrize("does", ENDING.values(), ids=ENDING.keys())
def test_what_may_end_is_not(pebbles: Pebbles, does: str) -> None:
    assert "endless" not in {rule for rule, _, _ in problems(pebbles, does)}

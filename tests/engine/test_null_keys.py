"""Nothing is put into the place of nobody: a key that is null, or of another kind, is an error."""

from __future__ import annotations

import pytest

from tests.small import LOG, Pebbles, pebbles

__all__ = ["pebbles"]

GIVE = 'does: [{{set: {{next: "null"}}}}, {effect}, {{set: {{active: "null"}}}}]'


def at_the_end(pebbles: Pebbles, effect: str) -> list[str]:
    """Return what is found where Ann's turn, on line 5, ends with an effect; nobody is next."""
    pebbles.change(
        "moves/turns.yaml", 'does: [{set: {active: "null"}}]', GIVE.format(effect=effect)
    )
    return pebbles.findings(LOG)


@pytest.mark.parametrize(
    ("effect", "key"),
    [
        ("{move: {what: stones.red, to: 'pouch[next]'}}", "next"),
        ("{move: {what: stones.red, to: next.pouch}}", "next"),
        ("{move: {from: heap, to: 'pouch[me == next ? me : next]'}}", "me == next ? me : next"),
        ("{move: {what: stones.red, to: 'pouch[null]'}}", "null"),
        ("{add: {'debt[next]': 1}}", "next"),
        ("{set: {next.debt: 1}}", "next"),
        ("{unknown: {from: heap, to: next.pouch, count: 1}}", "next"),
        ("{let: {n: next}, does: [{move: {what: stones.red, to: 'pouch[n]'}}]}", "n"),
    ],
)
def test_what_is_put_into_the_place_of_nobody(pebbles: Pebbles, effect: str, key: str) -> None:
    (found,) = at_the_end(pebbles, effect)
    assert found.startswith("rule-failure 5 the rules cannot be applied here: ")
    assert f"`{key}` is null" in found


@pytest.mark.parametrize(
    "effect",
    [
        "{move: {what: stones.red, to: 'pouch[me]'}}",
        "{move: {what: stones.red, from: 'pouch[next]'}}",  # nobody has anything
        "{if: next != null, then: [{move: {what: stones.red, to: 'pouch[next]'}}]}",
        "{if: next.pouch.size() == 0, then: [{add: {me.debt: 1}}]}",
    ],
)
def test_what_is_put_into_the_place_of_somebody(pebbles: Pebbles, effect: str) -> None:
    assert at_the_end(pebbles, effect) == []


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("players[7]", "the index 7 is outside a list of 2"),  # two players sit at the table
        ("stones.red", "zone pouch 0 cannot be indexed"),
        ("[me, stones.red][1]", "zone pouch 0 cannot be indexed"),
        ("7", "zone pouch 0 cannot be indexed"),
    ],
)
def test_a_key_out_of_range(pebbles: Pebbles, key: str, message: str) -> None:
    effect = f"{{move: {{what: stones.red, to: 'pouch[{key}]'}}}}"
    (found,) = at_the_end(pebbles, effect)
    assert message in found


LET = "{let: {n: next}, does: [{if: n != null, then: [{set: {n.debt: 1}}]}]}"
CHOICE = "{set: {'debt[next == null ? me : next]': 1}}"


@pytest.mark.parametrize(
    ("effect", "marked"),
    [
        ("{move: {what: stones.red, to: 'pouch[next]'}}", ["'pouch[next]'"]),
        ("{set: {next.debt: 1}}", ["next.debt"]),
        ("{let: {n: next}, does: [{set: {n.debt: 1}}]}", ["n.debt"]),
        ("{if: next == null, then: [{set: {next.debt: 1}}]}", ["next.debt"]),
        ("{if: next != null, then: [{set: {next.debt: 1}}]}", []),
        ("{if: next == null, then: [{set: {next: me}}]}, {set: {me.debt: 1}}", []),
        ("{set: {next: me}}, {set: {next.debt: 1}}", []),
        (LET, []),
        (CHOICE, []),
    ],
)
def test_what_can_be_null_is_found(pebbles: Pebbles, effect: str, marked: list[str]) -> None:
    at_the_end(pebbles, effect)
    found = [problem for problem in pebbles.marked() if problem[0] == "null-key"]
    assert [part for _, _, part in found] == marked

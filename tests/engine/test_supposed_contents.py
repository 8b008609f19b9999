"""Requirements that read what lies hidden: legal if something that may lie there makes them so.

Of three red stones and two grey ones, Bob's pouch holds two, and nobody wrote down which.
"""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Severity
from altay_cli.hidden import limits
from tests.small import Pebbles

POUCH = "pouch[players[1]]"
DEALT = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob
turn 1 Ann
"""
SHOW = """\
  show:
    title: Show a stone
    written: show <stone>
    takes: {{stone: {{type: stone, from: stones}}}}
    let: {{lies: "{that}"}}
    requires: [{{rule: shown, that: lies, else: "that is not so"}}]
    does: [{{set: {{"debt[me]": 0}}}}]
"""


def shown(pebbles: Pebbles, that: str, *stones: str) -> list[tuple[str, int]]:
    """Return what is wrong if stones are shown that need something of Bob's pouch; with the line."""
    before = 'does: [{each: {p: players}, does: [{set: {"debt[p]": 0}}]}]}'
    dealt = f"{{unknown: {{from: heap, to: '{POUCH}', count: 2}}}}"
    pebbles.change("moves/setup.yaml", before, f"does: [{dealt}]}}")
    pebbles.change("moves/turns.yaml", "  end:\n", SHOW.format(that=that) + "  end:\n")
    report = pebbles.judge(DEALT + "".join(f"  show {stone}\n" for stone in stones))
    errors = [one for one in report.findings if one.severity is Severity.ERROR]
    return [(one.rule, one.span.line - 4) for one in errors]


@pytest.mark.parametrize(
    "that",
    [
        f"stone in {POUCH}",
        f"stone in {POUCH}.list()",
        f"{POUCH}.count(stone) > 0",
        f"{POUCH}.has(stone.bag(1))",
        f"{POUCH}.filter(s, s == stone).size() > 0",
        f"{POUCH}.kinds().exists(s, s.worth == stone.worth)",
    ],
)
def test_what_may_lie_there_may_be_there(pebbles: Pebbles, that: str) -> None:
    assert shown(pebbles, that, "Red", "Grey", "Red") == []


def test_what_cannot_lie_there_is_wrong(pebbles: Pebbles) -> None:
    assert shown(pebbles, f"{POUCH}.count(stone) > 2", "Red") == [("shown", 1)]


def test_what_was_needed_is_known_from_then_on(pebbles: Pebbles) -> None:
    # With two red stones in the pouch, there is no grey one.
    assert shown(pebbles, f"{POUCH}.count(stone) > 1", "Red", "Grey") == [("shown", 2)]


@pytest.mark.parametrize(("most", "wrong"), [(3, []), (2, [("undecided", 1)])])
def test_so_many_ways_are_gone_through_and_no_more(
    pebbles: Pebbles, monkeypatch: pytest.MonkeyPatch, most: int, wrong: list[tuple[str, int]]
) -> None:
    """In the pouch there may be two red stones, two grey ones, or one of each."""
    monkeypatch.setattr(limits, "MOST_LIMITED", most)
    assert shown(pebbles, f"stone in {POUCH}", "Red") == wrong


def test_none_of_what_may_lie_there_may_be_needed(pebbles: Pebbles) -> None:
    that = f"stone == stones.red ? stone in {POUCH} : {POUCH}.list().all(s, s != stone)"
    assert shown(pebbles, that, "Red", "Grey") == []

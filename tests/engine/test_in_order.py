"""Lists in the order written, triggers after each change, effects that stop everything."""

from __future__ import annotations

import pytest

from altay_cli.checking.opening import open_game
from tests.small import Pebbles, pebbles

__all__ = ["pebbles"]

LOG = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob
turn 1 Ann
"""

ROW = """\
  row:
    title: Lay stones on a row, one on the other
    written: row <some>
    takes: {some: {type: list(stone), from: heap, count: {least: 2, most: 2}}}
    does:
      - do: {lay: {some: some}}
procedures:
  lay:
    takes: {me: player, some: list(stone), twice: bool}
    defaults: {twice: false}
    does:
      - each: {s: some}
        does:
          - move: {what: s, from: heap, to: me.row, place: top}
      - if: twice
        then: [{add: {me.debt: 1}}]
"""


@pytest.fixture(autouse=True)
def rows(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "  over: {holds: bool}\n", "  over: {holds: bool}\n  row: {per: [player], holds: pile(stone)}\n")  # fmt: skip
    pebbles.change("moves/turns.yaml", "triggers:\n", ROW + "triggers:\n")
    pebbles.add("moves/turns.yaml", """\
claims:
  row: {title: row, written: "row [<some>]", takes: {some: {type: list(stone), optional: true}}, holds: {me.row: some}}
  debt: {title: debt, written: debt <n>, takes: {n: {type: int}}, holds: {me.debt: n}}
  pouch: {title: pouch, written: "pouch [<some>]", takes: {some: {type: bag(stone), optional: true}}, holds: {me.pouch: some}}
  over: {title: over, written: over, holds: {over: "true"}, else: "the game goes on"}
""")  # fmt: skip


# ---------------------------------------------------------------- lists


def test_a_list_keeps_the_order_in_which_it_is_written(pebbles: Pebbles) -> None:
    log = LOG + "row red, grey\nexpect row grey, red\n"
    assert pebbles.findings(log) == []
    (found,) = pebbles.findings(LOG + "row red, grey\nexpect row red, grey\n")
    assert found == "expect-wrong 6 row: expected Red, Grey, found Grey, Red"


def test_every_order_is_listed_once_within_the_count(pebbles: Pebbles) -> None:
    listed = [
        m.statement
        for m in open_game(LOG).legal_moves()
        if m.id == "row" and ":" not in m.statement
    ]
    assert listed == ["row 2 Red", "row Red, Grey", "row Grey, Red", "row 2 Grey"]


def test_only_bags_and_lists_have_a_count(pebbles: Pebbles) -> None:
    pebbles.change("moves/turns.yaml", "{type: stone, from: heap}", "{type: stone, from: heap, count: {most: 1}}")  # fmt: skip
    assert [p.rule for p in pebbles.problems()] == ["type"]


def test_a_procedure_needs_only_what_has_no_default(pebbles: Pebbles) -> None:
    assert pebbles.findings(LOG + "row red, grey\nexpect debt 0\n") == []
    pebbles.change("moves/turns.yaml", "{some: some}", "{some: some, twice: true}")
    assert pebbles.findings(LOG + "row red, grey\nexpect debt 1\n") == []
    pebbles.change("moves/turns.yaml", "{twice: false}", "{twise: false}")
    assert "unknown-parameter" in [p.rule for p in pebbles.problems()]


# ---------------------------------------------------------------- after each change


def stop_at(pebbles: Pebbles, does: str) -> None:
    pebbles.change("moves/turns.yaml", "triggers:\n", f"""\
triggers:
  two-red:
    title: Two red stones on a row
    on: change
    when: players.exists(p, p.row.count(stones.red) == 2)
    does: {does}
""")  # fmt: skip


def test_a_trigger_happens_in_the_middle(pebbles: Pebbles) -> None:
    pebbles.change("moves/turns.yaml", "{least: 2, most: 2}", "{most: 3}")
    stop_at(pebbles, "[{each: {p: players}, does: [{move: {what: stones.red, from: p.row, to: p.pouch}}]}]")  # fmt: skip
    # The second red one brings it about, before the third is laid, and that one once more.
    log = LOG + "row 3 red\nexpect row red\nexpect pouch 2 red\n"
    assert pebbles.findings(log) == []


def test_effects_stop_everything(pebbles: Pebbles) -> None:
    stop_at(pebbles, "[{set: {over: true}}, {stop: everything}]")
    pebbles.change("moves/turns.yaml", "{least: 2, most: 2}", "{most: 4}")
    log = LOG + "row grey, red, red, grey\nexpect row red, red, grey\nexpect over\n"
    assert pebbles.findings(log) == []
    game = open_game(LOG)
    game.apply("row grey, red, red, grey")
    assert game.ended
    assert game.state.ended_by == "two-red"
    game.undo()
    assert not game.ended
    game.apply("row red, grey")
    assert not game.ended


def test_nothing_happens_while_a_game_is_laid_out(pebbles: Pebbles) -> None:
    stop_at(pebbles, "[{set: {over: true}}]")
    pebbles.change("moves/setup.yaml", "does: [{seat: player}]", "does: [{seat: player}, {move: {what: stones.red, count: 2, to: player.row}}]")  # fmt: skip
    assert pebbles.findings(LOG + "expect row 2 red\n") == []


def test_what_happens_in_the_middle_asks_nothing(pebbles: Pebbles) -> None:
    stop_at(pebbles, "[{ask: {which: {who: 'players[0]'}}}]")
    pebbles.add("moves/turns.yaml", """\
decisions:
  which: {title: Which, rule: which-due, else: "say which", wrong: {rule: which-player, else: "not you"}}
""")  # fmt: skip
    assert "trigger-asks" in [p.rule for p in pebbles.problems()]


# ---------------------------------------------------------------- claims


def test_a_claim_without_a_value_is_of_nothing(pebbles: Pebbles) -> None:
    assert (
        pebbles.findings(LOG + "expect row\ntake red\nexpect pouch red\nBob: expect pouch\n") == []
    )
    assert pebbles.findings(LOG + "take red\nexpect pouch\nexpect pouch 2 red\nexpect over\n") == [
        "expect-wrong 6 pouch: expected nothing, found Red",
        "expect-wrong 7 pouch: expected 2 Red, found Red",
        "expect-wrong 8 the game goes on",
    ]


def test_claims_are_no_moves(pebbles: Pebbles) -> None:
    game = open_game(LOG + "expect pouch\n")
    assert all("expect" not in move.statement for move in game.legal_moves())
    assert pebbles.judge(LOG + "expect pouch\ntake red\nexpect pouch red\nend\n").legal


def test_a_claim_that_cannot_be_read_is_told(pebbles: Pebbles) -> None:
    found = pebbles.findings(
        LOG + "expect poch\nexpect pouch rde\nNobody: expect pouch\ntake red\n"
    )
    assert [line.split()[0] for line in found] == [
        "meant-otherwise", "unknown-stone", "unknown-player",
    ]  # fmt: skip

"""Numbers of the table go as far as their zones say, and scores as far below zero as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small import LOG, Pebbles

TURNS = "moves/turns.yaml"
DOES = "    does:\n      - move: {what: stone, from: heap"


def after(pebbles: Pebbles, effect: str, zone: str = "{per: [player], holds: int}") -> int:
    """Return Ann's debt after an effect, where the zone is declared like this."""
    pebbles.change("game.yaml", "debt: {per: [player], holds: int}", f"debt: {zone}")
    pebbles.change(TURNS, DOES, DOES.replace("does:\n", f"does:\n      - {effect}\n"))
    game = pebbles.judge()
    assert game.findings == []
    assert game.standing is not None
    return -game.standing.of("Ann").categories[1].points


def bounded(text: str) -> str:
    return f"{{per: [player], holds: int, {text}}}"


# ---------------------------------------------------------------- zones


def test_a_number_without_bounds_goes_below_zero(pebbles: Pebbles) -> None:
    assert after(pebbles, "add: {me.debt: -3}") == -3


@pytest.mark.parametrize("verb", ["add", "set"])
@pytest.mark.parametrize(
    ("bounds", "value", "found"),
    [
        ("least: 0", -3, 0),
        ("least: 0", 3, 3),
        ("least: -2", -3, -2),
        ("most: 5", 9, 5),
        ("most: 5", -9, -9),
        ("least: -2, most: 5", 9, 5),
        ("least: -2, most: 5", -9, -2),
    ],
)
def test_a_number_stays_within_the_bounds_of_its_zone(
    pebbles: Pebbles, verb: str, bounds: str, value: int, found: int
) -> None:
    assert after(pebbles, f"{verb}: {{me.debt: {value}}}", bounded(bounds)) == found


@pytest.mark.parametrize(
    ("bounds", "first"), [("least: 2", 2), ("most: -4", -4), ("least: -1, most: 1", 0)]
)
def test_a_number_begins_as_near_to_zero_as_its_bounds_allow(
    pebbles: Pebbles, bounds: str, first: int
) -> None:
    assert after(pebbles, "add: {me.debt: 0}", bounded(bounds)) == first


def test_the_bounds_are_those_of_the_zone_that_is_changed(pebbles: Pebbles) -> None:
    pebbles.change("game.yaml", "  heap:", "  bank: {holds: int, least: 0}\n  heap:")
    debt = after(pebbles, "add: {bank: -3}\n      - add: {me.debt: bank - 1}", bounded("most: 9"))
    assert debt == -1


def test_a_number_has_at_most_64_bits(pebbles: Pebbles) -> None:
    effect = "set: {me.debt: '9223372036854775807'}\n      - add: {me.debt: 1}"
    pebbles.change(TURNS, DOES, DOES.replace("does:\n", f"does:\n      - {effect}\n"))
    (failure, *_) = pebbles.findings()
    assert failure.startswith("rule-failure 5 ")
    assert "does not fit into 64 bits" in failure


@pytest.mark.parametrize(
    ("zone", "marked"),
    [
        ("{holds: bag(stone), least: 0}", "least"),
        ("{holds: bool, most: 1}", "most"),
        ("{holds: int, least: 5, most: 3}", "3"),
    ],
)
def test_bounds_that_make_no_sense_are_refused(pebbles: Pebbles, zone: str, marked: str) -> None:
    pebbles.change("game.yaml", "  heap:", f"  odd: {zone}\n  heap:")
    assert ("zone-bounds", "game.yaml", marked) in pebbles.marked()


def test_a_variant_can_change_bounds(pebbles: Pebbles) -> None:
    assert after(pebbles, "add: {me.debt: -3}", bounded("least: 0")) == 0
    path = pebbles.variant("change: [{set: zones.debt.least, to: -2}]\n")
    assert pebbles.problems(path) == []
    log = LOG.replace('"]', '"]\n[Variant "mine.yaml"]', 1)
    standing = pebbles.judge(log, path.parent).standing
    assert standing is not None
    assert standing.of("Ann").categories[1].points == 2


# ---------------------------------------------------------------- scores below zero


def test_a_score_below_zero_can_be_claimed(pebbles: Pebbles) -> None:
    log = LOG.replace("red", "grey")
    claims = "result\n  Ann: score -3; Ann: worth -3; Bob: score 0\n  winner Bob\n"
    assert pebbles.findings(log + claims) == [
        "game-unfinished 6 the log ends before the game does; the claims are held against the "
        "last state"
    ]


def test_a_wrong_claim_below_zero_is_told_at_its_number(pebbles: Pebbles) -> None:
    log = LOG.replace("red", "grey") + "result\n  Ann: score -4\n"
    (wrong, _) = sorted(pebbles.judge(log).findings, key=lambda finding: finding.rule)
    assert (wrong.rule, wrong.message) == (
        "claim-wrong",
        "Ann: score -4 is claimed, -3 is computed",
    )
    assert (wrong.span.column, wrong.span.end_column) == (14, 16)


def test_what_simulate_writes_is_what_check_reads(pebbles: Pebbles, tmp_path: Path) -> None:
    out = tmp_path / "games"
    assert pebbles.simulate("--out", str(out)).exit_code == 0
    logs = [path.read_text(encoding="utf-8") for path in sorted(out.glob("*.agn"))]
    assert len(logs) == 3
    assert any(": score -" in log for log in logs)
    assert [pebbles.findings(log) for log in logs] == [[], [], []]
    assert pebbles.run("check", str(out)).exit_code == 0


def test_a_number_below_zero_can_be_written_where_a_move_takes_a_number(pebbles: Pebbles) -> None:
    move = """\
  owe:
    title: Owe
    written: owe <n>
    takes: {n: {type: int, from: "[-2, -1, 0]"}}
    requires: [{rule: so-much, at: n, that: "n in [-2, -1, 0]", else: "{n} is not possible"}]
    does: [{add: {me.debt: n}}]
  end:
"""
    pebbles.change(TURNS, "  end:\n", move)
    assert pebbles.findings(LOG.replace("end", "owe -2; end")) == []
    assert pebbles.findings(LOG.replace("end", "owe -3; end")) == ["so-much 5 -3 is not possible"]
    assert pebbles.findings(LOG.replace("end", "owe -x; end"))[0].startswith("number-expected 5 ")


def test_a_count_is_not_below_zero(pebbles: Pebbles) -> None:
    (told, *_) = pebbles.findings(LOG.replace("take red", "take -1 red"))
    assert told == "count-range 5 a number from 1 to 1,000 is expected here, not -1"


@pytest.mark.parametrize("text", ["owe -5-3", "owe --5", "owe 5-", "owe -"])
def test_what_only_looks_like_a_number_is_a_word(pebbles: Pebbles, text: str) -> None:
    pebbles.change(TURNS, "written: end", "written: owe <stone>\n    takes: {stone: {type: stone}}")
    assert pebbles.findings(LOG.replace("end", text))[0].startswith("unknown-stone 5 ")

"""How much is counted, listed and compared where points are many."""

from __future__ import annotations

from tests.small import LOG, Pebbles


def totals(pebbles: Pebbles) -> dict[str, int]:
    standing = pebbles.judge().standing
    assert standing is not None
    return {one.player: one.total for one in standing.players}


def test_twenty_thousand_lines_of_each_player_are_added_up(pebbles: Pebbles) -> None:
    """A point for each number below 20,000; Ann has a stone worth 2."""
    part = 'parts: [{each: {n: lists.range(20000)}, points: "1", show: "{n}"}]'
    pebbles.add("scoring.yaml", f"  many:\n    title: Many\n    {part}\n")
    assert totals(pebbles) == {"Ann": 20_002, "Bob": 20_000}


def test_half_a_thousand_million_points_are_not_too_many(pebbles: Pebbles) -> None:
    part = 'parts: [{points: "500000000", show: much}]'
    pebbles.add("scoring.yaml", f"  much:\n    title: Much\n    {part}\n")
    assert totals(pebbles) == {"Ann": 500_000_002, "Bob": 500_000_000}


def test_all_ten_things_that_a_line_counts_are_listed(pebbles: Pebbles) -> None:
    part = 'parts: [{counted: "lists.range(10).map(n, string(n))", points: "1", show: ten}]'
    pebbles.add("scoring.yaml", f"  ten:\n    title: Ten\n    {part}\n")
    standing = pebbles.judge().standing
    assert standing is not None
    (line,) = standing.of("Ann").categories[-1].lines
    assert line.counted == tuple("0123456789")


def test_each_of_a_hundred_and_fifty_wrong_claims_is_told(pebbles: Pebbles) -> None:
    claims = "result\n" + "  Ann: score 1\n" * 150
    found = pebbles.judge(LOG + claims).findings
    assert [one.rule for one in found].count("claim-wrong") == 150


def test_any_of_seven_players_of_a_score_pad_may_have_won_with_any_others(pebbles: Pebbles) -> None:
    """What nobody wrote down may speak for each set of them but the empty one."""
    pebbles.change("game.yaml", "most: 2", "most: 7")
    pad = "".join(
        f"  {name}: worth 3\n" for name in ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gil")
    )
    outcomes = pebbles.judge(f'[Game "pebbles"]\nresult\n{pad}').outcomes
    assert outcomes is not None
    assert (len(outcomes.all), outcomes.complete) == (2**7 - 1, True)

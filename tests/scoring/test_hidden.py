"""Scores that read what lies hidden: each total that is possible, and no bound for any of them."""

from __future__ import annotations

import json

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import GameReport, check_text
from tests.cli.sample import run
from tests.scoring.positions import TRASHED
from tests.small import Pebbles


def errors(report: GameReport) -> list[str]:
    return [found.message for found in report.findings if found.severity is Severity.ERROR]


def trashed(claims: str) -> GameReport:
    return check_text(f"{TRASHED}{claims}\n").games[0]


@pytest.mark.parametrize("claims", ["Ann: cards 2", "Ann: cards 3", "Ann: cards 3\nAnn: score 9"])
def test_a_card_that_was_trashed_may_be_either_copy(claims: str) -> None:
    assert errors(trashed(claims)) == []


@pytest.mark.parametrize("claimed", [0, 1, 4])
def test_no_copy_gives_another_total(claimed: int) -> None:
    expected = f"Ann: cards {claimed} is claimed, 3 or 2 is computed"
    assert errors(trashed(f"Ann: cards {claimed}")) == [expected]


def test_claims_have_to_fit_one_copy_together() -> None:
    # Four technologies and three territories in two places make 6; 3 for the cards are 9.
    (message,) = errors(trashed("Ann: cards 2\nAnn: territories 2\nAnn: score 9"))
    assert message == "Ann: cards 2 is claimed, 3 is computed"


def test_what_is_assumed_is_told_by_the_line_that_named_it() -> None:
    found = trashed("").outcomes
    assert found is not None
    assert {
        outcome.assumed: outcome.standing.of("Ann").total for outcome in found.all
    } == {("line 15 means Cavalry",): 9, ("line 15 means Cavalry(1)",): 8}  # fmt: skip
    assert found.winners == ("Ann",)


def test_points_so_far_are_told_where_they_are_certain() -> None:
    """Four technologies, 3 for the cards and two for territories; one card of points less, or not."""
    told = run("log", "-", text=TRASHED).stdout
    assert [line.strip(" =") for line in told.splitlines() if "Points so far" in line] == [
        "Points so far: Ann 9, Bob 1", "Points so far: Ann ?, Bob 1",
    ]  # fmt: skip
    moves = json.loads(run("log", "-", "--format", "json", text=TRASHED).stdout)["moves"]
    assert [move["points"]["Ann"] for move in moves] == [9, None, None]


# ---------------------------------------------------------------- things that lie in a bag unseen

# Of three red stones, worth 2, and two grey ones, worth -3, two lie in Ann's pouch.
DEALT = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob
turn 1 Ann
result
"""


def deal(pebbles: Pebbles, count: int = 2, seats: int = 1) -> None:
    dealt = ", ".join(
        f"{{unknown: {{from: heap, to: 'pouch[players[{seat}]]', count: {count}}}}}"
        for seat in range(seats)
    )
    before = 'does: [{each: {p: players}, does: [{set: {"debt[p]": 0}}]}]}'
    pebbles.change("moves/setup.yaml", before, f"does: [{dealt}]}}")


def outcomes(pebbles: Pebbles, log: str = DEALT) -> dict[tuple[str, ...], list[int]]:
    found = pebbles.judge(log).outcomes
    assert found is not None
    return {one.assumed: [player.total for player in one.standing.players] for one in found.all}


def test_all_that_may_lie_there_is_gone_through(pebbles: Pebbles) -> None:
    deal(pebbles)
    assert outcomes(pebbles) == {
        ("Ann, pouch: Red, Grey",): [-1, 0],
        ("Ann, pouch: 2 Red",): [4, 0],
        ("Ann, pouch: 2 Grey",): [-6, 0],
    }


def test_what_lies_with_one_player_does_not_lie_with_another(pebbles: Pebbles) -> None:
    # Five stones: of two pouches with two each, not both can hold the two grey ones.
    deal(pebbles, seats=2)
    totals = {tuple(total) for total in outcomes(pebbles).values()}
    assert totals == {(-1, -1), (-1, 4), (4, -1), (4, -6), (-6, 4)}


def test_all_five_outcomes_stand_in_the_table(pebbles: Pebbles) -> None:
    deal(pebbles, seats=2)
    log = pebbles.folder / "dealt.agn"
    log.write_text(DEALT, encoding="utf-8")
    lines = pebbles.run("score", str(log)).output.splitlines()
    assert len([line for line in lines if line.startswith("Ann, pouch: ")]) == 5
    assert not any("more outcomes" in line for line in lines)


@pytest.mark.parametrize(
    ("claims", "wrong"),
    [
        ("Ann: score -1", []),
        ("Ann: score 4\nwinner Ann", []),
        ("Ann: worth -6\nwinner Bob", []),
        ("Ann: score 0", ["Ann: score 0 is claimed, -1 or 4 or -6 is computed"]),
        ("Ann: worth 4\nAnn: score 4\nwinner Bob", ["claimed winner: Bob; computed: Ann"]),
    ],
)
def test_a_claim_is_wrong_if_nothing_gives_it(
    pebbles: Pebbles, claims: str, wrong: list[str]
) -> None:
    deal(pebbles)
    assert errors(pebbles.judge(f"{DEALT}{claims}\n")) == wrong


@pytest.mark.parametrize(
    "points",
    [
        "me.pouch.list().map(s, s.worth).sum()",
        "me.pouch.kinds().map(s, s.worth * me.pouch.count(s)).sum()",
        "stones.red in me.pouch ? me.pouch.count(stones.red) * 5 - 6 : -6",
        "me.pouch.minus(stones.red.bag(1)).size() == 2 ? -6 : (me.pouch.has(stones.grey.bag(1)) ? -1 : 4)",
        "me.pouch == stones.red.bag(2) ? 4 : (me.pouch.first() == me.pouch.list()[1] ? -6 : -1)",
        "heap.plus(me.pouch).size() != 5 ? 99 : 3 - heap.list().map(s, s.worth).sum() - 3",
    ],
)  # fmt: skip
def test_no_way_to_read_a_bag_takes_a_bound_for_a_value(pebbles: Pebbles, points: str) -> None:
    deal(pebbles)
    pebbles.change(
        "scoring.yaml",
        'parts: [{each: {s: me.pouch.list()}, points: s.worth, show: "{s}"}]',
        f'parts: [{{points: "me == players[0] ? ({points}) : 0", show: "stones"}}]',
    )
    assert sorted(total for total, _ in outcomes(pebbles).values()) == [-6, -1, 4]


def test_a_score_that_a_category_is_made_of_is_open_as_well(pebbles: Pebbles) -> None:
    deal(pebbles)
    pebbles.change("scoring.yaml", "points: -me.debt", "points: \"score(me, 'worth')\"")
    assert sorted(total for total, _ in outcomes(pebbles).values()) == [-12, -2, 8]


def test_how_many_of_them_there_are_is_certain(pebbles: Pebbles) -> None:
    deal(pebbles)
    pebbles.change(
        "scoring.yaml", "each: {s: me.pouch.list()}, points: s.worth", "points: me.pouch.size()"
    )
    pebbles.change("scoring.yaml", 'show: "{s}"', 'show: "stones"')
    assert outcomes(pebbles) == {(): [2, 0]}


def score_many(pebbles: Pebbles, stones: int, held: int) -> tuple[str, dict[str, object]]:
    """Let Ann hold so many of stones that are worth 4, 8, 16 ...; return what is told, in both forms."""
    more = "".join(f"  s{number}: {{worth: {2**number}}}\n" for number in range(2, 2 + stones))
    pebbles.add("board.yaml", more)
    heap = "stones.red.bag(3).plus(stones.grey, 2)"
    pebbles.change("moves/setup.yaml", heap, "stones.filter(s, s.worth > 2).bag()")
    deal(pebbles, held)
    path = pebbles.folder.parent / "log.agn"
    path.write_text(DEALT, encoding="utf-8")
    told = json.loads(pebbles.run("score", "--format", "json", str(path)).output)
    return pebbles.run("score", str(path)).output, told["files"][0]["games"][0]


def test_where_there_are_too_many_to_list_the_range_is_told(pebbles: Pebbles) -> None:
    """Of twelve stones Ann has six, in 924 ways: 4 + 8 + ... + 128 at least, 256 + ... + 8192 at most."""
    text, game = score_many(pebbles, 12, 6)
    assert "All possible totals are within: Ann 252 \N{EN DASH} 16128, Bob 0\n" in text
    assert game["totals"] == {"Ann": [252, 16128], "Bob": [0, 0]}
    # Whatever she has, it is more than nothing.
    assert text.endswith("Leading: Ann\n")
    assert (game["winners"], game["outcomes_complete"]) == (["Ann"], False)


def test_where_there_are_too_many_to_go_through_nobody_wins(pebbles: Pebbles) -> None:
    text, game = score_many(pebbles, 30, 15)
    assert text.endswith("The winner depends on unrecorded facts.\n")
    assert (game["winners"], game["ranking"], game["outcomes_complete"]) == ([], [], False)
    assert "totals" not in game
    report = pebbles.judge(DEALT + "  Ann: score 0\n")
    assert "claim-wrong" not in [found.rule for found in report.findings]
    assert report.verdict == "not judged"


def test_points_that_cannot_be_gone_through_are_no_number_anywhere(pebbles: Pebbles) -> None:
    score_many(pebbles, 30, 15)
    log = str(pebbles.folder.parent / "log.agn")
    lines = [line.split() for line in pebbles.run("show", log).output.splitlines()]
    assert ["Worth", "?", "0"] in lines
    assert ["Total", "?", "0"] in lines
    players = json.loads(pebbles.run("show", "--format", "json", log).output)["players"]
    assert players["Ann"]["points"]["total"] is None
    assert players["Bob"]["points"]["total"] == 0
    explained = pebbles.run("score", "--explain", log).output
    assert "Ann: ?\n  Worth: ?\n" in explained


def test_what_takes_long_to_count_is_counted_for_each_outcome(pebbles: Pebbles) -> None:
    """Beside Ann's two stones, ten thousand lines without points for each player."""
    deal(pebbles)
    part = 'parts: [{each: {n: lists.range(10000)}, points: "0", show: "{n}"}]'
    pebbles.add("scoring.yaml", f"  long:\n    title: Long\n    {part}\n")
    outcomes = pebbles.judge(DEALT).outcomes
    assert outcomes is not None
    assert outcomes.complete
    assert {one.standing.of("Ann").total for one in outcomes.all} == {4, -1, -6}

"""What the table wrote down, checked against what is computed."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Finding
from altay_cli.checking.check import check_text
from tests.scoring.positions import STARTING, game

# Ann: technologies 2, the Ark for two territories 2 and its bonus 3, a card 1, territories 2 with a
# marker 1, captured 1, markers of 5 make 1: 13. Bob: two territories.
POSITION = (
    "Ann: completed Writing, Commerce, Ark\nAnn: secret Ark\nAnn: settlements F2, M3\n"
    f"Ann: deck {STARTING['Firefolk']}, Merchant(1)\nAnn: captured Bob\nAnn: markers 2, 3\n"
    "Bob: settlements 2 F6, W6\n"
)
SCORES = {
    "technologies": 2, "wonders": 5, "cards": 1, "territories": 3, "captured": 1, "conquest": 1,
    "score": 13,
}  # fmt: skip


def claimed(claims: str, position: str = POSITION, tags: str = "") -> list[Finding]:
    return game(position + "result\n" + claims, tags).findings


def test_right_claims_give_no_finding() -> None:
    lines = [f"Ann: {category} {points}" for category, points in SCORES.items()]
    assert claimed("\n".join([*lines, "Bob: score 2", "Bob: wonders 0", "winner Ann"])) == []


@pytest.mark.parametrize("category", SCORES)
@pytest.mark.parametrize("off", [-1, 1])
def test_a_wrong_claim_is_one_finding(category: str, off: int) -> None:
    wrong = SCORES[category] + off
    (finding,) = claimed(f"Ann: {category} {wrong}")
    assert finding.rule == "claim-wrong"
    assert finding.severity == "error"
    assert finding.player == "Ann"
    for part in ("Ann", category, str(wrong), str(SCORES[category])):
        assert part in finding.message
    assert finding.span.column == len(f"Ann: {category} ") + 1
    assert finding.cite.get("en") in {15, None}


def test_every_wrong_claim_is_told() -> None:
    found = claimed("Ann: score 12; Ann: wonders 5; Bob: score 3\nwinner Bob")
    assert [f.rule for f in found] == ["claim-wrong", "claim-wrong", "claim-winner"]
    assert "claimed winner: Bob; computed: Ann" in found[2].message


def test_names_and_categories_in_any_case() -> None:
    assert claimed("ANN: Wonders 5\nwinner ann") == []


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        ("Ann: luck 3", "unknown-category"),
        ("Ann: goals 7", "unknown-category"),
        ("Cid: score 3", "unknown-player"),
        ("winner Cid", "unknown-player"),
        ("winner", "malformed-statement"),
        ("Ann: score", "malformed-statement"),
        ("Ann: score Bob", "malformed-statement"),
        ("Ann: score 1 2", "malformed-statement"),
        ("score 13", "malformed-statement"),
        ("Ann: winner Bob", "malformed-statement"),
        ("Ann: score 13 => 2", "malformed-statement"),
        ("settle F2", "malformed-statement"),
    ],
)
def test_what_is_no_claim(claim: str, rule: str) -> None:
    assert [f.rule for f in claimed(claim)] == [rule]


@pytest.mark.parametrize(
    ("line", "again"),
    [
        ("Ann: wonders 5; conquest 3", ["repeat the name: `Ann: conquest 3`"]),
        ("Ann: wonders 5; luck 3", []),
        ("Ann: wonders 5\nconquest 3", []),
    ],
)
def test_a_name_counts_for_one_claim(line: str, again: list[str]) -> None:
    wrong = next(f for f in claimed(line) if f.rule == "malformed-statement")
    assert [text for text in wrong.help if "repeat" in text] == again


SHARED = "Ann: settlements F2\nBob: settlements F6\n"


@pytest.mark.parametrize("claim", ["winner Ann, Bob", "winner Bob, Ann", "winner  bob ,ANN"])
def test_a_shared_victory_names_all_in_any_order(claim: str) -> None:
    assert claimed(claim, SHARED) == []


@pytest.mark.parametrize("claim", ["winner Ann", "winner Bob"])
def test_one_name_is_wrong_where_the_victory_is_shared(claim: str) -> None:
    (finding,) = claimed(claim, SHARED)
    assert finding.rule == "claim-winner"
    assert "computed: Ann, Bob (" in finding.message
    assert "shared" in finding.message


def test_two_names_are_wrong_where_a_tie_is_broken() -> None:
    position = "Ann: completed Writing\nAnn: settlements F2\nBob: settlements F6, W6\n"
    (finding,) = claimed("winner Ann, Bob", position)
    assert "technologies" in finding.message


def test_claims_of_the_german_edition() -> None:
    tags = '[Edition "de"]'
    assert claimed("Ann: goals 7; Ann: score 13", tags=tags) == []
    (finding,) = claimed("Ann: goals 8", tags=tags)
    assert (finding.rule, finding.cite) == ("claim-wrong", {"de": 15})
    (finding,) = claimed("Ann: wonders 5", tags=tags)
    assert finding.rule == "unknown-category"


def test_claims_before_the_end_are_checked_and_noted() -> None:
    turns = POSITION + "turn 5 Ann\n"
    found = game(turns + "result\nAnn: score 13\n").findings
    assert [(f.rule, f.severity) for f in found] == [("game-unfinished", "note")]
    found = game(turns + "result\nAnn: score 12\n").findings
    assert [f.rule for f in found] == ["game-unfinished", "claim-wrong"]


UNTOLD = (
    "Ann: completed Writing, Commerce, Ark\nAnn: deck Hunter, Merchant(1)\nBob: completed Masonry\n"
)


@pytest.mark.parametrize(
    ("claims", "rules"),
    [
        ("Ann: territories 8", ["unrecorded"]),
        ("Ann: wonders 6", ["unrecorded"]),  # the Ark counts territories
        ("Ann: score 17; winner Bob", ["unrecorded", "unrecorded"]),
        ("Ann: technologies 3", ["claim-wrong"]),
        ("Ann: cards 2", ["claim-wrong"]),
        ("Bob: wonders 1", ["claim-wrong"]),
        ("Ann: technologies 2; Ann: cards 1; Bob: technologies 1", []),
    ],
)
def test_what_depends_on_settlements_that_nobody_told_is_not_judged(
    claims: str, rules: list[str]
) -> None:
    found = claimed(claims, UNTOLD)
    assert [f.rule for f in found] == rules
    assert {f.severity.value for f in found if f.rule == "unrecorded"} <= {"note"}


def test_it_is_judged_where_all_must_be_told() -> None:
    (finding,) = claimed("Ann: territories 8", UNTOLD, '[Recorded "complete"]')
    assert finding.rule == "claim-wrong"


# ---------------------------------------------------------------- the game ends with what is wrong

TICTACTOE = "mark a1; mark b1; mark a2; mark b2; mark {last}"
CHESS = "move f2 to f3; move e7 to e5; move g2 to g4; move d8 to {last}"
KALAH = "sow {last}"  # four seeds in a3 end in Ann's store, and she sows again
NOT_JUDGED = "because of this, the claims of the result are not judged"


def classic(name: str, moves: str, claims: str) -> list[Finding]:
    text = f'[Game "{name}"]\nsetup\nseat Ann\nseat Bob\nturn 1 Ann\n{moves}\nresult\n{claims}'
    (report,) = check_text(text).games
    return report.findings


@pytest.mark.parametrize(
    ("name", "moves", "last", "claims", "rule"),
    [
        ("tictactoe", TICTACTOE, "b2", "winner Ann", "square-free"),
        ("tictactoe", TICTACTOE, "b2", "loser Bob", "square-free"),
        ("chess", CHESS, "h5", "winner Bob", "can-go"),
        ("kalah", "sow a3; {last}", "sow a3", "Ann: score 30", "house-empty"),
    ],
)
def test_a_slip_that_ends_the_game_is_one_error(
    name: str, moves: str, last: str, claims: str, rule: str
) -> None:
    """What a table counted behind a slip is neither right nor wrong."""
    (found,) = classic(name, moves.format(last=last), claims)
    assert (found.rule, found.help[-1]) == (rule, NOT_JUDGED)


def test_claims_that_hold_behind_a_slip_need_no_word() -> None:
    found = classic("kalah", "sow a3; sow a3", "Ann: score 1")
    assert [one.rule for one in found] == ["house-empty", "game-unfinished"]
    assert NOT_JUDGED not in found[0].help


def test_what_is_no_claim_is_told_behind_a_slip() -> None:
    found = classic("tictactoe", TICTACTOE.format(last="b2"), "winner Ann; Ann: luck 3")
    assert [one.rule for one in found] == ["square-free", "unknown-category"]
    assert NOT_JUDGED in found[0].help


def test_claims_of_a_game_that_is_over_are_judged_behind_a_slip() -> None:
    moves = "mark a1; Bob: mark b1; Ann: mark a1; Bob: mark b2; Ann: mark c3; Bob: mark b3"
    found = classic("tictactoe", moves, "winner Ann")
    assert [one.rule for one in found] == ["square-free", "claim-winner"]


# ---------------------------------------------------------------- claims where the scores are open

# Whether the Colossus is Ann's secret wonder (3 points, as many more as she leads by) is not recorded.
OPEN = "Ann: completed Writing, Commerce, Colossus\nAnn: settlements F2\nBob: settlements F6, W6, H6, M5\n"


@pytest.mark.parametrize(("claims", "total"), [("", 3), ("Ann: score 6", 6), ("winner Ann", 6)])
def test_the_scores_that_the_claims_fit_are_shown_first(claims: str, total: int) -> None:
    report = game(f"{OPEN}result\n{claims}\n" if claims else OPEN)
    assert report.standing is not None
    assert report.standing.of("Ann").total == total


def test_a_position_whose_winner_is_open_says_so() -> None:
    (note,) = game(OPEN).findings
    assert (note.rule, note.severity) == ("winner-open", "note")
    assert note.help == (
        "the winner is Bob with the secret wonder of Ann: none that is completed",
        "the winner is Ann with the secret wonder of Ann: Colossus",
    )
    # Who is claimed to have won is not open.
    assert game(f"{OPEN}result\nwinner Ann\n").findings == []


@pytest.mark.parametrize("claim", ["Ann: score 12", "Ann: wonders 4", "winner Bob"])
def test_a_wrong_claim_names_the_page_of_scoring(claim: str) -> None:
    # en 15, Scoring and Winner: points of each category, their sum, and who wins.
    (finding,) = claimed(claim)
    assert finding.cite == {"en": 15, "de": 15}
    assert finding.ruling is None

"""Scores that depend on what a log leaves open: a secret wonder that nobody wrote down (en 15)."""

from __future__ import annotations

import pytest

from altay_cli.base.findings import Severity
from altay_cli.checking.check import GameReport, check_text
from tests.scoring.positions import game, wrong

# Ann: two technologies and F2 make 3; the Colossus is worth nothing without cards with points, and
# 3 more if it is her secret wonder. Bob: four territories, one of them with a marker: 5.
OPEN = "Ann: completed Writing, Commerce, Colossus\nAnn: settlements F2\nBob: settlements F6, W6, H6, M5\n"
NONE = "the secret wonder of {}: none that is completed"


def found(report: GameReport) -> list[tuple[list[str], list[int], tuple[str, ...]]]:
    """Return what is assumed, the totals, and the winners of each outcome."""
    assert report.outcomes is not None
    return [
        (
            [text.removeprefix("the secret wonder of ") for text in outcome.assumed],
            [player.total for player in outcome.standing.players],
            outcome.standing.winners,
        )
        for outcome in report.outcomes.all
    ]


@pytest.mark.parametrize("told", ["", "Ann: secret ?\n", "Ann: secret ?\nBob: secret ?\n"])
def test_an_unrecorded_secret_wonder_leaves_the_winner_open(told: str) -> None:
    report = game(OPEN + told)
    assert [finding.rule for finding in report.findings] == ["winner-open"]
    assert found(report) == [
        (["Ann: none that is completed"], [3, 5], ("Bob",)),
        (["Ann: Colossus"], [6, 5], ("Ann",)),
    ]
    assert report.outcomes is not None
    assert report.outcomes.winners == ()


@pytest.mark.parametrize(("secret", "total"), [("Colossus", 6), ("Ark", 3)])
def test_a_recorded_one_leaves_nothing_open(secret: str, total: int) -> None:
    report = game(f"{OPEN}Ann: secret {secret}\n")
    assert found(report) == [([], [total, 5], ("Ann",) if total == 6 else ("Bob",))]
    assert report.outcomes is not None
    assert not report.outcomes.open


def test_without_a_completed_wonder_nothing_is_open() -> None:
    position = (
        "Ann: completed Writing, Commerce\nAnn: developing Ark with wood\nAnn: settlements F2\n"
    )
    assert found(game(position + "Bob: settlements F6\n")) == [([], [3, 1], ("Ann",))]


def test_every_wonder_and_every_player_is_gone_through() -> None:
    # Ann's may be the Colossus, the Academy (4 points) or neither; Bob's the Ark (1) or not.
    report = game(
        "Ann: completed Writing, Masonry, Commerce, Religion, Colossus, Academy\n"
        "Bob: completed Writing, Commerce, Ark\nAnn: settlements F2\nBob: settlements F6\n"
    )
    ann, bob = 4 + 4 + 1, 2 + 1 + 1
    assert [(assumed, totals) for assumed, totals, _ in found(report)] == [
        (["Ann: none that is completed", "Bob: none that is completed"], [ann, bob]),
        (["Ann: none that is completed", "Bob: Ark"], [ann, bob + 3]),
        (["Ann: Colossus", "Bob: none that is completed"], [ann + 3, bob]),
        (["Ann: Colossus", "Bob: Ark"], [ann + 3, bob + 3]),
        (["Ann: Academy", "Bob: none that is completed"], [ann + 3, bob]),
        (["Ann: Academy", "Bob: Ark"], [ann + 3, bob + 3]),
    ]
    assert report.outcomes is not None
    assert report.outcomes.winners == ("Ann",)


ALL_TECHNOLOGIES = (
    "Engineering, Masonry, Mathematics, Strategy, Writing, "
    "Commerce, Government, Leadership, Philosophy, Religion"
)


def test_where_all_wonders_are_completed_one_of_them_was_the_secret_one() -> None:
    # There are ten wonders (en 3), so that each has completed the own one: 3 more, whichever it was.
    mine = "Academy, Amphitheatre, Aqueducts, Ark, Colossus"
    others = "Great Wall, Highways, Mausoleum, Siege Engines, Triumphal Arch"
    position = (
        f"Ann: completed {ALL_TECHNOLOGIES}, {mine}\nBob: completed {ALL_TECHNOLOGIES}, {others}\n"
    )
    report = game(position)
    # Academy 7, Amphitheatre 2 for ten cards; Mausoleum 5 for ten starting cards, Triumphal Arch 1.
    assert found(report) == [([], [10 + 9 + 3, 10 + 6 + 3], ("Ann",))]


def test_one_wonder_that_is_left_is_nobodys_but_one_players() -> None:
    # Only the Triumphal Arch is left: it is the secret one of Ann, of Bob, or of neither.
    mine = "Academy, Amphitheatre, Aqueducts, Ark, Colossus"
    others = "Great Wall, Highways, Mausoleum, Siege Engines"
    position = (
        f"Ann: completed {ALL_TECHNOLOGIES}, {mine}\nBob: completed {ALL_TECHNOLOGIES}, {others}\n"
    )
    totals = {tuple(totals) for _, totals, _ in found(game(position))}
    ann, bob = 10 + 9, 10 + 5
    assert totals == {(ann, bob + 3), (ann + 3, bob), (ann + 3, bob + 3)}


def test_a_wonder_from_the_display_is_not_the_secret_one() -> None:
    turns = (
        "Ann: completed Writing, Commerce\nAnn: settlements F2\nBob: settlements F6\n"
        "Ann: resources 4 culture\nreveal Ark, Colossus, Academy\nturn 3 Ann\n"
        "  develop Colossus with 4 culture => Highways\n"
    )
    report = game(turns)
    assert report.findings == []
    assert found(report) == [([], [3, 1], ("Ann",))]


def test_a_wonder_in_development_may_be_the_secret_one() -> None:
    # It was begun before the position; nobody wrote down whether it came from the display.
    turns = (
        "Ann: completed Writing, Commerce\nAnn: developing Colossus with 3 culture\n"
        "Ann: settlements F2\nBob: settlements F6\nAnn: resources culture\n"
        "reveal Ark, Highways, Academy\nturn 3 Ann\n  place culture on Colossus\n"
    )
    report = game(turns)
    assert report.findings == []
    assert [(assumed, totals) for assumed, totals, _ in found(report)] == [
        (["Ann: none that is completed"], [3, 1]),
        (["Ann: Colossus"], [6, 1]),
    ]


BEGUN = (
    "Ann: completed Writing, Commerce\nAnn: settlements F2\nBob: settlements F6\n"
    "Ann: resources 4 culture\n{}turn 3 Ann\n  develop Colossus with 4 culture\n"
)


def test_a_wonder_begun_must_be_the_secret_one_where_the_display_is_known() -> None:
    report = game(BEGUN.format("reveal Ark, Highways, Academy\n"))
    assert [(f.rule, f.severity) for f in report.findings] == [("secret-unrecorded", "warning")]
    assert "must be the secret wonder of Ann" in report.findings[0].message
    assert found(report) == [([], [6, 1], ("Ann",))]


@pytest.mark.parametrize("display", ["", "reveal Ark, Highways\n"])
def test_a_wonder_begun_may_be_the_secret_one_where_the_display_is_not(display: str) -> None:
    report = game(BEGUN.format(display))
    assert [(f.rule, f.severity) for f in report.findings] == [("secret-unrecorded", "warning")]
    assert "may be the secret wonder of Ann or come from the display" in report.findings[0].message
    assert [(assumed, totals) for assumed, totals, _ in found(report)] == [
        (["Ann: none that is completed"], [3, 1]),
        (["Ann: Colossus"], [6, 1]),
    ]


def test_a_wonder_that_another_player_has_is_nobodys_secret() -> None:
    # The slip is told; that Bob's Ark was Ann's secret wonder is no outcome.
    report = game(
        "Ann: completed Writing, Commerce\nBob: completed Writing, Commerce, Ark\n"
        "Bob: secret Colossus\nAnn: settlements F2\nBob: settlements F6\n"
        "Ann: resources 3 wood, 2 metal, culture\nreveal Academy, Highways, Mausoleum\nturn 3 Ann\n"
        "  develop Ark with 3 wood, 2 metal, culture\n"
    )
    assert [f.rule for f in report.findings] == ["develop-available"]
    assert [assumed for assumed, *_ in found(report)] == [[]]


def test_the_german_edition_leaves_goals_open() -> None:
    report = game(OPEN, '[Edition "de"]')
    assert [totals for _, totals, _ in found(report)] == [[3, 5], [6, 5]]


# ---------------------------------------------------------------- claims


@pytest.mark.parametrize(
    "claims",
    [
        "Ann: score 3", "Ann: score 6", "Ann: wonders 0", "Ann: wonders 3", "winner Ann",
        "winner Bob", "Ann: score 6\nwinner Ann\nBob: score 5", "Ann: wonders 0\nwinner Bob",
    ],
)  # fmt: skip
def test_a_claim_that_fits_an_outcome_is_no_error(claims: str) -> None:
    assert wrong(game(f"{OPEN}result\n{claims}\n")) == []


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("Ann: score 4", "Ann: score 4 is claimed, 3 or 6 is computed"),
        ("Ann: wonders 2", "Ann: wonders 2 is claimed, 0 or 3 is computed"),
        ("Bob: score 6", "Bob: score 6 is claimed, 5 is computed"),
        ("winner Ann, Bob", "claimed winner: Ann, Bob; computed: Bob or Ann"),
    ],
)
def test_a_claim_that_fits_none_names_them_all(claim: str, message: str) -> None:
    assert [f.message for f in game(f"{OPEN}result\n{claim}\n").findings] == [message]


def test_claims_must_fit_one_outcome_together() -> None:
    # Bob wins only if the Colossus is not the secret wonder; then it scores nothing.
    (finding,) = game(f"{OPEN}result\nAnn: score 6\nBob: score 5\nwinner Bob\n").findings
    assert (finding.rule, finding.message) == (
        "claim-wrong",
        "Ann: score 6 is claimed, 3 is computed",
    )
    assert finding.help[-1] == f"the other claims fit with {NONE.format('Ann')}"
    (finding,) = game(f"{OPEN}result\nAnn: score 6\nAnn: wonders 3\nwinner Bob\n").findings
    assert (finding.rule, finding.message) == (
        "claim-winner",
        "claimed winner: Bob; computed: Ann",
    )
    assert finding.help == ("the other claims fit with the secret wonder of Ann: Colossus",)


# ---------------------------------------------------------------- victory point markers

# en 7 shows in a picture only where they lie with three players, on three of M1, M2, M3 and M5.
THREE = """[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Cat: faction Smallfolk
  Ann: settlements F2, M3
  Bob: settlements F6
  Cat: settlements F1, M5
"""


def test_victory_point_markers_that_nobody_wrote_down_leave_the_winner_open() -> None:
    # Two territories each for Ann and Cat, and one more point for who has a marker; Bob has one.
    (report,) = check_text(THREE).games
    assert [finding.rule for finding in report.findings] == ["winner-open", "vp-assumed"]
    assert sorted(found(report)) == [
        (["victory point markers: M1, M2, M3"], [3, 1, 2], ("Ann",)),
        (["victory point markers: M1, M2, M5"], [2, 1, 3], ("Cat",)),
        (["victory point markers: M1, M3, M5"], [3, 1, 3], ("Ann", "Cat")),
        (["victory point markers: M2, M3, M5"], [3, 1, 3], ("Ann", "Cat")),
    ]


@pytest.mark.parametrize(
    ("claims", "rules"),
    [
        ("Ann: territories 2; Cat: territories 3; winner Cat", []),
        ("Ann: territories 3; Cat: territories 2; winner Ann", []),
        ("Ann: territories 3; Cat: territories 3; winner Ann, Cat", []),
        ("Ann: territories 2; Cat: territories 2", ["claim-wrong"]),
        ("Ann: territories 4", ["claim-wrong"]),
    ],
)
def test_claims_fit_any_three_mountains(claims: str, rules: list[str]) -> None:
    (report,) = check_text(f"{THREE}result\n{claims}\n").games
    assert [f.rule for f in report.findings if f.severity is Severity.ERROR] == rules


def test_what_a_log_says_of_the_markers_is_known_from_then_on() -> None:
    (report,) = check_text(f"{THREE}turn 5 Ann\nexpect vp M1, M2, M5\nexpect vp M1, M2, M3\n").games
    assert [f.rule for f in report.findings if f.severity is Severity.ERROR] == ["expect-wrong"]
    assert found(report) == [([], [2, 1, 3], ("Cat",))]

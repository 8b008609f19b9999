"""Who wins, and what breaks a tie: the categories in the order of the rulebook (en 15)."""

from __future__ import annotations

import pytest

from tests.scoring.positions import STARTING, points, standing

ONE_EACH = "Ann: settlements F2\nBob: settlements F6\n"
MERCHANT = STARTING["Firefolk"] + ", Merchant(1)"

# What decides, and a position with Ann's and Bob's points in each category. Ann wins them all.
TIES = [
    # Ann: a technology and a territory. Bob: two territories.
    ("technologies", "Ann: completed Writing\nAnn: settlements F2\nBob: settlements F6, W6\n", 2),
    # Both: two technologies and a territory. Ann: the Ark, worth 1. Bob: a card worth 1.
    (
        "wonders",
        ONE_EACH + "Ann: completed Writing, Commerce, Ark\nBob: completed Writing, Commerce\n"
        f"Bob: deck {STARTING['Elvenfolk']}, Cavalry(1)\n",
        4,
    ),
    # Ann: a card worth 1 and a territory. Bob: two territories.
    ("cards", f"Ann: deck {MERCHANT}\nAnn: settlements F2\nBob: settlements F6, W6\n", 2),
    # Ann: two territories. Bob: a territory and a captured settlement.
    ("territories", "Ann: settlements F2, W2\nBob: settlements F6\nBob: captured Ann\n", 2),
    # Both: a territory. Ann: a captured settlement. Bob: markers of 3 in all.
    ("captured", ONE_EACH + "Ann: captured Bob\nBob: markers 1, 2\n", 2),
]


@pytest.mark.parametrize(("category", "position", "total"), TIES, ids=[tie[0] for tie in TIES])
@pytest.mark.parametrize("turned", [False, True], ids=["first seat", "second seat"])
def test_the_first_category_that_differs_decides(
    category: str, position: str, total: int, turned: bool
) -> None:
    # Whoever sits first: the seat decides nothing.
    scored = standing(position, players=("Bob", "Ann") if turned else ("Ann", "Bob"))
    assert {points(scored, name)["total"] for name in ("Ann", "Bob")} == {total}
    assert scored.ranking == (("Ann",), ("Bob",))
    assert scored.winners == ("Ann",)
    assert scored.decided_by == category


def test_the_last_category_cannot_decide() -> None:
    # Equal in all but the last and equal in all: then the last is equal, too.
    scored = standing(ONE_EACH + "Ann: markers 3\nBob: markers 1, 1, 1, 2\n")
    assert points(scored, "Ann") == points(scored, "Bob")
    assert scored.ranking == (("Ann", "Bob"),)
    assert scored.winners == ("Ann", "Bob")
    assert scored.decided_by == "shared"


def test_the_most_points_win() -> None:
    # An earlier category counts for nothing where the totals differ.
    scored = standing("Ann: completed Writing\nAnn: settlements F2\nBob: settlements F6, W6, H6\n")
    assert scored.ranking == (("Bob",), ("Ann",))
    assert scored.decided_by == "total"


def test_four_players_with_a_tie_behind_the_winner() -> None:
    # Dot 3; Ann and Cid the same 2; Bob 2, but with a technology.
    scored = standing(
        "Ann: settlements F2, M3\nCid: settlements F5, H5\nDot: settlements F4, W4, H4\n"
        "Bob: settlements F6\nBob: completed Masonry\nvp M1, M2, M4\n",
        players=("Ann", "Bob", "Cid", "Dot"),
    )
    assert scored.ranking == (("Dot",), ("Bob",), ("Ann", "Cid"))
    assert scored.decided_by == "total"


def test_three_share_and_the_fourth_does_not() -> None:
    scored = standing(
        "Ann: settlements F2\nBob: settlements F6\nCid: settlements F5\n",
        players=("Ann", "Bob", "Cid", "Dot"),
    )
    assert scored.ranking == (("Ann", "Bob", "Cid"), ("Dot",))
    assert scored.decided_by == "shared"


def test_a_winner_tied_with_two_who_fall_back_at_different_categories() -> None:
    # All have 3. Technologies: Ann and Bob 1, Cid 0. Cards: Ann 1, Bob 0. So cards decide.
    scored = standing(
        f"Ann: completed Writing\nAnn: deck {MERCHANT}\nAnn: settlements F2\n"
        "Bob: completed Writing\nBob: settlements F6, W6\n"
        "Cid: settlements F5, H5, W4\n",
        players=("Cid", "Bob", "Ann"),
    )
    assert {points(scored, name)["total"] for name in ("Ann", "Bob", "Cid")} == {3}
    assert scored.ranking == (("Ann",), ("Bob",), ("Cid",))
    assert scored.decided_by == "cards"


# Technologies: Ann 3, Bob 2. The Ark gives Bob 2 for his two territories; Ann has three of them.
GOALS = (
    "Ann: completed Writing, Masonry, Commerce\nAnn: settlements F2, W2, H2\n"
    "Bob: completed Writing, Commerce, Ark\nBob: settlements F6, W6\n"
)


def test_the_editions_break_ties_differently() -> None:
    english = standing(GOALS)
    german = standing(GOALS, '[Edition "de"]')
    assert points(english, "Ann")["total"] == points(english, "Bob")["total"] == 6
    assert points(german, "Ann")["total"] == points(german, "Bob")["total"] == 6
    assert (english.winners, english.decided_by) == (("Ann",), "technologies")
    # de 15: goals, 3 to 4.
    assert (german.winners, german.decided_by) == (("Bob",), "goals")

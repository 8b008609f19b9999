"""What each category counts, and each wonder, up to the cap of seven points (en 15)."""

from __future__ import annotations

import pytest

from tests.scoring.positions import STARTING, points, standing

TOGETHER = "Ann: completed Writing, Commerce, {}\n"
TECHNOLOGIES = ["Writing", "Masonry", "Strategy", "Engineering", "Mathematics", "Commerce", "Religion",
                "Government", "Philosophy", "Leadership"]  # fmt: skip
WITH_POINTS = (
    "Chariot(2), Chariot(1), City(2), City(1), Merchant(1), Cavalry(1), Town(1), Worker(1)"
)
STARTED = STARTING["Firefolk"]  # ten cards


def completed(wonder: str, *others: str) -> str:
    return f"Ann: completed {', '.join([*(others or ('Writing', 'Commerce')), wonder])}\n"


def plain(count: int) -> str:
    """List so many cards without points, four of a kind at the most: there are four in a game of two."""
    kinds = ["Farmer", "Lumberjack", "Miner", "Stonecutter", "Scholar"]
    parts = [f"{min(4, count - 4 * n)} {kind}" for n, kind in enumerate(kinds) if count > 4 * n]
    return "".join(f", {part}" for part in parts)


# The wonder, a position, what Ann gets for it, and what the cap takes away.
WONDERS = [
    # Academy: a point for each technology completed; wonders are none.
    ("Academy", completed("Academy", *TECHNOLOGIES[:3], *TECHNOLOGIES[5:7]), 5, 0),
    ("Academy", completed("Academy", *TECHNOLOGIES), 7, 3),
    # Amphitheatre: a point for each four cards owned.
    ("Amphitheatre", completed("Amphitheatre"), 10 // 4, 0),
    ("Amphitheatre", completed("Amphitheatre") + f"Ann: deck {STARTED}{plain(1)}\n", 11 // 4, 0),
    ("Amphitheatre", completed("Amphitheatre") + f"Ann: deck {STARTED}{plain(2)}\n", 12 // 4, 0),
    (
        "Amphitheatre",
        completed("Amphitheatre") + f"Ann: deck {STARTED}{plain(20)}, 2 Worker\n",
        7,
        32 // 4 - 7,
    ),
    # Aqueducts: territories with two settlements or more.
    ("Aqueducts", completed("Aqueducts") + "Ann: settlements 2 F2, 4 W2, H2, 3 H3\n", 3, 0),
    # Ark: territories with exactly one.
    ("Ark", completed("Ark") + "Ann: settlements 2 F2, 4 W2, H2, H3, F3\n", 3, 0),
    (
        "Ark",
        completed("Ark") + "Ann: settlements F2, F3, W2, W3, H2, H3, M3, M4, F5\n",
        7,
        9 - 7,
    ),
    # Colossus: cards with points, whatever their points.
    ("Colossus", completed("Colossus") + f"Ann: deck {STARTED}, Chariot(2), City(1), City\n", 2, 0),
    ("Colossus", completed("Colossus") + f"Ann: deck {STARTED}, {WITH_POINTS}\n", 7, 8 - 7),
    # Great Wall: own territories that touch an opponent's: F2 and H2 touch W2, F6 touches none.
    (
        "Great Wall",
        completed("Great Wall") + "Ann: settlements F2, H2, F6\nBob: settlements W2\n",
        2,
        0,
    ),
    # Highways: the type of which most are held: three hills.
    ("Highways", completed("Highways") + "Ann: settlements F2, F3, 4 W2, H2, H3, H5\n", 3, 0),
    # Mausoleum: a point for two starting cards; what was bought is none.
    ("Mausoleum", completed("Mausoleum") + f"Ann: deck {STARTED}{plain(4)}\n", 5, 0),
    ("Mausoleum", completed("Mausoleum") + "Ann: deck 3 Hunter, 4 Warrior\n", 3, 0),
    # Siege Engines: settlements captured.
    ("Siege Engines", completed("Siege Engines") + "Ann: captured 2 Bob\n", 2, 0),
    ("Siege Engines", completed("Siege Engines") + "Ann: captured 8 Bob\n", 7, 8 - 7),
    # Triumphal Arch: a point, and one for two markers.
    ("Triumphal Arch", completed("Triumphal Arch"), 1, 0),
    ("Triumphal Arch", completed("Triumphal Arch") + "Ann: markers 1, 2, 3, 1, 1\n", 3, 0),
    (
        "Triumphal Arch",
        completed("Triumphal Arch") + f"Ann: markers {', '.join(['1'] * 12)}\n",
        7,
        0,
    ),
    (
        "Triumphal Arch",
        completed("Triumphal Arch") + f"Ann: markers {', '.join(['1'] * 12)}, 2, 2\n",
        7,
        8 - 7,
    ),
]


@pytest.mark.parametrize(
    ("wonder", "position", "worth", "lost"),
    WONDERS,
    ids=[f"{name} {worth}+{lost}" for name, _, worth, lost in WONDERS],
)
@pytest.mark.parametrize("edition", ["en", "de"])
def test_a_wonder(wonder: str, position: str, worth: int, lost: int, edition: str) -> None:
    # On the whole board there are markers enough.
    scored = standing(position, f'[Edition "{edition}"]\n[Map "full"]')
    category = "wonders" if edition == "en" else "goals"
    (found,) = [c for c in scored.of("Ann").categories if c.category.id == category]
    (line,) = [line for line in found.lines if line.text == wonder]
    assert (line.points, line.lost) == (worth, lost)


@pytest.mark.parametrize("edition", ["en", "de"])
@pytest.mark.parametrize(
    ("wonder", "position", "how"),
    [
        ("Mausoleum", "Ann: deck 3 Hunter, 4 Warrior", "one for every 2 of 7"),
        ("Amphitheatre", "", "one for every 4 of 10"),
        ("Triumphal Arch", "Ann: markers 1, 2, 3", "1 and one for every 2 of 3"),
        ("Triumphal Arch", "", "1 and one for every 2 of 0"),
        ("Siege Engines", "", "nothing to count"),
        ("Siege Engines", "Ann: captured 2 Bob", ""),
    ],
)
def test_how_a_wonder_is_counted_is_told(
    wonder: str, position: str, how: str, edition: str
) -> None:
    scored = standing(f"{completed(wonder)}{position}\n", f'[Edition "{edition}"]')
    lines = [line for category in scored.of("Ann").categories for line in category.lines]
    assert [line.how for line in lines if line.text == wonder] == [how]


def test_every_wonder_is_tested() -> None:
    assert len({wonder for wonder, *_ in WONDERS}) == 10


@pytest.mark.parametrize("edition", ["en", "de"])
def test_the_secret_bonus_is_outside_of_the_cap(edition: str) -> None:
    # Colossus: eight cards with points make 7; completed as the secret wonder 3 more.
    position = completed("Colossus") + f"Ann: deck {STARTED}, {WITH_POINTS}\nAnn: secret Colossus\n"
    scored = points(standing(position, f'[Edition "{edition}"]'), "Ann")
    if edition == "en":
        assert (scored["technologies"], scored["wonders"]) == (2, 10)
    else:
        assert "technologies" not in scored
        assert "wonders" not in scored
        assert scored["goals"] == 12
    assert scored["cards"] == 10


def test_a_secret_wonder_that_is_not_completed_gives_nothing() -> None:
    position = "Ann: completed Writing, Commerce\nAnn: secret Ark\nAnn: settlements F2\n"
    assert points(standing(position), "Ann")["wonders"] == 0
    begun = position + "Ann: developing Ark with 3 wood, 2 metal\n"
    assert points(standing(begun), "Ann")["wonders"] == 0


def test_another_players_secret_is_no_bonus() -> None:
    # Ann completed the Ark from the display; Bob's secret was another.
    position = completed("Ark") + "Ann: settlements F2\nAnn: secret Colossus\nBob: secret Academy\n"
    assert points(standing(position), "Ann")["wonders"] == 1


def test_cards_count_wherever_they_lie() -> None:
    position = (
        f"Ann: deck {STARTED}, {WITH_POINTS}\nAnn: hand Chariot(2), Chariot(1)\n"
        "Ann: discarded Cavalry(1)\nAnn: table Merchant(1) with food\nAnn: table City(2)\n"
        "Ann: completed Writing\nAnn: archived Town(1)\n"
    )
    assert points(standing(position), "Ann")["cards"] == 2 + 1 + 2 + 1 + 1 + 1 + 1 + 1


def test_territories_with_and_without_a_victory_point_marker() -> None:
    # Two players: markers on M3, M4 and M5. With three the log says where they lie.
    position = "Ann: settlements 2 F2, 4 M3, M5\nBob: settlements F6\n"
    three = ("Ann", "Bob", "Cid")
    assert points(standing(position), "Ann")["territories"] == 3 + 2
    assert (
        points(standing(position + "vp M1, M2, M3\n", players=three), "Ann")["territories"] == 3 + 1
    )


def test_captured_settlements_count_one_each() -> None:
    position = "Ann: captured 2 Bob, 3 Cid\n"
    assert points(standing(position, players=("Ann", "Bob", "Cid")), "Ann")["captured"] == 5


@pytest.mark.parametrize(
    ("markers", "worth"), [("2", 0), ("3", 1), ("3, 2", 1), ("3, 3", 2), ("3, 3, 2, 3", 3)]
)
def test_conquest_markers_are_summed_divided_by_three_and_rounded_down(
    markers: str, worth: int
) -> None:
    assert points(standing(f"Ann: markers {markers}\n"), "Ann")["conquest"] == worth


def test_nothing_is_worth_nothing() -> None:
    scored = points(standing(""), "Ann")
    assert set(scored.values()) == {0}
    assert list(scored) == [
        "technologies", "wonders", "cards", "territories", "captured", "conquest", "total",
    ]  # fmt: skip


def test_the_german_edition_has_five_categories() -> None:
    scored = points(standing("", '[Edition "de"]'), "Ann")
    assert list(scored) == ["goals", "cards", "territories", "captured", "conquest", "total"]


def test_every_number_is_the_sum_of_its_lines() -> None:
    position = (
        f"Ann: deck {STARTED}, {WITH_POINTS}\nAnn: secret Ark\nAnn: markers 3, 3, 2\nAnn: captured 2 Bob\n"
        "Ann: completed Writing, Masonry, Commerce, Religion, Ark, Colossus\nAnn: settlements F2, W2, M3\n"
    )
    for category in standing(position).of("Ann").categories:
        assert category.points == sum(line.points for line in category.lines)

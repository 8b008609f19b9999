"""What many games say together, counted on paper."""

from __future__ import annotations

import pytest

from altay_cli.simulation.tally import Average, Grouping, Tally, mean, proportion, tally
from tests.simulation.made import games, pack

TALLY: Tally = tally(pack(), games())


def values(average: Average) -> tuple[float, float, float]:
    return average.all.value, average.winners.value, average.others.value


def test_how_games_end() -> None:
    assert (TALLY.games, TALLY.over) == (5, 3)
    assert [(e.reason, e.numbers) for e in TALLY.endings] == [
        ("the last round", (1, 2)),
        ("a rout", (3,)),
    ]
    assert TALLY.endings[0].share == proportion(2, 5)


def test_games_that_are_not_over_are_told_by_reason_and_number() -> None:
    assert [(e.reason, e.numbers) for e in TALLY.given_up] == [
        ("not over after 9 rounds", (4,)),
        ("the setup fails: no seat", (5,)),
    ]


def test_rounds_and_moves() -> None:
    rounds = TALLY.rounds
    assert (rounds.mean.value, rounds.median, rounds.least, rounds.most) == (4, 4, 3, 5)
    assert rounds.counts == ((3, 1), (4, 1), (5, 1))
    assert (TALLY.moves.mean.value, TALLY.moves.most) == (40, 50)


def test_ties() -> None:
    assert TALLY.ties.share == proportion(2, 3)
    assert (TALLY.ties.total, TALLY.ties.shared) == (1, 1)
    assert TALLY.ties.categories["technologies"] == 1
    assert sum(TALLY.ties.categories.values()) == 1


def groups(grouping: Grouping) -> dict[str, tuple[int, float, float, float]]:
    return {g.name: (g.players, g.score.value, g.won, g.wins.value) for g in grouping.groups}


def test_scores_and_wins_by_seat() -> None:
    # Seat 1: 5, 4, 6 points, won 1 + 1/2. Seat 2: 3, 4, 6 points, won 1/2 + 1.
    assert groups(TALLY.seats) == {
        "1": (3, 5.0, 1.5, 0.5),
        "2": (3, pytest.approx(13 / 3), 1.5, 0.5),
    }
    assert TALLY.seats.groups[0].score == mean([5, 4, 6])


def test_scores_and_wins_by_a_measure_that_groups() -> None:
    (faction,) = TALLY.groups
    assert (faction.id, faction.title) == ("faction", "Faction")
    # Earthfolk: 5, 4, 6 points, won 1 + 1/2. Firefolk: 3, 4, 6 points, won 1/2 + 1.
    # Nobody of the game that was given up is there.
    assert groups(faction) == {
        "Earthfolk": (3, 5.0, 1.5, 0.5),
        "Firefolk": (3, pytest.approx(13 / 3), 1.5, 0.5),
    }


def test_scores_and_wins_by_policy() -> None:
    # balanced: 5, 4, 6 points, won 1 + 1/2 + 1. fight: 3, 4, 6, won 1/2.
    assert groups(TALLY.policies) == {
        "balanced": (3, 5.0, 2.5, pytest.approx(2.5 / 3)),
        "fight": (3, pytest.approx(13 / 3), 0.5, pytest.approx(0.5 / 3)),
    }
    assert [group.title for group in TALLY.policies.groups] == [
        pack().policies["balanced"].title,
        pack().policies["fight"].title,
    ]


def test_points_by_category_of_winners_and_others() -> None:
    # Winners: Ann of game 1 (5), both of game 2 (4, 4), seat 2 of game 3 (6). Others: 3 and 6.
    assert values(TALLY.total) == (pytest.approx(28 / 6), 4.75, 4.5)
    found = {category.id: values(category) for category in TALLY.categories}
    # Technologies: winners 3, 4, 0, 6; others 1, 2.
    assert found["technologies"] == (pytest.approx(16 / 6), 3.25, 1.5)
    # Wonders: winners 2, 0, 4, 0; others 0, 4.
    assert found["wonders"] == (pytest.approx(10 / 6), 1.5, 2.0)
    assert found["cards"] == (pytest.approx(2 / 6), 0.0, 1.0)
    assert list(found) == [category.id for category in pack().categories]


def test_the_interval_of_players_goes_by_games() -> None:
    # The players of a game together: 8, 8, 12 points out of 2 each, around 28/6.
    # Off that: -8/6, -8/6, 16/6; squares 64/36, 64/36, 256/36, together 384/36 = 32/3;
    # times 3/2 is 16, the root 4, over 6 players 2/3; times 1.959964 that is 1.306643.
    found = TALLY.total.all
    assert (found.low, found.high) == pytest.approx((28 / 6 - 1.306643, 28 / 6 + 1.306643))
    assert found.n == 3


def test_numbers_of_players() -> None:
    deck = next(number for number in TALLY.numbers if number.id == "deck")
    # Winners 13, 10, 11, 10; others 11, 10.
    assert values(deck) == (pytest.approx(65 / 6), 11.0, 10.5)


def test_things_are_counted_by_game() -> None:
    bought = next(things for things in TALLY.things if things.id == "bought")
    assert [(thing.name, thing.count) for thing in bought.things] == [("Farmer", 3), ("Town", 2)]
    # Farmers 3, 0, 0; Towns 1, 1, 0; all together 4, 1, 0.
    assert bought.things[0].per_game.value == 1.0
    assert bought.things[0].per_game.low == 0.0  # 1 - 1.96, and a count is never below 0
    assert bought.things[1].per_game == mean([1, 1, 0])
    assert bought.per_game.value == pytest.approx(5 / 3)


def test_nothing_is_made_of_no_games() -> None:
    empty = tally(pack(), [])
    assert (empty.games, empty.over, empty.endings, empty.seats.groups) == (0, 0, (), ())
    assert (empty.total.all.n, empty.rounds.counts) == (0, ())

"""House rules without a fault of form: games with and without them show what makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from attack.house_rules import Found, HouseRule, check, house_rules

ROWS = {rule.name: rule for of in ("tuned", "kept") for rule in house_rules(of)}
GAMES = 20


def ids(found: Found) -> list[str]:
    """Return what is found, by rule and line."""
    return [":".join(text.split(":")[:3:2]) for text in (*found.reading, *found.playing)]


def of_changes(game: str, *changes: object) -> HouseRule:
    return HouseRule("house", game, game, changes, False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("points-for-cards-in-hand", "play-worthless:5"),
        ("discs-of-the-first-player", "play-same-for-all:5"),
        ("houses-without-seeds", "play-short:5"),
        ("no-more-than-a-hundred", "play-no-effect:5"),
        ("corners-of-the-other", "points-of-others:5"),
    ],
)
def test_what_makes_no_sense_is_found_once(name: str, expected: str, tmp_path: Path) -> None:
    (found,) = check([ROWS[name]], tmp_path, GAMES)
    assert ids(found) == [expected]


def test_a_change_is_blamed_without_which_the_problem_is_gone(tmp_path: Path) -> None:
    (found,) = check(
        [
            of_changes(
                "kalah",
                {"set": "options.seeds.default", "to": "5"},
                {"set": "complete.0.does.0.does.0.set", "to": {"h.seeds": 0}},
                {"set": "status.turn_over", "to": "true"},
            )
        ],
        tmp_path,
        GAMES,
    )
    assert ids(found) == ["play-short:6"]


PURSE = [
    {"add": "zones.pot", "to": {"holds": "int", "title": "pot"}},
    {"add": "zones.purse", "to": {"per": ["player"], "holds": "int", "title": "purse"}},
    {"add": "zones.turn.marked", "to": {"holds": "bool", "lasts": "turn"}},
    {
        "extend": "moves.mark.does",
        "with": [{"set": {"turn.marked": "true"}}, {"add": {"pot": 10}}],
    },
    {"set": "status.turn_over", "to": "turn.marked"},
]
RICH = {"rule": "dry", "that": "pot > 0 && !turn.begged", "else": "nothing is left"}


@pytest.mark.parametrize(("limit", "expected"), [("false", ["play-gain:10"]), ("true", [])])
def test_a_gain_for_nothing_is_found_unless_it_has_a_limit(
    limit: str, expected: list[str], tmp_path: Path
) -> None:
    beg = {
        "title": "Take a coin from the pot",
        "written": "beg",
        "requires": [{"use": "game-over"}, {"use": "your-turn"}, RICH],
        "does": [{"add": {"me.purse": 1}}, {"add": {"pot": -1}}, {"set": {"turn.begged": limit}}],
    }
    least = {"rule": "poor", "that": "me.purse < 20 || square == squares.b2", "else": "too rich"}
    changes = [
        *PURSE,
        {"add": "moves.beg", "to": beg},
        {"add": "zones.turn.begged", "to": {"holds": "bool", "lasts": "turn"}},
        {"extend": "moves.mark.requires", "with": [least]},
    ]
    (found,) = check([of_changes("tictactoe", *changes)], tmp_path, GAMES)
    assert [text for text in ids(found) if "gain" in text] == expected


def test_an_end_that_is_taken_back_is_found(tmp_path: Path) -> None:
    count = "squares.filter(s, s.mark != null).size()"
    changes = [
        {"add": "zones.last", "to": {"holds": "bool", "title": "last round"}},
        {"add": "status.ending", "to": "last"},
        {"extend": "moves.mark.does", "with": [{"set": {"last": f"{count} == 4"}}]},
    ]
    (found,) = check([of_changes("tictactoe", *changes)], tmp_path, GAMES)
    assert [text.split(":")[0] for text in ids(found)] == ["play-end-undone"]


# In each of the thirteen rounds the token goes to the other player, so the same one has it at the
# end. Two points for a seat can be meant: they read nothing.
@pytest.mark.parametrize(
    ("points", "expected"),
    [("me == token ? 3 : 0", ["play-seat:7"]), ("me == players[1] ? 2 : 0", [])],
)
def test_points_that_depend_on_the_seat_are_found_unless_they_are_a_handicap(
    points: str, expected: list[str], tmp_path: Path
) -> None:
    holder = {"set": {"token": "round % 2 == 1 ? players[0] : players[1]"}}
    part = {"points": points, "show": "token"}
    changes = [
        {"add": "zones.token", "to": {"holds": "player?", "title": "token"}},
        {"extend": "procedures.compare.does", "with": [holder]},
        {"add": "categories.token", "to": {"title": "Token", "parts": [part]}},
    ]
    (found,) = check([of_changes("goofspiel", *changes)], tmp_path, GAMES)
    assert [text for text in ids(found) if "play" in text] == expected


@pytest.mark.slow
def test_points_for_the_wrong_player_are_found(tmp_path: Path) -> None:
    book = {"move": {"what": "rank", "to": "players.after(who).books"}}
    change = {"set": "moves.book.does.2", "to": book}
    (found,) = check([of_changes("gofish", change)], tmp_path, GAMES)
    assert ids(found) == ["play-wrong-player:5"]


def test_a_setup_that_deals_more_cards_than_there_are_is_no_mistake_of_the_program(
    tmp_path: Path,
) -> None:
    (found,) = check([ROWS["books-of-one"]], tmp_path, GAMES)
    assert ids(found) == ["play-failure:5"]

"""What a variant forgets: the other player, an announced end, the range of what it counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.resources import data_folder
from altay_cli.lint import limits
from altay_cli.lint.examine import Examiner
from altay_cli.report.verdict import without_notes
from altay_cli.source.yaml_reader import read_yaml
from attack.house_rules import HouseRule, check, write


def read(game: str, folder: Path, *changes: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the rule and line of what reading finds; the first change is in line 5."""
    path = write(HouseRule("house", game, game, changes, False), folder)
    problems = without_notes(Examiner(data_folder("rules") / game).examine([path]))
    return [(problem.rule, problem.span.line) for problem in problems]


def played(game: str, folder: Path, *changes: dict[str, Any]) -> list[str]:
    """Return the message of what playing finds."""
    (found,) = check([HouseRule("house", game, game, changes, False)], folder, limits.GAMES)
    assert not found.reading
    return [text.split(": ", 2)[2] for text in found.playing]


KEEP_ONE = {
    "rule": "keep-one",
    "at": "payment",
    "that": "me.pool.size() >= payment.size()",
    "else": "{me} must keep a resource",
}
THRIFT = {
    "if": "who.pool.size() >= 2",
    "then": [{"move": {"what": "resources.food.bag(1)", "from": "reserve", "to": "who.pool"}}],
}


@pytest.mark.parametrize(
    ("points", "is_told"),
    [
        ("p.captured[me]", True),
        ("2 * p.captured[me]", True),
        ("-p.captured[me]", False),
        ("2 * me.captured[p]", False),
        ("me.captured[p] - p.captured[me]", False),
    ],
)
def test_points_for_the_other_player_are_found(points: str, is_told: bool, tmp_path: Path) -> None:
    change = {"set": "categories.captured.parts.0.points", "to": points}
    other = {"set": "numbers.hand_size.value", "to": 6}
    found = read("altay", tmp_path, change, other)
    assert found == [("points-of-others", 5)] * is_told


# The game announces its last round when a player has no settlement left. In Innovation a card has an
# age from 1 to 10.
@pytest.mark.parametrize(
    ("value", "is_told"),
    [
        ("round >= 12", True),
        ("ending || round >= 12", False),
        ("true", False),
    ],
)
def test_an_announced_end_that_is_forgotten_is_found(
    value: str, is_told: bool, tmp_path: Path
) -> None:
    change = {"extend": "moves.end.does", "with": [{"set": {"ending": value}}], "first": True}
    assert read("altay", tmp_path, change) == [("end-undone", 5)] * is_told


def test_an_end_is_not_forgotten_where_it_is_not_yet_announced(tmp_path: Path) -> None:
    effect = {"if": "!ending", "then": [{"set": {"ending": "round >= 12"}}]}
    change = {"extend": "moves.end.does", "with": [effect], "first": True}
    assert read("altay", tmp_path, change) == []


@pytest.mark.parametrize(("age", "is_told"), [(9, False), (10, False), (11, True)])
def test_a_number_that_no_field_comes_up_to_is_found(
    age: int, is_told: bool, tmp_path: Path
) -> None:
    change = {"set": "numbers.universe.value", "to": age}
    assert read("innovation", tmp_path, change) == [("constant-condition", 5)] * is_told


def test_what_is_set_again_beside_other_changes_is_only_noted(tmp_path: Path) -> None:
    hand, display = "numbers.hand_size.value", "numbers.display_width.value"
    again = {"set": hand, "to": 5}
    assert read("altay", tmp_path, again) == [("patch-same", 5)]
    assert read("altay", tmp_path, again, {"set": display, "to": 5}) == []


def test_another_order_of_the_same_is_a_change(tmp_path: Path) -> None:
    # The order of the categories breaks ties.
    document, _ = read_yaml((data_folder("rules") / "altay" / "scoring.yaml").read_text(), "s")
    assert document is not None
    conquest = document.data["categories"]["conquest"]
    change = {"set": "categories.conquest", "to": conquest, "first": True}
    assert read("altay", tmp_path, change) == []
    del change["first"]
    assert read("altay", tmp_path, change) == [("patch-same", 5)]


@pytest.mark.parametrize(("rider", "is_told"), [("Calvary", True), ("Cavalry", False)])
def test_a_name_with_a_letter_in_another_place_is_found(
    rider: str, is_told: bool, tmp_path: Path
) -> None:
    that = (
        "target.terrain != terrains.mountain || cards.kinds().exists(c, c.title == titles.cavalry)"
    )
    asked = {"rule": "pass", "at": "target", "that": that, "else": f"a mountain takes a `{rider}`"}
    change = {"extend": "moves.attack-marker.requires", "with": [asked]}
    assert read("altay", tmp_path, change) == [("misspelled-name", 5)] * is_told


def test_a_prize_that_nobody_can_win_is_found(tmp_path: Path) -> None:
    highest = "players.filter(p, players.all(q, q.bid.value < p.bid.value))"
    change = {"set": "procedures.compare.does.let-if-move-prizes.let.highest", "to": highest}
    assert played("goofspiel", tmp_path, change) == ["none of 20 games had a winner"]


@pytest.mark.slow
def test_a_note_hides_nothing_that_games_show(tmp_path: Path) -> None:
    change = {"set": "numbers.coins_in_bank.value", "to": 150}  # more than the box holds: a note
    assert played("altay", tmp_path, change) == [
        "`coins_in_bank` has no effect: 12 games are the same with 0, 460"
    ]


@pytest.mark.slow
def test_a_rule_whose_removal_changes_nothing_is_found(tmp_path: Path) -> None:
    # A wonder is of level 3, and of each level there are fewer achievements than of the one below.
    change = {"remove": "moves.develop.requires.develop-wonder"}
    assert played("altay", tmp_path, change) == [
        "this changes nothing: 30 games are the same without it"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # Whoever can pay at all has as much as the payment; `>` would ask for more.
        ({"extend": "moves.buy.requires", "with": [KEEP_ONE]}, True),
        # Before this effect all resources have gone back.
        ({"extend": "procedures.close-turn.does", "with": [THRIFT]}, True),
        ({"extend": "procedures.close-turn.does", "with": [THRIFT], "first": True}, False),
    ],
)
def test_a_condition_that_changes_nothing_is_found(
    change: dict[str, Any], expected: bool, tmp_path: Path
) -> None:
    message = "this changes nothing: 30 games are the same without it"
    assert played("altay", tmp_path, change) == [message] * expected


@pytest.mark.slow
def test_a_rule_whose_removal_changes_something_is_left_alone(tmp_path: Path) -> None:
    assert played("altay", tmp_path, {"remove": "moves.develop.requires.develop-level"}) == []

"""What seems never to happen is sought in more games before it is reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from altay_cli.compile.load import load_pack
from altay_cli.lint import limits, tryout
from altay_cli.lint.reduced import is_goal, is_seldom_tried
from altay_cli.simulation.simulated import GREEDY, Playout, PlayPlan, Watch, playout
from attack.house_rules import Found, HouseRule, check


def found_in(game: str, folder: Path, *changes: object) -> Found:
    (found,) = check([HouseRule("house", game, game, changes, False)], folder, limits.GAMES)
    return found


def messages(found: Found) -> list[str]:
    """Return rule, line and message of what playing shows."""
    return [":".join((text.split(":", 3)[0], *text.split(":", 3)[2:])) for text in found.playing]


BEGUN = {
    "extend": "moves.sow.requires",
    "with": [{"rule": "begun", "that": "round * round >= round", "else": "not begun"}],
}


def test_a_requirement_that_forbids_nothing_is_found(tmp_path: Path) -> None:
    found = found_in("kalah", tmp_path, BEGUN)
    assert messages(found) == ["play-no-effect:5: `begun` forbade nothing in 48 games"]


def test_few_games_are_played_when_their_steps_are_used_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CONFIRMING_STEPS", 0)
    found = found_in("kalah", tmp_path, BEGUN)
    assert messages(found) == []  # 9 games: not tested often enough


def test_a_requirement_that_forbids_something_late_is_left_alone(tmp_path: Path) -> None:
    late = {"rule": "short", "that": "round < 13", "else": "late"}
    found = found_in("kalah", tmp_path, {"extend": "moves.sow.requires", "with": [late]})
    assert [text for text in messages(found) if "short" in text and "forbade" in text] == []


# Whoever lays down a book of four cards has four cards, but not always five.
@pytest.mark.parametrize(("cards", "is_implied"), [(4, True), (5, False)])
def test_a_requirement_that_others_imply_is_found(
    cards: int, is_implied: bool, tmp_path: Path
) -> None:
    rich = {"rule": "rich", "that": f"me.hand.size() >= {cards}", "else": "too few cards"}
    found = found_in("gofish", tmp_path, {"extend": "moves.book.requires", "with": [rich]})
    implied = "play-no-effect:5: `rich` forbids only what other requirements of `book` forbid"
    assert (messages(found) == [implied]) is is_implied


def test_an_effect_that_does_nothing_is_found(tmp_path: Path) -> None:
    each = {"each": {"h": "pits.filter(h, h.seeds > 500)"}, "does": [{"set": {"h.seeds": 0}}]}
    found = found_in("kalah", tmp_path, {"extend": "moves.sow.does", "with": [each]})
    assert messages(found) == [
        "play-no-effect:5: this does nothing: 30 games are the same without it"
    ]


def test_a_trigger_that_looks_at_what_never_changes_is_found(tmp_path: Path) -> None:
    found = found_in(
        "kalah",
        tmp_path,
        {"add": "zones.rain", "to": {"holds": "int", "title": "rain"}},
        {
            "extend": "moves.sow.does",
            "with": [{"if": "pits.exists(h, h.seeds > 500)", "then": [{"add": {"rain": 1}}]}],
        },
        {
            "add": "triggers.wet",
            "to": {
                "title": "Wet",
                "when": "!over && rain > 0",
                "does": [{"set": {"over": "true"}}],
            },
        },
    )
    assert [text.split(":")[0] for text in found.playing] == ["play-no-effect"]


def test_games_that_one_seat_always_wins_are_found(tmp_path: Path) -> None:
    winners = [
        {"set": f"outcome.{label}.winners", "to": "[players[0]]"} for label in ("full", "row")
    ]
    found = found_in("tictactoe", tmp_path, *winners)
    assert messages(found) == ["play-seat:5: the player of seat 1 won all of 60 games"]


def test_what_is_sought_is_mostly_chosen() -> None:
    plan = PlayPlan("nim", 2, (GREEDY,), 1, sought=frozenset({"a"}), keep=True)
    logs = [playout(plan, number).log or "" for number in range(1, 21)]
    first = [next(line for line in log.splitlines() if "take" in line) for log in logs]
    # Without seeking, players take from the largest heap.
    assert sum("from A" in line for line in first) >= 12
    usual = [playout(replace(plan, sought=frozenset()), number).log or "" for number in (1, 2, 3)]
    assert not any("turn 1 Ann: take 2 from A" in log for log in usual)


def test_few_games_are_enough_where_nothing_is_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By sensible rules eight games are played, and one at random that does not end."""
    numbers: list[int] = []

    def counted(plan: PlayPlan, number: int, watch: Watch | None = None) -> Playout:
        numbers.append(number)
        return playout(plan, number, watch)

    more = {"set": "options.seeds.default", "to": "5"}
    assert not found_in("kalah", tmp_path, more)  # the games without the variant are stored
    monkeypatch.setattr(tryout, "playout", counted)
    assert not found_in("kalah", tmp_path, more)
    assert numbers == [*range(1, 10)]


def test_games_that_are_given_up_count_where_things_are_missed(tmp_path: Path) -> None:
    """Random games of go fish end too late, but their books are seen."""
    three = "players.exists(p, p.books.size() >= 3)"
    first = [{"when": three, "winners": "players.filter(p, p.books.size() >= 3)", "by": "three"}]
    found = found_in("gofish", tmp_path, {"add": "outcome", "to": first})
    assert [text for text in messages(found) if "never came" in text] == []


@pytest.mark.parametrize(
    ("rules", "is_reached"),
    [
        ({"when": "flock >= numbers.fold"}, True),
        ({"when": "numbers.fold - 1 <= flock"}, True),
        ({"when": "flock <= numbers.fold"}, False),
        ({"when": "flock >= numbers.fold", "cap": "numbers.fold"}, False),
        ({"when": "flock >= full()", "functions": {"full": {"is": "numbers.fold - 2"}}}, True),
        ({"when": "flock < full()", "functions": {"full": {"is": "numbers.fold - 2"}}}, False),
        ({"else": "{flock >= numbers.fold}"}, False),
    ],
)
def test_a_goal_is_what_something_is_to_reach(rules: dict[str, object], is_reached: bool) -> None:
    assert is_goal(rules, "fold") is is_reached


# Simulated players agree to a draw only when one could be claimed.
@pytest.mark.parametrize(("move", "is_seldom"), [("draw", True), ("move", False)])
def test_a_move_that_is_listed_only_at_times_is_seldom_tried(move: str, is_seldom: bool) -> None:
    pack = load_pack("chess")
    assert is_seldom_tried(pack, ["moves", move, "requires"]) is is_seldom

"""Backgammon against a few lines of Python, and the rules."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from tests.classics.counting import at_position, begin, told
from tests.logs import begun

Side = tuple[int, ...]
"""Men of a side by its own numbers: 0 is off, 25 is the bar."""
START: Side = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(number, 0) for number in range(26))


def steps(own: Side, other: Side, die: int) -> list[tuple[int, int]]:
    """Return from where to where a man can go by a number; 0 is off."""
    sources = [25] if own[25] else [number for number in range(1, 25) if own[number]]
    found = []
    for source in sources:
        target = source - die
        if target > 0:
            if other[25 - target] < 2:
                found.append((source, target))
        elif max(sources) <= 6 and (target == 0 or source == max(sources)):
            found.append((source, 0))
    return found


def moved(own: Side, other: Side, source: int, target: int) -> tuple[Side, Side]:
    mine, theirs = list(own), list(other)
    mine[source] -= 1
    mine[target] += 1
    if target and theirs[25 - target]:
        theirs[25 - target] -= 1
        theirs[25] += 1
    return tuple(mine), tuple(theirs)


@cache
def most(own: Side, other: Side, dice: tuple[int, ...]) -> tuple[int, int]:
    """Return how many numbers can be played, and the greatest sum of so many."""
    best = (0, 0)
    for die in set(dice):
        left = list(dice)
        left.remove(die)
        for source, target in steps(own, other, die):
            count, total = most(*moved(own, other, source, target), tuple(left))
            best = max(best, (count + 1, total + die))
    return best


def legal(own: Side, other: Side, dice: tuple[int, ...]) -> dict[str, tuple[int, int, int]]:
    """Return the steps that lead to playing as much as possible, as they are written."""
    best = most(own, other, dice)
    found: dict[str, tuple[int, int, int]] = {}
    for die in sorted(set(dice)):
        left = list(dice)
        left.remove(die)
        for source, target in steps(own, other, die):
            count, total = most(*moved(own, other, source, target), tuple(left))
            if (count + 1, total + die) == best:
                text = f"enter {target}" if source == 25 else f"move {source} to {target}"
                found.setdefault(text if target else f"bear off {source}", (source, target, die))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_games_at_random(seed: int) -> None:
    random = Random(seed)
    game = begin("backgammon")
    sides = [START, START]
    player = 0
    for turn in range(60):
        assert not game.ended
        assert game.player == ["Ann", "Bob"][player]
        assert [str(move) for move in game.candidates()] == ["roll"]
        dice = [random.randint(1, 6), random.randint(1, 6)]
        if turn == 0 and dice[0] == dice[1]:
            dice[1] = dice[0] % 6 + 1
        game.apply(f"roll => {dice[0]}, {dice[1]}")
        left = dice * 2 if dice[0] == dice[1] else dice
        while choices := legal(sides[player], sides[1 - player], tuple(sorted(left))):
            assert {str(move) for move in game.candidates()} == set(choices)
            text = random.choice(sorted(choices))
            source, target, die = choices[text]
            left.remove(die)
            sides[player], sides[1 - player] = moved(
                sides[player], sides[1 - player], source, target
            )
            game.apply(text)
        for name, side in zip(("Ann", "Bob"), sides, strict=True):
            game.apply(f"{name}: expect bar {side[25]}")
            game.apply(f"{name}: expect off {side[0]}")
        if sides[player][0] == 15:
            break
        player = 1 - player
    if sides[player][0] == 15:
        assert game.ended
        assert game.score().winners == (["Ann", "Bob"][player],)


SETUP = begun("backgammon")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["move 8 to 5"], "roll-first: Ann rolls first: `roll =>` and both numbers"),
        (["roll => 3, 3"], "opening-double: 3 cannot come here: the game begins with two different"),
        (["roll => 3"], "roll-unrecorded: both numbers of a roll are recorded"),
        (["roll => 3, 1", "roll => 3, 1"], "rolled-twice: Ann has rolled already, and has 3, 1"),
        (["roll => 3, 1", "move 7 to 4"], "own-man: Ann has no man on point 7, as Ann counts"),
        (["roll => 3, 1", "move 8 to 6"], "number-left: from 8 to 6 are 2 points; Ann has 3, 1"),
        (["roll => 5, 1", "move 24 to 19"], "point-open: Bob has 5 men on point 19, so it is closed"),
        (["roll => 3, 1", "enter 22"], "bar-empty: Ann has no man on the bar"),
        (["roll => 3, 1", "bear off 6"], "not-home: Ann has men outside the points 1 to 6: 8, 13, 24"),
        (["roll => 3, 1", "move 8 to 5", "move 6 to 5"], ""),
    ],
)  # fmt: skip
def test_moves(moves: list[str], message: str) -> None:
    found = told(SETUP + "".join(f"  {move}\n" for move in moves))
    assert [one.startswith(message) for one in found] == ([True] if message else [])


def test_a_double_is_played_four_times_and_a_single_man_is_hit() -> None:
    log = SETUP + "  roll => 6, 4\n  move 24 to 18\n  move 13 to 9\n"
    log += "turn 1 Bob\n  roll => 1, 1\n  move 8 to 7\n  expect bar 0\n  Ann: expect bar 1\n"
    log += "  move 8 to 7\n  move 6 to 5\n  move 6 to 5\n"
    assert told(log + "turn 2 Ann\n  roll => 4, 3\n  enter 21\n  move 9 to 6\n") == []
    (found,) = told(log + "turn 2 Ann\n  roll => 4, 3\n  move 9 to 6\n")
    assert found.startswith("bar-first: Ann has a man on the bar and must enter it first")


def test_both_numbers_are_played_if_possible_and_otherwise_the_higher_one() -> None:
    # Behind 8 the points 3 and 4 are closed: either number can be played, but not both.
    either = ["Ann: men 1 on 14", "Ann: off 14", "Bob: men 2 on 22, 20", "Bob: men 11 on 1"]
    game = at_position("backgammon", either, "Ann")
    game.apply("roll => 6, 5")
    assert [str(move) for move in game.candidates()] == ["move 14 to 8"]
    log = '[Game "backgammon"]\nposition\n  seat Ann\n  seat Bob\n'
    log += "".join(f"  {line}\n" for line in either) + "turn 1 Ann\n  roll => 6, 5\n"
    (found,) = told(log + "  move 14 to 9\n")
    message = "all-numbers: 1 of the numbers can be played, with 6 points together, and must be"
    assert found == message


@pytest.mark.parametrize(
    ("off", "rest", "by"),
    [
        (1, ["Bob: men 14 on 6"], "all men borne off"),
        (0, ["Bob: men 15 on 6"], "a gammon: the loser has borne off no man"),
        (0, ["Bob: men 14 on 6", "Bob: bar 1"], "a backgammon: the loser has a man on the bar"),
        (0, ["Bob: men 14 on 6", "Bob: men 1 on 23"], "a backgammon: the loser has a man on the"),
    ],
)
def test_how_a_game_is_won(off: int, rest: list[str], by: str) -> None:
    position = ["Ann: men 1 on 1", "Ann: off 14", *rest, *([f"Bob: off {off}"] if off else [])]
    game = at_position("backgammon", position, "Ann")
    game.apply("roll => 6, 5")
    game.apply("bear off 1")
    assert game.ended
    score = game.score()
    assert score.winners == ("Ann",)
    assert str(score.ending).startswith(by)


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (
            ["Ann: men 14 on 6", "Bob: men 15 on 6"],
            "man-count: Ann has 14 men with those on the bar",
        ),
        (["Ann: men 15 on 6", "Bob: men 15 on 19"], "point-shared: Ann has men on that point"),
    ],
)
def test_positions(statements: list[str], message: str) -> None:
    log = '[Game "backgammon"]\nposition\n  seat Ann\n  seat Bob\n'
    found = told(log + "".join(f"  {statement}\n" for statement in statements))
    assert found[0].startswith(message)


def test_there_is_no_cube_without_the_variant() -> None:
    moves = "  roll => 3, 1\n  move 8 to 5\n  move 6 to 5\nturn 1 Bob\n  double\n  Ann: drop\n"
    with_cube = SETUP.replace("\n", '\n[Variant "doubling-cube"]\n', 1)
    assert told(with_cube + moves) == []
    assert [message.partition(":")[0] for message in told(SETUP + moves)][:1] == [
        "unknown-statement"
    ]

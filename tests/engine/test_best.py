"""Requirements about the best that a player can reach: the longest capture, the most dice played.

`tests/packs/leaps` and `tests/packs/homeward` are small games with such rules; what is legal in them
is counted here a second time, without the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from altay_cli.base.budget import Account
from altay_cli.base.findings import Finding
from altay_cli.checking.check import check_text
from altay_cli.checking.opening import open_game
from altay_cli.lint.examine import Examiner
from altay_cli.moves import limits
from tests.small import Pebbles

PACKS = Path(__file__).parents[1] / "packs"


@pytest.fixture(autouse=True)
def packs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pebbles" not in request.fixturenames:
        monkeypatch.setenv("ALTAY_PACKS", str(PACKS))


def found(log: str) -> list[Finding]:
    (game,) = check_text(log).games
    return game.findings


def statements(log: str) -> set[str]:
    return {str(move) for move in open_game(log).legal_moves()}


@pytest.mark.parametrize("name", ["leaps", "homeward"])
def test_the_games_are_right(name: str) -> None:
    assert Examiner(PACKS / name).examine([]) == []


# ---------------------------------------------------------------- the longest capture

# The man on c3 can take two men, over d4 and f6, or one over b4; that on h1 can take one over g2.
FORK = """\
[Game "leaps"]
position
  seat Ann; seat Bob
  Ann: has c3, h1
  Bob: has d4, f6, b4, g2, h8
turn 1 Ann
"""


def test_of_several_captures_the_longest_must_be_taken() -> None:
    assert found(f"{FORK}  leap c3 to e5; leap e5 to g7\n") == []
    (finding,) = found(f"{FORK}  leap c3 to a5\n")
    assert (finding.rule, finding.message) == ("most-men", "2 men can be taken")
    assert finding.help == ("possible here: `leap c3 to e5`",)
    (finding,) = found(f"{FORK}  step c3 to d2\n")
    assert finding.rule == "most-men"


def test_only_moves_that_lead_to_the_most_are_listed() -> None:
    assert statements(FORK) == {"leap c3 to e5"}
    assert statements(f"{FORK}  leap c3 to e5\n") == {"leap e5 to g7"}


def test_where_nothing_can_be_reached_all_moves_are_as_good() -> None:
    apart = (
        '[Game "leaps"]\nposition\n  seat Ann; seat Bob\n  Ann: has a1\n  Bob: has h8\nturn 1 Ann\n'
    )
    assert statements(apart) == {"step a1 to b2"}
    assert found(f"{apart}  step a1 to b2\n") == []


Square = tuple[int, int]
Men = Mapping[Square, str]

SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def _named(square: Square) -> str:
    return f"{'abcdefgh'[square[0]]}{square[1] + 1}"


def _leaps(men: Men, start: Square, player: str) -> Iterator[tuple[Square, Men]]:
    for x, y in SLANTED:
        over = start[0] + x, start[1] + y
        end = start[0] + 2 * x, start[1] + 2 * y
        inside = all(0 <= number < 8 for number in end)
        if inside and end not in men and men.get(over, player) != player:
            kept = {at: who for at, who in men.items() if at not in (start, over)}
            yield end, {**kept, end: player}


def _longest(men: Men, start: Square, player: str) -> int:
    return max(
        (1 + _longest(after, end, player) for end, after in _leaps(men, start, player)), default=0
    )


def _legal_leaps_and_steps(men: Men, player: str) -> set[str]:
    mine = [square for square, who in men.items() if who == player]
    taken = {
        f"leap {_named(start)} to {_named(end)}": 1 + _longest(after, end, player)
        for start in mine
        for end, after in _leaps(men, start, player)
    }
    if taken:
        return {leap for leap, number in taken.items() if number == max(taken.values())}
    beside = ((start, (start[0] + x, start[1] + y)) for start in mine for x, y in SLANTED)
    return {
        f"step {_named(start)} to {_named(end)}"
        for start, end in beside
        if all(0 <= number < 8 for number in end) and end not in men
    }


@pytest.mark.parametrize("seed", range(12))
def test_captures_agree_with_a_count_without_the_program(seed: int) -> None:
    random = Random(seed)
    squares = [(x, y) for x in range(8) for y in range(8) if (x + y) % 2 == 0]
    random.shuffle(squares)
    men = dict.fromkeys(squares[:4], "Ann") | dict.fromkeys(squares[4:16], "Bob")
    held = {who: ", ".join(_named(at) for at in men if men[at] == who) for who in ("Ann", "Bob")}
    has = "".join(f"  {who}: has {at}\n" for who, at in held.items())
    log = f'[Game "leaps"]\nposition\n  seat Ann; seat Bob\n{has}turn 1 Ann\n'
    assert statements(log) == _legal_leaps_and_steps(men, "Ann")


# ---------------------------------------------------------------- as much of the roll as possible

FACES = ["one", "two", "three", "four", "five", "six"]


def _home(mine: Mapping[int, int], theirs: Mapping[int, int], rolled: str) -> str:
    has = "".join(
        f"  {who}: has {number} on p{point}\n"
        for who, men in (("Ann", mine), ("Bob", theirs))
        for point, number in men.items()
    )
    return f'[Game "homeward"]\nposition\n  seat Ann; seat Bob\n{has}turn 1 Ann\n  roll {rolled}\n'


def test_if_only_one_die_can_be_played_it_is_the_higher_one() -> None:
    log = _home({1: 1}, {12: 2}, "six and five")
    assert statements(log) == {"move p1 by six"}
    (finding,) = found(f"{log}  move p1 by five\n")
    assert finding.rule == "all-dice"
    assert finding.message == "1 of the dice can be played, 6 points together"
    assert found(f"{log}  move p1 by six; end\n") == []


def test_a_turn_ends_only_when_no_more_can_be_played() -> None:
    log = _home({1: 1}, {2: 2}, "two and one")
    # With the two first, the one can follow.
    assert statements(log) == {"move p1 by two"}
    assert [finding.rule for finding in found(f"{log}  end\n")] == ["all-dice"]
    assert [finding.rule for finding in found(f"{log}  move p1 by two; end\n")] == ["all-dice"]
    blocked = _home({1: 1}, {2: 2, 3: 2}, "two and one")
    assert statements(blocked) == {"end"}


def _played(
    men: Mapping[int, int], blocked: set[int], dice: Sequence[int]
) -> Iterator[tuple[str, int, int]]:
    """Yield each first move with the number of dice and the points that it can lead to."""
    for die in {*dice}:
        rest = list(dice)
        rest.remove(die)
        for point in men:
            end = point + die
            if men[point] and end <= 12 and end not in blocked:
                after = {**men, point: men[point] - 1}
                after[end] = after.get(end, 0) + 1
                more = [(number, points) for _, number, points in _played(after, blocked, rest)]
                number, points = max(more, default=(0, 0))
                yield f"move p{point} by {FACES[die - 1]}", 1 + number, die + points


@pytest.mark.parametrize("seed", range(12))
def test_rolls_agree_with_a_count_without_the_program(seed: int) -> None:
    random = Random(seed)
    points = random.sample(range(1, 13), 8)
    mine = {point: random.randint(1, 2) for point in points[:3]}
    theirs = dict.fromkeys(points[3:], 2)
    dice = [random.randint(1, 6), random.randint(1, 6)]
    possible = [*_played(mine, {*theirs}, dice * 2 if dice[0] == dice[1] else dice)]
    best = max(((number, points) for _, number, points in possible), default=None)
    expected = {move for move, number, points in possible if (number, points) == best} or {"end"}
    log = _home(mine, theirs, f"{FACES[dice[0] - 1]} and {FACES[dice[1] - 1]}")
    assert statements(log) == expected


# ---------------------------------------------------------------- bounds


def test_what_takes_too_long_is_not_judged_and_no_accusation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "SEARCH_STEPS", 200)
    (finding,) = found(f"{FORK}  leap c3 to a5\n")
    assert (finding.rule, finding.severity) == ("too-many-moves", "warning")
    assert (
        finding.message
        == "not judged, because too many moves are possible here: As many men as possible are taken"
    )
    assert statements(FORK) > {"leap c3 to a5", "leap c3 to e5"}


def test_a_search_costs_a_game_a_part_of_its_steps() -> None:
    game = open_game(FORK)
    account = Account(1_000_000, "the game")
    with game.state.paid_by(account):
        game.state.grant()
        assert game.state.able.most(game.state.players[0], 0) == 2
        game.state.settle()
    searched = limits.SEARCH_STEPS - game.state.able._best._left  # type: ignore[attr-defined]
    assert searched > 1_000
    assert 1_000_000 - account.left == searched // 20


COUNT = """\
moves:
  knock:
    title: Knock
    written: knock
    requires: [{rule: knock-on, that: me.debt < 50, else: "knocked often enough"}]
    does: [{add: {me.debt: 1}}]
  stop:
    title: Stop
    written: stop
    requires: [{use: knocked}]
    does: [{set: {active: "null"}}]
rules:
  knocked:
    best: me.debt
    among: [knock]
    else: "{me} can knock {best} times"
"""
"""A player knocks up to fifty times; the search follows so many moves and no more."""


@pytest.fixture
def knocks(pebbles: Pebbles) -> Pebbles:
    pebbles.write("moves/knock.yaml", COUNT)
    return pebbles


def test_a_sequence_is_followed_for_fifty_moves(knocks: Pebbles) -> None:
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  knock\n'
    stop = log.replace("knock", "stop")
    knocks.change("moves/knock.yaml", 'often enough"}]', 'often enough"}, {use: knocked}]')
    assert knocks.findings(log) == []
    assert knocks.findings(stop) == ["knocked 5 Ann can knock 50 times"]
    knocks.change("moves/knock.yaml", "me.debt < 50", "me.debt < 51")
    (finding,) = knocks.judge(log).findings
    assert finding.rule == "too-many-moves"
    # That it is not enough to stop is certain all the same.
    assert [one.rule for one in knocks.judge(stop).findings] == ["knocked"]


def test_a_sequence_that_goes_in_circles_ends(pebbles: Pebbles) -> None:
    circle = COUNT.replace("that: me.debt < 50", "that: true").replace(
        "add: {me.debt: 1}", 'set: {me.debt: "(me.debt + 1) % 7"}'
    )
    pebbles.write("moves/knock.yaml", circle)
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  knock; knock; stop\n'
    assert pebbles.findings(log) == ["knocked 5 Ann can knock 6 times"]
    assert (
        pebbles.findings(log.replace("knock; knock", "knock; knock; knock; knock; knock; knock"))
        == []
    )


# ---------------------------------------------------------------- what is wrong with such a rule


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("among: [knock]", "among: [nock]", "unknown-move"),
        ("best: me.debt", "best: me.pouch", "expression-wrong-type"),
        ("best: me.debt", "best: me.debt\n    that: true", "best-unusable"),
        ("    among: [knock]\n", "", "schema-missing-key"),
        ("    best: me.debt\n    among: [knock]\n", "", "schema-missing-key"),
        ("{best}", "{_most(me, 0)}", "expression-unknown-function"),
        (
            "written: knock\n",
            'written: "knock [=> <s>]"\n    takes: {s: {type: drawn stone}}\n',
            "best-unusable",
        ),
    ],
)
def test_mistakes_in_such_a_rule(knocks: Pebbles, old: str, new: str, rule: str) -> None:
    knocks.change("moves/knock.yaml", old, new)
    assert [problem.rule for problem in knocks.problems()] == [rule]

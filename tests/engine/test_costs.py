"""What it takes to judge a game, in steps: the work that is done is charged at its price.

Some is done twice, and some steps go to the expressions of the rules; in all that is less than three
times the price.
"""

from __future__ import annotations

import pytest

from altay_cli.base import budget
from altay_cli.base.budget import SLICE, Account
from altay_cli.checking import check
from altay_cli.checking.opening import new_game, open_game
from altay_cli.compile.load import load_pack
from altay_cli.match.decisions import Frame, resume_effects
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.moves import limits
from altay_cli.moves.ability import Ability
from altay_cli.notation.reading import read_log
from altay_cli.pack.layout import PENDING
from tests.small import Pebbles

BEGUN = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob
turn 1 Ann
  fish
"""
MOVES = """\
  name: {title: Name a stone, written: name <stone>, takes: {stone: {type: stone, from: stones}}, does: [{add: {round: 0}}]}
  nod: {title: Nod, written: nod, does: [{add: {round: 0}}]}
  carry:
    title: Carry
    written: carry
    does: [{each: {n: "lists.range(100)"}, does: [{move: {what: stones.red, from: heap, to: heap}}]}]
  point:
    title: Point at stones
    written: point <stones>
    takes: {stones: {type: list(stone), from: heap, reveals: heap}}
    does: [{add: {round: 0}}]
  count:
    title: Count stones
    written: count <stones>
    takes: {stones: {type: bag(stone), from: heap, reveals: heap}}
    does: [{add: {round: 0}}]
  fish:
    title: Fish
    written: fish
    does: [{each: {n: "lists.range(20)"}, does: [{unknown: {from: heap, to: me.pouch, count: 1}}]}]
"""


@pytest.fixture
def game(pebbles: Pebbles) -> Pebbles:
    """Let the game have these moves, and many stones."""
    pebbles.change("moves/turns.yaml", "  end:\n", MOVES + "  end:\n")
    heap = "stones.red.bag(3).plus(stones.grey, 2)"
    pebbles.change("moves/setup.yaml", heap, "stones.red.bag(50).plus(stones.grey, 1)")
    return pebbles


def steps(log: str) -> int:
    """Return how many steps it takes to judge a game of pebbles."""
    account = Account(10_000_000, "this test")
    match = Match(load_pack("pebbles"), {}, Ability)
    Referee(match, read_log(log).games[0], account).run()
    match.state.refill()
    return 10_000_000 - account.left


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("statements", "price"),
    [
        ("nod; " * 10, 10 * 300),  # to read a statement
        ("end; " * 10, 10 * 1_000),  # to find out what is wrong with one
        ("carry; " * 10, 1_000 * (10 + 10)),  # to carry out an effect, to move a thing
        ("point " + ", ".join(["red"] * 20), 20 * 100),  # to look where a thing may be hidden
        ("count " + ", ".join(["red"] * 50), 50 * (20 + 100)),  # to resolve a name, to look
        ("fish", 20 * 150),  # to change what is believed
    ],
)
def test_work_has_its_price(statements: str, price: int) -> None:
    spent = steps(BEGUN + f"  {statements}\n") - steps(BEGUN)
    assert price <= spent < 3 * price


@pytest.mark.usefixtures("game")
def test_looking_into_a_world_has_its_price() -> None:
    """There is one world: to look how many red stones are in Ann's pouch costs 10.

    To tell apart whether the grey one is there makes two of it, at 25 for each of the three.
    """
    state = open_game(BEGUN).state
    (pouch,) = [zone for zone in state.pack.zones if zone.name == "pouch"]
    held, left = state.zones.held(pouch.index, state.players[0]), state.left
    assert state.hidden.queries.count_bounds([held], state.pack.entities["stone"][:1]) == (19, 20)
    assert 10 <= left - state.left < 20
    left = state.left
    assert len(state.hidden.queries.contents([pouch.first]) or ()) == 2
    assert 75 <= left - state.left < 100


@pytest.mark.parametrize(("most", "enough"), [(20_000, True), (10_000, False)])
def test_writing_a_move_down_has_its_price(
    game: Pebbles, monkeypatch: pytest.MonkeyPatch, most: int, enough: bool
) -> None:
    """To name one of 40 stones is a move with one slot: 2 * 150 steps, and 12,000 in all."""
    others = [f"s{number}" for number in range(38)]
    game.add("board.yaml", "".join(f"  {other}: {{worth: 1}}\n" for other in others))
    monkeypatch.setattr(limits, "LISTING_STEPS", most)
    moves = [move.statement for move in open_game(BEGUN).candidates()]
    assert (len([move for move in moves if move.startswith("name ")]) == 40) is enough


@pytest.mark.parametrize(
    ("condition", "spent"),
    [("some.size() > 0", False), ("some.size() == 1", False), ("some.size() >= 0", True)],
)
def test_where_nothing_is_there_for_a_move_nothing_else_is_worked_out(
    pebbles: Pebbles, condition: str, *, spent: bool
) -> None:
    """To whom one can give stones takes 2,000 steps to find out; nobody has a stone to give."""
    pebbles.change(
        "moves/turns.yaml",
        "  end:\n",
        "  give:\n"
        "    title: Give\n"
        "    written: give to <to> [of <some>]\n"
        "    takes:\n"
        "      to: {type: player, from: 'players.filter(p, lists.range(1000).all(n, n >= 0))'}\n"
        "      some: {type: bag(stone), optional: true, from: me.pouch}\n"
        f"    requires: [{{rule: one, that: {condition}, else: Give one.}}]\n"
        "    does: [{move: {what: some, from: me.pouch, to: 'pouch[to]'}}]\n"
        "  end:\n",
    )
    game = new_game("pebbles", ["Ann", "Bob"], seed="give")
    game.apply("turn 1 Ann")
    gives = [move for move in game.candidates() if move.id == "give"]
    assert len(gives) == (4 if spent else 0)
    assert (SLICE - game.state.left > 2_000) is spent


@pytest.mark.usefixtures("game")
def test_each_part_of_a_move_that_waits_has_its_price() -> None:
    """Each of five costs 10, and half of the 20 values that it holds; to find them, 2 for each."""
    state = open_game(BEGUN).state
    waiting = Frame(steps=(), at=0, values=dict.fromkeys(map(str, range(20))))
    state.journal.put(PENDING, (waiting,) * 5)
    left = state.left
    resume_effects(state.zones)
    assert left - state.left == 5 * (10 + 20 // 2) + 5 * 2
    assert state.cells[PENDING] == ()


@pytest.mark.usefixtures("game")
def test_counting_things_has_its_price() -> None:
    state = open_game(BEGUN).state
    red, left = state.pack.entities["stone"][0], state.left
    assert state.zones.counted([red] * 30) == {red: 30}
    assert left - state.left == 30


@pytest.mark.usefixtures("game")
def test_asking_who_can_move_has_its_price() -> None:
    """Ten times it is asked whether Ann, who took nothing, can end her turn."""
    state = open_game(BEGUN).state
    able, left = Ability(state), state.left
    assert not any(able(state.players[0], "end") for _ in range(10))
    assert 10 * 50 <= left - state.left < 2 * 10 * 50


@pytest.mark.usefixtures("game")
def test_a_game_leaves_something_of_what_there_is_for_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hundred statements take 30,000 steps and more; what is short is judged behind them."""
    monkeypatch.setattr(budget, "FEWEST_STEPS", 20_000)
    rates = tuple((start, end, 0) for start, end, _ in budget.RATES)
    monkeypatch.setattr(budget, "RATES", rates)
    long, short = check.check_text(BEGUN + "  nod\n" * 100 + BEGUN.replace("  fish\n", "")).games
    assert [one.rule for one in long.findings] == ["rule-budget"]
    assert short.findings == []

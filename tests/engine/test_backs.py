"""Cards of which only the back is seen, and what a `none` tells, against all orders of the heaps.

`tests/packs/pedlars`: two heaps of sacks, small ones (2 Apples, 2 Plums) and large ones (Rubies, 2
Sapphires). Everybody sees how large a sack is, and nobody what is in it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from altay_cli.base.findings import Severity, Verdict
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.filling import fill_any
from altay_cli.checking.opening import open_game
from altay_cli.lint.examine import Examiner
from attack.backs import HEAD, first_impossible, first_wrong, random_log
from tests.small import Pebbles

PACKS = Path(__file__).parents[1] / "packs"


@pytest.fixture(autouse=True)
def packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTAY_PACKS", str(PACKS))


def checked(*moves: str) -> GameReport:
    (game,) = check_text(HEAD + "".join(f"  {move}\n" for move in moves)).games
    return game


def wrong(*moves: str) -> list[str]:
    """Return what is wrong, each with the number of its statement."""
    first = HEAD.count("\n")
    errors = [f for f in checked(*moves).findings if f.severity is Severity.ERROR]
    return [f"{f.span.line - first} {f.rule}" for f in errors]


def test_the_pack_is_right() -> None:
    assert Examiner(PACKS / "pedlars").examine([]) == []


# ---------------------------------------------------------------- backs

TAKEN = ("take large", "take small", "take small", "take large")


def test_what_reads_only_backs_is_judged() -> None:
    assert wrong(*TAKEN, "ask Bob for red") == []
    assert wrong("take small", "take large", "ask Bob for red") == ["3 ask-large"]
    (found,) = [f for f in checked("take small", "take large", "ask Bob for red").findings if
                f.severity is Severity.ERROR]  # fmt: skip
    assert found.message == "Bob has 1 large sacks, and Ann 0"


def test_what_needs_the_front_is_not_judged() -> None:
    game = checked(*TAKEN, "sell all red", "take small")
    assert game.verdict is Verdict.NOT_JUDGED
    (found,) = [f for f in game.findings if f.severity is Severity.ERROR]
    assert found.rule == "undecided"
    assert found.span.line == HEAD.count("\n") + 5
    said = "the verdict depends on the colour of ? (size large), which the log does not record"
    assert found.message == said
    # As soon as there is nothing else that it can be, it is known.
    known = [*TAKEN, "take small => Plums", "take small => Plums", "take large => Rubies"]
    known += ["sell all red", "sell all red", "sell Sapphires"]
    assert wrong(*known, "sell Sapphires") == []
    assert wrong(*known, "sell Apples") == ["11 sell-have"]


def test_a_name_is_one_of_the_unseen_things_that_it_can_be() -> None:
    assert wrong(*TAKEN, "sell Rubies", "sell Sapphires", "sell Plums") == []
    assert wrong(*TAKEN, "sell Rubies", "sell Rubies") == ["6 sell-have"]
    assert wrong("take small", "take small", "sell Rubies") == ["3 sell-have"]


def test_unopened_sacks_keep_what_is_in_them() -> None:
    swap = ("take large", "take large => Sapphires", "swap with Bob")
    assert wrong(*swap, "sell Sapphires") == []
    assert wrong(*swap, "sell Rubies", "take small", "sell Rubies") == ["6 sell-have"]
    assert wrong(*swap, "take small", "sell Rubies") == ["5 sell-have"]


def test_what_is_known_of_unseen_things_is_told() -> None:
    game = open_game(HEAD + "".join(f"  {move}\n" for move in TAKEN))
    known = {(who, zone): found for who, zone, found in game.unseen()}
    cart = known["Ann", "cart"]
    assert (cart.size, dict(cart.certain)) == (2, {})
    shares = {ware.id: round(share, 4) for ware, share in cart.shares.items()}
    assert shares == {"apples": 0.5, "plums": 0.5, "rubies": 0.3333, "sapphires": 0.6667}
    moves = {move.statement: game.is_certain(move) for move in game.legal_moves()}
    sales = {move for move in moves if move.startswith("sell ") and move != "sell all red"}
    assert sales == {"sell Apples", "sell Plums", "sell Rubies", "sell Sapphires"}
    assert not moves["sell Rubies"]
    assert moves["take small"]


# ---------------------------------------------------------------- none


def test_none_is_knowledge() -> None:
    asked = (*TAKEN, "ask Bob for red", "none")
    # Bob has Plums and Sapphires; Ann may have anything else.
    assert wrong(*asked, "sell Plums", "take small", "sell Sapphires") == []
    assert wrong(*asked, "sell Apples") == ["7 sell-have"]
    assert wrong(*asked, "sell Rubies") == ["7 sell-have"]
    # What was taken since may be red; of the other Apples nothing was said.
    assert wrong(*asked, "take small", "take small", "sell Apples") == []
    # If nothing else is left, it cannot be none.
    red = ("take large => Rubies", "take small", "take small => Plums", "take small => Plums")
    assert wrong(*red, "ask Bob for blue", "none") == ["6 none-have"]
    assert wrong("take small", "take small", "take small => Plums", "take small => Plums",
                 "sell Apples", "sell Plums", "ask Bob for red", "none") == ["8 none-have"]  # fmt: skip


def test_filling_in_a_log_with_backs_and_none() -> None:
    log = HEAD + "".join(f"  {m}\n" for m in (*TAKEN, "ask Bob for red", "none", "sell Plums"))
    filled = fill_any(log)
    (game,) = check_text(filled, complete=True).games
    assert [f.message for f in game.findings if f.severity is Severity.ERROR] == []
    assert filled.count("=>") == 4


# ---------------------------------------------------------------- against all orders of the heaps


@pytest.mark.parametrize("seed", range(8))
def test_logs_against_all_orders(seed: int) -> None:
    random = Random(seed)
    for _ in range(25):
        log = random_log(random)
        assert first_wrong(log) == first_impossible(log), log


# ---------------------------------------------------------------- what packs can say


@pytest.mark.parametrize(
    ("zone", "problem"),
    [
        ("pouch: {per: [player], holds: bag(stone), backs: [worth]}", ""),
        (
            "pouch: {per: [player], holds: bag(stone), backs: [size]}",
            "zone-backs: a stone has no field `size`, but worth",
        ),
        (
            "pouch: {per: [player], holds: pile(stone), backs: [worth]}",
            "zone-backs: only things in a bag have a back: `pouch` holds `pile(stone)`",
        ),
    ],
)
def test_what_a_back_can_tell(pebbles: Pebbles, zone: str, problem: str) -> None:
    pebbles.change("game.yaml", "pouch: {per: [player], holds: bag(stone)}", zone)
    found = [f"{one.rule}: {one.message}" for one in pebbles.problems()]
    assert [one for one in found if one.startswith("zone-backs")] == ([problem] if problem else [])


def test_whether_something_unseen_is_a_certain_thing(pebbles: Pebbles) -> None:
    """Of three red stones and two grey ones, one is put into a pouch and nobody sees which."""
    pebbles.change(
        "game.yaml",
        "pouch: {per: [player], holds: bag(stone)}",
        "pouch: {per: [player], holds: bag(stone), backs: [worth]}",
    )
    pebbles.change(
        "moves/setup.yaml",
        'does: [{each: {p: players}, does: [{set: {"debt[p]": 0}}]}]}',
        "does: [{unknown: {from: heap, to: 'pouch[players[0]]', count: 1}}]}",
    )
    pebbles.change("moves/turns.yaml", "that: me == active,", "that: CONDITION,")
    log = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Ann\n  take red\n'
    for condition, undecided in (
        ("me.pouch.size() == 1", False),
        ("stones.grey in me.pouch", True),
        ("me.pouch.count(stones.grey) == 0", True),
        ("me.pouch.list().first() == stones.red", True),
    ):
        pebbles.change("moves/turns.yaml", "that: CONDITION,", f"that: {condition},")
        found = [one.split()[0] for one in pebbles.findings(log)]
        # What the stone is worth is open as well: the scores are told for red and for grey.
        assert found.count("undecided") == undecided, condition
        assert "score-failure" not in found
        pebbles.change("moves/turns.yaml", f"that: {condition},", "that: CONDITION,")

"""Cards of which only the back is seen, and what a `none` tells, against all orders of the heaps.

`tests/packs/pedlars`: two heaps of sacks, small ones (2 Apples, 2 Plums) and large ones (Rubies, 2
Sapphires). Everybody sees how large a sack is, and nobody what is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest

from altay_cli.checking import GameReport, check_text
from altay_cli.filling import fill_any
from altay_cli.findings import Severity, Verdict
from altay_cli.playing import open_game
from altay_cli.rulecheck.examine import examine
from tests.small import Pebbles

PACKS = Path(__file__).parents[1] / "packs"
SMALL = ["Apples", "Apples", "Plums", "Plums"]
LARGE = ["Rubies", "Sapphires", "Sapphires"]
RED = {"Apples", "Rubies"}
NAMES = ["Ann", "Bob"]
HEAD = '[Game "pedlars"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n'


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
    assert examine(PACKS / "pedlars", []) == []


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
    said = "what follows depends on the colour of ? (size large), which nobody recorded"
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

Order = tuple[tuple[str, ...], tuple[str, ...]]
ORDERS: list[Order] = sorted(product(set(permutations(SMALL)), set(permutations(LARGE))))


class Course:
    """One course of events: the rules on counters, and which statements they allow."""

    def __init__(self, order: Order) -> None:
        self.heaps = {"small": list(order[0]), "large": list(order[1])}
        self.carts: list[Counter[str]] = [Counter(), Counter()]
        self.player = 0
        self.asked: str | None = None

    def copy(self) -> Course:
        other = Course(((), ()))
        other.heaps = {size: list(heap) for size, heap in self.heaps.items()}
        other.carts = [Counter(cart) for cart in self.carts]
        other.player, other.asked = self.player, self.asked
        return other

    def large(self, player: int) -> int:
        return sum(self.carts[player][ware] for ware in set(LARGE))

    def moves(self) -> Iterator[str]:
        """Yield the statements that are possible, with what comes."""
        mine, theirs = self.carts[self.player], self.carts[1 - self.player]
        if self.asked is not None:
            held = [w for w in theirs if theirs[w] and (w in RED) == (self.asked == "red")]
            yield from (f"give {ware}" for ware in held)
            if not held:
                yield "none"
            return
        yield from (f"take {size} => {heap[0]}" for size, heap in self.heaps.items() if heap)
        yield from (f"sell {ware}" for ware in mine if mine[ware])
        if self.large(self.player) >= self.large(1 - self.player):
            yield from (f"ask {NAMES[1 - self.player]} for {colour}" for colour in ("red", "blue"))
        if self.large(0) == self.large(1) == 1:
            yield f"swap with {NAMES[1 - self.player]}"

    def make(self, statement: str) -> bool:
        """Make a move, in which what comes may be left out; tell whether it is possible."""
        found = [m for m in self.moves() if statement in {m, m.partition(" =>")[0]}]
        if not found:
            return False
        word, *rest = found[0].split()
        mine, theirs = self.carts[self.player], self.carts[1 - self.player]
        match word:
            case "take":
                mine[self.heaps[rest[0]].pop(0)] += 1
            case "sell":
                mine[rest[0]] -= 1
            case "ask":
                self.asked = rest[2]
                return True
            case "give":
                theirs[rest[0]] -= 1
                mine[rest[0]] += 1
            case "swap":
                (one,) = [ware for ware in LARGE[:2] if mine[ware]]
                (other,) = [ware for ware in LARGE[:2] if theirs[ware]]
                for cart, out, comes in ((mine, one, other), (theirs, other, one)):
                    cart[out] -= 1
                    cart[comes] += 1
        self.asked = None
        self.player = 1 - self.player
        return True


def first_impossible(log: list[str]) -> int | None:
    """Return the number of the first statement that no order of the heaps allows; None if all."""
    courses = [Course(order) for order in ORDERS]
    for number, statement in enumerate(log):
        courses = [course for course in courses if course.make(statement)]
        if not courses:
            return number
    return None


def random_log(random: Random) -> list[str]:
    """Return a game of one course, of which little is recorded, and perhaps something wrong."""
    course = Course(random.choice(ORDERS))
    log = []
    for _ in range(random.randrange(4, 14)):
        moves = list(course.moves())
        if not moves:
            break
        takes = [move for move in moves if move.startswith("take")]
        move = random.choice(takes if takes and random.random() < 0.5 else moves)
        course.make(move)
        log.append(move.partition(" =>")[0] if random.random() < 0.9 else move)
    for _ in range(random.randrange(3)):
        number = random.randrange(len(log))
        for ware in random.sample([*SMALL, *LARGE], 7):
            if log[number].split()[-1] in {*SMALL, *LARGE}:
                log[number] = " ".join([*log[number].split()[:-1], ware])
        if log[number] == "none" and random.random() < 0.5:
            log[number] = f"give {random.choice([*SMALL, *LARGE])}"
    return log


@pytest.mark.parametrize("seed", range(8))
def test_logs_against_all_orders(seed: int) -> None:
    random = Random(seed)
    for _ in range(25):
        log = random_log(random)
        expected = first_impossible(log)
        errors = [int(one.split()[0]) - 1 for one in wrong(*log)]
        assert (min(errors) if errors else None) == expected, log


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
            "zone-backs: only what lies in a bag has a back: `pouch` holds `pile(stone)`",
        ),
    ],
)
def test_what_a_back_can_tell(pebbles: Pebbles, zone: str, problem: str) -> None:
    pebbles.change("game.yaml", "pouch: {per: [player], holds: bag(stone)}", zone)
    found = [f"{one.rule}: {one.message}" for one in pebbles.problems()]
    assert [one for one in found if one.startswith("zone-backs")] == ([problem] if problem else [])

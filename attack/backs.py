"""Cards of which only the back is seen, and `none`, compared with all orders of the heaps.

    python -m attack.backs 5000      # so many random logs of `tests/packs/pedlars`

A log is legal if some order of the heaps allows it. Exit code 1 if the program differs.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from random import Random

import click

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text

PACKS = Path(__file__).parents[1] / "tests" / "packs"
SMALL = ["Apples", "Apples", "Plums", "Plums"]
LARGE = ["Rubies", "Sapphires", "Sapphires"]
RED = {"Apples", "Rubies"}
NAMES = ["Ann", "Bob"]
HEAD = '[Game "pedlars"]\nsetup\n  seat Ann\n  seat Bob\nturn 1 Ann\n'

Order = tuple[tuple[str, ...], tuple[str, ...]]
ORDERS: list[Order] = sorted(product(set(permutations(SMALL)), set(permutations(LARGE))))


class Course:
    """A history: the counters, and which statements they allow."""

    def __init__(self, order: Order) -> None:
        self.heaps = {"small": list(order[0]), "large": list(order[1])}
        self.carts: list[Counter[str]] = [Counter(), Counter()]
        self.player = 0
        self.asked: str | None = None

    def large(self, player: int) -> int:
        return sum(self.carts[player][ware] for ware in set(LARGE))

    def moves(self) -> Iterator[str]:
        """Yield the possible statements, with their draws."""
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
        """Make a move; return False if impossible."""
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
                (large,) = [ware for ware in LARGE[:2] if mine[ware]]
                (other,) = [ware for ware in LARGE[:2] if theirs[ware]]
                for cart, out, comes in ((mine, large, other), (theirs, other, large)):
                    cart[out] -= 1
                    cart[comes] += 1
        self.asked = None
        self.player = 1 - self.player
        return True


def first_impossible(log: list[str]) -> int | None:
    """Find the first statement that no order allows."""
    courses = [Course(order) for order in ORDERS]
    for number, statement in enumerate(log):
        courses = [course for course in courses if course.make(statement)]
        if not courses:
            return number
    return None


def random_log(random: Random) -> list[str]:
    """Make a log with few records, and possibly a mistake."""
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


def first_wrong(log: list[str]) -> int | None:
    """Find the first statement that is wrong or not judged."""
    (game,) = check_text(HEAD + "".join(f"  {move}\n" for move in log)).games
    errors = [f.span.line for f in game.findings if f.severity is Severity.ERROR]
    return min(errors) - HEAD.count("\n") - 1 if errors else None


@click.command()
@click.argument("count", type=int, default=1000)
@click.option("--seed", type=int, default=0)
def main(count: int, seed: int) -> None:
    """Compare `check` with all orders of the heaps, on random logs."""
    os.environ["ALTAY_PACKS"] = str(PACKS)
    random = Random(seed)
    illegal = 0
    for _ in range(count):
        log = random_log(random)
        expected, found = first_impossible(log), first_wrong(log)
        illegal += expected is not None
        if expected != found:
            click.echo(f"statement {expected} is wrong, found {found}: {'; '.join(log)}")
            sys.exit(1)
    click.echo(f"{count} logs, {illegal} of them illegal: all judged alike")


if __name__ == "__main__":
    main()

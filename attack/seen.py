"""Go fish as one player saw it: games whose other hands are not recorded, and changed ones.

    python -m attack.seen               # six games of each number of players, and changes of them
    python -m attack.seen --worlds 1    # as if no worlds could be listed

The games are simulated and legal, so that `check` must find no error, and judge them to their end.
Then statements are changed: the rank that is asked for, how many cards are given, a card that is
fished, a book. At each statement, single cards are matched with the places to which cards came
unnamed, to see whether any deal allows it. The first statement that no deal allows must be the
first error.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import NamedTuple

import click

from altay_cli.base.findings import UNDECIDED, errors_of
from altay_cli.checking.check import check_text
from altay_cli.hidden import limits
from altay_cli.simulation.simulated import PlayPlan, playout
from altay_cli.view.watching import LogLines, watch_text
from attack.masked import first_error

VIEWER = "Ann"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = 4
MOST_PLAYERS = 6
CHANGED = re.compile(r"ask|give|fish =>|book|\w+: deal")


def simulated(players: int, number: int, seed: int) -> str:
    """Return a simulated game, as Ann saw it."""
    policies = ("greedy",) if number % 2 else ("random",)
    log = playout(PlayPlan("gofish", players, policies, seed, keep=True), number).log
    assert log is not None
    return seen(log)


def seen(text: str) -> str:
    """Return a log without the cards that Ann did not see."""
    _, (watched,) = watch_text(text)
    assert watched is not None
    rows = LogLines(watched).rows()
    return "".join(f"{''.join(part.text(VIEWER) for part in parts)}\n" for _, parts in rows)


def changed(text: str, random: Random) -> str:
    """Change one name or number of a log."""
    lines = text.splitlines()
    number = random.choice([n for n, line in enumerate(lines) if CHANGED.search(line)])
    line = lines[number].replace('"', "")
    if "give" in line:
        begins, _, cards = line.partition("give ")
        _, rank = given(cards)
        line = f"{begins}give {', '.join([rank] * random.randint(1, 3))}"
    elif "=>" in line:
        line = f"{line.partition('=>')[0]}=> {random.choice(['?', *RANKS])}"
    else:
        names = [*re.finditer(rf"\b(?:{'|'.join(RANKS)})\b(?! \?)", line)]
        if not names:
            return text
        name = random.choice(names)
        line = line[: name.start()] + random.choice(RANKS) + line[name.end() :]
    lines[number] = line
    return "\n".join([*lines, ""])


def given(cards: str) -> tuple[int, str]:
    """Return the number and the rank of some cards: `2 K`, or `K, K`."""
    first, *others = cards.split(", ")
    number, _, rank = first.rpartition(" ")
    return int(number or 1) + len(others), rank


# ---------------------------------------------------------------- the judge


class Illegal(Exception):  # noqa: N818 - a verdict
    """No deal allows a statement."""


@dataclass(eq=False)
class Slot:
    """A card that came to a hand unnamed, and the ranks that it is not."""

    lacking: set[str] = field(default_factory=set)


class Demand(NamedTuple):
    """A card that was named later: one of some slots."""

    rank: str
    slots: tuple[Slot, ...]


class Hands:
    """The hands: cards that all know, and slots for what was drawn unnamed."""

    def __init__(self) -> None:
        self.stock = SUITS * len(RANKS)
        self.seen: Counter[str] = Counter()
        """Cards that were named when they left the stock."""
        self.known: dict[str, Counter[str]] = {}
        self.slots: dict[str, list[Slot]] = {}
        self.unnamed: Counter[str] = Counter()
        """How many cards of each player nobody has named."""
        self.demands: list[Demand] = []

    def seat(self, player: str) -> None:
        self.known[player], self.slots[player] = Counter(), []

    def size(self, player: str) -> int:
        return self.unnamed[player] + self.known[player].total()

    def draw(self, player: str, count: int, *, lacking: str | None = None) -> None:
        """Draw cards that nobody names, none of them of the rank ``lacking``."""
        lacks = set() if lacking is None else {lacking}
        self.slots[player] += [Slot({*lacks}) for _ in range(count)]
        self.unnamed[player] += count
        self.stock -= count

    def draw_named(self, player: str, rank: str) -> None:
        if not self.may_come(rank):
            raise Illegal
        self.seen[rank] += 1
        self.known[player][rank] += 1
        self.stock -= 1

    def may_come(self, rank: str) -> bool:
        """Return True if the stock may hold a card of a rank."""
        self.seen[rank] += 1
        possible = self.stock > 0 and self.is_possible()
        self.seen[rank] -= 1
        return possible

    def show(self, player: str, rank: str, count: int) -> None:
        """Name cards of a hand until all know of ``count``."""
        more = max(count - self.known[player][rank], 0)
        if more > self.unnamed[player] or not self.possibly(player, rank, count):
            raise Illegal
        self.demands += self.demanded(player, rank, more)
        self.unnamed[player] -= more
        self.known[player][rank] += more

    def demanded(self, player: str, rank: str, count: int) -> list[Demand]:
        slots = tuple(slot for slot in self.slots[player] if rank not in slot.lacking)
        return [Demand(rank, slots)] * count

    def rule_out(self, player: str, rank: str) -> None:
        for slot in self.slots[player]:
            slot.lacking.add(rank)

    def possibly(self, player: str, rank: str, count: int) -> bool:
        """Return True if a hand may hold so many cards of a rank, or more."""
        rest = max(count - self.known[player][rank], 0)
        if rest > self.unnamed[player]:
            return False
        return self.is_possible(self.demanded(player, rank, rest))

    def surely(self, player: str, rank: str, count: int) -> bool:
        rest = count - self.known[player][rank]
        return not any(self.has_exactly(player, rank, number) for number in range(rest))

    def has_exactly(self, player: str, rank: str, count: int) -> bool:
        """Return True if a hand may hold so many unnamed cards of a rank, and no more."""
        if count > self.unnamed[player]:
            return False
        more = self.demanded(player, rank, count)
        before = [{*slot.lacking} for slot in self.slots[player]]
        self.rule_out(player, rank)
        possible = self.is_possible(more)
        for slot, lacking in zip(self.slots[player], before, strict=True):
            slot.lacking = lacking
        return possible

    def is_possible(self, more: Sequence[Demand] = ()) -> bool:
        """Return True if cards fit into all slots, and named cards into theirs.

        If all slots can be matched with cards, and all demands with slots, then one matching does
        both (Mendelsohn and Dulmage).
        """
        demands = [*self.demands, *more]
        free = Counter(dict.fromkeys(RANKS, SUITS)) - self.seen
        free.subtract(demand.rank for demand in demands)
        if any(count < 0 for count in free.values()):
            return False
        cards = [*range(len(demands)), *free.elements()]
        slots = [slot for some in self.slots.values() for slot in some]

        def fitting(slot: Slot) -> list[int]:
            return [
                number
                for number, card in enumerate(cards)
                if (
                    slot in demands[card].slots
                    if isinstance(card, int)
                    else card not in slot.lacking
                )
            ]

        numbers = {slot: number for number, slot in enumerate(slots)}
        wanted = [[numbers[slot] for slot in demand.slots] for demand in demands]
        return can_match(wanted) and can_match([*map(fitting, slots)])


def can_match(wanted: Sequence[Sequence[int]]) -> bool:
    """Return True if each gets one of the numbers that it wants, and none is given twice."""
    given_to: dict[int, int] = {}

    def give(who: int, tried: set[int]) -> bool:
        for number in wanted[who]:
            if number not in tried:
                tried.add(number)
                if number not in given_to or give(given_to[number], tried):
                    given_to[number] = who
                    return True
        return False

    return all(give(who, set()) for who in range(len(wanted)))


class Judge:
    """The rules of the game, for one log."""

    def __init__(self) -> None:
        self.hands = Hands()
        self.players: list[str] = []
        self.books: Counter[str] = Counter()
        self.active = ""
        self.asked: tuple[str, str] | None = None
        self.fishing: str | None = None
        self.fisher: str | None = None
        self.is_done = False

    def first_illegal(self, text: str) -> int | None:
        """Return the line of the first statement that no deal allows."""
        for number, line in enumerate(text.replace('"', "").splitlines(), 1):
            try:
                self.judge(line.strip())
            except Illegal:
                return number
        return None

    def judge(self, line: str) -> None:
        if line.startswith("seat "):
            self.players.append(line[5:])
            self.hands.seat(line[5:])
            return
        if line.startswith("turn "):
            self.active = line.rsplit(maxsplit=1)[-1]
            return
        if line.startswith("result"):
            return
        actor, _, move = line.rpartition(": ")
        words = move.split()
        match words[:1]:
            case ["deal"]:
                for card in move[5:].split(", "):
                    count, rank = given(card)
                    if rank == "?":
                        self.hands.draw(actor, count)
                    for _ in range(count if rank != "?" else 0):
                        self.hands.draw_named(actor, rank)
                return
            case ["ask"]:
                self.ask(actor or self.active, words[1], words[3])
            case ["give"] | ["none"]:
                self.answer(actor, *given(move[5:]) if words[0] == "give" else (0, ""))
            case ["fish"]:
                self.fish(actor, words[2] if len(words) > 2 else "?")
            case ["book"]:
                self.book(actor or self.active, words[1])
            case ["refill"]:
                self.require(not self.is_over and not self.asked and not self.fishing)
                self.require(actor in {"", self.active} and not self.has_book(*self.players))
                self.require(not self.hands.size(self.active) and self.hands.stock > 0)
                self.take(words[2] if len(words) > 2 else "?")
            case _:
                return
        self.pass_on()

    @staticmethod
    def require(condition: bool) -> None:
        if not condition:
            raise Illegal

    @property
    def is_over(self) -> bool:
        return self.books.total() == len(RANKS)

    def has_book(self, *players: str) -> bool:
        hands = self.hands
        return any(
            count and hands.surely(player, rank, SUITS)
            for player in players
            for rank, count in hands.known[player].items()
        )

    def take(self, card: str, lacking: str | None = None) -> None:
        if card == "?":
            self.hands.draw(self.active, 1, lacking=lacking)
        else:
            self.hands.draw_named(self.active, card)

    def ask(self, actor: str, other: str, rank: str) -> None:
        hands = self.hands
        self.require(not self.asked and not self.fishing and not self.is_over)
        self.require(actor == self.active and other != actor and other in self.players)
        self.require(not self.has_book(*self.players) and hands.size(actor) > 0)
        self.require(hands.possibly(actor, rank, 1))
        self.fisher = None
        for player in self.players:
            for other_rank, count in [*hands.known[player].items()]:
                if count == SUITS - 1:
                    hands.rule_out(player, other_rank)
        hands.show(actor, rank, 1)
        self.asked = other, rank

    def answer(self, actor: str, count: int, given_rank: str) -> None:
        hands = self.hands
        if self.asked is None:
            raise Illegal
        other, rank = self.asked
        self.require(actor == other and given_rank in {"", rank})
        hands.show(other, rank, count)
        self.require(not hands.surely(other, rank, count + 1))
        hands.rule_out(other, rank)
        hands.known[other][rank] -= count
        hands.known[self.active][rank] += count
        self.asked = None
        if not count:
            self.fishing = rank if hands.stock else None
            self.is_done = not hands.stock

    def fish(self, actor: str, card: str) -> None:
        rank = self.fishing
        self.require(rank is not None and actor in {"", self.active})
        others = [other for other in RANKS if other != rank]
        # It is the rank that was asked for where nothing else is left.
        none_left = card == "?" and not any(self.hands.may_come(r) for r in others)
        self.take(card, lacking=None if none_left else rank)
        self.fishing = None
        self.fisher = self.active if card == "?" else None
        self.is_done = card != rank and not none_left

    def book(self, actor: str, rank: str) -> None:
        self.require(not self.asked and not self.fishing and not self.is_over)
        who = actor
        if self.fisher is not None and self.hands.possibly(self.fisher, rank, SUITS):
            who = self.fisher
        self.hands.show(who, rank, SUITS)
        self.hands.known[who][rank] = 0
        self.books[who] += 1

    def pass_on(self) -> None:
        if self.asked or self.fishing or self.is_over or self.has_book(self.active):
            return
        if self.is_done or not (self.hands.size(self.active) or self.hands.stock):
            self.is_done = False
            at = self.players.index(self.active) + 1
            others = [*self.players[at:], *self.players]
            able = [p for p in others if self.hands.size(p) or self.hands.stock]
            self.active = (able or others)[0]


# ---------------------------------------------------------------- the command


def differs(text: str) -> str | None:
    """Compare `check` with the judge."""
    expected, found = Judge().first_illegal(text), first_error(text)
    if expected == found:
        return None
    return f"illegal in line {expected}, found in line {found}\n{text}"


def judged(players: int, games: int, seed: int) -> Iterator[tuple[str, str | None]]:
    """Yield simulated games as they were seen, with what is wrong with the verdict on them."""
    for number in range(1, games + 1):
        text = simulated(players, number, seed)
        (game,) = check_text(text).games
        errors = errors_of(game.findings)
        yield text, f"line {errors[0].span.line}: {errors[0].rule}" if errors else None


@click.command()
@click.option("--games", default=6, show_default=True, help="How many of each number of players.")
@click.option("--changes", default=10, show_default=True, help="How many changes of each game.")
@click.option("--worlds", type=int, help="The most worlds to list, instead of the usual limit.")
@click.option("--seed", default=1, show_default=True)
def main(games: int, changes: int, worlds: int | None, seed: int) -> None:
    """Judge go fish as one player saw it; no verdict may be wrong, and all are given."""
    limits.MAX_WORLDS = worlds or limits.MAX_WORLDS
    problems: list[str] = []
    for players in range(2, MOST_PLAYERS + 1):
        begun, wrong, illegal = process_time(), Counter[str](), 0
        texts = []
        for text, problem in judged(players, games, seed):
            texts.append(text)
            if problem is not None:
                wrong["undecided" if problem.endswith(UNDECIDED) else "accused"] += 1
                problems.append(f"{players} players, {problem}\n{text}")
        seconds = process_time() - begun
        random = Random(f"{seed} {players}")
        for text in [changed(text, random) for text in texts for _ in range(changes)]:
            illegal += Judge().first_illegal(text) is not None
            if difference := differs(text):
                wrong["judged otherwise"] += 1
                problems.append(f"{players} players, {difference}")
        click.echo(
            f"{players} players: {games} games in {seconds:.1f} s, {games * changes} changed ones, "
            f"{illegal} of them illegal; {dict(wrong) or 'none judged wrongly'}"
        )
    for problem in problems[:5]:
        click.echo(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

"""Following suit after unrecorded deals, compared with all deals.

    python -m attack.tricks 1000      # so many random logs of `tests/packs/tricks`

A player who does not follow suit has no card of that suit. A log is legal if the unseen cards can
be divided among the hands. Exit code 1 if the program differs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import click

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text

PACKS = Path(__file__).parents[1] / "tests" / "packs"
PLAYERS = ("Ann", "Bob", "Cid")
RANKS = "9TJQKA"
CARDS = tuple(suit + rank for suit in "HSCD" for rank in RANKS)
HAND = 8
FEWEST = 3
"""Statements of the shortest log."""

Dealt = Mapping[str, int]
"""The player to whom each card is recorded as dealt."""


class Log(NamedTuple):
    """The deals as recorded, and the cards played."""

    deals: Sequence[str]
    dealt: Dealt
    played: Sequence[str]

    @property
    def head(self) -> str:
        seats = "".join(f"  seat {name}\n" for name in PLAYERS)
        deals = "".join(
            f"  {name}: {deal}\n" for name, deal in zip(PLAYERS, self.deals, strict=True)
        )
        return f'[Game "tricks"]\nsetup\n{seats}{deals}turn 1 Ann\n'

    @property
    def text(self) -> str:
        return self.head + "".join(f"  play {card}\n" for card in self.played)


def winner(trick: Sequence[tuple[int, str]]) -> int:
    """Return who played the highest card of the suit that was led."""
    (_, led), *_ = trick
    followed = [(RANKS.index(card[1]), player) for player, card in trick if card[0] == led[0]]
    return max(followed)[1]


# ---------------------------------------------------------------- what can be


def can_be_dealt(
    dealt: Dealt, played: set[str], missing: Sequence[set[str]], left: Sequence[int]
) -> bool:
    """Return True if the unplayed cards fit into hands of so many cards.

    ``missing``: the suits that each player has no card of. By Hall's theorem, for every set of
    players the cards that only they can have must fit into their hands.
    """
    possible = [
        {
            player
            for player in range(len(PLAYERS))
            if card[0] not in missing[player] and dealt.get(card, player) == player
        }
        for card in CARDS
        if card not in played
    ]
    groups = chain.from_iterable(combinations(range(len(PLAYERS)), n) for n in range(3))
    return all(
        sum(who <= {*some} for who in possible) <= sum(left[player] for player in some)
        for some in groups
    )


def first_impossible(log: Log) -> int | None:
    """Find the first card that cannot have been played."""
    played: set[str] = set()
    missing: list[set[str]] = [set() for _ in PLAYERS]
    left, trick, player = [HAND] * len(PLAYERS), list[tuple[int, str]](), 0
    for number, card in enumerate(log.played):
        if card in played or log.dealt.get(card, player) != player or card[0] in missing[player]:
            return number
        if trick and card[0] != trick[0][1][0]:
            missing[player].add(trick[0][1][0])
        played.add(card)
        left[player] -= 1
        trick.append((player, card))
        if not can_be_dealt(log.dealt, played, missing, left):
            return number
        player = (player + 1) % len(PLAYERS)
        if len(trick) == len(PLAYERS):
            player, trick = winner(trick), []
    return None


# ---------------------------------------------------------------- random logs


def random_log(random: Random) -> Log:
    """Make a log with few records, and possibly a mistake."""
    cards = random.sample(CARDS, len(CARDS))
    hands = [cards[HAND * number : HAND * (number + 1)] for number in range(len(PLAYERS))]
    played = list(_played([[*hand] for hand in hands], random))
    if random.random() < 0.6:
        first, second = random.sample(range(len(played)), 2)
        if random.random() < 0.5:
            played[first] = random.choice(CARDS)
        else:
            played[first], played[second] = played[second], played[first]
    deals, dealt = [], dict[str, int]()
    for player, hand in enumerate(hands):
        known = random.sample(hand, random.choice((0, 0, 1, 2, 3, HAND)))
        hidden = [] if len(known) == HAND else [f"{HAND - len(known)} ?"]
        deals.append(f"deal => {', '.join([*known, *hidden])}" if known else "deal")
        dealt.update(dict.fromkeys(known, player))
    return Log(deals, dealt, played[: random.randint(FEWEST, len(played))])


def _played(hands: Sequence[list[str]], random: Random) -> Iterator[str]:
    leader = 0
    for _ in range(HAND):
        trick: list[tuple[int, str]] = []
        for number in range(len(PLAYERS)):
            player = (leader + number) % len(PLAYERS)
            hand = hands[player]
            follows = [card for card in hand if trick and card[0] == trick[0][1][0]]
            card = random.choice(follows or hand)
            hand.remove(card)
            trick.append((player, card))
            yield card
        leader = winner(trick)


def differs(log: Log) -> str | None:
    """Compare `check` with the deals.

    An error may also be reported at the record of a deal.
    """
    (game,) = check_text(log.text).games
    errors = [found for found in game.findings if found.severity is Severity.ERROR]
    expected, found = (
        first_impossible(log),
        min((error.span.line for error in errors), default=None),
    )
    line = None if expected is None else log.head.count("\n") + 1 + expected
    in_deal = line is not None and [error.rule for error in errors] == ["setup-contradicted"]
    if found == line or in_deal:
        return None
    messages = [f"{error.span.line}: {error.message}" for error in errors]
    return f"wrong in line {line}, found in line {found}\n{log.text}{messages}"


@click.command()
@click.argument("count", type=int, default=1000)
@click.option("--seed", type=int, default=0)
def main(count: int, seed: int) -> None:
    """Compare `check` with all deals, on random logs."""
    os.environ["ALTAY_PACKS"] = str(PACKS)
    random = Random(seed)
    logs = [random_log(random) for _ in range(count)]
    others = [difference for log in logs if (difference := differs(log))]
    for difference in others[:10]:
        click.echo(difference)
    illegal = sum(first_impossible(log) is not None for log in logs)
    click.echo(f"{count} logs, {illegal} of them illegal: {len(others)} judged otherwise")
    sys.exit(1 if others else 0)


if __name__ == "__main__":
    main()

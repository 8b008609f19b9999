"""A second judge of unrecorded draws: every world, one by one, for tiny decks.

It shares no code with the program. `altay check` must report the first statement that leaves no
distribution over hand, deck and discard pile.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

Cards = tuple[str, ...]


class Way(NamedTuple):
    """Each pile is sorted."""

    hand: Cards
    deck: Cards
    discard: Cards


Ways = set[Way]

HEAD = """\
[Game "altay"]
position
  Ann: faction Firefolk
  Bob: faction Elvenfolk
  Ann: settlements 3 F2
  Bob: settlements 3 F6
  Ann: completed Mathematics, Engineering
"""
OWNED = ("Hunter",) * 3 + ("Shaman",) + ("Village",) * 2 + ("Warrior",) * 4
KINDS = ("Farmer", "Hunter", "Shaman", "Village", "Warrior")
HAND = 5


def without(cards: Cards, card: str) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def more(cards: Cards, *others: str) -> Cards:
    """Join cards."""
    return tuple(sorted((*cards, *others)))


def drawing(ways: Iterable[Way], named: str | None, *, recorded: bool = False) -> Ways:
    """Yield every way to draw a card; an empty deck is reshuffled.

    With no card left nothing is drawn, unless one is ``recorded``.
    """
    found: Ways = set()
    for way in ways:
        hand, deck, discard = way
        if not deck:
            deck, discard = discard, ()
        if not deck and named is None and not recorded:
            found.add(way)
        for card in set(deck):
            if named in {None, card}:
                found.add(Way(more(hand, card), without(deck, card), discard))
    return found


def using(ways: Iterable[Way], card: str, *, discarded: bool) -> Ways:
    """Use a card, which is discarded or leaves the game."""
    return {
        Way(
            without(way.hand, card), way.deck, more(way.discard, card) if discarded else way.discard
        )
        for way in ways
        if card in way.hand
    }


class Made(NamedTuple):
    """``wrong`` is the line of the first impossible statement."""

    text: str
    wrong: int | None


def made(random: Random, turns: int) -> Made:
    lines = HEAD.splitlines()
    farmers = 4  # copies in the display
    # Some logs name possible cards only, and are always right.
    careful = random.choice((0.8, 0.97, 1.0))

    def card_of(likely: Iterable[str]) -> str:
        known = sorted(set(likely))
        return random.choice(known if known and random.random() < careful else KINDS)

    ways = {Way((), tuple(sorted(OWNED)), ())}
    for _ in range(HAND):
        ways = drawing(ways, None)
    for number in range(1, turns + 1):
        lines.append(f"turn {number} Ann")
        food, bought = 0, False
        for what in random.sample(("play", "play", "play", "discard", "trash", "buy"), 4):
            card = card_of(card for way in ways for card in way.hand)
            if what == "buy":
                if food and not bought and farmers:
                    farmers -= 1
                    lines.append("buy Farmer for food")
                    ways = {way._replace(discard=more(way.discard, "Farmer")) for way in ways}
                    food, bought = food - 1, True
                continue
            if what == "play":
                card = card_of(
                    card for way in ways for card in way.hand if card in {"Hunter", "Shaman"}
                )
                if card not in {"Hunter", "Shaman"}:
                    continue
                lines.append(f"play {card}")
                food += card == "Hunter"
                ways = using(ways, card, discarded=True)
            else:
                named = random.choice((None, None, "?"))
                trashed = what == "trash"
                lines.append(
                    f"use Engineering trashing {card}"
                    if trashed
                    else f"use Mathematics discarding {card}"
                )
                lines[-1] += f" => {named}" if named else ""
                ways = using(ways, card, discarded=not trashed)
                ways = drawing(ways, None if named == "?" else named, recorded=named is not None)
            if not ways:
                return Made("\n".join([*lines, ""]), len(lines))
        outcome = []
        ways = {Way((), way.deck, more(way.discard, *way.hand)) for way in ways}
        is_recorded = random.random() < 0.4
        for _ in range(HAND):
            if not any(way.deck or way.discard for way in ways):
                break
            named = None
            if is_recorded and random.random() < 0.4:
                named = card_of(card for way in ways for card in way.deck or way.discard)
            outcome.append(named or "?")
            ways = drawing(ways, named)
        lines.append("end" + (f" => {', '.join(outcome)}" if is_recorded else ""))
        if not ways:
            return Made("\n".join([*lines, ""]), len(lines))
        lines += [f"turn {number} Bob", "end"]
    return Made("\n".join([*lines, ""]), None)

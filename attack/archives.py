"""Cards in the hand or archived, in very small decks, compared with all possibilities.

    python -m attack.archives 2000            # so many random logs
    python -m attack.archives 2000 --german   # an archived card may be taken back at any time

Ann's draws may exhaust her deck; the log records them, a part, or none. `check` must report the
first statement that no possibility allows. Exit code 1 if it does not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

import click

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from attack.worlds import HAND, Cards, more, without

WOOD, STONE = "Craftsman(wood)", "Craftsman(stone)"
OWNED = {
    "Earthfolk": ("Digger", "Colonist", *["Hunter"] * 3, *["Village"] * 2, *["Warrior"] * 3),
    "Smallfolk": (WOOD, STONE, *["Hunter"] * 2, "Spellweaver", "Village", *["Warrior"] * 2),
}
COPIES = (
    *["Worker"] * 2, "Worker(1)", *["Cavalry"] * 2, "Cavalry(1)", "City", "City(1)", "City(2)",
    *["Hunter"] * 2,
)  # fmt: skip
"""Cards worth more points than others of their title."""

PLAYED = {
    "Colonist": "play Colonist", "Digger": "play Digger for stone", "Hunter": "play Hunter",
    WOOD: "play Craftsman for wood", STONE: "play Craftsman for stone",
    "Craftsman": "play Craftsman", "Worker": "play Worker", "Worker(1)": "play Worker(1)",
}  # fmt: skip

HEAD = """\
[Game "altay"]
position
  Ann: faction {faction}
  Bob: faction Elvenfolk
  Ann: deck {deck}
  Ann: settlements 3 F2
  Bob: settlements 3 F6
  Ann: completed Mathematics, Engineering, Writing, Government
"""


class Way(NamedTuple):
    """Each pile is sorted."""

    hand: Cards
    deck: Cards
    discard: Cards
    archive: Cards
    aside: Cards = ()
    """Played cards, discarded at the end of the turn by the German edition."""


Ways = set[Way]


def meanings(name: str, cards: Cards) -> set[str]:
    """Return the cards that a name can mean: of copies, the one with the fewest points."""
    if name == "?":
        return set(cards)
    if name in {WOOD, STONE} or "(" in name:
        return {name} & {*cards}
    found = sorted({card for card in cards if card.partition("(")[0] == name})
    return {*found} if name == "Craftsman" else {*found[:1]}


def drawing(ways: Iterable[Way], recorded: list[str] | None, count: int) -> Iterator[Way]:
    """Draw ``count`` cards, or all there are; ``recorded`` names each."""
    for way in ways:
        fewer = min(count, len(way.deck) + len(way.discard))
        if recorded is None or len(recorded) == fewer:
            yield from _drawn(way, recorded or ["?"] * fewer)


def _drawn(way: Way, names: list[str]) -> Iterable[Way]:
    """Draw as many as possible; an empty deck is reshuffled."""
    if not names:
        return {way}
    deck, discard = (way.deck, way.discard) if way.deck else (way.discard, ())
    here, later = names[: len(deck)], names[len(deck) :]
    if len(here) == len(deck):
        # All are drawn: names exclude those that are drawn under other names.
        here = sorted(here, key=lambda name: "(" not in name)
    now = {way._replace(deck=deck, discard=discard)}
    for name in here:
        now = {drawn for way in now for drawn in _draw_card(way, name)}
    return {drawn for way in now for drawn in _drawn(way, later)}


def _draw_card(way: Way, name: str) -> Iterator[Way]:
    deck, discard = (way.deck, way.discard) if way.deck else (way.discard, ())
    for card in meanings(name, deck):
        yield way._replace(hand=more(way.hand, card), deck=without(deck, card), discard=discard)


def using(ways: Iterable[Way], name: str, target: str | None) -> Iterator[Way]:
    """Use a card of the hand or the archived one; None removes it."""
    for way in ways:
        for card in meanings(name, way.hand + way.archive):
            moved = {target: more(getattr(way, target), card)} if target else {}
            if card in way.hand:
                yield way._replace(hand=without(way.hand, card), **moved)
            if card in way.archive:
                yield way._replace(archive=(), **moved)


def returning(ways: Iterable[Way]) -> Ways:
    """Take the archived card back, or not, without a record."""
    back = {way._replace(hand=more(way.hand, *way.archive), archive=()) for way in ways}
    return {*ways, *back}


def archiving(ways: Iterable[Way], name: str) -> Iterator[Way]:
    """Archive a card if none is archived."""
    for way in ways:
        for card in meanings(name, way.hand if not way.archive else ()):
            yield way._replace(hand=without(way.hand, card), archive=(card,))


class Made(NamedTuple):
    """``wrong`` is the line of the first impossible statement."""

    text: str
    wrong: int | None


class _Maker:
    def __init__(self, random: Random, *, copies: bool, german: bool) -> None:
        self.random = random
        self.german = german
        faction = random.choice(sorted(OWNED))
        cards = COPIES if copies else OWNED[faction]
        self.owned = tuple(sorted(random.sample(cards, random.randint(4, 8))))
        self.vague = random.choice((0.0, 0.7))
        self.careful = random.choice((0.8, 0.95, 1.0))
        self.archives = random.choice((0.3, 0.8))
        self.secret = random.choice((0.3, 0.6, 0.9))
        self.lines = HEAD.format(faction=faction, deck=", ".join(self.owned)).splitlines()
        if german:
            self.lines.insert(1, '[Edition "de"]')
        begins = Way((), self.owned, (), ())
        if random.random() < 0.3:
            card = random.choice(self.owned)
            begins = begins._replace(deck=without(self.owned, card), archive=(card,))
            self.lines.append(f"  Ann: archived {card}")
        self.ways = set(drawing({begins}, None, HAND))

    def _some(self, likely: Iterable[str]) -> str:
        known = sorted(set(likely))
        careful = known and self.random.random() < self.careful
        card = self.random.choice(known if careful else self.owned)
        return card if {WOOD, STONE} <= {*known} else self._name(card)

    def _name(self, card: str) -> str:
        """Name a card, possibly ambiguously."""
        return card.partition("(")[0] if self.random.random() < self.vague else card

    def _draw(self, count: int) -> None:
        random, recorded = self.random, None
        if self.ways and random.random() >= self.secret:
            way, recorded = random.choice(sorted(self.ways)), []
            for _ in range(min(count, len(way.deck) + len(way.discard))):
                every = (
                    (drawn, card) for card in set(self.owned) for drawn in _draw_card(way, card)
                )
                way, came = random.choice(sorted(every))
                recorded.append(self._name(came) if random.random() < 0.5 else "?")
            if recorded and random.random() > self.careful:
                recorded[random.randrange(len(recorded))] = random.choice(self.owned)
            if random.random() > self.careful:
                recorded = recorded[:-1] if random.random() < 0.5 else [*recorded, "?"]
        self.lines[-1] += f" => {', '.join(recorded)}" if recorded else ""
        self.ways = set(drawing(self.ways, recorded or None, count))

    def act(self, what: str) -> None:
        if self.german and what == "archive":
            self.ways = returning(self.ways)
        can_use = [card for way in self.ways for card in way.hand + way.archive]
        if what == "extra":
            self.lines.append("use Government")
        elif what == "play":
            card = self._some(card for card in can_use if card in PLAYED)
            if card in PLAYED:
                self.lines.append(PLAYED[card])
                self.ways = set(using(self.ways, card, "aside" if self.german else "discard"))
        elif what == "archive":
            card = self._some(card for way in self.ways for card in way.hand if not way.archive)
            self.lines.append(f"use Writing archiving {card}")
            self.ways = set(archiving(self.ways, card))
        else:
            card = self._some(can_use)
            how = "Engineering trashing" if what == "trash" else "Mathematics discarding"
            self.lines.append(f"use {how} {card}")
            self.ways = set(using(self.ways, card, "discard" if what == "discard" else None))
            self._draw(1)

    def claim(self) -> None:
        if self.german:
            self.ways = returning(self.ways)
        way = self.random.choice(sorted(self.ways))
        self.lines.append(f"Ann: expect archived {', '.join(way.archive)}".rstrip())
        self.ways = {other for other in self.ways if other.archive == way.archive}

    def end(self, count: int) -> None:
        if self.german:
            self.ways = returning(self.ways)
        self.ways = {
            Way((), w.deck, more(w.discard, *w.hand, *w.aside), w.archive) for w in self.ways
        }
        self.lines.append("end")
        self._draw(count)

    def todo(self) -> list[str]:
        random = self.random
        todo = random.sample(("play", "play", "play", "discard", "trash"), random.randint(0, 4))
        ending = ["archive"] if random.random() < self.archives else []
        if random.random() < 0.15:
            ending.insert(random.randint(0, len(ending)), "extra")
        return todo + ending


def made(random: Random, *, copies: bool = False, german: bool = False) -> Made:
    maker = _Maker(random, copies=copies, german=german)
    for number in range(1, random.randint(3, 9)):
        maker.lines.append(f"turn {number} Ann")
        if german and random.random() < 0.2:
            maker.claim()
        todo = maker.todo()
        for what in [*todo, "end"]:
            if what == "end":
                maker.end(HAND + ("extra" in todo))
            else:
                maker.act(what)
            if not maker.ways:
                return Made("\n".join([*maker.lines, ""]), len(maker.lines))
        maker.lines += [f"turn {number} Bob", "end"]
    return Made("\n".join([*maker.lines, ""]), None)


def differs(log: Made) -> str | None:
    (game,) = check_text(log.text).games
    found = min((f.span.line for f in game.findings if f.severity is Severity.ERROR), default=None)
    if found == log.wrong:
        return None
    errors = [f"{f.span.line}: {f.message}" for f in game.findings if f.severity is Severity.ERROR]
    return f"wrong in line {log.wrong}, found in line {found}\n{log.text}{errors}"


@click.command()
@click.argument("count", type=int, default=1000)
@click.option("--seed", type=int, default=1)
@click.option("--copies", is_flag=True, help="Cards of which there are copies with more points.")
@click.option("--german", is_flag=True, help="By the German edition.")
def main(count: int, seed: int, *, copies: bool, german: bool) -> None:
    """Compare `check` with all distributions, on random logs."""
    randoms = [Random(seed * 1_000_000 + number) for number in range(count)]
    logs = [made(random, copies=copies, german=german) for random in randoms]
    others = [difference for log in logs if (difference := differs(log))]
    for difference in others[:10]:
        click.echo(difference)
    wrong = sum(log.wrong is not None for log in logs)
    click.echo(f"{count} logs, {wrong} of them illegal: {len(others)} judged otherwise")
    sys.exit(1 if others else 0)


if __name__ == "__main__":
    main()

"""A player who knows the rules of Altay a little, to play random legal games.

Proposes statements, most of them legal, with draws that are really possible: it keeps its own
idea of how a deck is reshuffled (en 9), so that a draw that the referee refuses is a bug of one
of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from altay_cli.base.values import Entity, expand
from tests.engine.table import Table

RESOURCES = ("food", "wood", "metal", "stone", "culture")


class Player:
    """Plays for everybody at a table."""

    def __init__(self, table: Table, random: Random) -> None:
        self.table = table
        self.random = random

    def step(self) -> str:
        """Play one legal statement, chosen by chance; returns it."""
        table = self.table
        if table["over"]:
            return ""
        if table["turn.ended"]:
            line = f"turn {table['round']} {table['next'].id}"
            assert table.attempt(line), line
            return line
        lines = list(self._proposals())
        self.random.shuffle(lines)
        for line in lines:
            written = line() if callable(line) else line
            if table.attempt(written):
                return written
        assert not table.state.pending, f"no answer among {lines}"
        return self.end_turn()

    def end_turn(self) -> str:
        """End the turn; that is always possible."""
        me = self.table["active"]
        count = 5 + self.table["turn.extra"]
        discarded = expand(self.table["hand"][me])
        line = f"end => {self._draw(me, count, discarded)}".strip()
        found = self.table.say(line)
        assert not [f for f in found if f.severity == "error"], (line, found)
        return line

    # ------------------------------------------------------------ chance

    def _draw(self, me: Entity, count: int, first_discarded: list[Entity]) -> str:
        """Draw cards; those discarded for it lie on the discard pile by then."""
        deck = expand(self.table["deck"][me])
        pile = [*expand(self.table["discard"][me]), *first_discarded]
        drawn = []
        for _ in range(count):
            if not deck:
                deck, pile = pile, []
            if not deck:
                break
            drawn.append(deck.pop(self.random.randrange(len(deck))))
        return ", ".join(self.written(card) for card in drawn)

    def _reveal(self, taken: Entity) -> str:
        """Fill the display when ``taken`` has left it (en 14)."""
        level = taken.f["level"]
        shown = [a for a in expand(self.table["display"]) if a.f["level"] == level]
        if taken in shown:
            shown.remove(taken)
        stock = [a for a in expand(self.table["stock"]) if a.f["level"] == level]
        self.random.shuffle(stock)
        revealed = []
        while len(set(shown)) < 3 and stock:
            revealed.append(stock.pop())
            shown.append(revealed[-1])
        return ", ".join(self.written(card) for card in revealed)

    def written(self, thing: Entity) -> str:
        """Return a name that means this very copy."""
        name = self.table.state.words.name(thing)
        return name if "(" in name or thing.kind != "card" else f"{name}({thing.f['points']})"

    # ------------------------------------------------------------ what may be done

    def _proposals(self) -> Iterator[str | Callable[[], str]]:
        pending = self.table.state.pending
        if pending and pending[-1].decision == "build":
            yield "build nowhere"
            yield from (f"build {t.id}" for t in self.table.state.pack.entities["territory"])
        elif pending:
            yield from self._answers(pending[-1].who, pending[-1].values)
        else:
            yield from self._turn(self.table["active"])

    def _answers(self, me: Entity, asked: Any) -> Iterator[str | Callable[[], str]]:
        hand = self._hand(me)
        some = self.random.sample(hand, min(len(hand), self.random.randint(0, 2)))
        listed = ", ".join(map(self.written, some))
        yield f"{me.id}: fight"
        yield f"{me.id}: surrender"
        if some:
            yield lambda: f"{me.id}: fight with {listed} => {self._draw(me, len(some), some)}"
            yield (
                lambda: (
                    f"{me.id}: surrender discarding {listed} => {self._draw(me, len(some), some)}"
                )
            )

    def _hand(self, me: Entity) -> list[Entity]:
        return expand(self.table["hand"][me]) + expand(self.table["archive"][me])

    def _turn(self, me: Entity) -> Iterator[str | Callable[[], str]]:
        table = self.table
        held = [t for t in table.state.pack.entities["territory"] if table["settlers"][t][me]]
        hand = self._hand(me)
        pool = expand(table["pool"][me])
        for card in hand:
            yield from self._plays(me, card, held)
        yield from self._attacks(me, held, hand)
        for title in table.state.pack.entities["title"]:
            yield f"buy {title.id}"
        goals = [*dict.fromkeys([*expand(table["display"]), table["secret"][me]])]
        for goal in (goal for goal in goals if goal and pool):
            some = ", ".join(sorted(r.id for r in self.random.sample(pool, 1)))
            yield (
                lambda goal=goal, some=some: (
                    f"develop {self.written(goal)} with {some} => {self._reveal(goal)}".removesuffix(
                        " => "
                    )
                    if goal is not table["secret"][me]
                    else f"develop {self.written(goal)} with {some}"
                )
            )
        for target in [*expand(table["table"][me]), table["developing"][me]]:
            if target and pool:
                some = self.random.sample(pool, self.random.randint(1, len(pool)))
                listed = ", ".join(r.id for r in some)
                yield f"place {listed} on {self.written(target).partition('(')[0]}"
                yield f"take {self.written(target).partition('(')[0]}"
        for ability in table["completed"][me]:
            yield from self._uses(me, self.table.state.words.name(ability), hand, held)
        yield f"trade for {self.random.choice(RESOURCES)}"
        if table["developing"][me] and self.random.random() < 0.1:
            yield f"abandon {self.written(table['developing'][me])}"

    def _plays(self, me: Entity, card: Entity, held: list[Entity]) -> Iterator[Any]:
        name = self.written(card)
        place = self.random.choice(held).id if held else "F1"
        resource = self.random.choice(RESOURCES)
        yield f"play {name}"
        yield f"play {name} for {resource}"
        yield f"play {name} using {place}"
        yield f"play {name} to store"
        took = [t for t, by in self.table["taker"].items() if by is me]
        if took:
            yield f"play {name} consuming {self.random.choice(took).id} for {resource}"
        yield lambda: f"play {name} to draw => {self._draw(me, 1, [])}"

    def _attacks(self, me: Entity, held: list[Entity], hand: list[Entity]) -> Iterator[str]:
        attackers = [
            c for c in hand if any(e.f["kind"] == "attack" for e in c.f["title"].f["effects"])
        ]
        for base in held:
            for target in base.f["adjacent"]:
                some = self.random.sample(attackers, min(len(attackers), 2))
                if some:
                    listed = ", ".join(map(self.written, some[: self.random.randint(1, 2)]))
                    yield f"attack {target.id} from {base.id} with {listed}"

    def _uses(self, me: Entity, name: str, hand: list[Entity], held: list[Entity]) -> Iterator[Any]:
        spent, gained = self.random.choices(RESOURCES, k=2)
        yield f"use {name}"
        yield f"use {name} spending {spent} for {gained}"
        for base in held:
            yield f"use {name} moving {base.id} to {self.random.choice(base.f['adjacent']).id}"
        if hand:
            card = self.random.choice(hand)
            yield f"use {name} archiving {self.written(card)}"
            yield lambda: f"use {name} trashing {self.written(card)} => {self._draw(me, 1, [])}"
            yield (
                lambda: f"use {name} discarding {self.written(card)} => {self._draw(me, 1, [card])}"
            )

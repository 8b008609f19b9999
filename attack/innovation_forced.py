"""`python -m attack forced`: cards of Innovation with forced answers written and omitted.

Both logs must be legal.
"""

from __future__ import annotations

from random import Random

import click

from altay_cli import GameError, open_game
from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from altay_cli.match.decisions import ForcedAnswer

MOST_ANSWERS = 40
"""For one card."""


def position(random: Random, card: str) -> str:
    """Return a random position in which Ann can execute a card."""
    pack = load_pack("innovation")
    cards = [entity for entity in pack.entities["card"] if entity.id != card]
    random.shuffle(cards)
    lines = ['[Game "innovation"]', "position", "  seat Ann", "  seat Bob"]
    (executed,) = [entity for entity in pack.entities["card"] if entity.id == card]
    for player in ("Ann", "Bob"):
        for colour in pack.entities["colour"]:
            stack = [c.id for c in cards if c.f["colour"] is colour][: random.randrange(4)]
            cards = [c for c in cards if c.id not in stack]
            if player == "Ann" and executed.f["colour"] is colour:
                stack.append(card)
            if stack:
                way = f" splayed {random.choice(('left', 'right', 'up'))}"
                splayed = way if len(stack) > 1 and random.random() < 0.4 else ""
                lines.append(f"  {player}: board {', '.join(stack)}{splayed}")
        for zone in ("hand", "score"):
            some = [cards.pop().id for _ in range(random.choice((0, 0, 1, 1, 2, 3, 5)))]
            if some:
                lines.append(f"  {player}: {zone} {', '.join(some)}")
    known = [cards.pop().id for _ in range(random.choice((0, 10, 40)))]
    if known:
        lines.append(f"  deck {', '.join(known)}")
    return "\n".join([*lines, "turn 3 Ann", ""])


def outcome_text(forced: ForcedAnswer, random: Random) -> str:
    """Write a forced answer as a statement."""
    answer, asked = forced.answer, forced.asked
    who = asked.who.id
    if asked.decision == "accept":
        return f"{who}: {random.choice(('accept', 'pass'))}"
    if answer is None or answer == []:
        return f"{who}: pass"
    match asked.decision, answer:
        case "pick", list():
            names = random.sample(answer, len(answer))
            return f"{who}: {asked.values['verb']} {', '.join(name.id for name in names)}"
        case "draw", one:
            return f"{who}: draw => {one.id}"
        case "splay", one:
            return f"{who}: splay {one.id}"
        case "choose-player", one:
            return f"{who}: choose {one.id}"
    raise AssertionError(asked)


def played(random: Random, card: str) -> tuple[str, str, int] | None:
    """Execute a card; return its log, the log with forced answers, and their number.

    None if the position has ended the game.
    """
    text = position(random, card)
    try:
        game = open_game(text, seed=random.randrange(10**6))
        game.apply(f"dogma {card}")
    except GameError:
        return None
    short, long, count = [], [], 0
    for _ in range(MOST_ANSWERS):
        *_, last = game.statements
        short.append(last)
        long.append(last)
        for forced in game.state.forced:
            long.append(outcome_text(forced, random))
            count += 1
        if game.ended or game.state.next_decision is None:
            break
        moves = game.legal_moves()
        game.apply(random.choice(moves))
    return text + _joined(short), text + _joined(long), count


def _joined(statements: list[str]) -> str:
    return "".join(f"  {statement}\n" for statement in statements)


def wrong(text: str) -> list[str]:
    (game,) = check_text(text).games
    return [str(found) for found in game.findings if found.severity is Severity.ERROR]


def differs(random: Random, card: str) -> tuple[str, int]:
    """Return what is wrong with a card, and the number of forced answers."""
    made = played(random, card)
    if made is None:
        return "", 0
    short, long, count = made
    for text in (short, long):
        if found := wrong(text):
            return f"{text}\n{found}", count
    return "", count


def cards() -> list[str]:
    return [entity.id for entity in load_pack("innovation").entities["card"]]


@click.command("forced")
@click.option("--rounds", default=10, help="How many positions of each card.")
@click.option("--seed", default=0)
def command(rounds: int, seed: int) -> None:
    """Write forced answers in Innovation; every such log must be legal."""
    count = 0
    for number in range(rounds):
        for card in cards():
            problem, forced = differs(Random(f"{seed} {number} {card}"), card)
            count += forced
            if problem:
                raise click.ClickException(problem)
    click.echo(f"{rounds * len(cards()):,} positions, {count:,} answers that nobody was asked for")

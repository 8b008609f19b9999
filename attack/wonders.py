"""Unrecorded secret wonders, compared with all orders of the wonders.

    python -m attack.wonders 1000      # so many random logs

`check` must report the first statement that no order allows, or the scores of the remaining orders.
Exit code 1 if they differ.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

import click

from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text

COSTS = {
    "Academy": "4 stone, 2 culture",
    "Amphitheatre": "food, wood, metal, stone, 2 culture",
    "Aqueducts": "wood, metal, stone, 3 culture",
    "Ark": "3 wood, 2 metal, culture",
    "Colossus": "4 culture",
    "Great Wall": "2 metal, 3 stone, culture",
    "Highways": "3 wood, stone, 2 culture",
    "Mausoleum": "3 wood, 3 culture",
    "Siege Engines": "3 metal, stone, 2 culture",
    "Triumphal Arch": "3 metal, 2 stone, culture",
}
TOKENS = 16
"""Of each resource; players start with enough for their wonders."""

SHOWN = 3
PLAYERS = {"Ann": "Firefolk", "Bob": "Elvenfolk", "Cleo": "Earthfolk"}
TECHNOLOGIES = "Writing, Masonry, Engineering, Philosophy, Religion, Commerce"


class Begun(NamedTuple):
    """``recorded``: the revealed wonder in the log, or None."""

    player: str
    wonder: str
    recorded: str | None


class Log(NamedTuple):
    """``secrets`` are None for `?`."""

    shown: tuple[str, ...]
    secrets: dict[str, str | None]
    done: tuple[Begun, ...]


class Course:
    """A history: the secret wonders, then those of the deck in order."""

    def __init__(self, log: Log, order: Sequence[str]) -> None:
        rest = list(order)
        self.secrets = {p: known or rest.pop(0) for p, known in log.secrets.items()}
        self.deck = rest
        self.display = set(log.shown)
        self.completed: dict[str, list[str]] = {player: [] for player in log.secrets}

    def begin(self, player: str, wonder: str, recorded: str | None) -> bool:
        """Let a player begin a wonder; return False if impossible."""
        if any(wonder in begun for begun in self.completed.values()):
            return False
        came = None
        if wonder in self.display:
            self.display.remove(wonder)
            came = self.deck.pop(0) if self.deck else None
            self.display |= {came} if came else set()
        elif self.secrets[player] != wonder:
            return False
        self.completed[player].append(wonder)
        return recorded is None or recorded == came or (recorded == "?" and came is not None)

    def bonus(self) -> tuple[bool, ...]:
        """Return for each player whether the secret wonder is completed."""
        return tuple(self.secrets[player] in begun for player, begun in self.completed.items())


def courses(log: Log, many: int | None = None) -> Iterator[Course]:
    """Yield every history that allows the first ``many`` statements."""
    known = {wonder for wonder in log.secrets.values() if wonder}
    rest = [wonder for wonder in COSTS if wonder not in log.shown and wonder not in known]
    for order in permutations(rest):
        course = Course(log, order)
        if all(course.begin(*begun) for begun in log.done[:many]):
            yield course


def text_of(log: Log) -> str:
    lines = ['[Game "altay"]', "position"]
    lines += [f"  {player}: faction {PLAYERS[player]}" for player in log.secrets]
    lines += [f"  {player}: completed {TECHNOLOGIES}" for player in log.secrets]
    lines += [f"  {player}: settlements F{2 * n + 2}" for n, player in enumerate(log.secrets)]
    lines += [f"  {player}: secret {secret or '?'}" for player, secret in log.secrets.items()]
    for player in log.secrets:
        costs = [COSTS[begun.wonder] for begun in log.done if begun.player == player]
        lines += [f"  {player}: resources {cost}" for cost in costs]
    lines.append(f"  reveal {', '.join(log.shown)}")
    for player in log.secrets:
        lines.append(f"turn 3 {player}")
        for begun in log.done:
            if begun.player == player:
                arrow = f" => {begun.recorded}" if begun.recorded else ""
                lines.append(f"  develop {begun.wonder} with {COSTS[begun.wonder]}{arrow}")
        lines.append("  end")
    return "\n".join([*lines, ""])


def is_payable(wonders: Iterable[str]) -> bool:
    """Return True if there are enough tokens for all wonders."""
    needed: Counter[str] = Counter()
    for wonder in wonders:
        for part in COSTS[wonder].split(", "):
            count, _, resource = part.rpartition(" ")
            needed[resource] += int(count or 1)
    return max(needed.values()) <= TOKENS


def made(random: Random) -> Log:
    """Make a log of one history, possibly with a mistake."""
    wonders = random.sample(list(COSTS), len(COSTS))
    players = list(PLAYERS)[: random.choice((2, 2, 3))]
    secrets = {player: wonders.pop() for player in players}
    log = Log(tuple(wonders[:SHOWN]), {**secrets}, ())
    course = Course(log, wonders[SHOWN:])
    slips = random.choice((0.0, 0.15, 0.3))
    often = random.choice((0.0, 0.3, 0.6))
    done: list[Begun] = []
    for player in players:
        for _ in range(random.choice((0, 1, 2, 2))):
            before = set(course.display)
            mine = [secrets[player]] * (secrets[player] not in course.completed[player])
            wonder = random.choice([*sorted(before), *mine * 2])
            course.begin(player, wonder, None)
            came = next(iter(course.display - before), None)
            recorded = (
                random.choice([came, came, "?"]) if came and random.random() < often else None
            )
            if random.random() < slips:
                wonder = random.choice(list(COSTS))
            if recorded and random.random() < slips:
                recorded = random.choice(list(COSTS))
            if not is_payable([wonder, *(begun.wonder for begun in done)]):
                return made(random)
            done.append(Begun(player, wonder, recorded))
    unknown = {p: None if random.random() < 0.8 else secret for p, secret in secrets.items()}
    return Log(log.shown, unknown, tuple(done))


def differs(log: Log) -> str | None:
    text = text_of(log)
    (game,) = check_text(text).games
    lines = text.split("\n")
    places = [n for n, line in enumerate(lines, 1) if line.startswith("  develop")]
    expected = next(
        (places[n] for n in range(len(places)) if next(courses(log, n + 1), None) is None), None
    )
    errors = [f.span.line for f in game.findings if f.severity is Severity.ERROR]
    found = min(errors, default=None)
    if found != expected:
        return f"wrong in line {expected}, found in line {found}\n{text}"
    if expected is not None:
        return None
    left = {course.bonus() for course in courses(log)}
    assert game.outcomes is not None
    totals = [[p.total for p in outcome.standing.players] for outcome in game.outcomes.all]
    base = [min(points) for points in zip(*totals, strict=True)]
    sure = [all(column) for column in zip(*left, strict=True)]
    computed = {
        tuple(n > b or s for n, b, s in zip(total, base, sure, strict=True)) for total in totals
    }
    return None if computed == left else f"secret ones completed {left}, told {computed}\n{text}"


@click.command()
@click.argument("count", type=int, default=1000)
@click.option("--seed", type=int, default=0)
def main(count: int, seed: int) -> None:
    """Compare `check` with all orders of the wonders, on random logs."""
    random = Random(seed)
    for _ in range(count):
        difference = differs(made(random))
        if difference is not None:
            click.echo(difference)
            sys.exit(1)
    click.echo(f"{count} logs: all judged alike")


if __name__ == "__main__":
    main()

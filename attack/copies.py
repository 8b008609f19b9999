"""`python -m attack.copies 300`: games with many copies of each title, masked in every way.

A bare title stands for the copy with the fewest points in the hand or the deck. A log with bare
titles is legal, also without some draws and hands, and its points are among the possible ones. The
output of `altay fill --any` passes as a complete log, and is legal without other draws.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

import click

from altay_cli.base.findings import ImpossibleError, Severity, Verdict
from altay_cli.checking.check import check_text
from altay_cli.checking.filling import fill_any
from altay_cli.checking.opening import open_game
from altay_cli.match.match import Match, Watcher
from altay_cli.moves.listing import Move
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import Statement
from attack.masked import masked, referee_of, who_does

COPIES = {
    "Merchant": (1, 0, 0, 0), "Cavalry": (1, 0, 0, 0), "Town": (1, 0, 0, 0),
    "Worker": (1, 0, 0, 0), "Chariot": (2, 1, 0, 0), "City": (2, 1, 0, 0),
}  # fmt: skip
"""The points of the copies of each title."""

STARTING = {
    "Smallfolk": ("Hunter", "Hunter", "Hunter", "Hunter", "Spellweaver", "Village", "Warrior"),
    "Elvenfolk": ("Hunter", "Hunter", "Hunter", "Hunter", "Loremaster", "Village", "Warrior"),
}
SITES = {"Ann": "2 F2, W2", "Bob": "2 F6, H6, W6"}
USED = {"Ann": "Writing, Mathematics, Engineering, Government", "Bob": "Mathematics, Engineering"}
WAYS = ("all", "question marks", "one player", "half", "partly")
WORTH = {"play": 3, "attack": 3, "use": 4, "end": 2, "surrender": 3, "fight": 3, "develop": 0}
"""The weight of a kind of move; others have 1."""

NAMES = re.compile(rf"(?:(\d+) )?({'|'.join(COPIES)})(\((\d)\))?(?!\w)")
ELSEWHERE = ("place", "take", "buy", "build", "trade", "turn")
"""Slots without cards of a hand."""


def position(random: Random, edition: str) -> str:
    """Write a position with known hands."""
    decks = {player: list(STARTING[faction]) for player, faction in _FACTIONS.items()}
    for title, points in COPIES.items():
        for number in points:
            owner = random.choice(("Ann", "Ann", "Bob", None))
            if owner is not None:
                decks[owner].append(f"{title}({number})")
    lines = ['[Game "altay"]', f'[Edition "{edition}"]', "position"]
    lines += [f"  {player}: faction {faction}" for player, faction in _FACTIONS.items()]
    for player, deck in decks.items():
        random.shuffle(deck)
        keep = max(6, random.randint(len(deck) // 2, len(deck)))
        lines += [
            f"  {player}: deck {', '.join(deck[:keep])}",
            f"  {player}: hand {', '.join(deck[: min(5, keep)])}",
            f"  {player}: settlements {SITES[player]}",
            f"  {player}: completed {USED[player]}",
            f"  {player}: secret {_SECRETS[player]}",
        ]
    lines += ["  marker 1 on H2, H3, W3", "  marker 2 food on F3", "  marker 3 metal on M3, M4"]
    return "\n".join([*lines, ""])


_FACTIONS = {"Ann": "Smallfolk", "Bob": "Elvenfolk"}
_SECRETS = {"Ann": "Colossus", "Bob": "Academy"}


def recorded(random: Random, edition: str, rounds: int) -> str:
    """Write the complete log of some random rounds."""
    game = open_game(position(random, edition), seed=random.randrange(10**6))
    while not game.ended and (game.round or 0) <= rounds:
        moves = game.legal_moves()
        if not moves:
            break
        game.apply(random.choices(moves, [_worth(move) for move in moves])[0])
    return re.sub(r"\nturn \d+ \w+\s*\Z|(?m:^result\n(.*\n)*)", "", game.log())


def _worth(move: Move) -> float:
    names = len(NAMES.findall(move.statement.partition("=>")[0]))
    return WORTH.get(move.kind, 1) * (1 + 4 * names) + 0.001


# ---------------------------------------------------------------- bare titles


class _Seen(NamedTuple):
    """Before a statement."""

    hand: Counter[tuple[str, int]]
    deck: Counter[tuple[str, int]]


class _Watch(Watcher):
    def __init__(self, match: Match) -> None:
        self.match = match
        self.seen: dict[int, dict[str, _Seen]] = {}

    def before(self, statement: Statement) -> None:
        state = self.match.state
        zones = {zone.name: state.zones.held(zone.index) for zone in state.pack.zones}
        self.seen[statement.line] = {
            player.id: _Seen(
                self._count(zones["hand"][player]) + self._count(zones["archive"][player]),
                self._count(zones["deck"][player]),
            )
            for player in state.players
        }

    @staticmethod
    def _count(bag: Mapping[object, int]) -> Counter[tuple[str, int]]:
        found: Counter[tuple[str, int]] = Counter()
        for card, count in bag.items():
            found[card.f["title"].id.title(), card.f["points"]] += count  # type: ignore[attr-defined]
        return found


def bared(text: str, random: Random) -> str:
    """Remove points from names where that is unambiguous."""
    record = read_log(text).games[0]
    referee = referee_of(record)
    match = referee.match
    match.watcher = watch = _Watch(match)
    referee.run()
    lines = text.split("\n")
    often = random.choice((0.5, 1.0))
    for section in record.sections:
        for statement in section.statements:
            seen = watch.seen.get(statement.line)
            if seen is None or statement.items[0].text.casefold() in ELSEWHERE:
                continue
            mine = seen[who_does(section.heading, statement)]
            begins, arrow, drawn = lines[statement.line - 1].partition("=>")
            begins = _bare(begins, Counter(mine.hand), random, often)
            count = sum(int(c or 1) for c in re.findall(r"(?:^|,)\s*(\d+)?", drawn))
            if count < mine.deck.total():
                drawn = _bare(drawn, Counter(mine.deck), random, often)
            lines[statement.line - 1] = f"{begins}{arrow}{drawn}"
    return "\n".join(lines)


def _bare(text: str, there: Counter[tuple[str, int]], random: Random, often: float) -> str:
    def name(found: re.Match[str]) -> str:
        count, title = int(found[1] or 1), found[2]
        copies = sorted(point for name, point in there.elements() if name == title)
        least = copies[:count]
        meant = [int(found[4])] * count if found[3] else least
        there.subtract((title, point) for point in meant)
        bare = least == meant and random.random() < often
        return f"{found[1]} {title}" if bare and found[1] else title if bare else found[0]

    return NAMES.sub(name, text)


# ---------------------------------------------------------------- what must hold


def _hidden(text: str, way: str, random: Random) -> str:
    """Remove some draws, and possibly hands."""
    text = masked(text, way, random)
    which = random.choice(("", "Ann", "Bob", "Ann|Bob"))
    return re.sub(rf"(?m)^\s*({which}): hand .*\n", "", text) if which else text


def _errors(text: str) -> list[str]:
    (game,) = check_text(text).games
    return [
        f"{found.span.line}: {found.message}"
        for found in game.findings
        if found.severity is Severity.ERROR and found.rule != "undecided"
    ]


def _result(text: str) -> str:
    (game,) = check_text(text, complete=True).games
    assert game.standing is not None
    lines = [
        f"  {side.player}: {found.category.id} {found.points}"
        for side in game.standing.players
        for found in side.categories
    ]
    return "\n".join(["result", *lines, ""])


def wrong_with(seed: int, *, fill: bool = True) -> Iterator[str]:
    """Yield wrong verdicts, each with its log."""
    random = Random(f"copies {seed}")
    text = recorded(random, random.choice(("en", "de")), random.randint(2, 6))
    for log in (text, bared(text, random)):
        if errors := _errors(log):
            yield f"seed {seed}, complete: {errors[0]}\n{log}"
            return
    for way in WAYS:
        hidden = _hidden(log, way, random) + _result(text)
        if errors := _errors(hidden):
            yield f"seed {seed}, {way}: {errors[0]}\n{hidden}"
        elif fill:
            yield from _wrongly_filled(f"seed {seed}, {way}", hidden, random)


def _wrongly_filled(title: str, hidden: str, random: Random) -> Iterator[str]:
    if check_text(hidden).games[0].verdict is Verdict.NOT_JUDGED:
        return
    try:
        filled = fill_any(hidden)
    except ImpossibleError as error:
        if "too much may have happened" not in str(error):
            yield f"{title}, filled: {error}\n{hidden}"
        return
    way = random.choice(WAYS)
    again = _hidden(filled, way, random)
    if errors := _errors(again):
        yield f"{title}, filled and then {way}: {errors[0]}\n{again}"


@click.command()
@click.argument("count", type=int, default=300)
@click.option("--seed", default=1, show_default=True)
@click.option("--fill/--no-fill", default=True, help="Fill the masked logs in as well.")
def main(count: int, seed: int, *, fill: bool) -> None:
    """Play games with many copies of each title, and judge them with draws and hands removed."""
    wrong = 0
    for number in range(count):
        for problem in wrong_with(seed * 1_000_000 + number, fill=fill):
            wrong += 1
            click.echo(problem)
    click.echo(f"{count} games, {wrong} of their masked logs judged wrongly")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

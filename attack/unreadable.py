"""`python -m attack unreadable`: put unreadable statements into legal games.

Each must give one error, and later moves none. In every pack, suggestions for a made-up word must
resemble it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import click

from altay_cli.base.findings import Finding, errors_of
from altay_cli.base.suggest import slips
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack, pack_names
from altay_cli.simulation.simulated import PlayPlan, playout
from attack.scripts import Script, script

SINGLE_MOVES = ("chess", "othello", "morris")
"""Games in which most turns are one move."""

SCRAWLS = ("illegible", "xx", "smudge here", "b?", "zz9", "move somewhere")

CONSONANTS, VOWELS = "bcdfghjklmnpqrstvwxz", "aeiouy"


class Try(NamedTuple):
    """A log with one unreadable statement, its line, and the errors found."""

    pack: str
    text: str
    line: int
    errors: Sequence[Finding]


def game_of(pack: str, number: int, seed: int) -> Script:
    """Simulate a game for the fewest players."""
    least = load_pack(pack).least
    plan = PlayPlan(pack, least, ("random",), seed, max_rounds=40, keep=True)
    return script(f"{pack} {number}", playout(plan, number).log or "")


def scrawled(seed: int, tries: int, packs: Sequence[str] = SINGLE_MOVES) -> Iterator[Try]:
    """Yield logs with one unreadable statement; the packs alternate."""
    random = Random(f"{seed}/scrawl")
    games: dict[tuple[str, int], Script] = {}
    for number in range(tries):
        pack, which = packs[number % len(packs)], number // len(packs) // 4
        if (pack, which) not in games:
            games[pack, which] = game_of(pack, which, seed)
        game = games[pack, which]
        at = random.choice([n for n, line in enumerate(game.lines) if not line.startswith("turn")])
        lines = [*game.lines[:at], random.choice(SCRAWLS), *game.lines[at + 1 :]]
        yield tried(pack, game, lines, at)


def tried(pack: str, game: Script, lines: Sequence[str], at: int) -> Try:
    """Check a game with other lines, one of them inserted at index ``at``."""
    text = game.text(lines)
    errors = errors_of(found for game in check_text(text).games for found in game.findings)
    return Try(pack, text, game.line(at), errors)


def nonsense(count: int, seed: int) -> list[str]:
    """Return made-up words, some of them pronounceable."""
    random = Random(f"{seed}/nonsense")
    words = []
    for _ in range(count):
        letters = [
            random.choice(VOWELS if place % 2 else CONSONANTS)
            for place in range(random.randint(3, 10))
        ]
        if random.random() < 0.3:
            random.shuffle(letters)
        words.append("".join(letters))
    return words


def suggested(pack: str, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield made-up words with far-fetched suggestions."""
    game = game_of(pack, 0, seed)
    random = Random(f"{seed}/{pack}")
    places = [n for n, line in enumerate(game.lines[:40]) if not line.startswith("turn")]
    for word in nonsense(count, seed):
        at = random.choice(places)
        trial = tried(pack, game, [*game.lines[:at], word, *game.lines[at + 1 : 40]], at)
        for error in trial.errors:
            texts = [fix.text.strip("; ") for fix in error.fixes]
            texts += [line for line in error.help if "did you mean" in line]
            similar = any(
                slips(word, other) <= max(len(word) // 3, 1)
                for text in texts
                for other in re.findall(r"\w+", text)
            )
            if error.span.line == trial.line and texts and not similar:
                yield word, texts[0]


@click.command("unreadable")
@click.option("--tries", default=72, show_default=True, help="Logs with an unreadable statement.")
@click.option("--words", default=500, show_default=True, help="Made-up words for each pack.")
@click.option("--seed", default=1, show_default=True)
@click.option("--show", is_flag=True, help="Print each log that gives more than one error.")
@click.option("--pack", "packs", multiple=True, help="Made-up words for this pack only.")
def command(tries: int, words: int, seed: int, packs: Sequence[str], *, show: bool) -> None:
    """Put unreadable statements into legal games: one error each, no far-fetched suggestion."""
    found = list(scrawled(seed, tries)) if tries else []
    several = [trial for trial in found if len(trial.errors) != 1]
    total = sum(len(trial.errors) for trial in found)
    click.echo(f"{len(found)} unreadable statements: {total} errors, {len(several)} gave several")
    for trial in several:
        where = [error.span.line for error in trial.errors]
        click.echo(f"  {trial.pack}, line {trial.line}: {len(trial.errors)} errors, lines {where}")
        if show:
            click.echo(trial.text)
    bad = len(several)
    for pack in (packs or sorted(pack_names())) if words else ():
        suggestions = list(suggested(pack, words, seed))
        click.echo(f"{pack}: {len(suggestions)} suggestions for {words} made-up words")
        for word, text in suggestions:
            click.echo(f"  {word}: {text}")
        bad += len(suggestions)
    if bad:
        raise SystemExit(1)

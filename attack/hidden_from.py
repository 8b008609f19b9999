"""`python -m attack hidden` changes what players hide; nobody else may be shown a difference.

Of a legal game, two names are swapped that only one player knows. Where the game is legal then as
well, `log`, `show`, `board`, `replay` and the scenes of the library, made for another player, must
be the same to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from click.testing import CliRunner

from altay_cli.base.findings import errors_of
from altay_cli.checking.check import check_text
from altay_cli.checking.playing import open_game
from altay_cli.cli.main import main
from altay_cli.view.model import Heap, seen
from altay_cli.view.scene import Viewer
from altay_cli.view.watching import watch_text
from attack.stored import HOME

COMMANDS = (("log",), ("show",), ("board", "-o", "-"), ("replay", "-o", "-"))
JSON = ("log", "show")
NAME = re.compile(r"[^\W\d][^,;#\n]*?(?=\s*(?:[,;#\n]|$))")
MOST_SWAPS = 20
"""How many swaps are tried for a game before it is given up."""
MOST_TURNS = 10
"""So many turns of a game are looked at."""


class Hidden(NamedTuple):
    """A name that only one player knows: whose it is, and where it stands."""

    owner: str
    line: int
    start: int
    end: int


def hidden_names(text: str) -> Iterator[Hidden]:
    """Yield the names of the one game of a log that only one player knows."""
    _, (watched,) = watch_text(text)
    if watched is None:
        return
    for (line, column), (owner, veils) in watched.veiled.items():
        for veil in veils if owner is not None else ():
            part = text.split("\n")[line - 1][column - 1 + veil.start : column - 1 + veil.end]
            for name in NAME.finditer(part):
                at = column - 1 + veil.start
                yield Hidden(str(owner), line, at + name.start(), at + name.end())


def swapped(text: str, one: Hidden, other: Hidden) -> str:
    """Return a log with two names in each other's places."""
    lines, names = text.split("\n"), names_of(text, one, other)
    pairs = [(one, names[1]), (other, names[0])]
    for place, name in sorted(pairs, key=lambda pair: pair[0][1:], reverse=True):
        line = lines[place.line - 1]
        lines[place.line - 1] = line[: place.start] + name + line[place.end :]
    return "\n".join(lines)


def names_of(text: str, *places: Hidden) -> list[str]:
    """Return what stands at places of a log."""
    lines = text.split("\n")
    return [lines[place.line - 1][place.start : place.end] for place in places]


def beginning(text: str, turns: int) -> str:
    """Return the first turns of a log: what is hidden there is not shown by what follows."""
    headings = [one.start() for one in re.finditer(r"^(?:turn|result)\b", text, re.MULTILINE)]
    return text[: headings[turns]] if turns < len(headings) else text


def otherwise(text: str, random: Random) -> tuple[str, str] | None:
    """Return a legal log that differs from a legal one in hidden names, and who knows neither.

    What that player sees on the table and holds is the same in both, and is neither name.
    """
    there = list(hidden_names(text))
    game = open_game(text)
    players = [player.id for player in game.state.players]
    for _ in range(MOST_SWAPS if len(there) > 1 else 0):
        one, other = random.sample(there, 2)
        viewers = [player for player in players if player not in {one.owner, other.owner}]
        changed = swapped(text, one, other)
        if changed == text or not viewers:
            continue
        viewer = random.choice(viewers)
        # What was drawn unseen may have been shown, or handed to the viewer, at once.
        (report,) = check_text(changed).games
        if errors_of(report.findings):
            continue
        before, after = in_sight(text, viewer), in_sight(changed, viewer)
        if before != after or not before.isdisjoint(names_of(text, one, other)):
            continue
        return changed, viewer
    return None


def in_sight(text: str, player: str) -> set[str]:
    """Return the names of what everybody sees, and of what a player holds, at the end of a game."""
    viewer = Viewer(open_game(text).state)
    cells, things = viewer.scene().cells.values(), viewer.things()
    heaps = [group.items for cell in cells if cell.owner in {None, player} for group in cell.groups]
    known = [ref for heap in heaps if isinstance(heap, Heap) for ref, _ in heap.known]
    return {things[ref].name for ref in known}


def shown(text: str, viewer: str) -> dict[str, object]:
    """Return all that a player is shown of a game, by command."""
    told: dict[str, object] = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.agn"
        path.write_text(text, encoding="utf-8")
        for command in (*COMMANDS, *((name, "--format", "json") for name in JSON)):
            name, *options = command
            result = CliRunner().invoke(main, [name, str(path), "--as", viewer, *options])
            told[" ".join(command)] = result.output.replace(folder, "")
    game = open_game(text)
    told["scene"] = seen(Viewer(game.state).scene(), viewer)
    return told


def differing(text: str, other: str, viewer: str) -> list[str]:
    """Return the commands that show a player two games differently."""
    one, two = shown(text, viewer), shown(other, viewer)
    return [command for command in one if one[command] != two[command]]


def games() -> Sequence[Path]:
    """Return the recorded games in which something is hidden."""
    folders = ("games/*.agn", "games/simulated/*.agn", "games/innovation/*.agn")
    found = [path for folder in folders for path in sorted(HOME.glob(folder))]
    return [*found, HOME / "games/classics/gofish.agn"]


@click.command("hidden")
@click.option("--games", "most", default=20, help="How many games.")
@click.option("--seed", default=0)
def command(most: int, seed: int) -> None:
    """Change what players hide; nobody else may be shown a difference."""
    random, compared = Random(seed), 0
    for path in random.sample(games(), most):
        text = beginning(path.read_text(encoding="utf-8"), random.randrange(1, MOST_TURNS))
        if (changed := otherwise(text, random)) is None:
            continue
        compared += 1
        if found := differing(text, *changed):
            raise click.ClickException(f"{path.name}, {changed[1]}: {', '.join(found)}")
    click.echo(f"{compared} games of {most} were changed and compared")

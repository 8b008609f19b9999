"""`python -m attack hidden`: change what players hide; no other player may see a difference.

Two names that only one player knows are swapped in a legal game.
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
from altay_cli.checking.opening import open_game
from altay_cli.cli.main import main
from altay_cli.view.model import Heap, seen
from altay_cli.view.scene import Viewer
from altay_cli.view.watching import watch_text
from attack.stored import HOME

COMMANDS = (("log",), ("show",), ("board", "-o", "-"), ("replay", "-o", "-"))
JSON = ("log", "show")
NAME = re.compile(r"[^\W\d][^,;#\n]*?(?=\s*(?:[,;#\n]|$))")
MOST_SWAPS = 20
"""Swaps tried for a game."""
MOST_TURNS = 10
"""Turns that are compared."""


class Hidden(NamedTuple):
    """A name that only one player knows, and its place."""

    owner: str
    line: int
    start: int
    end: int


def hidden_names(text: str) -> Iterator[Hidden]:
    """Yield the names that only one player knows."""
    _, (watched,) = watch_text(text)
    if watched is None:
        return
    for (line, column), (known_by, veils) in watched.veiled.items():
        for veil in veils if len(known_by) == 1 else ():
            part = text.split("\n")[line - 1][column - 1 + veil.start : column - 1 + veil.end]
            for name in NAME.finditer(part):
                at = column - 1 + veil.start
                yield Hidden(known_by[0], line, at + name.start(), at + name.end())


def swapped(text: str, first: Hidden, second: Hidden) -> str:
    lines, names = text.split("\n"), names_of(text, first, second)
    pairs = [(first, names[1]), (second, names[0])]
    for place, name in sorted(pairs, key=lambda pair: pair[0][1:], reverse=True):
        line = lines[place.line - 1]
        lines[place.line - 1] = line[: place.start] + name + line[place.end :]
    return "\n".join(lines)


def names_of(text: str, *places: Hidden) -> list[str]:
    """Return the texts at these places."""
    lines = text.split("\n")
    return [lines[place.line - 1][place.start : place.end] for place in places]


def beginning(text: str, turns: int) -> str:
    """Cut a log, as later turns may reveal what is hidden."""
    headings = [match.start() for match in re.finditer(r"^(?:turn|result)\b", text, re.MULTILINE)]
    return text[: headings[turns]] if turns < len(headings) else text


def otherwise(text: str, random: Random) -> tuple[str, str] | None:
    """Exchange hidden names of a legal log; return it, and a player who knows neither.

    The player sees and holds the same in both.
    """
    there = list(hidden_names(text))
    game = open_game(text)
    players = [player.id for player in game.state.players]
    for _ in range(MOST_SWAPS if len(there) > 1 else 0):
        first, second = random.sample(there, 2)
        viewers = [player for player in players if player not in {first.owner, second.owner}]
        changed = swapped(text, first, second)
        if changed == text or not viewers:
            continue
        viewer = random.choice(viewers)
        # A hidden draw may have been shown or given to the viewer at once.
        (report,) = check_text(changed).games
        if errors_of(report.findings):
            continue
        if any(known_in(text, owner) != known_in(changed, owner) for owner in (None, viewer)):
            continue
        drawn = names_of(text, *(place for place in there if place.owner == viewer))
        if (known_in(text, viewer) - {*drawn}) & {*names_of(text, first, second)}:
            continue
        return changed, viewer
    return None


def known_in(text: str, owner: str | None) -> set[str]:
    """Return the names in the final zones of ``owner``, or public ones."""
    viewer = Viewer(open_game(text).state)
    cells, things = viewer.scene().cells.values(), viewer.things()
    public = [cell for cell in cells if cell.seen_by is None]
    own = [cell for cell in cells if cell.seen_by is not None and owner in cell.seen_by]
    heaps = [group.items for cell in (public if owner is None else own) for group in cell.groups]
    known = [ref for heap in heaps if isinstance(heap, Heap) for ref, _ in heap.known]
    return {things[ref].name for ref in known}


def shown(text: str, viewer: str) -> dict[str, object]:
    """Return the output of each command for a player."""
    outputs: dict[str, object] = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.agn"
        path.write_text(text, encoding="utf-8")
        for command in (*COMMANDS, *((name, "--format", "json") for name in JSON)):
            name, *options = command
            result = CliRunner().invoke(main, [name, str(path), "--as", viewer, *options])
            outputs[" ".join(command)] = result.output.replace(folder, "")
    game = open_game(text)
    outputs["scene"] = seen(Viewer(game.state).scene(), viewer)
    return outputs


def differing(text: str, other: str, viewer: str) -> list[str]:
    """Return the commands whose output differs."""
    before, after = shown(text, viewer), shown(other, viewer)
    return [command for command in before if before[command] != after[command]]


def games() -> Sequence[Path]:
    folders = ("games/*.agn", "games/simulated/*.agn", "games/innovation/*.agn")
    found = [path for folder in folders for path in sorted(HOME.glob(folder))]
    return [*found, HOME / "games/classics/gofish.agn"]


@click.command("hidden")
@click.option("--games", "most", default=20, help="How many games.")
@click.option("--seed", default=0)
def command(most: int, seed: int) -> None:
    """Change what players hide; no other player may see a difference."""
    random, compared = Random(seed), 0
    for path in random.sample(games(), most):
        text = beginning(path.read_text(encoding="utf-8"), random.randrange(1, MOST_TURNS))
        if (changed := otherwise(text, random)) is None:
            continue
        compared += 1
        if found := differing(text, *changed):
            raise click.ClickException(f"{path.name}, {changed[1]}: {', '.join(found)}")
    click.echo(f"{compared} games of {most} were changed and compared")

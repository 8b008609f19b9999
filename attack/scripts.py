"""Games as scripts: one heading or statement a line, so that a line is a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import SectionKind
from altay_cli.simulation.simulated import PlayPlan, playout


@dataclass(frozen=True, slots=True)
class Script:
    """A game: ``head`` are its lines of tags and setup, ``lines`` its headings and statements."""

    name: str
    head: tuple[str, ...]
    lines: tuple[str, ...]
    folder: Path | None = None

    def text(self, lines: Sequence[str] | None = None) -> str:
        """Return the log, or one with other turns."""
        return "\n".join([*self.head, *(self.lines if lines is None else lines), ""])

    def line(self, number: int) -> int:
        """Return the line in the text, from 1, of an entry of ``lines``."""
        return len(self.head) + number + 1

    def game(self) -> Game:
        return open_game("\n".join([*self.head, ""]), folder=self.folder)


def script(name: str, text: str, folder: Path | None = None) -> Script:
    """Make a script of the first game of a log, without its result."""
    record = read_log(text).games[0]
    head = [f'[{tag.name} "{tag.value}"]' for tag in record.tags]
    lines: list[str] = []
    for section in record.sections:
        if section.kind is SectionKind.RESULT:
            continue
        target = lines if section.kind is SectionKind.TURN else head
        target.append(flat(section.heading.text))
        target.extend(flat(statement.text) for statement in section.statements)
    return Script(name, tuple(head), tuple(lines), folder)


def flat(text: str) -> str:
    """Return a statement on one line, without comments."""
    return " ".join(line.partition("#")[0].strip() for line in text.split("\n"))


def simulated(players: int, games: int, seed: int) -> Iterator[Script]:
    """Yield simulated games; policies and editions alternate."""
    for number in range(1, games + 1):
        policies = ("random",) if number % 3 == 0 else ("greedy",)
        tags = (("Edition", "de"),) if (players + number) % 2 == 0 else ()
        plan = PlayPlan("altay", players, policies, seed, tags, max_rounds=12, keep=True)
        outcome = playout(plan, number)
        yield script(f"{players} players, seed {seed}, game {number}", outcome.log or "")

"""A game of its own for tests: two players take stones from a heap, until it is empty.

A test changes what it is about, and looks at what `rules check`, a log or a simulated game then
says. ``pebbles`` is the fixture; the program finds its rules as it finds those that ship.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from altay_cli.base import resources
from altay_cli.base.findings import Finding
from altay_cli.checking import tags
from altay_cli.checking.check import GameReport, check_text
from altay_cli.cli.main import main
from altay_cli.compile.building import compile_read, read_tree
from altay_cli.lint.examine import Examiner
from altay_cli.pack.model import Pack

FILES = {
    "game.yaml": """\
game: pebbles
title: Pebbles
version: "1.0"
players: {least: 2, most: 2}
kinds:
  stone: {plural: stones, title: stone, fields: {worth: int}}
zones:
  heap: {holds: bag(stone)}
  pouch: {per: [player], holds: bag(stone)}
  debt: {per: [player], holds: int}
  round: {holds: int}
  active: {holds: player?}
  next: {holds: player?}
  over: {holds: bool}
  turn.taken: {holds: bag(stone), lasts: turn}
status: {ended: over, round: round, active: active, next: next}
""",
    "board.yaml": """\
stone:
  red: {worth: 2}
  grey: {worth: -3}
""",
    "moves/setup.yaml": """\
phases: [setup]
moves:
  seat:
    title: Take a seat
    written: seat <player>
    takes: {player: {type: new player}}
    does: [{seat: player}]
prepare:
  - {order: 1, phases: [setup], does: [{move: {what: "stones.red.bag(3).plus(stones.grey, 2)", to: heap}}]}
  - {order: 2, phases: [setup], does: [{each: {p: players}, does: [{set: {"debt[p]": 0}}]}]}
""",
    "moves/turns.yaml": """\
moves:
  turn:
    title: Begin a turn
    heading: true
    written: turn <number> <player>
    takes:
      number: {type: int, from: "[round + 1]"}
      player: {type: player, from: players}
    actor: player
    requires:
      - {rule: turn-ended, that: active == null, else: "the turn of {active} is not over"}
      - {rule: turn-order, at: player, that: next == null || player == next, else: "it is {next}'s turn"}
    does:
      - reset: turn
      - set: {active: player}
      - set: {next: players.after(player)}
      - set: {round: number}
  take:
    title: Take a stone
    written: take <stone>
    takes: {stone: {type: stone, from: heap}}
    requires:
      - {rule: your-turn, that: me == active, else: "it is not your turn"}
      - {rule: one-stone, that: turn.taken.size() == 0, else: "one stone in a turn"}
      - {rule: on-the-heap, at: stone, that: stone in heap, else: "the heap holds {heap}"}
    does:
      - move: {what: stone, from: heap, to: me.pouch}
      - move: {what: stone, to: turn.taken}
  end:
    title: End the turn
    closes: true
    written: end
    requires:
      - {rule: taken-one, that: turn.taken.size() > 0, else: "take a stone first"}
    does: [{set: {active: "null"}}]
triggers:
  empty:
    title: The heap is empty
    when: "round > 0 && heap.size() == 0 && !over"
    does: [{set: {over: "true"}}]
""",
    "scoring.yaml": """\
categories:
  worth:
    title: Worth
    parts: [{each: {s: me.pouch.list()}, points: s.worth, show: "{s}"}]
  debts:
    title: Debts
    parts: [{points: -me.debt, show: "debts"}]
""",
    "names/en.yaml": """\
language: en
names: {stone: {red: Red, grey: Grey}}
""",
    "playouts.yaml": """\
opening: [{title: Seats, move: seat}]
""",
}

LOG = """\
[Game "pebbles"]
setup
  seat Ann; seat Bob
turn 1 Ann
  take red; end
"""


class Pebbles:
    """The game in a folder of its own; ``folder`` is where its rules lie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the rules, or a variant that comes with them."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        tags.forget_rules()
        return path

    def change(self, name: str, old: str, new: str) -> None:
        """Write something else in the place of a part of a file, which occurs once."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} holds {old!r} {text.count(old)} times"
        self.write(name, text.replace(old, new))

    def add(self, name: str, text: str) -> None:
        """Write something behind the end of a file."""
        self.write(name, (self.folder / name).read_text(encoding="utf-8") + text)

    def variant(self, changes: str) -> Path:
        """Write a variant beside the rules' folder, with these lines."""
        path = self.folder.parent.parent / "mine.yaml"
        text = f"variant: mine\nextends: pebbles\ntitle: Mine\n{changes}"
        path.write_text(text, encoding="utf-8")
        tags.forget_rules()
        return path

    def problems(self, *variants: Path) -> list[Finding]:
        """Return what `rules check` finds, in order."""
        return Examiner(self.folder).examine(variants)

    def marked(self, *variants: Path) -> list[tuple[str, str, str]]:
        """Return what `rules check` finds: rule, file, and the part of its line that is marked."""
        return [self._mark(problem, variants) for problem in self.problems(*variants)]

    def _mark(self, problem: Finding, variants: Sequence[Path]) -> tuple[str, str, str]:
        file = problem.file.removeprefix("pebbles/")
        paths = [path for path in variants if path.name == file]
        path = paths[0] if paths else self.folder / file
        line = path.read_text(encoding="utf-8").splitlines()[problem.span.line - 1]
        end = problem.span.end_column if problem.span.end_line == problem.span.line else None
        return problem.rule, file, line[problem.span.column - 1 : end and end - 1]

    def judge(self, log: str = LOG, folder: Path | None = None) -> GameReport:
        """Check a log of one game."""
        (game,) = check_text(log, folder=folder).games
        return game

    def findings(self, log: str = LOG) -> list[str]:
        """Return what is found in a log: rule, line and message."""
        return [f"{f.rule} {f.span.line} {f.message}" for f in self.judge(log).findings]

    def run(self, *arguments: str) -> Result:
        """Run `altay` with these arguments."""
        return CliRunner().invoke(main, list(arguments))

    def simulate(self, *arguments: str) -> Result:
        """Run `altay simulate` over three games, in this process."""
        usual = ("--game", "pebbles", "--games", "3", "--seed", "1", "--processes", "1")
        return self.run("simulate", *usual, *arguments)


def rules_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which the program looks for the rules of all games: it has frames only."""
    frames = resources.data_folder("rules") / resources.FRAMES
    package = tmp_path / "altay" / "package"
    for name in ("schemas", "grammar", "languages"):
        data = resources.data_folder(name)
        package.parent.mkdir(exist_ok=True)
        (package.parent / name).symlink_to(data)
    monkeypatch.setattr(resources, "_PACKAGE", package)
    monkeypatch.setenv("ALTAY_CACHE", "off")
    folder = package / "data" / "rules"
    folder.mkdir(parents=True)
    (folder / resources.FRAMES).symlink_to(frames)
    return folder


def compile_folder(folder: Path, variants: Sequence[Path] = ()) -> Pack:
    """Compile a rules folder with variant files laid over it; it is not linked."""
    return compile_read(read_tree(folder, variants))


@pytest.fixture
def pebbles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pebbles:
    """Lay the game out where the program looks for rules."""
    return Pebbles(rules_folder(tmp_path, monkeypatch) / "pebbles")

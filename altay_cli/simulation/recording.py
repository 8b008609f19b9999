"""Simulated games as files: the logs, and beside them the variants that they are played by."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from altay_cli.base.atomic import why, write_new
from altay_cli.base.findings import Finding
from altay_cli.base.regular import MAX_RULES, read_regular
from altay_cli.base.resources import pack_folder
from altay_cli.base.text import Text
from altay_cli.simulation.journal import RunJournal
from altay_cli.simulation.simulated import Playout, PlayPlan
from altay_cli.source.variants import Chains

LEAST_DIGITS = 4
"""The minimum number of digits of a game's number in its file name."""

SUFFIXES = (".yaml", ".yml")
"""The extension of variant files that a log can name."""


class RecordingError(ValueError):
    """Games cannot be written down; the message says why."""


@contextmanager
def _recorded(path: Path) -> Iterator[None]:
    """Say of which file it is that something cannot be written."""
    try:
        yield
    except OSError as error:
        raise RecordingError(f"{path}: {why(error)}") from error


class Recorder:
    """Writes the games of a plan into a folder.

    Nothing that is there is ever overwritten, and a file is either complete or not there. ``done``
    are the outcomes of games that were played in a run that was cut off, by number.
    """

    def __init__(self, folder: Path, games: int) -> None:
        self.folder = folder
        self.digits = max(LEAST_DIGITS, len(str(games)))
        self.games = games
        self.done: dict[int, Playout] = {}
        self._journal = RunJournal(folder)

    def resume(self, journal: RunJournal) -> None:
        """Continue an interrupted run: the games in its journal are not played again."""
        self._journal = journal
        self.done = {
            number: outcome
            for number, outcome in journal.outcomes.items()
            if number <= self.games and (number not in journal.logged or self.path(number).exists())
        }

    def begin(self, about: Mapping[str, object]) -> None:
        """Begin to note how far the run has come; ``about`` tells what is played.

        Raises:
            RecordingError: if that cannot be written.

        """
        if self._journal.about is None:
            with _recorded(self._journal.path):
                self._journal.begin(about)

    def finish(self) -> None:
        """Remove the journal, which only an interrupted run would need."""
        with _recorded(self._journal.path):
            self._journal.finish()

    def prepare(self, variants: Iterable[Path] = (), root: Path | None = None) -> None:
        """Make the folder, and copy variant files into it by their places below ``root``.

        Raises:
            RecordingError: if the folder cannot be written to, or a file is in the way.

        """
        if self._journal.about is None:
            for number in range(1, self.games + 1):
                self._refuse(self.path(number))
        if self.folder.exists() and not self.folder.is_dir():
            raise RecordingError(Text("{name}: this is not a folder", name=self.folder))
        with _recorded(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
            for path in variants:
                assert root is not None
                self._copy(path, self.folder / path.relative_to(root))

    def path(self, number: int) -> Path:
        """Return the file of a game."""
        return self.folder / f"game-{number:0{self.digits}}.agn"

    def write(self, outcome: Playout) -> None:
        """Write the log of a game; a game that could not be set up has none.

        Raises:
            RecordingError: if that fails, or another file is there by now.

        """
        if outcome.log is not None:
            path, data = self.path(outcome.number), outcome.log.encode("utf-8")
            with _recorded(path):
                try:
                    write_new(path, data)
                except FileExistsError:
                    # A run can be cut off between writing a game and noting it.
                    if not _holds(path, data):
                        self._refuse(path)
        with _recorded(self._journal.path):
            self._journal.add(outcome)

    def _copy(self, path: Path, target: Path) -> None:
        data = read_regular(path, MAX_RULES)
        if _holds(target, data):
            return
        self._refuse(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_new(target, data)

    def _refuse(self, path: Path) -> None:
        if path.exists() or path.is_symlink():
            raise RecordingError(Text("{path} already exists and is not overwritten", path=path))


def variant_files(plan: PlayPlan) -> list[Path]:
    """Return the variant files in the folder of a plan that it uses, with those they extend."""
    folder = plan.folder
    if folder is None:
        return []
    problems: list[Finding] = []
    rules = pack_folder(plan.pack)
    chains = Chains(rules, problems)
    named = [value for name, value in plan.tags if name == "Variant"]
    read = chains.read([folder / name for name in named if name.endswith(SUFFIXES)])
    return [variant.path for variant in read if not variant.path.is_relative_to(rules.resolve())]


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file is there and holds just this."""
    try:
        return read_regular(path, len(data)) == data
    except OSError:
        return False

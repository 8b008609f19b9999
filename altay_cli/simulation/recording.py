"""Write simulated games as logs, with the variants they use.

Until a run ends, a journal in the folder holds the plan and each outcome, to resume it. Its lines
are signed; others are ignored.
"""

from __future__ import annotations

import pickle
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from altay_cli.base.cache import fingerprint, seal
from altay_cli.base.files import MAX_RULES, append, read_regular, why, write_new
from altay_cli.base.findings import ImpossibleError
from altay_cli.base.resources import pack_folder
from altay_cli.base.version import __version__
from altay_cli.simulation.measuring import Side
from altay_cli.simulation.simulated import Playout, PlayPlan
from altay_cli.source.variants import Chains

LEAST_DIGITS = 4
SUFFIXES = (".yaml", ".yml")
JOURNAL = "unfinished.journal"
MAX_BYTES = 1_000_000_000
_ABOUT = "what a run of simulated games is about"


@contextmanager
def _naming_file(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ImpossibleError(f"{path}: {why(error)}") from error


class Recorder:
    """Writes the games of a plan into a folder, with a journal of the run.

    No file is overwritten, and each is complete or missing. After an interrupted run, ``seed`` and
    ``key`` are its own, and once resumed, ``done`` holds the outcomes whose logs are there. Raise
    ImpossibleError if a file cannot be read or written.
    """

    def __init__(self, folder: Path, games: int) -> None:
        self.folder = folder
        self.digits = max(LEAST_DIGITS, len(str(games)))
        self.games = games
        self.journal = folder / JOURNAL
        self.seed: int | None = None
        self.key: str | None = None
        self.done: dict[int, Playout] = {}
        self._lines: list[bytes] = []
        if self.journal.exists():
            with _naming_file(self.journal):
                first, *self._lines = read_regular(self.journal, MAX_BYTES).split(b"\n")
            if about := _unsealed(_ABOUT, first):
                self.seed, self.key = about

    def begin(self, plan: PlayPlan) -> None:
        """Create the folder or resume in it, and copy the variant files.

        There is no journal if no secret can be stored. Raise ImpossibleError if another run was
        interrupted here, or a file is in the way.
        """
        key = run_key(plan, self.games)
        if self.key not in (None, key):
            raise ImpossibleError(
                "{name}: a run with seed {seed} was cut off there, and it was not this one: the "
                "options, the rules or the program differ; choose another folder",
                name=self.folder,
                seed=self.seed,
            )
        noted = [_unsealed(key, line) for line in self._lines if self.key]
        self.done = {
            played.number: played
            for logged, played in filter(None, noted)
            if played.number <= self.games and (not logged or self.path(played.number).exists())
        }
        if not self.key:
            for number in range(1, self.games + 1):
                _refuse(self.path(number))
        if self.folder.exists() and not self.folder.is_dir():
            raise ImpossibleError("{name}: this is not a folder", name=self.folder)
        with _naming_file(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
            copy_variants(plan, self.folder)
        if not self.key and (line := _sealed(_ABOUT, (plan.seed, key))):
            with _naming_file(self.journal):
                write_new(self.journal, line)
            self.key = key

    def path(self, number: int) -> Path:
        """Return the file of a game."""
        return self.folder / f"game-{number:0{self.digits}}.agn"

    def write(self, outcome: Playout) -> None:
        """Write the log of a game, if any, and note its outcome."""
        if outcome.log is not None:
            path, data = self.path(outcome.number), outcome.log.encode("utf-8")
            with _naming_file(path):
                try:
                    write_new(path, data)
                except FileExistsError:
                    # An interrupted run may not have noted a written log.
                    if not _contains_exactly(path, data):
                        _refuse(path)
        if self.key:
            noted = outcome.log is not None, replace(outcome, log=None)
            with _naming_file(self.journal):
                # End a truncated line first.
                append(self.journal, b"\n" + _sealed(self.key, noted))

    def finish(self) -> None:
        """Remove the journal."""
        if self.key:
            with _naming_file(self.journal):
                self.journal.unlink(missing_ok=True)


def copy_variants(plan: PlayPlan, folder: Path) -> None:
    """Copy variant files to the same relative paths in a folder."""
    for path in variant_files(plan):
        assert plan.folder is not None
        data, target = read_regular(path, MAX_RULES), folder / path.relative_to(plan.folder)
        if not _contains_exactly(target, data):
            _refuse(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_new(target, data)


def _refuse(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise ImpossibleError("{path} already exists and is not overwritten", path=path)


def _contains_exactly(path: Path, data: bytes) -> bool:
    try:
        return read_regular(path, len(data)) == data
    except OSError:
        return False


def variant_files(plan: PlayPlan) -> list[Path]:
    """Return the variant files of a plan, and those that they extend."""
    folder, rules = plan.folder, pack_folder(plan.pack)
    if folder is None:
        return []
    named = [value for name, value in plan.tags if name == "Variant"]
    read = Chains(rules, []).read([folder / name for name in named if name.endswith(SUFFIXES)])
    return [variant.path for variant in read if not variant.path.is_relative_to(rules.resolve())]


def variant_names(plan: PlayPlan) -> list[tuple[Path, str]]:
    """Return the folder and name of each variant file in a plan."""
    named = [value for _, value in plan.tags if value.endswith(SUFFIXES)]
    return [] if plan.folder is None else [(plan.folder, name) for name in named]


def run_key(plan: PlayPlan, games: int) -> str:
    """Return a key that is equal for equal runs."""
    played = replace(plan, folder=None, keep=False)
    noted = [field.name for kind in (Playout, Side) for field in fields(kind)]
    files = [*sorted(pack_folder(plan.pack).rglob("*.yaml")), *variant_files(plan)]
    return fingerprint(files, __version__, repr((played, len(str(games)), noted)))


def _sealed(key: str, data: object) -> bytes:
    text = b64encode(pickle.dumps(data))
    digest = seal(key, text)
    return b"" if digest is None else b"%s %s\n" % (digest.hex().encode("ascii"), text)


def _unsealed(key: str, line: bytes) -> Any:
    digest, _, text = line.partition(b" ")
    known = seal(key, text)
    if known is None or digest != known.hex().encode("ascii"):
        return None  # never unpickle data from others
    return pickle.loads(b64decode(text))  # noqa: S301 - signed by this user

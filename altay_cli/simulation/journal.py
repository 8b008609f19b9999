"""The progress of a run of simulated games, so that an interrupted one can continue.

While games are written down, a file beside them holds what is played and how each game went, a
line each, sealed: lines that somebody else wrote, or that were cut off, count for nothing. A run
that comes to its end takes the file away.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from altay_cli import __version__
from altay_cli.base.atomic import append, write_new
from altay_cli.base.cache import seal
from altay_cli.base.regular import MAX_RULES, read_regular
from altay_cli.base.resources import pack_folder
from altay_cli.base.text import as_data, from_data
from altay_cli.simulation.simulated import Playout, PlayPlan, Side

NAME = "unfinished.jsonl"
MAX_BYTES = 1_000_000_000
_ABOUT = "what a run of simulated games is about"


@dataclass(slots=True)
class RunJournal:
    """The journal of a folder.

    ``about`` tells what is played there, as plain data; None if there is no journal.
    ``outcomes`` are those of the games that were played, by number, without logs; ``logged`` are
    the numbers of those that have a log.
    """

    folder: Path
    about: Mapping[str, Any] | None = None
    outcomes: dict[int, Playout] = field(default_factory=dict)
    logged: set[int] = field(default_factory=set)

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / NAME

    @property
    def seed(self) -> int | None:
        """The seed of the interrupted run."""
        return None if self.about is None else self.about["seed"]

    def begin(self, about: Mapping[str, object]) -> None:
        """Begin a journal; without effect for a user who has no place for a secret.

        Raises:
            OSError: if it cannot be written, or another file of its name is there.

        """
        line = _line(_ABOUT, dict(about))
        if line:
            write_new(self.path, line)
            self.about = about

    def add(self, outcome: Playout) -> None:
        """Add the outcome of a game, whose files have been written.

        Raises:
            OSError: if it cannot be written.

        """
        if self.about is not None:
            data = {**asdict(outcome), "end": as_data(outcome.end), "log": outcome.log is not None}
            # What was cut off before stands in a line of its own.
            append(self.path, b"\n" + _line(_key(self.about), data))

    def finish(self) -> None:
        """Remove the journal: the run is complete.

        Raises:
            OSError: if it cannot be removed.

        """
        if self.about is not None:
            self.path.unlink(missing_ok=True)


def read_journal(folder: Path) -> RunJournal:
    """Read the journal of a folder.

    Raises:
        OSError: if it is there and cannot be read.

    """
    journal = RunJournal(folder)
    if not journal.path.exists():
        return journal
    lines = read_regular(journal.path, MAX_BYTES).split(b"\n")
    journal.about = _data(_ABOUT, lines[0])
    if journal.about is not None:
        key = _key(journal.about)
        for data in filter(None, (_data(key, line) for line in lines[1:])):
            logged = data.pop("log")
            sides = [Side(**side) for side in data.pop("sides")]
            outcome = Playout(**{**data, "end": from_data(data["end"])}, sides=sides)
            journal.outcomes[outcome.number] = outcome
            if logged:
                journal.logged.add(outcome.number)
    return journal


def about_plan(plan: PlayPlan, games: int, variants: Iterable[Path]) -> dict[str, object]:
    """Return what identifies a run: equal runs play the same games, under the same names.

    ``variants`` are the variant files that the plan uses. Where the files lie makes no difference.
    """
    rules = pack_folder(plan.pack)
    read = {path.relative_to(rules.parent).as_posix(): path for path in rules.rglob("*.yaml")}
    if plan.folder is not None:
        read |= {f"./{path.relative_to(plan.folder).as_posix()}": path for path in variants}
    contents = [
        (name, _digest(read_regular(path, MAX_RULES))) for name, path in sorted(read.items())
    ]
    told = asdict(plan)
    del told["folder"], told["keep"]
    told |= {"digits": len(str(games)), "program": __version__, "rules": _digest(_json(contents))}
    plain: dict[str, object] = json.loads(_json(told))
    return plain


def _key(about: Mapping[str, object]) -> str:
    """Return the key that the lines of a run are sealed with."""
    return _digest(_json(dict(about)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _json(data: object) -> bytes:
    return json.dumps(data, sort_keys=True).encode("ascii")


def _line(key: str, data: object) -> bytes:
    """Return a line with data, sealed with a key; empty if nothing can be sealed."""
    return _sealed(key, _json(data))


def _sealed(key: str, text: bytes) -> bytes:
    found = seal(key, text)
    return b"" if found is None else b"%s %s\n" % (found.hex().encode("ascii"), text)


def _data(key: str, line: bytes) -> dict[str, Any] | None:
    """Return the data of a line; None if its seal does not match the key."""
    text = line.partition(b" ")[2]
    if not line or line + b"\n" != _sealed(key, text):
        return None
    data: dict[str, Any] = json.loads(text)
    return data

"""Read the logs that a command names, and watch them for changes."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple

import click

from altay_cli.archive.sources import STDIN, Sources
from altay_cli.archive.work import Workers
from altay_cli.archive.workers import LocalWorkers, cores
from altay_cli.base.files import MAX_LOG, digest_of, read_regular, why, write_atomically
from altay_cli.base.findings import Text
from altay_cli.base.internal import internal_error_line
from altay_cli.cli.output import Command, Refused, warn
from altay_cli.notation.lexis import NotationError, decode

PAUSE = 0.3
"""In seconds."""

logs_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", shell_complete=click.Path().shell_complete
)


only_option = click.option(
    "--game", "only", type=int, metavar="N", help="Which game of a file; without it, all."
)


def workers_option(*aliases: str) -> Callable[[Command], Command]:
    """Return the options for workers; ``aliases`` are other names of `--jobs`."""

    def add(command: Command) -> Command:
        @click.option(
            "--jobs",
            "-j",
            *aliases,
            "jobs",
            type=click.IntRange(1, 256),
            metavar="N",
            help="How many processes share the work; a few games need one. [default: all cores]",
        )
        @click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Have the workers of this Dask scheduler do the work: tcp://host:8786.",
        )
        @wraps(command)
        def called(
            *arguments: Any, jobs: int | None, scheduler: str | None, **options: Any
        ) -> object:
            return command(*arguments, workers=_workers(jobs, scheduler), **options)

        return called

    return add


def _workers(jobs: int | None, scheduler: str | None) -> Workers:
    if scheduler is None:
        return LocalWorkers(jobs or cores())
    if jobs is not None:
        raise Refused("--jobs counts processes on this machine: it cannot be used with --scheduler")
    from altay_cli.archive.cluster import DaskWorkers

    return DaskWorkers(scheduler)


class LogText(NamedTuple):
    """``name`` is for reports; ``folder`` is None for standard input."""

    name: str
    folder: Path | None
    text: str


class Logs(Sources):
    """The logs that a command names, read one at a time."""

    def __init__(self, paths: Iterable[str], only: int | None = None) -> None:
        super().__init__(paths, only)
        self._digest = b""  # of the last log as it was read

    def __iter__(self) -> Iterator[LogText]:
        for path in self.names:
            for name in [STDIN] if path == STDIN else self._files(path):
                yield from self._read(name)

    def replace(self, log: LogText, text: str) -> None:
        """Replace the text of the file that was read last.

        Raise an OSError if that fails, or the file has changed since.
        """
        write_atomically(Path(log.name), text.encode("utf-8"), digest=self._digest)

    def _read(self, name: str) -> Iterator[LogText]:
        try:
            data = read_input() if name == "-" else read_regular(name, MAX_LOG)
            text, digest = decode(data), digest_of(data)
            del data  # no second copy while the log is being checked
        except NotationError as error:
            self.unreadable.append((name, str(error)))
        except OSError as error:
            self.unreadable.append((name, _reason(error)))
        except Exception as error:
            self.unreadable.append((name, internal_error_line(error)))
        else:
            self._digest = digest
            yield LogText(name, None if name == "-" else Path(name).parent, text)


def read_input() -> bytes:
    """Return the text of standard input."""
    if sys.stdin is None:  # closed before the program began
        raise OSError(errno.EBADF, "there is no standard input")
    data = sys.stdin.buffer.read(MAX_LOG + 1)
    if len(data) > MAX_LOG:
        raise OSError(errno.EFBIG, Text("larger than {count} bytes", count=f"{MAX_LOG:,}"))
    return data


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return why(error, "it cannot be read")


def rounds(
    paths: tuple[str, ...], pause: Callable[[], None] = lambda: sleep(PAUSE)
) -> Iterator[None]:
    """Yield once, then whenever the logs or the rule files beside them change."""
    seen = None
    while True:
        now: dict[Path, tuple[int, int]] = {}
        logs = list(map(Path, Logs(paths).files()))
        beside = [path for folder in {log.parent for log in logs} for path in folder.glob("*.y*ml")]
        for path in (*logs, *beside):
            with contextlib.suppress(OSError):
                status = path.stat()
                now[path] = (status.st_mtime_ns, status.st_size)
        if now != seen:
            seen = now
            yield
        else:
            pause()


def warn_left_out(logs: Logs) -> None:
    """Warn of skipped and unreadable files."""
    for path, reason in [*logs.skipped, *logs.unreadable]:
        warn(reason, about=path)

"""Reading the logs that a command names, and waiting for them to change."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import sleep
from typing import NamedTuple

import click

from altay_cli.base.files import MAX_LOG, digest_of, read_regular, why, write_whole
from altay_cli.base.findings import Text, in_a_row
from altay_cli.base.internal import told
from altay_cli.cli.output import warn
from altay_cli.notation.lexis import NotationError, decode

PAUSE = 0.3
"""The interval between two looks at the files, in seconds."""

MOST_NAMES = 3
"""The number of files left out of a folder that are named."""

logs_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", shell_complete=click.Path().shell_complete
)


class LogText(NamedTuple):
    """The text of a file: the name to report it by, and its folder (None for standard input)."""

    name: str
    folder: Path | None
    text: str


class Logs:
    """The logs that a command names, read one after the other; none is kept in memory.

    Of folders, every ``.agn`` file in them and below, in the order of their names. While they are
    gone through, ``unreadable`` gets what could not be read, and ``skipped`` what is left out of a
    folder on purpose, each by its name and with the reason.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(paths)
        self.unreadable: list[tuple[str, str]] = []
        self.skipped: list[tuple[str, str]] = []
        self._digest = b""  # of what the last of them held when it was read

    def __iter__(self) -> Iterator[LogText]:
        """Read them."""
        for path in self.paths:
            for name in ["-"] if path == "-" else self._files(path):
                yield from self._read(name)

    def replace(self, log: LogText, text: str) -> None:
        """Write a text into the file that was read last.

        An OSError is raised if that cannot be done, or if the file has changed meanwhile.
        """
        write_whole(Path(log.name), text.encode("utf-8"), digest=self._digest)

    def names(self) -> Iterator[str]:
        """Give the names of the files that would be read, without standard input."""
        return (name for path in self.paths if path != "-" for name in self._files(path))

    def size(self) -> int:
        """Return how many bytes there are to read, as far as that is known before."""
        total = 0
        for name in Logs(self.paths).names():
            with contextlib.suppress(OSError):
                total += Path(name).stat().st_size
        return total

    def _files(self, path: str) -> Iterator[str]:
        if not path:
            # An empty name is a mistake in a script; as a path, it would mean the whole folder.
            self.unreadable.append((path, "an empty name is not a file"))
        elif "\0" in path:
            self.unreadable.append((path, "there is no such file"))
        elif not os.path.isdir(path):  # noqa: PTH112 - which does not raise
            yield path
        else:
            unread, files = len(self.unreadable), list(self._below(str(Path(path))))
            if not files and unread == len(self.unreadable):
                self.unreadable.append((path, "the folder holds no .agn files"))
            yield from files

    def _below(self, folder: str) -> Iterator[str]:
        """Yield the logs in a folder and below, by name; only what lies there is read."""
        root, folders = os.path.realpath(folder), [Path(folder)]
        found: list[Path] = []
        others: list[Path] = []
        for here in folders:
            try:
                paths = list(here.iterdir())
            except OSError as error:
                self.unreadable.append((str(here), _reason(error)))
                continue
            folders += [path for path in paths if path.is_dir() and not path.is_symlink()]
            found += [path for path in paths if is_log(path) or path.is_dir()]
            others += [path for path in paths if _is_left_out(path.relative_to(folder), path)]
        for path in sorted(found):
            if reason := _reason_to_skip(path, root):
                self.skipped.append((str(path), reason))
            elif path.is_file():
                yield str(path)
        if others:
            names = in_a_row([path.name for path in sorted(others)], MOST_NAMES)
            reason = Text.plural(
                len(others),
                "{count} file is left out, because its name does not end in .agn: {names}",
                "{count} files are left out, because their names do not end in .agn: {names}",
                names=names,
            )
            self.skipped.append((folder, reason))

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
            self.unreadable.append((name, told(error)))
        else:
            self._digest = digest
            yield LogText(name, None if name == "-" else Path(name).parent, text)


def is_log(path: Path) -> bool:
    """Return whether the name of a file says that it is a log."""
    return path.suffix.lower() == ".agn"


def _is_left_out(inner: Path, path: Path) -> bool:
    """Return whether a file in a folder of logs is none; hidden files and rules are expected.

    ``inner`` is its path from that folder on.
    """
    hidden = any(part.startswith(".") for part in inner.parts)
    expected = hidden or path.suffix.lower() in {".yaml", ".yml"}
    return not expected and not is_log(path) and path.is_file()


def _reason_to_skip(path: Path, root: str) -> str | None:
    """Return why a log or a folder in a folder is skipped, if it is."""
    if path.is_dir() or path.is_file():
        leads_out = not Path(os.path.realpath(path)).is_relative_to(root)
        return "a link that leads out of the folder; it is left out" if leads_out else None
    if path.is_symlink() and not path.exists():
        return "a link that leads nowhere; it is left out"
    return "this is not a file; it is left out"


def read_input() -> bytes:
    """Return what stands on standard input."""
    if sys.stdin is None:  # it was closed before the program began
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
    """Yield once at the beginning, and again whenever logs or rule files beside them change."""
    seen = None
    while True:
        now: dict[Path, tuple[int, int]] = {}
        logs = list(map(Path, Logs(paths).names()))
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


def tell_left_out(logs: Logs) -> None:
    """Report skipped and unreadable files on standard error."""
    for path, reason in [*logs.skipped, *logs.unreadable]:
        warn(reason, about=path)

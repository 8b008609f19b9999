"""Read games from files, folders, globs, archives, addresses and standard input.

Nothing is written to disk, and one game is in memory at a time.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple

from altay_cli.archive import limits
from altay_cli.archive.splitting import games_of
from altay_cli.base.files import SourceError, open_regular, why
from altay_cli.base.findings import Text, with_ellipsis
from altay_cli.base.internal import internal_error_line
from altay_cli.notation.lexis import NotationError

if TYPE_CHECKING:  # slow to import
    from altay_cli.archive.containers import ArchiveMember

SUFFIX = ".agn"
"""The ending of the names of logs, in any case."""

_PATTERN = frozenset("*?[")

_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tar.xz", ".tar.bz2")
_PACKED = (".zip", ".tar", ".tgz", ".gz", ".zst", ".xz", ".bz2")

STDIN = "-"
"""Standard input."""


class SourceGame(NamedTuple):
    """The text of a game, and its origin.

    path: name of its file for reports; for an archive member, both names.
    folder: where to look for variant files; None for nowhere.
    before: number of lines of its file that precede it.
    number: its number in its file, from 1.
    """

    path: str
    folder: Path | None
    text: str
    before: int
    number: int


class Sources:
    """The games that a command asks for, in order; sources are read lazily.

    names: files, folders, glob patterns, ``-`` for standard input, archives (``.agn.gz``, ``.zip``,
        ``.tar``, ``.tar.gz``, ``.tar.zst``), and addresses that ``fsspec`` opens.
    only: the number of the game to read from each file, from 1.
    unreadable, skipped: failed sources and those left out on purpose, with the reason.
    """

    def __init__(self, names: Iterable[str], only: int | None = None) -> None:
        self.names = tuple(names)
        self.only = only
        self.unreadable: list[tuple[str, str]] = []
        self.skipped: list[tuple[str, str]] = []
        # Archives add theirs when opened.
        self._damage: tuple[type[Exception], ...] = (EOFError,)

    def games(self) -> Iterator[SourceGame]:
        """Yield the games of all sources."""
        for name in self.names:
            if name == STDIN:
                yield from self._stream(name, None, _standard_input)
            elif "://" in name:
                yield from self._address(name)
            else:
                for path in self._files(name):
                    yield from self._file(path)

    @property
    def several(self) -> bool:
        """True if there may be several files."""
        name = self.names[0]
        packed = name.casefold().endswith(_ARCHIVES)
        named = os.path.lexists(name) or name == STDIN
        return len(self.names) > 1 or packed or not named or Path(name).is_dir()

    def files(self) -> Iterator[str]:
        """Yield local files, also in folders."""
        for name in self.names:
            if name != STDIN and "://" not in name:
                yield from self._files(name)

    def size(self) -> int | None:
        """Return the total size, or None if it does not measure progress."""
        if any(name == STDIN or "://" in name for name in self.names):
            return None
        total = 0
        for name in Sources(self.names).files():
            if name.casefold().endswith(_PACKED):
                return None
            with suppress(OSError):
                total += Path(name).stat().st_size
        return total

    def _files(self, name: str) -> Iterator[str]:
        if not name:
            # An empty name is a mistake in a script; as a path it would mean the current folder.
            self.unreadable.append((name, "an empty name is not a file"))
        elif "\0" in name:
            self.unreadable.append((name, "there is no such file"))
        elif os.path.isdir(name):  # noqa: PTH112 - it does not raise
            yield from self._folder(name)
        elif not _PATTERN.isdisjoint(name) and not os.path.lexists(name):
            yield from self._matching(name)
        else:
            yield name

    def _matching(self, pattern: str) -> Iterator[str]:
        found = sorted(glob(pattern, recursive=True))  # noqa: PTH207 - absolute patterns too
        if not found:
            self.unreadable.append((pattern, "no file matches this pattern"))
        for path in found:
            if os.path.isdir(path):  # noqa: PTH112
                yield from self._folder(path)
            else:
                yield path

    def _folder(self, name: str) -> Iterator[str]:
        unread, files = len(self.unreadable), list(self._below(str(Path(name))))
        if not files and unread == len(self.unreadable):
            self.unreadable.append((name, "the folder holds no .agn files"))
        yield from files

    def _below(self, folder: str) -> Iterator[str]:
        """Yield the logs in a folder at any depth; links out of it are not followed."""
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
            found += [path for path in paths if is_log(path.name) or path.is_dir()]
            others += [path for path in paths if _is_left_out(path.relative_to(folder), path)]
        for path in sorted(found):
            if reason := _reason_to_skip(path, root):
                self.skipped.append((str(path), reason))
            elif path.is_file():
                yield str(path)
        if others:
            names = with_ellipsis([path.name for path in sorted(others)], limits.MAX_NAMES)
            reason = Text.plural(
                len(others),
                "{count} file is left out, because its name does not end in .agn: {names}",
                "{count} files are left out, because their names do not end in .agn: {names}",
                names=names,
            )
            self.skipped.append((folder, reason))

    def _file(self, name: str) -> Iterator[SourceGame]:
        yield from self._container(name, Path(name).parent, lambda: open_regular(name))

    def _address(self, address: str) -> Iterator[SourceGame]:
        try:
            # An extra of the package.
            import fsspec  # type: ignore[import-untyped]
        except ImportError:
            reason = Text("addresses need fsspec: {command}", command="pip install 'altay[remote]'")
            self.unreadable.append((address, reason))
            return
        try:
            files = fsspec.open_files(address, "rb")
        except Exception as error:  # each file system raises errors of its own
            known = isinstance(error, OSError)
            self.unreadable.append((address, _reason(error) if known else str(error)[:200]))
            return
        if not files:
            self.unreadable.append((address, "no file matches this pattern"))
        for file in files:
            name = address if len(files) == 1 else f"{address.partition('://')[0]}://{file.path}"
            yield from self._container(name, None, file.open)

    def _container(
        self, name: str, folder: Path | None, opened: Callable[[], IO[bytes]]
    ) -> Iterator[SourceGame]:
        lower = name.casefold()
        if not lower.endswith((*_ARCHIVES, ".gz", ".zst")):
            yield from self._stream(name, folder, opened)
            return
        # Plain logs need no archives, which are slow to import.
        from altay_cli.archive.containers import DAMAGE, tar_members, unpacking, zip_members

        self._damage = DAMAGE
        if lower.endswith(_ARCHIVES):
            members = zip_members if lower.endswith(".zip") else tar_members
            yield from self._members(name, opened, members)
        else:
            yield from self._stream(name, folder, unpacking(name, opened))

    def _stream(
        self, name: str, folder: Path | None, opened: Callable[[], IO[bytes]]
    ) -> Iterator[SourceGame]:
        number = 0
        with self._reasons(name), opened() as stream:
            for number, (text, before) in enumerate(games_of(stream), 1):
                if self.only in {None, number}:
                    yield SourceGame(name, folder, text, before, number)
            if self.only is not None and not 0 < self.only <= number:
                raise SourceError(no_such_game(self.only, number))

    def _members(
        self,
        name: str,
        opened: Callable[[], IO[bytes]],
        members: Callable[[IO[bytes], str], Iterator[ArchiveMember]],
    ) -> Iterator[SourceGame]:
        found = False
        with self._reasons(name), opened() as file:
            for member in members(file, name.casefold()):
                path = f"{name}/{member.name}"
                if member.folder or not (is_log(member.name) or member.link):
                    continue
                found = True
                if member.link:
                    self.skipped.append((path, "a link in an archive; only files are read"))
                elif _climbs(member.name):
                    self.unreadable.append((path, "a name that leads out of its archive"))
                else:
                    yield from self._stream(path, None, member.opened)
            if not found:
                self.unreadable.append((name, "the archive holds no logs (.agn)"))

    @contextmanager
    def _reasons(self, name: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            reason = _reason(error, self._damage)
            # Damage in a member ends its archive too: report one cause once.
            *_, (last, reported) = [("", ""), *self.unreadable]
            if not (last.startswith(f"{name}/") and reported == reason):
                self.unreadable.append((name, reason))


def no_such_game(number: int, count: int) -> Text:
    """Return the message for a game number beyond ``count``."""
    return Text("there is no game {number}: the log holds {count}", number=number, count=count)


def is_log(name: str) -> bool:
    """Return True for the name of a log, compressed or not."""
    lower = name.casefold()
    return lower.removesuffix(".gz").removesuffix(".zst").endswith(SUFFIX)


def _is_left_out(inner: Path, path: Path) -> bool:
    """Hidden files and rules are expected in a folder, and not reported."""
    hidden = any(part.startswith(".") for part in inner.parts)
    expected = hidden or path.suffix.lower() in {".yaml", ".yml"}
    return not expected and not is_log(path.name) and path.is_file()


def _climbs(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in path.parts[0]


def _reason(error: Exception, damage: tuple[type[Exception], ...] = (EOFError,)) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, NotationError):
        return str(error)
    if isinstance(error, damage):
        return "not an archive, or a damaged one; the rest of it is not read"
    if isinstance(error, OSError):
        return why(error, "it cannot be read")
    return internal_error_line(error)


def _reason_to_skip(path: Path, root: str) -> str | None:
    """Return None for a path that is not skipped."""
    if path.is_dir() or path.is_file():
        leads_out = not Path(os.path.realpath(path)).is_relative_to(root)
        return "a link that leads out of the folder; it is left out" if leads_out else None
    if path.is_symlink() and not path.exists():
        return "a link that leads nowhere; it is left out"
    return "this is not a file; it is left out"


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:  # closed before the program began
        raise OSError(errno.EBADF, "there is no standard input")
    # Closing this stream must not close the interpreter's.
    try:
        return open(os.dup(sys.stdin.fileno()), "rb")  # noqa: PTH123
    except (OSError, ValueError):
        return sys.stdin.buffer

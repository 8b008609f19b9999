"""Read games from files, folders, globs, archives, addresses and standard input.

Nothing is written to disk, and one game is in memory at a time. Unreadable sources are listed with
the reason, and reading continues.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedReader, RawIOBase
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from altay_cli.archive import limits
from altay_cli.archive.splitting import games_of
from altay_cli.base.files import open_regular, why
from altay_cli.base.findings import Text, with_ellipsis
from altay_cli.base.internal import internal_error_line
from altay_cli.notation.lexis import NotationError

if TYPE_CHECKING:  # slow to import
    import tarfile
    import zipfile

SUFFIX = ".agn"
"""In any case."""

_PATTERN = frozenset("*?[")

_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tar.xz", ".tar.bz2")
_PACKED = (".zip", ".tar", ".tgz", ".gz", ".zst", ".xz", ".bz2")

STDIN = "-"
"""Standard input."""

_BLOCK = 65_536
"""Bytes of a compressed source read at a time."""


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


class SourceError(OSError):
    """A source cannot be read; the message is for people."""

    def __init__(self, message: str) -> None:
        super().__init__(errno.EINVAL, message)


class Sources:
    """The games that a command asks for, in order; sources are read lazily.

    ``names`` are files, folders (searched for logs at any depth), glob patterns, ``-`` for standard
    input, archives (``.agn.gz``, ``.zip``, ``.tar``, ``.tar.gz``, ``.tar.zst``), and addresses or
    patterns of addresses that ``fsspec`` opens (``https://...``). ``only`` is the number of the one
    game to read from each file, from 1; None for all.

    ``unreadable`` lists sources that failed, ``skipped`` those left out on purpose, both with the
    reason. They grow as sources are read.
    """

    def __init__(self, names: Iterable[str], only: int | None = None) -> None:
        self.names = tuple(names)
        self.only = only
        self.unreadable: list[tuple[str, str]] = []
        self.skipped: list[tuple[str, str]] = []

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
        """Yield the names of local files, including those from folders and patterns."""
        for name in self.names:
            if name != STDIN and "://" not in name:
                yield from self._files(name)

    def size(self) -> int | None:
        """Return the total size of these files, or None if it does not measure progress."""
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
        from glob import glob

        found = sorted(glob(pattern, recursive=True))  # noqa: PTH207 - absolute patterns too
        if not found:
            self.unreadable.append((pattern, "no file has a name like this"))
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
            self.unreadable.append((address, "no file has a name like this"))
        for file in files:
            name = address if len(files) == 1 else f"{address.partition('://')[0]}://{file.path}"
            yield from self._container(name, None, file.open)

    def _container(
        self, name: str, folder: Path | None, opened: Callable[[], IO[bytes]]
    ) -> Iterator[SourceGame]:
        lower = name.casefold()
        if lower.endswith(".zip"):
            yield from self._members(name, opened, _zip_members)
        elif lower.endswith(_ARCHIVES):
            yield from self._members(name, opened, _tar_members)
        elif lower.endswith(".gz"):
            yield from self._stream(name, folder, lambda: _unzipped(opened()))
        elif lower.endswith(".zst"):
            yield from self._stream(name, folder, lambda: _unzstd(opened()))
        else:
            yield from self._stream(name, folder, opened)

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
        members: Callable[[IO[bytes], str], Iterator[_Member]],
    ) -> Iterator[SourceGame]:
        found = False
        with self._reasons(name), opened() as file:
            for number, member in enumerate(members(file, name.casefold())):
                if number >= limits.MAX_MEMBERS:
                    raise _too_many()
                path = f"{name}/{member.name}"
                if member.folder or not (is_log(member.name) or member.link):
                    continue
                found = True
                if member.link:
                    self.skipped.append((path, "a link in an archive; only files are read"))
                elif _climbs(member.name):
                    self.unreadable.append((path, "a name that leads out of its archive"))
                elif member.name.casefold().endswith(".gz"):
                    yield from self._stream(path, None, _opener(_unzipped, member))
                elif member.name.casefold().endswith(".zst"):
                    yield from self._stream(path, None, _opener(_unzstd, member))
                else:
                    yield from self._stream(path, None, member.opened)
            if not found:
                self.unreadable.append((name, "the archive holds no logs (.agn)"))

    @contextmanager
    def _reasons(self, name: str) -> Iterator[None]:
        """List a failing source as unreadable; games already read count."""
        try:
            yield
        except Exception as error:
            reason = _reason(error)
            # Damage in a member ends its archive too: report one cause once.
            *_, (last, reported) = [("", ""), *self.unreadable]
            if not (last.startswith(f"{name}/") and reported == reason):
                self.unreadable.append((name, reason))


class _Member(NamedTuple):
    """A member of an archive."""

    name: str
    opened: Callable[[], IO[bytes]]
    folder: bool = False
    link: bool = False


def no_such_game(number: int, count: int) -> Text:
    """Return the message for a game number beyond the ``count`` games of a file."""
    return Text("there is no game {number}: the log holds {count}", number=number, count=count)


def is_log(name: str) -> bool:
    """Return True for the name of a log, compressed or not."""
    lower = name.casefold()
    return lower.removesuffix(".gz").removesuffix(".zst").endswith(SUFFIX)


def _is_left_out(inner: Path, path: Path) -> bool:
    """Return True if a file in a folder should be reported as left out.

    Hidden files and rules are expected there, so they are not. ``inner`` is the path in the folder.
    """
    hidden = any(part.startswith(".") for part in inner.parts)
    expected = hidden or path.suffix.lower() in {".yaml", ".yml"}
    return not expected and not is_log(path.name) and path.is_file()


def _climbs(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in path.parts[0]


def _opener(unpack: Callable[[IO[bytes]], IO[bytes]], member: _Member) -> Callable[[], IO[bytes]]:
    return lambda: unpack(member.opened())


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, NotationError):
        return str(error)
    if _is_damage(error):
        return "a damaged archive, or none; the rest of it is not read"
    if isinstance(error, OSError):
        return why(error, "it cannot be read")
    return internal_error_line(error)


def _is_damage(error: Exception) -> bool:
    import tarfile
    import zipfile
    import zlib
    from gzip import BadGzipFile

    damage = (EOFError, zipfile.BadZipFile, tarfile.TarError, zlib.error, BadGzipFile)
    return isinstance(error, damage)


def _reason_to_skip(path: Path, root: str) -> str | None:
    """Return why a log or folder in a folder is skipped, or None if it is not."""
    if path.is_dir() or path.is_file():
        leads_out = not Path(os.path.realpath(path)).is_relative_to(root)
        return "a link that leads out of the folder; it is left out" if leads_out else None
    if path.is_symlink() and not path.exists():
        return "a link that leads nowhere; it is left out"
    return "this is not a file; it is left out"


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:  # closed before the program began
        raise OSError(errno.EBADF, "there is no standard input")
    # Duplicate the descriptor: closing this stream must not close the interpreter's.
    try:
        return open(os.dup(sys.stdin.fileno()), "rb")  # noqa: PTH123
    except (OSError, ValueError):
        return sys.stdin.buffer


class _Bounded(RawIOBase):
    """A stream of expanded bytes that raises an error if they are far too many.

    ``compressed`` returns the number of compressed bytes read so far.
    """

    def __init__(self, stream: IO[bytes], compressed: Callable[[], int]) -> None:
        self._source = stream
        self._compressed = compressed
        self._total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._source.read(len(buffer))
        buffer[: len(data)] = data
        self._total += len(data)
        most = max(limits.FREE_BYTES, limits.MAX_EXPANSION * self._compressed())
        if self._total > most:
            message = "it expands to more than {count} bytes, far more than a game would"
            raise SourceError(Text(message, count=f"{most:,}"))
        return len(data)

    def close(self) -> None:
        self._source.close()
        super().close()


def _bounded(stream: IO[bytes], compressed: Callable[[], int]) -> IO[bytes]:
    return BufferedReader(cast(RawIOBase, _Bounded(stream, compressed)), _BLOCK)


class _Counted(RawIOBase):
    def __init__(self, stream: IO[bytes]) -> None:
        self._source = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._source.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)

    def close(self) -> None:
        self._source.close()
        super().close()


def _unzipped(stream: IO[bytes]) -> IO[bytes]:
    from gzip import GzipFile

    class _Gzip(GzipFile):
        """Closes the stream below it too."""

        def close(self) -> None:
            super().close()
            counted.close()

    counted = _Counted(stream)
    unpacked = _Gzip(fileobj=cast(IO[bytes], counted))
    return _bounded(cast(IO[bytes], unpacked), lambda: counted.count)


def _unzstd(stream: IO[bytes]) -> IO[bytes]:
    try:
        import zstandard
    except ImportError:
        stream.close()
        command = "pip install 'altay[archive]'"
        raise SourceError(Text("this needs zstandard: {command}", command=command)) from None
    counted = _Counted(stream)
    reader = zstandard.ZstdDecompressor().stream_reader(
        cast(IO[bytes], counted), read_across_frames=True
    )
    return _bounded(cast(IO[bytes], _Zstd(reader, zstandard.ZstdError)), lambda: counted.count)


class _Zstd(RawIOBase):
    """A zstd stream whose errors are OSErrors."""

    def __init__(self, reader: IO[bytes], error: type[Exception]) -> None:
        self._reader = reader
        self._error = error

    def read(self, size: int = -1) -> bytes:
        try:
            return self._reader.read(size)
        except self._error:
            raise EOFError from None

    def close(self) -> None:
        self._reader.close()
        super().close()


def _zip_members(file: IO[bytes], _name: str) -> Iterator[_Member]:
    import zipfile

    if not file.seekable():
        raise SourceError("a zip file cannot be read from a stream")
    _check_directory(file)
    size = file.seek(0, os.SEEK_END)
    spent = 0

    def opened(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
        nonlocal spent
        if info.flag_bits & 1:
            raise SourceError("it is encrypted")
        stream = archive.open(info)
        left = size - spent // limits.MAX_EXPANSION
        spent += info.file_size
        return _bounded(stream, lambda: left)

    with zipfile.ZipFile(file) as archive:
        if len(archive.filelist) > limits.MAX_MEMBERS:
            raise _too_many()
        for info in archive.filelist:
            link = (info.external_attr >> 28) == 0xA
            yield _Member(
                info.filename,
                lambda info=info: opened(archive, info),  # type: ignore[misc]
                info.is_dir(),
                link,
            )


def _too_many() -> SourceError:
    count = f"{limits.MAX_MEMBERS:,}"
    return SourceError(Text("an archive of more than {count} members", count=count))


def _check_directory(file: IO[bytes]) -> None:
    """Refuse a zip file whose directory would take too much memory.

    ``zipfile`` reads the directory at once; the last record of the file has its size.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 65_600, 0))
    end = file.read()
    at = end.rfind(b"PK\x05\x06")
    if at < 0 or at + 22 > len(end):
        raise EOFError
    directory = int.from_bytes(end[at + 12 : at + 16], "little")
    locator = end.rfind(b"PK\x06\x07", 0, at)
    if locator >= 0:
        file.seek(min(int.from_bytes(end[locator + 8 : locator + 16], "little"), size))
        directory = max(directory, int.from_bytes(file.read(56)[40:48], "little"))
    if directory > limits.MAX_DIRECTORY:
        raise _too_many()
    file.seek(0)


def _tar_members(file: IO[bytes], name: str) -> Iterator[_Member]:
    import tarfile

    with ExitStack() as closing:
        stream = file
        if name.endswith((".gz", ".tgz")):
            stream = closing.enter_context(_unzipped(file))
        elif name.endswith(".zst"):
            stream = closing.enter_context(_unzstd(file))
        elif name.endswith((".xz", ".bz2")):
            raise SourceError("of tar files, .tar, .tar.gz and .tar.zst are read")
        archive = closing.enter_context(tarfile.open(fileobj=stream, mode="r|"))
        for info in archive:
            archive.members.clear()  # type: ignore[attr-defined] # else all of them stay in memory
            link = info.issym() or info.islnk()
            if info.isdir() or not (info.isreg() or link):
                continue
            yield _Member(info.name, _member_of(archive, info), link=link)


def _member_of(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        member = archive.extractfile(info)
        if member is None:
            raise SourceError("this is not a file")
        return member

    return opened

"""Read files that people name, and write files; all functions raise OSError.

Names and files come from strangers: reading must not block, run without end, or show a file
elsewhere. A file is written completely or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import IO

from altay_cli.base import on_demand
from altay_cli.base.digest import blake2b
from altay_cli.base.findings import Text

MAX_LOG = 100_000_000
"""In bytes."""

MAX_RULES = 2_000_000
"""In bytes."""

_SPECIAL = ("O_NONBLOCK", "O_NOCTTY", "O_BINARY", "O_CLOEXEC")
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in _SPECIAL)

_CHUNK = 65_536


class SourceError(OSError):
    """A source cannot be read; the message is for people."""

    def __init__(self, message: str) -> None:
        super().__init__(errno.EINVAL, message)


def read_regular(
    path: str | Path, most: int, *, within: Path | None = None, private: bool = False
) -> bytes:
    """Return the contents of a regular file; ``errno`` is EFBIG above ``most`` bytes.

    within: refuse a file outside this folder, links followed.
    private: refuse a file that another user owns, can read or can write.
    """
    if "\0" in os.fspath(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    if within is not None:
        named, path = path, os.path.realpath(path)
        if not Path(path).is_relative_to(os.path.realpath(within)):
            message = "a link that leads out of its folder; it is not read"
            raise PermissionError(errno.EPERM, message, os.fspath(named))
    # Before opening, as that alone wakes up some devices.
    _refuse(os.stat(path), most, path)  # noqa: PTH116 - half the time of Path's
    with open(os.open(path, _FLAGS), "rb", buffering=0) as file:  # noqa: PTH123
        # It may have been replaced since.
        size = _refuse(os.fstat(file.fileno()), most, path, private=private)
        data: bytes = file.read(size + 1)
        while len(data) <= most and (more := file.read(_CHUNK)):  # the file is growing
            data += more
    if len(data) > most:
        raise _too_large(most, path)
    return data


def open_regular(path: str | Path) -> IO[bytes]:
    """Open a regular file for reading; refuse devices and pipes."""
    if "\0" in os.fspath(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    _refuse(os.stat(path), sys.maxsize, path)  # noqa: PTH116
    file = open(os.open(path, _FLAGS), "rb")  # noqa: PTH123, SIM115
    try:
        _refuse(os.fstat(file.fileno()), sys.maxsize, path)
    except OSError:
        file.close()
        raise
    return file


def read_regular_text(path: str | Path, most: int, *, within: Path | None = None) -> str:
    r"""Return the text of a regular file, with ``\n`` as line ends; EILSEQ if not UTF-8."""
    try:
        text = read_regular(path, most, within=within).decode("utf-8")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "this is not UTF-8 text", os.fspath(path)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _refuse(status: os.stat_result, most: int, path: str | Path, *, private: bool = False) -> int:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "this is not a regular file", os.fspath(path))
    if status.st_size > most:
        raise _too_large(most, path)
    known = status.st_mode & 0o077
    if private and sys.platform != "win32" and (known or status.st_uid != os.getuid()):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), os.fspath(path))
    return status.st_size


def _too_large(most: int, path: str | Path) -> OSError:
    return OSError(
        errno.EFBIG, Text("larger than {count} bytes", count=f"{most:,}"), os.fspath(path)
    )


# ---------------------------------------------------------------- what strangers may name


class Access(Enum):
    """Whether a named file can be read, and why not."""

    THERE = "there"
    MISSING = "missing"
    OUTSIDE = "outside"
    HIDDEN = "hidden"


def named_file(name: str, folder: Path, root: Path) -> tuple[Path, Access]:
    """Return the file at ``folder / name``, and whether it may be read.

    A log must not show unrelated files of its reader, so it must be in ``root`` or below, links
    followed, with no hidden file or folder on the way.
    """
    path = folder / name
    if "\0" in name:
        return path, Access.MISSING
    try:
        root, real = Path(os.path.realpath(root)), Path(os.path.realpath(path))
        if not real.is_relative_to(root):
            return path, Access.OUTSIDE
        if _is_hidden(Path(name)) or _is_hidden(real.relative_to(root)):
            return path, Access.HIDDEN
        return path, Access.THERE if real.is_file() else Access.MISSING
    except OSError:
        return path, Access.MISSING


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") and part != ".." for part in path.parts)


# ---------------------------------------------------------------- writing

_TEMPORARY = re.compile(r"\.altay-(?P<process>[0-9]{1,9})-[0-9a-f]{8}\.tmp")

# Seconds without a change until a temporary file counts as abandoned.
_LEFT_OVER = 3600


def why(error: OSError, otherwise: str = "it cannot be written") -> str:
    """Return the system's reason for an error."""
    return (error.strerror or otherwise).lower()


def write_new(path: Path, data: bytes) -> None:
    """Create a file; raise FileExistsError if there is one."""
    with _temporary(path, data, 0o666) as written:
        try:
            os.link(written, path)  # unlike a rename, never replaces a file
        except OSError:  # it exists, or there are no links here
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
            written.replace(path)


def digest_of(data: bytes) -> bytes:
    """Return a digest of contents."""
    return blake2b(data, digest_size=16).digest()


def write_atomically(
    path: Path,
    data: bytes,
    *,
    private: bool = False,
    durable: bool = True,
    digest: bytes | None = None,
) -> None:
    """Write or replace a file; on failure the old one is unchanged. Links are followed.

    private: only the user may read a new file.
    durable: wait until the data is on disk; else a power failure may damage the file.
    digest: refuse to replace contents with another digest, which an editor saved meanwhile.

    Owner, group, mode, hard links and attributes are kept: if a new file could not have them, the
    old one is overwritten, with the new text complete on disk beside it.
    """
    target = Path(os.path.realpath(path))
    before = target.stat() if target.exists() else None
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, "this is not a regular file", path)
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    mode = 0o600 if private or before is not None else 0o666
    with _temporary(target, data, mode, durable=durable) as written:
        alone = before is None or before.st_nlink == 1
        replaces = alone and (before is None or _copy_attributes(written, target, before))
        if digest is not None and _digest_at(target) != digest:
            raise OSError(errno.EBUSY, "the file has changed in the meantime", path)
        if replaces:
            written.replace(target)
            return
        # If killed here, the text is complete in ``saved``.
        saved = written.rename(written.with_suffix(".saved"))
        try:
            _overwrite(target, data)
        finally:
            saved.unlink()


def _digest_at(path: Path) -> bytes | None:
    try:
        return digest_of(path.read_bytes())
    except OSError:
        return None


def append(path: Path, data: bytes) -> None:
    """Append to a file; a killed process leaves a part of ``data``."""
    with path.open("ab", buffering=0) as file:
        file.write(data)


@lru_cache(maxsize=256)
def clear_up(folder: Path) -> None:
    """Remove temporary files of killed processes; once per process."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if (match := _TEMPORARY.fullmatch(entry.name)) and _is_left_over(entry, match):
                    Path(entry).unlink()


def _is_left_over(entry: os.DirEntry[str], name: re.Match[str]) -> bool:
    status = entry.stat(follow_symlinks=False)
    abandoned = time.time() - status.st_mtime > _LEFT_OVER
    if sys.platform != "win32":
        if status.st_uid != os.getuid():
            return False
        try:
            os.kill(int(name["process"]), 0)
        except OSError as error:
            abandoned |= isinstance(error, ProcessLookupError)
    return stat.S_ISREG(status.st_mode) and abandoned


@contextlib.contextmanager
def _temporary(path: Path, data: bytes, mode: int, *, durable: bool = True) -> Iterator[Path]:
    clear_up(path.parent)
    temporary = path.with_name(f".altay-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(descriptor)
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _copy_attributes(temporary: Path, target: Path, status: os.stat_result) -> bool:
    try:
        if sys.platform != "win32":
            os.chown(temporary, status.st_uid, status.st_gid)
        on_demand.shutil.copystat(target, temporary)
        os.utime(temporary)  # now
    except OSError:
        return False
    return True


def _overwrite(path: Path, data: bytes) -> None:
    with path.open("r+b", buffering=0) as file:
        old = file.read()
        with contextlib.ExitStack() as failed:
            failed.callback(_write_over, file.fileno(), old)
            _write_over(file.fileno(), data)
            failed.pop_all()


def _write_over(descriptor: int, data: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)

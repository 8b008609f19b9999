"""Read archives and compressed files as streams, without trusting their sizes."""

from __future__ import annotations

import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from gzip import BadGzipFile, GzipFile
from io import BufferedReader, RawIOBase
from typing import IO, NamedTuple, cast

from altay_cli.archive import limits
from altay_cli.base.files import SourceError
from altay_cli.base.findings import Text

try:
    import zstandard
except ImportError:  # an extra
    zstandard = None  # type: ignore[assignment]

_BLOCK = 65_536


class ArchiveMember(NamedTuple):
    """``opened`` opens the member, decompressed."""

    name: str
    opened: Callable[[], IO[bytes]]
    folder: bool = False
    link: bool = False


def unpacking(name: str, opened: Callable[[], IO[bytes]]) -> Callable[[], IO[bytes]]:
    """Return ``opened``, decompressing as the file's name asks."""
    lower = name.casefold()
    if lower.endswith(".gz"):
        return lambda: _unzipped(opened())
    if lower.endswith(".zst"):
        return lambda: _unzstd(opened())
    return opened


DAMAGE = (EOFError, zipfile.BadZipFile, tarfile.TarError, zlib.error, BadGzipFile)
"""Errors of damaged files."""


class _Bounded(RawIOBase):
    """``compressed`` returns the number of compressed bytes read so far."""

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
            message = "it expands to more than {count} bytes, far more than recorded games do"
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
    class _Gzip(GzipFile):
        """Closes the stream below it too."""

        def close(self) -> None:
            super().close()
            counted.close()

    counted = _Counted(stream)
    unpacked = _Gzip(fileobj=cast(IO[bytes], counted))
    return _bounded(cast(IO[bytes], unpacked), lambda: counted.count)


def _unzstd(stream: IO[bytes]) -> IO[bytes]:
    if zstandard is None:
        stream.close()
        command = "pip install 'altay[archive]'"
        raise SourceError(Text("this needs zstandard: {command}", command=command))
    counted = _Counted(stream)
    reader = zstandard.ZstdDecompressor().stream_reader(
        cast(IO[bytes], counted), read_across_frames=True
    )
    return _bounded(cast(IO[bytes], _Zstd(reader, zstandard.ZstdError)), lambda: counted.count)


class _Zstd(RawIOBase):
    """Raises OSErrors only."""

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


def zip_members(file: IO[bytes], _name: str) -> Iterator[ArchiveMember]:
    """Yield the members of a zip file; streams that expand too far raise an error."""
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
            stream = unpacking(info.filename, partial(opened, archive, info))
            yield ArchiveMember(info.filename, stream, info.is_dir(), link)


def _too_many() -> SourceError:
    count = f"{limits.MAX_MEMBERS:,}"
    return SourceError(Text("an archive of more than {count} members", count=count))


def _check_directory(file: IO[bytes]) -> None:
    """Refuse a zip file whose directory takes too much memory; its last record has the size."""
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


def tar_members(file: IO[bytes], name: str) -> Iterator[ArchiveMember]:
    """Yield the files and links of a tar archive, compressed or not."""
    count = 0
    with ExitStack() as closing:
        unpacked = file
        if name.endswith((".gz", ".tgz")):
            unpacked = closing.enter_context(_unzipped(file))
        elif name.endswith(".zst"):
            unpacked = closing.enter_context(_unzstd(file))
        elif name.endswith((".xz", ".bz2")):
            raise SourceError(
                "only .tar, .tar.gz and .tar.zst can be read; convert the file to one of them"
            )
        archive = closing.enter_context(tarfile.open(fileobj=unpacked, mode="r|"))
        for info in archive:
            archive.members.clear()  # type: ignore[attr-defined] # else all of them stay in memory
            link = info.issym() or info.islnk()
            if info.isdir() or not (info.isreg() or link):
                continue
            count += 1
            if count > limits.MAX_MEMBERS:
                raise _too_many()
            stream = unpacking(info.name, _member_of(archive, info))
            yield ArchiveMember(info.name, stream, link=link)


def _member_of(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        member = archive.extractfile(info)
        if member is None:
            raise SourceError("this is not a file")
        return member

    return opened

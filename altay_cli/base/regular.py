"""Reading files of people: the one place where the program opens them.

Logs and rules come from strangers, and so do the folders that they lie in. Whatever has the name
of a file, to read it must not wait, nor go on for ever, nor show what lies elsewhere.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from altay_cli.base.text import Text

MAX_LOG = 100_000_000
"""The largest log that is read, in bytes."""

MAX_RULES = 2_000_000
"""The largest rule file that is read, in bytes."""

_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY", "O_CLOEXEC"):
    _FLAGS |= getattr(os, _name, 0)

_CHUNK = 65_536


def read_regular(path: str | Path, most: int, *, within: Path | None = None) -> bytes:
    """Return what stands in a regular file of at most so many bytes.

    With ``within``, only if it lies in that folder or below, links followed.

    Raises:
        OSError: if it is no such file, or cannot be read; ``errno`` is EFBIG if it is too large.

    """
    if "\0" in os.fspath(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    if within is not None:
        path = _inside(path, within)
    # Looked at before it is opened: that alone wakes up some devices.
    _refuse(os.stat(path), most, path)  # noqa: PTH116 - half the time of Path's
    with open(os.open(path, _FLAGS), "rb", buffering=0) as file:  # noqa: PTH123
        size = _refuse(os.fstat(file.fileno()), most, path)  # it may be another file by now
        data: bytes = file.read(size + 1)
        while len(data) <= most and (more := file.read(_CHUNK)):  # it grows
            data += more
    if len(data) > most:
        raise _too_large(most, path)
    return data


def read_regular_text(path: str | Path, most: int, *, within: Path | None = None) -> str:
    """Return the text in a regular file, in UTF-8, with line ends as Python has them.

    Raises:
        OSError: as ``read_regular`` does; ``errno`` is EILSEQ if it is not UTF-8.

    """
    try:
        text = read_regular(path, most, within=within).decode("utf-8")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "this is not UTF-8 text", os.fspath(path)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _inside(path: str | Path, folder: Path) -> str:
    """Return the path of a file without links; it must lie in a folder or below."""
    real = os.path.realpath(path)
    if not Path(real).is_relative_to(os.path.realpath(folder)):
        message = "a link that leads out of its folder; it is not read"
        raise PermissionError(errno.EPERM, message, os.fspath(path))
    return real


def _refuse(status: os.stat_result, most: int, path: str | Path) -> int:
    """Return the size of a file, unless it is not one to be read."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "this is not a regular file", os.fspath(path))
    if status.st_size > most:
        raise _too_large(most, path)
    return status.st_size


def _too_large(most: int, path: str | Path) -> OSError:
    return OSError(
        errno.EFBIG, Text("larger than {count} bytes", count=f"{most:,}"), os.fspath(path)
    )

"""A cache on disk for compiled packs and parser tables.

It is in the user's cache folder, or in ``ALTAY_CACHE`` (``off`` disables it). Entries become code,
so each is signed with a secret from the user's home, and no one else may be able to modify the
folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from altay_cli.base.digest import blake2b
from altay_cli.base.files import MAX_RULES, read_regular, write_atomically

MAX_ENTRIES = 80
_MARK = b"altay pack 1\n"
_SECRET_BYTES = 32
_SEAL_BYTES = 32
_ENTRY = re.compile(r"[0-9a-f]{64}\.pack")
_LARGEST = 100_000_000


def fingerprint(files: Iterable[str | Path], *about: str) -> str:
    """Return 64 hex digits that depend on the names and contents of ``files`` and on ``about``.

    An unreadable file differs from every readable one.
    """
    # Digests of equal length, so parts cannot run into each other.
    digest = blake2b(digest_size=32)
    for text in about:
        digest.update(blake2b(text.encode("utf-8", "surrogateescape")).digest())
    for path in files:
        digest.update(blake2b(os.fsencode(path)).digest())
        try:
            digest.update(blake2b(read_regular(path, MAX_RULES)).digest())
        except OSError:
            digest.update(b"?")
    return digest.hexdigest()


def load(key: str) -> bytes | None:
    """Return the data stored under ``key``, if it is intact."""
    folder, secret = _folder(), _secret()
    if folder is None or secret is None:
        return None
    path = folder / f"{key}.pack"
    entry = _read(path, _LARGEST)
    start = len(_MARK) + _SEAL_BYTES
    data = entry[start:]
    if entry[:start] != _MARK + _seal(secret, key, data):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # mark as recently used
    return data


Provider = Callable[[str], bytes | None]
"""Returns an entry by its name, such as `pack NAME` or `grammar FILE`."""

_providers: list[Provider] = []


def provide(provider: Provider) -> None:
    """Ask ``provider`` before the cache.

    Its entries become code: a host may provide only its own compilations of the same files.
    """
    _providers[:] = [provider]


def provided(name: str) -> bytes | None:
    """Return the entry that the host provides, if any."""
    return next((entry for ask in _providers if (entry := ask(name)) is not None), None)


def seal(key: str, data: bytes) -> bytes | None:
    """Return a signature of ``data`` under ``key``, if the user has a home."""
    secret = _secret(make=True)
    return None if secret is None else _seal(secret, key, data)


def store(key: str, data: bytes) -> None:
    """Store data under a key, if possible."""
    folder = _folder()
    if folder is None or (secret := _secret(make=True)) is None:
        return
    with contextlib.suppress(OSError):
        sealed = _MARK + _seal(secret, key, data) + data
        write_atomically(folder / f"{key}.pack", sealed, private=True, durable=False)
        # Remove the entries unused for longest.
        entries = (path for path in folder.iterdir() if _ENTRY.fullmatch(path.name))
        for path in sorted(entries, key=lambda path: path.stat().st_mtime, reverse=True)[
            MAX_ENTRIES:
        ]:
            path.unlink(missing_ok=True)


def _read(path: Path, most: int, *, private: bool = False) -> bytes:
    try:
        return read_regular(path, most, within=path.parent, private=private)
    except OSError:
        return b""


def _seal(secret: bytes, key: str, data: bytes) -> bytes:
    sealed = blake2b(key.encode(), key=secret, digest_size=_SEAL_BYTES)
    sealed.update(data)
    return sealed.digest()


# ---------------------------------------------------------------- the folder


def _folder() -> Path | None:
    named = os.environ.get("ALTAY_CACHE")
    if named == "off" or _secret_file() is None:
        return None
    try:
        folder = Path(named) if named else _user_cache() / "altay"
        if not folder.is_absolute():
            return None  # would depend on the current folder
        with contextlib.suppress(PermissionError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = Path(os.path.realpath(folder, strict=True))
        return folder if _is_ours(folder) else None
    except OSError:
        return None


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home())
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return named if named.is_absolute() else _home() / ".cache"


def _home() -> Path:
    return Path(os.path.expanduser("~"))  # noqa: PTH111 - which does not raise


def _is_ours(folder: Path) -> bool:
    """Return True if no other user can replace the folder."""
    if sys.platform == "win32":
        return True
    user = os.getuid()
    for place in (folder, *folder.parents):
        status = place.stat()
        if status.st_uid != user and (status.st_uid != 0 or place == folder):
            return False
        # A group with the user's own number is private.
        shared = 0o002 if status.st_gid == status.st_uid else 0o022
        # In a sticky folder like /tmp, users cannot rename the files of others.
        sticky = place != folder and status.st_mode & stat.S_ISVTX
        if status.st_mode & shared and not sticky:
            return False
    return True


# ---------------------------------------------------------------- the secret


def _secret_file() -> Path | None:
    """Return the file of the secret, in the home that the system knows.

    People copy cache folders between machines, so it is not in one.
    """
    if sys.platform == "win32":
        home = _home()
        return home / "AppData" / "Local" / "altay" / "cache.secret" if home.is_absolute() else None
    try:
        import pwd  # Unix has it

        home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (ImportError, KeyError):  # in a browser, Python knows no users
        return None
    return home / ".local" / "state" / "altay" / "cache.secret"


def _secret(*, make: bool = False) -> bytes | None:
    """Return the secret, if no other user may have read or written it."""
    path = _secret_file()
    secret = b"" if path is None else _read(path, _SECRET_BYTES, private=True)
    if make and path is not None and len(secret) != _SECRET_BYTES:
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.unlink(missing_ok=True)  # unusable, so replaced
            write_atomically(path, os.urandom(_SECRET_BYTES), private=True)
        secret = _read(path, _SECRET_BYTES, private=True)  # another process may have created it
    return secret if len(secret) == _SECRET_BYTES else None

"""Compiled packs and tables of parsers on disk, so that not every start has to make them.

The cache is a convenience: where it cannot be used, there is none. It lies in the user's cache
folder, or where ALTAY_CACHE says (``off`` turns it off). What is read from it becomes code, and
folders may be made by strangers: a repository, an archive, whoever may write to a shared folder.
So an entry is used only if it is sealed with a secret that lies in the user's home, for the key
that it is asked for; that also shows a damaged file before anything is done with it. And the
folder must be named by an absolute path, with nobody else able to write anywhere on the way to it.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from collections.abc import Iterable
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import lark
from lark import Lark

from altay_cli.base.files import MAX_RULES, read_regular, write_whole
from altay_cli.base.resources import data_folder

KEPT = 80
"""How many entries are kept, those used last."""

_MARK = b"altay pack 1\n"
_SECRET_BYTES = 32
_SEAL_BYTES = 32
_ENTRY = re.compile(r"[0-9a-f]{64}\.pack")
_LARGEST = 100_000_000


def fingerprint(files: Iterable[str | Path], *about: str) -> str:
    """Return 64 digits that differ whenever a name, the contents of a file or ``about`` does.

    A file that cannot be read differs from every file that can.
    """
    # Digests of one length stand for the parts, so that different parts never look the same.
    whole = blake2b(digest_size=32)
    for text in about:
        whole.update(blake2b(text.encode("utf-8", "surrogateescape")).digest())
    for path in files:
        whole.update(blake2b(os.fsencode(path)).digest())
        try:
            whole.update(blake2b(read_regular(path, MAX_RULES)).digest())
        except OSError:
            whole.update(b"?")
    return whole.hexdigest()


def load(key: str) -> bytes | None:
    """Return what ``store`` kept under a ``fingerprint``; None if nothing intact is there."""
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
        os.utime(path)  # what is used is kept
    return data


def seal(key: str, data: bytes) -> bytes | None:
    """Return a seal that only this user can make; None if the user has no home for a secret."""
    secret = _secret(make=True)
    return None if secret is None else _seal(secret, key, data)


def store(key: str, data: bytes) -> None:
    """Keep data under a key; do nothing if that is impossible."""
    folder = _folder()
    if folder is None or (secret := _secret(make=True)) is None:
        return
    with contextlib.suppress(OSError):
        sealed = _MARK + _seal(secret, key, data) + data
        write_whole(folder / f"{key}.pack", sealed, private=True, durable=False)
        # Those go that have not been used for longest; what is not an entry stays.
        entries = (path for path in folder.iterdir() if _ENTRY.fullmatch(path.name))
        for path in sorted(entries, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
            path.unlink(missing_ok=True)


def read_grammar(name: str, **options: Any) -> Lark:
    """Return the parser for a grammar in ``grammar/``; the options are those of ``lark.Lark``."""
    path = data_folder("grammar") / name
    # What makes the tree is kept with the tables, by the name of its class.
    about = {**options, "transformer": type(options.get("transformer"))}
    key = fingerprint([path], "grammar", lark.__version__, str(sorted(about.items())))
    tables = load(key)
    if tables is not None:
        return Lark.load(BytesIO(tables))
    made = Lark(path.read_text(encoding="utf-8"), parser="lalr", **options)
    written = BytesIO()
    made.save(written, exclude_options=())
    store(key, written.getvalue())
    return made


def _read(path: Path, most: int, *, private: bool = False) -> bytes:
    """Return what stands in a file of at most so many bytes; nothing if it is no such file."""
    try:
        return read_regular(path, most, within=path.parent, private=private)
    except OSError:
        return b""


def _seal(secret: bytes, key: str, data: bytes) -> bytes:
    sealed = blake2b(key.encode(), key=secret, digest_size=_SEAL_BYTES)
    sealed.update(data)
    return sealed.digest()


# ---------------------------------------------------------------- where it lies


def _folder() -> Path | None:
    """Return the cache folder, created if needed; None if no folder is usable."""
    named = os.environ.get("ALTAY_CACHE")
    if named == "off":
        return None
    try:
        folder = Path(named) if named else _user_cache() / "altay"
        if not folder.is_absolute():
            return None  # it would be another one in every folder, made by whoever made that
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
    """Return the user's home; no absolute path if there is none."""
    return Path(os.path.expanduser("~"))  # noqa: PTH111 - which does not raise


def _is_ours(folder: Path) -> bool:
    """Return whether a folder belongs to the user, and nobody else can replace it."""
    if sys.platform == "win32":
        return True
    user = os.getuid()
    for place in (folder, *folder.parents):
        status = place.stat()
        if status.st_uid != user and (status.st_uid != 0 or place == folder):
            return False
        # A group with the number of the user is the user's own; others share theirs.
        shared = 0o002 if status.st_gid == status.st_uid else 0o022
        # In a sticky folder like /tmp, nobody can rename what belongs to others.
        sticky = place != folder and status.st_mode & stat.S_ISVTX
        if status.st_mode & shared and not sticky:
            return False
    return True


# ---------------------------------------------------------------- the secret


def _secret_file() -> Path | None:
    """Return the file of the secret; None if the system knows no such user.

    It lies in the home that the system knows, whatever the environment says, and not among
    caches, which people copy to and from machines of others.
    """
    if sys.platform == "win32":
        home = _home()
        return home / "AppData" / "Local" / "altay" / "cache.secret" if home.is_absolute() else None
    import pwd

    try:
        home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return None
    return home / ".local" / "state" / "altay" / "cache.secret"


def _secret(*, make: bool = False) -> bytes | None:
    """Return the user's secret, made if need be; None if others may have made or read it."""
    path = _secret_file()
    secret = b"" if path is None else _read(path, _SECRET_BYTES, private=True)
    if make and path is not None and len(secret) != _SECRET_BYTES:
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.unlink(missing_ok=True)  # a file that was not fit to be used
            write_whole(path, os.urandom(_SECRET_BYTES), private=True)
        secret = _read(path, _SECRET_BYTES, private=True)  # another process may have made it
    return secret if len(secret) == _SECRET_BYTES else None

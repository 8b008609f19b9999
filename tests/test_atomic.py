"""Files are complete or not there, and a file that is replaced stays what it was otherwise."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from altay_cli.base import files
from altay_cli.base.files import write_atomically, write_new


@pytest.fixture
def disk_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)


@pytest.mark.parametrize("write", [write_new, write_atomically])
def test_a_new_file_gets_the_rights_of_any_new_file(
    tmp_path: Path, write: Callable[[Path, bytes], None]
) -> None:
    old = os.umask(0o027)
    try:
        write(tmp_path / "new", b"text")
    finally:
        os.umask(old)
    assert (tmp_path / "new").read_bytes() == b"text"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_private_file_is_the_users_alone(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new", b"text", private=True)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_never_replaces_one(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").write_bytes(b"mine")
    (tmp_path / "dangling").symlink_to("nowhere")
    if not links:  # a file system that has none

        def link(*_: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", link)
    for name in ("there", "dangling"):
        with pytest.raises(FileExistsError):
            write_new(tmp_path / name, b"text")
    write_new(tmp_path / "new", b"text")
    assert (tmp_path / "there").read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "new", "there"]


@pytest.mark.usefixtures("disk_full")
@pytest.mark.parametrize("write", [write_new, write_atomically])
def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, write: Callable[[Path, bytes], None]
) -> None:
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path / "new", b"text")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("disk_full")
def test_a_full_disk_changes_no_file(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"mine")
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "there", b"text")
    assert (tmp_path / "there").read_bytes() == b"mine"
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(OSError, match="not a regular file"):
            write_atomically(tmp_path / name, b"text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


def test_mode_and_links_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"long old text")
    file.chmod(0o640)
    link.symlink_to("file")
    write_atomically(link, b"text")
    assert link.is_symlink()
    assert file.read_bytes() == b"text"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_hard_links_stay(tmp_path: Path) -> None:
    file, other = tmp_path / "file", tmp_path / "other"
    file.write_bytes(b"long old text")
    other.hardlink_to(file)
    write_atomically(file, b"text")
    assert other.read_bytes() == b"text"
    assert other.samefile(file)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "other"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    os.chown(tmp_path / "file", 12345, 54321)
    write_atomically(tmp_path / "file", b"text")
    status = (tmp_path / "file").stat()
    assert (status.st_uid, status.st_gid) == (12345, 54321)


def test_an_owner_that_cannot_be_given_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of another user that everybody may write to stays that user's."""
    (tmp_path / "file").write_bytes(b"old")
    before = (tmp_path / "file").stat().st_ino

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    write_atomically(tmp_path / "file", b"text")
    assert (tmp_path / "file").read_bytes() == b"text"
    assert (tmp_path / "file").stat().st_ino == before, "it is the same file"


def test_an_accident_while_a_file_is_overwritten_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old text, a little longer")
    (tmp_path / "other").hardlink_to(file)
    write, calls = os.write, []

    def failing(descriptor: int, data: bytes) -> int:
        calls.append(data)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:3] if len(calls) == 1 else data)

    monkeypatch.setattr(os, "write", failing)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(file, b"the new text")
    assert file.read_bytes() == b"old text, a little longer"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "other"]


def test_a_file_that_its_owner_has_protected_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(PermissionError):
        write_atomically(tmp_path / "file", b"text")
    assert (tmp_path / "file").read_bytes() == b"mine"


def test_nothing_is_removed_but_what_was_left_over(tmp_path: Path) -> None:
    (tmp_path / ".altay-x-1.tmp").touch()
    (tmp_path / "tmpabc").mkdir()
    os.utime(tmp_path / "tmpabc", (1, 1))
    files.clear_up(tmp_path)
    files.clear_up(tmp_path / "missing")
    assert len(list(tmp_path.iterdir())) == 2

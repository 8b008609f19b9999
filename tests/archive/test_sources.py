"""Where games come from: each kind of source gives the same games, and none does harm."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from altay_cli.archive import limits
from altay_cli.archive import sources as sources_module
from altay_cli.archive.sources import Sources
from altay_cli.archive.splitting import games_of
from altay_cli.base.files import open_regular
from altay_cli.notation.reading import read_log

ONE = '[Game "nim"]\nsetup\n  seat Ann\n  seat Bob\n  heap A of 3\n'
TWO = '[Game "nim"]\nsetup\n  seat Cat\n  seat Dan\n  heap A of 1\nturn 1 Cat\n  take 1 from A\n'


def split(data: bytes) -> list[tuple[str, int]]:
    return [(one.text, one.before) for one in games_of(io.BufferedReader(io.BytesIO(data)))]


# ------------------------------------------------------------------ a file into games


def test_a_file_of_two_games_is_two_texts() -> None:
    assert split((ONE + "\n" + TWO).encode()) == [(ONE + "\n", 0), (TWO, 6)]


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("", 1),
        ("# a comment alone\n", 1),
        ('[Game "nim"]\n[Event "x"]\n\n# c\n[Site "y"]\nsetup\n', 1),
        ('[Game "nim"]\nsetup\n[Game "nim"]\n', 2),
        ('[Game "nim"]\n;;\n[Event "two"]\n', 1),
        ('take 1 from A\n[Game "nim"]\nsetup\n', 1),
        ("[user]\nname = x\n[core]\nkey = y\n", 1),
        ('[Game "nim"]\nturn 1 Ann\n  take 1,\n  [Game "nim"]\nsetup\n', 2),
        ('[Game "nim"] # tags\r\nsetup\r\n[Game "nim"]\rsetup\r', 2),
    ],
)
def test_games_begin_where_the_reader_begins_them(text: str, games: int) -> None:
    parts = split(text.encode())
    assert len(parts) == games
    # The whole file is there, and each part begins where the reader says that a game begins.
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert "".join(part for part, _ in parts) == lines
    begins = {record.span.line for record in read_log(text).games}
    assert {before + 1 for _, before in parts[1:]} <= begins


def test_a_line_that_is_not_text_is_counted_from_the_start_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.agn"
    path.write_bytes(ONE.encode() + b'[Game "nim"]\nsetup\n  seat \xff\n')
    sources = Sources([str(path)])
    assert [game.text for game in sources.games()] == [ONE]
    [(name, reason)] = sources.unreadable
    assert name == str(path)
    assert reason.startswith("not a text in UTF-8: byte 0xFF in line 8")


# ------------------------------------------------------------------ kinds of sources


def write_gz(path: Path, data: bytes) -> Path:
    path = path.with_name("one.agn.gz")
    path.write_bytes(gzip.compress(data))
    return path


def write_zst(path: Path, data: bytes) -> Path:
    zstandard = pytest.importorskip("zstandard")
    path = path.with_name("one.agn.zst")
    path.write_bytes(zstandard.compress(data))
    return path


def write_zip(path: Path, data: bytes) -> Path:
    path = path.with_name("all.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", "not a log")
        archive.writestr("club/one.agn", data)
    return path


def write_tar(path: Path, data: bytes, mode: str = "w") -> Path:
    path = path.with_name("all.tar" + (".gz" if mode == "w:gz" else ""))
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        info = tarfile.TarInfo("club/one.agn")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return path


def write_targz(path: Path, data: bytes) -> Path:
    return write_tar(path, data, "w:gz")


def write_tarzst(path: Path, data: bytes) -> Path:
    zstandard = pytest.importorskip("zstandard")
    plain = write_tar(path, data)
    packed = plain.with_name("all.tar.zst")
    packed.write_bytes(zstandard.compress(plain.read_bytes()))
    return packed


@pytest.mark.parametrize(
    "write", [write_gz, write_zst, write_zip, write_tar, write_targz, write_tarzst]
)
def test_a_compressed_source_gives_the_games_that_are_in_it(
    write: Callable[[Path, bytes], Path], tmp_path: Path
) -> None:
    path = write(tmp_path / "x", (ONE + TWO).encode())
    sources = Sources([str(path)])
    found = [(game.text, game.before, game.number) for game in sources.games()]
    assert found == [(ONE, 0, 1), (TWO, 5, 2)]
    assert sources.unreadable == []
    assert sorted(one.name for one in tmp_path.iterdir() if one.is_dir()) == []


def test_a_pattern_names_all_files_that_match(tmp_path: Path) -> None:
    for name in ("b.agn", "a.agn", "c.txt"):
        (tmp_path / name).write_text(ONE)
    assert [game.path for game in Sources([f"{tmp_path}/*.agn"]).games()] == [
        f"{tmp_path}/a.agn",
        f"{tmp_path}/b.agn",
    ]


def test_a_folder_gives_its_logs_by_name_in_any_case_of_their_ending(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "B.AGN").write_text(TWO)
    (tmp_path / "a.agn").write_text(ONE)
    (tmp_path / "c.agn.gz").write_bytes(gzip.compress(ONE.encode()))
    (tmp_path / "read.me").write_text("no")
    names = [Path(game.path).name for game in Sources([str(tmp_path)]).games()]
    assert names == ["a.agn", "c.agn.gz", "B.AGN"]


def test_an_address_is_opened_by_fsspec() -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name in ("one", "two"):
        with memory.open(f"/club/{name}.agn", "wb") as file:
            file.write(ONE.encode())
    sources = Sources(["memory://club/*.agn", "memory://club/none.agn"])
    assert [game.path for game in sources.games()] == [
        "memory:///club/one.agn",
        "memory:///club/two.agn",
    ]
    assert [name for name, _ in sources.unreadable] == ["memory://club/none.agn"]


# ------------------------------------------------------------------ hostile archives


def reasons(path: Path) -> Iterator[str]:
    sources = Sources([str(path)])
    assert list(sources.games()) == []
    return (reason for _, reason in sources.unreadable)


def test_a_name_that_leads_out_of_its_archive_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../up.agn", "/root.agn", "C:/disk.agn", "a\\..\\..\\b.agn"):
            archive.writestr(name, ONE)
    assert [*reasons(path)] == ["a name that leads out of its archive"] * 4
    assert [*tmp_path.parent.glob("*.agn")] == []


def test_a_link_in_a_tar_file_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            info = tarfile.TarInfo("passwd.agn")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    sources = Sources([str(path)])
    assert list(sources.games()) == []
    assert [reason for _, reason in sources.skipped] == [
        "a link in an archive; only files are read"
    ] * 2


def test_an_archive_that_expands_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FREE_BYTES", 1_000_000)
    monkeypatch.setattr(limits, "MAX_EXPANSION", 50)
    bomb = ONE.encode() * 100_000  # five megabytes that are games
    for write in (write_gz, write_zip, write_targz):
        sources = Sources([str(write(tmp_path / "x", bomb))])
        assert sum(len(game.text) for game in sources.games()) < 2_500_000
        assert "expands to more than" in sources.unreadable[0][1]


def test_a_zip_file_of_too_many_members_is_refused_before_they_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_DIRECTORY", 1_000)
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(100):
            archive.writestr(f"{number}.agn", "")
    assert [*reasons(path)] == [f"an archive of more than {limits.MAX_MEMBERS:,} members"]


def test_a_tar_file_of_too_many_members_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_MEMBERS", 10)
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for number in range(100):
            archive.addfile(tarfile.TarInfo(f"{number}.agn"))
    sources = Sources([str(path)])
    assert len(list(sources.games())) == 10
    assert sources.unreadable == [(str(path), "an archive of more than 10 members")]


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.agn.gz", "a.tar.zst"])
@pytest.mark.parametrize("data", [b"", b"nonsense" * 200, b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_no_archive_is_said_to_be_none(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    sources = Sources([str(path)])
    games = list(sources.games())
    # An empty gzip file is an empty text, which is a game without tags.
    assert games == [] or (data == b"" and games[0].text == "")
    assert games or len(sources.unreadable) == 1


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.agn.gz", "a.tar.zst"])
def test_a_file_that_is_no_archive_is_closed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[IO[bytes]] = []

    def open_and_keep(path: str) -> IO[bytes]:
        opened.append(open_regular(path))
        return opened[-1]

    monkeypatch.setattr(sources_module, "open_regular", open_and_keep)
    path = tmp_path / name
    path.write_bytes(b"nonsense")
    list(Sources([str(path)]).games())
    assert [file.closed for file in opened] == [True]


def test_a_member_cut_off_in_the_middle_costs_what_follows_only(tmp_path: Path) -> None:
    path = write_targz(tmp_path / "x", (ONE + TWO * 10_000).encode())
    path.write_bytes(path.read_bytes()[:-200])
    sources = Sources([str(path)])
    games = list(sources.games())
    assert games[0].text == ONE
    assert {game.text for game in games[1:]} == {TWO}
    damaged = "not an archive, or a damaged one; the rest of it is not read"
    assert sources.unreadable == [(f"{path}/club/one.agn", damaged)]


def test_an_encrypted_member_is_named(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x", ONE.encode())
    data = bytearray(path.read_bytes())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(sign, data.find(sign) + 1)
        data[at + offset] |= 1
    path.write_bytes(data)
    sources = Sources([str(path)])
    assert list(sources.games()) == []
    assert sources.unreadable == [(f"{path}/club/one.agn", "it is encrypted")]

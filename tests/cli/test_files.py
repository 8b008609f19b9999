"""Which files commands read, and what they show of them: people keep more than logs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from altay_cli.checking.check import check_text
from altay_cli.report.json import document_parts, dump
from tests.cli.sample import ILLEGAL, LEGAL, OVER, document, put, run

SECRET = "hunter2"  # noqa: S105
CREDENTIALS = f"""\
[default]
aws_secret_access_key = {SECRET}
[{SECRET} "{SECRET}"]
setup
  seat {SECRET} ( as
  {SECRET}: "{SECRET}
"""
NAMES = ("check", "score")


# ---------------------------------------------------------------- links


def linked(tmp_path: Path) -> Path:
    """Return a folder with a log and links that lead out of it, and one that does not."""
    games = tmp_path / "games"
    (games / "below").mkdir(parents=True)
    (tmp_path / "private").mkdir()
    put(tmp_path / "private", mine=LEGAL)
    (tmp_path / "credentials").write_text(CREDENTIALS)
    put(games, own=OVER)
    (games / "secret.agn").symlink_to(tmp_path / "credentials")
    (games / "below" / "up.agn").symlink_to("../../private/mine.agn")
    (games / "twice.agn").symlink_to("own.agn")
    (games / "private").symlink_to("../private")
    (games / "inside").symlink_to("below")
    (games / "gone.agn").symlink_to("nowhere")
    (games / "gone.txt").symlink_to("nowhere")
    (games / "circle").symlink_to(".")
    return games


@pytest.mark.parametrize("command", NAMES)
def test_links_that_lead_out_of_a_folder_are_skipped_with_a_note(
    tmp_path: Path, command: str
) -> None:
    games = linked(tmp_path)
    result = run(command, games)
    assert result.exit_code == 0
    out = "a link that leads out of the folder; it is left out"
    assert result.stderr == (
        f"altay: {games}/below/up.agn: {out}\n"
        f"altay: {games}/gone.agn: a link that leads nowhere; it is left out\n"
        f"altay: {games}/private: {out}\n"
        f"altay: {games}/secret.agn: {out}\n"
    )
    assert SECRET not in result.stdout
    files = document(command, games)["files"]
    assert [Path(file["path"]).name for file in files if file["games"]] == ["own.agn", "twice.agn"]
    assert {Path(file["path"]).name: file["skipped"] for file in files if not file["games"]} == {
        "up.agn": out, "private": out, "secret.agn": out,
        "gone.agn": "a link that leads nowhere; it is left out",
    }  # fmt: skip


def test_a_folder_and_a_file_may_be_links_themselves(tmp_path: Path) -> None:
    games = linked(tmp_path)
    (tmp_path / "link").symlink_to("games/below")
    (games / "below" / "up.agn").unlink()
    put(games / "below", own=OVER)
    for path in (tmp_path / "link", games / "private" / "mine.agn"):
        result = run("check", path)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "1 game: legal" in result.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    put(tmp_path, own=OVER)
    (tmp_path / "locked").mkdir(mode=0)
    result = run("check", tmp_path)
    assert result.exit_code == 2
    assert f"altay: {tmp_path}/locked: permission denied" in result.stderr


def test_folders_in_folders_without_end(tmp_path: Path) -> None:
    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(1500):
            os.mkdir("x")  # noqa: PTH102
            os.chdir("x")
        put(Path(), deep=OVER)
        assert run("check", tmp_path).exit_code == 0
    finally:
        os.chdir(here)
        # Python's own way to remove it would need a stack as deep.
        subprocess.run(["rm", "-rf", tmp_path / "x"], check=True)


# ---------------------------------------------------------------- what is not a log


@pytest.mark.parametrize("name", ["credentials", "credentials.agn"])
def test_the_text_of_a_file_that_is_no_log_is_never_shown(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(CREDENTIALS)
    for command in (["check"], ["score"], ["moves"], ["check", "--under", "trading"], ["fmt"]):
        for form in ([], ["--format", "json"]):
            if command == ["fmt"] and form:
                continue
            result = run(*command, *form, path)
            assert result.exit_code in {1, 2}
            assert SECRET not in result.stdout + result.stderr, (command, form)
            assert "aws" not in result.stdout + result.stderr
    result = run("check", path)
    assert "this is not a log [bad-tag]" in result.stdout
    assert 'begin with [Game "altay"]' in result.stdout


@pytest.mark.parametrize(
    "tag", ["[Game altay]", '[Game "altay]', "[Game altay", ' [ game "altay"] x']
)
def test_a_slip_in_the_tag_itself_is_shown(tag: str) -> None:
    result = run("check", "-", text=OVER.replace('[Game "altay"]', tag))
    assert f"1 | {tag}" in result.stdout


# ---------------------------------------------------------------- one after the other


def test_what_is_found_is_told_as_soon_as_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, a=ILLEGAL, b=OVER)

    def stopped(path: str) -> IO[bytes]:
        if path.endswith("b.agn"):
            raise KeyboardInterrupt
        return Path(path).open("rb")

    monkeypatch.setattr("altay_cli.archive.sources.open_regular", stopped)
    result = run("check", tmp_path)
    assert "a.agn:15:8: error" in result.stdout
    assert result.exit_code == 130


def peak(folder: Path, *arguments: str) -> int:
    """Return the most memory, in KB, that it takes to check a folder."""
    program = (
        "import resource, sys; from altay_cli.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", *arguments, str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stderr)


@pytest.mark.parametrize("arguments", [(), ("--format", "json")])
def test_nothing_of_a_finished_file_stays_in_memory(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    text = Path("games/tie.agn").read_text(encoding="utf-8")
    sizes = []
    for count in (5, 60):
        folder = tmp_path / str(count)
        folder.mkdir()
        put(folder, **{f"game-{number}": text for number in range(count)})
        sizes.append(peak(folder, *arguments))
    assert sizes[1] - sizes[0] < 6_000, sizes


def test_nothing_of_a_finished_game_stays_in_memory(tmp_path: Path) -> None:
    sizes = []
    for count in (300, 1800):
        (path,) = put(tmp_path, **{f"games-{count}": OVER * count})
        sizes.append(peak(path))
    assert sizes[1] - sizes[0] < 12_000, sizes


def test_a_game_begins_without_a_look_at_any_file(monkeypatch: pytest.MonkeyPatch) -> None:
    check_text(OVER)

    def looked(*_: object, **__: object) -> None:
        raise AssertionError("a file was looked for")

    with monkeypatch.context() as patch:
        for name in ("glob", "is_dir", "is_file", "stat", "open"):
            patch.setattr(Path, name, looked)
        report = check_text(OVER * 3)
    assert [game.legal for game in report.games] == [True, True, True]


def test_each_finding_is_with_its_game_however_many_there_are() -> None:
    slip = OVER.replace("F6", "F66")
    games = check_text(OVER * 10 + slip + OVER * 10 + slip * 2 + OVER).games
    wrong = [number for number, game in enumerate(games) if not game.legal]
    assert wrong == [10, 21, 22]
    assert all(len(games[number].findings) == 1 for number in wrong)


def test_a_document_in_parts_is_the_same_document() -> None:
    files = [{"path": "a\nb", "games": []}, {"path": "\u2028\x85", "games": [{"x": {}, "y": [1]}]}]
    for count in range(3):
        parts = list(document_parts(files[:count]))
        assert all(part.endswith("\n") for part in parts)
        assert "".join(parts) == dump({"files": files[:count]}) + "\n"
        assert json.loads("".join(parts)) == {"files": files[:count]}


# ---------------------------------------------------------------- streams


@pytest.mark.parametrize("command", ["check", "score", "moves", "fmt"])
def test_without_standard_input(command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m altay_cli {command} - <&-', sys.executable],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "altay: -: there is no standard input\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full is needed")
@pytest.mark.parametrize(
    "arguments",
    ["check games/tie.agn", "check --format json games/tie.agn", "score games/tie.agn", "moves games/tie.agn",
     "fmt games/tie.agn", "fmt -", "explain", "rules list", "rules schema", "simulate --games 1 --max-rounds 1",
     "--help"],
)  # fmt: skip
def test_output_to_a_full_disk(arguments: str, tmp_path: Path) -> None:
    if arguments.startswith("fmt games"):
        put(tmp_path, tie=Path("games/tie.agn").read_text(encoding="utf-8").replace("  ", "   "))
        arguments = f"fmt {tmp_path}/tie.agn"
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m altay_cli {arguments} < games/tie.agn > /dev/full', sys.executable],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr == "altay: the output cannot be written: no space left on device\n"


# ---------------------------------------------------------------- what a folder holds besides


def test_endings_in_capitals_are_found_and_other_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "A.AGN").write_text(OVER)
    for name in ("b.txt", "c.pgn", "d.md", "e.html", "house.yaml", ".hidden"):
        (tmp_path / name).write_text("")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("")
    result = run("check", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "1 game: legal\n")
    assert result.stderr == (
        f"altay: {tmp_path}: 4 files are left out, because their names do not end in .agn: "
        "b.txt, c.pgn, d.md, ...\n"
    )

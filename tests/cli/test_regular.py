"""Whatever has the name of a file, commands neither wait for it nor read it for ever."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import altay_cli.cli.check
from altay_cli.base.files import MAX_RULES, read_regular
from altay_cli.base.resources import data_folder
from altay_cli.compile.load import load_pack
from tests.cli.sample import LEGAL, run

SECRET = "hunter2: [is not, for: the eyes: of others\n"  # noqa: S105

VARIANT = """\
variant: calm
extends: mine
title: Calm
source: ours
change:
  - {set: numbers.row.title, to: Marks in a row}
"""


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5_000_000_000)


LEADS_OUT = "a link that leads out of its folder; it is not read"
KINDS = {
    pipe: "this is not a regular file",
    endless: "this is not a regular file",
    sparse: "larger than ",
}


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Fail where a test waits for a pipe."""

    def wake(number: int, frame: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the folder of a small game of one's own, with a variant."""
    folder = tmp_path / "packs" / "mine"
    shutil.copytree(data_folder("rules") / "tictactoe", folder)
    rules = folder / "game.yaml"
    rules.write_text(rules.read_text().replace("game: tictactoe", "game: mine"))
    (folder / "variants").mkdir(exist_ok=True)
    (folder / "variants" / "calm.yaml").write_text(VARIANT)
    return folder


def log(folder: Path, *tags: str) -> Path:
    path = folder / "log.agn"
    more = "".join(f"[{tag}]\n" for tag in tags)
    path.write_text(f'[Game "mine"]\n{more}setup\n  seat Ann as X\n  seat Bob as O\n')
    return path


# ---------------------------------------------------------------- reading


def test_a_file_may_be_as_large_as_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_regular(path, 4)


def test_only_what_lies_in_a_folder_is_read(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "own").write_bytes(b"own")
    (tmp_path / "other").write_bytes(b"other")
    (inside / "link").symlink_to("own")
    (inside / "out").symlink_to("../other")
    assert read_regular(inside / "link", 9, within=inside) == b"own"
    with pytest.raises(OSError, match="leads out"):
        read_regular(inside / "out", 9, within=inside)


# ---------------------------------------------------------------- logs


@pytest.mark.parametrize(("make", "told"), KINDS.items())
@pytest.mark.parametrize(
    "command",
    [["check"], ["score"], ["show"], ["moves"], ["log"], ["fill"], ["fmt"], ["replay", "--serve"]],
    ids=lambda command: command[0],
)
def test_a_log_that_is_no_regular_file(
    tmp_path: Path, command: list[str], make: Callable[[Path], None], told: str
) -> None:
    make(tmp_path / "log.agn")
    result = run(command[0], tmp_path / "log.agn", *command[1:])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"log.agn: {told}" in result.stderr


def test_too_little_memory_is_an_error_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starved(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr(altay_cli.cli.check, "check_logs", starved)
    path = tmp_path / "log.agn"
    path.write_text(LEGAL)
    result = run("check", path)
    assert (result.exit_code, result.stderr) == (2, "altay: there is not enough memory for this\n")


# ---------------------------------------------------------------- rule files


@pytest.mark.parametrize(("make", "told"), KINDS.items())
@pytest.mark.parametrize("name", ["game.yaml", "moves/extra.yaml", "names/xx.yaml"])
def test_a_rule_file_of_a_pack(
    game: Path, name: str, make: Callable[[Path], None], told: str
) -> None:
    path = game / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)
    told = LEADS_OUT if path.is_symlink() else told
    checked = run("check", "--packs", game.parent, log(game.parent))
    assert checked.exit_code == 2
    assert f"mine/{name}:1:1: " in checked.stdout
    assert told in checked.stdout
    sound = run("rules", "check", "--packs", game.parent, "mine")
    assert sound.exit_code == 2
    assert told in sound.stdout + sound.stderr


@pytest.mark.parametrize(("make", "told"), KINDS.items())
def test_a_variant_that_comes_with_a_pack(
    game: Path, make: Callable[[Path], None], told: str
) -> None:
    path = game / "variants" / "calm.yaml"
    path.unlink()
    make(path)
    told = LEADS_OUT if path.is_symlink() else told
    checked = run("check", "--packs", game.parent, log(game.parent, 'Variant "calm"'))
    assert checked.exit_code == 2
    assert f":1:1: {told}" in checked.stdout
    assert run("rules", "list", "--packs", game.parent).exit_code == 0


@pytest.mark.parametrize("make", KINDS)
def test_a_variant_beside_a_log(game: Path, make: Callable[[Path], None]) -> None:
    make(game.parent / "calm.yaml")
    named = run("check", "--packs", game.parent, log(game.parent, 'Variant "calm.yaml"'))
    assert named.exit_code == 2
    for arguments in (
        ["rules", "check", game.parent / "calm.yaml"],
        ["rules", "report", game.parent / "calm.yaml"],
        ["check", "--under", game.parent / "calm.yaml", log(game.parent)],
    ):
        result = run("--packs", game.parent, *arguments)
        assert (result.exit_code, arguments[1]) in {(2, arguments[1]), (0, "report")}


@pytest.mark.parametrize("name", ["game.yaml", "names/xx.yaml", "variants/calm.yaml"])
def test_a_link_that_leads_out_of_a_pack_is_not_read(game: Path, name: str) -> None:
    (game.parent / "credentials").write_text(SECRET)
    path = game / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(game.parent / "credentials")
    for arguments in (
        ["check", log(game.parent, 'Variant "calm"')],
        ["rules", "check", "calm"],
    ):
        result = run("--packs", game.parent, *arguments)
        assert LEADS_OUT in result.stdout + result.stderr
        assert "hunter2" not in result.stdout + result.stderr


def test_a_link_within_a_pack_is_read(game: Path) -> None:
    (game / "calm.yaml").write_text(VARIANT)
    (game / "variants" / "calm.yaml").unlink()
    (game / "variants" / "calm.yaml").symlink_to("../calm.yaml")
    result = run("check", "--packs", game.parent, log(game.parent, 'Variant "calm"'))
    assert result.exit_code == 0


def test_links_that_lead_in_circles(game: Path) -> None:
    for number in range(6):
        (game / f"circle{number}").symlink_to(".")
    assert run("check", "--packs", game.parent, log(game.parent)).exit_code == 0


def test_folders_that_are_linked_elsewhere_now(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The cache notices it, though no file in the pack has changed.
    monkeypatch.setenv("ALTAY_PACKS", str(game.parent))
    for name in ("one", "two"):
        (game / name).mkdir()
        text = f"language: de\ntexts: {{square: {name}}}\n"
        (game / name / "de.yaml").write_text(text)
    for name in ("one", "two"):
        messages = game / "messages"
        if messages.is_symlink():
            messages.unlink()
        else:
            shutil.rmtree(messages)
        messages.symlink_to(name)
        assert load_pack("mine").texts["de"]["square"] == name


def test_the_limit_of_rule_files_is_looked_at_before_reading(game: Path) -> None:
    (game / "names").mkdir(exist_ok=True)
    (game / "names" / "xx.yaml").write_bytes(b"#" * (MAX_RULES + 1))
    result = run("rules", "check", "--packs", game.parent, "mine")
    assert "larger than 2,000,000 bytes" in result.stdout

"""`altay simulate`: games that the program plays by itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.sample import run
from tests.small import Pebbles

# Games of two rounds are games that end, and soon.
TWO_ROUNDS = """\
variant: two-rounds
extends: altay
title: Two rounds
version: "1.0"
change:
  - add: triggers.two-rounds
    to:
      title: The second round is the last one
      when: "!ending && round >= 2"
      does: [{set: {ending: "true"}}]
"""
SHORT = ("--max-rounds", "1", "--seed", "5")


def files(folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder, by path."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def variant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("variants") / "two-rounds.yaml"
    path.write_text(TWO_ROUNDS, encoding="utf-8")
    return path


def test_the_same_seed_gives_the_same_on_any_number_of_processes(tmp_path: Path) -> None:
    reports = []
    for processes in (1, 2, 3):
        folder = tmp_path / str(processes)
        result = run(
            "simulate", "--games", "6", *SHORT, "--processes", str(processes), "--out", folder,
            "--format", "json", "--policy", "greedy,random",
        )  # fmt: skip
        assert result.exit_code == 0
        assert result.stderr == ""
        reports.append(result.stdout)
    assert reports[0] == reports[1] == reports[2]
    one, two, three = (files(tmp_path / str(processes)) for processes in (1, 2, 3))
    assert one == two == three
    assert list(one) == [f"game-{number:04}.agn" for number in range(1, 7)]
    assert len(set(one.values())) == 6
    assert json.loads(reports[0])["runs"][0]["given_up"][0]["numbers"] == [1, 2, 3, 4, 5, 6]


def test_games_under_a_variant_file_and_a_comparison(tmp_path: Path, variant: Path) -> None:
    folder, plot = tmp_path / "logs", tmp_path / "out.svg"
    result = run(
        "simulate", "--games", "2", "--seed", "5", "--processes", "1", "--variant", variant,
        "--compare", "six-card-hand", "--out", folder, "--plot", plot,
    )  # fmt: skip
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[1:3] == [
        "A: altay 1.0 with two-rounds 1.0",
        "B: altay 1.0 with two-rounds 1.0, six-card-hand 1.0",
    ]
    # Of 2 games of 2, Wilson's interval begins at 34.2 %.
    ends = [" ".join(line.split()) for line in lines if line.startswith("The second round is")]
    assert ends == ["The second round is the last one 100.0 % 100.0 % 0.0 % -65.8 to 65.8 %"]
    assert list(files(folder)) == [
        "game-0001.agn",
        "game-0002.agn",
        "six-card-hand/game-0001.agn",
        "six-card-hand/game-0002.agn",
        "six-card-hand/two-rounds.yaml",
        "two-rounds.yaml",
    ]
    assert (folder / "two-rounds.yaml").read_text(encoding="utf-8") == TWO_ROUNDS
    checked = run("check", folder)
    assert (checked.exit_code, checked.stdout) == (0, "4 games in 4 files: all legal\n")
    if plot_is_possible():
        assert ElementTree.parse(plot).getroot().tag.endswith("svg")  # noqa: S314 - our own

    # Nothing of it is overwritten, and nothing is played.
    before = files(folder)
    again = run("simulate", "--games", "3", *SHORT, "--out", folder)
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr.startswith(
        f"altay: {folder / 'game-0001.agn'} already exists and is not overwritten"
    )
    assert files(folder) == before


def plot_is_possible() -> bool:
    pytest.importorskip("matplotlib")
    return True


def test_logs_of_games_that_were_given_up_are_right_as_well(tmp_path: Path) -> None:
    result = run(
        "simulate", "--games", "1", *SHORT, "--players", "4", "--tag", "Site=x", "--out", tmp_path
    )
    assert result.exit_code == 0
    assert "not over after 1 round  " in result.stdout
    assert '[Site "x"]\n' in (tmp_path / "game-0001.agn").read_text(encoding="utf-8")
    checked = run("check", tmp_path)
    assert checked.exit_code == 0
    assert checked.stdout.endswith("1 game: legal (1 note)\n")


def test_a_seed_by_chance_is_told_and_repeats_the_games() -> None:
    arguments = ("simulate", "--games", "1", "--max-rounds", "1", "--format", "json")
    first = run(*arguments).stdout
    seed = json.loads(first)["seed"]
    assert run(*arguments, "--seed", str(seed)).stdout == first


def test_a_variant_file_with_mistakes_is_told_as_rules_check_does(pebbles: Pebbles) -> None:
    path = pebbles.variant('change: [{set: triggers.empty.when, to: "rund > 0"}]\n')
    result = run("simulate", *SHORT, "--variant", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "mine.yaml:4:" in result.stderr
    assert "[expression-unknown-name]" in result.stderr
    _, told = run("rules", "check", path).stdout.split("\n\n", 1)  # after the verdict
    assert result.stderr.strip() == told[: told.rindex("\n\n")].strip()
    other = run("simulate", *SHORT, "--compare", path)
    assert (other.exit_code, other.stderr) == (2, result.stderr)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--policy", "gredy"], "there is no policy `gredy`; did you mean `greedy`?"),
        (["--players", "5"], "5 players: the game is for 2 to 4"),
        (["--game", "draughts"], "there are no rules `draughts`; there is: altay"),
        (["--variant", "tradin"], "no such file; did you mean `trading`?"),
        (["--compare", "nowhere.yaml"], "nowhere.yaml: there is no such variant, and no such file"),
        (["--tag", "Map"], "--tag Map: write a tag as NAME=VALUE"),
        (["--tag", "Variant=trading"], "write --variant trading"),
        (["--tag", "Map=big"], "`big` is not a value of `Map`; possible: recommended, full"),
        (["--plot", "x.gif"], "the name must end in .svg, .png, .pdf"),
        (["--plot", "no/such/x.svg"], "there is no such folder"),
        (["--out", "file"], "file: this is not a folder"),
        (["--out", "file/below"], "file/below: "),
        (["--variant", "full-map", "--compare", "duel-map"], "cannot be played together"),
        (["--variant", "plain"], "the name of a variant file ends in .yaml"),
        (["--variant", "a/x.yaml", "--variant", "b/x.yaml"], "must be in one folder"),
    ],
)
def test_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for name in ("plain", "a/x.yaml", "b/x.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(TWO_ROUNDS, encoding="utf-8")
    result = run("simulate", "--games", "1", *SHORT, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("altay: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--games", "--processes", "--max-rounds"])
def test_numbers_of_nothing_are_wrong_usage(option: str) -> None:
    result = run("simulate", option, "0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert option in result.stderr


def test_plots_say_what_they_need(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("altay_cli.cli.simulate.find_spec", lambda _: None)
    result = run("simulate", "--plot", tmp_path / "out.svg")
    assert result.exit_code == 2
    assert result.stderr == "altay: plots need matplotlib: pip install 'altay[plot]'\n"


PATIENCE = 300
"""Seconds in which what another process does has happened, however busy the machine is."""


def appears(path: Path) -> None:
    """Wait for a file."""
    for _ in range(100 * PATIENCE):
        if path.exists():
            return
        time.sleep(0.01)
    pytest.fail(f"{path.name} never came")


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_an_interrupt_ends_it_quietly(tmp_path: Path, processes: str) -> None:
    command = [sys.executable, "-m", "altay_cli", "simulate", "--games", "9999", *SHORT]
    with subprocess.Popen(
        [*command, "--processes", processes, "--out", tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A run in the background ignores interrupts, and so would all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        text=True,
    ) as process:
        try:
            appears(tmp_path / "game-0002.agn")
            # As a terminal does it: every process of the group gets it.
            os.killpg(process.pid, signal.SIGINT)
            stdout, stderr = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert stdout == ""
    played = int(stderr.split()[2])
    assert stderr == f"altay: interrupted; {played} of 9,999 games were played\n"
    # It may come between the writing of a game and its counting.
    assert played <= len(list(tmp_path.glob("game-*.agn"))) <= played + 1


def killed(folder: Path, *arguments: str) -> None:
    """Begin a run with two processes, and kill it when some games are written."""
    command = [sys.executable, "-m", "altay_cli", "simulate", "--processes", "2", *arguments]
    with subprocess.Popen(
        [*command, "--out", folder],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: os.nice(19),  # noqa: PLW1509 - who waits for its games comes first
    ) as process:
        appears(folder / "game-0003.agn")
        process.kill()
    assert process.returncode == -signal.SIGKILL
    # Nothing of its group is left: the others have noticed.
    for _ in range(100 * PATIENCE):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    pytest.fail("processes outlive the one that started them")


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_a_run_that_was_killed_leaves_no_process_and_goes_on_where_it_was(tmp_path: Path) -> None:
    games = ("--games", "40", *SHORT, "--format", "json")
    whole = run("simulate", *games, "--out", tmp_path / "whole")
    folder = tmp_path / "killed"
    killed(folder, *games)
    played = {name: (folder / name).stat().st_mtime_ns for name in files(folder) if "game" in name}
    assert 3 <= len(played) < 40
    (folder / f".altay-{os.getpid()}-0123abcd.tmp").touch()  # of a process that goes on
    (folder / ".altay-99999999-0123abcd.tmp").touch()
    (folder / "tmpmine").touch()

    # Without a seed it is that of the run that was cut off; the number of processes is free.
    again = run(
        "simulate", "--games", "40", "--max-rounds", "1", "--format", "json", "--out", folder
    )
    assert again.exit_code == 0
    number = int(again.stderr.split(": ")[-1].split()[0])
    assert again.stderr == (
        f"altay: {folder}: {number} of 40 games have already been played; the run continues from there\n"
    )
    # It may be cut off between the writing of a game and its noting.
    assert len(played) - 1 <= number <= len(played)
    assert again.stdout == whole.stdout
    now = files(folder)
    assert now.pop("tmpmine") == now.pop(f".altay-{os.getpid()}-0123abcd.tmp") == b""
    assert now == files(tmp_path / "whole")
    kept = {name: (folder / name).stat().st_mtime_ns for name in played}
    assert kept == played

    # It has come to its end: the same command again finds its files in the way.
    again = run("simulate", *games, "--out", folder)
    assert again.exit_code == 2
    assert "already exists and is not overwritten" in again.stderr
